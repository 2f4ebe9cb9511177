//! [`Derived`], the type of the hashers of functions that are made from another function by
//! parameters: cSHAKE, KMAC, TupleHash, ParallelHash, KangarooTwelve, Ascon-CXOF128 and BLAKE2X.

#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
#[cfg(feature = "std")]
use crate::hasher::{READ_CHUNKS_LEN, READ_LEN};
use crate::hasher::{Stream, bytes_in, export, hash_many, import_as};
use crate::messages::{Messages, OutputLen, Outputs, Sealed};
use crate::state::{Exported, Import};
use crate::stream::{Progress, must};
use crate::wipe::{Secret, Wiped};

/// What a derived function has of its own. Everything else is in [`Derived`].
pub trait Derivation: Sized + Send + Sync + 'static {
    /// What a hasher has absorbed. Its [`finish`](Stream::finish) writes the output after one more
    /// message; for TupleHash, after one more element.
    type Stream: Stream + Copy + Wiped;
    type Reader;
    const FACTS: Facts;
    /// A stream that [`load`](Self::load) replaces.
    const BLANK: Self::Stream;
    /// Whether the function hashes a tuple of elements instead of a message.
    const IS_TUPLE: bool = false;
    /// Bytes that `update_reader` reads at once.
    #[cfg(feature = "std")]
    const READ_LEN: usize = READ_LEN;

    /// Reads an exported state.
    ///
    /// # Errors
    /// [`Error::StateDamaged`] or [`Error::StateInconsistent`].
    fn load(state: &mut Import<'_>) -> Result<Secret<Self::Stream>, Error> {
        let mut stream = Secret(Self::BLANK);
        stream.load(state)?;
        Ok(stream)
    }
    /// Returns the lengths that an output may have.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if there is no output, because an element of a tuple is incomplete.
    fn output(_: &Self::Stream) -> Result<OutputLen, Error> {
        Ok(OutputLen { len: Self::FACTS.output_len, any: true })
    }
    /// Writes the output of what the stream has absorbed.
    fn finish(stream: &Self::Stream, out: &mut [u8]) {
        stream.finish(&[], out);
    }
    /// Writes an output of `output_bits` bits after `bits` bits of `last_byte`. The caller sets the
    /// other bits of the last byte of `out` to 0.
    ///
    /// # Errors
    /// [`Error::TooManyBits`], or [`Error::NoBits`] where the standard defines whole bytes only.
    fn finish_bits(
        stream: &Self::Stream,
        (last_byte, bits): (u8, u32),
        _output_bits: u128,
        out: &mut [u8],
    ) -> Result<(), Error> {
        stream.finish_bits(last_byte, bits, out)
    }
    fn reader(stream: &Self::Stream) -> Self::Reader;
    /// Returns the reader after `bits` bits of `last_byte`.
    ///
    /// # Errors
    /// Those of [`finish_bits`](Self::finish_bits).
    fn reader_bits(_: &Self::Stream, _last_byte: u8, _bits: u32) -> Result<Self::Reader, Error> {
        Err(Error::NoBits)
    }
    /// Returns the reader with a customization string after the message.
    ///
    /// # Errors
    /// [`Error::Operation`] if the string is before the message, or if there is none.
    fn reader_custom(_: &Self::Stream, _customization: &[u8]) -> Result<Self::Reader, Error> {
        Err(Error::Operation)
    }
    /// Begins an element of `len` bytes.
    ///
    /// # Errors
    /// [`Error::Operation`] unless the function hashes tuples, [`Error::ElementLength`] if the last
    /// element is incomplete.
    fn begin(_: &mut Self::Stream, _len: u64) -> Result<(), Error> {
        Err(Error::Operation)
    }
}

/// A hasher of a function that is made from another function by parameters. `CShake128`, `Kmac256`,
/// `TupleHash128`, `ParallelHash256`, `Kt128`, `AsconCXof128`, `Blake2xb` and the others are aliases
/// of this type, which have the constructors.
///
/// The output may have any length. [`finalize`](Self::finalize) returns an output whose length is
/// known to the compiler, [`finalize_into`](Self::finalize_into) fills a slice, and
/// [`squeeze`](Self::squeeze) returns a reader. None of the methods but `update` and its other forms
/// changes the hasher, which may absorb more afterwards.
///
/// **The length of an output.** KMAC, TupleHash and ParallelHash hash the length of the output with
/// the message, so that a shorter output is not the beginning of a longer one. The reader's output
/// does not depend on how many bytes are read, because 0 is hashed in place of the length: it is that
/// of KMACXOF, TupleHashXOF and ParallelHashXOF, and unrelated to the outputs of `finalize` (SP
/// 800-185 §4.3.1, §5.3.1, §6.3.1). For the other functions it is the same output.
///
/// The state is overwritten when the hasher is dropped. `Debug` prints only the function's name.
pub struct Derived<F: Derivation> {
    pub(crate) stream: Secret<F::Stream>,
}

