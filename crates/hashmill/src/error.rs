//! One error type for the whole crate, because a caller who hashes by name or from C meets all
//! errors in one place. An error contains numbers but no text, so that a `const fn` can return it,
//! without an allocator.

use core::fmt;

/// Defines the errors. `code` is the number of an error in other languages: it never changes,
/// because programs that were built against the C library contain it. Code, sentence and
/// documentation of an error are on one line, so that none can be forgotten. An error with numbers
/// has a second text, which `Display` writes after the sentence.
macro_rules! errors {
    ($($(#[$doc:meta])* $Name:ident $({ $($number:ident),* })? = $code:literal: $sentence:literal $(, $given:literal)?;)*) => {
        /// The reason why a function failed. `Display` writes a sentence for the caller: what is
        /// allowed and, for a wrong number, what was given. Lengths are in bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the numbers of a variant are named as its sentence names them")]
        pub enum Error {
            $($(#[$doc])* #[doc = concat!("\"", $sentence $(, "; ", $given)?, "\"")] $Name $({ $($number: u64),* })?,)*
        }

        impl Error {
            /// All errors in the order of their codes, with 0 for their numbers.
            pub const ALL: &'static [Error] = &[$(Error::$Name $({ $($number: 0),* })?,)*];

            /// Returns the number of the error in languages other than Rust: 1 or more. It never
            /// changes.
            pub const fn code(self) -> u8 {
                match self {
                    $(Error::$Name { .. } => $code,)*
                }
            }

            /// Returns what is allowed: the part of the text of `Display` that is the same for
            /// every error of this kind.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Error::$Name { .. } => $sentence,)*
                }
            }
        }

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Error::$Name $({ $($number),* })? => {
                        write!(f, concat!($sentence $(, "; ", $given)?) $($(, $number = $number)*)?)
                    })*
                }
            }
        }
    };
}

errors! {
    UnknownAlgorithm = 1: "no algorithm has this name";
    UnknownBackend = 2: "no backend of this target has this name";
    BackendNotAvailable = 3: "this CPU cannot run that backend";
    NotExtendable = 4: "this algorithm's output has a fixed length";
    NoHmac = 5: "HMAC is defined only for hash functions with a fixed output length that is not longer than their block";
    NoBits = 6: "this algorithm takes whole bytes only";
    TooManyBits { given } = 7: "a last byte holds 0 to 7 bits of the message", "{given} were given";
    DigestLength { given, expected } = 8: "the digest does not have the expected length, or has more than 64 bytes", "{given} bytes or digits were given, {expected} are expected";
    DigestHex { at } = 9: "a digest as text has only the digits 0 to 9, a to f and A to F", "another byte is at {at}";
    OutputLength { given, expected } = 10: "the output does not have the algorithm's length, or there are not as many places as messages", "{given} were given, {expected} are expected";
    TagMismatch = 11: "the tag does not belong to this message and key";
    Domain { given } = 12: "a domain separation byte is 0x01 to 0x7F", "{given:#04x} was given";
    Offsets { at } = 13: "offsets must not be negative, decrease or point past the end of the values", "the offset at index {at} does";
    RowWidth { given, width } = 14: "the values are not a whole number of rows of this width", "{given} bytes are no multiple of {width}";
    MessageTooLong = 15: "the message is longer than the algorithm's standard allows";
    Blake2OutputLength { given } = 16: "the output length is 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s, 1 to 2^32 - 2 for BLAKE2Xb, 1 to 65534 for BLAKE2Xs", "{given} were given";
    Blake2KeyLength { given } = 17: "the key is longer than 64 bytes for BLAKE2b, 32 for BLAKE2s", "{given} were given";
    Blake2SaltLength { given } = 18: "the salt is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s", "{given} were given";
    Blake2PersonalLength { given } = 19: "the personalization is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s", "{given} were given";
    Blake2InnerLength { given } = 20: "the inner length is 0 to 64 bytes for BLAKE2b, 0 to 32 for BLAKE2s", "{given} were given";
    OutputEnd { given, left } = 21: "the output of BLAKE2X has ended: at the chosen length, or after 2^32 blocks", "{given} bytes were asked for, {left} are left";
    Blake2NodeOffset { given } = 22: "the node offset is less than 2^48 for BLAKE2s", "{given} was given";
    ElementLength { given, expected } = 23: "the element does not have the length that was given when it began", "{given} bytes were given, {expected} were missing";
    BlockLength = 24: "a block of ParallelHash has at least one byte";
    HkdfKeyLength { given, least } = 25: "HKDF's pseudorandom key is at least as long as the digest", "{given} bytes were given, {least} are the least";
    HkdfOutputLength { given, most } = 26: "HKDF's output is at most 255 digests long", "{given} bytes were asked for, {most} are the most";
    Pbkdf2Iterations = 27: "PBKDF2 takes at least one iteration";
    Pbkdf2OutputLength { given } = 28: "PBKDF2's output is at most 2^32 - 1 digests long", "{given} bytes were asked for";
    StateDamaged = 29: "the exported state is incomplete or damaged";
    StateVersion { given, known } = 30: "the exported state was written by a newer version", "it has version {given}, this library knows up to {known}";
    StateAlgorithm = 31: "the exported state belongs to another algorithm";
    StateInconsistent = 32: "the exported state contradicts itself";
    SelfTest = 33: "a known answer came out wrong: this CPU, its memory or this program is faulty";
    PieceCount { given, expected } = 34: "there must be one piece for every hasher, and one salt for every password", "{given} were given, {expected} are expected";
    CustomizationLength { given } = 35: "the customization string of Ascon-CXOF128 has at most 256 bytes", "{given} were given";
    Verity = 36: "fs-verity takes SHA-256 or SHA-512, blocks of a power of two from 1024 to 65536 bytes, and a salt of at most 32 bytes";
    MerkleShape { arity, len } = 37: "a Merkle node is over at least 2 nodes (with peaks exactly 2) of 1 byte to a digest each, at most 4096 bytes", "{arity} nodes of {len} bytes were given";
    Operation = 108: "the hasher's function does not have this operation";
}

impl Error {
    pub(crate) const fn digest_len(given: usize, expected: usize) -> Self {
        Error::DigestLength { given: given as u64, expected: expected as u64 }
    }

    pub(crate) const fn output_len(given: usize, expected: usize) -> Self {
        Error::OutputLength { given: given as u64, expected: expected as u64 }
    }

    pub(crate) const fn piece_count(given: usize, expected: usize) -> Self {
        Error::PieceCount { given: given as u64, expected: expected as u64 }
    }

    /// Checks a number of bits that are less than a byte.
    pub(crate) fn check_bits(bits: u32) -> Result<(), Self> {
        if bits > 7 { Err(Error::TooManyBits { given: bits.into() }) } else { Ok(()) }
    }
}

impl core::error::Error for Error {}
