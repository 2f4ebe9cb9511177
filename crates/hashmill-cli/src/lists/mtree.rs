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
use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax, words};
use std::collections::HashSet;

#[derive(Default)]
pub struct Mtree {
    /// The beginning of a line that the next line continues.
    begun: Vec<u8>,
    /// The keywords that `/set` defines for all entries, with their values.
    set: Vec<(String, String)>,
    directories: Vec<Vec<u8>>,
}

impl Mtree {
    pub fn is(start: &[u8]) -> bool {
        let lines = start.split(|&byte| byte == b'\n');
        start.starts_with(b"#mtree") || lines.take(40).any(|line| line.starts_with(b"/set "))
    }

    /// Parses an entry. Returns `None` if it was not understood.
    fn entry(&mut self, line: &[u8], meaning: &Meaning) -> Option<Parsed> {
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
                    let known = is_known(key) && !is_content(key);
                    let known = known && (key != "type" || is_type(value));
                    let set = known.then(|| (key.to_owned(), value.to_owned()))?;
                    self.set.retain(|(key, _)| *key != set.0);
                    self.set.push(set);
                }
                return Some(Parsed::Comment);
            }
            b"/unset" => {
                let known = |key: &str| key == "all" || is_known(key);
                let all_known = keywords.iter().all(|(key, _)| known(key));
                let named =
                    |set: &str| keywords.iter().any(|(key, _)| *key == set || *key == "all");
                self.set.retain(|(set, _)| !named(set));
                return all_known.then_some(Parsed::Comment);
            }
            b".." => {
                self.directories.pop();
                return keywords.is_empty().then_some(Parsed::Comment);
            }
            _ => {}
        }
        let value = |key: &str| {
            let own = keywords.iter().find(|(it, _)| *it == key).map(|(_, value)| *value);
            own.or_else(|| self.set.iter().find(|(it, _)| it == key).map(|(_, value)| &**value))
        };
        let name = decoded(first)?;
        let is_path = name.contains(&b'/');
        let path = match is_path {
            true => name.clone(),
            false => {
                let parents = self.directories.iter().flat_map(|it| [&**it, b"/"].concat());
                parents.chain(name.iter().copied()).collect()
            }
        };
        let kind = value("type").unwrap_or("file");
        if kind != "file" {
            if kind == "dir" && !is_path {
                self.directories.push(name);
            }
            let known = |key: &str| is_known(key) && algorithm(key).is_none();
            let understood = is_type(kind) && keywords.iter().all(|(key, _)| known(key));
            return understood.then_some(Parsed::Comment);
        }
        let size = match value("size") {
            Some(size) => Some(size.parse().ok()?),
            None => None,
        };
        let mut claims = Vec::new();
        for (key, digest) in keywords {
            match algorithm(key) {
                Some(name) => claims.push(vec![meaning.tagged(name, digest.as_bytes())?]),
                None if is_known(key) => {}
                None => return None,
            }
        }
        // bsdtar writes each digest twice, under both of its keywords.
        claims.dedup();
        // An entry without a digest that can be computed is not checked, so it is not understood.
        let entry = (!claims.is_empty()).then(|| Entry::new(path, claims).with_size(size));
        entry.map(|entry| Some(entry).into())
    }
}

impl Syntax for Mtree {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        let start = line.trim_ascii_start();
        if self.begun.is_empty() && (start.is_empty() || start.starts_with(b"#")) {
            return Parsed::Comment;
        }
        self.begun.extend(line);
        if self.begun.pop_if(|byte| *byte == b'\\').is_some() {
            self.begun.push(b' ');
            return Parsed::Comment;
        }
        let line = std::mem::take(&mut self.begun);
        self.entry(&line, &context.meaning).unwrap_or(None.into())
    }

    fn is_open(&self) -> bool {
        !self.begun.is_empty()
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
    let mut name = Vec::new();
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            name.push(*first);
            continue;
        }
        let octal = rest.get(..3).filter(|it| it.iter().all(|byte| (b'0'..=b'7').contains(byte)));
        if let Some(octal) = octal {
            name.push(u8::from_str_radix(str::from_utf8(octal).ok()?, 8).ok()?);
            rest = &rest[3..];
            continue;
        }
        let [letter, after @ ..] = rest else { return None };
        rest = after;
        name.push(match letter {
            b's' => b' ',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'\\' | b'#' | b'*' | b'?' | b'[' => *letter,
            _ => return None,
        });
    }
    Some(name)
}
