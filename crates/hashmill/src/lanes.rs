//! Hashes many messages in the lanes of a vector: the scheduler that keeps the lanes busy, and the
//! functions that use it.
//!
//! # How lanes are kept busy
//! A backend of 16 lanes takes as long for one message as for 16, so every idle lane wastes time.
//! There are two ways to fill the lanes. [`hash_many`] chooses one of them by the lengths of the
//! next group of messages, one message for each lane:
//!
//! - **One number of blocks** ([`Together`]). The backend reads whole blocks directly from the
//!   messages, and last blocks from the lanes' tails. If all messages of the group have one length,
//!   states and padding are prepared once for all groups ([`Plan`]). Rows of a column, Merkle nodes
//!   and keys usually have one length; short messages usually have one block.
//! - **Mixed lengths** ([`drive`]). The scheduler sorts the next [`WINDOW`] messages by their
//!   number of blocks. Where enough of them for all lanes have one number, they are hashed as above.
//!   The others are jobs, the longest first: a *job* is a message, and the run of whole blocks that
//!   its lane absorbs now. All lanes advance by the shortest remaining run, because a backend absorbs
//!   the same number of blocks in every lane. A lane whose run has ended takes its next run: first the
//!   whole blocks of the message, then the padded tail. A lane whose message has ended takes the next
//!   message. An idle lane absorbs the blocks of a busy lane, and its result is not used. When the
//!   messages have run out and the cost table picks at most two lanes for the jobs that remain, these
//!   are finished one after the other.
//!
//! A backend of two lanes takes messages in pairs, without tails and jobs: see [`finish_two`]. Such
//! backends are SHA-256 with the instructions of x86, SHA-256 and SHA-512 with those of Arm, and
//! words of 64 bits in the vectors of 128 bits of Arm and WebAssembly.
//!
//! The scheduler does not need the types of streams: see [`any`].
//!
//! [`update_many`] uses the same scheduler to update several hashers at once. There a job is a
//! piece of a message, and at its end the lane's state is copied back to the hasher.

pub(crate) mod any;
pub(crate) mod chains;
#[cfg(feature = "rayon")]
pub(crate) mod threads;

pub(crate) use crate::backend::LANES;
use crate::backend::{self, AnyRunnable, Family, Input};
use crate::buffer::{Blocks, copy_short};
use crate::messages::{Messages, Slots};
use crate::stream::{Progress, Sequential, finish_one, must};
use crate::wipe::wipe_bytes;
use any::{AnyList, AnyProgress, AnySequential, Known, Lane, List, Place, Used, seen};
pub(crate) use any::{StreamList, best};
use core::mem::MaybeUninit;

/// The most bytes of the tails of all lanes: 32 tails of SHA-256 have 128 bytes each, 16 of SHA-512
/// 256 and 8 of Keccak 384.
const TAILS: usize = 32 * 128;
/// The most bytes of the states of all lanes: those of Keccak in eight.
const STATES: usize = 8 * MAX_STATE;
/// Bytes of the largest state, that of Keccak.
const MAX_STATE: usize = 25 * 8;
/// A number greater than the bytes or blocks of any message. As the length of messages it makes
/// [`for_messages`](crate::backend::for_messages) choose the backend for long messages; as the bytes
/// that a lane has left it stands for an idle lane.
pub(crate) const PLENTY: usize = usize::MAX;
/// Lines of 64 bytes in the longest tail, that of Keccak.
const LINES: usize = 6;
/// The most bytes of an output that is written to a tail.
const ROW: usize = 64;

/// Hashes every message, each after the prefix that `stream` has absorbed, and writes the outputs.
///
/// # Panics
/// If a message becomes longer than its standard allows.
pub(crate) fn finish_many<S: Sequential>(
    stream: &S,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    if is_scalar::<S::Family>() {
        let finish = |i: usize, out: &mut [u8]| finish_one(stream, messages.message(i), out);
        return outputs.write_group(0, messages.count(), finish);
    }
    finish(Prefix::One(seen(stream)), messages, outputs);
}

