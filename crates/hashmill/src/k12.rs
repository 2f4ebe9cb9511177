//! KangarooTwelve (RFC 9861 §3): KT128 and KT256, hash trees over TurboSHAKE.

#![forbid(unsafe_code)]

use crate::arguments::Customization;
use crate::buffer::Blocks;
use crate::derived::{Derivation, Derived};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
#[cfg(feature = "std")]
use crate::hasher::READ_CHUNKS_LEN;
use crate::hasher::Stream;
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::{Keccak, Output, Shape, Sponge, XofReader};
use crate::lanes::{finish_each, finish_others};
use crate::messages::{Messages, Slots, indexed};
use crate::state::{Exported, Import, Stored};
use crate::stream::{Progress, Sequential, finish_one, write_words};
use crate::tree::keccak::SpongeTree;
use crate::wipe::{Secret, Wiped, wipe, wipe_bytes};

/// Bytes of a chunk (RFC 9861 §3.2).
const CHUNK: usize = 8192;
/// The bytes that follow the first chunk in the final node (RFC 9861 §3.2).
const AFTER_FIRST: [u8; 8] = [3, 0, 0, 0, 0, 0, 0, 0];
/// The domain-separation byte of a string that is a single chunk (RFC 9861 §3.2).
const SINGLE: u8 = 0x07;
/// The domain-separation byte of the leaves (RFC 9861 §3.2).
const LEAF: u8 = 0x0B;
/// The domain-separation byte of the final node (RFC 9861 §3.2).
const FINAL: u8 = 0x06;

/// The stream of KT128 or KT256 over S = M || C || length_encode(|C|) (RFC 9861 §3.2).
#[derive(Clone, Copy)]
pub struct StreamK12 {
    /// The final node, which absorbs the first chunk itself, and the leaves.
    tree: SpongeTree,
    /// Bytes of the first chunk that the final node has absorbed.
    first: usize,
}

impl StreamK12 {
    const fn new(rate: usize) -> Self {
        let (node, leaf) = (Sponge::new(rate, 12, SINGLE), Sponge::new(rate, 12, LEAF));
        StreamK12 { tree: SpongeTree::new(node, leaf, CHUNK), first: 0 }
    }

    fn update(&mut self, data: &[u8]) {
        self.update_with(data, SpongeTree::update);
    }

    fn update_with(&mut self, mut data: &[u8], update: fn(&mut SpongeTree, &[u8])) {
        // The first chunk belongs to the final node and not to a leaf (RFC 9861 §3.2), so it would
        // be hashed alone. If `data` contains further chunks, `begin` hashes the first chunk in one
        // lane and these in the others.
        if self.first == 0 && data.len() >= 2 * CHUNK {
            data = self.tree.begin(data, &AFTER_FIRST);
            self.first = CHUNK;
        } else if self.first < CHUNK {
            let (head, rest) = data.split_at(data.len().min(CHUNK - self.first));
            self.tree.node.update(head);
            self.first += head.len();
            data = rest;
        }
        if !data.is_empty() {
            if self.tree.is_bare() {
                self.tree.node.update(&AFTER_FIRST);
            }
            update(&mut self.tree, data);
        }
    }

    /// `customization` is the last part of a customization string of `len` bytes, whose other parts
    /// the stream has absorbed.
    fn finish_xof(&self, customization: &[u8], len: u128) -> Output {
        let mut stream = *self;
        stream.update(customization);
        stream.update(Encoded::length(len).as_bytes());
        let tree = &mut stream.tree;
        if !tree.is_bare() {
            let leaves = tree.end();
            tree.node.update(Encoded::length(leaves.into()).as_bytes());
            tree.node.update(&[0xFF, 0xFF]);
            // The suffix is set at the end, because before the second chunk the node could have
            // been the only one. The node absorbs the same bytes in both cases (RFC 9861 §3.2).
            tree.node = tree.node.with_suffix(FINAL);
        }
        let output = tree.node.squeeze();
        wipe(&mut stream);
        output
    }

