//! The hash functions of the crate's root, from the list: for each an alias of [`Hash`], and a
//! function that hashes one message in one call.

use crate::digest::Digest;
use crate::function::{self, Function};
use crate::hasher::{Hash, Stream};

/// Hashes one message, beginning with the constant first state of `F`. It makes no hasher, so that
/// none must be wiped afterwards.
#[inline(always)]
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
        fixed { $($Fixed:ident = $_f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)?;)* }
        xof { $($Xof:ident = $_x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)?;)* }
    ) => {
        $(
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

            #[doc = concat!("Returns the digest of `message` by [`", stringify!($Fixed), "`], for BLAKE2 the longest one and without a key.")]
            #[inline]
            pub fn $fixed(
                message: &[u8],
            ) -> Digest<{ <function::$FixedType $(<$n>)? as Function>::FACTS.output_len }> {
                one::<function::$FixedType $(<$n>)?, _>(message)
            }
        )*
        $(
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

            #[doc = concat!("Returns the first `N` bytes of the output of [`", stringify!($Xof), "`] for `message`.")]
            #[inline]
            pub fn $xof<const N: usize>(message: &[u8]) -> Digest<N> {
                one::<function::$XofType $(<$rate>)?, N>(message)
            }
        )*
    };
}

functions!(hashes);
