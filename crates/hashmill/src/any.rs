//! Hashers whose function is chosen at run time.
//!
//! [`Hashing`] is what every hasher can do, with or without parameters; a method that a function
//! does not have is an error. `dyn Hashing` is a hasher chosen at run time, wherever it is stored:
//! the C library stores each as its own type in the caller's memory, and [`AnyHasher`] stores one
//! as a value.

use crate::algorithm::Algorithm;
use crate::arguments::Key;
#[cfg(feature = "ascon")]
use crate::ascon::{AsconReader, Sponge as AsconSponge};
#[cfg(feature = "ascon")]
use crate::ascon_cxof::AsconCXof128;
use crate::backend::Info;
use crate::backend::LANES;
#[cfg(feature = "blake2")]
use crate::blake2::params::LastNode;
#[cfg(feature = "blake2")]
use crate::blake2::{StreamB, StreamS};
#[cfg(feature = "blake2")]
use crate::blake2_params::{blake2b, blake2bp, blake2s, blake2sp};
#[cfg(feature = "blake2")]
use crate::blake2x::{Blake2x, Blake2xReader};
#[cfg(feature = "blake3")]
use crate::blake3::output::Blake3Reader;
use crate::derived::{Derivation, Derived};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::facts::Facts;
use crate::function::{self, Function, Visitor};
use crate::hasher::{
    BATCH, Hash, Hasher, IMPORT, MANY, Stream, bytes_in, export, finish_batch, finish_checked,
    import, in_turn,
};
use crate::held::{Held, Hold, streams};
use crate::hmac::{Hmac, Keyed, absorb_key, finish, finish_many, run_wiped_key, update};
#[cfg(feature = "sha3")]
use crate::k12::KangarooTwelve;
#[cfg(feature = "sha3")]
use crate::keccak::{Sponge, XofReader, readers::fill_group};
use crate::keyed_state::{open, seal};
use crate::messages::{Messages, OutputLen, Outputs, Sealed, Slots, indexed};
#[cfg(feature = "sha3")]
use crate::sp800_185::{CShake, Kmac, ParallelHash, TupleHash};
use crate::state::Exported;
use crate::stream::must;
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;
use crate::wipe::{Secret, run_wiped};
use core::borrow::BorrowMut;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::str::FromStr;

/// A hash in progress, of any function: [`Hash`](struct@Hash), [`Derived`], [`Hmac`] or [`AnyHmac`].
///
/// `dyn Hashing` is a hasher whose function is chosen at run time. The methods with default
/// implementations belong to some functions only; the others return an error.
///
/// ```
/// use hashmill::{Blake2b, CShake128, Customization, FunctionName, Hashing};
///
/// let email = CShake128::new(FunctionName(b""), Customization(b"Email Signature"));
/// let hashers: [Box<dyn Hashing>; 2] = [Box::new(Blake2b::new()), Box::new(email)];
/// for mut hasher in hashers {
///     hasher.try_update(b"abc")?;
///     println!("{}: {}", hasher.name(), hasher.finalize());
/// }
/// # Ok::<(), hashmill::Error>(())
/// ```
pub trait Hashing: Sealed + Send + Sync {
    #[doc(hidden)]
    fn facts(&self) -> &'static Facts;

    /// Whether the output may have any length; the length that it must have otherwise, and its
    /// usual length if any is allowed.
    #[doc(hidden)]
    fn output(&self) -> OutputLen {
        let facts = self.facts();
        let len = self.stream().map_or(facts.output_len, |stream| stream.output_len());
        OutputLen { len, any: facts.is_xof }
    }

    /// Returns how many more bytes the standard allows.
    #[doc(hidden)]
    fn room(&self) -> u128 {
        self.stream().map_or(u128::MAX, |stream| stream.room())
    }

