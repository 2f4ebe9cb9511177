//! The output of `7z h`, which has a column for each algorithm:
//!
//! ```text
//! CRC32    SHA256       Size  Name
//! -------- ------------ ----  ------------
//! E8B7BE43 ca978112...     1  dir/f
//! -------- ------------ ----  ------------
//! ```
//!
//! The lines before and after the table are about all files together.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::syntax::{Context, Syntax, words};
use std::ops::Range;

#[derive(Default)]
pub struct SevenZip {
    heading: Vec<String>,
    /// The columns of the table, once its first rule was read.
    columns: Vec<Range<usize>>,
    ended: bool,
}

fn is_heading(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = words(line).collect();
    words.len() >= 3 && words.ends_with(&[b"Size", b"Name"])
}

/// Returns the columns that a line of hyphens marks.
fn columns(line: &[u8]) -> Vec<Range<usize>> {
    let (mut columns, mut at) = (Vec::new(), 0);
    for rule in line.split(|&byte| byte == b' ') {
        if !rule.is_empty() {
            columns.push(at..at + rule.len());
        }
        at += rule.len() + 1;
    }
    columns
}

fn is_rule(line: &[u8]) -> bool {
    line.starts_with(b"--") && line.iter().all(|byte| b"- ".contains(byte))
}

impl SevenZip {
    pub fn is(start: &[u8]) -> bool {
        let lines: Vec<&[u8]> =
            start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
        lines.windows(2).any(|pair| is_heading(pair[0]) && is_rule(pair[1]))
    }

    fn entry(&self, line: &[u8], context: &Context) -> Option<Entry> {
        let field = |column: &Range<usize>| line.get(column.clone()).map(<[u8]>::trim_ascii);
        let (name, columns) = self.columns.split_last()?;
        let (size, digests) = columns.split_last()?;
        // A size of more digits than the column has moves the name, so it is not understood.
        let between = line.get(size.end..name.start)?;
        let name = line.get(name.start..).filter(|name| !name.is_empty())?;
        if between.iter().any(|&byte| byte != b' ') {
            return None;
        }
        let size = str::from_utf8(field(size)?).ok()?.parse().ok()?;
        let mut claims = Vec::new();
        for (algorithm, column) in self.heading.iter().zip(digests) {
            // Columns of algorithms that this program does not have, such as CRC64, are ignored.
            if algorithm.parse::<Recipe>().is_ok() {
                claims.push(vec![context.meaning.tagged(algorithm, field(column)?)?]);
            }
        }
        let entry = Entry::new(name.to_vec(), claims).with_size(Some(size));
        (!entry.claims.is_empty()).then_some(entry)
    }
}

impl Syntax for SevenZip {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        if self.ended {
            return Parsed::Comment;
        }
        if self.columns.is_empty() {
            if is_heading(line) {
                self.heading = String::from_utf8_lossy(line)
                    .split_ascii_whitespace()
                    .map(str::to_owned)
                    .collect();
            } else if is_rule(line) && columns(line).len() == self.heading.len() {
                self.columns = columns(line);
            }
            return Parsed::Comment;
        }
        if is_rule(line) {
            self.ended = true;
            return Parsed::Comment;
        }
        // A directory has neither digests nor a size.
        let is_directory = self.columns.split_last().is_some_and(|(name, _)| {
            line.get(..name.start).is_some_and(|it| it.trim_ascii().is_empty())
        });
        if is_directory { Parsed::Comment } else { self.entry(line, context).into() }
    }

    fn is_open(&self) -> bool {
        !self.ended
    }
}
