//! Records in JSON, one object a line.

use crate::text::encoding::Encoding;
use crate::text::quote::is_directional;
use serde_json::{Map, Value};
use std::fmt::Write;

pub type Record = Map<String, Value>;

/// A record that begins with a file's name.
pub fn of_file(name: &[u8]) -> Record {
    let mut record = Record::new();
    put_name(&mut record, "name", name);
    record
}

/// A name as it is, or where it is not UTF-8, its bytes in base64 under `KEY_base64`.
pub fn put_name(record: &mut Record, key: &str, name: &[u8]) {
    let (key, value) = match str::from_utf8(name) {
        Ok(name) => (key.to_owned(), name.to_owned()),
        Err(_) => (format!("{key}_base64"), Encoding::Base64.encode(name)),
    };
    record.insert(key, value.into());
}

/// A record and a newline. What a terminal could take for a command or for another direction of
/// text is escaped, too.
pub fn line(record: Record) -> Vec<u8> {
    ended(record, '\n')
}

/// A record and what ends it.
pub fn ended(record: Record, end: char) -> Vec<u8> {
    let text = Value::Object(record).to_string();
    let mut line = escaped(&text);
    line.push(end);
    line.into_bytes()
}

/// JSON in which only printable characters stand as they are.
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
