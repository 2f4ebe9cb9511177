//! hashmill's SHA-2 by the names of `sha2` 0.11.

#![no_std]

pub use digest::{self, Digest};
pub use hashmill::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
