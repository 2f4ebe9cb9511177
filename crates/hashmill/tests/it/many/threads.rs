//! Several threads compute the same outputs as one thread.

use super::{Check, Finish, every_function};
use crate::common::answer::to_hex;
use crate::common::random::Random;
use crate::common::{backends, calls, long};
use crate::state::limits::near_the_limit;
use hashmill::many::{self, Column, Hex, Messages, Ordered, Rows, RowsMut, indexed, threads};
use hashmill::{
    Algorithm, AnyHasher, Blake2bp, Blake2sp, Blake3, Customization, Digest, Error, Hmac, Kmac128,
    Kt128, Kt256, ParallelHash128, ParallelHash256, TupleHash128, VarDigest, blake2bp,
};
use std::mem::MaybeUninit;

/// Runs `test` on each backend in a pool of two threads. On the default backend, it also runs in a
/// pool of one thread, and in a pool of more threads than a tree has leaves.
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

/// Returns batches from no messages to many times the size of one thread's part. Some messages are
/// long.
fn batches() -> Vec<Vec<Vec<u8>>> {
    let mut random = Random::new(20);
    let mut batches: Vec<Vec<Vec<u8>>> = [0, 1, 15, 16, 17, 31, 100, 3000]
        .map(|count| (0..count).map(|_| random.some_bytes(300)).collect())
        .into();
    batches.push((0..5000).map(|_| random.bytes(32)).collect());
    batches.push((0..100).map(|i| random.bytes(if i % 33 == 7 { 200_000 } else { 50 })).collect());
    batches
}

/// Checks that `threads` computes the same outputs as one thread, for every way to store the
/// messages.
struct EverySplit<'a> {
    batches: &'a [Vec<Vec<u8>>],
    on: &'a str,
    /// The most messages that a batch may have. Thousands of messages take most of the time, and
    /// their parts depend neither on the backend nor on the number of threads.
    most: usize,
}

impl EverySplit<'_> {
    fn check(&self, name: &str, len: usize, function: &dyn Finish) {
        let on = self.on;
        for texts in self.batches.iter().filter(|texts| texts.len() <= self.most) {
            let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            let (values, offsets) = calls::flatten(&slices);
            let column = Column::new(&values, &offsets).expect("in order");
            let whole = values.len().min(20 * 5000) / 20 * 20;
            let rows = Rows::new(&values[..whole], 20).expect("whole rows");
            self.same(&format!("{name}, {on}, vectors"), len, function, texts);
            self.same(&format!("{name}, {on}, a column"), len, function, &column);
            self.same(&format!("{name}, {on}, rows"), len, function, &rows);
        }
    }

    fn same(
        &self,
        what: &str,
        len: usize,
        function: &dyn Finish,
        messages: &(dyn Messages + Sync),
    ) {
        let mut expected = vec![0; messages.count() * len];
        assert_eq!(function.finish(messages, &mut expected), Ok(()), "{what}");
        let mut out = vec![0; expected.len()];
        assert_eq!(function.finish(&threads(messages), &mut out), Ok(()), "{what}");
        assert!(out == expected, "{what}");
    }
}

impl Check for EverySplit<'_> {
    fn fixed<const N: usize>(&self, name: &str, function: &dyn Finish) {
        self.check(name, N, function);
    }
    fn any(&self, name: &str, _usual: usize, function: &dyn Finish) {
        self.check(name, 45, function);
    }
}

#[test]
fn batches_of_every_function() {
    let batches = batches();
    pools(|on| {
        let most = if on == "default, 2 threads" || long() { usize::MAX } else { 100 };
        every_function(&EverySplit { batches: &batches, on, most });
    });
}

/// Checks that every kind of place for outputs is split at the same index as the messages.
struct EveryPlace<'a> {
    texts: &'a [Vec<u8>],
    on: &'a str,
}

