//! SLH-DSA (FIPS 205), the signature scheme that is made of hashes: key generation, signing and
//! verification with all twelve parameter sets. All chains of many leaves are hashed in SIMD lanes,
//! and so are the nodes of a level of all trees. It does not wipe its secrets.
//!
//!     cargo run --release --example slh_dsa                    # prints what each set takes
//!     cargo run --release --example slh_dsa -- SHA2-128f 2     # one set, on two threads
//!
//! The functions of FIPS 205 hash the public seed, an address and an input. The hasher absorbs the
//! seed once. The rows of a batch are the others, an address and an input each. A chain's next input
//! is its last output, so two buffers contain the rows of the same addresses, and each step hashes
//! the rows of one buffer into the rows of the other ([`RowsMut`]).

use hashmill::many::{Rows, RowsMut};
use hashmill::{Hasher, Hmac, Sha256, Sha512, Shake256};
use std::ops::Range;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A parameter set (FIPS 205, table 2).
#[derive(Debug)]
pub struct Parameters {
    pub name: &'static str,
    /// The length of a node in bytes.
    n: usize,
    /// The number of layers of trees.
    d: usize,
    /// The height of a tree: h′ in the standard.
    height: usize,
    /// The height of a FORS tree.
    a: usize,
    /// The number of FORS trees.
    k: usize,
}

const fn set(name: &'static str, n: usize, [d, height, a, k]: [usize; 4]) -> Parameters {
    Parameters { name, n, d, height, a, k }
}

pub static SETS: [Parameters; 12] = [
    set("SLH-DSA-SHA2-128s", 16, [7, 9, 12, 14]),
    set("SLH-DSA-SHAKE-128s", 16, [7, 9, 12, 14]),
    set("SLH-DSA-SHA2-128f", 16, [22, 3, 6, 33]),
    set("SLH-DSA-SHAKE-128f", 16, [22, 3, 6, 33]),
    set("SLH-DSA-SHA2-192s", 24, [7, 9, 14, 17]),
    set("SLH-DSA-SHAKE-192s", 24, [7, 9, 14, 17]),
    set("SLH-DSA-SHA2-192f", 24, [22, 3, 8, 33]),
    set("SLH-DSA-SHAKE-192f", 24, [22, 3, 8, 33]),
    set("SLH-DSA-SHA2-256s", 32, [8, 8, 14, 22]),
    set("SLH-DSA-SHAKE-256s", 32, [8, 8, 14, 22]),
    set("SLH-DSA-SHA2-256f", 32, [17, 4, 9, 35]),
    set("SLH-DSA-SHAKE-256f", 32, [17, 4, 9, 35]),
];

impl Parameters {
    /// Returns the number of chains of a WOTS+ key: `len` in the standard, with w = 16.
    fn chains(&self) -> usize {
        2 * self.n + 3
    }

    fn fors_len(&self) -> usize {
        self.k * (1 + self.a) * self.n
    }

    /// Returns the length of the part of a signature that belongs to one layer.
    fn layer_len(&self) -> usize {
        (self.chains() + self.height) * self.n
    }

    pub fn signature_len(&self) -> usize {
        self.n + self.fors_len() + self.d * self.layer_len()
    }

    pub fn public_key_len(&self) -> usize {
        2 * self.n
    }

    pub fn is_shake(&self) -> bool {
        self.name.contains("SHAKE")
    }
}

/// A private key: SK.seed, SK.prf, PK.seed and PK.root, n bytes each.
pub struct PrivateKey {
    set: &'static Parameters,
    bytes: Vec<u8>,
}

impl PrivateKey {
    /// Computes the key of three seeds: SK.seed, SK.prf and PK.seed (algorithm 18).
    ///
    /// # Panics
    /// If the seeds do not have 3 n bytes.
    pub fn generate(set: &'static Parameters, seeds: &[u8], threads: usize) -> Self {
        assert_eq!(seeds.len(), 3 * set.n, "three seeds of {} bytes", set.n);
        let functions = Functions::new(set, &seeds[2 * set.n..]);
        let top = Tree { layer: set.d as u32 - 1, index: 0, leaf: None };
        let mut leaves = vec![0; set.n << set.height];
        split(threads, set.n, &mut leaves, |leaves, range| {
            functions.leaves(&seeds[..set.n], &[top], range, leaves);
        });
        let root = functions.tree_levels(&[top], leaves).pop().unwrap_or_default();
        PrivateKey { set, bytes: [seeds, &root].concat() }
    }

