//! Hashes many messages in the lanes of a vector: the scheduler that keeps the lanes busy, and the
//! functions that use it.
//!
//! # How lanes are kept busy
//! A backend of 16 lanes takes as long for one message as for 16, so every idle lane wastes time.
//!
//! ```text
//! while messages are left:
//!     backend = the one with which all that are left take the least time
//!     one lane:   hash the next 32 messages one after the other
//!     two lanes:  hash the next 32 in pairs
//!     four lanes, less than eight messages, the first four of one number of blocks: hash these together
//!     more lanes: while the messages of the next group have one number of blocks:
//!                     hash them together: whole blocks, then last blocks, then outputs
//!                 hash all other messages as jobs
//!
//! jobs:
//!     fill a window with the next 512 messages
//!     while enough of them for all lanes have one number of blocks, a quarter of the window at least:
//!         hash these together, and fill the window again
//!     sort the window by numbers of blocks, and do all this again when it is empty
//!     while some lane has a job:
//!         absorb, in all lanes, as many blocks as the shortest run has
//!         each lane whose run has ended takes its next run, or the longest message that is left
//! ```
//!
//! A *group* is one message for each lane ([`group`]). A *job* is a message, and the run of blocks that
//! its lane absorbs now: whole blocks where they are in the message, then the padded tail ([`drive`]).
//! An idle lane absorbs the blocks of a busy one, and its result is not used.
//!
//! Where the code does otherwise, it was measured to be faster:
//!
//! 1. If all messages of a group have one length, as rows, keys and Merkle nodes have, states and
//!    padding are prepared once for all groups.
//! 2. Messages of one number of blocks leave the window in groups: 45 → 40 µs, 512 messages of SHA-256 of
//!    0 to 200 bytes (Xeon). The others wait in it for more of their kind: 460 → 419 µs, 3,221 messages
//!    whose lengths are lognormal with the median 200 bytes (Zen 4).
//! 3. When at most so many jobs remain that two lanes are faster, they are finished one by one.
//! 4. Of a pair with different numbers of blocks, two lanes absorb only the whole blocks that both have.
//!    What is left is absorbed alone.
//!
//! Backends of two lanes are SHA-256 with the instructions of x86, SHA-256 and SHA-512 with those of
//! Arm, and words of 64 bits in the vectors of 128 bits of Arm and WebAssembly.
//!
//! The scheduler does not need the types of streams: see [`any`]. [`update_many`] updates several
//! hashers with the same jobs: there a job is a piece of a message, and at its end the lane's state is
//! copied back to the hasher.

pub(crate) mod any;
pub(crate) mod chains;
pub(crate) mod group;
#[cfg(feature = "rayon")]
pub(crate) mod threads;
mod used;

pub(crate) use crate::backend::LANES;
use crate::backend::{self, AnyRunnable, Family, Input, is_few};
use crate::buffer::Blocks;
use crate::messages::{Messages, Slots, indexed};
use crate::stream::{Progress, Sequential, finish_one, must};
use crate::wipe::wipe_bytes;
pub(crate) use any::best;
use any::{AnyPrefix, AnyProgress, AnySequential, Lane, seen};
use group::Prefix;
pub(crate) use group::StreamList;
use used::{MAX_STATE, STATES, TAILS, Used};

/// A number greater than the bytes or blocks of any message. As the length of messages it makes
/// [`for_messages`](crate::backend::for_messages) choose the backend for long messages; as the bytes
/// that a lane has left it stands for an idle lane.
pub(crate) const PLENTY: usize = usize::MAX;

/// Hashes every message, each after the prefix that `stream` has absorbed, and writes the outputs.
///
/// # Panics
/// If a message becomes longer than its standard allows.
// `inline(never)`, here and on the other entries to the lanes: rustc compiles a generic function again in
// each crate that calls it, unless it is never inlined and this crate has a copy. A program with batches
// of SHA-256, SHA-512 and HMAC compiles 12 KB of code of its own instead of 30, in 0.5 s of CPU instead of
// 0.9 (Rust 1.95, Xeon). A module of WebAssembly is one crate, and has one copy in any case.
#[cfg_attr(not(target_arch = "wasm32"), inline(never))]
pub(crate) fn finish_many<S: Sequential>(
    stream: &S,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    if is_scalar::<S::Family>() {
        let finish = |i: usize, out: &mut [u8]| finish_one(stream, messages.message(i), out);
        return outputs.write_group(0, messages.count(), finish);
    }
    finish(seen(&Prefix::One(stream)), messages, outputs);
}

