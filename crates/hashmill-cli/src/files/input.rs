//! Names of files, and opening them.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Opens a file. Windows denies access to a directory; here it is an error that says so.
pub fn open_path(path: &Path) -> io::Result<File> {
    match File::open(path) {
        Err(_) if cfg!(windows) && path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        opened => opened,
    }
}

/// Returns the names of the files on the command line, or `-` for standard input if there are none.
pub fn names(files: &[OsString]) -> Vec<Vec<u8>> {
    if files.is_empty() {
        return vec![b"-".to_vec()];
    }
    files.iter().map(|file| bytes(Path::new(file))).collect()
}

/// Returns the path of a file by its name.
#[cfg(unix)]
pub fn os_name(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

#[cfg(not(unix))]
pub fn os_name(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

/// Returns the name of a file by its path.
#[cfg(unix)]
pub fn bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

/// Like [`bytes`], of a path that is no longer needed.
pub fn into_bytes(path: PathBuf) -> Vec<u8> {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::into_vec(path.into_os_string());
    #[cfg(not(unix))]
    bytes(&path)
}

/// Returns the name of a file by its path. Directories are separated by `/`, which Windows accepts
/// and every other system requires. Only a path that begins with `\\?\` is returned as it is,
/// because Windows looks for a file with a `/` in its name there.
#[cfg(not(unix))]
pub fn bytes(path: &Path) -> Vec<u8> {
    let name = path.to_string_lossy();
    match cfg!(windows) && !name.starts_with(r"\\?\") {
        true => name.replace('\\', "/").into_bytes(),
        false => name.into_owned().into_bytes(),
    }
}
