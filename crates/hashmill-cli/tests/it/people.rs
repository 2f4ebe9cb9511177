//! BLAKE3, Ascon, help, suggestions, templates, safe terminals, and other conveniences.

use crate::common::{A, A_BLAKE2B_160, B, Place, names};
use hashmill::{Algorithm, Customization};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

const A_BLAKE3: &str = "17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f";

#[test]
fn blake3() {
    let place = Place::new();
    place.run("hashmill", &["sum", "-a", "blake3", "f"]).gave(0, &format!("{A_BLAKE3}  f\n"), "");
    let tagged = format!("SHA256 (f) = {A}\nBLAKE3 (f) = {A_BLAKE3}\n");
    place.run("hashmill", &["sum", "-a", "sha256,blake3", "f"]).gave(0, &tagged, "");
    let long = place.run("hashmill", &["sum", "-a", "blake3-512", "f"]).text();
    assert!(long.len() == 128 + 4 && long.starts_with(A_BLAKE3), "{long}");
    // Long files, on several threads, with lengths for which the trees are uneven.
    for len in [3 << 20, 4 << 20, (9 << 20) + 1] {
        let content: Vec<u8> = (0..len).map(|i: u32| (i.wrapping_mul(i) >> 11) as u8).collect();
        let expected = format!("{}  long\n", blake3::hash(&content));
        place.write("long", content);
        for how in ["-j1", "-j3", "--mmap"] {
            place.run("hashmill", &["sum", how, "-a", "blake3", "long"]).gave(0, &expected, "");
        }
        place.run("b3sum", &["long"]).gave(0, &expected, "");
        place.run("b3sum", &["--no-mmap", "long"]).gave(0, &expected, "");
    }
}

#[test]
fn ascon() {
    const HASH256: &str = "d6943d8cddc8c3565cfbcfe27bf05cba039f0808d86ac3ac1289ce2261840e05";
    const XOF128: &str = "ede10034ee08f138cb188a4ad59bb091b9732cce23cb94fe7ef04bb0d5b0ab11e1e3acf2c85ddee6002716c2bd14c4b376d204cb58eff6335d74a824b408b63f";
    let place = Place::new();
    let plain = format!("{HASH256}  f\n");
    place.run("hashmill", &["sum", "-a", "ascon-hash256", "f"]).gave(0, &plain, "");
    let tagged = format!("Ascon-Hash256 (f) = {HASH256}\nAscon-XOF128 (f) = {}\n", &XOF128[..64]);
    let both = ["sum", "--tag", "-a", "ascon-hash256,ascon-xof128", "f"];
    place.run("hashmill", &both).gave(0, &tagged, "");
    place.write("list", tagged);
    place.run("hashmill", &["check", "list"]).gave(0, "f: OK\nf: OK\n", "");
    let long = ["sum", "-a", "ascon-xof128-512", "f"];
    place.run("hashmill", &long).gave(0, &format!("{XOF128}  f\n"), "");
}

