//! Hashers: [`Hash`], the generic type of which `Sha256`, `Blake2b`, `Shake128` and the others are
//! aliases.

use crate::algorithm::Algorithm;
#[cfg(feature = "ascon")]
use crate::ascon::AsconReader;
use crate::backend::{self, Info, Input};
#[cfg(feature = "blake2")]
use crate::blake2;
#[cfg(feature = "blake3")]
use crate::blake3::{Blake3, output::Blake3Reader};
use crate::digest::Bytes;
use crate::error::Error;
use crate::facts::Facts;
use crate::held::Hold;
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
use crate::lanes::chains::{Chain, one_by_one, side_by_side};
#[cfg(feature = "rayon")]
use crate::lanes::threads;
use crate::lanes::{self, LANES, PLENTY, StreamList, Streams};
use crate::messages::{Messages, OutputLen, Outputs, Sealed, Slots};
use crate::sha2::{Stream32, constants::w32};
use crate::state::{CHECK_LEN, Exported, Import};
use crate::stream::{MAX_DIGEST, Progress, Sequential, State, finish_nested, finish_one, must};
#[cfg(feature = "blake2")]
use crate::tree::blake2::Blake2Tree;
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;
use crate::wipe::{Secret, Wiped, run_wiped, run_wiped_if, wipe};
use core::any::Any;
use core::borrow::{Borrow, BorrowMut};
use core::marker::PhantomData;

/// What the hashers ask of a stream: to finish one message or many.
///
/// The trait can be used behind `dyn`, so that the same code serves hashers whose algorithm is
/// known at compile time ([`Hash`]) and hashers whose algorithm is chosen at run time
/// ([`AnyHasher`](crate::AnyHasher)). The methods that require `Sized` take streams of one type,
/// which the compiler knows.
pub(crate) trait Stream: Progress {
    /// Writes the output for the bytes absorbed so far followed by `message`. An extendable-output
    /// function fills `out` whatever its length. The others require `out` to have their output
    /// length.
    #[inline]
    fn finish(&self, message: &[u8], out: &mut [u8]) {
        run_wiped_if(self.keyed(), self.stack(), || self.finish_unwiped(message, out));
    }
    /// Does the same as `finish`, but leaves clearing the stack to the caller.
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]);
    /// Whether `try_update` would only copy that many bytes into the buffer.
    #[inline]
    fn only_copies(&self, _len: usize) -> bool {
        false
    }
    /// Writes the output of `finish` for each message. No message may be longer than `room()`.
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>);
    /// Returns whether `count` messages of at most `longest` bytes each are faster one after the
    /// other than in lanes.
    fn in_turn(&self, _count: usize, _longest: usize) -> bool {
        false
    }
    /// Computes HMAC: hashes `message` with this stream, then that digest with `outer`, and writes
    /// the tag to `out`. `outer` must have the same type as this stream.
    fn finish_outer(&self, outer: &dyn Stream, message: &[u8], out: &mut [u8]) {
        let mut longest = [0; MAX_DIGEST];
        let digest = &mut longest[..self.output_len()];
        self.finish_unwiped(message, digest);
        outer.finish_unwiped(digest, out);
        wipe(&mut longest);
    }
    /// Calls [`lanes::finish_nested`] and returns the number of messages that it has finished.
    /// `outer` must have the same type as this stream. A tree returns 0, because the leaves of one
    /// message already fill its lanes.
    fn finish_nested(&self, _: &dyn Stream, _: &dyn Messages, _: &mut Slots<'_>) -> usize {
        0
    }
    /// Calls `try_update` on each of `streams` with its piece. All streams must have this stream's
    /// type, there may be at most [`BATCH`] of them, and each must have room for its piece.
    fn update_each(&self, streams: &mut Each<'_, '_>, pieces: &dyn Messages) {
        streams.enumerate().for_each(|(i, stream)| must(stream.try_update(pieces.message(i))));
    }
    /// Writes the output of `hash` for every stream and its message. `streams` returns the stream
    /// with an index; all streams must have this stream's type, and room for their messages.
    fn finish_all<'s>(
        &self,
        streams: &dyn Fn(usize) -> &'s dyn Stream,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let finish = |i: usize, out: &mut [u8]| streams(i).finish(messages.message(i), out);
        (0..messages.count()).for_each(|i| outputs.write(i, |out| finish(i, out)));
    }
    /// Does the same as `try_update`. A tree splits its leaves over threads.
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.try_update(data)
    }
    /// Returns the backend at `index` in the family's list, or `None` if the list is shorter.
    fn backend(&self, _index: usize) -> Option<Info> {
        None
    }
    /// Whether absorbing a whole block leaves nothing but a state: see [`Sequential::LEAVES_STATE`].
    fn leaves_state() -> bool
    where
        Self: Sized,
    {
        false
    }
    /// Returns two copies of this stream, the first of which has absorbed the first block and the
    /// second the second block. HMAC makes its inner and outer hash with it, from the two padded
    /// keys. This stream must have absorbed nothing.
    #[inline(always)]
    fn after(&self, blocks: [&[u8]; 2]) -> [Self; 2]
    where
        Self: Copy,
    {
        after_each(self, blocks)
    }
    /// Computes HMAC, as [`Stream::finish_outer`] does.
    #[inline]
    fn finish_hmac(&self, outer: &Self, message: &[u8], tag: &mut [u8])
    where
        Self: Sized,
    {
        self.finish_outer(outer, message, tag);
    }
    /// Calls `try_update` on every stream with its piece. Each stream must have room for its piece.
    fn update_many(streams: &mut dyn Streams<Self>, pieces: &dyn Messages)
    where
        Self: Sized,
    {
        let count = pieces.count();
        (0..count).for_each(|i| must(streams.stream(i).try_update(pieces.message(i))));
    }
    /// Writes the output of `hash(message)` for every stream and its message. Each stream must
    /// have room for its message.
    fn finish_each<'a>(
        streams: &'a StreamList<'a, Self>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) where
        Self: Sized,
    {
        let finish = |i: usize, out: &mut [u8]| streams(i).finish(messages.message(i), out);
        (0..messages.count()).for_each(|i| outputs.write(i, |out| finish(i, out)));
    }
    /// Returns how many messages of a large batch are hashed side by side.
    fn degree() -> usize
    where
        Self: Sized,
    {
        1
    }
    /// Computes PBKDF2's chains of `iterations` terms: see [`lanes::chains`].
    fn chains<'o>(
        &self,
        chains: &mut dyn Iterator<Item = Chain<'o, Self>>,
        _: usize,
        iterations: u32,
    ) where
        Self: Copy + Wiped,
    {
        one_by_one(chains, iterations, Self::finish);
    }
}

