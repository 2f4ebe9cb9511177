//! Hashing at compile time: the portable kernels, as `const fn`.
//!
//! ```
//! use hashmill::{Digest, Sha256, portable};
//!
//! const EMPTY: Digest<32> = portable::sha256(b"");
//!
//! /// What comes before every message is hashed by the compiler.
//! const PREFIX: portable::Sha256 = {
//!     let mut hasher = portable::Sha256::new();
//!     hasher.update(b"domain");
//!     hasher
//! };
//! let digest = Sha256::from(PREFIX).update(b"message").finalize();
//! assert_eq!(digest, hashmill::sha256(b"domainmessage"));
//! # assert_eq!(EMPTY, hashmill::sha256(b""));
//! ```
//!
//! The same functions serve at run time where one fixed implementation is wanted. The hashers here are
//! `Copy` and, unlike the others, not wiped when dropped: a constant cannot be. For messages of some
//! kilobytes the compiler asks whether so long an evaluation is meant:
//! `#[allow(long_running_const_eval)]` says so.

use crate::algorithm::each_function;
use crate::hasher::{Hasher, sealed::Sealed};
use crate::keccak::Output;

macro_rules! fixed {
    ($Type:ident, $function:ident, $name:literal, $output:literal, $block:literal) => {
        #[doc = concat!($name, " at compile time.")]
        #[derive(Clone, Copy)]
        pub struct $Type {
            pub(crate) stream: <crate::$Type as Sealed>::Stream,
        }

        impl $Type {
            /// A hasher that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: crate::$Type::STREAM }
            }

            /// Absorbs the next part of the message.
            ///
            /// # Panics
            /// As [`Hasher::update`].
            pub const fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update_const(data);
                self
            }

            /// The digest of all that was absorbed.
            pub const fn finalize(&self) -> <crate::$Type as Hasher>::Digest {
                let mut digest = crate::$Type::blank(&self.stream);
                self.stream.finish_const(digest.as_mut());
                digest
            }
        }

        impl Default for $Type {
            fn default() -> Self {
                Self::new()
            }
        }

        impl core::fmt::Debug for $Type {
            /// Says nothing of the state, which may be secret.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }

        impl From<$Type> for crate::$Type {
            fn from(portable: $Type) -> Self {
                crate::$Type { stream: portable.stream }
            }
        }

        #[doc = concat!($name, " of a message.")]
        pub const fn $function(message: &[u8]) -> crate::Digest<$output> {
            let mut stream = crate::$Type::STREAM;
            stream.update_const(message);
            let mut digest = crate::Digest([0; $output]);
            stream.finish_const(digest.as_mut());
            digest
        }
    };
}

macro_rules! xof {
    ($Type:ident, $function:ident, $name:literal) => {
        #[doc = concat!($name, " at compile time.")]
        #[derive(Clone, Copy)]
        pub struct $Type {
            pub(crate) stream: <crate::$Type as Sealed>::Stream,
        }

        impl $Type {
            /// A function that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: crate::$Type::STREAM }
            }

            /// Absorbs the next part of the message.
            pub const fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update_const(data);
                self
            }

            /// The output, from its beginning.
            pub const fn finalize_xof(&self) -> XofReader {
                XofReader(self.stream.finish_xof_const())
            }
        }

        impl Default for $Type {
            fn default() -> Self {
                Self::new()
            }
        }

        impl core::fmt::Debug for $Type {
            /// Says nothing of the state, which may be secret.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }

        impl From<$Type> for crate::$Type {
            fn from(portable: $Type) -> Self {
                crate::$Type { stream: portable.stream }
            }
        }

        #[doc = concat!("The first `N` bytes of ", $name, " of a message.")]
        pub const fn $function<const N: usize>(message: &[u8]) -> crate::Digest<N> {
            let mut stream = crate::$Type::STREAM;
            stream.update_const(message);
            let mut digest = crate::Digest([0; N]);
            stream.finish_const(digest.as_mut());
            digest
        }
    };
}

each_function!(fixed, xof);

/// The output of an extendable-output function at compile time.
#[derive(Clone, Copy)]
pub struct XofReader(Output);

impl XofReader {
    /// Writes the next bytes of the output.
    pub const fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_const(out);
    }
}

impl core::fmt::Debug for XofReader {
    /// Says nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("XofReader").finish_non_exhaustive()
    }
}

/// HMAC (FIPS 198-1) at compile time, a function for every hash function.
///
/// ```
/// use hashmill::{Digest, Hmac, Sha256, portable};
///
/// const TAG: Digest<32> = portable::hmac::sha256(b"key", b"message");
/// assert_eq!(TAG, Hmac::<Sha256>::new(b"key").update(b"message").finalize());
/// ```
pub mod hmac {
    use crate::algorithm::each_function;
    use crate::hmac::{IPAD, OPAD};

    macro_rules! fixed {
        ($Type:ident, $function:ident, $name:literal, $output:literal, $block:literal) => {
            #[doc = concat!("HMAC-", $name, " of a message.")]
            pub const fn $function(key: &[u8], message: &[u8]) -> crate::Digest<$output> {
                let mut block = [0; $block];
                if key.len() <= $block {
                    block.split_at_mut(key.len()).0.copy_from_slice(key);
                } else {
                    let digest = super::$function(key);
                    block.split_at_mut($output).0.copy_from_slice(digest.as_bytes());
                }
                let (mut inner, mut outer) = (super::$Type::new(), super::$Type::new());
                let mut i = 0;
                while i < $block {
                    inner.update(&[block[i] ^ IPAD]);
                    outer.update(&[block[i] ^ OPAD]);
                    i += 1;
                }
                let mut digest = crate::Digest([0; $output]);
                inner.update(message).stream.finish_const(digest.as_mut());
                outer.update(digest.as_bytes()).stream.finish_const(digest.as_mut());
                digest
            }
        };
    }

    macro_rules! xof {
        ($Type:ident, $function:ident, $name:literal) => {};
    }

    each_function!(fixed, xof);
}
