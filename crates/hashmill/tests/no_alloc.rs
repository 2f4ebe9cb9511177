//! No interface of the library allocates, for any algorithm on any backend: an allocator counts.
//!
//! A separate test binary because it installs a global allocator.

#[macro_use]
mod common;

use common::backends;
use hashmill::{
    Algorithm, AnyHasher, Digest, Error, Hasher, Hmac, LastNode, VarDigest, Xof, many, portable,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;

struct Counting;

thread_local! {
    /// Its own for every thread: the test harness allocates in others.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator, which keeps the contract. Counting allocates
// nothing: the counter has a constant initial value and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(run: impl FnOnce()) -> usize {
    let before = COUNT.get();
    run();
    COUNT.get() - before
}

#[track_caller]
fn none(what: &str, algorithm: Algorithm, backend: &str, run: impl FnOnce()) {
    assert_eq!(allocations(run), 0, "{what}, {algorithm}, {backend}");
}

/// Where `Display` may write without allocating.
struct Text {
    bytes: [u8; 256],
    len: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let place = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len()));
        place.ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// Longer than what any algorithm takes at once, and than the buffer of `update_reader`.
const LEN: usize = 40_000;
/// More messages than any backend has lanes, more than `Hmac::finish_many` takes at once.
const COUNT_OF_MESSAGES: usize = 70;

fn message() -> Vec<u8> {
    (0..LEN).map(|i| i as u8).collect()
}

/// Lengths from none to several blocks.
fn messages(message: &[u8]) -> [&[u8]; COUNT_OF_MESSAGES] {
    std::array::from_fn(|i| &message[..i * 13])
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(black_box(Box::new(1)))), 1);
    let mut grown = Vec::with_capacity(1);
    grown.push(1);
    assert_eq!(allocations(|| grown.push(2)), 1);
}

#[test]
fn chosen_at_run_time() {
    let message = message();
    let messages = messages(&message);
    backends::each(|algorithm, backend| {
        none("one call", algorithm, backend, || {
            black_box(algorithm.hash(&message));
        });
        none("streaming", algorithm, backend, || {
            let mut hasher = algorithm.hasher();
            for piece in message.chunks(77) {
                hasher.update(piece);
            }
            black_box(hasher.clone().finalize());
            hasher.try_update(&message).expect("not too long");
            let mut out = [0; 64];
            hasher.finalize_into(&mut out[..algorithm.output_len()]).expect("the right length");
            assert_eq!(hasher.finalize_into(&mut out[..3]).is_ok(), algorithm.is_xof());
            hasher.extend(&message);
            hasher.extend(message.iter().copied());
        });
        none("bits", algorithm, backend, || {
            let _ = black_box(algorithm.hasher().update(&message).finalize_bits(0x55, 3));
            let _ = black_box(algorithm.hasher().update(&message).finalize_xof_bits(0x55, 3));
        });
        none("output of any length", algorithm, backend, || {
            if let Ok(mut reader) = algorithm.hasher().update(&message).finalize_xof() {
                let mut out = [0; 1000];
                reader.fill(&mut out);
                black_box(reader.clone().take(500).fold(0, |sum, byte| sum ^ byte));
            }
        });
        none("export and import", algorithm, backend, || {
            let mut hasher = algorithm.hasher();
            let exported = hasher.update(&message[..1000]).export();
            let imported = AnyHasher::import(exported.as_ref()).expect("an exported state");
            assert_eq!(imported.finalize(), hasher.finalize());
            assert!(AnyHasher::import(&exported.as_ref()[1..]).is_err());
        });
        none("many", algorithm, backend, || {
            let mut digests = [VarDigest::default(); COUNT_OF_MESSAGES];
            algorithm.hash_many(&messages, &mut digests);
            algorithm.hasher().update(b"prefix").finish_many(&messages, &mut digests);
            black_box(digests);
        });
        let mut hashers: [_; COUNT_OF_MESSAGES] = std::array::from_fn(|_| algorithm.hasher());
        none("many hashers", algorithm, backend, || {
            AnyHasher::update_many(&mut hashers, &messages);
        });
        none("HMAC", algorithm, backend, || match algorithm.hmac(&message) {
            Ok(mut hmac) => {
                let tag = hmac.update(&message).clone().finalize();
                assert_eq!(hmac.verify(&tag), Ok(()));
                assert_eq!(hmac.verify(&tag[1..]), Err(Error::TagMismatch));
                hmac.extend(&message);
            }
            Err(error) => assert_eq!((error, algorithm.is_xof()), (Error::NoHmac, true)),
        });
        none("names and text", algorithm, backend, || {
            let mut text = Text { bytes: [0; 256], len: 0 };
            let digest = algorithm.hash(b"");
            write!(text, "{algorithm} {digest} {:?}", algorithm.hasher()).expect("room");
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
            assert_eq!("SHA-1".parse::<Algorithm>(), Err(Error::UnknownAlgorithm));
            let hex =
                std::str::from_utf8(&text.bytes[algorithm.name().len() + 1..]).expect("ASCII");
            assert_eq!(hex[..2 * digest.len()].parse(), Ok(digest));
        });
        #[cfg(feature = "std")]
        none("readers and writers", algorithm, backend, || {
            let mut hasher = algorithm.hasher();
            hasher.update_reader(&message[..]).expect("memory reads");
            std::io::copy(&mut &message[..], &mut hasher).expect("hashers take all");
            black_box(hasher);
        });
    });
}

