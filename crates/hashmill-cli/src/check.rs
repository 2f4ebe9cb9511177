//! `hashmill check`: files against lists, whoever wrote them, or against one digest.

pub mod any;
mod expected;
mod pgp;
mod windows;

use crate::commands::{algorithms_of, files_of, jobs_of, misuse, show_progress};
use crate::console::{Console, Failure};
use crate::digest::Digest;
use crate::mode::Mode;
use crate::verify::{self, Entry, Report, Verbosity};
use any::Any;
use clap::ArgMatches;
use expected::{Expected, Meaning};

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let named = algorithms_of(console, matches)?;
    let report = Report {
        verbosity: [
            ("quiet", Verbosity::Quiet),
            ("status", Verbosity::Status),
            ("warn", Verbosity::Warn),
        ]
        .into_iter()
        .find_map(|(name, verbosity)| matches.get_flag(name).then_some(verbosity))
        .unwrap_or_default(),
        strict: matches.get_flag("strict"),
        ignore_missing: matches.get_flag("ignore-missing"),
        json: matches.get_flag("json"),
    };
    let mode = Mode::of(console, matches)?;
    let operands = files_of(matches);
    let jobs = jobs_of(matches);
    show_progress(console, matches);
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
        let names: Vec<_> = expected.digests.iter().map(Digest::to_string).collect();
        let message = format!(
            "a digest of this length can be {}: say which with -a, or as {}:DIGEST",
            names.join(" or "),
            names[0].to_lowercase()
        );
        return Err(misuse(console, message));
    }
    let stdin = [b"-".to_vec()];
    let files = if operands.len() > 1 { &operands[1..] } else { &stdin };
    Ok(files.iter().map(|name| expected.clone().of_file(name.clone())).collect())
}
