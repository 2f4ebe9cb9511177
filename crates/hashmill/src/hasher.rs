//! What every hasher can do: the public traits, and the text of the hashers' interfaces.

use crate::algorithm::Algorithm;
use crate::backend::{Chosen, Info};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::keccak::XofReader;
use crate::many::update::{Streams, must};
use crate::many::{Column, Flat, Messages, Offset, Rows, fixed_width};
use crate::pbkdf2::{self, Chain};
use crate::state::{Exported, Import};
use crate::wipe::Wiped;

/// A hash in progress, without its public face. The hashers below wrap one of these.
pub(crate) trait Stream: Copy + Wiped + Send + Sync {
    /// # Errors
    /// [`Error::MessageTooLong`], and nothing is absorbed.
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Writes the output; an XOF writes any number of bytes, the others their output length.
    fn finish(&self, out: &mut [u8]);
    /// As `finish`, after `bits` more bits of the message, 0 to 7, from `last_byte`.
    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error>;
    /// What `finish` would give after `try_update(message)`, for every message.
    fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R);
    /// See [`many::finish_nested`](crate::many::finish_nested).
    fn finish_nested<M: Messages + ?Sized, R: Rows + ?Sized>(
        _: [&Self; 2],
        _digest_len: usize,
        _: &M,
        _: &mut R,
    ) -> usize {
        0
    }
    /// What `try_update(piece)` does, for every stream and its piece.
    fn update_many<T: Streams<Self> + ?Sized, M: Messages + ?Sized>(streams: &mut T, pieces: &M) {
        (0..pieces.count())
            .for_each(|index| must(streams.stream(index).try_update(pieces.message(index))));
    }
    /// PBKDF2's chains, which begin with two of these streams each.
    fn chains<'o>(
        &self,
        chains: impl Iterator<Item = Chain<'o, Self>>,
        _count: usize,
        iterations: u32,
    ) {
        pbkdf2::one_by_one(chains, iterations);
    }
    fn save(&self, state: &mut Exported);
    /// Replaces a new stream by the saved one.
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error>;
    fn chosen() -> &'static Chosen;
    /// The backend with that index in its family's list.
    fn backend(index: usize) -> Option<Info>;
}

pub(crate) mod sealed {
    /// A digest that can be written.
    pub trait Row {
        fn row(&mut self) -> &mut [u8];
    }

    /// Keeps the traits to this crate's types, and gives the generic code what they wrap.
    #[allow(private_interfaces, reason = "sealed: not nameable from outside")]
    pub trait Sealed: Sized {
        #[allow(private_bounds, reason = "sealed: not nameable from outside")]
        type Stream: super::Stream;
        fn stream(&self) -> &Self::Stream;
        fn stream_mut(&mut self) -> &mut Self::Stream;
    }
}
use sealed::Sealed;

/// A hash function with an output of fixed length: SHA-2, SHA-3, BLAKE2.
///
/// For code that is generic over the function; each hasher has these methods as its own, too.
/// Implemented by this crate's hashers only.
///
/// ```
/// use hashmill::Hasher;
///
/// fn hex_of<H: Hasher>(message: &[u8]) -> String {
///     H::default().update(message).finalize().to_string()
/// }
/// assert!(hex_of::<hashmill::Sha256>(b"abc").starts_with("ba7816bf"));
/// ```
pub trait Hasher: Sealed + Clone + Default + Send + Sync {
    /// What `finalize` returns.
    type Digest: AsRef<[u8]>
        + Copy
        + Send
        + Default
        + Eq
        + core::fmt::Display
        + Into<VarDigest>
        + sealed::Row;

