//! The programs that hashmill stands in for.

use crate::gnu::algorithms::Row;

/// A program that hashmill stands in for.
pub struct Program {
    pub name: &'static str,
    /// The program's only algorithm, by its name for `cksum --algorithm`; `None` for `cksum`.
    algorithm: Option<&'static str>,
    /// The length in bits without `--length`, if the algorithm has no default length.
    pub bits: Option<usize>,
    pub about: &'static str,
}

const fn program(
    name: &'static str,
    algorithm: Option<&'static str>,
    about: &'static str,
) -> Program {
    Program { name, algorithm, bits: None, about }
}

pub static ALL: [Program; 12] = [
    program("md5sum", Some("md5"), "Print or check MD5 digests"),
    program("sha1sum", Some("sha1"), "Print or check SHA-1 digests"),
    program("sha224sum", Some("sha224"), "Print or check SHA-224 digests"),
    program("sha256sum", Some("sha256"), "Print or check SHA-256 digests"),
    program("sha384sum", Some("sha384"), "Print or check SHA-384 digests"),
    program("sha512sum", Some("sha512"), "Print or check SHA-512 digests"),
    // BusyBox and Perl's Digest::SHA3 have programs of this name with this default length.
    Program {
        bits: Some(224),
        ..program("sha3sum", Some("sha3"), "Print or check SHA-3 digests, by default of 224 bits")
    },
    program("shake128sum", Some("shake128"), "Print or check SHAKE128 digests of any length"),
    program("shake256sum", Some("shake256"), "Print or check SHAKE256 digests of any length"),
    program("b2sum", Some("blake2b"), "Print or check BLAKE2b digests"),
    program("cksum", None, "Print or check checksums, or digests of a chosen algorithm"),
    program("sum", Some("bsd"), "Print BSD's or System V's checksums and numbers of blocks"),
];

pub fn named(name: &str) -> Option<&'static Program> {
    ALL.iter().find(|program| program.name == name)
}

/// Returns the programs that are also subcommands. `sum` is not one, because `hashmill sum` is our
/// own command.
pub fn subcommands() -> impl Iterator<Item = &'static Program> {
    ALL.iter().filter(|program| !program.is_sum())
}

impl Program {
    pub fn is_sum(&self) -> bool {
        self.name == "sum"
    }

    pub fn is_cksum(&self) -> bool {
        self.algorithm.is_none()
    }

    pub fn row(&self) -> Option<&'static Row> {
        self.algorithm.and_then(Row::named)
    }
}
