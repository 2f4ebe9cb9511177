//! RustCrypto's traits (`digest` 0.11), for code that is generic over them: RustCrypto's `Hmac<H>`,
//! `Hkdf<H>` and `pbkdf2_hmac::<H>` accept every hasher of fixed output length. For BLAKE2 use
//! [`Blake2Sized`](crate::Blake2Sized), because the traits take the output length from the type, and a `Blake2b` has
//! its length as a parameter at run time. HMAC of Ascon-Hash256 is not defined, although the traits
//! allow it: see [`Algorithm::has_hmac`](crate::Algorithm::has_hmac).
//!
//! `EagerHash` requires a hash that is split into a core, which absorbs whole blocks, and a buffer
//! in front of it. A hasher of this crate is its own core. The bytes in RustCrypto's buffer are
//! absorbed when the core is finalized or composed with the buffer.
//!
//! A hasher with parameters that it does not keep (TurboSHAKE's domain, the key of [`Hmac`]) does
//! not implement `Reset`: clone it before the first update instead. `Blake2Sized` keeps BLAKE2's
//! parameters and implements `Reset`.

#![forbid(unsafe_code)]

#[cfg(feature = "ascon")]
use crate::ascon::AsconReader;
#[cfg(feature = "blake3")]
use crate::blake3::output::Blake3Reader;
use crate::function;
use crate::hasher::{Extendable, Fixed, Function, Hash, Hasher, Plain};
use crate::hmac::Hmac;
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
use core::fmt;
use digest::array::{ArraySize, AssocArraySize};
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::block_buffer::BlockSizes;
use digest::common::KeySizeUser;
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::{U8, U16, U28, U32, U48, U64, U128, U256, U384, U2048};
use digest::typenum::Unsigned;
use digest::{
    CollisionResistance, FixedOutput, InvalidLength, Key, KeyInit, MacMarker, Output,
    OutputSizeUser, Update,
};

type Size<const N: usize> = <[u8; N] as AssocArraySize>::Size;

/// The lengths of a function as types, in bytes.
#[allow(missing_docs, reason = "not nameable from outside")]
pub trait Sizes: Function {
    /// Four lengths: a block; the digest, or twice the security strength for an extendable-output
    /// function; the security against collisions, which is half of the output; and the space for an
    /// exported state.
    type Lengths: Lengths;
}

#[allow(missing_docs, reason = "not nameable from outside")]
pub trait Lengths {
    type Block: ArraySize + BlockSizes;
    type Output: ArraySize;
    type Collision: ArraySize;
    type State: ArraySize;
}

impl<B: ArraySize + BlockSizes, O: ArraySize, C: ArraySize, S: ArraySize> Lengths for (B, O, C, S) {
    type Block = B;
    type Output = O;
    type Collision = C;
    type State = S;
}

pub(super) type BlockOf<F> = <<F as Sizes>::Lengths as Lengths>::Block;
pub(super) type OutputOf<F> = <<F as Sizes>::Lengths as Lengths>::Output;
pub(super) type CollisionOf<F> = <<F as Sizes>::Lengths as Lengths>::Collision;
type StateOf<F> = <<F as Sizes>::Lengths as Lengths>::State;