    /// Absorbs the next part of the message; for TupleHash, of the element that was begun.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`], or for TupleHash the errors of
    /// [`begin_element`](Self::begin_element). Nothing is absorbed then.
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        let is_mac = self.outer().is_some();
        let stream = self.stream_mut().ok_or(Error::Operation)?;
        if is_mac { update(stream, data) } else { stream.try_update(data) }
    }

    /// Does the same as `try_update` on the threads of rayon's pool, if the function is a tree.
    ///
    /// # Errors
    /// See `try_update`.
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.message_stream().is_none() {
            return self.try_update(data);
        }
        self.stream_mut().ok_or(Error::Operation)?.try_update_rayon(data)
    }

    /// Fills `out` with the output for the bytes absorbed so far followed by `message`. The hasher
    /// is unchanged. The output of KMAC, TupleHash and ParallelHash depends on the length of
    /// `out`; that of [`squeeze`](Self::squeeze) does not.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `out` does not have the digest's length, and the errors of
    /// [`try_update`](Self::try_update). Nothing is written then.
    fn hash_into(&self, message: &[u8], mut out: &mut [u8]) -> Result<(), Error> {
        let Some(stream) = self.stream() else { return self.batch(&[message], &mut out) };
        self.output().check(out.len())?;
        if message.len() as u128 > stream.room() {
            return Err(Error::MessageTooLong);
        }
        match self.outer() {
            Some(outer) => finish([stream, outer], message, out),
            None => stream.finish(message, out),
        }
        Ok(())
    }

    /// Fills `out` with the output for the bytes absorbed so far followed by `bits` bits, 0 to 7,
    /// of `last_byte`: see [`Hash::finalize_bits`].
    ///
    /// # Errors
    /// [`Error::NoBits`] if the function takes whole bytes only, [`Error::TooManyBits`] if `bits`
    /// is more than 7, and the errors of [`hash_into`](Self::hash_into).
    fn finalize_bits_into(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        let stream = self.message_stream().ok_or(Error::NoBits)?;
        self.output().check(out.len())?;
        stream.finish_bits(last_byte, bits, out)
    }

    /// Writes the output of [`hash_into`](Self::hash_into) for every message. The messages are
    /// hashed side by side in SIMD lanes where that is faster.
    ///
    /// # Errors
    /// See [`Hash::hash_many`].
    fn batch(&self, messages: &dyn Messages, outputs: &mut dyn Outputs) -> Result<(), Error> {
        let stream = self.stream().ok_or(Error::Operation)?;
        let Some(outer) = self.outer() else {
            return finish_batch(stream, messages, outputs, self.output());
        };
        let many = |part: &dyn Messages, slots: &mut Slots<'_>| {
            finish_many([stream, outer], part, slots);
        };
        let one = |message: &[u8], out: &mut [u8]| finish([stream, outer], message, out);
        let one = in_turn(stream, messages).then_some(one);
        finish_checked(messages, outputs, (stream.room(), self.output()), one, &many)
    }

    /// Returns a reader of the output of any length, from its beginning. The hasher is unchanged.
    ///
    /// # Errors
    /// [`Error::NotExtendable`] if the output has a fixed length.
    fn squeeze(&self) -> Result<AnyReader, Error> {
        let stream = self.message_stream().filter(|_| self.facts().is_xof);
        let Some(_stream) = stream else { return Err(Error::NotExtendable) };
        #[cfg(feature = "blake3")]
        if let Some(tree) = _stream.of_type::<Tree3>() {
            return Ok(AnyReader::Blake3(tree.reader()));
        }
        #[cfg(feature = "ascon")]
        if let Some(sponge) = _stream.of_type::<AsconSponge>() {
            return Ok(AnyReader::Ascon(AsconReader::new(sponge)));
        }
        #[cfg(feature = "sha3")]
        if let Some(sponge) = _stream.of_type::<Sponge>() {
            return Ok(AnyReader::Sponge(sponge.reader()));
        }
        Err(Error::NotExtendable)
    }

    /// Returns a reader of the output for a message that ends with `bits` further bits: see
    /// [`Hash::squeeze_bits`].
    ///
    /// # Errors
    /// [`Error::NotExtendable`] if the output has a fixed length; otherwise as
    /// [`finalize_bits_into`](Self::finalize_bits_into).
    fn squeeze_bits(&self, _last_byte: u8, _bits: u32) -> Result<AnyReader, Error> {
        let _stream = self.message_stream().filter(|_| self.facts().is_xof);
        #[cfg(feature = "ascon")]
        if let Some(sponge) = _stream.and_then(|stream| stream.of_type::<AsconSponge>()) {
            return AsconReader::of_bits(sponge, _last_byte, _bits).map(AnyReader::Ascon);
        }
        #[cfg(feature = "sha3")]
        if let Some(sponge) = _stream.and_then(|stream| stream.of_type::<Sponge>()) {
            return sponge.reader_bits(_last_byte, _bits).map(AnyReader::Sponge);
        }
        self.squeeze().and(Err(Error::NoBits))
    }

    /// Returns a reader of KangarooTwelve's output with a customization string, which follows the
    /// message.
    ///
    /// # Errors
    /// [`Error::Operation`] if the function takes no customization string after the message.
    fn squeeze_custom(&self, _customization: &[u8]) -> Result<AnyReader, Error> {
        Err(Error::Operation)
    }

    /// Adds an element to the tuple of TupleHash.
    ///
    /// # Errors
    /// [`Error::Operation`] if the function hashes a message and no tuple;
    /// [`Error::ElementLength`] if the last element is incomplete.
    fn element(&mut self, element: &[u8]) -> Result<(), Error> {
        self.begin_element(element.len() as u64)?;
        if element.is_empty() { Ok(()) } else { self.try_update(element) }
    }

    /// Begins an element of `len` bytes, which [`try_update`](Self::try_update) then absorbs in
    /// parts.
    ///
    /// # Errors
    /// See [`element`](Self::element).
    fn begin_element(&mut self, _len: u64) -> Result<(), Error> {
        Err(Error::Operation)
    }

    /// Sets whether this node is the last one of its level: see [`Hash::set_last_node`].
    ///
    /// # Errors
    /// [`Error::Operation`] if the function is not BLAKE2b or BLAKE2s.
    #[cfg(feature = "blake2")]
    fn set_last_node(&mut self, last_node: LastNode) -> Result<(), Error> {
        if self.outer().is_some() {
            return Err(Error::Operation);
        }
        let stream = self.stream_mut().ok_or(Error::Operation)?;
        if let Some(stream) = stream.of_type_mut::<StreamB>() {
            stream.last_node = last_node;
        } else if let Some(stream) = stream.of_type_mut::<StreamS>() {
            stream.last_node = last_node;
        } else {
            return Err(Error::Operation);
        }
        Ok(())
    }

    /// Exports the state, so that the message can be continued later: see [`Exported`].
    ///
    /// # Errors
    /// [`Error::Operation`] if the state of this function cannot be exported.
    fn export(&self) -> Result<Exported, Error> {
        let stream = self.message_stream().ok_or(Error::Operation)?;
        Ok(export(self.facts().code, stream))
    }

    /// Exports the state with a tag under `key`, for a state that is stored where others can write:
    /// see [`Hash::export_keyed`].
    ///
    /// # Errors
    /// See [`export`](Self::export).
    fn export_keyed(&self, key: &[u8]) -> Result<Exported, Error> {
        self.export().map(|state| seal(state, key))
    }

    /// Creates a hasher from a state that [`export_keyed`](Self::export_keyed) returned under the
    /// same key.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if the state was changed, or was exported under another key or without
    /// one, and the errors of [`import`](Self::import).
    fn import_keyed(state: &[u8], key: &[u8]) -> Result<Self, Error>
    where
        Self: Sized,
    {
        Self::import(open(state, key)?)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// See [`Hash::import`]; [`Error::StateDamaged`] if this function does not export states.
    fn import(_state: &[u8]) -> Result<Self, Error>
    where
        Self: Sized,
    {
        Err(Error::StateDamaged)
    }

    /// Returns a copy of the hasher, which may absorb other bytes.
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher;

    /// Returns the stream, if this is a hasher of a stream: hashers of one function can then be
    /// updated together in lanes.
    #[doc(hidden)]
    fn stream(&self) -> Option<&dyn Stream> {
        None
    }
    #[doc(hidden)]
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        None
    }
    /// Returns the stream that hashes the digest of the first one, if this is HMAC.
    #[doc(hidden)]
    fn outer(&self) -> Option<&dyn Stream> {
        None
    }
    /// Returns the stream, if the output is that of the stream alone.
    #[doc(hidden)]
    fn message_stream(&self) -> Option<&dyn Stream> {
        self.stream().filter(|_| self.outer().is_none())
    }
}

