//! Hashers: [`Hash`], the one type behind `Sha256`, `Blake2b`, `Shake128` and the others.

use crate::algorithm::Algorithm;
use crate::backend::{self, Info, Input};
use crate::blake2::{self, tree::Tree};
use crate::digest::Bytes;
use crate::error::Error;
use crate::keccak::{Sponge, XofReader};
use crate::lanes::chains::{Chain, one_by_one, side_by_side};
#[cfg(feature = "rayon")]
use crate::lanes::threads;
use crate::lanes::{self, Beside, LANES, PLENTY, Streams};
use crate::messages::{Messages, OutputLen, Outputs, Sealed, Slots};
use crate::sha2::{Stream32, constants::w32};
use crate::state::{CHECK_LEN, Exported, Import};
use crate::stream::{Hashing, MAX_DIGEST, Resumable, State, finish_nested, finish_one, must};
use crate::wipe::{Secret, Wiped, below_if, wipe};
use core::any::Any;
use core::borrow::{Borrow, BorrowMut};
use core::marker::PhantomData;

/// What a hash in progress gives for one message or many. Not generic, so that one text serves a
/// hasher whose algorithm is known to the compiler and one whose algorithm is chosen at run time.
pub(crate) trait Absorb: Hashing {
    /// Writes the output for `message` after what was absorbed; an XOF writes any number of bytes,
    /// the others their output length.
    #[inline]
    fn finish(&self, message: &[u8], out: &mut [u8]) {
        below_if(self.keyed(), self.stack(), || self.finish_within(message, out));
    }
    /// As `finish`, but the caller clears the stack.
    fn finish_within(&self, message: &[u8], out: &mut [u8]);
    /// What `finish` gives, for every message; none may be longer than `room`.
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>);
    /// Whether so many messages, of at most so many bytes each, are not worth lanes.
    fn in_turn(&self, _count: usize, _longest: usize) -> bool {
        false
    }
    /// What `outer`, of the same type, gives after what this gives after `message`: HMAC.
    fn finish_outer(&self, outer: &dyn Absorb, message: &[u8], out: &mut [u8]) {
        let mut longest = [0; MAX_DIGEST];
        let digest = &mut longest[..self.output_len()];
        self.finish_within(message, digest);
        outer.finish_within(digest, out);
        wipe(&mut longest);
    }
    /// See [`lanes::finish_nested`]; `outer` has the same type. A tree fills the lanes by itself.
    fn finish_nested(&self, _: &dyn Absorb, _: &dyn Messages, _: &mut Slots<'_>) -> usize {
        0
    }
    /// What `try_update(piece)` does, for streams of this type and their pieces, at most [`BATCH`];
    /// all must have room.
    fn update_each(&self, streams: &mut Each<'_, '_>, pieces: &dyn Messages) {
        streams.enumerate().for_each(|(i, stream)| must(stream.try_update(pieces.message(i))));
    }
    /// The backend with that index in the family's list.
    fn backend(&self, index: usize) -> Option<Info>;
}

impl dyn Absorb {
    /// The stream, if it is of that type.
    pub fn of_type<S: 'static>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }
    pub fn of_type_mut<S: 'static>(&mut self) -> Option<&mut S> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// What is done with streams of one type.
pub(crate) trait Stream: Absorb + Copy + Wiped {
    /// See [`Resumable::LEAVES_STATE`].
    const LEAVES_STATE: bool = false;
    /// This stream, which has absorbed nothing, after each of two blocks: HMAC's two hashes after
    /// its key.
    #[inline(always)]
    fn after(&self, blocks: [&[u8]; 2]) -> [Self; 2] {
        after_each(self, blocks)
    }
    /// See [`Absorb::finish_outer`].
    #[inline]
    fn finish_hmac(&self, outer: &Self, message: &[u8], tag: &mut [u8]) {
        self.finish_outer(outer, message, tag);
    }
    /// What `try_update(piece)` does, for every stream and its piece; all must have room.
    fn update_many(streams: &mut dyn Streams<Self>, pieces: &dyn Messages) {
        let count = pieces.count();
        (0..count).for_each(|i| must(streams.stream(i).try_update(pieces.message(i))));
    }
    /// What `finish(message)` gives, for every stream and its message; all must have room.
    fn finish_each<'a>(
        streams: &'a Beside<'a, Self>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let finish = |i: usize, out: &mut [u8]| streams(i).finish(messages.message(i), out);
        (0..messages.count()).for_each(|i| outputs.write(i, |out| finish(i, out)));
    }
    /// How many messages are hashed side by side, if there are plenty.
    fn degree() -> usize {
        1
    }
    /// See [`lanes::chains`].
    fn chains<'o>(
        &self,
        chains: &mut dyn Iterator<Item = Chain<'o, Self>>,
        _: usize,
        iterations: u32,
    ) {
        one_by_one(chains, iterations, Self::finish);
    }
}

