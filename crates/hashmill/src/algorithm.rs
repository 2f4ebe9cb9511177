//! The table of algorithms: names, lengths and codes. It does not use the hashers, so that every
//! layer can use it.

use crate::error::Error;
use core::fmt;
use core::str::FromStr;

/// An algorithm that is chosen at run time.
///
/// ```
/// use hashmill::Algorithm;
///
/// let algorithm: Algorithm = "SHA2-256".parse()?;
/// assert_eq!(algorithm, Algorithm::Sha256);
/// assert_eq!(algorithm.hash(b"abc"), hashmill::sha256(b"abc")[..]);
/// # Ok::<(), hashmill::Error>(())
/// ```
// The discriminants are the codes. They never change, because exported states and other languages
// store them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Algorithm {
    /// SHA-224, FIPS 180-4 §6.3
    Sha224 = 1,
    /// SHA-256, FIPS 180-4 §6.2
    Sha256 = 2,
    /// SHA-384, FIPS 180-4 §6.5
    Sha384 = 3,
    /// SHA-512, FIPS 180-4 §6.4
    Sha512 = 4,
    /// SHA-512/224, FIPS 180-4 §6.6
    Sha512_224 = 5,
    /// SHA-512/256, FIPS 180-4 §6.7
    Sha512_256 = 6,
    /// SHA3-224, FIPS 202 §6.1
    Sha3_224 = 7,
    /// SHA3-256, FIPS 202 §6.1
    Sha3_256 = 8,
    /// SHA3-384, FIPS 202 §6.1
    Sha3_384 = 9,
    /// SHA3-512, FIPS 202 §6.1
    Sha3_512 = 10,
    /// BLAKE2b, RFC 7693
    Blake2b = 11,
    /// BLAKE2s, RFC 7693
    Blake2s = 12,
    /// BLAKE2bp, BLAKE2 paper §5
    Blake2bp = 13,
    /// BLAKE2sp, BLAKE2 paper §5
    Blake2sp = 14,
    /// SHAKE128, FIPS 202 §6.2
    Shake128 = 15,
    /// SHAKE256, FIPS 202 §6.2
    Shake256 = 16,
    /// TurboSHAKE128, RFC 9861 §2
    TurboShake128 = 17,
    /// TurboSHAKE256, RFC 9861 §2
    TurboShake256 = 18,
}

struct Row {
    algorithm: Algorithm,
    name: &'static str,
    tag: &'static str,
    aliases: &'static [&'static str],
    /// Bytes; see [`Algorithm::output_len`].
    output_len: usize,
    /// The length of a block in bytes.
    block_len: usize,
    is_xof: bool,
    standard: &'static str,
}

/// Returns the row of a hash function with an output of fixed length.
const fn hash(
    algorithm: Algorithm,
    [name, tag]: [&'static str; 2],
    aliases: &'static [&'static str],
    [output_len, block_len]: [usize; 2],
    standard: &'static str,
) -> Row {
    Row { algorithm, name, tag, aliases, output_len, block_len, is_xof: false, standard }
}

/// Returns the row of an extendable-output function. Its tag is its name.
const fn xof(
    algorithm: Algorithm,
    name: &'static str,
    [output_len, block_len]: [usize; 2],
    standard: &'static str,
) -> Row {
    let aliases = &[];
    Row { algorithm, name, tag: name, aliases, output_len, block_len, is_xof: true, standard }
}

use Algorithm::*;

