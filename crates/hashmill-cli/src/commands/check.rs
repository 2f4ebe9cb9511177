//! `hashmill check`: checks files against lists of digests in any of the known formats, or against
//! one digest.

use crate::commands::guess;
use crate::commands::options::{ALGORITHMS, Files0From, ModeOptions, Work, recipes};
use crate::files::input::{bytes, os_name};
use crate::files::job::Jobs;
use crate::files::walk::{Found, Rules, Walk};
use crate::hashing::recipe::Recipe;
use crate::lists::any::Any;
use crate::lists::beside::Stored;
use crate::lists::entry::{Entry, Expected, Format, Verbosity};
use crate::lists::expected::{Meaning, mistyped};
use crate::lists::named::{Named, Only};
use crate::lists::names::{self, Kind};
use crate::lists::place::{Base, Place};
use crate::lists::verify::{self, Checked, List, Report};
use crate::signature::signed;
use crate::signature::trusted::{Signatures, Trusted};
use crate::terminal::console::{Console, Failure, reason};
use crate::text::counted::counted;
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::table::{Field, One, Options, Parser, Row, Value, choices, options};
use clap::ValueHint;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

options! {
    /// Check files against lists of digests
    pub struct Arguments {
        /// The algorithm, or several possible ones, of lines that do not name one
        algorithm: Vec<String> { short: 'a', value: "ALGORITHM", parser: ALGORITHMS },
        /// Write no OK for files that match
        quiet: bool { overrides: &["status", "warn"], heading: "Output" },
        /// Write nothing: only the exit status tells the result
        status: bool { overrides: &["quiet", "warn"], heading: "Output" },
        /// Report each improperly formatted line, and each algorithm that was guessed
        warn: bool { short: 'w', overrides: &["quiet", "status"], heading: "Output" },
        /// Fail if a line is improperly formatted
        strict: bool,
        /// Skip files that do not exist
        ignore_missing: bool,
        /// Write a JSON object for each file: its name, the expected digest and the result
        json: bool { heading: "Output" },
        /// The names in lists are relative to DIR
        root: Option<OsString> {
            value: "DIR", hint: ValueHint::DirPath, heading: "Names", conflicts: &["recursive"],
        },
        /// Find the lists below directories; the names in each are relative to the list
        recursive: bool { short: 'r', heading: "Names" },
        /// Fail for each file that no list names, below the directory of --root or -r, or the
        /// current one
        all: bool,
        /// Check only this file of the lists; may be given several times
        only: Vec<OsString> {
            value: "FILE", hint: ValueHint::FilePath, hide_short_help: true, heading: "Names",
            conflicts: &["all", "recursive"],
        },
        /// Check files against the SHA-256 in their extended attributes, from 'hashmill sum
        /// --write-xattrs', shatag or cshatag; with -r, all files below directories
        xattrs: bool {
            hide_short_help: true,
            conflicts: &["algorithm", "all", "only", "root", "verify_signature"],
        },
        /// The separator between the directories of a name in a list
        separator: One<Separator> {
            value: "WHOSE", default: "native", hide_short_help: true, heading: "Names",
        },
        signatures: Signatures,
        work: Work,
        from: Files0From,
        /// The lists (- or none: standard input), or one digest and the files to check
        files: Vec<OsString> {
            is_operand: true, value: "LIST|DIGEST FILE", hint: ValueHint::FilePath,
        },
        mode: ModeOptions,
    }
    |command| command.long_about(LONG_ABOUT).after_help(EXAMPLES).after_long_help(AFTER_HELP)
}

choices! {
    enum Separator {
        Native = "native",
        Windows = "windows", // backslashes, with or without a drive letter
    }
}

const LONG_ABOUT: &str = "\
Check files against lists of digests, or against one digest.

Recognises the lists of hashmill (also JSON and manifests), GNU, BSD, OpenSSL, cksum, b3sum, \
RHash, SFV, cfv's csv, hashdeep, md5deep -z, mtree, BagIt, gpg --print-md, signify, Debian, \
Gentoo, Go, pip, Nix, 7z h, FCIV, PowerShell's Get-FileHash and certutil; in UTF-8 and UTF-16; \
digests in hexadecimal, base64 and base32.

