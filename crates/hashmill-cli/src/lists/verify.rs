//! Checks files against a list of any format, counts and reports the results, and determines the
//! exit status.

use crate::files::job::{Job, Jobs, Next, Outcome, Wait, Wanted};
use crate::files::lines::Lines;
use crate::files::pool::{self, Source};
use crate::files::reader::{self, Opened};
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Format, Records, Verbosity};
use crate::lists::gotree;
use crate::lists::named::{Named, Only};
use crate::lists::place::{Base, Place};
use crate::terminal::console::{Console, Failure, reason};
use crate::text::counted::counted;
use crate::text::json;
use std::fs::File;
use std::io;

/// Options for the report and for the conditions of failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub verbosity: Verbosity,
    /// Whether improperly formatted lines are failures.
    pub strict: bool,
    /// Whether missing files are ignored instead of being failures.
    pub ignore_missing: bool,
    /// Whether a JSON object is written for each file instead of a line.
    pub json: bool,
    /// Whether a file that is not there under its name is looked for under the same name in Unicode's
    /// other normal form. A Mac decomposes names (NFD), and most other systems keep what was typed (NFC).
    pub other_forms: bool,
    /// Called with the name of a list that cannot be read or that has no line of a list.
    pub no_list: Option<fn(&mut Console, &[u8])>,
}

impl Report {
    fn no_list(&self, console: &mut Console, name: &[u8]) {
        if let Some(no_list) = self.no_list.filter(|_| self.verbosity != Verbosity::Status) {
            no_list(console, name);
        }
    }
}

/// The numbers of lines and files of one list, by result.
#[derive(Default)]
struct Counts {
    proper: u64,
    improper: u64,
    matched: u64,
    mismatched: u64,
    unreadable: u64,
}

impl Counts {
    fn well(&self, report: &Report) -> bool {
        self.proper > 0
            && self.mismatched == 0
            && self.unreadable == 0
            && !(report.strict && self.improper > 0)
            && !(report.ignore_missing && self.matched == 0)
    }
}

/// A list: its path, and the rules for the paths of its files.
pub struct List<'a> {
    pub place: &'a Place,
    /// Where the paths of the files in the list are added, if they are needed.
    pub named: Option<&'a Named>,
    /// The files that are checked, if not all are.
    pub only: Option<&'a Only>,
}

impl List<'_> {
    pub fn name(&self) -> &[u8] {
        &self.place.list
    }

    fn is_stdin(&self) -> bool {
        self.name() == b"-"
    }

    /// Returns the list's name in messages.
    fn shown(&self) -> &[u8] {
        if self.is_stdin() { b"standard input" } else { self.name() }
    }
}

/// The result of checking a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Whether all is well.
    pub well: bool,
    /// The number of files whose digests were compared.
    pub files: u64,
}

/// Checks the files of one list.
pub fn list(
    console: &mut Console,
    jobs: Jobs,
    list: &List,
    format: &mut dyn Format,
    report: &Report,
) -> Result<Checked, Failure> {
    match console.open(list.name()) {
        Ok(file) => contents(console, jobs, list, file, format, report),
        Err(error) => {
            let problem = if list.is_stdin() { "read error".to_owned() } else { reason(&error) };
            console.say_of(list.shown(), problem);
            report.no_list(console, list.name());
            Ok(Checked::default())
        }
    }
}

/// Checks the files of an open list.
pub fn contents(
    console: &mut Console,
    jobs: Jobs,
    list: &List,
    opened: File,
    format: &mut dyn Format,
    report: &Report,
) -> Result<Checked, Failure> {
    let mut lines = Lines::new(opened);
    let mut unreadable = false;
    if format.decodes() {
        match lines.decode() {
            Ok(start) => format.begin(&start),
            Err(_) => unreadable = true,
        }
    }
    // The number of proper lines about files that are not selected.
    let mut others = 0;
    // Further records of the last line, which may have several.
    let mut more: Vec<Line> = Vec::new();
    let mut source = |wait| {
        loop {
            if unreadable {
                return Next::End;
            }
            if let Some(line) = more.pop() {
                return Next::Job(line);
            }
            if wait == Wait::No && lines.would_wait() {
                return Next::Later;
            }
            let (number, records) = match records(&mut lines, format) {
                Ok(Some(read)) => read,
                Ok(None) => return Next::End,
                Err(_) => {
                    unreadable = true;
                    return Next::End;
                }
            };
            more.extend(records.into_iter().rev().filter_map(|entry| {
                let Some(entry) = entry.filter(|it| !(list.is_stdin() && it.name == b"-")) else {
                    return Some(Line::Improper(number, format.label()));
                };
                let (path, form) = list.place.found(&entry, report.other_forms);
                if list.only.is_some_and(|only| !only.has(&entry.name, &path)) {
                    others += 1;
                    return None;
                }
                Some(Line::File(Box::new(Listed { entry, path, form, number })))
            }));
        }
    };
    let mut counts = check(console, jobs, Some(list), &mut source, report)?;
    counts.proper += others;
    let files = counts.matched + counts.mismatched;
    if unreadable {
        console.say_of(list.shown(), "read error");
        report.no_list(console, list.name());
        return Ok(Checked { well: false, files });
    }
    for note in format.notes(report.verbosity) {
        console.say_of(list.shown(), note);
    }
    conclude(console, Some(list.shown()), report, &counts);
    if counts.proper == 0 {
        report.no_list(console, list.name());
    }
    let fault = format.fault();
    if let Some(fault) = &fault {
        console.say_of(list.shown(), fault);
    }
    Ok(Checked { well: fault.is_none() && counts.well(report), files })
}

