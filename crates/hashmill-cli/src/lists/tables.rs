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
use crate::lists::entry::{Entry, Records};
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{fields, is_hex, words};

#[derive(Default)]
pub struct Fciv {
    lines: Single,
}

impl Fciv {
    pub fn is(lines: &[&[u8]]) -> bool {
        lines[0].trim_ascii_end() == b"//"
            && lines.get(1).is_some_and(|it| it.starts_with(b"// File Checksum Integrity Verifier"))
    }
}

impl Syntax for Fciv {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let trimmed = line.trim_ascii();
        let is_heading = trimmed.starts_with(b"//")
            || words(trimmed).eq([&b"MD5"[..], b"SHA-1"])
            || trimmed.starts_with(b"---") && trimmed.iter().all(|&byte| byte == b'-');
        if is_heading {
            return vec![];
        }
        // With both digests, the second begins what would be the name.
        if let [md5, sha1, name] = *line.splitn(3, |&byte| byte == b' ').collect::<Vec<_>>()
            && let Some(md5) = context.meaning.tagged("md5", md5)
            && let Some(sha1) = context.meaning.tagged("sha1", sha1)
            && !name.is_empty()
        {
            return vec![Some(Entry::new(name.to_vec(), vec![vec![md5], vec![sha1]]))];
        }
        self.lines.line(line, context)
    }
}

/// Parses a line of cfv's csv.
pub fn cfv(line: &[u8], context: &Context) -> Option<Entry> {
    let fields = fields(line.strip_suffix(b",")?)?;
    let (name, size, crc) = match &*fields {
        [name, size, crc] => (name.clone(), size, crc),
        [name, size, crc, directory] => (below(directory, name), size, crc),
        _ => return None,
    };
    let is_crc = crc.len() == 8 && is_hex(crc);
    let expected = context.meaning.tagged("CRC32", crc).filter(|_| is_crc && !name.is_empty())?;
    expected.of_file(name).sized(size)
}
