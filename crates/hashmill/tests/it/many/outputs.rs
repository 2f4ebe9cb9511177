//! The ways to store outputs: arrays of digests, packed bytes, bytes that are not initialised, and
//! hexadecimal. A place of a wrong length is an error, and nothing is written then.

use super::{Check, Finish, every_function};
use crate::common::answer::to_hex;
use crate::common::message;
use hashmill::many::{self, Hex, Messages, Ordered, RowsMut, indexed};
use hashmill::{Digest, Error, VarDigest};
use std::mem::MaybeUninit;
use std::ops::Range;

/// The number of messages, which have lengths around the blocks. It exceeds the lanes of every
/// backend, what HMAC hashes at once, and the window of the lanes, 512 messages.
const COUNT: usize = 700;

fn messages(bytes: &[u8]) -> Vec<&[u8]> {
    (0..COUNT).map(|i| &bytes[i * i % 7..][..i * 31 % 290]).collect()
}

fn expected(function: &dyn Finish, messages: &dyn Messages, len: usize) -> Vec<Vec<u8>> {
    (0..messages.count()).map(|i| function.one(messages.message(i), len)).collect()
}

const STALE: u8 = 0xA5;

/// Checks that packed outputs of `len` bytes are the same in a slice, in a vector, in bytes that
/// are not initialised, and in hexadecimal.
fn packed(name: &str, function: &dyn Finish, messages: &dyn Messages, len: usize) {
    let expected = expected(function, messages, len).concat();
    let name = &format!("{name}, {} outputs of {len} bytes", messages.count());
    let mut out = vec![STALE; expected.len()];
    assert_eq!(function.finish(messages, &mut out), Ok(()), "{name}");
    assert_eq!(out, expected, "{name}, a vector");
    out.fill(STALE);
    assert_eq!(function.finish(messages, &mut &mut out[..]), Ok(()), "{name}");
    assert_eq!(out, expected, "{name}, a slice");
    let mut uninit = vec![MaybeUninit::uninit(); expected.len()];
    assert_eq!(function.finish(messages, &mut &mut uninit[..]), Ok(()), "{name}");
    // SAFETY: `hash_many` has initialised all of them.
    let out: Vec<u8> = uninit.iter().map(|byte| unsafe { byte.assume_init() }).collect();
    assert_eq!(out, expected, "{name}, bytes that were not initialised");
    let mut hex = vec![STALE; 2 * expected.len()];
    assert_eq!(function.finish(messages, &mut Hex(&mut hex)), Ok(()), "{name}");
    assert_eq!(std::str::from_utf8(&hex), Ok(&*to_hex(&expected)), "{name}");
    ordered(name, function, messages, &expected);
}

/// Checks that outputs go to the places that an order names, that other places stay unchanged, and
/// that an order of another length, or with a place that does not exist, is refused.
fn ordered(name: &str, function: &dyn Finish, messages: &dyn Messages, expected: &[u8]) {
    let count = messages.count();
    if count == 0 || expected.is_empty() {
        return;
    }
    // Every second place, from the last one on.
    let (len, places) = (expected.len() / count, 2 * count);
    let order: Vec<usize> = (0..count).map(|i| places - 1 - 2 * i).collect();
    let in_order = |out: &[u8], len: usize, expected: &[u8]| {
        let stale = |i: usize| out[i * len..][..len].iter().all(|&byte| byte == STALE);
        expected
            .chunks(len)
            .zip(&order)
            .all(|(output, &at)| out[at * len..][..len] == *output && stale(at - 1))
    };
    let mut out = vec![STALE; 2 * expected.len()];
    let mut places_of = Ordered { outputs: &mut out, count: places, order: &order };
    assert_eq!(function.finish(messages, &mut places_of), Ok(()), "{name}");
    assert!(in_order(&out, len, expected), "{name}, in an order");
    let mut hex = vec![STALE; 4 * expected.len()];
    let outputs = &mut Hex(&mut hex);
    let outcome = function.finish(messages, &mut Ordered { outputs, count: places, order: &order });
    assert_eq!(outcome, Ok(()), "{name}");
    assert!(
        in_order(&hex, 2 * len, to_hex(expected).as_bytes()),
        "{name}, hexadecimal in an order"
    );
    let mut beyond = order.clone();
    beyond[0] = places;
    for order in [&order[1..], &beyond] {
        let before = out.clone();
        let outcome =
            function.finish(messages, &mut Ordered { outputs: &mut out, count: places, order });
        assert!(matches!(outcome, Err(Error::OutputLength { .. })), "{name}");
        assert_eq!(out, before, "{name}, an order that was refused");
    }
}

