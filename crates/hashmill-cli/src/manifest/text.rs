//! A manifest's text. It is a list of tagged lines, which `hashmill check`, `cksum -c` and the like read
//! too, with comments between them:
//!
//! ```text
//! # hashmill manifest 1
//! # algorithm SHA256
//! # exclude *.o
//! # 6 2026-11-21T20:43:51.123456789Z
//! SHA256 (dir/file) = 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
//! # end of 1 file
//! ```
//!
//! After its version come the algorithms and the rules of the tree; then, for every file, a line with its
//! size in bytes and the time of its last change (RFC 3339, in UTC; `-` if it has none), and a line for
//! every algorithm. Names are relative to the directory and escaped as in all lists. The files are in the
//! order of their names' bytes, with `/` before all others. Without the last line a manifest is cut off.

use crate::files::input::Lines;
use crate::files::walk::{Rules, Symlinks};
use crate::hashing::recipe::Recipe;
use crate::text::encoding::Encoding;
use crate::text::quote::{escape_line, unescape_line};
use jiff::Timestamp;
use std::cmp::Ordering;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

const VERSION: &str = "# hashmill manifest 1";

/// What holds for all files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub recipes: Vec<Recipe>,
    pub rules: Rules,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub name: Vec<u8>,
    pub stamp: Stamp,
    /// In the order of the header.
    pub digests: Vec<Vec<u8>>,
}

/// What tells a file that has changed without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    pub modified: Option<Timestamp>,
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Stamp {
        let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        Stamp { size: metadata.len(), modified }
    }
}

/// The order of the files: what is in a directory comes before what has a longer name than it.
pub fn order(a: &[u8], b: &[u8]) -> Ordering {
    let rank = |&byte: &u8| if byte == b'/' { 0 } else { byte };
    a.iter().map(rank).cmp(b.iter().map(rank))
}

impl Header {
    pub fn text(&self) -> Vec<u8> {
        let mut text = format!("{VERSION}\n").into_bytes();
        let mut line = |key: &str, value: &str| {
            let value = value.as_bytes();
            let value = escape_line(value).unwrap_or_else(|| value.to_vec());
            let blank: &[u8] = if value.is_empty() { b"" } else { b" " };
            text.extend([b"# ", key.as_bytes(), blank, &value, b"\n"].concat());
        };
        for digest in &self.recipes {
            line("algorithm", &digest.to_string());
        }
        for glob in &self.rules.include {
            line("include", glob);
        }
        for glob in &self.rules.exclude {
            line("exclude", glob);
        }
        for (given, name) in [
            (self.rules.ignore_files, "ignore-files"),
            (self.rules.skip_hidden, "skip-hidden"),
            (self.rules.one_file_system, "one-file-system"),
        ] {
            if given {
                line(name, "");
            }
        }
        if self.rules.symlinks != Symlinks::default() {
            line("symlinks", self.rules.symlinks.name());
        }
        text
    }

    /// Takes a line; `None` if it is not of a header.
    fn take(&mut self, line: &str) -> Option<()> {
        let line = line.strip_prefix("# ")?;
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = String::from_utf8(unescape_line(value.as_bytes())?).ok()?;
        match key {
            "algorithm" => self.recipes.push(value.parse().ok()?),
            "include" => self.rules.include.push(value),
            "exclude" => self.rules.exclude.push(value),
            "ignore-files" => self.rules.ignore_files = true,
            "skip-hidden" => self.rules.skip_hidden = true,
            "one-file-system" => self.rules.one_file_system = true,
            "symlinks" => self.rules.symlinks = Symlinks::named(&value)?,
            _ => return None,
        }
        Some(())
    }
}

impl Record {
    pub fn text(&self, header: &Header) -> Vec<u8> {
        let modified = self.stamp.modified.map_or("-".to_owned(), |time| time.to_string());
        let mut text = format!("# {} {modified}\n", self.stamp.size).into_bytes();
        // By that name alone, others would read standard input.
        let name: &[u8] = if self.name == b"-" { b"./-" } else { &self.name };
        let escaped = escape_line(name);
        let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
        let name = escaped.as_deref().unwrap_or(name);
        for (digest, value) in header.recipes.iter().zip(&self.digests) {
            let tag = digest.to_string();
            let value = Encoding::Hex.encode(value);
            text.extend(
                [mark, tag.as_bytes(), b" (", name, b") = ", value.as_bytes(), b"\n"].concat(),
            );
        }
        text
    }
}

