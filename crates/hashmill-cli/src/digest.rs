//! The digests this program computes: the library's algorithms with an output length.

use crate::encoding::Encoding;
use hashmill::{AnyHasher, blake2b, blake2bp, blake2s, blake2sp};
use std::fmt;
use std::str::FromStr;

pub use hashmill::Algorithm;

/// An algorithm and the number of bytes it is to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    algorithm: Algorithm,
    len: usize,
}

/// A message being digested.
pub struct Hasher {
    state: AnyHasher,
    len: usize,
}

/// The longest output asked of an extendable-output function, in bytes.
const MAX_XOF_LEN: usize = 1 << 20;

impl Digest {
    /// With the algorithm's usual length.
    pub fn of(algorithm: Algorithm) -> Digest {
        Digest { algorithm, len: algorithm.output_len() }
    }

    /// With a length in bits, if the algorithm can give it.
    pub fn with_bits(algorithm: Algorithm, bits: usize) -> Option<Digest> {
        let digest = Digest { algorithm, len: bits / 8 };
        (bits.is_multiple_of(8)
            && digest.len > 0
            && digest.len <= max_len(algorithm)
            && digest.state().is_some())
        .then_some(digest)
    }

    pub fn algorithm(self) -> Algorithm {
        self.algorithm
    }

    /// In bytes.
    pub fn len(self) -> usize {
        self.len
    }

    /// The encoding in which `text` has this digest's length.
    pub fn encoding_of(self, text: &[u8]) -> Option<Encoding> {
        [Encoding::Hex, Encoding::Base64]
            .into_iter()
            .find(|encoding| encoding.decoded_len(text) == Some(self.len))
    }

    /// The backend that digests one message.
    pub fn backend(self) -> &'static str {
        self.algorithm
            .backends()
            .find(|backend| backend.one)
            .map_or("portable", |backend| backend.name)
    }

    pub fn hasher(self) -> Hasher {
        let state = self.state().unwrap_or_else(|| self.algorithm.hasher());
        Hasher { state, len: self.len }
    }

    /// BLAKE2's length is part of its parameters, so that a shorter digest is another function
    /// (RFC 7693 §2.8); an extendable output is cut off anywhere.
    fn state(self) -> Option<AnyHasher> {
        match self.algorithm {
            Algorithm::Blake2b => {
                blake2b::Params::new().output_len(self.len).build().ok().map(AnyHasher::from)
            }
            Algorithm::Blake2s => {
                blake2s::Params::new().output_len(self.len).build().ok().map(AnyHasher::from)
            }
            Algorithm::Blake2bp => {
                blake2bp::Params::new().output_len(self.len).build().ok().map(AnyHasher::from)
            }
            Algorithm::Blake2sp => {
                blake2sp::Params::new().output_len(self.len).build().ok().map(AnyHasher::from)
            }
            algorithm => (algorithm.is_xof() || self.len == algorithm.output_len())
                .then(|| algorithm.hasher()),
        }
    }
}

fn max_len(algorithm: Algorithm) -> usize {
    if algorithm.is_xof() { MAX_XOF_LEN } else { algorithm.output_len() }
}

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    pub fn finish(&self) -> Vec<u8> {
        let mut digest = vec![0; self.len];
        self.state
            .finalize_into(&mut digest)
            .expect("the buffer has the length the hasher was made for");
        digest
    }
}

/// The tag of a BSD-style line: `SHA256`, `BLAKE2b-160`.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.tag())?;
        if self.len != self.algorithm.output_len() {
            write!(f, "-{}", 8 * self.len)?;
        }
        Ok(())
    }
}

/// A name, also with a length in bits behind it: `sha256`, `SHA512/256`, `blake2b-160`, `SHAKE128-512`.
impl FromStr for Digest {
    type Err = ();

    fn from_str(name: &str) -> Result<Digest, ()> {
        if let Ok(algorithm) = name.parse() {
            return Ok(Digest::of(algorithm));
        }
        let (name, bits) = name.rsplit_once('-').ok_or(())?;
        let digits = bits.bytes().all(|byte| byte.is_ascii_digit()) && !bits.starts_with('0');
        let bits = if digits { bits.parse().map_err(|_| ())? } else { return Err(()) };
        Digest::with_bits(name.parse().map_err(|_| ())?, bits).ok_or(())
    }
}
