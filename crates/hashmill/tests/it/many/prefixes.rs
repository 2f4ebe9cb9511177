//! Columns and rows after a prefix, under a key and with parameters. They have the same digests as
//! messages that are hashed one at a time.

use crate::common::message;
use hashmill::many::{Column, Rows};
use hashmill::{
    Algorithm, AnyHasher, Digest, Error, Hmac, LastNode, Sha256, Shake128, VarDigest, many,
};
use hashmill_reference::blake2;

#[test]
fn offsets_and_rows_after_a_prefix() {
    let (prefix, values) = (message(300), message(7 * 33));
    let offsets: Vec<i64> = (0..8).map(|i| 33 * i).collect();
    let column = Column::new(&values, &offsets).expect("in order");
    let rows = Rows::new(&values, 33).expect("whole rows");
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(&prefix);
        let len = hasher.output_len();
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hasher.clone().update(row).finalize().to_vec())
            .collect();
        let mut out = vec![0; 7 * len];
        assert_eq!(hasher.hash_many(column, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        out.fill(0);
        assert_eq!(hasher.hash_many(rows, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        let mut short = [0; 1];
        assert!(matches!(hasher.hash_many(rows, &mut short), Err(Error::OutputLength { .. })));
        let other = hasher.hash_many(rows, &mut [0; 7]);
        assert_eq!(other.is_ok(), algorithm.is_xof(), "{algorithm}");

        let Ok(hmac) = algorithm.hmac(&prefix) else { continue };
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hmac.clone().update(row).finalize().to_vec())
            .collect();
        assert_eq!(hmac.hash_many(column, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        out.fill(0);
        assert_eq!(hmac.hash_many(rows, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        let slices: Vec<&[u8]> = values.chunks(33).collect();
        let mut tags = [VarDigest::default(); 7];
        assert_eq!(hmac.hash_many(&slices, &mut tags), Ok(()));
        assert!(tags.iter().flat_map(|tag| &tag[..]).eq(&expected), "HMAC-{algorithm}");
        assert!(matches!(hmac.hash_many(rows, &mut short), Err(Error::OutputLength { .. })));
    }
    macro_rules! keyed {
        ($($function:ident)*) => { $(
            let hasher = hashmill::$function::Params::new().output_len(9).key(b"key").build();
            let hasher = hasher.expect("good parameters");
            assert_eq!(hasher.output_len(), 9);
            let (mut by_offset, mut by_row) = ([0; 7 * 9], [0; 7 * 9]);
            assert_eq!(hasher.hash_many(&column, &mut by_offset), Ok(()));
            assert_eq!(hasher.hash_many(&rows, &mut by_row), Ok(()));
            assert_eq!(by_offset, by_row);
            for (row, digest) in values.chunks(33).zip(by_row.chunks(9)) {
                assert_eq!(hasher.clone().update(row).finalize(), *digest);
            }
        )* };
    }
    keyed!(blake2b blake2s blake2bp blake2sp);
}

/// Packed outputs of many messages, for callers without an array of digests.
#[test]
fn flat_outputs() {
    let values = message(2000);
    // More messages than HMAC hashes at once, of lengths around the blocks.
    let offsets: Vec<i64> = (0..=300).map(|i| i * i % 7 + 6 * i).collect();
    let messages: Vec<&[u8]> =
        offsets.windows(2).map(|ends| &values[ends[0] as usize..ends[1] as usize]).collect();
    let column = Column::new(&values, &offsets).expect("in order");
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(b"prefix");
        let len = if algorithm.is_xof() { 333 } else { algorithm.output_len() };
        let mut out = vec![0; messages.len() * len];
        assert_eq!(hasher.hash_many(&messages, &mut out), Ok(()));
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            let mut expected = vec![0; len];
            hasher.clone().update(message).hash_into(b"", &mut expected).expect("a length");
            assert_eq!(row, expected, "{algorithm}");
        }
        let mut by_offsets = vec![0; out.len()];
        assert_eq!(hasher.hash_many(column, &mut by_offsets), Ok(()));
        assert_eq!(out, by_offsets, "{algorithm}");
        let wrong = |outcome| matches!(outcome, Err(Error::OutputLength { .. }));
        assert!(wrong(hasher.hash_many(&messages, &mut out[1..])));
        let Ok(hmac) = algorithm.hmac(b"key") else { continue };
        let mut longer = vec![0; messages.len() * (len + 1)];
        assert!(wrong(hasher.hash_many(&messages, &mut longer)));
        assert_eq!(hmac.hash_many(&messages, &mut out), Ok(()));
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            assert_eq!(*row, *hmac.clone().update(message).finalize(), "{algorithm}");
        }
        assert!(wrong(hmac.hash_many(&messages, &mut out[1..])));
    }
}

/// A call is refused if the number of places or pieces differs from the number of messages or
/// hashers.
#[test]
fn many_want_a_place_for_each() {
    let length = |given, expected| Err(Error::OutputLength { given, expected });
    let mut none: [Digest<32>; 0] = [];
    let mut none_var: [VarDigest; 0] = [];
    assert_eq!(many::hash::<Sha256>(&[b""], &mut none), length(0, 1));
    assert_eq!(many::hash::<Sha256>(&[b""; 0], &mut [Digest::<32>::default()]), length(1, 0));
    assert_eq!(many::hash::<Shake128>(&[b"", b""], &mut [0; 5]), length(5, 64));
    assert_eq!(many::hash::<Shake128>(&[b""; 0], &mut [0; 5]), length(5, 0));
    assert_eq!(Algorithm::Sha256.hasher().hash_many([b""], &mut none_var), length(0, 1));
    assert_eq!(Sha256::new().hash_many([b""], &mut none), length(0, 1));
    assert_eq!(Shake128::new().hash_many([b"", b""], &mut [0; 5]), length(5, 64));
    assert_eq!(Hmac::<Sha256>::new(b"").hash_many([b""], &mut none), length(0, 1));
    let hmac = Algorithm::Sha256.hmac(b"").expect("a hash function");
    assert_eq!(hmac.hash_many([b""], &mut none), length(0, 1));

    let count = |given| Err(Error::PieceCount { given, expected: 1 });
    assert_eq!(Sha256::update_many(&mut [Sha256::new()], &[b""; 0]), count(0));
    assert_eq!(Shake128::update_many(&mut [Shake128::new()], &[b""; 2]), count(2));
    assert_eq!(Hmac::update_many(&mut [Hmac::<Sha256>::new(b"")], &[b""; 0]), count(0));
    assert_eq!(AnyHasher::update_many(&mut [Algorithm::Sha256.hasher()], &[b""; 2]), count(2));
    // No hasher has absorbed anything.
    let mut hashers = [Sha256::new(), Sha256::new()];
    assert_eq!(
        Sha256::update_many(&mut hashers, &["abc"]),
        Err(Error::PieceCount { given: 1, expected: 2 })
    );
    assert_eq!(hashers[0].finalize(), hashmill::sha256(b""));

    assert_eq!(many::hash::<Sha256>(&[b""; 0], &mut none), Ok(()));
    assert_eq!(many::hash::<Shake128>(&[b"a", b"b", b"c"], &mut [0; 0]), Ok(()));
    let none: &mut [Sha256] = &mut [];
    assert_eq!(Sha256::update_many(none, &[b""; 0]), Ok(()));
}

/// Hashers that have absorbed different bytes and have different parameters, each with a message of
/// its own, by value and by reference.
#[test]
fn each_its_own_message() {
    let messages: Vec<Vec<u8>> = (0..90).map(|i| message(i * 37 % 400)).collect();
    macro_rules! test {
        ($($H:ident, $with:expr;)*) => { $(
            let with: fn(usize) -> hashmill::$H = $with;
            for count in [0, 1, 2, 3, 7, 16, 17, 90] {
                let hashers: Vec<_> = (0..count)
                    .map(|i| {
                        let mut hasher = with(i);
                        hasher.update(&messages[i * 7 % 90]);
                        hasher
                    })
                    .collect();
                let digest = |i: usize| hashers[i].clone().update(&messages[i]).finalize();
                let expected: Vec<u8> = (0..count).flat_map(|i| digest(i).as_ref().to_vec()).collect();
                let mut out = vec![0; expected.len()];
                let finished = hashmill::$H::hash_each(&hashers, &messages[..count], &mut out);
                assert_eq!((finished, &out), (Ok(()), &expected), "{count}");
                out.fill(0);
                let references: Vec<&hashmill::$H> = hashers.iter().collect();
                let finished = hashmill::$H::hash_each(&references, &messages[..count], &mut out);
                assert_eq!((finished, &out), (Ok(()), &expected), "{count}, by reference");

                let mut updated = hashers.clone();
                let mut all: Vec<&mut hashmill::$H> = updated.iter_mut().collect();
                assert_eq!(hashmill::$H::update_many(&mut all, &messages[..count]), Ok(()));
                let digests = updated.iter().flat_map(|hasher| hasher.finalize().as_ref().to_vec());
                assert!(digests.eq(expected), "{count}, updated by reference");
            }
            let refused = hashmill::$H::hash_each(&[with(0)], &[b""; 2], &mut [0; 64]);
            assert_eq!(refused, Err(Error::PieceCount { given: 2, expected: 1 }));
            let refused = hashmill::$H::hash_each(&[with(0)], &[b""], &mut [0; 1]);
            assert!(matches!(refused, Err(Error::OutputLength { .. })));
            assert!(many::degree::<hashmill::$H>() >= 1);
        )* };
    }
    test! {
        Sha224, |_| hashmill::Sha224::new();
        Sha512, |_| hashmill::Sha512::new();
        Sha3_256, |_| hashmill::Sha3_256::new();
        Blake2b, |i| hashmill::blake2b::Params::new().node_offset(i as u64).key(b"k").build().expect("good");
        Blake2s, |i| hashmill::blake2s::Params::new().node_offset(i as u64).build().expect("good");
        Blake2bp, |i| hashmill::blake2bp::Params::new().salt(&[i as u8]).build().expect("good");
    }
    let lengths =
        [10, 11].map(|len| hashmill::blake2b::Params::new().output_len(len).build().expect("good"));
    let refused = hashmill::Blake2b::hash_each(&lengths, &[b""; 2], &mut [0; 20]);
    assert_eq!(refused, Err(Error::OutputLength { given: 11, expected: 10 }));
}

/// Messages with parameters of their own, of which no hasher is built, against the reference.
#[test]
fn each_its_own_parameters() {
    let messages: Vec<Vec<u8>> = (0..90).map(|i| message(i * 37 % 300)).collect();
    let equal = vec![message(32); 90];
    let salts = message(90 + 16);
    macro_rules! test {
        ($($module:ident, $max:literal, $salt:literal;)*) => { $({
            use hashmill::$module::Params;
            let params = |i: usize, keyed: bool| blake2::Params {
                output_len: Some(1 + i * 7 % $max),
                key: if keyed { &salts[..i % ($max + 1)] } else { b"" },
                salt: &salts[i..i + $salt],
                node_offset: i as u64,
                fanout: i as u8,
                last_node: i % 3 == 0,
                ..Default::default()
            };
            for (count, keyed, messages) in [0, 1, 2, 3, 4, 7, 8, 16, 17, 33, 90]
                .into_iter()
                .flat_map(|count| [false, true].map(|keyed| (count, keyed)))
                .flat_map(|(count, keyed)| [(count, keyed, &messages), (count, keyed, &equal)])
            {
                let wanted: Vec<_> = (0..count).map(|i| params(i, keyed)).collect();
                let given: Vec<_> = wanted.iter().map(|it| {
                    let last_node = if it.last_node { LastNode::Yes } else { LastNode::No };
                    let params = Params::new().output_len(it.output_len.unwrap_or($max)).key(it.key);
                    let params = params.salt(it.salt).node_offset(it.node_offset);
                    params.fanout(it.fanout).last_node(last_node)
                }).collect();
                let mut digests = vec![VarDigest::default(); count];
                assert_eq!(Params::hash_each(&given, &messages[..count], &mut digests), Ok(()));
                for (i, digest) in digests.iter().enumerate() {
                    let expected = blake2::$module(&messages[i], &wanted[i]);
                    assert_eq!(digest[..], expected[..], "{i} of {count}, a key: {keyed}");
                    let whole = VarDigest::try_from(&expected[..]).expect("a digest's length");
                    assert_eq!(format!("{digest:?}"), format!("{whole:?}"));
                }
            }
            let mut two = [VarDigest::default(); 2];
            let refused = Params::hash_each(&[Params::new(); 2], &[b""], &mut two);
            assert_eq!(refused, Err(Error::PieceCount { given: 1, expected: 2 }));
            let refused = Params::hash_each(&[Params::new()], &[b""], &mut two);
            assert!(matches!(refused, Err(Error::OutputLength { .. })));
            let wrong = [Params::new(), Params::new().output_len($max + 1)];
            let refused = Params::hash_each(&wrong, &[b""; 2], &mut two);
            assert_eq!(refused, Err(Error::Blake2OutputLength { given: $max + 1 }));
            assert_eq!(two, [VarDigest::default(); 2]);
        })* };
    }
    test! {
        blake2b, 64, 16;
        blake2s, 32, 8;
    }
}

/// The flag of the last node is set at the end of the message. The digests are compared with those
/// of one call.
#[test]
fn the_last_node_is_chosen_at_the_end() {
    macro_rules! test {
        ($($module:ident)*) => { $(
            let params = hashmill::$module::Params::new().fanout(2).max_depth(2);
            let last = params.last_node(hashmill::LastNode::Yes);
            let mut hasher = params.build().expect("good");
            hasher.update(b"message").set_last_node(hashmill::LastNode::Yes);
            assert_eq!(Ok(hasher.finalize()), last.hash(b"message"));
            hasher.set_last_node(hashmill::LastNode::No);
            assert_eq!(Ok(hasher.finalize()), params.hash(b"message"));
            assert_ne!(params.hash(b"message"), last.hash(b"message"));
            assert_eq!(params.key(&[0; 65]).hash(b""), Err(Error::Blake2KeyLength { given: 65 }));
        )* };
    }
    test!(blake2b blake2s);
}
