//! BLAKE3's tree (the BLAKE3 paper §2.1): its leaves are the chunks of the message, and a parent
//! hashes the chaining values of two nodes. A left subtree is complete, and as large as it can be
//! with a byte left for the right one. Chunks fill the lanes of a vector, and so do the parents of
//! one level.

#![forbid(unsafe_code)]

use crate::backend::{self, Input, Runnable, with_lanes};
use crate::blake3::output::{Blake3Reader, Root};
use crate::blake3::{
    BLOCK, Blake3, CHUNK, CHUNK_START, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL, KEYED_HASH, Mode,
    Node, ROOT, Shape, VALUE, kernel,
};
use crate::error::Error;
use crate::lanes::{self, PLENTY, StreamList, finish_each, finish_many, finish_others};
use crate::messages::{Messages, Part, Slots, indexed};
use crate::state::{Exported, Import, Stored, put_words, take_words};
use crate::stream::{Progress, Sequential, counted, finish_one, must};
use crate::wipe::{Wiped, overwrite, run_wiped_if, wipe, wipe_bytes};
use core::array::from_fn;
use core::ops::Range;

/// Stack bytes to clear after a hash with a key: the chaining values of a subtree, the states of all
/// lanes, and the kernel.
const STACK: usize = 24 * 1024;
/// Stack bytes to clear after bytes that the chunk has room for.
const STACK_OF_CHUNK: usize = 4096;
/// Stack bytes to clear after the root of several chunks, and one block of its output.
const STACK_OF_ROOT: usize = 8192;

/// The length of the longest message in bytes (the BLAKE3 paper §2.1).
const LIMIT: u128 = u64::MAX as u128;
/// The number of subtrees that wait for their right neighbour: at most one for each bit of the
/// number of chunks, which is less than 2⁵⁴, and one more until they are merged.
const DEPTH: usize = 55;
/// Chunks of the largest subtree that is hashed at once. Its chaining values take 4 KiB of the
/// stack. It is a power of two.
const SUBTREE: usize = 128;

type Value = [u8; VALUE];

/// A hash in progress of BLAKE3: the chunk that is not complete, or that may be the last one, and
/// the chaining values of the complete subtrees before it, the largest first.
///
/// Two subtrees of one size are replaced by their parent only when another byte has come, because
/// that parent may be the root, which has a flag of its own.
#[derive(Clone, Copy)]
pub struct Tree3 {
    mode: Mode,
    chunk: Node,
    /// The number of chunks before `chunk`.
    chunks: u64,
    values: [Value; DEPTH],
    depth: u8,
}

/// Defines how nodes become the tree, twice: at run time nodes are absorbed by the chosen backend,
/// and in a `const fn` by the portable kernel. This is a macro because a `const fn` cannot ask for
/// the backend.
macro_rules! walk {
    ($($const:ident)?, $absorb:path, $update:ident $value:ident $parent:ident $merge:ident
     $push:ident $end_chunk:ident $fill_chunk:ident $root:ident) => {
        impl Node {
            /// Absorbs the next part of the node's message.
            $($const)? fn $update(&mut self, mut data: &[u8]) {
                self.count += data.len() as u16;
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    let input = Input { lanes: &[run], stride: BLOCK, blocks: run.len() / BLOCK, end: None };
                    $absorb(&mut self.state, Shape::Value, &input);
                }
            }

            /// Returns the chaining value.
            $($const)? fn $value(&self) -> Value {
                let (mut state, block) = self.last_block();
                let input = Input { lanes: &[&block], stride: BLOCK, blocks: 1, end: None };
                $absorb(&mut state, Shape::Value, &input);
                let (mut value, mut i) = ([0; VALUE], 0);
                while i < VALUE {
                    value[i] = state[i / 4].to_le_bytes()[i % 4];
                    i += 1;
                }
                value
            }
        }

        impl Mode {
            /// Returns the parent of two nodes.
            $($const)? fn $parent(&self, left: &Value, right: &Value) -> Node {
                let mut parent = self.parent(0);
                parent.$update(left);
                parent.$update(right);
                parent
            }
        }

        impl Tree3 {
            /// Replaces neighbours of one size by their parent, until `depth` subtrees are left.
            $($const)? fn $merge(&mut self, depth: u32) {
                while self.depth as u32 > depth {
                    self.depth -= 1;
                    let right = self.depth as usize;
                    let parent = self.mode.$parent(&self.values[right - 1], &self.values[right]);
                    self.values[right - 1] = parent.$value();
                }
            }

            /// Adds a subtree that begins after `self.chunks` chunks, the number of which `size`
            /// is.
            $($const)? fn $push(&mut self, value: Value, size: u64) {
                // After the merge there is one subtree for each bit of the number of chunks that is
                // set.
                self.$merge(self.chunks.count_ones());
                self.values[self.depth as usize] = value;
                self.depth += 1;
                self.chunks += size;
            }

            /// Ends the chunk, which must be complete and not the only one.
            $($const)? fn $end_chunk(&mut self) {
                self.$push(self.chunk.$value(), 1);
                self.chunk = self.mode.chunk(self.chunks, 0);
            }

            /// Absorbs the first bytes of `data` until the chunk is complete, and returns the
            /// others. There must be bytes, so that a complete chunk is not the last one.
            $($const)? fn $fill_chunk<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
                if self.chunk.count as usize == CHUNK {
                    self.$end_chunk();
                }
                let room = CHUNK - self.chunk.count as usize;
                let (part, rest) = data.split_at(if data.len() < room { data.len() } else { room });
                self.chunk.$update(part);
                rest
            }

            /// Returns the root before its last block.
            pub(crate) $($const)? fn $root(&self) -> Root {
                let mut depth = self.depth as usize;
                let mut node = self.chunk;
                if depth > 0 && node.count == 0 {
                    // The last subtree ends with the message, so that its parent may be the root.
                    depth -= 2;
                    node = self.mode.$parent(&self.values[depth], &self.values[depth + 1]);
                } else if depth > 0 {
                    depth -= 1;
                    let mut left = self.values[depth];
                    while depth >= self.chunks.count_ones() as usize {
                        depth -= 1;
                        left = self.mode.$parent(&self.values[depth], &left).$value();
                    }
                    node = self.mode.$parent(&left, &node.$value());
                }
                while depth > 0 {
                    depth -= 1;
                    node = self.mode.$parent(&self.values[depth], &node.$value());
                }
                Root::new(&node)
            }
        }
    };
}

