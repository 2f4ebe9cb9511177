//! Signatures by signify, OpenBSD's program: a comment, and in the second line in base64 two bytes
//! that name the algorithm, `Ed`, the eight bytes of the key's number, and the signature. An
//! embedded signature is before the text that it signs, in the same file.

use data_encoding::BASE64;

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
