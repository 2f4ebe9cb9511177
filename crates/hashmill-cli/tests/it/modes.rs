//! Keys, BLAKE2's parameters, parts, and JSON.

use crate::common::{A, A_BLAKE2B, B, Place};
use hashmill::{Algorithm, LastNode, blake2b, blake2bp, blake2s, blake2xb, blake2xs};
use serde_json::{Value, json};

/// RFC 4231 §4.3 (test case 2).
const JEFE_SHA256: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn hmac() {
    let place = Place::new();
    place
        .write("data", "what do ya want for nothing?")
        .write("key", "Jefe")
        .write("hex", "4a 65".replace(' ', "") + "6665\n");
    place.write("base64", "SmVmZQ==\n");
    let line = format!("{JEFE_SHA256}  data\n");
    for source in [
        &["--key-file", "key"][..],
        &["--key-file", "hex", "--key-encoding", "hex"],
        &["--key-file", "base64", "--key-encoding=base64"],
        &["--key-env", "KEY"],
    ] {
        let run = |options: &[&str]| {
            let mut command = place.command("hashmill");
            command.env("KEY", "Jefe").args(options).args(source);
            let output = command.output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(run(&["sum", "--hmac", "data"]), line);
        let tagged = run(&["sum", "--hmac", "--tag", "data"]);
        assert_eq!(tagged, format!("HMAC-SHA256 (data) = {JEFE_SHA256}\n"));
        // OpenSSL's format is also accepted, and lines without a tag.
        let openssl = format!("HMAC-SHA2-256(data)= {JEFE_SHA256}\n");
        place.write("list", format!("{tagged}{line}{openssl}"));
        assert_eq!(run(&["check", "--strict", "--hmac", "list"]), "data: OK\n".repeat(3));
        assert_eq!(run(&["check", "--hmac", JEFE_SHA256, "data"]), "data: OK\n");
    }
    // The key can be read from standard input.
    let ran = place.run_with("hashmill", &["sum", "--hmac", "--key-file", "-", "data"], b"Jefe");
    ran.gave(0, &line, "");
    // HMAC with every function of fixed output length.
    for algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.has_hmac()) {
        let tag = algorithm.hmac(b"Jefe").unwrap().update(b"a").finalize();
        place
            .run("hashmill", &["sum", "--hmac", "--key-file=key", "-a", algorithm.name(), "f"])
            .gave(0, &format!("{tag}  f\n"), "");
    }
}

#[test]
fn a_digest_without_the_key_does_not_pass_for_one_with_it() {
    let place = Place::new();
    place.write("key", "Jefe").write("list", format!("SHA256 (f) = {A}\n{A}  f\nsha256:{A}  f\n"));
    let ran = place.run("hashmill", &["check", "--hmac", "--key-file", "key", "list"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), "f: FAILED\n"));
    place.write("list", format!("SHA256 (f) = {A}\nBLAKE2b (f) = {A_BLAKE2B}\n{A_BLAKE2B}  f\n"));
    let ran = place.run("hashmill", &["check", "--keyed", "--key-file", "key", "list"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(1), "f: FAILED\nf: FAILED\n"));
    // Without the key, a digest with a key is not accepted.
    place.write("list", format!("HMAC-SHA256 (f) = {A}\n"));
    let none = "hashmill: list: no properly formatted checksum lines found\n\
                hashmill: if it is no list: hashmill sum list, hashmill check DIGEST list\n";
    place.run("hashmill", &["check", "list"]).gave(1, "", none);
}

