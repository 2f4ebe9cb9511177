//! Types for byte strings that are arguments beside others.
//!
//! Two arguments of one type can be swapped unnoticed: the compiler accepts `kmac(message, key)`
//! where `kmac(key, message)` was meant, and only the tag is wrong. So at most one argument of a
//! public function is a bare byte string: the message, or the input from which the function is
//! built. The type of every other one tells what it is.

/// A secret key beside a message: `kmac128(Key(key), message, Customization(b""))`.
#[derive(Clone, Copy)]
pub struct Key<'a>(pub &'a [u8]);

impl core::fmt::Debug for Key<'_> {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// A salt beside a password or a secret: `pbkdf2::<Sha256>(password, Salt(salt), iterations, &mut
/// key)`. [`pbkdf2_many`](crate::pbkdf2_many) takes the salts of all passwords in one `Salt`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Salt<T>(pub T);

/// A customization string, which separates different uses of a function: `kt128(message,
/// Customization(b"my protocol"))`. It may be empty, and need not be secret.
#[derive(Clone, Copy, Debug, Default)]
pub struct Customization<'a>(pub &'a [u8]);

/// The name that NIST assigned to a function based on cSHAKE. It is empty for all other uses (SP
/// 800-185 §3.4).
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionName<'a>(pub &'a [u8]);
