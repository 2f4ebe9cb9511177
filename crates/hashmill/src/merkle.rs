//! Merkle trees: each level is the digests of the pairs (or larger groups) of nodes of the level below.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::algorithm::Algorithm;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use crate::function::{Function, Plain, Visitor};
use crate::hasher::{Hash, Stream, finish_batch};
#[cfg(feature = "alloc")]
use crate::messages::Column;
use crate::messages::{Messages, OutputLen, Rows, RowsMut, Slots};
use crate::stream::{MAX_DIGEST, must};
use core::marker::PhantomData;

/// What becomes of the last node of a level with an odd number of nodes. With another
/// [arity](Merkle::arity) than two: of the last nodes, which are fewer than the arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// It moves to the level above unchanged. This is the tree of RFC 6962 and RFC 9162 (§2.1),
    /// which split at the largest power of two. Several nodes, but fewer than the arity, are hashed as
    /// a shorter message.
    Promote,
    /// It is hashed with itself, as Bitcoin does. (The last node is repeated up to the arity.) Lists of
    /// leaves that differ by repeated leaves at their end then have the same root (CVE-2012-2459), so
    /// the caller must refuse those.
    Duplicate,
    /// It is hashed with the root of a tree of zeros, as SSZ does: the leaves are padded with zeros
    /// to the next power of two, or of the arity.
    Zeros,
    /// It is hashed with zero bytes in place of the missing nodes, as fs-verity and dm-verity do.
    Pad,
    /// It stays where it is, as the root of a complete subtree: a peak of a Merkle mountain range. The
    /// tree's root follows from the peaks, from the largest to the smallest: the first two are hashed,
    /// then each further one after that digest, without labels. The arity is two.
    Peak,
}

/// A part of a tree, before which a rule may put a label: see [`Merkle::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The leaf with this index.
    Leaf(u64),
    /// An inner node.
    Node {
        /// The node's height above the leaves, at least 1.
        height: u32,
        /// The node's index in its level. Of a node above nothing but padding it is 0.
        index: u64,
    },
    /// The root of the tree with this number of leaves. If it has a label, the root is hashed once more
    /// after the label.
    Root(u64),
}

impl Part {
    /// Returns the position of a leaf or of a node in a Merkle mountain range: its index among all
    /// leaves and nodes, in the order in which they are complete. Of [`Part::Root`] it is their number.
    ///
    /// ```
    /// use hashmill::many::Part;
    ///
    /// //    2       5
    /// //   / \     / \
    /// //  0   1   3   4
    /// assert_eq!(Part::Leaf(2).position(), 3);
    /// assert_eq!(Part::Node { height: 1, index: 1 }.position(), 5);
    /// ```
    pub fn position(self) -> u64 {
        // Numbers that no tree has are wrapped, because they may come from a stranger's proof.
        let of_leaf =
            |index: u64| index.wrapping_mul(2).wrapping_sub(u64::from(index.count_ones()));
        match self {
            Part::Leaf(index) | Part::Root(index) => of_leaf(index),
            // A node is complete directly after its last leaf and the nodes between them.
            Part::Node { height, index } => {
                let last = index.wrapping_add(1).wrapping_shl(height).wrapping_sub(1);
                of_leaf(last).wrapping_add(height.into())
            }
        }
    }
}

/// The bytes that are absorbed before a part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    bytes: [u8; MAX_LABEL],
    len: usize,
}

/// The length of the longest label in bytes.
const MAX_LABEL: usize = 16;

impl<const N: usize> From<[u8; N]> for Label {
    /// A label has at most 16 bytes.
    fn from(label: [u8; N]) -> Self {
        const { assert!(N <= MAX_LABEL, "a label has at most 16 bytes") };
        let mut bytes = [0; MAX_LABEL];
        bytes[..N].copy_from_slice(&label);
        Label { bytes, len: N }
    }
}

impl AsRef<[u8]> for Label {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A function that returns the label of a part, if it has one.
type Labels = fn(Part) -> Option<Label>;

/// What a tree's rule says besides the function and the prefix of the inner nodes.
#[derive(Clone, Copy, Debug)]
struct Shape {
    odd: Odd,
    twice: bool,
    labels: Option<Labels>,
    /// The number of nodes below an inner node.
    arity: usize,
    /// Whether the arity is that of the length: as many nodes as fit in `MAX_GROUP` bytes.
    fills: bool,
    /// The length of a node in bytes.
    width: usize,
}

impl Shape {
    /// Returns this shape with nodes of that length.
    fn of_width(self, width: usize) -> Self {
        let arity = if self.fills { MAX_GROUP / width.max(1) } else { self.arity };
        Shape { arity, width, ..self }
    }

    /// Returns the height up to which a path leads from the leaf with this index, of so many.
    fn path_height(self, [index, mut count]: [u64; 2]) -> u32 {
        let mut height = 0;
        match self.odd {
            // The peak above the leaf: the last one that begins at or before it.
            Odd::Peak => height = (index ^ count).checked_ilog2().unwrap_or(0),
            _ => {
                while count > 1 {
                    count = count.div_ceil(self.arity as u64);
                    height += 1;
                }
            }
        }
        height
    }

    /// Returns the length of the path of the leaf with this index, of so many, in bytes.
    fn path_len(self, at: [u64; 2]) -> usize {
        let ([mut index, mut count], arity) = (at, self.arity as u64);
        let mut nodes = if self.odd == Odd::Peak { count.count_ones() as u64 - 1 } else { 0 };
        for _ in 0..self.path_height(at) {
            // Nodes that the rule adds to a group belong to the path.
            let given = arity.min(count - (index - index % arity));
            nodes += if self.odd == Odd::Promote { given } else { arity } - 1;
            (index, count) = (index / arity, count.div_ceil(arity));
        }
        nodes as usize * self.width
    }

    /// Returns the number of leaves after these are appended.
    fn count(self, before: u64, leaves: &[u8]) -> Result<u64, Error> {
        let added = Rows::new(leaves, self.width)?.count() as u64;
        before.checked_add(added).ok_or(Error::MessageTooLong)
    }

    /// Returns the length of the peaks of a tree with that number of leaves, in bytes.
    fn peaks_len(self, mut leaves: u64) -> u64 {
        let mut nodes = 0;
        while leaves > 0 {
            nodes += leaves % self.arity as u64;
            leaves /= self.arity as u64;
        }
        nodes * self.width as u64
    }

    /// Returns the peaks of a tree with that number of leaves, which are at the beginning of `place`.
    fn peaks_in(self, leaves: u64, place: &[u8]) -> Result<&[u8], Error> {
        let (given, expected) = (place.len() as u64, self.peaks_len(leaves));
        let peaks = place.get(..usize::try_from(expected).unwrap_or(usize::MAX));
        peaks.ok_or(Error::OutputLength { given, expected })
    }

