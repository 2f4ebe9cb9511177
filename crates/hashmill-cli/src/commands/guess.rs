//! First guesses: names the right command for a command line that a newcomer writes, and for one
//! that lists or files do not fit.

use crate::files::input::{bytes, os_name};
use crate::hashing::recipe::Recipe;
use crate::lists::names::{self, Kind};
use crate::lists::place::Place;
use crate::manifest::fresh;
use crate::terminal::console::{Console, Failure, WRONG_OPTIONS};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;

/// What is done about a command line whose first word is no command.
pub enum Guess {
    /// These arguments are meant.
    Run(Vec<OsString>),
    /// The line to write to standard error.
    Say(String),
}

/// Other names of commands, which mean the same.
const SYNONYMS: [(&str, &str); 4] = [
    ("version", "--version"),
    ("dupes", "duplicates"),
    ("dups", "duplicates"),
    ("fdupes", "duplicates"),
];

/// Returns the guess for arguments whose first is neither a command nor an option of the program.
/// `parses` returns whether the program takes these arguments. Returns `None` if there is no guess.
pub fn command(
    console: &Console,
    args: &[OsString],
    parses: &dyn Fn(&[OsString]) -> bool,
) -> Option<Guess> {
    let (first, rest) = args.split_first()?;
    let word = first.to_str().unwrap_or_default();
    if let Some((_, name)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == word) {
        return Some(Guess::Run([&[OsString::from(name)], rest].concat()));
    }
    let shown = console.quote_name(first.as_encoded_bytes());
    let line = |words: &[&str], args: &[OsString]| {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        line(console, &[&words, args].concat())
    };
    if word.starts_with('-') && word.len() > 1 {
        let command = options_first(args).find(|args| parses(args))?;
        return Some(Guess::Say(format!("the command comes first: {}", line(&[], &command))));
    }
    let is = |what: &str, words: &[&str]| {
        format!("{shown} is {what}, not a command: {}", line(words, args))
    };
    let no = |words: &[&str]| format!("there is no command {shown}: {}", line(words, rest));
    let path = Path::new(first);
    let said = if is_url(word) {
        format!("{NO_URLS}: curl -L {shown} | {}", line(&["sum"], rest))
    } else if path.exists() && (rest.is_empty() || !names_algorithms(word)) {
        match path {
            path if path.is_dir() => is("a directory", &["sum", "-r"]),
            path if is_manifest(path) => is("a manifest", &["manifest", "verify"]),
            path if is_list(path) => is("a list", &["check"]),
            _ => is("a file", &["sum"]),
        }
    } else if names_algorithms(word) {
        is("an algorithm", &["sum", "-a"])
    } else {
        match word {
            "verify" | "validate" if rest.is_empty() => format!(
                "there is no command {shown}: hashmill check LIST, or hashmill manifest verify \
                 MANIFEST"
            ),
            "verify" | "validate" => {
                let is_manifest = rest.iter().any(|arg| is_manifest(Path::new(arg)));
                no(if is_manifest { &["manifest", "verify"] } else { &["check"] })
            }
            "create" | "update" | "compare" => no(&["manifest", word]),
            "hash" | "digest" => no(&["sum"]),
            "dedupe" | "dedup" | "deduplicate" => {
                let line = line(&["duplicates"], rest);
                format!("there is no command {shown}, because hashmill deletes no file: {line}")
            }
            _ => return None,
        }
    };
    Some(Guess::Say(said))
}

/// Returns the arguments in other orders, for a line that begins with an option.
fn options_first(args: &[OsString]) -> impl Iterator<Item = Vec<OsString>> {
    let own = ["sum", "check", "convert", "manifest", "duplicates", "list", "install", "self"];
    let at = args.iter().position(|arg| own.iter().any(|name| arg == name));
    let moved = at.map(|at| [&args[at..=at], &args[..at], &args[at + 1..]].concat());
    let (checks, others): (Vec<_>, Vec<_>) =
        args.iter().cloned().partition(|arg| arg == "-c" || arg == "--check");
    let check = (!checks.is_empty()).then(|| [&["check".into()], &*others].concat());
    let sum = [&["sum".into()], args].concat();
    moved.into_iter().chain(check).chain([sum])
}

/// Returns whether a word names one algorithm, or several with commas between them.
fn names_algorithms(word: &str) -> bool {
    word.split(',').all(|name| name.parse::<Recipe>().is_ok())
}

const NO_URLS: &str = "URLs are not read";

fn is_url(word: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|scheme| word.starts_with(scheme))
}

fn is_manifest(path: &Path) -> bool {
    File::open(path).and_then(|file| fresh::is_manifest(&file)).unwrap_or(false)
}

fn is_list(path: &Path) -> bool {
    let kind = names::kind(&Place::of(&bytes(path)));
    kind.is_ok_and(|kind| kind != Kind::Other)
}

