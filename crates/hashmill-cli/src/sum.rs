//! `hashmill sum`: digests of files, any number of algorithms in one reading.

use crate::commands::{algorithms_or_sha256, files_of, jobs_of, misuse, show_progress};
use crate::console::{Console, Failure, reason};
use crate::digest::Digest;
use crate::encoding::Encoding;
use crate::input::os_name;
use crate::mode::Mode;
use crate::output::{Form, Style};
use crate::pool::{self, Job, Jobs, Next, Wanted};
use crate::progress;
use crate::walk::{Found, Rules};
use clap::ArgMatches;
use std::iter;
use std::path::{Path, PathBuf};

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let mut digests = algorithms_or_sha256(console, matches)?;
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
    show_progress(console, matches);
    let jobs = jobs_of(matches);
    if !matches.get_flag("recursive") {
        let names = files_of(matches);
        let paths: Vec<_> = names.iter().map(|name| PathBuf::from(os_name(name))).collect();
        console.progress.expect(|| progress::sizes(paths.into_iter()));
        let names = names.into_iter().map(Found::File);
        return files(console, jobs, names, &digests, &style);
    }
    let rules = Rules::of(matches);
    rules.walk(Path::new(".")).map_err(|message| misuse(console, message))?;
    let names = if matches.contains_id("files") { files_of(matches) } else { vec![b".".into()] };
    let (again, roots) = (rules.clone(), names.clone());
    console.progress.expect(move || {
        let found = roots.into_iter().flat_map(|name| below(&again, name));
        progress::sizes(found.filter_map(Found::into_path))
    });
    files(console, jobs, names.into_iter().flat_map(|name| below(&rules, name)), &digests, &style)
}

/// The files below a directory; what is not a directory, as it is.
fn below(rules: &Rules, name: Vec<u8>) -> Box<dyn Iterator<Item = Found>> {
    let path = PathBuf::from(os_name(&name));
    if name == b"-" || !path.is_dir() {
        return Box::new(iter::once(Found::File(name)));
    }
    match rules.walk(&path) {
        Ok(walk) => Box::new(walk),
        Err(message) => Box::new(iter::once(Found::Error(name, message))),
    }
}

/// Writes the digests of each file, all of one file from one reading; whether all could be read.
pub fn files(
    console: &mut Console,
    jobs: Jobs,
    mut names: impl Iterator<Item = Found>,
    digests: &[Digest],
    style: &Style,
) -> Result<bool, Failure> {
    let mut well = true;
    pool::run(
        console,
        jobs,
        &mut |_| names.next().map_or(Next::End, |found| Next::Job(Item { found, digests })),
        &mut |console, item, outcome| {
            match (item.found, outcome) {
                (Found::File(name), Some(Ok(values))) => {
                    console.print(style.file(digests, &values, &name))?;
                }
                (Found::File(name), Some(Err(error))) => {
                    console.say_of(&name, reason(&error));
                    well = false;
                }
                (Found::Error(name, message), _) => {
                    console.say_of(&name, message);
                    well = false;
                }
                (Found::Note(name, message), _) => console.say_of(&name, message),
                (Found::File(_), None) => {}
            }
            Ok(())
        },
    )?;
    Ok(well)
}

struct Item<'a> {
    found: Found,
    digests: &'a [Digest],
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        match &self.found {
            Found::File(name) => Some(Wanted { name, digests: self.digests }),
            _ => None,
        }
    }
}