/// Checks that the first `len` bytes of each output go to a part of a row, that the rest of the row
/// stays as it is, and that rows which do not fit are refused.
fn rows(name: &str, function: &dyn Finish, messages: &dyn Messages, (full, len): (usize, usize)) {
    let name = &format!("{name}, {} rows with {len} bytes", messages.count());
    let expected = expected(function, messages, full);
    for (before, after) in [(0, 0), (0, 5), (22, 0), (16, 16), (3, 70)] {
        let (width, part) = (before + len + after, before..before + len);
        let mut out = vec![STALE; messages.count() * width];
        let rows = &mut RowsMut::new(&mut out, width, part.clone()).expect("whole rows");
        if width == 0 && messages.count() > 0 {
            assert!(matches!(function.finish(messages, rows), Err(Error::OutputLength { .. })));
            continue;
        }
        assert_eq!(function.finish(messages, rows), Ok(()), "{name}");
        for (row, expected) in out.chunks_exact(width.max(1)).zip(&expected) {
            assert_eq!(row[part.clone()], expected[..len], "{name}, {before} bytes before it");
            let others = [&row[..before], &row[before + len..]].concat();
            assert!(others.iter().all(|&byte| byte == STALE), "{name}: beside the part");
        }
        let mut more = vec![STALE; (messages.count() + 1) * width.max(1)];
        let rows = &mut RowsMut::new(&mut more, width.max(1), 0..0).expect("whole rows");
        assert!(matches!(function.finish(messages, rows), Err(Error::OutputLength { .. })));
    }
}

/// Checks digests that have their length in the type, and digests that store their length.
fn digests<const N: usize>(
    name: &str,
    function: &dyn Finish,
    messages: &dyn Messages,
    usual: usize,
) {
    let stale = Digest::from([STALE; N]);
    let expected = expected(function, messages, N);
    let mut digests = vec![stale; messages.count()];
    assert_eq!(function.finish(messages, &mut digests), Ok(()), "{name}");
    assert!(digests.iter().zip(&expected).all(|(got, expected)| *got == expected[..]), "{name}");
    digests.fill(stale);
    assert_eq!(function.finish(messages, &mut &mut digests[..]), Ok(()), "{name}");
    assert!(digests.iter().zip(&expected).all(|(got, expected)| *got == expected[..]), "{name}");
    // The places contain earlier digests, longer or shorter ones.
    let expected = self::expected(function, messages, usual);
    for stale in [VarDigest::from(hashmill::sha512(b"stale")), VarDigest::default()] {
        let mut digests = vec![stale; messages.count()];
        assert_eq!(function.finish(messages, &mut digests), Ok(()), "{name}");
        for (digest, expected) in digests.iter().zip(&expected) {
            assert_eq!(digest[..], expected[..], "{name}");
            // The whole values must be equal, not only the bytes in use.
            assert_eq!(*digest, VarDigest::try_from(&expected[..]).expect("short"), "{name}");
        }
    }
}

/// Checks that a packed place of `len` bytes in total is refused in every form, and stays
/// unchanged.
fn refused(name: &str, function: &dyn Finish, messages: &dyn Messages, len: usize) {
    let name = &format!("{name}, {} messages, {len} bytes", messages.count());
    let mut out = vec![STALE; len];
    assert!(
        matches!(function.finish(messages, &mut out), Err(Error::OutputLength { .. })),
        "{name}"
    );
    assert!(
        matches!(function.finish(messages, &mut &mut out[..]), Err(Error::OutputLength { .. })),
        "{name}"
    );
    assert!(out.iter().all(|&byte| byte == STALE), "{name}: something was written");
    let mut uninit = vec![MaybeUninit::new(STALE); len];
    assert!(
        matches!(function.finish(messages, &mut &mut uninit[..]), Err(Error::OutputLength { .. })),
        "{name}"
    );
    // SAFETY: they were initialised above.
    let untouched = uninit.iter().all(|byte| unsafe { byte.assume_init() } == STALE);
    assert!(untouched, "{name}: something was written");
    for len in [2 * len, 2 * len + 1] {
        let mut hex = vec![STALE; len];
        let outcome = function.finish(messages, &mut Hex(&mut hex));
        assert!(matches!(outcome, Err(Error::OutputLength { .. })), "{name}");
        assert!(hex.iter().all(|&byte| byte == STALE), "{name}: something was written");
    }
}

/// Checks that digests are refused if there is not one for each message, or if the function does
/// not have their length.
fn refused_digests<const N: usize>(
    name: &str,
    function: &dyn Finish,
    messages: &dyn Messages,
    count: usize,
) {
    let name = &format!("{name}, {} messages, {count} digests of {N} bytes", messages.count());
    let mut digests = vec![Digest::from([STALE; N]); count];
    assert!(
        matches!(function.finish(messages, &mut digests), Err(Error::OutputLength { .. })),
        "{name}"
    );
    assert!(digests.iter().all(|digest| *digest == [STALE; N]), "{name}: something was written");
    if count != messages.count() {
        let stale = VarDigest::from(hashmill::sha384(b"stale"));
        let mut digests = vec![stale; count];
        assert!(
            matches!(function.finish(messages, &mut digests), Err(Error::OutputLength { .. })),
            "{name}"
        );
        assert!(digests.iter().all(|digest| *digest == stale), "{name}: something was written");
    }
}