impl dyn Hashing + '_ {
    /// Returns the name of the function in its standard; for HMAC that of its hash function.
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// Returns the number of the function in exported states and in other languages; for HMAC that
    /// of its hash function.
    pub fn code(&self) -> u8 {
        self.facts().code
    }

    /// Returns the length of the digest that `finalize` returns, in bytes. If the
    /// output may have any length, this is its usual length.
    pub fn output_len(&self) -> usize {
        self.output().len
    }

    /// Whether the output may have any length.
    pub fn is_extendable(&self) -> bool {
        self.output().any
    }

    /// Returns the number of bytes absorbed so far, if the function counts them: see
    /// [`Hash::count`]. The key of HMAC does not count.
    pub fn count(&self) -> Option<u128> {
        let key = if self.outer().is_some() { self.facts().block_len } else { 0 };
        Some(self.stream()?.count()? - key as u128)
    }

    /// Returns the digest of the bytes absorbed so far. The hasher is unchanged and may absorb
    /// more.
    ///
    /// # Panics
    /// If the last element of TupleHash is incomplete, or if BLAKE2X was built with an output
    /// longer than 64 bytes. [`hash_into`](Hashing::hash_into) returns an error instead.
    pub fn finalize(&self) -> VarDigest {
        self.hash(b"")
    }

    /// Returns the chaining value of the subtree of BLAKE3 over `data`, which begins at byte
    /// `offset` of the message, or `None` if these bytes are not one subtree: see
    /// [`Blake3::subtree`](Hash::subtree).
    ///
    /// # Errors
    /// [`Error::Operation`] if the function is not BLAKE3.
    #[cfg(feature = "blake3")]
    pub fn subtree(&self, offset: u64, data: &[u8]) -> Result<Option<[u8; 32]>, Error> {
        Ok(self.tree()?.subtree(offset, data))
    }

    /// Returns the chaining value of the parent of two subtrees of BLAKE3, which is not the root: see
    /// [`Blake3::parent`](Hash::parent).
    ///
    /// # Errors
    /// [`Error::Operation`] if the function is not BLAKE3.
    #[cfg(feature = "blake3")]
    pub fn parent(&self, left: &[u8; 32], right: &[u8; 32]) -> Result<[u8; 32], Error> {
        Ok(self.tree()?.parent(left, right))
    }

    /// Returns a reader of BLAKE3's output for a message whose root has these two children: see
    /// [`Blake3::root`](Hash::root).
    ///
    /// # Errors
    /// [`Error::Operation`] if the function is not BLAKE3.
    #[cfg(feature = "blake3")]
    pub fn root(&self, left: &[u8; 32], right: &[u8; 32]) -> Result<AnyReader, Error> {
        Ok(AnyReader::Blake3(self.tree()?.root_of(left, right)))
    }

    #[cfg(feature = "blake3")]
    fn tree(&self) -> Result<&Tree3, Error> {
        self.message_stream().and_then(|stream| stream.of_type()).ok_or(Error::Operation)
    }

    /// Returns the digest of the bytes absorbed so far followed by `bits` bits of `last_byte`.
    ///
    /// # Errors
    /// See [`finalize_bits_into`](Hashing::finalize_bits_into).
    pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<VarDigest, Error> {
        let mut digest = VarDigest::zero(self.output_len());
        self.finalize_bits_into(last_byte, bits, digest.as_mut())?;
        Ok(digest)
    }

    /// Returns the digest of the bytes absorbed so far followed by `message`. The hasher is
    /// unchanged.
    ///
    /// # Panics
    /// If the message becomes longer than the standard allows, and as
    /// `finalize`.
    #[inline]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        must(self.hash_into(message.as_ref(), digest.as_mut()));
        digest
    }

    /// Writes the output of [`hash_into`](Hashing::hash_into) for every message. The messages are
    /// hashed side by side in SIMD lanes where that is faster.
    ///
    /// # Errors
    /// See [`Hash::hash_many`].
    ///
    /// ```
    /// use hashmill::Algorithm;
    ///
    /// let mut digests = [0; 2 * 32];
    /// Algorithm::Sha256.hasher().hash_many(["one", "two"], &mut digests)?;
    /// assert_eq!(digests[32..], hashmill::sha256(b"two")[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        mut outputs: &mut O,
    ) -> Result<(), Error> {
        self.batch(&messages, &mut outputs)
    }

    /// Checks whether `tag` is the tag of the bytes absorbed so far, in a time that does not depend
    /// on where the two differ.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if the two differ, or `tag` does not have the full length.
    pub fn verify(&self, tag: impl AsRef<[u8]>) -> Result<(), Error> {
        match self.finalize() == *tag.as_ref() {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }

    /// Absorbs the next piece of every hasher's own message. Hashers of one function absorb their
    /// pieces side by side in SIMD lanes.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if the number of pieces differs from the number of hashers;
    /// [`Error::MessageTooLong`] if a message would become too long. No hasher has absorbed
    /// anything then. The errors of [`try_update`](Hashing::try_update) for TupleHash.
    pub fn update_many<'h, H: DerefMut<Target = dyn Hashing + 'h>, M: Messages + ?Sized>(
        hashers: &mut [H],
        pieces: &M,
    ) -> Result<(), Error> {
        if hashers.len() != pieces.count() {
            return Err(Error::piece_count(pieces.count(), hashers.len()));
        }
        let too_long = |(i, hasher): (usize, &H)| pieces.message(i).len() as u128 > hasher.room();
        if hashers.iter().enumerate().any(too_long) {
            return Err(Error::MessageTooLong);
        }
        for (i, hashers) in hashers.chunks_mut(BATCH).enumerate() {
            let pieces = indexed(hashers.len(), |k| pieces.message(BATCH * i + k));
            let keyed = hashers.iter().any(|hasher| hasher.outer().is_some());
            match keyed {
                true => run_wiped(MANY, || update_batch(hashers, &pieces))?,
                false => update_batch(hashers, &pieces)?,
            }
        }
        Ok(())
    }

    /// Writes for every hasher the output for the bytes that it has absorbed followed by its own
    /// message. The hashers, which must be of one function, are hashed side by side in SIMD lanes.
    ///
    /// # Errors
    /// [`Error::PieceCount`] if the number of messages differs from the number of hashers;
    /// [`Error::Operation`] if the hashers are not of one function, or not hashers of a
    /// message alone; and as [`Hash::hash_each`].
    pub fn hash_each<
        'h,
        H: Deref<Target = dyn Hashing + 'h>,
        M: Messages + ?Sized,
        O: Outputs + ?Sized,
    >(
        hashers: &[H],
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        if hashers.len() != messages.count() {
            return Err(Error::piece_count(messages.count(), hashers.len()));
        }
        let Some(first) = hashers.first() else {
            return outputs.slots(0, OutputLen { len: 0, any: true }).map(drop);
        };
        let output = first.output();
        for (index, hasher) in hashers.iter().enumerate() {
            if hasher.code() != first.code() || hasher.message_stream().is_none() {
                return Err(Error::Operation);
            }
            if messages.message(index).len() as u128 > hasher.room() {
                return Err(Error::MessageTooLong);
            }
            if !output.any && hasher.output_len() != output.len {
                return Err(Error::output_len(hasher.output_len(), output.len));
            }
        }
        let mut slots = outputs.slots(hashers.len(), output)?;
        let stream = |index: usize| hashers[index].stream().expect("a stream, as was checked");
        stream(0).finish_all(&stream, &messages, &mut slots);
        Ok(())
    }
}

