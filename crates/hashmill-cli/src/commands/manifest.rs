//! `hashmill manifest`: creates, updates, verifies and compares records of the files of a directory
//! tree.

use crate::commands::guess;
use crate::commands::listed;
use crate::commands::options::{ALGORITHMS, Size, Work, keyless_recipes};
use crate::commands::parse::Subcommand;
use crate::files::input::{bytes, os_name};
use crate::files::job::{Jobs, Next};
use crate::files::paths::{relative, root_of, within};
use crate::files::pool;
use crate::files::walk::{self, Extras, Rules};
use crate::lists::pgp::outside_note;
use crate::manifest::compare::{Comparison, Found, report};
use crate::manifest::fresh::{Replace, is_manifest};
use crate::manifest::history::{Ages, History};
use crate::manifest::journal::{self, Journal, Paths};
use crate::manifest::merge::Ahead;
use crate::manifest::policy::{self, Age, Emptied, Part, Policy, Status};
use crate::manifest::repair::{self, Repaired};
use crate::manifest::text::{Header, Problem, Reader, Stamp};
use crate::manifest::tree::{Directory, Entry, Item};
use crate::signature::sign::{self, Key};
use crate::signature::signed::{self, Verified};
use crate::signature::trusted::{Signatures, Trusted};
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress::Tally;
use crate::text::json;
use crate::text::table::{Field, One, Options, Parser, Row, Value, choices, options};
use clap::ValueHint;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

options! {
    /// Create, update, verify and compare manifests of directory trees
    pub struct Arguments {}
    |command| {
        command
            .long_about(LONG_ABOUT)
            .after_help(AFTER_HELP)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .subcommands(subcommands().iter().map(Subcommand::command))
    }
}

const LONG_ABOUT: &str = "\
Create, update, verify and compare manifests of directory trees.

A manifest is a list of digests that 'hashmill check' and 'cksum -c' read. Comments in it hold \
the files' sizes, times and inode numbers, the rules of the tree, and checks that detect damage \
to the manifest itself. All files are included, also hidden ones, except the manifest and its \
signatures. Symbolic links, modes and empty directories are recorded with --record.

A difference in content is 'corrupt' if the file's ctime and inode number show that nothing \
wrote to it, 'suspect' if its size and modification time are the same as before, and otherwise \
'changed'. A renamed file is recognised by its inode number, size and modification time, or by \
its digests. 'update' keeps the old records of corrupt and suspect files (unless --accept is \
given) and of files that it cannot read.

A disk may not be mounted: if the directory is empty, or if more than half of the recorded \
files are missing, 'update' leaves the manifest as it is, and if a directory in it that had \
recorded files is empty, it keeps their records. --allow-removal removes them.

A run that is killed leaves MANIFEST.partial, and MANIFEST.resume if it had itself continued \
another. The same command continues from there, and does not read again the files that are \
recorded and unchanged. At its end it replaces the manifest in one step. It keeps the manifest's \
mode and, where possible, its owner, and follows a symbolic link.

'verify' reads all files. With --part, --older-than or both it reads some, so that several runs read \
all. With --continue or --older-than it keeps in MANIFEST.verified when each file was last as \
recorded. If such a run is stopped, the next one with --continue says where, and goes on there.";

const AFTER_HELP: &str = "\
Examples:
  hashmill manifest create M photos      # or continue it
  hashmill manifest create --pieces 1M M photos
  hashmill manifest update --quick M     # reads what is new
  hashmill manifest update --dry-run M   # only prints
  hashmill manifest verify M             # its directory
  hashmill manifest verify M /backup/photos
  hashmill manifest verify --verify-signature M
  hashmill manifest verify --names M     # reads no file
  hashmill manifest verify --part 3/30 M
  hashmill manifest verify --continue M  # or begin
  hashmill manifest verify --older-than 30d M
  hashmill manifest verify --repair-from /backup/photos M
  hashmill manifest compare M NEWER      # reads no file
  hashmill manifest compare M SHA256SUMS

