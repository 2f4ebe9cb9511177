//! `hashmill duplicates`: finds files with equal content. It reads as little as it can: nothing of a
//! file whose size no other file has, then the first and the last block of long files with the same
//! size, and the whole content only of files that agree so far.

use crate::commands::options::{ALGORITHMS, Work, keyless_recipes};
use crate::files::input::os_name;
use crate::files::job::{FileId, Job, Next, Wanted};
use crate::files::ordered;
use crate::files::pool;
use crate::files::reader::{self, Opened};
use crate::files::walk::{Found, Rules};
use crate::hashing::recipe::{Computed, Recipe};
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress::Tally;
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::{escape_line, is_harmless, shell};
use crate::text::table::{Field, One, Options, Row, options};
use clap::ValueHint;
use hashmill::Blake3;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};

options! {
    /// Find files with equal content
    pub struct Arguments {
        /// The algorithm whose digests are compared [default: blake3, and sha256 with --json, which
        /// shows them]
        algorithm: Option<String> { short: 'a', value: "ALGORITHM", parser: ALGORITHMS },
        /// Leave out files of fewer than BYTES bytes
        min_size: One<u64> { value: "BYTES", default: "1" },
        /// Write a JSON object for each group
        json: bool { conflicts: &["zero"] },
        /// End each name with NUL, and each group with one more NUL; write one name of each file
        zero: bool { short: 'z' },
        /// Write the groups as fdupes and jdupes do: one name of each file, and no name is escaped
        fdupes: bool { conflicts: &["zero", "json"] },
        /// Find only files that are equal to one below another of the given directories
        isolate: bool { short: 'I' },
        work: Work,
        /// The directories and files [default: the current directory]
        directories: Vec<OsString> { is_operand: true, value: "DIR", hint: ValueHint::AnyPath },
        tree: Rules,
    }
    |command| command.long_about(LONG_ABOUT).after_help(AFTER_HELP)
}

const LONG_ABOUT: &str = "\
Find files with equal content. Files that are equal form a group: their names, one on each line, \
and an empty line at the end. Further names of one file (hard links), which take no space of \
their own, come directly after its first name, with '= ' before them. Names with line breaks or \
backslashes are escaped and have a backslash before them, as in lists.

Files are equal if their sizes and their digests are. Files are only read, never changed or \
deleted.";

const AFTER_HELP: &str = "\
Examples:
  hashmill duplicates ~/photos
  hashmill duplicates --min-size 1000000 --json a b
  hashmill duplicates --exclude .git .
  hashmill duplicates --isolate photos backup

Exit status: 0 if all files could be read, whether or not some are equal, 1 if not, 2 if the \
options are invalid.";

/// A file and all of its names that were found.
struct Content {
    name: Vec<u8>,
    /// The further names.
    links: Vec<Vec<u8>>,
    size: u64,
    /// A digest of the first and of the last block, once they are read.
    ends: Option<Box<[u8; 32]>>,
    /// The operand below which the first name was found, and the place of that name in the order in
    /// which all names were found.
    operand: usize,
    place: usize,
}

/// The number of bytes of the first and of the last block.
const BLOCK: usize = 4096;

