//! Many messages at once, in the lanes of the vector unit.
//!
//! One function an algorithm, and each again for one buffer with offsets (the layout of Arrow's binary
//! columns) and for one buffer of rows of one width. Any number of messages of any lengths; nothing is
//! allocated.
//!
//! These begin with nothing absorbed. After a prefix, under a key or with parameters it is
//! [`Hasher::finish_many`], [`Xof::finish_many`] and [`Hmac::finish_many`](crate::Hmac::finish_many); messages
//! that come in pieces, several at once, are [`Hasher::update_many`]'s.
//!
//! ```
//! use hashmill::{Digest, many};
//!
//! let messages = ["a", "", "a longer message"];
//! let mut digests = [Digest::default(); 3];
//! many::sha256(&messages, &mut digests);
//! assert_eq!(digests[0], hashmill::sha256(b"a"));
//!
//! let mut column = [0; 3 * 32];
//! many::sha256_offsets(b"aa longer message", &[0u32, 1, 1, 17], &mut column)?;
//! assert_eq!(column[..32], digests[0][..]);
//! assert_eq!(column[64..], digests[2][..]);
//!
//! let mut addresses = [0; 2 * 32];
//! many::sha3_256_rows(&[0; 2 * 20], 20, &mut addresses)?;
//! assert_eq!(addresses[..32], addresses[32..]);
//! # Ok::<(), hashmill::Error>(())
//! ```

#[cfg(feature = "rayon")]
pub mod rayon;
pub(crate) mod update;

use crate::backend::{self, Family, Input, Runnable};
use crate::buffer::{Blocks, copy_short};
use crate::error::Error;
use crate::hasher::{Hasher, Stream, Xof, sealed::Row};
use crate::wipe::{overwrite, wipe};

crate::algorithm::many_functions!();

/// Messages by number.
pub(crate) trait Messages {
    fn count(&self) -> usize;
    fn message(&self, index: usize) -> &[u8];
}

impl<M: AsRef<[u8]>> Messages for [M] {
    fn count(&self) -> usize {
        self.len()
    }
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

/// Places for outputs, by number; as long as the output is to be.
pub(crate) trait Rows {
    fn row(&mut self, index: usize) -> &mut [u8];
}

impl<D: Row> Rows for [D] {
    fn row(&mut self, index: usize) -> &mut [u8] {
        self[index].row()
    }
}

/// Outputs of `width` bytes one after the other.
pub(crate) struct Flat<'a> {
    pub out: &'a mut [u8],
    pub width: usize,
}

impl<'a> Flat<'a> {
    pub fn new(out: &'a mut [u8], count: usize, width: usize) -> Result<Self, Error> {
        if Some(out.len()) != count.checked_mul(width) {
            return Err(Error::OutputLength);
        }
        Ok(Flat { out, width })
    }
}

impl Rows for Flat<'_> {
    #[inline]
    fn row(&mut self, index: usize) -> &mut [u8] {
        &mut self.out[index * self.width..][..self.width]
    }
}

/// Messages of `width` bytes one after the other.
pub(crate) struct Chunks<'a> {
    pub bytes: &'a [u8],
    pub width: usize,
    pub count: usize,
}

impl Messages for Chunks<'_> {
    fn count(&self) -> usize {
        self.count
    }
    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.width..][..self.width]
    }
}

/// `values` as rows of `width` bytes, and `out` as rows of `output_len`.
pub(crate) fn fixed_width<'v, 'o>(
    values: &'v [u8],
    width: usize,
    output_len: usize,
    out: &'o mut [u8],
) -> Result<(Chunks<'v>, Flat<'o>), Error> {
    let count = match width {
        0 => out.len() / output_len.max(1),
        _ => values.len() / width,
    };
    if values.len() != count * width {
        return Err(Error::RowWidth);
    }
    Ok((Chunks { bytes: values, width, count }, Flat::new(out, count, output_len)?))
}

/// Some of the messages, or of the places for their outputs.
pub(crate) struct Selected<'a, T> {
    pub all: T,
    pub indexes: &'a [usize],
}