impl dyn Stream {
    /// Returns the stream as an `S`, or `None` if it has another type.
    pub fn of_type<S: 'static>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }
    /// Returns the stream as a mutable `S`, or `None` if it has another type.
    pub fn of_type_mut<S: 'static>(&mut self) -> Option<&mut S> {
        (self as &mut dyn Any).downcast_mut()
    }
}

impl<S: Sequential + Hold> Stream for S {
    // Not `#[inline]`, because then each unit of code has a copy of it: 0.1 MB of the library.
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        finish_one(self, message, out);
    }
    #[inline]
    fn only_copies(&self, len: usize) -> bool {
        let blocks = self.blocks();
        self.waiting().len() + len < blocks.len + blocks.lookahead
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        run_wiped_if(self.keyed(), MANY, || lanes::finish_many(self, messages, outputs));
    }
    #[inline]
    fn in_turn(&self, count: usize, longest: usize) -> bool {
        lanes::best(self, count, longest).lanes() == 1
    }
    fn finish_outer(&self, outer: &dyn Stream, message: &[u8], out: &mut [u8]) {
        let outer = outer.of_type().expect("the inner and the outer stream have the same type");
        finish_nested([self, outer], message, out);
    }
    fn finish_nested(
        &self,
        outer: &dyn Stream,
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
    fn finish_all<'s>(
        &self,
        streams: &dyn Fn(usize) -> &'s dyn Stream,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let stream = |i: usize| streams(i).of_type::<S>().expect("streams of one type");
        <S as Stream>::finish_each(&stream, messages, outputs);
    }
    fn backend(&self, index: usize) -> Option<Info> {
        backend::info::<S::Family>(index, backend::one())
    }
    fn leaves_state() -> bool {
        S::LEAVES_STATE
    }
    /// If an absorbed block leaves nothing but a state (`LEAVES_STATE`), computes the two states
    /// alone and constructs the streams in the place of the result. If the streams were constructed
    /// elsewhere and then moved, copies of them would remain on the stack.
    #[inline(always)]
    fn after(&self, blocks: [&[u8]; 2]) -> [Self; 2] {
        if !S::LEAVES_STATE {
            return after_each(self, blocks);
        }
        let mut states = [self.state(), self.state()];
        for (state, block) in states.iter_mut().zip(blocks) {
            let input = Input { lanes: &[block], stride: block.len(), blocks: 1, end: None };
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
        run_wiped_if(keyed, MANY, || lanes::update_many(streams, pieces));
    }
    fn finish_each<'a>(
        streams: &'a StreamList<'a, Self>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let keyed = (0..messages.count()).any(|i| streams(i).keyed());
        run_wiped_if(keyed, MANY, || lanes::finish_each(streams, messages, outputs));
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

/// Implements [`Stream::after`] by updates of two copies of `stream`.
#[inline(always)]
fn after_each<S: Progress + Copy>(stream: &S, blocks: [&[u8]; 2]) -> [S; 2] {
    blocks.map(|block| {
        let mut stream = *stream;
        must(stream.try_update(block));
        stream
    })
}

/// Returns a copy of `stream` that continues from `state`, `len` bytes further in the message.
#[inline(always)]
fn resumed<S: Sequential + Copy>(stream: &S, state: &State<S>, len: usize) -> S {
    let mut stream = *stream;
    must(stream.resume(|i| state.as_ref()[i], len));
    stream
}

#[cfg(feature = "blake2")]
impl<F: blake2::Blake2Family, const B: usize, const L: usize, const C: usize> Stream
    for Blake2Tree<F, B, L, C>
{
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        self.finish_after(message, out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        run_wiped_if(self.keyed(), MANY_TREES, || self.finish_many(messages, outputs));
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.try_update_rayon(data)
    }
    fn backend(&self, index: usize) -> Option<Info> {
        backend::info::<F>(index, backend::leaves(L))
    }
}

#[cfg(feature = "blake3")]
impl Stream for Tree3 {
    fn finish(&self, message: &[u8], out: &mut [u8]) {
        let depth = self.depth_of_output(message.len(), out.len());
        run_wiped_if(self.keyed(), depth, || self.finish_after(message, out));
    }
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        self.finish_after(message, out);
    }
    fn only_copies(&self, len: usize) -> bool {
        self.only_copies(len)
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        run_wiped_if(self.keyed(), MANY_TREES, || self.finish_many(messages, outputs));
    }
    fn in_turn(&self, count: usize, longest: usize) -> bool {
        self.in_turn(count, longest)
    }
    fn finish_all<'s>(
        &self,
        streams: &dyn Fn(usize) -> &'s dyn Stream,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let stream = |i: usize| streams(i).of_type::<Self>().expect("streams of one type");
        <Self as Stream>::finish_each(&stream, messages, outputs);
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.try_update_rayon(data)
    }
    fn backend(&self, index: usize) -> Option<Info> {
        backend::info::<Blake3>(index, backend::one())
    }
    fn finish_each<'a>(
        streams: &'a StreamList<'a, Self>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        let keyed = (0..messages.count()).any(|i| streams(i).keyed());
        run_wiped_if(keyed, MANY_TREES, || Self::finish_each(streams, messages, outputs));
    }
    fn degree() -> usize {
        backend::for_messages::<Blake3>(LANES, PLENTY).lanes()
    }
}

