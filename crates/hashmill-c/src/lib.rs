//! hashmill for C: what `include/hashmill.h` declares, in terms of the Rust library. Everything is
//! translated here and nothing decided.
//!
//! The functions are documented in the header. A function returns a status, 0 for success; a NULL pointer
//! whose length is 0 is an empty message; no panic crosses the boundary.

#[macro_use]
mod status;
mod algorithm;
mod backend;
mod block;
mod functions;
mod hash;
mod hasher;
mod hmac;
mod in_place;
mod memory;
mod text;

pub use algorithm::*;
pub use backend::*;
pub use block::*;
pub use functions::*;
pub use hash::*;
pub use hasher::*;
pub use hmac::*;
pub use memory::{Bytes, HASHER_SIZE, HMAC_SIZE, Hasher, HmacContext, XOF_SIZE, XofContext};
pub use status::*;
