//! The table of algorithms: names, tags, lengths; and hashers chosen at run time.

use crate::backend::{Chosen, Info};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::hasher::{Stream, bytes_in, sealed::Sealed};
use crate::hmac::Hmac;
use crate::keccak::XofReader;
use crate::many::update::Streams;
use crate::many::{Column, Flat, Messages, Offset, Rows, Selected, fixed_width};
use crate::state::{Exported, Import};
use crate::*;
use core::fmt;
use core::str::FromStr;

/// `fixed` and `xof` rows, in the order of the table. `code` is what exported states name the algorithm
/// by: never change one.
macro_rules! algorithms {
    (
        fixed { $($Fixed:ident $fixed:ident $fixed_offsets:ident $fixed_rows:ident = $fixed_code:literal: $fixed_name:literal, tag $fixed_tag:literal,
            also [$($fixed_alias:literal),*], output $fixed_output:literal, block $fixed_block:literal, $fixed_standard:literal;)* }
        xof { $($Xof:ident $xof:ident $xof_offsets:ident $xof_rows:ident = $xof_code:literal: $xof_name:literal, tag $xof_tag:literal,
            also [$($xof_alias:literal),*], output $xof_output:literal, block $xof_block:literal, $xof_standard:literal;)* }
    ) => {
        /// An algorithm, chosen at run time.
        ///
        /// ```
        /// use hashmill::Algorithm;
        ///
        /// let algorithm: Algorithm = "SHA2-256".parse()?;
        /// assert_eq!(algorithm, Algorithm::Sha256);
        /// assert_eq!(algorithm.hash(b"abc"), hashmill::sha256(b"abc")[..]);
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[doc = concat!($fixed_name, ", ", $fixed_standard)] $Fixed,)*
            $(#[doc = concat!($xof_name, ", ", $xof_standard)] $Xof,)*
        }

        struct Row {
            code: u8,
            name: &'static str,
            tag: &'static str,
            aliases: &'static [&'static str],
            output_len: usize,
            block_len: usize,
            is_xof: bool,
            standard: &'static str,
        }

        impl Algorithm {
            /// Every algorithm, in the order of the table.
            pub const ALL: &'static [Algorithm] = &[$(Algorithm::$Fixed,)* $(Algorithm::$Xof,)*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Algorithm::$Fixed => &Row {
                        code: $fixed_code, name: $fixed_name, tag: $fixed_tag, aliases: &[$($fixed_alias),*],
                        output_len: $fixed_output, block_len: $fixed_block, is_xof: false, standard: $fixed_standard,
                    },)*
                    $(Algorithm::$Xof => &Row {
                        code: $xof_code, name: $xof_name, tag: $xof_tag, aliases: &[$($xof_alias),*],
                        output_len: $xof_output, block_len: $xof_block, is_xof: true, standard: $xof_standard,
                    },)*
                }
            }

            /// A hasher that has absorbed nothing; BLAKE2 without a key, TurboSHAKE in domain 0x1F.
            pub const fn hasher(self) -> AnyHasher {
                AnyHasher(match self {
                    $(Algorithm::$Fixed => Any::$Fixed($Fixed::new()),)*
                    $(Algorithm::$Xof => Any::$Xof($Xof::new()),)*
                })
            }

            /// HMAC with this algorithm.
            ///
            /// # Errors
            /// [`Error::NoHmac`] for an extendable-output function.
            pub fn hmac(self, key: &[u8]) -> Result<AnyHmac, Error> {
                match self {
                    $(Algorithm::$Fixed => Ok(AnyHmac(Mac::$Fixed(Hmac::new(key)))),)*
                    _ => Err(Error::NoHmac),
                }
            }

            /// HMAC of a message: [`hmac`](Self::hmac) in one call, without an [`AnyHmac`], whose size
            /// is that of the largest.
            ///
            /// # Errors
            /// As [`hmac`](Self::hmac).
            ///
            /// ```
            /// use hashmill::{Algorithm, Hmac, Sha256};
            ///
            /// let tag = Hmac::<Sha256>::new(b"key").update(b"message").finalize();
            /// assert_eq!(Algorithm::Sha256.mac(b"key", b"message")?, tag[..]);
            /// # Ok::<(), hashmill::Error>(())
            /// ```
            pub fn mac(self, key: &[u8], message: &[u8]) -> Result<VarDigest, Error> {
                match self {
                    $(Algorithm::$Fixed => {
                        Ok(Hmac::<$Fixed>::new(key).update(message).finalize().into())
                    })*
                    _ => Err(Error::NoHmac),
                }
            }

            pub(crate) fn chosen(self) -> &'static Chosen {
                match self {
                    $(Algorithm::$Fixed => <$Fixed as Sealed>::Stream::chosen(),)*
                    $(Algorithm::$Xof => <$Xof as Sealed>::Stream::chosen(),)*
                }
            }

            fn backend(self, index: usize) -> Option<Info> {
                match self {
                    $(Algorithm::$Fixed => <$Fixed as Sealed>::Stream::backend(index),)*
                    $(Algorithm::$Xof => <$Xof as Sealed>::Stream::backend(index),)*
                }
            }
        }

        /// What an [`AnyHasher`] is.
        #[derive(Clone)]
        enum Any {
            $($Fixed($Fixed),)*
            $($Xof($Xof),)*
        }

        impl AnyHasher {
            /// Which algorithm this is.
            pub fn algorithm(&self) -> Algorithm {
                match self.0 {
                    $(Any::$Fixed(_) => Algorithm::$Fixed,)*
                    $(Any::$Xof(_) => Algorithm::$Xof,)*
                }
            }

            /// Absorbs the next part of the message.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                match &mut self.0 {
                    $(Any::$Fixed(hasher) => { hasher.update(data); })*
                    $(Any::$Xof(xof) => { xof.update(data); })*
                }
                self
            }

            /// Absorbs the next part of the message.
            ///
            /// # Errors
            /// As [`Hasher::try_update`].
            pub fn try_update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
                match &mut self.0 {
                    $(Any::$Fixed(hasher) => hasher.stream.try_update(data)?,)*
                    $(Any::$Xof(xof) => xof.stream.try_update(data)?,)*
                }
                Ok(self)
            }

            /// Gives every hasher the next part of its own message, as `update` does; those of one algorithm side
            /// by side in SIMD lanes.
            ///
            /// # Panics
            /// As [`Hasher::update_many`].
            pub fn update_many<M: AsRef<[u8]>>(hashers: &mut [AnyHasher], pieces: &[M]) {
                assert_eq!(hashers.len(), pieces.len(), "one piece for every hasher");
                for (hashers, pieces) in hashers.chunks_mut(BATCH).zip(pieces.chunks(BATCH)) {
                    $(update_those(hashers, pieces, |hasher| match &mut hasher.0 {
                        Any::$Fixed(hasher) => Some(&mut hasher.stream),
                        _ => None,
                    });)*
                    $(update_those(hashers, pieces, |hasher| match &mut hasher.0 {
                        Any::$Xof(xof) => Some(&mut xof.stream),
                        _ => None,
                    });)*
                }
            }

            fn finish(&self, out: &mut [u8]) {
                match &self.0 {
                    $(Any::$Fixed(hasher) => hasher.stream.finish(out),)*
                    $(Any::$Xof(xof) => xof.stream.finish(out),)*
                }
            }

            fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
                match &self.0 {
                    $(Any::$Fixed(hasher) => hasher.stream.finish_bits(last_byte, bits, out),)*
                    $(Any::$Xof(xof) => xof.stream.finish_bits(last_byte, bits, out),)*
                }
            }

            /// The output, from its beginning.
            ///
            /// # Errors
            /// [`Error::NotExtendable`] if the algorithm is not an extendable-output function.
            pub fn finalize_xof(&self) -> Result<XofReader, Error> {
                match &self.0 {
                    $(Any::$Xof(xof) => Ok(xof.finalize_xof()),)*
                    _ => Err(Error::NotExtendable),
                }
            }

            /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes.
            ///
            /// # Panics
            /// If there are not as many digests as messages, or as [`Hasher::update`].
            pub fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], digests: &mut [VarDigest]) {
                assert_eq!(messages.len(), digests.len(), "one digest for every message");
                digests.fill(VarDigest::zero(self.output_len()));
                self.finish_each(messages, digests);
            }

            fn finish_each<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R) {
                match &self.0 {
                    $(Any::$Fixed(hasher) => hasher.stream.finish_many(messages, rows),)*
                    $(Any::$Xof(xof) => xof.stream.finish_many(messages, rows),)*
                }
            }

            /// What `finalize_into` would write after `update(message)`, for every message, in SIMD
            /// lanes: `output_len` bytes each, one after the other in `out`.
            ///
            /// # Errors
            /// [`Error::OutputLength`] unless `output_len` is the digest's length (extendable-output
            /// functions fill any) and `out` has as many bytes for every message. Nothing is written
            /// then.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            ///
            /// ```
            /// use hashmill::Algorithm;
            ///
            /// let mut digests = [0; 2 * 32];
            /// Algorithm::Sha256.hasher().finish_many_into(&["one", "two"], 32, &mut digests)?;
            /// assert_eq!(digests[32..], hashmill::sha256(b"two")[..]);
            /// # Ok::<(), hashmill::Error>(())
            /// ```
            pub fn finish_many_into<M: AsRef<[u8]>>(
                &self,
                messages: &[M],
                output_len: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                self.finish_flat(messages, messages.len(), output_len, out)
            }

            /// As [`finish_many_into`](Self::finish_many_into), of every
            /// `values[offsets[i]..offsets[i + 1]]`.
            ///
            /// # Errors
            /// Besides, [`Error::Offsets`] if an offset is negative, decreases or points past the end.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub fn finish_offsets<O: Offset>(
                &self,
                values: &[u8],
                offsets: &[O],
                output_len: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                let column = Column::new(values, offsets)?;
                self.finish_flat(&column, column.count(), output_len, out)
            }

            fn finish_flat<M: Messages + ?Sized>(
                &self,
                messages: &M,
                count: usize,
                output_len: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                self.check_output_len(output_len)?;
                self.finish_each(messages, &mut Flat::new(out, count, output_len)?);
                Ok(())
            }

            /// As [`finish_many_into`](Self::finish_many_into), of every row of `width` bytes; where it is 0
            /// there are as many rows as `out` has room for.
            ///
            /// # Errors
            /// Besides, [`Error::RowWidth`] if `values` are not whole rows.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub fn finish_rows(
                &self,
                values: &[u8],
                width: usize,
                output_len: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                self.check_output_len(output_len)?;
                let (chunks, mut rows) = fixed_width(values, width, output_len, out)?;
                self.finish_each(&chunks, &mut rows);
                Ok(())
            }

            fn check_output_len(&self, output_len: usize) -> Result<(), Error> {
                if !self.algorithm().is_xof() && output_len != self.output_len() {
                    return Err(Error::OutputLength);
                }
                Ok(())
            }

            /// The state, to go on with later: see [`Exported`].
            pub fn export(&self) -> Exported {
                match &self.0 {
                    $(Any::$Fixed(hasher) => hasher.export(),)*
                    $(Any::$Xof(xof) => xof.export(),)*
                }
            }

            /// A hasher in a state that any hasher's `export` gave; the state says of which algorithm.
            ///
            /// # Errors
            /// As [`Hasher::import`].
            pub fn import(state: &[u8]) -> Result<Self, Error> {
                Ok(match Import::new(state)?.algorithm {
                    $(Algorithm::$Fixed => $Fixed::import(state)?.into(),)*
                    $(Algorithm::$Xof => $Xof::import(state)?.into(),)*
                })
            }
        }

        $(impl From<$Fixed> for AnyHasher {
            fn from(hasher: $Fixed) -> Self {
                AnyHasher(Any::$Fixed(hasher))
            }
        })*
        $(impl From<$Xof> for AnyHasher {
            fn from(xof: $Xof) -> Self {
                AnyHasher(Any::$Xof(xof))
            }
        })*

        /// What an [`AnyHmac`] is.
        #[derive(Clone)]
        enum Mac {
            $($Fixed(Hmac<$Fixed>),)*
        }

        impl AnyHmac {
            /// Which hash function it uses.
            pub fn algorithm(&self) -> Algorithm {
                match self.0 {
                    $(Mac::$Fixed(_) => Algorithm::$Fixed,)*
                }
            }

            /// Absorbs the next part of the message.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                match &mut self.0 {
                    $(Mac::$Fixed(hmac) => { hmac.update(data); })*
                }
                self
            }

            /// The tag of all that was absorbed. The `AnyHmac` stays as it is and may go on.
            pub fn finalize(&self) -> VarDigest {
                match &self.0 {
                    $(Mac::$Fixed(hmac) => hmac.finalize().into(),)*
                }
            }

            /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes:
            /// one after the other in `out`.
            ///
            /// # Errors
            /// [`Error::OutputLength`] unless `out` has a tag's length for every message.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub fn finish_many_into<M: AsRef<[u8]>>(
                &self,
                messages: &[M],
                out: &mut [u8],
            ) -> Result<(), Error> {
                let len = self.algorithm().output_len();
                self.finish_each(messages, &mut Flat::new(out, messages.len(), len)?);
                Ok(())
            }

            fn finish_each<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, tags: &mut R) {
                match &self.0 {
                    $(Mac::$Fixed(hmac) => hmac.finish_each(messages, tags),)*
                }
            }

            /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes.
            ///
            /// # Panics
            /// If there are not as many tags as messages, or as [`Hasher::update`].
            pub fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], tags: &mut [VarDigest]) {
                assert_eq!(messages.len(), tags.len(), "one tag for every message");
                tags.fill(VarDigest::zero(self.algorithm().output_len()));
                self.finish_each(messages, tags);
            }

            /// As [`finish_many`](Self::finish_many), for every `values[offsets[i]..offsets[i + 1]]`; the tags one
            /// after the other in `out`.
            ///
            /// # Errors
            /// As [`Hasher::finish_offsets`]. Nothing is written then.
            pub fn finish_offsets<O: Offset>(
                &self,
                values: &[u8],
                offsets: &[O],
                out: &mut [u8],
            ) -> Result<(), Error> {
                match &self.0 {
                    $(Mac::$Fixed(hmac) => hmac.finish_offsets(values, offsets, out),)*
                }
            }

            /// As [`finish_many`](Self::finish_many), for every row of `width` bytes; the tags one after the other
            /// in `out`.
            ///
            /// # Errors
            /// As [`Hasher::finish_rows`]. Nothing is written then.
            pub fn finish_rows(
                &self,
                values: &[u8],
                width: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                match &self.0 {
                    $(Mac::$Fixed(hmac) => hmac.finish_rows(values, width, out),)*
                }
            }
        }

        /// The functions of [`many`](crate::many), one row of the table each.
        macro_rules! many_functions {
            () => {
                $(
                    #[doc = concat!($fixed_name, " of every message.")]
                    ///
                    /// # Panics
                    /// If there are not as many digests as messages.
                    pub fn $fixed<M: AsRef<[u8]>>(
                        messages: &[M],
                        digests: &mut [crate::Digest<$fixed_output>],
                    ) {
                        assert_eq!(messages.len(), digests.len(), "one digest for every message");
                        crate::$Fixed::new().stream.finish_many(messages, digests);
                    }

                    #[doc = concat!($fixed_name, " of every `values[offsets[i]..offsets[i + 1]]`; the digests one after the other in `out`.")]
                    ///
                    /// # Errors
                    /// As [`Hasher::finish_offsets`]. Nothing is written then.
                    pub fn $fixed_offsets<O: Offset>(
                        values: &[u8],
                        offsets: &[O],
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        crate::$Fixed::new().finish_offsets(values, offsets, out)
                    }

                    #[doc = concat!($fixed_name, " of every row of `width` bytes; the digests one after the other in `out`.")]
                    ///
                    /// # Errors
                    /// As [`Hasher::finish_rows`]. Nothing is written then.
                    pub fn $fixed_rows(
                        values: &[u8],
                        width: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        crate::$Fixed::new().finish_rows(values, width, out)
                    }
                )*
                $(
                    #[doc = concat!("The first `output_len` bytes of ", $xof_name, " of every message, one after the other in `out`.")]
                    ///
                    /// # Panics
                    /// If `out` does not have `messages.len() * output_len` bytes.
                    pub fn $xof<M: AsRef<[u8]>>(messages: &[M], output_len: usize, out: &mut [u8]) {
                        crate::$Xof::new().finish_many(messages, output_len, out);
                    }

                    #[doc = concat!("The first `output_len` bytes of ", $xof_name, " of every `values[offsets[i]..offsets[i + 1]]`, one after the other in `out`.")]
                    ///
                    /// # Errors
                    /// As [`Xof::finish_offsets`]. Nothing is written then.
                    pub fn $xof_offsets<O: Offset>(
                        values: &[u8],
                        offsets: &[O],
                        output_len: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        crate::$Xof::new().finish_offsets(values, offsets, output_len, out)
                    }

                    #[doc = concat!("The first `output_len` bytes of ", $xof_name, " of every row of `width` bytes, one after the other in `out`.")]
                    ///
                    /// # Errors
                    /// As [`Xof::finish_rows`]. Nothing is written then.
                    pub fn $xof_rows(
                        values: &[u8],
                        width: usize,
                        output_len: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        crate::$Xof::new().finish_rows(values, width, output_len, out)
                    }
                )*
            };
        }
        pub(crate) use many_functions;

        /// The functions of [`many::rayon`](crate::many::rayon), one row of the table each.
        #[cfg(feature = "rayon")]
        macro_rules! rayon_functions {
            () => {
                $(
                    #[doc = concat!("As [`many::", stringify!($fixed), "`](super::", stringify!($fixed), "), on all threads.")]
                    ///
                    /// # Panics
                    /// If there are not as many digests as messages.
                    pub fn $fixed<M: AsRef<[u8]> + Sync>(
                        messages: &[M],
                        digests: &mut [crate::Digest<$fixed_output>],
                    ) {
                        assert_eq!(messages.len(), digests.len(), "one digest for every message");
                        finish_many(&crate::$Fixed::STREAM, messages, digests);
                    }

                    #[doc = concat!("As [`many::", stringify!($fixed_offsets), "`](super::", stringify!($fixed_offsets), "), on all threads.")]
                    ///
                    /// # Errors
                    /// As [`Hasher::finish_offsets`](crate::Hasher::finish_offsets). Nothing is written then.
                    pub fn $fixed_offsets<O: Offset>(
                        values: &[u8],
                        offsets: &[O],
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        let column = Column::new(values, offsets)?;
                        let rows = Flat::new(out, column.count(), $fixed_output)?;
                        finish_many(&crate::$Fixed::STREAM, &column, rows);
                        Ok(())
                    }

                    #[doc = concat!("As [`many::", stringify!($fixed_rows), "`](super::", stringify!($fixed_rows), "), on all threads.")]
                    ///
                    /// # Errors
                    /// As [`Hasher::finish_rows`](crate::Hasher::finish_rows). Nothing is written then.
                    pub fn $fixed_rows(
                        values: &[u8],
                        width: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        let (chunks, rows) = fixed_width(values, width, $fixed_output, out)?;
                        finish_many(&crate::$Fixed::STREAM, &chunks, rows);
                        Ok(())
                    }
                )*
                $(
                    #[doc = concat!("As [`many::", stringify!($xof), "`](super::", stringify!($xof), "), on all threads.")]
                    ///
                    /// # Panics
                    /// If `out` does not have `messages.len() * output_len` bytes.
                    pub fn $xof<M: AsRef<[u8]> + Sync>(
                        messages: &[M],
                        output_len: usize,
                        out: &mut [u8],
                    ) {
                        crate::$Xof::new().finish_many_rayon(messages, output_len, out);
                    }

                    #[doc = concat!("As [`many::", stringify!($xof_offsets), "`](super::", stringify!($xof_offsets), "), on all threads.")]
                    ///
                    /// # Errors
                    /// As [`Xof::finish_offsets`]. Nothing is written then.
                    pub fn $xof_offsets<O: Offset>(
                        values: &[u8],
                        offsets: &[O],
                        output_len: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        let column = Column::new(values, offsets)?;
                        let rows = Flat::new(out, column.count(), output_len)?;
                        finish_many(&crate::$Xof::STREAM, &column, rows);
                        Ok(())
                    }

                    #[doc = concat!("As [`many::", stringify!($xof_rows), "`](super::", stringify!($xof_rows), "), on all threads.")]
                    ///
                    /// # Errors
                    /// As [`Xof::finish_rows`]. Nothing is written then.
                    pub fn $xof_rows(
                        values: &[u8],
                        width: usize,
                        output_len: usize,
                        out: &mut [u8],
                    ) -> Result<(), Error> {
                        let (chunks, rows) = fixed_width(values, width, output_len, out)?;
                        finish_many(&crate::$Xof::STREAM, &chunks, rows);
                        Ok(())
                    }
                )*
            };
        }
        #[cfg(feature = "rayon")]
        pub(crate) use rayon_functions;

        /// Calls a macro with every fixed function, and another with every XOF.
        macro_rules! each_function {
            ($each_fixed:ident, $each_xof:ident) => {
                $($each_fixed!($Fixed, $fixed, $fixed_name, $fixed_output, $fixed_block);)*
                $($each_xof!($Xof, $xof, $xof_name);)*
            };
        }
        pub(crate) use each_function;
    };
}

