//! Paths that are longer than the system takes in one call. Each step opens a directory, relative to
//! the one before.

use rustix::fs::{CWD, Mode, OFlags, openat};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The length in bytes of a path and the NUL after it from which the system refuses it (limits.h).
const PATH_MAX: usize = if cfg!(target_os = "linux") { 4096 } else { 1024 };

/// Opens a directory from which the rest of the path is short enough. Returns it, or `None` for a
/// path that is short enough as it is, and that rest.
pub fn directory(path: &Path) -> io::Result<(Option<OwnedFd>, &[u8])> {
    let mut rest = path.as_os_str().as_bytes();
    let mut directory: Option<OwnedFd> = None;
    while rest.len() >= PATH_MAX {
        // A step ends before the last slash that fits.
        let end = rest[..PATH_MAX - 1].iter().rposition(|&byte| byte == b'/');
        let end = end.filter(|&end| end > 0).ok_or(rustix::io::Errno::NAMETOOLONG)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        #[cfg(target_os = "linux")]
        let flags = flags | OFlags::PATH;
        let below = directory.as_ref().map_or(CWD, AsFd::as_fd);
        directory = Some(openat(below, &rest[..end], flags, Mode::empty())?);
        let slashes = rest[end..].iter().take_while(|&&byte| byte == b'/').count();
        rest = &rest[end + slashes..];
    }
    Ok((directory, rest))
}
