//! SHA-2: FIPS 180-4, "Secure Hash Standard". Section numbers are those of this document.

use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitXor, Not, Shr};

use crate::Bits;
use crate::roots::{CUBE_ROOTS, SQUARE_ROOTS};
use crate::trace::{Place::*, Traced, note};

/// SHA-224 (§6.3).
pub fn sha224(message: &[u8]) -> [u8; 28] {
    sha224_bits(message.into())
}

/// SHA-256 (§6.2).
pub fn sha256(message: &[u8]) -> [u8; 32] {
    sha256_bits(message.into())
}

/// SHA-384 (§6.5).
pub fn sha384(message: &[u8]) -> [u8; 48] {
    sha384_bits(message.into())
}

/// SHA-512 (§6.4).
pub fn sha512(message: &[u8]) -> [u8; 64] {
    sha512_bits(message.into())
}

/// SHA-512/224 (§6.6).
pub fn sha512_224(message: &[u8]) -> [u8; 28] {
    sha512_224_bits(message.into())
}

/// SHA-512/256 (§6.7).
pub fn sha512_256(message: &[u8]) -> [u8; 32] {
    sha512_256_bits(message.into())
}

/// SHA-224 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha224_bits(message: Bits) -> [u8; 28] {
    first_bytes(&hash(sha224_initial(), message))
}

/// SHA-256 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha256_bits(message: Bits) -> [u8; 32] {
    first_bytes(&hash(sha256_initial(), message))
}

/// SHA-384 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha384_bits(message: Bits) -> [u8; 48] {
    first_bytes(&hash(sha384_initial(), message))
}

/// SHA-512 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha512_bits(message: Bits) -> [u8; 64] {
    first_bytes(&hash(sha512_initial(), message))
}

/// SHA-512/224 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha512_224_bits(message: Bits) -> [u8; 28] {
    first_bytes(&hash(sha512_t_initial(224), message))
}

/// SHA-512/256 of a message of any number of bits; the last ones are the high bits of `last_byte`.
pub fn sha512_256_bits(message: Bits) -> [u8; 32] {
    first_bytes(&hash(sha512_t_initial(256), message))
}

/// §6.2 and §6.4: the two algorithms differ only in the words, their functions and the number of
/// rounds.
fn hash<W: Word>(state: [W; 8], message: Bits) -> Vec<u8> {
    hash_after(state, 0, message)
}

/// The same with the hash value after the first `absorbed` bytes of the message, whole blocks.
/// `message` is the rest.
fn hash_after<W: Word>(mut state: [W; 8], absorbed: u128, message: Bits) -> Vec<u8> {
    for block in pad::<W>(absorbed, message).chunks_exact(16 * W::BYTES) {
        state = compress(state, block);
    }
    state.into_iter().flat_map(W::to_bytes).collect()
}

/// SHA-224 and SHA-256 from the words of a hash value.
pub(crate) fn after32(words: &[u8], absorbed: u128, rest: &[u8]) -> Vec<u8> {
    let word = |i| u32::from_le_bytes(first_bytes(&words[4 * i..]));
    hash_after(std::array::from_fn(|i| Wrapping(word(i))), absorbed, rest.into())
}

/// SHA-384, SHA-512 and SHA-512/t from the words of a hash value.
pub(crate) fn after64(words: &[u8], absorbed: u128, rest: &[u8]) -> Vec<u8> {
    let word = |i| u64::from_le_bytes(first_bytes(&words[8 * i..]));
    hash_after(std::array::from_fn(|i| Wrapping(word(i))), absorbed, rest.into())
}

/// §6.3, §6.5, §6.6, §6.7: the digest is the leftmost bits of the final hash value.
fn first_bytes<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("no digest is longer than the hash value")
}

/// §5.1: the padding is a 1 bit, as few 0 bits as possible, and the message's length in bits as a
/// number of two words, which ends a block.
pub(crate) fn pad<W: Word>(absorbed: u128, message: Bits) -> Vec<u8> {
    message.check();
    let Bits { bytes, last_byte, bits } = message;
    let length = 8 * (absorbed + bytes.len() as u128) + u128::from(bits);

    let mut padded = bytes.to_vec();
    let one = 0x80 >> bits; // the bit after the message
    padded.push((last_byte & !(one | (one - 1))) | one);
    while padded.len() % (16 * W::BYTES) != 14 * W::BYTES {
        padded.push(0);
    }
    padded.extend(&length.to_be_bytes()[16 - 2 * W::BYTES..]);
    padded
}

