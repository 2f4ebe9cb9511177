//! The cleartext signature framework (RFC 9580 §7): finds the list in a signed message.

use crate::text::counted::counted;
use crate::text::line::offset;

/// Follows the lines of a file that may contain a signed text.
#[derive(Default)]
pub struct Pgp {
    place: Place,
    /// Whether the file contains a signed text. Lines outside of it are then ignored.
    frames: bool,
    /// Whether a signed text began after the first bytes of the file, in which none was found.
    pub late: bool,
    /// The number of lines outside of the signed text that are not blank.
    pub outside: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// The armour headers, which end with an empty line.
    Headers,
    Text,
    Signature,
}

const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";

impl Pgp {
    /// Looks for a signed text in the first bytes of a file. Returns those bytes that are inside
    /// it, or all bytes if there is no signed text.
    pub fn begin<'a>(&mut self, start: &'a [u8]) -> &'a [u8] {
        let mut lines = start.split_inclusive(|&byte| byte == b'\n');
        self.frames = lines.any(|line| line.trim_ascii_end() == BEGIN);
        let blank = lines.find(|line| line.trim_ascii_end().is_empty());
        match blank {
            _ if !self.frames => start,
            Some(blank) => &start[offset(blank, start) + blank.len()..],
            None => &[],
        }
    }

    pub fn is_signed(&self) -> bool {
        self.frames
    }

    /// Returns whether a file that ends here ends before the end of a signature.
    pub fn is_open(&self) -> bool {
        self.place != Place::Outside
    }

    /// Takes the next line of the file and returns the line of the list that it contains, as it was
    /// before signing (RFC 9580 §7.2). Returns `Ok(None)` if the line is not part of the list.
    ///
    /// # Errors
    /// Fails for a line before the signed text that is not an armour header.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> Result<Option<&'a [u8]>, ()> {
        let before = self.place;
        self.place = match line.trim_ascii_end() {
            BEGIN if before == Place::Outside => Place::Headers,
            b"-----BEGIN PGP SIGNATURE-----" if before == Place::Text => Place::Signature,
            b"-----END PGP SIGNATURE-----" if before == Place::Signature => Place::Outside,
            b"" if before == Place::Headers => Place::Text,
            _ => before,
        };
        if self.place != before {
            self.late |= !self.frames;
            return Ok(None);
        }
        Ok(match self.place {
            Place::Text => Some(line.strip_prefix(b"- ").unwrap_or(line)),
            Place::Outside if !self.frames => Some(line),
            Place::Outside => {
                self.outside += u64::from(!line.trim_ascii().is_empty());
                None
            }
            Place::Headers if !is_header(line) => return Err(()),
            Place::Headers | Place::Signature => None,
        })
    }
}

/// Returns the note about lines outside of the signed text, if there are any.
pub fn outside_note(lines: u64) -> Option<String> {
    let (one, several) =
        ("line outside of the signed text was", "lines outside of the signed text were");
    (lines > 0).then(|| format!("{} ignored", counted(lines, one, several)))
}

/// Returns whether a line is an armour header (RFC 9580 §6.2.2): a key, a colon, a blank and a value.
fn is_header(line: &[u8]) -> bool {
    let key = line.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(0);
    key > 0 && line[key..].starts_with(b": ")
}
