//! Computes Go's digest of a tree (`h1:` in `go.sum`; golang.org/x/mod/sumdb/dirhash, Hash1): the
//! SHA-256 of a list in the format of `sha256sum`, with all files in the order of their names.

use crate::files::input::{bytes, os_name};
use crate::files::job::{Jobs, Outcome};
use crate::files::reader;
use crate::hashing::recipe::{Computed, Recipe};
use crate::lists::entry::Entry;
use crate::text::encoding::Encoding;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Computes the digest of the tree at `path`. Returns `None` if the entry is not about a tree.
pub fn digest(entry: &Entry, path: &[u8]) -> Option<Outcome> {
    let prefix = entry.tree.as_ref()?;
    Some(of_tree(prefix, &PathBuf::from(os_name(path))).map(|value| vec![value]))
}

fn of_tree(prefix: &str, path: &Path) -> io::Result<Computed> {
    let mut files = Vec::new();
    if fs::metadata(path)?.is_dir() {
        find(path, prefix.as_bytes().to_vec(), &mut files)?;
    } else {
        files.push((prefix.as_bytes().to_vec(), path.to_owned()));
    }
    files.sort();
    let sha256 = [Recipe::of(hashmill::Algorithm::Sha256)];
    let mut list = Vec::new();
    for (name, path) in files {
        let values =
            reader::digests(&File::open(path)?, b"", &sha256, Jobs::default(), &mut |_| true)?;
        let digest = values.first().map(|it| Encoding::Hex.encode(&it.bytes)).unwrap_or_default();
        list.extend([digest.as_bytes(), b"  ", &name, b"\n"].concat());
    }
    let bytes = hashmill::sha256(&list)[..].to_vec();
    Ok(Computed { bytes, message_len: list.len() as u64, parts: None })
}

fn find(directory: &Path, name: Vec<u8>, files: &mut Vec<(Vec<u8>, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = [&*name, b"/", &bytes(Path::new(&entry.file_name()))].concat();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            find(&entry.path(), name, files)?;
        } else if kind.is_file() {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
