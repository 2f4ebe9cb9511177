//! Blocks that differ, messages that are empty, equal or overlapping, and output buffers that
//! contain earlier bytes.

use crate::common::answer::{same, to_hex};
use crate::common::random::Random;
use crate::common::{backends, calls, peers, reference, stride};
use hashmill::many::{Column, Hex, Messages, Rows};
use hashmill::{Algorithm, CShake128, Customization, FunctionName, Kmac128, Kt128};
use std::collections::HashMap;

const C: Customization = Customization(b"c");

fn expected(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    peers::hash(algorithm, message, algorithm.output_len()).pop().expect("a peer").1
}

/// sha2 0.9.7's SHA-512 with AVX2 hashed two blocks at a time, and was wrong if the second block
/// differed from the first. Its tests did not find this, because all of them repeated one byte.
/// Here all blocks differ, and a call has 1 to 33 of them.
#[test]
fn sha2_0_9_7_blocks_that_differ() {
    // The peer's answers, computed once for all backends: every backend gets the same messages.
    let mut answers: HashMap<_, Vec<Vec<u8>>> = HashMap::new();
    backends::each(|algorithm, backend| {
        let mut random = Random::new(1);
        let block = stride(algorithm);
        for blocks in 1..=33 {
            for rest in [0, 1, block - 1] {
                let messages: Vec<Vec<u8>> =
                    (0..20).map(|_| random.bytes(blocks * block + rest)).collect();
                let digests = calls::digests(algorithm, &messages);
                let answers = answers.entry((algorithm, blocks, rest)).or_insert_with(|| {
                    let answers: Vec<_> =
                        messages.iter().map(|it| expected(algorithm, it)).collect();
                    let first = reference::hash(algorithm, &messages[0], algorithm.output_len());
                    same(&answers[0], &first, format_args!("{algorithm}, peer and reference"));
                    answers
                });
                for ((message, digest), expected) in messages.iter().zip(&digests).zip(answers) {
                    let what = format_args!("{algorithm}, {backend}, {blocks} blocks and {rest}");
                    same(&algorithm.hash(message), expected, what);
                    same(digest, expected, what);
                }
                let mut hasher = algorithm.hasher();
                for block in messages[0].chunks(block) {
                    hasher.update(block);
                }
                let what = format_args!("{algorithm}, {backend}, {blocks} blocks, one at a time");
                same(&hasher.finalize(), &digests[0], what);
            }
        }
    });
}

/// Empty messages at several addresses, equal messages, overlapping messages, and no messages at
/// all.
#[test]
fn empty_and_aliased_messages() {
    backends::each(|algorithm, backend| {
        let bytes = Random::new(2).bytes((4 * stride(algorithm)).max(100));
        let empty: [&[u8]; 4] = [&[], &bytes[..0], &bytes[bytes.len()..], &bytes[5..5]];
        let check = |messages: &[&[u8]], what: &str| {
            let digests = calls::digests(algorithm, &messages);
            for (i, (message, digest)) in messages.iter().zip(&digests).enumerate() {
                let what = format_args!("{algorithm}, {backend}, {what}, message {i}");
                same(digest, &expected(algorithm, message), what);
            }
        };
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33] {
            let empties: Vec<&[u8]> = empty.iter().copied().cycle().take(count).collect();
            check(&empties, "nothing but empty messages");
            check(&vec![&bytes[..]; count], "one message many times");
            let windows: Vec<&[u8]> = (0..count).map(|i| &bytes[i..][..bytes.len() / 2]).collect();
            check(&windows, "overlapping messages");
            let suffixes: Vec<&[u8]> = (0..count).map(|i| &bytes[i * i % bytes.len()..]).collect();
            check(&suffixes, "ends of one message");
            let some: Vec<&[u8]> =
                (0..count).map(|i| if i % 3 == 1 { &bytes[..] } else { empty[i % 4] }).collect();
            check(&some, "empty ones between others");
        }
        let (output_len, hasher) = (algorithm.output_len(), algorithm.hasher());
        let mut out = vec![0; 20 * output_len];
        for offset in [0, 7, bytes.len() as u32] {
            let offsets = [offset; 21];
            let column = Column::new(&bytes, &offsets).expect("offsets");
            hasher.hash_many(column, &mut out).expect("room for each");
            let what = format_args!("{algorithm}, {backend}, offsets that stay at {offset}");
            out.chunks(output_len).for_each(|digest| same(digest, &expected(algorithm, b""), what));
        }
        let none = Column::<u32>::new(&bytes, &[]).expect("no offsets");
        hasher.hash_many(none, &mut [0; 0]).expect("no messages");
        hasher.hash_many([b""; 0], &mut [0; 0]).expect("no messages");
    });
}

