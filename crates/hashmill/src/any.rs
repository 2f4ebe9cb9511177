//! Hashers and HMACs whose algorithm is chosen at run time.
//!
//! The 18 algorithms share seven types of stream. An enum holds the stream, rather than a
//! `Box<dyn …>`, so that nothing is allocated. A `match` returns the stream as `&dyn Absorb`, so
//! that each method is written once, and not once for each type of stream, and makes one virtual
//! call to the stream.

use crate::algorithm::Algorithm;
use crate::arguments::Key;
use crate::backend::Info;
use crate::blake2::tree::{TreeB, TreeS};
use crate::blake2::{StreamB, StreamS};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function::{self as f, Function};
use crate::hasher::{
    Absorb, BATCH, Hash, IMPORT, Stream, bytes_in, export, finish_checked, import, in_turn,
};
use crate::hmac::{Keyed, absorb_key, below_key, finish, finish_many, update};
use crate::keccak::{Sponge, XofReader};
use crate::messages::{Messages, OutputLen, Outputs, Slots, indexed};
use crate::sha2::{Stream32, Stream64};
use crate::stream::must;
use crate::wipe::{Secret, below};
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The storage of a large state. With the feature `alloc` the state is on the heap, so that an
/// [`AnyHasher`] has 400 bytes instead of the 1,440 that BLAKE2bp needs. Without the feature it is
/// stored inline.
#[cfg(feature = "alloc")]
type Place<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
type Place<T> = T;

/// A stream of any algorithm.
#[derive(Clone)]
enum Any {
    /// SHA-224 and SHA-256.
    Sha256(Secret<Stream32>),
    /// SHA-384, SHA-512 and SHA-512/t.
    Sha512(Secret<Stream64>),
    /// SHA-3, SHAKE and TurboSHAKE.
    Keccak(Secret<Sponge>),
    /// BLAKE2b.
    Blake2b(Secret<StreamB>),
    /// BLAKE2s.
    Blake2s(Secret<StreamS>),
    /// BLAKE2bp.
    Blake2bp(Place<Secret<TreeB>>),
    /// BLAKE2sp.
    Blake2sp(Place<Secret<TreeS>>),
}

/// Returns the stream of an algorithm that has absorbed nothing.
const fn blank(algorithm: Algorithm) -> &'static dyn Absorb {
    match algorithm {
        Algorithm::Sha224 => f::Sha224::STREAM,
        Algorithm::Sha256 => f::Sha256::STREAM,
        Algorithm::Sha384 => f::Sha384::STREAM,
        Algorithm::Sha512 => f::Sha512::STREAM,
        Algorithm::Sha512_224 => f::Sha512_224::STREAM,
        Algorithm::Sha512_256 => f::Sha512_256::STREAM,
        Algorithm::Sha3_224 => f::Sha3::<28>::STREAM,
        Algorithm::Sha3_256 => f::Sha3::<32>::STREAM,
        Algorithm::Sha3_384 => f::Sha3::<48>::STREAM,
        Algorithm::Sha3_512 => f::Sha3::<64>::STREAM,
        Algorithm::Blake2b => f::Blake2b::STREAM,
        Algorithm::Blake2s => f::Blake2s::STREAM,
        Algorithm::Blake2bp => f::Blake2bp::STREAM,
        Algorithm::Blake2sp => f::Blake2sp::STREAM,
        Algorithm::Shake128 => f::Shake::<168>::STREAM,
        Algorithm::Shake256 => f::Shake::<136>::STREAM,
        Algorithm::TurboShake128 => f::TurboShake::<168>::STREAM,
        Algorithm::TurboShake256 => f::TurboShake::<136>::STREAM,
    }
}

/// Copies a blank stream as an `S`. The type is checked at run time rather than taken from a second
/// table, because each of the seven calls names the type of the variant that it constructs.
fn copy<S: Stream>(blank: &dyn Absorb) -> Secret<S> {
    Secret(*blank.of_type().expect("the algorithm's stream"))
}