impl<S: Resumable> Absorb for S {
    #[inline]
    fn finish_within(&self, message: &[u8], out: &mut [u8]) {
        finish_one(self, message, out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        below_if(self.keyed(), MANY, || lanes::finish_many(self, messages, outputs));
    }
    #[inline]
    fn in_turn(&self, count: usize, longest: usize) -> bool {
        lanes::best(self, count, longest).lanes() == 1
    }
    fn finish_outer(&self, outer: &dyn Absorb, message: &[u8], out: &mut [u8]) {
        let outer = outer.of_type().expect("streams of one type");
        finish_nested([self, outer], message, out);
    }
    fn finish_nested(
        &self,
        outer: &dyn Absorb,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) -> usize {
        let nested =
            |outer| lanes::finish_nested([self, outer], self.output_len(), messages, outputs);
        outer.of_type().map_or(0, nested)
    }
    fn update_each(&self, streams: &mut Each<'_, '_>, pieces: &dyn Messages) {
        let mut typed: [Option<&mut S>; BATCH] = [const { None }; BATCH];
        for (place, stream) in typed.iter_mut().zip(streams) {
            *place = stream.of_type_mut();
        }
        S::update_many(&mut OfType(&mut typed), pieces);
    }
    fn backend(&self, index: usize) -> Option<Info> {
        backend::info::<S::Family>(index)
    }
}

#[inline(always)]
fn after_each<S: Hashing + Copy>(stream: &S, blocks: [&[u8]; 2]) -> [S; 2] {
    blocks.map(|block| {
        let mut stream = *stream;
        must(stream.try_update(block));
        stream
    })
}

#[inline(always)]
fn resumed<S: Resumable>(stream: &S, state: &State<S>, len: usize) -> S {
    let mut stream = *stream;
    must(stream.resume(|i| state.as_ref()[i], len));
    stream
}

impl<S: Resumable> Stream for S {
    const LEAVES_STATE: bool = S::LEAVES_STATE;
    /// If blocks leave a state, only that is computed, and the streams are made of it where they
    /// are to be: made first and then moved, they would be left where they were.
    #[inline(always)]
    fn after(&self, blocks: [&[u8]; 2]) -> [Self; 2] {
        if !S::LEAVES_STATE {
            return after_each(self, blocks);
        }
        let mut states = [self.state(), self.state()];
        for (state, block) in states.iter_mut().zip(blocks) {
            let input = Input { lanes: &[block], stride: block.len(), blocks: 1 };
            backend::one::<S::Family>().absorb(state.as_mut(), self.shape(), &input);
        }
        [resumed(self, &states[0], blocks[0].len()), resumed(self, &states[1], blocks[1].len())]
    }
    #[inline]
    fn finish_hmac(&self, outer: &S, message: &[u8], tag: &mut [u8]) {
        finish_nested([self, outer], message, tag);
    }
    fn update_many(streams: &mut dyn Streams<Self>, pieces: &dyn Messages) {
        let keyed = (0..pieces.count()).any(|i| streams.stream(i).keyed());
        below_if(keyed, MANY, || lanes::update_many(streams, pieces));
    }
    fn finish_each<'a>(
        streams: &'a Beside<'a, Self>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let keyed = (0..messages.count()).any(|i| streams(i).keyed());
        below_if(keyed, MANY, || lanes::finish_each(streams, messages, outputs));
    }
    fn degree() -> usize {
        backend::for_messages::<S::Family>(LANES, PLENTY).lanes()
    }
    fn chains<'o>(
        &self,
        chains: &mut dyn Iterator<Item = Chain<'o, Self>>,
        count: usize,
        iterations: u32,
    ) {
        side_by_side(self, chains, count, iterations);
    }
}

