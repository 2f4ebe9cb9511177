//! What the formats of lists have in common.

use crate::lists::entry::{Expected, Parsed};
use crate::lists::expected::{Meaning, is_named};
use crate::lists::place::Place;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The state of reading a list in one format.
pub trait Syntax {
    /// Parses a line, which has neither a newline nor a carriage return at its end.
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed;

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

/// How a list is read, whatever its format.
pub struct Context<'a> {
    /// How digests are interpreted. The list's name may have determined the algorithm of untagged
    /// lines.
    pub meaning: Meaning<'a>,
    pub place: &'a Place,
    /// The name of the file that the list is named after, which a digest without a name belongs to.
    /// `None` if the list's extension does not name an algorithm.
    pub named_after: Option<Vec<u8>>,
    /// The algorithms that were guessed for untagged lines.
    pub guessed: RefCell<BTreeSet<String>>,
}

impl Context<'_> {
    /// Records which algorithms were guessed for a digest, unless something named its algorithm.
    pub fn note_guess(&self, token: &[u8], expected: &Expected) {
        if self.meaning.named.is_empty() && !is_named(token) {
            self.guessed.borrow_mut().insert(expected.names());
        }
    }
}

/// Splits a line at its blanks.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
