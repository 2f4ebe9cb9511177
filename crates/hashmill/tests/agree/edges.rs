//! What only long messages, full batches and forged states reach: the ends of counters, trees and
//! batches.

use super::peer;
use crate::common::answer::same;
use crate::common::continued::{LEN, output};
use crate::common::random::Random;
use crate::common::{backends, message};
use blake3::hazmat::HasherExt;
use hashmill::many::{Merkle, Odd, Ordered, Rule};
use hashmill::{Algorithm, AnyHasher, Blake3, Error, Hasher, Hashing, Kt128, Kt256, Sha256};
use hashmill_reference::k12::{kt128, kt256};
use hashmill_reference::states::{CODES, checked, finish, write};

/// Bytes of a chunk of BLAKE3.
const CHUNK: usize = 1024;

/// BLAKE3's three modes, each beside that of the crate `blake3`.
fn modes() -> [(Blake3, blake3::Hasher); 3] {
    let key = b"whats the Elvish word for friend";
    [
        (Blake3::new(), blake3::Hasher::new()),
        (Blake3::keyed(key), blake3::Hasher::new_keyed(key)),
        (Blake3::derive_key("a context"), blake3::Hasher::new_derive_key("a context")),
    ]
}

/// Subtrees that begin anywhere in the longest message, in all modes.
pub fn subtrees_of_blake3() {
    let bytes = message(8 * CHUNK);
    let last = 0_u64.wrapping_sub(8 * CHUNK as u64);
    let begins = [0, 1 << 30, 1 << 31, 1 << 40, (1 << 41) + (1 << 13), 1 << 42, 1 << 63, last];
    backends::each_of(Algorithm::Blake3, |backend| {
        for (ours, theirs) in modes() {
            for begin in begins {
                for len in [1, CHUNK, CHUNK + 1, 4 * CHUNK, 8 * CHUNK - 1, 8 * CHUNK] {
                    let subtree = ours.subtree(begin, &bytes[..len]);
                    // A message has at most 2⁶⁴ − 1 bytes.
                    let expected = (begin != last || len < 8 * CHUNK).then(|| {
                        let mut theirs = theirs.clone();
                        theirs.set_input_offset(begin).update(&bytes[..len]).finalize_non_root()
                    });
                    assert_eq!(subtree, expected, "{backend}: {len} bytes from {begin} on");
                }
            }
        }
    });
}

/// The output of BLAKE3 where the upper word of its counter changes.
pub fn outputs_of_blake3() {
    let begin = (64_u64 << 32) - 300;
    backends::each_of(Algorithm::Blake3, |backend| {
        for (ours, theirs) in modes() {
            let (mut ours, mut theirs) = (ours.squeeze(), theirs.finalize_xof());
            ours.seek(begin);
            theirs.set_position(begin);
            for len in [10, 1000, 5000] {
                let (mut out, mut expected) = (vec![0; len], vec![0; len]);
                ours.fill(&mut out);
                theirs.fill(&mut expected);
                assert_eq!(out, expected, "{backend}: {len} bytes");
            }
        }
    });
}

/// States of every function whose counts are near the ends of words, with random chaining values: the
/// reference goes on from each, or refuses it.
pub fn states_near_the_ends_of_counters() {
    let mut random = Random::new(40);
    let more = message(3000);
    let mut compare = |code, count, more: &[u8]| {
        let state = checked(&write(code, count, || random.next() as u8));
        let (ours, expected) = (output(&state, more), finish(&state, more, LEN));
        assert_eq!(ours.ok(), expected.ok(), "code {code:#x} after {count} bytes");
    };
    for code in CODES {
        for bits in [0, 3, 10, 13, 32, 38, 42, 61, 64, 67, 96, 125, 127] {
            for count in [(1_u128 << bits) - 1, 1 << bits, (1 << bits) + 1] {
                compare(code, count, &more);
            }
            compare(code, (1_u128 << bits).saturating_sub(1000), &more);
        }
    }
    // The upper word of the chunks' counter changes within the update.
    let blake3 = Blake3::new().export().as_ref()[1];
    let more = message(70 * CHUNK);
    backends::each_of(Algorithm::Blake3, |_| {
        for chunks in [(1_u128 << 32) - 64, (1 << 32) - 3, 1 << 32, (1 << 32) + 32, (1 << 53) + 7] {
            compare(blake3, chunks * CHUNK as u128, &more);
        }
    });
}

/// States with a correct check that no message leads to.
pub fn states_of_no_message() {
    let refused = |body: &[&[u8]]| {
        let state = checked(&body.concat());
        assert!(finish(&state, b"", LEN).is_err(), "{state:02x?}: the reference");
        assert_eq!(AnyHasher::import(&state).err(), Some(Error::StateInconsistent), "{state:02x?}");
    };
    // BLAKE3: a complete chunk in the stack, and nothing after it.
    let head =
        |algorithm: Algorithm| algorithm.hasher().export().expect("a state").as_ref()[..2].to_vec();
    refused(&[&head(Algorithm::Blake3), &[0, 1], &[0; 7], &[0; 2], &[7; 32]]);
    // Ascon: a whole block waits.
    for algorithm in [Algorithm::AsconHash256, Algorithm::AsconXof128] {
        for waiting in [8, 9, 255] {
            refused(&[&head(algorithm), &[7; 40], &[waiting], &vec![7; waiting.into()]]);
        }
    }
}

