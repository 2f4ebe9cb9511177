//! The cleartext signature framework (RFC 9580 §7): what of a signed list is the list.

/// Where in a signed text a line is.
#[derive(Default)]
pub struct Pgp {
    place: Place,
    /// The list has a signed text: what is outside of it does not count.
    frames: bool,
    /// A signed text began where nobody expected one any more.
    pub late: bool,
    /// Lines with something in them that were outside.
    pub outside: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// The armour headers, up to an empty line.
    Headers,
    Text,
    Signature,
}

const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";

impl Pgp {
    /// Looks for a signed text in the first bytes of a list; what of them is in it, or all.
    pub fn begin<'a>(&mut self, start: &'a [u8]) -> &'a [u8] {
        let mut lines = start.split_inclusive(|&byte| byte == b'\n');
        let mut at = 0;
        for line in lines.by_ref() {
            at += line.len();
            if line.trim_ascii_end() == BEGIN {
                self.frames = true;
                break;
            }
        }
        if !self.frames {
            return start;
        }
        for line in lines {
            at += line.len();
            if line.trim_ascii_end().is_empty() {
                break;
            }
        }
        &start[at..]
    }

    pub fn is_signed(&self) -> bool {
        self.frames
    }

    /// The line of the list that a line is, as it was before it was signed (RFC 9580 §7.2); `None`
    /// if it is not in the list.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
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
            return None;
        }
        match self.place {
            Place::Text => Some(line.strip_prefix(b"- ").unwrap_or(line)),
            Place::Outside if !self.frames => Some(line),
            Place::Outside => {
                self.outside += u64::from(!line.trim_ascii().is_empty());
                None
            }
            Place::Headers | Place::Signature => None,
        }
    }
}
