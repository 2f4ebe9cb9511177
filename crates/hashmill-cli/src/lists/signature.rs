//! Verifies signatures of lists with the programs gpg and minisign.

use crate::files::input::{self, os_name};
use crate::terminal::console::{Console, reason};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Verifies the signature of a list and returns the text that was verified. The list is read only
/// once. Of a signed message, the returned text is only what gpg reports as signed.
///
/// # Errors
/// Returns a message that explains why there is no good signature.
pub fn verified(
    console: &Console,
    name: &[u8],
    public_key: Option<&OsStr>,
) -> Result<File, String> {
    let failed = |error: std::io::Error| reason(&error);
    let mut text = Vec::new();
    let file = input::open(console, name).map_err(failed)?;
    file.take(MAX).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 == MAX {
        return Err("the list is too long to verify".to_owned());
    }
    let directory = tempfile::tempdir().map_err(failed)?;
    let copy = directory.path().join("list");
    std::fs::write(&copy, &text).map_err(failed)?;
    let beside = |extension: &str| {
        let mut path = os_name(name);
        path.push(extension);
        Some(PathBuf::from(path)).filter(|path| name != b"-" && path.is_file())
    };
    let begin = b"-----BEGIN PGP SIGNED MESSAGE-----";
    if text.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_end() == begin) {
        let signed = directory.path().join("signed");
        let mut gpg = Command::new("gpg");
        gpg.args(["--batch", "--status-fd", "1", "--output"])
            .arg(&signed)
            .arg("--decrypt")
            .arg(&copy);
        good_by_gpg(gpg)?;
        text = std::fs::read(&signed).map_err(failed)?;
    } else if let Some(signature) =
        beside(".asc").or_else(|| beside(".sig")).or_else(|| beside(".gpg"))
    {
        let mut gpg = Command::new("gpg");
        gpg.args(["--batch", "--status-fd", "1", "--verify"]).arg(signature).arg(&copy);
        good_by_gpg(gpg)?;
    } else if let Some(signature) = beside(".minisig") {
        let Some(key) = public_key else {
            return Err("minisign requires --public-key".to_owned());
        };
        let mut minisign = Command::new("minisign");
        let option = if PathBuf::from(key).is_file() { "-p" } else { "-P" };
        minisign
            .arg("-V")
            .arg("-q")
            .arg(option)
            .arg(key)
            .arg("-x")
            .arg(signature)
            .arg("-m")
            .arg(&copy);
        let (good, output) = run(minisign)?;
        if !good {
            return Err(format!("minisign did not accept the signature: {}", last(&output)));
        }
    } else {
        return Err("there is no signature: no signed text, and no LIST.asc, LIST.sig, LIST.gpg \
                    or LIST.minisig"
            .to_owned());
    }
    let mut file = tempfile::tempfile().map_err(failed)?;
    file.write_all(&text).and_then(|()| file.rewind()).map_err(failed)?;
    Ok(file)
}

/// The maximal length of a list in bytes. A longer list is not read into memory.
const MAX: u64 = 1 << 30;

/// Runs gpg and fails unless it reports a good signature by a key that has neither expired nor been
/// revoked.
fn good_by_gpg(gpg: Command) -> Result<(), String> {
    let (success, output) = run(gpg)?;
    let has = |word: &str| {
        let line = format!("[GNUPG:] {word} ");
        output.lines().any(|it| it.starts_with(&line))
    };
    if success && has("GOODSIG") && has("VALIDSIG") && !has("BADSIG") && !has("ERRSIG") {
        return Ok(());
    }
    Err(format!("gpg did not accept the signature: {}", last(&output)))
}

/// Runs a program. Returns whether it succeeded, and its output.
fn run(mut command: Command) -> Result<(bool, String), String> {
    let program: OsString = command.get_program().to_owned();
    let program = program.to_string_lossy();
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        format!("cannot run {program} to verify the signature: {}", reason(&error))
    })?;
    let text = [output.stderr, output.stdout].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// Returns the last line that is not a status line for programs.
fn last(output: &str) -> &str {
    let people = |line: &&str| !line.starts_with("[GNUPG:]") && !line.trim().is_empty();
    output.lines().rfind(people).unwrap_or("it wrote no message")
}
