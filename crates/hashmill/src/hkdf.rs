//! HKDF (RFC 5869) over every hash function of fixed output length.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::hasher::Hasher;
use crate::hmac::Hmac;
use crate::wipe::overwrite;

/// HKDF with the hash function `H`: keys from a secret that is not yet one.
///
/// ```
/// use hashmill::{Hkdf, Sha256};
///
/// let shared_secret = [7; 32];
/// let hkdf = Hkdf::<Sha256>::new(b"salt", &shared_secret);
/// let mut key = [0; 32];
/// hkdf.expand(b"my protocol, encryption key", &mut key)?;
/// let mut iv = [0; 12];
/// hkdf.expand(b"my protocol, IV", &mut iv)?;
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hkdf<H: Hasher> {
    /// Under the pseudorandom key.
    hmac: Hmac<H>,
}

impl<H: Hasher> Hkdf<H> {
    /// HKDF-Extract, ready to expand. The salt may be empty.
    pub fn new(salt: &[u8], key_material: &[u8]) -> Self {
        let mut prk = Self::extract(salt, key_material);
        let hkdf = Hkdf { hmac: Hmac::new(prk.as_ref()) };
        overwrite(&mut prk, H::Digest::default());
        hkdf
    }

    /// HKDF-Extract (RFC 5869 §2.2): the pseudorandom key PRK, which is secret.
    ///
    /// It is what [`Hmac`] gives the key material under the salt: material that comes in parts may be
    /// put into one of those instead.
    pub fn extract(salt: &[u8], key_material: &[u8]) -> H::Digest {
        Hmac::<H>::new(salt).update(key_material).finalize()
    }

    /// With a pseudorandom key: what [`extract`](Self::extract) gave, or one that came from elsewhere.
    ///
    /// # Errors
    /// [`Error::HkdfKeyLength`] if it is shorter than a digest (RFC 5869 §2.3).
    pub fn from_prk(prk: &[u8]) -> Result<Self, Error> {
        if prk.len() < H::ALGORITHM.output_len() {
            return Err(Error::HkdfKeyLength);
        }
        Ok(Hkdf { hmac: Hmac::new(prk) })
    }

    /// HKDF-Expand (RFC 5869 §2.3): a key as long as `out`, for the purpose that `info` names. It begins
    /// with the shorter keys for the same purpose.
    ///
    /// # Errors
    /// [`Error::HkdfOutputLength`] if `out` is longer than 255 digests. Nothing is written then.
    pub fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let len = H::ALGORITHM.output_len();
        if out.len() > 255 * len {
            return Err(Error::HkdfOutputLength);
        }
        // T(0) is empty, T(i) = HMAC(PRK, T(i - 1) | info | i).
        let mut t = H::Digest::default();
        for (i, part) in (1..=255).zip(out.chunks_mut(len)) {
            let mut hmac = self.hmac.clone();
            if i > 1 {
                hmac.update(t.as_ref());
            }
            t = hmac.update(info).update(&[i]).finalize();
            part.copy_from_slice(&t.as_ref()[..part.len()]);
        }
        overwrite(&mut t, H::Digest::default());
        Ok(())
    }
}