#[test]
fn b3sum() {
    let place = Place::new();
    place.run("b3sum", &["f"]).gave(0, &format!("{A_BLAKE3}  f\n"), "");
    place.run("hashmill", &["b3sum", "f"]).gave(0, &format!("{A_BLAKE3}  f\n"), "");
    place.run_with("b3sum", &[] as &[&str], b"a").gave(0, &format!("{A_BLAKE3}  -\n"), "");
    place.run("b3sum", &["--tag", "f"]).gave(0, &format!("BLAKE3 (f) = {A_BLAKE3}\n"), "");
    place.run("b3sum", &["--no-names", "-l", "4", "f"]).gave(0, "17762fdd\n", "");
    assert_eq!(place.run("b3sum", &["--raw", "f"]).stdout.len(), 32);
    let sought = ["--no-names", "--seek", "2", "--length", "3", "--num-threads", "0", "f"];
    place.run("b3sum", &sought).gave(0, "2fddd9\n", "");
    let mut far = [0; 4];
    let mut output = blake3::Hasher::new().update(b"a").finalize_xof();
    output.set_position(u64::MAX - 3);
    output.fill(&mut far);
    let seek = (u64::MAX - 3).to_string();
    assert_eq!(place.run("b3sum", &["--raw", "-l", "4", "--seek", &seek, "f"]).stdout, far);
    assert_eq!(place.run("b3sum", &["--seek", "-1", "f"]).status, Some(2));
    assert_eq!(place.run("b3sum", &["-c", "--seek", "1", "f"]).status, Some(2));
    let key = *b"whats the Elvish word for friend";
    let keyed = blake3::keyed_hash(&key, b"a");
    place.run_with("b3sum", &["--keyed", "f"], &key).gave(0, &format!("{keyed}  f\n"), "");
    assert_eq!(place.run_with("b3sum", &["--keyed", "f"], &key[1..]).status, Some(1));
    let context = "example.org 2026-01-01 00:00:00 test";
    let derived = blake3::Hasher::new_derive_key(context).update(b"a").finalize();
    place.run("b3sum", &["--derive-key", context, "f"]).gave(0, &format!("{derived}  f\n"), "");
    place.write("list", format!("{A_BLAKE3}  f\n"));
    place.run("b3sum", &["-c", "list"]).gave(0, "f: OK\n", "");
    place.run("b3sum", &["-c", "--quiet", "list"]).gave(0, "", "");
    place.write("f", "b");
    assert_eq!(place.run("b3sum", &["-c", "list"]).text(), "f: FAILED\n");
}

#[test]
fn help_of_commands() {
    let place = Place::new();
    let whole = place.run("hashmill", &["help"]);
    assert!(whole.status == Some(0) && whole.text().contains("manifest"), "{whole:?}");
    for command in ["sum", "check", "manifest", "convert", "sha256sum"] {
        let help = place.run("hashmill", &["help", command]);
        assert!(help.status == Some(0) && help.text().contains("Examples:"), "{command}");
    }
}

#[test]
fn the_help_fits_a_screen() {
    let place = Place::new();
    let help = place.run("hashmill", &["help"]).text();
    assert!(help.lines().count() <= 24 && help.lines().all(|line| line.len() <= 80), "{help}");
    let words: Vec<&str> = help.split_whitespace().collect();
    for name in names().chain(["convert", "manifest", "duplicates", "self", "install"]) {
        assert!(words.contains(&name), "{name}: {help}");
    }
    // The short help has fewer options than the whole.
    for command in ["sum", "check"] {
        let [short, whole] = ["-h", "--help"].map(|help| place.run("hashmill", &[command, help]));
        assert!(short.text().lines().count() < 60, "{}", short.text());
        assert!(!short.text().contains("personal=TEXT") && whole.text().contains("personal=TEXT"));
        // Parameters for trees and tuples that are not made of files are known, but not shown.
        for rare in ["node-offset", "element=", "function-name", "--mmap"] {
            assert!(!whole.text().contains(rare), "{command}: {rare}");
        }
        let unknown = place.run("hashmill", &[command, "--params", "nosuch", "f"]);
        assert!(unknown.status == Some(2) && unknown.stderr.contains("node-offset"), "{command}");
    }
}

/// Without a terminal, a line of the help has at most 80 columns.
#[test]
fn the_help_is_wrapped() {
    let place = Place::new();
    let commands = "sum check convert manifest duplicates list install self b3sum blake2";
    for command in commands.split(' ') {
        for option in ["-h", "--help"] {
            let help = place.run("hashmill", &[command, option]).text();
            let long = help.lines().find(|line| line.chars().count() > 80);
            assert!(!help.is_empty() && long.is_none(), "{command}: {long:?}");
        }
    }
}

/// Commands that have a new spelling are also known by the old one.
#[test]
fn commands_about_the_program_itself() {
    let place = Place::new();
    for (new, old) in [
        (&["self", "test"][..], &["self-test"][..]),
        (&["self", "man", "sum"], &["man", "sum"]),
        (&["self", "completions", "fish"], &["completions", "fish"]),
    ] {
        let ran = place.run("hashmill", new);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(ran, place.run("hashmill", old));
    }
}

