//! Backends: the implementations of a block function, and the choice between them.
//!
//! A *family* is one block function (SHA-256's compression function, Keccak-p, …). Each family
//! lists its backends in a table, with the cycles that each takes on each profile of CPUs.
//!
//! # How a backend is chosen
//! The best instruction set is not always the fastest. On AMD's Zen 5 a simple vector instruction
//! has twice the latency that it has on an Intel Xeon, so one message of BLAKE2 is faster in scalar
//! registers there than in AVX-512's; and 16 lanes of AVX-512 are slow for a single message on
//! every CPU. So the choice uses measured cycles and the number of messages:
//!
//! - One message takes the backend of one lane with the fewest cycles. The first call chooses it
//!   and keeps the choice. Later calls cost two relaxed loads and no locked instruction.
//! - Many messages take the backend for which groups × cycles is least. A group has as many
//!   messages as the backend has lanes. A few messages take the backend with which the sum over all
//!   groups is least, for example two lanes and then one for three messages. These choices are
//!   kept, too, one for each number of messages.
//!
//! [`force`] overrides both choices, for tests and measurements. It starts a new epoch. A kept
//! choice is valid only in the epoch in which it was made, so `force` need not find the kept
//! choices.

use crate::buffer::copy_short;
use crate::error::Error;
use crate::simd::rows::Rows;
#[cfg(target_arch = "x86_64")]
use crate::simd::x86_ends;
use crate::simd::{Isa, Profile, Stamp};
use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A block function with its implementations.
pub(crate) trait Family: Copy + 'static {
    /// The word of a state; one lane of a vector contains one word.
    type Word: Copy + Default + Send + Sync + 'static;
    /// The parameters of the block function besides the state and the blocks.
    type Shape: Copy + PartialEq;
    /// The precomputed schedule of a block that is the same in every lane.
    type Known: 'static;
    /// The state of one lane.
    type State: Copy + Default + AsRef<[Self::Word]> + AsMut<[Self::Word]>;
    /// An array for the padded end of a message.
    type Tail: AsRef<[u8]> + AsMut<[u8]>;
    const TAIL: Self::Tail;
    /// All backends. The last one must be portable.
    const BACKENDS: &'static [Backend<Self>];
    /// The backends of one lane. They have their own table, so that a program which hashes only
    /// single messages is linked without the kernels for many lanes.
    const ONE: &'static [Backend<Self>] = {
        let (rows, count) = &of_one_lane(Self::BACKENDS);
        rows.split_at(*count).0
    };
    /// What groups of messages cost besides the cycles of their backends.
    const START: &'static [Start];
    /// Bit `n` is set if a backend has `n` lanes: see [`has_lanes`].
    const LANE_COUNTS: u64 = {
        let (mut counts, mut i) = (0, 0);
        while i < Self::BACKENDS.len() {
            // A CPU of another profile takes the first figures.
            let cycles = Self::BACKENDS[i].cycles;
            assert!(
                cfg!(not(target_arch = "x86_64")) || matches!(cycles, [(Profile::Xeon, ..), ..])
            );
            counts |= 1 << Self::BACKENDS[i].lanes;
            i += 1;
        }
        counts
    };

    /// How the first 64 bytes of the output follow from the words of the state.
    const OUTPUT: Output;

    fn chosen() -> &'static Chosen;
}

/// How an output follows from the words of a state.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Output {
    /// It is the words, each with its most significant byte first.
    BigEndian,
    /// It is the words, each with its least significant byte first.
    LittleEndian,
    /// It takes further blocks (Ascon).
    Other,
}

/// The blocks of every lane: block `b` of lane `l` starts at `lanes[l][b * stride]`. The proofs write
/// its fields in this order.
#[repr(C)]
pub(crate) struct Input<'a> {
    pub lanes: &'a [&'a [u8]],
    /// Bytes from one block of a lane to the next.
    pub stride: usize,
    pub blocks: usize,
    /// The last block, if the lanes have only its first bytes: see [`Runnable::end`].
    pub end: Option<End<'a>>,
}

