//! Decides what differences mean.
//!
//! Two records of a file whose contents differ are told apart by their metadata:
//!
//! | metadata | meaning |
//! |---|---|
//! | ctime and inode number are the same | `corrupt`: nothing wrote to the file |
//! | size and modification time are the same | `suspect`: nothing that sets times as usual wrote to it |
//! | otherwise | `changed` |
//!
//! The system changes the ctime at each write, and programs cannot set it. But `chmod`, a hard
//! link, a restored backup, a copy to another disk and a clone also change it, or the inode number.
//! They keep size and modification time. The content must then be the same too, so a difference
//! needs an explanation that only the user can give.

use crate::files::input::os_name;
use crate::files::paths::above;
use crate::files::walk::closing;
use crate::manifest::text::{Kind, Record, Stamp, check_of};
use crate::text::table::{Parser, Value, choices, values};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which files of a tree are read, what counts as a difference, and what follows from one.
#[derive(Default)]
pub struct Policy {
    /// Whether files are not read whose metadata are as in the manifest.
    pub quick: bool,
    /// Whether only names are compared, and no file is read.
    pub names_only: bool,
    /// The part whose files are read, if not all are.
    pub part: Option<Part>,
    /// Whether sizes are not compared. A list may lack them.
    pub without_sizes: bool,
    /// Whether the new content of suspect and corrupt files is accepted.
    pub accept: bool,
    /// Tells which directories are empty, if the records of their files are kept.
    pub emptied: Option<Emptied>,
    /// Whether differences are written as JSON objects.
    pub json: bool,
}

choices! {
    /// A kind of difference.
    pub enum Status {
        Added = "added",
        Removed = "removed",
        /// Removed, but the record is kept, because the directory is empty.
        Missing = "missing",
        Moved = "moved",
        Changed = "changed",
        /// The content is the same, but not the mode.
        Mode = "mode",
        Suspect = "suspect",
        Corrupt = "corrupt",
        /// Suspect or corrupt, and accepted by the user.
        Accepted = "accepted",
        Unreadable = "unreadable",
        /// A new file has the content of one that was suspect, corrupt or unreadable.
        Repaired = "repaired",
    }
}

impl Status {
    /// Returns whether the content may be damaged, so that the old record must be kept.
    pub fn is_alarm(self) -> bool {
        matches!(self, Status::Suspect | Status::Corrupt)
    }
}

/// One of several parts of a tree. A file belongs to a part by its name alone, so that it stays in
/// its part when other files come and go.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Counted from 0.
    number: u64,
    of: NonZero<u64>,
}

impl Part {
    pub fn has(self, name: &[u8]) -> bool {
        u64::from_be_bytes(check_of(&[name])) % self.of == self.number
    }
}

values!(Part);

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Part, &'static str> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let of: NonZero<u64> = of.parse().ok()?;
            let number = number.parse::<u64>().ok()?.checked_sub(1)?;
            (number < of.get()).then_some(Part { number, of })
        };
        parse().ok_or("expected a part and the number of parts, such as 3/30")
    }
}

/// A time that has passed, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Age(i64);

impl Age {
    /// Returns the time that was so long before `now`, or `None` if there are no such times.
    pub fn before(self, now: Timestamp) -> Option<Timestamp> {
        now.checked_sub(SignedDuration::from_secs(self.0)).ok()
    }
}

values!(Age);

impl FromStr for Age {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Age, &'static str> {
        let parse = || {
            let unit = match text.chars().next_back()? {
                's' => 1,
                'm' => 60,
                'h' => 60 * 60,
                'd' => 24 * 60 * 60,
                'w' => 7 * 24 * 60 * 60,
                _ => return None,
            };
            i64::from(text[..text.len() - 1].parse::<u32>().ok()?).checked_mul(unit).map(Age)
        };
        parse().ok_or("expected a number of s, m, h, d or w, such as 12h, 30d or 4w")
    }
}

/// Returns the meaning of a difference between the contents of two records.
pub fn difference(old: &Record, new: &Record) -> Status {
    let (Kind::File(_), Kind::File(_)) = (&old.kind, &new.kind) else { return Status::Changed };
    let (old, new) = (&old.stamp, &new.stamp);
    let same = |a: Option<Timestamp>, b: Option<Timestamp>| a.is_some() && a == b;
    if same(old.changed, new.changed) && old.inode.is_some() && old.inode == new.inode {
        return Status::Corrupt;
    }
    if old.size == new.size && is_same_time(old.modified, new.modified) {
        return Status::Suspect;
    }
    Status::Changed
}

/// Returns whether two modification times are the same. Archives and some file systems store only
/// whole seconds, so a time without a fraction equals all times of its second.
fn is_same_time(old: Option<Timestamp>, new: Option<Timestamp>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return false };
    let is_whole = |time: Timestamp| time.subsec_nanosecond() == 0;
    old == new || old.as_second() == new.as_second() && (is_whole(old) || is_whole(new))
}

/// The metadata by which a renamed file is recognised, whatever its content is.
pub type Identity = (u64, u64, Timestamp);

/// Returns the identity of a file. Returns `None` if the system has no inode numbers or times.
pub fn identity(stamp: &Stamp) -> Option<Identity> {
    Some((stamp.inode?, stamp.size, stamp.modified?))
}

/// Returns why the removal of records is more likely a mistake, such as a disk that is not mounted,
/// than the user's intention. Returns `None` if it is not.
///
/// `removed` is the number of removed records, out of `records` in the manifest.
pub fn mass_removal(root: &Path, removed: u64, records: u64) -> Option<String> {
    if removed > 0 && is_empty(root) {
        return Some(format!("{} is empty", root.display()));
    }
    let are_many = 2 * removed > records;
    are_many.then(|| format!("{removed} of {records} recorded files are missing"))
}

/// The directories of a tree that are empty. The mount point of a disk that is not mounted is an
/// empty directory.
pub struct Emptied {
    root: PathBuf,
    /// Whether a directory is empty, for those that were asked for.
    known: HashMap<Vec<u8>, bool>,
}

impl Emptied {
    pub fn new(root: &Path) -> Emptied {
        Emptied { root: root.to_owned(), known: HashMap::new() }
    }

    /// Returns the directory above `name` in the tree that is there and empty.
    pub fn above<'a>(&mut self, name: &'a [u8]) -> Option<&'a [u8]> {
        above(name).find(|&directory| {
            self.known.get(directory).copied().unwrap_or_else(|| {
                let empty = is_empty(&self.root.join(os_name(directory)));
                self.known.insert(directory.to_vec(), empty);
                empty
            })
        })
    }
}

fn is_empty(directory: &Path) -> bool {
    let is_empty = || fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
    closing(is_empty).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_whole_seconds() {
        let time = |second, nanosecond| Timestamp::new(second, nanosecond).ok();
        assert!(is_same_time(time(7, 5), time(7, 5)));
        assert!(is_same_time(time(7, 5), time(7, 0)) && is_same_time(time(7, 0), time(7, 5)));
        assert!(!is_same_time(time(7, 5), time(7, 6)) && !is_same_time(time(7, 0), time(8, 0)));
        assert!(!is_same_time(None, None));
    }
}