impl<M: Messages + ?Sized> Messages for Selected<'_, &M> {
    fn count(&self) -> usize {
        self.indexes.len()
    }
    fn message(&self, index: usize) -> &[u8] {
        self.all.message(self.indexes[index])
    }
}

impl<R: Rows + ?Sized> Rows for Selected<'_, &mut R> {
    fn row(&mut self, index: usize) -> &mut [u8] {
        self.all.row(self.indexes[index])
    }
}

/// The messages from `start` on, or the places for their outputs.
pub(crate) struct Part<T> {
    pub all: T,
    pub start: usize,
    pub count: usize,
}

impl<M: Messages + ?Sized> Messages for Part<&M> {
    fn count(&self) -> usize {
        self.count
    }
    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self.all.message(self.start + index)
    }
}

impl<R: Rows + ?Sized> Rows for Part<&mut R> {
    #[inline]
    fn row(&mut self, index: usize) -> &mut [u8] {
        self.all.row(self.start + index)
    }
}

/// A type that offsets may have: `u32`, `u64`, `usize`, and Arrow's `i32` and `i64`.
pub trait Offset: Copy + Sync + sealed::Sealed {
    /// The offset in bytes, or `None` if it is negative or larger than memory.
    fn get(self) -> Option<usize>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! offset {
    ($($Type:ident)*) => { $(
        impl sealed::Sealed for $Type {}
        impl Offset for $Type {
            fn get(self) -> Option<usize> {
                self.try_into().ok()
            }
        }
    )* };
}
offset!(u32 u64 usize i32 i64);

/// Message `i` is `values[offsets[i]..offsets[i + 1]]`.
pub(crate) struct Column<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
}

impl<'a, O: Offset> Column<'a, O> {
    pub fn new(values: &'a [u8], offsets: &'a [O]) -> Result<Self, Error> {
        let mut last = 0;
        for offset in offsets {
            let offset = offset.get().ok_or(Error::Offsets)?;
            if offset < last || offset > values.len() {
                return Err(Error::Offsets);
            }
            last = offset;
        }
        Ok(Column { values, offsets })
    }
}

impl<O: Offset> Messages for Column<'_, O> {
    fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    fn message(&self, index: usize) -> &[u8] {
        let at = |i: usize| self.offsets[i].get().unwrap_or_default();
        &self.values[at(index)..at(index + 1)]
    }
}

/// A stream over one state, as the lane scheduler sees it: absorb whole blocks, then a tail.
pub(crate) trait Sequential: Sized {
    type Family: Family;

    fn blocks(&self) -> Blocks;
    fn shape(&self) -> <Self::Family as Family>::Shape;
    /// One lane's state.
    fn state(&self) -> State<Self>;
    /// The bytes that were absorbed but are not yet in the state.
    fn waiting(&self) -> &[u8];
    /// Completes a message of which `message_len` bytes came after all that this stream has absorbed:
    /// pads `tail`, whose first `rest` bytes are the message's last and which is zero after them.
    /// `set` gives words of the state the values with which the last block is absorbed. The result is
    /// how many bytes of `tail` are to be absorbed.
    fn last(
        &self,
        message_len: usize,
        tail: &mut [u8],
        rest: usize,
        set: impl FnMut(usize, Word<Self>),
    ) -> usize;
    /// Absorbs the last bytes of a message, of which `message_len` came after all that this stream has
    /// absorbed, and its padding, if the backend has its own way to; else says that it did not.
    fn absorb_last(
        &self,
        _: Runnable<Self::Family>,
        _: &mut [Word<Self>],
        _: &[u8],
        _: usize,
    ) -> bool {
        false
    }
    /// What the backend's `absorb_known` takes for a padded end that has no byte of the message.
    fn known(&self, tail: &[u8]) -> <Self::Family as Family>::Known;
    /// Writes the output, given the words of the state after the last block.
    fn output(&self, word: impl Fn(usize) -> Word<Self>, out: &mut [u8]);
}

