//! `cargo xtask prove`: the proofs that the kernels are the standards, see proofs/README.md.

use crate::{Outcome, root, run, target, tool};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Proves all kernels, or those that the arguments name; `--long`: with more blocks; `--mutants`: that wrong ones
/// are not proved.
pub fn prove(args: &[String]) -> Outcome {
    prove_with(environment()?, args)
}

/// All, if this machine can. The result says why they were left out, if they were.
pub fn possible() -> Result<Option<String>, String> {
    match environment() {
        Ok(python) => prove_with(python, &[]).map(|()| None),
        Err(missing) => Ok(Some(format!("prove: {missing}"))),
    }
}

fn prove_with(python: PathBuf, args: &[String]) -> Outcome {
    let dir = target().join("proofs");
    let (module, hardware) = (module(&dir)?, hardware(&dir)?);
    let mut command = Command::new(python);
    command
        .arg(root().join("proofs/prove.py"))
        .arg("--hardware")
        .arg(hardware)
        .arg(module)
        .args(args);
    run(command.env("PYTHONPYCACHEPREFIX", dir.join("pycache")))
}

/// A Python that has the solver.
fn environment() -> Result<PathBuf, String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err("the kernels and the solver are for x86-64 Linux".into());
    }
    let (environment, packages) = (target().join("proofs/venv"), "python3 python3-venv");
    let python = environment.join("bin/python");
    if !environment.join("bin/pip").exists() {
        let mut command = Command::new(tool("python3", packages)?);
        run(command.args(["-m", "venv"]).arg(&environment))
            .map_err(|error| format!("{error} (Debian: apt-get install {packages})"))?;
    }
    let mut command = Command::new(&python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(["--require-hashes", "--requirement"]);
    run(command.arg(root().join("proofs/requirements.txt")))?;
    Ok(python)
}

/// What rustc makes of the library, optimised, in LLVM's intermediate language.
fn module(dir: &Path) -> Result<PathBuf, String> {
    let module = dir.join("hashmill.ll");
    let mut emit = "--emit=llvm-ir=".to_owned();
    emit.push_str(module.to_str().ok_or("the target directory's name is no UTF-8")?);
    let mut command = Command::new(env!("CARGO"));
    command.args(["rustc", "--package", "hashmill", "--lib", "--release", "--target-dir"]).arg(dir);
    command.args(["--", "-C", "codegen-units=1", &emit]);
    // With link-time optimisation the optimiser would stop halfway.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_DEBUG", "none");
    run(&mut command)?;
    Ok(module)
}

/// The program that runs single instructions.
fn hardware(dir: &Path) -> Result<PathBuf, String> {
    let program = dir.join("hardware");
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2024", "-O", "-o"]).arg(&program);
    run(command.arg(root().join("proofs/hardware.rs")))?;
    Ok(program)
}
