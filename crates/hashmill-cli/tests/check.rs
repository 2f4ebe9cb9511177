//! `hashmill check`.

#![cfg(unix)]

mod common;
use common::{A, A_BLAKE2B, A_BLAKE2B_160, Place};
use hashmill::Algorithm;

const A_SHA256_BASE64: &str = "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=";

#[test]
fn what_others_write() {
    let place = Place::new();
    place.write("x (1)", "a").write("n\nl", "a");
    let sha512 = Algorithm::Sha512.hash(b"a");
    let sha512_256 = Algorithm::Sha512_256.hash(b"a");
    let sha384 = Algorithm::Sha384.hash(b"a");
    let sha3_256 = Algorithm::Sha3_256.hash(b"a");
    let shake128 = &Algorithm::Shake128.hash(b"a").to_string()[..32];
    for (line, name) in [
        // GNU, BSD reversed.
        (format!("{A}  f"), "f"),
        (format!("{A} *f"), "f"),
        (format!("{A} f"), "f"),
        (format!("{A}  x (1)"), "'x (1)'"),
        (format!("\\{A}  n\\nl"), "'n'$'\\n''l'"),
        (format!("{A_SHA256_BASE64}  f"), "f"),
        (A.to_uppercase() + "  f", "f"),
        (format!("\u{feff}{A}  f\r"), "f"),
        (format!("  {A}  f"), "f"),
        // The length does not tell SHA-512 from BLAKE2b: either is right.
        (format!("{sha512}  f"), "f"),
        (format!("{A_BLAKE2B}  f"), "f"),
        (format!("{sha384}  f"), "f"),
        // BSD tags and OpenSSL, in any spelling of the name.
        (format!("SHA256 (f) = {A}"), "f"),
        (format!("sha256 (f) = {A}"), "f"),
        (format!("SHA256 (x (1)) = {A_SHA256_BASE64}"), "'x (1)'"),
        (format!("SHA256(f)= {A}"), "f"),
        (format!("SHA2-256(f)= {A}"), "f"),
        (format!("SHA512/256 (f) = {sha512_256}"), "f"),
        (format!("SHA512t256 (f) = {sha512_256}"), "f"),
        (format!("SHA2-512/256(f)= {sha512_256}"), "f"),
        (format!("SHA512-256 (f) = {sha512_256}"), "f"),
        (format!("SHA3-256(f)= {sha3_256}"), "f"),
        (format!("BLAKE2B-512(f)= {A_BLAKE2B}"), "f"),
        (format!("BLAKE2b-160 (f) = {A_BLAKE2B_160}"), "f"),
        (format!("SHAKE-128(f)= {shake128}"), "f"),
        (format!("SHAKE128-128 (f) = {shake128}"), "f"),
        ("0cc175b9c0f1b6a831c399e269772661  f".to_owned(), "f"),
        ("MD5(f)= 0cc175b9c0f1b6a831c399e269772661".to_owned(), "f"),
        ("86f7e437faa5a7fce15d1ddcb9eaeaea377667b8  f".to_owned(), "f"),
        ("SHA1 (f) = hvfkN/qlp/zhXR3cuerq6jd2Z7g=".to_owned(), "f"),
    ] {
        place.write("list", format!("{line}\n"));
        place.run("hashmill", &["check", "--strict", "list"]).gave(0, &format!("{name}: OK\n"), "");
        place.write("list", line);
        place.run("hashmill", &["check", "--strict", "list"]).gave(0, &format!("{name}: OK\n"), "");
    }
}

#[test]
fn a_wrong_digest_fails() {
    let place = Place::new();
    let wrong = A.replace("ca97", "ca98");
    for line in [
        format!("{wrong}  f"),
        format!("SHA256 (f) = {wrong}"),
        format!("SHA3-256 (f) = {A}"),
        A_BLAKE2B.replace("333f", "333e") + "  f",
    ] {
        place.write("list", format!("{line}\n"));
        let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
        place.run("hashmill", &["check", "list"]).gave(1, "f: FAILED\n", warning);
    }
}

