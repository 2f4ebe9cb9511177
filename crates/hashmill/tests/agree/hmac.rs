//! HMAC.

use super::agreed;
use super::many::{batch, rounds};
use crate::common::answer::same;
use crate::common::random::Random;
use crate::common::{calls, peers, reference};
use hashmill::Algorithm;

pub fn hmac_with_keys_of_every_length_to_two_blocks(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(9);
    for len in 0..=2 * algorithm.block_len() {
        let (key, message) = (random.bytes(len), random.some_bytes(600));
        let reference = reference::hmac(algorithm, &key, &message);
        let expected = agreed(algorithm, reference, vec![peers::hmac(algorithm, &key, &message)]);
        let mut mac = algorithm.hmac(&key).expect("a key of any length");
        for piece in random.pieces(&message, 200) {
            mac.update(piece);
        }
        same(
            &mac.finalize(),
            &expected,
            format_args!("{algorithm}, {backend}, a key of {len} bytes"),
        );
        let portable = calls::portable_hmac(algorithm, &key, &message);
        same(&portable, &expected, format_args!("{algorithm}, portable, a key of {len} bytes"));
        assert!(mac.verify(&expected).is_ok(), "{algorithm}, {backend}, a key of {len} bytes");
        let mut corrupted = expected;
        let place = random.up_to(corrupted.len() - 1);
        corrupted[place] ^= 1 << random.up_to(7);
        assert!(mac.verify(&corrupted).is_err(), "{algorithm}, {backend}, a key of {len} bytes");
    }
}

pub fn hmac_of_many_messages(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(12);
    for number in 0..40 {
        let key = random.some_bytes(2 * algorithm.block_len());
        let messages = batch(algorithm, &mut random, number * 4);
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let expected: Vec<_> =
            slices.iter().map(|message| peers::hmac(algorithm, &key, message).1).collect();
        let pieces = rounds(&mut random, &slices);
        for (how, tags) in [
            ("hash_many", calls::hmacs(algorithm, &key, &slices, &[]).many),
            ("update_many", calls::hmacs_updated(algorithm, &key, &pieces)),
        ] {
            assert_eq!(tags.len(), expected.len());
            for (tag, expected) in tags.iter().zip(&expected) {
                let what = format_args!("{algorithm}, {backend}, {how} of {}", slices.len());
                same(tag, expected, what);
            }
        }
    }
}
