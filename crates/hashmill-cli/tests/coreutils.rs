//! The behaviour of GNU coreutils 9.11, expressed as rules, for every combination of options: how
//! it checks lists, and the forms in which `cksum` prints digests.

#![cfg(unix)]

mod common;
use common::{A, B, Place};
use data_encoding::BASE64;
use hashmill::{Algorithm, blake2b};
use std::fmt::Write;
use std::fs;

/// A line of a list, named by its result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Ok,
    Bad,
    Missing,
    Directory,
    /// Not a digest and a name.
    Junk,
    /// Skipped without a message.
    Comment,
}

use Line::{Bad, Comment, Directory, Junk, Missing};

impl Line {
    fn text(self) -> String {
        match self {
            Line::Ok => format!("{A}  f"),
            Bad => format!("{A}  g"),
            Missing => format!("{A}  nosuch"),
            Directory => format!("{A}  d"),
            Junk => "-----BEGIN PGP SIGNED MESSAGE-----".into(),
            Comment => "# a comment".into(),
        }
    }
}

const LISTS: &[&[Line]] = &[
    &[],
    &[Comment],
    &[Junk],
    &[Line::Ok],
    &[Bad],
    &[Missing],
    &[Directory],
    &[Line::Ok, Bad],
    &[Line::Ok, Missing],
    &[Junk, Line::Ok],
    &[Junk, Junk, Comment, Line::Ok, Junk, Junk, Junk],
    &[Missing, Missing, Junk],
    &[Comment, Bad, Bad, Missing, Directory, Junk, Line::Ok, Line::Ok],
];

const OPTIONS: [&str; 5] = ["--quiet", "--status", "--warn", "--strict", "--ignore-missing"];

/// Returns the expected status, output and messages of `sha256sum -c list` with these options.
fn expected(list: &[Line], options: &[&str]) -> (i32, String, String) {
    // The last of these three options is effective.
    let last = options.iter().rev().find(|it| matches!(**it, "--quiet" | "--status" | "--warn"));
    let (quiet, status, warn) =
        (last == Some(&"--quiet"), last == Some(&"--status"), last == Some(&"--warn"));
    let strict = options.contains(&"--strict");
    let ignore_missing = options.contains(&"--ignore-missing");
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let count = |line| list.iter().filter(|it| **it == line).count();
    for (number, line) in (1..).zip(list) {
        match line {
            Line::Ok if !quiet && !status => stdout += "f: OK\n",
            Bad if !status => stdout += "g: FAILED\n",
            Missing if ignore_missing => {}
            Missing | Directory => {
                let (name, error) = match line {
                    Missing => ("nosuch", "No such file or directory"),
                    _ => ("d", "Is a directory"),
                };
                writeln!(stderr, "sha256sum: {name}: {error}").unwrap();
                if !status {
                    writeln!(stdout, "{name}: FAILED open or read").unwrap();
                }
            }
            Junk if warn => writeln!(
                stderr,
                "sha256sum: list: {number}: improperly formatted SHA256 checksum line"
            )
            .unwrap(),
            _ => {}
        }
    }
    let (junk, bad) = (count(Junk), count(Bad));
    if list.len() == junk + count(Comment) {
        stderr += "sha256sum: list: no properly formatted checksum lines found\n";
        return (1, stdout, stderr);
    }
    let unread = count(Directory) + if ignore_missing { 0 } else { count(Missing) };
    if !status {
        for (count, one, more) in [
            (junk, "line is", "lines are"),
            (unread, "listed file", "listed files"),
            (bad, "computed checksum", "computed checksums"),
        ] {
            let rest = match one {
                "line is" => "improperly formatted",
                "listed file" => "could not be read",
                _ => "did NOT match",
            };
            if count > 0 {
                let what = if count == 1 { one } else { more };
                writeln!(stderr, "sha256sum: WARNING: {count} {what} {rest}").unwrap();
            }
        }
        if ignore_missing && count(Line::Ok) == 0 {
            stderr += "sha256sum: list: no file was verified\n";
        }
    }
    let good = count(Line::Ok) > 0 && bad == 0 && unread == 0 && !(strict && junk > 0);
    (i32::from(!good), stdout, stderr)
}

#[test]
fn every_pair_of_options_on_every_kind_of_list() {
    let place = Place::new();
    fs::create_dir(place.path("d")).unwrap();
    let mut sets: Vec<Vec<&str>> = vec![vec![]];
    for first in OPTIONS {
        sets.push(vec![first]);
        sets.extend(OPTIONS.map(|second| vec![first, second]));
    }
    for &list in LISTS {
        let text: String = list.iter().map(|line| line.text() + "\n").collect();
        place.write("list", text);
        for options in &sets {
            let args = [&["-c", "list"], &options[..]].concat();
            let (status, stdout, stderr) = expected(list, options);
            place.run("sha256sum", &args).gave(status, &stdout, &stderr);
        }
    }
}