impl<F: blake2::Width, const B: usize, const L: usize, const C: usize> Absorb for Tree<F, B, L, C> {
    fn finish_within(&self, message: &[u8], out: &mut [u8]) {
        self.finish_after(message, out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        below_if(self.keyed(), MANY_TREES, || self.finish_many(messages, outputs));
    }
    fn backend(&self, index: usize) -> Option<Info> {
        backend::info::<F>(index)
    }
}

impl<F: blake2::Width, const B: usize, const L: usize, const C: usize> Stream for Tree<F, B, L, C> {}

/// Of the stack, for a batch: two sets of lanes with their tails. At most 16 KiB were measured, of
/// every backend on x86-64.
pub(crate) const MANY: usize = 20 * 1024;
/// The same for trees, with what their leaves hand up; measured 57 KiB.
pub(crate) const MANY_TREES: usize = 64 * 1024;

/// Streams behind `dyn`.
pub(crate) type Each<'a, 's> = dyn Iterator<Item = &'s mut dyn Absorb> + 'a;
/// How many streams behind `dyn` are updated at once: 2 KiB of references, because nothing may be
/// allocated.
pub(crate) const BATCH: usize = 256;

/// Streams that were behind `dyn`, all of one type. The type is asked once for each stream, because
/// a lane asks for its stream several times.
struct OfType<'a, 's, S>(&'a mut [Option<&'s mut S>]);

impl<S> Streams<S> for OfType<'_, '_, S> {
    fn stream(&mut self, index: usize) -> &mut S {
        self.0[index].as_deref_mut().expect("a stream of the type for every piece")
    }
}

/// Checks the lengths and hashes every message: all batches come through here. `finish` is behind
/// `dyn` so that this text, which is generic over messages and outputs, stays small: what it calls
/// is compiled once for each stream.
///
/// `finish` hashes a part of them, on one thread; `one` a single message, if all are hashed one
/// after the other. It is not behind `dyn`: two messages of 8 bytes took 1.3 times as long as two
/// calls.
pub(crate) fn finish_checked<M: Messages + ?Sized, O: Outputs + ?Sized>(
    messages: &M,
    outputs: &mut O,
    (room, len): (u128, OutputLen),
    one: Option<impl Fn(&[u8], &mut [u8])>,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) -> Result<(), Error> {
    /// No message in memory is longer, because the address space of a process has at most 2⁵⁷
    /// bytes. So the lengths are looked at only if the hasher was imported close to its limit.
    const LONGEST: u128 = 1 << 57;
    let long = |index| messages.message(index).len() as u128 > room;
    if room < LONGEST && (0..messages.count()).any(long) {
        return Err(Error::MessageTooLong);
    }
    let mut slots = outputs.slots(messages.count(), len)?;
    #[cfg(feature = "rayon")]
    if let Some(messages) = messages.for_threads() {
        threads::split(messages, slots, finish);
        return Ok(());
    }
    match one {
        Some(one) => {
            (0..messages.count()).for_each(|i| slots.write(i, |out| one(messages.message(i), out)))
        }
        None => finish(&messages, &mut slots),
    }
    Ok(())
}

/// Writes the output for a message.
type One = fn(&[u8], &mut [u8]);
/// For [`finish_checked`] where lanes are always worth it, or fill themselves.
pub(crate) const LANES_ALWAYS: Option<One> = None;

/// Whether all messages are to be hashed one after the other with that stream.
#[inline]
pub(crate) fn in_turn<M: Messages + ?Sized>(stream: &(impl Absorb + ?Sized), messages: &M) -> bool {
    let count = messages.count();
    let lens = (0..count).map(|index| messages.message(index).len());
    stream.in_turn(count, if count < LANES { lens.max().unwrap_or(0) } else { 0 })
}

/// Gives each of `streams` its piece. All lengths are looked at before the first piece is absorbed,
/// so that an error leaves every hasher as it was.
pub(crate) fn update_checked<S: Stream, M: Messages + ?Sized>(
    streams: &mut dyn Streams<S>,
    count: usize,
    pieces: &M,
) -> Result<(), Error> {
    if count != pieces.count() {
        return Err(Error::piece_count(pieces.count(), count));
    }
    for index in 0..count {
        if pieces.message(index).len() as u128 > streams.stream(index).room() {
            return Err(Error::MessageTooLong);
        }
    }
    S::update_many(streams, &pieces);
    Ok(())
}

