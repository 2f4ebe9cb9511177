//! `hashmill check`.

use crate::common::{A, A_BLAKE2B, A_BLAKE2B_160, B, Place};
use hashmill::Algorithm;

const A_SHA256_BASE64: &str = "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=";

#[cfg(unix)] // its files have names that Windows forbids
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
        // GNU's format, and BSD's reversed format.
        (format!("{A}  f"), "f"),
        (format!("{A} *f"), "f"),
        (format!("{A} f"), "f"),
        (format!("{A}  x (1)"), "'x (1)'"),
        (format!("\\{A}  n\\nl"), "'n'$'\\n''l'"),
        (format!("{A_SHA256_BASE64}  f"), "f"),
        (A.to_uppercase() + "  f", "f"),
        (format!("\u{feff}{A}  f\r"), "f"),
        (format!("  {A}  f"), "f"),
        // SHA-512 and BLAKE2b have the same length: either is accepted.
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
        let stderr = "hashmill: list: 1: improperly formatted checksum line\nhashmill: list: no properly formatted checksum lines found\n\
                      hashmill: if it is no list: hashmill sum list, hashmill check DIGEST list\n";
        place.run("hashmill", &["check", "-w", "list"]).gave(1, "", stderr);
    }
}

#[test]
fn an_algorithm_for_untagged_lines() {
    let place = Place::new();
    place.write("list", format!("{}  f\n", Algorithm::Sha3_256.hash(b"a")));
    let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
    place.run("hashmill", &["check", "list"]).gave(0, "f: OK (SHA3-256)\n", "");
    place.run("hashmill", &["check", "-a", "sha256", "list"]).gave(1, "f: FAILED\n", warning);
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

/// Checks a list that `hashmill check` should accept completely, and compares the output.
#[track_caller]
fn accepts(list: impl AsRef<[u8]>, stdout: &str) {
    let place = Place::new();
    place.write("list", list);
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, stdout, "");
}

#[test]
fn digests_with_the_name_of_their_algorithm() {
    let sha384 = "sha384-VKWbnyKwuAiA2EJ+VIt8I6vYc0huHwNdzpzWl+hRdQM8qojm1XvDXvrgta/TFF8x";
    accepts(
        format!("sha256:{A}  f\n{sha384}  f\nSHA-256:{A_SHA256_BASE64} *f\n"),
        &"f: OK\n".repeat(3),
    );
    let sha3_256 = Algorithm::Sha3_256.hash(b"a");
    accepts(format!("sha3-256:{sha3_256}  f\n"), "f: OK\n");
}

#[test]
fn a_digest_alone_is_of_the_file_that_the_list_is_named_after() {
    let place = Place::new();
    std::fs::create_dir(place.path("d.sha512")).unwrap();
    place
        .write("d.sha512/f", "a")
        .write("f.sha256", A)
        .write("f.SHA3-256", Algorithm::Sha3_256.hash(b"a").to_string());
    place.write("d.sha512/f.blake2b-160", A_BLAKE2B_160.to_uppercase() + "\r\n");
    place.run("hashmill", &["check", "f.sha256", "f.SHA3-256", "d.sha512/f.blake2b-160"]).gave(
        0,
        "f: OK\nf: OK\nd.sha512/f: OK\n",
        "",
    );
    place.write("f.sha256sum", A).write("f.sha256.txt", format!("{A}\n"));
    place.run("hashmill", &["check", "f.sha256sum", "f.sha256.txt"]).gave(0, "f: OK\nf: OK\n", "");
    // The extension also determines the algorithm of other lines.
    place.write("l.sha3-256", format!("{}  f\n", Algorithm::Sha3_256.hash(b"a")));
    place.run("hashmill", &["check", "l.sha3-256"]).gave(0, "f: OK\n", "");
    place
        .write("list", A)
        .write("l.txt", A)
        .write("d.sha512/l", Algorithm::Sha512.hash(b"a").to_string());
    for list in ["list", "l.txt", "d.sha512/l"] {
        let none = format!(
            "hashmill: {list}: no properly formatted checksum lines found\n\
             hashmill: if it is no list: hashmill sum {list}, hashmill check DIGEST {list}\n"
        );
        place.run("hashmill", &["check", list]).gave(1, "", &none);
    }
}

