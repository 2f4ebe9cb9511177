//! Many messages at once, in the lanes of the vector unit.
//!
//! [`hash`] hashes a batch of messages; every hasher, [`Hmac`](crate::Hmac), KMAC, cSHAKE and
//! KangarooTwelve have a method `finish_many` that does the same after a prefix, under a key or
//! with parameters. Where the messages lie is the type of the first argument ([`Messages`]), where
//! the digests go is the type of the second ([`Outputs`]). Any number of messages of any lengths;
//! nothing is allocated.
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
//! // One buffer with offsets, as in Arrow's columns; the digests packed, 32 bytes each.
//! let column = many::Column::new(b"aa longer message", &[0u32, 1, 1, 17])?;
//! let mut packed = [0; 3 * 32];
//! many::hash::<Sha256>(&column, &mut packed)?;
//! assert_eq!(packed[64..], digests[2][..]);
//!
//! // Rows of one width; lower-case hexadecimal.
//! let mut hex = [0; 2 * 128];
//! many::hash::<Blake2b>(&many::Rows::new(&[0; 2 * 20], 20)?, &mut many::Hex(&mut hex))?;
//! assert_eq!(hex[..128], hex[128..]);
//! # Ok::<(), hashmill::Error>(())
//! ```

pub use crate::hasher::Named;
pub use crate::messages::{Column, Hex, Indexed, Messages, Offset, Outputs, Rows, indexed};
#[cfg(feature = "rayon")]
pub use threads::{Threads, threads};

use crate::error::Error;
use crate::hasher::{Function, Hash, Stream};

/// The hash function `H` of every message: `hash::<Sha256>(&messages, &mut digests)`.
///
/// # Errors
/// [`Error::OutputLength`] if `outputs` are not as many as the messages, or have not the digest's
/// length (an extendable-output function takes any, the same for all). Nothing is written then.
pub fn hash<H: Named>(
    messages: &(impl Messages + ?Sized),
    outputs: &mut (impl Outputs + ?Sized),
) -> Result<(), Error> {
    Hash::<H::Function>::new().finish_many(messages, outputs)
}

/// How many messages [`hash`] hashes side by side on this CPU, if there are plenty of them: for
/// those who collect messages before they hash them.
///
/// ```
/// println!("SHA-256: {} messages at once", hashmill::many::degree::<hashmill::Sha256>());
/// ```
pub fn degree<H: Named>() -> usize {
    <H::Function as Function>::Stream::degree()
}

#[cfg(feature = "rayon")]
mod threads {
    use crate::messages::{Messages, Sealed};

    /// Messages whose batch is split over threads: what [`threads`] returns.
    #[derive(Debug)]
    pub struct Threads<'a, M: ?Sized>(&'a M);

    /// The same messages, hashed on all threads of rayon's pool by whatever hashes them. The
    /// digests are the same.
    ///
    /// ```
    /// use hashmill::{Digest, Hmac, Sha256, many};
    ///
    /// let messages: Vec<String> = (0..10_000).map(|i| format!("user {i}")).collect();
    /// let mut tags = vec![Digest::default(); messages.len()];
    /// let key = Hmac::<Sha256>::new(b"secret");
    /// key.finish_many(&many::threads(&messages), &mut tags)?;
    /// assert_eq!(tags[1234], key.finish(b"user 1234"));
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
