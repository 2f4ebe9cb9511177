//! The program's code as a library, for `main.rs`, the tests and the fuzz targets. Its interface is
//! not stable: no other crate should depend on it.

#![deny(unsafe_code)]
#![allow(
    clippy::len_without_is_empty,
    clippy::should_implement_trait,
    reason = "what is public here is for our own tests"
)]

mod commands;
mod files;
mod gnu;
mod hashing;
mod lists;
mod manifest;
mod signature;
mod terminal;
mod text;

/// The readers and writers of lists and manifests, for the fuzz targets.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::files::walk::{Extras, Rules, Symlinks};
    pub use crate::gnu::algorithms::{CKSUM, Row};
    pub use crate::gnu::line::Gnu;
    pub use crate::hashing::algorithm::AnyAlgorithm;
    pub use crate::hashing::mode::Mode;
    pub use crate::hashing::recipe::{Computed, Recipe};
    pub use crate::lists::any::Any;
    pub use crate::lists::entry::{Entry, Format, Verbosity};
    pub use crate::lists::place::Place;
    pub use crate::lists::style::{Form, Style};
    pub use crate::manifest::text::{
        Formatter, Header, Kind, Problem, Reader, Record, Stamp, VERSION,
    };
    pub use crate::text::encoding::Encoding;

    use crate::files::job::Jobs;
    use crate::lists::place::Base;
    use crate::lists::verify::{self, List, Report};
    use crate::terminal::console::Console;
    use std::fs::File;
    use std::num::NonZero;

    /// Returns whether `hashmill check --strict --root ROOT` would end with status 0 for a list of
    /// this name.
    pub fn passes(name: &str, list: File, root: &str) -> bool {
        let base = Base::Root(root.into());
        let place = Place { base, ..Place::of(name.as_bytes()) };
        let report = Report { verbosity: Verbosity::Status, strict: true, ..Report::default() };
        let (mode, jobs) = (Mode::default(), Jobs { count: NonZero::new(1) });
        let mut format = Any::new(&[], &mode, &place);
        let mut console = Console::silent();
        let listed = List { place: &place, named: None, only: None };
        verify::contents(&mut console, jobs, &listed, list, &mut format, &report)
            .is_ok_and(|checked| checked.well)
    }
}

use commands::blake2;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use terminal::console::{Console, Failure};
use terminal::progress::When;

/// Runs the program and returns its exit status. The first of `args` is the name that the program
/// was called by.
pub fn run(args: Vec<OsString>) -> u8 {
    let mut args = args.into_iter();
    let called = args.next().unwrap_or_else(|| "hashmill".into());
    let args: Vec<OsString> = args.collect();
    let mut console = Console::new(&called);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        select_backend(&mut console)?;
        let name = name_of(&called);
        match name.and_then(gnu::programs::named) {
            Some(program) if program.name == "b2sum" && blake2::is_meant(&args) => {
                blake2::main(&mut console, "b2sum", blake2::Unit::Bits, args.into_iter())
            }
            Some(program) => {
                console.show_progress(None, When::Never);
                gnu::run::run(program, &mut console, args)
            }
            None if name == Some("b3sum") => commands::b3sum::main(&mut console, args.into_iter()),
            None if name == Some("blake2") => {
                blake2::main(&mut console, "blake2", blake2::Unit::Bytes, args.into_iter())
            }
            None => commands::program::run(&mut console, args),
        }
    }));
    console.progress.finish();
    let outcome = match console.flush() {
        Err(failure) if matches!(outcome, Ok(Ok(_))) => Ok(Err(failure)),
        _ => outcome,
    };
    match outcome {
        Err(_) => console.fatal("internal error: the program panicked").status,
        Ok(Err(failure)) => failure.say(&mut console).status,
        Ok(Ok(well)) => console.status(well),
    }
}

/// Returns the last component of `called`, without `.exe` on Windows. Returns `None` if it is not
/// UTF-8.
fn name_of(called: &OsStr) -> Option<&str> {
    let name = Path::new(called).file_name()?.to_str()?;
    Some(name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(name))
}

/// Selects the backend that the environment variable `HASHMILL_BACKEND` names, for all algorithms
/// that have it. Writes a message and fails if there is no such backend or if this CPU cannot run
/// it.
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
