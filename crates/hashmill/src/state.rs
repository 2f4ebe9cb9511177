//! The state of a hasher as bytes, so that a hash can continue after a restart or on another
//! machine.
//!
//! The layout is: version (1 byte), algorithm ([`Algorithm::code`](crate::Algorithm::code), 1
//! byte), the fields of the algorithm (little-endian), and a check (8 bytes): the first bytes of
//! the SHA-256 of everything before it.
//!
//! The check exists because a stored state can be damaged, and a damaged state would give a wrong
//! digest, which nothing else could reveal. SHA-256 is part of this crate, and 64 bits are enough
//! against accidents. The check does not authenticate: whoever can write the state can also write
//! the check. The algorithm prevents a state of SHA-256 from continuing as SHA-512/256. Fields that
//! can be computed from others (the number of bytes in the buffer, a BLAKE2 counter) are not
//! stored, so that they cannot contradict them. The hasher computes the check, because this file is
//! in a lower layer than SHA-256.

use crate::digest::constant_time_eq;
use crate::error::Error;

/// The version of the layout that is written. Older versions are read, newer ones are refused,
/// because a field with a new meaning would be misread.
const VERSION: u8 = 1;
pub(crate) const CHECK_LEN: usize = 8;
/// The length of the longest state, BLAKE3's, is 1877 bytes: version and algorithm 2, flags 1, key 32,
/// counters 10, chaining values 32 and 54 times 32, buffer 64, check 8. After it may be a tag.
const MAX_LEN: usize = 1880 + TAG_LEN;
/// The length of the tag of a state with a key: see `keyed_state.rs`.
pub(crate) const TAG_LEN: usize = 32;

/// The exported state of a hasher. `as_ref` returns the bytes to store.
///
/// It reveals as much about the message and the key as the hasher itself: keep it as secret as
/// those. It is wiped when it is dropped.
///
/// The bytes are stored in place and not in a vector, so that `export` works without an allocator.
///
/// ```
/// use hashmill::Sha256;
///
/// let mut hasher = Sha256::new();
/// hasher.update(b"a long ");
/// let saved: Vec<u8> = hasher.export().as_ref().to_vec();
/// // … after a restart:
/// let mut hasher = Sha256::import(&saved)?;
/// assert_eq!(hasher.update(b"message").finalize(), hashmill::sha256(b"a long message"));
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone)]
pub struct Exported {
    bytes: [u8; MAX_LEN],
    len: usize,
}

impl AsRef<[u8]> for Exported {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl core::fmt::Debug for Exported {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Exported").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Drop for Exported {
    fn drop(&mut self) {
        crate::wipe::wipe(&mut self.bytes);
    }
}

impl Exported {
    /// Returns the state that `save` writes, of the algorithm with that code.
    #[inline(never)]
    pub(crate) fn new(code: u8, save: impl FnOnce(&mut Exported), check: Check) -> Exported {
        crate::wipe::run_wiped(4096 + 2 * MAX_LEN, || {
            let mut exported = Exported { bytes: [0; MAX_LEN], len: 0 };
            exported.put(&[VERSION, code]);
            save(&mut exported);
            let check = check(exported.as_ref());
            exported.put(&check);
            exported
        })
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

/// Computes the check of the bytes before it.
pub(crate) type Check = fn(&[u8]) -> [u8; CHECK_LEN];

/// Reads the bytes of an [`Exported`].
pub(crate) struct Import<'a> {
    /// The algorithm's code.
    pub code: u8,
    rest: &'a [u8],
}

impl<'a> Import<'a> {
    pub fn new(bytes: &'a [u8], check: Check) -> Result<Self, Error> {
        let (&version, rest) = bytes.split_first().ok_or(Error::StateDamaged)?;
        if version > VERSION {
            return Err(Error::StateVersion { given: version.into(), known: VERSION.into() });
        }
        let (&code, rest) = rest.split_first().ok_or(Error::StateDamaged)?;
        let (rest, given) = rest.split_last_chunk::<CHECK_LEN>().ok_or(Error::StateDamaged)?;
        // The check is verified before anything else is interpreted, so that damage is never
        // reported as another algorithm's state. The comparison takes constant time, because the
        // state may be derived from a key.
        let expected = check(&bytes[..bytes.len() - CHECK_LEN]);
        if version == 0 || !constant_time_eq(&expected, given) {
            return Err(Error::StateDamaged);
        }
        Ok(Import { code, rest })
    }

    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Error::StateDamaged)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the bytes that were not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns an error unless everything was read.
    pub fn end(self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::StateInconsistent) }
    }
}

/// Integers as bytes, little-endian on every machine, so that a state can move between machines.
pub(crate) trait Stored: Sized {
    fn put(self, state: &mut Exported);
    fn take(state: &mut Import<'_>) -> Result<Self, Error>;
}

impl<T: Into<u128> + TryFrom<u128>> Stored for T {
    fn put(self, state: &mut Exported) {
        state.put(&self.into().to_le_bytes()[..size_of::<T>()]);
    }
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn take(state: &mut Import<'_>) -> Result<Self, Error> {
        let mut bytes = [0; 16];
        bytes[..size_of::<T>()].copy_from_slice(state.take(size_of::<T>())?);
        T::try_from(u128::from_le_bytes(bytes)).map_err(|_| Error::StateDamaged)
    }
}

pub(crate) fn put_words<W: Stored + Copy>(state: &mut Exported, words: &[W]) {
    words.iter().for_each(|&word| word.put(state));
}

pub(crate) fn take_words<W: Stored>(state: &mut Import<'_>, words: &mut [W]) -> Result<(), Error> {
    words.iter_mut().try_for_each(|word| {
        *word = W::take(state)?;
        Ok(())
    })
}
