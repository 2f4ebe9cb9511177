//! SP 800-185, "SHA-3 Derived Functions: cSHAKE, KMAC, TupleHash and ParallelHash". Section numbers
//! are those of this document.
//!
//! All lengths are in whole bytes, also `output_len`, which is the standard's L in bits.

use crate::keccak::{shake128, shake256, sponge};

/// cSHAKE128 (§3.3), with the function name N and the customization string S.
pub fn cshake128(message: &[u8], output_len: usize, name: &[u8], custom: &[u8]) -> Vec<u8> {
    cshake(Strength::S128, message, output_len, name, custom)
}

/// cSHAKE256 (§3.3), with the function name N and the customization string S.
pub fn cshake256(message: &[u8], output_len: usize, name: &[u8], custom: &[u8]) -> Vec<u8> {
    cshake(Strength::S256, message, output_len, name, custom)
}

/// KMAC128 (§4.3).
pub fn kmac128(key: &[u8], message: &[u8], output_len: usize, custom: &[u8]) -> Vec<u8> {
    kmac(Strength::S128, key, message, output_len, Length::Bound, custom)
}

/// KMAC256 (§4.3).
pub fn kmac256(key: &[u8], message: &[u8], output_len: usize, custom: &[u8]) -> Vec<u8> {
    kmac(Strength::S256, key, message, output_len, Length::Bound, custom)
}

/// KMACXOF128 (§4.3.1).
pub fn kmac128_xof(key: &[u8], message: &[u8], output_len: usize, custom: &[u8]) -> Vec<u8> {
    kmac(Strength::S128, key, message, output_len, Length::Free, custom)
}

/// KMACXOF256 (§4.3.1).
pub fn kmac256_xof(key: &[u8], message: &[u8], output_len: usize, custom: &[u8]) -> Vec<u8> {
    kmac(Strength::S256, key, message, output_len, Length::Free, custom)
}

/// TupleHash128 (§5.3).
pub fn tuple_hash128(tuple: &[&[u8]], output_len: usize, custom: &[u8]) -> Vec<u8> {
    tuple_hash(Strength::S128, tuple, output_len, Length::Bound, custom)
}

/// TupleHash256 (§5.3).
pub fn tuple_hash256(tuple: &[&[u8]], output_len: usize, custom: &[u8]) -> Vec<u8> {
    tuple_hash(Strength::S256, tuple, output_len, Length::Bound, custom)
}

/// TupleHashXOF128 (§5.3.1).
pub fn tuple_hash128_xof(tuple: &[&[u8]], output_len: usize, custom: &[u8]) -> Vec<u8> {
    tuple_hash(Strength::S128, tuple, output_len, Length::Free, custom)
}

/// TupleHashXOF256 (§5.3.1).
pub fn tuple_hash256_xof(tuple: &[&[u8]], output_len: usize, custom: &[u8]) -> Vec<u8> {
    tuple_hash(Strength::S256, tuple, output_len, Length::Free, custom)
}

/// ParallelHash128 (§6.3), in blocks of `block_len` bytes.
pub fn parallel_hash128(
    message: &[u8],
    block_len: usize,
    output_len: usize,
    custom: &[u8],
) -> Vec<u8> {
    parallel_hash(Strength::S128, message, block_len, output_len, Length::Bound, custom)
}

/// ParallelHash256 (§6.3), in blocks of `block_len` bytes.
pub fn parallel_hash256(
    message: &[u8],
    block_len: usize,
    output_len: usize,
    custom: &[u8],
) -> Vec<u8> {
    parallel_hash(Strength::S256, message, block_len, output_len, Length::Bound, custom)
}

/// ParallelHashXOF128 (§6.3.1), in blocks of `block_len` bytes.
pub fn parallel_hash128_xof(
    message: &[u8],
    block_len: usize,
    output_len: usize,
    custom: &[u8],
) -> Vec<u8> {
    parallel_hash(Strength::S128, message, block_len, output_len, Length::Free, custom)
}

/// ParallelHashXOF256 (§6.3.1), in blocks of `block_len` bytes.
pub fn parallel_hash256_xof(
    message: &[u8],
    block_len: usize,
    output_len: usize,
    custom: &[u8],
) -> Vec<u8> {
    parallel_hash(Strength::S256, message, block_len, output_len, Length::Free, custom)
}

/// The security strength in bits, which decides the capacity: 256 or 512 bits.
#[derive(Clone, Copy)]
enum Strength {
    S128,
    S256,
}

impl Strength {
    fn capacity(self) -> usize {
        match self {
            Strength::S128 => 256,
            Strength::S256 => 512,
        }
    }