walk!(, absorb, update value parent_of merge push end_chunk fill_chunk root);
walk!(const, kernel::portable::absorb, update_const value_const parent_of_const merge_const
      push_const end_chunk_const fill_chunk_const root_const);

fn absorb(state: &mut [u32; 12], shape: Shape, input: &Input<'_>) {
    backend::one::<Blake3>().absorb(state, shape, input);
}

impl Tree3 {
    pub(crate) const fn new(mode: Mode) -> Self {
        let values = [[0; VALUE]; DEPTH];
        Tree3 { mode, chunk: mode.chunk(0, 0), chunks: 0, values, depth: 0 }
    }

    /// Returns how many bytes were absorbed.
    const fn bytes(&self) -> u128 {
        self.chunks as u128 * CHUNK as u128 + self.chunk.count as u128
    }

    /// Absorbs `data` at compile time.
    pub(crate) const fn update_const(&mut self, mut data: &[u8]) {
        if counted(self.bytes(), data.len(), LIMIT).is_err() {
            panic!("the message is longer than BLAKE3 allows");
        }
        while !data.is_empty() {
            data = self.fill_chunk_const(data);
        }
    }

    /// Absorbs `data`: complete subtrees in lanes, and the bytes before and after them in one
    /// chunk. `children` returns the chaining values of the two halves of a complete subtree of at
    /// most `largest` chunks.
    fn update_with(
        &mut self,
        mut data: &[u8],
        largest: usize,
        children: fn(&Mode, &[u8], u64) -> [Value; 2],
    ) -> Result<(), Error> {
        counted(self.bytes(), data.len(), LIMIT)?;
        while !data.is_empty() {
            if usize::from(self.chunk.count) == CHUNK {
                self.end_chunk();
            }
            let size = self.next_subtree(data.len() / CHUNK).min(largest);
            if size >= 2 {
                let (subtree, rest) = data.split_at(size * CHUNK);
                for value in children(&self.mode, subtree, self.chunks) {
                    self.push(value, size as u64 / 2);
                }
                self.chunk = self.mode.chunk(self.chunks, 0);
                data = rest;
            } else {
                data = self.fill_chunk(data);
            }
        }
        Ok(())
    }

    /// Returns the size in chunks of the largest complete subtree that begins here, if `chunks`
    /// whole chunks follow: a power of two that divides the number of chunks before it. Returns 0
    /// within a chunk.
    fn next_subtree(&self, chunks: usize) -> usize {
        if self.chunk.count > 0 || chunks == 0 {
            return 0;
        }
        let largest = 1 << chunks.ilog2();
        match self.chunks.trailing_zeros() {
            zeros if zeros < usize::BITS => largest.min(1 << zeros),
            _ => largest,
        }
    }

    /// Returns the tree in the only form that an exported state has, whatever the updates were: a
    /// complete chunk is in the stack, unless it is the only one, and subtrees of one size are
    /// merged, except the last two if nothing follows them.
    fn canonical(&self) -> Self {
        let mut tree = *self;
        if usize::from(tree.chunk.count) == CHUNK && tree.chunks > 0 {
            tree.end_chunk();
        }
        tree.merge(tree.canonical_depth());
        tree
    }

