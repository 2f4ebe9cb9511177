//! `hashmill`: digests of files, made and checked. See `commands` for its subcommands, and `gnu` for
//! the programs it stands in for when it is called by their names.

#![cfg_attr(all(unix, not(test)), no_main)]
#![deny(unsafe_code)]

mod check;
mod commands;
mod console;
mod digest;
mod encoding;
mod getopt;
mod gnu;
mod input;
mod install;
mod json;
mod list;
mod manifest;
mod manual;
mod mode;
mod other;
mod output;
mod pool;
mod progress;
mod queue;
mod quote;
mod reader;
mod sum;
mod utf16;
mod verify;
mod walk;
mod worker;

use console::{Console, Failure};
use progress::When;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The program, from its arguments to its exit status.
fn run(args: Vec<OsString>) -> u8 {
    let mut args = args.into_iter();
    let called = args.next().unwrap_or_else(|| "hashmill".into());
    let mut console = Console::new(&called);
    let outcome = select_backend(&mut console).and_then(|()| match program_of(&called) {
        Some(program) => {
            console.show_progress(None, When::Never);
            program.run(&mut console, args)
        }
        None => commands::run(&mut console, args),
    });
    console.progress.finish();
    match outcome {
        Err(Failure { status }) => status,
        Ok(well) => console.status(well),
    }
}

/// The program that the name it was called by stands for.
fn program_of(called: &OsStr) -> Option<&'static gnu::Program> {
    let name = Path::new(called).file_name()?.to_str()?;
    gnu::Program::named(name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(name))
}

/// HASHMILL_BACKEND names the backend to use where an algorithm has it.
fn select_backend(console: &mut Console) -> Result<(), Failure> {
    let Some(name) = std::env::var_os("HASHMILL_BACKEND").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let forced = hashmill::backend::force(Some(&name.to_string_lossy()));
    forced.map_err(|error| {
        let names: Vec<_> = hashmill::backend::names().collect();
        let name = console.quote(name.as_encoded_bytes());
        console.fatal(format!(
            "HASHMILL_BACKEND is {name}: {error}; the names are: {}",
            names.join(" ")
        ))
    })
}

/// The C entry point. The runtime behind Rust's `fn main` opens closed standard streams as /dev/null
/// and ignores SIGPIPE before any of our code runs: writes to a closed standard output would be lost
/// in silence, and a reader that goes away would be an error instead of the end.
#[cfg(all(unix, not(test)))]
#[allow(unsafe_code)]
mod entry {
    use std::ffi::{CStr, OsStr, c_char, c_int};
    use std::os::unix::ffi::OsStrExt;

    // SAFETY: nothing else in the program is called `main`, and this is the signature that C's start code calls.
    #[unsafe(no_mangle)]
    extern "C" fn main(count: c_int, args: *const *const c_char) -> c_int {
        let arg = |index: usize| {
            // SAFETY: the system passes `count` pointers to strings that live as long as the process.
            let arg = unsafe { CStr::from_ptr(*args.add(index)) };
            OsStr::from_bytes(arg.to_bytes()).to_owned()
        };
        super::run((0..usize::try_from(count).unwrap_or(0)).map(arg).collect()).into()
    }
}

#[cfg(not(all(unix, not(test))))]
fn main() -> std::process::ExitCode {
    run(std::env::args_os().collect()).into()
}