/// The interfaces that each type has of its own.
macro_rules! types {
    (
        fixed { $($Fixed:ident $fixed:ident $fixed_offsets:ident $fixed_rows:ident,)* }
        xof { $($Xof:ident $xof:ident $xof_offsets:ident $xof_rows:ident,)* }
    ) => {
        fn typed(
            algorithm: Algorithm,
            backend: &str,
            message: &[u8],
            messages: &[&[u8]; COUNT_OF_MESSAGES],
            offsets: &[u32; COUNT_OF_MESSAGES + 1],
        ) {
            match algorithm {
                $(Algorithm::$Fixed => {
                    type H = hashmill::$Fixed;
                    const LEN: usize = Algorithm::$Fixed.output_len();
                    none("one call", algorithm, backend, || {
                        black_box(hashmill::$fixed(message));
                    });
                    none("streaming", algorithm, backend, || {
                        let mut hasher: H = message.iter().collect();
                        hasher.update(message).update(message);
                        Hasher::try_update(&mut hasher, message).expect("not too long");
                        black_box(hasher.finalize());
                        let exported = hasher.export();
                        black_box(H::import(exported.as_ref()).expect("an exported state"));
                    });
                    none("many", algorithm, backend, || {
                        let mut digests = [Digest::default(); COUNT_OF_MESSAGES];
                        many::$fixed(messages, &mut digests);
                        let mut out = [0; COUNT_OF_MESSAGES * LEN];
                        many::$fixed_offsets(message, offsets, &mut out).expect("good offsets");
                        let rows = &message[..COUNT_OF_MESSAGES * 20];
                        many::$fixed_rows(rows, 20, &mut out).expect("whole rows");
                        let mut digests = [Default::default(); COUNT_OF_MESSAGES];
                        H::from_iter(message).finish_many(messages, &mut digests);
                        black_box((digests, out));
                    });
                    none("HMAC", algorithm, backend, || {
                        let mut hmac = Hmac::<H>::new(message);
                        let mut tags = [Default::default(); COUNT_OF_MESSAGES];
                        hmac.finish_many(messages, &mut tags);
                        let tag = hmac.update(message).finalize();
                        assert_eq!(hmac.verify(tag.as_ref()), Ok(()));
                        black_box(portable::hmac::$fixed(b"key", message));
                    });
                    none("portable", algorithm, backend, || {
                        let mut hasher = portable::$Fixed::new();
                        black_box(hasher.update(message).finalize());
                        black_box((H::from(hasher), portable::$fixed(message)));
                    });
                })*
                $(Algorithm::$Xof => {
                    type X = hashmill::$Xof;
                    const LEN: usize = 300;
                    none("one call", algorithm, backend, || {
                        black_box(hashmill::$xof::<LEN>(message));
                    });
                    none("streaming", algorithm, backend, || {
                        let mut xof: X = message.iter().collect();
                        black_box(xof.update(message).update(message).finalize_xof());
                        let exported = xof.export();
                        black_box(X::import(exported.as_ref()).expect("an exported state"));
                    });
                    none("many", algorithm, backend, || {
                        let mut out = [0; COUNT_OF_MESSAGES * LEN];
                        many::$xof(messages, LEN, &mut out);
                        many::$xof_offsets(message, offsets, LEN, &mut out).expect("good offsets");
                        let rows = &message[..COUNT_OF_MESSAGES * 20];
                        many::$xof_rows(rows, 20, LEN, &mut out).expect("whole rows");
                        X::from_iter(message).finish_many(messages, LEN, &mut out);
                        black_box(out);
                    });
                    none("portable", algorithm, backend, || {
                        let mut xof = portable::$Xof::new();
                        let mut out = [0; LEN];
                        xof.update(message).finalize_xof().fill(&mut out);
                        black_box((X::from(xof), portable::$xof::<LEN>(message), out));
                    });
                })*
                other => panic!("{other} has no row in this table"),
            }
        }
    };
}

each!(both types);

#[test]
fn of_every_type() {
    let message = message();
    let messages = messages(&message);
    let offsets = std::array::from_fn(|i| (i * i) as u32);
    backends::each(|algorithm, backend| typed(algorithm, backend, &message, &messages, &offsets));
}

#[test]
fn with_parameters() {
    let message = message();
    backends::each(|algorithm, backend| {
        macro_rules! blake2 {
            ($function:ident $($tree:tt)*) => {
                none("parameters", algorithm, backend, || {
                    let params = hashmill::$function::Params::new()
                        .output_len(20).key(b"key").salt(b"salt").personal(b"personal")$($tree)*;
                    let mut hasher = params.build().expect("good parameters");
                    let mut portable = params.build_portable().expect("good parameters");
                    let digest = hasher.update(&message).finalize();
                    assert_eq!(digest, portable.update(&message).finalize());
                    assert_eq!(AnyHasher::from(hasher).finalize(), digest);
                    assert!(params.key(&message).build().is_err());
                })
            };
        }
        match algorithm {
            Algorithm::Blake2b => blake2!(blake2b.fanout(2).max_depth(2).last_node(LastNode::Yes)),
            Algorithm::Blake2s => blake2!(blake2s.fanout(2).max_depth(2).last_node(LastNode::Yes)),
            Algorithm::Blake2bp => blake2!(blake2bp),
            Algorithm::Blake2sp => blake2!(blake2sp),
            Algorithm::TurboShake128 => none("domain", algorithm, backend, || {
                let mut xof = hashmill::TurboShake128::with_domain(7).expect("a domain");
                black_box(xof.update(&message).finalize_xof());
            }),
            Algorithm::TurboShake256 => none("domain", algorithm, backend, || {
                let mut xof = hashmill::TurboShake256::with_domain(7).expect("a domain");
                black_box(xof.update(&message).finalize_xof());
            }),
            _ => {}
        }
    });
}