/// Hashes messages as [`finish_many`] does, but not those for which `takes` returns true, which hashes
/// them otherwise. It is called with the index of each message in turn. 256 messages are collected
/// before they are hashed, so that those between them leave no lane empty: a last group that is not
/// full costs 3 % at most.
pub(crate) fn finish_others<S: Sequential>(
    stream: &S,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
    mut takes: impl FnMut(usize, &mut Slots<'_>) -> bool,
) {
    const BATCH: usize = 256;
    let (mut others, mut count, total) = ([0; BATCH], 0, messages.count());
    for index in 0..total {
        if !takes(index, outputs) {
            others[count] = index;
            count += 1;
        }
        if count == BATCH || index + 1 == total {
            let indexes = &others[..count];
            let messages = indexed(count, |i| messages.message(indexes[i]));
            finish_many(stream, &messages, &mut outputs.select(indexes));
            count = 0;
        }
    }
}

/// Hashes every message after the prefix that its own stream has absorbed, and writes the outputs.
/// All streams must have the same shape.
///
/// # Panics
/// If a message becomes longer than its standard allows.
#[cfg_attr(not(target_arch = "wasm32"), inline(never))]
pub(crate) fn finish_each<'a, S: Sequential>(
    streams: &'a StreamList<'a, S>,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    let count = messages.count();
    let longest = (0..count.min(LANES)).map(|i| messages.message(i).len()).max();
    match longest {
        Some(longest) if best(streams(0), count, longest).lanes() == 1 => {
            let finish =
                |i: usize, out: &mut [u8]| finish_one(streams(i), messages.message(i), out);
            (0..count).for_each(|i| outputs.write(i, |out| finish(i, out)));
        }
        _ if is_scalar::<S::Family>() => {}
        _ => finish(seen(&Prefix::Each(streams)), messages, outputs),
    }
}

/// Whether the family has the portable backend alone. Then no code for lanes is linked.
const fn is_scalar<F: Family>() -> bool {
    F::LANE_COUNTS == 1 << 1
}

/// No messages. A constant is copied in vectors; an array expression is stored word by word.
const NO_GROUP: &[&[u8]; LANES] = &[&[]; LANES];

/// For the number of messages that are left, chooses the fastest way: one after the other, in
/// pairs, in groups of one number of blocks, or, if these differ, as jobs.
fn finish<P: AnyPrefix + ?Sized>(prefix: &P, messages: &dyn Messages, outputs: &mut Slots<'_>) {
    let (count, mut next) = (messages.count(), 0);
    while next < count {
        let mut group = *NO_GROUP;
        let gathered = LANES.min(count - next);
        messages.gather(next, &mut group[..gathered]);
        let messages_of_group = &group[..gathered];
        let longest = messages_of_group.iter().map(|message| message.len()).max().unwrap_or(0);
        let stream = prefix.stream(next);
        let (backend, sizes) = (stream.best(count - next, longest), stream.sizes());
        match backend.lanes() {
            2 if sizes.has_two && gathered > 1 => {
                let pairs = messages_of_group.as_chunks::<2>().0;
                prefix.finish_pairs(backend, pairs, outputs, next);
                next += 2 * pairs.len();
            }
            4 if is_few(4, count - next)
                && prefix.finish_four(backend, &group[..gathered.min(4)], outputs, next) =>
            {
                next += gathered.min(4);
            }
            3.. if sizes.has_more => {
                match prefix.finish_groups(backend, (messages, &mut group), outputs, next) {
                    Ok(left) => next = left,
                    Err(left) => return finish_jobs(prefix, backend, messages, outputs, left),
                }
            }
            // A single message gets a backend of two lanes only if that backend is forced.
            _ => {
                prefix.finish_in_turn(messages_of_group, outputs, next);
                next += gathered;
            }
        }
    }
}

