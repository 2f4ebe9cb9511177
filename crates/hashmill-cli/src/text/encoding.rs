//! Digests as text: hexadecimal and base64 (RFC 4648 §4 and §8).

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use std::hint::black_box;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Hex,
    Base64,
}

impl Encoding {
    pub fn encode(self, digest: &[u8]) -> String {
        match self {
            Encoding::Hex => HEXLOWER.encode(digest),
            Encoding::Base64 => BASE64.encode(digest),
        }
    }

    /// The bytes that `text` stands for; hexadecimal of either case.
    pub fn decode(self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            Encoding::Hex => HEXLOWER_PERMISSIVE.decode(text).ok(),
            Encoding::Base64 => BASE64.decode(text).ok(),
        }
    }

    /// The number of bytes that `text` stands for, if it has the form of this encoding.
    pub fn decoded_len(self, text: &[u8]) -> Option<usize> {
        match self {
            Encoding::Hex => {
                let whole = text.len().is_multiple_of(2) && text.iter().all(u8::is_ascii_hexdigit);
                whole.then_some(text.len() / 2)
            }
            Encoding::Base64 => {
                let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
                let (digits, _) = text.split_at(text.len() - padding);
                let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
                let whole = text.len().is_multiple_of(4) && digits.iter().all(is_digit);
                whole.then(|| text.len() / 4 * 3 - padding)
            }
        }
    }

    /// Whether `text` is how this encoding writes `digest`, hexadecimal of either case; found out in a
    /// time that does not tell where they differ.
    pub fn is_of(self, text: &[u8], digest: &[u8]) -> bool {
        let written = self.encode(digest);
        let difference = |(&a, b): (&u8, u8)| match self {
            Encoding::Hex => a.to_ascii_lowercase() ^ b,
            Encoding::Base64 => a ^ b,
        };
        let differences = text.iter().zip(written.bytes()).map(difference);
        text.len() == written.len() && differences.fold(0, |all, one| black_box(all | one)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648 §10.
    #[test]
    fn base64_of_foobar() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            assert_eq!(Encoding::Base64.encode(bytes.as_bytes()), text);
            assert_eq!(Encoding::Base64.decoded_len(text.as_bytes()), Some(bytes.len()));
            assert_eq!(Encoding::Base64.decode(text.as_bytes()).as_deref(), Some(bytes.as_bytes()));
            assert!(Encoding::Base64.is_of(text.as_bytes(), bytes.as_bytes()));
        }
    }

    #[test]
    fn what_is_not_of_an_encoding() {
        for text in ["abc", "0g", "0x12", "00 "] {
            assert_eq!(Encoding::Hex.decoded_len(text.as_bytes()), None, "{text}");
        }
        for text in ["Zg=", "Zg", "Z===", "Zm 9", "Zm9_", "===="] {
            assert_eq!(Encoding::Base64.decoded_len(text.as_bytes()), None, "{text}");
        }
        // The two bits that the padding leaves over must be zero.
        assert!(!Encoding::Base64.is_of(b"Zh==", b"f"));
    }

    #[test]
    fn hex_of_either_case() {
        assert_eq!(Encoding::Hex.encode(&[0x0f, 0xa0]), "0fa0");
        assert!(Encoding::Hex.is_of(b"0Fa0", &[0x0f, 0xa0]));
        assert!(!Encoding::Hex.is_of(b"0fa1", &[0x0f, 0xa0]));
    }
}
