//! What the functions return.

use crate::text::{Text, text};
use core::ffi::{c_char, c_int};
use hashmill::Error;

/// A number other than 0 from `hashmill.h`: an [`Error`]'s code, or one of those below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub c_int);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error.code().into())
    }
}

/// An output of `given` bytes where `expected` are needed.
pub fn wrong_len(given: usize, expected: usize) -> Failure {
    Error::OutputLength { given: given as u64, expected: expected as u64 }.into()
}

/// The mistakes that Rust's types exclude.
macro_rules! failures {
    ($($NAME:ident = $code:literal: $sentence:literal,)*) => {
        impl Failure {
            $(#[doc = concat!("\"", $sentence, "\"")] pub const $NAME: Failure = Failure($code);)*
        }

        /// The names, numbers and sentences of the mistakes that Rust's types exclude.
        pub const FAILURES: &[(&str, c_int, &str)] = &[$((stringify!($NAME), $code, $sentence),)*];

        fn failure_text(status: c_int) -> Option<&'static Text> {
            match status {
                $($code => {
                    static TEXT: Text = text($sentence);
                    Some(&TEXT)
                })*
                _ => None,
            }
        }
    };
}

failures! {
    NULL = 101: "a pointer is NULL though its length is not 0",
    LENGTH = 102: "a length is more than the address space holds",
    CONTEXT = 103: "the context was not initialised, or was wiped",
    ALIGNMENT = 104: "the context or array is not aligned as its type asks for",
    CAPACITY = 105: "the buffer is too small",
    PARAMETERS = 106: "these parameters are not for this algorithm",
    ROUNDS = 107: "Keccak-p has 12 or 24 rounds here, and a rate of 136, 168, or SHA-3's",
    OPERATION = 108: "the hasher's function does not have this operation",
    INTERNAL = 127: "a mistake of the library: please report it",
}

/// The status of what `call` does; a panic becomes [`Failure::INTERNAL`] with the feature `std`,
/// and aborts without.
#[inline(always)]
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    #[cfg(feature = "std")]
    let outcome =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|panic| {
            // Dropping what was thrown might panic again.
            core::mem::forget(panic);
            Err(Failure::INTERNAL)
        });
    #[cfg(not(feature = "std"))]
    let outcome = call();
    match outcome {
        Ok(()) => 0,
        Err(Failure(status)) => status,
    }
}

/// As [`guard`], and overwrites the stack that `call` used, up to 24 KiB: a key's hasher is moved
/// into its place, and each move leaves a copy.
pub(crate) fn guard_keyed(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    #[inline(never)]
    fn apart(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
        guard(call)
    }
    #[inline(never)]
    fn clear<const N: usize>() {
        core::hint::black_box(&mut [0_u8; N]);
    }
    let status = apart(call);
    clear::<{ 24 * 1024 }>();
    status
}

/// A function of `hashmill.h` that returns a status; `keyed` before its name if a key is among its
/// arguments.
macro_rules! entry {
    ($(#[$meta:meta])* fn $($rest:tt)*) => { entry! { @ guard, $(#[$meta])* fn $($rest)* } };
    ($(#[$meta:meta])* keyed fn $($rest:tt)*) => {
        entry! { @ guard_keyed, $(#[$meta])* fn $($rest)* }
    };
    (@ $guard:ident, $(#[$meta:meta])* fn $name:ident($($arg:ident: $Type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        ///
        /// # Safety
        /// As `hashmill.h` says: a pointer is NULL or valid for its type and the length beside it.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $Type),*) -> core::ffi::c_int {
            // SAFETY: the body asks for nothing but what the caller promises.
            $crate::status::$guard(|| unsafe {
                $body
                Ok(())
            })
        }
    };
}

/// The sentence for a status; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_status_text(status: c_int) -> *const c_char {
    static OK: Text = text("no error");
    static UNKNOWN: Text = text("not a status of this version");
    /// By code, which are consecutive from 1.
    static ERRORS: [Text; Error::ALL.len()] = {
        let mut texts = [text(""); Error::ALL.len()];
        let mut i = 0;
        while i < texts.len() {
            assert!(Error::ALL[i].code() as usize == i + 1);
            texts[i] = text(Error::ALL[i].sentence());
            i += 1;
        }
        texts
    };
    let error = usize::try_from(status).ok().and_then(|status| ERRORS.get(status.wrapping_sub(1)));
    match status {
        0 => &OK,
        _ => error.or_else(|| failure_text(status)).unwrap_or(&UNKNOWN),
    }
    .as_ptr()
}

/// The library's version: `major.minor.patch`.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_version() -> *const c_char {
    static VERSION: Text = text(env!("CARGO_PKG_VERSION"));
    VERSION.as_ptr()
}