/// Absorbs one block: §6.2.2 for 32-bit words, §6.4.2 for 64-bit words.
fn compress<W: Word>(state: [W; 8], block: &[u8]) -> [W; 8] {
    // Step 1: the message schedule.
    let mut w: Vec<W> = block.chunks_exact(W::BYTES).map(W::from_bytes).collect();
    for t in 16..W::ROUNDS {
        w.push(small_sigma1(w[t - 2]) + w[t - 7] + small_sigma0(w[t - 15]) + w[t - 16]);
    }

    // Step 2: the working variables.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;

    // Step 3: the rounds.
    for (t, &w_t) in w.iter().enumerate() {
        let t1 = h + big_sigma1(e) + ch(e, f, g) + W::k(t) + w_t;
        let t2 = big_sigma0(a) + maj(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
        note(Round, [w_t, W::k(t) + w_t, a, e]);
    }

    // Step 4: the next hash value.
    let [h0, h1, h2, h3, h4, h5, h6, h7] = state;
    let state = [a + h0, b + h1, c + h2, d + h3, e + h4, f + h5, g + h6, h + h7];
    note(State, state);
    state
}

/// Ch(x, y, z), (4.2) and (4.8): each bit of x selects the bit of y or of z.
fn ch<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (!x & z)
}

/// Maj(x, y, z), (4.3) and (4.9): each bit is the majority of the three bits.
fn maj<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (x & z) ^ (y & z)
}

/// Σ0, (4.4) and (4.10).
fn big_sigma0<W: Word>(x: W) -> W {
    let [r, s, t] = W::BIG_SIGMA0;
    x.rotr(r) ^ x.rotr(s) ^ x.rotr(t)
}

/// Σ1, (4.5) and (4.11).
fn big_sigma1<W: Word>(x: W) -> W {
    let [r, s, t] = W::BIG_SIGMA1;
    x.rotr(r) ^ x.rotr(s) ^ x.rotr(t)
}

/// σ0, (4.6) and (4.12).
fn small_sigma0<W: Word>(x: W) -> W {
    let (r, s, t) = W::SMALL_SIGMA0;
    x.rotr(r) ^ x.rotr(s) ^ (x >> t)
}

/// σ1, (4.7) and (4.13).
fn small_sigma1<W: Word>(x: W) -> W {
    let (r, s, t) = W::SMALL_SIGMA1;
    x.rotr(r) ^ x.rotr(s) ^ (x >> t)
}

/// A word of w = 32 or 64 bits, whose addition is modulo 2^w (§3.2), with all constants and
/// functions that depend on w.
pub(crate) trait Word:
    Traced
    + Copy
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shr<usize, Output = Self>
{
    const BYTES: usize;
    const ROUNDS: usize;
    const BIG_SIGMA0: [u32; 3];
    const BIG_SIGMA1: [u32; 3];
    const SMALL_SIGMA0: (u32, u32, usize);
    const SMALL_SIGMA1: (u32, u32, usize);

    fn k(t: usize) -> Self;
    fn rotr(self, n: u32) -> Self;
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self) -> Vec<u8>;
}

/// SHA-224 and SHA-256: the functions of §4.1.2, the constants of §4.2.2, the rounds of §6.2.2.
impl Word for Wrapping<u32> {
    const BYTES: usize = 4;
    const ROUNDS: usize = 64;
    const BIG_SIGMA0: [u32; 3] = [2, 13, 22];
    const BIG_SIGMA1: [u32; 3] = [6, 11, 25];
    const SMALL_SIGMA0: (u32, u32, usize) = (7, 18, 3);
    const SMALL_SIGMA1: (u32, u32, usize) = (17, 19, 10);

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    fn k(t: usize) -> Self {
        Wrapping(first_half(CUBE_ROOTS[t]))
    }

    fn rotr(self, n: u32) -> Self {
        Wrapping(self.0.rotate_right(n))
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Wrapping(u32::from_be_bytes(first_bytes(bytes)))
    }

    fn to_bytes(self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }
}

/// SHA-384, SHA-512 and SHA-512/t: the functions of §4.1.3, the constants of §4.2.3, the rounds of
/// §6.4.2.
impl Word for Wrapping<u64> {
    const BYTES: usize = 8;
    const ROUNDS: usize = 80;
    const BIG_SIGMA0: [u32; 3] = [28, 34, 39];
    const BIG_SIGMA1: [u32; 3] = [14, 18, 41];
    const SMALL_SIGMA0: (u32, u32, usize) = (1, 8, 7);
    const SMALL_SIGMA1: (u32, u32, usize) = (19, 61, 6);

