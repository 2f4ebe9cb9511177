//! A slow, literal transcription of the hash standards in Rust. Each standard has a module and each
//! operation a function, in the standard's order and with the standard's names; comments name the
//! sections. The code is written to be read, and to compute the expected answers for the library's
//! tests. It is not fast, does not hash messages piece by piece, and shares no code with the
//! `hashmill` crate.
//!
//! | module | standard | functions |
//! |---|---|---|
//! | [`sha2`] | FIPS 180-4 | the six functions of SHA-2 |
//! | [`sm3`] | GB/T 32905-2016 | SM3 |
//! | [`keccak`] | FIPS 202, RFC 9861 | Keccak-p\[1600\], the sponge, SHA-3, SHAKE, Keccak-256, TurboSHAKE |
//! | [`blake2`] | RFC 7693, the BLAKE2 paper | BLAKE2b, BLAKE2s, BLAKE2bp, BLAKE2sp, with every parameter |
//! | [`blake2x`] | BLAKE2X | BLAKE2Xb, BLAKE2Xs |
//! | [`blake3`] | the BLAKE3 paper | BLAKE3: hash, keyed_hash, derive_key, with output of any length |
//! | [`hmac`] | RFC 2104, FIPS 198-1 | HMAC over any hash |
//! | [`ascon`] | SP 800-232 | Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128 |
//! | [`sp800_185`] | SP 800-185 | cSHAKE, KMAC, TupleHash, ParallelHash, and the XOFs of the last three |
//! | [`k12`] | RFC 9861 | KT128, KT256 |
//! | [`hkdf`] | RFC 5869 | HKDF-Extract, HKDF-Expand |
//! | [`pbkdf2`] | RFC 8018 | PBKDF2 over any pseudorandom function |
//! | [`states`] | | all of these from an exported state of the library |
//! | [`names`] | | the algorithms by name, chosen at run time |
//! | [`trace`] | | the words that such a computation consists of |
//!
//! ```
//! use hashmill_reference::{Bits, blake2, hmac::hmac, keccak, names, sha2};
//!
//! assert_eq!(sha2::sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! assert_eq!(hmac(sha2::sha256, 64, b"key", b"message").len(), 32);
//! assert_eq!(keccak::shake128(b"abc", 1000).len(), 1000);
//!
//! // SHA3-256 of the five bits 11001.
//! keccak::sha3_256_bits(Bits { bytes: b"", last_byte: 0b10011, bits: 5 });
//!
//! let params = blake2::Params { output_len: Some(20), key: b"key", ..Default::default() };
//! assert_eq!(blake2::blake2b(b"abc", &params).len(), 20);
//!
//! assert_eq!(names::hash("sha256", b"abc", None), Some(sha2::sha256(b"abc").to_vec()));
//! ```
//!
//! The functions panic if a standard does not allow the value of an argument (for instance a key of
//! 65 bytes for BLAKE2b), and the message names the value. The functions of [`names`] return `None`
//! instead.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod ascon;
pub mod blake2;
pub mod blake2x;
pub mod blake3;
pub mod hkdf;
pub mod hmac;
pub mod k12;
pub mod keccak;
pub mod names;
pub mod pbkdf2;
pub mod roots;
pub mod sha2;
pub mod sm3;
pub mod sp800_185;
pub mod states;
pub mod trace;

mod bits;

pub use bits::Bits;