    /// # Errors
    /// [`Error::MerkleShape`] if there is no such tree of digests of this length.
    fn checked(self, digest_len: usize) -> Result<Self, Error> {
        let Shape { odd, arity, width, .. } = self;
        let is_arity = if odd == Odd::Peak { arity == 2 } else { arity >= 2 };
        if is_arity && (1..=digest_len).contains(&width) && arity <= MAX_GROUP / width {
            return Ok(self);
        }
        Err(Error::MerkleShape { arity: arity as u64, len: width as u64 })
    }
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
    /// commonware's Merkle mountain range (`mmr` of the crate commonware-storage, with peaks that are
    /// folded forward and no inactive peaks): before a leaf and before the two nodes comes the
    /// position, and [`Odd::Peak`] holds. The bytes 0 and 0 and the number of leaves come before the
    /// root, which is hashed once more. All integers have 8 bytes, the highest first.
    CommonwareMmr,
    /// commonware's binary tree (`bmt` of the crate commonware-storage): before a leaf comes its index,
    /// and [`Odd::Duplicate`] holds. The number of leaves comes before the root, which is hashed once
    /// more. All integers have 4 bytes, the highest first. (A tree without leaves has another root
    /// there.)
    CommonwareBmt,
    /// The blocks of 4096 bytes of Linux's fs-verity and dm-verity (format 1), without a salt, over
    /// functions whose digests have 16, 32 or 64 bytes: a node is the hash of as many nodes as fit in a
    /// block, and [`Odd::Pad`] holds. A leaf is the hash of a block of the file or device. fs-verity hashes
    /// the root once more, in its descriptor: see `FileTree`.
    Verity,
}

impl Rule {
    /// Returns what each inner node absorbs before its two nodes.
    const fn prefix(self) -> &'static [u8] {
        match self {
            Rule::Rfc6962 => &[1],
            _ => &[],
        }
    }

    const fn odd(self) -> Odd {
        match self {
            Rule::Rfc6962 => Odd::Promote,
            Rule::Bitcoin | Rule::CommonwareBmt => Odd::Duplicate,
            Rule::Ssz => Odd::Zeros,
            Rule::CommonwareMmr => Odd::Peak,
            Rule::Verity => Odd::Pad,
        }
    }

    /// Returns the shape of a tree whose nodes have `width` bytes.
    fn shape(self, width: usize) -> Shape {
        let (twice, fills) = (self == Rule::Bitcoin, self == Rule::Verity);
        let shape = Shape { odd: self.odd(), twice, labels: self.labels(), arity: 2, fills, width };
        shape.of_width(width)
    }

    /// Returns the length in bytes of the path of a leaf, given its index and the number of leaves, in a
    /// tree with nodes of `len` bytes, or `None` if no tree has this leaf.
    ///
    /// ```
    /// use hashmill::many::Rule;
    ///
    /// assert_eq!(Rule::Rfc6962.path_len(32, [1, 3]), Some(2 * 32));
    /// assert_eq!(Rule::Rfc6962.path_len(32, [2, 3]), Some(32));
    /// ```
    pub fn path_len(self, len: usize, at: [u64; 2]) -> Option<usize> {
        let shape = self.shape(len).checked(MAX_DIGEST).ok()?;
        (at[0] < at[1]).then(|| shape.path_len(at))
    }

    fn labels(self) -> Option<Labels> {
        match self {
            Rule::Rfc6962 => Some(|part| matches!(part, Part::Leaf(_)).then(|| [0].into())),
            Rule::Bitcoin | Rule::Ssz | Rule::Verity => None,
            Rule::CommonwareMmr => Some(|part| match part {
                Part::Root(count) => {
                    let mut label = [0; 10];
                    label[2..].copy_from_slice(&count.to_be_bytes());
                    Some(label.into())
                }
                _ => Some(part.position().to_be_bytes().into()),
            }),
            Rule::CommonwareBmt => Some(|part| match part {
                Part::Leaf(number) | Part::Root(number) => {
                    Some((number as u32).to_be_bytes().into())
                }
                Part::Node { .. } => None,
            }),
        }
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
///
/// `D` is the type of a root: a digest of the function or, if nodes are [cut](Self::cut), a
/// [`VarDigest`].
#[derive(Clone, Debug)]
pub struct Merkle<F: Function, D = <F as Function>::Digest> {
    node: Hash<F>,
    shape: Shape,
    root: PhantomData<D>,
}

impl<F: Function> Merkle<F> {
    /// Creates a tree whose inner nodes are `node.hash(left || right)`. What `node` has absorbed is
    /// the prefix of every inner node.
    pub fn new(node: Hash<F>, odd: Odd) -> Self {
        let (labels, width) = (None, node.output_len());
        let shape = Shape { odd, twice: false, labels, arity: 2, fills: false, width };
        Merkle { node, shape, root: PhantomData }
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
        let shape = rule.shape(node.output_len());
        Merkle { node, shape, root: PhantomData }
    }
}

impl<F: Function, D: Bytes> Merkle<F, D> {
    /// Puts `arity` nodes below each inner node instead of two. [`pairs`](Self::pairs) hashes groups of
    /// that many.
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if the arity is less than 2, if it is not 2 with [`Odd::Peak`], or if that
    /// many nodes have more than 4096 bytes.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::{Sha256, sha256};
    ///
    /// let tree = Merkle::new(Sha256::new(), Odd::Promote).arity(3)?;
    /// let (left, right) = (sha256(&[7; 3 * 32]), sha256(&[7; 2 * 32]));
    /// assert_eq!(tree.root(&mut [7; 5 * 32])?, sha256([&left[..], &right[..]].concat()));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn arity(self, arity: usize) -> Result<Self, Error> {
        let shape = Shape { arity, fills: false, ..self.shape };
        Ok(Merkle { shape: shape.checked(self.node.output_len())?, ..self })
    }

    /// Cuts every node to the first `len` bytes of its digest: leaves, inner nodes and the root. With
    /// [`twice`](Self::twice) the second digest is cut. With [`Rule::Verity`] as many nodes as then fit in a
    /// block are below each node, unless [`arity`](Self::arity) said otherwise.
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if `len` is 0 or more than the length of a digest.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::{Sha256, sha256};
    ///
    /// let tree = Merkle::new(Sha256::new(), Odd::Promote).cut(24)?;
    /// let mut leaves = tree.leaves(["one", "two"]);
    /// assert_eq!(leaves, [&sha256(b"one")[..24], &sha256(b"two")[..24]].concat());
    /// assert_eq!(tree.root(&mut leaves.clone())?[..], sha256(leaves)[..24]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn cut(self, len: usize) -> Result<Merkle<F, VarDigest>, Error> {
        let shape = self.shape.of_width(len).checked(self.node.output_len())?;
        Ok(Merkle { node: self.node, shape, root: PhantomData })
    }

