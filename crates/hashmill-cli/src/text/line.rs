//! Reads what lines consist of: words, fields and numbers.

use crate::text::quote::unescape;

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

/// Splits a line at the first of these marks. Returns what is before it and after it.
pub fn split_once<'t>(line: &'t [u8], marks: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = line.iter().position(|byte| marks.contains(byte))?;
    Some((&line[..at], &line[at + 1..]))
}

/// Splits a line at the last of these marks.
pub fn rsplit_once<'t>(line: &'t [u8], marks: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = line.iter().rposition(|byte| marks.contains(byte))?;
    Some((&line[..at], &line[at + 1..]))
}

/// Returns where a part of a line begins in the line.
pub fn offset(part: &[u8], line: &[u8]) -> usize {
    part.as_ptr().addr() - line.as_ptr().addr()
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
