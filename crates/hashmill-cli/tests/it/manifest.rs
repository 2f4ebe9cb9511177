//! `hashmill manifest`.

use crate::common::{Place, Ran};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Writes a file and sets its modification time to `seconds` seconds and 5 nanoseconds after
/// 2026-01-01.
fn file(place: &Place, name: &str, content: &[u8], seconds: u64) {
    place.write(name, content);
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_767_225_600 + seconds, 5);
    File::options().write(true).open(place.path(name)).unwrap().set_modified(time).unwrap();
}

fn tree() -> Place {
    let place = Place::new();
    for directory in ["t", "t/a", "t/.hidden"] {
        fs::create_dir(place.path(directory)).unwrap();
    }
    file(&place, "t/a/x", b"x", 0);
    file(&place, "t/a-b", b"a-b", 1);
    file(&place, "t/.hidden/empty", b"", 2);
    file(&place, "t/n\nl", b"newline", 3);
    file(&place, "t/-", b"dash", 4);
    place
}

fn run(place: &Place, args: &[&str]) -> (i32, String, String) {
    let ran = place.run("hashmill", &[&["manifest"], args].concat());
    (ran.status.unwrap(), ran.text(), ran.stderr)
}

#[track_caller]
fn gives(place: &Place, args: &[&str], status: i32, stdout: &str, stderr: &str) {
    assert_eq!(run(place, args), (status, stdout.to_owned(), stderr.to_owned()), "{args:?}");
}

