//! Entries of lists: a file and its expected digests.

use crate::hashing::recipe::{Computed, Recipe};
use crate::text::encoding::Encoding;
use crate::text::line::number;
use std::sync::Arc;

/// An expected digest as text, and the recipes that it may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The possible recipes: several if neither a name nor the length determines one.
    pub recipes: Arc<[Recipe]>,
    /// Other recipes of this length, which are tried before the digest is reported as not matching.
    /// Empty unless the algorithm was derived from the length alone.
    pub others: Arc<[Recipe]>,
    pub text: Vec<u8>,
    pub encoding: Encoding,
    /// The expected number of parts, if the parts are hashed separately.
    pub parts: Option<u64>,
    /// Whether the recipes follow from nothing but the length.
    pub guessed: bool,
}

impl Expected {
    fn is(&self, value: &Computed) -> bool {
        self.parts == value.parts && self.encoding.is_of(&self.text, &value.bytes)
    }

    /// Returns the names of the possible recipes, separated by "or".
    pub fn names(&self) -> String {
        let names: Vec<String> = self.recipes.iter().map(Recipe::to_string).collect();
        names.join(" or ")
    }

    /// Creates an expected digest with only one possible recipe.
    pub fn of(recipe: Recipe, text: &[u8], encoding: Encoding) -> Expected {
        let (recipes, others) = (Arc::new([recipe]), Arc::new([]));
        Expected { recipes, others, text: text.to_vec(), encoding, parts: None, guessed: false }
    }

    pub fn of_file(self, name: Vec<u8>) -> Entry {
        Entry::new(name, vec![vec![self]])
    }
}

/// A file and its expected digests and size.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: Vec<u8>,
    /// The claims about the file. All of them must hold. A claim holds if one of its digests
    /// matches.
    pub claims: Vec<Vec<Expected>>,
    pub size: Option<u64>,
    /// For Go's digest of a tree: the prefix before the names of the tree's files. `None` for the
    /// digest of a file.
    pub tree: Option<String>,
    /// Whether the list contains no name: the name is then that of the file that the list is named
    /// after.
    pub named_after: bool,
    /// The recipes of all claims, in order.
    pub recipes: Arc<[Recipe]>,
}

impl Entry {
    pub fn new(name: Vec<u8>, claims: Vec<Vec<Expected>>) -> Entry {
        let recipes = match &*claims {
            [claim] if claim.len() == 1 => claim[0].recipes.clone(),
            claims => {
                let each: Vec<&[Recipe]> = claims.iter().flatten().map(|it| &*it.recipes).collect();
                each.concat().into()
            }
        };
        Entry { name, claims, size: None, tree: None, named_after: false, recipes }
    }

    /// Returns the entry with a size, which is a text, or `None` if it is no number.
    pub fn sized(self, size: &[u8]) -> Option<Entry> {
        Some(Entry { size: Some(number(size)?), ..self })
    }

    /// Returns whether all claims and the size match the computed digests. `values` are in the
    /// order of `recipes`.
    pub fn is(&self, values: &[Computed]) -> bool {
        let mut values = values.iter();
        let length = values.as_slice().first().map(|value| value.message_len);
        let mut holds = self.size.is_none_or(|size| length == Some(size));
        for claim in &self.claims {
            let mut any = false;
            for expected in claim {
                for value in values.by_ref().take(expected.recipes.len()) {
                    any |= expected.is(value);
                }
            }
            holds &= any;
        }
        holds
    }

    /// Returns the recipes that are tried if the claim does not match.
    pub fn others(&self) -> &[Recipe] {
        match self.claims.as_slice() {
            [claim] => claim.first().map_or(&[], |expected| &expected.others),
            _ => &[],
        }
    }

    /// Returns the first of the other recipes whose digest matches. `values` are in the order of
    /// [`others`](Self::others).
    pub fn is_other(&self, values: &[Computed]) -> Option<&Recipe> {
        let expected = self.claims.first()?.first()?;
        let mut pairs = expected.others.iter().zip(values);
        pairs.find(|(_, value)| expected.is(value)).map(|(recipe, _)| recipe)
    }
}

/// The records that a line of a list contains or ends. `None` is a record that was not understood.
/// There is none in an empty line, a comment, a line around the list, and the beginning of a record
/// that a later line ends.
pub type Records = Vec<Option<Entry>>;

/// A format of lists.
pub trait Format {
    /// Returns whether lists may also be in UTF-16.
    fn decodes(&self) -> bool {
        false
    }

    /// Receives the first bytes of a list, before any of its lines is parsed.
    fn begin(&mut self, _start: &[u8]) {}

    /// Returns whether records may be divided between lines at any place. If so, [`parse`] also
    /// accepts a piece of a line that is too long to be read at once. Otherwise such a line is not
    /// understood.
    ///
    /// [`parse`]: Self::parse
    fn reads_pieces(&self) -> bool {
        false
    }

    /// Parses a line, which has neither a newline nor a carriage return at its end.
    fn parse(&mut self, line: &[u8]) -> Records;

    /// Returns the records that only the end of the list completes. Called after the last line.
    fn end(&mut self) -> Records {
        Vec::new()
    }

    /// Returns the name of the expected kind of line for messages about improperly formatted lines,
    /// such as `SHA256 `, or an empty string.
    fn label(&self) -> String {
        String::new()
    }

    /// Returns notes for the user about how the list was interpreted.
    fn notes(&mut self, _verbosity: Verbosity) -> Vec<String> {
        Vec::new()
    }

    /// Returns the reason why the list as a whole cannot be trusted. Called at the end of the list.
    fn fault(&self) -> Option<String> {
        None
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    #[default]
    Normal,
    /// No `OK` lines.
    Quiet,
    /// Nothing but the exit status.
    Status,
    /// A message for each improperly formatted line, with its number, in addition.
    Warn,
}