    /// The rate in bytes: 168 or 136.
    fn rate(self) -> usize {
        (1600 - self.capacity()) / 8
    }
}

/// Whether the output depends on its length. If so, the length is part of the input; otherwise the
/// function is an XOF, whose input has 0 in that place.
#[derive(Clone, Copy)]
enum Length {
    Bound,
    Free,
}

impl Length {
    fn right_encode(self, output_len: usize) -> Vec<u8> {
        right_encode(match self {
            Length::Bound => 8 * output_len as u64,
            Length::Free => 0,
        })
    }
}

fn cshake(
    strength: Strength,
    message: &[u8],
    output_len: usize,
    name: &[u8],
    custom: &[u8],
) -> Vec<u8> {
    if name.is_empty() && custom.is_empty() {
        return match strength {
            Strength::S128 => shake128(message, output_len),
            Strength::S256 => shake256(message, output_len),
        };
    }
    let mut input =
        bytepad(&[encode_string(name), encode_string(custom)].concat(), strength.rate());
    input.extend(message);
    sponge(24, strength.capacity(), input.as_slice().into(), &[0, 0], output_len)
}

fn kmac(
    strength: Strength,
    key: &[u8],
    message: &[u8],
    output_len: usize,
    length: Length,
    custom: &[u8],
) -> Vec<u8> {
    let mut input = bytepad(&encode_string(key), strength.rate());
    input.extend(message);
    input.extend(length.right_encode(output_len));
    cshake(strength, &input, output_len, b"KMAC", custom)
}

fn tuple_hash(
    strength: Strength,
    tuple: &[&[u8]],
    output_len: usize,
    length: Length,
    custom: &[u8],
) -> Vec<u8> {
    let mut input: Vec<u8> = tuple.iter().flat_map(|string| encode_string(string)).collect();
    input.extend(length.right_encode(output_len));
    cshake(strength, &input, output_len, b"TupleHash", custom)
}

fn parallel_hash(
    strength: Strength,
    message: &[u8],
    block_len: usize,
    output_len: usize,
    length: Length,
    custom: &[u8],
) -> Vec<u8> {
    assert!(block_len > 0, "the block length is 0");
    let blocks = message.chunks(block_len);

    let mut input = left_encode(block_len as u64);
    let count = blocks.len();
    for block in blocks {
        input.extend(cshake(strength, block, strength.capacity() / 8, b"", b""));
    }
    input.extend(right_encode(count as u64));
    input.extend(length.right_encode(output_len));
    cshake(strength, &input, output_len, b"ParallelHash", custom)
}

/// §2.3.1: the number of bytes of x, then x in the fewest bytes (at least one), the highest first.
pub(crate) fn left_encode(x: u64) -> Vec<u8> {
    let x = fewest_bytes(x);
    [&[x.len() as u8], x.as_slice()].concat()
}

/// §2.3.1: as left_encode, with the number of bytes after x.
pub(crate) fn right_encode(x: u64) -> Vec<u8> {
    let x = fewest_bytes(x);
    [x.as_slice(), &[x.len() as u8]].concat()
}

fn fewest_bytes(x: u64) -> Vec<u8> {
    let bytes = x.to_be_bytes();
    let zeros = (x.leading_zeros() / 8).min(7);
    bytes[zeros as usize..].to_vec()
}

/// §2.3.2: the length in bits, then the string.
fn encode_string(string: &[u8]) -> Vec<u8> {
    [left_encode(8 * string.len() as u64), string.to_vec()].concat()
}

/// §2.3.3: the width, then the string, then zeros up to a multiple of the width.
fn bytepad(string: &[u8], width: usize) -> Vec<u8> {
    let mut padded = [left_encode(width as u64), string.to_vec()].concat();
    padded.resize(padded.len().next_multiple_of(width), 0);
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §2.3.1: the examples of the standard, and numbers at the limits of a byte.
    #[test]
    fn encoded_integers() {
        assert_eq!(left_encode(0), [1, 0]);
        assert_eq!(right_encode(0), [0, 1]);
        assert_eq!(left_encode(255), [1, 255]);
        assert_eq!(left_encode(256), [2, 1, 0]);
        assert_eq!(right_encode(65536), [1, 0, 0, 3]);
        assert_eq!(left_encode(u64::MAX).len(), 9);
    }

    /// §2.3.3: a string whose length is already a multiple of the width is not padded.
    #[test]
    fn bytepad_of_whole_blocks() {
        assert_eq!(bytepad(&[7; 166], 168).len(), 168);
        assert_eq!(bytepad(&[7; 167], 168).len(), 336);
    }
}