fn text(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

/// Returns the CRC-64 of the concatenated parts, as manifests write it.
fn check(parts: &[&[u8]]) -> String {
    let crc = crc_fast::checksum(crc_fast::CrcAlgorithm::Crc64Nvme, &parts.concat());
    format!("{crc:016x}")
}

fn bytes(check: &str) -> Vec<u8> {
    (0..check.len() / 2)
        .map(|i| u8::from_str_radix(&check[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

/// Returns a manifest or journal with its checks replaced by correct ones. A record that is cut off
/// is removed.
fn sealed(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    let at = lines.iter().position(|line| line.starts_with("# header ")).unwrap();
    let begin = if lines[1].starts_with("# journal") { 2 } else { 1 };
    let seed = check(&[lines[begin..at].concat().as_bytes()]);
    let mut sealed = format!("{}# header {seed}\n", lines[..at].concat());
    let seed = bytes(&seed);
    let mut total = seed.clone();
    let mut rest = &lines[at + 1..];
    let per_record = lines[..at].iter().filter(|line| line.starts_with("# algorithm")).count();
    while let Some(first) = rest.first() {
        let (head, _) = first.trim_end().rsplit_once(' ').unwrap();
        if let Some(count) = head.strip_prefix("# end of ") {
            let check = check(&[&total]);
            sealed.push_str(&format!("# end of {count} {check}\n"));
            break;
        }
        let len = match head {
            "# link" => 2,
            _ if head.starts_with("# directory") => 1,
            _ => per_record,
        };
        if rest.len() <= len {
            break;
        }
        let body = rest[1..=len].concat();
        let check = check(&[&seed, head.as_bytes(), b"\n", body.as_bytes()]);
        sealed.push_str(&format!("{head} {check}\n{body}"));
        total.extend(bytes(&check));
        rest = &rest[len + 1..];
    }
    sealed
}

#[test]
fn the_text() {
    let place = tree();
    gives(
        &place,
        &["create", "-a", "sha256", "-a", "blake2b-64", "--exclude", "no\\thing", "m", "t"],
        0,
        "",
        "",
    );
    let record = |name: &str, shown: &str, content: &str, time: &str, mark: &str| {
        let metadata = fs::metadata(place.path("t").join(name)).unwrap();
        let changed = jiff::Timestamp::new(metadata.ctime(), metadata.ctime_nsec() as i32).unwrap();
        place.write("content", content);
        let blake = place.run("hashmill", &["sum", "-a", "blake2b-64", "content"]).text();
        let (sha, blake) = (hashmill::sha256(content.as_bytes()), &blake[..16]);
        format!(
            "# {} 2026-01-01T00:00:0{time}.000000005Z {changed} {} CHECK\n\
             {mark}SHA256 ({shown}) = {sha}\n{mark}BLAKE2b-64 ({shown}) = {blake}\n",
            content.len(),
            metadata.ino()
        )
    };
    let expected = [
        "# hashmill manifest 2\n# algorithm SHA256\n# algorithm BLAKE2b-64\n# exclude no\\\\thing\n# tree t\n# header CHECK\n",
        &record("-", "./-", "dash", "4", ""),
        &record(".hidden/empty", ".hidden/empty", "", "2", ""),
        &record("a/x", "a/x", "x", "0", ""),
        &record("a-b", "a-b", "a-b", "1", ""),
        &record("n\nl", "n\\nl", "newline", "3", "\\"),
        "# end of 5 files CHECK\n",
    ];
    let expected = sealed(&expected.concat());
    assert_eq!(text(&place, "m"), expected);
    // No other file is left, and the manifest does not depend on the number of threads.
    let names: BTreeSet<_> =
        fs::read_dir(place.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_str().unwrap().starts_with("m.")), "{names:?}");
    let all = ["-j5", "-a", "sha256", "-a", "blake2b-64", "--exclude", "no\\thing", "m5", "t"];
    gives(&place, &[&["create"], &all[..]].concat(), 0, "", "");
    assert_eq!(text(&place, "m5"), expected);
    // Other programs can read the manifest.
    let checked = place
        .shell("cd t && cksum -c --quiet --strict ../m && hashmill check --quiet --strict ../m");
    checked.gave(0, "", "");
}

#[test]
fn differences() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    for args in [&["verify", "m", "t"][..], &["compare", "m", "m"], &["update", "m", "t"]] {
        gives(&place, args, 0, "", "");
    }
    file(&place, "t/a/x", b"y", 7);
    fs::rename(place.path("t/a-b"), place.path("t/new name")).unwrap();
    fs::remove_file(place.path("t/-")).unwrap();
    file(&place, "t/.hidden/more", b"", 6);
    let said = "changed  a/x\nadded    .hidden/more\nmoved    a-b -> 'new name'\nremoved  -\n";
    gives(&place, &["verify", "m", "t"], 1, said, "");
    let old = text(&place, "m");
    place.write("quick", &old).write("old", &old);
    gives(&place, &["update", "m", "t"], 0, said, "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    gives(&place, &["compare", "old", "m"], 1, said, "");
    gives(&place, &["verify", "--quick", "quick", "t"], 1, said, "");
    gives(&place, &["update", "--quick", "--dry-run", "quick", "t"], 1, said, "");
    assert_eq!(text(&place, "quick"), old);
    gives(&place, &["update", "--quick", "quick", "t"], 0, said, "");
    gives(&place, &["verify", "quick", "t"], 0, "", "");
    gives(&place, &["update", "--dry-run", "quick", "t"], 0, "", "");
    // With `--names`, files are not reported as moved or changed.
    let names = "added    .hidden/more\nadded    'new name'\nremoved  -\nremoved  a-b\n";
    gives(&place, &["verify", "--names", "old", "t"], 1, names, "");

    let json = "{\"name\":\"a/x\",\"status\":\"changed\"}\n{\"name\":\".hidden/more\",\"status\":\"added\"}\n\
                {\"name\":\"new name\",\"status\":\"moved\",\"from\":\"a-b\"}\n{\"name\":\"-\",\"status\":\"removed\"}\n";
    gives(&place, &["compare", "--json", "old", "m"], 1, json, "");
    // A different time alone is not reported.
    file(&place, "t/a/x", b"y", 9);
    gives(&place, &["verify", "m", "t"], 0, "", "");
}

#[test]
fn rules_and_algorithms_are_kept() {
    let place = tree();
    symlink("a-b", place.path("t/link")).unwrap();
    let rules = [
        "--exclude=*.o",
        "--skip-hidden",
        "--symlinks=always",
        "-x",
        "--ignore-files",
        "-a",
        "sha3-256",
    ];
    gives(&place, &[&["create", "m", "t"], &rules[..]].concat(), 0, "", "");
    place.write("t/.gitignore", "*.c");
    for name in ["t/x.o", "t/x.c", "t/.y"] {
        place.write(name, "");
    }
    gives(&place, &["verify", "m", "t"], 0, "", "");
    gives(&place, &["update", "m", "t"], 0, "", "");
    assert!(text(&place, "m").contains("SHA3-256 (link) = "));
    // A manifest in its own tree is left out, however it is named.
    gives(
        &place,
        &["create", "t/a/m", "t"],
        0,
        "",
        "hashmill: t: 1 symbolic link was not followed\n",
    );
    let ran = place.shell("cd t/a && hashmill manifest verify ./m ..");
    ran.gave(0, "", "hashmill: ..: 1 symbolic link was not followed\n");
    gives(
        &place,
        &["compare", "m", "t/a/m"],
        1,
        "",
        "hashmill: the two manifests have no algorithm in common\n",
    );
}

#[test]
fn errors() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    gives(
        &place,
        &["create", "m", "t"],
        1,
        "",
        "hashmill: m: the manifest exists; 'hashmill manifest update' updates it\n",
    );
    gives(&place, &["create", "n", "f"], 1, "", "hashmill: f: Not a directory\n");
    gives(&place, &["update", "n", "t"], 1, "", "hashmill: n: No such file or directory\n");
    gives(
        &place,
        &["verify", "f", "t"],
        1,
        "",
        "hashmill: f: not a manifest of version 2\n\
         hashmill: if it is a list: hashmill check f\n",
    );
    gives(
        &place,
        &["create", "nosuch/n", "t"],
        1,
        "",
        "hashmill: nosuch/n: No such file or directory\n",
    );
    let whole = text(&place, "m");
    place.write("cut", &whole[..whole.find("# end").unwrap()]);
    gives(&place, &["compare", "m", "cut"], 1, "", "hashmill: cut: the manifest is cut off\n");
    place.write("bad", whole.replace("SHA256 (a/x)", "SHA256 (a/y)").replace("# 3 ", "# three "));
    let (status, _, said) = run(&place, &["compare", "bad", "m"]);
    let damaged = "damaged: what begins in this line does not match its check";
    assert_eq!((status, said), (1, format!("hashmill: bad: 9: {damaged}\n")));
    place.write("bad", whole.replace("# 3 ", "# three "));
    let (status, _, said) = run(&place, &["compare", "bad", "m"]);
    assert_eq!((status, &*said), (1, "hashmill: bad: 11: improper line of a manifest\n"));
    assert_eq!(run(&place, &["create", "-a", "crc", "n", "t"]).0, 2);
    // A file that cannot be read does not prevent the recording of the others.
    symlink("nowhere", place.path("t/broken")).unwrap();
    let said = "hashmill: t/broken: No such file or directory\n";
    gives(&place, &["create", "--symlinks=always", "n", "t"], 1, "", said);
    assert!(text(&place, "n").contains("\n# end of 5 files "));
    // A second run must not write into the first one's journal.
    fs::remove_file(place.path("m")).unwrap();
    place.write("m.partial", "# hashmill manifest 2\n");
    let journal = File::open(place.path("m.partial")).unwrap();
    journal.lock().unwrap();
    gives(
        &place,
        &["create", "m", "t"],
        1,
        "",
        "hashmill: m: Another run is writing this manifest\n",
    );
}

/// A run continues from a journal that is cut off at any position.
#[test]
fn torn_journals() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    let records = &whole[..whole.find("# end").unwrap()];
    let first = whole.find('\n').unwrap() + 1;
    for end in (first..=records.len()).step_by(7).chain([records.len() - 1, records.len()]) {
        fs::remove_file(place.path("m")).unwrap();
        place.write("m.partial", &records[..end]).write("m.new", &whole[..first]);
        gives(&place, &["create", "m", "t"], 0, "", "");
        assert_eq!(text(&place, "m"), whole, "cut at {end}");
    }
    // A journal of a run with other options is not used.
    fs::remove_file(place.path("m")).unwrap();
    place.write("m.partial", records);
    gives(&place, &["create", "-a", "sha512", "m", "t"], 0, "", "");
    assert!(text(&place, "m").contains("SHA512 (a/x)"));
}

/// Runs that are killed repeatedly continue where they were.
#[test]
fn killed_at_any_point() {
    let mut killed = 0;
    for (round, jobs) in ["-j1", "-j3"].into_iter().enumerate() {
        let place = Place::new();
        fs::create_dir(place.path("t")).unwrap();
        for i in 0..250usize {
            if i % 50 == 0 {
                fs::create_dir(place.path(format!("t/{i}"))).unwrap();
            }
            let len = if i % 40 == 3 { 2_000_000 } else { 1 + i * 997 % 80_000 };
            file(&place, &format!("t/{}/{i}", i / 50 * 50), &vec![i as u8; len], i as u64);
        }
        gives(&place, &["create", "-a", "sha3-512", "undisturbed", "t"], 0, "", "");
        let mut chance = 12_345 + round as u64;
        let mut attempts = 0;
        let mut spoiled = BTreeSet::new();
        loop {
            let mut child = place
                .command("hashmill")
                .env("HASHMILL_BACKEND", "portable")
                .args(["manifest", "create", "-a", "sha3-512", jobs, "m", "t"])
                .spawn()
                .unwrap();
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Up to 66 ms, and 4 ms more after each attempt, so that each run can record something.
            std::thread::sleep(Duration::from_micros((chance >> 48) + 4000 * attempts));
            attempts += 1;
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                break;
            }
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
            if place.path("m").exists() && !place.path("m.partial").exists() {
                break; // it was complete
            }
            killed += 1;
            // The recorded digests are falsified. If a recorded file was read again, the final
            // manifest would not contain its falsified digest.
            for journal in ["m.partial", "m.resume"] {
                let Ok(content) = fs::read_to_string(place.path(journal)) else { continue };
                if content.contains("# header ") {
                    let fresh = recorded(&content).difference(&spoiled).cloned().collect();
                    place.write(journal, sealed(&spoil(&content, &fresh)));
                    spoiled.extend(fresh);
                }
            }
        }
        assert!(
            text(&place, "m") == sealed(&spoil(&text(&place, "undisturbed"), &spoiled)),
            "{jobs}: {} recorded",
            spoiled.len()
        );
        assert!(!place.path("m.partial").exists() && !place.path("m.resume").exists());
        println!("{jobs}: {} of 250 files were recorded by runs that were killed", spoiled.len());
    }
    println!("{killed} runs were killed");
    assert!(killed >= 3);
}

/// Returns the names of the files that have complete records in a journal.
fn recorded(journal: &str) -> BTreeSet<String> {
    journal
        .split_inclusive('\n')
        .filter_map(|line| {
            let (name, digest) = line.strip_prefix("SHA3-512 (")?.split_once(") = ")?;
            (digest.len() == 129 && Path::new(name).is_relative()).then(|| name.to_owned())
        })
        .collect()
}

/// Returns the text with the digests of these files falsified.
fn spoil(text: &str, names: &BTreeSet<String>) -> String {
    let line = |line: &str| {
        let parts = line.strip_prefix("SHA3-512 (").and_then(|rest| rest.split_once(") = "));
        match parts.filter(|(name, _)| names.contains(*name)) {
            Some((name, digest)) => {
                format!("SHA3-512 ({name}) = feed{}", &digest[4.min(digest.len())..])
            }
            None => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Found by fuzzing: the blank was lost, and `update` included a file that `create` had left out.
#[test]
fn a_rule_that_ends_with_a_blank() {
    let place = tree();
    file(&place, "t/draft ", b"not to be in it", 5);
    gives(&place, &["create", "--exclude", "draft\\ ", "m", "t"], 0, "", "");
    let made = text(&place, "m");
    assert!(made.contains("\n# exclude draft\\\\ \n") && !made.contains("(draft )"));
    gives(&place, &["update", "m", "t"], 0, "", "");
    assert_eq!(text(&place, "m"), made);
}

/// Replaces a file by a symbolic link to a file whose reading fails with an input/output error.
fn break_file(place: &Place, name: &str) {
    fs::remove_file(place.path(name)).unwrap();
    symlink("/proc/self/mem", place.path(name)).unwrap();
}

/// A file that cannot be read keeps its record, until it can be read again.
#[test]
fn an_unreadable_file_keeps_its_record() {
    let place = tree();
    gives(&place, &["create", "--symlinks=always", "m", "t"], 0, "", "");
    let record = |text: &str| {
        let line = text.lines().find(|line| line.contains("(a-b)")).unwrap();
        line.to_owned()
    };
    let before = record(&text(&place, "m"));
    break_file(&place, "t/a-b");
    fs::remove_file(place.path("t/-")).unwrap();
    let said = "hashmill: t/a-b: Input/output error\n";
    let lines = "unreadable a-b\nremoved  -\n";
    gives(&place, &["verify", "m", "t"], 1, lines, said);
    gives(&place, &["update", "--dry-run", "m", "t"], 1, lines, said);
    for _ in 0..2 {
        let (status, _, stderr) = run(&place, &["update", "m", "t"]);
        assert_eq!((status, &*stderr), (1, said));
        assert_eq!(record(&text(&place, "m")), before);
    }
    // A changed content is found when the file can be read again.
    fs::remove_file(place.path("t/a-b")).unwrap();
    file(&place, "t/a-b", b"a+b", 1);
    gives(&place, &["verify", "m", "t"], 3, "suspect  a-b\n", "");
}

/// Files in a directory that cannot be listed also keep their records.
#[test]
fn an_unreadable_directory_keeps_its_records() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let before = text(&place, "m");
    // The superuser may read everything, so the program runs as another user.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let prefix = if is_root { "setpriv --reuid=65534 --clear-groups --inh-caps=-all" } else { "" };
    if is_root && place.shell(&format!("{prefix} true")).status != Some(0) {
        println!("setpriv is not there: not tried");
        return;
    }
    let line =
        format!("chmod -R a+rwX . && chmod a-rwx t/a && {prefix} hashmill manifest update m t");
    let ran = place.shell(&line);
    place.shell("chmod a+rwx t/a");
    if ran.stderr.contains("setpriv") || ran.stderr.contains("No such file") {
        println!("{}: not tried", ran.stderr);
        return;
    }
    ran.gave(1, "unreadable a/x\n", "hashmill: t/a: Permission denied\n");
    let digests = |text: &str| {
        text.lines().filter(|it| it.starts_with("SHA256")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(digests(&text(&place, "m")), digests(&before));
}

/// Returns whether strace is installed and may trace. `cargo xtask test` reports if it is not.
fn traces(place: &Place) -> bool {
    place.shell("strace -o /dev/null true").status == Some(0)
}

/// Runs the program under strace with these fault injections. Returns `None` if strace cannot be
/// used.
fn injected(place: &Place, injections: &[&str], args: &str) -> Option<(Option<i32>, String)> {
    let inject: String = injections.iter().map(|it| format!(" -e inject={it}")).collect();
    let line = format!("strace -f -o /dev/null{inject} hashmill manifest {args}");
    if !traces(place) {
        return None;
    }
    let ran = place.shell(&line);
    Some((ran.status, ran.stderr))
}

/// After a kill at any step, the next run continues.
#[test]
fn killed_at_every_step() {
    let place = tree();
    gives(&place, &["create", "undisturbed", "t"], 0, "", "");
    let undisturbed = text(&place, "undisturbed");
    for call in [
        "openat",
        "write",
        "linkat",
        "rename",
        "renameat2",
        "unlink",
        "fsync",
        "flock",
        "ftruncate",
    ] {
        for when in 1.. {
            let _ = fs::remove_file(place.path("m"));
            let injection = format!("{call}:signal=KILL:when={when}");
            let Some((status, _)) = injected(&place, &[&injection], "create -j1 m t") else {
                return;
            };
            if status == Some(0) {
                break;
            }
            gives(&place, &["create", "m", "t"], 0, "", "");
            assert_eq!(text(&place, "m"), undisturbed, "{call} {when}");
            for left in ["m.partial", "m.resume", "m.new"] {
                assert!(!place.path(left).exists(), "{call} {when}: {left}");
            }
        }
    }
    // The same for `update`.
    place.write("old", &undisturbed);
    file(&place, "t/a/x", b"xx", 7);
    for call in ["rename", "unlink", "linkat", "fsync"] {
        for when in 1.. {
            place.write("m", &undisturbed);
            let injection = format!("{call}:signal=KILL:when={when}");
            let Some((status, _)) = injected(&place, &[&injection], "update m t") else { return };
            let (again, _, said) = run(&place, &["update", "m", "t"]);
            assert_eq!((again, &*said), (0, ""), "{call} {when}");
            gives(&place, &["verify", "m", "t"], 0, "", "");
            if status == Some(0) {
                break;
            }
        }
    }
}

/// Of several runs at the same time, each either makes the whole manifest or reports why not.
#[test]
fn runs_at_once() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    let another = "hashmill: m: Another run is writing this manifest\n";
    let traced = traces(&place);
    for round in 0..12 {
        let delays = [
            "",
            "strace -f -o /dev/null -e inject=flock:delay_exit=30000",
            "strace -f -o /dev/null -e inject=unlink:delay_enter=30000",
            "strace -f -o /dev/null -e inject=rename:delay_enter=30000",
        ];
        // Without strace, the runs are not delayed.
        let delay = if traced { delays[round % 4] } else { "" };
        let line = format!(
            "for i in 1 2 3 4; do {{ {delay} hashmill manifest update m t 2>err$i; echo $? >status$i; }} & done; wait; cat status*"
        );
        let statuses = place.shell(&line).text();
        assert!(statuses.contains('0'), "{statuses}");
        for i in 1..=4 {
            let (status, said) =
                (text(&place, &format!("status{i}")), text(&place, &format!("err{i}")));
            match &*status {
                "0\n" => assert_eq!(said, ""),
                "1\n" => assert_eq!(said, another),
                _ => panic!("{status} {said}"),
            }
        }
        assert_eq!(text(&place, "m"), whole, "{round}");
        assert!(!place.path("m.partial").exists());
    }
}

/// Runs the program, and half a second later `action`. strace delays each `fsync` by 0.7 s, so that
/// the program has not renamed its journal by then.
fn meanwhile(place: &Place, args: &str, action: &str) -> Ran {
    let inject = "-e trace=fsync -e inject=fsync:delay_enter=700000";
    place.shell(&format!(
        "strace -f -o /dev/null {inject} hashmill manifest {args} & sleep 0.5; {action}; wait %1"
    ))
}

/// A run notices that its journal was removed or replaced.
#[test]
fn a_journal_that_goes_is_missed() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    if !traces(&place) {
        return;
    }
    for action in ["rm m.partial", "cp m.partial x; rm m.partial; mv x m.partial"] {
        let ran = meanwhile(&place, "update m t", action);
        assert_eq!(ran.status, Some(1), "{action}: {}", ran.stderr);
        assert!(
            ran.stderr
                .starts_with("hashmill: m.partial: Another file has the journal's name, or none"),
            "{}",
            ran.stderr
        );
        assert_eq!(text(&place, "m"), whole);
        let _ = fs::remove_file(place.path("m.partial"));
    }
}

/// `create` does not replace a file that another program creates at the manifest's path meanwhile.
#[test]
fn a_file_that_comes_meanwhile_is_not_replaced() {
    let place = tree();
    if !traces(&place) {
        return;
    }
    let ran = meanwhile(&place, "create m t", "[ -e m.partial ] && printf precious > m");
    assert_eq!((ran.status, &*ran.stderr), (Some(1), "hashmill: m: File exists\n"));
    assert_eq!(text(&place, "m"), "precious");
}

/// The user's own files and links with names of our temporary files are not changed.
#[test]
fn what_is_not_ours_is_left_alone() {
    let place = tree();
    place.write("target", "precious");
    for suffix in ["partial", "resume", "new"] {
        let name = format!("m.{suffix}");
        for content in ["my photos", "", "# hashmill manifest 2", "# hashmill manifest 20\n"] {
            place.write(&name, content);
            let (status, _, said) = run(&place, &["create", "m", "t"]);
            assert_eq!(status, 1);
            assert!(
                said.starts_with(&format!(
                    "hashmill: {name}: This file is not the journal of a manifest: it is left alone"
                )),
                "{said}"
            );
            assert_eq!(text(&place, &name), content);
            fs::remove_file(place.path(&name)).unwrap();
            let _ = fs::remove_file(place.path("m.partial"));
        }
        for target in ["target", "nowhere"] {
            symlink(target, place.path(&name)).unwrap();
            let (status, _, said) = run(&place, &["create", "m", "t"]);
            assert!(
                status == 1 && said.contains("This symbolic link is not the journal"),
                "{said}"
            );
            assert_eq!(text(&place, "target"), "precious");
            assert!(!place.path("nowhere").exists());
            fs::remove_file(place.path(&name)).unwrap();
            let _ = fs::remove_file(place.path("m.partial"));
        }
        place.shell(&format!("mkfifo {name}"));
        let (status, _, said) = run(&place, &["create", "m", "t"]);
        assert!(status == 1 && said.contains("not the journal"), "{said}");
        fs::remove_file(place.path(&name)).unwrap();
        let _ = fs::remove_file(place.path("m.partial"));
    }
    assert!(!place.path("m").exists());
}

/// `create` does not accept the journal of an `update` as permission to replace the manifest.
#[test]
fn create_does_not_replace_what_an_update_left() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    let (first, rest) = whole.split_once('\n').unwrap();
    place.write("m.partial", format!("{first}\n# journal update\n{rest}"));
    file(&place, "t/a/x", b"rotten", 0);
    let there = "hashmill: m: the manifest exists; 'hashmill manifest update' updates it\n";
    gives(&place, &["create", "m", "t"], 1, "", there);
    assert_eq!(text(&place, "m"), whole);
}

/// An update keeps the manifest's mode and owner, and a symbolic link to it.
#[test]
fn mode_owner_and_links_are_kept() {
    let place = tree();
    fs::create_dir(place.path("real")).unwrap();
    gives(&place, &["create", "real/m", "t"], 0, "", "");
    symlink("real/m", place.path("m")).unwrap();
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    for (seconds, mode) in [0o600, 0o640, 0o664, 0o444].into_iter().enumerate() {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(place.path("real/m"), permissions).unwrap();
        if is_root {
            std::os::unix::fs::chown(place.path("real/m"), Some(12), Some(34)).unwrap();
        }
        file(&place, "t/a/x", mode.to_string().as_bytes(), 10 + seconds as u64);
        gives(&place, &["update", "m", "t"], 0, "changed  a/x\n", "");
        let metadata = fs::metadata(place.path("real/m")).unwrap();
        assert_eq!(metadata.mode() & 0o7777, mode);
        if is_root {
            assert_eq!((metadata.uid(), metadata.gid()), (12, 34));
        }
        assert!(fs::symlink_metadata(place.path("m")).unwrap().is_symlink());
        gives(&place, &["verify", "m", "t"], 0, "", "");
    }
    assert_eq!(fs::read_dir(place.path("real")).unwrap().count(), 1);
}

/// Every flipped bit in a manifest or a journal is detected.
#[test]
fn flipped_bits_are_noticed() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = fs::read(place.path("m")).unwrap();
    for (at, bit) in (0..whole.len()).step_by(3).flat_map(|at| [(at, at % 8), (at, (at + 5) % 8)]) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << bit;
        place.write("m", &flipped);
        let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        for command in [&["verify", "--names"][..], &["update", "--quick"]] {
            let (status, _, said) = run(&place, &[command, &["m", "t"]].concat());
            assert!(status == 1 && said.starts_with("hashmill: m"), "{at} {bit}: {status} {said}");
            // The error names the first line of the record or another of its lines.
            let named = said
                .strip_prefix("hashmill: m: ")
                .and_then(|it| it.split(':').next()?.parse::<usize>().ok());
            if let Some(named) = named {
                let header = line <= 4 && named <= 4;
                assert!(
                    header || named.abs_diff(line) <= 1 || line == 4,
                    "{at} {bit}: {line} {said}"
                );
            }
            assert_eq!(fs::read(place.path("m")).unwrap(), flipped);
        }
        let _ = fs::remove_file(place.path("m.partial"));
    }
    // In a journal, an incomplete last line was torn by a kill.
    let text = String::from_utf8(whole.clone()).unwrap();
    let records = &whole[..text.find("# end").unwrap()];
    let body = text.find("# header").unwrap() + 26;
    for (at, bit) in (body..records.len()).step_by(5).map(|at| (at, at % 7)) {
        let _ = fs::remove_file(place.path("m"));
        let mut flipped = records.to_vec();
        flipped[at] ^= 1 << bit;
        place.write("m.partial", &flipped);
        let (status, _, said) = run(&place, &["create", "m", "t"]);
        if status == 0 {
            assert_eq!(fs::read(place.path("m")).unwrap(), whole, "{at} {bit}");
        } else {
            assert!(
                said.starts_with("hashmill: m.partial: ") && said.contains("Remove this file"),
                "{said}"
            );
            assert_eq!(fs::read(place.path("m.partial")).unwrap(), flipped);
        }
    }
}

