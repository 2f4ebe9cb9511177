//! BLAKE2X ("BLAKE2X", Aumasson, Neves, Wilcox-O'Hearn, Winnerlein, 2016): BLAKE2Xb and BLAKE2Xs,
//! which extend BLAKE2b and BLAKE2s to outputs of any length.
//!
//! The root hashes the message to a digest of full length. Block `i` of the output is BLAKE2 of the
//! root's digest, computed as node `i` of a tree of depth 0. In all nodes, the upper 32 bits of the
//! node offset (the upper 16 for BLAKE2s) contain the output's length. Therefore a longer output
//! does not begin with a shorter one, unless both have an unknown length. A length field of all
//! ones means that the length is unknown.
//!
//! The blocks do not depend on each other, so many of them are hashed side by side in lanes.

use crate::blake2::params::{LastNode, Values};
use crate::blake2_params::{Node, Params};
use crate::derived::{Derivation, Derived};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::function;
use crate::hasher::{Hash, MANY, Stream};
use crate::lanes::LANES;
use crate::messages::{Messages, OutputLen, Part, Rows, Slots, indexed};
use crate::state::{Exported, Import, Stored};
use crate::stream::{Progress, must};
use crate::wipe::{Secret, Wiped, run_wiped_if, wipe, wipe_bytes};
use core::array::from_fn;
use core::marker::PhantomData;

/// The longest block of output, in bytes.
const BLOCK: usize = 64;

/// The stream of BLAKE2X.
#[derive(Clone, Copy)]
pub struct StreamX<F: Node> {
    root: F::Stream,
    /// The parameters of the output's blocks, except for a block's number and length.
    block: Params<'static, F>,
}

impl<F: Node> StreamX<F> {
    /// The value of the length field that means an unknown length: all ones.
    const UNKNOWN: u64 = F::MAX_OFFSET >> 32;
    const BLOCK: Params<'static, F> =
        Params::new().fanout(0).max_depth(0).leaf_len(F::MAX_LEN as u32).inner_len(F::MAX_LEN);

    /// Returns the output's length in bytes, or `None` if it is unknown.
    fn len(&self) -> Option<u64> {
        Some(self.block.values.node_offset >> 32).filter(|&len| len != Self::UNKNOWN)
    }

    fn reader(&self, root: &[u8]) -> Blake2xReader<F> {
        let mut reader = Blake2xReader {
            root: [0; BLOCK],
            params: self.block,
            block: [0; BLOCK],
            position: 0,
            end: 0,
            total: self.len().unwrap_or((F::MAX_LEN as u64) << 32),
            keyed: self.root.keyed(),
        };
        reader.root[..root.len()].copy_from_slice(root);
        reader
    }

    /// Returns the reader of the output after `message`.
    fn reader_after(&self, message: &[u8]) -> Blake2xReader<F> {
        let mut root = [0; BLOCK];
        self.root.finish(message, &mut root[..F::MAX_LEN]);
        let reader = self.reader(&root);
        wipe(&mut root);
        reader
    }

    /// Computes the roots' digests in lanes, then all first blocks in lanes. The further blocks of
    /// longer outputs are computed message by message.
    fn finish_part(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        const BATCH: usize = 64;
        let first = self.reader(&[]).hasher(0);
        let (mut roots, mut blocks) = ([0; BATCH * BLOCK], [0; BATCH * BLOCK]);
        for start in (0..messages.count()).step_by(BATCH) {
            let count = BATCH.min(messages.count() - start);
            let part = Part { all: messages, start, count };
            let roots = &mut roots[..count * F::MAX_LEN];
            self.root.finish_many(&part, &mut Slots::packed(roots, F::MAX_LEN));
            let blocks = &mut blocks[..count * first.output_len()];
            must(first.hash_many(must(Rows::new(roots, F::MAX_LEN)), blocks));
            let both = roots.chunks(F::MAX_LEN).zip(blocks.chunks(first.output_len()));
            for (index, (root, block)) in both.enumerate() {
                let mut reader = self.reader(root);
                reader.block[..block.len()].copy_from_slice(block);
                reader.end = F::MAX_LEN as u64;
                outputs.write(start + index, |out| must(reader.try_fill(out)));
            }
        }
        wipe_bytes(&mut roots);
        wipe_bytes(&mut blocks);
    }
}