Each difference is a line: changed, suspect, corrupt, accepted, unreadable, mode, moved, added, \
removed, missing (from an empty directory; 'update' keeps the record).

Exit status: 0 if nothing differs, or for update, if the manifest was written; 1 if \
something differs or could not be read; 2 for invalid options; 3 if something is suspect, \
corrupt or missing, or if update would remove so many records that it needs --allow-removal.";

pub fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand::of("create", create),
        Subcommand::of("update", update),
        Subcommand::of("verify", verify),
        Subcommand::of("compare", compare),
    ]
}

options! {
    /// A manifest, the directory that it describes, and how this is read.
    struct Place {
        work: Work,
        /// The manifest
        manifest: One<PathBuf> { is_operand: true, value: "MANIFEST", hint: ValueHint::FilePath },
        /// The directory [default: the one that the manifest names; for create, the current one]
        directory: Option<PathBuf> { is_operand: true, value: "DIR", hint: ValueHint::DirPath },
    }
}

impl Place {
    /// Returns the paths of the manifest and of the files beside it.
    fn paths(&self, console: &mut Console) -> Result<Paths, Failure> {
        guess::manifest_first(console, &self.manifest.0, self.directory.as_deref())?;
        Paths::of(&self.manifest.0)
    }

    /// Opens the manifest, after its signature if the options ask for that.
    ///
    /// # Errors
    /// Also fails if neither the options nor the manifest name the directory: the current one would
    /// be compared with the records of another one.
    fn open(&self, console: &mut Console, signatures: &Signatures) -> Result<Opened<'_>, Failure> {
        let paths = self.paths(console)?;
        let trusted = signatures.trusted(console)?;
        let manifest = Manifest::verified(console, &self.manifest.0, trusted)?;
        if let Some(verified) = &manifest.verified {
            let name = bytes(manifest.path);
            console.say_of(&name, format!("signed by {}", verified.signer));
            if let Some(note) = outside_note(verified.outside) {
                console.say_of(&name, note);
            }
        }
        let header = manifest.open(console)?.header;
        let named = || header.tree.as_ref().map(|tree| root_of(tree, &paths.manifest));
        let root = self.directory.clone().or_else(named).ok_or_else(|| {
            let message = "it does not name its directory: write it after the manifest";
            Failure::new(&paths.named, message)
        })?;
        Ok(Opened { paths, manifest, header, root })
    }

    /// Returns the tree at `root`, with these rules and without the files of its manifest, and
    /// shows the progress of reading it.
    fn tree(
        &self,
        console: &mut Console,
        paths: &Paths,
        root: PathBuf,
        rules: &Rules,
    ) -> Result<Directory, Failure> {
        rules.walk(&root).map_err(|message| console.wrong_options(message))?;
        if !fs::metadata(&root).map_err(Failure::with(&root))?.is_dir() {
            return Err(Failure::new(&root, "Not a directory"));
        }
        self.work.show_progress(console);
        let (again, below) = (rules.clone(), root.clone());
        console
            .progress
            .expect(move || walk::sizes(again.walk(&below).into_iter().flatten(), None));
        let own = paths.all().into_iter().filter_map(|path| within(&path, &root));
        let own = own.map(|path| bytes(&path)).collect();
        Ok(Directory { root, rules: rules.clone(), own })
    }
}

/// A manifest that a command has opened, and what it needs beside it.
struct Opened<'a> {
    paths: Paths,
    manifest: Manifest<'a>,
    header: Header,
    /// The directory: the given one, or the one that the manifest names.
    root: PathBuf,
}

/// Returns the path of a tree relative to its manifest, which the manifest contains.
fn tree_of(root: &Path, paths: &Paths) -> Result<Option<String>, Failure> {
    relative(root, &paths.manifest).map_err(|error| match std::env::current_dir() {
        Err(_) => {
            let message = "its path is not known, because the working directory was deleted";
            Failure::new(root, message)
        }
        Ok(_) if fs::canonicalize(root).is_err() => Failure::with(root)(error),
        Ok(_) => Failure::with(&paths.named)(error),
    })
}

