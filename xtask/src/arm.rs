//! The library on 64-bit Arm CPUs emulated by qemu. Each traps the instructions
//! that it does not have, so a library that claims too much dies.

use crate::prelude::*;

pub const TARGET: &str = "aarch64-unknown-linux-gnu";
pub const LINKER: &str = "aarch64-linux-gnu-gcc";
/// Debian's packages: the compiler with the C library, and Rust's library.
pub const COMPILER: &str = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross";
pub const LIBRARY: &str = "libstd-rust-web-dev:arm64";

/// A CPU by qemu's name for it, with its backends.
pub const CPUS: &[(&str, &[&str])] = &[
    ("max", &["sha3", "sha512", "sha", "neon", "portable"]),
    // Has neither the SHA-3 nor the SHA-512 instructions.
    ("cortex-a72", &["sha", "neon", "portable"]),
];

/// All answers of `vectors/` on every backend of every CPU, and the library's units.
pub fn briefly() -> Outcome {
    for (cpu, backends) in CPUS {
        let command = cargo(cpu, "--test kat -- --test-threads=2 vectors/");
        eprintln!("\n{cpu}: {command:?}");
        let answers = stdout(command)?;
        for name in ["sha3", "sha512", "sha", "neon", "portable"] {
            let is_right = backends.contains(&name) == answers.contains(&format!("[{name}]"));
            ensure(is_right, format!("{cpu}: {name}: not as this CPU has it:\n{answers}"))?;
        }
    }
    run(cargo("max", "--lib"))
}

/// Every test of the library.
pub fn arm() -> Outcome {
    briefly()?;
    for (cpu, _) in CPUS {
        run(cargo(cpu, "--lib --test agree --test it --test kat"))?;
    }
    Ok(())
}

/// The library's tests, on a CPU.
fn cargo(cpu: &str, tests: &str) -> Command {
    let mut command = cmd!(format!("cargo test --package hashmill --target {TARGET} {tests}"));
    emulated(&mut command, cpu);
    command
}

/// Makes cargo link programs for the target, and run them under qemu with that CPU.
pub fn emulated(command: &mut Command, cpu: &str) {
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", qemu(cpu));
}

/// qemu with the CPU, and where the C library is.
pub fn qemu(cpu: &str) -> String {
    format!("qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu {cpu}")
}

pub fn tools() -> Found {
    needs::all([
        needs::program("qemu-aarch64", "qemu-user"),
        needs::target(TARGET, &[&format!("-Clinker={LINKER}")], LIBRARY, COMPILER),
    ])
}