algorithms! {
    fixed {
        Sha224 sha224 sha224_offsets sha224_rows = 1: "SHA-224", tag "SHA224", also ["SHA2-224"], output 28, block 64, "FIPS 180-4 §6.3";
        Sha256 sha256 sha256_offsets sha256_rows = 2: "SHA-256", tag "SHA256", also ["SHA2-256"], output 32, block 64, "FIPS 180-4 §6.2";
        Sha384 sha384 sha384_offsets sha384_rows = 3: "SHA-384", tag "SHA384", also ["SHA2-384"], output 48, block 128, "FIPS 180-4 §6.5";
        Sha512 sha512 sha512_offsets sha512_rows = 4: "SHA-512", tag "SHA512", also ["SHA2-512"], output 64, block 128, "FIPS 180-4 §6.4";
        Sha512_224 sha512_224 sha512_224_offsets sha512_224_rows = 5: "SHA-512/224", tag "SHA512-224", also ["SHA2-512/224", "SHA512t224"], output 28, block 128, "FIPS 180-4 §6.6";
        Sha512_256 sha512_256 sha512_256_offsets sha512_256_rows = 6: "SHA-512/256", tag "SHA512-256", also ["SHA2-512/256", "SHA512t256"], output 32, block 128, "FIPS 180-4 §6.7";
        Sha3_224 sha3_224 sha3_224_offsets sha3_224_rows = 7: "SHA3-224", tag "SHA3-224", also [], output 28, block 144, "FIPS 202 §6.1";
        Sha3_256 sha3_256 sha3_256_offsets sha3_256_rows = 8: "SHA3-256", tag "SHA3-256", also [], output 32, block 136, "FIPS 202 §6.1";
        Sha3_384 sha3_384 sha3_384_offsets sha3_384_rows = 9: "SHA3-384", tag "SHA3-384", also [], output 48, block 104, "FIPS 202 §6.1";
        Sha3_512 sha3_512 sha3_512_offsets sha3_512_rows = 10: "SHA3-512", tag "SHA3-512", also [], output 64, block 72, "FIPS 202 §6.1";
        Blake2b blake2b blake2b_offsets blake2b_rows = 11: "BLAKE2b", tag "BLAKE2b", also ["BLAKE2b-512"], output 64, block 128, "RFC 7693";
        Blake2s blake2s blake2s_offsets blake2s_rows = 12: "BLAKE2s", tag "BLAKE2s", also ["BLAKE2s-256"], output 32, block 64, "RFC 7693";
        Blake2bp blake2bp blake2bp_offsets blake2bp_rows = 13: "BLAKE2bp", tag "BLAKE2bp", also ["BLAKE2bp-512"], output 64, block 128, "BLAKE2 paper §5";
        Blake2sp blake2sp blake2sp_offsets blake2sp_rows = 14: "BLAKE2sp", tag "BLAKE2sp", also ["BLAKE2sp-256"], output 32, block 64, "BLAKE2 paper §5";
    }
    xof {
        Shake128 shake128 shake128_offsets shake128_rows = 15: "SHAKE128", tag "SHAKE128", also [], output 32, block 168, "FIPS 202 §6.2";
        Shake256 shake256 shake256_offsets shake256_rows = 16: "SHAKE256", tag "SHAKE256", also [], output 64, block 136, "FIPS 202 §6.2";
        TurboShake128 turboshake128 turboshake128_offsets turboshake128_rows = 17: "TurboSHAKE128", tag "TurboSHAKE128", also [], output 32, block 168, "RFC 9861 §2";
        TurboShake256 turboshake256 turboshake256_offsets turboshake256_rows = 18: "TurboSHAKE256", tag "TurboSHAKE256", also [], output 64, block 136, "RFC 9861 §2";
    }
}

