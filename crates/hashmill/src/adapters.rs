//! Implementations of other crates' traits for this crate's types, each behind an optional feature.

#[cfg(feature = "digest")]
pub(crate) mod digest;
#[cfg(feature = "digest-0_10")]
mod digest_0_10;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "zeroize")]
mod zeroize;

/// Returns the object identifier of a function without parameters, as NIST registered it (CSOR,
/// hashAlgs).
#[cfg(feature = "digest")]
const fn oid(algorithm: crate::algorithm::Algorithm) -> &'static str {
    use crate::algorithm::Algorithm::*;
    match algorithm {
        Sha256 => "2.16.840.1.101.3.4.2.1",
        Sha384 => "2.16.840.1.101.3.4.2.2",
        Sha512 => "2.16.840.1.101.3.4.2.3",
        Sha224 => "2.16.840.1.101.3.4.2.4",
        Sha512_224 => "2.16.840.1.101.3.4.2.5",
        Sha512_256 => "2.16.840.1.101.3.4.2.6",
        Sha3_224 => "2.16.840.1.101.3.4.2.7",
        Sha3_256 => "2.16.840.1.101.3.4.2.8",
        Sha3_384 => "2.16.840.1.101.3.4.2.9",
        Sha3_512 => "2.16.840.1.101.3.4.2.10",
        Shake128 => "2.16.840.1.101.3.4.2.11",
        Shake256 => "2.16.840.1.101.3.4.2.12",
        _ => panic!("the algorithm has no object identifier"),
    }
}