/// The check of an exported state. It is here rather than in `state.rs` because that file stands
/// below SHA-256.
pub(crate) fn check(bytes: &[u8]) -> [u8; CHECK_LEN] {
    let mut check = [0; CHECK_LEN];
    finish_one(&Stream32::new(w32::SHA256, 32), bytes, &mut check);
    check
}

/// The state of a stream of that algorithm, to be stored.
pub(crate) fn export(algorithm: Algorithm, stream: &dyn Absorb) -> Exported {
    Exported::new(algorithm.code(), |state| stream.save(state), check)
}

/// An exported state with its algorithm.
pub(crate) fn import(state: &[u8]) -> Result<(Algorithm, Import<'_>), Error> {
    let import = Import::new(state, check)?;
    let algorithm = Algorithm::from_code(import.code).ok_or(Error::StateDamaged)?;
    Ok((algorithm, import))
}

/// A hash function as a type: one of those in [`function`](crate::function). A type rather than a
/// value of [`Algorithm`], so that the length of the digest and the kernels are known to the
/// compiler.
///
/// Other crates cannot implement it, because its stream has a trait that is this crate's own.
pub trait Function: Copy + Send + Sync + 'static {
    #[doc(hidden)]
    type Stream: Stream;
    /// Nothing absorbed, no parameters.
    #[doc(hidden)]
    const STREAM: &'static Self::Stream;
    /// The function's row in the table of algorithms.
    const ALGORITHM: Algorithm;
}

/// A hash function with an output of fixed length: SHA-2, SHA-3, BLAKE2.
pub trait Fixed: Function {
    /// What `finalize` returns: [`Digest`](crate::Digest), or [`VarDigest`](crate::VarDigest) for
    /// BLAKE2, whose length is a parameter.
    type Digest: Bytes;
}

/// A function without key and parameters: SHA-2, SHA-3, SHAKE. Only these have `reset`, because a
/// hasher does not keep its parameters.
pub trait Plain: Function {}

/// An extendable-output function: SHAKE and TurboSHAKE.
pub trait Extendable: Function<Stream = Sponge> {}

/// A hasher: a message in progress with the function `F`.
///
/// `Sha256`, `Blake2b`, `Shake128` and the others are aliases of it. Functions of fixed output
/// length have [`finalize`](Hash::finalize), extendable-output functions
/// [`finalize_xof`](Hash::finalize_xof). Names that begin with `finalize` give the output of what
/// was absorbed; names that begin with `finish` give it after one more message, or after each of
/// many. All of them leave the hasher as it is.
///
/// The state is wiped when the hasher is dropped. `Debug` shows nothing of it.
///
/// ```
/// use hashmill::Sha256;
///
/// let mut hasher = Sha256::new();
/// hasher.update(b"ab").update(b"c");
/// assert_eq!(hasher.finalize(), hashmill::sha256(b"abc"));
/// ```
pub struct Hash<F: Function> {
    pub(crate) stream: Secret<F::Stream>,
}

impl<F: Function> Clone for Hash<F> {
    /// Not inlined, because the compiler might make another copy on the way: it may hold a key.
    #[inline(never)]
    fn clone(&self) -> Self {
        Hash { stream: self.stream.clone() }
    }
}

