//! Many messages in the lanes of a vector: the scheduler, and all that puts messages into lanes.
//!
//! # How lanes are kept busy
//! A backend of 16 lanes takes as long for one message as for 16, so time is lost whenever a lane
//! has nothing to do. There are two ways to fill them, and [`finish_many`] picks by looking at the
//! next group of messages, as many as there are lanes:
//!
//! - **One length** ([`Together`]). All messages of the group have the same number of blocks and
//!   the same padding. Their blocks are absorbed where they lie, and the padding is written once
//!   and kept for the next group. Rows of a column, Merkle nodes and keys come this way.
//! - **Mixed lengths** ([`drive`]). The next [`WINDOW`] messages are put in order by blocks. Each
//!   lane has a *job*: a message, and the run of whole blocks that the lane absorbs now. All lanes
//!   advance by the shortest remaining run, for a backend absorbs the same number of blocks in
//!   every lane; a lane whose run has ended takes its next run (whole blocks of the message, then
//!   the padded tail), and a lane whose message has ended takes the next message. An idle lane
//!   computes what another lane computes, and the result is not used. When the messages run out and
//!   so few lanes are busy that the cost table prefers one lane, the remaining jobs are finished
//!   one after the other.
//!
//! A backend of two lanes (SHA-256 with the SHA instructions, and those of Arm and WebAssembly with
//! vectors of 128 bits) takes messages in pairs, without tails and jobs: [`finish_two`].
//!
//! The same text updates several hashers at once ([`update_many`]): there a job is a piece of a
//! message, and at its end the state goes back into its hasher.

pub(crate) mod chains;
#[cfg(feature = "rayon")]
pub(crate) mod threads;

pub(crate) use crate::backend::LANES;
use crate::backend::{self, Family, Input, Runnable};
use crate::buffer::{Blocks, copy_short};
use crate::messages::{Messages, Slots};
use crate::stream::{Resumable, Sequential, Word, finish_from, finish_one, must};
use crate::wipe::{overwrite, wipe};

/// Room for the tails of all lanes: 16 of SHA-256's 128, 8 of SHA-512's 256, 8 of Keccak's 336,
/// each from the beginning of a cache line.
pub(crate) const TAILS: usize = 8 * 384;
/// So many blocks that it does not matter what else is to be done.
pub(crate) const PLENTY: usize = usize::MAX;
/// Words of the largest state, Keccak's.
const MAX_STATE: usize = 25;
/// Room for the states of all lanes: Keccak's in 8 lanes.
pub(crate) const STATES: usize = MAX_STATE * 8;

/// Hashes every message after the prefix that `stream` has absorbed, with the quickest way for as
/// many messages as are left: one by one, side by side, or, if their lengths differ, as jobs.
///
/// # Panics
/// If a message becomes longer than its standard allows.
pub(crate) fn finish_many<S: Sequential>(
    stream: &S,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    let (count, mut next) = (messages.count(), 0);
    while next < count {
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        let group = &mut group[..LANES.min(count - next)];
        messages.gather(next, group);
        let longest = group.iter().map(|message| message.len()).max().unwrap_or(0);
        let backend = best(stream, count - next, longest);
        let pairs = group.as_chunks::<2>().0;
        next += match backend.lanes() {
            2 if !pairs.is_empty() => {
                for (i, &pair) in pairs.iter().enumerate() {
                    finish_two(stream, backend, pair, outputs, next + 2 * i);
                }
                2 * pairs.len()
            }
            // One message is alone in two lanes only if that backend is forced.
            1 | 2 => {
                finish_in_turn(stream, group, outputs, next);
                group.len()
            }
            _ => finish_groups(stream, backend, messages, outputs, next) - next,
        }
    }
}

/// The backend with which to begin on so many messages of at most so many bytes.
#[inline]
pub(crate) fn best<S: Sequential>(stream: &S, count: usize, longest: usize) -> Runnable<S::Family> {
    backend::for_messages(count, longest / stream.blocks().len + 1)
}

/// One after the other, the first of them in place `next`.
fn finish_in_turn<S: Sequential>(
    stream: &S,
    messages: &[&[u8]],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    let write = |i: usize, out: &mut [u8]| finish_one(stream, messages[i], out);
    outputs.write_group(next, messages.len(), write);
}

