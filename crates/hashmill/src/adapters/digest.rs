//! RustCrypto's traits (`digest` 0.11), for code that is generic over them: their `Hmac<H>`, `Hkdf<H>` and
//! `pbkdf2_hmac::<H>` take every hasher of fixed output length, BLAKE2 among them.
//!
//! `EagerHash` wants a hash split into a core that takes whole blocks and a buffer before it. A hasher
//! here is its own core, and the buffer before it stays empty until it is finalized.
//!
//! `Reset` is left out where a hasher has parameters that it does not keep (BLAKE2's, TurboSHAKE's
//! domain, the key of [`Hmac`]): clone it before the first update instead.

#![forbid(unsafe_code)]

use crate::blake2_params::{Blake2, Params};
use crate::error::Error;
use crate::function;
use crate::hasher::{Extendable, Fixed, Function, Hash, Hasher, Plain};
use crate::hmac::Hmac;
use core::fmt;
use core::marker::PhantomData;
use digest::array::{ArraySize, AssocArraySize};
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::block_buffer::BlockSizes;
use digest::common::KeySizeUser;
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::consts::{U16, U28, U32, U48, U64, U128, U256, U384, U2048};
use digest::typenum::Unsigned;
use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, InvalidLength, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update,
    XofReader,
};

type Size<const N: usize> = <[u8; N] as AssocArraySize>::Size;

/// The lengths of a function as types, in bytes.
#[allow(missing_docs, reason = "not nameable from outside")]
pub trait Sizes: Function {
    /// Of a block; of the digest, for an extendable-output function twice its security strength; of the security
    /// against collisions, half of the output; and the room for an exported state.
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

type BlockOf<F> = <<F as Sizes>::Lengths as Lengths>::Block;
type OutputOf<F> = <<F as Sizes>::Lengths as Lengths>::Output;
type CollisionOf<F> = <<F as Sizes>::Lengths as Lengths>::Collision;
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
impl Sizes for function::Sha3<28> {
    type Lengths = (Size<144>, U28, Size<14>, U384);
}
impl Sizes for function::Sha3<32> {
    type Lengths = (Size<136>, U32, U16, U384);
}
impl Sizes for function::Sha3<48> {
    type Lengths = (Size<104>, U48, Size<24>, U384);
}
impl Sizes for function::Sha3<64> {
    type Lengths = (Size<72>, U64, U32, U384);
}
impl Sizes for function::Shake<168> {
    type Lengths = (Size<168>, U32, U16, U384);
}
impl Sizes for function::Shake<136> {
    type Lengths = (Size<136>, U64, U32, U384);
}
impl Sizes for function::TurboShake<168> {
    type Lengths = (Size<168>, U32, U16, U384);
}
impl Sizes for function::TurboShake<136> {
    type Lengths = (Size<136>, U64, U32, U384);
}
impl Sizes for function::Blake2b {
    type Lengths = (U128, U64, U32, U256);
}
impl Sizes for function::Blake2s {
    type Lengths = (U64, U32, U16, U128);
}
impl Sizes for function::Blake2bp {
    type Lengths = (U128, U64, U32, U2048);
}
impl Sizes for function::Blake2sp {
    type Lengths = (U64, U32, U16, U2048);
}

/// Writes the digest. It panics rather than returns an error, because these traits have none to return.
///
/// # Panics
/// If `hasher` is a BLAKE2 hasher that was built with an output shorter than the longest, which is the
/// one that its type promises under these traits.
fn finish<F: Fixed>(hasher: &Hash<F>, out: &mut [u8]) {
    crate::stream::must(hasher.finalize_into(out));
}

impl<F: Sizes> HashMarker for Hash<F> {}

impl<F: Sizes> BlockSizeUser for Hash<F> {
    type BlockSize = BlockOf<F>;
}

impl<F: Function> AlgorithmName for Hash<F> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::ALGORITHM.name())
    }
}

impl<F: Sizes> CollisionResistance for Hash<F> {
    type CollisionResistance = CollisionOf<F>;
}

impl<F: Function> Update for Hash<F> {
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

impl<F: Sizes + Fixed> OutputSizeUser for Hash<F> {
    type OutputSize = OutputOf<F>;
}

impl<F: Sizes + Fixed> FixedOutput for Hash<F> {
    fn finalize_into(self, out: &mut Output<Self>) {
        finish(&self, out);
    }
}

impl<F: Sizes + Fixed + Plain> FixedOutputReset for Hash<F> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        finish(self, out);
        self.reset();
    }
}

impl<F: Sizes + Fixed> CoreProxy for Hash<F> {
    type Core = Self;

    fn compose(mut core: Self, buffer: Buffer<Self>) -> Self {
        core.update(buffer.get_data());
        core
    }
    fn decompose(self) -> (Self, Buffer<Self>) {
        (self, Buffer::<Self>::default())
    }
}

