//! The sponge over Keccak-p[1600] (FIPS 202 §4), which SHA-3, SHAKE, TurboSHAKE and the functions
//! of SP 800-185 and RFC 9861 share: its backends, its stream and its output.

pub(crate) mod encoding;
pub(crate) mod kernel;
pub(crate) mod readers;

use crate::backend::{self, Backend, Chosen, Family, Input, LANES, Runnable, Start};
use crate::buffer::{Blocks, Buffer, copy_short};
use crate::error::Error;
use crate::simd::Profile::*;
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{Progress, Sequential, absorb, finish_one, set_words, write_words};
use crate::wipe::{Secret, Wiped};

pub(crate) use kernel::Shape;

/// The longest rate in bytes, that of SHAKE128 and TurboSHAKE128.
const MAX_RATE: usize = 168;

/// The family of Keccak-p[1600].
#[derive(Clone, Copy)]
pub(crate) enum Keccak {}

impl Family for Keccak {
    type Word = u64;
    type Shape = Shape;
    type Known = ();
    type State = [u64; 25];
    /// Two blocks, because a trailer may stand between the message and the padding (`Trailed`).
    type Tail = [u8; 2 * MAX_RATE];
    const TAIL: Self::Tail = [0; 2 * MAX_RATE];
    const OUTPUT: backend::Output = backend::Output::LittleEndian;
    const START: &'static [Start] =
        &[(Xeon, [200, 400, 100, 100]), (Zen4, [375, 287, 289, 287]), (Zen5, [100, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        kernel::avx512::STAMP.row(kernel::avx512::absorb, &[(Xeon, 1365, 481), (Zen4, 1540, 468), (Zen5, 990, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512vl::STAMP.row(kernel::avx512vl::absorb, &[(Xeon, 880, 319), (Zen4, 829, 177), (Zen5, 936, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx2::STAMP.row(kernel::avx2::absorb, &[(Xeon, 1795, 226), (Zen4, 1406, 200), (Zen5, 1470, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512one::STAMP.row(kernel::avx512one::absorb, &[(Xeon, 896, 83), (Zen4, 746, 67), (Zen5, 840, 0)]),
        #[cfg(target_arch = "x86_64")]
        kernel::bmi2::STAMP.row(kernel::bmi2::absorb, &[(Xeon, 945, 83), (Zen4, 1000, 122), (Zen5, 895, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        kernel::sha3::STAMP.row(kernel::sha3::absorb, &[(NeoverseV2, 1703, 255), (Apple, 728, 255)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        kernel::neon::STAMP.row(kernel::neon::absorb, &[(NeoverseV2, 1209, 255), (NeoverseN1, 2235, 255)]),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernel::simd128::STAMP.row(kernel::simd128::absorb, &[(Wasm, 2082, 255)]),
        kernel::portable::STAMP.row(kernel::portable::absorb, &[(Xeon, 1241, 67), (Zen4, 1229, 124), (Zen5, 1050, 0), (NeoverseV2, 557, 0), (NeoverseN1, 1142, 0), (Wasm, 1373, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The stream of a sponge in its absorbing phase.
#[derive(Clone, Copy)]
pub struct Sponge {
    pub(crate) state: [u64; 25],
    /// The bytes that wait for their block. They are kept here rather than in the state, so that
    /// all families use the same buffer code. The capacity is the longest rate for all functions,
    /// because the lanes require streams of one type.
    pub(crate) buffer: Buffer<MAX_RATE>,
    rate: u8,
    pub(crate) rounds: u8,
    /// The domain separation bits and the first bit of the padding. The first bit is the lowest.
    pub(crate) suffix: u8,
    /// The usual length of the output in bytes.
    pub(crate) output_len: u8,
}

impl Sponge {
    /// Creates the sponge of an extendable-output function. Its usual output is as long as the
    /// capacity, which is twice the security strength.
    pub const fn new(rate: usize, rounds: usize, suffix: u8) -> Self {
        Self::with_output(rate, rounds, suffix, 200 - rate)
    }

    /// Creates the sponge of a function whose output usually has `output_len` bytes.
    pub const fn with_output(rate: usize, rounds: usize, suffix: u8, output_len: usize) -> Self {
        Sponge {
            state: [0; 25],
            buffer: Buffer::new(),
            rate: rate as u8,
            rounds: rounds as u8,
            suffix,
            output_len: output_len as u8,
        }
    }

    /// Returns the sponge with another suffix, for another domain.
    pub const fn with_suffix(mut self, suffix: u8) -> Self {
        self.suffix = suffix;
        self
    }

    pub(crate) const fn rate(&self) -> usize {
        self.rate as usize
    }

    /// Whether every word of the state is 0, as before the first whole block.
    pub(crate) fn is_blank(&self) -> bool {
        self.state == [0; 25]
    }

    #[inline]
    const fn layout(&self) -> (Blocks, Shape) {
        let rate = self.rate();
        (
            Blocks { len: rate, lookahead: 0, padding: 1 },
            Shape { rate, rounds: self.rounds as usize },
        )
    }

    /// Absorbs the next part of the message, which may have any length.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        let layout = self.layout();
        absorb::<Keccak, MAX_RATE>(&mut self.state, &mut self.buffer, layout, data);
    }

    /// Pads the end of a message (FIPS 202 §5.1) and returns the length of the padded end: one
    /// block, or two if the bits do not fit in one.
    ///
    /// `tail` contains the last `rest` bytes of the message, and zeros after them. This function
    /// adds the lowest `bits` bits of `last_byte`, the domain separation bits, and the padding
    /// 10*1. The suffix contains the padding's first bit, so that both are written at once.
    #[inline(always)]
    const fn pad(&self, tail: &mut [u8], rest: usize, last_byte: u8, bits: u32) -> usize {
        let rate = self.rate();
        let message_bits = last_byte as u16 & ((1 << bits) - 1);
        let end = message_bits | (self.suffix as u16) << bits;
        // The padding's last bit needs a place after its first bit.
        let len = if rest == rate - 1 && end >= 0x80 { 2 * rate } else { rate };
        if rest + 16 <= len {
            // Stores whole words, because a kernel loads whole words, and a load does not wait for
            // a store that covers it.
            let word = (end as u64).to_le_bytes();
            tail.split_at_mut(rest).1.split_at_mut(8).0.copy_from_slice(&word);
            let word = (1_u64 << 63).to_le_bytes();
            tail.split_at_mut(len - 8).1.split_at_mut(8).0.copy_from_slice(&word);
        } else {
            tail[rest] = end as u8;
            if end > 0xFF {
                tail[rest + 1] = (end >> 8) as u8;
            }
            tail[len - 1] |= 0x80;
        }
        len
    }

    const fn absorb_const(state: &mut [u64; 25], shape: Shape, run: &[u8]) {
        let input =
            Input { lanes: &[run], stride: shape.rate, blocks: run.len() / shape.rate, end: None };
        kernel::portable::absorb(state, shape, &input);
    }

    pub const fn update_const(&mut self, mut data: &[u8]) {
        let (blocks, shape) = self.layout();
        while let Some(run) = self.buffer.next(blocks, &mut data) {
            Self::absorb_const(&mut self.state, shape, run);
        }
    }

    pub const fn finish_const(&self, out: &mut [u8]) {
        self.finish_xof_const().fill_const(out);
    }

    pub const fn finish_xof_const(&self) -> Output {
        let (mut state, shape) = (self.state, self.layout().1);
        let mut tail = [0; 2 * MAX_RATE];
        let rest = self.buffer.waiting();
        tail.split_at_mut(rest.len()).0.copy_from_slice(rest);
        let len = self.pad(&mut tail, rest.len(), 0, 0);
        Self::absorb_const(&mut state, shape, tail.split_at(len).0);
        Output::new(state, shape)
    }

    /// Checks that a message may end with single bits.
    ///
    /// # Errors
    /// [`Error::NoBits`] for TurboSHAKE, which RFC 9861 §2 defines for bytes.
    pub fn check_bits(&self) -> Result<(), Error> {
        if self.rounds == 24 { Ok(()) } else { Err(Error::NoBits) }
    }

    pub fn reader(&self) -> XofReader {
        XofReader::new(self.squeeze())
    }

    /// # Errors
    /// Those of `check_bits` and `squeeze_bits`.
    pub fn reader_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.check_bits()?;
        self.squeeze_bits(last_byte, bits).map(XofReader::new)
    }

    /// Returns the output, from its beginning.
    pub fn squeeze(&self) -> Output {
        self.squeeze_padded(0, 0)
    }

    /// Returns the output of the message that ends with the lowest `bits` bits of `last_byte`.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<Output, Error> {
        Error::check_bits(bits)?;
        Ok(self.squeeze_padded(last_byte, bits))
    }

    /// The permutation of the last block is left to the first `fill`, so that many readers can do it
    /// in lanes.
    fn squeeze_padded(&self, last_byte: u8, bits: u32) -> Output {
        let (blocks, shape) = self.layout();
        let (mut output, mut tail) = (Output::new(self.state, shape), [0; 2 * MAX_RATE]);
        let rest = self.buffer.waiting();
        copy_short(&mut tail[..rest.len()], rest);
        let len = self.pad(&mut tail, rest.len(), last_byte, bits);
        let (first, last) = tail[..len].split_at(len - blocks.len);
        let input = Input {
            lanes: &[first],
            stride: blocks.len,
            blocks: first.len() / blocks.len,
            end: None,
        };
        backend::one::<Keccak>().absorb(&mut output.state, shape, &input);
        for (word, bytes) in output.state.iter_mut().zip(last.as_chunks().0) {
            *word ^= u64::from_le_bytes(*bytes);
        }
        output.position = shape.rate;
        output
    }

    /// Hashes one message in one call.
    #[inline]
    pub fn hash<const N: usize>(&self, message: &[u8]) -> [u8; N] {
        let mut out = [0; N];
        finish_one(self, message, &mut out);
        out
    }
}

impl Wiped for Sponge {
    const WIPED: Self = Self::new(MAX_RATE, 24, 0);
}

impl Sequential for Sponge {
    type Family = Keccak;

    #[inline]
    fn blocks(&self) -> Blocks {
        self.layout().0
    }
    #[inline]
    fn shape(&self) -> Shape {
        self.layout().1
    }
    #[inline]
    fn state(&self) -> [u64; 25] {
        self.state
    }
    #[inline]
    fn waiting(&self) -> &[u8] {
        self.buffer.waiting()
    }
    #[inline(always)]
    fn last(&self, _: usize, tail: &mut [u8], rest: usize, _: impl FnMut(usize, u64)) -> usize {
        self.pad(tail, rest, 0, 0)
    }
    fn known(&self, _: &[u8]) {}
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> u64, out: &mut [u8]) {
        let (first, further) = out.split_at_mut(out.len().min(self.rate()));
        write_words(|i| word(i).to_le_bytes(), first);
        if !further.is_empty() {
            let mut output = Output::new(core::array::from_fn(word), self.shape());
            output.position = self.rate();
            output.fill(further);
        }
    }
    fn output_lanes(
        &self,
        backend: Runnable<Keccak>,
        states: &mut [u64],
        places: &mut [u8],
        [stride, len]: [usize; 2],
    ) -> bool {
        let is_long = len > self.rate();
        if is_long {
            squeeze(backend, states, (self.shape(), 0), places, [stride, len]);
        }
        is_long
    }
    #[inline]
    fn resume(&mut self, word: impl Fn(usize) -> u64, _: usize) -> Result<(), Error> {
        set_words(&mut self.state, word);
        self.buffer = Buffer::new();
        Ok(())
    }
}

impl Progress for Sponge {
    #[inline]
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }

    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        self.check_bits()?;
        self.squeeze_bits(last_byte, bits)?.fill(out);
        Ok(())
    }

    fn output_len(&self) -> usize {
        usize::from(self.output_len)
    }

    /// HMAC uses at most 3,048 bytes: for each of its two hashes, a state and two blocks for the
    /// padded end of the message.
    fn stack(&self) -> usize {
        4096
    }

    fn save(&self, state: &mut Exported) {
        self.suffix.put(state);
        put_words(state, &self.state);
        (self.buffer.waiting().len() as u8).put(state);
        state.put(self.buffer.waiting());
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let suffix = u8::take(state)?;
        // Only TurboSHAKE lets the caller choose the suffix.
        if suffix != self.suffix && (self.rounds == 24 || !(0x01..=0x7F).contains(&suffix)) {
            return Err(Error::StateInconsistent);
        }
        self.suffix = suffix;
        take_words(state, &mut self.state)?;
        let len = usize::from(u8::take(state)?);
        if len >= self.rate() {
            return Err(Error::StateInconsistent);
        }
        let mut waiting = state.take(len)?;
        self.buffer.next(self.layout().0, &mut waiting);
        Ok(())
    }
}

/// A sponge in its squeezing phase (FIPS 202 §4).
#[derive(Clone, Copy)]
pub struct Output {
    state: [u64; 25],
    shape: Shape,
    /// How many bytes of this state's rate were returned already.
    position: usize,
}

impl Output {
    const fn new(state: [u64; 25], shape: Shape) -> Self {
        Output { state, shape, position: 0 }
    }

    pub fn fill(&mut self, mut out: &mut [u8]) {
        loop {
            let n = self.give(out);
            out = &mut out[n..];
            if out.is_empty() {
                return;
            }
            self.permute();
        }
    }

    /// Permutes the state now if the first `fill` would. An output that depends on a key does so inside
    /// the part of the stack that is cleared.
    pub fn settle(&mut self) {
        if self.position == self.shape.rate {
            self.permute();
        }
    }

    fn permute(&mut self) {
        let shape = self.permuting();
        backend::one::<Keccak>().absorb(&mut self.state, shape, &Self::NOTHING);
        self.position = 0;
    }

    pub const fn fill_const(&mut self, mut out: &mut [u8]) {
        loop {
            let n = self.give(out);
            out = out.split_at_mut(n).1;
            if out.is_empty() {
                return;
            }
            let shape = self.permuting();
            kernel::portable::absorb(&mut self.state, shape, &Self::NOTHING);
            self.position = 0;
        }
    }

    /// A block of zeros. Absorbing it only permutes the state, so that squeezing needs no kernel of
    /// its own. The shortest block is a word of eight bytes.
    const NOTHING: Input<'static> = Input { lanes: &[&[0; 8]], stride: 8, blocks: 1, end: None };
    /// The same for many lanes.
    const ZEROS: [&'static [u8]; LANES] = [&[0; 8]; LANES];

    const fn permuting(&self) -> Shape {
        Shape { rate: 8, ..self.shape }
    }

    /// Copies the next bytes of this state's rate to `out`, until the rate or `out` ends, and
    /// returns their number. It copies the bytes up to the next word, then whole words, then the
    /// bytes of the last word.
    const fn give(&mut self, out: &mut [u8]) -> usize {
        let left = self.shape.rate - self.position;
        let len = if out.len() < left { out.len() } else { left };
        let mut out = out.split_at_mut(len).0;
        while !out.is_empty() {
            let (words, at) = (self.state.split_at(self.position / 8).1, self.position % 8);
            let mut bytes = 8 * (out.len() / 8);
            if at == 0 && bytes > 0 {
                let (places, mut i) = (out.as_chunks_mut::<8>().0, 0);
                let words = words.split_at(places.len()).0;
                while i < words.len() {
                    places[i] = words[i].to_le_bytes();
                    i += 1;
                }
            } else {
                bytes = if out.len() < 8 - at { out.len() } else { 8 - at };
                let word = words[0].to_le_bytes();
                copy_short(out.split_at_mut(bytes).0, word.split_at(at).1.split_at(bytes).0);
            }
            self.position += bytes;
            out = out.split_at_mut(bytes).1;
        }
        len
    }
}

impl Wiped for Output {
    const WIPED: Self = Self::new([0; 25], Shape { rate: MAX_RATE, rounds: 24 });
}

/// Writes the next `len` bytes of the outputs of the first lanes to `places`, which begin `stride`
/// bytes apart, and returns the new position. An idle lane is permuted, too.
fn squeeze(
    backend: Runnable<Keccak>,
    states: &mut [u64],
    (shape, mut position): (Shape, usize),
    places: &mut [u8],
    [stride, len]: [usize; 2],
) -> usize {
    let lanes = backend.lanes();
    let mut done = 0;
    loop {
        let n = (shape.rate - position).min(len - done);
        give(backend, states, (shape, position), &mut places[done..], [stride, n]);
        (done, position) = (done + n, position + n);
        if done == len {
            return position;
        }
        let input = Input { lanes: &Output::ZEROS[..lanes], ..Output::NOTHING };
        backend.absorb(states, Shape { rate: 8, ..shape }, &input);
        position = 0;
    }
}

/// Writes `n` bytes of the states of the first lanes, from byte `position` on.
fn give(
    backend: Runnable<Keccak>,
    states: &[u64],
    (shape, position): (Shape, usize),
    places: &mut [u8],
    [stride, n]: [usize; 2],
) {
    let lanes = backend.lanes();
    let is_full = places.len().div_ceil(stride) == lanes;
    let mut written = if position == 0 && is_full { n / 16 * 16 } else { 0 };
    if written > 0 && !backend.rows(states, places, stride, written) {
        written = 0;
    }
    for (lane, place) in places.chunks_mut(stride).enumerate() {
        let (word, place) = (|i: usize| states[i * lanes + lane], &mut place[written..n]);
        if position % 8 == 0 {
            let first = (position + written) / 8;
            write_words(|i| word(first + i).to_le_bytes(), place);
        } else {
            Output { state: core::array::from_fn(word), shape, position }.give(place);
        }
    }
}

/// The output of an extendable-output function: any number of bytes, from the beginning on.
///
/// It is a type of its own rather than a mode of the hasher, so that nothing can be absorbed after
/// the first byte of output, and the hasher stays usable.
///
/// It is also an [`Iterator`] over bytes, and an `io::Read` that never ends.
///
/// ```
/// use hashmill::Shake128;
///
/// let mut reader = Shake128::new().update(b"seed").squeeze();
/// let mut key = [0; 32];
/// reader.fill(&mut key);
/// let next: Vec<u8> = reader.take(2).collect();
/// assert_eq!(hashmill::shake128::<34>(b"seed")[32..], next[..]);
/// ```
#[derive(Clone)]
pub struct XofReader(pub(crate) Secret<Output>);

impl XofReader {
    pub(crate) const fn new(output: Output) -> Self {
        XofReader(Secret(output))
    }

    /// Writes the next bytes of the output.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.0.fill(out);
    }
}

impl core::fmt::Debug for XofReader {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("XofReader").finish_non_exhaustive()
    }
}

crate::stream::endless!(XofReader);
