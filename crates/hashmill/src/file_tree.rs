//! The tree hashes that systems compute of files: leaves of one length, and a rule for what is above
//! them.

use crate::algorithm::Algorithm;
use crate::any::Hashing;
use crate::digest::VarDigest;
use crate::error::Error;
use crate::hasher::bytes_in;
use crate::hashes::{Sha256, Sha512, sha256};
use crate::merkle::{Merkle, Odd};
use crate::messages::Rows;
use crate::stream::{MAX_DIGEST, must};
use core::num::NonZero;

const KIB: usize = 1024;
/// The leaves that are hashed in one batch: some for each lane of every CPU.
const BATCH: usize = 64;

/// A file's hash in progress, by the rule of a system that hashes the file's blocks apart.
///
/// The blocks that lie in one piece of the file are hashed side by side in SIMD lanes, so give
/// [`update`](Self::update) long pieces: a mapped file, or several blocks at a time. It has less than
/// 4 KiB, whatever the length of the file, and allocates nothing.
///
/// ```
/// use hashmill::FileTree;
///
/// let root = FileTree::bittorrent().update(b"the content of a file").finalize();
/// assert_eq!(root, hashmill::sha256(b"the content of a file")[..]); // it has one block
/// ```
#[derive(Clone, Debug)]
pub struct FileTree {
    /// The hasher of a block, which has absorbed the salt.
    block: Sha,
    block_len: usize,
    /// The block that is not complete.
    last: Sha,
    /// The number of bytes so far.
    len: u64,
    above: Above,
}

/// A hasher of one of the functions that these trees are defined for.
#[derive(Clone, Debug)]
enum Sha {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Sha {
    fn get(&self) -> &dyn Hashing {
        match self {
            Sha::Sha256(hasher) => hasher,
            Sha::Sha512(hasher) => hasher,
        }
    }

    fn update(&mut self, data: &[u8]) {
        match self {
            Sha::Sha256(hasher) => drop(hasher.update(data)),
            Sha::Sha512(hasher) => drop(hasher.update(data)),
        }
    }

    fn update_zeros(&mut self, mut len: usize) {
        const ZEROS: [u8; KIB] = [0; KIB];
        while len > 0 {
            let part = len.min(KIB);
            self.update(&ZEROS[..part]);
            len -= part;
        }
    }
}

/// What is computed of the digests of the blocks.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "without a heap, large states are in place")]
enum Above {
    /// The digest of all digests, one after the other.
    List(Sha256),
    /// A binary tree.
    Pairs(Pairs),
    /// The digests are blocks, too, and so on.
    Blocks(Verity),
}

/// A binary tree of SHA-256. A `MountainRange` needs a heap, and has no bound to its number of peaks.
#[derive(Clone, Debug)]
struct Pairs {
    odd: Odd,
    /// The root of the last complete subtree of each height, if its sibling is not complete: if this bit
    /// of the number of leaves is 1.
    peaks: [[u8; 32]; 64],
}

/// fs-verity's tree: what its descriptor says, and the levels of blocks of digests.
#[derive(Clone, Debug)]
struct Verity {
    algorithm: Algorithm,
    salt: [u8; 32],
    salt_len: usize,
    /// The incomplete block of each level.
    levels: [Sha; LEVELS],
    /// The first digest of the highest level that has one.
    top: VarDigest,
}

/// The greatest number of levels: a file has fewer than 2⁵⁴ blocks of 1 KiB, and at least 2⁴ digests fit
/// in a block.
const LEVELS: usize = 14;
const _: () = assert!(1 << 54 <= 16_u64.pow(LEVELS as u32));

impl FileTree {
    fn new(block: Sha, block_len: usize, above: Above) -> Self {
        FileTree { last: block.clone(), block, block_len, len: 0, above }
    }

    fn pairs(block_len: usize, odd: Odd) -> Self {
        let pairs = Pairs { odd, peaks: [[0; 32]; 64] };
        Self::new(Sha::Sha256(Sha256::new()), block_len, Above::Pairs(pairs))
    }