#[test]
fn an_exact_algorithm_reads_only_its_lines() {
    let place = Place::new();
    let sha512 = hashmill::sha512(b"b");
    let base64 = BASE64.encode(hashmill::sha256(b"a").as_ref());
    place
        .write("tags", format!("SHA256 (f) = {A}\nSHA512 (g) = {sha512}\n"))
        .write("base64", format!("{base64}  f\n"))
        .write("base64-tag", format!("SHA256 (f) = {base64}\n"))
        .write("openssl", format!("SHA2-256(f)= {A}\n"))
        .write("wrong", format!("SHA512 (f) = {A}\n"))
        .write("plain", format!("{A}  f\n"));
    let none = |list: &str| format!("cksum: {list}: no properly formatted checksum lines found\n");
    let one = "cksum: WARNING: 1 line is improperly formatted\n";
    for (algorithm, list, status, stdout, stderr) in [
        ("", "tags", 0, "f: OK\ng: OK\n", String::new()),
        ("sha256", "tags", 0, "f: OK\n", one.into()),
        // The first tag determines the function of the family, as in GNU's cksum.
        ("sha2", "tags", 0, "f: OK\n", one.into()),
        ("", "base64", 1, "", none("base64")),
        ("sha256", "base64", 0, "f: OK\n", String::new()),
        ("", "base64-tag", 0, "f: OK\n", String::new()),
        ("sha2", "base64-tag", 0, "f: OK\n", String::new()),
        ("", "openssl", 0, "f: OK\n", String::new()),
        ("sha2", "openssl", 0, "f: OK\n", String::new()),
        ("", "wrong", 1, "", none("wrong")),
        ("sha256", "wrong", 1, "", none("wrong")),
        ("", "plain", 1, "", none("plain")),
        ("sha2", "plain", 0, "f: OK\n", String::new()),
    ] {
        let mut args = vec!["-c", list];
        if !algorithm.is_empty() {
            args.extend(["-a", algorithm]);
        }
        place.run("cksum", &args).gave(status, stdout, &stderr);
    }
}

/// Returns `cksum`'s names of algorithms, the lengths to pass with `-l`, the tags, and the digests
/// of "a".
fn digests() -> Vec<(&'static str, Option<&'static str>, &'static str, Vec<u8>)> {
    let of = |name: &str| name.parse::<Algorithm>().unwrap().hash(b"a").as_ref().to_vec();
    let mut short = blake2b::Params::new().output_len(20).build().unwrap();
    vec![
        ("sha224", None, "SHA224", of("SHA-224")),
        ("sha256", None, "SHA256", of("SHA-256")),
        ("sha256", Some("0"), "SHA256", of("SHA-256")),
        ("sha384", None, "SHA384", of("SHA-384")),
        ("sha512", None, "SHA512", of("SHA-512")),
        ("blake2b", None, "BLAKE2b", of("BLAKE2b")),
        ("sha2", Some("224"), "SHA224", of("SHA-224")),
        ("sha2", Some("512"), "SHA512", of("SHA-512")),
        ("sha3", Some("224"), "SHA3-224", of("SHA3-224")),
        ("sha3", Some("256"), "SHA3-256", of("SHA3-256")),
        ("sha3", Some("384"), "SHA3-384", of("SHA3-384")),
        ("sha3", Some("512"), "SHA3-512", of("SHA3-512")),
        ("blake2b", Some("160"), "BLAKE2b-160", short.update(b"a").finalize().as_ref().to_vec()),
    ]
}

#[test]
fn every_form_of_every_digest() {
    let place = Place::new();
    for (algorithm, length, tag, digest) in digests() {
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let base64 = BASE64.encode(&digest);
        let run = |options: &[&str]| {
            let mut args = vec!["-a", algorithm];
            args.extend(length.iter().flat_map(|length| ["-l", length]));
            args.extend(options);
            args.push("f");
            place.run("cksum", &args)
        };
        for (options, line) in [
            (&[][..], format!("{tag} (f) = {hex}\n")),
            (&["--tag"], format!("{tag} (f) = {hex}\n")),
            (&["-b"], format!("{tag} (f) = {hex}\n")),
            (&["--untagged", "--tag"], format!("{tag} (f) = {hex}\n")),
            (&["--untagged"], format!("{hex}  f\n")),
            (&["--tag", "--untagged"], format!("{hex}  f\n")),
            (&["--untagged", "--text"], format!("{hex}  f\n")),
            (&["--untagged", "-b"], format!("{hex} *f\n")),
            (&["--base64"], format!("{tag} (f) = {base64}\n")),
            (&["--base64", "--untagged"], format!("{base64}  f\n")),
            (&["-z"], format!("{tag} (f) = {hex}\0")),
            (&["-z", "--untagged"], format!("{hex}  f\0")),
        ] {
            run(options).gave(0, &line, "");
        }
        let raw = run(&["--raw"]);
        assert_eq!((raw.status, raw.stdout, &*raw.stderr), (Some(0), digest, ""));
    }
}