/// Absorbs each piece into its hasher. Hashers of one function absorb theirs together.
fn update_batch<'h, H: DerefMut<Target = dyn Hashing + 'h>>(
    hashers: &mut [H],
    pieces: &dyn Messages,
) -> Result<(), Error> {
    let mut done = [false; BATCH];
    for first in 0..hashers.len() {
        if done[first] {
            continue;
        }
        let (code, mut indexes, mut count) = (hashers[first].code(), [0; BATCH], 0);
        let Some(algorithm) = hashers[first].stream().and(Algorithm::from_code(code)) else {
            hashers[first].try_update(pieces.message(first))?;
            continue;
        };
        for index in first..hashers.len() {
            if hashers[index].code() == code {
                (done[index], indexes[count]) = (true, index);
                count += 1;
            }
        }
        let indexes = &indexes[..count];
        let pieces = indexed(count, |k| pieces.message(indexes[k]));
        let those = hashers.iter_mut().filter(|hasher| hasher.code() == code);
        let mut streams = those.filter_map(|hasher| hasher.stream_mut());
        blank(algorithm).update_each(&mut streams, &pieces);
    }
    Ok(())
}

/// Returns the stream of an algorithm that has absorbed nothing.
fn blank(algorithm: Algorithm) -> &'static dyn Stream {
    struct Blank;
    impl Visitor for Blank {
        type Output = &'static dyn Stream;
        fn visit<F: Function>(self) -> &'static dyn Stream {
            F::STREAM
        }
    }
    algorithm.with(Blank)
}

// ---- The hashers of a stream ----

impl<F: Function> Hashing for Hash<F> {
    fn facts(&self) -> &'static Facts {
        &F::FACTS
    }
    fn import(state: &[u8]) -> Result<Self, Error> {
        Hash::import(state)
    }
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher {
        AnyHasher(Place::InPlace(InPlace { facts: &F::FACTS, held: self.stream.hold() }))
    }
    fn stream(&self) -> Option<&dyn Stream> {
        Some(&*self.stream)
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(&mut *self.stream)
    }
}

// ---- The hashers of functions with parameters ----

impl<F: Derivation<Reader: Into<AnyReader>>> Hashing for Derived<F> {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }
    fn output(&self) -> OutputLen {
        // A tuple with an incomplete element has no output, but a usual length of one.
        let usual = OutputLen { len: F::FACTS.output_len, any: true };
        F::output(&self.stream).unwrap_or(usual)
    }
    fn hash_into(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error> {
        match message {
            [] => self.finalize_into(out),
            _ if F::IS_TUPLE => Err(Error::Operation),
            _ => self.hash_to(message, out),
        }
    }
    fn finalize_bits_into(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        self.bits_into(last_byte, bits, 8 * out.len() as u128, out)
    }
    fn batch(&self, messages: &dyn Messages, outputs: &mut dyn Outputs) -> Result<(), Error> {
        match F::IS_TUPLE {
            true => Err(Error::Operation),
            false => self.hash_many(messages, outputs),
        }
    }
    fn squeeze(&self) -> Result<AnyReader, Error> {
        F::output(&self.stream)?;
        Ok(F::reader(&self.stream).into())
    }
    fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<AnyReader, Error> {
        self.squeeze_bits(last_byte, bits).map(Into::into)
    }
    fn squeeze_custom(&self, customization: &[u8]) -> Result<AnyReader, Error> {
        F::reader_custom(&self.stream, customization).map(Into::into)
    }
    fn begin_element(&mut self, len: u64) -> Result<(), Error> {
        F::begin(&mut self.stream, len)
    }
    fn export(&self) -> Result<Exported, Error> {
        Ok(self.export())
    }
    fn import(state: &[u8]) -> Result<Self, Error> {
        Self::import(state)
    }
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher {
        in_box(|| self.clone())
    }
    fn stream(&self) -> Option<&dyn Stream> {
        Some(&*self.stream)
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(&mut *self.stream)
    }
    fn message_stream(&self) -> Option<&dyn Stream> {
        self.stream().filter(|_| !F::IS_TUPLE)
    }
}

