//! The journal: the records of a manifest while it is made. It survives a kill.
//!
//! ```text
//! FILE.partial   the lock, and the journal: a record is appended as soon as its file is hashed
//! FILE.resume    the records from the journals of earlier, killed runs, in order
//! FILE.new       the complete manifest, before it gets its name
//! ```
//!
//! A run first locks the existing journal or a new one, and checks that the locked file still has
//! the journal's name. Then it merges the records that a killed run left in the journal into
//! FILE.resume, by writing a new file and renaming it. It can therefore be killed at any point and
//! start again. Files that are recorded in FILE.resume and have not changed since are not read
//! again. In the end, the journal's records are sorted and written as the manifest. The journal is
//! only read through the locked descriptor. Nothing is renamed if the journal has lost its name,
//! because another run may then be active.
//!
//! A file that does not begin with [`FIRST_LINE`] does not belong to this program: it is neither
//! written nor removed.

use crate::files::job::WINDOW;
use crate::manifest::fresh::{
    Access, Fresh, Replace, check_name, has_name, open_ours, remove, remove_temporary, rename,
};
use crate::manifest::merge::{Ahead, overlaid};
use crate::manifest::text::{FIRST_LINE, Form, Formatter, Header, Problem, Reader, Record, order};
use crate::manifest::time::Times;
use crate::signature::sign;
use crate::terminal::console::Failure;
use crate::text::table::{Parser, Value, choices};
use std::collections::VecDeque;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between writes of the journal to the disk. A crash of the system loses at most the
/// files that were hashed in this time; a kill of the program loses none.
const SYNC: Duration = Duration::from_secs(5);

choices! {
    /// The command that writes a journal.
    pub enum Command {
        Create = "create",
        Update = "update",
        Verify = "verify",
    }
}

/// The paths of a manifest and of the files beside it while it is made.
#[derive(Clone)]
pub struct Paths {
    /// The path as the user gave it.
    pub named: PathBuf,
    /// The same path, or the target if it is a symbolic link.
    pub manifest: PathBuf,
    partial: PathBuf,
    pub resume: PathBuf,
    new: PathBuf,
    /// The times of the last verification, and the file that replaces it.
    pub verified: PathBuf,
    pub verified_new: PathBuf,
}

impl Paths {
    pub fn of(named: &Path) -> Result<Paths, Failure> {
        let manifest = match fs::symlink_metadata(named) {
            Ok(metadata) if metadata.is_symlink() => {
                fs::canonicalize(named).map_err(Failure::with(named))?
            }
            _ => named.to_owned(),
        };
        let beside = |suffix: &str| sign::beside(&manifest, suffix);
        Ok(Paths {
            named: named.to_owned(),
            partial: beside(".partial"),
            resume: beside(".resume"),
            new: beside(".new"),
            verified: beside(".verified"),
            verified_new: beside(".verified.new"),
            manifest,
        })
    }

    /// Returns the paths of the manifest and of its signatures and journals.
    pub fn all(&self) -> Vec<PathBuf> {
        let Paths { named, manifest, partial, resume, new, verified, verified_new } = self.clone();
        let signatures = sign::EXTENSIONS.map(|extension| sign::beside(&manifest, extension));
        let own = [named, manifest, partial, resume, new, verified, verified_new];
        own.into_iter().chain(signatures).collect()
    }

    /// Returns whether an interrupted run has left its files.
    pub fn is_interrupted(&self) -> bool {
        self.partial.exists() || self.resume.exists()
    }

    fn remove_journals(&self) -> Result<(), Failure> {
        remove(&self.resume)?;
        remove(&self.partial)
    }

    /// Locks the manifest for a command, so that no other run can make it.
    pub fn lock(&self, command: Command) -> Result<Locked, Failure> {
        let file = lock(&self.partial, &self.named, command)?;
        // Other files with these names are an error before anything is changed.
        open_ours(&self.resume)?;
        open_ours(&self.new)?;
        for path in [&self.partial, &self.new] {
            remove_temporary(path)?;
        }
        Ok(Locked { paths: self.clone(), command, file })
    }
}

/// Opens the journal at `path`, or creates it, and locks it for a command on the manifest `named`.
pub fn lock(path: &Path, named: &Path, command: Command) -> Result<File, Failure> {
    // Between opening and locking, another run may end and remove the opened file.
    for _ in 0..1000 {
        let file = match open_ours(path)? {
            Some(file) => file,
            None => match new_journal(path, command) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Failure::with(named)(error)),
            },
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::new(
                    named,
                    match command {
                        Command::Verify => "Another run is verifying it",
                        _ => "Another run is writing this manifest",
                    },
                ));
            }
            Err(TryLockError::Error(error)) => return Err(Failure::with(path)(error)),
        }
        if has_name(&file, path)? {
            return Ok(file);
        }
    }
    Err(Failure::new(named, "Other runs are writing this manifest"))
}