    /// The algorithm's row in the table.
    const ALGORITHM: Algorithm;

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If the message becomes longer than the standard allows, see [`Hasher::try_update`].
    fn update(&mut self, data: &[u8]) -> &mut Self;

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`] if the message would become longer than the standard allows: 2⁶¹ − 1
    /// bytes for SHA-224 and SHA-256, 2¹²⁵ − 1 for the rest of SHA-2, 2⁶⁴ − 1 for BLAKE2s, 2¹²⁸ − 1
    /// for BLAKE2b; SHA-3 has no limit. Nothing is absorbed then. No message in memory is that long.
    fn try_update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        self.stream_mut().try_update(data)?;
        Ok(self)
    }

    /// Gives every hasher the next part of its own message, as `update` does; side by side in SIMD lanes.
    ///
    /// # Panics
    /// If there are not as many pieces as hashers, or as `update`: some hashers may have absorbed their
    /// pieces then.
    ///
    /// ```
    /// use hashmill::{Hasher, Sha256};
    ///
    /// let mut hashers = [Sha256::new(), Sha256::new()];
    /// Hasher::update_many(&mut hashers, &["of one ", "of the other "]);
    /// Hasher::update_many(&mut hashers, &["file", "file"]);
    /// assert_eq!(hashers[1].finalize(), hashmill::sha256(b"of the other file"));
    /// ```
    fn update_many<M: AsRef<[u8]>>(hashers: &mut [Self], pieces: &[M]) {
        assert_eq!(hashers.len(), pieces.len(), "one piece for every hasher");
        Self::Stream::update_many(hashers, pieces);
    }

    /// The digest of all that was absorbed. The hasher stays as it is and may go on.
    fn finalize(&self) -> Self::Digest;

    /// The length of the digest that `finalize` gives, in bytes.
    fn output_len(&self) -> usize;

    /// Writes the digest to `out`.
    ///
    /// # Errors
    /// [`Error::OutputLength`] unless `out` has the digest's length.
    fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        let digest = self.finalize();
        if out.len() != digest.as_ref().len() {
            return Err(Error::OutputLength);
        }
        out.copy_from_slice(digest.as_ref());
        Ok(())
    }

    /// What `finalize` would give after `update(message)`, for every message; the messages are hashed
    /// side by side in SIMD lanes.
    ///
    /// # Panics
    /// If there are not as many digests as messages, or as [`Hasher::update`].
    ///
    /// ```
    /// use hashmill::{Digest, Hasher, Sha256};
    ///
    /// let mut salted = Sha256::new();
    /// salted.update(b"salt");
    /// let mut digests = [Digest::default(); 2];
    /// salted.finish_many(&["a", "b"], &mut digests);
    /// assert_eq!(digests[1], hashmill::sha256(b"saltb"));
    /// ```
    fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], digests: &mut [Self::Digest]);

    /// As `finish_many`, with the messages split over the threads of rayon's pool.
    ///
    /// # Panics
    /// As `finish_many`.
    #[cfg(feature = "rayon")]
    fn finish_many_rayon<M: AsRef<[u8]> + Sync>(
        &self,
        messages: &[M],
        digests: &mut [Self::Digest],
    );

    /// As `finish_many`, for every `values[offsets[i]..offsets[i + 1]]`; the digests one after the other in
    /// `out`.
    ///
    /// # Errors
    /// [`Error::Offsets`] if an offset is negative, decreases or points past the end;
    /// [`Error::OutputLength`] if `out` does not have a digest's length for every message. Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{Hasher, blake2b};
    ///
    /// let keyed = blake2b::Params::new().output_len(16).key(b"secret").build()?;
    /// let mut column = [0; 2 * 16];
    /// keyed.finish_offsets(b"onetwo", &[0u32, 3, 6], &mut column)?;
    /// assert_eq!(column[16..], *keyed.clone().update(b"two").finalize());
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    fn finish_offsets<O: Offset>(
        &self,
        values: &[u8],
        offsets: &[O],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let column = Column::new(values, offsets)?;
        let mut rows = Flat::new(out, column.count(), self.output_len())?;
        self.stream().finish_many(&column, &mut rows);
        Ok(())
    }

    /// As `finish_many`, for every row of `width` bytes, the rows one after the other in `values`; the
    /// digests so, too, in `out`. Where `width` is 0 there are as many rows as `out` has room for.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `values` are not whole rows; [`Error::OutputLength`] if `out` does not have a
    /// digest's length for every row. Nothing is written then.
    ///
    /// ```
    /// use hashmill::{Hasher, Sha256};
    ///
    /// let mut out = [0; 2 * 32];
    /// Sha256::new().update(b"salt").finish_rows(b"onetwo", 3, &mut out)?;
    /// assert_eq!(hashmill::sha256(b"salttwo"), out[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    fn finish_rows(&self, values: &[u8], width: usize, out: &mut [u8]) -> Result<(), Error> {
        let (chunks, mut rows) = fixed_width(values, width, self.output_len(), out)?;
        self.stream().finish_many(&chunks, &mut rows);
        Ok(())
    }

    /// The state, to go on with later: see [`Exported`].
    fn export(&self) -> Exported {
        Exported::new(Self::ALGORITHM, |state| self.stream().save(state))
    }

    /// A hasher in a state that `export` gave.
    ///
    /// # Errors
    /// [`Error::StateAlgorithm`] if it is another algorithm's, [`Error::StateVersion`] if a newer
    /// version wrote it, [`Error::StateDamaged`] and [`Error::StateInconsistent`] if it is not what
    /// any version wrote.
    fn import(state: &[u8]) -> Result<Self, Error> {
        import::<Self>(Self::ALGORITHM, state)
    }
}