    /// Linux's fs-verity: the digest of the descriptor, which `fsverity digest` prints and
    /// `FS_IOC_MEASURE_VERITY` returns. The usual block has 4096 bytes, and the usual salt is empty.
    ///
    /// # Errors
    /// [`Error::Verity`] if the function is not SHA-256 or SHA-512, if `block_len` is not a power of
    /// two from 1024 to 65536, or if the salt has more than 32 bytes.
    ///
    /// ```
    /// use hashmill::{Algorithm, FileTree};
    ///
    /// let digest = FileTree::fs_verity(Algorithm::Sha256, 4096, b"")?.finalize();
    /// assert_eq!(digest.to_string()[..16], *"3d248ca542a24fc6");
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn fs_verity(algorithm: Algorithm, block_len: usize, salt: &[u8]) -> Result<Self, Error> {
        let is_block = block_len.is_power_of_two() && (KIB..=64 * KIB).contains(&block_len);
        let mut block = match algorithm {
            Algorithm::Sha256 => Sha::Sha256(Sha256::new()),
            Algorithm::Sha512 => Sha::Sha512(Sha512::new()),
            _ => return Err(Error::Verity),
        };
        let mut padded = [0; 32];
        let place = padded.get_mut(..salt.len()).filter(|_| is_block).ok_or(Error::Verity)?;
        place.copy_from_slice(salt);
        // The salt is padded with zeros to a whole block of the hash function.
        block.update(salt);
        block.update_zeros(salt.len().next_multiple_of(algorithm.block_len()) - salt.len());
        let levels = core::array::from_fn(|_| block.clone());
        let (salt_len, top) = (salt.len(), VarDigest::default());
        let verity = Verity { algorithm, salt: padded, salt_len, levels, top };
        Ok(Self::new(block, block_len, Above::Blocks(verity)))
    }

    /// BitTorrent v2: the field `pieces root` of a file (BEP 52), SHA-256 of blocks of 16 KiB. An
    /// empty file has no such field; its root is zeros here.
    pub fn bittorrent() -> Self {
        Self::pairs(16 * KIB, Odd::Zeros)
    }

    /// Amazon Glacier: the SHA-256 tree hash of blocks of 1 MiB (`x-amz-sha256-tree-hash`).
    pub fn glacier() -> Self {
        Self::pairs(KIB * KIB, Odd::Promote)
    }

    /// Dropbox: the field `content_hash`, the SHA-256 of the SHA-256 of each 4 MiB.
    pub fn dropbox() -> Self {
        Self::list(4 * KIB * KIB)
    }

    /// Amazon S3: the composite SHA-256 of an object that was uploaded in parts of this length (the
    /// last part may be shorter). S3 shows it in base64 with `-` and the number of parts, which
    /// [`blocks`](Self::blocks) returns.
    pub fn s3(part_len: NonZero<usize>) -> Self {
        Self::list(part_len.get())
    }

    fn list(block_len: usize) -> Self {
        Self::new(Sha::Sha256(Sha256::new()), block_len, Above::List(Sha256::new()))
    }

    /// Absorbs the next bytes of the file.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.update_slice(data.as_ref());
        self
    }

    fn update_slice(&mut self, data: &[u8]) {
        let missing = self.block_len - self.filled();
        if missing < self.block_len {
            let (end, data) = data.split_at(missing.min(data.len()));
            self.last.update(end);
            self.len += end.len() as u64;
            if end.len() == missing {
                self.end_block();
                self.update_slice(data);
            }
            return;
        }
        let (whole, rest) = data.split_at(data.len() - data.len() % self.block_len);
        let mut digests = [0; BATCH * MAX_DIGEST];
        for part in whole.chunks(self.block_len.saturating_mul(BATCH)) {
            let rows = must(Rows::new(part, self.block_len));
            let block = self.block.get();
            let digests = &mut digests[..part.len() / self.block_len * block.output_len()];
            must(block.hash_many(rows, &mut *digests));
            self.len += part.len() as u64;
            self.push(digests);
        }
        self.last.update(rest);
        self.len += rest.len() as u64;
    }

    /// Returns the hash of the bytes so far. The file may go on.
    pub fn finalize(&self) -> VarDigest {
        let mut tree = self.clone();
        if self.filled() > 0 {
            if let Above::Blocks(..) = self.above {
                tree.last.update_zeros(self.block_len - self.filled());
            }
            tree.len = self.blocks() * self.block_len as u64;
            tree.end_block();
        }
        match tree.above {
            Above::List(hasher) => hasher.finalize().into(),
            Above::Pairs(pairs) => must(VarDigest::try_from(&pairs.root(self.blocks())[..])),
            Above::Blocks(verity) => verity.digest(self.block_len, self.len),
        }
    }

