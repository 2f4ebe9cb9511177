//! From an [`Algorithm`] to its function: the only place where a value chosen at run time becomes a
//! type, and what follows from the facts of that type.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::facts::{Answers, Facts};
use crate::function::{self, Function, Visitor};
use core::fmt;
use core::str::FromStr;

macro_rules! dispatch {
    (
        fixed { $($Fixed:ident = $f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)? $(, $ff:literal)?;)* }
        no_hmac { $($Bare:ident = $b:literal, $bare:ident, $BareType:ident $(, $bf:literal)?;)* }
        xof { $($Xof:ident = $x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)? $(, $xf:literal)?;)* }
    ) => {
        impl Algorithm {
            /// Does the same as [`with`](Self::with) for the functions that HMAC is defined for.
            ///
            /// # Errors
            /// [`Error::NoHmac`] unless [`has_hmac`](Self::has_hmac).
            pub fn with_hmac<V: Visitor>(self, visitor: V) -> Result<V::Output, Error> {
                match self {
                    $($(#[cfg(feature = $ff)])? Algorithm::$Fixed => Ok(visitor.visit::<function::$FixedType $(<$n>)?>()),)*
                    $($(#[cfg(feature = $bf)])? Algorithm::$Bare => Err(Error::NoHmac),)*
                    $($(#[cfg(feature = $xf)])? Algorithm::$Xof => Err(Error::NoHmac),)*
                }
            }
        }
        dispatch! {
            $($Fixed = $f, $fixed, $FixedType $(<$n>)? $(, $ff)?;)*
            $($Bare = $b, $bare, $BareType $(, $bf)?;)*
            $($Xof = $x, $xof, $XofType $(<$rate>)? $(, $xf)?;)*
        }
    };
    ($($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => {
        impl Algorithm {
            pub(crate) const fn facts(self) -> &'static Facts {
                match self {
                    $($(#[cfg(feature = $feature)])? Algorithm::$Name => &<function::$Function $(<$n>)? as Function>::FACTS,)*
                }
            }

            /// Calls `visitor` with the algorithm's function as a type, so that one piece of
            /// generic code serves every algorithm.
            ///
            /// ```
            /// use hashmill::function::{Function, Visitor};
            /// use hashmill::{Algorithm, Hash};
            ///
            /// struct SizeOfHasher;
            /// impl Visitor for SizeOfHasher {
            ///     type Output = usize;
            ///     fn visit<F: Function>(self) -> usize {
            ///         size_of::<Hash<F>>()
            ///     }
            /// }
            /// assert_eq!(Algorithm::Sha256.with(SizeOfHasher), size_of::<hashmill::Sha256>());
            /// ```
            pub fn with<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $($(#[cfg(feature = $feature)])? Algorithm::$Name => visitor.visit::<function::$Function $(<$n>)?>(),)*
                }
            }
        }
    };
}

functions!(dispatch);

impl Algorithm {
    /// Returns the name in the standard: `SHA-512/256`, `SHA3-256`, `BLAKE2b`.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the name in checksum lists with tags: `SHA512-256`, `SHA3-256`, `BLAKE2b`.
    pub const fn tag(self) -> &'static str {
        self.facts().tag
    }

    /// Returns the other names of the algorithm.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.facts().aliases
    }

    /// Returns the length of the digest in bytes. For an extendable-output function this is twice
    /// its security strength, for BLAKE2 the length of the longest digest.
    pub const fn output_len(self) -> usize {
        self.facts().output_len
    }

    /// Returns the length of a block in bytes: that of the compression function, or Keccak's rate.
    pub const fn block_len(self) -> usize {
        self.facts().block_len
    }

    /// Whether it is an extendable-output function.
    pub const fn is_xof(self) -> bool {
        self.facts().is_xof
    }

    /// Whether HMAC is defined for it (FIPS 198-1): its output has a fixed length, which is not
    /// longer than its block. HKDF and PBKDF2 take the same functions.
    pub const fn has_hmac(self) -> bool {
        self.facts().has_hmac()
    }

    /// Returns the answers that the self-test compares.
    pub(crate) const fn answers(self) -> Answers {
        self.facts().answers
    }

    /// Returns the standard that defines the algorithm, with the section.
    pub const fn standard(self) -> &'static str {
        self.facts().standard
    }
}

#[cfg(feature = "blake2")]
impl Algorithm {
    /// Parses a name followed by `-` and a length of the digest in bits, for a function of which the
    /// length is a parameter, and returns the length in bytes: `blake2b-256` is BLAKE2b and 32.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`] if it is anything else.
    pub(crate) fn parse_with_len(name: &str) -> Result<(Self, usize), Error> {
        let parse = || {
            let (name, bits) = name.rsplit_once('-')?;
            let number = bits.parse::<usize>().ok().filter(|_| !bits.starts_with(['0', '+']))?;
            let algorithm = name.parse::<Self>().ok()?;
            let is_len = number.is_multiple_of(8) && number / 8 <= algorithm.output_len();
            use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
            let chooses = matches!(algorithm, Blake2b | Blake2s | Blake2bp | Blake2sp);
            (chooses && is_len).then_some((algorithm, number / 8))
        };
        parse().ok_or(Error::UnknownAlgorithm)
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