/// An extendable-output function: SHAKE and TurboSHAKE.
///
/// For code that is generic over the function; each has these methods as its own, too. Implemented by
/// this crate's types only.
pub trait Xof: Sealed + Clone + Default {
    /// The algorithm's row in the table.
    const ALGORITHM: Algorithm;

    /// Absorbs the next part of the message, which may have any length.
    fn update(&mut self, data: &[u8]) -> &mut Self;

    /// Gives every function the next part of its own message: see [`Hasher::update_many`].
    ///
    /// # Panics
    /// If there are not as many pieces as functions.
    fn update_many<M: AsRef<[u8]>>(functions: &mut [Self], pieces: &[M]) {
        assert_eq!(functions.len(), pieces.len(), "one piece for every function");
        Self::Stream::update_many(functions, pieces);
    }

    /// The output, from its beginning. The function stays as it is and may go on absorbing.
    fn finalize_xof(&self) -> XofReader;

    /// What `finalize_xof` would give after `update(message)`, for every message: `output_len` bytes
    /// each, one after the other in `out`.
    ///
    /// # Panics
    /// If `out` does not have `messages.len() * output_len` bytes.
    fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], output_len: usize, out: &mut [u8]);

    /// As `finish_many`, with the messages split over the threads of rayon's pool.
    ///
    /// # Panics
    /// As `finish_many`.
    #[cfg(feature = "rayon")]
    fn finish_many_rayon<M: AsRef<[u8]> + Sync>(
        &self,
        messages: &[M],
        output_len: usize,
        out: &mut [u8],
    ) {
        match Flat::new(out, messages.len(), output_len) {
            Ok(rows) => crate::many::rayon::finish_many(self.stream(), messages, rows),
            Err(_) => panic!("`out` must have `output_len` bytes for every message"),
        }
    }

    /// As `finish_many`, for every `values[offsets[i]..offsets[i + 1]]`.
    ///
    /// # Errors
    /// [`Error::Offsets`] if an offset is negative, decreases or points past the end;
    /// [`Error::OutputLength`] if `out` does not have `output_len` bytes for every message. Nothing is
    /// written then.
    fn finish_offsets<O: Offset>(
        &self,
        values: &[u8],
        offsets: &[O],
        output_len: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let column = Column::new(values, offsets)?;
        let mut rows = Flat::new(out, column.count(), output_len)?;
        self.stream().finish_many(&column, &mut rows);
        Ok(())
    }

    /// As `finish_many`, for every row of `width` bytes, the rows one after the other in `values`. Where
    /// `width` is 0 there are as many rows as `out` has room for.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `values` are not whole rows; [`Error::OutputLength`] if `out` does not have
    /// `output_len` bytes for every row. Nothing is written then.
    fn finish_rows(
        &self,
        values: &[u8],
        width: usize,
        output_len: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (chunks, mut rows) = fixed_width(values, width, output_len, out)?;
        self.stream().finish_many(&chunks, &mut rows);
        Ok(())
    }

    /// The state, to go on with later: see [`Exported`].
    fn export(&self) -> Exported {
        Exported::new(Self::ALGORITHM, |state| self.stream().save(state))
    }

    /// A function in a state that `export` gave.
    ///
    /// # Errors
    /// As [`Hasher::import`].
    fn import(state: &[u8]) -> Result<Self, Error> {
        import::<Self>(Self::ALGORITHM, state)
    }
}

