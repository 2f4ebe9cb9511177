//! RustCrypto's traits (`digest` 0.11), for code that is generic over them: their `Hmac<H>`, `Hkdf<H>` and
//! `pbkdf2_hmac::<H>` take every hasher of fixed output length, BLAKE2 among them.
//!
//! `EagerHash` wants a hash split into a core that takes whole blocks and a buffer before it. A hasher
//! here is its own core, and the buffer before it stays empty until it is finalized.
//!
//! `Reset` is left out where a hasher has parameters that it does not keep (BLAKE2's, TurboSHAKE's
//! domain, the key of [`Hmac`]): clone it before the first update instead.

#![forbid(unsafe_code)]

use crate::algorithm::{Algorithm, each_function};
use crate::{Blake2b, Blake2bp, Blake2s, Blake2sp, Hasher, Hmac, Xof};
use crate::{blake2b, blake2bp, blake2s, blake2sp};
use core::fmt;
use core::marker::PhantomData;
use digest::array::{ArraySize, AssocArraySize};
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::common::KeySizeUser;
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::{U32, U64, U128, U256, U384, U2048};
use digest::typenum::Unsigned;
use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, InvalidLength, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update,
    XofReader,
};

type Size<const N: usize> = <[u8; N] as AssocArraySize>::Size;

/// # Panics
/// If `hasher` is a BLAKE2 hasher that was built with an output shorter than the longest, which is the
/// one that its type promises under these traits.
fn finish<H: Hasher>(hasher: &H, out: &mut [u8]) {
    if let Err(error) = hasher.finalize_into(out) {
        panic!("{error}");
    }
}

macro_rules! common {
    ($Type:ident, $Trait:ident) => {
        impl HashMarker for crate::$Type {}

        impl BlockSizeUser for crate::$Type {
            type BlockSize = Size<{ Algorithm::$Type.block_len() }>;
        }

        impl AlgorithmName for crate::$Type {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(<Self as $Trait>::ALGORITHM.name())
            }
        }

        impl CollisionResistance for crate::$Type {
            type CollisionResistance = Size<{ Algorithm::$Type.output_len() / 2 }>;
        }

        impl Update for crate::$Type {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.update(data);
            }
        }
    };
}

macro_rules! fixed {
    ($Type:ident, $function:ident, $name:literal, $output:literal, $block:literal) => {
        common!($Type, Hasher);

        impl OutputSizeUser for crate::$Type {
            type OutputSize = Size<$output>;
        }

        impl FixedOutput for crate::$Type {
            fn finalize_into(self, out: &mut Output<Self>) {
                finish(&self, out);
            }
        }

        impl CoreProxy for crate::$Type {
            type Core = Self;

            fn compose(mut core: Self, buffer: Buffer<Self>) -> Self {
                core.update(buffer.get_data());
                core
            }
            fn decompose(self) -> (Self, Buffer<Self>) {
                (self, Buffer::<Self>::default())
            }
        }

        impl BufferKindUser for crate::$Type {
            type BufferKind = Eager;
        }

        impl UpdateCore for crate::$Type {
            #[inline]
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                self.update(Block::<Self>::slice_as_flattened(blocks));
            }
        }

        impl FixedOutputCore for crate::$Type {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                finish(self.update(buffer.get_data()), out);
            }
        }
    };
}

macro_rules! xof {
    ($Type:ident, $function:ident, $name:literal) => {
        common!($Type, Xof);

        impl ExtendableOutput for crate::$Type {
            type Reader = crate::XofReader;

            fn finalize_xof(self) -> crate::XofReader {
                Xof::finalize_xof(&self)
            }
        }
    };
}

each_function!(fixed, xof);

impl XofReader for crate::XofReader {
    fn read(&mut self, buffer: &mut [u8]) {
        self.fill(buffer);
    }
}

/// The functions without parameters.
macro_rules! reset {
    (fixed $($Fixed:ident)*, xof $($Xof:ident)*) => {
        $(impl Reset for crate::$Fixed {
            fn reset(&mut self) {
                *self = Self::new();
            }
        }

        impl FixedOutputReset for crate::$Fixed {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                finish(self, out);
                self.reset();
            }
        })*

        $(impl Reset for crate::$Xof {
            fn reset(&mut self) {
                *self = Self::new();
            }
        }

        impl ExtendableOutputReset for crate::$Xof {
            fn finalize_xof_reset(&mut self) -> crate::XofReader {
                let reader = Xof::finalize_xof(self);
                self.reset();
                reader
            }
        })*
    };
}

reset! {
    fixed Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512,
    xof Shake128 Shake256
}

