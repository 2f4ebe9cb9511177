//! Keccak: FIPS 202, "SHA-3 Standard: Permutation-Based Hash and Extendable-Output Functions", and
//! TurboSHAKE of RFC 9861. Section numbers are those of FIPS 202 unless the RFC is named.

use crate::Bits;
use crate::bits::BitString;
use crate::trace::{Place::*, note};

/// SHA3-224 (§6.1).
pub fn sha3_224(message: &[u8]) -> [u8; 28] {
    sha3_224_bits(message.into())
}

/// SHA3-256 (§6.1).
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    sha3_256_bits(message.into())
}

/// SHA3-384 (§6.1).
pub fn sha3_384(message: &[u8]) -> [u8; 48] {
    sha3_384_bits(message.into())
}

/// SHA3-512 (§6.1).
pub fn sha3_512(message: &[u8]) -> [u8; 64] {
    sha3_512_bits(message.into())
}

/// Keccak-256: KECCAK\[512\](M, 256) of the Keccak submission, version 3, which has no suffix.
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    keccak256_bits(message.into())
}

/// SHAKE128 (§6.2); `output_len` in bytes.
pub fn shake128(message: &[u8], output_len: usize) -> Vec<u8> {
    shake128_bits(message.into(), output_len)
}

/// SHAKE256 (§6.2); `output_len` in bytes.
pub fn shake256(message: &[u8], output_len: usize) -> Vec<u8> {
    shake256_bits(message.into(), output_len)
}

/// SHA3-224 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn sha3_224_bits(message: Bits) -> [u8; 28] {
    sha3(message)
}

/// SHA3-256 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn sha3_256_bits(message: Bits) -> [u8; 32] {
    sha3(message)
}

/// SHA3-384 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn sha3_384_bits(message: Bits) -> [u8; 48] {
    sha3(message)
}

/// SHA3-512 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn sha3_512_bits(message: Bits) -> [u8; 64] {
    sha3(message)
}

/// Keccak-256 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn keccak256_bits(message: Bits) -> [u8; 32] {
    let digest = sponge(24, 512, message, &[], 32);
    digest.try_into().expect("the sponge gives the length asked for")
}

/// SHAKE128 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn shake128_bits(message: Bits, output_len: usize) -> Vec<u8> {
    sponge(24, 256, message, &[1, 1, 1, 1], output_len)
}

/// SHAKE256 of a message of any number of bits; the last ones are the low bits of `last_byte`.
pub fn shake256_bits(message: Bits, output_len: usize) -> Vec<u8> {
    sponge(24, 512, message, &[1, 1, 1, 1], output_len)
}

/// TurboSHAKE128 (RFC 9861 §2.2), `domain` from 0x01 to 0x7F.
pub fn turboshake128(message: &[u8], domain: u8, output_len: usize) -> Vec<u8> {
    sponge(12, 256, message.into(), &bits_below_the_highest_one(domain), output_len)
}

/// TurboSHAKE256 (RFC 9861 §2.2), `domain` from 0x01 to 0x7F.
pub fn turboshake256(message: &[u8], domain: u8, output_len: usize) -> Vec<u8> {
    sponge(12, 512, message.into(), &bits_below_the_highest_one(domain), output_len)
}

/// §6.1: SHA3-d(M) = KECCAK\[2d\](M || 01, d).
fn sha3<const BYTES: usize>(message: Bits) -> [u8; BYTES] {
    let digest = sponge(24, 2 * 8 * BYTES, message, &[0, 1], BYTES);
    digest.try_into().expect("the sponge gives the length asked for")
}

/// Returns the suffix of the message for a domain byte. RFC 9861 §2.2: the domain byte contains the
/// suffix followed by the first 1 bit of the padding.
pub(crate) fn bits_below_the_highest_one(domain: u8) -> Vec<u8> {
    assert!((0x01..=0x7F).contains(&domain), "the domain byte is between 0x01 and 0x7F");
    (0..domain.ilog2()).map(|i| (domain >> i) & 1).collect()
}

