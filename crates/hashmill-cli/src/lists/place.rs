//! Finds the files that a list names.

use crate::files::input::{bytes, os_name};
use crate::files::paths::{below, root_of, split, within};
use crate::lists::entry::Entry;
use std::cell::OnceCell;
use std::fs;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// The directory that the relative names in a list are relative to.
#[derive(Clone, Debug, Default)]
pub enum Base {
    /// The current directory, as for GNU's programs.
    #[default]
    Current,
    /// This directory, which `--root` names.
    Root(Vec<u8>),
    /// The directory that contains the list, for lists that `-r` has found.
    List,
}

/// A list, and the rules that convert the names in it to paths.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The path of the list.
    pub list: Vec<u8>,
    pub base: Base,
    /// Whether names have backslashes between directories, and may begin with a drive letter.
    pub windows: bool,
    /// The directory that the list itself names: the tree of a manifest.
    pub tree: OnceCell<Vec<u8>>,
}

impl Place {
    /// Returns the place of a list whose names are relative to the current directory.
    pub fn of(list: &[u8]) -> Place {
        Place { list: list.to_vec(), ..Place::default() }
    }

    /// Returns the directory that relative names are relative to. `--root` says that the files are
    /// elsewhere now, also those of a manifest.
    pub fn directory(&self) -> &[u8] {
        match (&self.base, self.tree.get()) {
            (Base::Root(root), _) => root,
            (_, Some(tree)) => tree,
            (Base::Current, None) => b".",
            (Base::List, None) => split(&self.list).0,
        }
    }

    /// Records the directory that a manifest names, relative to its own.
    pub fn name_tree(&self, tree: &str) {
        let tree = root_of(tree, Path::new(&os_name(&self.list)));
        // A manifest names one directory.
        let _ = self.tree.set(bytes(&tree));
    }

    /// Returns the path of an entry's file.
    pub fn path(&self, entry: &Entry) -> Vec<u8> {
        self.path_named(entry, &entry.name)
    }

    fn path_named(&self, entry: &Entry, name: &[u8]) -> Vec<u8> {
        // The list's own name is a path of this system.
        if entry.named_after { self.below(name) } else { self.path_of(name) }
    }

    /// Returns the path of an entry's file. With `other_forms`, if there is no such file, looks for the
    /// same name in the two normal forms that file names have (Unicode Standard Annex #15), and also
    /// returns the form of the name that is there.
    pub fn found(&self, entry: &Entry, other_forms: bool) -> (Vec<u8>, Option<&'static str>) {
        let path = self.path(entry);
        let is_there = |path: &[u8]| fs::symlink_metadata(os_name(path)).is_ok();
        if !other_forms || entry.name.is_ascii() || is_there(&path) {
            return (path, None);
        }
        let name = str::from_utf8(&entry.name).unwrap_or_default();
        let forms: [(String, _); 2] =
            [(name.nfc().collect(), "NFC"), (name.nfd().collect(), "NFD")];
        let forms = forms.map(|(name, form)| (self.path_named(entry, name.as_bytes()), form));
        let found = forms.into_iter().find(|(other, _)| *other != path && is_there(other));
        found.map_or((path, None), |(path, form)| (path, Some(form)))
    }

    /// Returns the path of the file with this name in the list.
    pub fn path_of(&self, name: &[u8]) -> Vec<u8> {
        if !self.windows {
            return self.below(name);
        }
        let mut path = name.to_vec();
        path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
        // A drive letter belongs to another machine, so the path on it is looked up below the
        // directory.
        let rest = match &*path {
            [drive, b':', rest @ ..] if drive.is_ascii_alphabetic() => rest,
            path => path,
        };
        let start = rest.iter().position(|&byte| byte != b'/').unwrap_or(rest.len());
        self.below(&rest[start..])
    }

    fn below(&self, name: &[u8]) -> Vec<u8> {
        let absolute =
            name.starts_with(b"/") || cfg!(windows) && Path::new(&os_name(name)).is_absolute();
        if absolute { name.to_vec() } else { below(self.directory(), name) }
    }

    /// Returns the name of the file that the list is named after, which a digest without a name
    /// belongs to: the list `a.iso.sha256` is about `a.iso` beside it. `stem` is the path of the
    /// list without its extension. With `--root`, the same is true of a list below that directory;
    /// any other list is about the file of that name in the directory.
    pub fn named_after(&self, stem: &[u8]) -> Option<Vec<u8>> {
        let file = split(stem).1;
        let name = match &self.base {
            Base::Current => stem.to_vec(),
            Base::Root(root) => {
                let within = within(Path::new(&os_name(stem)), Path::new(&os_name(root)));
                within.map_or_else(|| file.to_vec(), |path| bytes(&path))
            }
            Base::List => file.to_vec(),
        };
        (!file.is_empty()).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let place = |base: &Base, windows| Place {
            list: b"l/SUMS".into(),
            base: base.clone(),
            windows,
            ..Place::default()
        };
        let root = |root: &str| Base::Root(root.into());
        for (base, windows, name, path) in [
            (Base::Current, false, "a\\b", "a\\b"),
            (root("r"), false, "a", "r/a"),
            (root("r/"), false, "/a", "/a"),
            (root("/"), false, "a", "/a"),
            (root("."), false, "./a", "./a"),
            (Base::List, false, "a", "l/a"),
            (Base::List, false, "/a", "/a"),
            (Base::Current, true, "a\\b", "a/b"),
            (Base::Current, true, ".\\b", "./b"),
            (Base::List, true, "C:\\a\\b", "l/a/b"),
            (root("r"), true, "C:\\a\\b", "r/a/b"),
            (root("r"), true, "\\\\server\\a", "r/server/a"),
            (Base::Current, true, "C:\\a\\b", "a/b"),
            (Base::Current, true, "c:a", "a"),
        ] {
            let path_is = place(&base, windows).path_of(name.as_bytes());
            assert_eq!(String::from_utf8(path_is).unwrap(), path, "{base:?} {name}");
        }
        for (list, directory) in
            [("SUMS", "."), ("/SUMS", "/"), ("./SUMS", "."), ("/a/b/SUMS", "/a/b")]
        {
            let place = Place { list: list.into(), base: Base::List, ..Place::default() };
            assert_eq!(place.directory(), directory.as_bytes(), "{list}");
        }
    }
}
