//! Ascon-CXOF128 beside the reference and the crate `ascon-xof128`, in every interface, around the
//! ends of blocks, on every backend of this machine.

use crate::common::answer::{Answer, Input};
use crate::common::backends;
use crate::common::own::File;
use crate::common::random::Random;
use ascon_xof128::{AsconCxof128, ExtendableOutput, TryCustomizedInit, Update, XofReader};
use hashmill::{AnyHasher, AsconCXof128, Customization, Error, Hashing, VarDigest, ascon_cxof128};
use hashmill_reference::{Bits, ascon};

/// Lengths around the ends of the blocks, which have 8 bytes.
const LENGTHS: [usize; 14] = [0, 1, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 1000];

fn new(custom: &[u8]) -> AsconCXof128 {
    AsconCXof128::new(Customization(custom)).expect("at most 256 bytes")
}

fn theirs(custom: &[u8], message: &[u8], len: usize) -> Vec<u8> {
    let mut hasher = AsconCxof128::try_new_customized(custom).expect("at most 256 bytes");
    hasher.update(message);
    let mut out = vec![0; len];
    hasher.finalize_xof().read(&mut out);
    out
}

fn on_every_backend(mut test: impl FnMut(&str)) {
    for name in backends::available() {
        let _forced = backends::force(name);
        test(name);
    }
}

/// The answers of Ascon-CXOF128 in `vectors/`. `tests/kat.rs` checks those of all three functions.
#[test]
fn published_answers() {
    let answers = File::parse(include_str!("../../../../vectors/ascon.json"));
    let answers: Vec<Answer> = answers.answers().collect();
    let mut count = 0;
    on_every_backend(|backend| {
        for answer in &answers {
            let Input::AsconCxof { customization, message } = &answer.input else { continue };
            let ours = ascon_cxof128::<64>(message, Customization(customization));
            let case = format!("{backend}: {answer:?}");
            assert_eq!(ours.expect("at most 256 bytes")[..], answer.output.bytes, "{case}");
            count += 1;
        }
    });
    assert!(count > 0);
}

// The reference computes bit by bit. So each answer is computed once, and not for every backend.

#[test]
fn every_interface_agrees() {
    let mut random = Random::new(232);
    for custom in [0, 1, 7, 8, 9, 100, 255, 256] {
        let custom = random.bytes(custom);
        for len in LENGTHS {
            let message = random.bytes(len);
            let expected = ascon::ascon_cxof128(&custom, &message, 100);
            let case = format!("{len} bytes, customization of {}", custom.len());
            assert_eq!(theirs(&custom, &message, 100), expected, "{case}");
            on_every_backend(|backend| {
                let case = format!("{backend}: {case}");
                for pieces in [vec![&message[..]], random.pieces(&message, 20)] {
                    let (mut ours, mut any) = (new(&custom), AnyHasher::from(new(&custom)));
                    for piece in pieces {
                        ours.update(piece);
                        any.update(piece);
                        let state = ours.export();
                        ours = AsconCXof128::import(state.as_ref()).expect("a state");
                        let other = AnyHasher::import(state.as_ref()).expect("a state");
                        assert_eq!(other.finalize(), any.finalize(), "{case}");
                    }
                    for split in [0, 1, 8, 31, 32, 33, 100] {
                        let (mut out, mut reader) = ([0; 100], ours.squeeze());
                        reader.fill(&mut out[..split]);
                        reader.fill(&mut out[split..]);
                        assert_eq!(out[..], expected, "{case}, {split}");
                    }
                    assert_eq!(any.finalize()[..], expected[..32], "{case}");
                    assert_eq!(ours.squeeze().take(50).collect::<Vec<_>>(), expected[..50]);
                    assert!(any.squeeze().expect("a reader").take(50).eq(expected[..50].to_vec()));
                }
                let digest = ascon_cxof128::<40>(&message, Customization(&custom));
                assert_eq!(digest.expect("a digest")[..], expected[..40], "{case}");
            });
        }
    }
}

#[test]
fn messages_of_bits() {
    let mut random = Random::new(234);
    for len in LENGTHS {
        let (bytes, last_byte) = (random.bytes(len), random.next() as u8);
        let mut hasher = new(b"bits");
        hasher.update(&bytes);
        for bits in 0..8 {
            let message = Bits { bytes: &bytes, last_byte, bits };
            let expected = ascon::ascon_cxof128_bits(b"bits", message, 100);
            on_every_backend(|backend| {
                let mut reader = hasher.squeeze_bits(last_byte, bits).expect("0 to 7 bits");
                let (mut out, any) = ([0; 100], &hasher as &dyn Hashing);
                reader.fill(&mut out[..len % 19]);
                reader.fill(&mut out[len % 19..]);
                assert_eq!(out[..], expected, "{backend}: {len} bytes and {bits} bits");
                assert_eq!(any.finalize_bits_into(last_byte, bits, &mut out), Ok(()));
                assert_eq!(out[..], expected, "{backend}: {len} bytes and {bits} bits");
                let mut reader = any.squeeze_bits(last_byte, bits).expect("0 to 7 bits");
                let read: Vec<u8> = reader.by_ref().take(100).collect();
                assert_eq!(read, expected, "{backend}: {len} bytes and {bits} bits");
            });
        }
    }
}

