//! The manifest in the making, which survives a kill.
//!
//! ```text
//! FILE.partial   the lock, and the journal: a record is appended as soon as its file is hashed
//! FILE.resume    what earlier runs that were killed had in theirs, in order
//! FILE.new       the manifest, whole, before it gets its name
//! ```
//!
//! A run first locks the journal, or a new one, and makes sure that what it has locked still is
//! what has the name. Then it merges what a killed run left in the journal into FILE.resume, by
//! writing a new one and renaming it, so that it can be killed at any point and begin again. Files
//! that are recorded there and have not changed since are not read again. In the end the journal is
//! put in order and written as the manifest. All that is read from the journal is read through the
//! descriptor that is locked, and nothing is renamed if the journal has lost its name: somebody
//! else may be at work.
//!
//! What begins with another line than [`VERSION`] is not ours: it is neither written nor removed.

use crate::files::job::WINDOW;
use crate::manifest::fresh::{
    Access, Fresh, has_name, open_ours, remove, rename_without_replacing, sync_directory,
};
use crate::manifest::text::{Form, Formatter, Header, Problem, Reader, Record, VERSION, order};
use crate::manifest::time::Times;
use crate::manifest::trouble::Trouble;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A crash of the system loses at most what was hashed in such a time; a kill loses nothing.
const SYNC: Duration = Duration::from_secs(5);

/// The command that a journal is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Create,
    Update,
}

impl Command {
    fn name(self) -> &'static str {
        match self {
            Command::Create => "create",
            Command::Update => "update",
        }
    }
}

/// The names of a manifest and of what is beside it while it is made.
#[derive(Clone)]
pub struct Paths {
    /// As the user named it.
    pub named: PathBuf,
    /// The same, or where a symbolic link of that name leads.
    pub manifest: PathBuf,
    partial: PathBuf,
    pub resume: PathBuf,
    new: PathBuf,
}

impl Paths {
    pub fn of(named: &Path) -> Result<Paths, Trouble> {
        let manifest = match fs::symlink_metadata(named) {
            Ok(metadata) if metadata.is_symlink() => {
                fs::canonicalize(named).map_err(Trouble::with(named))?
            }
            _ => named.to_owned(),
        };
        let beside = |suffix: &str| {
            let mut name = manifest.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        Ok(Paths {
            named: named.to_owned(),
            partial: beside(".partial"),
            resume: beside(".resume"),
            new: beside(".new"),
            manifest,
        })
    }

    pub fn all(&self) -> [&Path; 5] {
        [&self.named, &self.manifest, &self.partial, &self.resume, &self.new]
    }

    /// Whether a run has left its work.
    pub fn is_interrupted(&self) -> bool {
        self.partial.exists() || self.resume.exists()
    }

    /// Keeps all others from making this manifest, for a command.
    pub fn lock(&self, command: Command) -> Result<Locked, Trouble> {
        let file = self.locked(command)?;
        // Whatever else has our names is found before anything is done.
        open_ours(&self.resume)?;
        open_ours(&self.new)?;
        Ok(Locked { paths: self.clone(), command, file })
    }

    fn locked(&self, command: Command) -> Result<File, Trouble> {
        // Between opening and locking, another run may end and remove what was opened.
        for _ in 0..1000 {
            let file = match open_ours(&self.partial)? {
                Some(file) => file,
                None => match self.new_journal(command) {
                    Ok(file) => file,
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(error) => return Err(Trouble::with(&self.named)(error)),
                },
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Trouble::new(&self.named, "Another run makes this manifest"));
                }
                Err(TryLockError::Error(error)) => return Err(Trouble::with(&self.partial)(error)),
            }
            if has_name(&file, &self.partial).map_err(Trouble::with(&self.partial))? {
                return Ok(file);
            }
        }
        Err(Trouble::new(&self.named, "Other runs make this manifest"))
    }

    /// A journal without records, which has its first lines as soon as it has its name.
    fn new_journal(&self, command: Command) -> io::Result<File> {
        let fresh = Fresh::create(&self.partial, &Access::Private)?;
        (&fresh.file).write_all(head(command).as_bytes())?;
        fresh.publish(&self.partial)?;
        // All writing is appending from now on.
        match open_ours(&self.partial) {
            Ok(Some(file)) => Ok(file),
            _ => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }
}

