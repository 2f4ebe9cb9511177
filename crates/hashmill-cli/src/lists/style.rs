//! The lines that digests are written in.

use crate::hashing::foreign::{Foreign, Size};
use crate::hashing::recipe::{Computed, Recipe};
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::escape_line;

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
    /// Hexadecimal unless something was asked for; of parts, what object stores show.
    pub encoding: Option<Encoding>,
    /// Lines end with NUL instead of newline, and names stand as they are.
    pub zero: bool,
    /// An object for each file instead of lines.
    pub json: bool,
    /// Whether files were named at all: without, an old-style line ends with the size.
    pub named: bool,
}

impl Style {
    /// What is written of a file.
    pub fn file(&self, digests: &[Recipe], values: &[Computed], name: &[u8]) -> Vec<u8> {
        let pairs = digests.iter().zip(values);
        if !self.json {
            return pairs.flat_map(|(digest, value)| self.line(digest, value, name)).collect();
        }
        let digests =
            pairs.map(|(digest, value)| (digest.to_string(), self.text(digest, value).into()));
        let mut record = json::of_file(name);
        record.insert("size".to_owned(), values.first().map(|value| value.message_len).into());
        record.insert("digests".to_owned(), digests.collect::<json::Record>().into());
        json::line(record)
    }

    /// The digest in text: of parts, with their number.
    fn text(&self, digest: &Recipe, value: &Computed) -> String {
        let usual = match value.parts {
            // As an ETag; the other checksums of parts are in base64.
            Some(_) if digest.algorithm() != Foreign::Md5.into() => Encoding::Base64,
            _ => Encoding::Hex,
        };
        let text = self.encoding.unwrap_or(usual).encode(&value.bytes);
        match value.parts {
            Some(parts) => format!("{text}-{parts}"),
            None => text,
        }
    }

    fn line(&self, digest: &Recipe, value: &Computed, name: &[u8]) -> Vec<u8> {
        let end: &[u8] = if self.zero { b"\0" } else { b"\n" };
        let checksum_of = digest.algorithm().size().filter(|_| self.form != Form::Raw);
        if let Some(size) = checksum_of.filter(|_| value.parts.is_none()) {
            let mut line = checksum(size, value).into_bytes();
            if self.named {
                line.extend([b" ", name].concat());
            }
            line.extend(end);
            return line;
        }
        let escaped = if self.zero { None } else { escape_line(name) };
        let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
        let name = escaped.as_deref().unwrap_or(name);
        let text = self.text(digest, value).into_bytes();
        match self.form {
            Form::Untagged { binary } => {
                [mark, &text, if binary { b" *" } else { b"  " }, name, end].concat()
            }
            Form::Tagged => {
                [mark, digest.to_string().as_bytes(), b" (", name, b") = ", &text, end].concat()
            }
            Form::Raw => value.bytes.clone(),
        }
    }
}

/// The old lines of `cksum` and `sum`: the checksum in decimal, and the size. Names in them are not escaped.
fn checksum(size: Size, value: &Computed) -> String {
    let number = value.bytes.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
    let len = value.message_len;
    match size {
        Size::Bytes => format!("{number} {len}"),
        Size::Blocks1024 => format!("{number:05} {:5}", len.div_ceil(1024)),
        Size::Blocks512 => format!("{number} {}", len.div_ceil(512)),
    }
}