/// A content that differs although the file was not written to is reported as corrupt.
#[test]
fn corruption_is_told_from_modification() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    // Simulates that a/x was recorded with another content, and that its bits have changed on the
    // disk since.
    let x = hashmill::sha256(b"x").to_string();
    let before = sealed(&text(&place, "m").replace(&x, &hashmill::sha256(b"y").to_string()));
    place.write("m", &before);
    file(&place, "t/a-b", b"a+b", 1);
    file(&place, "t/-", b"hsad", 9);
    let said = "changed  -\ncorrupt  a/x\nsuspect  a-b\n";
    gives(&place, &["verify", "m", "t"], 3, said, "");
    gives(&place, &["update", "--dry-run", "m", "t"], 3, said, "");
    gives(&place, &["update", "m", "t"], 3, said, "");
    gives(&place, &["update", "m", "t"], 3, "corrupt  a/x\nsuspect  a-b\n", "");
    file(&place, "t/a-b", b"a-b", 1);
    gives(
        &place,
        &["verify", "--json", "m", "t"],
        3,
        "{\"name\":\"a/x\",\"status\":\"corrupt\"}\n",
        "",
    );
    let digest = |text: &str| text.lines().find(|it| it.contains("(a/x)")).map(str::to_owned);
    assert_eq!(digest(&text(&place, "m")), digest(&before));
    gives(&place, &["update", "--accept", "m", "t"], 0, "accepted a/x\n", "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    // The same with another size.
    let long = "# 1 2026-01-01T00:00:00.000000005Z";
    let other = before.replace(long, &long.replace("# 1", "# 2"));
    assert_ne!(other, before);
    place.write("m", sealed(&other));
    gives(&place, &["verify", "--names", "m", "t"], 0, "", "");
    gives(&place, &["verify", "m", "t"], 3, "changed  -\ncorrupt  a/x\n", "");
}

