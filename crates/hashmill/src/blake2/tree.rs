//! BLAKE2bp and BLAKE2sp (the BLAKE2 paper §2.10 and §5): a tree of two levels whose leaves take the
//! message's blocks in turn, so that they fill the lanes of one vector.

use super::params::{LastNode, Values, setters};
use super::{FamilyB, FamilyS, StreamB, StreamS, function, kernel};
use crate::backend::{self, Chosen, Family, Info, Input};
use crate::buffer::{Blocks, Buffer};
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::hasher::Stream;
use crate::many::{Chunks, Messages, Part, Rows, finish_many, finish_one};
use crate::state::{Exported, Import, Word, put_words, take_words};
use crate::wipe::Wiped;

/// How many messages' leaves are finished before their roots: 16 KiB of what they hand up.
const BATCH: usize = 64;

/// One leaf's block of some messages of at most a block for every leaf.
struct LeafBlocks<'a, M: ?Sized> {
    messages: &'a M,
    indexes: &'a [usize],
    /// Where the block lies in a message.
    start: usize,
    len: usize,
}

impl<M: Messages + ?Sized> Messages for LeafBlocks<'_, M> {
    fn count(&self) -> usize {
        self.indexes.len()
    }
    fn message(&self, index: usize) -> &[u8] {
        let message = self.messages.message(self.indexes[index]);
        &message[self.start..message.len().min(self.start + self.len)]
    }
}

/// The place in each of some nodes for what one leaf hands up.
struct LeafValues<'a> {
    nodes: &'a mut [u8],
    indexes: &'a [usize],
    /// Bytes of a node.
    node: usize,
    /// Where the place lies in a node.
    start: usize,
    len: usize,
}

impl Rows for LeafValues<'_> {
    fn row(&mut self, index: usize) -> &mut [u8] {
        &mut self.nodes[self.indexes[index] * self.node + self.start..][..self.len]
    }
}