/// Hashes the messages from index `next` on as jobs.
///
/// Not inlined, because the lanes take more than a page of the stack.
#[inline(never)]
fn finish_jobs<P: AnyPrefix + ?Sized>(
    prefix: &P,
    backend: AnyRunnable,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
    next: usize,
) {
    let mut lanes = AnyLanes::new(prefix.stream(next), backend);
    lanes.clear();
    drive(&mut lanes, &mut Finish::new(prefix, backend, messages, outputs, next));
}

/// Calls [`group::finish_nested`].
#[cfg_attr(not(target_arch = "wasm32"), inline(never))]
pub(crate) fn finish_nested<S: Sequential>(
    hashes: [&S; 2],
    digest_len: usize,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) -> usize {
    match is_scalar::<S::Family>() {
        true => 0,
        false => group::finish_nested(hashes, digest_len, messages, outputs),
    }
}

/// The lanes of a backend, of any type of stream.
struct AnyLanes {
    backend: AnyRunnable,
    /// Word `w` of lane `l` is word `w * lanes + l`.
    states: Used<STATES>,
    /// Lane `l` has the `room` bytes from `l * room` on.
    tails: Used<TAILS>,
    /// Bytes of a tail: a multiple of 64, the length of a cache line.
    room: usize,
    /// Bytes of the state of one lane.
    state: usize,
}

impl AnyLanes {
    /// Creates lanes for streams of the type of `stream`. They must be cleared before their use. They are
    /// not cleared here, because moving them to their place would then copy 4 KiB.
    #[inline(always)]
    fn new(stream: &(impl AnySequential + ?Sized), backend: AnyRunnable) -> Self {
        let sizes = stream.sizes();
        let (room, state) = (sizes.room, sizes.state);
        AnyLanes { backend, states: Used::none(), tails: Used::none(), room, state }
    }

    /// Clears the states and tails of all lanes.
    fn clear(&mut self) {
        self.states.clear(self.state * self.count());
        self.tails.clear(self.room * self.count());
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.backend.lanes()
    }

    #[inline(always)]
    fn lane(&mut self, lane: usize) -> Lane<'_> {
        let (lanes, room) = (self.count(), self.room);
        let tail = &mut self.tails[lane * room..][..room];
        Lane { states: &mut self.states, lanes, lane, tail }
    }
}

impl Drop for AnyLanes {
    fn drop(&mut self) {
        wipe_bytes(&mut self.states);
        wipe_bytes(&mut self.tails);
    }
}

/// The job of a lane while messages of different lengths are hashed: a message, and the run of
/// whole blocks that the lane absorbs now.
#[derive(Clone, Copy)]
pub(crate) struct Job<'m> {
    index: usize,
    message: &'m [u8],
    /// How many bytes of the message are in the runs so far, the current run included.
    taken: usize,
    /// Where the run begins, in bytes from the beginning of the message or of the lane's tail.
    start: usize,
    /// Where the run ends.
    end: usize,
    source: Source,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// The run lies in the message.
    Message,
    /// The run is the first block, which begins with the stream's waiting bytes. It lies in the
    /// tail.
    Head,
    /// The run is the padded end of the message. It lies in the tail.
    Tail,
}

impl<'m> Job<'m> {
    fn new(index: usize, message: &'m [u8]) -> Self {
        Job { index, message, taken: 0, start: 0, end: 0, source: Source::Head }
    }

    /// If the message completes the block that begins with the `waiting` bytes, writes that block
    /// to the tail, makes it the run and returns true.
    #[inline(always)]
    fn head(&mut self, blocks: Blocks, waiting: &[u8], tail: &mut [u8]) -> bool {
        if waiting.is_empty() || waiting.len() + self.message.len() < blocks.len + blocks.lookahead
        {
            return false;
        }
        self.taken = blocks.len - waiting.len();
        tail[..waiting.len()].copy_from_slice(waiting);
        tail[waiting.len()..blocks.len].copy_from_slice(&self.message[..self.taken]);
        self.end = blocks.len;
        true
    }

    /// Makes the remaining whole blocks of the message the run. Returns false if there are none.
    #[inline(always)]
    fn run(&mut self, blocks: Blocks) -> bool {
        let left = self.message.len() - self.taken;
        if left < blocks.len + blocks.lookahead {
            return false;
        }
        self.source = Source::Message;
        self.start = self.taken;
        self.taken += (left - blocks.lookahead) / blocks.len * blocks.len;
        self.end = self.taken;
        true
    }

