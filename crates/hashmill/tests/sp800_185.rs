//! cSHAKE, KMAC, TupleHash and ParallelHash: published answers, and agreement with the reference, on every
//! backend of this machine.

mod common;
#[path = "kat/source.rs"]
#[allow(dead_code, reason = "only a part is used")]
mod source;

use common::answer::{Message, bytes, hex, ptn, to_hex};
use common::backends;
use common::random::Random;
use hashmill::{Algorithm, Error, XofReader};
use hashmill_reference::{Bits, keccak, sp800_185 as reference};
use serde_json::Value;
use source::{LastByte, first_bits};
use std::path::Path;

/// Calls a function with each backend that Keccak has here, forced.
fn on_every_backend(test: impl FnMut(&str)) {
    backends::each_of(Algorithm::Shake128, test);
}

/// The type of a strength, under one name.
macro_rules! with {
    ($strength:expr, $Type:ident = $T128:ident | $T256:ident => $body:expr) => {
        match $strength {
            128 => {
                type $Type = hashmill::$T128;
                $body
            }
            256 => {
                type $Type = hashmill::$T256;
                $body
            }
            other => panic!("strength {other}"),
        }
    };
}

/// The function of a strength.
macro_rules! function {
    ($strength:expr, $module:ident::{$f128:ident | $f256:ident}($($argument:expr),*)) => {
        match $strength {
            128 => $module::$f128($($argument),*),
            _ => $module::$f256($($argument),*),
        }
    };
}

const RATES: [(u32, usize); 2] = [(128, 168), (256, 136)];

#[derive(Clone, Debug, PartialEq)]
enum Function {
    CShake { name: Vec<u8> },
    Kmac { key: Vec<u8> },
    TupleHash,
    ParallelHash { block_len: usize },
}

/// One input; for TupleHash the message has no bytes and `tuple` counts.
#[derive(Clone, Debug)]
struct Input {
    function: Function,
    strength: u32,
    xof: bool,
    custom: Vec<u8>,
    message: Message,
    tuple: Vec<Vec<u8>>,
    output_bits: usize,
}

impl Input {
    fn new(function: Function, strength: u32, message: impl Into<Message>, len: usize) -> Input {
        Input {
            function,
            strength,
            xof: false,
            custom: Vec::new(),
            message: message.into(),
            tuple: Vec::new(),
            output_bits: 8 * len,
        }
    }