impl Sizes for function::Sha224 {
    type Lengths = (U64, U28, Size<14>, U128);
}
impl Sizes for function::Sha256 {
    type Lengths = (U64, U32, U16, U128);
}
impl Sizes for function::Sha384 {
    type Lengths = (U128, U48, Size<24>, U256);
}
impl Sizes for function::Sha512 {
    type Lengths = (U128, U64, U32, U256);
}
impl Sizes for function::Sha512_224 {
    type Lengths = (U128, U28, Size<14>, U256);
}
impl Sizes for function::Sha512_256 {
    type Lengths = (U128, U32, U16, U256);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Sha3<28> {
    type Lengths = (Size<144>, U28, Size<14>, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Sha3<32> {
    type Lengths = (Size<136>, U32, U16, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Sha3<48> {
    type Lengths = (Size<104>, U48, Size<24>, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Sha3<64> {
    type Lengths = (Size<72>, U64, U32, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Keccak256 {
    type Lengths = (Size<136>, U32, U16, U384);
}
#[cfg(feature = "ascon")]
impl Sizes for function::AsconHash256 {
    type Lengths = (U8, U32, U16, U64);
}
#[cfg(feature = "ascon")]
impl Sizes for function::AsconXof128 {
    type Lengths = (U8, U32, U16, U64);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Shake<168> {
    type Lengths = (Size<168>, U32, U16, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::Shake<136> {
    type Lengths = (Size<136>, U64, U32, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::TurboShake<168> {
    type Lengths = (Size<168>, U32, U16, U384);
}
#[cfg(feature = "sha3")]
impl Sizes for function::TurboShake<136> {
    type Lengths = (Size<136>, U64, U32, U384);
}
#[cfg(feature = "blake2")]
impl Sizes for function::Blake2b {
    type Lengths = (U128, U64, U32, U256);
}
#[cfg(feature = "blake2")]
impl Sizes for function::Blake2s {
    type Lengths = (U64, U32, U16, U128);
}
#[cfg(feature = "blake2")]
impl Sizes for function::Blake2bp {
    type Lengths = (U128, U64, U32, U2048);
}
#[cfg(feature = "blake2")]
impl Sizes for function::Blake2sp {
    type Lengths = (U64, U32, U16, U2048);
}
#[cfg(feature = "blake3")]
impl Sizes for function::Blake3 {
    type Lengths = (U64, U32, U16, U2048);
}

/// Writes the digest. Its length always equals the length of the type: a function without
/// parameters has one length, and [`Blake2Sized`] was built with the length of its type.
pub(super) fn finish<F: Fixed>(hasher: &Hash<F>, out: &mut [u8]) {
    crate::stream::must(hasher.finalize_into(out));
}

impl<F: Sizes> CollisionResistance for Hash<F> {
    type CollisionResistance = CollisionOf<F>;
}

/// Implements the traits whose code is the same in both versions of the crate `$digest`. This is a
/// macro because the two versions have different traits of the same names.
macro_rules! both {
    ($digest:ident::$core:ident, $Sizes:ident) => {
        impl<F: Function> $digest::HashMarker for Hash<F> {}

        impl<F: Function> $digest::$core::AlgorithmName for Hash<F> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(F::ALGORITHM.name())
            }
        }

        impl<F: Function> $digest::Update for Hash<F> {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.update(data);
            }
        }

        impl<F: Plain> $digest::Reset for Hash<F> {
            fn reset(&mut self) {
                self.reset();
            }
        }

        impl<F: Plain> $digest::const_oid::AssociatedOid for Hash<F> {
            const OID: $digest::const_oid::ObjectIdentifier = match F::FACTS.oid {
                Some(oid) => $digest::const_oid::ObjectIdentifier::new_unwrap(oid),
                None => panic!("the function has no object identifier"),
            };
        }

        impl<F: $Sizes> $digest::$core::BlockSizeUser for Hash<F> {
            type BlockSize = BlockOf<F>;
        }

        impl<F: $Sizes + Fixed> $digest::OutputSizeUser for Hash<F> {
            type OutputSize = OutputOf<F>;
        }

        impl<F: $Sizes + Fixed + Plain> $digest::FixedOutput for Hash<F> {
            fn finalize_into(self, out: &mut $digest::Output<Self>) {
                finish(&self, out);
            }
        }

        impl<F: $Sizes + Fixed + Plain> $digest::FixedOutputReset for Hash<F> {
            fn finalize_into_reset(&mut self, out: &mut $digest::Output<Self>) {
                finish(self, out);
                self.reset();
            }
        }

        impl<F: Extendable<Reader: $digest::XofReader>> $digest::ExtendableOutput for Hash<F> {
            type Reader = F::Reader;

            fn finalize_xof(self) -> F::Reader {
                Hash::squeeze(&self)
            }
        }

        impl<F: Extendable<Reader: $digest::XofReader> + Plain> $digest::ExtendableOutputReset
            for Hash<F>
        {
            fn finalize_xof_reset(&mut self) -> F::Reader {
                let reader = Hash::squeeze(self);
                self.reset();
                reader
            }
        }

        #[cfg(feature = "sha3")]
        impl $digest::XofReader for XofReader {
            fn read(&mut self, buffer: &mut [u8]) {
                self.fill(buffer);
            }
        }

        #[cfg(feature = "blake3")]
        impl $digest::XofReader for Blake3Reader {
            fn read(&mut self, buffer: &mut [u8]) {
                self.fill(buffer);
            }
        }

        #[cfg(feature = "ascon")]
        impl $digest::XofReader for AsconReader {
            fn read(&mut self, buffer: &mut [u8]) {
                self.fill(buffer);
            }
        }
    };
}
#[cfg(feature = "digest-0_10")]
pub(super) use both;

both!(digest::block_api, Sizes);

/// Implements the traits that make a hasher its own core. `$hash` is the field that contains the
/// [`Hash`], if the type is not a `Hash` itself. This is a macro because other crates' traits
/// cannot be implemented for both types at once.
macro_rules! eager {
    ([$($bounds:tt)*] $Type:ty $(, $hash:ident)?) => {
        impl<$($bounds)*> CoreProxy for $Type {
            type Core = Self;

            fn compose(mut core: Self, buffer: Buffer<Self>) -> Self {
                core$(.$hash)?.update(buffer.get_data());
                core
            }
            fn decompose(self) -> (Self, Buffer<Self>) {
                (self, Buffer::<Self>::default())
            }
        }

        impl<$($bounds)*> BufferKindUser for $Type {
            type BufferKind = Eager;
        }

        impl<$($bounds)*> UpdateCore for $Type {
            #[inline]
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                self$(.$hash)?.update(Block::<Self>::slice_as_flattened(blocks));
            }
        }

        impl<$($bounds)*> FixedOutputCore for $Type {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                finish(self$(.$hash)?.update(buffer.get_data()), out);
            }
        }
    };
}

eager!([F: Sizes + Fixed + Plain] Hash<F>);
#[cfg(feature = "blake2")]
pub(super) use eager;

/// The exported state, followed by zeros up to the longest state of its type, because the trait
/// requires one length for all states. The last two bytes contain the length of the exported state.
impl<F: Sizes> SerializableState for Hash<F> {
    type SerializedStateSize = StateOf<F>;

    fn serialize(&self) -> SerializedState<Self> {
        let exported = self.export();
        let exported = exported.as_ref();
        let mut state = SerializedState::<Self>::default();
        state[..exported.len()].copy_from_slice(exported);
        state[StateOf::<F>::USIZE - 2..].copy_from_slice(&(exported.len() as u16).to_le_bytes());
        state
    }

    fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (exported, len) = state.split_last_chunk().ok_or(DeserializeStateError)?;
        let exported = exported.get(..u16::from_le_bytes(*len).into());
        Self::import(exported.ok_or(DeserializeStateError)?).map_err(|_| DeserializeStateError)
    }
}

impl<H: Hasher> MacMarker for Hmac<H> {}

impl<H: Hasher + OutputSizeUser> OutputSizeUser for Hmac<H> {
    type OutputSize = H::OutputSize;
}

impl<H: Hasher + BlockSizeUser> BlockSizeUser for Hmac<H> {
    type BlockSize = H::BlockSize;
}

impl<H: Hasher + BlockSizeUser> KeySizeUser for Hmac<H> {
    type KeySize = H::BlockSize;
}

impl<H: Hasher + BlockSizeUser> KeyInit for Hmac<H> {
    fn new(key: &Key<Self>) -> Self {
        Hmac::<H>::new(key)
    }
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Hmac::<H>::new(key))
    }
}

impl<H: Hasher> AlgorithmName for Hmac<H> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HMAC-{}", H::ALGORITHM)
    }
}

impl<H: Hasher> Update for Hmac<H> {
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }
}

impl<H: Hasher + OutputSizeUser> FixedOutput for Hmac<H> {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize().as_ref());
    }
}