#[test]
fn parameters_of_blake2() {
    let place = Place::new();
    place.write("key", [7; 32]);
    let keyed = blake2b::Params::new().key(&[7; 32]).build().unwrap().update(b"a").finalize();
    let args = ["--keyed", "--key-file", "key"];
    let sum = |args: &[&str]| place.run("hashmill", &[&["sum", "f"], args].concat());
    sum(&[&args[..], &["-a", "blake2b"]].concat()).gave(0, &format!("{keyed}  f\n"), "");
    place.write("list", format!("BLAKE2b (f) = {keyed}\n{keyed}  f\n"));
    let check = [&["check", "--strict", "list"], &args[..]].concat();
    place.run("hashmill", &check).gave(0, "f: OK\nf: OK\n", "");

    let parameters = [
        "--salt=hex:00ff",
        "--personal=app",
        "--fanout=2",
        "--max-depth=3",
        "--leaf-length=4096",
        "--node-offset=5",
        "--node-depth=1",
        "--inner-length=32",
        "--last-node",
    ];
    let digest = blake2b::Params::new()
        .output_len(20)
        .salt(&[0, 255])
        .personal(b"app")
        .fanout(2)
        .max_depth(3)
        .leaf_len(4096)
        .node_offset(5)
        .node_depth(1)
        .inner_len(32)
        .last_node(LastNode::Yes)
        .build()
        .unwrap()
        .update(b"a")
        .finalize();
    sum(&[&["-a", "blake2b-160"], &parameters[..]].concat()).gave(0, &format!("{digest}  f\n"), "");
    let digest = blake2s::Params::new()
        .node_offset(1 << 40)
        .fanout(0)
        .build()
        .unwrap()
        .update(b"a")
        .finalize();
    sum(&["-a", "blake2s", "--node-offset", "1099511627776", "--fanout", "0"]).gave(
        0,
        &format!("{digest}  f\n"),
        "",
    );
    let digest = blake2bp::Params::new()
        .key(&[7; 32])
        .salt(b"s")
        .personal(b"p")
        .build()
        .unwrap()
        .update(b"a")
        .finalize();
    sum(&[&args[..], &["-a", "blake2bp", "--salt", "s", "--personal", "p"]].concat()).gave(
        0,
        &format!("{digest}  f\n"),
        "",
    );
}

/// The output length is a parameter, so a longer output does not begin with a shorter one.
#[test]
fn blake2x() {
    let place = Place::new();
    place.write("key", [7; 32]);
    let sum = |args: &[&str]| place.run("hashmill", &[&["sum", "f"], args].concat());
    let line = |digest: &dyn std::fmt::Display| format!("{digest}  f\n");
    sum(&["-a", "blake2xb"]).gave(0, &line(&blake2xb::<64>(b"a")), "");
    sum(&["-a", "blake2xs"]).gave(0, &line(&blake2xs::<32>(b"a")), "");
    sum(&["-a", "blake2xb-800"]).gave(0, &line(&blake2xb::<100>(b"a")), "");
    sum(&["-a", "blake2xs", "-l", "8"]).gave(0, &line(&blake2xs::<1>(b"a")), "");
    let longest = blake2xs::<0xFFFE>(b"a");
    let tagged = format!("BLAKE2Xs-524272 (f) = {longest}\n");
    sum(&["-a", "blake2xs-524272", "--tag"]).gave(0, &tagged, "");
    let list = format!("{tagged}BLAKE2Xb (f) = {}\n", blake2xb::<64>(b"a"));
    place.write("list", list);
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, "f: OK\nf: OK\n", "");

    let params = blake2b::Params::new().key(&[7; 32]).salt(&[0, 255]).personal(b"app");
    let mut digest = [0; 100];
    let mut hasher = params.build_xof(Some(100)).unwrap();
    hasher.update(b"a").squeeze().try_fill(&mut digest).unwrap();
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let args = ["--keyed", "--key-file=key", "--salt=hex:00ff", "--personal=app"];
    sum(&[&["-a", "blake2xb-800"], &args[..]].concat()).gave(0, &line(&digest), "");
    // One block of output, computed from its parameters: a tree of depth 0.
    let root = blake2b::Params::new().node_offset(1 << 32).hash(b"a").unwrap();
    place.write("root", root);
    let node = ["-a", "blake2b-8", "--fanout=0", "--max-depth=0", "--leaf-length=64"];
    let node = [&["sum", "root", "--inner-length=64", "--node-offset=4294967296"], &node[..]];
    let block = format!("{}  root\n", blake2xb::<1>(b"a"));
    place.run("hashmill", &node.concat()).gave(0, &block, "");
}