/// The exported state with room for the longest of its type; its length is in the last two bytes.
macro_rules! state {
    ($($Size:ident: $($Type:ident)*;)*) => {
        $($(impl SerializableState for crate::$Type {
            type SerializedStateSize = $Size;

            fn serialize(&self) -> SerializedState<Self> {
                let exported = self.export();
                let exported = exported.as_ref();
                let mut state = SerializedState::<Self>::default();
                state[..exported.len()].copy_from_slice(exported);
                state[$Size::USIZE - 2..].copy_from_slice(&(exported.len() as u16).to_le_bytes());
                state
            }

            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (exported, len) = state.split_last_chunk().ok_or(DeserializeStateError)?;
                let exported = exported.get(..u16::from_le_bytes(*len).into());
                Self::import(exported.ok_or(DeserializeStateError)?).map_err(|_| DeserializeStateError)
            }
        })*)*
    };
}

state! {
    U128: Sha224 Sha256 Blake2s;
    U256: Sha384 Sha512 Sha512_224 Sha512_256 Blake2b;
    U384: Sha3_224 Sha3_256 Sha3_384 Sha3_512 Shake128 Shake256 TurboShake128 TurboShake256;
    U2048: Blake2bp Blake2sp;
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

/// Keyed BLAKE2, with the tag's length in the type.
macro_rules! keyed {
    ($Mac:ident, $Type:ident, $params:ident, $name:literal, $Longest:ident) => {
        #[doc = concat!("Keyed ", $name, " as a [`Mac`](digest::Mac) with tags of `N` bytes, 1 to ", stringify!($Longest), "'s.")]
        ///
        #[doc = concat!("Where these traits are not needed, use [`", stringify!($params), "::Params`](crate::", stringify!($params), "::Params).")]
        ///
        /// ```
        /// use digest::{KeyInit, Mac, consts::U16};
        #[doc = concat!("use hashmill::{", stringify!($Mac), ", ", stringify!($params), "};")]
        ///
        #[doc = concat!("let mac = ", stringify!($Mac), "::<U16>::new_from_slice(b\"key\").expect(\"not too long a key\");")]
        /// let tag = mac.chain_update(b"message").finalize().into_bytes();
        ///
        #[doc = concat!("let mut hasher = ", stringify!($params), "::Params::new().output_len(16).key(b\"key\").build()?;")]
        /// assert_eq!(hasher.update(b"message").finalize(), tag[..]);
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct $Mac<N: ArraySize = $Longest> {
            start: $Type,
            hasher: $Type,
            output_len: PhantomData<N>,
        }

        impl<N: ArraySize> KeySizeUser for $Mac<N> {
            type KeySize = $Longest;
        }

        impl<N: ArraySize> KeyInit for $Mac<N> {
            fn new(key: &Key<Self>) -> Self {
                match Self::new_from_slice(key) {
                    Ok(mac) => mac,
                    Err(error) => unreachable!("{error}"),
                }
            }

            /// # Errors
            /// If the key is empty, or longer than the algorithm takes.
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                const {
                    assert!(N::USIZE >= 1 && N::USIZE <= $Longest::USIZE, "no such output length")
                };
                if key.is_empty() {
                    return Err(InvalidLength);
                }
                let params = $params::Params::new().output_len(N::USIZE).key(key);
                let start = params.build().map_err(|_| InvalidLength)?;
                Ok($Mac { hasher: start.clone(), start, output_len: PhantomData })
            }
        }

        impl<N: ArraySize> MacMarker for $Mac<N> {}

        impl<N: ArraySize> OutputSizeUser for $Mac<N> {
            type OutputSize = N;
        }

        impl<N: ArraySize> BlockSizeUser for $Mac<N> {
            type BlockSize = <$Type as BlockSizeUser>::BlockSize;
        }

        impl<N: ArraySize> AlgorithmName for $Mac<N> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($name, "Mac"))
            }
        }

        impl<N: ArraySize> fmt::Debug for $Mac<N> {
            /// Says nothing of the key.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Mac)).finish_non_exhaustive()
            }
        }

        impl<N: ArraySize> Update for $Mac<N> {
            fn update(&mut self, data: &[u8]) {
                self.hasher.update(data);
            }
        }

        impl<N: ArraySize> FixedOutput for $Mac<N> {
            fn finalize_into(self, out: &mut Output<Self>) {
                finish(&self.hasher, out);
            }
        }

        impl<N: ArraySize> Reset for $Mac<N> {
            fn reset(&mut self) {
                self.hasher = self.start.clone();
            }
        }

        impl<N: ArraySize> FixedOutputReset for $Mac<N> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                finish(&self.hasher, out);
                Reset::reset(self);
            }
        }
    };
}

keyed!(Blake2bMac, Blake2b, blake2b, "BLAKE2b", U64);
keyed!(Blake2sMac, Blake2s, blake2s, "BLAKE2s", U32);
keyed!(Blake2bpMac, Blake2bp, blake2bp, "BLAKE2bp", U64);
keyed!(Blake2spMac, Blake2sp, blake2sp, "BLAKE2sp", U32);