Untagged lines without -a have the algorithm that the list's extension names (x.sha3-256). \
Without such an extension, hashmill tries the algorithms of the digest's length: first MD5, \
SHA-1, SHA-224, SHA-256, SHA-384, or for 512 bits SHA-512 and BLAKE2b; then the others, and \
reports which of them matched.

Relative names are looked up in the directory of --root, in the tree that a manifest names, with \
-r beside the list, and otherwise in the current directory. A digest alone, as in x.iso.sha256, \
is of x.iso beside the list.

With -r, a file below a directory is a list if its name is like SHA256SUMS, sha256sum.txt, \
x_checksums.txt, x.sha256, x.md5sum, x.b2, x.sha256.txt, x.DIGESTS, CHECKSUM.SHA256-x, x.sfv, \
x.mtree, x.hashdeep, x.dsc or manifest-md5.txt, in any case; also Release, InRelease, Manifest, \
.changes, .manifest, .csv, .json, and signed lists (.asc, .sig), if they have the content of a \
list. Other files with the content of a list are named at the end; with --strict they are an \
error.

If a list has a PGP signature around it, only the signed text counts. --verify-signature \
verifies the signature with gpg, also from LIST.asc, LIST.sig, LIST.gpg, LIST.sign or the file \
that --signature names; every key in gpg's keyring is accepted. With --signer or --public-key, \
only the keys that these options name are accepted. A key of minisign or signify verifies \
LIST.minisig, LIST.sig, LIST.sign, the file that --signature names, or signify's signature at the \
beginning of the list; no signature of gpg counts then.

If the first operand is a digest (sha256:HEX, sha384-BASE64 or without a name) or a line of a \
list, the files after it are checked against it. If a list has such a name, write ./NAME.";

/// The end of the short help.
const EXAMPLES: &str = "\
Examples:
  hashmill check SHA256SUMS
  hashmill check --strict --all SUMS  # every line and file
  hashmill check sha256:DIGEST disk.img

All options and formats: hashmill check --help";

const AFTER_HELP: &str = "\
Examples:
  hashmill check SHA256SUMS
  hashmill check -a sha3-256 LIST         # if it names none
  hashmill check --ignore-missing *.sums
  hashmill check --only disk.img SHA256SUMS
  hashmill check --root /mnt/backup SUMS  # names below it
  hashmill check -r ~/downloads           # lists below it
  hashmill check --xattrs -r photos       # without lists
  hashmill check sha256:DIGEST disk.img";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let algorithms = recipes(console, &arguments.algorithm)?;
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
        no_list: Some(guess::after_check),
        other_forms: true,
    };
    let mode = arguments.mode.mode(console)?;
    for recipe in &algorithms {
        mode.apply(recipe.clone()).map_err(|message| console.wrong_options(message))?;
    }
    let trusted = arguments.signatures.trusted(console)?;
    arguments.work.show_progress(console);
    let operands = arguments.from.names(console, &arguments.files, arguments.recursive)?;
    let named = Named::default();
    if let Some(signature) = trusted.as_ref().and_then(|trusted| trusted.signature.as_ref()) {
        if arguments.recursive || operands.len() > 1 {
            return Err(console.wrong_options("--signature is the signature of one list"));
        }
        named.add(&bytes(signature));
    }
    let meaning = Meaning::new(algorithms, &mode);
    let named = arguments.all.then_some(named);
    let check = Check { arguments, jobs: arguments.work.jobs(), report, meaning, trusted, named };
    match (arguments.xattrs, arguments.recursive) {
        (true, _) => check.attributes(console, operands),
        (_, true) => check.trees(console, &operands),
        _ => check.lists(console, operands),
    }
}

