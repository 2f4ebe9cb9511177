//! The cleartext signature framework (RFC 9580 §7): what of a signed list is the list.

/// Where in a signed text a line is.
#[derive(Default)]
pub struct Pgp {
    place: Place,
    /// A signature was seen, which is not checked here.
    pub signed: bool,
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

impl Pgp {
    /// Whether a line is of the frame.
    pub fn takes(&mut self, line: &[u8]) -> bool {
        let before = self.place;
        self.place = match line.trim_ascii_end() {
            b"-----BEGIN PGP SIGNED MESSAGE-----" => Place::Headers,
            b"-----BEGIN PGP SIGNATURE-----" => Place::Signature,
            b"-----END PGP SIGNATURE-----" => Place::Outside,
            b"" if before == Place::Headers => Place::Text,
            _ => before,
        };
        self.signed |= self.place == Place::Signature;
        matches!(self.place, Place::Headers | Place::Signature) || self.place != before
    }

    /// A line as it was before it was signed (RFC 9580 §7.2).
    pub fn unescape<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let escaped = if self.place == Place::Text { line.strip_prefix(b"- ") } else { None };
        escaped.unwrap_or(line)
    }
}
