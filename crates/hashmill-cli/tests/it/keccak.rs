//! The parameters of Keccak's functions, KMAC, cSHAKE, TupleHash, ParallelHash and KangarooTwelve,
//! and of Ascon-CXOF128.

use crate::common::{Place, Ran};
use hashmill::{Customization, FunctionName, cshake256, kt128, kt256, parallel_hash128};
use hashmill::{kmac128, tuple_hash128};
use std::fs::File;
use std::io::Read;

fn run(first: u8, last: u8) -> Vec<u8> {
    (first..=last).collect()
}

/// NIST's samples for SP 800-185 ("Examples with Intermediate Values"), and one of the Ascon team:
/// the algorithm, its parameters, the message and the output.
#[test]
fn published_samples() {
    let place = Place::new();
    let twelves: Vec<u8> = (0..6).flat_map(|i| run(0x10 * i, 0x10 * i + 0x0b)).collect();
    place
        .write("short", run(0x00, 0x03))
        .write("long", run(0x00, 0xc7))
        .write("second", run(0x10, 0x15))
        .write("third", run(0x20, 0x28))
        .write("eights", [run(0x00, 0x07), run(0x10, 0x17), run(0x20, 0x27)].concat())
        .write("twelves", twelves)
        .write("sixteen", run(0x00, 0x0f))
        .write("key", run(0x40, 0x5f));
    let tag = "keyed,key-file=key,customization=My Tagged Application";
    for (algorithm, params, file, digest) in [
        (
            "cshake128",
            "customization=Email Signature",
            "long",
            "c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b",
        ),
        (
            "cshake256",
            "function-name=,customization=Email Signature",
            "short",
            "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd164020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c",
        ),
        (
            "kmac128",
            "keyed,key-file=key",
            "short",
            "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e",
        ),
        (
            "kmac128",
            tag,
            "long",
            "1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230",
        ),
        (
            "kmac256",
            tag,
            "short",
            "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd",
        ),
        (
            "tuplehash128",
            "element=hex:000102",
            "second",
            "c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1",
        ),
        (
            "tuplehash128",
            "element=hex:000102,element=hex:101112131415,customization=My Tuple App",
            "third",
            "e60f202c89a2631eda8d4c588ca5fd07f39e5151998deccf973adb3804bb6e84",
        ),
        (
            "tuplehash256",
            "element=hex:000102,element=hex:101112131415,customization=My Tuple App",
            "third",
            "45000be63f9b6bfd89f54717670f69a9bc763591a4f05c50d68891a744bcc6e7d6d5b5e82c018da999ed35b0bb49c9678e526abd8e85c13ed254021db9e790ce",
        ),
        (
            "parallelhash128",
            "block-size=8",
            "eights",
            "ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5",
        ),
        (
            "parallelhash256",
            "block-size=12,customization=Parallel Data",
            "twelves",
            "69d0fcb764ea055dd09334bc6021cb7e4b61348dff375da262671cdec3effa8d1b4568a6cce16b1cad946ddde27f6ce2b8dee4cd1b24851ebf00eb90d43813e9",
        ),
        // The Ascon team's answers, ascon-c, LWC_CXOF_KAT_128_512.txt, Count = 546.
        (
            "ascon-cxof128",
            "customization=hex:101112131415161718191a1b1c1d1e1f20",
            "sixteen",
            "5e22b0fa69db93fdf4755b1dd72ea58e2bcc65f0ee62d0d7cde1884be3ea75d2",
        ),
    ] {
        let sum = ["sum", "-a", algorithm, "--params", params, file];
        place.run("hashmill", &sum).gave(0, &format!("{digest}  {file}\n"), "");
        // Lists, tagged and not, are checked with the same parameters.
        let tagged = place.run("hashmill", &[&sum[..], &["--tag"]].concat()).text();
        place.write("list", format!("{tagged}{digest}  {file}\n"));
        let check = ["check", "--strict", "-a", algorithm, "--params", params, "list"];
        let ok = format!("{file}: OK\n");
        place.run("hashmill", &check).gave(0, &ok.repeat(2), "");
        let token = format!("{algorithm}:{digest}");
        place.run("hashmill", &["check", "--params", params, &token, file]).gave(0, &ok, "");
    }
}

/// KangarooTwelve's customization string, and every function on a file that several threads hash
/// without parameters.
#[test]
fn large_files() {
    let place = Place::new();
    let content: Vec<u8> = (0..(5u32 << 20) + 9).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    place.write("large", &content).write("key", "secret");
    let custom = Customization(b"mine");
    for (algorithm, params, digest) in [
        ("kt128", "customization=mine", kt128::<32>(&content, custom).to_string()),
        ("kt256", "customization=mine", kt256::<64>(&content, custom).to_string()),
        ("cshake256", "function-name=f", {
            cshake256::<64>(&content, FunctionName(b"f"), Customization(b"")).to_string()
        }),
        ("kmac128", "keyed,key-file=key", {
            kmac128::<32>(hashmill::Key(b"secret"), &content, Customization(b"")).to_string()
        }),
        ("kmac128-128", "keyed,key-file=key,customization=mine", {
            kmac128::<16>(hashmill::Key(b"secret"), &content, custom).to_string()
        }),
        ("tuplehash128", "customization=mine", {
            tuple_hash128::<32>(&[&content], b"mine").to_string()
        }),
        ("parallelhash128", "block-size=1000", {
            parallel_hash128::<32>(&content, 1000, Customization(b"")).unwrap().to_string()
        }),
    ] {
        let sum = ["sum", "-a", algorithm, "--params", params];
        let ran = place.run("hashmill", &[&sum[..], &["large"]].concat());
        ran.gave(0, &format!("{digest}  large\n"), "");
        // The length of a pipe is unknown until its end.
        let ran = place.run_with("hashmill", &sum, &content);
        ran.gave(0, &format!("{digest}  -\n"), "");
    }
}

