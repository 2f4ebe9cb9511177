//! hashlib's names.

use hashmill::Algorithm;
use pyo3::prelude::*;

/// What hashlib calls it, or would.
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

/// The algorithm of that name: of hashlib's first, which is quick, then any that the library knows.
pub fn algorithm(name_: &str) -> Option<Algorithm> {
    let found = Algorithm::ALL.iter().copied().find(|&it| name(it) == name_);
    found.or_else(|| name_.parse().ok())
}

/// hashlib's name of the algorithm that a name means, or None if it is none of ours.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub fn _canonical(name: &str) -> Option<&'static str> {
    algorithm(name).map(self::name)
}
