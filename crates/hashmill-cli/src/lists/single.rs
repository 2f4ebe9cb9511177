//! The formats with one record on each line:
//!
//! ```text
//! ba7816bf8f01cfea...  name            two blanks, or a blank and an asterisk
//! ba7816bf8f01cfea... name             one blank: BSD's reversed format
//! ba7816bf8f01cfea...                  in name.sha256
//! sha256:ba7816bf8f01cfea...  name     also several digests before a name
//! name@sha256:ba7816bf8f01cfea...
//! SHA256 (name) = ba7816bf8f01cfea...
//! SHA2-256(name)= ba7816bf8f01cfea...  as OpenSSL writes it
//! name 352441c2                        SFV and RHash: digests after the name
//! 891568578 3 name                     cksum
//!          3  900150983cd24fb0...  name  md5deep -z
//! ```
//!
//! Digests may be in any encoding, and algorithms may have any of their names.

use crate::hashing::algorithm::Foreign;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Expected, Records};
use crate::lists::expected::is_named;
use crate::lists::packages::go_sum;
use crate::lists::syntax::{Context, Syntax, Untagged};
use crate::text::encoding::Encoding;
use crate::text::line::{is_comment, is_hex, is_number, rsplit_once, split_once};
use crate::text::quote::unescape_line;

#[derive(Default)]
pub struct Single {
    /// Whether the list is in the format SFV, which has comments after `;` and CRC-32s. Elsewhere a
    /// CRC-32 is too weak to be accepted without the name of its algorithm.
    sfv: bool,
    untagged: Untagged,
}

impl Syntax for Single {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let is_comment = is_comment(line) || self.sfv && line.starts_with(b";");
        if is_comment { vec![] } else { vec![self.record(line, context)] }
    }
}

/// A kind of record: parses a line without the blanks and the backslash before it.
type Record = fn(&mut Single, &[u8], &Context) -> Option<Entry>;

/// The kinds of records. The first one that understands a line is used.
const RECORDS: [Record; 7] = [
    |_, line, context| tagged(line, context),
    Single::untagged,
    |_, line, context| go_sum(line, &context.meaning),
    |_, line, context| cksum(line, context),
    |_, line, context| sized(line, context),
    |_, line, context| behind_at(line, context),
    |list, line, context| name_first(line, list.sfv, context),
];

impl Single {
    pub fn sfv() -> Single {
        Single { sfv: true, ..Single::default() }
    }

    fn record(&mut self, line: &[u8], context: &Context) -> Option<Entry> {
        let line = line.trim_ascii_start();
        let unmarked = line.strip_prefix(b"\\");
        let line = unmarked.unwrap_or(line);
        let mut entry = RECORDS.iter().find_map(|record| record(self, line, context))?;
        if unmarked.is_some() {
            entry.name = unescape_line(&entry.name)?;
        }
        Some(entry)
    }

    fn untagged(&mut self, line: &[u8], context: &Context) -> Option<Entry> {
        let parts = split_once(line, b" \t");
        let token = parts.map_or(line, |it| it.0);
        let expected = context.meaning.of(token)?;
        if is_named(token)
            && let Some(entry) = named_tokens(line, context)
        {
            return Some(entry);
        }
        let Some((_, rest)) = parts else { return context.nameless(expected) };
        let name = (!rest.is_empty()).then(|| self.untagged.name(rest))?;
        Some(expected.of_file(name.to_vec()))
    }
}

fn tagged(line: &[u8], context: &Context) -> Option<Entry> {
    let (tag, rest) = split_once(line, b"(")?;
    let (name, rest) = rsplit_once(rest, b")")?;
    let text = rest.trim_ascii().strip_prefix(b"=")?.trim_ascii_start();
    let tag = str::from_utf8(tag.trim_ascii()).ok()?;
    Some(context.meaning.tagged(tag, text)?.of_file(name.to_vec()))
}

