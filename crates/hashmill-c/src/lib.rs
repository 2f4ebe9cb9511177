//! hashmill for C: what `include/hashmill.h` declares, in terms of the Rust library. Everything is
//! translated here and nothing decided.
//!
//! The functions are documented in the header. A function returns a status, 0 for success; a NULL
//! pointer whose length is 0 is an empty message; no panic crosses the boundary.
//!
//! `cargo xtask install` builds it without the feature `std`: it then needs nothing but libc, from
//! which it takes `memcpy` and its like, and `abort`. A panic, which is a mistake of ours, aborts
//! the program.

#![cfg_attr(not(feature = "std"), no_std)]

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

/// A panic ends the program, as in every C library that finds itself wrong: nothing may unwind into
/// C.
#[cfg(not(feature = "std"))]
#[panic_handler]
fn abort(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        safe fn abort() -> !;
    }
    abort()
}

pub use algorithm::*;
pub use backend::*;
pub use block::*;
pub use functions::*;
pub use hash::*;
pub use hasher::*;
pub use hmac::*;
pub use memory::{
    Bytes, HASHER_SIZE, HMAC_SIZE, Hasher, HkdfContext, HmacContext, XOF_SIZE, XofContext,
};
pub use status::*;
