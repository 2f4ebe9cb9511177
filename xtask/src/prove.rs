//! `cargo xtask prove`: the proofs that the kernels are the standards, see proofs/README.md.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run, target};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Proves all kernels, or those that the arguments name; `--long`: with more blocks; `--mutants`: that wrong ones
/// are not proved.
pub fn prove(args: &[String]) -> Outcome {
    let python = environment()?;
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

pub fn tools() -> Result<(), Missing> {
    environment().map(drop)
}

/// A Python that has the solver.
fn environment() -> Result<PathBuf, Missing> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(Missing::new("the kernels and the solver are for x86-64 Linux", ""));
    }
    let environment = target().join("proofs/venv");
    let python = environment.join("bin/python");
    if !needs::succeeds(Command::new(&python).args(["-m", "pip", "--version"])) {
        let mut command = Command::new("python3");
        if !needs::succeeds(command.args(["-m", "venv", "--clear"]).arg(&environment)) {
            let what = "python3 -m venv makes no environment";
            return Err(Missing::new(what, needs::debian("python3 python3-venv")));
        }
    }
    let mut command = Command::new(&python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(["--require-hashes", "--requirement"]);
    match needs::succeeds(command.arg(root().join("proofs/requirements.txt"))) {
        true => Ok(python),
        false => {
            let install = "pip install --require-hashes --requirement proofs/requirements.txt";
            Err(Missing::new("the solver is not installed, and pip cannot get it", install))
        }
    }
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
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
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
