//! HMAC (FIPS 198-1, RFC 2104) over every hash function of fixed output length.

use crate::buffer::copy_short;
use crate::digest::constant_time_eq;
use crate::error::Error;
use crate::function::{Bytes, Function};
use crate::hasher::{
    Absorb, Hasher, MANY, MANY_TREES, Stream, bytes_in, finish_checked, in_turn, update_checked,
};
use crate::lanes::Streams;
use crate::messages::{Messages, OutputLen, Outputs, Part, Rows, Slots};
use crate::stream::{Hashing, LITTLE, MAX_DIGEST, must};
use crate::wipe::{below, clear, wipe, wipe_bytes};
use core::borrow::BorrowMut;
use core::marker::PhantomData;

/// FIPS 198-1 §2.3.
pub(crate) const IPAD: u8 = 0x36;
/// FIPS 198-1 §2.3.
pub(crate) const OPAD: u8 = 0x5C;

/// SHA3-224's rate, the longest block of a function of fixed output length.
const MAX_BLOCK: usize = 144;

/// How many inner digests of many messages pass through at once; 64 → 256: 1.15 → 1.20 GB/s, 64
/// bytes each.
const BATCH: usize = 256;
/// So few that their digests take little of the stack, which is to be cleared.
const FEW: usize = 16;

/// Bytes of the stack for a key that is hashed first: with SHA-512 it uses 1,168 bytes more than a
/// short one, and more than `stack()` without link-time optimisation.
const LONG_KEY: usize = 1024;

/// The two hashes of HMAC, each with the key's block absorbed. All its methods but `new` leave the
/// stack as it is: their callers clear it.
pub(crate) struct Keyed<S: Stream> {
    pub inner: S,
    pub outer: S,
}

impl<S: Stream> Keyed<S> {
    /// `stream` has absorbed nothing.
    #[inline(never)]
    pub fn new(stream: &S, block_len: usize, key: &[u8]) -> Self {
        if S::LEAVES_STATE {
            return below_key(stream, block_len, key, 0, || {
                Self::of_states(stream, block_len, key)
            });
        }
        let mut keyed = Keyed { inner: *stream, outer: *stream };
        absorb_key([&mut keyed.inner, &mut keyed.outer], block_len, key);
        // A clone is returned and the original dropped, which wipes it: returned itself it would be
        // moved, and so be left in this frame.
        keyed.clone()
    }

    /// As `new`, but the caller clears the stack.
    pub fn new_within(stream: &S, block_len: usize, key: &[u8]) -> Self {
        if S::LEAVES_STATE {
            return Self::of_states(stream, block_len, key);
        }
        let mut keyed = Keyed { inner: *stream, outer: *stream };
        absorb_blocks([&mut keyed.inner, &mut keyed.outer], block_len, key);
        keyed
    }

    #[inline(always)]
    fn of_states(stream: &S, block_len: usize, key: &[u8]) -> Self {
        // The shortest block, SHA-256's, has its own text: to clear the longest takes a call.
        match block_len {
            64 => Self::of_pads::<64>(stream, 64, key),
            _ => Self::of_pads::<MAX_BLOCK>(stream, block_len, key),
        }
    }

    #[inline(never)]
    fn of_pads<const MAX: usize>(stream: &S, block_len: usize, key: &[u8]) -> Self {
        let mut pads = [[0; MAX]; 2];
        pad(&mut pads, stream, block_len, key);
        let [inner, outer] = stream.after([&pads[0][..block_len], &pads[1][..block_len]]);
        Keyed { inner, outer }
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, data: &[u8]) {
        must(self.inner.try_update(data));
    }

    /// Writes the tag of what was absorbed and `message`.
    #[inline(never)]
    pub fn finish(&self, message: &[u8], tag: &mut [u8]) {
        self.inner.finish_hmac(&self.outer, message, tag);
    }
}

/// [`below`], for what absorbs a key and uses so many bytes `more`. Each depth has its own text:
/// what `f` gives is then written where the caller wants it, and not moved there.
#[inline(always)]
pub(crate) fn below_key<S: Hashing, R>(
    stream: &S,
    block_len: usize,
    key: &[u8],
    more: usize,
    f: impl FnOnce() -> R,
) -> R {
    if key.len() > block_len {
        return below(stream.stack() + LONG_KEY + more, f);
    } else if stream.takes_little(&[]) {
        return below(LITTLE + more, f);
    }
    below(stream.stack() + more, f)
}

/// Has both hashes absorb the key's block. A key longer than the block is hashed first (FIPS 198-1
/// §4).
pub(crate) fn absorb_key<S: Absorb + ?Sized>(streams: [&mut S; 2], block_len: usize, key: &[u8]) {
    below(streams[0].stack(), || absorb_blocks(streams, block_len, key));
}