// ---- HMAC ----

impl<H: Hasher> Hashing for Hmac<H> {
    fn facts(&self) -> &'static Facts {
        &H::Function::FACTS
    }
    fn batch(&self, messages: &dyn Messages, tags: &mut dyn Outputs) -> Result<(), Error> {
        self.hash_many(messages, tags)
    }
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher {
        in_box(|| self.clone())
    }
    fn stream(&self) -> Option<&dyn Stream> {
        Some(&self.keyed.inner)
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(&mut self.keyed.inner)
    }
    fn outer(&self) -> Option<&dyn Stream> {
        Some(&self.keyed.outer)
    }
}

/// HMAC with a hash function that is chosen at run time. It allocates nothing, except two boxes for
/// BLAKE2bp or BLAKE2sp if the feature `alloc` is on: see [`AnyHasher`].
///
/// Its methods are those of [`dyn Hashing`](Hashing).
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
    inner: Held,
    outer: Held,
}

impl Clone for AnyHmac {
    /// Not inlined, so that the compiler makes no further copy of the states.
    #[inline(never)]
    fn clone(&self) -> Self {
        let AnyHmac { algorithm, inner, outer } = self;
        run_wiped(2 * size_of::<Self>(), || AnyHmac {
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
        (self.inner, self.outer) = (held(self.algorithm), held(self.algorithm));
        let streams = [self.inner.get_mut(), self.outer.get_mut()];
        absorb_key(streams, self.algorithm.block_len(), key);
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// See [`Hash::update`].
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.try_update(data.as_ref()));
        self
    }

    /// Absorbs the next piece of every message: see [`dyn Hashing`](Hashing#method.update_many).
    ///
    /// # Errors
    /// See there.
    pub fn update_many<M: Messages + ?Sized>(
        hmacs: &mut [AnyHmac],
        pieces: &M,
    ) -> Result<(), Error> {
        <dyn Hashing>::update_many(hmacs, pieces)
    }
}

impl Hashing for AnyHmac {
    fn facts(&self) -> &'static Facts {
        self.algorithm.facts()
    }
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher {
        in_box(|| self.clone())
    }
    fn stream(&self) -> Option<&dyn Stream> {
        Some(self.inner.get())
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(self.inner.get_mut())
    }
    fn outer(&self) -> Option<&dyn Stream> {
        Some(self.outer.get())
    }
}

impl Deref for AnyHmac {
    type Target = dyn Hashing;
    fn deref(&self) -> &Self::Target {
        self
    }
}

impl DerefMut for AnyHmac {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self
    }
}

impl fmt::Debug for AnyHmac {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHmac").field(&self.algorithm).finish()
    }
}

bytes_in!([] AnyHmac, read [0; crate::hasher::READ_LEN]);

// ---- A hasher as a value ----

/// A hasher whose function is chosen at run time, as a value.
///
/// A hasher of an [`Algorithm`] is stored in place and allocates nothing, except one box for
/// BLAKE2bp, BLAKE2sp or BLAKE3 if the feature `alloc` is on (`std` implies it). Without that
/// feature these states are stored inline, and every `AnyHasher` has the size of the largest state.
/// The hashers of other functions are in a box, and need the feature.
///
/// Its methods are those of [`dyn Hashing`](Hashing).
///
/// ```
/// use hashmill::{Algorithm, AnyHasher, Kt128};
///
/// let algorithms = [Algorithm::Sha256, Algorithm::Blake2b].map(Algorithm::hasher);
/// for mut hasher in algorithms.into_iter().chain([Kt128::new().into()]) {
///     hasher.update(b"abc");
///     println!("{} {}", hasher.name(), hasher.finalize());
/// }
/// ```
pub struct AnyHasher(Place);

#[allow(clippy::large_enum_variant, reason = "algorithms are stored in place, without a heap")]
enum Place {
    InPlace(InPlace),
    #[cfg(feature = "alloc")]
    Boxed(alloc::boxed::Box<dyn Hashing>),
}

/// A hasher of an algorithm.
struct InPlace {
    facts: &'static Facts,
    held: Held,
}

impl Sealed for InPlace {}

impl Hashing for InPlace {
    fn facts(&self) -> &'static Facts {
        self.facts
    }
    #[cfg(feature = "alloc")]
    fn fork(&self) -> AnyHasher {
        AnyHasher(Place::InPlace(InPlace { facts: self.facts, held: self.held.clone() }))
    }
    #[inline]
    fn stream(&self) -> Option<&dyn Stream> {
        Some(self.held.get())
    }
    #[inline]
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(self.held.get_mut())
    }
}