/// One tree function's stream.
macro_rules! tree {
    (
        $Tree:ident, $Root:ident, $Family:ident, $width:ident, $word:ident,
        leaves $leaves:literal, block $block:literal
    ) => {
        /// The leaves' states word by word, what waits, and how many bytes there were in all, the key's
        /// blocks included.
        #[derive(Clone, Copy)]
        pub struct $Tree {
            leaves: [$word; 12 * $leaves],
            buffer: Buffer<{ $Tree::STRIPE + $Tree::STRIPES.lookahead - 1 }>,
            count: u128,
            /// The root's chaining value before its first block, which depends on the parameters.
            root: [$word; 8],
            output_len: u8,
        }

        impl $Tree {
            /// A block for every leaf.
            const STRIPE: usize = $leaves * $block;
            /// A leaf's block is its last one unless another stripe reaches that leaf; the last leaf's
            /// is the last to know.
            const STRIPES: Blocks =
                Blocks { len: Self::STRIPE, lookahead: ($leaves - 1) * $block + 1 };
            const INNER: usize = $Root::MAX_OUTPUT;
            /// What all leaves hand up, the root's message.
            const NODE: usize = $leaves * Self::INNER;

            pub const DEFAULTS: Values<'static> = {
                let mut values = Values::new(Self::INNER);
                values.fanout = $leaves;
                values.max_depth = 2;
                values.inner_len = Self::INNER;
                values
            };

            pub const fn new(values: &Values<'_>) -> Self {
                let mut tree = $Tree {
                    leaves: [0; 12 * $leaves],
                    buffer: Buffer::new(),
                    count: 0,
                    root: [0; 8],
                    output_len: values.output_len as u8,
                };
                let mut node = *values;
                let mut i = 0;
                while i < $leaves {
                    node.node_offset = i as u64;
                    Self::set_leaf(&mut tree.leaves, i, &$Root::initial(&node));
                    i += 1;
                }
                node.node_offset = 0;
                node.node_depth = 1;
                tree.root.copy_from_slice($Root::initial(&node).split_at(8).0);
                if !values.key.is_empty() {
                    let key = $Root::key_block(values);
                    let mut i = 0;
                    while i < $leaves {
                        tree.update_const(&key);
                        i += 1;
                    }
                }
                tree
            }

            pub const fn output_len(&self) -> usize {
                self.output_len as usize
            }

            const fn leaf(leaves: &[$word; 12 * $leaves], leaf: usize) -> [$word; 12] {
                let mut state = [0; 12];
                let mut i = 0;
                while i < 12 {
                    state[i] = leaves[i * $leaves + leaf];
                    i += 1;
                }
                state
            }

            const fn set_leaf(
                leaves: &mut [$word; 12 * $leaves],
                leaf: usize,
                state: &[$word; 12],
            ) {
                let mut i = 0;
                while i < 12 {
                    leaves[i * $leaves + leaf] = state[i];
                    i += 1;
                }
            }

            /// A leaf's blocks in a run of stripes.
            const fn leaf_input(run: &[u8], leaf: usize) -> &[u8] {
                run.split_at(leaf * $block).1
            }

            const fn absorb_const(leaves: &mut [$word; 12 * $leaves], run: &[u8]) {
                let mut leaf = 0;
                while leaf < $leaves {
                    let mut state = Self::leaf(leaves, leaf);
                    let input = Input {
                        lanes: &[Self::leaf_input(run, leaf)],
                        stride: Self::STRIPE,
                        blocks: run.len() / Self::STRIPE,
                    };
                    kernel::$width::portable::absorb(&mut state, (), &input);
                    Self::set_leaf(leaves, leaf, &state);
                    leaf += 1;
                }
            }

            /// All leaves in lanes where a backend has as many, else one after the other.
            fn absorb(leaves: &mut [$word; 12 * $leaves], run: &[u8]) {
                let backend = backend::leaves::<$Family>($leaves);
                let (stride, blocks) = (Self::STRIPE, run.len() / Self::STRIPE);
                if backend.lanes() == $leaves {
                    let lanes: [&[u8]; $leaves] =
                        core::array::from_fn(|leaf| Self::leaf_input(run, leaf));
                    backend.absorb(leaves, (), &Input { lanes: &lanes, stride, blocks });
                } else {
                    for leaf in 0..$leaves {
                        let mut state = Self::leaf(leaves, leaf);
                        let input = Input { lanes: &[Self::leaf_input(run, leaf)], stride, blocks };
                        backend.absorb(&mut state, (), &input);
                        Self::set_leaf(leaves, leaf, &state);
                    }
                }
            }

            /// The same with a thread for every leaf, where that takes less time.
            #[cfg(feature = "rayon")]
            fn absorb_rayon(leaves: &mut [$word; 12 * $leaves], run: &[u8]) {
                use ::rayon::prelude::*;

                /// From here on handing over costs less than is won.
                const LEAST: usize = 64 * 1024;
                let (one, lanes) = (backend::one::<$Family>(), backend::leaves::<$Family>($leaves));
                let threads = ::rayon::current_num_threads();
                let together = $leaves / lanes.lanes() * lanes.cycles();
                if run.len() < LEAST || usize::div_ceil($leaves, threads) * one.cycles() >= together
                {
                    return Self::absorb(leaves, run);
                }
                let (stride, blocks) = (Self::STRIPE, run.len() / Self::STRIPE);
                let mut states: [_; $leaves] = core::array::from_fn(|i| Self::leaf(leaves, i));
                states.par_iter_mut().enumerate().for_each(|(leaf, state)| {
                    let input = Input { lanes: &[Self::leaf_input(run, leaf)], stride, blocks };
                    one.absorb(state, (), &input);
                });
                for (leaf, state) in states.iter().enumerate() {
                    Self::set_leaf(leaves, leaf, state);
                }
            }

            pub const fn update_const(&mut self, mut data: &[u8]) {
                self.count = match $Root::counted(self.count, data.len()) {
                    Ok(count) => count,
                    Err(_) => panic!("the message is longer than the algorithm's standard allows"),
                };
                while let Some(run) = self.buffer.next(Self::STRIPES, &mut data) {
                    Self::absorb_const(&mut self.leaves, run);
                }
            }

            /// How many leaves have a block after the stripe that `rest` begins with.
            const fn second_blocks(rest: &[u8]) -> usize {
                rest.len().saturating_sub(Self::STRIPE).div_ceil($block)
            }

            /// How many bytes of the rest are leaf `leaf`'s: up to two blocks.
            const fn bytes_of(rest: &[u8], leaf: usize) -> usize {
                let mut len = 0;
                let mut start = leaf * $block;
                while start < rest.len() {
                    let left = rest.len() - start;
                    len += if left < $block { left } else { $block };
                    start += Self::STRIPE;
                }
                len
            }

            /// The last block of every leaf, padded with zeros.
            const fn last_stripe(rest: &[u8]) -> [u8; Self::STRIPE] {
                let mut last = [0; Self::STRIPE];
                let seconds = Self::second_blocks(rest) * $block;
                let first_len = if seconds > 0 { Self::STRIPE } else { rest.len() };
                let (first, second) = rest.split_at(first_len);
                last.split_at_mut(second.len()).0.copy_from_slice(second);
                let (_, first) = first.split_at(seconds);
                last.split_at_mut(seconds).1.split_at_mut(first.len()).0.copy_from_slice(first);
                last
            }

            /// Takes the first `leaves` from `ahead`.
            const fn take_leaves(
                leaves: &mut [$word; 12 * $leaves],
                ahead: &[$word; 12 * $leaves],
                count: usize,
            ) {
                let mut leaf = 0;
                while leaf < count {
                    Self::set_leaf(leaves, leaf, &Self::leaf(ahead, leaf));
                    leaf += 1;
                }
            }

            /// Sets every leaf to absorb its last block, of a message of `count` bytes.
            const fn set_last(leaves: &mut [$word; 12 * $leaves], rest: &[u8], count: u128) {
                let before = Self::STRIPES.absorbed(count) * $block;
                let mut leaf = 0;
                while leaf < $leaves {
                    let last_node = if leaf == $leaves - 1 { LastNode::Yes } else { LastNode::No };
                    let count = before + Self::bytes_of(rest, leaf) as u128;
                    let words = $Root::last_words(count, last_node);
                    let mut i = 0;
                    while i < 4 {
                        leaves[(8 + i) * $leaves + leaf] = words[i];
                        i += 1;
                    }
                    leaf += 1;
                }
            }

            /// What the leaves hand up: the root's message.
            const fn handed_up(leaves: &[$word; 12 * $leaves]) -> [u8; $Tree::NODE] {
                let mut message = [0; $Tree::NODE];
                let mut i = 0;
                while i < 8 * $leaves {
                    let word = leaves[i % 8 * $leaves + i / 8].to_le_bytes();
                    let (_, place) = message.split_at_mut(i * word.len());
                    place.split_at_mut(word.len()).0.copy_from_slice(&word);
                    i += 1;
                }
                message
            }

            fn update_with(
                &mut self,
                mut data: &[u8],
                absorb: fn(&mut [$word; 12 * $leaves], &[u8]),
            ) -> Result<(), Error> {
                self.count = $Root::counted(self.count, data.len())?;
                while let Some(run) = self.buffer.next(Self::STRIPES, &mut data) {
                    absorb(&mut self.leaves, run);
                }
                Ok(())
            }

            pub const fn finish_const(&self, out: &mut [u8]) {
                let mut leaves = self.leaves;
                let rest = self.buffer.waiting();
                let seconds = Self::second_blocks(rest);
                if seconds > 0 {
                    let mut ahead = leaves;
                    Self::absorb_const(&mut ahead, rest.split_at(Self::STRIPE).0);
                    Self::take_leaves(&mut leaves, &ahead, seconds);
                }
                Self::set_last(&mut leaves, rest, self.count);
                Self::absorb_const(&mut leaves, &Self::last_stripe(rest));
                let mut root = $Root::root(self.root, self.output_len);
                root.update_const(&Self::handed_up(&leaves));
                root.finish_const(out);
            }

            /// `finish` after `try_update(message)`, straight from the message.
            fn finish_after(&self, message: &[u8], out: &mut [u8]) {
                let root = $Root::root(self.root, self.output_len);
                finish_one(&root, &self.finish_leaves(message), out);
            }

            /// What the leaves hand up after `try_update(message)`.
            fn finish_leaves(&self, message: &[u8]) -> [u8; $Tree::NODE] {
                let count = match $Root::counted(self.count, message.len()) {
                    Ok(count) => count,
                    Err(error) => panic!("{error}"),
                };
                let mut leaves = self.leaves;
                let mut tree;
                let rest = if self.buffer.waiting().is_empty() {
                    let stripes = Self::STRIPES.absorbed(message.len() as u128) as usize;
                    let (run, rest) = message.split_at(stripes * Self::STRIPE);
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
                    let mut ahead = leaves;
                    Self::absorb(&mut ahead, &rest[..Self::STRIPE]);
                    Self::take_leaves(&mut leaves, &ahead, seconds);
                }
                Self::set_last(&mut leaves, rest, count);
                if rest.len() == Self::STRIPE {
                    Self::absorb(&mut leaves, rest);
                } else {
                    Self::absorb(&mut leaves, &Self::last_stripe(rest));
                }
                Self::handed_up(&leaves)
            }

            /// `finish_leaves` of every message, at most `BATCH`. Short messages fill the lanes with one leaf
            /// of each, the others with all leaves of one.
            fn finish_leaves_of<M: Messages + ?Sized>(&self, messages: &M, nodes: &mut [u8]) {
                let (mut short, mut count) = ([0; BATCH], 0);
                // Then the next block of every leaf begins with the message.
                let aligned = matches!(self.buffer.waiting().len(), 0 | Self::STRIPE);
                for index in 0..messages.count() {
                    if aligned && messages.message(index).len() <= Self::STRIPE {
                        short[count] = index;
                        count += 1;
                    }
                }
                if count < $leaves {
                    count = 0;
                }
                let short = &short[..count];
                for (index, node) in nodes.chunks_exact_mut(Self::NODE).enumerate() {
                    if short.binary_search(&index).is_err() {
                        node.copy_from_slice(&self.finish_leaves(messages.message(index)));
                    }
                }
                if !short.is_empty() {
                    (0..$leaves).for_each(|leaf| self.finish_leaf_of(leaf, messages, short, nodes));
                }
            }

            /// What one leaf of every short message hands up: the same for all that do not reach it.
            fn finish_leaf_of<M: Messages + ?Sized>(
                &self,
                leaf: usize,
                messages: &M,
                short: &[usize],
                nodes: &mut [u8],
            ) {
                let stream = self.leaf_stream(leaf);
                let (mut reach, mut count) = ([0; BATCH], 0);
                let mut empty = None;
                for &index in short {
                    if messages.message(index).len() > leaf * $block {
                        reach[count] = index;
                        count += 1;
                    } else {
                        let empty = empty.get_or_insert_with(|| {
                            let mut value = [0; Self::INNER];
                            finish_one(&stream, &[], &mut value);
                            value
                        });
                        nodes[index * Self::NODE + leaf * Self::INNER..][..Self::INNER]
                            .copy_from_slice(empty);
                    }
                }
                let indexes = &reach[..count];
                let blocks = LeafBlocks { messages, indexes, start: leaf * $block, len: $block };
                let mut values = LeafValues {
                    nodes,
                    indexes,
                    node: Self::NODE,
                    start: leaf * Self::INNER,
                    len: Self::INNER,
                };
                finish_many(&stream, &blocks, &mut values);
            }

            /// A leaf by itself. What waits is nothing or a whole stripe.
            fn leaf_stream(&self, leaf: usize) -> $Root {
                let waiting = match self.buffer.waiting() {
                    [] => &[],
                    stripe => &stripe[leaf * $block..][..$block],
                };
                let absorbed = Self::STRIPES.absorbed(self.count) * $block;
                let mut stream = $Root {
                    state: Self::leaf(&self.leaves, leaf),
                    buffer: Buffer::new(),
                    count: absorbed + waiting.len() as u128,
                    output_len: Self::INNER as u8,
                    last_node: if leaf == $leaves - 1 { LastNode::Yes } else { LastNode::No },
                };
                stream.buffer.next($Root::BLOCKS, &mut { waiting });
                stream
            }

            /// One message in one call, without a key and as long an output as there is.
            pub fn hash(message: &[u8]) -> [u8; $Tree::INNER] {
                static NEW: $Tree = $Tree::new(&$Tree::DEFAULTS);
                let mut out = [0; $Tree::INNER];
                NEW.finish_after(message, &mut out);
                out
            }
        }

        impl $Root {
            /// The root of a tree, before its first block.
            const fn root(chaining_value: [$word; 8], output_len: u8) -> Self {
                let mut state = [0; 12];
                state.split_at_mut(8).0.copy_from_slice(&chaining_value);
                $Root {
                    state,
                    buffer: Buffer::new(),
                    count: 0,
                    output_len,
                    last_node: LastNode::Yes,
                }
            }
        }

        impl Wiped for $Tree {
            const WIPED: Self = Self::new(&Values::new(0));
        }

        impl Stream for $Tree {
            fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
                self.update_with(data, Self::absorb)
            }

            fn finish(&self, out: &mut [u8]) {
                self.finish_after(&[], out);
            }

            fn finish_bits(&self, _: u8, _: u32, _: &mut [u8]) -> Result<(), Error> {
                Err(Error::NoBits)
            }

            fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(
                &self,
                messages: &M,
                rows: &mut R,
            ) {
                let root = $Root::root(self.root, self.output_len);
                let mut nodes = [0; BATCH * $Tree::NODE];
                for start in (0..messages.count()).step_by(BATCH) {
                    let count = BATCH.min(messages.count() - start);
                    let nodes = &mut nodes[..count * Self::NODE];
                    self.finish_leaves_of(&Part { all: messages, start, count }, nodes);
                    let nodes = Chunks { bytes: nodes, width: Self::NODE, count };
                    finish_many(&root, &nodes, &mut Part { all: &mut *rows, start, count });
                }
            }

            fn save(&self, state: &mut Exported) {
                self.output_len.put(state);
                self.count.put(state);
                put_words(state, &self.root);
                put_words(state, &self.leaves[..8 * $leaves]);
                state.put(self.buffer.waiting());
            }

            fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
                self.output_len = u8::take(state)?;
                self.count = u128::take(state)?;
                if !(1..=Self::INNER).contains(&self.output_len()) || self.count > $Root::LIMIT {
                    return Err(Error::StateInconsistent);
                }
                take_words(state, &mut self.root)?;
                take_words(state, &mut self.leaves[..8 * $leaves])?;
                let absorbed = Self::STRIPES.absorbed(self.count) * $block;
                let (counters, _) = self.leaves[8 * $leaves..].split_at_mut(2 * $leaves);
                counters[..$leaves].fill(absorbed as $word);
                counters[$leaves..].fill((absorbed >> $word::BITS) as $word);
                let mut waiting = state.take(Self::STRIPES.waiting(self.count))?;
                self.buffer.next(Self::STRIPES, &mut waiting);
                Ok(())
            }

            fn chosen() -> &'static Chosen {
                $Family::chosen()
            }

            fn backend(index: usize) -> Option<Info> {
                backend::info::<$Family>(index)
            }
        }
    };
}