#[test]
fn utf16_lists() {
    let text = format!("\u{feff}{A}  f\r\n{A} *ਗ਼ Ċ\u{0a0a}\u{100}\n{A}  f");
    let place = Place::new();
    place.write("ਗ਼ Ċ\u{0a0a}\u{100}", "a");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for list in [&little, &big] {
        place.write("list", list);
        let ran = place.run("hashmill", &["check", "--strict", "list"]);
        assert_eq!(
            (ran.status, &*ran.stderr, ran.text().matches(": OK\n").count()),
            (Some(0), "", 3)
        );
        // GNU's programs do not read UTF-16.
        let ran = place.run("sha256sum", &["-c", "list"]);
        ran.gave(1, "", "sha256sum: list: no properly formatted checksum lines found\n");
    }
}

#[cfg(unix)] // its files have names that Windows forbids
#[test]
fn what_windows_programs_print() {
    let upper = A.to_uppercase();
    let sha1 = "86F7E437FAA5A7FCE15D1DDCB9EAEAEA377667B8";
    accepts(
        format!(
            "\r\n\r\nAlgorithm : SHA256\r\nHash      : {upper}\r\nPath      : f\r\n\r\nAlgorithm : SHA1\r\nHash      : {sha1}\r\nPath      : f\r\n\r\n"
        ),
        "f: OK\nf: OK\n",
    );
    let place = Place::new();
    place.write("a b", "a").write("a\"b", "a");
    let csv = format!(
        "\u{feff}#TYPE Microsoft.Powershell.Utility.FileHash\n\"Algorithm\",\"Hash\",\"Path\"\n\"SHA256\",\"{upper}\",\"a b\"\n\"SHA1\",\"{sha1}\",\"a\"\"b\"\n"
    );
    let table = format!(
        "\nAlgorithm       Hash                 Path\n---------       ----                 ----\nSHA256          {upper}       a b   \nSHA1            {sha1}       a\"b\n\n"
    );
    for list in [
        csv.replace("\u{feff}#TYPE Microsoft.Powershell.Utility.FileHash\n", "\u{feff}"),
        csv.replace('\u{feff}', ""),
        table,
    ] {
        place.write("list", list);
        place.run("hashmill", &["check", "--strict", "list"]).gave(
            0,
            "'a b': OK\n'a\"b': OK\n",
            "",
        );
    }
    let apart: Vec<&str> = (0..32).map(|i| &A[2 * i..2 * i + 2]).collect();
    accepts(
        format!(
            "SHA256 hash of file f:\r\n{}\r\nCertUtil: -hashfile command completed successfully.\r\nSHA1 hash of f:\r\n{sha1}\r\n",
            apart.join(" ")
        ),
        "f: OK\nf: OK\n",
    );
    // An announced line that does not follow is an error.
    for list in [
        "Path : f",
        "Hash : 00",
        "Algorithm : SHA256\nPath : f",
        "\"SHA256\",\"00\",\"f\"",
        "SHA256 hash of f:\nzz",
    ] {
        place.write("list", list);
        let none = "hashmill: list: no properly formatted checksum lines found\n\
                    hashmill: if it is no list: hashmill sum list, hashmill check DIGEST list\n";
        place.run("hashmill", &["check", "list"]).gave(1, "", none);
    }
}

