//! The whole test command in a clone whose path contains a blank, and some parts of it after that
//! clone was moved.

use crate::prelude::*;

/// The parts whose tools keep paths in what they build.
const KEPT_PATHS: &[&str] = &["program", "haskell", "motoko", "python", "cpp", "proofs"];

pub fn elsewhere() -> Outcome {
    let folder = target().join("tmp/a path with blanks");
    let [first, second] = ["first place", "second place"].map(|name| folder.join(name));
    remove_folder(&folder)?;
    // What is not committed is not tested.
    run(cmd!("git clone --quiet {} {}", root(), first))?;
    test_in(&first, &["--all"])?;
    fs::rename(&first, &second).map_err(failed(&second))?;
    test_in(&second, KEPT_PATHS)
}

/// Runs the test command of a clone, which is compiled there.
fn test_in(clone: &Path, parts: &[&str]) -> Outcome {
    let mut test = cmd!("cargo xtask test");
    test.args(parts).current_dir(clone);
    run(test.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_MANIFEST_DIR"))
}