    /// Returns the key whose bytes are `bytes`, or `None` if their number is wrong.
    pub fn from_bytes(set: &'static Parameters, bytes: &[u8]) -> Option<Self> {
        (bytes.len() == 4 * set.n).then(|| PrivateKey { set, bytes: bytes.to_vec() })
    }

    pub fn public_key(&self) -> &[u8] {
        &self.bytes[2 * self.set.n..]
    }

    /// Signs a message with a context (algorithm 22). `randomness` are n bytes; without them the
    /// signature is deterministic. Returns `None` if the context has more than 255 bytes.
    pub fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        randomness: Option<&[u8]>,
        threads: usize,
    ) -> Option<Vec<u8>> {
        let prefix = [0, u8::try_from(context.len()).ok()?];
        Some(self.sign_parts(&[&prefix, context, message], randomness, threads))
    }

    /// Signs the message that the parts make up, without a context (algorithm 19).
    pub fn sign_parts(
        &self,
        message: &[&[u8]],
        randomness: Option<&[u8]>,
        threads: usize,
    ) -> Vec<u8> {
        let (set, n) = (self.set, self.set.n);
        let [secret, prf, seed] = [0, 1, 2].map(|i| &self.bytes[i * n..][..n]);
        let functions = Functions::new(set, seed);
        let randomizer = functions.randomizer(prf, randomness.unwrap_or(seed), message);
        let Places { indices, path } = functions.places(&randomizer, self.public_key(), message);
        let mut signature = randomizer;

        let mut roots = vec![0; set.k * n];
        let fors = split(threads, n, &mut roots, |roots, trees| {
            functions.fors(secret, (path[0], &indices), trees, roots)
        });
        fors.iter().for_each(|part| signature.extend_from_slice(part));

        // No tree depends on the message, except for the leaf that signs. So all are hashed at once.
        let mut leaves = vec![0; (n * set.d) << set.height];
        let signing = split(threads, n, &mut leaves, |leaves, range| {
            functions.leaves(secret, &path, range, leaves)
        });
        let levels = functions.tree_levels(&path, leaves);
        let mut signed = functions.fors_key(path[0], &roots);
        for (i, (tree, values)) in path.iter().zip(signing.iter().flatten()).enumerate() {
            for (chain, digit) in digits(&signed).into_iter().enumerate() {
                let at = (digit as usize * set.chains() + chain) * n;
                signature.extend_from_slice(&values[at..][..n]);
            }
            for (z, level) in levels[..set.height].iter().enumerate() {
                let sibling = (tree.leaf.unwrap_or_default() >> z) ^ 1;
                let at = (i << (set.height - z)) + sibling;
                signature.extend_from_slice(&level[at * n..][..n]);
            }
            signed = levels[set.height][i * n..][..n].to_vec();
        }
        signature
    }
}

/// Whether `signature` belongs to the message, its context and the public key (algorithm 24).
pub fn verify(
    set: &'static Parameters,
    public_key: &[u8],
    (message, context): (&[u8], &[u8]),
    signature: &[u8],
) -> bool {
    let Ok(len) = u8::try_from(context.len()) else { return false };
    verify_parts(set, public_key, &[&[0, len], context, message], signature)
}

/// Verifies the signature of the message that the parts make up, without a context (algorithm 20).
pub fn verify_parts(
    set: &'static Parameters,
    public_key: &[u8],
    message: &[&[u8]],
    signature: &[u8],
) -> bool {
    let n = set.n;
    if public_key.len() != set.public_key_len() || signature.len() != set.signature_len() {
        return false;
    }
    let functions = Functions::new(set, &public_key[..n]);
    let (randomizer, rest) = signature.split_at(n);
    let (fors, layers) = rest.split_at(set.fors_len());
    let Places { indices, path } = functions.places(randomizer, public_key, message);
    let mut signed = functions.fors_key(path[0], &functions.fors_roots(path[0], &indices, fors));
    for (tree, layer) in path.iter().zip(layers.chunks_exact(set.layer_len())) {
        let (chains, siblings) = layer.split_at(set.chains() * n);
        signed = functions.leaf(tree, &signed, chains);
        let leaf = tree.leaf.unwrap_or_default();
        for (z, sibling) in siblings.chunks_exact(n).enumerate() {
            let pair = pair(leaf >> z, &signed, sibling);
            signed = functions.parents(&pair, |_| tree.node(z + 1, leaf >> (z + 1)));
        }
    }
    signed == public_key[n..]
}

