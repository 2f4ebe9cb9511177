//! The tree hashes that systems compute of files: leaves of one length, and a rule for what is above
//! them.

use crate::algorithm::Algorithm;
use crate::any::AnyHasher;
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function;
use crate::hasher::bytes_in;
use crate::hashes::Sha256;
use crate::merkle::{Merkle, MountainRange, Odd};
use crate::messages::Rows;
use crate::stream::{MAX_DIGEST, must};
use alloc::{vec, vec::Vec};
use core::num::NonZero;

const KIB: usize = 1024;
/// The leaves that are hashed in one batch: some for each lane of every CPU.
const BATCH: usize = 64;

/// A file's hash in progress, by the rule of a system that hashes the file's blocks apart.
///
/// The blocks that lie in one piece of the file are hashed side by side in SIMD lanes, so give
/// [`update`](Self::update) long pieces: a mapped file, or several blocks at a time. Memory does not
/// grow with the file, except for 32 bytes each time its length doubles.
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
    block: AnyHasher,
    block_len: usize,
    /// The block that is not complete.
    last: AnyHasher,
    /// The number of bytes so far.
    len: u64,
    above: Above,
}

/// What is computed of the digests of the blocks.
#[derive(Clone, Debug)]
enum Above {
    /// The digest of all digests, one after the other.
    List(Sha256),
    /// A binary tree.
    Pairs(MountainRange<function::Sha256>),
    /// The digests are blocks, too, and so on (fs-verity). Of each level, the digests of the block
    /// that is not complete. The last level is never empty.
    Blocks(Verity, Vec<Vec<u8>>),
}

/// What fs-verity's descriptor says of the function.
#[derive(Clone, Debug)]
struct Verity {
    algorithm: Algorithm,
    salt: Vec<u8>,
}

impl Above {
    fn pairs(odd: Odd) -> Self {
        Above::Pairs(MountainRange::new(Merkle::new(Sha256::new(), odd)))
    }
}

impl FileTree {
    fn new(algorithm: Algorithm, block_len: usize, above: Above) -> Self {
        let block = algorithm.hasher();
        FileTree { last: block.clone(), block, block_len, len: 0, above }
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
        let is_known = matches!(algorithm, Algorithm::Sha256 | Algorithm::Sha512);
        let is_block = block_len.is_power_of_two() && (KIB..=64 * KIB).contains(&block_len);
        if !is_known || !is_block || salt.len() > 32 {
            return Err(Error::Verity);
        }
        let verity = Verity { algorithm, salt: salt.to_vec() };
        let mut tree = Self::new(algorithm, block_len, Above::Blocks(verity, Vec::new()));
        // The salt is padded with zeros to a whole block of the hash function.
        tree.block.update(salt);
        tree.block.update(vec![0; salt.len().next_multiple_of(algorithm.block_len()) - salt.len()]);
        tree.last = tree.block.clone();
        Ok(tree)
    }

    /// BitTorrent v2: the field `pieces root` of a file (BEP 52), SHA-256 of blocks of 16 KiB. An
    /// empty file has no such field; its root is zeros here.
    pub fn bittorrent() -> Self {
        Self::new(Algorithm::Sha256, 16 * KIB, Above::pairs(Odd::Zeros))
    }

