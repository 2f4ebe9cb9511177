//! BLAKE2Xb and BLAKE2Xs: the authors' answers, and agreement with the reference around the blocks'
//! ends, on every backend of this machine.

use crate::common::answer::{Params, hex, ptn};
use crate::common::backends;
use crate::common::published::{json, list, shared, text};
use crate::common::random::Random;
use crate::common::reference;
use hashmill::many::Hex;
use hashmill::{Algorithm, Blake2xb, Blake2xs, Error, blake2b, blake2s};
use std::io::Read;

/// One input: a message with a key, a salt, a personalization and perhaps a known length of the
/// output.
struct Given<'a> {
    message: &'a [u8],
    key: &'a [u8],
    salt: &'a [u8],
    personal: &'a [u8],
    known: Option<u64>,
}

impl Given<'_> {
    fn reference(&self, algorithm: Algorithm, len: usize) -> Vec<u8> {
        let Given { message, key, salt, personal, known } = *self;
        let params = Params {
            key: key.to_vec(),
            salt: salt.to_vec(),
            personal: personal.to_vec(),
            ..Params::new(algorithm.output_len())
        };
        reference::blake2x(algorithm, &params, known, message, len)
    }
}

/// Runs a test for both functions, with their modules.
macro_rules! both {
    ($test:ident) => {
        backends::each_of(Algorithm::Blake2b, |backend| {
            $test!(blake2b Blake2xb blake2xb Blake2b, 64, u64::from(u32::MAX), backend);
        });
        backends::each_of(Algorithm::Blake2s, |backend| {
            $test!(blake2s Blake2xs blake2xs Blake2s, 32, u64::from(u16::MAX), backend);
        });
    };
}

/// Every interface returns the reference's output, for any pieces of the message and of the output.
#[test]
fn agreement() {
    macro_rules! test {
        ($module:ident $X:ident $call:ident $Name:ident, $block:literal, $unknown:expr, $backend:expr) => {{
            let (algorithm, block, mut random) = (Algorithm::$Name, $block, Random::new(7));
            let (salt, personal) = (ptn(block / 4), ptn(block / 8));
            for (i, len) in
                [1, block - 1, block, block + 1, 5 * block, 16 * block + 1, 40 * block + 7]
                    .into_iter()
                    .enumerate()
            {
                for known in [None, Some(len as u64)] {
                    let (message, key) = (ptn(i * 77), ptn(if i % 2 == 0 { 0 } else { block }));
                    let given = Given {
                        message: &message,
                        key: &key,
                        salt: &salt,
                        personal: &personal,
                        known,
                    };
                    let expected = given.reference(algorithm, len);
                    let params = hashmill::$module::Params::new().key(&key).salt(&salt);
                    let start = params.personal(&personal).build_xof(known).expect("parameters");
                    let of = format!("{algorithm}, {}, {len} of {known:?}", $backend);
                    assert_eq!(start.output_len(), known);

                    let mut hasher = start.clone();
                    random.pieces(&message, 100).iter().for_each(|piece| _ = hasher.update(piece));
                    let mut reader = hasher.squeeze();
                    let mut out = vec![0; len];
                    let mut rest = &mut out[..];
                    while !rest.is_empty() {
                        let (piece, left) =
                            rest.split_at_mut(random.up_to(rest.len().min(3 * block)));
                        reader.try_fill(piece).expect("as much output");
                        rest = left;
                    }
                    assert_eq!(out, expected, "{of}, in pieces");
                    assert_eq!(
                        reader.try_fill(&mut [0]).err(),
                        known.map(|_| Error::OutputEnd { given: 1, left: 0 }),
                        "{of}"
                    );
                    let bytes: Vec<u8> = Iterator::take(hasher.squeeze(), len).collect();
                    assert_eq!(bytes, expected, "{of}, bytes");

                    let imported = $X::import(hasher.export().as_ref()).expect("a state");
                    assert_eq!(imported.output_len(), known);
                    let mut whole = Vec::new();
                    Read::take(imported.squeeze(), len as u64)
                        .read_to_end(&mut whole)
                        .expect("output");
                    assert_eq!(whole, expected, "{of}, imported");

                    // 70 messages are more than a batch of 64. Some are longer than others.
                    let messages: Vec<Vec<u8>> = (0..70).map(|i| ptn(i % 5 * 50)).collect();
                    let mut many = vec![0; 70 * 2 * len];
                    start.hash_many(&messages, &mut Hex(&mut many)).expect("room for each");
                    for (message, out) in messages.iter().zip(many.chunks(2 * len)).step_by(3) {
                        let expected = Given { message, ..given }.reference(algorithm, len);
                        let out = str::from_utf8(out).expect("digits");
                        assert_eq!(hex(out), expected, "{of}, many");
                    }
                }
            }
            let plain =
                Given { message: b"abc", key: b"", salt: b"", personal: b"", known: Some(100) };
            assert_eq!(hashmill::$call::<100>(b"abc")[..], plain.reference(algorithm, 100));
            let unknown = Given { known: None, ..plain }.reference(algorithm, 100);
            let mut out = [0; 100];
            $X::from_iter(*b"abc").squeeze().try_fill(&mut out).expect("output");
            assert_eq!(out[..], unknown);
        }};
    }
    both!(test);
}

