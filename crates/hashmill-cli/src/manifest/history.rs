//! When each file of a tree was last verified. `manifest verify` keeps that beside the manifest, in
//! FILE.verified, if it is asked to:
//!
//! ```text
//! # hashmill manifest 2
//! # journal verify
//! 2026-11-27T22:00:01.5Z 0d1c2b3a49586776 dir/file
//! # run 2026-11-28T22:00:00.123456789Z
//! 2026-11-28T22:00:01.25Z 51fa0e1d7f1ba2c2 dir/file
//! ```
//!
//! A line is appended for each file whose digests are as recorded: the time, a check, and the name,
//! escaped as in manifests. The check is the CRC-64 of the directory relative to the manifest, a NUL, the
//! time, the name, a NUL and the recorded digests. A line that was torn by a kill or damaged, that is
//! about another record or directory, or whose time is in the future counts as no line, and the file is
//! read. `# run` is the beginning of a run that has not ended. At its end, a run writes the
//! newest line of each recorded file to FILE.verified.new, and renames it.

use crate::files::input::bytes;
use crate::files::lines::Lines;
use crate::files::paths;
use crate::manifest::fresh::{
    Access, Fresh, Replace, check_name, open_ours, remove, remove_temporary, rename,
};
use crate::manifest::journal::{self, Command, Paths, Writing, head};
use crate::manifest::policy::Age;
use crate::manifest::text::{Check, Record, Stamp, check_of};
use crate::manifest::time::Times;
use crate::terminal::console::Failure;
use crate::text::encoding::Encoding;
use crate::text::quote::{escape_line, unescape_line};
use jiff::Timestamp;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The file with the times, which is locked for this run.
pub struct History {
    path: PathBuf,
    new: PathBuf,
    /// The directory whose files are verified.
    root: Vec<u8>,
    /// The time since when a verified file need not be read again.
    since: Option<Timestamp>,
    /// The last file that the stopped run has verified which this run continues, and how many it has.
    pub stopped: Option<(Vec<u8>, u64)>,
    state: RefCell<State>,
}

struct State {
    writing: Writing,
    /// The date of the last time that was written.
    times: Times,
    /// The lines that the file had when this run began.
    known: Newest,
    /// The lines of this run about names that had no line before.
    added: Vec<Known>,
    /// The number of records so far.
    records: u64,
}

/// What is kept of a line. There may be millions of them, so each takes 40 bytes.
#[derive(Clone, Copy)]
struct Known {
    /// The check of the name. Names can have the same one, but not the same line.
    key: Check,
    time: Timestamp,
    check: Check,
    /// Whether the line is of the run that this one continues.
    is_of_run: bool,
    /// Whether the line belongs to a record of the manifest.
    is_recorded: bool,
}

/// What the file says at the end of a run.
#[derive(Default)]
pub struct Ages {
    /// The oldest time at which one of the files was last verified.
    pub oldest: Option<Timestamp>,
    /// The number of recorded files that are there and were never verified as they are recorded.
    pub never: u64,
}

impl History {
    /// Opens the file, or creates it. With `go_on`, continues the run that was stopped, if there is
    /// one. Files that were verified in it, or in the time of `age` until now, are not due.
    ///
    /// # Errors
    /// Another run has the file, or it cannot be read or written.
    pub fn open(
        paths: &Paths,
        root: &Path,
        go_on: bool,
        age: Option<Age>,
    ) -> Result<History, Failure> {
        let relative = paths::relative(root, &paths.manifest).map_err(Failure::with(root))?;
        let root = relative.map_or_else(|| bytes(root), String::into_bytes);
        let (path, new) = (paths.verified.clone(), paths.verified_new.clone());
        let file = journal::lock(&path, &paths.named, Command::Verify)?;
        open_ours(&new)?;
        for left in [&path, &new] {
            remove_temporary(left)?;
        }
        remove(&new)?;
        let now = Timestamp::now();
        let mut known: Vec<Known> = Vec::new();
        // The number of files that the run that was stopped has verified, and the last one.
        let (mut run, mut last) = (None, Vec::new());
        let lines = each(&file, &mut |line| match line {
            Line::Run => {
                run = Some(0);
                known.iter_mut().for_each(|it| it.is_of_run = false);
            }
            // A time in the future comes from a wrong clock. If the line counted, the file would not be
            // read until then.
            Line::File { time, .. } if time > now => {}
            Line::File { key, time, check, name, .. } => {
                let is_of_run = go_on && run.is_some();
                run = run.map(|count| count + 1);
                known.push(Known { key, time, check, is_of_run, is_recorded: false });
                last = name;
            }
        });
        let was_ended = lines.map_err(Failure::with(&path))?;
        let run = run.filter(|_| go_on);
        let since = age.and_then(|age| age.before(now));
        let mut writing = Writing::new(file);
        if !was_ended {
            writing.add(b"\n", usize::MAX);
        }
        if run.is_none() {
            writing.add(format!("# run {now}\n").as_bytes(), 0);
        }
        writing.check().map_err(Failure::with(&path))?;
        let stopped = run.map(|count| (last, count)).filter(|(_, count)| *count > 0);
        let (known, added) = (Newest::of(known), Vec::new());
        let state =
            RefCell::new(State { writing, times: Times::default(), known, added, records: 0 });
        Ok(History { path, new, root, since, stopped, state })
    }

