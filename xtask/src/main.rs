//! `cargo xtask`: the project's chores. `cargo xtask` alone lists them.

mod abi;
mod api;
mod apt;
mod arm;
mod bench;
mod builds;
mod calls;
mod dist;
mod duckdb;
mod elsewhere;
mod faces;
mod faults;
mod fuzz;
#[cfg(unix)]
mod hidden;
mod house;
mod install;
mod js;
mod locks;
mod masked;
mod miri;
mod moved;
mod narrow;
mod needs;
mod prove;
mod python;
mod release;
mod rustcrypto;
mod sanitize;
mod systems;
mod tables;
mod tail;
mod test;
mod unsafe_code;
mod wasm;
mod wine;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::sync::OnceLock;

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
        purpose: "run all tests, or only the named PARTs; --quick, --long, --list, --fail-fast",
        run: test::test,
    },
    Task {
        name: "house",
        purpose: "check measures of the code against their limits",
        run: house::house,
    },
    Task {
        name: "tables",
        purpose: "compare the tables of all languages with the list of functions; --write: write them",
        run: tables::tables,
    },
    Task {
        name: "prove",
        purpose: "prove that each kernel computes its standard's function: all, or those named",
        run: prove::prove,
    },
    Task {
        name: "bench",
        purpose: "measure hashmill beside its peers; --against REV: beside that revision; --builds: the same library in several profiles",
        run: bench::bench,
    },
    Task {
        name: "install",
        purpose: "--prefix DIR: install the C library and its headers, for pkg-config and CMake",
        run: install::install,
    },
    Task {
        name: "dist",
        purpose: "DIR: build the release program, its list of dependencies and their digests",
        run: dist::dist,
    },
    Task { name: "duckdb", purpose: "[DIR]: build the extension of DuckDB", run: duckdb::duckdb },
    Task {
        name: "release",
        purpose: "DIR [FOLDER…]: build, check and try all packages of a release, or those named",
        run: release::release,
    },
    Task {
        name: "faces",
        purpose: "run the tests of the other languages: all, or those named",
        run: faces::faces,
    },
    Task {
        name: "faults",
        purpose: "[TEXT…]: plant faults in the library, all, or those whose file or text contains TEXT; a test must catch each",
        run: faults::faults,
    },
    Task {
        name: "fuzz",
        purpose: "[SECONDS] [TARGET…]: run the fuzz targets, each for SECONDS (60)",
        run: fuzz::fuzz,
    },
    Task {
        name: "masked",
        purpose: "test the release program on CPUs without some instructions, emulated by qemu",
        run: masked::masked,
    },
    Task {
        name: "arm",
        purpose: "run every test of the library on 64-bit Arm CPUs, emulated by qemu",
        run: arm::arm,
    },
    Task {
        name: "wasm",
        purpose: "test the library in WebAssembly under Node, with and without simd128",
        run: wasm::wasm,
    },
    Task {
        name: "sanitize",
        purpose: "run tests under nightly Rust's sanitizers: of addresses, and of branches that depend on secrets",
        run: sanitize::sanitize,
    },
    Task {
        name: "miri",
        purpose: "test the library in Miri, which finds undefined behaviour, also big-endian and with 32 bits",
        run: miri::miri,
    },
    Task {
        name: "abi",
        purpose: "compare crates/hashmill-c/abi.txt with the C library; --write: update the file",
        run: abi::abi,
    },
    Task {
        name: "api",
        purpose: "compare public-api.txt with the library; --write: update the file",
        run: api::api,
    },
    Task {
        name: "narrow",
        purpose: "test the library's counts and buffers with 32-bit addresses",
        run: narrow::narrow,
    },
];

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let name = args.next();
    let rest: Vec<String> = args.collect();
    let Some(task) = TASKS.iter().find(|task| Some(task.name) == name.as_deref()) else {
        eprintln!("usage: cargo xtask TASK\n");
        for task in TASKS {
            eprintln!("  {:8} {}", task.name, task.purpose);
        }
        return ExitCode::from(2);
    };
    match moved::forget().and_then(|()| (task.run)(&rest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {}: {message}", task.name);
            ExitCode::FAILURE
        }
    }
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
    let status = match tail::kept() {
        true => tail::status(command),
        false => command.status(),
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed: {status}")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// Runs a command to its end and returns its output and its exit status.
fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|e| format!("{command:?}: {e}"))
}

/// Runs a command and returns its standard output. A command that fails is an error.
fn stdout(command: &mut Command) -> Result<String, String> {
    let output = output(command)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}, {:?}", output.status, output)),
    }
}

/// Returns the root of the clone. Cargo names the place of this package when it runs it. The place
/// that the compiler saw is another one after the clone was moved, and cargo does not compile again
/// for that.
fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package = env::var_os("CARGO_MANIFEST_DIR");
        let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&package).parent().expect("the package is a directory of the clone").into()
    })
}

/// Returns cargo's target directory.
fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns cargo's home directory, which contains the downloaded packages and the installed
/// programs.
fn cargo_home() -> PathBuf {
    let told = env::var_os("CARGO_HOME").map(PathBuf::from);
    told.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default()
}
