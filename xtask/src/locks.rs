//! Checks that every `Cargo.lock` is that of its `Cargo.toml`. Most workspaces here are built by
//! few parts, and CI may leave these out, so an old file could stay unnoticed.

use crate::{Outcome, output, root, stdout};
use std::process::Command;

/// Resolves the dependencies of every workspace, with the versions of its lock file. That downloads
/// no package, and at most cargo's index of the registry.
pub fn are_current() -> Outcome {
    let mut files = Command::new("git");
    let files = stdout(files.args(["ls-files", "*Cargo.lock"]).current_dir(root()))?;
    let old: Vec<_> = files.lines().map(is_old).filter_map(Result::transpose).collect();
    let old = old.into_iter().collect::<Result<Vec<_>, _>>()?;
    match &old[..] {
        [] => Ok(()),
        _ => Err(old.join("\n")),
    }
}

/// Returns what is wrong with a lock file.
fn is_old(file: &str) -> Result<Option<String>, String> {
    let manifest = file.replace(".lock", ".toml");
    let resolve = |more: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["update", "--workspace", "--locked", "--manifest-path", &manifest]).args(more);
        let output = output(cargo.current_dir(root()))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok::<_, String>((output.status.success(), said))
    };
    let (mut current, mut said) = resolve(&["--offline"])?;
    // The index of the registry is not here, or is older than the lock file.
    if !current && !is_about_the_lock(&said) {
        (current, said) = resolve(&[])?;
    }
    let update = format!("cargo update --workspace --manifest-path {manifest}");
    match current {
        true => Ok(None),
        false if is_about_the_lock(&said) => {
            Ok(Some(format!("{file} is older than its manifests; to mend it: {update}")))
        }
        false => {
            eprintln!("left out: {file}: {}", said.lines().next().unwrap_or_default());
            Ok(None)
        }
    }
}

fn is_about_the_lock(said: &str) -> bool {
    said.contains("because --locked was passed")
}