/// An output does not depend on the earlier contents of its place, and nothing is written beyond
/// it.
#[test]
fn stale_outputs() {
    const AROUND: usize = 64;
    /// Calls `write` with `len` bytes between guard bytes, once for each of several earlier
    /// contents, and returns the bytes that it wrote.
    fn written(len: usize, what: std::fmt::Arguments, write: impl Fn(&mut [u8])) -> Vec<u8> {
        let [first, rest @ ..] = [0, 0xFF, 0xA5].map(|stale| {
            let mut bytes = vec![stale; len + 2 * AROUND];
            write(&mut bytes[AROUND..][..len]);
            let around = [&bytes[..AROUND], &bytes[AROUND + len..]].concat();
            assert!(around.iter().all(|&byte| byte == stale), "{what}: written beyond the output");
            bytes[AROUND..][..len].to_vec()
        });
        rest.iter().for_each(|other| {
            assert!(*other == first, "{what}: the output contains earlier bytes")
        });
        first
    }
    backends::each(|algorithm, backend| {
        let bytes = Random::new(3).bytes(3 * stride(algorithm));
        let messages: Vec<&[u8]> =
            (0..35).map(|i| &bytes[..(i * 7) % (bytes.len() / (1 + i % 3))]).collect();
        let output_len = algorithm.output_len();
        let digests: Vec<Vec<u8>> =
            messages.iter().map(|message| expected(algorithm, message)).collect();
        let what = format_args!("{algorithm}, {backend}");
        let (all, hasher) = (output_len * messages.len(), algorithm.hasher());

        let out =
            written(all, what, |out| hasher.hash_many(&messages, out).expect("room for each"));
        same(&out, &digests.concat(), what);
        let out = written(2 * all, what, |out| {
            hasher.hash_many(&messages, &mut Hex(out)).expect("room for each")
        });
        same(&out, to_hex(&digests.concat()).as_bytes(), what);
        let (values, offsets) = calls::flatten(&messages);
        let column = Column::new(&values, &offsets).expect("offsets");
        let out = written(all, what, |out| hasher.hash_many(column, out).expect("room for each"));
        same(&out, &digests.concat(), what);
        let rows = Rows::new(&bytes[..bytes.len() / 8 * 8], 8).expect("rows");
        written(rows.count() * output_len, what, |out| {
            hasher.hash_many(rows, out).expect("room for each")
        });
        let one = expected(algorithm, &bytes);
        let out = written(output_len, what, |out| {
            algorithm.hasher().update(&bytes).hash_into(b"", out).expect("a length")
        });
        same(&out, &one, what);
        // Places that contain digests of other messages by other algorithms, longer and shorter
        // ones.
        for stale in [Algorithm::Sha512, Algorithm::Sha224] {
            let mut left = vec![stale.hash(b"stale"); messages.len()];
            hasher.hash_many(&messages, &mut left).expect("a digest for each");
            left.iter().zip(&digests).for_each(|(digest, expected)| same(digest, expected, what));
        }
        if let Ok(mac) = algorithm.hmac(b"key") {
            let out =
                written(all, what, |out| mac.hash_many(&messages, out).expect("room for each"));
            let tags = messages.iter().map(|message| peers::hmac(algorithm, b"key", message).1);
            same(&out, &tags.collect::<Vec<_>>().concat(), what);
        }
        if algorithm.is_xof() {
            for len in [0, 1, algorithm.block_len() - 1, algorithm.block_len() + 1, 1000] {
                let expected = peers::hash(algorithm, &bytes, len).pop().expect("a peer").1;
                let out = written(len, what, |out| {
                    let mut reader = algorithm.hasher().update(&bytes).squeeze().expect("XOF");
                    let (begin, rest) = out.split_at_mut(len / 2);
                    reader.try_fill(begin).expect("output");
                    reader.try_fill(rest).expect("output");
                });
                same(&out, &expected, what);
                let out = written(9 * len, what, |out| {
                    let messages = [&bytes; 9];
                    algorithm.hasher().hash_many(messages, out).expect("room")
                });
                out.chunks(len.max(1)).for_each(|output| same(output, &expected, what));
            }
        }
        if algorithm == Algorithm::TurboShake128 {
            let len = 99 * messages.len();
            let out =
                written(len, what, |out| Kt128::new().hash_many(&messages, out).expect("room"));
            let each = messages.iter().map(|m| hashmill_reference::k12::kt128(m, b"", 99));
            same(&out, &each.collect::<Vec<_>>().concat(), what);
            let (cshake, kmac) = (CShake128::new(FunctionName(b""), C), Kmac128::new(b"k", C));
            written(len, what, |out| cshake.hash_many(&messages, out).expect("room"));
            written(len, what, |out| kmac.hash_many(&messages, out).expect("room"));
        }
    });
}
