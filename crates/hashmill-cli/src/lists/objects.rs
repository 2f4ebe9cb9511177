//! Lists in JSON, as `hashmill sum --json` and PowerShell's `Get-FileHash | ConvertTo-Json` write
//! them: objects one after the other, or arrays of objects.
//!
//! ```text
//! {"name":"f","size":1,"digests":{"SHA256":"ca978112ca1b..."}}
//! [ { "Algorithm": "SHA256", "Hash": "CA978112CA1B...", "Path": "C:\\f" }, … ]
//! ```

use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax};
use crate::text::encoding::Encoding;
use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Reads objects from lines. An object may be divided between lines at any place.
#[derive(Default)]
pub struct Objects {
    /// The text from the beginning of the current object.
    text: Vec<u8>,
    /// The number of lines and pieces of lines that the current object has so far.
    lines: u32,
    /// Where the list is, between two objects.
    place: Place,
    /// Whether the list was not understood and the next object has not begun. The marks between
    /// objects can then be at any place.
    lost: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// After the beginning of an array, where it may also end.
    Begun,
    /// After a comma in an array.
    Comma,
    /// After an object in an array.
    Object,
}

/// The maximal length of an object in bytes. A longer one is not the record of a file.
const MAX: usize = 1 << 20;

/// The maximal number of lines of an object, which is parsed again with each of its lines.
const MAX_LINES: u32 = 256;

impl Objects {
    pub fn is(start: &[u8]) -> bool {
        match start.trim_ascii_start() {
            [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"')),
            [b'[', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'{')),
            _ => false,
        }
    }

    /// Takes a mark between objects. Returns whether it may be here.
    fn mark(&mut self, mark: u8) -> bool {
        let (right, after) = match mark {
            b'[' => (self.place == Place::Outside, Place::Begun),
            b',' => (self.place == Place::Object, Place::Comma),
            b']' => (matches!(self.place, Place::Begun | Place::Object), Place::Outside),
            _ => return false,
        };
        self.place = after;
        right || self.lost
    }
}

impl Syntax for Objects {
    fn reads_pieces(&self) -> bool {
        true
    }

    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        self.text.extend(line);
        self.lines += 1;
        let mut records = Vec::new();
        let mut at = 0;
        loop {
            at = self.text.len() - self.text[at..].trim_ascii_start().len();
            let rest = &self.text[at..];
            let Some(&first) = rest.first() else { break };
            let understood = match first {
                b'{' if self.place != Place::Object || self.lost => match object(rest) {
                    Ok(Some(len)) => {
                        records.push(entry(&rest[..len], &context.meaning));
                        at += len;
                        self.lines = 1;
                        self.lost = false;
                        if self.place != Place::Outside {
                            self.place = Place::Object;
                        }
                        continue;
                    }
                    Ok(None) if rest.len() <= MAX && self.lines <= MAX_LINES => break,
                    _ => false,
                },
                mark => self.mark(mark),
            };
            at += 1;
            if !understood {
                // The rest of the line is skipped. An object can begin and an array can end in the
                // next one.
                records.push(None);
                self.lost = true;
                at = self.text.len();
            }
        }
        self.text.drain(..at);
        if self.text.is_empty() {
            self.lines = 0;
        }
        if records.is_empty() { Parsed::Comment } else { Parsed::Records(records) }
    }

    fn is_open(&self) -> bool {
        !self.text.is_empty() || self.place != Place::Outside
    }
}

/// Returns the length of the JSON object that `text` begins with, or `None` if the text ends before
/// the object does.
fn object(text: &[u8]) -> Result<Option<usize>, serde_json::Error> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(Some(values.byte_offset())),
        Some(Err(error)) if !error.is_eof() => Err(error),
        _ => Ok(None),
    }
}

/// The record of a file, as this program or PowerShell writes it. A field that occurs twice is an
/// error.
#[derive(Deserialize)]
struct Record {
    name: Option<String>,
    name_base64: Option<String>,
    size: Option<u64>,
    digests: Option<Digests>,
    #[serde(rename = "Algorithm")]
    algorithm: Option<String>,
    #[serde(rename = "Hash")]
    hash: Option<String>,
    #[serde(rename = "Path")]
    path: Option<String>,
}

/// The tags and texts of all digests, also if a tag occurs twice.
struct Digests(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Digests {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Digests, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Digests;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object with a digest for each algorithm")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Digests, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Digests(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

fn entry(object: &[u8], meaning: &Meaning) -> Option<Entry> {
    let record: Record = serde_json::from_slice(object).ok()?;
    if let Some(Digests(digests)) = record.digests {
        let name = match (record.name, record.name_base64) {
            (Some(name), _) => name.into_bytes(),
            (None, Some(name)) => Encoding::Base64.decode(name.as_bytes())?,
            _ => return None,
        };
        let claim =
            |(tag, digest): &(String, String)| Some(vec![meaning.tagged(tag, digest.as_bytes())?]);
        let claims: Vec<_> = digests.iter().map(claim).collect::<Option<_>>()?;
        return (!claims.is_empty()).then(|| Entry::new(name, claims).with_size(record.size));
    }
    let expected = meaning.tagged(&record.algorithm?, record.hash?.as_bytes())?;
    Some(expected.of_file(record.path?.into_bytes()))
}