/// The messages from `next` on, as long as the backend is the best for as many as are left. The
/// result is the index of the first that is left. Not inlined: the room for all lanes is more than
/// a page of the stack.
#[inline(never)]
fn finish_groups<S: Sequential>(
    stream: &S,
    backend: Runnable<S::Family>,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
    mut next: usize,
) -> usize {
    let (count, lanes) = (messages.count(), backend.lanes());
    let mut together = Together::new(stream, backend);
    // The rest may be for another backend.
    let end = if count - next < lanes { count } else { count - (count - next) % lanes };
    while next < end {
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        let of_group = lanes.min(end - next);
        messages.gather(next, &mut group[..of_group]);
        if !of_one_length(&group[..of_group]) {
            let mut queue = Finish::new(Before::One(stream), messages, outputs, next);
            drive(&mut together.lanes, layout(stream), &mut queue);
            return count;
        }
        together.absorb(&mut group, of_group);
        together.output(outputs, next, of_group);
        next += of_group;
    }
    next
}

/// Two messages in two lanes as far as the shorter one has whole blocks, then one after the other.
fn finish_two<S: Sequential>(
    stream: &S,
    backend: Runnable<S::Family>,
    pair: [&[u8]; 2],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    /// With fewer the CPU overlaps successive hashes as well.
    const WORTHWHILE: usize = 6;
    let (Blocks { len, lookahead, .. }, shape) = (stream.blocks(), stream.shape());
    let common = pair[0].len().min(pair[1].len()).saturating_sub(lookahead) / len;
    if common < WORTHWHILE || !stream.waiting().is_empty() {
        return finish_in_turn(stream, &pair, outputs, next);
    }
    let mut states = [Word::<S>::default(); 2 * MAX_STATE];
    for (words, &word) in states.chunks_exact_mut(2).zip(stream.state().as_ref()) {
        words.fill(word);
    }
    backend.absorb(&mut states, shape, &Input { lanes: &pair, stride: len, blocks: common });
    for (index, message) in pair.into_iter().enumerate() {
        let mut state = stream.state();
        let words = state.as_mut().iter_mut().zip(states.iter().skip(index).step_by(2));
        words.for_each(|(word, &of_lane)| *word = of_lane);
        let mut state = finish_from(stream, state, message.len(), &message[common * len..]);
        outputs.write(next + index, |out| stream.output(|i| state.as_ref()[i], out));
        overwrite(&mut state, Default::default());
    }
    overwrite(&mut states, [Default::default(); 2 * MAX_STATE]);
}

#[inline]
fn of_one_length(group: &[&[u8]]) -> bool {
    group.iter().all(|message| message.len() == group[0].len())
}

/// HMAC: what `outer` gives after what `inner` gives after each message, which is `digest_len`
/// bytes long. The result is how many messages were hashed: the first ones, while they fill the
/// lanes and are of one length.
///
/// The inner digests are written where the outer hash reads its blocks: 1.17 → 1.37 GB/s, SHA-256
/// of 64 bytes, Zen 5.
pub(crate) fn finish_nested<S: Sequential>(
    [inner, outer]: [&S; 2],
    digest_len: usize,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) -> usize {
    let count = messages.count();
    let backend = backend::for_messages::<S::Family>(count, PLENTY);
    let lanes = backend.lanes();
    if lanes == 1 || count < lanes || !outer.waiting().is_empty() {
        return 0;
    }
    let (mut inner, mut outer) = (Together::new(inner, backend), Together::new(outer, backend));
    let mut next = 0;
    while count - next >= lanes {
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        messages.gather(next, &mut group[..lanes]);
        if !of_one_length(&group[..lanes]) {
            break;
        }
        inner.absorb(&mut group, lanes);
        inner.hand_over(&mut outer, digest_len);
        outer.output(outputs, next, lanes);
        next += lanes;
    }
    next
}

/// The lanes of a backend: their states, and room for the blocks that do not lie in a message.
pub(crate) struct Lanes<F: Family> {
    pub backend: Runnable<F>,
    /// Word `w` of lane `l` is `states[w * lanes + l]`.
    pub states: [F::Word; STATES],
    /// Lane `l` has `room` bytes, `TAILS / lanes`.
    pub tails: [u8; TAILS],
    pub room: usize,
}