/// Stack bytes to clear after a batch, which uses two sets of lanes with their tails. The test
/// `c/remains` found words of states below 20 KiB; the depth itself was not measured again.
pub(crate) const MANY: usize = 40 * 1024;
/// Stack bytes to clear after a batch of trees, which also keeps the chaining values of the leaves.
/// Measured: 57 KiB.
pub(crate) const MANY_TREES: usize = 64 * 1024;

/// An iterator over mutable streams whose type is known at run time only.
pub(crate) type Each<'a, 's> = dyn Iterator<Item = &'s mut dyn Stream> + 'a;
/// The largest number of `dyn` streams that [`Stream::update_each`] updates at once. The references
/// to them take 2 KiB of the stack, because the library must not allocate.
pub(crate) const BATCH: usize = 256;

/// References to streams of one type, which were downcast from `dyn Stream`. Each stream is
/// downcast once, in advance, because a lane fetches its stream several times.
struct OfType<'a, 's, S>(&'a mut [Option<&'s mut S>]);

impl<S> Streams<S> for OfType<'_, '_, S> {
    fn stream(&mut self, index: usize) -> &mut S {
        self.0[index].as_deref_mut().expect("every piece has a stream of this type")
    }
}

/// Checks the lengths of messages and outputs, then hashes every message. Every public
/// `hash_many` calls this function.
///
/// `room` is the longest message allowed, in bytes, and `len` the length of the outputs.
///
/// `hash` hashes a part of the batch on one thread. It is behind `dyn` because this function is
/// compiled for every combination of message and output types, while the code behind `hash` is
/// compiled once for each stream.
///
/// `one` hashes a single message. It is `Some` if the messages are to be hashed one after the
/// other. It is not behind `dyn`, because then two messages of 8 bytes took 1.3 times as long as
/// two separate calls.
///
/// # Errors
/// [`Error::MessageTooLong`] if a message is longer than `room`, [`Error::OutputLength`] if the
/// outputs do not fit. Nothing is written then.
pub(crate) fn finish_checked<M: Messages + ?Sized, O: Outputs + ?Sized>(
    messages: &M,
    outputs: &mut O,
    (room, len): (u128, OutputLen),
    one: Option<impl Fn(&[u8], &mut [u8])>,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) -> Result<(), Error> {
    /// No message in memory is longer, because the address space of a process has at most 2⁵⁷
    /// bytes. The lengths are therefore checked only if less room is left, which is the case only
    /// for a hasher that was imported close to its limit.
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

/// Writes the output of `stream` for every message. `len` is the length of an output.
///
/// # Errors
/// Those of [`finish_checked`].
pub(crate) fn hash_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
    stream: &impl Stream,
    len: OutputLen,
    messages: &M,
    outputs: &mut O,
) -> Result<(), Error> {
    let one = |message: &[u8], out: &mut [u8]| stream.finish(message, out);
    let one = in_turn(stream, messages).then_some(one);
    let finish = |part: &dyn Messages, slots: &mut Slots<'_>| stream.finish_many(part, slots);
    finish_checked(messages, outputs, (stream.room(), len), one, &finish)
}

