//! Many messages in one call.

use super::{expected, peer};
use crate::common::answer::same;
use crate::common::random::Random;
use crate::common::{backends, calls, stride};
use hashmill::many::{Column, Rows, indexed};
use hashmill::{Algorithm, AnyHasher};

/// Returns 0 to 140 messages, sometimes up to 400. They have one length, random lengths, or runs of
/// one length each.
pub fn batch(algorithm: Algorithm, random: &mut Random, number: usize) -> Vec<Vec<u8>> {
    let count = match number {
        0..=20 => number,
        25 | 50 | 75 => random.up_to(400),
        _ => random.up_to(140),
    };
    let block = algorithm.block_len();
    let lengths = [0, 1, 32, 64, block - 1, block, block + 1, 2 * block, 3 * block + 17, 10 * 1024];
    let length = |random: &mut Random| lengths[random.up_to(lengths.len() - 1)];
    let (equal, runs) = (random.up_to(3), random.up_to(20));
    let mut len = length(random);
    let messages = (0..count).map(|_| match equal {
        0 => random.bytes(len),
        1 | 2 => random.some_bytes(len),
        _ => {
            if random.up_to(runs) == 0 {
                len = length(random).min(1000);
            }
            random.bytes(len)
        }
    });
    messages.collect()
}

/// Cuts the messages into one to three pieces each, at random places.
pub fn rounds<'m>(random: &mut Random, messages: &[&'m [u8]]) -> Vec<Vec<&'m [u8]>> {
    let mut rounds = Vec::new();
    let mut rest = messages.to_vec();
    for _ in 0..random.up_to(2) {
        let cut = |rest: &mut &'m [u8]| {
            let (piece, after) = rest.split_at(random.up_to(rest.len()));
            *rest = after;
            piece
        };
        rounds.push(rest.iter_mut().map(cut).collect());
    }
    rounds.push(rest);
    rounds
}

pub fn many_messages_of_mixed_lengths(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(10);
    for number in 0..100 {
        let messages = batch(algorithm, &mut random, number);
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let len = if algorithm.is_xof() { random.up_to(400) } else { algorithm.output_len() };
        let expected: Vec<_> =
            slices.iter().map(|message| expected(algorithm, message, len)).collect();
        let check = |got: &[Vec<u8>], how: &str| {
            assert_eq!(got.len(), expected.len());
            for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
                let (count, bytes) = (slices.len(), slices[i].len());
                let what = format_args!(
                    "{algorithm}, {backend}, {how}, message {i} of {count}, {bytes} bytes"
                );
                same(got, expected, what);
            }
        };
        let rounds = rounds(&mut random, &slices);
        let [many, updated] = calls::typed(&algorithm.hasher(), &slices, &rounds, len);
        check(&many, "hash_many");
        check(&updated, "update_many");
        check(
            &calls::columns(algorithm, &slices, len).expect("offsets in order"),
            "many with offsets",
        );
        let indexed = indexed(slices.len(), |i| slices[i]);
        check(&calls::packed(algorithm, &indexed, len), "many by index");
        let digests = calls::digests(algorithm, &slices);
        for (digest, message) in digests.iter().zip(&slices) {
            let expected = peer(algorithm, message, algorithm.output_len());
            same(digest, &expected, format_args!("{algorithm}, {backend}, at run time"));
        }
    }
}

/// Messages that may share lanes have as many blocks, and as many of them without padding. Here the
/// first message and the others end around the same block.
pub fn first_messages_that_end_elsewhere(algorithm: Algorithm, backend: &str) {
    let end = 2 * algorithm.block_len();
    let lengths = end.saturating_sub(18)..=end + 2;
    let bytes = Random::new(14).bytes(end + 2);
    let len = algorithm.output_len();
    let expected: Vec<Vec<u8>> =
        lengths.clone().map(|length| peer(algorithm, &bytes[..length], len)).collect();
    for (first, expected_first) in lengths.clone().zip(&expected) {
        for (length, expected) in lengths.clone().zip(&expected) {
            let mut messages = [&bytes[..length]; 32];
            messages[0] = &bytes[..first];
            let digests = calls::packed(algorithm, &messages, len);
            let what = format_args!("{algorithm}, {backend}, {first} and then {length} bytes");
            same(&digests[0], expected_first, what);
            digests[1..].iter().for_each(|digest| same(digest, expected, what));
        }
    }
}