    /// Puts a label before parts of the tree: `labels` returns that of each part, or `None`. The nodes
    /// of one level have labels of one length.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd, Part};
    /// use hashmill::{Sha256, sha256};
    ///
    /// // The height before every node, so that a node is never taken for one of another level.
    /// let tree = Merkle::new(Sha256::new(), Odd::Promote).labels(|part| match part {
    ///     Part::Leaf(_) => Some([0].into()),
    ///     Part::Node { height, .. } => Some([height as u8].into()),
    ///     Part::Root(_) => None,
    /// });
    /// let mut leaves = tree.leaves(["one", "two"]);
    /// assert_eq!(leaves[..32], *sha256(b"\0one"));
    /// assert_eq!(tree.root(&mut leaves.clone())?, sha256([&[1], &leaves[..]].concat()));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn labels(self, labels: fn(Part) -> Option<Label>) -> Self {
        Merkle { shape: Shape { labels: Some(labels), ..self.shape }, ..self }
    }

    /// Returns the leaves of a tree over `entries`, one after the other: the digest of each entry after
    /// the leaf's label, without the prefix of the inner nodes. The entries are hashed in SIMD lanes.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Rule};
    /// use hashmill::{Hasher, Sha256};
    ///
    /// let tree = Merkle::<<Sha256 as Hasher>::Function>::of(Rule::Rfc6962);
    /// let root = tree.root(&mut tree.leaves(["one", "two", "three"]))?;
    /// assert_eq!(root.to_string()[..16], *"5aac771c899ac292");
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn leaves(&self, entries: impl Messages) -> Vec<u8> {
        self.tree().leaves(&entries, 0)
    }

    /// Hashes the digest of each inner node once more, without the prefix.
    pub fn twice(self) -> Self
    where
        F: Plain,
    {
        Merkle { shape: Shape { twice: true, ..self.shape }, ..self }
    }

    /// Hashes the pairs of `nodes`, writes their digests to the beginning of `nodes`, and returns
    /// that part. The other half keeps its bytes. Labels are those of the level above the leaves.
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
        Rows::new(nodes, tree.group())?;
        Ok(tree.groups_in_place(nodes, (1, 0)))
    }

    /// Returns the root of the tree over `leaves`, which are overwritten. Unless the root has a label,
    /// the root of one leaf is that leaf; that of no leaves is the digest of the empty message with
    /// [`Odd::Promote`] and [`Odd::Peak`], otherwise zeros. With a label, the root of no leaves is the
    /// digest of that and, unless [`Odd::Peak`] holds, of these bytes.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of nodes.
    pub fn root(&self, leaves: &mut [u8]) -> Result<D, Error> {
        let mut root = D::blank(self.shape.width);
        self.tree().root(leaves, root.bytes_mut())?;
        Ok(root)
    }

    /// Returns all levels of the tree over `leaves`, from the leaves to the root. The last level
    /// contains only the root. With [`Odd::Peak`], or if the root has a label, this level is above the
    /// one that has one node.
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
        self.tree().levels(leaves)
    }

    /// Returns the path of the leaf with this index: the siblings of each node from the leaf up to the
    /// root, one after the other, as RFC 9162 (§2.1.3.1) defines it. `levels` are those that
    /// [`levels`](Self::levels) returned. Nodes that a rule adds to fill a group are siblings, too. A node
    /// that moves to the level above unchanged ([`Odd::Promote`]) has none. With [`Odd::Peak`] the siblings
    /// lead to a peak, and the other peaks follow, from the largest to the smallest.
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
        self.tree().path(levels, index)
    }

    /// Returns the root that follows from a leaf, its index and the number of leaves, and the leaf's
    /// path (RFC 9162 §2.1.3.2). The leaf belongs to a tree if this is the tree's root. Returns
    /// `None` if the path does not have the length of this leaf's, or if no tree has this leaf.
    pub fn root_of_path(&self, leaf: &[u8], at: [u64; 2], path: &[u8]) -> Option<D> {
        self.tree().root_of_path(leaf, at, path)
    }

    /// Returns what [`root_of_path`](Self::root_of_path) returns for each leaf with its index, the number
    /// of leaves, and its path. The nodes of one step of all paths are hashed side by side in SIMD
    /// lanes.
    ///
    /// ```
    /// use hashmill::many::{Merkle, Odd};
    /// use hashmill::Sha256;
    ///
    /// let tree = Merkle::new(Sha256::new(), Odd::Promote);
    /// let levels = tree.levels(tree.leaves(["one", "two", "three"]))?;
    /// let paths = [0, 1, 2].map(|index| tree.path(&levels, index));
    /// let leaves = levels[0].chunks(32).enumerate();
    /// let roots = tree.roots_of_paths(leaves.map(|(i, leaf)| (leaf, [i as u64, 3], &paths[i][..])));
    /// assert!(roots.iter().all(|root| root.is_some_and(|root| root == levels[2][..])));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn roots_of_paths<'p>(
        &self,
        paths: impl IntoIterator<Item = (&'p [u8], [u64; 2], &'p [u8])>,
    ) -> Vec<Option<D>> {
        self.tree().roots_of_paths(paths)
    }

    fn tree(&self) -> MerkleTree<'_> {
        MerkleTree { node: &*self.node.stream, blank: F::STREAM, shape: self.shape }
    }
}

/// The way from a leaf up to the root or, with [`Odd::Peak`], to a peak.
struct Climb<'p, D> {
    /// The node so far.
    node: D,
    /// The node's index, and the number of nodes of its level.
    at: [u64; 2],
    height: u32,
    /// The height at which the way ends.
    top: u32,
    /// The number of leaves.
    leaves: u64,
    siblings: core::slice::ChunksExact<'p, u8>,
}

impl<'p, D: Bytes> Climb<'p, D> {
    /// Returns `None` if no tree has this leaf, or if its path has another length.
    fn new(tree: &MerkleTree<'_>, leaf: &[u8], at: [u64; 2], path: &'p [u8]) -> Option<Self> {
        let width = tree.shape.width;
        if leaf.len() != width || at[0] >= at[1] || path.len() != tree.shape.path_len(at) {
            return None;
        }
        let mut node = D::blank(width);
        node.bytes_mut().copy_from_slice(leaf);
        let (top, siblings) = (tree.shape.path_height(at), path.chunks_exact(width));
        Some(Climb { node, at, height: 0, top, leaves: at[1], siblings })
    }

    /// Writes the next group of nodes, whose digest is to become the node, and returns the length of the
    /// group and the height and the index of that digest, or `Some(None)` at the end of the way. Returns
    /// `None` if a node that is hashed with itself has another sibling.
    #[allow(clippy::type_complexity, reason = "the place has the type that hash_groups takes")]
    fn group(
        &mut self,
        tree: &MerkleTree<'_>,
        group: &mut [u8],
    ) -> Option<Option<(usize, (u32, u64))>> {
        let Shape { odd, arity, width, .. } = tree.shape;
        while self.height < self.top {
            let ([index, count], all) = (self.at, arity as u64);
            let own = (index % all) as usize;
            // The nodes of the group without those that the rule adds.
            let given = all.min(count - (index - index % all)) as usize;
            self.at = [index / all, count.div_ceil(all)];
            self.height += 1;
            if given == 1 && odd == Odd::Promote {
                continue;
            }
            let len = if odd == Odd::Promote { given } else { arity } * width;
            for (i, place) in group[..len].chunks_exact_mut(width).enumerate() {
                let node = if i == own { self.node.as_ref() } else { self.siblings.next()? };
                place.copy_from_slice(node);
            }
            let (nodes, added) = group[..len].split_at(given * width);
            let is_last = |node| nodes.ends_with(node);
            if odd == Odd::Duplicate && !added.chunks_exact(width).all(is_last) {
                return None;
            }
            return Some(Some((len, (self.height, index / all))));
        }
        Some(None)
    }

