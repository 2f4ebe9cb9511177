//! Collects the paths of the files that lists name.

use crate::files::input::os_name;
use crate::signature::sign::EXTENSIONS;
use std::cell::RefCell;
use std::collections::HashSet;
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