/// A function that hashes one message and writes its output.
type One = fn(&[u8], &mut [u8]);
/// The argument `one` of [`finish_checked`] for functions that hash every batch with `hash`.
pub(crate) const LANES_ALWAYS: Option<One> = None;

/// Returns whether `stream` hashes `messages` faster one after the other than in lanes.
///
/// The lengths are read only if there are fewer than [`LANES`] messages. For more, the number alone
/// decides.
#[inline]
pub(crate) fn in_turn<M: Messages + ?Sized>(stream: &(impl Stream + ?Sized), messages: &M) -> bool {
    let count = messages.count();
    let lens = (0..count).map(|index| messages.message(index).len());
    stream.in_turn(count, if count < LANES { lens.max().unwrap_or(0) } else { 0 })
}

/// Writes the output of `stream` for each message.
///
/// # Errors
/// Those of [`finish_checked`].
pub(crate) fn finish_batch(
    stream: &dyn Stream,
    messages: &dyn Messages,
    outputs: &mut dyn Outputs,
    len: OutputLen,
) -> Result<(), Error> {
    let finish = |part: &dyn Messages, slots: &mut Slots<'_>| stream.finish_many(part, slots);
    let one = |message: &[u8], out: &mut [u8]| stream.finish(message, out);
    let one = in_turn(stream, messages).then_some(one);
    finish_checked(messages, outputs, (stream.room(), len), one, &finish)
}

/// Has each of the `count` streams absorb its piece. All lengths are checked before the first piece
/// is absorbed, so that an error leaves every hasher unchanged.
///
/// # Errors
/// [`Error::PieceCount`] if there are not `count` pieces, [`Error::MessageTooLong`] if a piece is
/// longer than its stream has room for.
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

/// Computes the check of an exported state: the first eight bytes of the SHA-256 of `bytes`. The
/// function is not in `state.rs`, because a file uses only files below it and SHA-256 is above
/// `state.rs`.
pub(crate) fn check(bytes: &[u8]) -> [u8; CHECK_LEN] {
    let mut check = [0; CHECK_LEN];
    finish_one(&Stream32::new(w32::SHA256, 32), bytes, &mut check);
    check
}

/// Exports the state of `stream`, which must be a stream of the function with this code.
pub(crate) fn export(code: u8, stream: &(impl Progress + ?Sized)) -> Exported {
    Exported::new(code, |state| stream.save(state), check)
}

/// Stack bytes to clear after an import: those of the check, and copies of the hasher.
pub(crate) const IMPORT: usize = 8192;

/// Checks an exported state and returns a reader of its fields.
///
/// # Errors
/// [`Error::StateVersion`] if a newer version wrote the state, [`Error::StateDamaged`] if its check
/// is wrong.
pub(crate) fn import(state: &[u8]) -> Result<Import<'_>, Error> {
    Import::new(state, check)
}