options! {
    /// Create the manifest of a directory
    struct Create {
        /// The algorithm, or several [default: sha256]
        algorithm: Vec<String> { short: 'a', value: "ALGORITHM", parser: ALGORITHMS },
        place: Place,
        tree: Rules,
        /// Also record a check of each piece of SIZE of a file, from 4K to 1G, so that 'verify' can
        /// tell where it is damaged: 1M
        pieces: Option<Size> { value: "SIZE" },
        /// Sign the manifest: with gpg (gpg or gpg:KEY), or with minisign (minisign:FILE, a secret
        /// key)
        sign_with: Option<Key> { value: "KEY" },
        /// Also record these; separate several with commas
        record: Vec<Extra> { value: "WHAT", delimiter: Some(','), heading: "Trees" },
    }
}

choices! {
    enum Extra {
        Modes = "modes",
        Links = "links",
        Directories = "directories", // empty directories
    }
}

options! {
    /// Create the manifest again with the same algorithms and rules, and write what differs
    struct Update {
        /// Skip files whose size, times and inode number have not changed
        quick: bool { short: 'q' },
        /// Write what differs, but leave the manifest unchanged
        dry_run: bool { short: 'n' },
        /// Replace the records of corrupt and suspect files by their present content
        accept: bool,
        /// Remove records even if most files, or all files of a directory, are missing
        allow_removal: bool,
        signatures: Signatures,
        /// Sign the manifest: with gpg (gpg or gpg:KEY), or with minisign (minisign:FILE, a secret
        /// key)
        sign_with: Option<Key> { value: "KEY" },
        /// Write a JSON object for each difference
        json: bool,
        place: Place,
    }
}

options! {
    /// Read all files and write what differs
    struct Verify {
        /// Skip files whose size, times and inode number have not changed
        quick: bool { short: 'q' },
        /// Only write which files are missing or new, without reading any
        names: bool { conflicts: &["quick"] },
        /// Read only part K of N. The part of a file depends on its name alone, and N runs read all
        part: Option<Part> { value: "K/N", conflicts: &["names"] },
        /// Keep in MANIFEST.verified when each file was verified, and continue there if such a run
        /// was stopped
        go_on: bool { long: "continue", conflicts: &["names"] },
        /// Read only files whose last verification, as MANIFEST.verified has it, is older: 12h,
        /// 30d, 4w
        older_than: Option<Age> { value: "AGE", conflicts: &["names"] },
        /// Repair suspect, corrupt and unreadable files from a copy of the directory: write
        /// FILE.repaired from the good pieces of both. No file is replaced
        repair_from: Option<PathBuf> {
            value: "COPY", hint: ValueHint::DirPath, conflicts: &["names"],
        },
        signatures: Signatures,
        /// Write a JSON object for each difference
        json: bool,
        /// At the end, write a JSON object about the whole run, for a monitor
        summary: bool,
        place: Place,
    }
}

options! {
    /// Write what differs between two manifests, or a manifest and a list, without reading the
    /// files
    struct Compare {
        /// Write a JSON object for each difference
        json: bool,
        /// The older manifest, or a list in any format that 'check' reads
        manifest: One<PathBuf> { is_operand: true, value: "MANIFEST", hint: ValueHint::FilePath },
        /// The newer manifest or list; - is a list on standard input
        newer: One<PathBuf> { is_operand: true, value: "NEWER", hint: ValueHint::FilePath },
    }
}

/// Returns an error about which the user must decide: many files are missing.
fn alarm(path: &Path, message: impl Into<String>) -> Failure {
    Failure { status: ALARM, ..Failure::new(path, message) }
}

/// The exit status if the user must decide: a file may be damaged, or many files are missing.
const ALARM: u8 = 3;

