//! HMAC: agreement with the reference and a peer on every backend, and tags that must be refused.

use crate::agree::agreed;
use crate::agree::many::{batch, rounds};
use crate::common::answer::same;
use crate::common::random::Random;
use crate::common::{backends, peers, reference, typed};
use hashmill::{Algorithm, Error, Hmac};

#[test]
fn hmac_with_keys_of_every_length_to_two_blocks() {
    backends::each(|algorithm, backend| {
        if algorithm.is_xof() {
            assert!(algorithm.hmac(b"key").is_err(), "{algorithm}");
            return;
        }
        let mut random = Random::new(9);
        for len in 0..=2 * algorithm.block_len() {
            let (key, message) = (random.bytes(len), random.some_bytes(600));
            let reference = reference::hmac(algorithm, &key, &message);
            let expected =
                agreed(algorithm, reference, vec![peers::hmac(algorithm, &key, &message)]);
            let mut mac = algorithm.hmac(&key).expect("a key of any length");
            for piece in random.pieces(&message, 200) {
                mac.update(piece);
            }
            same(
                &mac.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, a key of {len} bytes"),
            );
            let portable = typed::portable_hmac(algorithm, &key, &message);
            same(&portable, &expected, format_args!("{algorithm}, portable, a key of {len} bytes"));
            assert!(mac.verify(&expected).is_ok(), "{algorithm}, {backend}, a key of {len} bytes");
            let mut corrupted = expected;
            let place = random.up_to(corrupted.len() - 1);
            corrupted[place] ^= 1 << random.up_to(7);
            assert!(
                mac.verify(&corrupted).is_err(),
                "{algorithm}, {backend}, a key of {len} bytes"
            );
        }
    });
}

#[test]
fn hmac_of_many_messages() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(12);
        for number in (0..40).filter(|_| !algorithm.is_xof()) {
            let key = random.some_bytes(2 * algorithm.block_len());
            let messages = batch(algorithm, &mut random, number * 4);
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let expected: Vec<_> =
                slices.iter().map(|message| peers::hmac(algorithm, &key, message).1).collect();
            let pieces = rounds(&mut random, &slices);
            for (how, tags) in [
                ("hash_many", typed::hmac_many(algorithm, &key, &slices)),
                ("update_many", typed::hmac_update_many(algorithm, &key, &pieces)),
            ] {
                assert_eq!(tags.len(), expected.len());
                for (tag, expected) in tags.iter().zip(&expected) {
                    let what = format_args!("{algorithm}, {backend}, {how} of {}", slices.len());
                    same(tag, expected, what);
                }
            }
        }
    });
}

#[test]
fn tags() {
    for &algorithm in Algorithm::ALL {
        let hmac = algorithm.hmac(b"key");
        if algorithm.is_xof() {
            assert_eq!(hmac.err(), Some(Error::NoHmac), "{algorithm}");
            continue;
        }
        let mut hmac = hmac.expect("a hash function of fixed output length");
        assert_eq!(hmac.algorithm(), algorithm);
        let tag = hmac.update(b"message").finalize();
        assert_eq!(tag.len(), algorithm.output_len());
        assert_eq!(hmac.verify(&tag), Ok(()), "{algorithm}");
        wrong_tags(&tag, |wrong| hmac.verify(wrong));
        let other_key = algorithm.hmac(b"kez").map(|mut hmac| hmac.update(b"message").verify(&tag));
        assert_eq!(other_key, Ok(Err(Error::TagMismatch)));
        assert_eq!(hmac.update(b"!").verify(&tag), Err(Error::TagMismatch));
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            let mut hmac = Hmac::<hashmill::$Type>::new(b"key");
            let tag = hmac.update(b"message").finalize();
            assert_eq!(hmac.verify(&tag[..]), Ok(()));
            wrong_tags(&tag[..], |wrong| hmac.verify(wrong));
        )* };
    }
    each!(fixed fixed);
}

fn wrong_tags(tag: &[u8], verify: impl Fn(&[u8]) -> Result<(), Error>) {
    let refused = |wrong: &[u8]| assert_eq!(verify(wrong), Err(Error::TagMismatch), "{wrong:x?}");
    for bit in 0..8 * tag.len() {
        let mut wrong = tag.to_vec();
        wrong[bit / 8] ^= 1 << (bit % 8);
        refused(&wrong);
    }
    for len in 0..tag.len() {
        refused(&tag[..len]);
        refused(&tag[tag.len() - len..]);
    }
    for more in [1, 8, 64] {
        refused(&[tag, &vec![0; more]].concat());
    }
    refused(&tag.repeat(2));
}
