//! The tests of the program and of the C library on Windows, which Wine plays.

use crate::install::{ON_WINDOWS, copy, install_to, write};
use crate::needs::{self, Missing};
use crate::systems::{self, WINDOWS};
use crate::{Outcome, root, run, target};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
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

/// What builds and runs a C program with the C library for Windows.
pub fn c_tools() -> Result<(), Missing> {
    needs::all([tools(), needs::program("cmake", "cmake")])
}

/// Creates a Wine prefix for the tests, and returns its path.
fn prefix() -> Result<PathBuf, String> {
    let dir = target().join("wine");
    let prefix = dir.join("prefix");
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    run(wine(&prefix).args(["wineboot", "--init"]))?;
    Ok(prefix)
}

fn wine(prefix: &Path) -> Command {
    let mut command = Command::new("wine");
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all");
    command
}

/// Runs the program's tests in a Wine prefix of their own.
pub fn program() -> Outcome {
    let prefix = prefix()?;
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.exists() {
        let source = target().join("wine/random.c");
        write(&source, RANDOM)?;
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

/// A program for each of CMake's two libraries.
const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(hashmill REQUIRED)
add_executable(consumer_shared ${SOURCE})
target_link_libraries(consumer_shared hashmill::hashmill)
add_executable(consumer_static ${SOURCE})
target_link_libraries(consumer_static hashmill::static)
";

/// Installs the C library for Windows and runs the C library's long test program with the DLL and
/// with the static library, as CMake links them.
pub fn c() -> Outcome {
    let dir = target().join("wine/c");
    let installed = dir.join("prefix");
    install_to(&installed, &ON_WINDOWS)?;
    write(&dir.join("CMakeLists.txt"), CMAKE)?;
    let source = root().join("crates/hashmill-c/tests/consumer.c");
    let build = dir.join("build");
    run(Command::new("cmake")
        .args([OsStr::new("-S"), dir.as_os_str(), OsStr::new("-B"), build.as_os_str()])
        .args(["-DCMAKE_SYSTEM_NAME=Windows", &format!("-DCMAKE_C_COMPILER={COMPILER}")])
        .args(["-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH", "-DCMAKE_C_FLAGS=-O1 -Wall -Werror"])
        .arg(format!("-DCMAKE_PREFIX_PATH={}", installed.display()))
        .arg(format!("-DSOURCE={}", source.display())))?;
    run(Command::new("cmake").arg("--build").arg(&build).args(["--parallel", "2"]))?;
    let prefix = prefix()?;
    // Windows looks for a DLL in the folder of the program first.
    copy(&installed.join("bin/hashmill.dll"), &build.join("hashmill.dll"))?;
    for program in ["consumer_shared.exe", "consumer_static.exe"] {
        run(wine(&prefix).arg(build.join(program)))?;
    }
    Ok(())
}