fn absorb_blocks<S: Absorb + ?Sized>(streams: [&mut S; 2], block_len: usize, key: &[u8]) {
    match block_len {
        64 => absorb_pads::<S, 64>(streams, 64, key),
        _ => absorb_pads::<S, MAX_BLOCK>(streams, block_len, key),
    }
}

#[inline(always)]
fn absorb_pads<S: Absorb + ?Sized, const MAX: usize>(
    [inner, outer]: [&mut S; 2],
    block_len: usize,
    key: &[u8],
) {
    let mut pads = [[0; MAX]; 2];
    pad(&mut pads, inner, block_len, key);
    for (stream, pad) in [inner, outer].into_iter().zip(&pads) {
        must(stream.try_update(&pad[..block_len]));
    }
}

/// The key's block with each of the two pads. A key longer than the block is hashed first (FIPS
/// 198-1 §4), by `stream`, which has absorbed nothing.
#[inline(always)]
fn pad<S: Absorb + ?Sized, const MAX: usize>(
    [inner, outer]: &mut [[u8; MAX]; 2],
    stream: &S,
    block_len: usize,
    key: &[u8],
) {
    match inner[..block_len].get_mut(..key.len()) {
        Some(start) => copy_short(start, key),
        None => digest_of(stream, key, &mut inner[..stream.output_len()]),
    }
    for i in 0..MAX {
        outer[i] = inner[i] ^ OPAD;
        inner[i] ^= IPAD;
    }
}

#[inline(never)]
fn digest_of<S: Absorb + ?Sized>(stream: &S, key: &[u8], digest: &mut [u8]) {
    stream.finish_within(key, digest);
}

/// Absorbs the next part of the message.
pub(crate) fn update<S: Absorb + ?Sized>(inner: &mut S, data: &[u8]) {
    below(inner.stack(), || must(inner.try_update(data)));
}

/// Writes the tag of what the inner hash absorbed and `message`.
pub(crate) fn finish([inner, outer]: [&dyn Absorb; 2], message: &[u8], tag: &mut [u8]) {
    let depth = if inner.takes_little(message) { LITTLE } else { inner.stack() };
    below(depth, || inner.finish_outer(outer, message, tag));
}

/// Writes the tags of what the inner hash absorbed and each message.
pub(crate) fn finish_many(
    streams: [&dyn Absorb; 2],
    messages: &dyn Messages,
    tags: &mut Slots<'_>,
) {
    let [inner, outer] = streams;
    let depth = if inner.stack() > MANY / 4 { MANY_TREES } else { MANY };
    below(depth, || {
        let nested = inner.finish_nested(outer, messages, tags);
        match messages.count() - nested {
            0 => {}
            1..=FEW => finish_apart::<{ FEW * MAX_DIGEST }>(streams, messages, tags, nested),
            _ => below(2 * MANY, || {
                finish_apart::<{ BATCH * MAX_DIGEST }>(streams, messages, tags, nested);
            }),
        }
    });
}

/// The same from the message `first` on: inner digests, as many as `ROOM` bytes hold, then the
/// outer ones.
#[inline(never)]
fn finish_apart<const ROOM: usize>(
    [inner, outer]: [&dyn Absorb; 2],
    messages: &dyn Messages,
    tags: &mut Slots<'_>,
    first: usize,
) {
    let (width, batch) = (inner.output_len(), ROOM / MAX_DIGEST);
    let mut digests = [0; ROOM];
    for start in (first..messages.count()).step_by(batch) {
        let count = batch.min(messages.count() - start);
        let digests = &mut digests[..count * width];
        let messages = Part { all: messages, start, count };
        inner.finish_many(&messages, &mut Slots::packed(digests, width));
        outer.finish_many(&must(Rows::new(digests, width)), &mut tags.part(start));
        wipe_bytes(digests);
    }
}

impl<S: Stream> Clone for Keyed<S> {
    /// Straight to its place: inlined, the compiler may make another copy on the way.
    #[inline(never)]
    fn clone(&self) -> Self {
        Keyed { inner: self.inner, outer: self.outer }
    }
}

impl<S: Stream> Drop for Keyed<S> {
    fn drop(&mut self) {
        wipe(&mut self.inner);
        wipe(&mut self.outer);
    }
}

type StreamOf<H> = <<H as Hasher>::Function as Function>::Stream;