#[test]
fn refusals() {
    macro_rules! test {
        ($module:ident $X:ident $call:ident $Name:ident, $block:literal, $unknown:expr, $backend:expr) => {{
            use hashmill::$module::Params;
            let of = concat!(stringify!($X), " on ");
            for len in [0, $unknown, u64::MAX] {
                let refused = Params::new().build_xof(Some(len)).err();
                let expected = Error::Blake2OutputLength { given: len };
                assert_eq!(refused, Some(expected), "{of}{}, {len}", $backend);
            }
            assert!(Params::new().build_xof(Some($unknown - 1)).is_ok());
            let refused = Params::new().key(&[0; 65]).build_xof(None).err();
            assert_eq!(refused, Some(Error::Blake2KeyLength { given: 65 }));

            let known = Params::new().build_xof(Some(10)).expect("a length");
            for (messages, len) in [(2, 19), (2, 22), (1, 20)] {
                let refused = known.hash_many(&vec![""; messages], &mut vec![0; len]);
                let expected =
                    Error::OutputLength { given: len as u64, expected: 10 * messages as u64 };
                assert_eq!(refused, Err(expected), "{messages} in {len}");
            }
            // Nothing is written if the output has too few bytes left.
            let (mut reader, mut out) = (known.squeeze(), [7; 11]);
            assert_eq!(reader.try_fill(&mut out), Err(Error::OutputEnd { given: 11, left: 10 }));
            assert_eq!(out, [7; 11]);
            let mut all = Vec::new();
            assert_eq!(reader.clone().read_to_end(&mut all).expect("output"), 10);
            assert_eq!(Iterator::by_ref(&mut reader).collect::<Vec<u8>>(), all);
            assert_eq!(reader.next(), None);
            assert!(format!("{reader:?} {known:?}").contains("10"));

            let state = known.export();
            let mut damaged = state.as_ref().to_vec();
            damaged[5] ^= 1;
            assert_eq!($X::import(&damaged).err(), Some(Error::StateDamaged));
            assert_eq!(hashmill::$Name::import(state.as_ref()).err(), Some(Error::StateAlgorithm));
            let other = hashmill::$Name::new().export();
            assert_eq!($X::import(other.as_ref()).err(), Some(Error::StateAlgorithm));
            // States with a correct check that `export` never writes. The fields are: the node offset
            // with the output's length, 2 to 9; the salt, 10 to 25; the personalization, 26 to 41;
            // the root's output length, 42; its flag as a last node, 43; its count of bytes, 44.
            let forged = |place: usize, byte| {
                let mut state = state.as_ref()[..state.as_ref().len() - 8].to_vec();
                state[place] = byte;
                let check = hashmill::sha256(&state);
                [&state, &check[..8]].concat()
            };
            let mut wrong = vec![(6, 0), (2, 1), (43, 1), (43, 2), (44, $block)];
            wrong.extend((0..=u8::MAX).filter(|&len| len != $block).map(|len| (42, len)));
            if $block == 32 {
                wrong.extend((8..16).flat_map(|i| [(10 + i, 1), (26 + i, 1)]));
            }
            for (place, byte) in wrong {
                let refused = $X::import(&forged(place, byte)).err();
                let cut = place == 44 && refused == Some(Error::StateDamaged);
                assert!(cut || refused == Some(Error::StateInconsistent), "{place}, {byte}");
            }
            for place in (10..42).filter(|place| $block == 64 || (place - 10) % 16 < 8) {
                assert!($X::import(&forged(place, 7)).is_ok(), "{place}");
            }
            // A message that would become too long is an error, and nothing is absorbed.
            let mut near = state.as_ref()[..44].to_vec();
            let limit = if $block == 64 { u128::MAX } else { u64::MAX.into() };
            near.extend(limit.to_le_bytes());
            near.extend([3; 8 * $block / 8]);
            near.extend([5; 2 * $block - 1]);
            near.extend(hashmill::sha256(&near)[..8].to_vec());
            let mut near = $X::import(&near).expect("as many bytes as allowed");
            let before = near.export();
            assert_eq!(near.try_update(b"1").err(), Some(Error::MessageTooLong));
            assert_eq!(near.export().as_ref(), before.as_ref());
            assert_eq!(near.hash_many(&[b"1"], &mut [0; 10]), Err(Error::MessageTooLong));
            let mut out = [0; 10];
            near.try_update(b"").expect("nothing").squeeze().try_fill(&mut out).expect("output");
        }};
    }
    both!(test);
}

