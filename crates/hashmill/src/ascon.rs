//! Ascon's hash functions (SP 800-232 §5), a sponge over Ascon-p[12] with a rate of eight bytes: the
//! backends, the stream and its output.

#![forbid(unsafe_code)]

pub(crate) mod kernel;

use crate::backend::{self, Backend, Chosen, Family, Input, Start};
use crate::buffer::{Blocks, Buffer, copy_short};
use crate::error::Error;
use crate::simd::Profile::*;
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{Progress, Sequential, absorb, set_words, write_words};
use crate::wipe::{Secret, Wiped};
use kernel::{ENDS, SQUEEZED, SQUEEZED_ON, WORDS};

/// The rate in bytes.
const RATE: usize = 8;
/// Words of the permutation's state.
const PERMUTED: usize = 5;
/// Bytes of a digest, which a kernel squeezes in one call.
const DIGEST: usize = RATE * (1 + SQUEEZED_ON - SQUEEZED);

/// The family of Ascon-p[12].
#[derive(Clone, Copy)]
pub(crate) enum Ascon {}

impl Family for Ascon {
    type Word = u64;
    type Shape = ();
    type Known = ();
    type State = [u64; WORDS];
    type Tail = [u8; RATE];
    const TAIL: Self::Tail = [0; RATE];
    // The cycles of Xeon, Zen4 and Zen5 were measured. The rows of Arm and WebAssembly have the proportions to
    // the portable one that Keccak's have.
    const OUTPUT: backend::Output = backend::Output::Other;
    const START: &'static [Start] =
        &[(Xeon, [200, 400, 100, 100]), (Zen4, [117, 149, 68, 149]), (Zen5, [100, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        kernel::avx512::STAMP.row(kernel::avx512::absorb, &[(Xeon, 226, 881), (Zen4, 235, 1109), (Zen5, 193, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512vl::STAMP.row(kernel::avx512vl::absorb, &[(Xeon, 164, 668), (Zen4, 140, 627), (Zen5, 191, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx2::STAMP.row(kernel::avx2::absorb, &[(Xeon, 331, 1152), (Zen4, 249, 967), (Zen5, 310, 450)]),
        #[cfg(target_arch = "x86_64")]
        kernel::bmi2::STAMP.row(kernel::bmi2::absorb, &[(Xeon, 181, 590), (Zen4, 139, 448), (Zen5, 125, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        kernel::neon::STAMP.row(kernel::neon::absorb, &[(NeoverseN1, 280, 255)]),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernel::simd128::STAMP.row(kernel::simd128::absorb, &[(Wasm, 200, 255)]),
        kernel::portable::STAMP.row(kernel::portable::absorb, &[(Xeon, 188, 613), (Zen4, 144, 495), (Zen5, 132, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

const fn absorb_const(state: &mut [u64; WORDS], run: &[u8]) {
    let input = Input { lanes: &[run], stride: RATE, blocks: run.len() / RATE, end: None };
    kernel::portable::absorb(state, (), &input);
}

/// The stream of a sponge in its absorbing phase.
#[derive(Clone, Copy)]
pub struct Sponge {
    /// All words but those of the permutation are 0.
    state: [u64; WORDS],
    buffer: Buffer<RATE>,
}

impl Sponge {
    const BLOCKS: Blocks = Blocks { len: RATE, lookahead: 0, padding: 1 };

    /// Creates the sponge of the function with that initial value (SP 800-232 §5.1, Table 12).
    pub const fn new(iv: u64) -> Self {
        let mut state = [0; WORDS];
        state[0] = iv;
        absorb_const(&mut state, &NOTHING);
        Sponge { state, buffer: Buffer::new() }
    }

    /// Absorbs the length of a customization string in bits, and the string with the padding of a
    /// message (SP 800-232 §5.3).
    pub const fn customize(&mut self, customization: &[u8]) {
        self.update_const(&(8 * customization.len() as u64).to_le_bytes());
        self.update_const(customization);
        let padding = PADDING.split_at(RATE - customization.len() % RATE).0;
        self.update_const(padding);
    }

    pub fn update(&mut self, data: &[u8]) {
        absorb::<Ascon, RATE>(&mut self.state, &mut self.buffer, (Self::BLOCKS, ()), data);
    }

    pub const fn update_const(&mut self, mut data: &[u8]) {
        while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
            absorb_const(&mut self.state, run);
        }
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

    fn squeeze_padded(&self, last_byte: u8, bits: u32) -> Output {
        let (mut state, tail) = (self.state, self.padded(last_byte, bits));
        let input = Input { lanes: &[&tail], stride: RATE, blocks: 1, end: None };
        backend::one::<Ascon>().absorb(&mut state, (), &input);
        Output { state, position: 0 }
    }

    pub const fn squeeze_const(&self) -> Output {
        let mut state = self.state;
        absorb_const(&mut state, &self.padded(0, 0));
        Output { state, position: 0 }
    }

    pub const fn finish_const(&self, out: &mut [u8]) {
        self.squeeze_const().fill_const(out);
    }

    /// Returns the last block of a message that ends with the lowest `bits` bits of `last_byte`. At
    /// most seven bytes wait, so that the bits and the padding's first bit always fit into it.
    const fn padded(&self, last_byte: u8, bits: u32) -> [u8; RATE] {
        let (mut tail, rest) = ([0; RATE], self.buffer.waiting());
        tail.split_at_mut(rest.len()).0.copy_from_slice(rest);
        tail[rest.len()] = last_byte & ((1 << bits) - 1) | PADDING[0] << bits;
        tail
    }
}

/// The padding, a bit that is 1 and then zeros (SP 800-232 §2.1): the first bit of a byte is its
/// lowest.
const PADDING: [u8; RATE] = [1, 0, 0, 0, 0, 0, 0, 0];
/// A block of zeros, which only permutes the state, so that squeezing needs no kernel of its own.
const NOTHING: [u8; RATE] = [0; RATE];

impl Wiped for Sponge {
    const WIPED: Self = Sponge { state: [0; WORDS], buffer: Buffer::new() };
}

impl Sequential for Sponge {
    type Family = Ascon;

    fn blocks(&self) -> Blocks {
        Self::BLOCKS
    }
    fn shape(&self) {}
    fn state(&self) -> [u64; WORDS] {
        self.state
    }
    fn waiting(&self) -> &[u8] {
        self.buffer.waiting()
    }
    #[inline(always)]
    fn last(
        &self,
        _: usize,
        tail: &mut [u8],
        rest: usize,
        mut set: impl FnMut(usize, u64),
    ) -> usize {
        set(ENDS, 1);
        tail[rest] = PADDING[0];
        RATE
    }
    fn known(&self, _: &[u8]) {}
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> u64, out: &mut [u8]) {
        let (first, further) = out.split_at_mut(out.len().min(DIGEST));
        write_digest(&word, first);
        if !further.is_empty() {
            Output::after_digest(word).fill(further);
        }
    }
    fn resume(&mut self, word: impl Fn(usize) -> u64, _: usize) -> Result<(), Error> {
        set_words(&mut self.state[..PERMUTED], word);
        self.buffer = Buffer::new();
        Ok(())
    }
}

impl Progress for Sponge {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        self.squeeze_bits(last_byte, bits)?.fill(out);
        Ok(())
    }
    fn output_len(&self) -> usize {
        32
    }
    fn save(&self, state: &mut Exported) {
        put_words(state, &self.state[..PERMUTED]);
        (self.buffer.waiting().len() as u8).put(state);
        state.put(self.buffer.waiting());
    }
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        take_words(state, &mut self.state[..PERMUTED])?;
        let len = usize::from(u8::take(state)?);
        // The permutation of the initial value is not 0.
        if len >= RATE || self.state == [0; WORDS] {
            return Err(Error::StateInconsistent);
        }
        let mut waiting = state.take(len)?;
        self.buffer.next(Self::BLOCKS, &mut waiting);
        Ok(())
    }
}

/// A sponge in its squeezing phase.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    state: [u64; WORDS],
    /// How many bytes of the state's first word were returned already.
    position: usize,
}

/// Writes the first bytes of a digest from the words of a state.
#[inline(always)]
fn write_digest(word: impl Fn(usize) -> u64, out: &mut [u8]) {
    write_words(|i| word(if i == 0 { 0 } else { SQUEEZED + i - 1 }).to_le_bytes(), out);
}

impl Output {
    /// Returns the output after the digest, from the words of a state after the last block.
    fn after_digest(word: impl Fn(usize) -> u64) -> Self {
        let mut state = [0; WORDS];
        state[0] = word(SQUEEZED_ON - 1);
        (1..PERMUTED).for_each(|i| state[i] = word(SQUEEZED_ON + i - 1));
        Output { state, position: RATE }
    }

    fn fill(&mut self, mut out: &mut [u8]) {
        let input = Input { lanes: &[&NOTHING], stride: RATE, blocks: 1, end: None };
        loop {
            out = self.give(out);
            if out.is_empty() {
                return;
            }
            let ends = out.len() >= DIGEST;
            self.state[ENDS] = u64::from(ends);
            backend::one::<Ascon>().absorb(&mut self.state, (), &input);
            self.position = 0;
            if ends {
                let digest;
                (digest, out) = out.split_at_mut(DIGEST);
                write_digest(|i| self.state[i], digest);
                *self = Output::after_digest(|i| self.state[i]);
            }
        }
    }

    pub const fn fill_const(&mut self, mut out: &mut [u8]) {
        loop {
            out = self.give(out);
            if out.is_empty() {
                return;
            }
            absorb_const(&mut self.state, &NOTHING);
            self.position = 0;
        }
    }

    /// Copies the next bytes of the state's first word to `out`, until the word or `out` ends, and
    /// returns the rest of `out`.
    const fn give<'o>(&mut self, out: &'o mut [u8]) -> &'o mut [u8] {
        let word = self.state[0].to_le_bytes();
        let left = word.split_at(self.position).1;
        let len = if out.len() < left.len() { out.len() } else { left.len() };
        let (given, rest) = out.split_at_mut(len);
        copy_short(given, left.split_at(len).0);
        self.position += len;
        rest
    }
}

impl Wiped for Output {
    const WIPED: Self = Output { state: [0; WORDS], position: 0 };
}

/// The output of Ascon-XOF128 or Ascon-CXOF128: any number of bytes, from the beginning on. It is
/// also an [`Iterator`] over bytes, and an `io::Read` that never ends. It is wiped when dropped.
#[derive(Clone)]
pub struct AsconReader(Secret<Output>);

impl AsconReader {
    pub(crate) fn new(sponge: &Sponge) -> Self {
        AsconReader(Secret(sponge.squeeze()))
    }

    /// # Errors
    /// Those of [`Sponge::squeeze_bits`].
    pub(crate) fn of_bits(sponge: &Sponge, last_byte: u8, bits: u32) -> Result<Self, Error> {
        Ok(AsconReader(Secret(sponge.squeeze_bits(last_byte, bits)?)))
    }

    /// Writes the next bytes of the output.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.0.fill(out);
    }
}

impl core::fmt::Debug for AsconReader {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AsconReader").finish_non_exhaustive()
    }
}

crate::stream::endless!(AsconReader);
