//! Hashers and HMACs whose algorithm is chosen at run time.
//!
//! There are 18 algorithms but seven kinds of stream, and one method of this file is one virtual call to the
//! stream of an algorithm.

use crate::algorithm::Algorithm;
use crate::backend::Info;
use crate::blake2::tree::{TreeB, TreeS};
use crate::blake2::{StreamB, StreamS};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function::{self as f, Function};
use crate::hasher::{
    Absorb, Hash, Stream, bytes_in, export, finish_checked, import, update_checked,
};
use crate::hmac::Keyed;
use crate::keccak::{Sponge, XofReader};
use crate::lanes::Streams;
use crate::messages::{Messages, OutputLen, Outputs, Slots, indexed};
use crate::sha2::{Stream32, Stream64};
use crate::stream::must;
use crate::wipe::wipe;
use core::fmt;

/// A large state lies on the heap, so that an [`AnyHasher`] of another algorithm is not as large as BLAKE2bp's:
/// 400 bytes instead of 1,440. Without the feature `alloc` it lies in place.
#[cfg(feature = "alloc")]
type Place<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
type Place<T> = InPlace<T>;

/// A box without a heap.
#[cfg(not(feature = "alloc"))]
#[derive(Clone)]
struct InPlace<T>(T);

#[cfg(not(feature = "alloc"))]
impl<T> InPlace<T> {
    fn new(value: T) -> Self {
        InPlace(value)
    }
}

#[cfg(not(feature = "alloc"))]
impl<T> core::ops::Deref for InPlace<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(not(feature = "alloc"))]
impl<T> core::ops::DerefMut for InPlace<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A stream of any algorithm.
#[derive(Clone)]
enum Any {
    /// SHA-224 and SHA-256.
    Sha256(Stream32),
    /// SHA-384, SHA-512 and SHA-512/t.
    Sha512(Stream64),
    /// SHA-3, SHAKE and TurboSHAKE.
    Keccak(Sponge),
    /// BLAKE2b.
    Blake2b(StreamB),
    /// BLAKE2s.
    Blake2s(StreamS),
    /// BLAKE2bp.
    Blake2bp(Place<TreeB>),
    /// BLAKE2sp.
    Blake2sp(Place<TreeS>),
}

