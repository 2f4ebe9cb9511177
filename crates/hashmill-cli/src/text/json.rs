//! Records in JSON, one object a line.

use crate::text::encoding::Encoding;
use serde_json::{Map, Value};

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

pub fn line(record: Record) -> Vec<u8> {
    format!("{}\n", Value::Object(record)).into_bytes()
}
