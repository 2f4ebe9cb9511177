//! BLAKE2's parameters, as users set them (RFC 7693 §2.5, §2.8; the BLAKE2 paper §2.5, §2.10).

use crate::blake2::params::{LastNode, Values};
use crate::blake2::tree::{TreeB, TreeS};
use crate::blake2::{StreamB, StreamS};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function::{self, Function};
use crate::hasher::{Absorb, Fixed, Hash};
use crate::portable;
use crate::stream::Hashing;
use crate::wipe::{Secret, below, below_if};
use core::marker::PhantomData;

/// The parameters of a BLAKE2 function. Every setter may be left out, and may be used in constants.
/// A length that is out of range is an error of [`build`](Params::build) rather than of the setter,
/// so that setters can be chained.
///
/// ```
/// use hashmill::blake2b::Params;
///
/// const PARAMS: Params = Params::new().output_len(16).salt(b"salt").personal(b"file ids");
/// let digest = PARAMS.build()?.update(b"message").finalize();
/// assert_eq!(digest.len(), 16);
/// assert!(Params::new().output_len(65).build().is_err());
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Params<'k, F> {
    pub(crate) values: Values<'k>,
    function: PhantomData<F>,
}

/// A BLAKE2 function, with the limits of its parameters.
pub trait Blake2: Function {
    /// The longest output and the longest key, in bytes.
    const MAX_LEN: usize;
    /// The longest salt and the longest personalization, in bytes.
    const MAX_SALT: usize;
    #[doc(hidden)]
    const DEFAULTS: Values<'static>;
    #[doc(hidden)]
    fn stream(values: &Values<'_>) -> Self::Stream;
    /// [`Params::build`], for code that is generic over the function.
    ///
    /// # Errors
    /// The first mistake that was made: a length that is out of range.
    fn build(params: &Params<'_, Self>) -> Result<Hash<Self>, Error>
    where
        Self: Sized;
}

/// BLAKE2b or BLAKE2s, which may be the nodes of a tree (the BLAKE2 paper §2.10).
pub trait Node: Blake2 + Fixed<Digest = VarDigest> {
    /// The largest node offset.
    const MAX_OFFSET: u64;
    /// [`Hash::set_last_node`], for code that is generic over the function.
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode)
    where
        Self: Sized;
}

impl<'k, F: Blake2> Params<'k, F> {
    /// No key, the longest output; BLAKE2b and BLAKE2s sequential.
    pub const fn new() -> Self {
        Params { values: F::DEFAULTS, function: PhantomData }
    }

    /// The length of the output in bytes: 1 to 64 for BLAKE2b and BLAKE2bp, 1 to 32 for BLAKE2s and
    /// BLAKE2sp; the longest unless set.
    pub const fn output_len(mut self, len: usize) -> Self {
        if self
            .values
            .check(len >= 1 && len <= F::MAX_LEN, Error::Blake2OutputLength { given: len as u64 })
        {
            self.values.output_len = len;
        }
        self
    }

    /// The key: up to 64 bytes for BLAKE2b and BLAKE2bp, up to 32 for BLAKE2s and BLAKE2sp; no key
    /// unless set.
    pub const fn key(mut self, key: &'k [u8]) -> Self {
        if self
            .values
            .check(key.len() <= F::MAX_LEN, Error::Blake2KeyLength { given: key.len() as u64 })
        {
            self.values.key = key;
        }
        self
    }

    /// The salt: up to 16 bytes for BLAKE2b and BLAKE2bp, up to 8 for BLAKE2s and BLAKE2sp; padded
    /// with zeros.
    pub const fn salt(mut self, salt: &[u8]) -> Self {
        if self
            .values
            .check(salt.len() <= F::MAX_SALT, Error::Blake2SaltLength { given: salt.len() as u64 })
        {
            self.values.salt = [0; 16];
            self.values.salt.split_at_mut(salt.len()).0.copy_from_slice(salt);
        }
        self
    }

    /// The personalization: up to 16 bytes for BLAKE2b and BLAKE2bp, up to 8 for BLAKE2s and
    /// BLAKE2sp; padded with zeros.
    pub const fn personal(mut self, personal: &[u8]) -> Self {
        if self.values.check(
            personal.len() <= F::MAX_SALT,
            Error::Blake2PersonalLength { given: personal.len() as u64 },
        ) {
            self.values.personal = [0; 16];
            self.values.personal.split_at_mut(personal.len()).0.copy_from_slice(personal);
        }
        self
    }
}

impl<F: Blake2> Params<'_, F> {
    /// Puts a hasher with these parameters in the place of another, which is wiped.
    ///
    /// `build()?` moves the hasher, and the compiler may leave a copy of the key where it was: this
    /// leaves none.
    ///
    /// # Errors
    /// As [`Blake2::build`]; the hasher is unchanged then.
    ///
    /// ```
    /// use hashmill::{Blake2b, blake2b};
    ///
    /// let mut hasher = Blake2b::new();
    /// blake2b::Params::new().key(b"secret").build_into(&mut hasher)?;
    /// assert_eq!(hasher.finish(b"abc"), blake2b::Params::new().key(b"secret").hash(b"abc")?);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn build_into(&self, hasher: &mut Hash<F>) -> Result<(), Error> {
        below(hasher.stream.stack(), || {
            *hasher = F::build(self)?;
            Ok(())
        })
    }
}

impl<F: Blake2 + Fixed<Digest = VarDigest>> Params<'_, F> {
    /// The digest of a message with these parameters.
    ///
    /// # Errors
    /// As [`Blake2::build`].
    pub fn hash(&self, message: &[u8]) -> Result<VarDigest, Error> {
        if let Some(mistake) = self.values.mistake {
            return Err(mistake);
        }
        let mut digest = VarDigest::zero(self.values.output_len);
        let hash = || F::stream(&self.values).finish_within(message, digest.as_mut());
        below_if(!self.values.key.is_empty(), F::STREAM.stack(), hash);
        Ok(digest)
    }
}

