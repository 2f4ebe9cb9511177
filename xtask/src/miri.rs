//! `cargo xtask miri`: `tests/miri.rs` in Miri, the interpreter that sees undefined behaviour.

use crate::needs::{self, Missing};
use crate::sanitize::nightly;
use crate::{Outcome, run};

/// The machines that Miri plays, with what they have beyond their architecture. Every backend of
/// x86-64 is tested, except SHA-512's instructions, which Miri does not know.
const MACHINES: &[(&str, &str)] = &[
    ("i686-unknown-linux-gnu", ""),
    // Big-endian.
    ("s390x-unknown-linux-gnu", ""),
    ("x86_64-unknown-linux-gnu", "+sha,+bmi1,+bmi2,+avx512f,+avx512bw,+avx512vl"),
];

pub fn tools() -> Result<(), Missing> {
    needs::nightly("rust-src")?;
    match needs::succeeds(nightly("miri").arg("--version")) {
        true => Ok(()),
        false => Err(Missing::new(
            "cargo +nightly miri does not start",
            "rustup toolchain install nightly --component miri --component rust-src",
        )),
    }
}

pub fn miri(_: &[String]) -> Outcome {
    tools()?;
    for (target, features) in MACHINES {
        let mut command = nightly("miri");
        command.args(["test", "--package", "hashmill", "--test", "miri", "--target", target]);
        // There, the backends see what the compiler was told.
        command.env("RUSTFLAGS", format!("-Ctarget-feature={features}"));
        // Bytes that happen to be aligned count as such only if their type says so.
        command.env("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check");
        run(&mut command)?;
    }
    Ok(())
}
