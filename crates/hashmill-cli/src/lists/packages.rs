//! The lists of package managers: Debian's Release, .dsc and .changes, Gentoo's Manifest, Go's
//! go.sum, and pip's hashes.

use crate::files::input::os_name;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Records};
use crate::lists::expected::Meaning;
use crate::lists::place::Place;
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{Divided, is_comment, is_hex, is_number, split_once, words};
use crate::text::quote::unescape;

/// Debian's control files (deb822(5)), in which each of these fields contains a list:
///
/// ```text
/// Origin: Debian
/// Checksums-Sha256:                            or SHA256: in a Release file
///  ca978112ca1b... 1 name
/// Files:                                       MD5, in a .changes file with section and priority
///  0cc175b9c0f1... 1 name
/// ```
#[derive(Default)]
pub struct Debian {
    /// The algorithm of the current field, if the field contains a list.
    algorithm: Option<String>,
}

/// Returns the algorithm of a field that contains a list. Case is ignored in the names of fields.
fn field(line: &[u8]) -> Option<String> {
    let line = str::from_utf8(line).ok()?.trim_end();
    let name = line.strip_suffix(':')?.to_ascii_lowercase();
    let algorithm = match &*name {
        "files" | "md5sum" => "md5",
        "sha1" | "sha256" | "sha512" => &name,
        _ => name.strip_prefix("checksums-")?,
    };
    algorithm.parse::<Recipe>().is_ok().then(|| algorithm.to_owned())
}

/// Returns whether a line is the first line of a field: a name of visible characters and a colon.
fn is_field(line: &[u8]) -> bool {
    let name = split_once(line, b":").map_or(&[][..], |it| it.0);
    !name.is_empty() && !name.starts_with(b"-") && name.iter().all(u8::is_ascii_graphic)
}

/// Returns whether a line of a field that is not a list looks like a record of a list, which means
/// that the name of the field is damaged.
fn is_stray(words: &[&[u8]]) -> bool {
    let is_digest =
        |word: &[u8]| matches!(word.len(), 32 | 40 | 56 | 64 | 96 | 128) && is_hex(word);
    words.len() >= 3 && is_digest(words[0]) && is_number(words[1])
}

impl Debian {
    pub fn is(lines: &[&[u8]]) -> bool {
        lines.windows(2).any(|pair| field(pair[0]).is_some() && pair[1].starts_with(b" "))
    }
}

impl Syntax for Debian {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        if line.trim_ascii().is_empty() || is_comment(line) {
            return vec![];
        }
        let words: Vec<&[u8]> = words(line).collect();
        let is_understood = if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            self.algorithm = field(line);
            is_field(line)
        } else if let Some(algorithm) = &self.algorithm {
            return vec![debian(algorithm, &words, &context.meaning)];
        } else {
            !is_stray(&words)
        };
        if is_understood { vec![] } else { vec![None] }
    }
}

fn debian(algorithm: &str, words: &[&[u8]], meaning: &Meaning) -> Option<Entry> {
    let ([digest, size, name] | [digest, size, _, _, name]) = *words else { return None };
    let expected = meaning.tagged(algorithm, digest)?;
    expected.of_file(name.to_vec()).sized(size)
}

/// A Manifest of Gentoo (GLEP 44 and 74):
///
/// ```text
/// DIST name.tar.gz 1 BLAKE2B 333fcb4e... SHA512 1f40fc92...
/// AUX fix.patch 1 ...                          in the directory files
/// ```
#[derive(Default)]
pub struct Gentoo;

const GENTOO: [&[u8]; 6] = [b"DIST", b"EBUILD", b"AUX", b"MISC", b"DATA", b"MANIFEST"];

impl Gentoo {
    pub fn is(lines: &[&[u8]]) -> bool {
        lines.iter().take(20).any(|line| {
            let words: Vec<&[u8]> = words(line).collect();
            let is_odd = words.len() >= 5 && words.len() % 2 == 1;
            is_odd && GENTOO.contains(&words[0]) && is_number(words[2])
        })
    }
}

