//! `hashmill self completions` and `hashmill self man`: write shell completions and manual pages. Both are
//! made from the tables that parse the options.

use crate::commands::{b3sum, blake2};
use crate::gnu;
use crate::terminal::console::{Console, Failure, reason};
use crate::text::table::{Field, One, Options, Parser, Row, Value, options};
use clap::{Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use std::ffi::OsString;
use std::io;

options! {
    /// Write completions for a shell
    pub struct Completions {
        /// The shell
        shell: One<Shell> { is_operand: true, value: "SHELL" },
        /// The program's name: hashmill or one that it stands in for [default: hashmill]
        name: Option<String> { is_operand: true, value: "NAME" },
    }
    |command| command.after_help(COMPLETIONS_AFTER_HELP)
}

impl Value for Shell {
    const PARSER: Parser = Parser::OneOf(&["bash", "elvish", "fish", "powershell", "zsh"]);

    fn of(value: OsString) -> Shell {
        let shell = value.to_str().and_then(|name| name.parse().ok());
        shell.expect("these are the names of clap's shells")
    }
}

const COMPLETIONS_AFTER_HELP: &str = "\
Examples:
  hashmill self completions zsh > ~/.zfunc/_hashmill
  cd ~/.local/share/bash-completion/completions
  hashmill self completions bash > hashmill
  cd ~/.config/fish/completions
  hashmill self completions fish > hashmill.fish
  hashmill self completions fish b2sum > b2sum.fish";

options! {
    /// Write manual pages
    pub struct Pages {
        /// Write all pages into DIR
        directory: Option<OsString> {
            short: 'd', value: "DIR", hint: ValueHint::DirPath, conflicts: &["name"],
        },
        /// The subcommand whose page to write [default: the program's page]
        name: Option<String> { is_operand: true, value: "SUBCOMMAND" },
    }
    |command| command.after_help(PAGES_AFTER_HELP)
}

const PAGES_AFTER_HELP: &str = "\
Examples:
  hashmill self man sum | man -l -
  hashmill self man --directory ~/.local/share/man/man1";

/// Writes the completions for one of the program's names. `table` describes `hashmill` itself.
pub fn completions(
    console: &mut Console,
    arguments: &Completions,
    table: Command,
) -> Result<bool, Failure> {
    let name = arguments.name.as_deref().unwrap_or("hashmill");
    let mut command = match gnu::programs::named(name) {
        Some(program) => gnu::options::command(program),
        None if name == "hashmill" => table,
        None if name == "b3sum" => b3sum::command(),
        None if name == "blake2" => blake2::command("blake2"),
        None => {
            let name = console.quote(name.as_bytes());
            return Err(console.wrong_options(format!("{name} is not a name of this program")));
        }
    };
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell.0, &mut command, name, &mut script);
    console.print(script).map(|()| true)
}

/// Writes one manual page, or all pages into a directory. `table` describes `hashmill` itself.
pub fn pages(
    console: &mut Console,
    arguments: &Pages,
    mut table: Command,
) -> Result<bool, Failure> {
    table.build();
    if let Some(directory) = &arguments.directory {
        let failed = |error| Failure::of(directory.as_encoded_bytes(), reason(&error));
        return write(&table, directory).map(|()| true).map_err(failed);
    }
    let page = match &arguments.name {
        None => Some(&table),
        Some(name) => table.find_subcommand(name),
    };
    let Some(page) = page.cloned() else {
        return Err(console.wrong_options("there is no subcommand with this name"));
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).expect("a Vec takes any text");
    console.print(text).map(|()| true)
}

/// Writes a page for the program and a page for each of its subcommands that its help shows into
/// `directory`.
fn write(command: &Command, directory: &OsString) -> io::Result<()> {
    let subcommands = command.get_subcommands().filter(|it| !it.is_hide_set());
    for command in std::iter::once(command).chain(subcommands) {
        Man::new(command.clone()).generate_to(directory)?;
    }
    Ok(())
}
