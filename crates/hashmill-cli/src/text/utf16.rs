//! UTF-16 lists, as Windows' programs write them: with a byte order mark (RFC 2781 §3.2), or
//! without one, where the first character is of ASCII.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The byte order that the first bytes of a text show.
    pub fn of(start: &[u8]) -> Option<ByteOrder> {
        match start {
            [0xff, 0xfe, ..] => Some(ByteOrder::Little),
            [0xfe, 0xff, ..] => Some(ByteOrder::Big),
            // No line of a list begins with a NUL, or has one after its first character.
            [1..=0x7f, 0, 1..=0x7f, 0, ..] => Some(ByteOrder::Little),
            [0, 1..=0x7f, 0, 1..=0x7f, ..] => Some(ByteOrder::Big),
            _ => None,
        }
    }

    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(pair),
            ByteOrder::Big => u16::from_be_bytes(pair),
        }
    }

    /// Whether bytes end with the whole of a newline.
    pub fn ends_line(self, bytes: &[u8]) -> bool {
        let (pairs, rest) = bytes.as_chunks();
        rest.is_empty() && pairs.last().is_some_and(|&pair| self.unit(pair) == u16::from(b'\n'))
    }

    /// A byte that comes before the end of the line that begins with `bytes`, or is its last. That
    /// of a newline can be the first of its two bytes, or half of another character.
    pub fn next_end(self, bytes: &[u8]) -> u8 {
        let in_pair = !bytes.len().is_multiple_of(2);
        if self == ByteOrder::Little && in_pair { 0 } else { b'\n' }
    }

    /// The text in UTF-8.
    pub fn decode(self, bytes: &[u8]) -> String {
        let (pairs, _) = bytes.as_chunks();
        let units = pairs.iter().map(|&pair| self.unit(pair));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newlines_are_units_not_bytes() {
        let little = ByteOrder::of(b"\xff\xfea\0").unwrap();
        let big = ByteOrder::of(b"\xfe\xff\0a").unwrap();
        assert_eq!(ByteOrder::of(b"\xef\xbb\xbf"), None);
        assert!(little.ends_line(b"a\0\n\0") && big.ends_line(b"\0a\0\n"));
        // U+0A61 and U+610A have the byte of a newline, and so have halves of one.
        for bytes in [&b"\x61\x0a"[..], b"\x0a\x61", b"\n", b"a\0\n", b""] {
            assert!(!little.ends_line(bytes), "{bytes:?}");
        }
        assert!(!big.ends_line(b"\x61\x0a"));
        assert_eq!(
            little.decode(
                "aä😀".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice()
            ),
            "aä😀"
        );
        assert_eq!(big.decode(b"\xd8\x00\0a"), "\u{fffd}a");
    }
}
