//! The format mtree(5), versions 1 and 2, as BSD's mtree and bsdtar write it:
//!
//! ```text
//! #mtree
//! /set type=file uid=0
//! ./dir type=dir
//!     file size=1 \
//!         sha256digest=ca978112ca1b...
//! ..
//! ./dir/other\040file type=file sha256=ca978112ca1b...
//! ```
//!
//! A name without a slash belongs to an entry in the current directory of the list. Entries that are
//! not files have no content, so there is nothing to check.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Records};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{Divided, is_comment, words};
use crate::text::quote::unescape;
use std::collections::{BTreeMap, HashSet};

#[derive(Default)]
pub struct Mtree {
    lines: Divided,
    /// The keywords that `/set` defines for all entries, with their values.
    set: BTreeMap<String, String>,
    /// The names of the directories around an entry, each with a slash.
    directories: Vec<Vec<u8>>,
}

impl Mtree {
    pub fn is(lines: &[&[u8]]) -> bool {
        let is_set = |line: &&[u8]| line.starts_with(b"/set ");
        lines[0].starts_with(b"#mtree") || lines.iter().take(40).any(is_set)
    }

    /// Parses an entry. Returns `None` if it was not understood.
    fn entry(&mut self, line: &[u8], meaning: &Meaning) -> Option<Records> {
        let mut words = words(line);
        let first = words.next()?;
        let keywords: Vec<(&str, &str)> = words.map(keyword).collect::<Option<_>>()?;
        // If two lines have become one, a keyword occurs twice, or a digest where no file is.
        let mut keys = HashSet::new();
        if !keywords.iter().all(|(key, _)| keys.insert(*key)) {
            return None;
        }
        match first {
            b"/set" => {
                for (key, value) in keywords {
                    let is_right = key != "type" || is_type(value);
                    if !is_known(key) || is_content(key) || !is_right {
                        return None;
                    }
                    self.set.insert(key.to_owned(), value.to_owned());
                }
                return Some(vec![]);
            }
            b"/unset" => {
                let known = |key: &str| key == "all" || is_known(key);
                let all_known = keywords.iter().all(|(key, _)| known(key));
                self.set
                    .retain(|set, _| !keywords.iter().any(|(key, _)| key == set || *key == "all"));
                return all_known.then(Vec::new);
            }
            b".." => {
                self.directories.pop();
                return keywords.is_empty().then(Vec::new);
            }
            _ => {}
        }
        let value = |key: &str| {
            let own = keywords.iter().find(|(it, _)| *it == key).map(|(_, value)| *value);
            own.or_else(|| self.set.get(key).map(|value| &**value))
        };
        let name = decoded(first)?;
        let is_path = name.contains(&b'/');
        let parents = if is_path { Vec::new() } else { self.directories.concat() };
        let kind = value("type").unwrap_or("file");
        if kind != "file" {
            if kind == "dir" && !is_path {
                self.directories.push([&*name, b"/"].concat());
            }
            let known = |key: &str| is_known(key) && algorithm(key).is_none();
            let understood = is_type(kind) && keywords.iter().all(|(key, _)| known(key));
            return understood.then(Vec::new);
        }
        let mut digests = Vec::new();
        for &(key, digest) in &keywords {
            match algorithm(key) {
                Some(name) => digests.push((name, digest.as_bytes())),
                None if is_known(key) => {}
                None => return None,
            }
        }
        // An entry without a digest that can be computed is not checked, so it is not understood.
        let mut claims = meaning.all(&mut digests.into_iter())?;
        // bsdtar writes each digest twice, under both of its keywords.
        claims.dedup();
        let entry = Entry::new([parents, name].concat(), claims);
        Some(vec![Some(match value("size") {
            Some(size) => entry.sized(size.as_bytes())?,
            None => entry,
        })])
    }
}

impl Syntax for Mtree {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        if !self.lines.is_begun() && is_comment(line.trim_ascii_start()) {
            return vec![];
        }
        let Some(line) = self.lines.add(line) else { return vec![] };
        self.entry(&line, &context.meaning).unwrap_or(vec![None])
    }

    fn is_open(&self) -> bool {
        self.lines.is_begun()
    }
}

/// Splits `key=value`. A keyword without a value has an empty one.
fn keyword(word: &[u8]) -> Option<(&str, &str)> {
    let word = str::from_utf8(word).ok()?;
    Some(word.split_once('=').unwrap_or((word, "")))
}

/// Returns the name of the algorithm whose digest is the value of a keyword.
fn algorithm(key: &str) -> Option<&str> {
    let name = key.strip_suffix("digest").unwrap_or(key);
    let is_digest = key != name || DIGESTS.contains(&name);
    (is_digest && name.parse::<Recipe>().is_ok()).then_some(name)
}

fn is_known(key: &str) -> bool {
    KEYWORDS.split(' ').any(|known| known == key) || algorithm(key).is_some()
}

/// Returns whether the value of a keyword belongs to the content of one file.
fn is_content(key: &str) -> bool {
    algorithm(key).is_some()
        || key.ends_with("digest")
        || ["size", "cksum", "rmd160"].contains(&key)
}

fn is_type(kind: &str) -> bool {
    ["file", "dir", "link", "block", "char", "fifo", "socket"].contains(&kind)
}

/// The keywords for digests that do not end with `digest`.
const DIGESTS: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

/// The other keywords of mtree(5) in FreeBSD and NetBSD, with the digest that this program does not
/// have.
const KEYWORDS: &str = "\
cksum contents device flags gid gname ignore inode link mode nlink nochange optional resdevice \
ripemd160digest rmd160 rmd160digest size tags time type uid uname";

/// Decodes a name in vis(3)'s octal style or with C's escapes.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b'\\', &|rest, name| {
        let (byte, len) = match *rest {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                ((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'), 3)
            }
            [b's', ..] => (b' ', 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'r', ..] => (b'\r', 1),
            [letter @ (b'\\' | b'#' | b'*' | b'?' | b'['), ..] => (letter, 1),
            _ => return None,
        };
        name.push(byte);
        Some(len)
    })
}
