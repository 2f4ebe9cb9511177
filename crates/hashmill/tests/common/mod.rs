//! Code that the test programs share.
#![allow(dead_code, reason = "each program uses a part of it")]

#[macro_use]
pub mod algorithms;
pub mod answer;
pub mod backends;
pub mod calls;
pub mod continued;
#[cfg(target_os = "linux")]
pub mod memory;
pub mod own;
pub mod peers;
pub mod published;
pub mod random;
pub mod reference;

use hashmill::Algorithm;

/// Returns `len` bytes without a short period.
pub fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i + i / 251) as u8).collect()
}

/// Returns the number of bytes that the algorithm absorbs at once: a block, or a block for every
/// leaf.
pub fn stride(algorithm: Algorithm) -> usize {
    let leaves = match algorithm {
        Algorithm::Blake2bp => 4,
        Algorithm::Blake2sp => 8,
        _ => 1,
    };
    leaves * algorithm.block_len()
}

/// Returns whether `HASHMILL_LONG` enables the tests that take minutes.
pub fn long() -> bool {
    std::env::var_os("HASHMILL_LONG").is_some_and(|value| value != "0")
}