/// The number of bytes up to which a file is read as a whole at once: to open it a second time
/// costs more than to hash it.
const WHOLE: u64 = 4 * BLOCK as u64;

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let usual = (!arguments.json).then(|| "blake3".to_owned());
    let names: Vec<String> = arguments.algorithm.clone().or(usual).into_iter().collect();
    let [recipe] = &*keyless_recipes(console, &names)? else {
        return Err(console.wrong_options("duplicates are found by one algorithm"));
    };
    arguments.work.show_progress(console);
    let jobs = arguments.work.jobs();
    let mut well = true;
    let files = found(console, arguments, &mut well)?;
    let mut tally = Tally::default();
    files.iter().for_each(|file| tally.add(file.size));
    let are_copies = |a: &Content, b: &Content| !arguments.isolate || a.operand != b.operand;
    let (mut candidates, long): (Vec<_>, Vec<_>) =
        alike(files, &are_copies).into_iter().partition(|it| it.size <= WHOLE);
    let mut with_ends = Vec::with_capacity(long.len());
    let ends = |content: Content| {
        let ends = ends(&content);
        (content, ends)
    };
    for (content, ends) in ordered::map(jobs.get(), long.into_iter(), ends) {
        match ends {
            Ok(ends) => with_ends.push(Content { ends: Some(Box::new(ends)), ..content }),
            Err(error) => console.fault(&content.name, reason(&error), &mut well),
        }
    }
    candidates.extend(alike(with_ends, &are_copies));
    in_order(&mut candidates);
    let total = candidates.iter().map(|it| it.size).sum();
    console.progress.expect(move || Some(total));
    let mut hashed = Vec::with_capacity(candidates.len());
    let mut items = candidates.into_iter().map(|content| Item { content, recipe });
    let mut source = |_| items.next().map_or(Next::End, Next::Job);
    pool::run(console, jobs, &mut source, &mut |console, Item { content, .. }, outcome| {
        match outcome.unwrap_or(Ok(Vec::new())) {
            Ok(values) => {
                hashed.extend(values.into_iter().next().map(|it| Hashed::new(it, content)))
            }
            Err(error) => console.fault(&content.name, reason(&error), &mut well),
        }
        Ok(())
    })?;
    hashed.sort_unstable_by(|a, b| {
        let order = a.start.cmp(&b.start).then_with(|| a.digest.cmp(&b.digest));
        order.then_with(|| (a.size, a.content.place).cmp(&(b.size, b.content.place)))
    });
    let mut groups: Vec<&[Hashed]> = hashed
        .chunk_by(|a, b| a.start == b.start && a.digest == b.digest && a.size == b.size)
        .filter(|group| group[1..].iter().any(|it| are_copies(&group[0].content, &it.content)))
        .collect();
    groups.sort_by(|a, b| a[0].content.name.cmp(&b[0].content.name));
    if groups.is_empty() {
        console.tell(format!("no two files are equal: {}", tally.files()));
    }
    for group in groups {
        let text = match (arguments.json, arguments.fdupes) {
            (true, _) => record(recipe, group),
            (_, true) => as_fdupes(console, group, &mut well),
            _ => lines(console, arguments.zero, group),
        };
        console.print(text)?;
    }
    Ok(well)
}

/// A file and its digest.
struct Hashed {
    /// The first bytes of the digest. They decide nearly all comparisons of two files.
    start: u64,
    digest: Vec<u8>,
    size: u64,
    content: Content,
}

impl Hashed {
    fn new(value: Computed, content: Content) -> Hashed {
        let Computed { bytes: digest, message_len: size, .. } = value;
        let start = digest.first_chunk().map_or(0, |start| u64::from_be_bytes(*start));
        Hashed { start, digest, size, content }
    }
}

/// Finds all files that are long enough, in the order of their first names.
fn found(
    console: &mut Console,
    arguments: &Arguments,
    well: &mut bool,
) -> Result<Vec<Content>, Failure> {
    let here = [OsString::from(".")];
    let roots = if arguments.directories.is_empty() { &here[..] } else { &arguments.directories };
    let rules = &arguments.tree;
    let threads = arguments.work.jobs().get();
    let mut files: Vec<(Option<FileId>, Content)> = Vec::new();
    let mut seen = HashSet::new();
    let paths: Vec<PathBuf> = roots.iter().map(|it| absolute(it).unwrap_or_default()).collect();
    let overlap = (0..paths.len()).any(|i| {
        let others = paths[..i].iter().chain(&paths[i + 1..]);
        others.into_iter().any(|other| paths[i].starts_with(other))
    });
    for (operand, root) in roots.iter().enumerate() {
        let walk = rules.walk(Path::new(root)).map_err(|it| console.wrong_options(it))?;
        let with_metadata = |found: Found| match found {
            Found::File(name) => match fs::metadata(os_name(&name)) {
                Ok(it) => (Found::File(name), Some((it.len(), FileId::of(&it)))),
                Err(error) => (Found::Error(name, reason(&error)), None),
            },
            found => (found, None),
        };
        for (found, metadata) in ordered::map(threads, walk, with_metadata) {
            let file = found.file(console, true, well).zip(metadata);
            let Some((name, (size, id))) = file else { continue };
            let mut is_new = || {
                let path = PathBuf::from(os_name(&name));
                seen.insert(absolute(&path).unwrap_or(path))
            };
            if size >= arguments.min_size.0 && (!overlap || is_new()) {
                let place = files.len();
                let links = Vec::new();
                files.push((id, Content { name, links, size, ends: None, operand, place }));
            }
        }
    }
    // Further names of a file are added to its first name.
    files.sort_unstable_by_key(|(id, content)| (*id, content.place));
    files.dedup_by(|(later, name), (id, content)| {
        let is_same = id.is_some() && later == id;
        if is_same {
            content.links.push(std::mem::take(&mut name.name));
        }
        is_same
    });
    let mut files: Vec<Content> = files.into_iter().map(|(_, content)| content).collect();
    in_order(&mut files);
    Ok(files)
}

