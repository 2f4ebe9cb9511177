//! Computes Go's digest of a tree (`h1:` in `go.sum`; golang.org/x/mod/sumdb/dirhash, Hash1): the
//! SHA-256 of a list in the format of `sha256sum`, with all files in the order of their names.

use crate::files::input::os_name;
use crate::files::job::{Jobs, Outcome};
use crate::files::reader;
use crate::files::walk::{Found, Rules, Symlinks};
use crate::hashing::recipe::{Computed, Recipe};
use crate::lists::entry::Entry;
use crate::text::encoding::Encoding;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// Computes the digest of the tree at `path`. Returns `None` if the entry is not about a tree.
pub fn digest(entry: &Entry, path: &[u8]) -> Option<Outcome> {
    let prefix = entry.tree.as_ref()?;
    Some(of_tree(prefix, path).map(|value| vec![value]))
}

fn of_tree(prefix: &str, path: &[u8]) -> io::Result<Computed> {
    let root = PathBuf::from(os_name(path));
    fs::metadata(&root)?;
    let rules = Rules { symlinks: Symlinks::CommandLine, ..Rules::default() };
    let mut files = Vec::new();
    for found in rules.walk(&root).map_err(io::Error::other)? {
        match found {
            Found::File(name) => files.push(name),
            Found::Error(_, message) => return Err(io::Error::other(message)),
            _ => {}
        }
    }
    // The walk sorts the names below each directory.
    files.sort();
    let sha256 = [Recipe::of(hashmill::Algorithm::Sha256)];
    let mut list = Vec::new();
    for file in files {
        let opened = File::open(os_name(&file))?;
        let values = reader::digests(&opened, b"", &sha256, Jobs::default(), &mut |_| true)?;
        let digest = values.first().map(|it| Encoding::Hex.encode(&it.bytes)).unwrap_or_default();
        let name = file.strip_prefix(path).unwrap_or(&file);
        list.extend([digest.as_bytes(), b"  ", prefix.as_bytes(), name, b"\n"].concat());
    }
    let bytes = hashmill::sha256(&list)[..].to_vec();
    Ok(Computed { bytes, message_len: list.len() as u64, parts: None })
}
