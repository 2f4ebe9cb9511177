//! Trees over the families, whose leaves are hashed in lanes: BLAKE2bp and BLAKE2sp; BLAKE3; the
//! leaves of KangarooTwelve and ParallelHash.

pub(crate) mod blake2;
pub(crate) mod blake3;
pub(crate) mod keccak;
