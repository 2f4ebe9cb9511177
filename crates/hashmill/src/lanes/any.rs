//! Streams without their types: what the scheduler of the lanes asks of a [`Sequential`]. States are
//! bytes here, so that the scheduler is compiled once, and not once for each of nine types of streams.
//! Those copies were 0.25 of 1.8 MB of the library's code and a sixth of the time to compile it.
//! WebAssembly is an exception: see [`seen`].
//!
//! A virtual call takes about 2 ns. So a call serves a group of messages wherever it can.

use crate::backend::{self, AnyRunnable, Family, Input, THEN_KNOWN, has_lanes};
use crate::buffer::{Blocks, copy_short};
use crate::error::Error;
use crate::messages::Slots;
use crate::stream::{Progress, Sequential, Word, finish_from, finish_one};
use crate::wipe::overwrite;
use core::any::TypeId;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// Words of the largest state, that of Keccak.
const MAX_STATE: usize = 25;

/// The sizes of a family's states and tails, and which ways of the scheduler it can take.
pub(crate) struct Sizes {
    /// Bytes of a word of the state.
    pub word: usize,
    /// Bytes of the state of one lane.
    pub state: usize,
    /// Bytes of a tail: a multiple of 64, the length of a cache line.
    pub room: usize,
    /// Whether blocks have schedules that can be known in advance.
    pub known: bool,
    /// Whether a backend has two lanes, and whether one has more.
    pub has_two: bool,
    pub has_more: bool,
}

/// Where words of states are set: in one lane or in all of them.
pub(crate) struct Place<'l> {
    /// Word `w` of lane `l` is word `w * lanes + l`.
    pub states: &'l mut [u8],
    pub lanes: usize,
    pub lane: Option<usize>,
}

/// The state and the tail of one lane, or of a message that is finished without the others.
pub(crate) struct Lane<'l> {
    pub states: &'l mut [u8],
    pub lanes: usize,
    pub lane: usize,
    pub tail: &'l mut [u8],
}

