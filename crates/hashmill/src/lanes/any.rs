//! Streams without their types: what the scheduler of the lanes asks of a [`Sequential`]. States are
//! bytes here, so that the scheduler is compiled once, and not once for each type of stream.
//! Those copies were 0.25 of 1.8 MB of the library's code and a sixth of the time to compile it.
//! WebAssembly is an exception: see [`seen`]. What runs for every group of messages is in [`group`],
//! with the types, because a virtual call takes about 2 ns.

use super::group::{self, Prefix};
use super::used::{as_words, as_words_mut};
use crate::backend::{self, AnyRunnable, Family, Input, LANES, THEN_KNOWN, has_lanes};
use crate::buffer::{Blocks, copy_short};
use crate::error::Error;
use crate::messages::{Messages, Slots};
use crate::stream::{Progress, Sequential, Word};

/// The sizes of a family's states and tails, and which ways of the scheduler it can take.
pub(crate) struct Sizes {
    /// Bytes of a word of the state.
    pub word: usize,
    /// Bytes of the state of one lane.
    pub state: usize,
    /// Bytes of a tail: a multiple of 64, the length of a cache line.
    pub room: usize,
    /// Whether a backend has two lanes, and whether one has more.
    pub has_two: bool,
    pub has_more: bool,
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
    /// Writes the state to one lane.
    fn set_state(&self, states: &mut [u8], lanes: usize, lane: usize);
    /// Writes the end of a message of `message_len` bytes, in two parts, and the padding to the tail of a
    /// lane, and returns how many bytes of it must be absorbed.
    fn end(&self, lane: &mut Lane<'_>, left: [&[u8]; 2], message_len: usize) -> usize;
    /// Does the same for a message of which no block is absorbed before, and sets the state. No bytes may
    /// wait.
    fn whole(&self, lane: &mut Lane<'_>, message: &[u8]) -> usize;
    fn absorb(&self, backend: AnyRunnable, states: &mut [u8], input: &Input<'_>);
    /// Writes the output of one of the lanes.
    fn output_of(&self, states: &[u8], lanes: usize, lane: usize, out: &mut [u8]);
}

impl<S: Sequential> AnySequential for S {
    fn sizes(&self) -> &'static Sizes {
        const {
            &Sizes {
                word: size_of::<Word<S>>(),
                state: size_of::<<S::Family as Family>::State>(),
                room: size_of::<<S::Family as Family>::Tail>().next_multiple_of(64),
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
    fn set_state(&self, states: &mut [u8], lanes: usize, lane: usize) {
        group::set_state(
            as_words_mut::<_, Word<S>>(states),
            lanes,
            lane,
            self.state().as_ref().iter().copied(),
        );
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
        self.set_state(lane.states, lane.lanes, lane.lane);
        self.end(lane, [&[], message], message.len())
    }
    fn absorb(&self, backend: AnyRunnable, states: &mut [u8], input: &Input<'_>) {
        backend.of::<S::Family>().absorb(as_words_mut(states), self.shape(), input);
    }
    fn output_of(&self, states: &[u8], lanes: usize, lane: usize, out: &mut [u8]) {
        let words = as_words::<Word<S>>(states);
        self.output(|i| words[i * lanes + lane], out);
    }
}

/// A [`Prefix`] of streams of any type. The methods without comment are the functions of [`group`].
pub(crate) trait AnyPrefix {
    type Stream: AnySequential + ?Sized;
    fn stream(&self, index: usize) -> &Self::Stream;
    /// Whether all messages have one stream.
    fn is_one(&self) -> bool;
    fn finish_in_turn(&self, messages: &[&[u8]], outputs: &mut Slots<'_>, next: usize);
    fn finish_pairs(
        &self,
        backend: AnyRunnable,
        pairs: &[[&[u8]; 2]],
        outputs: &mut Slots<'_>,
        next: usize,
    );
    fn finish_four(
        &self,
        backend: AnyRunnable,
        messages: &[&[u8]],
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> bool;
    fn finish_groups<'m>(
        &self,
        backend: AnyRunnable,
        messages: (&'m dyn Messages, &mut [&'m [u8]; LANES]),
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> Result<usize, usize>;
    fn finish_picked(
        &self,
        backend: AnyRunnable,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
        indexes: &[usize],
    );
}

impl<'a, S: Sequential + 'a> AnyPrefix for Prefix<'a, S> {
    #[cfg(not(target_arch = "wasm32"))]
    type Stream = dyn AnySequential + 'a;
    #[cfg(target_arch = "wasm32")]
    type Stream = S;
    fn stream(&self, index: usize) -> &Self::Stream {
        (*self).stream_of(index)
    }
    fn is_one(&self) -> bool {
        matches!(self, Prefix::One(_))
    }
    fn finish_in_turn(&self, messages: &[&[u8]], outputs: &mut Slots<'_>, next: usize) {
        group::finish_in_turn(*self, messages, outputs, next);
    }
    fn finish_pairs(
        &self,
        backend: AnyRunnable,
        pairs: &[[&[u8]; 2]],
        outputs: &mut Slots<'_>,
        next: usize,
    ) {
        group::finish_pairs(*self, backend.of(), pairs, outputs, next);
    }
    fn finish_four(
        &self,
        backend: AnyRunnable,
        messages: &[&[u8]],
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> bool {
        group::finish_four(*self, backend.of(), messages, outputs, next)
    }
    fn finish_groups<'m>(
        &self,
        backend: AnyRunnable,
        messages: (&'m dyn Messages, &mut [&'m [u8]; LANES]),
        outputs: &mut Slots<'_>,
        next: usize,
    ) -> Result<usize, usize> {
        group::finish_groups(*self, backend.of(), messages, outputs, next)
    }
    fn finish_picked(
        &self,
        backend: AnyRunnable,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
        indexes: &[usize],
    ) {
        group::finish_picked(*self, backend.of(), messages, outputs, indexes);
    }
}

/// Returns the prefix without the type of its streams.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn seen<'p, 'a, S: Sequential>(
    prefix: &'p Prefix<'a, S>,
) -> &'p (dyn AnyPrefix<Stream = dyn AnySequential + 'a> + 'p) {
    prefix
}

/// Returns the prefix as it is. A module of WebAssembly has few types of streams, and is smaller if the
/// compiler knows them: SHA-512's with batches has 23 KB, gzipped, and not 32.
#[cfg(target_arch = "wasm32")]
pub(crate) fn seen<'p, 'a, S: Sequential>(prefix: &'p Prefix<'a, S>) -> &'p Prefix<'a, S> {
    prefix
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