/// A content that differs is suspect if size and modification time are the same, whatever has
/// changed the ctime and the inode number.
#[test]
fn the_same_size_and_time_with_another_content() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let before = text(&place, "m");
    let is_kept = || {
        let line = |text: &str| text.lines().find(|it| it.contains("(a/x)")).map(str::to_owned);
        assert_eq!(line(&text(&place, "m")), line(&before));
    };
    let said = "suspect  a/x\n";
    let json = "{\"name\":\"a/x\",\"status\":\"suspect\"}\n";
    file(&place, "t/a/x", b"y", 0);
    place.shell(
        "cp -a t copy; cp -al t links; chmod 600 t/a/x; tar -cf tar t; mkdir r; tar -xf tar -C r",
    );
    for directory in ["t", "copy", "links", "r/t"] {
        for quick in [&[][..], &["--quick"]] {
            gives(&place, &[&["verify"], quick, &["m", directory]].concat(), 3, said, "");
            gives(&place, &[&["update", "-n"], quick, &["m", directory]].concat(), 3, said, "");
            gives(&place, &[&["update"], quick, &["m", directory]].concat(), 3, said, "");
            is_kept();
        }
    }
    gives(&place, &["verify", "--json", "m", "copy"], 3, json, "");
    // Another file takes its place.
    place.shell("cp -a t/a/x y; printf z >y; touch -r t/a/x y; mv y t/a/x");
    gives(&place, &["update", "m", "t"], 3, said, "");
    is_kept();
    gives(&place, &["create", "newer", "t"], 0, "", "");
    gives(&place, &["compare", "m", "newer"], 3, said, "");
    gives(&place, &["update", "--accept", "m", "t"], 0, "accepted a/x\n", "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
}

