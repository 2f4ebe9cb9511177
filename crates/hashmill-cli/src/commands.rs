//! The subcommands of `hashmill`: the one table of their options, and where each goes.

use crate::console::{Console, Failure};
use crate::digest::{Algorithm, Digest};
use crate::gnu;
use crate::pool::Jobs;
use crate::progress::When;
use crate::walk::Symlinks;
use crate::{check, install, list, manifest, manual, mode, self_test, sum};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use std::ffi::{OsStr, OsString};
use std::num::NonZero;

/// Does what the arguments ask for; whether all went well.
pub fn run(console: &mut Console, args: impl Iterator<Item = OsString>) -> Result<bool, Failure> {
    let args: Vec<OsString> = args.collect();
    if let Some(program) = args.first().and_then(|name| name.to_str()).and_then(gnu::Program::named)
    {
        console.rename([console.program(), b" ", program.name.as_bytes()].concat());
        return program.run(console, args.into_iter().skip(1));
    }
    let matches = match table().try_get_matches_from(std::iter::once("hashmill".into()).chain(args))
    {
        Ok(matches) => matches,
        Err(error) => {
            let text = format!("{}\n", error.render().to_string().trim_end());
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                    console.print(text).map(|()| true)
                }
                _ => {
                    console.write_stderr(text.as_bytes());
                    Err(Failure { status: MISUSE })
                }
            };
        }
    };
    match matches.subcommand() {
        Some(("sum", matches)) => sum::run(console, matches),
        Some(("check", matches)) => check::run(console, matches),
        Some(("list", matches)) => list::run(console, matches),
        Some(("manifest", matches)) => manifest::run(console, matches),
        Some(("self-test", _)) => self_test::run(console),
        Some(("install", matches)) => install::run(console, matches),
        Some(("completions", matches)) => manual::completions(console, matches),
        Some(("man", matches)) => manual::man(console, matches),
        _ => unreachable!("clap knows no other subcommand"),
    }
}

/// The table of subcommands and options.
pub fn table() -> Command {
    Command::new("hashmill")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Digests of files, made and checked: SHA-2, SHA-3, SHAKE, TurboSHAKE, BLAKE2")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .args_override_self(true)
        .after_help(
            "Examples:\n\
             \x20 hashmill sum -a sha256 -a blake2b *.iso > SUMS    # two digests of each file, one reading\n\
             \x20 hashmill check SUMS                               # check the files that a list names\n\
             \x20 hashmill manifest create TREE.manifest dir        # a tree; then update, verify, compare\n\
             \x20 hashmill list                                     # the algorithms\n\
             \n\
             Called as sha256sum (or another of the names above), or with that name as the subcommand,\n\
             it takes the options of GNU coreutils' program of that name.\n\
             HASHMILL_BACKEND in the environment picks a backend; 'hashmill list --backends' shows them.\n\
             HASHMILL_PROGRESS says when progress is shown: never, auto or always.\n\
             \n\
             Exit status: 0 if all went well, 1 if not, 2 if the options make no sense.",
        )
        .subcommand(mode::options(sum_table()))
        .subcommand(mode::options(check_table()))
        .subcommand(manifest_table())
        .subcommand(list_table())
        .subcommand(self_test_table())
        .subcommand(install_table())
        .subcommand(completions_table())
        .subcommand(man_table())
        .subcommands(gnu::PROGRAMS.iter().map(gnu::Program::command))
}

fn sum_table() -> Command {
    let sum = Command::new("sum")
        .about("Write digests of files")
        .after_help(
            "Examples:\n\
             \x20 hashmill sum file                            # SHA-256\n\
             \x20 hashmill sum -a sha512 -a sha3-256 *.iso     # both from one reading of each file\n\
             \x20 hashmill sum -a blake2b -l 160 file          # or: -a blake2b-160\n\
             \x20 tar c dir | hashmill sum -a shake128-512\n\
             \x20 hashmill sum --json -a sha256 -a md5 file\n\
             \x20 hashmill sum --hmac --key-file key file\n\
             \x20 hashmill sum -a blake2b --personal app-v1 --salt hex:00ff file\n\
             \x20 hashmill sum --part-size 8MiB file           # what S3 shows of a multipart upload; -a md5: its ETag",
        )
        .arg(algorithms().help("An algorithm, or several [default: sha256]; 'hashmill list' shows them"))
        .arg(
            value("length", 'l', "BITS", "The digests' length, for BLAKE2, SHAKE and TurboSHAKE")
                .value_parser(value_parser!(usize)),
        )
        .arg(
            switch("tag", "Write lines that name the algorithm (default with several)")
                .overrides_with("untagged"),
        )
        .arg(switch("untagged", "Write lines that do not (default with one)").overrides_with("tag"))
        .arg(switch("base64", "Write digests in base64"))
        .arg(switch("json", "Write an object for each file: its name, size and digests"))
        .arg(switch("zero", "End lines with NUL and escape no file names").short('z'))
        .arg(jobs())
        .arg(progress())
        .arg(switch("recursive", "Hash all files below directories, in the order of their names").short('r'))
        .arg(files("FILE", "The files; - and no file are standard input, with -r the current directory"));
    tree(sum)
}

