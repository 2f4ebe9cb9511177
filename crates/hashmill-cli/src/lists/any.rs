//! Reads lists in any of the usual formats.

use crate::files::paths::split;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::bagit;
use crate::lists::entry::{Expected, Format, Records, Verbosity};
use crate::lists::expected::Meaning;
use crate::lists::folded::Folded;
use crate::lists::hashdeep::Hashdeep;
use crate::lists::manifest::Manifest;
use crate::lists::mtree::Mtree;
use crate::lists::objects::Objects;
use crate::lists::packages::{Debian, Gentoo, Pip};
use crate::lists::pgp::{Pgp, outside_note};
use crate::lists::place::Place;
use crate::lists::sevenzip::SevenZip;
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};
use crate::lists::tables::{Fciv, cfv};
use crate::lists::windows::Windows;
use crate::signature::ed25519;
use crate::text::line::rsplit_once;

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
    /// The first bytes of the list, and the lines in them.
    text: &'s [u8],
    lines: Vec<&'s [u8]>,
    context: &'s Context<'s>,
}

/// All formats. The first one that recognises a list is used.
const FORMATS: [Row; 15] = [
    Row { is: |it| bagit::algorithm(it.file).is_some(), syntax: || Box::new(bagit::record) },
    Row {
        is: |it| it.file.to_ascii_lowercase().ends_with(b".sfv"),
        syntax: || Box::new(Single::sfv()),
    },
    Row { is: |it| Objects::is(it.text), syntax: new::<Objects> },
    Row { is: |it| it.text.starts_with(b"%%%% HASHDEEP-"), syntax: new::<Hashdeep> },
    Row { is: |it| Mtree::is(&it.lines), syntax: new::<Mtree> },
    Row { is: |it| Fciv::is(&it.lines), syntax: new::<Fciv> },
    Row { is: |it| SevenZip::is(&it.lines), syntax: new::<SevenZip> },
    Row {
        is: |it| cfv(it.lines[0].trim_ascii_end(), it.context).is_some(),
        syntax: || Box::new(cfv),
    },
    Row { is: |it| Debian::is(&it.lines), syntax: new::<Debian> },
    Row { is: |it| Gentoo::is(&it.lines), syntax: new::<Gentoo> },
    Row { is: |it| it.text.windows(7).any(|it| it == b"--hash="), syntax: new::<Pip> },
    Row { is: |it| it.text.starts_with(b";"), syntax: || Box::new(Single::sfv()) },
    Row { is: |it| it.text.starts_with(b"# hashmill manifest "), syntax: new::<Manifest> },
    Row { is: |it| Windows::is(&it.lines, it.context), syntax: new::<Windows> },
    // After certutil's format, whose old form has blanks between the bytes, too.
    Row { is: |it| Folded::is(&it.lines), syntax: new::<Folded> },
];

fn new<S: Syntax + Default + 'static>() -> Box<dyn Syntax> {
    Box::new(S::default())
}

/// The reader of a list in any of the usual formats. The list may be inside a PGP-signed message.
pub struct Any<'a> {
    context: Context<'a>,
    /// The list's name without its directory.
    file: Vec<u8>,
    /// The format. It is that of single lines until [`begin`](Format::begin) recognises another.
    syntax: Box<dyn Syntax>,
    pgp: Pgp,
    /// If the list begins with a signature of signify: the number of the signature's lines that
    /// follow.
    signature: Option<usize>,
    /// Whether the list's signature has been verified.
    verified: bool,
    /// A digest of each length for which the algorithm was guessed.
    guessed: Vec<Expected>,
}

/// Returns the algorithm that the extension of a list's name names, and the length of the name
/// before the extension: of `x.sha256`, `x.sha256sum` and `x.sha256.txt`. The old checksums have
/// lines of their own, which need no such name; `.bsd` means something else.
pub fn algorithm_of(file: &[u8]) -> Option<(Recipe, usize)> {
    let mut name = &*file.to_ascii_lowercase();
    for end in [&b".asc"[..], b".txt"] {
        name = name.strip_suffix(end).unwrap_or(name);
    }
    let (stem, extension) = rsplit_once(name, b".")?;
    let extension = str::from_utf8(extension).ok()?;
    let before = extension.strip_suffix("sums").or(extension.strip_suffix("sum"));
    let named = |text| match text {
        "b2" | "blake2" => Some(Recipe::of(hashmill::Algorithm::Blake2b)),
        text => text.parse().ok().filter(|it: &Recipe| it.algorithm().size().is_none()),
    };
    Some((named(extension).or_else(|| named(before?))?, stem.len()))
}

