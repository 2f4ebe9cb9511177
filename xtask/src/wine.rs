//! The tests of the program and of the C library on Windows, which Wine plays.

use crate::install::{ON_WINDOWS, install_to};
use crate::prelude::*;
use crate::systems::{self, WINDOWS};

const COMPILER: &str = "x86_64-w64-mingw32-gcc";

pub fn tools() -> Found {
    needs::all([
        systems::target(WINDOWS),
        needs::program(COMPILER, "gcc-mingw-w64-x86-64"),
        needs::program("wine", "wine wine64"),
    ])
}

/// What builds and runs a C program with the C library for Windows.
pub fn c_tools() -> Found {
    needs::all([tools(), needs::program("cmake", "cmake")])
}

/// Creates a Wine prefix for the tests, and returns its path.
fn prefix() -> Result<PathBuf, String> {
    let dir = target().join("wine");
    let prefix = dir.join("prefix");
    make_folder(&dir)?;
    run(wine(&prefix, cmd!("wine wineboot --init"))).map(|()| prefix)
}

fn wine(prefix: &Path, mut command: Command) -> Command {
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all");
    command
}

/// Runs the program's tests in a Wine prefix of their own.
pub fn program() -> Outcome {
    let prefix = prefix()?;
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.exists() {
        let compile = "{} -shared -o {} xtask/src/wine/random.c -ladvapi32";
        run(cmd!(compile, COMPILER, library))?;
    }
    // Wine takes long to start a program, so the tests need not be optimised.
    let tests = "cargo test --profile dev --package hashmill-cli --target {} --no-fail-fast";
    let mut tests = wine(&prefix, cmd!(tests, WINDOWS));
    run(tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"))
}

/// Installs the C library for Windows and runs the C library's long test program with the DLL and
/// with the static library, as CMake links them.
pub fn c() -> Outcome {
    let dir = target().join("wine/c");
    let installed = dir.join("prefix");
    install_to(&installed, &ON_WINDOWS)?;
    let build = dir.join("build");
    let configure = "cmake -S xtask/src/wine -B {} -DCMAKE_C_COMPILER={} -DCMAKE_PREFIX_PATH={}";
    let mut configure = cmd!(configure, build, COMPILER, installed);
    configure.args(["-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH"]);
    run(configure.arg("-DCMAKE_C_FLAGS=-O1 -Wall -Werror"))?;
    run(cmd!("cmake --build {} --parallel 2", build))?;
    let prefix = prefix()?;
    // Windows looks for a DLL in the folder of the program first.
    copy(&installed.join("bin/hashmill.dll"), &build.join("hashmill.dll"))?;
    for program in ["consumer_shared.exe", "consumer_static.exe"] {
        run(wine(&prefix, cmd!("wine {}", build.join(program))))?;
    }
    Ok(())
}