impl<F: Family> Lanes<F> {
    pub fn new(backend: Runnable<F>) -> Self {
        let room = TAILS / backend.lanes();
        Lanes { backend, states: [Default::default(); STATES], tails: [0; TAILS], room }
    }

    #[inline(always)]
    pub fn count(&self) -> usize {
        self.backend.lanes()
    }

    /// Gives every lane the same state.
    pub fn fill(&mut self, state: &[F::Word]) {
        let words = self.states.chunks_exact_mut(self.backend.lanes());
        words.zip(state).for_each(|(words, &word)| words.fill(word));
    }

    #[inline(always)]
    fn lane(&mut self, lane: usize) -> Lane<'_, F> {
        let (lanes, room) = (self.count(), self.room);
        let tail = &mut self.tails[lane * room..][..room];
        Lane { words: &mut self.states, lanes, lane, tail }
    }

    /// Absorbs as many blocks from every lane's tail.
    pub fn absorb_tails(&mut self, shape: F::Shape, stride: usize, blocks: usize) {
        let mut inputs: [&[u8]; LANES] = [&[]; LANES];
        for (input, tail) in inputs.iter_mut().zip(self.tails.chunks_exact(self.room)) {
            *input = tail;
        }
        let input = Input { lanes: &inputs[..self.backend.lanes()], stride, blocks };
        self.backend.absorb(&mut self.states, shape, &input);
    }

    /// The words of all states, a word of every lane together. With the number of lanes known to
    /// the compiler outputs move in less time: 2.2 → 2.4 GB/s, SHA-256 of 64 bytes in 16 lanes of
    /// Zen 5.
    #[inline(always)]
    pub fn words<const L: usize>(&self) -> &[[F::Word; L]] {
        self.states.as_chunks().0
    }
}

impl<F: Family> Drop for Lanes<F> {
    fn drop(&mut self) {
        overwrite(&mut self.states, [Default::default(); STATES]);
        wipe(&mut self.tails);
    }
}

/// Groups of messages of one length, at most one message a lane.
pub(crate) struct Together<'s, S: Sequential> {
    stream: &'s S,
    lanes: Lanes<S::Family>,
    /// The length of the messages for which the tails are padded, or `None` if they are not.
    padded_for: Option<usize>,
    /// What is known of the tails, where they are nothing but padding and that is of use.
    known: Option<<S::Family as Family>::Known>,
}

impl<'s, S: Sequential> Together<'s, S> {
    pub fn new(stream: &'s S, backend: Runnable<S::Family>) -> Self {
        Together { stream, lanes: Lanes::new(backend), padded_for: None, known: None }
    }

    /// Every lane is where the stream is.
    pub fn begin(&mut self) {
        self.lanes.fill(self.stream.state().as_ref());
    }

    /// Absorbs the first `count` messages of a group, padding included.
    pub fn absorb(&mut self, group: &mut [&[u8]; LANES], count: usize) {
        let (stream, lanes, message_len) = (self.stream, self.lanes.count(), group[0].len());
        let (blocks, shape, waiting) = (stream.blocks(), stream.shape(), stream.waiting());
        // An idle lane computes what the first one computes, and the result is not used.
        let first = group[0];
        group[count..lanes].fill(first);
        let inputs = &mut group[..lanes];
        self.begin();
        let mut left = message_len;
        let mut rest = waiting.len();
        if rest > 0 {
            self.padded_for = None;
            let head = left.min(blocks.len - rest);
            let tails = self.lanes.tails.chunks_exact_mut(self.lanes.room);
            for (tail, input) in tails.zip(inputs.iter_mut()) {
                tail[..rest].copy_from_slice(waiting);
                tail[rest..][..head].copy_from_slice(&input[..head]);
                *input = &input[head..];
            }
            left -= head;
            rest += head;
            if rest == blocks.len && left >= blocks.lookahead {
                self.lanes.absorb_tails(shape, blocks.len, 1);
                rest = 0;
            }
        }
        let backend = self.lanes.backend;
        if rest == 0 && left >= blocks.len + blocks.lookahead {
            let whole = (left - blocks.lookahead) / blocks.len;
            let input = Input { lanes: inputs, stride: blocks.len, blocks: whole };
            backend.absorb(&mut self.lanes.states, shape, &input);
            left -= whole * blocks.len;
        }
        if rest == 0 && left == blocks.len {
            // BLAKE2's last block may be whole: it is absorbed where it lies.
            let states = &mut self.lanes.states;
            stream.last(message_len, &mut [], 0, |i, word| states[i * lanes..][..lanes].fill(word));
            inputs.iter_mut().for_each(|input| *input = &input[input.len() - left..]);
            let input = Input { lanes: inputs, stride: blocks.len, blocks: 1 };
            backend.absorb(&mut self.lanes.states, shape, &input);
        } else {
            self.finish_tails(message_len, left, rest, |lane, end| {
                copy_short(end, &inputs[lane][inputs[lane].len() - left..]);
            });
        }
    }

