//! Finds the files below a directory, in the order of their names.

use crate::files::input::{bytes, into_bytes, os_name};
use crate::terminal::console::{Console, reason};
use crate::text::counted::counted;
use crate::text::table::{Field, Options, Parser, Row, Value, choices, options};
use clap::{ArgMatches, Command};
use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, WalkBuilder};
use std::any::Any;
use std::error::Error;
use std::fs::{self, FileType};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

options! {
    /// The rules that select files of a tree.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Rules {
        /// Include only files that match; a glob as in .gitignore; may be repeated
        pub include: Vec<String> { value: "GLOB", heading: "Trees" },
        /// Leave out files and directories that match; may be repeated
        pub exclude: Vec<String> { value: "GLOB", heading: "Trees" },
        /// Leave out files that .gitignore and .ignore files name
        pub ignore_files: bool { hide_short_help: true, heading: "Trees" },
        /// Leave out files and directories whose names begin with a dot
        pub skip_hidden: bool { hide_short_help: true, heading: "Trees" },
        /// Do not enter other file systems
        pub one_file_system: bool { short: 'x', hide_short_help: true, heading: "Trees" },
        /// The symbolic links to follow [default: command-line]
        pub symlinks: Symlinks { value: "WHICH", hide_short_help: true, heading: "Trees" },
        pub extras: Extras,
    }
}

/// Properties and entries that are recorded in addition to files and their content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Permission bits. The walk itself does not read them.
    pub modes: bool,
    /// Symbolic links that are not followed.
    pub links: bool,
    /// Empty directories.
    pub directories: bool,
}

choices! {
    /// The symbolic links that are followed.
    #[derive(Default)]
    pub enum Symlinks {
        Never = "never",
        #[default]
        CommandLine = "command-line", // only links that the command line names
        Always = "always",
    }
}

impl Field for Symlinks {
    fn add(command: Command, row: &Row) -> Command {
        Option::<Symlinks>::add(command, row)
    }

    fn read(matches: &mut ArgMatches, id: &str) -> Symlinks {
        Option::read(matches, id).unwrap_or_default()
    }
}

/// These are no options here: only the command that creates manifests has one for them.
impl Field for Extras {
    fn add(command: Command, _: &Row) -> Command {
        command
    }

    fn read(_: &mut ArgMatches, _: &str) -> Extras {
        Extras::default()
    }
}

/// An entry that a walk found.
pub enum Found {
    /// A file that the command line names. It can be of any type.
    Named(Vec<u8>),
    /// A regular file that a walk found.
    File(Vec<u8>),
    /// A symbolic link that is not followed, if `Extras::links` is set.
    Link(Vec<u8>),
    /// An empty directory, if `Extras::directories` is set.
    Directory(Vec<u8>),
    /// A name that could not be read, and the reason.
    Error(Vec<u8>, String),
    /// A name and a note for the user that is not an error.
    Note(Vec<u8>, String),
}

impl Found {
    /// Returns the name if this is a file. Writes the message of an error, which makes `well` false, and
    /// with `notes` that of a note.
    pub fn file(self, console: &mut Console, notes: bool, well: &mut bool) -> Option<Vec<u8>> {
        match self {
            Found::Named(name) | Found::File(name) => return Some(name),
            Found::Error(name, message) => console.fault(&name, message, well),
            Found::Note(name, message) if notes => console.say_of(&name, message),
            Found::Note(..) | Found::Link(_) | Found::Directory(_) => {}
        }
        None
    }
}

/// Returns the total length of the files in bytes. Returns `None` if one of them has no known
/// length. `stdin` is the length of standard input, if it is known.
pub fn sizes(found: impl Iterator<Item = Found>, stdin: Option<u64>) -> Option<u64> {
    let len = |name: Vec<u8>| match fs::metadata(os_name(&name)) {
        _ if name == b"-" => stdin,
        Ok(metadata) if metadata.is_file() => Some(metadata.len()),
        // The length of a pipe or a device is not known.
        Ok(metadata) if !metadata.is_dir() => None,
        Ok(_) | Err(_) => Some(0),
    };
    let mut total: u64 = 0;
    for found in found {
        if let Found::Named(name) | Found::File(name) = found {
            // Sparse files may say any length.
            total = total.checked_add(len(name)?)?;
        }
    }
    Some(total)
}

