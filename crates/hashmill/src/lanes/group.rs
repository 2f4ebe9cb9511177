//! Groups of messages of one number of blocks, at most one message for each lane. This code is compiled
//! for each type of stream, because it runs for every group. When it was a part of the scheduler, which
//! is compiled once and calls virtual methods, four messages of 32 bytes took 333 ns and now 256
//! (BLAKE2b, Zen 4), and the library 26 s of CPU to compile and now 28.

use super::used::{MAX_STATE, STATES, TAILS, Used, as_words, as_words_mut};
use crate::backend::{self, End, Family, Input, LANES, Runnable, has_lanes, with_lanes};
use crate::buffer::{Blocks, copy_short};
use crate::messages::{Messages, Slots, indexed};
use crate::stream::{Sequential, State, Word, finish_from, finish_one};
use crate::wipe::{overwrite, wipe_bytes};
use core::array::from_fn;
use core::mem::MaybeUninit;

/// Lines of 64 bytes in the longest tail, that of Keccak.
const LINES: usize = 6;
/// The most bytes of an output that is written to a tail.
const ROW: usize = 64;

type Known<S> = <<S as Sequential>::Family as Family>::Known;

/// A function that returns the stream for message `index`.
pub(crate) type StreamList<'a, S> = dyn Fn(usize) -> &'a S + 'a;

/// The streams that have absorbed the prefixes: one for all messages, or one for each message. All have
/// the same shape.
pub(crate) enum Prefix<'a, S> {
    One(&'a S),
    Each(&'a StreamList<'a, S>),
}

// Not derived, because `S` need not be `Copy`.
impl<S> Copy for Prefix<'_, S> {}
impl<S> Clone for Prefix<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, S: Sequential> Prefix<'a, S> {
    #[inline]
    pub fn stream_of(self, index: usize) -> &'a S {
        match self {
            Prefix::One(stream) => stream,
            Prefix::Each(streams) => streams(index),
        }
    }

    /// Returns the stream for all messages of a group, or one for each. `index` returns the index of the
    /// message in a lane.
    #[inline(always)]
    fn of_group<'l>(
        &'l self,
        place: &'l mut Option<[&'a S; LANES]>,
        count: usize,
        index: impl Fn(usize) -> usize,
    ) -> &'l [&'a S] {
        match self {
            Prefix::One(stream) => core::slice::from_ref(stream),
            Prefix::Each(streams) => {
                let place = place.get_or_insert_with(|| [streams(index(0)); LANES]);
                (0..count).for_each(|lane| place[lane] = streams(index(lane)));
                &place[..count]
            }
        }
    }
}

/// Hashes the messages one after the other and writes the first output to slot `next`, the second
/// to the slot after it, and so on.
pub(crate) fn finish_in_turn<S: Sequential>(
    prefix: Prefix<'_, S>,
    messages: &[&[u8]],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    let finish =
        |i: usize, out: &mut [u8]| finish_one(prefix.stream_of(next + i), messages[i], out);
    outputs.write_group(next, messages.len(), finish);
}

/// Hashes messages in pairs, with a backend of two lanes.
pub(crate) fn finish_pairs<S: Sequential>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    pairs: &[[&[u8]; 2]],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    if !has_lanes::<S::Family>(2) {
        return;
    }
    if let Prefix::One(stream) = prefix
        && of_one_length(pairs.as_flattened())
        && backend.absorbs_two_then_known()
        && let Some(known) = stream.then_known(pairs[0][0].len())
    {
        return finish_nodes(stream, backend, known, pairs, outputs, next);
    }
    for (i, pair) in pairs.iter().enumerate() {
        finish_two(prefix, backend, pair, outputs, next + 2 * i);
    }
}

/// Hashes pairs of messages each of which is one block, as the nodes of a Merkle tree are.
fn finish_nodes<S: Sequential>(
    stream: &S,
    backend: Runnable<S::Family>,
    known: &Known<S>,
    pairs: &[[&[u8]; 2]],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    let (mut start, mut states) =
        (Used::<{ 2 * MAX_STATE }>::none(), Used::<{ 2 * MAX_STATE }>::none());
    splat::<S, _>(&stream.state(), &mut start, 2);
    states.copy_from(&start);
    for (i, pair) in pairs.iter().enumerate() {
        backend.absorb_two_then_known(as_words_mut(&mut states), pair, known);
        let words = as_words::<Word<S>>(&states);
        let write = |lane: usize, out: &mut [u8]| stream.output(|i| words[2 * i + lane], out);
        outputs.write_group(next + 2 * i, 2, write);
        states.copy_from_slice(&start);
    }
    wipe_bytes(&mut start);
    wipe_bytes(&mut states);
}

