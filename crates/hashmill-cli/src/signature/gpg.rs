//! Signatures of OpenPGP, which the program gpg verifies.
//!
//! gpg reports its findings on status lines, which it writes to a descriptor of their own. Only
//! these decide. The messages for people on standard error, which the text and the keys can
//! influence, are never read as status lines.
//!
//! If the user names keys, gpg runs with a new home directory that contains only these keys.
//! Signatures by other keys of the user's keyring then cannot be good.

use crate::signature::trusted::{Keys, Pinned};
use crate::terminal::console::reason;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const END: &[u8] = b"-----END PGP SIGNATURE-----";

/// Finds a clear-signed text and returns where it is, with its armour. Lines before and after it do
/// not belong to it, so that gpg verifies one message and nothing else.
///
/// # Errors
/// Fails if there are several, or if the text has no end.
pub fn clear_signed(text: &[u8]) -> Result<Option<Range<usize>>, String> {
    let (mut at, mut begin, mut end) = (0, None, None);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let next = at + line.len();
        match line.trim_ascii_end() {
            BEGIN if begin.is_some() => return Err("there are several signed texts".to_owned()),
            BEGIN => begin = Some(at),
            END if begin.is_some() && end.is_none() => end = Some(next),
            _ => {}
        }
        at = next;
    }
    match (begin, end) {
        (None, _) => Ok(None),
        (Some(begin), Some(end)) => Ok(Some(begin..end)),
        (Some(_), None) => Err("the signed text is cut off".to_owned()),
    }
}

/// Verifies a text by the signature in a file or, without one, a clear-signed text with its armour.
/// Returns the signed text, which is empty for a signature in a file, and a description of the key.
///
/// # Errors
/// Returns a message that explains why there is no good signature by a trusted key.
pub fn verify(
    keys: &Keys,
    text: &[u8],
    signature: Option<&Path>,
) -> Result<(Vec<u8>, String), String> {
    let failed = |error: io::Error| reason(&error);
    let directory = directory(&std::env::temp_dir()).map_err(failed)?;
    let pinned = if let Keys::OpenPgp(pinned) = keys { Some(pinned) } else { None };
    let home = pinned.map(|pinned| home_of(pinned, &directory)).transpose()?;
    let mut gpg = gpg();
    gpg.args(["--status-fd", "1", "--no-auto-key-retrieve"]);
    if let Some(home) = &home {
        gpg.args(["--no-autostart", "--trust-model", "always", "--homedir"]).arg(home.path());
    }
    let (copy, signed) = (directory.path().join("text"), directory.path().join("signed"));
    match signature {
        None => gpg.arg("--output").arg(&signed).arg("--decrypt"),
        Some(signature) => gpg.arg("--verify").arg(signature),
    };
    fs::write(&copy, text).map_err(failed)?;
    gpg.arg(&copy);
    let is_clear = signature.is_none();
    let output = run(gpg)?;
    let status = Status::of(&String::from_utf8_lossy(&output.stdout));
    // A message of its own in the place of a detached signature would be verified instead of the
    // text.
    if status.texts != u32::from(is_clear) {
        return Err(match is_clear {
            true => explained("gpg found no signed text", &output),
            false => "the signature is a signed message, not the signature of another file".into(),
        });
    }
    let signer = status.signer(pinned, &output)?;
    let text = if is_clear { fs::read(&signed).map_err(failed)? } else { Vec::new() };
    Ok((text, signer))
}

/// Creates a temporary directory that only this user can read.
fn directory(parent: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix("gpg");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(parent)
}

/// Creates a home directory of gpg that contains only the pinned keys.
fn home_of(pinned: &Pinned, temporary: &TempDir) -> Result<TempDir, String> {
    let failed = |error: io::Error| reason(&error);
    let home = directory(temporary.path()).map_err(failed)?;
    let keys = match &pinned.file {
        Some(file) => file.clone(),
        None => {
            let mut export = gpg();
            export.arg("--export").args(&pinned.fingerprints);
            let output = run(export)?;
            if output.stdout.is_empty() {
                let keys = pinned.fingerprints.join(" or ");
                return Err(format!("gpg's keyring does not contain the key of --signer, {keys}"));
            }
            let keys = temporary.path().join("keys");
            fs::write(&keys, output.stdout).map_err(failed)?;
            keys
        }
    };
    let mut import = gpg();
    import.args(["--no-autostart", "--homedir"]).arg(home.path()).arg("--import").arg(&keys);
    let output = run(import)?;
    match output.status.success() {
        true => Ok(home),
        false => Err(explained(&format!("gpg cannot read the key in {}", keys.display()), &output)),
    }
}

