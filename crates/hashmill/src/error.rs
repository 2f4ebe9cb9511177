//! One error type, one sentence for each error.

use core::fmt;

macro_rules! errors {
    ($($(#[$doc:meta])* $Name:ident: $sentence:literal,)*) => {
        /// Why something could not be done. `Display` gives a sentence for the caller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Error {
            $($(#[$doc])* #[doc = concat!("\"", $sentence, "\"")] $Name,)*
        }

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Error::$Name => $sentence,)*
                })
            }
        }
    };
}

errors! {
    UnknownAlgorithm: "no algorithm has this name",
    UnknownBackend: "no backend has this name",
    BackendNotAvailable: "this CPU cannot run that backend",
    NotExtendable: "this algorithm's output has a fixed length",
    NoHmac: "HMAC is defined for hash functions with a fixed output length only",
    NoBits: "this algorithm takes whole bytes only",
    TooManyBits: "a last byte holds 0 to 7 bits of the message",
    DigestLength: "the digest does not have the expected length",
    DigestHex: "a digest is written in hexadecimal digits",
    OutputLength: "the output does not have the algorithm's length",
    TagMismatch: "the tag does not belong to this message and key",
    Domain: "a domain separation byte is 0x01 to 0x7F",
    Offsets: "offsets must not decrease nor point past the end of the values",
    RowWidth: "the values are not a whole number of rows",
    MessageTooLong: "the message is longer than the algorithm's standard allows",
    Blake2OutputLength: "the output length is 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s",
    Blake2KeyLength: "the key is longer than 64 bytes for BLAKE2b, 32 for BLAKE2s",
    Blake2SaltLength: "the salt is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    Blake2PersonalLength: "the personalization is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    Blake2InnerLength: "the inner length is 0 to 64 bytes for BLAKE2b, 0 to 32 for BLAKE2s",
    Blake2MaxDepth: "the maximal depth is 1 to 255",
    Blake2NodeOffset: "the node offset is less than 2^48 for BLAKE2s",
    ElementLength: "the element does not have the length that was announced for it",
    BlockLength: "a block of ParallelHash has at least one byte",
    HkdfKeyLength: "HKDF's pseudorandom key is at least as long as the digest",
    HkdfOutputLength: "HKDF's output is at most 255 digests long",
    Pbkdf2Iterations: "PBKDF2 takes at least one iteration",
    Pbkdf2OutputLength: "PBKDF2's output is at most 2^32 - 1 digests long",
    StateDamaged: "the exported state is incomplete or damaged",
    StateVersion: "the exported state was written by a newer version",
    StateAlgorithm: "the exported state belongs to another algorithm",
    StateInconsistent: "the exported state contradicts itself",
}

impl core::error::Error for Error {}
