//! The stand-ins for GNU coreutils 9.11: names and options that the recorded cases (`recorded.rs`)
//! do not contain.

use crate::common::{A, A_BLAKE2B, A_BLAKE2B_160, B, Place, STAND_INS};

#[test]
fn every_name_has_its_algorithm() {
    let place = Place::new();
    for (name, algorithm) in [
        ("sha224sum", "SHA-224"),
        ("sha256sum", "SHA-256"),
        ("sha384sum", "SHA-384"),
        ("sha512sum", "SHA-512"),
        ("sha3sum", "SHA3-224"),
        ("shake128sum", "SHAKE128"),
        ("shake256sum", "SHAKE256"),
        ("b2sum", "BLAKE2b"),
    ] {
        let algorithm: hashmill::Algorithm = algorithm.parse().unwrap();
        let line = format!("{}  f\n", algorithm.hash(b"a"));
        place.run(name, &["f"]).gave(0, &line, "");
        place.run("hashmill", &[name, "f"]).gave(0, &line, "");
        place.run(name, &["--tag", "f"]).gave(
            0,
            &format!("{} (f) = {}\n", algorithm.tag(), algorithm.hash(b"a")),
            "",
        );
    }
}

#[test]
fn streams_and_several_files() {
    let place = Place::new();
    place.run_with("sha256sum", &[] as &[&str], b"a").gave(0, &format!("{A}  -\n"), "");
    place.run_with("sha256sum", &["f", "-", "g"], b"b").gave(
        0,
        &format!("{A}  f\n{B}  -\n{B}  g\n"),
        "",
    );
    // The input is longer than any buffer, and not a whole number of buffers.
    let long = vec![7; 1_000_003];
    let line = format!("{}  -\n", hashmill::sha256(&long));
    place.run_with("sha256sum", &["-"], &long).gave(0, &line, "");
}

#[cfg(unix)] // names and errors that Windows does not have
#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    let place = Place::new();
    std::fs::create_dir(place.path("d")).unwrap();
    let ran = place.run("sha256sum", &["f", "nosuch", "d", "f/x", "", "g"]);
    let stderr = "sha256sum: nosuch: No such file or directory\nsha256sum: d: Is a directory\n\
                  sha256sum: f/x: Not a directory\nsha256sum: '': No such file or directory\n";
    ran.gave(1, &format!("{A}  f\n{B}  g\n"), stderr);
}

#[cfg(unix)]
#[test]
fn names_are_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    for (name, line, quoted) in [
        (&b"n\nl"[..], "\\", "'n'$'\\n''l'"),
        (b"b\\s", "\\", "'b\\s'"),
        (b"c\rr", "\\", "'c'$'\\r''r'"),
        (b"i\xff", "", "'i'$'\\377'"),
        (b"s p", "", "'s p'"),
        (b"q'q", "", "\"q'q\""),
        (b"q'$", "", "'q'\\''$'"),
        (b"a:b", "", "'a:b'"),
        (b"plain", "", "plain"),
    ] {
        let os_name = OsStr::from_bytes(name);
        let message = format!("sha256sum: {quoted}: No such file or directory\n");
        place.run("sha256sum", &[os_name]).gave(1, "", &message);

        place.write(os_name, "a");
        let listed = place.run("sha256sum", &[os_name]).stdout;
        assert!(listed.starts_with(format!("{line}{A}  ").as_bytes()), "{os_name:?}");
        assert_eq!(listed.iter().filter(|&&byte| byte == b'\n').count(), 1);
        place.write("list", &listed);
        place.run("sha256sum", &["-c", "list"]).gave(0, &format!("{quoted}: OK\n"), "");

        let zero = place.run("sha256sum", &[OsStr::new("-z"), os_name]).stdout;
        assert_eq!(zero, [A.as_bytes(), b"  ", name, b"\0"].concat());
    }
}

