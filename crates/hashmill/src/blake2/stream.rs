//! BLAKE2: the two block functions with their backends, and the stream over them.

use super::kernel::{b, s};
#[cfg(target_arch = "x86_64")]
use super::kernel::{b_block, s_block};
use super::params::{Keyed, LastNode, Values};
#[cfg(target_arch = "x86_64")]
use super::x86_rows;
use crate::backend::{self, Backend, Chosen, Family, Input, Runnable, Start};
use crate::buffer::{Blocks, Buffer};
use crate::error::Error;
#[cfg(any(target_arch = "x86_64", test))]
use crate::simd::Isa;
use crate::simd::Profile::*;
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{
    Progress, Sequential, absorb, at_compile_time, counted, must, set_words, write_words,
};
use crate::wipe::{Wiped, clear};

/// Properties of a block function that the stream uses, besides its backends.
pub(crate) trait Blake2Family:
    Family<Word: Into<u64> + Stored, Shape = (), Known = (), State = [<Self as Family>::Word; 12]>
    + Send
    + Sync
{
    /// The length of the longest message in bytes (RFC 7693 §2.1).
    const LIMIT: u128;
    const ZERO: Self::Word;
    /// Returns the last four words of the state for the last block: the counter `before` that block
    /// and the finalization flags (the BLAKE2 paper §2.4). The counter is negative, modulo its
    /// width, if the message is shorter than a block, because the kernel adds a whole block to it.
    fn last_words(before: u128, last_node: LastNode) -> [Self::Word; 4];
    /// Returns the two words of the counter.
    fn counter(count: u128) -> [Self::Word; 2];
}

/// The family of BLAKE2b.
#[derive(Clone, Copy)]
pub enum FamilyB {}

impl Blake2Family for FamilyB {
    const LIMIT: u128 = u128::MAX;
    const ZERO: u64 = 0;

    fn last_words(before: u128, last_node: LastNode) -> [u64; 4] {
        last_words_b(before, last_node)
    }
    fn counter(count: u128) -> [u64; 2] {
        [count as u64, (count >> 64) as u64]
    }
}

