//! Parses command lines as glibc's `getopt_long` does: options may come anywhere, long names may be
//! abbreviated if that is unambiguous, and the messages are the same word for word.

use crate::gnu::options::{Flag, Row};
use crate::text::line::split_once;
use std::collections::VecDeque;
use std::ffi::OsString;

pub enum Event {
    Option(Flag, Vec<u8>),
    Operand(OsString),
}

pub struct Parser {
    /// The options. Their order is visible in the message that lists the possible meanings of an
    /// abbreviation.
    table: Vec<&'static Row>,
    args: VecDeque<OsString>,
    /// The remaining letters of a cluster of short options.
    cluster: VecDeque<u8>,
    /// Whether only operands follow: after `--`, or after the first operand if the environment
    /// contains POSIXLY_CORRECT.
    operands_only: bool,
    posixly_correct: bool,
}

impl Parser {
    pub fn new(table: Vec<&'static Row>, args: Vec<OsString>) -> Parser {
        Parser {
            table,
            args: args.into(),
            cluster: VecDeque::new(),
            operands_only: false,
            posixly_correct: std::env::var_os("POSIXLY_CORRECT").is_some(),
        }
    }

    /// Returns the next option or operand. An error is the message without the program's name.
    pub fn next(&mut self) -> Result<Option<Event>, Vec<u8>> {
        if let Some(letter) = self.cluster.pop_front() {
            return self.short(letter).map(Some);
        }
        let Some(arg) = self.args.pop_front() else { return Ok(None) };
        let bytes = arg.as_encoded_bytes();
        if self.operands_only || bytes.len() < 2 || bytes[0] != b'-' {
            self.operands_only |= self.posixly_correct;
            return Ok(Some(Event::Operand(arg)));
        }
        if bytes == b"--" {
            self.operands_only = true;
            return self.next();
        }
        if let Some(long) = bytes.strip_prefix(b"--") {
            return self.long(long).map(Some);
        }
        self.cluster.extend(&bytes[1..]);
        self.next()
    }

    fn short(&mut self, letter: u8) -> Result<Event, Vec<u8>> {
        let Some(row) = self.table.iter().find(|row| row.short == Some(letter)) else {
            return Err([b"invalid option -- '".as_slice(), &[letter], b"'"].concat());
        };
        if row.value.is_none() {
            return Ok(Event::Option(row.flag, Vec::new()));
        }
        let value = match self.cluster.is_empty() {
            false => Some(self.cluster.drain(..).collect()),
            true => self.args.pop_front().map(OsString::into_encoded_bytes),
        };
        match value {
            Some(value) => Ok(Event::Option(row.flag, value)),
            None => Err([b"option requires an argument -- '".as_slice(), &[letter], b"'"].concat()),
        }
    }

    fn long(&mut self, text: &[u8]) -> Result<Event, Vec<u8>> {
        let parts = split_once(text, b"=");
        let (name, value) = (parts.map_or(text, |it| it.0), parts.map(|it| it.1.to_vec()));
        let long = |row: &Row| row.long.as_bytes().starts_with(name) && !row.long.is_empty();
        let begun = || self.table.iter().filter(|row| long(row));
        let meant: Vec<_> = match begun().find(|row| row.long.len() == name.len()) {
            Some(exact) => vec![exact],
            None => begun().collect(),
        };
        let row = match *meant {
            [] => return Err([b"unrecognized option '--", text, b"'"].concat()),
            [row] => row,
            _ => {
                let mut message = [b"option '--", text, b"' is ambiguous; possibilities:"].concat();
                for row in meant {
                    message.extend(format!(" '--{}'", row.long).bytes());
                }
                return Err(message);
            }
        };
        let value = match (row.value, value) {
            (None, None) => Vec::new(),
            (None, Some(_)) => {
                return Err(format!("option '--{}' doesn't allow an argument", row.long).into());
            }
            (Some(_), Some(value)) => value,
            (Some(_), None) => match self.args.pop_front() {
                Some(value) => value.into_encoded_bytes(),
                None => return Err(format!("option '--{}' requires an argument", row.long).into()),
            },
        };
        Ok(Event::Option(row.flag, value))
    }
}
