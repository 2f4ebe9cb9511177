//! BLAKE3 (the BLAKE3 paper): the compression function with its backends, and the stream over one
//! node of the tree. The kernels are in [`crate::blake2::kernel`], because BLAKE3's compression
//! function differs from that of BLAKE2s only in constants. The tree is in [`crate::tree::blake3`].

#![forbid(unsafe_code)]

pub(crate) mod output;

use crate::backend::{self, Backend, Chosen, Family, Input, Runnable, Start};
pub(crate) use crate::blake2::kernel::blake3 as kernel;
#[cfg(target_arch = "x86_64")]
use crate::blake2::x86_rows;
use crate::buffer::{Blocks, Buffer};
#[cfg(target_arch = "x86_64")]
use crate::simd::Isa;
use crate::simd::Profile::*;
use crate::stream::{Sequential, write_words};
use crate::wipe::Wiped;
pub(crate) use kernel::{CHUNK_START, Shape};

// The BLAKE3 paper §2.2, Table 3. `CHUNK_START` is in the kernel, which clears it after a block.
pub(crate) const CHUNK_END: u32 = 1 << 1;
pub(crate) const PARENT: u32 = 1 << 2;
pub(crate) const ROOT: u32 = 1 << 3;
pub(crate) const KEYED_HASH: u32 = 1 << 4;
pub(crate) const DERIVE_KEY_CONTEXT: u32 = 1 << 5;
pub(crate) const DERIVE_KEY_MATERIAL: u32 = 1 << 6;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;
/// Bytes of a chunk, which is the message of one leaf (the BLAKE3 paper §2.1).
pub(crate) const CHUNK: usize = 1024;
/// Bytes of a chaining value.
pub(crate) const VALUE: usize = 32;

/// The family of BLAKE3.
#[derive(Clone, Copy)]
pub enum Blake3 {}

