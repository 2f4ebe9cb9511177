//! Ascon: the answers of the Ascon team and of NIST, which `vectors/ascon.json` contains with their
//! sources.

use crate::hex;
use hashmill_reference::{Bits, ascon};

const ANSWERS: &str = include_str!("../../../../vectors/ascon.json");

/// One answer. The file has one a line.
#[derive(Debug)]
struct Answer {
    customization: Vec<u8>,
    message: Vec<u8>,
    /// The byte of the further bits, and their number.
    last: (u8, u32),
    output: Vec<u8>,
}

impl Answer {
    fn message(&self) -> Bits<'_> {
        let (last_byte, bits) = self.last;
        Bits { bytes: &self.message, last_byte, bits }
    }
}

/// Returns the published answers of the function with that name.
fn answers(name: &str) -> Vec<Answer> {
    let start = format!("{{\"algorithm\":\"{name}\",");
    let published = ANSWERS.split("\"computed\"").next().expect("two lists");
    let lines = published.lines().filter(|line| line.starts_with(&start));
    let field = |line: &str, before: &str| {
        line.split_once(before).map(|(_, rest)| hex(rest.split('"').next().unwrap_or_default()))
    };
    let number = |line: &str| line.split_once("\"bits\":")?.1.split(',').next()?.parse().ok();
    let last = |line: &str| Some((field(line, "\"last\":\"")?[0], number(line)?));
    let answers = lines.map(|line| {
        Some(Answer {
            customization: field(line, "\"customization\":{\"hex\":\"").unwrap_or_default(),
            message: field(line.split_once("\"message\":")?.1, "\"hex\":\"")?,
            last: last(line).unwrap_or_default(),
            output: field(line, "\"output\":\"")?,
        })
    });
    let answers: Option<Vec<Answer>> = answers.collect();
    let answers = answers.expect("a message and an output in each line");
    assert!(answers.len() >= 10, "{name}");
    answers
}

#[test]
fn ascon_hash256() {
    for answer in answers("Ascon-Hash256") {
        assert_eq!(ascon::ascon_hash256_bits(answer.message())[..], answer.output, "{answer:?}");
    }
}

#[test]
fn ascon_xof128() {
    let answers = answers("Ascon-XOF128");
    assert!(answers.iter().any(|answer| answer.last.1 > 0));
    for answer in answers {
        let ours = ascon::ascon_xof128_bits(answer.message(), answer.output.len());
        assert_eq!(ours, answer.output, "{answer:?}");
    }
}

#[test]
fn ascon_cxof128() {
    for answer in answers("Ascon-CXOF128") {
        let (custom, len) = (&answer.customization, answer.output.len());
        let ours = ascon::ascon_cxof128_bits(custom, answer.message(), len);
        assert_eq!(ours, answer.output, "{answer:?}");
    }
}