/// After `seek` the output goes on from that byte, in any block.
#[test]
fn seeks() {
    macro_rules! test {
        ($module:ident $X:ident $call:ident $Name:ident, $block:literal, $unknown:expr, $backend:expr) => {{
            let len = 3 * $block + 5;
            let mut xof = hashmill::$module::Params::new().build_xof(Some(len)).expect("a length");
            let mut reader = xof.update(b"abc").squeeze();
            let mut all = vec![0; len as usize];
            reader.try_fill(&mut all).expect("the whole output");
            for position in 0..=len {
                let rest = &all[position as usize..];
                let mut out = vec![0; rest.len()];
                reader.seek(position).expect("a position of the output");
                reader.try_fill(&mut out).expect("the rest");
                assert_eq!(out, rest, "{} from byte {position}", $backend);
            }
            assert!(reader.seek(len + 1).is_err());
        }};
    }
    both!(test);
}

/// Checks the answers in the authors' blake2-kat.json.
#[test]
fn published() {
    let Some(file) = shared("blake2/blake2-kat.json.gz") else {
        return println!("left out: ../shared/vectors/blake2 is not there");
    };
    let mut checked = 0;
    for test in list(&json(&file)) {
        let (message, key) = (hex(text(&test["in"])), hex(text(&test["key"])));
        let expected = hex(text(&test["out"]));
        let (mut out, known) = (vec![0; expected.len()], Some(expected.len() as u64));
        let filled = match text(&test["hash"]) {
            "blake2xb" => blake2b::Params::new()
                .key(&key)
                .build_xof(known)
                .and_then(|mut xof| xof.update(&message).squeeze().try_fill(&mut out)),
            "blake2xs" => blake2s::Params::new()
                .key(&key)
                .build_xof(known)
                .and_then(|mut xof| xof.update(&message).squeeze().try_fill(&mut out)),
            _ => continue,
        };
        assert_eq!((filled, out), (Ok(()), expected));
        checked += 1;
    }
    assert_eq!(checked, 1024);
}