/// Hashes two messages: in two lanes as far as both have whole blocks, then one after the other, unless
/// both have as many blocks.
fn finish_two<S: Sequential>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    pair: &[&[u8]; 2],
    outputs: &mut Slots<'_>,
    next: usize,
) {
    if finish_few::<S, 2>(prefix, backend, pair, outputs, next) {
        return;
    }
    let streams = [prefix.stream_of(next), prefix.stream_of(next + 1)];
    let Blocks { len, lookahead, .. } = streams[0].blocks();
    let common = pair[0].len().min(pair[1].len()).saturating_sub(lookahead) / len;
    let waiting = streams.iter().any(|stream| !stream.waiting().is_empty());
    // If one message is much longer, the few common blocks may not be worth the lanes, because the CPU
    // overlaps successive hashes, too.
    if waiting || common == 0 || backend::for_messages::<S::Family>(2, common).lanes() != 2 {
        return finish_in_turn(prefix, pair, outputs, next);
    }
    let mut states = Used::<{ FEW * MAX_STATE }>::none();
    let words = begin(&streams, &mut states);
    let input = Input { lanes: pair, stride: len, blocks: common, end: None };
    backend.absorb(words, streams[0].shape(), &input);
    for (lane, (stream, message)) in streams.into_iter().zip(pair).enumerate() {
        let mut state = stream.state();
        let of_lane = words.iter().skip(lane).step_by(2);
        state.as_mut().iter_mut().zip(of_lane).for_each(|(word, &of_lane)| *word = of_lane);
        finish_from(stream, &mut state, message.len(), &message[common * len..]);
        outputs.write(next + lane, |out| stream.output(|i| state.as_ref()[i], out));
        overwrite(&mut state, Default::default());
    }
    wipe_bytes(&mut states);
}

/// The most lanes of [`finish_few`].
pub(crate) const FEW: usize = 4;

/// Hashes at most `L` messages, the number of the backend's lanes, and returns true; or returns false if
/// they cannot be absorbed together. It prepares nothing for further groups: four messages of 8 bytes
/// take 219 ns instead of 248 (BLAKE2s, Zen 4).
fn finish_few<S: Sequential, const L: usize>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    messages: &[&[u8]],
    outputs: &mut Slots<'_>,
    next: usize,
) -> bool {
    let last = messages.len() - 1;
    // An idle lane hashes the last message again.
    let streams: [&S; L] = from_fn(|lane| prefix.stream_of(next + lane.min(last)));
    let lanes: [&[u8]; L] = from_fn(|lane| messages[lane.min(last)]);
    if !side_by_side(&streams, &lanes) {
        return false;
    }
    let Blocks { len, lookahead, .. } = streams[0].blocks();
    let whole = lanes[0].len().saturating_sub(lookahead) / len;
    let mut states = Used::<{ FEW * MAX_STATE }>::none();
    let words = begin(&streams, &mut states);
    if whole > 0 {
        let input = Input { lanes: &lanes, stride: len, blocks: whole, end: None };
        backend.absorb(words, streams[0].shape(), &input);
    }
    let (mut tails, mut padded) = ([S::Family::TAIL; L], 0);
    for (lane, (stream, message)) in streams.into_iter().zip(lanes).enumerate() {
        let (tail, end) = (tails[lane].as_mut(), &message[whole * len..]);
        copy_short(&mut tail[..end.len()], end);
        let set = |i: usize, word| words[i * L + lane] = word;
        padded = stream.last(message.len(), tail, end.len(), set);
    }
    let lanes = &tails.each_ref().map(|tail| tail.as_ref());
    let input = Input { lanes, stride: len, blocks: padded / len, end: None };
    backend.absorb(words, streams[0].shape(), &input);
    outputs.write_group(next, messages.len(), |lane, out| {
        streams[lane].output(|i| words[i * L + lane], out);
    });
    wipe_bytes(&mut states);
    true
}

