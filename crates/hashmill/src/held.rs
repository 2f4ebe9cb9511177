//! The storage of a stream whose type is chosen at run time.
//!
//! The algorithms share the types of stream in the list below ([`streams`]). An enum holds the
//! stream, rather than a `Box<dyn …>`, so that nothing is allocated. A `match` returns the stream as
//! `&dyn Stream`, so that each method is written once, and not once for each type of stream.

#[cfg(feature = "ascon")]
use crate::ascon::Sponge as SpongeAscon;
#[cfg(feature = "blake2")]
use crate::blake2::{StreamB, StreamS};
#[cfg(feature = "sha3")]
use crate::keccak::Sponge;
use crate::sha2::{Stream32, Stream64};
#[cfg(feature = "sm3")]
use crate::sm3::StreamSm3;
use crate::stream::Progress;
#[cfg(feature = "blake2")]
use crate::tree::blake2::{TreeB, TreeS};
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;
use crate::wipe::{Secret, Wiped};

/// The storage of a large state. With the feature `alloc` the state is on the heap, so that an
/// [`AnyHasher`](crate::AnyHasher) has 400 bytes instead of the 1,920 that BLAKE3 needs. Without
/// the feature it is stored inline.
#[cfg(all(feature = "alloc", any(feature = "blake2", feature = "blake3")))]
type Large<T> = alloc::boxed::Box<Secret<T>>;
#[cfg(all(not(feature = "alloc"), any(feature = "blake2", feature = "blake3")))]
type Large<T> = Secret<T>;

/// Calls the macro `$callback` with the types of streams, each with its variant of [`Held`], and
/// with the feature of the crate without which it does not exist.
macro_rules! streams {
    ($callback:ident) => {
        $callback! {
            Sha256: Secret<Stream32>;
            Sha512: Secret<Stream64>;
            #[cfg(feature = "sha3")] Keccak: Secret<Sponge>;
            #[cfg(feature = "blake2")] Blake2b: Secret<StreamB>;
            #[cfg(feature = "blake2")] Blake2s: Secret<StreamS>;
            #[cfg(feature = "blake2")] Blake2bp: Large<TreeB>;
            #[cfg(feature = "blake2")] Blake2sp: Large<TreeS>;
            #[cfg(feature = "blake3")] Blake3: Large<Tree3>;
            #[cfg(feature = "ascon")] Ascon: Secret<SpongeAscon>;
            #[cfg(feature = "sm3")] Sm3: Secret<StreamSm3>;
        }
    };
}
pub(crate) use streams;

/// A stream that [`Held`] has room for.
pub(crate) trait Hold: Progress + Copy + Wiped {
    /// Returns a copy of the stream in its variant.
    fn hold(&self) -> Held;
}

macro_rules! held {
    ($($(#[$cfg:meta])? $Variant:ident: $Storage:ident<$Stream:ident>;)*) => {
        /// A stream of any algorithm.
        #[derive(Clone)]
        #[allow(clippy::large_enum_variant, reason = "without a heap, large states are in place")]
        pub(crate) enum Held {
            $($(#[$cfg])? $Variant($Storage<$Stream>),)*
        }

        $(
            $(#[$cfg])?
            impl Hold for $Stream {
                #[allow(clippy::useless_conversion, reason = "into a box, if there is a heap")]
                fn hold(&self) -> Held {
                    Held::$Variant(Secret(*self).into())
                }
            }
        )*
    };
}

streams!(held);
