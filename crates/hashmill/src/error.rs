//! One error type for the whole crate, because a caller who hashes by name or from C meets all of them in one place.
//! An error is one byte: it holds no string and no number, so that it can be returned from a `const fn` and without
//! an allocator.

use core::fmt;

/// `code` is what other languages know the error by: never change one, because programs that were built against the
/// C library keep the number. The macro keeps code, sentence and documentation of an error on one line, so that none
/// can be forgotten.
macro_rules! errors {
    ($($(#[$doc:meta])* $Name:ident = $code:literal: $sentence:literal,)*) => {
        /// Why something could not be done. `Display` gives a sentence for the caller, which says what is allowed; what
        /// was given is not in it, so that an error has one byte.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Error {
            $($(#[$doc])* #[doc = concat!("\"", $sentence, "\"")] $Name,)*
        }

        impl Error {
            /// Every error, in the order of their codes.
            pub const ALL: &'static [Error] = &[$(Error::$Name,)*];

            /// The error's number in languages other than Rust, 1 or more; it never changes.
            pub const fn code(self) -> u8 {
                match self {
                    $(Error::$Name => $code,)*
                }
            }

            /// What `Display` gives.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Error::$Name => $sentence,)*
                }
            }
        }

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.sentence())
            }
        }
    };
}

errors! {
    UnknownAlgorithm = 1: "no algorithm has this name",
    UnknownBackend = 2: "no backend of this target has this name",
    BackendNotAvailable = 3: "this CPU cannot run that backend",
    NotExtendable = 4: "this algorithm's output has a fixed length",
    NoHmac = 5: "HMAC is defined for hash functions with a fixed output length only",
    NoBits = 6: "this algorithm takes whole bytes only",
    TooManyBits = 7: "a last byte holds 0 to 7 bits of the message",
    DigestLength = 8: "the digest does not have the expected length, or has more than 64 bytes",
    DigestHex = 9: "a digest as text has only the digits 0 to 9, a to f and A to F",
    OutputLength = 10: "the output does not have the algorithm's length, or there are not as many places as messages",
    TagMismatch = 11: "the tag does not belong to this message and key",
    Domain = 12: "a domain separation byte is 0x01 to 0x7F",
    Offsets = 13: "offsets must not be negative, decrease or point past the end of the values",
    RowWidth = 14: "the values are not a whole number of rows of this width",
    MessageTooLong = 15: "the message is longer than the algorithm's standard allows",
    Blake2OutputLength = 16: "the output length is 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s",
    Blake2KeyLength = 17: "the key is longer than 64 bytes for BLAKE2b, 32 for BLAKE2s",
    Blake2SaltLength = 18: "the salt is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    Blake2PersonalLength = 19: "the personalization is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    Blake2InnerLength = 20: "the inner length is 0 to 64 bytes for BLAKE2b, 0 to 32 for BLAKE2s",
    OutputEnd = 21: "the output of BLAKE2X ends before: at the length that was chosen, or after 2^32 blocks",
    Blake2NodeOffset = 22: "the node offset is less than 2^48 for BLAKE2s",
    ElementLength = 23: "the element does not have the length that TupleHash was told when it began",
    BlockLength = 24: "a block of ParallelHash has at least one byte",
    HkdfKeyLength = 25: "HKDF's pseudorandom key is at least as long as the digest",
    HkdfOutputLength = 26: "HKDF's output is at most 255 digests long",
    Pbkdf2Iterations = 27: "PBKDF2 takes at least one iteration",
    Pbkdf2OutputLength = 28: "PBKDF2's output is at most 2^32 - 1 digests long",
    StateDamaged = 29: "the exported state is incomplete or damaged",
    StateVersion = 30: "the exported state was written by a newer version",
    StateAlgorithm = 31: "the exported state belongs to another algorithm",
    StateInconsistent = 32: "the exported state contradicts itself",
    SelfTest = 33: "a known answer came out wrong: this CPU, its memory or this program is faulty",
    PieceCount = 34: "there must be one piece for every hasher, and one salt for every password",
}

impl core::error::Error for Error {}