impl Algorithm {
    /// The name in its standard: `SHA-512/256`, `SHA3-256`, `BLAKE2b`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The name in checksum lists with tags: `SHA512-256`, `SHA3-256`, `BLAKE2b`.
    pub const fn tag(self) -> &'static str {
        self.row().tag
    }

    /// Other names it is known by.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.row().aliases
    }

    /// The length of the digest in bytes; of an extendable-output function's, twice its security
    /// strength; of BLAKE2's, the longest.
    pub const fn output_len(self) -> usize {
        self.row().output_len
    }

    /// The length of a block in bytes: the compression function's, or Keccak's rate.
    pub const fn block_len(self) -> usize {
        self.row().block_len
    }

    /// Whether it is an extendable-output function.
    pub const fn is_xof(self) -> bool {
        self.row().is_xof
    }

    /// Where it is defined.
    pub const fn standard(self) -> &'static str {
        self.row().standard
    }

    /// The digest of a message.
    pub fn hash(self, message: &[u8]) -> VarDigest {
        self.hasher().update(message).finalize()
    }

    /// The digests of many messages, in SIMD lanes.
    ///
    /// # Panics
    /// If there are not as many digests as messages.
    pub fn hash_many<M: AsRef<[u8]>>(self, messages: &[M], digests: &mut [VarDigest]) {
        self.hasher().finish_many(messages, digests);
    }

    /// The backends of its block function, best first.
    pub fn backends(self) -> impl Iterator<Item = Info> {
        (0..).map_while(move |index| self.backend(index))
    }

    /// The algorithm's number in exported states and in languages other than Rust, 1 or more; it never
    /// changes.
    pub const fn code(self) -> u8 {
        self.row().code
    }

    /// The algorithm with that [`code`](Self::code).
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.code() == code)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    /// By name, tag or alias, of either case; `-`, `_`, `/` and spaces do not count.
    fn from_str(name: &str) -> Result<Self, Error> {
        fn letters(name: &str) -> impl Iterator<Item = u8> {
            let counts = |c: &u8| !b"-_/ ".contains(c);
            name.bytes().filter(counts).map(|c| c.to_ascii_lowercase())
        }
        let is = |known: &str| letters(name).eq(letters(known));
        Self::ALL
            .iter()
            .copied()
            .find(|a| is(a.name()) || is(a.tag()) || a.aliases().iter().any(|alias| is(alias)))
            .ok_or(Error::UnknownAlgorithm)
    }
}