/// A last block of which each lane has only the first bytes, because the others, padding, are the same
/// in all lanes. The kernel loads from the lanes only what differs, and a message whose last bytes fill
/// a gather is read where it is.
#[repr(C)]
pub(crate) struct End<'a> {
    /// A whole block. Its first `len` bytes are not read.
    pub block: &'a [u8],
    /// The bytes in each lane: a multiple of the backend's [`gathered`](Backend::gathered), or the
    /// whole block.
    pub len: usize,
}

impl End<'_> {
    /// Returns the `N` bytes of the block from byte `at` on.
    #[inline(always)]
    pub const fn bytes<const N: usize>(&self, at: usize) -> &[u8; N] {
        match self.block.split_at(at).1.first_chunk() {
            Some(bytes) => bytes,
            None => panic!("an end is a whole block"),
        }
    }
}

/// Whether a backend of the family has `lanes` lanes. The compiler knows the result, so a branch
/// for a number of lanes that no backend has costs no code. It saves 0.8 of 14.8 KB of SHA-256's
/// module of the JavaScript package, gzipped.
#[inline(always)]
pub(crate) const fn has_lanes<F: Family>(lanes: usize) -> bool {
    F::LANE_COUNTS >> lanes & 1 == 1
}

/// Evaluates `$body` with the number of lanes as the constant `$L`, so that the body is compiled for
/// each number above 1 that a backend of the family has. It is a macro because a closure cannot have
/// a constant parameter.
macro_rules! with_lanes {
    ($F:ty, $lanes:expr, $L:ident => $body:expr) => {
        with_lanes!(@ $F, $lanes, $L => $body, 32 16 8 4 2)
    };
    (@ $F:ty, $lanes:expr, $L:ident => $body:expr, $($n:literal)*) => {
        match $lanes {
            $($n if $crate::backend::has_lanes::<$F>($n) => {
                const $L: usize = $n;
                $body
            })*
            lanes => unreachable!("no backend has {lanes} lanes"),
        }
    };
}
pub(crate) use with_lanes;

/// Returns the inputs of the `L` lanes, for a kernel that has `L` lanes.
#[inline(always)]
pub(crate) const fn lanes<'a, const L: usize>(input: &Input<'a>) -> &'a [&'a [u8]; L] {
    match input.lanes.first_chunk() {
        Some(lanes) => lanes,
        None => panic!("fewer inputs than lanes"),
    }
}

/// Returns the `N` bytes that begin at byte `at` of every lane's input. The arrays let the gathers
/// of a kernel do without checks, so that they are inlined: 4.7 → 5.2 GB/s, SHA-256 in 16 lanes of
/// Zen 5.
#[inline(always)]
pub(crate) const fn array_of<'a, const N: usize, const L: usize>(
    inputs: &[&'a [u8]; L],
    at: usize,
) -> [&'a [u8; N]; L] {
    let mut arrays = [const { &[0; N] }; L];
    let mut lane = 0;
    while lane < L {
        arrays[lane] = match inputs[lane].split_at(at).1.first_chunk() {
            Some(bytes) => bytes,
            None => panic!("a lane's input is shorter than its blocks"),
        };
        lane += 1;
    }
    arrays
}

/// The cycles of a backend on CPUs of a profile, to compare the backends of a family: to absorb one
/// block in every lane, and besides that for each group of messages, to move messages and digests to
/// and from the lanes. A profile that is not listed uses the first figures. `cargo xtask bench --cells`
/// measures them.
pub(crate) type Cycles = (Profile, u32, u32);

/// The cycles on CPUs of a profile for two lanes or for one group of four, once; for more lanes, once, to
/// clear and to wipe them; for a group that does not fill them; and for messages that are left for another backend,
/// which do not overlap with others. A profile that is not listed uses the first figures.
pub(crate) type Start = (Profile, [u32; 4]);

