//! The known answers of `self_test`, computed by the reference.

use hashmill::Algorithm;
use hashmill::function::{Function, Visitor};
use hashmill_reference::names;

const KEY: &[u8] = b"self-test";
const MESSAGES: usize = 36;
const SQUEEZED: usize = 400;

struct Answers;

impl Visitor for Answers {
    type Output = (&'static str, &'static str);

    fn visit<F: Function>(self) -> Self::Output {
        (F::FACTS.answers.digests, F::FACTS.answers.more)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_answers_are_the_references() {
    let pattern: Vec<u8> = (0..(MESSAGES - 1).pow(2)).map(|i| (i % 251) as u8).collect();
    let messages = || (0..MESSAGES).map(|i| &pattern[..i * i]);
    let mut wrong = Vec::new();
    for &algorithm in Algorithm::ALL {
        let name = algorithm.tag().to_lowercase();
        let hash = |message: &[u8]| names::hash(&name, message, None).expect("a reference");
        let digests: Vec<u8> = messages().flat_map(hash).collect();
        let macs = |message| names::hmac(&name, KEY, message).expect("a reference");
        let more = match (algorithm.is_xof(), algorithm.has_hmac()) {
            (true, _) => names::hash(&name, &pattern, Some(SQUEEZED)),
            (_, true) => Some(messages().flat_map(macs).collect()),
            _ => None,
        };
        let digests = hex(&hash(&digests));
        let more = more.map(|more| hex(&hash(&more))).unwrap_or_default();
        if algorithm.with(Answers) != (&*digests, &*more) {
            wrong.push(format!("{algorithm}: digests {digests}, more {more}"));
        }
    }
    assert!(wrong.is_empty(), "these are right:\n{}", wrong.join("\n"));
}
