//! SHA-3 and SHAKE (FIPS 202).

use crate::digest::Digest;
use crate::error::Error;
use crate::hasher::{Stream, fixed_hasher};
use crate::keccak::{Sponge, XofReader};

/// FIPS 202 §6.1: the suffix 01 and the first bit of the padding.
const SHA3_SUFFIX: u8 = 0b110;
/// FIPS 202 §6.2: the suffix 1111 and the first bit of the padding.
pub(crate) const SHAKE_SUFFIX: u8 = 0b1_1111;

/// A SHA-3 function: its hasher and its one-call form. The capacity is twice the digest.
macro_rules! sha3 {
    ($Type:ident, $function:ident, $name:literal, $len:literal) => {
        #[doc = concat!($name, ", FIPS 202 §6.1: a digest of ", $len, " bytes.")]
        ///
        /// ```
        #[doc = concat!("use hashmill::", stringify!($Type), ";")]
        ///
        #[doc = concat!("let mut hasher = ", stringify!($Type), "::new();")]
        /// hasher.update(b"ab").update(b"c");
        #[doc = concat!("assert_eq!(hasher.finalize(), hashmill::", stringify!($function), "(b\"abc\"));")]
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            pub(crate) stream: Sponge,
        }

        fixed_hasher!($Type, Sponge, Digest<$len>);

        impl $Type {
            const RATE: usize = 200 - 2 * $len;

            pub(crate) const STREAM: Sponge = Sponge::new(Self::RATE, 24, SHA3_SUFFIX);

            /// A hasher that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: Self::STREAM }
            }

            /// The digest of all that was absorbed. The hasher stays as it is and may go on.
            pub fn finalize(&self) -> Digest<$len> {
                let mut digest = Self::blank(&self.stream);
                self.stream.finish(digest.as_mut());
                digest
            }

            /// The digest of a message that ends with `bits` further bits, 0 to 7, in the **low**
            /// positions of `last_byte`, first bit lowest, as FIPS 202 §B.1 orders bits.
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7.
            pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<Digest<$len>, Error> {
                let mut digest = Self::blank(&self.stream);
                self.stream.finish_bits(last_byte, bits, digest.as_mut())?;
                Ok(digest)
            }

            pub(crate) const fn blank(_: &Sponge) -> Digest<$len> {
                Digest([0; $len])
            }
        }

        #[doc = concat!($name, " (FIPS 202 §6.1) of a message.")]
        #[inline]
        pub fn $function(message: &[u8]) -> Digest<$len> {
            Digest($Type::STREAM.hash(message))
        }
    };
}

sha3!(Sha3_224, sha3_224, "SHA3-224", 28);
sha3!(Sha3_256, sha3_256, "SHA3-256", 32);
sha3!(Sha3_384, sha3_384, "SHA3-384", 48);
sha3!(Sha3_512, sha3_512, "SHA3-512", 64);

/// An XOF: its type and its one-call form.
macro_rules! xof {
    ($Type:ident, $function:ident, $name:literal, $section:literal, rate $rate:literal, rounds $rounds:literal, $suffix:expr) => {
        #[doc = concat!($name, ", ", $section, ": an output of any length.")]
        ///
        /// ```
        #[doc = concat!("use hashmill::", stringify!($Type), ";")]
        ///
        /// let mut out = [0; 100];
        #[doc = concat!(stringify!($Type), "::new().update(b\"ab\").update(b\"c\").finalize_xof().fill(&mut out);")]
        #[doc = concat!("assert_eq!(out[..], hashmill::", stringify!($function), "::<100>(b\"abc\")[..]);")]
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            pub(crate) stream: crate::keccak::Sponge,
        }

        crate::hasher::hasher_common!($Type, crate::keccak::Sponge);
        crate::hasher::from_iterator!($Type);

        impl $Type {
            const ALGORITHM: crate::Algorithm = crate::Algorithm::$Type;

            pub(crate) const STREAM: crate::keccak::Sponge =
                crate::keccak::Sponge::new($rate, $rounds, $suffix);

            /// A function that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: Self::STREAM }
            }

            /// Absorbs the next part of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                if let Err(error) = crate::hasher::Stream::try_update(&mut self.stream, data) {
                    panic!("{error}");
                }
                self
            }

            /// The output, from its beginning. The function stays as it is and may go on absorbing.
            pub fn finalize_xof(&self) -> crate::XofReader {
                match self.stream.finish_xof(0, 0) {
                    Ok(output) => crate::XofReader(output),
                    Err(error) => unreachable!("{error}"),
                }
            }

            /// A function in a state that [`export`](Self::export) gave.
            ///
            /// # Errors
            /// As [`Hasher::import`](crate::Hasher::import).
            pub fn import(state: &[u8]) -> Result<Self, crate::Error> {
                <Self as crate::Xof>::import(state)
            }
        }

        impl crate::Xof for $Type {
            const ALGORITHM: crate::Algorithm = Self::ALGORITHM;

            fn update(&mut self, data: &[u8]) -> &mut Self {
                self.update(data)
            }
            fn finalize_xof(&self) -> crate::XofReader {
                self.finalize_xof()
            }
            fn finish_many<M: AsRef<[u8]>>(&self, messages: &[M], output_len: usize, out: &mut [u8]) {
                match crate::many::Flat::new(out, messages.len(), output_len) {
                    Ok(mut rows) => crate::hasher::Stream::finish_many(&self.stream, messages, &mut rows),
                    Err(_) => panic!("`out` must have `output_len` bytes for every message"),
                }
            }
        }

        #[doc = concat!("The first `N` bytes of ", $name, " (", $section, ") of a message.")]
        #[inline]
        pub fn $function<const N: usize>(message: &[u8]) -> crate::Digest<N> {
            crate::Digest($Type::STREAM.hash(message))
        }
    };
}
pub(crate) use xof;

xof!(Shake128, shake128, "SHAKE128", "FIPS 202 §6.2", rate 168, rounds 24, SHAKE_SUFFIX);
xof!(Shake256, shake256, "SHAKE256", "FIPS 202 §6.2", rate 136, rounds 24, SHAKE_SUFFIX);

/// Messages of any number of bits, which TurboSHAKE does not define.
macro_rules! xof_bits {
    ($Type:ident) => {
        impl $Type {
            /// The output for a message that ends with `bits` further bits, 0 to 7, in the **low**
            /// positions of `last_byte`, first bit lowest, as FIPS 202 §B.1 orders bits.
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7.
            pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
                self.stream.finish_xof(last_byte, bits).map(XofReader)
            }
        }
    };
}
xof_bits!(Shake128);
xof_bits!(Shake256);