macro_rules! get {
    ($($(#[$cfg:meta])? $Variant:ident: $Storage:ident<$Stream:ident>;)*) => {
        impl Held {
            #[inline]
            pub(crate) fn get(&self) -> &dyn Stream {
                match self {
                    $($(#[$cfg])? Held::$Variant(held) => {
                        let stream: &Secret<_> = held;
                        &**stream
                    })*
                }
            }

            #[inline]
            pub(crate) fn get_mut(&mut self) -> &mut dyn Stream {
                match self {
                    $($(#[$cfg])? Held::$Variant(held) => {
                        let stream: &mut Secret<_> = held;
                        &mut **stream
                    })*
                }
            }
        }
    };
}

streams!(get);

/// Returns the stream of an algorithm that has absorbed nothing, in its storage.
fn held(algorithm: Algorithm) -> Held {
    struct New;
    impl Visitor for New {
        type Output = Held;
        fn visit<F: Function>(self) -> Held {
            F::STREAM.hold()
        }
    }
    algorithm.with(New)
}

impl<F: Function> From<Hash<F>> for AnyHasher {
    #[inline(never)]
    fn from(hasher: Hash<F>) -> Self {
        run_wiped(4096, || {
            let mut any =
                AnyHasher(Place::InPlace(InPlace { facts: &F::FACTS, held: F::STREAM.hold() }));
            let place = any.stream_mut().and_then(|stream| stream.of_type_mut::<F::Stream>());
            *place.expect("the function's stream") = *hasher.stream;
            any
        })
    }
}

/// Puts a hasher into a box. It leaves no copy of the hasher that `make` returns.
#[cfg(feature = "alloc")]
fn in_box<H: Hashing + 'static>(make: impl FnOnce() -> H) -> AnyHasher {
    run_wiped(4096, || AnyHasher(Place::Boxed(alloc::boxed::Box::new(make()))))
}

impl<H: Hasher> Sealed for Hmac<H> {}
impl Sealed for AnyHmac {}

#[cfg(feature = "alloc")]
impl<H: Hasher> From<Hmac<H>> for AnyHasher {
    #[inline(never)]
    fn from(hmac: Hmac<H>) -> Self {
        in_box(|| hmac)
    }
}

#[cfg(feature = "alloc")]
impl From<AnyHmac> for AnyHasher {
    #[inline(never)]
    fn from(hmac: AnyHmac) -> Self {
        in_box(|| hmac)
    }
}

#[cfg(feature = "alloc")]
impl<F: Derivation<Reader: Into<AnyReader>>> From<Derived<F>> for AnyHasher {
    #[inline(never)]
    fn from(hasher: Derived<F>) -> Self {
        in_box(|| hasher)
    }
}

impl Clone for AnyHasher {
    fn clone(&self) -> Self {
        match &self.0 {
            Place::InPlace(InPlace { facts, held }) => {
                AnyHasher(Place::InPlace(InPlace { facts, held: held.clone() }))
            }
            #[cfg(feature = "alloc")]
            Place::Boxed(hasher) => hasher.fork(),
        }
    }
}

#[cfg(feature = "alloc")]
impl From<AnyHasher> for alloc::boxed::Box<dyn Hashing> {
    fn from(hasher: AnyHasher) -> Self {
        match hasher.0 {
            Place::InPlace(hasher) => alloc::boxed::Box::new(hasher),
            Place::Boxed(hasher) => hasher,
        }
    }
}

impl From<Algorithm> for AnyHasher {
    /// Does the same as [`Algorithm::hasher`].
    fn from(algorithm: Algorithm) -> Self {
        algorithm.hasher()
    }
}

impl FromStr for AnyHasher {
    type Err = Error;

    /// Creates a hasher of the function with that name, which [`Algorithm`] parses, too. After the
    /// name may be a length of the digest in bits: `blake2b-256`. KT128 and KT256, which are no
    /// `Algorithm`s, need the feature `alloc`.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`] if no function has this name, or not this length. An
    /// extendable-output function takes its length later.
    ///
    /// ```
    /// use hashmill::AnyHasher;
    ///
    /// let mut hasher: AnyHasher = "sha-512/256".parse()?;
    /// assert_eq!(hasher.update("abc").finalize(), hashmill::sha512_256("abc")[..]);
    ///
    /// let short: AnyHasher = "blake2b-256".parse()?;
    /// assert_eq!(short.output_len(), 32);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    fn from_str(name: &str) -> Result<Self, Error> {
        if let Ok(algorithm) = name.parse::<Algorithm>() {
            return Ok(algorithm.hasher());
        }
        #[cfg(all(feature = "alloc", feature = "sha3"))]
        match name {
            _ if name.eq_ignore_ascii_case("kt128") => {
                return Ok(KangarooTwelve::<168>::new().into());
            }
            _ if name.eq_ignore_ascii_case("kt256") => {
                return Ok(KangarooTwelve::<136>::new().into());
            }
            _ => {}
        }
        #[cfg(feature = "blake2")]
        {
            let (algorithm, len) = Algorithm::parse_with_len(name)?;
            Ok(match algorithm {
                Algorithm::Blake2b => blake2b::Params::new().output_len(len).build()?.into(),
                Algorithm::Blake2s => blake2s::Params::new().output_len(len).build()?.into(),
                Algorithm::Blake2bp => blake2bp::Params::new().output_len(len).build()?.into(),
                Algorithm::Blake2sp => blake2sp::Params::new().output_len(len).build()?.into(),
                _ => return Err(Error::UnknownAlgorithm),
            })
        }
        #[cfg(not(feature = "blake2"))]
        Err(Error::UnknownAlgorithm)
    }
}

impl AnyHasher {
    /// Returns the algorithm, or `None` if the function is not an [`Algorithm`].
    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.0 {
            Place::InPlace(hasher) => Algorithm::from_code(hasher.facts.code),
            #[cfg(feature = "alloc")]
            Place::Boxed(_) => None,
        }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If [`try_update`](Hashing::try_update) returns an error: see [`Hash::update`].
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.try_update(data));
        self
    }

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// See [`Hashing::try_update`].
    #[inline]
    pub fn try_update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        (**self).try_update(data.as_ref())?;
        Ok(self)
    }

    /// Absorbs the next piece of every hasher's own message: see
    /// [`dyn Hashing`](Hashing#method.update_many).
    ///
    /// # Errors
    /// See there.
    pub fn update_many<M: Messages + ?Sized>(
        hashers: &mut [AnyHasher],
        pieces: &M,
    ) -> Result<(), Error> {
        <dyn Hashing>::update_many(hashers, pieces)
    }

    /// Creates a hasher from a state that any hasher's `export` returned. The state contains its
    /// function.
    ///
    /// # Errors
    /// See [`Hash::import`].
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        run_wiped(IMPORT, || {
            let mut import = import(state)?;
            let Some(algorithm) = Algorithm::from_code(import.code) else {
                #[cfg(feature = "alloc")]
                return with_code(import.code, Imported(state)).ok_or(Error::StateDamaged)?;
                #[cfg(not(feature = "alloc"))]
                return Err(Error::StateDamaged);
            };
            let mut hasher = algorithm.hasher();
            let stream = hasher.stream_mut().expect("the stream of an algorithm");
            stream.load(&mut import)?;
            import.end()?;
            Ok(hasher)
        })
    }
}

