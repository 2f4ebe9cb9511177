//! Reads NIST's ACVP files: test groups of type AFT, VOT (single answers), MCT (Monte Carlo) and
//! LDT (large data).

use super::source::{Case, Chain, Large, Monte, Skipped, algorithm, elsewhere};
use crate::common::answer::{Answer, Input, Output, hex};
use crate::common::published::{LastByte, first_bits};
use hashmill::Algorithm;
use serde_json::Value;

/// The bit conventions of a file, which depend on its algorithm and revision.
struct Bits {
    message: LastByte,
    output: LastByte,
}

pub fn acvp(file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    let root: Value = serde_json::from_str(text).expect("JSON");
    let name = str(&root["algorithm"]);
    let groups = root["testGroups"].as_array().expect("test groups");
    let tests = |group: &Value| group["tests"].as_array().expect("tests").clone();
    if let Some(what) = elsewhere(name).or(elsewhere(file)) {
        let cases = groups.iter().map(|group| tests(group).len()).sum();
        return (Vec::new(), vec![Skipped::new(cases, what)]);
    }
    let mac = name.strip_prefix("HMAC-");
    let algorithm = algorithm(mac.unwrap_or(name));
    let bits = match (name.starts_with("SHA2"), str(&root["revision"])) {
        (true, _) => Bits { message: LastByte::AsIs, output: LastByte::AsIs },
        (false, "FIPS202") => Bits { message: LastByte::AsIs, output: LastByte::Shifted },
        (false, _) => Bits { message: LastByte::Shifted, output: LastByte::AsIs },
    };
    let mut cases = Vec::new();
    for group in groups {
        for test in &tests(group) {
            cases.push(match str(&group["testType"]) {
                "AFT" | "VOT" if mac.is_some() => Case::Answer(hmac(algorithm, group, test)),
                "AFT" | "VOT" => Case::Answer(hash(algorithm, &bits, test)),
                "MCT" => Case::Monte(monte(algorithm, group, test)),
                "LDT" => Case::Large(large(algorithm, test)),
                other => panic!("{file}: test type {other}"),
            });
        }
    }
    (cases, Vec::new())
}

fn hash(algorithm: Algorithm, bits: &Bits, test: &Value) -> Answer {
    let message = first_bits(&hex(str(&test["msg"])), len(&test["len"]), bits.message);
    let mut output = Output::from(hex(str(&test["md"])));
    if let Some(out_len) = test["outLen"].as_u64() {
        output.bits = match out_len % 8 {
            0 => 8,
            bits => bits as u32,
        };
        assert_eq!(output.bytes.len() as u64, out_len.div_ceil(8), "{test}");
        if let (LastByte::Shifted, Some(last)) = (bits.output, output.bytes.last_mut()) {
            *last >>= 8 - output.bits;
        }
    }
    Answer { name: id(test), algorithm, input: Input::Hash { message }, output }
}

/// Reads a test of HMAC. The lengths are fields of the group (revision 1.0) or of the test (2.0).
/// All are multiples of 8 bits here.
fn hmac(algorithm: Algorithm, group: &Value, test: &Value) -> Answer {
    let field = |name: &str, len_name: &str| {
        let bytes = hex(str(&test[name]));
        let bits = group[len_name].as_u64().or(test[len_name].as_u64());
        assert_eq!(Some(bytes.len() as u64 * 8), bits, "{len_name} of {test}");
        bytes
    };
    let (key, message) = (field("key", "keyLen"), field("msg", "msgLen"));
    let output = Output::from(field("mac", "macLen"));
    Answer { name: id(test), algorithm, input: Input::Hmac { key, message, valid: true }, output }
}

fn monte(algorithm: Algorithm, group: &Value, test: &Value) -> Monte {
    let seed = hex(str(&test["msg"]));
    let chain = match (str(&group["mctVersion"]), algorithm.is_xof()) {
        ("standard", true) => Chain::Shake {
            min_len: len(&group["minOutLen"]) / 8,
            max_len: len(&group["maxOutLen"]) / 8,
        },
        ("standard", _) if algorithm.name().starts_with("SHA3") => Chain::Sha3,
        ("standard", _) => Chain::Sha2,
        ("alternate", false) if !algorithm.name().starts_with("SHA3") => Chain::Sha2Alternate,
        other => panic!("{algorithm}: Monte Carlo of kind {other:?}"),
    };
    let results = test["resultsArray"].as_array().expect("results");
    Monte {
        algorithm,
        chain,
        seed,
        answers: results.iter().map(|result| hex(str(&result["md"]))).collect(),
    }
}

fn large(algorithm: Algorithm, test: &Value) -> Large {
    let large = &test["largeMsg"];
    assert_eq!(str(&large["expansionTechnique"]), "repeating");
    let content = hex(str(&large["content"]));
    assert_eq!(content.len() * 8, len(&large["contentLength"]));
    let len = large["fullLength"].as_u64().expect("a length") / 8;
    Large { algorithm, content, len, digest: hex(str(&test["md"])) }
}

fn id(test: &Value) -> String {
    format!("tcId {}", test["tcId"])
}

fn str(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

fn len(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("not a length: {value}")) as usize
}
