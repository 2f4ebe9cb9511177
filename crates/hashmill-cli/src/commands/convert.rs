//! `hashmill convert`: writes a list in another format, without reading the files that it names.

use crate::commands::guess;
use crate::commands::options::{ALGORITHMS, recipes};
use crate::hashing::algorithm::Foreign;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::{Computed, Recipe};
use crate::lists::any::Any;
use crate::lists::entry::{Entry, Expected, Format, Verbosity};
use crate::lists::packages::{gentoo_name, release_field};
use crate::lists::place::Place;
use crate::lists::style::{Form, Style};
use crate::lists::template::sri;
use crate::lists::verify;
use crate::terminal::console::{Console, Failure, reason};
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::{Quoting, escape_line, is_harmless, shell};
use crate::text::table::{Field, One, Options, Parser, Row, Value, choices, options};
use clap::ValueHint;
use std::ffi::OsString;

options! {
    /// Write a list in another format
    pub struct Arguments {
        /// The format to write
        to: One<Target> { value: "FORMAT" },
        /// The algorithm of lines that do not name one
        algorithm: Vec<String> { short: 'a', value: "ALGORITHM", parser: ALGORITHMS },
        /// The list, in any format that 'check' reads; - or none means standard input
        list: Option<OsString> { is_operand: true, value: "LIST", hint: ValueHint::FilePath },
    }
    |command| command.after_help(AFTER_HELP)
}

const AFTER_HELP: &str = "\
Examples:
  hashmill convert --to bsd SHA256SUMS > SHA256SUMS.bsd
  hashmill convert --to sri hashes.json

Only the list is read, so what it does not contain cannot be written. sfv needs CRC-32s. \
hashdeep, debian (the fields of a Release file), gentoo (a Manifest) and json with sizes need a \
list with sizes. powershell is the output of Get-FileHash | Export-Csv. A line that cannot be \
written is an error.

Exit status: 0 if every line was written, 1 if not, 2 if the options are invalid.";

choices! {
    enum Target {
        Gnu = "gnu",
        Bsd = "bsd",
        Openssl = "openssl",
        Base64 = "base64",
        Sri = "sri",
        Nix32 = "nix32",
        Sfv = "sfv",
        Bagit = "bagit",
        Hashdeep = "hashdeep",
        Mtree = "mtree",
        Debian = "debian",     // the checksum fields of a Release file
        Gentoo = "gentoo",     // lines of a Manifest, all of the kind DATA
        Powershell = "powershell", // output of Get-FileHash | Export-Csv
        Json = "json",
    }
}

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let named = recipes(console, &arguments.algorithm)?;
    let list = arguments.list.as_ref().map_or(&b"-"[..], |list| list.as_encoded_bytes());
    if arguments.list.is_none() {
        guess::before_stdin(console, "hashmill convert --to FORMAT LIST");
    }
    let (mode, place) = (Mode::default(), Place::of(list));
    let mut format = Any::new(&named, &mode, &place);
    let opened = console.open(list).map_err(|error| Failure::of(list, reason(&error)))?;
    let mut writer = Writer {
        target: arguments.to.0,
        quoting: console.quoting(),
        has_heading: false,
        columns: None,
        fields: Vec::new(),
    };
    let (mut well, mut written) = (true, 0u64);
    verify::each(list, opened, &mut format, &mut |number, entry| {
        let improper = "improperly formatted checksum line".to_owned();
        match entry.ok_or(improper).and_then(|entry| writer.entry(&entry)) {
            Ok(text) => {
                written += 1;
                console.print(text)
            }
            Err(message) => {
                console.fault(list, format!("{number}: {message}"), &mut well);
                Ok(())
            }
        }
    })?;
    for (field, lines) in writer.fields {
        console.print([field.as_bytes(), b":\n", &lines].concat())?;
    }
    for note in format.notes(Verbosity::Warn) {
        console.say_of(list, note);
    }
    if let Some(fault) = format.fault() {
        console.fault(list, fault, &mut well);
    }
    if written == 0 {
        console.say_of(list, "no properly formatted checksum lines found");
    }
    Ok(well && written > 0)
}

