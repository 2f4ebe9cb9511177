//! Verifies the signature of a file and returns the text that was verified.

use crate::files::input::{self, os_name};
use crate::signature::gpg::{self, Message};
use crate::signature::minisign;
use crate::signature::sign;
use crate::signature::trusted::Trusted;
use crate::terminal::console::{Console, reason};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A text with a good signature.
pub struct Verified {
    /// The verified text. Of a clear-signed message, it is only what gpg reports as signed.
    text: NamedTempFile,
    /// The key that made the signature.
    pub signer: String,
    /// The number of lines outside of the signed text that are not blank.
    pub outside: u64,
}

impl Verified {
    /// Opens the verified text.
    pub fn open(&self) -> io::Result<File> {
        self.text.reopen()
    }
}

/// Verifies the signature of the file `name`. The file is read only once.
///
/// # Errors
/// Returns a message that explains why there is no good signature by a trusted key.
pub fn verified(console: &Console, name: &[u8], trusted: &Trusted) -> Result<Verified, String> {
    let failed = |error: io::Error| reason(&error);
    let mut text = Vec::new();
    let file = input::open(console, name).map_err(failed)?;
    file.take(MAX).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 == MAX {
        return Err("the file is too long to verify its signature".to_owned());
    }
    let path = os_name(name);
    let beside = |extension: &str| {
        let path = sign::beside(Path::new(&path), extension);
        Some(path).filter(|path| name != b"-" && path.is_file())
    };
    let mut outside = 0;
    let signer = if let Trusted::Minisign(key) = trusted {
        let Some(signature) = beside(".minisig") else {
            return Err("there is no signature by the key of --public-key, a key of minisign: \
                        its file would be LIST.minisig"
                .to_owned());
        };
        minisign::verify(key, &signature, &text)?
    } else if let Some(range) = gpg::clear_signed(&text)? {
        outside = [&text[..range.start], &text[range.end..]].into_iter().map(lines).sum();
        let (signed, signer) = gpg::verify(trusted, Message::Clear(&text[range]))?;
        text = signed;
        signer
    } else if let Some(signature) = [".asc", ".sig", ".gpg"].into_iter().find_map(beside) {
        gpg::verify(trusted, Message::Detached { text: &text, signature: &signature })?.1
    } else if beside(".minisig").is_some() {
        return Err("a signature by minisign requires --public-key".to_owned());
    } else {
        return Err("there is no signature: no signed text, and no LIST.asc, LIST.sig, LIST.gpg \
                    or LIST.minisig"
            .to_owned());
    };
    let mut file = NamedTempFile::new().map_err(failed)?;
    file.write_all(&text).map_err(failed)?;
    Ok(Verified { text: file, signer, outside })
}

/// Returns the number of lines that are not blank.
fn lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() as u64
}

/// The maximal length of a list in bytes. A longer list is not read into memory.
const MAX: u64 = 1 << 30;