/// What a journal begins with.
fn head(command: Command) -> String {
    format!("{VERSION}\n# journal {}\n", command.name())
}

/// A manifest that nobody else makes.
pub struct Locked {
    paths: Paths,
    command: Command,
    file: File,
}

impl Locked {
    /// Whether the manifest that is there was made by a run of this command, which was killed
    /// before it had removed its journal.
    pub fn was_complete(&self) -> Result<bool, Trouble> {
        let path = &self.paths.partial;
        let reader = self.file.try_clone().map_err(Trouble::with(path))?;
        (&reader).rewind().map_err(Trouble::with(path))?;
        let left = Reader::new(reader).ok();
        Ok(left.is_some_and(|left| left.journal_of.as_deref() == Some(self.command.name())))
    }

    /// A new journal, after what a killed run has left is put into FILE.resume.
    pub fn begin(self, header: Header) -> Result<Journal, Trouble> {
        let Locked { paths, command, mut file } = self;
        recover(&paths, &file, &header)?;
        let (text, _) = header.text();
        // The first line never goes: without it, the journal would not be ours.
        let head = head(command);
        let written = file.set_len(VERSION.len() as u64 + 1).and_then(|()| {
            file.write_all(&[&head.as_bytes()[VERSION.len() + 1..], &text].concat())
        });
        written.map_err(Trouble::with(&paths.partial))?;
        let (waiting, synced) = (Vec::new(), Instant::now());
        let writing = Mutex::new(Writing { file, waiting, synced, outcome: Ok(()) });
        Ok(Journal { paths, form: Form::new(&header), header, writing })
    }
}

/// Puts what a killed run has left into FILE.resume, for a run with this header.
fn recover(paths: &Paths, journal: &File, header: &Header) -> Result<(), Trouble> {
    let partial = left(journal, &paths.partial, header)?;
    let resume = match open_ours(&paths.resume)? {
        Some(file) => left(&file, &paths.resume, header)?,
        None => None,
    };
    let Some(partial) = partial else {
        if resume.is_none() {
            remove(&paths.resume).map_err(Trouble::with(&paths.resume))?;
        }
        return Ok(());
    };
    let mut partial = Sorted::new(partial);
    let mut resume = resume.map(Sorted::new);
    let next_older = |resume: &mut Option<Sorted>| match resume {
        Some(resume) => resume.next().map_err(|problem| damaged(&paths.resume, &problem)),
        None => Ok(None),
    };
    let mut older = next_older(&mut resume)?;
    let mut newer = partial.next().map_err(|problem| damaged(&paths.partial, &problem))?;
    let mut writer = Writer::create(&paths.new, header, &Access::Private)?;
    while let Some(record) = match (&newer, &older) {
        // The newer record of a file counts.
        (Some(a), Some(b)) => match order(&a.name, &b.name) {
            Ordering::Greater => older.take(),
            Ordering::Equal => {
                older = None;
                newer.take()
            }
            Ordering::Less => newer.take(),
        },
        (Some(_), None) => newer.take(),
        (None, _) => older.take(),
    } {
        writer.put(&record)?;
        if newer.is_none() {
            newer = partial.next().map_err(|problem| damaged(&paths.partial, &problem))?;
        }
        if older.is_none() {
            older = next_older(&mut resume)?;
        }
    }
    writer.finish()?;
    let renamed =
        fs::rename(&paths.new, &paths.resume).and_then(|()| sync_directory(&paths.resume));
    renamed.map_err(Trouble::with(&paths.resume))
}

