//! `hashmill sum`: writes digests of files. Each file is read once, for any number of algorithms.

use crate::commands::guess;
use crate::commands::options::{ALGORITHMS, Files0From, ModeOptions, Work, recipes_or_sha256};
use crate::files::input::os_name;
use crate::files::walk::{Found, Rules, sizes};
use crate::hashing::algorithm::Foreign;
use crate::hashing::recipe::{Recipe, forget_stack};
use crate::lists::beside::Destination;
use crate::lists::make;
use crate::lists::style::{Form, Style};
use crate::lists::template::Template;
use crate::manifest::fresh::{Access, Fresh};
use crate::signature::sign::{self, Key};
use crate::terminal::console::{Console, Failure};
use crate::text::encoding::Encoding;
use crate::text::table::{Field, Options, Row, options};
use clap::ValueHint;
use std::ffi::OsString;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

options! {
    /// Write digests of files
    pub struct Arguments {
        /// The algorithm, or several [default: sha256]; 'hashmill list' shows them
        algorithm: Vec<String> { short: 'a', value: "ALGORITHM", parser: ALGORITHMS },
        /// The length of the digests, for BLAKE2, BLAKE2X, BLAKE3, SHAKE, KMAC and other functions
        /// with outputs of any length
        length: Option<usize> { short: 'l', value: "BITS" },
        /// Write lines that name the algorithm (the default with several algorithms)
        tag: bool { overrides: &["untagged"], heading: "Output" },
        /// Write lines that do not name the algorithm (the default with one)
        untagged: bool { overrides: &["tag"], heading: "Output" },
        /// Write digests in base64
        base64: bool { heading: "Output" },
        /// Write this text for each file; its fields are described below
        format: Option<String> {
            value: "TEMPLATE", heading: "Output",
            conflicts: &["tag", "untagged", "base64", "json", "zero"],
        },
        /// Write a JSON object for each file: its name, size and digests
        json: bool { heading: "Output" },
        /// End lines and objects with NUL and escape no file names
        zero: bool { short: 'z', heading: "Output" },
        /// Write the list to FILE instead of standard output; an existing file is not replaced
        output: Option<PathBuf> {
            short: 'o', value: "FILE", hint: ValueHint::FilePath, heading: "Output",
        },
        /// Sign the list: with gpg (gpg or gpg:KEY), or with minisign (minisign:FILE, a secret key)
        sign_with: Option<Key> { value: "KEY", requires: "output", heading: "Output" },
        /// Write each digest to a file beside the hashed one, as Maven and HashCheck do:
        /// FILE.sha256. An existing file is not replaced
        write_sidecars: bool { hide_short_help: true, heading: "Output", conflicts: &LINES },
        /// Store the SHA-256 and the modification time in extended attributes of each file, as
        /// shatag and cshatag do; 'hashmill check --xattrs' reads them
        write_xattrs: bool {
            hide_short_help: true, heading: "Output", conflicts: &LINES_OR_SIDECARS,
        },
        /// Lists are checked by 'hashmill check'
        check: bool { short: 'c', hide: true },
        work: Work,
        from: Files0From,
        /// Hash all files below directories, in the order of their names
        recursive: bool { short: 'r', heading: "Reading" },
        /// The files; - or no file means standard input, or the current directory with -r
        files: Vec<OsString> { is_operand: true, value: "FILE", hint: ValueHint::FilePath },
        tree: Rules,
        mode: ModeOptions,
    }
    |command| command.after_help(EXAMPLES).after_long_help(AFTER_HELP)
}

/// The options for lines.
const LINES: [&str; 7] = ["tag", "untagged", "base64", "format", "json", "zero", "output"];
const LINES_OR_SIDECARS: [&str; 8] =
    ["tag", "untagged", "base64", "format", "json", "zero", "output", "write_sidecars"];

/// The end of the short help.
const EXAMPLES: &str = "\
Examples:
  hashmill sum file                      # SHA-256
  hashmill sum -a sha512,sha3-256 *.iso  # in one reading
  hashmill sum --params hmac,key-file=key file

All options: hashmill sum --help";

const AFTER_HELP: &str = "\
Examples:
  hashmill sum file                      # SHA-256
  hashmill sum -a sha512,sha3-256 *.iso  # in one reading
  hashmill sum -a blake2b-160 file       # or: -l 160
  hashmill sum -a blake3 disk.img        # on all cores
  tar c dir | hashmill sum -a shake128-512
  hashmill sum --json -a sha256,md5 file
  hashmill sum --params hmac,key-file=key file
  hashmill sum -a blake2b --params salt=hex:00ff file
  hashmill sum -a md5 --part-size 8MiB file  # S3's ETag
  hashmill sum -o SHA256SUMS --sign-with gpg *.tar.gz
  hashmill sum --format '{sha256:sri} {name}\\n' *.js
  hashmill sum --write-sidecars *.jar    # a.jar.sha256
  hashmill sum -r --write-xattrs photos