/// SPONGE\[KECCAK-p\[1600, rounds\], pad10*1, 1600 - capacity\](message || suffix, 8 · output_len):
/// §4, algorithm 8.
///
/// `capacity` is in bits and must be a multiple of 64; each item of `suffix` is one bit;
/// `output_len` is in bytes.
pub fn sponge(
    rounds: usize,
    capacity: usize,
    message: Bits,
    suffix: &[u8],
    output_len: usize,
) -> Vec<u8> {
    sponge_after([[0; 5]; 5], rounds, capacity, message, suffix, output_len)
}

/// The same with the state after the first whole blocks of the message. `message` is the rest.
pub(crate) fn sponge_after(
    mut state: State,
    rounds: usize,
    capacity: usize,
    message: Bits,
    suffix: &[u8],
    output_len: usize,
) -> Vec<u8> {
    assert!(
        capacity < 1600 && capacity.is_multiple_of(64),
        "the capacity is a multiple of 64 bits and less than 1600"
    );
    let rate = 1600 - capacity;

    // Steps 1 to 3.
    let mut input = BitString::from(message);
    suffix.iter().for_each(|&bit| input.push(bit));
    pad10star1(rate, &mut input);

    // Steps 4 to 6.
    for block in input.bytes.chunks_exact(rate / 8) {
        for (i, lane) in block.chunks_exact(8).enumerate() {
            state[i % 5][i / 5] ^= u64::from_le_bytes(lane.try_into().expect("a lane is 8 bytes"));
        }
        state = keccak_p(state, rounds);
    }

    // Steps 7 to 10.
    let mut output = Vec::new();
    loop {
        output.extend((0..rate / 64).flat_map(|i| state[i % 5][i / 5].to_le_bytes()));
        if output.len() >= output_len {
            output.truncate(output_len);
            return output;
        }
        state = keccak_p(state, rounds);
    }
}

/// Pads `string` to a multiple of `rate` bits (§5.1, algorithm 9): a 1 bit, as few 0 bits as
/// possible, and a 1 bit.
fn pad10star1(rate: usize, string: &mut BitString) {
    string.push(1);
    while !(string.len + 1).is_multiple_of(rate) {
        string.push(0);
    }
    string.push(1);
}

/// The state A as 25 lanes of 64 bits: `state[x][y]` is Lane(x, y) (§3.1.1), bit z of the lane is
/// A\[x, y, z\].
///
/// In a string of bytes (§3.1.2), lane i = 5y + x is in the bytes 8i to 8i + 7, the lowest byte
/// first.
pub type State = [[u64; 5]; 5];

/// KECCAK-p\[1600, rounds\] (§3.3, algorithm 7). It consists of the last rounds of
/// KECCAK-f\[1600\], and has at most 24 (§3.4).
pub fn keccak_p(mut a: State, rounds: usize) -> State {
    assert!(rounds <= 24, "Keccak-p[1600] is defined here for at most 24 rounds");
    for round_index in 24 - rounds..24 {
        a = iota(chi(pi(rho(theta(a)))), round_index);
        note(Round, a.into_iter().flatten());
    }
    note(State, a.into_iter().flatten());
    a
}

/// θ: exclusive-ors the parities of two columns into every bit (§3.2.1, algorithm 1).
fn theta(mut a: State) -> State {
    let c = a.map(|sheet| sheet[0] ^ sheet[1] ^ sheet[2] ^ sheet[3] ^ sheet[4]);
    for x in 0..5 {
        let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
        a[x] = a[x].map(|lane| lane ^ d);
    }
    a
}

/// ρ: rotates every lane by its own offset (§3.2.2, algorithm 2).
fn rho(mut a: State) -> State {
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        a[x][y] = a[x][y].rotate_left((t + 1) * (t + 2) / 2 % 64);
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    a
}

/// π: moves the lanes to other places (§3.2.3, algorithm 3).
fn pi(a: State) -> State {
    let mut moved = a;
    for x in 0..5 {
        for y in 0..5 {
            moved[x][y] = a[(x + 3 * y) % 5][x];
        }
    }
    moved
}