#[test]
fn lines_that_mean_nothing() {
    let place = Place::new();
    for line in [
        "junk",
        "abc  f",
        "0cc175b9c0f1b6a831c399e2697726  f",
        "MD4 (f) = bde52cb31de33e46245e05fbdbd6fb24",
        "BLAKE2b-160 (f) = 00",
        "SHA256 (f = 00",
        "SHA256 )f( = 00",
    ] {
        place.write("list", format!("{line}\n"));
        let stderr = "hashmill: list: 1: improperly formatted checksum line\nhashmill: list: no properly formatted checksum lines found\n";
        place.run("hashmill", &["check", "-w", "list"]).gave(1, "", stderr);
    }
}

#[test]
fn an_algorithm_for_untagged_lines() {
    let place = Place::new();
    place.write("list", format!("{}  f\n", Algorithm::Sha3_256.hash(b"a")));
    let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
    place.run("hashmill", &["check", "list"]).gave(1, "f: FAILED\n", warning);
    place.run("hashmill", &["check", "-a", "sha3-256", "list"]).gave(0, "f: OK\n", "");
    place
        .run("hashmill", &["check", "-a", "blake2s", "-a", "sha3-256", "list"])
        .gave(0, "f: OK\n", "");
    place.write("list", format!("{A_BLAKE2B_160}  f\nSHA256 (f) = {A}\n"));
    place.run("hashmill", &["check", "-a", "blake2b-160", "list"]).gave(0, "f: OK\nf: OK\n", "");
}

#[test]
fn flags() {
    let place = Place::new();
    place
        .write("list", format!("{A}  f\n{A}  g\n{A}  nosuch\njunk\n"))
        .write("good", format!("{A}  f\n"));
    let missing = "hashmill: nosuch: No such file or directory\n";
    let warnings = "hashmill: WARNING: 1 line is improperly formatted\nhashmill: WARNING: 1 listed file could not be read\n\
                    hashmill: WARNING: 1 computed checksum did NOT match\n";
    let failed = "g: FAILED\nnosuch: FAILED open or read\n";
    place.run("hashmill", &["check", "list"]).gave(
        1,
        &format!("f: OK\n{failed}"),
        &format!("{missing}{warnings}"),
    );
    place.run("hashmill", &["check", "--quiet", "list"]).gave(
        1,
        failed,
        &format!("{missing}{warnings}"),
    );
    place.run("hashmill", &["check", "--status", "list"]).gave(1, "", missing);
    let guessed = "hashmill: good: lines without an algorithm's name were taken for SHA256\n";
    place.run("hashmill", &["check", "-w", "good"]).gave(0, "f: OK\n", guessed);
    place.run("hashmill", &["check", "--quiet", "good"]).gave(0, "", "");
    place.write("list", format!("{A}  f\n{A}  nosuch\njunk\n"));
    let warning = "hashmill: WARNING: 1 line is improperly formatted\n";
    place.run("hashmill", &["check", "--ignore-missing", "list"]).gave(0, "f: OK\n", warning);
    place
        .run("hashmill", &["check", "--ignore-missing", "--strict", "list"])
        .gave(1, "f: OK\n", warning);
    place.write("list", format!("{A}  nosuch\n"));
    place.run("hashmill", &["check", "--ignore-missing", "list"]).gave(
        1,
        "",
        "hashmill: list: no file was verified\n",
    );
}

#[test]
fn several_lists_and_standard_input() {
    let place = Place::new();
    place.write("one", format!("{A}  f\n")).write("two", format!("SHA256 (f) = {A}\n"));
    let ran = place.run_with(
        "hashmill",
        &["check", "one", "nosuch", "-", "two"],
        format!("{A}  f\n").as_bytes(),
    );
    ran.gave(1, "f: OK\nf: OK\nf: OK\n", "hashmill: nosuch: No such file or directory\n");
    place.run_with("hashmill", &["check"], format!("{A}  f\n").as_bytes()).gave(0, "f: OK\n", "");
}