impl<F: Node> Wiped for StreamX<F> {
    const WIPED: Self = StreamX { root: *F::STREAM, block: Self::BLOCK };
}

impl<F: Node> Progress for StreamX<F> {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.root.try_update(data)
    }
    fn output_len(&self) -> usize {
        self.len().map_or(F::MAX_LEN, |len| usize::try_from(len).unwrap_or(usize::MAX))
    }
    fn room(&self) -> u128 {
        self.root.room()
    }
    fn count(&self) -> Option<u128> {
        self.root.count()
    }
    /// The root and the blocks of the output clear the stack that they use.
    fn stack(&self) -> usize {
        1024
    }
    fn keyed(&self) -> bool {
        self.root.keyed()
    }
    fn save(&self, state: &mut Exported) {
        let Values { node_offset, salt, personal, .. } = &self.block.values;
        node_offset.put(state);
        state.put(salt);
        state.put(personal);
        self.root.save(state);
    }
    fn load(&mut self, import: &mut Import<'_>) -> Result<(), Error> {
        let values = &mut self.block.values;
        values.node_offset = u64::take(import)?;
        values.salt.copy_from_slice(import.take(16)?);
        values.personal.copy_from_slice(import.take(16)?);
        let len = values.node_offset >> 32;
        let beyond = values.salt[F::MAX_SALT..].iter().chain(&values.personal[F::MAX_SALT..]);
        let fits = beyond.copied().all(|byte| byte == 0);
        // The root's state begins with its output length and its flag as the last node of a level.
        // BLAKE2X sets both itself.
        let root = import.rest().starts_with(&[F::MAX_LEN as u8, LastNode::No as u8]);
        if values.node_offset as u32 != 0 || !(1..=Self::UNKNOWN).contains(&len) || !fits || !root {
            return Err(Error::StateInconsistent);
        }
        self.root.load(import)
    }
}

impl<F: Node> Stream for StreamX<F> {
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        must(self.reader_after(message).try_fill(out));
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        // The nodes of the outputs have no key, and their messages are the roots' digests.
        run_wiped_if(self.root.keyed(), 2 * MANY, || self.finish_part(messages, outputs));
    }
}

/// BLAKE2X over `F` as a type.
pub struct Function<F>(PhantomData<F>);

impl<F: Node> Derivation for Function<F> {
    type Stream = StreamX<F>;
    type Reader = Blake2xReader<F>;
    const FACTS: Facts = match F::MAX_LEN {
        64 => Facts::xof(0x42, "BLAKE2Xb", [64, 128], "BLAKE2X paper"),
        _ => Facts::xof(0x43, "BLAKE2Xs", [32, 64], "BLAKE2X paper"),
    };
    const BLANK: StreamX<F> = StreamX::WIPED;

    fn output(stream: &StreamX<F>) -> Result<OutputLen, Error> {
        Ok(OutputLen { len: stream.output_len(), any: stream.len().is_none() })
    }
    #[inline(never)] // so that the caller does not move it through its frame
    fn reader(stream: &StreamX<F>) -> Blake2xReader<F> {
        run_wiped_if(stream.keyed(), stream.stack(), || stream.reader_after(&[]))
    }
}

/// BLAKE2X over BLAKE2b or BLAKE2s: [`Blake2xb`] and [`Blake2xs`].
///
/// [`new`](Derived::new) creates a function whose output has an unknown length. That output can be
/// read until it ends, after 2³² blocks of 64 or 32 bytes. For a key, a salt, a personalization, or
/// a length that is known before the message, use `build_xof` of
/// [`blake2b::Params`](crate::blake2b::Params) and [`blake2s::Params`](crate::blake2s::Params). An
/// output of known length differs from the output of unknown length, and depends on the length.
///
/// ```
/// use hashmill::{Blake2xb, blake2b, blake2xb};
///
/// let mut hasher = blake2b::Params::new().key(b"key").build_xof(Some(100))?;
/// let output = hasher.update(b"message").finalize::<100>();
///
/// // No key; the type determines the length.
/// let seed = blake2xb::<100>(b"message");
/// assert_ne!(seed, output);
///
/// // The length is unknown: the caller reads as many bytes as it needs.
/// let mut out = [0; 100];
/// let mut reader = Blake2xb::new().update(b"message").squeeze();
/// reader.try_fill(&mut out)?;
/// reader.try_fill(&mut out)?;
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type Blake2x<F> = Derived<Function<F>>;

