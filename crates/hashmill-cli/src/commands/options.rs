//! The options that several subcommands share, and how they are interpreted.

use crate::files::input;
use crate::files::job::Jobs;
use crate::hashing::algorithm::AnyAlgorithm;
use crate::hashing::mode::{Key, MAX_KEY, Mode};
use crate::hashing::parameters;
use crate::hashing::recipe::Recipe;
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress::When;
use crate::text::encoding::Encoding;
use crate::text::table::{Field, Options, Parser, Row, Value, choices, options, values};
use clap::{Arg, ArgGroup, Command, ValueHint};
use std::ffi::OsString;
use std::io::{self, Read};
use std::num::NonZero;
use std::str::FromStr;
use zeroize::Zeroizing;

options! {
    /// Options for the number of threads and for the progress display.
    pub struct Work {
        /// The number of files to hash at once [default: the number of processors]
        jobs: Option<NonZero<usize>> { short: 'j', value: "N", heading: "Reading" },
        /// Accepted for scripts that use it; files are never mapped into memory
        _mmap: bool { long: "mmap", hide: true },
        /// When to show progress on standard error [default: auto, on a terminal after 1 second]
        progress: Option<When> { value: "WHEN", hide_short_help: true, heading: "Reading" },
    }
}

impl Work {
    pub fn jobs(&self) -> Jobs {
        Jobs { count: self.jobs }
    }

    /// Sets up the progress display as the command line asks.
    pub fn show_progress(&self, console: &mut Console) {
        console.show_progress(self.progress, When::Auto);
    }
}

/// The parser of `--algorithm`. It accepts any text: an algorithm's name, a name with a length
/// after it, or several of these separated by commas. `recipes` checks the text. Shell completions
/// offer the algorithms' names.
pub const ALGORITHMS: Option<Parser> = Some(Parser::Offered(names));

fn names() -> Vec<String> {
    AnyAlgorithm::all().map(|it| it.tag().to_ascii_lowercase()).collect()
}

/// Returns the recipes that the values of `--algorithm` name. Writes a message and fails if a name
/// is unknown.
pub fn recipes(console: &mut Console, names: &[String]) -> Result<Vec<Recipe>, Failure> {
    let recipe = |name: &str| {
        name.parse().map_err(|()| {
            let similar = similar(name);
            let hint = match similar.is_empty() {
                true => "'hashmill list' shows them".to_owned(),
                false => format!("did you mean {}?", similar.join(", ")),
            };
            let name = console.quote(name.as_bytes());
            console.wrong_options(format!("there is no algorithm {name}; {hint}"))
        })
    };
    names.iter().flat_map(|names| names.split(',')).map(recipe).collect()
}

/// Returns the known names that begin with `name`. If there are none, returns up to three names
/// that differ from it by at most two letters.
fn similar(name: &str) -> Vec<String> {
    let all = names();
    let given = format!("{}-", name.to_ascii_lowercase());
    let lengths: Vec<String> = all.iter().filter(|it| it.starts_with(&given)).cloned().collect();
    if !lengths.is_empty() {
        return lengths;
    }
    let letters = |name: &str| name.to_ascii_lowercase().replace(['-', '_', '/', ' '], "");
    let name = letters(name);
    let begins = |it: &&String| name.len() > 2 && letters(it).starts_with(&name);
    let longer: Vec<String> = all.iter().filter(begins).cloned().collect();
    if !longer.is_empty() {
        return longer;
    }
    let distance = |it: &String| strsim::damerau_levenshtein(&letters(it), &name);
    let mut near: Vec<(usize, String)> = all
        .into_iter()
        .map(|it| (distance(&it), it))
        .filter(|(distance, it)| *distance <= 2 && *distance < it.len() / 2)
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, it)| it).collect()
}

/// Like `recipes`, but returns SHA-256 if `names` is empty.
pub fn recipes_or_sha256(console: &mut Console, names: &[String]) -> Result<Vec<Recipe>, Failure> {
    let mut recipes = recipes(console, names)?;
    if recipes.is_empty() {
        recipes.push(Recipe::of(hashmill::Algorithm::Sha256));
    }
    Ok(recipes)
}

/// Like `recipes_or_sha256`, for a command that takes no keys.
pub fn keyless_recipes(console: &mut Console, names: &[String]) -> Result<Vec<Recipe>, Failure> {
    let mode = Mode::default();
    let recipes = recipes_or_sha256(console, names)?.into_iter().map(|recipe| mode.apply(recipe));
    recipes.collect::<Result<_, _>>().map_err(|message| console.wrong_options(message))
}

