//! Finds the differences between a manifest and a newer state: another manifest, or the tree as it
//! is.

use crate::files::paths::above;
use crate::manifest::merge::Ahead;
use crate::manifest::policy::{self, Policy, Status};
use crate::manifest::repair;
use crate::manifest::text::{Header, Kind, Record, Stamp, order};
use crate::terminal::console::{Console, Failure};
use crate::text::json;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Range;

/// Compares the records of a manifest with newer records that are passed to `put`. Both must be in
/// order. A changed record is reported at once. Added, removed and moved records are reported at
/// the end, because only then it is known which of these they are.
pub struct Comparison {
    old: Ahead,
    /// The algorithms that both manifests have: their indices in the old records and in the new
    /// ones.
    common: Vec<(usize, usize)>,
    /// The length of the pieces, if both have checks of the same pieces, and the headers' algorithms.
    pieces: Option<(u64, usize, usize)>,
    policy: Policy,
    /// What could not be read. A name must be added before the records after it are put.
    pub unreadable: Unreadable,
    added: Vec<Record>,
    removed: Vec<Record>,
    found: Found,
}

/// The result of a comparison.
#[derive(Default)]
pub struct Found {
    pub differs: bool,
    /// The number of differences of each kind.
    pub counts: BTreeMap<&'static str, u64>,
    /// Whether a file is suspect or corrupt, or is missing from an empty directory.
    pub alarm: bool,
    /// The old records that belong into the new manifest, in order: those of files that are
    /// suspect, corrupt, unreadable, or missing from an empty directory. They may be all that is left
    /// of the original content. The record of a renamed file has its new name.
    pub kept: Vec<Record>,
    /// The names, in order, that only old records have.
    pub gone: Vec<Vec<u8>>,
    /// The number of records that were removed.
    pub removed: u64,
    /// The empty directories whose records are kept, and how many these are.
    pub emptied: Vec<(Vec<u8>, u64)>,
    /// The number of old records.
    pub records: u64,
}

/// Files that could not be read and directories that could not be listed, by their names in the
/// tree. The empty name is the whole tree. A file has its metadata if the system gave them.
#[derive(Default)]
pub struct Unreadable(HashMap<Vec<u8>, Option<Stamp>>);

impl Unreadable {
    pub fn add(&mut self, name: Vec<u8>, stamp: Option<Stamp>) {
        self.0.insert(name, stamp);
    }

    /// Returns whether a name, or a directory above it, could not be read.
    fn covers(&self, name: &[u8]) -> bool {
        let mut names = above(name).chain([b"", name]);
        !self.0.is_empty() && names.any(|name| self.0.contains_key(name))
    }

    /// Returns the files of which the metadata are known, in order.
    fn files(&self) -> Vec<(&Vec<u8>, &Stamp)> {
        let mut files: Vec<_> =
            self.0.iter().filter_map(|(name, stamp)| Some((name, stamp.as_ref()?))).collect();
        files.sort_by(|a, b| order(a.0, b.0));
        files
    }
}

impl Comparison {
    /// Creates a comparison of the records `old` under the header `before` with those under the
    /// header `after`. Returns `None` if the two have no algorithm in common.
    pub fn new(old: Ahead, before: &Header, after: &Header, policy: Policy) -> Option<Comparison> {
        let place = |recipe| after.recipes.iter().position(|it| it == recipe);
        let recipes = before.recipes.iter().enumerate();
        let pieces = before.pieces.filter(|_| before.pieces == after.pieces);
        let pieces = pieces.map(|len| (len.get(), before.recipes.len(), after.recipes.len()));
        let common: Vec<_> = recipes.filter_map(|(i, recipe)| Some((i, place(recipe)?))).collect();
        (!common.is_empty()).then(|| Comparison {
            old,
            common,
            pieces,
            policy,
            unreadable: Unreadable::default(),
            added: Vec::new(),
            removed: Vec::new(),
            found: Found::default(),
        })
    }

