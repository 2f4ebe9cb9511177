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
//! A name without a slash belongs to an entry in the current directory of the list.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;

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

    pub fn parse(&mut self, line: &[u8], meaning: &Meaning) -> Parsed {
        if self.begun.is_empty() && (line.trim_ascii().is_empty() || line.trim_ascii()[0] == b'#') {
            return Parsed::Nothing;
        }
        self.begun.extend(line);
        if self.begun.pop_if(|byte| *byte == b'\\').is_some() {
            self.begun.push(b' ');
            return Parsed::Nothing;
        }
        let line = std::mem::take(&mut self.begun);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(first) = words.next() else { return Parsed::Nothing };
        let keyword = |word: &[u8]| {
            let word = String::from_utf8_lossy(word).into_owned();
            let (key, value) = word.split_once('=').unwrap_or((&word, ""));
            (key.to_owned(), value.to_owned())
        };
        let keywords: Vec<(String, String)> = words.map(keyword).collect();
        match first {
            b"/set" => {
                for (key, value) in keywords {
                    self.set.retain(|(set, _)| *set != key);
                    self.set.push((key, value));
                }
                return Parsed::Nothing;
            }
            b"/unset" => {
                self.set
                    .retain(|(set, _)| !keywords.iter().any(|(key, _)| key == set || key == "all"));
                return Parsed::Nothing;
            }
            b".." => {
                self.directories.pop();
                return Parsed::Nothing;
            }
            _ => {}
        }
        let value = |key: &str| {
            let own = keywords.iter().find(|(it, _)| it == key);
            own.or_else(|| self.set.iter().find(|(it, _)| it == key)).map(|(_, value)| &**value)
        };
        let Some(name) = decoded(first) else { return Parsed::Improper };
        let is_path = name.contains(&b'/');
        let kind = value("type").unwrap_or("file");
        let path = match is_path {
            true => name.clone(),
            false => {
                let parents = self.directories.iter().flat_map(|it| [&**it, b"/"].concat());
                parents.chain(name.iter().copied()).collect()
            }
        };
        if kind == "dir" {
            if !is_path {
                self.directories.push(name);
            }
            return Parsed::Nothing;
        }
        if kind != "file" {
            return Parsed::Nothing;
        }
        let size = value("size").and_then(|size| size.parse().ok());
        let mut claims = Vec::new();
        for (key, digest) in &keywords {
            let name = key.strip_suffix("digest").unwrap_or(key);
            // Digests of algorithms that this program does not have (rmd160), and keywords that are
            // not digests, are ignored.
            if name.parse::<Recipe>().is_err() || !(key.ends_with("digest") || is_digest(name)) {
                continue;
            }
            match meaning.tagged(name, digest.as_bytes()) {
                Some(expected) => claims.push(vec![expected]),
                None => return Parsed::Improper,
            }
        }
        // bsdtar writes each digest twice, under both of its keywords.
        claims.dedup();
        if claims.is_empty() {
            return Parsed::Nothing;
        }
        Parsed::Entries(vec![Entry::new(path, claims).with_size(size)])
    }
}

fn is_digest(name: &str) -> bool {
    ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].contains(&name)
}

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
