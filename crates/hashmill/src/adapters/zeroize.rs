//! `ZeroizeOnDrop`, the marker of types that overwrite a value's memory when it is dropped. The
//! implementations have no methods, because the types overwrite their memory with or without this
//! feature.

#![forbid(unsafe_code)]

use crate::any::{AnyHasher, AnyHmac};
use crate::ascon::AsconReader;
use crate::ascon_cxof::AsconCXof128;
use crate::blake3::output::Blake3Reader;
use crate::hasher::{Function, Hash, Hasher};
use crate::hkdf::Hkdf;
use crate::hmac::Hmac;
use crate::k12::KangarooTwelve;
use crate::keccak::XofReader;
use crate::sp800_185::{CShake, Kmac, ParallelHash, TupleElement, TupleHash};
use crate::state::Exported;
use zeroize::ZeroizeOnDrop;

impl<F: Function> ZeroizeOnDrop for Hash<F> {}
impl<H: Hasher> ZeroizeOnDrop for Hmac<H> {}
impl<H: Hasher> ZeroizeOnDrop for Hkdf<H> {}
impl<const RATE: usize> ZeroizeOnDrop for KangarooTwelve<RATE> {}
impl<const RATE: usize> ZeroizeOnDrop for CShake<RATE> {}
impl<const RATE: usize> ZeroizeOnDrop for Kmac<RATE> {}
impl<const RATE: usize> ZeroizeOnDrop for TupleHash<RATE> {}
impl<const RATE: usize> ZeroizeOnDrop for ParallelHash<RATE> {}
impl ZeroizeOnDrop for TupleElement<'_> {}
impl ZeroizeOnDrop for AsconCXof128 {}
impl ZeroizeOnDrop for AsconReader {}
impl ZeroizeOnDrop for AnyHasher {}
impl ZeroizeOnDrop for AnyHmac {}
impl ZeroizeOnDrop for Exported {}
impl ZeroizeOnDrop for XofReader {}
impl ZeroizeOnDrop for Blake3Reader {}