/// One implementation of a family's block function.
#[derive(Clone, Copy)]
pub(crate) struct Backend<F: Family> {
    pub name: &'static str,
    pub needs: Isa,
    pub lanes: usize,
    pub cycles: &'static [Cycles],
    pub absorb: Absorb<F>,
    /// The bytes that a gather loads from each lane, or 0 if `absorb` does not take an [`End`].
    pub gathered: usize,
    /// Absorbs one block that is the same in all lanes into `lanes` states, if that is faster than
    /// `absorb`.
    pub absorb_known: Option<AbsorbKnown<F>>,
    /// Absorbs the last bytes of a message and its padding into one state, if that is faster than
    /// padding in memory. The last argument is the length of the message in bytes. SHA-2's
    /// functions also accept whole blocks before the last bytes, BLAKE2's do not.
    pub absorb_last: Option<AbsorbLast<F>>,
    /// Hashes a digest in place: from the state after one block it absorbs the words of the digest
    /// and the padding, and replaces the words by the new state.
    pub absorb_digest: Option<AbsorbDigest<F>>,
    /// Absorbs one block, and then one whose schedule is known, into one state.
    pub absorb_then_known: Option<AbsorbThenKnown<F>>,
    /// The same for each of two lanes.
    pub absorb_two_then_known: Option<AbsorbTwoThenKnown<F>>,
    /// The cycles of a block and a known one after it, if they are not those of two blocks.
    pub then_known: &'static [Cycles],
    /// Writes the digests of all lanes, if there are several and the backend has a function for that.
    pub rows: Option<Rows<F::Word>>,
    /// A backend of as many lanes that needs no other instructions, if it is as fast or faster for
    /// messages of one block. If it has cycles, these count for such messages.
    pub of_one_block: Option<&'static Backend<F>>,
}

/// Absorbs `input` into `lanes` states. Word `w` of lane `l` is `state[w * lanes + l]`.
///
/// # Safety
/// The CPU must have all instruction sets in the backend's `needs`. The same holds for the five
/// types below.
type Absorb<F> = unsafe fn(&mut [<F as Family>::Word], <F as Family>::Shape, &Input<'_>);
type AbsorbKnown<F> = unsafe fn(&mut [<F as Family>::Word], &<F as Family>::Known);
type AbsorbLast<F> = unsafe fn(&mut [<F as Family>::Word], &[u8], u128);
type AbsorbDigest<F> = unsafe fn(&[<F as Family>::Word], &mut [<F as Family>::Word]);
type AbsorbThenKnown<F> = unsafe fn(&mut [<F as Family>::Word], &[u8], &<F as Family>::Known);
type AbsorbTwoThenKnown<F> =
    unsafe fn(&mut [<F as Family>::Word], &[&[u8]; 2], &<F as Family>::Known);

impl<W: 'static> Stamp<W> {
    /// Returns this kernel's row of its family's table.
    pub const fn row<F: Family<Word = W>>(
        self,
        absorb: Absorb<F>,
        cycles: &'static [Cycles],
    ) -> Backend<F> {
        let Stamp { name, needs, lanes, gathered, rows } = self;
        let rows = match (rows, F::OUTPUT) {
            (Some([rows, _]), Output::BigEndian) | (Some([_, rows]), Output::LittleEndian) => {
                Some(rows)
            }
            _ => None,
        };
        // Ascon's messages end one by one.
        let gathered = if matches!(F::OUTPUT, Output::Other) { 0 } else { gathered };
        Backend { name, needs, lanes, cycles, gathered, rows, ..Backend::of(absorb) }
    }
}

/// Returns the rows of one lane and their number. The unused places contain the last row.
const fn of_one_lane<F: Family>(all: &[Backend<F>]) -> ([Backend<F>; 8], usize) {
    let mut rows = [all[all.len() - 1]; 8];
    let (mut i, mut count) = (0, 0);
    while i < all.len() {
        if all[i].lanes == 1 {
            rows[count] = all[i];
            count += 1;
        }
        i += 1;
    }
    (rows, count)
}

impl<F: Family> Backend<F> {
    /// Returns a backend of one lane that only absorbs. The caller sets its name, needs and cycles.
    pub const fn of(absorb: Absorb<F>) -> Self {
        Backend {
            name: "",
            needs: Isa::NONE,
            lanes: 1,
            cycles: &[],
            absorb,
            gathered: 0,
            absorb_known: None,
            absorb_last: None,
            absorb_digest: None,
            absorb_then_known: None,
            absorb_two_then_known: None,
            then_known: &[],
            rows: None,
            of_one_block: None,
        }
    }

    /// Whether both are the same row of the table. It does not compare addresses, because a
    /// constant table may be stored several times.
    fn is(&self, other: &Self) -> bool {
        (self.name, self.lanes) == (other.name, other.lanes)
    }

