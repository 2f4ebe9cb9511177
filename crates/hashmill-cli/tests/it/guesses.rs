//! First guesses: what newcomers type runs, or the message names the right command.

use crate::common::{A, Place};

/// The directory `t` with the file `x`, the list `SUMS` of `f`, and the manifest `m` of `t`.
fn place() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/x", "a").write("SUMS", format!("{A}  f\n")).write("list.txt", "no digests\n");
    place.run("hashmill", &["manifest", "create", "m", "t"]).gave(0, "", "");
    place
}

/// A command line, and its exit status, standard output, and lines of standard error without the
/// name of the program. `%` is the SHA-256 of `f`.
type Row<'a> = (&'a str, i32, &'a str, &'a [&'a str]);

#[test]
fn they_run_or_name_the_right_command() {
    let place = place();
    let rows: &[Row] = &[
        // Without a command.
        ("f", 2, "", &["f is a file, not a command: hashmill sum f"]),
        ("f g", 2, "", &["f is a file, not a command: hashmill sum f g"]),
        ("./f -a md5", 2, "", &["./f is a file, not a command: hashmill sum ./f -a md5"]),
        ("t", 2, "", &["t is a directory, not a command: hashmill sum -r t"]),
        ("m", 2, "", &["m is a manifest, not a command: hashmill manifest verify m"]),
        ("SUMS", 2, "", &["SUMS is a list, not a command: hashmill check SUMS"]),
        ("sha256 f", 2, "", &["sha256 is an algorithm, not a command: hashmill sum -a sha256 f"]),
        ("blake3 f", 2, "", &["blake3 is an algorithm, not a command: hashmill sum -a blake3 f"]),
        (
            "md5,sha3-256 f",
            2,
            "",
            &["md5,sha3-256 is an algorithm, not a command: hashmill sum -a md5,sha3-256 f"],
        ),
        // Options before the command, or without one.
        ("-a sha256 f", 2, "", &["the command comes first: hashmill sum -a sha256 f"]),
        ("-asha256 f", 2, "", &["the command comes first: hashmill sum -asha256 f"]),
        ("--json sum f", 2, "", &["the command comes first: hashmill sum --json f"]),
        ("-a sha256 sum f", 2, "", &["the command comes first: hashmill sum -a sha256 f"]),
        ("--strict check SUMS", 2, "", &["the command comes first: hashmill check --strict SUMS"]),
        ("-c SUMS", 2, "", &["the command comes first: hashmill check SUMS"]),
        (
            "--check --strict SUMS",
            2,
            "",
            &["the command comes first: hashmill check --strict SUMS"],
        ),
        ("-r t", 2, "", &["the command comes first: hashmill sum -r t"]),
        // Other names of commands.
        ("version", 0, concat!("hashmill ", env!("CARGO_PKG_VERSION"), "\n"), &[]),
        ("dupes --min-size 1 t", 0, "", &[]),
        ("fdupes f f", 0, "", &[]),
        (
            "dedupe t",
            2,
            "",
            &[
                "there is no command dedupe, because hashmill deletes no file: hashmill duplicates t",
            ],
        ),
        ("verify SUMS", 2, "", &["there is no command verify: hashmill check SUMS"]),
        ("verify m", 2, "", &["there is no command verify: hashmill manifest verify m"]),
        (
            "verify",
            2,
            "",
            &[
                "there is no command verify: hashmill check LIST, or hashmill manifest verify MANIFEST",
            ],
        ),
        ("create m t", 2, "", &["there is no command create: hashmill manifest create m t"]),
        ("hash f", 2, "", &["there is no command hash: hashmill sum f"]),
        // `sum`.
        ("sum t", 1, "", &["t: Is a directory", "-r hashes the files below it: hashmill sum -r t"]),
        (
            "sum -a md5 t g",
            1,
            "92eb5ffee6ae2fec3ad71c777531578f  g\n",
            &["t: Is a directory", "-r hashes the files below it: hashmill sum -r -a md5 t g"],
        ),
        (
            "sum sha256 f",
            1,
            "%  f\n",
            &[
                "sha256: No such file or directory",
                "-a selects the algorithm: hashmill sum -a sha256 f",
            ],
        ),
        (
            "sum https://example.org/x.iso",
            1,
            "",
            &[
                "'https://example.org/x.iso': No such file or directory",
                "URLs are not read: curl -L 'https://example.org/x.iso' | hashmill sum",
            ],
        ),
        (
            "https://example.org/x.iso",
            2,
            "",
            &["URLs are not read: curl -L 'https://example.org/x.iso' | hashmill sum"],
        ),
        // `check`.
        (
            "check list.txt",
            1,
            "",
            &[
                "list.txt: no properly formatted checksum lines found",
                "if it is no list: hashmill sum list.txt, hashmill check DIGEST list.txt",
            ],
        ),
        (
            "check SUMS list.txt",
            1,
            "f: OK\n",
            &[
                "list.txt: no properly formatted checksum lines found",
                "to check only this file of the list: hashmill check SUMS --only list.txt",
            ],
        ),
        ("check t", 1, "", &["t: read error", "-r checks the lists below it: hashmill check -r t"]),
        (
            "check https://example.org/SUMS",
            1,
            "",
            &[
                "'https://example.org/SUMS': No such file or directory",
                "URLs are not read: curl -L 'https://example.org/SUMS' | hashmill check",
            ],
        ),
        ("check f %", 2, "", &["the digest comes first: hashmill check % f"]),
        ("check --json g %", 2, "", &["the digest comes first: hashmill check --json % g"]),
        ("check f sha256:%", 2, "", &["the digest comes first: hashmill check 'sha256:%' f"]),
        // `manifest`.
        (
            "manifest create t",
            2,
            "",
            &["the manifest comes first: hashmill manifest create t.manifest t"],
        ),
        (
            "manifest create -a blake3 t/ new",
            2,
            "",
            &["the manifest comes first: hashmill manifest create -a blake3 new t/"],
        ),
        ("manifest verify t m", 2, "", &["the manifest comes first: hashmill manifest verify m t"]),
        (
            "manifest update t bin",
            2,
            "",
            &["the manifest comes first: hashmill manifest update t.manifest bin"],
        ),
        (
            "manifest verify SUMS",
            1,
            "",
            &["SUMS: not a manifest of version 2", "if it is a list: hashmill check SUMS"],
        ),
    ];
    for (line, status, stdout, said) in rows {
        let [line, stdout] = [line, stdout].map(|text| text.replace('%', A));
        let said = said.iter().map(|it| format!("hashmill: {}\n", it.replace('%', A)));
        let ran = place.run("hashmill", &line.split(' ').collect::<Vec<_>>());
        let given = (ran.status, &*ran.text(), &*ran.stderr);
        assert_eq!(given, (Some(*status), &*stdout, &*said.collect::<String>()), "hashmill {line}");
    }
}

/// The commands that the messages name do what was meant.
#[test]
fn the_named_commands_run() {
    let place = place();
    let ran = place.run("hashmill", &["t"]);
    let (_, named) = ran.stderr.trim_end().rsplit_once(": ").unwrap();
    place.shell(named).gave(0, &format!("{A}  t/x\n"), "");
    place.write("a b", "a");
    let ran = place.run("hashmill", &["-a", "sha256", "a b"]);
    let (_, named) = ran.stderr.trim_end().rsplit_once(": ").unwrap();
    place.shell(named).gave(0, &format!("{A}  a b\n"), "");
}

/// `--only` checks some files of a list, by their names in it or by their paths.
#[test]
fn some_files_of_a_list() {
    let place = place();
    place.write("SUMS", format!("{A}  ./f\n{A}  g\n{A}  nosuch\nno line of a list\n"));
    let warning = "hashmill: WARNING: 1 line is improperly formatted\n";
    let only = |args: &[&str]| place.run("hashmill", &[&["check", "--only"], args].concat());
    for file in ["f", "./f"] {
        only(&[file, "SUMS"]).gave(0, "./f: OK\n", warning);
    }
    only(&["t/x", "m"]).gave(0, "x: OK\n", "");
    only(&["x", "m"]).gave(0, "x: OK\n", "");
    only(&["f", "--only", "g", "SUMS"]).gave(
        1,
        "./f: OK\ng: FAILED\n",
        &format!("{warning}hashmill: WARNING: 1 computed checksum did NOT match\n"),
    );
    only(&["t/x", "SUMS"]).gave(
        1,
        "",
        &format!("{warning}hashmill: t/x: no list names this file\n"),
    );
    // The file of another directory with the same name is not meant.
    only(&["t/f", "SUMS"]).gave(
        1,
        "",
        &format!("{warning}hashmill: t/f: no list names this file\n"),
    );
    for args in [&["f", "--all", "SUMS"][..], &["f", "-r", "."], &["f", A, "f"]] {
        assert_eq!(only(args).status, Some(2), "{args:?}");
    }
}

/// What is no guess keeps clap's message.
#[test]
fn nothing_is_named_without_need() {
    let place = place();
    for line in ["nosuch", "--nosuch f", "-Z"] {
        let ran = place.run("hashmill", &line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.text()), (Some(2), String::new()), "{line}");
        assert!(ran.stderr.starts_with("error: "), "{line}: {}", ran.stderr);
    }
}

