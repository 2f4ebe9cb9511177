//! Errors: their sentences, and the codes that identify them in other languages.

use hashmill::many::{Column, Rows};
use hashmill::{Algorithm, Error, backend, blake2b};

#[test]
fn every_error_is_a_sentence() {
    let errors = [
        Error::UnknownAlgorithm,
        Error::UnknownBackend,
        Error::BackendNotAvailable,
        Error::NotExtendable,
        Error::NoHmac,
        Error::NoBits,
        Error::TooManyBits { given: 0 },
        Error::DigestLength { given: 0, expected: 0 },
        Error::DigestHex { at: 0 },
        Error::OutputLength { given: 0, expected: 0 },
        Error::TagMismatch,
        Error::Domain { given: 0 },
        Error::Offsets { at: 0 },
        Error::RowWidth { given: 0, width: 0 },
        Error::MessageTooLong,
        Error::Blake2OutputLength { given: 0 },
        Error::Blake2KeyLength { given: 0 },
        Error::Blake2SaltLength { given: 0 },
        Error::Blake2PersonalLength { given: 0 },
        Error::Blake2InnerLength { given: 0 },
        Error::OutputEnd { given: 0, left: 0 },
        Error::Blake2NodeOffset { given: 0 },
        Error::ElementLength { given: 0, expected: 0 },
        Error::BlockLength,
        Error::HkdfKeyLength { given: 0, least: 0 },
        Error::HkdfOutputLength { given: 0, most: 0 },
        Error::Pbkdf2Iterations,
        Error::Pbkdf2OutputLength { given: 0 },
        Error::StateDamaged,
        Error::StateVersion { given: 0, known: 0 },
        Error::StateAlgorithm,
        Error::StateInconsistent,
        Error::SelfTest,
        Error::PieceCount { given: 0, expected: 0 },
        Error::CustomizationLength { given: 0 },
        Error::Verity,
        Error::MerkleShape { arity: 0, len: 0 },
        Error::Operation,
    ];
    // The order is that of their codes, which identify them in other languages. It never changes.
    assert_eq!(errors, Error::ALL);
    let mut sentences = std::collections::HashSet::new();
    for error in errors {
        let sentence = (&error as &dyn std::error::Error).to_string();
        assert!(sentence.split(' ').count() >= 4, "{sentence}");
        assert!(!sentence.ends_with(['.', ' ', '!']), "{sentence}");
        // A sentence can be part of a longer message: "a.txt: the output …". It therefore begins in
        // lower case, except for names of algorithms.
        let is_name = ["HMAC", "HKDF", "PBKDF2"].iter().any(|name| sentence.starts_with(name));
        assert!(is_name || sentence.starts_with(char::is_lowercase), "{sentence}");
        assert!(sentences.insert(sentence), "{error:?} says what another says");
    }
    assert_eq!(backend::force(Some("abacus")), Err(Error::UnknownBackend));
}

/// The codes that identify algorithms and errors in other languages.
#[test]
fn codes() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::from_code(algorithm.code()), Some(algorithm));
    }
    assert_eq!(Algorithm::from_code(0), None);
    // 101 to 107 and 127 are the C library's own.
    let codes = (1..=37).chain([108]);
    assert_eq!(codes.clone().count(), Error::ALL.len());
    for (error, code) in Error::ALL.iter().zip(codes) {
        assert_eq!(error.code(), code);
        assert!(error.to_string().starts_with(error.sentence()));
    }
}

/// The given value follows the allowed ones.
#[test]
fn an_error_says_what_was_given() {
    let long = [0; 100];
    let salt = blake2b::Params::new().salt(&long).hash(b"").err();
    let output = sha256_into(&mut [0; 31]).err();
    let offsets = Column::new(b"abc", &[0u32, 2, 1]).err();
    let rows = Rows::new(b"abc", 2).err();
    let digits = "0x".repeat(32).parse::<hashmill::Digest<32>>().err();
    let domain = hashmill::TurboShake128::with_domain(0x80).err();
    let said =
        [salt, output, offsets, rows, digits, domain].map(|error| error.unwrap().to_string());
    let expected = [
        "the salt is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s; 100 were given",
        "the output does not have the algorithm's length, or there are not as many places as \
         messages; 31 were given, 32 are expected",
        "offsets must not be negative, decrease or point past the end of the values; the offset at \
         index 2 does",
        "the values are not a whole number of rows of this width; 3 bytes are no multiple of 2",
        "a digest as text has only the digits 0 to 9, a to f and A to F; another byte is at 1",
        "a domain separation byte is 0x01 to 0x7F; 0x80 was given",
    ];
    assert_eq!(said, expected);
}

fn sha256_into(out: &mut [u8]) -> Result<(), Error> {
    hashmill::Sha256::new().finalize_into(out)
}