/// Hashes every message after the prefix that its own stream has absorbed, and writes the outputs.
/// All streams must have the same shape.
///
/// # Panics
/// If a message becomes longer than its standard allows.
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
        _ => finish(Prefix::Each(&List(streams)), messages, outputs),
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
fn finish<X: AnySequential + ?Sized>(
    prefix: Prefix<'_, X>,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    let (count, mut next) = (messages.count(), 0);
    while next < count {
        let mut group = *NO_GROUP;
        let gathered = LANES.min(count - next);
        messages.gather(next, &mut group[..gathered]);
        let messages_of_group = &group[..gathered];
        let longest = messages_of_group.iter().map(|message| message.len()).max().unwrap_or(0);
        let stream = prefix.stream(next);
        let (backend, sizes) = (stream.best(count - next, longest), stream.sizes());
        next += match backend.lanes() {
            2 if sizes.has_two && gathered > 1 => {
                let pairs = messages_of_group.as_chunks::<2>().0;
                if !finish_pairs(prefix, backend, pairs, outputs, next) {
                    for (i, pair) in pairs.iter().enumerate() {
                        finish_two(prefix, backend, pair, outputs, next + 2 * i);
                    }
                }
                2 * pairs.len()
            }
            3.. if sizes.has_more && sizes.known => {
                finish_known(prefix, backend, (messages, &mut group), outputs, next) - next
            }
            3.. if sizes.has_more => {
                let messages = (messages, &mut group);
                finish_groups(prefix, backend, messages, outputs, next, None) - next
            }
            // A single message gets a backend of two lanes only if that backend is forced.
            _ => {
                prefix.finish_in_turn(messages_of_group, outputs, next);
                gathered
            }
        }
    }
}

/// Calls [`finish_groups`] with a place for a known schedule. A function of its own, so that the other
/// families do not need 10 KiB of the stack for one.
#[inline(never)]
fn finish_known<'m, X: AnySequential + ?Sized>(
    prefix: Prefix<'_, X>,
    backend: AnyRunnable,
    messages: (&'m dyn Messages, &mut [&'m [u8]; LANES]),
    outputs: &mut Slots<'_>,
    next: usize,
) -> usize {
    finish_groups(prefix, backend, messages, outputs, next, Some(&mut Known::none()))
}

/// Hashes the messages from index `next` on in groups of one message for each lane, and returns the
/// index of the first message that is left. `group` contains the first messages. Messages that do
/// not fill the last group are left, unless it is the only group. From the first group on whose
/// messages cannot be hashed together, all messages are hashed as jobs and none is left.
///
/// Not inlined, because the lanes take more than a page of the stack.
#[inline(never)]
fn finish_groups<'m, X: AnySequential + ?Sized>(
    prefix: Prefix<'_, X>,
    backend: AnyRunnable,
    (messages, group): (&'m dyn Messages, &mut [&'m [u8]; LANES]),
    outputs: &mut Slots<'_>,
    mut next: usize,
    known: Option<&mut Known>,
) -> usize {
    let (count, lanes) = (messages.count(), backend.lanes());
    let mut together = Together::new(prefix, backend, known);
    together.clear();
    // Another backend may be faster for the messages that do not fill a group.
    let end = if count - next < lanes { count } else { count - (count - next) % lanes };
    loop {
        let of_group = lanes.min(end - next);
        if !together.absorb(group, next, of_group) {
            let mut queue = Finish::new(prefix, backend, messages, outputs, next);
            together.lanes.backend = backend;
            together.lanes.clear_states();
            drive(&mut together.lanes, &mut queue);
            return count;
        }
        together.output(outputs, next, of_group);
        next += of_group;
        if next == end {
            return end;
        }
        messages.gather(next, &mut group[..lanes.min(end - next)]);
    }
}

/// Hashes two messages: in two lanes as far as both have whole blocks, then one after the other.
fn finish_two<X: AnySequential + ?Sized>(
    prefix: Prefix<'_, X>,
    backend: AnyRunnable,
    pair: &[&[u8]; 2],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    let streams = [prefix.stream(next), prefix.stream(next + 1)];
    let Blocks { len, lookahead, .. } = streams[0].layout();
    let common = pair[0].len().min(pair[1].len()).saturating_sub(lookahead) / len;
    let waiting = streams.iter().any(|stream| !stream.waits().is_empty());
    // Few common blocks may not be worth the lanes, because the CPU overlaps successive hashes, too.
    if waiting || common == 0 || streams[0].for_messages(2, common).lanes() != 2 {
        return prefix.finish_in_turn(pair, outputs, next);
    }
    let mut states = Used::<{ 2 * MAX_STATE }>::none();
    states.clear(2 * streams[0].sizes().state);
    for (lane, stream) in streams.into_iter().enumerate() {
        stream.set_state(&[], &mut states, 2, lane);
    }
    let input = Input { lanes: pair, stride: len, blocks: common };
    streams[0].absorb(backend, &mut states, &input);
    for (lane, (stream, message)) in streams.into_iter().zip(pair).enumerate() {
        let end = (message.len(), &message[common * len..]);
        outputs.write(next + lane, |out| stream.finish_lane(&states, 2, lane, end, out));
    }
    wipe_bytes(&mut states);
}

