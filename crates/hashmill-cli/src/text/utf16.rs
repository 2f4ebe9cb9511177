//! Decodes lists in UTF-16, as programs for Windows write them: with a byte order mark (RFC 2781
//! §3.2), or without one if the first two characters are ASCII.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// Returns the byte order that the first bytes of a text indicate. Returns `None` if the text
    /// is not in UTF-16.
    pub fn of(start: &[u8]) -> Option<ByteOrder> {
        match start {
            [0xff, 0xfe, ..] => Some(ByteOrder::Little),
            [0xfe, 0xff, ..] => Some(ByteOrder::Big),
            // A list in another encoding does not contain NUL as its first or second byte.
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

    /// Returns whether `bytes` end with a complete newline character.
    pub fn ends_line(self, bytes: &[u8]) -> bool {
        let (pairs, rest) = bytes.as_chunks();
        rest.is_empty() && pairs.last().is_some_and(|&pair| self.unit(pair) == u16::from(b'\n'))
    }

    /// Returns a byte value to search for after `bytes`: it occurs at the end of the line that
    /// begins with `bytes`, or earlier. A newline's byte 0x0A can be the first of its two bytes,
    /// and can also be half of another character.
    pub fn next_end(self, bytes: &[u8]) -> u8 {
        let in_pair = !bytes.len().is_multiple_of(2);
        if self == ByteOrder::Little && in_pair { 0 } else { b'\n' }
    }

    /// Decodes UTF-16 to UTF-8. Invalid units become U+FFFD.
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
        // U+0A61 and U+610A contain the byte 0x0A, and so does half of a newline.
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