    /// Hashes one message in one call. A message of a single chunk needs no tree, so it is hashed
    /// where it lies and without a copy of the stream, which has 784 bytes.
    fn hash(&self, message: &[u8], customization: &[u8], out: &mut [u8]) {
        if customization.is_empty() && self.is_single(message) {
            return finish_one(&self.single(), message, out);
        }
        let mut stream = Secret(*self);
        stream.update(message);
        Secret(stream.finish_xof(customization, customization.len() as u128)).fill(out);
    }

    /// Returns whether the string is a single chunk after `message` and an empty customization
    /// string.
    fn is_single(&self, message: &[u8]) -> bool {
        self.tree.is_bare() && message.len() < CHUNK - self.first
    }

    /// Returns the stream for messages of a single chunk with an empty customization string: the
    /// node, which absorbs length_encode(0) after the message.
    fn single(&self) -> Trailed<'_> {
        Trailed { sponge: &self.tree.node, trailer: Encoded::length(0) }
    }

    /// Hashes messages of a single chunk side by side, and so the chunks of messages of a few
    /// chunks. A longer message fills the lanes with its own leaves.
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let mut trees = Trees::new();
        finish_others(&self.single(), messages, outputs, |index, outputs| {
            let message = messages.message(index);
            if self.is_single(message) {
                return false;
            }
            if SHARED && self.first == 0 && message.len() < FEW * CHUNK {
                if !trees.has_room(message.len()) {
                    trees.finish(self, messages, outputs);
                }
                trees.add(index, message.len());
            } else {
                self.finish_tree(message, index, outputs);
            }
            true
        });
        if trees.count > 0 {
            trees.finish(self, messages, outputs);
        }
    }

    /// Hashes one message of several chunks.
    fn finish_tree(&self, message: &[u8], index: usize, outputs: &mut Slots<'_>) {
        let mut stream = *self;
        stream.update(message);
        outputs.write(index, |out| stream.finish_xof(b"", 0).fill(out));
        wipe(&mut stream);
    }
}

/// Whether messages of a few chunks share the lanes, chunk by chunk. On WebAssembly they do not,
/// because the code would take 5 KB there, gzipped, to fill two lanes.
const SHARED: bool = !cfg!(target_family = "wasm");
/// Chunks of the longest message whose chunks share the lanes with those of other messages.
const FEW: usize = 32;
/// Chunks of all messages of a batch: those of 32 messages of 16 KiB, the last of which have no byte
/// of the message, fill eight lanes eight times. Their states take 19.2 KB of the stack.
const CHUNKS: usize = 96;
/// Messages of a batch. Each has two chunks at least.
const MESSAGES: usize = CHUNKS / 2;
/// Bytes of a state.
const STATE: usize = 200;

/// Messages of 2 to [`FEW`] chunks, which are hashed together: first all their chunks, then their
/// final nodes. Nothing may have been absorbed before them.
struct Trees {
    indexes: [usize; MESSAGES],
    count: usize,
    chunks: usize,
}

impl Trees {
    const fn new() -> Self {
        Trees { indexes: [0; MESSAGES], count: 0, chunks: 0 }
    }

    /// Returns the number of chunks of a message of `len` bytes. They also contain the zero byte
    /// that is the length of the customization string.
    fn chunks_of(len: usize) -> usize {
        len / CHUNK + 1
    }

    fn has_room(&self, len: usize) -> bool {
        self.chunks + Self::chunks_of(len) <= CHUNKS
    }

    fn add(&mut self, index: usize, len: usize) {
        self.indexes[self.count] = index;
        self.count += 1;
        self.chunks += Self::chunks_of(len);
    }

    fn indexes(&self) -> &[usize] {
        &self.indexes[..self.count]
    }

    /// Hashes the messages, writes their outputs and empties the batch.
    fn finish(&mut self, stream: &StreamK12, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        if let [index] = *self.indexes() {
            // A single message has the shorter way, because its first chunk needs no copy.
            stream.finish_tree(messages.message(index), index, outputs);
        } else {
            let mut values = [[0; STATE]; CHUNKS];
            self.hash_chunks(stream, messages, &mut values[..self.chunks]);
            self.hash_final_nodes(stream, messages, &values, outputs);
            wipe_bytes(values.as_flattened_mut());
        }
        *self = Trees::new();
    }

