//! `cargo xtask sanitize`: tests under nightly Rust's sanitizers.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run, target};
use std::env::consts::ARCH;
use std::process::Command;

pub fn tools() -> Result<(), Missing> {
    needs::nightly("rust-src")
}

/// What is read or written out of place, and what is read that was never written.
pub fn sanitize(_: &[String]) -> Outcome {
    tools()?;
    address()?;
    memory()
}

/// What AddressSanitizer sees. Left out are the tests that take too long in it, and those that
/// limit the memory, of which it wants more: of the library's `it` those of `SLOW`.
const ADDRESS: &[&str] = &[
    "it",
    "no_alloc",
    // The program.
    "check",
    "install",
    "list",
    "manifest",
    "manual",
    "modes",
    "progress",
    "recorded",
    "self_test",
    "stand_ins",
    "sum",
    "trees",
    // The C library.
    "header",
];

const SLOW: [&str; 1] = ["--skip=history::"];

/// The library, the program and the C library under AddressSanitizer.
fn address() -> Outcome {
    let mut command = instrumented("address", "-Zsanitizer=address");
    command.args(["--package", "hashmill", "--package", "hashmill-cli", "--package", "hashmill-c"]);
    command.args(["--all-features", "--lib"]);
    run(command.args(ADDRESS.iter().flat_map(|test| ["--test", test])).arg("--").args(SLOW))
}

/// The library under MemorySanitizer. In `tests/constant_time.rs` secrets are memory that was never
/// written, and what they decide is reported.
fn memory() -> Outcome {
    // A secret may be passed on by value; only what is done with it tells.
    let flags = "-Zsanitizer=memory -Zsanitizer-memory-track-origins \
                 -Cllvm-args=-msan-eager-checks=0 --cfg hashmill_msan";
    for tests in [
        &["--lib", "--test", "constant_time"][..],
        &["--test", "it", "--", "adapters::", "const_eval::"],
    ] {
        let mut command = instrumented("memory", flags);
        // It must see all code, the standard library's too.
        command.args(["-Zbuild-std", "--package", "hashmill", "--all-features"]);
        run(command.args(tests))?;
    }
    Ok(())
}

/// Tests built with `flags`, in a place of their own.
fn instrumented(name: &str, flags: &str) -> Command {
    let mut command = nightly("test");
    command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", target().join("sanitize").join(name));
    // With a target named, build scripts and macros are built without the flags.
    command.args(["--target", &format!("{ARCH}-unknown-linux-gnu")]);
    command
}

pub fn nightly(subcommand: &str) -> Command {
    // Not `CARGO`, which is one toolchain's.
    let mut command = Command::new("cargo");
    command.args(["+nightly", subcommand]).current_dir(root());
    command
}
