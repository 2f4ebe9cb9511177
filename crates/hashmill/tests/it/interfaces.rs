//! The interfaces around the hash functions: bytes in and out in every way, names, digests as text,
//! errors.

mod blocks;
mod digests;
mod errors;
mod hashers;
mod names;
mod outputs;
mod parameters;
mod progress;
mod wiping;