/// Sets the states of as many lanes as there are streams, and returns their words.
#[inline(always)]
fn begin<'w, S: Sequential>(
    streams: &[&S],
    states: &'w mut Used<{ FEW * MAX_STATE }>,
) -> &'w mut [Word<S>] {
    states.clear(streams.len() * size_of::<State<S>>());
    let words = as_words_mut::<_, Word<S>>(states);
    for (lane, stream) in streams.iter().enumerate() {
        set_state(words, streams.len(), lane, stream.state().as_ref().iter().copied());
    }
    words
}

/// Hashes four messages or fewer with a backend of four lanes, and returns whether it did: see
/// [`finish_few`]. Outputs that may take further permutations are left to a group, which computes these
/// in lanes. In WebAssembly all is left to a group, so that modules are small.
pub(crate) fn finish_four<S: Sequential>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    messages: &[&[u8]],
    outputs: &mut Slots<'_>,
    next: usize,
) -> bool {
    has_lanes::<S::Family>(4)
        && cfg!(not(target_arch = "wasm32"))
        && outputs.output_len() <= ROW
        && finish_few::<S, 4>(prefix, backend, messages, outputs, next)
}

/// Hashes the messages from index `next` on in groups of one message for each lane, and returns the
/// index of the first message that is left. `group` contains the first messages. Messages that do
/// not fill the last group are left, unless it is the only group. If the messages of a group cannot be
/// hashed together, returns the index of its first message as an error.
///
/// Not inlined, because the lanes take more than a page of the stack.
#[inline(never)]
pub(crate) fn finish_groups<'m, S: Sequential>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    (messages, group): (&'m dyn Messages, &mut [&'m [u8]; LANES]),
    outputs: &mut Slots<'_>,
    mut next: usize,
) -> Result<usize, usize> {
    let (count, lanes) = (messages.count(), backend.lanes());
    let mut known = MaybeUninit::uninit();
    let mut together = Together::new(backend, Some(&mut known));
    together.clear();
    let mut place = None;
    // Another backend may be faster for the messages that do not fill a group.
    let end = if count - next < lanes { count } else { count - (count - next) % lanes };
    loop {
        let of_group = lanes.min(end - next);
        let streams = prefix.of_group(&mut place, of_group, |lane| next + lane);
        if !together.absorb(streams, group, of_group) {
            return Err(next);
        }
        together.output(streams, outputs, next, of_group);
        next += of_group;
        if next == end {
            return Ok(end);
        }
        messages.gather(next, &mut group[..lanes.min(end - next)]);
    }
}

/// Hashes the messages that have these `indexes`, and that fill whole groups. The messages of a group
/// must have one number of blocks. `outputs` has a place for each of them.
pub(crate) fn finish_picked<S: Sequential>(
    prefix: Prefix<'_, S>,
    backend: Runnable<S::Family>,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
    indexes: &[usize],
) {
    let picked = indexed(indexes.len(), |i| messages.message(indexes[i]));
    let streams = |i: usize| prefix.stream_of(indexes[i]);
    let prefix = match prefix {
        Prefix::One(stream) => Prefix::One(stream),
        Prefix::Each(_) => Prefix::Each(&streams),
    };
    let mut group: [&[u8]; LANES] = [&[]; LANES];
    picked.gather(0, &mut group[..backend.lanes()]);
    let done = finish_groups(prefix, backend, (&picked, &mut group), outputs, 0);
    debug_assert_eq!(done, Ok(indexes.len()), "their groups can be hashed together");
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
    let count = messages.count();
    let backend = backend::for_messages::<S::Family>(count, usize::MAX);
    let lanes = backend.lanes();
    if lanes == 1 || count < lanes {
        return 0;
    }
    let mut known = MaybeUninit::uninit();
    let mut of_inner = Together::new(backend, Some(&mut known));
    // The last block of the outer hash contains the end of a digest.
    let mut of_outer = Together::new(backend, None);
    of_inner.clear();
    of_outer.clear();
    let mut next = 0;
    while count - next >= lanes {
        let mut group: [&[u8]; LANES] = [&[]; LANES];
        messages.gather(next, &mut group[..lanes]);
        if !of_inner.absorb(&[inner], &mut group, lanes) {
            break;
        }
        of_inner.lanes.digests(inner, digest_len);
        for (digest, tail) in group.iter_mut().zip(of_inner.lanes.each_tail()) {
            *digest = &tail[..digest_len];
        }
        of_outer.absorb(&[outer], &mut group, lanes);
        of_outer.output(&[outer], outputs, next, lanes);
        next += lanes;
    }
    next
}