impl Any {
    #[allow(clippy::useless_conversion, reason = "into a box, if there is a heap")]
    fn new(algorithm: Algorithm) -> Self {
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        use Algorithm::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
        let blank = blank(algorithm);
        match algorithm {
            Sha224 | Sha256 => Any::Sha256(copy(blank)),
            Sha384 | Sha512 | Sha512_224 | Sha512_256 => Any::Sha512(copy(blank)),
            Blake2b => Any::Blake2b(copy(blank)),
            Blake2s => Any::Blake2s(copy(blank)),
            Blake2bp => Any::Blake2bp(copy::<TreeB>(blank).into()),
            Blake2sp => Any::Blake2sp(copy::<TreeS>(blank).into()),
            _ => Any::Keccak(copy(blank)),
        }
    }

    fn get(&self) -> &dyn Absorb {
        match self {
            Any::Sha256(stream) => &**stream,
            Any::Sha512(stream) => &**stream,
            Any::Keccak(stream) => &**stream,
            Any::Blake2b(stream) => &**stream,
            Any::Blake2s(stream) => &**stream,
            Any::Blake2bp(stream) => Secret::<TreeB>::deref(stream),
            Any::Blake2sp(stream) => Secret::<TreeS>::deref(stream),
        }
    }

    fn get_mut(&mut self) -> &mut dyn Absorb {
        match self {
            Any::Sha256(stream) => &mut **stream,
            Any::Sha512(stream) => &mut **stream,
            Any::Keccak(stream) => &mut **stream,
            Any::Blake2b(stream) => &mut **stream,
            Any::Blake2s(stream) => &mut **stream,
            Any::Blake2bp(stream) => Secret::<TreeB>::deref_mut(stream),
            Any::Blake2sp(stream) => Secret::<TreeS>::deref_mut(stream),
        }
    }
}

/// A hasher whose algorithm is chosen at run time.
///
/// It allocates nothing, except one box for BLAKE2bp or BLAKE2sp if the feature `alloc` is on
/// (`std` implies it). Without that feature the state is stored inline, and every `AnyHasher` has
/// the size of the largest state.
///
/// ```
/// use hashmill::Algorithm;
///
/// let mut hashers = [Algorithm::Sha256, Algorithm::Blake2b].map(Algorithm::hasher);
/// for hasher in &mut hashers {
///     hasher.update(b"abc");
///     println!("{} {}", hasher.algorithm(), hasher.finalize());
/// }
/// ```
#[derive(Clone)]
pub struct AnyHasher {
    algorithm: Algorithm,
    any: Any,
}

impl<F: Function> From<Hash<F>> for AnyHasher {
    #[inline(never)]
    fn from(hasher: Hash<F>) -> Self {
        below(4096, || {
            let mut any = F::ALGORITHM.hasher();
            let place = any.any.get_mut().of_type_mut::<F::Stream>();
            *place.expect("the function's stream") = *hasher.stream;
            any
        })
    }
}

