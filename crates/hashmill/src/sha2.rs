//! SHA-2 (FIPS 180-4): the two block functions with their backends, and the stream over them.
//!
//! SHA-224 and SHA-256 are one block function of 32-bit words, SHA-384, SHA-512 and SHA-512/t
//! another of 64-bit words. They differ only in the width of the words and in constants, so there
//! is one text for both.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64_sha;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64_sha512;
pub(crate) mod constants;
pub(crate) mod kernel;
#[cfg(target_arch = "x86_64")]
mod x86_pairs;
#[cfg(target_arch = "x86_64")]
mod x86_sha;
#[cfg(target_arch = "x86_64")]
mod x86_sha512;

use crate::backend::{self, Backend, Chosen, Family, Input, Runnable, Start};
use crate::buffer::{Blocks, Buffer};
use crate::error::Error;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", test))]
use crate::simd::Isa;
use crate::simd::Profile::*;
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{
    Progress, Sequential, absorb, at_compile_time, counted, must, set_words, write_words,
};
use crate::wipe::Wiped;
use kernel::{w32, w64};

/// Properties of a block function that the stream uses, besides its backends.
pub(crate) trait Sha2Family:
    Family<Word: Into<u64> + Stored, Shape = (), State = [<Self as Family>::Word; 8]> + Send + Sync
{
    /// The length of the longest message in bytes. FIPS 180-4 §1 limits a message to fewer than 2⁶⁴
    /// or 2¹²⁸ bits.
    const LIMIT: u128;
    const ZERO: Self::Word;
    /// Reads the first word of `bytes`, big-endian.
    fn word(bytes: &[u8]) -> Self::Word;
    /// Computes K + W of every round for a block that is the same in every lane.
    fn schedule(block: &[u8]) -> Self::Known;
    /// Returns K + W of the padding of a message of `count` bytes, if that is a block of its own
    /// whose schedule was computed in advance.
    fn padding(_count: u128) -> Option<&'static Self::Known> {
        None
    }
}

/// The family of SHA-224 and SHA-256.
#[derive(Clone, Copy)]
pub enum Words32 {}

impl Sha2Family for Words32 {
    const LIMIT: u128 = (1 << 61) - 1;
    const ZERO: u32 = 0;

    fn word(bytes: &[u8]) -> u32 {
        u32::from_be_bytes(*bytes.first_chunk().expect("a word"))
    }

    fn schedule(block: &[u8]) -> Self::Known {
        w32::portable::schedule(block)
    }

    #[cfg(target_arch = "x86_64")]
    fn padding(count: u128) -> Option<&'static Self::Known> {
        /// The paddings of one block and of two: a one bit, and at the end the length in bits, 512
        /// or 1024. HMAC of 64 bytes has two, because the key is the first block.
        static PADDINGS: [[[u32; 16]; constants::w32::K.len()]; 2] = [padding(2), padding(4)];

        const fn padding(length: u8) -> [[u32; 16]; constants::w32::K.len()] {
            let mut block = [0; 64];
            (block[0], block[62]) = (0x80, length);
            w32::portable::schedule(&block)
        }

        match count {
            64 => Some(&PADDINGS[0]),
            128 => Some(&PADDINGS[1]),
            _ => None,
        }
    }
}

