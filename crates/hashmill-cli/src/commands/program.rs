//! `hashmill` itself: parses the arguments and runs the subcommand that they name.

use crate::commands::blake2::Unit;
use crate::commands::guess::Guess;
use crate::commands::own::Own;
use crate::commands::parse::parse;
use crate::commands::{
    b3sum, blake2, check, convert, duplicates, guess, install, list, manifest, manual, options,
    own, self_test, sum,
};
use crate::gnu;
use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Compute and check digests of files: SHA-2, SHA-3, SHAKE, BLAKE2, BLAKE3, KT128
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
  hashmill sum -a sha256,blake2b *.iso > SUMS
  hashmill check SUMS             # the files that it names
  hashmill manifest create M DIR  # then: update, verify

More: hashmill help COMMAND; hashmill self man | man -l -";

/// The short help, without the options that every program has.
const HELP: &str = "{about}\n\n{usage-heading} {usage}\n\n{subcommands}{after-help}";

/// The end of the manual page.
const PAGE_END: &str = "\
Called by the name of a program that it stands in for, or with that name as the subcommand, \
hashmill takes the options of that program.

The environment variable HASHMILL_BACKEND selects a backend; 'hashmill list --backends' shows \
them. HASHMILL_PROGRESS (never, auto or always) controls whether progress is shown.

Exit status: 0 if all went well, 1 if not, 2 if the options are invalid.";

/// The options of a subcommand are only made when it is used, because that takes 0.1 ms for all.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    Sum(Box<sum::Arguments>),
    Check(Box<check::Arguments>),
    Convert(convert::Arguments),
    Manifest(manifest::Arguments),
    Duplicates(duplicates::Arguments),
    List(list::Arguments),
    Install(install::Arguments),
    #[command(name = "self")]
    Own(own::Arguments),
    #[command(hide = true)]
    SelfTest(self_test::Arguments),
    #[command(hide = true)]
    Completions(manual::Completions),
    #[command(hide = true)]
    Man(manual::Pages),
    B3sum(b3sum::Arguments),
    Blake2(blake2::Arguments),
}

/// Runs the subcommand that the arguments name. Returns whether all went well.
pub fn run(console: &mut Console, args: Vec<OsString>) -> Result<bool, Failure> {
    let stand_in = args
        .first()
        .and_then(|name| name.to_str())
        .and_then(|name| gnu::programs::subcommands().find(|program| program.name == name));
    if let Some(program) = stand_in {
        if program.name == "b2sum" && blake2::is_meant(&args) {
            return blake2::main(console, "b2sum", Unit::Bits, args.into_iter().skip(1));
        }
        console.rename([console.program(), b" ", program.name.as_bytes()].concat());
        return gnu::run::run(program, console, args.into_iter().skip(1));
    }
    console.quote_strictly();
    let args = match args.first() {
        Some(first) if !is_known(first) => guessed(console, args)?,
        _ => args,
    };
    let args = options::expanded(args).map_err(|message| console.wrong_options(message))?;
    let table = short_table(args.first());
    let Some(arguments) = parse::<Arguments>(console, table, args.into_iter())? else {
        return Ok(true);
    };
    run_command(console, arguments.command)
}

/// Returns whether a first argument is a command, or an option of the program itself.
fn is_known(first: &OsString) -> bool {
    let own = ["help", "--help", "-h", "--version", "-V"];
    first.to_str().is_some_and(|it| Command::has_subcommand(it) || own.contains(&it))
}

/// Returns the arguments that are meant if the first of `args` is no command. Fails with a message
/// if that names the right command.
fn guessed(console: &mut Console, args: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let parses = |args: &[OsString]| {
        let words = std::iter::once("hashmill".into()).chain(args.iter().cloned());
        short_table(args.first()).try_get_matches_from(words).is_ok()
    };
    match guess::command(console, &args, parses) {
        Some(Guess::Run(args)) => Ok(args),
        Some(Guess::Say(message)) => {
            console.say(message);
            Err(Failure::said(WRONG_OPTIONS))
        }
        None => Ok(args),
    }
}

fn run_command(console: &mut Console, command: Command) -> Result<bool, Failure> {
    match command {
        Command::Sum(arguments) => sum::run(console, &arguments),
        Command::Check(arguments) => check::run(console, &arguments),
        Command::Convert(arguments) => convert::run(console, &arguments),
        Command::B3sum(arguments) => b3sum::run(console, &arguments),
        Command::Manifest(arguments) => manifest::run(console, &arguments),
        Command::List(arguments) => list::run(console, &arguments),
        Command::Duplicates(arguments) => duplicates::run(console, &arguments),
        Command::Install(arguments) => install::run(console, &arguments),
        Command::Own(arguments) => own::run(console, &arguments.command, table()),
        Command::SelfTest(arguments) => own::run(console, &Own::Test(arguments), table()),
        Command::Completions(it) => own::run(console, &Own::Completions(it), table()),
        Command::Man(arguments) => own::run(console, &Own::Man(arguments), table()),
        Command::Blake2(arguments) => blake2::run(console, &arguments, Unit::Bytes),
    }
}

/// Returns the table of subcommands and options, including the programs that this one stands in for.
fn table() -> clap::Command {
    let stand_ins = gnu::programs::subcommands().map(gnu::options::command);
    Arguments::command().subcommands(stand_ins).after_help(format!("{AFTER_HELP}\n\n{PAGE_END}"))
}

/// Returns the table for parsing, with a help that fits a screen: the programs that this one stands
/// in for are only named. The other subcommands are only named, too, unless the first argument asks
/// for help.
fn short_table(first: Option<&OsString>) -> clap::Command {
    let helps = first.is_none_or(|first| ["help", "--help", "-h"].iter().any(|it| first == it));
    let stand_ins = gnu::programs::subcommands().map(|program| match helps {
        true => gnu::options::command(program),
        false => clap::Command::new(program.name),
    });
    let mut table = Arguments::command().subcommands(stand_ins);
    let names: Vec<_> = install::all().filter(|name| *name != "sum").collect();
    for name in &names {
        table = table.mut_subcommand(name, |program| program.hide(true));
    }
    let names = names.join(" ");
    let stand_ins = format!("With the options of the programs of these names:\n  {names}");
    table = table.help_template(HELP).after_help(format!("{stand_ins}\n\n{AFTER_HELP}"));
    if helps {
        // The table of subcommands has a line about each, which is made with its options.
        table.build();
    }
    table
}
