//! The lines that GNU's `--check` reads:
//!
//! ```text
//! 2c26b46b68ffc68ff99b453c1d304134...  name     two blanks, or a blank and an asterisk
//! 2c26b46b68ffc68ff99b453c1d304134... name      one blank: BSD's reversed format
//! SHA256 (name) = 2c26b46b68ffc68ff99b453c1d304134...
//! SHA256(name)= 2c26b46b68ffc68ff99b453c1d304134...    as OpenSSL writes it
//! ```
//!
//! A backslash before a line means that backslashes, newlines and carriage returns in the name are
//! escaped.

use crate::gnu::algorithms::{CKSUM, Row};
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Expected, Format, Records};
use crate::lists::syntax::Untagged;
use crate::text::encoding::Encoding;
use crate::text::line::{is_comment, rsplit_once, split_once};
use crate::text::quote::unescape_line;

pub struct Gnu {
    /// The algorithm that the command line selects. `None` for `cksum` without `-a`, which reads
    /// only tagged lines.
    row: Option<&'static Row>,
    /// Whether digests may be in base64. Only `cksum` reads it.
    base64: bool,
    untagged: Untagged,
    /// The row that the last tag named.
    seen: Option<&'static Row>,
}

impl Gnu {
    pub fn new(row: Option<&'static Row>, base64: bool) -> Gnu {
        Gnu { row, base64, untagged: Untagged::default(), seen: None }
    }

    /// Returns the encodings in which digests may be.
    fn encodings(&self) -> &'static [Encoding] {
        if self.base64 { &[Encoding::Hex, Encoding::Base64] } else { &[Encoding::Hex] }
    }

    /// Parses `(name) = text`, with any number of blanks around the equals sign.
    fn tagged(&self, digest: Option<Recipe>, rest: &[u8]) -> Option<Entry> {
        let (name, rest) = rsplit_once(rest, b")")?;
        let text = trim_blanks(trim_blanks(rest).strip_prefix(b"=")?);
        let digest = digest?;
        let is_of = |it: &&Encoding| it.decoded_len(text) == Some(digest.len());
        let encoding = *self.encodings().iter().find(is_of)?;
        Some(Expected::of(digest, text, encoding).of_file(name.to_vec()))
    }

    fn untagged(&mut self, line: &[u8]) -> Option<Entry> {
        let row = self.row?;
        let (text, name) = split_once(line, b" \t")?;
        let of_encoding = |&it: &Encoding| Some((row.with_bits(8 * it.decoded_len(text)?)?, it));
        let (digest, encoding) = self.encodings().iter().find_map(of_encoding)?;
        // GNU accepts an empty name if the algorithm has digests of any length.
        let is_missing = name.is_empty() && !row.takes_any_len();
        let has_one_blank = !matches!(name, [b' ' | b'*', _, ..]);
        if is_missing || has_one_blank && self.untagged.is_reversed() == Some(false) {
            return None;
        }
        let name = self.untagged.name(name);
        Some(Expected::of(digest, text, encoding).of_file(name.to_vec()))
    }
}

impl Format for Gnu {
    fn parse(&mut self, line: &[u8]) -> Records {
        if is_comment(line) { vec![] } else { vec![self.entry(line)] }
    }

    fn label(&self) -> String {
        let tag = match (self.row, self.seen) {
            (Some(row), _) | (None, Some(row)) => row.tag,
            (None, None) => "CRC",
        };
        format!("{tag} ")
    }
}

impl Gnu {
    fn entry(&mut self, line: &[u8]) -> Option<Entry> {
        let line = trim_blanks(line);
        let unmarked = line.strip_prefix(b"\\");
        let line = unmarked.unwrap_or(line);
        let tag = Tag::of(line, self.row);
        self.seen = tag.as_ref().map(|tag| tag.row).or(self.seen);
        // With `-a sha2`, the first tag determines the algorithm of all following lines (GNU 9.11).
        if let (Some(Row { name: "sha2", .. }), Some(tag)) = (self.row, &tag) {
            self.row = Some(tag.row);
        }
        let mut entry = match tag.and_then(|tag| Some((tag.digest, tag.rest?))) {
            Some((digest, rest)) => self.tagged(digest, rest)?,
            None => self.untagged(line)?,
        };
        // GNU ends a name at a NUL, and rejects an escaped name that contains one.
        let nul = entry.name.iter().position(|&byte| byte == 0);
        if unmarked.is_some() {
            entry.name = if nul.is_none() { unescape_line(&entry.name)? } else { return None };
        }
        entry.name.truncate(nul.unwrap_or(usize::MAX));
        Some(entry)
    }
}

/// The beginning of a line that is the tag of a row.
struct Tag<'a> {
    row: &'static Row,
    /// The recipe; `None` if the row has no digests of the length in the tag.
    digest: Option<Recipe>,
    /// The text after the opening parenthesis; `None` if there is no parenthesis after the tag.
    rest: Option<&'a [u8]>,
}

impl<'a> Tag<'a> {
    /// Returns the tag of a line if a list of `row` may contain it. With `None` for `row`, any tag
    /// of `cksum` is accepted.
    fn of(line: &'a [u8], row: Option<&'static Row>) -> Option<Tag<'a>> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'(' | b'='))?;
        let (tag, rest) = line.split_at(end);
        let row = CKSUM
            .iter()
            .chain(row)
            .find(|it| it.tag.as_bytes() == tag && row.is_none_or(|row| row.accepts(it)))?;
        let (digest, rest) = match rest.strip_prefix(b"-") {
            Some(rest) if row.has_lengths() => match number(rest) {
                Some((bits, rest)) => (row.with_bits(bits), rest),
                None => (None, rest),
            },
            _ => (row.tagged(), rest),
        };
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(");
        Some(Tag { row, digest, rest })
    }
}

/// Parses a number as C's `strtoumax` does in base 0: hexadecimal after `0x`, octal after `0`.
/// Returns the number and the text after it.
fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let is_hex = |text: &&[u8]| text.first().is_some_and(u8::is_ascii_hexdigit);
    let hex = text.strip_prefix(b"0x").or(text.strip_prefix(b"0X")).filter(is_hex);
    let (base, text) = match hex {
        Some(text) => (16, text),
        None => (if text.starts_with(b"0") { 8 } else { 10 }, text),
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(base);
    let end = text.iter().position(|byte| !is_digit(byte)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((usize::from_str_radix(str::from_utf8(digits).ok()?, base).ok()?, rest))
}

fn trim_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !b" \t".contains(byte)).unwrap_or(text.len());
    &text[start..]
}
