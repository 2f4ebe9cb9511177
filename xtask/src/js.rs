//! The JavaScript package.

use crate::needs::npm;
use crate::prelude::*;
use crate::wasm;

const FOLDER: &str = "faces/js";

/// What building and testing the package needs. npm installs the tools of `package-lock.json`.
pub fn tools() -> Found {
    needs::all([wasm::tools(), needs::node(20), needs::program("npm", "npm")])?;
    needs::npm_packages(FOLDER)
}

fn build() -> Outcome {
    run(npm(FOLDER, "run --silent build"))
}

/// Runs a program of the package with Node.
fn node(program: &str, args: &[&Path]) -> Outcome {
    run(cmd!("node {}", program).args(args).current_dir(root().join(FOLDER)))
}

/// Builds the native part, optimised, and searches the memory of processes that called it.
pub fn remains() -> Outcome {
    node("tools/native.mjs", &[])?;
    node("test/remains.mjs", &[])
}

/// Packs this package and that of its native part for this machine into a folder.
pub fn pack(folder: &Path) -> Outcome {
    build()?;
    node("tools/native.mjs", &[folder])
}

/// What the tests in other engines and by bundlers need besides.
pub fn other_tools() -> Found {
    needs::all([tools(), needs::npm_packages("faces/js/others")])
}

/// Runs the tests in Deno and Bun, and bundles the package: see `faces/js/tools/others.mjs`.
pub fn others() -> Outcome {
    build()?;
    node("tools/others.mjs", &[])
}

/// The variable that names a clone of noble-hashes.
const NOBLE: &str = "HASHMILL_NOBLE";

/// Returns the clone of noble-hashes.
fn noble_clone() -> Found<PathBuf> {
    let unnamed = format!("{NOBLE} names no clone of noble-hashes: see CONTRIBUTING.md");
    let path = PathBuf::from(env::var_os(NOBLE).filter(|it| !it.is_empty()).ok_or(unnamed)?);
    // A file of the clone, of its submodule, and of its npm packages.
    for file in [
        "test/platform.ts",
        "test/vectors/acvp-vectors/utils.js",
        "node_modules/@paulmillr/jsbt/test.js",
    ] {
        let what = format!("{} of {NOBLE} does not have {file}", path.display());
        needs::check(path.join(file).exists(), what, "")?;
    }
    Ok(path)
}

/// What the tests of noble-hashes need. Node 24 runs their TypeScript.
pub fn noble_tools() -> Found {
    noble_clone()?;
    needs::all([tools(), needs::node(24)])
}

/// Builds the package and runs noble-hashes' tests over it: see `faces/js/tools/noble.mjs`.
pub fn noble() -> Outcome {
    let clone = absolute(noble_clone()?)?;
    build()?;
    node("tools/noble.mjs", &[&clone])
}

/// Builds the package and runs its tests: see `faces/js/tools/check.mjs`.
pub fn js() -> Outcome {
    build()?;
    run(npm(FOLDER, "run --silent build:native -- --debug"))?;
    run(npm(FOLDER, "test --silent"))
}