    /// Returns whether the file of a record must be read. A file that was changed after it was verified
    /// must be.
    pub fn is_due(&self, record: &Record, now: &Stamp) -> bool {
        let State { times, known, records, .. } = &mut *self.state.borrow_mut();
        *records += 1;
        let Some(known) = known.find(check_of(&[&record.name])) else { return true };
        known.is_recorded = known.check == self.check(times, known.time, record).1;
        let is_fresh = known.is_of_run || self.since.is_some_and(|since| known.time >= since);
        !(known.is_recorded && is_fresh && now.changed.is_none_or(|changed| changed <= known.time))
    }

    /// Records that a file was verified now.
    pub fn add(&self, record: &Record) -> Result<(), Failure> {
        /// A larger file is recorded at once. The records of smaller ones, which are soon read again,
        /// wait until there are some.
        const LARGE: u64 = 1 << 20;
        let State { writing, times, known, added, .. } = &mut *self.state.borrow_mut();
        let time = Timestamp::now();
        let (shown, check) = self.check(times, time, record);
        let (digits, escaped) = (Encoding::Hex.encode(&check), escape_line(&record.name));
        let name = escaped.as_ref().unwrap_or(&record.name);
        let line = [&*shown, b" ", digits.as_bytes(), b" ", name, b"\n"].concat();
        let key = check_of(&[&record.name]);
        let new = Known { key, time, check, is_of_run: true, is_recorded: true };
        match known.find(key) {
            Some(known) => *known = new,
            None => added.push(new),
        }
        writing.add(&line, if record.stamp.size < LARGE { 4096 } else { 0 });
        writing.check().map_err(Failure::with(&self.path))
    }

    /// Returns the beginning of a line, the time, and its check.
    fn check(&self, times: &mut Times, time: Timestamp, record: &Record) -> (Vec<u8>, Check) {
        let mut text = Vec::with_capacity(64 + record.name.len());
        times.write(Some(time), &mut text);
        let digests = record.digests().concat();
        let check = check_of(&[&self.root, b"\0", &text, &record.name, b"\0", &digests]);
        (text, check)
    }

    /// Ends the run: from now on, there is none to continue.
    pub fn end(self) -> Result<Ages, Failure> {
        let History { path, new, state, .. } = self;
        let State { mut writing, known: Newest { lines: mut known, .. }, added, records, .. } =
            state.into_inner();
        writing.write();
        writing.check().map_err(Failure::with(&path))?;
        known.extend(added);
        known.retain(|it| it.is_recorded);
        let oldest = known.iter().map(|it| it.time).min();
        let ages = Ages { oldest, never: records.saturating_sub(known.len() as u64) };
        let (file, mut known) = (writing.file, Newest::of(known));
        let metadata = file.metadata().map_err(Failure::with(&path))?;
        Fresh::write(&new, &Access::Like(&metadata), &mut |buffer| {
            let mut written = buffer.write_all(head(Command::Verify).as_bytes());
            each(&file, &mut |line| {
                let Line::File { key, time, check, text, .. } = line else { return };
                let known = known.find(key).filter(|it| (it.time, it.check) == (time, check));
                // A name has only one line then.
                if known.is_some_and(|it| std::mem::take(&mut it.is_recorded)) && written.is_ok() {
                    written = buffer.write_all(&[text, b"\n"].concat());
                }
            })
            .and(written)
            .map_err(Failure::with(&new))
        })?;
        check_name(&file, &path, &new, "Something removed it while this run wrote it")?;
        rename(&new, &path, Replace::Yes).map_err(Failure::with(&path))?;
        Ok(ages)
    }
}

/// A line of the file.
enum Line<'a> {
    Run,
    File { key: Check, time: Timestamp, check: Check, name: Vec<u8>, text: &'a [u8] },
}

/// The newest line of each name, found by its key. A hash table of these lines, which grows by doubling,
/// took 130 MiB for a million files; this takes 40 MiB.
struct Newest {
    /// In the order of the keys.
    lines: Vec<Known>,
    /// Where the lines begin whose keys begin with each two bytes. A search of all lines would miss the
    /// cache ten times.
    begins: Vec<usize>,
}

impl Newest {
    fn of(mut lines: Vec<Known>) -> Newest {
        lines.reverse();
        lines.sort_by_key(|it| it.key);
        lines.dedup_by_key(|it| it.key);
        let begin = |first| lines.partition_point(|it| first_bytes(it.key) < first);
        let begins = (0..=1 << 16).map(begin).collect();
        Newest { lines, begins }
    }

    fn find(&mut self, key: Check) -> Option<&mut Known> {
        let first = first_bytes(key);
        let lines = &mut self.lines[self.begins[first]..self.begins[first + 1]];
        lines.iter_mut().find(|it| it.key == key)
    }
}

/// Returns the number in the first two bytes.
fn first_bytes(key: Check) -> usize {
    usize::from(u16::from_be_bytes([key[0], key[1]]))
}

/// Calls `found` with each line that is understood. Returns whether the last line was ended.
fn each(mut file: &File, found: &mut dyn FnMut(Line)) -> io::Result<bool> {
    file.rewind()?;
    let (mut lines, mut times) = (Lines::new(file.try_clone()?), Times::default());
    while let Some(text) = lines.next()? {
        let mut time = |text| times.read(str::from_utf8(text).ok()?)?;
        let mut line = || match text.strip_prefix(b"# run ") {
            Some(begin) => time(begin).map(|_| Line::Run),
            None => {
                let mut words = text.splitn(3, |&byte| byte == b' ');
                let (time, check) = (time(words.next()?)?, Encoding::Hex.decode(words.next()?)?);
                let name = unescape_line(words.next()?)?;
                let (key, check) = (check_of(&[&name]), check.try_into().ok()?);
                Some(Line::File { key, time, check, name, text })
            }
        };
        line().into_iter().for_each(&mut *found);
    }
    Ok(lines.last_was_ended())
}
