//! Tests with a counting allocator that no interface of the library allocates, for any algorithm on
//! any backend. With the feature `alloc` there is one exception: an `AnyHasher` or `AnyHmac` of
//! BLAKE2bp, BLAKE2sp or BLAKE3 has each of its states in a box, which is overwritten before it is
//! freed.
//!
//! This is a separate test binary because it installs a global allocator.

#[macro_use]
mod common;

use common::backends;
use hashmill::many::{self, Column, Hex, Rows, indexed};
use hashmill::{Algorithm, AnyHasher, Digest, Error, Hmac, Key, LastNode, VarDigest, portable};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;

struct Counting;

thread_local! {
    /// The number of allocations of this thread. Other threads are not counted, because the test
    /// harness allocates in them.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    /// The number of blocks that were freed with a secret in them, or `None` if they are not
    /// counted.
    static LEAKS: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The bytes that no freed block may contain while `LEAKS` counts.
const SECRET: &[u8] = b"bytes that wait for more";

// SAFETY: everything is passed on to the system's allocator, which keeps the contract. Counting
// allocates nothing: the counter has a constant initial value and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller keeps the contract of this method.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if let Some(leaks) = LEAKS.get() {
            // A volatile read is not optimised away, although the block is about to be freed.
            // SAFETY: the block is freed only below.
            let byte = |i| unsafe { place.add(i).read_volatile() };
            let last = (layout.size() + 1).saturating_sub(SECRET.len());
            let is_at = |at: usize| (0..SECRET.len()).all(|i| byte(at + i) == SECRET[i]);
            if (0..last).any(is_at) {
                LEAKS.set(Some(leaks + 1));
            }
        }
        // SAFETY: the caller keeps the contract of this method.
        unsafe { System.dealloc(place, layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller keeps the contract of this method.
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

/// The algorithms whose state is a tree.
const TREES: [Algorithm; 3] = [Algorithm::Blake2bp, Algorithm::Blake2sp, Algorithm::Blake3];

#[track_caller]
fn none(what: &str, algorithm: Algorithm, backend: &str, run: impl FnOnce()) {
    boxes(0, what, algorithm, backend, run);
}

/// As `none`, but expects `count` allocations for a tree behind `AnyHasher` or `AnyHmac`.
#[track_caller]
fn boxes(count: usize, what: &str, algorithm: Algorithm, backend: &str, run: impl FnOnce()) {
    let tree = TREES.contains(&algorithm);
    let expected = if tree && cfg!(feature = "alloc") { count } else { 0 };
    assert_eq!(allocations(run), expected, "{what}, {algorithm}, {backend}");
}

/// A buffer that `Display` can write to without allocating.
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

/// The length of the message in bytes. It exceeds what any algorithm absorbs at once, and the
/// buffer of `update_reader`.
const LEN: usize = 40_000;
/// The number of messages. It exceeds the lanes of every backend, and what `Hmac::hash_many`
/// hashes at once.
const COUNT_OF_MESSAGES: usize = 70;

fn message() -> Vec<u8> {
    (0..LEN).map(|i| i as u8).collect()
}

/// Returns messages of 0 bytes to several blocks.
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
#[cfg(feature = "alloc")]
fn boxes_are_overwritten_before_they_are_freed() {
    let leaks = |run: &mut dyn FnMut()| {
        LEAKS.set(Some(0));
        run();
        LEAKS.take().expect("set above")
    };
    // The allocator detects a block that is not overwritten.
    assert_eq!(leaks(&mut || drop(black_box(SECRET.to_vec()))), 1);
    for algorithm in TREES {
        let mut run = || {
            let mut hasher = algorithm.hasher();
            hasher.update(SECRET);
            let mut clone = hasher.clone();
            clone.update(SECRET);
            black_box((hasher, clone));
        };
        assert_eq!((allocations(run) > 0, leaks(&mut run)), (true, 0), "{algorithm}");
        if algorithm.is_xof() {
            continue;
        }
        let mut run = || {
            let mut hmac = algorithm.hmac(b"key").expect("an HMAC");
            hmac.update(SECRET);
            black_box((hmac.clone(), hmac));
        };
        assert_eq!((allocations(run) > 0, leaks(&mut run)), (true, 0), "HMAC-{algorithm}");
    }
}

#[test]
fn chosen_at_run_time() {
    let message = message();
    let messages = messages(&message);
    backends::each(|algorithm, backend| {
        none("one call", algorithm, backend, || {
            black_box(algorithm.hash(&message));
        });
        let mut hasher = algorithm.hasher();
        boxes(1, "a hasher", algorithm, backend, || {
            black_box(algorithm.hasher());
        });
        boxes(1, "a clone", algorithm, backend, || {
            black_box(hasher.clone());
        });
        none("streaming", algorithm, backend, || {
            for piece in message.chunks(77) {
                hasher.update(piece);
            }
            black_box((hasher.finalize(), hasher.hash(&message), hasher.count()));
            hasher.try_update(&message).expect("not too long");
            let mut out = [0; 64];
            hasher.hash_into(b"", &mut out[..algorithm.output_len()]).expect("the right length");
            assert_eq!(hasher.hash_into(b"", &mut out[..3]).is_ok(), algorithm.is_xof());
            hasher.extend(&message);
            hasher.extend(message.iter().copied());
        });
        none("bits", algorithm, backend, || {
            let _ = black_box(hasher.finalize_bits(0x55, 3));
            let _ = black_box(hasher.squeeze_bits(0x55, 3));
        });
        none("output of any length", algorithm, backend, || {
            if let Ok(mut reader) = hasher.squeeze() {
                let mut out = [0; 1000];
                reader.try_fill(&mut out).expect("output");
                black_box(reader.clone().take(500).fold(0, |sum, byte| sum ^ byte));
            }
        });
        boxes(1, "export and import", algorithm, backend, || {
            let exported = hasher.export().expect("a state");
            let imported = AnyHasher::import(exported.as_ref()).expect("an exported state");
            assert_eq!(imported.finalize(), hasher.finalize());
        });
        boxes(1, "import of what is damaged", algorithm, backend, || {
            let exported = hasher.export().expect("a state");
            assert!(AnyHasher::import(&exported.as_ref()[..1]).is_err());
            assert!(AnyHasher::import(exported.as_ref()).is_ok());
        });
        none("many", algorithm, backend, || {
            let mut digests = [VarDigest::default(); COUNT_OF_MESSAGES];
            hasher.hash_many(messages, &mut digests).expect("a digest for each");
            black_box(digests);
        });
        let mut hashers: [_; COUNT_OF_MESSAGES] = std::array::from_fn(|_| algorithm.hasher());
        none("many hashers", algorithm, backend, || {
            AnyHasher::update_many(&mut hashers, &messages).expect("a piece for each");
        });
        let states = if algorithm.has_hmac() { 2 } else { 0 };
        boxes(states, "HMAC", algorithm, backend, || match algorithm.hmac(&message) {
            Ok(hmac) => drop(black_box(hmac)),
            Err(error) => assert_eq!((error, algorithm.has_hmac()), (Error::NoHmac, false)),
        });
        if let Ok(mut hmac) = algorithm.hmac(&message) {
            none("a prepared HMAC", algorithm, backend, || {
                let tag = hmac.update(&message).finalize();
                assert_eq!(hmac.verify(tag), Ok(()));
                assert_eq!(hmac.verify(&tag[1..]), Err(Error::TagMismatch));
                hmac.extend(&message);
                black_box(hmac.hash(&message));
                let mut tags = [VarDigest::default(); COUNT_OF_MESSAGES];
                hmac.hash_many(messages, &mut tags).expect("a tag for each");
                black_box((tags, algorithm.mac(Key(&message), &message).expect("an HMAC")));
            });
        }
        none("names and text", algorithm, backend, || {
            let mut text = Text { bytes: [0; 256], len: 0 };
            let digest = algorithm.hash(b"");
            write!(text, "{algorithm} {digest} {hasher:?}").expect("room");
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
            assert_eq!("SHA-1".parse::<Algorithm>(), Err(Error::UnknownAlgorithm));
            let hex =
                std::str::from_utf8(&text.bytes[algorithm.name().len() + 1..]).expect("ASCII");
            assert_eq!(hex[..2 * digest.len()].parse(), Ok(digest));
        });
        #[cfg(feature = "std")]
        none("readers and writers", algorithm, backend, || {
            hasher.update_reader(&message[..]).expect("memory reads");
            std::io::copy(&mut &message[..], &mut hasher).expect("hashers take all");
        });
    });
}

/// Tests the interfaces of each algorithm's own type.
macro_rules! types {
    (
        fixed { $($Fixed:ident $fixed:ident,)* }
        xof { $($Xof:ident $xof:ident,)* }
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
                        hasher.try_update(message).expect("not too long");
                        black_box(hasher.finalize());
                        let exported = hasher.export();
                        black_box(H::import(exported.as_ref()).expect("an exported state"));
                    });
                    none("many", algorithm, backend, || {
                        let mut digests = [Digest::<LEN>::default(); COUNT_OF_MESSAGES];
                        many::hash::<H>(messages, &mut digests).expect("a digest for each");
                        let mut out = [0; COUNT_OF_MESSAGES * LEN];
                        let column = Column::new(message, offsets).expect("good offsets");
                        many::hash::<H>(&column, &mut out).expect("room for each");
                        let rows = Rows::new(&message[..COUNT_OF_MESSAGES * 20], 20);
                        many::hash::<H>(&rows.expect("whole rows"), &mut out).expect("room");
                        let found = indexed(COUNT_OF_MESSAGES, |i| messages[i]);
                        many::hash::<H>(&found, &mut out).expect("room for each");
                        let mut hex = [0; 2 * COUNT_OF_MESSAGES * LEN];
                        many::hash::<H>(messages, &mut Hex(&mut hex)).expect("room for each");
                        let prefixed = H::from_iter(message);
                        prefixed.hash_many(messages, &mut digests).expect("a digest for each");
                        black_box((digests, out, hex));
                    });
                    none("portable", algorithm, backend, || {
                        let mut hasher = portable::$Fixed::new();
                        const LEN: usize = Algorithm::$Fixed.output_len();
                        black_box(hasher.update(message).finalize::<LEN>());
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
                        black_box(xof.update(message).update(message).squeeze());
                        let exported = xof.export();
                        black_box(X::import(exported.as_ref()).expect("an exported state"));
                    });
                    none("many", algorithm, backend, || {
                        let mut out = [0; COUNT_OF_MESSAGES * LEN];
                        many::hash::<X>(messages, &mut out).expect("room for each");
                        let column = Column::new(message, offsets).expect("good offsets");
                        many::hash::<X>(&column, &mut out).expect("room for each");
                        let rows = Rows::new(&message[..COUNT_OF_MESSAGES * 20], 20);
                        many::hash::<X>(&rows.expect("whole rows"), &mut out).expect("room");
                        let prefixed = X::from_iter(message);
                        prefixed.hash_many(messages, &mut out).expect("room for each");
                        black_box(out);
                    });
                    none("portable", algorithm, backend, || {
                        let mut xof = portable::$Xof::new();
                        let mut out = [0; LEN];
                        xof.update(message).squeeze().fill(&mut out);
                        black_box((X::from(xof), portable::$xof::<LEN>(message), out));
                    });
                })*
                other => panic!("{other} has no row in this table"),
            }
        }
    };
}