/// What is the same for all lists.
struct Check<'a> {
    arguments: &'a Arguments,
    jobs: Jobs,
    report: Report,
    meaning: Meaning<'a>,
    /// The keys whose signatures are accepted, if the lists must be signed.
    trusted: Option<Trusted>,
    /// What the lists name, if all files must be named.
    named: Option<Named>,
}

impl Check<'_> {
    /// Checks the files of the lists that the command line names, or files against one digest.
    /// Returns whether all is well.
    fn lists(&self, console: &mut Console, mut operands: Vec<Vec<u8>>) -> Result<bool, Failure> {
        let arguments = self.arguments;
        if let Some(first) = arguments.files.first() {
            // It can be a line of a list, in which a backslash is the beginning of an escape.
            operands[0] = first.as_encoded_bytes().to_vec();
        }
        if arguments.files.is_empty() && !arguments.from.is_given() {
            guess::before_stdin(console, "hashmill check LIST");
        }
        if let [file, digest] = &*operands
            && Path::new(&os_name(file)).is_file()
            && !Path::new(&os_name(digest)).exists()
            && self.meaning.of(digest).is_some()
        {
            return Err(guess::digest_first(console, file, digest));
        }
        let root = arguments.root.as_ref().map(|root| bytes(Path::new(root)));
        let place = |list: &[u8]| self.place(list, root.clone().map_or(Base::Current, Base::Root));
        if let Some(entries) = against(console, &self.meaning, &place(b""), &operands)? {
            if arguments.all {
                return Err(console.wrong_options("--all needs a list"));
            }
            if !arguments.only.is_empty() {
                return Err(console.wrong_options("--only needs a list"));
            }
            if entries.iter().any(|entry| entry.name == b"-") && operands.len() == 1 {
                guess::before_stdin(console, "hashmill check DIGEST FILE");
            }
            let mut entries = entries.into_iter();
            return verify::entries(console, self.jobs, &place(b""), &mut entries, &self.report);
        }
        let mut well = true;
        let mut directories = Vec::new();
        let only = Only::of(&arguments.only);
        for (index, name) in operands.iter().enumerate() {
            let place = place(name);
            let no_list = if index > 0 { guess::after_second_list } else { guess::after_check };
            well &= self.list(console, &place, only.as_ref(), no_list)?.well;
            let directory = place.directory().to_vec();
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        well &= self.all_are_named(console, &directories, false)?;
        for file in only.iter().flat_map(Only::missing) {
            console.fault(&bytes(file), "no list names this file", &mut well);
        }
        Ok(well)
    }

    fn place(&self, list: &[u8], base: Base) -> Place {
        let windows = self.arguments.separator.0 == Separator::Windows;
        Place { base, windows, ..Place::of(list) }
    }

    /// Checks the files of one list, after its signature if the options ask for that. `no_list` is
    /// called if it is no list.
    fn list(
        &self,
        console: &mut Console,
        place: &Place,
        only: Option<&Only>,
        no_list: fn(&mut Console, &[u8]),
    ) -> Result<Checked, Failure> {
        let list = List { place, named: self.named.as_ref(), only };
        let report = Report { no_list: Some(no_list), ..self.report };
        if let Some(named) = list.named {
            named.add_list(list.name());
        }
        let mut format = Any::new(&self.meaning.named, self.meaning.mode, place);
        let Some(trusted) = &self.trusted else {
            return verify::list(console, self.jobs, &list, &mut format, &report);
        };
        match signed::verified(console, list.name(), trusted) {
            Ok(verified) => {
                if matches!(report.verbosity, Verbosity::Normal | Verbosity::Warn) {
                    console.say_of(list.name(), format!("signed by {}", verified.signer));
                }
                format.set_verified(verified.outside);
                let text = verified.open().map_err(|error| console.fatal(reason(&error)))?;
                verify::contents(console, self.jobs, &list, text, &mut format, &report)
            }
            Err(message) => {
                console.say_of(list.name(), message);
                Ok(Checked::default())
            }
        }
    }

    /// Checks the lists below the directories. The names in each list are relative to the directory
    /// that contains the list. Returns whether all is well.
    fn trees(&self, console: &mut Console, roots: &[Vec<u8>]) -> Result<bool, Failure> {
        let shows = self.report.verbosity != Verbosity::Status;
        let (mut well, mut lists, mut files) = (true, 0, 0);
        let mut unnamed = Vec::new();
        for root in roots {
            for found in walk(console, root)? {
                let Some(list) = found.file(console, shows, &mut well) else { continue };
                let place = self.place(&list, Base::List);
                // A file on the command line is a list, whatever its name is.
                let kind = if list == *root { Ok(Kind::List) } else { names::kind(&place) };
                match kind {
                    Ok(Kind::List) => {
                        let checked = self.list(console, &place, None, guess::after_check)?;
                        lists += 1;
                        files += checked.files;
                        well &= checked.well;
                    }
                    Ok(Kind::Unnamed) => unnamed.push(list),
                    Ok(Kind::Other) => {}
                    Err(error) => console.fault(&list, reason(&error), &mut well),
                }
            }
        }
        well &= unnamed.is_empty() || !self.report.strict;
        for list in unnamed.iter().filter(|_| shows) {
            let message = "looks like a list, but its name is not that of a list: not checked";
            console.say_of(list, message);
        }
        if lists == 0 {
            return Err(console.fatal("no lists found"));
        }
        if matches!(self.report.verbosity, Verbosity::Normal | Verbosity::Warn) {
            let of_lists = counted(lists, "list", "lists");
            console.say(format!("checked {} in {of_lists}", counted(files, "file", "files")));
        }
        Ok(well & self.all_are_named(console, roots, true)?)
    }

    /// Writes a line for each file below the directories that no list names, if all must be named.
    /// Returns whether there is none.
    fn all_are_named(
        &self,
        console: &mut Console,
        roots: &[Vec<u8>],
        shows_paths: bool,
    ) -> Result<bool, Failure> {
        let mut well = true;
        let is_silent = self.report.verbosity == Verbosity::Status;
        for (root, named) in
            roots.iter().flat_map(|root| self.named.iter().map(move |it| (root, it)))
        {
            let mut count = 0;
            for found in walk(console, root)? {
                let Some(name) = found.file(console, !shows_paths, &mut well) else { continue };
                if named.covers(Path::new(&os_name(&name))) {
                    continue;
                }
                count += 1;
                let below = name.strip_prefix(&**root).filter(|_| !shows_paths);
                let shown = below.and_then(|it| it.strip_prefix(b"/")).unwrap_or(&name);
                match (is_silent, self.report.json) {
                    (true, _) => {}
                    (_, true) => {
                        let mut record = json::of_file(shown);
                        record.insert("status".to_owned(), "unlisted".into());
                        console.print(json::line(record))?;
                    }
                    _ => console.print(format!("{}: NOT LISTED\n", console.quote_name(shown)))?,
                }
            }
            if count > 0 && !is_silent {
                let unlisted = counted(count, "file is not listed", "files are not listed");
                console.say(format!("WARNING: {unlisted}"));
            }
            well &= count == 0;
        }
        Ok(well)
    }

    /// Checks files against the digests in their extended attributes.
    fn attributes(&self, console: &mut Console, names: Vec<Vec<u8>>) -> Result<bool, Failure> {
        if names.iter().any(|name| name == b"-") {
            return Err(console.wrong_options("--xattrs needs files"));
        }
        let sha256 = Recipe::of(hashmill::Algorithm::Sha256);
        let found: Box<dyn Iterator<Item = Found>> = match self.arguments.recursive {
            false => Box::new(names.into_iter().map(Found::Named)),
            true => {
                let walks: Result<Vec<_>, _> = names.iter().map(|it| walk(console, it)).collect();
                Box::new(walks?.into_iter().flatten())
            }
        };
        // What is said at the end, and whether it is an error.
        let mut said: Vec<(Vec<u8>, String, bool)> = Vec::new();
        let mut entries = found.filter_map(|found| {
            let (name, message, is_error) = match found {
                Found::Named(name) | Found::File(name) => {
                    let modified = fs::metadata(os_name(&name)).and_then(|it| it.modified());
                    match modified.and_then(|modified| Stored::of(&name, modified)) {
                        Ok(Some(Stored { digest, is_of_now })) => {
                            if !is_of_now {
                                let message = "modified since its digest was stored".to_owned();
                                said.push((name.clone(), message, false));
                            }
                            let expected = Expected::of(sha256.clone(), &digest, Encoding::Hex);
                            return Some(expected.of_file(name));
                        }
                        Ok(None) => {
                            let message = "no SHA-256 in its extended attributes".to_owned();
                            (name, message, !self.arguments.ignore_missing)
                        }
                        Err(error) => (name, reason(&error), true),
                    }
                }
                Found::Error(name, message) => (name, message, true),
                Found::Note(name, message) => (name, message, false),
                Found::Link(_) | Found::Directory(_) => return None,
            };
            said.push((name, message, is_error));
            None
        });
        let place = Place::default();
        let well = verify::entries(console, self.jobs, &place, &mut entries, &self.report)?;
        let is_well = well && !said.iter().any(|(.., is_error)| *is_error);
        if self.report.verbosity != Verbosity::Status {
            said.iter().for_each(|(name, message, _)| console.say_of(name, message));
        }
        Ok(is_well)
    }
}