    /// Every interface's output.
    fn outputs(&self) -> Vec<(&'static str, Vec<u8>)> {
        let len = self.output_bits.div_ceil(8);
        let Message { bytes: message, last, bits } = &self.message;
        let (last, bits) = (*last, *bits);
        let whole = bits == 0 && self.output_bits.is_multiple_of(8);
        let mut random = Random::new((message.len() + len) as u64);
        let pieces = random.pieces(message, [1, 100, 5000][message.len() % 3]);
        let mut outputs = Vec::new();
        let mut add = |how, output: Vec<u8>| outputs.push((how, output));
        let squeeze = |reader: Result<XofReader, Error>| {
            let mut reader = reader.expect("at most 7 bits");
            let mut out = vec![0; len];
            let (head, rest) = out.split_at_mut(len / 3);
            reader.fill(head);
            reader.fill(rest);
            self.cut(out)
        };
        // The outputs of a type that has both forms.
        macro_rules! both {
            ($hash:expr) => {{
                let hash = $hash;
                let mut out = vec![0xA5; len];
                if self.xof {
                    add("finalize_xof_bits", squeeze(hash.finalize_xof_bits(last, bits)));
                    if bits == 0 {
                        add("finalize_xof", squeeze(Ok(hash.finalize_xof())));
                    }
                } else {
                    hash.finalize_bits_into(last, bits, self.output_bits, &mut out).expect("bits");
                    add("finalize_bits_into", out.clone());
                    if whole {
                        hash.finalize_into(&mut out);
                        add("finalize_into", out);
                    }
                }
            }};
        }
        match &self.function {
            Function::CShake { name } => with!(self.strength, Type = CShake128 | CShake256 => {
                           let mut hash = Type::new(name, &self.custom);
                           for piece in &pieces {
            hash.update(piece);
            }
                           add("finalize_xof_bits", squeeze(hash.finalize_xof_bits(last, bits)));
                           if whole {
                               add("finalize_xof", squeeze(Ok(hash.finalize_xof())));
                               let mut out = vec![0; 2 * len];
                               let (head, rest) = message.split_at(message.len() / 2);
                               let mut begun = Type::new(name, &self.custom);
                               begun.update(head).finish_many(&[rest, rest], len, &mut out);
                               add("many, first", out[..len].to_vec());
                               add("many, second", out[len..].to_vec());
                               let call: [u8; 32] = function!(
                                   self.strength,
                                   hashmill::{cshake128 | cshake256}(message, name, &self.custom)
                               ).into();
                               let rest = squeeze(Ok(hash.finalize_xof()));
                               add("one call", [&call[..len.min(32)], &rest[len.min(32)..]].concat());
                           }
                       }),
            Function::Kmac { key } => with!(self.strength, Type = Kmac128 | Kmac256 => {
                                       let mut keyed = Type::new(key, &self.custom);
                       let mut hash = keyed.clone();
                                       for piece in &pieces {
            hash.update(piece);
            }
                                       both!(&hash);
                                       if whole && !self.xof {
                                           let mut out = vec![0; 3 * len];
                                           let (head, rest) = message.split_at(message.len() / 3);
                                           keyed.update(head).finish_many(&[rest, rest, rest], len, &mut out);
                                           add("many, first", out[..len].to_vec());
                                           add("many, last", out[2 * len..].to_vec());
                                       }
                                       if whole && !self.xof && len == 32 {
                                           let call: [u8; 32] = function!(
                                               self.strength,
                                               hashmill::{kmac128 | kmac256}(key, message, &self.custom)
                                           ).into();
                                           add("one call", call.to_vec());
                                           let mut tag = call;
                                           assert_eq!(hash.verify(&tag), Ok(()));
                                           tag[message.len() % 32] ^= 1 << (message.len() % 8);
                                           assert_eq!(hash.verify(&tag), Err(Error::TagMismatch));
                                           assert_eq!(hash.verify(tag.first_chunk::<31>().unwrap()), Err(Error::TagMismatch));
                                       }
                                   }),
            Function::TupleHash => with!(self.strength, Type = TupleHash128 | TupleHash256 => {
                let (mut whole, mut parts) = (Type::new(&self.custom), Type::new(&self.custom));
                for element in &self.tuple {
                    whole.element(element);
                    let mut part = parts.begin(element.len() as u64);
                    for piece in random.pieces(element, 200) {
                        part.update(piece).expect("no more than announced");
                    }
                    part.end().expect("all that was announced");
                }
                for (how, hash) in [("whole", whole), ("in parts", parts)] {
                    if self.xof {
                        add(how, squeeze(Ok(hash.finalize_xof())));
                    } else {
                        let mut out = vec![0; len];
                        hash.finalize_into(&mut out);
                        add(how, out);
                    }
                }
                if !self.xof && len == 32 {
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{tuple_hash128 | tuple_hash256}(&self.tuple, &self.custom)
                    ).into();
                    add("one call", call.to_vec());
                }
            }),
            Function::ParallelHash { block_len } => {
                with!(self.strength, Type = ParallelHash128 | ParallelHash256 => {
                                   let new = || Type::new(*block_len, &self.custom).expect("a length of blocks");
                                   let (mut hash, mut at_once) = (new(), new());
                                   for piece in &pieces {
                hash.update(piece);
                }
                                   both!(&hash);
                                   at_once.update(message);
                                   both!(&at_once);
                               });
                if whole && !self.xof && len == 32 {
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{parallel_hash128 | parallel_hash256}(message, *block_len, &self.custom)
                    ).expect("a length of blocks").into();
                    add("one call", call.to_vec());
                }
            }
        }
        outputs
    }

    /// Without the bits of the last byte that are too many.
    fn cut(&self, mut output: Vec<u8>) -> Vec<u8> {
        if let (Some(last), 1..=7) = (output.last_mut(), self.output_bits % 8) {
            *last &= 0xFF >> (8 - self.output_bits % 8);
        }
        output
    }

    fn one_output(&self) -> Vec<u8> {
        self.outputs().remove(0).1
    }

    /// What the reference gives, which computes with whole bytes.
    fn reference(&self) -> Vec<u8> {
        assert!(self.message.bits == 0 && self.output_bits.is_multiple_of(8));
        let (message, custom, len) = (&self.message.bytes, &self.custom, self.output_bits / 8);
        let tuple: Vec<&[u8]> = self.tuple.iter().map(Vec::as_slice).collect();
        match (&self.function, self.xof) {
            (Function::CShake { name }, _) => {
                function!(self.strength, reference::{cshake128 | cshake256}(message, len, name, custom))
            }
            (Function::Kmac { key }, false) => {
                function!(self.strength, reference::{kmac128 | kmac256}(key, message, len, custom))
            }
            (Function::Kmac { key }, true) => function!(
                self.strength,
                reference::{kmac128_xof | kmac256_xof}(key, message, len, custom)
            ),
            (Function::TupleHash, false) => {
                function!(self.strength, reference::{tuple_hash128 | tuple_hash256}(&tuple, len, custom))
            }
            (Function::TupleHash, true) => function!(
                self.strength,
                reference::{tuple_hash128_xof | tuple_hash256_xof}(&tuple, len, custom)
            ),
            (&Function::ParallelHash { block_len }, false) => function!(
                self.strength,
                reference::{parallel_hash128 | parallel_hash256}(message, block_len, len, custom)
            ),
            (&Function::ParallelHash { block_len }, true) => function!(
                self.strength,
                reference::{parallel_hash128_xof | parallel_hash256_xof}(message, block_len, len, custom)
            ),
        }
    }

    /// Every interface gives `expected`.
    fn check(&self, expected: &[u8], what: impl std::fmt::Display) {
        for (how, output) in self.outputs() {
            assert_eq!(to_hex(&output), to_hex(expected), "{what}, {how}: {self:?}");
        }
    }
}

