//! The addresses of inputs and outputs: at every alignment, and right before and right after guard
//! pages. An access to a guard page ends the program.

use crate::common::answer::{same, to_hex};
use crate::common::memory::Guarded;
use crate::common::random::Random;
use crate::common::{backends, calls, peers, stride};
use hashmill::many::{Hex, Messages, Rows};
use hashmill::{Algorithm, AnyHasher, Customization, Kt128, parallel_hash128};

/// A number of messages that exceeds the lanes of every backend.
const COUNT: usize = 17;

fn expected(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    peers::hash(algorithm, message, algorithm.output_len()).pop().expect("a peer").1
}

/// Returns pages of pseudo-random bytes.
fn guarded(len: usize) -> Guarded {
    let mut pages = Guarded::new(len);
    let bytes = Random::new(1).bytes(pages.len());
    pages.copy_from_slice(&bytes);
    pages
}

/// Hashes one message and many copies of it, in one piece and in two, and as rows.
fn check(algorithm: Algorithm, backend: &str, message: &[u8]) {
    let (len, output_len) = (message.len(), algorithm.output_len());
    let expected = expected(algorithm, message);
    let what = format_args!("{algorithm}, {backend}, {len} bytes at {:p}", message.as_ptr());
    same(&algorithm.hash(message), &expected, what);
    for cut in [1, len / 2, len.saturating_sub(1)].into_iter().filter(|&cut| cut <= len) {
        let (begin, rest) = message.split_at(cut);
        let mut hasher = algorithm.hasher();
        same(&hasher.update(begin).update(rest).finalize(), &expected, what);
        let mut hashers = vec![algorithm.hasher(); COUNT];
        AnyHasher::update_many(&mut hashers, &[begin; COUNT]).expect("a piece for each");
        AnyHasher::update_many(&mut hashers, &[rest; COUNT]).expect("a piece for each");
        hashers.iter().for_each(|hasher| same(&hasher.finalize(), &expected, what));
    }
    let digests = calls::digests(algorithm, &[message; COUNT]);
    digests.iter().for_each(|digest| same(digest, &expected, what));
    // An empty buffer has no rows.
    let rows = Rows::new(message, len).expect("a row");
    let mut row = vec![0; rows.count() * output_len];
    algorithm.hasher().hash_many(rows, &mut row).expect("room for it");
    same(&row, &expected[..row.len()], what);
    assert_eq!(row.is_empty(), len == 0);
}

/// Finds vector loads that read beyond the end of an input, or before its beginning.
#[test]
fn inputs_at_the_ends_of_pages() {
    let pages = guarded(1);
    backends::each(|algorithm, backend| {
        let most = 2 * stride(algorithm) + 1;
        for len in 0..=most {
            check(algorithm, backend, &pages[..len]);
            check(algorithm, backend, &pages[pages.len() - len..]);
        }
        // A batch of all lengths, and batches of rows, whose last row ends at the end of the pages.
        let ends: Vec<&[u8]> = (0..=most).map(|len| &pages[pages.len() - len..]).collect();
        let digests = calls::digests(algorithm, &ends);
        for (message, digest) in ends.iter().zip(&digests) {
            let what = format_args!("{algorithm}, {backend}, {} bytes of many", message.len());
            same(digest, &expected(algorithm, message), what);
        }
        for width in [1, 31, 32, 64, algorithm.block_len(), stride(algorithm) + 1] {
            let output_len = algorithm.output_len();
            let rows = &pages[pages.len() - width * COUNT..];
            let mut out = vec![0; output_len * COUNT];
            let messages = Rows::new(rows, width).expect("rows");
            algorithm.hasher().hash_many(messages, &mut out).expect("room for each");
            for (row, out) in rows.chunks(width).zip(out.chunks(output_len)) {
                let what = format_args!("{algorithm}, {backend}, rows of {width}");
                same(out, &expected(algorithm, row), what);
            }
        }
    });
}

