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
use crate::hasher::{Extendable, Function, Hash, Hasher, Plain};
use crate::hmac::Hmac;
#[cfg(feature = "sha3")]
use crate::keccak::XofReader;
use crate::sha2::{Sha2, Sha2Family};
use core::fmt;
use digest::array::{ArraySize, AssocArraySize};
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::block_buffer::BlockSizes;
use digest::common::KeySizeUser;
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::{U64, U128, U256, U384, U2048};
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

/// The space for an exported state and the two bytes of its length, which depends on the stream.
pub trait Space {
    #[allow(missing_docs, reason = "not nameable from outside")]
    type Len: ArraySize;
}

impl<F: Sha2Family> Space for Sha2<F, 64> {
    type Len = U128;
}
impl<F: Sha2Family> Space for Sha2<F, 128> {
    type Len = U256;
}
#[cfg(feature = "sha3")]
impl Space for crate::keccak::Sponge {
    type Len = U384;
}
#[cfg(feature = "blake2")]
impl Space for crate::blake2::StreamB {
    type Len = U256;
}
#[cfg(feature = "blake2")]
impl Space for crate::blake2::StreamS {
    type Len = U128;
}
#[cfg(feature = "blake2")]
impl Space for crate::tree::blake2::TreeB {
    type Len = U2048;
}
#[cfg(feature = "blake2")]
impl Space for crate::tree::blake2::TreeS {
    type Len = U2048;
}
#[cfg(feature = "blake3")]
impl Space for crate::tree::blake3::Tree3 {
    type Len = U2048;
}
#[cfg(feature = "ascon")]
impl Space for crate::ascon::Sponge {
    type Len = U64;
}

/// A function that is not an extendable-output function, for which RustCrypto has other traits.
pub trait Fixed: Function {}

/// Implements [`Sizes`] for every function, and [`Fixed`]. This is a macro because only the lengths of a named type
/// can be those of an array.
macro_rules! sizes {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof { $($xof:tt)* }) => {
        sizes! { $($fixed)* $($bare)* $($xof)* }
        sizes! { fixed $($fixed)* $($bare)* }
    };
    (fixed $($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => { $(
        $(#[cfg(feature = $feature)])?
        impl Fixed for function::$Function $(<$n>)? {}
    )* };
    ($($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => { $(
        $(#[cfg(feature = $feature)])?
        impl Sizes for function::$Function $(<$n>)? {
            type Lengths = (
                Size<{ <function::$Function $(<$n>)? as Function>::FACTS.block_len }>,
                Size<{ <function::$Function $(<$n>)? as Function>::FACTS.output_len }>,
                Size<{ <function::$Function $(<$n>)? as Function>::FACTS.output_len / 2 }>,
                <<Self as Function>::Stream as Space>::Len,
            );
        }
    )* };
}

functions!(sizes);

/// Writes the digest. Its length always equals the length of the type: a function without
/// parameters has one length, and [`Blake2Sized`] was built with the length of its type.
pub(super) fn finish<F: Function>(hasher: &Hash<F>, out: &mut [u8]) {
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