impl<F: Sizes + Fixed> BufferKindUser for Hash<F> {
    type BufferKind = Eager;
}

impl<F: Sizes + Fixed> UpdateCore for Hash<F> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.update(Block::<Self>::slice_as_flattened(blocks));
    }
}

impl<F: Sizes + Fixed> FixedOutputCore for Hash<F> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        finish(self.update(buffer.get_data()), out);
    }
}

impl<F: Extendable> ExtendableOutput for Hash<F> {
    type Reader = crate::keccak::XofReader;

    fn finalize_xof(self) -> crate::keccak::XofReader {
        Hash::finalize_xof(&self)
    }
}

impl<F: Extendable + Plain> ExtendableOutputReset for Hash<F> {
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

/// The exported state with room for the longest of its type, because the trait wants one length for all states; its
/// own length is in the last two bytes.
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

/// Keyed BLAKE2 with the function `F` as a [`Mac`](digest::Mac), with tags of `N` bytes: 1 up to the function's
/// longest. [`Blake2bMac`] and the others are its aliases.
///
/// Where these traits are not needed, use [`Params`](crate::blake2b::Params).
///
/// ```
/// use digest::{KeyInit, Mac, consts::U16};
/// use hashmill::{Blake2bMac, blake2b};
///
/// let mac = Blake2bMac::<U16>::new_from_slice(b"key").expect("not too long a key");
/// let tag = mac.chain_update(b"message").finalize().into_bytes();
///
/// let mut hasher = blake2b::Params::new().output_len(16).key(b"key").build()?;
/// assert_eq!(hasher.update(b"message").finalize(), tag[..]);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub struct Blake2Mac<F: Function, N> {
    start: Hash<F>,
    hasher: Hash<F>,
    output_len: PhantomData<N>,
}

/// Keyed BLAKE2b.
pub type Blake2bMac<N = U64> = Blake2Mac<function::Blake2b, N>;
/// Keyed BLAKE2s.
pub type Blake2sMac<N = U32> = Blake2Mac<function::Blake2s, N>;
/// Keyed BLAKE2bp.
pub type Blake2bpMac<N = U64> = Blake2Mac<function::Blake2bp, N>;
/// Keyed BLAKE2sp.
pub type Blake2spMac<N = U32> = Blake2Mac<function::Blake2sp, N>;

impl<F: Function, N> Clone for Blake2Mac<F, N> {
    fn clone(&self) -> Self {
        Blake2Mac {
            start: self.start.clone(),
            hasher: self.hasher.clone(),
            output_len: PhantomData,
        }
    }
}

impl<F: Sizes, N> KeySizeUser for Blake2Mac<F, N> {
    type KeySize = OutputOf<F>;
}

impl<F: Sizes + Blake2, N: ArraySize> KeyInit for Blake2Mac<F, N> {
    fn new(key: &Key<Self>) -> Self {
        match Self::new_from_slice(key) {
            Ok(mac) => mac,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// # Errors
    /// If the key is empty, or longer than the algorithm takes.
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        const { assert!(N::USIZE >= 1 && N::USIZE <= F::MAX_LEN, "no such output length") };
        if key.is_empty() {
            return Err(InvalidLength);
        }
        let params = Params::<F>::new().output_len(N::USIZE).key(key);
        let start = F::build(&params).map_err(|_: Error| InvalidLength)?;
        Ok(Blake2Mac { hasher: start.clone(), start, output_len: PhantomData })
    }
}

impl<F: Function, N> MacMarker for Blake2Mac<F, N> {}

impl<F: Function, N: ArraySize> OutputSizeUser for Blake2Mac<F, N> {
    type OutputSize = N;
}

impl<F: Sizes, N> BlockSizeUser for Blake2Mac<F, N> {
    type BlockSize = BlockOf<F>;
}

impl<F: Function, N> AlgorithmName for Blake2Mac<F, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Mac", F::ALGORITHM)
    }
}

impl<F: Function, N> fmt::Debug for Blake2Mac<F, N> {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}Mac {{ .. }}", F::ALGORITHM)
    }
}

impl<F: Function, N> Update for Blake2Mac<F, N> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

impl<F: Fixed, N: ArraySize> FixedOutput for Blake2Mac<F, N> {
    fn finalize_into(self, out: &mut Output<Self>) {
        finish(&self.hasher, out);
    }
}

impl<F: Function, N> Reset for Blake2Mac<F, N> {
    fn reset(&mut self) {
        self.hasher = self.start.clone();
    }
}

impl<F: Fixed, N: ArraySize> FixedOutputReset for Blake2Mac<F, N> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        finish(&self.hasher, out);
        Reset::reset(self);
    }
}