impl<F: Function> Hash<F> {
    /// A hasher that has absorbed nothing: BLAKE2 without a key and of the longest output,
    /// TurboSHAKE in the default domain (0x1F).
    #[inline]
    pub const fn new() -> Self {
        Hash { stream: Secret(*F::STREAM) }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If the message becomes longer than the standard allows: see
    /// [`try_update`](Self::try_update).
    #[inline]
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        must(self.stream.try_update(data));
        self
    }

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`] if the message would become longer than the standard allows: 2⁶¹ −
    /// 1 bytes for SHA-224 and SHA-256, 2¹²⁵ − 1 for the rest of SHA-2, 2⁶⁴ − 1 for BLAKE2s, 2¹²⁸ −
    /// 1 for BLAKE2b; Keccak has no limit. Nothing is absorbed then. No message in memory is that
    /// long: it takes a hasher that was imported.
    #[inline]
    pub fn try_update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        self.stream.try_update(data)?;
        Ok(self)
    }

    /// Gives every hasher the next part of its own message, as [`update`](Self::update) does, side
    /// by side in SIMD lanes. `hashers` are hashers or `&mut` references to them, so that those of
    /// any iterator can be updated once they are collected.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if there are not as many pieces as hashers, [`Error::MessageTooLong`]
    /// as [`try_update`](Self::try_update). No hasher has absorbed anything then.
    ///
    /// ```
    /// use hashmill::Sha256;
    ///
    /// let mut hashers = [Sha256::new(), Sha256::new()];
    /// Sha256::update_many(&mut hashers, &["of one ", "of the other "])?;
    /// Sha256::update_many(&mut hashers, &["file", "file"])?;
    /// assert_eq!(hashers[1].finalize(), hashmill::sha256(b"of the other file"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn update_many<M: Messages + ?Sized>(
        hashers: &mut [impl BorrowMut<Self>],
        pieces: &M,
    ) -> Result<(), Error> {
        let count = hashers.len();
        update_checked(&mut Hashers(hashers, PhantomData::<F>), count, pieces)
    }

    /// What every hasher gives after its own message, side by side in SIMD lanes: for nodes of a
    /// tree, which differ in their parameters. `hashers` are hashers or references to them.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if there are not as many messages as hashers, [`Error::OutputLength`]
    /// if the hashers' digests are not of one length, or as [`finish_many`](Self::finish_many),
    /// [`Error::MessageTooLong`] as [`try_update`](Self::try_update). Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Blake2b, blake2b};
    ///
    /// let leaf = |i| blake2b::Params::new().output_len(32).fanout(2).max_depth(2).node_offset(i).build();
    /// let mut digests = [0; 2 * 32];
    /// Blake2b::finish_each(&[leaf(0)?, leaf(1)?], &["first", "second"], &mut digests)?;
    /// assert_eq!(leaf(1)?.finish(b"second"), digests[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_each<M: Messages + ?Sized, O: Outputs + ?Sized>(
        hashers: &[impl Borrow<Self>],
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let any = F::ALGORITHM.is_xof();
        let stream = |index: usize| &*Borrow::<Self>::borrow(&hashers[index]).stream;
        let len = hashers.first().map_or(0, |_| stream(0).output_len());
        if hashers.len() != messages.count() {
            return Err(Error::piece_count(messages.count(), hashers.len()));
        }
        for index in 0..hashers.len() {
            if messages.message(index).len() as u128 > stream(index).room() {
                return Err(Error::MessageTooLong);
            }
            if !any && stream(index).output_len() != len {
                return Err(Error::output_len(stream(index).output_len(), len));
            }
        }
        let mut slots = outputs.slots(hashers.len(), OutputLen { len, any })?;
        F::Stream::finish_each(&stream, &messages, &mut slots);
        Ok(())
    }

    /// How many bytes were absorbed, the block of BLAKE2's key included; `None` for Keccak's
    /// functions, which do not count.
    pub fn count(&self) -> Option<u128> {
        self.stream.count()
    }

    /// The state, to be continued later: see [`Exported`].
    pub fn export(&self) -> Exported {
        export(F::ALGORITHM, &*self.stream)
    }

    /// A hasher in a state that [`export`](Self::export) gave.
    ///
    /// # Errors
    /// [`Error::StateAlgorithm`] if it is another algorithm's, [`Error::StateVersion`] if a newer
    /// version wrote it, [`Error::StateDamaged`] and [`Error::StateInconsistent`] if it is not what
    /// any version wrote.
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        let (algorithm, mut import) = import(state)?;
        if algorithm != F::ALGORITHM {
            return Err(Error::StateAlgorithm);
        }
        let mut hasher = Self::new();
        hasher.stream.load(&mut import)?;
        import.end()?;
        Ok(hasher)
    }

    /// What the hasher would give after `update(message)`, for every message, side by side in SIMD
    /// lanes.
    ///
    /// [`Messages`] says what the messages may be and [`Outputs`] where the digests may go. An
    /// extendable-output function gives as many bytes as each place has.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `outputs` are not as many as the messages, or have not the
    /// digest's length; [`Error::MessageTooLong`] as [`try_update`](Self::try_update). Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{Digest, Sha256, Shake128};
    ///
    /// let mut salted = Sha256::new();
    /// salted.update(b"salt");
    /// let mut digests = [Digest::default(); 2];
    /// salted.finish_many(&["a", "b"], &mut digests)?;
    /// assert_eq!(digests[1], hashmill::sha256(b"saltb"));
    ///
    /// let mut packed = [0; 2 * 100];
    /// Shake128::new().finish_many(&["a", "b"], &mut packed)?;
    /// assert_eq!(packed[100..], hashmill::shake128::<100>(b"b")[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let (room, any) = (self.stream.room(), F::ALGORITHM.is_xof());
        let len = OutputLen { len: self.stream.output_len(), any };
        let one = |message: &[u8], out: &mut [u8]| self.stream.finish(message, out);
        let one = in_turn(&*self.stream, messages).then_some(one);
        let finish =
            |part: &dyn Messages, slots: &mut Slots<'_>| self.stream.finish_many(part, slots);
        finish_checked(messages, outputs, (room, len), one, &finish)
    }
}

