//! Lists in JSON, as `hashmill sum --json` and PowerShell's `Get-FileHash | ConvertTo-Json` write
//! them: objects one after the other, or arrays of objects.
//!
//! ```text
//! {"name":"f","size":1,"digests":{"SHA256":"ca978112ca1b..."}}
//! [ { "Algorithm": "SHA256", "Hash": "CA978112CA1B...", "Path": "C:\\f" }, … ]
//! ```

use crate::lists::entry::{Entry, Records};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax};
use crate::text::encoding::Encoding;
use serde_core::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Reads objects from lines. An object may be divided between lines at any place.
#[derive(Default)]
pub struct Objects {
    /// The text from the beginning of the current object.
    text: Vec<u8>,
    /// The number of lines and pieces of lines that the current object has so far.
    lines: u32,
    /// What came last in the current array: `[`, `,` or, for an object, `}`. `None` outside of
    /// arrays.
    array: Option<u8>,
    /// Whether the list was not understood and the next object has not begun. The marks between
    /// objects can then be at any place.
    lost: bool,
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
        let is_right = match (mark, self.array) {
            (b'[', None) | (b',', Some(b'}')) | (b']', Some(b'[' | b'}')) => true,
            (b'[' | b',' | b']', _) => self.lost,
            _ => return false,
        };
        self.array = Some(mark).filter(|_| mark != b']');
        is_right
    }
}

impl Syntax for Objects {
    fn reads_pieces(&self) -> bool {
        true
    }

    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        self.text.extend(line);
        self.lines += 1;
        let mut records = Vec::new();
        let mut at = 0;
        loop {
            at = self.text.len() - self.text[at..].trim_ascii_start().len();
            let rest = &self.text[at..];
            let Some(&first) = rest.first() else { break };
            let understood = match first {
                b'{' if self.array != Some(b'}') || self.lost => match object(rest) {
                    Ok(Some(len)) => {
                        records.push(entry(&rest[..len], &context.meaning));
                        at += len;
                        self.lines = 1;
                        self.lost = false;
                        self.array = self.array.map(|_| b'}');
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
        records
    }

    fn is_open(&self) -> bool {
        !self.text.is_empty() || self.array.is_some()
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

/// The names of the fields of an object and their values, as they are written. A name may occur
/// several times.
struct Fields<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields<'de>, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Fields(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl<'t> Fields<'t> {
    fn of(object: &'t str) -> Option<Fields<'t>> {
        serde_json::from_str(object).ok()
    }

    /// Returns the value of a field. `Some(None)` is a field that is not there or null, and `None` one
    /// of another type, or that occurs twice.
    fn value<T: DeserializeOwned>(&self, name: &str) -> Option<Option<T>> {
        let mut values = self.0.iter().filter(|(it, _)| it == name);
        match (values.next(), values.next()) {
            (None, _) => Some(None),
            (Some((_, value)), None) => serde_json::from_str(value.get()).ok(),
            _ => None,
        }
    }
}

/// Returns the record of a file, as this program or PowerShell writes it.
fn entry(object: &[u8], meaning: &Meaning) -> Option<Entry> {
    let record = Fields::of(str::from_utf8(object).ok()?)?;
    let text = |name| record.value::<String>(name);
    let (name, name_base64) = (text("name")?, text("name_base64")?);
    let (algorithm, hash, path) = (text("Algorithm")?, text("Hash")?, text("Path")?);
    let size = record.value("size")?;
    let Some(digests) = record.value::<Box<RawValue>>("digests")? else {
        let expected = meaning.tagged(&algorithm?, hash?.as_bytes())?;
        return Some(expected.of_file(path?.into_bytes()));
    };
    let name = match name {
        Some(name) => name.into_bytes(),
        None => Encoding::Base64.decode(name_base64?.as_bytes())?,
    };
    let claim = |(tag, digest): &(String, &RawValue)| {
        let digest: String = serde_json::from_str(digest.get()).ok()?;
        Some(vec![meaning.tagged(tag, digest.as_bytes())?])
    };
    let claims: Vec<_> = Fields::of(digests.get())?.0.iter().map(claim).collect::<Option<_>>()?;
    (!claims.is_empty()).then(|| Entry { size, ..Entry::new(name, claims) })
}
