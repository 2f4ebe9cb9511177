//! The storage of a stream whose type is chosen at run time.
//!
//! The algorithms share nine types of stream. An enum holds the stream, rather than a
//! `Box<dyn …>`, so that nothing is allocated. A `match` returns the stream as `&dyn Stream`, so
//! that each method is written once, and not once for each type of stream.

use crate::ascon::Sponge as SpongeAscon;
use crate::blake2::{StreamB, StreamS};
use crate::keccak::Sponge;
use crate::sha2::{Stream32, Stream64};
use crate::stream::Progress;
use crate::tree::blake2::{TreeB, TreeS};
use crate::tree::blake3::Tree3;
use crate::wipe::{Secret, Wiped};

/// The storage of a large state. With the feature `alloc` the state is on the heap, so that an
/// [`AnyHasher`](crate::AnyHasher) has 400 bytes instead of the 1,920 that BLAKE3 needs. Without
/// the feature it is stored inline.
#[cfg(feature = "alloc")]
type Place<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
type Place<T> = T;

/// A stream of any algorithm.
#[derive(Clone)]
pub(crate) enum Held {
    /// SHA-224 and SHA-256.
    Sha256(Secret<Stream32>),
    /// SHA-384, SHA-512 and SHA-512/t.
    Sha512(Secret<Stream64>),
    /// SHA-3, SHAKE and TurboSHAKE.
    Keccak(Secret<Sponge>),
    /// BLAKE2b.
    Blake2b(Secret<StreamB>),
    /// BLAKE2s.
    Blake2s(Secret<StreamS>),
    /// BLAKE2bp.
    Blake2bp(Place<Secret<TreeB>>),
    /// BLAKE2sp.
    Blake2sp(Place<Secret<TreeS>>),
    /// BLAKE3.
    Blake3(Place<Secret<Tree3>>),
    /// Ascon-Hash256 and Ascon-XOF128.
    Ascon(Secret<SpongeAscon>),
}

/// A stream that [`Held`] has room for.
pub(crate) trait Hold: Progress + Copy + Wiped {
    /// Returns a copy of the stream in its variant.
    fn hold(&self) -> Held;
}

/// Implements [`Hold`] for the streams, each with its variant.
macro_rules! hold {
    ($($Stream:ident in $Variant:ident;)*) => { $(
        impl Hold for $Stream {
            #[allow(clippy::useless_conversion, reason = "into a box, if there is a heap")]
            fn hold(&self) -> Held {
                Held::$Variant(Secret(*self).into())
            }
        }
    )* };
}

hold! {
    Stream32 in Sha256;
    Stream64 in Sha512;
    Sponge in Keccak;
    StreamB in Blake2b;
    StreamS in Blake2s;
    TreeB in Blake2bp;
    TreeS in Blake2sp;
    Tree3 in Blake3;
    SpongeAscon in Ascon;
}
