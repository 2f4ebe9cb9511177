//! The program `hashmill` computes and checks digests of files. The module `commands` contains its
//! subcommands. The module `gnu` contains the stand-ins for GNU's programs, which run when the
//! program is called by their names.

#![cfg_attr(all(unix, not(test)), no_main)]
#![deny(unsafe_code)]

/// The C entry point. Rust's own `fn main` is not used, because its runtime opens closed standard
/// streams as /dev/null and ignores SIGPIPE before any of our code runs. Writes to a closed
/// standard output would then be lost silently, and a reader that closes its end of a pipe would
/// cause a write error instead of ending the program.
#[cfg(all(unix, not(test)))]
#[allow(unsafe_code)]
mod entry {
    use std::ffi::{CStr, OsStr, c_char, c_int};
    use std::os::unix::ffi::OsStrExt;

    /// The only function of `libm.so` that the program calls, for the progress display. Loading that
    /// library for it takes 0.05 ms of a start, in which hashing a small file takes 0.01.
    // SAFETY: it is C's function of this name, so whoever calls it gets what it expects.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[unsafe(no_mangle)]
    extern "C" fn pow(base: f64, exponent: f64) -> f64 {
        libm::pow(base, exponent)
    }

    // SAFETY: no other symbol is called `main`, and C's start code calls this signature.
    #[unsafe(no_mangle)]
    extern "C" fn main(count: c_int, args: *const *const c_char) -> c_int {
        let arg = |index: usize| {
            // SAFETY: C's start code passes `count` pointers to strings that are never freed.
            let arg = unsafe { CStr::from_ptr(*args.add(index)) };
            OsStr::from_bytes(arg.to_bytes()).to_owned()
        };
        hashmill_cli::run((0..usize::try_from(count).unwrap_or(0)).map(arg).collect()).into()
    }
}

#[cfg(all(windows, not(test)))]
fn main() -> std::process::ExitCode {
    // The shells of Windows leave patterns such as *.iso to the program.
    hashmill_cli::run(wild::args_os().collect()).into()
}

#[cfg(not(all(any(unix, windows), not(test))))]
fn main() -> std::process::ExitCode {
    hashmill_cli::run(std::env::args_os().collect()).into()
}
