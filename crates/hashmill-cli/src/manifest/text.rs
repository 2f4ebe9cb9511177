//! The text format of a manifest. It is a list of tagged lines, which `hashmill check`, `cksum -c`
//! and similar programs also read, with comments between them:
//!
//! ```text
//! # hashmill manifest 2
//! # algorithm SHA256
//! # exclude *.o
//! # tree ../photos
//! # header 51fa0e1d7f1ba2c2
//! # 6 2026-11-21T20:43:51.123456789Z 2026-11-21T20:43:51.123456789Z 131 a3f1c2b4d5e6f708
//! SHA256 (dir/file) = 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
//! # end of 1 file 0d1c2b3a49586776
//! ```
//!
//! The first lines contain the version, the algorithms, the rules of the tree and the directory,
//! relative to that of the manifest. Each file then
//! has a comment with its size in bytes, the time of its last modification, the time of its last
//! change of any kind (ctime), its inode number and, if asked for, its mode in octal. A line with a
//! digest for each algorithm follows. Times are in the format of RFC 3339, in UTC; `-` stands for a
//! time that the system does not have. Symbolic links and empty directories are comments, and are
//! recorded only if asked for:
//!
//! ```text
//! # link 51fa0e1d7f1ba2c2
//! #  name
//! #  target
//! # directory 0755 51fa0e1d7f1ba2c2
//! #  name
//! ```
//!
//! With `# pieces 1048576` in the header, a file of more bytes also has the CRC-64/NVME of each of its
//! pieces of that length, after its digests: at most 256 in a line, and fewer than that in the last
//! line, perhaps none.
//!
//! ```text
//! # pieces a3f1c2b4d5e6f7080d1c2b3a49586776
//! ```
//!
//! Names are relative to the directory and escaped as in all lists. In comments, backslashes,
//! newlines and carriage returns are always escaped. Records are in the order of the bytes of their
//! names, with `/` before all other bytes. A manifest without the last line is cut off.
//!
//! **Checks.** The 16 hexadecimal digits at the ends of lines detect damage to the manifest itself.
//! Each check is a CRC-64/NVME. The header's check covers the header's lines. A record's check
//! covers the header's check and the record's lines without the check. The check in the last line
//! covers the header's check and all records' checks, eight bytes each, the most significant first.
//! A CRC takes a tenth of the time of a digest, which matters with many small files. A digest would
//! not protect against forgery either, because whoever can write the manifest can also compute the
//! digest.

use crate::files::lines::Lines;
use crate::files::walk::{Extras, Rules, Symlinks};
use crate::hashing::recipe::{Computed, Recipe};
use crate::manifest::time::Times;
use crate::terminal::console::{Failure, reason};
use crate::text::counted::counted;
use crate::text::encoding::Encoding;
use crate::text::quote::{escape_line, unescape_line};
use crc_fast::{CrcAlgorithm, Digest};
use jiff::Timestamp;
use std::cmp::Ordering;
use std::fs::{File, Metadata};
use std::io::{self, Seek};
use std::num::NonZero;
use std::path::Path;

/// The first line of a manifest, and of the files beside it while it is made.
pub const FIRST_LINE: &str = "# hashmill manifest 2\n";
pub const VERSION: &str = FIRST_LINE.trim_ascii_end();

/// The settings that apply to all records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub recipes: Vec<Recipe>,
    pub rules: Rules,
    /// The path of the tree, relative to the directory of the manifest.
    pub tree: Option<String>,
    /// The length of the pieces that have checks of their own, in bytes.
    pub pieces: Option<NonZero<u64>>,
}

/// A file, a symbolic link or an empty directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub name: Vec<u8>,
    pub stamp: Stamp,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file, with its digests in the order of the header. After them it has the checks of its pieces,
    /// if the header asks for these and the file is longer than one piece.
    File(Vec<Vec<u8>>),
    /// A symbolic link, with its target.
    Link(Vec<u8>),
    Directory,
}

impl Record {
    /// Returns the digests of a file, or no digests for other records.
    pub fn digests(&self) -> &[Vec<u8>] {
        if let Kind::File(digests) = &self.kind { digests } else { &[] }
    }
}

