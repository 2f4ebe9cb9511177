//! The whole test command in a clone whose path contains a blank, and some parts of it after that
//! clone was moved.

use crate::{Outcome, root, run, target};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The parts whose tools keep paths in what they build.
const KEPT_PATHS: &[&str] = &["program", "haskell", "motoko", "python", "cpp", "proofs"];

pub fn elsewhere() -> Outcome {
    let folder = target().join("tmp/a path with blanks");
    let [first, second] = ["first place", "second place"].map(|name| folder.join(name));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    // What is not committed is not tested.
    run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&first))?;
    test_in(&first, &["--all"])?;
    fs::rename(&first, &second).map_err(|error| format!("{}: {error}", second.display()))?;
    test_in(&second, KEPT_PATHS)
}

/// Runs the test command of a clone, which is compiled there.
fn test_in(clone: &Path, parts: &[&str]) -> Outcome {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "test"]).args(parts).current_dir(clone);
    run(cargo.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_MANIFEST_DIR"))
}
