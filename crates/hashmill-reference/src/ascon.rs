//! SP 800-232, "Ascon-Based Lightweight Cryptography Standards for Constrained Devices": the hash
//! function and the extendable-output functions. Section numbers are those of this document.

use crate::Bits;
use crate::bits::BitString;

/// Ascon-Hash256 (§5.1).
pub fn ascon_hash256(message: &[u8]) -> [u8; 32] {
    ascon_hash256_bits(message.into())
}

/// Ascon-XOF128 (§5.2); `output_len` in bytes.
pub fn ascon_xof128(message: &[u8], output_len: usize) -> Vec<u8> {
    ascon_xof128_bits(message.into(), output_len)
}

/// Ascon-CXOF128 (§5.3), with the customization string Z of at most 256 bytes.
pub fn ascon_cxof128(customization: &[u8], message: &[u8], output_len: usize) -> Vec<u8> {
    ascon_cxof128_bits(customization, message.into(), output_len)
}

/// Ascon-Hash256 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn ascon_hash256_bits(message: Bits) -> [u8; 32] {
    let digest = squeeze(absorb(initial(0x0000_0801_00cc_0002), message), 32);
    digest.try_into().expect("the sponge gives the length asked for")
}

/// Ascon-XOF128 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn ascon_xof128_bits(message: Bits, output_len: usize) -> Vec<u8> {
    squeeze(absorb(initial(0x0000_0800_00cc_0003), message), output_len)
}

/// Ascon-CXOF128 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn ascon_cxof128_bits(customization: &[u8], message: Bits, output_len: usize) -> Vec<u8> {
    assert!(customization.len() <= 256, "Z has {} bytes, at most 256", customization.len());
    let mut s = initial(0x0000_0800_00cc_0004);
    s[0] ^= 8 * customization.len() as u64;
    s = ascon_p12(s);
    squeeze(absorb(absorb(s, customization.into()), message), output_len)
}

/// The first step of all three: the permutation of the initial value and 256 zeros.
fn initial(iv: u64) -> [u64; 5] {
    ascon_p12([iv, 0, 0, 0, 0])
}

/// The blocks of 64 bits, the last of which is padded with a one and zeros (§2.1, parse and pad).
pub(crate) fn absorb(mut s: [u64; 5], message: Bits) -> [u64; 5] {
    let mut padded = BitString::from(message);
    padded.push(1);
    while !padded.len.is_multiple_of(64) {
        padded.push(0);
    }
    for block in padded.bytes.chunks(8) {
        s[0] ^= u64::from_le_bytes(block.try_into().expect("8 bytes"));
        s = ascon_p12(s);
    }
    s
}

pub(crate) fn squeeze(mut s: [u64; 5], output_len: usize) -> Vec<u8> {
    let mut output = Vec::new();
    while output.len() < output_len {
        output.extend(s[0].to_le_bytes());
        s = ascon_p12(s);
    }
    output.truncate(output_len);
    output
}

/// Ascon-p\[12\] (§3).
fn ascon_p12(mut s: [u64; 5]) -> [u64; 5] {
    for i in 0..12 {
        s = linear(substitution(constant(s, i)));
    }
    s
}

/// §3.2, p_C: the constants of Table 5 for twelve rounds.
fn constant(mut s: [u64; 5], i: usize) -> [u64; 5] {
    let constants = [0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b];
    s[2] ^= constants[i];
    s
}

/// §3.3, p_S: the S-box of Table 6 on each of the 64 columns; the bit of S0 is the highest.
fn substitution(s: [u64; 5]) -> [u64; 5] {
    let sbox = [
        0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08, 0x12, 0x1d, 0x03, 0x06,
        0x1c, 0x1e, 0x13, 0x07, 0x0e, 0x00, 0x0d, 0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a,
        0x0f, 0x17,
    ];
    let mut result = [0; 5];
    for j in 0..64 {
        let column = s.iter().fold(0, |column, word| column << 1 | (word >> j & 1) as usize);
        let image: u64 = sbox[column];
        for (i, word) in result.iter_mut().enumerate() {
            *word |= (image >> (4 - i) & 1) << j;
        }
    }
    result
}

/// §3.4, p_L.
fn linear(s: [u64; 5]) -> [u64; 5] {
    let sigma = |x: u64, a, b| x ^ x.rotate_right(a) ^ x.rotate_right(b);
    [
        sigma(s[0], 19, 28),
        sigma(s[1], 61, 39),
        sigma(s[2], 1, 6),
        sigma(s[3], 10, 17),
        sigma(s[4], 7, 41),
    ]
}