/// A renamed file is recognised by its inode number, size and time, also if its content differs or
/// cannot be read. Its record then stays, under the new name.
#[test]
fn renamed_files() {
    let place = tree();
    gives(&place, &["create", "--symlinks=always", "m", "t"], 0, "", "");
    let before = text(&place, "m");
    let digest = |name: &str, text: &str| {
        let line = text.lines().find(|it| it.contains(&format!("({name}) = ")));
        line.map(|line| line.split_once(" = ").unwrap().1.to_owned())
    };
    let named = |name: &str| digest(name, &text(&place, "m"));
    // Renamed and rotten: bits are simulated to have changed by another digest in the manifest.
    let x = hashmill::sha256(b"x").to_string();
    place.write("m", sealed(&before.replace(&x, &hashmill::sha256(b"y").to_string())));
    fs::rename(place.path("t/a/x"), place.path("t/other")).unwrap();
    let said = "suspect  a/x -> other\n";
    gives(&place, &["verify", "m", "t"], 3, said, "");
    gives(&place, &["update", "m", "t"], 3, said, "");
    assert_eq!(
        (named("a/x"), named("other")),
        (None, digest("a/x", &sealed(&before.replace(&x, &hashmill::sha256(b"y").to_string()))))
    );
    gives(&place, &["update", "m", "t"], 3, "suspect  other\n", "");
    gives(&place, &["update", "--accept", "m", "t"], 0, "accepted other\n", "");
    assert_eq!(named("other"), digest("a/x", &before));
    // With --accept, both at once.
    place.write("m", sealed(&before.replace(&x, &hashmill::sha256(b"y").to_string())));
    let json = "{\"name\":\"other\",\"status\":\"accepted\",\"from\":\"a/x\"}\n";
    gives(&place, &["update", "--accept", "--json", "m", "t"], 0, json, "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    // Renamed, with the same content, and an empty file.
    fs::rename(place.path("t/.hidden/empty"), place.path("t/nothing")).unwrap();
    fs::rename(place.path("t/other"), place.path("t/a/x")).unwrap();
    let said = "moved    other -> a/x\nmoved    .hidden/empty -> nothing\n";
    gives(&place, &["verify", "m", "t"], 1, said, "");
    gives(&place, &["update", "m", "t"], 0, said, "");
}

/// A file that was renamed and cannot be read keeps its record, under its new name.
#[test]
fn renamed_and_unreadable() {
    let place = tree();
    // The superuser may read everything, so reading fails by an injected error.
    if !traces(&place) {
        return;
    }
    gives(&place, &["create", "m", "t"], 0, "", "");
    let before = text(&place, "m");
    for (from, to) in [("a-b", "z"), ("z", "0")] {
        fs::rename(place.path("t").join(from), place.path("t").join(to)).unwrap();
        let ran = place.shell(&format!(
            "strace -f -qq -o /dev/null -P $PWD/t/{to} -e inject=read:error=EIO \
             hashmill manifest update m $PWD/t"
        ));
        assert_eq!(
            (ran.status, ran.text()),
            (Some(1), format!("unreadable {from} -> {to}\n")),
            "{}",
            ran.stderr
        );
        let kept = text(&place, "m");
        let digest = before.lines().find(|it| it.contains("(a-b)")).unwrap();
        assert!(kept.contains(&digest.replace("(a-b)", &format!("({to})"))), "{kept}");
        gives(&place, &["verify", "m", "t"], 0, "", "");
    }
}

/// If most files are missing, a disk may not be mounted: the manifest stays, unless the user allows
/// the removal.
#[test]
fn many_removed_files() {
    let place = tree();
    file(&place, "t/b", b"b", 5);
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    let all = "removed  -\nremoved  .hidden/empty\nremoved  a/x\nremoved  a-b\nremoved  b\nremoved  'n'$'\\n''l'\n";
    let rest = "the manifest is left as it was. If these files were removed on purpose, use --allow-removal\n";
    let refuses = |lines: &str, why: &str| {
        for options in [&["update"][..], &["update", "-n"], &["update", "--quick"]] {
            let said = format!("hashmill: m: {why}: {rest}");
            gives(&place, &[options, &["m", "t"]].concat(), 3, lines, &said);
            assert_eq!(text(&place, "m"), whole);
            assert!(!place.path("m.partial").exists() && !place.path("m.resume").exists());
        }
    };
    // The whole directory is empty.
    place.shell("mv t full; mkdir t");
    refuses(all, "t is empty");
    place.write("t/new", "");
    refuses(&format!("added    new\n{all}"), "6 of 6 recorded files are missing");
    // More than half of the files are missing; half of them are not too many.
    place.shell("rm -r t; cp -a full t; rm -r t/-  t/a-b t/b t/n*");
    refuses(
        &all.lines().filter(|it| !it.contains('/')).map(|it| format!("{it}\n")).collect::<String>(),
        "4 of 6 recorded files are missing",
    );
    place.shell("rm -r t; cp -a full t; rm -r t/-  t/a-b t/b");
    gives(&place, &["update", "m", "t"], 0, "removed  -\nremoved  a-b\nremoved  b\n", "");
    // A directory is there but empty: a disk that is not mounted.
    place.write("m", &whole).shell("rm -r t; cp -a full t; rm t/a/x");
    place.write("t/b", "other");
    let lines = "changed  b\nmissing  a/x\n";
    let said = "hashmill: t/a: is empty, and its record is kept. --allow-removal removes it\n";
    gives(&place, &["update", "-n", "m", "t"], 3, lines, said);
    gives(&place, &["update", "m", "t"], 3, lines, said);
    gives(&place, &["update", "--quick", "m", "t"], 3, "missing  a/x\n", said);
    gives(&place, &["verify", "m", "t"], 1, "removed  a/x\n", "");
    place.shell("cp -a full/a/x t/a/x");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    // The disk has more than half of all files.
    place.write("m", &whole).shell("rm -r t; mkdir t; cp -a full t/disk");
    gives(&place, &["create", "n", "t"], 0, "", "");
    place.shell("rm -r t/disk; mkdir t/disk");
    let (status, lines, said) = run(&place, &["update", "n", "t"]);
    assert_eq!((status, lines.lines().count()), (3, 6), "{lines}");
    assert_eq!(
        said,
        "hashmill: t/disk: is empty, and its 6 records are kept. --allow-removal removes them\n"
    );
    place.shell("rm -r t; cp -a full t; rm t/a/x");
    gives(&place, &["update", "-n", "--allow-removal", "m", "t"], 1, "removed  a/x\n", "");
    gives(&place, &["update", "--allow-removal", "m", "t"], 0, "removed  a/x\n", "");
    // A directory that was removed, and one whose files were moved.
    place.write("m", &whole).shell("rm -r t; cp -a full t; rm -r t/a; mv t/.hidden/empty t/z");
    let (status, ..) = run(&place, &["update", "--allow-removal", "m", "t"]);
    assert_eq!(status, 0);
    place.write("m", &whole).shell("rm -r t; mv full t; rm -r t/a; mv t/.hidden/empty t/z");
    gives(&place, &["update", "m", "t"], 0, "moved    .hidden/empty -> z\nremoved  a/x\n", "");
    // The directory does not exist.
    place.shell("mv t u");
    let said = "hashmill: t: No such file or directory: the manifest is left as it was\n";
    gives(&place, &["update", "m", "t"], 3, "", said);
}

/// Each file is read in one of the parts, the same one each time. All names are looked at in each.
#[test]
fn parts() {
    let place = tree();
    place.shell("mkdir t/many; for i in $(seq 40); do echo $i > t/many/$i; done");
    gives(&place, &["create", "m", "t"], 0, "", "");
    for part in ["1/3", "2/3", "3/3", "1/1", "7/30"] {
        gives(&place, &["verify", "--part", part, "m", "t"], 0, "", "");
    }
    place
        .shell("for i in $(seq 39); do echo x >> t/many/$i; done; mv t/many/40 t/many/z; rm t/a-b");
    let changed = |part: &str| -> BTreeSet<String> {
        let (status, stdout, stderr) = run(&place, &["verify", "--part", part, "m", "t"]);
        let (changed, others): (Vec<&str>, Vec<&str>) =
            stdout.lines().partition(|it| it.starts_with("changed"));
        let expected = vec!["moved    many/40 -> many/z", "removed  a-b"];
        assert_eq!((status, others, &*stderr), (1, expected, ""));
        changed.into_iter().map(str::to_owned).collect()
    };
    let parts = ["1/3", "2/3", "3/3"].map(changed);
    assert_eq!(parts, ["1/3", "2/3", "3/3"].map(changed));
    assert!(parts.iter().all(|it| it.len() > 3), "{parts:?}");
    assert_eq!(parts.iter().map(BTreeSet::len).sum::<usize>(), 39);
    assert_eq!(parts.into_iter().flatten().collect::<BTreeSet<_>>(), changed("1/1"));
    place.shell("echo new > t/many/40");
    for part in ["0/3", "4/3", "3", "1/0", "a/b"] {
        let (status, _, stderr) = run(&place, &["verify", "--part", part, "m", "t"]);
        assert!(status == 2 && stderr.contains("3/30"), "{part}: {status} {stderr}");
    }
}

/// If nothing has changed, a quick update writes nothing. Otherwise the manifest is as if it was made
/// anew.
#[cfg(unix)]
#[test]
fn a_quick_update() {
    use std::os::unix::fs::MetadataExt;
    let place = tree();
    place.shell("mkdir t/many; for i in $(seq 400); do echo $i > t/many/$i; done");
    gives(&place, &["create", "m", "t"], 0, "", "");
    let inode = || place.path("m").metadata().unwrap().ino();
    let before = inode();
    gives(&place, &["update", "--quick", "m", "t"], 0, "", "");
    assert_eq!(inode(), before);
    assert!(!place.path("m.partial").exists() && !place.path("m.resume").exists());
    place.shell("echo more >> t/many/7; echo new > t/many/70a; rm t/many/9; mv t/many/100 t/zz");
    let (status, stdout, stderr) = run(&place, &["update", "--quick", "m", "t"]);
    let lines =
        ["changed  many/7", "moved    many/100 -> zz", "added    many/70a", "removed  many/9"];
    let found: BTreeSet<&str> = stdout.lines().collect();
    assert_eq!((status, found, &*stderr), (0, lines.into(), ""));
    gives(&place, &["create", "n", "t"], 0, "", "");
    assert_eq!(text(&place, "m"), text(&place, "n"));
    // A damaged manifest stays, and the files are not read instead.
    let damaged = text(&place, "m").replace("(many/399)", "(many/39x)");
    place.write("m", &damaged);
    let (status, stdout, stderr) = run(&place, &["update", "--quick", "m", "t"]);
    assert_eq!((status, &*stdout), (1, ""), "{stderr}");
    assert!(stderr.contains("damaged"), "{stderr}");
    assert_eq!(text(&place, "m"), damaged);
}

/// Without room for the list of changes, the manifest stays, and the next run writes the list.
#[test]
fn a_full_standard_output() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    file(&place, "t/a/x", b"xyz", 9);
    let ran = place.shell("hashmill manifest update m t >/dev/full");
    ran.gave(1, "", "hashmill: write error: No space left on device\n");
    assert_eq!(text(&place, "m"), whole);
    gives(&place, &["update", "m", "t"], 0, "changed  a/x\n", "");
    assert!(!place.path("m.partial").exists() && !place.path("m.resume").exists());
}

