//! **For compile time:** every hash function and HMAC as a `const fn`, with the portable kernels.
//!
//! ```
//! use hashmill::{Digest, Key, Sha256, portable};
//!
//! const EMPTY: Digest<32> = portable::sha256(b"");
//!
//! /// The compiler hashes the prefix of every message.
//! const PREFIX: portable::Sha256 = {
//!     let mut hasher = portable::Sha256::new();
//!     hasher.update(b"domain");
//!     hasher
//! };
//! let digest = Sha256::from(PREFIX).update(b"message").finalize();
//! assert_eq!(digest, hashmill::sha256(b"domainmessage"));
//! # assert_eq!(EMPTY, hashmill::sha256(b""));
//!
//! const TAG: Digest<32> = portable::Sha256::hmac(Key(b"key"), b"message");
//! assert_eq!(TAG, hashmill::Hmac::<Sha256>::new(b"key").hash(b"message"));
//! ```
//!
//! At run time, use the functions and types in the crate's root: those in this module do not use
//! the CPU's vector and SHA instructions. The hashers in this module are `Copy` and **not wiped**,
//! because a value with a destructor cannot be in a constant. For messages of several kilobytes the
//! compiler's lint `long_running_const_eval` reports an error. `#[allow(long_running_const_eval)]`
//! turns the lint off.

use crate::arguments::Key;
#[cfg(feature = "ascon")]
use crate::ascon::Output as OutputAscon;
use crate::backend::Input;
#[cfg(feature = "blake2")]
use crate::blake2::params::LastNode;
#[cfg(feature = "blake2")]
use crate::blake2::{StreamB, StreamS, kernel as blake2};
#[cfg(feature = "blake3")]
use crate::blake3::{Mode, output::Output as Output3};
use crate::digest::Digest;
#[cfg(feature = "sha3")]
use crate::error::Error;
#[cfg(feature = "sha3")]
use crate::function::Extendable;
use crate::function::{self, Function};
use crate::hmac::{IPAD, OPAD};
#[cfg(feature = "sha3")]
use crate::keccak::{Output, Sponge};
#[cfg(feature = "blake2")]
use crate::stream::must_count;
#[cfg(feature = "blake2")]
use crate::tree::blake2::{STRIPE, TreeB, TreeS};
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;
use crate::wipe::Secret;

/// A [`Hash`](crate::Hash) for compile time.
#[derive(Clone, Copy)]
pub struct Hash<F: Function> {
    pub(crate) stream: F::Stream,
}

impl<F: Function> Hash<F> {
    /// Creates a hasher that has absorbed nothing.
    pub const fn new() -> Self {
        Hash { stream: *F::STREAM }
    }
}

impl<F: Function> Default for Hash<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Function> core::fmt::Debug for Hash<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct(F::ALGORITHM.name()).finish_non_exhaustive()
    }
}

impl<F: Function> From<Hash<F>> for crate::Hash<F> {
    fn from(portable: Hash<F>) -> Self {
        crate::Hash { stream: Secret(portable.stream) }
    }
}

#[cfg(feature = "sha3")]
impl<const RATE: usize> Hash<function::TurboShake<RATE>>
where
    function::TurboShake<RATE>: Function<Stream = Sponge>,
{
    /// Creates TurboSHAKE with a domain separation byte other than 0x1F.
    ///
    /// # Errors
    /// [`Error::Domain`] if `domain` is not in 0x01 to 0x7F.
    pub const fn with_domain(domain: u8) -> Result<Self, Error> {
        match domain {
            0x01..=0x7F => Ok(Hash { stream: Self::new().stream.with_suffix(domain) }),
            _ => Err(Error::Domain { given: domain as u64 }),
        }
    }
}

#[cfg(feature = "blake2")]
/// Implements the `const` functions of a tree, whose leaves are streams. The leaves are hashed one
/// after the other, because the compiler has no vector lanes.
macro_rules! tree {
    ($Tree:ident, $Stream:ident, $width:ident, leaves $leaves:literal, block $block:literal, limit $limit:expr) => {
        impl $Tree {
            pub(crate) const fn update_const(&mut self, mut data: &[u8]) {
                self.count = must_count(self.count, data.len(), $limit);
                while let Some(run) = self.buffer.next(Self::STRIPES, &mut data) {
                    let mut leaf = 0;
                    while leaf < $leaves {
                        let mut state = Self::leaf(&self.leaves, leaf);
                        let blocks = run.len() / STRIPE;
                        let lanes = [Self::leaf_input(run, leaf)];
                        let input = Input { lanes: &lanes, stride: STRIPE, blocks, end: None };
                        blake2::$width::portable::absorb(&mut state, (), &input);
                        Self::set_leaf(&mut self.leaves, leaf, &state);
                        leaf += 1;
                    }
                }
            }

            pub(crate) const fn finish_const(&self, out: &mut [u8]) {
                let rest = self.buffer.waiting();
                let mut root = $Stream::with(self.root, self.output_len, LastNode::Yes);
                let mut leaf = 0;
                while leaf < $leaves {
                    let (state, last) = (Self::leaf(&self.leaves, leaf), Self::last_node(leaf));
                    let mut stream = $Stream::with(state, $block / 2, last);
                    stream.count = Self::STRIPES.absorbed(self.count) * $block;
                    let mut start = leaf * $block;
                    while start < rest.len() {
                        let (_, block) = rest.split_at(start);
                        let len = if block.len() < $block { block.len() } else { $block };
                        stream.update_const(block.split_at(len).0);
                        start += STRIPE;
                    }
                    let mut value = [0; $block / 2];
                    stream.finish_const(&mut value);
                    root.update_const(&value);
                    leaf += 1;
                }
                root.finish_const(out);
            }
        }
    };
}