/// A hasher of an algorithm that is chosen at run time; nothing is allocated.
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
pub struct AnyHasher(Any);

impl AnyHasher {
    /// The length of the digest that `finalize` gives, in bytes.
    pub fn output_len(&self) -> usize {
        match &self.0 {
            Any::Blake2b(hasher) => hasher.output_len(),
            Any::Blake2s(hasher) => hasher.output_len(),
            Any::Blake2bp(hasher) => hasher.output_len(),
            Any::Blake2sp(hasher) => hasher.output_len(),
            _ => self.algorithm().output_len(),
        }
    }

    /// The digest of all that was absorbed. The hasher stays as it is and may go on.
    pub fn finalize(&self) -> VarDigest {
        let mut digest = VarDigest::zero(self.output_len());
        self.finish(digest.as_mut());
        digest
    }

    /// Writes the output of all that was absorbed.
    ///
    /// # Errors
    /// [`Error::OutputLength`] unless `out` has the digest's length; extendable-output functions fill
    /// any length.
    pub fn finalize_into(&self, out: &mut [u8]) -> Result<(), Error> {
        if !self.algorithm().is_xof() && out.len() != self.output_len() {
            return Err(Error::OutputLength);
        }
        self.finish(out);
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
        self.finish_bits(last_byte, bits, digest.as_mut())?;
        Ok(digest)
    }