impl Syntax for Gentoo {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let words: Vec<&[u8]> = words(line).collect();
        match *words {
            [] | [b"TIMESTAMP" | b"IGNORE" | b"OPTIONAL", _] => vec![],
            _ => vec![gentoo(&words, &context.meaning)],
        }
    }
}

fn gentoo(words: &[&[u8]], meaning: &Meaning) -> Option<Entry> {
    let [kind, name, size, digests @ ..] = words else { return None };
    let name = unescaped(name).filter(|_| GENTOO.contains(kind))?;
    let name = if *kind == b"AUX" { [b"files/", &*name].concat() } else { name };
    let (pairs, rest) = digests.as_chunks::<2>();
    let mut pairs = pairs.iter().filter_map(|[tag, it]| Some((str::from_utf8(tag).ok()?, *it)));
    let claims = meaning.all(&mut pairs).filter(|_| rest.is_empty())?;
    Entry::new(name, claims).sized(size)
}

/// Decodes a name of a Manifest. GLEP 74 encodes blanks, control characters and backslashes as
/// `\x20`, `\u0020` or `\U00000020`.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b'\\', &|rest, name| {
        let len = match rest.first()? {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let digits = rest.get(1..1 + len).filter(|it| is_hex(it))?;
        let number = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        name.extend(char::from_u32(number)?.encode_utf8(&mut [0; 4]).bytes());
        Some(1 + len)
    })
}

/// Returns the name of an algorithm in a Manifest (GLEP 74).
pub fn gentoo_name(recipe: &Recipe) -> String {
    recipe.to_string().to_uppercase().replace('-', "_")
}

/// Returns the name of an algorithm's field in a Release file, if there is one.
pub fn release_field(recipe: &Recipe) -> Option<&'static str> {
    match &*recipe.to_string() {
        "MD5" => Some("MD5Sum"),
        "SHA1" => Some("SHA1"),
        "SHA256" => Some("SHA256"),
        "SHA512" => Some("SHA512"),
        _ => None,
    }
}

/// Parses a line of go.sum: `module version h1:BASE64` for a module, or `module version/go.mod
/// h1:BASE64` for its go.mod alone. The entry's name is a path in the layout of Go's module cache.
pub fn go_sum(line: &[u8], meaning: &Meaning) -> Option<Entry> {
    let words: Vec<&str> = str::from_utf8(line).ok()?.split_ascii_whitespace().collect();
    let [module, version, digest] = *words else { return None };
    let digest = digest.strip_prefix("h1:")?;
    let expected = meaning.tagged("sha256", digest.as_bytes())?;
    // The cache encodes capital letters, so that no two names differ only by case.
    let escaped = |text: &str| -> String {
        let letter = |c: char| match c.is_ascii_uppercase() {
            true => format!("!{}", c.to_ascii_lowercase()),
            false => c.to_string(),
        };
        text.chars().map(letter).collect()
    };
    let (path, prefix) = match version.strip_suffix("/go.mod") {
        Some(version) => (
            format!("cache/download/{}/@v/{}.mod", escaped(module), escaped(version)),
            "go.mod".to_owned(),
        ),
        None => {
            (format!("{}@{}", escaped(module), escaped(version)), format!("{module}@{version}"))
        }
    };
    let entry = expected.of_file(path.into_bytes());
    Some(Entry { tree: Some(prefix), ..entry })
}

/// The output of `pip hash`, and pip's requirements:
///
/// ```text
/// name.whl:
/// --hash=sha256:ca978112ca1b...
/// ./name.whl --hash=sha256:ca978112ca1b... \
///     --hash=sha256:0123456789ab...            either is right
/// name==1.0 --hash=sha256:ca978112ca1b...      name-1.0-py3-none-any.whl, name-1.0.tar.gz
/// name @ https://host/name.whl --hash=...      name.whl
/// ```
#[derive(Default)]
pub struct Pip {
    lines: Divided,
    /// The name of the file whose digests follow.
    name: Option<Vec<u8>>,
}

/// Lines of pip's requirements that are options, by their first words.
const OPTIONS: &str = "\
-r --requirement -c --constraint -i --index-url --pypi-url --extra-index-url --no-index -f \
--find-links --no-binary --only-binary --prefer-binary --require-hashes --trusted-host";