/// BLAKE2Xb: outputs of 1 to 2³² − 2 bytes, or of unknown length, up to 256 GiB.
pub type Blake2xb = Blake2x<function::Blake2b>;
/// BLAKE2Xs: outputs of 1 to 2¹⁶ − 2 bytes, or of unknown length, up to 128 GiB.
pub type Blake2xs = Blake2x<function::Blake2s>;

/// Returns BLAKE2Xb of a message, with an output of the known length of `N` bytes, 1 to 2³² − 2.
#[inline]
pub fn blake2xb<const N: usize>(message: impl AsRef<[u8]>) -> Digest<N> {
    hash::<function::Blake2b, N>(message.as_ref())
}

/// Returns BLAKE2Xs of a message, with an output of the known length of `N` bytes, 1 to 2¹⁶ − 2.
#[inline]
pub fn blake2xs<const N: usize>(message: impl AsRef<[u8]>) -> Digest<N> {
    hash::<function::Blake2s, N>(message.as_ref())
}

fn hash<F: Node, const N: usize>(message: &[u8]) -> Digest<N> {
    const { assert!(N >= 1 && (N as u64) < StreamX::<F>::UNKNOWN, "the output length is out of range") };
    must(Params::<F>::new().build_xof(Some(N as u64))).hash(message)
}

impl<F: Node> Params<'_, F> {
    /// Builds BLAKE2X with the key, the salt and the personalization of these parameters, and with
    /// an output of `len` bytes, or of unknown length if `len` is `None`. BLAKE2X sets all other
    /// parameters itself.
    ///
    /// # Errors
    /// The error of the first setter whose argument was out of range; [`Error::Blake2OutputLength`]
    /// if `len` is 0 or more than 2³² − 2 for BLAKE2Xb, 2¹⁶ − 2 for BLAKE2Xs.
    pub fn build_xof(&self, len: Option<u64>) -> Result<Blake2x<F>, Error> {
        let (values, unknown) = (&self.values, StreamX::<F>::UNKNOWN);
        if let Some(mistake) = values.mistake {
            return Err(mistake);
        }
        if let Some(given) = len.filter(|&len| len == 0 || len >= unknown) {
            return Err(Error::Blake2OutputLength { given });
        }
        let (salt, personal) = (&values.salt[..F::MAX_SALT], &values.personal[..F::MAX_SALT]);
        let node_offset = len.unwrap_or(unknown) << 32;
        let block = StreamX::<F>::BLOCK.salt(salt).personal(personal).node_offset(node_offset);
        run_wiped_if(!values.key.is_empty(), F::STREAM.stack(), || {
            let root = Params::<F>::new().salt(salt).personal(personal).node_offset(node_offset);
            let root = F::stream(&root.key(values.key).values);
            Ok(Derived { stream: Secret(StreamX { root, block }) })
        })
    }
}

impl<F: Node> Blake2x<F> {
    /// Creates a function without a key and with an output of unknown length.
    pub fn new() -> Self {
        must(Params::new().build_xof(None))
    }

    /// Returns the output's length in bytes, or `None` if it is unknown.
    pub fn output_len(&self) -> Option<u64> {
        self.stream.len()
    }
}

impl<F: Node> Default for Blake2x<F> {
    fn default() -> Self {
        Self::new()
    }
}

/// A reader of the output of [`Blake2x`], from its beginning to its end.
///
/// It is also an [`Iterator`] over bytes, and an `io::Read`. It is wiped when dropped.
#[derive(Clone)]
pub struct Blake2xReader<F: Node> {
    /// The root's digest, which every block of the output hashes.
    root: [u8; BLOCK],
    params: Params<'static, F>,
    /// The last block that was hashed. It ends right before byte `end` of the output.
    block: [u8; BLOCK],
    /// The number of bytes that were read.
    position: u64,
    end: u64,
    /// The length of the output in bytes.
    total: u64,
    keyed: bool,
}

