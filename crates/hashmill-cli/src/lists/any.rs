//! Reads lists in any of the usual formats.

use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::bagit::BagIt;
use crate::lists::entry::{Format, Parsed, Verbosity};
use crate::lists::expected::Meaning;
use crate::lists::hashdeep::Hashdeep;
use crate::lists::manifest::Manifest;
use crate::lists::mtree::Mtree;
use crate::lists::objects::Objects;
use crate::lists::packages::{Debian, Gentoo, Pip};
use crate::lists::pgp::Pgp;
use crate::lists::place::Place;
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};
use crate::lists::windows::Windows;
use std::cell::RefCell;

/// A format of lists: how it is recognised, and its reader, which knows what a record is and where a
/// list may end.
struct Row {
    is: fn(&Start) -> bool,
    syntax: fn() -> Box<dyn Syntax>,
}

/// What formats are recognised by.
struct Start<'s> {
    /// The list's name without its directory.
    file: &'s [u8],
    /// The first bytes of the list.
    text: &'s [u8],
    context: &'s Context<'s>,
}

/// All formats. The first one that recognises a list is used.
const FORMATS: [Row; 11] = [
    Row { is: |it| BagIt::algorithm(it.file).is_some(), syntax: || Box::new(BagIt) },
    Row {
        is: |it| extension(it.file).eq_ignore_ascii_case("sfv"),
        syntax: || Box::new(Single::sfv()),
    },
    Row { is: |it| Objects::is(it.text), syntax: || Box::new(Objects::default()) },
    Row { is: |it| Hashdeep::is(it.text), syntax: || Box::new(Hashdeep::default()) },
    Row { is: |it| Mtree::is(it.text), syntax: || Box::new(Mtree::default()) },
    Row { is: |it| Debian::is(it.text), syntax: || Box::new(Debian::default()) },
    Row { is: |it| Gentoo::is(it.text), syntax: || Box::new(Gentoo) },
    Row { is: |it| Pip::is(it.text), syntax: || Box::new(Pip::default()) },
    Row { is: |it| it.text.starts_with(b";"), syntax: || Box::new(Single::sfv()) },
    Row { is: |it| Manifest::is(it.text), syntax: || Box::new(Manifest::default()) },
    Row { is: |it| Windows::is(it.text, it.context), syntax: || Box::new(Windows::default()) },
];

/// The reader of a list in any of the usual formats. The list may be inside a PGP-signed message.
pub struct Any<'a> {
    context: Context<'a>,
    /// The list's name without its directory.
    file: Vec<u8>,
    /// The format. It is that of single lines until [`begin`](Format::begin) recognises another.
    syntax: Box<dyn Syntax>,
    pgp: Pgp,
    /// Whether the list's signature has been verified.
    verified: bool,
}

/// Returns the text after the last dot in a file's name, or an empty text.
fn extension(file: &[u8]) -> &str {
    let dot = file.iter().rposition(|&byte| byte == b'.');
    dot.and_then(|at| str::from_utf8(&file[at + 1..]).ok()).unwrap_or_default()
}

impl<'a> Any<'a> {
    /// Creates the reader of the list with the name `list`. Untagged lines have one of the recipes
    /// in `named`; if it is empty, the list's name or the length of the digest determines the
    /// recipe.
    pub fn new(named: &[Recipe], mode: &'a Mode, place: &'a Place, list: &[u8]) -> Any<'a> {
        let file = list.rsplit(|&byte| byte == b'/').next().unwrap_or(list);
        let extension = extension(file);
        let from_name: Option<Recipe> = extension.parse().ok();
        let stem = from_name.as_ref().map(|_| list[..list.len() - extension.len() - 1].to_vec());
        let named = match (named, BagIt::algorithm(file).or(from_name)) {
            ([], Some(recipe)) => vec![recipe],
            (named, _) => named.to_vec(),
        };
        let meaning = Meaning::new(named, mode);
        Any {
            context: Context { meaning, place, stem, guessed: RefCell::default() },
            file: file.to_vec(),
            syntax: Box::new(Single::default()),
            pgp: Pgp::default(),
            verified: false,
        }
    }

    /// Records that the signature in the list, or in a file beside it, has been verified.
    pub fn set_verified(&mut self) {
        self.verified = true;
    }
}

impl Format for Any<'_> {
    fn decodes(&self) -> bool {
        true
    }

    fn begin(&mut self, start: &[u8]) {
        let text = self.pgp.begin(start);
        let start = Start { file: &self.file, text, context: &self.context };
        if let Some(row) = FORMATS.iter().find(|row| (row.is)(&start)) {
            self.syntax = (row.syntax)();
        }
    }

    fn reads_pieces(&self) -> bool {
        self.syntax.reads_pieces() && !self.pgp.is_signed()
    }

    fn parse(&mut self, line: &[u8]) -> Parsed {
        let line = match self.pgp.line(line) {
            Ok(Some(line)) => line,
            Ok(None) => return Parsed::Comment,
            Err(()) => return None.into(),
        };
        match self.syntax.line(line, &self.context) {
            Parsed::Records(records) => {
                // No file has a name with NUL.
                let possible = records.into_iter().map(|it| it.filter(|it| !it.name.contains(&0)));
                Parsed::Records(possible.collect())
            }
            Parsed::Comment => Parsed::Comment,
        }
    }

    fn label(&self) -> String {
        String::new()
    }

    fn notes(&mut self, verbosity: Verbosity) -> Vec<String> {
        let mut notes = Vec::new();
        if self.pgp.is_signed() && !self.verified && verbosity != Verbosity::Status {
            notes.push("the PGP signature of this list was not checked".to_owned());
        }
        if self.pgp.outside > 0 && verbosity != Verbosity::Status {
            notes.push(match self.pgp.outside {
                1 => "1 line outside of the signed text was ignored".to_owned(),
                lines => format!("{lines} lines outside of the signed text were ignored"),
            });
        }
        if verbosity != Verbosity::Status {
            notes.extend(self.context.meaning.refused());
        }
        let guessed: Vec<_> = self.context.guessed.take().into_iter().collect();
        if verbosity == Verbosity::Warn && !guessed.is_empty() {
            let guessed = guessed.join(", ");
            notes.push(format!("lines without an algorithm's name were taken for {guessed}"));
        }
        notes
    }

    fn fault(&self) -> Option<String> {
        if self.pgp.late {
            return Some("a signed text begins after lines that are not signed".to_owned());
        }
        let cut = self.pgp.is_open() || self.syntax.is_open();
        cut.then(|| "the list is cut off".to_owned())
    }
}
