//! `hashmill sum` and `hashmill list`.

use crate::common::{A, A_BLAKE2B, A_BLAKE2B_160, B, Place};
use hashmill::Algorithm;
use std::path::Path;

#[test]
fn one_algorithm_is_untagged_and_several_are_tagged() {
    let place = Place::new();
    place.run("hashmill", &["sum", "f", "g"]).gave(0, &format!("{A}  f\n{B}  g\n"), "");
    place.run("hashmill", &["sum", "--tag", "f"]).gave(0, &format!("SHA256 (f) = {A}\n"), "");
    let both = ["sum", "-a", "sha256", "-a", "blake2b"];
    let tagged = format!("SHA256 (f) = {A}\nBLAKE2b (f) = {A_BLAKE2B}\n");
    place.run("hashmill", &[&both[..], &["f"]].concat()).gave(0, &tagged, "");
    place.run_with("hashmill", &both, b"a").gave(0, &tagged.replace("(f)", "(-)"), "");
    place.run("hashmill", &[&both[..], &["--untagged", "f"]].concat()).gave(
        0,
        &format!("{A}  f\n{A_BLAKE2B}  f\n"),
        "",
    );
    let zero = place.run("hashmill", &[&both[..], &["-z", "f"]].concat());
    zero.gave(0, &tagged.replace('\n', "\0"), "");
}

#[test]
fn every_algorithm_in_one_reading() {
    let place = Place::new();
    let content: Vec<u8> = (0..300_000u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
    let mut args = vec!["sum", "-"];
    let mut lines = String::new();
    for algorithm in Algorithm::ALL {
        args.extend(["-a", algorithm.name()]);
        lines.push_str(&format!("{} (-) = {}\n", algorithm.tag(), algorithm.hash(&content)));
    }
    place.run_with("hashmill", &args, &content).gave(0, &lines, "");

    // `check` accepts the list that `sum` has written.
    let list = place.write("content", &content).run_with("hashmill", &args, &content).stdout;
    place.write("list", String::from_utf8(list).unwrap().replace("(-)", "(content)"));
    let ok = "content: OK\n".repeat(Algorithm::ALL.len());
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, &ok, "");
}

#[test]
fn names_and_lengths() {
    let place = Place::new();
    for args in [
        &["-a", "blake2b", "-l", "160"][..],
        &["-a", "BLAKE2b-160"],
        &["--algorithm=blake2b", "--length=160"],
    ] {
        place.run("hashmill", &[&["sum", "--tag", "f"], args].concat()).gave(
            0,
            &format!("BLAKE2b-160 (f) = {A_BLAKE2B_160}\n"),
            "",
        );
    }
    for name in ["sha256", "SHA256", "SHA-256", "SHA2-256", "sha_256"] {
        place.run("hashmill", &["sum", "-a", name, "f"]).gave(0, &format!("{A}  f\n"), "");
    }
    let mut long = [0; 64];
    hashmill::Shake128::new().update(b"a").squeeze().fill(&mut long);
    let hex: String = long.iter().map(|byte| format!("{byte:02x}")).collect();
    place.run("hashmill", &["sum", "--tag", "-a", "shake128-512", "f"]).gave(
        0,
        &format!("SHAKE128-512 (f) = {hex}\n"),
        "",
    );
    place.run("hashmill", &["sum", "-a", "shake128", "-l", "64", "f"]).gave(
        0,
        &format!("{}  f\n", &hex[..16]),
        "",
    );
}

#[test]
fn of_options_that_exclude_each_other_the_last_counts() {
    let place = Place::new();
    let run = |args: &[&str]| place.run("hashmill", &[&["sum", "f"], args].concat()).text();
    assert_eq!(run(&["--tag", "--untagged"]), format!("{A}  f\n"));
    assert_eq!(run(&["--untagged", "--tag"]), format!("SHA256 (f) = {A}\n"));
    assert_eq!(run(&["-z", "-z", "-l", "8", "-l", "256"]), format!("{A}  f\0"));
    assert_eq!(run(&["-a", "sha256", "-a", "sha256"]), format!("SHA256 (f) = {A}\n").repeat(2));
}

#[test]
fn misuse() {
    let place = Place::new();
    for (args, words) in [
        (&["sum", "-a", "nope", "f"][..], "there is no algorithm 'nope'"),
        (&["sum", "-a", "blake2b-9", "f"], "there is no algorithm 'blake2b-9'"),
        (
            &["sum", "-a", "sha256", "-l", "128", "f"],
            "SHA-256 cannot make a digest of 128 bits, only of 256",
        ),
        (&["sum", "-a", "blake2b", "-l", "20"], "of any multiple of 8 from 8 to 512"),
        (&["sum", "-l", "x"], "invalid value 'x'"),
        (&["sum", "--nope"], "--help"),
        (&["nope"], "--help"),
        (&[], "Usage: hashmill"),
    ] {
        let ran = place.run("hashmill", args);
        assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""), "{args:?}");
        assert!(
            ran.stderr.contains(words) && ran.stderr.contains("help"),
            "{args:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn errors_name_the_file_and_the_rest_is_done() {
    let place = Place::new();
    let ran = place.run("hashmill", &["sum", "f", "nosuch", ".", "g"]);
    ran.gave(
        1,
        &format!("{A}  f\n{B}  g\n"),
        "hashmill: nosuch: No such file or directory\nhashmill: .: Is a directory\n\
         hashmill: -r hashes the files below it: hashmill sum -r f nosuch . g\n",
    );
}