/// The metadata of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    pub modified: Option<Timestamp>,
    /// The time when content, name or mode last changed (ctime). Unlike `modified`, programs cannot
    /// set it.
    pub changed: Option<Timestamp>,
    pub inode: Option<u64>,
    /// The permission bits, if modes are recorded.
    pub mode: Option<u32>,
}

impl Stamp {
    pub fn of(metadata: &Metadata, extras: Extras) -> Stamp {
        let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        let stamp = Stamp { size: metadata.len(), modified, ..Stamp::default() };
        #[cfg(unix)]
        let stamp = {
            use std::os::unix::fs::MetadataExt;
            let nanoseconds = i32::try_from(metadata.ctime_nsec()).unwrap_or_default();
            Stamp {
                changed: Timestamp::new(metadata.ctime(), nanoseconds).ok(),
                inode: Some(metadata.ino()),
                mode: extras.modes.then(|| metadata.mode() & 0o7777),
                ..stamp
            }
        };
        let _ = extras;
        stamp
    }
}

/// Compares names for the order of records: by their bytes, with `/` before all other bytes. The
/// entries of a directory therefore come before other names that begin with the directory's name.
pub fn order(a: &[u8], b: &[u8]) -> Ordering {
    // Neighbouring names often begin alike, so the common beginning is skipped eight bytes at a
    // time.
    let same = a.chunks_exact(8).zip(b.chunks_exact(8)).take_while(|(a, b)| a == b).count();
    let rank = |&byte: &u8| if byte == b'/' { 0 } else { byte };
    a[8 * same..].iter().map(rank).cmp(b[8 * same..].iter().map(rank))
}

/// A check: see the documentation at the top of this file.
pub type Check = [u8; 8];

pub fn check_of(parts: &[&[u8]]) -> Check {
    crc_of(parts).finalize().to_be_bytes()
}

fn crc_of(parts: &[&[u8]]) -> Digest {
    let mut crc = Digest::new(CrcAlgorithm::Crc64Nvme);
    parts.iter().for_each(|part| crc.update(part));
    crc
}

/// The number of checks of pieces in a line.
const CHECKS: usize = 256;

impl Header {
    /// Returns what is computed of each file: the digests, and the checks of the pieces.
    pub fn wanted(&self) -> Vec<Recipe> {
        self.recipes.iter().cloned().chain(self.pieces.map(Recipe::pieces)).collect()
    }

    /// Returns what a record of a file of `size` bytes contains of the computed values.
    pub fn digests(&self, values: &[Computed], size: u64) -> Vec<Vec<u8>> {
        let has_pieces = self.pieces.is_some_and(|len| size > len.get());
        let count = self.recipes.len() + usize::from(has_pieces);
        values.iter().take(count).map(|value| value.bytes.clone()).collect()
    }

    /// Returns the checks of the pieces in a record, eight bytes each; none if it has no pieces.
    pub fn checks<'a>(&self, record: &'a Record) -> &'a [u8] {
        record.digests().get(self.recipes.len()).map_or(&[], |checks| checks)
    }

    /// Returns the header's lines after the first, which end with the header's check, and that
    /// check.
    pub fn text(&self) -> (Vec<u8>, Check) {
        let mut text = Vec::new();
        let mut line = |key: &str, value: &str| {
            let value = value.as_bytes();
            let value = escape_line(value).unwrap_or_else(|| value.to_vec());
            let blank: &[u8] = if value.is_empty() { b"" } else { b" " };
            text.extend([b"# ", key.as_bytes(), blank, &value, b"\n"].concat());
        };
        for recipe in &self.recipes {
            line("algorithm", &recipe.to_string());
        }
        for glob in &self.rules.include {
            line("include", glob);
        }
        for glob in &self.rules.exclude {
            line("exclude", glob);
        }
        let mut rules = self.rules.clone();
        let symlinks = (rules.symlinks != Symlinks::default()).then(|| rules.symlinks.word());
        let switches = switches(&mut rules).map(|(key, value, on)| on.then_some((key, value)));
        let (walk, extras) = switches.split_at(3);
        let symlinks = [symlinks.map(|word| ("symlinks", word))];
        for (key, value) in [walk, &symlinks, extras].into_iter().flatten().flatten() {
            line(key, value);
        }
        if let Some(pieces) = self.pieces {
            line("pieces", &pieces.to_string());
        }
        if let Some(tree) = &self.tree {
            line("tree", tree);
        }
        let check = check_of(&[&text]);
        text.extend(format!("# header {}\n", Encoding::Hex.encode(&check)).into_bytes());
        (text, check)
    }

    /// Parses a line of the header. Returns `None` if it is not one.
    fn take(&mut self, line: &str) -> Option<()> {
        let line = line.strip_prefix("# ")?;
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = String::from_utf8(unescape_line(value.as_bytes())?).ok()?;
        match key {
            "algorithm" => {
                let recipe = value.parse().ok();
                let keyless = recipe.filter(|it: &Recipe| !it.algorithm().needs_key());
                self.recipes.push(keyless?);
            }
            "include" => self.rules.include.push(value),
            "exclude" => self.rules.exclude.push(value),
            "tree" => self.tree = Some(value),
            "pieces" => self.pieces = Some(value.parse().ok()?),
            "symlinks" => self.rules.symlinks = Symlinks::named(&value)?,
            _ => {
                let mut switches = switches(&mut self.rules).into_iter();
                *switches.find(|it| (it.0, it.1) == (key, &value))?.2 = true;
            }
        }
        Some(())
    }
}