impl EveryPlace<'_> {
    fn places(&self, name: &str, len: usize, function: &dyn Finish) {
        let (texts, what) = (self.texts, format!("{name}, {}", self.on));
        let split = threads(&texts);
        let mut expected = vec![0; texts.len() * len];
        assert_eq!(function.finish(&texts, &mut expected), Ok(()), "{what}");
        let mut uninit = vec![MaybeUninit::uninit(); expected.len()];
        assert_eq!(function.finish(&split, &mut uninit), Ok(()), "{what}");
        // SAFETY: `hash_many` has initialised all of them.
        let out: Vec<u8> = uninit.iter().map(|byte| unsafe { byte.assume_init() }).collect();
        assert!(out == expected, "{what}, bytes that were not initialised");
        let mut hex = vec![0; 2 * expected.len()];
        assert_eq!(function.finish(&split, &mut Hex(&mut hex)), Ok(()), "{what}");
        assert!(hex == to_hex(&expected).as_bytes(), "{what}, in hexadecimal");
        let mut rows = vec![7; self.texts.len() * (len + 5)];
        let places = RowsMut::new(&mut rows, len + 5, 2..len + 2).expect("whole rows");
        assert_eq!(function.finish(&split, &mut { places }), Ok(()), "{what}");
        let is_row = |(row, out): (&[u8], &[u8])| {
            row[2..len + 2] == *out && [&row[..2], &row[len + 2..]].concat() == [7; 5]
        };
        assert!(rows.chunks(len + 5).zip(out.chunks(len)).all(is_row), "{what}, in rows");
        // A batch with an order is not split.
        let (count, order) = (texts.len(), (0..texts.len()).rev().collect::<Vec<usize>>());
        let mut out = vec![0; expected.len()];
        let mut places = Ordered { outputs: &mut out, count, order: &order };
        assert_eq!(function.finish(&split, &mut places), Ok(()), "{what}");
        assert!(out.chunks(len).rev().eq(expected.chunks(len)), "{what}, in an order");
        let mut digests = vec![VarDigest::default(); texts.len()];
        assert_eq!(function.finish(&split, &mut digests), Ok(()), "{what}");
        let mut one = digests.clone();
        assert_eq!(function.finish(&texts, &mut one), Ok(()), "{what}");
        assert!(digests == one, "{what}, digests");
        let last = function.one(texts.last().expect("texts"), digests[0].len());
        assert_eq!(digests[texts.len() - 1], last[..], "{what}, the last digest");
        // Nothing is written if the length is wrong.
        let mut wrong = vec![7; expected.len() + 1];
        assert!(
            matches!(function.finish(&split, &mut wrong), Err(Error::OutputLength { .. })),
            "{what}"
        );
        let mut wrong_hex = vec![7; 2 * expected.len() + 1];
        let refused = function.finish(&split, &mut Hex(&mut wrong_hex));
        assert!(matches!(refused, Err(Error::OutputLength { .. })), "{what}");
        assert!(wrong.iter().chain(&wrong_hex).all(|&byte| byte == 7), "{what}");
    }
}

impl Check for EveryPlace<'_> {
    fn fixed<const N: usize>(&self, name: &str, function: &dyn Finish) {
        self.places(name, N, function);
        let mut expected = vec![Digest::from([0; N]); self.texts.len()];
        let mut digests = expected.clone();
        assert_eq!(function.finish(&self.texts, &mut expected), Ok(()), "{name}");
        assert_eq!(function.finish(&threads(&self.texts), &mut digests), Ok(()), "{name}");
        assert!(digests == expected, "{name}, {}", self.on);
    }
    fn any(&self, name: &str, usual: usize, function: &dyn Finish) {
        self.places(name, usual, function);
        self.places(name, 145, function);
    }
}

