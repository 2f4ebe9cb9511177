//! Reads the lines of a list in any of the usual formats.

use crate::hashing::foreign::Foreign;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Expected, Format, Parsed, Verbosity};
use crate::lists::expected::{Meaning, is_named};
use crate::lists::hashdeep::Hashdeep;
use crate::lists::mtree::Mtree;
use crate::lists::objects::Objects;
use crate::lists::packages::{Debian, Pip, gentoo, go_sum, is_gentoo};
use crate::lists::pgp::Pgp;
use crate::lists::place::Place;
use crate::lists::windows::Windows;
use crate::text::encoding::Encoding;
use crate::text::quote::unescape_line;
use std::collections::BTreeSet;

/// Lines in any of the usual formats:
///
/// ```text
/// ba7816bf8f01cfea...  name            two blanks, or a blank and an asterisk
/// ba7816bf8f01cfea... name             one blank: BSD's reversed format
/// ba7816bf8f01cfea...                  in name.sha256
/// sha256:ba7816bf8f01cfea...  name     also several digests before a name
/// name@sha256:ba7816bf8f01cfea...
/// SHA256 (name) = ba7816bf8f01cfea...
/// SHA2-256(name)= ba7816bf8f01cfea...  as OpenSSL writes it
/// name 352441c2                        SFV and RHash: digests after the name
/// 891568578 3 name                     cksum
/// ```
///
/// Digests may be in any encoding, and algorithms may have any of their names. The list may be
/// inside a PGP-signed message. Formats with several lines for each record are recognised by the
/// beginning of the list.
pub struct Any<'a> {
    /// How digests are interpreted. The list's name may have determined the algorithm of untagged
    /// lines.
    meaning: Meaning<'a>,
    place: &'a Place,
    /// The list's name without the extension that names an algorithm: the file that a digest
    /// without a name belongs to.
    stem: Option<Vec<u8>>,
    /// The algorithms that were guessed for untagged lines.
    guessed: BTreeSet<String>,
    /// Whether the first untagged line with a name had only one blank before it. In later lines,
    /// further blanks then belong to the name.
    reversed: Option<bool>,
    first_line: bool,
    pgp: Pgp,
    /// Whether the list's signature has been verified.
    verified: bool,
    kind: Kind,
}

/// The format of a list.
enum Kind {
    /// One record on each line, and the state of the formats of Windows' programs.
    Lines(Windows),
    Sfv,
    BagIt,
    Hashdeep(Hashdeep),
    Mtree(Mtree),
    Debian(Debian),
    Gentoo,
    Pip(Pip),
    Objects(Objects),
}