/// HMAC with the hash function `H`.
///
/// The key is absorbed when it is made: keep a prepared one, and [`finish`](Self::finish) each
/// message with it.
///
/// ```
/// use hashmill::{Hmac, Sha256};
///
/// let key = Hmac::<Sha256>::new(b"key");
/// let tag = key.finish(b"message");
/// assert_eq!(key.clone().update(b"mess").update(b"age").finalize(), tag);
/// assert!(key.clone().update(b"message").verify(&tag[..]).is_ok());
/// assert!(key.clone().update(b"massage").verify(&tag[..]).is_err());
/// ```
pub struct Hmac<H: Hasher> {
    pub(crate) keyed: Keyed<StreamOf<H>>,
}

impl<H: Hasher> Clone for Hmac<H> {
    /// Not inlined, so that no copy is made on the way.
    #[inline(never)]
    fn clone(&self) -> Self {
        Hmac { keyed: self.keyed.clone() }
    }
}

impl<H: Hasher> core::fmt::Debug for Hmac<H> {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hmac").field("hash", &H::ALGORITHM).finish_non_exhaustive()
    }
}

impl<H: Hasher> Hmac<H> {
    /// HMAC with a key of any length; one longer than the hash's block is hashed first (FIPS 198-1
    /// §4).
    #[inline(never)]
    pub fn new(key: &[u8]) -> Self {
        Hmac { keyed: Keyed::new(H::Function::STREAM, H::ALGORITHM.block_len(), key) }
    }

    /// As [`new`](Self::new), but the caller clears the stack.
    pub(crate) fn new_within(key: &[u8]) -> Self {
        Hmac { keyed: Keyed::new_within(H::Function::STREAM, H::ALGORITHM.block_len(), key) }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// As [`Hash::update`](crate::Hash::update).
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        update(&mut self.keyed.inner, data);
        self
    }

    /// Gives every `Hmac`, or reference to one, the next part of its own message: see
    /// [`Hash::update_many`](crate::Hash::update_many).
    ///
    /// # Errors
    /// As [`Hash::update_many`](crate::Hash::update_many).
    pub fn update_many<M: Messages + ?Sized>(
        hmacs: &mut [impl BorrowMut<Self>],
        pieces: &M,
    ) -> Result<(), Error> {
        let count = hmacs.len();
        below(MANY, || update_checked(&mut Inner::<_, H>(hmacs, PhantomData), count, pieces))
    }

    /// The tag of all that was absorbed. The `Hmac` is unchanged, and may absorb more.
    pub fn finalize(&self) -> H::Digest {
        self.finish(&[])
    }

    /// What [`finalize`](Self::finalize) would give after `update(message)`; no state is copied.
    ///
    /// # Panics
    /// As [`Hash::update`](crate::Hash::update).
    pub fn finish(&self, message: &[u8]) -> H::Digest {
        let mut tag = H::Digest::blank(self.keyed.outer.output_len());
        self.keyed.finish(message, tag.bytes_mut());
        let inner = &self.keyed.inner;
        match inner.takes_little(message) {
            true => clear(LITTLE),
            false => clear(inner.stack()),
        }
        tag
    }

    /// Whether `tag` is the tag of all that was absorbed, in a time that does not tell where they
    /// differ.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if it is not, or not of full length.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        match constant_time_eq(self.finalize().as_ref(), tag) {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }

    /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes.
    ///
    /// # Errors
    /// As [`Hash::finish_many`](crate::Hash::finish_many).
    ///
    /// ```
    /// use hashmill::{Digest, Hmac, Sha256};
    ///
    /// let key = Hmac::<Sha256>::new(b"secret");
    /// let mut tags = [Digest::default(); 2];
    /// key.finish_many(&["row 1", "row 2"], &mut tags)?;
    /// assert_eq!(tags[1], key.finish(b"row 2"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        tags: &mut O,
    ) -> Result<(), Error> {
        let len = OutputLen { len: self.keyed.outer.output_len(), any: false };
        let Keyed { inner, outer } = &self.keyed;
        let one = |message: &[u8], tag: &mut [u8]| self.keyed.finish(message, tag);
        let one = in_turn(inner, messages).then_some(one);
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
            finish_many([inner, outer], part, slots);
        };
        let in_turn = one.is_some();
        finish_checked(messages, tags, (inner.room(), len), one, &finish)?;
        if in_turn {
            clear(inner.stack());
        }
        Ok(())
    }
}

/// Their inner hashes.
struct Inner<'a, B, H>(&'a mut [B], PhantomData<H>);

impl<H: Hasher, B: BorrowMut<Hmac<H>>> Streams<StreamOf<H>> for Inner<'_, B, H> {
    fn stream(&mut self, index: usize) -> &mut StreamOf<H> {
        &mut self.0[index].borrow_mut().keyed.inner
    }
}

bytes_in!([H: Hasher] Hmac<H>, read crate::hasher::READ_LEN);
