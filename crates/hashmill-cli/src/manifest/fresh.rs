//! Creates files that get their names only when they are complete, and recognises files that this
//! program wrote.
//!
//! On Linux, a new file has no name while it is written. It is then linked to its name, which fails
//! if the name exists. Therefore no file is overwritten, no symbolic link is followed, and a killed
//! run leaves no incomplete file. If the system or the file system has no unnamed files, the file
//! has a temporary name until then (`m.new.XXXXXX.tmp`). A killed run leaves it, and a later run
//! removes it: see [`is_temporary`].

use crate::files::input::bytes;
use crate::files::paths::parent;
use crate::files::reader::fill;
use crate::manifest::text::{FIRST_LINE, VERSION};
use crate::terminal::console::Failure;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use tempfile::TempPath;

/// A new file.
pub struct Fresh {
    pub file: File,
    /// The temporary name. The file is removed if it is dropped before it is published.
    name: Option<TempPath>,
}

/// The permissions and the owner of a new file.
pub enum Access<'a> {
    /// The permissions that the umask allows.
    Usual,
    /// Only the owner may read and write the file.
    Private,
    /// The permissions of this file, and its owner and group as far as the system lets us set them.
    Like(&'a Metadata),
}

impl Fresh {
    /// Creates a file whose name will be `path`. Fails if the name exists.
    pub fn create(path: &Path, access: &Access) -> io::Result<Fresh> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = match unnamed(path, access) {
            Some(file) => Fresh { file, name: None },
            None => named(path, access)?,
        };
        file.set_access(access)?;
        Ok(file)
    }

    /// Creates a file at `path`, which gets its name when `write` has written all of it.
    pub fn write(
        path: &Path,
        access: &Access,
        write: &mut dyn FnMut(&mut BufWriter<&File>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let fresh = Fresh::create(path, access).map_err(Failure::with(path))?;
        let mut buffer = BufWriter::with_capacity(64 << 10, &fresh.file);
        write(&mut buffer)?;
        let flushed = buffer.flush();
        drop(buffer);
        let synced = flushed.and_then(|()| fresh.file.sync_all());
        synced.and_then(|()| fresh.publish(path)).map_err(Failure::with(path))
    }

    fn set_access(&self, access: &Access) -> io::Result<()> {
        let Access::Like(old) = access else { return Ok(()) };
        self.file.set_permissions(self.permissions_like(old)?)
    }

    #[cfg(unix)]
    fn permissions_like(&self, old: &Metadata) -> io::Result<Permissions> {
        use rustix::fs::{Gid, Uid, fchown};
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let (owner, group) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        let new = self.file.metadata()?;
        let mut mode = old.mode() & 0o7777;
        if (new.uid(), new.gid()) != (old.uid(), old.gid())
            && fchown(&self.file, Some(owner), Some(group)).is_err()
            && fchown(&self.file, None, Some(group)).is_err()
        {
            // The group could not be set, so the new file's group gets no permissions.
            mode &= !0o070;
        }
        Ok(Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    fn permissions_like(&self, old: &Metadata) -> io::Result<Permissions> {
        Ok(old.permissions())
    }

    /// Gives the file its name. Fails if the name exists.
    pub fn publish(self, path: &Path) -> io::Result<()> {
        let Some(mut name) = self.name else { return link(&self.file, path) };
        match rename_without_replacing(&name, path) {
            Ok(()) => {
                // `keep` would look for the file by its old name on Windows.
                name.disable_cleanup(true);
                Ok(())
            }
            // Another run has the lock by now, and has removed this file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Err(error) => Err(error),
        }
    }
}

/// Creates a file without a name in the directory of `path`. Returns `None` if that is not
/// possible.
#[cfg(target_os = "linux")]
fn unnamed(path: &Path, access: &Access) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // Without /proc, the file could not be linked to a name.
    Path::new("/proc/self/fd").exists().then_some(())?;
    let file = rustix::fs::open(parent(path), flags, Mode::from_raw_mode(access.mode()));
    file.ok().map(File::from)
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: &Access) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Creates a file with a temporary name in the directory of `path`.
fn named(path: &Path, access: &Access) -> io::Result<Fresh> {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY).rand_bytes(RANDOM);
    let created = builder.make_in(parent(path), |name| create_new(name, access))?;
    let (file, name) = created.into_parts();
    Ok(Fresh { file, name: Some(name) })
}

/// Creates a file. Fails if the name exists.
fn create_new(path: &Path, access: &Access) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, access.mode());
    let _ = access;
    options.open(path)
}

/// The end of a temporary name, and the number of random characters before it.
const TEMPORARY: &str = ".tmp";
const RANDOM: usize = 6;

