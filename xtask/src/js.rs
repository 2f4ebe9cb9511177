//! The JavaScript package: `cargo xtask faces js`.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run, wasm};
use std::process::Command;

/// What building and testing the package needs. npm installs the tools of `package-lock.json`.
pub fn tools() -> Result<(), Missing> {
    needs::all([wasm::tools(), needs::node(20), needs::program("npm", "npm")])?;
    let here = needs::succeeds(&mut npm(&["ls", "--all"]));
    match here
        || !needs::may_download("the packages of faces/js/package-lock.json")
        || needs::succeeds(&mut npm(&["ci", "--no-audit", "--no-fund"]))
    {
        true => Ok(()),
        false => Err(Missing::new(
            "the package's tools are not installed, and npm cannot get them",
            "npm --prefix faces/js ci",
        )),
    }
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(["--prefix", "faces/js"]).args(args).current_dir(root());
    command
}

/// Builds the package and runs its tests: see `faces/js/tools/check.mjs`.
pub fn js() -> Outcome {
    run(&mut npm(&["run", "--silent", "build"]))?;
    run(&mut npm(&["test", "--silent"]))
}