/// Reads the state of the function that has this code. `load` reads the fields.
///
/// # Errors
/// Those of [`import`], [`Error::StateAlgorithm`] if the code is another one, those of `load`, and
/// [`Error::StateInconsistent`] if bytes are left.
pub(crate) fn import_as<T>(
    code: u8,
    state: &[u8],
    load: impl FnOnce(&mut Import<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    run_wiped(IMPORT, || {
        let mut import = import(state)?;
        if import.code != code {
            return Err(Error::StateAlgorithm);
        }
        let hasher = load(&mut import)?;
        import.end()?;
        Ok(hasher)
    })
}

/// A hash function as a type: the parameter `F` of [`Hash<F>`](struct@crate::Hash). The types are
/// in [`function`](crate::function).
///
/// It is a type rather than a value of [`Algorithm`], so that the compiler knows the length of the
/// digest and the kernels.
///
/// Other crates cannot implement it, because the trait of its stream is private to this crate.
pub trait Function: Copy + Send + Sync + 'static {
    #[doc(hidden)]
    type Stream: Stream + Hold;
    /// The type that `finalize` returns: [`Digest`](crate::Digest), or
    /// [`VarDigest`](crate::VarDigest) for BLAKE2, whose output length is a parameter. For an
    /// extendable-output function it is the usual length.
    type Digest: Bytes;
    /// The stream of a hasher that has absorbed nothing and has no parameters.
    #[doc(hidden)]
    const STREAM: &'static Self::Stream;
    /// The function as a value.
    const ALGORITHM: Algorithm;
    #[doc(hidden)]
    const FACTS: Facts;
}

/// A hash function without key and parameters: SHA-2, SHA-3, SHAKE, Ascon.
///
/// [`Hash::reset`](crate::Hash::reset) exists for these functions only, because a hasher does not
/// keep its parameters.
pub trait Plain: Function {}

/// An extendable-output function, whose output may have any length: SHAKE, TurboSHAKE, BLAKE3
/// and Ascon-XOF128.
pub trait Extendable: Function {
    /// The type that `squeeze` returns.
    type Reader: Reader;
    #[doc(hidden)]
    fn reader(stream: &Self::Stream) -> Self::Reader;
    #[doc(hidden)]
    fn reader_bits(stream: &Self::Stream, byte: u8, bits: u32) -> Result<Self::Reader, Error>;
}

/// A reader of an output that never ends.
pub trait Reader: Iterator<Item = u8> + Clone + Send + Sync {
    /// Writes the next bytes of the output.
    fn fill(&mut self, out: &mut [u8]);
}