fn check_table() -> Command {
    Command::new("check")
        .about("Check files against lists of digests")
        .long_about(
            "Check files against lists of digests, or against one digest.\n\n\
             Reads what hashmill, GNU, BSD and OpenSSL write, and PowerShell's Get-FileHash and certutil: tagged\n\
             lines with any name of an algorithm, untagged lines, hexadecimal of either case, base64, UTF-16.\n\
             For untagged lines without -a, the list's extension tells the algorithm (x.sha3-256), or else the\n\
             length: MD5, SHA-1, SHA-224, SHA-256, SHA-384, and with 512 bits SHA-512 or BLAKE2b, whichever\n\
             matches. A PGP signature around a list is not checked.\n\n\
             A first operand that is a digest, as sha256:HEX, sha384-BASE64 or alone, is what the files after it\n\
             are to have. A list of such a name is to be given as ./NAME.",
        )
        .after_help(
            "Examples:\n\
             \x20 hashmill check SHA256SUMS\n\
             \x20 hashmill check -a sha3-256 --quiet LIST      # untagged lines are SHA3-256\n\
             \x20 hashmill check --ignore-missing *.sums\n\
             \x20 hashmill check sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb disk.img",
        )
        .arg(algorithms().help("The algorithm of lines that do not name one, or several it can be"))
        .arg(switch("quiet", "No OK for files that match").overrides_with_all(["status", "warn"]))
        .arg(switch("status", "No output, the exit status tells").overrides_with_all(["quiet", "warn"]))
        .arg(
            switch("warn", "Name each improperly formatted line; say what was guessed")
                .short('w')
                .overrides_with_all(["quiet", "status"]),
        )
        .arg(switch("strict", "Fail for improperly formatted lines"))
        .arg(switch("ignore-missing", "Pass over files that do not exist"))
        .arg(switch("json", "Write an object for each file: its name, what was expected, what came of it"))
        .arg(jobs())
        .arg(progress())
        .arg(files("LIST|DIGEST FILE", "The lists, - and no list are standard input; or a digest and files"))
}

fn manifest_table() -> Command {
    let path = |id: &'static str, name: &'static str, help: &'static str| {
        Arg::new(id).value_name(name).help(help).value_parser(value_parser!(OsString))
    };
    let manifest = || {
        path("manifest", "MANIFEST", "The manifest").required(true).value_hint(ValueHint::FilePath)
    };
    let directory = || {
        path("directory", "DIR", "The directory [default: the current one]")
            .value_hint(ValueHint::DirPath)
    };
    let json = || switch("json", "Write an object for each difference");
    let create = Command::new("create")
        .about("Make the manifest of a directory")
        .arg(algorithms().help("An algorithm, or several [default: sha256]"))
        .arg(jobs())
        .arg(progress())
        .arg(manifest())
        .arg(directory());
    Command::new("manifest")
        .about("Keep what is in a tree: made, updated, verified, compared")
        .long_about(
            "Keep what is in a tree: made, updated, verified, compared.\n\n\
             A manifest is a list of digests that 'hashmill check' and 'cksum -c' read, with the files' sizes\n\
             and times and the rules of the tree in comments. All files count, hidden ones too, but for the\n\
             manifest itself; what is no regular file does not.\n\n\
             A run that is killed leaves MANIFEST.partial and MANIFEST.resume; the same command again goes on\n\
             from there, reads no file again that has the size and time recorded, and ends with the same\n\
             manifest. The manifest itself is replaced in the end, at once.",
        )
        .after_help(
            "Examples:\n\
             \x20 hashmill manifest create photos.manifest photos            # or the same again, after a kill\n\
             \x20 hashmill manifest update --quick photos.manifest photos    # reads what is new\n\
             \x20 hashmill manifest verify photos.manifest /backup/photos\n\
             \x20 hashmill manifest compare old.manifest new.manifest        # reads no other file\n\
             \n\
             update, verify and compare write a line for each difference: changed, moved, added, removed.\n\
             Exit status of verify and compare: 0 if there is none, 1 if there is, or an error; 2 for misuse.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(tree(create))
        .subcommand(
            Command::new("update")
                .about("Make it anew, with the same algorithms and rules, and write what differs")
                .arg(switch("quick", "Read no file that has the size and time recorded").short('q'))
                .arg(json())
                .arg(jobs())
                .arg(progress())
                .arg(manifest())
                .arg(directory()),
        )
        .subcommand(
            Command::new("verify")
                .about("Read all files and write what differs")
                .arg(json())
                .arg(jobs())
                .arg(progress())
                .arg(manifest())
                .arg(directory()),
        )
        .subcommand(
            Command::new("compare")
                .about("Write what differs between two manifests, without reading the files")
                .arg(json())
                .arg(manifest().help("The older manifest"))
                .arg(
                    path("newer", "NEWER", "The newer one")
                        .required(true)
                        .value_hint(ValueHint::FilePath),
                ),
        )
}