struct EveryPlace;

impl Check for EveryPlace {
    fn fixed<const N: usize>(&self, name: &str, function: &dyn Finish) {
        let bytes = message(300);
        let all = messages(&bytes);
        for count in [0, 1, 2, 17, COUNT] {
            let messages = &&all[..count];
            packed(name, function, messages, N);
            digests::<N>(name, function, messages, N);
            for len in [0, 1, N.min(16), N - 1, N] {
                rows(name, function, messages, (N, len));
            }
            let mut long = vec![STALE; count * (N + 1)];
            let longer = &mut RowsMut::new(&mut long, N + 1, 0..N + 1).expect("whole rows");
            let outcome = function.finish(messages, longer);
            assert!(matches!(outcome, Err(Error::OutputLength { .. })), "{name}");
            let right = count * N;
            for wrong in [0, 1, N, right.saturating_sub(1), right + 1, count * (N + 1), right + N] {
                if wrong != right {
                    refused(name, function, messages, wrong);
                }
            }
            for wrong in [count.saturating_sub(1), count + 1, 0] {
                if wrong != count {
                    refused_digests::<N>(name, function, messages, wrong);
                }
            }
            // No function has a digest of one byte, or of 65.
            refused_digests::<1>(name, function, messages, count);
            refused_digests::<65>(name, function, messages, count);
        }
        let endless = indexed(usize::MAX, |_| b"");
        refused(name, function, &endless, 0);
        refused(name, function, &endless, N);
    }

    fn any(&self, name: &str, usual: usize, function: &dyn Finish) {
        let bytes = message(300);
        let all = messages(&bytes);
        for count in [0, 1, 2, 17, COUNT] {
            let messages = &&all[..count];
            for len in [0, 1, usual, 201, 333] {
                packed(name, function, messages, len);
                rows(name, function, messages, (len, len));
            }
            digests::<7>(name, function, messages, usual);
            digests::<200>(name, function, messages, usual);
            for wrong in [1, count * usual + 1, (count * usual).saturating_sub(1), 5 * count + 7] {
                if wrong.checked_rem(count).is_none_or(|rest| rest > 0) && wrong > 0 {
                    refused(name, function, messages, wrong);
                }
            }
            for wrong in [count.saturating_sub(1), count + 1, 0] {
                if wrong != count {
                    refused_digests::<7>(name, function, messages, wrong);
                }
            }
        }
        refused(name, function, &indexed(usize::MAX, |_| b""), 7);
    }
}

#[test]
fn every_place_for_every_function() {
    every_function(&EveryPlace);
}

/// Rows that are no whole number of rows, and parts that do not lie in a row.
#[test]
fn rows_that_do_not_fit() {
    let new = |width, part| RowsMut::new(&mut [0; 12], width, part).map(|_| ());
    assert_eq!(new(4, 1..4), Ok(()));
    assert_eq!(new(5, 0..4), Err(Error::RowWidth { given: 12, width: 5 }));
    assert_eq!(new(0, 0..0), Err(Error::RowWidth { given: 12, width: 0 }));
    assert_eq!(new(4, 1..5), Err(Error::OutputLength { given: 5, expected: 4 }));
    assert!(matches!(new(4, Range { start: 3, end: 2 }), Err(Error::OutputLength { .. })));
}

/// Arrays, whose length is in their type.
#[test]
fn arrays() {
    let expected = ["a", "b"].map(|message| hashmill::sha256(message.as_bytes()));
    let mut digests = [Digest::default(); 2];
    assert_eq!(many::hash::<hashmill::Sha256>(&["a", "b"], &mut digests), Ok(()));
    assert_eq!(digests, expected);
    let mut digests = [VarDigest::default(); 2];
    assert_eq!(many::hash::<hashmill::Sha256>(&["a", "b"], &mut digests), Ok(()));
    assert_eq!(digests, expected.map(VarDigest::from));
    let mut packed = [0; 64];
    assert_eq!(many::hash::<hashmill::Sha256>(&["a", "b"], &mut packed), Ok(()));
    assert_eq!(packed[32..], expected[1][..]);
    let mut packed = [MaybeUninit::<u8>::uninit(); 64];
    assert_eq!(many::hash::<hashmill::Sha256>(&["a", "b"], &mut packed), Ok(()));
    // SAFETY: `many::hash` has initialised all of them.
    assert_eq!(packed.map(|byte| unsafe { byte.assume_init() })[..32], expected[0][..]);
    let mut hex = [0; 128];
    assert_eq!(many::hash::<hashmill::Sha256>(&["a", "b"], &mut Hex(&mut hex)), Ok(()));
    assert_eq!(hex[64..], *expected[1].to_string().as_bytes());
    // No messages, and outputs of no bytes.
    assert_eq!(many::hash::<hashmill::Sha256>(&[""; 0], &mut [0; 0]), Ok(()));
    assert_eq!(many::hash::<hashmill::Shake128>(&["a", "b"], &mut [0; 0]), Ok(()));
}
