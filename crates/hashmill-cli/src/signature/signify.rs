//! Signatures by signify, OpenBSD's program: a comment, and in the second line in base64 two bytes
//! that name the algorithm, `Ed`, the eight bytes of the key's number, and the signature of Ed25519
//! (RFC 8032). An embedded signature is before the text that it signs, in the same file.
//!
//! Public keys of minisign have the same form, so a key is for the signatures of both programs.

use crate::signature::minisign::Key;
use data_encoding::BASE64;
use ed25519_compact::{PublicKey, Signature};

/// The number of lines of a signature.
pub const LINES: usize = 2;

/// Returns the signature at the beginning of a file, and the rest of the file. Returns `None` if
/// the file does not begin with a signature.
pub fn split(text: &[u8]) -> Option<([u8; 74], &[u8])> {
    let mut lines = text.splitn(LINES + 1, |&byte| byte == b'\n');
    lines.next()?.strip_prefix(b"untrusted comment:")?;
    let signature = BASE64.decode(lines.next()?.trim_ascii_end()).ok()?;
    let signature = <[u8; 74]>::try_from(signature).ok().filter(|it| it.starts_with(b"Ed"))?;
    Some((signature, lines.next().unwrap_or_default()))
}

/// Verifies a signature of `text` by `key`. `file` contains the signature, for messages. Returns a
/// description of the key.
///
/// # Errors
/// Returns a message that explains why not.
pub fn verify(key: &Key, file: &str, signature: &[u8; 74], text: &[u8]) -> Result<String, String> {
    let number = |id: &[u8]| id.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let named = |id: &[u8]| format!("signify's key {}", number(id));
    let (_, signer) = signature[..10].split_at(2);
    let (_, wanted) = key.bytes[..10].split_at(2);
    if signer != wanted {
        return Err(format!(
            "{file} has a signature by {}, but --public-key accepts only {}",
            named(signer),
            named(wanted)
        ));
    }
    let public = PublicKey::from_slice(&key.bytes[10..]);
    let verified = public.and_then(|public| {
        Signature::from_slice(&signature[10..]).and_then(|it| public.verify(text, &it))
    });
    match verified {
        Ok(()) => Ok(named(wanted)),
        Err(_) => Err(format!("{file} has no signature of this text by {}", named(wanted))),
    }
}