fn list_table() -> Command {
    Command::new("list")
        .about("Show the algorithms")
        .after_help(
            "Examples:\n\
             \x20 hashmill list\n\
             \x20 hashmill list --backends    # what each algorithm runs on here\n\
             \x20 hashmill list --speed       # … and how fast each is, measured now: a few seconds\n\
             \x20 HASHMILL_BACKEND=portable hashmill list --backends",
        )
        .arg(switch(
            "backends",
            "Show each algorithm's backends: those this CPU can run, and those in use",
        ))
        .arg(switch("speed", "Measure the backends, too: GB/s of one message, or of many in lanes"))
}

fn self_test_table() -> Command {
    Command::new("self-test")
        .about("Check known answers on this CPU")
        .long_about(
            "Check known answers of every algorithm on every backend that this CPU can run: one message, in\n\
             pieces, many in lanes, HMAC, the output of XOFs. Writes a line for each.",
        )
        .after_help(
            "Examples:\n\
             \x20 hashmill self-test\n\
             \n\
             Exit status: 0 if every answer is right, 1 if not.",
        )
}

fn install_table() -> Command {
    Command::new("install")
        .about("Link the names that this program stands in for")
        .long_about(
            "Link the names that this program stands in for: by them it takes the options of GNU's programs.",
        )
        .after_help(
            "Examples:\n\
             \x20 hashmill install ~/bin\n\
             \x20 hashmill install ~/bin sha256sum b2sum    # these only\n\
             \x20 hashmill install --force ~/bin            # in place of whatever has the names there",
        )
        .arg(switch("force", "Replace other files of these names").short('f'))
        .arg(
            Arg::new("directory")
                .value_name("DIR")
                .help("Where the links are to be; a directory early in PATH")
                .value_hint(ValueHint::DirPath)
                .required(true)
                .value_parser(value_parser!(OsString)),
        )
        .arg(Arg::new("names").value_name("NAME").help("The names [default: all]").num_args(0..))
}

fn completions_table() -> Command {
    Command::new("completions")
        .about("Write a shell's completions")
        .after_help(
            "Examples:\n\
             \x20 hashmill completions bash > ~/.local/share/bash-completion/completions/hashmill\n\
             \x20 hashmill completions zsh > \"${fpath[1]}/_hashmill\"\n\
             \x20 hashmill completions fish > ~/.config/fish/completions/hashmill.fish\n\
             \x20 hashmill completions fish b2sum > ~/.config/fish/completions/b2sum.fish",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .help("The shell")
                .required(true)
                .value_parser(value_parser!(clap_complete::Shell)),
        )
        .arg(
            Arg::new("name").value_name("NAME").help("The name that is linked [default: hashmill]"),
        )
}