    /// Writes the last run to the tail: the waiting bytes, the rest of the message, and the
    /// padding.
    #[inline(always)]
    fn pad<X: AnySequential + ?Sized>(&mut self, stream: &X, waiting: &[u8], lane: &mut Lane<'_>) {
        self.source = Source::Tail;
        self.start = 0;
        let left = &self.message[self.taken..];
        self.end = stream.end(lane, [waiting, left], self.message.len());
    }

    /// Returns the first `len` bytes of the run.
    #[inline(always)]
    fn bytes<'b>(&self, len: usize, tail: &'b [u8]) -> &'b [u8]
    where
        'm: 'b,
    {
        match self.source {
            Source::Message => &self.message[self.start..][..len],
            Source::Head | Source::Tail => &tail[self.start..][..len],
        }
    }
}

/// A source of jobs for the lanes.
trait Queue<'m> {
    type Stream: AnySequential + ?Sized;

    /// Begins the next message: sets the lane's state and returns the job with its first run, or
    /// `None` if no message is left.
    fn next(&mut self, lane: &mut Lane<'_>) -> Option<Job<'m>>;
    /// Continues a job whose run has been absorbed. Sets its next run and returns true, or, at the
    /// end of the message, takes the result from the lane and returns false.
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_>) -> bool;
    /// Returns one of the streams, all of which have the same shape.
    fn any(&mut self) -> &Self::Stream;
}

/// Processes the jobs of a queue: see the top of this file.
fn drive<'m, Q: Queue<'m>>(lanes: &mut AnyLanes, queue: &mut Q) {
    let (count, room, stride) = (lanes.count(), lanes.room, queue.any().layout().len);
    let mut jobs: [Job<'m>; LANES] = [Job::new(0, &[]); LANES];
    // The loop keeps masks of lanes, and the number of bytes that each lane has left, because the
    // CPU could not predict a branch for every lane in every step.
    let mut left = [PLENTY; LANES];
    let left = &mut left[..count];
    let all = u32::MAX >> (32 - count);
    let (mut busy, mut ended) = (0, all);
    loop {
        while ended != 0 {
            let (lane, bit) = (ended.trailing_zeros() as usize, ended & ended.wrapping_neg());
            let (job, mut view) = (&mut jobs[lane], lanes.lane(lane));
            ended ^= bit;
            if busy & bit == 0 || !queue.go_on(job, &mut view) {
                busy &= !bit;
                if let Some(next) = queue.next(&mut view) {
                    *job = next;
                    busy |= bit;
                }
            }
            left[lane] = if busy & bit == 0 { PLENTY } else { job.end - job.start };
        }
        if busy == 0 {
            return;
        }
        let some = busy.trailing_zeros() as usize;
        let is_busy = |lane: usize| busy >> lane & 1 == 1;
        let active = || busy.count_ones() as usize;
        if busy != all && queue.any().for_messages(active(), PLENTY).lanes() <= 2 {
            let busy = (0..count).filter(|&lane| is_busy(lane));
            return busy.for_each(|lane| finish_alone(lanes, lane, &mut jobs[lane], queue));
        }
        let (mut inputs, mut step): ([&[u8]; LANES], _) = ([&[]; LANES], PLENTY);
        left.iter().for_each(|&left| step = step.min(left));
        for (lane, input) in inputs[..count].iter_mut().enumerate() {
            let lane = if is_busy(lane) { lane } else { some };
            *input = jobs[lane].bytes(step, &lanes.tails[lane * room..][..room]);
        }
        let input = Input { lanes: &inputs[..count], stride, blocks: step / stride, end: None };
        queue.any().absorb(lanes.backend, &mut lanes.states, &input);
        for (lane, (job, left)) in jobs.iter_mut().zip(left.iter_mut()).enumerate() {
            job.start += step;
            // An idle lane has more bytes left than any message has, so that its run never ends.
            *left -= step;
            ended |= u32::from(*left == 0) << lane;
        }
    }
}

/// Finishes the job of one lane with the backend for one message, without the other lanes.
fn finish_alone<'m, Q: Queue<'m>>(
    lanes: &mut AnyLanes,
    lane: usize,
    job: &mut Job<'m>,
    queue: &mut Q,
) {
    let (stream, mut state) = (queue.any(), Used::<MAX_STATE>::none());
    let (one, word, stride) = (stream.one(), stream.sizes().word, stream.layout().len);
    state.clear(lanes.state);
    let Lane { states, lanes, tail, .. } = lanes.lane(lane);
    let words = states.chunks_exact(word).skip(lane).step_by(lanes);
    state.chunks_exact_mut(word).zip(words).for_each(|(own, word)| own.copy_from_slice(word));
    loop {
        let run = job.bytes(job.end - job.start, tail);
        let input = Input { lanes: &[run], stride, blocks: run.len() / stride, end: None };
        queue.any().absorb(one, &mut state, &input);
        job.start = job.end;
        let mut alone = Lane { states: &mut state, lanes: 1, lane: 0, tail: &mut *tail };
        if !queue.go_on(job, &mut alone) {
            return wipe_bytes(&mut state);
        }
    }
}

/// A queue of messages that follow a prefix and are hashed to the end. Their outputs are written to
/// `outputs`.
struct Finish<'a, 'm, 'o, P: ?Sized> {
    prefix: &'a P,
    backend: AnyRunnable,
    messages: &'m dyn Messages,
    outputs: &'m mut Slots<'o>,
    blocks: Blocks,
    /// The index of the first message that was not in the window yet.
    next: usize,
    count: usize,
    /// The window, sorted so that the message to take next is last. The entry of a message is its
    /// [class](Blocks::class) and its index, in the lowest `INDEX_BITS` bits.
    order: [u64; WINDOW],
    /// How many messages are in the window.
    left: usize,
    groups: Groups,
}