each!(both types);

/// Tests HMAC of the algorithm's own type.
fn typed_hmac(
    algorithm: Algorithm,
    backend: &str,
    message: &[u8],
    messages: &[&[u8]; COUNT_OF_MESSAGES],
) {
    macro_rules! hmacs {
        ($($Type:ident $function:ident,)*) => {
            match algorithm {
                $(Algorithm::$Type => none("HMAC", algorithm, backend, || {
                    let mut hmac = Hmac::<hashmill::$Type>::new(message);
                    let mut tags = [hmac.finalize(); COUNT_OF_MESSAGES];
                    hmac.hash_many(messages, &mut tags).expect("a tag for each");
                    let tag = hmac.update(message).finalize();
                    assert_eq!(hmac.verify(tag.as_ref()), Ok(()));
                    const LEN: usize = Algorithm::$Type.output_len();
                    black_box(portable::$Type::hmac::<LEN>(Key(b"key"), message));
                }),)*
                other => assert!(!other.has_hmac(), "{other}"),
            }
        };
    }
    each!(hmac hmacs);
}

#[test]
fn of_every_type() {
    let message = message();
    let messages = messages(&message);
    let offsets = std::array::from_fn(|i| (i * i) as u32);
    backends::each(|algorithm, backend| {
        typed(algorithm, backend, &message, &messages, &offsets);
        typed_hmac(algorithm, backend, &message, &messages);
    });
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
                    assert_eq!(digest, portable.update(&message).finalize::<20>());
                    assert_eq!(hasher.finalize(), digest);
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
                black_box(xof.update(&message).squeeze());
            }),
            Algorithm::TurboShake256 => none("domain", algorithm, backend, || {
                let mut xof = hashmill::TurboShake256::with_domain(7).expect("a domain");
                black_box(xof.update(&message).squeeze());
            }),
            _ => {}
        }
    });
}