impl AnyHasher {
    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// See [`Hash::update`].
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        must(self.any.get_mut().try_update(data));
        self
    }

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// See [`Hash::try_update`].
    pub fn try_update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        self.any.get_mut().try_update(data)?;
        Ok(self)
    }

    /// Absorbs the next piece of every hasher's own message, as `update` does. Hashers of one
    /// algorithm absorb their pieces side by side in SIMD lanes.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if the number of pieces differs from the number of hashers;
    /// [`Error::MessageTooLong`] if a message would become too long (see [`Hash::try_update`]). No
    /// hasher has absorbed anything then.
    pub fn update_many<M: Messages + ?Sized>(
        hashers: &mut [AnyHasher],
        pieces: &M,
    ) -> Result<(), Error> {
        if hashers.len() != pieces.count() {
            return Err(Error::piece_count(pieces.count(), hashers.len()));
        }
        let too_long = |(i, hasher): (usize, &AnyHasher)| {
            pieces.message(i).len() as u128 > hasher.any.get().room()
        };
        if hashers.iter().enumerate().any(too_long) {
            return Err(Error::MessageTooLong);
        }
        for (i, hashers) in hashers.chunks_mut(BATCH).enumerate() {
            for &algorithm in Algorithm::ALL {
                let (mut indexes, mut count) = ([0; BATCH], 0);
                for (index, hasher) in hashers.iter().enumerate() {
                    if hasher.algorithm == algorithm {
                        indexes[count] = index;
                        count += 1;
                    }
                }
                if count == 0 {
                    continue;
                }
                let indexes = &indexes[..count];
                let pieces = indexed(count, |k| pieces.message(BATCH * i + indexes[k]));
                let those = hashers.iter_mut().filter(|hasher| hasher.algorithm == algorithm);
                let mut streams = those.map(|hasher| hasher.any.get_mut());
                blank(algorithm).update_each(&mut streams, &pieces);
            }
        }
        Ok(())
    }

    /// Returns how many bytes were absorbed: see [`Hash::count`].
    pub fn count(&self) -> Option<u128> {
        self.any.get().count()
    }

    /// Returns the length of the digest that `finalize` returns, in bytes.
    pub fn output_len(&self) -> usize {
        self.any.get().output_len()
    }

    /// Returns the digest of all bytes absorbed so far. The hasher is unchanged and may absorb
    /// more.
    pub fn finalize(&self) -> VarDigest {
        self.finish(&[])
    }

    /// Returns the result of [`finalize`](Self::finalize) after `update(message)`. The hasher is
    /// unchanged.
    ///
    /// # Panics
    /// See [`Hash::update`].
    pub fn finish(&self, message: &[u8]) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        self.any.get().finish(message, digest.as_mut());
        digest
    }

    /// Writes the output for all bytes absorbed so far.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `out` does not have the digest's length. Extendable-output
    /// functions fill any length.
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        if !self.algorithm.is_xof() && out.len() != self.output_len() {
            return Err(Error::output_len(out.len(), self.output_len()));
        }
        self.any.get().finish(&[], out);
        Ok(())
    }

    /// Returns the digest of a message that ends with `bits` further bits, 0 to 7. These are the
    /// high bits of `last_byte` for SHA-2 and the low bits for SHA-3 and SHAKE, as their standards
    /// order bits.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7; [`Error::NoBits`] for BLAKE2 and
    /// TurboSHAKE, which are defined for whole bytes.
    pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<VarDigest, Error> {
        let mut digest = VarDigest::zero(self.output_len());
        self.any.get().finish_bits(last_byte, bits, digest.as_mut())?;
        Ok(digest)
    }

    /// Returns a reader of the output, from its beginning.
    ///
    /// # Errors
    /// [`Error::NotExtendable`] if the algorithm is not an extendable-output function.
    pub fn finalize_xof(&self) -> Result<XofReader, Error> {
        self.sponge().map(|sponge| XofReader::new(sponge.squeeze()))
    }

    /// Returns a reader of the output for a message that ends with `bits` further bits: see
    /// [`finalize_bits`](Self::finalize_bits).
    ///
    /// # Errors
    /// [`Error::NotExtendable`] if the algorithm is not an extendable-output function; otherwise
    /// the errors of `finalize_bits`.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        let sponge = self.sponge()?;
        sponge.check_bits()?;
        sponge.squeeze_bits(last_byte, bits).map(XofReader::new)
    }

    fn sponge(&self) -> Result<&Sponge, Error> {
        match &self.any {
            Any::Keccak(sponge) if self.algorithm.is_xof() => Ok(sponge),
            _ => Err(Error::NotExtendable),
        }
    }

    /// Writes for every message the result of `finalize` after `update(message)`. The messages are
    /// hashed side by side in SIMD lanes where that is faster.
    ///
    /// # Errors
    /// See [`Hash::finish_many`].
    ///
    /// ```
    /// use hashmill::Algorithm;
    ///
    /// let mut digests = [0; 2 * 32];
    /// Algorithm::Sha256.hasher().finish_many(&["one", "two"], &mut digests)?;
    /// assert_eq!(digests[32..], hashmill::sha256(b"two")[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let stream = self.any.get();
        let len = OutputLen { len: stream.output_len(), any: self.algorithm.is_xof() };
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| stream.finish_many(part, slots);
        let one = |message: &[u8], out: &mut [u8]| stream.finish(message, out);
        let one = in_turn(stream, messages).then_some(one);
        finish_checked(messages, outputs, (stream.room(), len), one, &finish)
    }

    /// Exports the state, so that the message can be continued later: see
    /// [`Exported`](crate::Exported).
    pub fn export(&self) -> crate::state::Exported {
        export(self.algorithm, self.any.get())
    }

    /// Creates a hasher from a state that any hasher's `export` returned. The state contains its
    /// algorithm.
    ///
    /// # Errors
    /// See [`Hash::import`].
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        below(IMPORT, || {
            let (algorithm, mut import) = import(state)?;
            let mut hasher = algorithm.hasher();
            hasher.any.get_mut().load(&mut import)?;
            import.end()?;
            Ok(hasher)
        })
    }
}