type Kt = (&'static str, fn(&[u8], &[u8], usize) -> Vec<u8>, fn(&[&[u8]], &mut [u8]));

/// KT128 and KT256 of batches that are full: 256 messages of one chunk, or 96 chunks of longer ones.
pub fn full_batches_of_kangaroo_twelve() {
    const LEN: usize = 32;
    let functions: [Kt; 2] = [
        ("KT128", kt128, |all, out| Kt128::new().hash_many(all, out).expect("an output for each")),
        ("KT256", kt256, |all, out| Kt256::new().hash_many(all, out).expect("an output for each")),
    ];
    let bytes = message(3 * 8192 + 48);
    for (name, reference, hash_many) in functions {
        // Each message begins elsewhere. Those of 8190 to 8195 bytes end around the first chunk.
        let cases = [(0..515, 40), (0..52, 8192), (8190..8196, 0), (0..34, 2 * 8192)];
        let messages = |places: std::ops::Range<usize>, len: usize| -> Vec<&[u8]> {
            places.map(|at| if len == 0 { &bytes[..at] } else { &bytes[at..][..len] }).collect()
        };
        let all: Vec<&[u8]> =
            cases.into_iter().flat_map(|(places, len)| messages(places, len)).collect();
        let expected: Vec<_> = all.iter().map(|message| reference(message, b"", LEN)).collect();
        backends::each_of(Algorithm::TurboShake128, |backend| {
            let mut out = vec![0; all.len() * LEN];
            hash_many(&all, &mut out);
            for (i, (out, expected)) in out.chunks(LEN).zip(&expected).enumerate() {
                let len = all[i].len();
                same(out, expected, format_args!("{name}, {backend}, message {i}, {len} bytes"));
            }
        });
    }
}

/// Roots and levels of Merkle trees, level by level from the definitions, also of more pairs than a
/// batch has.
pub fn merkle_trees() {
    type OfSha256 = <Sha256 as Hasher>::Function;
    let sha256 = |message: &[u8]| peer(Algorithm::Sha256, message, 32);
    for (rule, odd) in
        [(Rule::Rfc6962, Odd::Promote), (Rule::Bitcoin, Odd::Duplicate), (Rule::Ssz, Odd::Zeros)]
    {
        let pair = |a: &[u8], b: &[u8]| match rule {
            Rule::Rfc6962 => sha256(&[&[1], a, b].concat()),
            Rule::Bitcoin => sha256(&sha256(&[a, b].concat())),
            _ => sha256(&[a, b].concat()),
        };
        for count in (1..=17).chain([513, 515, 1027]) {
            let leaves = message(32 * count);
            let (mut expected, mut zeros) = (vec![leaves.clone()], vec![0; 32]);
            while expected[expected.len() - 1].len() > 32 {
                let above = |two: &[u8]| match (two.split_at(32), odd) {
                    ((one, []), Odd::Promote) => one.to_vec(),
                    ((one, []), Odd::Duplicate) => pair(one, one),
                    ((one, []), Odd::Zeros) => pair(one, &zeros),
                    ((one, other), _) => pair(one, other),
                };
                let level = expected[expected.len() - 1].chunks(64).flat_map(above).collect();
                expected.push(level);
                zeros = pair(&zeros, &zeros);
            }
            let tree = Merkle::<OfSha256>::of(rule);
            assert!(
                tree.levels(leaves.clone()) == Ok(expected.clone()),
                "{rule:?}, {count} leaves"
            );
            let root = tree.root(&mut leaves.clone()).expect("whole digests");
            assert_eq!(root[..], expected[expected.len() - 1], "{rule:?}, {count} leaves");
        }
    }
}

/// An order with an index that is the number of places, and one with another number of indexes.
pub fn orders_that_do_not_fit() {
    let mut digests = [[7; 32]; 3];
    let mut hashed = |order: &[usize]| {
        let mut places = Ordered { outputs: digests.as_flattened_mut(), count: 3, order };
        let done = Sha256::new().hash_many(["a", "b"], &mut places);
        done.map(|()| digests[2].to_vec())
    };
    let error = |given, expected| Err(Error::OutputLength { given, expected });
    assert_eq!(hashed(&[3, 0]), error(3, 4));
    assert_eq!(hashed(&[0, 3]), error(3, 4));
    assert_eq!(hashed(&[0]), error(1, 2));
    assert_eq!(hashed(&[0, 1]), Ok(vec![7; 32]));
    assert_eq!(hashed(&[2, 0]), Ok(peer(Algorithm::Sha256, b"a", 32)));
}

/// `hash_each` of hashers that are not of one function, in any order.
pub fn hashers_of_several_functions() {
    for &first in Algorithm::ALL {
        for &second in Algorithm::ALL {
            let hashers = [first, second, first].map(Algorithm::hasher);
            let len = first.output_len();
            let mut out = vec![7; 3 * len];
            let done = <dyn Hashing>::hash_each(&hashers, &["a", "b", "c"], &mut out[..]);
            if first == second {
                assert_eq!(done, Ok(()), "{first}");
                for (message, out) in ["a", "b", "c"].iter().zip(out.chunks(len)) {
                    let expected = peer(first, message.as_bytes(), len);
                    same(out, &expected, format_args!("{first}"));
                }
            } else {
                assert_eq!(done, Err(Error::Operation), "{first} and {second}");
                assert!(out.iter().all(|&byte| byte == 7), "{first} and {second}");
            }
        }
    }
}
