//! Split over threads, everything gives what one thread gives.

use crate::common::backends;
use crate::common::random::Random;
use hashmill::{
    Algorithm, Blake2bp, Blake2sp, Digest, Error, Hasher, Hmac, Kt128, Kt256, ParallelHash128,
    ParallelHash256, Xof, blake2b, many,
};
use std::panic::catch_unwind;

/// Runs `test` in a pool of two threads on each backend; by default also in one of one thread, and in one of more
/// threads than a tree has leaves.
fn pools(test: impl Fn(&str) + Sync) {
    for name in backends::available() {
        let _forced = backends::force(name);
        let threads: &[usize] = if name == backends::DEFAULT { &[1, 2, 9] } else { &[2] };
        for &threads in threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("a pool").install(|| test(&format!("{name}, {threads} threads")));
        }
    }
}

/// From no message to many times what one part has, some of them long.
fn batches() -> Vec<Vec<Vec<u8>>> {
    let mut random = Random::new(20);
    let mut batches: Vec<Vec<Vec<u8>>> = [0, 1, 15, 16, 17, 31, 100, 3000]
        .map(|count| (0..count).map(|_| random.some_bytes(300)).collect())
        .into();
    batches.push((0..5000).map(|_| random.bytes(32)).collect());
    batches.push((0..100).map(|i| random.bytes(if i % 33 == 7 { 200_000 } else { 50 })).collect());
    batches
}

fn flatten(messages: &[Vec<u8>]) -> (Vec<u8>, Vec<u64>) {
    let ends = messages.iter().scan(0, |end, message| {
        *end += message.len() as u64;
        Some(*end)
    });
    (messages.concat(), std::iter::once(0).chain(ends).collect())
}

macro_rules! fixed {
    ($messages:ident, $values:ident, $offsets:ident, $on:ident: $($Type:ident $function:ident $by_offset:ident $by_row:ident,)*) => { $(
        let len = Algorithm::$Type.output_len();
        let mut expected = vec![Digest::default(); $messages.len()];
        many::$function($messages, &mut expected);
        let mut digests = vec![Digest::default(); $messages.len()];
        many::rayon::$function($messages, &mut digests);
        assert!(digests == expected, "{}, {}", Algorithm::$Type, $on);
        let flat: Vec<u8> = expected.iter().flat_map(|digest| digest.into_bytes()).collect();
        let mut out = vec![0; flat.len()];
        assert_eq!(many::rayon::$by_offset(&$values, &$offsets, &mut out), Ok(()));
        assert!(out == flat, "{}, {}, offsets", Algorithm::$Type, $on);

        let rows = &$values[..$values.len() / 20 * 20];
        let mut expected = vec![0; rows.len() / 20 * len];
        let mut out = expected.clone();
        assert_eq!(many::$by_row(rows, 20, &mut expected), Ok(()));
        assert_eq!(many::rayon::$by_row(rows, 20, &mut out), Ok(()));
        assert!(out == expected, "{}, {}, rows", Algorithm::$Type, $on);
        assert_eq!(many::rayon::$by_row(&[0; 3], 2, &mut []), Err(Error::RowWidth));
        assert_eq!(many::rayon::$by_offset(&[], &[1, 0], &mut []), Err(Error::Offsets));
        assert_eq!(many::rayon::$by_offset(&[], &[0, 0], &mut []), Err(Error::OutputLength));
    )* };
}

macro_rules! xof {
    ($messages:ident, $values:ident, $offsets:ident, $on:ident: $($Type:ident $function:ident $by_offset:ident $by_row:ident,)*) => { $(
        let mut expected = vec![0; $messages.len() * 45];
        many::$function($messages, 45, &mut expected);
        let mut out = vec![0; expected.len()];
        many::rayon::$function($messages, 45, &mut out);
        assert!(out == expected, "{}, {}", Algorithm::$Type, $on);
        out.fill(0);
        assert_eq!(many::rayon::$by_offset(&$values, &$offsets, 45, &mut out), Ok(()));
        assert!(out == expected, "{}, {}, offsets", Algorithm::$Type, $on);

        let rows = &$values[..$values.len() / 20 * 20];
        let mut expected = vec![0; rows.len() / 20 * 45];
        let mut out = expected.clone();
        assert_eq!(many::$by_row(rows, 20, 45, &mut expected), Ok(()));
        assert_eq!(many::rayon::$by_row(rows, 20, 45, &mut out), Ok(()));
        assert!(out == expected, "{}, {}, rows", Algorithm::$Type, $on);
        assert_eq!(many::rayon::$by_row(&[0; 3], 2, 1, &mut []), Err(Error::RowWidth));
        assert_eq!(many::rayon::$by_offset(&[], &[1, 0], 1, &mut []), Err(Error::Offsets));
    )* };
}

