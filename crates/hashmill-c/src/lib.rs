//! hashmill for C: implements the functions that `include/hashmill.h` declares by calling the Rust
//! library. It converts arguments and results, and makes no decisions of its own.
//!
//! The header documents the functions. A function returns a status, which is 0 for success. A NULL
//! pointer whose length is 0 is an empty message. No panic crosses the boundary to C.
//!
//! `cargo xtask install` builds this crate without the feature `std`. It then requires nothing but
//! libc, from which it uses `memcpy` and similar functions, and `abort`. A panic means a mistake in
//! the library and aborts the program.

#![cfg_attr(not(feature = "std"), no_std)]

#[macro_use]
mod entry;
#[macro_use]
mod with_hmac;
mod algorithm;
mod backend;
mod block;
mod file_tree;
mod functions;
mod hash;
mod hasher;
mod hmac;
mod in_place;
mod memory;
mod status;
mod text;

/// Aborts the program on a panic, because a panic must not unwind into C.
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
pub use file_tree::*;
pub use functions::*;
pub use hash::*;
pub use hasher::*;
pub use hmac::*;
pub use memory::*;
pub use status::*;