/// Finds such loads for keys, exported states, and the trees over Keccak.
#[test]
fn keys_states_and_trees_at_the_ends_of_pages() {
    let pages = guarded(1 << 18);
    let end = |len: usize| &pages[pages.len() - len..];
    backends::each(|algorithm, backend| {
        for len in 0..=algorithm.block_len() + 1 {
            let what = format_args!("{algorithm}, {backend}, a key of {len} bytes");
            if let Ok(mut mac) = algorithm.hmac(end(len)) {
                let tag = mac.update(end(len + 7)).finalize();
                same(&tag, &peers::hmac(algorithm, end(len), end(len + 7)).1, what);
            }
            let mut hasher = algorithm.hasher();
            let state = hasher.update(end(len)).export().expect("a state");
            let mut copy = Guarded::new(1);
            let place = copy.len() - state.as_ref().len();
            copy[place..].copy_from_slice(state.as_ref());
            let resumed = AnyHasher::import(&copy[place..]).expect("a state");
            same(&resumed.finalize(), &hasher.finalize(), what);
        }
        if algorithm == Algorithm::TurboShake128 {
            for len in [8191, 8192, 8193, 16 * 8192, 17 * 8192 + 1] {
                let whole: Vec<u8> = Kt128::new().update(end(len)).squeeze().take(32).collect();
                let expected = hashmill_reference::k12::kt128(end(len), b"", 32);
                same(&whole, &expected, format_args!("KT128, {backend}, {len} bytes"));
                let digest = parallel_hash128::<32>(end(len), 1000, Customization(b""))
                    .expect("a block length");
                let expected =
                    hashmill_reference::sp800_185::parallel_hash128(end(len), 1000, 32, b"");
                same(
                    &digest[..],
                    &expected,
                    format_args!("ParallelHash128, {backend}, {len} bytes"),
                );
            }
        }
    });
}

/// Outputs that begin right after a guard page, or end right before one.
#[test]
fn outputs_at_the_ends_of_pages() {
    let mut pages = Guarded::new(1);
    let end = pages.len();
    backends::each(|algorithm, backend| {
        let (output_len, messages) = (algorithm.output_len(), [b"message"; COUNT]);
        let hasher = algorithm.hasher();
        let expected = expected(algorithm, messages[0]);
        let what = format_args!("{algorithm}, {backend}");
        for place in [0, end - COUNT * output_len] {
            let out = &mut pages[place..][..COUNT * output_len];
            out.fill(0xA5);
            hasher.hash_many(messages, out).expect("room for each");
            out.chunks(output_len).for_each(|digest| same(digest, &expected, what));
        }
        for place in [0, end - 2 * COUNT * output_len] {
            let out = &mut pages[place..][..2 * COUNT * output_len];
            out.fill(0xA5);
            hasher.hash_many(messages, &mut Hex(out)).expect("room for each");
            let expected = to_hex(&expected);
            let digests = out.chunks(2 * output_len);
            digests.for_each(|digest| same(digest, expected.as_bytes(), what));
        }
        for len in if algorithm.is_xof() { 0..=400 } else { output_len..=output_len } {
            let mut hasher = algorithm.hasher();
            hasher.update(messages[0]);
            let expected = peers::hash(algorithm, messages[0], len).pop().expect("a peer").1;
            for place in [0, end - len] {
                hasher.hash_into(b"", &mut pages[place..][..len]).expect("a length");
                same(&pages[place..][..len], &expected, what);
            }
        }
    });
}

/// Every alignment within 64 bytes, of inputs and of outputs.
#[test]
fn every_alignment() {
    let pages = guarded(1);
    backends::each(|algorithm, backend| {
        let (block, stride) = (algorithm.block_len(), stride(algorithm));
        for len in [1, 8, 64, block - 1, block, 2 * block + 9, 5 * stride + 3] {
            let messages: Vec<&[u8]> = (0..64).map(|offset| &pages[offset..][..len]).collect();
            messages.iter().for_each(|message| check(algorithm, backend, message));
            let output_len = algorithm.output_len();
            let mut out = vec![0; 64 * output_len + 64];
            for offset in 0..64 {
                let out = &mut out[offset..][..64 * output_len];
                let hasher = algorithm.hasher();
                hasher.hash_many(&messages, out).expect("room for each");
                if offset % 9 == 0 {
                    for (message, digest) in messages.iter().zip(out.chunks(output_len)) {
                        let what = format_args!("{algorithm}, {backend}, {len} bytes, many");
                        same(digest, &expected(algorithm, message), what);
                    }
                }
            }
        }
    });
}
