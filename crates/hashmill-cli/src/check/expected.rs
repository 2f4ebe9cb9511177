//! A digest as people write it: with the algorithm's name before it, or without.

use crate::digest::{Algorithm, Digest};
use crate::encoding::Encoding;
use crate::other::Other;
use crate::verify::Entry;

/// A digest in text, and what it can be of.
#[derive(Clone, Debug)]
pub struct Expected {
    /// More than one where neither a name nor the length tells.
    pub digests: Vec<Digest>,
    text: Vec<u8>,
    encoding: Encoding,
}

impl Expected {
    /// `sha256:HEX`, `sha384-BASE64` (W3C Subresource Integrity §3.1), or a digest alone, which is one
    /// of `named`, or if there are none what its length tells.
    pub fn of(token: &[u8], named: &[Digest]) -> Option<Expected> {
        for separator in *b":-" {
            if let Some(at) = token.iter().rposition(|&byte| byte == separator)
                && let Some(tag) = str::from_utf8(&token[..at]).ok()
                && let Some(expected) = Expected::tagged(tag, &token[at + 1..])
                && (separator == b':' || expected.encoding == Encoding::Base64)
            {
                return Some(expected);
            }
        }
        [Encoding::Hex, Encoding::Base64].into_iter().find_map(|encoding| {
            let len = encoding.decoded_len(token)?;
            let digests: Vec<Digest> = match named {
                [] => guesses(len).into_iter().map(Digest::of).collect(),
                named => named.iter().filter(|digest| digest.len() == len).cloned().collect(),
            };
            (!digests.is_empty()).then(|| Expected { digests, text: token.to_vec(), encoding })
        })
    }

    /// A digest of the algorithm that a tag names.
    pub fn tagged(tag: &str, text: &[u8]) -> Option<Expected> {
        let digest: Digest = tag.parse().ok()?;
        let (digest, encoding) = match digest.encoding_of(text) {
            Some(encoding) => (digest, encoding),
            // OpenSSL does not write the length of SHAKE's output.
            None => {
                let algorithm =
                    tag.parse().ok().filter(|algorithm: &Algorithm| algorithm.is_xof())?;
                let len = Encoding::Hex.decoded_len(text)?;
                (Digest::with_bits(algorithm, 8 * len)?, Encoding::Hex)
            }
        };
        Some(Expected { digests: vec![digest], text: text.to_vec(), encoding })
    }

    pub fn of_file(self, name: Vec<u8>) -> Entry {
        Entry { digests: self.digests, text: self.text, encoding: self.encoding, name }
    }
}

/// The algorithms whose digests are often written alone, by the length in bytes.
fn guesses(len: usize) -> Vec<Algorithm> {
    use hashmill::Algorithm::*;
    match len {
        16 => vec![Other::Md5.into()],
        20 => vec![Other::Sha1.into()],
        28 => vec![Sha224.into()],
        32 => vec![Sha256.into()],
        48 => vec![Sha384.into()],
        64 => vec![Sha512.into(), Blake2b.into()],
        _ => vec![],
    }
}