impl<F: Node> Params<'_, F> {
    /// How many children a node has, 0 for any number; 1 (sequential) unless set.
    pub const fn fanout(mut self, fanout: u8) -> Self {
        self.values.fanout = fanout;
        self
    }

    /// The depth of the tree, 255 for any; 1 (sequential) unless set. The BLAKE2 paper begins at 1,
    /// and BLAKE2X has 0.
    pub const fn max_depth(mut self, depth: u8) -> Self {
        self.values.max_depth = depth;
        self
    }

    /// How many bytes a leaf takes, 0 for any number; 0 unless set.
    pub const fn leaf_len(mut self, len: u32) -> Self {
        self.values.leaf_len = len;
        self
    }

    /// Which node of its level this is, from 0; less than 2⁴⁸ for BLAKE2s.
    pub const fn node_offset(mut self, offset: u64) -> Self {
        if self.values.check(offset <= F::MAX_OFFSET, Error::Blake2NodeOffset { given: offset }) {
            self.values.node_offset = offset;
        }
        self
    }

    /// The level of this node, 0 for a leaf; 0 unless set.
    pub const fn node_depth(mut self, depth: u8) -> Self {
        self.values.node_depth = depth;
        self
    }

    /// How many bytes an inner node hands to its parent: 0 to 64 for BLAKE2b, 0 to 32 for BLAKE2s;
    /// 0 (sequential) unless set.
    pub const fn inner_len(mut self, len: usize) -> Self {
        if self.values.check(len <= F::MAX_LEN, Error::Blake2InnerLength { given: len as u64 }) {
            self.values.inner_len = len;
        }
        self
    }

    /// Whether this is the last node of its level; `No` unless set.
    pub const fn last_node(mut self, last_node: LastNode) -> Self {
        self.values.last_node = last_node;
        self
    }
}

impl<F: Blake2> Default for Params<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> core::fmt::Debug for Params<'_, F> {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Params")
            .field("output_len", &self.values.output_len)
            .finish_non_exhaustive()
    }
}

/// `build`, a macro because it is `const` and the streams' constructors are functions of one width.
macro_rules! build {
    ($function:ident, $Function:ident, $Stream:ident, max $max:literal, salt $salt:literal) => {
        /// Its parameters.
        pub mod $function {
            /// The parameters of this function.
            pub type Params<'k> = super::Params<'k, crate::function::$Function>;
        }

        impl Blake2 for function::$Function {
            const MAX_LEN: usize = $max;
            const MAX_SALT: usize = $salt;
            const DEFAULTS: Values<'static> = $Stream::DEFAULTS;
            #[inline(always)]
            fn stream(values: &Values<'_>) -> $Stream {
                $Stream::new(values)
            }
            fn build(params: &Params<'_, Self>) -> Result<Hash<Self>, Error> {
                params.build()
            }
        }

        impl Params<'_, function::$Function> {
            /// A hasher with these parameters.
            ///
            /// # Errors
            /// The first mistake that was made: a length that is out of range.
            pub const fn build(&self) -> Result<Hash<function::$Function>, Error> {
                match self.values.mistake {
                    Some(mistake) => Err(mistake),
                    None => Ok(Hash { stream: Secret($Stream::new(&self.values)) }),
                }
            }

            /// A hasher with these parameters for use at compile time.
            ///
            /// # Errors
            /// As [`build`](Self::build).
            pub const fn build_portable(
                &self,
            ) -> Result<portable::Hash<function::$Function>, Error> {
                match self.values.mistake {
                    Some(mistake) => Err(mistake),
                    None => Ok(portable::Hash { stream: $Stream::new(&self.values) }),
                }
            }
        }
    };
}

build!(blake2b, Blake2b, StreamB, max 64, salt 16);
build!(blake2s, Blake2s, StreamS, max 32, salt 8);
build!(blake2bp, Blake2bp, TreeB, max 64, salt 16);
build!(blake2sp, Blake2sp, TreeS, max 32, salt 8);

impl Node for function::Blake2b {
    const MAX_OFFSET: u64 = u64::MAX;
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode) {
        hasher.stream.last_node = last_node;
    }
}

impl Node for function::Blake2s {
    const MAX_OFFSET: u64 = u64::MAX >> 16;
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode) {
        hasher.stream.last_node = last_node;
    }
}

impl<F: Node> Hash<F> {
    /// Chooses whether this is the last node of its level, in place of what the parameter
    /// `last_node` chose: for trees whose end is known only when the message ends. May be called at
    /// any time before the digest is taken.
    pub fn set_last_node(&mut self, last_node: LastNode) -> &mut Self {
        F::set_last_node(self, last_node);
        self
    }
}

#[cfg(feature = "rayon")]
impl Hash<function::Blake2bp> {
    /// As [`update`](Self::update), with the four leaves split over the threads of rayon's pool,
    /// where that takes less time than filling the lanes of one vector with them; for parts of some
    /// megabytes.
    ///
    /// # Panics
    /// As `update`.
    pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
        crate::stream::must(self.stream.try_update_rayon(data));
        self
    }
}

#[cfg(feature = "rayon")]
impl Hash<function::Blake2sp> {
    /// As [`update`](Self::update), with the eight leaves split over the threads of rayon's pool,
    /// where that takes less time than filling the lanes of one vector with them; for parts of some
    /// megabytes.
    ///
    /// # Panics
    /// As `update`.
    pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
        crate::stream::must(self.stream.try_update_rayon(data));
        self
    }
}