#[test]
fn duplicates() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("t/d")).unwrap();
    let long = vec![b'x'; 20_000];
    let changed = |at: usize| {
        let mut text = long.clone();
        text[at] = b'y';
        text
    };
    place.write("t/a", "1").write("t/d/b", "1").write("t/d/c\n", "2").write("t/e", "");
    place.write("t/d/e", "").write("t/z", "2").write("t/long", &long).write("t/d/long", &long);
    // These differ from the others in the first or last block, or in between.
    place.write("t/first", changed(0)).write("t/last", changed(19_999));
    place.write("t/middle", changed(10_000));
    std::fs::hard_link(place.path("t/a"), place.path("t/f")).unwrap();
    std::fs::hard_link(place.path("t/e"), place.path("t/g")).unwrap();
    let groups = "t/a\n= t/f\nt/d/b\n\n\\t/d/c\\n\nt/z\n\nt/d/long\nt/long\n\n";
    // A file that is found twice is not its own duplicate.
    for args in [&["duplicates", "t"][..], &["duplicates", "t", "t/d", "t/a"]] {
        place.run("hashmill", args).gave(0, groups, "");
    }
    let zero = place.run("hashmill", &["duplicates", "-z", "t"]).text();
    assert_eq!(zero, "t/a\0t/d/b\0\0t/d/c\n\0t/z\0\0t/d/long\0t/long\0\0");
    let json = place.run("hashmill", &["duplicates", "--json", "--exclude=*long", "t"]).text();
    let one = hashmill::sha256(b"1").to_string();
    let first = format!(
        "{{\"size\":1,\"digests\":{{\"SHA256\":\"{one}\"}},\"files\":[{{\"name\":\"t/a\",\"links\":\
         [{{\"name\":\"t/f\"}}]}},{{\"name\":\"t/d/b\"}}]}}"
    );
    assert_eq!(json.lines().next(), Some(&*first), "{json}");
    let empty = place.run("hashmill", &["duplicates", "--min-size=0", "-a", "blake3", "t"]).text();
    assert!(empty.contains("\n\nt/d/e\nt/e\n= t/g\n\n"), "{empty}");
    let ran = place.run("hashmill", &["duplicates", "t", "nosuch"]);
    assert_eq!((ran.status, &*ran.text()), (Some(1), groups), "{ran:?}");
    let long_only = place.run("hashmill", &["duplicates", "--min-size=2", "t"]);
    long_only.gave(0, "t/d/long\nt/long\n\n", "");
}

/// Digests from the tests of the program of blake2_simd, which that crate's library also tests.
#[test]
fn blake2() {
    let place = Place::new();
    let foo = |program: &str, args: &[&str]| place.run_with(program, args, b"foo");
    let tree = [
        "--key=626172",
        "--fanout=2",
        "--max-depth=3",
        "--max-leaf-length=67438087",
        "--node-depth=16",
        "--last-node",
    ];
    let blake2b = [
        &tree[..],
        &[
            "--salt=62617a62617a62617a62617a62617a62",
            "--personal=62696e672062696e672062696e672062",
            "--node-offset=579005069656919567",
        ],
    ]
    .concat();
    let expected = "ec0f59cb65f92e7fcca1280ba859a6925ded  -\n";
    let in_bytes = [&blake2b[..], &["--blake2b", "--length=18", "--inner-hash-length=17"]].concat();
    foo("blake2", &in_bytes).gave(0, expected, "");
    foo("hashmill", &[&["blake2"], &*in_bytes].concat()).gave(0, expected, "");
    let in_bits = [&blake2b[..], &["--length=144", "--inner-hash-length=136"]].concat();
    foo("b2sum", &in_bits).gave(0, expected, "");
    foo("hashmill", &[&["b2sum"], &*in_bits].concat()).gave(0, expected, "");
    let blake2s = [
        &tree[..],
        &["--salt=62617a62617a6261", "--personal=62696e672062696e", "--node-offset=8834916224013"],
        &["--blake2s", "--length=18", "--inner-hash-length=17"],
    ]
    .concat();
    foo("blake2", &blake2s).gave(0, "62361e5392ab0eb7dd27e48a6809ee82dc57  -\n", "");
    for (function, digest) in [
        ("--blake2bp", "8c54e888a8a01c63da6585c058fe54ea81df"),
        ("--blake2sp", "947d4c671e2794f5e1a57daeca97bb46ed66"),
    ] {
        let line = format!("{digest}  -\n");
        foo("blake2", &[function, "--length=18", "--key=626172"]).gave(0, &line, "");
        foo("b2sum", &[function, "-l144", "--key=626172"]).gave(0, &line, "");
    }
    let ran = place.run_with("blake2", &["-l16", "--last-node"], b"abcdef");
    ran.gave(0, "d788eeea837a3d10b1f8c097059f815a  -\n", "");
    place.run("blake2", &["-l20", "f"]).gave(0, &format!("{A_BLAKE2B_160}  f\n"), "");
    for wrong in [&["--blake2b", "--blake2s"][..], &["--key=6"], &["--length=65"]] {
        assert_eq!(foo("blake2", wrong).status, Some(2), "{wrong:?}");
    }
    // After `--`, names that look like these options are names.
    let none = "b2sum: --blake2bp: No such file or directory\n";
    place.run("b2sum", &["--", "--blake2bp"]).gave(1, "", none);
}

