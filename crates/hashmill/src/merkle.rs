//! Merkle trees: each level is the digests of the pairs of digests of the level below.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::algorithm::Algorithm;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use crate::function::{Fixed, Function, Plain, Visitor};
use crate::hasher::{Hash, Stream, finish_batch};
use crate::messages::{Messages, OutputLen, Rows, Slots};
use crate::stream::{MAX_DIGEST, must};

/// What becomes of the last node of a level with an odd number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// It moves to the level above unchanged. This is the tree of RFC 6962 and RFC 9162 (§2.1),
    /// which split at the largest power of two.
    Promote,
    /// It is hashed with itself, as Bitcoin does. Lists of leaves that differ by repeated leaves at
    /// their end then have the same root (CVE-2012-2459), so the caller must refuse those.
    Duplicate,
    /// It is hashed with the root of a tree of zeros, as SSZ does: the leaves are padded with zeros
    /// to the next power of two.
    Zeros,
}

/// The trees of widely used systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Certificate Transparency (RFC 6962 and RFC 9162 §2.1): the byte 1 comes before the two nodes,
    /// and [`Odd::Promote`] holds. A leaf is the hash of the byte 0 and its entry.
    Rfc6962,
    /// Bitcoin: the hash of the hash of the two nodes, and [`Odd::Duplicate`].
    Bitcoin,
    /// Ethereum's Simple Serialize: the hash of the two nodes, and [`Odd::Zeros`].
    Ssz,
}

impl Rule {
    /// Returns what each inner node absorbs before its two nodes.
    const fn prefix(self) -> &'static [u8] {
        match self {
            Rule::Rfc6962 => &[1],
            Rule::Bitcoin | Rule::Ssz => &[],
        }
    }

    const fn odd(self) -> Odd {
        match self {
            Rule::Rfc6962 => Odd::Promote,
            Rule::Bitcoin => Odd::Duplicate,
            Rule::Ssz => Odd::Zeros,
        }
    }

    const fn twice(self) -> bool {
        matches!(self, Rule::Bitcoin)
    }
}

/// How a Merkle tree is hashed: the function, with an optional prefix, and the rule for odd nodes.
///
/// The nodes of a level are digests in one buffer, one after the other. Each level is a batch, which
/// is hashed in the lanes of the vector unit. The leaves of a tree are digests, too: hash them with
/// [`many::hash`](crate::many::hash) or [`Hash::hash_many`].
///
/// ```
/// use hashmill::many::{Merkle, Odd};
/// use hashmill::{Sha256, many};
///
/// // The tree of RFC 6962: leaves after the byte 0, inner nodes after the byte 1.
/// let entries = ["one", "two", "three"];
/// let mut leaves = [0; 3 * 32];
/// Sha256::new().update(&[0]).hash_many(&entries, &mut leaves)?;
/// let root = Merkle::new(Sha256::new().update(&[1]).clone(), Odd::Promote).root(&mut leaves)?;
/// assert_eq!(
///     root.to_string(),
///     "5aac771c899ac292e74bf1afe2e6e302f8b55883b2d1bf197b46a6bea6dabca9",
/// );
///
/// // Bitcoin's: SHA-256 of SHA-256, and the last node of an odd level twice.
/// let mut ids = [0; 3 * 32];
/// many::hash_twice::<Sha256>(&["one", "two", "three"], &mut ids)?;
/// let root = Merkle::new(Sha256::new(), Odd::Duplicate).twice().root(&mut ids)?;
/// assert_eq!(root.to_string()[..16], *"92755eb8133e7284");
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merkle<F: Fixed> {
    node: Hash<F>,
    odd: Odd,
    twice: bool,
}

impl<F: Fixed> Merkle<F> {
    /// Creates a tree whose inner nodes are `node.hash(left || right)`. What `node` has absorbed is
    /// the prefix of every inner node.
    pub fn new(node: Hash<F>, odd: Odd) -> Self {
        Merkle { node, odd, twice: false }
    }

    /// Creates the tree of a widely used system, usually over SHA-256.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Rule};
    /// use hashmill::{Hasher, Sha256};
    ///
    /// let tree = Merkle::<<Sha256 as Hasher>::Function>::of(Rule::Ssz);
    /// assert_eq!(tree.root(&mut [0; 3 * 32])?.to_string()[..16], *"db56114e00fdd4c1");
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn of(rule: Rule) -> Self {
        let mut node = Hash::<F>::new();
        node.update(rule.prefix());
        Merkle { node, odd: rule.odd(), twice: rule.twice() }
    }

