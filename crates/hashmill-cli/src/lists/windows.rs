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
use crate::lists::entry::{Expected, Records};
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{fields, is_comment, is_number, offset, split_once, words};
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
    /// A record of properties, with the values that were read so far: the algorithm, the digest,
    /// and the path, which the next lines may continue.
    Properties(Vec<Vec<u8>>),
    /// Rows of a table with columns.
    Table,
    /// Rows with fields in quotation marks.
    Csv,
    /// A line with the digest of this file.
    Digest { algorithm: String, name: Vec<u8> },
}

/// The names of a record's properties.
const PROPERTIES: [&[u8]; 3] = [b"Algorithm", b"Hash", b"Path"];

impl Windows {
    pub fn is(lines: &[&[u8]], context: &Context) -> bool {
        lines.iter().any(|line| announcement(line.trim_ascii(), context).is_some())
    }
}

/// Returns what a line announces.
fn announcement(line: &[u8], context: &Context) -> Option<Announced> {
    if line == br#""Algorithm","Hash","Path""# {
        return Some(Announced::Csv);
    }
    if let Some(algorithm) = property(line, 0) {
        return Some(Announced::Properties(vec![algorithm.trim_ascii().to_vec()]));
    }
    if line.starts_with(b"Algorithm") && words(line).eq(PROPERTIES) {
        return Some(Announced::Table);
    }
    let (algorithm, name) = heading(line, context)?;
    Some(Announced::Digest { algorithm, name })
}

impl Syntax for Windows {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let trimmed = line.trim_ascii();
        let mut records = vec![];
        if let Announced::Properties(values) = &mut self.announced
            && values.len() >= PROPERTIES.len()
        {
            // A line below the value, which begins in the column after `Algorithm : `.
            if let Some(more) = line.strip_prefix(&[b' '; COLUMN]).filter(|_| !trimmed.is_empty()) {
                values.push(more.to_vec());
                return records;
            }
            records = self.end(context);
        }
        if is_comment(trimmed) {
            return records;
        }
        // If a record ends early, it is counted at the line that comes instead of its rest.
        let was_open = self.is_open();
        let announced = announcement(trimmed, context);
        if announced.is_some() || trimmed.starts_with(b"CertUtil: -hashfile") {
            self.announced = announced.unwrap_or_default();
            records.extend(was_open.then_some(None));
            return records;
        }
        records.extend(match self.announced.line(line.trim_ascii_start(), context) {
            Some(parsed) => parsed,
            None if was_open => {
                self.announced = Announced::Nothing;
                vec![None]
            }
            None => self.lines.line(line, context),
        });
        records
    }

    fn end(&mut self, context: &Context) -> Records {
        let Announced::Properties(values) = &self.announced else { return vec![] };
        let [algorithm, hash, _, ..] = &**values else { return vec![] };
        let expected = tagged(algorithm, hash, context);
        let record = expected.map(|it| it.of_file(joined(&values[2..], context)));
        self.announced = Announced::Nothing;
        vec![record]
    }

    fn is_open(&self) -> bool {
        match &self.announced {
            Announced::Properties(values) => values.len() < PROPERTIES.len(),
            announced => matches!(announced, Announced::Digest { .. }),
        }
    }
}

fn tagged(algorithm: &[u8], digest: &[u8], context: &Context) -> Option<Expected> {
    context.meaning.tagged(str::from_utf8(algorithm).ok()?, digest)
}

impl Announced {
    /// Parses a line of the announced kind. Returns `None` for other lines.
    fn line(&mut self, line: &[u8], context: &Context) -> Option<Records> {
        let entry = match self {
            Announced::Nothing => return None,
            Announced::Properties(values) => {
                let value = property(line, values.len())?;
                if let [algorithm, hash] = &**values {
                    tagged(algorithm, hash, context)?;
                    // The value may end with a blank at which the line was wrapped.
                    values.push(value.trim_ascii_start().to_vec());
                } else {
                    values.push(value.trim_ascii().to_vec());
                }
                return Some(vec![]);
            }
            Announced::Table if line.iter().all(|byte| b"- ".contains(byte)) => {
                return Some(vec![]);
            }
            Announced::Table => {
                let mut words = words(line);
                let (algorithm, hash) = (words.next()?, words.next()?);
                // The name is the rest of the line, because it may contain blanks.
                let name = line[offset(hash, line) + hash.len()..].trim_ascii();
                let expected = tagged(algorithm, hash, context)?;
                (!name.is_empty()).then(|| expected.of_file(name.to_vec()))?
            }
            Announced::Csv => {
                let [algorithm, hash, name] =
                    <[Vec<u8>; 3]>::try_from(fields(line.trim_ascii_end())?).ok()?;
                tagged(&algorithm, &hash, context)?.of_file(name)
            }
            Announced::Digest { algorithm, name } => {
                // Before Windows 8, certutil wrote blanks between the bytes.
                let hash: Vec<u8> = line.iter().copied().filter(|&byte| byte != b' ').collect();
                let expected = context.meaning.tagged(algorithm, &hash)?;
                let entry = expected.of_file(std::mem::take(name));
                *self = Announced::Nothing;
                entry
            }
        };
        Some(vec![Some(entry)])
    }
}

/// The column of values in a list of `Algorithm`, `Hash` and `Path`.
const COLUMN: usize = "Algorithm : ".len();

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

/// Returns the value of the property with this index, with the blanks around it, if the line is
/// `Name : value`.
fn property(line: &[u8], index: usize) -> Option<&[u8]> {
    let (name, value) = split_once(line, b":")?;
    let name = name.strip_suffix(b" ")?.trim_ascii();
    (PROPERTIES.get(index) == Some(&name) && value.starts_with(b" ")).then_some(value)
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
    if context.meaning.of(first).is_some() || is_number(first) {
        return None;
    }
    let named = |word| {
        let word = str::from_utf8(word).ok()?;
        word.split(['-', '(', ')']).find(|part| ALGORITHMS.contains(part))
    };
    let mut words = line.split(|&byte| byte == b' ');
    let (word, algorithm) = words.find_map(|word| Some((word, named(word)?)))?;
    let rest = line.get(offset(word, line) + word.len() + 1..)?;
    let known = [&b"hash of file "[..], b"hash of ", b"von Datei ", b"von "];
    let name = known.iter().find_map(|words| rest.strip_prefix(*words)).or_else(|| {
        let exists = |name: &&[u8]| Path::new(&os_name(&context.place.path_of(name))).is_file();
        let mut ends = std::iter::successors(Some(rest), |it| Some(split_once(it, b" ")?.1));
        let file = ends.find(|it| it.len() <= LONGEST_NAME && exists(it));
        file.or_else(|| rest.rsplit(|&byte| byte == b' ').next())
    })?;
    Some((algorithm.to_owned(), name.to_vec()))
}

/// The longest name, in bytes, that is looked up as a file. Linux opens no longer path. The lookups for a
/// heading with 400,000 blanks took minutes without this limit.
const LONGEST_NAME: usize = 4096;

/// The algorithms of certutil that this program has.
const ALGORITHMS: [&str; 5] = ["MD5", "SHA1", "SHA256", "SHA384", "SHA512"];
