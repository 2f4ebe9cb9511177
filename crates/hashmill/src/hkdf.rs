//! HKDF (RFC 5869) over every hash function of fixed output length.

#![forbid(unsafe_code)]

use crate::arguments::Salt;
use crate::buffer::copy_short;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use crate::function::Function;
use crate::hasher::{Hasher, Stream};
use crate::hmac::{Hmac, Keyed, below_key, finish_many};
use crate::messages::{Messages, OutputLen, Outputs, Slots, indexed};
use crate::stream::{Hashing, LITTLE, MAX_DIGEST};
use crate::wipe::below;
use core::mem::forget;

/// Of the stack, for a part of a key and the message that gives it.
const T_ROOM: usize = 512;
/// The same for a short info, which needs no copy of a state.
const SHORT_ROOM: usize = 384;
/// An info shorter than this is copied, so that it makes one message with what is before and after
/// it.
const ROOM: usize = 128;

/// HKDF with the hash function `H`: it derives keys from a secret that is not uniformly random.
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
    /// Under the pseudorandom key.
    hmac: Hmac<H>,
}

impl<H: Hasher> Hkdf<H> {
    /// HKDF-Extract, ready to expand. The salt may be empty.
    #[inline(never)]
    pub fn new(salt: Salt<&[u8]>, key_material: &[u8]) -> Self {
        let (stream, block_len) = (H::Function::STREAM, H::ALGORITHM.block_len());
        let extract = || {
            let mut prk = H::Digest::blank(H::ALGORITHM.output_len());
            let extract = Keyed::new_within(stream, block_len, salt.0);
            extract.finish(key_material, prk.bytes_mut());
            // It and `prk` are wiped with the stack.
            forget(extract);
            Hkdf { hmac: Hmac::new_within(prk.as_ref()) }
        };
        if <H::Function as Function>::Stream::LEAVES_STATE {
            return below_key(stream, block_len, salt.0, size_of::<Self>() + 128, extract);
        }
        // As `Keyed::new`.
        below(stream.stack() + 6 * size_of::<Self>(), extract).clone()
    }

    /// HKDF-Extract (RFC 5869 §2.2): the pseudorandom key PRK, which is secret.
    ///
    /// It is what [`Hmac`] gives the key material under the salt: material that comes in parts may
    /// be put into one of those instead.
    pub fn extract(salt: Salt<&[u8]>, key_material: &[u8]) -> H::Digest {
        Hmac::<H>::new(salt.0).finish(key_material)
    }

    /// HKDF with a pseudorandom key: one that [`extract`](Self::extract) gave, or that came from
    /// elsewhere.
    ///
    /// # Errors
    /// [`Error::HkdfKeyLength`] if it is shorter than a digest (RFC 5869 §2.3).
    pub fn from_prk(prk: &[u8]) -> Result<Self, Error> {
        let least = H::ALGORITHM.output_len();
        if prk.len() < least {
            return Err(Error::HkdfKeyLength { given: prk.len() as u64, least: least as u64 });
        }
        Ok(Hkdf { hmac: Hmac::new(prk) })
    }

    /// HKDF-Expand (RFC 5869 §2.3): a key as long as `out`, for the purpose that `info` names. It
    /// begins with the shorter keys for the same purpose.
    ///
    /// # Errors
    /// [`Error::HkdfOutputLength`] if `out` is longer than 255 digests. Nothing is written then.
    pub fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let len = H::ALGORITHM.output_len();
        if out.len() > 255 * len {
            let (given, most) = (out.len() as u64, 255 * len as u64);
            return Err(Error::HkdfOutputLength { given, most });
        }
        let inner = &self.hmac.keyed.inner;
        // A longer info is absorbed by itself.
        let little = info.len() < ROOM && inner.takes_little(&[]);
        let depth = if little { LITTLE + SHORT_ROOM } else { inner.stack() + T_ROOM };
        below(depth, || self.expand_short(info, out));
        Ok(())
    }

    /// At most 255 digests. The caller clears the stack, where the parts are.
    fn expand_short(&self, info: &[u8], out: &mut [u8]) {
        let len = H::ALGORITHM.output_len();
        // T(0) is empty, T(i) = HMAC(PRK, T(i - 1) | info | i), in one piece if it is short.
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
                self.hmac.keyed.finish(&message[..=end], t);
            };
            // A key is most often one digest: it is written where it is to be.
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

    /// One part, of an info that is not copied. By itself, because a copy of the state takes room
    /// on the stack.
    #[inline(never)]
    fn expand_long(&self, before: &[u8], info: &[u8], i: u8, t: &mut [u8]) {
        let mut keyed = self.hmac.keyed.clone();
        keyed.update(before);
        keyed.update(info);
        keyed.finish(&[i], t);
    }

    /// [`expand`](Self::expand) for every `info`, side by side in SIMD lanes: as many bytes for
    /// each as its place in `keys` has, up to a digest.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if there are not as many places as infos;
    /// [`Error::HkdfOutputLength`] if a place is longer than a digest. Nothing is written then.
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

    /// T(1) = HMAC(PRK, info | 1). Short infos are copied, each with the byte after it, so that
    /// they are one message each and fill the lanes; a long one gains little from them and is
    /// absorbed where it lies.
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
                    below(2 * inner.stack(), || {
                        keys.write(index, |key| self.expand_long(&[], info, 1, key));
                    });
                }
            }
            let messages = indexed(short, |i| &copies[i][..lens[i]]);
            finish_many([inner, outer], &messages, &mut keys.select(&indexes[..short]));
        }
    }
}
