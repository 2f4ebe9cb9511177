//! HMAC (FIPS 198-1, RFC 2104) over every hash function of fixed output length whose digest fits
//! into its block.

use crate::buffer::copy_short;
use crate::digest::constant_time_eq;
use crate::error::Error;
use crate::function::{Bytes, Function};
use crate::hasher::{
    Hasher, MANY, MANY_TREES, Stream, bytes_in, finish_checked, in_turn, update_checked,
};
use crate::held::Hold;
use crate::lanes::Streams;
use crate::messages::{Messages, OutputLen, Outputs, Part, Rows, Slots};
use crate::simd::registers;
use crate::stream::{LITTLE, MAX_DIGEST, Progress, must};
use crate::wipe::{clear, run_wiped, wipe, wipe_bytes};
use core::borrow::BorrowMut;
use core::marker::PhantomData;

/// The byte `ipad` of the inner pad (FIPS 198-1 §2.3).
pub(crate) const IPAD: u8 = 0x36;
/// The byte `opad` of the outer pad (FIPS 198-1 §2.3).
pub(crate) const OPAD: u8 = 0x5C;

/// Bytes of the longest block of a function of fixed output length: SHA3-224's rate.
const MAX_BLOCK: usize = 144;

/// Messages of a batch whose inner digests are computed before their outer digests. With 256
/// instead of 64, messages of 64 bytes are hashed at 1.20 instead of 1.15 GB/s.
const BATCH: usize = 256;
/// The largest number of messages whose inner digests are kept in a small buffer (1 KiB), because
/// the stack that a call uses must be cleared.
const FEW: usize = 16;

/// Stack bytes, besides `stack()`, to clear after a key that is longer than the block and is hashed
/// first. With SHA-512 such a key uses 1,168 bytes more than a short key. Without link-time
/// optimisation this exceeds `stack()`.
pub(crate) const LONG_KEY: usize = 1024;

/// The two streams of HMAC, each of which has absorbed the key's block. Only `new` clears the stack
/// that it used. The callers of the other methods must clear it.
pub(crate) struct Keyed<S: Stream + Hold> {
    pub inner: S,
    pub outer: S,
}

impl<S: Stream + Hold> Keyed<S> {
    /// Has two copies of `stream`, which must have absorbed nothing, absorb the padded key.
    #[inline(never)]
    pub fn new(stream: &S, block_len: usize, key: &[u8]) -> Self {
        if S::leaves_state() {
            return run_wiped_key(stream, block_len, key, 0, || {
                Self::of_states(stream, block_len, key)
            });
        }
        let mut keyed = Keyed { inner: *stream, outer: *stream };
        absorb_key([&mut keyed.inner, &mut keyed.outer], block_len, key);
        // Returns a clone and drops the original, which wipes it. Returning the original would move
        // it and leave its bytes in this frame.
        keyed.clone()
    }

    /// Does the same as `new`, but leaves clearing the stack to the caller.
    pub fn new_unwiped(stream: &S, block_len: usize, key: &[u8]) -> Self {
        if S::leaves_state() {
            return Self::of_states(stream, block_len, key);
        }
        let mut keyed = Keyed { inner: *stream, outer: *stream };
        absorb_blocks([&mut keyed.inner, &mut keyed.outer], block_len, key);
        keyed
    }

