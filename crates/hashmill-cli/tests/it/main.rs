//! Tests that run the program, in one module for each of its parts. Some need a Unix: its shell, its
//! links, its signals.

mod beside;
mod check;
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod drop_in;
mod duplicates;
mod formats;
mod guesses;
mod help;
#[cfg(unix)]
mod install;
mod keccak;
mod layers;
mod list;
mod lists;
mod lookups;
#[cfg(unix)]
mod manifest;
mod manual;
mod modes;
mod mutations;
#[cfg(unix)]
mod parallel;
#[cfg(unix)]
mod people;
#[cfg(unix)]
mod progress;
mod self_test;
#[cfg(unix)]
mod signatures;
mod stand_ins;
#[cfg(unix)]
mod streams;
mod sum;
#[cfg(unix)]
mod trees;
#[cfg(windows)]
mod windows;
