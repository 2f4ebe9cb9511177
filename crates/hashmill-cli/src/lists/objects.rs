//! Lists in JSON, as `hashmill sum --json` and PowerShell's `Get-FileHash | ConvertTo-Json` write
//! them.
//!
//! ```text
//! {"name":"f","size":1,"digests":{"SHA256":"ca978112ca1b..."}}
//! [ { "Algorithm": "SHA256", "Hash": "CA978112CA1B...", "Path": "C:\\f" }, … ]
//! ```

use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;
use crate::text::encoding::Encoding;
use serde_json::{Map, Value};

/// Collects objects from lines. An object may be divided between lines at any place.
#[derive(Default)]
pub struct Objects {
    object: Vec<u8>,
    depth: u32,
    in_string: bool,
    escaped: bool,
}

/// The maximal length of an object in bytes. A longer one is not the record of a file.
const MAX: usize = 1 << 20;

impl Objects {
    pub fn is(start: &[u8]) -> bool {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        match start {
            [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"')),
            [b'[', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'{')),
            _ => false,
        }
    }

    pub fn parse(&mut self, line: &[u8], meaning: &Meaning) -> Parsed {
        let mut entries = Vec::new();
        for &byte in line {
            if self.depth > 0 {
                self.object.push(byte);
            }
            if self.in_string {
                (self.in_string, self.escaped) =
                    (self.escaped || byte != b'"', byte == b'\\' && !self.escaped);
                continue;
            }
            match byte {
                b'"' if self.depth > 0 => self.in_string = true,
                b'{' => {
                    if self.depth == 0 {
                        self.object = vec![byte];
                    }
                    self.depth += 1;
                }
                b'}' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        let object = std::mem::take(&mut self.object);
                        match entry(&object, meaning) {
                            Some(entry) => entries.push(entry),
                            None => return Parsed::Improper,
                        }
                    }
                }
                b'[' | b']' | b',' | b' ' | b'\t' if self.depth == 0 => {}
                _ if self.depth == 0 => return Parsed::Improper,
                _ => {}
            }
        }
        if self.object.len() > MAX {
            *self = Objects::default();
            return Parsed::Improper;
        }
        if entries.is_empty() { Parsed::Nothing } else { Parsed::Entries(entries) }
    }

    /// Returns whether an object has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }
}

fn entry(object: &[u8], meaning: &Meaning) -> Option<Entry> {
    let object: Map<String, Value> = serde_json::from_slice(object).ok()?;
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    if let Some(digests) = object.get("digests") {
        let name = match (text("name"), text("name_base64")) {
            (Some(name), _) => name.as_bytes().to_vec(),
            (None, Some(name)) => Encoding::Base64.decode(name.as_bytes())?,
            _ => return None,
        };
        let claim = |(tag, digest): (&String, &Value)| {
            let digest = digest.as_str()?.as_bytes();
            Some(vec![meaning.tagged(tag, digest)?])
        };
        let claims: Vec<_> = digests.as_object()?.iter().map(claim).collect::<Option<_>>()?;
        let size = object.get("size").and_then(Value::as_u64);
        return (!claims.is_empty()).then(|| Entry::new(name, claims).with_size(size));
    }
    let expected = meaning.tagged(text("Algorithm")?, text("Hash")?.as_bytes())?;
    Some(expected.of_file(text("Path")?.as_bytes().to_vec()))
}