impl<F: Derivation> Clone for Derived<F> {
    // Not inlined, because the compiler might then make another copy of the state, which may come
    // from a key, and leave it on the stack.
    #[inline(never)]
    fn clone(&self) -> Self {
        Derived { stream: self.stream.clone() }
    }
}

impl<F: Derivation> core::fmt::Debug for Derived<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct(F::FACTS.name).finish_non_exhaustive()
    }
}

impl<F: Derivation> Derived<F> {
    #[doc(hidden)]
    pub const FACTS: Facts = F::FACTS;

    /// Absorbs the next part of the message; for TupleHash, of the element that was begun.
    ///
    /// # Panics
    /// If [`try_update`](Self::try_update) returns an error.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.stream.try_update(data.as_ref()));
        self
    }

    /// Absorbs the next part of the message, or returns an error where [`update`](Self::update)
    /// panics.
    ///
    /// # Errors
    /// - [`Error::MessageTooLong`] if a message of BLAKE2X would become longer than BLAKE2 allows.
    ///   Only a hasher that was [imported](Self::import) can reach that limit. The other functions
    ///   have none.
    /// - [`Error::Operation`] if no element of TupleHash was begun, [`Error::ElementLength`] if it
    ///   would become longer than was announced.
    ///
    /// Nothing is absorbed then.
    #[inline]
    pub fn try_update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        self.stream.try_update(data.as_ref())?;
        Ok(self)
    }

    /// Absorbs the next part of the message as [`update`](Self::update) does. KangarooTwelve and
    /// ParallelHash split its chunks over the threads of rayon's pool, which is worthwhile for parts
    /// of some megabytes. Requires the feature `rayon`.
    ///
    /// # Panics
    /// See [`update`](Self::update).
    ///
    /// ```
    /// use hashmill::{Customization, Kt128, kt128};
    ///
    /// let message = vec![7; 1 << 20];
    /// let digest = Kt128::new().update_rayon(&message).finalize::<32>();
    /// assert_eq!(kt128(&message, Customization(b"")), digest);
    /// ```
    #[cfg(feature = "rayon")]
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.stream.try_update_rayon(data.as_ref()));
        self
    }

    /// Returns the output for what was absorbed so far, `N` bytes long.
    ///
    /// # Panics
    /// If [`finalize_into`](Self::finalize_into) returns an error.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut digest = Digest([0; N]);
        must(self.finalize_into(&mut digest.0));
        digest
    }

    /// Fills `out` with the output that [`finalize`](Self::finalize) returns for `N = out.len()`.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if BLAKE2X was built with another length.
    /// - [`Error::ElementLength`] if the last element of a tuple is incomplete.
    ///
    /// Nothing is written then.
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        F::output(&self.stream)?.check(out.len())?;
        F::finish(&self.stream, out);
        Ok(())
    }

    /// Writes to `out` the output for what was absorbed so far followed by `bits` bits, 0 to 7. The
    /// output has `output_bits` bits.
    ///
    /// Both the last bits of the message and those of the output are the **low** bits of their byte,
    /// first bit lowest (FIPS 202 §B.1). The other bits of `last_byte` are ignored, and the other
    /// bits of the last byte of `out` are set to 0.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if `out` does not have ⌈`output_bits` / 8⌉ bytes.
    /// - [`Error::TooManyBits`] if `bits` is more than 7.
    /// - [`Error::NoBits`] for TupleHash, KangarooTwelve and BLAKE2X, which hash whole bytes only.
    ///
    /// Nothing is written then.
    pub fn finalize_bits_into(
        &self,
        last_byte: u8,
        bits: u32,
        output_bits: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let expected = output_bits.div_ceil(8);
        if out.len() != expected {
            return Err(Error::output_len(out.len(), expected));
        }
        self.bits_into(last_byte, bits, output_bits as u128, out)?;
        if let (Some(last), 1..=7) = (out.last_mut(), output_bits % 8) {
            *last &= (1 << (output_bits % 8)) - 1;
        }
        Ok(())
    }

    pub(crate) fn bits_into(
        &self,
        last_byte: u8,
        bits: u32,
        output_bits: u128,
        out: &mut [u8],
    ) -> Result<(), Error> {
        F::output(&self.stream)?.check(out.len())?;
        F::finish_bits(&self.stream, (last_byte, bits), output_bits, out)
    }

    /// Returns the output for what was absorbed so far followed by `message`, `N` bytes long; for
    /// TupleHash, by one more element.
    ///
    /// # Panics
    /// If the message would become longer than [allowed](Self::try_update), or if
    /// [`finalize_into`](Self::finalize_into) returns an error.
    #[inline]
    pub fn hash<const N: usize>(&self, message: impl AsRef<[u8]>) -> Digest<N> {
        let mut digest = Digest([0; N]);
        must(self.hash_to(message.as_ref(), &mut digest.0));
        digest
    }

    /// Writes the output of [`hash`](Self::hash).
    ///
    /// # Errors
    /// Where `hash` panics.
    pub(crate) fn hash_to(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error> {
        F::output(&self.stream)?.check(out.len())?;
        if message.len() as u128 > self.stream.room() {
            return Err(Error::MessageTooLong);
        }
        self.stream.finish(message, out);
        Ok(())
    }

    /// Hashes many messages at once, side by side in SIMD lanes: fills place `i` of `outputs` with
    /// the output that [`hash`](Self::hash) returns for message `i`.
    ///
    /// [`Messages`] lists the types that can hold the messages, [`Outputs`] those that can hold the
    /// outputs. A [`VarDigest`](crate::VarDigest), which has no length of its own, receives 64 bytes
    /// from a function whose name ends with 256 and from BLAKE2Xb, and 32 bytes from the others.
    ///
    /// ParallelHash hashes one message after the other, because the blocks of each fill the lanes.
    /// Messages of KangarooTwelve of less than 256 KiB (8 KiB on WebAssembly) share the lanes, each
    /// chunk in one lane, if the hasher has absorbed nothing; a longer one fills the lanes by itself.
    ///
    /// # Errors
    /// - [`Error::OutputLength`] if `outputs` does not have one place for each message, or if BLAKE2X
    ///   was built with another length.
    /// - [`Error::MessageTooLong`] if a message would become longer than
    ///   [allowed](Self::try_update).
    /// - [`Error::ElementLength`] if the last element of a tuple is incomplete.
    ///
    /// Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Customization, Key, Kmac128, TupleHash128, kmac128, tuple_hash128};
    ///
    /// let none = Customization(b"");
    /// let mut tags = [0; 2 * 16];
    /// Kmac128::new(b"secret", none).hash_many(["row 1", "row 2"], &mut tags)?;
    /// assert_eq!(kmac128::<16>(Key(b"secret"), b"row 2", none)[..], tags[16..]);
    ///
    /// let mut hashes = [0; 2 * 32];
    /// TupleHash128::new(b"").element(b"table").hash_many(["row 1", "row 2"], &mut hashes)?;
    /// assert_eq!(tuple_hash128::<32>(&["table", "row 2"], b"")[..], hashes[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        hash_many(&*self.stream, F::output(&self.stream)?, &messages, outputs)
    }

    /// Returns a reader of the output for what was absorbed so far, from its beginning.
    ///
    /// # Panics
    /// If the last element of a tuple is incomplete.
    pub fn squeeze(&self) -> F::Reader {
        must(F::output(&self.stream));
        F::reader(&self.stream)
    }

    /// Returns a reader of the output for what was absorbed so far followed by `bits` bits, 0 to 7.
    ///
    /// The bits are the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// bits of `last_byte` are ignored.
    ///
    /// # Errors
    /// - [`Error::TooManyBits`] if `bits` is more than 7.
    /// - [`Error::NoBits`] for TupleHash, KangarooTwelve and BLAKE2X, which hash whole bytes only.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<F::Reader, Error> {
        F::reader_bits(&self.stream, last_byte, bits)
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the effect of the parameters, also of a key: see [`Exported`].
    ///
    /// ```
    /// use hashmill::{CShake128, Customization, FunctionName};
    ///
    /// let mut hasher = CShake128::new(FunctionName(b""), Customization(b"Email Signature"));
    /// let saved = hasher.update(b"a long ").export();
    /// let mut resumed = CShake128::import(saved.as_ref())?;
    /// assert_eq!(resumed.update(b"message").finalize::<32>(), hasher.hash(b"message"));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn export(&self) -> Exported {
        export(F::FACTS.code, &*self.stream)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// The errors of [`Hash::import`](crate::Hash::import), under the same conditions.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        import_as(F::FACTS.code, state, |import| F::load(import).map(|stream| Derived { stream }))
    }
}

impl<F: Derivation> Sealed for Derived<F> {}

bytes_in!([F: Derivation] Derived<F>, read [0; READ_CHUNKS_LEN][..F::READ_LEN]);

impl<F: Derivation> FromIterator<u8> for Derived<F>
where
    Self: Default,
{
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut hasher = Self::default();
        hasher.extend(bytes);
        hasher
    }
}

impl<'a, F: Derivation> FromIterator<&'a u8> for Derived<F>
where
    Self: Default,
{
    fn from_iter<I: IntoIterator<Item = &'a u8>>(bytes: I) -> Self {
        bytes.into_iter().copied().collect()
    }
}
