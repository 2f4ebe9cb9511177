//! The library's tests in one binary, so that generic code is compiled once. Each module is a
//! subject: `cargo test -p hashmill --test it state::` runs the tests of exported states.
//!
//! The comment at the top of every other test binary in this folder contains the reason why it is
//! separate.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

#[cfg(any(feature = "digest", feature = "serde", feature = "zeroize"))]
mod adapters;
mod ascon;
mod blake2x;
mod blake3;
mod const_eval;
mod file_tree;
mod history;
mod interfaces;
mod k12;
mod mac;
mod many;
mod residues;
mod scale;
mod self_test;
mod sp800_185;
mod state;
mod vectors;
mod widths;
