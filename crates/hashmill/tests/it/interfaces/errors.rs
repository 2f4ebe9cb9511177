//! Errors: their sentences, and the codes by which other languages know them.

use hashmill::{Algorithm, Error, backend};

#[test]
fn every_error_is_a_sentence() {
    let errors = [
        Error::UnknownAlgorithm,
        Error::UnknownBackend,
        Error::BackendNotAvailable,
        Error::NotExtendable,
        Error::NoHmac,
        Error::NoBits,
        Error::TooManyBits,
        Error::DigestLength,
        Error::DigestHex,
        Error::OutputLength,
        Error::TagMismatch,
        Error::Domain,
        Error::Offsets,
        Error::RowWidth,
        Error::MessageTooLong,
        Error::Blake2OutputLength,
        Error::Blake2KeyLength,
        Error::Blake2SaltLength,
        Error::Blake2PersonalLength,
        Error::Blake2InnerLength,
        Error::OutputEnd,
        Error::Blake2NodeOffset,
        Error::ElementLength,
        Error::BlockLength,
        Error::HkdfKeyLength,
        Error::HkdfOutputLength,
        Error::Pbkdf2Iterations,
        Error::Pbkdf2OutputLength,
        Error::StateDamaged,
        Error::StateVersion,
        Error::StateAlgorithm,
        Error::StateInconsistent,
        Error::SelfTest,
        Error::PieceCount,
    ];
    // In the order of their codes, by which other languages know them: it never changes.
    assert_eq!(errors, Error::ALL);
    let mut sentences = std::collections::HashSet::new();
    for error in errors {
        let sentence = (&error as &dyn std::error::Error).to_string();
        assert!(sentence.split(' ').count() >= 4, "{sentence}");
        assert!(!sentence.ends_with(['.', ' ', '!']), "{sentence}");
        // As part of a longer message: "a.txt: the output …"; names of algorithms keep their case.
        let is_name = ["HMAC", "HKDF", "PBKDF2"].iter().any(|name| sentence.starts_with(name));
        assert!(is_name || sentence.starts_with(char::is_lowercase), "{sentence}");
        assert!(sentences.insert(sentence), "{error:?} says what another says");
    }
    assert_eq!(backend::force(Some("abacus")), Err(Error::UnknownBackend));
}

/// The codes by which other languages know algorithms and errors.
#[test]
fn codes() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::from_code(algorithm.code()), Some(algorithm));
    }
    assert_eq!(Algorithm::from_code(0), None);
    for (error, code) in Error::ALL.iter().zip(1..) {
        assert_eq!(error.code(), code);
        assert_eq!(error.to_string(), error.sentence());
    }
}