/// Hashes messages in pairs if each is one block after the same prefix and the backend has a function for
/// such pairs, and returns whether it did.
fn finish_pairs<X: AnySequential + ?Sized>(
    prefix: Prefix<'_, X>,
    backend: AnyRunnable,
    pairs: &[[&[u8]; 2]],
    outputs: &mut Slots<'_>,
    next: usize,
) -> bool {
    let Prefix::One(stream) = prefix else { return false };
    of_one_length(pairs.as_flattened()) && stream.finish_pairs(backend, pairs, outputs, next)
}

#[inline]
fn of_one_length(group: &[&[u8]]) -> bool {
    group.iter().all(|message| message.len() == group[0].len())
}

/// Computes HMAC of the first messages: hashes each with `inner`, then that digest, of `digest_len`
/// bytes, with `outer`. Returns how many messages were hashed. It stops at the first group that
/// does not fill the lanes or cannot be hashed together, and hashes none if the backend has one lane.
///
/// The inner digests stay in the tails of the inner hash, and the outer hash reads them there.
pub(crate) fn finish_nested<S: Sequential>(
    [inner, outer]: [&S; 2],
    digest_len: usize,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) -> usize {
    match is_scalar::<S::Family>() {
        true => 0,
        false => nested([seen(inner), seen(outer)], digest_len, messages, outputs),
    }
}

fn nested<X: AnySequential + ?Sized>(
    [inner, outer]: [&X; 2],
    digest_len: usize,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) -> usize {
    let count = messages.count();
    let backend = inner.for_messages(count, PLENTY);
    let lanes = backend.lanes();
    if lanes == 1 || count < lanes {
        return 0;
    }
    let mut known = Known::none();
    let mut inner = Together::new(Prefix::One(inner), backend, Some(&mut known));
    // The last block of the outer hash contains the end of a digest.
    let mut outer = Together::new(Prefix::One(outer), backend, None);
    inner.clear();
    outer.clear();
    let mut next = 0;
    while count - next >= lanes {
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        messages.gather(next, &mut group[..lanes]);
        if !inner.absorb(&mut group, next, lanes) {
            break;
        }
        inner.digests(next, digest_len);
        let mut digests = inner.lanes.tails.chunks_exact(inner.lanes.room);
        for (digest, tail) in group.iter_mut().map_while(|it| Some((it, digests.next()?))) {
            *digest = &tail[..digest_len];
        }
        outer.absorb(&mut group, 0, lanes);
        outer.output(outputs, next, lanes);
        next += lanes;
    }
    next
}

/// The lanes of a backend: their states, and their tails for blocks that cannot be read directly
/// from a message.
pub(crate) struct Lanes {
    pub backend: AnyRunnable,
    /// Word `w` of lane `l` is word `w * lanes + l`.
    pub states: Used<STATES>,
    /// Lane `l` has the `room` bytes from `l * room` on.
    pub tails: Used<TAILS>,
    /// Bytes of a tail: a multiple of 64, the length of a cache line.
    pub room: usize,
    /// Bytes of the state of one lane.
    state: usize,
}

impl Lanes {
    /// Creates lanes for streams of the type of `stream`. They must be cleared before their use. They are
    /// not cleared here, because moving them to their place would then copy 4 KiB.
    #[inline(always)]
    pub fn new(stream: &(impl AnySequential + ?Sized), backend: AnyRunnable) -> Self {
        let sizes = stream.sizes();
        let (room, state) = (sizes.room, sizes.state);
        Lanes { backend, states: Used::none(), tails: Used::none(), room, state }
    }

    /// Clears the states and tails of all lanes.
    #[inline]
    pub fn clear(&mut self) {
        self.clear_states();
        self.tails.clear(self.room * self.count());
    }

    /// Clears the states of all lanes.
    fn clear_states(&mut self) {
        self.states.clear(self.state * self.count());
    }

    #[inline(always)]
    pub fn count(&self) -> usize {
        self.backend.lanes()
    }

