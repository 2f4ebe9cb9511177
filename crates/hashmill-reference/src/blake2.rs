//! BLAKE2: BLAKE2b and BLAKE2s follow RFC 7693, "The BLAKE2 Cryptographic Hash and MAC". The whole
//! parameter block, tree hashing, BLAKE2bp and BLAKE2sp follow "BLAKE2: simpler, smaller, fast as
//! MD5" (2013.01.29), which the comments call the paper.

use std::num::Wrapping;
use std::ops::{Add, BitXor};

use crate::roots::SQUARE_ROOTS;
use crate::trace::{Place::*, Traced, note};

/// The parameters of BLAKE2 (RFC 7693 §2.5; for tree hashing the paper, §2.10). [`Params::default`]
/// is plain sequential hashing.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    /// Length of the digest in bytes: 1 to 64 for b and bp, 1 to 32 for s and sp. `None` is the
    /// longest.
    pub output_len: Option<usize>,
    /// The key: up to 64 bytes for b and bp, up to 32 for s and sp; empty for hashing without a
    /// key.
    pub key: &'a [u8],
    /// The salt: up to 16 bytes for b and bp, up to 8 for s and sp; a shorter one is padded with
    /// zeros.
    pub salt: &'a [u8],
    /// Personalization, with the lengths of `salt`.
    pub personal: &'a [u8],
    /// The number of children of a node; 0 is unlimited, 1 is sequential hashing.
    pub fanout: u8,
    /// Depth of the tree; 255 is unlimited, 1 is sequential hashing.
    pub max_depth: u8,
    /// Length of a leaf's data in bytes; 0 is unlimited, or sequential hashing.
    pub leaf_len: u32,
    /// Position of the node among the nodes of its depth, from 0. BLAKE2s has 48 bits for it.
    pub node_offset: u64,
    /// Depth of the node, 0 for a leaf.
    pub node_depth: u8,
    /// Length of the digests of the inner nodes, up to 64 or 32; 0 in sequential hashing.
    pub inner_len: u8,
    /// Whether the node is the last one of its depth (the flag f1).
    pub last_node: bool,
}

impl Default for Params<'_> {
    fn default() -> Self {
        Params {
            output_len: None,
            key: &[],
            salt: &[],
            personal: &[],
            fanout: 1,
            max_depth: 1,
            leaf_len: 0,
            node_offset: 0,
            node_depth: 0,
            inner_len: 0,
            last_node: false,
        }
    }
}

/// BLAKE2b, with 64-bit words (RFC 7693 §2.1).
pub fn blake2b(message: &[u8], params: &Params) -> Vec<u8> {
    blake2::<Wrapping<u64>>(message, params)
}

/// BLAKE2s, with 32-bit words (RFC 7693 §2.1).
pub fn blake2s(message: &[u8], params: &Params) -> Vec<u8> {
    blake2::<Wrapping<u32>>(message, params)
}

/// BLAKE2bp: four leaves of BLAKE2b, as the paper defines it. The fields of `params` from `fanout`
/// on are ignored.
pub fn blake2bp(message: &[u8], params: &Params) -> Vec<u8> {
    parallel::<Wrapping<u64>>(4, message, params)
}

/// BLAKE2sp: eight leaves of BLAKE2s, as the paper defines it. The fields of `params` from `fanout`
/// on are ignored.
pub fn blake2sp(message: &[u8], params: &Params) -> Vec<u8> {
    parallel::<Wrapping<u32>>(8, message, params)
}

fn blake2<W: Word>(message: &[u8], params: &Params) -> Vec<u8> {
    let data = [key_block::<W>(params.key), message.to_vec()].concat();
    node::<W>(&data, params, output_len::<W>(params))
}

