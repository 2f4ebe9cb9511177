//! Hashing continues from an exported state.

use super::{code, digest, import, shape};
use crate::common::backends;
use crate::common::random::Random;
use hashmill::{Algorithm, AnyHasher};

#[test]
fn every_split_goes_on_to_the_right_digest_on_every_backend() {
    let mut of_the_first_backend = std::collections::HashMap::new();
    backends::each(|algorithm, backend| {
        let message = Random::new(1).bytes(3 * shape(algorithm).stride);
        let expected = digest(algorithm, &message);
        for cut in 0..=message.len() {
            let (begin, rest) = message.split_at(cut);
            let mut hasher = algorithm.hasher();
            let exported = hasher.update(begin).export().expect("a state");
            let state = exported.as_ref();
            let first = of_the_first_backend.entry((algorithm, cut));
            assert_eq!(first.or_insert(state.to_vec()), state, "{algorithm} at {cut}, {backend}");
            for mut resumed in [import(algorithm, state), AnyHasher::import(state)]
                .map(|hasher| hasher.expect("an exported state"))
            {
                assert_eq!(resumed.algorithm(), Some(algorithm));
                assert_eq!(
                    resumed.export().expect("a state").as_ref(),
                    state,
                    "{algorithm} at {cut}, {backend}"
                );
                let again = resumed.update(rest).finalize();
                assert_eq!(again[..], expected, "{algorithm} at {cut}, {backend}");
            }
            assert_eq!(hasher.update(rest).finalize()[..], expected, "export changed the hasher");
        }
    });
}

#[test]
fn parameters_go_along() {
    macro_rules! blake2 {
        ($Type:ident $function:ident $($tree:tt)*) => {{
            let params = hashmill::$function::Params::new()
                .output_len(21).key(b"key").salt(b"salt").personal(b"personal")$($tree)*;
            for len in [0, 1, 64, 128, 129, 700, 2000] {
                let mut hasher = params.build().expect("good parameters");
                hasher.update(&vec![7; len]);
                let mut resumed =
                    hashmill::$Type::import(hasher.export().as_ref()).expect("an exported state");
                assert_eq!(resumed.finalize(), hasher.finalize());
                assert_eq!(resumed.update(b"more").finalize(), hasher.update(b"more").finalize());
                assert_eq!(resumed.finalize().len(), 21);
                let any = AnyHasher::import(resumed.export().as_ref()).expect("an exported state");
                assert_eq!((any.output_len(), any.finalize()), (21, resumed.finalize()));
            }
        }};
    }
    blake2!(Blake2b blake2b.fanout(2).max_depth(2).last_node(hashmill::LastNode::Yes));
    blake2!(Blake2s blake2s.fanout(2).max_depth(2).last_node(hashmill::LastNode::Yes));
    blake2!(Blake2bp blake2bp);
    blake2!(Blake2sp blake2sp);
    for domain in 0x01..=0x7F {
        let mut xof = hashmill::TurboShake256::with_domain(domain).expect("a domain");
        xof.update([7; 150]);
        let resumed =
            hashmill::TurboShake256::import(xof.export().as_ref()).expect("an exported state");
        assert!(resumed.squeeze().take(200).eq(xof.squeeze().take(200)));
    }
}

/// The codes must never change, because users have stored states that contain them.
#[test]
fn codes_are_for_ever() {
    let codes: Vec<u8> = Algorithm::ALL.iter().map(|&algorithm| code(algorithm)).collect();
    assert_eq!(
        codes,
        (1..=14).chain([19, 23, 21]).chain(15..=18).chain([20, 22]).collect::<Vec<u8>>()
    );
}