    /// Compares a new record with the old one of the same name. Returns it if the contents are the
    /// same.
    pub fn put(&mut self, console: &mut Console, new: Record) -> Result<Option<Record>, Failure> {
        match self.take(console, Some(&new.name))? {
            None => self.added.push(new),
            Some(old) if self.is_equal(&old, &new) => {
                if let [Some(old), Some(new_mode)] = [&old, &new].map(|it| it.stamp.mode)
                    && old != new_mode
                {
                    let [from, to] = [old, new_mode].map(|mode| format!("{mode:04o}"));
                    let line = format!("{}: {from} -> {to}", console.quote_name(&new.name));
                    let fields = [("from".to_owned(), from.into()), ("to".to_owned(), to.into())];
                    let fields = fields.into_iter().collect();
                    self.report(console, Status::Mode, &new.name, &line, fields)?;
                }
                return Ok(Some(new));
            }
            Some(old) => self.judge(console, old, &new)?,
        }
        Ok(None)
    }

    /// Reports the differences that are only known at the end.
    pub fn finish(mut self, console: &mut Console) -> Result<Found, Failure> {
        self.take(console, None)?;
        self.moves(console)?;
        self.found.kept.sort_by(|a, b| order(&a.name, &b.name));
        Ok(self.found)
    }

    /// Reads the old records up to and including `name`. Those before it have no new counterpart:
    /// each is counted as removed, or kept if it could not be read. Returns the old record of
    /// `name`, if there is one.
    fn take(
        &mut self,
        console: &mut Console,
        name: Option<&[u8]>,
    ) -> Result<Option<Record>, Failure> {
        while let Some(old) = self.old.take_to(name)? {
            self.found.records += 1;
            if name == Some(&old.name) {
                return Ok(Some(old));
            }
            if self.unreadable.covers(&old.name) {
                self.say(console, Status::Unreadable, None, &old.name, &[])?;
                self.found.kept.push(old);
            } else {
                self.found.gone.push(old.name.clone());
                self.removed.push(old);
            }
        }
        Ok(None)
    }

    fn is_equal(&self, old: &Record, new: &Record) -> bool {
        match (&old.kind, &new.kind) {
            (Kind::File(a), Kind::File(b)) => {
                let same = |&(i, j): &(usize, usize)| a[i] == b[j];
                let same_size = self.policy.without_sizes || old.stamp.size == new.stamp.size;
                // A file without digests was not read.
                self.policy.names_only || b.is_empty() || same_size && self.common.iter().all(same)
            }
            (a, b) => a == b,
        }
    }

    /// Reports that the contents of two records differ. Their names differ if the file was renamed.
    fn judge(&mut self, console: &mut Console, old: Record, new: &Record) -> Result<(), Failure> {
        let status = match policy::difference(&old, new) {
            status if status.is_alarm() && self.policy.accept => Status::Accepted,
            status => status,
        };
        let from = Some(&*old.name).filter(|&name| name != new.name);
        let damaged = match (self.pieces, old.digests(), new.digests()) {
            (Some((len, i, j)), before, after) if status.is_alarm() && i < before.len() => {
                let after = after.get(j).map_or(&[][..], |checks| checks);
                repair::damaged(&before[i], after, len, old.stamp.size)
            }
            _ => Vec::new(),
        };
        self.say(console, status, from, &new.name, &damaged)?;
        if status.is_alarm() {
            self.found.alarm = true;
            self.found.kept.push(Record { name: new.name.clone(), ..old });
        }
        Ok(())
    }

