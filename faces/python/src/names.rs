//! The names of the algorithms in hashlib.

use hashmill::Algorithm;
use pyo3::prelude::*;

/// Returns hashlib's name of the algorithm, or a name in hashlib's style if hashlib has none.
pub fn name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Sha224 => "sha224",
        Algorithm::Sha256 => "sha256",
        Algorithm::Sha384 => "sha384",
        Algorithm::Sha512 => "sha512",
        Algorithm::Sha512_224 => "sha512_224",
        Algorithm::Sha512_256 => "sha512_256",
        Algorithm::Sha3_224 => "sha3_224",
        Algorithm::Sha3_256 => "sha3_256",
        Algorithm::Sha3_384 => "sha3_384",
        Algorithm::Sha3_512 => "sha3_512",
        Algorithm::Blake2b => "blake2b",
        Algorithm::Blake2s => "blake2s",
        Algorithm::Blake2bp => "blake2bp",
        Algorithm::Blake2sp => "blake2sp",
        Algorithm::Shake128 => "shake_128",
        Algorithm::Shake256 => "shake_256",
        Algorithm::TurboShake128 => "turboshake128",
        Algorithm::TurboShake256 => "turboshake256",
        other => other.name(),
    }
}

/// Returns the algorithm of that name. It compares hashlib's names first, because that is fast, and
/// then parses all names that the library accepts.
pub fn algorithm(name_: &str) -> Option<Algorithm> {
    let found = Algorithm::ALL.iter().copied().find(|&it| name(it) == name_);
    found.or_else(|| name_.parse().ok())
}

/// Return hashlib's name of the algorithm, or None if hashmill does not implement the algorithm.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub fn _canonical(name: &str) -> Option<&'static str> {
    algorithm(name).map(self::name)
}
