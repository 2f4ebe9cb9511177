//! The options of a stand-in, and the checks whether they can be combined.

use crate::gnu::algorithms::{CKSUM, Row};
use crate::gnu::options::Flag;
use crate::gnu::programs::Program;
use crate::hashing::algorithm::Foreign;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::Verbosity;
use crate::lists::style::{Form, Style};
use crate::lists::verify::Report;
use crate::terminal::console::{Console, Failure};
use crate::text::encoding::Encoding;
use crate::text::line::is_number;

/// The options of a command line, before it is checked whether they can be combined.
#[derive(Default)]
pub struct Settings {
    row: Option<&'static Row>,
    /// The length in bits that is used if there is no `--length`.
    usual_bits: Option<usize>,
    /// The last `--length` in bits, as a number and as it was written.
    length: Option<(usize, Vec<u8>)>,
    /// The other options, in their order.
    flags: Vec<Flag>,
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
            Flag::Bsd => self.row = Row::named("bsd"),
            Flag::Sysv => self.row = Row::named("sysv"),
            flag => self.flags.push(flag),
        }
        Ok(())
    }

    fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Returns the last of these options that was given.
    fn last(&self, flags: &[Flag]) -> Option<Flag> {
        self.flags.iter().rev().find(|it| flags.contains(it)).copied()
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
        let (check, raw, zero) = (self.has(Flag::Check), self.has(Flag::Raw), self.has(Flag::Zero));
        let tag = self.last(&[Flag::Tag, Flag::Untagged]);
        let mode = self.last(&[Flag::Binary, Flag::Text]);
        let verbosity = self.last(&[Flag::Quiet, Flag::Status, Flag::Warn]);
        if check && self.row.is_some_and(Row::is_legacy) {
            return Err(
                console.fatal("--check is not supported with --algorithm={bsd,sysv,crc,crc32b}")
            );
        }
        if self.has(Flag::Base64) && raw {
            return Err(console.misuse("--base64 and --raw are mutually exclusive"));
        }
        let tagged = tag.map_or(program.is_cksum(), |tag| tag == Flag::Tag);
        if tagged && mode == Some(Flag::Text) {
            return Err(console.misuse(match program.is_cksum() {
                true => "--text mode is only supported with --untagged",
                false => "--tag does not support --text mode",
            }));
        }
        let (ignore_missing, strict) = (self.has(Flag::IgnoreMissing), self.has(Flag::Strict));
        if check {
            for (given, what) in [
                (zero, "the --zero option is not supported"),
                (tag == Some(Flag::Tag), "the --tag option is meaningless"),
                (mode.is_some(), "the --binary and --text options are meaningless"),
            ] {
                if given {
                    return Err(console.misuse(format!("{what} when verifying checksums")));
                }
            }
            let verbosity = match verbosity {
                Some(Flag::Quiet) => Verbosity::Quiet,
                Some(Flag::Status) => Verbosity::Status,
                Some(Flag::Warn) => Verbosity::Warn,
                _ => Verbosity::Normal,
            };
            let report = Report { verbosity, strict, ignore_missing, ..Report::default() };
            return Ok(Work::Check { row: self.row, report });
        }
        for (given, name) in [
            (ignore_missing, "ignore-missing"),
            (verbosity == Some(Flag::Status), "status"),
            (verbosity == Some(Flag::Warn), "warn"),
            (verbosity == Some(Flag::Quiet), "quiet"),
            (strict, "strict"),
        ] {
            if given {
                return Err(console.misuse(format!(
                    "the --{name} option is meaningful only when verifying checksums"
                )));
            }
        }
        if raw && operands > 1 {
            return Err(console.fatal("the --raw option is not supported with multiple files"));
        }
        let digest = digest.unwrap_or_else(|| Recipe::of(Foreign::Crc));
        if self.has(Flag::Debug) {
            console.say(format!("using {}", digest.implementation()));
        }
        let form = match (raw, tagged) {
            (true, _) => Form::Raw,
            (false, true) => Form::Tagged,
            (false, false) => Form::Untagged { binary: mode == Some(Flag::Binary) },
        };
        let encoding = self.has(Flag::Base64).then_some(Encoding::Base64);
        let (legacy, named) = (true, operands > 0);
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
            if let Some(Row { algorithms: [_, _, ..], name, .. }) = self.row
                && !self.has(Flag::Check)
            {
                return Err(console.fatal(format!(
                    "--algorithm={name} requires specifying --length 224, 256, 384, or 512"
                )));
            }
            return Ok(self.row.and_then(Row::usual));
        };
        let wrong = match self.row {
            Some(Row { algorithms: [_, _, ..], tag, .. }) => {
                let tag = console.quote(tag.as_bytes());
                format!("digest length for {tag} must be 224, 256, 384, or 512")
            }
            _ if *length == 0 => return Ok(self.row.and_then(Row::usual)),
            Some(row) if row.takes_any_len() => {
                let most = 8 * row.algorithms[0].max_len();
                if *length > most {
                    let tag = console.quote(row.tag.as_bytes());
                    format!("maximum digest length for {tag} is {most} bits")
                } else {
                    "length is not a multiple of 8".to_owned()
                }
            }
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
    let number = |digits| str::from_utf8(digits).ok()?.parse().ok();
    is_number(digits).then(|| number(digits).unwrap_or(usize::MAX))
}
