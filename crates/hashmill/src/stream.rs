//! Streams: what a family's hashing state must offer so that one message, or many in lanes, can be
//! hashed with it; and the text for one message.
//!
//! A *stream* is a state, the bytes that wait for their block to become complete, and a count. It
//! knows nothing of SIMD: it says which blocks are to be absorbed, and a backend absorbs them.

use crate::backend::{self, Family, Input, Runnable};
use crate::buffer::{Blocks, Buffer, copy_short};
use crate::error::Error;
use crate::state::{Exported, Import};
use crate::wipe::{Wiped, overwrite, wipe};
use core::any::Any;

/// A hash in progress, whichever its algorithm is. Its type can be found out ([`Any`]), so that
/// streams behind `dyn` can be hashed side by side.
pub(crate) trait Hashing: Any + Send + Sync {
    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`], and nothing is absorbed.
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Writes the output for a message that ends with `bits` further bits, 0 to 7, from the last
    /// byte.
    ///
    /// # Errors
    /// [`Error::TooManyBits`], or [`Error::NoBits`] where the standard defines whole bytes only.
    fn finish_bits(&self, _last_byte: u8, _bits: u32, _out: &mut [u8]) -> Result<(), Error> {
        Err(Error::NoBits)
    }
    /// Bytes of the output; of an extendable-output function, of the one that is usual.
    fn output_len(&self) -> usize;
    /// How many more bytes the standard allows.
    fn room(&self) -> u128;
    /// How many bytes were absorbed, if they are counted.
    fn count(&self) -> Option<u128>;
    /// How many bytes of the stack it takes to hash one message.
    fn stack(&self) -> usize {
        4096
    }
    /// Whether a whole block, or this end of the message, takes no more than [`LITTLE`] bytes of
    /// it, since nothing is copied.
    fn takes_little(&self, _end: &[u8]) -> bool {
        false
    }
    /// Whether a key is in it; HMAC and KMAC know by themselves.
    fn keyed(&self) -> bool {
        false
    }
    fn save(&self, state: &mut Exported);
    /// Replaces a new stream by the saved one.
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error>;
}

/// Bytes of the stack; see [`Hashing::takes_little`].
pub(crate) const LITTLE: usize = 640;

/// SHA-512's digest, one of the longest.
pub(crate) const MAX_DIGEST: usize = 64;

pub(crate) type Word<S> = <<S as Sequential>::Family as Family>::Word;
pub(crate) type State<S> = <<S as Sequential>::Family as Family>::State;

/// A stream over one state: it absorbs whole blocks, and then a padded tail.
pub(crate) trait Sequential: Sync + Sized {
    type Family: Family;

    fn blocks(&self) -> Blocks;
    fn shape(&self) -> <Self::Family as Family>::Shape;
    /// One lane's state.
    fn state(&self) -> State<Self>;
    /// The bytes that were absorbed but are not yet in the state.
    fn waiting(&self) -> &[u8];
    /// Completes a message of which `message_len` bytes came after all that this stream has
    /// absorbed: pads `tail`, whose first `rest` bytes are the message's last and which is zero
    /// after them. `set` gives words of the state the values with which the last block is absorbed.
    /// The result is how many bytes of `tail` are to be absorbed.
    fn last(
        &self,
        message_len: usize,
        tail: &mut [u8],
        rest: usize,
        set: impl FnMut(usize, Word<Self>),
    ) -> usize;
    /// Whether `absorb_last` takes whole blocks before the last bytes, too.
    const LAST_TAKES_BLOCKS: bool = false;
    /// Absorbs the last bytes of a message, of which `message_len` came after all that this stream
    /// has absorbed, and its padding, if the backend has its own way to; else says that it did not.
    fn absorb_last(
        &self,
        _: Runnable<Self::Family>,
        _: &mut [Word<Self>],
        _: &[u8],
        _: usize,
    ) -> bool {
        false
    }
    /// Absorbs the output that a state is, as all that follows the key's block, and puts the state
    /// after it in its place, if the output is the whole state and the backend has its own way to;
    /// else says that it did not.
    fn absorb_digest(&self, _: Runnable<Self::Family>, _: &mut State<Self>) -> bool {
        false
    }
    /// The state that `absorb_digest` takes for an output, if it takes any.
    fn digest_state(&self, _: &[u8]) -> Option<State<Self>> {
        None
    }
    /// What the backend's `absorb_known` takes for a padded end that has no byte of the message.
    fn known(&self, tail: &[u8]) -> <Self::Family as Family>::Known;
    /// Writes the output, given the words of the state after the last block.
    fn output(&self, word: impl Fn(usize) -> Word<Self>, out: &mut [u8]);
}

/// A sequential stream that can absorb more, and be saved.
pub(crate) trait Resumable: Sequential + Hashing + Copy + Wiped {
    /// Whether a block is absorbed as soon as it is complete, and all that it leaves is a state of
    /// a few words.
    const LEAVES_STATE: bool = false;
    /// Takes the words of the state, after `len` more bytes of the message and with no byte
    /// waiting.
    fn resume(&mut self, word: impl Fn(usize) -> Word<Self>, len: usize) -> Result<(), Error>;
}

/// Absorbs `data` into one state, except for what must wait in the buffer. The result is whether a
/// block was absorbed.
#[inline(always)]
pub(crate) fn absorb<F: Family, const N: usize>(
    state: &mut F::State,
    buffer: &mut Buffer<N>,
    layout: (Blocks, F::Shape),
    data: &[u8],
) -> bool {
    let keeps = buffer.keep(layout.0, data);
    if !keeps {
        absorb_blocks::<F, N>(state, buffer, layout, data);
    }
    !keeps
}

#[inline(never)]
fn absorb_blocks<F: Family, const N: usize>(
    state: &mut F::State,
    buffer: &mut Buffer<N>,
    (blocks, shape): (Blocks, F::Shape),
    mut data: &[u8],
) {
    while let Some(run) = buffer.next(blocks, &mut data) {
        let input = Input { lanes: &[run], stride: blocks.len, blocks: run.len() / blocks.len };
        backend::one::<F>().absorb(state.as_mut(), shape, &input);
    }
}

/// What a stream gives after `message`, without a copy but of the bytes around the blocks.
///
/// # Panics
/// If the message becomes longer than the standard allows.
#[inline]
pub(crate) fn finish_one<S: Sequential>(stream: &S, message: &[u8], out: &mut [u8]) {
    let mut state = stream.state();
    finish_state(stream, message, &mut state);
    stream.output(|i| state.as_ref()[i], out);
}

/// As [`finish_one`], but the state, in place of the stream's.
///
/// States and tails are changed in place: passed by value they are copied by a call of memcpy, which took 8 of the
/// 166 ns of SHA-512 of 8 bytes.
#[inline(always)]
fn finish_state<S: Sequential>(stream: &S, message: &[u8], state: &mut State<S>) {
    let (blocks, waiting) = (stream.blocks(), stream.waiting());
    if waiting.is_empty() {
        return finish_from(stream, state, message.len(), message);
    } else if message.is_empty() {
        // What waits is a message like any other: so it is after `update`.
        return finish_from(stream, state, 0, waiting);
    }
    let (mut tail, rest) = (S::Family::TAIL, waiting.len());
    let tail = tail.as_mut();
    copy_short(&mut tail[..rest], waiting);
    if rest + message.len() < blocks.len + blocks.lookahead {
        copy_short(&mut tail[rest..][..message.len()], message);
        return finish_tail(stream, state, message.len(), tail, rest + message.len());
    }
    let (head, left) = message.split_at(blocks.len - rest);
    tail[rest..blocks.len].copy_from_slice(head);
    let input = Input { lanes: &[&*tail], stride: blocks.len, blocks: 1 };
    backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
    finish_from(stream, state, message.len(), left);
}

/// Absorbs the end of a message of `message_len` bytes, of which `left` are not yet in `state`: no copy but
/// of the last block.
#[inline(always)]
pub(crate) fn finish_from<S: Sequential>(
    stream: &S,
    state: &mut State<S>,
    message_len: usize,
    mut left: &[u8],
) {
    let (backend, blocks) = (backend::one::<S::Family>(), stream.blocks());
    if S::LAST_TAKES_BLOCKS && stream.absorb_last(backend, state.as_mut(), left, message_len) {
        return;
    }
    if left.len() >= blocks.len + blocks.lookahead {
        let count = (left.len() - blocks.lookahead) / blocks.len;
        let input = Input { lanes: &[left], stride: blocks.len, blocks: count };
        backend.absorb(state.as_mut(), stream.shape(), &input);
        left = &left[count * blocks.len..];
    }
    if !S::LAST_TAKES_BLOCKS && stream.absorb_last(backend, state.as_mut(), left, message_len) {
        return;
    }
    let mut tail = S::Family::TAIL;
    copy_short(&mut tail.as_mut()[..left.len()], left);
    finish_tail(stream, state, message_len, tail.as_mut(), left.len());
}

/// Absorbs the last `rest` bytes of a message, which `tail` has, with zeros after them.
#[inline(always)]
fn finish_tail<S: Sequential>(
    stream: &S,
    state: &mut State<S>,
    message_len: usize,
    tail: &mut [u8],
    rest: usize,
) {
    let len = stream.last(message_len, tail, rest, |i, word| state.as_mut()[i] = word);
    let stride = stream.blocks().len;
    let input = Input { lanes: &[&*tail], stride, blocks: len / stride };
    backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
}

/// HMAC: what `outer` gives after what `inner` gives after `message`. What needs room for blocks is
/// apart, so that with the SHA instructions little of the stack is used, which is to be cleared.
pub(crate) fn finish_nested<S: Resumable>([inner, outer]: [&S; 2], message: &[u8], out: &mut [u8]) {
    let (backend, mut state) = (backend::one::<S::Family>(), inner.state());
    let waiting = inner.waiting();
    let (len, last) = if message.is_empty() { (0, waiting) } else { (message.len(), message) };
    let whole = S::LAST_TAKES_BLOCKS && (waiting.is_empty() || message.is_empty());
    if !whole || !inner.absorb_last(backend, state.as_mut(), last, len) {
        finish_apart(inner, message, &mut state);
    }
    // The digest is the outer hash's block as it is: it need not become bytes.
    match outer.absorb_digest(backend, &mut state) {
        true => outer.output(|i| state.as_ref()[i], out),
        false => finish_outer([inner, outer], &state, out),
    }
    overwrite(&mut state, Default::default());
}

#[inline(never)]
fn finish_apart<S: Sequential>(stream: &S, message: &[u8], state: &mut State<S>) {
    finish_state(stream, message, state);
}

/// What `outer` gives after the output of `inner`, whose last state is given.
#[inline(never)]
fn finish_outer<S: Resumable>([inner, outer]: [&S; 2], state: &State<S>, out: &mut [u8]) {
    let mut longest = [0; MAX_DIGEST];
    let digest = &mut longest[..inner.output_len()];
    inner.output(|i| state.as_ref()[i], digest);
    finish_one(outer, digest, out);
    wipe(&mut longest);
}

/// Writes words of `N` bytes one after the other, as many bytes as `out` has.
///
/// The usual lengths are told apart, because the compiler makes straight stores where it knows the
/// length: 2 ns less for each of many messages.
#[inline(always)]
pub(crate) fn write_words<const N: usize>(word: impl Fn(usize) -> [u8; N], out: &mut [u8]) {
    match out.len() {
        32 => write_all(word, &mut out[..32]),
        64 => write_all(word, &mut out[..64]),
        _ => write_all(word, out),
    }
}

#[inline(always)]
fn write_all<const N: usize>(word: impl Fn(usize) -> [u8; N], out: &mut [u8]) {
    let (whole, part) = out.as_chunks_mut::<N>();
    for (i, bytes) in whole.iter_mut().enumerate() {
        *bytes = word(i);
    }
    if !part.is_empty() {
        part.copy_from_slice(&word(whole.len())[..part.len()]);
    }
}

/// Counted bytes, if the standard allows as many.
pub(crate) const fn counted(count: u128, len: usize, limit: u128) -> Result<u128, Error> {
    match count.checked_add(len as u128) {
        Some(count) if count <= limit => Ok(count),
        _ => Err(Error::MessageTooLong),
    }
}

/// # Panics
/// With the sentence of the error.
#[track_caller]
#[inline]
pub(crate) fn must<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
