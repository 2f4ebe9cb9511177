//! Signatures by minisign, and by signify, OpenBSD's program. They are signatures of Ed25519 (RFC
//! 8032), in lines of base64 between comments.
//!
//! The first line is a comment. The second line contains two bytes that name the algorithm, the eight
//! bytes of the key's number, and the signature. `Ed` is a signature of the text, `ED` one of its
//! BLAKE2b-512, which only minisign makes. After that, minisign writes a trusted comment, and in
//! the last line a signature of the signature and of this comment. signify's signature may be before
//! the text that it signs, in the same file.
//!
//! Public keys have one form, so a key is for the signatures of both programs.

use crate::text::encoding::Encoding;
use data_encoding::BASE64;
use ed25519_compact::{PublicKey, Signature};
use hashmill::Blake2b;

/// A public key: two bytes that name the algorithm, the eight bytes of its number, and the key.
pub struct Key([u8; 42]);

impl Key {
    /// Parses a public key in base64.
    pub fn parse(text: &str) -> Option<Key> {
        decoded(text).filter(|bytes| is_algorithm(bytes)).map(Key)
    }

    /// Parses the text of a file with a public key: the key in base64, with or without a comment
    /// before it.
    pub fn of_file(text: &str) -> Option<Key> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let key = if first.starts_with("untrusted comment:") { lines.next()? } else { first };
        Key::parse(key).filter(|_| lines.next().is_none())
    }

    fn has_signed(&self, text: &[u8], signature: &[u8]) -> bool {
        let verify = || {
            PublicKey::from_slice(&self.0[10..])?.verify(text, &Signature::from_slice(signature)?)
        };
        verify().is_ok()
    }
}

fn is_algorithm(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Ed") || bytes.starts_with(b"ED")
}

fn decoded<const LEN: usize>(base64: &str) -> Option<[u8; LEN]> {
    BASE64.decode(base64.as_bytes()).ok()?.try_into().ok()
}

/// The number of lines of a signature by signify.
pub const LINES: usize = 2;

/// Returns the signature by signify at the beginning of a file, and the rest of the file. Returns
/// `None` if the file does not begin with one.
pub fn split(text: &[u8]) -> Option<([u8; 74], &[u8])> {
    let mut lines = text.splitn(LINES + 1, |&byte| byte == b'\n');
    lines.next()?.strip_prefix(b"untrusted comment:")?;
    let signature: [u8; 74] = decoded(str::from_utf8(lines.next()?).ok()?.trim_ascii_end())?;
    signature.starts_with(b"Ed").then_some((signature, lines.next().unwrap_or_default()))
}

/// Verifies a signature of `text` by signify. `file` contains the signature, for messages. Returns
/// a description of the key.
///
/// # Errors
/// Returns a message that explains why not.
pub fn signify(key: &Key, file: &str, signature: &[u8; 74], text: &[u8]) -> Result<String, String> {
    let named = |number: [u8; 8]| format!("signify's key {}", Encoding::Hex.encode(&number));
    let signer = signer(key, signature, &named);
    let signer = signer.map_err(|others| format!("{file} has a signature by {others}"))?;
    match key.has_signed(text, &signature[10..]) {
        true => Ok(signer),
        false => Err(format!("{file} has no signature of this text by {signer}")),
    }
}

/// Verifies that a file with this content contains a signature of `text` by minisign. Returns a
/// description of the key.
///
/// # Errors
/// Returns a message that explains why not.
pub fn minisign(key: &Key, file: &str, content: &[u8], text: &[u8]) -> Result<String, String> {
    let parse = || {
        let mut lines = str::from_utf8(content).ok()?.lines().skip(1);
        let signature = decoded::<74>(lines.next()?).filter(|it| is_algorithm(it))?;
        let comment = lines.next()?.strip_prefix("trusted comment: ")?;
        Some((signature, comment, decoded::<64>(lines.next()?)?))
    };
    let improper = || format!("{file} is not a signature by minisign");
    let (signature, comment, of_comment) = parse().ok_or_else(improper)?;
    let named = |number| format!("minisign's key {:X}", u64::from_le_bytes(number));
    let signer = signer(key, &signature, &named);
    let signer = signer.map_err(|others| format!("{file} is a signature by {others}"))?;
    let (algorithm, signature) = (&signature[..2], &signature[10..]);
    let digest = Blake2b::new().update(text).finalize();
    let text = if algorithm == b"ED" { &digest[..] } else { text };
    let with_comment = [signature, comment.as_bytes()].concat();
    match key.has_signed(text, signature) && key.has_signed(&with_comment, &of_comment) {
        true => Ok(signer),
        false => Err(format!("{file} is not a signature of this text by {signer}")),
    }
}

/// Returns a description of the key if its number is that of the signature, and otherwise of both
/// keys.
fn signer(
    key: &Key,
    signature: &[u8; 74],
    named: &dyn Fn([u8; 8]) -> String,
) -> Result<String, String> {
    let number = |bytes: &[u8]| named(*bytes[2..].first_chunk().expect("10 bytes come first"));
    let [signer, wanted] = [&signature[..10], &key.0[..10]].map(number);
    match signer == wanted {
        true => Ok(wanted),
        false => Err(format!("{signer}, but --public-key accepts only {wanted}")),
    }
}
