//! Constants that are computed from the roots of the first primes: FIPS 180-4 §4.2 and §5.3, RFC
//! 7693 §2.6.

use std::sync::LazyLock;

/// The first 64 bits of the fractional parts of the square roots of the first 16 primes.
pub static SQUARE_ROOTS: LazyLock<[u64; 16]> = LazyLock::new(|| fractions_of_roots(2));

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes.
pub(crate) static CUBE_ROOTS: LazyLock<[u64; 80]> = LazyLock::new(|| fractions_of_roots(3));

fn fractions_of_roots<const N: usize>(degree: usize) -> [u64; N] {
    let mut primes = (2..).filter(|n| (2..*n).all(|divisor| n % divisor != 0));
    [(); N].map(|()| fraction_of_root(primes.next().expect("there is always a next prime"), degree))
}

/// floor(2^64 · n^(1/degree)) mod 2^64, exactly.
///
/// Finds, bit by bit from the highest, the largest integer `root` with root^degree ≤ n · 2^(64 ·
/// degree).
fn fraction_of_root(n: u32, degree: usize) -> u64 {
    let mut limit = [0; 8];
    limit[64 * degree / 32] = n;

    let mut root = 0u128;
    for bit in (0..=68).rev() {
        // The primes are less than 2^9, so their roots are less than 2^5.
        let candidate = root | 1 << bit;
        if power(candidate, degree).iter().rev().le(limit.iter().rev()) {
            root = candidate;
        }
    }
    root as u64
}

/// Returns x^degree as eight 32-bit digits, the least significant first.
fn power(x: u128, degree: usize) -> [u32; 8] {
    let mut product = [1, 0, 0, 0, 0, 0, 0, 0];
    for _ in 0..degree {
        product = multiply(product, x);
    }
    product
}

fn multiply(digits: [u32; 8], x: u128) -> [u32; 8] {
    let mut product = [0u32; 8];
    for i in 0..8 {
        let mut carry = 0;
        for j in 0..(8 - i).min(4) {
            let digit = (x >> (32 * j)) as u32;
            let sum = u64::from(digits[i]) * u64::from(digit) + u64::from(product[i + j]) + carry;
            product[i + j] = sum as u32;
            carry = sum >> 32;
        }
        if let Some(next) = product.get_mut(i + 4) {
            *next = carry as u32;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_against_floating_point() {
        let primes = [2u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
        for (i, prime) in primes.into_iter().enumerate() {
            let expected = f64::from(prime).sqrt().fract();
            assert!((SQUARE_ROOTS[i] as f64 / 2f64.powi(64) - expected).abs() < 1e-14);
            let expected = f64::from(prime).cbrt().fract();
            assert!((CUBE_ROOTS[i] as f64 / 2f64.powi(64) - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn a_root_without_a_fraction() {
        assert_eq!(fraction_of_root(4, 2), 0);
        assert_eq!(fraction_of_root(27, 3), 0);
    }
}