    /// Whether this CPU can run it.
    pub fn is_available(&self) -> bool {
        Isa::detected().contains(self.needs)
    }

    /// Returns the cycles on this CPU of a group of messages of `blocks` blocks, or [`THEN_KNOWN`].
    fn cycles_of(&self, blocks: u32) -> u32 {
        let (blocks, cycles) = match (blocks, self.of_one_block) {
            (THEN_KNOWN, _) if self.then_known.is_empty() => (2, self.cycles),
            (THEN_KNOWN, _) => (1, self.then_known),
            (1, Some(of_one_block)) if !of_one_block.cycles.is_empty() => (1, of_one_block.cycles),
            _ => (blocks, self.cycles),
        };
        let (_, block, group) = *here(cycles, |figures| figures.0);
        blocks * block + group
    }

    /// Returns the cycles on this CPU to absorb a block.
    fn cycles(&self) -> u32 {
        here(self.cycles, |figures| figures.0).1
    }
}

/// Returns the figures of this CPU's profile, or the first ones if it is not listed.
fn here<T>(figures: &[T], profile: fn(&T) -> Profile) -> &T {
    figures.iter().find(|&it| profile(it) == Profile::detected()).unwrap_or(&figures[0])
}

/// A backend that this CPU can run.
#[derive(Clone, Copy)]
pub(crate) struct Runnable<F: Family>(&'static Backend<F>);

impl<F: Family> Runnable<F> {
    #[inline(always)]
    pub fn lanes(self) -> usize {
        // Without vectors there is only the portable backend, and no code for lanes is compiled.
        if F::BACKENDS.len() == 1 { 1 } else { self.0.lanes }
    }

    /// Returns the cycles to absorb one block in every lane.
    #[cfg(feature = "rayon")]
    pub fn cycles(self) -> usize {
        self.0.cycles() as usize
    }

    #[inline(always)]
    pub fn absorb(self, state: &mut [F::Word], shape: F::Shape, input: &Input<'_>) {
        // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
        unsafe { (self.0.absorb)(state, shape, input) }
    }

    /// Returns the last block of `padded`, of `stride` bytes, for lanes that have only the first `len`
    /// bytes of `padded`, or a few more; `None` if the lanes must have the whole block.
    #[inline]
    pub fn end(self, padded: &[u8], len: usize, stride: usize) -> Option<End<'_>> {
        // The compiler need not know that no kernel of WebAssembly takes an end.
        if cfg!(target_arch = "wasm32") || self.0.gathered == 0 {
            return None;
        }
        let (before, block) = padded.split_at(padded.len() - stride);
        // A power of two: a division would take longer.
        let gathered = self.0.gathered;
        let len = (len.saturating_sub(before.len()) + gathered - 1) & !(gathered - 1);
        (len < stride).then_some(End { block, len })
    }

    /// Returns the backend without the type of its family.
    #[inline]
    pub fn any(self) -> AnyRunnable {
        AnyRunnable { row: self.0, lanes: self.lanes() }
    }

    /// Writes the first `len` bytes, a multiple of 16, of every lane's digest to `rows`, `stride`
    /// bytes apart, if the backend has a function for that, and returns whether it did.
    #[inline]
    pub fn rows(self, state: &[F::Word], rows: &mut [u8], stride: usize, len: usize) -> bool {
        if let Some(write) = self.0.rows {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { write(state, rows, stride, len) }
        }
        self.0.rows.is_some()
    }

    /// Copies the states of all lanes.
    #[inline]
    pub fn copy(self, to: &mut [u8], from: &[u8]) {
        #[cfg(target_arch = "x86_64")]
        if self.0.needs.contains(Isa::AVX512) {
            let (to, from) = (to.as_chunks_mut().0, from.as_chunks::<4>().0);
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            return unsafe { x86_ends::copy(to, from) };
        }
        to.copy_from_slice(from);
    }

    /// Writes to each lane's tail of `room` bytes the first `written` bytes of the lines `around`, or
    /// some more, and in them, from byte `at` on, where they have zeros, the bytes of the lane.
    #[inline]
    pub fn lay(
        self,
        lanes: &[&[u8]],
        at: usize,
        (around, written): (&[[u8; 64]], usize),
        tails: &mut [u8],
        room: usize,
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.0.needs.contains(Isa::AVX512) {
            // Only kernels of eight and more lanes of 64 bits load whole lines.
            let halves = size_of::<F::Word>() < 8 || self.0.lanes < 8;
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            return unsafe { x86_ends::lay(lanes, at, around, written, tails, room, halves) };
        }
        lay(lanes, at, (around, written), tails, room);
    }

    /// Returns the backend, with as many lanes, for messages of `blocks` blocks.
    pub fn of_blocks(self, blocks: usize) -> Self {
        match self.0.of_one_block {
            Some(of_one_block) if blocks <= 1 => Runnable(of_one_block),
            _ => self,
        }
    }

    /// Returns all backends that this CPU can run.
    #[cfg(test)]
    pub fn all() -> impl Iterator<Item = Self> {
        F::BACKENDS.iter().filter(|it| it.is_available()).map(Runnable)
    }

    #[cfg(test)]
    pub fn backend(self) -> &'static Backend<F> {
        self.0
    }

    /// Whether the backend has a function that absorbs the last bytes of a message from where they
    /// are in memory.
    #[inline(always)]
    pub fn absorbs_last(self) -> bool {
        self.0.absorb_last.is_some()
    }

    /// Absorbs the last bytes if the backend has a function for that, and returns whether it did.
    #[inline(always)]
    pub fn absorb_last(self, state: &mut [F::Word], last: &[u8], count: u128) -> bool {
        if let Some(absorb_last) = self.0.absorb_last {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_last(state, last, count) }
        }
        self.0.absorb_last.is_some()
    }

    /// Absorbs a digest if the backend has a function for that, and returns whether it did.
    #[inline(always)]
    pub fn absorb_digest(self, start: &[F::Word], digest: &mut [F::Word]) -> bool {
        if let Some(absorb_digest) = self.0.absorb_digest {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_digest(start, digest) }
        }
        self.0.absorb_digest.is_some()
    }

    /// Absorbs a block and a known one if the backend has a function for that, and returns whether
    /// it did.
    #[inline(always)]
    pub fn absorb_then_known(self, state: &mut [F::Word], block: &[u8], known: &F::Known) -> bool {
        if let Some(absorb_then_known) = self.0.absorb_then_known {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_then_known(state, block, known) }
        }
        self.0.absorb_then_known.is_some()
    }

    pub fn absorbs_two_then_known(self) -> bool {
        self.0.absorb_two_then_known.is_some()
    }

    /// Absorbs a block and a known one in two lanes. Does nothing unless `absorbs_two_then_known` returns
    /// true.
    #[inline]
    pub fn absorb_two_then_known(
        self,
        states: &mut [F::Word],
        blocks: &[&[u8]; 2],
        known: &F::Known,
    ) {
        if let Some(absorb) = self.0.absorb_two_then_known {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb(states, blocks, known) }
        }
    }

    pub fn absorbs_known(self) -> bool {
        self.0.absorb_known.is_some()
    }

    /// Absorbs a known block. Does nothing unless `absorbs_known` returns true.
    pub fn absorb_known(self, state: &mut [F::Word], known: &F::Known) {
        if let Some(absorb_known) = self.0.absorb_known {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_known(state, known) }
        }
    }
}

