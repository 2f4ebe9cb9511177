//! The keys whose signatures are accepted.

use crate::signature::ed25519;
use crate::terminal::console::{Console, Failure, reason};
use crate::text::table::{Field, Options, Row, options};
use clap::ValueHint;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The keys whose signatures are accepted, and the file with the signature.
pub struct Trusted {
    pub keys: Keys,
    /// If there is none, the signature is in the file that it signs, or in a file beside it.
    pub signature: Option<PathBuf>,
}

pub enum Keys {
    /// All keys in the user's keyring of gpg that are neither expired nor revoked.
    Keyring,
    /// Only these keys of OpenPGP.
    OpenPgp(Pinned),
    /// Only this key of minisign or signify.
    Ed25519(ed25519::Key),
}

/// Some keys of OpenPGP. At least one of the fields is not empty.
pub struct Pinned {
    /// A file with public keys. If there is none, the keys are taken from the user's keyring.
    pub file: Option<PathBuf>,
    /// If not empty, a key must also have one of these fingerprints, or be a subkey of a key that
    /// has it.
    pub fingerprints: Vec<String>,
}

options! {
    /// Options for verifying signatures.
    pub struct Signatures {
        /// Verify the signature, and fail without a good one
        verify_signature: bool,
        /// The file with the signature [default: in the file itself, or beside it with .asc, .sig,
        /// .gpg, .sign or .minisig]
        signature: Option<PathBuf> {
            value: "FILE", requires: "verify_signature", hint: ValueHint::FilePath,
        },
        /// Accept only signatures by this key: a public key of minisign or signify, or a file with
        /// a public key of minisign, signify or OpenPGP
        public_key: Option<OsString> { value: "KEY", requires: "verify_signature" },
        /// Accept only signatures by the OpenPGP key with this fingerprint, from gpg's keyring or
        /// from --public-key; may be given several times
        signer: Vec<String> { value: "FINGERPRINT", requires: "verify_signature" },
    }
}

impl Signatures {
    /// Returns the keys whose signatures are accepted, or `None` if no signature is to be verified.
    /// Writes a message and fails if the options name no keys.
    pub fn trusted(&self, console: &mut Console) -> Result<Option<Trusted>, Failure> {
        if !self.verify_signature {
            return Ok(None);
        }
        let fingerprints: Result<Vec<_>, _> =
            self.signer.iter().map(|it| fingerprint(it)).collect();
        let keys = fingerprints.and_then(|fingerprints| match &self.public_key {
            None if fingerprints.is_empty() => Ok(Keys::Keyring),
            None => Ok(Keys::OpenPgp(Pinned { file: None, fingerprints })),
            Some(given) => match key(given)? {
                Some(_) if !fingerprints.is_empty() => Err(
                    "--public-key is a key of minisign or signify, and --signer is for keys of gpg"
                        .into(),
                ),
                Some(key) => Ok(Keys::Ed25519(key)),
                None => Ok(Keys::OpenPgp(Pinned { file: Some(given.into()), fingerprints })),
            },
        });
        let keys = keys.map_err(|message| console.wrong_options(message))?;
        Ok(Some(Trusted { keys, signature: self.signature.clone() }))
    }
}

/// Returns the key of minisign or signify that `--public-key` gives, or `None` if it is a file with keys of
/// OpenPGP. A key is never the name of a file: otherwise a file of this name could replace the key.
fn key(given: &OsStr) -> Result<Option<ed25519::Key>, String> {
    if let Some(key) = given.to_str().and_then(ed25519::Key::parse) {
        return Ok(Some(key));
    }
    let content = fs::read(Path::new(given)).map_err(|error| {
        let given = given.display();
        format!(
            "--public-key {given} is neither a key of minisign or signify nor a file: {}",
            reason(&error)
        )
    })?;
    if let Some(key) = str::from_utf8(&content).ok().and_then(ed25519::Key::of_file) {
        return Ok(Some(key));
    }
    let armour = b"-----BEGIN PGP PUBLIC KEY BLOCK-----";
    // The first byte of a packet has its highest bit set (RFC 9580 §4.2).
    let binary = content.first().is_some_and(|&first| first & 0x80 != 0);
    if binary || content.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_end() == armour) {
        return Ok(None);
    }
    Err(format!("{} contains no public key of minisign, signify or OpenPGP", given.display()))
}

/// Parses a fingerprint. Blanks in it and a leading `0x` are ignored.
fn fingerprint(text: &str) -> Result<String, String> {
    let digits: String = text.split_whitespace().collect::<String>().to_ascii_uppercase();
    let digits = digits.strip_prefix("0X").unwrap_or(&digits).to_owned();
    if [40, 64].contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return Ok(digits);
    }
    Err(format!(
        "--signer {text} is not a fingerprint, which has 40 or 64 hexadecimal digits: \
         'gpg --fingerprint' shows it"
    ))
}
