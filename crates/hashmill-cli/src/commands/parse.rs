//! Parses arguments with clap, for `hashmill` and for the other names whose options clap knows.

use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use crate::terminal::progress;
use crate::text::table::Options;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use std::ffi::OsString;
use std::io;

/// Returns the arguments, or `None` if they ask for the help or the version, which this function
/// then prints, in lines of [`columns`] characters at most.
pub fn parse(
    console: &mut Console,
    command: Command,
    args: impl Iterator<Item = OsString>,
) -> Result<Option<ArgMatches>, Failure> {
    // clap takes the first argument for the name of the program.
    let args = std::iter::once(command.get_name().into()).chain(args);
    match command.term_width(columns()).try_get_matches_from(args.collect::<Vec<_>>()) {
        Ok(matches) => Ok(Some(matches)),
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

/// Parses the arguments of a program of its own and runs it, unless they ask for the help or the
/// version.
pub fn main<O: Options>(
    console: &mut Console,
    command: Command,
    args: impl Iterator<Item = OsString>,
    run: impl FnOnce(&mut Console, &O) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    parse(console, command, args)?.map_or(Ok(true), |matches| run(console, &O::of(matches)))
}

/// A subcommand: its table of options and its code.
pub struct Subcommand {
    pub name: &'static str,
    about: &'static str,
    options: fn(Command) -> Command,
    run: Box<Run>,
    hide: bool,
}

type Run = dyn Fn(&mut Console, ArgMatches) -> Result<bool, Failure>;

impl Subcommand {
    pub fn of<O: Options + 'static>(
        name: &'static str,
        run: fn(&mut Console, &O) -> Result<bool, Failure>,
    ) -> Subcommand {
        let run = Box::new(move |console: &mut Console, it| run(console, &O::of(it)));
        Subcommand { name, about: O::ABOUT, options: O::add_all, run, hide: false }
    }

    /// Returns a command that only has the given subcommands.
    pub fn group<O: Options>(
        name: &'static str,
        subcommands: fn() -> Vec<Subcommand>,
    ) -> Subcommand {
        let run = Box::new(move |console: &mut Console, it| run(console, subcommands(), it));
        Subcommand { name, about: O::ABOUT, options: O::add_all, run, hide: false }
    }

    /// Returns the subcommand, but the help does not show it.
    pub fn hidden(self) -> Subcommand {
        Subcommand { hide: true, ..self }
    }

    /// The options are only made when the subcommand is used, because that takes 0.1 ms for all.
    pub fn command(&self) -> Command {
        let command = Command::new(self.name).about(self.about.trim_start());
        command.hide(self.hide).defer(self.options)
    }
}

/// Runs the subcommand that the arguments name. Returns whether all went well.
pub fn run(
    console: &mut Console,
    subcommands: Vec<Subcommand>,
    mut matches: ArgMatches,
) -> Result<bool, Failure> {
    let (name, matches) = matches.remove_subcommand().expect("clap requires a subcommand");
    let subcommand = subcommands.into_iter().find(|it| it.name == name);
    (subcommand.expect("clap knows only these").run)(console, matches)
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