/// Runs a command line on a terminal, and returns its output with line feeds. The end of the input
/// is typed (control-D) until the command ends.
#[cfg(unix)]
fn on_a_terminal(place: &Place, line: &str) -> String {
    place.write("run", line);
    let typed = "(while sleep 0.2; do printf '\\004'; done)";
    let ran = place.shell(&format!("{typed} | script --quiet --command 'bash run' /dev/null"));
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "these tests need script(1)");
    ran.text().replace("\r\n", "\n")
}

/// A command that waits for the user says so; in a pipe it says nothing.
#[cfg(unix)]
#[test]
fn a_command_that_waits_says_so() {
    let place = place();
    for (line, files) in [
        (format!("hashmill check {A}"), "hashmill check DIGEST FILE"),
        ("hashmill check".to_owned(), "hashmill check LIST"),
        ("hashmill sum".to_owned(), "hashmill sum FILE"),
        ("hashmill convert --to gnu".to_owned(), "hashmill convert --to FORMAT LIST"),
    ] {
        let text = on_a_terminal(&place, &line);
        let said = format!("hashmill: reading standard input; for files: {files}\n");
        assert!(text.contains(&said), "{line}: {text:?}");
    }
    place.run_with("hashmill", &["check", A], b"a").gave(0, "-: OK\n", "");
}

/// Success says something on a terminal, and nothing elsewhere.
#[cfg(unix)]
#[test]
fn success_is_told_on_a_terminal() {
    let place = place();
    place.write("t/y", "bc");
    std::fs::remove_file(place.path("m")).unwrap();
    for (line, expected) in [
        ("hashmill manifest create m t", "hashmill: m: recorded: 2 files, 3 B, 0."),
        ("hashmill manifest verify m", "hashmill: m: all are as recorded: 2 files, 3 B, 0."),
        ("hashmill manifest verify --names m", "hashmill: m: all are there: 2 files\n"),
        ("hashmill manifest update -q m", "hashmill: m: recorded: 2 files, 3 B, 0."),
        ("hashmill duplicates t", "hashmill: no two files are equal: 2 files\n"),
    ] {
        let text = on_a_terminal(&place, line);
        assert!(text.contains(expected), "{line}: {text:?}");
    }
    for line in ["manifest verify m", "manifest update -q m", "duplicates t"] {
        place.run("hashmill", &line.split(' ').collect::<Vec<_>>()).gave(0, "", "");
    }
}
