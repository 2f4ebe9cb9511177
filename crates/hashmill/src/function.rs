//! The hash functions as types, over which [`Hash<F>`](struct@crate::Hash) is generic.
//!
//! Most programs use the aliases in the crate's root instead: `Sha256` is `Hash<function::Sha256>`.
//!
//! Each type defines its stream, the stream's first state and its row in the table of algorithms.
//! The types are enums without variants, because no value of them is ever needed.

pub use crate::digest::Bytes;
pub use crate::hasher::{Extendable, Fixed, Function, Plain};

use crate::algorithm::Algorithm;
use crate::blake2::tree::{TreeB, TreeS};
use crate::blake2::{StreamB, StreamS};
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::keccak::Sponge;
use crate::sha2::constants::{w32, w64};
use crate::sha2::{Stream32, Stream64};
use crate::wipe::Secret;

/// FIPS 202 §6.1: the suffix 01 and the first bit of the padding.
const SHA3_SUFFIX: u8 = 0b110;
/// FIPS 202 §6.2: the suffix 1111 and the first bit of the padding.
pub(crate) const SHAKE_SUFFIX: u8 = 0b1_1111;
/// RFC 9861 §2.1: the default domain-separation byte.
const DEFAULT_DOMAIN: u8 = 0x1F;

// The stream of a hasher that has absorbed nothing is a constant, so that a new hasher is a copy
// and nothing (BLAKE2's parameters, SHA-512/t's first states) is computed at run time, and so that
// `Algorithm::hash` needs no states of its own.

/// SHA-224 (FIPS 180-4 §6.3), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha224 {}

impl Function for Sha224 {
    type Stream = Stream32;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha224;
}
impl Plain for Sha224 {}
impl Fixed for Sha224 {
    type Digest = Digest<28>;
}

/// SHA-256 (FIPS 180-4 §6.2), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Function for Sha256 {
    type Stream = Stream32;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha256;
}
impl Plain for Sha256 {}
impl Fixed for Sha256 {
    type Digest = Digest<32>;
}

/// SHA-384 (FIPS 180-4 §6.5), whose digest has 48 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha384 {}

impl Function for Sha384 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA384, 48);
    const ALGORITHM: Algorithm = Algorithm::Sha384;
}
impl Plain for Sha384 {}
impl Fixed for Sha384 {
    type Digest = Digest<48>;
}

/// SHA-512 (FIPS 180-4 §6.4), whose digest has 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

impl Function for Sha512 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512, 64);
    const ALGORITHM: Algorithm = Algorithm::Sha512;
}
impl Plain for Sha512 {}
impl Fixed for Sha512 {
    type Digest = Digest<64>;
}

/// SHA-512/224 (FIPS 180-4 §6.6), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_224 {}

impl Function for Sha512_224 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha512_224;
}
impl Plain for Sha512_224 {}
impl Fixed for Sha512_224 {
    type Digest = Digest<28>;
}

/// SHA-512/256 (FIPS 180-4 §6.7), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_256 {}

impl Function for Sha512_256 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha512_256;
}
impl Plain for Sha512_256 {}
impl Fixed for Sha512_256 {
    type Digest = Digest<32>;
}

/// BLAKE2b (RFC 7693), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2b {}

impl Function for Blake2b {
    type Stream = StreamB;
    const STREAM: &'static StreamB = &StreamB::new(&StreamB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2b;
}
impl Fixed for Blake2b {
    type Digest = VarDigest;
}

/// BLAKE2s (RFC 7693), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2s {}

impl Function for Blake2s {
    type Stream = StreamS;
    const STREAM: &'static StreamS = &StreamS::new(&StreamS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2s;
}
impl Fixed for Blake2s {
    type Digest = VarDigest;
}

/// BLAKE2bp (the BLAKE2 paper §5), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2bp {}

impl Function for Blake2bp {
    type Stream = TreeB;
    const STREAM: &'static TreeB = &TreeB::new(&TreeB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2bp;
}
impl Fixed for Blake2bp {
    type Digest = VarDigest;
}

/// BLAKE2sp (the BLAKE2 paper §5), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2sp {}

impl Function for Blake2sp {
    type Stream = TreeS;
    const STREAM: &'static TreeS = &TreeS::new(&TreeS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2sp;
}
impl Fixed for Blake2sp {
    type Digest = VarDigest;
}

/// SHA-3 (FIPS 202 §6.1), whose digest has `N` bytes: 28, 32, 48 or 64. The capacity is twice as
/// long as the digest. Any other length is an error of the compiler:
///
/// ```compile_fail
/// hashmill::Hash::<hashmill::function::Sha3<30>>::new();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Sha3<const N: usize> {}

impl<const N: usize> Function for Sha3<N> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(200 - 2 * N, 24, SHA3_SUFFIX, N)
    };
    const ALGORITHM: Algorithm = match N {
        28 => Algorithm::Sha3_224,
        32 => Algorithm::Sha3_256,
        48 => Algorithm::Sha3_384,
        64 => Algorithm::Sha3_512,
        _ => panic!("SHA-3's digests have 28, 32, 48 or 64 bytes"),
    };
}
impl<const N: usize> Plain for Sha3<N> {}
impl<const N: usize> Fixed for Sha3<N> {
    type Digest = Digest<N>;
}

/// SHAKE (FIPS 202 §6.2) with a rate of `RATE` bytes: 168 for SHAKE128, 136 for SHAKE256. The
/// output may have any length. Any other rate is an error of the compiler:
///
/// ```compile_fail
/// hashmill::Hash::<hashmill::function::Shake<100>>::new();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Shake<const RATE: usize> {}

impl<const RATE: usize> Function for Shake<RATE> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(RATE, 24, SHAKE_SUFFIX, 200 - RATE)
    };
    const ALGORITHM: Algorithm = match RATE {
        168 => Algorithm::Shake128,
        136 => Algorithm::Shake256,
        _ => panic!("SHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Plain for Shake<RATE> {}
impl<const RATE: usize> Extendable for Shake<RATE> {}

/// TurboSHAKE (RFC 9861 §2) with a rate of `RATE` bytes: 168 for TurboSHAKE128, 136 for
/// TurboSHAKE256. The output may have any length. Any other rate is an error of the compiler.
#[derive(Clone, Copy, Debug)]
pub enum TurboShake<const RATE: usize> {}

impl<const RATE: usize> Function for TurboShake<RATE> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(RATE, 12, DEFAULT_DOMAIN, 200 - RATE)
    };
    const ALGORITHM: Algorithm = match RATE {
        168 => Algorithm::TurboShake128,
        136 => Algorithm::TurboShake256,
        _ => panic!("TurboSHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Extendable for TurboShake<RATE> {}

impl<const RATE: usize> crate::hasher::Hash<TurboShake<RATE>> {
    /// Creates a TurboSHAKE hasher with the domain-separation byte `domain`, 0x01 to 0x7F (RFC 9861
    /// §2). [`new`](Self::new) uses 0x1F.
    ///
    /// # Errors
    /// [`Error::Domain`] if `domain` is 0 or more than 0x7F.
    pub const fn with_domain(domain: u8) -> Result<Self, Error> {
        match domain {
            0x01..=0x7F => {
                Ok(Self { stream: Secret(TurboShake::<RATE>::STREAM.with_suffix(domain)) })
            }
            _ => Err(Error::Domain { given: domain as u64 }),
        }
    }
}