/// Links, modes and empty directories are recorded if asked for.
#[test]
fn links_modes_and_empty_directories() {
    let place = tree();
    symlink("a-b", place.path("t/link")).unwrap();
    fs::create_dir(place.path("t/e\nmpty")).unwrap();
    let set = |name: &str, mode| {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap()
    };
    set("t/a-b", 0o4750);
    set("t/e\nmpty", 0o711);
    gives(&place, &["create", "--record=modes,links,directories", "m", "t"], 0, "", "");
    let made = text(&place, "m");
    assert!(made.contains("\n#  link\n#  a-b\n") && made.contains("\n# directory 0711 "), "{made}");
    assert!(made.contains(" 4750 ") && made.contains("\n#  e\\nmpty\n"), "{made}");
    place
        .shell("cd t && cksum -c --quiet --strict ../m && hashmill check --quiet --strict ../m")
        .gave(0, "", "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    set("t/a-b", 0o640);
    fs::remove_file(place.path("t/link")).unwrap();
    symlink("a-c", place.path("t/link")).unwrap();
    fs::remove_dir(place.path("t/e\nmpty")).unwrap();
    let said = "mode     a-b: 4750 -> 0640\nchanged  link\nremoved  'e'$'\\n''mpty'\n";
    gives(&place, &["verify", "m", "t"], 1, said, "");
    gives(&place, &["update", "m", "t"], 0, said, "");
    gives(&place, &["verify", "m", "t"], 0, "", "");
    // With --quick, a different mode is also reported.
    set("t/a-b", 0o600);
    gives(&place, &["update", "--quick", "m", "t"], 0, "mode     a-b: 0640 -> 0600\n", "");
}

/// A full disk leaves the manifest unchanged, and the next run continues.
#[test]
fn a_full_disk() {
    let place = tree();
    for i in 0..60 {
        file(&place, &format!("t/{i}"), b"content", 9);
    }
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    file(&place, "t/a/x", b"xyz", 9);
    let mut failed = 0;
    for blocks in 0..20 {
        // Files may have at most `blocks` KiB. The system then reports EFBIG instead of the ENOSPC
        // of a full disk.
        let ran =
            place.shell(&format!("trap '' XFSZ; ulimit -f {blocks}; hashmill manifest update m t"));
        if ran.status == Some(0) {
            break;
        }
        failed += 1;
        assert!(ran.status == Some(1) && ran.stderr.starts_with("hashmill: m"), "{ran:?}");
        assert_eq!(text(&place, "m"), whole);
    }
    assert!(failed > 2);
    run(&place, &["update", "m", "t"]);
    gives(&place, &["verify", "m", "t"], 0, "", "");
    assert!(!place.path("m.partial").exists());
}

/// Without unnamed files, a killed run leaves no incomplete file with the name of a journal, and the
/// next run removes the temporary file.
#[test]
fn killed_without_unnamed_files() {
    let place = tree();
    // In this namespace there is no /proc, so that unnamed files cannot get names.
    let without = |line: &str| {
        place.shell(&format!("unshare -rm bash -c 'mount -t tmpfs none /proc && {line}'"))
    };
    if !traces(&place) || without("test ! -e /proc/self").status != Some(0) {
        println!("strace or namespaces cannot be used here: not tried");
        return;
    }
    gives(&place, &["create", "t/m", "t"], 0, "", "");
    let whole = text(&place, "t/m");
    let mut left = 0;
    for call in ["openat", "write", "rename,renameat2", "unlink", "fsync", "flock", "ftruncate"] {
        for when in 1.. {
            let _ = fs::remove_file(place.path("t/m"));
            let ran = without(&format!(
                "strace -f -o /dev/null -e inject={call}:signal=KILL:when={when} \
                 hashmill manifest create -j1 t/m t"
            ));
            if ran.status == Some(0) {
                break;
            }
            let names = || {
                let names =
                    fs::read_dir(place.path("t")).unwrap().map(|it| it.unwrap().file_name());
                names.filter(|name| name.to_str().unwrap().starts_with("m.")).collect::<Vec<_>>()
            };
            left += names().len();
            without("hashmill manifest create t/m t").gave(0, "", "");
            assert_eq!(text(&place, "t/m"), whole, "{call} {when}");
            assert!(names().is_empty(), "{call} {when}: {:?}", names());
        }
    }
    assert!(left > 5, "{left}");
    // A file of the user with such a name stays.
    place.write("t/m.new.abcDEF.tmp", "mine").shell("rm t/m");
    without("hashmill manifest create t/m t").gave(0, "", "");
    assert_eq!(text(&place, "t/m.new.abcDEF.tmp"), "mine");
}

/// An error when a directory is closed is reported, and no record is lost.
#[test]
fn a_directory_that_cannot_be_closed() {
    let place = tree();
    if !traces(&place) {
        return;
    }
    gives(&place, &["create", "m", "t"], 0, "", "");
    let before = text(&place, "m");
    for directory in ["t", "t/a"] {
        let ran = place.shell(&format!(
            "strace -f -qq -o /dev/null -P $PWD/{directory} -e inject=close:error=EIO \
             hashmill manifest update m $PWD/t"
        ));
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        assert!(
            ran.stderr.ends_with("/t: A directory in it could not be closed\n")
                && ran.stderr.lines().count() == 1,
            "{}",
            ran.stderr
        );
        for name in ["./-", "a/x", "a-b", "n\\n"] {
            let digest = before.lines().find(|it| it.contains(&format!("({name}"))).unwrap();
            assert!(text(&place, "m").contains(digest), "{directory}: {name}");
        }
    }
}

/// A manifest names its directory, relative to its own.
#[test]
fn a_manifest_knows_its_directory() {
    let place = tree();
    fs::create_dir(place.path("other")).unwrap();
    for (manifest, tree, given) in
        [("m", "t", "t"), ("other/m", "../t", "t"), ("t/a/m", "..", "t"), ("t/m", ".", "./t/")]
    {
        gives(&place, &["create", manifest, given], 0, "", "");
        assert!(text(&place, manifest).contains(&format!("\n# tree {tree}\n")), "{manifest}");
        for command in ["verify", "update"] {
            gives(&place, &[command, manifest], 0, "", "");
        }
        let (directory, name) = manifest.rsplit_once('/').unwrap_or((".", manifest));
        let ran = place.shell(&format!("cd {directory} && hashmill manifest verify {name}"));
        ran.gave(0, "", "");
        file(&place, "t/a-b", b"changed", 9);
        gives(&place, &["verify", manifest], 1, "changed  a-b\n", "");
        file(&place, "t/a-b", b"a-b", 1);
        place.shell("rm -r u; cp -a t u; rm -f u/m u/a/m");
        gives(&place, &["verify", manifest, "u"], 0, "", "");
        fs::remove_file(place.path(manifest)).unwrap();
    }
    // The directory and the manifest move together.
    gives(&place, &["create", "other/m", "t"], 0, "", "");
    place.shell("mkdir new; mv other t new");
    gives(&place, &["verify", "new/other/m"], 0, "", "");
    let said = "hashmill: new/t: a directory, but 'compare' expects manifests or lists: 'hashmill \
                manifest verify' compares a manifest with its directory\n";
    gives(&place, &["compare", "new/other/m", "new/t"], 1, "", said);
}

/// A manifest is compared with a list of any format. A list has no times, and perhaps no sizes.
/// Without the path of its directory in it, a manifest would be compared with another one.
#[test]
fn a_directory_that_cannot_be_named() {
    let place = tree();
    place.shell("mkdir gone");
    let create = "cd gone && rmdir ../gone && hashmill manifest create $OLDPWD/m ../t";
    let ran = place.shell(create);
    let said = "hashmill: ../t: its path is not known, because the working directory was deleted\n";
    ran.gave(1, "", said);
    assert!(!place.path("m").exists() && !place.path("m.partial").exists());
    // A path that is not Unicode has no place in a manifest.
    place.shell("mkdir $'d\\xff'; cp -r t $'d\\xff/t'");
    let ran = place.shell("hashmill manifest create m $'d\\xff/t'");
    let said =
        "hashmill: m: the path of the directory cannot be written in it: 'verify' will need it\n";
    ran.gave(0, "", said);
    let said = "hashmill: m: it does not name its directory: write it after the manifest\n";
    for command in ["verify", "update"] {
        place.shell(&format!("hashmill manifest {command} m")).gave(1, "", said);
        place.shell(&format!("hashmill manifest {command} m $'d\\xff/t'")).gave(0, "", "");
    }
}

#[test]
fn a_manifest_and_a_list() {
    let place = tree();
    symlink("a-b", place.path("t/link")).unwrap();
    fs::remove_file(place.path("t/n\nl")).unwrap(); // hashdeep's format has no such names
    gives(
        &place,
        &["create", "--record=links", "-a", "sha512", "-a", "sha256", "m", "t"],
        0,
        "",
        "",
    );
    let lists = "cd t; f=$(mktemp -d ../lists.XXXX); \
        hashmill sum -r . >$f/tagged; find . -type f -print0 | xargs -0 sha256sum >$f/gnu; hashmill sum --json -r . >$f/json; \
        hashmill sum -a sha512 -a md5 -r . >$f/two; sha512sum a/x a-b .hidden/empty ./- >$f/SHA512SUMS; \
        hashmill convert --to hashdeep $f/json >$f/hashdeep; mv $f/* ..";
    let ran = place.shell(&format!("set -e; {lists}"));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let all = ["tagged", "gnu", "json", "two", "SHA512SUMS", "hashdeep"];
    for list in all {
        for pair in [["m", list], [list, "m"]] {
            gives(&place, &["compare", pair[0], pair[1]], 0, "", "");
        }
    }
    place.shell("hashmill manifest compare m - <gnu").gave(0, "", "");
    file(&place, "t/a/x", b"y", 0);
    fs::rename(place.path("t/a-b"), place.path("t/z")).unwrap();
    fs::remove_file(place.path("t/-")).unwrap();
    gives(
        &place,
        &["create", "--record=links", "-a", "sha512", "-a", "sha256", "new", "t"],
        0,
        "",
        "",
    );
    for list in all {
        let said = "changed  a/x\nmoved    a-b -> z\nremoved  -\n";
        gives(&place, &["compare", list, "new"], 1, said, "");
        let said = "changed  a/x\nadded    -\nmoved    z -> a-b\n";
        gives(&place, &["compare", "new", list], 1, said, "");
    }
    for (list, message) in [
        ("x  y\n", "1: improperly formatted checksum line"),
        ("", "neither a manifest of version 2 nor a list"),
        (
            "MD5 (x) = 0cc175b9c0f1b6a831c399e269772661\n",
            "no algorithm of the manifest, SHA512, SHA256, is there for all files",
        ),
        (
            "SHA256 (x) = ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\n\
             SHA256 (x) = 3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d\n",
            "x has several digests that differ",
        ),
    ] {
        place.write("bad", list);
        gives(&place, &["compare", "m", "bad"], 1, "", &format!("hashmill: bad: {message}\n"));
    }
    let said = "hashmill: one of the two must be a manifest, not a list\n";
    gives(&place, &["compare", "gnu", "json"], 1, "", said);
}

/// Sets the time in a line of m.verified, with the right check.
fn set_time(place: &Place, name: &str, time: Timestamp) {
    let (manifest, lines) = (text(place, "m"), text(place, "m.verified"));
    let tag = format!("SHA256 ({name}) = ");
    let digest = manifest.lines().find_map(|line| line.strip_prefix(&*tag)).unwrap();
    let line = lines.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
    let time = time.to_string();
    let check = check(&[b"t\0", time.as_bytes(), name.as_bytes(), b"\0", &bytes(digest)]);
    place.write("m.verified", lines.replace(line, &format!("{time} {check} {name}")));
}

/// Returns the number of files that a run with a summary has read.
fn read(place: &Place, args: &[&str]) -> u64 {
    let ran = run(place, &[&["verify", "--summary"], args, &["m", "t"]].concat());
    let summary = ran.1.lines().last().unwrap();
    let summary: serde_json::Value = serde_json::from_str(summary).unwrap();
    summary["summary"]["read"]["files"].as_u64().unwrap()
}

#[test]
fn verified_again_after_some_time() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    assert_eq!(read(&place, &[]), 5);
    assert!(!place.path("m.verified").exists(), "only kept if it is asked for");
    assert_eq!(read(&place, &["--older-than", "30d"]), 5);
    let kept = text(&place, "m.verified");
    assert_eq!((kept.lines().count(), kept.contains("# run")), (2 + 5, false), "{kept}");
    assert!(kept.ends_with(" n\\nl\n"), "{kept}");
    assert_eq!(read(&place, &["--older-than", "30d"]), 0);
    assert_eq!(read(&place, &["--older-than", "0s"]), 5);
    set_time(&place, "a/x", Timestamp::now() + SignedDuration::from_hours(1));
    assert_eq!(read(&place, &["--older-than", "2h"]), 1, "the clock was wrong");
    assert_eq!(read(&place, &["--older-than", "2h"]), 0);
    set_time(&place, "a/x", Timestamp::now() - SignedDuration::from_hours(1));
    assert_eq!(read(&place, &["--older-than", "2h"]), 1, "the file was changed since");
    assert_eq!(read(&place, &["--older-than", "2h"]), 0);
    assert_eq!(read(&place, &["--continue"]), 5, "no run was stopped");
    // A damaged line counts as none, and so does one about another record.
    place.write("m.verified", text(&place, "m.verified").replace(" a/x", " a/y"));
    assert_eq!(read(&place, &["--older-than", "30d"]), 1);
    file(&place, "t/-", b"other", 9);
    run(&place, &["update", "m", "t"]);
    assert_eq!(read(&place, &["--older-than", "30d"]), 1);
    // What is not as recorded is read each time, and what is gone is forgotten.
    file(&place, "t/-", b"OTHER", 9);
    fs::remove_file(place.path("t/a-b")).unwrap();
    for _ in 0..2 {
        let (status, stdout, _) =
            run(&place, &["verify", "--older-than", "30d", "--summary", "m", "t"]);
        let (lines, summary) = stdout.split_at(stdout.find('{').unwrap());
        assert_eq!((status, lines), (3, "suspect  -\nremoved  a-b\n"));
        let summary: serde_json::Value = serde_json::from_str(summary).unwrap();
        let summary = &summary["summary"];
        assert_eq!(summary["differences"], serde_json::json!({"removed": 1, "suspect": 1}));
        assert_eq!(
            (summary["status"].as_str(), summary["never_verified"].as_u64()),
            (Some("alarm"), Some(0))
        );
        assert!(summary["oldest_verification"].as_str().unwrap().starts_with("20"));
    }
    assert!(!text(&place, "m.verified").contains("a-b"));
    for wrong in ["30", "d", "1.5d", "3y", ""] {
        let (status, _, stderr) = run(&place, &["verify", "--older-than", wrong, "m"]);
        assert!(status == 2 && (wrong.is_empty() || stderr.contains("30d")), "{wrong}: {stderr}");
    }
    // The files of another directory are others, and their manifest can move with it.
    place.shell("rm m.verified; mkdir u; cp -r t u/t");
    assert_eq!(read(&place, &["--older-than", "1d"]), 4);
    place.shell("cp m u/m; cp m.verified u/m.verified; cp -r t copy");
    for (place_of, count) in [(&["u/m"][..], 1), (&["m", "copy"], 4)] {
        let args = [&["verify", "--older-than", "1d", "--summary"], place_of].concat();
        let stdout = run(&place, &args).1;
        assert!(stdout.contains(&format!("\"read\":{{\"files\":{count},")), "{stdout}");
    }
    // The file is not part of the tree.
    gives(&place, &["create", "t/m", "t"], 0, "", "");
    gives(&place, &["verify", "--continue", "t/m"], 0, "", "");
    gives(&place, &["verify", "t/m"], 0, "", "");
    // A file of the user with this name stays.
    place.write("m.verified", "mine");
    assert_eq!(run(&place, &["verify", "--continue", "m", "t"]).0, 1);
    assert_eq!(text(&place, "m.verified"), "mine");
}

