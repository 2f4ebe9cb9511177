//! How digests are made where a plain one is not wanted: with a key, with BLAKE2's parameters, of parts.

use crate::commands::misuse;
use crate::console::{Console, Failure, reason};
use crate::digest::{Algorithm, Digest, State};
use crate::encoding::Encoding;
use crate::input;
use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use hashmill::{AnyHasher, LastNode, blake2b, blake2bp, blake2s, blake2sp};
use std::ffi::OsString;
use std::io::{self, Read};
use std::num::NonZero;
use zeroize::Zeroizing;

#[derive(Default)]
pub struct Mode {
    key: Option<Key>,
    blake2: Blake2,
    /// Digests are of the digests of parts of so many bytes.
    part_len: Option<NonZero<u64>>,
}

enum Key {
    Hmac(Zeroizing<Vec<u8>>),
    Keyed(Zeroizing<Vec<u8>>),
}

/// The parameters of the BLAKE2 paper §2.5 and §2.10 that were given.
#[derive(Default, PartialEq, Eq)]
struct Blake2 {
    salt: Option<Vec<u8>>,
    personal: Option<Vec<u8>>,
    tree: Tree,
}

#[derive(Default, PartialEq, Eq)]
struct Tree {
    fanout: Option<u8>,
    max_depth: Option<u8>,
    leaf_len: Option<u32>,
    node_offset: Option<u64>,
    node_depth: Option<u8>,
    inner_len: Option<usize>,
    last_node: bool,
}

/// A longer key is a mistake.
const MAX_KEY: usize = 64 << 10;

/// The options that a mode is made from.
pub fn options(command: Command) -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(clap::ArgAction::SetTrue)
    };
    command
        .next_help_heading("Keys")
        .arg(switch("hmac", "HMAC, with a key of --key-file or --key-env").requires("key").conflicts_with("keyed"))
        .arg(switch("keyed", "BLAKE2 with a key, likewise").requires("key"))
        .arg(
            option("key-file", "FILE", "The key is what the file holds, all of it; - is standard input")
                .value_parser(value_parser!(OsString))
                .requires("use"),
        )
        .arg(
            option("key-env", "NAME", "The key is what the environment variable holds").requires("use"),
        )
        .arg(
            option("key-encoding", "ENCODING", "What the key is written in; blanks around the last two do not count")
                .value_parser(["raw", "hex", "base64"])
                .default_value("raw")
                .requires("key"),
        )
        .group(ArgGroup::new("key").args(["key-file", "key-env"]))
        .group(ArgGroup::new("use").args(["hmac", "keyed"]))
        .next_help_heading("BLAKE2's parameters")
        .arg(option("salt", "TEXT", "The salt, or hex: and its digits"))
        .arg(option("personal", "TEXT", "The personalization, or hex: and its digits"))
        .arg(option("fanout", "N", "How many children a node has; 0 is any number").value_parser(value_parser!(u8)))
        .arg(option("max-depth", "N", "The depth of the tree; 255 is any").value_parser(value_parser!(u8).range(1..)))
        .arg(option("leaf-length", "BYTES", "How much a leaf takes; 0 is all").value_parser(value_parser!(u32)))
        .arg(option("node-offset", "N", "Which node of its level it is").value_parser(value_parser!(u64)))
        .arg(option("node-depth", "N", "The level of the node; 0 is a leaf").value_parser(value_parser!(u8)))
        .arg(option("inner-length", "BYTES", "How much inner nodes hand on").value_parser(value_parser!(usize)))
        .arg(switch("last-node", "It is the last node of its level"))
        .next_help_heading("Object stores")
        .arg(
            option("part-size", "SIZE", "Digests of the digests of parts of SIZE, as of S3's multipart uploads: 8MiB, 5000000")
                .value_parser(size)
                .conflicts_with("use"),
        )
}

