//! `cargo xtask`: the project's chores. `cargo xtask` alone lists them.

mod faces;
mod install;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A chore: its name, what it is for, and the commands it runs.
struct Task {
    name: &'static str,
    purpose: &'static str,
    run: fn(&[String]) -> Outcome,
}

type Outcome = Result<(), String>;

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
    Task {
        name: "install",
        purpose: "--prefix DIR: the C library with its headers, for pkg-config and CMake",
        run: install::install,
    },
    Task {
        name: "faces",
        purpose: "the tests of the other languages: all, or those named",
        run: faces::faces,
    },
];

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let name = args.next();
    let rest: Vec<String> = args.collect();
    let Some(task) = TASKS.iter().find(|task| Some(task.name) == name.as_deref()) else {
        eprintln!("usage: cargo xtask TASK\n");
        for task in TASKS {
            eprintln!("  {:7} {}", task.name, task.purpose);
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

fn test(_: &[String]) -> Outcome {
    cargo("fmt --all -- --check")?;
    cargo("clippy --workspace --all-targets --all-features -- --deny warnings")?;
    cargo_with("RUSTDOCFLAGS", "--deny warnings", "doc --workspace --no-deps --all-features")?;
    cargo("check --package hashmill --no-default-features")?;
    no_dependencies()?;
    // Optimised as the profile says: the answers are many and the kernels slow without.
    cargo("test --workspace --all-features")?;
    let left_out = faces::possible()?;
    // Written by tests/kat.rs, whose tables are further up.
    let answers = target().join("tmp/answers.txt");
    let answers = std::fs::read_to_string(answers).map_err(|e| format!("answers.txt: {e}"))?;
    eprintln!("\n{answers}");
    for face in &left_out {
        eprintln!("left out: {face}");
    }
    // Where everything ought to be installed, nothing may be left out.
    match env::var_os("CI") {
        Some(_) if !left_out.is_empty() => Err("some tests could not run".into()),
        _ => Ok(()),
    }
}

/// The core has no dependencies unless a feature asks for one.
fn no_dependencies() -> Outcome {
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

fn bench(args: &[String]) -> Outcome {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--release", "--manifest-path", "bench/Cargo.toml", "--"]).args(args);
    run(&mut command)
}

fn cargo(args: &str) -> Outcome {
    run(Command::new(env!("CARGO")).args(args.split(' ')))
}

fn cargo_with(variable: &str, value: &str, args: &str) -> Outcome {
    run(Command::new(env!("CARGO")).args(args.split(' ')).env(variable, value))
}

fn run(command: &mut Command) -> Outcome {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_owned();
    let shown: Vec<_> = [&*program]
        .into_iter()
        .chain(command.get_args())
        .map(|arg| arg.to_string_lossy())
        .collect();
    let shown = shown.join(" ");
    eprintln!("\n$ {shown}");
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed: {status}")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// A program on the path, or which Debian packages it is in.
fn tool(name: &str, packages: &str) -> Result<PathBuf, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|file| file.is_file())
        .ok_or_else(|| format!("{name} is not installed (Debian: apt-get install {packages})"))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Where cargo builds.
fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