impl AnyHasher {
    /// Creates a hasher from a state that any hasher's
    /// [`export_keyed`](Hashing::export_keyed) returned under the same key.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if the state was changed, or was exported under another key or without
    /// one, and the errors of [`import`](Self::import).
    pub fn import_keyed(state: &[u8], key: &[u8]) -> Result<Self, Error> {
        Self::import(open(state, key)?)
    }
}

/// Imports a state as the type to which it belongs.
#[cfg(feature = "alloc")]
struct Imported<'a>(&'a [u8]);

#[cfg(feature = "alloc")]
impl HasherVisitor for Imported<'_> {
    type Output = Result<AnyHasher, Error>;
    fn visit<H: Hashing + 'static>(self) -> Self::Output {
        H::import(self.0).map(|hasher| hasher.fork())
    }
}

impl Deref for AnyHasher {
    type Target = dyn Hashing;
    /// Not inlined: a crate with this code compiles all streams and their lanes again.
    #[inline(never)]
    fn deref(&self) -> &Self::Target {
        match &self.0 {
            Place::InPlace(hasher) => hasher,
            #[cfg(feature = "alloc")]
            Place::Boxed(hasher) => &**hasher,
        }
    }
}

impl DerefMut for AnyHasher {
    #[inline(never)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        match &mut self.0 {
            Place::InPlace(hasher) => hasher,
            #[cfg(feature = "alloc")]
            Place::Boxed(hasher) => &mut **hasher,
        }
    }
}

impl fmt::Debug for AnyHasher {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.algorithm() {
            Some(algorithm) => f.debug_tuple("AnyHasher").field(&algorithm).finish(),
            None => f.debug_tuple("AnyHasher").field(&self.name()).finish(),
        }
    }
}

bytes_in!([] AnyHasher, read [0; crate::hasher::READ_LEN]);

// ---- The output ----

/// The output of any length of a function that is chosen at run time.
#[derive(Clone, Debug)]
pub enum AnyReader {
    /// The output of a sponge, which never ends.
    #[cfg(feature = "sha3")]
    Sponge(XofReader),
    /// The output of BLAKE2Xb.
    #[cfg(feature = "blake2")]
    Blake2xb(Blake2xReader<function::Blake2b>),
    /// The output of BLAKE2Xs.
    #[cfg(feature = "blake2")]
    Blake2xs(Blake2xReader<function::Blake2s>),
    /// The output of BLAKE3.
    #[cfg(feature = "blake3")]
    Blake3(Blake3Reader),
    /// The output of Ascon-XOF128 or Ascon-CXOF128, which never ends.
    #[cfg(feature = "ascon")]
    Ascon(AsconReader),
}

#[cfg(feature = "sha3")]
impl From<XofReader> for AnyReader {
    fn from(reader: XofReader) -> Self {
        AnyReader::Sponge(reader)
    }
}

#[cfg(feature = "blake2")]
impl From<Blake2xReader<function::Blake2b>> for AnyReader {
    fn from(reader: Blake2xReader<function::Blake2b>) -> Self {
        AnyReader::Blake2xb(reader)
    }
}

#[cfg(feature = "blake2")]
impl From<Blake2xReader<function::Blake2s>> for AnyReader {
    fn from(reader: Blake2xReader<function::Blake2s>) -> Self {
        AnyReader::Blake2xs(reader)
    }
}

#[cfg(feature = "ascon")]
impl From<AsconReader> for AnyReader {
    fn from(reader: AsconReader) -> Self {
        AnyReader::Ascon(reader)
    }
}

impl AnyReader {
    /// Writes the next bytes of the output.
    ///
    /// # Errors
    /// [`Error::OutputEnd`] if fewer than `out.len()` bytes of the output are left. Nothing is
    /// written then.
    pub fn try_fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        // `*self` here and below, because without any of the features the enum has no variant.
        match *self {
            #[cfg(feature = "sha3")]
            AnyReader::Sponge(ref mut reader) => reader.fill(out),
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xb(ref mut reader) => reader.try_fill(out)?,
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xs(ref mut reader) => reader.try_fill(out)?,
            #[cfg(feature = "blake3")]
            AnyReader::Blake3(ref mut reader) => reader.fill(out),
            #[cfg(feature = "ascon")]
            AnyReader::Ascon(ref mut reader) => reader.fill(out),
        }
        Ok(())
    }

    /// Writes the next bytes of the output of every reader: see
    /// [`XofReader::fill_many`](crate::XofReader::fill_many). Readers of other functions than sponges
    /// are read one after the other.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if `outputs` does not have one place for each reader. Nothing is
    ///   written then.
    /// - [`Error::OutputEnd`] as for [`try_fill`](Self::try_fill). The readers before that one may
    ///   have been read.
    pub fn fill_many<O: Outputs + ?Sized>(
        readers: &mut [impl BorrowMut<Self>],
        outputs: &mut O,
    ) -> Result<(), Error> {
        let mut slots = outputs.slots(readers.len(), OutputLen::OF_READERS)?;
        for (i, group) in readers.chunks_mut(LANES).enumerate() {
            #[cfg(feature = "sha3")]
            let (count, mut sponges) = (group.len(), [const { None }; LANES]);
            for (n, reader) in group.iter_mut().enumerate() {
                let (reader, mut filled) = (reader.borrow_mut(), Ok(()));
                #[cfg(feature = "sha3")]
                #[allow(irrefutable_let_patterns, reason = "a build may have no other variant")]
                if let AnyReader::Sponge(sponge) = reader {
                    sponges[n] = Some(&mut *sponge.0);
                    continue;
                }
                slots.write(i * LANES + n, |out| filled = reader.try_fill(out));
                filled?;
            }
            #[cfg(feature = "sha3")]
            fill_group(&mut sponges[..count], &mut slots, i * LANES);
        }
        Ok(())
    }

    /// Continues at byte `position` of the output.
    ///
    /// # Errors
    /// [`Error::Operation`] for a sponge, which computes its output from the beginning on;
    /// [`Error::OutputEnd`] if the output is shorter.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        match *self {
            #[cfg(feature = "sha3")]
            AnyReader::Sponge(_) => Err(Error::Operation),
            #[cfg(feature = "ascon")]
            AnyReader::Ascon(_) => Err(Error::Operation),
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xb(ref mut reader) => reader.seek(position),
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xs(ref mut reader) => reader.seek(position),
            #[cfg(feature = "blake3")]
            AnyReader::Blake3(ref mut reader) => {
                reader.seek(position);
                Ok(())
            }
        }
    }
}

