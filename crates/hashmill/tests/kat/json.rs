//! Reads the other JSON files: Wycheproof, the BLAKE2 KAT, RFC 9861, and the answers generated for
//! this project.

use super::source::{Case, Skipped, algorithm, elsewhere};
use crate::common::answer::{Answer, Input, Output, Params, bytes, hex};
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads Wycheproof's MacTest groups.
pub fn wycheproof(file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    let root: Value = serde_json::from_str(text).expect("JSON");
    if let Some(what) = elsewhere(file) {
        return (
            Vec::new(),
            vec![Skipped::new(root["numberOfTests"].as_u64().unwrap_or(0) as usize, what)],
        );
    }
    let name = root["algorithm"].as_str().expect("an algorithm");
    let algorithm = algorithm(name.strip_prefix("HMAC").expect("HMAC"));
    let mut cases = Vec::new();
    for group in root["testGroups"].as_array().expect("groups") {
        for test in group["tests"].as_array().expect("tests") {
            let field = |name: &str| hex(test[name].as_str().expect("hexadecimal"));
            let output = Output::from(field("tag"));
            assert_eq!(group["tagSize"].as_u64(), Some(output.bytes.len() as u64 * 8));
            let valid = match test["result"].as_str() {
                Some("valid") => true,
                Some("invalid") => false,
                other => panic!("{file}: result {other:?}"),
            };
            let input = Input::Hmac { key: field("key"), message: field("msg"), valid };
            let name = format!("tcId {} ({})", test["tcId"], test["comment"]);
            cases.push(Case::Answer(Answer { name, algorithm, input, output }));
        }
    }
    assert_eq!(root["numberOfTests"].as_u64(), Some(cases.len() as u64), "{file}");
    (cases, Vec::new())
}

/// Reads any other list of tests. One field of a test contains the algorithm, the others its input.
pub fn tests(_file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    let root: Value = serde_json::from_str(text).expect("JSON");
    let tests = root.as_array().or(root["tests"].as_array()).expect("tests");
    let mut cases = Vec::new();
    let mut skipped = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        let name = test["alg"].as_str().or(test["hash"].as_str()).expect("an algorithm");
        match elsewhere(name) {
            Some(what) => *skipped.entry(what).or_default() += 1,
            None => cases.push(Case::Answer(answer(name, number, test))),
        }
    }
    (cases, skipped.into_iter().map(|(what, cases)| Skipped::new(cases, what)).collect())
}

fn answer(name: &str, number: usize, test: &Value) -> Answer {
    let mac = name.strip_prefix("hmac-");
    let algorithm = algorithm(mac.unwrap_or(name));
    let message = match test["in"].as_str() {
        Some(digits) => hex(digits),
        None => bytes(&test["msg"]),
    };
    let bytes = hex(test["out"].as_str().expect("an output"));
    let out_len = test["outLen"].as_u64().map_or(bytes.len(), |len| len as usize);
    let last_bytes = test["lastBytes"].as_u64().map_or(out_len, |len| len as usize);
    assert_eq!(bytes.len(), last_bytes, "{test}");
    let output = Output { skip: out_len - bytes.len(), bytes, bits: 8 };
    let key = || test["key"].as_str().map(hex).unwrap_or_default();
    let input = if mac.is_some() {
        Input::Hmac { key: key(), message, valid: true }
    } else if let Some(domain) = test["D"].as_u64() {
        Input::Domain { domain: domain as u8, message }
    } else if algorithm.name().starts_with("BLAKE2") {
        let params = Params { key: key(), ..Params::new(out_len) };
        Input::Blake2 { params: params_of(&test["params"], params), message }
    } else {
        Input::Hash { message: message.into() }
    };
    Answer { name: format!("{name}, number {number}"), algorithm, input, output }
}

fn params_of(value: &Value, mut params: Params) -> Params {
    for (name, value) in value.as_object().into_iter().flatten() {
        let number = || value.as_u64().unwrap_or_else(|| panic!("{name}: {value}"));
        let digits = || hex(value.as_str().unwrap_or_else(|| panic!("{name}: {value}")));
        match name.as_str() {
            "digest_size" => assert_eq!(params.output_len, number() as usize),
            "key" => params.key = digits(),
            "salt" => params.salt = digits(),
            "person" => params.personal = digits(),
            "fanout" => params.fanout = number() as u8,
            "depth" => params.max_depth = number() as u8,
            "leaf_size" => params.leaf_len = number() as u32,
            "node_offset" => params.node_offset = number(),
            "node_depth" => params.node_depth = number() as u8,
            "inner_size" => params.inner_len = number() as usize,
            "last_node" => params.last_node = value.as_bool().expect("a truth value"),
            other => panic!("parameter {other}"),
        }
    }
    params
}
