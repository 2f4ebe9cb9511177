//! `hashmill duplicates`: finds files with equal content. It reads as little as it can: nothing of a
//! file whose size no other file has, then the first and the last block of files with the same size,
//! and the whole content only of files that agree so far.

use crate::commands::options::{AlgorithmNames, TreeRules, Work, keyless_recipes};
use crate::files::input::os_name;
use crate::files::job::{FileId, Job, Next, Wanted};
use crate::files::pool;
use crate::files::walk::Found;
use crate::hashing::recipe::{Computed, Recipe};
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress::Tally;
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::{escape_line, is_harmless, shell};
use clap::{Args, ValueHint};
use hashmill::Blake3;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf, absolute};

/// Find files with equal content
#[derive(Args)]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct Arguments {
    /// The algorithm whose digests are compared [default: sha256]
    #[arg(long, short, value_name = "ALGORITHM", value_parser = AlgorithmNames, hide_possible_values = true)]
    algorithm: Option<String>,
    /// Leave out files of fewer than BYTES bytes
    #[arg(long, value_name = "BYTES", default_value = "1")]
    min_size: u64,
    /// Write a JSON object for each group
    #[arg(long, conflicts_with = "zero")]
    json: bool,
    /// End each name with NUL, and each group with one more NUL; write one name of each file
    #[arg(long, short)]
    zero: bool,
    #[command(flatten)]
    work: Work,
    /// The directories and files [default: the current directory]
    #[arg(value_name = "DIR", value_hint = ValueHint::AnyPath)]
    directories: Vec<OsString>,
    #[command(flatten)]
    tree: TreeRules,
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

Exit status: 0 if all files could be read, whether or not some are equal, 1 if not, 2 if the \
options are invalid.";

/// A file and all of its names that were found.
struct Content {
    names: Vec<Vec<u8>>,
    size: u64,
}

/// The number of bytes of the first and of the last block.
const BLOCK: u64 = 4096;

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let names: Vec<String> = arguments.algorithm.iter().cloned().collect();
    let [recipe] = &*keyless_recipes(console, &names)? else {
        return Err(console.wrong_options("duplicates are found by one algorithm"));
    };
    arguments.work.show_progress(console);
    let mut well = true;
    let files = found(console, arguments, &mut well)?;
    let mut tally = Tally::default();
    files.iter().for_each(|file| tally.add(file.size));
    let groups = grouped(files, |it| Some(it.size));
    let groups = groups.into_iter().flat_map(|group| {
        grouped(group, |it| match ends(it) {
            Ok(ends) => Some(ends),
            Err(error) => {
                console.say_of(&it.names[0], reason(&error));
                well = false;
                None
            }
        })
    });
    let candidates: Vec<Content> = groups.flatten().collect();
    let total = candidates.iter().map(|it| it.size).sum();
    console.progress.expect(move || Some(total));
    let mut groups: HashMap<(u64, Vec<u8>), Vec<Content>> = HashMap::new();
    let mut candidates = candidates.into_iter();
    pool::run(
        console,
        arguments.work.jobs(),
        &mut |_| match candidates.next() {
            Some(content) => Next::Job(Item { content, recipe }),
            None => Next::End,
        },
        &mut |console, item, outcome| {
            match outcome {
                Some(Ok(values)) => {
                    if let Some(Computed { bytes, message_len, .. }) = values.into_iter().next() {
                        groups.entry((message_len, bytes)).or_default().push(item.content);
                    }
                }
                Some(Err(error)) => {
                    console.say_of(&item.content.names[0], reason(&error));
                    well = false;
                }
                None => {}
            }
            Ok(())
        },
    )?;
    let mut groups: Vec<_> = groups.into_iter().filter(|(_, group)| group.len() > 1).collect();
    groups.sort_by(|(_, a), (_, b)| a[0].names[0].cmp(&b[0].names[0]));
    if groups.is_empty() {
        console.tell(format!("no two files are equal: {}", tally.files()));
    }
    for ((size, digest), group) in groups {
        let text = match arguments.json {
            true => record(recipe, size, &digest, &group),
            false => lines(console, arguments.zero, &group),
        };
        console.print(text)?;
    }
    Ok(well)
}