fn gpg() -> Command {
    let mut gpg = Command::new("gpg");
    gpg.args(["--batch", "--no-tty"]);
    gpg
}

fn run(mut gpg: Command) -> Result<Output, String> {
    let output = gpg.stdin(Stdio::null()).output();
    output.map_err(|error| format!("cannot run gpg to verify the signature: {}", reason(&error)))
}

/// Returns a message with the last line that gpg wrote for people.
fn explained(message: &str, output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    match text.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!("{message}: {}", line.strip_prefix("gpg: ").unwrap_or(line)),
        None => message.to_owned(),
    }
}

/// What gpg's status lines say (GnuPG's doc/DETAILS, "Format of the --status-fd output").
#[derive(Default)]
struct Status {
    signatures: Vec<Signature>,
    /// The number of texts in the message.
    texts: u32,
}

/// A signature. The fingerprints are empty unless the signature fits the text.
struct Signature {
    /// What is wrong, unless it is good.
    fault: Option<Fault>,
    /// The key's identifier.
    id: String,
    /// The user that the key belongs to.
    user: String,
    /// The fingerprints of the key and of its primary key.
    fingerprints: Vec<String>,
}

/// What a message says before the key and after it.
type Fault = (&'static str, &'static str);

const KEY_MISSING: Fault = ("the signature is by", ", which is not in gpg's keyring");

impl Status {
    fn of(lines: &str) -> Status {
        let mut status = Status::default();
        for line in lines.lines().filter_map(|line| line.strip_prefix("[GNUPG:] ")) {
            let mut words = line.split(' ');
            let word = words.next().unwrap_or_default();
            let fault = match word {
                "GOODSIG" => None,
                "BADSIG" => Some(("the signature by", " does not match the text")),
                "EXPSIG" => Some(("the signature by", " has expired")),
                "EXPKEYSIG" => Some(("the signature is by", ", which has expired")),
                "REVKEYSIG" => Some(("the signature is by", ", which has been revoked")),
                // The sixth word is 9 if the key is missing.
                "ERRSIG" if words.clone().nth(5) == Some("9") => Some(KEY_MISSING),
                "ERRSIG" => Some(("gpg does not support the signature by", "")),
                "VALIDSIG" => {
                    let fingerprints = [words.clone().next(), words.nth(9)];
                    if let Some(last) = status.signatures.last_mut() {
                        last.fingerprints =
                            fingerprints.into_iter().flatten().map(str::to_owned).collect();
                    }
                    continue;
                }
                "PLAINTEXT" => {
                    status.texts += 1;
                    continue;
                }
                _ => continue,
            };
            let id = words.next().unwrap_or_default().to_owned();
            let user =
                if word == "ERRSIG" { String::new() } else { words.collect::<Vec<_>>().join(" ") };
            status.signatures.push(Signature { fault, id, user, fingerprints: Vec::new() });
        }
        status
    }

    /// Returns the key that made a good signature. All signatures must be good, except that with
    /// pinned keys, there may also be signatures by keys that are not pinned.
    fn signer(&self, pinned: Option<&Pinned>, output: &Output) -> Result<String, String> {
        let other = |it: &&Signature| pinned.is_some() && it.fault == Some(KEY_MISSING);
        for it in self.signatures.iter().filter(|it| !other(it)) {
            if let Some((before, after)) = it.fault {
                return Err(format!("{before} {}{after}", it.key()));
            }
        }
        let accepted = |it: &&Signature| match pinned {
            Some(pinned) if !pinned.fingerprints.is_empty() => {
                it.fingerprints.iter().any(|it| pinned.fingerprints.contains(it))
            }
            _ => !it.fingerprints.is_empty(),
        };
        let mut good = self.signatures.iter().filter(|it| it.fault.is_none());
        // gpg also fails if it misses the key of one of several signatures.
        let complete = output.status.success() || self.signatures.iter().any(|it| other(&it));
        match (good.find(accepted), self.signatures.first()) {
            (Some(good), _) if complete => Ok(good.key()),
            (None, Some(first)) => {
                let option = match pinned {
                    Some(Pinned { file: None, .. }) => "--signer",
                    _ => "--public-key",
                };
                Err(format!(
                    "the signature is by {}, which is not the key that {option} names",
                    first.key()
                ))
            }
            _ => Err(explained("gpg found no good signature", output)),
        }
    }
}

impl Signature {
    fn key(&self) -> String {
        let key = self.fingerprints.first().unwrap_or(&self.id);
        match &*self.user {
            "" => format!("the key {key}"),
            user => format!("the key {key} ({user})"),
        }
    }
}
