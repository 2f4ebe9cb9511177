//! Verifies the signature of a file and returns the text that was verified.

use crate::files::input::os_name;
use crate::signature::ed25519;
use crate::signature::gpg;
use crate::signature::sign;
use crate::signature::trusted::{Keys, Trusted};
use crate::terminal::console::{Console, reason};
use crate::text::table::{Parser, Value, choices};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
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
    let file = console.open(name).map_err(failed)?;
    file.take(MAX).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 == MAX {
        return Err("the file is too long to verify its signature".to_owned());
    }
    let files = SignatureFile::all(name, trusted)?;
    let mut outside = 0;
    let embedded = || ed25519::split(&text).filter(|_| trusted.signature.is_none());
    let signer = if let Keys::Ed25519(key) = &trusted.keys {
        // A file with this extension is by minisign, whatever else lies beside the list.
        let found = files.iter().rev().find(|it| it.program != Program::Gpg);
        let shown = |it: &SignatureFile| it.path.display().to_string();
        match (found, embedded(), &*files) {
            (Some(it), ..) => match ed25519::split(&it.content) {
                Some((signature, _)) if it.program == Program::Signify => {
                    ed25519::signify(key, &shown(it), &signature, &text)?
                }
                _ => ed25519::minisign(key, &shown(it), &it.content, &text)?,
            },
            (None, Some((signature, list)), _) => {
                let signer = ed25519::signify(key, "the list", &signature, list)?;
                text = list.to_vec();
                signer
            }
            (None, None, [it, ..]) if trusted.signature.is_some() => {
                return Err(format!("{} is not a signature by minisign or signify", shown(it)));
            }
            _ => {
                return Err("there is no signature by the key of --public-key, a key of minisign \
                            or signify: its file would be LIST.minisig, LIST.sig or LIST.sign"
                    .to_owned());
            }
        }
    } else if trusted.signature.is_none()
        && let Some(range) = gpg::clear_signed(&text)?
    {
        outside = [&text[..range.start], &text[range.end..]].into_iter().map(lines).sum();
        let (signed, signer) = gpg::verify(&trusted.keys, &text[range], None)?;
        text = signed;
        signer
    } else if let Some(it) = files.iter().find(|it| it.program == Program::Gpg) {
        gpg::verify(&trusted.keys, &text, Some(&it.path))?.1
    } else if let Some(it) = files.first() {
        return Err(format!("a signature by {} requires --public-key", it.program.word()));
    } else if embedded().is_some() {
        return Err("a signature by signify requires --public-key".to_owned());
    } else {
        return Err("there is no signature: no signed text, and no LIST.asc, LIST.sig, LIST.gpg, \
                    LIST.sign or LIST.minisig. --signature names another file"
            .to_owned());
    };
    let mut file = NamedTempFile::new().map_err(failed)?;
    file.write_all(&text).map_err(failed)?;
    Ok(Verified { text: file, signer, outside })
}

/// A file that contains a signature.
struct SignatureFile {
    path: PathBuf,
    content: Vec<u8>,
    program: Program,
}

choices! {
    /// The program that makes signatures of this form.
    enum Program {
        Gpg = "gpg",
        Minisign = "minisign",
        Signify = "signify",
    }
}

impl Program {
    fn of(content: &[u8]) -> Program {
        match ed25519::split(content) {
            Some((_, rest)) if rest.trim_ascii().is_empty() => Program::Signify,
            _ if content.starts_with(b"untrusted comment:") => Program::Minisign,
            _ => Program::Gpg,
        }
    }
}

impl SignatureFile {
    /// Returns the file that the options name, or else those beside the list.
    fn all(name: &[u8], trusted: &Trusted) -> Result<Vec<SignatureFile>, String> {
        let list = os_name(name);
        let beside = sign::EXTENSIONS.map(|extension| sign::beside(Path::new(&list), extension));
        let paths = match &trusted.signature {
            Some(path) => vec![path.clone()],
            None if name == b"-" => Vec::new(),
            None => beside.into_iter().filter(|path| path.is_file()).collect(),
        };
        let read = |path: PathBuf| {
            let mut content = Vec::new();
            let read = File::open(&path).and_then(|it| it.take(MAX).read_to_end(&mut content));
            read.map_err(|error| format!("{}: {}", path.display(), reason(&error)))?;
            Ok(SignatureFile { program: Program::of(&content), path, content })
        };
        paths.into_iter().map(read).collect()
    }
}

/// Returns the number of lines that are not blank.
fn lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() as u64
}

/// The maximal length of a list in bytes. A longer list is not read into memory.
const MAX: u64 = 1 << 30;
