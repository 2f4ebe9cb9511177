//! `hashmill completions` and `hashmill man`: what shells and readers want to know of the options, from
//! the tables that parse them.

use crate::commands::{misuse, table};
use crate::console::{Console, Failure, reason};
use crate::gnu;
use clap::{ArgMatches, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::ffi::OsString;
use std::io;

pub fn completions(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let shell = *matches.get_one::<Shell>("shell").expect("clap requires it");
    let name = matches.get_one::<String>("name").map_or("hashmill", String::as_str);
    let mut command = match gnu::Program::named(name) {
        Some(program) => program.command(),
        None if name == "hashmill" => table(),
        None => {
            let name = console.quote(name.as_bytes());
            return Err(misuse(console, format!("{name} is not a name of this program")));
        }
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    console.print(script).map(|()| true)
}

pub fn man(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let mut command = table();
    command.build();
    if let Some(directory) = matches.get_one::<OsString>("directory") {
        return match write(&command, directory) {
            Ok(()) => Ok(true),
            Err(error) => {
                console.say_of(directory.as_encoded_bytes(), reason(&error));
                Ok(false)
            }
        };
    }
    let page = match matches.get_one::<String>("name") {
        None => Some(&command),
        Some(name) => command.find_subcommand(name),
    };
    let Some(page) = page.cloned() else {
        return Err(misuse(console, "there is no subcommand of this name".to_owned()));
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).expect("a Vec takes any text");
    console.print(text).map(|()| true)
}

/// A page for the program, and one for each of its subcommands.
fn write(command: &Command, directory: &OsString) -> io::Result<()> {
    for command in std::iter::once(command).chain(command.get_subcommands()) {
        Man::new(command.clone()).generate_to(directory)?;
    }
    Ok(())
}
