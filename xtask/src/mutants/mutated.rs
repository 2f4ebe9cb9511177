//! Which mutant runs. `cargo xtask mutants` puts this module into a copy of the library.

extern crate std;

use core::intrinsics::const_eval_select;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::io::Write;
use std::sync::LazyLock;

/// The mutant with which the compiler computes.
const COMPILED: Option<&str> = option_env!("COMPILED_MUTANT");

/// The mutant of this process.
static CHOSEN: LazyLock<Option<u32>> =
    LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());

/// A file for the numbers of the mutants whose code this process runs.
static REACHED: LazyLock<Option<std::ffi::OsString>> =
    LazyLock::new(|| std::env::var_os("MUTANTS_REACHED"));

static SEEN: [AtomicBool; 5000] = [const { AtomicBool::new(false) }; 5000];

/// Whether the mutant of this number runs.
pub const fn is(number: u32) -> bool {
    const_eval_select((number,), at_compile_time, at_run_time)
}

const fn at_compile_time(number: u32) -> bool {
    let Some(digits) = COMPILED else { return false };
    let (digits, mut compiled, mut i) = (digits.as_bytes(), 0, 0);
    while i < digits.len() {
        compiled = 10 * compiled + (digits[i] - b'0') as u32;
        i += 1;
    }
    compiled == number
}

fn at_run_time(number: u32) -> bool {
    if let Some(file) = &*REACHED
        && !SEEN[number as usize].swap(true, Relaxed)
    {
        let mut file = std::fs::OpenOptions::new().append(true).open(file).unwrap();
        file.write_all(std::format!("{number}\n").as_bytes()).unwrap();
    }
    *CHOSEN == Some(number)
}