fn man_table() -> Command {
    Command::new("man")
        .about("Write manual pages")
        .after_help(
            "Examples:\n\
             \x20 hashmill man sum | man -l -\n\
             \x20 hashmill man --directory ~/.local/share/man/man1    # hashmill.1, hashmill-sum.1 and so on",
        )
        .arg(
            Arg::new("directory")
                .long("directory")
                .short('d')
                .value_name("DIR")
                .help("Write all pages into DIR")
                .value_hint(ValueHint::DirPath)
                .value_parser(value_parser!(OsString))
                .conflicts_with("name"),
        )
        .arg(Arg::new("name").value_name("SUBCOMMAND").help("A subcommand's page [default: the program's]"))
}

fn algorithms() -> Arg {
    value("algorithm", 'a', "ALGORITHM", "")
        .action(ArgAction::Append)
        .value_parser(AlgorithmNames)
        .hide_possible_values(true)
}

/// Any text, which may be a name with a length behind it; shells offer the names.
#[derive(Clone)]
struct AlgorithmNames;

impl TypedValueParser for AlgorithmNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Algorithm::all().map(|it| PossibleValue::new(it.tag().to_ascii_lowercase()))))
    }
}

/// The options that say which files of a tree count.
fn tree(command: Command) -> Command {
    let globs = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("GLOB").action(ArgAction::Append).help(help)
    };
    command
        .next_help_heading("Trees")
        .arg(globs("include", "Only files that match; a glob as in .gitignore; may be repeated"))
        .arg(globs("exclude", "No files and directories that match; may be repeated"))
        .arg(switch("ignore-files", "Leave out what .gitignore and .ignore files say"))
        .arg(switch("skip-hidden", "Leave out names that begin with a dot"))
        .arg(switch("one-file-system", "Do not enter other file systems").short('x'))
        .arg(
            Arg::new("symlinks")
                .long("symlinks")
                .value_name("WHICH")
                .value_parser(Symlinks::NAMES)
                .help("The symbolic links to follow [default: command-line]"),
        )
}

fn jobs() -> Arg {
    value("jobs", 'j', "N", "Hash so many files at once [default: as many as there are processors]")
        .value_parser(value_parser!(NonZero<usize>))
}

fn progress() -> Arg {
    Arg::new("progress")
        .long("progress")
        .value_name("WHEN")
        .value_parser(When::NAMES)
        .help("Show progress on standard error [default: auto, on a terminal when it lasts]")
}

/// Shows progress as the command line says.
pub fn show_progress(console: &mut Console, matches: &ArgMatches) {
    let asked = matches.get_one::<String>("progress").and_then(|name| When::named(name));
    console.show_progress(asked, When::Auto);
}

fn value(name: &'static str, short: char, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).short(short).value_name(value).help(help)
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

fn files(name: &'static str, help: &'static str) -> Arg {
    Arg::new("files")
        .value_name(name)
        .value_hint(ValueHint::FilePath)
        .help(help)
        .num_args(0..)
        .value_parser(value_parser!(OsString))
}

/// The files that a command line names.
pub fn files_of(matches: &ArgMatches) -> Vec<Vec<u8>> {
    match matches.get_many::<OsString>("files") {
        Some(files) => files.map(|file| file.as_encoded_bytes().to_vec()).collect(),
        None => vec![b"-".to_vec()],
    }
}

pub fn jobs_of(matches: &ArgMatches) -> Jobs {
    Jobs(matches.get_one("jobs").copied())
}

/// The algorithms that a command line names.
pub fn algorithms_of(console: &mut Console, matches: &ArgMatches) -> Result<Vec<Digest>, Failure> {
    let names = matches.get_many::<String>("algorithm").into_iter().flatten();
    let digest = |name: &String| {
        name.parse().map_err(|()| {
            let message = format!(
                "there is no algorithm {}; 'hashmill list' shows them",
                console.quote(name.as_bytes())
            );
            misuse(console, message)
        })
    };
    names.map(digest).collect()
}

/// The same, SHA-256 if there are none.
pub fn algorithms_or_sha256(
    console: &mut Console,
    matches: &ArgMatches,
) -> Result<Vec<Digest>, Failure> {
    let mut digests = algorithms_of(console, matches)?;
    if digests.is_empty() {
        digests.push(Digest::of(hashmill::Algorithm::Sha256));
    }
    Ok(digests)
}

/// A misuse that the table of options cannot express.
pub fn misuse(console: &mut Console, message: String) -> Failure {
    console.say(message + "\n\nFor more information, try '--help'.");
    Failure { status: MISUSE }
}

const MISUSE: u8 = 2;
