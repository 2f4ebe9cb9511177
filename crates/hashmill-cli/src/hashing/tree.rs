//! Tree functions. Several threads hash the leaves of one file, in pieces of the file. The pieces
//! are joined to the root in order. The library's own types compute the same functions on one
//! thread.
//!
//! KT128 and KT256 without a customization string: RFC 9861 §3.2. ParallelHash with its default
//! parameters: SP 800-185 §6.3, with blocks of [`CHUNK`] bytes.
//! BLAKE3: §2.1 and §5.1.2 of its paper. A piece of BLAKE3 is a subtree, because its length is a
//! power of two.
//!
//! Amazon Glacier's and Dropbox's hashes have leaves that are longer than a piece should be. There a
//! piece is as many leaves as there are lanes, and a part of each is read and hashed at a time.

use crate::hashing::algorithm::AnyAlgorithm::{self, Foreign as Another, Ours};
use crate::hashing::algorithm::CHUNK;
use crate::hashing::algorithm::Foreign::{
    Dropbox, Glacier, Kt128, Kt256, ParallelHash128, ParallelHash256,
};
use crate::hashing::many;
use hashmill::many::{Merkle, MountainRange, Odd};
use hashmill::{Algorithm, AnyHasher, Blake3, CShake128, CShake256, Customization, FunctionName};
use hashmill::{Sha256, TurboShake128, TurboShake256, function};
use std::io;

/// The length of a piece in bytes. A piece is read and hashed as a whole, and fits in the
/// second-level cache.
const PIECE: usize = 256 << 10;
/// The number of long leaves that are hashed side by side, and the length of a part of each in bytes.
const LANES: usize = 16;
const PART: usize = 32 << 10;

/// A tree function.
pub struct TreeFunction {
    algorithm: AnyAlgorithm,
    /// A leaf of a sponge, or a long leaf. `None` for BLAKE3.
    leaf: Option<AnyHasher>,
    /// The length of a long leaf in bytes.
    long: Option<usize>,
}

/// The hashed leaves of a piece.
pub struct Leaves {
    /// The bytes that the root absorbs for these leaves.
    values: Vec<u8>,
    /// The number of leaves, or 1 for a piece of BLAKE3.
    count: u64,
    /// The bytes of the last piece after its last whole leaf.
    rest: Vec<u8>,
}

/// The state of the root, which joins the pieces in order.
pub struct Root {
    joined: Joined,
    /// The number of joined leaves of a sponge, or of joined pieces of BLAKE3.
    count: u64,
    rest: Vec<u8>,
}

enum Joined {
    /// The hash of all leaves: of a sponge, or Dropbox's.
    Node(Box<AnyHasher>),
    /// The chaining values of subtrees that are not merged yet, the largest first (paper §5.1.2).
    Blake3(Vec<[u8; 32]>),
    /// Glacier's tree.
    Pairs(MountainRange<function::Sha256>),
}

impl TreeFunction {
    /// Returns the tree function of an algorithm, or `None` if the algorithm is not a tree.
    pub fn of(algorithm: AnyAlgorithm) -> Option<TreeFunction> {
        /// RFC 9861 §3.2: the domain of the leaves.
        const LEAF: u8 = 0x0B;
        let (leaf, is_long) = match algorithm {
            Ours(Algorithm::Blake3) => (None, false),
            Another(Kt128 | Kt256) => (Some(turbo(algorithm, LEAF)), false),
            Another(ParallelHash128) => (Some(Algorithm::Shake128.hasher()), false),
            Another(ParallelHash256) => (Some(Algorithm::Shake256.hasher()), false),
            Another(Glacier | Dropbox) => (Some(Algorithm::Sha256.hasher()), true),
            _ => return None,
        };
        let long = is_long.then(|| algorithm.facts().block_len);
        Some(TreeFunction { algorithm, leaf, long })
    }

    /// Returns whether one thread hashes the leaves faster than the library's type does.
    pub fn is_faster_on_one_thread(&self) -> bool {
        self.long.is_some()
    }

    /// Returns the length of a piece in bytes.
    pub fn piece_len(&self) -> u64 {
        self.long.map_or(PIECE, |len| LANES * len) as u64
    }

    /// Returns a buffer for [`read`](Self::read).
    pub fn buffer(&self) -> Vec<u8> {
        vec![0; if self.long.is_some() { LANES * PART } else { PIECE }]
    }