/// A file of answers of `shared/vectors`, if it is there.
fn shared(path: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(path);
    path.exists().then(|| source::read(&path))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}")) as usize
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

/// `kmac256xof` to its function and whether it is the XOF.
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

/// The samples of cSHAKE in the form of CAVP's files.
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

/// Wycheproof's tags, some of which are to be refused.
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
                        let mut kmac = Type::new(&key, b"");
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

/// A file of ACVP's.
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

/// ACVP keeps the bits of a last, partial byte in its high positions, for inputs and outputs.
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
                // NIST's generator takes the number of blocks from the whole bytes (ACVP-Server,
                // ParallelHashHelpers.FormatMessage) where §6.3 divides the number of bits: bits that are
                // a block by themselves are not hashed there.
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
            "{}-{}: {passed} answers, {refused} to be refused, {otherwise} not as the standard has it",
            file.function, file.strength
        );
        assert!(passed > 0);
    }
}

/// NIST's generator pads a key whose last byte is not whole before its last bits, where §2.3.3 pads after
/// them (issue 352 of ACVP-Server); so KMAC is put together from cSHAKE here.
fn acvp_kmac_of_key_bits(input: &Input, test: &Value) -> Vec<u8> {
    let rate = if input.strength == 128 { 168 } else { 136 };
    let key = BitString::default().left_encode(rate).left_encode(number(&test["keyLen"]));
    let key = key.push_all(&hex(text(&test["key"]))).bytepad(rate);
    let bound = if input.xof { 0 } else { input.output_bits };
    let message = BitString::default().push_message(&input.message).right_encode(bound);
    let (whole, last) = message.bytes.split_at(message.len / 8);
    with!(input.strength, Type = CShake128 | CShake256 => {
        let mut hash = Type::new(b"KMAC", &input.custom);
        hash.update(&key.bytes).update(whole);
        let last = last.first().copied().unwrap_or(0);
        let mut reader = hash.finalize_xof_bits(last, (message.len % 8) as u32).expect("bits");
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

/// The Monte Carlo tests of ACVP's draft-celi-acvp-xof §6: 1,000 outputs between one answer and the next,
/// each of which chooses the next input, its customization string, and the length of its output.
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
                // As ACVP's bit strings keep it: the last bits are the high ones.
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

/// The last 16 bits of an output, where those of a partial last byte are its low ones.
fn last_16(output: &[u8], bits: usize) -> u16 {
    let (&last, whole) = output.split_last().expect("32 bytes and more");
    let over = bits % 8;
    let end = u32::from_be_bytes(*[&[0; 1], whole].concat().last_chunk().expect("three bytes"));
    match over {
        0 => (end << 8) as u16 | u16::from(last),
        _ => (end << over) as u16 | u16::from(last),
    }
}

/// §3.3: with neither name nor customization string cSHAKE is SHAKE.
#[test]
fn cshake_without_strings_is_shake() {
    for len in [0, 1, 135, 136, 167, 168, 500] {
        let message = ptn(len);
        assert_eq!(hashmill::cshake128::<99>(&message, b"", b""), hashmill::shake128(&message));
        assert_eq!(hashmill::cshake256::<99>(&message, b"", b""), hashmill::shake256(&message));
    }
}

/// §2.3.3: strings of every length from none to two blocks, with which bytepad has everything to add, one
/// byte, or nothing.
#[test]
fn bytepad_of_every_length() {
    on_every_backend(|backend| {
        for (strength, rate) in RATES {
            let string = ptn(2 * rate + 3);
            for len in 0..=2 * rate + 3 {
                let varied = string[..len].to_vec();
                for fixed in [0, 1, 31, 32, rate - 6, rate] {
                    let fixed = string[..fixed].to_vec();
                    for (name, custom) in [(&varied, &fixed), (&fixed, &varied)] {
                        let function = Function::CShake { name: name.clone() };
                        let input = Input::new(function, strength, *b"message", 40);
                        let input = Input { custom: custom.clone(), ..input };
                        input.check(&input.reference(), backend);
                    }
                }
                for custom in [0, 7, rate - 9, rate] {
                    let function = Function::Kmac { key: varied.clone() };
                    let input = Input::new(function, strength, *b"message", 32);
                    let input = Input { custom: string[..custom].to_vec(), ..input };
                    input.check(&input.reference(), backend);
                }
                for function in [Function::TupleHash, Function::ParallelHash { block_len: 8 }] {
                    let input = Input::new(function, strength, *b"message", 32);
                    let input = Input { custom: varied.clone(), ..input };
                    input.check(&input.reference(), backend);
                }
            }
        }
    });
}

impl From<[u8; 7]> for Message {
    fn from(bytes: [u8; 7]) -> Message {
        bytes.to_vec().into()
    }
}

/// KMAC's messages end in the output's length: messages with which that goes past the end of a block, for
/// outputs whose length takes one, two, three bytes.
#[test]
fn kmac_around_the_ends_of_blocks() {
    on_every_backend(|backend| {
        for (strength, rate) in RATES {
            for len in (0..12).chain(rate - 12..rate + 3).chain(2 * rate - 12..2 * rate + 3) {
                for output_len in [1, 31, 32, 8192] {
                    for xof in [false, true] {
                        let function = Function::Kmac { key: ptn(32) };
                        let input = Input::new(function, strength, ptn(len), output_len);
                        let input = Input { xof, ..input };
                        input.check(&input.reference(), backend);
                    }
                }
            }
        }
    });
}

fn random_input(random: &mut Random, strength: u32, rate: usize) -> Input {
    let function = match random.up_to(3) {
        0 => Function::CShake { name: random.some_bytes(20) },
        1 => Function::Kmac { key: random.some_bytes(2 * rate) },
        2 => Function::TupleHash,
        _ => {
            let block_len =
                [1, 2, 7, 8, 63, 64, 167, 168, 169, 1000, 8192, 1 << 40][random.up_to(11)];
            Function::ParallelHash { block_len }
        }
    };
    // Blocks of one byte are as many hashes as bytes.
    let most = match function {
        Function::ParallelHash { block_len } => (block_len.min(10_000) * 20).min(40_000),
        _ => 1500,
    };
    let message =
        if function == Function::TupleHash { Vec::new() } else { random.some_bytes(most) };
    let tuple = match function {
        Function::TupleHash => (0..random.up_to(6)).map(|_| random.some_bytes(400)).collect(),
        _ => Vec::new(),
    };
    let len = [32, random.up_to(400)][random.up_to(1)];
    let input = Input::new(function, strength, message, len);
    Input { xof: random.up_to(1) == 1, custom: random.some_bytes(40), tuple, ..input }
}

#[test]
fn random_inputs() {
    on_every_backend(|backend| {
        let mut random = Random::new(3);
        for (strength, rate) in RATES {
            for _ in 0..300 {
                let input = random_input(&mut random, strength, rate);
                input.check(&input.reference(), backend);
            }
        }
    });
}

/// A string of bits, the first one lowest in its byte (FIPS 202 §B.1).
#[derive(Default)]
struct BitString {
    bytes: Vec<u8>,
    len: usize,
}

impl BitString {
    fn push(mut self, bytes: &[u8], bits: usize) -> Self {
        for i in 0..bits {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.len / 8] |= (bytes[i / 8] >> (i % 8) & 1) << (self.len % 8);
            self.len += 1;
        }
        self
    }

    fn push_all(self, bytes: &[u8]) -> Self {
        self.push(bytes, 8 * bytes.len())
    }

    fn push_message(self, message: &Message) -> Self {
        self.push_all(&message.bytes).push(&[message.last], message.bits as usize)
    }

    /// §2.3.1, for less than 2^24.
    fn encoded(x: usize) -> Vec<u8> {
        (x as u32).to_be_bytes().into_iter().skip_while(|&byte| byte == 0).collect()
    }

    fn left_encode(self, x: usize) -> Self {
        let bytes = if x == 0 { vec![0] } else { Self::encoded(x) };
        self.push_all(&[bytes.len() as u8]).push_all(&bytes)
    }

    fn right_encode(self, x: usize) -> Self {
        let bytes = if x == 0 { vec![0] } else { Self::encoded(x) };
        let len = [bytes.len() as u8];
        self.push_all(&bytes).push_all(&len)
    }

    fn bytepad(self, rate: usize) -> Self {
        let missing = self.len.next_multiple_of(8 * rate) - self.len;
        self.push_all(&vec![0; missing / 8 + 1][..missing / 8]).push(&[0], missing % 8)
    }

    fn sponge(&self, rate: usize, suffix: &[u8], output_bits: usize) -> Vec<u8> {
        let (bytes, last) = self.bytes.split_at(self.len / 8);
        let bits = Bits {
            bytes,
            last_byte: last.first().copied().unwrap_or(0),
            bits: (self.len % 8) as u32,
        };
        let mut output = keccak::sponge(24, 1600 - 8 * rate, bits, suffix, output_bits.div_ceil(8));
        if let (Some(last), 1..=7) = (output.last_mut(), output_bits % 8) {
            *last &= 0xFF >> (8 - output_bits % 8);
        }
        output
    }

    /// §4.3 before the message.
    fn kmac(rate: usize, key: &[u8], custom: &[u8]) -> Self {
        let padded = BitString::default().left_encode(rate).left_encode(8 * key.len());
        let padded = padded.push_all(key).bytepad(rate);
        BitString::cshake(rate, b"KMAC", custom).push_all(&padded.bytes)
    }

    /// §3.3 before the message; the name is not empty.
    fn cshake(rate: usize, name: &[u8], custom: &[u8]) -> Self {
        let start =
            BitString::default().left_encode(rate).left_encode(8 * name.len()).push_all(name);
        start.left_encode(8 * custom.len()).push_all(custom).bytepad(rate)
    }
}

/// Messages and outputs of any number of bits: the sections' definitions, over the reference's sponge.
#[test]
fn lengths_in_bits() {
    let bits_of = |random: &mut Random, most: usize| Message {
        bytes: random.some_bytes(most),
        last: random.up_to(255) as u8,
        bits: random.up_to(7) as u32,
    };
    on_every_backend(|backend| {
        let mut random = Random::new(4);
        for (strength, rate) in RATES {
            for _ in 0..200 {
                let message = bits_of(&mut random, 400);
                let custom = random.some_bytes(20);
                let output_bits = random.up_to(2000);
                let (xof, bound) = [(false, output_bits), (true, 0)][random.up_to(1)];

                let name = random.bytes(5);
                let function = Function::CShake { name: name.clone() };
                let input = Input::new(function, strength, message.clone(), 0);
                let input = Input { xof, custom: custom.clone(), output_bits, ..input };
                let string = BitString::cshake(rate, &name, &custom).push_message(&message);
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);

                let key = random.some_bytes(2 * rate);
                let string = BitString::kmac(rate, &key, &custom);
                let string = string.push_message(&message).right_encode(bound);
                let input = Input { function: Function::Kmac { key }, ..input };
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);

                let block_len = 1 + random.up_to(200);
                let message_bits = 8 * message.bytes.len() + message.bits as usize;
                let whole = BitString::default().push_message(&message);
                let mut string =
                    BitString::cshake(rate, b"ParallelHash", &custom).left_encode(block_len);
                let blocks = message_bits.div_ceil(8 * block_len);
                for block in 0..blocks {
                    let start = block * block_len;
                    let bits = (message_bits - 8 * start).min(8 * block_len);
                    let block = BitString::default().push(&whole.bytes[start..], bits);
                    string = string.push_all(&block.sponge(rate, &[1; 4], 2 * strength as usize));
                }
                let string = string.right_encode(blocks).right_encode(bound);
                let input = Input { function: Function::ParallelHash { block_len }, ..input };
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);
            }
        }
    });
}

