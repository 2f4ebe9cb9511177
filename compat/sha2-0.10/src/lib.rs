//! hashmill's SHA-2 by the names of `sha2` 0.10.

#![no_std]

pub use digest::{self, Digest};

use digest::core_api::CoreWrapper;

pub type Sha224 = CoreWrapper<hashmill::Sha224>;
pub type Sha256 = CoreWrapper<hashmill::Sha256>;
pub type Sha384 = CoreWrapper<hashmill::Sha384>;
pub type Sha512 = CoreWrapper<hashmill::Sha512>;
pub type Sha512_224 = CoreWrapper<hashmill::Sha512_224>;
pub type Sha512_256 = CoreWrapper<hashmill::Sha512_256>;
