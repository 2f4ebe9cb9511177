//! `ZeroizeOnDrop`, the marker of types that overwrite a value's memory when it is dropped. The
//! implementations have no methods, because the types overwrite their memory with or without this
//! feature.

#![forbid(unsafe_code)]

use crate::any::{AnyHasher, AnyHmac};
#[cfg(feature = "ascon")]
use crate::ascon::AsconReader;
#[cfg(feature = "ascon")]
use crate::ascon_cxof::AsconCXof128;
#[cfg(feature = "blake3")]
use crate::blake3::output::Blake3Reader;
use crate::hasher::{Function, Hash, Hasher};
use crate::hkdf::Hkdf;
use crate::hmac::Hmac;
#[cfg(feature = "sha3")]
use crate::k12::KangarooTwelve;
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
#[cfg(feature = "sha3")]
use crate::sp800_185::{CShake, Kmac, ParallelHash, TupleElement, TupleHash};
use crate::state::Exported;
use zeroize::ZeroizeOnDrop;

impl<F: Function> ZeroizeOnDrop for Hash<F> {}
impl<H: Hasher> ZeroizeOnDrop for Hmac<H> {}
impl<H: Hasher> ZeroizeOnDrop for Hkdf<H> {}
impl ZeroizeOnDrop for AnyHasher {}
impl ZeroizeOnDrop for AnyHmac {}
impl ZeroizeOnDrop for Exported {}

#[cfg(feature = "sha3")]
mod sha3 {
    use super::*;

    impl<const RATE: usize> ZeroizeOnDrop for KangarooTwelve<RATE> {}
    impl<const RATE: usize> ZeroizeOnDrop for CShake<RATE> {}
    impl<const RATE: usize> ZeroizeOnDrop for Kmac<RATE> {}
    impl<const RATE: usize> ZeroizeOnDrop for TupleHash<RATE> {}
    impl<const RATE: usize> ZeroizeOnDrop for ParallelHash<RATE> {}
    impl ZeroizeOnDrop for TupleElement<'_> {}
    impl ZeroizeOnDrop for XofReader {}
}

#[cfg(feature = "blake3")]
impl ZeroizeOnDrop for Blake3Reader {}

#[cfg(feature = "ascon")]
impl ZeroizeOnDrop for AsconCXof128 {}
#[cfg(feature = "ascon")]
impl ZeroizeOnDrop for AsconReader {}
