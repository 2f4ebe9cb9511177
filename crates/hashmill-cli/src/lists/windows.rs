//! The output of PowerShell's `Get-FileHash`, and of `certutil -hashfile` in any language:
//!
//! ```text
//! Algorithm : SHA256              "Algorithm","Hash","Path"         Algorithm   Hash       Path
//! Hash      : BA7816BF...         "SHA256","BA7816BF...","f"        ---------   ----       ----
//! Path      : f                                                     SHA256      BA781...   f
//!
//! SHA256 hash of f:
//! ba7816bf...
//! CertUtil: -hashfile command completed successfully.
//! ```

use crate::files::input::os_name;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax, fields, words};
use std::path::Path;

/// A list in which lines announce what the lines after them are. Lines that are not announced are
/// records of their own.
#[derive(Default)]
pub struct Windows {
    announced: Announced,
    lines: Single,
}

/// The kind of lines that the lines so far have announced.
#[derive(Default)]
enum Announced {
    #[default]
    Nothing,
    /// A record of properties, with the values that were read so far.
    Properties { algorithm: String, hash: Option<Vec<u8>> },
    /// The last value of a record of properties, which the next lines may continue.
    Path { algorithm: String, hash: Vec<u8>, lines: Vec<Vec<u8>> },
    /// Rows of a table with columns.
    Table,
    /// Rows with fields in quotation marks.
    Csv,
    /// A line with the digest of this file.
    Digest { algorithm: String, name: Vec<u8> },
}

impl Windows {
    pub fn is(start: &[u8], context: &Context) -> bool {
        let lines = start.split(|&byte| byte == b'\n');
        lines.map(<[u8]>::trim_ascii).any(|line| announcement(line, context).is_some())
    }
}

/// Returns what a line announces.
fn announcement(line: &[u8], context: &Context) -> Option<Announced> {
    if line == br#""Algorithm","Hash","Path""# {
        return Some(Announced::Csv);
    }
    if let Some((b"Algorithm", value)) = property(line) {
        let algorithm = String::from_utf8_lossy(value).into_owned();
        return Some(Announced::Properties { algorithm, hash: None });
    }
    if line.starts_with(b"Algorithm") && words(line).eq([&b"Algorithm"[..], b"Hash", b"Path"]) {
        return Some(Announced::Table);
    }
    let (algorithm, name) = heading(line, context)?;
    Some(Announced::Digest { algorithm, name })
}

impl Syntax for Windows {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        let trimmed = line.trim_ascii();
        if let Announced::Path { lines, .. } = &mut self.announced {
            // A line below the value, which begins in the column after `Algorithm : `.
            if let Some(more) = line.strip_prefix(&[b' '; COLUMN]).filter(|_| !trimmed.is_empty()) {
                lines.push(more.to_vec());
                return Parsed::Comment;
            }
            let ended = self.end(context);
            let more = self.line(line, context);
            return both(ended, more);
        }
        if trimmed.is_empty() || trimmed.starts_with(b"#") {
            return Parsed::Comment;
        }
        // If a record ends early, it is counted at the line that comes instead of its rest.
        let was_open = self.is_open();
        let comment = || if was_open { None.into() } else { Parsed::Comment };
        if let Some(announced) = announcement(trimmed, context) {
            self.announced = announced;
            return comment();
        }
        if trimmed.starts_with(b"CertUtil: -hashfile") {
            self.announced = Announced::Nothing;
            return comment();
        }
        match self.announced.line(line.trim_ascii_start(), context) {
            Some(parsed) => parsed,
            None if was_open => {
                self.announced = Announced::Nothing;
                None.into()
            }
            None => self.lines.line(line, context),
        }
    }

    fn end(&mut self, context: &Context) -> Option<Parsed> {
        match std::mem::take(&mut self.announced) {
            Announced::Path { algorithm, hash, lines } => {
                let expected = context.meaning.tagged(&algorithm, &hash);
                Some(expected.map(|it| it.of_file(joined(&lines, context))).into())
            }
            other => {
                self.announced = other;
                None
            }
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.announced, Announced::Properties { .. } | Announced::Digest { .. })
    }
}

impl Announced {
    /// Parses a line of the announced kind. Returns `None` for other lines.
    fn line(&mut self, line: &[u8], context: &Context) -> Option<Parsed> {
        let meaning = &context.meaning;
        let entry = match self {
            Announced::Nothing | Announced::Path { .. } => return None,
            Announced::Properties { algorithm, hash } => match (property(line)?, hash) {
                ((b"Hash", value), hash @ None) => {
                    *hash = Some(value.to_vec());
                    return Some(Parsed::Comment);
                }
                ((b"Path", _), Some(hash)) => {
                    meaning.tagged(algorithm, hash)?;
                    // The value may end with a blank at which the line was wrapped.
                    let start = line.iter().position(|&byte| byte == b':')? + 1;
                    let value = line[start..].trim_ascii_start().to_vec();
                    let (algorithm, hash) = (std::mem::take(algorithm), std::mem::take(hash));
                    *self = Announced::Path { algorithm, hash, lines: vec![value] };
                    return Some(Parsed::Comment);
                }
                _ => return None,
            },
            Announced::Table if line.iter().all(|byte| b"- ".contains(byte)) => {
                return Some(Parsed::Comment);
            }
            Announced::Table => {
                let mut words = words(line);
                let (algorithm, hash) = (words.next()?, words.next()?);
                // The name is the rest of the line, because it may contain blanks.
                let start = hash.as_ptr_range().end.addr() - line.as_ptr().addr();
                let name = line[start..].trim_ascii();
                let expected = meaning.tagged(str::from_utf8(algorithm).ok()?, hash)?;
                (!name.is_empty()).then(|| expected.of_file(name.to_vec()))?
            }
            Announced::Csv => {
                let [algorithm, hash, name] =
                    <[Vec<u8>; 3]>::try_from(fields(line.trim_ascii_end())?).ok()?;
                meaning.tagged(str::from_utf8(&algorithm).ok()?, &hash)?.of_file(name)
            }
            Announced::Digest { algorithm, name } => {
                // Before Windows 8, certutil wrote blanks between the bytes.
                let hash: Vec<u8> = line.iter().copied().filter(|&byte| byte != b' ').collect();
                let entry = meaning.tagged(algorithm, &hash)?.of_file(std::mem::take(name));
                *self = Announced::Nothing;
                entry
            }
        };
        Some(Some::<Entry>(entry).into())
    }
}