#[cfg(feature = "sha3")]
impl Reader for XofReader {
    fn fill(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

#[cfg(feature = "blake3")]
impl Reader for Blake3Reader {
    fn fill(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

#[cfg(feature = "ascon")]
impl Reader for AsconReader {
    fn fill(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

/// A hasher: a hash in progress with the function `F`.
///
/// `Sha256`, `Blake2b`, `Shake128` and the others are aliases of this type. Extendable-output
/// functions also have [`squeeze`](Hash::squeeze), which returns a reader.
///
/// Methods whose names begin with `finalize` return the output for the bytes absorbed so far.
/// Methods whose names begin with `hash` return the output for those bytes followed by one more
/// message, or by each of many messages. None of them changes the hasher, which may absorb more
/// afterwards.
///
/// The state is overwritten when the hasher is dropped. `Debug` prints only the algorithm's name.
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
    // Not inlined, because the compiler might then make another copy of the state, which may come
    // from a key, and leave it on the stack.
    #[inline(never)]
    fn clone(&self) -> Self {
        Hash { stream: self.stream.clone() }
    }
}

impl<F: Function> Hash<F> {
    /// Creates a hasher that has absorbed nothing.
    ///
    /// BLAKE2 has no key and its longest output. TurboSHAKE has the default domain-separation byte,
    /// 0x1F.
    #[inline]
    pub const fn new() -> Self {
        Hash { stream: Secret(*F::STREAM) }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If the message would become longer than the standard allows: see
    /// [`try_update`](Self::try_update).
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.stream.try_update(data.as_ref()));
        self
    }

    /// Absorbs the next part of the message, or returns an error where [`update`](Self::update)
    /// panics.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`] if the message would become longer than the standard allows.
    /// Nothing is absorbed then. With SHA-2's padding the limits are 2⁶¹ − 1 bytes for blocks of 64
    /// bytes and 2¹²⁵ − 1 bytes for blocks of 128. They are 2⁶⁴ − 1 bytes for BLAKE2s, BLAKE2sp and
    /// BLAKE3, and 2¹²⁸ − 1 bytes for BLAKE2b and BLAKE2bp. SHA-3, SHAKE, TurboSHAKE and Ascon have no
    /// limit. In practice only a hasher that was [imported](Self::import) close to its limit can reach
    /// it.
    #[inline]
    pub fn try_update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        self.stream.try_update(data.as_ref())?;
        Ok(self)
    }

    /// Updates many hashers at once, each with the next part of its own message, side by side in
    /// SIMD lanes.
    ///
    /// The hasher with index `i` absorbs piece `i`. `hashers` are hashers or `&mut` references to
    /// hashers, so that hashers which are stored apart can be collected into a vector of
    /// references.
    ///
    /// BLAKE2bp and BLAKE2sp update one hasher after the other, because the leaves of one message
    /// already fill the lanes.
    ///
    /// # Errors
    /// - [`Error::PieceCount`] if the numbers of pieces and hashers differ.
    /// - [`Error::MessageTooLong`] if a message would become longer than the standard allows: see
    ///   [`try_update`](Self::try_update).
    ///
    /// No hasher absorbs anything then.
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

    /// Finishes many hashers at once, each with its own last message, side by side in SIMD lanes.
    ///
    /// Writes to output `i` the output of the hasher with index `i` after message `i`. The hashers
    /// may differ in their parameters, as the nodes of a hash tree do. `hashers` are hashers or
    /// references to hashers. They are unchanged.
    ///
    /// BLAKE2bp and BLAKE2sp finish one hasher after the other, because the leaves of one message
    /// already fill the lanes.
    ///
    /// [`Messages`] lists the types that can hold the messages, [`Outputs`] those that can hold the
    /// outputs.
    ///
    /// # Errors
    /// - [`Error::PieceCount`] if the numbers of messages and hashers differ.
    /// - [`Error::OutputLength`] if the hashers' digests have different lengths, or if `outputs`
    ///   does not fit, as for [`hash_many`](Self::hash_many).
    /// - [`Error::MessageTooLong`] if a message would become longer than the standard allows: see
    ///   [`try_update`](Self::try_update).
    ///
    /// Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Blake2b, blake2b};
    ///
    /// let leaf = |i| blake2b::Params::new().output_len(32).fanout(2).max_depth(2).node_offset(i).build();
    /// let mut digests = [0; 2 * 32];
    /// Blake2b::hash_each(&[leaf(0)?, leaf(1)?], &["first", "second"], &mut digests)?;
    /// assert_eq!(leaf(1)?.hash(b"second"), digests[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_each<M: Messages + ?Sized, O: Outputs + ?Sized>(
        hashers: &[impl Borrow<Self>],
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let any = F::FACTS.is_xof;
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

    /// Returns the number of bytes absorbed so far, or `None` for SHA-3, SHAKE, TurboSHAKE and
    /// Ascon, which do not count.
    ///
    /// A key of BLAKE2 does not count, except after an import: an exported state does not contain
    /// whether there was a key, so the number then includes the key's block if there was one (128
    /// bytes for BLAKE2b, 64 for BLAKE2s, 512 for the leaves of BLAKE2bp and BLAKE2sp).
    pub fn count(&self) -> Option<u128> {
        self.stream.count()
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. See [`Exported`] for an example.
    pub fn export(&self) -> Exported {
        export(F::FACTS.code, &*self.stream)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// - [`Error::StateAlgorithm`] if the state belongs to another algorithm.
    /// - [`Error::StateVersion`] if a newer version of this library wrote the state.
    /// - [`Error::StateDamaged`] if the state is incomplete or its check is wrong.
    /// - [`Error::StateInconsistent`] if the check is right but the fields contradict one another.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        import_as(F::FACTS.code, state, |import| {
            let mut hasher = Self::new();
            hasher.stream.load(import)?;
            Ok(hasher)
        })
    }

    /// Hashes many messages at once, side by side in SIMD lanes.
    ///
    /// Writes to output `i` the output for the bytes absorbed so far followed by message `i`. The
    /// hasher is unchanged.
    ///
    /// [`Messages`] lists the types that can hold the messages, [`Outputs`] those that can hold the
    /// outputs. An extendable-output function fills each place, whatever its length. A
    /// [`VarDigest`](crate::VarDigest), which has no length of its own, receives 32 bytes from
    /// SHAKE128, TurboSHAKE128, BLAKE3 and Ascon-XOF128, 64 bytes from SHAKE256 and TurboSHAKE256.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if `outputs` does not have one place for each message, or if the
    ///   places do not have the digest's length.
    /// - [`Error::MessageTooLong`] if a message would become longer than the standard allows: see
    ///   [`try_update`](Self::try_update).
    ///
    /// Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Digest, Sha256, Shake128};
    ///
    /// let mut salted = Sha256::new();
    /// salted.update(b"salt");
    /// let mut digests = [Digest::default(); 2];
    /// salted.hash_many(["a", "b"], &mut digests)?;
    /// assert_eq!(digests[1], hashmill::sha256(b"saltb"));
    ///
    /// let mut packed = [0; 2 * 100];
    /// Shake128::new().hash_many(["a", "b"], &mut packed)?;
    /// assert_eq!(packed[100..], hashmill::shake128::<100>(b"b")[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        hash_many(&*self.stream, output_len::<F>(&self.stream), &messages, outputs)
    }

    /// Writes the output for the bytes absorbed so far to `out`: the digest, or as many bytes of an
    /// extendable-output function's output as `out` has.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `out` does not have the digest's length. Nothing is written then.
    ///
    /// ```
    /// use hashmill::Shake128;
    ///
    /// let mut output = vec![0; 100]; // a length at run time
    /// Shake128::new().update(b"abc").finalize_into(&mut output)?;
    /// assert_eq!(output, *hashmill::shake128::<100>(b"abc"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        output_len::<F>(&self.stream).check(out.len())?;
        self.stream.finish(&[], out);
        Ok(())
    }

