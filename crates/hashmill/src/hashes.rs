//! The hash functions of the crate's root: for each an alias of [`Hash`], and a function that
//! hashes one message in one call.

use crate::digest::Digest;
use crate::function::{self, Function};
use crate::hasher::Hash;
use crate::stream::{Sequential, finish_one};

/// Hashes one message, beginning with the constant first state of `F`. It makes no hasher, so that
/// none must be wiped afterwards.
#[inline(always)]
fn one<F: Function<Stream: Sequential>, const N: usize>(message: &[u8]) -> Digest<N> {
    let mut digest = Digest([0; N]);
    finish_one(F::STREAM, message, digest.as_mut());
    digest
}

/// A hasher for SHA-224 (FIPS 180-4 §6.3), whose digest has 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha224(b"abc"));
/// ```
pub type Sha224 = Hash<function::Sha224>;

/// Returns the SHA-224 digest (FIPS 180-4 §6.3) of `message`: 28 bytes.
#[inline]
pub fn sha224(message: &[u8]) -> Digest<28> {
    one::<function::Sha224, 28>(message)
}

/// A hasher for SHA-256 (FIPS 180-4 §6.2), whose digest has 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha256(b"abc"));
/// ```
pub type Sha256 = Hash<function::Sha256>;

/// Returns the SHA-256 digest (FIPS 180-4 §6.2) of `message`: 32 bytes.
#[inline]
pub fn sha256(message: &[u8]) -> Digest<32> {
    one::<function::Sha256, 32>(message)
}

/// A hasher for SHA-384 (FIPS 180-4 §6.5), whose digest has 48 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha384::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha384(b"abc"));
/// ```
pub type Sha384 = Hash<function::Sha384>;

/// Returns the SHA-384 digest (FIPS 180-4 §6.5) of `message`: 48 bytes.
#[inline]
pub fn sha384(message: &[u8]) -> Digest<48> {
    one::<function::Sha384, 48>(message)
}

/// A hasher for SHA-512 (FIPS 180-4 §6.4), whose digest has 64 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512(b"abc"));
/// ```
pub type Sha512 = Hash<function::Sha512>;

/// Returns the SHA-512 digest (FIPS 180-4 §6.4) of `message`: 64 bytes.
#[inline]
pub fn sha512(message: &[u8]) -> Digest<64> {
    one::<function::Sha512, 64>(message)
}

/// A hasher for SHA-512/224 (FIPS 180-4 §6.6), whose digest has 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512_224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512_224(b"abc"));
/// ```
pub type Sha512_224 = Hash<function::Sha512_224>;

/// Returns the SHA-512/224 digest (FIPS 180-4 §6.6) of `message`: 28 bytes.
#[inline]
pub fn sha512_224(message: &[u8]) -> Digest<28> {
    one::<function::Sha512_224, 28>(message)
}

/// A hasher for SHA-512/256 (FIPS 180-4 §6.7), whose digest has 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512_256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512_256(b"abc"));
/// ```
pub type Sha512_256 = Hash<function::Sha512_256>;

/// Returns the SHA-512/256 digest (FIPS 180-4 §6.7) of `message`: 32 bytes.
#[inline]
pub fn sha512_256(message: &[u8]) -> Digest<32> {
    one::<function::Sha512_256, 32>(message)
}

/// A hasher for SHA3-224 (FIPS 202 §6.1), whose digest has 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_224(b"abc"));
/// ```
pub type Sha3_224 = Hash<function::Sha3<28>>;

/// Returns the SHA3-224 digest (FIPS 202 §6.1) of `message`: 28 bytes.
#[inline]
pub fn sha3_224(message: &[u8]) -> Digest<28> {
    one::<function::Sha3<28>, 28>(message)
}

/// A hasher for SHA3-256 (FIPS 202 §6.1), whose digest has 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_256(b"abc"));
/// ```
pub type Sha3_256 = Hash<function::Sha3<32>>;

/// Returns the SHA3-256 digest (FIPS 202 §6.1) of `message`: 32 bytes.
#[inline]
pub fn sha3_256(message: &[u8]) -> Digest<32> {
    one::<function::Sha3<32>, 32>(message)
}

/// A hasher for SHA3-384 (FIPS 202 §6.1), whose digest has 48 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_384::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_384(b"abc"));
/// ```
pub type Sha3_384 = Hash<function::Sha3<48>>;

/// Returns the SHA3-384 digest (FIPS 202 §6.1) of `message`: 48 bytes.
#[inline]
pub fn sha3_384(message: &[u8]) -> Digest<48> {
    one::<function::Sha3<48>, 48>(message)
}

/// A hasher for SHA3-512 (FIPS 202 §6.1), whose digest has 64 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_512::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_512(b"abc"));
/// ```
pub type Sha3_512 = Hash<function::Sha3<64>>;

/// Returns the SHA3-512 digest (FIPS 202 §6.1) of `message`: 64 bytes.
#[inline]
pub fn sha3_512(message: &[u8]) -> Digest<64> {
    one::<function::Sha3<64>, 64>(message)
}

/// A hasher for SHAKE128 (FIPS 202 §6.2), whose output may have any length.
///
/// ```
/// let mut hasher = hashmill::Shake128::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::shake128(b"abc"), key);
/// ```
pub type Shake128 = Hash<function::Shake<168>>;

/// Returns the first `N` bytes of the SHAKE128 output (FIPS 202 §6.2) for `message`.
#[inline]
pub fn shake128<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::Shake<168>, N>(message)
}

