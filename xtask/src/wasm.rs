//! The library in WebAssembly, with and without simd128, under Node.

use crate::prelude::*;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// What a build is given, and its backends.
type Build = (&'static str, &'static str);

pub const PLAIN: Build = ("-Ctarget-feature=-simd128", "portable");
/// Its backends are those without simd128, too.
pub const SIMD: Build = ("-Ctarget-feature=+simd128", "simd128,portable");

/// `bench/wasm/test.mjs`: known answers, those of `vectors/`, and Node's own digests, on every
/// backend.
pub fn test(build: Build) -> Outcome {
    let dir = target().join("wasm").join(build.1);
    let mut steps = steps(&dir, build).into_iter();
    steps.try_for_each(|mut step| run(step.env("CARGO_TARGET_DIR", &dir)))
}

/// Returns the command that builds the module to the target directory `dir`, and the one that tests
/// it. Both run in the root of the repository.
pub fn steps(dir: &Path, (features, backends): Build) -> Vec<Command> {
    let wasm = format!("--manifest-path bench/wasm/Cargo.toml --target {TARGET}");
    let mut build = cmd!(format!("cargo build --release --locked {wasm}"));
    build.env("RUSTFLAGS", features);
    let module = dir.join(TARGET).join("release/wasm.wasm");
    vec![build, cmd!("node bench/wasm/test.mjs {} {}", module, backends)]
}

pub fn tools() -> Found {
    needs::all([needs::node(18), needs::target(TARGET, &["--crate-type=cdylib"], "", "")])
}