    /// Amazon Glacier: the SHA-256 tree hash of blocks of 1 MiB (`x-amz-sha256-tree-hash`).
    pub fn glacier() -> Self {
        Self::new(Algorithm::Sha256, KIB * KIB, Above::pairs(Odd::Promote))
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
        Self::new(Algorithm::Sha256, block_len, Above::List(Sha256::new()))
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
            let len = self.block.output_len();
            let digests = &mut digests[..part.len() / self.block_len * len];
            must(self.block.hash_many(rows, &mut *digests));
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
                tree.last.update(vec![0; self.block_len - self.filled()]);
            }
            tree.len = self.blocks() * self.block_len as u64;
            tree.end_block();
        }
        match tree.above {
            Above::List(hasher) => hasher.finalize().into(),
            Above::Pairs(range) => range.root().into(),
            Above::Blocks(verity, levels) => {
                let root = root_of_blocks(&self.block, self.block_len, levels);
                verity.digest(self.block_len, self.len, &root)
            }
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
        let digest = self.last.finalize();
        self.last = self.block.clone();
        self.push(&digest);
    }

    /// Adds the digests of blocks.
    fn push(&mut self, digests: &[u8]) {
        match &mut self.above {
            Above::List(hasher) => drop(hasher.update(digests)),
            Above::Pairs(range) => drop(must(range.append(digests))),
            Above::Blocks(_, levels) => {
                for digest in digests.chunks_exact(self.block.output_len()) {
                    let mut digest = must(VarDigest::try_from(digest));
                    for i in 0.. {
                        if i == levels.len() {
                            levels.push(Vec::with_capacity(self.block_len));
                        }
                        levels[i].extend_from_slice(&digest);
                        if levels[i].len() < self.block_len {
                            break;
                        }
                        digest = digest_of(&self.block, &levels[i]);
                        levels[i].clear();
                    }
                }
            }
        }
    }
}

bytes_in!([] FileTree, read crate::hasher::READ_CHUNKS_LEN);

fn digest_of(hasher: &AnyHasher, message: &[u8]) -> VarDigest {
    let mut hasher = hasher.clone();
    hasher.update(message);
    hasher.finalize()
}

/// Returns the digest of the block above all others, or zeros of an empty file. `levels` are the
/// incomplete blocks of each level.
fn root_of_blocks(hasher: &AnyHasher, block_len: usize, levels: Vec<Vec<u8>>) -> VarDigest {
    let (mut root, top) = (VarDigest::default(), levels.len().saturating_sub(1));
    for (i, mut block) in levels.into_iter().enumerate() {
        block.extend_from_slice(&root);
        root = match block.len() {
            0 => continue,
            len if i == top && len == hasher.output_len() => must(VarDigest::try_from(&*block)),
            _ => {
                block.resize(block_len, 0);
                digest_of(hasher, &block)
            }
        };
    }
    root
}

impl Verity {
    /// Returns the digest of the descriptor of a file (`struct fsverity_descriptor`), before which no
    /// salt is absorbed.
    fn digest(&self, block_len: usize, len: u64, root: &[u8]) -> VarDigest {
        const VERSION: u8 = 1;
        // FS_VERITY_HASH_ALG_SHA256 and FS_VERITY_HASH_ALG_SHA512.
        let number = if self.algorithm == Algorithm::Sha256 { 1 } else { 2 };
        let mut descriptor = [0; 256];
        let log = block_len.trailing_zeros() as u8;
        descriptor[..4].copy_from_slice(&[VERSION, number, log, self.salt.len() as u8]);
        descriptor[8..16].copy_from_slice(&len.to_le_bytes());
        descriptor[16..][..root.len()].copy_from_slice(root);
        descriptor[80..][..self.salt.len()].copy_from_slice(&self.salt);
        self.algorithm.hash(descriptor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Digest;

    /// A binary tree over blocks of one byte.
    fn pairs(odd: Odd) -> FileTree {
        FileTree::new(Algorithm::Sha256, 1, Above::pairs(odd))
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

    /// The last block of a file of 2⁴⁰ + 1 blocks: its subtree grows to the size of the others'.
    #[test]
    fn terabytes() {
        let parent = |left: &Digest<32>, right: &Digest<32>| Sha256::new().update(left).hash(right);
        let (left, mut right, mut zeros) =
            (crate::sha256(b"l"), crate::sha256(b"r"), [0; 32].into());
        for odd in [Odd::Promote, Odd::Zeros] {
            let mut tree = pairs(odd);
            tree.len = 1 << 40;
            let merkle = Merkle::new(Sha256::new(), odd);
            tree.above = Above::Pairs(must(MountainRange::from_peaks(merkle, tree.len, &left[..])));
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