/// The stream of an algorithm that has absorbed nothing.
enum Blank {
    Sha256(&'static Stream32),
    Sha512(&'static Stream64),
    Keccak(&'static Sponge),
    Blake2b(&'static StreamB),
    Blake2s(&'static StreamS),
    Blake2bp(&'static TreeB),
    Blake2sp(&'static TreeS),
}

impl Blank {
    const fn of(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Sha224 => Blank::Sha256(f::Sha224::STREAM),
            Algorithm::Sha256 => Blank::Sha256(f::Sha256::STREAM),
            Algorithm::Sha384 => Blank::Sha512(f::Sha384::STREAM),
            Algorithm::Sha512 => Blank::Sha512(f::Sha512::STREAM),
            Algorithm::Sha512_224 => Blank::Sha512(f::Sha512_224::STREAM),
            Algorithm::Sha512_256 => Blank::Sha512(f::Sha512_256::STREAM),
            Algorithm::Sha3_224 => Blank::Keccak(f::Sha3::<28>::STREAM),
            Algorithm::Sha3_256 => Blank::Keccak(f::Sha3::<32>::STREAM),
            Algorithm::Sha3_384 => Blank::Keccak(f::Sha3::<48>::STREAM),
            Algorithm::Sha3_512 => Blank::Keccak(f::Sha3::<64>::STREAM),
            Algorithm::Blake2b => Blank::Blake2b(f::Blake2b::STREAM),
            Algorithm::Blake2s => Blank::Blake2s(f::Blake2s::STREAM),
            Algorithm::Blake2bp => Blank::Blake2bp(f::Blake2bp::STREAM),
            Algorithm::Blake2sp => Blank::Blake2sp(f::Blake2sp::STREAM),
            Algorithm::Shake128 => Blank::Keccak(f::Shake::<168>::STREAM),
            Algorithm::Shake256 => Blank::Keccak(f::Shake::<136>::STREAM),
            Algorithm::TurboShake128 => Blank::Keccak(f::TurboShake::<168>::STREAM),
            Algorithm::TurboShake256 => Blank::Keccak(f::TurboShake::<136>::STREAM),
        }
    }

    fn get(&self) -> &'static dyn Absorb {
        match *self {
            Blank::Sha256(stream) => stream,
            Blank::Sha512(stream) => stream,
            Blank::Keccak(stream) => stream,
            Blank::Blake2b(stream) => stream,
            Blank::Blake2s(stream) => stream,
            Blank::Blake2bp(stream) => stream,
            Blank::Blake2sp(stream) => stream,
        }
    }

    fn any(&self) -> Any {
        match *self {
            Blank::Sha256(stream) => (*stream).into(),
            Blank::Sha512(stream) => (*stream).into(),
            Blank::Keccak(stream) => (*stream).into(),
            Blank::Blake2b(stream) => (*stream).into(),
            Blank::Blake2s(stream) => (*stream).into(),
            Blank::Blake2bp(stream) => (*stream).into(),
            Blank::Blake2sp(stream) => (*stream).into(),
        }
    }

    fn keyed(&self, block_len: usize, key: &[u8]) -> AnyKeyed {
        match *self {
            Blank::Sha256(stream) => AnyKeyed::Sha256(Keyed::new(*stream, block_len, key)),
            Blank::Sha512(stream) => AnyKeyed::Sha512(Keyed::new(*stream, block_len, key)),
            Blank::Keccak(stream) => AnyKeyed::Keccak(Keyed::new(*stream, block_len, key)),
            Blank::Blake2b(stream) => AnyKeyed::Blake2b(Keyed::new(*stream, block_len, key)),
            Blank::Blake2s(stream) => AnyKeyed::Blake2s(Keyed::new(*stream, block_len, key)),
            Blank::Blake2bp(stream) => {
                AnyKeyed::Blake2bp(Place::new(Keyed::new(*stream, block_len, key)))
            }
            Blank::Blake2sp(stream) => {
                AnyKeyed::Blake2sp(Place::new(Keyed::new(*stream, block_len, key)))
            }
        }
    }

    /// The backends of the family.
    fn backend(&self) -> fn(usize) -> Option<Info> {
        match self {
            Blank::Sha256(_) => Stream32::backend,
            Blank::Sha512(_) => Stream64::backend,
            Blank::Keccak(_) => Sponge::backend,
            Blank::Blake2b(_) => StreamB::backend,
            Blank::Blake2s(_) => StreamS::backend,
            Blank::Blake2bp(_) => TreeB::backend,
            Blank::Blake2sp(_) => TreeS::backend,
        }
    }
}

impl Any {
    fn get(&self) -> &dyn Absorb {
        match self {
            Any::Sha256(stream) => stream,
            Any::Sha512(stream) => stream,
            Any::Keccak(stream) => stream,
            Any::Blake2b(stream) => stream,
            Any::Blake2s(stream) => stream,
            Any::Blake2bp(stream) => &**stream,
            Any::Blake2sp(stream) => &**stream,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Absorb {
        match self {
            Any::Sha256(stream) => stream,
            Any::Sha512(stream) => stream,
            Any::Keccak(stream) => stream,
            Any::Blake2b(stream) => stream,
            Any::Blake2s(stream) => stream,
            Any::Blake2bp(stream) => &mut **stream,
            Any::Blake2sp(stream) => &mut **stream,
        }
    }
}

impl Drop for AnyHasher {
    fn drop(&mut self) {
        match &mut self.any {
            Any::Sha256(stream) => wipe(stream),
            Any::Sha512(stream) => wipe(stream),
            Any::Keccak(stream) => wipe(stream),
            Any::Blake2b(stream) => wipe(stream),
            Any::Blake2s(stream) => wipe(stream),
            Any::Blake2bp(stream) => wipe(&mut **stream),
            Any::Blake2sp(stream) => wipe(&mut **stream),
        }
    }
}

impl From<Stream32> for Any {
    fn from(stream: Stream32) -> Self {
        Any::Sha256(stream)
    }
}

impl From<Stream64> for Any {
    fn from(stream: Stream64) -> Self {
        Any::Sha512(stream)
    }
}

impl From<Sponge> for Any {
    fn from(stream: Sponge) -> Self {
        Any::Keccak(stream)
    }
}

impl From<StreamB> for Any {
    fn from(stream: StreamB) -> Self {
        Any::Blake2b(stream)
    }
}

impl From<StreamS> for Any {
    fn from(stream: StreamS) -> Self {
        Any::Blake2s(stream)
    }
}

impl From<TreeB> for Any {
    fn from(stream: TreeB) -> Self {
        Any::Blake2bp(Place::new(stream))
    }
}

impl From<TreeS> for Any {
    fn from(stream: TreeS) -> Self {
        Any::Blake2sp(Place::new(stream))
    }
}

/// A hasher of an algorithm that is chosen at run time.
///
/// Nothing is allocated, except one box for BLAKE2bp and for BLAKE2sp (with the feature `alloc`, which `std`
/// implies; without it the state lies in place, and an `AnyHasher` is as large as the largest).
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

#[allow(private_bounds, reason = "every function's stream is one of these")]
impl<F: Function> From<Hash<F>> for AnyHasher
where
    Any: From<F::Stream>,
{
    fn from(hasher: Hash<F>) -> Self {
        AnyHasher { algorithm: F::ALGORITHM, any: hasher.stream.into() }
    }
}

impl AnyHasher {
    /// Which algorithm this is.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// As [`Hash::update`].
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        must(self.any.get_mut().try_update(data));
        self
    }

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// As [`Hash::try_update`].
    pub fn try_update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        self.any.get_mut().try_update(data)?;
        Ok(self)
    }

    /// Gives every hasher the next part of its own message, as `update` does; those of one algorithm side
    /// by side in SIMD lanes.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if there are not as many pieces as hashers; [`Error::MessageTooLong`] as
    /// [`Hash::try_update`]: hashers of other algorithms may have absorbed their pieces then.
    pub fn update_many<M: Messages + ?Sized>(
        hashers: &mut [AnyHasher],
        pieces: &M,
    ) -> Result<(), Error> {
        /// How many hashers are sorted by algorithm at once.
        const BATCH: usize = 256;
        if hashers.len() != pieces.count() {
            return Err(Error::PieceCount);
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
                let Some(&first) = indexes[..count].first() else { continue };
                let indexes = &indexes[..count];
                let pieces = indexed(count, |k| pieces.message(BATCH * i + indexes[k]));
                match hashers[first].any {
                    Any::Sha256(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Sha256(stream) => Some(stream),
                        _ => None,
                    }),
                    Any::Sha512(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Sha512(stream) => Some(stream),
                        _ => None,
                    }),
                    Any::Keccak(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Keccak(stream) => Some(stream),
                        _ => None,
                    }),
                    Any::Blake2b(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Blake2b(stream) => Some(stream),
                        _ => None,
                    }),
                    Any::Blake2s(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Blake2s(stream) => Some(stream),
                        _ => None,
                    }),
                    Any::Blake2bp(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Blake2bp(stream) => Some(&mut **stream),
                        _ => None,
                    }),
                    Any::Blake2sp(_) => update_those(hashers, indexes, &pieces, |any| match any {
                        Any::Blake2sp(stream) => Some(&mut **stream),
                        _ => None,
                    }),
                }?;
            }
        }
        Ok(())
    }

    /// How many bytes were absorbed: see [`Hash::count`].
    pub fn count(&self) -> Option<u128> {
        self.any.get().count()
    }

    /// The length of the digest that `finalize` gives, in bytes.
    pub fn output_len(&self) -> usize {
        self.any.get().output_len()
    }

    /// The digest of all that was absorbed. The hasher is unchanged, and may absorb more.
    pub fn finalize(&self) -> VarDigest {
        self.finish(&[])
    }

    /// What [`finalize`](Self::finalize) would give after `update(message)`; no state is copied.
    ///
    /// # Panics
    /// As [`Hash::update`].
    pub fn finish(&self, message: &[u8]) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        self.any.get().finish(message, digest.as_mut());
        digest
    }

    /// Writes the output of all that was absorbed.
    ///
    /// # Errors
    /// [`Error::OutputLength`] unless `out` has the digest's length; extendable-output functions fill
    /// any length.
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        if !self.algorithm.is_xof() && out.len() != self.output_len() {
            return Err(Error::OutputLength);
        }
        self.any.get().finish(&[], out);
        Ok(())
    }

    /// The digest of a message that ends with `bits` further bits, 0 to 7: the high bits of
    /// `last_byte` for SHA-2, the low bits for SHA-3 and SHAKE, as their standards order bits.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7; [`Error::NoBits`] for BLAKE2 and TurboSHAKE,
    /// which are defined for whole bytes.
    pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<VarDigest, Error> {
        let mut digest = VarDigest::zero(self.output_len());
        self.any.get().finish_bits(last_byte, bits, digest.as_mut())?;
        Ok(digest)
    }

    /// The output, from its beginning.
    ///
    /// # Errors
    /// [`Error::NotExtendable`] if the algorithm is not an extendable-output function.
    pub fn finalize_xof(&self) -> Result<XofReader, Error> {
        self.sponge().map(|sponge| XofReader(sponge.squeeze()))
    }

    /// The output for a message that ends with `bits` further bits: see
    /// [`finalize_bits`](Self::finalize_bits).
    ///
    /// # Errors
    /// As `finalize_bits`, and [`Error::NotExtendable`] if the algorithm is not SHAKE.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        let sponge = self.sponge()?;
        sponge.check_bits()?;
        sponge.squeeze_bits(last_byte, bits).map(XofReader)
    }

    fn sponge(&self) -> Result<&Sponge, Error> {
        match &self.any {
            Any::Keccak(sponge) if self.algorithm.is_xof() => Ok(sponge),
            _ => Err(Error::NotExtendable),
        }
    }

    /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes.
    ///
    /// # Errors
    /// As [`Hash::finish_many`].
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
        finish_checked(messages, outputs, (stream.room(), len), &finish)
    }

    /// The state, to be continued later: see [`Exported`](crate::Exported).
    pub fn export(&self) -> crate::state::Exported {
        export(self.algorithm, self.any.get())
    }

    /// A hasher in a state that any hasher's `export` gave; the state says of which algorithm.
    ///
    /// # Errors
    /// As [`Hash::import`].
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        let (algorithm, mut import) = import(state)?;
        let mut hasher = algorithm.hasher();
        hasher.any.get_mut().load(&mut import)?;
        import.end()?;
        Ok(hasher)
    }
}