pub fn many_messages_after_a_common_beginning(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(11);
    let (block, stride) = (algorithm.block_len(), stride(algorithm));
    let edges = [0, 1, 17, block - 1, block, stride, stride + block, 2 * stride, 3 * stride];
    for number in 21..40 {
        let most = edges.get(number - 21).copied().unwrap_or_else(|| random.up_to(4 * stride));
        let beginning = random.bytes(most);
        let messages = batch(algorithm, &mut random, number);
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut hasher = algorithm.hasher();
        hasher.update(&beginning);
        let len = algorithm.output_len();
        let (values, offsets) = calls::flatten(&slices);
        let column = Column::new(&values, &offsets).expect("offsets in order");
        let rounds = rounds(&mut random, &slices);
        let [many, updated] = calls::typed(&hasher, &slices, &rounds, len);
        let ways = [
            ("hash_many", many),
            ("update_many", updated),
            ("with offsets", calls::after(&hasher, &column, len)),
            ("update_many at run time", calls::updated(&hasher, &rounds, len)),
        ];
        for (i, message) in slices.iter().enumerate() {
            let expected = peer(algorithm, &[&beginning[..], message].concat(), len);
            for (how, digests) in &ways {
                let len = message.len();
                let what = format_args!("{algorithm}, {backend}, {how}, {len} after {most}");
                same(&digests[i], &expected, what);
            }
        }
    }
}

pub fn rows_of_every_width(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(13);
    let block = algorithm.block_len();
    let beginning = random.some_bytes(2 * block);
    let mut hasher = algorithm.hasher();
    hasher.update(&beginning);
    for width in [1, 8, 20, 32, 33, 55, 56, 64, block - 1, block, block + 1, 1000] {
        let count = random.up_to(70);
        let values = random.bytes(width * count);
        let len = if algorithm.is_xof() { random.up_to(400) } else { algorithm.output_len() };
        let rows = Rows::new(&values, width).expect("whole rows");
        let plain = calls::packed(algorithm, &rows, len);
        let prefixed = calls::after(&hasher, &rows, len);
        assert_eq!([plain.len(), prefixed.len()], [values.len() / width; 2]);
        for (i, row) in values.chunks(width).enumerate() {
            let what = format_args!("{algorithm}, {backend}, row {i} of {width} bytes");
            same(&plain[i], &peer(algorithm, row, len), what);
            let whole = [&beginning[..], row].concat();
            same(&prefixed[i], &peer(algorithm, &whole, len), what);
        }
    }
}

/// Hashers of all algorithms in one array, in any order.
pub fn hashers_chosen_at_run_time_side_by_side() {
    for name in backends::available() {
        let _forced = backends::force(name);
        let mut random = Random::new(14);
        for count in [0, 1, 5, 300, 600] {
            let algorithms: Vec<Algorithm> = (0..count)
                .map(|_| Algorithm::ALL[random.up_to(Algorithm::ALL.len() - 1)])
                .collect();
            let messages: Vec<Vec<u8>> = (0..count).map(|_| random.some_bytes(2000)).collect();
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut hashers: Vec<AnyHasher> = algorithms.iter().map(|a| a.hasher()).collect();
            for pieces in rounds(&mut random, &slices) {
                AnyHasher::update_many(&mut hashers, &pieces).expect("a piece for each");
            }
            for ((algorithm, hasher), message) in algorithms.iter().zip(&hashers).zip(slices) {
                let expected = peer(*algorithm, message, algorithm.output_len());
                same(&hasher.finalize(), &expected, format_args!("{algorithm}, {name}"));
            }
        }
    }
}