fn import<H: Sealed + Default>(algorithm: Algorithm, state: &[u8]) -> Result<H, Error> {
    let mut import = Import::new(state)?;
    if import.algorithm != algorithm {
        return Err(Error::StateAlgorithm);
    }
    let mut hasher = H::default();
    hasher.stream_mut().load(&mut import)?;
    import.end()?;
    Ok(hasher)
}

/// What all hashers share: wrapping a stream, updates from bytes, readers and iterators, wiping.
macro_rules! hasher_common {
    ($Type:ident, $Stream:ty) => {
        impl crate::hasher::sealed::Sealed for $Type {
            type Stream = $Stream;
            fn stream(&self) -> &$Stream {
                &self.stream
            }
            fn stream_mut(&mut self) -> &mut $Stream {
                &mut self.stream
            }
        }

        impl Default for $Type {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Drop for $Type {
            fn drop(&mut self) {
                crate::wipe::wipe(&mut self.stream);
            }
        }

        impl core::fmt::Debug for $Type {
            /// Says nothing of the state, which may be secret.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }

        impl $Type {
            /// The state, to go on with later: see [`Exported`](crate::Exported).
            pub fn export(&self) -> crate::Exported {
                crate::Exported::new(Self::ALGORITHM, |state| {
                    crate::hasher::Stream::save(&self.stream, state)
                })
            }
        }

        crate::hasher::bytes_in!($Type);
    };
}
pub(crate) use hasher_common;

/// Ways to put bytes in, in terms of `update`.
macro_rules! bytes_in {
    ($Type:ident $(<$H:ident: $Bound:path>)?) => {
        crate::hasher::bytes_in!($Type $(<$H: $Bound>)?, read crate::hasher::READ_LEN);
    };
    ($Type:ident $(<$H:ident: $Bound:path>)?, read $read_len:expr) => {
        impl$(<$H: $Bound>)? $Type$(<$H>)? {
            /// Absorbs all that `reader` gives, in constant memory, and says how many bytes that was.
            ///
            /// # Errors
            /// The reader's, except [`Interrupted`](std::io::ErrorKind::Interrupted), after which it
            /// is asked again. What was read before the error has been absorbed.
            #[cfg(feature = "std")]
            pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
                crate::hasher::read_all(reader, &mut [0; $read_len], |data| {
                    self.update(data);
                })
            }
        }

        #[cfg(feature = "std")]
        impl$(<$H: $Bound>)? std::io::Write for $Type$(<$H>)? {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        impl$(<$H: $Bound>)? Extend<u8> for $Type$(<$H>)? {
            fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
                crate::hasher::gather_all(bytes, |data| {
                    self.update(data);
                });
            }
        }

        impl<'a, $($H: $Bound)?> Extend<&'a u8> for $Type$(<$H>)? {
            fn extend<I: IntoIterator<Item = &'a u8>>(&mut self, bytes: I) {
                self.extend(bytes.into_iter().copied());
            }
        }
    };
}
pub(crate) use bytes_in;