/// Returns a command line as a shell reads it. Of many arguments, only the first are shown.
fn line(console: &Console, args: &[OsString]) -> String {
    const MOST: usize = 9;
    let quoted = |arg: &OsString| console.quote_name(arg.as_encoded_bytes());
    let mut words: Vec<String> = args.iter().take(MOST).map(quoted).collect();
    if args.len() > MOST {
        words.push("…".to_owned());
    }
    ["hashmill".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns the command line of this run, in which others stand for some of the arguments.
fn retyped(console: &Console, replaced: &[(&OsStr, &[&OsStr])]) -> String {
    let args = std::env::args_os().skip(1).flat_map(|arg| {
        match replaced.iter().find(|(replaced, _)| *replaced == arg) {
            Some((_, others)) => others.iter().map(OsString::from).collect(),
            None => vec![arg],
        }
    });
    line(console, &args.collect::<Vec<_>>())
}

/// Says how a sum is made of what `hashmill sum` could not read: directories, and URLs; and how an
/// algorithm is selected.
pub fn after_sum(console: &mut Console, names: &[Vec<u8>]) {
    for name in names {
        let os_name = os_name(name);
        let path = Path::new(&os_name);
        let word = str::from_utf8(name).unwrap_or_default();
        if path.is_dir() {
            let sum: &OsStr = "sum".as_ref();
            let line = retyped(console, &[(sum, &[sum, "-r".as_ref()])]);
            console.say(format!("-r hashes the files below it: {line}"));
            return; // All others are below directories, too.
        }
        if path.exists() {
            continue;
        }
        if is_url(word) {
            let line = retyped(console, &[(&os_name, &[])]);
            let url = console.quote_name(name);
            console.say(format!("{NO_URLS}: curl -L {url} | {line}"));
        } else if names.len() > 1 && names_algorithms(word) {
            let line = retyped(console, &[(&os_name, &["-a".as_ref(), &os_name])]);
            console.say(format!("-a selects the algorithm: {line}"));
        }
    }
}

/// Says what else can be done with an operand of `hashmill check` in which no list was found.
pub fn after_check(console: &mut Console, name: &[u8]) {
    let path = os_name(name);
    let shown = console.quote_name(name);
    if Path::new(&path).is_dir() {
        console.say(format!("-r checks the lists below it: hashmill check -r {shown}"));
    } else if is_url(str::from_utf8(name).unwrap_or_default()) {
        console.say(format!("{NO_URLS}: curl -L {shown} | hashmill check"));
    } else if Path::new(&path).is_file() {
        console
            .say(format!("if it is no list: hashmill sum {shown}, hashmill check DIGEST {shown}"));
    }
}

/// Says how the files of a list are checked that was taken for a manifest.
pub fn after_no_manifest(console: &mut Console, path: &Path) {
    let shown = console.quote_name(path.as_os_str().as_encoded_bytes());
    console.say(format!("if it is a list: hashmill check {shown}"));
}

/// Says that the command waits for input, if a terminal is to give it, and how files are named.
pub fn before_stdin(console: &mut Console, names_files: &str) {
    if console.stdin().is_ok_and(IsTerminal::is_terminal) {
        console.tell(format!("reading standard input; for files: {names_files}"));
    }
}

/// Says how one file of a list is checked, if a file after a list is not a list itself.
pub fn after_second_list(console: &mut Console, name: &[u8]) {
    let file = os_name(name);
    if !Path::new(&file).is_file() {
        return after_check(console, name);
    }
    let line = retyped(console, &[(&file, &["--only".as_ref(), &file])]);
    console.say(format!("to check only this file of the list: {line}"));
}

/// Says that the digest comes before the files that are checked against it, and fails.
pub fn digest_first(console: &mut Console, file: &[u8], digest: &[u8]) -> Failure {
    let [file, digest] = [file, digest].map(os_name);
    let line = retyped(console, &[(&file, &[&digest]), (&digest, &[&file])]);
    console.say(format!("the digest comes first: {line}"));
    Failure::said(WRONG_OPTIONS)
}

/// Fails if `manifest` is a directory: then it is the tree, which comes after the manifest.
pub fn manifest_first(
    console: &mut Console,
    manifest: &Path,
    directory: Option<&Path>,
) -> Result<(), Failure> {
    if !manifest.is_dir() {
        return Ok(());
    }
    let mut written = manifest.file_name().unwrap_or(OsStr::new("tree")).to_owned();
    written.push(".manifest");
    let written = manifest.with_file_name(written).into_os_string();
    let manifest = manifest.as_os_str();
    let line = match directory {
        None => retyped(console, &[(manifest, &[&written, manifest])]),
        Some(directory) if directory.is_dir() => retyped(console, &[(manifest, &[&written])]),
        Some(directory) => {
            let directory = directory.as_os_str();
            retyped(console, &[(manifest, &[directory]), (directory, &[manifest])])
        }
    };
    console.say(format!("the manifest comes first: {line}"));
    Err(Failure::said(WRONG_OPTIONS))
}
