//! Many messages at once, in the lanes of the vector unit.
//!
//! One function an algorithm, and each again for one buffer with offsets (the layout of Arrow's binary
//! columns). Any number of messages of any lengths; nothing is allocated.
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
//! # Ok::<(), hashmill::Error>(())
//! ```

use crate::Xof;
use crate::backend::{self, Family, Input, Runnable};
use crate::buffer::Blocks;
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::hasher::Stream;

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

impl<const N: usize> Rows for [Digest<N>] {
    fn row(&mut self, index: usize) -> &mut [u8] {
        self[index].as_mut()
    }
}

impl Rows for [VarDigest] {
    fn row(&mut self, index: usize) -> &mut [u8] {
        self[index].as_mut()
    }
}

/// Outputs of `width` bytes one after the other.
pub(crate) struct Flat<'a> {
    out: &'a mut [u8],
    width: usize,
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
    fn row(&mut self, index: usize) -> &mut [u8] {
        &mut self.out[index * self.width..][..self.width]
    }
}

/// A type that offsets may have: `u32`, `u64`, `usize`, and Arrow's `i32` and `i64`.
pub trait Offset: Copy + sealed::Sealed {
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

/// One lane of states that lie word by word.
pub(crate) struct Lane<'a, W> {
    pub states: &'a mut [W],
    pub lanes: usize,
    pub lane: usize,
}

impl<W: Copy> Lane<'_, W> {
    pub fn word(&self, i: usize) -> W {
        self.states[i * self.lanes + self.lane]
    }
    pub fn set(&mut self, i: usize, word: W) {
        self.states[i * self.lanes + self.lane] = word;
    }
}

/// A stream over one state, as the lane scheduler sees it: absorb whole blocks, then a tail.
pub(crate) trait Sequential: Stream {
    type Family: Family;