/// BLAKE2bp and BLAKE2sp are trees of the paper's §2.10 with two levels. Leaf i of n hashes the
/// blocks i, i + n, i + 2n, … of the message; the root hashes the leaves' digests.
///
/// The key is the first block of every leaf, and is not in the root's data. Its length is a
/// parameter of all nodes. So is the length of the final digest, although the digests of the leaves
/// have the longest length.
fn parallel<W: Word>(leaves: u8, message: &[u8], params: &Params) -> Vec<u8> {
    let tree = Params {
        fanout: leaves,
        max_depth: 2,
        leaf_len: 0,
        inner_len: W::MAX_LEN as u8,
        ..*params
    };
    let mut digests = Vec::new();
    for i in 0..leaves {
        let blocks = message.chunks(W::BLOCK_LEN).skip(i.into()).step_by(leaves.into());
        let data = [key_block::<W>(params.key), blocks.flatten().copied().collect()].concat();
        let leaf =
            Params { node_depth: 0, node_offset: i.into(), last_node: i == leaves - 1, ..tree };
        digests.extend(node::<W>(&data, &leaf, W::MAX_LEN));
    }
    let root = Params { node_depth: 1, node_offset: 0, last_node: true, ..tree };
    node::<W>(&digests, &root, output_len::<W>(params))
}

/// RFC 7693 §3.3: the key, padded with zeros, is a block before the message.
fn key_block<W: Word>(key: &[u8]) -> Vec<u8> {
    if key.is_empty() { Vec::new() } else { fill_up(key, W::BLOCK_LEN) }
}

/// Hashes `data`, which begins with the key's block if there is a key (RFC 7693 §3.3). It is one
/// node of a tree, or all of a sequential hash.
fn node<W: Word>(data: &[u8], params: &Params, digest_len: usize) -> Vec<u8> {
    let words = parameter_block::<W>(params);
    let mut words = words.chunks_exact(W::BYTES).map(W::from_bytes);
    let h = W::iv().map(|iv| iv ^ words.next().expect("the parameter block is 8 words"));
    node_after(h, 0, data, params.last_node, digest_len)
}

/// The same with the state after the first `absorbed` bytes, whole blocks. `data` is the rest.
fn node_after<W: Word>(
    mut h: [W; 8],
    absorbed: u128,
    data: &[u8],
    last_node: bool,
    digest_len: usize,
) -> Vec<u8> {
    // The last block may be shorter than the others, or empty if there is no data at all.
    let full_len = data.len().saturating_sub(1) / W::BLOCK_LEN * W::BLOCK_LEN;
    let (full, last) = data.split_at(full_len);
    let mut offset = absorbed;
    for block in full.chunks_exact(W::BLOCK_LEN) {
        offset += block.len() as u128;
        h = compress(h, block, offset, [W::ZERO, W::ZERO]);
    }
    offset += last.len() as u128;
    let f1 = if last_node { W::ONES } else { W::ZERO };
    h = compress(h, &fill_up(last, W::BLOCK_LEN), offset, [W::ONES, f1]);

    let mut digest: Vec<u8> = h.into_iter().flat_map(W::to_bytes).collect();
    digest.truncate(digest_len);
    digest
}

/// BLAKE2b (words of 8 bytes) or BLAKE2s (4) from the words of a state.
pub(crate) fn after(
    word_len: usize,
    words: &[u8],
    absorbed: u128,
    rest: &[u8],
    last_node: bool,
    digest_len: usize,
) -> Vec<u8> {
    fn after<W: Word>(
        words: &[u8],
        absorbed: u128,
        rest: &[u8],
        last_node: bool,
        digest_len: usize,
    ) -> Vec<u8> {
        let h = std::array::from_fn(|i| W::from_bytes(&words[i * W::BYTES..][..W::BYTES]));
        node_after::<W>(h, absorbed, rest, last_node, digest_len)
    }
    match word_len {
        8 => after::<Wrapping<u64>>(words, absorbed, rest, last_node, digest_len),
        _ => after::<Wrapping<u32>>(words, absorbed, rest, last_node, digest_len),
    }
}

