//! BLAKE3 in its three modes beside the crate `blake3`, around the ends of blocks, chunks and
//! subtrees, and its output from any byte on, on every backend of this machine.

use crate::common::backends;
use crate::common::message;
use hashmill::{Algorithm, Blake3, Digest, Error, Hashing, Sha256, block};

const CHUNK: usize = 1024;
const KEY: &[u8; 32] = b"a key of thirty-two bytes: 32 !!";
const CONTEXT: &str = "hashmill 2026-11-23 tests of the modes";

/// The three modes, each beside the crate's.
fn modes() -> [(Blake3, ::blake3::Hasher); 3] {
    [
        (Blake3::new(), ::blake3::Hasher::new()),
        (Blake3::keyed(KEY), ::blake3::Hasher::new_keyed(KEY)),
        (Blake3::derive_key(CONTEXT), ::blake3::Hasher::new_derive_key(CONTEXT)),
    ]
}

fn key_words() -> [u32; 8] {
    std::array::from_fn(|i| u32::from_le_bytes(*KEY[4 * i..].first_chunk().expect("a word")))
}

/// Lengths around the ends of blocks, and around each power of two of chunks up to 256.
fn lengths() -> Vec<usize> {
    let ends = [0, 64, 128, 3 * CHUNK, 5 * CHUNK, 100 * CHUNK];
    let powers = (0..=8).map(|power| CHUNK << power);
    let near = |end: usize| [end.saturating_sub(1), end, end + 1];
    ends.into_iter().chain(powers).flat_map(near).collect()
}

#[test]
fn every_mode_agrees_with_its_authors_library() {
    let bytes = message(256 * CHUNK + 1);
    backends::each_of(Algorithm::Blake3, |backend| {
        for (ours, theirs) in modes() {
            for len in lengths() {
                let message = &bytes[..len];
                let expected = *theirs.clone().update(message).finalize().as_bytes();
                assert_eq!(ours.hash(message), expected, "{backend}: {len} bytes");
                for piece in [CHUNK - 1, CHUNK, 3 * CHUNK, 64 * CHUNK] {
                    let mut pieces = ours.clone();
                    message.chunks(piece).for_each(|piece| _ = pieces.update(piece));
                    assert_eq!(pieces.finalize(), expected, "{backend}: {len} bytes in {piece}");
                }
            }
        }
    });
}

#[test]
fn many_messages_in_every_mode() {
    let bytes = message(20 * CHUNK);
    // Chunks and short trees side by side, and trees that fill the lanes alone.
    let lengths = [0, 1, 63, 64, 65, 1000, 1024, 1025, 2048, 2049, 3000, 4096, 5000, 20 * CHUNK];
    let messages: Vec<&[u8]> = (0..60).map(|i| &bytes[..lengths[i * 5 % lengths.len()]]).collect();
    backends::each_of(Algorithm::Blake3, |backend| {
        for (ours, theirs) in modes() {
            for prefix in [0, 10, 1024, 5000] {
                let (mut ours, mut theirs) = (ours.clone(), theirs.clone());
                ours.update(&bytes[..prefix]);
                theirs.update(&bytes[..prefix]);
                let mut digests = vec![Digest::<32>::default(); messages.len()];
                ours.hash_many(&messages, &mut digests[..]).expect("a digest for each");
                for (message, digest) in messages.iter().zip(digests) {
                    let expected = *theirs.clone().update(message).finalize().as_bytes();
                    assert_eq!(digest, expected, "{backend}: {prefix} + {} bytes", message.len());
                }
            }
        }
    });
}

/// The numbers of the blocks of the output have 58 bits: both words of the counter are used.
#[test]
fn the_output_from_any_byte_on() {
    let bytes = message(3 * CHUNK);
    let wide = 64 << 32;
    let positions = [0, 1, 63, 64, 65, 1000, wide - 130, wide - 1, wide, wide + 1, 1 << 63];
    let last = u64::MAX - 1100;
    backends::each_of(Algorithm::Blake3, |backend| {
        for (ours, theirs) in modes() {
            for absorbed in [0, 64, 1024, 3000] {
                let mut ours = ours.clone().update(&bytes[..absorbed]).squeeze();
                let mut theirs = theirs.clone().update(&bytes[..absorbed]).finalize_xof();
                for position in positions.into_iter().chain([last]) {
                    for len in [1, 32, 64, 65, 1100] {
                        let (mut output, mut expected) = ([0; 1100], [0; 1100]);
                        ours.seek(position);
                        theirs.set_position(position);
                        ours.fill(&mut output[..len]);
                        theirs.fill(&mut expected[..len]);
                        assert_eq!(output, expected, "{backend}: {len} bytes from {position} on");
                        assert_eq!(ours.position(), theirs.position(), "{backend}: {position}");
                    }
                }
            }
        }
    });
}

