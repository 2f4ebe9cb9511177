//! KangarooTwelve: KT128 and KT256 of RFC 9861, "KangarooTwelve and TurboSHAKE". Section numbers
//! are those of this document.

use crate::keccak::{turboshake128, turboshake256};

/// KT128 (§3.2), with the customization string C.
pub fn kt128(message: &[u8], custom: &[u8], output_len: usize) -> Vec<u8> {
    kangaroo_twelve(turboshake128, 32, message, custom, output_len)
}

/// KT256 (§3), with the customization string C.
pub fn kt256(message: &[u8], custom: &[u8], output_len: usize) -> Vec<u8> {
    kangaroo_twelve(turboshake256, 64, message, custom, output_len)
}

/// §3.2: a tree of one level over chunks of 8192 bytes. The final node consists of the first chunk
/// followed by the chaining values of the other chunks.
fn kangaroo_twelve(
    turboshake: fn(&[u8], u8, usize) -> Vec<u8>,
    chaining_value_len: usize,
    message: &[u8],
    custom: &[u8],
    output_len: usize,
) -> Vec<u8> {
    let input = [message, custom, &length_encode(custom.len() as u64)].concat();
    let mut chunks = input.chunks(8192);
    let first = chunks.next().expect("the encoded length is never empty");
    let count = chunks.len();
    if count == 0 {
        return turboshake(first, 0x07, output_len);
    }

    let mut final_node = first.to_vec();
    final_node.extend([3, 0, 0, 0, 0, 0, 0, 0]);
    for chunk in chunks {
        final_node.extend(turboshake(chunk, 0x0B, chaining_value_len));
    }
    final_node.extend(length_encode(count as u64));
    final_node.extend([0xFF, 0xFF]);
    turboshake(&final_node, 0x06, output_len)
}

/// length_encode (§3.3): x in the fewest bytes (no bytes for 0), the highest first; then the number
/// of those bytes.
pub(crate) fn length_encode(x: u64) -> Vec<u8> {
    let mut encoded: Vec<u8> = x.to_be_bytes().into_iter().skip_while(|&byte| byte == 0).collect();
    encoded.push(encoded.len() as u8);
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §3.3: the examples of the text.
    #[test]
    fn encoded_lengths() {
        assert_eq!(length_encode(0), [0x00]);
        assert_eq!(length_encode(12), [0x0C, 0x01]);
        assert_eq!(length_encode(65538), [0x01, 0x00, 0x02, 0x03]);
    }
}