impl Pip {
    /// Parses a whole line. A requirement that names no file refers to files in the directory of the
    /// list's files.
    fn whole(&mut self, line: &[u8], context: &Context) -> Records {
        let (hashes, others): (Vec<&[u8]>, Vec<&[u8]>) =
            words(line).partition(|word| word.starts_with(b"--hash="));
        let before = self.name.take();
        if hashes.is_empty() {
            // A name with a colon after it is the name of a file.
            self.name = line.strip_suffix(b":").map(<[u8]>::to_vec);
            let option = others.first().and_then(|it| it.split(|&byte| byte == b'=').next());
            let is_option =
                option.is_some_and(|option| OPTIONS.split(' ').any(|it| it.as_bytes() == option));
            let understood = before.is_none() && (is_option || self.name.is_some());
            return if understood { vec![] } else { vec![None] };
        }
        let names = match *others {
            [] => before.into_iter().collect(),
            _ if before.is_some() => return vec![None],
            [name] if name.contains(&b'/') || name.ends_with(b".whl") || name.ends_with(b".gz") => {
                vec![name.to_vec()]
            }
            ref others => distributions(others, context.place),
        };
        let expected = |hash: &&[u8]| context.meaning.of(&hash[b"--hash=".len()..]);
        let claim: Option<Vec<_>> = hashes.iter().map(expected).collect();
        let entry = |name| Some(Entry::new(name, vec![claim.clone()?]));
        if names.is_empty() { vec![None] } else { names.into_iter().map(entry).collect() }
    }
}

impl Syntax for Pip {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let line = line.trim_ascii();
        if !self.lines.is_begun() && line.is_empty() || line.starts_with(b"#") {
            return vec![];
        }
        self.lines.add(line).map_or(vec![], |line| self.whole(&line, context))
    }

    fn is_open(&self) -> bool {
        self.lines.is_begun() || self.name.is_some()
    }
}

/// Returns the names of the files that pip has downloaded for a requirement, according to PyPA's
/// file name conventions for wheels and source distributions. If there are none, returns
/// `name-version`.
fn distributions(requirement: &[&[u8]], place: &Place) -> Vec<Vec<u8>> {
    let marker = requirement.iter().position(|word| word.starts_with(b";"));
    let words = &requirement[..marker.unwrap_or(requirement.len())];
    if let [_, b"@", url] = words {
        let file =
            url.split(|&byte| byte == b'#').next().and_then(|it| it.rsplit(|&c| c == b'/').next());
        return file.map(<[u8]>::to_vec).into_iter().collect();
    }
    let text = String::from_utf8_lossy(&words.concat()).into_owned();
    let Some((name, version)) = text.split_once("==") else { return Vec::new() };
    let name = name.split('[').next().unwrap_or_default();
    let version = version.trim_start_matches('=').split([';', ',']).next().unwrap_or_default();
    // PEP 503: a run of these characters equals one hyphen, and case is ignored.
    let normal = |text: &str| {
        let parts = text.split(['-', '_', '.']).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-").to_lowercase()
    };
    let is_one = |file: &str| {
        let archive = [".tar.gz", ".zip", ".tar.bz2"].iter().find_map(|it| file.strip_suffix(it));
        let parts = match (file.strip_suffix(".whl"), archive) {
            (Some(wheel), _) => {
                let mut parts = wheel.split('-');
                parts.next().zip(parts.next())
            }
            (None, Some(source)) => source.rsplit_once('-'),
            (None, None) => None,
        };
        parts.is_some_and(|(of, at)| normal(of) == normal(name) && normal(at) == normal(version))
    };
    let directory = os_name(place.directory());
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<Vec<u8>> = entries
        .filter_map(|entry| entry.file_name().into_string().ok().filter(|file| is_one(file)))
        .map(String::into_bytes)
        .collect();
    files.sort();
    if files.is_empty() && !name.is_empty() && !version.is_empty() {
        files.push(format!("{name}-{version}").into_bytes());
    }
    files
}