#[test]
fn batches_of_every_algorithm() {
    let batches = batches();
    pools(|on| {
        for messages in &batches {
            let (values, offsets) = flatten(messages);
            each!(fixed fixed messages, values, offsets, on:);
            each!(xof xof messages, values, offsets, on:);
        }
    });
}

#[test]
fn batches_after_a_prefix_and_under_a_key() {
    let batches = batches();
    pools(|on| {
        for messages in &batches {
            let keyed = blake2b::Params::new().output_len(9).key(b"key").build();
            let keyed = keyed.expect("good parameters");
            let mut expected = vec![Default::default(); messages.len()];
            let mut digests = expected.clone();
            keyed.finish_many(messages, &mut expected);
            keyed.finish_many_rayon(messages, &mut digests);
            assert!(digests == expected, "BLAKE2b, {on}");

            let hmac = Hmac::<hashmill::Sha256>::new(b"key");
            let mut expected = vec![Digest::default(); messages.len()];
            let mut tags = expected.clone();
            hmac.finish_many(messages, &mut expected);
            hmac.finish_many_rayon(messages, &mut tags);
            assert!(tags == expected, "HMAC, {on}");

            let mut salted = hashmill::Shake128::new();
            salted.update(b"salt");
            let mut expected = vec![0; messages.len() * 7];
            let mut out = expected.clone();
            salted.finish_many(messages, 7, &mut expected);
            salted.finish_many_rayon(messages, 7, &mut out);
            assert!(out == expected, "SHAKE128, {on}");
        }
    });
}

#[test]
fn long_messages() {
    let message = Random::new(21).bytes((3 << 20) + 12_345);
    // Whole, after a beginning that is not, and too short to be split.
    let cuts = [0, 1, 8192, 8193, 100_000, message.len() - 1];
    macro_rules! trees {
        ($on:ident: $($new:expr, $result:expr;)*) => { $(
            for cut in cuts {
                let (begin, rest) = message.split_at(cut);
                let mut split = $new;
                split.update_rayon(begin).update_rayon(rest);
                let mut one = $new;
                one.update(&message);
                let what = format!("{split:?}, {}, cut at {cut}", $on);
                assert_eq!($result(&split), $result(&one), "{what}");
                // What was split goes on as if it had not been.
                split.update(begin);
                one.update(begin);
                assert_eq!($result(&split), $result(&one), "{what}, and on");
            }
        )* };
    }
    pools(|on| {
        trees! { on:
            Blake2bp::new(), Blake2bp::finalize;
            Blake2sp::new(), Blake2sp::finalize;
            Kt128::new(), |kt: &Kt128| kt.finalize_xof().take(40).collect::<Vec<u8>>();
            Kt256::new(), |kt: &Kt256| kt.finalize_xof().take(40).collect::<Vec<u8>>();
            ParallelHash128::new(1000, b"").expect("a length"), ParallelHash128::finalize::<32>;
            ParallelHash256::new(8, b"C").expect("a length"), ParallelHash256::finalize::<64>;
            ParallelHash256::new(1 << 30, b"").expect("a length"), ParallelHash256::finalize::<64>;
        }
    });
}

#[test]
fn a_place_for_each() {
    let panics = |call: fn()| assert!(catch_unwind(call).is_err());
    panics(|| many::rayon::sha256(&[b""], &mut []));
    panics(|| many::rayon::shake128(&[b""], 5, &mut [0; 4]));
    panics(|| hashmill::Sha256::new().finish_many_rayon(&[b""; 0], &mut [Digest::default()]));
    panics(|| Hmac::<hashmill::Sha256>::new(b"").finish_many_rayon(&[b""], &mut []));
}
