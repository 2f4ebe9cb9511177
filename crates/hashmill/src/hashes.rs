//! The hash functions: for each an alias of [`Hash`], and a function that hashes one message in one
//! call.

use crate::digest::Digest;
use crate::function::{self, Function};
use crate::hasher::Hash;
use crate::stream::{Sequential, finish_one};

/// One message in one call, straight from the first state. No hasher is made, so that none has to
/// be wiped.
#[inline(always)]
fn one<F: Function<Stream: Sequential>, const N: usize>(message: &[u8]) -> Digest<N> {
    let mut digest = Digest([0; N]);
    finish_one(F::STREAM, message, digest.as_mut());
    digest
}

/// SHA-224, FIPS 180-4 §6.3: a digest of 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha224(b"abc"));
/// ```
pub type Sha224 = Hash<function::Sha224>;

/// SHA-224 (FIPS 180-4 §6.3) of a message.
#[inline]
pub fn sha224(message: &[u8]) -> Digest<28> {
    one::<function::Sha224, 28>(message)
}

/// SHA-256, FIPS 180-4 §6.2: a digest of 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha256(b"abc"));
/// ```
pub type Sha256 = Hash<function::Sha256>;

/// SHA-256 (FIPS 180-4 §6.2) of a message.
#[inline]
pub fn sha256(message: &[u8]) -> Digest<32> {
    one::<function::Sha256, 32>(message)
}

/// SHA-384, FIPS 180-4 §6.5: a digest of 48 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha384::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha384(b"abc"));
/// ```
pub type Sha384 = Hash<function::Sha384>;

/// SHA-384 (FIPS 180-4 §6.5) of a message.
#[inline]
pub fn sha384(message: &[u8]) -> Digest<48> {
    one::<function::Sha384, 48>(message)
}

/// SHA-512, FIPS 180-4 §6.4: a digest of 64 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512(b"abc"));
/// ```
pub type Sha512 = Hash<function::Sha512>;

/// SHA-512 (FIPS 180-4 §6.4) of a message.
#[inline]
pub fn sha512(message: &[u8]) -> Digest<64> {
    one::<function::Sha512, 64>(message)
}

/// SHA-512/224, FIPS 180-4 §6.6: a digest of 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512_224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512_224(b"abc"));
/// ```
pub type Sha512_224 = Hash<function::Sha512_224>;

/// SHA-512/224 (FIPS 180-4 §6.6) of a message.
#[inline]
pub fn sha512_224(message: &[u8]) -> Digest<28> {
    one::<function::Sha512_224, 28>(message)
}

/// SHA-512/256, FIPS 180-4 §6.7: a digest of 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha512_256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha512_256(b"abc"));
/// ```
pub type Sha512_256 = Hash<function::Sha512_256>;

/// SHA-512/256 (FIPS 180-4 §6.7) of a message.
#[inline]
pub fn sha512_256(message: &[u8]) -> Digest<32> {
    one::<function::Sha512_256, 32>(message)
}

/// SHA3-224, FIPS 202 §6.1: a digest of 28 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_224::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_224(b"abc"));
/// ```
pub type Sha3_224 = Hash<function::Sha3<28>>;

/// SHA3-224 (FIPS 202 §6.1) of a message.
#[inline]
pub fn sha3_224(message: &[u8]) -> Digest<28> {
    one::<function::Sha3<28>, 28>(message)
}

/// SHA3-256, FIPS 202 §6.1: a digest of 32 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_256(b"abc"));
/// ```
pub type Sha3_256 = Hash<function::Sha3<32>>;

/// SHA3-256 (FIPS 202 §6.1) of a message.
#[inline]
pub fn sha3_256(message: &[u8]) -> Digest<32> {
    one::<function::Sha3<32>, 32>(message)
}

/// SHA3-384, FIPS 202 §6.1: a digest of 48 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_384::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_384(b"abc"));
/// ```
pub type Sha3_384 = Hash<function::Sha3<48>>;