    /// Reads the piece with this index and hashes its leaves. `fill` fills a buffer with the bytes from
    /// an offset of the file on, and returns how many there are. Returns the number of bytes read, less
    /// than that of a piece at the end of the file, or `None` if the file was truncated, or written to,
    /// since it was opened.
    pub fn read(
        &self,
        index: u64,
        buffer: &mut [u8],
        fill: &dyn Fn(&mut [u8], u64) -> io::Result<usize>,
    ) -> io::Result<Option<(usize, Leaves)>> {
        let start = index * self.piece_len();
        let (Some(long), Some(leaf)) = (self.long, &self.leaf) else {
            let len = fill(buffer, start)?;
            return Ok(match len {
                0 if index > 0 => Some((0, Leaves { values: vec![], count: 0, rest: vec![] })),
                ..PIECE if index == 0 => None,
                _ => Some((len, self.leaves(index, &buffer[..len]))),
            });
        };
        let (mut hashers, mut lens) = (vec![leaf.clone(); LANES], [0; LANES]);
        for at in (0..long).step_by(PART) {
            let mut parts = [&[][..]; LANES];
            for (i, room) in buffer.chunks_exact_mut(PART).enumerate() {
                let len = fill(room, start + (i * long + at) as u64)?;
                lens[i] += len;
                parts[i] = &room[..len];
            }
            many::update(&mut hashers, &parts);
        }
        let len: usize = lens.iter().sum();
        let whole = len / long;
        // Only the last leaf is shorter.
        let are_leaves = lens[..whole].iter().all(|&it| it == long);
        let count = len.div_ceil(long);
        let values = hashers[..count].iter().flat_map(|leaf| leaf.finalize().to_vec()).collect();
        let leaves = Leaves { values, count: count as u64, rest: vec![] };
        Ok((are_leaves && lens[count..].iter().all(|&it| it == 0)).then_some((len, leaves)))
    }

    fn is_kangaroo(&self) -> bool {
        matches!(self.algorithm, Another(Kt128 | Kt256))
    }

    fn value_len(&self) -> usize {
        if matches!(self.algorithm, Another(Kt128 | ParallelHash128)) { 32 } else { 64 }
    }

    /// Hashes the leaves of the piece with this index. A piece has [`PIECE`] bytes; only the last
    /// piece of a file may be shorter. The first piece must have [`PIECE`] bytes.
    fn leaves(&self, index: u64, piece: &[u8]) -> Leaves {
        let Some(leaf) = &self.leaf else {
            let value = Blake3::new().subtree(index * PIECE as u64, piece);
            let values = value.expect("a piece is a subtree").to_vec();
            return Leaves { values, count: 1, rest: vec![] };
        };
        let mut values = Vec::new();
        let mut piece = piece;
        if index == 0 && self.is_kangaroo() {
            // The root absorbs the first chunk itself, followed by 110^62 (RFC 9861 §3.2).
            let (first, after) = piece.split_at(CHUNK);
            values.extend(first);
            values.extend([3, 0, 0, 0, 0, 0, 0, 0]);
            piece = after;
        }
        let (chunks, rest) = piece.split_at(piece.len() - piece.len() % CHUNK);
        let count = chunks.len() / CHUNK;
        let start = values.len();
        values.resize(start + count * self.value_len(), 0);
        many::rows(leaf, chunks, CHUNK, &mut values[start..]);
        Leaves { values, count: count as u64, rest: rest.to_vec() }
    }

    pub fn root(&self) -> Root {
        /// RFC 9861 §3.2: the domain of the final node.
        const FINAL: u8 = 0x06;
        /// SP 800-185 §6.3.1.
        const NAME: FunctionName<'_> = FunctionName(b"ParallelHash");
        const NONE: Customization<'_> = Customization(b"");
        let parallel = |mut node: AnyHasher| {
            // left_encode of the block's length (SP 800-185 §2.3.1).
            let (number, len) = encoded(CHUNK as u64);
            node.update([&[len], &*number].concat());
            Joined::Node(node.into())
        };
        let joined = match self.algorithm {
            Another(Kt128 | Kt256) => Joined::Node(turbo(self.algorithm, FINAL).into()),
            Another(ParallelHash128) => parallel(CShake128::new(NAME, NONE).into()),
            Another(ParallelHash256) => parallel(CShake256::new(NAME, NONE).into()),
            Another(Dropbox) => Joined::Node(Algorithm::Sha256.hasher().into()),
            Another(Glacier) => {
                let tree = Merkle::new(Sha256::new(), Odd::Promote);
                Joined::Pairs(MountainRange::new(tree))
            }
            _ => Joined::Blake3(Vec::new()),
        };
        Root { joined, count: 0, rest: Vec::new() }
    }
}