A template can contain {name}, {name:json}, {size}, and {ALGORITHM} or {ALGORITHM:LOOK}, where \
LOOK is hex, HEX, base64, base64url, base32, nix32, decimal, sri or multihash; \\n, \\t, \\0, \
\\\\, {{ and }}. No newline is added. An output file that lies below a directory of -r is \
skipped.";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    if arguments.check {
        let message = "lists are checked by another command: hashmill check LIST";
        return Err(console.wrong_options(message));
    }
    let Some(output) = &arguments.output else { return write(console, arguments) };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::new(output, "the file exists, and is left as it was")
        }
        _ => Failure::with(output)(error),
    };
    // The file gets its name when it is complete.
    let fresh = Fresh::create(output, &Access::Usual).map_err(failed)?;
    console.redirect(fresh.file.try_clone().map_err(failed)?)?;
    let well = write(console, arguments)?;
    console.flush()?;
    fresh.publish(output).map_err(failed)?;
    sign::sign(arguments.sign_with.as_ref(), output, output, "list")?;
    Ok(well)
}

/// Writes the digests of the files. Returns whether all files could be read.
fn write(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let mut recipes = match (&arguments.format, &*arguments.algorithm) {
        (Some(_), []) => Vec::new(),
        (_, names) => recipes_or_sha256(console, names)?,
    };
    let template = arguments.format.as_ref().map(|text| Template::new(text, &mut recipes));
    let template = template.transpose().map_err(|message| console.wrong_options(message))?;
    if recipes.is_empty() {
        // The template contains no digest. The sizes still come from reading the files, so a cheap
        // algorithm is added.
        recipes.push(Recipe::of(Foreign::Crc32b));
    }
    if let Some(bits) = arguments.length {
        for recipe in &mut recipes {
            let chosen = Recipe::chosen(recipe.algorithm(), bits);
            *recipe = chosen.map_err(|message| console.wrong_options(message))?;
        }
    }
    let recipes = applied(console, arguments, recipes)?;
    forget_stack();
    if arguments.write_xattrs && recipes != [Recipe::of(hashmill::Algorithm::Sha256)] {
        return Err(console.wrong_options("--write-xattrs stores SHA-256 and nothing else"));
    }
    let tagged = match (arguments.tag, arguments.untagged) {
        (false, false) => recipes.len() > 1,
        (tagged, _) => tagged,
    };
    let form = if tagged { Form::Tagged } else { Form::Untagged { binary: false } };
    let style = Style {
        encoding: arguments.base64.then_some(Encoding::Base64),
        zero: arguments.zero,
        json: arguments.json,
        legacy: !arguments.tag && !arguments.untagged && !arguments.base64,
        template,
        named: !arguments.files.is_empty() || arguments.from.is_given(),
        ..Style::of_form(form, console.quoting())
    };
    let destination = match (arguments.write_sidecars, arguments.write_xattrs) {
        (false, false) => Destination::Output,
        (true, _) => Destination::Sidecars,
        (_, true) => Destination::Attributes,
    };
    arguments.work.show_progress(console);
    let jobs = arguments.work.jobs();
    let names = arguments.from.names(console, &arguments.files, arguments.recursive)?;
    if destination != Destination::Output && names.iter().any(|name| name == b"-") {
        return Err(console.wrong_options("standard input has no place beside it: name a file"));
    }
    let rules = arguments.recursive.then_some(&arguments.tree);
    if let Some(rules) = rules {
        rules.walk(Path::new(".")).map_err(|message| console.wrong_options(message))?;
    } else if arguments.files.is_empty() && !arguments.from.is_given() {
        guess::before_stdin(console, "hashmill sum FILE");
    }
    let found = |names: Vec<Vec<u8>>| {
        let rules = rules.cloned();
        names.into_iter().flat_map(move |name| below(rules.as_ref(), name))
    };
    let (expected, stdin) = (found(names.clone()), console.stdin_length());
    console.progress.expect(move || sizes(expected, stdin));
    let mut all = found(names.clone());
    let well = make::write(console, jobs, &mut all, &recipes, &style, destination)?;
    if !well && rules.is_none() {
        guess::after_sum(console, &names);
    }
    Ok(well)
}

/// Returns the recipes with the key and the parameters of the options applied. The key itself is
/// dropped on return, because the recipes contain the states derived from it. The function is not
/// inlined, so that its copies of the key are on the part of the stack that `forget_stack`
/// overwrites.
#[inline(never)]
fn applied(
    console: &mut Console,
    arguments: &Arguments,
    recipes: Vec<Recipe>,
) -> Result<Vec<Recipe>, Failure> {
    let mode = arguments.mode.mode(console)?;
    let apply = |recipe| mode.apply(recipe).map_err(|message| console.wrong_options(message));
    recipes.into_iter().map(apply).collect()
}

/// Returns the files below the directory `name` that fit the rules. Returns only `name` if there are
/// no rules, or if it is `-` or not a directory.
fn below(rules: Option<&Rules>, name: Vec<u8>) -> Box<dyn Iterator<Item = Found> + Send> {
    let path = PathBuf::from(os_name(&name));
    match rules.filter(|_| name != b"-" && path.is_dir()).map(|rules| rules.walk(&path)) {
        None => Box::new(iter::once(Found::Named(name))),
        Some(Ok(walk)) => Box::new(walk),
        Some(Err(message)) => Box::new(iter::once(Found::Error(name, message))),
    }
}
