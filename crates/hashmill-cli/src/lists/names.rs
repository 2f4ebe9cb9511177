//! Finds the lists among the files of a tree, by their names and by their contents.

use crate::files::input::open_path;
use crate::files::input::os_name;
use crate::files::lines::Lines;
use crate::files::paths::split;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::any::{Any, algorithm_of};
use crate::lists::entry::Format;
use crate::lists::place::Place;
use crate::text::encoding::Encoding;
use std::io;
use std::path::Path;

/// What a file of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    List,
    /// A list by its content, but not by its name.
    Unnamed,
    Other,
}

/// What a file can be by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    List,
    /// A list, or a program: `sha256sum`, `md5`.
    Program,
    /// A list, or something else: `Manifest`, `x.changes`, `SHA256SUMS.asc`. Its content decides.
    Either,
    Other,
}

/// The last words of the names of lists, after a dot, hyphen, underscore or blank:
/// `x_checksums.txt`, `x.DIGESTS`.
const WORDS: [&str; 5] = ["sums", "checksum", "checksums", "digests", "hashes"];

/// The extensions of lists, beside the names of algorithms.
const EXTENSIONS: [&str; 9] =
    ["sfv", "mtree", "hashdeep", "md5deep", "sum", "cksum", "crc", "dsc", "buildinfo"];

/// Names and extensions that other files have, too.
const EITHER: [&str; 7] =
    ["release", "inrelease", "manifest", ".changes", ".manifest", ".csv", ".json"];

/// Returns what the file at the path of a list is.
pub fn kind(place: &Place) -> io::Result<Kind> {
    let name = by_name(&place.list);
    if name == Name::List {
        return Ok(Kind::List);
    }
    let start = Start::of(&place.list)?;
    Ok(match name {
        Name::Program if start.is_text => Kind::List,
        Name::Either if start.is_list(place) => Kind::List,
        Name::Other if !is_of_git(&place.list) && start.is_list(place) => Kind::Unnamed,
        _ => Kind::Other,
    })
}

fn by_name(path: &[u8]) -> Name {
    let whole = String::from_utf8_lossy(split(path).1).to_ascii_lowercase();
    // A detached signature has such a name, too.
    for signed in [".asc", ".sig"] {
        if let Some(name) = whole.strip_suffix(signed) {
            let is_other = by_name(name.as_bytes()) == Name::Other;
            return if is_other { Name::Other } else { Name::Either };
        }
    }
    let name = whole.strip_suffix(".txt").unwrap_or(&whole);
    let is_txt = name.len() < whole.len();
    let algorithm = |text: &str| text == "b2" || text.parse::<Recipe>().is_ok();
    let bag = name.strip_prefix("tag").unwrap_or(name).strip_prefix("manifest-");
    let word = name.rsplit(['.', '-', '_', ' ']).next().unwrap_or(name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    // SHASUMS256
    let digits = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let sums = [word, digits].into_iter().find_map(|it| it.strip_suffix("sums"));
    let is_sums = sums.is_some_and(|of| of == "sha" || algorithm(of));
    let is_sum = word.strip_suffix("sum").is_some_and(|of| of == "sha" || algorithm(of));
    if algorithm_of(whole.as_bytes()).is_some()
        || bag.is_some_and(algorithm)
        || is_sums
        || is_sum && (is_txt || word.len() < name.len())
        || WORDS.contains(&word)
        || EXTENSIONS.contains(&extension)
        || name.starts_with("checksum.")
        || is_txt && algorithm(name)
    {
        return Name::List;
    }
    if is_sum || algorithm(name) {
        return Name::Program;
    }
    let is = |it: &&str| it.strip_prefix('.').map_or(whole == **it, |it| extension == it);
    if EITHER.iter().any(is) { Name::Either } else { Name::Other }
}

/// Returns whether a file belongs to Git, whose references and logs look like lists of SHA-1.
fn is_of_git(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|part| part == b".git")
}

/// The beginning of a file.
struct Start {
    text: Vec<u8>,
    is_text: bool,
}

/// The number of bytes by which a file is recognised as a list.
const LENGTH: usize = 16 << 10;

impl Start {
    fn of(path: &[u8]) -> io::Result<Start> {
        let mut text = Lines::new(open_path(Path::new(&os_name(path)))?).decode()?;
        text.truncate(LENGTH);
        let is_text = !text.contains(&0) && !text.starts_with(b"#!");
        if text.len() == LENGTH {
            let end = text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
            text.truncate(end);
        }
        Ok(Start { text, is_text })
    }

    /// Returns whether there are more records than lines that are not understood. A checksum in
    /// decimal is no record here: any two numbers before a word look like one.
    fn is_list(&self, place: &Place) -> bool {
        if !self.is_text {
            return false;
        }
        let mode = Mode::default();
        let mut format = Any::new(&[], &mode, place);
        format.begin(&self.text);
        let (mut records, mut others) = (0, 0);
        let lines = self.text.split(|&byte| byte == b'\n');
        let mut parsed: Vec<_> =
            lines.flat_map(|it| format.parse(it.strip_suffix(b"\r").unwrap_or(it))).collect();
        parsed.extend(format.end());
        for record in parsed {
            let claims = record.iter().flat_map(|it| it.claims.iter().flatten());
            let is_digest = claims.map(|it| it.encoding).any(|it| it != Encoding::Decimal);
            if is_digest { records += 1 } else { others += 1 }
        }
        records > others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lists() {
        for (names, kind) in [
            (
                "SHA256SUMS sha256sum.txt md5sum.txt SHASUMS256.txt SHA512SUMS.txt B2SUMS MD5SUMS \
                 CHECKSUM CHECKSUM.SHA256-FreeBSD-14.3-RELEASE-amd64 CHECKSUMS.txt \
                 x_1.0_checksums.txt x_SHA256SUMS x.sha256 x.SHA3-256 x.sha256.txt x.b2 x.b3 \
                 x.md5sum x.sha1sums x.cksum x.crc x.sfv x.mtree x.hashdeep x.DIGESTS x.dsc x.buildinfo go.sum \
                 sha256.txt manifest-sha256.txt tagmanifest-md5.txt hashes.txt",
                Name::List,
            ),
            ("SHA256SUM md5sum SHA256 MD5 b2sum", Name::Program),
            (
                "Release InRelease Manifest MANIFEST x.changes x.manifest SHA256SUMS.asc \
                 SHA256.sig x.sha256.asc x.json",
                Name::Either,
            ),
            (
                "README notes.txt LICENSE.bsd x.iso x.asc sha256.c manifest.txt libsha1.so x.tar.gz \
                 changes sum x.sums.old",
                Name::Other,
            ),
        ] {
            for name in names.split_whitespace() {
                assert_eq!(by_name(name.as_bytes()), kind, "{name}");
                assert_eq!(by_name(format!("d.sha256/{name}").as_bytes()), kind, "{name}");
            }
        }
    }
}
