//! Finds the differences between a manifest and a newer state: another manifest, or the tree as it
//! is.

use crate::manifest::text::{Header, Kind, Problem, Reader, Record, order};
use crate::terminal::console::{Console, Failure};
use crate::text::json;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// Compares the records of a manifest with newer records that are passed to `put`. Both must be in
/// order. A changed record is reported at once. Added, removed and moved records are reported at
/// the end, because only then it is known which of these they are.
pub struct Comparison {
    old: Reader,
    next: Option<Record>,
    /// The algorithms that both manifests have: their indices in the old records and in the new
    /// ones.
    common: Vec<(usize, usize)>,
    json: bool,
    /// Whether only names are compared.
    names_only: bool,
    /// The directories of the tree that could not be read. The old records below them are kept.
    unreadable: Unreadable,
    added: Vec<Record>,
    removed: Vec<Record>,
    /// Whether no difference has been found so far.
    same: bool,
    /// Whether a corrupt file has been found.
    corrupt: bool,
}

/// Directories whose entries could not be listed, by their names in the tree. The empty name is the
/// whole tree.
#[derive(Default)]
pub struct Unreadable(HashSet<Vec<u8>>);

impl Unreadable {
    pub fn add(&mut self, name: Vec<u8>) {
        self.0.insert(name);
    }

    fn covers(&self, name: &[u8]) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let ends = name.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        ends.chain([0, name.len()]).any(|end| self.0.contains(&name[..end]))
    }
}

/// The record of a name that belongs into the new manifest.
pub enum Verdict {
    /// The new record, which was passed to `put`.
    New,
    /// The old record, which may be all that is left of the original content.
    Old(Record),
}

/// The result of `put`: old records to keep, which precede the new one, and the verdict on the new
/// one.
pub struct Compared {
    pub kept: Vec<Record>,
    pub verdict: Verdict,
}

/// An error in the old manifest, or a failure of the output.
pub enum Trouble {
    Problem(Problem),
    Failure(Failure),
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Problem(problem)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Failure(failure)
    }
}

/// The result of a whole comparison.
pub struct Found {
    pub same: bool,
    pub corrupt: bool,
    /// Old records to keep, which come after all records that were passed to `put`.
    pub kept: Vec<Record>,
}

impl Comparison {
    /// Creates a comparison. Returns `None` if the two have no algorithm in common.
    pub fn new(mut old: Reader, new: &Header, json: bool) -> Result<Option<Comparison>, Problem> {
        let place = |recipe| new.recipes.iter().position(|it| it == recipe);
        let common: Vec<(usize, usize)> = old
            .header
            .recipes
            .iter()
            .enumerate()
            .filter_map(|(i, recipe)| Some((i, place(recipe)?)))
            .collect();
        if common.is_empty() {
            return Ok(None);
        }
        let next = old.next_in_order()?;
        Ok(Some(Comparison {
            old,
            next,
            common,
            json,
            names_only: false,
            unreadable: Unreadable::default(),
            added: Vec::new(),
            removed: Vec::new(),
            same: true,
            corrupt: false,
        }))
    }

    /// Compares only names. The new records need no digests.
    pub fn of_names(self) -> Comparison {
        Comparison { names_only: true, ..self }
    }

    pub fn set_unreadable(&mut self, unreadable: Unreadable) {
        self.unreadable = unreadable;
    }

    pub fn add_unreadable(&mut self, directory: Vec<u8>) {
        self.unreadable.add(directory);
    }

    /// Reads the old records up to and including `name`. Records before it have no new counterpart:
    /// each of them is counted as removed, or returned if it must be kept because its directory
    /// could not be read. Also returns the old record of `name`, if there is one.
    fn take(
        &mut self,
        console: &mut Console,
        name: Option<&[u8]>,
    ) -> Result<(Vec<Record>, Option<Record>), Trouble> {
        let mut kept = Vec::new();
        while let Some(old) = &self.next {
            let order = name.map_or(Ordering::Less, |name| order(&old.name, name));
            if order == Ordering::Greater {
                break;
            }
            let next = self.old.next_in_order()?;
            let Some(old) = std::mem::replace(&mut self.next, next) else { break };
            if order == Ordering::Equal {
                return Ok((kept, Some(old)));
            }
            if self.unreadable.covers(&old.name) {
                self.say(console, "unreadable", None, &old.name)?;
                kept.push(old);
            } else {
                self.removed.push(old);
            }
        }
        Ok((kept, None))
    }

    fn equal(&self, old: &Record, new: &Record) -> bool {
        match (&old.kind, &new.kind) {
            (Kind::File(a), Kind::File(b)) => {
                self.names_only
                    || old.stamp.size == new.stamp.size
                        && self.common.iter().all(|&(i, j)| a[i] == b[j])
            }
            (a, b) => a == b,
        }
    }

