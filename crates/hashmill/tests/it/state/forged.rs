//! States that were written field by field, by the reference's grammar of all functions with states:
//! `import` accepts exactly those that the reference accepts, and the outputs that follow are equal.

use crate::common::continued::{LEN, output};
use crate::common::random::Random;
use hashmill::Error;
use hashmill_reference::states::{CODES, Refusal, checked, finish, write};
use std::fmt::Write;

/// Returns a count of bytes: small, near a power of two, or anything.
fn count(random: &mut Random) -> u128 {
    let near = 1_u128 << random.up_to(127);
    let off = random.up_to(400) as u128;
    match random.up_to(5) {
        0 => off,
        1 => random.up_to(30_000) as u128,
        2 => near.wrapping_sub(off),
        3 => near.wrapping_add(off),
        4 => u128::MAX - off,
        _ => (u128::from(random.next()) << 64 | u128::from(random.next())) >> random.up_to(127),
    }
}

/// Returns a state with a correct check. Half of them have changed bytes or another length.
fn forge(random: &mut Random, code: u8) -> Vec<u8> {
    let count = count(random);
    let mut body = write(code, count, || random.next() as u8);
    if random.up_to(1) == 0 {
        for _ in 0..random.up_to(2) {
            // Most fields of a state are in its first bytes.
            let at = 2 + random.up_to(body.len() - 3);
            let at = if random.up_to(2) == 0 { at } else { 2 + at % 46.min(body.len() - 2) };
            body[at] = [random.next() as u8, body[at] ^ 1, 0, 0xFF][random.up_to(3)];
        }
        match random.up_to(9) {
            0 => body.truncate(2 + random.up_to(body.len() - 2)),
            1 => body.push(random.next() as u8),
            _ => {}
        }
    }
    checked(&body)
}

#[test]
fn the_reference_decides() {
    let mut random = Random::new(37);
    let [mut good, mut refused, mut too_long, mut incomplete] = [0; 4];
    for round in 0..300 {
        for code in CODES {
            let state = forge(&mut random, code);
            let more = random.some_bytes([300, 3000, 20_000][round % 3]);
            let what = format!("state {state:02x?}, then {} bytes", more.len());
            let got = output(&state, &more);
            match finish(&state, &more, LEN) {
                Ok(expected) => {
                    assert_eq!(got.as_ref(), Ok(&expected), "{what}");
                    good += 1;
                }
                Err(Refusal::TooLong) => {
                    assert_eq!(got, Err(Error::MessageTooLong), "{what}");
                    too_long += 1;
                }
                Err(Refusal::Incomplete) => {
                    let is = matches!(got, Err(Error::ElementLength { given: 0, .. }));
                    assert!(is, "{got:?}: {what}");
                    incomplete += 1;
                }
                Err(Refusal::State) => {
                    let error = got.expect_err(&what);
                    let is = matches!(error, Error::StateDamaged | Error::StateInconsistent);
                    assert!(is, "{error}: {what}");
                    refused += 1;
                }
            }
        }
    }
    let counts = [good, refused, too_long, incomplete];
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

/// The states that the Python package's tests read: the file in `faces/python/tests` contains what
/// this test computes. With `HASHMILL_WRITE_STATES` set, the test writes the file.
#[test]
fn states_of_the_python_package() {
    let mut random = Random::new(38);
    let mut text = String::from("[\n");
    for code in CODES {
        for _ in 0..8 {
            let state = forge(&mut random, code);
            let more = random.some_bytes(100);
            let [state_hex, more_hex] = [&state, &more].map(|bytes| hex(bytes));
            let answer = match finish(&state, &more, 100) {
                Ok(output) => format!("\"output\": \"{}\"", hex(&output)),
                Err(refusal) => format!("\"refused\": \"{refusal:?}\""),
            };
            let row = format!("{{\"state\": \"{state_hex}\", \"more\": \"{more_hex}\", {answer}}}");
            writeln!(text, "{row},").expect("a string");
        }
    }
    let text = text.trim_end_matches(",\n").to_owned() + "\n]\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../faces/python/tests/states.json");
    if std::env::var_os("HASHMILL_WRITE_STATES").is_some() {
        std::fs::write(path, &text).expect("a file that can be written");
    }
    let file = std::fs::read_to_string(path).expect("the file of states");
    assert!(file == text, "states.json is old: run this test with HASHMILL_WRITE_STATES=1");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
