//! Formats the lines that contain digests.

use crate::hashing::algorithm::{Foreign, Size};
use crate::hashing::recipe::{Computed, Recipe};
use crate::lists::template::Template;
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::{Quoting, escape_line, is_harmless, shell};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `SHA256 (name) = digest`
    Tagged,
    /// `digest  name`, or `digest *name`
    Untagged { binary: bool },
    /// Only the bytes of the digest.
    Raw,
    /// Only the digest, as text.
    Bare,
}

#[derive(Debug)]
pub struct Style {
    pub form: Form,
    /// The encoding of digests. `None` means hexadecimal, or for digests of parts the encoding that
    /// object stores use.
    pub encoding: Option<Encoding>,
    /// Whether lines end with NUL instead of a newline, and names are not escaped.
    pub zero: bool,
    /// Whether a JSON object is written for each file instead of lines.
    pub json: bool,
    /// Whether checksums are written in the old form of `cksum` and `sum`.
    pub legacy: bool,
    /// How names that could harm a terminal are quoted; `None` if the output is not a terminal.
    pub quoting: Option<Quoting>,
    /// The template for each file, which replaces all other forms.
    pub template: Option<Template>,
    /// Whether the command line names files. If not, an old-style line ends after the size.
    pub named: bool,
}

impl Style {
    /// Returns the style with the given form and default values of the other settings.
    pub fn of_form(form: Form, quoting: Option<Quoting>) -> Style {
        Style {
            form,
            encoding: None,
            zero: false,
            json: false,
            legacy: false,
            quoting,
            named: true,
            template: None,
        }
    }

    /// Returns the text for a file.
    pub fn file(&self, digests: &[Recipe], values: &[Computed], name: &[u8]) -> Vec<u8> {
        let quoted = self.quoting.filter(|&it| !is_harmless(name, it)).map(|it| shell(name, it));
        let shown = quoted.as_ref().map_or(name, |quoted| quoted.as_bytes());
        let pairs = digests.iter().zip(values);
        if let Some(template) = &self.template {
            template.file(digests, values, shown)
        } else if self.json {
            let digests =
                pairs.map(|(digest, value)| (digest.to_string(), self.text(digest, value).into()));
            let mut record = json::of_file(name);
            record.insert("size".to_owned(), values.first().map(|value| value.message_len).into());
            record.insert("digests".to_owned(), digests.collect::<json::Record>().into());
            json::ended(record, if self.zero { '\0' } else { '\n' })
        } else {
            let is_quoted = quoted.is_some();
            pairs.flat_map(|(digest, value)| self.line(digest, value, shown, is_quoted)).collect()
        }
    }

    /// Returns a digest as text. The number of parts follows a digest of parts.
    fn text(&self, digest: &Recipe, value: &Computed) -> String {
        let usual = match value.parts {
            // For parts, object stores write MD5 in hexadecimal, as an ETag, and other checksums in
            // base64.
            Some(_) if digest.algorithm() != Foreign::Md5.into() => Encoding::Base64,
            _ => Encoding::Hex,
        };
        let text = self.encoding.unwrap_or(usual).encode(&value.bytes);
        match value.parts {
            Some(parts) => format!("{text}-{parts}"),
            None => text,
        }
    }

    fn line(&self, digest: &Recipe, value: &Computed, name: &[u8], is_quoted: bool) -> Vec<u8> {
        let end: &[u8] = if self.zero { b"\0" } else { b"\n" };
        let legacy = self.legacy && self.form != Form::Raw;
        let checksum_of = digest.algorithm().size().filter(|_| legacy);
        if let Some(size) = checksum_of.filter(|_| value.parts.is_none()) {
            let mut line = checksum(size, value).into_bytes();
            if self.named {
                line.extend([b" ", name].concat());
            }
            line.extend(end);
            return line;
        }
        let escaped = if self.zero || is_quoted { None } else { escape_line(name) };
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
            Form::Bare => [&text, end].concat(),
        }
    }
}

/// Returns an old-style line of `cksum` or `sum` up to the name: the checksum in decimal, and the
/// size. Names in such lines are not escaped.
fn checksum(size: Size, value: &Computed) -> String {
    let number = value.bytes.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
    let len = value.message_len;
    match size {
        Size::Bytes => format!("{number} {len}"),
        Size::Blocks1024 => format!("{number:05} {:5}", len.div_ceil(1024)),
        Size::Blocks512 => format!("{number} {}", len.div_ceil(512)),
    }
}