/// Which messages of as many blocks can be absorbed together: those in whose streams no bytes wait,
/// unless a trailer follows them.
#[derive(Clone, Copy, PartialEq)]
enum Groups {
    None,
    OfAll,
    /// Each message has its own stream, which must be asked.
    OfSome,
}

/// Messages of the window. With half as many, 3,221 messages of SHA-256 of lognormal lengths take 7 %
/// longer, with twice as many 1 % less (Zen 4). With the four lanes of WebAssembly, sorting gains at
/// most 2 % for messages of 0 to 1000 bytes, costs 8 % for those of 0 to 100, and takes 1.5 KB of
/// SHA-256's module, gzipped (Node 24, Xeon). So there it is left out.
const WINDOW: usize = if cfg!(target_arch = "wasm32") { 1 } else { 512 };

/// Classes of messages of one number of blocks, and one for all with more: those of SHA-256 of more than
/// 30 blocks, with padding.
const CLASSES: usize = 64;

/// Bits of an index. To hash 2⁴⁸ messages would take weeks.
const INDEX_BITS: u32 = 48;

/// The class of all messages of more than 2¹⁴ blocks: their order matters little.
const MOST: usize = 1 << 15;

impl<'a, 'm, 'o, P: AnyPrefix + ?Sized> Finish<'a, 'm, 'o, P> {
    /// Creates a queue of the messages from index `next` on.
    fn new(
        prefix: &'a P,
        backend: AnyRunnable,
        messages: &'m dyn Messages,
        outputs: &'m mut Slots<'o>,
        next: usize,
    ) -> Self {
        let (stream, order) = (prefix.stream(next), [0; WINDOW]);
        let groups = match prefix.is_one() {
            _ if !stream.ends_alike() => Groups::None,
            true if stream.waits().is_empty() => Groups::OfAll,
            true => Groups::None,
            false => Groups::OfSome,
        };
        let (blocks, count) = (stream.layout(), messages.count());
        Finish { prefix, backend, messages, outputs, blocks, next, count, order, left: 0, groups }
    }