/// The column of values in a list of `Algorithm`, `Hash` and `Path`.
const COLUMN: usize = "Algorithm : ".len();

/// Joins two results of parsing.
fn both(first: Option<Parsed>, second: Parsed) -> Parsed {
    match (first, second) {
        (Some(Parsed::Records(mut first)), Parsed::Records(second)) => {
            first.extend(second);
            Parsed::Records(first)
        }
        (Some(first @ Parsed::Records(_)), Parsed::Comment) => first,
        (_, second) => second,
    }
}

/// Joins the lines of a wrapped path. PowerShell wraps at blanks, which stay at the end of the line
/// unless something removed them, and in the middle of a word that is longer than a line. If a line
/// ends without a blank, the name of an existing file decides whether there was one.
fn joined(lines: &[Vec<u8>], context: &Context) -> Vec<u8> {
    let mut names = vec![Vec::new()];
    for (at, line) in lines.iter().enumerate() {
        let cut = at > 0 && !lines[at - 1].ends_with(b" ") && names.len() < MOST_NAMES;
        let blank = names.iter().filter(|_| cut).map(|name| [&**name, b" ", line].concat());
        let blank: Vec<_> = blank.collect();
        names.iter_mut().for_each(|name| name.extend(line));
        names.extend(blank);
    }
    names.iter_mut().for_each(|name| name.truncate(name.trim_ascii_end().len()));
    let exists = |name: &&Vec<u8>| {
        names.len() > 1 && Path::new(&os_name(&context.place.path_of(name))).is_file()
    };
    names.iter().find(exists).unwrap_or(&names[0]).clone()
}

/// The number of ways to join the lines of a path from which no more are tried.
const MOST_NAMES: usize = 64;

/// Splits a line of the form `Name : value`.
fn property(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|&byte| byte == b':')?;
    let value = line[at + 1..].strip_prefix(b" ")?.trim_ascii();
    Some((line[..at].strip_suffix(b" ")?.trim_ascii(), value))
}

/// Parses the first line of certutil's output: `SHA256 hash of f:`, `SHA256-Hash von f:`, `Hachage
/// SHA256 du fichier f :`. Such a line ends with a colon and contains an algorithm's name before
/// its last word. In English and German, known words precede the file's name. In other languages,
/// the name is the longest end of the line that is the name of an existing file, or the last word
/// if there is none. A line that begins with a digest, or with a CRC as in `cksum`, is not a
/// heading but a record, whose file may have such a name.
fn heading(line: &[u8], context: &Context) -> Option<(String, Vec<u8>)> {
    let line = line.strip_suffix(b":")?.trim_ascii_end();
    let first = words(line).next()?;
    let first = first.strip_prefix(b"\\").unwrap_or(first);
    if context.meaning.of(first).is_some() || first.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let blanks: Vec<usize> =
        line.iter().enumerate().filter(|(_, byte)| **byte == b' ').map(|(at, _)| at).collect();
    let named = |word: &[u8]| {
        let word = str::from_utf8(word).ok()?;
        let word = word.split(['-', '(', ')']).find(|part| ALGORITHMS.contains(part))?;
        Some(word.to_owned())
    };
    let (at, algorithm) = line
        .split(|&byte| byte == b' ')
        .enumerate()
        .find_map(|(at, word)| Some((at, named(word)?)))?;
    algorithm.parse::<Recipe>().ok()?;
    let rest = &line[*blanks.get(at)? + 1..];
    for words in [&b"hash of file "[..], b"hash of ", b"von Datei ", b"von "] {
        if let Some(name) = rest.strip_prefix(words) {
            return Some((algorithm, name.to_vec()));
        }
    }
    let ends = blanks.iter().filter(|&&blank| blank >= *blanks.get(at).unwrap_or(&0));
    let names = ends.map(|&blank| &line[blank + 1..]).filter(|name| name.len() <= LONGEST_NAME);
    let exists = |name: &&[u8]| Path::new(&os_name(&context.place.path_of(name))).is_file();
    let last = || line.rsplit(|&byte| byte == b' ').next();
    Some((algorithm, names.clone().find(exists).or_else(last)?.to_vec()))
}

/// The longest name, in bytes, that is looked up as a file. Linux opens no longer path. The lookups for a
/// heading with 400,000 blanks took minutes without this limit.
const LONGEST_NAME: usize = 4096;

/// The algorithms of certutil that this program has.
const ALGORITHMS: [&str; 5] = ["MD5", "SHA1", "SHA256", "SHA384", "SHA512"];
