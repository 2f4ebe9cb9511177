//! Tests under nightly Rust's sanitizers.

use crate::prelude::*;
use std::env::consts::ARCH;

pub fn tools() -> Found {
    needs::nightly("rust-src")
}

/// What is read or written out of place, and what is read that was never written.
pub fn sanitize() -> Outcome {
    run(instrumented("address", "-Zsanitizer=address", ADDRESS))?;
    memory()
}

/// What AddressSanitizer sees of the library, the program and the C library. Left out are the tests
/// that take too long in it, and those that limit the memory, of which it wants more.
const ADDRESS: &str = "--package hashmill --package hashmill-cli --package hashmill-c \
    --all-features --lib --test it --test no_alloc \
    --test check --test install --test list --test manifest --test manual --test modes \
    --test progress --test recorded --test self_test --test stand_ins --test sum --test trees \
    --test header -- --skip=history::";

/// The library under MemorySanitizer. In `tests/constant_time.rs` secrets are memory that was never
/// written, and what they decide is reported.
fn memory() -> Outcome {
    // A secret may be passed on by value; only what is done with it tells.
    let flags = "-Zsanitizer=memory -Zsanitizer-memory-track-origins \
                 -Cllvm-args=-msan-eager-checks=0 --cfg hashmill_msan";
    for tests in ["--lib --test constant_time", "--test it -- adapters:: const_eval::"] {
        // It must see all code, the standard library's too.
        let tests = format!("-Zbuild-std --package hashmill --all-features {tests}");
        run(instrumented("memory", flags, &tests))?;
    }
    Ok(())
}

/// Tests built with `flags`, in a place of their own.
fn instrumented(name: &str, flags: &str, tests: &str) -> Command {
    // With a target named, build scripts and macros are built without the flags.
    let platform = format!("--target {ARCH}-unknown-linux-gnu");
    let mut command = cmd!(format!("cargo +nightly test {platform} {tests}"));
    command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", target().join("sanitize").join(name));
    command
}