    /// Finds out which of the removed files were renamed. A renamed file has the inode number, size
    /// and modification time of the removed one, or else its digests. All empty files have the
    /// same digests, so these are not compared.
    fn moves(&mut self, console: &mut Console) -> Result<(), Failure> {
        let added = std::mem::take(&mut self.added);
        let mut gone = Gone::new(std::mem::take(&mut self.removed));
        let mut from: Vec<Option<Record>> = added.iter().map(|_| None).collect();
        let mut unreadable = Vec::new();
        if !self.policy.names_only {
            let is_file = |it: &Record| matches!(it.kind, Kind::File(_));
            let key = |it: &Record| policy::identity(&it.stamp).filter(|_| is_file(it));
            let mut by_identity = gone.index(key);
            for (new, from) in added.iter().zip(&mut from) {
                *from = key(new).and_then(|key| gone.take(&mut by_identity, &key));
            }
            for (name, stamp) in self.unreadable.files() {
                let old = policy::identity(stamp).and_then(|key| gone.take(&mut by_identity, &key));
                unreadable.extend(old.map(|old| (name.clone(), old)));
            }
            let digests = |it: &Record, index: fn(&(usize, usize)) -> usize| {
                let known =
                    (it.stamp.size > 0 || self.policy.without_sizes) && !it.digests().is_empty();
                let digest = |pair| it.digests()[index(pair)].clone();
                known.then(|| self.common.iter().map(digest).collect::<Vec<_>>())
            };
            let mut by_digests = gone.index(|old| digests(old, |&(i, _)| i));
            for (new, from) in added.iter().zip(&mut from).filter(|(_, from)| from.is_none()) {
                let key = digests(new, |&(_, j)| j);
                *from = key.and_then(|key| gone.take(&mut by_digests, &key));
            }
        }
        for (name, old) in unreadable {
            self.say(console, Status::Unreadable, Some(&old.name), &name, &[])?;
            self.found.kept.push(Record { name, ..old });
        }
        for (new, from) in added.iter().zip(from) {
            match from {
                None => self.say(console, Status::Added, None, &new.name, &[])?,
                Some(old) if self.is_equal(&old, new) => {
                    self.say(console, Status::Moved, Some(&old.name), &new.name, &[])?;
                }
                Some(old) => self.judge(console, old, new)?,
            }
        }
        for old in gone.0.into_iter().flatten() {
            let emptied = self.policy.emptied.as_mut().and_then(|it| it.above(&old.name));
            let Some(directory) = emptied.map(<[u8]>::to_vec) else {
                self.say(console, Status::Removed, None, &old.name, &[])?;
                self.found.removed += 1;
                continue;
            };
            self.say(console, Status::Missing, None, &old.name, &[])?;
            // The records below one directory come one after the other.
            match self.found.emptied.last_mut().filter(|(last, _)| *last == directory) {
                Some((_, records)) => *records += 1,
                None => self.found.emptied.push((directory, 1)),
            }
            self.found.alarm = true;
            self.found.kept.push(old);
        }
        Ok(())
    }

    fn say(
        &mut self,
        console: &mut Console,
        status: Status,
        from: Option<&[u8]>,
        name: &[u8],
        damaged: &[Range<u64>],
    ) -> Result<(), Failure> {
        let (mut line, mut fields) = (console.quote_name(name), json::Record::new());
        if let Some(from) = from {
            line = format!("{} -> {line}", console.quote_name(from));
            json::put_name(&mut fields, "from", from);
        }
        if !damaged.is_empty() {
            line += &format!(": {}", repair::shown(damaged));
            fields.insert("damaged".to_owned(), repair::in_json(damaged));
        }
        self.report(console, status, name, &line, fields)
    }

    fn report(
        &mut self,
        console: &mut Console,
        status: Status,
        name: &[u8],
        line: &str,
        fields: json::Record,
    ) -> Result<(), Failure> {
        self.found.differs = true;
        *self.found.counts.entry(status.word()).or_default() += 1;
        report(console, self.policy.json, status, name, line, fields)
    }
}

/// Writes a difference: its status and the line, or a JSON object with the name, the status and the
/// fields.
pub fn report(
    console: &mut Console,
    json: bool,
    status: Status,
    name: &[u8],
    line: &str,
    fields: json::Record,
) -> Result<(), Failure> {
    if !json {
        return console.print(format!("{:8} {line}\n", status.word()));
    }
    let mut object = json::of_file(name);
    object.insert("status".to_owned(), status.word().into());
    object.extend(fields);
    console.print(json::line(object))
}

/// The records that have no new counterpart of the same name. Those that are found under another
/// name are taken out.
struct Gone(Vec<Option<Record>>);

impl Gone {
    fn new(removed: Vec<Record>) -> Gone {
        Gone(removed.into_iter().map(Some).collect())
    }

    /// Returns the indices of the records that have a key, by their keys, the first one last.
    fn index<K: Hash + Eq>(&self, key: impl Fn(&Record) -> Option<K>) -> HashMap<K, Vec<usize>> {
        let mut places: HashMap<K, Vec<usize>> = HashMap::new();
        for (index, old) in self.0.iter().enumerate().rev() {
            if let Some(key) = old.as_ref().and_then(&key) {
                places.entry(key).or_default().push(index);
            }
        }
        places
    }

    /// Takes out the first record with this key.
    fn take<K: Hash + Eq>(
        &mut self,
        places: &mut HashMap<K, Vec<usize>>,
        key: &K,
    ) -> Option<Record> {
        self.0[places.get_mut(key)?.pop()?].take()
    }
}
