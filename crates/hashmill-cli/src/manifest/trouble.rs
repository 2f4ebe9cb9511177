//! Why a manifest could not be made or read.

use crate::files::walk::bytes;
use crate::manifest::text::Problem;
use crate::terminal::console::{Console, Failure, reason};
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong, and the file that it is about.
#[derive(Debug)]
pub struct Trouble {
    pub path: PathBuf,
    pub message: String,
}

impl Trouble {
    pub fn new(path: &Path, message: impl Into<String>) -> Trouble {
        Trouble { path: path.to_owned(), message: message.into() }
    }

    /// Makes errors of the system into trouble with a file.
    pub fn with(path: &Path) -> impl FnOnce(io::Error) -> Trouble {
        move |error| Trouble::new(path, reason(&error))
    }

    /// Makes what is wrong with a manifest into trouble with its file.
    pub fn of(path: &Path) -> impl FnOnce(Problem) -> Trouble {
        move |problem| Trouble::new(path, problem.message())
    }

    /// Says what is wrong, which ends the program.
    pub fn say(self, console: &mut Console) -> Failure {
        console.say_of(&bytes(&self.path), self.message);
        Failure { status: 1 }
    }
}