pub(crate) type Word<S> = <<S as Sequential>::Family as Family>::Word;
type State<S> = <<S as Sequential>::Family as Family>::State;

/// Room for the tails of all lanes: 16 of SHA-256's 128, 8 of SHA-512's 256, 8 of Keccak's 336, each from
/// the beginning of a cache line.
pub(crate) const TAILS: usize = 8 * 384;
/// Room for the states of all lanes: Keccak's 25 words in 8 lanes.
pub(crate) const STATES: usize = 25 * 8;
pub(crate) const LANES: usize = 16;

/// `Stream::finish` after `try_update(message)`, without a copy but of the bytes around the blocks.
#[inline]
pub(crate) fn finish_one<S: Sequential>(stream: &S, message: &[u8], out: &mut [u8]) {
    let backend = backend::one::<S::Family>();
    let (blocks, waiting) = (stream.blocks(), stream.waiting());
    let mut state = stream.state();
    let mut tail = S::Family::TAIL;
    let tail = tail.as_mut();
    let mut left = message;
    let mut rest = waiting.len();
    if rest > 0 {
        tail[..rest].copy_from_slice(waiting);
        if rest + left.len() >= blocks.len + blocks.lookahead {
            let (head, after) = left.split_at(blocks.len - rest);
            tail[rest..blocks.len].copy_from_slice(head);
            let input = Input { lanes: &[&*tail], stride: blocks.len, blocks: 1 };
            backend.absorb(state.as_mut(), stream.shape(), &input);
            tail.fill(0);
            (left, rest) = (after, 0);
        }
    }
    if left.len() >= blocks.len + blocks.lookahead {
        let count = (left.len() - blocks.lookahead) / blocks.len;
        let input = Input { lanes: &[left], stride: blocks.len, blocks: count };
        backend.absorb(state.as_mut(), stream.shape(), &input);
        left = &left[count * blocks.len..];
    }
    if rest == 0 && stream.absorb_last(backend, state.as_mut(), left, message.len()) {
        return stream.output(|i| state.as_ref()[i], out);
    }
    copy_short(&mut tail[rest..][..left.len()], left);
    rest += left.len();
    let len = stream.last(message.len(), tail, rest, |i, word| state.as_mut()[i] = word);
    let input = Input { lanes: &[&*tail], stride: blocks.len, blocks: len / blocks.len };
    backend.absorb(state.as_mut(), stream.shape(), &input);
    stream.output(|i| state.as_ref()[i], out);
}

/// Hashes every message after the prefix that `stream` has absorbed, with whatever is quickest for as
/// many messages as are left: one by one, side by side, or, if their lengths differ, in turns.
pub(crate) fn finish_many<S: Sequential, M: Messages + ?Sized, R: Rows + ?Sized>(
    stream: &S,
    messages: &M,
    rows: &mut R,
) {
    let count = messages.count();
    let mut next = 0;
    let mut backend = backend::for_messages::<S::Family>(or_plenty(count));
    let mut lanes: Option<Lanes<S>> = None;
    while next < count {
        if count - next < backend.lanes() {
            backend = backend::for_messages(count - next);
        }
        if backend.lanes() == 1 {
            for index in next..count {
                finish_one(stream, messages.message(index), rows.row(index));
            }
            return;
        }
        let lanes = match &mut lanes {
            Some(lanes) if lanes.backend.lanes() == backend.lanes() => lanes,
            lanes => lanes.insert(Lanes::new(stream, backend)),
        };
        let together = backend.lanes().min(count - next);
        let len = messages.message(next).len();
        if (next + 1..next + together).all(|index| messages.message(index).len() == len) {
            lanes.absorb_equal(messages, next, together, len);
            lanes.output(rows, next, together);
            next += together;
        } else {
            next = lanes.finish_mixed(messages, rows, next);
        }
    }
}

/// As many messages as there are; or, if they fill the lanes, so many that those which are not full at the end do
/// not matter.
fn or_plenty(count: usize) -> usize {
    if count < LANES { count } else { 1 << 16 }
}

