//! Hashes some messages of one length. `model.py` counts the instructions that this takes.

use hashmill::{Algorithm, VarDigest, backend};
use std::env;
use std::hint::black_box;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [algorithm, backend, count, len, times] = &arguments[..] else {
        panic!("arguments: an algorithm, a backend, how many messages, their length, and how often")
    };
    let algorithm: Algorithm = algorithm.parse().expect("an algorithm");
    backend::force(Some(backend)).expect("a backend of this CPU");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let (count, len, times) = (number(count), number(len), number(times));
    let messages: Vec<Vec<u8>> = (0..count).map(|i| vec![i as u8; len]).collect();
    let mut digests = vec![VarDigest::default(); count];
    let hasher = algorithm.hasher();
    for _ in 0..times {
        let messages = black_box(&messages[..]);
        if let [message] = messages {
            digests[0] = hasher.finish(message);
        } else {
            hasher.finish_many(messages, &mut digests).expect("as many digests");
        }
        black_box(&mut digests);
    }
}