impl fmt::Debug for AnyHasher {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHasher").field(&self.algorithm).finish()
    }
}

bytes_in!([] AnyHasher, read crate::hasher::READ_LEN);

/// HMAC with a hash function that is chosen at run time. It allocates nothing, except two boxes for
/// BLAKE2bp or BLAKE2sp if the feature `alloc` is on: see [`AnyHasher`].
///
/// ```
/// use hashmill::Algorithm;
///
/// let mut hmac = Algorithm::Sha3_256.hmac(b"key")?;
/// let tag = hmac.update(b"message").finalize();
/// assert!(hmac.verify(&tag).is_ok());
/// # Ok::<(), hashmill::Error>(())
/// ```
pub struct AnyHmac {
    algorithm: Algorithm,
    inner: Any,
    outer: Any,
}

impl Clone for AnyHmac {
    /// Not inlined, so that the compiler makes no further copy of the states.
    #[inline(never)]
    fn clone(&self) -> Self {
        let AnyHmac { algorithm, inner, outer } = self;
        below(2 * size_of::<Self>(), || AnyHmac {
            algorithm: *algorithm,
            inner: inner.clone(),
            outer: outer.clone(),
        })
    }
}

impl AnyHmac {
    /// Returns the hash function.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Starts a new message under another key.
    ///
    /// `hmac(key)?` moves the `AnyHmac` that it made. The compiler may leave a copy at the old
    /// address, from which tags can be computed. This method leaves none.
    pub fn set_key(&mut self, key: &[u8]) {
        (self.inner, self.outer) = (Any::new(self.algorithm), Any::new(self.algorithm));
        let streams = [self.inner.get_mut(), self.outer.get_mut()];
        absorb_key(streams, self.algorithm.block_len(), key);
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// See [`Hash::update`].
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        update(self.inner.get_mut(), data);
        self
    }

    /// Returns the tag of all bytes absorbed so far. The `AnyHmac` is unchanged and may absorb
    /// more.
    pub fn finalize(&self) -> VarDigest {
        self.finish(&[])
    }

    /// Returns the result of [`finalize`](Self::finalize) after `update(message)`. The hasher is
    /// unchanged.
    ///
    /// # Panics
    /// See [`Hash::update`].
    pub fn finish(&self, message: &[u8]) -> VarDigest {
        let mut tag = VarDigest::zero(self.algorithm.output_len());
        finish([self.inner.get(), self.outer.get()], message, tag.as_mut());
        tag
    }

