//! Implementations of other crates' traits for this crate's types, each behind an optional feature.

#[cfg(all(feature = "digest", feature = "blake2"))]
pub(crate) mod blake2_sized;
#[cfg(feature = "digest")]
mod digest;
#[cfg(feature = "digest-0_10")]
mod digest_0_10;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "zeroize")]
mod zeroize;
