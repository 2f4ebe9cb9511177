//! `hashmill manifest`: what is in a tree, made, updated, verified and compared.

mod compare;
mod journal;
pub mod text;

use crate::commands::{algorithms_or_sha256, jobs_of, misuse, show_progress};
use crate::console::{Console, Failure, reason};
use crate::digest::Digest;
use crate::input::os_name;
use crate::pool::{self, Job, Jobs, Next, Wanted};
use crate::progress;
use crate::walk::{self, Found, Rules};
use crate::worker::Outcome;
use clap::ArgMatches;
use compare::Comparison;
use journal::{Journal, Paths};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};
use text::{Header, Problem, Reader, Record, Stamp, order};

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    match matches.subcommand() {
        Some(("create", matches)) => create(console, matches),
        Some(("update", matches)) => update(console, matches),
        Some(("verify", matches)) => verify(console, matches),
        Some(("compare", matches)) => compare(console, matches),
        _ => unreachable!("clap knows no other subcommand"),
    }
}

fn create(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let digests = algorithms_or_sha256(console, matches)?;
    if let Some(old) = digests.iter().find(|digest| digest.algorithm().size().is_some()) {
        return Err(misuse(console, format!("{old} has lines of its own, which no manifest has")));
    }
    let header = Header { digests, rules: Rules::of(matches) };
    let tree = Tree::of(console, matches, &header.rules)?;
    let manifest = &tree.paths.manifest;
    // One that was renamed just before a run was killed is made again, to the same bytes.
    if manifest.exists() && !tree.paths.is_interrupted() {
        console
            .say_of(&walk::bytes(manifest), "there is one; 'hashmill manifest update' renews it");
        return Err(Failure { status: 1 });
    }
    make(console, &tree, &header, None, jobs_of(matches), &mut |_, _| Ok(()))
}

fn update(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let path = path_of(matches, "manifest");
    let old = open(console, &path)?;
    let header = old.header.clone();
    let tree = Tree::of(console, matches, &header.rules)?;
    let comparison = Comparison::new(old, &header, matches.get_flag("json"));
    let mut comparison = comparison.map_err(|problem| explain(console, &path, problem))?;
    let quick = if matches.get_flag("quick") { Some(open(console, &path)?) } else { None };
    let well = make(console, &tree, &header, quick, jobs_of(matches), &mut |console, record| {
        match &mut comparison {
            Some(comparison) => comparison
                .put(console, record)
                .map_err(|problem| explain(console, &path, problem))?,
            None => Ok(()),
        }
    })?;
    if let Some(comparison) = comparison {
        comparison.finish(console).map_err(|problem| explain(console, &path, problem))??;
    }
    Ok(well)
}

fn verify(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let path = path_of(matches, "manifest");
    let old = open(console, &path)?;
    let header = old.header.clone();
    let tree = Tree::of(console, matches, &header.rules)?;
    let comparison = Comparison::new(old, &header, matches.get_flag("json"));
    let Some(mut comparison) = comparison.map_err(|problem| explain(console, &path, problem))?
    else {
        return Ok(false);
    };
    let mut files = tree.files();
    let mut well = true;
    let mut source = |_| match files.next() {
        Some(entry) => Next::Job(File { entry, digests: &header.digests, journal: None }),
        None => Next::End,
    };
    pool::run(console, jobs_of(matches), &mut source, &mut |console, file, outcome| {
        let explain = |console: &mut Console, problem| explain(console, &path, problem);
        match (file.entry, outcome) {
            (Entry::File(known), Some(Ok(values))) => {
                let digests = values.into_iter().map(|value| value.bytes).collect();
                let record = Record { name: known.name, stamp: known.stamp, digests };
                comparison.put(console, record).map_err(|problem| explain(console, problem))?
            }
            (Entry::File(known), outcome) => {
                well = false;
                comparison.pass(&known.name).map_err(|problem| explain(console, problem))?;
                say(console, &known.path, outcome);
                Ok(())
            }
            (Entry::Other(found), _) => {
                well &= tell(console, found);
                Ok(())
            }
        }
    })?;
    let same = comparison.finish(console).map_err(|problem| explain(console, &path, problem))??;
    Ok(well && same)
}