/// One row for each algorithm, in the order of the codes: name and tag, aliases, bytes of output
/// and block, standard.
#[rustfmt::skip]
const TABLE: [Row; 18] = [
    hash(Sha224, ["SHA-224", "SHA224"], &["SHA2-224"], [28, 64], "FIPS 180-4 §6.3"),
    hash(Sha256, ["SHA-256", "SHA256"], &["SHA2-256"], [32, 64], "FIPS 180-4 §6.2"),
    hash(Sha384, ["SHA-384", "SHA384"], &["SHA2-384"], [48, 128], "FIPS 180-4 §6.5"),
    hash(Sha512, ["SHA-512", "SHA512"], &["SHA2-512"], [64, 128], "FIPS 180-4 §6.4"),
    hash(Sha512_224, ["SHA-512/224", "SHA512-224"], &["SHA2-512/224", "SHA512t224"], [28, 128], "FIPS 180-4 §6.6"),
    hash(Sha512_256, ["SHA-512/256", "SHA512-256"], &["SHA2-512/256", "SHA512t256"], [32, 128], "FIPS 180-4 §6.7"),
    hash(Sha3_224, ["SHA3-224", "SHA3-224"], &[], [28, 144], "FIPS 202 §6.1"),
    hash(Sha3_256, ["SHA3-256", "SHA3-256"], &[], [32, 136], "FIPS 202 §6.1"),
    hash(Sha3_384, ["SHA3-384", "SHA3-384"], &[], [48, 104], "FIPS 202 §6.1"),
    hash(Sha3_512, ["SHA3-512", "SHA3-512"], &[], [64, 72], "FIPS 202 §6.1"),
    hash(Blake2b, ["BLAKE2b", "BLAKE2b"], &["BLAKE2b-512"], [64, 128], "RFC 7693"),
    hash(Blake2s, ["BLAKE2s", "BLAKE2s"], &["BLAKE2s-256"], [32, 64], "RFC 7693"),
    hash(Blake2bp, ["BLAKE2bp", "BLAKE2bp"], &["BLAKE2bp-512"], [64, 128], "BLAKE2 paper §5"),
    hash(Blake2sp, ["BLAKE2sp", "BLAKE2sp"], &["BLAKE2sp-256"], [32, 64], "BLAKE2 paper §5"),
    xof(Shake128, "SHAKE128", [32, 168], "FIPS 202 §6.2"),
    xof(Shake256, "SHAKE256", [64, 136], "FIPS 202 §6.2"),
    xof(TurboShake128, "TurboSHAKE128", [32, 168], "RFC 9861 §2"),
    xof(TurboShake256, "TurboSHAKE256", [64, 136], "RFC 9861 §2"),
];

impl Algorithm {
    /// Every algorithm, in the order of the table.
    pub const ALL: &'static [Algorithm] = &{
        let mut all = [Sha224; TABLE.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = TABLE[i].algorithm;
            assert!(all[i] as usize == i + 1, "the rows are in the order of the codes");
            i += 1;
        }
        all
    };

    const fn row(self) -> &'static Row {
        &TABLE[self as usize - 1]
    }

    /// Returns the name in the standard: `SHA-512/256`, `SHA3-256`, `BLAKE2b`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name in checksum lists with tags: `SHA512-256`, `SHA3-256`, `BLAKE2b`.
    pub const fn tag(self) -> &'static str {
        self.row().tag
    }

    /// Returns the other names of the algorithm.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.row().aliases
    }

    /// Returns the length of the digest in bytes. For an extendable-output function this is twice
    /// its security strength, for BLAKE2 the length of the longest digest.
    pub const fn output_len(self) -> usize {
        self.row().output_len
    }

    /// Returns the length of a block in bytes: that of the compression function, or Keccak's rate.
    pub const fn block_len(self) -> usize {
        self.row().block_len
    }

    /// Whether it is an extendable-output function.
    pub const fn is_xof(self) -> bool {
        self.row().is_xof
    }

    /// Returns the standard that defines the algorithm, with the section.
    pub const fn standard(self) -> &'static str {
        self.row().standard
    }

    /// Returns the algorithm's number in exported states and in languages other than Rust: 1 or
    /// more. It never changes.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the algorithm with that [`code`](Self::code).
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    /// Parses a name, tag or alias in either case. `-`, `_`, `/` and spaces are ignored, because
    /// the same function is written SHA-256, SHA256 or sha_256, and SHA-512/256 or SHA512-256.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`] if no algorithm has this name.
    fn from_str(name: &str) -> Result<Self, Error> {
        fn letters(name: &str) -> impl Iterator<Item = u8> {
            let counts = |c: &u8| !b"-_/ ".contains(c);
            name.bytes().filter(counts).map(|c| c.to_ascii_lowercase())
        }
        let is = |known: &str| letters(name).eq(letters(known));
        Self::ALL
            .iter()
            .copied()
            .find(|a| is(a.name()) || is(a.tag()) || a.aliases().iter().any(|alias| is(alias)))
            .ok_or(Error::UnknownAlgorithm)
    }
}
