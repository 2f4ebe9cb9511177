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

use crate::algorithm::Algorithm;
use crate::arguments::Key;
#[cfg(feature = "ascon")]
use crate::ascon::{Output as OutputAscon, Sponge as SpongeAscon};
use crate::backend::Input;
#[cfg(feature = "blake2")]
use crate::blake2::params::LastNode;
#[cfg(feature = "blake2")]
use crate::blake2::{StreamB, StreamS, kernel as blake2};
#[cfg(feature = "blake3")]
use crate::blake3::{Mode, output::Output as Output3};
use crate::digest::Digest;
use crate::error::Error;
use crate::function::{self, Extendable, Function};
use crate::held::streams;
use crate::hmac::{IPAD, OPAD};
#[cfg(feature = "sha3")]
use crate::keccak::{Output, Sponge};
use crate::sha2::{Stream32, Stream64};
#[cfg(feature = "sm3")]
use crate::sm3::StreamSm3;
#[cfg(feature = "blake2")]
use crate::stream::must_count;
#[cfg(feature = "blake2")]
use crate::tree::blake2::{STRIPE, TreeB, TreeS};
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;
use crate::wipe::Secret;
use core::marker::PhantomData;

/// A [`Hash`](crate::Hash) for compile time.
#[derive(Clone, Copy)]
pub struct Hash<F: Function> {
    stream: Stream,
    function: PhantomData<F>,
}

impl<F: Function> Hash<F> {
    /// Creates a hasher that has absorbed nothing.
    pub const fn new() -> Self {
        Self::of(stream(F::ALGORITHM))
    }

    pub(crate) const fn of(stream: Stream) -> Self {
        Hash { stream, function: PhantomData }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Panics
    /// If the message becomes longer than the standard allows.
    pub const fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update_const(data);
        self
    }

    /// Returns the digest of all bytes absorbed so far; of an extendable-output function, the first
    /// `N` bytes of the output.
    ///
    /// # Panics
    /// If the digest does not have `N` bytes. In a constant this is an error of the compiler.
    pub const fn finalize<const N: usize>(&self) -> Digest<N> {
        assert!(F::FACTS.is_xof || N == self.output_len(), "the digest has another length");
        let mut digest = Digest([0; N]);
        self.stream.finish_const(digest.as_mut());
        digest
    }

    /// Returns the length of the digest, which is a parameter of BLAKE2.
    const fn output_len(&self) -> usize {
        match &self.stream {
            #[cfg(feature = "blake2")]
            Stream::Blake2b(stream) => stream.output_len as usize,
            #[cfg(feature = "blake2")]
            Stream::Blake2s(stream) => stream.output_len as usize,
            #[cfg(feature = "blake2")]
            Stream::Blake2bp(tree) => tree.output_len as usize,
            #[cfg(feature = "blake2")]
            Stream::Blake2sp(tree) => tree.output_len as usize,
            _ => F::FACTS.output_len,
        }
    }

    /// Returns the HMAC (FIPS 198-1 §4) of a message. `N` must be the length of the digest. This, and
    /// a function that [has no HMAC](crate::Algorithm::has_hmac), are errors of the compiler.
    pub const fn hmac<const N: usize>(Key(key): Key<'_>, message: &[u8]) -> Digest<N> {
        const {
            assert!(F::FACTS.has_hmac() && N == F::FACTS.output_len, "no HMAC of this length");
        }
        let mut pads = [[0; MAX_BLOCK]; 2];
        let (mut inner, mut outer) = (Self::new(), Self::new());
        if key.len() <= F::FACTS.block_len {
            pads[0].split_at_mut(key.len()).0.copy_from_slice(key);
        } else {
            let key: Digest<N> = Self::new().update(key).finalize();
            pads[0].split_at_mut(N).0.copy_from_slice(key.as_bytes());
        }
        let mut i = 0;
        while i < MAX_BLOCK {
            pads[1][i] = pads[0][i] ^ OPAD;
            pads[0][i] ^= IPAD;
            i += 1;
        }
        let [inner_pad, outer_pad] = &pads;
        inner.update(inner_pad.split_at(F::FACTS.block_len).0).update(message);
        outer.update(outer_pad.split_at(F::FACTS.block_len).0);
        outer.update(inner.finalize::<N>().as_bytes()).finalize()
    }
}

