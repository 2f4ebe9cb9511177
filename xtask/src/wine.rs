//! The program's tests on Windows, which Wine plays.

use crate::needs::{self, Missing};
use crate::systems::{self, WINDOWS};
use crate::{Outcome, root, run, target};
use std::fs;
use std::process::Command;

const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Rust's standard library takes random numbers from a library that Wine has since version 9 only.
const RANDOM: &str = "\
#include <stddef.h>
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long size);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t size) {
    return SystemFunction036(buffer, size);
}
";

pub fn tools() -> Result<(), Missing> {
    needs::all([
        systems::target(WINDOWS, ""),
        needs::program(COMPILER, "gcc-mingw-w64-x86-64"),
        needs::program("wine", "wine wine64"),
    ])
}

/// Runs the program's tests in a Wine prefix of their own.
pub fn wine() -> Outcome {
    let dir = target().join("wine");
    let prefix = dir.join("prefix");
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    run(Command::new("wine")
        .args(["wineboot", "--init"])
        .env("WINEPREFIX", &prefix)
        .env("WINEDEBUG", "-all"))?;
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.exists() {
        let source = dir.join("random.c");
        fs::write(&source, RANDOM).map_err(|e| format!("{}: {e}", source.display()))?;
        let mut compiler = Command::new(COMPILER);
        run(compiler.arg("-shared").arg("-o").args([&library, &source]).arg("-ladvapi32"))?;
    }
    // Wine takes long to start a program, so the tests need not be optimised.
    run(Command::new(env!("CARGO"))
        .args(["test", "--profile", "dev", "--package", "hashmill-cli", "--target", WINDOWS])
        .arg("--no-fail-fast")
        .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine")
        .env("WINEPREFIX", &prefix)
        .env("WINEDEBUG", "-all")
        .current_dir(root()))
}
