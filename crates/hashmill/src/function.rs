//! The hash functions as types, over which [`Hash<F>`](struct@crate::Hash) is generic.
//!
//! Most programs use the aliases in the crate's root instead: `Sha256` is `Hash<function::Sha256>`.
//!
//! Each type defines its stream, the stream's first state and its facts: names, lengths, numbers,
//! known answers. The types are enums without variants, because no value of them is ever needed.
//! There is a file for the functions of each of the crate's features.

#[cfg(feature = "ascon")]
mod ascon;
#[cfg(feature = "blake2")]
mod blake2;
#[cfg(feature = "blake3")]
mod blake3;
mod sha2;
#[cfg(feature = "sha3")]
pub(crate) mod sha3;
#[cfg(feature = "sm3")]
mod sm3;

#[cfg(feature = "ascon")]
pub use self::ascon::{AsconHash256, AsconXof128};
#[cfg(feature = "blake2")]
pub use self::blake2::{Blake2b, Blake2bp, Blake2s, Blake2sp};
#[cfg(feature = "blake3")]
pub use self::blake3::Blake3;
pub use self::sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
#[cfg(feature = "sha3")]
pub use self::sha3::{Keccak256, Sha3, Shake, TurboShake};
#[cfg(feature = "sm3")]
pub use self::sm3::Sm3;
pub use crate::digest::Bytes;
pub use crate::hasher::{Extendable, Function, Plain, Reader};

// The stream of a hasher that has absorbed nothing is a constant, so that a new hasher is a copy
// and nothing (BLAKE2's parameters, SHA-512/t's first states) is computed at run time, and so that
// `Algorithm::hash` needs no states of its own.

/// A computation that is generic over the hash function: see [`Algorithm::with`](crate::Algorithm::with)
/// and [`Algorithm::with_hmac`](crate::Algorithm::with_hmac).
pub trait Visitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the function `F`.
    fn visit<F: Function>(self) -> Self::Output;
}