#[test]
fn misuse() {
    let place = Place::new();
    place
        .write("key", "Jefe")
        .write("empty", "")
        .write("long", vec![b'k'; 65])
        .write("endless", vec![b'k'; 70_000]);
    for (args, status, words) in [
        (&["--hmac"][..], 2, "--key-file <FILE>|--key-env <NAME>"),
        (&["--key-file", "key"], 2, "--hmac|--keyed"),
        (&["--hmac", "--keyed", "--key-file", "key"], 2, "cannot be used with"),
        (&["--hmac", "--key-file", "nosuch"], 1, "nosuch: No such file or directory"),
        (&["--hmac", "--key-file", "empty"], 1, "empty: the key is empty"),
        (&["--hmac", "--key-file", "endless"], 1, "endless: the key is longer than 65536 bytes"),
        (
            &["--hmac", "--key-env", "HASHMILL_NO_SUCH"],
            1,
            "'HASHMILL_NO_SUCH' is not set in the environment",
        ),
        (
            &["--hmac", "--key-file", "key", "--key-encoding", "hex"],
            1,
            "key: the key is not written as --key-encoding says",
        ),
        (&["--keyed", "--key-file", "key"], 2, "SHA-256 takes no key of its own: use --hmac"),
        (
            &["--keyed", "--key-file", "long", "-a", "blake2b"],
            2,
            "BLAKE2b: the key is longer than 64 bytes",
        ),
        (
            &["--hmac", "--key-file", "key", "-a", "shake128"],
            2,
            "SHAKE128: HMAC is defined only for",
        ),
        (
            &["--hmac", "--key-file", "key", "-a", "ascon-hash256"],
            2,
            "Ascon-Hash256: HMAC is defined only for",
        ),
        (&["--hmac", "--key-file", "key", "-a", "md5"], 2, "HMAC with MD5 is not supported"),
        (&["--hmac", "--key-file", "key", "-a", "blake2b-160"], 2, "HMAC uses the whole digest"),
        (
            &["--hmac", "--key-file", "key", "-a", "blake2b", "--salt", "x"],
            2,
            "HMAC does not take salt",
        ),
        (&["--salt", "x"], 2, "SHA-256 has no parameters"),
        (&["-a", "blake2s", "--salt", "123456789"], 2, "BLAKE2s: the salt is longer"),
        (
            &["-a", "blake2b", "--personal", "hex:0"],
            2,
            "'--personal <TEXT>': hex: must be followed by pairs of hexadecimal digits",
        ),
        (
            &["-a", "blake2bp", "--fanout", "2"],
            2,
            "BLAKE2bp does not take fanout; it takes salt, personal",
        ),
        (&["-a", "blake2xb", "--max-depth", "0"], 2, "BLAKE2Xb does not take max-depth"),
        (
            &["-a", "blake2xb", "--hmac", "--key-file", "key"],
            2,
            "HMAC with BLAKE2Xb is not supported",
        ),
        (&["-a", "blake2xs", "--keyed", "--key-file", "long"], 2, "BLAKE2Xs: the key is longer"),
        (&["-a", "blake2xs", "-l", "524280"], 2, "BLAKE2Xs cannot make a digest of 524280 bits"),
        (&["--part-size", "0"], 2, "a size is a number of bytes"),
        (&["--part-size", "8M", "--hmac", "--key-file", "key"], 2, "cannot be used with"),
    ] {
        let ran = place.run("hashmill", &[&["sum", "f"], args].concat());
        assert_eq!(
            (ran.status, ran.text().as_str()),
            (Some(status), ""),
            "{args:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("Jefe"), "{args:?}: {}", ran.stderr);
    }
}

/// The checksum of a multipart upload is the checksum of the parts' checksums, followed by the
/// number of parts.
#[test]
fn parts() {
    let place = Place::new();
    let content: Vec<u8> = (0..20_000u32).map(|i| ((i * i) >> 5) as u8).collect();
    place.write("content", &content).write("empty", "");
    let composite = |algorithm: Algorithm, len: usize| {
        let parts: Vec<u8> =
            content.chunks(len).flat_map(|part| algorithm.hash(part).to_vec()).collect();
        let encoded = data_encoding::BASE64.encode(&algorithm.hash(&parts));
        format!("{encoded}-{}", content.len().div_ceil(len))
    };
    let run = |args: &[&str]| place.run("hashmill", &[&["sum", "content"], args].concat()).text();
    for len in [1, 999, 5000, 8192, 19_999, 20_000, 20_001] {
        let size = len.to_string();
        let expected = composite(Algorithm::Sha256, len);
        assert_eq!(run(&["--part-size", &size]), format!("{expected}  content\n"));
        let line = format!(
            "SHA256 (content) = {expected}\nBLAKE2b (content) = {}\n",
            composite(Algorithm::Blake2b, len)
        );
        assert_eq!(run(&["-a", "sha256", "-a", "blake2b", "--part-size", &size]), line);
        place.write("list", line);
        let ok = "content: OK\n";
        place.run("hashmill", &["check", "--strict", "--part-size", &size, "list"]).gave(
            0,
            &ok.repeat(2),
            "",
        );
        place
            .run(
                "hashmill",
                &["check", "--part-size", &size, &format!("sha256:{expected}"), "content"],
            )
            .gave(0, ok, "");
        place
            .run("hashmill", &["check", "--part-size", &size, &expected, "content"])
            .gave(0, ok, "");
        let wrong = format!("{expected}1");
        assert_eq!(
            place.run("hashmill", &["check", "--part-size", &size, &wrong, "content"]).status,
            Some(1)
        );
    }
    // An ETag is MD5 in hexadecimal. For two parts, "a" and "b", it is the MD5 of their MD5s;
    // computed with Python's hashlib.
    place.write("ab", "ab");
    let etag = "96e024ba2074fe77e8e965ba43a704be-2";
    let ran = place.run("hashmill", &["sum", "-a", "md5", "--part-size", "1", "ab"]);
    ran.gave(0, &format!("{etag}  ab\n"), "");
    place
        .run("hashmill", &["check", "--part-size", "1", &format!("md5:{etag}"), "ab"])
        .gave(0, "ab: OK\n", "");
    // An empty message has one empty part.
    let empty = data_encoding::BASE64.encode(&hashmill::sha256(&hashmill::sha256(b"")[..])[..]);
    place.run("hashmill", &["sum", "--part-size", "8MiB", "empty"]).gave(
        0,
        &format!("{empty}-1  empty\n"),
        "",
    );
}

#[cfg(unix)]
#[test]
fn json_of_sum() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let odd = std::ffi::OsStr::from_bytes(b"i\xff");
    place.write(odd, "a").write("é\n\"", "");
    let mut command = place.command("hashmill");
    command.args(["sum", "--json", "-a", "sha256", "-a", "crc", "f", "é\n\"", "nosuch"]).arg(odd);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let empty = hashmill::sha256(b"").to_string();
    assert_eq!(
        records(&String::from_utf8(output.stdout).unwrap()),
        [
            json!({"name": "f", "size": 1, "digests": {"SHA256": A, "CRC": "48c279fe"}}),
            json!({"name": "é\n\"", "size": 0, "digests": {"SHA256": empty, "CRC": "ffffffff"}}),
            json!({"name_base64": "af8=", "size": 1, "digests": {"SHA256": A, "CRC": "48c279fe"}}),
        ]
    );
    // Digests are in the requested order.
    let text = place
        .run("hashmill", &["sum", "--json", "-a", "sha512", "-a", "md5", "--base64", "f"])
        .text();
    assert!(text.starts_with(r#"{"name":"f","size":1,"digests":{"SHA512":""#), "{text}");
    assert!(text.ends_with("\"MD5\":\"DMF1ucDxtqgxw5niaXcmYQ==\"}}\n"), "{text}");
}

#[test]
fn json_of_check() {
    let place = Place::new();
    place.write("list", format!("{A}  f\nSHA256 (g) = {A}\njunk\n{A}  nosuch\n"));
    let ran = place.run("hashmill", &["check", "--json", "list"]);
    assert_eq!(ran.status, Some(1));
    let ok = json!({"name": "f", "algorithm": "SHA256", "expected": A, "status": "ok", "list": "list", "line": 1});
    let all = [
        ok,
        json!({"name": "g", "algorithm": "SHA256", "expected": A, "status": "failed", "list": "list", "line": 2}),
        json!({"list": "list", "line": 3, "status": "improper"}),
        json!({"name": "nosuch", "algorithm": "SHA256", "expected": A, "status": "unreadable", "error": "No such file or directory", "list": "list", "line": 4}),
    ];
    assert_eq!(records(&ran.text()), all);
    let quiet = place.run("hashmill", &["check", "--json", "--quiet", "list"]).text();
    assert_eq!(records(&quiet), all[1..]);
    assert_eq!(place.run("hashmill", &["check", "--json", "--status", "list"]).text(), "");
    let ran = place.run("hashmill", &["check", "--json", B, "g"]);
    assert_eq!(
        records(&ran.text()),
        [json!({"name": "g", "algorithm": "SHA256", "expected": B, "status": "ok"})]
    );
}

/// `--params` has the same effect as the options that it names.
#[test]
fn parameters_in_one_option() {
    let place = Place::new();
    place.write("key,1", "secret");
    for (params, options) in [
        ("hmac,key-file=key\\,1", &["--hmac", "--key-file=key,1"][..]),
        ("key-file=key\\,1,hmac", &["--hmac", "--key-file=key,1"]),
        ("salt=hex:00ff,personal=a=b", &["-ablake2b", "--salt=hex:00ff", "--personal=a=b"]),
        (
            "fanout=2,max-depth=2,last-node",
            &["-ablake2s", "--fanout=2", "--max-depth=2", "--last-node"],
        ),
    ] {
        let algorithm: Vec<&str> =
            options.iter().copied().filter(|option| option.starts_with("-a")).collect();
        let expected = place.run("hashmill", &[&["sum"], options, &["f"]].concat());
        assert_eq!(expected.status, Some(0), "{expected:?}");
        let one = format!("--params={params}");
        let ran = place.run("hashmill", &[&["sum"], &*algorithm, &[&one, "f"]].concat());
        assert_eq!(ran, expected, "{params}");
        let ran =
            place.run("hashmill", &[&["sum", "--params", params], &*algorithm, &["f"]].concat());
        assert_eq!(ran, expected, "{params}");
        place.write("list", &expected.stdout);
        let check = [&["check"], &*algorithm, &[&one, "list"]].concat();
        place.run("hashmill", &check).gave(0, "f: OK\n", "");
    }
    for (params, said) in [
        ("salz=1", "there is no \"salz\"; there are hmac, keyed, key-file"),
        ("json", "there is no \"json\""),
        ("fanout=x", "invalid value 'x' for '--fanout <N>'"),
        ("", "there is no \"\""),
    ] {
        let ran = place.run("hashmill", &["sum", "--params", params, "f"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{params}: {}", ran.stderr);
    }
    assert_eq!(place.run("hashmill", &["sum", "f", "--params"]).status, Some(2));
    // After `--`, there are only names.
    let none = "hashmill: --params: No such file or directory\n";
    place.run("hashmill", &["sum", "--", "--params"]).gave(1, "", none);
}
