//! The sponge over Keccak-p[1600] (FIPS 202 §4), which SHA-3, SHAKE and TurboSHAKE share.

pub(crate) mod encoding;
pub(crate) mod kernel;
pub(crate) mod tree;

use crate::backend::{self, Backend, Chosen, Family, Info, Input};
use crate::buffer::{Blocks, Buffer};
use crate::error::Error;
use crate::hasher::Stream;
use crate::many::update::{Resumable, Streams, update_many};
use crate::many::{Messages, Rows, Sequential, finish_many, finish_nested, finish_one};
use crate::pbkdf2::{Chain, side_by_side};
use crate::simd::Isa;
use crate::state::{Exported, Import, Word, put_words, take_words};
use crate::wipe::{Wiped, wipe};

/// What distinguishes the permutations and sponges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Bytes in a block.
    pub rate: usize,
    /// 24, or 12 for TurboSHAKE.
    pub rounds: usize,
}

/// The longest rate: SHAKE128's and TurboSHAKE128's.
const MAX_RATE: usize = 168;

pub(crate) enum Keccak {}

impl Family for Keccak {
    type Word = u64;
    type Shape = Shape;
    type Known = ();
    type State = [u64; 25];
    /// Two blocks: a message may have an end of its own before the padding.
    type Tail = [u8; 2 * MAX_RATE];
    const TAIL: Self::Tail = [0; 2 * MAX_RATE];
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        Backend {
            name: "avx512",
            needs: Isa::AVX512,
            lanes: 8,
            cycles: [1258, 990],
            absorb: kernel::avx512::absorb,
            absorb_known: None,
            absorb_last: None,
        },
        #[cfg(target_arch = "x86_64")]
        Backend {
            name: "avx512vl",
            needs: Isa::AVX512,
            lanes: 4,
            cycles: [760, 936],
            absorb: kernel::avx512vl::absorb,
            absorb_known: None,
            absorb_last: None,
        },
        #[cfg(target_arch = "x86_64")]
        Backend {
            name: "avx2",
            needs: Isa::AVX2,
            lanes: 4,
            cycles: [1570, 1470],
            absorb: kernel::avx2::absorb,
            absorb_known: None,
            absorb_last: None,
        },
        #[cfg(target_arch = "x86_64")]
        Backend {
            name: "avx512vl",
            needs: Isa::AVX512,
            lanes: 1,
            cycles: [800, 840],
            absorb: kernel::avx512one::absorb,
            absorb_known: None,
            absorb_last: None,
        },
        #[cfg(target_arch = "x86_64")]
        Backend {
            name: "bmi2",
            needs: Isa::BMI2,
            lanes: 1,
            cycles: [898, 895],
            absorb: kernel::bmi2::absorb,
            absorb_known: None,
            absorb_last: None,
        },
        Backend {
            name: "portable",
            needs: Isa::NONE,
            lanes: 1,
            cycles: [950, 1050],
            absorb: kernel::portable::absorb,
            absorb_known: None,
            absorb_last: None,
        },
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// A sponge that absorbs. Its `suffix` is the domain separation bits and the first bit of the padding,
/// first bit lowest.
#[derive(Clone, Copy)]
pub struct Sponge {
    state: [u64; 25],
    buffer: Buffer<MAX_RATE>,
    shape: Shape,
    suffix: u8,
}

impl Sponge {
    pub const fn new(rate: usize, rounds: usize, suffix: u8) -> Self {
        Sponge { state: [0; 25], buffer: Buffer::new(), shape: Shape { rate, rounds }, suffix }
    }

    const fn blocks_of(shape: Shape) -> Blocks {
        Blocks { len: shape.rate, lookahead: 0 }
    }