    /// Writes the outputs of the first `count` lanes.
    pub fn output(&self, outputs: &mut Slots<'_>, first: usize, count: usize) {
        match self.lanes.count() {
            16 => self.output_of::<16>(outputs, first, count),
            8 => self.output_of::<8>(outputs, first, count),
            4 => self.output_of::<4>(outputs, first, count),
            2 => self.output_of::<2>(outputs, first, count),
            lanes => unreachable!("{lanes} lanes"),
        }
    }

    fn output_of<const L: usize>(&self, outputs: &mut Slots<'_>, first: usize, count: usize) {
        let words = self.lanes.words::<L>();
        outputs.write_group(first, count, |lane, out| {
            self.stream.output(|i| words[i][lane], out);
        });
    }

    /// The output of every lane, of `len` bytes, is the message of the other's lane, which begins
    /// anew.
    fn hand_over(&self, other: &mut Self, len: usize) {
        other.begin();
        match self.lanes.count() {
            16 => self.hand_over_of::<16>(other, len),
            8 => self.hand_over_of::<8>(other, len),
            4 => self.hand_over_of::<4>(other, len),
            2 => self.hand_over_of::<2>(other, len),
            lanes => unreachable!("{lanes} lanes"),
        }
    }

    fn hand_over_of<const L: usize>(&self, other: &mut Self, len: usize) {
        let words = self.lanes.words::<L>();
        other.finish_tails(len, len, 0, |lane, digest| {
            self.stream.output(|i| words[i][lane], digest);
        });
    }

    /// The last `left` bytes of every message, which `copy` writes, after `rest` bytes that are in
    /// the tails already.
    ///
    /// Padding is the same for all messages of one length, so it is written for the first group
    /// only, and a tail that has no byte of the message is not even absorbed as a block: SHA-2's
    /// schedule of such a block is computed once (`known`), which saves a third of its cycles.
    fn finish_tails(
        &mut self,
        message_len: usize,
        left: usize,
        rest: usize,
        copy: impl Fn(usize, &mut [u8]),
    ) {
        let (stream, lanes) = (self.stream, self.lanes.count());
        let end = rest + left;
        let padded = self.padded_for == Some(message_len) && rest == 0;
        let mut len = 0;
        let Lanes { states, tails, backend, room } = &mut self.lanes;
        for (lane, tail) in tails.chunks_exact_mut(*room).enumerate() {
            copy(lane, &mut tail[rest..end]);
            if !padded {
                tail[end..].fill(0);
            }
            if !padded || lane == 0 {
                len = stream.last(message_len, tail, end, |i, word| {
                    states[i * lanes..][..lanes].fill(word);
                });
            }
        }
        self.padded_for = (rest == 0).then_some(message_len);
        if !padded {
            let known = end == 0 && backend.absorbs_known();
            self.known = known.then(|| stream.known(&tails[..len]));
        }
        let block_len = stream.blocks().len;
        match &self.known {
            Some(known) => backend.absorb_known(states, known),
            None => self.lanes.absorb_tails(stream.shape(), block_len, len / block_len),
        }
    }
}

/// One lane, or the state and the tail of a message that is finished without the others.
pub(crate) struct Lane<'l, F: Family> {
    words: &'l mut [F::Word],
    lanes: usize,
    lane: usize,
    tail: &'l mut [u8],
}

