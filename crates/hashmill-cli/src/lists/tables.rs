//! Small formats with one record on each line, which their first line tells:
//!
//! ```text
//! //                                            FCIV, Microsoft's File Checksum Integrity Verifier
//! // File Checksum Integrity Verifier version 2.05.
//! //
//! 0cc175b9c0f1b6a8... 86f7e437faa5a7fc... c:\f  MD5, SHA-1 or both
//!
//! f,1,e8b7be43,                                 cfv's csv: name, size, CRC-32
//! "n,m",1,e8b7be43,d,                           cfv's csv4: also the directory
//! ```

use crate::files::paths::below;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax, fields, words};

#[derive(Default)]
pub struct Fciv {
    lines: Single,
}

impl Fciv {
    pub fn is(start: &[u8]) -> bool {
        let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        lines.next() == Some(b"//")
            && lines.next().is_some_and(|it| it.starts_with(b"// File Checksum Integrity Verifier"))
    }
}

impl Syntax for Fciv {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        let trimmed = line.trim_ascii();
        let is_heading = trimmed.starts_with(b"//")
            || words(trimmed).eq([&b"MD5"[..], b"SHA-1"])
            || trimmed.starts_with(b"---") && trimmed.iter().all(|&byte| byte == b'-');
        if is_heading {
            return Parsed::Comment;
        }
        // With both digests, the second begins what would be the name.
        if let [md5, sha1, name] = *line.splitn(3, |&byte| byte == b' ').collect::<Vec<_>>()
            && let Some(md5) = context.meaning.tagged("md5", md5)
            && let Some(sha1) = context.meaning.tagged("sha1", sha1)
            && !name.is_empty()
        {
            return Some(Entry::new(name.to_vec(), vec![vec![md5], vec![sha1]])).into();
        }
        self.lines.line(line, context)
    }
}

pub fn is_cfv(start: &[u8], context: &Context) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    cfv(line.trim_ascii_end(), context).is_some()
}

/// Parses a line of cfv's csv.
pub fn cfv(line: &[u8], context: &Context) -> Option<Entry> {
    let fields = fields(line.strip_suffix(b",")?)?;
    let (name, size, crc) = match &*fields {
        [name, size, crc] => (name.clone(), size, crc),
        [name, size, crc, directory] => (below(directory, name), size, crc),
        _ => return None,
    };
    let size = str::from_utf8(size).ok()?.parse().ok()?;
    let is_crc = crc.len() == 8 && crc.iter().all(u8::is_ascii_hexdigit);
    let expected = context.meaning.tagged("CRC32", crc).filter(|_| is_crc && !name.is_empty())?;
    Some(expected.of_file(name).with_size(Some(size)))
}