impl<F: Extendable> Hash<F> {
    /// Returns a reader of the output, from its beginning.
    pub const fn squeeze(&self) -> Reader {
        Reader(match &self.stream {
            #[cfg(feature = "sha3")]
            Stream::Keccak(sponge) => Place::Sponge(sponge.finish_xof_const()),
            #[cfg(feature = "blake3")]
            Stream::Blake3(tree) => Place::Blake3(Output3::new(tree.root_const())),
            #[cfg(feature = "ascon")]
            Stream::Ascon(sponge) => Place::Ascon(sponge.squeeze_const()),
            _ => panic!("the function is not extendable"),
        })
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
            0x01..=0x7F => {
                let sponge = <function::TurboShake<RATE> as Function>::STREAM.with_suffix(domain);
                Ok(Self::of(Stream::Keccak(sponge)))
            }
            _ => Err(Error::Domain { given: domain as u64 }),
        }
    }
}

#[cfg(feature = "blake3")]
impl Hash<function::Blake3> {
    /// Creates a hasher for the keyed hash: see [`Blake3::keyed`](crate::Blake3::keyed).
    pub const fn keyed(key: &[u8; 32]) -> Self {
        Self::of(Stream::Blake3(Tree3::new(Mode::keyed(key))))
    }

    /// Creates a hasher that derives keys: see [`Blake3::derive_key`](crate::Blake3::derive_key).
    pub const fn derive_key(context: &str) -> Self {
        Self::of(Stream::Blake3(Tree3::new(Mode::derive_key(context.as_bytes()))))
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
        let stream = portable.stream.get().of_type().expect("the function's stream");
        crate::Hash { stream: Secret(*stream) }
    }
}

/// A reader of the output of an extendable-output function, for compile time.
#[derive(Clone, Copy)]
pub struct Reader(Place);

/// The place in the output.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "there is no heap at compile time")]
enum Place {
    #[cfg(feature = "sha3")]
    Sponge(Output),
    #[cfg(feature = "blake3")]
    Blake3(Output3),
    #[cfg(feature = "ascon")]
    Ascon(OutputAscon),
}

impl Reader {
    /// Writes the next bytes of the output.
    pub const fn fill(&mut self, out: &mut [u8]) {
        match self.0 {
            #[cfg(feature = "sha3")]
            Place::Sponge(ref mut output) => output.fill_const(out),
            #[cfg(feature = "blake3")]
            Place::Blake3(ref mut output) => output.fill_const(out),
            #[cfg(feature = "ascon")]
            Place::Ascon(ref mut output) => output.fill_const(out),
        }
    }

    /// Continues at byte `position` of the output.
    ///
    /// # Errors
    /// [`Error::Operation`] unless the function is BLAKE3: a sponge computes its output from the
    /// beginning on.
    pub const fn seek(&mut self, position: u64) -> Result<(), Error> {
        match self.0 {
            #[cfg(feature = "blake3")]
            Place::Blake3(ref mut output) => {
                output.seek(position);
                Ok(())
            }
            #[allow(unreachable_patterns, reason = "a build may have no other variant")]
            _ => Err(Error::Operation),
        }
    }
}