/// The lanes of a backend: their states, and their tails for blocks that cannot be read directly
/// from a message.
pub(crate) struct Lanes<F: Family> {
    pub backend: Runnable<F>,
    /// Word `w` of lane `l` is word `w * lanes + l`.
    pub states: Used<STATES>,
    /// Lane `l` has the [`ROOM`](Self::ROOM) bytes from `l * ROOM` on.
    pub tails: Used<TAILS>,
}

impl<F: Family> Lanes<F> {
    /// Bytes of a tail: a multiple of 64, the length of a cache line.
    pub const ROOM: usize = size_of::<F::Tail>().next_multiple_of(64);

    /// Creates lanes, which must be cleared before their use. They are not cleared here, because moving
    /// them to their place would then copy 4 KiB.
    #[inline(always)]
    pub fn new(backend: Runnable<F>) -> Self {
        Lanes { backend, states: Used::none(), tails: Used::none() }
    }

    /// Clears the states and tails of all lanes.
    pub fn clear(&mut self) {
        self.states.clear(size_of::<F::State>() * self.backend.lanes());
        self.clear_tails();
    }

    #[inline]
    fn clear_tails(&mut self) {
        self.tails.clear(Self::ROOM * self.backend.lanes());
    }

    /// Returns the words of the states.
    #[inline(always)]
    pub fn words(&mut self) -> &mut [F::Word] {
        as_words_mut(&mut self.states)
    }

    /// Sets the state of one lane.
    #[inline(always)]
    pub fn set_state(&mut self, lane: usize, state: &F::State) {
        let lanes = self.backend.lanes();
        set_state(self.words(), lanes, lane, state.as_ref().iter().copied());
    }

    /// Copies the states of all lanes from lanes of the same backend.
    pub fn copy_states(&mut self, from: &Self) {
        self.backend.copy(&mut self.states, &from.states);
    }

    /// Returns the tail of every lane.
    #[inline(always)]
    pub fn each_tail(&self) -> impl Iterator<Item = &[u8]> {
        self.tails.chunks_exact(Self::ROOM)
    }

    /// Returns a word of the state of a lane.
    #[inline(always)]
    pub fn word(&self, lane: usize, i: usize) -> F::Word {
        as_words::<F::Word>(&self.states)[i * self.backend.lanes() + lane]
    }

    /// Absorbs blocks in all lanes. All streams have the shape of `stream`.
    #[inline(always)]
    pub fn absorb<S: Sequential<Family = F>>(
        &mut self,
        stream: &S,
        lanes: &[&[u8]],
        blocks: usize,
        end: Option<End<'_>>,
    ) {
        let input = Input { lanes, stride: stream.blocks().len, blocks, end };
        self.backend.absorb(as_words_mut(&mut self.states), stream.shape(), &input);
    }

    /// Absorbs `blocks` blocks from every lane's tail.
    #[inline(always)]
    pub fn absorb_tails<S: Sequential<Family = F>>(
        &mut self,
        stream: &S,
        blocks: usize,
        end: Option<End<'_>>,
    ) {
        let Lanes { backend, states, tails } = self;
        // The tails beyond those of the lanes are not set: this would take as long as to set those.
        let mut lanes = [const { MaybeUninit::uninit() }; LANES];
        let places = lanes[..backend.lanes()].iter_mut();
        places.zip(tails.chunks_exact(Self::ROOM)).for_each(|(lane, tail)| _ = lane.write(tail));
        // SAFETY: there are as many tails as lanes, so these have been written; the layouts are the same.
        let lanes = unsafe { core::slice::from_raw_parts(lanes.as_ptr().cast(), backend.lanes()) };
        let input = Input { lanes, stride: stream.blocks().len, blocks, end };
        backend.absorb(as_words_mut(states), stream.shape(), &input);
    }

    /// Writes the outputs of all lanes, at most [`ROW`] bytes each, to their tails. Further bytes of the
    /// tails, up to a multiple of 16, may change.
    #[inline]
    pub fn digests<S: Sequential<Family = F>>(&mut self, stream: &S, len: usize) {
        let Lanes { backend, states, tails } = self;
        let words = as_words(states);
        if !backend.rows(words, tails, Self::ROOM, len.next_multiple_of(16)) {
            each_digest(stream, words, backend.lanes(), tails, len);
        }
    }