    /// Hashes the digest of each inner node once more, without the prefix.
    pub fn twice(self) -> Self
    where
        F: Plain,
    {
        Merkle { twice: true, ..self }
    }

    /// Hashes the pairs of `nodes`, writes their digests to the beginning of `nodes`, and returns
    /// that part. The other half keeps its bytes.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `nodes` is not a whole number of pairs.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::{Sha256, sha256};
    ///
    /// let mut nodes = [7; 8 * 32];
    /// let pairs = Merkle::new(Sha256::new(), Odd::Promote).pairs(&mut nodes)?;
    /// assert_eq!(pairs, sha256(&[7; 64]).repeat(4));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn pairs<'n>(&self, nodes: &'n mut [u8]) -> Result<&'n mut [u8], Error> {
        let tree = self.tree();
        Rows::new(nodes, 2 * tree.width())?;
        Ok(tree.pairs_in_place(nodes))
    }

    /// Returns the root of the tree over `leaves`, which are overwritten. The root of one leaf is
    /// that leaf; that of no leaves is the digest of the empty message with [`Odd::Promote`],
    /// otherwise zeros.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    pub fn root(&self, leaves: &mut [u8]) -> Result<F::Digest, Error> {
        let tree = self.tree();
        if leaves.is_empty() {
            return Ok(self.root_of_none());
        }
        let mut root = F::Digest::blank(tree.width());
        root.bytes_mut().copy_from_slice(tree.root(leaves)?);
        Ok(root)
    }

    /// Returns all levels of the tree over `leaves`, from the leaves to the root. The last level
    /// contains only the root.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::{Sha256, sha256};
    ///
    /// let leaves: Vec<u8> = ["a", "b", "c"].iter().flat_map(|leaf| *sha256(leaf.as_bytes())).collect();
    /// let levels = Merkle::new(Sha256::new(), Odd::Promote).levels(leaves)?;
    /// assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [96, 64, 32]);
    /// assert_eq!(levels[1][32..], levels[0][64..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn levels(&self, leaves: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        let tree = self.tree();
        if leaves.is_empty() {
            return Ok(vec![leaves, self.root_of_none().as_ref().to_vec()]);
        }
        tree.levels(leaves)
    }

    /// Returns the path of the leaf with this index: the sibling of each node from the leaf up to the
    /// root, one after the other, as RFC 9162 (§2.1.3.1) defines it. `levels` are those that
    /// [`levels`](Self::levels) returned. A node that moves to the level above unchanged
    /// ([`Odd::Promote`]) has no sibling.
    ///
    /// # Panics
    /// If there is no leaf with this index.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::{Sha256, many};
    ///
    /// let tree = Merkle::new(Sha256::new().update(&[1]).clone(), Odd::Promote);
    /// let mut leaves = vec![0; 3 * 32];
    /// Sha256::new().update(&[0]).hash_many(&["one", "two", "three"], &mut leaves)?;
    /// let levels = tree.levels(leaves)?;
    /// let path = tree.path(&levels, 1);
    /// // Who knows the root and the number of leaves needs only the leaf and its path.
    /// let root = tree.root_of_path(&levels[0][32..64], [1, 3], &path);
    /// assert!(root.is_some_and(|root| root == levels[2][..]));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn path(&self, levels: &[Vec<u8>], index: usize) -> Vec<u8> {
        let (tree, width) = (self.tree(), self.node.output_len());
        assert!(index < levels[0].len() / width, "no leaf has the index {index}");
        let (mut path, mut zeros) = (Vec::new(), Zeros::new());
        for (height, level) in levels[..levels.len() - 1].iter().enumerate() {
            let sibling = (index >> height) ^ 1;
            match (level.chunks_exact(width).nth(sibling), self.odd) {
                (Some(node), _) => path.extend_from_slice(node),
                (None, Odd::Promote) => {}
                (None, Odd::Duplicate) => path.extend_from_slice(&level[level.len() - width..]),
                (None, Odd::Zeros) => {
                    zeros.height = height;
                    path.extend_from_slice(zeros.root(&tree));
                }
            }
        }
        path
    }

    /// Returns the root that follows from a leaf, its index and the number of leaves, and the leaf's
    /// path (RFC 9162 §2.1.3.2). The leaf belongs to a tree if this is the tree's root. Returns
    /// `None` if the path does not have the length of this leaf's, or if no tree has this leaf.
    pub fn root_of_path(
        &self,
        leaf: &[u8],
        [mut index, mut count]: [u64; 2],
        path: &[u8],
    ) -> Option<F::Digest> {
        let tree = self.tree();
        let width = tree.width();
        if leaf.len() != width || index >= count || !path.len().is_multiple_of(width) {
            return None;
        }
        let mut node = F::Digest::blank(width);
        node.bytes_mut().copy_from_slice(leaf);
        let mut siblings = path.chunks_exact(width);
        while count > 1 {
            let is_odd = index == count - 1 && index.is_multiple_of(2);
            if !is_odd || self.odd != Odd::Promote {
                let sibling = siblings.next()?;
                if is_odd && self.odd == Odd::Duplicate && *sibling != *node.bytes_mut() {
                    return None;
                }
                let mut pair = [0; 2 * MAX_DIGEST];
                let place = if index.is_multiple_of(2) { [0, width] } else { [width, 0] };
                pair[place[0]..][..width].copy_from_slice(node.bytes_mut());
                pair[place[1]..][..width].copy_from_slice(sibling);
                tree.hash_pairs(&pair[..2 * width], node.bytes_mut());
            }
            index /= 2;
            count = count.div_ceil(2);
        }
        siblings.next().is_none().then_some(node)
    }

    fn tree(&self) -> MerkleTree<'_> {
        MerkleTree { node: &*self.node.stream, blank: F::STREAM, odd: self.odd, twice: self.twice }
    }

    /// Returns the root of the tree without leaves.
    fn root_of_none(&self) -> F::Digest {
        match self.odd {
            Odd::Promote => Hash::<F>::new().finalize(),
            Odd::Duplicate | Odd::Zeros => F::Digest::blank(self.node.output_len()),
        }
    }
}

