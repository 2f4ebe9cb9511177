//! The manifest in the making, which survives a kill.
//!
//! ```text
//! FILE.partial   the journal: a record is appended as soon as its file is hashed
//! FILE.resume    what earlier runs that were killed had in theirs, in order
//! FILE.new       the manifest as it is written, before it gets its name
//! ```
//!
//! A run first merges the journal that a killed one left into FILE.resume, by writing a new one and
//! renaming it, so that it can be killed at any point and begin again. Files that have the size and time
//! recorded there are not read again. In the end the journal is put in order and written as the manifest.

use crate::files::job::WINDOW;
use crate::manifest::text::{Header, Problem, Reader, Record, end, order};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A crash of the system loses at most what was hashed in such a time; a kill loses nothing.
const SYNC: Duration = Duration::from_secs(5);

/// The names of a manifest and of what is beside it while it is made.
pub struct Paths {
    pub manifest: PathBuf,
    partial: PathBuf,
    pub resume: PathBuf,
    new: PathBuf,
}

impl Paths {
    pub fn of(manifest: &Path) -> Paths {
        let beside = |suffix: &str| {
            let mut name = manifest.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        Paths {
            manifest: manifest.to_owned(),
            partial: beside(".partial"),
            resume: beside(".resume"),
            new: beside(".new"),
        }
    }

    pub fn all(&self) -> [&Path; 4] {
        [&self.manifest, &self.partial, &self.resume, &self.new]
    }

    /// Whether a run has left its work.
    pub fn is_interrupted(&self) -> bool {
        self.partial.exists() || self.resume.exists()
    }

    /// Puts what a killed run has left into FILE.resume, for a run with this header.
    fn recover(&self, header: &Header) -> io::Result<()> {
        let mut partial = left(&self.partial, header)?.map(Sorted::new);
        let mut resume = left(&self.resume, header)?;
        if let Some(partial) = &mut partial {
            let mut older = resume.as_mut().and_then(complete);
            let mut newer = partial.next();
            let mut writer = Writer::create(&self.new, header)?;
            while let Some(record) = match (&newer, &older) {
                // The newer record of a file counts.
                (Some(a), Some(b)) => match order(&a.name, &b.name) {
                    std::cmp::Ordering::Greater => older.take(),
                    std::cmp::Ordering::Equal => {
                        older = None;
                        newer.take()
                    }
                    std::cmp::Ordering::Less => newer.take(),
                },
                (Some(_), None) => newer.take(),
                (None, _) => older.take(),
            } {
                writer.put(&record)?;
                newer = newer.or_else(|| partial.next());
                older = older.or_else(|| resume.as_mut().and_then(complete));
            }
            writer.finish()?;
            fs::rename(&self.new, &self.resume)?;
            sync_directory(&self.resume)?;
        } else if resume.is_none() {
            remove(&self.resume)?;
        }
        Ok(())
    }

    /// Writes the journal as the manifest; `each` sees the records in order.
    pub fn complete<E: From<io::Error>>(
        &self,
        header: &Header,
        each: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut journal = left(&self.partial, header)?.map(Sorted::new);
        let mut writer = Writer::create(&self.new, header)?;
        while let Some(record) = journal.as_mut().and_then(Sorted::next) {
            writer.put(&record)?;
            each(record)?;
        }
        writer.finish()?;
        fs::rename(&self.new, &self.manifest)?;
        sync_directory(&self.manifest)?;
        remove(&self.resume)?;
        remove(&self.partial)?;
        Ok(())
    }
}

/// What a killed run has left, if it was to become a manifest with this header.
fn left(path: &Path, header: &Header) -> io::Result<Option<Reader>> {
    match Reader::open(path) {
        Ok(reader) if reader.header == *header => Ok(Some(reader)),
        Err(Problem::Unreadable(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(None),
    }
}

/// The next record that is whole. After a kill the last one may be torn; after a crash of the system,
/// any that were not synced yet.
fn complete(reader: &mut Reader) -> Option<Record> {
    reader.next().ok().flatten()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes a rename in the directory last.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        #[cfg(unix)]
        Some(parent) => {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            File::open(parent)?.sync_all()
        }
        _ => Ok(()),
    }
}

/// The records that are appended, by any thread.
pub struct Journal {
    file: Mutex<(File, Instant, io::Result<()>)>,
    header: Header,
}

impl Journal {
    /// A new journal, after what a killed run has left is put into FILE.resume.
    pub fn begin(paths: &Paths, header: Header) -> io::Result<Journal> {
        let mut file = File::options().create(true).append(true).open(&paths.partial)?;
        if file.try_lock().is_err() {
            return Err(io::Error::other("Another run makes this manifest"));
        }
        paths.recover(&header)?;
        file.set_len(0)?;
        file.write_all(&header.text())?;
        Ok(Journal { file: Mutex::new((file, Instant::now(), Ok(()))), header })
    }

    pub fn append(&self, record: &Record) {
        let text = record.text(&self.header);
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, synced, outcome) = &mut *guard;
        if outcome.is_ok() {
            *outcome = file.write_all(&text);
            if outcome.is_ok() && synced.elapsed() >= SYNC {
                *outcome = file.sync_data();
                *synced = Instant::now();
            }
        }
    }

    /// Whether all records could be appended.
    pub fn check(&self) -> io::Result<()> {
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut guard.2, Ok(()))
    }
}

/// The records of a journal in the order of their names. Files are hashed at most WINDOW before or after
/// their turn, so that the first of WINDOW records that wait is the first of all that follow.
struct Sorted {
    journal: Reader,
    waiting: BinaryHeap<Reverse<ByName>>,
}

impl Sorted {
    fn new(journal: Reader) -> Sorted {
        Sorted { journal, waiting: BinaryHeap::new() }
    }

    fn next(&mut self) -> Option<Record> {
        while self.waiting.len() <= WINDOW
            && let Some(record) = complete(&mut self.journal)
        {
            self.waiting.push(Reverse(ByName(record)));
        }
        self.waiting.pop().map(|record| record.0.0)
    }
}

struct ByName(Record);

impl Ord for ByName {
    fn cmp(&self, other: &ByName) -> std::cmp::Ordering {
        order(&self.0.name, &other.0.name)
    }
}

impl PartialOrd for ByName {
    fn partial_cmp(&self, other: &ByName) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ByName {
    fn eq(&self, other: &ByName) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByName {}

/// Writes a manifest.
struct Writer<'a> {
    file: BufWriter<File>,
    header: &'a Header,
    files: u64,
}

impl<'a> Writer<'a> {
    fn create(path: &Path, header: &'a Header) -> io::Result<Writer<'a>> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(&header.text())?;
        Ok(Writer { file, header, files: 0 })
    }

    fn put(&mut self, record: &Record) -> io::Result<()> {
        self.files += 1;
        self.file.write_all(&record.text(self.header))
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(end(self.files).as_bytes())?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}