/// The expression with `L`, the number of lanes, as a constant.
macro_rules! of_lanes {
    ($lanes:expr, $L:ident => $expression:expr) => {
        of_lanes!(@ $lanes, $L => $expression; 16 8 4 2)
    };
    (@ $lanes:expr, $L:ident => $expression:expr; $($width:literal)*) => {
        match $lanes {
            $($width => { const $L: usize = $width; $expression })*
            lanes => unreachable!("{lanes} lanes"),
        }
    };
}

/// HMAC: what `outer` gives after what `inner` gives after each message, which is `digest_len` bytes long. The
/// result is how many messages were hashed: the first ones, while they fill the lanes and are of one length.
///
/// The inner digests are written where the outer hash reads its blocks: 1.17 → 1.37 GB/s, SHA-256 of 64 bytes,
/// Zen 5.
pub(crate) fn finish_nested<S: Sequential, M: Messages + ?Sized, R: Rows + ?Sized>(
    [inner, outer]: [&S; 2],
    digest_len: usize,
    messages: &M,
    rows: &mut R,
) -> usize {
    let count = messages.count();
    let backend = backend::for_messages::<S::Family>(or_plenty(count));
    let lanes = backend.lanes();
    if lanes == 1 || count < lanes || !outer.waiting().is_empty() {
        return 0;
    }
    let (mut inner, mut outer) = (Lanes::new(inner, backend), Lanes::new(outer, backend));
    let mut next = 0;
    while count - next >= lanes {
        let len = messages.message(next).len();
        if (next + 1..next + lanes).any(|index| messages.message(index).len() != len) {
            break;
        }
        inner.absorb_equal(messages, next, lanes, len);
        outer.begin();
        of_lanes!(lanes, L => inner.hand_over::<L>(&mut outer, digest_len));
        outer.output(rows, next, lanes);
        next += lanes;
    }
    next
}

/// The lanes of a backend, their states and their last blocks.
struct Lanes<'s, S: Sequential> {
    stream: &'s S,
    backend: Runnable<S::Family>,
    /// Word `w` of lane `l` is `states[w * lanes + l]`.
    states: [Word<S>; STATES],
    tails: [u8; TAILS],
    /// The length of the messages for which the tails are padded, or `None` if they are not.
    padded_for: Option<usize>,
    /// What is known of the tails, where they are nothing but padding and that is of use.
    known: Option<<S::Family as Family>::Known>,
}

impl<'s, S: Sequential> Lanes<'s, S> {
    fn new(stream: &'s S, backend: Runnable<S::Family>) -> Self {
        Lanes {
            stream,
            backend,
            states: [Default::default(); STATES],
            tails: [0; TAILS],
            padded_for: None,
            known: None,
        }
    }

    /// Every lane is where the stream is.
    fn begin(&mut self) {
        let words = self.states.chunks_exact_mut(self.backend.lanes());
        words.zip(self.stream.state().as_ref()).for_each(|(words, &word)| words.fill(word));
    }

