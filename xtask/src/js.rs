//! The JavaScript package: `cargo xtask faces js`.

use crate::needs::{self, Missing, npm};
use crate::{Outcome, root, run, wasm};
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "faces/js";
const OTHERS: &str = "faces/js/others";

/// What building and testing the package needs. npm installs the tools of `package-lock.json`.
pub fn tools() -> Result<(), Missing> {
    needs::all([wasm::tools(), needs::node(20), needs::program("npm", "npm")])?;
    needs::npm_packages(FOLDER)
}

pub fn build() -> Outcome {
    run(&mut npm(FOLDER, &["run", "--silent", "build"]))
}

/// Packs this package and that of its native part for this machine into a folder.
pub fn pack(folder: &Path) -> Outcome {
    build()?;
    run(Command::new("node").arg("tools/native.mjs").arg(folder).current_dir(root().join(FOLDER)))
}

/// Builds the package, measures it beside others, and writes `faces/js/bench/results.md`.
pub fn measure() -> Outcome {
    tools().map_err(|missing| missing.to_string())?;
    build()?;
    run(&mut npm(FOLDER, &["run", "--silent", "build:native"]))?;
    run(&mut npm(FOLDER, &["run", "--silent", "bench", "--", "--write"]))
}

/// What the tests in other engines and by bundlers need besides.
pub fn other_tools() -> Result<(), Missing> {
    needs::all([tools(), needs::npm_packages(OTHERS)])
}

/// Runs the tests in Deno and Bun, and bundles the package: see `faces/js/tools/others.mjs`.
pub fn others() -> Outcome {
    build()?;
    run(Command::new("node").arg("tools/others.mjs").current_dir(root().join(FOLDER)))
}

/// Builds the package and runs its tests: see `faces/js/tools/check.mjs`.
pub fn js() -> Outcome {
    build()?;
    run(&mut npm(FOLDER, &["run", "--silent", "build:native", "--", "--debug"]))?;
    run(&mut npm(FOLDER, &["test", "--silent"]))
}