/// A [`Runnable`] of any family.
#[derive(Clone, Copy)]
pub(crate) struct AnyRunnable {
    row: &'static (dyn Any + Sync),
    lanes: usize,
}

impl AnyRunnable {
    #[inline(always)]
    pub fn lanes(self) -> usize {
        self.lanes
    }

    /// Returns the backend with its type.
    ///
    /// # Panics
    /// If it is a backend of another family.
    #[inline]
    pub fn of<F: Family>(self) -> Runnable<F> {
        let row: &'static dyn Any = self.row;
        Runnable(row.downcast_ref().expect("a backend of this family"))
    }
}

/// Does what [`Runnable::lay`] does on every CPU.
fn lay(
    lanes: &[&[u8]],
    at: usize,
    (around, written): (&[[u8; 64]], usize),
    tails: &mut [u8],
    room: usize,
) {
    let around = &around.as_flattened().as_chunks::<16>().0[..written.div_ceil(16)];
    let mut tails = tails.chunks_exact_mut(room);
    for (bytes, tail) in lanes.iter().map_while(|bytes| Some((bytes, tails.next()?))) {
        tail.as_chunks_mut().0.iter_mut().zip(around).for_each(|(part, around)| *part = *around);
        copy_short(&mut tail[at..][..bytes.len()], bytes);
    }
}