    fn blocks(&self) -> Blocks;
    fn shape(&self) -> <Self::Family as Family>::Shape;
    /// One lane's state.
    fn state(&self) -> &[<Self::Family as Family>::Word];
    /// The bytes that were absorbed but are not yet in the state.
    fn waiting(&self) -> &[u8];
    /// Completes the message: `tail[..rest]` are its last bytes, after which `tail` is padded;
    /// `message_len` bytes came after all that this stream has absorbed. The state of the lane may be
    /// told that its last block comes. The result is how many bytes of `tail` are to be absorbed.
    fn last(
        &self,
        lane: &mut Lane<'_, <Self::Family as Family>::Word>,
        message_len: usize,
        tail: &mut [u8],
        rest: usize,
    ) -> usize;
    /// Writes the output after the last block.
    fn output(&self, lane: &Lane<'_, <Self::Family as Family>::Word>, out: &mut [u8]);
}

/// Room for a tail: SHA-512's two blocks of 128 bytes; Keccak's two of 168, where bits are left over.
const TAIL: usize = 2 * 168;
/// Room for the tails of all lanes: 16 of SHA-256's 128, 8 of SHA-512's 256.
const TAILS: usize = 16 * 128;
/// Room for the states of all lanes: Keccak's 25 words in 8 lanes.
const STATES: usize = 25 * 8;
const LANES: usize = 16;

/// `Stream::finish` for one state.
pub(crate) fn finish_one<S: Sequential>(stream: &S, out: &mut [u8]) {
    let waiting = stream.waiting();
    let mut tail = [0; TAIL];
    tail[..waiting.len()].copy_from_slice(waiting);
    let mut states = [Default::default(); 25];
    let states = &mut states[..S::Family::STATE_WORDS];
    states.copy_from_slice(stream.state());
    let mut lane = Lane { states, lanes: 1, lane: 0 };
    let len = stream.last(&mut lane, 0, &mut tail, waiting.len());
    finish_tail(stream, states, &tail[..len], out);
}

pub(crate) fn finish_tail<S: Sequential>(
    stream: &S,
    states: &mut [<S::Family as Family>::Word],
    tail: &[u8],
    out: &mut [u8],
) {
    let stride = stream.blocks().len;
    let input = Input { lanes: &[tail], stride, blocks: tail.len() / stride };
    backend::one::<S::Family>().absorb(states, stream.shape(), &input);
    stream.output(&Lane { states, lanes: 1, lane: 0 }, out);
}

/// What a lane does.
#[derive(Clone, Copy)]
struct Job {
    /// The message, or `IDLE`.
    index: usize,
    /// How much of the message has been taken from it.
    taken: usize,
    /// The run of whole blocks that the lane absorbs now: where it begins and ends, in the message or in
    /// the lane's part of the tails.
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

type Word<S> = <<S as Sequential>::Family as Family>::Word;

/// Hashes every message after the prefix that `stream` has absorbed:
///
/// > while some lane has a message: absorb, in all lanes, as many blocks as the shortest run has; give
/// > the lanes whose run has ended their next run, and those whose message has ended the next message.
pub(crate) fn finish_many<S: Sequential, M: Messages + ?Sized, R: Rows + ?Sized>(
    stream: &S,
    messages: &M,
    rows: &mut R,
) {
    let backend: Runnable<S::Family> = backend::many();
    let lanes = backend.lanes();
    let block = stream.blocks().len;
    let mut tails = [0; TAILS];
    let room = TAILS / lanes;
    let mut states = [Default::default(); STATES];
    let states = &mut states[..S::Family::STATE_WORDS * lanes];
    let mut jobs = [Job { index: IDLE, taken: 0, start: 0, end: 0, source: Source::Tail }; LANES];
    let jobs = &mut jobs[..lanes];
    let mut next = 0;
    loop {
        let mut shortest = usize::MAX;
        let mut active = None;
        for (i, (job, tail)) in jobs.iter_mut().zip(tails.chunks_exact_mut(room)).enumerate() {
            if job.start == job.end {
                let mut lane = Lane { states: &mut *states, lanes, lane: i };
                if job.index != IDLE && job.source == Source::Tail {
                    stream.output(&lane, rows.row(job.index));
                    job.index = IDLE;
                }
                if job.index != IDLE {
                    job.go_on(stream, messages.message(job.index), tail, &mut lane);
                } else if next < messages.count() {
                    *job = Job::begin(stream, next, messages.message(next), tail, &mut lane);
                    next += 1;
                } else {
                    continue;
                }
            }
            shortest = shortest.min(job.end - job.start);
            active = Some(i);
        }
        let Some(active) = active else { return };
        let mut inputs: [&[u8]; LANES] = [&[]; LANES];
        for (i, input) in inputs[..lanes].iter_mut().enumerate() {
            // An idle lane computes what some other lane computes, and nobody looks.
            let i = if jobs[i].index == IDLE { active } else { i };
            *input = &match jobs[i].source {
                Source::Message => messages.message(jobs[i].index),
                Source::Head | Source::Tail => &tails[i * room..][..room],
            }[jobs[i].start..][..shortest];
        }
        let input = Input { lanes: &inputs[..lanes], stride: block, blocks: shortest / block };
        backend.absorb(states, stream.shape(), &input);
        for job in jobs.iter_mut().filter(|job| job.index != IDLE) {
            job.start += shortest;
        }
    }
}

impl Job {
    /// Puts message `index` into the lane, from the stream's state.
    fn begin<S: Sequential>(
        stream: &S,
        index: usize,
        message: &[u8],
        tail: &mut [u8],
        lane: &mut Lane<'_, Word<S>>,
    ) -> Job {
        for (i, &word) in stream.state().iter().enumerate() {
            lane.set(i, word);
        }
        let mut job = Job { index, taken: 0, start: 0, end: 0, source: Source::Head };
        let (blocks, waiting) = (stream.blocks(), stream.waiting());
        if waiting.is_empty() {
            job.go_on(stream, message, tail, lane);
            return job;
        }
        tail[..waiting.len()].copy_from_slice(waiting);
        if waiting.len() + message.len() >= blocks.len + blocks.lookahead {
            job.taken = blocks.len - waiting.len();
            tail[waiting.len()..blocks.len].copy_from_slice(&message[..job.taken]);
            job.end = blocks.len;
        } else {
            job.end_with(stream, message, tail, waiting.len(), lane);
        }
        job
    }

    /// The run after the one that has ended.
    fn go_on<S: Sequential>(
        &mut self,
        stream: &S,
        message: &[u8],
        tail: &mut [u8],
        lane: &mut Lane<'_, Word<S>>,
    ) {
        let blocks = stream.blocks();
        let left = message.len() - self.taken;
        if left >= blocks.len + blocks.lookahead {
            self.source = Source::Message;
            self.start = self.taken;
            self.taken += (left - blocks.lookahead) / blocks.len * blocks.len;
            self.end = self.taken;
        } else {
            self.end_with(stream, message, tail, 0, lane);
        }
    }

    /// The tail: `waiting` bytes that are there already, and the rest of the message.
    fn end_with<S: Sequential>(
        &mut self,
        stream: &S,
        message: &[u8],
        tail: &mut [u8],
        waiting: usize,
        lane: &mut Lane<'_, Word<S>>,
    ) {
        let left = &message[self.taken..];
        tail[waiting..][..left.len()].copy_from_slice(left);
        self.source = Source::Tail;
        self.start = 0;
        self.end = stream.last(lane, message.len(), tail, waiting + left.len());
    }
}
