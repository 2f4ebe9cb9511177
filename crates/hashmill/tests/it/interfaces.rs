//! The interfaces around the hash functions: every way to absorb bytes and to read outputs, names,
//! digests as text, errors.

mod blocks;
mod digests;
mod errors;
mod hashers;
mod names;
mod outputs;
mod parameters;
mod progress;
mod wiping;