fn create(console: &mut Console, arguments: &Create) -> Result<bool, Failure> {
    let recipes = keyless_recipes(console, &arguments.algorithm)?;
    if let Some(old) = recipes.iter().find(|recipe| recipe.algorithm().size().is_some()) {
        return Err(console.wrong_options(format!(
            "{old} has its own line format, which manifests do not support"
        )));
    }
    let mut rules = arguments.tree.clone();
    rules.extras = Extras {
        modes: arguments.record.contains(&Extra::Modes),
        links: arguments.record.contains(&Extra::Links),
        directories: arguments.record.contains(&Extra::Directories),
    };
    let pieces = arguments.pieces.map(|it| it.0);
    if pieces.is_some_and(|len| !(4 << 10..=1 << 30).contains(&len.get())) {
        return Err(console.wrong_options("--pieces is a size from 4K to 1G"));
    }
    let paths = arguments.place.paths(console)?;
    let root = arguments.place.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let tree = arguments.place.tree(console, &paths, root, &rules)?;
    let header = Header { recipes, rules, tree: tree_of(&tree.root, &paths)?, pieces };
    if header.tree.is_none() {
        let message = "the path of the directory cannot be written in it: 'verify' will need it";
        console.say_of(&bytes(&paths.named), message);
    }
    let message = "the manifest exists; 'hashmill manifest update' updates it";
    let there_is_one = || Failure::new(&paths.named, message);
    let exists = paths.manifest.exists();
    if exists && !paths.is_interrupted() {
        return Err(there_is_one());
    }
    let locked = paths.lock(journal::Command::Create)?;
    // If an earlier run was killed after it had renamed the manifest, this run creates it again,
    // with the same bytes.
    if exists && !locked.was_complete() {
        return Err(there_is_one());
    }
    let replace = if exists { Replace::Yes } else { Replace::No };
    let journal = locked.begin(header.clone())?;
    let survey = Survey::of(&tree, &header, &arguments.place.work, Policy::default());
    let Surveyed { well, tally, .. } = Survey { journal: Some(&journal), ..survey }.run(console)?;
    journal.complete(Ahead::empty(), Vec::new(), replace)?;
    finish(console, arguments.sign_with.as_ref(), &paths, &tally)?;
    Ok(well)
}

fn update(console: &mut Console, arguments: &Update) -> Result<bool, Failure> {
    let place = &arguments.place;
    let path = &place.manifest.0;
    let Opened { paths, mut manifest, header, root } =
        place.open(console, &arguments.signatures)?;
    if !root.exists() {
        return Err(alarm(&root, "No such file or directory: the manifest is left as it was"));
    }
    let tree = place.tree(console, &paths, root, &header.rules)?;
    let stamp = || fs::metadata(path).map(|it| Stamp::of(&it, Extras::default())).ok();
    let replaced = || Failure::new(path, "Another run has replaced it");
    let (mut journal, mut before, mut is_same) = (None, None, true);
    if !arguments.dry_run {
        let locked = paths.lock(journal::Command::Update)?;
        // It was read for the rules of the tree, and another run may have replaced it before it was
        // locked.
        manifest = Manifest::verified(console, path, manifest.trusted)?;
        before = stamp();
        if manifest.open(console)?.header != header {
            return Err(replaced());
        }
        let new = Header { tree: tree_of(&tree.root, &paths)?, ..header.clone() };
        is_same = new == header;
        journal = Some(locked.begin(new)?);
    }
    let policy = Policy {
        quick: arguments.quick,
        accept: arguments.accept,
        emptied: (!arguments.allow_removal).then(|| Emptied::new(&tree.root)),
        json: arguments.json,
        ..Policy::default()
    };
    let survey = Survey::of(&tree, &header, &place.work, policy);
    let survey = Survey { manifest: Some(&manifest), journal: journal.as_ref(), ..survey };
    let Surveyed { found, well, tally, .. } = survey.run(console)?;
    let refused = refuse_removal(console, &tree, path, &found, arguments.allow_removal);
    let Some(journal) = journal else {
        return refused.and_then(|()| outcome(&found, well && !found.differs));
    };
    if let Err(failure) = refused {
        journal.abandon()?;
        return Err(failure);
    }
    // If the differences cannot be written, the manifest stays, and the next run writes them again.
    console.flush()?;
    let outcome = outcome(&found, well);
    if is_same && found.gone.is_empty() && journal.is_empty() {
        // The manifest would be the same.
        journal.abandon()?;
    } else {
        // Without --quick, all records are in the journal.
        let old = match arguments.quick {
            true => Ahead::of(path, manifest.open(console)?).without(found.gone),
            false => Ahead::empty(),
        };
        if stamp() != before {
            return Err(replaced());
        }
        journal.complete(old, found.kept, Replace::Yes)?;
    }
    finish(console, arguments.sign_with.as_ref(), &paths, &tally)?;
    outcome
}

