//! The algorithms of `cksum -a`.

use crate::digest::{Algorithm, Digest};

/// One value of `cksum --algorithm`.
pub struct Row {
    pub name: &'static str,
    pub tag: &'static str,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A checksum with a format of its own, that `--check` does not know.
    Legacy,
    /// A digest that the library does not compute.
    Foreign,
    Fixed(Algorithm),
    /// SHA-2 or SHA-3: one algorithm for each of the four lengths.
    Sha([Algorithm; 4]),
    /// Any number of whole bytes up to the algorithm's length.
    UpTo(Algorithm),
}

/// In the order that GNU's `cksum` names them.
pub static ROWS: [Row; 14] = {
    use Algorithm::*;
    use Kind::*;
    const fn row(name: &'static str, tag: &'static str, kind: Kind) -> Row {
        Row { name, tag, kind }
    }
    [
        row("bsd", "BSD", Legacy),
        row("sysv", "SYSV", Legacy),
        row("crc", "CRC", Legacy),
        row("crc32b", "CRC32B", Legacy),
        row("md5", "MD5", Foreign),
        row("sha1", "SHA1", Foreign),
        row("sha224", "SHA224", Fixed(Sha224)),
        row("sha256", "SHA256", Fixed(Sha256)),
        row("sha384", "SHA384", Fixed(Sha384)),
        row("sha512", "SHA512", Fixed(Sha512)),
        row("sha2", "SHA2", Sha([Sha224, Sha256, Sha384, Sha512])),
        row("sha3", "SHA3", Sha([Sha3_224, Sha3_256, Sha3_384, Sha3_512])),
        row("blake2b", "BLAKE2b", UpTo(Blake2b)),
        row("sm3", "SM3", Foreign),
    ]
};

impl Row {
    pub fn named(name: &[u8]) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.name.as_bytes() == name)
    }

    /// The digest when no length is given.
    pub fn usual(&self) -> Option<Digest> {
        match self.kind {
            Kind::Fixed(algorithm) | Kind::UpTo(algorithm) => Some(Digest::of(algorithm)),
            Kind::Legacy | Kind::Foreign | Kind::Sha(_) => None,
        }
    }

    /// The digest with a length in bits.
    pub fn with_bits(&self, bits: usize) -> Option<Digest> {
        match self.kind {
            Kind::Fixed(algorithm) | Kind::UpTo(algorithm) => Digest::with_bits(algorithm, bits),
            Kind::Sha(algorithms) => {
                algorithms.into_iter().find_map(|algorithm| Digest::with_bits(algorithm, bits))
            }
            Kind::Legacy | Kind::Foreign => None,
        }
    }

    /// Whether `--length` applies.
    pub fn has_lengths(&self) -> bool {
        matches!(self.kind, Kind::Sha(_) | Kind::UpTo(_))
    }

    /// The rows whose tags `cksum -a` with this row accepts in a list: `sha2` reads `SHA256` too.
    pub fn accepts(&self, other: &Row) -> bool {
        match (self.kind, other.kind) {
            (Kind::Sha(algorithms), Kind::Fixed(algorithm)) => algorithms.contains(&algorithm),
            _ => std::ptr::eq(self, other),
        }
    }
}
