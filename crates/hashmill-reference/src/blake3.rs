//! BLAKE3 (J. O'Connor, J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: "BLAKE3: one function, fast
//! everywhere", the BLAKE3 paper). The sections are those of the paper.

use crate::trace::{Place::*, note};

/// §2.2, Table 1: the initial value.
const IV: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// §2.2, Table 2: the permutation of the message words after each round.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

// §2.2, Table 3: the flags.
const CHUNK_START: u32 = 1 << 0;
const CHUNK_END: u32 = 1 << 1;
const PARENT: u32 = 1 << 2;
const ROOT: u32 = 1 << 3;
const KEYED_HASH: u32 = 1 << 4;
const DERIVE_KEY_CONTEXT: u32 = 1 << 5;
const DERIVE_KEY_MATERIAL: u32 = 1 << 6;

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes of a chunk.
const CHUNK: usize = 1024;

/// §2.3: `hash(message)`, with an output of `output_len` bytes.
pub fn hash(message: &[u8], output_len: usize) -> Vec<u8> {
    tree(message, &IV, 0).output(output_len)
}

/// §2.3: `keyed_hash(key, message)`, with an output of `output_len` bytes.
pub fn keyed_hash(key: &[u8; 32], message: &[u8], output_len: usize) -> Vec<u8> {
    tree(message, &words(key), KEYED_HASH).output(output_len)
}

/// §2.3: `derive_key(context, key_material)`, with an output of `output_len` bytes.
pub fn derive_key(context: &[u8], key_material: &[u8], output_len: usize) -> Vec<u8> {
    let context_key = tree(context, &IV, DERIVE_KEY_CONTEXT).output(32);
    tree(key_material, &words(&context_key), DERIVE_KEY_MATERIAL).output(output_len)
}

/// The last call of the compression function of a node, which is not made yet. The root makes it
/// with the flag `ROOT`, once for each block of output; every other node makes it once.
struct Node {
    h: [u32; 8],
    m: [u32; 16],
    t: u64,
    b: u32,
    d: u32,
}

impl Node {
    /// §2.1: the first eight words are the chaining value of the node.
    fn chaining_value(&self) -> [u32; 8] {
        let v = compress(&self.h, &self.m, self.t, self.b, self.d);
        note(State, v[..8].iter().copied());
        v[..8].try_into().expect("eight words")
    }

    /// §2.6: the root's output, with the number of each block as the counter.
    fn output(&self, len: usize) -> Vec<u8> {
        let mut output = Vec::new();
        for t in 0.. {
            if output.len() >= len {
                break;
            }
            for word in compress(&self.h, &self.m, t, self.b, self.d | ROOT) {
                output.extend(word.to_le_bytes());
            }
        }
        output.truncate(len);
        output
    }
}

/// The place of a complete subtree: the number of its first chunk, and how many chunks it has.
pub type Subtree = (u64, u64);

/// The complete subtrees before a chunk of which `count` bytes were read, as an exported state has
/// them: the largest that do not overlap. If the message may end here, the last one is two, because
/// their parent may be the root.
pub fn subtrees(chunks: u64, count: u16) -> Vec<Subtree> {
    let (mut subtrees, mut first) = (Vec::new(), 0);
    for size in (0..64).rev().map(|bit| 1 << bit).filter(|size| chunks & size != 0) {
        subtrees.push((first, size));
        first += size;
    }
    if let Some(&(first, size)) = subtrees.last().filter(|&&(_, size)| count == 0 && size > 1) {
        subtrees.pop();
        subtrees.extend([(first, size / 2), (first + size / 2, size / 2)]);
    }
    subtrees
}

/// The output after a message whose `known` subtrees have these chaining values. Its next chunk is
/// number `chunks` and has absorbed `absorbed` blocks, after which it has that chaining value.
/// `rest` is the message from there on.
pub fn after(
    key: Option<&[u8]>,
    flags: u32,
    known: Vec<(Subtree, &[u8])>,
    (chunks, absorbed, value): (u64, u16, Option<&[u8]>),
    rest: &[u8],
    output_len: usize,
) -> Vec<u8> {
    let key = key.map_or(IV, words);
    let begun = usize::from(absorbed) * BLOCK;
    let tail_chunks = (begun + rest.len()).div_ceil(CHUNK) as u64;
    // The empty message has one chunk.
    let total = (chunks + tail_chunks).max(1);
    let of_chunk = |number: u64| {
        let start = ((number - chunks) as usize * CHUNK).saturating_sub(begun);
        let end = ((number - chunks + 1) as usize * CHUNK - begun).min(rest.len());
        let message = &rest[start..end];
        match value {
            Some(value) if number == chunks => blocks(words(value), false, message, number, flags),
            _ => chunk(message, number, &key, flags),
        }
    };
    fn node(
        (first, size): Subtree,
        known: &[(Subtree, &[u8])],
        of_chunk: &dyn Fn(u64) -> Node,
        key: &[u32; 8],
        flags: u32,
    ) -> Node {
        if size == 1 {
            return of_chunk(first);
        }
        let left = 1 << (size - 1).ilog2();
        let value = |subtree: Subtree| {
            let known_value = known.iter().find(|(place, _)| *place == subtree);
            known_value.map_or_else(
                || node(subtree, known, of_chunk, key, flags).chaining_value(),
                |(_, value)| words(value),
            )
        };
        parent(value((first, left)), value((first + left, size - left)), key, flags)
    }
    node((0, total), &known, &of_chunk, &key, flags).output(output_len)
}