/// The last line.
pub fn end(files: u64) -> String {
    format!("# end of {files} {}\n", if files == 1 { "file" } else { "files" })
}

/// The size and time of a file, from its line.
fn stamp(line: &[u8]) -> Option<Stamp> {
    let (size, modified) = str::from_utf8(line).ok()?.strip_prefix("# ")?.split_once(' ')?;
    let modified = if modified == "-" { None } else { Some(modified.parse().ok()?) };
    Some(Stamp { size: size.parse().ok()?, modified })
}

/// The name and the digest in a line.
fn tagged(line: &[u8], digest: &Recipe) -> Option<(Vec<u8>, Vec<u8>)> {
    let (line, escaped) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let line = line.strip_prefix(digest.to_string().as_bytes())?.strip_prefix(b" (")?;
    let end = line.len().checked_sub(2 * digest.len())?;
    let (name, value) = line.split_at(end);
    let name = name.strip_suffix(b") = ")?;
    let name = if escaped { unescape_line(name)? } else { name.to_vec() };
    let name = if name == b"./-" { b"-".to_vec() } else { name };
    Some((name, Encoding::Hex.decode(value)?))
}

/// A manifest that is read file by file.
pub struct Reader {
    pub header: Header,
    lines: Lines,
    /// The line that was read last, its number.
    line: Vec<u8>,
    number: u64,
    files: u64,
    /// The name of the file before.
    last: Option<Vec<u8>>,
}

/// What is wrong with a manifest.
#[derive(Debug)]
pub enum Problem {
    Unreadable(io::Error),
    /// The first line is another.
    NoManifest,
    /// With the line's number.
    Improper(u64),
    CutOff,
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::Unreadable(error)
    }
}

impl Reader {
    pub fn open(path: &Path) -> Result<Reader, Problem> {
        Reader::new(File::open(path)?)
    }

    pub fn new(file: File) -> Result<Reader, Problem> {
        let header = Header { recipes: Vec::new(), rules: Rules::default() };
        let lines = Lines::new(file)?;
        let (line, last) = (Vec::new(), None);
        let mut reader = Reader { header, lines, line, number: 0, files: 0, last };
        if !reader.advance()? || reader.line != VERSION.as_bytes() {
            return Err(Problem::NoManifest);
        }
        while reader.advance()? {
            let line = str::from_utf8(&reader.line).unwrap_or_default();
            if reader.header.take(line).is_none() {
                break;
            }
        }
        if reader.header.recipes.is_empty() {
            return Err(Problem::Improper(reader.number));
        }
        Ok(reader)
    }

    /// Reads a line; whether there was one.
    fn advance(&mut self) -> Result<bool, Problem> {
        self.line.clear();
        let Some(line) = self.lines.next()? else { return Ok(false) };
        self.line.extend(line);
        self.number += 1;
        Ok(true)
    }

    /// The next file; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Record>, Problem> {
        if self.line.is_empty() {
            return Err(Problem::CutOff);
        }
        if self.line == end(self.files).trim_ascii_end().as_bytes() {
            return Ok(None);
        }
        let stamp = stamp(&self.line).ok_or(Problem::Improper(self.number))?;
        let mut record = Record { name: Vec::new(), stamp, digests: Vec::new() };
        for index in 0..self.header.recipes.len() {
            if !self.advance()? {
                return Err(Problem::CutOff);
            }
            let (name, value) = tagged(&self.line, &self.header.recipes[index])
                .filter(|(name, _)| index == 0 || *name == record.name)
                .ok_or(Problem::Improper(self.number))?;
            record.name = name;
            record.digests.push(value);
        }
        self.advance()?;
        self.files += 1;
        Ok(Some(record))
    }

    /// As `next`, in a manifest whose files must be in order.
    pub fn next_in_order(&mut self) -> Result<Option<Record>, Problem> {
        let record = self.next()?;
        if let Some(record) = &record {
            if self.last.as_ref().is_some_and(|last| order(last, &record.name).is_ge()) {
                return Err(Problem::Improper(self.number - 1));
            }
            self.last = Some(record.name.clone());
        }
        Ok(record)
    }
}