/// Numbers of blocks around those of the lanes and of what is hashed at once, from any beginning.
#[test]
fn parallel_hash_of_many_blocks() {
    on_every_backend(|backend| {
        for (strength, _) in RATES {
            for block_len in [1, 100, 168, 1000] {
                for blocks in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 129] {
                    for extra in [0, 1] {
                        let message = ptn(blocks * block_len + extra);
                        let function = Function::ParallelHash { block_len };
                        let input = Input::new(function, strength, message.clone(), 32);
                        let expected = input.reference();
                        let what =
                            format!("{strength}, {backend}, {blocks} × {block_len} + {extra}");
                        for first in [0, 1, block_len - 1, block_len, block_len + 1] {
                            let (head, rest) = message.split_at(first.min(message.len()));
                            with!(strength, Type = ParallelHash128 | ParallelHash256 => {
                                let mut hash = Type::new(block_len, b"").expect("a length of blocks");
                                let digest = hash.update(head).update(rest).finalize::<32>();
                                assert_eq!(digest[..], expected, "{what}, the first {first}");
                            });
                        }
                    }
                }
            }
        }
    });
}

/// Tags of many messages of mixed lengths, and cSHAKE's outputs, after a common beginning.
#[test]
fn many_messages() {
    on_every_backend(|backend| {
        let mut random = Random::new(5);
        for (count, most) in [(0, 0), (1, 500), (9, 0), (33, 32), (100, 700), (20, 168)] {
            for (strength, rate) in RATES {
                let messages: Vec<Vec<u8>> = (0..count).map(|_| random.some_bytes(most)).collect();
                for start in [0, 1, rate - 10, rate - 1, rate, rate + 5] {
                    let (key, custom, start) = (random.bytes(32), random.some_bytes(9), ptn(start));
                    let len = 1 + random.up_to(300);
                    let mut tags = vec![0; count * len];
                    let mut outputs = tags.clone();
                    with!(strength, Type = Kmac128 | Kmac256 => {
                        let mut kmac = Type::new(&key, &custom);
                        kmac.update(&start).finish_many(&messages, len, &mut tags);
                    });
                    with!(strength, Type = CShake128 | CShake256 => {
                        let mut cshake = Type::new(&key, &custom);
                        cshake.update(&start).finish_many(&messages, len, &mut outputs);
                    });
                    for (i, message) in messages.iter().enumerate() {
                        let what = format!("{strength}, {backend}, {count} messages, {i}");
                        let message = [&start[..], message].concat();
                        let input =
                            Input::new(Function::Kmac { key: key.clone() }, strength, message, len);
                        let input = Input { custom: custom.clone(), ..input };
                        assert_eq!(tags[i * len..][..len], input.reference(), "{what}");
                        let function = Function::CShake { name: key.clone() };
                        let input = Input { function, ..input };
                        assert_eq!(outputs[i * len..][..len], input.reference(), "{what}");
                    }
                }
            }
        }
    });
}