/// Returns the rules that are on or off, with their lines' key and value.
fn switches(rules: &mut Rules) -> [(&'static str, &'static str, &mut bool); 6] {
    let extras = &mut rules.extras;
    [
        ("ignore-files", "", &mut rules.ignore_files),
        ("skip-hidden", "", &mut rules.skip_hidden),
        ("one-file-system", "", &mut rules.one_file_system),
        ("record", "modes", &mut extras.modes),
        ("record", "links", &mut extras.links),
        ("record", "directories", &mut extras.directories),
    ]
}

/// The data that all records under one header need.
pub struct Form {
    tags: Vec<Vec<u8>>,
    /// The header's check.
    seed: Check,
}

impl Form {
    pub fn new(header: &Header) -> Form {
        Form::of(header, header.text().1)
    }

    fn of(header: &Header, seed: Check) -> Form {
        let tags = header.recipes.iter().map(|recipe| recipe.to_string().into_bytes());
        Form { tags: tags.collect(), seed }
    }
}

/// The state of writing or reading the records of a manifest.
pub struct Formatter {
    form: Form,
    times: Times,
    /// The CRC whose value is in the last line.
    total: Digest,
    records: u64,
}

impl Formatter {
    pub fn new(header: &Header) -> Formatter {
        Formatter::of(Form::new(header))
    }

    fn of(form: Form) -> Formatter {
        Formatter { total: crc_of(&[&form.seed]), form, times: Times::default(), records: 0 }
    }

    /// Returns the lines of a record, and adds its check to that of the last line.
    pub fn record(&mut self, record: &Record) -> Vec<u8> {
        let (text, check) = record.text(&self.form, &mut self.times);
        self.add(&check);
        text
    }

    fn add(&mut self, check: &Check) {
        self.total.update(check);
        self.records += 1;
    }

    /// Returns the last line.
    pub fn end(&self) -> String {
        let check = Encoding::Hex.encode(&self.total.finalize().to_be_bytes());
        format!("# end of {} {check}\n", counted(self.records, "file", "files"))
    }
}