    /// Writes the outputs of all lanes to the tails of other lanes, of which no other byte changes.
    pub fn digests_to<S: Sequential<Family = F>>(&self, stream: &S, to: &mut Self, len: usize) {
        let (backend, words, tails) = (self.backend, as_words(&self.states), &mut to.tails);
        if !len.is_multiple_of(16) || !backend.rows(words, tails, Self::ROOM, len) {
            each_digest(stream, words, backend.lanes(), tails, len);
        }
    }
}

/// Writes the outputs of all lanes to `tails`, one after the other.
fn each_digest<S: Sequential>(
    stream: &S,
    words: &[Word<S>],
    lanes: usize,
    tails: &mut [u8],
    len: usize,
) {
    for (lane, tail) in tails.chunks_exact_mut(Lanes::<S::Family>::ROOM).enumerate() {
        stream.output(|i| words[i * lanes + lane], &mut tail[..len]);
    }
}

impl<F: Family> Drop for Lanes<F> {
    fn drop(&mut self) {
        wipe_bytes(&mut self.states);
        wipe_bytes(&mut self.tails);
    }
}

/// The lanes for groups of messages of one number of blocks, at most one message for each lane.
struct Together<'k, S: Sequential> {
    lanes: Lanes<S::Family>,
    /// The backend for messages of several blocks.
    backend: Runnable<S::Family>,
    /// How messages of one length are absorbed, once it is known.
    plan: Option<Plan<S::Family>>,
    /// The states with which messages of that length begin, laid out as those of the lanes. If they
    /// have only last blocks, the words that change before the last block are set.
    start: Used<STATES>,
    /// The last blocks of messages of that length, with zeros in place of the messages' bytes.
    around: [[u8; 64]; LINES],
    /// The schedule of the last block, if `plan` says so. It has a place of its own, because 10 KiB would
    /// be copied when the lanes are made. Without a place no schedule is kept.
    known: Option<&'k mut MaybeUninit<Known<S>>>,
}

/// How messages of one length are absorbed. It is made once and used for every group.
struct Plan<F: Family> {
    message_len: usize,
    backend: Runnable<F>,
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

impl<'k, S: Sequential> Together<'k, S> {
    #[inline(always)]
    fn new(backend: Runnable<S::Family>, known: Option<&'k mut MaybeUninit<Known<S>>>) -> Self {
        let (start, around) = (Used::none(), [[0; 64]; LINES]);
        Together { lanes: Lanes::new(backend), backend, plan: None, start, around, known }
    }

    /// Clears the tails, which must be done first. The states are set before they are read. When they
    /// were cleared, too, `memset` took 10.7 % of the time of four messages of 32 B (BLAKE2b, Xeon).
    #[inline]
    fn clear(&mut self) {
        self.lanes.clear_tails();
    }

    /// Absorbs the first `count` messages of a group, padding included, and returns true; or returns
    /// false if they cannot be absorbed together. `streams` has one for all messages or one for each.
    #[inline(never)]
    fn absorb(&mut self, streams: &[&S], group: &mut [&[u8]; LANES], count: usize) -> bool {
        let (idle, lanes) = (group[0], self.backend.lanes());
        // An idle lane computes the same as the first lane, and its result is not used.
        group[count..lanes].fill(idle);
        let group = &mut group[..lanes];
        if let [stream] = streams
            && of_one_length(group)
        {
            if self.plan.as_ref().is_none_or(|plan| plan.message_len != idle.len()) {
                self.prepare(stream, idle.len());
            }
            self.absorb_planned(stream, group);
        } else {
            if !side_by_side(streams, group) {
                return false;
            }
            self.absorb_others(streams, group);
        }
        true
    }

    /// Makes the plan for messages of `message_len` bytes.
    #[inline(never)]
    fn prepare(&mut self, stream: &S, message_len: usize) {
        let lanes = self.backend.lanes();
        let (blocks, mut waiting, mut then) = (stream.blocks(), stream.waiting(), &[][..]);
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
        let backend = self.backend.of_blocks(blocks.of(waiting.len() + message_len));
        let mut state = state_after(stream, then);
        splat::<S, _>(&state, &mut self.start, lanes);
        if !then.is_empty() {
            overwrite(&mut state, Default::default());
        }
        let around = self.around.as_flattened_mut();
        if self.plan.is_some() {
            around.fill(0);
        }
        around[..at].copy_from_slice(&waiting[..at]);
        let only_last = head == 0 && whole == 0;
        let words = as_words_mut::<_, Word<S>>(&mut self.start);
        let len = stream.last(message_len, around, end, |i, word| {
            if only_last {
                words[i * lanes..][..lanes].fill(word);
            }
        });
        let known = match &mut self.known {
            Some(known) if end == 0 && backend.absorbs_known() => {
                known.write(stream.known(&around[..len]));
                true
            }
            _ => false,
        };
        let blocks = len / blocks.len;
        self.plan = Some(Plan { message_len, backend, head, whole, at, end, blocks, known });
    }

