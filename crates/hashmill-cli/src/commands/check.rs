//! `hashmill check`: files against lists, whoever wrote them, or against one digest.

use crate::commands::options::{AlgorithmNames, ModeOptions, Work, names, recipes};
use crate::hashing::recipe::Recipe;
use crate::lists::any::Any;
use crate::lists::expected::{Expected, Meaning};
use crate::lists::verify::{self, Entry, Report, Verbosity};
use crate::terminal::console::{Console, Failure};
use clap::{Args, ValueHint};
use std::ffi::OsString;

/// Check files against lists of digests
///
/// Check files against lists of digests, or against one digest.
#[derive(Args)]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct Arguments {
    /// The algorithm of lines that do not name one, or several it can be
    #[arg(long, short, value_name = "ALGORITHM", value_parser = AlgorithmNames, hide_possible_values = true)]
    algorithm: Vec<String>,
    /// No OK for files that match
    #[arg(long, overrides_with_all = ["status", "warn"])]
    quiet: bool,
    /// No output, the exit status tells
    #[arg(long, overrides_with_all = ["quiet", "warn"])]
    status: bool,
    /// Name each improperly formatted line; say what was guessed
    #[arg(long, short, overrides_with_all = ["quiet", "status"])]
    warn: bool,
    /// Fail for improperly formatted lines
    #[arg(long)]
    strict: bool,
    /// Pass over files that do not exist
    #[arg(long)]
    ignore_missing: bool,
    /// Write an object for each file: its name, what was expected, what came of it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: Work,
    /// The lists, - and no list are standard input; or a digest and files
    #[arg(value_name = "LIST|DIGEST FILE", value_hint = ValueHint::FilePath)]
    files: Vec<OsString>,
    #[command(flatten)]
    mode: ModeOptions,
}

const LONG_ABOUT: &str = "\
Check files against lists of digests, or against one digest.

Reads what hashmill, GNU, BSD and OpenSSL write, and PowerShell's Get-FileHash and certutil: tagged
lines with any name of an algorithm, untagged lines, hexadecimal of either case, base64, UTF-16.
For untagged lines without -a, the list's extension tells the algorithm (x.sha3-256), or else the
length: MD5, SHA-1, SHA-224, SHA-256, SHA-384, and with 512 bits SHA-512 or BLAKE2b, whichever
matches. A PGP signature around a list is not checked.

A first operand that is a digest, as sha256:HEX, sha384-BASE64 or alone, is what the files after it
are to have. A list of such a name is to be given as ./NAME.";

const AFTER_HELP: &str = "\
Examples:
  hashmill check SHA256SUMS
  hashmill check -a sha3-256 --quiet LIST      # untagged lines are SHA3-256
  hashmill check --ignore-missing *.sums
  hashmill check sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb disk.img";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let named = recipes(console, &arguments.algorithm)?;
    let report = Report {
        verbosity: match (arguments.quiet, arguments.status, arguments.warn) {
            (true, ..) => Verbosity::Quiet,
            (_, true, _) => Verbosity::Status,
            (.., true) => Verbosity::Warn,
            _ => Verbosity::Normal,
        },
        strict: arguments.strict,
        ignore_missing: arguments.ignore_missing,
        json: arguments.json,
    };
    let mode = arguments.mode.mode(console)?;
    let operands = names(&arguments.files);
    let jobs = arguments.work.jobs();
    arguments.work.show_progress(console);
    let meaning = Meaning { named, mode: &mode };
    if let Some(expected) = meaning.of(&operands[0]) {
        let entries = against(console, expected, &operands)?;
        return verify::entries(console, jobs, entries, &report);
    }
    let mut well = true;
    for list in operands {
        let mut format = Any::new(&meaning.named, &mode, &list);
        well &= verify::list(console, jobs, &list, &mut format, &report)?;
    }
    Ok(well)
}

/// `hashmill check DIGEST FILE...`: what each of the files is to be.
fn against(
    console: &mut Console,
    expected: Expected,
    operands: &[Vec<u8>],
) -> Result<Vec<Entry>, Failure> {
    if expected.digests.len() > 1 {
        let names: Vec<_> = expected.digests.iter().map(Recipe::to_string).collect();
        let message = format!(
            "a digest of this length can be {}: say which with -a, or as {}:DIGEST",
            names.join(" or "),
            names[0].to_lowercase()
        );
        return Err(console.wrong_options(message));
    }
    let stdin = [b"-".to_vec()];
    let files = if operands.len() > 1 { &operands[1..] } else { &stdin };
    Ok(files.iter().map(|name| expected.clone().of_file(name.clone())).collect())
}
