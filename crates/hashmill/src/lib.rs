//! Fast SHA-2, SHA-3, SHAKE, TurboSHAKE, KangarooTwelve, BLAKE2, HMAC and key derivation functions,
//! with SIMD kernels for one message and for many messages at once.
//!
//! ```
//! // One call.
//! let digest = hashmill::sha256(b"abc");
//! assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
//!
//! // Streaming. `finalize` leaves the hasher usable: running digests are free.
//! use hashmill::Sha3_256;
//! let mut hasher = Sha3_256::new();
//! hasher.update(b"a").update(b"bc");
//! assert_eq!(hasher.finalize(), hashmill::sha3_256(b"abc"));
//!
//! // Many messages at once, in SIMD lanes.
//! use hashmill::{Digest, many};
//! let keys = ["user 1", "user 2", "user 3"];
//! let mut digests = [Digest::default(); 3];
//! many::hash::<Sha3_256>(&keys, &mut digests)?;
//! assert_eq!(digests[2], hashmill::sha3_256(b"user 3"));
//!
//! // At compile time.
//! const EMPTY: Digest<64> = hashmill::portable::sha512(b"");
//!
//! // Chosen at run time.
//! use hashmill::Algorithm;
//! let algorithm: Algorithm = "sha-512/256".parse()?;
//! println!("{algorithm}: {}", algorithm.hash(b"abc"));
//! # assert_eq!(EMPTY, hashmill::sha512(b""));
//! # Ok::<(), hashmill::Error>(())
//! ```
//!
//! # What there is
//! | | one call | streaming | at compile time |
//! |---|---|---|---|
//! | SHA-2 (FIPS 180-4) | [`sha224`] [`sha256`] [`sha384`] [`sha512`] [`sha512_224`] [`sha512_256`] | [`Sha224`] [`Sha256`] [`Sha384`] [`Sha512`] [`Sha512_224`] [`Sha512_256`] | [`portable::sha256`] … |
//! | SHA-3 (FIPS 202) | [`sha3_224`] [`sha3_256`] [`sha3_384`] [`sha3_512`] | [`Sha3_224`] [`Sha3_256`] [`Sha3_384`] [`Sha3_512`] | [`portable::sha3_256`] … |
//! | SHAKE (FIPS 202) | [`shake128`] [`shake256`] | [`Shake128`] [`Shake256`] | [`portable::shake128`] … |
//! | TurboSHAKE (RFC 9861) | [`turboshake128`] [`turboshake256`] | [`TurboShake128`] [`TurboShake256`] | [`portable::turboshake128`] … |
//! | BLAKE2 (RFC 7693) | [`blake2b()`] [`blake2s()`] [`blake2bp()`] [`blake2sp()`] | [`Blake2b`] [`Blake2s`] [`Blake2bp`] [`Blake2sp`], with parameters [`blake2b::Params`] … | [`portable::blake2b`] … |
//! | BLAKE2X (its paper) | [`blake2xb()`] [`blake2xs()`] | [`Blake2xb`] [`Blake2xs`] | |
//! | HMAC (FIPS 198-1) | [`Hmac::hash`] | [`Hmac`] | [`portable::Sha256::hmac`](portable::Hash) … |
//! | KangarooTwelve (RFC 9861) | [`kt128`] [`kt256`] | [`Kt128`] [`Kt256`] | |
//! | cSHAKE (SP 800-185) | [`cshake128`] [`cshake256`] | [`CShake128`] [`CShake256`] | |
//! | KMAC (SP 800-185) | [`kmac128`] [`kmac256`] | [`Kmac128`] [`Kmac256`] | |
//! | TupleHash (SP 800-185) | [`tuple_hash128`] [`tuple_hash256`] | [`TupleHash128`] [`TupleHash256`] | |
//! | ParallelHash (SP 800-185) | [`parallel_hash128`] [`parallel_hash256`] | [`ParallelHash128`] [`ParallelHash256`] | |
//! | HKDF (RFC 5869) | | [`Hkdf`] | |
//! | PBKDF2 (RFC 8018) | [`pbkdf2()`] [`pbkdf2_many`] | | |
//!
//! The hashers of the first five rows are one type, [`Hash`](struct@Hash); its page lists their
//! methods. [`many::hash`] and the methods `hash_many` hash many messages at once, wherever these
//! are in memory. [`Algorithm`], [`AnyHasher`] and [`AnyHmac`] are for algorithms that are chosen
//! at run time, and `dyn` [`Hashing`] is a hasher of any function, also of one with parameters.
//!
//! # Verbs
//! - `update` absorbs the next part of the message.
//! - `finalize` returns the digest of what was absorbed. The hasher stays as it is, like with the
//!   next three.
//! - `hash` returns the digest after one more message; `hash_many` those of many messages, each
//!   after what was absorbed; `hash_each` those of many hashers, each after its own message.
//! - `squeeze` returns a reader of an output of any length.
//! - `…_into` writes to a slice, `…_bits` takes a message that ends with single bits, and `try_…`
//!   returns an error where the other form panics.
//!
//! # Conventions
//! At most one argument of a function is a bare byte string, because two could be swapped
//! unnoticed. The others have types: [`Key`], [`Salt`], [`Customization`], [`FunctionName`].
//!
//! A *hasher* is a hash in progress, and a [`Digest`] is the bytes of a result, as FIPS 180-4 uses
//! the word. RustCrypto's trait `digest::Digest` is what this crate calls a hasher; code that uses
//! both can import the trait as `_`.
//!
//! # Errors and panics
//! A wrong length, name, offset or key is an [`Error`]. `update`, `hash` and `update_reader` panic
//! if a message becomes longer than its standard allows (2⁶¹ − 1 bytes for SHA-256). Only a hasher
//! that was [imported](Hash::import) can reach that limit. `try_update` returns an error instead.
//! [`Messages::message`](many::Messages::message) panics for an index out of range, like a slice.
//!
//! # Memory and states
//! Nothing is allocated, except by [`AnyHasher`] and [`AnyHmac`] for BLAKE2bp and BLAKE2sp, and
//! memory does not grow with the message. The hasher of every [`Algorithm`] can be
//! [exported](Exported) and imported, so that a long hash survives a restart. SHA-2, SHA-3, SHAKE,
//! cSHAKE, KMAC and ParallelHash hash messages of any number of bits (`finalize_bits` …).
//!
//! [`self_test()`] checks known answers at run time, for programs that must test themselves when
//! they start.
//!
//! # Features
//! - `std` (default): `io::Read`, `io::Write` and `update_reader`; includes `alloc`. Without it the
//!   crate is `no_std`. On x86-64 the crate detects instruction sets in both cases, because it asks
//!   CPUID directly. On 64-bit Arm detection needs `std`, or on Linux the feature `libc`, which
//!   calls `getauxval`. Without them, and in WebAssembly, the compiler's target features decide.
//! - `alloc`: vectors as messages and outputs; [`AnyHasher`] boxes its large states.
//! - `digest`: the traits of RustCrypto's `digest` 0.11. `digest-0_10`: also those of 0.10, which
//!   `rsa` 0.9 and `hmac` 0.12 use.
//! - `serde`: digests, as hexadecimal or bytes, and the names of algorithms.
//! - `zeroize`: `ZeroizeOnDrop` on the hashers, which are wiped with or without it.
//! - `rayon`: `many::threads` splits a batch over the cores, and `update_rayon` one long message of
//!   KangarooTwelve, ParallelHash, BLAKE2bp or BLAKE2sp; includes `std`.