#[test]
fn many_messages_in_lanes() {
    const LENS: [usize; 6] = [1, 8, 20, 32, 33, 70];
    let mut random = Random::new(233);
    for count in [0, 1, 2, 3, 4, 7, 8, 9, 16, 33] {
        for same in [None, Some(0), Some(7), Some(8), Some(24), Some(31)] {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|i| random.bytes(same.unwrap_or(LENGTHS[(5 * i + 3) % LENGTHS.len()])))
                .collect();
            for prefix in [0, 5, 8] {
                let prefix = random.bytes(prefix);
                let whole = |message| [&prefix[..], message].concat();
                // A shorter output is the beginning of a longer one.
                let expected: Vec<Vec<u8>> = messages
                    .iter()
                    .map(|message| ascon::ascon_cxof128(b"lanes", &whole(message), LENS[5]))
                    .collect();
                on_every_backend(|backend| {
                    let mut hasher = new(b"lanes");
                    hasher.update(&prefix);
                    for len in LENS {
                        let mut out = vec![0; count * len];
                        hasher.hash_many(&messages, &mut out).expect("a place for each");
                        let mut any = vec![0; count * len];
                        let hashing: &dyn Hashing = &hasher;
                        hashing.hash_many(&messages, &mut any).expect("a place for each");
                        assert_eq!(out, any, "{backend}");
                        any.fill(0);
                        let same = vec![hashing; count];
                        <dyn Hashing>::hash_each(&same, &messages, &mut any).expect("one function");
                        assert_eq!(out, any, "{backend}");
                        for ((message, expected), out) in
                            messages.iter().zip(&expected).zip(out.chunks(len))
                        {
                            let len_of = prefix.len() + message.len();
                            assert_eq!(out, &expected[..len], "{backend}: {count}, {len_of} bytes");
                        }
                    }
                    let mut digests = vec![VarDigest::default(); count];
                    hasher.hash_many(&messages, &mut digests[..]).expect("a place for each");
                    assert!(digests.iter().all(|digest| digest.len() == 32));
                });
            }
        }
    }
}

#[test]
fn refusals() {
    for len in [257, 1000] {
        let error = Error::CustomizationLength { given: len };
        let custom = vec![7; len as usize];
        assert_eq!(AsconCXof128::new(Customization(&custom)).err(), Some(error));
        assert_eq!(ascon_cxof128::<32>(b"", Customization(&custom)), Err(error));
    }
    let hasher: &mut dyn Hashing = &mut new(b"");
    assert_eq!((hasher.name(), hasher.code()), ("Ascon-CXOF128", 76));
    assert_eq!((hasher.output_len(), hasher.is_extendable()), (32, true));
    assert_eq!(hasher.count(), None);
    let too_many = Error::TooManyBits { given: 8 };
    assert_eq!(hasher.finalize_bits_into(0, 8, &mut [0; 32]), Err(too_many));
    assert_eq!(hasher.squeeze_bits(0, 8).err(), Some(too_many));
    let mut reader = hasher.squeeze().expect("a reader");
    assert_eq!(reader.seek(1), Err(Error::Operation));
}

/// What is not the state of a hasher: other words, another number of bytes that wait, or more bytes.
#[test]
fn wrong_states() {
    let body = |words: u8, waiting: &[u8], more: &[u8]| {
        let len = [waiting.len() as u8];
        [&[1, 76][..], &[words; 40], &len, waiting, more].concat()
    };
    let import = |body: &[u8]| {
        let state = hashmill_reference::states::checked(body);
        let ours = AsconCXof128::import(&state).map(drop);
        let any = AnyHasher::import(&state).map(|hasher| hasher.finalize());
        let reference = hashmill_reference::states::finish(&state, b"", 32).ok();
        assert_eq!(any.as_deref().ok(), reference.as_deref());
        assert_eq!(any.map(drop), ours);
        ours
    };
    assert_eq!(import(&body(1, &[], &[])), Ok(()));
    assert_eq!(import(&body(1, &[2; 7], &[])), Ok(()));
    assert_eq!(import(&body(0, &[2; 7], &[])), Err(Error::StateInconsistent));
    assert_eq!(import(&body(1, &[2; 8], &[])), Err(Error::StateInconsistent));
    assert_eq!(import(&body(1, &[2; 7], &[0])), Err(Error::StateInconsistent));
    assert_eq!(import(&body(1, &[], &[])[..20]), Err(Error::StateDamaged));
    let mut state = new(b"").export().as_ref().to_vec();
    state[10] ^= 1;
    assert_eq!(AsconCXof128::import(&state).map(drop), Err(Error::StateDamaged));
    let other = hashmill::Shake128::new().export();
    assert_eq!(AsconCXof128::import(other.as_ref()).map(drop), Err(Error::StateAlgorithm));
}