    /// Returns the root at the end of the way.
    fn root(mut self, tree: &MerkleTree<'_>) -> D {
        if tree.shape.odd == Odd::Peak {
            let mut root = D::blank(tree.shape.width);
            let peak = |height| {
                let is_own = height == self.top;
                if is_own { Some(self.node.as_ref()) } else { self.siblings.next() }
            };
            tree.fold(peaks(self.leaves).filter_map(peak), root.bytes_mut());
            self.node = root;
        }
        tree.label_root(self.leaves, self.node.bytes_mut());
        self.node
    }
}

/// Returns the heights of the complete subtrees of a tree with that number of leaves, the largest first:
/// one for each 1 among the bits of the number.
fn peaks(count: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).rev().filter(move |height| count >> height & 1 == 1)
}

impl Algorithm {
    /// Returns the root of a Merkle tree: see [`Merkle::of`](crate::many::Merkle::of) and
    /// [`Merkle::root`](crate::many::Merkle::root). The nodes have
    /// [`output_len`](Self::output_len) bytes.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    ///
    /// ```
    /// use hashmill::Algorithm;
    /// use hashmill::many::Rule;
    ///
    /// let root = Algorithm::Sha256.merkle_root(Rule::Ssz, &mut [0; 3 * 32])?;
    /// assert_eq!(root.to_string()[..16], *"db56114e00fdd4c1");
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn merkle_root(self, rule: Rule, leaves: &mut [u8]) -> Result<VarDigest, Error> {
        let shape = rule.shape(self.output_len());
        self.root_of_shape(rule, shape, leaves)
    }

    /// Does the same for a tree with `arity` nodes below each inner node (`None` for the rule's number),
    /// whose nodes are the first `len` bytes of digests: see
    /// [`Merkle::arity`](crate::many::Merkle::arity) and [`Merkle::cut`](crate::many::Merkle::cut).
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if there is no such tree, [`Error::RowWidth`] if `leaves` is not a whole
    /// number of nodes.
    ///
    /// ```
    /// use hashmill::many::Rule;
    /// use hashmill::{Algorithm, sha256};
    ///
    /// let root = Algorithm::Sha256.merkle_root_of(Rule::Ssz, Some(4), 16, &mut [7; 3 * 16])?;
    /// assert_eq!(root[..], sha256([[7; 48].as_slice(), &[0; 16]].concat())[..16]);
    /// // As many nodes as fit in a block of 4096 bytes.
    /// let root = Algorithm::Sha256.merkle_root_of(Rule::Verity, None, 16, &mut [7; 256 * 16])?;
    /// assert_eq!(root[..], sha256([7; 4096])[..16]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn merkle_root_of(
        self,
        rule: Rule,
        arity: Option<usize>,
        len: usize,
        leaves: &mut [u8],
    ) -> Result<VarDigest, Error> {
        let shape = rule.shape(len);
        let shape = Shape { arity: arity.unwrap_or(shape.arity), ..shape };
        self.root_of_shape(rule, shape.checked(self.output_len())?, leaves)
    }

    /// Returns the root that follows from a leaf, its index and the number of leaves, and the leaf's
    /// path: see [`Merkle::root_of_path`](crate::many::Merkle::root_of_path). The nodes have the length
    /// of the leaf.
    ///
    /// ```
    /// use hashmill::many::Rule;
    /// use hashmill::{Algorithm, sha256};
    ///
    /// let (leaf, sibling) = (sha256(b"\0one"), sha256(b"\0two"));
    /// let root = Algorithm::Sha256.merkle_root_of_path(Rule::Rfc6962, &leaf[..], [0, 2], &sibling[..]);
    /// assert_eq!(root, Some(sha256([&[1], &leaf[..], &sibling[..]].concat()).into()));
    /// ```
    pub fn merkle_root_of_path(
        self,
        rule: Rule,
        leaf: &[u8],
        at: [u64; 2],
        path: &[u8],
    ) -> Option<VarDigest> {
        let shape = rule.shape(leaf.len()).checked(self.output_len()).ok()?;
        self.of_tree(rule, shape, |tree| tree.root_of_path(leaf, at, path))
    }

    /// Returns what [`merkle_root_of_path`](Self::merkle_root_of_path) returns for each leaf of `len` bytes
    /// with its index, the number of leaves, and its path: see
    /// [`Merkle::roots_of_paths`](crate::many::Merkle::roots_of_paths).
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if there is no tree with such nodes.
    ///
    /// ```
    /// use hashmill::Algorithm;
    /// use hashmill::many::Rule;
    ///
    /// let (one, two) = ([1; 32], [2; 32]);
    /// let paths = [(&one[..], [0, 2], &two[..]), (&two, [1, 2], &one)];
    /// let roots = Algorithm::Sha256.merkle_roots_of_paths(Rule::Ssz, 32, paths)?;
    /// assert!(roots[0].is_some() && roots[0] == roots[1]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn merkle_roots_of_paths<'p>(
        self,
        rule: Rule,
        len: usize,
        paths: impl IntoIterator<Item = (&'p [u8], [u64; 2], &'p [u8])>,
    ) -> Result<Vec<Option<VarDigest>>, Error> {
        let shape = rule.shape(len).checked(self.output_len())?;
        Ok(self.of_tree(rule, shape, |tree| tree.roots_of_paths(paths)))
    }

    /// Returns the paths of the leaves with these indices: see [`Merkle::path`](crate::many::Merkle::path).
    /// Nodes have `len` bytes, and the arity is the rule's. The leaves are overwritten.
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if there is no such tree, [`Error::RowWidth`] if `leaves` is not a whole
    /// number of nodes.
    ///
    /// # Panics
    /// If there is no leaf with one of these indices.
    ///
    /// ```
    /// use hashmill::Algorithm;
    /// use hashmill::many::Rule;
    ///
    /// let mut leaves = [[1; 32], [2; 32], [3; 32]].concat();
    /// let paths = Algorithm::Sha256.merkle_paths(Rule::Rfc6962, 32, &mut leaves, &[0, 2])?;
    /// assert_eq!(paths[0], [[2; 32], [3; 32]].concat());
    /// assert_eq!(paths[1].len(), 32); // the node above the other two
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn merkle_paths(
        self,
        rule: Rule,
        len: usize,
        leaves: &mut [u8],
        indices: &[usize],
    ) -> Result<Vec<Vec<u8>>, Error> {
        let count = (leaves.len() / len.max(1)) as u64;
        let path_len = |index| rule.path_len(len, [index as u64, count]).unwrap_or(0);
        let empty = indices.iter().map(|&index| Vec::with_capacity(path_len(index)));
        let mut paths: Vec<_> = empty.collect();
        let each = |i: usize, node: &[u8]| paths[i].extend_from_slice(node);
        self.merkle_path_nodes(rule, len, leaves, indices, each)?;
        Ok(paths)
    }

    /// Does the same without allocating, and returns the root: passes the nodes of the path of the leaf
    /// `indices[i]` to `each` with `i`. The nodes of a path come in its order; those of the other paths
    /// come between them.
    ///
    /// # Errors
    /// As [`merkle_paths`](Self::merkle_paths).
    ///
    /// # Panics
    /// As [`merkle_paths`](Self::merkle_paths).
    pub fn merkle_path_nodes(
        self,
        rule: Rule,
        len: usize,
        leaves: &mut [u8],
        indices: &[usize],
        each: impl FnMut(usize, &[u8]),
    ) -> Result<VarDigest, Error> {
        let shape = rule.shape(len).checked(self.output_len())?;
        let mut root = VarDigest::zero(len);
        self.of_tree(rule, shape, |tree| tree.paths(leaves, indices, each, root.as_mut()))?;
        Ok(root)
    }

    /// Appends leaves, which are overwritten, to a tree that grows: see
    /// [`MountainRange`](crate::many::MountainRange). The tree is the number of its leaves and its peaks,
    /// which are at the beginning of `peaks`. Returns the length of the peaks in bytes. Nodes have `len`
    /// bytes, and the arity is the rule's. With an arity of 2 there are as many peaks as the number of
    /// leaves has bits that are 1, so that 64 nodes are always enough.
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if there is no such tree, [`Error::RowWidth`] if `leaves` is not a whole
    /// number of nodes, [`Error::OutputLength`] if `peaks` is shorter than the peaks before or after,
    /// [`Error::MessageTooLong`] if the tree would have 2^64 leaves. Nothing is written then.
    ///
    /// ```
    /// use hashmill::Algorithm;
    /// use hashmill::many::Rule;
    ///
    /// let (mut count, mut peaks) = (0, [0; 64 * 32]);
    /// for mut leaves in [vec![1; 2 * 32], vec![1; 32]] {
    ///     Algorithm::Sha256.merkle_append(Rule::Rfc6962, 32, &mut count, &mut peaks, &mut leaves)?;
    /// }
    /// let root = Algorithm::Sha256.merkle_root_of_peaks(Rule::Rfc6962, 32, count, &peaks)?;
    /// assert_eq!(root, Algorithm::Sha256.merkle_root(Rule::Rfc6962, &mut [1; 3 * 32])?);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn merkle_append(
        self,
        rule: Rule,
        len: usize,
        count: &mut u64,
        peaks: &mut [u8],
        leaves: &mut [u8],
    ) -> Result<usize, Error> {
        let shape = rule.shape(len).checked(self.output_len())?;
        let all = shape.count(*count, leaves)?;
        let before = shape.peaks_in(*count, peaks)?.len();
        let after = shape.peaks_in(all, peaks)?.len();
        self.of_tree(rule, shape, |tree| {
            let (kept, new) = tree.append(*count, &peaks[..before], leaves);
            peaks[kept..after].copy_from_slice(new);
        });
        *count = all;
        Ok(after)
    }

    /// Returns the root of a tree that grows, whose peaks are at the beginning of `peaks`: see
    /// [`merkle_append`](Self::merkle_append).
    ///
    /// # Errors
    /// [`Error::MerkleShape`] if there is no such tree, [`Error::OutputLength`] if `peaks` is shorter than
    /// the peaks of a tree with that number of leaves.
    pub fn merkle_root_of_peaks(
        self,
        rule: Rule,
        len: usize,
        count: u64,
        peaks: &[u8],
    ) -> Result<VarDigest, Error> {
        let shape = rule.shape(len).checked(self.output_len())?;
        let (peaks, mut root) = (shape.peaks_in(count, peaks)?, VarDigest::zero(len));
        self.of_tree(rule, shape, |tree| tree.root_of_peaks(count, peaks, root.as_mut()));
        Ok(root)
    }

    fn root_of_shape(
        self,
        rule: Rule,
        shape: Shape,
        leaves: &mut [u8],
    ) -> Result<VarDigest, Error> {
        let mut root = VarDigest::zero(shape.width);
        self.of_tree(rule, shape, |tree| tree.root(leaves, root.as_mut()))?;
        Ok(root)
    }

    /// Calls `call` with the tree of this rule and shape. It is compiled once, not for each function.
    fn of_tree<T>(self, rule: Rule, shape: Shape, call: impl FnOnce(&MerkleTree<'_>) -> T) -> T {
        let (mut call, mut result) = (Some(call), None);
        let mut once = |tree: &MerkleTree<'_>| result = call.take().map(|call| call(tree));
        self.with(OfTree { rule, shape, call: &mut once });
        result.expect("a function is visited once")
    }
}

