//! The table of the stand-ins' options. The parser and the help are made from it.

use crate::gnu::algorithms::CKSUM;
use crate::gnu::programs::Program;
use clap::{Arg, ArgAction, Command, ValueHint};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    Algorithm,
    Base64,
    Binary,
    Bsd,
    Check,
    Debug,
    Help,
    IgnoreMissing,
    Length,
    Quiet,
    Raw,
    Status,
    Strict,
    Sysv,
    Tag,
    Text,
    Untagged,
    Version,
    Warn,
    Zero,
}

/// An option.
pub struct Row {
    pub flag: Flag,
    pub short: Option<u8>,
    /// The long name; empty if the option has only a letter.
    pub long: &'static str,
    /// The name of the value in the help, if the option takes one.
    pub value: Option<&'static str>,
    who: Who,
    about: &'static str,
}

/// The programs that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    All,
    Cksum,
    /// Programs whose digests have several lengths.
    Lengths,
    Sha3,
    /// `sum`, which has only its own two options and those of `Everybody`.
    Sum,
    Everybody,
}

/// The options in GNU's order, which is visible in the message about an ambiguous abbreviation.
#[rustfmt::skip]
static TABLE: [Row; 21] = [
    row(Flag::Length, Some(b'l'), "length", Some("BITS"), Who::Lengths, "make digests of BITS bits, a multiple of 8"),
    row(Flag::Check, Some(b'c'), "check", None, Who::All, "read lists of digests from the FILEs and check them"),
    row(Flag::IgnoreMissing, None, "ignore-missing", None, Who::All, "with --check: skip files that do not exist"),
    row(Flag::Quiet, None, "quiet", None, Who::All, "with --check: no OK for files that match"),
    row(Flag::Status, None, "status", None, Who::All, "with --check: only the exit status is the result"),
    row(Flag::Warn, Some(b'w'), "warn", None, Who::All, "with --check: name each improperly formatted line"),
    row(Flag::Strict, None, "strict", None, Who::All, "with --check: fail for improperly formatted lines"),
    row(Flag::Tag, None, "tag", None, Who::All, "write lines that name the algorithm, as BSD does"),
    row(Flag::Zero, Some(b'z'), "zero", None, Who::All, "end lines with NUL and escape no file names"),
    row(Flag::Algorithm, Some(b'a'), "algorithm", Some("NAME"), Who::Cksum, "the algorithm, one of those below"),
    row(Flag::Length, Some(b'a'), "algorithm", Some("BITS"), Who::Sha3, "the same as --length"),
    row(Flag::Base64, None, "base64", None, Who::Cksum, "write digests in base64"),
    row(Flag::Debug, None, "debug", None, Who::Cksum, "say which implementation is used"),
    row(Flag::Raw, None, "raw", None, Who::Cksum, "write the digest's bytes and nothing else"),
    row(Flag::Untagged, None, "untagged", None, Who::Cksum, "write lines that do not name the algorithm"),
    row(Flag::Binary, Some(b'b'), "binary", None, Who::All, "mark untagged lines with an asterisk"),
    row(Flag::Text, Some(b't'), "text", None, Who::All, "do not mark them (default); digests are the same"),
    row(Flag::Bsd, Some(b'r'), "", None, Who::Sum, "use BSD's algorithm and blocks of 1024 bytes (default)"),
    row(Flag::Sysv, Some(b's'), "sysv", None, Who::Sum, "use System V's algorithm and blocks of 512 bytes"),
    row(Flag::Help, None, "help", None, Who::Everybody, "show this help and exit"),
    row(Flag::Version, None, "version", None, Who::Everybody, "show the version and exit"),
];

const fn row(
    flag: Flag,
    short: Option<u8>,
    long: &'static str,
    value: Option<&'static str>,
    who: Who,
    about: &'static str,
) -> Row {
    Row { flag, short, long, value, who, about }
}

