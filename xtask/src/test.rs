//! `cargo xtask test`.

use crate::{Outcome, cargo, cargo_with, root, run, stdout, target, tool};
use crate::{api, faces, faults, fuzz, masked, miri, narrow, prove, sanitize, unsafe_code};
use std::env;
use std::process::Command;

/// Everything that must hold, or with `--long` the rest of it: what takes long or wants a nightly toolchain.
pub fn test(args: &[String]) -> Outcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => short(),
        ["--long"] => long(),
        _ => Err("nothing, or --long".into()),
    }
}

fn short() -> Outcome {
    cargo("fmt --all -- --check")?;
    cargo("fmt --manifest-path fuzz/Cargo.toml -- --check")?;
    cargo("clippy --workspace --all-targets --all-features -- --deny warnings")?;
    cargo_with("RUSTDOCFLAGS", "--deny warnings", "doc --workspace --no-deps --all-features")?;
    cargo("check --package hashmill --no-default-features")?;
    no_dependencies()?;
    unsafe_code::inventory()?;
    // Written by tests/kat.rs if all of it ran: it fails where a backend of this machine had no answers.
    let answers = target().join("tmp/answers.txt");
    _ = std::fs::remove_file(&answers);
    // Optimised as the profile says: the answers are many and the kernels slow without.
    cargo("test --workspace --all-features")?;
    let mut left_out = faces::possible()?;
    left_out.extend(prove::possible()?);
    left_out.extend(fuzz::briefly()?);
    left_out.extend(masked::possible()?);
    let answers = std::fs::read_to_string(answers).map_err(|e| format!("answers.txt: {e}"))?;
    eprintln!("\n{answers}");
    for test in &left_out {
        eprintln!("left out: {test}");
    }
    // Where everything ought to be installed, nothing may be left out.
    match env::var_os("CI") {
        Some(_) if !left_out.is_empty() => Err("some tests could not run".into()),
        _ => Ok(()),
    }
}

fn long() -> Outcome {
    dependencies()?;
    api::api(&[])?;
    sanitize::sanitize(&[])?;
    miri::miri(&[])?;
    large_messages()?;
    narrow::narrow(&[])?;
    masked::masked(&[])?;
    prove::prove(&["--long".into()])?;
    prove::prove(&["--mutants".into()])?;
    fuzz::with_address_sanitizer()?;
    faults::some()
}

/// Published answers for messages of 1 to 8 GiB, and every algorithm on every backend past 2³² bytes.
fn large_messages() -> Outcome {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--package", "hashmill", "--all-features"]);
    command.args(["--test", "kat", "--test", "history"]);
    run(command.env("HASHMILL_LONG", "1"))
}

/// The core has no dependencies unless a feature asks for one.
fn no_dependencies() -> Outcome {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--package", "hashmill", "--edges", "normal"]).current_dir(root());
    match stdout(&mut tree)?.trim().lines().count() {
        1 => Ok(()),
        _ => Err("hashmill has dependencies by default".into()),
    }
}

/// Licences, sources and versions of everything that is built, as `deny.toml` allows them.
fn dependencies() -> Outcome {
    tool("cargo-deny", "cargo; then cargo install cargo-deny --locked")?;
    for manifest in ["Cargo.toml", "bench/Cargo.toml", "fuzz/Cargo.toml"] {
        let mut command = Command::new("cargo-deny");
        command.args(["--manifest-path", manifest, "--config", "deny.toml", "check"]);
        run(command.args(["bans", "licenses", "sources"]))?;
    }
    Ok(())
}