/// Calls `call` with the tree of this rule and shape over the function that is visited.
struct OfTree<'c> {
    rule: Rule,
    shape: Shape,
    call: &'c mut dyn FnMut(&MerkleTree<'_>),
}

impl Visitor for OfTree<'_> {
    type Output = ();
    fn visit<F: Function>(self) {
        let mut node = Hash::<F>::new();
        node.update(self.rule.prefix());
        (self.call)(&MerkleTree { node: &*node.stream, blank: F::STREAM, shape: self.shape })
    }
}

/// Bytes of the buffer for the digests of one batch of groups: 256 digests of 32 bytes.
const BATCH: usize = 8192;
/// The leaves that are hashed in one batch if they have labels, and are copied for that.
#[cfg(feature = "alloc")]
const LEAVES: usize = 256;
/// Bytes of the buffer for few nodes, which takes less time to clear.
const FEW: usize = 512;
/// Bytes of the longest group of nodes that an inner node is the hash of. With a label it fits in `BATCH`.
const MAX_GROUP: usize = 4096;

/// Calls `with` with a buffer of `len` bytes, at most `BATCH`, without a heap.
fn with_buffer<R>(len: usize, with: impl FnOnce(&mut [u8]) -> R) -> R {
    match len {
        0..=FEW => with(&mut [0; FEW][..len]),
        _ => with(&mut [0; BATCH][..len]),
    }
}

/// A Merkle tree with the streams of its function, which may be chosen at run time.
struct MerkleTree<'t> {
    /// What the inner nodes continue from.
    node: &'t dyn Stream,
    /// A stream that has absorbed nothing.
    blank: &'static dyn Stream,
    shape: Shape,
}

