//! `blake2`: BLAKE2b, BLAKE2s, BLAKE2bp and BLAKE2sp with the options of the program of the crate
//! blake2_simd. Earlier versions of that program were called `b2sum`; see [`Unit`].

use crate::commands::parse;
use crate::files::input::names;
use crate::files::job::Jobs;
use crate::hashing::mode::{Key, Mode};
use crate::hashing::parameters::{Parameters, Text};
use crate::hashing::recipe::Recipe;
use crate::lists::make;
use crate::lists::style::{Form, Style};
use crate::terminal::console::{Console, Failure};
use crate::text::encoding::Encoding;
use crate::text::table::{Field, Options, Parser, Row, Value, options, values};
use clap::{ArgGroup, ValueHint};
use std::ffi::OsString;
use std::str::FromStr;
use zeroize::Zeroizing;

options! {
    /// Print BLAKE2 digests
    pub struct Arguments {
        /// Use BLAKE2b (the default)
        _blake2b: bool { long: "blake2b" },
        /// Use BLAKE2s
        blake2s: bool,
        /// Use BLAKE2bp
        blake2bp: bool,
        /// Use BLAKE2sp
        blake2sp: bool,
        /// Map files into memory; accepted, because no BLAKE2 function gains from it
        _mmap: bool { long: "mmap" },
        /// The length of the digests: bytes for blake2, bits for b2sum
        length: Option<usize> { short: 'l', value: "LENGTH" },
        /// The key in hexadecimal digits; other users of the system can see it
        key: Option<Bytes> { value: "HEX" },
        /// The salt in hexadecimal digits
        salt: Option<Bytes> { value: "HEX" },
        /// The personalization in hexadecimal digits
        personal: Option<Bytes> { value: "HEX" },
        /// The number of children of a node; 0 is unlimited
        fanout: Option<u8> { value: "N" },
        /// The maximal depth of the tree; 255 is unlimited
        max_depth: Option<u8> { value: "N" },
        /// The maximal number of message bytes in a leaf; 0 is unlimited
        max_leaf_length: Option<u32> { value: "BYTES" },
        /// The position of the node in its level, from 0
        node_offset: Option<u64> { value: "N" },
        /// The level of the node; 0 is a leaf
        node_depth: Option<u8> { value: "N" },
        /// The length of the digests of inner nodes, in the unit of --length
        inner_hash_length: Option<usize> { value: "INNER_HASH_LENGTH" },
        /// Hash as the last node of its level
        last_node: bool,
        /// The files; - or no file means standard input
        files: Vec<OsString> { is_operand: true, value: "FILE", hint: ValueHint::FilePath },
    }
    |command| {
        let functions = ["_blake2b", "blake2s", "blake2bp", "blake2sp"];
        command.group(ArgGroup::new("function").args(functions))
    }
}

/// The unit of lengths: bytes for `blake2`, bits for `b2sum`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Bits,
}

struct Bytes(Zeroizing<Vec<u8>>);

values!(Bytes);

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Bytes, &'static str> {
        let bytes = Encoding::Hex.decode(text.as_bytes());
        bytes.map(|it| Bytes(it.into())).ok_or("expected pairs of hexadecimal digits")
    }
}

/// Returns the table of options as a clap command named `name`.
pub fn command(name: &'static str) -> clap::Command {
    Arguments::program(name)
}

/// Returns whether the arguments of `b2sum` contain an option that GNU's program does not have and
/// that of blake2_simd has.
pub fn is_meant(args: &[OsString]) -> bool {
    let command = command("b2sum");
    let ours = command.get_arguments().filter_map(|it| it.get_long());
    let ours: Vec<&str> = ours.filter(|&it| it != "length").collect();
    let options = args.iter().take_while(|arg| *arg != "--").filter_map(|arg| arg.to_str());
    let mut names = options.filter_map(|arg| arg.strip_prefix("--")?.split('=').next());
    names.any(|name| ours.contains(&name))
}

/// Runs the program when it is called as `blake2` or `b2sum`.
pub fn main(
    console: &mut Console,
    name: &'static str,
    unit: Unit,
    args: impl Iterator<Item = OsString>,
) -> Result<bool, Failure> {
    parse::main(console, command(name), args, |console, it| run(console, it, unit))
}

pub fn run(console: &mut Console, arguments: &Arguments, unit: Unit) -> Result<bool, Failure> {
    use hashmill::Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
    let algorithm = match (arguments.blake2s, arguments.blake2bp, arguments.blake2sp) {
        (true, ..) => Blake2s,
        (_, true, _) => Blake2bp,
        (.., true) => Blake2sp,
        _ => Blake2b,
    };
    let bits = match (arguments.length, unit) {
        (None, _) => 8 * algorithm.output_len(),
        (Some(length), Unit::Bytes) => length.saturating_mul(8),
        (Some(length), Unit::Bits) => length,
    };
    let recipe = Recipe::chosen(algorithm, bits);
    let recipe = recipe.map_err(|message| console.wrong_options(message))?;
    let inner_len = match (arguments.inner_hash_length, unit) {
        (Some(length), Unit::Bits) if !length.is_multiple_of(8) => {
            return Err(console.wrong_options("--inner-hash-length is not a multiple of 8 bits"));
        }
        (Some(length), Unit::Bits) => Some(length / 8),
        (length, _) => length,
    };
    let given = |bytes: &Option<Bytes>| bytes.as_ref().map(|it| Text(it.0.to_vec()));
    let parameters = Parameters {
        salt: given(&arguments.salt),
        personal: given(&arguments.personal),
        fanout: arguments.fanout,
        max_depth: arguments.max_depth,
        leaf_length: arguments.max_leaf_length,
        node_offset: arguments.node_offset,
        node_depth: arguments.node_depth,
        inner_length: inner_len,
        last_node: arguments.last_node,
        ..Parameters::default()
    };
    let key = arguments.key.as_ref().map(|it| Key::Keyed(it.0.clone()));
    let recipe = Mode::new(key, parameters, None).apply(recipe);
    let recipe = recipe.map_err(|message| console.wrong_options(message))?;
    let style = Style::of_form(Form::Untagged { binary: false }, console.quoting());
    make::files(console, Jobs::default(), names(&arguments.files), recipe, &style)
}