    /// Returns the number of blocks so far. The last one may be incomplete.
    pub fn blocks(&self) -> u64 {
        self.len.div_ceil(self.block_len as u64)
    }

    /// Returns how many bytes of the last block there are, or 0 if it is complete.
    fn filled(&self) -> usize {
        (self.len % self.block_len as u64) as usize
    }

    fn end_block(&mut self) {
        let mut digest = self.last.get().finalize();
        self.last = self.block.clone();
        self.push(digest.as_mut());
    }

    /// Adds the digests of the last blocks, and overwrites them.
    fn push(&mut self, digests: &mut [u8]) {
        let len = self.block.get().output_len();
        let before = self.len / self.block_len as u64 - (digests.len() / len) as u64;
        match &mut self.above {
            Above::List(hasher) => drop(hasher.update(digests)),
            Above::Pairs(pairs) => pairs.push(digests, 0, before),
            Above::Blocks(verity) => {
                for (digest, before) in digests.chunks_exact(len).zip(before..) {
                    verity.push(&self.block, self.block_len, digest, before);
                }
            }
        }
    }
}

bytes_in!([] FileTree, read [0; crate::hasher::READ_CHUNKS_LEN]);

/// Returns the node above two nodes.
fn node(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    Sha256::new().update(left).hash(right).into_bytes()
}

impl Pairs {
    /// Adds nodes at this height, where there are `before` so far, and overwrites them.
    fn push(&mut self, nodes: &mut [u8], height: usize, mut before: u64) {
        let nodes = nodes.as_chunks_mut::<32>().0;
        // The first node may have a sibling that waits.
        let (first, nodes) = nodes.split_at_mut(nodes.len().min((before % 2) as usize));
        if let [first] = first {
            self.push(&mut node(&self.peaks[height], first), height + 1, before / 2);
            before += 1;
        }
        let (pairs, last) = nodes.split_at_mut(nodes.len() / 2 * 2);
        if !pairs.is_empty() {
            let tree = Merkle::new(Sha256::new(), self.odd);
            let above = must(tree.pairs(pairs.as_flattened_mut()));
            self.push(above, height + 1, before / 2);
        }
        if let [last] = last {
            self.peaks[height] = *last;
        }
    }

    /// Returns the root over this number of leaves.
    fn root(&self, leaves: u64) -> [u8; 32] {
        // The incomplete subtree of each height, and the complete one of zeros, if the rule has that.
        let mut root = None;
        let mut zeros = (self.odd == Odd::Zeros).then_some([0; 32]);
        for (height, peak) in self.peaks.iter().enumerate() {
            root = match (root, leaves >> height) {
                (None, 0) => return zeros.unwrap_or_else(|| sha256(b"").into_bytes()),
                (None, 1) => return *peak,
                (Some(root), 0) => return root,
                (Some(root), left) if left % 2 == 1 => Some(node(peak, &root)),
                (None, left) if left % 2 == 0 => None,
                (alone, _) => {
                    let alone = alone.unwrap_or(*peak);
                    Some(zeros.map_or(alone, |zeros| node(&alone, &zeros)))
                }
            };
            zeros = zeros.map(|zeros| node(&zeros, &zeros));
        }
        root.unwrap_or_default()
    }
}

impl Verity {
    /// Adds the digest of a block, before which there were this number.
    fn push(&mut self, block: &Sha, block_len: usize, digest: &[u8], mut before: u64) {
        let arity = (block_len / digest.len()) as u64;
        let mut digest = must(VarDigest::try_from(digest));
        for level in &mut self.levels {
            if before == 0 {
                self.top = digest;
            }
            level.update(&digest);
            if before % arity != arity - 1 {
                return;
            }
            digest = level.get().finalize();
            *level = block.clone();
            before /= arity;
        }
    }