    /// Fills and sorts the window, so that lanes take the messages with the most blocks first. Lanes
    /// then have runs of nearly one length, which begin and end together: 1.6 → 1.9 times as fast
    /// as a loop, SHA-256 of 0 to 2000 bytes in 16 lanes of a Xeon.
    ///
    /// Messages of which enough for all lanes have one number of blocks are hashed at once. As long as
    /// they are a quarter of the window, the others wait in it for more of their kind.
    fn fill_window(&mut self) {
        loop {
            let end = self.count.min(self.next + WINDOW - self.left);
            for index in self.next..end {
                let waits = || !self.prefix.stream(index).waits().is_empty();
                let class = match self.groups {
                    Groups::OfSome if waits() => MOST,
                    // Bytes that wait in a stream do not count: the order matters only for the speed.
                    _ => self.blocks.class(self.messages.message(index).len()).min(MOST),
                };
                self.order[self.left] = (class as u64) << INDEX_BITS | index as u64;
                self.left += 1;
            }
            self.next = end;
            if WINDOW <= LANES {
                return;
            }
            if self.groups != Groups::None {
                self.finish_groups();
            }
            if self.next == self.count || self.left > WINDOW / 4 * 3 {
                return self.order[..self.left].sort_unstable();
            }
        }
    }

    /// Hashes those messages of the window of which enough for all lanes have one number of blocks, and
    /// leaves the others.
    #[inline(never)]
    fn finish_groups(&mut self) {
        let class = |entry: u64| class_of(entry).min(CLASSES - 1);
        let mut counts = [0_u16; CLASSES];
        self.order[..self.left].iter().for_each(|&entry| counts[class(entry)] += 1);
        // Those of the last class may have any number of blocks.
        counts[CLASSES - 1] = 0;
        // How many of each class fill groups, of a power of two of lanes.
        let partial = self.backend.lanes() as u16 - 1;
        let mut room = counts.map(|count| count & !partial);
        let total = room.iter().map(|&count| usize::from(count)).sum();
        if total == 0 {
            return;
        }
        // Where in `picked` the next message of a class is.
        let mut places = [0_u16; CLASSES];
        for class in 1..CLASSES {
            places[class] = places[class - 1] + room[class - 1];
        }
        let (mut picked, mut left) = ([0; WINDOW], 0);
        for at in 0..self.left {
            let entry = self.order[at];
            let class = class(entry);
            if room[class] > 0 {
                picked[usize::from(places[class])] = index_of(entry);
                (room[class], places[class]) = (room[class] - 1, places[class] + 1);
            } else {
                self.order[left] = entry;
                left += 1;
            }
        }
        self.left = left;
        let picked = &picked[..total];
        let outputs = &mut self.outputs.select(picked);
        self.prefix.finish_picked(self.backend, self.messages, outputs, picked);
    }
}

/// Returns the index of the message of an entry.
#[inline]
fn index_of(entry: u64) -> usize {
    (entry & ((1 << INDEX_BITS) - 1)) as usize
}

/// Returns the class of the number of blocks in an entry.
#[inline]
fn class_of(entry: u64) -> usize {
    (entry >> INDEX_BITS) as usize
}

impl<'m, P: AnyPrefix + ?Sized> Queue<'m> for Finish<'_, 'm, '_, P> {
    type Stream = P::Stream;

    #[inline(always)]
    fn next(&mut self, lane: &mut Lane<'_>) -> Option<Job<'m>> {
        if self.left == 0 {
            self.fill_window();
        }
        self.left = self.left.checked_sub(1)?;
        let index = index_of(self.order[self.left]);
        let stream = self.prefix.stream(index);
        let waiting = stream.waits();
        let mut job = Job::new(index, self.messages.message(index));
        if waiting.is_empty() && job.message.len() < self.blocks.len + self.blocks.lookahead {
            (job.source, job.end) = (Source::Tail, stream.whole(lane, job.message));
            return Some(job);
        }
        stream.set_state(lane.states, lane.lanes, lane.lane);
        if waiting.is_empty() {
            self.go_on(&mut job, lane);
        } else if !job.head(self.blocks, waiting, lane.tail) {
            job.pad(stream, waiting, lane);
        }
        Some(job)
    }

    #[inline(always)]
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_>) -> bool {
        let stream = self.prefix.stream(job.index);
        if job.source == Source::Tail {
            let output = |out: &mut [u8]| stream.output_of(lane.states, lane.lanes, lane.lane, out);
            self.outputs.write(job.index, output);
            return false;
        }
        if !job.run(self.blocks) {
            job.pad(stream, &[], lane);
        }
        true
    }

    fn any(&mut self) -> &P::Stream {
        self.prefix.stream(self.next.min(self.count - 1))
    }
}