/// A message from the chaining values of its subtrees.
#[test]
fn subtrees_and_their_parents() {
    use ::blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
    let bytes = message(600 * CHUNK);
    let [(ours, _), (keyed, their_keyed), _] = modes();
    for size in [1, 2, 16, 128, 256] {
        let subtree = size * CHUNK;
        for len in [1, CHUNK - 1, CHUNK, subtree / 2 + 1, subtree - 1, subtree] {
            let len = len.min(subtree);
            for index in [0, 1, 2, 5, 1 << 33] {
                let offset = index * subtree as u64;
                let mut theirs = ::blake3::Hasher::new();
                theirs.set_input_offset(offset).update(&bytes[..len]);
                let expected = theirs.finalize_non_root();
                assert_eq!(ours.subtree(offset, &bytes[..len]), Some(expected), "{offset}: {len}");
                let mut theirs = their_keyed.clone();
                theirs.set_input_offset(offset).update(&bytes[..len]);
                let expected = theirs.finalize_non_root();
                assert_eq!(keyed.subtree(offset, &bytes[..len]), Some(expected), "{offset}: {len}");
                let by_words = block::blake3_subtree(&key_words(), 16, offset, &bytes[..len]);
                assert_eq!(by_words, Some(expected), "{offset}: {len}");
            }
        }
    }
    let [a, b] = [[1; 32], [2; 32]];
    assert_eq!(ours.parent(&a, &b), merge_subtrees_non_root(&a, &b, Mode::Hash));
    let mut root = [0; 32];
    ours.root(&a, &b).fill(&mut root);
    assert_eq!(root, *merge_subtrees_root(&a, &b, Mode::Hash).as_bytes());
    // Two subtrees of any message that has them, in each mode.
    for (ours, _) in modes() {
        for (left, len) in [(1, 1025), (1, 2048), (2, 2049), (4, 5000), (512, 600 * CHUNK)] {
            let (left, right) = bytes[..len].split_at(left * CHUNK);
            let right_len = right.len();
            let [left, right] = [(0, left), (left.len() as u64, right)]
                .map(|(offset, data)| ours.subtree(offset, data).expect("a subtree"));
            let mut digest = [0; 32];
            ours.root(&left, &right).fill(&mut digest);
            assert_eq!(ours.hash(&bytes[..len]), digest, "{len} bytes");
            let any: &dyn Hashing = &ours;
            let reader = any.root(&left, &right).expect("a reader");
            assert!(reader.take(32).eq(digest), "{len} bytes");
            assert_eq!(any.parent(&left, &right), Ok(ours.parent(&left, &right)));
            let end = &bytes[..len][len - right_len..];
            assert_eq!(any.subtree((len - right_len) as u64, end), Ok(Some(right)));
            assert_eq!(any.subtree(1, end), Ok(None));
        }
    }
    let other: &dyn Hashing = &Sha256::new();
    assert_eq!(other.subtree(0, &bytes), Err(Error::Operation));
    assert_eq!(other.parent(&a, &b), Err(Error::Operation));
    assert_eq!(other.root(&a, &b).err(), Some(Error::Operation));
    let refused = [(0, 0), (1, 1), (1023, 1), (1024, 1025), (3072, 1025), (4096, 4097), (64, 64)];
    for (offset, len) in refused {
        assert_eq!(ours.subtree(offset, &bytes[..len]), None, "{offset}: {len} bytes");
    }
    let last = u64::MAX - 1023;
    assert!(ours.subtree(last, &bytes[..1023]).is_some());
    assert_eq!(ours.subtree(last, &bytes[..1024]), None);
}

/// The reader for compile time goes on from any byte.
#[test]
fn the_portable_reader_seeks() {
    let mut reader = hashmill::portable::Blake3::new().update(b"abc").squeeze();
    let mut all = [0; 200];
    reader.fill(&mut all);
    for position in 0..all.len() {
        let mut rest = vec![0; all.len() - position];
        reader.seek(position as u64).expect("BLAKE3");
        reader.fill(&mut rest);
        assert_eq!(rest, all[position..], "from byte {position}");
    }
    let mut sponge = hashmill::portable::Shake128::new().squeeze();
    assert_eq!(sponge.seek(1), Err(hashmill::Error::Operation));
}

#[cfg(feature = "rayon")]
#[test]
fn threads_do_not_change_the_digest() {
    let bytes = message(1 << 20);
    for (ours, theirs) in modes() {
        for (begin, len) in [(0, 1 << 20), (0, (1 << 20) - 1), (1, 700_000), (5000, 1 << 19)] {
            let (first, rest) = (&bytes[..begin], &bytes[begin..][..len - begin]);
            let mut ours = ours.clone();
            ours.update(first).update_rayon(rest);
            let expected = *theirs.clone().update(&bytes[..len]).finalize().as_bytes();
            assert_eq!(ours.finalize(), expected, "{begin} bytes, then {}", rest.len());
        }
    }
}
