//! Encodings of digests as text: hexadecimal, base64 and base32 (RFC 4648), Nix's base32, and
//! decimal numbers.

use data_encoding::{
    BASE32_NOPAD, BASE64, BASE64_NOPAD, BASE64URL_NOPAD, BitOrder, Encoding as Table,
    HEXLOWER_PERMISSIVE, HEXUPPER_PERMISSIVE, Specification,
};
use std::borrow::Cow;
use std::hint::black_box;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Hex,
    HexUpper,
    Base64,
    /// Base64 with `-` and `_`, without padding.
    Base64Url,
    /// In capital letters, without padding.
    Base32,
    /// Base32 in lower-case letters, without padding, as RHash writes it.
    Base32Lower,
    /// Nix's base32: digits and lower-case letters without e, o, t and u. The last digit of the
    /// usual order comes first.
    Nix32,
    /// A text that is both `Base32Lower` and `Nix32`. Either digest is meant.
    EitherBase32,
    /// The bytes as one number, the most significant first. Only checksums are written in decimal.
    Decimal,
}

/// The table for [`Encoding::Nix32`] with its digits in reverse order: Nix writes the least
/// significant five bits last.
static NIX32: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Specification::new();
    table.symbols.push_str("0123456789abcdfghijklmnpqrsvwxyz");
    table.bit_order = BitOrder::LeastSignificantFirst;
    table.encoding().expect("these are 32 symbols")
});

/// The table for [`Encoding::Base32Lower`].
static BASE32_LOWER: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Specification::new();
    table.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    table.encoding().expect("these are 32 symbols")
});

impl Encoding {
    /// Returns the table of digits, or `None` for `Decimal`.
    fn table(self) -> Option<&'static Table> {
        Some(match self {
            Encoding::Hex => const { &HEXLOWER_PERMISSIVE },
            Encoding::HexUpper => const { &HEXUPPER_PERMISSIVE },
            Encoding::Base64 => const { &BASE64 },
            Encoding::Base64Url => const { &BASE64URL_NOPAD },
            Encoding::Base32 => const { &BASE32_NOPAD },
            Encoding::Base32Lower => &BASE32_LOWER,
            Encoding::Nix32 | Encoding::EitherBase32 => &NIX32,
            Encoding::Decimal => return None,
        })
    }

    pub fn encode(self, digest: &[u8]) -> String {
        let number = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        match self.table() {
            None => digest.iter().fold(0, number).to_string(),
            Some(table) if self.is_reversed() => table.encode(digest).chars().rev().collect(),
            Some(table) => table.encode(digest),
        }
    }

    /// Decodes `text`. Hexadecimal digits may be in either case. Returns `None` if it is not in this
    /// encoding, or does not tell which bytes it encodes.
    pub fn decode(self, text: &[u8]) -> Option<Vec<u8>> {
        let table = self.table().filter(|_| self != Encoding::EitherBase32)?;
        let reversed = || text.iter().rev().copied().collect::<Vec<u8>>();
        let bytes = if self.is_reversed() { table.decode(&reversed()) } else { table.decode(text) };
        bytes.ok()
    }

    /// Returns whether the first digit comes last.
    fn is_reversed(self) -> bool {
        matches!(self, Encoding::Nix32 | Encoding::EitherBase32)
    }

    /// Returns the encodings in which `text` can be a digest, and the canonical form of `text` in
    /// each of them. They are tried lazily, because nearly all digests are in the first.
    pub fn all_of(text: &[u8]) -> impl Iterator<Item = (Encoding, Cow<'_, [u8]>)> {
        let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
        let (digits, _) = text.split_at(text.len() - padding);
        let forms = (0..6).map(move |form| match form {
            0 => (Encoding::Hex, Cow::Borrowed(text)),
            1 => (Encoding::Base64, Cow::Borrowed(text)),
            // Base64 without padding, then base64url with or without padding.
            2 => {
                let padded = padded(digits).filter(|_| padding == 0).unwrap_or_default();
                (Encoding::Base64, Cow::Owned(padded))
            }
            3 => (Encoding::Base64Url, Cow::Borrowed(digits)),
            4 => {
                let is = |encoding: Encoding, text| encoding.decode(text).is_some();
                let lower = is(Encoding::Base32Lower, digits);
                match (lower, lower && is(Encoding::Nix32, text)) {
                    (true, true) => (Encoding::EitherBase32, Cow::Borrowed(text)),
                    (true, false) => (Encoding::Base32Lower, Cow::Borrowed(digits)),
                    _ => (Encoding::Nix32, Cow::Borrowed(text)),
                }
            }
            _ => (Encoding::Base32, Cow::Borrowed(digits)),
        });
        forms.filter(|(encoding, text)| {
            !text.is_empty() && encoding.decoded_len(text).is_some_and(|len| len > 0)
        })
    }

    pub fn is_base32(self) -> bool {
        use Encoding::{Base32, Base32Lower, EitherBase32, Nix32};
        matches!(self, Base32 | Base32Lower | EitherBase32 | Nix32)
    }

    /// Returns the number of bytes that `text` encodes, or `None` if it is not in this encoding.
    pub fn decoded_len(self, text: &[u8]) -> Option<usize> {
        match self {
            Encoding::Hex | Encoding::HexUpper => {
                // Without an early end, the compiler looks at many digits at once.
                let is_hex = text.iter().fold(true, |all, byte| all & byte.is_ascii_hexdigit());
                (is_hex && text.len().is_multiple_of(2)).then_some(text.len() / 2)
            }
            Encoding::Base64 => {
                let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
                let (digits, _) = text.split_at(text.len() - padding);
                let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
                let whole = text.len().is_multiple_of(4) && digits.iter().all(is_digit);
                whole.then(|| text.len() / 4 * 3 - padding)
            }
            Encoding::EitherBase32 => Encoding::Nix32.decoded_len(text),
            Encoding::Base64Url | Encoding::Base32 | Encoding::Base32Lower | Encoding::Nix32 => {
                self.decode(text).map(|bytes| bytes.len())
            }
            Encoding::Decimal => None,
        }
    }

    /// Returns whether `text` is `digest` in this encoding; hexadecimal digits may be in either
    /// case. The time does not depend on the positions where they differ.
    pub fn is_of(self, text: &[u8], digest: &[u8]) -> bool {
        if self == Encoding::EitherBase32 {
            return Encoding::Nix32.is_of(text, digest) | Encoding::Base32Lower.is_of(text, digest);
        }
        let written = self.encode(digest);
        let difference = |(&a, b): (&u8, u8)| match self {
            Encoding::Hex => a.to_ascii_lowercase() ^ b,
            Encoding::HexUpper => a.to_ascii_uppercase() ^ b,
            _ => a ^ b,
        };
        let differences = text.iter().zip(written.bytes()).map(difference);
        text.len() == written.len() && differences.fold(0, |all, one| black_box(all | one)) == 0
    }
}