    fn canonical_depth(&self) -> u32 {
        let pair = self.chunk.count == 0 && self.chunks > 0 && self.chunks.is_multiple_of(2);
        self.chunks.count_ones() + u32::from(pair)
    }

    /// Returns the hasher to its state before the first update.
    pub(crate) fn reset(&mut self) {
        *self = Tree3::new(self.mode);
    }

    /// Returns the chaining value of the subtree that begins at byte `offset` of the message, or
    /// `None` if these bytes are not those of one subtree.
    pub(crate) fn subtree(&self, offset: u64, data: &[u8]) -> Option<Value> {
        let (first, chunks) = (offset / CHUNK as u64, data.len().div_ceil(CHUNK) as u64);
        // A subtree begins after a multiple of the chunks that it would have if it were complete.
        let fits = first == 0 || chunks.next_power_of_two() <= 1 << first.trailing_zeros();
        let ends = offset.checked_add(data.len() as u64).is_some();
        let begins = offset.is_multiple_of(CHUNK as u64) && !data.is_empty();
        (begins && fits && ends)
            .then(|| run_wiped_if(self.keyed(), STACK, || self.mode.subtree(data, first)))
    }

    /// Returns the chaining value of the parent of two subtrees.
    pub(crate) fn parent(&self, left: &Value, right: &Value) -> Value {
        let parent = || self.mode.parent_of(left, right).value();
        run_wiped_if(self.keyed(), STACK_OF_CHUNK, parent)
    }

    /// Returns a reader of the output whose root is the parent of two subtrees.
    #[inline(never)] // so that the caller does not move it through its frame
    pub(crate) fn root_of(&self, left: &Value, right: &Value) -> Blake3Reader {
        run_wiped_if(self.keyed(), STACK_OF_CHUNK, || {
            Blake3Reader::new(Root::new(&self.mode.parent_of(left, right)))
        })
    }

    /// Returns a reader of the output.
    #[inline(never)] // so that the caller does not move it through its frame
    pub(crate) fn reader(&self) -> Blake3Reader {
        run_wiped_if(self.keyed(), STACK_OF_CHUNK, || Blake3Reader::new(self.root()))
    }

    /// Returns how many bytes of the stack must be cleared after an output of that length for the
    /// bytes absorbed so far and a message, if there is a key.
    pub(crate) fn depth_of_output(&self, message_len: usize, output_len: usize) -> usize {
        match self.has_room(message_len) {
            true if self.chunks == 0 && output_len <= VALUE => STACK_OF_CHUNK,
            true if output_len <= BLOCK => STACK_OF_ROOT,
            _ => STACK,
        }
    }

    /// Whether the chunk has room for so many bytes.
    fn has_room(&self, len: usize) -> bool {
        len <= CHUNK - usize::from(self.chunk.count)
    }

    /// Whether an update of `len` bytes would only copy them.
    pub(crate) fn only_copies(&self, len: usize) -> bool {
        self.chunk.buffer.waiting().len() + len <= BLOCK
    }

    /// Returns whether messages are faster one after the other than in lanes.
    pub(crate) fn in_turn(&self, count: usize, longest: usize) -> bool {
        count == 1 || longest <= CHUNK && lanes::best(&self.chunk, count, longest).lanes() == 1
    }

    /// Does the same as `try_update` on the threads of rayon's pool.
    #[cfg(feature = "rayon")]
    pub(crate) fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        run_wiped_if(self.keyed(), STACK, || {
            self.update_with(data, usize::MAX, Mode::children_rayon)
        })
    }

    /// Writes the output for the bytes absorbed so far followed by `message`. A message of one
    /// chunk, and a whole message, are hashed where they lie and without a copy of the tree, which
    /// has 2 KB.
    pub(crate) fn finish_after(&self, message: &[u8], out: &mut [u8]) {
        if let Some(node) = self.single(message.len(), out.len()) {
            finish_one(&node, message, out);
        } else if self.bytes() == 0 && message.len() > CHUNK {
            let [left, right] = self.mode.halves(message, 0);
            Root::new(&self.mode.parent_of(&left, &right)).fill(0, 0, out);
        } else {
            let mut tree = *self;
            must(tree.update_with(message, SUBTREE, Mode::children));
            tree.root().fill(0, 0, out);
            wipe(&mut tree);
        }
    }

    /// Returns the chunk as the root, if it has room for `message_len` more bytes and the output is
    /// not longer than a chaining value.
    fn single(&self, message_len: usize, output_len: usize) -> Option<Node> {
        (self.chunks == 0 && self.has_room(message_len) && output_len <= VALUE)
            .then(|| self.chunk.as_root())
    }

    /// Writes the output of `finish_after` for every message. Messages of one chunk share the lanes,
    /// and so do the chunks of messages of at most [`FEW`]; a longer one fills them by itself.
    pub(crate) fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let output_len = outputs.output_len();
        if let Some(node) = self.single(messages.longest(), output_len) {
            return finish_many(&node, messages, outputs);
        }
        let mut batch = Batch::new();
        finish_others(&self.chunk.as_root(), messages, outputs, |index, outputs| {
            let message = messages.message(index);
            let few = message.len() <= FEW * CHUNK && output_len <= VALUE;
            if self.single(message.len(), output_len).is_some() {
                return false;
            }
            if few && self.bytes() == 0 {
                if !batch.has_room(message.len()) {
                    batch.finish(&self.mode, messages, outputs);
                }
                batch.add(index, message.len());
            } else {
                outputs.write(index, |out| self.finish_after(message, out));
            }
            true
        });
        batch.finish(&self.mode, messages, outputs);
    }
}

