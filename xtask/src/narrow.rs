//! The library with addresses of 32 bits, where a length or a count that
//! ought to have 64 does not.

use crate::prelude::*;

const TARGET: &str = "i686-unknown-linux-gnu";
/// Not gcc-multilib, which Debian does not install beside the compiler for Arm.
const LINKER: &str = "i686-linux-gnu-gcc";

/// What counts and buffers: exported states near every limit, messages past 2³² bytes, pieces as
/// long as slices can be. One test at a time: two such pieces do not fit.
pub fn narrow() -> Outcome {
    for tests in ["--lib -- --test-threads=1", "--test it -- --test-threads=1 state:: history::"] {
        let tests = format!("--package hashmill --all-features --target {TARGET} {tests}");
        run(cmd!(format!("cargo test {tests}"))
            .env("CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER", LINKER))?;
    }
    Ok(())
}

pub fn tools() -> Found {
    let linker = format!("-Clinker={LINKER}");
    // The compiler, the C library's files for the linker, and the libraries that the tests load.
    let packages = "gcc-i686-linux-gnu libc6-dev-i386-cross libc6-i386 lib32gcc-s1";
    needs::target(TARGET, &[&linker], "libstd-rust-web-dev:i386", packages)
}
