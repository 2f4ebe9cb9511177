//! `b3sum`: BLAKE3 with the options of BLAKE3's own program.

use crate::commands::parse;
use crate::files::input::names;
use crate::files::job::Jobs;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::hashing::state::State;
use crate::lists::any::Any;
use crate::lists::entry::Verbosity;
use crate::lists::make;
use crate::lists::place::Place;
use crate::lists::style::{Form, Style};
use crate::lists::verify::{self, List, Report};
use crate::terminal::console::{Console, Failure};
use crate::text::table::{Field, One, Options, Row, options};
use clap::ValueHint;
use hashmill::{Algorithm, Blake3};
use std::ffi::OsString;
use std::io::Read;
use std::num::NonZero;
use zeroize::Zeroizing;

options! {
    /// Print or check BLAKE3 digests
    pub struct Arguments {
        /// Read lists from the files and check them
        check: bool { short: 'c', conflicts: &["raw", "tag", "no_names", "length", "seek"] },
        /// Hash with a key of 32 bytes, which is read from standard input
        keyed: bool { requires: "files" },
        /// Derive keys from the input, for this context string
        derive_key: Option<String> { value: "CONTEXT", conflicts: &["keyed"] },
        /// The length of the output, in bytes
        length: One<NonZero<usize>> { short: 'l', value: "BYTES", default: "32" },
        /// The position in BLAKE3's output of the first byte to write
        seek: One<u64> { value: "BYTES", default: "0" },
        /// The number of threads; 0 means one for each processor
        num_threads: One<usize> { value: "NUM", default: "0" },
        /// Accepted, as by BLAKE3's program; files are never mapped into memory
        _no_mmap: bool { long: "no-mmap" },
        /// Write digests without names
        no_names: bool,
        /// Write only the bytes of the output, not encoded
        raw: bool,
        /// Write lines that name the algorithm
        tag: bool { conflicts: &["raw"] },
        /// With --check: write no OK for files that match
        quiet: bool { requires: "check" },
        /// The files; - or no file means standard input
        files: Vec<OsString> { is_operand: true, value: "FILE", hint: ValueHint::FilePath },
    }
    |command| command.after_help(AFTER_HELP)
}

const AFTER_HELP: &str = "\
Examples:
  b3sum *.iso > B3SUMS
  b3sum -c B3SUMS
  b3sum --length 64 file
  b3sum --raw --seek 4096 --length 4096 file | cmp - block

Exit status: 0 if all went well, 1 if not, 2 if the options are invalid.";

/// Returns the table of options as a clap command named `b3sum`.
pub fn command() -> clap::Command {
    Arguments::program("b3sum")
}

/// Runs the program when it is called as `b3sum`.
pub fn main(console: &mut Console, args: impl Iterator<Item = OsString>) -> Result<bool, Failure> {
    parse::main(console, command(), args, run)
}

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let hasher = match (arguments.keyed, &arguments.derive_key) {
        (true, _) => Some(Blake3::keyed(&*key(console)?)),
        (_, Some(context)) => Some(Blake3::derive_key(context)),
        _ if arguments.seek.0 > 0 => Some(Blake3::new()),
        _ => None,
    };
    let bits = arguments.length.0.get().saturating_mul(8);
    let recipe = Recipe::chosen(Algorithm::Blake3, bits);
    let recipe = recipe.map_err(|message| console.wrong_options(message))?;
    let recipe = match hasher {
        Some(hasher) => {
            recipe.prepared("", State::Blake3(Box::new(hasher.into()), arguments.seek.0))
        }
        None => recipe,
    };
    let names = names(&arguments.files);
    let jobs = Jobs { count: NonZero::new(arguments.num_threads.0) };
    if !arguments.check {
        let form = match (arguments.raw, arguments.tag, arguments.no_names) {
            (true, ..) => Form::Raw,
            (_, true, _) => Form::Tagged,
            (.., true) => Form::Bare,
            _ => Form::Untagged { binary: false },
        };
        if arguments.raw && names.len() > 1 {
            return Err(console.fatal("only one file can be written with --raw"));
        }
        let style = Style::of_form(form, console.quoting());
        return make::files(console, jobs, names, recipe, &style);
    }
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    let report = Report { verbosity, strict: true, ..Report::default() };
    let mode = Mode::default();
    let mut well = true;
    for name in &names {
        let place = Place::of(name);
        let mut format = Any::new(std::slice::from_ref(&recipe), &mode, &place);
        let list = List { place: &place, named: None, only: None };
        well &= verify::list(console, jobs, &list, &mut format, &report)?.well;
    }
    Ok(well)
}

/// Reads the key from standard input. Writes a message and fails unless there are exactly 32 bytes.
fn key(console: &mut Console) -> Result<Zeroizing<[u8; 32]>, Failure> {
    let mut key = Zeroizing::new([0; 32]);
    let mut more = [0];
    let read = console.stdin().and_then(|mut stdin| {
        stdin.read_exact(&mut *key)?;
        stdin.read(&mut more)
    });
    match read {
        Ok(0) => Ok(key),
        _ => Err(console.fatal("standard input: a key of 32 bytes is expected there")),
    }
}
