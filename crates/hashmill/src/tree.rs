//! Trees over the families, whose leaves are hashed in lanes: BLAKE2bp and BLAKE2sp; BLAKE3; the
//! leaves of KangarooTwelve and ParallelHash.

#[cfg(feature = "blake2")]
pub(crate) mod blake2;
#[cfg(feature = "blake3")]
pub(crate) mod blake3;
#[cfg(feature = "sha3")]
pub(crate) mod keccak;
