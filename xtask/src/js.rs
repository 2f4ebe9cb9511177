//! The JavaScript package: `cargo xtask faces js`.

use crate::needs::{self, Missing, npm};
use crate::{Outcome, run, wasm};

const FOLDER: &str = "faces/js";

/// What building and testing the package needs. npm installs the tools of `package-lock.json`.
pub fn tools() -> Result<(), Missing> {
    needs::all([wasm::tools(), needs::node(20), needs::program("npm", "npm")])?;
    needs::npm_packages(FOLDER)
}

pub fn build() -> Outcome {
    run(&mut npm(FOLDER, &["run", "--silent", "build"]))
}

/// Builds the package and runs its tests: see `faces/js/tools/check.mjs`.
pub fn js() -> Outcome {
    build()?;
    run(&mut npm(FOLDER, &["test", "--silent"]))
}
