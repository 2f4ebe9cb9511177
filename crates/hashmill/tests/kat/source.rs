//! The contents of a file of answers.

use crate::common::answer::Answer;
use crate::common::backends;
use hashmill::Algorithm;

/// The cases of one file.
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

/// The rule by which a Monte Carlo test makes its next message.
#[derive(Clone, Copy)]
pub enum Chain {
    /// The last three digests (SHAVS).
    Sha2,
    /// The last three digests, cut or filled with zeros to the seed's length (ACVP's "alternate").
    Sha2Alternate,
    /// The last digest (SHA3VS).
    Sha3,
    /// The first 128 bits of the last output. The last 16 bits of that output determine the next
    /// output's length (SHA3VS).
    Shake { min_len: usize, max_len: usize },
}

/// The digest of `content` repeated to `len` bytes. It is checked on the default backend only,
/// because it takes long.
pub struct Large {
    pub algorithm: Algorithm,
    pub content: Vec<u8>,
    pub len: u64,
    pub digest: Vec<u8>,
}

/// A number of cases that are not checked, and the reason.
pub struct Skipped {
    pub cases: usize,
    pub what: String,
}

/// What this test does not check, each with the beginnings of its names in the sources.
pub const ELSEWHERE: &[(&str, &[&str])] = &[
    ("cSHAKE: in tests/it/sp800_185", &["cshake"]),
    ("KMAC: in tests/it/sp800_185", &["kmac"]),
    ("KDF with KMAC: not in hashmill", &["KDF-KMAC"]),
    ("TupleHash: in tests/it/sp800_185", &["tuplehash"]),
    ("ParallelHash: in tests/it/sp800_185", &["parallelhash"]),
    ("KT128 and KT256: in tests/it/k12", &["kt1", "kt2", "kangarootwelve"]),
    ("HKDF: in tests/it/mac/kdf.rs", &["hkdf", "rfc-5869"]),
    ("PBKDF2: in tests/it/mac/kdf.rs", &["pbkdf"]),
    ("PBKDF2 with SHA-1: not in hashmill", &["rfc-6070"]),
    ("BLAKE2X: in tests/it/blake2x", &["blake2x"]),
];

/// Returns the entry of [`ELSEWHERE`] that `name` belongs to, or `None` if this test checks it.
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

    /// Returns the number of published answers that the case compares.
    pub fn answers(&self) -> usize {
        match self {
            Case::Monte(monte) => monte.answers.len(),
            Case::Answer(_) | Case::Large(_) => 1,
        }
    }
}

/// Returns the algorithm of that name, in any spelling that `Algorithm` accepts.
pub fn algorithm(name: &str) -> Algorithm {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}
