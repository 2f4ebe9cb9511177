//! RustCrypto's traits in version 0.10 of `digest`, over which `hmac` 0.12, `rsa` 0.9 and `p256`
//! 0.13 are generic. The hashers without parameters implement them, as in
//! [`digest`](super::digest), which defines the lengths for both versions.
//!
//! For code that requires a `CoreProxy` (`hmac::Hmac`, `hkdf::Hkdf`, `pbkdf2_hmac`), use
//! `CoreWrapper<Sha256>`: in version 0.10 no other type can implement `CoreProxy`.

#![forbid(unsafe_code)]
#![allow(deprecated, reason = "digest 0.10 has generic-array 0.14")]

use super::digest::{BlockOf, Fixed, Lengths, OutputOf, Sizes, both, finish};
#[cfg(feature = "ascon")]
use crate::ascon::AsconReader;
#[cfg(feature = "blake3")]
use crate::blake3::output::Blake3Reader;
use crate::hasher::{Extendable, Function, Hash, Plain};
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
use core::fmt;
use digest_0_10::Output;
use digest_0_10::block_buffer::Eager;
use digest_0_10::core_api::{Block, Buffer, BufferKindUser, FixedOutputCore, UpdateCore};
use digest_0_10::generic_array::ArrayLength;
use digest_0_10::typenum::{IsLess, NonZero, U256};

/// A function whose lengths are also valid array lengths in version 0.10. All functions satisfy
/// this.
pub trait Sizes10:
    Sizes<
    Lengths: Lengths<
        Block: ArrayLength<u8> + IsLess<U256, Output: NonZero> + 'static,
        Output: ArrayLength<u8> + 'static,
    >,
>
{
}

impl<F: Sizes> Sizes10 for F
where
    BlockOf<F>: ArrayLength<u8> + IsLess<U256, Output: NonZero> + 'static,
    OutputOf<F>: ArrayLength<u8> + 'static,
{
}

both!(digest_0_10::core_api, Sizes10);

impl<F: Sizes10> BufferKindUser for Hash<F> {
    type BufferKind = Eager;
}

impl<F: Sizes10> UpdateCore for Hash<F> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        blocks.iter().for_each(|block| _ = self.update(block));
    }
}

impl<F: Sizes10 + Fixed> FixedOutputCore for Hash<F> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        out.copy_from_slice(self.hash(buffer.get_data()).as_ref());
    }
}
