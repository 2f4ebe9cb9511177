//! `cargo xtask bench`: measures hashmill beside its peers, with `--against REV` beside an older version
//! of itself, with `--cells` its choice of a backend beside each backend, or with `--seeds` BLAKE2 beside
//! blake2b_simd and blake2s_simd.

use crate::{Outcome, builds, root, run, stdout, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the benchmarks with all arguments except `--against REV`.
pub fn bench(args: &[String]) -> Outcome {
    if args == ["--builds"] {
        return builds::compare();
    }
    if let Some((option, names)) = args.split_first()
        && let Some(program) =
            [("--cells", "cells"), ("--seeds", "seeds")].iter().find(|it| it.0 == option)
    {
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--profile", "fat", "--bin", program.1, "--manifest-path"]);
        return run(command.arg(root().join("bench/builds/Cargo.toml")).arg("--").args(names));
    }
    let Some(at) = args.iter().position(|arg| arg == "--against") else {
        return measure(&root().join("bench/Cargo.toml"), args);
    };
    let revision = args.get(at + 1).ok_or("--against takes a revision")?;
    let mut rest: Vec<String> = [&args[..at], &args[at + 2..]].concat();
    if !rest.iter().any(|arg| arg == "-p" || arg.starts_with("--peer")) {
        rest.extend(["--peer", "old,by-name"].map(String::from));
    }
    rest.push("--no-record".into());
    measure(&against(revision)?, &rest)
}

fn measure(manifest: &Path, args: &[String]) -> Outcome {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--release", "--manifest-path"]).arg(manifest).arg("--").args(args);
    run(&mut command)
}

/// Extracts the revision, and writes the manifest of the benchmarks with both versions of the
/// library.
fn against(revision: &str) -> Result<PathBuf, String> {
    let commit = format!("{revision}^{{commit}}");
    let commit = stdout(Command::new("git").args(["rev-parse", "--verify", &commit]))?;
    let folder = target().join("against");
    let old = folder.join(commit.trim());
    if !old.exists() {
        let (new, tar) = (folder.join("new"), folder.join("revision.tar"));
        _ = fs::remove_dir_all(&new);
        fs::create_dir_all(&new).map_err(|error| format!("{}: {error}", new.display()))?;
        run(Command::new("git").args(["archive", "--output"]).arg(&tar).arg(commit.trim()))?;
        run(Command::new("tar").arg("-xf").arg(&tar).arg("-C").arg(&new))?;
        // One lock file cannot hold two packages of the same name and version.
        let manifest = new.join("crates/hashmill/Cargo.toml");
        let text = read(&manifest)?.replacen("version.workspace = true", "version = \"0.0.0\"", 1);
        write(&manifest, &text)?;
        fs::rename(&new, &old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let bench = root().join("bench");
    let library = |path: &Path| format!("{:?}", path.join("crates/hashmill").display().to_string());
    let (ours, theirs) = (library(root()), library(&old));
    // The name of `hash_many` in older versions.
    let any = read(&old.join("crates/hashmill/src/any.rs")).unwrap_or_default();
    let features =
        if any.contains("fn finish_many") { r#""old", "finish_many""# } else { r#""old""# };
    let mut manifest = read(&bench.join("Cargo.toml"))?;
    for (text, instead) in [
        ("default-run = \"bench\"", "default-run = \"bench\"\nautobins = false".to_owned()),
        (
            "hashmill = { path = \"../crates/hashmill\"",
            format!(
                "hashmill_old = {{ package = \"hashmill\", path = {theirs} }}\nhashmill = {{ path = {ours}"
            ),
        ),
        (
            "[profile.release]",
            format!(
                "[features]\ndefault = [{features}]\nold = []\nfinish_many = []\n\n[profile.release]"
            ),
        ),
    ] {
        if manifest.matches(text).count() != 1 {
            return Err(format!("bench/Cargo.toml: {text:?} is not there once"));
        }
        manifest = manifest.replace(text, &instead);
    }
    let main = bench.join("src/main.rs").display().to_string();
    let manifest = format!("{manifest}\n[[bin]]\nname = \"bench\"\npath = {main:?}\n");
    let folder = folder.join("bench");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // The lock file keeps the same versions of the peers.
    write(&folder.join("Cargo.lock"), &read(&bench.join("Cargo.lock"))?)?;
    write(&folder.join("Cargo.toml"), &manifest)?;
    Ok(folder.join("Cargo.toml"))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path, text: &str) -> Outcome {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