/// What a killed run has left, if it was to become a manifest with this header.
fn left(file: &File, path: &Path, header: &Header) -> Result<Option<Reader>, Trouble> {
    let mut file = file.try_clone().map_err(Trouble::with(path))?;
    file.rewind().map_err(Trouble::with(path))?;
    match Reader::new(file) {
        Ok(reader) if reader.header == *header => Ok(Some(reader)),
        // One of other algorithms or rules, or one that was killed before its header was written.
        Ok(_) | Err(Problem::CutOff | Problem::Improper(_) | Problem::NoManifest) => Ok(None),
        Err(problem) => Err(damaged(path, &problem)),
    }
}

/// Says how to go on, too.
fn damaged(path: &Path, problem: &Problem) -> Trouble {
    let message = format!("{}. Remove this file to begin again", problem.message());
    Trouble::new(path, message)
}

/// Whether the manifest may exist when it is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    Yes,
    No,
}

/// The records that are appended, by any thread.
pub struct Journal {
    pub paths: Paths,
    pub header: Header,
    form: Form,
    writing: Mutex<Writing>,
}

struct Writing {
    file: File,
    /// Records that are found again without reading a file: a kill may lose them.
    waiting: Vec<u8>,
    synced: Instant,
    outcome: io::Result<()>,
}

impl Writing {
    fn write(&mut self) {
        let Writing { file, waiting, synced, outcome } = self;
        if outcome.is_ok() {
            *outcome = file.write_all(waiting);
            waiting.clear();
            if outcome.is_ok() && synced.elapsed() >= SYNC {
                *outcome = file.sync_data();
                *synced = Instant::now();
            }
        }
    }
}

impl Journal {
    /// Appends the record of a file that was hashed.
    pub fn append(&self, record: &Record) {
        self.add(record, 0);
    }

    /// Appends, sooner or later, a record that is found again without reading a file.
    pub fn repeat(&self, record: &Record) {
        self.add(record, 64 << 10);
    }

    /// Appends a record, unless no more than `may_wait` bytes wait.
    fn add(&self, record: &Record, may_wait: usize) {
        let (text, _) = record.text(&self.form, &mut Times::default());
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        writing.waiting.extend(text);
        if writing.waiting.len() > may_wait {
            writing.write();
        }
    }

    /// Whether all records could be appended.
    pub fn check(&self) -> Result<(), Trouble> {
        let mut guard = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut guard.outcome, Ok(())).map_err(Trouble::with(&self.paths.named))
    }

    /// The records that were appended, in order.
    pub fn records(&self) -> Result<Records, Trouble> {
        let path = &self.paths.partial;
        let mut guard = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        guard.write();
        std::mem::replace(&mut guard.outcome, Ok(())).map_err(Trouble::with(&self.paths.named))?;
        let mut file = guard.file.try_clone().map_err(Trouble::with(path))?;
        file.rewind().map_err(Trouble::with(path))?;
        let reader = Reader::new(file).map_err(|problem| damaged(path, &problem))?;
        Ok(Records { records: Sorted::new(reader), path: path.clone() })
    }

    /// The writer of the manifest.
    pub fn manifest(&self) -> Result<Writer, Trouble> {
        let old = fs::metadata(&self.paths.manifest).ok();
        let access = old.as_ref().map_or(Access::Usual, Access::Like);
        Writer::create(&self.paths.new, &self.header, &access)
    }

    /// Gives what the writer has written the manifest's name, and ends the run.
    ///
    /// With `Replace::No`, the name must not be taken: the manifest is new.
    pub fn complete(self, writer: Writer, replace: Replace) -> Result<(), Trouble> {
        let paths = &self.paths;
        let file = &self.writing.into_inner().unwrap_or_else(PoisonError::into_inner).file;
        writer.finish()?;
        if !has_name(file, &paths.partial).map_err(Trouble::with(&paths.partial))? {
            // Written again by nobody knows whom, or by nobody.
            let _ = remove(&paths.new);
            let message = "Another file has the journal's name, or none: something removed it while \
                           this run wrote it. The manifest is left as it was";
            return Err(Trouble::new(&paths.partial, message));
        }
        let renamed = match replace {
            Replace::Yes => fs::rename(&paths.new, &paths.manifest),
            Replace::No => rename_without_replacing(&paths.new, &paths.manifest),
        };
        renamed
            .and_then(|()| sync_directory(&paths.manifest))
            .map_err(Trouble::with(&paths.named))?;
        remove(&paths.resume).map_err(Trouble::with(&paths.resume))?;
        remove(&paths.partial).map_err(Trouble::with(&paths.partial))
    }
}