    /// Returns the root over this number of blocks, or no bytes if there are none.
    fn root(&self, block_len: usize, mut blocks: u64) -> VarDigest {
        let len = self.algorithm.output_len();
        let arity = (block_len / len) as u64;
        let mut root = VarDigest::default();
        for level in &self.levels {
            let (mut level, mut filled) = (level.clone(), (blocks % arity) as usize);
            blocks /= arity;
            if blocks == 0 && filled == 1 && root.is_empty() {
                return self.top;
            }
            level.update(&root);
            filled += usize::from(!root.is_empty());
            if filled > 0 {
                level.update_zeros(block_len - filled * len);
                root = level.get().finalize();
            }
            if blocks == 0 {
                break;
            }
        }
        root
    }

    /// Returns the digest of the descriptor of a file (`struct fsverity_descriptor`) of this length,
    /// before which no salt is absorbed.
    fn digest(&self, block_len: usize, len: u64) -> VarDigest {
        const VERSION: u8 = 1;
        // FS_VERITY_HASH_ALG_SHA256 and FS_VERITY_HASH_ALG_SHA512.
        let number = if self.algorithm == Algorithm::Sha256 { 1 } else { 2 };
        let root = self.root(block_len, len.div_ceil(block_len as u64));
        let mut descriptor = [0; 256];
        let log = block_len.trailing_zeros() as u8;
        descriptor[..4].copy_from_slice(&[VERSION, number, log, self.salt_len as u8]);
        descriptor[8..16].copy_from_slice(&len.to_le_bytes());
        descriptor[16..][..root.len()].copy_from_slice(&root);
        descriptor[80..][..self.salt.len()].copy_from_slice(&self.salt);
        self.algorithm.hash(descriptor)
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::{Digest, function};
    use alloc::vec::Vec;

    /// A binary tree over blocks of one byte.
    fn pairs(odd: Odd) -> FileTree {
        FileTree::pairs(1, odd)
    }

    #[test]
    fn binary_trees_are_those_of_all_leaves() {
        let data: Vec<u8> = (0..=255).collect();
        for odd in [Odd::Promote, Odd::Zeros] {
            for count in 0..data.len() {
                let mut leaves = Vec::new();
                data[..count].iter().for_each(|byte| leaves.extend(*crate::sha256([*byte])));
                let root = Merkle::new(crate::Sha256::new(), odd).root(&mut leaves);
                let root = VarDigest::from(must(root));
                assert_eq!(pairs(odd).update(&data[..count]).finalize(), root, "{count} blocks");
            }
        }
    }

    /// Three levels of blocks with 16 digests each.
    #[test]
    fn blocks_of_digests_are_those_of_all_leaves() {
        let tree = FileTree::fs_verity(Algorithm::Sha512, KIB, b"").expect("known parameters");
        let Above::Blocks(mut verity) = tree.above else { panic!("fs-verity has blocks") };
        let merkle = Merkle::<function::Sha512>::new(Sha512::new(), Odd::Pad).arity(16);
        let (merkle, mut leaves) = (merkle.expect("blocks of 1 KiB"), Vec::new());
        for count in 0..=300 {
            let root = merkle.root(&mut leaves.clone()).expect("whole digests");
            let expected = if count == 0 { &[][..] } else { &root[..] };
            assert_eq!(verity.root(KIB, count)[..], *expected, "{count} blocks");
            let digest = crate::sha512(count.to_le_bytes());
            verity.push(&tree.block, KIB, &digest[..], count);
            leaves.extend(&digest[..]);
        }
    }

    /// The last block of a file of 2⁴⁰ + 1 blocks: its subtree grows to the size of the others'.
    #[test]
    fn terabytes() {
        let parent = |left: &Digest<32>, right: &Digest<32>| Sha256::new().update(left).hash(right);
        let (left, mut right, mut zeros) =
            (crate::sha256(b"l"), crate::sha256(b"r"), [0; 32].into());
        for odd in [Odd::Promote, Odd::Zeros] {
            let mut tree = pairs(odd);
            tree.len = 1 << 40;
            if let Above::Pairs(pairs) = &mut tree.above {
                pairs.peaks[40] = *left;
            }
            if odd == Odd::Zeros {
                for _ in 0..40 {
                    right = parent(&right, &zeros);
                    zeros = parent(&zeros, &zeros);
                }
            }
            assert_eq!(tree.update(b"r").finalize(), parent(&left, &right)[..]);
        }
    }
}
