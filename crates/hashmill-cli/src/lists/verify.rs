//! Checking files against a list: what is counted, said and returned, whatever the list's format.

use crate::files::input;
use crate::files::job::{Job, Jobs, Next, Outcome, Wait, Wanted};
use crate::files::lines::Lines;
use crate::files::pool;
use crate::hashing::recipe::{Computed, Recipe};
use crate::terminal::console::{Console, Failure, reason};
use crate::text::encoding::Encoding;
use crate::text::json;
use std::io;

/// What a line of a list says.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The digests it can be; more than one where the list does not tell.
    pub digests: Vec<Recipe>,
    pub text: Vec<u8>,
    pub encoding: Encoding,
    /// How many parts the file is to have, if they are digested one by one.
    pub parts: Option<u64>,
    pub name: Vec<u8>,
}

impl Entry {
    fn is(&self, value: &Computed) -> bool {
        self.parts == value.parts && self.encoding.is_of(&self.text, &value.bytes)
    }
}

/// How the lines of a list are read.
pub trait Format {
    /// Whether lists in UTF-16 are read too.
    fn decodes(&self) -> bool {
        false
    }

    /// Whether a line says nothing by itself and is no fault: a part of what is around the list, or of
    /// a record of several lines.
    fn passes_over(&mut self, _line: &[u8]) -> bool {
        false
    }

    /// What a line says, which has neither newline nor carriage return at its end; `None` if it is not of this format.
    fn parse(&mut self, line: &[u8]) -> Option<Entry>;

    /// The kind of line that an improperly formatted one is not: `SHA256 `, or nothing.
    fn label(&self) -> String;

    /// What the user may want to know about how the list was read.
    fn notes(&mut self, _verbosity: Verbosity) -> Vec<String> {
        Vec::new()
    }
}

/// What to report and what to fail for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub verbosity: Verbosity,
    /// Improperly formatted lines are failures.
    pub strict: bool,
    /// Missing files are not.
    pub ignore_missing: bool,
    /// A JSON object for each file instead of a line.
    pub json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    #[default]
    Normal,
    /// No `OK` lines.
    Quiet,
    /// Nothing but the exit status.
    Status,
    /// Every improperly formatted line too, by its number.
    Warn,
}

/// What came of the lines of one list.
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

/// Checks the files of one list; whether all is well.
pub fn list(
    console: &mut Console,
    jobs: Jobs,
    list: &[u8],
    format: &mut dyn Format,
    report: &Report,
) -> Result<bool, Failure> {
    let from_stdin = list == b"-";
    let list_name = if from_stdin { b"standard input" } else { list };
    let lines = if format.decodes() { Lines::decoded } else { Lines::new };
    let mut lines = match input::open(console, list).and_then(lines) {
        Ok(lines) => lines,
        Err(error) => {
            let problem = if from_stdin { "read error".to_owned() } else { reason(&error) };
            console.say_of(list_name, problem);
            return Ok(false);
        }
    };
    let mut counts = Counts::default();
    let mut number = 0u64;
    let mut unreadable = false;
    let mut source = |wait| {
        loop {
            if wait == Wait::No && lines.would_wait() {
                return Next::Later;
            }
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => return Next::End,
                Err(_) => {
                    unreadable = true;
                    return Next::End;
                }
            };
            number += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if format.passes_over(line) || line.is_empty() || line[0] == b'#' {
                continue;
            }
            let entry = format.parse(line).filter(|entry| !(from_stdin && entry.name == b"-"));
            return Next::Job(match entry {
                Some(entry) => Line::File(entry, number),
                None => Line::Improper(number, format.label()),
            });
        }
    };
    pool::run(console, jobs, &mut source, &mut |console, line, outcome| {
        match line {
            Line::File(entry, number) => {
                counts.proper += 1;
                if let Some(outcome) = outcome {
                    file(console, &entry, Some((list, number)), outcome, report, &mut counts)?;
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
                if report.verbosity == Verbosity::Warn {
                    console.say_of(
                        list_name,
                        format!("{number}: improperly formatted {label}checksum line"),
                    );
                }
            }
        }
        Ok(())
    })?;
    if unreadable {
        console.say_of(list_name, "read error");
        return Ok(false);
    }
    for note in format.notes(report.verbosity) {
        console.say_of(list_name, note);
    }
    conclude(console, Some(list_name), report, &counts);
    Ok(counts.well(report))
}

