//! The hash functions of the crate's root, from the list: for each an alias of [`Hash`], and a
//! function that hashes one message in one call.

use crate::digest::Digest;
use crate::function::{self, Function};
use crate::hasher::{Hash, Hasher, Stream};

/// Hashes one message, beginning with the constant first state of `F`. It makes no hasher, so that
/// none must be wiped afterwards.
#[inline]
fn one<F: Function, const N: usize>(message: &[u8]) -> Digest<N> {
    let mut digest = Digest([0; N]);
    F::STREAM.finish_unwiped(message, digest.as_mut());
    digest
}

macro_rules! hashes {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof $xof:tt) => {
        hashes! { fixed { $($fixed)* $($bare)* } xof $xof }
    };
    (
        fixed { $($Fixed:ident = $_f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)? $(, $ff:literal)?;)* }
        xof { $($Xof:ident = $_x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)? $(, $xf:literal)?;)* }
    ) => {
        $(
            $(#[cfg(feature = $ff)])?
            #[doc = concat!("A hasher for [`function::", stringify!($FixedType), "`], of which [`", stringify!($fixed), "()`] is the one-call form.")]
            ///
            /// ```
            #[doc = concat!("use hashmill::{", stringify!($Fixed), ", ", stringify!($fixed), "};")]
            ///
            #[doc = concat!("let mut hasher = ", stringify!($Fixed), "::new();")]
            /// hasher.update(b"ab").update(b"c");
            #[doc = concat!("assert_eq!(hasher.finalize()[..], ", stringify!($fixed), "(b\"abc\")[..]);")]
            /// ```
            pub type $Fixed = Hash<function::$FixedType $(<$n>)?>;

            $(#[cfg(feature = $ff)])?
            #[doc = concat!("Returns the digest of `message` by [`", stringify!($Fixed), "`], for BLAKE2 the longest one and without a key.")]
            #[inline]
            pub fn $fixed(
                message: impl AsRef<[u8]>,
            ) -> Digest<{ <function::$FixedType $(<$n>)? as Function>::FACTS.output_len }> {
                one::<function::$FixedType $(<$n>)?, _>(message.as_ref())
            }
        )*
        $(
            $(#[cfg(feature = $xf)])?
            #[doc = concat!("A hasher for [`function::", stringify!($XofType), "`], whose output may have any length.")]
            ///
            /// ```
            #[doc = concat!("use hashmill::{", stringify!($Xof), ", ", stringify!($xof), "};")]
            ///
            #[doc = concat!("let mut hasher = ", stringify!($Xof), "::new();")]
            /// let mut output = hasher.update(b"ab").update(b"c").squeeze();
            /// let mut key = [0; 32];
            /// output.fill(&mut key);
            #[doc = concat!("assert_eq!(", stringify!($xof), "(b\"abc\"), key);")]
            /// ```
            pub type $Xof = Hash<function::$XofType $(<$rate>)?>;

            $(#[cfg(feature = $xf)])?
            one_call!($xof = $Xof);
        )*
    };
}

/// Defines the one-call function of an extendable-output function.
macro_rules! one_call {
    // BLAKE3 has a usual length, as no other extendable-output function has, so that the plain name
    // is the function that other packages call `hash`.
    (blake3 = $Xof:ident) => {
        /// Returns the digest of `message` by [`Blake3`], the first 32 bytes of its output.
        /// [`blake3_xof`] returns another number.
        #[inline]
        pub fn blake3(message: impl AsRef<[u8]>) -> Digest<32> {
            one::<function::Blake3, 32>(message.as_ref())
        }

        one_call!(blake3_xof = $Xof);
    };
    ($xof:ident = $Xof:ident) => {
        #[doc = concat!("Returns the first `N` bytes of the output of [`", stringify!($Xof), "`] for `message`.")]
        ///
        /// ```
        #[doc = concat!("let output = hashmill::", stringify!($xof), "::<100>(b\"abc\");")]
        /// assert_eq!(output.len(), 100);
        /// ```
        #[inline]
        pub fn $xof<const N: usize>(message: impl AsRef<[u8]>) -> Digest<N> {
            one::<<$Xof as Hasher>::Function, N>(message.as_ref())
        }
    };
}

functions!(hashes);