/// A [`Sequential`] of any type. The methods without comment are those of [`Sequential`].
pub(crate) trait AnySequential {
    fn sizes(&self) -> &'static Sizes;
    fn layout(&self) -> Blocks;
    fn waits(&self) -> &[u8];
    fn ends_alike(&self) -> bool;
    /// Returns the backend with which to begin on `count` messages of at most `longest` bytes each.
    fn best(&self, count: usize, longest: usize) -> AnyRunnable;
    /// Returns the backend for `count` messages of `blocks` blocks.
    fn for_messages(&self, count: usize, blocks: usize) -> AnyRunnable;
    /// Returns the backend for one message.
    fn one(&self) -> AnyRunnable;
    /// Returns the backend of as many lanes for messages of `blocks` blocks.
    fn of_blocks(&self, backend: AnyRunnable, blocks: usize) -> AnyRunnable;
    /// Writes the state to every lane, after it has absorbed the block `then` if that is not empty.
    /// `states` must have room for the states of `lanes` lanes, all of which it sets.
    fn splat(&self, then: &[u8], states: &mut [MaybeUninit<u8>], lanes: usize);
    /// Writes the state to one lane.
    fn set_state(&self, then: &[u8], states: &mut [u8], lanes: usize, lane: usize);
    fn pad(&self, message_len: usize, tail: &mut [u8], rest: usize, place: Place<'_>) -> usize;
    /// Writes the end of a message of `message_len` bytes, in two parts, and the padding to the tail of a
    /// lane, and returns how many bytes of it must be absorbed.
    fn end(&self, lane: &mut Lane<'_>, left: [&[u8]; 2], message_len: usize) -> usize;
    /// Does the same for a message of which no block is absorbed before, and sets the state. No bytes may
    /// wait.
    fn whole(&self, lane: &mut Lane<'_>, message: &[u8]) -> usize;
    /// Pads a message in each lane, of which the first `taken` bytes are absorbed and the others are in
    /// the lane's tail of `room` bytes.
    fn pad_each(
        &self,
        messages: &[&[u8]],
        taken: usize,
        tails_and_room: (&mut [u8], usize),
        states: &mut [u8],
    ) -> usize;
    fn absorb(&self, backend: AnyRunnable, states: &mut [u8], input: &Input<'_>);
    /// Keeps the schedule of a tail without bytes of a message, if the backend has a function for it.
    /// Returns whether it did.
    fn keep_known(&self, backend: AnyRunnable, tail: &[u8], known: &mut Known) -> bool;
    /// Absorbs the block whose schedule was kept.
    fn absorb_known(&self, backend: AnyRunnable, states: &mut [u8], known: &Known);
    /// Writes the first `len` bytes, a multiple of 16, of every lane's digest to `rows`, `stride` bytes
    /// apart, if the backend has a function for that, and returns whether it did.
    fn rows(&self, backend: AnyRunnable, states: &[u8], rows: &mut [u8], sizes: [usize; 2])
    -> bool;
    fn output_lanes(
        &self,
        backend: AnyRunnable,
        states: &mut [u8],
        places: &mut [u8],
        sizes: [usize; 2],
    ) -> bool;
    /// Writes the output of one of the lanes.
    fn output_of(&self, states: &[u8], lanes: usize, lane: usize, out: &mut [u8]);
    /// Writes the outputs of all lanes to their tails of `room` bytes, `len` bytes each.
    fn output_each(&self, states: &[u8], tails: &mut [u8], room: usize, len: usize);
    /// Hashes the messages one after the other and writes the first output to slot `next`, the second
    /// to the slot after it, and so on.
    fn finish_in_turn(&self, messages: &[&[u8]], outputs: &mut Slots<'_>, next: usize);
    /// Finishes a message without the other lanes, and writes its output. `end` is the length of the
    /// message in bytes, and those bytes that the state of the lane has not absorbed.
    fn finish_lane(
        &self,
        states: &[u8],
        lanes: usize,
        lane: usize,
        end: (usize, &[u8]),
        out: &mut [u8],
    );
    /// Hashes messages in pairs if each is one block and the backend has a function for such pairs, as
    /// for the nodes of a Merkle tree, and returns whether it did. All messages have one length.
    fn finish_pairs(
        &self,
        backend: AnyRunnable,
        pairs: &[[&[u8]; 2]],
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> bool;
}

impl<S: Sequential> AnySequential for S {
    fn sizes(&self) -> &'static Sizes {
        const {
            &Sizes {
                word: size_of::<Word<S>>(),
                state: size_of::<<S::Family as Family>::State>(),
                room: size_of::<<S::Family as Family>::Tail>().next_multiple_of(64),
                known: size_of::<<S::Family as Family>::Known>() > 0,
                has_two: has_lanes::<S::Family>(2),
                has_more: S::Family::LANE_COUNTS > 0b111,
            }
        }
    }
    fn layout(&self) -> Blocks {
        self.blocks()
    }
    fn waits(&self) -> &[u8] {
        self.waiting()
    }
    fn ends_alike(&self) -> bool {
        S::ENDS_ALIKE
    }
    fn best(&self, count: usize, longest: usize) -> AnyRunnable {
        best(self, count, longest).any()
    }
    fn for_messages(&self, count: usize, blocks: usize) -> AnyRunnable {
        backend::for_messages::<S::Family>(count, blocks).any()
    }
    fn one(&self) -> AnyRunnable {
        backend::one::<S::Family>().any()
    }
    fn of_blocks(&self, backend: AnyRunnable, blocks: usize) -> AnyRunnable {
        backend.of::<S::Family>().of_blocks(blocks).any()
    }
    fn splat(&self, then: &[u8], states: &mut [MaybeUninit<u8>], lanes: usize) {
        let states = as_words_mut::<_, MaybeUninit<Word<S>>>(states);
        let mut state = state_after(self, then);
        for (i, &word) in state.as_ref().iter().enumerate() {
            set_all(states, lanes, i, MaybeUninit::new(word));
        }
        if !then.is_empty() {
            overwrite(&mut state, Default::default());
        }
    }
    fn set_state(&self, then: &[u8], states: &mut [u8], lanes: usize, lane: usize) {
        let words = as_words_mut::<_, Word<S>>(states);
        let mut state = state_after(self, then);
        for (i, &word) in state.as_ref().iter().enumerate() {
            words[i * lanes + lane] = word;
        }
        if !then.is_empty() {
            overwrite(&mut state, Default::default());
        }
    }
    fn pad(&self, message_len: usize, tail: &mut [u8], rest: usize, place: Place<'_>) -> usize {
        let Place { states, lanes, lane } = place;
        let words = as_words_mut::<_, Word<S>>(states);
        match lane {
            Some(lane) => {
                self.last(message_len, tail, rest, |i, word| words[i * lanes + lane] = word)
            }
            None => self.last(message_len, tail, rest, |i, word| set_all(words, lanes, i, word)),
        }
    }
    fn end(&self, lane: &mut Lane<'_>, left: [&[u8]; 2], message_len: usize) -> usize {
        let (words, end) = (as_words_mut::<_, Word<S>>(lane.states), left[0].len() + left[1].len());
        // Lines of a constant length, so that the compiler emits stores and not a call.
        lane.tail.as_chunks_mut().0.iter_mut().for_each(|line| *line = [0; 64]);
        copy_short(&mut lane.tail[..left[0].len()], left[0]);
        copy_short(&mut lane.tail[left[0].len()..end], left[1]);
        let set = |i: usize, word| words[i * lane.lanes + lane.lane] = word;
        self.last(message_len, lane.tail, end, set)
    }
    fn whole(&self, lane: &mut Lane<'_>, message: &[u8]) -> usize {
        self.set_state(&[], lane.states, lane.lanes, lane.lane);
        self.end(lane, [&[], message], message.len())
    }
    fn pad_each(
        &self,
        messages: &[&[u8]],
        taken: usize,
        tails_and_room: (&mut [u8], usize),
        states: &mut [u8],
    ) -> usize {
        pad_lanes(|_| self, messages, taken, tails_and_room, states)
    }
    fn absorb(&self, backend: AnyRunnable, states: &mut [u8], input: &Input<'_>) {
        backend.of::<S::Family>().absorb(as_words_mut(states), self.shape(), input);
    }
    fn keep_known(&self, backend: AnyRunnable, tail: &[u8], known: &mut Known) -> bool {
        let absorbs = backend.of::<S::Family>().absorbs_known();
        if absorbs {
            known.keep(self.known(tail));
        }
        absorbs
    }
    fn absorb_known(&self, backend: AnyRunnable, states: &mut [u8], known: &Known) {
        if let Some(known) = known.kept() {
            backend.of::<S::Family>().absorb_known(as_words_mut(states), known);
        }
    }
    fn rows(
        &self,
        backend: AnyRunnable,
        states: &[u8],
        rows: &mut [u8],
        [stride, len]: [usize; 2],
    ) -> bool {
        backend.of::<S::Family>().rows(as_words(states), rows, stride, len)
    }
    fn output_lanes(
        &self,
        backend: AnyRunnable,
        states: &mut [u8],
        places: &mut [u8],
        sizes: [usize; 2],
    ) -> bool {
        Sequential::output_lanes(self, backend.of(), as_words_mut(states), places, sizes)
    }
    fn output_of(&self, states: &[u8], lanes: usize, lane: usize, out: &mut [u8]) {
        let words = as_words::<Word<S>>(states);
        self.output(|i| words[i * lanes + lane], out);
    }
    fn output_each(&self, states: &[u8], tails: &mut [u8], room: usize, len: usize) {
        let words = as_words::<Word<S>>(states);
        let lanes = tails.len() / room;
        for (lane, tail) in tails.chunks_exact_mut(room).enumerate() {
            self.output(|i| words[i * lanes + lane], &mut tail[..len]);
        }
    }
    fn finish_in_turn(&self, messages: &[&[u8]], outputs: &mut Slots<'_>, next: usize) {
        outputs.write_group(next, messages.len(), |i, out| finish_one(self, messages[i], out));
    }
    fn finish_lane(
        &self,
        states: &[u8],
        lanes: usize,
        lane: usize,
        (message_len, left): (usize, &[u8]),
        out: &mut [u8],
    ) {
        let mut state = self.state();
        let words = as_words::<Word<S>>(states).iter().skip(lane).step_by(lanes);
        state.as_mut().iter_mut().zip(words).for_each(|(word, &of_lane)| *word = of_lane);
        finish_from(self, &mut state, message_len, left);
        self.output(|i| state.as_ref()[i], out);
        overwrite(&mut state, Default::default());
    }
    fn finish_pairs(
        &self,
        backend: AnyRunnable,
        pairs: &[[&[u8]; 2]],
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> bool {
        let (Some(known), backend) =
            (self.then_known(pairs[0][0].len()), backend.of::<S::Family>())
        else {
            return false;
        };
        if !backend.absorbs_two_then_known() {
            return false;
        }
        let mut start = [Word::<S>::default(); 2 * MAX_STATE];
        for (words, &word) in start.as_chunks_mut::<2>().0.iter_mut().zip(self.state().as_ref()) {
            *words = [word; 2];
        }
        let mut states = start;
        for (i, pair) in pairs.iter().enumerate() {
            backend.absorb_two_then_known(&mut states, pair, known);
            let write = |lane: usize, out: &mut [u8]| self.output(|i| states[2 * i + lane], out);
            outputs.write_group(next + 2 * i, 2, write);
            states = start;
        }
        for words in [&mut start, &mut states] {
            overwrite(words, [Default::default(); 2 * MAX_STATE]);
        }
        true
    }
}

/// Streams by index, one for each message. The methods serve a group of messages: `indices` has the
/// index of the message in each lane.
pub(crate) trait AnyList<'s, X: ?Sized> {
    fn stream(&self, index: usize) -> &'s X;
    /// Whether bytes wait in one of the streams.
    fn wait(&self, indices: &[usize]) -> bool;
    /// Writes the states to the lanes.
    fn set_states(&self, indices: &[usize], states: &mut [u8]);
    /// See [`AnySequential::pad_each`].
    fn pad_each(
        &self,
        indices: &[usize],
        messages: &[&[u8]],
        taken: usize,
        tails_and_room: (&mut [u8], usize),
        states: &mut [u8],
    ) -> usize;
}

/// A function that returns the stream for message `index`.
pub(crate) type StreamList<'a, S> = dyn Fn(usize) -> &'a S + 'a;

/// A [`StreamList`] as an [`AnyList`]. With virtual calls for each lane, 16
/// messages of 32 bytes with parameters of their own took 931 ns instead of 736 (BLAKE2s, Zen 4).
pub(crate) struct List<'l, 'a, S>(pub &'l StreamList<'a, S>);

/// Implements [`AnyList`] for the streams as [`seen`] shows them.
macro_rules! list {
    ($s:lifetime, $X:ty) => {
        impl<$s, 'a: $s, S: Sequential> AnyList<$s, $X> for List<'_, 'a, S> {
            fn stream(&self, index: usize) -> &$s $X {
                (self.0)(index)
            }
            fn wait(&self, indices: &[usize]) -> bool {
                indices.iter().any(|&index| !(self.0)(index).waiting().is_empty())
            }
            fn set_states(&self, indices: &[usize], states: &mut [u8]) {
                let (words, lanes) = (as_words_mut::<_, Word<S>>(states), indices.len());
                for (lane, &index) in indices.iter().enumerate() {
                    let state = (self.0)(index).state();
                    for (of_word, &word) in words.chunks_exact_mut(lanes).zip(state.as_ref()) {
                        of_word[lane] = word;
                    }
                }
            }
            fn pad_each(
                &self,
                indices: &[usize],
                messages: &[&[u8]],
                taken: usize,
                tails_and_room: (&mut [u8], usize),
                states: &mut [u8],
            ) -> usize {
                pad_lanes(|lane| (self.0)(indices[lane]), messages, taken, tails_and_room, states)
            }
        }
    };
}
#[cfg(not(target_arch = "wasm32"))]
list!('s, dyn AnySequential + 's);
#[cfg(target_arch = "wasm32")]
list!('s, S);

/// Returns the stream without its type.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn seen<'s>(stream: &'s (impl Sequential + 's)) -> &'s (dyn AnySequential + 's) {
    stream
}

/// Returns the stream as it is. A module of WebAssembly has few types of streams, and is smaller if the
/// compiler knows them: SHA-512's with batches has 23 KB, gzipped, and not 32.
#[cfg(target_arch = "wasm32")]
pub(crate) fn seen<S: Sequential>(stream: &S) -> &S {
    stream
}

/// An [`AnySequential`] that is updated.
pub(crate) trait AnyProgress: AnySequential {
    /// Calls [`Progress::try_update`].
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Calls [`Sequential::resume`] with the words of a lane.
    fn resume_from(
        &mut self,
        states: &[u8],
        lanes: usize,
        lane: usize,
        len: usize,
    ) -> Result<(), Error>;
}

impl<S: Sequential + Progress> AnyProgress for S {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.try_update(data)
    }
    fn resume_from(
        &mut self,
        states: &[u8],
        lanes: usize,
        lane: usize,
        len: usize,
    ) -> Result<(), Error> {
        let words = as_words::<Word<S>>(states);
        self.resume(|i| words[i * lanes + lane], len)
    }
}

/// Returns the backend with which to begin on `count` messages of at most `longest` bytes each.
#[inline]
pub(crate) fn best<S: Sequential>(
    stream: &S,
    count: usize,
    longest: usize,
) -> backend::Runnable<S::Family> {
    let blocks = match stream.then_known(longest) {
        Some(_) => THEN_KNOWN as usize,
        None => stream.blocks().of(longest).max(1),
    };
    backend::for_messages(count, blocks)
}

/// Implements [`AnySequential::pad_each`]. `stream` returns the stream of a lane.
#[inline(always)]
fn pad_lanes<'s, S: Sequential + 's>(
    stream: impl Fn(usize) -> &'s S,
    messages: &[&[u8]],
    taken: usize,
    (tails, room): (&mut [u8], usize),
    states: &mut [u8],
) -> usize {
    let (words, lanes) = (as_words_mut::<_, Word<S>>(states), messages.len());
    let mut padded = 0;
    for (lane, (message, tail)) in messages.iter().zip(tails.chunks_exact_mut(room)).enumerate() {
        let set = |i: usize, word| words[i * lanes + lane] = word;
        padded = stream(lane).last(message.len(), tail, message.len() - taken, set);
    }
    padded
}

/// Returns the stream's state after the block `then`, or the state as it is if `then` is empty.
#[inline(always)]
fn state_after<S: Sequential>(stream: &S, then: &[u8]) -> <S::Family as Family>::State {
    let mut state = stream.state();
    if !then.is_empty() {
        let input = Input { lanes: &[then], stride: then.len(), blocks: 1 };
        backend::one::<S::Family>().absorb(state.as_mut(), stream.shape(), &input);
    }
    state
}

/// Sets a word of the state in every lane. The numbers of lanes are constants, so that the compiler
/// emits a few vector stores and no loop.
#[inline(always)]
fn set_all<W: Copy>(states: &mut [W], lanes: usize, i: usize, word: W) {
    let words = &mut states[i * lanes..][..lanes];
    match lanes {
        4 => words[..4].fill(word),
        #[cfg(target_arch = "x86_64")]
        8 => words[..8].fill(word),
        #[cfg(target_arch = "x86_64")]
        16 => words[..16].fill(word),
        #[cfg(target_arch = "x86_64")]
        32 => words[..32].fill(word),
        _ => words.fill(word),
    }
}

/// Returns the bytes of states, or places for them, as words of 32 or 64 bits.
///
/// # Panics
/// If there are any and they do not begin at a place for a word.
#[inline(always)]
fn as_words_mut<B, W>(bytes: &mut [B]) -> &mut [W] {
    if bytes.is_empty() {
        return &mut [];
    }
    const { assert!(size_of::<B>() == 1 && (size_of::<W>() == 4 || size_of::<W>() == 8)) };
    let (start, count) = (bytes.as_mut_ptr().cast::<W>(), bytes.len() / size_of::<W>());
    assert!(start.is_aligned(), "states begin at a cache line");
    // SAFETY: the same bytes, aligned; `B` is `u8` where `W` is `u32` or `u64`, and `MaybeUninit` of
    // these where `W` is, and both may have any bytes.
    unsafe { core::slice::from_raw_parts_mut(start, count) }
}

/// Does the same for bytes that are only read.
#[inline(always)]
fn as_words<W>(bytes: &[u8]) -> &[W] {
    const { assert!(size_of::<W>() == 4 || size_of::<W>() == 8) };
    let (start, count) = (bytes.as_ptr().cast::<W>(), bytes.len() / size_of::<W>());
    assert!(start.is_aligned(), "states begin at a cache line");
    // SAFETY: the same bytes, aligned, and `W` is `u32` or `u64`, which may have any bytes.
    unsafe { core::slice::from_raw_parts(start, count) }
}

/// The first bytes of `N`. Only these are initialised and wiped, because clearing and wiping the states
/// and tails of all lanes took longer than a block in four of them. They begin at a cache line, so that
/// no vector lies in two.
#[repr(align(64))]
pub(crate) struct Used<const N: usize> {
    all: [MaybeUninit<u8>; N],
    /// The number of initialised bytes.
    len: usize,
}

impl<const N: usize> Used<N> {
    /// Uses no byte.
    #[inline(always)]
    pub const fn none() -> Self {
        Used { all: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    /// Uses the first `len` bytes. `set` must initialise all of them.
    #[inline(always)]
    pub fn used(&mut self, len: usize, set: impl FnOnce(&mut [MaybeUninit<u8>])) {
        set(&mut self.all[..len]);
        self.len = len;
    }

    /// Uses the first `len` bytes, which become zeros.
    #[inline(always)]
    pub fn clear(&mut self, len: usize) {
        self.used(len, |used| used.fill(MaybeUninit::new(0)));
    }

    /// Uses as many bytes as there are in `from`, which become copies of them.
    #[inline(always)]
    pub fn copy_from(&mut self, from: &[u8]) {
        self.used(from.len(), |used| {
            used.iter_mut().zip(from).for_each(|(to, &from)| *to = MaybeUninit::new(from));
        });
    }
}

impl<const N: usize> Deref for Used<N> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: `used` has initialised them.
        unsafe { core::slice::from_raw_parts(self.all.as_ptr().cast(), self.len) }
    }
}

impl<const N: usize> DerefMut for Used<N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: `used` has initialised them.
        unsafe { core::slice::from_raw_parts_mut(self.all.as_mut_ptr().cast(), self.len) }
    }
}

/// The schedule of a block that is the same in every lane, of any family.
#[repr(align(64))]
pub(crate) struct Known {
    /// The longest has 16 lanes of 80 words (SHA-512).
    place: MaybeUninit<[u64; 16 * 80]>,
    kept: Option<TypeId>,
}

impl Known {
    #[inline(always)]
    pub const fn none() -> Self {
        Known { place: MaybeUninit::uninit(), kept: None }
    }

    fn keep<T: 'static>(&mut self, known: T) {
        const { assert!(size_of::<T>() <= 8 * 16 * 80 && align_of::<T>() <= 8) };
        // SAFETY: the place has room for a `T` and its alignment.
        unsafe { self.place.as_mut_ptr().cast::<T>().write(known) }
        self.kept = Some(TypeId::of::<T>());
    }

    fn kept<T: 'static>(&self) -> Option<&T> {
        // SAFETY: then `keep` has written a `T`.
        (self.kept == Some(TypeId::of::<T>())).then(|| unsafe { &*self.place.as_ptr().cast() })
    }
}
