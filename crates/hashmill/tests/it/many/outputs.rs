//! Outputs of many messages, after a prefix, under a key and with parameters.

use crate::common::message;
use hashmill::{Algorithm, AnyHasher, Digest, Error, Hasher, Hmac, VarDigest, Xof, many};
use std::panic::catch_unwind;

/// From any state, under any key and with any parameters, as from none.
#[test]
fn offsets_and_rows_after_a_prefix() {
    let (prefix, values) = (message(300), message(7 * 33));
    let offsets: Vec<i64> = (0..8).map(|i| 33 * i).collect();
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(&prefix);
        let len = hasher.output_len();
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hasher.clone().update(row).finalize().to_vec())
            .collect();
        let mut out = vec![0; 7 * len];
        assert_eq!(hasher.finish_offsets(&values, &offsets, len, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        out.fill(0);
        assert_eq!(hasher.finish_rows(&values, 33, len, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        assert_eq!(hasher.finish_rows(&values, 32, len, &mut out), Err(Error::RowWidth));
        let mut short = [0; 1];
        assert_eq!(hasher.finish_rows(&values, 33, len, &mut short), Err(Error::OutputLength));
        let other = hasher.finish_rows(&values, 33, 1, &mut [0; 7]);
        assert_eq!(other.is_ok(), algorithm.is_xof(), "{algorithm}");

        let Ok(hmac) = algorithm.hmac(&prefix) else { continue };
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hmac.clone().update(row).finalize().to_vec())
            .collect();
        assert_eq!(hmac.finish_offsets(&values, &offsets, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        out.fill(0);
        assert_eq!(hmac.finish_rows(&values, 33, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        let rows: Vec<&[u8]> = values.chunks(33).collect();
        let mut tags = [VarDigest::default(); 7];
        hmac.finish_many(&rows, &mut tags);
        assert!(tags.iter().flat_map(|tag| &tag[..]).eq(&expected), "HMAC-{algorithm}");
        assert_eq!(hmac.finish_rows(&values, 32, &mut out), Err(Error::RowWidth));
        assert_eq!(hmac.finish_offsets(&values, &[1, 0], &mut out), Err(Error::Offsets));
        assert_eq!(hmac.finish_rows(&values, 33, &mut short), Err(Error::OutputLength));
    }
    macro_rules! keyed {
        ($($function:ident)*) => { $(
            let hasher = hashmill::$function::Params::new().output_len(9).key(b"key").build();
            let hasher = hasher.expect("good parameters");
            assert_eq!(hasher.output_len(), 9);
            let (mut by_offset, mut by_row) = ([0; 7 * 9], [0; 7 * 9]);
            assert_eq!(hasher.finish_offsets(&values, &offsets, &mut by_offset), Ok(()));
            assert_eq!(hasher.finish_rows(&values, 33, &mut by_row), Ok(()));
            assert_eq!(by_offset, by_row);
            for (row, digest) in values.chunks(33).zip(by_row.chunks(9)) {
                assert_eq!(hasher.clone().update(row).finalize(), *digest);
            }
        )* };
    }
    keyed!(blake2b blake2s blake2bp blake2sp);
}

/// Outputs of many messages one after the other, for those who have no array of digests.
#[test]
fn flat_outputs() {
    let values = message(2000);
    // More messages than HMAC takes at once, of lengths around the blocks.
    let offsets: Vec<i64> = (0..=300).map(|i| i * i % 7 + 6 * i).collect();
    let messages: Vec<&[u8]> =
        offsets.windows(2).map(|ends| &values[ends[0] as usize..ends[1] as usize]).collect();
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(b"prefix");
        let len = if algorithm.is_xof() { 333 } else { algorithm.output_len() };
        let mut out = vec![0; messages.len() * len];
        hasher.finish_many_into(&messages, len, &mut out).unwrap();
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            let mut expected = vec![0; len];
            hasher.clone().update(message).finalize_into(&mut expected).unwrap();
            assert_eq!(row, expected, "{algorithm}");
        }
        let mut column = vec![0; out.len()];
        hasher.finish_offsets(&values, &offsets, len, &mut column).unwrap();
        assert_eq!(out, column, "{algorithm}");
        let wrong = Err(Error::OutputLength);
        assert_eq!(hasher.finish_many_into(&messages, len, &mut out[1..]), wrong);
        assert_eq!(hasher.finish_many_into(&messages, usize::MAX, &mut out), wrong);
        assert_eq!(hasher.finish_offsets(&values, &[2, 1], len, &mut []), Err(Error::Offsets));
        let Ok(hmac) = algorithm.hmac(b"key") else { continue };
        assert_eq!(hasher.finish_many_into(&messages, len + 1, &mut out), wrong);
        hmac.finish_many_into(&messages, &mut out).unwrap();
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            assert_eq!(*row, *hmac.clone().update(message).finalize(), "{algorithm}");
        }
        assert_eq!(hmac.finish_many_into(&messages, &mut out[1..]), wrong);
    }
}

#[test]
fn many_want_a_place_for_each() {
    let messages = [b"a", b"b", b"c"];
    let panics = |call: fn()| assert!(catch_unwind(call).is_err());
    panics(|| many::sha256(&[b""], &mut []));
    panics(|| many::sha256(&[b""; 0], &mut [Digest::default()]));
    panics(|| many::shake128(&[b""], 5, &mut [0; 4]));
    panics(|| many::shake128(&[b"", b""], usize::MAX, &mut [0; 4]));
    panics(|| Algorithm::Sha256.hash_many(&[b""], &mut []));
    panics(|| hashmill::Sha256::new().finish_many(&[b""], &mut []));
    panics(|| Hasher::update_many(&mut [hashmill::Sha256::new()], &[b""; 0]));
    panics(|| Xof::update_many(&mut [hashmill::Shake128::new()], &[b""; 2]));
    panics(|| Hmac::update_many(&mut [Hmac::<hashmill::Sha256>::new(b"")], &[b""; 0]));
    panics(|| AnyHasher::update_many(&mut [Algorithm::Sha256.hasher()], &[b""; 2]));
    panics(|| hashmill::Shake128::new().finish_many(&[b""], 5, &mut [0; 6]));
    panics(|| Hmac::<hashmill::Sha256>::new(b"").finish_many(&[b""], &mut []));
    panics(|| {
        let hmac = Algorithm::Sha256.hmac(b"").expect("a hash function");
        hmac.finish_many(&[b""], &mut []);
    });
    many::sha256(&[b""; 0], &mut []);
    many::shake128(&messages, 0, &mut []);
}