impl<'a> Any<'a> {
    /// Creates the reader of a list. Untagged lines have one of the recipes in `named`; if it is
    /// empty, the list's name or the length of the digest determines the recipe.
    pub fn new(named: &[Recipe], mode: &'a Mode, place: &'a Place) -> Any<'a> {
        let file = split(&place.list).1;
        let of_name = algorithm_of(file);
        let named_after = of_name.as_ref().and_then(|(_, len)| {
            place.named_after(&place.list[..place.list.len() - file.len() + len])
        });
        let named = match (named, bagit::algorithm(file).or(of_name.map(|it| it.0))) {
            ([], Some(recipe)) => vec![recipe],
            (named, _) => named.to_vec(),
        };
        let meaning = Meaning::new(named, mode);
        Any {
            context: Context { meaning, place, named_after },
            file: file.to_vec(),
            syntax: Box::new(Single::default()),
            pgp: Pgp::default(),
            signature: None,
            verified: false,
            guessed: Vec::new(),
        }
    }

    /// Records that the signature in the list, or in a file beside it, has been verified, and the
    /// number of lines outside of the signed text.
    pub fn set_verified(&mut self, outside: u64) {
        self.verified = true;
        self.pgp.outside = outside;
    }

    /// Removes records that cannot be: no file has a name with NUL. Notes the guesses in the
    /// others.
    fn possible(&mut self, mut records: Records) -> Records {
        for record in &mut records {
            *record = record.take().filter(|it| !it.name.contains(&0));
            for guess in record.iter().flat_map(|it| &it.claims).flatten().filter(|it| it.guessed) {
                // Lines of one length share their recipes.
                if !self.guessed.iter().any(|it| it.recipes == guess.recipes) {
                    self.guessed.push(guess.clone());
                }
            }
        }
        records
    }
}

impl Format for Any<'_> {
    fn decodes(&self) -> bool {
        true
    }

    fn begin(&mut self, start: &[u8]) {
        let text = ed25519::split(start).map(|(_, list)| list);
        self.signature = text.is_some().then_some(ed25519::LINES);
        let text = self.pgp.begin(text.unwrap_or(start));
        let lines = text.split(|&byte| byte == b'\n').collect();
        let start = Start { file: &self.file, text, lines, context: &self.context };
        if let Some(row) = FORMATS.iter().find(|row| (row.is)(&start)) {
            self.syntax = (row.syntax)();
        }
    }

    fn reads_pieces(&self) -> bool {
        self.syntax.reads_pieces() && !self.pgp.is_signed()
    }

    fn parse(&mut self, line: &[u8]) -> Records {
        if let Some(left @ 1..) = &mut self.signature {
            *left -= 1;
            return vec![];
        }
        let records = match self.pgp.line(line) {
            Ok(Some(line)) => self.syntax.line(line, &self.context),
            Ok(None) => vec![],
            Err(()) => vec![None],
        };
        self.possible(records)
    }

    fn end(&mut self) -> Records {
        let records = self.syntax.end(&self.context);
        self.possible(records)
    }

    fn notes(&mut self, verbosity: Verbosity) -> Vec<String> {
        let mut notes = Vec::new();
        let program = if self.pgp.is_signed() { "PGP" } else { "signify" };
        let is_signed = self.pgp.is_signed() || self.signature.is_some();
        if is_signed && !self.verified && verbosity != Verbosity::Status {
            notes.push(format!("the {program} signature of this list was not checked"));
        }
        if verbosity != Verbosity::Status {
            notes.extend(outside_note(self.pgp.outside));
            notes.extend(self.context.meaning.refused());
        }
        if verbosity == Verbosity::Warn && !self.guessed.is_empty() {
            let guessed: Vec<_> = self.guessed.drain(..).map(|it| it.names()).collect();
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
