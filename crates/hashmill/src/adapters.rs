//! This crate's types under other crates' traits, one optional feature each.

#[cfg(feature = "digest")]
pub(crate) mod digest;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "zeroize")]
mod zeroize;