/// The largest number of lanes of a backend. WebAssembly has vectors of four words.
pub(crate) const LANES: usize = if cfg!(target_arch = "wasm32") { 4 } else { 32 };

/// The numbers of blocks for which choices are made: for messages of one block, of two, of three to
/// five, of more, and of one block with a known block of padding.
const CLASSES: [u32; 5] = [1, 2, 4, 16, THEN_KNOWN];

/// In place of a number of blocks: one block, and then a known one.
pub(crate) const THEN_KNOWN: u32 = 0;

/// The choices that were made for one family.
pub(crate) struct Chosen {
    one: Choice,
    leaves: Choice,
    /// The choices for each of [`CLASSES`], by the number of messages. The last one is for all numbers
    /// that fill the lanes.
    messages: [[Choice; LANES + 1]; CLASSES.len()],
}

impl Chosen {
    pub const fn new() -> Self {
        let messages = [const { [const { Choice::none() }; LANES + 1] }; CLASSES.len()];
        Chosen { one: Choice::none(), leaves: Choice::none(), messages }
    }
}

/// The low byte contains 1 + the index in the family's table, or 0 before the first use. The other
/// bits contain the epoch in which the choice was made.
struct Choice(AtomicU32);

impl Choice {
    const fn none() -> Self {
        Choice(AtomicU32::new(0))
    }
}

/// Returns the backend for one message.
#[inline]
pub(crate) fn one<F: Family>() -> Runnable<F> {
    let choose: Choose<F> = |forced, _, _| fastest(F::ONE, forced & NAME, 1);
    chosen(F::ONE, &F::chosen().one, choose, (1, 0))
}

/// Returns the backend for a tree of `leaves` leaves. It has as many lanes as leaves, or one.
#[inline]
pub(crate) fn leaves<F: Family>(leaves: usize) -> Runnable<F> {
    let choose: Choose<F> = |forced, leaves, _| {
        let of = |lanes| fastest(F::BACKENDS, forced & NAME, lanes);
        of(leaves).or_else(|| of(1))
    };
    chosen(F::BACKENDS, &F::chosen().leaves, choose, (leaves, 0))
}

/// Returns the backend for the first of `count` messages of `blocks` blocks, or [`THEN_KNOWN`], such that
/// all messages take the least time.
#[inline]
pub(crate) fn for_messages<F: Family>(count: usize, blocks: usize) -> Runnable<F> {
    let class = match blocks {
        0 => 4,
        1 | 2 => blocks - 1,
        3..=5 => 2,
        _ => 3,
    };
    let count = count.min(LANES);
    let choice = &F::chosen().messages[class][count];
    let choose: Choose<F> = |forced, count, class| {
        // The last choice is for many more messages, too, so that the start counts for little.
        let count = if count == LANES { 8 * LANES } else { count };
        least::<F>(forced, count, CLASSES[class]).1
    };
    chosen(F::BACKENDS, choice, choose, (count, class))
}

#[inline]
fn chosen<F: Family>(
    table: &'static [Backend<F>],
    choice: &Choice,
    choose: Choose<F>,
    given: (usize, usize),
) -> Runnable<F> {
    // With a single backend there is no choice, and no code for one. The compiler does not see which
    // it is, so that its kernels stay functions, which can be proved.
    if let [only] = table {
        return Runnable(core::hint::black_box(only));
    }
    let (kept, epoch) = (choice.0.load(Relaxed), FORCED.load(Relaxed) & !LOW_BYTE);
    // In another epoch the difference is 256 or more, and no table is that long.
    match table.get((kept.wrapping_sub(epoch) as usize).wrapping_sub(1)) {
        Some(backend) => Runnable(backend),
        None => choose_now(table, choice, choose, given),
    }
}

