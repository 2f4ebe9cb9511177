//! Backends: the implementations of a block function, and which of them runs.
//!
//! A *family* is one block function (SHA-256's compression, Keccak-p, …). Each family lists its
//! backends in a table, with the cycles that each takes on each profile of CPU.
//!
//! # How a backend is chosen
//! The best instruction set is not always the fastest: on Zen 5 a simple vector instruction has
//! twice the latency that it has on a Xeon, so that there one message of BLAKE2 is faster in scalar
//! registers than in AVX-512's, and 16 lanes of AVX-512 are slow for a single message everywhere.
//! So the choice is made by cycles, which were measured, and by how many messages there are:
//!
//! - One message takes the backend of one lane with the fewest cycles. That choice is made on first
//!   use and kept; afterwards it costs two relaxed loads, no locked instruction.
//! - Many messages take the backend for which groups × cycles is least, where a group is as many
//!   messages as it has lanes; few messages the one with which to begin so that the sum over all
//!   groups is least, for three messages two lanes and then one. These choices are kept, too, one
//!   for each number of messages.
//!
//! [`force`] replaces both, for tests and measurements. It starts a new epoch; a kept choice counts
//! only in the epoch in which it was made, so `force` need not know who keeps one.

use crate::error::Error;
use crate::simd::{Isa, Profile};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A block function with its implementations.
pub(crate) trait Family: Copy + 'static {
    /// What one lane of a vector holds.
    type Word: Copy + Default + Send + Sync + 'static;
    /// What the block function must know besides the state and the blocks.
    type Shape: Copy + PartialEq;
    /// What can be computed ahead of a block that is the same in every lane.
    type Known;
    /// One lane's state.
    type State: Copy + Default + AsRef<[Self::Word]> + AsMut<[Self::Word]>;
    /// Room for the padded end of a message.
    type Tail: AsRef<[u8]> + AsMut<[u8]>;
    const TAIL: Self::Tail;
    /// The last one is portable.
    const BACKENDS: &'static [Backend<Self>];
    /// Those of one lane, in a table of their own: so a program that hashes single messages has no
    /// other kernels.
    const ONE: &'static [Backend<Self>] = &of_one_lane(Self::BACKENDS);

    fn chosen() -> &'static Chosen;
}

/// Blocks for every lane: block `b` of lane `l` starts at `lanes[l][b * stride]`.
pub(crate) struct Input<'a> {
    pub lanes: &'a [&'a [u8]],
    /// Bytes from one block of a lane to its next.
    pub stride: usize,
    pub blocks: usize,
}

/// The `L` lanes of an input, for a kernel that has `L` lanes.
pub(crate) const fn lanes<'a, const L: usize>(input: &Input<'a>) -> &'a [&'a [u8]; L] {
    match input.lanes.first_chunk() {
        Some(lanes) => lanes,
        None => panic!("fewer inputs than lanes"),
    }
}

/// The block of `len` bytes that begins at byte `at` of every lane's input.
#[inline(always)]
pub(crate) const fn block_of<'a, const L: usize>(
    inputs: &[&'a [u8]; L],
    at: usize,
    len: usize,
) -> [&'a [u8]; L] {
    let mut block: [&[u8]; L] = [&[]; L];
    let mut lane = 0;
    while lane < L {
        block[lane] = inputs[lane].split_at(at).1.split_at(len).0;
        lane += 1;
    }
    block
}

/// The `N` bytes that begin at byte `at` of every lane's input. After this one check the gathers of
/// a kernel need none and are inlined: 4.7 → 5.2 GB/s, SHA-256 in 16 lanes of Zen 5.
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

/// One implementation of a family's block function.
#[derive(Clone, Copy)]
pub(crate) struct Backend<F: Family> {
    pub name: &'static str,
    pub needs: Isa,
    pub lanes: usize,
    /// Cycles to absorb a block in every lane, measured on CPUs of these profiles: to compare the
    /// backends of a family with one another. A profile that is not listed takes the first figure.
    pub cycles: &'static [(Profile, u32)],
    pub absorb: Absorb<F>,
    /// Absorbs one known block into `lanes` states, where that is quicker than `absorb`.
    pub absorb_known: Option<AbsorbKnown<F>>,
    /// Absorbs the last bytes of a message of so many bytes, and its padding, into one state, where
    /// that is quicker than padding in memory. SHA-2's take whole blocks before them, too; BLAKE2's
    /// do not.
    pub absorb_last: Option<AbsorbLast<F>>,
    /// From the state after one block, and a digest that is all that follows: the next digest, in
    /// its place.
    pub absorb_digest: Option<AbsorbDigest<F>>,
}

