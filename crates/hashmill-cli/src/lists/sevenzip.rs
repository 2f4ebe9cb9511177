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

use crate::lists::entry::{Entry, Records};
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{offset, words};
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
    let column = |rule: &[u8]| offset(rule, line)..offset(rule, line) + rule.len();
    words(line).map(column).collect()
}

fn is_rule(line: &[u8]) -> bool {
    line.starts_with(b"--") && line.iter().all(|byte| b"- ".contains(byte))
}

impl SevenZip {
    pub fn is(lines: &[&[u8]]) -> bool {
        lines.windows(2).any(|pair| is_heading(pair[0]) && is_rule(pair[1].trim_ascii_end()))
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
        let digests = self.heading.iter().zip(digests);
        let mut digests =
            digests.map(|(name, column)| (&**name, field(column).unwrap_or_default()));
        let claims = context.meaning.all(&mut digests)?;
        Entry::new(name.to_vec(), claims).sized(field(size)?)
    }
}

impl Syntax for SevenZip {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let has_columns = !self.columns.is_empty();
        if !has_columns && is_heading(line) {
            let heading = String::from_utf8_lossy(line);
            self.heading = heading.split_ascii_whitespace().map(str::to_owned).collect();
        } else if !has_columns && is_rule(line) && columns(line).len() == self.heading.len() {
            self.columns = columns(line);
        } else if has_columns && is_rule(line) {
            self.ended = true;
        } else if has_columns && !self.ended {
            // A directory has neither digests nor a size.
            let name = self.columns.last().map_or(0, |name| name.start);
            let is_file = line.get(..name).is_none_or(|it| !it.trim_ascii().is_empty());
            return is_file.then(|| self.entry(line, context)).into_iter().collect();
        }
        vec![]
    }

    fn is_open(&self) -> bool {
        !self.ended
    }
}
