//! Links the unwinder into the program on Linux with glibc: loading `libgcc_s.so` takes longer than
//! hashing a small file (0.03 ms of 1.0 ms for a whole run of `sha256sum`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|it| it == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    // Cross-compiling with a linker that cargo does not tell.
    if env::var_os("HOST") != env::var_os("TARGET") && env::var_os("RUSTC_LINKER").is_none() {
        return;
    }
    let Some(archive) = archive() else { return };
    // rustc asks for libgcc_s by name; a linker script of that name is found first.
    let directory = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let script = format!("INPUT(\"{}\")\n", archive.display());
    fs::write(directory.join("libgcc_s.so"), script).expect("OUT_DIR is writable");
    println!("cargo::rustc-link-search=native={}", directory.display());
}

/// The linker driver's own archive of the unwinder, if it has one.
fn archive() -> Option<PathBuf> {
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let output = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let path = Path::new(path.trim_end());
    (path.is_absolute() && path.exists()).then(|| path.to_owned())
}