impl Family for Blake3 {
    type Word = u32;
    type Shape = Shape;
    type Known = ();
    type State = [u32; 12];
    type Tail = [u8; BLOCK];
    const TAIL: [u8; BLOCK] = [0; BLOCK];
    const OUTPUT: backend::Output = backend::Output::LittleEndian;
    // The Xeon's cycles are those of BLAKE2s, times 7 of 10 rounds, except for the rows of several
    // messages.
    const START: &'static [Start] =
        &[(Xeon, [0, 400, 100, 100]), (Zen4, [176, 168, 142, 168]), (Zen5, [0, 150, 100, 100])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        kernel::avx512two::STAMP.row(kernel::avx512two::absorb, &[(Xeon, 1006, 709), (Zen4, 1114, 775), (Zen5, 600, 10)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512::STAMP.row(kernel::avx512::absorb, &[(Xeon, 486, 332), (Zen4, 545, 428), (Zen5, 395, 10)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512vl::STAMP.row(kernel::avx512vl::absorb, &[(Xeon, 347, 194), (Zen4, 315, 279), (Zen5, 375, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, cycles: &[(Xeon, 188, 0), (Zen4, 232, 0), (Zen5, 340, 0)], absorb_last: Some(x86_rows::blake3::avx512vl::absorb_last), ..Backend::of(x86_rows::blake3::avx512vl::absorb) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, cycles: &[(Xeon, 233, 0), (Zen4, 204, 13), (Zen5, 340, 0)], absorb_last: Some(x86_rows::blake3::shifts::absorb_last), ..Backend::of(x86_rows::blake3::shifts::absorb) },
        #[cfg(target_arch = "x86_64")]
        x86_rows::blake3_several::avx512::STAMP.row(x86_rows::blake3_several::avx512::absorb, &[(Xeon, 236, 150), (Zen4, 285, 205), (Zen5, 344, 10)]),
        #[cfg(target_arch = "x86_64")]
        x86_rows::blake3_several::avx512vl::STAMP.row(x86_rows::blake3_several::avx512vl::absorb, &[(Xeon, 210, 350), (Zen4, 233, 94), (Zen5, 342, 130)]),
        #[cfg(target_arch = "x86_64")]
        x86_rows::blake3_several::shifts::STAMP.row(x86_rows::blake3_several::shifts::absorb, &[(Xeon, 252, 350), (Zen4, 203, 98), (Zen5, 342, 130)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx2::STAMP.row(kernel::avx2::absorb, &[(Xeon, 449, 239), (Zen4, 426, 286), (Zen5, 446, 10)]),
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, cycles: &[(Xeon, 231, 0), (Zen4, 245, 3), (Zen5, 405, 0)], absorb_last: Some(x86_rows::blake3::avx2::absorb_last), ..Backend::of(x86_rows::blake3::avx2::absorb) },
        #[cfg(target_arch = "x86_64")]
        x86_rows::blake3_several::avx2::STAMP.row(x86_rows::blake3_several::avx2::absorb, &[(Xeon, 256, 253), (Zen4, 242, 95), (Zen5, 406, 130)]),
        #[cfg(target_arch = "x86_64")]
        kernel::bmi2::STAMP.row(kernel::bmi2::absorb, &[(Xeon, 262, 45), (Zen4, 251, 76), (Zen5, 209, 0)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        kernel::neon::STAMP.row(kernel::neon::absorb, &[(NeoverseV2, 507, 0), (NeoverseN1, 663, 0)]),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernel::simd128::STAMP.row(kernel::simd128::absorb, &[(Wasm, 522, 0)]),
        kernel::portable::STAMP.row(kernel::portable::absorb, &[(Xeon, 259, 47), (Zen4, 246, 78), (Zen5, 204, 0), (NeoverseV2, 169, 0), (NeoverseN1, 274, 0), (Wasm, 243, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

/// The key words and the flags that all nodes of a tree have (the BLAKE3 paper §2.3): for a hash,
/// the initial value and no flag.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub key: [u32; 8],
    pub flags: u32,
}

impl Mode {
    pub const HASH: Self = Mode { key: kernel::IV, flags: 0 };

    /// Returns the mode of the keyed hash.
    pub const fn keyed(key: &[u8; VALUE]) -> Self {
        Self::with_key(key, KEYED_HASH)
    }

    /// Returns the mode with that key of 32 bytes, which is read as little-endian words.
    pub const fn with_key(key: &[u8; VALUE], flags: u32) -> Self {
        let mut words = [0; 8];
        let mut i = 0;
        while i < 8 {
            words[i] = u32::from_le_bytes(*key.split_at(4 * i).1.first_chunk().expect("a word"));
            i += 1;
        }
        Mode { key: words, flags }
    }

    /// Returns chunk `index` of the message, which has absorbed nothing. `root` is [`ROOT`] if the
    /// chunk is the whole message, else 0.
    pub const fn chunk(&self, index: u64, root: u32) -> Node {
        let flags = self.flags | CHUNK_START;
        Node::new(self.state([index as u32, (index >> 32) as u32], flags), CHUNK_END | root)
    }

    /// Returns a parent, which has absorbed nothing. `root` is [`ROOT`] if the parent is the root,
    /// else 0.
    pub const fn parent(&self, root: u32) -> Node {
        Node::new(self.state([0; 2], self.flags | PARENT), root)
    }

    const fn state(&self, [low, high]: [u32; 2], flags: u32) -> [u32; 12] {
        let k = &self.key;
        [k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], low, high, BLOCK as u32, flags]
    }
}

/// A node of the tree: a chunk, whose message is up to 1,024 bytes, or a parent, whose message is
/// the chaining values of its two children (the BLAKE3 paper §2.4 and §2.5).
///
/// Even a complete block waits, because the last block is absorbed with further flags and may be
/// complete.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub state: [u32; 12],
    pub buffer: Buffer<BLOCK>,
    /// The number of bytes so far.
    pub count: u16,
    /// The flags that the last block has besides those in `state`.
    pub last_flags: u8,
}

impl Node {
    pub const BLOCKS: Blocks = Blocks { len: BLOCK, lookahead: 1, padding: 0 };

    const fn new(state: [u32; 12], last_flags: u32) -> Self {
        Node { state, buffer: Buffer::new(), count: 0, last_flags: last_flags as u8 }
    }

    /// Returns the node as the root.
    pub const fn as_root(&self) -> Node {
        Node { last_flags: self.last_flags | ROOT as u8, ..*self }
    }

    /// Returns the state for the last block, and that block.
    pub const fn last_block(&self) -> ([u32; 12], [u8; BLOCK]) {
        let (mut state, mut block) = (self.state, [0; BLOCK]);
        [state[10], state[11]] = self.last_words(self.count as usize);
        let waiting = self.buffer.waiting();
        block.split_at_mut(waiting.len()).0.copy_from_slice(waiting);
        (state, block)
    }

    /// Returns the two words of the state for the last block of a node of `count` bytes: the length
    /// of that block, and the flags.
    const fn last_words(&self, count: usize) -> [u32; 2] {
        let last = if count == 0 { 0 } else { (count - 1) % BLOCK + 1 };
        let first = if count <= BLOCK { CHUNK_START } else { 0 };
        let flags = self.state[11] & !CHUNK_START | self.last_flags as u32;
        // Only a chunk has the flag CHUNK_START, in its first block.
        let start = if self.last_flags as u32 & CHUNK_END == 0 { 0 } else { first };
        [last as u32, flags | start]
    }
}

impl Wiped for Node {
    const WIPED: Self = Node::new([0; 12], 0);
}

impl Sequential for Node {
    type Family = Blake3;

    fn blocks(&self) -> Blocks {
        Self::BLOCKS
    }
    fn shape(&self) -> Shape {
        Shape::Value
    }
    fn state(&self) -> [u32; 12] {
        self.state
    }
    fn waiting(&self) -> &[u8] {
        self.buffer.waiting()
    }
    #[inline(always)]
    fn last(
        &self,
        message_len: usize,
        _: &mut [u8],
        _: usize,
        mut set: impl FnMut(usize, u32),
    ) -> usize {
        let [len, flags] = self.last_words(self.count as usize + message_len);
        set(10, len);
        set(11, flags);
        BLOCK
    }
    #[inline(always)]
    fn absorb_last(
        &self,
        backend: Runnable<Blake3>,
        state: &mut [u32],
        last: &[u8],
        message_len: usize,
    ) -> bool {
        [state[10], state[11]] = self.last_words(usize::from(self.count) + message_len);
        if last.len() == BLOCK && !backend.absorbs_last() {
            let input = Input { lanes: &[last], stride: BLOCK, blocks: 1, end: None };
            backend.absorb(state, Shape::Value, &input);
            return true;
        }
        backend.absorb_last(state, last, 0)
    }
    fn known(&self, _: &[u8]) {}
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> u32, out: &mut [u8]) {
        write_words(|i| word(i).to_le_bytes(), out);
    }
}
