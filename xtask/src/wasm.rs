//! `cargo xtask wasm`: the library in WebAssembly, with and without simd128, under Node.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run, target};
use std::path::Path;
use std::process::Command;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// What a build is given, and its backends.
type Build = (&'static str, &'static str);

const PLAIN: Build = ("-Ctarget-feature=-simd128", "portable");
pub const SIMD: Build = ("-Ctarget-feature=+simd128", "simd128,portable");

/// `bench/wasm/test.mjs`: known answers, those of `vectors/`, and Node's own digests, on every
/// backend.
pub fn wasm(_: &[String]) -> Outcome {
    tools()?;
    without_simd()?;
    with_simd()
}

pub fn without_simd() -> Outcome {
    test(PLAIN)
}

/// Its backends are those without simd128, too.
pub fn with_simd() -> Outcome {
    test(SIMD)
}

fn test(build: Build) -> Outcome {
    let dir = target().join("wasm").join(build.1);
    for mut step in steps(&dir, build) {
        run(step.env("CARGO_TARGET_DIR", &dir).current_dir(root()))?;
    }
    Ok(())
}

/// Returns the command that builds the module to the target directory `dir`, and the one that tests
/// it. Both run in the root of the repository.
pub fn steps(dir: &Path, (features, backends): Build) -> Vec<Command> {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--locked", "--manifest-path", "bench/wasm/Cargo.toml"]);
    build.args(["--target", TARGET]).env("RUSTFLAGS", features);
    let mut test = Command::new("node");
    test.arg("bench/wasm/test.mjs").arg(dir.join(TARGET).join("release/wasm.wasm")).arg(backends);
    vec![build, test]
}

pub fn tools() -> Result<(), Missing> {
    needs::all([needs::node(18), needs::target(TARGET, &["--crate-type=cdylib"], "", "")])
}