impl Tree3 {
    /// Writes the output of `finish_after` for each stream and its message. Trees that consist of
    /// one chunk share the lanes.
    pub(crate) fn finish_each<'a>(
        streams: &'a StreamList<'a, Tree3>,
        messages: &dyn Messages,
        outputs: &mut Slots<'_>,
    ) {
        const BATCH: usize = 64;
        let (mut nodes, output_len) = ([Node::WIPED; BATCH], outputs.output_len());
        for start in (0..messages.count()).step_by(BATCH) {
            let count = BATCH.min(messages.count() - start);
            let part = Part { all: messages, start, count };
            let mut single = true;
            for (i, node) in nodes[..count].iter_mut().enumerate() {
                match streams(start + i).single(part.message(i).len(), output_len) {
                    Some(chunk) => *node = chunk,
                    None => single = false,
                }
            }
            let mut outputs = outputs.part(start);
            if single {
                finish_each(&|i| &nodes[i], &part, &mut outputs);
            } else {
                let finish = |i: usize, out: &mut [u8]| {
                    streams(start + i).finish_after(part.message(i), out);
                };
                (0..count).for_each(|i| outputs.write(i, |out| finish(i, out)));
            }
        }
        overwrite(&mut nodes, [Node::WIPED; BATCH]);
    }
}

impl Wiped for Tree3 {
    const WIPED: Self = Tree3::new(Mode { key: [0; 8], flags: 0 });
}

impl Progress for Tree3 {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        let depth = if self.has_room(data.len()) { STACK_OF_CHUNK } else { STACK };
        run_wiped_if(self.keyed(), depth, || self.update_with(data, SUBTREE, Mode::children))
    }

    fn output_len(&self) -> usize {
        VALUE
    }

    fn room(&self) -> u128 {
        LIMIT - self.bytes()
    }

    fn count(&self) -> Option<u128> {
        Some(self.bytes())
    }

    fn stack(&self) -> usize {
        STACK
    }

    fn keyed(&self) -> bool {
        self.mode.flags != 0
    }

    fn save(&self, state: &mut Exported) {
        let mut tree = self.canonical();
        (tree.mode.flags as u8).put(state);
        if tree.keyed() {
            put_words(state, &tree.mode.key);
        }
        tree.chunks.put(state);
        tree.chunk.count.put(state);
        if Node::BLOCKS.absorbed(tree.chunk.count.into()) > 0 {
            put_words(state, &tree.chunk.state[..8]);
        }
        state.put(tree.chunk.buffer.waiting());
        state.put(tree.values[..usize::from(tree.depth)].as_flattened());
        wipe(&mut tree);
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let flags = u32::from(u8::take(state)?);
        let mut mode = Mode { flags, ..Mode::HASH };
        match flags {
            0 => {}
            KEYED_HASH | DERIVE_KEY_MATERIAL => take_words(state, &mut mode.key)?,
            _ => return Err(Error::StateInconsistent),
        }
        *self = Tree3::new(mode);
        self.chunks = u64::take(state)?;
        self.chunk = mode.chunk(self.chunks, 0);
        let count = u16::take(state)?;
        // A single chunk may be the root. A complete one is in the stack if it is not the only one.
        let fits = match self.chunks {
            0 => usize::from(count) <= CHUNK,
            1 => (1..CHUNK).contains(&count.into()),
            _ => usize::from(count) < CHUNK,
        };
        self.chunk.count = count;
        if !fits || self.bytes() > LIMIT {
            return Err(Error::StateInconsistent);
        }
        if Node::BLOCKS.absorbed(count.into()) > 0 {
            take_words(state, &mut self.chunk.state[..8])?;
            self.chunk.state[11] &= !CHUNK_START;
        }
        let mut waiting = state.take(Node::BLOCKS.waiting(count.into()))?;
        self.chunk.buffer.next(Node::BLOCKS, &mut waiting);
        let depth = self.canonical_depth() as usize;
        let values = self.values[..depth].as_flattened_mut();
        values.copy_from_slice(state.take(values.len())?);
        self.depth = depth as u8;
        Ok(())
    }
}

