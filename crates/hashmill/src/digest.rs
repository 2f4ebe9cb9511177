//! The results of hash functions.

use crate::error::Error;
use core::fmt;
use core::hint::black_box;
use core::ops::Deref;
use core::str::FromStr;

/// A digest of `N` bytes.
///
/// `Display` writes lower-case hexadecimal, `FromStr` reads hexadecimal of either case, and `==`
/// takes the same time wherever two digests differ, so it is safe for tags. A width pads the
/// hexadecimal as text (`{:>70}`), a precision cuts it (`{:.8}` writes the first four bytes).
///
/// ```
/// use hashmill::Digest;
///
/// let digest = hashmill::sha256(b"abc");
/// let expected: Digest<32> = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".parse()?;
/// assert_eq!(digest, expected);
/// assert_eq!(digest[0], 0xba);
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Digest<const N: usize>(pub(crate) [u8; N]);

/// A digest of 0 to 64 bytes, whose length is known only at run time. The bytes are stored in
/// place, so that nothing is allocated.
///
/// [`Blake2b`](crate::Blake2b) and [`AnyHasher`](crate::AnyHasher) return it. `Display` and `==`
/// work as for [`Digest`].
#[derive(Clone, Copy)]
#[repr(C)]
pub struct VarDigest {
    /// The bytes from `len` on are 0.
    bytes: [u8; VarDigest::MAX_LEN],
    len: u8,
}

/// Whether `a` and `b` are equal. The time depends only on their lengths. Use it for tags that are
/// byte strings; [`Digest`] and [`VarDigest`] compare in constant time themselves.
///
/// ```
/// assert!(hashmill::constant_time_eq(b"tag", b"tag"));
/// assert!(!hashmill::constant_time_eq(b"tag", b"tags"));
/// ```
pub fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((words, rest), (other_words, other_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let of_words = words.iter().zip(other_words);
    let of_words = of_words.map(|(x, y)| u64::from_ne_bytes(*x) ^ u64::from_ne_bytes(*y));
    let of_rest = rest.iter().zip(other_rest).map(|(x, y)| u64::from(x ^ y));
    // The barrier prevents the compiler from leaving the loop at the first difference, which would
    // not change the result. It writes to memory and reads again, about 5 cycles, so that a word at
    // a time takes an eighth of the time.
    of_words.chain(of_rest).fold(0, |seen, differing| black_box(seen | differing)) == 0
}

/// Writes as many hexadecimal digits as the precision allows, padded to the width like text: on the
/// right unless the format says otherwise. It does not use [`fmt::Formatter::pad`], because that
/// needs the whole string, and a string of any length would need an allocation.
fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>, digits: &[u8; 16]) -> fmt::Result {
    use fmt::Alignment::{Center, Right};
    let len = f.precision().unwrap_or(usize::MAX).min(2 * bytes.len());
    let padding = f.width().unwrap_or(0).saturating_sub(len);
    let before = match f.align() {
        Some(Right) => padding,
        Some(Center) => padding / 2,
        _ => 0,
    };
    let fill = |f: &mut fmt::Formatter<'_>, count| {
        (0..count).try_for_each(|_| f.write_fmt(format_args!("{}", f.fill())))
    };
    fill(f, before)?;
    // In pieces of 64 bytes, because a digest of SHAKE may have any length, and a formatter writes
    // strings faster than single characters.
    let mut hex = [0; 128];
    for (i, chunk) in bytes.chunks(hex.len() / 2).enumerate() {
        for (pair, byte) in hex.chunks_exact_mut(2).zip(chunk) {
            pair[0] = digits[usize::from(byte >> 4)];
            pair[1] = digits[usize::from(byte & 15)];
        }
        let shown = len.saturating_sub(i * hex.len()).min(2 * chunk.len());
        f.write_str(core::str::from_utf8(&hex[..shown]).map_err(|_| fmt::Error)?)?;
    }
    fill(f, padding - before)
}