fn compare(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let (path, newer) = (path_of(matches, "manifest"), path_of(matches, "newer"));
    let old = open(console, &path)?;
    let mut new = open(console, &newer)?;
    let comparison = Comparison::new(old, &new.header, matches.get_flag("json"));
    let Some(mut comparison) = comparison.map_err(|problem| explain(console, &path, problem))?
    else {
        return Err(console.fatal("the two manifests have no algorithm in common"));
    };
    while let Some(record) =
        new.next_in_order().map_err(|problem| explain(console, &newer, problem))?
    {
        comparison.put(console, record).map_err(|problem| explain(console, &path, problem))??;
    }
    comparison.finish(console).map_err(|problem| explain(console, &path, problem))?
}

/// Makes a manifest; whether all files could be read. `each` sees the records in order before it is done.
fn make(
    console: &mut Console,
    tree: &Tree,
    header: &Header,
    quick: Option<Reader>,
    jobs: Jobs,
    each: &mut dyn FnMut(&mut Console, Record) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let journal = Journal::begin(&tree.paths, header.clone());
    let journal = journal.map_err(|error| tree.failed(console, &error))?;
    let mut known = [Reader::open(&tree.paths.resume).ok(), quick].map(Known::new);
    let mut files = tree.files();
    let mut source = |_| {
        for entry in files.by_ref() {
            if let Entry::File(file) = &entry {
                // Every reader is asked, so that all move on.
                let records = known.each_mut().map(|known| known.take(file));
                if let Some(record) = records.into_iter().flatten().next() {
                    journal.append(&record);
                    continue;
                }
            }
            return Next::Job(File { entry, digests: &header.digests, journal: Some(&journal) });
        }
        Next::End
    };
    let mut well = true;
    pool::run(console, jobs, &mut source, &mut |console, file, outcome| {
        match (file.entry, outcome) {
            (Entry::File(_), Some(Ok(_))) => {}
            (Entry::File(known), outcome) => {
                well = false;
                say(console, &known.path, outcome);
            }
            (Entry::Other(found), _) => well &= tell(console, found),
        }
        journal.check().map_err(|error| tree.failed(console, &error))
    })?;
    journal.check().map_err(|error| tree.failed(console, &error))?;
    let completed = tree
        .paths
        .complete(header, &mut |record| each(console, record).map_err(Completion::Failure));
    match completed {
        Ok(()) => Ok(well),
        Err(Completion::Failure(failure)) => Err(failure),
        Err(Completion::Error(error)) => Err(tree.failed(console, &error)),
    }
}

/// Why a manifest could not be completed.
enum Completion {
    Error(io::Error),
    Failure(Failure),
}

impl From<io::Error> for Completion {
    fn from(error: io::Error) -> Completion {
        Completion::Error(error)
    }
}

/// What is known of files without reading them.
struct Known {
    reader: Option<Reader>,
    next: Option<Record>,
}

impl Known {
    fn new(reader: Option<Reader>) -> Known {
        let mut known = Known { reader, next: None };
        known.advance();
        known
    }

    /// What is wrong with a manifest here, costs a reading and nothing else.
    fn advance(&mut self) -> Option<Record> {
        let next = self.reader.as_mut().and_then(|reader| reader.next_in_order().ok()?);
        std::mem::replace(&mut self.next, next)
    }

    /// The record of a file that has not changed since; the files come in order.
    fn take(&mut self, file: &Named) -> Option<Record> {
        while let Some(next) = &self.next {
            match order(&next.name, &file.name) {
                std::cmp::Ordering::Less => drop(self.advance()),
                std::cmp::Ordering::Equal => {
                    return self.advance().filter(|record| record.stamp == file.stamp);
                }
                std::cmp::Ordering::Greater => break,
            }
        }
        None
    }
}

/// A directory and the manifest of it.
struct Tree {
    root: PathBuf,
    rules: Rules,
    paths: Paths,
    /// The manifest and what is beside it, if they are in the directory: by their names in it.
    own: Vec<PathBuf>,
}

