//! Files that are hashed in lanes and in parallel: the results are those of hashing them one after
//! the other, and the memory is bounded.

use crate::common::{A, B, Place};
use hashmill::Algorithm;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Creates files of many lengths and returns their names, mixed with missing files, directories,
/// standard input and devices.
fn mixture(place: &Place) -> Vec<String> {
    let mut names = Vec::new();
    for i in 0..300usize {
        let name = format!("file {i}");
        let len = match i % 50 {
            7 => 3 << 20,  // hashed while it is read
            13 => 700_000, // not batched
            27 => 0,
            _ => i * 331 % 65_537,
        };
        place.write(&name, vec![i as u8; len]);
        names.push(name);
        match i % 60 {
            11 => names.push(format!("missing {i}")),
            31 => names.push(".".into()),
            41 => names.push("-".into()),
            51 => names.push("/dev/null".into()),
            _ => {}
        }
    }
    names
}

#[test]
fn the_same_whatever_the_number_of_threads() {
    let place = Place::new();
    let names = mixture(&place);
    fs::write(place.path("names"), names.join("\0")).unwrap();
    let sum = |jobs: &str| {
        let mut ran = place.shell(&format!(
            "mapfile -d '' -t names <names; \
             hashmill sum {jobs} -a sha256 -a blake2b-160 \"${{names[@]}}\" <f"
        ));
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        // The line that names -r repeats the arguments.
        let lines = ran.stderr.split_inclusive('\n');
        ran.stderr = lines.filter(|line| !line.contains(": hashmill sum -r ")).collect();
        ran
    };
    let first = sum("-j1");
    for name in names.iter().filter(|name| name.starts_with("file")) {
        let digest = Algorithm::Sha256.hash(fs::read(place.path(name)).unwrap());
        assert!(first.text().contains(&format!("SHA256 ({name}) = {digest}\n")), "{name}");
    }
    assert!(first.text().contains(&format!("SHA256 (-) = {A}\n")));
    for jobs in ["-j2", "-j3", "-j8", ""] {
        assert!(sum(jobs) == first, "{jobs}");
    }
}

/// Large files are hashed side by side, each thread its share, with the results of hashing each of
/// them alone.
#[test]
fn large_files_side_by_side() {
    let place = Place::new();
    fs::create_dir(place.path("d")).unwrap();
    let mut names = Vec::new();
    for i in 0..40usize {
        // Files that end together and at different times, small ones, and one that is hashed alone.
        let len = match i {
            3 | 17 => 1000,
            9 => 9 << 20,
            _ => (512 << 10) + i % 7 * 131_072 + i % 3,
        };
        let name = format!("d/{i}");
        place.write(&name, vec![i as u8; len]);
        names.push(name);
    }
    names.insert(20, "d/missing".into());
    for algorithm in [Algorithm::Sha256, Algorithm::Sha512, Algorithm::Sha3_256] {
        let tag = algorithm.to_string();
        let lines = names.iter().filter(|name| !name.ends_with("missing")).map(|name| {
            let digest = algorithm.hash(fs::read(place.path(name)).unwrap());
            format!("{digest}  {name}\n")
        });
        let expected: String = lines.collect();
        for jobs in ["-j1", "-j2", "-j5"] {
            let args =
                [&["sum", jobs, "-a", &tag], &*names.iter().map(|it| &**it).collect::<Vec<_>>()];
            let said = "hashmill: d/missing: No such file or directory\n";
            place.run("hashmill", &args.concat()).gave(1, &expected, said);
        }
    }
}

/// Pipes are read in the order of their names, in which one writer fills them.
#[test]
fn pipes_are_read_one_after_the_other() {
    let place = Place::new();
    for i in 0..20 {
        place.write(format!("large {i}"), vec![0; 1 << 20]);
    }
    let ran = place.shell(
        "mkfifo one two; (echo 1 >one; echo 2 >two) & hashmill sum -j4 large* one large* two f; wait",
    );
    let large = Algorithm::Sha256.hash(vec![0; 1 << 20]);
    let lines: String = ran
        .text()
        .lines()
        .filter(|line| !line.starts_with(&large.to_string()))
        .map(|line| format!("{line}\n"))
        .collect();
    let digest = |text: &str| Algorithm::Sha256.hash(text.as_bytes());
    assert_eq!(lines, format!("{}  one\n{}  two\n{A}  f\n", digest("1\n"), digest("2\n")));
}

#[test]
fn lists_are_checked_in_their_order() {
    let place = Place::new();
    let mut names = mixture(&place);
    names.retain(|name| name != "-");
    let mut list = String::new();
    for (i, name) in names.iter().enumerate() {
        let content = fs::read(place.path(name)).unwrap_or_default();
        let wrong = if i % 20 == 3 { "a change" } else { "" };
        let digest = Algorithm::Sha3_256.hash([&content, wrong.as_bytes()].concat());
        list.push_str(&format!("SHA3-256 ({name}) = {digest}\n"));
        if i % 30 == 0 {
            list.push_str("junk\n");
        }
    }
    place.write("list", list);
    let first = place.run("hashmill", &["check", "-w", "-j1", "list"]);
    assert_eq!(first.status, Some(1));
    assert_eq!(first.text().lines().count(), names.len());
    for jobs in ["-j2", "-j3", "-j8"] {
        assert!(place.run("hashmill", &["check", "-w", jobs, "list"]) == first, "{jobs}");
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let place = Place::new();
    for program in [&["hashmill", "check"][..], &["sha256sum", "-c"]] {
        let mut child = place
            .command(program[0])
            .args(&program[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut list = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..30 {
            list.write_all(format!("{A}  f\n{B}  g\n").as_bytes()).unwrap();
            assert_eq!(answers.next().unwrap().unwrap(), "f: OK");
            assert_eq!(answers.next().unwrap().unwrap(), "g: OK");
        }
        drop(list);
        assert!(child.wait().unwrap().success());
    }
}

/// Compares the peak of the resident memory after 20,000 files and after 200,000.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_list() {
    let place = Place::new();
    let mut child = place
        .command("hashmill")
        .args(["check", "-j2", "-a", "sha256"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut list = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        let lines = format!("{A}  f\n{B}  g\n").repeat(1000);
        for _ in 0..100 {
            list.write_all(lines.as_bytes()).unwrap();
        }
        list
    });
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut peak_after = |count: usize| -> usize {
        assert!(answers.by_ref().take(count).all(|line| line.unwrap().ends_with(": OK")));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    };
    let (early, late) = (peak_after(20_000), peak_after(180_000));
    println!("{early} KiB after 20,000 files, {late} KiB after 200,000");
    assert!(late < early + 2048 && late < 32 << 10, "{early} KiB, {late} KiB");
    drop(feeder.join().unwrap());
    assert!(child.wait().unwrap().success());
}

/// If the address space is limited, no threads are started. The limit is less than the file, and than the
/// 64 MiB that glibc reserves for the memory of a thread; the code of an unoptimised program fits.
#[test]
fn limited_address_space() {
    let place = Place::new();
    place.write("large", vec![0; 30 << 20]);
    let digest = Algorithm::Sha256.hash(vec![0; 30 << 20]);
    let ran = place.shell("ulimit -v 24000; sha256sum large f large $(yes g | head -100)");
    let expected =
        format!("{digest}  large\n{A}  f\n{digest}  large\n{}", format!("{B}  g\n").repeat(100));
    ran.gave(0, &expected, "");
}