/// Creates a journal without records. It has its first lines before it gets its name.
fn new_journal(path: &Path, command: Command) -> io::Result<File> {
    let fresh = Fresh::create(path, &Access::Private)?;
    (&fresh.file).write_all(head(command).as_bytes())?;
    fresh.publish(path)?;
    // The file is opened again for appending.
    match open_ours(path) {
        Ok(Some(file)) => Ok(file),
        _ => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

/// Returns the first lines of a journal.
pub fn head(command: Command) -> String {
    format!("{FIRST_LINE}# journal {}\n", command.word())
}

/// A manifest that is locked for this run.
pub struct Locked {
    paths: Paths,
    command: Command,
    file: File,
}

impl Locked {
    /// Returns whether the existing manifest was completed by a run of the same command that was
    /// killed before it removed its journal.
    pub fn was_complete(&self) -> bool {
        let command = Some(self.command.word());
        Reader::again(&self.file).is_ok_and(|left| left.journal_of.as_deref() == command)
    }

    /// Merges the records that a killed run has left into FILE.resume, and begins a new journal.
    pub fn begin(self, header: Header) -> Result<Journal, Failure> {
        let Locked { paths, command, mut file } = self;
        recover(&paths, &file, &header)?;
        let (text, _) = header.text();
        // The first line is never removed, because without it the file would not be recognised as a
        // journal.
        let head = head(command);
        let written = file
            .set_len(FIRST_LINE.len() as u64)
            .and_then(|()| file.write_all(&[&head.as_bytes()[FIRST_LINE.len()..], &text].concat()));
        written.map_err(Failure::with(&paths.partial))?;
        let writing = Mutex::new(Writing::new(file));
        Ok(Journal { paths, form: Form::new(&header), header, writing })
    }
}

/// Merges the records that a killed run has left into FILE.resume, if they are for the same header.
fn recover(paths: &Paths, journal: &File, header: &Header) -> Result<(), Failure> {
    let partial = left(journal, &paths.partial, header)?;
    let resume = match open_ours(&paths.resume)? {
        Some(file) => left(&file, &paths.resume, header)?,
        None => None,
    };
    let Some(partial) = partial else {
        if resume.is_none() {
            remove(&paths.resume)?;
        }
        return Ok(());
    };
    // Of two records of a file, the newer one is kept.
    let newer = sorted(&paths.partial, partial);
    let older = resume.map_or_else(Ahead::empty, |resume| sorted(&paths.resume, resume));
    write(&paths.new, header, &Access::Private, overlaid(older, newer))?;
    rename(&paths.new, &paths.resume, Replace::Yes).map_err(Failure::with(&paths.resume))
}

/// Returns a reader of a file that a killed run has left. Returns `None` if the file is for a
/// manifest with another header.
fn left(file: &File, path: &Path, header: &Header) -> Result<Option<Reader>, Failure> {
    match Reader::again(file) {
        Ok(reader) if reader.header == *header => Ok(Some(reader)),
        // The file has other algorithms or rules, or the run was killed before it had written its
        // header.
        Ok(_) | Err(Problem::CutOff | Problem::Improper(_) | Problem::NoManifest) => Ok(None),
        Err(problem) => Err(damaged(path, &problem)),
    }
}

/// Returns an error that also tells the user how to continue.
fn damaged(path: &Path, problem: &Problem) -> Failure {
    let message = format!("{}. Remove this file to begin again", problem.message());
    Failure::new(path, message)
}

/// The journal of this run. Any thread may append records to it.
pub struct Journal {
    pub paths: Paths,
    pub header: Header,
    form: Form,
    writing: Mutex<Writing>,
}

/// A file that records are appended to.
pub struct Writing {
    pub file: File,
    /// Records that have not been written yet. They can be restored without reading a file again,
    /// or by reading small files, so a kill may lose them.
    waiting: Vec<u8>,
    /// The date of the last record.
    times: Times,
    synced: Instant,
    outcome: io::Result<()>,
    /// Whether nothing was added.
    is_empty: bool,
}

impl Writing {
    pub fn new(file: File) -> Writing {
        let (waiting, times) = (Vec::new(), Times::default());
        Writing { file, waiting, times, synced: Instant::now(), outcome: Ok(()), is_empty: true }
    }

    /// Adds text to what waits, and writes it if it has more than `may_wait` bytes.
    pub fn add(&mut self, text: &[u8], may_wait: usize) {
        self.is_empty = false;
        self.waiting.extend(text);
        if self.waiting.len() > may_wait {
            self.write();
        }
    }

    pub fn write(&mut self) {
        let Writing { file, waiting, synced, outcome, .. } = self;
        if outcome.is_ok() {
            *outcome = file.write_all(waiting);
            waiting.clear();
            if outcome.is_ok() && synced.elapsed() >= SYNC {
                *outcome = file.sync_data();
                *synced = Instant::now();
            }
        }
    }

    /// Returns the first error of writing, if there was one.
    pub fn check(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.outcome, Ok(()))
    }
}

impl Journal {
    /// Appends the record of a file that was hashed, and writes it at once.
    pub fn append(&self, record: &Record) {
        self.add(record, 0);
    }

    /// Appends a record that can be restored without reading a file. It may be written later.
    pub fn repeat(&self, record: &Record) {
        self.add(record, 64 << 10);
    }

    /// Adds a record to those that wait, and writes them if they have more than `may_wait` bytes.
    fn add(&self, record: &Record, may_wait: usize) {
        let mut times = self.writing().times;
        let (text, _) = record.text(&self.form, &mut times);
        let mut writing = self.writing();
        writing.times = times;
        writing.add(&text, may_wait);
    }

    /// Returns the first error of writing the records, if there was one.
    pub fn check(&self) -> Result<(), Failure> {
        self.writing().check().map_err(Failure::with(&self.paths.named))
    }

    /// Returns whether no record was appended.
    pub fn is_empty(&self) -> bool {
        self.writing().is_empty
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the records that were appended, in order.
    fn records(&self) -> Result<Ahead, Failure> {
        let path = &self.paths.partial;
        self.writing().write();
        self.check()?;
        let reader = Reader::again(&self.writing().file);
        Ok(sorted(path, reader.map_err(|problem| damaged(path, &problem))?))
    }

    /// Removes the journal. The manifest is left as it was.
    pub fn abandon(self) -> Result<(), Failure> {
        self.paths.remove_journals()
    }

    /// Writes the manifest: the records of `old` that need not be in the journal, the journal's
    /// records, and those in `kept` instead of records of the same names. Gives it its name, and
    /// removes the journal.
    ///
    /// With `Replace::No`, fails if the name exists.
    pub fn complete(self, old: Ahead, kept: Vec<Record>, replace: Replace) -> Result<(), Failure> {
        let present = fs::metadata(&self.paths.manifest).ok();
        let access = present.as_ref().map_or(Access::Usual, Access::Like);
        let records = overlaid(overlaid(old, self.records()?), Ahead::of_list(kept));
        let (paths, file) = (&self.paths, &self.writing().file);
        write(&paths.new, &self.header, &access, records)?;
        let message = "Another file has the journal's name, or none: something removed it while this \
                       run wrote it. The manifest is left as it was";
        check_name(file, &paths.partial, &paths.new, message)?;
        rename(&paths.new, &paths.manifest, replace).map_err(Failure::with(&paths.named))?;
        paths.remove_journals()
    }
}

/// Returns the records of a journal, in the order of their names. A file is hashed at most WINDOW
/// places before or after its turn. The first of WINDOW waiting records therefore precedes all
/// records that follow.
fn sorted(path: &Path, mut journal: Reader) -> Ahead {
    // The waiting records are boxed because inserting a late record moves all records after it.
    let mut waiting: VecDeque<Box<Record>> = VecDeque::new();
    let (path, mut ended) = (path.to_owned(), false);
    Ahead::new(move || {
        while waiting.len() <= WINDOW && !ended {
            let next = journal.next_in_journal().map_err(|problem| damaged(&path, &problem))?;
            let Some(record) = next else {
                ended = true;
                break;
            };
            let before = |name: &[u8]| order(name, &record.name).is_le();
            // Most records belong at the end.
            let at = match waiting.back().is_none_or(|last| before(&last.name)) {
                true => waiting.len(),
                false => waiting.partition_point(|it| before(&it.name)),
            };
            waiting.insert(at, Box::new(record));
        }
        Ok(waiting.pop_front().map(|record| *record))
    })
}

/// Writes a manifest to a file that gets its temporary name when it is complete.
fn write(path: &Path, header: &Header, access: &Access, mut records: Ahead) -> Result<(), Failure> {
    // A file of this name was left by a killed run, because no other run can have the lock.
    if open_ours(path)?.is_some() {
        remove(path)?;
    }
    let mut formatter = Formatter::new(header);
    Fresh::write(path, access, &mut |buffer| {
        let mut put = |text: &[u8]| buffer.write_all(text).map_err(Failure::with(path));
        put(FIRST_LINE.as_bytes())?;
        put(&header.text().0)?;
        while let Some(record) = records.take_to(None)? {
            put(&formatter.record(&record))?;
        }
        put(formatter.end().as_bytes())
    })
}