    /// Compares a new record with the old one of the same name. A corrupt file keeps its old record
    /// unless `accept` is set.
    pub fn put(
        &mut self,
        console: &mut Console,
        new: &Record,
        accept: bool,
    ) -> Result<Compared, Trouble> {
        let (kept, old) = self.take(console, Some(&new.name))?;
        let verdict = match old {
            None => {
                self.added.push(new.clone());
                Verdict::New
            }
            Some(old) if self.equal(&old, new) => {
                if let (Some(a), Some(b)) = (old.stamp.mode, new.stamp.mode)
                    && a != b
                {
                    self.say_mode(console, a, b, &new.name)?;
                }
                Verdict::New
            }
            Some(old) => {
                let files = !old.digests().is_empty() && !new.digests().is_empty();
                if !files || !old.stamp.excludes_writing(&new.stamp) {
                    self.say(console, "changed", None, &new.name)?;
                    Verdict::New
                } else if accept {
                    self.say(console, "accepted", None, &new.name)?;
                    Verdict::New
                } else {
                    self.say(console, "corrupt", None, &new.name)?;
                    self.corrupt = true;
                    Verdict::Old(old)
                }
            }
        };
        Ok(Compared { kept, verdict })
    }

    /// Reports a file that could not be read. Returns the old records to keep, including that of
    /// the file.
    pub fn put_unreadable(
        &mut self,
        console: &mut Console,
        name: &[u8],
    ) -> Result<Vec<Record>, Trouble> {
        let (mut kept, old) = self.take(console, Some(name))?;
        if old.is_some() {
            self.say(console, "unreadable", None, name)?;
        }
        kept.extend(old);
        Ok(kept)
    }

    /// Reports the differences that are only known at the end.
    pub fn finish(&mut self, console: &mut Console) -> Result<Found, Trouble> {
        let (kept, _) = self.take(console, None)?;
        self.differences(console)?;
        Ok(Found { same: self.same, corrupt: self.corrupt, kept })
    }

    fn differences(&mut self, console: &mut Console) -> Result<(), Failure> {
        // All empty files have the same digests, so they are not reported as moved.
        let mut gone: HashMap<Vec<Vec<u8>>, Vec<usize>> = HashMap::new();
        for (index, old) in self.removed.iter().enumerate().rev() {
            if old.stamp.size > 0 && !old.digests().is_empty() && !self.names_only {
                let key = self.common.iter().map(|&(i, _)| old.digests()[i].clone()).collect();
                gone.entry(key).or_default().push(index);
            }
        }
        let removed = std::mem::take(&mut self.removed);
        let mut moved = vec![false; removed.len()];
        for new in std::mem::take(&mut self.added) {
            let digests = new.digests();
            let key: Vec<_> =
                self.common.iter().filter_map(|&(_, j)| digests.get(j).cloned()).collect();
            match gone.get_mut(&key).and_then(Vec::pop) {
                Some(index) => {
                    moved[index] = true;
                    self.say(console, "moved", Some(&removed[index].name), &new.name)?;
                }
                None => self.say(console, "added", None, &new.name)?,
            }
        }
        for (old, moved) in removed.iter().zip(moved) {
            if !moved {
                self.say(console, "removed", None, &old.name)?;
            }
        }
        Ok(())
    }

    fn say(
        &mut self,
        console: &mut Console,
        status: &str,
        from: Option<&[u8]>,
        name: &[u8],
    ) -> Result<(), Failure> {
        self.same = false;
        if self.json {
            let mut record = json::of_file(name);
            record.insert("status".to_owned(), status.into());
            if let Some(from) = from {
                json::put_name(&mut record, "from", from);
            }
            return console.print(json::line(record));
        }
        let name = console.quote_name(name);
        let from = from.map_or(String::new(), |from| format!("{} -> ", console.quote_name(from)));
        console.print(format!("{status:8} {from}{name}\n"))
    }

    fn say_mode(
        &mut self,
        console: &mut Console,
        old: u32,
        new: u32,
        name: &[u8],
    ) -> Result<(), Failure> {
        self.same = false;
        let (old, new) = (format!("{old:04o}"), format!("{new:04o}"));
        if self.json {
            let mut record = json::of_file(name);
            record.insert("status".to_owned(), "mode".into());
            record.insert("from".to_owned(), old.into());
            record.insert("to".to_owned(), new.into());
            return console.print(json::line(record));
        }
        let name = console.quote_name(name);
        console.print(format!("mode     {name}: {old} -> {new}\n"))
    }
}