/// Parses several digests with the names of their algorithms, as in W3C's Subresource
/// Integrity, and a name.
fn named_tokens(line: &[u8], context: &Context) -> Option<Entry> {
    let mut at = 0;
    let mut tokens = 0;
    for word in line.split(|&byte| byte == b' ') {
        if !word.is_empty() {
            if !is_named(word) || context.meaning.of(word).is_none() {
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
    Some(Entry::new(name.to_vec(), context.meaning.several(digests)?))
}

/// Parses `name@sha256:HEX`, as container registries write it.
fn behind_at(line: &[u8], context: &Context) -> Option<Entry> {
    let (name, token) = rsplit_once(line, b"@").filter(|(name, _)| !name.is_empty())?;
    let token = token.trim_ascii_end();
    let expected = context.meaning.of(token).filter(|_| is_named(token))?;
    Some(expected.of_file(name.to_vec()))
}

/// Parses a line of `cksum`: the CRC and the size in decimal, and a name.
fn cksum(line: &[u8], context: &Context) -> Option<Entry> {
    let mut words = line.splitn(3, |&byte| byte == b' ');
    let (crc, size, name) = (words.next()?, words.next()?, words.next()?);
    if !is_number(crc) || crc.len() > 10 || !is_number(size) || name.is_empty() {
        return None;
    }
    let recipe = match &*context.meaning.named {
        [] => Recipe::of(Foreign::Crc),
        named => named.iter().find(|it| it.algorithm().size().is_some())?.clone(),
    };
    let expected = Expected::of(recipe, crc, Encoding::Decimal);
    expected.of_file(name.to_vec()).sized(size)
}

/// Parses a line of `md5deep -z`: the size, a digest and a name, with two blanks between them.
fn sized(line: &[u8], context: &Context) -> Option<Entry> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (size, rest) = line.split_at(digits);
    let rest = rest.strip_prefix(b"  ")?;
    let (token, name) = split_once(rest, b" ")?;
    let name = name.strip_prefix(b" ")?;
    let expected = context.meaning.of(token).filter(|_| !name.is_empty())?;
    expected.of_file(name.to_vec()).sized(size)
}

/// Parses a name with digests after it. A CRC-32 is accepted only if `crc` is set, which means
/// that the list is in this format.
fn name_first(line: &[u8], crc: bool, context: &Context) -> Option<Entry> {
    let mut name = line.trim_ascii_end();
    let mut tokens: Vec<(&[u8], Expected)> = Vec::new();
    while let Some((before, token)) = rsplit_once(name, b" \t") {
        let is_hex = is_hex(token);
        let is_crc = match token.len() {
            8 => is_hex,
            7 => may_be_crc(token, tokens.last().map(|it| it.0)),
            _ => false,
        };
        let guessed = context.meaning.named.is_empty();
        let expected = if crc && is_crc {
            context.meaning.tagged("CRC32", token).map(|it| Expected { guessed, ..it })
        } else {
            // RHash writes base32, too. Other words could be taken for base64.
            let is_digest = |it: &Expected| is_hex || is_named(token) || it.encoding.is_base32();
            context.meaning.of(token).filter(is_digest)
        };
        let Some(expected) = expected else { break };
        tokens.push((token, expected));
        name = before.trim_ascii_end();
    }
    // A text that ends with `=` is the tag of an unknown algorithm, not a name.
    let is_tag = name.ends_with(b"=");
    if tokens.is_empty() || name.is_empty() || is_tag {
        return None;
    }
    let claims = tokens.into_iter().rev().map(|(_, expected)| vec![expected]).collect();
    Some(Entry::new(name.to_vec(), claims))
}

/// Returns whether a word of seven letters and digits can be a CRC-32 in base32, and not the last word
/// of a name: no other digest follows it, or one of another function in the same letters.
fn may_be_crc(word: &[u8], next: Option<&[u8]>) -> bool {
    let is_upper = |word: &[u8]| word.iter().any(u8::is_ascii_uppercase);
    next.is_none_or(|next| {
        !is_hex(next) && next.len() != word.len() && is_upper(next) == is_upper(word)
    })
}
