//! BLAKE2bp and BLAKE2sp (the BLAKE2 paper §2.10 and §5): a tree of two levels. The message's
//! blocks are distributed over the leaves in turn, so that the leaves fill the lanes of one vector.

use crate::backend::{self, Input};
use crate::blake2::params::{Keyed, LastNode, Values};
use crate::blake2::{Blake2Family, Blake2Stream, FamilyB, FamilyS, initial_b, initial_s};
use crate::buffer::{Blocks, Buffer};
use crate::error::Error;
use crate::lanes::finish_many;
use crate::messages::{Messages, Rows, Slots};
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{Progress, Sequential, counted, finish_one, must};
use crate::wipe::{Wiped, run_wiped_if};

/// Number of messages whose leaves are finished before their roots. The digests of their leaves
/// take 16 KiB. The number is not larger because the digests would not stay in the L1 cache beside
/// the messages. 64 messages fill the lanes of every backend.
const BATCH: usize = 64;
/// Bytes of a stripe, which is a block for every leaf: 4 × 128 bytes, or 8 × 64.
pub(crate) const STRIPE: usize = 512;
/// Bytes of the root's message, which is the digests of all leaves: 4 × 64 bytes, or 8 × 32.
const NODE: usize = 256;

/// Stack bytes that one message uses: copies of the leaves' states, of the waiting bytes and of the
/// last stripe. The test `remains` found words up to 8,896 bytes below its own frame.
const STACK: usize = 10 * 1024;

/// A hash in progress over a tree of `LEAVES` leaves with blocks of `BLOCK` bytes. The leaves'
/// states lie word by word, which is the order of a backend with `LEAVES` lanes, so that no word is
/// moved between two updates.
///
/// A stripe is absorbed when it is certain that every leaf gets another block, because the last
/// block of a leaf is absorbed with a flag. For the last leaf this is certain only when
/// `LEAVES - 1` further blocks and one byte have come. So up to `STRIPE + (LEAVES - 1) * BLOCK`
/// bytes must wait, which is `CAPACITY`.
#[derive(Clone, Copy)]
pub struct Blake2Tree<
    F: Blake2Family,
    const BLOCK: usize,
    const LEAVES: usize,
    const CAPACITY: usize,
> {
    /// The leaves' states: word `w` of leaf `l` is `leaves[w][l]`.
    pub(crate) leaves: [[F::Word; LEAVES]; 12],
    pub(crate) buffer: Buffer<CAPACITY>,
    /// The number of bytes so far, the key's blocks included.
    pub(crate) count: u128,
    /// The root's state before its first block. It is kept because it depends on the parameters,
    /// which are not kept.
    pub(crate) root: F::State,
    pub(crate) output_len: u8,
    keyed: Keyed,
}

/// The hash in progress of BLAKE2bp.
pub type TreeB = Blake2Tree<FamilyB, 128, 4, 896>;
/// The hash in progress of BLAKE2sp.
pub type TreeS = Blake2Tree<FamilyS, 64, 8, 960>;