    /// Absorbs messages of the plan's length.
    #[inline(always)]
    fn absorb_planned(&mut self, stream: &S, inputs: &mut [&[u8]]) {
        let Some(plan) = &self.plan else { return };
        let (lanes, backend, stride) = (inputs.len(), plan.backend, stream.blocks().len);
        self.lanes.backend = backend;
        match self.lanes.states.is_empty() {
            true => self.lanes.states.copy_from(&self.start),
            false => backend.copy(&mut self.lanes.states, &self.start),
        }
        if plan.head > 0 {
            absorb_heads(&mut self.lanes, stream, inputs, plan.head);
        }
        if plan.whole > 0 {
            self.lanes.absorb(stream, inputs, plan.whole, None);
            inputs.iter_mut().for_each(|input| *input = &input[plan.whole * stride..]);
        }
        let Lanes { states, tails, .. } = &mut self.lanes;
        if plan.head > 0 || plan.whole > 0 {
            let words = as_words_mut::<_, Word<S>>(states);
            let tail = &mut tails[..Lanes::<S::Family>::ROOM];
            stream.last(plan.message_len, tail, plan.end, |i, word| {
                words[i * lanes..][..lanes].fill(word);
            });
        }
        if let (true, Some(known)) = (plan.known, &self.known) {
            // SAFETY: `prepare` has written it, because it has set `plan.known`.
            return backend.absorb_known(as_words_mut(states), unsafe { known.assume_init_ref() });
        }
        let padded = &self.around.as_flattened()[..plan.blocks * stride];
        let end = backend.end(padded, plan.end, stride);
        // How many bytes of the last blocks must be in the lanes.
        let read = padded.len() - end.as_ref().map_or(0, |end| stride - end.len);
        if plan.at == 0 && plan.blocks == 1 && plan.end == read {
            // The message ends with a gather, or with a whole block (BLAKE2), and is read where it is.
            self.lanes.absorb(stream, inputs, 1, end);
        } else {
            let around = (&self.around[..], read);
            backend.lay(inputs, plan.at, around, tails, Lanes::<S::Family>::ROOM);
            self.lanes.absorb_tails(stream, plan.blocks, end);
        }
    }

    /// Absorbs messages of one number of blocks, with lengths or streams of their own: see
    /// [`side_by_side`].
    #[inline(never)]
    fn absorb_others(&mut self, streams: &[&S], inputs: &mut [&[u8]]) {
        let (blocks, len, lanes) = (streams[0].blocks(), inputs[0].len(), inputs.len());
        self.lanes.backend = self.backend.of_blocks(blocks.of(len));
        if let [stream] = streams {
            splat::<S, _>(&stream.state(), &mut self.lanes.states, lanes);
        } else {
            self.lanes.states.used(size_of::<State<S>>() * lanes, |states| {
                let words = as_words_mut::<_, MaybeUninit<Word<S>>>(states);
                for lane in 0..lanes {
                    let state = of_lane(streams, lane).state();
                    let state = state.as_ref().iter().map(|&word| MaybeUninit::new(word));
                    set_state(words, lanes, lane, state);
                }
            });
        }
        let whole = len.saturating_sub(blocks.lookahead) / blocks.len;
        let taken = whole * blocks.len;
        if whole > 0 {
            self.lanes.absorb(streams[0], inputs, whole, None);
        }
        let mut ends: [&[u8]; LANES] = [&[]; LANES];
        ends.iter_mut().zip(&*inputs).for_each(|(end, input)| *end = &input[taken..]);
        let written = blocks.of(len - taken).max(1) * blocks.len;
        let Lanes { backend, states, tails } = &mut self.lanes;
        let room = Lanes::<S::Family>::ROOM;
        backend.lay(&ends[..lanes], 0, (&[[0; 64]; LINES], written), tails, room);
        let (words, mut padded) = (as_words_mut::<_, Word<S>>(states), 0);
        for (lane, (input, tail)) in inputs.iter().zip(tails.chunks_exact_mut(room)).enumerate() {
            let set = |i: usize, word| words[i * lanes + lane] = word;
            padded = of_lane(streams, lane).last(input.len(), tail, input.len() - taken, set);
        }
        self.lanes.absorb_tails(streams[0], padded / blocks.len, None);
    }