#[test]
fn every_place_for_every_function() {
    let mut random = Random::new(22);
    let texts: Vec<Vec<u8>> = (0..3001).map(|_| random.some_bytes(200)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    pool.install(|| every_function(&EveryPlace { texts: &texts, on: "2 threads" }));
}

/// Messages that a function returns for an index. Several threads call the function.
#[test]
fn messages_by_index() {
    let texts: Vec<Vec<u8>> = (0..5000).map(|i| vec![i as u8; i % 100]).collect();
    let backwards = indexed(texts.len(), |i| &texts[texts.len() - 1 - i]);
    let mut expected = vec![Digest::<32>::default(); texts.len()];
    many::hash::<hashmill::Sha256>(&texts, &mut expected).expect("a digest for each");
    expected.reverse();
    let mut digests = vec![Digest::<32>::default(); texts.len()];
    many::hash::<hashmill::Sha256>(&threads(&backwards), &mut digests).expect("a digest for each");
    assert!(digests == expected);
    // `threads` of `threads`, and of a reference.
    digests.fill(Digest::default());
    many::hash::<hashmill::Sha256>(&threads(&threads(&backwards)), &mut digests).expect("digests");
    assert!(digests == expected);
    digests.fill(Digest::default());
    many::hash::<hashmill::Sha256>(&&threads(&&backwards), &mut digests).expect("digests");
    assert!(digests == expected);
    assert_eq!(threads(&backwards).count(), 5000);
    assert_eq!(threads(&backwards).message(4999), texts[0]);
}

/// If the last of many messages is too long for the standard, nothing is written.
#[test]
fn a_message_beyond_the_limit() {
    let state = near_the_limit(10);
    let hasher = hashmill::Sha256::import(&state).expect("a good state");
    let mut texts = vec![vec![1; 10]; 3000];
    let mut out = vec![7; 3000 * 32];
    assert_eq!(hasher.hash_many(threads(&texts), &mut out), Ok(()));
    texts[2999].push(1);
    out.fill(7);
    assert_eq!(hasher.hash_many(threads(&texts), &mut out), Err(Error::MessageTooLong));
    assert!(out.iter().all(|&byte| byte == 7), "something was written");
}

#[test]
fn long_messages() {
    let message = Random::new(21).bytes((3 << 20) + 12_345);
    macro_rules! trees {
        ($on:ident: $($new:expr, $result:expr, $len:expr;)*) => { $({
            let message = &message[..$len];
            let mut whole = $new;
            whole.update(message);
            let expected = $result(&whole);
            // Cuts that leave the whole message, that end within a block or chunk, and that leave a
            // part too short to be split.
            for cut in [0, 1, 8192, 8193, 100_000, message.len() - 1] {
                let (begin, rest) = message.split_at(cut);
                let mut split = $new;
                split.update_rayon(begin).update_rayon(rest);
                let what = format!("{split:?}, {}, cut at {cut}", $on);
                assert_eq!($result(&split), expected, "{what}");
                // Later updates have the same result as without the split.
                let more = &message[..cut.min(9000)];
                let mut one = whole.clone();
                split.update(more);
                one.update(more);
                assert_eq!($result(&split), $result(&one), "{what}, and on");
            }
        })* };
    }
    let all = message.len();
    pools(|on| {
        trees! { on:
            Blake2bp::new(), Blake2bp::finalize, all;
            Blake2sp::new(), Blake2sp::finalize, all;
            Kt128::new(), |kt: &Kt128| kt.squeeze().take(40).collect::<Vec<u8>>(), all;
            Kt256::new(), |kt: &Kt256| kt.squeeze().take(40).collect::<Vec<u8>>(), all;
            ParallelHash128::new(1000, b"").expect("a length"), ParallelHash128::finalize::<32>, all;
            // Each leaf of eight bytes is a permutation and half of another.
            ParallelHash256::new(8, b"C").expect("a length"), ParallelHash256::finalize::<64>, 300_000;
            ParallelHash256::new(1 << 30, b"").expect("a length"), ParallelHash256::finalize::<64>, all;
        }
    });
}

#[test]
fn long_messages_of_hashers_chosen_at_run_time() {
    let message = Random::new(24).bytes((1 << 20) + 12_345);
    let (begin, rest) = message.split_at(5000);
    let mut hashers: Vec<AnyHasher> = Algorithm::ALL.iter().map(|it| it.hasher()).collect();
    hashers.extend([Kt128::new().into(), Kt256::new().into()]);
    hashers.push(blake2bp::Params::new().key(b"key").build().expect("a key").into());
    hashers.push(Blake3::keyed(&[7; 32]).into());
    hashers.push(ParallelHash128::new(1000, b"").expect("a length").into());
    hashers.push(ParallelHash256::new(8, b"C").expect("a length").into());
    hashers.push(Kmac128::new(b"key", Customization(b"")).into());
    hashers.push(Hmac::<Blake2bp>::new(b"key").into());
    let output = |hasher: &AnyHasher| {
        let mut out = vec![0; hasher.output_len()];
        hasher.hash_into(b"", &mut out).expect("the usual length");
        out
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    for hasher in &hashers {
        let (mut split, mut one) = (hasher.clone(), hasher.clone());
        split.try_update(begin).expect("room");
        pool.install(|| split.try_update_rayon(rest)).expect("room");
        one.try_update(&message).expect("room");
        assert_eq!(output(&split), output(&one), "{hasher:?}");
        assert_ne!(output(&split), output(hasher), "{hasher:?}");
    }
    // Bytes are not an element of a tuple.
    let mut tuple = AnyHasher::from(TupleHash128::new(b""));
    assert_eq!(tuple.try_update_rayon(rest), Err(Error::Operation));
}