/// Checks files of which the user said what they are to be; whether all is well.
pub fn entries(
    console: &mut Console,
    jobs: Jobs,
    entries: Vec<Entry>,
    report: &Report,
) -> Result<bool, Failure> {
    let mut counts = Counts { proper: entries.len() as u64, ..Counts::default() };
    let mut entries = entries.into_iter();
    let mut source = |_| entries.next().map_or(Next::End, |entry| Next::Job(Line::File(entry, 0)));
    pool::run(console, jobs, &mut source, &mut |console, line, outcome| match (line, outcome) {
        (Line::File(entry, 0), Some(outcome)) => {
            file(console, &entry, None, outcome, report, &mut counts)
        }
        _ => Ok(()),
    })?;
    conclude(console, None, report, &counts);
    Ok(counts.well(report))
}

/// What a line of a list says, and its number.
enum Line {
    File(Entry, u64),
    /// With the kind of line that it is not.
    Improper(u64, String),
}

impl Job for Line {
    fn file(&self) -> Option<Wanted<'_>> {
        match self {
            Line::File(Entry { name, digests, .. }, _) => {
                Some(Wanted { name, recipes: digests, regular: false })
            }
            Line::Improper(..) => None,
        }
    }
}

fn file(
    console: &mut Console,
    entry: &Entry,
    place: Option<(&[u8], u64)>,
    outcome: Outcome,
    report: &Report,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let mut problem = None;
    let result = match outcome {
        Err(error) if report.ignore_missing && error.kind() == io::ErrorKind::NotFound => {
            return Ok(());
        }
        Err(error) => {
            console.say_of(&entry.name, reason(&error));
            counts.unreadable += 1;
            problem = Some(reason(&error));
            "FAILED open or read"
        }
        Ok(values) if values.iter().any(|value| entry.is(value)) => {
            counts.matched += 1;
            "OK"
        }
        Ok(_) => {
            counts.mismatched += 1;
            "FAILED"
        }
    };
    match report.verbosity {
        Verbosity::Status => return Ok(()),
        Verbosity::Quiet if result == "OK" => return Ok(()),
        _ => {}
    }
    if report.json {
        return console.print(record(entry, place, result, problem));
    }
    let line = format!("{}: {result}\n", console.quote_name(&entry.name));
    console.print(line)
}

/// What came of an entry, in JSON.
fn record(
    entry: &Entry,
    place: Option<(&[u8], u64)>,
    result: &str,
    problem: Option<String>,
) -> Vec<u8> {
    let mut record = json::of_file(&entry.name);
    let algorithms: Vec<String> = entry.digests.iter().map(Recipe::to_string).collect();
    record.insert("algorithm".to_owned(), algorithms.join(" or ").into());
    record.insert("expected".to_owned(), String::from_utf8_lossy(&entry.text).into());
    let status = match result {
        "OK" => "ok",
        "FAILED" => "failed",
        _ => "unreadable",
    };
    record.insert("status".to_owned(), status.into());
    if let Some(problem) = problem {
        record.insert("error".to_owned(), problem.into());
    }
    if let Some((list, number)) = place {
        put_place(&mut record, list, number);
    }
    json::line(record)
}

fn put_place(record: &mut json::Record, list: &[u8], number: u64) {
    json::put_name(record, "list", list);
    record.insert("line".to_owned(), number.into());
}

fn conclude(console: &mut Console, list: Option<&[u8]>, report: &Report, counts: &Counts) {
    let say = |console: &mut Console, message: &str| match list {
        Some(list) => console.say_of(list, message),
        None => console.say(message),
    };
    if counts.proper == 0 {
        return say(console, "no properly formatted checksum lines found");
    }
    if report.verbosity == Verbosity::Status {
        return;
    }
    for (count, one, several) in [
        (counts.improper, "line is improperly formatted", "lines are improperly formatted"),
        (counts.unreadable, "listed file could not be read", "listed files could not be read"),
        (counts.mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
    ] {
        match count {
            0 => {}
            1 => console.say(format!("WARNING: 1 {one}")),
            count => console.say(format!("WARNING: {count} {several}")),
        }
    }
    if report.ignore_missing && counts.matched == 0 {
        say(console, "no file was verified");
    }
}
