//! The JavaScript package: `cargo xtask faces js`.

use crate::needs::{self, Missing, npm};
use crate::{Outcome, root, run, wasm};
use std::env;
use std::path::{Path, PathBuf};
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

/// Builds the native part, optimised, and searches the memory of processes that called it.
pub fn remains() -> Outcome {
    let node = |program| run(Command::new("node").arg(program).current_dir(root().join(FOLDER)));
    node("tools/native.mjs")?;
    node("test/remains.mjs")
}

/// Packs this package and that of its native part for this machine into a folder.
pub fn pack(folder: &Path) -> Outcome {
    build()?;
    run(Command::new("node").arg("tools/native.mjs").arg(folder).current_dir(root().join(FOLDER)))
}

/// Builds the package, measures it beside others, and writes the record of this CPU in `faces/js/bench/record`.
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

/// The variable that names a clone of noble-hashes.
const NOBLE: &str = "HASHMILL_NOBLE";

/// Returns the clone of noble-hashes.
fn noble_clone() -> Result<PathBuf, Missing> {
    let named = env::var_os(NOBLE).filter(|path| !path.is_empty());
    let path = named.map(PathBuf::from).ok_or_else(|| {
        Missing::new(format!("{NOBLE} names no clone of noble-hashes: see CONTRIBUTING.md"), "")
    })?;
    // A file of the clone, of its submodule, and of its npm packages.
    let files = [
        "test/platform.ts",
        "test/vectors/acvp-vectors/utils.js",
        "node_modules/@paulmillr/jsbt/test.js",
    ];
    match files.iter().find(|file| !path.join(file).exists()) {
        Some(file) => {
            Err(Missing::new(format!("{} of {NOBLE} does not have {file}", path.display()), ""))
        }
        None => Ok(path),
    }
}

/// What the tests of noble-hashes need. Node 24 runs their TypeScript.
pub fn noble_tools() -> Result<(), Missing> {
    noble_clone()?;
    needs::all([tools(), needs::node(24)])
}

/// Builds the package and runs noble-hashes' tests over it: see `faces/js/tools/noble.mjs`.
pub fn noble() -> Outcome {
    let clone = std::path::absolute(noble_clone()?).map_err(|e| format!("{NOBLE}: {e}"))?;
    build()?;
    run(Command::new("node").arg("tools/noble.mjs").arg(clone).current_dir(root().join(FOLDER)))
}

/// Builds the package and runs its tests: see `faces/js/tools/check.mjs`.
pub fn js() -> Outcome {
    build()?;
    run(&mut npm(FOLDER, &["run", "--silent", "build:native", "--", "--debug"]))?;
    run(&mut npm(FOLDER, &["test", "--silent"]))
}