impl Algorithm {
    /// Returns the root of a Merkle tree: see [`Merkle::of`](crate::many::Merkle::of) and
    /// [`Merkle::root`](crate::many::Merkle::root). The nodes have
    /// [`output_len`](Self::output_len) bytes.
    ///
    /// ```
    /// use hashmill::Algorithm;
    /// use hashmill::many::Rule;
    ///
    /// let root = Algorithm::Sha256.merkle_root(Rule::Ssz, &mut [0; 3 * 32])?;
    /// assert_eq!(root.to_string()[..16], *"db56114e00fdd4c1");
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    pub fn merkle_root(self, rule: Rule, leaves: &mut [u8]) -> Result<VarDigest, Error> {
        struct Root<'l>(Rule, &'l mut [u8]);
        impl Visitor for Root<'_> {
            type Output = Result<VarDigest, Error>;
            fn visit<F: Function>(self) -> Self::Output {
                let Root(rule, leaves) = self;
                let mut root = VarDigest::zero(F::FACTS.output_len);
                if !leaves.is_empty() {
                    let mut node = Hash::<F>::new();
                    node.update(rule.prefix());
                    let (odd, twice) = (rule.odd(), rule.twice());
                    let tree = MerkleTree { node: &*node.stream, blank: F::STREAM, odd, twice };
                    root.as_mut().copy_from_slice(tree.root(leaves)?);
                } else if rule.odd() == Odd::Promote {
                    F::STREAM.finish(&[], root.as_mut());
                }
                Ok(root)
            }
        }
        self.with(Root(rule, leaves))
    }
}

/// Bytes of the buffer for the digests of one batch of pairs: 256 digests of 32 bytes.
const BATCH: usize = 8192;
/// Bytes of the buffer for few pairs, which takes less time to clear.
const FEW: usize = 512;

/// A Merkle tree with the streams of its function, which may be chosen at run time.
struct MerkleTree<'t> {
    /// What the inner nodes continue from.
    node: &'t dyn Stream,
    /// A stream that has absorbed nothing.
    blank: &'static dyn Stream,
    odd: Odd,
    twice: bool,
}

