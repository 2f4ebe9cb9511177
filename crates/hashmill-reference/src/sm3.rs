//! SM3: GB/T 32905-2016, "Information security techniques — SM3 cryptographic hash algorithm", which is
//! also in ISO/IEC 10118-3:2018. Section numbers are those of GB/T 32905.

use std::num::Wrapping;

use crate::Bits;
use crate::sha2::pad;
use crate::trace::{Place::*, note};

/// A word of 32 bits, whose addition is modulo 2^32 (§3).
type Word = Wrapping<u32>;

/// The initial value IV (§4.1).
const IV: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// SM3 (§5).
pub fn sm3(message: &[u8]) -> [u8; 32] {
    sm3_bits(message.into())
}

/// SM3 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sm3_bits(message: Bits) -> [u8; 32] {
    hash_after(IV.map(Wrapping), 0, message)
}

/// SM3 from the words of a hash value after `absorbed` bytes, whole blocks.
pub(crate) fn after(words: &[u8], absorbed: u128, rest: &[u8]) -> Vec<u8> {
    let word = |i| u32::from_le_bytes(words[4 * i..][..4].try_into().expect("four bytes"));
    hash_after(std::array::from_fn(|i| Wrapping(word(i))), absorbed, rest.into()).to_vec()
}

/// §5.3.1: the iteration over the blocks of the padded message. §5.2: the padding is that of SHA-256.
fn hash_after(mut v: [Word; 8], absorbed: u128, message: Bits) -> [u8; 32] {
    for block in pad::<Word>(absorbed, message).chunks_exact(64) {
        v = cf(v, block);
    }
    // §5.4: the digest.
    let bytes: Vec<u8> = v.iter().flat_map(|word| word.0.to_be_bytes()).collect();
    bytes.try_into().expect("eight words")
}

/// The constant T_j (§4.2).
fn t(j: usize) -> Word {
    Wrapping(if j < 16 { 0x79cc4519 } else { 0x7a879d8a })
}

/// FF_j (§4.3).
fn ff(j: usize, x: Word, y: Word, z: Word) -> Word {
    if j < 16 { x ^ y ^ z } else { (x & y) | (x & z) | (y & z) }
}

/// GG_j (§4.3).
fn gg(j: usize, x: Word, y: Word, z: Word) -> Word {
    if j < 16 { x ^ y ^ z } else { (x & y) | (!x & z) }
}

/// P_0 (§4.4).
fn p0(x: Word) -> Word {
    x ^ rotl(x, 9) ^ rotl(x, 17)
}

/// P_1 (§4.4).
fn p1(x: Word) -> Word {
    x ^ rotl(x, 15) ^ rotl(x, 23)
}

/// The rotation to the left by k bits (§3).
fn rotl(x: Word, k: usize) -> Word {
    Wrapping(x.0.rotate_left(k as u32 % 32))
}

/// The compression function CF.
fn cf(v: [Word; 8], block: &[u8]) -> [Word; 8] {
    // §5.3.2: the expansion of the message.
    let word = |bytes: &[u8]| Wrapping(u32::from_be_bytes(bytes.try_into().expect("four bytes")));
    let mut w: Vec<Word> = block.chunks_exact(4).map(word).collect();
    for j in 16..=67 {
        let x = w[j - 16] ^ w[j - 9] ^ rotl(w[j - 3], 15);
        w.push(p1(x) ^ rotl(w[j - 13], 7) ^ w[j - 6]);
    }
    let w_prime: Vec<Word> = (0..=63).map(|j| w[j] ^ w[j + 4]).collect();

    // §5.3.3: the rounds.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..=63 {
        let ss1 = rotl(rotl(a, 12) + e + rotl(t(j), j), 7);
        let ss2 = ss1 ^ rotl(a, 12);
        let tt1 = ff(j, a, b, c) + d + ss2 + w_prime[j];
        let tt2 = gg(j, e, f, g) + h + ss1 + w[j];
        d = c;
        c = rotl(b, 9);
        b = a;
        a = tt1;
        h = g;
        g = rotl(f, 19);
        f = e;
        e = p0(tt2);
        note(Round, [w[j], w_prime[j], a, e]);
    }
    let [v0, v1, v2, v3, v4, v5, v6, v7] = v;
    let v = [a ^ v0, b ^ v1, c ^ v2, d ^ v3, e ^ v4, f ^ v5, g ^ v6, h ^ v7];
    note(State, v);
    v
}