    /// `count` messages of the same length, at most one a lane, from message `first` on.
    fn absorb_equal<M: Messages + ?Sized>(
        &mut self,
        messages: &M,
        first: usize,
        count: usize,
        message_len: usize,
    ) {
        let (stream, lanes) = (self.stream, self.backend.lanes());
        let (blocks, waiting) = (stream.blocks(), stream.waiting());
        // An idle lane computes what the first one computes, and nobody looks.
        let mut inputs: [&[u8]; LANES] = [messages.message(first); LANES];
        for (lane, input) in inputs[1..count].iter_mut().enumerate() {
            *input = messages.message(first + 1 + lane);
        }
        let inputs = &mut inputs[..lanes];
        self.begin();
        let mut left = message_len;
        let mut rest = waiting.len();
        if rest > 0 {
            self.padded_for = None;
            let head = left.min(blocks.len - rest);
            for (tail, input) in self.tails.chunks_exact_mut(TAILS / lanes).zip(inputs.iter_mut()) {
                tail[..rest].copy_from_slice(waiting);
                tail[rest..][..head].copy_from_slice(&input[..head]);
                *input = &input[head..];
            }
            left -= head;
            rest += head;
            if rest == blocks.len && left >= blocks.lookahead {
                self.absorb_tails(1);
                rest = 0;
            }
        }
        if rest == 0 && left >= blocks.len + blocks.lookahead {
            let whole = (left - blocks.lookahead) / blocks.len;
            let input = Input { lanes: inputs, stride: blocks.len, blocks: whole };
            self.backend.absorb(&mut self.states, stream.shape(), &input);
            left -= whole * blocks.len;
        }
        if rest == 0 && left == blocks.len {
            // BLAKE2's last block may be whole: it is absorbed where it lies.
            let states = &mut self.states;
            stream.last(message_len, &mut [], 0, |i, word| states[i * lanes..][..lanes].fill(word));
            inputs.iter_mut().for_each(|input| *input = &input[input.len() - left..]);
            let input = Input { lanes: inputs, stride: blocks.len, blocks: 1 };
            self.backend.absorb(&mut self.states, stream.shape(), &input);
        } else {
            self.finish_tails(message_len, left, rest, |lane, end| {
                copy_short(end, &inputs[lane][inputs[lane].len() - left..]);
            });
        }
    }

    /// The outputs of the first `count` lanes.
    fn output<R: Rows + ?Sized>(&self, rows: &mut R, first: usize, count: usize) {
        of_lanes!(self.backend.lanes(), L => self.output_of::<L, R>(rows, first, count));
    }

    /// The same for `L` lanes. With their number known to the compiler the outputs move in less time:
    /// 2.2 → 2.4 GB/s, SHA-256 of 64 bytes in 16 lanes of Zen 5.
    fn output_of<const L: usize, R: Rows + ?Sized>(
        &self,
        rows: &mut R,
        first: usize,
        count: usize,
    ) {
        let (words, _) = self.states.as_chunks::<L>();
        for (lane, index) in (first..first + count).enumerate() {
            self.stream.output(|i| words[i][lane], rows.row(index));
        }
    }

    /// The output of every lane is the message of the other's.
    fn hand_over<const L: usize>(&self, other: &mut Self, len: usize) {
        let (words, _) = self.states.as_chunks::<L>();
        other.finish_tails(len, len, 0, |lane, digest| {
            self.stream.output(|i| words[i][lane], digest);
        });
    }

    /// The last `left` bytes of every message, which `copy` writes, after `rest` bytes that are in the tails
    /// already.
    fn finish_tails(
        &mut self,
        message_len: usize,
        left: usize,
        rest: usize,
        copy: impl Fn(usize, &mut [u8]),
    ) {
        let (stream, lanes) = (self.stream, self.backend.lanes());
        let end = rest + left;
        let padded = self.padded_for == Some(message_len) && rest == 0;
        let mut len = 0;
        for (lane, tail) in self.tails.chunks_exact_mut(TAILS / lanes).enumerate() {
            copy(lane, &mut tail[rest..end]);
            if !padded {
                tail[end..].fill(0);
            }
            if !padded || lane == 0 {
                let states = &mut self.states;
                len = stream.last(message_len, tail, end, |i, word| {
                    states[i * lanes..][..lanes].fill(word);
                });
            }
        }
        self.padded_for = (rest == 0).then_some(message_len);
        if !padded {
            let known = end == 0 && self.backend.absorbs_known();
            self.known = known.then(|| stream.known(&self.tails[..len]));
        }
        match &self.known {
            Some(known) => self.backend.absorb_known(&mut self.states, known),
            None => self.absorb_tails(len / stream.blocks().len),
        }
    }

    /// Absorbs as many blocks from every lane's tail.
    fn absorb_tails(&mut self, blocks: usize) {
        let lanes = self.backend.lanes();
        let mut inputs: [&[u8]; LANES] = [&[]; LANES];
        for (input, tail) in inputs.iter_mut().zip(self.tails.chunks_exact(TAILS / lanes)) {
            *input = tail;
        }
        let input = Input { lanes: &inputs[..lanes], stride: self.stream.blocks().len, blocks };
        self.backend.absorb(&mut self.states, self.stream.shape(), &input);
    }

