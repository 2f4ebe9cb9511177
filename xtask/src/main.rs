//! `cargo xtask`: the project's chores. `cargo xtask` alone lists them.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

/// A chore: its name, what it is for, and the commands it runs.
struct Task {
    name: &'static str,
    purpose: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        purpose: "everything that must hold: style, lints, documentation, features, and all tests",
        run: test,
    },
    Task {
        name: "bench",
        purpose: "hashmill beside its peers; what follows is passed on, see bench/README.md",
        run: bench,
    },
];

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let name = args.next();
    let rest: Vec<String> = args.collect();
    let Some(task) = TASKS.iter().find(|task| Some(task.name) == name.as_deref()) else {
        eprintln!("usage: cargo xtask TASK\n");
        for task in TASKS {
            eprintln!("  {:6} {}", task.name, task.purpose);
        }
        return ExitCode::from(2);
    };
    match (task.run)(&rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {}: {message}", task.name);
            ExitCode::FAILURE
        }
    }
}

fn test(_: &[String]) -> Result<(), String> {
    cargo("fmt --all -- --check")?;
    cargo("clippy --workspace --all-targets --all-features -- --deny warnings")?;
    cargo_with("RUSTDOCFLAGS", "--deny warnings", "doc --workspace --no-deps --all-features")?;
    cargo("check --package hashmill --no-default-features")?;
    no_dependencies()?;
    // Optimised as the profile says: the answers are many and the kernels slow without.
    cargo("test --workspace --all-features")?;
    // Written by tests/kat.rs, whose tables are further up.
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let answers = root().join(target).join("tmp/answers.txt");
    let answers = std::fs::read_to_string(answers).map_err(|e| format!("answers.txt: {e}"))?;
    eprintln!("\n{answers}");
    Ok(())
}

/// The core has no dependencies unless a feature asks for one.
fn no_dependencies() -> Result<(), String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "hashmill", "--edges", "normal"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    match String::from_utf8_lossy(&tree.stdout).trim().lines().count() {
        1 => Ok(()),
        _ => Err("hashmill has dependencies by default".into()),
    }
}

fn bench(args: &[String]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--release", "--manifest-path", "bench/Cargo.toml", "--"]).args(args);
    run(&mut command)
}

fn cargo(args: &str) -> Result<(), String> {
    run(Command::new(env!("CARGO")).args(args.split(' ')))
}

fn cargo_with(variable: &str, value: &str, args: &str) -> Result<(), String> {
    run(Command::new(env!("CARGO")).args(args.split(' ')).env(variable, value))
}

fn run(command: &mut Command) -> Result<(), String> {
    let shown: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
    eprintln!("\n$ cargo {}", shown.join(" "));
    match command.current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`cargo {}` failed: {status}", shown.join(" "))),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