fn read_hex(hex: &str, bytes: &mut [u8]) -> Result<(), Error> {
    if hex.len() != 2 * bytes.len() {
        return Err(Error::digest_len(hex.len(), 2 * bytes.len()));
    }
    let digit = |at: usize| {
        let digit = char::from(hex.as_bytes()[at]).to_digit(16);
        digit.map(|digit| digit as u8).ok_or(Error::DigestHex { at: at as u64 })
    };
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = digit(2 * at)? << 4 | digit(2 * at + 1)?;
    }
    Ok(())
}

/// Implements the traits that both types of digests have, each through its slice. A macro, because
/// other crates' traits cannot be implemented for all types of ours at once.
macro_rules! as_bytes {
    ([$($generics:tt)*] $Type:ty) => {
        impl<$($generics)*> AsRef<[u8]> for $Type {
            fn as_ref(&self) -> &[u8] {
                &self[..]
            }
        }
        impl<$($generics)*> PartialEq for $Type {
            fn eq(&self, other: &Self) -> bool {
                constant_time_eq(&self[..], &other[..])
            }
        }
        impl<$($generics)*> Eq for $Type {}
        /// Compares the bytes in order. The time depends on them, because an order needs the first
        /// difference.
        impl<$($generics)*> PartialOrd for $Type {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        /// Compares the bytes in order. The time depends on them.
        impl<$($generics)*> Ord for $Type {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self[..].cmp(&other[..])
            }
        }
        impl<$($generics)*> core::hash::Hash for $Type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self[..].hash(state);
            }
        }
        impl<$($generics)*> PartialEq<[u8]> for $Type {
            fn eq(&self, other: &[u8]) -> bool {
                constant_time_eq(&self[..], other)
            }
        }
        impl<$($generics)*> PartialEq<&[u8]> for $Type {
            fn eq(&self, other: &&[u8]) -> bool {
                constant_time_eq(&self[..], other)
            }
        }
        impl<$($generics)*> fmt::LowerHex for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self[..], f, b"0123456789abcdef")
            }
        }
        impl<$($generics)*> fmt::UpperHex for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self[..], f, b"0123456789ABCDEF")
            }
        }
        impl<$($generics)*> fmt::Display for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(self, f)
            }
        }
        impl<$($generics)*> fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(self, f)
            }
        }
    };
}

as_bytes!([const N: usize] Digest<N>);
as_bytes!([] VarDigest);

impl<const N: usize> Digest<N> {
    /// Returns the bytes of the digest.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Returns the bytes of the digest.
    pub const fn into_bytes(self) -> [u8; N] {
        self.0
    }