/// TupleHash absorbs the length of the file before its content.
#[test]
fn tuples() {
    let place = Place::new();
    place.write("empty", "");
    let digest = |tuple: &[&[u8]]| tuple_hash128::<32>(tuple, b"").to_string();
    let expected =
        format!("{}  f\n{}  empty\n{}  -\n", digest(&[b"a"]), digest(&[b""]), digest(&[b"pipe"]));
    let ran =
        place.run_with("hashmill", &["sum", "-a", "tuplehash128", "f", "empty", "-"], b"pipe");
    ran.gave(0, &expected, "");
    // The rest of a file, after its first byte was read.
    place.write("g", "abc");
    let mut file = File::open(place.path("g")).unwrap();
    file.read_exact(&mut [0]).unwrap();
    let mut command = place.command("hashmill");
    let output = command.args(["sum", "-a", "tuplehash128"]).stdin(file).output().unwrap();
    let rest = format!("{}  -\n", digest(&[b"bc"]));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), rest, "{:?}", output.status);
    // Files of the system say that they are empty.
    if let Ok(content) = std::fs::read("/proc/version") {
        let line = format!("{}  /proc/version\n", digest(&[&content]));
        let sum = ["sum", "-a", "tuplehash128", "/proc/version"];
        place.run("hashmill", &sum).gave(0, &line, "");
    }
    // Several algorithms in one reading.
    let text = place.run("hashmill", &["sum", "-a", "sha256,tuplehash128", "f"]).text();
    assert!(text.ends_with(&format!("TupleHash128 (f) = {}\n", digest(&[b"a"]))), "{text}");
}

#[test]
fn misuse() {
    let place = Place::new();
    place.write("key", "Jefe").write("empty", "");
    let refused = |args: &[&str], words: &str| {
        let ran = place.run("hashmill", args);
        assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("Jefe"), "{args:?}: {}", ran.stderr);
    };
    let needs = "KMAC256 needs a key: --params keyed,key-file=FILE";
    for args in [
        &["sum", "-a", "kmac256", "f"][..],
        &["check", "-a", "kmac256", "list"],
        &["manifest", "create", "-a", "kmac256", "m", "."],
        &["duplicates", "-a", "kmac256", "."],
    ] {
        refused(args, needs);
    }
    for (params, algorithm, words) in [
        ("customization=x", "sha256", "SHA-256 has no parameters"),
        ("customization=x", "blake2b", "BLAKE2b does not take customization; it takes salt"),
        ("function-name=x", "kt128", "KT128 does not take function-name; it takes customization"),
        ("block-size=0", "parallelhash128", "invalid value '0' for '--block-size <BYTES>'"),
        ("element=hex:0", "tuplehash128", "hex: must be followed by pairs"),
        ("hmac,key-file=key", "kmac128", "HMAC with KMAC128 is not supported"),
        ("keyed,key-file=key", "cshake128", "cSHAKE128 takes no key of its own"),
    ] {
        refused(&["sum", "-a", algorithm, "--params", params, "f"], words);
    }
    let long = format!("customization={}", "x".repeat(257));
    let words = "the customization string of Ascon-CXOF128 has at most 256 bytes; 257 were given";
    refused(&["sum", "-a", "ascon-cxof128", "--params", &long, "f"], words);
    refused(&["sum", "-a", "tuplehash128", "--part-size", "1M", "f"], "does not hash parts");
    // Records that need a key, or take no customization string.
    let digest = "00".repeat(32);
    place.write("list", format!("KMAC128 (f) = {digest}\n"));
    let of_list = |args: &[&str]| -> Ran { place.run("hashmill", &[args, &["list"]].concat()) };
    let ran = of_list(&["check"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("list: KMAC128 needs a key"), "{}", ran.stderr);
    place.write("list", format!("SHA256 (f) = {digest}\n"));
    let ran = of_list(&["check", "--params", "customization=x"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("list: SHA-256 has no parameters"), "{}", ran.stderr);
    // A manifest has no key.
    let header = "# hashmill manifest 2\n# algorithm KMAC128\n";
    place.write("m", header);
    let ran = place.run("hashmill", &["manifest", "verify", "m", "."]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), ""), "{}", ran.stderr);
}

/// Parts are hashed with the parameters, too.
#[test]
fn parts_with_parameters() {
    let place = Place::new();
    let hash = |message: &[u8]| {
        hashmill::blake2b::Params::new().salt(b"s").hash(message).unwrap().as_ref().to_vec()
    };
    place.write("abc", "abc");
    let outer = hash(&[hash(b"ab"), hash(b"c")].concat());
    let line = format!("{}-2  abc\n", data_encoding::BASE64.encode(&outer));
    let sum = ["sum", "-a", "blake2b", "--params", "salt=s", "--part-size", "2", "abc"];
    place.run("hashmill", &sum).gave(0, &line, "");
}