impl<F: Blake2Family, const BLOCK: usize, const LEAVES: usize, const CAPACITY: usize>
    Blake2Tree<F, BLOCK, LEAVES, CAPACITY>
{
    pub(crate) const STRIPES: Blocks =
        Blocks { len: STRIPE, lookahead: CAPACITY - STRIPE + 1, padding: 0 };
    /// Bytes of a leaf's digest.
    pub(crate) const INNER: usize = BLOCK / 2;

    pub const DEFAULTS: Values<'static> = {
        assert!(CAPACITY == STRIPE + (LEAVES - 1) * BLOCK && LEAVES * BLOCK == STRIPE);
        let mut values = Values::new(Self::INNER);
        values.fanout = LEAVES as u8;
        values.max_depth = 2;
        values.inner_len = Self::INNER;
        values
    };

    const fn with(leaves: [[F::Word; LEAVES]; 12], root: F::State, values: &Values<'_>) -> Self {
        let output_len = values.output_len as u8;
        let mut tree = Blake2Tree {
            leaves,
            buffer: Buffer::new(),
            count: 0,
            root,
            output_len,
            keyed: Keyed::No,
        };
        if !values.key.is_empty() {
            // Every leaf begins with a block of the key. These blocks wait until other bytes
            // follow.
            let mut leaf = 0;
            while leaf < LEAVES {
                values.put_key_block(&mut tree.buffer, Self::STRIPES, const { &[0; BLOCK] });
                leaf += 1;
            }
            tree.count = STRIPE as u128;
            tree.keyed = Keyed::Yes;
        }
        tree
    }

    /// Returns the parameters of leaf `i`, or of the root if `i` is `LEAVES`.
    const fn node<'k>(values: &Values<'k>, i: usize) -> Values<'k> {
        let mut node = *values;
        (node.node_offset, node.node_depth) = if i == LEAVES { (0, 1) } else { (i as u64, 0) };
        node
    }

    fn root(&self) -> Blake2Stream<F, BLOCK> {
        Blake2Stream::with(self.root, self.output_len, LastNode::Yes)
    }

    pub(crate) const fn leaf(leaves: &[[F::Word; LEAVES]; 12], leaf: usize) -> [F::Word; 12] {
        let mut state = [F::ZERO; 12];
        let mut i = 0;
        while i < 12 {
            state[i] = leaves[i][leaf];
            i += 1;
        }
        state
    }

    pub(crate) const fn set_leaf(
        leaves: &mut [[F::Word; LEAVES]; 12],
        leaf: usize,
        state: &[F::Word; 12],
    ) {
        let mut i = 0;
        while i < 12 {
            leaves[i][leaf] = state[i];
            i += 1;
        }
    }

    /// Returns the part of a run of stripes that begins with the first block of leaf `leaf`.
    pub(crate) const fn leaf_input(run: &[u8], leaf: usize) -> &[u8] {
        run.split_at(leaf * BLOCK).1
    }

    /// Absorbs a run of stripes: all leaves in lanes if the backend has `LEAVES` lanes, else one
    /// leaf after the other. A backend of more lanes would not help, because only the leaves can be
    /// hashed at once.
    fn absorb(leaves: &mut [[F::Word; LEAVES]; 12], run: &[u8]) {
        let backend = backend::leaves::<F>(LEAVES);
        let (stride, blocks) = (STRIPE, run.len() / STRIPE);
        if backend.lanes() == LEAVES {
            let lanes: [&[u8]; LEAVES] = core::array::from_fn(|leaf| Self::leaf_input(run, leaf));
            let input = Input { lanes: &lanes, stride, blocks, end: None };
            backend.absorb(leaves.as_flattened_mut(), (), &input);
        } else {
            for leaf in 0..LEAVES {
                let mut state = Self::leaf(leaves, leaf);
                let input =
                    Input { lanes: &[Self::leaf_input(run, leaf)], stride, blocks, end: None };
                backend.absorb(&mut state, (), &input);
                Self::set_leaf(leaves, leaf, &state);
            }
        }
    }

    /// Absorbs a run of stripes on rayon's threads, one task for every leaf, where that takes less
    /// time than [`absorb`](Self::absorb).
    #[cfg(feature = "rayon")]
    fn absorb_rayon(leaves: &mut [[F::Word; LEAVES]; 12], run: &[u8]) {
        use rayon::prelude::*;

        /// Bytes of the shortest run for which threads save more time than it takes to hand over
        /// the work.
        const LEAST: usize = 64 * 1024;
        let (one, lanes) = (backend::one::<F>(), backend::leaves::<F>(LEAVES));
        let threads = rayon::current_num_threads();
        let together = LEAVES / lanes.lanes() * lanes.cycles();
        if run.len() < LEAST || LEAVES.div_ceil(threads) * one.cycles() >= together {
            return Self::absorb(leaves, run);
        }
        let (stride, blocks) = (STRIPE, run.len() / STRIPE);
        let mut states: [F::State; LEAVES] = core::array::from_fn(|i| Self::leaf(leaves, i));
        states.par_iter_mut().enumerate().for_each(|(leaf, state)| {
            let input = Input { lanes: &[Self::leaf_input(run, leaf)], stride, blocks, end: None };
            one.absorb(state, (), &input);
        });
        for (leaf, state) in states.iter().enumerate() {
            Self::set_leaf(leaves, leaf, state);
        }
    }

    /// Does the same as `try_update`, with the leaves split over threads.
    #[cfg(feature = "rayon")]
    pub(crate) fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update_with(data, Self::absorb_rayon)
    }

    fn update_with(
        &mut self,
        mut data: &[u8],
        absorb: fn(&mut [[F::Word; LEAVES]; 12], &[u8]),
    ) -> Result<(), Error> {
        self.count = counted(self.count, data.len(), F::LIMIT)?;
        let keyed = self.keyed();
        let (leaves, buffer) = (&mut self.leaves, &mut self.buffer);
        let absorb_all = || {
            while let Some(run) = buffer.next(Self::STRIPES, &mut data) {
                absorb(leaves, run);
            }
        };
        run_wiped_if(keyed, STACK, absorb_all);
        Ok(())
    }

    /// Returns how many leaves have a second block in `rest`, after its first stripe.
    const fn second_blocks(rest: &[u8]) -> usize {
        rest.len().saturating_sub(STRIPE).div_ceil(BLOCK)
    }

    /// Returns how many bytes of `rest` belong to leaf `leaf`: up to two blocks.
    const fn bytes_of(rest: &[u8], leaf: usize) -> usize {
        let mut len = 0;
        let mut start = leaf * BLOCK;
        while start < rest.len() {
            let left = rest.len() - start;
            len += if left < BLOCK { left } else { BLOCK };
            start += STRIPE;
        }
        len
    }

    /// Returns the last block of every leaf, padded with zeros.
    const fn last_stripe(rest: &[u8]) -> [u8; STRIPE] {
        let mut last = [0; STRIPE];
        let seconds = Self::second_blocks(rest) * BLOCK;
        let first_len = if seconds > 0 { STRIPE } else { rest.len() };
        let (first, second) = rest.split_at(first_len);
        last.split_at_mut(second.len()).0.copy_from_slice(second);
        let (_, first) = first.split_at(seconds);
        last.split_at_mut(seconds).1.split_at_mut(first.len()).0.copy_from_slice(first);
        last
    }

    /// Returns the counter before the last block of leaf `leaf`, for a message of `count` bytes
    /// that ends with `rest`.
    const fn before_last(count: u128, rest: &[u8], leaf: usize) -> u128 {
        let absorbed = Self::STRIPES.absorbed(count) * BLOCK as u128;
        (absorbed + Self::bytes_of(rest, leaf) as u128).wrapping_sub(BLOCK as u128)
    }

    pub(crate) const fn last_node(leaf: usize) -> LastNode {
        if leaf == LEAVES - 1 { LastNode::Yes } else { LastNode::No }
    }

    /// Returns the root's message: the digests of all leaves, from their last states.
    fn handed_up(leaves: &[[F::Word; LEAVES]; 12]) -> [u8; NODE] {
        let mut message = [0; NODE];
        for (leaf, value) in message.chunks_exact_mut(Self::INNER).enumerate() {
            Blake2Stream::<F, BLOCK>::WIPED.output(|i| leaves[i][leaf], value);
        }
        message
    }

    /// Hashes `message` after the bytes so far, without changing this tree, and writes the output.
    /// Whole stripes are read directly from the message.
    pub(crate) fn finish_after(&self, message: &[u8], out: &mut [u8]) {
        finish_one(&self.root(), &self.finish_leaves(message), out);
    }

    /// Finishes the leaves after `message` and returns the root's message.
    fn finish_leaves(&self, message: &[u8]) -> [u8; NODE] {
        let count = must(counted(self.count, message.len(), F::LIMIT));
        let mut leaves = self.leaves;
        let mut tree;
        let rest = if self.buffer.waiting().is_empty() {
            let stripes = Self::STRIPES.absorbed(message.len() as u128) as usize;
            let (run, rest) = message.split_at(stripes * STRIPE);
            if stripes > 0 {
                Self::absorb(&mut leaves, run);
            }
            rest
        } else if message.is_empty() {
            self.buffer.waiting()
        } else {
            tree = *self;
            let mut message = message;
            while let Some(run) = tree.buffer.next(Self::STRIPES, &mut message) {
                Self::absorb(&mut leaves, run);
            }
            tree.buffer.waiting()
        };
        let seconds = Self::second_blocks(rest);
        if seconds > 0 {
            // Leaves that have two blocks left absorb the first of them.
            let mut ahead = leaves;
            Self::absorb(&mut ahead, &rest[..STRIPE]);
            for (words, ahead) in leaves.iter_mut().zip(&ahead) {
                words[..seconds].copy_from_slice(&ahead[..seconds]);
            }
        }
        for leaf in 0..LEAVES {
            let before = Self::before_last(count, rest, leaf);
            let last = F::last_words(before, Self::last_node(leaf));
            leaves[8..].iter_mut().zip(last).for_each(|(words, word)| words[leaf] = word);
        }
        if rest.len() == STRIPE {
            Self::absorb(&mut leaves, rest);
        } else {
            Self::absorb(&mut leaves, &Self::last_stripe(rest));
        }
        Self::handed_up(&leaves)
    }

    pub(crate) fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let root = self.root();
        let mut nodes = [0; BATCH * NODE];
        for start in (0..messages.count()).step_by(BATCH) {
            let count = BATCH.min(messages.count() - start);
            let nodes = &mut nodes[..count * NODE];
            let mut batch: [&[u8]; BATCH] = [&[]; BATCH];
            messages.gather(start, &mut batch[..count]);
            self.finish_leaves_of(&batch[..count], nodes);
            finish_many(&root, &must(Rows::new(nodes, NODE)), &mut outputs.part(start));
        }
    }

    /// Finishes the leaves of at most `BATCH` messages and writes the roots' messages to `nodes`.
    ///
    /// Short messages fill the lanes with one leaf of each message, because a message of at most
    /// one stripe has at most one block for each leaf, so that leaves of different messages need
    /// the same number of blocks. Each longer message fills the lanes with its own leaves.
    fn finish_leaves_of(&self, messages: &[&[u8]], nodes: &mut [u8]) {
        let (mut short, mut count) = ([0; BATCH], 0);
        // If so, the message begins with a block of the first leaf.
        let aligned = matches!(self.buffer.waiting().len(), 0 | STRIPE);
        for (index, message) in messages.iter().enumerate() {
            if aligned && message.len() <= STRIPE {
                short[count] = index;
                count += 1;
            }
        }
        // Fewer short messages would leave more lanes idle than the leaves of one message do.
        if count < LEAVES {
            count = 0;
        }
        let short = &short[..count];
        for (index, node) in nodes.chunks_exact_mut(NODE).enumerate() {
            if short.binary_search(&index).is_err() {
                node.copy_from_slice(&self.finish_leaves(messages[index]));
            }
        }
        if !short.is_empty() {
            (0..LEAVES).for_each(|leaf| self.finish_leaf_of(leaf, messages, short, nodes));
        }
    }

    /// Finishes leaf `leaf` of every short message. Its digest is computed only once for all
    /// messages that do not reach this leaf, because the leaf is then empty.
    fn finish_leaf_of(&self, leaf: usize, messages: &[&[u8]], short: &[usize], nodes: &mut [u8]) {
        let stream = self.leaf_stream(leaf);
        let (start, place) = (leaf * BLOCK, leaf * Self::INNER);
        let (mut reach, mut blocks, mut count) = ([0; BATCH], [&[][..]; BATCH], 0);
        let mut empty = None;
        for &index in short {
            if messages[index].len() > start {
                let message = messages[index];
                blocks[count] = &message[start..message.len().min(start + BLOCK)];
                reach[count] = index;
                count += 1;
            } else {
                let empty = empty.get_or_insert_with(|| {
                    let mut value = [0; 64];
                    finish_one(&stream, &[], &mut value[..Self::INNER]);
                    value
                });
                nodes[index * NODE + place..][..Self::INNER].copy_from_slice(&empty[..Self::INNER]);
            }
        }
        let (indexes, blocks) = (&reach[..count], &blocks[..count]);
        let nodes = &mut nodes[place..];
        finish_many(&stream, &blocks, &mut Slots::strided(nodes, [NODE, Self::INNER], indexes));
    }

    /// Returns the stream of one leaf. The waiting bytes must be none or a whole stripe.
    fn leaf_stream(&self, leaf: usize) -> Blake2Stream<F, BLOCK> {
        let mut waiting = match self.buffer.waiting() {
            [] => &[],
            stripe => &stripe[leaf * BLOCK..][..BLOCK],
        };
        let (state, last_node) = (Self::leaf(&self.leaves, leaf), Self::last_node(leaf));
        let mut stream = Blake2Stream::<F, BLOCK>::with(state, Self::INNER as u8, last_node);
        let absorbed = Self::STRIPES.absorbed(self.count) * BLOCK as u128;
        stream.count = absorbed + waiting.len() as u128;
        stream.buffer.next(Blake2Stream::<F, BLOCK>::BLOCKS, &mut waiting);
        stream
    }
}

