//! What the formats of lists have in common.

use crate::lists::entry::{Entry, Expected, Records};
use crate::lists::expected::Meaning;
use crate::lists::place::Place;
use crate::text::line::is_comment;

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

/// Whether untagged lines have BSD's reversed format, with one blank between the digest and the
/// name. In other formats there are two, or a blank and an asterisk. The first line decides for the
/// whole list, because a name may begin with a blank.
#[derive(Default)]
pub struct Untagged {
    reversed: Option<bool>,
}

impl Untagged {
    pub fn is_reversed(&self) -> Option<bool> {
        self.reversed
    }

    /// Returns the name in what follows the first blank of a line.
    pub fn name<'l>(&mut self, rest: &'l [u8]) -> &'l [u8] {
        match rest {
            [b' ' | b'*', name @ ..] if !name.is_empty() && self.reversed != Some(true) => {
                self.reversed = Some(false);
                name
            }
            name => {
                self.reversed.get_or_insert(true);
                name
            }
        }
    }
}
