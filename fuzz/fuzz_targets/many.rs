//! Fuzzes many messages: any number, of any lengths, through every public function, on every
//! backend.

#![no_main]

use arbitrary::Arbitrary;
use hashmill::many::{Column, Hex, Messages, Rows, indexed};
use hashmill::{
    Algorithm, AnyHasher, CShake128, CShake256, Customization, Error, FunctionName, Kmac128,
    Kmac256, Kt128, Kt256, VarDigest,
};
use hashmill_fuzz::{Any, Backend, Fixed, hash, hmac, take, text};
use hashmill_reference::{k12, sp800_185};
use libfuzzer_sys::fuzz_target;
use std::mem::MaybeUninit;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    backend: Backend,
    function: Function,
    /// Number of bytes that the hasher has absorbed before.
    before: u8,
    lens: Lens,
    seed: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Lens {
    Same(u8, u16),
    Each(Vec<u16>),
}

#[derive(Arbitrary, Debug)]
enum Function {
    Hash(Any, Way, u8),
    /// Hashers of these algorithms in rotation, which absorb pieces of about this many bytes in
    /// turn.
    Mixed(Vec<Any>, u16),
    Hmac(Fixed, bool),
    CShake(bool, u8),
    Kmac(bool, u8),
    Kt(bool, u8),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Way {
    Digests,
    Into,
    Offsets32,
    /// Offsets of which one is changed.
    Offsets64(u8, i64),
    Rows,
}

/// `hash_many` of a hasher of any type.
macro_rules! finish {
    ($hasher:expr) => {
        Finish {
            packed: &|messages, out| $hasher.hash_many(messages, out),
            uninit: &|messages, out| $hasher.hash_many(messages, out),
            hex: &|messages, out| $hasher.hash_many(messages, out),
        }
    };
}

/// Limit of the total length of all messages of an input in bytes, because the reference is slow.
const MAX: usize = 20_000;

fuzz_target!(|input: Input| {
    input.backend.force();
    let lens: Vec<usize> = match &input.lens {
        Lens::Same(count, len) => vec![usize::from(*len); usize::from(*count)],
        Lens::Each(lens) => lens.iter().map(|&len| usize::from(len)).collect(),
    };
    let most = if matches!(input.function, Function::Kt(..)) { 20_000 } else { 1500 };
    let mut room = MAX;
    let lens: Vec<usize> = lens
        .into_iter()
        .map(|len| len % most)
        .take_while(|len| {
            let fits = *len <= room;
            room = room.saturating_sub(*len);
            fits
        })
        .collect();
    let values = text(input.seed, lens.iter().sum());
    let mut rest = &values[..];
    let messages: Vec<&[u8]> = lens.iter().map(|&len| take(&mut rest, len)).collect();
    let before = text(b"before", input.before.into());
    let with = |message: &&[u8]| [&before, *message].concat();

    match &input.function {
        Function::Hash(Any(algorithm), way, len) => {
            let mut hasher = algorithm.hasher();
            hasher.update(&before);
            let len = if algorithm.is_xof() && !matches!(way, Way::Digests) {
                usize::from(*len) + 1
            } else {
                algorithm.output_len()
            };
            let expected: Vec<u8> =
                messages.iter().flat_map(|m| hash(*algorithm, &with(m), len)).collect();
            if let Some(out) = in_one_call(&hasher, *way, &messages, &values, len) {
                assert!(out == expected, "{algorithm} {way:?}");
            }
        }
        Function::Mixed(algorithms, turn) => mixed(algorithms, &messages, *turn),
        Function::Hmac(Fixed(algorithm), rows) => {
            let key = &before;
            let any = algorithm.hmac(key).expect("of fixed length");
            let (finish, len) = (finish!(any), algorithm.output_len());
            match (rows, messages.first()) {
                (true, Some(first))
                    if !first.is_empty() && values.len().is_multiple_of(first.len()) =>
                {
                    let rows = Rows::new(&values, first.len()).expect("whole rows");
                    let tags = everywhere(&finish, &rows, len);
                    let rows = values.chunks_exact(first.len());
                    let expected: Vec<u8> = rows.flat_map(|m| hmac(*algorithm, key, m)).collect();
                    assert!(tags == expected, "{algorithm}");
                }
                _ => {
                    let tags = everywhere(&finish, &messages, len);
                    let tag = |message: &&[u8]| hmac(*algorithm, key, message);
                    let expected: Vec<u8> = messages.iter().flat_map(tag).collect();
                    assert!(tags == expected, "{algorithm}");
                }
            }
        }
        Function::CShake(strong, len) => {
            let len = usize::from(*len);
            let text = &before[before.len() / 2..];
            let expected = |message: &&[u8]| match strong {
                true => sp800_185::cshake256(message, len, text, &before),
                false => sp800_185::cshake128(message, len, text, &before),
            };
            let (name, custom) = (FunctionName(text), Customization(&before));
            let (weak, other) = (CShake128::new(name, custom), CShake256::new(name, custom));
            let out = match strong {
                true => everywhere(&finish!(other), &messages, len),
                false => everywhere(&finish!(weak), &messages, len),
            };
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
        Function::Kmac(strong, len) => {
            let len = usize::from(*len);
            let text = &before[before.len() / 2..];
            let expected = |message: &&[u8]| match strong {
                true => sp800_185::kmac256(&before, message, len, text),
                false => sp800_185::kmac128(&before, message, len, text),
            };
            let custom = Customization(text);
            let (weak, other) = (Kmac128::new(&before, custom), Kmac256::new(&before, custom));
            let out = match strong {
                true => everywhere(&finish!(other), &messages, len),
                false => everywhere(&finish!(weak), &messages, len),
            };
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
        Function::Kt(strong, len) => {
            let len = usize::from(*len);
            let expected = |message: &&[u8]| match strong {
                true => k12::kt256(&with(message), b"", len),
                false => k12::kt128(&with(message), b"", len),
            };
            let (mut weak, mut other) = (Kt128::new(), Kt256::new());
            weak.update(&before);
            other.update(&before);
            let out = match strong {
                true => everywhere(&finish!(other), &messages, len),
                false => everywhere(&finish!(weak), &messages, len),
            };
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
    }
});

/// `hash_many` of a hasher, for packed bytes, for uninitialised bytes, and for hexadecimal.
struct Finish<'a> {
    packed: &'a dyn Fn(&dyn Messages, &mut [u8]) -> Result<(), Error>,
    uninit: &'a dyn Fn(&dyn Messages, &mut [MaybeUninit<u8>]) -> Result<(), Error>,
    hex: &'a dyn Fn(&dyn Messages, &mut Hex<'_>) -> Result<(), Error>,
}

/// Checks that every kind of output place receives the same outputs of `len` bytes, and returns
/// them packed.
fn everywhere(finish: &Finish<'_>, messages: &dyn Messages, len: usize) -> Vec<u8> {
    let count = messages.count();
    let mut out = vec![0xA5; count * len];
    (finish.packed)(messages, &mut out).expect("an output each");
    let mut uninit = vec![MaybeUninit::uninit(); count * len];
    (finish.uninit)(messages, &mut uninit).expect("an output each");
    // SAFETY: all of them were initialised.
    assert!(uninit.iter().zip(&out).all(|(a, b)| unsafe { a.assume_init() } == *b));
    let mut hex = vec![0xA5; 2 * count * len];
    (finish.hex)(messages, &mut Hex(&mut hex)).expect("an output each");
    let digits = out.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    assert!(hex.iter().copied().eq(digits.map(|digit| b"0123456789abcdef"[usize::from(digit)])));
    // Messages by index, in reverse order.
    let mut backwards = vec![0xA5; count * len];
    let other_order = indexed(count, |i| messages.message(count - 1 - i));
    (finish.packed)(&other_order, &mut backwards).expect("an output each");
    assert!(len == 0 || backwards.chunks(len).eq(out.rchunks(len)));
    out
}

/// Computes the outputs of `len` bytes one after the other in one call. Returns `None` if the
/// arguments are invalid and the call refused them.
fn in_one_call(
    hasher: &AnyHasher,
    way: Way,
    messages: &[&[u8]],
    values: &[u8],
    len: usize,
) -> Option<Vec<u8>> {
    let mut out = vec![0; messages.len() * len];
    let ends = messages.iter().scan(0, |end, message| {
        *end += message.len();
        Some(*end)
    });
    let offsets: Vec<usize> = [0].into_iter().chain(ends).collect();
    match way {
        Way::Digests => {
            let mut digests = vec![VarDigest::default(); messages.len()];
            hasher.hash_many(messages, &mut digests).expect("a digest each");
            return Some(digests.iter().flat_map(|digest| digest.to_vec()).collect());
        }
        Way::Into => out = everywhere(&finish!(hasher), &messages, len),
        Way::Offsets32 => {
            let offsets: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
            let column = Column::new(values, &offsets).expect("in order");
            hasher.hash_many(&column, &mut out).expect("an output each");
        }
        Way::Offsets64(at, offset) => {
            let mut offsets: Vec<i64> = offsets.iter().map(|&offset| offset as i64).collect();
            let at = usize::from(at) % offsets.len();
            let good = offsets[at] == offset;
            offsets[at] = offset;
            let in_order = offsets.is_sorted() && offsets[0] >= 0;
            let valid = in_order && offsets.last().is_some_and(|&end| end <= values.len() as i64);
            let column = Column::new(values, &offsets);
            assert_eq!(column.is_err(), !valid);
            assert!(column.is_ok() || matches!(column.err(), Some(Error::Offsets { .. })));
            let Ok(column) = column else { return None };
            hasher.hash_many(&column, &mut out).expect("an output each");
            if !good {
                let bounds = offsets.windows(2);
                let each: Vec<_> =
                    bounds.map(|pair| &values[pair[0] as usize..pair[1] as usize]).collect();
                assert!(in_one_call(hasher, Way::Into, &each, b"", len) == Some(out));
                return None;
            }
        }
        Way::Rows => {
            let width = messages.first().map_or(0, |message| message.len());
            let same = messages.iter().all(|message| message.len() == width);
            let rows = Rows::new(values, width);
            assert_eq!(rows.is_ok(), values.len().checked_rem(width).unwrap_or(values.len()) == 0);
            let Ok(rows) = rows else { return None };
            out.resize(rows.count() * len, 0);
            hasher.hash_many(&rows, &mut out).expect("an output each");
            if !same || width == 0 {
                return None;
            }
        }
    }
    Some(out)
}

/// Tests hashers of several algorithms, each with its own message.
fn mixed(algorithms: &[Any], messages: &[&[u8]], turn: u16) {
    let algorithms: Vec<Algorithm> =
        algorithms.iter().cycle().take(messages.len()).map(|any| any.0).collect();
    let mut hashers: Vec<AnyHasher> =
        algorithms.iter().map(|algorithm| algorithm.hasher()).collect();
    let messages = &messages[..hashers.len()];
    let mut rests = messages.to_vec();
    let mut turn = usize::from(turn) % 3000 + 64;
    while rests.iter().any(|rest| !rest.is_empty()) {
        // Pieces of two lengths: every second message's piece is a byte shorter.
        let pieces: Vec<&[u8]> =
            rests.iter_mut().enumerate().map(|(i, rest)| take(rest, turn - i % 2)).collect();
        AnyHasher::update_many(&mut hashers, &pieces).expect("a piece each");
        turn += 1;
    }
    for ((hasher, algorithm), message) in hashers.iter().zip(algorithms).zip(messages) {
        let expected = hash(algorithm, message, algorithm.output_len());
        assert_eq!(hasher.finalize()[..], expected, "{algorithm}");
    }
}
