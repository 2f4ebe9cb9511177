//! The ways to store messages: in slices, arrays and vectors of any type that contains bytes, in
//! columns and rows, or behind a function of the index.

use super::{Check, Finish, every_function};
use crate::common::random::Random;
use crate::common::{backends, calls, message};
use hashmill::many::{self, Column, Messages, Rows, indexed};
use hashmill::{Algorithm, Digest, Sha256};
use std::borrow::Cow;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Returns the messages' SHA-256 digests, after comparing them with those of single calls.
fn digests<M: Messages + ?Sized>(messages: &M) -> Vec<Digest<32>> {
    let mut digests = vec![Digest::default(); messages.count()];
    many::hash::<Sha256>(messages, &mut digests).expect("a digest for each");
    for (i, digest) in digests.iter().enumerate() {
        assert_eq!(*digest, hashmill::sha256(messages.message(i)));
    }
    digests
}

#[test]
fn whatever_has_bytes() {
    let expected = ["one", "", "three"].map(|text| hashmill::sha256(text.as_bytes()));
    let texts = ["one", "", "three"];
    // Arrays, slices and vectors; references to them.
    assert_eq!(digests(&texts), expected);
    assert_eq!(digests(&texts[..]), expected);
    assert_eq!(digests(&&texts[..]), expected);
    assert_eq!(digests(&&&texts), expected);
    assert_eq!(digests(&texts.to_vec()), expected);
    let dynamic: &dyn Messages = &texts;
    assert_eq!(digests(dynamic), expected);
    assert_eq!(digests(&dynamic), expected);
    // Of owned bytes and of borrowed bytes.
    assert_eq!(digests(&texts.map(String::from)), expected);
    assert_eq!(digests(&texts.map(|text| text.as_bytes().to_vec())), expected);
    assert_eq!(digests(&texts.map(Cow::Borrowed).map(Cow::into_owned)), expected);
    assert_eq!(digests(&texts.map(|text| Box::<[u8]>::from(text.as_bytes()))), expected);
    assert_eq!(digests(&texts.map(|text| Rc::<[u8]>::from(text.as_bytes()))), expected);
    assert_eq!(digests(&[b"abc", b"def"])[1], hashmill::sha256(b"def"));
    // Digests can be messages, as in the next level of a tree.
    let above = digests(&expected);
    assert_eq!(above[0], hashmill::sha256(&expected[0][..]));
    assert!(digests(&[""; 0]).is_empty());
}

#[test]
fn messages_by_index() {
    // A dictionary.
    let dictionary =
        ["Berlin", "Paris", "a much longer name, of more than one block of any function at all"];
    let keys = [1, 1, 0, 2, 0];
    let found = indexed(keys.len(), |i| dictionary[keys[i]]);
    assert_eq!(found.count(), 5);
    assert_eq!(found.message(3), dictionary[2].as_bytes());
    assert_eq!(digests(&found), digests(&keys.map(|key| dictionary[key])));
    // Some rows of many.
    let rows = message(1000);
    let taken = [9, 0, 9, 3];
    let found = indexed(taken.len(), |i| &rows[100 * taken[i]..][..100]);
    assert_eq!(digests(&found), digests(&taken.map(|row| &rows[100 * row..][..100])));
    // Rows of which some are null.
    let rows = [Some("a"), None, None, Some(""), Some("b")];
    let valid: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].is_some()).collect();
    let found = indexed(valid.len(), |i| rows[valid[i]].unwrap_or_default());
    assert_eq!(digests(&found), digests(&["a", "", "b"]));
    // No messages.
    assert!(digests(&indexed(0, |_| -> &str { unreachable!("there is none") })).is_empty());
    // The `Debug` output does not show what the function borrows.
    assert_eq!(format!("{:?}", indexed(3, |_| "secret")), "Indexed { count: 3, .. }");
    // The function may be called several times for a message, but never with an index beyond the
    // last.
    let asked = Cell::new(0);
    let counted = indexed(100, |i| {
        assert!(i < 100, "message {i} of 100");
        asked.set(asked.get() + 1);
        "abc"
    });
    let mut digests = [Digest::default(); 100];
    many::hash::<Sha256>(&counted, &mut digests).expect("a digest for each");
    assert!(digests.iter().all(|digest| *digest == hashmill::sha256(b"abc")));
    assert!((100..=1000).contains(&asked.get()), "asked {} times", asked.get());
}

struct EveryKind;

