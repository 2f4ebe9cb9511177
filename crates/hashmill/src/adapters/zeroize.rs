//! `ZeroizeOnDrop`, the marker of types that overwrite a value's memory when it is dropped. The
//! implementations have no methods, because the types overwrite their memory with or without this
//! feature.

#![forbid(unsafe_code)]

use crate::any::{AnyHasher, AnyHmac};
#[cfg(feature = "ascon")]
use crate::ascon::AsconReader;
#[cfg(feature = "blake3")]
use crate::blake3::output::Blake3Reader;
use crate::derived::{Derivation, Derived};
use crate::hasher::{Function, Hash, Hasher};
use crate::hkdf::Hkdf;
use crate::hmac::Hmac;
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
use crate::state::Exported;
use zeroize::ZeroizeOnDrop;

impl<F: Function> ZeroizeOnDrop for Hash<F> {}
impl<F: Derivation> ZeroizeOnDrop for Derived<F> {}
impl<H: Hasher> ZeroizeOnDrop for Hmac<H> {}
impl<H: Hasher> ZeroizeOnDrop for Hkdf<H> {}
impl ZeroizeOnDrop for AnyHasher {}
impl ZeroizeOnDrop for AnyHmac {}
impl ZeroizeOnDrop for Exported {}

#[cfg(feature = "blake3")]
impl ZeroizeOnDrop for Blake3Reader {}

#[cfg(feature = "ascon")]
impl ZeroizeOnDrop for AsconReader {}
#[cfg(feature = "sha3")]
impl ZeroizeOnDrop for XofReader {}