    /// The messages from `next` on, of any lengths, and returns their count:
    ///
    /// > while some lane has a message: absorb, in all lanes, as many blocks as the shortest run has;
    /// > give the lanes whose run has ended their next run, and those whose message has ended the next
    /// > message.
    ///
    /// When so few lanes are left that one message at a time is quicker, they are finished so.
    fn finish_mixed<M: Messages + ?Sized, R: Rows + ?Sized>(
        &mut self,
        messages: &M,
        rows: &mut R,
        mut next: usize,
    ) -> usize {
        let (stream, lanes, room) =
            (self.stream, self.backend.lanes(), TAILS / self.backend.lanes());
        let block = stream.blocks().len;
        self.padded_for = None;
        let mut jobs = [Job::IDLE; LANES];
        let jobs = &mut jobs[..lanes];
        loop {
            let mut shortest = usize::MAX;
            let mut active = 0;
            for (lane, job) in jobs.iter_mut().enumerate() {
                if job.start == job.end {
                    let tail = &mut self.tails[lane * room..][..room];
                    let states = &mut self.states;
                    if job.index != IDLE && job.source == Source::Tail {
                        stream.output(|i| states[i * lanes + lane], rows.row(job.index));
                        job.index = IDLE;
                    }
                    let set = |i: usize, word| states[i * lanes + lane] = word;
                    if job.index != IDLE {
                        job.go_on(stream, messages.message(job.index), tail, set);
                    } else if next < messages.count() {
                        *job = Job::begin(stream, next, messages.message(next), tail, set);
                        next += 1;
                    } else {
                        continue;
                    }
                }
                shortest = shortest.min(job.end - job.start);
                active += 1;
            }
            if active == 0 {
                return next;
            }
            if active < lanes && backend::for_messages::<S::Family>(active).lanes() == 1 {
                for (lane, job) in jobs.iter().enumerate().filter(|(_, job)| job.index != IDLE) {
                    let message = messages.message(job.index);
                    self.finish_alone(lane, job, message, rows.row(job.index));
                }
                return next;
            }
            let busy = jobs.iter().position(|job| job.index != IDLE).unwrap_or(0);
            let mut inputs: [&[u8]; LANES] = [&[]; LANES];
            for (lane, input) in inputs[..lanes].iter_mut().enumerate() {
                // An idle lane computes what some other lane computes, and nobody looks.
                let lane = if jobs[lane].index == IDLE { busy } else { lane };
                let job = &jobs[lane];
                *input = &match job.source {
                    Source::Message => messages.message(job.index),
                    Source::Head | Source::Tail => &self.tails[lane * room..][..room],
                }[job.start..][..shortest];
            }
            let input = Input { lanes: &inputs[..lanes], stride: block, blocks: shortest / block };
            self.backend.absorb(&mut self.states, stream.shape(), &input);
            for job in jobs.iter_mut().filter(|job| job.index != IDLE) {
                job.start += shortest;
            }
        }
    }

    /// What is left of a lane's message, without the other lanes.
    fn finish_alone(&mut self, lane: usize, job: &Job, message: &[u8], out: &mut [u8]) {
        let (stream, lanes, room) =
            (self.stream, self.backend.lanes(), TAILS / self.backend.lanes());
        let one = backend::one::<S::Family>();
        let block = stream.blocks().len;
        let mut state = stream.state();
        for (i, word) in state.as_mut().iter_mut().enumerate() {
            *word = self.states[i * lanes + lane];
        }
        let mut job = *job;
        let tail = &mut self.tails[lane * room..][..room];
        loop {
            let run = &match job.source {
                Source::Message => message,
                Source::Head | Source::Tail => &*tail,
            }[job.start..job.end];
            let input = Input { lanes: &[run], stride: block, blocks: run.len() / block };
            one.absorb(state.as_mut(), stream.shape(), &input);
            if job.source == Source::Tail {
                return stream.output(|i| state.as_ref()[i], out);
            }
            job.go_on(stream, message, tail, |i, word| state.as_mut()[i] = word);
        }
    }
}

