//! The three tests of N. Mouha, M. S. Raunak, D. R. Kuhn and R. Kacker, "Finding Bugs in
//! Cryptographic Hash Function Implementations" (eprint 2017/891), which found faults in 41 of 86
//! candidates for SHA-3. These tests need no known answers.

use crate::common::random::Random;
use crate::common::{backends, calls, is_sponge, long, stride, takes_bits};
use hashmill::many::Column;
use hashmill::{Algorithm, VarDigest};
use std::collections::HashSet;

/// Returns the lengths from 0 to two bytes into the second block and, for a tree, those around a
/// block for every leaf. If a backend is forced, only one of five lengths that are shorter than a block
/// by more than the padding: every bit of a block is in the others.
fn lengths(algorithm: Algorithm, backend: &str) -> impl Iterator<Item = usize> {
    let (block, stride) = (algorithm.block_len(), stride(algorithm));
    let every = backend == backends::DEFAULT || long();
    let lengths = (0..=block + 2).filter(move |len| every || len % 5 == 0 || len + 18 >= block);
    lengths.chain((stride - 1..=stride + 1).filter(move |_| stride > block))
}

/// Every bit of the message affects the digest. Messages that differ in one bit, or in their
/// length, have different digests.
#[test]
fn bit_contribution() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(1);
        let mut seen = HashSet::new();
        let mut first = |digest: VarDigest, what: std::fmt::Arguments| {
            assert!(seen.insert(digest.to_vec()), "{algorithm}, {backend}, {what}: seen before");
        };
        for len in lengths(algorithm, backend) {
            let message = random.bytes(len);
            let flipped = |bit: usize| {
                let mut message = message.clone();
                message[bit / 8] ^= 1 << (bit % 8);
                message
            };
            let messages: Vec<Vec<u8>> = (0..8 * len).map(flipped).collect();
            first(algorithm.hash(&message), format_args!("{len} bytes"));
            for (bit, digest) in calls::digests(algorithm, &messages).into_iter().enumerate() {
                first(digest, format_args!("bit {bit} of {len} bytes, many"));
                if bit % 7 == 0 {
                    let one = algorithm.hash(&messages[bit]);
                    assert_eq!(one, digest, "{algorithm}, {backend}, bit {bit} of {len} bytes");
                }
            }
            let mut hasher = algorithm.hasher();
            hasher.update(&message);
            for bits in (1..8).filter(|_| takes_bits(algorithm)) {
                for last in 0..1_u8 << bits {
                    let last = if is_sponge(algorithm) { last } else { last << (8 - bits) };
                    let digest = hasher.finalize_bits(last, bits).expect("bits");
                    first(digest, format_args!("{len} bytes and {bits} bits of {last:#x}"));
                }
            }
        }
    });
}

/// Nothing but the message affects the digest, neither the bytes around it nor the bits after its
/// last bit.
#[test]
fn bit_exclusion() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(2);
        for len in lengths(algorithm, backend) {
            let message = random.bytes(len);
            let among = |byte: u8| [&[byte; 64], &message[..], &[byte; 300]].concat();
            let [zeros, ones] = [among(0), among(0xFF)].map(|bytes| {
                let messages = vec![&bytes[64..][..len]; 17];
                let mut digests = calls::digests(algorithm, &messages);
                digests.push(algorithm.hash(messages[0]));
                let output_len = algorithm.output_len();
                let mut flat = vec![0; output_len];
                let offsets = [64, 64 + len as u32];
                let hasher = algorithm.hasher();
                let column = Column::new(&bytes, &offsets).expect("offsets");
                hasher.hash_many(column, &mut flat).expect("room for it");
                (digests, flat)
            });
            assert_eq!(zeros, ones, "{algorithm}, {backend}, {len} bytes");
            let mut hasher = algorithm.hasher();
            hasher.update(&message);
            for bits in (0..8).filter(|_| takes_bits(algorithm)) {
                let (last, excluded) = match is_sponge(algorithm) {
                    true => (random.next() as u8, 0xFF_u8.checked_shl(bits).unwrap_or(0)),
                    false => (random.next() as u8, 0xFF_u8.checked_shr(bits).unwrap_or(0)),
                };
                let digest = hasher.finalize_bits(last & !excluded, bits).expect("bits");
                for other in [last | excluded, last, last ^ excluded] {
                    let other = hasher.finalize_bits(other, bits).expect("bits");
                    assert_eq!(other, digest, "{algorithm}, {backend}, {len} bytes, {bits} bits");
                }
            }
        }
    });
}

/// A message in two updates has the digest of the message in one.
#[test]
fn update() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(3);
        for len in lengths(algorithm, backend) {
            let message = random.bytes(len);
            let expected = algorithm.hash(&message);
            for cut in 0..=len {
                let (begin, rest) = message.split_at(cut);
                let mut hasher = algorithm.hasher();
                let digest = hasher.update(begin).update(rest).finalize();
                assert_eq!(digest, expected, "{algorithm}, {backend}, {len} bytes, cut at {cut}");
            }
        }
    });
}
