//! Whole messages, for every residue of their length and of the lengths of their updates, modulo
//! the block.
//!
//! A stream's steps depend on how many bytes wait and how many are new, not on their values.
//! Therefore, if one update after every number of waiting bytes leads to the state of the whole
//! message so far, any number of updates does. If, in addition, every length has the standard's
//! digest, every split of the message has it, too. Together with
//! `every_length_to_four_blocks_and_some_beyond`, these tests cover all residues. That longer runs
//! of blocks are absorbed as short ones is part of the kernels' proofs (`cargo xtask prove`).

use crate::common::{reference, stride};
use hashmill::Algorithm;

/// Returns bytes in which no two blocks are equal.
fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251 * 13) as u8).collect()
}

/// Returns the exported state after two updates: the words, the bytes that wait, and the number of
/// bytes absorbed.
fn state(algorithm: Algorithm, updates: [&[u8]; 2]) -> Vec<u8> {
    let mut hasher = algorithm.hasher();
    for bytes in updates {
        hasher.update(bytes);
    }
    hasher.export().expect("a state").as_ref().to_vec()
}

#[test]
fn every_update_after_every_number_of_waiting_bytes() {
    for &algorithm in Algorithm::ALL {
        if stride(algorithm) > algorithm.block_len() {
            continue; // a tree: its leaves are streams of this kind
        }
        let block = algorithm.block_len();
        let bytes = message(4 * block);
        let states: Vec<_> =
            (0..=bytes.len()).map(|len| state(algorithm, [&bytes[..len], &[]])).collect();
        for waiting in 0..=block {
            for end in waiting..=waiting + 3 * block {
                let (first, second) = bytes[..end].split_at(waiting);
                let both = state(algorithm, [first, second]);
                assert!(both == states[end], "{algorithm}: {waiting} bytes, then up to {end}");
            }
        }
    }
}

#[test]
fn hmac_of_every_length_in_two_updates() {
    for &algorithm in Algorithm::ALL {
        if !algorithm.has_hmac() || stride(algorithm) > algorithm.block_len() {
            continue;
        }
        let block = algorithm.block_len();
        let bytes = message(2 * block);
        let prepared = algorithm.hmac(b"a key").expect("a function with HMAC");
        for end in 0..=bytes.len() {
            let expected = reference::hmac(algorithm, b"a key", &bytes[..end]);
            for cut in end.saturating_sub(block)..=end.min(block) {
                let mut mac = prepared.clone();
                mac.update(&bytes[..cut]);
                mac.update(&bytes[cut..end]);
                assert!(mac.finalize()[..] == expected[..], "{algorithm}: {cut} bytes of {end}");
            }
        }
    }
}