    #[inline(always)]
    fn lane(&mut self, lane: usize) -> Lane<'_> {
        let (lanes, room) = (self.count(), self.room);
        let tail = &mut self.tails[lane * room..][..room];
        Lane { states: &mut self.states, lanes, lane, tail }
    }

    /// Absorbs `blocks` blocks from every lane's tail.
    pub fn absorb_tails<X: AnySequential + ?Sized>(&mut self, stream: &X, blocks: usize) {
        let (tails, room, count) = (&self.tails[..], self.room, self.count());
        // The tails beyond those of the lanes are not set: this would take as long as to set those.
        let mut lanes = [const { MaybeUninit::uninit() }; LANES];
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            lane.write(&tails[i * room..][..room]);
        }
        // SAFETY: the first `count` have been written, and the layouts are the same.
        let lanes = unsafe { core::slice::from_raw_parts(lanes.as_ptr().cast(), count) };
        let input = Input { lanes, stride: stream.layout().len, blocks };
        stream.absorb(self.backend, &mut self.states, &input);
    }

    /// Absorbs in every lane the block that begins with the stream's waiting bytes and ends with the
    /// first `head` bytes of the lane's message, and takes these from the message.
    fn absorb_heads<X: AnySequential + ?Sized>(
        &mut self,
        stream: &X,
        inputs: &mut [&[u8]],
        head: usize,
    ) {
        let (waiting, stride) = (stream.waits(), stream.layout().len);
        let mut around = [[0; 64]; LINES];
        around.as_flattened_mut()[..waiting.len()].copy_from_slice(waiting);
        let mut heads: [&[u8]; LANES] = [&[]; LANES];
        for (first, input) in heads.iter_mut().zip(inputs.iter_mut()) {
            (*first, *input) = input.split_at(head);
        }
        let (heads, lines) = (&heads[..inputs.len()], &around[..stride.div_ceil(64)]);
        self.backend.lay(heads, waiting.len(), lines, &mut self.tails, self.room);
        wipe_bytes(around.as_flattened_mut());
        self.absorb_tails(stream, 1);
    }

    /// Writes the outputs of all lanes, at most [`ROW`] bytes each, to their tails. Further bytes of the
    /// tails, up to a multiple of 16, may change.
    pub fn digests<X: AnySequential + ?Sized>(&mut self, stream: &X, len: usize) {
        let Lanes { backend, states, tails, room, .. } = self;
        if !stream.rows(*backend, states, tails, [*room, len.next_multiple_of(16)]) {
            stream.output_each(states, tails, *room, len);
        }
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        wipe_bytes(&mut self.states);
        wipe_bytes(&mut self.tails);
    }
}

/// The lanes for groups of messages of one number of blocks, at most one message for each lane.
pub(crate) struct Together<'s, 'k, X: AnySequential + ?Sized> {
    prefix: Prefix<'s, X>,
    lanes: Lanes,
    backend: AnyRunnable,
    /// How messages of one length are absorbed, once it is known.
    plan: Option<Plan>,
    /// The states with which messages of that length begin, laid out as those of the lanes. If they
    /// have only last blocks, the words that change before the last block are set.
    start: Used<STATES>,
    /// The last blocks of messages of that length, with zeros in place of the messages' bytes.
    around: [[u8; 64]; LINES],
    /// The schedule of the last block, if `plan` says so. It has a place of its own, because 10 KiB would
    /// be copied when the lanes are made. Without a place no schedule is kept.
    known: Option<&'k mut Known>,
}

/// How messages of one length are absorbed. It is made once and used for every group.
struct Plan {
    message_len: usize,
    backend: AnyRunnable,
    /// How many bytes of a message complete the block that begins with the waiting bytes, or 0.
    head: usize,
    /// The whole blocks after the head, which are read where they lie in the messages.
    whole: usize,
    /// Where in the last blocks the last bytes of a message begin.
    at: usize,
    /// Where in the last blocks they end.
    end: usize,
    /// The number of last blocks, which contain padding.
    blocks: usize,
    /// Whether the last block contains nothing but padding and the backend takes its schedule.
    known: bool,
}

impl<'s, 'k, X: AnySequential + ?Sized> Together<'s, 'k, X> {
    #[inline(always)]
    fn new(prefix: Prefix<'s, X>, backend: AnyRunnable, known: Option<&'k mut Known>) -> Self {
        let lanes = Lanes::new(prefix.stream(0), backend);
        let (start, around) = (Used::none(), [[0; 64]; LINES]);
        Together { prefix, lanes, backend, plan: None, start, around, known }
    }

    /// Clears the tails, which must be done first. The states are set before they are read. When they
    /// were cleared, too, `memset` took 10.7 % of the time of four messages of 32 B (BLAKE2b, Xeon).
    fn clear(&mut self) {
        self.lanes.tails.clear(self.lanes.room * self.lanes.count());
    }

