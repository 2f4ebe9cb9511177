//! Where a path lies: below which directory, and relative to which.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the path of a file relative to a directory, if the file is below it.
pub fn within(path: &Path, directory: &Path) -> Option<PathBuf> {
    let parent = fs::canonicalize(parent(path)).ok()?;
    let parent = parent.strip_prefix(fs::canonicalize(directory).ok()?).ok()?;
    Some(parent.join(path.file_name()?))
}

/// Returns the path of a directory relative to the directory of `manifest`. Returns `None` if there
/// is none, or if it is not Unicode.
///
/// # Errors
/// Fails if the system does not tell the path of one of the two.
pub fn relative(directory: &Path, manifest: &Path) -> io::Result<Option<String>> {
    let directory = fs::canonicalize(directory)?;
    let base = fs::canonicalize(parent(manifest))?;
    let same = directory.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    if same == 0 {
        return Ok(None); // other drives of Windows
    }
    let up = base.components().skip(same).map(|_| Some(".."));
    let down = directory.components().skip(same).map(|it| it.as_os_str().to_str());
    let path = up.chain(down).collect::<Option<Vec<_>>>();
    Ok(path.map(|path| if path.is_empty() { ".".to_owned() } else { path.join("/") }))
}

/// Returns the directory that contains a file.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path of a name that is relative to a directory.
pub fn below(directory: &[u8], name: &[u8]) -> Vec<u8> {
    match directory {
        b"" | b"." => name.to_vec(),
        directory => [directory.strip_suffix(b"/").unwrap_or(directory), b"/", name].concat(),
    }
}

/// Returns the directories above a name in a tree, the outermost first.
pub fn above(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    ends.map(|(end, _)| &name[..end])
}

/// Returns the directory of a file and its name there.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(0) => path.split_at(1),
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b".", path),
    }
}

/// Returns the path that a manifest gives for its tree.
pub fn root_of(tree: &str, manifest: &Path) -> PathBuf {
    match (parent(manifest), tree) {
        (parent, ".") => parent.to_owned(),
        (parent, tree) if parent == Path::new(".") => PathBuf::from(tree),
        (parent, tree) => parent.join(tree),
    }
}