impl<F: Family> Lane<'_, F> {
    #[inline(always)]
    fn word(&self, i: usize) -> F::Word {
        self.words[i * self.lanes + self.lane]
    }

    #[inline(always)]
    fn set(&mut self, i: usize, word: F::Word) {
        self.words[i * self.lanes + self.lane] = word;
    }

    #[inline(always)]
    fn set_state(&mut self, state: &[F::Word]) {
        state.iter().enumerate().for_each(|(i, &word)| self.set(i, word));
    }
}

/// What a lane does while messages of different lengths are hashed.
#[derive(Clone, Copy)]
pub(crate) struct Job<'m> {
    index: usize,
    message: &'m [u8],
    /// How much of the message has been taken from it.
    taken: usize,
    /// The run of whole blocks that the lane absorbs now: where it begins and ends, in the message
    /// or in the lane's tail.
    start: usize,
    end: usize,
    source: Source,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// The run lies in the message.
    Message,
    /// The run is the first block, which began before the message.
    Head,
    /// The run is the padded end.
    Tail,
}

impl<'m> Job<'m> {
    fn new(index: usize, message: &'m [u8]) -> Self {
        Job { index, message, taken: 0, start: 0, end: 0, source: Source::Head }
    }

    /// The first run, if the message completes a block that began before it: that block.
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

    /// The whole blocks that are left of the message, if any are.
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

    /// The last run: the bytes that wait, what is left of the message, and the padding.
    #[inline(always)]
    fn pad<S: Sequential>(&mut self, stream: &S, waiting: &[u8], lane: &mut Lane<'_, S::Family>) {
        let left = &self.message[self.taken..];
        let end = waiting.len() + left.len();
        // As many zeros as the compiler knows of, so that it needs no call.
        lane.tail[..size_of::<<S::Family as Family>::Tail>()].fill(0);
        copy_short(&mut lane.tail[..waiting.len()], waiting);
        copy_short(&mut lane.tail[waiting.len()..end], left);
        self.source = Source::Tail;
        self.start = 0;
        let Lane { words, lanes, lane, tail } = lane;
        let set = |i: usize, word| words[i * *lanes + *lane] = word;
        self.end = stream.last(self.message.len(), tail, end, set);
    }

    /// The first `len` bytes of the run.
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

/// Jobs for the lanes.
trait Queue<'m, F: Family> {
    /// Gives the lane the next message, its state and its first run; `None` if no message is left.
    fn next(&mut self, lane: &mut Lane<'_, F>) -> Option<Job<'m>>;
    /// The job's run has been absorbed: gives it the next one. At the end takes the result from the
    /// lane and says so.
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_, F>) -> bool;
}

/// Works through a queue:
///
/// > while some lane has a job: absorb, in all lanes, as many blocks as the shortest run has;
/// > give the lanes whose run has ended their next run, and those whose message has ended the next
/// > message.
///
/// When the messages run out and one message at a time is quicker for the lanes that are still
/// busy, they are finished so. Blocks lie `stride` bytes apart.
fn drive<'m, F: Family, Q: Queue<'m, F>>(
    lanes: &mut Lanes<F>,
    (stride, shape): (usize, F::Shape),
    queue: &mut Q,
) {
    let (count, room) = (lanes.count(), lanes.room);
    let mut jobs: [Job<'m>; LANES] = [Job::new(0, &[]); LANES];
    // Masks of lanes and an array of what each has left, because a branch for every lane and step
    // is one that the CPU cannot predict.
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
        if busy != all && backend::for_messages::<F>(active(), PLENTY).lanes() <= 2 {
            let busy = (0..count).filter(|&lane| is_busy(lane));
            let layout = (stride, shape);
            return busy.for_each(|lane| finish_alone(lanes, lane, &mut jobs[lane], layout, queue));
        }
        let (mut inputs, mut step): ([&[u8]; LANES], _) = ([&[]; LANES], PLENTY);
        left.iter().for_each(|&left| step = step.min(left));
        for (lane, input) in inputs[..count].iter_mut().enumerate() {
            let lane = if is_busy(lane) { lane } else { some };
            *input = jobs[lane].bytes(step, &lanes.tails[lane * room..][..room]);
        }
        let input = Input { lanes: &inputs[..count], stride, blocks: step / stride };
        lanes.backend.absorb(&mut lanes.states, shape, &input);
        for (lane, (job, left)) in jobs.iter_mut().zip(left.iter_mut()).enumerate() {
            job.start += step;
            // What an idle lane has left is more than any message.
            *left -= step;
            ended |= u32::from(*left == 0) << lane;
        }
    }
}

