//! What PowerShell's `Get-FileHash` and `certutil -hashfile` print, in English:
//!
//! ```text
//! Algorithm : SHA256              "Algorithm","Hash","Path"         Algorithm   Hash       Path
//! Hash      : BA7816BF...         "SHA256","BA7816BF...","f"        ---------   ----       ----
//! Path      : f                                                     SHA256      BA781...   f
//!
//! SHA256 hash of f:
//! ba7816bf...
//! CertUtil: -hashfile command completed successfully.
//! ```

use crate::lists::expected::Meaning;
use crate::lists::verify::Entry;

/// What the lines so far announced.
#[derive(Default)]
pub enum Windows {
    #[default]
    Nothing,
    /// A record of properties, with those that were given.
    List { algorithm: String, hash: Vec<u8> },
    /// Rows of columns.
    Table,
    /// Rows of fields in quotation marks.
    Csv,
    /// The digest of a file.
    CertUtil { algorithm: String, name: Vec<u8> },
}

impl Windows {
    /// Whether a line only announces others.
    pub fn takes(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        if line == b"CertUtil: -hashfile command completed successfully." {
            return true;
        }
        if line == br#""Algorithm","Hash","Path""# {
            *self = Windows::Csv;
            return true;
        }
        let words: Vec<&[u8]> = words(line).collect();
        if words == [&b"Algorithm"[..], b"Hash", b"Path"] {
            *self = Windows::Table;
            return true;
        }
        if matches!(self, Windows::Table)
            && words.iter().all(|word| word.iter().all(|&c| c == b'-'))
        {
            return true;
        }
        if let Some((algorithm, name)) = heading(line) {
            *self = Windows::CertUtil { algorithm, name: name.to_vec() };
            return true;
        }
        match property(line) {
            Some((b"Algorithm", value)) => {
                let algorithm = String::from_utf8_lossy(value).into_owned();
                *self = Windows::List { algorithm, hash: Vec::new() };
                true
            }
            Some((b"Hash", value)) => match self {
                Windows::List { hash, .. } => {
                    *hash = value.to_vec();
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// What a line says, if it is of what was announced.
    pub fn parse(&mut self, line: &[u8], meaning: &Meaning) -> Option<Entry> {
        let line = line.trim_ascii();
        match self {
            Windows::Nothing => None,
            Windows::List { algorithm, hash } => {
                let (b"Path", name) = property(line)? else { return None };
                Some(meaning.tagged(algorithm, hash)?.of_file(name.to_vec()))
            }
            Windows::Table => {
                let mut words = words(line);
                let (algorithm, hash) = (words.next()?, words.next()?);
                // A name may have blanks in it.
                let start = hash.as_ptr_range().end.addr() - line.as_ptr().addr();
                let name = line[start..].trim_ascii_start();
                let expected = meaning.tagged(str::from_utf8(algorithm).ok()?, hash)?;
                (!name.is_empty()).then(|| expected.of_file(name.to_vec()))
            }
            Windows::Csv => {
                let [algorithm, hash, name] = <[Vec<u8>; 3]>::try_from(fields(line)?).ok()?;
                let expected = meaning.tagged(str::from_utf8(&algorithm).ok()?, &hash)?;
                Some(expected.of_file(name))
            }
            Windows::CertUtil { algorithm, name } => {
                // Before Windows 8, the bytes stood apart.
                let hash: Vec<u8> = line.iter().copied().filter(|&byte| byte != b' ').collect();
                let entry = meaning.tagged(algorithm, &hash)?.of_file(std::mem::take(name));
                *self = Windows::Nothing;
                Some(entry)
            }
        }
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// `Name : value`
fn property(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|&byte| byte == b':')?;
    let value = line[at + 1..].strip_prefix(b" ")?.trim_ascii();
    Some((line[..at].strip_suffix(b" ")?.trim_ascii(), value))
}

/// `SHA256 hash of f:`, or `… of file f:`
fn heading(line: &[u8]) -> Option<(String, &[u8])> {
    let line = line.strip_suffix(b":")?;
    let at = line.iter().position(|&byte| byte == b' ')?;
    let name = line[at..].strip_prefix(b" hash of ")?;
    let algorithm = str::from_utf8(&line[..at]).ok()?.to_owned();
    Some((algorithm, name.strip_prefix(b"file ").unwrap_or(name)))
}

/// The fields of a line, each in quotation marks, which are doubled within (RFC 4180 §2).
fn fields(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.strip_prefix(b"\"")?;
        let mut field = Vec::new();
        loop {
            let end = rest.iter().position(|&byte| byte == b'"')?;
            field.extend(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix(b"\"") {
                Some(more) => {
                    field.push(b'"');
                    rest = more;
                }
                None => break,
            }
        }
        fields.push(field);
        if rest.is_empty() {
            return Some(fields);
        }
        rest = rest.strip_prefix(b",")?;
    }
}
