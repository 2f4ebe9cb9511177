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

/// Returns whether the algorithm's standard defines messages of bits. RFC 7693, RFC 9861 and the paper
/// of BLAKE3 define messages of whole bytes only.
pub fn takes_bits(algorithm: Algorithm) -> bool {
    !["BLAKE", "TurboSHAKE"].iter().any(|family| algorithm.name().starts_with(family))
}

/// Returns whether it is a sponge, which does not count bytes. In a message of bits, a byte of a sponge
/// begins with its lowest bit, and of the other functions with its highest.
pub fn is_sponge(algorithm: Algorithm) -> bool {
    let families = ["SHA3-", "Keccak-", "Ascon-"];
    algorithm.is_xof() && algorithm != Algorithm::Blake3
        || families.iter().any(|family| algorithm.name().starts_with(family))
}

/// Returns whether `HASHMILL_LONG` enables the tests that take minutes.
pub fn long() -> bool {
    std::env::var_os("HASHMILL_LONG").is_some_and(|value| value != "0")
}