impl<F: Fixed> Hash<F> {
    /// The digest of all that was absorbed. The hasher is unchanged, and may absorb more.
    #[inline]
    pub fn finalize(&self) -> F::Digest {
        self.finish(&[])
    }

    /// What [`finalize`](Self::finalize) would give after `update(message)`; no state is copied.
    ///
    /// # Panics
    /// As [`update`](Self::update).
    #[inline]
    pub fn finish(&self, message: &[u8]) -> F::Digest {
        let mut digest = F::Digest::blank(self.stream.output_len());
        self.stream.finish(message, digest.bytes_mut());
        digest
    }

    /// Writes the digest to `out`.
    ///
    /// # Errors
    /// [`Error::OutputLength`] unless `out` has the digest's length.
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        if out.len() != self.output_len() {
            return Err(Error::output_len(out.len(), self.output_len()));
        }
        self.stream.finish(&[], out);
        Ok(())
    }

    /// The length of the digest that `finalize` gives, in bytes.
    pub fn output_len(&self) -> usize {
        self.stream.output_len()
    }

    /// The digest of a message that ends with `bits` further bits, 0 to 7: the **high** bits of
    /// `last_byte` for SHA-2 (first bit highest, FIPS 180-4 §3.1), the **low** bits for SHA-3
    /// (first bit lowest, FIPS 202 §B.1).
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7; [`Error::NoBits`] for BLAKE2, which is
    /// defined for whole bytes.
    pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<F::Digest, Error> {
        let mut digest = F::Digest::blank(self.stream.output_len());
        self.stream.finish_bits(last_byte, bits, digest.bytes_mut())?;
        Ok(digest)
    }
}

impl<F: Plain> Hash<F> {
    /// Forgets what was absorbed.
    ///
    /// BLAKE2 and TurboSHAKE have no such method, because a hasher does not keep its key and its
    /// parameters: clone one that has absorbed nothing instead.
    pub fn reset(&mut self) {
        self.stream = Secret(*F::STREAM);
    }
}

impl<F: Extendable> Hash<F> {
    /// The output, from its beginning. The hasher is unchanged, and may absorb more.
    pub fn finalize_xof(&self) -> XofReader {
        XofReader::new(self.stream.squeeze())
    }

    /// The output for a message that ends with `bits` further bits, 0 to 7, in the **low**
    /// positions of `last_byte`, first bit lowest, as FIPS 202 §B.1 orders bits.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7; [`Error::NoBits`] for TurboSHAKE, which RFC
    /// 9861 defines for whole bytes.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.stream.check_bits()?;
        self.stream.squeeze_bits(last_byte, bits).map(XofReader::new)
    }
}

struct Hashers<'a, H, F>(&'a mut [H], PhantomData<F>);

impl<F: Function, H: BorrowMut<Hash<F>>> Streams<F::Stream> for Hashers<'_, H, F> {
    fn stream(&mut self, index: usize) -> &mut F::Stream {
        &mut self.0[index].borrow_mut().stream
    }
}

impl<F: Function> Default for Hash<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Function> core::fmt::Debug for Hash<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct(F::ALGORITHM.name()).finish_non_exhaustive()
    }
}

/// A hasher by its alias: `Sha256`, `Blake2b`, `Shake128` … So [`many::hash`](crate::many::hash)
/// names a function.
pub trait Named: Sealed {
    /// The function: `Self` is `Hash<Self::Function>`.
    type Function: Function;
}

impl<F: Function> Sealed for Hash<F> {}
impl<F: Function> Named for Hash<F> {
    type Function = F;
}

