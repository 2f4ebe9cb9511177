//! The lines of a list in any of the usual formats.

use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::expected::Meaning;
use crate::lists::pgp::Pgp;
use crate::lists::verify::{Entry, Format, Verbosity};
use crate::lists::windows::Windows;
use crate::text::quote::unescape_line;
use std::collections::BTreeSet;

/// Lines in any of the usual formats:
///
/// ```text
/// ba7816bf8f01cfea...  name            two blanks, or a blank and an asterisk
/// ba7816bf8f01cfea... name             one blank: BSD's reversed format
/// ba7816bf8f01cfea...                  in name.sha256
/// sha256:ba7816bf8f01cfea...  name
/// SHA256 (name) = ba7816bf8f01cfea...
/// SHA2-256(name)= ba7816bf8f01cfea...  as OpenSSL writes it
/// ```
///
/// in hexadecimal or base64; the algorithm by any of its names. Around them PGP's frame, or instead
/// what programs of Windows print.
pub struct Any<'a> {
    /// Here the list's name may have said what untagged lines can be.
    meaning: Meaning<'a>,
    /// What the list's name is without the algorithm's: the file of a digest alone.
    stem: Option<Vec<u8>>,
    /// What untagged lines were taken for otherwise.
    guessed: BTreeSet<String>,
    /// Whether an untagged line with one blank came first: then blanks that follow are of the name.
    reversed: Option<bool>,
    first_line: bool,
    pgp: Pgp,
    windows: Windows,
}

impl<'a> Any<'a> {
    pub fn new(named: &[Recipe], mode: &'a Mode, list: &[u8]) -> Any<'a> {
        let (stem, extension) = match list.iter().rposition(|&byte| byte == b'.') {
            Some(at) => (&list[..at], str::from_utf8(&list[at + 1..]).unwrap_or_default()),
            None => (list, ""),
        };
        let from_name: Option<Recipe> = extension.parse().ok().filter(|_| !extension.contains('/'));
        Any {
            meaning: Meaning {
                named: match (named, &from_name) {
                    ([], Some(digest)) => vec![digest.clone()],
                    (named, _) => named.to_vec(),
                },
                mode,
            },
            stem: from_name.map(|_| stem.to_vec()),
            guessed: BTreeSet::new(),
            reversed: None,
            first_line: true,
            pgp: Pgp::default(),
            windows: Windows::default(),
        }
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
        if self.meaning.named.is_empty() && !token.iter().any(|byte| b":-".contains(byte)) {
            let names: Vec<_> = expected.digests.iter().map(Recipe::to_string).collect();
            self.guessed.insert(names.join(" or "));
        }
        Some(expected.of_file(name))
    }
}

impl Format for Any<'_> {
    fn decodes(&self) -> bool {
        true
    }

    fn passes_over(&mut self, line: &[u8]) -> bool {
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        self.pgp.takes(text) || self.windows.takes(text) || text.starts_with(b"#")
    }

    fn parse(&mut self, line: &[u8]) -> Option<Entry> {
        let byte_order_mark = if self.first_line { BYTE_ORDER_MARK } else { b"" };
        self.first_line = false;
        let line = line.strip_prefix(byte_order_mark).unwrap_or(line);
        let line = self.pgp.unescape(line).trim_ascii_start();
        if let Some(entry) = self.windows.parse(line, &self.meaning) {
            return Some(entry);
        }
        let (line, escaped) = match line.strip_prefix(b"\\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let mut entry = self.tagged(line).or_else(|| self.untagged(line))?;
        if escaped {
            entry.name = unescape_line(&entry.name)?;
        }
        (!entry.name.contains(&0)).then_some(entry)
    }

    fn label(&self) -> String {
        String::new()
    }

    fn notes(&mut self, verbosity: Verbosity) -> Vec<String> {
        let mut notes = Vec::new();
        if self.pgp.signed && verbosity != Verbosity::Status {
            notes.push("the PGP signature of this list was not checked".to_owned());
        }
        let guessed: Vec<_> = std::mem::take(&mut self.guessed).into_iter().collect();
        if verbosity == Verbosity::Warn && !guessed.is_empty() {
            let guessed = guessed.join(", ");
            notes.push(format!("lines without an algorithm's name were taken for {guessed}"));
        }
        notes
    }
}

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