    /// Returns the digest of the bytes absorbed so far; of an extendable-output function the first
    /// 32 bytes of the output, or 64 of SHAKE256 and TurboSHAKE256. The hasher is unchanged and may
    /// absorb more.
    #[inline]
    pub fn finalize(&self) -> F::Digest {
        self.hash(b"")
    }

    /// Returns the digest of the bytes absorbed so far followed by `message`.
    ///
    /// The hasher is unchanged. The result is the same as that of `update(message)` and
    /// [`finalize`](Self::finalize) on a clone, with less copying.
    ///
    /// # Panics
    /// If the message would become longer than the standard allows: see
    /// [`try_update`](Self::try_update).
    #[inline]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> F::Digest {
        let mut digest = F::Digest::blank(self.stream.output_len());
        self.stream.finish(message.as_ref(), digest.bytes_mut());
        digest
    }

    /// Returns the length in bytes of the digest that [`finalize`](Self::finalize) returns.
    pub fn output_len(&self) -> usize {
        self.stream.output_len()
    }

    /// Returns the digest of the bytes absorbed so far followed by `bits` bits, 0 to 7.
    ///
    /// SHA-3 and Ascon read the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// functions read the **high** bits, first bit highest (FIPS 180-4 §3.1). The other bits of
    /// `last_byte` are ignored.
    ///
    /// # Errors
    /// - [`Error::TooManyBits`] if `bits` is more than 7.
    /// - [`Error::NoBits`] for BLAKE2, which is defined for whole bytes only.
    pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<F::Digest, Error> {
        let mut digest = F::Digest::blank(self.stream.output_len());
        self.stream.finish_bits(last_byte, bits, digest.bytes_mut())?;
        Ok(digest)
    }
}

impl<F: Plain> Hash<F> {
    /// Returns the hasher to the state of [`new`](Self::new).
    ///
    /// BLAKE2 and TurboSHAKE do not have this method, because a hasher does not keep its key and
    /// parameters. Instead, keep a hasher that has absorbed nothing, and clone it.
    pub fn reset(&mut self) {
        self.stream = Secret(*F::STREAM);
    }
}

impl<F: Extendable> Hash<F> {
    /// Returns a reader of the output for the bytes absorbed so far, from its first byte. The
    /// hasher is unchanged and may absorb more.
    pub fn squeeze(&self) -> F::Reader {
        F::reader(&self.stream)
    }

    /// Returns a reader of the output for the bytes absorbed so far followed by `bits` bits, 0 to
    /// 7.
    ///
    /// The bits are the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// bits of `last_byte` are ignored.
    ///
    /// # Errors
    /// - [`Error::TooManyBits`] if `bits` is more than 7.
    /// - [`Error::NoBits`] for TurboSHAKE and BLAKE3, which are defined for whole bytes only.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<F::Reader, Error> {
        F::reader_bits(&self.stream, last_byte, bits)
    }
}

/// Returns the lengths that an output of this stream may have.
pub(crate) fn output_len<F: Function>(stream: &F::Stream) -> OutputLen {
    OutputLen { len: stream.output_len(), any: F::FACTS.is_xof }
}

/// The streams of a slice of hashers, or of references to hashers.
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
        f.debug_struct(F::FACTS.name).finish_non_exhaustive()
    }
}

impl<F: Function> Sealed for Hash<F> {}

