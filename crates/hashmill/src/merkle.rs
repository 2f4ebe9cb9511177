//! Merkle trees: each level is the digests of the pairs of digests of the level below.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::algorithm::Algorithm;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use crate::function::{Fixed, Function, Plain, Visitor};
use crate::hasher::{Hash, Stream, finish_batch};
#[cfg(feature = "alloc")]
use crate::messages::Column;
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
    /// It stays where it is, as the root of a complete subtree: a peak of a Merkle mountain range. The
    /// tree's root follows from the peaks, from the largest to the smallest: the first two are hashed,
    /// then each further one after that digest, without labels.
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
        }
    }

    const fn twice(self) -> bool {
        matches!(self, Rule::Bitcoin)
    }

    fn labels(self) -> Option<Labels> {
        match self {
            Rule::Rfc6962 => Some(|part| matches!(part, Part::Leaf(_)).then(|| [0].into())),
            Rule::Bitcoin | Rule::Ssz => None,
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
#[derive(Clone, Debug)]
pub struct Merkle<F: Fixed> {
    node: Hash<F>,
    odd: Odd,
    twice: bool,
    labels: Option<Labels>,
}

impl<F: Fixed> Merkle<F> {
    /// Creates a tree whose inner nodes are `node.hash(left || right)`. What `node` has absorbed is
    /// the prefix of every inner node.
    pub fn new(node: Hash<F>, odd: Odd) -> Self {
        Merkle { node, odd, twice: false, labels: None }
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
        Merkle { node, odd: rule.odd(), twice: rule.twice(), labels: rule.labels() }
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
        Merkle { labels: Some(labels), ..self }
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
        Merkle { twice: true, ..self }
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
        Rows::new(nodes, 2 * tree.width())?;
        Ok(tree.pairs_in_place(nodes, 1))
    }

    /// Returns the root of the tree over `leaves`, which are overwritten. Unless the root has a label,
    /// the root of one leaf is that leaf; that of no leaves is the digest of the empty message with
    /// [`Odd::Promote`] and [`Odd::Peak`], otherwise zeros. With a label, the root of no leaves is the
    /// digest of that and, unless [`Odd::Peak`] holds, of these bytes.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    pub fn root(&self, leaves: &mut [u8]) -> Result<F::Digest, Error> {
        let mut root = F::Digest::blank(self.node.output_len());
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

    /// Returns the path of the leaf with this index: the sibling of each node from the leaf up to the
    /// root, one after the other, as RFC 9162 (§2.1.3.1) defines it. `levels` are those that
    /// [`levels`](Self::levels) returned. A node that moves to the level above unchanged
    /// ([`Odd::Promote`]) has no sibling. With [`Odd::Peak`] the siblings lead to a peak, and the other
    /// peaks follow, from the largest to the smallest.
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
        let count = levels[0].len() / width;
        assert!(index < count, "no leaf has the index {index}");
        let (mut path, mut zeros) = (Vec::new(), Zeros::new());
        let height = tree.path_height([index as u64, count as u64]);
        for (height, level) in levels[..height as usize].iter().enumerate() {
            let sibling = (index >> height) ^ 1;
            match (level.chunks_exact(width).nth(sibling), self.odd) {
                (Some(node), _) => path.extend_from_slice(node),
                (None, Odd::Promote | Odd::Peak) => {}
                (None, Odd::Duplicate) => path.extend_from_slice(&level[level.len() - width..]),
                (None, Odd::Zeros) => {
                    zeros.height = height;
                    path.extend_from_slice(zeros.root(&tree));
                }
            }
        }
        if self.odd == Odd::Peak {
            for other in peaks(count as u64).filter(|&other| other != height) {
                let level = &levels[other as usize];
                path.extend_from_slice(&level[level.len() - width..]);
            }
        }
        path
    }

    /// Returns the root that follows from a leaf, its index and the number of leaves, and the leaf's
    /// path (RFC 9162 §2.1.3.2). The leaf belongs to a tree if this is the tree's root. Returns
    /// `None` if the path does not have the length of this leaf's, or if no tree has this leaf.
    pub fn root_of_path(&self, leaf: &[u8], at: [u64; 2], path: &[u8]) -> Option<F::Digest> {
        let tree = self.tree();
        let mut climb = Climb::<F::Digest>::new(&tree, leaf, at, path)?;
        let mut pair = [0; 2 * MAX_DIGEST];
        let pair = &mut pair[..2 * tree.width()];
        while let Some(place) = climb.pair(&tree, pair)? {
            tree.hash_pairs(pair, climb.node.bytes_mut(), place);
        }
        climb.root(&tree)
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
    ) -> Vec<Option<F::Digest>> {
        let (tree, width) = (self.tree(), self.node.output_len());
        let climb = |(leaf, at, path)| Climb::<F::Digest>::new(&tree, leaf, at, path);
        let mut climbs: Vec<_> = paths.into_iter().map(climb).collect();
        loop {
            // The messages of this step, and the path of each.
            let (mut values, mut offsets, mut which) = (Vec::new(), vec![0], Vec::new());
            let mut pair = [0; 2 * MAX_DIGEST];
            let pair = &mut pair[..2 * width];
            for (i, place) in climbs.iter_mut().enumerate() {
                let Some(climb) = place else { continue };
                match climb.pair(&tree, pair) {
                    None => *place = None,
                    Some(None) => {}
                    Some(Some((height, index))) => {
                        let label = tree.label(Part::Node { height, index });
                        values.extend_from_slice(label.as_ref().map_or(&[], Label::as_ref));
                        values.extend_from_slice(pair);
                        offsets.push(values.len());
                        which.push(i);
                    }
                }
            }
            if which.is_empty() {
                return climbs.into_iter().map(|climb| climb?.root(&tree)).collect();
            }
            let mut digests = vec![0; which.len() * width];
            let messages = must(Column::new(&values, &offsets));
            tree.finish([tree.node, tree.blank], &messages, &mut digests);
            for (i, digest) in which.into_iter().zip(digests.chunks_exact(width)) {
                if let Some(climb) = &mut climbs[i] {
                    climb.node.bytes_mut().copy_from_slice(digest);
                }
            }
        }
    }

    fn tree(&self) -> MerkleTree<'_> {
        let Merkle { node, odd, twice, labels } = self;
        MerkleTree {
            node: &*node.stream,
            blank: F::STREAM,
            odd: *odd,
            twice: *twice,
            labels: *labels,
        }
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
    /// Returns `None` if no tree has this leaf, or if the path is not a whole number of nodes.
    fn new(tree: &MerkleTree<'_>, leaf: &[u8], at: [u64; 2], path: &'p [u8]) -> Option<Self> {
        let width = tree.width();
        if leaf.len() != width || at[0] >= at[1] || !path.len().is_multiple_of(width) {
            return None;
        }
        let mut node = D::blank(width);
        node.bytes_mut().copy_from_slice(leaf);
        let (top, siblings) = (tree.path_height(at), path.chunks_exact(width));
        Some(Climb { node, at, height: 0, top, leaves: at[1], siblings })
    }

    /// Writes the next pair, whose digest is to become the node, and returns the height and the index
    /// of that digest, or `Some(None)` at the end of the way. Returns `None` if the path is too short,
    /// or if a node that is hashed with itself has another sibling.
    fn pair(&mut self, tree: &MerkleTree<'_>, pair: &mut [u8]) -> Option<Option<(u32, u64)>> {
        while self.height < self.top {
            let [index, count] = self.at;
            let is_odd = index == count - 1 && index.is_multiple_of(2);
            self.at = [index / 2, count.div_ceil(2)];
            self.height += 1;
            if is_odd && tree.odd == Odd::Promote {
                continue;
            }
            let (sibling, node) = (self.siblings.next()?, self.node.bytes_mut());
            if is_odd && tree.odd == Odd::Duplicate && *sibling != *node {
                return None;
            }
            let (left, right) = pair.split_at_mut(sibling.len());
            let (own, other) = if index.is_multiple_of(2) { (left, right) } else { (right, left) };
            own.copy_from_slice(node);
            other.copy_from_slice(sibling);
            return Some(Some((self.height, index / 2)));
        }
        Some(None)
    }

    /// Returns the root at the end of the way, or `None` if the path does not end there.
    fn root(mut self, tree: &MerkleTree<'_>) -> Option<D> {
        let others = if tree.odd == Odd::Peak { self.leaves.count_ones() as usize - 1 } else { 0 };
        if self.siblings.len() != others {
            return None;
        }
        if tree.odd == Odd::Peak {
            let mut root = D::blank(tree.width());
            let peak = |height| {
                let is_own = height == self.top;
                if is_own { Some(self.node.as_ref()) } else { self.siblings.next() }
            };
            tree.fold(peaks(self.leaves).filter_map(peak), root.bytes_mut());
            self.node = root;
        }
        tree.label_root(self.leaves, self.node.bytes_mut());
        Some(self.node)
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
                let mut node = Hash::<F>::new();
                node.update(rule.prefix());
                let (odd, twice, labels) = (rule.odd(), rule.twice(), rule.labels());
                let tree = MerkleTree { node: &*node.stream, blank: F::STREAM, odd, twice, labels };
                tree.root(leaves, root.as_mut())?;
                Ok(root)
            }
        }
        self.with(Root(rule, leaves))
    }
}