    /// Writes a value for each chunk: for the first chunk of a message the state of its final node,
    /// for the others the chaining value.
    fn hash_chunks(&self, stream: &StreamK12, messages: &dyn Messages, values: &mut [[u8; STATE]]) {
        let (node, leaf) = (&stream.tree.node, &stream.tree.new_leaf());
        let blank =
            Part { role: Role::Leaf, sponge: leaf, state: &[0; STATE], waiting: &[], bytes: &[] };
        let mut parts = [blank; CHUNKS];
        let mut rest = &mut parts[..];
        for message in self.indexes().iter().map(|&index| messages.message(index)) {
            let of_message;
            (of_message, rest) = rest.split_at_mut(Self::chunks_of(message.len()));
            for (i, part) in of_message.iter_mut().enumerate() {
                part.bytes = &message[i * CHUNK..message.len().min((i + 1) * CHUNK)];
            }
            if let [first, .., last] = of_message {
                *first = Part { role: Role::First, sponge: node, ..*first };
                last.role = Role::LastLeaf;
            }
        }
        let mut slots = Slots::packed(values.as_flattened_mut(), STATE);
        finish_each(&|i| &parts[i], &indexed(self.chunks, |i| parts[i].bytes), &mut slots);
    }

    /// Writes the outputs of the final nodes, which continue after the first chunk of each message
    /// (RFC 9861 §3.2).
    fn hash_final_nodes(
        &self,
        stream: &StreamK12,
        messages: &dyn Messages,
        mut values: &[[u8; STATE]],
        outputs: &mut Slots<'_>,
    ) {
        /// Bytes that all final nodes absorb after the first chunk: the chaining values, of 64 bytes
        /// at most, and 12 bytes around those of a message.
        const ENDS: usize = CHUNKS * 64 + MESSAGES * 12;
        let node = &stream.tree.node.with_suffix(FINAL);
        let waiting = CHUNK - CHUNK % node.rate()..CHUNK;
        let blank =
            Part { role: Role::Final, sponge: node, state: &[0; STATE], waiting: &[], bytes: &[] };
        let (mut parts, mut ends) = ([blank; MESSAGES], [0; ENDS]);
        let mut room = &mut ends[..];
        for (part, &index) in parts.iter_mut().zip(self.indexes()) {
            let message = messages.message(index);
            let of_message;
            (of_message, values) = values.split_at(Self::chunks_of(message.len()));
            let mut filled = 0;
            let mut push = |bytes: &[u8]| {
                room[filled..][..bytes.len()].copy_from_slice(bytes);
                filled += bytes.len();
            };
            let leaves = &of_message[1..];
            push(&AFTER_FIRST);
            leaves.iter().for_each(|value| push(&value[..stream.tree.value_len()]));
            push(Encoded::length(leaves.len() as u128).as_bytes());
            push(&[0xFF, 0xFF]);
            let end;
            (end, room) = room.split_at_mut(filled);
            part.state = &of_message[0];
            part.waiting = &message[waiting.clone()];
            part.bytes = end;
        }
        let of_messages = indexed(self.count, |i| parts[i].bytes);
        finish_each(&|i| &parts[i], &of_messages, &mut outputs.select(self.indexes()));
        wipe_bytes(&mut ends);
    }
}

/// A part of a message of several chunks: a chunk, or what the final node absorbs after the whole
/// blocks of the first chunk.
#[derive(Clone, Copy)]
struct Part<'a> {
    role: Role,
    sponge: &'a Sponge,
    /// The state before the part.
    state: &'a [u8; STATE],
    /// The bytes between that state and the part.
    waiting: &'a [u8],
    bytes: &'a [u8],
}

#[derive(Clone, Copy)]
enum Role {
    /// The first chunk. The final node continues it, so its output is the state, and its last bytes,
    /// less than a block, are not absorbed.
    First,
    Leaf,
    /// The length of the empty customization string follows.
    LastLeaf,
    Final,
}

