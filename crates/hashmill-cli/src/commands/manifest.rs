//! `hashmill manifest`: what is in a tree, made, updated, verified and compared.

use crate::commands::options::{AlgorithmNames, TreeRules, Work, recipes_or_sha256};
use crate::files::input::os_name;
use crate::files::job::{Job, Jobs, Next, Outcome, Wanted};
use crate::files::pool;
use crate::files::walk::{self, Found, Rules};
use crate::hashing::recipe::Recipe;
use crate::manifest::compare::Comparison;
use crate::manifest::journal::{Journal, Paths};
use crate::manifest::text::{Header, Problem, Reader, Record, Stamp, order};
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress;
use clap::{Args, Subcommand, ValueHint};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Keep what is in a tree: made, updated, verified, compared
#[derive(Args)]
#[command(
    long_about = LONG_ABOUT,
    after_help = AFTER_HELP,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const LONG_ABOUT: &str = "\
Keep what is in a tree: made, updated, verified, compared.

A manifest is a list of digests that 'hashmill check' and 'cksum -c' read, with the files' sizes
and times and the rules of the tree in comments. All files count, hidden ones too, but for the
manifest itself; what is no regular file does not.

A run that is killed leaves MANIFEST.partial and MANIFEST.resume; the same command again goes on
from there, reads no file again that has the size and time recorded, and ends with the same
manifest. The manifest itself is replaced in the end, at once.";

const AFTER_HELP: &str = "\
Examples:
  hashmill manifest create photos.manifest photos            # or the same again, after a kill
  hashmill manifest update --quick photos.manifest photos    # reads what is new
  hashmill manifest verify photos.manifest /backup/photos
  hashmill manifest compare old.manifest new.manifest        # reads no other file

update, verify and compare write a line for each difference: changed, moved, added, removed.
Exit status of verify and compare: 0 if there is none, 1 if there is, or an error; 2 for misuse.";

#[derive(Subcommand)]
enum Command {
    Create(Create),
    Update(Update),
    Verify(Verify),
    Compare(Compare),
}

/// A manifest and the directory that it is of.
#[derive(Args)]
struct Place {
    /// The manifest
    #[arg(value_name = "MANIFEST", value_hint = ValueHint::FilePath)]
    manifest: PathBuf,
    /// The directory [default: the current one]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    directory: Option<PathBuf>,
}

/// Make the manifest of a directory
#[derive(Args)]
struct Create {
    /// An algorithm, or several [default: sha256]
    #[arg(long, short, value_name = "ALGORITHM", value_parser = AlgorithmNames, hide_possible_values = true)]
    algorithm: Vec<String>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    tree: TreeRules,
}

/// Make it anew, with the same algorithms and rules, and write what differs
#[derive(Args)]
struct Update {
    /// Read no file that has the size and time recorded
    #[arg(long, short)]
    quick: bool,
    /// Write an object for each difference
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    place: Place,
}

/// Read all files and write what differs
#[derive(Args)]
struct Verify {
    /// Write an object for each difference
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    place: Place,
}

/// Write what differs between two manifests, without reading the files
#[derive(Args)]
struct Compare {
    /// Write an object for each difference
    #[arg(long)]
    json: bool,
    /// The older manifest
    #[arg(value_name = "MANIFEST", value_hint = ValueHint::FilePath)]
    manifest: PathBuf,
    /// The newer one
    #[arg(value_name = "NEWER", value_hint = ValueHint::FilePath)]
    newer: PathBuf,
}

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    match &arguments.command {
        Command::Create(arguments) => create(console, arguments),
        Command::Update(arguments) => update(console, arguments),
        Command::Verify(arguments) => verify(console, arguments),
        Command::Compare(arguments) => compare(console, arguments),
    }
}

fn create(console: &mut Console, arguments: &Create) -> Result<bool, Failure> {
    let recipes = recipes_or_sha256(console, &arguments.algorithm)?;
    if let Some(old) = recipes.iter().find(|recipe| recipe.algorithm().size().is_some()) {
        return Err(
            console.wrong_options(format!("{old} has lines of its own, which no manifest has"))
        );
    }
    let header = Header { recipes, rules: arguments.tree.rules() };
    let tree = Tree::of(console, &arguments.place, &arguments.work, &header.rules)?;
    let manifest = &tree.paths.manifest;
    // One that was renamed just before a run was killed is made again, to the same bytes.
    if manifest.exists() && !tree.paths.is_interrupted() {
        console
            .say_of(&walk::bytes(manifest), "there is one; 'hashmill manifest update' renews it");
        return Err(Failure { status: 1 });
    }
    make(console, &tree, &header, None, arguments.work.jobs(), &mut |_, _| Ok(()))
}

fn update(console: &mut Console, arguments: &Update) -> Result<bool, Failure> {
    let path = arguments.place.manifest.clone();
    let old = open(console, &path)?;
    let header = old.header.clone();
    let tree = Tree::of(console, &arguments.place, &arguments.work, &header.rules)?;
    let comparison = Comparison::new(old, &header, arguments.json);
    let mut comparison = comparison.map_err(|problem| explain(console, &path, problem))?;
    let quick = if arguments.quick { Some(open(console, &path)?) } else { None };
    let well =
        make(console, &tree, &header, quick, arguments.work.jobs(), &mut |console, record| {
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

fn verify(console: &mut Console, arguments: &Verify) -> Result<bool, Failure> {
    let path = arguments.place.manifest.clone();
    let old = open(console, &path)?;
    let header = old.header.clone();
    let tree = Tree::of(console, &arguments.place, &arguments.work, &header.rules)?;
    let comparison = Comparison::new(old, &header, arguments.json);
    let Some(mut comparison) = comparison.map_err(|problem| explain(console, &path, problem))?
    else {
        return Ok(false);
    };
    let mut files = tree.files();
    let mut well = true;
    let mut source = |_| match files.next() {
        Some(entry) => Next::Job(File { entry, recipes: &header.recipes, journal: None }),
        None => Next::End,
    };
    pool::run(console, arguments.work.jobs(), &mut source, &mut |console, file, outcome| {
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

fn compare(console: &mut Console, arguments: &Compare) -> Result<bool, Failure> {
    let (path, newer) = (arguments.manifest.clone(), arguments.newer.clone());
    let old = open(console, &path)?;
    let mut new = open(console, &newer)?;
    let comparison = Comparison::new(old, &new.header, arguments.json);
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
            return Next::Job(File { entry, recipes: &header.recipes, journal: Some(&journal) });
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
    fn of(
        console: &mut Console,
        place: &Place,
        work: &Work,
        rules: &Rules,
    ) -> Result<Tree, Failure> {
        let root = place.directory.clone().unwrap_or_else(|| PathBuf::from("."));
        rules.walk(&root).map_err(|message| console.wrong_options(message))?;
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
        work.show_progress(console);
        let (again, root_again) = (rules.clone(), root.clone());
        console.progress.expect(move || {
            let found = again.walk(&root_again).into_iter().flatten();
            progress::sizes(found.filter_map(Found::into_path))
        });
        let paths = Paths::of(&place.manifest);
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
    recipes: &'a [Recipe],
    /// Where it is recorded as soon as it is hashed.
    journal: Option<&'a Journal>,
}

impl Job for File<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        match &self.entry {
            Entry::File(file) => {
                Some(Wanted { name: &file.path, recipes: self.recipes, regular: false })
            }
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
