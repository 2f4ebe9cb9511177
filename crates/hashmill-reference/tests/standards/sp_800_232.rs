//! Ascon: the answers of the Ascon team, which `vectors/ascon.json` contains with their sources.

use crate::hex;
use hashmill_reference::ascon;

const ANSWERS: &str = include_str!("../../../../vectors/ascon.json");

/// One answer. The file has one a line.
struct Answer {
    customization: Vec<u8>,
    message: Vec<u8>,
    output: Vec<u8>,
}

/// Returns the answers of the function with that name.
fn answers(name: &str) -> Vec<Answer> {
    let start = format!("{{\"algorithm\":\"{name}\",");
    let lines = ANSWERS.lines().filter(|line| line.starts_with(&start));
    let field = |line: &str, before: &str| {
        line.split_once(before).map(|(_, rest)| hex(rest.split('"').next().unwrap_or_default()))
    };
    let answers = lines.map(|line| Answer {
        customization: field(line, "\"customization\":{\"hex\":\"").unwrap_or_default(),
        message: field(line, "\"message\":{\"hex\":\"").expect("a message"),
        output: field(line, "\"output\":\"").expect("an output"),
    });
    let answers: Vec<Answer> = answers.collect();
    assert!(answers.len() >= 10, "{name}");
    answers
}

#[test]
fn ascon_hash256() {
    for Answer { message, output, .. } in answers("Ascon-Hash256") {
        assert_eq!(ascon::ascon_hash256(&message)[..], output, "{} bytes", message.len());
    }
}

#[test]
fn ascon_xof128() {
    for Answer { message, output, .. } in answers("Ascon-XOF128") {
        let (len, ours) = (message.len(), ascon::ascon_xof128(&message, output.len()));
        assert_eq!(ours, output, "{len} bytes");
    }
}

#[test]
fn ascon_cxof128() {
    for Answer { customization, message, output } in answers("Ascon-CXOF128") {
        let case = format!("{} bytes, customization of {}", message.len(), customization.len());
        let ours = ascon::ascon_cxof128(&customization, &message, output.len());
        assert_eq!(ours, output, "{case}");
    }
}
