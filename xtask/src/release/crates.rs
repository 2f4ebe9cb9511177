//! The crates as their registry gets them: each is unpacked elsewhere and built, tested, documented
//! and installed there.

use super::common::{VERSION, scratch};
use crate::install::copy;
use crate::{Outcome, root, run, target};
use std::fs;
use std::path::Path;
use std::process::Command;

pub fn make(folder: &Path) -> Outcome {
    // What `cargo publish` would pack: it refuses a checkout with changes, and builds both crates.
    let packages = ["--package", "hashmill", "--package", "hashmill-cli"];
    run(Command::new(env!("CARGO"))
        .args(["package", "--locked"])
        .args(packages)
        .current_dir(root()))?;
    let elsewhere = scratch("crates")?;
    let built = target().join("package");
    for name in ["hashmill", "hashmill-cli"] {
        let file = format!("{name}-{VERSION}.crate");
        copy(&built.join(&file), &folder.join(&file))?;
        run(Command::new("tar").arg("-xzf").arg(folder.join(&file)).arg("-C").arg(&elsewhere))?;
    }
    let library = elsewhere.join(format!("hashmill-{VERSION}"));
    let program = elsewhere.join(format!("hashmill-cli-{VERSION}"));
    let cargo = |at: &Path| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.env("CARGO_TARGET_DIR", elsewhere.join("target")).current_dir(at);
        cargo
    };
    run(cargo(&library).args(["test", "--release", "--all-features"]))?;
    run(cargo(&library)
        .args(["doc", "--no-deps", "--all-features"])
        .env("RUSTDOCFLAGS", "--deny warnings"))?;
    // Until the library is in the registry, the program takes the unpacked one.
    let patch = format!("patch.crates-io.hashmill.path={:?}", library.display().to_string());
    let prefix = elsewhere.join("installed");
    run(cargo(&elsewhere)
        .args(["install", "--config", &patch, "--path"])
        .arg(&program)
        .arg("--root")
        .arg(&prefix))?;
    run(Command::new(prefix.join("bin/hashmill")).args(["self", "test"]).current_dir(&elsewhere))?;
    fs::remove_dir_all(&elsewhere).map_err(|e| format!("{}: {e}", elsewhere.display()))
}