impl EveryKind {
    fn check(name: &str, len: usize, function: &dyn Finish) {
        let mut random = Random::new(30);
        for count in [0, 1, 5, 16, 33, 300] {
            let texts: Vec<Vec<u8>> = (0..count).map(|_| random.some_bytes(300)).collect();
            let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            let mut expected = vec![0; count * len];
            for (text, out) in texts.iter().zip(expected.chunks_mut(len)) {
                out.copy_from_slice(&function.one(text, len));
            }
            let outputs = |messages: &dyn Messages| {
                assert_eq!(messages.count(), count);
                let mut out = vec![0; count * len];
                assert_eq!(function.finish(messages, &mut out), Ok(()), "{name}");
                out
            };
            assert!(outputs(&texts) == expected, "{name}, {count} vectors");
            assert!(outputs(&slices) == expected, "{name}, {count} slices");
            let (values, offsets) = calls::flatten(&slices);
            let column = Column::new(&values, &offsets).expect("in order");
            assert!(outputs(&column) == expected, "{name}, a column of {count}");
            let found = indexed(count, |i| &texts[i]);
            assert!(outputs(&found) == expected, "{name}, {count} by index");
            #[cfg(feature = "rayon")]
            assert!(outputs(&many::threads(&texts)) == expected, "{name}, {count} in threads");
            // All rows have the same width.
            let width = 8 + count % 50;
            let values = random.bytes(count * width);
            let rows = Rows::new(&values, width).expect("whole rows");
            let mut expected = Vec::new();
            values.chunks(width).for_each(|row| expected.extend(function.one(row, len)));
            assert!(outputs(&rows) == expected, "{name}, {count} rows");
        }
    }
}

impl Check for EveryKind {
    fn fixed<const N: usize>(&self, name: &str, function: &dyn Finish) {
        EveryKind::check(name, N, function);
    }
    fn any(&self, name: &str, usual: usize, function: &dyn Finish) {
        EveryKind::check(name, usual, function);
        EveryKind::check(name, 199, function);
    }
}

#[test]
fn every_kind_for_every_function() {
    every_function(&EveryKind);
}

/// Pieces for several hashers may be stored in the same ways as messages.
#[test]
fn pieces_of_every_kind() {
    let mut hashers = [Sha256::new(), Sha256::new(), Sha256::new()];
    Sha256::update_many(&mut hashers, &["a", "b", "c"]).expect("a piece for each");
    Sha256::update_many(&mut hashers, &vec![b"d".to_vec(); 3]).expect("a piece for each");
    let rows = Rows::new(b"efg", 1).expect("whole rows");
    Sha256::update_many(&mut hashers, &rows).expect("a piece for each");
    let column = Column::new(b"hij", &[0, 2, 2, 3]).expect("in order");
    Sha256::update_many(&mut hashers, &column).expect("a piece for each");
    let found = indexed(3, |i| ["k", "", "l"][i]);
    Sha256::update_many(&mut hashers, &found).expect("a piece for each");
    let expected = ["adehik", "bdf", "cdgjl"].map(|text| hashmill::sha256(text.as_bytes()));
    assert_eq!(hashers.map(|hasher| hasher.finalize()), expected);
}

/// Messages whose bytes differ at each access: shorter, longer, none. The outputs are arbitrary, or
/// the call panics, but nothing is read or written out of bounds. AddressSanitizer would detect
/// that.
#[test]
fn messages_that_change() {
    struct Changing<'a> {
        bytes: &'a [u8],
        turn: &'a Cell<usize>,
    }
    impl AsRef<[u8]> for Changing<'_> {
        fn as_ref(&self) -> &[u8] {
            let turn = self.turn.get();
            self.turn.set(turn + 1);
            &self.bytes[..[0, 700, 1, 64, 300, 128, 5000, 55][turn * 7 % 8].min(self.bytes.len())]
        }
    }
    backends::each(|algorithm, _| {
        let bytes = message(5000);
        for start in 0..8 {
            let turn = Cell::new(start);
            let messages: Vec<Changing> =
                (0..40).map(|_| Changing { bytes: &bytes, turn: &turn }).collect();
            let len = algorithm.output_len();
            let mut out = vec![7; (40 + 2) * len];
            let place = &mut out[len..][..40 * len];
            let hasher = algorithm.hasher();
            let _ = catch_unwind(AssertUnwindSafe(|| hasher.hash_many(&messages, place)));
            assert!(out[..len].iter().chain(&out[41 * len..]).all(|&byte| byte == 7));
            let mut hashers = vec![hasher; 40];
            let _ = catch_unwind(AssertUnwindSafe(|| {
                hashmill::AnyHasher::update_many(&mut hashers, &messages)
            }));
            hashers.iter().for_each(|hasher| _ = hasher.finalize());
            let Ok(hmac) = algorithm.hmac(b"key") else { continue };
            let place = &mut out[len..][..40 * len];
            let _ = catch_unwind(AssertUnwindSafe(|| hmac.hash_many(&messages, place)));
        }
    });
}

/// A column as the messages of every algorithm that is chosen at run time.
#[test]
fn by_name() {
    let columns = Column::new(b"onetwothree", &[0u32, 3, 6, 11]).expect("in order");
    for &algorithm in Algorithm::ALL {
        let digests = calls::digests(algorithm, &columns);
        let expected = ["one", "two", "three"].map(|text| algorithm.hash(text.as_bytes()));
        assert_eq!(digests, expected, "{algorithm}");
    }
}
