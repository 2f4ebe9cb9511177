//! HKDF (RFC 5869) over every hash function with HMAC.

#![forbid(unsafe_code)]

use crate::arguments::Salt;
use crate::buffer::copy_short;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use crate::function::Function;
use crate::hasher::{Hasher, Stream};
use crate::hmac::{Hmac, Keyed, LONG_KEY, finish_many, run_wiped_key};
use crate::messages::{Messages, OutputLen, Outputs, Slots, indexed};
use crate::stream::{LITTLE, MAX_DIGEST, Progress};
use crate::wipe::run_wiped;
use core::mem::forget;

/// Stack bytes to clear for one block T(i) of the output and the message that it is the HMAC of.
const T_ROOM: usize = 512;
/// Stack bytes to clear for a short info instead of `T_ROOM`. It needs no copy of a state.
const SHORT_ROOM: usize = 384;
/// Bytes of the buffer for an info. A shorter info is copied to it, so that T(i − 1), the info and
/// the byte `i` are one message without gaps.
const ROOM: usize = 128;

/// HKDF (RFC 5869) with the hash function `H`: derives keys from a secret that is not uniformly
/// random, such as the result of a Diffie–Hellman exchange.
///
/// The secret must be hard to guess. For passwords use [`pbkdf2`](crate::pbkdf2()).
///
/// ```
/// use hashmill::{Hkdf, Salt, Sha256};
///
/// let shared_secret = [7; 32];
/// let hkdf = Hkdf::<Sha256>::new(Salt(b"salt"), &shared_secret);
/// let mut key = [0; 32];
/// hkdf.expand(b"my protocol, encryption key", &mut key)?;
/// let mut iv = [0; 12];
/// hkdf.expand(b"my protocol, IV", &mut iv)?;
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hkdf<H: Hasher> {
    /// HMAC with the pseudorandom key PRK.
    hmac: Hmac<H>,
}

impl<H: Hasher> Hkdf<H> {
    /// Computes HKDF-Extract (RFC 5869 §2.2) and returns an `Hkdf` that is ready to expand.
    ///
    /// `salt` and `key_material` may have any length. The salt need not be secret and may be empty.
    #[inline(never)]
    pub fn new(salt: Salt<&[u8]>, key_material: &[u8]) -> Self {
        let (stream, block_len) = (H::Function::STREAM, Hmac::<H>::BLOCK);
        let extract = || {
            let mut prk = H::Digest::blank(H::ALGORITHM.output_len());
            let extract = Keyed::new_unwiped(stream, block_len, salt.0);
            extract.tag(key_material, prk.bytes_mut());
            // `below` clears the stack that `extract` and `prk` lie on.
            forget(extract);
            Hkdf { hmac: Hmac::new_unwiped(prk.as_ref()) }
        };
        if <H::Function as Function>::Stream::leaves_state() {
            return run_wiped_key(stream, block_len, salt.0, size_of::<Self>() + 128, extract);
        }
        // Returns a clone for the reason given in `Keyed::new`.
        run_wiped(stream.stack() + 6 * size_of::<Self>(), extract).clone()
    }

    /// Computes HKDF-Extract (RFC 5869 §2.2) and returns the pseudorandom key PRK, which is as long
    /// as a digest of `H`. Keep it secret.
    ///
    /// PRK is the [`Hmac`] of the key material with the salt as the key. To extract from key
    /// material that comes in parts, use an `Hmac` and pass its tag to
    /// [`from_prk`](Self::from_prk).
    pub fn extract(salt: Salt<&[u8]>, key_material: &[u8]) -> H::Digest {
        let (stream, block_len) = (H::Function::STREAM, Hmac::<H>::BLOCK);
        run_wiped(stream.stack() + LONG_KEY + 6 * size_of::<Self>(), || {
            let mut prk = H::Digest::blank(H::ALGORITHM.output_len());
            Keyed::new_unwiped(stream, block_len, salt.0).tag(key_material, prk.bytes_mut());
            prk
        })
    }

    /// Creates an `Hkdf` from a pseudorandom key PRK: the result of [`extract`](Self::extract), or
    /// a uniformly random key from elsewhere.
    ///
    /// # Errors
    /// [`Error::HkdfKeyLength`] if `prk` is shorter than a digest of `H` (RFC 5869 §2.3).
    pub fn from_prk(prk: &[u8]) -> Result<Self, Error> {
        let least = H::ALGORITHM.output_len();
        if prk.len() < least {
            return Err(Error::HkdfKeyLength { given: prk.len() as u64, least: least as u64 });
        }
        Ok(Hkdf { hmac: Hmac::new(prk) })
    }

