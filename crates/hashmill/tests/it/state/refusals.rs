//! Bytes that are not an exported state are an error.

use super::{
    checked, code, error, forge, has_chunks, import, is_ascon, is_blake2, is_sponge, refused,
    shape, without_check,
};
use crate::common::random::Random;
use hashmill::{Algorithm, AnyHasher, Error};

#[test]
fn another_algorithms_state() {
    for &algorithm in Algorithm::ALL {
        let exported = algorithm.hasher().update(b"abc").export().expect("a state");
        for &other in Algorithm::ALL.iter().filter(|&&other| other != algorithm) {
            let error = error(import(other, exported.as_ref()));
            assert_eq!(error, Some(Error::StateAlgorithm), "{algorithm} as {other}");
        }
    }
    for code in (0..=u8::MAX).filter(|&byte| Algorithm::ALL.iter().all(|&a| code(a) != byte)) {
        let state = checked(&[&[1, code], &[0; 100][..]].concat());
        // The codes of KangarooTwelve, BLAKE2X, cSHAKE, KMAC, TupleHash, ParallelHash and
        // Ascon-CXOF128.
        let expected = match code {
            0x40..=0x4C => Error::StateInconsistent,
            _ => Error::StateDamaged,
        };
        assert_eq!(AnyHasher::import(&state).err(), Some(expected), "code {code}");
        let typed = hashmill::Sha256::import(&state).err();
        assert_eq!(typed, Some(Error::StateAlgorithm), "code {code} as SHA-256");
    }
}

#[test]
fn damaged_states() {
    for &algorithm in Algorithm::ALL {
        for len in [0, 3, shape(algorithm).stride + 1] {
            let exported = algorithm.hasher().update(vec![1; len]).export().expect("a state");
            let state = exported.as_ref();
            for len in 0..state.len() {
                assert_eq!(refused(algorithm, &state[..len]), Error::StateDamaged, "{len} bytes");
            }
            for more in [1, 8, 1000] {
                let longer = [state, &vec![0; more]].concat();
                assert_eq!(refused(algorithm, &longer), Error::StateDamaged, "{more} more");
            }
            for bit in 0..8 * state.len() {
                let mut flipped = state.to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let expected = match flipped[0] {
                    given @ 2.. => Error::StateVersion { given: given.into(), known: 1 },
                    _ => Error::StateDamaged,
                };
                assert_eq!(refused(algorithm, &flipped), expected, "{algorithm}, bit {bit}");
            }
        }
    }
}

#[test]
fn other_versions() {
    for &algorithm in Algorithm::ALL {
        let exported = algorithm.hasher().export().expect("a state");
        for version in [0, 2, 3, 0x7F, 0xFF] {
            let mut body = without_check(exported.as_ref()).to_vec();
            body[0] = version;
            let expected = match version {
                0 => Error::StateDamaged,
                _ => Error::StateVersion { given: version.into(), known: 1 },
            };
            assert_eq!(refused(algorithm, &checked(&body)), expected, "version {version}");
            // The version alone decides, because the layout of a newer version is unknown.
            assert_eq!(refused(algorithm, &[version]), expected, "version {version} alone");
        }
    }
}

