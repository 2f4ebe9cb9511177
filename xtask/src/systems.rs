//! Type-checks the library and the program for other systems and for the oldest Rust that they
//! support. That needs no linker and no such machine.

use crate::arm;
use crate::prelude::*;

pub const MACOS: &str = "x86_64-apple-darwin";
pub const MACOS_ARM: &str = "aarch64-apple-darwin";
pub const WINDOWS: &str = "x86_64-pc-windows-gnu";
pub const FREEBSD: &str = "x86_64-unknown-freebsd";
pub const S390X: &str = "s390x-unknown-linux-gnu";
/// For the libraries only: the program's progress bar does not compile for it.
pub const WASI: &str = "wasm32-wasip1";

/// The Rust and the C library. To type-check them takes about 2 s.
pub const LIBRARIES: &str = "--package=hashmill --package=hashmill-c";
/// The program too, whose dependencies take about 20 s.
pub const EVERYTHING: &str = "--package=hashmill --package=hashmill-c --package=hashmill-cli";

/// Checks that rustc has the standard library of a platform. Of those, Debian has a package for one.
pub fn target(platform: &str) -> Found {
    let package = if platform == arm::TARGET { arm::LIBRARY } else { "" };
    needs::target(platform, &["--crate-type=rlib"], package, "")
}

/// Type-checks for a platform. A warning is an error.
pub fn check(platform: &str, packages: &str) -> Outcome {
    let check = format!("cargo check --target {platform} {packages}");
    run(apart(cmd!(check)).env("RUSTFLAGS", "--deny=warnings"))
}

/// Checks for the toolchain of the oldest Rust that the packages promise.
pub fn oldest_rust() -> Found {
    let mut rustc = cmd!(format!("rustc +{OLDEST} --version"));
    let there = succeeds(rustc.env("RUSTUP_AUTO_INSTALL", "0"));
    let install = needs::rustup(&format!("toolchain install {OLDEST} --profile minimal"));
    needs::check(there, format!("rustup has no Rust {OLDEST}"), install)
}

/// Type-checks with the oldest Rust.
pub fn check_oldest(packages: &str) -> Outcome {
    run(apart(cmd!(format!("cargo +{OLDEST} check {packages}"))))
}

/// Has cargo build in a folder of its own, so that other parts need not wait.
fn apart(mut command: Command) -> Command {
    command.env("CARGO_TARGET_DIR", crate::prelude::target().join("systems"));
    command
}

const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