impl Family for Words32 {
    type Word = u32;
    type Shape = ();
    type Known = [[u32; 16]; constants::w32::K.len()];
    type State = [u32; 8];
    type Tail = [u8; 128];
    const TAIL: [u8; 128] = [0; 128];
    const OUTPUT: backend::Output = backend::Output::BigEndian;
    const START: &'static [Start] =
        &[(Xeon, [0, 400, 100, 100]), (Zen4, [141, 229, 215, 480]), (Zen5, [0, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w32::avx512two::absorb_known), then_known: &[(Xeon, 3942, 600), (Zen4, 3955, 397), (Zen5, 2080, 450)], ..w32::avx512two::STAMP.row(w32::avx512two::absorb, &[(Xeon, 1971, 600), (Zen4, 2006, 383), (Zen5, 1040, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w32::avx512::absorb_known), ..w32::avx512::STAMP.row(w32::avx512::absorb, &[(Xeon, 923, 138), (Zen4, 1023, 287), (Zen5, 702, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w32::avx512vl::absorb_known), ..w32::avx512vl::STAMP.row(w32::avx512vl::absorb, &[(Xeon, 645, 193), (Zen4, 549, 273), (Zen5, 697, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "sha", needs: Isa::SHA, lanes: 2, cycles: &[(Xeon, 229, 150), (Zen4, 146, 79), (Zen5, 200, 350)], absorb_two_then_known: Some(x86_sha::absorb_two_then_known), then_known: &[(Xeon, 460, 0), (Zen4, 150, 130), (Zen5, 390, 0)], ..Backend::of(x86_sha::absorb_two) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "sha", needs: Isa::SHA, cycles: &[(Xeon, 126, 12), (Zen4, 124, 0), (Zen5, 126, 0)], absorb_last: Some(x86_sha::absorb_last), absorb_digest: Some(x86_sha::absorb_digest), absorb_then_known: Some(x86_sha::absorb_then_known), then_known: &[(Xeon, 224, 0), (Zen4, 207, 0), (Zen5, 226, 0)], ..Backend::of(x86_sha::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w32::avx2::absorb_known), ..w32::avx2::STAMP.row(w32::avx2::absorb, &[(Xeon, 1216, 124), (Zen4, 999, 221), (Zen5, 1070, 450)]) },
        #[cfg(target_arch = "x86_64")]
        w32::bmi2::STAMP.row(w32::bmi2::absorb, &[(Xeon, 589, 42), (Zen4, 641, 55), (Zen5, 515, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { name: "sha", needs: Isa::SHA, lanes: 2, cycles: &[(NeoverseV2, 112, 255), (NeoverseN1, 113, 255)], ..Backend::of(aarch64_sha::absorb_two) },
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { name: "sha", needs: Isa::SHA, cycles: &[(NeoverseV2, 98, 0), (NeoverseN1, 98, 0)], ..Backend::of(aarch64_sha::absorb) },
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { absorb_known: Some(w32::neon::absorb_known), ..w32::neon::STAMP.row(w32::neon::absorb, &[(NeoverseV2, 969, 0), (NeoverseN1, 1467, 0)]) },
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Backend { absorb_known: Some(w32::simd128::absorb_known), ..w32::simd128::STAMP.row(w32::simd128::absorb, &[(Wasm, 1353, 0)]) },
        w32::portable::STAMP.row(w32::portable::absorb, &[(Xeon, 639, 67), (Zen4, 650, 54), (Zen5, 515, 0), (NeoverseV2, 347, 0), (NeoverseN1, 597, 0), (Wasm, 692, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The family of SHA-384, SHA-512 and SHA-512/t.
#[derive(Clone, Copy)]
pub enum Words64 {}

impl Sha2Family for Words64 {
    const LIMIT: u128 = (1 << 125) - 1;
    const ZERO: u64 = 0;

    fn word(bytes: &[u8]) -> u64 {
        u64::from_be_bytes(*bytes.first_chunk().expect("a word"))
    }

    fn schedule(block: &[u8]) -> Self::Known {
        w64::portable::schedule(block)
    }
}

impl Family for Words64 {
    type Word = u64;
    type Shape = ();
    type Known = [[u64; 16]; constants::w64::K.len()];
    type State = [u64; 8];
    type Tail = [u8; 256];
    const TAIL: [u8; 256] = [0; 256];
    const OUTPUT: backend::Output = backend::Output::BigEndian;
    const START: &'static [Start] =
        &[(Xeon, [200, 400, 100, 100]), (Zen4, [224, 323, 252, 323]), (Zen5, [100, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w64::avx512two::absorb_known), ..w64::avx512two::STAMP.row(w64::avx512two::absorb, &[(Xeon, 2274, 232), (Zen4, 2380, 325), (Zen5, 1225, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w64::avx512::absorb_known), ..w64::avx512::STAMP.row(w64::avx512::absorb, &[(Xeon, 1169, 188), (Zen4, 1230, 233), (Zen5, 869, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w64::avx512vl::absorb_known), ..w64::avx512vl::STAMP.row(w64::avx512vl::absorb, &[(Xeon, 816, 205), (Zen4, 662, 132), (Zen5, 901, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { absorb_known: Some(w64::avx2::absorb_known), ..w64::avx2::STAMP.row(w64::avx2::absorb, &[(Xeon, 1518, 136), (Zen4, 1196, 86), (Zen5, 1362, 450)]) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "sha512", needs: Isa::AVX2.and(Isa::SHA512), cycles: &[(Xeon, 400, 40), (Zen5, 400, 0)], ..Backend::of(x86_sha512::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512.and(Isa::BMI2), cycles: &[(Xeon, 631, 67), (Zen4, 540, 83), (Zen5, 460, 0)], of_one_block: Some(const { &w64::bmi2::STAMP.row(w64::bmi2::absorb, &[(Xeon, 697, 0), (Zen4, 650, 0), (Zen5, 670, 0)]) }), ..Backend::of(x86_pairs::avx512::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2.and(Isa::BMI2), cycles: &[(Xeon, 653, 83), (Zen4, 567, 75), (Zen5, 470, 0)], of_one_block: Some(const { &w64::bmi2::STAMP.row(w64::bmi2::absorb, &[(Xeon, 697, 0), (Zen4, 650, 0), (Zen5, 670, 0)]) }), ..Backend::of(x86_pairs::avx2::absorb) },
        #[cfg(target_arch = "x86_64")]
        w64::bmi2::STAMP.row(w64::bmi2::absorb, &[(Xeon, 765, 48), (Zen5, 670, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { name: "sha512", needs: Isa::SHA3, lanes: 2, cycles: &[(NeoverseV2, 324, 255)], ..Backend::of(aarch64_sha512::absorb_two) },
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { name: "sha512", needs: Isa::SHA3, cycles: &[(NeoverseV2, 242, 0)], ..Backend::of(aarch64_sha512::absorb) },
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Backend { absorb_known: Some(w64::neon::absorb_known), ..w64::neon::STAMP.row(w64::neon::absorb, &[(NeoverseV2, 1159, 255), (NeoverseN1, 1828, 255)]) },
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Backend { absorb_known: Some(w64::simd128::absorb_known), ..w64::simd128::STAMP.row(w64::simd128::absorb, &[(Wasm, 1794, 255)]) },
        w64::portable::STAMP.row(w64::portable::absorb, &[(Xeon, 927, 60), (Zen5, 690, 0), (NeoverseV2, 433, 0), (NeoverseN1, 767, 0), (Wasm, 1016, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The stream of a SHA-2 function with blocks of `BLOCK` bytes: the chaining value, the bytes that
/// wait for their block to become complete, and the number of bytes so far.
#[derive(Clone, Copy)]
pub struct Sha2<F: Sha2Family, const BLOCK: usize> {
    pub(crate) state: F::State,
    pub(crate) buffer: Buffer<BLOCK>,
    pub(crate) count: u128,
    /// The length of the digest in bytes.
    pub(crate) output_len: u8,
}

/// The stream of SHA-224 and SHA-256.
pub type Stream32 = Sha2<Words32, 64>;
/// The stream of SHA-384, SHA-512 and SHA-512/t.
pub type Stream64 = Sha2<Words64, 128>;

at_compile_time!(Stream32, kernel::w32, block 64, limit Words32::LIMIT, to_be_bytes);
at_compile_time!(Stream64, kernel::w64, block 128, limit Words64::LIMIT, to_be_bytes);

impl<F: Sha2Family, const BLOCK: usize> Sha2<F, BLOCK> {
    pub(crate) const BLOCKS: Blocks =
        Blocks { len: BLOCK, lookahead: 0, padding: 1 + Self::LENGTH_LEN };
    /// The length in bytes of the field that contains the message's length (FIPS 180-4 §5.1).
    const LENGTH_LEN: usize = BLOCK / 8;

    pub(crate) const fn new(initial: F::State, output_len: u8) -> Self {
        Sha2 { state: initial, buffer: Buffer::new(), count: 0, output_len }
    }

    /// Pads the end of a message of `count` bytes and `bits` bits (FIPS 180-4 §5.1) and returns the
    /// length of the padded end: one block or two.
    ///
    /// `tail` contains the last `rest` bytes of the message, and zeros after them. This function
    /// adds the highest `bits` bits of `last_byte`, a one bit, and at the end the length in bits.
    #[inline(always)]
    pub(crate) const fn pad(
        tail: &mut [u8],
        rest: usize,
        count: u128,
        last_byte: u8,
        bits: u32,
    ) -> usize {
        let len = if rest < BLOCK - Self::LENGTH_LEN { BLOCK } else { 2 * BLOCK };
        // Stores eight bytes at once, because a kernel loads whole words, and a load does not wait
        // for a store that covers it.
        let one_bit = [last_byte & !(0xFF >> bits) | 0x80 >> bits, 0, 0, 0, 0, 0, 0, 0];
        tail.split_at_mut(rest).1.split_at_mut(8).0.copy_from_slice(&one_bit);
        let length = (8 * count + bits as u128).to_be_bytes();
        let (_, length) = length.split_at(16 - Self::LENGTH_LEN);
        tail.split_at_mut(len).0.split_at_mut(len - Self::LENGTH_LEN).1.copy_from_slice(length);
        len
    }

    /// Pads the tail at compile time and returns its length.
    pub(crate) const fn last_const(&self, _: &mut F::State, tail: &mut [u8], rest: usize) -> usize {
        Self::pad(tail, rest, self.count, 0, 0)
    }

    /// Returns whether a backend's `absorb_digest` can absorb a digest of this function next: the
    /// digest must be the whole state, and exactly one block must precede it.
    #[inline]
    fn digests_follow(&self) -> bool {
        usize::from(self.output_len) == size_of::<F::State>() && self.count == BLOCK as u128
    }

    #[inline(always)]
    fn counted(&self, len: usize) -> u128 {
        must(counted(self.count, len, F::LIMIT))
    }
}

impl<F: Sha2Family, const BLOCK: usize> Wiped for Sha2<F, BLOCK> {
    const WIPED: Self = Self::new([F::ZERO; 8], 0);
}

impl<F: Sha2Family, const BLOCK: usize> Sequential for Sha2<F, BLOCK> {
    type Family = F;

    #[inline]
    fn blocks(&self) -> Blocks {
        Self::BLOCKS
    }
    #[inline]
    fn shape(&self) {}
    #[inline]
    fn state(&self) -> F::State {
        self.state
    }
    #[inline]
    fn waiting(&self) -> &[u8] {
        self.buffer.waiting()
    }
    #[inline(always)]
    fn last(
        &self,
        message_len: usize,
        tail: &mut [u8],
        rest: usize,
        _: impl FnMut(usize, F::Word),
    ) -> usize {
        Self::pad(tail, rest, self.counted(message_len), 0, 0)
    }
    fn then_known(&self, message_len: usize) -> Option<&'static F::Known> {
        let block = message_len == BLOCK && self.buffer.waiting().is_empty();
        // Only messages of one and two blocks have such a padding, so the limit need not be checked.
        if block { F::padding(self.count.wrapping_add(BLOCK as u128)) } else { None }
    }
    const LAST_TAKES_BLOCKS: bool = true;
    #[inline(always)]
    fn absorb_last(
        &self,
        backend: Runnable<F>,
        state: &mut [F::Word],
        last: &[u8],
        message_len: usize,
    ) -> bool {
        let count = self.counted(message_len);
        let known = if last.len() == BLOCK { F::padding(count) } else { None };
        known.is_some_and(|known| backend.absorb_then_known(state, last, known))
            || backend.absorb_last(state, last, count)
    }
    #[inline(always)]
    fn absorb_digest(&self, backend: Runnable<F>, digest: &mut F::State) -> bool {
        self.digests_follow() && backend.absorb_digest(self.state.as_ref(), digest.as_mut())
    }
    fn digest_state(&self, digest: &[u8]) -> Option<F::State> {
        let word = |i| F::word(&digest[i * size_of::<F::Word>()..]);
        self.digests_follow().then(|| core::array::from_fn(word))
    }
    fn known(&self, tail: &[u8]) -> F::Known {
        F::schedule(tail)
    }
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> F::Word, out: &mut [u8]) {
        match size_of::<F::Word>() {
            4 => write_words(|i| (word(i).into() as u32).to_be_bytes(), out),
            _ => write_words(|i| word(i).into().to_be_bytes(), out),
        }
    }
    const LEAVES_STATE: bool = true;

    #[inline(always)]
    fn resume(&mut self, word: impl Fn(usize) -> F::Word, len: usize) -> Result<(), Error> {
        self.count = counted(self.count, len, F::LIMIT)?;
        set_words(self.state.as_mut(), word);
        self.buffer = Buffer::new();
        Ok(())
    }
}

impl<F: Sha2Family, const BLOCK: usize> Progress for Sha2<F, BLOCK> {
    #[inline]
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.count = counted(self.count, data.len(), F::LIMIT)?;
        absorb::<F, BLOCK>(&mut self.state, &mut self.buffer, (Self::BLOCKS, ()), data);
        Ok(())
    }

    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        Error::check_bits(bits)?;
        let (mut state, mut tail) = (self.state, F::TAIL);
        let (tail, rest) = (tail.as_mut(), self.buffer.waiting());
        tail[..rest.len()].copy_from_slice(rest);
        let len = Self::pad(tail, rest.len(), self.count, last_byte, bits);
        let input = Input { lanes: &[&*tail], stride: BLOCK, blocks: len / BLOCK, end: None };
        backend::one::<F>().absorb(&mut state, (), &input);
        self.output(|i| state[i], out);
        Ok(())
    }

    fn count(&self) -> Option<u128> {
        Some(self.count)
    }

    fn output_len(&self) -> usize {
        usize::from(self.output_len)
    }

    fn room(&self) -> u128 {
        F::LIMIT - self.count
    }

    /// HMAC-SHA-256 uses at most 1,432 bytes, with the portable kernel and a long key. HMAC-SHA-512
    /// uses 4,384 bytes, because the kernels of `x86_pairs.rs` keep the message schedules of
    /// several blocks on the stack. A long key uses more.
    #[inline]
    fn stack(&self) -> usize {
        match size_of::<F::Word>() {
            4 => 1536,
            _ => 5120,
        }
    }

    /// HMAC-SHA-256 with the SHA instructions uses at most 536 bytes of the stack, or 408 with
    /// link-time optimisation. It uses more if the waiting bytes and the end of the message must be
    /// joined in a buffer. SHA-224 uses more, too, because its digest is not the whole state and
    /// must be padded in memory.
    #[inline]
    fn takes_little(&self, end: &[u8]) -> bool {
        let whole = usize::from(self.output_len) == size_of::<F::State>();
        let alone = self.buffer.waiting().is_empty() || end.is_empty();
        whole && alone && backend::one::<F>().absorbs_last()
    }

    fn save(&self, state: &mut Exported) {
        self.count.put(state);
        put_words(state, &self.state);
        state.put(self.buffer.waiting());
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        self.count = Stored::take(state)?;
        if self.count > F::LIMIT {
            return Err(Error::StateInconsistent);
        }
        take_words(state, &mut self.state)?;
        let mut waiting = state.take(Self::BLOCKS.waiting(self.count))?;
        self.buffer.next(Self::BLOCKS, &mut waiting);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use core::fmt::Debug;

    const LANES: usize = backend::LANES;

    /// Checks that each backend that this CPU can run computes in every lane what the portable
    /// backend computes, those included that are never chosen here.
    pub(crate) fn agree<F: Sha2Family<Word: Debug + PartialEq>, const BLOCK: usize>(
        word: fn(u64) -> F::Word,
    ) {
        let mut random = 1u64;
        let mut random = || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            random ^ random >> 32
        };
        let portable = F::BACKENDS.last().expect("the portable backend");
        for backend in F::BACKENDS.iter().filter(|it| it.is_available()) {
            let (name, lanes) = (backend.name, backend.lanes);
            for blocks in 0..=9 {
                let stride = BLOCK * (1 + blocks % 3);
                let bytes: [[u8; 27 * 128]; LANES] =
                    core::array::from_fn(|_| core::array::from_fn(|_| random() as u8));
                let mut states: [F::State; LANES] =
                    core::array::from_fn(|_| core::array::from_fn(|_| word(random())));
                let mut together = [F::ZERO; 8 * LANES];
                for i in 0..8 * lanes {
                    together[i] = states[i % lanes][i / lanes];
                }
                let inputs: [&[u8]; LANES] = core::array::from_fn(|lane| &bytes[lane][..]);
                let input = Input { lanes: &inputs[..lanes], stride, blocks, end: None };
                // SAFETY: this CPU has what the backend needs.
                unsafe { (backend.absorb)(&mut together[..8 * lanes], (), &input) };
                for (lane, state) in states[..lanes].iter_mut().enumerate() {
                    let input = Input { lanes: &[&bytes[lane]], stride, blocks, end: None };
                    // SAFETY: every CPU can run the portable backend.
                    unsafe { (portable.absorb)(state, (), &input) };
                    for i in 0..8 {
                        let got = together[i * lanes + lane];
                        assert_eq!(got, state[i], "{name} ×{lanes}, {blocks} blocks, word {i}");
                    }
                }
                let Some(absorb_known) = backend.absorb_known else { continue };
                let known = F::schedule(&bytes[0][..BLOCK]);
                let mut expected = together;
                let input =
                    Input { lanes: &[&bytes[0][..]; LANES][..lanes], stride, blocks: 1, end: None };
                // SAFETY: this CPU has what the backend needs.
                unsafe {
                    absorb_known(&mut together[..8 * lanes], &known);
                    (backend.absorb)(&mut expected[..8 * lanes], (), &input);
                }
                assert_eq!(together, expected, "{name} ×{lanes}, a known block");
            }
        }
    }

    #[test]
    fn sha256_backends_agree() {
        agree::<Words32, 64>(|word| word as u32);
    }

    #[test]
    fn sha512_backends_agree() {
        agree::<Words64, 128>(|word| word);
    }
}