#[test]
fn elements_that_are_not_what_was_announced() {
    for (strength, _) in RATES {
        with!(strength, Type = TupleHash128 | TupleHash256 => {
            let mut tuple = Type::new(b"");
            tuple.element(b"first");
            let expected = tuple.finalize::<32>();
            assert_eq!(tuple.begin(3).end(), Err(Error::ElementLength));
            let mut element = tuple.begin(3);
            assert_eq!(element.update(b"abcd").err(), Some(Error::ElementLength));
            element.update(b"ab").expect("two of three");
            assert_eq!(element.update(b"cd").err(), Some(Error::ElementLength));
            drop(element);
            tuple.begin(u64::MAX).update(b"beginning").expect("more may come");
            assert_eq!(tuple.finalize::<32>(), expected, "the tuple is without them");
            let mut element = tuple.begin(3);
            element.update(b"ab").expect("two of three").update(b"c").expect("the third");
            element.end().expect("three of three");
            tuple.begin(0).end().expect("none of none");
            let mut whole = Type::new(b"");
            whole.element(b"first").element(b"abc").element(b"");
            assert_eq!(tuple.finalize::<32>(), whole.finalize());
        });
    }
}

#[test]
fn what_is_refused() {
    for (strength, _) in RATES {
        with!(strength, Type = ParallelHash128 | ParallelHash256 => {
            assert_eq!(Type::new(0, b"").err(), Some(Error::BlockLength));
            let hash = Type::new(1, b"").expect("a length of blocks");
            assert_eq!(hash.finalize_bits_into(0, 8, 8, &mut [0]), Err(Error::TooManyBits));
            assert_eq!(hash.finalize_bits_into(0, 0, 9, &mut [0]), Err(Error::OutputLength));
            assert!(hash.finalize_xof_bits(0, u32::MAX).is_err());
        });
        with!(strength, Type = Kmac128 | Kmac256 => {
            let kmac = Type::new(b"", b"");
            assert_eq!(kmac.finalize_bits_into(0, 8, 8, &mut [0]), Err(Error::TooManyBits));
            assert_eq!(kmac.finalize_bits_into(0, 0, 0, &mut [0]), Err(Error::OutputLength));
            assert_eq!(kmac.finalize_bits_into(0, 0, 0, &mut []), Ok(()));
            assert!(kmac.finalize_xof_bits(0, u32::MAX).is_err());
        });
        with!(strength, Type = CShake128 | CShake256 => {
            assert_eq!(Type::new(b"", b"").finalize_xof_bits(0, 8).err(), Some(Error::TooManyBits));
        });
    }
}