impl<'a> Any<'a> {
    /// Creates the reader of the list with the name `list`. Untagged lines have one of the recipes
    /// in `named`; if it is empty, the list's name or the length of the digest determines the
    /// recipe.
    pub fn new(named: &[Recipe], mode: &'a Mode, place: &'a Place, list: &[u8]) -> Any<'a> {
        let file = list.rsplit(|&byte| byte == b'/').next().unwrap_or(list);
        let (stem, extension) = match file.iter().rposition(|&byte| byte == b'.') {
            Some(at) => (
                &list[..list.len() - (file.len() - at)],
                str::from_utf8(&file[at + 1..]).unwrap_or_default(),
            ),
            None => (list, ""),
        };
        let from_name: Option<Recipe> = extension.parse().ok();
        // RFC 8493 §2.1.3 and §2.2.1.
        let bag = str::from_utf8(file).ok().and_then(|it| it.strip_suffix(".txt"));
        let bag = bag.and_then(|it| it.strip_prefix("tag").unwrap_or(it).strip_prefix("manifest-"));
        let bag: Option<Recipe> = bag.and_then(|algorithm| algorithm.parse().ok());
        let kind = match (&bag, extension.to_ascii_lowercase().as_str()) {
            (Some(_), _) => Kind::BagIt,
            (None, "sfv") => Kind::Sfv,
            _ => Kind::Lines(Windows::default()),
        };
        Any {
            meaning: Meaning::new(
                match (named, bag.or_else(|| from_name.clone())) {
                    ([], Some(recipe)) => vec![recipe],
                    (named, _) => named.to_vec(),
                },
                mode,
            ),
            place,
            stem: from_name.map(|_| stem.to_vec()),
            guessed: BTreeSet::new(),
            reversed: None,
            first_line: true,
            pgp: Pgp::default(),
            verified: false,
            kind,
        }
    }

    /// Records that the signature in the list, or in a file beside it, has been verified.
    pub fn set_verified(&mut self) {
        self.verified = true;
    }

    fn tagged(&self, line: &[u8]) -> Option<Entry> {
        let open = line.iter().position(|&byte| byte == b'(')?;
        let close = line.iter().rposition(|&byte| byte == b')').filter(|&close| close > open)?;
        let tag = str::from_utf8(line[..open].trim_ascii()).ok()?;
        let text = line[close + 1..].trim_ascii().strip_prefix(b"=")?.trim_ascii_start();
        Some(self.meaning.tagged(tag, text)?.of_file(line[open + 1..close].to_vec()))
    }

    fn untagged(&mut self, line: &[u8]) -> Option<Entry> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
        let (token, rest) = (&line[..end], line.get(end + 1..).unwrap_or_default());
        let expected = self.meaning.of(token)?;
        if is_named(token)
            && let Some(entry) = self.named_tokens(line)
        {
            return Some(entry);
        }
        let name = match rest {
            [] if end == line.len() => self.stem.as_deref()?,
            [] => return None,
            [b' ' | b'*', name @ ..] if !name.is_empty() && self.reversed != Some(true) => {
                self.reversed = Some(false);
                name
            }
            name => {
                self.reversed.get_or_insert(true);
                name
            }
        };
        let name = name.to_vec();
        self.note_guess(token, &expected);
        Some(expected.of_file(name))
    }

    fn note_guess(&mut self, token: &[u8], expected: &Expected) {
        if self.meaning.named.is_empty() && !is_named(token) {
            self.guessed.insert(expected.names());
        }
    }

    /// Parses several digests with the names of their algorithms, as in W3C's Subresource
    /// Integrity, and a name.
    fn named_tokens(&self, line: &[u8]) -> Option<Entry> {
        let mut at = 0;
        let mut tokens = 0;
        for word in line.split(|&byte| byte == b' ') {
            if !word.is_empty() {
                if !is_named(word) || self.meaning.of(word).is_none() {
                    break;
                }
                tokens += 1;
            }
            at += word.len() + 1;
        }
        let name = line.get(at..).filter(|_| tokens >= 2)?;
        let digests = &line[..at - 1];
        let name = match digests {
            [.., b' '] => name,
            _ => name.strip_prefix(b"*").unwrap_or(name),
        };
        if name.is_empty() {
            return None;
        }
        Some(Entry::new(name.to_vec(), self.meaning.several(digests)?))
    }

    /// Parses `name@sha256:HEX`, as container registries write it.
    fn behind_at(&self, line: &[u8]) -> Option<Entry> {
        let at = line.iter().rposition(|&byte| byte == b'@')?;
        let token = line[at + 1..].trim_ascii_end();
        let expected = self.meaning.of(token).filter(|_| is_named(token))?;
        (at > 0).then(|| expected.of_file(line[..at].to_vec()))
    }

    /// Parses a line of `cksum`: the CRC and the size in decimal, and a name.
    fn cksum(&self, line: &[u8]) -> Option<Entry> {
        let mut words = line.splitn(3, |&byte| byte == b' ');
        let (crc, size, name) = (words.next()?, words.next()?, words.next()?);
        let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit) && !text.is_empty();
        if !is_number(crc) || crc.len() > 10 || !is_number(size) || name.is_empty() {
            return None;
        }
        let recipe = match &*self.meaning.named {
            [] => Recipe::of(Foreign::Crc),
            named => named.iter().find(|it| it.algorithm().size().is_some())?.clone(),
        };
        let expected = Expected::of(recipe, crc, Encoding::Decimal);
        let size = str::from_utf8(size).ok()?.parse().ok()?;
        Some(expected.of_file(name.to_vec()).with_size(Some(size)))
    }

    /// Parses a name with digests after it. A CRC-32 is accepted only if `crc` is set, which means
    /// that the list is in this format.
    fn name_first(&mut self, line: &[u8], crc: bool) -> Option<Entry> {
        let mut name = line.trim_ascii_end();
        let (mut claims, mut tokens) = (Vec::new(), Vec::new());
        while let Some(at) = name.iter().rposition(|byte| matches!(byte, b' ' | b'\t')) {
            let token = &name[at + 1..];
            let is_hex = token.iter().all(u8::is_ascii_hexdigit);
            let expected = match token.len() {
                8 if crc && is_hex => self.meaning.tagged("CRC32", token),
                _ if is_hex || is_named(token) => self.meaning.of(token),
                _ => None,
            };
            let Some(expected) = expected else { break };
            tokens.push((token, expected.clone()));
            claims.insert(0, vec![expected]);
            name = name[..at].trim_ascii_end();
        }
        // A text that ends with `=` is the tag of an unknown algorithm, not a name.
        let is_tag = name.ends_with(b"=");
        if claims.is_empty() || name.is_empty() || is_tag {
            return None;
        }
        for (token, expected) in tokens {
            self.note_guess(token, &expected);
        }
        Some(Entry::new(name.to_vec(), claims))
    }

    /// Parses a line of BagIt (RFC 8493 §2.1.3): a digest, blanks, and a path in which some bytes
    /// are percent-encoded.
    fn bag_it(&self, line: &[u8]) -> Option<Entry> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
        let (token, path) = (&line[..end], line[end..].trim_ascii_start());
        let path = path.strip_prefix(b"*").unwrap_or(path);
        let mut name = Vec::new();
        let mut rest = path;
        while let [first, after @ ..] = rest {
            let encoded = match rest.get(..3) {
                Some(b"%0A" | b"%0a") => Some(b'\n'),
                Some(b"%0D" | b"%0d") => Some(b'\r'),
                Some(b"%25") => Some(b'%'),
                _ => None,
            };
            name.push(encoded.unwrap_or(*first));
            rest = if encoded.is_some() { &rest[3..] } else { after };
        }
        let expected = self.meaning.of(token)?;
        (!name.is_empty()).then(|| expected.of_file(name))
    }

    /// Parses a line of a list that has one record on each line.
    fn line(&mut self, line: &[u8]) -> Option<Entry> {
        let line = line.trim_ascii_start();
        let (line, escaped) = match line.strip_prefix(b"\\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let crc = matches!(self.kind, Kind::Sfv);
        let entry = self.tagged(line).or_else(|| self.untagged(line));
        let entry = entry.or_else(|| go_sum(line, &self.meaning)).or_else(|| self.cksum(line));
        let entry = entry.or_else(|| self.behind_at(line));
        let mut entry = entry.or_else(|| self.name_first(line, crc))?;
        if escaped {
            entry.name = unescape_line(&entry.name)?;
        }
        Some(entry)
    }
}