#[test]
fn signed_lists() {
    let place = Place::new();
    place.write("-f", "a");
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{A}  f\n- -----\n# comment\n{A}  -f\n-----BEGIN PGP SIGNATURE-----\n\niQ{A}\n{A}  nosuch\n=AAAA\n-----END PGP SIGNATURE-----\n{A}  f\n"
    );
    place.write("list", signed.replace("- -----\n", ""));
    let note = "hashmill: list: the PGP signature of this list was not checked\n";
    let ok = "f: OK\n-f: OK\n";
    let outside = "hashmill: list: 1 line outside of the signed text was ignored\n";
    let note = &format!("{note}{outside}");
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, ok, note);
    place.run("hashmill", &["check", "--status", "list"]).gave(0, "", "");
    // A line that begins with a dash is escaped.
    place.write("list", signed.replace("- -----", &format!("- {A}  f")));
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, &format!("f: OK\n{ok}"), note);
    place.write("list", signed);
    let ran = place.run("hashmill", &["check", "-w", "list"]);
    assert!(
        ran.stderr.starts_with("hashmill: list: 5: improperly formatted checksum line\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_digest_on_the_command_line() {
    let place = Place::new();
    let upper = format!("SHA-256:{}", A.to_uppercase());
    let base64 = format!("sha256-{A_SHA256_BASE64}");
    for digest in [A, &format!("sha256:{A}"), &upper, &base64, A_SHA256_BASE64] {
        place.run("hashmill", &["check", digest, "f"]).gave(0, "f: OK\n", "");
        place.run_with("hashmill", &["check", digest], b"a").gave(0, "-: OK\n", "");
        let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
        let ran = place.run("hashmill", &["check", digest, "f", "g"]);
        ran.gave(1, "f: OK\ng: FAILED\n", warning);
    }
    // A digest that was pasted from a program that writes it in groups.
    let upper = A.to_uppercase();
    let groups = |len: usize, between: &str| {
        let chars: Vec<char> = upper.chars().collect();
        let groups: Vec<String> = chars.chunks(len).map(|it| it.iter().collect()).collect();
        groups.join(between)
    };
    for digest in [groups(2, " "), groups(2, ":"), groups(4, " "), groups(8, " "), groups(32, "\n")]
    {
        place.run("hashmill", &["check", &digest, "f"]).gave(0, "f: OK\n", "");
        let ran = place.run("hashmill", &["check", &digest, "g"]);
        assert_eq!((ran.status, &*ran.text()), (Some(1), "g: FAILED\n"), "{digest}");
    }
    let blake2b = format!("blake2b:{A_BLAKE2B}");
    place.run("hashmill", &["check", &blake2b, "f"]).gave(0, "f: OK\n", "");
    place.run("hashmill", &["check", "-a", "blake2b", A_BLAKE2B, "f"]).gave(0, "f: OK\n", "");
    place
        .run("hashmill", &["check", &format!("blake2b-160:{A_BLAKE2B_160}"), "f"])
        .gave(0, "f: OK\n", "");
    // SHA-512 and BLAKE2b have the same length.
    let ran = place.run("hashmill", &["check", A_BLAKE2B, "f"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""));
    assert!(
        ran.stderr.contains("SHA512 or BLAKE2b: select one with -a, or as sha512:DIGEST"),
        "{}",
        ran.stderr
    );
    let missing = "hashmill: nosuch: No such file or directory\n";
    place.run("hashmill", &["check", A, "nosuch"]).gave(
        1,
        "nosuch: FAILED open or read\n",
        &format!("{missing}hashmill: WARNING: 1 listed file could not be read\n"),
    );
    place.run("hashmill", &["check", "--ignore-missing", A, "nosuch"]).gave(
        1,
        "",
        "hashmill: no file was verified\n",
    );
    place.run("hashmill", &["check", "--quiet", A, "f"]).gave(0, "", "");
    place.run("hashmill", &["check", "--status", A, "g"]).gave(1, "", "");
}

#[test]
fn a_digest_of_another_length_than_the_algorithm_has() {
    let place = Place::new();
    let ran = place.run("hashmill", &["check", "-a", "sha512", A, "f"]);
    let said = "256 bits (64 hexadecimal digits), but one of SHA512 has 512 bits (128 hexadecimal";
    assert!(ran.status == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
#[cfg(unix)] // a file has a name that Windows forbids
fn files_that_no_list_names() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("t/d")).unwrap();
    place.write("t/x", "a").write("t/d/y", "b").write("t/d/new\n", "c");
    place.write("t/SUMS", format!("{A}  ./x\n{B}  d/../d//y\n")).write("t/SUMS.asc", "signature");
    let ok = "./x: OK\nd/../d//y: OK\n";
    let check = ["check", "--root", "t", "t/SUMS"];
    place.run("hashmill", &check).gave(0, ok, "");
    let unlisted = format!("{ok}'d/new'$'\\n': NOT LISTED\n");
    let warning = "hashmill: WARNING: 1 file is not listed\n";
    let all = [&check[..], &["--all"]].concat();
    place.run("hashmill", &all).gave(1, &unlisted, warning);
    place.shell("cd t && hashmill check --all SUMS").gave(1, &unlisted, warning);
    place.write("other", format!("{B}  {}\n", place.path("t/d/y").display()));
    let json = place.run("hashmill", &[&all[..], &["--json", "--quiet"]].concat());
    assert_eq!(json.text(), "{\"name\":\"d/new\\n\",\"status\":\"unlisted\"}\n");
    place.run("hashmill", &[&all[..], &["--status"]].concat()).gave(1, "", "");
    // Every list of the run counts, and so do names that are absolute.
    place.write("all", format!("{A}  x\n\\{}  d/new\\n\n", Algorithm::Sha256.hash(b"c")));
    let ran = place.run("hashmill", &["check", "--all", "--root", "t", "t/SUMS", "all", "other"]);
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{}", ran.text());
    // With -r, the lists below the directory count.
    let ran = place.run("hashmill", &["check", "-r", "--all", "t"]);
    assert_eq!((ran.status, ran.text().matches("NOT LISTED").count()), (Some(1), 1), "{ran:?}");
    std::fs::remove_file(place.path("t/d/new\n")).unwrap();
    assert_eq!(place.run("hashmill", &["check", "-r", "--all", "t"]).status, Some(0));
    assert_eq!(place.run("hashmill", &["check", "--all", A, "f"]).status, Some(2));
}

#[test]
#[cfg(unix)] // a file has a name that Windows forbids
fn names_from_a_file() {
    let place = Place::new();
    place.write("new\nline", "a").write("names", "f\0new\nline\0g");
    let sums = format!("{A}  f\n\\{A}  new\\nline\n{B}  g\n");
    place.run("hashmill", &["sum", "--files0-from", "names"]).gave(0, &sums, "");
    place.run_with("hashmill", &["sum", "--files0-from=-"], b"f\0").gave(
        0,
        &format!("{A}  f\n"),
        "",
    );
    place.write("none", "");
    place.run("hashmill", &["sum", "--files0-from", "none"]).gave(0, "", "");
    let empty = "hashmill: names: name 2 is empty\n";
    place.write("names", "f\0\0g\0");
    place.run("hashmill", &["sum", "--files0-from", "names"]).gave(1, "", empty);
    assert_eq!(place.run("hashmill", &["sum", "--files0-from", "names", "f"]).status, Some(2));
    let dash = place.run_with("hashmill", &["sum", "--files0-from", "-"], b"-\0");
    assert!(dash.status == Some(1) && dash.stderr.contains("cannot contain -"), "{dash:?}");
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/x", "a").write("names", "t\0");
    let ran = place.run("hashmill", &["sum", "-r", "--files0-from", "names"]);
    ran.gave(0, &format!("{A}  t/x\n"), "");
    place.write("SUMS", format!("{A}  f\n")).write("names", "SUMS\0");
    place.run("hashmill", &["check", "--files0-from", "names"]).gave(0, "f: OK\n", "");
}