tree!(TreeB, StreamB, FamilyB, b, u64, leaves 4, block 128);
tree!(TreeS, StreamS, FamilyS, s, u32, leaves 8, block 64);

function! {
    Blake2bp, blake2bp, "BLAKE2bp", 64, salt 16, TreeB,
    ", the BLAKE2 paper §5: four leaves of BLAKE2b, for SIMD or four cores.", one call TreeB::hash,
    tree setters {}
}
function! {
    Blake2sp, blake2sp, "BLAKE2sp", 32, salt 8, TreeS,
    ", the BLAKE2 paper §5: eight leaves of BLAKE2s, for SIMD or eight cores.", one call TreeS::hash,
    tree setters {}
}

/// One long message on all threads.
#[cfg(feature = "rayon")]
macro_rules! update_rayon {
    ($Type:ident, $Tree:ident, $leaves:literal) => {
        impl $Type {
            #[doc = concat!("As `update`, with the ", $leaves, " leaves split over the threads of rayon's pool, where that takes less")]
            /// time than filling the lanes of one vector with them; for parts of some megabytes.
            ///
            /// # Panics
            /// As `update`.
            pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
                if let Err(error) = self.stream.update_with(data, $Tree::absorb_rayon) {
                    panic!("{error}");
                }
                self
            }
        }
    };
}
#[cfg(feature = "rayon")]
update_rayon!(Blake2bp, TreeB, "four");
#[cfg(feature = "rayon")]
update_rayon!(Blake2sp, TreeS, "eight");