/// The compression function F (RFC 7693 §3.2), with both finalization flags of the paper.
fn compress<W: Word>(h: [W; 8], block: &[u8], offset: u128, [f0, f1]: [W; 2]) -> [W; 8] {
    let m: Vec<W> = block.chunks_exact(W::BYTES).map(W::from_bytes).collect();

    let [t0, t1] = W::low_and_high(offset);
    let mut v = [h, W::iv()].concat();
    v[12] = v[12] ^ t0;
    v[13] = v[13] ^ t1;
    v[14] = v[14] ^ f0;
    v[15] = v[15] ^ f1;

    for round in 0..W::ROUNDS {
        let s = SIGMA[round % 10];
        mix(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
        mix(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
        mix(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
        mix(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
        note(Round, v.iter().copied());

        mix(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
        mix(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
        mix(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
        mix(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
        note(Round, v.iter().copied());
    }

    let h = std::array::from_fn(|i| h[i] ^ v[i] ^ v[i + 8]);
    note(State, h);
    h
}

/// The mixing function G (RFC 7693 §3.1).
fn mix<W: Word>(v: &mut [W], [a, b, c, d]: [usize; 4], x: W, y: W) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    v[a] = v[a] + v[b] + x;
    v[d] = (v[d] ^ v[a]).rotr(r1);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(r2);
    v[a] = v[a] + v[b] + y;
    v[d] = (v[d] ^ v[a]).rotr(r3);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(r4);
}

/// The paper's parameter block: eight words, which are exclusive-or'ed into the IV. RFC 7693 §2.5
/// defines its first four bytes.
fn parameter_block<W: Word>(params: &Params) -> Vec<u8> {
    let (salt_len, node_offset_len) = (2 * W::BYTES, W::NODE_OFFSET_LEN);
    let node_offset = params.node_offset.to_le_bytes();
    let (node_offset, excess) = node_offset.split_at(node_offset_len);
    assert!(params.key.len() <= W::MAX_LEN, "key is longer than {} bytes", W::MAX_LEN);
    assert!(params.salt.len() <= salt_len, "salt is longer than {salt_len} bytes");
    assert!(params.personal.len() <= salt_len, "personalization is longer than {salt_len} bytes");
    assert!(
        excess.iter().all(|&byte| byte == 0),
        "node offset is longer than {node_offset_len} bytes"
    );
    assert!(
        usize::from(params.inner_len) <= W::MAX_LEN,
        "inner length is more than {} bytes",
        W::MAX_LEN
    );

    let mut block = vec![
        output_len::<W>(params) as u8,
        params.key.len() as u8,
        params.fanout,
        params.max_depth,
    ];
    block.extend(params.leaf_len.to_le_bytes());
    block.extend(node_offset);
    block.extend([params.node_depth, params.inner_len]);
    [
        fill_up(&block, 4 * W::BYTES),
        fill_up(params.salt, salt_len),
        fill_up(params.personal, salt_len),
    ]
    .concat()
}

fn output_len<W: Word>(params: &Params) -> usize {
    let output_len = params.output_len.unwrap_or(W::MAX_LEN);
    assert!(
        (1..=W::MAX_LEN).contains(&output_len),
        "output length is not between 1 and {} bytes",
        W::MAX_LEN
    );
    output_len
}

fn fill_up(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut filled = bytes.to_vec();
    filled.resize(len, 0);
    filled
}

/// A word of w = 64 or 32 bits, whose addition is modulo 2^w (RFC 7693 §2.3), with all constants
/// and functions that depend on w (§2.1).
trait Word: Traced + Copy + Add<Output = Self> + BitXor<Output = Self> {
    const BYTES: usize;
    /// The length of a block in bytes, bb.
    const BLOCK_LEN: usize = 16 * Self::BYTES;
    /// The length in bytes of the longest digest and of the longest key.
    const MAX_LEN: usize = 8 * Self::BYTES;
    /// The number of rounds, r.
    const ROUNDS: usize;
    /// The rotation constants, R1 to R4.
    const ROTATIONS: [u32; 4];
    /// The length in bytes of the node offset in the parameter block.
    const NODE_OFFSET_LEN: usize;
    const ZERO: Self;
    const ONES: Self;

    fn iv() -> [Self; 8];
    fn rotr(self, n: u32) -> Self;
    fn low_and_high(offset: u128) -> [Self; 2];
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self) -> Vec<u8>;
}

/// BLAKE2b.
impl Word for Wrapping<u64> {
    const BYTES: usize = 8;
    const ROUNDS: usize = 12;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
    const NODE_OFFSET_LEN: usize = 8;
    const ZERO: Self = Wrapping(0);
    const ONES: Self = Wrapping(u64::MAX);

    /// RFC 7693 §2.6: floor(2^64 · frac(sqrt(prime))) for the first 8 primes.
    fn iv() -> [Self; 8] {
        std::array::from_fn(|i| Wrapping(SQUARE_ROOTS[i]))
    }

    fn rotr(self, n: u32) -> Self {
        Wrapping(self.0.rotate_right(n))
    }

    fn low_and_high(offset: u128) -> [Self; 2] {
        [Wrapping(offset as u64), Wrapping((offset >> 64) as u64)]
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Wrapping(u64::from_le_bytes(bytes.try_into().expect("a word is 8 bytes")))
    }

    fn to_bytes(self) -> Vec<u8> {
        self.0.to_le_bytes().to_vec()
    }
}

/// BLAKE2s.
impl Word for Wrapping<u32> {
    const BYTES: usize = 4;
    const ROUNDS: usize = 10;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const NODE_OFFSET_LEN: usize = 6;
    const ZERO: Self = Wrapping(0);
    const ONES: Self = Wrapping(u32::MAX);

    /// RFC 7693 §2.6: floor(2^32 · frac(sqrt(prime))) for the first 8 primes.
    fn iv() -> [Self; 8] {
        std::array::from_fn(|i| Wrapping((SQUARE_ROOTS[i] >> 32) as u32))
    }

    fn rotr(self, n: u32) -> Self {
        Wrapping(self.0.rotate_right(n))
    }

    fn low_and_high(offset: u128) -> [Self; 2] {
        [Wrapping(offset as u32), Wrapping((offset >> 32) as u32)]
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Wrapping(u32::from_le_bytes(bytes.try_into().expect("a word is 4 bytes")))
    }

    fn to_bytes(self) -> Vec<u8> {
        self.0.to_le_bytes().to_vec()
    }
}

/// RFC 7693 §2.7: the order of the message words in each round.
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7693, appendices C and D, the printed values.
    #[test]
    fn initial_values() {
        let printed = [
            0x6A09E667F3BCC908,
            0xBB67AE8584CAA73B,
            0x3C6EF372FE94F82B,
            0xA54FF53A5F1D36F1,
            0x510E527FADE682D1,
            0x9B05688C2B3E6C1F,
            0x1F83D9ABFB41BD6B,
            0x5BE0CD19137E2179,
        ];
        assert_eq!(Wrapping::<u64>::iv(), printed.map(Wrapping));
        let first_halves = printed.map(|word| Wrapping((word >> 32) as u32));
        assert_eq!(Wrapping::<u32>::iv(), first_halves);
    }

    /// RFC 7693, appendices A and B: h\[0\] of the unkeyed hash.
    #[test]
    fn parameter_block_of_plain_hashing() {
        assert_eq!(parameter_block::<Wrapping<u64>>(&Params::default())[..4], [64, 0, 1, 1]);
        assert_eq!(parameter_block::<Wrapping<u32>>(&Params::default())[..4], [32, 0, 1, 1]);
    }

    /// Every field, in the paper's order, lowest byte first.
    #[test]
    fn parameter_block_of_every_field() {
        let params = Params {
            output_len: Some(0x11),
            key: &[0; 0x12],
            salt: b"salt",
            personal: b"personal",
            fanout: 0x13,
            max_depth: 0x14,
            leaf_len: 0x1516_1718,
            node_offset: 0x1a1b_1c1d_1e1f,
            node_depth: 0x20,
            inner_len: 0x1f,
            last_node: true,
        };
        let start = b"\x11\x12\x13\x14\x18\x17\x16\x15\x1f\x1e\x1d\x1c\x1b\x1a";
        let b =
            [start.as_slice(), b"\0\0\x20\x1f", &[0; 14], b"salt", &[0; 12], b"personal", &[0; 8]];
        assert_eq!(parameter_block::<Wrapping<u64>>(&params), b.concat());
        let s = [start.as_slice(), b"\x20\x1f", b"salt", &[0; 4], b"personal"];
        assert_eq!(parameter_block::<Wrapping<u32>>(&params), s.concat());
    }

    #[test]
    #[should_panic = "key is longer than 32 bytes"]
    fn long_key() {
        blake2s(b"", &Params { key: &[0; 33], ..Params::default() });
    }

    #[test]
    #[should_panic = "output length is not between 1 and 64 bytes"]
    fn empty_digest() {
        blake2b(b"", &Params { output_len: Some(0), ..Params::default() });
    }

    #[test]
    #[should_panic = "node offset is longer than 6 bytes"]
    fn large_node_offset() {
        blake2s(b"", &Params { node_offset: 1 << 48, ..Params::default() });
    }
}
