//! The options of a stand-in, and the checks whether they can be combined.

use crate::gnu::algorithms::{CKSUM, Kind, Row};
use crate::gnu::options::Flag;
use crate::gnu::programs::Program;
use crate::hashing::foreign::Foreign;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::Verbosity;
use crate::lists::style::{Form, Style};
use crate::lists::verify::Report;
use crate::terminal::console::{Console, Failure};
use crate::text::encoding::Encoding;

/// The options of a command line, before it is checked whether they can be combined.
#[derive(Default)]
pub struct Settings {
    row: Option<&'static Row>,
    /// The length in bits that is used if there is no `--length`.
    usual_bits: Option<usize>,
    /// The last `--length` in bits, as a number and as it was written.
    length: Option<(usize, Vec<u8>)>,
    check: bool,
    tag: Option<bool>,
    binary: Option<bool>,
    zero: bool,
    base64: bool,
    raw: bool,
    debug: bool,
    report: Report,
}

pub enum Work {
    Sum { recipe: Recipe, style: Style },
    Check { row: Option<&'static Row>, report: Report },
}

impl Settings {
    pub fn new(row: Option<&'static Row>, usual_bits: Option<usize>) -> Settings {
        Settings { row, usual_bits, ..Settings::default() }
    }

    /// Stores one option and its value.
    pub fn set(
        &mut self,
        console: &mut Console,
        flag: Flag,
        value: Vec<u8>,
    ) -> Result<(), Failure> {
        match flag {
            Flag::Algorithm => {
                self.row =
                    Some(Row::of_cksum(&value).ok_or_else(|| unknown_algorithm(console, &value))?)
            }
            Flag::Length if is_negative(&value) => {
                // The C library's message for a number below the minimum.
                let value = console.quote(&value);
                let said = "Value too large for defined data type";
                return Err(console.fatal(format!("invalid length: {value}: {said}")));
            }
            Flag::Length => {
                let length = parse_length(&value).ok_or_else(|| invalid_length(console, &value))?;
                self.length = Some((length, value));
            }
            Flag::Base64 => self.base64 = true,
            Flag::Binary => self.binary = Some(true),
            Flag::Check => self.check = true,
            Flag::Debug => self.debug = true,
            Flag::IgnoreMissing => self.report.ignore_missing = true,
            Flag::Quiet => self.report.verbosity = Verbosity::Quiet,
            Flag::Raw => self.raw = true,
            Flag::Status => self.report.verbosity = Verbosity::Status,
            Flag::Strict => self.report.strict = true,
            Flag::Tag => self.tag = Some(true),
            Flag::Text => self.binary = Some(false),
            Flag::Untagged => self.tag = Some(false),
            Flag::Bsd => self.row = Row::named("bsd"),
            Flag::Sysv => self.row = Row::named("sysv"),
            Flag::Warn => self.report.verbosity = Verbosity::Warn,
            Flag::Zero => self.zero = true,
            Flag::Help | Flag::Version => {}
        }
        Ok(())
    }

    /// Checks whether the options can be combined, in the order of GNU's checks, so that the first
    /// message is the same.
    pub fn validate(
        self,
        program: &Program,
        console: &mut Console,
        operands: usize,
    ) -> Result<Work, Failure> {
        let digest = self.digest(console)?;
        if self.check && self.row.is_some_and(Row::is_legacy) {
            return Err(
                console.fatal("--check is not supported with --algorithm={bsd,sysv,crc,crc32b}")
            );
        }
        if self.base64 && self.raw {
            return Err(console.misuse("--base64 and --raw are mutually exclusive"));
        }
        let tagged = self.tag.unwrap_or(program.is_cksum());
        if tagged && self.binary == Some(false) {
            return Err(console.misuse(match program.is_cksum() {
                true => "--text mode is only supported with --untagged",
                false => "--tag does not support --text mode",
            }));
        }
        if self.check {
            for (given, what) in [
                (self.zero, "the --zero option is not supported"),
                (self.tag == Some(true), "the --tag option is meaningless"),
                (self.binary.is_some(), "the --binary and --text options are meaningless"),
            ] {
                if given {
                    return Err(console.misuse(format!("{what} when verifying checksums")));
                }
            }
            return Ok(Work::Check { row: self.row, report: self.report });
        }
        for (given, name) in [
            (self.report.ignore_missing, "ignore-missing"),
            (self.report.verbosity == Verbosity::Status, "status"),
            (self.report.verbosity == Verbosity::Warn, "warn"),
            (self.report.verbosity == Verbosity::Quiet, "quiet"),
            (self.report.strict, "strict"),
        ] {
            if given {
                return Err(console.misuse(format!(
                    "the --{name} option is meaningful only when verifying checksums"
                )));
            }
        }
        if self.raw && operands > 1 {
            return Err(console.fatal("the --raw option is not supported with multiple files"));
        }
        let digest = digest.unwrap_or_else(|| Recipe::of(Foreign::Crc));
        if self.debug {
            console.say(format!("using {}", digest.implementation()));
        }
        let form = match (self.raw, tagged) {
            (true, _) => Form::Raw,
            (false, true) => Form::Tagged,
            (false, false) => Form::Untagged { binary: self.binary == Some(true) },
        };
        let encoding = self.base64.then_some(Encoding::Base64);
        let (zero, legacy, named) = (self.zero, true, operands > 0);
        let style = Style { encoding, zero, legacy, named, ..Style::of_form(form, None) };
        Ok(Work::Sum { recipe: digest, style })
    }