impl Record {
    /// Returns the lines of a record, and its check.
    pub fn text(&self, form: &Form, times: &mut Times) -> (Vec<u8>, Check) {
        let escape = |name: &[u8]| escape_line(name).unwrap_or_else(|| name.to_vec());
        let mut text = Vec::with_capacity(128 + 128 * form.tags.len() + 2 * self.name.len());
        text.extend(b"# ");
        // The position of the check: the end of the first line.
        let end;
        match &self.kind {
            Kind::File(digests) => {
                self.stamp.write(times, &mut text);
                end = text.len();
                text.push(b'\n');
                // Other programs read standard input for the name `-`.
                let name: &[u8] = if self.name == b"-" { b"./-" } else { &self.name };
                let escaped = escape_line(name);
                let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
                let name = escaped.as_deref().unwrap_or(name);
                for (tag, digest) in form.tags.iter().zip(digests) {
                    let digest = Encoding::Hex.encode(digest);
                    for part in [mark, tag, b" (", name, b") = ", digest.as_bytes(), b"\n"] {
                        text.extend_from_slice(part);
                    }
                }
                if let Some(checks) = digests.get(form.tags.len()) {
                    // A line of fewer checks is the last one.
                    for line in 0..=checks.len() / (8 * CHECKS) {
                        let rest = &checks[line * 8 * CHECKS..];
                        let checks = Encoding::Hex.encode(&rest[..rest.len().min(8 * CHECKS)]);
                        text.extend([b"# pieces ", checks.as_bytes(), b"\n"].concat());
                    }
                }
            }
            Kind::Link(target) => {
                text.extend(b"link");
                end = text.len();
                text.extend(
                    [b"\n#  ", &*escape(&self.name), b"\n#  ", &escape(target), b"\n"].concat(),
                );
            }
            Kind::Directory => {
                text.extend(b"directory");
                if let Some(mode) = self.stamp.mode {
                    text.extend(format!(" {mode:04o}").into_bytes());
                }
                end = text.len();
                text.extend([b"\n#  ", &*escape(&self.name), b"\n"].concat());
            }
        }
        let check = check_of(&[&form.seed, &text]);
        text.splice(end..end, format!(" {}", Encoding::Hex.encode(&check)).into_bytes());
        (text, check)
    }
}

impl Stamp {
    fn write(&self, times: &mut Times, text: &mut Vec<u8>) {
        text.extend(self.size.to_string().bytes());
        for time in [self.modified, self.changed] {
            text.push(b' ');
            times.write(time, text);
        }
        text.push(b' ');
        text.extend(self.inode.map_or("-".to_owned(), |inode| inode.to_string()).bytes());
        if let Some(mode) = self.mode {
            text.extend(format!(" {mode:04o}").into_bytes());
        }
    }

    fn parse(text: &str, times: &mut Times) -> Option<Stamp> {
        let mut words = text.split(' ');
        let stamp = Stamp {
            size: words.next()?.parse().ok()?,
            modified: times.read(words.next()?)?,
            changed: times.read(words.next()?)?,
            inode: match words.next()? {
                "-" => None,
                inode => Some(inode.parse().ok()?),
            },
            mode: words.next().map(|mode| u32::from_str_radix(mode, 8)).transpose().ok()?,
        };
        words.next().is_none().then_some(stamp)
    }
}

/// Returns the name and the digest of a line, or `None` if the line does not have this tag and
/// digest length.
fn tagged(line: &[u8], tag: &[u8], len: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let (line, escaped) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let line = line.strip_prefix(tag)?.strip_prefix(b" (")?;
    let end = line.len().checked_sub(2 * len)?;
    let (name, value) = line.split_at(end);
    let name = name.strip_suffix(b") = ")?;
    let name = if escaped { unescape_line(name)? } else { name.to_vec() };
    let name = if name == b"./-" { b"-".to_vec() } else { name };
    Some((name, Encoding::Hex.decode(value)?))
}

/// Reads a manifest record by record.
pub struct Reader {
    pub header: Header,
    /// The command that writes this journal; `None` for a manifest.
    pub journal_of: Option<String>,
    lines: Lines,
    state: Formatter,
    /// The name of the previous record.
    last: Option<Vec<u8>>,
}

/// An error in a manifest.
#[derive(Debug)]
pub enum Problem {
    Unreadable(io::Error),
    /// The first line is not [`VERSION`].
    NoManifest,
    /// The line with this number is not a line of a manifest.
    Improper(u64),
    /// The header or record that begins in this line does not match its check.
    Damaged(u64),
    CutOff,
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::Unreadable(error)
    }
}

impl Problem {
    /// Returns a function that converts a problem into an error about the manifest at `path`.
    pub fn of(path: &Path) -> impl FnOnce(Problem) -> Failure {
        move |problem| Failure::new(path, problem.message())
    }