#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]
// Streams and families are behind sealed traits: they are public for the compiler, but cannot be
// named outside the crate.
#![allow(private_bounds, private_interfaces)]

#[cfg(feature = "alloc")]
extern crate alloc;

// In the order of the layers: a module uses only modules above it in this list.
mod error;

#[macro_use]
mod simd;
mod wipe;

#[macro_use]
mod algorithm;
mod arguments;
mod digest;
mod facts;
mod state;

pub mod backend;

mod buffer;
mod stream;

mod blake2;
mod keccak;
mod sha2;

pub mod block;
mod lanes;
mod messages;

mod held;

mod hasher;

mod dispatch;
pub mod function;
mod hashes;

mod hkdf;
mod hmac;
mod k12;
mod pbkdf2;
mod sp800_185;

mod blake2_params;
mod blake2x;
pub mod many;
pub mod portable;

mod any;

#[cfg(any(feature = "digest", feature = "serde", feature = "zeroize"))]
mod adapters;
pub mod self_test;

#[cfg(feature = "digest")]
pub use adapters::digest::{Blake2Mac, Blake2bMac, Blake2bpMac, Blake2sMac, Blake2spMac};
#[cfg(feature = "digest")]
pub use adapters::digest::{
    Blake2Sized, Blake2bDigest, Blake2bpDigest, Blake2sDigest, Blake2spDigest, Keyed, Unkeyed,
};
pub use algorithm::Algorithm;
pub use any::{AnyHasher, AnyHmac, AnyReader, HasherVisitor, Hashing, Tuple, with_code};
pub use arguments::{Customization, FunctionName, Key, Salt};
pub use blake2::params::LastNode;
pub use blake2_params::{blake2b, blake2bp, blake2s, blake2sp};
pub use blake2x::{Blake2x, Blake2xReader, Blake2xb, Blake2xs, blake2xb, blake2xs};
pub use digest::{Digest, VarDigest, constant_time_eq};
pub use error::Error;
pub use hasher::{Hash, Hasher};
pub use hashes::*;
pub use hkdf::Hkdf;
pub use hmac::Hmac;
pub use k12::{KangarooTwelve, Kt128, Kt256, kt128, kt256};
pub use keccak::XofReader;
pub use pbkdf2::{pbkdf2, pbkdf2_many};
pub use self_test::self_test;
pub use sp800_185::{CShake, CShake128, CShake256, cshake128, cshake256};
pub use sp800_185::{Kmac, Kmac128, Kmac256, kmac128, kmac256};
pub use sp800_185::{ParallelHash, ParallelHash128, ParallelHash256};
pub use sp800_185::{TupleElement, TupleHash, TupleHash128, TupleHash256};
pub use sp800_185::{parallel_hash128, parallel_hash256, tuple_hash128, tuple_hash256};
pub use state::Exported;
#[doc(hidden)]
pub use wipe::run_wiped;

/// Runs the README's example with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
