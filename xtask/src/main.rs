//! `cargo xtask`: the project's chores. `cargo xtask` alone lists them.

mod abi;
mod api;
mod apt;
mod arm;
mod bench;
mod builds;
mod calls;
mod command;
mod dist;
mod duckdb;
mod elsewhere;
mod faces;
mod faults;
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

use command::{Outcome, cargo, cargo_home, cargo_with, output, root, run, stdout, target};
use std::env;
use std::process::ExitCode;

/// A chore: its name, what it is for, and the commands it runs.
struct Task {
    name: &'static str,
    purpose: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        purpose: "run the tests that a change needs; --all: all, --long: those that take long, or the named PARTs; --list, --fail-fast",
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
        purpose: "measure hashmill beside its peers; --against REV: beside that revision; --builds: the same library in several profiles; --cells: the choice of a backend beside each; --seeds: BLAKE2 beside blake2_simd's crates",
        run: bench::bench,
    },
    Task {
        name: "install",
        purpose: "--prefix DIR [--target TARGET]: install the C library and its headers, for pkg-config and CMake",
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
        name: "mutants",
        purpose: "[COUNT] [SEED]: the same with COUNT (300) generated faults above the kernels, which SEED chooses",
        run: mutants::mutants,
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