impl<S: Sequential> Drop for Lanes<'_, S> {
    fn drop(&mut self) {
        overwrite(&mut self.states, [Default::default(); STATES]);
        wipe(&mut self.tails);
    }
}

/// What a lane does while messages of different lengths are hashed.
#[derive(Clone, Copy)]
struct Job {
    /// The message, or `IDLE`.
    index: usize,
    /// How much of the message has been taken from it.
    taken: usize,
    /// The run of whole blocks that the lane absorbs now: where it begins and ends, in the message or
    /// in the lane's tail.
    start: usize,
    end: usize,
    source: Source,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// The run lies in the message.
    Message,
    /// The run is the first block, which began in the prefix.
    Head,
    /// The run is the padded end.
    Tail,
}

const IDLE: usize = usize::MAX;

impl Job {
    const IDLE: Job = Job { index: IDLE, taken: 0, start: 0, end: 0, source: Source::Tail };

    /// Puts message `index` into the lane, from the stream's state.
    fn begin<S: Sequential>(
        stream: &S,
        index: usize,
        message: &[u8],
        tail: &mut [u8],
        mut set: impl FnMut(usize, Word<S>),
    ) -> Job {
        for (i, &word) in stream.state().as_ref().iter().enumerate() {
            set(i, word);
        }
        let mut job = Job { index, taken: 0, start: 0, end: 0, source: Source::Head };
        let (blocks, waiting) = (stream.blocks(), stream.waiting());
        if waiting.is_empty() {
            job.go_on(stream, message, tail, set);
            return job;
        }
        tail[..waiting.len()].copy_from_slice(waiting);
        if waiting.len() + message.len() >= blocks.len + blocks.lookahead {
            job.taken = blocks.len - waiting.len();
            tail[waiting.len()..blocks.len].copy_from_slice(&message[..job.taken]);
            job.end = blocks.len;
        } else {
            job.end_with(stream, message, tail, waiting.len(), set);
        }
        job
    }

    /// The run after the one that has ended.
    fn go_on<S: Sequential>(
        &mut self,
        stream: &S,
        message: &[u8],
        tail: &mut [u8],
        set: impl FnMut(usize, Word<S>),
    ) {
        if !self.run(stream.blocks(), message) {
            self.end_with(stream, message, tail, 0, set);
        }
    }

    /// The whole blocks that are left of the message, if any are.
    fn run(&mut self, blocks: Blocks, message: &[u8]) -> bool {
        let left = message.len() - self.taken;
        if left < blocks.len + blocks.lookahead {
            return false;
        }
        self.source = Source::Message;
        self.start = self.taken;
        self.taken += (left - blocks.lookahead) / blocks.len * blocks.len;
        self.end = self.taken;
        true
    }

    /// The tail: `rest` bytes that are there already, and what is left of the message.
    fn end_with<S: Sequential>(
        &mut self,
        stream: &S,
        message: &[u8],
        tail: &mut [u8],
        rest: usize,
        set: impl FnMut(usize, Word<S>),
    ) {
        let left = &message[self.taken..];
        let end = rest + left.len();
        copy_short(&mut tail[rest..end], left);
        tail[end..].fill(0);
        self.source = Source::Tail;
        self.start = 0;
        self.end = stream.last(message.len(), tail, end, set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hasher::sealed::Sealed;
    use crate::{Sha256, wipe};

    #[test]
    fn lanes_are_wiped() {
        let hasher = Sha256::new();
        let mut lanes = Lanes::new(hasher.stream(), backend::one());
        lanes.states.fill(1);
        lanes.tails.fill(1);
        let lanes = wipe::dropped(lanes);
        assert_eq!((lanes.states, lanes.tails), ([0; STATES], [0; TAILS]));
    }
}
