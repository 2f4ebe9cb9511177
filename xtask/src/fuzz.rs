//! `cargo xtask fuzz`: the targets of `fuzz/`, each from its corpus.
//!
//! The directory is laid out for `cargo fuzz`, which has more to offer (`cmin`, `tmin`, `coverage`)
//! but is not needed here: a target is a program like another, built with LLVM's coverage counters.

use crate::prelude::*;
use std::env::consts::{ARCH, OS};

/// Compiler flags for the coverage counters that libFuzzer reads, and for denying warnings, as
/// clippy does elsewhere.
const COUNTERS: &str = "--cfg fuzzing --deny warnings -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

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
    run_each(seconds, "release", if names.is_empty() { &all } else { names }, "")
}

/// Runs all targets for three seconds each, in a build that takes less time.
pub fn briefly() -> Outcome {
    run_each("3", "brief", &targets()?, "")
}

/// Runs all targets for a minute each, with AddressSanitizer, which requires the nightly toolchain.
pub fn with_address_sanitizer() -> Outcome {
    run_each("60", "release", &targets()?, "-Zsanitizer=address")
}

/// Checks for the tools: libFuzzer must be compiled, and `fuzz/` is a separate workspace with its
/// own dependencies.
pub fn tools() -> Found {
    needs::check(cfg!(target_os = "linux"), "for Linux only", "")?;
    needs::all([needs::cxx(), needs::fetched("fuzz/Cargo.toml")])
}

fn targets() -> Result<Vec<String>, String> {
    let files = entries(&root().join("fuzz/fuzz_targets"))?;
    let stems = files.iter().filter_map(|file| file.file_stem()?.to_str().map(str::to_owned));
    let mut names: Vec<_> = stems.collect();
    names.sort();
    Ok(names)
}

fn run_each(seconds: &str, profile: &str, names: &[String], sanitizer: &str) -> Outcome {
    let platform = format!("{ARCH}-unknown-{OS}-gnu");
    let (toolchain, dir) =
        if sanitizer.is_empty() { ("", "fuzz") } else { ("+nightly", "fuzz-address") };
    let built = target().join(dir);
    // With an explicit platform, cargo does not apply the flags to build scripts and procedural
    // macros.
    let options = format!("--profile {profile} --target {platform}");
    let mut cargo =
        cmd!(format!("cargo {toolchain} build {options} --manifest-path fuzz/Cargo.toml"));
    cargo.args(names.iter().flat_map(|name| ["--bin", name]));
    cargo.env("RUSTFLAGS", format!("{COUNTERS} {sanitizer}")).env("CARGO_TARGET_DIR", &built);
    run(cargo)?;
    for name in names {
        let program = built.join(&platform).join(profile).join(name);
        let (found, corpus) = (built.join("corpus").join(name), format!("fuzz/corpus/{name}"));
        let artifacts = format!("fuzz/artifacts/{name}/");
        make_folder(&found)?;
        make_folder(&root().join(&artifacts))?;
        // libFuzzer writes new inputs to the first directory.
        let options = "-timeout=20 -print_final_stats=1 -max_total_time={} -artifact_prefix={}";
        let words = format!("{{}} {options} {{}} {{}}");
        eprintln!("\n$ fuzz {name}");
        let said = output(cmd!(words, program, seconds, artifacts, found, corpus))?;
        let failed = format!("{}\nfuzz {name} failed: {}", said.stderr, said.status);
        ensure(said.status.success(), failed)?;
        let stats = said.stderr.lines().filter_map(|line| line.strip_prefix("stat::"));
        stats.for_each(|it| eprintln!("{it}"));
    }
    Ok(())
}
