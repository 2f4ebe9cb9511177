//! The public key of ML-KEM-768 (FIPS 203). Its matrix is sampled from nine outputs of SHAKE128, which
//! are squeezed in SIMD lanes. It does not wipe its secrets, and its arithmetic is simple, not fast.
//!
//!     cargo run --release --example ml_kem     # prints what the matrix takes, in lanes and alone
//!
//! A sampled coefficient is refused if it is not less than q. Three blocks are almost always enough
//! for the 256 coefficients of a polynomial; about one output in a hundred is read further.

use hashmill::many::{self, Rows};
use hashmill::{Sha3_512, Shake128, Shake256, XofReader};
use std::array;
use std::hint::black_box;
use std::time::{Duration, Instant};

const Q: u32 = 3329;
/// The number of rows and of columns of the matrix: k in the standard.
pub const K: usize = 3;
/// A block of SHAKE128 in bytes.
pub const BLOCK: usize = 168;

/// The coefficients of a polynomial, or of its number-theoretic transform.
pub type Polynomial = [u16; 256];

/// Returns the readers of the outputs from which the matrix is sampled: `rho ‖ j ‖ i` is the seed of
/// row i and column j.
pub fn readers(rho: &[u8; 32]) -> [XofReader; K * K] {
    let mut seed = Shake128::new();
    seed.update(rho);
    array::from_fn(|n| seed.clone().update([(n % K) as u8, (n / K) as u8]).squeeze())
}

/// Samples the matrix, row after row (algorithm 7 for each polynomial).
pub fn matrix(rho: &[u8; 32]) -> [Polynomial; K * K] {
    let mut readers = readers(rho);
    let (mut matrix, mut filled) = ([[0; 256]; K * K], [0; K * K]);
    let mut blocks = [0; K * K * 3 * BLOCK];
    XofReader::fill_many(&mut readers, &mut blocks).expect("a place for each reader");
    for (n, bytes) in blocks.chunks_exact(3 * BLOCK).enumerate() {
        sample(bytes, &mut matrix[n], &mut filled[n]);
    }
    loop {
        let short = readers.iter_mut().enumerate().filter(|(n, _)| filled[*n] < 256);
        let (indexes, mut short): (Vec<usize>, Vec<&mut XofReader>) = short.unzip();
        if short.is_empty() {
            return matrix;
        }
        let further = &mut blocks[..short.len() * BLOCK];
        XofReader::fill_many(&mut short, further).expect("a place for each reader");
        for (n, bytes) in indexes.into_iter().zip(further.chunks_exact(BLOCK)) {
            sample(bytes, &mut matrix[n], &mut filled[n]);
        }
    }
}

/// Continues a polynomial with the coefficients in `bytes`: 12 bits each, of which those that are not
/// less than q are refused (algorithm 7).
pub fn sample(bytes: &[u8], polynomial: &mut Polynomial, filled: &mut usize) {
    for &[a, b, c] in bytes.as_chunks::<3>().0 {
        let [a, b, c] = [a, b, c].map(u16::from);
        for candidate in [a | (b & 15) << 8, b >> 4 | c << 4] {
            if u32::from(candidate) < Q && *filled < 256 {
                polynomial[*filled] = candidate;
                *filled += 1;
            }
        }
    }
}

/// Returns the public key that follows from the seed `d` (algorithm 13): 12 bits for each coefficient,
/// and the seed of the matrix.
pub fn public_key(d: &[u8; 32]) -> Vec<u8> {
    let seeds = Sha3_512::new().update(d).hash([K as u8]);
    let (rho, sigma) = seeds.split_first_chunk::<32>().expect("two seeds");
    // The secret s and the error e: centred binomial samples of a SHAKE256 of 128 bytes each.
    let rows: [[u8; 33]; 2 * K] =
        array::from_fn(|n| array::from_fn(|i| if i < 32 { sigma[i] } else { n as u8 }));
    let mut samples = [0; 2 * K * 128];
    let rows = Rows::new(rows.as_flattened(), 33).expect("rows of 33 bytes");
    many::hash::<Shake256>(rows, &mut samples).expect("128 bytes for each row");
    let mut samples = samples.chunks_exact(128).map(|bytes| transform(binomial(bytes)));
    let secret: [Polynomial; K] = array::from_fn(|_| samples.next().expect("a sample"));
    let mut key = Vec::new();
    for (row, error) in matrix(rho).chunks_exact(K).zip(samples) {
        let mut sum = error;
        row.iter().zip(&secret).for_each(|(a, s)| add_product(&mut sum, a, s));
        for &[a, b] in sum.as_chunks::<2>().0 {
            key.extend([a as u8, (a >> 8 | b << 4) as u8, (b >> 4) as u8]);
        }
    }
    key.extend(rho);
    key
}