/// [`AnyHasher::update_many`] for the hashers of one algorithm, whose streams `pick` gives.
fn update_those<S: Stream>(
    hashers: &mut [AnyHasher],
    indexes: &[usize],
    pieces: &dyn Messages,
    pick: fn(&mut Any) -> Option<&mut S>,
) -> Result<(), Error> {
    update_checked(&mut Those { hashers, indexes, pick }, indexes.len(), pieces)
}

/// The hashers of one algorithm among others.
struct Those<'a, S> {
    hashers: &'a mut [AnyHasher],
    indexes: &'a [usize],
    pick: fn(&mut Any) -> Option<&mut S>,
}

impl<S> Streams<S> for Those<'_, S> {
    fn stream(&mut self, index: usize) -> &mut S {
        match (self.pick)(&mut self.hashers[self.indexes[index]].any) {
            Some(stream) => stream,
            None => unreachable!("the indexes are of hashers of this algorithm"),
        }
    }
}

impl fmt::Debug for AnyHasher {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHasher").field(&self.algorithm).finish()
    }
}

bytes_in!([] AnyHasher, read crate::hasher::READ_LEN);

/// What HMAC offers, whichever its hash function is.
trait Mac: Send + Sync {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error>;
    fn finish(&self, message: &[u8], tag: &mut [u8]);
    fn finish_many(&self, messages: &dyn Messages, tags: &mut Slots<'_>);
    /// How many more bytes the standard allows, and the length of a tag.
    fn limits(&self) -> (u128, OutputLen);
}

impl<S: Stream> Mac for Keyed<S> {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.inner.try_update(data)
    }
    fn finish(&self, message: &[u8], tag: &mut [u8]) {
        self.finish(message, tag);
    }
    fn finish_many(&self, messages: &dyn Messages, tags: &mut Slots<'_>) {
        self.finish_many(messages, tags);
    }
    fn limits(&self) -> (u128, OutputLen) {
        (self.inner.room(), self.tag_len())
    }
}

