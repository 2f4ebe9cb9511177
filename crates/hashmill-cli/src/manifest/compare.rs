//! What differs between a manifest and what comes after it: another manifest, or the tree as it is.

use crate::manifest::text::{Header, Problem, Reader, Record, order};
use crate::terminal::console::{Console, Failure};
use crate::text::json;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Compares with the records of a manifest those that are put, both in order. What is changed is written
/// at once; what is added, removed or moved in the end, for only then it is known which it is.
pub struct Comparison {
    old: Reader,
    next: Option<Record>,
    /// Where the digests that both have are in the old record and in the new one.
    common: Vec<(usize, usize)>,
    json: bool,
    added: Vec<Record>,
    removed: Vec<Record>,
    same: bool,
}

impl Comparison {
    /// `None` if the two have no algorithm in common.
    pub fn new(mut old: Reader, new: &Header, json: bool) -> Result<Option<Comparison>, Problem> {
        let place = |digest| new.recipes.iter().position(|it| it == digest);
        let common: Vec<(usize, usize)> = old
            .header
            .recipes
            .iter()
            .enumerate()
            .filter_map(|(i, digest)| Some((i, place(digest)?)))
            .collect();
        if common.is_empty() {
            return Ok(None);
        }
        let next = old.next_in_order()?;
        let (added, removed) = (Vec::new(), Vec::new());
        Ok(Some(Comparison { old, next, common, json, added, removed, same: true }))
    }

    /// Takes the old record of a name, after those before it, which nothing stands against.
    fn take(&mut self, name: &[u8]) -> Result<Option<Record>, Problem> {
        while let Some(old) = &self.next {
            let order = order(&old.name, name);
            if order == Ordering::Greater {
                break;
            }
            let old = std::mem::replace(&mut self.next, self.old.next_in_order()?);
            if order == Ordering::Equal {
                return Ok(old);
            }
            self.removed.extend(old);
        }
        Ok(None)
    }

    fn equal(&self, old: &Record, new: &Record) -> bool {
        old.stamp.size == new.stamp.size
            && self.common.iter().all(|&(i, j)| old.digests[i] == new.digests[j])
    }

    pub fn put(
        &mut self,
        console: &mut Console,
        new: Record,
    ) -> Result<Result<(), Failure>, Problem> {
        match self.take(&new.name)? {
            None => self.added.push(new),
            Some(old) if self.equal(&old, &new) => {}
            Some(_) => return Ok(self.say(console, "changed", None, &new.name)),
        }
        Ok(Ok(()))
    }

    /// A file of which it is not known whether it is changed.
    pub fn pass(&mut self, name: &[u8]) -> Result<(), Problem> {
        self.take(name).map(drop)
    }

    /// Writes what is left to say; whether nothing differs.
    pub fn finish(mut self, console: &mut Console) -> Result<Result<bool, Failure>, Problem> {
        while let Some(old) = self.next.take() {
            self.removed.push(old);
            self.next = self.old.next_in_order()?;
        }
        Ok(self.differences(console))
    }

    fn differences(&mut self, console: &mut Console) -> Result<bool, Failure> {
        // A file without a byte is like any other, and has not moved.
        let mut gone: HashMap<Vec<Vec<u8>>, Vec<usize>> = HashMap::new();
        for (index, old) in self.removed.iter().enumerate().rev() {
            if old.stamp.size > 0 {
                let key = self.common.iter().map(|&(i, _)| old.digests[i].clone()).collect();
                gone.entry(key).or_default().push(index);
            }
        }
        let removed = std::mem::take(&mut self.removed);
        let mut moved = vec![false; removed.len()];
        for new in std::mem::take(&mut self.added) {
            let key: Vec<_> = self.common.iter().map(|&(_, j)| new.digests[j].clone()).collect();
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
        Ok(self.same)
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
}