/// A hasher for SHAKE256 (FIPS 202 §6.2), whose output may have any length.
///
/// ```
/// let mut hasher = hashmill::Shake256::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::shake256(b"abc"), key);
/// ```
pub type Shake256 = Hash<function::Shake<136>>;

/// Returns the first `N` bytes of the SHAKE256 output (FIPS 202 §6.2) for `message`.
#[inline]
pub fn shake256<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::Shake<136>, N>(message)
}

/// A hasher for TurboSHAKE128 (RFC 9861 §2), whose output may have any length.
///
/// ```
/// let mut hasher = hashmill::TurboShake128::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::turboshake128(b"abc"), key);
/// ```
pub type TurboShake128 = Hash<function::TurboShake<168>>;

/// Returns the first `N` bytes of the TurboSHAKE128 output (RFC 9861 §2) for `message`.
#[inline]
pub fn turboshake128<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::TurboShake<168>, N>(message)
}

/// A hasher for TurboSHAKE256 (RFC 9861 §2), whose output may have any length.
///
/// ```
/// let mut hasher = hashmill::TurboShake256::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::turboshake256(b"abc"), key);
/// ```
pub type TurboShake256 = Hash<function::TurboShake<136>>;

/// Returns the first `N` bytes of the TurboSHAKE256 output (RFC 9861 §2) for `message`.
#[inline]
pub fn turboshake256<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::TurboShake<136>, N>(message)
}

/// A hasher for BLAKE2b (RFC 7693), whose digest has 64 bytes.
///
/// [`blake2b::Params`](crate::blake2b::Params) sets another length, 1 to 64 bytes, and a key, salt
/// and personalization.
///
/// ```
/// use hashmill::{Blake2b, blake2b};
///
/// let digest = Blake2b::new().update(b"ab").update(b"c").finalize();
/// assert_eq!(digest, blake2b(b"abc")[..]);
///
/// let short = blake2b::Params::new().output_len(20).key(b"secret").build()?;
/// assert_eq!(short.finish(b"abc").len(), 20);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type Blake2b = Hash<function::Blake2b>;

/// Returns the BLAKE2b digest (RFC 7693) of `message`, without a key: 64 bytes.
#[inline]
pub fn blake2b(message: &[u8]) -> Digest<64> {
    one::<function::Blake2b, 64>(message)
}

/// A hasher for BLAKE2s (RFC 7693), whose digest has 32 bytes.
///
/// [`blake2s::Params`](crate::blake2s::Params) sets another length, 1 to 32 bytes, and a key, salt
/// and personalization.
///
/// ```
/// use hashmill::{Blake2s, blake2s};
///
/// let digest = Blake2s::new().update(b"ab").update(b"c").finalize();
/// assert_eq!(digest, blake2s(b"abc")[..]);
///
/// let short = blake2s::Params::new().output_len(20).key(b"secret").build()?;
/// assert_eq!(short.finish(b"abc").len(), 20);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type Blake2s = Hash<function::Blake2s>;

/// Returns the BLAKE2s digest (RFC 7693) of `message`, without a key: 32 bytes.
#[inline]
pub fn blake2s(message: &[u8]) -> Digest<32> {
    one::<function::Blake2s, 32>(message)
}

/// A hasher for BLAKE2bp (the BLAKE2 paper §5), whose digest has 64 bytes.
///
/// BLAKE2bp is a tree of four BLAKE2b leaves and a root. The leaves are hashed side by side in SIMD
/// lanes or, with `update_rayon` (feature `rayon`), on up to four cores.
///
/// [`blake2bp::Params`](crate::blake2bp::Params) sets another length, 1 to 64 bytes, and a key,
/// salt and personalization.
///
/// ```
/// use hashmill::{Blake2bp, blake2bp};
///
/// let digest = Blake2bp::new().update(b"ab").update(b"c").finalize();
/// assert_eq!(digest, blake2bp(b"abc")[..]);
///
/// let short = blake2bp::Params::new().output_len(20).key(b"secret").build()?;
/// assert_eq!(short.finish(b"abc").len(), 20);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type Blake2bp = Hash<function::Blake2bp>;

/// Returns the BLAKE2bp digest (the BLAKE2 paper §5) of `message`, without a key: 64 bytes.
#[inline]
pub fn blake2bp(message: &[u8]) -> Digest<64> {
    let mut digest = Digest([0; 64]);
    function::Blake2bp::STREAM.finish_after(message, digest.as_mut());
    digest
}

/// A hasher for BLAKE2sp (the BLAKE2 paper §5), whose digest has 32 bytes.
///
/// BLAKE2sp is a tree of eight BLAKE2s leaves and a root. The leaves are hashed side by side in
/// SIMD lanes or, with `update_rayon` (feature `rayon`), on up to eight cores.
///
/// [`blake2sp::Params`](crate::blake2sp::Params) sets another length, 1 to 32 bytes, and a key,
/// salt and personalization.
///
/// ```
/// use hashmill::{Blake2sp, blake2sp};
///
/// let digest = Blake2sp::new().update(b"ab").update(b"c").finalize();
/// assert_eq!(digest, blake2sp(b"abc")[..]);
///
/// let short = blake2sp::Params::new().output_len(20).key(b"secret").build()?;
/// assert_eq!(short.finish(b"abc").len(), 20);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type Blake2sp = Hash<function::Blake2sp>;

/// Returns the BLAKE2sp digest (the BLAKE2 paper §5) of `message`, without a key: 32 bytes.
#[inline]
pub fn blake2sp(message: &[u8]) -> Digest<32> {
    let mut digest = Digest([0; 32]);
    function::Blake2sp::STREAM.finish_after(message, digest.as_mut());
    digest
}
