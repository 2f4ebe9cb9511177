//! Streams: the interface of a family's hashing state, and the code that hashes one message.
//!
//! A *stream* is a state, the bytes of an incomplete block, and a count. It does not depend on
//! SIMD: it determines the blocks to absorb, and a backend absorbs them.

use crate::backend::{self, Family, Input, Runnable};
use crate::buffer::{Blocks, Buffer, copy_short};
use crate::error::Error;
use crate::state::{Exported, Import};
use crate::wipe::{overwrite, wipe};
use core::any::Any;

/// A hash in progress, of any algorithm. [`Any`] tells its type at run time, so that streams of one
/// type behind `dyn` can be hashed side by side.
pub(crate) trait Progress: Any + Send + Sync {
    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`]. Nothing is absorbed then.
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Writes the output for a message that ends with `bits` further bits, 0 to 7, from the last
    /// byte.
    ///
    /// # Errors
    /// [`Error::TooManyBits`], or [`Error::NoBits`] where the standard defines whole bytes only.
    fn finish_bits(&self, _last_byte: u8, _bits: u32, _out: &mut [u8]) -> Result<(), Error> {
        Err(Error::NoBits)
    }
    /// Returns the length of the output in bytes; for an extendable-output function, of its usual
    /// output.
    fn output_len(&self) -> usize;
    /// Returns how many more bytes the standard allows. Most functions have no limit.
    fn room(&self) -> u128 {
        u128::MAX
    }
    /// Returns how many bytes were absorbed, if the function counts them.
    fn count(&self) -> Option<u128> {
        None
    }
    /// Returns how many bytes of the stack the hash of one message uses.
    fn stack(&self) -> usize {
        4096
    }
    /// Whether absorbing a whole block, or this end of the message, uses at most [`LITTLE`] bytes
    /// of the stack, because no block is copied.
    fn takes_little(&self, _end: &[u8]) -> bool {
        false
    }
    /// Whether the stream has absorbed a key as a parameter (BLAKE2). HMAC and KMAC do not ask.
    fn keyed(&self) -> bool {
        false
    }
    /// Writes the state to `state`.
    fn save(&self, state: &mut Exported);
    /// Replaces this stream, which must be new, by the saved one.
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error>;
}

/// Bytes of the stack that a hash uses at most if [`Progress::takes_little`] returns true.
pub(crate) const LITTLE: usize = 640;

/// Bytes of the longest digest, for example SHA-512's.
pub(crate) const MAX_DIGEST: usize = 64;

pub(crate) type Word<S> = <<S as Sequential>::Family as Family>::Word;
pub(crate) type State<S> = <<S as Sequential>::Family as Family>::State;

/// A stream over one state: it absorbs whole blocks, and then a padded tail.
pub(crate) trait Sequential: Sync + Sized {
    type Family: Family;

    fn blocks(&self) -> Blocks;
    fn shape(&self) -> <Self::Family as Family>::Shape;
    /// Returns the state, that of one lane.
    fn state(&self) -> State<Self>;
    /// Returns the bytes of the incomplete block: they were passed to `update` and are not yet in
    /// the state.
    fn waiting(&self) -> &[u8];
    /// Pads a message that has `message_len` bytes after those that this stream has absorbed. The
    /// first `rest` bytes of `tail` must be the last bytes of the message, the others 0. Returns
    /// how many bytes of `tail` must be absorbed. Calls `set` for each word of the state that must
    /// change before the last block is absorbed (BLAKE2's counter and flags).
    fn last(
        &self,
        message_len: usize,
        tail: &mut [u8],
        rest: usize,
        set: impl FnMut(usize, Word<Self>),
    ) -> usize;
    /// Returns the schedule of the padding of such a message, if the message is one block and the padding
    /// another one whose schedule was computed in advance.
    fn then_known(&self, _message_len: usize) -> Option<&'static <Self::Family as Family>::Known> {
        None
    }
    /// Whether messages that have as many blocks by [`Blocks::of`] also have as many with what
    /// `last` appends. They need not if a trailer follows the message.
    const ENDS_ALIKE: bool = true;
    /// Whether `absorb_last` also accepts whole blocks before the last bytes.
    const LAST_TAKES_BLOCKS: bool = false;
    /// Absorbs the last bytes of a message with the padding, if the backend has a function for
    /// that, and returns whether it did. The message has `message_len` bytes after those that this
    /// stream has absorbed.
    fn absorb_last(
        &self,
        _: Runnable<Self::Family>,
        _: &mut [Word<Self>],
        _: &[u8],
        _: usize,
    ) -> bool {
        false
    }
    /// Hashes a digest that is still in the words of a state: absorbs these words and the padding
    /// after the key's block, and replaces the words by the new state. Returns whether it did: the
    /// digest must be the whole state, and the backend must have a function for that.
    fn absorb_digest(&self, _: Runnable<Self::Family>, _: &mut State<Self>) -> bool {
        false
    }
    /// Returns the words that `absorb_digest` takes for this digest, or `None` if it takes none.
    fn digest_state(&self, _: &[u8]) -> Option<State<Self>> {
        None
    }
    /// Returns the schedule that the backend's `absorb_known` takes, for a tail without bytes of
    /// the message.
    fn known(&self, tail: &[u8]) -> <Self::Family as Family>::Known;
    /// Writes the output. `word` returns a word of the state after the last block.
    fn output(&self, word: impl Fn(usize) -> Word<Self>, out: &mut [u8]);
    /// Writes the outputs of the first lanes to `places`, which begin `stride` bytes apart, and returns
    /// whether it did: only if an output of `len` bytes takes further permutations (a sponge's), which
    /// are then computed in lanes.
    fn output_lanes(
        &self,
        _: Runnable<Self::Family>,
        _: &mut [Word<Self>],
        _places: &mut [u8],
        [_stride, _len]: [usize; 2],
    ) -> bool {
        false
    }
    /// Whether every complete block is absorbed at once, so that after whole blocks the stream is
    /// only a state of a few words (SHA-2).
    const LEAVES_STATE: bool = false;
    /// Sets the words of the state after `len` more bytes of the message, with an empty buffer.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`]; [`Error::Operation`] if the stream can only be finished.
    fn resume(&mut self, _word: impl Fn(usize) -> Word<Self>, _len: usize) -> Result<(), Error> {
        Err(Error::Operation)
    }
}

