//! Walks through a tree for a manifest: finds its files, the entries to record and the notes for
//! the user, in order.

use crate::files::input::{bytes, os_name};
use crate::files::job::{Job, Wanted, changed};
use crate::files::ordered;
use crate::files::walk::{Extras, Found, Rules};
use crate::hashing::recipe::{Computed, Recipe};
use crate::manifest::fresh::is_temporary;
use crate::manifest::journal::Journal;
use crate::manifest::text::{Kind, Record, Stamp};
use crate::terminal::console::reason;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

/// A directory, and the rules that select its files.
#[derive(Clone)]
pub struct Directory {
    pub root: PathBuf,
    pub rules: Rules,
    /// The manifest, its signatures and its journals, by their names in the directory, if they are in it.
    /// They are left out.
    pub own: Vec<Vec<u8>>,
}

/// An entry that a walk through a tree found.
pub enum Entry {
    File(Named),
    /// A symbolic link or an empty directory.
    Other(Record),
    /// A name in the tree that could not be read, and the error.
    Unreadable(Vec<u8>, Found),
    /// A note for the user that is not an error.
    Note(Found),
}

/// A file: its name in the tree, its path, and its metadata before it is read.
pub struct Named {
    pub name: Vec<u8>,
    pub path: Vec<u8>,
    pub stamp: Stamp,
}

impl Directory {
    /// Returns the entries in the order of their names. `threads` threads read the metadata ahead.
    pub fn entries(&self, threads: usize) -> impl Iterator<Item = Entry> + use<> {
        let walk = self.rules.walk(&self.root).ok();
        let tree = self.clone();
        ordered::map(threads, walk.into_iter().flatten(), move |found| tree.entry(found)).flatten()
    }

    fn entry(&self, found: Found) -> Option<Entry> {
        let (Found::File(path)
        | Found::Named(path)
        | Found::Link(path)
        | Found::Directory(path)
        | Found::Error(path, _)) = &found
        else {
            return Some(Entry::Note(found));
        };
        let (name, path, os_path) = (self.name(path), path.clone(), os_name(path));
        let stamp = |it: &Metadata| Stamp::of(it, self.rules.extras);
        // All but files are recorded as they are.
        let read = match found {
            Found::Error(..) => return Some(Entry::Unreadable(name, found)),
            Found::Link(_) => fs::read_link(os_path)
                .map(|target| (Stamp::default(), Some(Kind::Link(bytes(&target))))),
            Found::Directory(_) => fs::metadata(os_path).map(|it| {
                let stamp = Stamp { mode: stamp(&it).mode, ..Stamp::default() };
                (stamp, Some(Kind::Directory))
            }),
            _ if self.is_own(&name) => return None,
            _ => fs::metadata(os_path).map(|it| {
                settle(&it);
                (stamp(&it), None)
            }),
        };
        Some(match read {
            Ok((stamp, None)) => Entry::File(Named { name, path, stamp }),
            Ok((stamp, Some(kind))) => Entry::Other(Record { name, stamp, kind }),
            Err(error) => Entry::Unreadable(name, Found::Error(path, reason(&error))),
        })
    }

    fn is_own(&self, name: &[u8]) -> bool {
        let is_it = |own: &Vec<u8>| name == own || is_temporary(name, own);
        self.own.iter().any(|own| name.starts_with(own) && is_it(own))
    }

    /// Returns the name in the tree of the file at `path`.
    fn name(&self, path: &[u8]) -> Vec<u8> {
        let root = self.root.as_os_str().as_encoded_bytes();
        // This is faster than comparing the paths component by component.
        match path.strip_prefix(root).and_then(|rest| rest.strip_prefix(b"/")) {
            Some(name) if !name.starts_with(b"/") && cfg!(unix) => name.to_vec(),
            _ => {
                let path = PathBuf::from(os_name(path));
                bytes(path.strip_prefix(&self.root).unwrap_or(&path))
            }
        }
    }
}

/// Waits until any further write would give the file a different time. The system's clock for file
/// times advances in ticks of up to 10 ms. Within the tick of its last change, a file can change
/// again and keep its times, and the modification would later be reported as corruption.
fn settle(metadata: &Metadata) {
    const TICKS: Duration = Duration::from_millis(20);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        // A time in the future was set by another machine's clock, so waiting would not help.
        if let Ok(age) = SystemTime::now().duration_since(changed)
            && let Some(left) = TICKS.checked_sub(age)
        {
            thread::sleep(left);
        }
    }
    #[cfg(not(unix))]
    let _ = (metadata, TICKS, thread::sleep, SystemTime::now);
}

/// An entry as a job for the pool.
pub struct Item<'a> {
    pub entry: Entry,
    pub recipes: &'a [Recipe],
    pub extras: Extras,
    /// The journal in which the file is recorded as soon as it is hashed.
    pub journal: Option<&'a Journal>,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        match &self.entry {
            Entry::File(file) if !self.recipes.is_empty() => {
                Some(Wanted { name: &file.path, recipes: self.recipes, regular: true })
            }
            _ => None,
        }
    }

    fn read(&self, opened: &File) -> io::Result<()> {
        match &self.entry {
            Entry::File(file) if Stamp::of(&opened.metadata()?, self.extras) != file.stamp => {
                Err(changed())
            }
            _ => Ok(()),
        }
    }

    fn hashed(&self, values: &[Computed]) {
        if let (Entry::File(file), Some(journal)) = (&self.entry, self.journal) {
            journal.append(&file.record(journal.header.digests(values, file.stamp.size)));
        }
    }
}

impl Named {
    /// Returns whether a record has this file's metadata, so that its digests are still right.
    pub fn has(&self, record: &Record) -> bool {
        record.stamp == self.stamp && !record.digests().is_empty()
    }

    pub fn record(&self, digests: Vec<Vec<u8>>) -> Record {
        Record { name: self.name.clone(), stamp: self.stamp, kind: Kind::File(digests) }
    }
}