impl Family for FamilyB {
    type Word = u64;
    type Shape = ();
    type Known = ();
    type State = [u64; 12];
    type Tail = [u8; 128];
    const TAIL: [u8; 128] = [0; 128];
    const OUTPUT: backend::Output = backend::Output::LittleEndian;
    const START: &'static [Start] =
        &[(Xeon, [0, 400, 100, 100]), (Zen4, [178, 167, 160, 167]), (Zen5, [0, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        Backend { of_one_block: Some(const { &b_block::avx512two::STAMP.row(b_block::avx512two::absorb, &[]) }), ..b::avx512two::STAMP.row(b::avx512two::absorb, &[(Xeon, 1560, 533), (Zen4, 1659, 674), (Zen5, 985, 10)]) },
        #[cfg(target_arch = "x86_64")]
        b::avx512::STAMP.row(b::avx512::absorb, &[(Xeon, 797, 244), (Zen4, 860, 347), (Zen5, 640, 10)]),
        #[cfg(target_arch = "x86_64")]
        b::avx512vl::STAMP.row(b::avx512vl::absorb, &[(Xeon, 562, 162), (Zen4, 531, 180), (Zen5, 635, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, cycles: &[(Xeon, 357, 0), (Zen4, 403, 0), (Zen5, 590, 0)], absorb_last: Some(x86_rows::b::avx512vl::absorb_last), ..Backend::of(x86_rows::b::avx512vl::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, cycles: &[(Xeon, 409, 0), (Zen4, 359, 10), (Zen5, 590, 0)], absorb_last: Some(x86_rows::b::shifts::absorb_last), ..Backend::of(x86_rows::b::shifts::absorb) },
        #[cfg(target_arch = "x86_64")]
        x86_rows::b_two::avx512::STAMP.row(x86_rows::b_two::avx512::absorb, &[(Xeon, 447, 554), (Zen4, 555, 107), (Zen5, 600, 130)]),
        #[cfg(target_arch = "x86_64")]
        b::avx2::STAMP.row(b::avx2::absorb, &[(Xeon, 705, 181), (Zen4, 673, 178), (Zen5, 814, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, cycles: &[(Xeon, 389, 18), (Zen4, 413, 25), (Zen5, 627, 0)], absorb_last: Some(x86_rows::b::avx2::absorb_last), ..Backend::of(x86_rows::b::avx2::absorb) },
        #[cfg(target_arch = "x86_64")]
        b::bmi2::STAMP.row(b::bmi2::absorb, &[(Xeon, 427, 38), (Zen4, 409, 62), (Zen5, 347, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        b::sha3::STAMP.row(b::sha3::absorb, &[(NeoverseV2, 400, 255)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        b::neon::STAMP.row(b::neon::absorb, &[(NeoverseV2, 870, 255), (NeoverseN1, 1075, 255)]),
        b::portable::STAMP.row(b::portable::absorb, &[(Xeon, 435, 44), (Zen4, 421, 65), (Zen5, 320, 0), (NeoverseV2, 290, 0), (NeoverseN1, 478, 0), (Wasm, 475, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The family of BLAKE2s.
#[derive(Clone, Copy)]
pub enum FamilyS {}

impl Blake2Family for FamilyS {
    const LIMIT: u128 = u64::MAX as u128;
    const ZERO: u32 = 0;

    fn last_words(before: u128, last_node: LastNode) -> [u32; 4] {
        last_words_s(before, last_node)
    }
    fn counter(count: u128) -> [u32; 2] {
        [count as u32, (count >> 32) as u32]
    }
}

impl Family for FamilyS {
    type Word = u32;
    type Shape = ();
    type Known = ();
    type State = [u32; 12];
    type Tail = [u8; 64];
    const TAIL: [u8; 64] = [0; 64];
    const OUTPUT: backend::Output = backend::Output::LittleEndian;
    const START: &'static [Start] =
        &[(Xeon, [0, 400, 100, 100]), (Zen4, [126, 136, 126, 136]), (Zen5, [0, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        Backend { of_one_block: Some(const { &s_block::avx512two::STAMP.row(s_block::avx512two::absorb, &[]) }), ..s::avx512two::STAMP.row(s::avx512two::absorb, &[(Xeon, 1373, 700), (Zen4, 1516, 769), (Zen5, 850, 10)]) },
        #[cfg(target_arch = "x86_64")]
        s::avx512::STAMP.row(s::avx512::absorb, &[(Xeon, 678, 239), (Zen4, 758, 437), (Zen5, 550, 10)]),
        #[cfg(target_arch = "x86_64")]
        s::avx512vl::STAMP.row(s::avx512vl::absorb, &[(Xeon, 479, 174), (Zen4, 447, 269), (Zen5, 535, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, cycles: &[(Xeon, 267, 0), (Zen4, 319, 0), (Zen5, 486, 0)], absorb_last: Some(x86_rows::s::avx512vl::absorb_last), ..Backend::of(x86_rows::s::avx512vl::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, cycles: &[(Xeon, 331, 0), (Zen4, 287, 0), (Zen5, 486, 0)], absorb_last: Some(x86_rows::s::shifts::absorb_last), ..Backend::of(x86_rows::s::shifts::absorb) },
        #[cfg(target_arch = "x86_64")]
        x86_rows::s_several::avx512::STAMP.row(x86_rows::s_several::avx512::absorb, &[(Xeon, 330, 100), (Zen4, 440, 220), (Zen5, 500, 10)]),
        #[cfg(target_arch = "x86_64")]
        x86_rows::s_several::avx512vl::STAMP.row(x86_rows::s_several::avx512vl::absorb, &[(Xeon, 288, 295), (Zen4, 336, 98), (Zen5, 490, 130)]),
        #[cfg(target_arch = "x86_64")]
        x86_rows::s_several::shifts::STAMP.row(x86_rows::s_several::shifts::absorb, &[(Xeon, 357, 295), (Zen4, 290, 101), (Zen5, 490, 130)]),
        #[cfg(target_arch = "x86_64")]
        s::avx2::STAMP.row(s::avx2::absorb, &[(Xeon, 638, 218), (Zen4, 600, 284), (Zen5, 706, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, cycles: &[(Xeon, 328, 2), (Zen4, 333, 0), (Zen5, 578, 0)], absorb_last: Some(x86_rows::s::avx2::absorb_last), ..Backend::of(x86_rows::s::avx2::absorb) },
        #[cfg(target_arch = "x86_64")]
        x86_rows::s_several::avx2::STAMP.row(x86_rows::s_several::avx2::absorb, &[(Xeon, 338, 366), (Zen4, 340, 100), (Zen5, 580, 130)]),
        #[cfg(target_arch = "x86_64")]
        s::bmi2::STAMP.row(s::bmi2::absorb, &[(Xeon, 362, 34), (Zen4, 351, 53), (Zen5, 295, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        s::neon::STAMP.row(s::neon::absorb, &[(NeoverseV2, 724, 0), (NeoverseN1, 947, 0)]),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        s::simd128::STAMP.row(s::simd128::absorb, &[(Wasm, 745, 0)]),
        s::portable::STAMP.row(s::portable::absorb, &[(Xeon, 351, 35), (Zen4, 361, 50), (Zen5, 275, 0), (NeoverseV2, 242, 0), (NeoverseN1, 392, 0), (Wasm, 347, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The stream of BLAKE2 with blocks of `BLOCK` bytes: the state that the kernel takes, the bytes
/// that wait, and the number of bytes so far, the key's block included.
///
/// Even a complete block waits, because the last block is absorbed with a flag and may be complete
/// (RFC 7693 §3.3). SHA-2 absorbs a block as soon as it is complete; BLAKE2 needs one byte more.
/// The parameters are not kept, because they are part of the initial state.
#[derive(Clone, Copy)]
pub struct Blake2Stream<F: Blake2Family, const BLOCK: usize> {
    pub(crate) state: F::State,
    pub(crate) buffer: Buffer<BLOCK>,
    pub(crate) count: u128,
    pub(crate) output_len: u8,
    pub(crate) last_node: LastNode,
    keyed: Keyed,
}

/// The stream of BLAKE2b.
pub type StreamB = Blake2Stream<FamilyB, 128>;
/// The stream of BLAKE2s.
pub type StreamS = Blake2Stream<FamilyS, 64>;

at_compile_time!(StreamB, b, block 128, limit FamilyB::LIMIT, to_le_bytes);
at_compile_time!(StreamS, s, block 64, limit FamilyS::LIMIT, to_le_bytes);

impl StreamB {
    pub const DEFAULTS: Values<'static> = Values::new(64);

    /// Creates a stream (RFC 7693 §3.3), which begins with the key's block if there is a key.
    pub const fn new(values: &Values<'_>) -> Self {
        Self::start(initial_b(values), values)
    }
}

impl StreamS {
    pub const DEFAULTS: Values<'static> = Values::new(32);

    /// Creates a stream (RFC 7693 §3.3), which begins with the key's block if there is a key.
    pub const fn new(values: &Values<'_>) -> Self {
        Self::start(initial_s(values), values)
    }
}

/// Returns the state of BLAKE2b before the first block.
pub(crate) const fn initial_b(values: &Values<'_>) -> [u64; 12] {
    let (block, mut state) = (values.block(8), [0; 12]);
    let mut i = 0;
    while i < 8 {
        let word = block.split_at(8 * i).1.first_chunk().expect("a word");
        state[i] = b::IV[i] ^ u64::from_le_bytes(*word);
        i += 1;
    }
    state
}

/// Returns the state of BLAKE2s before the first block.
pub(crate) const fn initial_s(values: &Values<'_>) -> [u32; 12] {
    let (block, mut state) = (values.block(4), [0; 12]);
    let mut i = 0;
    while i < 8 {
        let word = block.split_at(4 * i).1.first_chunk().expect("a word");
        state[i] = s::IV[i] ^ u32::from_le_bytes(*word);
        i += 1;
    }
    state
}

const fn last_words_b(before: u128, last_node: LastNode) -> [u64; 4] {
    [before as u64, (before >> 64) as u64, u64::MAX, 0u64.wrapping_sub(last_node as u64)]
}

const fn last_words_s(before: u128, last_node: LastNode) -> [u32; 4] {
    [before as u32, (before >> 32) as u32, u32::MAX, 0u32.wrapping_sub(last_node as u32)]
}

impl StreamB {
    /// Sets the state for the last block at compile time and returns the length of that block.
    pub(crate) const fn last_const(&self, state: &mut [u64; 12], _: &mut [u8], _: usize) -> usize {
        let last = last_words_b(self.count.wrapping_sub(128), self.last_node);
        state.split_at_mut(8).1.copy_from_slice(&last);
        128
    }
}

impl StreamS {
    /// Sets the state for the last block at compile time and returns the length of that block.
    pub(crate) const fn last_const(&self, state: &mut [u32; 12], _: &mut [u8], _: usize) -> usize {
        let last = last_words_s(self.count.wrapping_sub(64), self.last_node);
        state.split_at_mut(8).1.copy_from_slice(&last);
        64
    }
}

impl<F: Blake2Family, const BLOCK: usize> Blake2Stream<F, BLOCK> {
    pub(crate) const BLOCKS: Blocks = Blocks { len: BLOCK, lookahead: 1, padding: 0 };
    pub(crate) const MAX_OUTPUT: usize = BLOCK / 2;

    const fn start(state: F::State, values: &Values<'_>) -> Self {
        let mut stream = Self::with(state, values.output_len as u8, values.last_node);
        if !values.key.is_empty() {
            // The key's block waits until a byte follows it, because it is the last block if the
            // message is empty, and the last block is absorbed with a flag (RFC 7693 §3.3).
            stream.count = BLOCK as u128;
            values.put_key_block(&mut stream.buffer, Self::BLOCKS, const { &[0; BLOCK] });
            stream.keyed = Keyed::Yes;
        }
        stream
    }

    /// Creates a stream that begins with `state` and has absorbed nothing.
    pub(crate) const fn with(state: F::State, output_len: u8, last_node: LastNode) -> Self {
        Blake2Stream {
            state,
            buffer: Buffer::new(),
            count: 0,
            output_len,
            last_node,
            keyed: Keyed::No,
        }
    }

    #[inline(always)]
    fn last_words(&self, message_len: usize) -> [F::Word; 4] {
        last_words::<F>(must(counted(self.count, message_len, F::LIMIT)), self.last_node)
    }
}

/// The counter and the flags with which the last block of a message of `count` bytes is absorbed,
/// which adds the block's length to the counter.
#[inline(always)]
pub(crate) fn last_words<F: Blake2Family>(count: u128, last_node: LastNode) -> [F::Word; 4] {
    F::last_words(count.wrapping_sub(size_of::<F::Tail>() as u128), last_node)
}

/// Absorbs the last block with the backend's own `absorb_last`, if it has one, else a complete one
/// directly from the message. Returns whether it did.
#[inline(always)]
pub(crate) fn absorb_last<F: Blake2Family>(
    backend: Runnable<F>,
    state: &mut [F::Word],
    last: &[u8],
    (count, words): (u128, &[F::Word; 4]),
) -> bool {
    state[8..].copy_from_slice(words);
    let stride = size_of::<F::Tail>();
    if last.len() == stride && !backend.absorbs_last() {
        backend.absorb(state, (), &Input { lanes: &[last], stride, blocks: 1, end: None });
        return true;
    }
    backend.absorb_last(state, last, count)
}

#[inline(always)]
pub(crate) fn output<F: Blake2Family>(word: impl Fn(usize) -> F::Word, out: &mut [u8]) {
    match size_of::<F::Word>() {
        4 => write_words(|i| (word(i).into() as u32).to_le_bytes(), out),
        _ => write_words(|i| word(i).into().to_le_bytes(), out),
    }
}

impl<F: Blake2Family, const BLOCK: usize> Wiped for Blake2Stream<F, BLOCK> {
    const WIPED: Self = Self::with([F::ZERO; 12], 0, LastNode::No);
}

impl<F: Blake2Family, const BLOCK: usize> Sequential for Blake2Stream<F, BLOCK> {
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
        _: &mut [u8],
        _: usize,
        mut set: impl FnMut(usize, F::Word),
    ) -> usize {
        let words = self.last_words(message_len);
        words.into_iter().enumerate().for_each(|(i, word)| set(8 + i, word));
        BLOCK
    }
    #[inline(always)]
    fn absorb_last(
        &self,
        backend: Runnable<F>,
        state: &mut [F::Word],
        last: &[u8],
        message_len: usize,
    ) -> bool {
        let words = self.last_words(message_len);
        absorb_last(backend, state, last, (self.count + message_len as u128, &words))
    }
    fn known(&self, _: &[u8]) {}
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> F::Word, out: &mut [u8]) {
        output::<F>(word, out);
    }
    #[inline]
    fn resume(&mut self, word: impl Fn(usize) -> F::Word, len: usize) -> Result<(), Error> {
        self.count = counted(self.count, len, F::LIMIT)?;
        set_words(self.state.as_mut(), word);
        self.buffer = Buffer::new();
        Ok(())
    }
}

impl<F: Blake2Family, const BLOCK: usize> Progress for Blake2Stream<F, BLOCK> {
    #[inline]
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.count = counted(self.count, data.len(), F::LIMIT)?;
        let (state, buffer) = (&mut self.state, &mut self.buffer);
        if absorb::<F, BLOCK>(state, buffer, (Self::BLOCKS, ()), data) && self.keyed() {
            clear(self.stack());
        }
        Ok(())
    }

    fn count(&self) -> Option<u128> {
        Some(self.count - if self.keyed == Keyed::Yes { BLOCK as u128 } else { 0 })
    }

    /// With a key, BLAKE2b uses at most 3,296 bytes and BLAKE2s 1,264 bytes.
    fn stack(&self) -> usize {
        32 * BLOCK
    }

    fn output_len(&self) -> usize {
        usize::from(self.output_len)
    }

    fn room(&self) -> u128 {
        F::LIMIT - self.count
    }

    fn keyed(&self) -> bool {
        self.keyed != Keyed::No
    }

    fn save(&self, state: &mut Exported) {
        self.output_len.put(state);
        (self.last_node as u8).put(state);
        self.count.put(state);
        put_words(state, &self.state[..8]);
        state.put(self.buffer.waiting());
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        self.output_len = u8::take(state)?;
        self.last_node = match u8::take(state)? {
            0 => LastNode::No,
            1 => LastNode::Yes,
            _ => return Err(Error::StateInconsistent),
        };
        self.count = u128::take(state)?;
        if !(1..=Self::MAX_OUTPUT).contains(&self.output_len()) || self.count > F::LIMIT {
            return Err(Error::StateInconsistent);
        }
        take_words(state, &mut self.state[..8])?;
        let absorbed = Self::BLOCKS.absorbed(self.count) * BLOCK as u128;
        self.state[8..10].copy_from_slice(&F::counter(absorbed));
        let mut waiting = state.take(Self::BLOCKS.waiting(self.count))?;
        self.buffer.next(Self::BLOCKS, &mut waiting);
        self.keyed = Keyed::Unknown;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;
    use core::ptr::fn_addr_eq;

    /// The random number generator SplitMix64.
    struct Random(u64);

    impl Random {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        }
    }

    const LANES: usize = crate::backend::LANES;

    /// Checks that each backend computes in every lane what the portable backend computes, from
    /// random chaining values, counters and flags, and with several strides.
    fn agree<F, W, const BLOCK: usize>(word: fn(u64) -> W)
    where
        F: Family<Word = W, Shape = ()>,
        W: Copy + Default + Debug + PartialEq,
    {
        let mut random = Random(1);
        let portable = F::BACKENDS.last().expect("the portable backend");
        let backends = F::BACKENDS.iter().flat_map(|it| [Some(it), it.of_one_block]).flatten();
        for backend in backends.filter(|it| it.is_available()) {
            let (name, lanes) = (backend.name, backend.lanes);
            for round in 0..200 {
                let (blocks, stride) = (round % 10, BLOCK * (1 + round % 3));
                let bytes: [[u8; 30 * 128]; LANES] =
                    core::array::from_fn(|_| core::array::from_fn(|_| random.word() as u8));
                let mut states = [[W::default(); 12]; LANES];
                for state in &mut states {
                    *state = core::array::from_fn(|_| word(random.word()));
                    // Counters whose low word overflows within the blocks, and flags.
                    if round % 2 == 0 {
                        state[8] = word(0u64.wrapping_sub(random.word() % (10 * BLOCK as u64)));
                        state[9] = word(0u64.wrapping_sub(round as u64 % 4 / 2));
                        state[10] = word(0u64.wrapping_sub(random.word() % 2));
                        state[11] = word(0u64.wrapping_sub(random.word() % 2));
                    }
                }
                let mut together = [W::default(); 12 * LANES];
                for i in 0..12 {
                    for lane in 0..lanes {
                        together[i * lanes + lane] = states[lane][i];
                    }
                }
                let inputs: [&[u8]; LANES] = core::array::from_fn(|lane| &bytes[lane][..]);
                let input = Input { lanes: &inputs[..lanes], stride, blocks, end: None };
                // SAFETY: this CPU has what the backend needs.
                unsafe { (backend.absorb)(&mut together[..12 * lanes], (), &input) };
                for lane in 0..lanes {
                    let state = &mut states[lane];
                    let end = core::array::from_fn::<u8, BLOCK, _>(|_| random.word() as u8);
                    let end = &end[..random.word() as usize % BLOCK];
                    let mut ended = *state;
                    let mut expected = *state;
                    let input = Input { lanes: &[&bytes[lane]], stride, blocks, end: None };
                    // SAFETY: every CPU can run the portable backend.
                    unsafe { (portable.absorb)(state, (), &input) };
                    for i in 0..12 {
                        let got = together[i * lanes + lane];
                        assert_eq!(got, state[i], "{name} ×{lanes}, {blocks} blocks, word {i}");
                    }
                    let Some(absorb_last) = backend.absorb_last else { continue };
                    let mut padded = [0; BLOCK];
                    padded[..end.len()].copy_from_slice(end);
                    let input = Input { lanes: &[&padded], stride: BLOCK, blocks: 1, end: None };
                    // SAFETY: this CPU has what the backend needs, and the portable one needs
                    // nothing.
                    unsafe {
                        absorb_last(&mut ended, end, 0);
                        (portable.absorb)(&mut expected, (), &input);
                    }
                    assert_eq!(ended[..8], expected[..8], "{name}, {} last bytes", end.len());
                }
            }
        }
    }

    /// Checks that messages of at most one block use the kernel for one block, and that longer
    /// messages do not. No other test sees a wrong choice, because it changes no digest.
    fn one_block<F: Family>() {
        for runnable in Runnable::<F>::all() {
            let backend = runnable.backend();
            let Some(of_one_block) = backend.of_one_block else { continue };
            let (lanes, needs) = (of_one_block.lanes, of_one_block.needs);
            assert!(lanes == backend.lanes && backend.needs.contains(needs), "{}", backend.name);
            for blocks in [0, 1, 2, 3, 100] {
                let wanted = if blocks <= 1 { of_one_block } else { backend };
                let chosen = runnable.of_blocks(blocks).backend();
                assert!(fn_addr_eq(chosen.absorb, wanted.absorb), "{blocks} blocks");
            }
        }
    }

    #[test]
    fn messages_of_one_block() {
        one_block::<FamilyB>();
        one_block::<FamilyS>();
    }

    #[test]
    fn blake2b_backends_agree() {
        agree::<FamilyB, u64, 128>(|word| word);
    }

    #[test]
    fn blake2s_backends_agree() {
        agree::<FamilyS, u32, 64>(|word| word as u32);
    }
}
