//! Collects the paths of the files that lists name, and selects some of them.

use crate::files::input::os_name;
use crate::signature::sign::EXTENSIONS;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{self, Component, Path, PathBuf};

/// The absolute paths of the files and directories that lists name, and of the lists.
#[derive(Default)]
pub struct Named(RefCell<HashSet<PathBuf>>);

impl Named {
    pub fn add(&self, path: &[u8]) {
        self.0.borrow_mut().insert(absolute(Path::new(&os_name(path))));
    }

    /// Adds the path of a list, and the paths of the signatures that may lie beside it.
    pub fn add_list(&self, list: &[u8]) {
        for extension in [""].into_iter().chain(EXTENSIONS) {
            self.add(&[list, extension.as_bytes()].concat());
        }
    }

    /// Returns whether the path, or a directory that contains it, was added.
    pub fn covers(&self, path: &Path) -> bool {
        let named = self.0.borrow();
        absolute(path).ancestors().any(|path| named.contains(path))
    }
}

/// The files that are checked, if not all files of the lists are, and whether a list named them.
pub struct Only(Vec<(PathBuf, Cell<bool>)>);

impl Only {
    /// Returns the selection of these files, or `None` if there are none.
    pub fn of(files: &[OsString]) -> Option<Only> {
        let file = |file: &OsString| (plain(Path::new(file)), Cell::new(false));
        (!files.is_empty()).then(|| Only(files.iter().map(file).collect()))
    }

    /// Returns whether a file is selected, by its name in a list or by its path.
    pub fn has(&self, name: &[u8], path: &[u8]) -> bool {
        let names = [name, path].map(|name| plain(Path::new(&os_name(name))));
        let selected = self.0.iter().filter(|(file, _)| names.contains(file));
        selected.inspect(|(_, found)| found.set(true)).count() > 0
    }

    /// Returns the files that no list named.
    pub fn missing(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter(|(_, found)| !found.get()).map(|(file, _)| &**file)
    }
}

/// Returns a path without `.` as a directory.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|it| *it != Component::CurDir).collect()
}

/// Returns the absolute path of a file. Links are followed only for `..`, which means the parent of
/// the directory that a link leads to.
fn absolute(path: &Path) -> PathBuf {
    let resolved = match path.components().any(|part| part == Component::ParentDir) {
        true => path.parent().zip(path.file_name()).and_then(|(parent, name)| {
            fs::canonicalize(parent).ok().map(|parent| parent.join(name))
        }),
        false => None,
    };
    resolved.or_else(|| path::absolute(path).ok()).unwrap_or_else(|| path.to_owned())
}