/// Says which directories are empty whose records are kept. Fails with a message if `found` says
/// that many files are missing, unless the user allows that.
fn refuse_removal(
    console: &mut Console,
    tree: &Directory,
    path: &Path,
    found: &Found,
    allowed: bool,
) -> Result<(), Failure> {
    let why = policy::mass_removal(&tree.root, found.removed, found.records);
    if let Some(why) = why.filter(|_| !allowed) {
        let message = "the manifest is left as it was. If these files were removed on purpose, \
                       use --allow-removal";
        return Err(alarm(path, format!("{why}: {message}")));
    }
    for (directory, records) in &found.emptied {
        let directory = tree.root.join(os_name(directory));
        let message = match records {
            1 => "is empty, and its record is kept. --allow-removal removes it".to_owned(),
            records => {
                format!(
                    "is empty, and its {records} records are kept. --allow-removal removes them"
                )
            }
        };
        console.say_of(&bytes(&directory), message);
    }
    Ok(())
}

/// Returns the result of a comparison as the program's result.
fn outcome(found: &Found, well: bool) -> Result<bool, Failure> {
    if found.alarm { Err(Failure::said(ALARM)) } else { Ok(well) }
}

fn verify(console: &mut Console, arguments: &Verify) -> Result<bool, Failure> {
    let place = &arguments.place;
    let path = &place.manifest.0;
    let Opened { paths, manifest, header, root } = place.open(console, &arguments.signatures)?;
    let tree = place.tree(console, &paths, root, &header.rules)?;
    if let Some(copy) = arguments.repair_from.as_ref().filter(|copy| !copy.is_dir()) {
        return Err(Failure::new(copy, "Not a directory"));
    }
    let keeps = arguments.go_on || arguments.older_than.is_some();
    let open = || History::open(&paths, &tree.root, arguments.go_on, arguments.older_than);
    let history = keeps.then(open).transpose()?;
    if let Some((name, files)) = history.as_ref().and_then(|it| it.stopped.as_ref()) {
        let name = console.quote_name(name);
        let message = format!("a run stopped after {name}; this one continues, {files} files on");
        console.say_of(&bytes(path), message);
    }
    let policy = Policy {
        quick: arguments.quick,
        names_only: arguments.names,
        part: arguments.part,
        json: arguments.json,
        ..Policy::default()
    };
    let survey = Survey::of(&tree, &header, &place.work, policy);
    let survey = Survey { manifest: Some(&manifest), history: history.as_ref(), ..survey };
    let surveyed = survey.run(console)?;
    if let Some(copy) = &arguments.repair_from {
        repair(console, arguments, &tree, &header, copy, &surveyed.found)?;
    }
    let ages = history.map(History::end).transpose()?;
    if arguments.summary {
        console.print(surveyed.summary(ages))?;
    }
    let Surveyed { found, well, tally, read } = surveyed;
    let well = well && !found.differs;
    if well {
        let some = arguments.part.is_some() || keeps;
        let message = match (arguments.names, arguments.quick) {
            (true, _) => format!("all are there: {}", tally.files()),
            (_, true) => format!("all are as recorded: {tally}; only changed files were read"),
            _ if some => format!("all are there: {}; as recorded: {read}", tally.files()),
            _ => format!("all are as recorded: {tally}"),
        };
        tell(console, path, &message);
    }
    outcome(&found, well)
}

