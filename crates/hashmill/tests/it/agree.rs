//! Every algorithm on every backend of this machine agrees with `hashmill-reference` and with
//! independent implementations, for all lengths, splits, parameters and batches.

mod backends;
pub mod many;
mod one;
mod parameters;

use crate::common::answer::to_hex;
use crate::common::{peers, reference};
use hashmill::Algorithm;

/// Returns the output on which the reference and the peers agree.
pub fn expected(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    agreed(
        algorithm,
        reference::hash(algorithm, message, len),
        peers::hash(algorithm, message, len),
    )
}

pub fn agreed(algorithm: Algorithm, reference: Vec<u8>, peers: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    for (name, peer) in peers {
        assert_eq!(to_hex(&reference), to_hex(&peer), "{algorithm}: the reference and {name}");
    }
    reference
}

/// Returns the output of one peer. It is for many long messages, because the reference is slow.
pub fn peer(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    let (_, digest) =
        peers::hash(algorithm, message, len).pop().expect("every algorithm has a peer");
    digest
}