#[test]
fn algorithms_and_lengths_that_are_refused() {
    let place = Place::new();
    let named = "--length is only supported with --algorithm blake2b, sha2, or sha3";
    let family = |name: &str, length: &str| {
        format!(
            "invalid length: '{length}'\ncksum: digest length for '{name}' must be 224, 256, 384, or 512"
        )
    };
    let without = |name: &str| {
        format!("--algorithm={name} requires specifying --length 224, 256, 384, or 512")
    };
    let forms: [&[&str]; 6] =
        [&[], &["--untagged"], &["--base64"], &["--raw"], &["-z"], &["--untagged", "--tag"]];
    for (args, message) in [
        (&["-a", "sha2"][..], without("sha2")),
        (&["-a", "sha3"], without("sha3")),
        (&["-a", "sha2", "-l", "160"], family("SHA2", "160")),
        (&["-a", "sha3", "-l", "128"], family("SHA3", "128")),
        (&["-a", "sha3", "-l", "0"], family("SHA3", "0")),
        (&["-a", "sha256", "-l", "256"], named.into()),
        (
            &["-a", "blake2b", "-l", "12"],
            "invalid length: '12'\ncksum: length is not a multiple of 8".into(),
        ),
    ] {
        for form in forms {
            let args = [args, form, &["f"]].concat();
            place.run("cksum", &args).gave(1, "", &format!("cksum: {message}\n"));
        }
    }
    // Names of algorithms cannot be abbreviated, unlike those of options.
    for name in ["SHA256", "sha25", "blake2", "shake128"] {
        for form in forms {
            let ran = place.run("cksum", &[&["-a", name], form, &["f"]].concat());
            assert_eq!((ran.status, &*ran.stdout), (Some(1), &b""[..]));
            let message = format!("cksum: invalid argument '{name}' for '--algorithm'\n");
            assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
            for known in ["bsd", "crc32b", "md5", "sha1", "sha2", "sha3", "blake2b", "sm3"] {
                assert!(ran.stderr.contains(&format!("  - '{known}'\n")), "{known}");
            }
        }
    }
    let hint = "Try 'cksum --help' for more information.\n";
    for (args, message) in [
        (&["--base64", "--raw"][..], "--base64 and --raw are mutually exclusive"),
        (&["--text"], "--text mode is only supported with --untagged"),
    ] {
        let args = [&["-a", "sha256"], args, &["f"]].concat();
        place.run("cksum", &args).gave(1, "", &format!("cksum: {message}\n{hint}"));
    }
}

#[test]
fn lengths_of_b2sum() {
    let place = Place::new();
    for (length, message) in [
        ("7", "invalid length: '7'\nb2sum: length is not a multiple of 8"),
        ("520", "invalid length: '520'\nb2sum: maximum digest length for 'BLAKE2b' is 512 bits"),
        ("x", "invalid length: 'x'"),
    ] {
        place.run("b2sum", &["-l", length, "f"]).gave(1, "", &format!("b2sum: {message}\n"));
    }
    for (length, bytes) in [("8", 1), ("128", 16), ("0400", 50), ("512", 64), ("0", 64)] {
        let digest =
            blake2b::Params::new().output_len(bytes).build().unwrap().update(b"a").finalize();
        place.run("b2sum", &["-l", length, "f"]).gave(0, &format!("{digest}  f\n"), "");
        // The last length is effective.
        place.run("b2sum", &["-l", "24", "-l", length, "f"]).gave(0, &format!("{digest}  f\n"), "");
    }
}

#[test]
fn marks_and_ends_of_lines() {
    let place = Place::new();
    place.write("n\nl", "b");
    for (options, lines) in [
        (&[][..], format!("{A}  f\n\\{B}  n\\nl\n")),
        (&["-t"], format!("{A}  f\n\\{B}  n\\nl\n")),
        (&["-b"], format!("{A} *f\n\\{B} *n\\nl\n")),
        (&["-bt"], format!("{A}  f\n\\{B}  n\\nl\n")),
        (&["-tb"], format!("{A} *f\n\\{B} *n\\nl\n")),
        (&["--tag"], format!("SHA256 (f) = {A}\n\\SHA256 (n\\nl) = {B}\n")),
        (&["--tag", "-b"], format!("SHA256 (f) = {A}\n\\SHA256 (n\\nl) = {B}\n")),
        (&["-z"], format!("{A}  f\0{B}  n\nl\0")),
        (&["--tag", "-z"], format!("SHA256 (f) = {A}\0SHA256 (n\nl) = {B}\0")),
    ] {
        let args = [options, &["f", "n\nl"]].concat();
        place.run("sha256sum", &args).gave(0, &lines, "");
        if !options.contains(&"-z") {
            place.write("list", lines);
            let checked = "f: OK\n'n'$'\\n''l': OK\n";
            place.run("sha256sum", &["--strict", "-c", "list"]).gave(0, checked, "");
        }
    }
}
