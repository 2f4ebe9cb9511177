//! What the test programs share.
#![allow(dead_code, reason = "each program uses a part of it")]

#[macro_use]
pub mod algorithms;
pub mod answer;
pub mod backends;
pub mod own;
pub mod peers;
pub mod random;
pub mod reference;
pub mod typed;