impl Mode {
    /// Returns the mode in which keys are derived: its key is the hash of the context. The context
    /// is not secret, so that the portable kernel serves for both run time and compile time.
    pub const fn derive_key(context: &[u8]) -> Self {
        let mut tree = Tree3::new(Mode { flags: DERIVE_KEY_CONTEXT, ..Self::HASH });
        tree.update_const(context);
        let mut key = [0; VALUE];
        tree.root_const().fill_const(0, 0, &mut key);
        Self::with_key(&key, DERIVE_KEY_MATERIAL)
    }

    /// Returns the chaining value of a subtree whose first chunk is chunk `first` of the message.
    pub(crate) fn subtree(&self, data: &[u8], first: u64) -> Value {
        if data.len() <= CHUNK {
            let mut chunk = self.chunk(first, 0);
            chunk.update(data);
            return chunk.value();
        }
        let [left, right] = self.halves(data, first);
        self.parent_of(&left, &right).value()
    }

    /// Returns the chaining values of the two children of a subtree of several chunks, the first of
    /// which is chunk `first` of the message.
    fn halves(&self, data: &[u8], first: u64) -> [Value; 2] {
        let chunks = data.len().div_ceil(CHUNK);
        if data.len() == chunks * CHUNK && chunks.is_power_of_two() && chunks <= SUBTREE {
            return self.children(data, first);
        }
        let size = 1 << (chunks - 1).ilog2();
        let (left, right) = data.split_at(size * CHUNK);
        [self.subtree(left, first), self.subtree(right, first + size as u64)]
    }

    /// Returns the chaining values of the two halves of a complete subtree of 2 to [`SUBTREE`]
    /// chunks, the first of which is chunk `first` of the message.
    ///
    /// Not inlined, so that an update that only fills a chunk has a small frame, of which
    /// [`STACK_OF_CHUNK`] bytes are cleared.
    #[inline(never)]
    fn children(&self, subtree: &[u8], first: u64) -> [Value; 2] {
        match subtree.len() / CHUNK {
            ..=16 => self.children_of::<16, 8>(subtree, first),
            _ => self.children_of::<SUBTREE, { SUBTREE / 2 }>(subtree, first),
        }
    }

    /// Does the same for a subtree of at most `MOST` chunks. `HALF` is half of that.
    #[inline(always)]
    fn children_of<const MOST: usize, const HALF: usize>(
        &self,
        subtree: &[u8],
        first: u64,
    ) -> [Value; 2] {
        let (mut values, mut parents) = ([[0; VALUE]; MOST], [[0; VALUE]; HALF]);
        let (mut values, mut parents): (&mut [Value], &mut [Value]) = (&mut values, &mut parents);
        let mut count = subtree.len() / CHUNK;
        let chunks = InTurn { messages: subtree, first };
        finish_nodes(&self.chunk(0, 0), CHUNK, count, &chunks, values);
        while count > 2 {
            count /= 2;
            let pairs = InTurn { messages: values.as_flattened(), first: 0 };
            finish_nodes(&self.parent(0), 2 * VALUE, count, &pairs, parents);
            core::mem::swap(&mut values, &mut parents);
        }
        [values[0], values[1]]
    }

    /// Does the same as `children` for a subtree of any size, with its halves on rayon's threads.
    #[cfg(feature = "rayon")]
    fn children_rayon(&self, subtree: &[u8], first: u64) -> [Value; 2] {
        let chunks = subtree.len() / CHUNK;
        if chunks <= SUBTREE {
            return run_wiped_if(self.flags != 0, STACK, || self.children(subtree, first));
        }
        let value = |subtree, first| {
            let [left, right] = self.children_rayon(subtree, first);
            self.parent_of(&left, &right).value()
        };
        let (left, right) = subtree.split_at(subtree.len() / 2);
        let half = chunks as u64 / 2;
        rayon::join(|| value(left, first), || value(right, first + half)).into()
    }
}

/// Nodes whose messages are complete: 1,024 bytes of each chunk, or the 64 of each parent.
trait Nodes {
    /// Returns the message of node `i`, which has `len` bytes.
    fn message(&self, i: usize, len: usize) -> &[u8];
    /// Returns the number of the chunk, or 0.
    fn counter(&self, i: usize, len: usize) -> u64;
    /// Returns [`ROOT`], or 0.
    fn root(&self, i: usize) -> u32;
    /// Whether each node's place is its own index.
    const IN_TURN: bool;
    /// Returns the place of the node's chaining value.
    fn place(&self, i: usize) -> usize;
}

