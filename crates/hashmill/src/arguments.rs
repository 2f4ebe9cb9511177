//! Names for byte strings that stand beside others in a call.
//!
//! Two arguments of one type can be swapped unseen: the compiler accepts `kmac(message, key)` where
//! `kmac(key, message)` was meant, and the tag is only wrong. So at most one argument of a public
//! function is a bare byte string: the message, or what the function is made from. Every other one
//! says what it is.

/// A secret key beside a message: `kmac128(Key(key), message, Customization(b""))`.
#[derive(Clone, Copy)]
pub struct Key<'a>(pub &'a [u8]);

impl core::fmt::Debug for Key<'_> {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// A salt beside a password or a secret:
/// `pbkdf2::<Sha256>(password, Salt(salt), iterations, &mut key)`. For
/// [`pbkdf2_many`](crate::pbkdf2_many), the salts of all passwords.
#[derive(Clone, Copy, Debug)]
pub struct Salt<T>(pub T);

/// What separates uses of a function from one another:
/// `kt128(message, Customization(b"my protocol"))`. It may be empty, and need not be secret.
#[derive(Clone, Copy, Debug)]
pub struct Customization<'a>(pub &'a [u8]);

/// The name that NIST gave a function over cSHAKE; empty for all others (SP 800-185 §3.4).
#[derive(Clone, Copy, Debug)]
pub struct FunctionName<'a>(pub &'a [u8]);
