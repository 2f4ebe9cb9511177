//! Fuzzes the program's lists: no line makes a reader panic, and the program reads back exactly
//! what it wrote.

#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use hashmill_cli::fuzzing::{
    Any, AnyAlgorithm, CKSUM, Computed, Encoding, Entry, Extras, Form, Format, Formatter, Gnu,
    Header, Kind as RecordKind, Mode, Place, Problem, Reader, Recipe, Record, Row, Rules, Stamp,
    Style, Symlinks, VERSION, Verbosity,
};
use hashmill_fuzz::text;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{Seek, Write};

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    /// A list to read, under this file name.
    Read(&'a str, &'a [u8]),
    Written(Vec<(Kind, &'a [u8])>, Look),
    ReadManifest(&'a [u8]),
    WrittenManifest(Vec<Kind>, Shape<'a>, Vec<(u64, Option<i64>, &'a [u8])>),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
struct Look {
    tagged: bool,
    binary: bool,
    base64: bool,
}

#[derive(Arbitrary, Clone, Debug)]
struct Shape<'a> {
    include: Vec<&'a str>,
    exclude: Vec<&'a str>,
    flags: [bool; 3],
    symlinks: u8,
    tree: Option<&'a str>,
}

/// An algorithm whose lines are read, with a length.
#[derive(Clone, Debug)]
struct Kind(Recipe);

impl<'a> Arbitrary<'a> for Kind {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let all = AnyAlgorithm::all().filter(|it| it.size().is_none() && !it.needs_key());
        let all: Vec<AnyAlgorithm> = all.collect();
        let algorithm = *u.choose(&all)?;
        let len = u.int_in_range(1..=algorithm.max_len().min(200))?;
        let recipe = Recipe::with_bits(algorithm, 8 * len);
        Ok(Kind(recipe.unwrap_or_else(|| Recipe::of(algorithm))))
    }
}

fuzz_target!(|input: Input| {
    match input {
        Input::Read(name, list) => {
            let mode = Mode::default();
            read(Any::new(&[], &mode, &Place::of(name.as_bytes())), list);
            for row in CKSUM.iter().map(Some).chain([None, Row::named("shake128")]) {
                read(Gnu::new(row, false), list);
                read(Gnu::new(row, true), list);
            }
        }
        Input::Written(files, look) => written(&files, look),
        Input::ReadManifest(text) => {
            // A manifest that was read, then written and read again, is unchanged.
            let Ok((header, records)) = manifest(text) else { return };
            let (again, same) = manifest(&manifest_text(&header, &records)).expect("our own");
            assert_eq!((header, records), (again, same));
        }
        Input::WrittenManifest(digests, shape, files) => {
            if let Some((header, records)) = to_write(&digests, &shape, &files) {
                let read = manifest(&manifest_text(&header, &records)).expect("our own");
                assert_eq!((header, records), read);
            }
        }
    }
});

/// Reads the entries of a list as `verify` reads its lines.
fn read(mut format: impl Format, list: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    format.begin(&list[..list.len().min(64 << 10)]);
    for line in list.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        entries.extend(format.parse(line).into_iter().flatten());
    }
    entries.extend(format.end().into_iter().flatten());
    format.label();
    format.notes(Verbosity::Warn);
    for entry in &entries {
        assert!(!entry.name.contains(&0), "no file has such a name");
        for expected in entry.claims.iter().flatten() {
            if expected.encoding == Encoding::Decimal {
                continue;
            }
            let len = expected.encoding.decoded_len(&expected.text);
            let recipes = expected.recipes.iter().chain(expected.others.iter());
            assert!(recipes.into_iter().all(|recipe| Some(recipe.len()) == len));
        }
    }
    entries
}