struct Writer {
    target: Target,
    /// How names that could harm a terminal are quoted; `None` if the output is not a terminal.
    quoting: Option<Quoting>,
    has_heading: bool,
    /// The algorithms of the first entry, if the heading names them. All later entries must have the
    /// same ones.
    columns: Option<Vec<Recipe>>,
    /// The lines of each field of a Release file. They are written after the last line of the list
    /// was read.
    fields: Vec<(&'static str, Vec<u8>)>,
}

/// Returns a digest from the list, decoded, and its recipe.
fn known(expected: &Expected) -> Result<(Recipe, Computed), String> {
    let bytes = match expected.encoding {
        Encoding::Decimal => {
            let number = str::from_utf8(&expected.text).ok().and_then(|it| it.parse::<u32>().ok());
            number.map(|number| number.to_be_bytes().to_vec())
        }
        Encoding::EitherBase32 => {
            return Err("the digest can be in base32 or in Nix's base32".to_owned());
        }
        encoding => encoding.decode(&expected.text),
    };
    match (&*expected.recipes, bytes, expected.parts) {
        (_, _, Some(_)) => Err("digests of parts are not converted".to_owned()),
        ([recipe], Some(bytes), None) => {
            Ok((recipe.clone(), Computed { bytes, message_len: 0, parts: None }))
        }
        (_, Some(_), None) => {
            Err(format!("the digest can be {}: select one with -a", expected.names()))
        }
        (_, None, None) => Err("the digest does not match its encoding".to_owned()),
    }
}

/// Returns a text with its bytes escaped that are not plain.
fn with_escapes(text: &[u8], is_plain: fn(u8) -> bool, escape: fn(u8) -> String) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for &byte in text {
        match is_plain(byte) {
            true => escaped.push(byte),
            false => escaped.extend(escape(byte).bytes()),
        }
    }
    escaped
}