/// Returns the best backend for a number of messages or lanes, if a backend of the forced name
/// exists. `class` is an index of [`CLASSES`].
type Choose<F> = fn(forced: u32, count: usize, class: usize) -> Option<&'static Backend<F>>;

#[cold]
fn choose_now<F: Family>(
    table: &'static [Backend<F>],
    choice: &Choice,
    choose: Choose<F>,
    (count, class): (usize, usize),
) -> Runnable<F> {
    // The epoch and the name are read together. If another thread calls `force` in between, the
    // choice is kept for the old epoch and is never used.
    let forced = FORCED.load(Relaxed);
    let index = choose(forced, count, class).and_then(|best| table.iter().position(|b| b.is(best)));
    let index = index.unwrap_or(table.len() - 1);
    choice.0.store((forced & !LOW_BYTE) + index as u32 + 1, Relaxed);
    Runnable(&table[index])
}

/// Returns the table's fastest backend that has `lanes` lanes.
fn fastest<F: Family>(
    table: &'static [Backend<F>],
    forced: u32,
    lanes: usize,
) -> Option<&'static Backend<F>> {
    runnable(table, forced).filter(|b| b.lanes == lanes).min_by_key(|b| b.cycles())
}

/// Whether messages are hashed in pairs, or in one group of four: nothing is prepared for groups then.
pub(crate) fn is_few(lanes: usize, count: usize) -> bool {
    lanes == 2 || lanes == 4 && count < 8
}

/// Returns the least cycles that `count` messages of `blocks` blocks take, and the backend that begins.
/// Not inlined, because it calls itself and the compiler would make two copies of it.
#[inline(never)]
fn least<F: Family>(forced: u32, count: usize, blocks: u32) -> (u32, Option<&'static Backend<F>>) {
    let (_, [few, more, unfilled, rest]) = *here(F::START, |figures| figures.0);
    let time = |b: &Backend<F>| {
        let (groups, left) = ((count / b.lanes) as u32, count % b.lanes);
        let (start, unfilled, rest) = match b.lanes {
            1 => (0, 0, 0),
            _ if is_few(b.lanes, count) => (few, 0, few),
            _ => (more, unfilled, rest),
        };
        let of_left = match (left, groups) {
            (0, _) => 0,
            (_, 0) => unfilled + b.cycles_of(blocks),
            _ => rest + least::<F>(forced, left, blocks).0,
        };
        start + groups * b.cycles_of(blocks) + of_left
    };
    let mut least = (0, None);
    for backend in runnable(F::BACKENDS, forced) {
        let time = time(backend);
        if least.1.is_none() || time < least.0 {
            least = (time, Some(backend));
        }
    }
    least
}

/// Returns the table's backends that this CPU can run and `force` does not exclude.
fn runnable<F: Family>(
    table: &'static [Backend<F>],
    forced: u32,
) -> impl Iterator<Item = &'static Backend<F>> {
    let (isa, name, lanes) = (Isa::detected(), forced_name(forced), (forced & LOW_BYTE) >> 4);
    let allowed = move |b: &&Backend<F>| {
        let named = name.is_none_or(|name| b.name == name);
        named && isa.contains(b.needs) && (lanes == 0 || lanes == b.lanes.ilog2() + 1)
    };
    table.iter().filter(allowed)
}

/// The low four bits contain 1 + the index in [`NAMES`] of the forced backend, or 0. The next four
/// contain 1 + the binary logarithm of its number of lanes, or 0 for any number. The other bits
/// contain the epoch.
static FORCED: AtomicU32 = AtomicU32::new(0);
const LOW_BYTE: u32 = 0xFF;
const NAME: u32 = 0xF;
const _: () = assert!(NAMES.len() < NAME as usize && LANES.ilog2() < NAME);

fn forced_name(forced: u32) -> Option<&'static str> {
    Some(NAMES.get(((forced & NAME) as usize).wrapping_sub(1))?.0)
}

/// Returns what [`set`] takes to force the same backend again.
pub(crate) fn forced() -> u32 {
    FORCED.load(Relaxed) & LOW_BYTE
}

/// Forces a backend, by the low byte of [`FORCED`].
pub(crate) fn set(forced: u32) {
    let next = |now: u32| Some((now | LOW_BYTE).wrapping_add(1) + forced);
    _ = FORCED.fetch_update(Relaxed, Relaxed, next);
}

