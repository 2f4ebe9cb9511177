//! `cargo xtask`: the project's chores. `cargo xtask --help` lists them.

mod abi;
mod api;
mod apt;
mod arm;
mod bench;
mod calls;
mod command;
mod diffs;
mod dist;
mod duckdb;
mod elsewhere;
mod faces;
mod faults;
mod files;
mod fuzz;
mod haskell;
#[cfg(unix)]
mod hidden;
mod house;
mod install;
mod js;
mod locks;
mod masked;
mod miri;
mod moved;
mod mutants;
mod narrow;
mod needs;
mod prelude;
mod programs;
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

use prelude::*;
use std::process::ExitCode;

/// A chore: its name and what it takes, its function, and what would be lost without it.
type Task = (&'static str, fn(&[String]) -> Outcome, &'static str);

#[rustfmt::skip] // two lines a task
const TASKS: &[Task] = &[
    ("test [--all | --long | PART…] [--list] [--fail-fast]", test::test,
        "one command for all tests, which says what it left out and how to install what they need"),
    ("house [--arrows] [--places]", house::house,
        "limits that fail: sizes, layers, public names, the time of a build"),
    ("tables [--write]", tables::tables,
        "one list of functions, from which the tables of six languages follow"),
    ("prove [KERNEL…] [OPTION…]", prove::prove,
        "proofs that each kernel computes its standard's function; CONTRIBUTING.md has the options"),
    ("bench [OPTION…]", bench::bench,
        "measurements in one run: beside other libraries, other versions (--against REV), other builds"),
    ("install --prefix DIR [--target TARGET]", install::install,
        "a C library that exports its own names only, with what pkg-config and CMake read"),
    ("dist DIR", dist::dist,
        "a program that a second person can build again, byte by byte"),
    ("duckdb [DIR]", duckdb::duckdb,
        "an extension that DuckDB loads: it reads a version from the end of the file"),
    ("release [--sign-with KEY] DIR [FOLDER…]", release::release,
        "packages for nine registries that were built from what they contain, and used"),
    ("faults [TEXT…]", faults::faults,
        "tests that are known to catch hand-written faults, also in kernels"),
    ("mutants [COUNT] [SEED] [--iterate]", mutants::mutants,
        "the same for faults that cargo-mutants makes, all in one build"),
    ("fuzz [SECONDS] [TARGET…]", fuzz::fuzz,
        "inputs of which nobody thought; needs no cargo-fuzz and no nightly Rust"),
    ("abi [--write]", abi::abi,
        "a C library that does not break programs which were compiled with an older one"),
    ("api [--write]", api::api,
        "a library that does not break programs: its public items are those of public-api.txt"),
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let name = args.first().map_or("", |name| name);
    let task = TASKS.iter().find(|(usage, ..)| usage.split(' ').next() == Some(name));
    let Some((usage, task, _)) = task else {
        eprintln!("usage: cargo xtask TASK. The tasks, and what would be lost without each:\n");
        for (usage, _, lost) in TASKS {
            eprintln!("  {usage}\n      {lost}");
        }
        return ExitCode::from(if name == "--help" { 0 } else { 2 });
    };
    match moved::forget().and_then(|()| task(&args[1..])) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let message =
                if message == WRONG { format!("usage: cargo xtask {usage}") } else { message };
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}
