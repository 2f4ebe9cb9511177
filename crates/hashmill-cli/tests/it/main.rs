//! Tests that run the program, in one module for each of its parts.

#![cfg(unix)]

mod check;
#[path = "../common/mod.rs"]
mod common;
mod formats;
mod install;
mod layers;
mod list;
mod manifest;
mod manual;
mod modes;
mod mutations;
mod parallel;
mod people;
mod progress;
mod self_test;
mod signatures;
mod stand_ins;
mod streams;
mod sum;
mod trees;