/// Readers, writers and iterators; and absorbing goes on after an output.
#[test]
fn other_ways_in() {
    macro_rules! ways {
        ($new:expr, $finalize:expr) => {{
            let message = ptn(40_000);
            let mut whole = $new;
            whole.update(&message);
            let expected = $finalize(&whole);
            let mut halves = $new;
            halves.update(&message[..20_000]);
            let _ = $finalize(&halves);
            halves.update(&message[20_000..]);
            assert_eq!($finalize(&halves), expected);
            let mut copied = $new;
            std::io::copy(&mut &message[..], &mut copied).expect("a slice can be read");
            assert_eq!($finalize(&copied), expected);
            let mut read = $new;
            assert_eq!(read.update_reader(&message[..]).expect("a slice can be read"), 40_000);
            assert_eq!($finalize(&read), expected);
            let mut extended = $new;
            extended.extend(&message);
            assert_eq!($finalize(&extended.clone()), expected);
            assert!(format!("{extended:?}").ends_with(" { .. }"), "{extended:?}");
        }};
    }
    for (strength, _) in RATES {
        with!(strength, Type = CShake128 | CShake256 => {
            ways!(Type::new(b"N", b"S"), |hash: &Type| hash.finalize_xof().take(50).collect::<Vec<_>>());
        });
        with!(strength, Type = Kmac128 | Kmac256 => {
            ways!(Type::new(b"K", b"S"), |hash: &Type| hash.finalize::<50>());
        });
        with!(strength, Type = ParallelHash128 | ParallelHash256 => {
            let new = || Type::new(1000, b"S").expect("a length of blocks");
            ways!(new(), |hash: &Type| hash.finalize::<50>());
        });
    }
}