/// Returns the files that have the size and the ends of another one that is a possible copy of
/// them.
fn alike(mut files: Vec<Content>, are_copies: &dyn Fn(&Content, &Content) -> bool) -> Vec<Content> {
    fn key(content: &Content) -> (u64, Option<&[u8; 32]>) {
        (content.size, content.ends.as_deref())
    }
    files.sort_unstable_by(|a, b| (key(a), a.place).cmp(&(key(b), b.place)));
    let mut keep = Vec::with_capacity(files.len());
    for group in files.chunk_by(|a, b| key(a) == key(b)) {
        let is_group = group[1..].iter().any(|it| are_copies(&group[0], it));
        keep.resize(keep.len() + group.len(), is_group);
    }
    let mut keep = keep.into_iter();
    files.retain(|_| keep.next() == Some(true));
    files
}

/// Sorts files in the order in which their first names were found.
fn in_order(files: &mut [Content]) {
    files.sort_unstable_by_key(|content| content.place);
}

/// Returns a digest of the first and of the last block of a file.
fn ends(content: &Content) -> io::Result<[u8; 32]> {
    let Opened::Regular(file, _) = reader::open(&content.name, true)? else {
        return Err(io::Error::other("No longer a regular file"));
    };
    let mut blocks = [0; 2 * BLOCK];
    let (first, last) = blocks.split_at_mut(BLOCK);
    let mut hasher = Blake3::new();
    let len = reader::fill_at(&file, first, 0)?;
    hasher.update(&first[..len]);
    let len = reader::fill_at(&file, last, content.size - BLOCK as u64)?;
    hasher.update(&last[..len]);
    Ok(hasher.finalize().into())
}

struct Item<'a> {
    content: Content,
    recipe: &'a Recipe,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        let recipes = std::slice::from_ref(self.recipe);
        Some(Wanted { name: &self.content.name, recipes, regular: true })
    }
}

/// Returns the lines of a group.
fn lines(console: &Console, zero: bool, group: &[Hashed]) -> Vec<u8> {
    let end = if zero { b'\0' } else { b'\n' };
    let mut text = Vec::new();
    for Hashed { content, .. } in group {
        let links = if zero { &[][..] } else { &content.links };
        for (index, name) in [&content.name].into_iter().chain(links).enumerate() {
            let quoting = console.quoting().filter(|&it| !is_harmless(name, it));
            if index > 0 {
                text.extend(b"= ");
            }
            match (quoting, escape_line(name).filter(|_| !zero)) {
                (Some(quoting), _) => text.extend(shell(name, quoting).bytes()),
                (None, Some(escaped)) => text.extend([b"\\", &*escaped].concat()),
                (None, None) => text.extend(name),
            }
            text.push(end);
        }
    }
    text.push(end);
    text
}

/// Returns the lines of a group as fdupes writes them. A name with a line break cannot be written.
fn as_fdupes(console: &mut Console, group: &[Hashed], well: &mut bool) -> Vec<u8> {
    let (mut text, mut count) = (Vec::new(), 0);
    for name in group.iter().map(|it| &it.content.name) {
        if name.contains(&b'\n') {
            let message = "a name with a line break cannot be written with --fdupes";
            console.fault(name, message, well);
            continue;
        }
        text.extend([name, &b"\n"[..]].concat());
        count += 1;
    }
    text.push(b'\n');
    if count > 1 { text } else { Vec::new() }
}

/// Returns a group as a JSON object.
fn record(recipe: &Recipe, group: &[Hashed]) -> Vec<u8> {
    let file = |content: &Content| -> serde_json::Value {
        let mut file = json::of_file(&content.name);
        let links = content.links.iter().map(|name| json::of_file(name).into());
        let links: Vec<serde_json::Value> = links.collect();
        if !links.is_empty() {
            file.insert("links".to_owned(), links.into());
        }
        file.into()
    };
    let mut record = json::Record::new();
    let digest = Encoding::Hex.encode(&group[0].digest);
    record.insert("size".to_owned(), group[0].size.into());
    record.insert("digests".to_owned(), serde_json::json!({ recipe.to_string(): digest }));
    record.insert("files".to_owned(), group.iter().map(|it| file(&it.content)).collect());
    json::line(record)
}