/// Finds all files that are long enough, in the order of their first names.
fn found(
    console: &mut Console,
    arguments: &Arguments,
    well: &mut bool,
) -> Result<Vec<Content>, Failure> {
    let here = [OsString::from(".")];
    let roots = if arguments.directories.is_empty() { &here[..] } else { &arguments.directories };
    let rules = arguments.tree.rules();
    let mut files: Vec<Content> = Vec::new();
    let mut known: HashMap<FileId, usize> = HashMap::new();
    let mut seen = HashSet::new();
    for root in roots {
        for entry in rules.walk(Path::new(root)).map_err(|it| console.wrong_options(it))? {
            let name = match entry {
                Found::File(name) => name,
                Found::Error(name, message) => {
                    console.say_of(&name, message);
                    *well = false;
                    continue;
                }
                Found::Note(name, message) => {
                    console.say_of(&name, message);
                    continue;
                }
                _ => continue,
            };
            let path = PathBuf::from(os_name(&name));
            let metadata = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) => {
                    console.say_of(&name, reason(&error));
                    *well = false;
                    continue;
                }
            };
            // The directories of the command line may overlap.
            if metadata.len() < arguments.min_size || !seen.insert(absolute(&path).unwrap_or(path))
            {
                continue;
            }
            let id = FileId::of(&metadata);
            match id.and_then(|id| known.get(&id)) {
                Some(&index) => files[index].names.push(name),
                None => {
                    known.extend(id.map(|id| (id, files.len())));
                    files.push(Content { names: vec![name], size: metadata.len() });
                }
            }
        }
    }
    Ok(files)
}

/// Divides files into groups with the same key, and leaves out files that are alone in their group
/// or have no key.
fn grouped<K: Ord>(
    files: Vec<Content>,
    mut key: impl FnMut(&Content) -> Option<K>,
) -> Vec<Vec<Content>> {
    let mut groups: BTreeMap<K, Vec<Content>> = BTreeMap::new();
    for file in files {
        if let Some(key) = key(&file) {
            groups.entry(key).or_default().push(file);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Returns a digest of the first and of the last block of a file.
fn ends(content: &Content) -> io::Result<[u8; 32]> {
    let mut file = File::open(os_name(&content.names[0]))?;
    let mut hasher = Blake3::new();
    let mut block = Vec::new();
    (&mut file).take(BLOCK).read_to_end(&mut block)?;
    hasher.update(&block);
    if content.size > BLOCK {
        file.seek(SeekFrom::Start(content.size - BLOCK))?;
        block.clear();
        file.take(BLOCK).read_to_end(&mut block)?;
        hasher.update(&block);
    }
    Ok(hasher.finalize().into())
}

struct Item<'a> {
    content: Content,
    recipe: &'a Recipe,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        let recipes = std::slice::from_ref(self.recipe);
        let name = &self.content.names[0];
        Some(Wanted { name, recipes, regular: true, watched: false, except: None })
    }
}

/// Returns the lines of a group.
fn lines(console: &Console, zero: bool, group: &[Content]) -> Vec<u8> {
    let end = if zero { b'\0' } else { b'\n' };
    let mut text = Vec::new();
    for content in group {
        let names = if zero { &content.names[..1] } else { &content.names };
        for (index, name) in names.iter().enumerate() {
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

/// Returns a group as a JSON object.
fn record(recipe: &Recipe, size: u64, digest: &[u8], group: &[Content]) -> Vec<u8> {
    let file = |content: &Content| -> serde_json::Value {
        let mut names = content.names.iter().map(|name| json::of_file(name));
        let mut file = names.next().unwrap_or_default();
        let links: Vec<serde_json::Value> = names.map(Into::into).collect();
        if !links.is_empty() {
            file.insert("links".to_owned(), links.into());
        }
        file.into()
    };
    let mut record = json::Record::new();
    record.insert("size".to_owned(), size.into());
    let digests = [(recipe.to_string(), Encoding::Hex.encode(digest).into())];
    record.insert("digests".to_owned(), digests.into_iter().collect::<json::Record>().into());
    record.insert("files".to_owned(), group.iter().map(file).collect::<Vec<_>>().into());
    json::line(record)
}
