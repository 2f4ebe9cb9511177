//! The lists of package managers: Debian's Release, .dsc and .changes, Gentoo's Manifest, Go's go.sum,
//! and pip's hashes.

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;

/// Fields with a list each, as in Debian's control files (deb822(5)):
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
    /// The algorithm of the field at hand, if it is a list.
    algorithm: Option<String>,
}

/// The algorithm of a field that is a list.
fn field(line: &[u8]) -> Option<String> {
    let line = str::from_utf8(line).ok()?.trim_end();
    let name = line.strip_suffix(':')?;
    let algorithm = match name {
        "Files" | "MD5Sum" => "MD5",
        "SHA1" | "SHA256" | "SHA512" => name,
        _ => name.strip_prefix("Checksums-")?,
    };
    algorithm.parse::<Recipe>().is_ok().then(|| algorithm.to_owned())
}

impl Debian {
    pub fn is(start: &[u8]) -> bool {
        let lines: Vec<&[u8]> = start.split(|&byte| byte == b'\n').collect();
        lines.windows(2).any(|pair| field(pair[0]).is_some() && pair[1].starts_with(b" "))
    }

    pub fn parse(&mut self, line: &[u8], meaning: &Meaning) -> Parsed {
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            self.algorithm = field(line);
            return Parsed::Nothing;
        }
        let Some(algorithm) = &self.algorithm else { return Parsed::Nothing };
        let words: Vec<&[u8]> = words(line).collect();
        let (digest, size, name) = match *words {
            [digest, size, name] | [digest, size, _, _, name] => (digest, size, name),
            _ => return Parsed::Improper,
        };
        let size = str::from_utf8(size).ok().and_then(|size| size.parse().ok());
        let entry = meaning.tagged(algorithm, digest).filter(|_| size.is_some());
        entry.map(|expected| expected.of_file(name.to_vec()).with_size(size)).into()
    }
}

/// GLEP 44 and 74:
///
/// ```text
/// DIST name.tar.gz 1 BLAKE2B 333fcb4e... SHA512 1f40fc92...
/// AUX fix.patch 1 ...                          in the directory files
/// ```
pub fn is_gentoo(start: &[u8]) -> bool {
    start.split(|&byte| byte == b'\n').take(20).any(|line| {
        let words: Vec<&[u8]> = words(line).collect();
        words.len() >= 5
            && GENTOO.contains(&words[0])
            && words[2].iter().all(u8::is_ascii_digit)
            && words.len() % 2 == 1
    })
}

const GENTOO: [&[u8]; 6] = [b"DIST", b"EBUILD", b"AUX", b"MISC", b"DATA", b"MANIFEST"];

pub fn gentoo(line: &[u8], meaning: &Meaning) -> Parsed {
    let words: Vec<&[u8]> = words(line).collect();
    match *words {
        [] => Parsed::Nothing,
        [b"TIMESTAMP" | b"IGNORE" | b"OPTIONAL", _] => Parsed::Nothing,
        [kind, name, size, ref digests @ ..] if GENTOO.contains(&kind) => {
            let name = if kind == b"AUX" { [b"files/", name].concat() } else { name.to_vec() };
            let size = str::from_utf8(size).ok().and_then(|size| size.parse().ok());
            let (pairs, rest) = digests.as_chunks::<2>();
            let known = |pair: &&[&[u8]; 2]| {
                str::from_utf8(pair[0]).is_ok_and(|name| name.parse::<Recipe>().is_ok())
            };
            let claims: Option<Vec<_>> = pairs
                .iter()
                .filter(known)
                .map(|[name, digest]| {
                    Some(vec![meaning.tagged(str::from_utf8(name).ok()?, digest)?])
                })
                .collect();
            match claims.filter(|it| !it.is_empty() && rest.is_empty() && size.is_some()) {
                Some(claims) => Parsed::Entries(vec![Entry::new(name, claims).with_size(size)]),
                None => Parsed::Improper,
            }
        }
        _ => Parsed::Improper,
    }
}

/// `module version h1:BASE64`, or of a module's go.mod alone, `module version/go.mod h1:BASE64`; in the
/// layout of the module cache.
pub fn go_sum(line: &[u8], meaning: &Meaning) -> Option<Entry> {
    let words: Vec<&str> = str::from_utf8(line).ok()?.split_ascii_whitespace().collect();
    let [module, version, digest] = *words else { return None };
    let digest = digest.strip_prefix("h1:")?;
    let expected = meaning.tagged("sha256", digest.as_bytes())?;
    // The cache writes capital letters so that no two names differ by them alone.
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

/// What `pip hash` writes, and requirements that name files:
///
/// ```text
/// name.whl:
/// --hash=sha256:ca978112ca1b...
/// ./name.whl --hash=sha256:ca978112ca1b... \
///     --hash=sha256:0123456789ab...            either is right
/// ```
#[derive(Default)]
pub struct Pip {
    begun: Vec<u8>,
    name: Option<Vec<u8>>,
}

impl Pip {
    pub fn is(start: &[u8]) -> bool {
        start.windows(7).any(|it| it == b"--hash=")
    }

    pub fn parse(&mut self, line: &[u8], meaning: &Meaning) -> Parsed {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            return Parsed::Nothing;
        }
        self.begun.extend(line);
        if self.begun.pop_if(|byte| *byte == b'\\').is_some() {
            self.begun.push(b' ');
            return Parsed::Nothing;
        }
        let line = std::mem::take(&mut self.begun);
        let (hashes, others): (Vec<&[u8]>, Vec<&[u8]>) =
            words(&line).partition(|word| word.starts_with(b"--hash="));
        if hashes.is_empty() {
            // An option, as -r or --index-url, is of pip's; a name is of a file, if a colon is behind it.
            let name = line.strip_suffix(b":");
            self.name = name.map(<[u8]>::to_vec);
            return if name.is_some() || line.starts_with(b"-") {
                Parsed::Nothing
            } else {
                Parsed::Improper
            };
        }
        let name = match *others {
            [] => self.name.take(),
            [name] if name.contains(&b'/') || name.ends_with(b".whl") || name.ends_with(b".gz") => {
                Some(name.to_vec())
            }
            // What a requirement is fetched as, it does not say.
            _ => None,
        };
        let expected = |hash: &&[u8]| meaning.of(&hash[b"--hash=".len()..]);
        let claim: Option<Vec<_>> = hashes.iter().map(expected).collect();
        match (name, claim) {
            (Some(name), Some(claim)) => Parsed::Entries(vec![Entry::new(name, vec![claim])]),
            _ => Parsed::Improper,
        }
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