/// Absorbs `input` into `lanes` states, which lie word by word: word `w` of lane `l` is
/// `state[w * lanes + l]`.
///
/// # Safety
/// The CPU must have everything in the backend's `needs`. So must it for those below.
type Absorb<F> = unsafe fn(&mut [<F as Family>::Word], <F as Family>::Shape, &Input<'_>);
type AbsorbKnown<F> = unsafe fn(&mut [<F as Family>::Word], &<F as Family>::Known);
type AbsorbLast<F> = unsafe fn(&mut [<F as Family>::Word], &[u8], u128);
type AbsorbDigest<F> = unsafe fn(&[<F as Family>::Word], &mut [<F as Family>::Word]);

/// What a stamped kernel knows of itself; `stamp!` in `simd/kernel.rs` writes it.
pub(crate) struct Stamp {
    pub name: &'static str,
    pub needs: Isa,
    pub lanes: usize,
}

impl Stamp {
    /// The row of this kernel in its family's table.
    pub const fn row<F: Family>(
        self,
        absorb: Absorb<F>,
        cycles: &'static [(Profile, u32)],
    ) -> Backend<F> {
        let Stamp { name, needs, lanes } = self;
        Backend { name, needs, lanes, cycles, ..Backend::of(absorb) }
    }
}

/// The rows of one lane, and the last one, which is portable, in the places that are left.
const fn of_one_lane<F: Family>(all: &[Backend<F>]) -> [Backend<F>; 8] {
    let mut rows = [all[all.len() - 1]; 8];
    let (mut i, mut count) = (0, 0);
    while i < all.len() {
        if all[i].lanes == 1 {
            rows[count] = all[i];
            count += 1;
        }
        i += 1;
    }
    rows
}

impl<F: Family> Backend<F> {
    /// One that only absorbs, in one lane; its name, its needs and its cycles are still to be said.
    pub const fn of(absorb: Absorb<F>) -> Self {
        Backend {
            name: "",
            needs: Isa::NONE,
            lanes: 1,
            cycles: &[],
            absorb,
            absorb_known: None,
            absorb_last: None,
            absorb_digest: None,
        }
    }

    /// Whether they are one row of the family's. Not by address: a constant table may lie in
    /// several places.
    fn is(&self, other: &Self) -> bool {
        (self.name, self.lanes) == (other.name, other.lanes)
    }

    /// The figure for this CPU.
    fn cycles(&self) -> u32 {
        let listed = self.cycles.iter().find(|(profile, _)| *profile == Profile::detected());
        listed.unwrap_or(&self.cycles[0]).1
    }
}

/// A backend that this CPU was found able to run.
#[derive(Clone, Copy)]
pub(crate) struct Runnable<F: Family>(&'static Backend<F>);

impl<F: Family> Runnable<F> {
    #[inline(always)]
    pub fn lanes(self) -> usize {
        self.0.lanes
    }

    /// Cycles to absorb a block in every lane.
    #[cfg(feature = "rayon")]
    pub fn cycles(self) -> usize {
        self.0.cycles() as usize
    }

    #[inline(always)]
    pub fn absorb(self, state: &mut [F::Word], shape: F::Shape, input: &Input<'_>) {
        // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
        unsafe { (self.0.absorb)(state, shape, input) }
    }

    /// Whether the backend has its own way to absorb the last bytes of a message, from where they
    /// lie.
    #[inline(always)]
    pub fn absorbs_last(self) -> bool {
        self.0.absorb_last.is_some()
    }

    /// Whether the backend has its own way to absorb the last bytes, and did.
    #[inline(always)]
    pub fn absorb_last(self, state: &mut [F::Word], last: &[u8], count: u128) -> bool {
        if let Some(absorb_last) = self.0.absorb_last {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_last(state, last, count) }
        }
        self.0.absorb_last.is_some()
    }

    /// Whether the backend has its own way to absorb a digest, and did.
    #[inline(always)]
    pub fn absorb_digest(self, start: &[F::Word], digest: &mut [F::Word]) -> bool {
        if let Some(absorb_digest) = self.0.absorb_digest {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_digest(start, digest) }
        }
        self.0.absorb_digest.is_some()
    }

    pub fn absorbs_known(self) -> bool {
        self.0.absorb_known.is_some()
    }

    /// Nothing happens unless `absorbs_known`.
    pub fn absorb_known(self, state: &mut [F::Word], known: &F::Known) {
        if let Some(absorb_known) = self.0.absorb_known {
            // SAFETY: a `Runnable` is made only for a backend whose `needs` this CPU has.
            unsafe { absorb_known(state, known) }
        }
    }
}

