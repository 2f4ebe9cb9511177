//! What a line of a list says: a file and the digests that it is to have.

use crate::hashing::recipe::{Computed, Recipe};
use crate::text::encoding::Encoding;
use std::sync::Arc;

/// A digest in text, and what it can be of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// More than one where neither a name nor the length tells.
    pub recipes: Arc<[Recipe]>,
    /// Other recipes of this length, which are tried before the digest is said not to match. There
    /// are some only if nothing but the length told the algorithm.
    pub others: Arc<[Recipe]>,
    pub text: Vec<u8>,
    pub encoding: Encoding,
    /// How many parts the file is to have, if they are digested one by one.
    pub parts: Option<u64>,
}

impl Expected {
    fn is(&self, value: &Computed) -> bool {
        self.parts == value.parts && self.encoding.is_of(&self.text, &value.bytes)
    }

    /// The names of the algorithms that it can be of.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.recipes.iter().map(Recipe::to_string).collect();
        names.join(" or ")
    }

    /// A digest that is of one recipe.
    pub fn of(recipe: Recipe, text: &[u8], encoding: Encoding) -> Expected {
        let (recipes, others) = (Arc::new([recipe]), Arc::new([]));
        Expected { recipes, others, text: text.to_vec(), encoding, parts: None }
    }

    pub fn of_file(self, name: Vec<u8>) -> Entry {
        Entry::new(name, vec![vec![self]])
    }
}

/// A file and what it is to be.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: Vec<u8>,
    /// All of these hold for the file that is meant; of each, one of its digests.
    pub claims: Vec<Vec<Expected>>,
    pub size: Option<u64>,
    /// The digest is of a tree, as Go computes it: of the names in it behind this prefix, and their
    /// contents.
    pub tree: Option<String>,
    /// The recipes of all claims, one after the other.
    pub recipes: Arc<[Recipe]>,
}

impl Entry {
    pub fn new(name: Vec<u8>, claims: Vec<Vec<Expected>>) -> Entry {
        let recipes = match &*claims {
            [claim] if claim.len() == 1 => claim[0].recipes.clone(),
            claims => claims.iter().flatten().flat_map(|it| it.recipes.iter().cloned()).collect(),
        };
        Entry { name, claims, size: None, tree: None, recipes }
    }

    pub fn with_size(self, size: Option<u64>) -> Entry {
        Entry { size, ..self }
    }

    /// Whether the file of these digests is what is expected.
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

    /// The recipes that are tried when those of the claim do not match.
    pub fn others(&self) -> &[Recipe] {
        match self.claims.as_slice() {
            [claim] => claim.first().map_or(&[], |expected| &expected.others),
            _ => &[],
        }
    }

    /// Which of the other recipes has this digest.
    pub fn is_other(&self, values: &[Computed]) -> Option<&Recipe> {
        let expected = self.claims.first()?.first()?;
        let mut pairs = expected.others.iter().zip(values);
        pairs.find(|(_, value)| expected.is(value)).map(|(recipe, _)| recipe)
    }
}

/// What a line of a list says.
#[derive(Debug, PartialEq, Eq)]
pub enum Parsed {
    /// What files are to be: at least one.
    Entries(Vec<Entry>),
    /// Nothing by itself, which is no fault: it is empty or a comment, or part of what is around
    /// the list or of a record of several lines.
    Nothing,
    /// It is not of this format.
    Improper,
}

impl From<Option<Entry>> for Parsed {
    fn from(entry: Option<Entry>) -> Parsed {
        entry.map_or(Parsed::Improper, |entry| Parsed::Entries(vec![entry]))
    }
}

impl From<Vec<Entry>> for Parsed {
    fn from(entries: Vec<Entry>) -> Parsed {
        if entries.is_empty() { Parsed::Improper } else { Parsed::Entries(entries) }
    }
}

/// How the lines of a list are read.
pub trait Format {
    /// Whether lists in UTF-16 are read too.
    fn decodes(&self) -> bool {
        false
    }

    /// Looks at the first bytes of a list, before any of its lines is read.
    fn begin(&mut self, _start: &[u8]) {}

    /// What a line says, which has neither newline nor carriage return at its end.
    fn parse(&mut self, line: &[u8]) -> Parsed;

    /// The kind of line that an improperly formatted one is not: `SHA256 `, or nothing.
    fn label(&self) -> String;

    /// What the user may want to know about how the list was read.
    fn notes(&mut self, _verbosity: Verbosity) -> Vec<String> {
        Vec::new()
    }

    /// Why the list as a whole cannot be trusted, at its end.
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
    /// Every improperly formatted line too, by its number.
    Warn,
}