    /// The first 64 bits of the fractional parts of the cube roots of the first 80 primes.
    fn k(t: usize) -> Self {
        Wrapping(CUBE_ROOTS[t])
    }

    fn rotr(self, n: u32) -> Self {
        Wrapping(self.0.rotate_right(n))
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Wrapping(u64::from_be_bytes(first_bytes(bytes)))
    }

    fn to_bytes(self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }
}

/// §5.3.2: the second 32 bits of the fractional parts of the square roots of the 9th to 16th
/// primes.
fn sha224_initial() -> [Wrapping<u32>; 8] {
    sha384_initial().map(|word| Wrapping(second_half(word.0)))
}

/// §5.3.3: the first 32 bits of the fractional parts of the square roots of the first 8 primes.
fn sha256_initial() -> [Wrapping<u32>; 8] {
    sha512_initial().map(|word| Wrapping(first_half(word.0)))
}

/// §5.3.4: the first 64 bits of the fractional parts of the square roots of the 9th to 16th primes.
fn sha384_initial() -> [Wrapping<u64>; 8] {
    std::array::from_fn(|i| Wrapping(SQUARE_ROOTS[8 + i]))
}

/// §5.3.5: the first 64 bits of the fractional parts of the square roots of the first 8 primes.
fn sha512_initial() -> [Wrapping<u64>; 8] {
    std::array::from_fn(|i| Wrapping(SQUARE_ROOTS[i]))
}

/// §5.3.6: the SHA-512 of the name "SHA-512/t", computed from a changed initial value.
fn sha512_t_initial(t: usize) -> [Wrapping<u64>; 8] {
    let initial = sha512_initial().map(|word| word ^ Wrapping(0xa5a5a5a5a5a5a5a5));
    let name = format!("SHA-512/{t}");
    let value = hash(initial, name.as_bytes().into());
    std::array::from_fn(|i| Word::from_bytes(&value[8 * i..]))
}

fn first_half(bits: u64) -> u32 {
    (bits >> 32) as u32
}

fn second_half(bits: u64) -> u32 {
    bits as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §4.2.2 and §4.2.3, the printed constants: the first four and the last four.
    #[test]
    fn round_constants() {
        let k32 = [0, 1, 2, 3, 60, 61, 62, 63].map(|t| <Wrapping<u32> as Word>::k(t).0);
        let printed = [
            0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, //
            0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
        ];
        assert_eq!(k32, printed);

        let k64 = [0, 1, 2, 3, 76, 77, 78, 79].map(|t| <Wrapping<u64> as Word>::k(t).0);
        let printed = [
            0x428a2f98d728ae22,
            0x7137449123ef65cd,
            0xb5c0fbcfec4d3b2f,
            0xe9b5dba58189dbbc,
            0x4cc5d4becb3e42b6,
            0x597f299cfc657e2a,
            0x5fcb6fab3ad6faec,
            0x6c44198c4a475817,
        ];
        assert_eq!(k64, printed);
    }

    /// §5.3.2 and §5.3.3, the printed values.
    #[test]
    fn initial_values_of_32_bits() {
        let printed = [
            0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, //
            0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
        ];
        assert_eq!(sha224_initial(), printed.map(Wrapping));

        let printed = [
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, //
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        ];
        assert_eq!(sha256_initial(), printed.map(Wrapping));
    }

    /// §5.3.4, §5.3.5, §5.3.6.1 and §5.3.6.2, the printed values: the first and the last word.
    #[test]
    fn initial_values_of_64_bits() {
        let first_and_last = |words: [Wrapping<u64>; 8]| [words[0].0, words[7].0];
        for (initial, printed) in [
            (sha384_initial(), [0xcbbb9d5dc1059ed8, 0x47b5481dbefa4fa4]),
            (sha512_initial(), [0x6a09e667f3bcc908, 0x5be0cd19137e2179]),
            (sha512_t_initial(224), [0x8c3d37c819544da2, 0x1112e6ad91d692a1]),
            (sha512_t_initial(256), [0x22312194fc2bf72c, 0x0eb72ddc81c52ca2]),
        ] {
            assert_eq!(first_and_last(initial), printed);
        }
    }

    #[test]
    #[should_panic = "a message ends in at most 7 further bits"]
    fn eight_further_bits_are_a_byte() {
        sha256_bits(Bits { bytes: b"", last_byte: 0, bits: 8 });
    }
}
