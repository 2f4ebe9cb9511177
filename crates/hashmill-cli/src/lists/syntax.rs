//! What the formats of lists have in common.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Expected, Parsed};
use crate::lists::expected::{Meaning, is_named};
use crate::lists::place::Place;
use std::cell::RefCell;
use std::sync::Arc;

/// The state of reading a list in one format.
pub trait Syntax {
    /// Parses a line, which has neither a newline nor a carriage return at its end.
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed;

    /// Returns the record that only the end of the list completes, if there is one.
    fn end(&mut self, _context: &Context) -> Option<Parsed> {
        None
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
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        match line.is_empty() || line.starts_with(b"#") {
            true => Parsed::Comment,
            false => self(line, context).into(),
        }
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
    /// The algorithms that were guessed for untagged lines, and their names.
    pub guessed: RefCell<Vec<(Arc<[Recipe]>, String)>>,
}

impl Context<'_> {
    /// Records which algorithms were guessed for a digest, unless something named its algorithm.
    pub fn note_guess(&self, token: &[u8], expected: &Expected) {
        if self.meaning.named.is_empty() && !is_named(token) {
            let mut guessed = self.guessed.borrow_mut();
            // Lines of one length share their recipes.
            if !guessed.iter().any(|(recipes, _)| *recipes == expected.recipes) {
                guessed.push((expected.recipes.clone(), expected.names()));
            }
        }
    }
}

/// Splits a line at its blanks.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Splits a line of CSV. A field with a comma or a quotation mark is in quotation marks, which are
/// doubled within it (RFC 4180 §2).
pub fn fields(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let mut field = Vec::new();
        if let Some(mut quoted) = rest.strip_prefix(b"\"") {
            loop {
                let end = quoted.iter().position(|&byte| byte == b'"')?;
                field.extend(&quoted[..end]);
                quoted = &quoted[end + 1..];
                match quoted.strip_prefix(b"\"") {
                    Some(more) => {
                        field.push(b'"');
                        quoted = more;
                    }
                    None => break,
                }
            }
            rest = quoted;
        } else {
            let end = rest.iter().position(|&byte| byte == b',').unwrap_or(rest.len());
            field.extend(&rest[..end]);
            rest = &rest[end..];
            if field.contains(&b'"') {
                return None;
            }
        }
        fields.push(field);
        match rest {
            [] => return Some(fields),
            [b',', more @ ..] => rest = more,
            _ => return None,
        }
    }
}