    /// FIPS 202 §5.1: `bits` bits of the message, the domain separation bits, and the padding 10*1.
    /// The result is the length with padding: a block, or two where the bits go past its end.
    #[inline(always)]
    const fn pad(&self, tail: &mut [u8], rest: usize, last_byte: u8, bits: u32) -> usize {
        let rate = self.shape.rate;
        let message_bits = last_byte as u16 & ((1 << bits) - 1);
        let end = message_bits | (self.suffix as u16) << bits;
        // The padding's last bit must find a place after its first one.
        let len = if rest == rate - 1 && end >= 0x80 { 2 * rate } else { rate };
        if rest + 16 <= len {
            // Whole words, as a kernel will load them: a load does not wait for a store as wide.
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
        let input = Input { lanes: &[run], stride: shape.rate, blocks: run.len() / shape.rate };
        kernel::portable::absorb(state, shape, &input);
    }

    pub const fn update_const(&mut self, mut data: &[u8]) {
        let blocks = Self::blocks_of(self.shape);
        while let Some(run) = self.buffer.next(blocks, &mut data) {
            Self::absorb_const(&mut self.state, self.shape, run);
        }
    }

    pub const fn finish_const(&self, out: &mut [u8]) {
        self.finish_xof_const().fill_const(out);
    }

    pub const fn finish_xof_const(&self) -> Output {
        let mut state = self.state;
        let mut tail = [0; 2 * MAX_RATE];
        let rest = self.buffer.waiting();
        tail.split_at_mut(rest.len()).0.copy_from_slice(rest);
        let len = self.pad(&mut tail, rest.len(), 0, 0);
        Self::absorb_const(&mut state, self.shape, tail.split_at(len).0);
        Output::new(state, self.shape)
    }

    /// The output, after `bits` more bits of the message.
    pub fn finish_xof(&self, last_byte: u8, bits: u32) -> Result<Output, Error> {
        if bits > 7 {
            return Err(Error::TooManyBits);
        }
        let mut state = self.state;
        let mut tail = [0; 2 * MAX_RATE];
        let rest = self.buffer.waiting();
        tail[..rest.len()].copy_from_slice(rest);
        let len = self.pad(&mut tail, rest.len(), last_byte, bits);
        let input =
            Input { lanes: &[&tail], stride: self.shape.rate, blocks: len / self.shape.rate };
        backend::one::<Keccak>().absorb(&mut state, self.shape, &input);
        Ok(Output::new(state, self.shape))
    }

    /// One message in one call.
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

impl Stream for Sponge {
    #[inline]
    fn try_update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        let blocks = Self::blocks_of(self.shape);
        while let Some(run) = self.buffer.next(blocks, &mut data) {
            let input = Input { lanes: &[run], stride: blocks.len, blocks: run.len() / blocks.len };
            backend::one::<Keccak>().absorb(&mut self.state, self.shape, &input);
        }
        Ok(())
    }

    fn finish(&self, out: &mut [u8]) {
        finish_one(self, &[], out);
    }

    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        // RFC 9861 §2 defines TurboSHAKE for bytes.
        if self.shape.rounds != 24 {
            return Err(Error::NoBits);
        }
        self.finish_xof(last_byte, bits)?.fill(out);
        Ok(())
    }

    fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R) {
        finish_many(self, messages, rows);
    }

    fn finish_nested<M: Messages + ?Sized, R: Rows + ?Sized>(
        streams: [&Self; 2],
        digest_len: usize,
        messages: &M,
        rows: &mut R,
    ) -> usize {
        finish_nested(streams, digest_len, messages, rows)
    }

    fn update_many<T: Streams<Self> + ?Sized, M: Messages + ?Sized>(streams: &mut T, pieces: &M) {
        update_many(streams, pieces);
    }

    fn chains<'o>(
        &self,
        chains: impl Iterator<Item = Chain<'o, Self>>,
        count: usize,
        iterations: u32,
    ) {
        side_by_side(self, chains, count, iterations);
    }

    fn save(&self, state: &mut Exported) {
        self.suffix.put(state);
        put_words(state, &self.state);
        (self.buffer.waiting().len() as u8).put(state);
        state.put(self.buffer.waiting());
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let suffix = u8::take(state)?;
        // Only TurboSHAKE lets its user choose.
        if suffix != self.suffix && (self.shape.rounds == 24 || !(0x01..=0x7F).contains(&suffix)) {
            return Err(Error::StateInconsistent);
        }
        self.suffix = suffix;
        take_words(state, &mut self.state)?;
        let len = usize::from(u8::take(state)?);
        if len >= self.shape.rate {
            return Err(Error::StateInconsistent);
        }
        let mut waiting = state.take(len)?;
        self.buffer.next(Self::blocks_of(self.shape), &mut waiting);
        Ok(())
    }

    fn chosen() -> &'static Chosen {
        Keccak::chosen()
    }

    fn backend(index: usize) -> Option<Info> {
        backend::info::<Keccak>(index)
    }
}