impl Sequential for Part<'_> {
    type Family = Keccak;

    fn blocks(&self) -> Blocks {
        self.sponge.blocks()
    }
    fn shape(&self) -> Shape {
        self.sponge.shape()
    }
    fn state(&self) -> [u64; 25] {
        core::array::from_fn(|i| u64::from_le_bytes(self.state.as_chunks().0[i]))
    }
    fn waiting(&self) -> &[u8] {
        self.waiting
    }
    const ENDS_ALIKE: bool = false;

    fn last(&self, len: usize, tail: &mut [u8], rest: usize, set: impl FnMut(usize, u64)) -> usize {
        let sponge = self.sponge;
        match self.role {
            Role::First => 0,
            Role::Leaf | Role::Final => sponge.last(len, tail, rest, set),
            Role::LastLeaf => {
                Trailed { sponge, trailer: Encoded::length(0) }.last(len, tail, rest, set)
            }
        }
    }
    fn known(&self, _: &[u8]) {}
    fn output(&self, word: impl Fn(usize) -> u64, out: &mut [u8]) {
        match self.role {
            Role::First => write_words(|i| word(i).to_le_bytes(), out),
            // The place has the length of a state; a chaining value has that of the capacity.
            Role::Leaf | Role::LastLeaf => {
                self.sponge.output(word, &mut out[..STATE - self.sponge.rate()]);
            }
            Role::Final => self.sponge.output(word, out),
        }
    }
}

impl Wiped for StreamK12 {
    const WIPED: Self = StreamK12 { tree: SpongeTree::WIPED, first: 0 };
}

impl Progress for StreamK12 {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    fn output_len(&self) -> usize {
        self.tree.value_len()
    }
    fn save(&self, state: &mut Exported) {
        (self.first as u128 + self.tree.count()).put(state);
        self.tree.save(state);
    }
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let count = u128::take(state)?;
        let first = count.min(CHUNK as u128);
        let between = if count > first { first + AFTER_FIRST.len() as u128 } else { first };
        self.first = first as usize;
        self.tree.load(state, count - first, between)
    }
}

impl Stream for StreamK12 {
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        self.hash(message, b"", out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        self.finish_many(messages, outputs);
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update_with(data, SpongeTree::update_rayon);
        Ok(())
    }
}

/// KangarooTwelve as a type.
pub enum Function<const RATE: usize> {}

impl<const RATE: usize> Derivation for Function<RATE> {
    type Stream = StreamK12;
    type Reader = XofReader;
    const FACTS: Facts = match RATE {
        168 => {
            Facts::xof(0x40, "KT128", [32, 168], "RFC 9861 §3").aliases(&["KangarooTwelve", "K12"])
        }
        _ => Facts::xof(0x41, "KT256", [64, 136], "RFC 9861 §3"),
    };
    const BLANK: StreamK12 = StreamK12::new(RATE);
    #[cfg(feature = "std")]
    const READ_LEN: usize = READ_CHUNKS_LEN;

    fn reader(stream: &StreamK12) -> XofReader {
        XofReader::new(stream.finish_xof(b"", 0))
    }
    fn reader_custom(stream: &StreamK12, customization: &[u8]) -> Result<XofReader, Error> {
        Ok(XofReader::new(stream.finish_xof(customization, customization.len() as u128)))
    }
}

/// A hasher for KangarooTwelve (RFC 9861 §3), whose output may have any length. Use its aliases
/// [`Kt128`] and [`Kt256`].
///
/// KangarooTwelve is a hash tree over TurboSHAKE with a rate of `RATE` bytes: 168 or 136. It cuts
/// the message into chunks of 8192 bytes. An update with several chunks hashes them side by side in
/// SIMD lanes, so updates should be long.
///
/// A customization string separates different uses of the function: the same message yields
/// unrelated outputs with different strings. KangarooTwelve hashes the string after the message, so
/// it is an argument of [`squeeze_custom`](Derived::squeeze_custom). The string of the other methods
/// is empty.
///
/// ```
/// use hashmill::{Customization, Kt128, kt128};
///
/// let message = [7; 100_000];
/// let mut hasher = Kt128::new();
/// hasher.update(&message[..10]).update(&message[10..]);
/// assert_eq!(kt128(&message, Customization(b"")), hasher.finalize::<32>());
/// let mut out = [0; 32];
/// hasher.squeeze_custom(b"my protocol").fill(&mut out);
/// assert_eq!(kt128(&message, Customization(b"my protocol")), out);
/// ```
pub type KangarooTwelve<const RATE: usize> = Derived<Function<RATE>>;

