//! The list of algorithms. It does not use the hashers, so that every layer can use it.

/// The hash functions that take nothing but a message, each with its code, its one-call function,
/// its type in [`function`](crate::function) and the feature of this crate without which it does not
/// exist. SHA-2 always exists, because exported states are checked with it. Calls the macro `$callback`, first with the
/// tokens `$first`, then with the functions of fixed output length, then with those of them that
/// HMAC is not defined for, because the digest is longer than the block, then with the
/// extendable-output functions.
///
/// This is the only place that lists them. What has to say every function calls this macro, or asks
/// [`Algorithm::with`], which the list makes exhaustive.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    ($callback:ident $($first:tt)*) => {
        $callback! {
            $($first)*
            fixed {
                Sha224 = 1, sha224, Sha224;
                Sha256 = 2, sha256, Sha256;
                Sha384 = 3, sha384, Sha384;
                Sha512 = 4, sha512, Sha512;
                Sha512_224 = 5, sha512_224, Sha512_224;
                Sha512_256 = 6, sha512_256, Sha512_256;
                Sha3_224 = 7, sha3_224, Sha3<28>, "sha3";
                Sha3_256 = 8, sha3_256, Sha3<32>, "sha3";
                Sha3_384 = 9, sha3_384, Sha3<48>, "sha3";
                Sha3_512 = 10, sha3_512, Sha3<64>, "sha3";
                Blake2b = 11, blake2b, Blake2b, "blake2";
                Blake2s = 12, blake2s, Blake2s, "blake2";
                Blake2bp = 13, blake2bp, Blake2bp, "blake2";
                Blake2sp = 14, blake2sp, Blake2sp, "blake2";
                Keccak256 = 19, keccak256, Keccak256, "sha3";
                Sm3 = 23, sm3, Sm3, "sm3";
            }
            no_hmac {
                AsconHash256 = 21, ascon_hash256, AsconHash256, "ascon";
            }
            xof {
                Shake128 = 15, shake128, Shake<168>, "sha3";
                Shake256 = 16, shake256, Shake<136>, "sha3";
                TurboShake128 = 17, turboshake128, TurboShake<168>, "sha3";
                TurboShake256 = 18, turboshake256, TurboShake<136>, "sha3";
                Blake3 = 20, blake3, Blake3, "blake3";
                AsconXof128 = 22, ascon_xof128, AsconXof128, "ascon";
            }
        }
    };
}

/// Defines [`Algorithm`] from the list.
macro_rules! algorithms {
    (fixed { $($Fixed:tt)* } no_hmac { $($Bare:tt)* } xof { $($Xof:tt)* }) => {
        algorithms! { $($Fixed)* $($Bare)* $($Xof)* }
    };
    ($($Name:ident = $code:literal, $function:ident, $Function:ty $(, $feature:literal)?;)*) => {
        /// An algorithm that is chosen at run time.
        ///
        /// ```
        /// use hashmill::Algorithm;
        ///
        /// let algorithm: Algorithm = "SHA2-256".parse()?;
        /// assert_eq!(algorithm, Algorithm::Sha256);
        /// assert_eq!(algorithm.hash(b"abc"), hashmill::sha256(b"abc")[..]);
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        // The discriminants are the codes. They never change, because exported states and other languages
        // store them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Algorithm {
            $(
                $(#[cfg(feature = $feature)])?
                #[doc = concat!("The function of [`", stringify!($Name), "`](crate::", stringify!($Name), ").")]
                $Name = $code,
            )*
        }

        impl Algorithm {
            /// Every algorithm: the functions of fixed output length, then the others.
            pub const ALL: &'static [Algorithm] = &[$($(#[cfg(feature = $feature)])? Algorithm::$Name),*];

            /// Returns the algorithm with that [`code`](Self::code).
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($(#[cfg(feature = $feature)])? $code => Some(Algorithm::$Name),)*
                    _ => None,
                }
            }
        }
    };
}

functions!(algorithms);

impl Algorithm {
    /// Returns the algorithm's number in exported states and in languages other than Rust: 1 or
    /// more. It never changes.
    pub const fn code(self) -> u8 {
        self as u8
    }
}
