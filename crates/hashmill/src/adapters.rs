//! Implementations of other crates' traits for this crate's types, each behind an optional feature.

#[cfg(feature = "digest")]
pub(crate) mod digest;
#[cfg(feature = "digest-0_10")]
mod digest_0_10;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "zeroize")]
mod zeroize;