impl Writer {
    fn entry(&mut self, entry: &Entry) -> Result<Vec<u8>, String> {
        if entry.tree.is_some() {
            return Err("the digest of a tree cannot be converted".to_owned());
        }
        // Other formats require one digest in each claim.
        if self.target != Target::Sri && entry.claims.iter().any(|claim| claim.len() != 1) {
            return Err("alternative digests can only be written with --to sri".to_owned());
        }
        let digests: Result<Vec<_>, _> = entry.claims.iter().flatten().map(known).collect();
        let (recipes, values): (Vec<Recipe>, Vec<Computed>) = digests?.into_iter().unzip();
        // JSON and mtree escape what could harm a terminal.
        let quoting = self.quoting.filter(|_| !matches!(self.target, Target::Json | Target::Mtree));
        let name = &entry.name;
        let quoted = quoting.filter(|&it| !is_harmless(name, it)).map(|it| shell(name, it).into());
        let name = quoted.as_ref().unwrap_or(name);
        let escaped = if quoted.is_some() { None } else { escape_line(name) };
        let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
        let shown = escaped.as_deref().unwrap_or(name);
        let format_of_lines = match self.target {
            Target::Openssl => "OpenSSL's format",
            Target::Sfv => "an SFV list",
            Target::Hashdeep => "hashdeep's format",
            Target::Powershell => "a table of PowerShell",
            _ => "",
        };
        if !format_of_lines.is_empty() && name.iter().any(|byte| b"\n\r".contains(byte)) {
            return Err(format!("{format_of_lines} has no names with line breaks"));
        }
        // What the formats have of each digest, and the size.
        let each = |text: &dyn Fn(&Recipe, &[u8]) -> Vec<u8>| -> Vec<u8> {
            recipes.iter().zip(&values).flat_map(|(it, value)| text(it, &value.bytes)).collect()
        };
        let hex = |bytes: &[u8]| Encoding::Hex.encode(bytes);
        let lower = |recipe: &Recipe| recipe.to_string().to_lowercase();
        let size = |whose: &str| entry.size.ok_or(format!("{whose} requires a size"));
        Ok(match self.target {
            Target::Gnu | Target::Bsd | Target::Base64 => {
                let is_gnu = self.target == Target::Gnu;
                let form = if is_gnu { Form::Untagged { binary: false } } else { Form::Tagged };
                let encoding = (self.target == Target::Base64).then_some(Encoding::Base64);
                let style = Style { encoding, ..Style::of_form(form, quoting) };
                style.file(&recipes, &values, &entry.name)
            }
            Target::Openssl => each(&|recipe, bytes| {
                let tag = recipe.to_string();
                [tag.as_bytes(), b"(", name, b")= ", hex(bytes).as_bytes(), b"\n"].concat()
            }),
            Target::Nix32 => each(&|recipe, bytes| {
                let text = format!("{}:{}  ", lower(recipe), Encoding::Nix32.encode(bytes));
                [mark, text.as_bytes(), shown, b"\n"].concat()
            }),
            Target::Sri => {
                let texts = recipes.iter().zip(&values).map(|(it, value)| sri(it, &value.bytes));
                let texts = texts.collect::<Vec<_>>().join(" ");
                [mark, texts.as_bytes(), b"  ", shown, b"\n"].concat()
            }
            Target::Sfv => {
                let crc = recipes.iter().position(|it| it.algorithm() == Foreign::Crc32b.into());
                let crc = crc.ok_or("an SFV list requires a CRC-32, and this line has none")?;
                let crc = Encoding::HexUpper.encode(&values[crc].bytes);
                let head = self.heading(b"; Generated by hashmill\n");
                [head, name, b" ", crc.as_bytes(), b"\n"].concat()
            }
            Target::Bagit => {
                let is_plain = |byte| !b"\n\r%".contains(&byte);
                let name = with_escapes(name, is_plain, |byte| format!("%{byte:02X}"));
                each(&|_, bytes| [hex(bytes).as_bytes(), b"  ", &name, b"\n"].concat())
            }
            Target::Hashdeep => {
                let size = size(format_of_lines)?;
                let names: Vec<_> = recipes.iter().map(lower).collect();
                let digests = each(&|_, bytes| format!(",{}", hex(bytes)).into());
                if self.columns.get_or_insert_with(|| recipes.clone()) != &recipes {
                    return Err("the algorithms differ from those of the first line".to_owned());
                }
                let head = format!("%%%% HASHDEEP-1.0\n%%%% size,{},filename\n", names.join(","));
                let head = self.heading(head.as_bytes());
                [head, size.to_string().as_bytes(), &digests, b",", name, b"\n"].concat()
            }
            Target::Mtree => {
                let mut line = self.heading(b"#mtree\n").to_vec();
                if !name.contains(&b'/') {
                    line.extend(b"./");
                }
                let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\\#*?[=".contains(&byte);
                line.extend(with_escapes(name, is_plain, |byte| format!("\\{byte:03o}")));
                line.extend(b" type=file");
                if let Some(size) = entry.size {
                    line.extend(format!(" size={size}").bytes());
                }
                let digest = |recipe: &Recipe, bytes: &[u8]| {
                    format!(" {}digest={}", lower(recipe), hex(bytes)).into()
                };
                [line, each(&digest), b"\n".to_vec()].concat()
            }
            Target::Debian => {
                let size = size("a Release file")?;
                if name.iter().any(|byte| byte.is_ascii_whitespace()) {
                    return Err("a Release file has no names with blanks".to_owned());
                }
                let fields: Option<Vec<_>> = recipes.iter().map(release_field).collect();
                let only = "a Release file has MD5, SHA-1, SHA-256 and SHA-512 only";
                for (field, value) in fields.ok_or(only)?.into_iter().zip(&values) {
                    let digest = format!(" {} {size} ", hex(&value.bytes));
                    let line = [digest.as_bytes(), name, b"\n"].concat();
                    match self.fields.iter_mut().find(|(known, _)| *known == field) {
                        Some((_, lines)) => lines.extend(line),
                        None => self.fields.push((field, line)),
                    }
                }
                Vec::new()
            }
            Target::Gentoo => {
                let size = format!(" {}", size("a Manifest")?);
                let digests = each(&|recipe, bytes| {
                    format!(" {} {}", gentoo_name(recipe), hex(bytes)).into()
                });
                // GLEP 74.
                let is_plain = |byte| byte > b' ' && byte != 0x7f && byte != b'\\';
                let name = with_escapes(name, is_plain, |byte| format!("\\x{byte:02X}"));
                [b"DATA ", &*name, size.as_bytes(), &digests, b"\n"].concat()
            }
            Target::Powershell => {
                let quoted = |text: &[u8]| {
                    let doubled = with_escapes(text, |byte| byte != b'"', |_| "\"\"".to_owned());
                    [b"\"", &*doubled, b"\""].concat()
                };
                let rows = each(&|recipe, bytes| {
                    let (tag, hash) = (recipe.to_string(), Encoding::HexUpper.encode(bytes));
                    let fields = [tag.as_bytes(), hash.as_bytes(), name].map(quoted);
                    [fields.join(&b","[..]), b"\r\n".to_vec()].concat()
                });
                [self.heading(b"\"Algorithm\",\"Hash\",\"Path\"\r\n"), &rows].concat()
            }
            Target::Json => {
                let mut record = json::of_file(name);
                if let Some(size) = entry.size {
                    record.insert("size".to_owned(), size.into());
                }
                let pairs = recipes.iter().zip(&values);
                let pairs = pairs.map(|(it, value)| (it.to_string(), hex(&value.bytes).into()));
                record.insert("digests".to_owned(), pairs.collect::<json::Record>().into());
                json::line(record)
            }
        })
    }

    /// Returns the heading of the list before its first line.
    fn heading<'a>(&mut self, heading: &'a [u8]) -> &'a [u8] {
        if std::mem::replace(&mut self.has_heading, true) { b"" } else { heading }
    }
}