    /// Writes for every message the result of `finalize` after `update(message)`. The messages are
    /// hashed side by side in SIMD lanes where that is faster.
    ///
    /// # Errors
    /// See [`Hash::finish_many`].
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        tags: &mut O,
    ) -> Result<(), Error> {
        let streams = [self.inner.get(), self.outer.get()];
        let len = OutputLen { len: self.algorithm.output_len(), any: false };
        let many = |part: &dyn Messages, slots: &mut Slots<'_>| finish_many(streams, part, slots);
        let one = |message: &[u8], tag: &mut [u8]| finish(streams, message, tag);
        let one = in_turn(streams[0], messages).then_some(one);
        finish_checked(messages, tags, (streams[0].room(), len), one, &many)
    }

    /// Checks whether `tag` is the tag of all bytes absorbed so far, in a time that does not depend
    /// on where the two differ.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if the two differ, or `tag` does not have the full length.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        match self.finalize().ct_eq(tag) {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }
}

impl fmt::Debug for AnyHmac {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHmac").field(&self.algorithm).finish()
    }
}

bytes_in!([] AnyHmac, read crate::hasher::READ_LEN);

impl Algorithm {
    /// Returns a hasher that has absorbed nothing: BLAKE2 without a key, TurboSHAKE with the domain
    /// byte 0x1F.
    pub fn hasher(self) -> AnyHasher {
        AnyHasher { algorithm: self, any: Any::new(self) }
    }

    /// Returns the digest of a message.
    pub fn hash(self, message: &[u8]) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        blank(self).finish(message, digest.as_mut());
        digest
    }

    /// Creates an HMAC with this algorithm and `key`.
    ///
    /// # Errors
    /// [`Error::NoHmac`] for an extendable-output function.
    pub fn hmac(self, key: &[u8]) -> Result<AnyHmac, Error> {
        if self.is_xof() {
            return Err(Error::NoHmac);
        }
        below(blank(self).stack() + 2 * size_of::<AnyHmac>(), || {
            let (inner, outer) = (Any::new(self), Any::new(self));
            let mut hmac = AnyHmac { algorithm: self, inner, outer };
            let streams = [hmac.inner.get_mut(), hmac.outer.get_mut()];
            absorb_key(streams, self.block_len(), key);
            Ok(hmac)
        })
    }

    /// Returns the HMAC of a message: [`hmac`](Self::hmac) in one call.
    ///
    /// # Errors
    /// See [`hmac`](Self::hmac).
    ///
    /// ```
    /// use hashmill::{Algorithm, Hmac, Key, Sha256};
    ///
    /// let tag = Hmac::<Sha256>::new(b"key").finish(b"message");
    /// assert_eq!(Algorithm::Sha256.mac(Key(b"key"), b"message")?, tag[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn mac(self, key: Key<'_>, message: &[u8]) -> Result<VarDigest, Error> {
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        use Algorithm::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
        if self.is_xof() {
            return Err(Error::NoHmac);
        }
        let mut tag = VarDigest::zero(self.output_len());
        let mac = match self {
            Sha224 | Sha256 => mac::<Stream32>,
            Sha384 | Sha512 | Sha512_224 | Sha512_256 => mac::<Stream64>,
            Blake2b => mac::<StreamB>,
            Blake2s => mac::<StreamS>,
            Blake2bp => mac::<TreeB>,
            Blake2sp => mac::<TreeS>,
            _ => mac::<Sponge>,
        };
        mac(self, key, message, tag.as_mut());
        Ok(tag)
    }

    /// Returns the backends of the algorithm's block function, best first.
    pub fn backends(self) -> impl Iterator<Item = Info> {
        (0..).map_while(move |index| blank(self).backend(index))
    }
}

/// Computes HMAC in one call for an algorithm whose stream is an `S`. It is generic, rather than
/// using an [`AnyHmac`], so that it needs no box and each state has only its own size.
fn mac<S: Stream>(algorithm: Algorithm, key: Key<'_>, message: &[u8], tag: &mut [u8]) {
    let stream = copy::<S>(blank(algorithm));
    let block_len = algorithm.block_len();
    below_key(&*stream, block_len, key.0, 2 * size_of::<Keyed<S>>(), || {
        Keyed::new_within(&*stream, block_len, key.0).finish(message, tag);
    });
}