#[cfg(unix)] // names and errors that Windows does not have
#[test]
fn messages_follow_the_locale() {
    let place = Place::new();
    let run = |locale: &str| {
        let output = place
            .command("b2sum")
            .env("LC_ALL", locale)
            .args(["-l", "é\n", "é\n"])
            .output()
            .unwrap();
        let name = place.command("b2sum").env("LC_ALL", locale).arg("é\n").output().unwrap();
        String::from_utf8(output.stderr).unwrap() + &String::from_utf8(name.stderr).unwrap()
    };
    assert_eq!(
        run("C"),
        "b2sum: invalid length: '\\303\\251\\n'\nb2sum: ''$'\\303\\251\\n': No such file or directory\n"
    );
    assert_eq!(
        run("C.UTF-8"),
        "b2sum: invalid length: ‘é\\n’\nb2sum: 'é'$'\\n': No such file or directory\n"
    );
}

#[test]
fn options_as_getopt_long_reads_them() {
    let place = Place::new();
    place.write("l", format!("{A}  f\n")).write("-dash", "a");
    let long = format!("{A}  f\n");
    // Options may come anywhere, be joined and be abbreviated. After --, there are no options.
    for args in [&["f", "-t"][..], &["-tt", "f"], &["--te", "f"], &["--", "f"], &["-t", "--", "f"]]
    {
        place.run("sha256sum", args).gave(0, &long, "");
    }
    place.run("sha256sum", &["--", "-dash"]).gave(0, &format!("{A}  -dash\n"), "");
    place.run("b2sum", &["-l160", "f"]).gave(0, &format!("{A_BLAKE2B_160}  f\n"), "");
    place.run("b2sum", &["f", "--len", "160"]).gave(0, &format!("{A_BLAKE2B_160}  f\n"), "");
    place.run("b2sum", &["--length=8", "-l", " +160", "f"]).gave(
        0,
        &format!("{A_BLAKE2B_160}  f\n"),
        "",
    );

    let hint = "Try 'sha256sum --help' for more information.\n";
    for (args, message) in [
        (&["--nope=1"][..], "unrecognized option '--nope=1'"),
        (&["f", "-wQ"], "invalid option -- 'Q'"),
        (&["--st"], "option '--st' is ambiguous; possibilities: '--status' '--strict'"),
        (&["--t=1"], "option '--t=1' is ambiguous; possibilities: '--tag' '--text'"),
        (&["--che=1"], "option '--check' doesn't allow an argument"),
    ] {
        place.run("sha256sum", args).gave(1, "", &format!("sha256sum: {message}\n{hint}"));
    }
    let hint = "Try 'b2sum --help' for more information.\n";
    place.run("b2sum", &["-l"]).gave(
        1,
        "",
        &format!("b2sum: option requires an argument -- 'l'\n{hint}"),
    );
    place.run("b2sum", &["--length"]).gave(
        1,
        "",
        &format!("b2sum: option '--length' requires an argument\n{hint}"),
    );
    place.run("hashmill", &["b2sum", "-x"]).gave(
        1,
        "",
        "hashmill b2sum: invalid option -- 'x'\nTry 'hashmill b2sum --help' for more information.\n",
    );

    let ran =
        place.command("sha256sum").env("POSIXLY_CORRECT", "1").args(["f", "-t"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "sha256sum: -t: No such file or directory\n");
    assert_eq!(ran.stdout, long.as_bytes());
}

#[test]
fn options_that_contradict() {
    let place = Place::new();
    let only =
        |name: &str| format!("the --{name} option is meaningful only when verifying checksums");
    for (program, args, message, hint) in [
        (
            "sha256sum",
            &["--tag", "-t", "f"][..],
            "--tag does not support --text mode".to_owned(),
            true,
        ),
        (
            "sha256sum",
            &["--tag", "-c", "f"],
            "the --tag option is meaningless when verifying checksums".to_owned(),
            true,
        ),
        (
            "cksum",
            &["--tag", "-c", "f"],
            "the --tag option is meaningless when verifying checksums".to_owned(),
            true,
        ),
        (
            "sha256sum",
            &["-zc", "f"],
            "the --zero option is not supported when verifying checksums".to_owned(),
            true,
        ),
        ("sha256sum", &["--strict", "f"], only("strict"), true),
        ("sha256sum", &["--status", "f"], only("status"), true),
        ("sha256sum", &["--status", "--quiet", "f"], only("quiet"), true),
        ("sha256sum", &["--ignore-missing", "f"], only("ignore-missing"), true),
        (
            "cksum",
            &["-a", "crc", "-c", "f"],
            "--check is not supported with --algorithm={bsd,sysv,crc,crc32b}".to_owned(),
            false,
        ),
        (
            "cksum",
            &["-a", "sha256", "--raw", "f", "g"],
            "the --raw option is not supported with multiple files".to_owned(),
            false,
        ),
        (
            "cksum",
            &["-a", "sha2", "f"],
            "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512".to_owned(),
            false,
        ),
    ] {
        let hint = if hint {
            format!("Try '{program} --help' for more information.\n")
        } else {
            String::new()
        };
        place.run(program, args).gave(1, "", &format!("{program}: {message}\n{hint}"));
    }
    // A wrong length is an error even if it would not be used.
    let stderr = "cksum: invalid length: '99999999999999999999'\ncksum: digest length for 'SHA3' must be 224, 256, 384, or 512\n";
    place
        .run("cksum", &["-a", "sha3", "-l", "99999999999999999999", "-c", "f"])
        .gave(1, "", stderr);
    let stderr =
        "b2sum: invalid length: '513'\nb2sum: maximum digest length for 'BLAKE2b' is 512 bits\n";
    place.run("b2sum", &["-l", "513", "f"]).gave(1, "", stderr);
}

#[test]
fn check_counts_and_reports() {
    let place = Place::new();
    place.write("list", format!("{A}  f\n{A}  g\n{A}  nosuch\n{A}  nosuch2\njunk\n"));
    let warnings = "sha256sum: WARNING: 1 line is improperly formatted\n\
                    sha256sum: WARNING: 2 listed files could not be read\n\
                    sha256sum: WARNING: 1 computed checksum did NOT match\n";
    let missing = "sha256sum: nosuch: No such file or directory\nsha256sum: nosuch2: No such file or directory\n";
    let failed = "g: FAILED\nnosuch: FAILED open or read\nnosuch2: FAILED open or read\n";
    let all = format!("f: OK\n{failed}");
    place.run("sha256sum", &["-c", "list"]).gave(1, &all, &format!("{missing}{warnings}"));
    place.run("sha256sum", &["-c", "--quiet", "list"]).gave(
        1,
        failed,
        &format!("{missing}{warnings}"),
    );
    place.run("sha256sum", &["-c", "--quiet", "--status", "list"]).gave(1, "", missing);
    let numbered = format!(
        "{missing}sha256sum: list: 5: improperly formatted SHA256 checksum line\n{warnings}"
    );
    place.run("sha256sum", &["-c", "--status", "-w", "list"]).gave(1, &all, &numbered);
    let warnings = "sha256sum: WARNING: 1 line is improperly formatted\nsha256sum: WARNING: 1 computed checksum did NOT match\n";
    place.run("sha256sum", &["-c", "--ignore-missing", "list"]).gave(
        1,
        "f: OK\ng: FAILED\n",
        warnings,
    );

    place.write("list", format!("{A}  f\njunk\n"));
    let warning = "sha256sum: WARNING: 1 line is improperly formatted\n";
    place.run("sha256sum", &["-c", "list"]).gave(0, "f: OK\n", warning);
    place.run("sha256sum", &["-c", "--strict", "list"]).gave(1, "f: OK\n", warning);
    place.run_with("sha256sum", &["-c"], format!("{A}  f\n").as_bytes()).gave(0, "f: OK\n", "");
    let none = "sha256sum: 'standard input': no properly formatted checksum lines found\n";
    place.run_with("sha256sum", &["-c"], format!("{A}  -\n").as_bytes()).gave(1, "", none);
}

#[cfg(unix)] // names and errors that Windows does not have
#[test]
fn lines_that_check_reads() {
    let place = Place::new();
    place.write(" ", "a").write("x)", "a").write(" f", "a");
    for (line, name) in [
        (format!("{A}  f"), "f"),
        (format!("{A} *f"), "f"),
        (format!("{A} f"), "f"),
        (format!("{A}\tf"), "f"),
        (format!("{A}   f"), "' f'"),
        (format!("{A}  "), "' '"),
        (format!(" \t{A}  f\r"), "f"),
        (format!("\\{A}  f"), "f"),
        (format!("{}  f", A.to_uppercase()), "f"),
        (format!("SHA256 (f) = {A}"), "f"),
        (format!("SHA256(f)={A}"), "f"),
        (format!("SHA256 (f)\t=\t{}", A.to_uppercase()), "f"),
        (format!("SHA256 (x)) = {A}"), "'x)'"),
        (format!("  \\SHA256 (f) = {A}"), "f"),
        (format!("{A}  f\0g"), "f"),
    ] {
        place.write("list", format!("# a comment\n\n{line}\n"));
        place.run("sha256sum", &["--strict", "-c", "list"]).gave(0, &format!("{name}: OK\n"), "");
    }
    for line in [
        A.to_owned(),
        format!("{A} "),
        format!("{A}f"),
        format!("{}  f", &A[1..]),
        format!("{A}0  f"),
        format!("\\{A}  f\\x"),
        format!("\\{A}  f\\"),
        format!("\\\\{A}  f"),
        format!("\\{A}  f\0g"),
        format!("SHA256 (f) = {A} "),
        format!("SHA256 (f) == {A}"),
        format!("SHA256 (f) {A}"),
        format!("SHA256  (f) = {A}"),
        format!("SHA256-256 (f) = {A}"),
        format!("sha256 (f) = {A}"),
        format!("SHA2-256(f)= {A}"),
        format!("SHA512 (f) = {A}"),
        "SHA256 (".to_owned(),
        "SHA256 (f".to_owned(),
        "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=  f".to_owned(),
        format!("\u{feff}{A}  f"),
        format!("{} {}  f", &A[..31], &A[32..]),
    ] {
        place.write("list", format!("{line}\n"));
        let none = "sha256sum: list: no properly formatted checksum lines found\n";
        place.run("sha256sum", &["-c", "list"]).gave(1, "", none);
    }
}

#[test]
fn the_reversed_format_is_not_mixed_with_the_other() {
    let place = Place::new();
    place.write(" f", "b");
    place.write("reversed", format!("{A} f\n{B}  f\n")).write("usual", format!("{A}  f\n{A} f\n"));
    place.run("sha256sum", &["-c", "reversed"]).gave(0, "f: OK\n' f': OK\n", "");
    place.run("sha256sum", &["-c", "usual"]).gave(
        0,
        "f: OK\n",
        "sha256sum: WARNING: 1 line is improperly formatted\n",
    );
    // The format of the first list is also expected in the next ones.
    place.write("reversed", format!("{A} f\n{A}  f\n"));
    let warning = "sha256sum: WARNING: 1 line is improperly formatted\n".repeat(2);
    place.run("sha256sum", &["-c", "usual", "reversed"]).gave(0, "f: OK\nf: OK\n", &warning);
}

#[test]
fn lengths_of_blake2b() {
    let place = Place::new();
    place.write("list", format!("{A_BLAKE2B_160}  f\nBLAKE2b-160 (f) = {A_BLAKE2B_160}\nBLAKE2b (f) = {A_BLAKE2B}\n{A_BLAKE2B}  f\n"));
    place.run("b2sum", &["--strict", "-c", "list"]).gave(0, "f: OK\nf: OK\nf: OK\nf: OK\n", "");
    // The length is read as C reads numbers.
    for bits in ["160", "0xa0", "0XA0", "0240", " +160"] {
        place.write("list", format!("BLAKE2b-{bits} (f) = {A_BLAKE2B_160}\n"));
        place.run("b2sum", &["--strict", "-c", "list"]).gave(0, "f: OK\n", "");
    }
    place.run("b2sum", &["--tag", "-l", "160", "f"]).gave(
        0,
        &format!("BLAKE2b-160 (f) = {A_BLAKE2B_160}\n"),
        "",
    );
    place.run("b2sum", &["-l", "0", "f"]).gave(0, &format!("{A_BLAKE2B}  f\n"), "");
    for tag in [
        "BLAKE2",
        "BLAKE2b",
        "BLAKE2-",
        "BLAKE2(",
        "BLAKE2b-",
        "BLAKE2b-520 (f) = 00",
        "BLAKE2b-12 (f) = 000",
        "BLAKE2b-0 (f) = ",
        "BLAKE2b-0x (f) = ",
        "BLAKE2b--8 (f) = 00",
        "BLAKE2b-99999999999999999999 (f) = 00",
    ] {
        place.write("list", tag);
        place.run("b2sum", &["-c", "list"]).gave(
            1,
            "",
            "b2sum: list: no properly formatted checksum lines found\n",
        );
    }
}

#[test]
fn cksum_reads_tags_of_every_algorithm_it_has() {
    let place = Place::new();
    let mut list = Vec::new();
    for args in ["sha2 -l 224", "sha384", "sha3 -l 256", "blake2b", "blake2b -l 384"] {
        let args: Vec<_> = ["-a"].into_iter().chain(args.split(' ')).chain(["f"]).collect();
        list.extend(place.run("cksum", &args).stdout);
        list.extend(place.run("cksum", &[&args[..], &["--base64"]].concat()).stdout);
    }
    place.write("list", &list);
    place.run("cksum", &["--strict", "-c", "list"]).gave(0, &"f: OK\n".repeat(10), "");
    let ran = place.run("cksum", &["-a", "sha3", "-c", "list"]);
    ran.gave(0, &"f: OK\n".repeat(2), "cksum: WARNING: 8 lines are improperly formatted\n");
    // The message names the last tag that was seen.
    place.write("list", format!("junk\nSHA2-256 (f) = {A}\njunk\n"));
    let stderr = "cksum: list: 1: improperly formatted CRC checksum line\ncksum: list: 3: improperly formatted SHA2 checksum line\n\
                  cksum: WARNING: 2 lines are improperly formatted\n";
    place.run("cksum", &["-w", "-c", "list"]).gave(0, "f: OK\n", stderr);
    place.write(
        "list",
        "SHA3-248 (f) = b4753bf1696fda712821b665494c89090ffb0e87b8645559ad9f5db25b42d4\n",
    );
    let stderr = "cksum: list: 1: improperly formatted SHA3 checksum line\ncksum: list: no properly formatted checksum lines found\n";
    place.run("cksum", &["-a", "sha3", "-w", "-c", "list"]).gave(1, "", stderr);
    place.write("list", format!("{A}  f\n"));
    place.run("cksum", &["-c", "list"]).gave(
        1,
        "",
        "cksum: list: no properly formatted checksum lines found\n",
    );
    place.run("cksum", &["-a", "sha2", "-c", "list"]).gave(0, "f: OK\n", "");
}

#[test]
fn cksum_output_forms() {
    let place = Place::new();
    let sha =
        |options: &[&str]| place.run("cksum", &[&["-a", "sha256", "f"], options].concat()).text();
    let (tagged, untagged, starred) =
        (format!("SHA256 (f) = {A}\n"), format!("{A}  f\n"), format!("{A} *f\n"));
    assert_eq!(sha(&[]), tagged);
    assert_eq!(sha(&["--untagged", "--tag"]), tagged);
    assert_eq!(sha(&["--tag", "--untagged"]), untagged);
    assert_eq!(sha(&["--tag", "--untagged", "-b"]), starred);
    assert_eq!(sha(&["-b", "--untagged"]), starred);
    // Since 9.10, --untagged does not undo --binary.
    assert_eq!(sha(&["-b", "--tag", "--untagged"]), starred);
    assert_eq!(sha(&["--untagged", "-t"]), untagged);
    assert_eq!(sha(&["--base64"]), "SHA256 (f) = ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=\n");
    assert_eq!(
        place.run("cksum", &["-a", "sha256", "--raw", "f"]).stdout,
        hashmill::sha256(b"a").as_ref()
    );
}

/// The digests of "abc" are from RFC 1321 §A.5, FIPS 180-4's example and GB/T 32905-2016 §A.1. The
/// checksums of "123456789" and of 1025 times "a" are from GNU's `cksum` 9.1, and for CRC32B from
/// zlib.
#[cfg(unix)] // names and errors that Windows does not have
#[test]
fn what_the_library_does_not_compute() {
    let place = Place::new();
    place
        .write("abc", "abc")
        .write("digits", "123456789")
        .write("e", "")
        .write("1025", [b'a'; 1025]);
    let abc = [
        ("md5", "MD5", "900150983cd24fb0d6963f7d28e17f72"),
        ("sha1", "SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("sm3", "SM3", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ];
    for (name, tag, digest) in abc {
        let line = format!("{tag} (abc) = {digest}\n");
        place.run("cksum", &["-a", name, "abc"]).gave(0, &line, "");
        place.write("list", &line);
        place.run("cksum", &["-c", "list"]).gave(0, "abc: OK\n", "");
        let base64 = place.run("cksum", &["-a", name, "--base64", "--untagged", "abc"]).stdout;
        place.write("list", base64);
        place.run("cksum", &["-a", name, "-c", "list"]).gave(0, "abc: OK\n", "");
        place.run("hashmill", &["sum", "-a", name, "abc"]).gave(0, &format!("{digest}  abc\n"), "");
    }
    for (name, (_, _, digest)) in ["md5sum", "sha1sum"].iter().zip(abc) {
        place.run(name, &["abc"]).gave(0, &format!("{digest}  abc\n"), "");
        place.run("hashmill", &[name, "-b", "abc"]).gave(0, &format!("{digest} *abc\n"), "");
    }

    for (algorithm, digits, empty, long) in [
        ("crc", "930766865 9", "4294967295 0", "1238191295 1025"),
        ("crc32b", "3421780262 9", "0 0", "1517740284 1025"),
        ("bsd", "53615     1", "00000     0", "00033     2"),
        ("sysv", "477 1", "0 0", "33890 3"),
    ] {
        let lines = format!("{digits} digits\n{empty} e\n{long} 1025\n");
        let arguments = ["-a", algorithm, "digits", "e", "1025"];
        for options in [&[][..], &["--untagged"], &["--tag"], &["--base64"], &["-b"]] {
            let options: Vec<_> = arguments.iter().chain(options).collect();
            place.run("cksum", &options).gave(0, &lines, "");
        }
        place.run("cksum", &["-z", "-a", algorithm, "e"]).gave(0, &format!("{empty} e\0"), "");
        let stdin = |arguments: &[&str]| place.run_with("cksum", arguments, b"123456789").text();
        assert_eq!(stdin(&["-a", algorithm]), format!("{digits}\n"));
        assert_eq!(stdin(&["-a", algorithm, "-"]), format!("{digits} -\n"));
        let raw = place.run("cksum", &["-a", algorithm, "--raw", "digits"]).stdout;
        let number = raw.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
        assert_eq!(number.to_string(), digits.split(' ').next().unwrap());
        // `--check` does not read their lines, tagged or not.
        place.write("list", format!("{lines}{} (e) = 0000\n", algorithm.to_uppercase()));
        let none = "cksum: list: no properly formatted checksum lines found\n";
        place.run("cksum", &["-c", "list"]).gave(1, "", none);
        let refused = "cksum: --check is not supported with --algorithm={bsd,sysv,crc,crc32b}\n";
        place.run("cksum", &["-a", algorithm, "-c", "list"]).gave(1, "", refused);
    }
    place.run("cksum", &["digits"]).gave(0, "930766865 9 digits\n", "");
    place.write("n\nl", "");
    place.run("cksum", &["n\nl"]).gave(0, "4294967295 0 n\nl\n", "");
    place.run("cksum", &["-l", "32", "e"]).gave(
        1,
        "",
        "cksum: --length is only supported with --algorithm blake2b, sha2, or sha3\n",
    );
}

#[test]
fn lengths_of_sha3_and_shake() {
    let place = Place::new();
    let sha3_256 = hashmill::sha3_256(b"a");
    for option in ["-l256", "--length=256", "-a256", "--algorithm=256"] {
        place.run("sha3sum", &[option, "f"]).gave(0, &format!("{sha3_256}  f\n"), "");
    }
    place.run("sha3sum", &["--tag", "-l", "256", "f"]).gave(
        0,
        &format!("SHA3-256 (f) = {sha3_256}\n"),
        "",
    );
    let wrong = "sha3sum: invalid length: '160'\nsha3sum: digest length for 'SHA3' must be 224, 256, 384, or 512\n";
    place.run("sha3sum", &["-a", "160", "f"]).gave(1, "", wrong);
    // The length of a line's digest determines the algorithm.
    place.write("list", format!("{sha3_256}  f\n{}  f\n", hashmill::sha3_512(b"a")));
    place.run("sha3sum", &["--strict", "-c", "list"]).gave(0, "f: OK\nf: OK\n", "");

    let mut long = [0; 100];
    hashmill::Shake256::new().update(b"a").squeeze().fill(&mut long);
    let hex: String = long.iter().map(|byte| format!("{byte:02x}")).collect();
    place.run("shake256sum", &["-l", "800", "f"]).gave(0, &format!("{hex}  f\n"), "");
    let tagged = place.run("shake256sum", &["--tag", "-l", "800", "f"]).text();
    assert_eq!(tagged, format!("SHAKE256-800 (f) = {hex}\n"));
    place.write("list", format!("{tagged}{hex}  f\n{}  f\n", &hex[..64]));
    place.run("shake256sum", &["--strict", "-c", "list"]).gave(0, &"f: OK\n".repeat(3), "");
    // GNU's cksum has no SHAKE.
    let ran = place.run("cksum", &["-a", "shake256", "f"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), ""));
    let ran = place.run("cksum", &["-c", "list"]);
    ran.gave(1, "", "cksum: list: no properly formatted checksum lines found\n");
}

#[test]
fn help_and_version() {
    let place = Place::new();
    for name in STAND_INS {
        let help = place.run(name, &["--help"]);
        assert_eq!((help.status, &*help.stderr), (Some(0), ""));
        assert!(help.text().starts_with(&format!("Usage: {name} [OPTION]... [FILE]...\n")));
        assert!(help.text().contains("Examples:"), "{name}");
        place.run(name, &["--version", "--nope"]).gave(
            0,
            &format!("{name} (hashmill) {}\n", env!("CARGO_PKG_VERSION")),
            "",
        );
    }
    assert!(place.run("b2sum", &["--help"]).text().contains("--length"));
    assert!(!place.run("sha256sum", &["--help"]).text().contains("--length"));
}
