//! Reads the files of `vectors/`, whose format the README there describes.

use super::answer::{Answer, Input, Message, Mode3, Output, Params, bytes, hex};
use hashmill::Algorithm;
use serde_json::Value;

/// One file: answers printed in standards, and computed answers.
pub struct File {
    pub standard: String,
    pub title: String,
    pub published: Vec<Value>,
    pub computed: Vec<Value>,
}

impl File {
    pub fn parse(text: &str) -> File {
        let root: Value = serde_json::from_str(text).expect("JSON");
        let string = |name: &str| root[name].as_str().expect(name).to_owned();
        let list = |name: &str| root[name].as_array().expect(name).clone();
        File {
            standard: string("standard"),
            title: string("title"),
            published: list("published"),
            computed: list("computed"),
        }
    }

    pub fn answers(&self) -> impl Iterator<Item = Answer> {
        self.published.iter().chain(&self.computed).map(answer)
    }
}

impl std::fmt::Display for File {
    /// Writes each answer on one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |answers: &[Value]| -> String {
            answers.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n")
        };
        let (standard, title) = (Value::from(&*self.standard), Value::from(&*self.title));
        writeln!(f, "{{\n\"standard\": {standard},\n\"title\": {title},")?;
        writeln!(f, "\"published\": [\n{}\n],", list(&self.published))?;
        writeln!(f, "\"computed\": [\n{}\n]\n}}", list(&self.computed))
    }
}

/// Parses one entry of a file.
pub fn answer(entry: &Value) -> Answer {
    let name = entry["algorithm"].as_str().expect("an algorithm");
    let (hmac, algorithm) = match name.strip_prefix("HMAC-") {
        Some(name) => (true, name),
        None => (false, name),
    };
    let algorithm = if algorithm == "Ascon-CXOF128" { "Ascon-XOF128" } else { algorithm };
    let extended = algorithm.strip_prefix("BLAKE2X");
    let algorithm = extended.map_or(algorithm.to_owned(), |width| format!("BLAKE2{width}"));
    let algorithm: Algorithm = algorithm.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = &entry["message"];
    let mut message = Message::from(bytes(text));
    if let Some(bits) = text["bits"].as_u64() {
        let last = hex(text["last"].as_str().expect("a last byte"));
        message = Message { bits: bits as u32, last: last[0], ..message };
    }
    let skip = entry["skip"].as_u64().unwrap_or(0) as usize;
    let output = Output { skip, ..Output::from(hex(entry["output"].as_str().expect("an output"))) };
    let input = if hmac {
        let valid = entry["valid"].as_bool().unwrap_or(true);
        Input::Hmac { key: bytes(&entry["key"]), message: message.bytes, valid }
    } else if let Some(domain) = entry["domain"].as_u64() {
        Input::Domain { domain: domain as u8, message: message.bytes }
    } else if entry["key"].is_object() {
        let key = bytes(&entry["key"]).try_into().expect("BLAKE3's key of 32 bytes");
        Input::Blake3 { mode: Mode3::Keyed(key), message: message.bytes }
    } else if entry["context"].is_object() {
        let context = String::from_utf8(bytes(&entry["context"])).expect("BLAKE3's context");
        Input::Blake3 { mode: Mode3::DeriveKey(context), message: message.bytes }
    } else if entry["customization"].is_object() {
        let customization = bytes(&entry["customization"]);
        Input::AsconCxof { customization, message: message.bytes }
    } else if extended.is_some() {
        let known = entry["params"]["output_len"].as_u64();
        let params = Params { output_len: algorithm.output_len(), ..params(&entry["params"]) };
        Input::Blake2x { params, known, message: message.bytes }
    } else if entry["params"].is_object() {
        let params = params(&entry["params"]);
        assert_ne!(params.output_len, 0, "{entry}: no output length");
        Input::Blake2 { params, message: message.bytes }
    } else {
        Input::Hash { message }
    };
    Answer { name: text.to_string(), algorithm, input, output }
}

/// Parses BLAKE2's parameters. A parameter that is left out has its default.
fn params(value: &Value) -> Params {
    let mut params = Params::new(value["output_len"].as_u64().unwrap_or_default() as usize);
    for (name, value) in value.as_object().into_iter().flatten() {
        let number = || value.as_u64().unwrap_or_else(|| panic!("{name}: {value}"));
        match name.as_str() {
            "output_len" => {}
            "key" => params.key = bytes(value),
            "salt" => params.salt = bytes(value),
            "personal" => params.personal = bytes(value),
            "fanout" => params.fanout = number() as u8,
            "max_depth" => params.max_depth = number() as u8,
            "leaf_len" => params.leaf_len = number() as u32,
            // A string of decimal digits, because in some languages JSON's numbers are exact only
            // up to 2⁵³.
            "node_offset" => {
                params.node_offset = value.as_str().expect("digits").parse().expect("a number")
            }
            "node_depth" => params.node_depth = number() as u8,
            "inner_len" => params.inner_len = number() as usize,
            "last_node" => params.last_node = value.as_bool().expect("a truth value"),
            other => panic!("parameter {other}"),
        }
    }
    params
}