fn written(files: &[(Kind, &[u8])], look: Look) {
    let form = if look.tagged { Form::Tagged } else { Form::Untagged { binary: look.binary } };
    let encoding = if look.base64 { Encoding::Base64 } else { Encoding::Hex };
    let style = Style { encoding: Some(encoding), ..Style::of_form(form, None) };
    // A list without tags has one algorithm, which the reader must be given.
    let files: Vec<(&Recipe, &[u8])> = files
        .iter()
        .filter(|(Kind(digest), name)| {
            let usual = look.tagged || *digest == files[0].0.0;
            usual && !name.is_empty() && !name.contains(&0)
        })
        .map(|(Kind(digest), name)| (digest, *name))
        .collect();
    let Some(&(first, _)) = files.first() else { return };
    let mut list = Vec::new();
    let mut bytes = Vec::new();
    for (digest, name) in &files {
        let value = Computed { bytes: text(name, digest.len()), message_len: 0, parts: None };
        list.extend(style.file(&[(*digest).clone()], std::slice::from_ref(&value), name));
        bytes.push(value.bytes);
    }
    let (mode, named) = (Mode::default(), [first.clone()]);
    let named = if look.tagged { &[][..] } else { &named };
    let entries = read(Any::new(named, &mode, &Place::of(b"SUMS")), &list);
    assert_eq!(entries.len(), files.len(), "{}", list.escape_ascii());
    for ((entry, (digest, name)), bytes) in entries.iter().zip(&files).zip(&bytes) {
        assert_eq!(entry.name, *name);
        assert_eq!(*entry.recipes, [(*digest).clone()]);
        let expected = &entry.claims[0][0];
        assert!(expected.encoding.is_of(&expected.text, bytes));
    }
}

/// Reads a manifest's header and files.
fn manifest(text: &[u8]) -> Result<(Header, Vec<Record>), Problem> {
    let file = memfd_create("manifest", MemfdFlags::empty()).expect("a file in memory");
    let mut file = File::from(file);
    file.write_all(text).and_then(|()| file.rewind()).expect("it takes what memory has");
    let mut reader = Reader::new(file)?;
    let mut records = Vec::new();
    while let Some(record) = reader.next()? {
        records.push(record);
    }
    Ok((reader.header, records))
}

fn manifest_text(header: &Header, records: &[Record]) -> Vec<u8> {
    let mut formatter = Formatter::new(header);
    let mut text = format!("{VERSION}\n").into_bytes();
    text.extend(header.text().0);
    records.iter().for_each(|record| text.extend(formatter.record(record)));
    text.extend(formatter.end().as_bytes());
    text
}

/// Returns a manifest of these files, or `None` if no manifest can contain them.
fn to_write(
    digests: &[Kind],
    shape: &Shape,
    files: &[(u64, Option<i64>, &[u8])],
) -> Option<(Header, Vec<Record>)> {
    let globs = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
    let [ignore_files, skip_hidden, one_file_system] = shape.flags;
    let symlinks = [Symlinks::Never, Symlinks::CommandLine, Symlinks::Always];
    let rules = Rules {
        include: globs(&shape.include),
        exclude: globs(&shape.exclude),
        ignore_files,
        skip_hidden,
        one_file_system,
        symlinks: symlinks[usize::from(shape.symlinks) % 3],
        extras: Extras::default(),
    };
    let recipes = digests.iter().map(|kind| kind.0.clone()).collect();
    let tree = shape.tree.map(str::to_owned);
    // Checks of pieces are like more digests, and only of some files.
    let header = Header { recipes, rules, tree, pieces: None };
    let records: Option<Vec<Record>> = files
        .iter()
        .map(|&(size, modified, name)| {
            let modified = match modified {
                Some(time) => Some(Timestamp::from_microsecond(time).ok()?),
                None => None,
            };
            let digests = header.recipes.iter().map(|recipe| text(name, recipe.len())).collect();
            let named = !name.is_empty() && !name.contains(&0) && name != b"./-";
            let stamp = Stamp { size, modified, changed: modified, inode: Some(size), mode: None };
            named.then(|| Record { name: name.to_vec(), stamp, kind: RecordKind::File(digests) })
        })
        .collect();
    if header.recipes.is_empty() { None } else { Some((header, records?)) }
}
