//! The manifests of BagIt (RFC 8493 §2.1.3 and §2.2.1), `manifest-sha256.txt` and
//! `tagmanifest-sha256.txt`. Their names contain the algorithm.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::Entry;
use crate::lists::syntax::Context;
use crate::text::line::split_once;
use crate::text::quote::unescape;

/// Returns the algorithm of the list, if `file` is the name of a manifest.
pub fn algorithm(file: &[u8]) -> Option<Recipe> {
    let stem = str::from_utf8(file).ok()?.strip_suffix(".txt")?;
    stem.strip_prefix("tag").unwrap_or(stem).strip_prefix("manifest-")?.parse().ok()
}

/// Parses a line: a digest, blanks, and a path in which some bytes are percent-encoded.
pub fn record(line: &[u8], context: &Context) -> Option<Entry> {
    let (token, path) = split_once(line, b" \t")?;
    let path = path.trim_ascii_start();
    let name = unescape(path.strip_prefix(b"*").unwrap_or(path), b'%', &|rest, name| {
        let encoded = match rest.get(..2) {
            Some(b"0A" | b"0a") => Some(b'\n'),
            Some(b"0D" | b"0d") => Some(b'\r'),
            Some(b"25") => Some(b'%'),
            _ => None,
        };
        name.push(encoded.unwrap_or(b'%'));
        Some(if encoded.is_some() { 2 } else { 0 })
    })?;
    let expected = context.meaning.of(token)?;
    (!name.is_empty()).then(|| expected.of_file(name))
}
