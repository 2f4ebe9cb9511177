//! Published answers: NIST's samples, Wycheproof's, and this project's.

use super::{Function, Input, on_every_backend};
use crate::common::answer::{bytes, hex};
use crate::common::published::{LastByte, first_bits, json, list, number, shared, text};
use serde_json::Value;

/// Parses a name such as `kmac256xof`: returns the function, its strength, and whether it is the
/// XOF.
fn by_name(name: &str, test: &Value) -> Option<(Function, u32, bool)> {
    let (start, xof) = match name.strip_suffix("xof") {
        Some(start) => (start, true),
        None => (name, false),
    };
    let strength = if start.ends_with("128") { 128 } else { 256 };
    let function = match start.strip_suffix(&strength.to_string())? {
        "cshake" => {
            let name = test.get("N").map(|n| hex(text(n)));
            let given = test.get("NISTfn").map(|n| text(n).as_bytes().to_vec());
            Function::CShake { name: name.or(given).expect("a name") }
        }
        "kmac" => Function::Kmac { key: hex(text(&test["key"])) },
        "tuplehash" => Function::TupleHash,
        "parallelhash" => {
            let block_len = test.get("blockSize").unwrap_or(&test["blockLen"]);
            Function::ParallelHash { block_len: number(block_len) }
        }
        _ => return None,
    };
    Some((function, strength, xof))
}

/// NIST's samples, "cSHAKE Samples" and so on, printed with the standard.
#[test]
fn nist_samples() {
    let Some(samples) = shared("sp800-185-samples/samples.json.gz") else { return };
    let samples = json(&samples);
    let mut answers = Vec::new();
    for test in samples.as_object().expect("lists").values().flat_map(list) {
        let (function, strength, xof) = by_name(text(&test["fn"]), test).expect("a function");
        let tuple =
            test["data"].as_array().map(|tuple| tuple.iter().map(|e| hex(text(e))).collect());
        let message = if tuple.is_some() { Vec::new() } else { hex(text(&test["data"])) };
        let custom = text(&test["personalization"]).as_bytes().to_vec();
        let len = number(&test["dkLen"]);
        let input = Input::new(function, strength, message, len);
        let input = Input { xof, custom, tuple: tuple.unwrap_or_default(), ..input };
        answers.push((input, hex(text(&test["output"]))));
    }
    assert_eq!(answers.len(), 42);
    on_every_backend(|backend| {
        for (input, output) in &answers {
            input.check(output, backend);
        }
    });
}

/// The samples of cSHAKE in the format of CAVP's files.
#[test]
fn cshake_samples() {
    for (strength, folder) in [(128, "cSHAKE128"), (256, "cSHAKE256")] {
        for kind in ["Short", "Custom"] {
            let Some(file) = shared(&format!("sp800-185-samples/{kind}MsgSamples_{folder}.txt.gz"))
            else {
                continue;
            };
            let mut values = std::collections::BTreeMap::new();
            let mut count = 0;
            for line in file.lines() {
                let Some((name, value)) = line.split_once(" = ") else { continue };
                values.insert(name, value);
                if name != "MD" {
                    continue;
                }
                let string = |name, len| {
                    let len = values[len].parse::<usize>().expect("a length");
                    first_bits(&hex(values[name]), len, LastByte::AsIs).bytes
                };
                let function = Function::CShake { name: string("N", "NLen") };
                let output = hex(value);
                let input = Input::new(function, strength, string("Msg", "Len"), output.len());
                let input = Input { custom: string("S", "SLen"), ..input };
                on_every_backend(|backend| input.check(&output, backend));
                count += 1;
            }
            println!("{count} answers for {folder}, {kind}");
            assert!(count > 0);
        }
    }
}

#[test]
fn generated_answers() {
    let Some(file) = shared("generated/generated.json.gz") else { return };
    let file = json(&file);
    let mut answers = Vec::new();
    for test in list(&file["tests"]) {
        let Some((function, strength, xof)) = by_name(text(&test["alg"]), test) else { continue };
        let tuple =
            test["tuple"].as_array().map(|tuple| tuple.iter().map(|e| hex(text(e))).collect());
        let message = if tuple.is_some() { Vec::new() } else { bytes(&test["msg"]) };
        let input = Input::new(function, strength, message, number(&test["outLen"]));
        let custom = hex(text(&test["S"]));
        let input = Input { xof, custom, tuple: tuple.unwrap_or_default(), ..input };
        answers.push((input, hex(text(&test["out"]))));
    }
    assert_eq!(answers.len(), 14 * 25);
    on_every_backend(|backend| {
        for (input, output) in &answers {
            input.check(output, backend);
        }
    });
}

/// Wycheproof's tags, some of which must be refused.
#[test]
fn wycheproof() {
    for strength in [128, 256] {
        let path = format!("wycheproof/kmac{strength}_no_customization_test.json.gz");
        let Some(file) = shared(&path) else { return };
        let file = json(&file);
        let mut count = 0;
        for group in list(&file["testGroups"]) {
            for test in list(&group["tests"]) {
                let [key, message, tag] = ["key", "msg", "tag"].map(|name| hex(text(&test[name])));
                let valid = text(&test["result"]) == "valid";
                on_every_backend(|backend| {
                    with!(strength, Type = Kmac128 | Kmac256 => {
                        let mut kmac = Type::new(&key, hashmill::Customization(b""));
                        kmac.update(&message);
                        let verified = match tag.len() {
                            16 => kmac.verify::<16>(tag[..].try_into().unwrap()),
                            32 => kmac.verify::<32>(tag[..].try_into().unwrap()),
                            64 => kmac.verify::<64>(tag[..].try_into().unwrap()),
                            other => panic!("a tag of {other} bytes"),
                        };
                        assert_eq!(verified.is_ok(), valid, "{backend}, {test}");
                    });
                });
                count += 1;
            }
        }
        assert_eq!(count, number(&file["numberOfTests"]));
    }
}
