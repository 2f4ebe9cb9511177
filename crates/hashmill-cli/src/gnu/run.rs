//! Runs a stand-in with its arguments.

use crate::files::input::names;
use crate::files::job::Jobs;
use crate::gnu::getopt::{Event, Parser};
use crate::gnu::line::Gnu;
use crate::gnu::options::{self, Flag};
use crate::gnu::programs::Program;
use crate::gnu::settings::{Settings, Work};
use crate::lists::make;
use crate::lists::place::Place;
use crate::lists::verify::{self, List};
use crate::terminal::console::{Console, Failure, reason};
use std::ffi::OsString;

/// Runs a stand-in. Returns whether all went well.
pub fn run(program: &Program, console: &mut Console, args: Vec<OsString>) -> Result<bool, Failure> {
    let mut parser = Parser::new(options::table(program), args);
    let mut settings = Settings::new(program.row(), program.bits);
    let mut operands = Vec::new();
    while let Some(event) = parser.next().map_err(|message| console.misuse(message))? {
        match event {
            Event::Operand(name) => operands.push(name),
            Event::Option(Flag::Help, _) => {
                let help = options::help(program, console.program());
                return console.print(help).map(|()| true);
            }
            Event::Option(Flag::Version, _) => {
                return console.print(options::version(program)).map(|()| true);
            }
            Event::Option(flag, value) => settings.set(console, flag, value)?,
        }
    }
    let work = settings.validate(program, console, operands.len())?;
    let names = names(&operands);
    let mut well = true;
    match work {
        Work::Sum { recipe, style } => {
            well = make::files(console, Jobs::default(), names, recipe, &style)?;
        }
        Work::Check { row, report } => {
            let mut format = Gnu::new(row, program.is_cksum());
            for name in &names {
                let place = Place::of(name);
                let list = List { place: &place, named: None, only: None };
                let jobs = Jobs::default();
                well &= verify::list(console, jobs, &list, &mut format, &report)?.well;
            }
        }
    }
    if let Some(error) = console.stdin_error() {
        let message = format!("standard input: {}", reason(error));
        console.say(message);
        well = false;
    }
    Ok(well)
}