#[test]
fn names_that_are_nearly_right() {
    let place = Place::new();
    for (name, hint) in [
        ("sha3", "did you mean sha3-224, sha3-256, sha3-384, sha3-512?"),
        ("blake2", "did you mean blake2b, blake2s, blake2bp, blake2sp, blake2xb, blake2xs?"),
        ("sha255", "sha256"),
        ("nothing", "'hashmill list' shows them"),
    ] {
        let ran = place.run("hashmill", &["sum", "-a", name, "f"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(hint), "{name}: {}", ran.stderr);
    }
    let ran = place.run("hashmill", &["sum", "-c", "list"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("hashmill check LIST"), "{}", ran.stderr);
}

#[test]
fn templates() {
    let place = Place::new();
    let ran = place.run("hashmill", &["sum", "--format", "{size} {sha256} {name}\\n", "f", "g"]);
    ran.gave(0, &format!("1 {A} f\n1 {B} g\n"), "");
    let ran = place.run("hashmill", &["sum", "--format={blake3:HEX}\\0", "f"]);
    ran.gave(0, &format!("{}\0", A_BLAKE3.to_uppercase()), "");
    let ran = place.run("hashmill", &["sum", "--format", "{nosuch}", "f"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("neither name nor size"),
        "{}",
        ran.stderr
    );
}

/// A terminal does not receive control characters and direction overrides in names.
#[test]
fn names_are_safe_on_terminals() {
    let place = Place::new();
    let evil = "evil\u{1b}[2J\u{202e}gpj.exe";
    place.write(evil, "a").write("list", format!("{A}  {evil}\n"));
    if place.shell("command -v script").status != Some(0) {
        return;
    }
    for command in [
        "sum evil*",
        "sum --json evil*",
        "sum --tag evil*",
        "sum --format '{name}' evil*",
        "check list",
        "check --json list",
        "check --all --root t list",
        "convert --to gnu list",
        "convert --to bsd list",
        "convert --to bagit list",
        "convert --to powershell list",
        "convert --to mtree list",
        "convert --to json list",
        "manifest verify m t",
    ] {
        place.shell("mkdir -p t; hashmill manifest create m t");
        place.shell("cp evil* t");
        place.write("run", format!("LC_ALL=C.UTF-8 hashmill {command}"));
        let text = place.shell("script --quiet --return --command 'bash run' /dev/null").text();
        assert!(text.contains("gpj.exe"), "{command}: {text:?}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{command}: {text:?}");
        place.shell("rm -r m t");
    }
    // Any other output gets the names unchanged.
    let raw = place.shell("hashmill sum evil*");
    assert_eq!(raw.text(), format!("{A}  {evil}\n"));
}

#[test]
fn the_list_that_is_written_is_left_out() {
    let place = Place::new();
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/x", "a");
    for line in ["hashmill sum -r . > SUMS", "hashmill sum -r . >> SUMS"] {
        let ran = place.shell(&format!("cd t && {line}"));
        ran.gave(0, "", "hashmill: ./SUMS: this is the output file, left out\n");
    }
    let list = std::fs::read_to_string(place.path("t/SUMS")).unwrap();
    assert_eq!(list, format!("{A}  ./x\n").repeat(2));
}

#[test]
fn json_with_nul() {
    let place = Place::new();
    let text = place.run("hashmill", &["sum", "--json", "-z", "f", "g"]).text();
    assert!(text.matches('\0').count() == 2 && !text.contains('\n'), "{text:?}");
}

#[test]
fn checksums_in_other_formats_are_hexadecimal() {
    let place = Place::new();
    let sum = |args: &[&str]| place.run("hashmill", &[&["sum"], args, &["f"]].concat()).text();
    assert_eq!(sum(&["-a", "crc32b", "--tag"]), "CRC32B (f) = e8b7be43\n");
    assert_eq!(sum(&["-a", "crc32b", "--untagged"]), "e8b7be43  f\n");
    assert_eq!(sum(&["-a", "crc32b", "--base64"]), "6Le+Qw==  f\n");
    assert_eq!(sum(&["-a", "crc32b"]), "3904355907 1 f\n");
    assert_eq!(sum(&["--format={crc32b}"]), "e8b7be43");
}

#[test]
fn lists_are_converted() {
    let place = Place::new();
    place.write("list", format!("{A}  f\n\\{B}  n\\nl\n"));
    let convert = |to: &str| place.run("hashmill", &["convert", "--to", to, "list"]);
    let note = "hashmill: list: lines without an algorithm's name were taken for SHA256\n";
    convert("bsd").gave(0, &format!("SHA256 (f) = {A}\n\\SHA256 (n\\nl) = {B}\n"), note);
    convert("bagit").gave(0, &format!("{A}  f\n{B}  n%0Al\n"), note);
    assert_eq!(convert("sfv").status, Some(1));
    assert!(convert("hashdeep").stderr.contains("1: hashdeep's format requires a size"));
    // A converted list must have the same meaning when it is read again.
    let json =
        place.run("hashmill", &["sum", "--json", "-a", "sha256,md5,crc32b", "f", "g"]).stdout;
    place.write("list", json);
    for to in [
        "gnu",
        "bsd",
        "openssl",
        "base64",
        "sri",
        "nix32",
        "sfv",
        "hashdeep",
        "mtree",
        "gentoo",
        "powershell",
        "json",
    ] {
        if to == "gnu" {
            continue; // CRC-32s without a tag are not read
        }
        let converted = convert(to);
        assert_eq!((converted.status, &*converted.stderr), (Some(0), ""), "{to}");
        place.write("converted", &converted.stdout);
        let ran = place.run("hashmill", &["check", "--strict", "--quiet", "converted"]);
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{to}: {}", converted.text());
    }
}

/// Debian's fields cannot contain CRC-32s or names with blanks.
#[test]
fn lists_for_debian_gentoo_and_powershell() {
    let place = Place::new();
    place.write("a \"b", "b");
    let json = place.run("hashmill", &["sum", "--json", "-a", "sha256", "f"]).stdout;
    place.write("list", json);
    let convert = |to: &str| place.run("hashmill", &["convert", "--to", to, "list"]);
    convert("debian").gave(0, &format!("SHA256:\n {A} 1 f\n"), "");
    convert("gentoo").gave(0, &format!("DATA f 1 SHA256 {A}\n"), "");
    let csv =
        format!("\"Algorithm\",\"Hash\",\"Path\"\r\n\"SHA256\",\"{}\",\"f\"\r\n", A.to_uppercase());
    convert("powershell").gave(0, &csv, "");
    let json = place.run("hashmill", &["sum", "--json", "-a", "sha3-256", "a \"b"]).stdout;
    place.write("list", json);
    assert!(convert("debian").stderr.contains("no names with blanks"));
    for to in ["gentoo", "powershell"] {
        let converted = convert(to);
        place.write("converted", &converted.stdout);
        let ran = place.run("hashmill", &["check", "--strict", "converted"]);
        assert_eq!((ran.status, &*ran.text()), (Some(0), "'a \"b': OK\n"), "{converted:?}");
    }
    place.write("list", format!("SHA3-256 (f) = {}\n", hashmill::sha3_256(b"a")));
    assert!(convert("debian").stderr.contains("requires a size"));
    assert!(convert("gentoo").stderr.contains("requires a size"));
}

/// KangarooTwelve and ParallelHash, whose leaves are hashed on all threads if a file is long.
#[test]
fn trees_of_keccak() {
    let place = Place::new();
    // RFC 9861 §5: KT128 of the empty message, and of 17^5 bytes 00 01 … FA, 00 …
    let empty = "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5";
    place
        .write("e", "")
        .write("long", (0..17usize.pow(5)).map(|i| (i % 251) as u8).collect::<Vec<_>>());
    place.run("hashmill", &["sum", "-a", "kt128", "e"]).gave(0, &format!("{empty}  e\n"), "");
    let ptn = "844d610933b1b9963cbdeb5ae3b6b05cc7cbd67ceedf883eb678a0a8e0371682";
    place.run("hashmill", &["sum", "-a", "k12", "long"]).gave(0, &format!("{ptn}  long\n"), "");
    let long: Vec<u8> = (0..(9 << 20) + 77u32).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
    let parallel = hashmill::parallel_hash256::<64>(&long, 8192, Customization(b"")).unwrap();
    let kt = hashmill::kt256::<64>(&long, Customization(b""));
    place.write("long", long);
    for (jobs, how) in [("1", "--tag"), ("2", "--tag"), ("5", "--tag"), ("2", "--mmap")] {
        let args = ["sum", "-j", jobs, how, "--untagged", "-a"];
        let ran = place.run("hashmill", &[&args[..], &["kt256", "long"]].concat());
        ran.gave(0, &format!("{kt}  long\n"), "");
        let ran = place.run("hashmill", &[&args[..], &["parallelhash256", "long"]].concat());
        ran.gave(0, &format!("{parallel}  long\n"), "");
    }
    // Lists that `sum` writes are accepted by `check`, and KT128 is also tried for lists without
    // names of algorithms.
    let tagged = place.run("hashmill", &["sum", "--tag", "-a", "kt256-512,parallelhash128", "f"]);
    place.write("list", &tagged.stdout);
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, "f: OK\nf: OK\n", "");
    place.write("list", place.run("hashmill", &["sum", "-a", "kt128", "f"]).stdout);
    place.run("hashmill", &["check", "list"]).gave(0, "f: OK (KT128)\n", "");
}

/// At most one copy of a key is in memory while the program only waits for the end of its input.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "`cargo xtask test remains` tries the program as it is installed"
)]
fn a_key_lies_in_memory_once() {
    let place = Place::new();
    // The key occurs only in the key file: its bytes are computed here.
    let key: Vec<u8> = (0..48u8).map(|i| i.wrapping_mul(37) ^ 0xa5).collect();
    place.write("key", &key);
    for (algorithm, mode) in [("blake2b", "--keyed"), ("blake2b", "--hmac"), ("kmac256", "--keyed")]
    {
        let mut child = place
            .command("hashmill")
            .args(["sum", "-a", algorithm, mode, "--key-file", "key"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&[0; 1 << 20]).unwrap();
        // The program has read all input when it waits, which takes a while on a busy machine.
        let mut copies = None;
        for _ in 0..100 {
            std::thread::sleep(std::time::Duration::from_millis(100));
            copies = copies_of(&key, child.id());
            if copies.is_none_or(|copies| copies <= 1) {
                break;
            }
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
        match copies {
            Some(copies) => assert!(copies <= 1, "{algorithm} {mode}: {copies} copies"),
            None => println!("the memory of a process cannot be read here: not tried"),
        }
    }
}

/// Returns how often `bytes` occur in the writable memory of a process.
fn copies_of(bytes: &[u8], process: u32) -> Option<usize> {
    use std::io::{Read, Seek, SeekFrom};
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let mut memory = std::fs::File::open(format!("/proc/{process}/mem")).ok()?;
    let mut copies = 0;
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        let (start, end) =
            (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
        let mut content = Vec::new();
        memory.seek(SeekFrom::Start(start)).ok()?;
        if (&memory).take(end - start).read_to_end(&mut content).is_ok() {
            copies += content.windows(bytes.len()).filter(|window| *window == bytes).count();
        }
    }
    Some(copies)
}

/// In a list with digests of several lengths, the first tag determines the algorithm, as in GNU's
/// cksum.
#[test]
fn cksum_sha2_settles_with_the_first_tag() {
    let place = Place::new();
    let sha512 = Algorithm::Sha512.hash(b"a");
    place.write("tags", format!("SHA256 (f) = {A}\nSHA512 (f) = {sha512}\n{sha512}  f\n{A}  f\n"));
    let ran = place.run("cksum", &["-a", "sha2", "-c", "-w", "tags"]);
    ran.gave(
        0,
        "f: OK\nf: OK\n",
        "cksum: tags: 2: improperly formatted SHA256 checksum line\n\
         cksum: tags: 3: improperly formatted SHA256 checksum line\n\
         cksum: WARNING: 2 lines are improperly formatted\n",
    );
    // Without tags, the length of each digest determines the algorithm.
    place.write("mixed", format!("{A}  f\n{sha512}  f\n"));
    place.run("cksum", &["-a", "sha2", "-c", "mixed"]).gave(0, "f: OK\nf: OK\n", "");
}

#[test]
fn negative_lengths() {
    let place = Place::new();
    for (name, args) in [("b2sum", &["-l", "-8", "f"][..]), ("cksum", &["-a", "sha3", "-l-1", "f"])]
    {
        let ran = place.run(name, args);
        let written = if name == "b2sum" { "-8" } else { "-1" };
        let said =
            format!("{name}: invalid length: '{written}': Value too large for defined data type\n");
        ran.gave(1, "", &said);
    }
    assert_eq!(place.run("b2sum", &["-l", "-0", "f"]).status, Some(0));
}

#[test]
fn sum_of_bsd_and_system_v() {
    let place = Place::new();
    place.run("sum", &["f", "g"]).gave(0, "00097     1 f\n00098     1 g\n", "");
    place.run("sum", &["-r", "f"]).gave(0, "00097     1 f\n", "");
    place.run("sum", &["-s", "f"]).gave(0, "97 1 f\n", "");
    place.run("sum", &["--sysv", "f"]).gave(0, "97 1 f\n", "");
    place.run_with("sum", &[] as &[&str], b"a").gave(0, "00097     1\n", "");
    place.run_with("sum", &["-s"], b"a").gave(0, "97 1\n", "");
    let ran = place.run("sum", &["-c", "f"]);
    ran.gave(1, "", "sum: invalid option -- 'c'\nTry 'sum --help' for more information.\n");
    // The subcommand `sum` is our own.
    place.run("hashmill", &["sum", "f"]).gave(0, &format!("{A}  f\n"), "");
}

/// Standard input has a known length if it is a file, but not if it is a pipe.
#[test]
fn progress_of_standard_input() {
    let place = Place::new();
    place.write("large", vec![0; 64 << 20]);
    let piped = place.shell("cat large | hashmill sum --progress=always");
    assert!(piped.stderr.contains("iB") && !piped.stderr.contains(" of "), "{:?}", piped.stderr);
    let redirected = place.shell("hashmill sum --progress=always <large");
    assert!(!redirected.stderr.contains("of 0 B"), "{:?}", redirected.stderr);
    assert!(redirected.stderr.contains("of 64.00 MiB"), "{:?}", redirected.stderr);
}

#[test]
fn a_name_that_is_not_utf8_in_json() {
    let place = Place::new();
    let odd = std::ffi::OsStr::from_bytes(b"i\xff\x1b");
    place.write(odd, "a");
    let list = place.run("hashmill", &[std::ffi::OsStr::new("sum"), "--json".as_ref(), odd]);
    place.write("list", list.stdout);
    let ran = place.run("hashmill", &["check", "--strict", "list"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}
