//! Checks that every `Cargo.lock` is that of its `Cargo.toml`. Most workspaces here are built by
//! few parts, and CI may leave these out, so an old file could stay unnoticed.

use crate::prelude::*;

/// The manifest of every workspace.
pub fn manifests() -> Result<Vec<String>, String> {
    let files = stdout(cmd!("git ls-files *Cargo.lock"))?;
    Ok(files.lines().map(|lock| lock.replace(".lock", ".toml")).collect())
}

/// Resolves the dependencies of every workspace, with the versions of its lock file. That downloads
/// no package, and at most cargo's index of the registry.
pub fn are_current() -> Outcome {
    let manifests = manifests()?;
    let old = manifests.iter().filter_map(|it| is_old(it).transpose());
    let old = old.collect::<Result<Vec<_>, _>>()?;
    ensure(old.is_empty(), old.join("\n"))
}

/// Returns what is wrong with the lock file of a manifest.
fn is_old(manifest: &str) -> Result<Option<String>, String> {
    let update = format!("cargo update --workspace --manifest-path {manifest}");
    let resolve = |more: &str| {
        let said = output(cmd!(format!("{update} --locked {more}")))?;
        Ok::<_, String>((said.status.success(), said.stderr))
    };
    let (mut current, mut said) = resolve("--offline")?;
    // The index of the registry is not here, or is older than the lock file.
    if !current && !is_about_the_lock(&said) {
        (current, said) = resolve("")?;
    }
    if !current && !is_about_the_lock(&said) {
        eprintln!("left out: {manifest}: {}", said.lines().next().unwrap_or_default());
        return Ok(None);
    }
    let what = format!("the lock file of {manifest} is older than it; to mend it: {update}");
    Ok((!current).then_some(what))
}

fn is_about_the_lock(said: &str) -> bool {
    said.contains("because --locked was passed")
}