    /// Whether messages of different lengths, or with streams of their own, can be absorbed
    /// together: they have as many whole blocks and as many blocks with padding, no bytes wait in
    /// their streams, and no trailer follows them.
    fn side_by_side(&self, group: &[&[u8]], indices: &[usize]) -> bool {
        let stream = self.prefix.stream(indices[0]);
        let alike = stream.layout().alike(group[0].len());
        stream.ends_alike()
            && group.iter().all(|message| alike.contains(&message.len()))
            && match self.prefix {
                Prefix::One(stream) => stream.waits().is_empty(),
                Prefix::Each(streams) => !streams.wait(indices),
            }
    }

    /// Absorbs the first `count` messages of a group, padding included, and returns true; or returns
    /// false if they cannot be absorbed together. The first message has index `first`.
    fn absorb(&mut self, group: &mut [&[u8]; LANES], first: usize, count: usize) -> bool {
        let (idle, len, lanes) = (group[0], group[0].len(), self.lanes.count());
        // An idle lane computes the same as the first lane, and its result is not used.
        group[count..lanes].fill(idle);
        if matches!(self.prefix, Prefix::One(_)) && of_one_length(&group[..count]) {
            if self.plan.as_ref().is_none_or(|plan| plan.message_len != len) {
                self.prepare(len);
            }
            self.absorb_planned(&mut group[..lanes]);
        } else {
            let mut indices = [first; LANES];
            (0..count).for_each(|lane| indices[lane] += lane);
            if !self.side_by_side(&group[..count], &indices[..count]) {
                return false;
            }
            self.absorb_others(&mut group[..lanes], &indices[..lanes]);
        }
        true
    }

    /// Makes the plan for messages of `message_len` bytes.
    #[inline(never)]
    fn prepare(&mut self, message_len: usize) {
        let (stream, lanes) = (self.prefix.stream(0), self.lanes.count());
        let (blocks, mut waiting, mut then) = (stream.layout(), stream.waits(), &[][..]);
        let enough = blocks.len + blocks.lookahead;
        // A whole block that waits for a byte after it (BLAKE2) is absorbed once for all messages.
        if waiting.len() == blocks.len && waiting.len() + message_len >= enough {
            (then, waiting) = (waiting, then);
        }
        let completes = !waiting.is_empty() && waiting.len() + message_len >= enough;
        let head = if completes { blocks.len - waiting.len() } else { 0 };
        let at = if completes { 0 } else { waiting.len() };
        let mut left = message_len - head;
        let whole =
            if at > 0 || left < enough { 0 } else { (left - blocks.lookahead) / blocks.len };
        left -= whole * blocks.len;
        let end = at + left;
        let backend = stream.of_blocks(self.backend, blocks.of(waiting.len() + message_len));
        let (start, around) = (&mut self.start, self.around.as_flattened_mut());
        start.used(self.lanes.state * lanes, |start| stream.splat(then, start, lanes));
        if self.plan.is_some() {
            around.fill(0);
        }
        around[..at].copy_from_slice(&waiting[..at]);
        let only_last = head == 0 && whole == 0;
        let place = match only_last {
            true => Place { states: start, lanes, lane: None },
            false => Place { states: &mut [], lanes: 0, lane: None },
        };
        let len = stream.pad(message_len, around, end, place);
        let known = self.known.as_deref_mut().filter(|_| end == 0);
        let known = known.is_some_and(|known| stream.keep_known(backend, &around[..len], known));
        let blocks = len / blocks.len;
        self.plan = Some(Plan { message_len, backend, head, whole, at, end, blocks, known });
    }

    /// Absorbs messages of the plan's length.
    #[inline(always)]
    fn absorb_planned(&mut self, inputs: &mut [&[u8]]) {
        let Some(plan) = &self.plan else { return };
        let (stream, lanes, backend) = (self.prefix.stream(0), inputs.len(), plan.backend);
        let stride = stream.layout().len;
        self.lanes.backend = backend;
        match self.lanes.states.is_empty() {
            true => self.lanes.states.copy_from(&self.start),
            false => backend.copy(&mut self.lanes.states, &self.start),
        }
        if plan.head > 0 {
            self.lanes.absorb_heads(stream, inputs, plan.head);
        }
        if plan.whole > 0 {
            let input = Input { lanes: inputs, stride, blocks: plan.whole };
            stream.absorb(backend, &mut self.lanes.states, &input);
            inputs.iter_mut().for_each(|input| *input = &input[plan.whole * stride..]);
        }
        let Lanes { states, tails, room, .. } = &mut self.lanes;
        if plan.head > 0 || plan.whole > 0 {
            let place = Place { states, lanes, lane: None };
            stream.pad(plan.message_len, &mut tails[..*room], plan.end, place);
        }
        if let Some(known) = self.known.as_deref().filter(|_| plan.known) {
            stream.absorb_known(backend, states, known);
        } else if plan.at == 0 && plan.end == stride {
            // BLAKE2's last block may be whole. Then it is read directly from the message.
            stream.absorb(backend, states, &Input { lanes: inputs, stride, blocks: 1 });
        } else {
            let around = &self.around[..(plan.blocks * stride).div_ceil(64)];
            backend.lay(inputs, plan.at, around, tails, *room);
            self.lanes.absorb_tails(stream, plan.blocks);
        }
    }