/// Absorbs the whole blocks of `data`, and keeps the other bytes in the buffer. Returns whether it
/// absorbed a block.
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
        let input =
            Input { lanes: &[run], stride: blocks.len, blocks: run.len() / blocks.len, end: None };
        backend::one::<F>().absorb(state.as_mut(), shape, &input);
    }
}

/// Writes the output for the bytes absorbed so far followed by `message`. It copies only the bytes
/// around the whole blocks.
///
/// # Panics
/// If the message becomes longer than the standard allows.
#[inline]
pub(crate) fn finish_one<S: Sequential>(stream: &S, message: &[u8], out: &mut [u8]) {
    let mut state = stream.state();
    finish_state(stream, message, &mut state);
    stream.output(|i| state.as_ref()[i], out);
}

/// Computes the state after the last block of `message`. `state` must be the stream's state.
///
/// This function and those below change states and tails in place. Passed by value they were copied
/// by calls of memcpy, which took 8 of the 166 ns of SHA-512 of 8 bytes.
#[inline(always)]
fn finish_state<S: Sequential>(stream: &S, message: &[u8], state: &mut State<S>) {
    let (waiting, mut left) = (stream.waiting(), message);
    if !waiting.is_empty() {
        if message.is_empty() {
            // The buffer contains the end of the message, as after `update`.
            left = waiting;
        } else if let Some(rest) = complete(stream, message, state) {
            left = rest;
        } else {
            return;
        }
    }
    finish_from(stream, state, message.len(), left);
}

/// Absorbs the block that begins with the stream's waiting bytes and returns what it leaves of the
/// message. If the message ends in that block, pads it, too, and returns `None`.
#[inline(never)]
fn complete<'m, S: Sequential>(
    stream: &S,
    message: &'m [u8],
    state: &mut State<S>,
) -> Option<&'m [u8]> {
    let (blocks, waiting) = (stream.blocks(), stream.waiting());
    let (mut tail, rest) = (S::Family::TAIL, waiting.len());
    let tail = tail.as_mut();
    copy_short(&mut tail[..rest], waiting);
    if rest + message.len() < blocks.len + blocks.lookahead {
        copy_short(&mut tail[rest..][..message.len()], message);
        finish_tail(stream, state, message.len(), tail, rest + message.len());
        return None;
    }
    let (head, left) = message.split_at(blocks.len - rest);
    tail[rest..blocks.len].copy_from_slice(head);
    let input = Input { lanes: &[&*tail], stride: blocks.len, blocks: 1, end: None };
    backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
    Some(left)
}

/// Absorbs the end of a message of `message_len` bytes, of which `left` is not yet in `state`. It
/// copies only the last block.
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
        let input = Input { lanes: &[left], stride: blocks.len, blocks: count, end: None };
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

/// Pads and absorbs the last `rest` bytes of a message, which are the first of `tail`; the other
/// bytes of `tail` must be 0.
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
    let input = Input { lanes: &[&*tail], stride, blocks: len / stride, end: None };
    backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
}

/// Computes HMAC: hashes `message` with `inner`, then that digest with `outer`. The functions that
/// need room for blocks are not inlined, so that with the SHA instructions this call uses little of
/// the stack, which the caller must clear.
#[inline]
pub(crate) fn finish_nested<S: Sequential + Progress>(
    [inner, outer]: [&S; 2],
    message: &[u8],
    out: &mut [u8],
) {
    let (backend, mut state) = (backend::one::<S::Family>(), inner.state());
    let waiting = inner.waiting();
    let (len, last) = if message.is_empty() { (0, waiting) } else { (message.len(), message) };
    let whole = S::LAST_TAKES_BLOCKS && (waiting.is_empty() || message.is_empty());
    if !whole || !inner.absorb_last(backend, state.as_mut(), last, len) {
        finish_inner(inner, message, &mut state);
    }
    // The outer hash absorbs the words of the digest; they need not become bytes.
    match outer.absorb_digest(backend, &mut state) {
        true => outer.output(|i| state.as_ref()[i], out),
        false => finish_outer([inner, outer], &state, out),
    }
    overwrite(&mut state, Default::default());
}

