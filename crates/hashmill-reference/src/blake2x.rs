//! BLAKE2Xb and BLAKE2Xs: outputs of any length, computed with BLAKE2b and BLAKE2s. They follow
//! "BLAKE2X" (2016.12.24), which the comments call the paper.

use crate::blake2::{Params, blake2b, blake2s};

/// Computes BLAKE2Xb with the key, the salt and the personalization of `params`: the first `len`
/// bytes of an output whose length is `known`, or is unknown.
pub fn blake2xb(message: &[u8], params: &Params, known: Option<u32>, len: usize) -> Vec<u8> {
    assert!(known.is_none_or(|known| known > 0 && known < u32::MAX), "no such output length");
    expand(blake2b, 64, known.unwrap_or(u32::MAX), known.is_none(), message, params, len)
}

/// Computes BLAKE2Xs with the key, the salt and the personalization of `params`: the first `len`
/// bytes of an output whose length is `known`, or is unknown.
pub fn blake2xs(message: &[u8], params: &Params, known: Option<u16>, len: usize) -> Vec<u8> {
    assert!(known.is_none_or(|known| known > 0 && known < u16::MAX), "no such output length");
    let field = known.unwrap_or(u16::MAX).into();
    expand(blake2s, 32, field, known.is_none(), message, params, len)
}

/// The paper's §2: the length of the output is in the upper half of the node offset in the
/// parameter block (BLAKE2s: in the upper two of its six bytes). H0 is the hash of the message.
/// Block i of the output is the hash of H0 as node i, with a digest as long as the block.
fn expand(
    hash: fn(&[u8], &Params) -> Vec<u8>,
    block_len: usize,
    output_len: u32,
    is_unknown: bool,
    message: &[u8],
    params: &Params,
    len: usize,
) -> Vec<u8> {
    let output_field = u64::from(output_len) << 32;
    let Params { key, salt, personal, .. } = *params;
    let both = Params { salt, personal, ..Params::default() };
    let root = Params { key, node_offset: output_field, ..both };
    let h0 = hash(message, &root);
    blocks(hash, block_len, output_len, is_unknown, &h0, &both, len)
}

/// The output for the root's digest `h0`, with the salt and the personalization of `both`.
pub(crate) fn blocks(
    hash: fn(&[u8], &Params) -> Vec<u8>,
    block_len: usize,
    output_len: u32,
    is_unknown: bool,
    h0: &[u8],
    both: &Params,
    len: usize,
) -> Vec<u8> {
    let output_field = u64::from(output_len) << 32;
    let mut output = Vec::new();
    for i in 0..len.div_ceil(block_len) {
        // If the length of the output is unknown, every block is a whole block.
        let left = if is_unknown { block_len } else { output_len as usize - i * block_len };
        let node = Params {
            output_len: Some(left.min(block_len)),
            fanout: 0,
            max_depth: 0,
            leaf_len: block_len as u32,
            node_offset: output_field | i as u64,
            node_depth: 0,
            inner_len: block_len as u8,
            ..*both
        };
        output.extend(hash(h0, &node));
    }
    assert!(output.len() >= len, "the output is longer than its known length");
    output.truncate(len);
    output
}
