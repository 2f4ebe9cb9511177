//! A tree as manifests see it: its files and what there is to say about the rest, in order.

use crate::files::input::os_name;
use crate::files::job::{Job, Outcome, Wanted};
use crate::files::walk::{self, Extras, Found, Rules};
use crate::hashing::recipe::Recipe;
use crate::manifest::journal::Journal;
use crate::manifest::text::{Kind, Record, Stamp};
use crate::terminal::console::{Console, reason};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// A directory, and which of its files count.
pub struct Tree {
    pub root: PathBuf,
    pub rules: Rules,
    /// The manifest and what is beside it, if they are in the directory: by their names in it.
    pub own: Vec<PathBuf>,
}

/// What a walk through a tree gives.
pub enum Entry {
    File(Named),
    /// A symbolic link or an empty directory.
    Other(Record),
    /// Something that could not be read, by its name in the tree; and what there is to say about
    /// it.
    Unreadable(Vec<u8>, Found),
    /// Something worth knowing.
    Note(Found),
}

/// A file: its name in the tree, the path to it, and what it was before it was read.
pub struct Named {
    pub name: Vec<u8>,
    pub path: Vec<u8>,
    pub stamp: Stamp,
}

impl Tree {
    /// The entries in the order of their names.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let walk = self.rules.walk(&self.root).ok();
        walk.into_iter().flatten().filter_map(|found| self.entry(found))
    }

    fn entry(&self, found: Found) -> Option<Entry> {
        let extras = self.rules.extras;
        Some(match found {
            Found::File(path) | Found::Named(path) => {
                let name = self.name(&path);
                if self.own.iter().any(|own| own.as_os_str().as_encoded_bytes() == name) {
                    return None;
                }
                match fs::metadata(os_name(&path)) {
                    Ok(metadata) => {
                        settle(&metadata);
                        Entry::File(Named { name, path, stamp: Stamp::of(&metadata, extras) })
                    }
                    Err(error) => Entry::Unreadable(name, Found::Error(path, reason(&error))),
                }
            }
            Found::Link(path) => {
                let name = self.name(&path);
                match fs::read_link(os_name(&path)) {
                    Ok(target) => {
                        let kind = Kind::Link(walk::bytes(&target));
                        Entry::Other(Record { name, stamp: Stamp::default(), kind })
                    }
                    Err(error) => Entry::Unreadable(name, Found::Error(path, reason(&error))),
                }
            }
            Found::Directory(path) => {
                let name = self.name(&path);
                match fs::metadata(os_name(&path)) {
                    Ok(metadata) => {
                        let mode = Stamp::of(&metadata, extras).mode;
                        let stamp = Stamp { mode, ..Stamp::default() };
                        Entry::Other(Record { name, stamp, kind: Kind::Directory })
                    }
                    Err(error) => Entry::Unreadable(name, Found::Error(path, reason(&error))),
                }
            }
            Found::Error(path, message) => {
                Entry::Unreadable(self.name(&path), Found::Error(path, message))
            }
            note @ Found::Note(..) => Entry::Note(note),
        })
    }

    /// The name in the tree of what lies at a path.
    fn name(&self, path: &[u8]) -> Vec<u8> {
        let root = self.root.as_os_str().as_encoded_bytes();
        // Paths are not compared part by part where they simply begin alike.
        match path.strip_prefix(root).and_then(|rest| rest.strip_prefix(b"/")) {
            Some(name) if !name.starts_with(b"/") && cfg!(unix) => name.to_vec(),
            _ => {
                let path = PathBuf::from(os_name(path));
                walk::bytes(path.strip_prefix(&self.root).unwrap_or(&path))
            }
        }
    }
}

/// Waits until a write from now on gives the file another time. The system's clock for files goes
/// by ticks of up to 10 ms: within the tick of the last change, a file can change again and look as
/// if it had not, which would make corruption of a modification.
fn settle(metadata: &Metadata) {
    const TICKS: Duration = Duration::from_millis(20);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        // A time to come is another machine's: waiting for it would not help.
        if let Ok(age) = SystemTime::now().duration_since(changed)
            && let Some(left) = TICKS.checked_sub(age)
        {
            thread::sleep(left);
        }
    }
    #[cfg(not(unix))]
    let _ = (metadata, TICKS, thread::sleep, SystemTime::now);
}

/// The name of a file in a directory, if it is there.
pub fn within(path: &Path, directory: &Path) -> Option<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
    let parent = parent.strip_prefix(fs::canonicalize(directory).ok()?).ok()?;
    Some(parent.join(path.file_name()?))
}

/// An entry on its way through the pool.
pub struct Item<'a> {
    pub entry: Entry,
    pub recipes: &'a [Recipe],
    pub extras: Extras,
    /// Where it is recorded as soon as it is hashed.
    pub journal: Option<&'a Journal>,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        match &self.entry {
            Entry::File(file) if !self.recipes.is_empty() => Some(Wanted {
                name: &file.path,
                recipes: self.recipes,
                regular: true,
                watched: true,
                except: None,
            }),
            _ => None,
        }
    }

    fn hashed(&self, outcome: Outcome, after: Option<&Metadata>) -> Outcome {
        let Entry::File(file) = &self.entry else { return outcome };
        let values = outcome?;
        if after.map(|after| Stamp::of(after, self.extras)) != Some(file.stamp) {
            return Err(io::Error::other("The file changed while it was read"));
        }
        if let Some(journal) = self.journal {
            let digests = values.iter().map(|value| value.bytes.clone()).collect();
            journal.append(&file.record(digests));
        }
        Ok(values)
    }
}

impl Named {
    pub fn record(&self, digests: Vec<Vec<u8>>) -> Record {
        Record { name: self.name.clone(), stamp: self.stamp, kind: Kind::File(digests) }
    }
}

/// Says what a walk has found.
pub fn say(console: &mut Console, found: &Found) {
    if let Found::Error(path, message) | Found::Note(path, message) = found {
        console.say_of(path, message);
    }
}