    /// Absorbs messages with lengths or streams of their own. `indices` has the index of the message
    /// in each lane.
    #[inline(never)]
    fn absorb_others(&mut self, inputs: &mut [&[u8]], indices: &[usize]) {
        let (stream, len) = (self.prefix.stream(indices[0]), inputs[0].len());
        let (blocks, lanes) = (stream.layout(), inputs.len());
        let backend = stream.of_blocks(self.backend, blocks.of(len));
        self.lanes.backend = backend;
        let state = self.lanes.state;
        match self.prefix {
            Prefix::One(stream) => {
                let splat = |states: &mut [MaybeUninit<u8>]| stream.splat(&[], states, lanes);
                self.lanes.states.used(state * lanes, splat);
            }
            Prefix::Each(streams) => {
                if self.lanes.states.is_empty() {
                    self.lanes.clear_states();
                }
                streams.set_states(indices, &mut self.lanes.states);
            }
        }
        let whole = len.saturating_sub(blocks.lookahead) / blocks.len;
        let taken = whole * blocks.len;
        if whole > 0 {
            let input = Input { lanes: inputs, stride: blocks.len, blocks: whole };
            stream.absorb(backend, &mut self.lanes.states, &input);
        }
        let mut ends: [&[u8]; LANES] = [&[]; LANES];
        ends.iter_mut().zip(&*inputs).for_each(|(end, input)| *end = &input[taken..]);
        let lines = (blocks.of(len - taken).max(1) * blocks.len).div_ceil(64);
        let Lanes { states, tails, room, .. } = &mut self.lanes;
        backend.lay(&ends[..lanes], 0, &[[0; 64]; LINES][..lines], tails, *room);
        let padded = match self.prefix {
            Prefix::One(stream) => stream.pad_each(inputs, taken, (tails, *room), states),
            Prefix::Each(streams) => {
                streams.pad_each(indices, inputs, taken, (tails, *room), states)
            }
        };
        self.lanes.absorb_tails(stream, padded / blocks.len);
    }

    /// Writes the outputs of the first `count` lanes.
    #[inline(always)]
    fn output(&mut self, outputs: &mut Slots<'_>, first: usize, count: usize) {
        let (len, lanes) = (outputs.output_len(), self.lanes.count());
        let (stream, Lanes { backend, states, .. }) = (self.prefix.stream(first), &mut self.lanes);
        if len > ROW {
            if let Some((bytes, stride)) = outputs.in_place(first, count)
                && stream.output_lanes(*backend, states, bytes, [stride, len])
            {
                return;
            }
            return outputs.write_group(first, count, |lane, out| {
                self.prefix.stream(first + lane).output_of(states, lanes, lane, out);
            });
        }
        if let (0, Some((bytes, stride))) = (len % 16, outputs.in_place(first, count))
            && count == lanes
            && stream.rows(*backend, states, bytes, [stride, len])
        {
            return;
        }
        self.digests(first, len);
        let (tails, room) = (&self.lanes.tails, self.lanes.room);
        outputs
            .write_group(first, count, |lane, out| copy_short(out, &tails[lane * room..][..len]));
    }

    /// Writes the outputs of all lanes. `indices` has the index of the message in each lane.
    fn output_each(&mut self, outputs: &mut Slots<'_>, indices: &[usize]) {
        let (len, lanes) = (outputs.output_len(), self.lanes.count());
        if len > ROW {
            let output = |lane: usize, out: &mut [u8]| {
                self.prefix.stream(indices[lane]).output_of(&self.lanes.states, lanes, lane, out);
            };
            return (0..lanes).for_each(|i| outputs.write(indices[i], |out| output(i, out)));
        }
        self.digests(indices[0], len);
        for (lane, tail) in self.lanes.tails.chunks_exact(self.lanes.room).enumerate() {
            outputs.write(indices[lane], |out| copy_short(out, &tail[..len]));
        }
    }

