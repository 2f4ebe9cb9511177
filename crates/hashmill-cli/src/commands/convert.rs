//! `hashmill convert`: writes a list in another format, without reading the files that it names.

use crate::commands::guess;
use crate::commands::options::{AlgorithmNames, recipes};
use crate::hashing::foreign::Foreign;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::any::Any;
use crate::lists::entry::{Entry, Expected, Format, Verbosity};
use crate::lists::packages::{gentoo_escaped, gentoo_name, release_field};
use crate::lists::place::Place;
use crate::lists::template::sri;
use crate::lists::verify;
use crate::terminal::console::{Console, Failure, reason};
use crate::text::encoding::Encoding;
use crate::text::json;
use crate::text::quote::{Quoting, escape_line, is_harmless, shell};
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;

/// Write a list in another format
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: Target,
    /// The algorithm of lines that do not name one
    #[arg(long, short, value_name = "ALGORITHM", value_parser = AlgorithmNames, hide_possible_values = true)]
    algorithm: Vec<String>,
    /// The list, in any format that 'check' reads; - or none means standard input
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: Option<OsString>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Gnu,
    Bsd,
    Openssl,
    Base64,
    Sri,
    Nix32,
    Sfv,
    Bagit,
    Hashdeep,
    Mtree,
    Debian,     // the checksum fields of a Release file
    Gentoo,     // lines of a Manifest, all of the kind DATA
    Powershell, // output of Get-FileHash | Export-Csv
    Json,
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
        target: arguments.to,
        quoting: console.quoting(),
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
                console.say_of(list, format!("{number}: {message}"));
                well = false;
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
        console.say_of(list, fault);
        well = false;
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
    /// The algorithms of the first entry, if the format has a heading that names them. The heading
    /// has been written, and all later entries must have the same algorithms.
    columns: Option<Vec<Recipe>>,
    /// The lines of each field of a Release file. They are written after the last line of the list
    /// was read.
    fields: Vec<(&'static str, Vec<u8>)>,
}

/// A digest from the list, decoded, and its recipe.
struct Known<'a> {
    recipe: &'a Recipe,
    bytes: Vec<u8>,
}

fn known(expected: &Expected) -> Result<Known<'_>, String> {
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
        ([recipe], Some(bytes), None) => Ok(Known { recipe, bytes }),
        (_, Some(_), None) => {
            Err(format!("the digest can be {}: select one with -a", expected.names()))
        }
        (_, None, None) => Err("the digest does not match its encoding".to_owned()),
    }
}