/// States with a correct check and inconsistent fields.
#[test]
fn inconsistent_states() {
    for &algorithm in Algorithm::ALL {
        let shape = shape(algorithm);
        for len in [0, 1, shape.stride, shape.stride + 7] {
            let exported = algorithm.hasher().update(vec![1; len]).export().expect("a state");
            let body = without_check(exported.as_ref());
            for cut in 2..body.len() {
                let error = refused(algorithm, &checked(&body[..cut]));
                assert!(
                    matches!(error, Error::StateDamaged | Error::StateInconsistent),
                    "{algorithm}, {cut} bytes: {error}",
                );
            }
            for more in [1, 2, 64, 200] {
                let longer = checked(&[body, &vec![0; more]].concat());
                assert_eq!(refused(algorithm, &longer), Error::StateInconsistent, "{more} more");
            }
        }
        let inconsistent = |parts: &[&[u8]]| {
            assert_eq!(refused(algorithm, &forge(algorithm, parts)), Error::StateInconsistent);
        };
        if has_chunks(algorithm) {
            continue;
        }
        if is_ascon(algorithm) {
            assert!(import(algorithm, &forge(algorithm, &[&[3; 40], &[7], &[5; 7]])).is_ok());
            inconsistent(&[&[0; 40], &[7], &[5; 7]]);
            (8..=255).for_each(|len| inconsistent(&[&[3; 40], &[len], &vec![5; len.into()]]));
            continue;
        }
        if is_sponge(algorithm) {
            let rate = shape.stride;
            let (own, others): (u8, &[u8]) = match algorithm {
                Algorithm::TurboShake128 | Algorithm::TurboShake256 => {
                    (0x1F, &[0, 0x80, 0x9F, 0xFF])
                }
                _ if algorithm.is_xof() => (0x1F, &[0, 0x01, 0x06, 0x1E, 0x9F, 0xFF]),
                Algorithm::Keccak256 => (0x01, &[0, 0x06, 0x07, 0x1F, 0x81, 0xFF]),
                _ => (0x06, &[0, 0x01, 0x07, 0x1F, 0x86, 0xFF]),
            };
            let good = [&[own][..], &[3; 200], &[rate as u8 - 1], &vec![5; rate - 1]];
            assert!(import(algorithm, &forge(algorithm, &good)).is_ok());
            for &suffix in others {
                inconsistent(&[&[suffix], good[1], good[2], good[3]]);
            }
            for len in rate..256 {
                inconsistent(&[good[0], good[1], &[len as u8], &vec![5; len]]);
            }
            continue;
        }
        let words = vec![3; 8 * shape.word];
        let mut counts = vec![shape.limit];
        counts.extend(shape.limit.checked_add(1));
        counts.extend((shape.limit < u128::MAX).then_some(u128::MAX));
        for count in counts {
            // The number of bytes that must wait at this count.
            let waiting = vec![5; shape.waiting(count)];
            let count_bytes = count.to_le_bytes();
            let good = if shape.leaves > 1 {
                let leaves = words.repeat(shape.leaves);
                forge(algorithm, &[&[9], &count_bytes, &words, &leaves, &waiting])
            } else if is_blake2(algorithm) {
                forge(algorithm, &[&[9, 0], &count_bytes, &words, &waiting])
            } else {
                forge(algorithm, &[&count_bytes, &words, &waiting])
            };
            if count > shape.limit {
                assert_eq!(
                    refused(algorithm, &good),
                    Error::StateInconsistent,
                    "{algorithm}, {count}"
                );
            } else {
                assert!(import(algorithm, &good).is_ok(), "{algorithm}, {count}");
            }
        }
        if is_blake2(algorithm) {
            let longest = algorithm.output_len() as u8;
            let more = words.repeat(shape.leaves);
            let tail = if shape.leaves > 1 { &more[..] } else { &[] };
            let flags: &[u8] = if shape.leaves > 1 { &[] } else { &[1] };
            for len in 1..=longest {
                let state = forge(algorithm, &[&[len], flags, &[0; 16], &words, tail]);
                let hasher = import(algorithm, &state).expect("a good state");
                assert_eq!(hasher.finalize().len(), usize::from(len));
            }
            for len in [0, longest + 1, 0xFF] {
                inconsistent(&[&[len], flags, &[0; 16], &words, tail]);
            }
            for flag in 2..=0xFF {
                if shape.leaves == 1 {
                    inconsistent(&[&[longest], &[flag], &[0; 16], &words, tail]);
                }
            }
        }
    }
}

/// States with random changes and a correct check: `import` returns an error, or a hasher that can
/// be used.
#[test]
fn forged_states_never_panic() {
    let mut random = Random::new(2);
    for &algorithm in Algorithm::ALL {
        let (mut good, mut bad) = (0, 0);
        for _ in 0..2000 {
            let message = random.some_bytes(2 * shape(algorithm).stride);
            let exported = algorithm.hasher().update(&message).export().expect("a state");
            let mut body = without_check(exported.as_ref()).to_vec();
            for _ in 0..random.up_to(3) {
                let at = 2 + random.up_to(body.len() - 3);
                // Most fields of a state are in its first bytes.
                let at = if random.up_to(1) == 0 { at } else { 2 + at % 20.min(body.len() - 2) };
                body[at] = [random.next() as u8, body[at] ^ 1, 0, 0xFF][random.up_to(3)];
            }
            if random.up_to(9) == 0 {
                body.truncate(2 + random.up_to(body.len() - 2));
            }
            let state = checked(&body);
            match import(algorithm, &state) {
                Err(_) => bad += 1,
                Ok(mut hasher) => {
                    good += 1;
                    assert_eq!(hasher.export().expect("a state").as_ref(), state, "{algorithm}");
                    let _ = hasher.try_update([1; 5000]);
                    hasher.finalize();
                    let _ = hasher.finalize_bits(0xFF, 7);
                }
            }
        }
        assert!(good > 100 && bad > 100, "{algorithm}: {good} were states, {bad} were not");
    }
}