/// The most lanes that a backend has.
pub(crate) const LANES: usize = 16;

/// Cycles that more than two lanes cost a block, besides those of the backend, for messages of one
/// block, of two, of three to five, and of more: 600 for one group of messages, to clear and to
/// wipe the lanes and to move messages and digests; two lanes cost half. It does not count where
/// there are messages for all lanes.
const SETUP: [u32; 4] = [600, 300, 150, 40];

/// The choices made for one family.
pub(crate) struct Chosen {
    one: Choice,
    leaves: Choice,
    /// For so many messages, the last for as many as fill the lanes, of so many blocks: see
    /// [`SETUP`].
    messages: [[Choice; LANES + 1]; SETUP.len()],
}

impl Chosen {
    pub const fn new() -> Self {
        let messages = [const { [const { Choice::none() }; LANES + 1] }; SETUP.len()];
        Chosen { one: Choice::none(), leaves: Choice::none(), messages }
    }
}

/// In the low byte 1 + the index in the family's table, or 0 before the first use; above it the
/// epoch in which the choice was made.
struct Choice(AtomicU32);

impl Choice {
    const fn none() -> Self {
        Choice(AtomicU32::new(0))
    }
}

/// The backend for one message.
#[inline]
pub(crate) fn one<F: Family>() -> Runnable<F> {
    chosen(F::ONE, &F::chosen().one, |forced, _, _| fastest(F::ONE, forced, 1), (1, 0))
}

/// The backend for a tree of that many leaves: of `leaves` lanes, or of one.
#[inline]
pub(crate) fn leaves<F: Family>(leaves: usize) -> Runnable<F> {
    let choose: Choose<F> = |forced, leaves, _| {
        fastest(F::BACKENDS, forced, leaves).or_else(|| fastest(F::BACKENDS, forced, 1))
    };
    chosen(F::BACKENDS, &F::chosen().leaves, choose, (leaves, 0))
}

/// The backend with which to begin on `count` messages of so many blocks, so that all of them take
/// the least time.
#[inline]
pub(crate) fn for_messages<F: Family>(count: usize, blocks: usize) -> Runnable<F> {
    let class = match blocks {
        0..=2 => blocks.saturating_sub(1),
        3..=5 => 2,
        _ => 3,
    };
    let count = count.min(LANES);
    let choice = &F::chosen().messages[class][count];
    let choose: Choose<F> = |forced, count, setup| least::<F>(forced, count, setup).1;
    chosen(F::BACKENDS, choice, choose, (count, SETUP[class]))
}

#[inline]
fn chosen<F: Family>(
    table: &'static [Backend<F>],
    choice: &Choice,
    choose: Choose<F>,
    given: (usize, u32),
) -> Runnable<F> {
    let (kept, epoch) = (choice.0.load(Relaxed), FORCED.load(Relaxed) & !LOW_BYTE);
    // In another epoch the difference is 256 or more, and no table is as long.
    match table.get((kept.wrapping_sub(epoch) as usize).wrapping_sub(1)) {
        Some(backend) => Runnable(backend),
        None => choose_now(table, choice, choose, given),
    }
}

/// The best backend for `count` messages or lanes, if one of that name is forced; `setup` as in
/// [`SETUP`].
type Choose<F> = fn(forced: u32, count: usize, setup: u32) -> Option<&'static Backend<F>>;