impl<F: Node> Blake2xReader<F> {
    /// Returns the node that computes block `i`. The last block may be shorter.
    fn hasher(&self, i: u64) -> Hash<F> {
        let max = F::MAX_LEN as u64;
        let len = (self.total - i * max).min(max) as usize;
        let node_offset = self.params.values.node_offset | i;
        must(F::build(&self.params.output_len(len).node_offset(node_offset)))
    }

    /// Continues at byte `position` of the output: its blocks do not depend on each other.
    ///
    /// # Errors
    /// [`Error::OutputEnd`] if the output is shorter. The position is unchanged then.
    ///
    /// ```
    /// use hashmill::{Blake2xb, blake2xb};
    ///
    /// let mut reader = Blake2xb::new().squeeze();
    /// let (mut all, mut end) = ([0; 200], [0; 50]);
    /// reader.try_fill(&mut all)?;
    /// reader.seek(150)?;
    /// reader.try_fill(&mut end)?;
    /// assert_eq!(all[150..], end);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        if position > self.total {
            return Err(Error::OutputEnd { given: position, left: self.total });
        }
        let max = F::MAX_LEN as u64;
        let (first, skipped) = (position / max * max, (position % max) as usize);
        (self.position, self.end) = (first, first);
        let mut block = [0; BLOCK];
        let outcome = self.try_fill(&mut block[..skipped]);
        wipe(&mut block);
        outcome
    }

    /// Writes the next bytes of the output.
    ///
    /// # Errors
    /// [`Error::OutputEnd`] if fewer than `out.len()` bytes of the output are left. Nothing is
    /// written then.
    pub fn try_fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let (given, left) = (out.len() as u64, self.total - self.position);
        if given > left {
            return Err(Error::OutputEnd { given, left });
        }
        let left = (self.end - self.position) as usize;
        let (begun, blocks) = out.split_at_mut(left.min(out.len()));
        begun.copy_from_slice(&self.block[F::MAX_LEN - left..][..begun.len()]);
        self.position += begun.len() as u64;
        run_wiped_if(self.keyed && !blocks.is_empty(), 2 * MANY, || self.fill_blocks(blocks));
        Ok(())
    }

    /// Writes the next bytes of the output, which begin with a block. If there is a key, the caller
    /// clears the stack, which contains words of the root's digest.
    fn fill_blocks(&mut self, blocks: &mut [u8]) {
        for out in blocks.chunks_mut(LANES * F::MAX_LEN) {
            let count = out.len().div_ceil(F::MAX_LEN);
            let first = self.end / F::MAX_LEN as u64;
            let hashers: [Hash<F>; LANES] =
                from_fn(|i| self.hasher(first + i.min(count - 1) as u64));
            let root = &self.root[..F::MAX_LEN];
            let mut blocks = [0; LANES * BLOCK];
            let mut slots = Slots::packed(&mut blocks[..count * F::MAX_LEN], F::MAX_LEN);
            let (each, roots) = (|i: usize| &*hashers[i].stream, indexed(count, |_| root));
            F::Stream::finish_each(&each, &roots, &mut slots);
            out.copy_from_slice(&blocks[..out.len()]);
            self.block[..F::MAX_LEN]
                .copy_from_slice(&blocks[(count - 1) * F::MAX_LEN..][..F::MAX_LEN]);
            self.position += out.len() as u64;
            self.end += (count * F::MAX_LEN) as u64;
            wipe_bytes(&mut blocks);
        }
    }
}

impl<F: Node> Iterator for Blake2xReader<F> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.try_fill(&mut byte).is_ok().then_some(byte[0])
    }
}

#[cfg(feature = "std")]
impl<F: Node> std::io::Read for Blake2xReader<F> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let left = usize::try_from(self.total - self.position).unwrap_or(usize::MAX);
        let len = out.len().min(left);
        must(self.try_fill(&mut out[..len]));
        Ok(len)
    }
}

impl<F: Node> core::fmt::Debug for Blake2xReader<F> {
    /// Shows nothing of the output, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { position, total, .. } = self;
        write!(f, "Blake2xReader {{ position: {position}, total: {total}, .. }}")
    }
}

impl<F: Node> Drop for Blake2xReader<F> {
    fn drop(&mut self) {
        wipe(&mut self.root);
        wipe(&mut self.block);
    }
}
