//! `blake2`: BLAKE2b, BLAKE2s, BLAKE2bp and BLAKE2sp with the options of the program of the crate
//! blake2_simd. Earlier versions of that program were called `b2sum`; see [`Unit`].

use crate::commands::parse::parse;
use crate::files::input::names;
use crate::files::job::Jobs;
use crate::files::walk::Found;
use crate::hashing::mode::{Key, Mode};
use crate::hashing::parameters::{Parameters, Text};
use crate::hashing::recipe::Recipe;
use crate::lists::make;
use crate::lists::style::{Form, Style};
use crate::terminal::console::{Console, Failure};
use crate::text::encoding::Encoding;
use clap::{ArgGroup, Args, ValueHint};
use std::ffi::OsString;
use zeroize::Zeroizing;

/// Print BLAKE2 digests
#[derive(Args)]
#[command(group = ArgGroup::new("function").args(["blake2b", "blake2s", "blake2bp", "blake2sp"]))]
pub struct Arguments {
    /// Use BLAKE2b (the default)
    #[arg(long)]
    blake2b: bool,
    /// Use BLAKE2s
    #[arg(long)]
    blake2s: bool,
    /// Use BLAKE2bp
    #[arg(long)]
    blake2bp: bool,
    /// Use BLAKE2sp
    #[arg(long)]
    blake2sp: bool,
    /// Map files into memory; accepted, because no BLAKE2 function gains from it
    #[arg(long)]
    mmap: bool,
    /// The length of the digests: bytes for blake2, bits for b2sum
    #[arg(long, short)]
    length: Option<usize>,
    /// The key in hexadecimal digits; other users of the system can see it
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    key: Option<Bytes>,
    /// The salt in hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    salt: Option<Bytes>,
    /// The personalization in hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    personal: Option<Bytes>,
    /// The number of children of a node; 0 is unlimited
    #[arg(long, value_name = "N")]
    fanout: Option<u8>,
    /// The maximal depth of the tree; 255 is unlimited
    #[arg(long, value_name = "N")]
    max_depth: Option<u8>,
    /// The maximal number of message bytes in a leaf; 0 is unlimited
    #[arg(long, value_name = "BYTES")]
    max_leaf_length: Option<u32>,
    /// The position of the node in its level, from 0
    #[arg(long, value_name = "N")]
    node_offset: Option<u64>,
    /// The level of the node; 0 is a leaf
    #[arg(long, value_name = "N")]
    node_depth: Option<u8>,
    /// The length of the digests of inner nodes, in the unit of --length
    #[arg(long)]
    inner_hash_length: Option<usize>,
    /// Hash as the last node of its level
    #[arg(long)]
    last_node: bool,
    /// The files; - or no file means standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<OsString>,
}

/// The unit of lengths: bytes for `blake2`, bits for `b2sum`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Bits,
}

#[derive(Clone)]
struct Bytes(Zeroizing<Vec<u8>>);

fn bytes(text: &str) -> Result<Bytes, String> {
    let bytes = Encoding::Hex.decode(text.as_bytes());
    bytes
        .map(|it| Bytes(it.into()))
        .ok_or_else(|| "expected pairs of hexadecimal digits".to_owned())
}

/// Returns the table of options as a clap command named `name`.
pub fn command(name: &'static str) -> clap::Command {
    Arguments::augment_args(clap::Command::new(name).version(env!("CARGO_PKG_VERSION")))
        .args_override_self(true)
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
    match parse(console, command(name), args)? {
        Some(arguments) => run(console, &arguments, unit),
        None => Ok(true),
    }
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
    let Some(recipe) = Recipe::with_bits(algorithm, bits) else {
        let message = format!("{algorithm} cannot make a digest of {bits} bits");
        return Err(console.wrong_options(message));
    };
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
    let files = names(&arguments.files).into_iter().map(Found::Named);
    make::files(console, Jobs::default(), files, &[recipe], &style)
}
