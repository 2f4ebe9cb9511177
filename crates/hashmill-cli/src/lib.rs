//! The program as a library: for `main`, and for what tests it from within. Nothing to build on.

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
mod terminal;
mod text;

/// What lists and manifests are read and written with, for the fuzz targets.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::files::walk::{Rules, Symlinks};
    pub use crate::gnu::algorithms::{CKSUM, Row};
    pub use crate::gnu::line::Gnu;
    pub use crate::hashing::mode::Mode;
    pub use crate::hashing::recipe::{Algorithm, Computed, Recipe};
    pub use crate::lists::any::Any;
    pub use crate::lists::style::{Form, Style};
    pub use crate::lists::verify::{Entry, Format, Verbosity};
    pub use crate::manifest::text::{
        Formatter, Header, Kind, Problem, Reader, Record, Stamp, VERSION,
    };
    pub use crate::text::encoding::Encoding;
}

use std::ffi::{OsStr, OsString};
use std::path::Path;
use terminal::console::{Console, Failure};
use terminal::progress::When;

/// The program, from its arguments to its exit status.
pub fn run(args: Vec<OsString>) -> u8 {
    let mut args = args.into_iter();
    let called = args.next().unwrap_or_else(|| "hashmill".into());
    let mut console = Console::new(&called);
    let outcome = select_backend(&mut console).and_then(|()| match program_of(&called) {
        Some(program) => {
            console.show_progress(None, When::Never);
            gnu::run::run(program, &mut console, args)
        }
        None => commands::program::run(&mut console, args),
    });
    console.progress.finish();
    match outcome {
        Err(Failure { status }) => status,
        Ok(well) => console.status(well),
    }
}

/// The program that the name it was called by stands for.
fn program_of(called: &OsStr) -> Option<&'static gnu::programs::Program> {
    let name = Path::new(called).file_name()?.to_str()?;
    gnu::programs::named(name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(name))
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
