//! `cargo xtask fuzz`: the targets of `fuzz/`, each from its corpus.
//!
//! The directory is laid out for `cargo fuzz`, which has more to offer (`cmin`, `tmin`, `coverage`)
//! but is not needed here: a target is a program like another, built with LLVM's coverage counters.

use crate::needs::{self, Missing};
use crate::sanitize::nightly;
use crate::{Outcome, root, run, target};
use std::env::consts::{ARCH, OS};
use std::fs;
use std::process::Command;

/// Compiler flags for the coverage counters that libFuzzer reads, and for denying warnings, as
/// clippy does elsewhere.
const COUNTERS: &str = "--cfg fuzzing --deny warnings -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

#[derive(Clone, Copy)]
enum Sanitizer {
    None,
    /// AddressSanitizer, which requires the nightly toolchain.
    Address,
}

/// Runs every target, or the named ones, for the given number of seconds each (60 by default).
pub fn fuzz(args: &[String]) -> Outcome {
    let (seconds, names) = match args.split_first() {
        Some((first, rest)) if first.parse::<u32>().is_ok() => (&**first, rest),
        _ => ("60", args),
    };
    let all = targets()?;
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        return Err(format!("there is no target {unknown:?}; there are: {}", all.join(" ")));
    }
    tools()?;
    run_each(seconds, "release", if names.is_empty() { &all } else { names }, Sanitizer::None)
}

/// Runs all targets for three seconds each, in a build that takes less time.
pub fn briefly() -> Outcome {
    run_each("3", "brief", &targets()?, Sanitizer::None)
}

/// Runs all targets for a minute each, with AddressSanitizer.
pub fn with_address_sanitizer() -> Outcome {
    run_each("60", "release", &targets()?, Sanitizer::Address)
}

/// Checks for the tools: libFuzzer must be compiled, and `fuzz/` is a separate workspace with its
/// own dependencies.
pub fn tools() -> Result<(), Missing> {
    if !cfg!(target_os = "linux") {
        return Err(Missing::new("for Linux only", ""));
    }
    needs::all([needs::cxx(), needs::fetched("fuzz/Cargo.toml")])
}

fn targets() -> Result<Vec<String>, String> {
    let dir = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let stems =
        entries.flatten().filter_map(|entry| entry.path().file_stem()?.to_str().map(str::to_owned));
    let mut names: Vec<_> = stems.collect();
    names.sort();
    Ok(names)
}

fn run_each(seconds: &str, profile: &str, names: &[String], sanitizer: Sanitizer) -> Outcome {
    let platform = format!("{ARCH}-unknown-{OS}-gnu");
    let mut plain = Command::new(env!("CARGO"));
    plain.arg("build");
    let (mut cargo, flags, dir) = match sanitizer {
        Sanitizer::None => (plain, COUNTERS.to_owned(), "fuzz"),
        Sanitizer::Address => {
            (nightly("build"), format!("{COUNTERS} -Zsanitizer=address"), "fuzz-address")
        }
    };
    let built = target().join(dir);
    // With an explicit platform, cargo does not apply the flags to build scripts and procedural
    // macros.
    cargo.args(["--profile", profile, "--manifest-path", "fuzz/Cargo.toml", "--target", &platform]);
    cargo.args(names.iter().flat_map(|name| ["--bin", name]));
    run(cargo.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &built))?;
    for name in names {
        let found = built.join("corpus").join(name);
        let artifacts = root().join("fuzz/artifacts").join(name);
        for dir in [&found, &artifacts] {
            fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
        let mut command = Command::new(built.join(&platform).join(profile).join(name));
        command.args([
            &format!("-max_total_time={seconds}"),
            "-timeout=20",
            "-print_final_stats=1",
        ]);
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        // libFuzzer writes new inputs to the first directory.
        command.arg(&found).arg(root().join("fuzz/corpus").join(name));
        eprintln!("\n$ fuzz {name}");
        let ran = command.output().map_err(|e| format!("{name}: {e}"))?;
        let said = String::from_utf8_lossy(&ran.stderr);
        if !ran.status.success() {
            return Err(format!("{said}\nfuzz {name} failed: {}", ran.status));
        }
        said.lines()
            .filter_map(|line| line.strip_prefix("stat::"))
            .for_each(|it| eprintln!("{it}"));
    }
    Ok(())
}
