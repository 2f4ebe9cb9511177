//! `hashmill install`: links to this program under the names it stands in for.

use crate::commands::misuse;
use crate::console::{Console, Failure, reason};
use crate::gnu;
use clap::ArgMatches;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let directory = matches.get_one::<OsString>("directory").expect("clap requires it");
    let directory = Path::new(directory);
    let force = matches.get_flag("force");
    let names = names(console, matches)?;
    let program = std::env::current_exe()
        .map_err(|error| console.fatal(format!("where this program is: {}", reason(&error))))?;
    if let Err(error) = fs::read_dir(directory) {
        console.say_of(directory.as_os_str().as_encoded_bytes(), reason(&error));
        return Ok(false);
    }
    let mut well = true;
    for name in names {
        let path = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let shown = console.quote_name(path.as_os_str().as_encoded_bytes());
        match link(&program, &path, force) {
            Ok(Done::Linked) => {
                let target = console.quote_name(program.as_os_str().as_encoded_bytes());
                console.print(format!("{shown} -> {target}\n"))?;
            }
            Ok(Done::WasThere) => console.print(format!("{shown} was there\n"))?,
            Ok(Done::Other) => {
                console.say(format!("{shown}: another file is there; --force replaces it"));
                well = false;
            }
            Err(error) => {
                console.say(format!("{shown}: {}", reason(&error)));
                well = false;
            }
        }
    }
    if !in_path(directory) {
        let shown = console.quote_name(directory.as_os_str().as_encoded_bytes());
        console.say(format!("{shown} is not in PATH: the shell will not find the links"));
    }
    Ok(well)
}

/// The names that were asked for, or all.
fn names(console: &mut Console, matches: &ArgMatches) -> Result<Vec<&'static str>, Failure> {
    let Some(asked) = matches.get_many::<String>("names") else {
        return Ok(gnu::PROGRAMS.iter().map(|program| program.name).collect());
    };
    let known = |name: &String| {
        gnu::Program::named(name).map(|program| program.name).ok_or_else(|| {
            let name = console.quote(name.as_bytes());
            misuse(console, format!("{name} is not a name this program stands in for"))
        })
    };
    asked.map(known).collect()
}

enum Done {
    Linked,
    WasThere,
    /// Something else has the name.
    Other,
}

fn link(program: &Path, path: &Path, force: bool) -> io::Result<Done> {
    match make(program, path) {
        Ok(()) => return Ok(Done::Linked),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    // The program itself may have the name, or a link to it.
    if fs::canonicalize(path)
        .is_ok_and(|there| fs::canonicalize(program).is_ok_and(|it| it == there))
    {
        return Ok(Done::WasThere);
    }
    if !force {
        return Ok(Done::Other);
    }
    // The name is never without a file.
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