#[inline(never)]
fn finish_inner<S: Sequential>(stream: &S, message: &[u8], state: &mut State<S>) {
    finish_state(stream, message, state);
}

/// Writes the output of `outer` for the digest of `inner`, whose last state is `state`.
#[inline(never)]
fn finish_outer<S: Sequential + Progress>(
    [inner, outer]: [&S; 2],
    state: &State<S>,
    out: &mut [u8],
) {
    let mut longest = [0; MAX_DIGEST];
    let digest = &mut longest[..inner.output_len()];
    inner.output(|i| state.as_ref()[i], digest);
    finish_one(outer, digest, out);
    wipe(&mut longest);
}

/// Sets the words of a state. This is a loop because `array::from_fn` calls a function for each word
/// if there is no link-time optimisation.
#[inline(always)]
pub(crate) fn set_words<W>(state: &mut [W], word: impl Fn(usize) -> W) {
    for (i, own) in state.iter_mut().enumerate() {
        *own = word(i);
    }
}

/// Fills `out` with words of `N` bytes. The last word may be cut off.
///
/// The usual lengths have their own calls, because the compiler emits plain stores if it knows the
/// length. This saves 2 ns for each of many messages. In WebAssembly it saves no time.
#[inline(always)]
pub(crate) fn write_words<const N: usize>(word: impl Fn(usize) -> [u8; N], out: &mut [u8]) {
    match out.len() {
        _ if cfg!(target_arch = "wasm32") => write_all(word, out),
        32 => write_all(word, &mut out[..32]),
        48 => write_all(word, &mut out[..48]),
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

/// Implements `Iterator` and `io::Read` for an output that never ends, by its `fill`. This is a macro
/// because the traits of other crates cannot be implemented for every type with a trait of ours.
macro_rules! endless {
    ($Reader:ty) => {
        impl Iterator for $Reader {
            type Item = u8;

            fn next(&mut self) -> Option<u8> {
                let mut byte = [0];
                self.fill(&mut byte);
                Some(byte[0])
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (usize::MAX, None)
            }
        }

        #[cfg(feature = "std")]
        impl std::io::Read for $Reader {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                self.fill(out);
                Ok(out.len())
            }
        }
    };
}
pub(crate) use endless;

/// Returns `count + len`, or [`Error::MessageTooLong`] if that is more than `limit`.
pub(crate) const fn counted(count: u128, len: usize, limit: u128) -> Result<u128, Error> {
    match count.checked_add(len as u128) {
        Some(count) if count <= limit => Ok(count),
        _ => Err(Error::MessageTooLong),
    }
}

/// Returns the count after `len` more bytes, and panics if it exceeds `limit`.
pub(crate) const fn must_count(count: u128, len: usize, limit: u128) -> u128 {
    match counted(count, len, limit) {
        Ok(count) => count,
        Err(_) => panic!("the message is longer than the algorithm's standard allows"),
    }
}

/// Implements the `const` functions of a stream, which `portable.rs` calls. This is a macro because a
/// trait's methods cannot be called in a `const fn`. For the same reason it names the kernel's portable
/// row, where code at run time asks the backend.
macro_rules! at_compile_time {
    ($Stream:ident, $($kernel:ident)::+, block $block:literal, limit $limit:expr, $to_bytes:ident) => {
        impl $Stream {
            pub(crate) const fn update_const(&mut self, mut data: &[u8]) {
                self.count = $crate::stream::must_count(self.count, data.len(), $limit);
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    let (lanes, blocks) = (&[run], run.len() / $block);
                    let input = $crate::backend::Input { lanes, stride: $block, blocks, end: None };
                    $($kernel)::+::portable::absorb(&mut self.state, (), &input);
                }
            }

            pub(crate) const fn finish_const(&self, out: &mut [u8]) {
                let (mut state, mut tail) = (self.state, [0; 2 * $block]);
                let rest = self.buffer.waiting();
                tail.split_at_mut(rest.len()).0.copy_from_slice(rest);
                let len = self.last_const(&mut state, &mut tail, rest.len());
                let (lanes, blocks) = (&[tail.as_slice()], len / $block);
                let input = $crate::backend::Input { lanes, stride: $block, blocks, end: None };
                $($kernel)::+::portable::absorb(&mut state, (), &input);
                let mut i = 0;
                while i < out.len() {
                    let word = state[i / size_of_val(&state[0])].$to_bytes();
                    out[i] = word[i % word.len()];
                    i += 1;
                }
            }
        }
    };
}
pub(crate) use at_compile_time;

/// Returns the value of `result`.
///
/// # Panics
/// If it is an error, with the error's text.
#[track_caller]
#[inline]
pub(crate) fn must<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
