//! Opens files and standard input by name.

use crate::terminal::console::Console;
use std::ffi::OsString;
use std::fs::File;
use std::io;

/// Opens a file; `-` is standard input.
pub fn open(console: &Console, name: &[u8]) -> io::Result<File> {
    match name {
        b"-" => console.stdin()?.try_clone(),
        name => File::open(os_name(name)),
    }
}

#[cfg(unix)]
pub fn os_name(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

#[cfg(not(unix))]
pub fn os_name(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}