/// χ: combines the bits of each row; the only step that is not linear (§3.2.4, algorithm 4).
fn chi(a: State) -> State {
    let mut mixed = a;
    for x in 0..5 {
        for y in 0..5 {
            mixed[x][y] = a[x][y] ^ (!a[(x + 1) % 5][y] & a[(x + 2) % 5][y]);
        }
    }
    mixed
}

/// ι: exclusive-ors the round constant into lane (0, 0) (§3.2.5, algorithm 6).
fn iota(mut a: State, round_index: usize) -> State {
    a[0][0] ^= ROUND_CONSTANTS[round_index];
    a
}

/// The round constants RC (§3.2.5, algorithm 6, steps 2 and 3).
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut round_index = 0;
    while round_index < 24 {
        let mut j = 0;
        while j <= 6 {
            constants[round_index] |= rc(j + 7 * round_index) << ((1 << j) - 1);
            j += 1;
        }
        round_index += 1;
    }
    constants
};

/// rc(t), computed with a linear feedback shift register (§3.2.5, algorithm 5). Bit i of `r` is
/// R\[i\].
const fn rc(t: usize) -> u64 {
    let mut r: u64 = 1;
    let mut i = 1;
    while i <= t % 255 {
        r <<= 1;
        let r8 = r >> 8;
        r ^= r8 | r8 << 4 | r8 << 5 | r8 << 6 | r8 << 8;
        i += 1;
    }
    r & 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Keccak Team's KeccakF-1600-IntermediateValues.txt.
    #[test]
    fn round_constants() {
        let printed = [
            0x0000000000000001,
            0x0000000000008082,
            0x800000000000808a,
            0x8000000080008000,
            0x000000000000808b,
            0x0000000080000001,
            0x8000000080008081,
            0x8000000000008009,
            0x000000000000008a,
            0x0000000000000088,
            0x0000000080008009,
            0x000000008000000a,
            0x000000008000808b,
            0x800000000000008b,
            0x8000000000008089,
            0x8000000000008003,
            0x8000000000008002,
            0x8000000000000080,
            0x000000000000800a,
            0x800000008000000a,
            0x8000000080008081,
            0x8000000000008080,
            0x0000000080000001,
            0x8000000080008008,
        ];
        assert_eq!(ROUND_CONSTANTS, printed);
    }

    /// §3.2.2, table 2, modulo 64: x from 0, y from 0.
    #[test]
    fn rotation_offsets() {
        let offsets = rho([[1; 5]; 5]).map(|sheet| sheet.map(u64::trailing_zeros));
        let printed = [
            [0, 36, 3, 41, 18],
            [1, 44, 10, 45, 2],
            [62, 6, 43, 15, 61],
            [28, 55, 25, 21, 56],
            [27, 20, 39, 8, 14],
        ];
        assert_eq!(offsets, printed);
    }

    /// The Keccak Team's KeccakF-1600-IntermediateValues.txt: lanes A\[0, 0\] and A\[4, 4\] after
    /// one and after two permutations of the state of zeros.
    #[test]
    fn keccak_f() {
        let once = keccak_p([[0; 5]; 5], 24);
        assert_eq!([once[0][0], once[4][4]], [0xf1258f7940e1dde7, 0xeaf1ff7b5ceca249]);
        let twice = keccak_p(once, 24);
        assert_eq!([twice[0][0], twice[4][4]], [0x2d5c954df96ecb3c, 0x20d06cd26a8fbf5c]);
    }

    /// §3.3: fewer rounds are the last ones.
    #[test]
    fn twelve_rounds_are_the_second_half() {
        let mut state = [[0x0123_4567_89ab_cdef; 5]; 5];
        let whole = keccak_p(state, 24);
        for round_index in 0..12 {
            state = iota(chi(pi(rho(theta(state)))), round_index);
        }
        assert_eq!(keccak_p(state, 12), whole);
    }

    #[test]
    #[should_panic = "the domain byte is between 0x01 and 0x7F"]
    fn domain_byte_of_two_paddings() {
        turboshake128(b"", 0x80, 32);
    }
}