impl Resumable for Sponge {
    fn resume(&mut self, word: impl Fn(usize) -> u64, _: usize) -> Result<(), Error> {
        self.state = core::array::from_fn(word);
        self.buffer = Buffer::new();
        Ok(())
    }
}

impl Sequential for Sponge {
    type Family = Keccak;

    fn blocks(&self) -> Blocks {
        Self::blocks_of(self.shape)
    }
    fn shape(&self) -> Shape {
        self.shape
    }
    fn state(&self) -> [u64; 25] {
        self.state
    }
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
        let (first, further) = out.split_at_mut(out.len().min(self.shape.rate));
        let (whole, part) = first.as_chunks_mut::<8>();
        for (i, bytes) in whole.iter_mut().enumerate() {
            *bytes = word(i).to_le_bytes();
        }
        if !part.is_empty() {
            part.copy_from_slice(&word(whole.len()).to_le_bytes()[..part.len()]);
        }
        if !further.is_empty() {
            let mut output = Output::new(core::array::from_fn(word), self.shape);
            output.position = self.shape.rate;
            output.fill(further);
        }
    }
}

/// The squeezing phase (FIPS 202 §4).
#[derive(Clone, Copy)]
pub struct Output {
    state: [u64; 25],
    shape: Shape,
    /// How many bytes of this state's rate were given out.
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
            backend::one::<Keccak>().absorb(&mut self.state, self.shape, &Self::NOTHING);
            self.position = 0;
        }
    }

    pub const fn fill_const(&mut self, mut out: &mut [u8]) {
        loop {
            let n = self.give(out);
            out = out.split_at_mut(n).1;
            if out.is_empty() {
                return;
            }
            kernel::portable::absorb(&mut self.state, self.shape, &Self::NOTHING);
            self.position = 0;
        }
    }

    /// A block of zeros changes nothing but to permute.
    const NOTHING: Input<'static> = Input { lanes: &[&[0; MAX_RATE]], stride: MAX_RATE, blocks: 1 };

    /// Gives out as much of this state as there is and as `out` takes.
    const fn give(&mut self, out: &mut [u8]) -> usize {
        let mut n = 0;
        while n < out.len() && self.position < self.shape.rate {
            let word = self.state[self.position / 8].to_le_bytes();
            let (_, word) = word.split_at(self.position % 8);
            let mut i = 0;
            while i < word.len() && n < out.len() {
                out[n] = word[i];
                i += 1;
                n += 1;
            }
            self.position += i;
        }
        n
    }
}

impl Wiped for Output {
    const WIPED: Self = Self::new([0; 25], Shape { rate: MAX_RATE, rounds: 24 });
}

/// The output of an extendable-output function: any number of bytes, from the beginning on.
///
/// It is also an [`Iterator`] over bytes, and an `io::Read` that never ends.
///
/// ```
/// use hashmill::Shake128;
///
/// let mut reader = Shake128::new().update(b"seed").finalize_xof();
/// let mut key = [0; 32];
/// reader.fill(&mut key);
/// let next: Vec<u8> = reader.take(2).collect();
/// assert_eq!(hashmill::shake128::<34>(b"seed")[32..], next[..]);
/// ```
#[derive(Clone)]
pub struct XofReader(pub(crate) Output);

impl XofReader {
    /// Writes the next bytes of the output.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.0.fill(out);
    }
}

impl core::fmt::Debug for XofReader {
    /// Says nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("XofReader").finish_non_exhaustive()
    }
}

impl Drop for XofReader {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl Iterator for XofReader {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.fill(&mut byte);
        Some(byte[0])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

#[cfg(feature = "std")]
impl std::io::Read for XofReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.fill(out);
        Ok(out.len())
    }
}