#[test]
fn help_shows_examples() {
    let place = Place::new();
    for args in [&["--help"][..], &["sum", "--help"], &["check", "--help"], &["list", "--help"]] {
        let ran = place.run("hashmill", args);
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
        assert!(
            ran.text().contains("Usage: hashmill") && ran.text().contains("Examples:"),
            "{args:?}"
        );
    }
    place.run("hashmill", &["--version"]).gave(
        0,
        &format!("hashmill {}\n", env!("CARGO_PKG_VERSION")),
        "",
    );
}

#[test]
fn list_has_a_row_for_every_algorithm() {
    let place = Place::new();
    let text = place.run("hashmill", &["list"]).text();
    for other in [
        "BLAKE2Xb",
        "BLAKE2Xs",
        "KT128",
        "KT256",
        "ParallelHash128",
        "ParallelHash256",
        "cSHAKE128",
        "cSHAKE256",
        "KMAC128",
        "KMAC256",
        "TupleHash128",
        "TupleHash256",
        "Ascon-CXOF128",
        "MD5",
        "SHA-1",
        "CRC ",
        "CRC32B",
        "BSD",
        "SYSV",
        "fs-verity ",
        "fs-verity-SHA512",
        "BitTorrent-v2",
        "Glacier",
        "Dropbox",
    ] {
        assert!(text.lines().any(|line| line.starts_with(other)), "{other}");
    }
    assert_eq!(text.lines().count(), 1 + Algorithm::ALL.len() + 24);
    for (algorithm, line) in Algorithm::ALL.iter().zip(text.lines().skip(1)) {
        for word in [algorithm.name(), algorithm.tag(), algorithm.standard()] {
            assert!(line.contains(word), "{line}");
        }
    }
}

/// The tree hashes of systems: the library's tests have more answers of the systems' own tools.
#[test]
fn tree_hashes_of_systems() {
    let place = Place::new();
    let salt = "block-size=1024,salt=salt";
    for (len, algorithm, params, digest) in [
        (
            32_769,
            "fs-verity",
            Some(salt),
            "f63e4f5150774be7bea17c73b3b1a98c03bcf7d621a6a6eee55a81912096e798",
        ),
        (
            262_145,
            "fs-verity-sha512",
            None,
            "db774f463acc1e672e4da91d045eb146f2647efec545951fb7005067ff9899da3ae94dc206531b40985587ce4e5eb173a235d51b488074067d9e34131814b9de",
        ),
        (
            81_927,
            "bittorrent-v2",
            None,
            "65c3a38f13c55f1154f5076210dfe75479eb8177ad65635b80b7974f1b7d9809",
        ),
        (
            1_048_577,
            "glacier",
            None,
            "a9c574ce937d2371daf87cdd0e75396b096d7f74a66c764e4c656bd12b2e7bf9",
        ),
        (1, "dropbox", None, "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a"),
    ] {
        place.write("file", (0..len).map(|i: u32| (i % 251) as u8).collect::<Vec<_>>());
        let params = params.map_or(vec![], |params| vec!["--params", params]);
        let sum = [&["sum", "-a", algorithm, "file"], &*params].concat();
        let line = place.run("hashmill", &sum).text();
        assert!(line.contains(digest), "{line}");
        place.write("list", &line);
        let check = [&["check", "-a", algorithm, "list"], &*params].concat();
        assert_eq!(place.run("hashmill", &check).status, Some(0), "{line}");
    }
    let odd = ["sum", "-a", "fs-verity", "--params", "block-size=1000", "file"];
    assert!(place.run("hashmill", &odd).stderr.contains("a power of two"));
}

#[test]
fn backends_are_listed_and_chosen() {
    let place = Place::new();
    let rows = |backend: Option<&str>| -> Vec<String> {
        let mut command = place.command("hashmill");
        command.args(["list", "--backends"]).envs(backend.map(|name| ("HASHMILL_BACKEND", name)));
        String::from_utf8(command.output().unwrap().stdout)
            .unwrap()
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect()
    };
    let count: usize = Algorithm::ALL.iter().map(|algorithm| algorithm.backends().count()).sum();
    assert_eq!(rows(None).len(), count);
    for row in rows(Some("portable")) {
        assert_eq!(row.contains(" portable "), row.contains("used"), "{row}");
    }
    for backend in hashmill::backend::names() {
        let ran =
            place.command("sha512sum").env("HASHMILL_BACKEND", backend).arg("f").output().unwrap();
        let can = Algorithm::ALL
            .iter()
            .flat_map(|algorithm| algorithm.backends())
            .any(|it| it.name == backend && it.available);
        let digest = format!("{}  f\n", hashmill::sha512(b"a"));
        assert_eq!(
            (ran.status.success(), ran.stdout == digest.as_bytes()),
            (can, can),
            "{backend}"
        );
    }
    let ran = place.command("sha256sum").env("HASHMILL_BACKEND", "nope").arg("f").output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout), (Some(1), vec![]));
    assert!(
        String::from_utf8_lossy(&ran.stderr).starts_with("sha256sum: HASHMILL_BACKEND is 'nope': ")
    );
}

/// The first command of the README prints what the README says.
#[test]
fn the_readme_shows_what_the_first_command_prints() {
    let file = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let place = Place::new();
    place.write("LICENSE-MIT", std::fs::read(file("LICENSE-MIT")).unwrap());
    let arguments = ["sum", "-a", "sha256", "-a", "blake2b", "LICENSE-MIT"];
    let readme = std::fs::read_to_string(file("README.md")).unwrap();
    assert!(readme.contains(&format!("-- {}\n", arguments.join(" "))));
    let printed = place.run("hashmill", &arguments).text();
    assert!(readme.contains(&format!("```text\n{printed}```\n")), "{printed}");
}