impl MerkleTree<'_> {
    /// Returns the root, which is written to the beginning of `leaves`. There is at least one leaf.
    fn root<'l>(&self, leaves: &'l mut [u8]) -> Result<&'l [u8], Error> {
        let width = self.width();
        let mut count = Rows::new(leaves, width)?.count();
        let mut zeros = Zeros::new();
        while count > 1 {
            let mut odd = [0; MAX_DIGEST];
            if count % 2 == 1 {
                let last = &leaves[(count - 1) * width..][..width];
                self.above_odd(last, &mut odd[..width], &mut zeros);
            }
            self.pairs_in_place(&mut leaves[..count / 2 * 2 * width]);
            if count % 2 == 1 {
                leaves[count / 2 * width..][..width].copy_from_slice(&odd[..width]);
            }
            count = count.div_ceil(2);
            zeros.height += 1;
        }
        Ok(&leaves[..width])
    }

    #[cfg(feature = "alloc")]
    fn levels(&self, leaves: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        let width = self.width();
        let mut count = Rows::new(&leaves, width)?.count();
        let mut zeros = Zeros::new();
        let mut levels = vec![leaves];
        while count > 1 {
            let below = &levels[levels.len() - 1];
            let (pairs, odd) = below.split_at(count / 2 * 2 * width);
            let mut above = vec![0; count.div_ceil(2) * width];
            let (of_pairs, of_odd) = above.split_at_mut(count / 2 * width);
            self.hash_pairs(pairs, of_pairs);
            if !odd.is_empty() {
                self.above_odd(odd, of_odd, &mut zeros);
            }
            levels.push(above);
            count = count.div_ceil(2);
            zeros.height += 1;
        }
        Ok(levels)
    }

    /// Returns the length of a node in bytes.
    fn width(&self) -> usize {
        self.node.output_len()
    }

    fn pairs_in_place<'n>(&self, nodes: &'n mut [u8]) -> &'n mut [u8] {
        match nodes.len() {
            0..=FEW => self.pairs_in_batches::<FEW>(nodes),
            _ => self.pairs_in_batches::<BATCH>(nodes),
        }
    }

    /// Hashes the pairs of `nodes` in batches whose digests have `ROOM` bytes, because the digests of
    /// a batch overwrite messages of that batch.
    fn pairs_in_batches<'n, const ROOM: usize>(&self, nodes: &'n mut [u8]) -> &'n mut [u8] {
        let width = self.width();
        let (pairs, batch) = (nodes.len() / (2 * width), ROOM / width);
        let mut digests = [0; ROOM];
        for start in (0..pairs).step_by(batch) {
            let count = batch.min(pairs - start);
            let digests = &mut digests[..count * width];
            self.hash_pairs(&nodes[2 * start * width..][..2 * count * width], digests);
            nodes[start * width..][..count * width].copy_from_slice(digests);
        }
        &mut nodes[..pairs * width]
    }

    /// Writes the digests of the pairs of `nodes`.
    fn hash_pairs(&self, nodes: &[u8], digests: &mut [u8]) {
        let width = self.width();
        let pairs = must(Rows::new(nodes, 2 * width));
        match self.twice {
            true => finish_twice(self.node, self.blank, &pairs, &mut Slots::packed(digests, width)),
            false => {
                let len = OutputLen { len: width, any: false };
                must(finish_batch(self.node, &pairs, &mut &mut *digests, len));
            }
        }
    }

    /// Writes the node above the last node of a level with an odd number of nodes.
    fn above_odd(&self, last: &[u8], above: &mut [u8], zeros: &mut Zeros) {
        let width = self.width();
        let mut pair = [0; 2 * MAX_DIGEST];
        let pair = &mut pair[..2 * width];
        pair[..width].copy_from_slice(last);
        match self.odd {
            Odd::Promote => return above.copy_from_slice(last),
            Odd::Duplicate => pair[width..].copy_from_slice(last),
            Odd::Zeros => pair[width..].copy_from_slice(zeros.root(self)),
        }
        self.hash_pairs(pair, above);
    }
}

/// The root of a tree whose leaves are zeros.
struct Zeros {
    root: [u8; MAX_DIGEST],
    /// The height of `root`.
    known: usize,
    /// The height of the level that is hashed.
    height: usize,
}

impl Zeros {
    fn new() -> Self {
        Zeros { root: [0; MAX_DIGEST], known: 0, height: 0 }
    }

    /// Returns the root of the height of the level that is hashed.
    fn root(&mut self, tree: &MerkleTree<'_>) -> &[u8] {
        let width = tree.width();
        while self.known < self.height {
            let mut pair = [0; 2 * MAX_DIGEST];
            pair[..width].copy_from_slice(&self.root[..width]);
            pair[width..2 * width].copy_from_slice(&self.root[..width]);
            tree.hash_pairs(&pair[..2 * width], &mut self.root[..width]);
            self.known += 1;
        }
        &self.root[..width]
    }
}

/// Writes the digest of the digest of each message. The first hash continues from `first`, the
/// second from `second`, which has the same type.
pub(crate) fn finish_twice(
    first: &dyn Stream,
    second: &dyn Stream,
    messages: &dyn Messages,
    outputs: &mut Slots<'_>,
) {
    let nested = first.finish_nested(second, messages, outputs);
    for index in nested..messages.count() {
        let message = messages.message(index);
        outputs.write(index, |out| first.finish_outer(second, message, out));
    }
}
