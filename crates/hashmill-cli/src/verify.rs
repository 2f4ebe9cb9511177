//! Checking files against a list: what is counted, said and returned, whatever the list's format.

use crate::console::{Console, Failure, reason};
use crate::digest::Digest;
use crate::encoding::Encoding;
use crate::input::{self, Digester, Lines};
use std::io;

/// What a line of a list says.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The digests it can be; more than one where the list does not tell.
    pub digests: Vec<Digest>,
    pub text: Vec<u8>,
    pub encoding: Encoding,
    pub name: Vec<u8>,
}

/// How the lines of a list are read.
pub trait Format {
    /// What a line says, which has neither newline nor carriage return at its end; `None` if it is not of this format.
    fn parse(&mut self, line: &[u8]) -> Option<Entry>;

    /// The kind of line that an improperly formatted one is not: `SHA256 `, or nothing.
    fn label(&self) -> String;

    /// What the user may want to know about how the list was read.
    fn note(&mut self) -> Option<String> {
        None
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

/// Checks the files of one list; whether all is well.
pub fn list(
    console: &mut Console,
    digester: &mut Digester,
    list: &[u8],
    format: &mut dyn Format,
    report: &Report,
) -> Result<bool, Failure> {
    let from_stdin = list == b"-";
    let list_name = if from_stdin { b"standard input" } else { list };
    let mut counts = Counts::default();
    let mut lines = match input::open(console, list) {
        Ok(file) => Lines::new(file),
        Err(error) => {
            let problem = if from_stdin { "read error".to_owned() } else { reason(&error) };
            console.say_of(list_name, problem);
            return Ok(false);
        }
    };
    for number in 1u64.. {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(_) => {
                console.say_of(list_name, "read error");
                return Ok(false);
            }
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        match format.parse(line).filter(|entry| !(from_stdin && entry.name == b"-")) {
            Some(entry) => {
                counts.proper += 1;
                file(console, digester, &entry, report, &mut counts)?;
            }
            None => {
                counts.improper += 1;
                if report.verbosity == Verbosity::Warn {
                    console.say_of(
                        list_name,
                        format!("{number}: improperly formatted {}checksum line", format.label()),
                    );
                }
            }
        }
    }
    if report.verbosity == Verbosity::Warn
        && let Some(note) = format.note()
    {
        console.say_of(list_name, note);
    }
    conclude(console, list_name, report, &counts);
    Ok(counts.proper > 0
        && counts.mismatched == 0
        && counts.unreadable == 0
        && !(report.strict && counts.improper > 0)
        && !(report.ignore_missing && counts.matched == 0))
}

fn file(
    console: &mut Console,
    digester: &mut Digester,
    entry: &Entry,
    report: &Report,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let result = match digester.digests(console, &entry.name, &entry.digests) {
        Err(error) if report.ignore_missing && error.kind() == io::ErrorKind::NotFound => {
            return Ok(());
        }
        Err(error) => {
            console.say_of(&entry.name, reason(&error));
            counts.unreadable += 1;
            "FAILED open or read"
        }
        Ok(digests) if digests.iter().any(|it| entry.encoding.is_of(&entry.text, &it.bytes)) => {
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
    let line = format!("{}: {result}\n", console.quote_name(&entry.name));
    console.print(line)
}

fn conclude(console: &mut Console, list_name: &[u8], report: &Report, counts: &Counts) {
    if counts.proper == 0 {
        console.say_of(list_name, "no properly formatted checksum lines found");
        return;
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
        console.say_of(list_name, "no file was verified");
    }
}