impl Mode {
    pub fn of(console: &mut Console, matches: &ArgMatches) -> Result<Mode, Failure> {
        let mut text = |name: &str| match matches.get_one::<String>(name).map(|it| bytes(it)) {
            Some(None) => Err(misuse(
                console,
                format!("--{name}: after hex: come pairs of hexadecimal digits"),
            )),
            given => Ok(given.flatten()),
        };
        let (salt, personal) = (text("salt")?, text("personal")?);
        let key = match (matches.get_flag("hmac"), matches.get_flag("keyed")) {
            (true, _) => Some(Key::Hmac(key(console, matches)?)),
            (_, true) => Some(Key::Keyed(key(console, matches)?)),
            _ => None,
        };
        Ok(Mode {
            key,
            blake2: Blake2 {
                salt,
                personal,
                tree: Tree {
                    fanout: matches.get_one("fanout").copied(),
                    max_depth: matches.get_one("max-depth").copied(),
                    leaf_len: matches.get_one("leaf-length").copied(),
                    node_offset: matches.get_one("node-offset").copied(),
                    node_depth: matches.get_one("node-depth").copied(),
                    inner_len: matches.get_one("inner-length").copied(),
                    last_node: matches.get_flag("last-node"),
                },
            },
            part_len: matches.get_one("part-size").copied(),
        })
    }

    pub fn is_hmac(&self) -> bool {
        matches!(self.key, Some(Key::Hmac(_)))
    }

    pub fn has_parts(&self) -> bool {
        self.part_len.is_some()
    }

    /// The digest made in this way; an error says why it cannot be.
    pub fn apply(&self, digest: Digest) -> Result<Digest, String> {
        if let Some(part_len) = self.part_len {
            return Ok(digest.of_parts(part_len));
        }
        let algorithm = digest.algorithm();
        match &self.key {
            Some(Key::Hmac(key)) => {
                if self.blake2 != Blake2::default() {
                    return Err("HMAC has no parameters of BLAKE2".to_owned());
                }
                let Algorithm::Ours(ours) = algorithm else {
                    return Err(format!("there is no HMAC with {algorithm} here"));
                };
                if digest.len() != ours.output_len() {
                    return Err("HMAC takes the whole digest: no length goes with it".to_owned());
                }
                let hmac = ours.hmac(key).map_err(|error| format!("{algorithm}: {error}"))?;
                Ok(digest.prepared("HMAC-", State::Hmac(Box::new(hmac))))
            }
            None if self.blake2 == Blake2::default() => Ok(digest),
            None => self.blake2(digest, &[]),
            Some(Key::Keyed(key)) => self.blake2(digest, key),
        }
    }

    fn blake2(&self, digest: Digest, key: &[u8]) -> Result<Digest, String> {
        use hashmill::Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        let Blake2 { salt, personal, tree } = &self.blake2;
        let (salt, personal) =
            (salt.as_deref().unwrap_or_default(), personal.as_deref().unwrap_or_default());
        macro_rules! params {
            ($module:ident) => {
                $module::Params::new()
                    .output_len(digest.len())
                    .key(key)
                    .salt(salt)
                    .personal(personal)
            };
        }
        macro_rules! sequential {
            ($module:ident) => {{
                let mut params = params!($module);
                if let Some(fanout) = tree.fanout {
                    params = params.fanout(fanout);
                }
                if let Some(depth) = tree.max_depth {
                    params = params.max_depth(depth);
                }
                if let Some(len) = tree.leaf_len {
                    params = params.leaf_len(len);
                }
                if let Some(offset) = tree.node_offset {
                    params = params.node_offset(offset);
                }
                if let Some(depth) = tree.node_depth {
                    params = params.node_depth(depth);
                }
                if let Some(len) = tree.inner_len {
                    params = params.inner_len(len);
                }
                if tree.last_node {
                    params = params.last_node(LastNode::Yes);
                }
                params.build().map(AnyHasher::from)
            }};
        }
        let algorithm = digest.algorithm();
        let built = match algorithm {
            Algorithm::Ours(Blake2b) => sequential!(blake2b),
            Algorithm::Ours(Blake2s) => sequential!(blake2s),
            Algorithm::Ours(Blake2bp | Blake2sp) if *tree != Tree::default() => {
                return Err(format!(
                    "{algorithm} is a tree already: it takes a key, a salt and a personalization"
                ));
            }
            Algorithm::Ours(Blake2bp) => params!(blake2bp).build().map(AnyHasher::from),
            Algorithm::Ours(Blake2sp) => params!(blake2sp).build().map(AnyHasher::from),
            _ if key.is_empty() => {
                return Err(format!("{algorithm} has no parameters; BLAKE2 has"));
            }
            _ => return Err(format!("{algorithm} takes no key of its own: use --hmac")),
        };
        let state = built.map_err(|error| format!("{algorithm}: {error}"))?;
        Ok(digest.prepared("", State::Ours(Box::new(state))))
    }
}