/// Streams by index. All streams of one call have the same shape.
pub(crate) trait Streams<S: ?Sized> {
    fn stream(&mut self, index: usize) -> &mut S;
}

/// Updates every stream with its piece, as `try_update(piece)` does. Where several streams have
/// whole blocks to absorb, they are absorbed in lanes.
///
/// # Panics
/// If a message becomes longer than its standard allows.
#[cfg_attr(not(target_arch = "wasm32"), inline(never))]
pub(crate) fn update_many<S: Sequential + Progress>(
    streams: &mut dyn Streams<S>,
    pieces: &dyn Messages,
) {
    let count = pieces.count();
    let Some(longest) = (0..count.min(LANES)).map(|index| pieces.message(index).len()).max() else {
        return;
    };
    let blocks = streams.stream(0).blocks().of(longest).max(1);
    let backend = backend::for_messages::<S::Family>(count, blocks);
    if backend.lanes() == 1 {
        (0..count).for_each(|index| must(streams.stream(index).try_update(pieces.message(index))));
    } else {
        #[cfg(not(target_arch = "wasm32"))]
        let streams = &mut Seen(streams);
        update_all(streams, pieces, backend.any());
    }
}

/// [`Streams`] as [`seen`] shows one.
#[cfg(not(target_arch = "wasm32"))]
struct Seen<'a, S>(&'a mut dyn Streams<S>);

#[cfg(not(target_arch = "wasm32"))]
impl<S: Sequential + Progress> Streams<dyn AnyProgress> for Seen<'_, S> {
    fn stream(&mut self, index: usize) -> &mut (dyn AnyProgress + 'static) {
        self.0.stream(index)
    }
}

fn update_all<X: AnyProgress + ?Sized>(
    streams: &mut dyn Streams<X>,
    pieces: &dyn Messages,
    backend: AnyRunnable,
) {
    let stream = streams.stream(0);
    let (mut lanes, blocks) = (AnyLanes::new(stream, backend), stream.layout());
    lanes.clear();
    drive(&mut lanes, &mut Updates { streams, pieces, next: 0, blocks });
}

/// A queue of hashers, each of which absorbs a piece of its own message.
struct Updates<'a, 'm, X: ?Sized> {
    streams: &'a mut dyn Streams<X>,
    pieces: &'m dyn Messages,
    next: usize,
    blocks: Blocks,
}

impl<'m, X: AnyProgress + ?Sized> Queue<'m> for Updates<'_, 'm, X> {
    type Stream = X;

    #[inline(always)]
    fn next(&mut self, lane: &mut Lane<'_>) -> Option<Job<'m>> {
        while self.next < self.pieces.count() {
            let stream = self.streams.stream(self.next);
            let mut job = Job::new(self.next, self.pieces.message(self.next));
            self.next += 1;
            let waiting = stream.waits();
            if waiting.is_empty() && job.run(self.blocks)
                || job.head(self.blocks, waiting, lane.tail)
            {
                stream.set_state(lane.states, lane.lanes, lane.lane);
                return Some(job);
            }
            // The piece completes no block, so the stream only buffers it.
            must(stream.update(job.message));
        }
        None
    }

    #[inline(always)]
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_>) -> bool {
        if job.run(self.blocks) {
            return true;
        }
        let stream = self.streams.stream(job.index);
        must(stream.resume_from(lane.states, lane.lanes, lane.lane, job.taken));
        must(stream.update(&job.message[job.taken..]));
        false
    }

    fn any(&mut self) -> &X {
        self.streams.stream(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2::{Stream32, Words32, constants::w32};
    use crate::wipe;

    #[test]
    fn lanes_are_wiped() {
        let stream = Stream32::new(w32::SHA256, 32);
        let mut lanes = AnyLanes::new(&stream, backend::one::<Words32>().any());
        lanes.clear();
        lanes.states.fill(1);
        lanes.tails.fill(1);
        let lanes = wipe::dropped(lanes);
        assert_eq!((&lanes.states[..], &lanes.tails[..]), (&[0; 32][..], &[0; 128][..]));
    }
}
