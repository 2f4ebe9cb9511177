//! What the test programs share.
#![allow(dead_code, reason = "each program uses a part of it")]

#[macro_use]
pub mod algorithms;
pub mod answer;
pub mod backends;
#[cfg(target_os = "linux")]
pub mod memory;
pub mod own;
pub mod peers;
pub mod random;
pub mod reference;
pub mod typed;

/// Whether what takes minutes is asked for.
pub fn long() -> bool {
    std::env::var_os("HASHMILL_LONG").is_some_and(|value| value != "0")
}
