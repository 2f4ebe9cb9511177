//! Where a file is damaged, by the checks of its pieces, and a new file from the good pieces of two
//! copies.

use crate::files::input::bytes;
use crate::files::job::Jobs;
use crate::files::reader::{self, Opened};
use crate::manifest::fresh::{Access, Fresh};
use crate::manifest::text::{Header, Record, check_of};
use crate::signature::sign::beside;
use crate::terminal::console::reason;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Returns the ranges of bytes, in order, in which the pieces of two records of a file differ. Each
/// record has the checks of its pieces of `len` bytes; the file of the older one has `size` bytes.
pub fn damaged(old: &[u8], new: &[u8], len: u64, size: u64) -> Vec<Range<u64>> {
    let new = |index| new.chunks(8).nth(index);
    ranges(old.chunks(8).enumerate().map(|(index, check)| new(index) != Some(check)), len, size)
}

/// Returns the ranges of the pieces that are marked.
fn ranges(marks: impl Iterator<Item = bool>, len: u64, size: u64) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (begin, _) in (0..).step_by(len as usize).zip(marks).filter(|(_, marked)| *marked) {
        let end = size.min(begin + len);
        match ranges.last_mut() {
            Some(last) if last.end == begin => last.end = end,
            _ => ranges.push(begin..end),
        }
    }
    ranges
}

/// Returns ranges as text, with the last byte of each. After the first few it only says how many there
/// are.
pub fn shown(ranges: &[Range<u64>]) -> String {
    const FEW: usize = 16;
    let few =
        ranges.iter().take(FEW).map(|it| format!("{}-{}", it.start, it.end.saturating_sub(1)));
    let mut text = format!("bytes {}", few.collect::<Vec<_>>().join(", "));
    if ranges.len() > FEW {
        text += &format!(" and {} more ranges", ranges.len() - FEW);
    }
    text
}

/// Returns ranges in JSON: for each a pair of its first byte and the byte after its last one.
pub fn in_json(ranges: &[Range<u64>]) -> serde_json::Value {
    ranges.iter().map(|it| serde_json::json!([it.start, it.end])).collect()
}

/// A new file, and the bytes that were taken from the copy.
pub struct Repaired {
    pub path: PathBuf,
    pub from_copy: Vec<Range<u64>>,
}

/// Writes FILE.repaired from the good pieces of a damaged file and of its copy. Without checks of
/// pieces, the copy must be good as a whole.
///
/// # Errors
/// Returns a message if a piece is good in neither of them, or if the new file cannot be written. No
/// file is written then, and none is ever replaced.
pub fn repair(
    header: &Header,
    record: &Record,
    file: &Path,
    copy: &Path,
    jobs: Jobs,
) -> Result<Repaired, String> {
    let path = beside(file, ".repaired");
    let of_path = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("{} exists, and is left as it was", path.display())
        }
        _ => format!("{}: {}", path.display(), reason(&error)),
    };
    let open = |path: &Path| match reader::open(&bytes(path), false) {
        Ok(Opened::Regular(file, metadata)) => Ok((file, metadata)),
        Ok(Opened::Other) => Err("not a regular file".to_owned()),
        Err(error) => Err(reason(&error)),
    };
    let of_copy = |message| format!("{}: {message}", copy.display());
    let ours = open(file).ok();
    let theirs = open(copy);
    let access = ours.as_ref().map_or(Access::Usual, |(_, metadata)| Access::Like(metadata));
    let fresh = Fresh::create(&path, &access).map_err(of_path)?;
    let (stamp, checks) = (&record.stamp, header.checks(record));
    let from_copy = if checks.is_empty() {
        let mut theirs = theirs.map_err(of_copy)?.0;
        io::copy(&mut theirs, &mut &fresh.file).map_err(of_path)?;
        ranges([true].into_iter(), stamp.size.max(1), stamp.size)
    } else {
        let len = header.pieces.map_or(stamp.size, |len| len.get());
        let mut piece = Vec::new();
        let (mut ours_bad, mut both_bad) = (Vec::new(), Vec::new());
        for (begin, check) in (0..stamp.size).step_by(len as usize).zip(checks.chunks(8)) {
            let end = stamp.size.min(begin + len);
            let is_ours = is_good(ours.as_ref(), begin..end, check, &mut piece);
            let is_good = is_ours || is_good(theirs.as_ref().ok(), begin..end, check, &mut piece);
            ours_bad.push(!is_ours);
            both_bad.push(!is_good);
            if is_good {
                (&fresh.file).write_all(&piece).map_err(of_path)?;
            }
        }
        let both_bad = ranges(both_bad.into_iter(), len, stamp.size);
        if !both_bad.is_empty() {
            let missing = theirs.err().map_or(String::new(), |why| format!(" ({})", of_copy(why)));
            return Err(format!("{} are good in neither file{missing}", shown(&both_bad)));
        }
        ranges(ours_bad.into_iter(), len, stamp.size)
    };
    let digests = (&fresh.file)
        .rewind()
        .and_then(|()| reader::digests(&fresh.file, b"", &header.recipes, jobs, &mut |_| true));
    let digests = digests.map_err(of_path)?.into_iter().map(|value| value.bytes);
    if !digests.eq(record.digests().iter().take(header.recipes.len()).cloned()) {
        return Err(of_copy("it does not have the recorded content either".to_owned()));
    }
    if let Some(modified) = stamp.modified {
        fresh.file.set_modified(modified.into()).map_err(of_path)?;
    }
    fresh.file.sync_all().and_then(|()| fresh.publish(&path)).map_err(of_path)?;
    Ok(Repaired { path, from_copy })
}

/// Reads a piece of a file. Returns whether it could be read and matches its check.
fn is_good(
    file: Option<&(File, Metadata)>,
    at: Range<u64>,
    check: &[u8],
    piece: &mut Vec<u8>,
) -> bool {
    let read = |mut file: &File, piece: &mut Vec<u8>| {
        piece.clear();
        file.seek(SeekFrom::Start(at.start))?;
        file.take(at.end - at.start).read_to_end(piece)
    };
    file.is_some_and(|(file, _)| read(file, piece).is_ok()) && check_of(&[piece]) == check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_pieces() {
        let checks = |letters: &str| letters.bytes().flat_map(|it| [it; 8]).collect::<Vec<_>>();
        for (old, new, expected) in [
            ("abc", "abc", "bytes "),
            ("abcd", "xbcd", "bytes 0-9"),
            ("abcd", "axxd", "bytes 10-29"),
            ("abcd", "xbx", "bytes 0-9, 20-34"),
            ("abcd", "abcdx", "bytes "),
        ] {
            assert_eq!(shown(&damaged(&checks(old), &checks(new), 10, 35)), expected, "{new}");
        }
        let marks = (0..40).map(|it| it % 2 == 0);
        assert!(shown(&ranges(marks, 10, 400)).ends_with(", 300-309 and 4 more ranges"));
    }
}
