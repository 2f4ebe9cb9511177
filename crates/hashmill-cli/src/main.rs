//! `hashmill`: digests of files, made and checked. See `commands` for its subcommands, and `gnu`
//! for the programs it stands in for when it is called by their names.

#![cfg_attr(all(unix, not(test)), no_main)]
#![deny(unsafe_code)]

/// The C entry point. The runtime behind Rust's `fn main` opens closed standard streams as
/// /dev/null and ignores SIGPIPE before any of our code runs: writes to a closed standard output
/// would be lost in silence, and a reader that goes away would be an error instead of the end.
#[cfg(all(unix, not(test)))]
#[allow(unsafe_code)]
mod entry {
    use std::ffi::{CStr, OsStr, c_char, c_int};
    use std::os::unix::ffi::OsStrExt;

    // SAFETY: nothing else in the program is called `main`, and this is the signature that C's
    // start code calls.
    #[unsafe(no_mangle)]
    extern "C" fn main(count: c_int, args: *const *const c_char) -> c_int {
        let arg = |index: usize| {
            // SAFETY: the system passes `count` pointers to strings that live as long as the
            // process.
            let arg = unsafe { CStr::from_ptr(*args.add(index)) };
            OsStr::from_bytes(arg.to_bytes()).to_owned()
        };
        hashmill_cli::run((0..usize::try_from(count).unwrap_or(0)).map(arg).collect()).into()
    }
}

#[cfg(not(all(unix, not(test))))]
fn main() -> std::process::ExitCode {
    hashmill_cli::run(std::env::args_os().collect()).into()
}