/// Nodes whose messages lie one after the other.
struct InTurn<'m> {
    messages: &'m [u8],
    /// The number of the first chunk.
    first: u64,
}

impl Nodes for InTurn<'_> {
    #[inline(always)]
    fn message(&self, i: usize, len: usize) -> &[u8] {
        &self.messages[i * len..][..len]
    }
    #[inline(always)]
    fn counter(&self, i: usize, len: usize) -> u64 {
        // Parents take no counter.
        if len == CHUNK { self.first + i as u64 } else { 0 }
    }
    #[inline(always)]
    fn root(&self, _: usize) -> u32 {
        0
    }
    const IN_TURN: bool = true;
    #[inline(always)]
    fn place(&self, i: usize) -> usize {
        i
    }
}

/// One node of several messages.
#[derive(Clone, Copy)]
struct Job<'m> {
    message: &'m [u8],
    counter: u64,
    place: u32,
    root: u32,
}

impl Job<'_> {
    const NONE: Self = Job { message: &[], counter: 0, place: 0, root: 0 };
}

impl Nodes for [Job<'_>] {
    #[inline(always)]
    fn message(&self, i: usize, len: usize) -> &[u8] {
        &self[i].message[..len]
    }
    #[inline(always)]
    fn counter(&self, i: usize, _: usize) -> u64 {
        self[i].counter
    }
    #[inline(always)]
    fn root(&self, i: usize) -> u32 {
        self[i].root
    }
    const IN_TURN: bool = false;
    #[inline(always)]
    fn place(&self, i: usize) -> usize {
        self[i].place as usize
    }
}

/// Writes the chaining values of the first `count` nodes, whose messages have `len` bytes each. Each
/// lane hashes one node. `node` has absorbed nothing.
///
/// It does what [`finish_each`] does for messages of one length, but no message is copied, and nothing
/// is cleared for each node.
fn finish_nodes<N: Nodes + ?Sized>(
    node: &Node,
    len: usize,
    count: usize,
    nodes: &N,
    values: &mut [Value],
) {
    let mut next = 0;
    while next < count {
        let left = count - next;
        let backend = backend::for_messages::<Blake3>(left, PLENTY);
        let lanes = backend.lanes();
        // Another backend may be faster for the nodes that do not fill a group.
        let end = next + if left < lanes { left } else { left - left % lanes };
        match lanes {
            1 => finish_groups::<N, 1>(backend, (node, len), next..end, nodes, values),
            _ => with_lanes!(Blake3, lanes, L => {
                finish_groups::<N, L>(backend, (node, len), next..end, nodes, values)
            }),
        }
        next = end;
    }
}

/// Does the same for some of the nodes, in groups of `L`, the number of the backend's lanes. It is a
/// constant so that states and values are copied in less time.
fn finish_groups<N: Nodes + ?Sized, const L: usize>(
    backend: Runnable<Blake3>,
    (node, len): (&Node, usize),
    range: Range<usize>,
    nodes: &N,
    values: &mut [Value],
) {
    let (mut states, mut digests) = ([[0; L]; 12], [[0; VALUE]; L]);
    let whole = len / BLOCK - 1;
    for next in range.clone().step_by(L) {
        let busy = L.min(range.end - next);
        // An idle lane hashes the first message again.
        let of = |lane| next + if lane < busy { lane } else { 0 };
        for (lanes, word) in states.iter_mut().zip(node.state) {
            *lanes = [word; L];
        }
        states[8] = from_fn(|lane| nodes.counter(of(lane), len) as u32);
        states[9] = from_fn(|lane| (nodes.counter(of(lane), len) >> 32) as u32);
        let mut lanes: [&[u8]; L] = from_fn(|lane| nodes.message(of(lane), len));
        if whole > 0 {
            let input = Input { lanes: &lanes, stride: BLOCK, blocks: whole, end: None };
            backend.absorb(states.as_flattened_mut(), Shape::Value, &input);
            for lane in &mut lanes {
                *lane = &lane[whole * BLOCK..];
            }
        }
        node.last(len, &mut [], 0, |i, word| states[i] = [word; L]);
        for (lane, flags) in states[11].iter_mut().enumerate() {
            *flags |= nodes.root(of(lane));
        }
        let input = Input { lanes: &lanes, stride: BLOCK, blocks: 1, end: None };
        backend.absorb(states.as_flattened_mut(), Shape::Value, &input);
        // The values of idle lanes are beyond the last node, where there is no other value.
        let in_turn = N::IN_TURN && values.len() - next >= L;
        let to = if in_turn { &mut values[next..][..L] } else { &mut digests };
        if !backend.rows(states.as_flattened(), to.as_flattened_mut(), VALUE, VALUE) {
            for (lane, digest) in to.iter_mut().enumerate() {
                node.output(|i| states[i][lane], digest);
            }
        }
        if !in_turn {
            for (lane, digest) in digests[..busy].iter().enumerate() {
                values[nodes.place(next + lane)] = *digest;
            }
        }
    }
    overwrite(&mut states, [[0; L]; 12]);
    overwrite(&mut digests, [[0; VALUE]; L]);
}

