//! Hashing wherever a hash is computed: SHA-2, SHA-3, SHAKE, TurboSHAKE, BLAKE2 and HMAC, fast on one
//! message and faster on many.
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
//! many::blake2b(&keys, &mut digests);
//! assert_eq!(digests[2], hashmill::blake2b(b"user 3"));
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
//! | | one call | streaming | at compile time | many messages |
//! |---|---|---|---|---|
//! | SHA-2 (FIPS 180-4) | [`sha256`] … | [`Sha256`] … | [`portable::sha256`] … | [`many::sha256`] … |
//! | SHA-3 (FIPS 202) | [`sha3_256`] … | [`Sha3_256`] … | [`portable::sha3_256`] … | [`many::sha3_256`] … |
//! | SHAKE (FIPS 202) | [`shake128`] … | [`Shake128`] … | [`portable::shake128`] … | [`many::shake128`] … |
//! | TurboSHAKE (RFC 9861) | [`turboshake128`] … | [`TurboShake128`] … | [`portable::turboshake128`] … | [`many::turboshake128`] … |
//! | BLAKE2 (RFC 7693) | [`blake2b()`] … | [`Blake2b`] …, [`blake2b::Params`] … | [`portable::blake2b`] … | [`many::blake2b`] … |
//! | HMAC (FIPS 198-1) | | [`Hmac`] | [`portable::hmac`] | [`Hmac::finish_many`] |
//! | KangarooTwelve (RFC 9861) | [`kt128`] … | [`Kt128`] … | | [`Kt128::finish_many`] … |
//! | cSHAKE (SP 800-185) | [`cshake128`] … | [`CShake128`] … | | [`CShake128::finish_many`] … |
//! | KMAC (SP 800-185) | [`kmac128`] … | [`Kmac128`] … | | [`Kmac128::finish_many`] … |
//! | TupleHash (SP 800-185) | [`tuple_hash128`] … | [`TupleHash128`] … | | |
//! | ParallelHash (SP 800-185) | [`parallel_hash128`] … | [`ParallelHash128`] … | | |
//! | HKDF (RFC 5869) | | [`Hkdf`] | | |
//! | PBKDF2 (RFC 8018) | [`pbkdf2()`] | | | [`pbkdf2_many`] |
//!
//! The hasher of every [`Algorithm`] can be [exported](Exported) and imported, so that a long hash survives a
//! restart. SHA-2, SHA-3, SHAKE, cSHAKE, KMAC and ParallelHash take messages of any number of bits
//! (`finalize_bits` …). Nothing is allocated, and memory does not grow with the message.
//!
//! [`self_test()`] checks known answers at run time, for those who must at power-on.
//!
//! # Features
//! `std` (default): `io::Read`, `io::Write` and `update_reader`. Without it the crate is `no_std` and
//! loses nothing else; instruction sets are detected all the same.
//!
//! `digest`: RustCrypto's `digest` 0.11 traits. `serde`: digests, as hexadecimal or bytes, and the names of
//! algorithms. `zeroize`: `ZeroizeOnDrop` on the hashers, which are wiped with or without it.
//!
//! `rayon`: `many::rayon`, `finish_many_rayon` and `update_rayon` split a batch, or one long message of
//! KangarooTwelve, ParallelHash, BLAKE2bp or BLAKE2sp, over the cores. It needs `std`.

#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

#[macro_use]
mod simd;
#[cfg(any(feature = "digest", feature = "serde", feature = "zeroize"))]
mod adapters;
mod algorithm;
pub mod backend;
mod blake2;
pub mod block;
mod buffer;
mod digest;
mod error;
mod hasher;
mod hkdf;
mod hmac;
mod k12;
mod keccak;
pub mod many;
mod pbkdf2;
pub mod portable;
pub mod self_test;
mod sha2;
mod sha3;
mod sp800_185;
mod state;
mod turboshake;
mod wipe;

#[cfg(feature = "digest")]
pub use adapters::digest::{Blake2bMac, Blake2bpMac, Blake2sMac, Blake2spMac};
pub use algorithm::{Algorithm, AnyHasher, AnyHmac};
pub use blake2::params::LastNode;
pub use blake2::tree::{Blake2bp, Blake2sp, blake2bp, blake2sp};
pub use blake2::{Blake2b, Blake2s, blake2b, blake2s};
pub use digest::{Digest, VarDigest, constant_time_eq};
pub use error::Error;
pub use hasher::{Hasher, Xof};
pub use hkdf::Hkdf;
pub use hmac::Hmac;
pub use k12::{Kt128, Kt256, kt128, kt256};
pub use keccak::XofReader;
pub use pbkdf2::{pbkdf2, pbkdf2_many};
pub use self_test::self_test;
pub use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
pub use sha2::{sha224, sha256, sha384, sha512, sha512_224, sha512_256};
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
pub use sha3::{sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256};
pub use sp800_185::{CShake128, CShake256, cshake128, cshake256};
pub use sp800_185::{Kmac128, Kmac256, kmac128, kmac256};
pub use sp800_185::{ParallelHash128, ParallelHash256, parallel_hash128, parallel_hash256};
pub use sp800_185::{TupleElement, TupleHash128, TupleHash256, tuple_hash128, tuple_hash256};
pub use state::Exported;
pub use turboshake::{TurboShake128, TurboShake256, turboshake128, turboshake256};