/// Walks through all files below a directory.
fn walk(console: &mut Console, root: &[u8]) -> Result<Walk, Failure> {
    let walk = Rules::default().walk(Path::new(&os_name(root)));
    walk.map_err(|message| console.wrong_options(message))
}

/// Returns a hexadecimal digest in groups, with blanks or colons between them, without these.
/// Returns `None` for any other text.
fn joined(text: &[u8]) -> Option<Vec<u8>> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
    let groups: Vec<&[u8]> = text.split(is_between).filter(|it| !it.is_empty()).collect();
    let len = groups.first()?.len();
    let is_group = |it: &&[u8]| it.len() == len && it.iter().all(u8::is_ascii_hexdigit);
    (groups.len() > 1 && groups.iter().all(is_group)).then(|| groups.concat())
}

/// Returns the entries to check for `hashmill check DIGEST FILE...`: one for each file, with the
/// expected digest. Returns `None` if the first operand is a list.
fn against(
    console: &mut Console,
    meaning: &Meaning,
    place: &Place,
    operands: &[Vec<u8>],
) -> Result<Option<Vec<Entry>>, Failure> {
    let Some(first) = operands.first() else { return Ok(None) };
    let exists = || Path::new(&os_name(first)).exists();
    let mut name = b"-".to_vec();
    let joined = joined(first);
    let claims = if let Some(expected) = meaning.of(joined.as_ref().unwrap_or(first)) {
        if expected.recipes.len() > 1 {
            let message = format!(
                "a digest of this length can be {}: select one with -a, or as {}:DIGEST",
                expected.names(),
                expected.recipes[0].to_string().to_lowercase()
            );
            return Err(console.wrong_options(message));
        }
        vec![vec![expected]]
    } else if first == b"-" || exists() {
        return Ok(None);
    } else if let Some(claims) = meaning.several(first) {
        claims
    } else if first.trim_ascii().iter().any(u8::is_ascii_whitespace)
        && let Some(Some(entry)) =
            Any::new(&meaning.named, meaning.mode, place).parse(first.trim_ascii_end()).pop()
    {
        // The operand is a whole line of a list.
        name = entry.name;
        entry.claims
    } else if let Some(message) = mistyped(first, &meaning.named) {
        let list = console.quote_name(&[b"./", &**first].concat());
        let message = format!("{message}. If it is the name of a list, write {list}");
        return Err(console.wrong_options(message));
    } else {
        return Ok(None);
    };
    let alone = [name];
    let files = if operands.len() > 1 { &operands[1..] } else { &alone };
    let entry = |name: &Vec<u8>| Entry::new(name.clone(), claims.clone());
    Ok(Some(files.iter().map(entry).collect()))
}
