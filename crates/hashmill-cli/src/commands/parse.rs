//! Parses arguments with clap, for `hashmill` and for the other names whose options clap knows.

use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use crate::terminal::progress;
use clap::error::ErrorKind;
use clap::{Command, FromArgMatches};
use std::ffi::OsString;
use std::io;

/// Returns the arguments, or `None` if they ask for the help or the version, which this function
/// then prints, in lines of [`columns`] characters at most.
pub fn parse<A: FromArgMatches>(
    console: &mut Console,
    command: Command,
    args: impl Iterator<Item = OsString>,
) -> Result<Option<A>, Failure> {
    // clap takes the first argument for the name of the program.
    let args = std::iter::once(command.get_name().into()).chain(args);
    let matches = command.term_width(columns()).try_get_matches_from(args);
    match matches.and_then(|matches| A::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(Some(arguments)),
        Err(error) => {
            let text = format!("{}\n", error.render().to_string().trim_end());
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                    console.print(text).map(|()| None)
                }
                _ => {
                    console.write_stderr(text.as_bytes());
                    Err(Failure::said(WRONG_OPTIONS))
                }
            }
        }
    }
}

/// Returns the number of columns for the help: that of the environment variable COLUMNS
/// (POSIX.1-2024 §8.3), or else of the terminal, but at most [`WIDEST`].
fn columns() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = asked.filter(|&columns: &usize| columns > 0);
    columns.unwrap_or_else(|| progress::width(&io::stdout()).into()).min(WIDEST)
}

/// Longer lines of text are hard to read.
const WIDEST: usize = 120;
