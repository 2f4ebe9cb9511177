//! `hashmill` itself: parses the arguments and runs the subcommand that they name.

use crate::commands::{b3sum, check, convert, install, list, manifest, manual, self_test, sum};
use crate::gnu;
use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// Compute and check digests of files: SHA-2, SHA-3, SHAKE, KangarooTwelve, BLAKE2, BLAKE3
#[derive(Parser)]
#[command(
    name = "hashmill",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    args_override_self = true,
    after_help = AFTER_HELP
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  hashmill sum -a sha256 -a blake2b *.iso > SUMS    # two digests of each file, one reading
  hashmill check SUMS                               # check the files that a list names
  hashmill manifest create TREE.manifest dir        # a tree; then update, verify, compare
  hashmill list                                     # the algorithms

Called as sha256sum (or another of the names above), or with that name as the subcommand,
hashmill takes the options of GNU coreutils' program of that name.
The environment variable HASHMILL_BACKEND selects a backend; 'hashmill list --backends' shows them.
HASHMILL_PROGRESS (never, auto or always) controls whether progress is shown.

Exit status: 0 if all went well, 1 if not, 2 if the options are invalid.";

#[derive(Subcommand)]
enum Command {
    Sum(Box<sum::Arguments>),
    Check(Box<check::Arguments>),
    Convert(convert::Arguments),
    Manifest(manifest::Arguments),
    List(list::Arguments),
    SelfTest(self_test::Arguments),
    Install(install::Arguments),
    Completions(manual::Completions),
    Man(manual::Pages),
    B3sum(b3sum::Arguments),
}

/// Runs the subcommand that the arguments name. Returns whether all went well.
pub fn run(console: &mut Console, args: impl Iterator<Item = OsString>) -> Result<bool, Failure> {
    let args: Vec<OsString> = args.collect();
    let stand_in = args
        .first()
        .and_then(|name| name.to_str())
        .and_then(|name| gnu::programs::subcommands().find(|program| program.name == name));
    if let Some(program) = stand_in {
        console.rename([console.program(), b" ", program.name.as_bytes()].concat());
        return gnu::run::run(program, console, args.into_iter().skip(1));
    }
    console.quote_strictly();
    let args = std::iter::once("hashmill".into()).chain(args);
    let parsed = table().try_get_matches_from(args);
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let text = format!("{}\n", error.render().to_string().trim_end());
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                    console.print(text).map(|()| true)
                }
                _ => {
                    console.write_stderr(text.as_bytes());
                    Err(Failure { status: WRONG_OPTIONS })
                }
            };
        }
    };
    match arguments.command {
        Command::Sum(arguments) => sum::run(console, &arguments),
        Command::Check(arguments) => check::run(console, &arguments),
        Command::Convert(arguments) => convert::run(console, &arguments),
        Command::B3sum(arguments) => b3sum::run(console, &arguments),
        Command::Manifest(arguments) => manifest::run(console, &arguments),
        Command::List(arguments) => list::run(console, &arguments),
        Command::SelfTest(_) => self_test::run(console),
        Command::Install(arguments) => install::run(console, &arguments),
        Command::Completions(arguments) => manual::completions(console, &arguments, table()),
        Command::Man(arguments) => manual::pages(console, &arguments, table()),
    }
}

/// Returns the table of subcommands and options, including the stand-ins for GNU's programs.
fn table() -> clap::Command {
    let stand_ins = gnu::programs::subcommands().map(gnu::options::command);
    Arguments::command().subcommands(stand_ins)
}
