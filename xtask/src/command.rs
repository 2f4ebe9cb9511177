//! Running other programs, and the folders of the workspace.

use crate::tail;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub type Outcome = Result<(), String>;

/// The tests of the program. Two parts build them with the same packages, because cargo compiles the
/// library anew for others.
pub const PROGRAM: &str = "test --package hashmill-cli --package hashmill-c --package xtask";

pub fn cargo(args: &str) -> Outcome {
    run(Command::new(env!("CARGO")).args(args.split(' ')))
}

pub fn cargo_with(variable: &str, value: &str, args: &str) -> Outcome {
    run(Command::new(env!("CARGO")).args(args.split(' ')).env(variable, value))
}

pub fn run(command: &mut Command) -> Outcome {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_owned();
    let shown: Vec<_> = [&*program]
        .into_iter()
        .chain(command.get_args())
        .map(|arg| arg.to_string_lossy())
        .collect();
    let shown = shown.join(" ");
    tail::say(&format!("$ {shown}"));
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    match tail::status(command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed: {status}")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// Runs a command to its end and returns its output and its exit status.
pub fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|e| format!("{command:?}: {e}"))
}

/// Runs a command and returns its standard output. A command that fails is an error.
pub fn stdout(command: &mut Command) -> Result<String, String> {
    let output = output(command)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}, {:?}", output.status, output)),
    }
}

/// Returns the root of the clone. Cargo names the place of this package when it runs it. The place
/// that the compiler saw is another one after the clone was moved, and cargo does not compile again
/// for that.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package = env::var_os("CARGO_MANIFEST_DIR");
        let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&package).parent().expect("the package is a directory of the clone").into()
    })
}

/// Returns cargo's target directory.
pub fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns cargo's home directory, which contains the downloaded packages and the installed
/// programs.
pub fn cargo_home() -> PathBuf {
    let told = env::var_os("CARGO_HOME").map(PathBuf::from);
    told.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default()
}
