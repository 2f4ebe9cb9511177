//! `hashmill sum`: digests of files, any number of algorithms in one reading.

use crate::commands::options::{
    AlgorithmNames, ModeOptions, TreeRules, Work, names, recipes_or_sha256,
};
use crate::files::input::os_name;
use crate::files::walk::{Found, Rules};
use crate::hashing::recipe::Recipe;
use crate::lists::make;
use crate::lists::style::{Form, Style};
use crate::terminal::console::{Console, Failure};
use crate::terminal::progress;
use crate::text::encoding::Encoding;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::iter;
use std::path::{Path, PathBuf};

/// Write digests of files
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// An algorithm, or several [default: sha256]; 'hashmill list' shows them
    #[arg(long, short, value_name = "ALGORITHM", value_parser = AlgorithmNames, hide_possible_values = true)]
    algorithm: Vec<String>,
    /// The digests' length, for BLAKE2, SHAKE and TurboSHAKE
    #[arg(long, short, value_name = "BITS")]
    length: Option<usize>,
    /// Write lines that name the algorithm (default with several)
    #[arg(long, overrides_with = "untagged")]
    tag: bool,
    /// Write lines that do not (default with one)
    #[arg(long, overrides_with = "tag")]
    untagged: bool,
    /// Write digests in base64
    #[arg(long)]
    base64: bool,
    /// Write an object for each file: its name, size and digests
    #[arg(long)]
    json: bool,
    /// End lines with NUL and escape no file names
    #[arg(long, short)]
    zero: bool,
    #[command(flatten)]
    work: Work,
    /// Hash all files below directories, in the order of their names
    #[arg(long, short)]
    recursive: bool,
    /// The files; - and no file are standard input, with -r the current directory
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<OsString>,
    #[command(flatten)]
    tree: TreeRules,
    #[command(flatten)]
    mode: ModeOptions,
}

const AFTER_HELP: &str = "\
Examples:
  hashmill sum file                            # SHA-256
  hashmill sum -a sha512 -a sha3-256 *.iso     # both from one reading of each file
  hashmill sum -a blake2b -l 160 file          # or: -a blake2b-160
  tar c dir | hashmill sum -a shake128-512
  hashmill sum --json -a sha256 -a md5 file
  hashmill sum --hmac --key-file key file
  hashmill sum -a blake2b --personal app-v1 --salt hex:00ff file
  hashmill sum --part-size 8MiB file           # what S3 shows of a multipart upload; -a md5: its ETag";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let mut recipes = recipes_or_sha256(console, &arguments.algorithm)?;
    if let Some(bits) = arguments.length {
        for recipe in &mut recipes {
            let algorithm = recipe.algorithm();
            *recipe = Recipe::with_bits(algorithm, bits).ok_or_else(|| {
                console.wrong_options(format!("{algorithm} cannot make a digest of {bits} bits"))
            })?;
        }
    }
    let mode = arguments.mode.mode(console)?;
    let recipes = recipes
        .into_iter()
        .map(|recipe| mode.apply(recipe).map_err(|message| console.wrong_options(message)))
        .collect::<Result<Vec<Recipe>, Failure>>()?;
    let tagged = match (arguments.tag, arguments.untagged) {
        (false, false) => recipes.len() > 1,
        (tagged, _) => tagged,
    };
    let style = Style {
        form: if tagged { Form::Tagged } else { Form::Untagged { binary: false } },
        encoding: arguments.base64.then_some(Encoding::Base64),
        zero: arguments.zero,
        json: arguments.json,
        named: !arguments.files.is_empty(),
    };
    arguments.work.show_progress(console);
    let jobs = arguments.work.jobs();
    if !arguments.recursive {
        let names = names(&arguments.files);
        let paths: Vec<_> = names.iter().map(|name| PathBuf::from(os_name(name))).collect();
        console.progress.expect(|| progress::sizes(paths.into_iter()));
        let names = names.into_iter().map(Found::Named);
        return make::files(console, jobs, names, &recipes, &style);
    }
    let rules = arguments.tree.rules();
    rules.walk(Path::new(".")).map_err(|message| console.wrong_options(message))?;
    let names =
        if arguments.files.is_empty() { vec![b".".into()] } else { names(&arguments.files) };
    let (again, roots) = (rules.clone(), names.clone());
    console.progress.expect(move || {
        let found = roots.into_iter().flat_map(|name| below(&again, name));
        progress::sizes(found.filter_map(Found::into_path))
    });
    let found = names.into_iter().flat_map(|name| below(&rules, name));
    make::files(console, jobs, found, &recipes, &style)
}

/// The files below a directory; what is not a directory, as it is.
fn below(rules: &Rules, name: Vec<u8>) -> Box<dyn Iterator<Item = Found>> {
    let path = PathBuf::from(os_name(&name));
    if name == b"-" || !path.is_dir() {
        return Box::new(iter::once(Found::Named(name)));
    }
    match rules.walk(&path) {
        Ok(walk) => Box::new(walk),
        Err(message) => Box::new(iter::once(Found::Error(name, message))),
    }
}