/// A run that is killed at any step is continued by the next one, which reads only the other files; and
/// no file counts as verified that was not.
#[test]
fn a_stopped_verification_goes_on() {
    let place = tree();
    for i in 0..3 {
        place.write(format!("t/large{i}"), vec![i; 1 << 20]);
    }
    gives(&place, &["create", "m", "t"], 0, "", "");
    gives(&place, &["verify", "--continue", "m", "t"], 0, "", "");
    let (mut stopped, mut continued) = (0, 0);
    for call in ["openat", "write", "linkat", "rename", "unlink", "fsync", "flock"] {
        for when in 1.. {
            let injection = format!("{call}:signal=KILL:when={when}");
            let Some((status, _)) = injected(&place, &[&injection], "verify --continue -j1 m t")
            else {
                return;
            };
            let done = text(&place, "m.verified");
            let done = done.split_once("# run").map_or(0, |(_, run)| run.lines().count() - 1);
            let (again, stdout, stderr) =
                run(&place, &["verify", "--continue", "--summary", "m", "t"]);
            let read: serde_json::Value = serde_json::from_str(&stdout).unwrap();
            let read = read["summary"]["read"]["files"].as_u64().unwrap();
            assert_eq!((again, read), (0, 8 - done as u64), "{call} {when}: {stderr}");
            let said =
                stderr.contains("a run stopped after") && stderr.contains("this one continues");
            assert_eq!(said, done > 0, "{call} {when}: {stderr}");
            let kept = text(&place, "m.verified");
            assert_eq!((kept.lines().count(), kept.contains("# run")), (2 + 8, false), "{kept}");
            assert!(!place.path("m.verified.new").exists());
            stopped += u64::from(status != Some(0));
            continued += u64::from(done > 0);
            if status == Some(0) {
                break;
            }
        }
    }
    assert!(stopped > 20 && continued > 2, "{stopped} {continued}");
    // A torn last line, and zeros after a crash of the system.
    let kept = text(&place, "m.verified");
    for end in (kept.len() - 40..kept.len()).step_by(7) {
        for zeros in ["", "\0\0\0\0"] {
            place.write("m.verified", [&kept[..end], zeros].concat());
            assert!(read(&place, &["--older-than", "1d"]) <= 1, "{end}");
            assert_eq!(read(&place, &["--older-than", "1d"]), 0, "{end}");
        }
    }
    // A full disk.
    let said = "hashmill: m.verified";
    let ran = place.shell("trap '' XFSZ; ulimit -f 0; hashmill manifest verify --continue m t");
    assert!(ran.status == Some(1) && ran.stderr.starts_with(said), "{ran:?}");
    assert_eq!(read(&place, &["--older-than", "1d"]), 0);
    // Two runs at once.
    let line = "for i in 1 2 3; do strace -f -o /dev/null -e inject=flock:delay_exit=300000 \
                hashmill manifest verify --continue m t 2>err$i & done; wait; cat err*";
    let errors = place.shell(line).text();
    let another = "hashmill: m: Another run is verifying it\n";
    assert!(errors.lines().all(|line| another.starts_with(line)) && !errors.is_empty(), "{errors}");
    assert_eq!(read(&place, &["--older-than", "1d"]), 0);
}