/// The values of `--algorithm` in the order of GNU's help. SHA-224 to SHA-512 are also accepted by
/// their own names.
const ALGORITHMS: [(&str, &str); 10] = [
    ("sysv", "a sum and blocks of 512 bytes, as sum -s writes them"),
    ("bsd", "a sum and blocks of 1024 bytes, as sum -r writes them"),
    ("crc", "the CRC of POSIX, and the size (default)"),
    ("crc32b", "the CRC of Ethernet and gzip, and the size"),
    ("md5", "as md5sum"),
    ("sha1", "as sha1sum"),
    ("sha2", "with -l 224, 256, 384 or 512; also as sha224 to sha512"),
    ("sha3", "with -l 224, 256, 384 or 512"),
    ("blake2b", "as b2sum; with -l for fewer bits"),
    ("sm3", "SM3"),
];

/// Returns the options of a program.
pub fn table(program: &Program) -> Vec<&'static Row> {
    TABLE.iter().filter(|row| row.known_to(program)).collect()
}

impl Row {
    fn known_to(&self, program: &Program) -> bool {
        match self.who {
            Who::All => !program.is_sum(),
            Who::Everybody => true,
            Who::Sum => program.is_sum(),
            Who::Cksum => program.is_cksum(),
            Who::Lengths => program.row().is_none_or(|row| row.has_lengths()),
            Who::Sha3 => program.bits.is_some(),
        }
    }
}

/// Returns the options of a program as a clap command, for completions and manual pages.
pub fn command(program: &Program) -> Command {
    let command = Command::new(program.name)
        .about(program.about)
        .after_help(ending(program, program.name))
        .disable_help_flag(true)
        .disable_version_flag(true);
    let args = table(program).into_iter().map(|row| {
        let arg = match row.long {
            "" => Arg::new("bsd").help(row.about),
            long => Arg::new(long).long(long).help(row.about),
        };
        let arg = arg.short(row.short.map(char::from));
        match (row.flag, row.value) {
            (Flag::Algorithm, Some(value)) => arg
                .value_name(value)
                .value_parser(CKSUM.iter().map(|row| row.name).collect::<Vec<_>>()),
            (_, Some(value)) => arg.value_name(value),
            (_, None) => arg.action(ArgAction::SetTrue),
        }
    });
    let files = Arg::new("files").value_name("FILE").num_args(0..).value_hint(ValueHint::FilePath);
    command.args(args).arg(files.help("The files; - and no file are standard input"))
}

pub fn help(program: &Program, called: &[u8]) -> Vec<u8> {
    let called = String::from_utf8_lossy(called);
    let mut text = format!(
        "Usage: {called} [OPTION]... [FILE]...\n{}.\n\nWith no FILE, or when FILE is -, read standard input.\n\nOptions:\n",
        program.about
    );
    for row in table(program) {
        let short =
            row.short.map_or("    ".to_owned(), |short| format!("-{}, ", char::from(short)));
        let value = row.value.map_or(String::new(), |value| format!("={value}"));
        let long = if row.long.is_empty() { "" } else { "--" };
        let short = if row.long.is_empty() { short.trim_end_matches(", ") } else { &short };
        line(&mut text, &format!("  {short}{long}{}{value}", row.long), row.about);
    }
    if program.is_cksum() {
        text.push_str("\nAlgorithms:\n");
        for (name, about) in ALGORITHMS {
            line(&mut text, &format!("  {name}"), about);
        }
    }
    text.push('\n');
    text.push_str(&ending(program, &called));
    text.into_bytes()
}

/// Returns the end of a program's help: the examples and the exit statuses.
fn ending(program: &Program, called: &str) -> String {
    let mut text = "Examples:\n".to_owned();
    let algorithm = match program.name {
        "cksum" => "-a sha2 -l 256 ",
        "sha3sum" => "-l 256 ",
        _ => "",
    };
    let list =
        [(format!("{algorithm}*.iso > SUMS"), "write a list"), ("-c SUMS".to_owned(), "check it")];
    let sums = [("*.iso".to_owned(), "as BSD"), ("-s *.iso".to_owned(), "as System V")];
    for (arguments, about) in if program.is_sum() { sums } else { list } {
        line(&mut text, &format!("    {called} {arguments}"), &format!("# {about}"));
    }
    text.push_str("\nExit status: 0 if all went well, 1 if not.\n");
    text
}

fn line(text: &mut String, left: &str, right: &str) {
    let _ = writeln!(text, "{left:<24} {right}");
}

pub fn version(program: &Program) -> Vec<u8> {
    format!("{} (hashmill) {}\n", program.name, env!("CARGO_PKG_VERSION")).into_bytes()
}