/// Returns the coefficients of the centred binomial distribution with η = 2 (algorithm 8).
fn binomial(bytes: &[u8]) -> Polynomial {
    array::from_fn(|i| {
        let bits = bytes[i / 2] >> (i % 2 * 4);
        let [x, y] = [bits & 3, bits >> 2 & 3].map(|bits| bits.count_ones());
        ((Q + x - y) % Q) as u16
    })
}

/// Returns 17 to the power of `exponent`, modulo q.
fn power(exponent: u32) -> u32 {
    (0..exponent).fold(1, |product, _| product * 17 % Q)
}

/// Returns the number-theoretic transform of a polynomial (algorithm 9).
fn transform(mut polynomial: Polynomial) -> Polynomial {
    let (mut i, mut len) = (1_u8, 128);
    while len >= 2 {
        for start in (0..256).step_by(2 * len) {
            let zeta = power((i.reverse_bits() >> 1).into());
            i = i.wrapping_add(1);
            for j in start..start + len {
                let (a, b) = (u32::from(polynomial[j]), u32::from(polynomial[j + len]) * zeta % Q);
                (polynomial[j], polynomial[j + len]) =
                    (((a + b) % Q) as u16, ((a + Q - b) % Q) as u16);
            }
        }
        len /= 2;
    }
    polynomial
}

/// Adds the product of two transforms to `sum` (algorithms 11 and 12).
fn add_product(sum: &mut Polynomial, a: &Polynomial, b: &Polynomial) {
    let factors = a.as_chunks::<2>().0.iter().zip(b.as_chunks::<2>().0);
    for (i, (sum, (a, b))) in (0_u8..).zip(sum.as_chunks_mut::<2>().0.iter_mut().zip(factors)) {
        let gamma = power(u32::from(i.reverse_bits() >> 1) * 2 + 1);
        let ([a0, a1], [b0, b1]) = (a.map(u32::from), b.map(u32::from));
        let product = [a0 * b0 + a1 * b1 % Q * gamma, a0 * b1 + a1 * b0];
        *sum = array::from_fn(|n| ((u32::from(sum[n]) + product[n]) % Q) as u16);
    }
}

/// Samples the matrix from one output after the other.
pub fn matrix_alone(rho: &[u8; 32]) -> [Polynomial; K * K] {
    readers(rho).map(|mut reader| {
        let (mut polynomial, mut filled, mut block) = ([0; 256], 0, [0; BLOCK]);
        while filled < 256 {
            reader.fill(&mut block);
            sample(&block, &mut polynomial, &mut filled);
        }
        polynomial
    })
}

fn main() {
    let rho = array::from_fn(|i| i as u8);
    let lanes = least(|| matrix(black_box(&rho)));
    let alone = least(|| matrix_alone(black_box(&rho)));
    println!("the matrix of ML-KEM-768: {lanes:?} in lanes, {alone:?} one after the other");
}

/// Returns the least time of 10,000 calls.
fn least<T>(mut call: impl FnMut() -> T) -> Duration {
    let mut time = || {
        let start = Instant::now();
        black_box(call());
        start.elapsed()
    };
    (0..10_000).map(|_| time()).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The SHA3-256 of a public key is a part of the private key that NIST's answers have.
    #[test]
    fn keys_are_those_of_nist() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/systems/ml-kem.json");
        let file = std::fs::read_to_string(path).expect("the file of answers");
        let file: Value = serde_json::from_str(&file).expect("JSON");
        let answers = file["keys"].as_array().expect("a list");
        assert!(!answers.is_empty());
        for answer in answers {
            let digits = answer["d"].as_str().expect("a seed").as_bytes().as_chunks::<2>().0;
            let byte = |pair: &[u8; 2]| {
                u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("digits")
            };
            let key = public_key(&array::from_fn(|i| byte(&digits[i])));
            assert_eq!(key.len(), 1184);
            assert_eq!(hashmill::sha3_256(key).to_string(), answer["sha3_256"]);
        }
    }

    /// Among these outputs are some that need a fourth block.
    #[test]
    fn matrices_agree_with_one_output_after_the_other() {
        let mut further = 0;
        for n in 0..64 {
            let rho = [n; 32];
            assert_eq!(matrix(&rho), matrix_alone(&rho));
            for mut reader in readers(&rho) {
                let (mut polynomial, mut filled, mut blocks) = ([0; 256], 0, [0; 3 * BLOCK]);
                reader.fill(&mut blocks);
                sample(&blocks, &mut polynomial, &mut filled);
                further += u32::from(filled < 256);
            }
        }
        assert!(further > 0);
    }
}