impl Iterator for AnyReader {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.try_fill(&mut byte).is_ok().then_some(byte[0])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match *self {
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xb(_) | AnyReader::Blake2xs(_) => (0, None),
            _ => (usize::MAX, None),
        }
    }
}

#[cfg(feature = "std")]
impl std::io::Read for AnyReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match *self {
            #[cfg(feature = "sha3")]
            AnyReader::Sponge(ref mut reader) => reader.read(out),
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xb(ref mut reader) => reader.read(out),
            #[cfg(feature = "blake2")]
            AnyReader::Blake2xs(ref mut reader) => reader.read(out),
            #[cfg(feature = "blake3")]
            AnyReader::Blake3(ref mut reader) => reader.read(out),
            #[cfg(feature = "ascon")]
            AnyReader::Ascon(ref mut reader) => reader.read(out),
        }
    }
}

// ---- From a number to a type ----

/// A computation that is generic over the type of a hasher: see [`with_code`].
pub trait HasherVisitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the hasher type `H`.
    fn visit<H: Hashing + 'static>(self) -> Self::Output;
}

/// Calls `visitor` with the type of the hasher of the function that has this code, or returns
/// `None` if no function has it. The codes are those of [`Algorithm`] and of exported states.
pub fn with_code<V: HasherVisitor>(code: u8, visitor: V) -> Option<V::Output> {
    struct Of<V>(V);
    impl<V: HasherVisitor> Visitor for Of<V> {
        type Output = V::Output;
        fn visit<F: Function>(self) -> V::Output {
            self.0.visit::<Hash<F>>()
        }
    }
    if let Some(algorithm) = Algorithm::from_code(code) {
        return Some(algorithm.with(Of(visitor)));
    }
    macro_rules! types {
        ($($(#[$cfg:meta])? $Type:ty;)*) => {
            match code {
                $($(#[$cfg])? code if code == <$Type>::FACTS.code => Some(visitor.visit::<$Type>()),)*
                _ => None,
            }
        };
    }
    types! {
        #[cfg(feature = "sha3")] KangarooTwelve<168>;
        #[cfg(feature = "sha3")] KangarooTwelve<136>;
        #[cfg(feature = "blake2")] Blake2x<function::Blake2b>;
        #[cfg(feature = "blake2")] Blake2x<function::Blake2s>;
        #[cfg(feature = "sha3")] CShake<168>;
        #[cfg(feature = "sha3")] CShake<136>;
        #[cfg(feature = "sha3")] Kmac<168>;
        #[cfg(feature = "sha3")] Kmac<136>;
        #[cfg(feature = "sha3")] TupleHash<168>;
        #[cfg(feature = "sha3")] TupleHash<136>;
        #[cfg(feature = "sha3")] ParallelHash<168>;
        #[cfg(feature = "sha3")] ParallelHash<136>;
        #[cfg(feature = "ascon")] AsconCXof128;
    }
}

impl Algorithm {
    /// Returns a hasher that has absorbed nothing: BLAKE2 without a key, TurboSHAKE with the domain
    /// byte 0x1F.
    pub fn hasher(self) -> AnyHasher {
        AnyHasher(Place::InPlace(InPlace { facts: self.facts(), held: held(self) }))
    }

    /// Returns the digest of a message.
    #[inline]
    pub fn hash(self, message: impl AsRef<[u8]>) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        blank(self).finish(message.as_ref(), digest.as_mut());
        digest
    }

    /// Creates an HMAC with this algorithm and `key`.
    ///
    /// # Errors
    /// [`Error::NoHmac`] unless [`has_hmac`](Self::has_hmac).
    pub fn hmac(self, key: &[u8]) -> Result<AnyHmac, Error> {
        if !self.has_hmac() {
            return Err(Error::NoHmac);
        }
        run_wiped(blank(self).stack() + 2 * size_of::<AnyHmac>(), || {
            let (inner, outer) = (held(self), held(self));
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
    /// let tag = Hmac::<Sha256>::new(b"key").hash(b"message");
    /// assert_eq!(Algorithm::Sha256.mac(Key(b"key"), b"message")?, tag[..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    #[inline]
    pub fn mac(self, key: Key<'_>, message: impl AsRef<[u8]>) -> Result<VarDigest, Error> {
        let mut tag = VarDigest::zero(self.output_len());
        let message = message.as_ref();
        self.with_hmac(Mac { key, message, tag: tag.as_mut() })?;
        Ok(tag)
    }

    /// Returns the backends of the algorithm's block function, best first.
    pub fn backends(self) -> impl Iterator<Item = Info> {
        (0..).map_while(move |index| blank(self).backend(index))
    }
}

/// HMAC in one call. It is generic, rather than using an [`AnyHmac`], so that it needs no box and
/// each state has only its own size.
struct Mac<'a> {
    key: Key<'a>,
    message: &'a [u8],
    tag: &'a mut [u8],
}

impl Visitor for Mac<'_> {
    type Output = ();
    fn visit<F: Function>(self) {
        mac(F::STREAM, F::FACTS.block_len, self);
    }
}

/// Is compiled once for each type of stream.
#[inline(never)]
fn mac<S: Stream + Hold>(stream: &S, block_len: usize, Mac { key, message, tag }: Mac<'_>) {
    run_wiped_key(stream, block_len, key.0, 2 * size_of::<Keyed<S>>(), || {
        Keyed::new_unwiped(stream, block_len, key.0).tag(message, tag);
    });
}
