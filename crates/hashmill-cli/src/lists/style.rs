//! The lines that digests are written in.

use crate::hashing::foreign::{Foreign, Size};
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
    /// The digest's bytes.
    Raw,
    /// The digest alone.
    Bare,
}

#[derive(Debug)]
pub struct Style {
    pub form: Form,
    /// Hexadecimal unless something was asked for; of parts, what object stores show.
    pub encoding: Option<Encoding>,
    /// Lines end with NUL instead of newline, and names stand as they are.
    pub zero: bool,
    /// An object for each file instead of lines.
    pub json: bool,
    /// Checksums have lines of their own, as `cksum` and `sum` write them.
    pub legacy: bool,
    /// How names are quoted that are not harmless to a terminal, if that is where they go.
    pub quoting: Option<Quoting>,
    /// Written of each file instead of anything else.
    pub template: Option<Template>,
    /// Whether files were named at all: without, an old-style line ends with the size.
    pub named: bool,
}

impl Style {
    /// Lines of a form and nothing else out of the ordinary.
    pub fn of_form(form: Form, quoting: Option<Quoting>) -> Style {
        let template = None;
        Style {
            form,
            encoding: None,
            zero: false,
            json: false,
            legacy: false,
            quoting,
            named: true,
            template,
        }
    }

    /// What is written of a file.
    pub fn file(&self, digests: &[Recipe], values: &[Computed], name: &[u8]) -> Vec<u8> {
        if let Some(template) = &self.template {
            let quoted =
                self.quoting.filter(|&it| !is_harmless(name, it)).map(|it| shell(name, it));
            let name = quoted.as_ref().map_or(name, |quoted| quoted.as_bytes());
            return template.file(digests, values, name);
        }
        let pairs = digests.iter().zip(values);
        if !self.json {
            return pairs.flat_map(|(digest, value)| self.line(digest, value, name)).collect();
        }
        let digests =
            pairs.map(|(digest, value)| (digest.to_string(), self.text(digest, value).into()));
        let mut record = json::of_file(name);
        record.insert("size".to_owned(), values.first().map(|value| value.message_len).into());
        record.insert("digests".to_owned(), digests.collect::<json::Record>().into());
        json::ended(record, if self.zero { '\0' } else { '\n' })
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
        let quoted = self.quoting.filter(|&it| !is_harmless(name, it)).map(|it| shell(name, it));
        let name = quoted.as_ref().map_or(name, |quoted| quoted.as_bytes());
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
        let escaped = if self.zero || quoted.is_some() { None } else { escape_line(name) };
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

/// The old lines of `cksum` and `sum`: the checksum in decimal, and the size. Names in them are not
/// escaped.
fn checksum(size: Size, value: &Computed) -> String {
    let number = value.bytes.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
    let len = value.message_len;
    match size {
        Size::Bytes => format!("{number} {len}"),
        Size::Blocks1024 => format!("{number:05} {:5}", len.div_ceil(1024)),
        Size::Blocks512 => format!("{number} {}", len.div_ceil(512)),
    }
}
