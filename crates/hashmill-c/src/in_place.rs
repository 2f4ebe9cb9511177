//! A hasher and an HMAC of any algorithm without the heap.
//!
//! The library's `AnyHasher` and `AnyHmac` may keep the large states of BLAKE2bp and BLAKE2sp in boxes. A context in
//! the caller's memory has room for them, so these two are kept by their own types here, and nothing is allocated.

use hashmill::many::Messages;
use hashmill::{
    Algorithm, AnyHasher, AnyHmac, Blake2bp, Blake2sp, Error, Exported, Hmac, VarDigest, XofReader,
};

/// A hasher of any algorithm.
#[allow(clippy::large_enum_variant, reason = "that is what it is for")]
pub enum InPlaceHasher {
    Any(AnyHasher),
    Blake2bp(Blake2bp),
    Blake2sp(Blake2sp),
}

/// Evaluates an expression with the hasher of any of the three types.
macro_rules! with {
    ($any:expr, $hasher:ident => $result:expr) => {
        match $any {
            InPlaceHasher::Any($hasher) => $result,
            InPlaceHasher::Blake2bp($hasher) => $result,
            InPlaceHasher::Blake2sp($hasher) => $result,
        }
    };
}

impl From<AnyHasher> for InPlaceHasher {
    fn from(hasher: AnyHasher) -> Self {
        InPlaceHasher::Any(hasher)
    }
}

impl From<Blake2bp> for InPlaceHasher {
    fn from(hasher: Blake2bp) -> Self {
        InPlaceHasher::Blake2bp(hasher)
    }
}

impl From<Blake2sp> for InPlaceHasher {
    fn from(hasher: Blake2sp) -> Self {
        InPlaceHasher::Blake2sp(hasher)
    }
}

impl InPlaceHasher {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Blake2bp => Blake2bp::new().into(),
            Algorithm::Blake2sp => Blake2sp::new().into(),
            _ => algorithm.hasher().into(),
        }
    }

    /// A hasher in an exported state, which says of which algorithm it is.
    pub(crate) fn import(state: &[u8]) -> Result<Self, Error> {
        match Blake2bp::import(state) {
            Err(Error::StateAlgorithm) => {}
            tree => return tree.map(Into::into),
        }
        match Blake2sp::import(state) {
            Err(Error::StateAlgorithm) => AnyHasher::import(state).map(Into::into),
            tree => tree.map(Into::into),
        }
    }

    pub(crate) fn export(&self) -> Exported {
        with!(self, hasher => hasher.export())
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            InPlaceHasher::Any(hasher) => hasher.algorithm(),
            InPlaceHasher::Blake2bp(_) => Algorithm::Blake2bp,
            InPlaceHasher::Blake2sp(_) => Algorithm::Blake2sp,
        }
    }

    pub(crate) fn output_len(&self) -> usize {
        with!(self, hasher => hasher.output_len())
    }

    pub(crate) fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        with!(self, hasher => hasher.try_update(data).map(drop))
    }

    pub(crate) fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        with!(self, hasher => hasher.finalize_into(out))
    }

    pub(crate) fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<VarDigest, Error> {
        with!(self, hasher => hasher.finalize_bits(last_byte, bits))
    }

    pub(crate) fn finalize_xof(&self) -> Result<XofReader, Error> {
        self.extendable()?.finalize_xof()
    }

    pub(crate) fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.extendable()?.finalize_xof_bits(last_byte, bits)
    }

    /// The hasher, unless it is of a tree, which is no extendable-output function.
    fn extendable(&self) -> Result<&AnyHasher, Error> {
        match self {
            InPlaceHasher::Any(hasher) => Ok(hasher),
            _ => Err(Error::NotExtendable),
        }
    }

    /// Outputs of `output_len` bytes, packed.
    pub(crate) fn finish_many(
        &self,
        messages: &dyn Messages,
        output_len: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        if !self.algorithm().is_xof() && output_len != self.output_len() {
            let (given, expected) = (output_len as u64, self.output_len() as u64);
            return Err(Error::OutputLength { given, expected });
        }
        with!(self, hasher => hasher.finish_many(messages, out))
    }
}

/// HMAC over any algorithm.
#[allow(clippy::large_enum_variant, reason = "that is what it is for")]
pub enum InPlaceHmac {
    Any(AnyHmac),
    Blake2bp(Hmac<Blake2bp>),
    Blake2sp(Hmac<Blake2sp>),
}

/// Evaluates an expression with the HMAC of any of the three types.
macro_rules! with_hmac {
    ($any:expr, $hmac:ident => $result:expr) => {
        match $any {
            InPlaceHmac::Any($hmac) => $result,
            InPlaceHmac::Blake2bp($hmac) => $result,
            InPlaceHmac::Blake2sp($hmac) => $result,
        }
    };
}

impl InPlaceHmac {
    pub(crate) fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Error> {
        Ok(match algorithm {
            Algorithm::Blake2bp => InPlaceHmac::Blake2bp(Hmac::new(key)),
            Algorithm::Blake2sp => InPlaceHmac::Blake2sp(Hmac::new(key)),
            _ => InPlaceHmac::Any(algorithm.hmac(key)?),
        })
    }

    pub(crate) fn output_len(&self) -> usize {
        match self {
            InPlaceHmac::Any(hmac) => hmac.algorithm().output_len(),
            InPlaceHmac::Blake2bp(_) => Algorithm::Blake2bp.output_len(),
            InPlaceHmac::Blake2sp(_) => Algorithm::Blake2sp.output_len(),
        }
    }

    pub(crate) fn update(&mut self, data: &[u8]) {
        with_hmac!(self, hmac => _ = hmac.update(data));
    }

    pub(crate) fn finalize(&self) -> VarDigest {
        self.finish(&[])
    }

    pub(crate) fn finish(&self, message: &[u8]) -> VarDigest {
        with_hmac!(self, hmac => hmac.finish(message))
    }

    pub(crate) fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        with_hmac!(self, hmac => hmac.verify(tag))
    }

    /// Tags, packed.
    pub(crate) fn finish_many(
        &self,
        messages: &dyn Messages,
        tags: &mut [u8],
    ) -> Result<(), Error> {
        with_hmac!(self, hmac => hmac.finish_many(messages, tags))
    }
}
