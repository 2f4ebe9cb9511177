//! The program as a library: for `main`, and for what tests it from within. Nothing to build on.

#![deny(unsafe_code)]
#![allow(
    clippy::len_without_is_empty,
    clippy::should_implement_trait,
    reason = "what is public here is for our own tests"
)]

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
mod self_test;
mod sum;
mod utf16;
mod verify;
mod walk;
mod worker;

/// What lists and manifests are read and written with.
#[doc(hidden)]
pub mod lists {
    pub use crate::check::any::Any;
    pub use crate::digest::{Algorithm, Digest, Value};
    pub use crate::encoding::Encoding;
    pub use crate::gnu::algorithms::{CKSUM, Row};
    pub use crate::gnu::line::Gnu;
    pub use crate::manifest::text::{Header, Problem, Reader, Record, Stamp, end};
    pub use crate::mode::Mode;
    pub use crate::output::{Form, Style};
    pub use crate::verify::{Entry, Format, Verbosity};
    pub use crate::walk::{Rules, Symlinks};
}

use console::{Console, Failure};
use progress::When;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The program, from its arguments to its exit status.
pub fn run(args: Vec<OsString>) -> u8 {
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
