//! Signatures by minisign.

use data_encoding::BASE64;
use minisign_verify::{Error, PublicKey, Signature};
use std::path::Path;

/// A public key of minisign or signify.
pub struct Key {
    key: PublicKey,
    id: String,
    /// Two bytes that name the algorithm, the eight bytes of the key's number, and the key.
    pub bytes: [u8; 42],
}

impl Key {
    /// Parses a public key in base64.
    pub fn parse(text: &str) -> Option<Key> {
        let key = PublicKey::from_base64(text).ok()?;
        let bytes = BASE64.decode(text.trim().as_bytes()).ok()?.try_into().ok()?;
        Some(Key { key, id: id(text)?, bytes })
    }

    /// Parses the text of a file with a public key: the key in base64, with or without a comment
    /// before it.
    pub fn of_file(text: &str) -> Option<Key> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let key = if first.starts_with("untrusted comment:") { lines.next()? } else { first };
        Key::parse(key).filter(|_| lines.next().is_none())
    }
}

/// Returns the identifier in a key or a signature, as minisign writes it. It follows the two bytes
/// that name the algorithm.
fn id(base64: &str) -> Option<String> {
    let bytes = BASE64.decode(base64.trim().as_bytes()).ok()?;
    let id: [u8; 8] = bytes.get(2..10)?.try_into().ok()?;
    Some(format!("{:X}", u64::from_le_bytes(id)))
}

/// Verifies that a file with this content contains a signature of `text` by `key`. Returns a
/// description of the key.
///
/// # Errors
/// Returns a message that explains why not.
pub fn verify(key: &Key, file: &Path, content: &[u8], text: &[u8]) -> Result<String, String> {
    let file = file.display();
    let improper = || format!("{file} is not a signature by minisign");
    let content = str::from_utf8(content).map_err(|_| improper())?;
    let parsed = Signature::decode(content).map_err(|_| improper())?;
    let named = |id: &str| format!("minisign's key {id}");
    match key.key.verify(text, &parsed, true) {
        Ok(()) => Ok(named(&key.id)),
        Err(Error::UnexpectedKeyId) => {
            let signer = content.lines().nth(1).and_then(id).unwrap_or_default();
            Err(format!(
                "{file} is a signature by {}, but --public-key accepts only {}",
                named(&signer),
                named(&key.id)
            ))
        }
        Err(_) => Err(format!("{file} is not a signature of this text by {}", named(&key.id))),
    }
}
