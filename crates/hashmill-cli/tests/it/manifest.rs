//! `hashmill manifest`.

use crate::common::Place;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Writes a file as if it had been changed `seconds` and 5 nanoseconds after 2026-01-01.
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
    let lines = |name: &str, content: &str, mark: &str| {
        let mut blake = vec!["sum", "-a", "blake2b-64"];
        place.write("content", content);
        blake.push("content");
        let blake = place.run("hashmill", &blake).text()[..16].to_owned();
        let sha = hashmill::sha256(content.as_bytes());
        format!("{mark}SHA256 ({name}) = {sha}\n{mark}BLAKE2b-64 ({name}) = {blake}\n")
    };
    let expected = [
        "# hashmill manifest 1\n# algorithm SHA256\n# algorithm BLAKE2b-64\n# exclude no\\\\thing\n",
        "# 4 2026-01-01T00:00:04.000000005Z\n", &lines("./-", "dash", ""),
        "# 0 2026-01-01T00:00:02.000000005Z\n", &lines(".hidden/empty", "", ""),
        "# 1 2026-01-01T00:00:00.000000005Z\n", &lines("a/x", "x", ""),
        "# 3 2026-01-01T00:00:01.000000005Z\n", &lines("a-b", "a-b", ""),
        "# 7 2026-01-01T00:00:03.000000005Z\n", &lines("n\\nl", "newline", "\\"),
        "# end of 5 files\n",
    ]
    .concat();
    assert_eq!(text(&place, "m"), expected);
    // Nothing is left beside it, and whatever the number of threads it is the same.
    let names: BTreeSet<_> =
        fs::read_dir(place.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_str().unwrap().starts_with("m.")), "{names:?}");
    let all = ["-j5", "-a", "sha256", "-a", "blake2b-64", "--exclude", "no\\thing", "m5", "t"];
    gives(&place, &[&["create"], &all[..]].concat(), 0, "", "");
    assert_eq!(text(&place, "m5"), expected);
    // Other programs read it.
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
    file(&place, "t/a/x", b"y", 0); // the same size and time
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
    // Size and time do not tell what happened to a/x.
    let quick = said.strip_prefix("changed  a/x\n").unwrap();
    gives(&place, &["update", "--quick", "quick", "t"], 0, quick, "");
    gives(&place, &["verify", "quick", "t"], 1, "changed  a/x\n", "");

    let json = "{\"name\":\"a/x\",\"status\":\"changed\"}\n{\"name\":\".hidden/more\",\"status\":\"added\"}\n\
                {\"name\":\"new name\",\"status\":\"moved\",\"from\":\"a-b\"}\n{\"name\":\"-\",\"status\":\"removed\"}\n";
    gives(&place, &["compare", "--json", "old", "m"], 1, json, "");
    // A time alone is no difference.
    file(&place, "t/a/x", b"y", 9);
    gives(&place, &["verify", "m", "t"], 0, "", "");
}

#[test]
fn rules_and_algorithms_are_kept() {
    let place = tree();
    std::os::unix::fs::symlink("a-b", place.path("t/link")).unwrap();
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
    // A manifest in its own tree does not count, in whatever way it is named.
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
        "hashmill: m: there is one; 'hashmill manifest update' renews it\n",
    );
    gives(&place, &["create", "n", "f"], 1, "", "hashmill: f: Not a directory\n");
    gives(&place, &["update", "n", "t"], 1, "", "hashmill: n: No such file or directory\n");
    gives(&place, &["verify", "f", "t"], 1, "", "hashmill: f: not a manifest of version 1\n");
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
    assert_eq!((status, &*said), (1, "hashmill: bad: 9: improper line of a manifest\n"));
    assert_eq!(run(&place, &["create", "-a", "crc", "n", "t"]).0, 2);
    // What cannot be read does not stop the rest.
    std::os::unix::fs::symlink("nowhere", place.path("t/broken")).unwrap();
    let said = "hashmill: t/broken: No such file or directory\n";
    gives(&place, &["create", "--symlinks=always", "n", "t"], 1, "", said);
    assert!(text(&place, "n").ends_with("# end of 5 files\n"));
    // Two runs at once would write into each other's journal.
    fs::remove_file(place.path("m")).unwrap();
    let journal = File::create(place.path("m.partial")).unwrap();
    journal.lock().unwrap();
    gives(&place, &["create", "m", "t"], 1, "", "hashmill: m: Another run makes this manifest\n");
}

/// Wherever a journal ends.
#[test]
fn torn_journals() {
    let place = tree();
    gives(&place, &["create", "m", "t"], 0, "", "");
    let whole = text(&place, "m");
    let records = &whole[..whole.find("# end").unwrap()];
    for end in (0..=records.len()).step_by(7).chain([records.len() - 1, records.len()]) {
        fs::remove_file(place.path("m")).unwrap();
        place.write("m.partial", &records[..end]).write("m.new", "left over");
        gives(&place, &["create", "m", "t"], 0, "", "");
        assert_eq!(text(&place, "m"), whole, "cut at {end}");
    }
    // One that was begun with other options does not count.
    fs::remove_file(place.path("m")).unwrap();
    place.write("m.partial", records);
    gives(&place, &["create", "-a", "sha512", "m", "t"], 0, "", "");
    assert!(text(&place, "m").contains("SHA512 (a/x)"));
}

/// Runs that are killed again and again. The content of what has been recorded is changed behind the
/// program's back, size and time remaining: were such a file read again, the manifest would tell.
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
            // Up to 66 ms, and longer from time to time: each run must record something.
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
            for name in recorded(&place).difference(&spoiled.clone()) {
                let path = place.path("t").join(name);
                let metadata = fs::metadata(&path).unwrap();
                fs::write(&path, vec![0xff; metadata.len() as usize]).unwrap();
                let file = File::options().write(true).open(&path).unwrap();
                file.set_modified(metadata.modified().unwrap()).unwrap();
                spoiled.insert(name.clone());
            }
        }
        assert!(
            text(&place, "m") == text(&place, "undisturbed"),
            "{jobs}: {} recorded",
            spoiled.len()
        );
        assert!(!place.path("m.partial").exists() && !place.path("m.resume").exists());
        println!("{jobs}: {} of 250 files were recorded by runs that were killed", spoiled.len());
    }
    println!("{killed} runs were killed");
    assert!(killed >= 3);
}

/// The files of which the journals have whole records.
fn recorded(place: &Place) -> BTreeSet<String> {
    let journal = |name: &str| fs::read_to_string(place.path(name)).unwrap_or_default();
    let lines = ["m.partial", "m.resume"].map(journal).concat();
    lines
        .split_inclusive('\n')
        .filter_map(|line| {
            let (name, digest) = line.strip_prefix("SHA3-512 (")?.split_once(") = ")?;
            (digest.len() == 129 && Path::new(name).is_relative()).then(|| name.to_owned())
        })
        .collect()
}

/// Found by fuzzing: the blank was lost, and `update` took in what `create` had left out.
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