impl MerkleTree<'_> {
    /// Writes the root of the tree over `leaves`, which are overwritten.
    fn root(&self, leaves: &mut [u8], root: &mut [u8]) -> Result<(), Error> {
        self.paths(leaves, &[], |_, _| {}, root)
    }

    /// Does the same, and passes the nodes of the path of the leaf `indices[i]` to `each` with `i`. The
    /// nodes of a path come in its order; those of the other paths come between them.
    fn paths(
        &self,
        leaves: &mut [u8],
        indices: &[usize],
        mut each: impl FnMut(usize, &[u8]),
        root: &mut [u8],
    ) -> Result<(), Error> {
        let Shape { odd, arity, width, .. } = self.shape;
        let all = Rows::new(leaves, width)?.count();
        let find = |index| assert!(index < all, "no leaf has the index {index}");
        indices.iter().copied().for_each(find);
        if all == 0 {
            self.root_of_none(root);
            return Ok(());
        }
        let top = |index| self.shape.path_height([index as u64, all as u64]);
        let (mut count, mut zeros) = (all, Zeros::new());
        while count > 1 {
            let height = zeros.height as u32;
            let (level, below) = (&leaves[..count * width], arity.pow(height));
            for (i, &index) in indices.iter().enumerate() {
                if odd != Odd::Peak || height < top(index) {
                    self.siblings(level, index / below, &mut zeros, |node| each(i, node));
                }
            }
            // A peak stays where it is, because the levels above it end before it.
            let rest = if odd == Odd::Peak { 0 } else { count % arity };
            count /= arity;
            let (groups, last) = leaves.split_at_mut(count * self.group());
            let mut above = [0; MAX_DIGEST];
            let above = &mut above[..width.min(rest * width)];
            self.above_rest(&last[..rest * width], above, count as u64, &mut zeros);
            zeros.height += 1;
            self.groups_in_place(groups, (zeros.height as u32, 0));
            leaves[count * width..][..above.len()].copy_from_slice(above);
            count += rest.min(1);
        }
        match odd {
            Odd::Peak => {
                let peak = |height| &leaves[((all >> height) - 1) * width..][..width];
                for (i, &index) in indices.iter().enumerate() {
                    let others = peaks(all as u64).filter(|&height| height != top(index));
                    others.for_each(|height| each(i, peak(height)));
                }
                self.fold(peaks(all as u64).map(peak), root);
            }
            _ => root.copy_from_slice(&leaves[..width]),
        }
        self.label_root(all as u64, root);
        Ok(())
    }

    /// Passes the other nodes of the group of this node of a level to `each`. `zeros` has the height of
    /// the level.
    fn siblings(&self, level: &[u8], at: usize, zeros: &mut Zeros, mut each: impl FnMut(&[u8])) {
        let Shape { odd, arity, width, .. } = self.shape;
        let first = at / arity * arity;
        for sibling in (first..first + arity).filter(|&sibling| sibling != at) {
            match (level.chunks_exact(width).nth(sibling), odd) {
                (Some(node), _) => each(node),
                (None, Odd::Promote | Odd::Peak) => break,
                (None, Odd::Duplicate) => each(&level[level.len() - width..]),
                (None, Odd::Zeros) => each(zeros.root(self)),
                (None, Odd::Pad) => each(&[0; MAX_DIGEST][..width]),
            }
        }
    }

    /// See [`Merkle::path`].
    #[cfg(feature = "alloc")]
    fn path(&self, levels: &[Vec<u8>], index: usize) -> Vec<u8> {
        let Shape { odd, arity, width, .. } = self.shape;
        let count = levels[0].len() / width;
        assert!(index < count, "no leaf has the index {index}");
        let (mut path, mut zeros) = (Vec::new(), Zeros::new());
        let top = self.shape.path_height([index as u64, count as u64]);
        for (height, level) in levels[..top as usize].iter().enumerate() {
            zeros.height = height;
            let at = index / arity.pow(height as u32);
            self.siblings(level, at, &mut zeros, |node| path.extend_from_slice(node));
        }
        if odd == Odd::Peak {
            for other in peaks(count as u64).filter(|&other| other != top) {
                let level = &levels[other as usize];
                path.extend_from_slice(&level[level.len() - width..]);
            }
        }
        path
    }

    /// See [`Merkle::roots_of_paths`].
    #[cfg(feature = "alloc")]
    fn roots_of_paths<'p, D: Bytes>(
        &self,
        paths: impl IntoIterator<Item = (&'p [u8], [u64; 2], &'p [u8])>,
    ) -> Vec<Option<D>> {
        let climb = |(leaf, at, path)| Climb::<D>::new(self, leaf, at, path);
        let mut climbs: Vec<_> = paths.into_iter().map(climb).collect();
        let mut group = vec![0; self.group()];
        loop {
            // The messages of this step, and the path of each.
            let (mut values, mut offsets, mut which) = (Vec::new(), vec![0], Vec::new());
            for (i, place) in climbs.iter_mut().enumerate() {
                let Some(climb) = place else { continue };
                match climb.group(self, &mut group) {
                    None => *place = None,
                    Some(None) => {}
                    Some(Some((len, (height, index)))) => {
                        let label = self.label(Part::Node { height, index });
                        values.extend_from_slice(label.as_ref().map_or(&[], Label::as_ref));
                        values.extend_from_slice(&group[..len]);
                        offsets.push(values.len());
                        which.push(i);
                    }
                }
            }
            if which.is_empty() {
                return climbs.into_iter().map(|climb| Some(climb?.root(self))).collect();
            }
            let mut digests = vec![0; which.len() * self.shape.width];
            let messages = must(Column::new(&values, &offsets));
            self.finish([self.node, self.blank], &messages, &mut digests);
            for (i, digest) in which.into_iter().zip(digests.chunks_exact(self.shape.width)) {
                if let Some(climb) = &mut climbs[i] {
                    climb.node.bytes_mut().copy_from_slice(digest);
                }
            }
        }
    }

    /// See [`Merkle::root_of_path`].
    fn root_of_path<D: Bytes>(&self, leaf: &[u8], at: [u64; 2], path: &[u8]) -> Option<D> {
        let mut climb = Climb::<D>::new(self, leaf, at, path)?;
        with_buffer(self.group(), |buffer| {
            while let Some((len, place)) = climb.group(self, buffer)? {
                self.hash_groups(&buffer[..len], len, climb.node.bytes_mut(), place);
            }
            Some(climb.root(self))
        })
    }

    /// Appends leaves, which are overwritten, to a tree with that many leaves and these peaks. Returns the
    /// length of the peaks that stay, and the new ones after them.
    fn append<'n>(&self, mut count: u64, peaks: &[u8], leaves: &'n mut [u8]) -> (usize, &'n [u8]) {
        let Shape { arity, width, .. } = self.shape;
        // A level has its place at the beginning of `leaves`, the new peaks are at the end, because each
        // level ends before the nodes that are left of the level below it.
        let (group, mut kept, mut new, mut height) = (self.group(), peaks.len(), leaves.len(), 0);
        let mut level = 0..leaves.len();
        while !level.is_empty() {
            // The smallest peaks were waiting for their siblings.
            let waiting = (count % arity as u64) as usize * width;
            count /= arity as u64;
            height += 1;
            let mut above = (level.start, count);
            if waiting > 0 && waiting + level.len() >= group {
                let taken = group - waiting;
                above = (level.start + taken - width, count + 1);
                with_buffer(group, |nodes| {
                    nodes[..waiting].copy_from_slice(&peaks[kept - waiting..kept]);
                    nodes[waiting..].copy_from_slice(&leaves[level.start..][..taken]);
                    let digest = &mut leaves[above.0..][..width];
                    self.hash_groups(nodes, group, digest, (height, count));
                });
                kept -= waiting;
                level.start += taken;
            }
            let rest = level.end - level.len() % group..level.end;
            let groups = &mut leaves[level.start..rest.start];
            let digests = self.groups_in_place(groups, (height, above.1)).len();
            new -= rest.len();
            leaves.copy_within(rest, new);
            level = above.0..level.start + digests;
        }
        (kept, &leaves[new..])
    }

    /// Writes the root of the tree with that many leaves and these peaks.
    fn root_of_peaks(&self, count: u64, peaks: &[u8], root: &mut [u8]) {
        let Shape { odd, arity, width, .. } = self.shape;
        match odd {
            _ if count == 0 => return self.root_of_none(root),
            Odd::Peak => self.fold(peaks.chunks_exact(width), root),
            // The peaks of each height, and after them the root of the incomplete subtree, if there is one.
            _ => with_buffer(self.group(), |group| {
                let (mut larger, mut left, mut last, mut zeros) = (peaks, count, 0, Zeros::new());
                loop {
                    let peaks = (left % arity as u64) as usize * width;
                    let (others, peaks) = larger.split_at(larger.len() - peaks);
                    let nodes = &mut group[..peaks.len() + last];
                    nodes[..peaks.len()].copy_from_slice(peaks);
                    nodes[peaks.len()..].copy_from_slice(&root[..last]);
                    if others.is_empty() && nodes.len() == width {
                        return root.copy_from_slice(nodes);
                    }
                    (larger, left, last) = (others, left / arity as u64, width.min(nodes.len()));
                    match nodes.len() == self.group() {
                        true => {
                            let at = (zeros.height as u32 + 1, left);
                            self.hash_groups(nodes, nodes.len(), &mut root[..last], at);
                        }
                        false => self.above_rest(nodes, &mut root[..last], left, &mut zeros),
                    }
                    zeros.height += 1;
                }
            }),
        }
        self.label_root(count, root);
    }

    /// Writes the root of the tree without leaves.
    fn root_of_none(&self, root: &mut [u8]) {
        match self.shape.odd {
            Odd::Promote | Odd::Peak => self.blank.finish(&[], root),
            Odd::Duplicate | Odd::Zeros | Odd::Pad => root.fill(0),
        }
        match self.label(Part::Root(0)) {
            Some(label) if self.shape.odd == Odd::Peak => self.blank.finish(label.as_ref(), root),
            _ => self.label_root(0, root),
        }
    }

    /// Writes the root above the peaks, of which there is at least one, the largest first.
    fn fold<'p>(&self, peaks: impl Iterator<Item = &'p [u8]>, root: &mut [u8]) {
        let width = self.shape.width;
        for (i, peak) in peaks.enumerate() {
            if i == 0 {
                root.copy_from_slice(peak);
                continue;
            }
            let mut pair = [0; 2 * MAX_DIGEST];
            pair[..width].copy_from_slice(root);
            pair[width..2 * width].copy_from_slice(peak);
            self.hash_rows(&pair[..2 * width], 2 * width, root);
        }
    }

    /// Hashes the root of `count` leaves once more, if it has a label.
    fn label_root(&self, count: u64, root: &mut [u8]) {
        if let Some(label) = self.label(Part::Root(count)) {
            let mut message = [0; MAX_LABEL + MAX_DIGEST];
            message[..label.len].copy_from_slice(label.as_ref());
            message[label.len..][..root.len()].copy_from_slice(root);
            self.blank.finish(&message[..label.len + root.len()], root);
        }
    }

    fn label(&self, part: Part) -> Option<Label> {
        self.shape.labels.and_then(|label| label(part))
    }

    #[cfg(feature = "alloc")]
    fn leaves(&self, entries: &dyn Messages, index: u64) -> Vec<u8> {
        let (width, count) = (self.shape.width, entries.count());
        let mut leaves = vec![0; count * width];
        if self.label(Part::Leaf(index)).is_none() {
            self.finish([self.blank; 2], entries, &mut leaves);
            return leaves;
        }
        let (mut values, mut offsets) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(LEAVES) {
            let last = count.min(first + LEAVES);
            values.clear();
            offsets.clear();
            offsets.push(0);
            for i in first..last {
                let label = self.label(Part::Leaf(index + i as u64));
                values.extend_from_slice(label.as_ref().map_or(&[], Label::as_ref));
                values.extend_from_slice(entries.message(i));
                offsets.push(values.len());
            }
            let column = must(Column::new(&values, &offsets));
            self.finish([self.blank; 2], &column, &mut leaves[first * width..last * width]);
        }
        leaves
    }

    #[cfg(feature = "alloc")]
    fn levels(&self, leaves: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        let Shape { odd, width, .. } = self.shape;
        let all = Rows::new(&leaves, width)?.count();
        let (mut count, mut zeros) = (all, Zeros::new());
        let mut levels = vec![leaves];
        while count > 1 {
            let below = &levels[levels.len() - 1];
            let whole = below.len() / self.group();
            let (groups, rest) = below.split_at(whole * self.group());
            let rest = if odd == Odd::Peak { &[] } else { rest };
            let mut above = vec![0; (whole + rest.len().min(1)) * width];
            let (of_groups, of_rest) = above.split_at_mut(whole * width);
            self.hash_groups(groups, self.group(), of_groups, (zeros.height as u32 + 1, 0));
            self.above_rest(rest, of_rest, whole as u64, &mut zeros);
            count = above.len() / width;
            levels.push(above);
            zeros.height += 1;
        }
        if all == 0 || odd == Odd::Peak || self.label(Part::Root(all as u64)).is_some() {
            let mut root = vec![0; width];
            let last = |level: &Vec<u8>| level.len() - width..;
            match odd {
                _ if all == 0 => self.root_of_none(&mut root),
                Odd::Peak => {
                    let of_peaks = peaks(all as u64).map(|height| &levels[height as usize]);
                    self.fold(of_peaks.map(|level| &level[last(level)]), &mut root);
                }
                _ => root.copy_from_slice(&levels[levels.len() - 1]),
            }
            if all > 0 {
                self.label_root(all as u64, &mut root);
            }
            levels.push(root);
        }
        Ok(levels)
    }

    /// Returns the length of the nodes below an inner node, in bytes.
    fn group(&self) -> usize {
        self.shape.arity * self.shape.width
    }

    /// Hashes groups and writes the digests to the beginning of `nodes`: the nodes at this height from this
    /// index on.
    fn groups_in_place<'n>(&self, nodes: &'n mut [u8], at: (u32, u64)) -> &'n mut [u8] {
        match nodes.len() {
            0..=FEW => self.groups_in_batches::<FEW>(nodes, at),
            _ => self.groups_in_batches::<BATCH>(nodes, at),
        }
    }

    /// Hashes the groups of `nodes` in batches whose digests have `ROOM` bytes, because the digests of
    /// a batch overwrite messages of that batch.
    fn groups_in_batches<'n, const ROOM: usize>(
        &self,
        nodes: &'n mut [u8],
        (height, index): (u32, u64),
    ) -> &'n mut [u8] {
        let (width, group) = (self.shape.width, self.group());
        let (groups, batch) = (nodes.len() / group, ROOM / width);
        let mut digests = [0; ROOM];
        for start in (0..groups).step_by(batch) {
            let count = batch.min(groups - start);
            let digests = &mut digests[..count * width];
            let groups = &nodes[start * group..][..count * group];
            self.hash_groups(groups, group, digests, (height, index + start as u64));
            nodes[start * width..][..count * width].copy_from_slice(digests);
        }
        &mut nodes[..groups * width]
    }

    /// Writes the digests of groups of `nodes`, which have `group` bytes each: the nodes at this height
    /// from this index on.
    fn hash_groups(&self, nodes: &[u8], group: usize, digests: &mut [u8], at: (u32, u64)) {
        match self.label(Part::Node { height: at.0, index: at.1 }) {
            None => self.hash_rows(nodes, group, digests),
            Some(Label { len, .. }) => match nodes.len() / group * (len + group) {
                0..=FEW => self.hash_labelled::<FEW>((nodes, group), digests, at, len),
                _ => self.hash_labelled::<BATCH>((nodes, group), digests, at, len),
            },
        }
    }

    /// Does the same with labels of this length. A message is a label and a group, so groups are copied
    /// to a buffer of `ROOM` bytes.
    fn hash_labelled<const ROOM: usize>(
        &self,
        (nodes, group): (&[u8], usize),
        digests: &mut [u8],
        (height, mut index): (u32, u64),
        len: usize,
    ) {
        let (width, row, mut rows) = (self.shape.width, len + group, [0; ROOM]);
        let batch = (ROOM / row).max(1);
        let groups = nodes.chunks(batch * group);
        for (groups, digests) in groups.zip(digests.chunks_mut(batch * width)) {
            let rows = &mut rows[..groups.len() / group * row];
            for (row, group) in rows.chunks_exact_mut(row).zip(groups.chunks_exact(group)) {
                let label = self.label(Part::Node { height, index });
                let label = label.filter(|label| label.len == len);
                let label = label.expect("the nodes of a level have labels of one length");
                row[..len].copy_from_slice(label.as_ref());
                row[len..].copy_from_slice(group);
                index += 1;
            }
            self.hash_rows(rows, row, digests);
        }
    }

    /// Writes the digests of rows of this width, each after the prefix of the inner nodes.
    fn hash_rows(&self, rows: &[u8], width: usize, digests: &mut [u8]) {
        self.finish([self.node, self.blank], &must(Rows::new(rows, width)), digests);
    }

    /// Writes the digests of messages, or with `twice` the digests of these.
    fn finish(
        &self,
        [first, second]: [&dyn Stream; 2],
        messages: &dyn Messages,
        digests: &mut [u8],
    ) {
        let (width, len) = (self.shape.width, self.node.output_len());
        match self.shape.twice {
            true => finish_twice(first, second, messages, &mut Slots::packed(digests, width)),
            false => {
                let mut digests = must(RowsMut::new(digests, width, 0..width));
                must(finish_batch(first, messages, &mut digests, OutputLen { len, any: false }));
            }
        }
    }

    /// Writes the node with this index, which is above the last nodes of a level: less than a group. If
    /// `rest` is empty, there is none. `zeros` has the height of that level.
    fn above_rest(&self, rest: &[u8], above: &mut [u8], index: u64, zeros: &mut Zeros) {
        let Shape { odd, width, .. } = self.shape;
        match odd {
            _ if rest.is_empty() => return,
            Odd::Promote | Odd::Peak if rest.len() == width => return above.copy_from_slice(rest),
            _ => {}
        }
        let at = (zeros.height as u32 + 1, index);
        with_buffer(self.group(), |group| {
            let (nodes, added) = group.split_at_mut(rest.len());
            nodes.copy_from_slice(rest);
            let added_node = match odd {
                Odd::Promote | Odd::Peak => return self.hash_groups(rest, rest.len(), above, at),
                Odd::Duplicate => &rest[rest.len() - width..],
                Odd::Zeros => zeros.root(self),
                Odd::Pad => &[0; MAX_DIGEST][..width],
            };
            added.chunks_exact_mut(width).for_each(|node| node.copy_from_slice(added_node));
            self.hash_groups(group, group.len(), above, at);
        });
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
        let width = tree.shape.width;
        while self.known < self.height {
            self.known += 1;
            with_buffer(tree.group(), |group| {
                let root = &mut self.root[..width];
                group.chunks_exact_mut(width).for_each(|node| node.copy_from_slice(root));
                tree.hash_groups(group, group.len(), root, (self.known as u32, 0));
            });
        }
        &self.root[..width]
    }
}