/// §2.1: the tree over a message. The left subtree is complete, and the largest whose number of
/// chunks is a power of two and which leaves at least one byte for the right one.
fn tree(message: &[u8], key: &[u32; 8], flags: u32) -> Node {
    subtree(message, 0, key, flags)
}

fn subtree(message: &[u8], first_chunk: u64, key: &[u32; 8], flags: u32) -> Node {
    if message.len() <= CHUNK {
        return chunk(message, first_chunk, key, flags);
    }
    let mut left_chunks = 1;
    while 2 * left_chunks * CHUNK < message.len() {
        left_chunks *= 2;
    }
    let (left, right) = message.split_at(left_chunks * CHUNK);
    let left = subtree(left, first_chunk, key, flags).chaining_value();
    let right = subtree(right, first_chunk + left_chunks as u64, key, flags).chaining_value();
    parent(left, right, key, flags)
}

/// §2.5: a parent's block is the chaining values of its children.
fn parent(left: [u32; 8], right: [u32; 8], key: &[u32; 8], flags: u32) -> Node {
    let mut m = [0; 16];
    m[..8].copy_from_slice(&left);
    m[8..].copy_from_slice(&right);
    Node { h: *key, m, t: 0, b: BLOCK as u32, d: flags | PARENT }
}

/// §2.4: the blocks of a chunk, each with the number of the chunk as the counter.
fn chunk(message: &[u8], number: u64, key: &[u32; 8], flags: u32) -> Node {
    blocks(*key, true, message, number, flags)
}

/// The last blocks of a chunk, after the chaining value `h`; all of them if `first` is true.
fn blocks(mut h: [u32; 8], first: bool, message: &[u8], number: u64, flags: u32) -> Node {
    // The empty message has one block, which is empty.
    let blocks: Vec<&[u8]> =
        if message.is_empty() { vec![message] } else { message.chunks(BLOCK).collect() };
    for (i, block) in blocks.iter().enumerate() {
        let mut padded = [0; BLOCK];
        padded[..block.len()].copy_from_slice(block);
        let m: [u32; 16] = words(&padded);
        let start = if first && i == 0 { CHUNK_START } else { 0 };
        let end = if i + 1 == blocks.len() { CHUNK_END } else { 0 };
        let node = Node { h, m, t: number, b: block.len() as u32, d: flags | start | end };
        if end != 0 {
            return node;
        }
        h = node.chaining_value();
    }
    unreachable!("a chunk has a last block")
}

/// §2.2: the compression function.
fn compress(h: &[u32; 8], m: &[u32; 16], t: u64, b: u32, d: u32) -> [u32; 16] {
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..12].copy_from_slice(&IV[..4]);
    v[12..].copy_from_slice(&[t as u32, (t >> 32) as u32, b, d]);
    let mut m = *m;
    for round in 0..7 {
        mix(&mut v, [0, 4, 8, 12], m[0], m[1]);
        mix(&mut v, [1, 5, 9, 13], m[2], m[3]);
        mix(&mut v, [2, 6, 10, 14], m[4], m[5]);
        mix(&mut v, [3, 7, 11, 15], m[6], m[7]);
        note(Round, v);
        mix(&mut v, [0, 5, 10, 15], m[8], m[9]);
        mix(&mut v, [1, 6, 11, 12], m[10], m[11]);
        mix(&mut v, [2, 7, 8, 13], m[12], m[13]);
        mix(&mut v, [3, 4, 9, 14], m[14], m[15]);
        note(Round, v);
        if round < 6 {
            m = PERMUTATION.map(|i| m[i]);
        }
    }
    for i in 0..8 {
        v[i] ^= v[i + 8];
        v[i + 8] ^= h[i];
    }
    v
}

/// §2.2: the function G.
fn mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// §2: bytes as little-endian words.
fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    core::array::from_fn(|i| {
        u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The first answers of the authors' file test_vectors.json.
    #[test]
    fn answers_of_the_authors() {
        let key = b"whats the Elvish word for friend";
        let context = b"BLAKE3 2019-12-27 16:29:52 test vectors context";
        let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(hex(&hash(b"", 32)), empty);
        assert_eq!(hex(&keyed_hash(key, b"", 4)), "92b2b756");
        assert_eq!(hex(&derive_key(context, b"", 4)), "2cc39783");
    }
}
