//! `hashmill install`: creates links to this program under the names of the programs that it stands
//! in for.

use crate::gnu::programs;
use crate::terminal::console::{Console, Failure, reason};
use crate::text::table::{Field, One, Options, Row, options};
use clap::ValueHint;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

options! {
    /// Link the names of programs that hashmill stands in for
    pub struct Arguments {
        /// Replace other files that have these names
        force: bool { short: 'f' },
        /// The directory for the links, created if necessary; it should come early in PATH
        directory: One<OsString> { is_operand: true, value: "DIR", hint: ValueHint::DirPath },
        /// The names to link [default: all]
        names: Vec<String> { is_operand: true, value: "NAME" },
    }
    |command| command.long_about(LONG_ABOUT).after_help(AFTER_HELP)
}

const LONG_ABOUT: &str = "\
Create links to hashmill under the names of GNU's programs, b3sum and blake2. When hashmill is \
called by one of these names, it accepts that program's options.";

const AFTER_HELP: &str = "\
Examples:
  hashmill install ~/bin
  hashmill install ~/bin sha256sum b2sum  # these only
  hashmill install --force ~/bin          # replaces others";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let directory = Path::new(&arguments.directory.0);
    let force = arguments.force;
    let names = names(console, &arguments.names)?;
    let program = std::env::current_exe().map_err(|error| {
        console.fatal(format!("cannot find the path of this program: {}", reason(&error)))
    })?;
    let bytes = arguments.directory.0.as_encoded_bytes();
    fs::create_dir_all(directory).map_err(|error| Failure::of(bytes, reason(&error)))?;
    let mut well = true;
    for name in names {
        let path = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let path_bytes = path.as_os_str().as_encoded_bytes();
        let shown = console.quote_name(path_bytes);
        match link(&program, &path, force) {
            Ok(Done::Linked) => {
                let target = console.quote_name(program.as_os_str().as_encoded_bytes());
                console.print(format!("{shown} -> {target}\n"))?;
            }
            Ok(Done::WasThere) => console.print(format!("{shown} already exists\n"))?,
            Ok(Done::Other) => {
                let message = "another file has this name; --force replaces it";
                console.fault(path_bytes, message, &mut well);
            }
            Err(error) => console.fault(path_bytes, reason(&error), &mut well),
        }
    }
    if !in_path(directory) {
        let shown = console.quote_name(bytes);
        console.say(format!("{shown} is not in PATH: the shell will not find the links"));
    }
    Ok(well)
}

/// Returns the names in `asked`, or all names if `asked` is empty. Fails for a name that this
/// program does not stand in for.
fn names(console: &mut Console, asked: &[String]) -> Result<Vec<&'static str>, Failure> {
    if asked.is_empty() {
        return Ok(all().collect());
    }
    let known = |name: &String| {
        all().find(|it| it == name).ok_or_else(|| {
            let name = console.quote(name.as_bytes());
            console.wrong_options(format!("{name} is not a name this program stands in for"))
        })
    };
    asked.iter().map(known).collect()
}

/// Returns the names of all programs that this program stands in for.
pub fn all() -> impl Iterator<Item = &'static str> {
    programs::ALL.iter().map(|program| program.name).chain(["b3sum", "blake2"])
}

enum Done {
    Linked,
    WasThere,
    /// Another file has the name, and it was not replaced.
    Other,
}

fn link(program: &Path, path: &Path, force: bool) -> io::Result<Done> {
    match make(program, path) {
        Ok(()) => return Ok(Done::Linked),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    // The existing file may be the program itself or a link to it.
    if fs::canonicalize(path)
        .is_ok_and(|there| fs::canonicalize(program).is_ok_and(|it| it == there))
    {
        return Ok(Done::WasThere);
    }
    if !force {
        return Ok(Done::Other);
    }
    // Renaming the new link replaces the old file at once, so that the name always exists.
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}", std::process::id()));
    let new = PathBuf::from(new);
    make(program, &new)?;
    fs::rename(&new, path).inspect_err(|_| drop(fs::remove_file(&new)))?;
    Ok(Done::Linked)
}

#[cfg(unix)]
fn make(program: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, path)
}

#[cfg(not(unix))]
fn make(program: &Path, path: &Path) -> io::Result<()> {
    fs::hard_link(program, path)
}

fn in_path(directory: &Path) -> bool {
    let same = |it: PathBuf| fs::canonicalize(it).ok() == fs::canonicalize(directory).ok();
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(same))
}