    /// Writes the outputs of all lanes, at most [`ROW`] bytes each, to their tails.
    fn digests(&mut self, first: usize, len: usize) {
        self.lanes.digests(self.prefix.stream(first), len);
    }
}

impl<X: AnySequential + ?Sized> Drop for Together<'_, '_, X> {
    fn drop(&mut self) {
        wipe_bytes(&mut self.start);
        wipe_bytes(&mut self.around.as_flattened_mut()[..self.lanes.room]);
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

/// Processes the jobs of a queue with this loop:
///
/// > while some lane has a job: absorb, in all lanes, as many blocks as the shortest run has;
/// > give the lanes whose run has ended their next run, and those whose message has ended the next
/// > message.
///
/// When the messages have run out and the cost table picks at most two lanes for the jobs that
/// remain, these are finished one after the other.
fn drive<'m, Q: Queue<'m>>(lanes: &mut Lanes, queue: &mut Q) {
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
        let input = Input { lanes: &inputs[..count], stride, blocks: step / stride };
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
    lanes: &mut Lanes,
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
        let input = Input { lanes: &[run], stride, blocks: run.len() / stride };
        queue.any().absorb(one, &mut state, &input);
        job.start = job.end;
        let mut alone = Lane { states: &mut state, lanes: 1, lane: 0, tail: &mut *tail };
        if !queue.go_on(job, &mut alone) {
            return wipe_bytes(&mut state);
        }
    }
}

/// The streams that have absorbed the prefixes: one for all messages, or one for each message.
enum Prefix<'a, X: ?Sized> {
    One(&'a X),
    Each(&'a dyn AnyList<'a, X>),
}

// Not derived, because `X` need not be `Copy`.
impl<X: ?Sized> Copy for Prefix<'_, X> {}
impl<X: ?Sized> Clone for Prefix<'_, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, X: AnySequential + ?Sized> Prefix<'a, X> {
    #[inline(always)]
    fn stream(&self, index: usize) -> &'a X {
        match self {
            Prefix::One(stream) => stream,
            Prefix::Each(streams) => streams.stream(index),
        }
    }

    /// Hashes the messages one after the other and writes the first output to slot `next`, the second
    /// to the slot after it, and so on.
    fn finish_in_turn(&self, messages: &[&[u8]], outputs: &mut Slots<'_>, next: usize) {
        match self {
            Prefix::One(stream) => stream.finish_in_turn(messages, outputs, next),
            Prefix::Each(streams) => messages.chunks(1).enumerate().for_each(|(i, message)| {
                streams.stream(next + i).finish_in_turn(message, outputs, next + i);
            }),
        }
    }
}

/// A queue of messages that follow a prefix and are hashed to the end. Their outputs are written to
/// `outputs`.
struct Finish<'a, 'm, 'o, X: ?Sized> {
    prefix: Prefix<'a, X>,
    backend: AnyRunnable,
    messages: &'m dyn Messages,
    outputs: &'m mut Slots<'o>,
    blocks: Blocks,
    /// The index of the window's first message.
    next: usize,
    count: usize,
    /// The window, sorted so that the message to take next is last. The entry of a message is its
    /// [class](Blocks::class) × `WINDOW` + its place in the window.
    order: [u32; WINDOW],
    /// How many messages of the window are left.
    left: usize,
}

/// Number of messages that are sorted at a time before the lanes take them. With the four lanes of
/// WebAssembly, sorting gains at most 2 % for messages of 0 to 1000 bytes, costs 8 % for those of 0 to
/// 100, and takes 1.5 KB of SHA-256's module, gzipped (Node 24, Xeon). So there it is left out.
const WINDOW: usize = if cfg!(target_arch = "wasm32") { 1 } else { 256 };

impl<'a, 'm, 'o, X: AnySequential + ?Sized> Finish<'a, 'm, 'o, X> {
    /// Creates a queue of the messages from index `next` on.
    fn new(
        prefix: Prefix<'a, X>,
        backend: AnyRunnable,
        messages: &'m dyn Messages,
        outputs: &'m mut Slots<'o>,
        next: usize,
    ) -> Self {
        let (blocks, count, order) = (prefix.stream(next).layout(), messages.count(), [0; WINDOW]);
        Finish { prefix, backend, messages, outputs, blocks, next, count, order, left: 0 }
    }