impl Rules {
    /// Walks through the tree below `root`. The entries of each directory come in the order of the
    /// bytes of their names. The entries below a directory come directly after it.
    ///
    /// # Errors
    /// Returns a message if a glob is invalid.
    pub fn walk(&self, root: &Path) -> Result<Walk, String> {
        let mut globs = OverrideBuilder::new(root);
        let included = self.include.iter().map(|glob| glob.trim_start_matches('!').to_owned());
        let excluded = self.exclude.iter().map(|glob| format!("!{glob}"));
        for glob in included.chain(excluded) {
            globs.add(&glob).map_err(|error| error.to_string())?;
        }
        let globs = globs.build().map_err(|error| error.to_string())?;
        let mut builder = WalkBuilder::new(root);
        builder
            .standard_filters(false)
            .ignore(self.ignore_files)
            .git_ignore(self.ignore_files)
            .parents(self.ignore_files)
            .require_git(false)
            .hidden(self.skip_hidden)
            .overrides(globs)
            .follow_links(self.symlinks == Symlinks::Always)
            .same_file_system(self.one_file_system)
            // Paths of one directory differ only in the names of the files, which would have to be
            // found in them first.
            .sort_by_file_path(|a, b| {
                a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes())
            });
        let left_out = self.symlinks == Symlinks::Never
            && fs::symlink_metadata(root).is_ok_and(|root| root.is_symlink());
        Ok(Walk {
            root: root.to_owned(),
            entries: if left_out { None } else { Some(builder.build()) },
            extras: self.extras,
            links: left_out.into(),
        })
    }
}

/// The walk through a tree.
pub struct Walk {
    root: PathBuf,
    entries: Option<ignore::Walk>,
    extras: Extras,
    /// The number of symbolic links that were not followed.
    links: u64,
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        closing(|| self.step()).unwrap_or_else(|| {
            self.entries = None;
            let message = "A directory in it could not be closed";
            Some(Found::Error(bytes(&self.root), message.to_owned()))
        })
    }
}

impl Walk {
    fn step(&mut self) -> Option<Found> {
        while let Some(entry) = self.entries.as_mut().and_then(Iterator::next) {
            match entry {
                Ok(entry) => {
                    if let Some(found) = self.found(entry) {
                        return Some(found);
                    }
                }
                Err(error) => {
                    let (path, message) = explained(&error, &self.root);
                    return Some(Found::Error(bytes(path), message));
                }
            }
        }
        self.entries = None;
        let links = std::mem::take(&mut self.links);
        let message = counted(links, "symbolic link was", "symbolic links were") + " not followed";
        (links > 0).then(|| Found::Note(bytes(&self.root), message))
    }

    fn found(&mut self, entry: DirEntry) -> Option<Found> {
        if let Some(error) = entry.error() {
            // A .gitignore file contains an invalid glob. Its other lines are used.
            let (path, message) = explained(error, entry.path());
            return Some(Found::Error(bytes(path), message));
        }
        let kind = entry.file_type()?;
        if kind.is_file() {
            return Some(Found::File(into_bytes(entry.into_path())));
        }
        if kind.is_symlink() {
            if self.extras.links {
                return Some(Found::Link(bytes(entry.path())));
            }
            self.links += 1;
        }
        if kind.is_dir() && self.extras.directories && entry.depth() > 0 {
            // If the directory cannot be opened, the walk reports it.
            let mut entries = fs::read_dir(entry.path()).ok()?;
            return entries.next().is_none().then(|| Found::Directory(bytes(entry.path())));
        }
        let what = special(kind)?;
        Some(Found::Note(bytes(entry.path()), format!("{what}, left out")))
    }
}

/// Calls a function that reads directories. Returns `None` if the system reports an error when a
/// directory is closed: the standard library panics then.
pub fn closing<T>(read: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    let is_of_closing = |payload: &(dyn Any + Send)| {
        let message = payload.downcast_ref::<String>();
        message.is_some_and(|it| it.starts_with("unexpected error during closedir"))
    };
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_of_closing(info.payload()) {
                usual(info);
            }
        }));
    });
    match panic::catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => Some(result),
        Err(payload) if is_of_closing(&*payload) => None,
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// Returns a description of a file type that cannot be read like a regular file.
#[cfg(unix)]
fn special(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    [
        (kind.is_fifo(), "a fifo"),
        (kind.is_socket(), "a socket"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
    ]
    .into_iter()
    .find_map(|(is, what)| is.then_some(what))
}

#[cfg(not(unix))]
fn special(_: FileType) -> Option<&'static str> {
    None
}

/// Returns the path that an error is about, and its message.
fn explained<'a>(error: &'a ignore::Error, path: &'a Path) -> (&'a Path, String) {
    match error {
        ignore::Error::WithPath { path, err } => explained(err, path),
        ignore::Error::WithDepth { err, .. } => explained(err, path),
        ignore::Error::Partial(errors) if !errors.is_empty() => explained(&errors[0], path),
        ignore::Error::Loop { ancestor, child } => {
            (child, format!("leads back to {}", ancestor.display()))
        }
        ignore::Error::Io(error) => {
            // The system's error is wrapped in an error whose text repeats the path.
            let inner = error.get_ref().and_then(|inner| Error::source(inner)?.downcast_ref());
            (path, reason(inner.unwrap_or(error)))
        }
        error => (path, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_cannot_be_known() {
        let sizes = |path: &str, stdin| sizes([Found::Named(path.into())].into_iter(), stdin);
        assert_eq!(sizes("-", Some(7)), Some(7));
        assert_eq!(sizes("-", None), None);
        #[cfg(unix)]
        assert_eq!(sizes("/dev/null", None), None);
        assert_eq!(sizes("nosuch", None), Some(0));
    }
}
