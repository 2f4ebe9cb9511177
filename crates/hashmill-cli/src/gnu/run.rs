//! Runs a stand-in with its arguments.

use crate::files::input::names;
use crate::files::job::Jobs;
use crate::gnu::getopt::{Event, Parser};
use crate::gnu::line;
use crate::gnu::options::{self, Flag};
use crate::gnu::programs::Program;
use crate::gnu::settings::{Settings, Work};
use crate::lists::make;
use crate::lists::place::Place;
use crate::lists::verify::{self, List, Report};
use crate::terminal::console::{Console, Failure, reason};
use std::ffi::OsString;

/// Runs a stand-in. Returns whether all went well.
pub fn run(
    program: &Program,
    console: &mut Console,
    args: impl IntoIterator<Item = OsString>,
) -> Result<bool, Failure> {
    let (settings, operands) = match request(program, console, args)? {
        Request::Print(text) => return console.print(text).map(|()| true),
        Request::Work(settings, operands) => (settings, operands),
    };
    let work = settings.validate(program, console, operands.len())?;
    let names = names(&operands);
    let mut well = match work {
        Work::Sum { recipe, style } => {
            make::files(console, Jobs::default(), names, &[recipe], &style)?
        }
        Work::Check { row, report } => {
            check(console, &names, line::Gnu::new(row, program.is_cksum()), &report)?
        }
    };
    if let Some(message) =
        console.stdin_error().map(|error| format!("standard input: {}", reason(error)))
    {
        console.say(message);
        well = false;
    }
    Ok(well)
}

enum Request {
    Print(Vec<u8>),
    Work(Box<Settings>, Vec<OsString>),
}

fn request(
    program: &Program,
    console: &mut Console,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Request, Failure> {
    let table = options::table(program);
    let mut parser = Parser::new(&table, args);
    let mut settings = Settings::new(program.row(), program.bits);
    let mut operands = Vec::new();
    while let Some(event) = parser.next().map_err(|message| console.misuse(message))? {
        match event {
            Event::Operand(name) => operands.push(name),
            Event::Option(Flag::Help, _) => {
                return Ok(Request::Print(options::help(program, console.program())));
            }
            Event::Option(Flag::Version, _) => {
                return Ok(Request::Print(options::version(program)));
            }
            Event::Option(flag, value) => settings.set(console, flag, value)?,
        }
    }
    Ok(Request::Work(Box::new(settings), operands))
}

fn check(
    console: &mut Console,
    names: &[Vec<u8>],
    mut format: line::Gnu,
    report: &Report,
) -> Result<bool, Failure> {
    let mut well = true;
    for name in names {
        let place = Place::of(name);
        let list = List { place: &place, named: None, only: None };
        well &= verify::list(console, Jobs::default(), &list, &mut format, report)?.well;
    }
    Ok(well)
}