    /// Writes the outputs of the first `count` lanes.
    #[inline(always)]
    fn output(&mut self, streams: &[&S], outputs: &mut Slots<'_>, first: usize, count: usize) {
        let (len, stream) = (outputs.output_len(), streams[0]);
        let Lanes { backend, states, .. } = &mut self.lanes;
        if len > ROW {
            if let Some((bytes, stride)) = outputs.in_place(first, count)
                && stream.output_lanes(*backend, as_words_mut(states), bytes, [stride, len])
            {
                return;
            }
            let output = |lane: usize, out: &mut [u8]| self.output_of(streams, lane, out);
            return outputs.write_group(first, count, output);
        }
        if let (0, Some((bytes, stride))) = (len % 16, outputs.in_place(first, count))
            && count == backend.lanes()
            && backend.rows(as_words(states), bytes, stride, len)
        {
            return;
        }
        self.lanes.digests(stream, len);
        outputs.write_rows(first, count, &self.lanes.tails, Lanes::<S::Family>::ROOM);
    }

    /// Writes the output of one lane.
    fn output_of(&self, streams: &[&S], lane: usize, out: &mut [u8]) {
        of_lane(streams, lane).output(|i| self.lanes.word(lane, i), out);
    }
}

impl<S: Sequential> Drop for Together<'_, S> {
    fn drop(&mut self) {
        wipe_bytes(&mut self.start);
        wipe_bytes(&mut self.around.as_flattened_mut()[..Lanes::<S::Family>::ROOM]);
    }
}

/// Absorbs in every lane the block that begins with the stream's waiting bytes and ends with the
/// first `head` bytes of the lane's message, and takes these from the message.
#[inline(never)]
fn absorb_heads<S: Sequential>(
    lanes: &mut Lanes<S::Family>,
    stream: &S,
    inputs: &mut [&[u8]],
    head: usize,
) {
    let waiting = stream.waiting();
    let mut around = [[0; 64]; LINES];
    around.as_flattened_mut()[..waiting.len()].copy_from_slice(waiting);
    let mut heads: [&[u8]; LANES] = [&[]; LANES];
    for (first, input) in heads.iter_mut().zip(inputs.iter_mut()) {
        (*first, *input) = input.split_at(head);
    }
    let lines = (&around[..], stream.blocks().len);
    let (heads, room) = (&heads[..inputs.len()], Lanes::<S::Family>::ROOM);
    lanes.backend.lay(heads, waiting.len(), lines, &mut lanes.tails, room);
    wipe_bytes(around.as_flattened_mut());
    lanes.absorb_tails(stream, 1, None);
}

/// Whether messages of different lengths, or with streams of their own, can be absorbed together: they
/// have as many whole blocks and as many blocks with padding, no bytes wait in their streams, and no
/// trailer follows them.
fn side_by_side<S: Sequential>(streams: &[&S], group: &[&[u8]]) -> bool {
    let alike = streams[0].blocks().alike(group[0].len());
    S::ENDS_ALIKE
        && group.iter().all(|message| alike.contains(&message.len()))
        && streams.iter().all(|stream| stream.waiting().is_empty())
}

/// Sets the state of one lane.
#[inline(always)]
pub(crate) fn set_state<W>(
    words: &mut [W],
    lanes: usize,
    lane: usize,
    state: impl Iterator<Item = W>,
) {
    state.enumerate().for_each(|(i, word)| words[i * lanes + lane] = word);
}

/// Returns the stream of a lane, from one for all lanes or one for each message.
#[inline(always)]
fn of_lane<'s, S>(streams: &[&'s S], lane: usize) -> &'s S {
    streams.get(lane).unwrap_or(&streams[0])
}

#[inline]
fn of_one_length(group: &[&[u8]]) -> bool {
    group.iter().all(|message| message.len() == group[0].len())
}

