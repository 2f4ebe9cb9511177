//! Reads NIST's CAVP files and others of the same format: lines `Name = value`, with an answer
//! after each group of values.

use super::source::{Case, Chain, Monte, Skipped, algorithm, elsewhere};
use crate::common::answer::{Answer, Input, Output, hex};
use crate::common::published::{LastByte, first_bits};
use std::collections::BTreeMap;

type Record<'a> = BTreeMap<&'a str, &'a str>;

/// Returns each answer with the values that apply to it.
fn records(text: &str) -> Vec<(Record<'_>, Vec<u8>)> {
    let mut values = Record::new();
    let mut records = Vec::new();
    for line in text.lines().map(|line| line.trim().trim_matches(['[', ']'])) {
        match line.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
            _ if line.starts_with('#') => {}
            Some(("MD" | "Output" | "Squeezed", answer)) => {
                records.push((values.clone(), hex(answer)))
            }
            Some((name, value)) => drop(values.insert(name, value)),
            None => {}
        }
    }
    records
}

/// Reads a file of CAVP (or of RFC 4231), whose name contains the algorithm and the kind of test.
pub fn cavp(file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    if let Some(what) = elsewhere(file) {
        let cases = text.lines().filter(|line| line.starts_with("COUNT")).count();
        return (Vec::new(), vec![Skipped::new(cases, what)]);
    }
    let kinds = ["ShortMsg", "VariableOut", "Monte"];
    let (name, kind) = kinds
        .iter()
        .find_map(|kind| Some((file.strip_suffix(kind)?, *kind)))
        .unwrap_or((file.trim_start_matches("rfc-4231-"), "ShortMsg"));
    let algorithm = algorithm(name);
    let records = records(text);
    if kind != "Monte" {
        let cases =
            records.into_iter().map(|(values, answer)| short(algorithm, &values, answer)).collect();
        return (cases, Vec::new());
    }
    let first = &records[0].0;
    let bytes = |name| first[name].parse::<usize>().unwrap() / 8;
    let (chain, seed) = match first.get("Seed") {
        Some(seed) if algorithm.name().starts_with("SHA3") => (Chain::Sha3, seed),
        Some(seed) => (Chain::Sha2, seed),
        None => {
            let min_len = bytes("Minimum Output Length (bits)");
            let max_len = bytes("Maximum Output Length (bits)");
            (Chain::Shake { min_len, max_len }, &first["Msg"])
        }
    };
    let seed = hex(seed);
    let answers = records.into_iter().map(|(_, answer)| answer).collect();
    (vec![Case::Monte(Monte { algorithm, chain, seed, answers })], Vec::new())
}

/// Reads XKCP's ShortMsgKAT_* files. They have CAVP's format, with a partial last byte in the low
/// bits.
pub fn xkcp(file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    if let Some(name) = file.strip_prefix("ShortMsgKAT_") {
        let algorithm = algorithm(name);
        let cases =
            records(text).into_iter().map(|(values, answer)| short(algorithm, &values, answer));
        return (cases.collect(), Vec::new());
    }
    let skipped = match elsewhere(file) {
        Some(what) => Skipped::new(text.matches("KangarooTwelve(M").count(), what),
        None => Skipped { cases: 1, what: "intermediate values: no interface returns them".into() },
    };
    (Vec::new(), vec![skipped])
}

/// Reads NIST's samples for SP 800-185. The samples of cSHAKE with neither name nor customization
/// become cases of SHAKE, because both functions are the same then (SP 800-185 §3.3).
pub fn sp800_185(file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    let Some((_, name)) = file.split_once("Samples_c") else {
        let samples = text.matches("\"output\"").count();
        return (
            Vec::new(),
            vec![Skipped::new(
                samples,
                "cSHAKE, KMAC, TupleHash, ParallelHash: in tests/it/sp800_185",
            )],
        );
    };
    let algorithm = algorithm(name);
    let (shake, cshake): (Vec<_>, Vec<_>) = records(text)
        .into_iter()
        .partition(|(values, _)| (values["NLen"], values["SLen"]) == ("0", "0"));
    let skipped =
        (!cshake.is_empty()).then(|| Skipped::new(cshake.len(), "cSHAKE: in tests/it/sp800_185"));
    let cases =
        shake.into_iter().map(|(values, answer)| short(algorithm, &values, answer)).collect();
    (cases, skipped.into_iter().collect())
}

fn short(algorithm: hashmill::Algorithm, values: &Record, answer: Vec<u8>) -> Case {
    let bytes = hex(values["Msg"]);
    let len = values.get("Len").map_or(bytes.len() * 8, |len| len.parse().unwrap());
    let message = first_bits(&bytes, len, LastByte::AsIs);
    let name = match values.get("COUNT") {
        Some(count) => format!("COUNT = {count}"),
        None => format!("Len = {len}"),
    };
    let input = match values.get("Key") {
        Some(key) => Input::Hmac { key: hex(key), message: message.bytes, valid: true },
        None => Input::Hash { message },
    };
    Case::Answer(Answer { name, algorithm, input, output: Output::from(answer) })
}