impl Writer {
    fn entry(&mut self, entry: &Entry) -> Result<Vec<u8>, String> {
        if entry.tree.is_some() {
            return Err("the digest of a tree cannot be converted".to_owned());
        }
        // Only SRI can express alternative digests of one file. Other formats require one digest in
        // each claim.
        let mut digests = Vec::new();
        for claim in &entry.claims {
            match &**claim {
                [expected] => digests.push(known(expected)?),
                _ if self.target == Target::Sri => {
                    for expected in claim {
                        digests.push(known(expected)?);
                    }
                }
                _ => return Err("alternative digests can only be written with --to sri".to_owned()),
            }
        }
        // JSON and mtree escape what could harm a terminal.
        let quoting = self.quoting.filter(|_| !matches!(self.target, Target::Json | Target::Mtree));
        let name = &entry.name;
        let quoted = quoting.filter(|&it| !is_harmless(name, it)).map(|it| shell(name, it).into());
        let name = quoted.as_ref().unwrap_or(name);
        let escaped = if quoted.is_some() { None } else { escape_line(name) };
        let mark: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
        let shown = escaped.as_deref().unwrap_or(name);
        let each = |line: &dyn Fn(&Known) -> Vec<u8>| digests.iter().flat_map(line).collect();
        let has_breaks = name.iter().any(|byte| b"\n\r".contains(byte));
        Ok(match self.target {
            Target::Gnu => each(&|it| {
                [mark, Encoding::Hex.encode(&it.bytes).as_bytes(), b"  ", shown, b"\n"].concat()
            }),
            Target::Bsd | Target::Base64 => {
                let base64 = self.target == Target::Base64;
                let encoding = if base64 { Encoding::Base64 } else { Encoding::Hex };
                each(&|it| {
                    let (tag, text) = (it.recipe.to_string(), encoding.encode(&it.bytes));
                    [mark, tag.as_bytes(), b" (", shown, b") = ", text.as_bytes(), b"\n"].concat()
                })
            }
            Target::Openssl if has_breaks => {
                return Err("OpenSSL's format cannot contain names with line breaks".to_owned());
            }
            Target::Openssl => each(&|it| {
                let (tag, text) = (it.recipe.to_string(), Encoding::Hex.encode(&it.bytes));
                [tag.as_bytes(), b"(", name, b")= ", text.as_bytes(), b"\n"].concat()
            }),
            Target::Nix32 => each(&|it| {
                let tag = it.recipe.to_string().to_lowercase();
                let text = Encoding::Nix32.encode(&it.bytes);
                [mark, tag.as_bytes(), b":", text.as_bytes(), b"  ", shown, b"\n"].concat()
            }),
            Target::Sri => {
                let texts: Vec<String> =
                    digests.iter().map(|it| sri(it.recipe, &it.bytes)).collect();
                [mark, texts.join(" ").as_bytes(), b"  ", shown, b"\n"].concat()
            }
            Target::Sfv => {
                let crc = digests.iter().find(|it| it.recipe.algorithm() == Foreign::Crc32b.into());
                let crc = crc.ok_or("an SFV list requires a CRC-32, and this line has none")?;
                if has_breaks {
                    return Err("an SFV list has no names with line breaks".to_owned());
                }
                let first = self.columns.replace(Vec::new()).is_none();
                let head: &[u8] = if first { b"; Generated by hashmill\n" } else { b"" };
                [head, name, &b" "[..], Encoding::HexUpper.encode(&crc.bytes).as_bytes(), b"\n"]
                    .concat()
            }
            Target::Bagit => each(&|it| {
                let mut line = [Encoding::Hex.encode(&it.bytes).as_bytes(), b"  "].concat();
                for &byte in name {
                    match byte {
                        b'\n' => line.extend(b"%0A"),
                        b'\r' => line.extend(b"%0D"),
                        b'%' => line.extend(b"%25"),
                        byte => line.push(byte),
                    }
                }
                line.push(b'\n');
                line
            }),
            Target::Hashdeep => {
                let size = entry.size.ok_or("hashdeep's format requires a size")?;
                if has_breaks {
                    return Err("hashdeep's format has no names with line breaks".to_owned());
                }
                let recipes: Vec<Recipe> = digests.iter().map(|it| it.recipe.clone()).collect();
                let mut text = Vec::new();
                match &self.columns {
                    Some(columns) if *columns != recipes => {
                        return Err("the algorithms differ from those of the first line".to_owned());
                    }
                    Some(_) => {}
                    None => {
                        let names: Vec<_> =
                            recipes.iter().map(|it| it.to_string().to_lowercase()).collect();
                        let names = names.join(",");
                        text.extend(
                            format!("%%%% HASHDEEP-1.0\n%%%% size,{names},filename\n").bytes(),
                        );
                        self.columns = Some(recipes);
                    }
                }
                text.extend(size.to_string().bytes());
                for it in &digests {
                    text.extend(format!(",{}", Encoding::Hex.encode(&it.bytes)).bytes());
                }
                [&text, &b","[..], name, b"\n"].concat()
            }
            Target::Mtree => {
                let mut line = Vec::new();
                if self.columns.replace(Vec::new()).is_none() {
                    line.extend(b"#mtree\n");
                }
                if !name.contains(&b'/') {
                    line.extend(b"./");
                }
                for &byte in name {
                    if byte.is_ascii_graphic() && !b"\\#*?[=".contains(&byte) {
                        line.push(byte);
                    } else {
                        line.extend(format!("\\{byte:03o}").bytes());
                    }
                }
                line.extend(b" type=file");
                if let Some(size) = entry.size {
                    line.extend(format!(" size={size}").bytes());
                }
                for it in &digests {
                    let name = it.recipe.to_string().to_lowercase();
                    line.extend(
                        format!(" {name}digest={}", Encoding::Hex.encode(&it.bytes)).bytes(),
                    );
                }
                line.push(b'\n');
                line
            }
            Target::Debian => {
                let size = entry.size.ok_or("a Release file requires a size")?;
                if name.iter().any(|byte| byte.is_ascii_whitespace()) {
                    return Err("a Release file has no names with blanks".to_owned());
                }
                let fields = digests.iter().map(|it| release_field(it.recipe));
                let Some(fields) = fields.collect::<Option<Vec<_>>>() else {
                    return Err(
                        "a Release file has MD5, SHA-1, SHA-256 and SHA-512 only".to_owned()
                    );
                };
                for (field, it) in fields.into_iter().zip(&digests) {
                    let digest = Encoding::Hex.encode(&it.bytes);
                    let line = [format!(" {digest} {size} ").as_bytes(), name, b"\n"].concat();
                    match self.fields.iter_mut().find(|(known, _)| *known == field) {
                        Some((_, lines)) => lines.extend(line),
                        None => self.fields.push((field, line)),
                    }
                }
                Vec::new()
            }
            Target::Gentoo => {
                let size = entry.size.ok_or("a Manifest requires a size")?;
                let mut line = [b"DATA ", &*gentoo_escaped(name), b" "].concat();
                line.extend(size.to_string().bytes());
                for it in &digests {
                    let (algorithm, digest) =
                        (gentoo_name(it.recipe), Encoding::Hex.encode(&it.bytes));
                    line.extend(format!(" {algorithm} {digest}").bytes());
                }
                line.push(b'\n');
                line
            }
            Target::Powershell if has_breaks => {
                return Err("a name with a line break cannot be written here".to_owned());
            }
            Target::Powershell => {
                let first = self.columns.replace(Vec::new()).is_none();
                let head: &[u8] = if first { b"\"Algorithm\",\"Hash\",\"Path\"\r\n" } else { b"" };
                let quoted = |text: &[u8]| -> Vec<u8> {
                    let doubled = text
                        .iter()
                        .flat_map(|&byte| std::iter::repeat_n(byte, 1 + usize::from(byte == b'"')));
                    std::iter::once(b'"').chain(doubled).chain([b'"']).collect()
                };
                let rows = each(&|it| {
                    let (tag, hash) = (it.recipe.to_string(), Encoding::HexUpper.encode(&it.bytes));
                    let fields = [tag.as_bytes(), hash.as_bytes(), name].map(quoted);
                    [fields.join(&b","[..]), b"\r\n".to_vec()].concat()
                });
                [head, &rows].concat()
            }
            Target::Json => {
                let mut record = json::of_file(name);
                if let Some(size) = entry.size {
                    record.insert("size".to_owned(), size.into());
                }
                let pair =
                    |it: &Known| (it.recipe.to_string(), Encoding::Hex.encode(&it.bytes).into());
                let digests = digests.iter().map(pair).collect::<json::Record>();
                record.insert("digests".to_owned(), digests.into());
                json::line(record)
            }
        })
    }
}
