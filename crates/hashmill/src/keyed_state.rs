//! Exported states with a tag under the caller's key, for states that leave the caller's hands.
//!
//! A state alone says which function it belongs to, and its check reveals accidents. Whoever can
//! write it can also write a state with other chaining values and the check of that: the import
//! accepts it, and the digest belongs to no message. Nobody without the key can write the tag. It is
//! the HMAC-SHA-256 of [`LABEL`] and the state, 32 bytes after it. The label lets the same key
//! authenticate other messages.

use crate::error::Error;
use crate::function::Function;
use crate::hasher::Hash;
use crate::hashes::Sha256;
use crate::hmac::Hmac;
use crate::state::{Exported, TAG_LEN};

const LABEL: &[u8] = b"hashmill: exported state\n";

/// Appends the tag to a state.
pub(crate) fn seal(mut state: Exported, key: &[u8]) -> Exported {
    let tag = Hmac::<Sha256>::new(key).update(LABEL).hash(state.as_ref());
    state.put(&tag[..TAG_LEN]);
    state
}

/// Returns the state before the tag.
///
/// # Errors
/// [`Error::TagMismatch`] if the tag is not that of this state under this key.
pub(crate) fn open<'s>(state: &'s [u8], key: &[u8]) -> Result<&'s [u8], Error> {
    let (state, tag) = state.split_last_chunk::<TAG_LEN>().ok_or(Error::TagMismatch)?;
    Hmac::<Sha256>::new(key).update(LABEL).update(state).verify(tag)?;
    Ok(state)
}

impl<F: Function> Hash<F> {
    /// Returns the state as bytes with a tag under `key`, for a state that is stored where others can
    /// write. [`import_keyed`](Self::import_keyed) refuses it if it was changed, while
    /// [`import`](Self::import) only notices accidents. The state is not encrypted.
    ///
    /// ```
    /// use hashmill::{Error, Sha256};
    ///
    /// let mut hasher = Sha256::new();
    /// hasher.update("a long ");
    /// let mut saved = hasher.export_keyed(b"a secret key").as_ref().to_vec();
    /// let mut hasher = Sha256::import_keyed(&saved, b"a secret key")?;
    /// assert_eq!(hasher.update("message").finalize(), hashmill::sha256("a long message"));
    ///
    /// saved[20] ^= 1;
    /// assert_eq!(Sha256::import_keyed(&saved, b"a secret key").err(), Some(Error::TagMismatch));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn export_keyed(&self, key: &[u8]) -> Exported {
        seal(self.export(), key)
    }

    /// Creates a hasher from a state that [`export_keyed`](Self::export_keyed) returned under the
    /// same key.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if the state was changed, or was exported under another key or without
    /// one, and the errors of [`import`](Self::import).
    pub fn import_keyed(state: &[u8], key: &[u8]) -> Result<Self, Error> {
        Self::import(open(state, key)?)
    }
}