/// Returns `digits` with base64's padding added, or `None` if they are not base64.
fn padded(digits: &[u8]) -> Option<Vec<u8>> {
    BASE64_NOPAD.decode(digits).ok().map(|bytes| BASE64.encode(&bytes).into_bytes())
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
        // The two unused bits before the padding must be zero.
        assert!(!Encoding::Base64.is_of(b"Zh==", b"f"));
    }

    #[test]
    fn hex_of_either_case() {
        assert_eq!(Encoding::Hex.encode(&[0x0f, 0xa0]), "0fa0");
        assert!(Encoding::Hex.is_of(b"0Fa0", &[0x0f, 0xa0]));
        assert!(!Encoding::Hex.is_of(b"0fa1", &[0x0f, 0xa0]));
    }

    /// The SHA-256 of the empty message, as Nix's manual and `nix-hash --type sha256 --flat
    /// --base32` show it.
    #[test]
    fn nix_writes_the_last_digit_first() {
        let text = "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73";
        let digest = hashmill::sha256(b"");
        assert_eq!(Encoding::Nix32.encode(&digest[..]), text);
        assert_eq!(Encoding::Nix32.decode(text.as_bytes()).as_deref(), Some(&digest[..]));
        let forms: Vec<_> =
            Encoding::all_of(text.as_bytes()).map(|(encoding, _)| encoding).collect();
        assert!(forms.contains(&Encoding::Nix32));
    }

    /// A text without the letters and digits that only one of the two encodings has.
    #[test]
    fn both_kinds_of_base32() {
        let nix = Encoding::Nix32;
        let text = "aaaaaaaa";
        let forms: Vec<_> =
            Encoding::all_of(text.as_bytes()).map(|(encoding, _)| encoding).collect();
        assert!(forms.contains(&Encoding::EitherBase32), "{forms:?}");
        let lower = Encoding::Base32Lower.decode(text.as_bytes());
        for digest in [lower, nix.decode(text.as_bytes())].into_iter().flatten() {
            assert!(Encoding::EitherBase32.is_of(text.as_bytes(), &digest));
            assert!(!Encoding::EitherBase32.is_of(b"aaaaaaab", &digest));
        }
        assert_eq!(Encoding::EitherBase32.decode(text.as_bytes()), None);
        assert_eq!(Encoding::EitherBase32.decoded_len(text.as_bytes()), Some(5));
    }

    #[test]
    fn forms_of_base64() {
        let digest = hashmill::sha256(b"a");
        let padded = Encoding::Base64.encode(&digest[..]);
        for text in [&padded, padded.trim_end_matches('=')] {
            let (encoding, text) = Encoding::all_of(text.as_bytes()).next().unwrap();
            assert!(encoding.is_of(&text, &digest[..]));
        }
        let url = Encoding::Base64Url.encode(&digest[..]);
        assert!(Encoding::all_of(url.as_bytes()).any(|(it, text)| it.is_of(&text, &digest[..])));
    }
}