    /// Does the same as `new_unwiped`, for streams that are nothing but a state after a whole block.
    #[inline(always)]
    fn of_states(stream: &S, block_len: usize, key: &[u8]) -> Self {
        // A block of 64 bytes (SHA-256) has its own instance, because initialising the pads of the
        // longest block takes a call.
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

    /// Has the inner stream absorb the next part of the message.
    pub fn update(&mut self, data: &[u8]) {
        must(self.inner.try_update(data));
    }

    /// Writes the tag of the bytes absorbed so far followed by `message`.
    #[inline(never)]
    pub fn tag(&self, message: &[u8], tag: &mut [u8]) {
        self.inner.finish_hmac(&self.outer, message, tag);
    }
}

/// Calls `f`, which absorbs `key`, and clears the stack that it used: as many bytes as absorbing
/// the key takes, and `more`.
///
/// Each depth has its own call of [`run_wiped`], because the compiler then writes the result of `f`
/// directly to its destination instead of moving it there.
#[inline(always)]
pub(crate) fn run_wiped_key<S: Progress, R>(
    stream: &S,
    block_len: usize,
    key: &[u8],
    more: usize,
    f: impl FnOnce() -> R,
) -> R {
    if key.len() > block_len {
        return run_wiped(stream.stack() + LONG_KEY + more, f);
    } else if stream.takes_little(&[]) {
        return run_wiped(LITTLE + more, f);
    }
    run_wiped(stream.stack() + more, f)
}

/// Has the inner and the outer stream absorb the key's block, each with its pad, and clears the
/// stack. A key longer than the block is hashed first (FIPS 198-1 §4).
pub(crate) fn absorb_key<S: Stream + ?Sized>(streams: [&mut S; 2], block_len: usize, key: &[u8]) {
    run_wiped(streams[0].stack(), || absorb_blocks(streams, block_len, key));
}

fn absorb_blocks<S: Stream + ?Sized>(streams: [&mut S; 2], block_len: usize, key: &[u8]) {
    match block_len {
        64 => absorb_pads::<S, 64>(streams, 64, key),
        _ => absorb_pads::<S, MAX_BLOCK>(streams, block_len, key),
    }
}

#[inline(always)]
fn absorb_pads<S: Stream + ?Sized, const MAX: usize>(
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

/// Writes the key's block, combined with `ipad` and with `opad`, to the two arrays, which must be
/// zero. A key longer than the block is first hashed with `stream`, which must have absorbed
/// nothing (FIPS 198-1 §4).
#[inline(always)]
fn pad<S: Stream + ?Sized, const MAX: usize>(
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
fn digest_of<S: Stream + ?Sized>(stream: &S, key: &[u8], digest: &mut [u8]) {
    stream.finish_unwiped(key, digest);
}

/// Has the inner stream absorb the next part of the message, and clears the stack.
pub(crate) fn update<S: Stream + ?Sized>(inner: &mut S, data: &[u8]) -> Result<(), Error> {
    match inner.only_copies(data.len()) {
        true => inner.try_update(data),
        false => run_wiped(inner.stack(), || inner.try_update(data)),
    }
}

/// Writes the tag of the bytes that the inner stream absorbed followed by `message`, and clears the
/// stack.
pub(crate) fn finish([inner, outer]: [&dyn Stream; 2], message: &[u8], tag: &mut [u8]) {
    let depth = if inner.takes_little(message) { LITTLE } else { inner.stack() };
    run_wiped(depth, || inner.finish_outer(outer, message, tag));
}

/// Writes a tag for each message: that of the bytes that the inner stream absorbed followed by the
/// message. Clears the stack.
pub(crate) fn finish_many(
    streams: [&dyn Stream; 2],
    messages: &dyn Messages,
    tags: &mut Slots<'_>,
) {
    clear(finish_unwiped(streams, messages, tags));
}

/// Does the same as `finish_many`, but returns the number of stack bytes to clear.
#[inline(never)]
fn finish_unwiped(
    streams: [&dyn Stream; 2],
    messages: &dyn Messages,
    tags: &mut Slots<'_>,
) -> usize {
    let [inner, outer] = streams;
    let nested = inner.finish_nested(outer, messages, tags);
    match messages.count() - nested {
        0 => {}
        1..=FEW => finish_digests::<{ FEW * MAX_DIGEST }>(streams, messages, tags, nested),
        _ => {
            finish_digests::<{ BATCH * MAX_DIGEST }>(streams, messages, tags, nested);
            return 2 * MANY;
        }
    }
    if inner.stack() > MANY / 8 { MANY_TREES } else { MANY }
}

/// Writes the tags of the messages from index `first` on. Computes as many inner digests as fit in
/// `ROOM` bytes, then their outer digests, and repeats this until the end of the batch.
#[inline(never)]
fn finish_digests<const ROOM: usize>(
    [inner, outer]: [&dyn Stream; 2],
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

impl<S: Stream + Hold> Clone for Keyed<S> {
    // Not inlined, because the compiler might then make another copy of the streams and leave it on
    // the stack.
    #[inline(never)]
    fn clone(&self) -> Self {
        // The registers are cleared by a drop, after the copy was written to the caller's place. If
        // a statement cleared them, the compiler would build the copy in this frame, move it, and
        // leave its bytes.
        let _clears = ClearsRegisters;
        Keyed { inner: self.inner, outer: self.outer }
    }
}

/// Clears the vector registers when it is dropped.
struct ClearsRegisters;

impl Drop for ClearsRegisters {
    fn drop(&mut self) {
        registers::clear();
    }
}

impl<S: Stream + Hold> Drop for Keyed<S> {
    fn drop(&mut self) {
        wipe(&mut self.inner);
        wipe(&mut self.outer);
    }
}

type StreamOf<H> = <<H as Hasher>::Function as Function>::Stream;

/// HMAC (FIPS 198-1, RFC 2104) with the hash function `H`. A tag is as long as a digest of `H`.
///
/// [`new`](Self::new) absorbs the key. To authenticate many messages under one key, keep the `Hmac`
/// and call [`hash`](Self::hash) for each message: this does not change it, and the key is not
/// absorbed again.
///
/// FIPS 198-1 does not define HMAC for a function whose digest is longer than its block, as
/// Ascon-Hash256's is. `Hmac` of such a function does not compile.
///
/// The block of BLAKE2bp and BLAKE2sp, to which the key is padded, is taken to be that of their
/// compression functions: 128 and 64 bytes. No standard defines HMAC over these two functions.
///
/// The two states, which come from the key, are overwritten when the `Hmac` is dropped.
///
/// ```
/// use hashmill::{Hmac, Sha256};
///
/// let key = Hmac::<Sha256>::new(b"key");
/// let tag = key.hash(b"message");
/// assert_eq!(key.clone().update(b"mess").update(b"age").finalize(), tag);
/// assert!(key.clone().update(b"message").verify(&tag[..]).is_ok());
/// assert!(key.clone().update(b"massage").verify(&tag[..]).is_err());
/// ```
pub struct Hmac<H: Hasher> {
    pub(crate) keyed: Keyed<StreamOf<H>>,
}

impl<H: Hasher> Clone for Hmac<H> {
    // Not inlined, because the compiler might then make another copy of the streams and leave it on
    // the stack.
    #[inline(never)]
    fn clone(&self) -> Self {
        Hmac { keyed: self.keyed.clone() }
    }
}

impl<H: Hasher> core::fmt::Debug for Hmac<H> {
    /// Prints the name of the hash function, and nothing of the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hmac").field("hash", &H::ALGORITHM).finish_non_exhaustive()
    }
}

impl<H: Hasher> Hmac<H> {
    /// Bytes of the block to which the key is padded.
    pub(crate) const BLOCK: usize = {
        assert!(
            H::Function::FACTS.has_hmac(),
            "HMAC is not defined for this function: see Algorithm::has_hmac"
        );
        H::Function::FACTS.block_len
    };

    /// Creates an HMAC with a key of any length that has absorbed nothing of a message.
    ///
    /// A key longer than the block of the hash function is hashed first (FIPS 198-1 §4).
    #[inline(never)]
    pub fn new(key: &[u8]) -> Self {
        Hmac { keyed: Keyed::new(H::Function::STREAM, Self::BLOCK, key) }
    }

    /// Does the same as [`new`](Self::new), but leaves clearing the stack to the caller.
    pub(crate) fn new_unwiped(key: &[u8]) -> Self {
        Hmac { keyed: Keyed::new_unwiped(H::Function::STREAM, Self::BLOCK, key) }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If the message would become longer than the standard of the hash function allows: see
    /// [`Hash::try_update`](crate::Hash::try_update).
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(update(&mut self.keyed.inner, data.as_ref()));
        self
    }

    /// Absorbs the next part of the message, or returns an error where [`update`](Self::update)
    /// panics.
    ///
    /// # Errors
    /// See [`Hash::try_update`](crate::Hash::try_update).
    #[inline]
    pub fn try_update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        update(&mut self.keyed.inner, data.as_ref())?;
        Ok(self)
    }

    /// Updates many `Hmac`s at once, each with the next part of its own message, side by side in
    /// SIMD lanes. See [`Hash::update_many`](crate::Hash::update_many), which has an example.
    ///
    /// `hmacs` are `Hmac`s or `&mut` references to `Hmac`s.
    ///
    /// # Errors
    /// The errors of [`Hash::update_many`](crate::Hash::update_many), under the same conditions.
    pub fn update_many<M: Messages + ?Sized>(
        hmacs: &mut [impl BorrowMut<Self>],
        pieces: &M,
    ) -> Result<(), Error> {
        let count = hmacs.len();
        run_wiped(MANY, || update_checked(&mut Inner::<_, H>(hmacs, PhantomData), count, pieces))
    }

    /// Returns the tag of the bytes absorbed so far. The `Hmac` is unchanged and may absorb more.
    pub fn finalize(&self) -> H::Digest {
        self.hash([])
    }

    /// Returns the tag of the bytes absorbed so far followed by `message`.
    ///
    /// The `Hmac` is unchanged. The result is the same as that of `update(message)` and
    /// [`finalize`](Self::finalize) on a clone, with less copying.
    ///
    /// # Panics
    /// If the message would become longer than the standard of the hash function allows: see
    /// [`Hash::try_update`](crate::Hash::try_update).
    #[inline]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> H::Digest {
        let message = message.as_ref();
        let mut tag = H::Digest::blank(self.keyed.outer.output_len());
        self.keyed.tag(message, tag.bytes_mut());
        let inner = &self.keyed.inner;
        match inner.takes_little(message) {
            true => clear(LITTLE),
            false => clear(inner.stack()),
        }
        tag
    }

    /// Checks that `tag` is the tag of the bytes absorbed so far. The time that the comparison
    /// takes does not depend on where the two tags differ.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if `tag` is another tag or does not have the full length.
    pub fn verify(&self, tag: impl AsRef<[u8]>) -> Result<(), Error> {
        match constant_time_eq(self.finalize().as_ref(), tag.as_ref()) {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }

    /// Computes the tags of many messages at once, side by side in SIMD lanes.
    ///
    /// Writes to place `i` of `tags` the tag of the bytes absorbed so far followed by message `i`.
    /// The `Hmac` is unchanged. [`Messages`] lists the types that can hold the messages,
    /// [`Outputs`] those that can hold the tags.
    ///
    /// # Errors
    /// The errors of [`Hash::hash_many`](crate::Hash::hash_many), under the same conditions.
    ///
    /// ```
    /// use hashmill::{Digest, Hmac, Sha256};
    ///
    /// let key = Hmac::<Sha256>::new(b"secret");
    /// let mut tags = [Digest::default(); 2];
    /// key.hash_many(&["row 1", "row 2"], &mut tags)?;
    /// assert_eq!(tags[1], key.hash(b"row 2"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        tags: &mut O,
    ) -> Result<(), Error> {
        let len = OutputLen { len: self.keyed.outer.output_len(), any: false };
        let Keyed { inner, outer } = &self.keyed;
        let one = |message: &[u8], tag: &mut [u8]| self.keyed.tag(message, tag);
        let one = in_turn(inner, &messages).then_some(one);
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
            finish_many([inner, outer], part, slots);
        };
        let in_turn = one.is_some();
        finish_checked(&messages, tags, (inner.room(), len), one, &finish)?;
        if in_turn {
            clear(inner.stack());
        }
        Ok(())
    }
}

/// The inner streams of a slice of `Hmac`s, or of references to `Hmac`s.
struct Inner<'a, B, H>(&'a mut [B], PhantomData<H>);

impl<H: Hasher, B: BorrowMut<Hmac<H>>> Streams<StreamOf<H>> for Inner<'_, B, H> {
    fn stream(&mut self, index: usize) -> &mut StreamOf<H> {
        &mut self.0[index].borrow_mut().keyed.inner
    }
}

bytes_in!([H: Hasher] Hmac<H>, read [0; crate::hasher::READ_LEN]);