/// Returns a node and its sibling, in the order of their indices.
fn pair(index: usize, node: &[u8], sibling: &[u8]) -> Vec<u8> {
    if index.is_multiple_of(2) { [node, sibling].concat() } else { [sibling, node].concat() }
}

/// Which leaves sign a message.
struct Places {
    /// The leaf of each FORS tree.
    indices: Vec<u32>,
    /// The tree of each layer, from the lowest up, with the leaf that signs.
    path: Vec<Tree>,
}

/// A tree of WOTS+ keys.
#[derive(Clone, Copy)]
struct Tree {
    layer: u32,
    index: u64,
    /// The leaf that signs.
    leaf: Option<usize>,
}

impl Tree {
    fn address(&self, kind: u8, words: [usize; 3]) -> Address {
        Address { layer: self.layer, tree: self.index, kind, words: words.map(|word| word as u32) }
    }

    fn node(&self, height: usize, index: usize) -> Address {
        self.address(TREE, [0, height, index])
    }

    /// Returns the address of a node of the FORS trees that this tree's leaf signs.
    fn fors(&self, kind: u8, height: usize, index: usize) -> Address {
        self.address(kind, [self.leaf.unwrap_or_default(), height, index])
    }
}

const WOTS_HASH: u8 = 0;
const WOTS_PK: u8 = 1;
const TREE: u8 = 2;
const FORS_TREE: u8 = 3;
const FORS_ROOTS: u8 = 4;
const WOTS_PRF: u8 = 5;
const FORS_PRF: u8 = 6;

/// The address of a hash: §4.2.
struct Address {
    layer: u32,
    tree: u64,
    kind: u8,
    words: [u32; 3],
}

impl Address {
    /// Writes the address: 32 bytes (figure 2), or compressed to 22 bytes (figure 18). The last
    /// byte of the type and the words are at the same place from the end.
    fn write(&self, to: &mut [u8]) {
        let (tree, words) = (self.tree.to_be_bytes(), self.words.map(u32::to_be_bytes));
        if to.len() == 22 {
            to[0] = self.layer as u8;
            to[1..9].copy_from_slice(&tree);
        } else {
            to[..20].fill(0);
            to[..4].copy_from_slice(&self.layer.to_be_bytes());
            to[8..16].copy_from_slice(&tree);
        }
        let end = to.len();
        to[end - 13] = self.kind;
        to[end - 12..].copy_from_slice(words.as_flattened());
    }
}

/// The most rows that are hashed at once, so that they stay in the cache.
const BATCH: usize = 512;
/// Leaves whose chains are hashed at once: a multiple of the lanes of every CPU.
const LEAVES: usize = 16;
/// Leaves of FORS trees that are in memory at once, at least one tree's.
const FORS_LEAVES: usize = 4096;
/// The steps of a chain, w − 1.
const STEPS: u8 = 15;

/// The functions of a parameter set.
struct Functions {
    set: &'static Parameters,
    /// The length of an address.
    address_len: usize,
    hashers: Hashers,
}

/// The hashers that have absorbed PK.seed, for SHA-2 with zeros to the end of a block.
enum Hashers {
    Shake(Shake256),
    /// `long` is for messages of more than one node, unless nodes have 16 bytes (§11.2).
    Sha2 {
        short: Sha256,
        long: Option<Sha512>,
    },
}

impl Functions {
    fn new(set: &'static Parameters, seed: &[u8]) -> Self {
        let hashers = if set.is_shake() {
            Hashers::Shake(Shake256::new().update(seed).clone())
        } else {
            let short = Sha256::new().update(seed).update(vec![0; 64 - set.n]).clone();
            let long = || Sha512::new().update(seed).update(vec![0; 128 - set.n]).clone();
            Hashers::Sha2 { short, long: (set.n > 16).then(long) }
        };
        Functions { set, address_len: if set.is_shake() { 32 } else { 22 }, hashers }
    }

    /// Computes F, H, T or PRF of each row, an address and an input.
    fn hash(&self, rows: &[u8], width: usize, mut outputs: RowsMut<'_>) {
        let rows = Rows::new(rows, width).expect("whole rows");
        let is_one_node = width == self.address_len + self.set.n;
        let result = match &self.hashers {
            Hashers::Shake(hasher) => hasher.hash_many(rows, &mut outputs),
            Hashers::Sha2 { long: Some(long), .. } if !is_one_node => {
                long.hash_many(rows, &mut outputs)
            }
            Hashers::Sha2 { short, .. } => short.hash_many(rows, &mut outputs),
        };
        result.expect("a row for each output");
    }