    /// Sorts the next window, so that lanes take the messages with the most blocks first. Lanes
    /// then have runs of nearly one length, which begin and end together: 1.6 → 1.9 times as fast
    /// as a loop, SHA-256 of 0 to 2000 bytes in 16 lanes of a Xeon.
    fn fill_window(&mut self) {
        self.left = WINDOW.min(self.count - self.next);
        let order = &mut self.order[..self.left];
        for (place, key) in order.iter_mut().enumerate() {
            // Bytes that wait in a stream do not count here: the order matters only for the speed.
            let class = self.blocks.class(self.messages.message(self.next + place).len());
            // The order of messages of more than 2²⁰ blocks matters little, and the key has 32 bits.
            *key = (class.min(1 << 21) * WINDOW + place) as u32;
        }
        order.sort_unstable();
        let lanes = self.backend.lanes();
        let is_full = |group: &[u32]| class_of(group[0]) == class_of(group[lanes - 1]);
        if WINDOW > LANES && order.windows(lanes).any(is_full) {
            self.finish_groups();
        }
    }

    /// Hashes those messages of the window of which enough for all lanes have one number of blocks, and
    /// leaves the others to the jobs: 45 → 40 µs, 512 messages of SHA-256 of 0 to 200 bytes (Xeon).
    ///
    /// Not inlined, because it has lanes of its own.
    #[inline(never)]
    fn finish_groups(&mut self) {
        let (lanes, mut together) =
            (self.backend.lanes(), Together::new(self.prefix, self.backend, None));
        together.clear();
        let (mut left, mut at) = (0, 0);
        while at < self.left {
            let group = &self.order[at..self.left.min(at + lanes)];
            let is_full = class_of(group[0]) == class_of(group[group.len() - 1]);
            if group.len() == lanes && is_full && self.finish_group(&mut together, at) {
                at += lanes;
            } else {
                self.order[left] = self.order[at];
                (left, at) = (left + 1, at + 1);
            }
        }
        self.left = left;
    }

    /// Hashes the messages from place `at` of the window on, one in each lane, and returns true; or returns
    /// false if they cannot be absorbed together.
    fn finish_group(&mut self, together: &mut Together<'_, '_, X>, at: usize) -> bool {
        let (first, order, lanes) = (self.next, &self.order[at..], self.backend.lanes());
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        let mut indices = [0; LANES];
        for (lane, (message, index)) in group[..lanes].iter_mut().zip(&mut indices).enumerate() {
            *index = first + place_of(order[lane]);
            *message = self.messages.message(*index);
        }
        let indices = &indices[..lanes];
        let alike = together.side_by_side(&group[..lanes], indices);
        if alike {
            together.absorb_others(&mut group[..lanes], indices);
            together.output_each(self.outputs, indices);
        }
        alike
    }
}

/// Returns the place of the message of an entry of a window.
#[cfg_attr(
    target_arch = "wasm32",
    expect(clippy::modulo_one, reason = "there a window is one message")
)]
#[inline]
fn place_of(entry: u32) -> usize {
    entry as usize % WINDOW
}

/// Returns the class of the number of blocks in an entry of a window.
#[inline]
fn class_of(entry: u32) -> usize {
    entry as usize / WINDOW
}

impl<'m, X: AnySequential + ?Sized> Queue<'m> for Finish<'_, 'm, '_, X> {
    type Stream = X;

    #[inline(always)]
    fn next(&mut self, lane: &mut Lane<'_>) -> Option<Job<'m>> {
        while self.left == 0 {
            if self.next == self.count {
                return None;
            }
            self.fill_window();
            if self.left == 0 {
                self.next = self.count.min(self.next + WINDOW);
            }
        }
        self.left -= 1;
        let index = self.next + place_of(self.order[self.left]);
        let stream = self.prefix.stream(index);
        let waiting = stream.waits();
        let mut job = Job::new(index, self.messages.message(index));
        if self.left == 0 {
            self.next = self.count.min(self.next + WINDOW);
        }
        if waiting.is_empty() && job.message.len() < self.blocks.len + self.blocks.lookahead {
            (job.source, job.end) = (Source::Tail, stream.whole(lane, job.message));
            return Some(job);
        }
        stream.set_state(&[], lane.states, lane.lanes, lane.lane);
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

    fn any(&mut self) -> &X {
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
    let (mut lanes, blocks) = (Lanes::new(stream, backend), stream.layout());
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
                stream.set_state(&[], lane.states, lane.lanes, lane.lane);
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
        let mut lanes = Lanes::new(&stream, backend::one::<Words32>().any());
        lanes.clear();
        lanes.states.fill(1);
        lanes.tails.fill(1);
        let lanes = wipe::dropped(lanes);
        assert_eq!((&lanes.states[..], &lanes.tails[..]), (&[0; 32][..], &[0; 128][..]));
    }
}
