//! `cargo xtask wasm`: the library in WebAssembly, with and without simd128, under Node.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run, target};
use std::process::Command;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// What a build is given, and its backends.
const BUILDS: &[(&str, &str)] =
    &[("-Ctarget-feature=-simd128", "portable"), ("-Ctarget-feature=+simd128", "simd128,portable")];

/// `bench/wasm/test.mjs`: known answers, those of `vectors/`, and Node's own digests, on every
/// backend.
pub fn wasm(_: &[String]) -> Outcome {
    tools()?;
    for (features, backends) in BUILDS {
        let dir = target().join("wasm").join(backends);
        let mut command = Command::new(env!("CARGO"));
        command.args([
            "build",
            "--release",
            "--locked",
            "--manifest-path",
            "bench/wasm/Cargo.toml",
        ]);
        command.args(["--target", TARGET, "--target-dir"]).arg(&dir);
        run(command.env("RUSTFLAGS", features))?;
        let module = dir.join(TARGET).join("release/wasm.wasm");
        run(Command::new("node")
            .arg("bench/wasm/test.mjs")
            .arg(module)
            .arg(backends)
            .current_dir(root()))?;
    }
    Ok(())
}

pub fn tools() -> Result<(), Missing> {
    needs::all([needs::node(18), needs::target(TARGET, &["--crate-type=cdylib"], "", "")])
}
