//! Single messages.

use super::{agreed, expected};
use crate::common::answer::{Message, same};
use crate::common::random::Random;
use crate::common::{calls, peers, reference, stride, takes_bits};
use hashmill::{Algorithm, AnyHasher};

pub fn every_length_to_four_blocks_and_some_beyond(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(1);
    let beyond = [1000, 4095, 4096, 4097, 10_000, 65_537, (1 << 20) + 3];
    let messages: Vec<Vec<u8>> =
        (0..=4 * stride(algorithm)).chain(beyond).map(|len| random.bytes(len)).collect();
    let digests = calls::digests(algorithm, &messages);
    for (message, many) in messages.iter().zip(&digests) {
        let len = message.len();
        let expected = expected(algorithm, message, algorithm.output_len());
        same(
            &algorithm.hash(message),
            &expected,
            format_args!("{algorithm}, {backend}, {len} bytes"),
        );
        same(many, &expected, format_args!("{algorithm}, {backend}, {len} bytes among many"));
        let alone = calls::digests(algorithm, &[message]);
        same(
            &alone[0],
            &expected,
            format_args!("{algorithm}, {backend}, {len} bytes, many of one"),
        );
    }
}

pub fn every_split_of_three_blocks(algorithm: Algorithm, backend: &str) {
    let len = 3 * stride(algorithm);
    let message = Random::new(2).bytes(len);
    let expected = expected(algorithm, &message, algorithm.output_len());
    for cut in 0..=len {
        let (begin, rest) = message.split_at(cut);
        let mut hasher = algorithm.hasher();
        hasher.update(begin);
        let saved = hasher.export().expect("a state");
        hasher.update(rest);
        same(&hasher.finalize(), &expected, format_args!("{algorithm}, {backend}, cut at {cut}"));
        let mut resumed = AnyHasher::import(saved.as_ref()).expect("an exported state");
        resumed.update(rest);
        same(
            &resumed.finalize(),
            &expected,
            format_args!("{algorithm}, {backend}, resumed at {cut}"),
        );
    }
}

pub fn random_splits_of_long_messages(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(3);
    for most in [1, 7, stride(algorithm), 3 * stride(algorithm) + 1, 20_000] {
        let len = 100 * most.min(2000);
        let message = random.bytes(len);
        let expected = expected(algorithm, &message, algorithm.output_len());
        let mut hasher = algorithm.hasher();
        for piece in random.pieces(&message, most) {
            hasher.update(piece);
        }
        same(
            &hasher.finalize(),
            &expected,
            format_args!("{algorithm}, {backend}, pieces of 0 to {most} bytes"),
        );
    }
}

pub fn finalize_leaves_the_hasher_as_it_is(algorithm: Algorithm, backend: &str) {
    let message = Random::new(4).bytes(3 * stride(algorithm) + 1);
    let mut hasher = algorithm.hasher();
    for (len, byte) in message.iter().enumerate() {
        if len % 5 == 0 {
            let expected = reference::hash(algorithm, &message[..len], algorithm.output_len());
            same(
                &hasher.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, after {len} bytes"),
            );
        }
        hasher.update([*byte]);
    }
}

pub fn messages_of_bits(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(5);
    for len in 0..=2 * algorithm.block_len() + 1 {
        let bytes = random.bytes(len);
        let mut hasher = algorithm.hasher();
        hasher.update(&bytes);
        for bits in 1..8 {
            let message = Message { bytes: bytes.clone(), last: random.next() as u8, bits };
            let len = algorithm.output_len();
            let reference = reference::bits(algorithm, &message, len);
            let expected =
                agreed(algorithm, reference, vec![peers::bits(algorithm, &message, len)]);
            let digest = hasher.finalize_bits(message.last, bits).expect("bits");
            same(&digest, &expected, format_args!("{algorithm}, {backend}, {message:?}"));
            assert!(hasher.finalize_bits(0, 8).is_err(), "{algorithm}: 8 bits are a byte");
        }
    }
}

pub fn bits_are_taken_where_the_standard_has_them() {
    for &algorithm in Algorithm::ALL {
        for bits in 0..8 {
            let digest = algorithm.hasher().finalize_bits(0, bits);
            assert_eq!(
                digest.is_ok(),
                takes_bits(algorithm),
                "{algorithm}, {bits} bits: {digest:?}"
            );
            let xof = algorithm.hasher().squeeze_bits(0, bits);
            let takes = takes_bits(algorithm) && algorithm.is_xof();
            assert_eq!(xof.is_ok(), takes, "{algorithm}, {bits} bits");
        }
    }
}

pub fn squeezes_of_every_length_and_split(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(6);
    let rate = algorithm.block_len();
    let message = random.bytes(rate + 5);
    let mut hasher = algorithm.hasher();
    hasher.update(&message);
    let expected = expected(algorithm, &message, 10_000);
    for len in (0..=2 * rate).chain([10_000]) {
        let mut out = vec![0; len];
        hasher.hash_into(b"", &mut out).expect("an XOF has any length");
        same(&out, &expected[..len], format_args!("{algorithm}, {backend}, {len} bytes at once"));
        let many = calls::packed(algorithm, &[&message[..], &message[..0]], len);
        same(&many[0], &expected[..len], format_args!("{algorithm}, {backend}, {len} bytes, many"));
    }
    for most in [1, 2, 9, rate - 1, rate, rate + 1, 3 * rate] {
        let mut reader = hasher.squeeze().expect("an XOF");
        let mut out = Vec::new();
        while out.len() < expected.len() {
            let mut piece = vec![0; random.up_to(most).min(expected.len() - out.len())];
            reader.try_fill(&mut piece).expect("output");
            out.extend(piece);
        }
        same(
            &out,
            &expected,
            format_args!("{algorithm}, {backend}, squeezed 0 to {most} bytes at a time"),
        );
    }
    let bytes: Vec<u8> = hasher.squeeze().expect("an XOF").take(expected.len()).collect();
    same(&bytes, &expected, format_args!("{algorithm}, {backend}, the iterator"));
}

fn extendable() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.is_xof())
}

pub fn xofs_and_fixed_lengths_are_told_apart() {
    for algorithm in extendable() {
        assert!(algorithm.hasher().hash_into(b"", &mut [0; 1]).is_ok(), "{algorithm}");
    }
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.is_xof()) {
        let mut out = vec![0; algorithm.output_len() + 1];
        assert!(algorithm.hasher().hash_into(b"", &mut out).is_err(), "{algorithm}");
        out.truncate(algorithm.output_len() - 1);
        assert!(algorithm.hasher().hash_into(b"", &mut out).is_err(), "{algorithm}");
    }
}
