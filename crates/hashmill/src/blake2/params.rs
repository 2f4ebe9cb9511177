//! BLAKE2's parameters (RFC 7693 §2.5, §2.8; the BLAKE2 paper §2.5, §2.10).

use crate::buffer::{Blocks, Buffer};
use crate::error::Error;

/// Whether a node of a tree is the last of its level (the BLAKE2 paper's finalization flag f1). It
/// is an enum rather than a `bool`, so that a reader sees in a call what the argument means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LastNode {
    /// The node is not the last of its level, or there is no tree.
    #[default]
    No = 0,
    /// The node is the last of its level.
    Yes = 1,
}

/// Whether a hash has a key.
#[derive(Clone, Copy, PartialEq)]
pub enum Keyed {
    No,
    Yes,
    /// The hash was imported, and an exported state does not contain whether there was a key.
    Unknown,
}

/// The parameters as the caller set them. The first mistake is kept until `build` returns it, so
/// that the setters can be chained and used in constants, and the caller handles one error instead
/// of one for each setter.
#[derive(Clone, Copy)]
pub struct Values<'k> {
    pub key: &'k [u8],
    pub output_len: usize,
    pub salt: [u8; 16],
    pub personal: [u8; 16],
    pub fanout: u8,
    pub max_depth: u8,
    pub leaf_len: u32,
    pub node_offset: u64,
    pub node_depth: u8,
    pub inner_len: usize,
    pub last_node: LastNode,
    pub mistake: Option<Error>,
}

impl Values<'_> {
    /// Returns the parameters of sequential hashing without a key.
    pub const fn new(output_len: usize) -> Self {
        Values {
            key: &[],
            output_len,
            salt: [0; 16],
            personal: [0; 16],
            fanout: 1,
            max_depth: 1,
            leaf_len: 0,
            node_offset: 0,
            node_depth: 0,
            inner_len: 0,
            last_node: LastNode::No,
            mistake: None,
        }
    }

    /// Keeps `mistake` if `good` is false and there was no mistake before. Returns `good`.
    pub const fn check(&mut self, good: bool, mistake: Error) -> bool {
        if !good && self.mistake.is_none() {
            self.mistake = Some(mistake);
        }
        good
    }

    /// Returns the parameter block: 64 bytes for BLAKE2b (`word` is 8), 32 bytes for BLAKE2s
    /// (`word` is 4). In BLAKE2s the salt and the personalization are half as long, and the node
    /// offset has 6 bytes instead of 8.
    pub const fn block(&self, word: usize) -> [u8; 64] {
        let mut block = [0; 64];
        block[0] = self.output_len as u8;
        block[1] = self.key.len() as u8;
        block[2] = self.fanout;
        block[3] = self.max_depth;
        put(&mut block, 4, &self.leaf_len.to_le_bytes());
        put(&mut block, 8, &self.node_offset.to_le_bytes());
        // BLAKE2s has 6 bytes for the node offset. `build` has checked that the two upper bytes are
        // zero.
        let node_depth = if word == 8 { 16 } else { 14 };
        block[node_depth] = self.node_depth;
        block[node_depth + 1] = self.inner_len as u8;
        put(&mut block, 4 * word, self.salt.split_at(2 * word).0);
        put(&mut block, 6 * word, self.personal.split_at(2 * word).0);
        block
    }
}

impl Values<'_> {
    /// Writes the key's block, which is the key and zeros, directly to the buffer where it waits,
    /// so that there is no other copy of it.
    pub(crate) const fn put_key_block<const N: usize>(
        &self,
        buffer: &mut Buffer<N>,
        blocks: Blocks,
        zeros: &[u8],
    ) {
        let (mut key, mut zeros) = (self.key, zeros.split_at(self.key.len()).1);
        buffer.next(blocks, &mut key);
        buffer.next(blocks, &mut zeros);
    }
}

const fn put(block: &mut [u8; 64], at: usize, bytes: &[u8]) {
    block.split_at_mut(at).1.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
}
