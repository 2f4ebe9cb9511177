//! A digest as people write it: with the algorithm's name before it, or without.

use crate::hashing::foreign::Foreign;
use crate::hashing::mode::Mode;
use crate::hashing::recipe::{Algorithm, Recipe};
use crate::lists::verify::Entry;
use crate::text::encoding::Encoding;

/// What digests in text can be of.
pub struct Meaning<'a> {
    /// What a digest without a name can be, if that was said.
    pub named: Vec<Recipe>,
    pub mode: &'a Mode,
}

/// A digest in text, and what it can be of.
#[derive(Clone, Debug)]
pub struct Expected {
    /// More than one where neither a name nor the length tells.
    pub digests: Vec<Recipe>,
    text: Vec<u8>,
    encoding: Encoding,
    parts: Option<u64>,
}

impl Meaning<'_> {
    /// `sha256:HEX`, `sha384-BASE64` (W3C Subresource Integrity §3.1), or a digest alone, which is one
    /// of those named, or if there are none what its length tells.
    pub fn of(&self, token: &[u8]) -> Option<Expected> {
        for separator in *b":-" {
            if let Some(at) = token.iter().position(|&byte| byte == separator)
                && let Some(expected) = self.named_at(token, at, separator)
            {
                return Some(expected);
            }
        }
        let (text, parts) = self.parts(token)?;
        [Encoding::Hex, Encoding::Base64].into_iter().find_map(|encoding| {
            let len = encoding.decoded_len(text)?;
            let digests: Vec<Recipe> = match &*self.named {
                [] => guesses(len).into_iter().map(Recipe::of).collect(),
                named => named.iter().filter(|digest| digest.len() == len).cloned().collect(),
            };
            self.expected(digests, text, encoding, parts)
        })
    }

    /// A digest after its algorithm's name, which may have hyphens too.
    fn named_at(&self, token: &[u8], at: usize, separator: u8) -> Option<Expected> {
        let ends = (at..token.len()).filter(|&at| token[at] == separator);
        ends.filter_map(|at| self.tagged(str::from_utf8(&token[..at]).ok()?, &token[at + 1..]))
            .find(|expected| separator == b':' || expected.encoding == Encoding::Base64)
    }

    /// A digest of the algorithm that a tag names.
    pub fn tagged(&self, tag: &str, text: &[u8]) -> Option<Expected> {
        // A digest without a key must not pass for one with it.
        let tag = if self.mode.is_hmac() { tag.strip_prefix("HMAC-")? } else { tag };
        let (text, parts) = self.parts(text)?;
        let digest: Recipe = tag.parse().ok()?;
        let (digest, encoding) = match digest.encoding_of(text) {
            Some(encoding) => (digest, encoding),
            // OpenSSL does not write the length of SHAKE's output.
            None => {
                let algorithm =
                    tag.parse().ok().filter(|algorithm: &Algorithm| algorithm.is_xof())?;
                let len = Encoding::Hex.decoded_len(text)?;
                (Recipe::with_bits(algorithm, 8 * len)?, Encoding::Hex)
            }
        };
        self.expected(vec![digest], text, encoding, parts)
    }

    /// A digest of parts, and their number after a hyphen.
    fn parts<'t>(&self, text: &'t [u8]) -> Option<(&'t [u8], Option<u64>)> {
        if !self.mode.has_parts() {
            return Some((text, None));
        }
        let at = text.iter().rposition(|&byte| byte == b'-')?;
        Some((&text[..at], Some(str::from_utf8(&text[at + 1..]).ok()?.parse().ok()?)))
    }

    fn expected(
        &self,
        digests: Vec<Recipe>,
        text: &[u8],
        encoding: Encoding,
        parts: Option<u64>,
    ) -> Option<Expected> {
        let digests: Vec<Recipe> =
            digests.into_iter().filter_map(|digest| self.mode.apply(digest).ok()).collect();
        (!digests.is_empty()).then(|| Expected { digests, text: text.to_vec(), encoding, parts })
    }
}

impl Expected {
    pub fn of_file(self, name: Vec<u8>) -> Entry {
        let Expected { digests, text, encoding, parts } = self;
        Entry { digests, text, encoding, parts, name }
    }
}

/// The algorithms whose digests are often written alone, by the length in bytes.
fn guesses(len: usize) -> Vec<Algorithm> {
    use hashmill::Algorithm::*;
    match len {
        16 => vec![Foreign::Md5.into()],
        20 => vec![Foreign::Sha1.into()],
        28 => vec![Sha224.into()],
        32 => vec![Sha256.into()],
        48 => vec![Sha384.into()],
        64 => vec![Sha512.into(), Blake2b.into()],
        _ => vec![],
    }
}
