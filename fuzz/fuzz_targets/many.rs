//! Many messages: any number, of any lengths, through every way in, on every backend.

#![no_main]

use arbitrary::Arbitrary;
use hashmill::{
    Algorithm, AnyHasher, CShake128, CShake256, Error, Kmac128, Kmac256, Kt128, Kt256, VarDigest,
};
use hashmill_fuzz::{Any, Backend, Fixed, hash, hmac, take, text};
use hashmill_reference::{k12, sp800_185};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    backend: Backend,
    function: Function,
    /// What the hasher has absorbed before.
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
    /// Hashers of these algorithms in turn, which take turns of so many bytes.
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
    /// With one offset changed.
    Offsets64(u8, i64),
    Rows,
}

/// All messages of an input together: the reference is slow.
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
            let mut tags = vec![0; messages.len() * algorithm.output_len()];
            match (rows, messages.first()) {
                (true, Some(first))
                    if !first.is_empty() && values.len().is_multiple_of(first.len()) =>
                {
                    tags.resize(values.len() / first.len() * algorithm.output_len(), 0);
                    any.finish_rows(&values, first.len(), &mut tags).expect("whole rows");
                    let rows = values.chunks_exact(first.len());
                    let expected: Vec<u8> = rows.flat_map(|m| hmac(*algorithm, key, m)).collect();
                    assert!(tags == expected, "{algorithm}");
                }
                _ => {
                    any.finish_many_into(&messages, &mut tags).expect("a tag each");
                    let tag = |message: &&[u8]| hmac(*algorithm, key, message);
                    let expected: Vec<u8> = messages.iter().flat_map(tag).collect();
                    assert!(tags == expected, "{algorithm}");
                }
            }
        }
        Function::CShake(strong, len) => {
            let len = usize::from(*len);
            let (mut out, text) = (vec![0; messages.len() * len], &before[before.len() / 2..]);
            let expected = |message: &&[u8]| match strong {
                true => sp800_185::cshake256(message, len, text, &before),
                false => sp800_185::cshake128(message, len, text, &before),
            };
            match strong {
                true => CShake256::new(text, &before).finish_many(&messages, len, &mut out),
                false => CShake128::new(text, &before).finish_many(&messages, len, &mut out),
            }
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
        Function::Kmac(strong, len) => {
            let len = usize::from(*len);
            let (mut out, text) = (vec![0; messages.len() * len], &before[before.len() / 2..]);
            let expected = |message: &&[u8]| match strong {
                true => sp800_185::kmac256(&before, message, len, text),
                false => sp800_185::kmac128(&before, message, len, text),
            };
            match strong {
                true => Kmac256::new(&before, text).finish_many(&messages, len, &mut out),
                false => Kmac128::new(&before, text).finish_many(&messages, len, &mut out),
            }
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
        Function::Kt(strong, len) => {
            let len = usize::from(*len);
            let mut out = vec![0; messages.len() * len];
            let expected = |message: &&[u8]| match strong {
                true => k12::kt256(&with(message), b"", len),
                false => k12::kt128(&with(message), b"", len),
            };
            match strong {
                true => Kt256::new().update(&before).finish_many(&messages, len, &mut out),
                false => Kt128::new().update(&before).finish_many(&messages, len, &mut out),
            }
            assert!(out == messages.iter().flat_map(expected).collect::<Vec<u8>>());
        }
    }
});

/// The outputs of `len` bytes one after the other; `None` if the arguments are such that it was right to refuse
/// them.
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
            hasher.finish_many(messages, &mut digests);
            return Some(digests.iter().flat_map(|digest| digest.to_vec()).collect());
        }
        Way::Into => hasher.finish_many_into(messages, len, &mut out).expect("an output each"),
        Way::Offsets32 => {
            let offsets: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
            hasher.finish_offsets(values, &offsets, len, &mut out).expect("in order");
        }
        Way::Offsets64(at, offset) => {
            let mut offsets: Vec<i64> = offsets.iter().map(|&offset| offset as i64).collect();
            let at = usize::from(at) % offsets.len();
            let good = offsets[at] == offset;
            offsets[at] = offset;
            let in_order = offsets.is_sorted() && offsets[0] >= 0;
            let valid = in_order && offsets.last().is_some_and(|&end| end <= values.len() as i64);
            let outcome = hasher.finish_offsets(values, &offsets, len, &mut out);
            assert_eq!(outcome.err(), (!valid).then_some(Error::Offsets));
            if !good && valid {
                let bounds = offsets.windows(2);
                let each: Vec<_> =
                    bounds.map(|pair| &values[pair[0] as usize..pair[1] as usize]).collect();
                assert!(in_one_call(hasher, Way::Into, &each, b"", len) == Some(out));
                return None;
            }
            if !valid {
                assert!(out.iter().all(|&byte| byte == 0), "nothing is written then");
                return None;
            }
        }
        Way::Rows => {
            let width = messages.first().map_or(0, |message| message.len());
            let same = messages.iter().all(|message| message.len() == width);
            let outcome = hasher.finish_rows(values, width, len, &mut out);
            if !same {
                assert!(outcome.is_err() || out.len() == values.len() / width.max(1) * len);
                return None;
            }
            outcome.expect("whole rows");
        }
    }
    Some(out)
}

/// Hashers of several algorithms, each with its own message.
fn mixed(algorithms: &[Any], messages: &[&[u8]], turn: u16) {
    let algorithms: Vec<Algorithm> =
        algorithms.iter().cycle().take(messages.len()).map(|any| any.0).collect();
    let mut hashers: Vec<AnyHasher> =
        algorithms.iter().map(|algorithm| algorithm.hasher()).collect();
    let messages = &messages[..hashers.len()];
    let mut rests = messages.to_vec();
    let mut turn = usize::from(turn) % 3000 + 64;
    while rests.iter().any(|rest| !rest.is_empty()) {
        // Pieces of various lengths: of every other message, a byte less.
        let pieces: Vec<&[u8]> =
            rests.iter_mut().enumerate().map(|(i, rest)| take(rest, turn - i % 2)).collect();
        AnyHasher::update_many(&mut hashers, &pieces);
        turn += 1;
    }
    for ((hasher, algorithm), message) in hashers.iter().zip(algorithms).zip(messages) {
        let expected = hash(algorithm, message, algorithm.output_len());
        assert_eq!(hasher.finalize()[..], expected, "{algorithm}");
    }
}