/// Bytes of the buffer for the digests of one batch of pairs: 256 digests of 32 bytes.
const BATCH: usize = 8192;
/// The leaves that are hashed in one batch if they have labels, and are copied for that.
#[cfg(feature = "alloc")]
const LEAVES: usize = 256;
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
    labels: Option<Labels>,
}

impl MerkleTree<'_> {
    /// Writes the root of the tree over `leaves`, which are overwritten.
    fn root(&self, leaves: &mut [u8], root: &mut [u8]) -> Result<(), Error> {
        let width = self.width();
        let all = Rows::new(leaves, width)?.count();
        if all == 0 {
            self.root_of_none(root);
            return Ok(());
        }
        let (mut count, mut zeros) = (all, Zeros::new());
        while count > 1 {
            let (is_odd, mut odd) = (count % 2 == 1 && self.odd != Odd::Peak, [0; MAX_DIGEST]);
            if is_odd {
                let last = &leaves[(count - 1) * width..][..width];
                self.above_odd(last, &mut odd[..width], (count / 2) as u64, &mut zeros);
            }
            zeros.height += 1;
            // A peak stays where it is, because the levels above it end before it.
            self.pairs_in_place(&mut leaves[..count / 2 * 2 * width], zeros.height as u32);
            count /= 2;
            if is_odd {
                leaves[count * width..][..width].copy_from_slice(&odd[..width]);
                count += 1;
            }
        }
        match self.odd {
            Odd::Peak => {
                let last = peaks(all as u64).map(|height| (all >> height) - 1);
                self.fold(last.map(|i| &leaves[i * width..][..width]), root);
            }
            _ => root.copy_from_slice(&leaves[..width]),
        }
        self.label_root(all as u64, root);
        Ok(())
    }

    /// Writes the root of the tree without leaves.
    fn root_of_none(&self, root: &mut [u8]) {
        match self.odd {
            Odd::Promote | Odd::Peak => self.blank.finish(&[], root),
            Odd::Duplicate | Odd::Zeros => root.fill(0),
        }
        match self.label(Part::Root(0)) {
            Some(label) if self.odd == Odd::Peak => self.blank.finish(label.as_ref(), root),
            _ => self.label_root(0, root),
        }
    }

    /// Returns the height up to which a path leads from the leaf with this index, of so many.
    fn path_height(&self, [index, count]: [u64; 2]) -> u32 {
        match self.odd {
            // The peak above the leaf: the last one that begins at or before it.
            Odd::Peak => (index ^ count).checked_ilog2().unwrap_or(0),
            _ => u64::BITS - (count - 1).leading_zeros(),
        }
    }

    /// Writes the root above the peaks, of which there is at least one, the largest first.
    fn fold<'p>(&self, peaks: impl Iterator<Item = &'p [u8]>, root: &mut [u8]) {
        let width = self.width();
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
        self.labels.and_then(|label| label(part))
    }

    #[cfg(feature = "alloc")]
    fn leaves(&self, entries: &dyn Messages, index: u64) -> Vec<u8> {
        let (width, count) = (self.width(), entries.count());
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
        let width = self.width();
        let all = Rows::new(&leaves, width)?.count();
        let (mut count, mut zeros) = (all, Zeros::new());
        let mut levels = vec![leaves];
        while count > 1 {
            let below = &levels[levels.len() - 1];
            let (pairs, odd) = below.split_at(count / 2 * 2 * width);
            let odd = if self.odd == Odd::Peak { &[] } else { odd };
            let mut above = vec![0; (count / 2 * width) + odd.len()];
            let (of_pairs, of_odd) = above.split_at_mut(count / 2 * width);
            self.hash_pairs(pairs, of_pairs, (zeros.height as u32 + 1, 0));
            if !odd.is_empty() {
                self.above_odd(odd, of_odd, (count / 2) as u64, &mut zeros);
            }
            count = above.len() / width;
            levels.push(above);
            zeros.height += 1;
        }
        if all == 0 || self.odd == Odd::Peak || self.label(Part::Root(all as u64)).is_some() {
            let mut root = vec![0; width];
            let last = |level: &Vec<u8>| level.len() - width..;
            match self.odd {
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

    /// Returns the length of a node in bytes.
    fn width(&self) -> usize {
        self.node.output_len()
    }

    /// Hashes the pairs of a whole level. The digests are at this height.
    fn pairs_in_place<'n>(&self, nodes: &'n mut [u8], height: u32) -> &'n mut [u8] {
        match nodes.len() {
            0..=FEW => self.pairs_in_batches::<FEW>(nodes, height),
            _ => self.pairs_in_batches::<BATCH>(nodes, height),
        }
    }

    /// Hashes the pairs of `nodes` in batches whose digests have `ROOM` bytes, because the digests of
    /// a batch overwrite messages of that batch.
    fn pairs_in_batches<'n, const ROOM: usize>(
        &self,
        nodes: &'n mut [u8],
        height: u32,
    ) -> &'n mut [u8] {
        let width = self.width();
        let (pairs, batch) = (nodes.len() / (2 * width), ROOM / width);
        let mut digests = [0; ROOM];
        for start in (0..pairs).step_by(batch) {
            let count = batch.min(pairs - start);
            let digests = &mut digests[..count * width];
            let pairs = &nodes[2 * start * width..][..2 * count * width];
            self.hash_pairs(pairs, digests, (height, start as u64));
            nodes[start * width..][..count * width].copy_from_slice(digests);
        }
        &mut nodes[..pairs * width]
    }

    /// Writes the digests of the pairs of `nodes`: the nodes at this height from this index on.
    fn hash_pairs(&self, nodes: &[u8], digests: &mut [u8], at: (u32, u64)) {
        match self.label(Part::Node { height: at.0, index: at.1 }) {
            None => self.hash_rows(nodes, 2 * self.width(), digests),
            Some(Label { len, .. }) => match nodes.len() {
                0..=FEW => self.hash_labelled::<FEW>(nodes, digests, at, len),
                _ => self.hash_labelled::<BATCH>(nodes, digests, at, len),
            },
        }
    }

    /// Does the same with labels of this length. A message is a label and a pair, so pairs are copied
    /// to a buffer of `ROOM` bytes.
    fn hash_labelled<const ROOM: usize>(
        &self,
        nodes: &[u8],
        digests: &mut [u8],
        (height, mut index): (u32, u64),
        len: usize,
    ) {
        let (width, mut rows) = (self.width(), [0; ROOM]);
        let (pair, row) = (2 * width, len + 2 * width);
        let batch = ROOM / row;
        for (pairs, digests) in nodes.chunks(batch * pair).zip(digests.chunks_mut(batch * width)) {
            let rows = &mut rows[..pairs.len() / pair * row];
            for (row, pair) in rows.chunks_exact_mut(row).zip(pairs.chunks_exact(pair)) {
                let label = self.label(Part::Node { height, index });
                let label = label.filter(|label| label.len == len);
                let label = label.expect("the nodes of a level have labels of one length");
                row[..len].copy_from_slice(label.as_ref());
                row[len..].copy_from_slice(pair);
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
        let len = self.width();
        match self.twice {
            true => finish_twice(first, second, messages, &mut Slots::packed(digests, len)),
            false => {
                let len = OutputLen { len, any: false };
                must(finish_batch(first, messages, &mut &mut *digests, len));
            }
        }
    }

    /// Writes the node with this index, which is above the last node of a level with an odd number of
    /// nodes. `zeros` has the height of that level.
    fn above_odd(&self, last: &[u8], above: &mut [u8], index: u64, zeros: &mut Zeros) {
        let width = self.width();
        let mut pair = [0; 2 * MAX_DIGEST];
        let pair = &mut pair[..2 * width];
        pair[..width].copy_from_slice(last);
        match self.odd {
            Odd::Promote | Odd::Peak => return above.copy_from_slice(last),
            Odd::Duplicate => pair[width..].copy_from_slice(last),
            Odd::Zeros => pair[width..].copy_from_slice(zeros.root(self)),
        }
        self.hash_pairs(pair, above, (zeros.height as u32 + 1, index));
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
            self.known += 1;
            tree.hash_pairs(&pair[..2 * width], &mut self.root[..width], (self.known as u32, 0));
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
pub struct MountainRange<F: Fixed> {
    tree: Merkle<F>,
    count: u64,
    /// The peaks, one after the other, the largest first.
    peaks: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl<F: Fixed> MountainRange<F> {
    /// Creates a tree without leaves.
    pub fn new(tree: Merkle<F>) -> Self {
        MountainRange { tree, count: 0, peaks: Vec::new() }
    }

    /// Continues a tree from what [`count`](Self::count) and [`peaks`](Self::peaks) returned.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if a tree with that number of leaves has another number of peaks.
    pub fn from_peaks(tree: Merkle<F>, count: u64, peaks: &[u8]) -> Result<Self, Error> {
        let width = tree.node.output_len() * count.count_ones() as usize;
        if peaks.len() != width {
            return Err(Error::RowWidth { given: peaks.len() as u64, width: width as u64 });
        }
        Ok(MountainRange { tree, count, peaks: peaks.to_vec() })
    }

    /// Appends leaves: digests, one after the other. Those of each level are hashed in SIMD lanes, so
    /// append many at a time.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `leaves` is not a whole number of digests.
    pub fn append(&mut self, leaves: &[u8]) -> Result<&mut Self, Error> {
        let (tree, width) = (self.tree.tree(), self.tree.node.output_len());
        let added = Rows::new(leaves, width)?.count() as u64;
        // The new peaks, the smallest first.
        let (mut level, mut height, mut new) = (leaves.to_vec(), 0, Vec::new());
        while !level.is_empty() {
            let mut first = self.count >> height;
            if first % 2 == 1 {
                // The smallest peak was waiting for its sibling.
                level.splice(..0, self.peaks.drain(self.peaks.len() - width..));
                first -= 1;
            }
            let pairs = level.len() / (2 * width) * 2 * width;
            if pairs < level.len() {
                new.push(level.split_off(pairs));
            }
            let mut above = vec![0; pairs / 2];
            height += 1;
            tree.hash_pairs(&level, &mut above, (height, first / 2));
            level = above;
        }
        new.iter().rev().for_each(|peak| self.peaks.extend_from_slice(peak));
        self.count += added;
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
    pub fn root(&self) -> F::Digest {
        let (tree, width, count) = (self.tree.tree(), self.tree.node.output_len(), self.count);
        let (mut root, mut zeros) = (F::Digest::blank(width), Zeros::new());
        let node = root.bytes_mut();
        let mut smaller = self.peaks.chunks_exact(width).rev();
        let Some(last) = smaller.next() else {
            tree.root_of_none(node);
            return root;
        };
        node.copy_from_slice(last);
        if self.tree.odd == Odd::Peak {
            tree.fold(self.peaks.chunks_exact(width), node);
        } else {
            zeros.height = count.trailing_zeros() as usize;
            let mut left = count & (count - 1);
            for peak in smaller {
                let mut pair = [0; 2 * MAX_DIGEST];
                let (left_node, right) = pair[..2 * width].split_at_mut(width);
                left_node.copy_from_slice(peak);
                // The smaller subtree grows to the size of the one to its left.
                while zeros.height < left.trailing_zeros() as usize {
                    tree.above_odd(node, right, (count - 1) >> (zeros.height + 1), &mut zeros);
                    node.copy_from_slice(right);
                    zeros.height += 1;
                }
                right.copy_from_slice(node);
                let at = (zeros.height as u32 + 1, (count - 1) >> (zeros.height + 1));
                tree.hash_pairs(&pair[..2 * width], node, at);
                zeros.height += 1;
                left &= left - 1;
            }
        }
        tree.label_root(count, node);
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
