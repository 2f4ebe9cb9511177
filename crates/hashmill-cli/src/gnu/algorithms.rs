//! The algorithms of `cksum -a` and of the other stand-ins.

use crate::hashing::foreign::Foreign;
use crate::hashing::recipe::{AnyAlgorithm, Recipe};
use hashmill::Algorithm::*;

/// One value of `cksum --algorithm`, or a program's only algorithm.
pub struct Row {
    pub name: &'static str,
    pub tag: &'static str,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A checksum whose lines have a format of their own, which `--check` does not read.
    Legacy(Foreign),
    Fixed(AnyAlgorithm),
    /// SHA-2 or SHA-3: one algorithm for each of the four lengths.
    Sha([hashmill::Algorithm; 4]),
    /// Any length in whole bytes, up to the maximal length of the algorithm.
    UpTo(AnyAlgorithm),
}

/// The rows in the order in which GNU's `cksum` lists them.
pub static CKSUM: [Row; 14] = {
    use AnyAlgorithm::{Foreign as Another, Ours};
    use Kind::*;
    [
        row("bsd", "BSD", Legacy(Foreign::Bsd)),
        row("sysv", "SYSV", Legacy(Foreign::Sysv)),
        row("crc", "CRC", Legacy(Foreign::Crc)),
        row("crc32b", "CRC32B", Legacy(Foreign::Crc32b)),
        row("md5", "MD5", Fixed(Another(Foreign::Md5))),
        row("sha1", "SHA1", Fixed(Another(Foreign::Sha1))),
        row("sha224", "SHA224", Fixed(Ours(Sha224))),
        row("sha256", "SHA256", Fixed(Ours(Sha256))),
        row("sha384", "SHA384", Fixed(Ours(Sha384))),
        row("sha512", "SHA512", Fixed(Ours(Sha512))),
        row("sha2", "SHA2", Sha([Sha224, Sha256, Sha384, Sha512])),
        row("sha3", "SHA3", Sha([Sha3_224, Sha3_256, Sha3_384, Sha3_512])),
        row("blake2b", "BLAKE2b", UpTo(Ours(Blake2b))),
        row("sm3", "SM3", Fixed(Ours(Sm3))),
    ]
};

/// Algorithms that GNU's `cksum` does not have.
static BEYOND: [Row; 2] = [
    row("shake128", "SHAKE128", Kind::UpTo(AnyAlgorithm::Ours(Shake128))),
    row("shake256", "SHAKE256", Kind::UpTo(AnyAlgorithm::Ours(Shake256))),
];

const fn row(name: &'static str, tag: &'static str, kind: Kind) -> Row {
    Row { name, tag, kind }
}

impl Row {
    /// Returns the row of this name, for a program with only one algorithm.
    pub fn named(name: &str) -> Option<&'static Row> {
        CKSUM.iter().chain(&BEYOND).find(|row| row.name == name)
    }

    /// Returns the row that `cksum -a` selects by this name.
    pub fn of_cksum(name: &[u8]) -> Option<&'static Row> {
        CKSUM.iter().find(|row| row.name.as_bytes() == name)
    }

    /// Returns the recipe that is used without `--length`. Returns `None` for `sha2` and `sha3`,
    /// which require a length.
    pub fn usual(&self) -> Option<Recipe> {
        match self.kind {
            Kind::Legacy(other) => Some(Recipe::of(other)),
            Kind::Fixed(algorithm) | Kind::UpTo(algorithm) => Some(Recipe::of(algorithm)),
            Kind::Sha(_) => None,
        }
    }

    /// Returns the recipe for digests of `bits` bits, if the row has that length and lists can
    /// contain it.
    pub fn with_bits(&self, bits: usize) -> Option<Recipe> {
        match self.kind {
            Kind::Legacy(_) => None,
            Kind::Fixed(algorithm) | Kind::UpTo(algorithm) => Recipe::with_bits(algorithm, bits),
            Kind::Sha(algorithms) => {
                algorithms.into_iter().find_map(|algorithm| Recipe::with_bits(algorithm, bits))
            }
        }
    }

    /// Returns the recipe that a tag without a length means.
    pub fn tagged(&self) -> Option<Recipe> {
        if self.is_legacy() { None } else { self.usual() }
    }

    pub fn is_legacy(&self) -> bool {
        matches!(self.kind, Kind::Legacy(_))
    }

    /// Returns whether `--length` applies to this row.
    pub fn has_lengths(&self) -> bool {
        matches!(self.kind, Kind::Sha(_) | Kind::UpTo(_))
    }

    /// Returns whether the tag of `other` is accepted in a list when this row is selected. For
    /// example, `sha2` accepts `SHA256`.
    pub fn accepts(&self, other: &Row) -> bool {
        match (self.kind, other.kind) {
            (Kind::Sha(algorithms), Kind::Fixed(AnyAlgorithm::Ours(algorithm))) => {
                algorithms.contains(&algorithm)
            }
            _ => std::ptr::eq(self, other),
        }
    }
}