/// A hasher with a digest of fixed length, by its alias: [`Hmac`](crate::Hmac),
/// [`Hkdf`](crate::Hkdf) and [`pbkdf2`](crate::pbkdf2()) are generic over it.
///
/// It has no methods, because [`Hash`](struct@Hash) has them: code that is generic over the
/// function is generic over [`Fixed`] or [`Extendable`], and uses `Hash<F>`.
///
/// ```
/// use hashmill::{Hash, function};
///
/// fn hex_of<F: function::Fixed>(message: &[u8]) -> String {
///     Hash::<F>::new().update(message).finalize().to_string()
/// }
/// assert!(hex_of::<function::Sha256>(b"abc").starts_with("ba7816bf"));
/// ```
pub trait Hasher: Sealed + Clone + Default + Send + Sync {
    /// The function: `Self` is `Hash<Self::Function>`.
    type Function: Fixed<Digest = Self::Digest>;
    /// What `finalize` returns.
    type Digest: Bytes;
    /// The algorithm's row in the table.
    const ALGORITHM: Algorithm;
}

impl<F: Fixed> Hasher for Hash<F> {
    type Function = F;
    type Digest = F::Digest;
    const ALGORITHM: Algorithm = F::ALGORITHM;
}

/// Ways to put bytes in, in terms of `update`. A macro, because other crates' traits cannot be
/// implemented for all types of one of ours.
macro_rules! bytes_in {
    ([$($generics:tt)*] $Type:ty, read $read_len:expr) => {
        impl<$($generics)*> $Type {
            /// Absorbs all that `reader` gives, in constant memory, and says how many bytes that
            /// was.
            ///
            /// # Errors
            /// The reader's, except [`Interrupted`](std::io::ErrorKind::Interrupted), after which
            /// it is asked again. What was read before the error has been absorbed.
            #[cfg(feature = "std")]
            pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
                crate::hasher::read_all(reader, &mut [0; $read_len], |data| {
                    self.update(data);
                })
            }
        }

        #[cfg(feature = "std")]
        impl<$($generics)*> std::io::Write for $Type {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        impl<$($generics)*> Extend<u8> for $Type {
            fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
                crate::hasher::gather_all(bytes, |data| {
                    self.update(data);
                });
            }
        }

        impl<'a, $($generics)*> Extend<&'a u8> for $Type {
            fn extend<I: IntoIterator<Item = &'a u8>>(&mut self, bytes: I) {
                self.extend(bytes.into_iter().copied());
            }
        }
    };
}
pub(crate) use bytes_in;

bytes_in!([F: Function] Hash<F>, read crate::hasher::READ_LEN);

impl<F: Function> FromIterator<u8> for Hash<F> {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut hasher = Self::new();
        hasher.extend(bytes);
        hasher
    }
}

impl<'a, F: Function> FromIterator<&'a u8> for Hash<F> {
    fn from_iter<I: IntoIterator<Item = &'a u8>>(bytes: I) -> Self {
        bytes.into_iter().copied().collect()
    }
}

/// As much as is read at once. 16 KiB take about 9 µs to hash with SHA-256, so that a system call
/// of less than a microsecond is lost in them; more would leave the L1 cache of 32 to 48 KiB.
#[cfg(feature = "std")]
pub(crate) const READ_LEN: usize = 16 * 1024;
/// For the trees of many leaves: eight chunks of 8 KiB, so that every update fills the eight lanes
/// of AVX-512.
#[cfg(feature = "std")]
pub(crate) const READ_CHUNKS_LEN: usize = 8 * 8 * 1024;

#[cfg(feature = "std")]
pub(crate) fn read_all(
    mut reader: impl std::io::Read,
    buffer: &mut [u8],
    mut update: impl FnMut(&[u8]),
) -> std::io::Result<u64> {
    let mut total = 0;
    loop {
        match reader.read(buffer) {
            Ok(0) => return Ok(total),
            Ok(n) => {
                update(&buffer[..n]);
                total += n as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Collects single bytes into pieces worth an update, because an update costs some nanoseconds
/// whatever its length.
pub(crate) fn gather_all(bytes: impl IntoIterator<Item = u8>, mut update: impl FnMut(&[u8])) {
    let mut piece = [0; 512];
    let mut bytes = bytes.into_iter();
    loop {
        let mut len = 0;
        for (place, byte) in piece.iter_mut().zip(&mut bytes) {
            *place = byte;
            len += 1;
        }
        update(&piece[..len]);
        if len < piece.len() {
            return;
        }
    }
}