    /// Computes HKDF-Expand (RFC 5869 §2.3): fills `out` with a key for the purpose that `info`
    /// names.
    ///
    /// Different infos yield independent keys. With one info, a longer key begins with the bytes of
    /// a shorter one.
    ///
    /// # Errors
    /// [`Error::HkdfOutputLength`] if `out` is longer than 255 digests of `H` (8160 bytes for
    /// SHA-256). Nothing is written then.
    pub fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let len = H::ALGORITHM.output_len();
        if out.len() > 255 * len {
            let (given, most) = (out.len() as u64, 255 * len as u64);
            return Err(Error::HkdfOutputLength { given, most });
        }
        let inner = &self.hmac.keyed.inner;
        // A longer info is absorbed where it lies, by a copy of the state.
        let little = info.len() < ROOM && inner.takes_little(&[]);
        let depth = if little { LITTLE + SHORT_ROOM } else { inner.stack() + T_ROOM };
        run_wiped(depth, || self.expand_short(info, out));
        Ok(())
    }

    /// Fills `out`, which is at most 255 digests long. The caller clears the stack, which contains
    /// blocks of the key.
    fn expand_short(&self, info: &[u8], out: &mut [u8]) {
        let len = H::ALGORITHM.output_len();
        // T(0) is empty, T(i) = HMAC(PRK, T(i - 1) | info | i). A short info is copied to
        // `message`, so that the message is hashed in one call.
        let mut message = [0; MAX_DIGEST + ROOM];
        let (mut t_len, parts) = (0, out.len().div_ceil(len));
        for (i, part) in (1..=255).zip(out.chunks_mut(len)) {
            let mut give = |t: &mut [u8]| {
                let end = t_len + info.len();
                if info.len() >= ROOM {
                    return self.expand_long(&message[..t_len], info, i, t);
                }
                copy_short(&mut message[t_len..end], info);
                message[end] = i;
                self.hmac.keyed.tag(&message[..=end], t);
            };
            // A whole T(i) is written directly to `out`, because most keys are one digest long.
            if part.len() == len {
                give(part);
                if usize::from(i) < parts {
                    copy_short(&mut message[..len], part);
                }
            } else {
                let mut t = VarDigest::zero(len);
                give(t.as_mut());
                part.copy_from_slice(&t[..part.len()]);
            }
            t_len = len;
        }
    }

    /// Computes one T(i) with an info that is not copied; `before` is T(i − 1). It is a function of
    /// its own and not inlined, because its copy of the state takes room on the stack.
    #[inline(never)]
    fn expand_long(&self, before: &[u8], info: &[u8], i: u8, t: &mut [u8]) {
        let mut keyed = self.hmac.keyed.clone();
        keyed.update(before);
        keyed.update(info);
        keyed.tag(&[i], t);
    }

    /// Derives many keys at once, side by side in SIMD lanes.
    ///
    /// Fills place `i` of `keys` with the key that [`expand`](Self::expand) derives for info `i`.
    /// All places have the same length, at most that of a digest of `H`. A [`VarDigest`] receives a
    /// whole digest. [`Messages`] lists the types that can hold the infos, [`Outputs`] those that
    /// can hold the keys.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if `keys` does not have one place for each info.
    /// - [`Error::HkdfOutputLength`] if the places are longer than a digest.
    ///
    /// Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Hkdf, Salt, Sha256};
    ///
    /// let hkdf = Hkdf::<Sha256>::new(Salt(b"salt"), &[7; 32]);
    /// let mut keys = [0; 2 * 16];
    /// hkdf.expand_many(&["file 1", "file 2"], &mut keys)?;
    /// let mut key = [0; 16];
    /// hkdf.expand(b"file 2", &mut key)?;
    /// assert_eq!(keys[16..], key);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn expand_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        infos: &M,
        keys: &mut O,
    ) -> Result<(), Error> {
        let len = H::ALGORITHM.output_len();
        let mut slots = keys.slots(infos.count(), OutputLen { len, any: true })?;
        if slots.output_len() > len {
            let (given, most) = (slots.output_len() as u64, len as u64);
            return Err(Error::HkdfOutputLength { given, most });
        }
        self.expand_each(&infos, &mut slots);
        Ok(())
    }

    /// Computes T(1) = HMAC(PRK, info | 1) for each info.
    ///
    /// Each short info is copied together with the byte 1, so that it is one message and these
    /// messages fill the lanes. A long info gains little from lanes, and is absorbed where it lies.
    fn expand_each(&self, infos: &dyn Messages, keys: &mut Slots<'_>) {
        const BATCH: usize = 64;
        let Keyed { inner, outer } = &self.hmac.keyed;
        for start in (0..infos.count()).step_by(BATCH) {
            let mut copies = [[0; ROOM]; BATCH];
            let (mut indexes, mut lens, mut short) = ([0; BATCH], [0; BATCH], 0);
            for index in start..infos.count().min(start + BATCH) {
                let info = infos.message(index);
                if info.len() < ROOM {
                    copies[short][..info.len()].copy_from_slice(info);
                    copies[short][info.len()] = 1;
                    (indexes[short], lens[short]) = (index, info.len() + 1);
                    short += 1;
                } else {
                    run_wiped(2 * inner.stack(), || {
                        keys.write(index, |key| self.expand_long(&[], info, 1, key));
                    });
                }
            }
            let messages = indexed(short, |i| &copies[i][..lens[i]]);
            finish_many([inner, outer], &messages, &mut keys.select(&indexes[..short]));
        }
    }
}