/// A hasher for KT128 (RFC 9861 §3.2), which has a security strength of 128 bits.
pub type Kt128 = KangarooTwelve<168>;
/// A hasher for KT256 (RFC 9861 §3.2), which has a security strength of 256 bits.
pub type Kt256 = KangarooTwelve<136>;

impl<const RATE: usize> KangarooTwelve<RATE> {
    /// Creates a hasher that has absorbed nothing. A `RATE` other than 168 and 136 does not
    /// compile.
    pub const fn new() -> Self {
        const { assert!(RATE == 168 || RATE == 136, "KangarooTwelve's rates are 168 and 136 bytes") };
        Derived { stream: Secret(StreamK12::new(RATE)) }
    }

    /// Returns a reader of the output for the bytes absorbed so far, with a customization string of
    /// any length. The hasher is unchanged and may absorb more.
    pub fn squeeze_custom(&self, customization: &[u8]) -> XofReader {
        XofReader::new(self.stream.finish_xof(customization, customization.len() as u128))
    }

    /// Returns a reader of the output, where the last `len` of the bytes absorbed so far are not the
    /// message's but the customization string. The caller must check that there are as many.
    ///
    /// It exists for the JavaScript package, whose WebAssembly has room for 64 KiB at once.
    #[doc(hidden)]
    pub fn squeeze_after_custom(&self, len: u64) -> XofReader {
        XofReader::new(self.stream.finish_xof(b"", len.into()))
    }

    /// Returns the hasher to the state of [`new`](Self::new).
    pub fn reset(&mut self) {
        *self = Self::new();
    }
}

impl<const RATE: usize> Default for KangarooTwelve<RATE> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the first `N` bytes of the KT128 output (RFC 9861 §3) for `message`, with a
/// customization string.
#[inline]
pub fn kt128<const N: usize>(
    message: impl AsRef<[u8]>,
    customization: Customization<'_>,
) -> Digest<N> {
    let mut digest = Digest([0; N]);
    const { &StreamK12::new(168) }.hash(message.as_ref(), customization.0, &mut digest.0);
    digest
}

/// Returns the first `N` bytes of the KT256 output (RFC 9861 §3) for `message`, with a
/// customization string.
#[inline]
pub fn kt256<const N: usize>(
    message: impl AsRef<[u8]>,
    customization: Customization<'_>,
) -> Digest<N> {
    let mut digest = Digest([0; N]);
    const { &StreamK12::new(136) }.hash(message.as_ref(), customization.0, &mut digest.0);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exports and imports a hasher at lengths around the ends of the first chunk, of a leaf, and
    /// of a block of the node and of a leaf.
    fn a_saved_function_goes_on<const RATE: usize>() {
        let message = [0xA5; 3 * CHUNK + 200];
        let mut expected = [0; 32];
        StreamK12::new(RATE).hash(&message, b"C", &mut expected);
        for end in [0, 1, RATE, CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + RATE, 3 * CHUNK] {
            let saved = KangarooTwelve::<RATE>::new().update(&message[..end]).export();
            let mut loaded = KangarooTwelve::<RATE>::import(saved.as_ref()).expect("was exported");
            loaded.update(&message[end..]);
            let mut out = [0; 32];
            loaded.squeeze_custom(b"C").fill(&mut out);
            assert_eq!(out, expected, "rate {RATE}, after {end} bytes");
        }
    }

    #[test]
    fn saved_functions_go_on() {
        a_saved_function_goes_on::<168>();
        a_saved_function_goes_on::<136>();
        let saved = Kt128::new().export();
        assert_eq!(Kt256::import(saved.as_ref()).err(), Some(Error::StateAlgorithm));
    }
}
