//! Errors in making or reading a manifest.

use crate::files::input::bytes;
use crate::manifest::text::Problem;
use crate::terminal::console::{Console, Failure, reason};
use std::io;
use std::path::{Path, PathBuf};

/// An error message, and the file that it is about.
#[derive(Clone, Debug)]
pub struct Trouble {
    pub path: PathBuf,
    pub message: String,
}

impl Trouble {
    pub fn new(path: &Path, message: impl Into<String>) -> Trouble {
        Trouble { path: path.to_owned(), message: message.into() }
    }

    /// Returns a function that converts an error of the system into an error about the file `path`.
    pub fn with(path: &Path) -> impl FnOnce(io::Error) -> Trouble {
        move |error| Trouble::new(path, reason(&error))
    }

    /// Returns a function that converts a problem of a manifest into an error about the file
    /// `path`.
    pub fn of(path: &Path) -> impl FnOnce(Problem) -> Trouble {
        move |problem| Trouble::new(path, problem.message())
    }

    /// Writes the message of an error that ends the program.
    pub fn say(self, console: &mut Console) -> Failure {
        console.say_of(&bytes(&self.path), self.message);
        Failure { status: 1 }
    }
}
