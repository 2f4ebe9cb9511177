//! What the formats of lists have in common.

use crate::lists::entry::{Entry, Expected, Records};
use crate::lists::expected::Meaning;
use crate::lists::place::Place;
use crate::text::quote::unescape;

/// The state of reading a list in one format.
pub trait Syntax {
    /// Parses a line, which has neither a newline nor a carriage return at its end.
    fn line(&mut self, line: &[u8], context: &Context) -> Records;

    /// Returns the records that only the end of the list completes.
    fn end(&mut self, _context: &Context) -> Records {
        Vec::new()
    }

    /// Returns whether a list that ends here is cut off: inside a record, or before the end that the
    /// format requires.
    fn is_open(&self) -> bool {
        false
    }

    /// See [`Format::reads_pieces`](crate::lists::entry::Format::reads_pieces).
    fn reads_pieces(&self) -> bool {
        false
    }
}

/// A format whose lines are records of their own.
impl<F: Fn(&[u8], &Context) -> Option<Entry>> Syntax for F {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        if is_comment(line) { vec![] } else { vec![self(line, context)] }
    }
}

/// How a list is read, whatever its format.
pub struct Context<'a> {
    /// How digests are interpreted. The list's name may have determined the algorithm of untagged
    /// lines.
    pub meaning: Meaning<'a>,
    pub place: &'a Place,
    /// The name of the file that the list is named after, which a digest without a name belongs to.
    /// `None` if the list's extension does not name an algorithm.
    pub named_after: Option<Vec<u8>>,
}

impl Context<'_> {
    /// Returns the record of a digest without a name.
    pub fn nameless(&self, expected: Expected) -> Option<Entry> {
        let entry = expected.of_file(self.named_after.clone()?);
        Some(Entry { named_after: true, ..entry })
    }
}

/// A line that is divided: all parts but the last end with a backslash.
#[derive(Default)]
pub struct Divided {
    begun: Vec<u8>,
}

impl Divided {
    /// Adds a part. Returns the line if it is whole.
    pub fn add(&mut self, part: &[u8]) -> Option<Vec<u8>> {
        self.begun.extend(part);
        if self.begun.pop_if(|byte| *byte == b'\\').is_some() {
            self.begun.push(b' ');
            return None;
        }
        Some(std::mem::take(&mut self.begun))
    }

    pub fn is_begun(&self) -> bool {
        !self.begun.is_empty()
    }
}

pub fn is_comment(line: &[u8]) -> bool {
    line.is_empty() || line.starts_with(b"#")
}

pub fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

pub fn is_hex(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_hexdigit)
}

/// Parses a size.
pub fn number(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// Splits a line at its blanks.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Splits a line of CSV. A field with a comma or a quotation mark is in quotation marks, which are
/// doubled within it (RFC 4180 §2).
pub fn fields(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut is_quoted = false;
    let fields = line.split(|&byte| {
        is_quoted ^= byte == b'"';
        byte == b',' && !is_quoted
    });
    let mark = |rest: &[u8], field: &mut Vec<u8>| {
        field.push(b'"');
        rest.starts_with(b"\"").then_some(1)
    };
    let field = |field: &[u8]| match field.strip_prefix(b"\"") {
        Some(quoted) => unescape(quoted.strip_suffix(b"\"")?, b'"', &mark),
        None => (!field.contains(&b'"')).then(|| field.to_vec()),
    };
    fields.map(field).collect()
}