/// HMAC over any algorithm.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "Keccak's is common, and boxing it would allocate")]
enum AnyKeyed {
    Sha256(Keyed<Stream32>),
    Sha512(Keyed<Stream64>),
    Keccak(Keyed<Sponge>),
    Blake2b(Keyed<StreamB>),
    Blake2s(Keyed<StreamS>),
    Blake2bp(Place<Keyed<TreeB>>),
    Blake2sp(Place<Keyed<TreeS>>),
}

impl AnyKeyed {
    fn get(&self) -> &dyn Mac {
        match self {
            AnyKeyed::Sha256(keyed) => keyed,
            AnyKeyed::Sha512(keyed) => keyed,
            AnyKeyed::Keccak(keyed) => keyed,
            AnyKeyed::Blake2b(keyed) => keyed,
            AnyKeyed::Blake2s(keyed) => keyed,
            AnyKeyed::Blake2bp(keyed) => &**keyed,
            AnyKeyed::Blake2sp(keyed) => &**keyed,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Mac {
        match self {
            AnyKeyed::Sha256(keyed) => keyed,
            AnyKeyed::Sha512(keyed) => keyed,
            AnyKeyed::Keccak(keyed) => keyed,
            AnyKeyed::Blake2b(keyed) => keyed,
            AnyKeyed::Blake2s(keyed) => keyed,
            AnyKeyed::Blake2bp(keyed) => &mut **keyed,
            AnyKeyed::Blake2sp(keyed) => &mut **keyed,
        }
    }
}

/// HMAC with a hash function that is chosen at run time. Nothing is allocated, except one box for BLAKE2bp and for
/// BLAKE2sp: see [`AnyHasher`].
///
/// ```
/// use hashmill::Algorithm;
///
/// let mut hmac = Algorithm::Sha3_256.hmac(b"key")?;
/// let tag = hmac.update(b"message").finalize();
/// assert!(hmac.verify(&tag).is_ok());
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone)]
pub struct AnyHmac {
    algorithm: Algorithm,
    keyed: AnyKeyed,
}