options! {
    /// The option for names of files that come from a file.
    pub struct Files0From {
        /// Take the names from FILE, where each ends with NUL; - is standard input
        files0_from: Option<OsString> {
            value: "FILE", hint: ValueHint::FilePath, heading: "Reading", conflicts: &["files"],
        },
    }
}

impl Files0From {
    pub fn is_given(&self) -> bool {
        self.files0_from.is_some()
    }

    /// Returns the names in the file of the option, or else those on the command line. If there are
    /// none, returns the current directory with `recursive`, and otherwise standard input.
    pub fn names(
        &self,
        console: &mut Console,
        files: &[OsString],
        recursive: bool,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let from = match &self.files0_from {
            None if recursive && files.is_empty() => return Ok(vec![b".".to_vec()]),
            None => return Ok(input::names(files)),
            Some(from) => from.as_encoded_bytes(),
        };
        let mut text = Vec::new();
        let read = console.open(from).and_then(|mut it| it.read_to_end(&mut text));
        read.map_err(|error| Failure::of(from, reason(&error)))?;
        let text = text.strip_suffix(b"\0").unwrap_or(&text);
        let names = text.split(|&byte| byte == 0).filter(|_| !text.is_empty());
        let names: Vec<Vec<u8>> = names.map(<[u8]>::to_vec).collect();
        if let Some(at) = names.iter().position(Vec::is_empty) {
            return Err(Failure::of(from, format!("name {} is empty", at + 1)));
        }
        if from == b"-" && names.iter().any(|name| name == b"-") {
            return Err(console.fatal("names read from standard input cannot contain -"));
        }
        Ok(names)
    }
}

options! {
    /// Options for the function: its key, its parameters, and digests of parts.
    pub struct ModeOptions {
        /// The key, and parameters of the function: hmac, keyed, key-file=FILE, salt=TEXT …
        // `expanded` replaces this option, so the parser never sees its values.
        _params: Vec<String> {
            long: "params", value: "NAME=VALUE,…", long_help: Some(params_help),
            heading: "Function",
        },
        parameters: Params,
        /// Hash the digests of parts of SIZE, as S3 does for multipart uploads: 8MiB, 5000000
        part_size: Option<Size> { value: "SIZE", heading: "Function", conflicts: &["use"] },
    }
}

options! {
    /// The options that `--params` can contain: the key, and the parameters of functions.
    struct Params {
        /// Compute HMAC, with the key of --key-file or --key-env
        hmac: bool { requires: "key", hide: true, conflicts: &["keyed"] },
        /// Compute the keyed hash that BLAKE2 has, or KMAC, with the key of --key-file or --key-env
        keyed: bool { requires: "key", hide: true },
        /// The file that contains the key and nothing else; - is standard input
        key_file: Option<OsString> { value: "FILE", requires: "use", hide: true },
        /// The environment variable that contains the key
        key_env: Option<String> { value: "NAME", requires: "use", hide: true },
        /// The encoding of the key [default: raw]; for hex and base64, blanks around it are ignored
        key_encoding: Option<KeyEncoding> { value: "ENCODING", requires: "key", hide: true },
        others: parameters::Parameters,
    }
    |command| {
        let key = ArgGroup::new("key").args(["key_file", "key_env"]);
        command.group(key).group(ArgGroup::new("use").args(["hmac", "keyed"]))
    }
}

fn parameters() -> Vec<Arg> {
    Params::add_all(Command::new("")).get_arguments().cloned().collect()
}

fn takes_value(parameter: &Arg) -> bool {
    parameter.get_action().takes_values()
}

/// Returns the text about `--params`, unless the command line shows that nobody reads it: to make
/// it takes a tenth of a start.
fn params_help() -> String {
    let reads = |arg: OsString| ["--help", "help", "self", "man"].iter().any(|it| arg == *it);
    if !std::env::args_os().any(reads) {
        return String::new();
    }
    let mut help =
        "The key, and parameters of the function, separated by commas. A backslash before \
         a comma makes it part of a value. A TEXT can also be hex: and hexadecimal digits. Each is \
         also an option of its own.\n"
            .to_owned();
    let is_rare = |it: &Arg| it.get_long().is_some_and(parameters::is_rare);
    for parameter in parameters().into_iter().filter(|it| !is_rare(it)) {
        let name = parameter.get_long().unwrap_or_default();
        let value = parameter.get_value_names().and_then(|names| names.first());
        let value = value.filter(|_| takes_value(&parameter));
        let value = value.map_or(String::new(), |value| format!("={value}"));
        let about = parameter.get_help().map(ToString::to_string).unwrap_or_default();
        help += &format!("\n- {name}{value}: {about}");
    }
    help
}

