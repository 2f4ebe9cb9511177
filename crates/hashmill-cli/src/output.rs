//! The lines that digests are written in.

use crate::digest::Digest;
use crate::encoding::Encoding;
use crate::quote::escape_line;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `SHA256 (name) = digest`
    Tagged,
    /// `digest  name`, or `digest *name`
    Untagged { binary: bool },
    /// The digest's bytes.
    Raw,
}

#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub form: Form,
    pub encoding: Encoding,
    /// Lines end with NUL instead of newline, and names stand as they are.
    pub zero: bool,
}

impl Style {
    pub fn line(&self, digest: Digest, bytes: &[u8], name: &[u8]) -> Vec<u8> {
        let escaped = if self.zero { None } else { escape_line(name) };
        let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
        let name = escaped.as_deref().unwrap_or(name);
        let end: &[u8] = if self.zero { b"\0" } else { b"\n" };
        let text = self.encoding.encode(bytes).into_bytes();
        match self.form {
            Form::Tagged => {
                [mark, digest.to_string().as_bytes(), b" (", name, b") = ", &text, end].concat()
            }
            Form::Untagged { binary } => {
                [mark, &text, if binary { b" *" } else { b"  " }, name, end].concat()
            }
            Form::Raw => bytes.to_vec(),
        }
    }
}
