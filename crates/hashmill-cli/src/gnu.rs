//! Stand-ins for GNU coreutils' `md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum` and
//! `cksum`: the options, output, messages and exit statuses of version 9.11 in the C locale's
//! English. `sha3sum`, `shake128sum` and `shake256sum` are of the same kind.

pub mod algorithms;
pub mod line;
mod options;
mod settings;

use crate::console::{Console, Failure, reason};
use crate::getopt::{Event, Parser};
use crate::pool::Jobs;
use crate::sum;
use crate::verify::{self, Report};
use crate::walk::Found;
use algorithms::Row;
use options::Flag;
use settings::{Settings, Work};
use std::ffi::OsString;

/// A name this program stands in for.
pub struct Program {
    pub name: &'static str,
    /// The value of `cksum --algorithm` that it is fixed to, if it is.
    algorithm: Option<&'static str>,
    /// The length in bits without `--length`, where the algorithm has no usual one.
    bits: Option<usize>,
    pub about: &'static str,
}

pub static PROGRAMS: [Program; 11] = {
    const fn program(
        name: &'static str,
        algorithm: Option<&'static str>,
        about: &'static str,
    ) -> Program {
        Program { name, algorithm, bits: None, about }
    }
    [
        program("md5sum", Some("md5"), "Print or check MD5 digests"),
        program("sha1sum", Some("sha1"), "Print or check SHA-1 digests"),
        program("sha224sum", Some("sha224"), "Print or check SHA-224 digests"),
        program("sha256sum", Some("sha256"), "Print or check SHA-256 digests"),
        program("sha384sum", Some("sha384"), "Print or check SHA-384 digests"),
        program("sha512sum", Some("sha512"), "Print or check SHA-512 digests"),
        // As the programs of this name in BusyBox and in Perl's Digest::SHA3 do.
        Program {
            bits: Some(224),
            ..program(
                "sha3sum",
                Some("sha3"),
                "Print or check SHA-3 digests, of 224 bits unless told",
            )
        },
        program("shake128sum", Some("shake128"), "Print or check SHAKE128 digests of any length"),
        program("shake256sum", Some("shake256"), "Print or check SHAKE256 digests of any length"),
        program("b2sum", Some("blake2b"), "Print or check BLAKE2b digests"),
        program("cksum", None, "Print or check checksums, or digests of a chosen algorithm"),
    ]
};

impl Program {
    pub fn named(name: &str) -> Option<&'static Program> {
        PROGRAMS.iter().find(|program| program.name == name)
    }

    /// The options, as shells and manuals are told of them.
    pub fn command(&self) -> clap::Command {
        options::command(self)
    }

    fn is_cksum(&self) -> bool {
        self.algorithm.is_none()
    }

    fn row(&self) -> Option<&'static Row> {
        self.algorithm.and_then(Row::named)
    }

    /// Does what the arguments ask for; whether all went well.
    pub fn run(
        &self,
        console: &mut Console,
        args: impl IntoIterator<Item = OsString>,
    ) -> Result<bool, Failure> {
        let (settings, operands) = match self.settings(console, args)? {
            Request::Print(text) => return console.print(text).map(|()| true),
            Request::Work(settings, operands) => (settings, operands),
        };
        let work = settings.validate(self, console, operands.len())?;
        let names: Vec<Vec<u8>> = match operands.is_empty() {
            true => vec![b"-".to_vec()],
            false => operands.into_iter().map(OsString::into_encoded_bytes).collect(),
        };
        let mut well = match work {
            Work::Sum { digest, style } => sum::files(
                console,
                Jobs::default(),
                names.into_iter().map(Found::File),
                &[digest],
                &style,
            )?,
            Work::Check { row, report } => {
                check(console, &names, line::Gnu::new(row, self.is_cksum()), &report)?
            }
        };
        if let Some(message) =
            console.stdin_error().map(|error| format!("standard input: {}", reason(error)))
        {
            console.say(message);
            well = false;
        }
        Ok(well)
    }

    fn settings(
        &self,
        console: &mut Console,
        args: impl IntoIterator<Item = OsString>,
    ) -> Result<Request, Failure> {
        let table = options::table(self);
        let mut parser = Parser::new(&table, args);
        let mut settings = Settings::new(self.row(), self.bits);
        let mut operands = Vec::new();
        while let Some(event) = parser.next().map_err(|message| console.misuse(message))? {
            match event {
                Event::Operand(name) => operands.push(name),
                Event::Option(Flag::Help, _) => {
                    return Ok(Request::Print(options::help(self, console.program())));
                }
                Event::Option(Flag::Version, _) => {
                    return Ok(Request::Print(options::version(self)));
                }
                Event::Option(flag, value) => settings.set(console, flag, value)?,
            }
        }
        Ok(Request::Work(Box::new(settings), operands))
    }
}

enum Request {
    Print(Vec<u8>),
    Work(Box<Settings>, Vec<OsString>),
}

fn check(
    console: &mut Console,
    names: &[Vec<u8>],
    mut format: line::Gnu,
    report: &Report,
) -> Result<bool, Failure> {
    let mut well = true;
    for name in names {
        well &= verify::list(console, Jobs::default(), name, &mut format, report)?;
    }
    Ok(well)
}