impl AnyHmac {
    /// Which hash function it uses.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// As [`Hash::update`].
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        must(self.keyed.get_mut().try_update(data));
        self
    }

    /// The tag of all that was absorbed. The `AnyHmac` is unchanged, and may absorb more.
    pub fn finalize(&self) -> VarDigest {
        self.finish(&[])
    }

    /// What [`finalize`](Self::finalize) would give after `update(message)`; no state is copied.
    ///
    /// # Panics
    /// As [`Hash::update`].
    pub fn finish(&self, message: &[u8]) -> VarDigest {
        let mut tag = VarDigest::zero(self.algorithm.output_len());
        self.keyed.get().finish(message, tag.as_mut());
        tag
    }

    /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes.
    ///
    /// # Errors
    /// As [`Hash::finish_many`].
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        tags: &mut O,
    ) -> Result<(), Error> {
        let keyed = self.keyed.get();
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| keyed.finish_many(part, slots);
        finish_checked(messages, tags, keyed.limits(), &finish)
    }

    /// Whether `tag` is the tag of all that was absorbed, in a time that does not tell where they
    /// differ.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if it is not, or not of full length.
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
    /// A hasher that has absorbed nothing; BLAKE2 without a key, TurboSHAKE in domain 0x1F.
    pub fn hasher(self) -> AnyHasher {
        AnyHasher { algorithm: self, any: Blank::of(self).any() }
    }

    /// The digest of a message.
    pub fn hash(self, message: &[u8]) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        Blank::of(self).get().finish(message, digest.as_mut());
        digest
    }

    /// HMAC with this algorithm.
    ///
    /// # Errors
    /// [`Error::NoHmac`] for an extendable-output function.
    pub fn hmac(self, key: &[u8]) -> Result<AnyHmac, Error> {
        match self.is_xof() {
            true => Err(Error::NoHmac),
            false => {
                let keyed = Blank::of(self).keyed(self.block_len(), key);
                Ok(AnyHmac { algorithm: self, keyed })
            }
        }
    }

    /// HMAC of a message: [`hmac`](Self::hmac) in one call.
    ///
    /// # Errors
    /// As [`hmac`](Self::hmac).
    ///
    /// ```
    /// use hashmill::{Algorithm, Hmac, Sha256};
    ///
    /// let tag = Hmac::<Sha256>::new(b"key").finish(b"message");
    /// assert_eq!(Algorithm::Sha256.mac(b"key", b"message")?, tag[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn mac(self, key: &[u8], message: &[u8]) -> Result<VarDigest, Error> {
        let mut tag = VarDigest::zero(self.output_len());
        match Blank::of(self) {
            _ if self.is_xof() => return Err(Error::NoHmac),
            Blank::Sha256(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Sha512(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Keccak(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Blake2b(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Blake2s(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Blake2bp(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
            Blank::Blake2sp(stream) => mac(stream, self.block_len(), [key, message], tag.as_mut()),
        }
        Ok(tag)
    }

    /// The backends of its block function, best first.
    pub fn backends(self) -> impl Iterator<Item = Info> {
        (0..).map_while(Blank::of(self).backend())
    }
}

/// HMAC in one call.
fn mac<S: Stream>(stream: &S, block_len: usize, [key, message]: [&[u8]; 2], tag: &mut [u8]) {
    Keyed::new(*stream, block_len, key).finish(message, tag);
}
