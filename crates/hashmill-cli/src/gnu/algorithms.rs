//! The algorithms of `cksum -a` and of the other stand-ins.

use crate::hashing::algorithm::AnyAlgorithm::{self, Foreign, Ours};
use crate::hashing::algorithm::Foreign::{Bsd, Crc, Crc32b, Md5, Sha1, Sysv};
use crate::hashing::recipe::Recipe;
use hashmill::Algorithm::*;

/// One value of `cksum --algorithm`, or a program's only algorithm.
pub struct Row {
    pub name: &'static str,
    pub tag: &'static str,
    /// The algorithm. SHA-2 and SHA-3 have one for each of the four lengths.
    pub algorithms: &'static [AnyAlgorithm],
}

/// The rows in the order in which GNU's `cksum` lists them.
pub static CKSUM: [Row; 14] = [
    row("bsd", "BSD", &[Foreign(Bsd)]),
    row("sysv", "SYSV", &[Foreign(Sysv)]),
    row("crc", "CRC", &[Foreign(Crc)]),
    row("crc32b", "CRC32B", &[Foreign(Crc32b)]),
    row("md5", "MD5", &[Foreign(Md5)]),
    row("sha1", "SHA1", &[Foreign(Sha1)]),
    row("sha224", "SHA224", &[Ours(Sha224)]),
    row("sha256", "SHA256", &[Ours(Sha256)]),
    row("sha384", "SHA384", &[Ours(Sha384)]),
    row("sha512", "SHA512", &[Ours(Sha512)]),
    row("sha2", "SHA2", &[Ours(Sha224), Ours(Sha256), Ours(Sha384), Ours(Sha512)]),
    row("sha3", "SHA3", &[Ours(Sha3_224), Ours(Sha3_256), Ours(Sha3_384), Ours(Sha3_512)]),
    row("blake2b", "BLAKE2b", &[Ours(Blake2b)]),
    row("sm3", "SM3", &[Ours(Sm3)]),
];

/// Algorithms that GNU's `cksum` does not have.
static BEYOND: [Row; 2] = [
    row("shake128", "SHAKE128", &[Ours(Shake128)]),
    row("shake256", "SHAKE256", &[Ours(Shake256)]),
];

const fn row(name: &'static str, tag: &'static str, algorithms: &'static [AnyAlgorithm]) -> Row {
    Row { name, tag, algorithms }
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
        if let [only] = *self.algorithms { Some(Recipe::of(only)) } else { None }
    }

    /// Returns the recipe for digests of `bits` bits, if the row has that length and lists can
    /// contain it.
    pub fn with_bits(&self, bits: usize) -> Option<Recipe> {
        let mut algorithms = self.algorithms.iter().filter(|_| !self.is_legacy());
        algorithms.find_map(|&algorithm| Recipe::with_bits(algorithm, bits))
    }

    /// Returns the recipe that a tag without a length means.
    pub fn tagged(&self) -> Option<Recipe> {
        self.usual().filter(|_| !self.is_legacy())
    }

    /// Returns whether this is a checksum whose lines have a format of their own, which `--check`
    /// does not read.
    pub fn is_legacy(&self) -> bool {
        self.algorithms[0].size().is_some()
    }

    /// Returns whether digests can have any length in whole bytes, up to the algorithm's maximum.
    pub fn takes_any_len(&self) -> bool {
        self.algorithms[0].takes_len()
    }

    /// Returns whether `--length` applies to this row.
    pub fn has_lengths(&self) -> bool {
        self.algorithms.len() > 1 || self.takes_any_len()
    }

    /// Returns whether the tag of `other` is accepted in a list when this row is selected. For
    /// example, `sha2` accepts `SHA256`.
    pub fn accepts(&self, other: &Row) -> bool {
        other.algorithms.iter().all(|it| self.algorithms.contains(it))
    }
}