impl core::fmt::Debug for Reader {
    /// Shows nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

/// Bytes of the longest block of a function with HMAC: SHA3-224's rate.
const MAX_BLOCK: usize = 144;

/// HMAC-SHA-256, for the proofs of whole messages. Nothing else in this crate calls it, so that it would not
/// be compiled.
#[cfg(hashmill_proofs)]
pub static HMAC_SHA256: fn(Key<'_>, &[u8]) -> Digest<32> = Hash::<function::Sha256>::hmac;

/// Defines [`Stream`], and calls the `const` functions of each type of stream, which no trait can
/// declare.
macro_rules! of_each {
    ($($(#[$cfg:meta])? $Variant:ident: $Storage:ident<$Stream:ident>;)*) => {
        /// A stream of any algorithm. It is not one of `F::Stream`, because a `const fn` cannot call
        /// the methods of a trait.
        #[derive(Clone, Copy)]
        #[allow(clippy::large_enum_variant, reason = "there is no heap at compile time")]
        pub(crate) enum Stream {
            $($(#[$cfg])? $Variant($Stream),)*
        }

        impl Stream {
            const fn update_const(&mut self, data: &[u8]) {
                match self {
                    $($(#[$cfg])? Stream::$Variant(stream) => stream.update_const(data),)*
                }
            }
            const fn finish_const(&self, out: &mut [u8]) {
                match self {
                    $($(#[$cfg])? Stream::$Variant(stream) => stream.finish_const(out),)*
                }
            }
            fn get(&self) -> &dyn crate::hasher::Stream {
                match self {
                    $($(#[$cfg])? Stream::$Variant(stream) => stream,)*
                }
            }
        }

        $(
            $(#[$cfg])?
            impl $Stream {
                pub(crate) const fn any(self) -> Stream {
                    Stream::$Variant(self)
                }
            }
        )*
    };
}

streams!(of_each);

#[cfg(feature = "blake3")]
impl Tree3 {
    const fn finish_const(&self, out: &mut [u8]) {
        Output3::new(self.root_const()).fill_const(out);
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

/// Defines the aliases and the one-call functions from the list.
macro_rules! hashes {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof { $($xof:tt)* }) => {
        hashes! { fixed $($fixed)* $($bare)* }
        hashes! { xof $($xof)* }
        hashes! { $($fixed)* $($bare)* $($xof)* }
    };
    (fixed $($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => { $(
        $(#[cfg(feature = $feature)])?
        #[doc = concat!("The digest of a message; see [`crate::", stringify!($function), "()`].")]
        pub const fn $function(
            message: &[u8],
        ) -> Digest<{ <function::$Function $(<$n>)? as Function>::FACTS.output_len }> {
            one!(function::$Function $(<$n>)?, message)
        }
    )* };
    (xof $($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => { $(
        $(#[cfg(feature = $feature)])?
        one_call!($function = function::$Function $(<$n>)?);
    )* };
    ($($Name:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)*) => {
        $(
            $(#[cfg(feature = $feature)])?
            #[doc = concat!("[`", stringify!($Name), "`](crate::", stringify!($Name), ") at compile time.")]
            pub type $Name = Hash<function::$Function $(<$n>)?>;
        )*

        /// Returns the stream of an algorithm that has absorbed nothing.
        const fn stream(algorithm: Algorithm) -> Stream {
            match algorithm {
                $($(#[cfg(feature = $feature)])? Algorithm::$Name => {
                    <function::$Function $(<$n>)? as Function>::STREAM.any()
                })*
            }
        }
    };
}

/// Hashes one message. Unlike [`Hash`] it needs no stream of another function.
macro_rules! one {
    ($Function:ty, $message:ident) => {{
        let mut stream = *<$Function as Function>::STREAM;
        stream.update_const($message);
        let mut digest = Digest([0; _]);
        stream.finish_const(digest.as_mut());
        digest
    }};
}

/// Defines the one-call function of an extendable-output function: see `hashes.rs`.
macro_rules! one_call {
    (blake3 = $Function:ty) => {
        /// Returns the digest of a message by BLAKE3, the first 32 bytes of its output.
        pub const fn blake3(message: &[u8]) -> Digest<32> {
            one!($Function, message)
        }

        one_call!(blake3_xof = $Function);
    };
    ($function:ident = $Function:ty) => {
        #[doc = concat!("The first `N` bytes of the output for a message; see [`crate::", stringify!($function), "()`].")]
        pub const fn $function<const N: usize>(message: &[u8]) -> Digest<N> {
            one!($Function, message)
        }
    };
}

functions!(hashes);