/// Returns the stream's state after the block `then`, or the state as it is if `then` is empty.
#[inline(always)]
pub(crate) fn state_after<S: Sequential>(stream: &S, then: &[u8]) -> State<S> {
    let mut state = stream.state();
    if !then.is_empty() {
        let input = Input { lanes: &[then], stride: then.len(), blocks: 1, end: None };
        backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
    }
    state
}

/// Sets the states of all lanes to `state`. Their number is a constant in each branch, so that the
/// compiler emits a few vector stores for a word and no loop.
#[inline(always)]
fn splat<S: Sequential, const N: usize>(state: &State<S>, states: &mut Used<N>, lanes: usize) {
    states.used(size_of::<State<S>>() * lanes, |states| {
        let states = as_words_mut::<_, MaybeUninit<Word<S>>>(states);
        with_lanes!(S::Family, lanes, L => {
            for (of_word, &word) in states.as_chunks_mut::<L>().0.iter_mut().zip(state.as_ref()) {
                *of_word = [MaybeUninit::new(word); L];
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of which every lane has only the first bytes changes the states as a whole block does.
    fn ends_are_blocks<F: Family>(stride: usize, shape: F::Shape) {
        let bytes = |from: usize| core::array::from_fn::<u8, 600, _>(|i| (from + i * i * 7) as u8);
        let own: [[u8; 600]; LANES] = core::array::from_fn(bytes);
        let block = bytes(77);
        let mut ends = 0;
        for backend in Runnable::<F>::all().filter(|it| it.lanes() > 1) {
            let lanes = backend.lanes();
            let absorb = |input: &Input<'_>| {
                let mut states = Used::<STATES>::none();
                states.clear(size_of::<F::State>() * lanes);
                states.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * i * 3) as u8);
                backend.absorb(as_words_mut(&mut states), shape, input);
                states.to_vec()
            };
            for (blocks, len) in (1..=2).flat_map(|n| (0..=stride).map(move |len| (n, len))) {
                let before = (blocks - 1) * stride;
                let (mut padded, mut whole) = ([0; 600], own);
                padded[before..][..stride].copy_from_slice(&block[..stride]);
                let end = backend.end(&padded[..before + stride], before + len, stride);
                let len = end.as_ref().map_or(stride, |end| end.len);
                whole.iter_mut().for_each(|of_lane| {
                    of_lane[before + len..before + stride].copy_from_slice(&block[len..stride]);
                });
                let short: [&[u8]; LANES] = core::array::from_fn(|lane| &own[lane][..before + len]);
                let whole: [&[u8]; LANES] = core::array::from_fn(|lane| &whole[lane][..]);
                ends += usize::from(end.is_some());
                let got = absorb(&Input { lanes: &short[..lanes], stride, blocks, end });
                let input = Input { lanes: &whole[..lanes], stride, blocks, end: None };
                assert_eq!(got, absorb(&input), "{lanes} lanes, {blocks} blocks, {len} bytes");
            }
        }
        let has_lanes = (2..=LANES).any(has_lanes::<F>);
        assert!(
            ends > 0 || !has_lanes || cfg!(any(miri, target_arch = "wasm32")),
            "no end was taken"
        );
    }

    #[test]
    fn ends_of_sha2_are_blocks() {
        ends_are_blocks::<crate::sha2::Words32>(64, ());
        ends_are_blocks::<crate::sha2::Words64>(128, ());
    }

    #[cfg(feature = "sm3")]
    #[test]
    fn ends_of_sm3_are_blocks() {
        ends_are_blocks::<crate::sm3::Sm3>(64, ());
    }

    #[cfg(feature = "sha3")]
    #[test]
    fn ends_of_keccak_are_blocks() {
        for rate in (8..=168).step_by(8) {
            let shape = crate::keccak::Shape { rate, rounds: 12 };
            ends_are_blocks::<crate::keccak::Keccak>(rate, shape);
        }
    }

    #[cfg(feature = "blake2")]
    #[test]
    fn ends_of_blake2_are_blocks() {
        ends_are_blocks::<crate::blake2::FamilyB>(128, ());
        ends_are_blocks::<crate::blake2::FamilyS>(64, ());
    }

    #[cfg(feature = "blake3")]
    #[test]
    fn ends_of_blake3_are_blocks() {
        use crate::blake2::kernel::blake3::Shape;
        ends_are_blocks::<crate::blake3::Blake3>(64, Shape::Value);
    }
}