/// SHA3-384 (FIPS 202 §6.1) of a message.
#[inline]
pub fn sha3_384(message: &[u8]) -> Digest<48> {
    one::<function::Sha3<48>, 48>(message)
}

/// SHA3-512, FIPS 202 §6.1: a digest of 64 bytes.
///
/// ```
/// let mut hasher = hashmill::Sha3_512::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha3_512(b"abc"));
/// ```
pub type Sha3_512 = Hash<function::Sha3<64>>;

/// SHA3-512 (FIPS 202 §6.1) of a message.
#[inline]
pub fn sha3_512(message: &[u8]) -> Digest<64> {
    one::<function::Sha3<64>, 64>(message)
}

/// SHAKE128, FIPS 202 §6.2: an output of any length.
///
/// ```
/// let mut hasher = hashmill::Shake128::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::shake128(b"abc"), key);
/// ```
pub type Shake128 = Hash<function::Shake<168>>;

/// The first `N` bytes of SHAKE128 (FIPS 202 §6.2) of a message.
#[inline]
pub fn shake128<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::Shake<168>, N>(message)
}

/// SHAKE256, FIPS 202 §6.2: an output of any length.
///
/// ```
/// let mut hasher = hashmill::Shake256::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::shake256(b"abc"), key);
/// ```
pub type Shake256 = Hash<function::Shake<136>>;

/// The first `N` bytes of SHAKE256 (FIPS 202 §6.2) of a message.
#[inline]
pub fn shake256<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::Shake<136>, N>(message)
}

/// TurboSHAKE128, RFC 9861 §2: an output of any length.
///
/// ```
/// let mut hasher = hashmill::TurboShake128::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::turboshake128(b"abc"), key);
/// ```
pub type TurboShake128 = Hash<function::TurboShake<168>>;

/// The first `N` bytes of TurboSHAKE128 (RFC 9861 §2) of a message.
#[inline]
pub fn turboshake128<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::TurboShake<168>, N>(message)
}

/// TurboSHAKE256, RFC 9861 §2: an output of any length.
///
/// ```
/// let mut hasher = hashmill::TurboShake256::new();
/// let mut output = hasher.update(b"ab").update(b"c").finalize_xof();
/// let mut key = [0; 32];
/// output.fill(&mut key);
/// assert_eq!(hashmill::turboshake256(b"abc"), key);
/// ```
pub type TurboShake256 = Hash<function::TurboShake<136>>;

/// The first `N` bytes of TurboSHAKE256 (RFC 9861 §2) of a message.
#[inline]
pub fn turboshake256<const N: usize>(message: &[u8]) -> Digest<N> {
    one::<function::TurboShake<136>, N>(message)
}

/// BLAKE2b, RFC 7693: a digest of any length that a parameter names, up to 64 bytes.
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

/// BLAKE2b of a message: no key, the longest output.
#[inline]
pub fn blake2b(message: &[u8]) -> Digest<64> {
    one::<function::Blake2b, 64>(message)
}

/// BLAKE2s, RFC 7693: a digest of any length that a parameter names, up to 32 bytes.
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

/// BLAKE2s of a message: no key, the longest output.
#[inline]
pub fn blake2s(message: &[u8]) -> Digest<32> {
    one::<function::Blake2s, 32>(message)
}

/// BLAKE2bp, the BLAKE2 paper §5: four leaves of BLAKE2b, for SIMD or four cores.
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

/// BLAKE2bp of a message: no key, the longest output.
#[inline]
pub fn blake2bp(message: &[u8]) -> Digest<64> {
    let mut digest = Digest([0; 64]);
    function::Blake2bp::STREAM.finish_after(message, digest.as_mut());
    digest
}

/// BLAKE2sp, the BLAKE2 paper §5: eight leaves of BLAKE2s, for SIMD or eight cores.
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

/// BLAKE2sp of a message: no key, the longest output.
#[inline]
pub fn blake2sp(message: &[u8]) -> Digest<32> {
    let mut digest = Digest([0; 32]);
    function::Blake2sp::STREAM.finish_after(message, digest.as_mut());
    digest
}