/// Checks the files of a source and reports their results. Returns the numbers of the results.
fn check(
    console: &mut Console,
    jobs: Jobs,
    list: Option<&List>,
    source: &mut Source<Line>,
    report: &Report,
) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    pool::run(console, jobs, source, &mut |console, line, outcome| match line {
        Line::File(listed) => {
            counts.proper += 1;
            if let Some(named) = list.and_then(|it| it.named) {
                named.add(&listed.path);
            }
            match outcome.or_else(|| gotree::digest(&listed.entry, &listed.path)) {
                Some(outcome) => file(console, &listed, list, outcome, report, &mut counts),
                None => Ok(()),
            }
        }
        Line::Improper(number, label) => {
            counts.improper += 1;
            if report.json && report.verbosity != Verbosity::Status {
                let mut record = json::Record::new();
                put_place(&mut record, list, number);
                record.insert("status".to_owned(), "improper".into());
                console.print(json::line(record))?;
            }
            if let Some(list) = list.filter(|_| report.verbosity == Verbosity::Warn) {
                let message = format!("{number}: improperly formatted {label}checksum line");
                console.say_of(list.shown(), message);
            }
            Ok(())
        }
    })?;
    Ok(counts)
}

/// Reads a line of a list and parses it. Returns its number too, or `None` at the end of the list. A
/// line that is too long for its format is not understood. A record that only the end completes has
/// the number of the last line.
fn records(lines: &mut Lines, format: &mut dyn Format) -> io::Result<Option<(u64, Records)>> {
    let Some(line) = lines.piece()? else {
        let records = format.end();
        return Ok((!records.is_empty()).then(|| (lines.number(), records)));
    };
    let number = line.number;
    if line.whole || format.reads_pieces() {
        let text = line.text.strip_suffix(b"\r").unwrap_or(line.text);
        return Ok(Some((number, format.parse(text))));
    }
    lines.skip_rest()?;
    Ok(Some((number, vec![None])))
}

/// Calls `take` with each record of a list, or `None` for one that was not understood, and the number
/// of its line.
pub fn each(
    name: &[u8],
    opened: File,
    format: &mut dyn Format,
    take: &mut dyn FnMut(u64, Option<Entry>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::of(name, reason(&error));
    let mut lines = Lines::new(opened);
    format.begin(&lines.decode().map_err(failed)?);
    while let Some((number, records)) = records(&mut lines, format).map_err(failed)? {
        records.into_iter().try_for_each(|entry| take(number, entry))?;
    }
    Ok(())
}

/// Checks files against the digests that the command line gives. Returns whether all is well.
pub fn entries(
    console: &mut Console,
    jobs: Jobs,
    place: &Place,
    entries: &mut dyn Iterator<Item = Entry>,
    report: &Report,
) -> Result<bool, Failure> {
    let mut entries = entries.map(|entry| {
        let path = place.path(&entry);
        Line::File(Box::new(Listed { entry, path, form: None, number: 0 }))
    });
    let mut source = |_| entries.next().map_or(Next::End, Next::Job);
    let counts = check(console, jobs, None, &mut source, report)?;
    conclude(console, None, report, &counts);
    Ok(counts.well(report))
}

/// A line of a list in the pool.
enum Line {
    File(Box<Listed>),
    /// An improperly formatted line: its number, and the expected kind of line.
    Improper(u64, String),
}

struct Listed {
    entry: Entry,
    path: Vec<u8>,
    /// Unicode's normal form of the name on the disk, if that in the list has another one.
    form: Option<&'static str>,
    number: u64,
}

impl Job for Line {
    fn file(&self) -> Option<Wanted<'_>> {
        match self {
            Line::File(listed) if listed.entry.tree.is_none() => {
                let (name, recipes) = (&listed.path, &listed.entry.recipes);
                Some(Wanted { name, recipes, regular: false })
            }
            _ => None,
        }
    }
}

