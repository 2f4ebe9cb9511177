//! The answers of NIST's ACVP, including those of its Monte Carlo tests.

use super::bits::BitString;
use super::{Function, Input, on_every_backend};
use crate::common::answer::{Message, hex, to_hex};
use crate::common::published::{LastByte, first_bits, json, list, number, shared, text};
use hashmill::{Customization, FunctionName};
use serde_json::Value;

/// The contents of an ACVP file.
struct Acvp {
    function: &'static str,
    strength: u32,
    groups: Vec<Value>,
}

fn acvp() -> Vec<Acvp> {
    let mut files = Vec::new();
    for function in ["cSHAKE", "KMAC", "TupleHash", "ParallelHash"] {
        for strength in [128, 256] {
            if let Some(file) = shared(&format!("acvp/{function}-{strength}-1.0.json.gz")) {
                files.push(Acvp {
                    function,
                    strength,
                    groups: list(&json(&file)["testGroups"]).to_vec(),
                });
            }
        }
    }
    files
}

/// Parses a message. ACVP stores the bits of a partial last byte in its high positions, for inputs
/// and outputs.
fn message_of(digits: &Value, bits: &Value) -> Message {
    first_bits(&hex(text(digits)), number(bits), LastByte::Shifted)
}

fn output_of(digits: &Value, bits: usize) -> Vec<u8> {
    let mut output = hex(text(digits));
    assert_eq!(output.len(), bits.div_ceil(8));
    if let (Some(last), 1..=7) = (output.last_mut(), bits % 8) {
        *last >>= 8 - bits % 8;
    }
    output
}

impl Acvp {
    fn input(&self, group: &Value, test: &Value) -> Input {
        let function = match self.function {
            "cSHAKE" => Function::CShake { name: text(&test["functionName"]).into() },
            "KMAC" => Function::Kmac { key: message_of(&test["key"], &test["keyLen"]).bytes },
            "TupleHash" => Function::TupleHash,
            _ => Function::ParallelHash { block_len: number(&test["blockSize"]) },
        };
        let tuple = test["tuple"].as_array().map(|tuple| {
            let elements = tuple.iter().zip(list(&test["len"]));
            elements.map(|(element, len)| message_of(element, len).bytes).collect()
        });
        let message = match (&tuple, self.function) {
            (Some(_), _) => Message::default(),
            (None, "KMAC") => message_of(&test["msg"], &test["msgLen"]),
            (None, _) => message_of(&test["msg"], &test["len"]),
        };
        let custom = match group["hexCustomization"].as_bool() {
            Some(true) => hex(text(&test["customizationHex"])),
            _ => text(&test["customization"]).into(),
        };
        let len = test.get("outLen").or(test.get("macLen")).map_or(0, number);
        let input = Input::new(function, self.strength, message, 0);
        let xof = group["xof"].as_bool() == Some(true);
        Input { xof, custom, tuple: tuple.unwrap_or_default(), output_bits: len, ..input }
    }
}

#[test]
fn acvp_answers() {
    for file in acvp() {
        let (mut passed, mut refused, mut otherwise) = (0, 0, 0);
        for group in file.groups.iter().filter(|group| group["testType"] != "MCT") {
            for test in list(&group["tests"]) {
                let mut input = file.input(group, test);
                let digits = test.get("md").unwrap_or(&test["mac"]);
                let expected = output_of(digits, input.output_bits);
                let valid = test["testPassed"].as_bool() != Some(false);
                let what = format!("{}, {}", file.function, test["tcId"]);
                if test["keyLen"].as_u64().is_some_and(|bits| bits % 8 > 0) {
                    on_every_backend(|backend| {
                        let output = acvp_kmac_of_key_bits(&input, test);
                        assert_eq!(output == expected, valid, "{what}, {backend}");
                    });
                    otherwise += 1;
                    continue;
                }
                // NIST's generator computes the number of blocks from the number of whole bytes
                // (ACVP-Server, ParallelHashHelpers.FormatMessage), where §6.3 divides the number
                // of bits. If the last bits are a block by themselves, the generator does not hash
                // them.
                if let Function::ParallelHash { block_len } = input.function
                    && input.message.bits > 0
                    && input.message.bytes.len().is_multiple_of(block_len)
                {
                    input.check_differs(&expected);
                    input.message = input.message.bytes.into();
                    otherwise += 1;
                }
                on_every_backend(|backend| match valid {
                    true => input.check(&expected, format_args!("{what}, {backend}")),
                    false => input.check_differs(&expected),
                });
                if valid {
                    passed += 1;
                } else {
                    refused += 1;
                }
            }
        }
        println!(
            "{}-{}: {passed} answers, {refused} to be refused, {otherwise} deviate from the standard",
            file.function, file.strength
        );
        assert!(passed > 0);
    }
}