    pub(crate) const fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl<const N: usize> Deref for Digest<N> {
    type Target = [u8; N];

    fn deref(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Default for Digest<N> {
    /// Returns a digest of zeros, as a place for a result.
    fn default() -> Self {
        Digest([0; N])
    }
}

impl<const N: usize> From<[u8; N]> for Digest<N> {
    fn from(bytes: [u8; N]) -> Self {
        Digest(bytes)
    }
}

impl<const N: usize> From<Digest<N>> for [u8; N] {
    fn from(digest: Digest<N>) -> Self {
        digest.0
    }
}

impl<const N: usize> PartialEq<[u8; N]> for Digest<N> {
    fn eq(&self, other: &[u8; N]) -> bool {
        constant_time_eq(&self[..], other)
    }
}

/// Digests of different lengths are not equal.
impl<const N: usize> PartialEq<VarDigest> for Digest<N> {
    fn eq(&self, other: &VarDigest) -> bool {
        constant_time_eq(&self[..], &other[..])
    }
}

/// Digests of different lengths are not equal.
impl<const N: usize> PartialEq<Digest<N>> for VarDigest {
    fn eq(&self, other: &Digest<N>) -> bool {
        constant_time_eq(&self[..], &other[..])
    }
}

impl<const N: usize> FromStr for Digest<N> {
    type Err = Error;

    fn from_str(hex: &str) -> Result<Self, Error> {
        let mut bytes = [0; N];
        read_hex(hex, &mut bytes)?;
        Ok(Digest(bytes))
    }
}

impl VarDigest {
    /// The length of the longest digest, in bytes.
    pub const MAX_LEN: usize = 64;

    /// Returns a digest of `len` zero bytes; `len` must be at most [`MAX_LEN`](Self::MAX_LEN).
    pub(crate) const fn zero(len: usize) -> Self {
        assert!(len <= Self::MAX_LEN);
        VarDigest { bytes: [0; Self::MAX_LEN], len: len as u8 }
    }

    pub(crate) const fn as_mut(&mut self) -> &mut [u8] {
        self.bytes.split_at_mut(self.len as usize).0
    }

    /// Keeps the first `len` bytes, and overwrites the others with zeros.
    pub(crate) fn truncate(&mut self, len: usize) {
        let before = usize::from(self.len);
        if len < before {
            self.bytes[len..before].fill(0);
            self.len = len as u8;
        }
    }
}

impl Deref for VarDigest {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Default for VarDigest {
    /// Returns a digest of length 0, as a place for a result.
    fn default() -> Self {
        Self::zero(0)
    }
}

impl TryFrom<&[u8]> for VarDigest {
    type Error = Error;

    /// # Errors
    /// [`Error::DigestLength`] if there are more than 64 bytes.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() > Self::MAX_LEN {
            return Err(Error::digest_len(bytes.len(), Self::MAX_LEN));
        }
        let mut digest = Self::zero(bytes.len());
        digest.as_mut().copy_from_slice(bytes);
        Ok(digest)
    }
}

impl<const N: usize> From<Digest<N>> for VarDigest {
    fn from(digest: Digest<N>) -> Self {
        const { assert!(N <= VarDigest::MAX_LEN) };
        let mut var = Self::zero(N);
        var.as_mut().copy_from_slice(&digest.0);
        var
    }
}

impl FromStr for VarDigest {
    type Err = Error;

    fn from_str(hex: &str) -> Result<Self, Error> {
        if hex.len() > 2 * Self::MAX_LEN {
            return Err(Error::digest_len(hex.len(), 2 * Self::MAX_LEN));
        }
        let mut digest = Self::zero(hex.len().div_ceil(2));
        read_hex(hex, digest.as_mut())?;
        Ok(digest)
    }
}

/// A digest whose length is known at compile time ([`Digest`]) or at run time ([`VarDigest`]).
pub trait Bytes:
    AsRef<[u8]> + Copy + Default + Eq + Send + Sync + fmt::Display + Into<VarDigest> + 'static
{
    /// The length in bytes if it is known at compile time.
    #[doc(hidden)]
    const LEN: Option<usize>;
    /// Returns a digest of `len` zero bytes.
    #[doc(hidden)]
    fn blank(len: usize) -> Self;
    #[doc(hidden)]
    fn bytes_mut(&mut self) -> &mut [u8];
    /// Makes it `len` bytes long, if its length is not known at compile time.
    #[doc(hidden)]
    fn set_len(&mut self, _len: usize) {}
}

impl<const N: usize> Bytes for Digest<N> {
    const LEN: Option<usize> = Some(N);
    #[inline]
    fn blank(_: usize) -> Self {
        Self::default()
    }
    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.as_mut()
    }
}

impl Bytes for VarDigest {
    const LEN: Option<usize> = None;
    fn blank(len: usize) -> Self {
        Self::zero(len)
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.as_mut()
    }
    #[inline]
    fn set_len(&mut self, len: usize) {
        match usize::from(self.len) > len {
            true => *self = Self::zero(len),
            false => self.len = len as u8,
        }
    }
}