impl<F: Blake2Family, const BLOCK: usize, const LEAVES: usize, const CAPACITY: usize> Progress
    for Blake2Tree<F, BLOCK, LEAVES, CAPACITY>
{
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update_with(data, Self::absorb)
    }

    fn count(&self) -> Option<u128> {
        Some(self.count - if self.keyed == Keyed::Yes { STRIPE as u128 } else { 0 })
    }

    fn output_len(&self) -> usize {
        usize::from(self.output_len)
    }

    fn room(&self) -> u128 {
        F::LIMIT - self.count
    }

    fn stack(&self) -> usize {
        STACK
    }

    fn keyed(&self) -> bool {
        self.keyed != Keyed::No
    }

    fn save(&self, state: &mut Exported) {
        self.output_len.put(state);
        self.count.put(state);
        put_words(state, &self.root[..8]);
        put_words(state, self.leaves[..8].as_flattened());
        state.put(self.buffer.waiting());
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        self.output_len = u8::take(state)?;
        self.count = u128::take(state)?;
        if !(1..=Self::INNER).contains(&self.output_len()) || self.count > F::LIMIT {
            return Err(Error::StateInconsistent);
        }
        take_words(state, &mut self.root[..8])?;
        take_words(state, self.leaves[..8].as_flattened_mut())?;
        let absorbed = Self::STRIPES.absorbed(self.count) * BLOCK as u128;
        let [low, high] = F::counter(absorbed);
        (self.leaves[8], self.leaves[9]) = ([low; LEAVES], [high; LEAVES]);
        let mut waiting = state.take(Self::STRIPES.waiting(self.count))?;
        self.buffer.next(Self::STRIPES, &mut waiting);
        self.keyed = Keyed::Unknown;
        Ok(())
    }
}

/// Defines `new`, which creates a tree with the given parameters. It is a macro because `initial_b`
/// and `initial_s` are `const` functions, each for one width, and not methods of a trait.
macro_rules! new {
    ($Blake2Tree:ident, $initial:ident, leaves $leaves:literal) => {
        impl $Blake2Tree {
            pub const fn new(values: &Values<'_>) -> Self {
                let mut leaves = [[0; $leaves]; 12];
                let mut leaf = 0;
                while leaf < $leaves {
                    Self::set_leaf(&mut leaves, leaf, &$initial(&Self::node(values, leaf)));
                    leaf += 1;
                }
                Self::with(leaves, $initial(&Self::node(values, $leaves)), values)
            }
        }
    };
}

new!(TreeB, initial_b, leaves 4);
new!(TreeS, initial_s, leaves 8);

impl<F: Blake2Family, const B: usize, const L: usize, const C: usize> Wiped
    for Blake2Tree<F, B, L, C>
{
    const WIPED: Self = Blake2Tree {
        leaves: [[F::ZERO; L]; 12],
        buffer: Buffer::new(),
        count: 0,
        root: [F::ZERO; 12],
        output_len: 0,
        keyed: Keyed::No,
    };
}