/// Reads a file again and computes the digests of the other recipes that the expected digest may
/// belong to. Returns the recipe that matches. Only a regular file can be read again.
fn other_recipe(listed: &Listed) -> Option<&Recipe> {
    let others = listed.entry.others();
    if others.is_empty() || listed.path == b"-" {
        return None;
    }
    let Ok(Opened::Regular(file, _)) = reader::open(&listed.path, false) else { return None };
    let values = reader::digests(&file, b"", others, Jobs::default(), &mut |_| true).ok()?;
    listed.entry.is_other(&values)
}

fn file(
    console: &mut Console,
    listed: &Listed,
    list: Option<&List>,
    outcome: Outcome,
    report: &Report,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let entry = &listed.entry;
    let shows_path = list.is_some_and(|it| matches!(it.place.base, Base::List));
    let shown = if shows_path { &listed.path } else { &entry.name };
    let (mut problem, mut guessed) = (None, None);
    let is_well = match outcome {
        Err(error) if report.ignore_missing && error.kind() == io::ErrorKind::NotFound => {
            return Ok(());
        }
        Err(error) => {
            console.say_of(shown, reason(&error));
            problem = Some(reason(&error));
            false
        }
        Ok(values) if entry.is(&values) => true,
        Ok(_) => {
            console.flush()?;
            guessed = other_recipe(listed).map(Recipe::to_string);
            guessed.is_some()
        }
    };
    let (count, result, status) = match (is_well, &problem) {
        (true, _) => (&mut counts.matched, "OK", "ok"),
        (false, None) => (&mut counts.mismatched, "FAILED", "failed"),
        (false, Some(_)) => (&mut counts.unreadable, "FAILED open or read", "unreadable"),
    };
    *count += 1;
    match report.verbosity {
        Verbosity::Status => return Ok(()),
        Verbosity::Quiet if is_well => return Ok(()),
        _ => {}
    }
    if !report.json {
        let guessed = guessed.map_or(String::new(), |guessed| format!(" ({guessed})"));
        let form = listed.form.map_or(String::new(), |form| format!(" (its name is in {form})"));
        let line = format!("{}: {result}{guessed}{form}\n", console.quote_name(shown));
        return console.print(line);
    }
    let mut record = json::of_file(&entry.name);
    let expected = || entry.claims.iter().flatten();
    let names: Vec<String> = expected().map(|it| it.names()).collect();
    let texts: Vec<_> = expected().map(|it| String::from_utf8_lossy(&it.text)).collect();
    record.insert("algorithm".to_owned(), guessed.unwrap_or_else(|| names.join(", ")).into());
    record.insert("expected".to_owned(), texts.join(", ").into());
    record.insert("status".to_owned(), status.into());
    if let Some(form) = listed.form {
        record.insert("form".to_owned(), form.into());
    }
    if let Some(problem) = problem {
        record.insert("error".to_owned(), problem.into());
    }
    put_place(&mut record, list, listed.number);
    console.print(json::line(record))
}

fn put_place(record: &mut json::Record, list: Option<&List>, number: u64) {
    if let Some(list) = list {
        json::put_name(record, "list", list.name());
        record.insert("line".to_owned(), number.into());
    }
}

fn conclude(console: &mut Console, list: Option<&[u8]>, report: &Report, counts: &Counts) {
    let say = |console: &mut Console, message: &str| match list {
        Some(list) => console.say_of(list, message),
        None => console.say(message),
    };
    if counts.proper == 0 {
        let lines = "no properly formatted checksum lines found";
        return say(console, if list.is_some() { lines } else { "no file was verified" });
    }
    if report.verbosity == Verbosity::Status {
        return;
    }
    for (count, one, several) in [
        (counts.improper, "line is improperly formatted", "lines are improperly formatted"),
        (counts.unreadable, "listed file could not be read", "listed files could not be read"),
        (counts.mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
    ] {
        if count > 0 {
            console.say(format!("WARNING: {}", counted(count, one, several)));
        }
    }
    if report.ignore_missing && counts.matched == 0 {
        say(console, "no file was verified");
    }
}