/// Writes new files for those that may be damaged, from them and from the files below `copy`.
fn repair(
    console: &mut Console,
    arguments: &Verify,
    tree: &Directory,
    header: &Header,
    copy: &Path,
    found: &Found,
) -> Result<(), Failure> {
    for record in found.kept.iter().filter(|record| !record.digests().is_empty()) {
        let name = &record.name;
        let [file, copy] = [&tree.root, copy].map(|it| it.join(os_name(name)));
        match repair::repair(header, record, &file, &copy, arguments.place.work.jobs()) {
            Ok(Repaired { path, from_copy }) => {
                let mut fields = json::Record::new();
                json::put_name(&mut fields, "to", &bytes(&path));
                fields.insert("from_copy".to_owned(), repair::in_json(&from_copy));
                let [from, to] = [name, &bytes(&path)].map(|it| console.quote_name(it));
                let line = format!("{from} -> {to}: {} from the copy", repair::shown(&from_copy));
                report(console, arguments.json, Status::Repaired, name, &line, fields)?;
            }
            Err(message) => console.say_of(name, format!("not repaired: {message}")),
        }
    }
    Ok(())
}

fn compare(console: &mut Console, arguments: &Compare) -> Result<bool, Failure> {
    let (path, newer) = (&arguments.manifest.0, &arguments.newer.0);
    if let Some(directory) = [path, newer].into_iter().find(|path| path.is_dir()) {
        let message = "a directory, but 'compare' expects manifests or lists: \
                       'hashmill manifest verify' compares a manifest with its directory";
        return Err(Failure::new(directory, message));
    }
    let (old, new) = (read(console, path)?, read(console, newer)?);
    // A list has only files.
    let only_files = old.is_err() || new.is_err();
    let Some(Ok(manifest)) = [&old, &new].into_iter().find(|side| side.is_ok()) else {
        return Err(console.fatal("one of the two must be a manifest, not a list"));
    };
    let manifest = manifest.header.clone();
    let mut policy = Policy { json: arguments.json, ..Policy::default() };
    let mut records = |path: &Path, side: Side| {
        let (header, records) = match side {
            Ok(reader) => (reader.header.clone(), Ahead::of(path, *reader)),
            Err(list) => {
                let name = bytes(path);
                let listed = listed::read(console, &name, list, &manifest.recipes)?;
                policy.without_sizes |= !listed.has_sizes;
                let header = Header { recipes: listed.recipes, ..manifest.clone() };
                (header, Ahead::of_list(listed.records))
            }
        };
        Ok((header, if only_files { records.files() } else { records }))
    };
    let (before, old) = records(path, old)?;
    let (after, mut new) = records(newer, new)?;
    let Some(mut comparison) = Comparison::new(old, &before, &after, policy) else {
        return Err(console.fatal("the two manifests have no algorithm in common"));
    };
    while let Some(record) = new.take_to(None)? {
        comparison.put(console, record)?;
    }
    let found = comparison.finish(console)?;
    outcome(&found, !found.differs)
}

/// What is compared: a manifest, or the file with a list.
type Side = Result<Box<Reader>, File>;

/// Opens a manifest or a list; `-` is standard input.
fn read(console: &mut Console, path: &Path) -> Result<Side, Failure> {
    let name = bytes(path);
    let file = console.open(&name).map_err(Failure::with(path))?;
    let is_manifest = file.metadata().is_ok_and(|it| it.is_file())
        && is_manifest(&file).map_err(Failure::with(path))?;
    if !is_manifest {
        return Ok(Err(file));
    }
    let manifest = Manifest { path, trusted: None, verified: None };
    Ok(Ok(Box::new(manifest.open(console)?)))
}