/// What is left of a lane's job, without the other lanes.
fn finish_alone<'m, F: Family, Q: Queue<'m, F>>(
    lanes: &mut Lanes<F>,
    lane: usize,
    job: &mut Job<'m>,
    (stride, shape): (usize, F::Shape),
    queue: &mut Q,
) {
    let (one, mut state) = (backend::one::<F>(), F::State::default());
    let Lane { words, lanes, tail, .. } = lanes.lane(lane);
    for (i, word) in state.as_mut().iter_mut().enumerate() {
        *word = words[i * lanes + lane];
    }
    loop {
        let run = job.bytes(job.end - job.start, tail);
        let input = Input { lanes: &[run], stride, blocks: run.len() / stride };
        one.absorb(state.as_mut(), shape, &input);
        job.start = job.end;
        let mut alone = Lane { words: state.as_mut(), lanes: 1, lane: 0, tail: &mut *tail };
        if !queue.go_on(job, &mut alone) {
            return overwrite(&mut state, F::State::default());
        }
    }
}

/// What each of the streams, which have one shape, gives after its own message.
///
/// # Panics
/// If a message becomes longer than its standard allows.
pub(crate) fn finish_each<'a, S: Sequential>(
    streams: &'a Beside<'a, S>,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    let count = messages.count();
    let backend = backend::for_messages::<S::Family>(count, PLENTY);
    if backend.lanes() == 1 || count == 0 {
        return (0..count).for_each(|index| {
            let (stream, message) = (streams(index), messages.message(index));
            outputs.write(index, |out| finish_one(stream, message, out));
        });
    }
    let mut queue = Finish::new(Before::Each(streams), messages, outputs, 0);
    drive(&mut Lanes::new(backend), layout(streams(0)), &mut queue);
}

/// What [`drive`] takes.
fn layout<S: Sequential>(stream: &S) -> (usize, <S::Family as Family>::Shape) {
    (stream.blocks().len, stream.shape())
}

/// Streams by index, each with a message of its own.
pub(crate) type Beside<'a, S> = dyn Fn(usize) -> &'a S + 'a;

/// What the messages come after: the same for all, or for each its own.
enum Before<'a, S> {
    One(&'a S),
    Each(&'a Beside<'a, S>),
}

impl<'a, S> Before<'a, S> {
    #[inline(always)]
    fn stream(&self, index: usize) -> &'a S {
        match self {
            Before::One(stream) => stream,
            Before::Each(streams) => streams(index),
        }
    }
}

/// Messages after their prefixes, whose outputs are wanted.
struct Finish<'a, 'm, 'o, S> {
    before: Before<'a, S>,
    messages: &'m dyn Messages,
    outputs: &'m mut Slots<'o>,
    next: usize,
    count: usize,
    /// The window from `next` on, the message that is next last: its blocks × `WINDOW` + its place
    /// in the window.
    order: [usize; WINDOW],
    /// How many of the window are left.
    left: usize,
}

/// Messages that are put in order before they are given to lanes.
const WINDOW: usize = 256;

impl<'a, 'm, 'o, S: Sequential> Finish<'a, 'm, 'o, S> {
    /// From message `next` on.
    fn new(
        before: Before<'a, S>,
        messages: &'m dyn Messages,
        outputs: &'m mut Slots<'o>,
        next: usize,
    ) -> Self {
        let count = messages.count();
        Finish { before, messages, outputs, next, count, order: [0; WINDOW], left: 0 }
    }

    /// Puts the next window in order: those of most blocks are taken first. So lanes have runs of
    /// one length, which they begin and end together: 1.6 → 1.9 times a loop, SHA-256 of 0 to 2000
    /// bytes in 16 lanes of a Xeon.
    fn fill_window(&mut self) {
        let blocks = self.before.stream(0).blocks();
        self.left = WINDOW.min(self.count - self.next);
        let order = &mut self.order[..self.left];
        for (place, key) in order.iter_mut().enumerate() {
            let index = self.next + place;
            let (waiting, message) =
                (self.before.stream(index).waiting(), self.messages.message(index));
            // The order of those that are longer matters little, and their key must fit in 32 bits.
            *key = blocks.of(waiting.len() + message.len()).min(1 << 20) * WINDOW + place;
        }
        order.sort_unstable();
    }
}

