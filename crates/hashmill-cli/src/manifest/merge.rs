//! Sequences of records in the order of their names, and merging two of them.

use crate::manifest::text::{Kind, Problem, Reader, Record, order};
use crate::terminal::console::Failure;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

/// A sequence of records in the order of their names, of which the next one is read ahead.
pub struct Ahead {
    source: Option<Box<Source>>,
    next: Option<Record>,
}

type Source = dyn FnMut() -> Result<Option<Record>, Failure>;

impl Ahead {
    pub fn new(source: impl FnMut() -> Result<Option<Record>, Failure> + 'static) -> Ahead {
        Ahead { source: Some(Box::new(source)), next: None }
    }

    pub fn empty() -> Ahead {
        Ahead { source: None, next: None }
    }

    /// Returns the records of the manifest at `path`.
    pub fn of(path: &Path, mut reader: Reader) -> Ahead {
        let path = path.to_owned();
        Ahead::new(move || reader.next_in_order().map_err(Problem::of(&path)))
    }

    /// Returns the records twice, for two readers that go through them at the same time. What only one
    /// of them has read is kept for the other, also an error.
    pub fn twice(self) -> (Ahead, Ahead) {
        let shared = Rc::new(RefCell::new((self, [VecDeque::new(), VecDeque::new()])));
        let side = |side: usize| {
            let shared = shared.clone();
            Ahead::new(move || {
                let (records, kept) = &mut *shared.borrow_mut();
                kept[side].pop_front().unwrap_or_else(|| {
                    let next = records.take_to(None);
                    kept[1 - side].push_back(next.clone());
                    next
                })
            })
        };
        (side(0), side(1))
    }

    /// Returns only the records of files.
    pub fn files(self) -> Ahead {
        self.filtered(|record| matches!(record.kind, Kind::File(_)))
    }

    /// Returns the records without those of `names`, which must be in order.
    pub fn without(self, names: Vec<Vec<u8>>) -> Ahead {
        let mut names = names.into_iter().peekable();
        self.filtered(move |record| names.next_if_eq(&record.name).is_none())
    }

    fn filtered(mut self, mut keeps: impl FnMut(&Record) -> bool + 'static) -> Ahead {
        Ahead::new(move || {
            loop {
                match self.take_to(None)? {
                    Some(record) if !keeps(&record) => {}
                    record => return Ok(record),
                }
            }
        })
    }

    /// Returns the records of a list, which must be in order.
    pub fn of_list(records: Vec<Record>) -> Ahead {
        let mut records = records.into_iter();
        Ahead::new(move || Ok(records.next()))
    }

    /// Returns the next record, unless its name is after `name`. Without `name`, returns the next
    /// record in any case.
    pub fn take_to(&mut self, name: Option<&[u8]>) -> Result<Option<Record>, Failure> {
        if self.next.is_none()
            && let Some(source) = &mut self.source
        {
            self.next = source()?;
            if self.next.is_none() {
                self.source = None;
            }
        }
        Ok(self.next.take_if(|next| name.is_none_or(|name| order(&next.name, name).is_le())))
    }

    /// Returns the record of a name. The names must be passed in order. If the manifest is damaged,
    /// no more records follow, so that the remaining files are read; the damage is reported
    /// elsewhere.
    pub fn find(&mut self, name: &[u8]) -> Option<Record> {
        loop {
            match self.take_to(Some(name)) {
                Ok(Some(next)) if next.name == name => return Some(next),
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(_) => *self = Ahead::empty(),
            }
        }
    }
}

/// Returns the records of both sequences, in order. If both have a record of a name, only that of
/// `over` is returned.
pub fn overlaid(mut base: Ahead, mut over: Ahead) -> Ahead {
    let mut held: Option<Record> = None;
    Ahead::new(move || {
        if held.is_none() {
            held = base.take_to(None)?;
        }
        let Some(record) = &held else { return over.take_to(None) };
        match over.take_to(Some(&record.name))? {
            Some(other) => {
                if other.name == record.name {
                    held = None;
                }
                Ok(Some(other))
            }
            None => Ok(held.take()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::text::Stamp;

    /// Whichever reader is ahead, both get all records and the error after them.
    #[test]
    fn records_for_two_readers() {
        let record = |name: &str| Record {
            name: name.into(),
            stamp: Stamp::default(),
            kind: Kind::Directory,
        };
        let damaged = Err(Failure::new(Path::new("m"), "damaged"));
        let mut left = vec![damaged, Ok(Some(record("b"))), Ok(Some(record("a")))];
        let (a, b) = Ahead::new(move || left.pop().expect("no reading after the error")).twice();
        let mut readers = [a, b];
        let expected = [(0, "a"), (1, "a"), (1, "b"), (1, "damaged"), (0, "b"), (0, "damaged")];
        for (reader, text) in expected {
            let found = match readers[reader].take_to(None) {
                Ok(record) => record.unwrap().name,
                Err(failure) => failure.about.unwrap().1.into_bytes(),
            };
            assert_eq!(found, text.as_bytes());
        }
    }
}