    /// The output for a message that ends with `bits` further bits: see
    /// [`finalize_bits`](Self::finalize_bits).
    ///
    /// # Errors
    /// As `finalize_bits`, and [`Error::NotExtendable`] if the algorithm is not SHAKE.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        match &self.0 {
            Any::Shake128(xof) => xof.finalize_xof_bits(last_byte, bits),
            Any::Shake256(xof) => xof.finalize_xof_bits(last_byte, bits),
            Any::TurboShake128(_) | Any::TurboShake256(_) => Err(Error::NoBits),
            _ => Err(Error::NotExtendable),
        }
    }
}

/// How many hashers [`AnyHasher::update_many`] sorts at once.
const BATCH: usize = 256;

/// [`AnyHasher::update_many`] for the hashers of one algorithm, whose streams `pick` gives.
fn update_those<S: Stream, M: AsRef<[u8]>>(
    hashers: &mut [AnyHasher],
    pieces: &[M],
    pick: fn(&mut AnyHasher) -> Option<&mut S>,
) {
    let mut indexes = [0; BATCH];
    let mut count = 0;
    for (index, hasher) in hashers.iter_mut().enumerate() {
        if pick(hasher).is_some() {
            indexes[count] = index;
            count += 1;
        }
    }
    if count > 0 {
        let indexes = &indexes[..count];
        S::update_many(&mut Those { hashers, indexes, pick }, &Selected { all: pieces, indexes });
    }
}

/// The hashers of one algorithm among others.
struct Those<'a, S> {
    hashers: &'a mut [AnyHasher],
    indexes: &'a [usize],
    pick: fn(&mut AnyHasher) -> Option<&mut S>,
}

impl<S> Streams<S> for Those<'_, S> {
    fn stream(&mut self, index: usize) -> &mut S {
        match (self.pick)(&mut self.hashers[self.indexes[index]]) {
            Some(stream) => stream,
            None => unreachable!("the indexes are of hashers of this algorithm"),
        }
    }
}

impl fmt::Debug for AnyHasher {
    /// Says nothing of the state, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHasher").field(&self.algorithm()).finish()
    }
}

/// HMAC with a hash function that is chosen at run time; nothing is allocated.
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
pub struct AnyHmac(Mac);

impl AnyHmac {
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
    /// Says nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHmac").field(&self.algorithm()).finish()
    }
}

bytes_in!(AnyHasher);
bytes_in!(AnyHmac);