impl Tree {
    fn of(console: &mut Console, matches: &ArgMatches, rules: &Rules) -> Result<Tree, Failure> {
        let root = match matches.get_one::<OsString>("directory") {
            Some(root) => PathBuf::from(root),
            None => PathBuf::from("."),
        };
        rules.walk(&root).map_err(|message| misuse(console, message))?;
        match fs::metadata(&root) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                console.say_of(&walk::bytes(&root), "Not a directory");
                return Err(Failure { status: 1 });
            }
            Err(error) => {
                console.say_of(&walk::bytes(&root), reason(&error));
                return Err(Failure { status: 1 });
            }
        }
        show_progress(console, matches);
        let (again, root_again) = (rules.clone(), root.clone());
        console.progress.expect(move || {
            let found = again.walk(&root_again).into_iter().flatten();
            progress::sizes(found.filter_map(Found::into_path))
        });
        let paths = Paths::of(&path_of(matches, "manifest"));
        let own = paths.all().iter().filter_map(|path| within(path, &root)).collect();
        Ok(Tree { root, rules: rules.clone(), paths, own })
    }

    /// The files in the order of their names, and what there is to say about others.
    fn files(&self) -> impl Iterator<Item = Entry> {
        let walk = self.rules.walk(&self.root).ok();
        walk.into_iter().flatten().filter_map(|found| match found {
            Found::File(path) => {
                let name = PathBuf::from(os_name(&path));
                let name = name.strip_prefix(&self.root).unwrap_or(&name);
                if self.own.iter().any(|own| own == name) {
                    return None;
                }
                let name = walk::bytes(name);
                Some(match fs::metadata(os_name(&path)) {
                    Ok(metadata) => Entry::File(Named { name, path, stamp: Stamp::of(&metadata) }),
                    Err(error) => Entry::Other(Found::Error(path, reason(&error))),
                })
            }
            other => Some(Entry::Other(other)),
        })
    }

    /// The manifest could not be written.
    fn failed(&self, console: &mut Console, error: &io::Error) -> Failure {
        console.say_of(&walk::bytes(&self.paths.manifest), reason(error));
        Failure { status: 1 }
    }
}

/// The name of a file in a directory, if it is there.
fn within(path: &Path, directory: &Path) -> Option<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
    let parent = parent.strip_prefix(fs::canonicalize(directory).ok()?).ok()?;
    Some(parent.join(path.file_name()?))
}

/// What a walk through a tree gives.
enum Entry {
    File(Named),
    Other(Found),
}

/// A file: its name in the tree, the path to it, and what it was before it was read.
struct Named {
    name: Vec<u8>,
    path: Vec<u8>,
    stamp: Stamp,
}

/// What goes through the pool.
struct File<'a> {
    entry: Entry,
    digests: &'a [Digest],
    /// Where it is recorded as soon as it is hashed.
    journal: Option<&'a Journal>,
}

impl Job for File<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        match &self.entry {
            Entry::File(file) => Some(Wanted { name: &file.path, digests: self.digests }),
            Entry::Other(_) => None,
        }
    }

    fn hashed(&self, outcome: Outcome) -> Outcome {
        let Entry::File(file) = &self.entry else { return outcome };
        let values = outcome?;
        if Stamp::of(&fs::metadata(os_name(&file.path))?) != file.stamp {
            return Err(io::Error::other("The file changed while it was read"));
        }
        if let Some(journal) = self.journal {
            let digests = values.iter().map(|value| value.bytes.clone()).collect();
            journal.append(&Record { name: file.name.clone(), stamp: file.stamp, digests });
        }
        Ok(values)
    }
}

/// Says why a file could not be read.
fn say(console: &mut Console, path: &[u8], outcome: Option<Outcome>) {
    if let Some(Err(error)) = outcome {
        console.say_of(path, reason(&error));
    }
}

/// Says what the walk has found; whether it is no error.
fn tell(console: &mut Console, found: Found) -> bool {
    match found {
        Found::File(_) => true,
        Found::Note(path, message) => {
            console.say_of(&path, message);
            true
        }
        Found::Error(path, message) => {
            console.say_of(&path, message);
            false
        }
    }
}

fn path_of(matches: &ArgMatches, name: &str) -> PathBuf {
    matches.get_one::<OsString>(name).map(PathBuf::from).unwrap_or_default()
}

fn open(console: &mut Console, path: &Path) -> Result<Reader, Failure> {
    Reader::open(path).map_err(|problem| explain(console, path, problem))
}

/// Says what is wrong with a manifest.
fn explain(console: &mut Console, path: &Path, problem: Problem) -> Failure {
    let message = match problem {
        Problem::Unreadable(error) => reason(&error),
        Problem::NoManifest => "not a manifest of version 1".to_owned(),
        Problem::Improper(line) => format!("{line}: improper line of a manifest"),
        Problem::CutOff => "the manifest is cut off".to_owned(),
    };
    console.say_of(&walk::bytes(path), message);
    Failure { status: 1 }
}