/// The records of a journal, in the order of their names.
pub struct Records {
    records: Sorted,
    path: PathBuf,
}

impl Records {
    pub fn next(&mut self) -> Result<Option<Record>, Trouble> {
        self.records.next().map_err(|problem| damaged(&self.path, &problem))
    }
}

/// The records of a journal in the order of their names. Files are hashed at most WINDOW before or
/// after their turn, so that the first of WINDOW records that wait is the first of all that follow.
struct Sorted {
    journal: Reader,
    ended: bool,
    /// In order. Boxed, since one that comes late moves those after it.
    waiting: VecDeque<Box<Record>>,
}

impl Sorted {
    fn new(journal: Reader) -> Sorted {
        Sorted { journal, ended: false, waiting: VecDeque::new() }
    }

    fn next(&mut self) -> Result<Option<Record>, Problem> {
        while self.waiting.len() <= WINDOW && !self.ended {
            match self.journal.next_in_journal()? {
                Some(record) => self.wait(record),
                None => self.ended = true,
            }
        }
        Ok(self.waiting.pop_front().map(|record| *record))
    }

    /// Most records come after all that wait.
    fn wait(&mut self, record: Record) {
        let before = |name: &[u8]| order(name, &record.name).is_le();
        let at = match self.waiting.back().is_none_or(|last| before(&last.name)) {
            true => self.waiting.len(),
            false => self.waiting.partition_point(|it| before(&it.name)),
        };
        self.waiting.insert(at, Box::new(record));
    }
}

/// Writes a manifest, which gets its temporary name when it is whole.
pub struct Writer {
    path: PathBuf,
    fresh: Fresh,
    buffer: BufWriter<File>,
    formatter: Formatter,
}

impl Writer {
    fn create(path: &Path, header: &Header, access: &Access) -> Result<Writer, Trouble> {
        // One that a killed run has left: nobody else has the lock.
        if open_ours(path)?.is_some() {
            remove(path).map_err(Trouble::with(path))?;
        }
        let create = || {
            let fresh = Fresh::create(path, access)?;
            let mut buffer = BufWriter::with_capacity(64 << 10, fresh.file.try_clone()?);
            buffer.write_all(format!("{VERSION}\n").as_bytes())?;
            buffer.write_all(&header.text().0)?;
            Ok((fresh, buffer))
        };
        let (fresh, buffer) = create().map_err(Trouble::with(path))?;
        Ok(Writer { path: path.to_owned(), fresh, buffer, formatter: Formatter::new(header) })
    }

    pub fn put(&mut self, record: &Record) -> Result<(), Trouble> {
        let text = self.formatter.record(record);
        self.buffer.write_all(&text).map_err(Trouble::with(&self.path))
    }

    fn finish(mut self) -> Result<(), Trouble> {
        let path = &self.path;
        let written = self
            .buffer
            .write_all(self.formatter.end().as_bytes())
            .and_then(|()| self.buffer.flush())
            .and_then(|()| self.fresh.file.sync_all())
            .and_then(|()| self.fresh.publish(path));
        written.map_err(Trouble::with(path))
    }
}
