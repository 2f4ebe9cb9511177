//! Digests that are kept beside the content of a file: in files of their own, or in the file's
//! extended attributes.

use crate::files::input::os_name;
use crate::files::paths::split;
use crate::hashing::recipe::{Computed, Recipe};
use crate::lists::style::{Form, Style};
use crate::manifest::fresh::{Access, Fresh};
use crate::terminal::console::reason;
use crate::text::encoding::Encoding;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the digests of files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Output,
    /// A file for each digest, which has the name of the algorithm after that of the file.
    Sidecars,
    Attributes,
}

fn sidecar(name: &[u8], recipe: &Recipe) -> Vec<u8> {
    let extension = recipe.to_string().to_lowercase().replace('/', "-");
    [name, b".", extension.as_bytes()].concat()
}

/// Returns whether `name` is a sidecar that a run with these recipes writes for another file.
pub fn is_sidecar(name: &[u8], recipes: &[Recipe]) -> bool {
    let of = |recipe| name.strip_suffix(&*sidecar(b"", recipe));
    recipes.iter().filter_map(of).any(|of| Path::new(&os_name(of)).is_file())
}

/// Writes the sidecars of a file: a line of GNU's form, of which Maven reads the first word. A sidecar
/// that has the same line is left as it is.
///
/// # Errors
/// Returns the path of a sidecar that could not be written, and the reason. A file of this name with
/// another content is one.
pub fn write_sidecars(
    recipes: &[Recipe],
    values: &[Computed],
    name: &[u8],
) -> Result<(), (Vec<u8>, String)> {
    let style = Style::of_form(Form::Untagged { binary: false }, None);
    for (recipe, value) in recipes.iter().zip(values) {
        let (recipe, value) = (std::slice::from_ref(recipe), std::slice::from_ref(value));
        let path = sidecar(name, &recipe[0]);
        write_new(&path, &style.file(recipe, value, split(name).1)).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "the file exists, with another content, and is left as it was".to_owned()
                }
                _ => reason(&error),
            };
            (path, message)
        })?;
    }
    Ok(())
}

fn write_new(path: &[u8], text: &[u8]) -> io::Result<()> {
    let path = os_name(path);
    let path = Path::new(&path);
    if let Ok(metadata) = fs::symlink_metadata(path) {
        let is_same = metadata.is_file() && metadata.len() == text.len() as u64;
        if is_same && fs::read(path)? == text {
            return Ok(());
        }
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let fresh = Fresh::create(path, &Access::Usual)?;
    (&fresh.file).write_all(text)?;
    fresh.publish(path)
}

/// The attributes of shatag and cshatag: the SHA-256 in hexadecimal, and the modification time as
/// `seconds.nanoseconds`.
const DIGEST: &str = "user.shatag.sha256";
const TIME: &str = "user.shatag.ts";

/// What the attributes of a file say.
#[derive(Debug, PartialEq, Eq)]
pub struct Stored {
    /// The digest as text; the caller checks its form.
    pub digest: Vec<u8>,
    /// Whether the file has the modification time that it had when the digest was stored.
    pub is_of_now: bool,
}

impl Stored {
    /// Returns what is stored for the file `name`, which was last modified at `modified`. Returns
    /// `None` if there is no digest.
    pub fn of(name: &[u8], modified: SystemTime) -> io::Result<Option<Stored>> {
        let Some(digest) = attribute(name, DIGEST)? else { return Ok(None) };
        // Network file systems keep times in units of 100 ns, so cshatag compares these.
        let unit = |text: &[u8]| text.get(..text.len().saturating_sub(2)).map(<[u8]>::to_vec);
        let time = attribute(name, TIME)?;
        let is_of_now =
            time.is_some_and(|time| unit(&time) == unit(time_text(modified).as_bytes()));
        Ok(Some(Stored { digest, is_of_now }))
    }
}

/// Stores the SHA-256 of a file that was last modified at `modified`.
///
/// # Errors
/// Fails with a message if the file has another digest in its attributes and the same modification
/// time: then nothing wrote to the file, and it may be damaged. The attributes stay as they are.
pub fn store(name: &[u8], digest: &[u8], modified: SystemTime) -> Result<(), String> {
    let digest = Encoding::Hex.encode(digest).into_bytes();
    let failed = |error| format!("extended attributes: {}", reason(&error));
    match Stored::of(name, modified).map_err(failed)? {
        Some(stored) if stored.is_of_now && stored.digest == digest => return Ok(()),
        Some(stored) if stored.is_of_now => {
            return Err("corrupt: it has the same modification time as when another digest was \
                        stored. Its attributes are left as they were"
                .to_owned());
        }
        _ => {}
    }
    set_attribute(name, TIME, time_text(modified).as_bytes()).map_err(failed)?;
    set_attribute(name, DIGEST, &digest).map_err(failed)
}

fn time_text(time: SystemTime) -> String {
    // Times before 1970 have no form of their own in cshatag.
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:010}.{:09}", since.as_secs(), since.subsec_nanos())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn attribute(name: &[u8], attribute: &str) -> io::Result<Option<Vec<u8>>> {
    use rustix::io::Errno;
    // No digest and no time is longer.
    let mut value = [0; 128];
    match rustix::fs::getxattr(Path::new(&os_name(name)), attribute, &mut value) {
        Ok(len) => Ok(Some(value[..len].to_vec())),
        #[cfg(not(target_vendor = "apple"))]
        Err(Errno::NODATA) => Ok(None),
        #[cfg(target_vendor = "apple")]
        Err(Errno::NOATTR) => Ok(None),
        Err(Errno::RANGE) => Ok(Some(Vec::new())),
        Err(error) => Err(error.into()),
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn set_attribute(name: &[u8], attribute: &str, value: &[u8]) -> io::Result<()> {
    let flags = rustix::fs::XattrFlags::empty();
    Ok(rustix::fs::setxattr(Path::new(&os_name(name)), attribute, value, flags)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn attribute(_: &[u8], _: &str) -> io::Result<Option<Vec<u8>>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn set_attribute(_: &[u8], _: &str, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