/// Returns whether `name` is a temporary name of a file whose name will be `of`.
pub fn is_temporary(name: &[u8], of: &[u8]) -> bool {
    let random = || name.strip_prefix(of)?.strip_prefix(b".")?.strip_suffix(TEMPORARY.as_bytes());
    name.len() > of.len()
        && random().is_some_and(|it| it.len() == RANDOM && it.iter().all(u8::is_ascii_alphanumeric))
}

/// Removes the files with temporary names that killed runs have left for `path`. Does nothing if
/// files get no temporary names here.
pub fn remove_temporary(path: &Path) -> Result<(), Failure> {
    if unnamed(path, &Access::Private).is_some() {
        return Ok(());
    }
    let of = bytes(Path::new(path.file_name().unwrap_or_default()));
    for entry in fs::read_dir(parent(path)).map_err(Failure::with(path))? {
        let left = entry.map_err(Failure::with(path))?.path();
        let name = bytes(Path::new(left.file_name().unwrap_or_default()));
        if is_temporary(&name, &of) && is_begun(&left).map_err(Failure::with(path))? {
            remove(&left)?;
        }
    }
    Ok(())
}

/// Returns whether a file begins like a file of this program, as far as it was written.
fn is_begun(path: &Path) -> io::Result<bool> {
    let is_file = fs::symlink_metadata(path)?.is_file();
    Ok(is_file && FIRST_LINE.as_bytes().starts_with(&start(&File::open(path)?)?))
}

impl Access<'_> {
    #[cfg(unix)]
    fn mode(&self) -> u32 {
        if let Access::Usual = self { 0o666 } else { 0o600 }
    }
}

/// Opens a file that an earlier run of this program has left. Returns `None` if there is none.
///
/// # Errors
/// Fails if the name belongs to anything else, which is the user's and must not be changed.
pub fn open_ours(path: &Path) -> Result<Option<File>, Failure> {
    let theirs = |what: &str| {
        let message =
            format!("{what}: it is left alone. Move it away, or give the manifest another name");
        Failure::new(path, message)
    };
    let file = match open_without_following(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) => {
            return Err(theirs("This symbolic link is not the journal of a manifest"));
        }
        Err(error) => return Err(Failure::with(path)(error)),
    };
    if !file.metadata().map_err(Failure::with(path))?.is_file() {
        return Err(theirs("This is not the journal of a manifest"));
    }
    if start(&file).map_err(Failure::with(path))? != FIRST_LINE.as_bytes() {
        return Err(theirs("This file is not the journal of a manifest"));
    }
    Ok(Some(file))
}

/// Returns whether a file begins like a manifest, and goes back to its beginning.
pub fn is_manifest(file: &File) -> io::Result<bool> {
    Ok(start(file)?.starts_with(VERSION.as_bytes()))
}

/// Returns the first bytes of a file, as many as [`FIRST_LINE`] has, and goes back to its beginning.
fn start(mut file: &File) -> io::Result<Vec<u8>> {
    let mut start = vec![0; FIRST_LINE.len()];
    let len = fill(file, &mut start)?;
    file.rewind()?;
    start.truncate(len);
    Ok(start)
}

#[cfg(unix)]
fn open_without_following(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_without_following(path: &Path) -> io::Result<File> {
    File::options().read(true).append(true).open(path)
}

/// Removes the new file and fails with a message if the open file no longer has its name, because
/// another program may have replaced or removed it.
pub fn check_name(file: &File, path: &Path, new: &Path, message: &str) -> Result<(), Failure> {
    if has_name(file, path)? {
        return Ok(());
    }
    let _ = remove(new);
    Err(Failure::new(path, message))
}

/// Returns whether an open file still has this name.
pub fn has_name(file: &File, path: &Path) -> Result<bool, Failure> {
    let named = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        named => named.map_err(Failure::with(path))?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let file = file.metadata().map_err(Failure::with(path))?;
        Ok((named.dev(), named.ino()) == (file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, named);
        Ok(true)
    }
}

/// Removes a file if it exists.
pub fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::with(path)(error)),
        _ => Ok(()),
    }
}

/// Whether a file may replace one that has its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    Yes,
    No,
}

/// Renames a file, and writes the directory to the disk, so that the new name survives a crash of
/// the system. With `Replace::No`, fails if the new name exists.
pub fn rename(from: &Path, to: &Path, replace: Replace) -> io::Result<()> {
    match replace {
        Replace::Yes => fs::rename(from, to)?,
        Replace::No => rename_without_replacing(from, to)?,
    }
    #[cfg(unix)]
    File::open(parent(to))?.sync_all()?;
    Ok(())
}

fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // The file system does not support this flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            renamed => return Ok(renamed?),
        }
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}
