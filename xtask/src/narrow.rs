//! `cargo xtask narrow`: the library with addresses of 32 bits, where a length or a count that
//! ought to have 64 does not.

use crate::needs::{self, Missing};
use crate::{Outcome, cargo};

const TARGET: &str = "i686-unknown-linux-gnu";

/// What counts and buffers: exported states near every limit, messages past 2³² bytes, pieces as
/// long as slices can be. One test at a time: two such pieces do not fit.
pub fn narrow(_: &[String]) -> Outcome {
    tools()?;
    for tests in ["--lib -- --test-threads=1", "--test it -- --test-threads=1 state:: history::"] {
        cargo(&format!("test --package hashmill --all-features --target {TARGET} {tests}"))?;
    }
    Ok(())
}

pub fn tools() -> Result<(), Missing> {
    needs::target(TARGET, &[], "libstd-rust-web-dev:i386", "gcc-multilib")
}
