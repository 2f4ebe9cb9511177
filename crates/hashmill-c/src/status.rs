//! Statuses: the return values of the C functions.

use crate::text::{Text, text, texts};
use core::ffi::{c_char, c_int};
use hashmill::Error;

/// A status other than 0 from `hashmill.h`: the code of an [`Error`], or one of the constants
/// below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub c_int);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error.code().into())
    }
}

/// Returns the failure for an output of `given` bytes where `expected` bytes are required.
pub fn wrong_len(given: usize, expected: usize) -> Failure {
    Error::OutputLength { given: given as u64, expected: expected as u64 }.into()
}

/// Defines the failures that Rust's types exclude and that only a caller in C can cause.
macro_rules! failures {
    ($($NAME:ident = $code:literal: $sentence:literal,)*) => {
        impl Failure {
            $(#[doc = concat!("\"", $sentence, "\"")] pub const $NAME: Failure = Failure($code);)*
        }

        /// The names, numbers and sentences of the failures that Rust's types exclude.
        pub const FAILURES: &[(&str, c_int, &str)] = &[$((stringify!($NAME), $code, $sentence),)*];
    };
}

failures! {
    NULL = 101: "a pointer is NULL though its length is not 0",
    LENGTH = 102: "a length is larger than the address space",
    CONTEXT = 103: "the context was not initialised, or was wiped",
    ALIGNMENT = 104: "the context or array is not aligned as its type requires",
    CAPACITY = 105: "the buffer is too small",
    PARAMETERS = 106: "this algorithm does not accept these parameters",
    ROUNDS = 107: "Keccak-p has 12 or 24 rounds here, and a rate of 136, 168, or SHA-3's",
    INTERNAL = 127: "internal error in the library: please report it",
}

/// Returns the sentence for a status. It is never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_status_text(status: c_int) -> *const c_char {
    static OK: Text = text("no error");
    static UNKNOWN: Text = text("this version has no such status");
    static OF_ERRORS: [Text; Error::ALL.len()] = texts!(Error::ALL, error => error.sentence());
    static OF_FAILURES: [Text; FAILURES.len()] = texts!(FAILURES, failure => failure.2);
    let error = Error::ALL.iter().position(|error| c_int::from(error.code()) == status);
    let failure = FAILURES.iter().position(|&(_, code, _)| code == status);
    let failed = error.map(|i| &OF_ERRORS[i]).or(failure.map(|i| &OF_FAILURES[i]));
    if status == 0 { OK.as_ptr() } else { failed.unwrap_or(&UNKNOWN).as_ptr() }
}

/// Returns the library's version as `major.minor.patch`.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_version() -> *const c_char {
    static VERSION: Text = text(env!("CARGO_PKG_VERSION"));
    VERSION.as_ptr()
}