/// Chunks of the longest message whose chunks share the lanes with those of other messages. More
/// chunks fill 16 lanes by themselves.
const FEW: usize = 16;
/// Chunks of all messages of a batch. Their chaining values take 4 KiB of the stack.
const BATCH: usize = 128;

/// Messages of 2 to [`FEW`] chunks, whose chunks and parents are hashed together: first all
/// chunks, then the parents of one level after the other. A node without a neighbour rises to the
/// next level, which gives the tree that the paper defines.
struct Batch {
    /// The index of each message, its number of chunks, and of nodes of the present level.
    messages: [(usize, usize, usize); BATCH],
    count: usize,
    chunks: usize,
}

impl Batch {
    fn new() -> Self {
        Batch { messages: [(0, 0, 0); BATCH], count: 0, chunks: 0 }
    }

    fn chunks_of(len: usize) -> usize {
        len.div_ceil(CHUNK)
    }

    fn has_room(&self, len: usize) -> bool {
        self.chunks + Self::chunks_of(len) <= BATCH
    }

    fn add(&mut self, index: usize, len: usize) {
        let chunks = Self::chunks_of(len);
        self.messages[self.count] = (index, chunks, chunks);
        self.count += 1;
        self.chunks += chunks;
    }

    /// Hashes the messages, writes their outputs and empties the batch.
    fn finish(&mut self, mode: &Mode, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let [mut values, mut parents] = [[[0; VALUE]; BATCH]; 2];
        self.finish_chunks(mode, messages, &mut values);
        while self.finish_parents(mode, &values, &mut parents) {
            core::mem::swap(&mut values, &mut parents);
        }
        let mut first = 0;
        for &(index, chunks, _) in &self.messages[..self.count] {
            outputs.write(index, |out| out.copy_from_slice(&values[first][..out.len()]));
            first += chunks;
        }
        wipe_bytes(values.as_flattened_mut());
        wipe_bytes(parents.as_flattened_mut());
        *self = Batch::new();
    }

    /// Writes the chaining values of all chunks.
    fn finish_chunks(&self, mode: &Mode, messages: &dyn Messages, values: &mut [Value; BATCH]) {
        let (mut jobs, mut whole) = ([Job::NONE; BATCH], 0);
        // The chunks that are not complete, from the end of `jobs` on.
        let mut others = BATCH;
        let mut place = 0;
        for &(index, ..) in &self.messages[..self.count] {
            for (counter, message) in messages.message(index).chunks(CHUNK).enumerate() {
                let job = Job { message, counter: counter as u64, place, root: 0 };
                if message.len() == CHUNK {
                    jobs[whole] = job;
                    whole += 1;
                } else {
                    others -= 1;
                    jobs[others] = job;
                }
                place += 1;
            }
        }
        finish_nodes(&mode.chunk(0, 0), CHUNK, whole, &jobs[..], values);
        let others = &jobs[others..];
        let nodes: [Node; FEW] = from_fn(|i| mode.chunk(i as u64, 0));
        let node = |i: usize| &nodes[others[i].counter as usize];
        let mut ends = [[0; VALUE]; BATCH];
        let mut slots = Slots::packed(ends[..others.len()].as_flattened_mut(), VALUE);
        finish_each(&node, &indexed(others.len(), |i| others[i].message), &mut slots);
        for (job, end) in others.iter().zip(&ends) {
            values[job.place as usize] = *end;
        }
        wipe_bytes(ends.as_flattened_mut());
    }