    /// Hashes as many inputs of `input_len` bytes as `outputs` have room for. `row` writes an input
    /// and returns its address.
    fn batch(
        &self,
        input_len: usize,
        outputs: &mut [u8],
        mut row: impl FnMut(usize, &mut [u8]) -> Address,
    ) {
        let (n, width) = (self.set.n, self.address_len + input_len);
        let mut rows = vec![0; width * BATCH.min(outputs.len() / n)];
        for (part, outputs) in outputs.chunks_mut(BATCH * n).enumerate() {
            let rows = &mut rows[..outputs.len() / n * width];
            for (i, bytes) in rows.chunks_exact_mut(width).enumerate() {
                let (address, input) = bytes.split_at_mut(self.address_len);
                row(part * BATCH + i, input).write(address);
            }
            self.hash(rows, width, RowsMut::new(outputs, n, 0..n).expect("whole nodes"));
        }
    }

    /// Returns the parents of pairs of nodes.
    fn parents(&self, nodes: &[u8], address: impl Fn(usize) -> Address) -> Vec<u8> {
        let n = self.set.n;
        let mut parents = vec![0; nodes.len() / 2];
        self.batch(2 * n, &mut parents, |i, input| {
            input.copy_from_slice(&nodes[2 * i * n..][..2 * n]);
            address(i)
        });
        parents
    }

    /// Returns the levels of the trees, from the leaves to the roots. A level contains the nodes of
    /// all trees, one tree after the other.
    fn tree_levels(&self, trees: &[Tree], leaves: Vec<u8>) -> Vec<Vec<u8>> {
        let height = self.set.height;
        let mut levels = vec![leaves];
        for z in 1..=height {
            let of_tree = 1 << (height - z);
            let parents = self.parents(&levels[z - 1], |i| trees[i / of_tree].node(z, i % of_tree));
            levels.push(parents);
        }
        levels
    }

    /// Computes leaves, the public keys of WOTS+ (algorithm 6). `range` are the indices of the leaves
    /// of all trees, one tree after the other. For each leaf that signs, returns the values of its
    /// chains after 0 to 15 steps.
    fn leaves(
        &self,
        secret: &[u8],
        trees: &[Tree],
        range: Range<usize>,
        leaves: &mut [u8],
    ) -> Vec<Vec<u8>> {
        let (n, height, chains) = (self.set.n, self.set.height, self.set.chains());
        let tree_of = |leaf: usize| (&trees[leaf >> height], leaf & ((1 << height) - 1));
        let mut signing = Vec::new();
        for (first, leaves) in range.step_by(LEAVES).zip(leaves.chunks_mut(LEAVES * n)) {
            let mut rows = Chains::new(self, leaves.len() / n * chains, |i| {
                let (tree, leaf) = tree_of(first + i / chains);
                tree.address(WOTS_HASH, [leaf, i % chains, 0])
            });
            let signs = |leaf: &usize| {
                let (tree, leaf) = tree_of(first + leaf);
                tree.leaf == Some(leaf)
            };
            let of_part: Vec<usize> = (0..leaves.len() / n).filter(signs).collect();
            let mut values = vec![Vec::new(); of_part.len()];
            rows.begin(self, secret);
            for step in 0..=STEPS {
                for (values, leaf) in values.iter_mut().zip(&of_part) {
                    rows.values(leaf * chains..(leaf + 1) * chains)
                        .for_each(|value| values.extend_from_slice(value));
                }
                if step < STEPS {
                    rows.step(self, rows.count(), step);
                }
            }
            signing.append(&mut values);
            self.batch(chains * n, leaves, |i, input| {
                let ends = rows.values(i * chains..(i + 1) * chains);
                input.chunks_exact_mut(n).zip(ends).for_each(|(to, end)| to.copy_from_slice(end));
                let (tree, leaf) = tree_of(first + i);
                tree.address(WOTS_PK, [leaf, 0, 0])
            });
        }
        signing
    }

