//! A file of answers, read.

use crate::common::answer::{Answer, Message};
use crate::common::backends;
use hashmill::Algorithm;
use std::io::Read;
use std::path::Path;

/// One file.
pub struct Source {
    pub folder: &'static str,
    pub file: String,
    pub cases: Vec<Case>,
    pub skipped: Vec<Skipped>,
}

pub enum Case {
    Answer(Answer),
    Monte(Monte),
    Large(Large),
}

/// A Monte Carlo test: a chain of 1,000 digests between one answer and the next.
pub struct Monte {
    pub algorithm: Algorithm,
    pub chain: Chain,
    pub seed: Vec<u8>,
    pub answers: Vec<Vec<u8>>,
}

/// How a Monte Carlo test makes its next message.
#[derive(Clone, Copy)]
pub enum Chain {
    /// The last three digests (SHAVS).
    Sha2,
    /// The last three digests, cut or filled with zeros to the seed's length (ACVP's "alternate").
    Sha2Alternate,
    /// The last digest (SHA3VS).
    Sha3,
    /// The first 128 bits of the last output, whose last 16 choose the next output length (SHA3VS).
    Shake { min_len: usize, max_len: usize },
}

/// `content` repeated to `len` bytes; by default only, as it takes long.
pub struct Large {
    pub algorithm: Algorithm,
    pub content: Vec<u8>,
    pub len: u64,
    pub digest: Vec<u8>,
}

/// Cases that are not checked.
pub struct Skipped {
    pub cases: usize,
    pub what: String,
}

/// What is not checked here, and the beginnings of its names in the sources.
pub const ELSEWHERE: &[(&str, &[&str])] = &[
    ("cSHAKE: in tests/sp800_185.rs", &["cshake"]),
    ("KMAC: in tests/sp800_185.rs", &["kmac"]),
    ("KDF with KMAC: not in hashmill", &["KDF-KMAC"]),
    ("TupleHash: in tests/sp800_185.rs", &["tuplehash"]),
    ("ParallelHash: in tests/sp800_185.rs", &["parallelhash"]),
    ("KT128 and KT256: in tests/k12.rs", &["kt1", "kt2", "kangarootwelve"]),
    ("HKDF: in tests/kdf.rs", &["hkdf", "rfc-5869"]),
    ("PBKDF2: in tests/kdf.rs", &["pbkdf"]),
    ("PBKDF2 with SHA-1: not in hashmill", &["rfc-6070"]),
    ("BLAKE2X: not in hashmill", &["blake2x"]),
];

/// What a name stands for, if it is something that is not checked here.
pub fn elsewhere(name: &str) -> Option<&'static str> {
    let begins =
        |start: &&str| name.get(..start.len()).is_some_and(|n| n.eq_ignore_ascii_case(start));
    ELSEWHERE.iter().find(|(_, starts)| starts.iter().any(begins)).map(|&(what, _)| what)
}

impl Skipped {
    pub fn new(cases: usize, what: &str) -> Skipped {
        Skipped { cases, what: what.into() }
    }
}

impl Case {
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Case::Answer(answer) => answer.algorithm,
            Case::Monte(monte) => monte.algorithm,
            Case::Large(large) => large.algorithm,
        }
    }

    pub fn runs_on(&self, backend: &str) -> bool {
        match self {
            Case::Large(_) => backend == backends::DEFAULT,
            Case::Answer(_) | Case::Monte(_) => backends::has(self.algorithm(), backend),
        }
    }

    /// How many published answers it compares.
    pub fn answers(&self) -> usize {
        match self {
            Case::Monte(monte) => monte.answers.len(),
            Case::Answer(_) | Case::Large(_) => 1,
        }
    }
}

/// The text of a file, unpacked if its name ends in `.gz`.
pub fn read(path: &Path) -> String {
    let packed = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    let read = match path.extension().is_some_and(|extension| extension == "gz") {
        true => flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text),
        false => (&packed[..]).read_to_string(&mut text),
    };
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// The algorithm of that name, in whatever spelling.
pub fn algorithm(name: &str) -> Algorithm {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Where a source keeps the bits of a last, partial byte.
#[derive(Clone, Copy)]
pub enum LastByte {
    /// As `finalize_bits` takes them.
    AsIs,
    /// In the high positions although the standard counts from the low end.
    Shifted,
}

/// The first `len` bits of `bytes`.
pub fn first_bits(bytes: &[u8], len: usize, last: LastByte) -> Message {
    let (whole, bits) = (len / 8, (len % 8) as u32);
    let last = match (bits, last) {
        (0, _) => 0,
        (_, LastByte::AsIs) => bytes[whole],
        (_, LastByte::Shifted) => bytes[whole] >> (8 - bits),
    };
    Message { bytes: bytes[..whole].to_vec(), last, bits }
}
