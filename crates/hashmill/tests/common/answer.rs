//! Answers: the output that an algorithm must compute for an input. They do not depend on the
//! format of their source.

use hashmill::Algorithm;
use serde_json::Value;

/// A message: whole bytes, followed by `bits` (0 to 7) bits of `last`. These are the high bits of
/// `last` for SHA-2, and the low bits for SHA-3, SHAKE and Ascon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    pub bytes: Vec<u8>,
    pub last: u8,
    pub bits: u32,
}

impl From<Vec<u8>> for Message {
    fn from(bytes: Vec<u8>) -> Message {
        Message { bytes, last: 0, bits: 0 }
    }
}

/// Published output: the bytes after the first `skip` bytes. Of the last byte only the low `bits`
/// count.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub skip: usize,
    pub bytes: Vec<u8>,
    pub bits: u32,
}

impl From<Vec<u8>> for Output {
    fn from(bytes: Vec<u8>) -> Output {
        Output { skip: 0, bytes, bits: 8 }
    }
}

impl Output {
    /// Returns how many bytes must be computed for a comparison.
    pub fn len(&self) -> usize {
        self.skip + self.bytes.len()
    }

    /// Returns whether `computed`, from its first byte, contains this output. `computed` may be
    /// longer.
    pub fn agrees(&self, computed: &[u8]) -> bool {
        let Some((last, whole)) = self.bytes.split_last() else { return true };
        let computed = computed.get(self.skip..self.len());
        let computed = computed.and_then(<[u8]>::split_last);
        computed.is_some_and(|(&l, w)| w == whole && l & (0xFF >> (8 - self.bits)) == *last)
    }
}

/// BLAKE2's parameters; the defaults are those of sequential hashing.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    pub output_len: usize,
    pub key: Vec<u8>,
    pub salt: Vec<u8>,
    pub personal: Vec<u8>,
    pub fanout: u8,
    pub max_depth: u8,
    pub leaf_len: u32,
    pub node_offset: u64,
    pub node_depth: u8,
    pub inner_len: usize,
    pub last_node: bool,
}

impl Params {
    pub fn new(output_len: usize) -> Params {
        Params {
            output_len,
            key: Vec::new(),
            salt: Vec::new(),
            personal: Vec::new(),
            fanout: 1,
            max_depth: 1,
            leaf_len: 0,
            node_offset: 0,
            node_depth: 0,
            inner_len: 0,
            last_node: false,
        }
    }
}

/// A mode of BLAKE3 other than its hash.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode3 {
    Keyed([u8; 32]),
    DeriveKey(String),
}

/// The function to be computed, and its input.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A digest, or an XOF's output.
    Hash { message: Message },
    /// TurboSHAKE with its domain byte.
    Domain { domain: u8, message: Vec<u8> },
    /// BLAKE3 with a key, or to derive a key in a context.
    Blake3 { mode: Mode3, message: Vec<u8> },
    /// BLAKE2 with parameters.
    Blake2 { params: Params, message: Vec<u8> },
    /// BLAKE2X over the algorithm, with an output of the `known` length, or of unknown length. Only
    /// the key, the salt and the personalization in `params` are used.
    Blake2x { params: Params, known: Option<u64>, message: Vec<u8> },
    /// Ascon-CXOF128. The algorithm is Ascon-XOF128.
    AsconCxof { customization: Vec<u8>, message: Vec<u8> },
    /// HMAC. If `valid`, the output is the tag or its beginning. Otherwise the output must be
    /// refused.
    Hmac { key: Vec<u8>, message: Vec<u8>, valid: bool },
}

/// One input with its output.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The answer's place in its source.
    pub name: String,
    pub algorithm: Algorithm,
    pub input: Input,
    pub output: Output,
}

/// Converts hexadecimal to bytes.
pub fn hex(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "odd number of hexadecimal digits: {digits}");
    let digit = |c: u8| (c as char).to_digit(16).expect("a hexadecimal digit") as u8;
    digits.as_bytes().chunks(2).map(|c| digit(c[0]) << 4 | digit(c[1])).collect()
}

/// Converts bytes to hexadecimal.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the pattern of RFC 9861: byte i is i mod 251.
pub fn ptn(len: usize) -> Vec<u8> {
    (0..251).cycle().take(len).collect()
}

/// Parses bytes in the form `{"hex": …}`, `{"hex": …, "repeat": n}` or `{"ptn": n}`.
pub fn bytes(value: &Value) -> Vec<u8> {
    match (value["hex"].as_str(), value["ptn"].as_u64()) {
        (Some(digits), None) => hex(digits).repeat(value["repeat"].as_u64().unwrap_or(1) as usize),
        (None, Some(len)) => ptn(len as usize),
        _ => panic!("not bytes: {value}"),
    }
}

/// Panics and shows both in hexadecimal if they differ.
#[track_caller]
pub fn same(got: &[u8], expected: &[u8], what: std::fmt::Arguments) {
    assert!(got == expected, "{what}: {}, not {}", to_hex(got), to_hex(expected));
}