    /// Computes the leaf that signed `signed` with these values of its chains (algorithm 8).
    fn leaf(&self, tree: &Tree, signed: &[u8], signature: &[u8]) -> Vec<u8> {
        let (n, leaf, digits) = (self.set.n, tree.leaf.unwrap_or_default(), digits(signed));
        // The chains with the most steps to go first, so that those which go on are the first ones.
        let mut order: Vec<usize> = (0..digits.len()).collect();
        order.sort_by_key(|&chain| digits[chain]);
        let mut rows =
            Chains::new(self, order.len(), |i| tree.address(WOTS_HASH, [leaf, order[i], 0]));
        rows.set(|i| &signature[order[i] * n..][..n]);
        for step in 0..STEPS {
            let going = order.iter().take_while(|&&chain| digits[chain] <= step).count();
            rows.step(self, going, step);
        }
        let mut key = vec![0; n];
        self.batch(signature.len(), &mut key, |_, input| {
            for (&chain, value) in order.iter().zip(rows.values(0..order.len())) {
                input[chain * n..][..n].copy_from_slice(value);
            }
            tree.address(WOTS_PK, [leaf, 0, 0])
        });
        key
    }

    /// Computes the roots of FORS trees, and returns their part of the signature: of each tree the
    /// secret of the leaf and the siblings on the way to the root (algorithms 15 and 16).
    fn fors(
        &self,
        secret: &[u8],
        (tree, indices): (Tree, &[u32]),
        trees: Range<usize>,
        roots: &mut [u8],
    ) -> Vec<u8> {
        let Parameters { n, a, .. } = *self.set;
        let secret_of = |index: usize, input: &mut [u8]| {
            input.copy_from_slice(secret);
            tree.fors(FORS_PRF, 0, index)
        };
        let mut signature = vec![0; trees.len() * (1 + a) * n];
        let places = signature.chunks_mut((1 + a) * n).zip(trees.clone());
        let mut places: Vec<(&mut [u8], usize)> =
            places.map(|(place, t)| (place, indices[t] as usize)).collect();
        let mut secrets = vec![0; trees.len() * n];
        self.batch(n, &mut secrets, |i, input| {
            secret_of(((trees.start + i) << a) + places[i].1, input)
        });
        for ((place, _), secret) in places.iter_mut().zip(secrets.chunks_exact(n)) {
            place[..n].copy_from_slice(secret);
        }
        let at_once = (FORS_LEAVES >> a).max(1);
        let groups = places.chunks_mut(at_once).zip(roots.chunks_mut(at_once * n));
        for (first, (places, roots)) in trees.step_by(at_once).zip(groups) {
            let mut secrets = vec![0; (n * places.len()) << a];
            self.batch(n, &mut secrets, |i, input| secret_of((first << a) + i, input));
            let mut nodes = vec![0; secrets.len()];
            self.batch(n, &mut nodes, |i, input| {
                input.copy_from_slice(&secrets[i * n..][..n]);
                tree.fors(FORS_TREE, 0, (first << a) + i)
            });
            for z in 0..a {
                for (t, (place, index)) in places.iter_mut().enumerate() {
                    let sibling = (t << (a - z)) + ((*index >> z) ^ 1);
                    place[(1 + z) * n..][..n].copy_from_slice(&nodes[sibling * n..][..n]);
                }
                let index = |i: usize| (first << (a - z - 1)) + i;
                nodes = self.parents(&nodes, |i| tree.fors(FORS_TREE, z + 1, index(i)));
            }
            roots.copy_from_slice(&nodes);
        }
        signature
    }

    /// Computes the roots of the FORS trees from a signature (algorithm 17).
    fn fors_roots(&self, tree: Tree, indices: &[u32], signature: &[u8]) -> Vec<u8> {
        let Parameters { n, a, k, .. } = *self.set;
        let part = |t: usize, i: usize| &signature[(t * (1 + a) + i) * n..][..n];
        let index = |t: usize, z: usize| (t << (a - z)) + (indices[t] as usize >> z);
        let mut nodes = vec![0; k * n];
        self.batch(n, &mut nodes, |t, input| {
            input.copy_from_slice(part(t, 0));
            tree.fors(FORS_TREE, 0, index(t, 0))
        });
        for z in 0..a {
            let pairs: Vec<Vec<u8>> = nodes
                .chunks_exact(n)
                .enumerate()
                .map(|(t, node)| pair(index(t, z), node, part(t, 1 + z)))
                .collect();
            nodes = self.parents(&pairs.concat(), |t| tree.fors(FORS_TREE, z + 1, index(t, z + 1)));
        }
        nodes
    }

    /// Returns the FORS public key, which the lowest tree signs.
    fn fors_key(&self, tree: Tree, roots: &[u8]) -> Vec<u8> {
        let mut key = vec![0; self.set.n];
        self.batch(roots.len(), &mut key, |_, input| {
            input.copy_from_slice(roots);
            tree.fors(FORS_ROOTS, 0, 0)
        });
        key
    }

