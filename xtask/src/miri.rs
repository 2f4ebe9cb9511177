//! `tests/miri.rs` in Miri, the interpreter that sees undefined behaviour.

use crate::prelude::*;

/// The machines that Miri plays, with what they have beyond their architecture. Every backend of
/// x86-64 is tested, except SHA-512's instructions, which Miri does not know.
const MACHINES: &[(&str, &str)] = &[
    ("i686-unknown-linux-gnu", ""),
    // Big-endian.
    ("s390x-unknown-linux-gnu", ""),
    ("x86_64-unknown-linux-gnu", "+sha,+bmi1,+bmi2,+avx512f,+avx512bw,+avx512vl"),
];

pub fn tools() -> Found {
    needs::nightly("rust-src")?;
    let install = "rustup toolchain install nightly --component miri --component rust-src";
    needs::works("cargo +nightly miri --version", install)
}

pub fn miri() -> Outcome {
    for (target, features) in MACHINES {
        let test = "cargo +nightly miri test --package hashmill --test miri --target {}";
        // There, the backends see what the compiler was told. Bytes that happen to be aligned count
        // as such only if their type says so.
        let strict = "-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check";
        let features = format!("-Ctarget-feature={features}");
        run(cmd!(test, target).env("RUSTFLAGS", features).env("MIRIFLAGS", strict))?;
    }
    Ok(())
}
