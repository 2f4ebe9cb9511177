//! BLAKE2 for RustCrypto's traits, with the length of its output in the type.

use super::digest::{BlockOf, CollisionOf, OutputOf, Sizes, eager, finish};
use crate::blake2_params::{Blake2, Params};
use crate::error::Error;
use crate::function;
use crate::hasher::{Function, Hash};
use core::fmt;
use core::marker::PhantomData;
use digest::array::ArraySize;
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::common::KeySizeUser;
use digest::consts::{U32, U64};
use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, InvalidLength, Key, KeyInit,
    MacMarker, Output, OutputSizeUser, Reset, Update,
};

/// The BLAKE2 function `F` with an output of `N` bytes, from 1 to the function's longest, for
/// RustCrypto's traits. It is a [`Mac`](digest::Mac) if `K` is [`Keyed`], and a
/// [`Digest`](digest::Digest) if `K` is [`Unkeyed`]. [`Blake2bMac`], [`Blake2bDigest`] and the
/// others are its aliases.
///
/// It keeps its key and its parameters, so that it can be reset. Where these traits are not needed,
/// use [`Params`](crate::blake2b::Params).
///
/// ```
/// use digest::{Digest, KeyInit, Mac, consts::U16};
/// use hashmill::{Blake2bDigest, Blake2bMac, blake2b};
///
/// let mac = Blake2bMac::<U16>::new_from_slice(b"key").expect("not too long a key");
/// let tag = mac.chain_update(b"message").finalize().into_bytes();
///
/// let params = blake2b::Params::new().output_len(16);
/// assert_eq!(params.key(b"key").hash(b"message")?, tag[..]);
///
/// let digest = Blake2bDigest::<U16>::with_params(&params.salt(b"salt"))?.chain_update(b"message");
/// assert_eq!(params.salt(b"salt").hash(b"message")?, digest.finalize()[..]);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub struct Blake2Sized<F: Function, N, K> {
    start: Hash<F>,
    hasher: Hash<F>,
    kind: PhantomData<(N, K)>,
}

/// The kind of [`Blake2Sized`] that requires a key.
#[derive(Clone, Copy, Debug)]
pub enum Keyed {}
/// The kind of [`Blake2Sized`] without a key, or with a key among its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Unkeyed {}

/// Keyed BLAKE2 with the function `F`.
pub type Blake2Mac<F, N> = Blake2Sized<F, N, Keyed>;
/// Keyed BLAKE2b.
pub type Blake2bMac<N = U64> = Blake2Mac<function::Blake2b, N>;
/// Keyed BLAKE2s.
pub type Blake2sMac<N = U32> = Blake2Mac<function::Blake2s, N>;
/// Keyed BLAKE2bp.
pub type Blake2bpMac<N = U64> = Blake2Mac<function::Blake2bp, N>;
/// Keyed BLAKE2sp.
pub type Blake2spMac<N = U32> = Blake2Mac<function::Blake2sp, N>;

/// BLAKE2b with a digest of `N` bytes.
pub type Blake2bDigest<N = U64> = Blake2Sized<function::Blake2b, N, Unkeyed>;
/// BLAKE2s with a digest of `N` bytes.
pub type Blake2sDigest<N = U32> = Blake2Sized<function::Blake2s, N, Unkeyed>;
/// BLAKE2bp with a digest of `N` bytes.
pub type Blake2bpDigest<N = U64> = Blake2Sized<function::Blake2bp, N, Unkeyed>;
/// BLAKE2sp with a digest of `N` bytes.
pub type Blake2spDigest<N = U32> = Blake2Sized<function::Blake2sp, N, Unkeyed>;

eager!([F: Sizes + Blake2, N: ArraySize] Blake2Sized<F, N, Unkeyed>, hasher);

impl<F: Function, N, K> Clone for Blake2Sized<F, N, K> {
    fn clone(&self) -> Self {
        Blake2Sized { start: self.start.clone(), hasher: self.hasher.clone(), kind: PhantomData }
    }
}

impl<F: Blake2, N: ArraySize> Blake2Sized<F, N, Unkeyed> {
    /// Creates a hasher with these parameters.
    ///
    /// # Errors
    /// The errors of [`Params::build`](crate::blake2b::Params), and [`Error::OutputLength`] if
    /// their output length is not `N` bytes.
    pub fn with_params(params: &Params<'_, F>) -> Result<Self, Error> {
        match F::build(params)? {
            start if start.output_len() == N::USIZE => {
                Ok(Blake2Sized { hasher: start.clone(), start, kind: PhantomData })
            }
            start => Err(Error::output_len(start.output_len(), N::USIZE)),
        }
    }
}

impl<F: Blake2, N: ArraySize> Default for Blake2Sized<F, N, Unkeyed> {
    fn default() -> Self {
        const { assert!(N::USIZE >= 1 && N::USIZE <= F::MAX_LEN, "the output length is out of range") };
        crate::stream::must(Self::with_params(&Params::new().output_len(N::USIZE)))
    }
}

impl<F: Function, N> HashMarker for Blake2Sized<F, N, Unkeyed> {}

impl<F: Function, N> AlgorithmName for Blake2Sized<F, N, Unkeyed> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::ALGORITHM.name())
    }
}

impl<F: Function, N> fmt::Debug for Blake2Sized<F, N, Unkeyed> {
    /// Shows nothing of the state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}Digest {{ .. }}", F::ALGORITHM)
    }
}

impl<F: Sizes, N> KeySizeUser for Blake2Mac<F, N> {
    type KeySize = OutputOf<F>;
}

impl<F: Sizes + Blake2, N: ArraySize> KeyInit for Blake2Mac<F, N> {
    fn new(key: &Key<Self>) -> Self {
        Self::new_from_slice(key).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// # Errors
    /// If the key is empty, or longer than the algorithm allows.
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        const { assert!(N::USIZE >= 1 && N::USIZE <= F::MAX_LEN, "the output length is out of range") };
        if key.is_empty() {
            return Err(InvalidLength);
        }
        let params = Params::<F>::new().output_len(N::USIZE).key(key);
        let start = F::build(&params).map_err(|_: Error| InvalidLength)?;
        Ok(Blake2Sized { hasher: start.clone(), start, kind: PhantomData })
    }
}

impl<F: Function, N> MacMarker for Blake2Mac<F, N> {}

impl<F: Function, N: ArraySize, K> OutputSizeUser for Blake2Sized<F, N, K> {
    type OutputSize = N;
}

impl<F: Sizes, N> CollisionResistance for Blake2Sized<F, N, Unkeyed> {
    type CollisionResistance = CollisionOf<F>;
}

impl<F: Sizes, N, K> BlockSizeUser for Blake2Sized<F, N, K> {
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

impl<F: Function, N, K> Update for Blake2Sized<F, N, K> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

impl<F: Function, N: ArraySize, K> FixedOutput for Blake2Sized<F, N, K> {
    fn finalize_into(self, out: &mut Output<Self>) {
        finish(&self.hasher, out);
    }
}

impl<F: Function, N, K> Reset for Blake2Sized<F, N, K> {
    fn reset(&mut self) {
        self.hasher = self.start.clone();
    }
}

impl<F: Function, N: ArraySize, K> FixedOutputReset for Blake2Sized<F, N, K> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        finish(&self.hasher, out);
        Reset::reset(self);
    }
}