    /// Returns the randomizer R: PRF_msg of SK.prf, the randomness and the message.
    fn randomizer(&self, prf: &[u8], randomness: &[u8], message: &[&[u8]]) -> Vec<u8> {
        fn hmac<H: Hasher>(key: &[u8], randomness: &[u8], message: &[&[u8]]) -> Vec<u8> {
            let mut hmac = Hmac::<H>::new(key);
            hmac.update(randomness);
            message.iter().for_each(|part| {
                hmac.update(part);
            });
            hmac.finalize().as_ref().to_vec()
        }
        let mut randomizer = match &self.hashers {
            Hashers::Shake(_) => shake(&[&[prf, randomness], message].concat(), self.set.n),
            Hashers::Sha2 { long: None, .. } => hmac::<Sha256>(prf, randomness, message),
            Hashers::Sha2 { .. } => hmac::<Sha512>(prf, randomness, message),
        };
        randomizer.truncate(self.set.n);
        randomizer
    }

    /// Returns the leaves that sign the message: H_msg, and its bits (algorithm 19, lines 5 to 10).
    fn places(&self, randomizer: &[u8], public_key: &[u8], message: &[&[u8]]) -> Places {
        /// MGF1 of the randomizer, the seed and a digest.
        fn mask<H: Hasher>(parts: &[&[u8]], message: &[&[u8]], len: usize) -> Vec<u8> {
            let of = |parts: &[&[u8]]| {
                let mut hasher = H::new();
                parts.iter().for_each(|part| {
                    hasher.update(part);
                });
                hasher.finalize()
            };
            let digest = of(&[parts, message].concat());
            let block = |i: u32| of(&[parts[0], parts[1], digest.as_ref(), &i.to_be_bytes()]);
            let blocks = (0..).map(block).take(len.div_ceil(digest.as_ref().len()));
            let mut mask: Vec<u8> = blocks.flat_map(|block| block.as_ref().to_vec()).collect();
            mask.truncate(len);
            mask
        }
        let Parameters { n, d, height, a, k, .. } = *self.set;
        let (of_fors, tree_bits) = ((k * a).div_ceil(8), (d - 1) * height);
        let lens = [of_fors, tree_bits.div_ceil(8), height.div_ceil(8)];
        let parts = &[randomizer, &public_key[..n], &public_key[n..]];
        let len = lens.iter().sum();
        let digest = match &self.hashers {
            Hashers::Shake(_) => shake(&[parts, message].concat(), len),
            Hashers::Sha2 { long: None, .. } => mask::<Sha256>(parts, message, len),
            Hashers::Sha2 { .. } => mask::<Sha512>(parts, message, len),
        };
        let number = |bytes: &[u8], bits: usize| {
            let number = bytes.iter().fold(0, |number, &byte| (number << 8) | u64::from(byte));
            number & (u64::MAX >> (64 - bits))
        };
        let (fors, rest) = digest.split_at(of_fors);
        let (tree, leaf) = rest.split_at(lens[1]);
        let (mut index, mut leaf) = (number(tree, tree_bits), number(leaf, height));
        let mut path = Vec::new();
        for layer in 0..d as u32 {
            path.push(Tree { layer, index, leaf: Some(leaf as usize) });
            leaf = index & ((1 << height) - 1);
            index >>= height;
        }
        Places { indices: groups_of_bits(fors, a, k), path }
    }
}

fn shake(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut hasher = Shake256::new();
    parts.iter().for_each(|part| {
        hasher.update(part);
    });
    hasher.squeeze().take(len).collect()
}

/// The chains of WOTS+ keys: rows of an address and the value of a chain.
struct Chains {
    rows: Vec<u8>,
    /// The rows that the next step fills. Only their values differ.
    next: Vec<u8>,
    /// The lengths of an address and of a row.
    lens: [usize; 2],
}

impl Chains {
    fn new(functions: &Functions, count: usize, address: impl Fn(usize) -> Address) -> Self {
        let lens = [functions.address_len, functions.address_len + functions.set.n];
        let mut rows = vec![0; count * lens[1]];
        for (i, row) in rows.chunks_exact_mut(lens[1]).enumerate() {
            address(i).write(&mut row[..lens[0]]);
        }
        Chains { next: rows.clone(), rows, lens }
    }

    fn count(&self) -> usize {
        self.rows.len() / self.lens[1]
    }