    /// Returns the message for the user.
    pub fn message(&self) -> String {
        match self {
            Problem::Unreadable(error) => reason(error),
            Problem::NoManifest => "not a manifest of version 2".to_owned(),
            Problem::Improper(line) => format!("{line}: improper line of a manifest"),
            Problem::Damaged(line) => {
                format!("{line}: damaged: what begins in this line does not match its check")
            }
            Problem::CutOff => "the manifest is cut off".to_owned(),
        }
    }
}

/// Splits a line into the text before the check, and the check at its end.
fn split_check(line: &[u8]) -> Option<(&[u8], Check)> {
    let (text, check) = line.split_at(line.len().checked_sub(16)?);
    let check =
        Encoding::Hex.decode(check).filter(|_| !check.iter().any(u8::is_ascii_uppercase))?;
    Some((text.strip_suffix(b" ")?, check.try_into().ok()?))
}

/// Reads the lines of a header, which follow the first line of a manifest.
#[derive(Default)]
pub struct Head {
    pub header: Header,
    /// The command that writes this journal; `None` for a manifest.
    pub journal_of: Option<String>,
    /// The lines that the check covers.
    text: Vec<u8>,
    /// The number of lines so far, without the first of the manifest.
    lines: u64,
}

impl Head {
    /// Takes the next line. Returns the header's check if it is the last one.
    pub fn take(&mut self, line: &[u8]) -> Result<Option<Check>, Problem> {
        self.lines += 1;
        let shown = str::from_utf8(line).unwrap_or_default();
        if let Some(command) = shown.strip_prefix("# journal ").filter(|_| self.text.is_empty()) {
            self.journal_of = Some(command.to_owned());
            return Ok(None);
        }
        if let Some((b"# header", check)) = split_check(line) {
            let is_right = check == check_of(&[&self.text]);
            return if is_right { Ok(Some(check)) } else { Err(Problem::Damaged(2)) };
        }
        self.text.extend([line, b"\n"].concat());
        self.header.take(shown).map(|()| None).ok_or(Problem::Improper(1 + self.lines))
    }
}

impl Reader {
    pub fn open(path: &Path) -> Result<Reader, Problem> {
        Reader::new(File::open(path)?)
    }

    /// Reads a file that is open already, from its beginning.
    pub fn again(file: &File) -> Result<Reader, Problem> {
        let mut file = file.try_clone()?;
        file.rewind()?;
        Reader::new(file)
    }

    pub fn new(file: File) -> Result<Reader, Problem> {
        let mut lines = Lines::new(file);
        if lines.next()? != Some(VERSION.as_bytes()) {
            return Err(Problem::NoManifest);
        }
        let mut head = Head::default();
        let seed = loop {
            let line = lines.next()?.ok_or(Problem::CutOff)?;
            if let Some(check) = head.take(line)? {
                break check;
            }
        };
        let Head { header, journal_of, .. } = head;
        if header.recipes.is_empty() {
            return Err(Problem::Improper(lines.number()));
        }
        let state = Formatter::of(Form::of(&header, seed));
        lines.next()?;
        Ok(Reader { header, journal_of, lines, state, last: None })
    }

    /// Returns the error for the line that was read last.
    fn improper(&self) -> Problem {
        Problem::Improper(self.lines.number())
    }

    /// Reads the next line of the current record and appends it to `text`.
    fn advance_within(&mut self, text: &mut Vec<u8>) -> Result<(), Problem> {
        text.extend(self.lines.next()?.ok_or(Problem::CutOff)?);
        text.push(b'\n');
        Ok(())
    }