    /// Writes the parents of one level, and the nodes without a neighbour, which rise to it, to
    /// `parents`. Returns false if only roots are left.
    fn finish_parents(
        &mut self,
        mode: &Mode,
        values: &[Value; BATCH],
        parents: &mut [Value; BATCH],
    ) -> bool {
        let (mut jobs, mut count, mut first) = ([Job::NONE; BATCH / 2], 0, 0);
        for (_, chunks, left) in &mut self.messages[..self.count] {
            let (nodes, rest) = values[first..][..*left].as_chunks::<2>();
            let root = if *left == 2 { ROOT } else { 0 };
            for (pair, nodes) in nodes.iter().enumerate() {
                let message = nodes.as_flattened();
                jobs[count] = Job { message, counter: 0, place: (first + pair) as u32, root };
                count += 1;
            }
            if let [last] = rest {
                parents[first + *left / 2] = *last;
            }
            *left = left.div_ceil(2);
            first += *chunks;
        }
        finish_nodes(&mode.parent(0), 2 * VALUE, count, &jobs[..], parents);
        count > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blake3::{DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL, KEYED_HASH};
    use ::blake3 as authors;

    const KEY: &[u8; VALUE] = b"whats the Elvish word for friend";
    const CONTEXT: &str = "BLAKE3 2019-12-27 16:29:52 test vectors context";

    /// Returns each mode with the hasher of the authors' crate.
    fn modes() -> [(Mode, authors::Hasher); 3] {
        let mut context_key = [0; VALUE];
        Tree3::new(Mode { flags: DERIVE_KEY_CONTEXT, ..Mode::HASH })
            .finish_after(CONTEXT.as_bytes(), &mut context_key);
        [
            (Mode::HASH, authors::Hasher::new()),
            (Mode::with_key(KEY, KEYED_HASH), authors::Hasher::new_keyed(KEY)),
            (
                Mode::with_key(&context_key, DERIVE_KEY_MATERIAL),
                authors::Hasher::new_derive_key(CONTEXT),
            ),
        ]
    }

    fn message(len: usize) -> alloc::vec::Vec<u8> {
        (0..len).map(|i| (i % 251) as u8).collect()
    }

    /// Lengths around those of blocks, chunks and subtrees.
    fn lengths() -> impl Iterator<Item = usize> {
        let chunks =
            [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 63, 64, 100, 127, 128, 129, 256, 300];
        (0..=130).chain(chunks.into_iter().flat_map(|n| [n * CHUNK - 1, n * CHUNK, n * CHUNK + 1]))
    }

    #[test]
    fn outputs_are_those_of_the_authors() {
        for len in lengths() {
            let message = message(len);
            for (mode, mut theirs) in modes() {
                let mut expected = [0; 1500];
                theirs.update(&message).finalize_xof().fill(&mut expected);
                let (mut digest, mut long) = ([0; VALUE], [0; 1500]);
                Tree3::new(mode).finish_after(&message, &mut digest);
                assert_eq!(digest, expected[..VALUE], "{len} bytes");
                Tree3::new(mode).finish_after(&message, &mut long);
                assert_eq!(long, expected, "{len} bytes");
            }
        }
    }

    #[test]
    fn updates_may_be_split_anywhere() {
        let message = message(300 * CHUNK);
        let cuts =
            [1, 63, 64, 65, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 5 * CHUNK, 8 * CHUNK + 1];
        for first in cuts {
            for second in cuts.into_iter().chain([64 * CHUNK, 128 * CHUNK, 200 * CHUNK]) {
                let mut tree = Tree3::new(Mode::HASH);
                let mut expected = authors::Hasher::new();
                for part in [&message[..first], &message[first..][..second], &message[..second]] {
                    tree.try_update(part).unwrap();
                    expected.update(part);
                    let mut digest = [0; VALUE];
                    tree.finish_after(&[], &mut digest);
                    assert_eq!(digest, *expected.finalize().as_bytes(), "{first}, {second}");
                }
            }
        }
    }

    #[test]
    fn output_from_any_position() {
        let theirs = authors::Hasher::new();
        let root = Tree3::new(Mode::HASH).root();
        for position in [0, 1, 63, 64, 65, 1 << 38, u64::MAX - 2000] {
            let (mut out, mut expected) = ([0; 1700], [0; 1700]);
            root.fill(position / 64, (position % 64) as usize, &mut out);
            let mut reader = theirs.finalize_xof();
            reader.set_position(position);
            reader.fill(&mut expected);
            assert_eq!(out, expected, "{position}");
        }
    }

    #[test]
    fn many_messages() {
        let message = message(40 * CHUNK);
        let mut random = 1_u64;
        for count in [1, 2, 5, 16, 40, 300] {
            for longest in [10, 100, CHUNK, 2 * CHUNK, 20 * CHUNK] {
                let messages: alloc::vec::Vec<&[u8]> = (0..count)
                    .map(|_| {
                        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                        &message[..(random >> 33) as usize % (longest + 1)]
                    })
                    .collect();
                for (mode, theirs) in modes() {
                    let mut digests = alloc::vec![[0; VALUE]; count];
                    let mut slots = Slots::packed(digests.as_flattened_mut(), VALUE);
                    Tree3::new(mode).finish_many(&&messages[..], &mut slots);
                    for (message, digest) in messages.iter().zip(&digests) {
                        let expected = theirs.clone().update(message).finalize();
                        assert_eq!(*digest, *expected.as_bytes(), "{} bytes", message.len());
                    }
                }
            }
        }
    }
}