/// One walk through a tree, which compares it with its manifest, records it in a journal, or both.
struct Survey<'a> {
    tree: &'a Directory,
    header: &'a Header,
    jobs: Jobs,
    /// What the tree is compared with.
    manifest: Option<&'a Manifest<'a>>,
    /// Where all files are recorded, except for those that `Policy::quick` skips.
    journal: Option<&'a Journal>,
    /// The times of earlier verifications, if these decide which files are read.
    history: Option<&'a History>,
    policy: Policy,
}

/// The result of a walk.
struct Surveyed {
    found: Found,
    /// Whether all files could be read.
    well: bool,
    /// Which files there are, and which were read.
    tally: Tally,
    read: Tally,
}

impl Surveyed {
    /// Returns the whole result as a JSON object.
    fn summary(&self, ages: Option<Ages>) -> Vec<u8> {
        let Surveyed { found, well, tally, read } = self;
        let status = match (found.alarm, found.differs || !well) {
            (true, _) => "alarm",
            (_, true) => "differs",
            _ => "ok",
        };
        let of = |tally: &Tally| serde_json::json!({"files": tally.files, "bytes": tally.bytes});
        let mut summary = serde_json::json!({
            "status": status,
            "there": of(tally),
            "read": of(read),
            "differences": found.counts,
            "seconds": tally.started.elapsed().as_secs_f64(),
        });
        if let Some(Ages { oldest, never }) = ages {
            summary["oldest_verification"] = oldest.map(|time| time.to_string()).into();
            summary["never_verified"] = never.into();
        }
        json::line([("summary".to_owned(), summary)].into_iter().collect())
    }
}

impl<'a> Survey<'a> {
    /// Returns a walk that only reads files.
    fn of(tree: &'a Directory, header: &'a Header, work: &Work, policy: Policy) -> Survey<'a> {
        let jobs = work.jobs();
        Survey { tree, header, jobs, manifest: None, journal: None, history: None, policy }
    }

    fn run(self, console: &mut Console) -> Result<Surveyed, Failure> {
        let Survey { tree, header, journal, history, policy, .. } = self;
        let Policy { quick, names_only, part, .. } = policy;
        let (mut comparison, mut known) = (None, Ahead::empty());
        if let Some(manifest) = self.manifest {
            let mut old = Ahead::of(manifest.path, manifest.open(console)?);
            if quick || history.is_some() {
                (old, known) = old.twice();
            }
            let new = Comparison::new(old, header, header, policy);
            comparison = Some(new.expect("a manifest has its own algorithms"));
        }
        // What a killed run has read is newer than the manifest.
        let left = journal
            .map(|it| &it.paths.resume)
            .and_then(|path| Some(Ahead::of(path, Reader::open(path).ok()?)));
        let mut left = left.unwrap_or_else(Ahead::empty);
        let wanted = header.wanted();
        let extras = tree.rules.extras;
        let mut entries = tree.entries(self.jobs.get());
        let (mut tally, mut read) = (Tally::default(), Tally::default());
        let mut item = || {
            let mut entry = entries.next()?;
            let mut is_read = !names_only;
            match &entry {
                Entry::File(file) => {
                    tally.add(file.stamp.size);
                    let record = known.find(&file.name);
                    if let (Some(history), Some(record)) = (history, &record) {
                        is_read &= history.is_due(record, &file.stamp);
                    }
                    is_read &= part.is_none_or(|part| part.has(&file.name));
                    if let Some(left) = left.find(&file.name).filter(|it| file.has(it)) {
                        journal.inspect(|it| it.repeat(&left));
                        entry = Entry::Other(left);
                    } else if let Some(record) = record.filter(|it| quick && file.has(it)) {
                        entry = Entry::Other(record);
                    }
                }
                Entry::Other(new) if known.find(&new.name).as_ref() != Some(new) => {
                    journal.inspect(|it| it.repeat(new));
                }
                _ => {}
            }
            let recipes = if is_read { &*wanted } else { &[] };
            Some(Item { entry, recipes, extras, journal })
        };
        let mut source = |_| item().map_or(Next::End, Next::Job);
        let check = || journal.map_or(Ok(()), Journal::check);
        let mut well = true;
        pool::run(console, self.jobs, &mut source, &mut |console, item, outcome| {
            check()?;
            let mut unreadable = None;
            match (item.entry, outcome) {
                (Entry::File(file), Some(Err(error))) => {
                    console.fault(&file.path, reason(&error), &mut well);
                    unreadable = Some((file.name, Some(file.stamp)));
                }
                (Entry::Unreadable(name, found), _) => {
                    found.file(console, true, &mut well);
                    unreadable = Some((name, None));
                }
                (Entry::Note(found), _) => drop(found.file(console, true, &mut well)),
                (Entry::Other(record), _) => {
                    if let Some(comparison) = &mut comparison {
                        comparison.put(console, record)?;
                    }
                }
                (Entry::File(file), outcome) => {
                    let values = outcome.and_then(Result::ok).unwrap_or_default();
                    let is_read = !values.is_empty();
                    if is_read {
                        read.add(file.stamp.size);
                    }
                    let Some(comparison) = &mut comparison else { return Ok(()) };
                    let record = file.record(header.digests(&values, file.stamp.size));
                    let as_recorded = comparison.put(console, record)?;
                    if let (Some(record), Some(history), true) = (as_recorded, history, is_read) {
                        history.add(&record)?;
                    }
                }
            }
            if let (Some((name, stamp)), Some(comparison)) = (unreadable, &mut comparison) {
                comparison.unreadable.add(name, stamp);
            }
            Ok(())
        })?;
        check()?;
        let found = comparison.map(|it| it.finish(console)).transpose()?.unwrap_or_default();
        Ok(Surveyed { found, well, tally, read })
    }
}

