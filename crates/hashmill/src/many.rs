//! Many messages at once, in the lanes of the vector unit.
//!
//! [`hash`] hashes a batch of messages. Every hasher, [`Hmac`](crate::Hmac), KMAC, cSHAKE and
//! KangarooTwelve have a method `hash_many`, which hashes a batch after a prefix, under a key or
//! with parameters. The type of the first argument determines where the messages are stored
//! ([`Messages`]). The type of the second determines where the digests are written ([`Outputs`]). A
//! batch may have any number of messages of any lengths. Nothing is allocated, except the vector
//! that `hash_to_vec` returns.
//!
//! ```
//! use hashmill::{Blake2b, Digest, Sha256, many};
//!
//! // A slice, an array or a vector of anything that is `AsRef<[u8]>`.
//! let messages = ["a", "", "a longer message"];
//! let mut digests = [Digest::default(); 3];
//! many::hash::<Sha256>(&messages, &mut digests)?;
//! assert_eq!(digests[0], hashmill::sha256(b"a"));
//!
//! // The messages are in one buffer with offsets, as in Arrow's columns. The digests are packed,
//! // 32 bytes each.
//! let column = many::Column::new(b"aa longer message", &[0u32, 1, 1, 17])?;
//! let mut packed = [0; 3 * 32];
//! many::hash::<Sha256>(&column, &mut packed)?;
//! assert_eq!(packed[64..], digests[2][..]);
//!
//! // The messages are rows of one width. The digests are written in lower-case hexadecimal.
//! let mut hex = [0; 2 * 128];
//! many::hash::<Blake2b>(&many::Rows::new(&[0; 2 * 20], 20)?, &mut many::Hex(&mut hex))?;
//! assert_eq!(hex[..128], hex[128..]);
//! # Ok::<(), hashmill::Error>(())
//! ```

#[cfg(feature = "alloc")]
pub use crate::merkle::MountainRange;
pub use crate::merkle::{Label, Merkle, Odd, Part, Rule};
pub use crate::messages::{
    Column, Hex, Indexed, Messages, Offset, Ordered, Outputs, Rows, RowsMut, indexed,
};
#[cfg(feature = "rayon")]
pub use threads::{Threads, threads};

use crate::error::Error;
use crate::hasher::{
    Function, Hasher, LANES_ALWAYS, Stream, finish_checked, hash_many, output_len,
};
use crate::merkle::finish_twice;
use crate::messages::{OutputLen, Slots};
use crate::stream::Progress;
#[cfg(feature = "alloc")]
use crate::stream::must;

/// Hashes every message with the function `H`: `hash::<Sha256>(&messages, &mut digests)`.
///
/// # Errors
/// [`Error::OutputLength`] if `outputs` does not have one place for each message, or if a place
/// does not have the digest's length. (An extendable-output function fills places of any length,
/// the same for all messages.) Nothing is written then.
pub fn hash<H: Hasher>(
    messages: impl Messages,
    outputs: &mut (impl Outputs + ?Sized),
) -> Result<(), Error> {
    // Not by a hasher, because one of BLAKE3 has 1.9 KB, which a few messages would copy and wipe.
    let stream = H::Function::STREAM;
    hash_many(stream, output_len::<H::Function>(stream), &messages, outputs)
}

/// Returns the digest of every message with the function `H`; of an extendable-output function, as
/// many bytes as `finalize` returns.
///
/// ```
/// use hashmill::{Sha256, many};
///
/// let digests = many::hash_to_vec::<Sha256>(["user 1", "user 2"]);
/// assert_eq!(digests[1], hashmill::sha256(b"user 2"));
/// ```
#[cfg(feature = "alloc")]
pub fn hash_to_vec<H: Hasher>(messages: impl Messages) -> alloc::vec::Vec<H::Digest> {
    let mut digests = alloc::vec![H::Digest::default(); messages.count()];
    must(hash::<H>(messages, &mut digests));
    digests
}

/// Hashes every message with `H`, and its digest once more: SHA-256 of SHA-256 are the identifiers
/// of Bitcoin's transactions and blocks. The digest of the first hash stays in the lanes.
///
/// # Errors
/// [`Error::OutputLength`] as for [`hash`].
///
/// ```
/// use hashmill::{Digest, Sha256, many, sha256};
///
/// let mut digests = [Digest::default(); 2];
/// many::hash_twice::<Sha256>(["a", "b"], &mut digests)?;
/// assert_eq!(digests[0], sha256(sha256(b"a")));
/// # Ok::<(), hashmill::Error>(())
/// ```
pub fn hash_twice<H: Hasher>(
    messages: impl Messages,
    outputs: &mut (impl Outputs + ?Sized),
) -> Result<(), Error> {
    let first = H::Function::STREAM;
    let len = OutputLen { len: first.output_len(), any: false };
    let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
        finish_twice(first, first, part, slots);
    };
    finish_checked(&messages, outputs, (first.room(), len), LANES_ALWAYS, &finish)
}

/// Returns how many messages [`hash`] hashes side by side on this CPU if the batch is large. A
/// caller can collect that many messages before hashing them.
///
/// ```
/// println!("SHA-256: {} messages at once", hashmill::many::degree::<hashmill::Sha256>());
/// ```
pub fn degree<H: Hasher>() -> usize {
    <H::Function as Function>::Stream::degree()
}

#[cfg(feature = "rayon")]
mod threads {
    use crate::messages::{Messages, Sealed};

    /// Messages whose batch is split over threads. [`threads`] returns this type.
    #[derive(Debug)]
    pub struct Threads<'a, M: ?Sized>(&'a M);

    /// Wraps `messages` so that any function that takes a batch hashes them on all threads of
    /// rayon's pool. The digests are the same as without the wrapper.
    ///
    /// ```
    /// use hashmill::{Digest, Hmac, Sha256, many};
    ///
    /// let messages: Vec<String> = (0..10_000).map(|i| format!("user {i}")).collect();
    /// let mut tags = vec![Digest::default(); messages.len()];
    /// let key = Hmac::<Sha256>::new(b"secret");
    /// key.hash_many(&many::threads(&messages), &mut tags)?;
    /// assert_eq!(tags[1234], key.hash(b"user 1234"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn threads<M: Messages + Sync + ?Sized>(messages: &M) -> Threads<'_, M> {
        Threads(messages)
    }

    impl<M: ?Sized> Sealed for Threads<'_, M> {}
    impl<M: Messages + Sync + ?Sized> Messages for Threads<'_, M> {
        fn count(&self) -> usize {
            self.0.count()
        }
        fn message(&self, index: usize) -> &[u8] {
            self.0.message(index)
        }
        fn gather<'a>(&'a self, first: usize, into: &mut [&'a [u8]]) {
            self.0.gather(first, into);
        }
        fn for_threads(&self) -> Option<&(dyn Messages + Sync)> {
            Some(self)
        }
    }
}
