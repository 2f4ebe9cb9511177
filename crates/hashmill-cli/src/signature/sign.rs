//! Signs files with the programs gpg and minisign. They ask for passphrases themselves.

use crate::files::paths::parent;
use crate::terminal::console::{Failure, reason};
use crate::text::table::{Parser, Value, values};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

/// The key that signs.
#[derive(Clone, Debug)]
pub enum Key {
    /// A key of gpg; without a name, gpg's default key.
    Gpg(Option<String>),
    /// A file with a secret key of minisign.
    Minisign(PathBuf),
}

values!(Key);

impl FromStr for Key {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Key, &'static str> {
        match text.split_once(':') {
            None if text == "gpg" => Ok(Key::Gpg(None)),
            Some(("gpg", name)) if !name.is_empty() => Ok(Key::Gpg(Some(name.to_owned()))),
            Some(("minisign", file)) if !file.is_empty() => Ok(Key::Minisign(file.into())),
            _ => Err("expected gpg, gpg:KEY or minisign:FILE"),
        }
    }
}

/// The extensions of the files that contain the signature of a file.
pub const EXTENSIONS: [&str; 5] = [".asc", ".sig", ".gpg", ".sign", ".minisig"];

/// Returns the path of a file with this extension appended.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(extension);
    name.into()
}

/// Signs a file that was just written, if the user gave a key. Replaces the earlier signature in
/// one step. `what` the file is, and the name that the user gave it, are for the message.
pub fn sign(key: Option<&Key>, file: &Path, named: &Path, what: &str) -> Result<(), Failure> {
    key.map_or(Ok(()), |key| signed(key, file)).map_err(|message| {
        Failure::new(named, format!("the {what} was written, but not signed: {message}"))
    })
}

fn signed(key: &Key, file: &Path) -> Result<(), String> {
    let (program, extension) = match key {
        Key::Gpg(_) => ("gpg", ".asc"),
        Key::Minisign(_) => ("minisign", ".minisig"),
    };
    let signature = beside(file, extension);
    let failed = |error| format!("{}: {}", signature.display(), reason(&error));
    let new = tempfile::Builder::new().prefix(".signature").tempdir_in(parent(file));
    let new = new.map_err(failed)?;
    let new = new.path().join("new");
    let mut command = Command::new(program);
    match key {
        Key::Gpg(name) => {
            command.args(["--armor", "--output"]).arg(&new);
            command.args(name.iter().flat_map(|name| ["--local-user", name]));
            command.arg("--detach-sign").arg("--").arg(file);
        }
        Key::Minisign(secret) => {
            command.arg("-S").arg("-s").arg(secret).arg("-x").arg(&new).arg("-m").arg(file);
        }
    }
    let status = command.stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => fs::rename(&new, &signature).map_err(failed),
        Ok(_) => Err(format!("{program} did not sign it")),
        Err(error) => Err(format!("cannot run {program} to sign it: {}", reason(&error))),
    }
}