impl<'m, S: Sequential> Queue<'m, S::Family> for Finish<'_, 'm, '_, S> {
    #[inline(always)]
    fn next(&mut self, lane: &mut Lane<'_, S::Family>) -> Option<Job<'m>> {
        if self.left == 0 {
            if self.next == self.count {
                return None;
            }
            self.fill_window();
        }
        self.left -= 1;
        let index = self.next + self.order[self.left] % WINDOW;
        let stream = self.before.stream(index);
        let waiting = stream.waiting();
        let mut job = Job::new(index, self.messages.message(index));
        if self.left == 0 {
            self.next = self.count.min(self.next + WINDOW);
        }
        lane.set_state(stream.state().as_ref());
        if waiting.is_empty() {
            self.go_on(&mut job, lane);
        } else if !job.head(stream.blocks(), waiting, lane.tail) {
            job.pad(stream, waiting, lane);
        }
        Some(job)
    }

    #[inline(always)]
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_, S::Family>) -> bool {
        let stream = self.before.stream(job.index);
        if job.source == Source::Tail {
            self.outputs.write(job.index, |out| stream.output(|i| lane.word(i), out));
            return false;
        }
        if !job.run(stream.blocks()) {
            job.pad(stream, &[], lane);
        }
        true
    }
}

/// Streams by index; all of one call have the same shape.
pub(crate) trait Streams<S> {
    fn stream(&mut self, index: usize) -> &mut S;
}

/// What `try_update(piece)` does, for every stream and its piece, in lanes where several have whole
/// blocks.
///
/// # Panics
/// If a message becomes longer than its standard allows.
pub(crate) fn update_many<S: Resumable>(streams: &mut dyn Streams<S>, pieces: &dyn Messages) {
    let count = pieces.count();
    let backend = backend::for_messages::<S::Family>(count, PLENTY);
    if backend.lanes() == 1 || count == 0 {
        (0..count).for_each(|index| must(streams.stream(index).try_update(pieces.message(index))));
    } else {
        let (layout, blocks) = (layout(streams.stream(0)), streams.stream(0).blocks());
        drive(&mut Lanes::new(backend), layout, &mut Updates { streams, pieces, next: 0, blocks });
    }
}

/// Hashers that each absorb a piece of their own message.
struct Updates<'a, 'm, S: Sequential> {
    streams: &'a mut dyn Streams<S>,
    pieces: &'m dyn Messages,
    next: usize,
    blocks: Blocks,
}

impl<'m, S: Resumable> Queue<'m, S::Family> for Updates<'_, 'm, S> {
    #[inline(always)]
    fn next(&mut self, lane: &mut Lane<'_, S::Family>) -> Option<Job<'m>> {
        while self.next < self.pieces.count() {
            let stream = self.streams.stream(self.next);
            let mut job = Job::new(self.next, self.pieces.message(self.next));
            self.next += 1;
            let waiting = stream.waiting();
            if waiting.is_empty() && job.run(self.blocks)
                || job.head(self.blocks, waiting, lane.tail)
            {
                lane.set_state(stream.state().as_ref());
                return Some(job);
            }
            // No block becomes complete.
            must(stream.try_update(job.message));
        }
        None
    }

    #[inline(always)]
    fn go_on(&mut self, job: &mut Job<'m>, lane: &mut Lane<'_, S::Family>) -> bool {
        if job.run(self.blocks) {
            return true;
        }
        let stream = self.streams.stream(job.index);
        must(stream.resume(|i| lane.word(i), job.taken));
        must(stream.try_update(&job.message[job.taken..]));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2::Words32;
    use crate::wipe;

    #[test]
    fn lanes_are_wiped() {
        let mut lanes = Lanes::<Words32>::new(backend::one());
        lanes.states.fill(1);
        lanes.tails.fill(1);
        let lanes = wipe::dropped(lanes);
        assert_eq!((lanes.states, lanes.tails), ([0; STATES], [0; TAILS]));
    }
}