    /// Returns the next record, or `None` after the last line.
    pub fn next(&mut self) -> Result<Option<Record>, Problem> {
        let (line, begin) = (self.lines.line().to_vec(), self.lines.number());
        if line.is_empty() {
            return Err(Problem::CutOff);
        }
        if line.starts_with(b"# end of ") {
            if line != self.state.end().trim_ascii_end().as_bytes() {
                return Err(Problem::Damaged(begin));
            }
            let is_last = self.lines.next()?.is_none();
            return if is_last { Ok(None) } else { Err(self.improper()) };
        }
        let improper = || Problem::Improper(begin);
        let (head, check) = split_check(&line).ok_or_else(improper)?;
        let mut text = [head, b"\n"].concat();
        let head = str::from_utf8(head).ok().and_then(|it| it.strip_prefix("# "));
        let head = head.ok_or_else(improper)?;
        let record = if head == "link" {
            let name = self.commented(&mut text)?;
            let target = self.commented(&mut text)?;
            Record { name, stamp: Stamp::default(), kind: Kind::Link(target) }
        } else if let Some(mode) = head.strip_prefix("directory") {
            let mode = mode.strip_prefix(' ').map(|mode| u32::from_str_radix(mode, 8));
            let mode = mode.transpose().map_err(|_| improper())?;
            let name = self.commented(&mut text)?;
            let stamp = Stamp { mode, ..Stamp::default() };
            Record { name, stamp, kind: Kind::Directory }
        } else {
            let stamp = Stamp::parse(head, &mut self.state.times).ok_or_else(improper)?;
            let (mut name, mut digests) = (Vec::new(), Vec::new());
            for index in 0..self.header.recipes.len() {
                self.advance_within(&mut text)?;
                let (tag, len) = (&self.state.form.tags[index], self.header.recipes[index].len());
                let (found, digest) = tagged(self.lines.line(), tag, len)
                    .filter(|(found, _)| index == 0 || *found == name)
                    .ok_or_else(|| self.improper())?;
                name = found;
                digests.push(digest);
            }
            if self.header.pieces.is_some_and(|len| stamp.size > len.get()) {
                let mut checks = Vec::new();
                loop {
                    self.advance_within(&mut text)?;
                    let line = self.lines.line().strip_prefix(b"# pieces ");
                    let line = line.and_then(|line| Encoding::Hex.decode(line));
                    let line = line.filter(|line| line.len() % 8 == 0 && line.len() <= 8 * CHECKS);
                    let line = line.ok_or_else(|| self.improper())?;
                    checks.extend(&line);
                    if line.len() < 8 * CHECKS {
                        break;
                    }
                }
                digests.push(checks);
            }
            Record { name, stamp, kind: Kind::File(digests) }
        };
        if check_of(&[&self.state.form.seed, &text]) != check {
            return Err(Problem::Damaged(begin));
        }
        self.state.add(&check);
        self.lines.next()?;
        Ok(Some(record))
    }

    /// Reads a comment that contains a name.
    fn commented(&mut self, text: &mut Vec<u8>) -> Result<Vec<u8>, Problem> {
        self.advance_within(text)?;
        let name = self.lines.line().strip_prefix(b"#  ").and_then(unescape_line);
        name.ok_or_else(|| self.improper())
    }

    /// Like `next`, but fails if the records are not in order.
    pub fn next_in_order(&mut self) -> Result<Option<Record>, Problem> {
        let begin = self.lines.number();
        let record = self.next()?;
        if let Some(record) = &record {
            if self.last.as_ref().is_some_and(|last| order(last, &record.name).is_ge()) {
                return Err(Problem::Improper(begin));
            }
            self.last.get_or_insert_default().clone_from(&record.name);
        }
        Ok(record)
    }

    /// Like `next`, but for a journal. A journal has no last line, and its last record may be torn:
    /// a killed run has not written all of it, or the file ends with zeros after a crash of the
    /// system. Any other incomplete record is damage.
    pub fn next_in_journal(&mut self) -> Result<Option<Record>, Problem> {
        match self.next() {
            Err(problem) if self.is_torn(&problem) => Ok(None),
            next => next,
        }
    }

    /// Returns whether a problem means that a killed run has not written the text to its end.
    pub fn is_torn(&self, problem: &Problem) -> bool {
        match problem {
            Problem::CutOff => true,
            Problem::Improper(_) | Problem::Damaged(_) => !self.lines.last_was_ended(),
            Problem::Unreadable(_) | Problem::NoManifest => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of CRC-64/NVME from the catalogue of CRCs, computed in one part and in
    /// several.
    #[test]
    fn the_check() {
        let check = 0xae8b_1486_0a79_9888_u64.to_be_bytes();
        assert_eq!(check_of(&[b"123456789"]), check);
        assert_eq!(check_of(&[b"1234", b"", b"56789"]), check);
    }
}