impl Format for Any<'_> {
    fn decodes(&self) -> bool {
        true
    }

    fn begin(&mut self, start: &[u8]) {
        let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
        let start = self.pgp.begin(start);
        if !matches!(self.kind, Kind::Lines(_)) {
            return;
        }
        if Objects::is(start) {
            self.kind = Kind::Objects(Objects::default());
        } else if Hashdeep::is(start) {
            self.kind = Kind::Hashdeep(Hashdeep::default());
        } else if Mtree::is(start) {
            self.kind = Kind::Mtree(Mtree::default());
        } else if Debian::is(start) {
            self.kind = Kind::Debian(Debian::default());
        } else if is_gentoo(start) {
            self.kind = Kind::Gentoo;
        } else if Pip::is(start) {
            self.kind = Kind::Pip(Pip::default());
        } else if start.starts_with(b";") {
            self.kind = Kind::Sfv;
        }
    }

    fn parse(&mut self, line: &[u8]) -> Parsed {
        let byte_order_mark = if self.first_line { BYTE_ORDER_MARK } else { b"" };
        self.first_line = false;
        let line = line.strip_prefix(byte_order_mark).unwrap_or(line);
        let Some(line) = self.pgp.line(line) else { return Parsed::Nothing };
        let meaning = &self.meaning;
        let parsed = match &mut self.kind {
            Kind::Objects(objects) => objects.parse(line, meaning),
            Kind::Hashdeep(hashdeep) => hashdeep.parse(line, meaning),
            Kind::Mtree(mtree) => mtree.parse(line, meaning),
            Kind::Debian(debian) => debian.parse(line, meaning),
            Kind::Gentoo => gentoo(line, meaning),
            Kind::Pip(pip) => pip.parse(line, meaning, self.place),
            _ if line.is_empty() || line.starts_with(b"#") => Parsed::Nothing,
            Kind::Sfv if line.starts_with(b";") => Parsed::Nothing,
            Kind::BagIt => self.bag_it(line).into(),
            Kind::Lines(windows) => {
                if windows.takes(line, meaning, self.place) {
                    return Parsed::Nothing;
                }
                match windows.parse(line.trim_ascii_start(), meaning) {
                    Some(entry) => Some(entry).into(),
                    None => self.line(line).into(),
                }
            }
            Kind::Sfv => self.line(line).into(),
        };
        match parsed {
            Parsed::Entries(entries) if entries.iter().any(|it| it.name.contains(&0)) => {
                Parsed::Improper
            }
            parsed => parsed,
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
        let guessed: Vec<_> = std::mem::take(&mut self.guessed).into_iter().collect();
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
        match &self.kind {
            Kind::Objects(objects) if objects.is_open() => Some("the list is cut off".to_owned()),
            _ => None,
        }
    }
}

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