/// Replaces each `--params a=1,b` of the arguments by the options `--a=1 --b`.
///
/// # Errors
/// Returns a message if a name is not that of a parameter.
pub fn expanded(args: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut expanded = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            expanded.push(arg);
            break;
        }
        let params = match arg.to_str().and_then(|arg| arg.strip_prefix("--params")) {
            Some("") => args.next().ok_or("--params needs NAME=VALUE")?,
            Some(params) if params.starts_with('=') => params[1..].into(),
            _ => {
                expanded.push(arg);
                continue;
            }
        };
        let params = params.into_string().map_err(|_| "--params must be UTF-8")?;
        for param in separated(&params) {
            let name = param.split('=').next().unwrap_or_default();
            let all = parameters();
            if !all.iter().any(|parameter| parameter.get_long() == Some(name)) {
                let names: Vec<_> = all.iter().filter_map(Arg::get_long).collect();
                return Err(format!(
                    "--params: there is no {name:?}; there are {}",
                    names.join(", ")
                ));
            }
            expanded.push(format!("--{param}").into());
        }
    }
    expanded.extend(args);
    Ok(expanded)
}

/// Splits a text at its commas, except for those after a backslash.
fn separated(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ',' => parts.push(std::mem::take(&mut part)),
            '\\' if chars.peek() == Some(&',') => part.extend(chars.next()),
            c => part.push(c),
        }
    }
    parts.push(part);
    parts
}

choices! {
    enum KeyEncoding {
        Raw = "raw",
        Hex = "hex",
        Base64 = "base64",
    }
}

impl ModeOptions {
    pub fn mode(&self, console: &mut Console) -> Result<Mode, Failure> {
        let key = match (self.parameters.hmac, self.parameters.keyed) {
            (true, _) => Some(Key::Hmac(self.parameters.key(console)?)),
            (_, true) => Some(Key::Keyed(self.parameters.key(console)?)),
            _ => None,
        };
        Ok(Mode::new(key, self.parameters.others.clone(), self.part_size.map(|it| it.0)))
    }
}

impl Params {
    /// Reads the key from the file or the environment variable that the options name, and decodes
    /// it.
    fn key(&self, console: &mut Console) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let (shown, key) = match (&self.key_file, self.key_env.as_deref().unwrap_or_default()) {
            (Some(file), _) => {
                let name = file.as_encoded_bytes();
                let key = console.open(name).and_then(read_key);
                (console.quote_name(name), key.map_err(|error| format!(": {}", reason(&error))))
            }
            (None, name) => {
                let value = std::env::var_os(name);
                let key = value.map(|value| Zeroizing::new(value.into_encoded_bytes()));
                let key = key.ok_or_else(|| " is not set in the environment".to_owned());
                (console.quote(name.as_bytes()), key)
            }
        };
        let key = key.map_err(|message| console.fatal(format!("{shown}{message}")))?;
        let decoded = match self.key_encoding.unwrap_or(KeyEncoding::Raw) {
            KeyEncoding::Raw => Some(key),
            KeyEncoding::Hex => Encoding::Hex.decode(key.trim_ascii()).map(Zeroizing::new),
            KeyEncoding::Base64 => Encoding::Base64.decode(key.trim_ascii()).map(Zeroizing::new),
        };
        let Some(key) = decoded else {
            let message = format!("{shown}: the key is not written as --key-encoding says");
            return Err(console.fatal(message));
        };
        match key.len() {
            0 => Err(console.fatal(format!("{shown}: the key is empty"))),
            1..=MAX_KEY => Ok(key),
            _ => Err(console.fatal(format!("{shown}: the key is longer than {MAX_KEY} bytes"))),
        }
    }
}

/// Reads a key. The buffer is never reallocated, so that no copy of the key remains in freed
/// memory.
fn read_key(file: impl Read) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut key = Zeroizing::new(Vec::with_capacity(2 * MAX_KEY));
    file.take(MAX_KEY as u64 + 1).read_to_end(&mut key)?;
    Ok(key)
}

/// A number of bytes, such as `8388608`, `8192K`, `8M` or `8MiB`. These units are powers of
/// 1024; those of `8MB` are powers of 1000.
#[derive(Clone, Copy)]
pub struct Size(pub NonZero<u64>);

values!(Size);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, &'static str> {
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
        let message = "a size is a number of bytes, or a number followed by K, M, G, KiB, MB …";
        size.map(Size).ok_or(message)
    }
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
            assert_eq!(text.parse().map(|it: Size| it.0.get()), Ok(bytes), "{text}");
        }
        for text in ["", "0", "M", "-1", "8X", "8MiBs", "8iB", "1.5M", "99999999999G", "8é"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