/// After a disk was pulled, m.verified may have wrong bits or end anywhere. A file whose line was hit is read
/// again, the others are not, and a file that is no longer ours is refused and stays as it is.
#[test]
fn a_damaged_record_of_verifications_verifies_nothing() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    assert_eq!(read(&place, &["--continue"]), 5);
    let kept = fs::read(place.path("m.verified")).unwrap();
    let head = kept.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    for at in (0..kept.len()).step_by(3) {
        let mut flipped = kept.clone();
        // The first makes other digits of digits. None makes a lower-case letter of a capital one, whose
        // meaning is the same.
        flipped[at] ^= [0x01, 0x10, 0x80][at / 3 % 3];
        for (damaged, most) in [(&flipped[..], 2), (&kept[..at], 5)] {
            place.write("m.verified", damaged);
            let (status, stdout, stderr) =
                run(&place, &["verify", "--older-than", "1d", "--summary", "m", "t"]);
            if status == 1 {
                assert!(at <= head, "{at}: {stderr}");
                assert_eq!(fs::read(place.path("m.verified")).unwrap(), damaged, "{at}");
                continue;
            }
            let summary: serde_json::Value = serde_json::from_str(&stdout).unwrap();
            let files = summary["summary"]["read"]["files"].as_u64().unwrap();
            // Without its last line feed, a line is whole. Before the first line, nothing is hit.
            let least = u64::from(at > head && at + 1 < kept.len());
            assert!(status == 0 && (least..=most).contains(&files), "{at}: {files}, {stderr}");
            assert_eq!(read(&place, &["--older-than", "1d"]), 0, "{at}");
        }
    }
}

/// The damaged pieces are named, and a new file is made from the good pieces of two copies.
#[test]
fn pieces() {
    let place = tree();
    let content: Vec<u8> = (0..5 * 4096 + 100u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    file(&place, "t/large", &content, 5);
    place.shell("cp -a t copy");
    gives(&place, &["create", "--pieces", "4K", "m", "t"], 0, "", "");
    // The line of a small file is as before; other programs skip the comments.
    let manifest = text(&place, "m");
    let pieces: Vec<&str> =
        manifest.lines().filter_map(|it| it.strip_prefix("# pieces ")).collect();
    let checks: String = content.chunks(4096).map(|piece| check(&[piece])).collect();
    assert_eq!(pieces, ["4096", &checks]);
    place.run("hashmill", &["check", "--quiet", "--root", "t", "m"]).gave(0, "", "");
    gives(&place, &["verify", "m"], 0, "", "");
    gives(&place, &["update", "m"], 0, "", "");
    assert_eq!(text(&place, "m"), manifest);
    // Damage here in the pieces 0, 1 and 4, there in 2 and 4.
    let damage = |name: &str, at: &[usize]| {
        let mut damaged = content.clone();
        at.iter().for_each(|&at| damaged[at] ^= 1);
        file(&place, name, &damaged, 5);
    };
    damage("t/large", &[4095, 4096, 16384]);
    damage("copy/large", &[2 * 4096, 20479]);
    let suspect = "suspect  large: bytes 0-8191, 16384-20479\n";
    gives(&place, &["verify", "m"], 3, suspect, "");
    let json = "{\"name\":\"large\",\"status\":\"suspect\",\"damaged\":[[0,8192],[16384,20480]]}\n";
    gives(&place, &["verify", "--json", "m"], 3, json, "");
    let repair = ["verify", "--repair-from", "copy", "m"];
    let neither = "hashmill: large: not repaired: bytes 16384-20479 are good in neither file\n";
    gives(&place, &repair, 3, suspect, neither);
    damage("copy/large", &[2 * 4096]);
    let repaired = "repaired large -> t/large.repaired: bytes 0-8191, 16384-20479 from the copy\n";
    gives(&place, &repair, 3, &[suspect, repaired].concat(), "");
    assert!(fs::read(place.path("t/large.repaired")).unwrap() == content);
    // Nothing is replaced.
    place.write("t/large.repaired", "mine");
    let (status, _, said) = run(&place, &repair);
    assert!(
        status == 3 && said.contains("t/large.repaired exists, and is left as it was"),
        "{said}"
    );
    assert_eq!(text(&place, "t/large.repaired"), "mine");
    // A file that is shorter, and one that cannot be read; a small one, which is one piece.
    fs::remove_file(place.path("t/large.repaired")).unwrap();
    file(&place, "t/large", &content[..3 * 4096 + 1], 5);
    fs::rename(place.path("t/large"), place.path("t/large.repaired")).unwrap();
    place.shell("mkdir t/large; rmdir t/large; mv t/large.repaired t/large");
    damage("copy/large", &[]);
    file(&place, "t/a-b", b"A-B", 1);
    let ran = run(&place, &repair);
    assert!(ran.1.contains("repaired a-b -> t/a-b.repaired: bytes 0-2 from the copy\n"), "{ran:?}");
    assert_eq!(text(&place, "t/a-b.repaired"), "a-b");
    file(&place, "copy/a-b", b"bad", 1);
    place.shell("rm t/a-b.repaired");
    let (_, _, said) = run(&place, &repair);
    assert!(said.contains("it does not have the recorded content either"), "{said}");
    assert!(!place.path("t/a-b.repaired").exists());
    // Sizes, and directories that are none.
    for wrong in ["1K", "2G", "x"] {
        assert_eq!(run(&place, &["create", "--pieces", wrong, "n", "t"]).0, 2, "{wrong}");
    }
    assert_eq!(run(&place, &["verify", "--repair-from", "none", "m"]).0, 1);
    // More checks than a line has, a multiple of that, and a damaged line.
    for (size, lines) in [(255, 1), (256, 2), (257, 2), (513, 3)] {
        place.shell("rm -r t m; mkdir t");
        file(&place, "t/x", &vec![7; size * 4096], 0);
        gives(&place, &["create", "--pieces", "4K", "m", "t"], 0, "", "");
        assert_eq!(text(&place, "m").matches("# pieces ").count(), 1 + lines, "{size}");
        gives(&place, &["verify", "m"], 0, "", "");
    }
    let (head, checks) = text(&place, "m")
        .rsplit_once("# pieces ")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let flipped = if checks.starts_with('0') { "1" } else { "0" };
    place.write("m", format!("{head}# pieces {flipped}{}", &checks[1..]));
    let (status, _, said) = run(&place, &["verify", "m"]);
    assert!(status == 1 && said.contains("does not match its check"), "{said}");
}

/// A file of which a part cannot be read is repaired.
#[test]
fn an_unreadable_piece() {
    let place = tree();
    file(&place, "t/large", &[7; 20_000], 5);
    place.shell("cp -a t copy");
    gives(&place, &["create", "--pieces", "4K", "m", "t"], 0, "", "");
    let injection = "read,pread64:error=EIO:when=1+ -P t/large";
    let Some((status, said)) = injected(&place, &[injection], "verify --repair-from copy m") else {
        return;
    };
    assert!(status == Some(1) && said.contains("large: Input/output error"), "{said}");
    assert_eq!(fs::read(place.path("t/large.repaired")).unwrap(), [7; 20_000]);
}