#[cold]
fn choose_now<F: Family>(
    table: &'static [Backend<F>],
    choice: &Choice,
    choose: Choose<F>,
    (count, setup): (usize, u32),
) -> Runnable<F> {
    // The epoch belongs to the name that is read with it, so a choice that another thread's `force`
    // overtakes is kept for the epoch that has ended, and not looked at again.
    let forced = FORCED.load(Relaxed);
    let index = choose(forced, count, setup).and_then(|best| table.iter().position(|b| b.is(best)));
    let index = index.unwrap_or(table.len() - 1);
    choice.0.store((forced & !LOW_BYTE) + index as u32 + 1, Relaxed);
    Runnable(&table[index])
}

/// The table's fastest backend of that many lanes.
fn fastest<F: Family>(
    table: &'static [Backend<F>],
    forced: u32,
    lanes: usize,
) -> Option<&'static Backend<F>> {
    runnable(table, forced).filter(|b| b.lanes == lanes).min_by_key(|b| b.cycles())
}

/// The cycles that a block of `count` messages takes at least, and the backend that begins.
fn least<F: Family>(forced: u32, count: usize, setup: u32) -> (u32, Option<&'static Backend<F>>) {
    let time = |b: &Backend<F>| {
        let (groups, rest) = (count.div_ceil(b.lanes) as u32, count % b.lanes);
        let setup_here = match b.lanes {
            lanes if lanes == 1 || count == LANES => 0,
            2 => groups * setup / 2,
            _ => setup,
        };
        match count == LANES || rest == 0 || count < b.lanes {
            true => groups * b.cycles() + setup_here,
            false => (groups - 1) * b.cycles() + setup_here + least::<F>(forced, rest, setup).0,
        }
    };
    let all = runnable(F::BACKENDS, forced).map(|b| (time(b), Some(b)));
    all.min_by_key(|(time, _)| *time).unwrap_or((0, None))
}

/// The table's backends that this CPU can run and `force` does not exclude.
fn runnable<F: Family>(
    table: &'static [Backend<F>],
    forced: u32,
) -> impl Iterator<Item = &'static Backend<F>> {
    let (isa, forced) = (Isa::detected(), forced_name(forced));
    let allowed =
        move |b: &&Backend<F>| forced.is_none_or(|name| b.name == name) && isa.contains(b.needs);
    table.iter().filter(allowed)
}

/// In the low byte 1 + the index in [`NAMES`] of the backend that was forced, or 0; above it the
/// epoch.
static FORCED: AtomicU32 = AtomicU32::new(0);
const LOW_BYTE: u32 = 0xFF;

fn forced_name(forced: u32) -> Option<&'static str> {
    Some(NAMES.get(((forced & LOW_BYTE) as usize).wrapping_sub(1))?.0)
}

pub(crate) fn forced() -> Option<&'static str> {
    forced_name(FORCED.load(Relaxed))
}

/// The backends of this target, best first, with the least that any family needs for one of that
/// name.
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

/// The names of the backends of this target, best first, whether or not this CPU can run them.
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
    /// How many messages it hashes at once.
    pub lanes: usize,
    /// Whether this CPU can run it.
    pub available: bool,
    /// Whether it is the choice for one message.
    pub one: bool,
    /// Whether it is the choice for many messages.
    pub many: bool,
}

/// Uses the backend `name` wherever an algorithm has one of that name, and the portable one
/// elsewhere; `None` goes back to the best. Holds for the whole process, from the next call on.
///
/// Meant for tests and measurements: the digests are the same whatever the backend.
///
/// # Errors
/// [`Error::UnknownBackend`] if the target has none of that name, [`Error::BackendNotAvailable`] if
/// this CPU cannot run it.
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
            let index = NAMES.iter().position(|known| known.0 == name);
            let index = index.ok_or(Error::UnknownBackend)?;
            if !Isa::detected().contains(NAMES[index].1) {
                return Err(Error::BackendNotAvailable);
            }
            index as u32 + 1
        }
    };
    let next = |now: u32| Some((now | LOW_BYTE).wrapping_add(1) + forced);
    _ = FORCED.fetch_update(Relaxed, Relaxed, next);
    Ok(())
}

/// The backend with that index in the family's list.
pub(crate) fn info<F: Family>(index: usize) -> Option<Info> {
    let backend = F::BACKENDS.get(index)?;
    let is = |Runnable(chosen): Runnable<F>| backend.is(chosen);
    Some(Info {
        name: backend.name,
        lanes: backend.lanes,
        available: Isa::detected().contains(backend.needs),
        one: is(one()),
        many: is(for_messages(LANES, 1)),
    })
}
