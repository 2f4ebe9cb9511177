//! Exported states of KT128 and KT256.

use super::{CHECK_LEN, checked, without_check};
use crate::common::answer::ptn;
use crate::common::backends;
use crate::common::random::Random;
use hashmill::{Algorithm, AnyHasher, Error, Kt128, Kt256};
use hashmill_reference::k12;
use std::collections::HashMap;

/// RFC 9861 §3.2.
const CHUNK: usize = 8192;

/// Returns places to cut a message: around the ends of chunks and of the rates' blocks.
fn cuts() -> Vec<usize> {
    let ends = [0, 136, 168, 1000, CHUNK, CHUNK + 168, 2 * CHUNK, 3 * CHUNK, 9 * CHUNK, 17 * CHUNK];
    let near = |end: usize| end.saturating_sub(2)..=end + 2;
    ends.into_iter().flat_map(near).collect()
}

macro_rules! both {
    ($test:ident: $($extra:tt)*) => {
        $test!(Kt128, kt128 $($extra)*);
        $test!(Kt256, kt256 $($extra)*);
    };
}

#[test]
fn a_state_goes_on() {
    let message = ptn(20 * CHUNK);
    let mut of_the_first_backend = HashMap::new();
    macro_rules! goes_on {
        ($Kt:ident, $kt:ident, $backend:ident) => {{
            let expected = k12::$kt(&message, b"C", 50);
            for cut in cuts() {
                let what = format!("{}, {}, cut at {cut}", stringify!($Kt), $backend);
                let (begin, rest) = message.split_at(cut);
                let mut hasher = $Kt::new();
                let exported = hasher.update(begin).export();
                let state = exported.as_ref();
                let first = of_the_first_backend.entry((stringify!($Kt), cut));
                assert_eq!(first.or_insert(state.to_vec()), state, "{what}");
                // The state does not depend on the lengths of the updates.
                let mut in_pieces = $Kt::new();
                begin.chunks(5000).for_each(|piece| _ = in_pieces.update(piece));
                assert_eq!(in_pieces.export().as_ref(), state, "{what}, in pieces");
                let mut resumed = $Kt::import(state).expect("an exported state");
                assert_eq!(resumed.export().as_ref(), state, "{what}");
                assert!(resumed.squeeze().take(40).eq(hasher.squeeze().take(40)));
                for mut hasher in [resumed.clone(), hasher] {
                    let output = hasher.update(rest).squeeze_custom(b"C").take(50);
                    assert!(output.eq(expected.iter().copied()), "{what}");
                }
                for piece in rest.chunks(3000) {
                    resumed.update(piece);
                }
                let output = resumed.squeeze_custom(b"C").take(50);
                assert!(output.eq(expected.iter().copied()), "{what}, in pieces");
            }
        }};
    }
    backends::each_of(Algorithm::TurboShake128, |backend| {
        both!(goes_on: , backend);
    });
}

#[test]
fn another_algorithms_state() {
    let (kt128, kt256) = (Kt128::new().export(), Kt256::new().export());
    assert_eq!(Kt128::import(kt256.as_ref()).err(), Some(Error::StateAlgorithm));
    assert_eq!(Kt256::import(kt128.as_ref()).err(), Some(Error::StateAlgorithm));
    for algorithm in Algorithm::ALL {
        let exported = algorithm.hasher().update(b"abc").export().expect("a state");
        assert_eq!(Kt128::import(exported.as_ref()).err(), Some(Error::StateAlgorithm));
        assert_eq!(Kt256::import(exported.as_ref()).err(), Some(Error::StateAlgorithm));
    }
    for state in [kt128, kt256] {
        let any = AnyHasher::import(state.as_ref()).expect("a state of any function");
        assert_eq!(any.export().expect("a state").as_ref(), state.as_ref());
        assert_eq!(any.algorithm(), None);
        let typed = hashmill::TurboShake128::import(state.as_ref()).err();
        assert!(matches!(typed, Some(Error::StateAlgorithm | Error::StateDamaged)), "{typed:?}");
    }
}

/// The codes must never change, because users have stored states that contain them.
#[test]
fn codes_are_for_ever() {
    assert_eq!(Kt128::new().export().as_ref()[..2], [1, 0x40]);
    assert_eq!(Kt256::new().export().as_ref()[..2], [1, 0x41]);
}