/// The key that the options name.
fn key(console: &mut Console, matches: &ArgMatches) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (shown, key) = match matches.get_one::<OsString>("key-file") {
        Some(file) => {
            let name = file.as_encoded_bytes();
            let shown = console.quote_name(name);
            match input::open(console, name).and_then(read_key) {
                Ok(key) => (shown, key),
                Err(error) => return Err(console.fatal(format!("{shown}: {}", reason(&error)))),
            }
        }
        None => {
            let name = matches.get_one::<String>("key-env").expect("clap requires one of the two");
            let shown = console.quote(name.as_bytes());
            match std::env::var_os(name) {
                Some(value) => (shown, Zeroizing::new(value.into_encoded_bytes())),
                None => {
                    return Err(console.fatal(format!("{shown} is not set in the environment")));
                }
            }
        }
    };
    let encoding = match matches.get_one::<String>("key-encoding").map(String::as_str) {
        Some("hex") => Some(Encoding::Hex),
        Some("base64") => Some(Encoding::Base64),
        _ => None,
    };
    let key = match encoding.map(|encoding| encoding.decode(key.trim_ascii())) {
        None => key,
        Some(Some(decoded)) => Zeroizing::new(decoded),
        Some(None) => {
            let message = format!("{shown}: the key is not written as --key-encoding says");
            return Err(console.fatal(message));
        }
    };
    match key.len() {
        0 => Err(console.fatal(format!("{shown}: the key is empty"))),
        1..=MAX_KEY => Ok(key),
        _ => Err(console.fatal(format!("{shown}: the key is longer than {MAX_KEY} bytes"))),
    }
}

/// Reads into a buffer that never moves, so that no copy is left behind.
fn read_key(file: impl Read) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut key = Zeroizing::new(Vec::with_capacity(2 * MAX_KEY));
    file.take(MAX_KEY as u64 + 1).read_to_end(&mut key)?;
    Ok(key)
}

/// A text, or after `hex:` bytes.
fn bytes(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix("hex:") {
        Some(digits) => Encoding::Hex.decode(digits.as_bytes()),
        None => Some(text.as_bytes().to_vec()),
    }
}

/// A number of bytes: `8388608`, `8192K`, `8M`, `8MiB`; `8MB` is a power of ten.
fn size(text: &str) -> Result<NonZero<u64>, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.trim_start().to_ascii_lowercase();
    let (letter, rest) = unit.split_at(unit.chars().next().map_or(0, char::len_utf8));
    let power = match letter {
        "" | "b" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        _ => u32::MAX,
    };
    let base: u64 = match rest {
        "" | "ib" => 1024,
        "b" => 1000,
        _ => 0,
    };
    let size = digits.parse::<u64>().ok().zip(base.checked_pow(power.min(63)));
    let size = size.and_then(|(number, unit)| number.checked_mul(unit)).and_then(NonZero::new);
    size.ok_or_else(|| "a size is a number of bytes, or with K, M, G, KiB, MB …".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1", 1),
            ("8388608", 8 << 20),
            ("8M", 8 << 20),
            ("8MiB", 8 << 20),
            ("8 mib", 8 << 20),
            ("16k", 16 << 10),
            ("5MB", 5_000_000),
            ("1G", 1 << 30),
            ("7b", 7),
        ] {
            assert_eq!(size(text).map(NonZero::get), Ok(bytes), "{text}");
        }
        for text in ["", "0", "M", "-1", "8X", "8MiBs", "8iB", "1.5M", "99999999999G", "8é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