/// Any of the hashers without parameters: SHA-2, SHA-3, SHAKE, BLAKE2, BLAKE3, Ascon … Code that
/// works with each of them takes an `H: Hasher`, as [`many::hash`](crate::many::hash),
/// [`Hmac`](crate::Hmac), [`Hkdf`](crate::Hkdf) and [`pbkdf2`](crate::pbkdf2()) do: `Hmac<Sha256>`.
/// (The last three do not compile for a function that [has no HMAC](Algorithm::has_hmac).)
///
/// The methods are those of [`Hash`](struct@Hash), which `Self` is. `H::ALGORITHM` knows the names
/// and lengths.
///
/// ```
/// use hashmill::{Hasher, Sha256, Shake128};
///
/// fn digest<H: Hasher>(data: &[u8]) -> H::Digest {
///     let mut h = H::new();
///     h.update(data);
///     h.finalize()
/// }
/// assert_eq!(digest::<Sha256>(b"abc"), hashmill::sha256(b"abc"));
/// assert_eq!(digest::<Shake128>(b"abc"), hashmill::shake128::<32>(b"abc"));
///
/// fn described<H: Hasher>(data: &[u8]) -> String {
///     format!("{} ({} bits): {}", H::ALGORITHM, 8 * H::ALGORITHM.output_len(), digest::<H>(data))
/// }
/// assert_eq!(described::<Sha256>(b"abc")[..23], *"SHA-256 (256 bits): ba7");
/// ```
pub trait Hasher: Sealed + Clone + Default + Send + Sync + 'static {
    /// The function: `Self` is `Hash<Self::Function>`.
    type Function: Function<Digest = Self::Digest>;
    /// The type that `finalize` returns.
    type Digest: Bytes;
    /// The function as a value.
    const ALGORITHM: Algorithm;

    /// Creates a hasher that has absorbed nothing: see [`Hash::new`].
    fn new() -> Self;
    /// Absorbs the next part of the message: see [`Hash::update`].
    fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self;
    /// Returns the digest of the bytes absorbed so far: see [`Hash::finalize`].
    fn finalize(&self) -> Self::Digest;
    /// Writes the output for the bytes absorbed so far: see [`Hash::finalize_into`].
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `out` does not have the digest's length.
    fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error>;
    /// Returns the digest of the bytes absorbed so far followed by `message`: see [`Hash::hash`].
    fn hash(&self, message: impl AsRef<[u8]>) -> Self::Digest;
    /// Hashes many messages at once: see [`Hash::hash_many`].
    ///
    /// # Errors
    /// Those of [`Hash::hash_many`].
    fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error>;
}

impl<F: Function> Hasher for Hash<F> {
    type Function = F;
    type Digest = F::Digest;
    const ALGORITHM: Algorithm = F::ALGORITHM;

    #[inline]
    fn new() -> Self {
        Self::new()
    }
    #[inline]
    fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.update(data)
    }
    #[inline]
    fn finalize(&self) -> F::Digest {
        self.finalize()
    }
    #[inline]
    fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.finalize_into(out)
    }
    #[inline]
    fn hash(&self, message: impl AsRef<[u8]>) -> F::Digest {
        self.hash(message)
    }
    fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        self.hash_many(messages, outputs)
    }
}

/// Implements `update_reader`, `io::Write` and `Extend` for a type, all of them by calls of its
/// `update`. It is a macro, because the traits of other crates cannot be implemented at once for
/// all types that implement one of our traits.
macro_rules! bytes_in {
    ([$($generics:tt)*] $Type:ty, read $buffer:expr) => {
        impl<$($generics)*> $Type {
            /// Absorbs all bytes of `reader` up to its end, and returns how many bytes these were.
            /// The memory used does not depend on their number.
            ///
            /// # Errors
            /// Any error of the reader but [`Interrupted`](std::io::ErrorKind::Interrupted), after
            /// which the call is repeated. The bytes read before the error have been absorbed.
            ///
            /// # Panics
            /// If `update` panics for the bytes read.
            #[cfg(feature = "std")]
            pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
                crate::hasher::read_all(reader, &mut $buffer, |data| {
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

bytes_in!([F: Function] Hash<F>, read [0; READ_LEN]);

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

/// Bytes that `update_reader` reads at once. SHA-256 takes about 9 µs for 16 KiB, so that a system
/// call of less than a microsecond hardly matters. A larger buffer would not stay in the L1 cache,
/// which has 32 to 48 KiB.
#[cfg(feature = "std")]
pub(crate) const READ_LEN: usize = 16 * 1024;
/// Bytes that `update_reader` of KangarooTwelve and ParallelHash reads at once: eight chunks of 8
/// KiB, so that every update fills the eight lanes of AVX-512.
#[cfg(feature = "std")]
pub(crate) const READ_CHUNKS_LEN: usize = 8 * 8 * 1024;

/// Reads `reader` to its end, passes the bytes to `update` in pieces of at most `buffer.len()`
/// bytes, and returns their number. A read that was interrupted is repeated.
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

/// Collects single bytes into pieces of 512 bytes and passes these to `update`, because each update
/// costs some nanoseconds whatever its length.
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
