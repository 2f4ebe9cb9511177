//! Reads the published files of answers in `shared/vectors`, a folder beside the workspace.

use super::answer::Message;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// Returns the text of a file of `shared/vectors`, or `None` if the file does not exist.
pub fn shared(path: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(path);
    path.exists().then(|| read(&path))
}

/// Returns the text of a file, unpacked if its name ends in `.gz`.
pub fn read(path: &Path) -> String {
    let packed = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    let read = match path.extension().is_some_and(|extension| extension == "gz") {
        true => flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text),
        false => (&packed[..]).read_to_string(&mut text),
    };
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

pub fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}")) as usize
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

/// Where a source stores the bits of a partial last byte.
#[derive(Clone, Copy)]
pub enum LastByte {
    /// In the positions that `finalize_bits` expects.
    AsIs,
    /// In the high positions, although the standard counts from the low end.
    Shifted,
}

/// Returns the first `len` bits of `bytes`.
pub fn first_bits(bytes: &[u8], len: usize, last: LastByte) -> Message {
    let (whole, bits) = (len / 8, (len % 8) as u32);
    let last = match (bits, last) {
        (0, _) => 0,
        (_, LastByte::AsIs) => bytes[whole],
        (_, LastByte::Shifted) => bytes[whole] >> (8 - bits),
    };
    Message { bytes: bytes[..whole].to_vec(), last, bits }
}