    fn values(&self, chains: Range<usize>) -> impl Iterator<Item = &[u8]> {
        let [address, width] = self.lens;
        let rows = &self.rows[chains.start * width..chains.end * width];
        rows.chunks_exact(width).map(move |row| &row[address..])
    }

    /// Sets the values of the chains.
    fn set<'v>(&mut self, value: impl Fn(usize) -> &'v [u8]) {
        let [address, width] = self.lens;
        for rows in [&mut self.rows, &mut self.next] {
            for (i, row) in rows.chunks_exact_mut(width).enumerate() {
                row[address..].copy_from_slice(value(i));
            }
        }
    }

    /// Sets the values to the beginnings of the chains, which PRF makes of the secret seed.
    fn begin(&mut self, functions: &Functions, secret: &[u8]) {
        self.set(|_| secret);
        let [address, width] = self.lens;
        let kinds = |rows: &mut Vec<u8>, kind| {
            rows.chunks_exact_mut(width).for_each(|row| row[address - 13] = kind);
        };
        kinds(&mut self.rows, WOTS_PRF);
        self.hash(functions, self.count());
        kinds(&mut self.next, WOTS_HASH);
    }

    /// Hashes the values of the first `count` chains once more: their step number `step`.
    fn step(&mut self, functions: &Functions, count: usize, step: u8) {
        let [address, width] = self.lens;
        for row in self.rows[..count * width].chunks_exact_mut(width) {
            row[address - 1] = step;
        }
        self.hash(functions, count);
    }

    fn hash(&mut self, functions: &Functions, count: usize) {
        let [address, width] = self.lens;
        let next = RowsMut::new(&mut self.next[..count * width], width, address..width);
        functions.hash(&self.rows[..count * width], width, next.expect("whole rows"));
        std::mem::swap(&mut self.rows, &mut self.next);
    }
}

/// Returns the first `count` groups of `width` bits (algorithm 4).
fn groups_of_bits(bytes: &[u8], width: usize, count: usize) -> Vec<u32> {
    let bit = |i: usize| u32::from((bytes[i / 8] >> (7 - i % 8)) & 1);
    let group = |i: usize| (i * width..(i + 1) * width).fold(0, |group, i| (group << 1) | bit(i));
    (0..count).map(group).collect()
}

/// Returns how many steps the chains that sign a node have gone: its digits to the base 16, and those
/// of their checksum (algorithm 7).
fn digits(node: &[u8]) -> Vec<u8> {
    let mut digits: Vec<u8> = node.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect();
    let checksum: u32 = digits.iter().map(|&digit| u32::from(STEPS - digit)).sum();
    digits.extend([8, 4, 0].map(|shift| ((checksum >> shift) & 15) as u8));
    digits
}

/// Splits nodes of `n` bytes over threads. `work` gets a part of them and their indices. The results
/// are in the order of the parts.
fn split<T: Send>(
    threads: usize,
    n: usize,
    nodes: &mut [u8],
    work: impl Fn(&mut [u8], Range<usize>) -> T + Sync,
) -> Vec<T> {
    let part = (nodes.len() / n).div_ceil(threads.max(1));
    let work = &work;
    let parts = nodes.chunks_mut(part * n).enumerate();
    let mut parts = parts.map(|(i, nodes)| {
        let range = i * part..i * part + nodes.len() / n;
        move || work(nodes, range)
    });
    std::thread::scope(|scope| {
        let first = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(part)).collect();
        let first = first.map(|part| part());
        let join = |thread: std::thread::ScopedJoinHandle<'_, T>| thread.join().expect("no panic");
        first.into_iter().chain(others.into_iter().map(join)).collect()
    })
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (name, threads) = (arguments.next().unwrap_or_default(), arguments.next());
    let Ok(threads) = threads.unwrap_or("1".to_owned()).parse() else {
        eprintln!("slh_dsa: the second argument is a number of threads");
        return ExitCode::FAILURE;
    };
    let mut sets = SETS.iter().filter(|set| set.name.contains(&name)).peekable();
    if sets.peek().is_none() {
        eprintln!("slh_dsa: no parameter set has {name} in its name");
        return ExitCode::FAILURE;
    }
    println!("{:20}{:>12}{:>12}{:>12}", "milliseconds", "key", "sign", "verify");
    for set in sets {
        let seeds: Vec<u8> = (0..3 * set.n as u8).collect();
        let (generate, key) = best(|| PrivateKey::generate(set, &seeds, threads));
        let (sign, signature) = best(|| key.sign(b"message", b"", None, threads));
        let signature = signature.unwrap_or_default();
        let check = || verify(set, key.public_key(), (b"message", b""), &signature);
        let (check, is_valid) = best(check);
        assert!(is_valid, "{}", set.name);
        let [generate, sign, check] = [generate, sign, check].map(|time| time.as_secs_f64() * 1e3);
        println!("{:20}{generate:>12.3}{sign:>12.3}{check:>12.3}", set.name);
    }
    ExitCode::SUCCESS
}