#[test]
fn damaged_states() {
    macro_rules! damaged {
        ($Kt:ident, $kt:ident) => {
            for len in [0, 3, CHUNK, CHUNK + 1, 3 * CHUNK + 100] {
                let exported = $Kt::new().update(&ptn(len)).export();
                let state = exported.as_ref();
                let refused = |state: &[u8]| $Kt::import(state).err().expect("an error");
                for len in 0..state.len() {
                    assert_eq!(refused(&state[..len]), Error::StateDamaged, "{len} bytes");
                }
                for bit in 0..8 * state.len() {
                    let mut flipped = state.to_vec();
                    flipped[bit / 8] ^= 1 << (bit % 8);
                    let expected = match flipped[0] {
                        given @ 2.. => Error::StateVersion { given: given.into(), known: 1 },
                        _ => Error::StateDamaged,
                    };
                    assert_eq!(refused(&flipped), expected, "bit {bit}");
                }
                // With a correct check.
                let body = without_check(state);
                assert_eq!(body.len() + CHECK_LEN, state.len());
                for cut in 2..body.len() {
                    let error = refused(&checked(&body[..cut]));
                    let is = matches!(error, Error::StateDamaged | Error::StateInconsistent);
                    assert!(is, "{cut} bytes: {error}");
                }
                for more in [1, 2, 64, 200] {
                    let longer = checked(&[body, &vec![0; more]].concat());
                    assert_eq!(refused(&longer), Error::StateInconsistent, "{more} more");
                }
            }
        };
    }
    both!(damaged:);
}

/// States with a correct check whose fields contradict each other: a node or a leaf that has changed
/// before its first whole block, and more leaves than the count of leaves can hold.
#[test]
fn inconsistent_states() {
    macro_rules! inconsistent {
        ($Kt:ident, $kt:ident, $rate:literal) => {
            let import = |len, change: &dyn Fn(&mut [u8])| {
                let mut body =
                    without_check($Kt::new().update(&ptn(len)).export().as_ref()).to_vec();
                change(&mut body);
                $Kt::import(&checked(&body)).map(drop)
            };
            let refused = Err(Error::StateInconsistent);
            // The node's words are the bytes 19 to 218. The leaf's follow the node's waiting bytes.
            let node = |body: &mut [u8]| body[19 + 77] ^= 1;
            for len in [0, 1, $rate - 1] {
                assert_eq!(import(len, &node), refused, "{len}");
            }
            assert_eq!(import($rate, &node), Ok(()));
            let leaf = |body: &mut [u8]| body[221 + usize::from(body[219]) + 77] ^= 1;
            for len in [0, $rate, CHUNK, CHUNK + $rate - 1, 2 * CHUNK, 2 * CHUNK + 1] {
                assert_eq!(import(len, &leaf), refused, "{len}");
            }
            assert_eq!(import(CHUNK + $rate, &leaf), Ok(()));
            // As many leaves as the count can hold, and more.
            for (leaves, expected) in
                [(1_u128 << 60, Ok(())), (1 << 63, refused), (1 << 64, refused)]
            {
                // The node absorbs 8200 bytes before the chaining values.
                let waiting = (8200 + (200 - $rate) * leaves) % $rate;
                let state = [
                    &[1, $Kt::new().export().as_ref()[1]][..],
                    &(8192 * (leaves + 1)).to_le_bytes(),
                    &[&[7][..], &[3; 200], &[waiting as u8], &vec![5; waiting as usize]].concat(),
                    &[&[11][..], &[0; 200], &[0]].concat(),
                ];
                let imported = $Kt::import(&checked(&state.concat()));
                assert_eq!(imported.map(drop), expected, "{leaves} leaves");
            }
        };
    }
    inconsistent!(Kt128, kt128, 168);
    inconsistent!(Kt256, kt256, 136);
}

/// States with random changes and a correct check: `import` returns an error, or a hasher that can
/// be used.
#[test]
fn forged_states_never_panic() {
    macro_rules! forged {
        ($Kt:ident, $kt:ident) => {{
            let mut random = Random::new(6);
            let (mut good, mut bad) = (0, 0);
            for round in 0..3000 {
                let most = [200, CHUNK, 3 * CHUNK][round % 3];
                let message = random.some_bytes(most);
                let exported = $Kt::new().update(&message).export();
                let mut body = without_check(exported.as_ref()).to_vec();
                for _ in 0..random.up_to(3) {
                    let at = 2 + random.up_to(body.len() - 3);
                    // Most fields of a state are in its first bytes.
                    let at = if random.up_to(1) == 0 { at } else { 2 + at % 20 };
                    body[at] = [random.next() as u8, body[at] ^ 1, 0, 0xFF][random.up_to(3)];
                }
                if random.up_to(9) == 0 {
                    body.truncate(2 + random.up_to(body.len() - 2));
                }
                let state = checked(&body);
                match $Kt::import(&state) {
                    Err(_) => bad += 1,
                    Ok(mut hasher) => {
                        good += 1;
                        assert_eq!(hasher.export().as_ref(), state);
                        hasher.update(&[1; 2 * CHUNK]);
                        hasher.squeeze().take(1).for_each(drop);
                    }
                }
            }
            assert!(good > 100 && bad > 100, "{good} were states, {bad} were not");
        }};
    }
    both!(forged:);
}