    /// Returns the recipe that the algorithm and the length select. Returns `None` if they do not
    /// select one.
    fn digest(&self, console: &mut Console) -> Result<Option<Recipe>, Failure> {
        let Some((length, written)) = &self.length else {
            if let (Some(row), Some(bits)) = (self.row, self.usual_bits) {
                return Ok(row.with_bits(bits));
            }
            if let Some(row) = self.row
                && let Kind::Sha(_) = row.kind
                && !self.check
            {
                let name = row.name;
                let message = format!(
                    "--algorithm={name} requires specifying --length 224, 256, 384, or 512"
                );
                return Err(console.fatal(message));
            }
            return Ok(self.row.and_then(Row::usual));
        };
        let wrong = match self.row {
            Some(Row { kind: Kind::Sha(_), tag, .. }) => {
                let tag = console.quote(tag.as_bytes());
                format!("digest length for {tag} must be 224, 256, 384, or 512")
            }
            Some(row @ Row { kind: Kind::UpTo(algorithm), tag, .. }) => {
                let most = 8 * algorithm.max_len();
                match *length {
                    0 => return Ok(row.usual()),
                    length if length > most => {
                        let tag = console.quote(tag.as_bytes());
                        format!("maximum digest length for {tag} is {most} bits")
                    }
                    _ => "length is not a multiple of 8".to_owned(),
                }
            }
            _ if *length == 0 => return Ok(self.row.and_then(Row::usual)),
            _ => {
                return Err(console
                    .fatal("--length is only supported with --algorithm blake2b, sha2, or sha3"));
            }
        };
        match self.row.and_then(|row| row.with_bits(*length)) {
            Some(digest) => Ok(Some(digest)),
            None => {
                let _said = invalid_length(console, written);
                Err(console.fatal(wrong))
            }
        }
    }
}

/// Returns whether `text` is a number less than zero, as `strtoimax` reads it.
fn is_negative(text: &[u8]) -> bool {
    let digits = text.trim_ascii_start().strip_prefix(b"-");
    digits.is_some_and(|digits| {
        digits.iter().all(u8::is_ascii_digit) && digits.iter().any(|&digit| digit != b'0')
    })
}

fn unknown_algorithm(console: &mut Console, name: &[u8]) -> Failure {
    let mut message = format!(
        "invalid argument {} for {}\nValid arguments are:",
        console.quote(name),
        console.quote(b"--algorithm")
    );
    for row in &CKSUM {
        message.push_str("\n  - ");
        message.push_str(&console.quote(row.name.as_bytes()));
    }
    console.misuse(message)
}

fn invalid_length(console: &mut Console, written: &[u8]) -> Failure {
    let message = format!("invalid length: {}", console.quote(written));
    console.fatal(message)
}

/// Parses a decimal number as `strtoumax` does, with leading blanks and a sign. Returns the largest
/// number if the text's number is larger.
fn parse_length(text: &[u8]) -> Option<usize> {
    let start = text.iter().position(|byte| !matches!(byte, b' ' | b'\t'..=b'\r'))?;
    let signed = &text[start..];
    let digits = signed.strip_prefix(b"+").or(signed.strip_prefix(b"-")).unwrap_or(signed);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add =
        |number: usize, &digit: &u8| number.checked_mul(10)?.checked_add(usize::from(digit - b'0'));
    Some(digits.iter().try_fold(0, add).unwrap_or(usize::MAX))
}