/// The names of the backends of this target, best first, each with the instruction sets that every
/// family needs for a backend of this name.
const NAMES: &[(&str, Isa)] = &[
    #[cfg(target_arch = "x86_64")]
    ("avx512", Isa::AVX512),
    #[cfg(target_arch = "x86_64")]
    ("avx512vl", Isa::AVX512),
    #[cfg(target_arch = "x86_64")]
    ("sha512", Isa::AVX2.and(Isa::SHA512)),
    #[cfg(target_arch = "x86_64")]
    ("sha", Isa::SHA),
    #[cfg(target_arch = "x86_64")]
    ("avx2", Isa::AVX2),
    #[cfg(target_arch = "x86_64")]
    ("bmi2", Isa::BMI2),
    #[cfg(target_arch = "aarch64")]
    ("sha3", Isa::SHA3),
    #[cfg(target_arch = "aarch64")]
    ("sha512", Isa::SHA3),
    #[cfg(target_arch = "aarch64")]
    ("sha", Isa::SHA),
    #[cfg(target_arch = "aarch64")]
    ("neon", Isa::V128),
    #[cfg(target_arch = "wasm32")]
    ("simd128", Isa::V128),
    ("portable", Isa::NONE),
];

/// Returns the names of the backends of this target, best first, including those that this CPU
/// cannot run.
///
/// ```
/// assert!(hashmill::backend::names().any(|name| name == "portable"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// One backend of an algorithm, as [`Algorithm::backends`](crate::Algorithm::backends) lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// One of [`names`].
    pub name: &'static str,
    /// The number of messages that it hashes at once.
    pub lanes: usize,
    /// Whether this CPU can run it.
    pub available: bool,
    /// Whether the library uses it for one message; for BLAKE2bp and BLAKE2sp, for the leaves of one
    /// message.
    pub one: bool,
    /// Whether the library uses it for many messages.
    pub many: bool,
}

/// Makes every algorithm use its backend `name`, or the portable one if it has none of that name.
/// `None` returns to the best backends. This holds for the whole process, from the next call on.
///
/// A name may end in a number of lanes, as in `"sha:2"`: then the batches use only the backend of that
/// name with so many lanes.
///
/// This function is for tests and measurements. The digests do not depend on the backend.
///
/// # Errors
/// [`Error::UnknownBackend`] if the target has no backend of that name,
/// [`Error::BackendNotAvailable`] if this CPU cannot run it.
///
/// ```
/// # fn main() -> Result<(), hashmill::Error> {
/// hashmill::backend::force(Some("portable"))?;
/// let portable = hashmill::sha256(b"abc");
/// hashmill::backend::force(None)?;
/// assert_eq!(hashmill::sha256(b"abc"), portable);
/// # Ok(())
/// # }
/// ```
pub fn force(name: Option<&str>) -> Result<(), Error> {
    let forced = match name {
        None => 0,
        Some(name) => {
            let (name, lanes) = match name.split_once(':') {
                Some((name, lanes)) => {
                    let is = |n: &u32| lanes.parse() == Ok(1 << n) && 1 << n <= LANES;
                    (name, (0..NAME).find(is).ok_or(Error::UnknownBackend)? + 1)
                }
                None => (name, 0),
            };
            let index = NAMES.iter().position(|known| known.0 == name);
            let index = index.ok_or(Error::UnknownBackend)?;
            if !Isa::detected().contains(NAMES[index].1) {
                return Err(Error::BackendNotAvailable);
            }
            index as u32 + 1 + (lanes << 4)
        }
    };
    set(forced);
    Ok(())
}

/// Returns the backend with that index in the family's table. `one` is the backend for one message.
pub(crate) fn info<F: Family>(index: usize, one: Runnable<F>) -> Option<Info> {
    let backend = F::BACKENDS.get(index)?;
    let is = |Runnable(chosen): Runnable<F>| backend.is(chosen);
    Some(Info {
        name: backend.name,
        lanes: backend.lanes,
        available: backend.is_available(),
        one: is(one),
        many: is(for_messages(LANES, 1)),
    })
}