impl Root {
    /// Joins the leaves of the next piece.
    pub fn join(&mut self, leaves: Leaves) {
        match &mut self.joined {
            Joined::Blake3(subtrees) => {
                // Another piece follows, so none of these subtrees is the root, and complete ones
                // can be merged.
                while subtrees.len() > self.count.count_ones() as usize {
                    join_last(subtrees);
                }
                subtrees.extend(<[u8; 32]>::try_from(leaves.values));
            }
            Joined::Node(node) => drop(node.update(&leaves.values)),
            Joined::Pairs(range) => drop(range.append(&leaves.values).expect("whole digests")),
        }
        self.count += leaves.count;
        self.rest = leaves.rest;
    }

    /// Returns the output for the joined pieces. BLAKE3 requires at least two pieces, the other
    /// functions at least one.
    pub fn finish(mut self, tree: &TreeFunction, output_len: usize) -> Vec<u8> {
        let mut output = vec![0; output_len];
        let node = match &mut self.joined {
            Joined::Blake3(subtrees) => {
                while subtrees.len() > 2 {
                    join_last(subtrees);
                }
                if let [left, right] = &**subtrees {
                    Blake3::new().root(left, right).fill(&mut output);
                }
                return output;
            }
            Joined::Pairs(range) => return range.root().to_vec(),
            Joined::Node(list) if tree.long.is_some() => return list.finalize().to_vec(),
            Joined::Node(node) => node,
        };
        if tree.is_kangaroo() {
            // The message ends with length_encode(0), because there is no customization string.
            self.rest.push(0);
        }
        if let Some(leaf) = tree.leaf.as_ref().filter(|_| !self.rest.is_empty()) {
            let mut value = vec![0; tree.value_len()];
            many::rows(leaf, &self.rest, self.rest.len(), &mut value);
            node.update(&value);
            self.count += 1;
        }
        // length_encode (RFC 9861 §3.3) and right_encode (SP 800-185 §2.3.1) differ for 0 only.
        let (number, len) = encoded(self.count);
        node.update([&*number, &[len]].concat());
        if tree.is_kangaroo() {
            node.update([0xFF, 0xFF]);
        } else {
            let (number, len) = encoded(8 * output_len as u64);
            node.update([&*number, &[len]].concat());
        }
        node.hash_into(b"", &mut output).expect("a sponge has an output of any length");
        output
    }
}

/// Merges the last two subtrees.
fn join_last(subtrees: &mut Vec<[u8; 32]>) {
    if let (Some(right), Some(left)) = (subtrees.pop(), subtrees.pop()) {
        subtrees.push(Blake3::new().parent(&left, &right));
    }
}

/// Returns the hasher of KT128's or KT256's nodes in a domain.
fn turbo(algorithm: AnyAlgorithm, domain: u8) -> AnyHasher {
    let hasher = match algorithm {
        Another(Kt128) => TurboShake128::with_domain(domain).map(AnyHasher::from),
        _ => TurboShake256::with_domain(domain).map(AnyHasher::from),
    };
    hasher.expect("the nodes have domains that TurboSHAKE takes")
}

/// Returns the bytes of `number` without leading zeros, but at least one byte, and the number of
/// these bytes.
fn encoded(number: u64) -> (Vec<u8>, u8) {
    let zeros = (number.leading_zeros() as usize / 8).min(7);
    (number.to_be_bytes()[zeros..].to_vec(), 8 - zeros as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::parameters::Parameters;

    /// The results equal those of the library's types on one thread.
    #[test]
    fn trees_are_what_they_are_on_one_thread() {
        let message: Vec<u8> =
            (0..6 * PIECE as u32 + 1).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let trees = AnyAlgorithm::all().filter_map(|it| Some((it, TreeFunction::of(it)?)));
        for (algorithm, tree) in trees {
            let name = algorithm.name();
            let state = algorithm.state(40, &[], &Parameters::default());
            let state = state.expect("no key is needed");
            let unit = tree.long.unwrap_or(PIECE);
            let lens = [unit + 1, unit + CHUNK, 2 * unit - 1, 2 * unit, 5 * unit + 9000];
            for len in lens.into_iter().chain([3, 4, 6, 17].map(|units| units * unit)) {
                let message = &message.repeat(len.div_ceil(message.len()))[..len];
                let mut root = tree.root();
                let fill = |room: &mut [u8], start: u64| {
                    let rest = &message[len.min(start as usize)..];
                    let filled = rest.len().min(room.len());
                    room[..filled].copy_from_slice(&rest[..filled]);
                    Ok(filled)
                };
                for index in 0..(len as u64).div_ceil(tree.piece_len()) {
                    let read = tree.read(index, &mut tree.buffer(), &fill);
                    root.join(read.unwrap().expect("a message that stays as it is").1);
                }
                let mut state = state.clone();
                state.update(message);
                assert_eq!(root.finish(&tree, 40), state.finish(40, len as u64), "{name} {len}");
            }
        }
    }
}