/// `FromIterator`, for the types that have a `new` without arguments.
macro_rules! from_iterator {
    ($Type:ident) => {
        impl FromIterator<u8> for $Type {
            fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
                let mut hasher = Self::new();
                hasher.extend(bytes);
                hasher
            }
        }

        impl<'a> FromIterator<&'a u8> for $Type {
            fn from_iter<I: IntoIterator<Item = &'a u8>>(bytes: I) -> Self {
                bytes.into_iter().copied().collect()
            }
        }
    };
}
pub(crate) use from_iterator;

/// The interface of a hasher with a digest of fixed length.
macro_rules! fixed_hasher {
    ($Type:ident, $Stream:ty, $Digest:ty) => {
        crate::hasher::hasher_common!($Type, $Stream);
        crate::hasher::from_iterator!($Type);

        impl $Type {
            const ALGORITHM: crate::Algorithm = crate::Algorithm::$Type;

            /// Absorbs the next part of the message.
            ///
            /// # Panics
            /// If the message becomes longer than the standard allows, which no message in memory is:
            /// see [`Hasher::try_update`](crate::Hasher::try_update).
            #[inline]
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                if let Err(error) = crate::hasher::Stream::try_update(&mut self.stream, data) {
                    panic!("{error}");
                }
                self
            }

            /// A hasher in a state that [`export`](Self::export) gave.
            ///
            /// # Errors
            /// As [`Hasher::import`](crate::Hasher::import).
            pub fn import(state: &[u8]) -> Result<Self, crate::Error> {
                <Self as crate::Hasher>::import(state)
            }
        }

        impl crate::Hasher for $Type {
            type Digest = $Digest;
            const ALGORITHM: crate::Algorithm = Self::ALGORITHM;

            fn update(&mut self, data: &[u8]) -> &mut Self {
                self.update(data)
            }
            fn finalize(&self) -> $Digest {
                self.finalize()
            }
            fn output_len(&self) -> usize {
                Self::blank(&self.stream).len()
            }
            fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], digests: &mut [$Digest]) {
                assert_eq!(messages.len(), digests.len(), "one digest for every message");
                digests.fill(Self::blank(&self.stream));
                crate::hasher::Stream::finish_many(&self.stream, messages, digests);
            }
            #[cfg(feature = "rayon")]
            fn finish_many_rayon<M: AsRef<[u8]> + Sync>(
                &self,
                messages: &[M],
                digests: &mut [$Digest],
            ) {
                assert_eq!(messages.len(), digests.len(), "one digest for every message");
                digests.fill(Self::blank(&self.stream));
                crate::many::rayon::finish_many(&self.stream, messages, digests);
            }
        }
    };
}
pub(crate) use fixed_hasher;

/// As much as is read at once: a few times what hides the cost of a call, and less than an L1 cache.
#[cfg(feature = "std")]
pub(crate) const READ_LEN: usize = 16 * 1024;
/// For the trees of many leaves: chunks of 8 KiB for eight lanes.
#[cfg(feature = "std")]
pub(crate) const READ_CHUNKS_LEN: usize = 8 * 8 * 1024;

#[cfg(feature = "std")]
pub(crate) fn read_all(
    mut reader: impl std::io::Read,
    buffer: &mut [u8],
    mut update: impl FnMut(&[u8]),
) -> std::io::Result<u64> {
    let mut total = 0;
    loop {
        match reader.read(buffer) {
            Ok(0) => return Ok(total),
            Ok(n) => {
                update(&buffer[..n]);
                total += n as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Collects single bytes into pieces worth an update.
pub(crate) fn gather_all(bytes: impl IntoIterator<Item = u8>, mut update: impl FnMut(&[u8])) {
    let mut piece = [0; 512];
    let mut bytes = bytes.into_iter();
    loop {
        let mut len = 0;
        for (place, byte) in piece.iter_mut().zip(&mut bytes) {
            *place = byte;
            len += 1;
        }
        update(&piece[..len]);
        if len < piece.len() {
            return;
        }
    }
}
