//! Type-checks the library and the program for other systems and for the oldest Rust that they
//! support. That needs no linker and no such machine.

use crate::needs::{self, Missing};
use crate::{Outcome, root, run};
use std::process::Command;

pub const MACOS: &str = "x86_64-apple-darwin";
pub const MACOS_ARM: &str = "aarch64-apple-darwin";
pub const WINDOWS: &str = "x86_64-pc-windows-gnu";
pub const FREEBSD: &str = "x86_64-unknown-freebsd";
pub const S390X: &str = "s390x-unknown-linux-gnu";
/// For the libraries only: the program's progress bar does not compile for it.
pub const WASI: &str = "wasm32-wasip1";

/// What is type-checked.
#[derive(Clone, Copy)]
pub enum Checked {
    /// The Rust and the C library, which takes about 2 s.
    Libraries,
    /// The program too, whose dependencies take about 20 s.
    All,
}

/// Checks that rustc has the standard library of a platform. `package` is its Debian package, or
/// empty.
pub fn target(platform: &str, package: &str) -> Result<(), Missing> {
    needs::target(platform, &["--crate-type=rlib"], package, "")
}

/// Type-checks for a platform. A warning is an error.
pub fn check(platform: &str, checked: Checked) -> Outcome {
    let mut command = Command::new(env!("CARGO"));
    command.args(["check", "--target", platform]).args(checked.packages());
    run(apart(&mut command).env("RUSTFLAGS", "--deny=warnings"))
}

/// Checks for the toolchain of the oldest Rust that the packages promise.
pub fn oldest_rust() -> Result<(), Missing> {
    let toolchain = format!("+{OLDEST}");
    match needs::succeeds(
        Command::new("rustc").args([&toolchain, "--version"]).env("RUSTUP_AUTO_INSTALL", "0"),
    ) {
        true => Ok(()),
        false => {
            let rustup = needs::succeeds(Command::new("rustup").arg("--version"));
            let install = format!("rustup toolchain install {OLDEST} --profile minimal");
            let install = if rustup { install } else { String::new() };
            Err(Missing::new(format!("rustup has no Rust {OLDEST}"), install))
        }
    }
}

/// Type-checks with the oldest Rust.
pub fn check_oldest(checked: Checked) -> Outcome {
    // `CARGO` would be the cargo of one fixed toolchain.
    let mut command = Command::new("cargo");
    command.arg(format!("+{OLDEST}")).arg("check").args(checked.packages());
    run(apart(&mut command))
}

/// Has cargo build in a folder of its own, so that other parts need not wait.
fn apart(command: &mut Command) -> &mut Command {
    command.env("CARGO_TARGET_DIR", crate::target().join("systems")).current_dir(root())
}

impl Checked {
    fn packages(self) -> &'static [&'static str] {
        match self {
            Checked::Libraries => &["--package=hashmill", "--package=hashmill-c"],
            Checked::All => {
                &["--package=hashmill", "--package=hashmill-c", "--package=hashmill-cli"]
            }
        }
    }
}

const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
