//! The output of BLAKE3, of any length and from any byte on.

#![forbid(unsafe_code)]

use super::{BLOCK, Blake3, DERIVE_KEY_MATERIAL, KEYED_HASH, Node, Shape, VALUE, kernel};
use crate::backend::{self, Input, LANES};
use crate::stream::write_words;
use crate::wipe::{Secret, Wiped, overwrite, run_wiped_if};

/// Stack bytes to clear after a part of the output that depends on a key: the states of all lanes,
/// and the kernel.
const STACK: usize = 16 * 1024;

/// The root before its last block, from which any part of the output can be computed (the BLAKE3
/// paper §2.6).
#[derive(Clone, Copy)]
pub(crate) struct Root {
    state: [u32; 12],
    block: [u8; BLOCK],
}

impl Root {
    pub const fn new(node: &Node) -> Self {
        let (state, block) = node.as_root().last_block();
        Root { state, block }
    }

    /// Whether the output depends on a key.
    fn keyed(&self) -> bool {
        self.state[11] & (KEYED_HASH | DERIVE_KEY_MATERIAL) != 0
    }

    /// Returns the state for block `index` of the output, whose counter is its number.
    const fn block_state(&self, index: u64) -> [u32; 16] {
        let mut state = [0; 16];
        state.split_at_mut(12).0.copy_from_slice(&self.state);
        (state[8], state[9]) = (index as u32, (index >> 32) as u32);
        state
    }

    /// Fills `out` with the output from byte `skip` of block `index` on. Each block of 64 bytes is
    /// one call of the compression function, so that many blocks are computed in lanes.
    pub fn fill(&self, mut index: u64, mut skip: usize, mut out: &mut [u8]) {
        if (index, skip) == (0, 0) && out.len() <= VALUE {
            return self.digest(out);
        }
        while !out.is_empty() {
            let blocks = (skip + out.len()).div_ceil(BLOCK);
            let backend = backend::for_messages::<Blake3>(blocks, 1);
            let lanes = backend.lanes();
            let mut states = [0; 16 * LANES];
            for (words, word) in states.chunks_exact_mut(lanes).zip(self.state) {
                words.fill(word);
            }
            for lane in 0..lanes {
                let state = self.block_state(index.wrapping_add(lane as u64));
                (states[8 * lanes + lane], states[9 * lanes + lane]) = (state[8], state[9]);
            }
            let inputs: [&[u8]; LANES] = [&self.block; LANES];
            let input = Input { lanes: &inputs[..lanes], stride: BLOCK, blocks: 1, end: None };
            backend.absorb(&mut states[..16 * lanes], Shape::Block, &input);
            for lane in 0..lanes.min(blocks) {
                let mut block = [0; BLOCK];
                write_words(|i| states[i * lanes + lane].to_le_bytes(), &mut block);
                let len = (BLOCK - skip).min(out.len());
                let (place, rest) = out.split_at_mut(len);
                place.copy_from_slice(&block[skip..][..len]);
                (out, skip) = (rest, 0);
            }
            overwrite(&mut states, [0; 16 * LANES]);
            index = index.wrapping_add(lanes as u64);
        }
    }

    /// Fills `out` with the first bytes of the output, at most those of a chaining value, without the
    /// lanes, which take 2 KiB.
    fn digest(&self, out: &mut [u8]) {
        let mut state = self.state;
        let input = Input { lanes: &[&self.block], stride: BLOCK, blocks: 1, end: None };
        backend::one::<Blake3>().absorb(&mut state, Shape::Value, &input);
        write_words(|i| state[i].to_le_bytes(), out);
    }

    /// Does the same as `fill` at compile time.
    pub const fn fill_const(&self, index: u64, skip: usize, out: &mut [u8]) {
        let (mut i, mut state) = (0, [0; 16]);
        while i < out.len() {
            let at = (skip + i) % BLOCK;
            if i == 0 || at == 0 {
                state = self.block_state(index.wrapping_add(((skip + i) / BLOCK) as u64));
                let input = Input { lanes: &[&self.block], stride: BLOCK, blocks: 1, end: None };
                kernel::portable::absorb(&mut state, Shape::Block, &input);
            }
            out[i] = state[at / 4].to_le_bytes()[at % 4];
            i += 1;
        }
    }
}

/// The root, and the place in its output.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    root: Root,
    /// The next block, and how many of its bytes were returned already.
    index: u64,
    skip: u8,
}

impl Output {
    pub const fn new(root: Root) -> Self {
        Output { root, index: 0, skip: 0 }
    }

    pub const fn fill_const(&mut self, out: &mut [u8]) {
        self.root.fill_const(self.index, self.skip as usize, out);
        self.skip(out.len());
    }

    pub const fn seek(&mut self, position: u64) {
        self.index = position / BLOCK as u64;
        self.skip = (position % BLOCK as u64) as u8;
    }

    /// Continues `len` bytes further.
    const fn skip(&mut self, len: usize) {
        let end = self.skip as usize + len;
        self.index = self.index.wrapping_add((end / BLOCK) as u64);
        self.skip = (end % BLOCK) as u8;
    }
}

impl Wiped for Output {
    const WIPED: Self = Output::new(Root { state: [0; 12], block: [0; BLOCK] });
}

/// The output of BLAKE3, which may be read from any byte on. It is also an [`Iterator`] over bytes,
/// and an `io::Read` that never ends. It is wiped when dropped.
///
/// The BLAKE3 paper allows 2⁶⁴ − 1 bytes of output. The bytes after those, which only a `fill` after
/// a `seek` near the end can reach, are those of the following blocks.
///
/// ```
/// use hashmill::{Blake3, blake3_xof};
///
/// let mut reader = Blake3::new().update(b"seed").squeeze();
/// let mut key = [0; 32];
/// reader.seek(1000);
/// reader.fill(&mut key);
/// let all = blake3_xof::<1032>(b"seed");
/// assert_eq!(all[1000..], key);
/// assert_eq!(reader.position(), 1032);
/// ```
#[derive(Clone)]
pub struct Blake3Reader(pub(crate) Secret<Output>);

impl Blake3Reader {
    pub(crate) const fn new(root: Root) -> Self {
        Blake3Reader(Secret(Output::new(root)))
    }

    /// Writes the next bytes of the output.
    pub fn fill(&mut self, out: &mut [u8]) {
        let Output { root, index, skip } = &self.0.0;
        run_wiped_if(root.keyed(), STACK, || root.fill(*index, usize::from(*skip), out));
        self.0.skip(out.len());
    }

    /// Continues at byte `position` of the output.
    pub const fn seek(&mut self, position: u64) {
        self.0.0.seek(position);
    }

    /// Returns the number of the next byte, modulo 2⁶⁴.
    pub fn position(&self) -> u64 {
        self.0.index.wrapping_mul(BLOCK as u64).wrapping_add(self.0.skip.into())
    }
}

impl core::fmt::Debug for Blake3Reader {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Blake3Reader").finish_non_exhaustive()
    }
}

crate::stream::endless!(Blake3Reader);