#[cfg(feature = "blake2")]
tree!(TreeB, StreamB, b, leaves 4, block 128, limit u128::MAX);
#[cfg(feature = "blake2")]
tree!(TreeS, StreamS, s, leaves 8, block 64, limit u64::MAX as u128);

/// Defines the `const` interface of the hash functions from the list: of each its hasher and its
/// one-call function, and HMAC where it is defined. This is a macro because they call the `const`
/// functions of a stream, which no trait can declare.
macro_rules! hashes {
    (
        fixed { $($Fixed:ident = $_f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)? $(, $ff:literal)?;)* }
        no_hmac { $($Bare:ident = $_b:literal, $bare:ident, $BareType:ident $(, $bf:literal)?;)* }
        xof { $($Xof:ident = $_x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)? $(, $xf:literal)?;)* }
    ) => {
        $(
            $(#[cfg(feature = $ff)])?
            #[doc = concat!("[`", stringify!($Fixed), "`](crate::", stringify!($Fixed), ") at compile time.")]
            pub type $Fixed = Hash<function::$FixedType $(<$n>)?>;
            $(#[cfg(feature = $ff)])?
            hash!($fixed = function::$FixedType $(<$n>)?, stream => stream.output_len as usize);
            $(#[cfg(feature = $ff)])?
            hmac!($fixed = function::$FixedType $(<$n>)?);
        )*
        $(
            $(#[cfg(feature = $bf)])?
            #[doc = concat!("[`", stringify!($Bare), "`](crate::", stringify!($Bare), ") at compile time.")]
            pub type $Bare = Hash<function::$BareType>;
            $(#[cfg(feature = $bf)])?
            hash!($bare = function::$BareType, stream => function::$BareType::FACTS.output_len);
        )*
        $(
            $(#[cfg(feature = $xf)])?
            #[doc = concat!("[`", stringify!($Xof), "`](crate::", stringify!($Xof), ") at compile time.")]
            pub type $Xof = Hash<function::$XofType $(<$rate>)?>;
            $(#[cfg(feature = $xf)])?
            one_call!($xof = $Xof);
        )*
    };
}

/// Defines the one-call function of an extendable-output function: see `hashes.rs`.
macro_rules! one_call {
    (blake3 = $Xof:ident) => {
        /// Returns the digest of a message by BLAKE3, the first 32 bytes of its output.
        pub const fn blake3(message: &[u8]) -> Digest<32> {
            $Xof::hash(message)
        }

        one_call!(blake3_xof = $Xof);
    };
    ($xof:ident = $Xof:ident) => {
        #[doc = concat!("Returns the first `N` bytes of the output of [`", stringify!($Xof), "`] for a message.")]
        pub const fn $xof<const N: usize>(message: &[u8]) -> Digest<N> {
            $Xof::hash(message)
        }
    };
}

/// `$len` is the length of the digest of `$stream` in bytes.
macro_rules! hash {
    ($function:ident = $Function:ty, $stream:ident => $len:expr) => {
        impl Hash<$Function> {
            /// Absorbs the next part of the message.
            ///
            /// # Panics
            /// If the message becomes longer than the standard allows.
            pub const fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update_const(data);
                self
            }

            /// Returns the digest of all bytes absorbed so far.
            pub const fn finalize(&self) -> <$Function as Function>::Digest {
                let $stream = &self.stream;
                let mut digest = <$Function as Function>::Digest::zero($len);
                $stream.finish_const(digest.as_mut());
                digest
            }
        }

        #[doc = concat!("The digest of a message; see [`crate::", stringify!($function), "()`].")]
        pub const fn $function(message: &[u8]) -> Digest<{ <$Function>::FACTS.output_len }> {
            let mut stream = *<$Function>::STREAM;
            stream.update_const(message);
            let mut digest = Digest([0; <$Function>::FACTS.output_len]);
            stream.finish_const(digest.as_mut());
            digest
        }
    };
}

macro_rules! hmac {
    ($function:ident = $Function:ty) => {
        impl Hash<$Function> {
            const LEN: usize = <$Function>::FACTS.output_len;
            const BLOCK: usize = <$Function>::FACTS.block_len;

            /// Returns the HMAC (FIPS 198-1 §4) of a message.
            pub const fn hmac(Key(key): Key<'_>, message: &[u8]) -> Digest<{ Self::LEN }> {
                let mut block = [0; Self::BLOCK];
                if key.len() <= Self::BLOCK {
                    block.split_at_mut(key.len()).0.copy_from_slice(key);
                } else {
                    block.split_at_mut(Self::LEN).0.copy_from_slice($function(key).as_bytes());
                }
                let (mut inner, mut outer) = (Self::new(), Self::new());
                let mut i = 0;
                while i < Self::BLOCK {
                    inner.update(&[block[i] ^ IPAD]);
                    outer.update(&[block[i] ^ OPAD]);
                    i += 1;
                }
                let mut digest = Digest([0; Self::LEN]);
                inner.update(message).stream.finish_const(digest.as_mut());
                outer.update(digest.as_bytes()).stream.finish_const(digest.as_mut());
                digest
            }
        }
    };
}

functions!(hashes);

#[cfg(feature = "sha3")]
impl<F: Extendable + Function<Stream = Sponge>> Hash<F> {
    /// Absorbs the next part of the message.
    pub const fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update_const(data);
        self
    }

    /// Returns a reader of the output, from its beginning.
    pub const fn squeeze(&self) -> XofReader {
        XofReader(self.stream.finish_xof_const())
    }

    const fn hash<const N: usize>(message: &[u8]) -> Digest<N> {
        let mut digest = Digest([0; N]);
        Self::new().update(message).squeeze().fill(digest.as_mut());
        digest
    }
}

#[cfg(feature = "blake3")]
impl Hash<function::Blake3> {
    /// Creates a hasher for the keyed hash: see [`Blake3::keyed`](crate::Blake3::keyed).
    pub const fn keyed(key: &[u8; 32]) -> Self {
        Hash { stream: Tree3::new(Mode::keyed(key)) }
    }

    /// Creates a hasher that derives keys: see [`Blake3::derive_key`](crate::Blake3::derive_key).
    pub const fn derive_key(context: &str) -> Self {
        Hash { stream: Tree3::new(Mode::derive_key(context.as_bytes())) }
    }

    /// Absorbs the next part of the message.
    pub const fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update_const(data);
        self
    }

    /// Returns the digest of all bytes absorbed so far.
    pub const fn finalize(&self) -> Digest<32> {
        let mut digest = Digest([0; 32]);
        self.squeeze().fill(digest.as_mut());
        digest
    }

    const fn hash<const N: usize>(message: &[u8]) -> Digest<N> {
        let mut digest = Digest([0; N]);
        Self::new().update(message).squeeze().fill(digest.as_mut());
        digest
    }

    /// Returns a reader of the output, from its beginning.
    pub const fn squeeze(&self) -> Blake3Reader {
        Blake3Reader(Output3::new(self.stream.root_const()))
    }
}

#[cfg(feature = "blake3")]
/// A reader of the output of BLAKE3, for compile time.
#[derive(Clone, Copy)]
pub struct Blake3Reader(Output3);

#[cfg(feature = "blake3")]
impl Blake3Reader {
    /// Writes the next bytes of the output.
    pub const fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_const(out);
    }

    /// Continues at byte `position` of the output.
    pub const fn seek(&mut self, position: u64) {
        self.0.seek(position);
    }
}

#[cfg(feature = "ascon")]
impl Hash<function::AsconXof128> {
    /// Absorbs the next part of the message.
    pub const fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update_const(data);
        self
    }

    /// Returns a reader of the output, from its beginning.
    pub const fn squeeze(&self) -> AsconReader {
        AsconReader(self.stream.squeeze_const())
    }

    const fn hash<const N: usize>(message: &[u8]) -> Digest<N> {
        let mut digest = Digest([0; N]);
        Self::new().update(message).squeeze().fill(digest.as_mut());
        digest
    }
}

#[cfg(feature = "ascon")]
/// A reader of the output of Ascon-XOF128, for compile time.
#[derive(Clone, Copy)]
pub struct AsconReader(OutputAscon);

#[cfg(feature = "ascon")]
impl AsconReader {
    /// Writes the next bytes of the output.
    pub const fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_const(out);
    }
}

/// Implements `Debug`, which shows nothing of the state, because it may be secret.
macro_rules! hidden {
    ($($(#[$cfg:meta])? $Reader:ident)*) => { $(
        $(#[$cfg])?
        impl core::fmt::Debug for $Reader {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Reader)).finish_non_exhaustive()
            }
        }
    )* };
}

hidden! {
    #[cfg(feature = "sha3")] XofReader
    #[cfg(feature = "blake3")] Blake3Reader
    #[cfg(feature = "ascon")] AsconReader
}

#[cfg(feature = "sha3")]
/// A reader of the output of a sponge, for compile time.
#[derive(Clone, Copy)]
pub struct XofReader(Output);

#[cfg(feature = "sha3")]
impl XofReader {
    /// Writes the next bytes of the output.
    pub const fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_const(out);
    }
}