/// Computes KMAC from cSHAKE as NIST's generator does for a key whose last byte is partial: the
/// generator pads before the key's last bits, where §2.3.3 pads after them (issue 352 of
/// ACVP-Server).
fn acvp_kmac_of_key_bits(input: &Input, test: &Value) -> Vec<u8> {
    let rate = if input.strength == 128 { 168 } else { 136 };
    let key = BitString::default().left_encode(rate).left_encode(number(&test["keyLen"]));
    let key = key.push_all(&hex(text(&test["key"]))).bytepad(rate);
    let bound = if input.xof { 0 } else { input.output_bits };
    let message = BitString::default().push_message(&input.message).right_encode(bound);
    let (whole, last) = message.bytes.split_at(message.len / 8);
    with!(input.strength, Type = CShake128 | CShake256 => {
        let mut hash = Type::new(FunctionName(b"KMAC"), Customization(&input.custom));
        hash.update(&key.bytes).update(whole);
        let last = last.first().copied().unwrap_or(0);
        let mut reader = hash.squeeze_bits(last, (message.len % 8) as u32).expect("bits");
        let mut out = vec![0; input.output_bits.div_ceil(8)];
        reader.fill(&mut out);
        input.cut(out)
    })
}

impl Input {
    fn check_differs(&self, expected: &[u8]) {
        for (how, output) in self.outputs() {
            assert_ne!(to_hex(&output), to_hex(expected), "{how}: {self:?}");
        }
    }
}

/// The Monte Carlo tests of ACVP's draft-celi-acvp-xof §6. They compute 1,000 outputs between one
/// answer and the next. Each output determines the next input, its customization string, and the
/// length of its output.
#[test]
fn acvp_monte_carlo() {
    for file in acvp() {
        for group in file.groups.iter().filter(|group| group["testType"] == "MCT") {
            for test in list(&group["tests"]) {
                on_every_backend(|backend| file.monte_carlo(group, test, backend));
            }
        }
    }
}

impl Acvp {
    fn monte_carlo(&self, group: &Value, test: &Value, backend: &str) {
        let [min, max, increment] =
            ["minOutLen", "maxOutLen", "outLenIncrement"].map(|name| number(&group[name]));
        let mut input = self.input(group, test);
        input.output_bits = max;
        let mut previous = match input.tuple.first() {
            Some(first) => first.clone(),
            None => input.message.bytes.clone(),
        };
        if let Function::ParallelHash { block_len } = &mut input.function {
            *block_len = number(&group["minBlockSize"]);
        }
        for (round, answer) in list(&test["resultsArray"]).iter().enumerate() {
            let mut bits = 0;
            for _ in 0..1000 {
                let taken = if self.function == "TupleHash" { 36 } else { 16 };
                previous.resize(previous.len().max(taken), 0);
                let mut chosen = previous[..taken].to_vec();
                if self.function == "TupleHash" {
                    let elements = usize::from(chosen[0] >> 5) % 4 + 1;
                    input.tuple = chosen.chunks(36 / elements).map(<[u8]>::to_vec).collect();
                    chosen = input.tuple[0].clone();
                } else {
                    input.message = chosen.clone().into();
                }
                previous = input.one_output();
                bits = input.output_bits;
                let last_bits = last_16(&previous, bits);
                let range = max - min + 1;
                input.output_bits = min + usize::from(last_bits) % range / increment * increment;
                if let Function::ParallelHash { block_len } = &mut input.function {
                    let [min, max] =
                        ["minBlockSize", "maxBlockSize"].map(|name| number(&group[name]));
                    *block_len = min + usize::from(last_bits % 256) % (max - min + 1);
                }
                chosen.extend(last_bits.to_be_bytes());
                input.custom = chosen.iter().map(|byte| byte % 26 + b'A').collect();
                // ACVP's bit strings store the last bits in the high positions.
                if let (Some(last), 1..=7) = (previous.last_mut(), bits % 8) {
                    *last <<= 8 - bits % 8;
                }
            }
            let what = format!("{}-{}, {backend}, round {round}", self.function, self.strength);
            assert_eq!(bits, number(&answer["outLen"]), "{what}");
            assert_eq!(to_hex(&previous), text(&answer["md"]).to_ascii_lowercase(), "{what}");
        }
    }
}

/// Returns the last 16 bits of an output. The bits of a partial last byte are its low ones.
fn last_16(output: &[u8], bits: usize) -> u16 {
    let (&last, whole) = output.split_last().expect("32 bytes and more");
    let over = bits % 8;
    let end = u32::from_be_bytes(*[&[0; 1], whole].concat().last_chunk().expect("three bytes"));
    match over {
        0 => (end << 8) as u16 | u16::from(last),
        _ => (end << over) as u16 | u16::from(last),
    }
}