/// Returns the least time of some calls, and the last result.
fn best<T>(mut call: impl FnMut() -> T) -> (Duration, T) {
    let (begin, mut least) = (Instant::now(), Duration::MAX);
    loop {
        let start = Instant::now();
        let result = call();
        least = least.min(start.elapsed());
        if begin.elapsed() > Duration::from_millis(500) {
            return (least, result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    type Field = Box<dyn Fn(&str) -> Option<Vec<u8>>>;

    /// Returns NIST's answers of this kind: the set of each, and a function that reads its fields.
    fn answers(kind: &str) -> Vec<(&'static Parameters, Field)> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/systems/slh-dsa.json");
        let file = std::fs::read_to_string(path).expect("the file of answers");
        let file: Value = serde_json::from_str(&file).expect("JSON");
        let answers = file[kind].as_array().expect("a list").clone();
        let byte = |digits: &[u8]| {
            u8::from_str_radix(std::str::from_utf8(digits).expect("ASCII"), 16).expect("digits")
        };
        let answer = |answer: Value| {
            let set = SETS.iter().find(|set| answer["set"] == set.name).expect("a set");
            let field = move |name: &str| {
                Some(answer[name].as_str()?.as_bytes().chunks(2).map(byte).collect())
            };
            (set, Box::new(field) as Field)
        };
        answers.into_iter().map(answer).collect()
    }

    #[test]
    fn keys_are_those_of_nist() {
        for (set, field) in answers("keys") {
            let key = field("key").expect("a key");
            for threads in [1, 3] {
                let ours = PrivateKey::generate(set, &key[..3 * set.n], threads);
                assert_eq!(ours.bytes, key, "{}", set.name);
            }
        }
    }

    #[test]
    fn signatures_are_those_of_nist() {
        for (set, field) in answers("signatures") {
            let key = field("key").and_then(|key| PrivateKey::from_bytes(set, &key));
            let (key, message) = (key.expect("a key"), field("message").expect("a message"));
            let signature = key.sign_parts(&[&message], field("randomness").as_deref(), 2);
            assert_eq!(
                Some(hashmill::sha256(&signature).to_vec()),
                field("sha256"),
                "{}",
                set.name
            );
            assert!(verify_parts(set, key.public_key(), &[&message], &signature), "{}", set.name);
        }
    }

    /// A signature is refused if any part of it, the message, the context or the key is another.
    #[test]
    fn what_is_changed_is_refused() {
        for set in SETS.iter().filter(|set| set.name.ends_with('f')) {
            let key = PrivateKey::generate(set, &vec![7; 3 * set.n], 1);
            let sign = |threads| key.sign(b"message", b"context", None, threads);
            let signature = sign(1).expect("a short context");
            assert_eq!(sign(3).as_ref(), Some(&signature), "{}", set.name);
            let public = key.public_key().to_vec();
            let signed: (&[u8], &[u8]) = (b"message", b"context");
            assert!(verify(set, &public, signed, &signature), "{}", set.name);
            let layers = set.n + set.fors_len();
            for at in
                [0, set.n, 2 * set.n, layers, layers + set.chains() * set.n, signature.len() - 1]
            {
                let mut changed = signature.clone();
                changed[at] ^= 1;
                assert!(!verify(set, &public, signed, &changed), "{}: byte {at}", set.name);
            }
            assert!(!verify(set, &public, signed, &signature[1..]));
            assert!(!verify(set, &public, (b"massage", b"context"), &signature));
            assert!(!verify(set, &public, (b"message", b"content"), &signature));
            assert!(!verify(
                set,
                &[&public[set.n..], &public[..set.n]].concat(),
                signed,
                &signature
            ));
            assert!(!verify(set, &public[1..], signed, &signature));
            assert!(key.sign(b"", &[0; 256], None, 1).is_none());
            assert!(PrivateKey::from_bytes(set, &public).is_none());
        }
    }
}