/// A manifest that a command reads, perhaps several times.
struct Manifest<'a> {
    path: &'a Path,
    /// The keys whose signatures are accepted, if it must be signed.
    trusted: Option<Trusted>,
    /// The text whose signature was verified. If there is one, the file itself is not read again.
    verified: Option<Verified>,
}

impl Manifest<'_> {
    /// Verifies the manifest's signature if there are trusted keys.
    fn verified<'a>(
        console: &mut Console,
        path: &'a Path,
        trusted: Option<Trusted>,
    ) -> Result<Manifest<'a>, Failure> {
        let verify = |keys| signed::verified(console, &bytes(path), keys);
        let verified = trusted.as_ref().map(verify).transpose();
        let verified = verified.map_err(|message| Failure::new(path, message))?;
        Ok(Manifest { path, trusted, verified })
    }

    fn open(&self, console: &mut Console) -> Result<Reader, Failure> {
        let path = self.path;
        let reader = match &self.verified {
            None => Reader::open(path),
            Some(verified) => verified.open().map_err(Problem::from).and_then(Reader::new),
        };
        if let Err(Problem::NoManifest) = reader {
            let failure = Problem::of(path)(Problem::NoManifest).say(console);
            guess::after_no_manifest(console, path);
            return Err(failure);
        }
        let reader = reader.map_err(Problem::of(path))?;
        match reader.journal_of {
            None => Ok(reader),
            Some(_) => Err(Failure::new(path, "the journal of a manifest, not a manifest")),
        }
    }
}

/// Writes a message about a manifest for a person.
fn tell(console: &mut Console, manifest: &Path, message: &str) {
    let name = console.quote_name(&bytes(manifest));
    console.tell(format!("{name}: {message}"));
}

/// Signs the written manifest if the user gave a key, and says what it records.
fn finish(
    console: &mut Console,
    key: Option<&Key>,
    paths: &Paths,
    tally: &Tally,
) -> Result<(), Failure> {
    sign::sign(key, &paths.manifest, &paths.named, "manifest")?;
    tell(console, &paths.named, &format!("recorded: {tally}"));
    Ok(())
}
