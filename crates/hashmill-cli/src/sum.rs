//! `hashmill sum`: digests of files, any number of algorithms in one reading.

use crate::commands::{algorithms_of, files_of, jobs_of, misuse};
use crate::console::{Console, Failure, reason};
use crate::digest::Digest;
use crate::encoding::Encoding;
use crate::mode::Mode;
use crate::output::{Form, Style};
use crate::pool::{self, Job, Jobs, Next, Wanted};
use clap::ArgMatches;
use hashmill::Algorithm;

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let mut digests = algorithms_of(console, matches)?;
    if digests.is_empty() {
        digests.push(Digest::of(Algorithm::Sha256));
    }
    if let Some(&bits) = matches.get_one::<usize>("length") {
        for digest in &mut digests {
            let algorithm = digest.algorithm();
            *digest = Digest::with_bits(algorithm, bits).ok_or_else(|| {
                misuse(console, format!("{algorithm} cannot make a digest of {bits} bits"))
            })?;
        }
    }
    let mode = Mode::of(console, matches)?;
    let digests = digests
        .into_iter()
        .map(|digest| mode.apply(digest).map_err(|message| misuse(console, message)))
        .collect::<Result<Vec<Digest>, Failure>>()?;
    let tagged = match (matches.get_flag("tag"), matches.get_flag("untagged")) {
        (false, false) => digests.len() > 1,
        (tagged, _) => tagged,
    };
    let style = Style {
        form: if tagged { Form::Tagged } else { Form::Untagged { binary: false } },
        encoding: matches.get_flag("base64").then_some(Encoding::Base64),
        zero: matches.get_flag("zero"),
        json: matches.get_flag("json"),
        named: matches.contains_id("files"),
    };
    files(console, jobs_of(matches), &files_of(matches), &digests, &style)
}

/// Writes the digests of each file, all of one file from one reading; whether all could be read.
pub fn files(
    console: &mut Console,
    jobs: Jobs,
    names: &[Vec<u8>],
    digests: &[Digest],
    style: &Style,
) -> Result<bool, Failure> {
    let mut names = names.iter();
    let mut well = true;
    pool::run(
        console,
        jobs,
        &mut |_| names.next().map_or(Next::End, |name| Next::Job(File { name, digests })),
        &mut |console, file, outcome| match outcome {
            Some(Ok(values)) => console.print(style.file(digests, &values, file.name)),
            Some(Err(error)) => {
                console.say_of(file.name, reason(&error));
                well = false;
                Ok(())
            }
            None => Ok(()),
        },
    )?;
    Ok(well)
}

struct File<'a> {
    name: &'a [u8],
    digests: &'a [Digest],
}

impl Job for File<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        Some(Wanted { name: self.name, digests: self.digests })
    }
}
