//! RustCrypto's traits in their version 0.10, which `hmac` 0.12, `rsa` 0.9 and `p256` 0.13 are generic over: the
//! hashers without parameters, as in [`digest`](super::digest), whose lengths these are.
//!
//! What takes a `CoreProxy` (`hmac::Hmac`, `hkdf::Hkdf`, `pbkdf2_hmac`) takes `CoreWrapper<Sha256>`: that version
//! lets no other type be one.

#![forbid(unsafe_code)]
#![allow(deprecated, reason = "digest 0.10 has generic-array 0.14")]

use super::digest::{BlockOf, OutputOf, Sizes};
use crate::hasher::{Extendable, Fixed, Hash, Plain};
use core::fmt;
use digest_0_10::block_buffer::Eager;
use digest_0_10::const_oid::{AssociatedOid, ObjectIdentifier};
use digest_0_10::core_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, FixedOutputCore, UpdateCore,
};
use digest_0_10::generic_array::ArrayLength;
use digest_0_10::typenum::{IsLess, Le, NonZero, U256};
use digest_0_10::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update, XofReader,
};

impl<F: Plain> HashMarker for Hash<F> {}

impl<F: Plain> AssociatedOid for Hash<F> {
    const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap(super::oid(F::ALGORITHM));
}

impl<F: Plain> AlgorithmName for Hash<F> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::ALGORITHM.name())
    }
}

impl<F: Plain> Update for Hash<F> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }
}

impl<F: Plain> Reset for Hash<F> {
    fn reset(&mut self) {
        self.reset();
    }
}

impl<F: Plain + Sizes> BlockSizeUser for Hash<F>
where
    BlockOf<F>: ArrayLength<u8> + 'static,
{
    type BlockSize = BlockOf<F>;
}

impl<F: Plain + Fixed + Sizes> OutputSizeUser for Hash<F>
where
    OutputOf<F>: ArrayLength<u8> + 'static,
{
    type OutputSize = OutputOf<F>;
}

impl<F: Plain + Fixed + Sizes> FixedOutput for Hash<F>
where
    OutputOf<F>: ArrayLength<u8> + 'static,
{
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize().as_ref());
    }
}

impl<F: Plain + Fixed + Sizes> FixedOutputReset for Hash<F>
where
    OutputOf<F>: ArrayLength<u8> + 'static,
{
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize().as_ref());
        self.reset();
    }
}

impl<F: Plain + Sizes> BufferKindUser for Hash<F>
where
    BlockOf<F>: ArrayLength<u8> + 'static,
{
    type BufferKind = Eager;
}

impl<F: Plain + Sizes> UpdateCore for Hash<F>
where
    BlockOf<F>: ArrayLength<u8> + 'static,
{
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        blocks.iter().for_each(|block| _ = self.update(block));
    }
}

impl<F: Plain + Fixed + Sizes> FixedOutputCore for Hash<F>
where
    BlockOf<F>: ArrayLength<u8> + IsLess<U256> + 'static,
    OutputOf<F>: ArrayLength<u8> + 'static,
    Le<BlockOf<F>, U256>: NonZero,
{
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish(buffer.get_data()).as_ref());
    }
}

impl<F: Plain + Extendable> ExtendableOutput for Hash<F> {
    type Reader = crate::keccak::XofReader;

    fn finalize_xof(self) -> crate::keccak::XofReader {
        Hash::finalize_xof(&self)
    }
}

impl<F: Plain + Extendable> ExtendableOutputReset for Hash<F> {
    fn finalize_xof_reset(&mut self) -> crate::keccak::XofReader {
        let reader = Hash::finalize_xof(self);
        self.reset();
        reader
    }
}

impl XofReader for crate::keccak::XofReader {
    fn read(&mut self, buffer: &mut [u8]) {
        self.fill(buffer);
    }
}
