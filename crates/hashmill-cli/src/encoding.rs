//! Digests as text: hexadecimal and base64 (RFC 4648 §4 and §8).

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Hex,
    Base64,
}

impl Encoding {
    pub fn encode(self, digest: &[u8]) -> String {
        match self {
            Encoding::Hex => hex(digest),
            Encoding::Base64 => base64(digest),
        }
    }

    /// The number of bytes that `text` stands for, if it is of this encoding.
    pub fn decoded_len(self, text: &[u8]) -> Option<usize> {
        match self {
            Encoding::Hex => {
                let whole = text.len().is_multiple_of(2) && text.iter().all(u8::is_ascii_hexdigit);
                whole.then_some(text.len() / 2)
            }
            Encoding::Base64 => {
                let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
                let (digits, _) = text.split_at(text.len() - padding);
                let whole =
                    text.len().is_multiple_of(4) && digits.iter().all(|byte| BASE64.contains(byte));
                whole.then(|| text.len() / 4 * 3 - padding)
            }
        }
    }

    /// Whether `text` is how this encoding writes `digest`; hexadecimal of either case is.
    pub fn is_of(self, text: &[u8], digest: &[u8]) -> bool {
        match self {
            Encoding::Hex => hex(digest).as_bytes().eq_ignore_ascii_case(text),
            Encoding::Base64 => base64(digest).as_bytes() == text,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(HEX[usize::from(digit)]))
        .collect()
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - group.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit > group.len() { '=' } else { char::from(BASE64[value as usize]) });
        }
    }
    text
}

const HEX: &[u8; 16] = b"0123456789abcdef";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