/// A tree that grows: the roots of its complete subtrees, which are the peaks of a Merkle mountain range.
/// It keeps a peak for each 1 among the bits of the number of leaves, and no leaf.
///
/// ```
/// use hashmill::many::{Merkle, MountainRange, Rule};
/// use hashmill::{Hasher, Sha256};
///
/// let tree = Merkle::<<Sha256 as Hasher>::Function>::of(Rule::Rfc6962);
/// let mut range = MountainRange::new(tree.clone());
/// range.append_entries(["one", "two"]).append_entries(["three"]);
/// assert_eq!(range.root(), tree.root(&mut tree.leaves(["one", "two", "three"]))?);
/// assert_eq!((range.count(), range.peaks().len()), (3, 2 * 32));
/// # Ok::<(), hashmill::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct MountainRange<F: Function, D = <F as Function>::Digest> {
    tree: Merkle<F, D>,
    count: u64,
    /// The peaks, one after the other, the largest first.
    peaks: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl<F: Function, D: Bytes> MountainRange<F, D> {
    /// Creates a tree without leaves.
    pub fn new(tree: Merkle<F, D>) -> Self {
        MountainRange { tree, count: 0, peaks: Vec::new() }
    }

    /// Continues a tree from what [`count`](Self::count) and [`peaks`](Self::peaks) returned.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if a tree with that number of leaves has another number of peaks.
    pub fn from_peaks(tree: Merkle<F, D>, count: u64, peaks: &[u8]) -> Result<Self, Error> {
        let expected = tree.shape.peaks_len(count);
        if peaks.len() as u64 != expected {
            return Err(Error::RowWidth { given: peaks.len() as u64, width: expected });
        }
        Ok(MountainRange { tree, count, peaks: peaks.to_vec() })
    }

    /// Appends leaves: nodes, one after the other. Those of each level are hashed in SIMD lanes, so
    /// append many at a time.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of nodes, [`Error::MessageTooLong`] if the tree
    /// would have 2^64 leaves.
    pub fn append(&mut self, leaves: &[u8]) -> Result<&mut Self, Error> {
        let count = self.tree.shape.count(self.count, leaves)?;
        let mut leaves = leaves.to_vec();
        let (kept, new) = self.tree.tree().append(self.count, &self.peaks, &mut leaves);
        self.peaks.truncate(kept);
        self.peaks.extend_from_slice(new);
        self.count = count;
        Ok(self)
    }

    /// Appends the leaves of `entries`, hashed as [`Merkle::leaves`] does. The index of the first is the
    /// number of leaves so far.
    pub fn append_entries(&mut self, entries: impl Messages) -> &mut Self {
        let leaves = self.tree.tree().leaves(&entries, self.count);
        must(self.append(&leaves))
    }

    /// Returns the number of leaves.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the peaks, one after the other, the largest first.
    pub fn peaks(&self) -> &[u8] {
        &self.peaks
    }

    /// Returns the root, which [`Merkle::root`] returns for all leaves.
    pub fn root(&self) -> D {
        let mut root = D::blank(self.tree.shape.width);
        self.tree.tree().root_of_peaks(self.count, &self.peaks, root.bytes_mut());
        root
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
