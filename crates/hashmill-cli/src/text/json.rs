//! Writes records in JSON, one object on each line.

use crate::text::encoding::Encoding;
use crate::text::quote::is_directional;
use serde_json::{Map, Value};
use std::fmt::Write;

pub type Record = Map<String, Value>;

/// Creates a record that begins with a file's name.
pub fn of_file(name: &[u8]) -> Record {
    let mut record = Record::new();
    put_name(&mut record, "name", name);
    record
}

/// Adds a name to a record. A name that is not UTF-8 is added in base64 under `KEY_base64`.
pub fn put_name(record: &mut Record, key: &str, name: &[u8]) {
    let (key, value) = match str::from_utf8(name) {
        Ok(name) => (key.to_owned(), name.to_owned()),
        Err(_) => (format!("{key}_base64"), Encoding::Base64.encode(name)),
    };
    record.insert(key, value.into());
}

/// Returns a record and a newline. Control characters and characters that change the direction of
/// text are escaped, to protect terminals.
pub fn line(record: Record) -> Vec<u8> {
    ended(record, '\n')
}

/// Returns a record followed by `end`.
pub fn ended(record: Record, end: char) -> Vec<u8> {
    let text = Value::Object(record).to_string();
    let mut line = escaped(&text);
    line.push(end);
    line.into_bytes()
}

/// Escapes control characters, and characters that change the direction of text, in JSON.
pub fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c.is_control() || is_directional(c) {
            let _ = write!(line, "\\u{:04x}", u32::from(c));
        } else {
            line.push(c);
        }
    }
    line
}
