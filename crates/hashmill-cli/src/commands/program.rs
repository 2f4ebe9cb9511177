//! `hashmill` itself: parses the arguments and runs the subcommand that they name.

use crate::commands::blake2::Unit;
use crate::commands::guess::Guess;
use crate::commands::parse::{self, Subcommand};
use crate::commands::{
    b3sum, blake2, check, convert, duplicates, guess, install, list, manifest, manual, options,
    self_test, sum,
};
use crate::gnu;
use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use crate::text::table::{Field, Options, Row, options};
use clap::Command;
use std::ffi::OsString;

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

fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand::of("sum", sum::run),
        Subcommand::of("check", check::run),
        Subcommand::of("convert", convert::run),
        Subcommand::group::<manifest::Arguments>("manifest", manifest::subcommands),
        Subcommand::of("duplicates", duplicates::run),
        Subcommand::of("list", list::run),
        Subcommand::of("install", install::run),
        Subcommand::group::<Own>("self", own),
        Subcommand::of("self-test", self_test::run).hidden(),
        Subcommand::of("completions", completions).hidden(),
        Subcommand::of("man", man).hidden(),
        Subcommand::of("b3sum", b3sum::run),
        Subcommand::of("blake2", |console, it| blake2::run(console, it, Unit::Bytes)),
    ]
}

options! {
    /// Test this program; write its manual pages and completions
    struct Own {}
    |command| {
        let command = command.subcommand_required(true).arg_required_else_help(true);
        command.subcommands(own().iter().map(Subcommand::command))
    }
}

fn own() -> Vec<Subcommand> {
    vec![
        Subcommand::of("test", self_test::run),
        Subcommand::of("man", man),
        Subcommand::of("completions", completions),
    ]
}

fn man(console: &mut Console, arguments: &manual::Pages) -> Result<bool, Failure> {
    manual::pages(console, arguments, table())
}

fn completions(console: &mut Console, arguments: &manual::Completions) -> Result<bool, Failure> {
    manual::completions(console, arguments, table())
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
        return gnu::run::run(program, console, args.into_iter().skip(1).collect());
    }
    console.quote_strictly();
    let args = match args.first() {
        Some(first) if !is_known(first) => guessed(console, args)?,
        _ => args,
    };
    let args = options::expanded(args).map_err(|message| console.wrong_options(message))?;
    let table = short_table(args.first());
    match parse::parse(console, table, args.into_iter())? {
        Some(matches) => parse::run(console, subcommands(), matches),
        None => Ok(true),
    }
}

/// Returns whether a first argument is a command, or an option of the program itself.
fn is_known(first: &OsString) -> bool {
    let own = ["help", "--help", "-h", "--version", "-V"];
    first.to_str().is_some_and(|it| {
        subcommands().iter().any(|subcommand| subcommand.name == it) || own.contains(&it)
    })
}

/// Returns the arguments that are meant if the first of `args` is no command. Fails with a message
/// if that names the right command.
fn guessed(console: &mut Console, args: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let parses = |args: &[OsString]| {
        let words = std::iter::once("hashmill".into()).chain(args.iter().cloned());
        short_table(args.first()).try_get_matches_from(words).is_ok()
    };
    match guess::command(console, &args, &parses) {
        Some(Guess::Run(args)) => Ok(args),
        Some(Guess::Say(message)) => {
            console.say(message);
            Err(Failure::said(WRONG_OPTIONS))
        }
        None => Ok(args),
    }
}

/// Returns the command `hashmill` with its subcommands and without the stand-ins.
fn program() -> Command {
    Command::new("hashmill")
        .about("Compute and check digests of files: SHA-2, SHA-3, SHAKE, BLAKE2, BLAKE3, KT128")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args_override_self(true)
        .after_help(AFTER_HELP)
        .subcommands(subcommands().iter().map(Subcommand::command))
}

/// Returns the table of subcommands and options, including the programs that this one stands in for.
fn table() -> Command {
    let stand_ins = gnu::programs::subcommands().map(gnu::options::command);
    program().subcommands(stand_ins).after_help(format!("{AFTER_HELP}\n\n{PAGE_END}"))
}

/// Returns the table for parsing, with a help that fits a screen: the programs that this one stands
/// in for are only named. The other subcommands are only named, too, unless the first argument asks
/// for help.
fn short_table(first: Option<&OsString>) -> Command {
    let helps = first.is_none_or(|first| ["help", "--help", "-h"].iter().any(|it| first == it));
    let stand_ins = gnu::programs::subcommands().map(|program| match helps {
        true => gnu::options::command(program),
        false => Command::new(program.name),
    });
    let mut table = program().subcommands(stand_ins);
    let names: Vec<_> = install::all().filter(|name| *name != "sum").collect();
    for name in &names {
        table = table.mut_subcommand(name, |program| program.hide(true));
    }
    let names = names.join(" ");
    let stand_ins = format!("With the options of the programs of these names:\n  {names}");
    table.help_template(HELP).after_help(format!("{stand_ins}\n\n{AFTER_HELP}"))
}
