//! The setters for BLAKE2's parameters (RFC 7693 §2.5, §2.8; the BLAKE2 paper §2.5, §2.10).

use crate::backend::{self, Family, Input, Runnable};
use crate::blake2::params::{LastNode, Values};
use crate::blake2::{self, Blake2Family, FamilyB, FamilyS, StreamB, StreamS, initial_b, initial_s};
use crate::buffer::{Blocks, copy_short};
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function::{self, Function};
use crate::hasher::{Hash, Stream};
use crate::lanes;
use crate::messages::{Messages, OutputLen, Outputs, Part};
use crate::portable;
use crate::stream::{Progress, Sequential, State, Word, finish_from, finish_one};
use crate::tree::blake2::{TreeB, TreeS};
use crate::wipe::{Secret, overwrite, run_wiped, run_wiped_if};
use core::marker::PhantomData;

/// The parameters of a BLAKE2 function. Every setter is optional, and all can be called in
/// constants. If an argument is out of range, [`build`](Params::build) returns the error instead of
/// the setter, so that setters can be chained.
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
pub trait Blake2: Function<Digest = VarDigest> {
    /// The longest output and the longest key, in bytes.
    const MAX_LEN: usize;
    /// The longest salt and the longest personalization, in bytes.
    const MAX_SALT: usize;
    #[doc(hidden)]
    const DEFAULTS: Values<'static>;
    #[doc(hidden)]
    fn stream(values: &Values<'_>) -> Self::Stream;
    /// Writes the digest of a message. The parameters must be right.
    #[doc(hidden)]
    fn finish(params: &Params<'_, Self>, message: &[u8], out: &mut [u8])
    where
        Self: Sized;
    /// Builds a hasher as [`Params::build`] does, for code that is generic over the function.
    ///
    /// # Errors
    /// The error of the first setter whose argument was out of range.
    fn build(params: &Params<'_, Self>) -> Result<Hash<Self>, Error>
    where
        Self: Sized;
}

/// BLAKE2b or BLAKE2s, which can compute the nodes of a tree (the BLAKE2 paper §2.10).
pub trait Node: Blake2 {
    #[doc(hidden)]
    type Family: Blake2Family;
    /// The largest node offset.
    const MAX_OFFSET: u64;
    /// Returns the state before the first block.
    #[doc(hidden)]
    fn initial(values: &Values<'_>) -> <Self::Family as Family>::State;
    /// Sets the flag as [`Hash::set_last_node`] does, for code that is generic over the function.
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode)
    where
        Self: Sized;
}

impl<'k, F: Blake2> Params<'k, F> {
    /// Creates the default parameters: no key and the longest output; BLAKE2b and BLAKE2s are
    /// sequential.
    pub const fn new() -> Self {
        Params { values: F::DEFAULTS, function: PhantomData }
    }

    /// Sets the length of the output in bytes: 1 to 64 for BLAKE2b and BLAKE2bp, 1 to 32 for
    /// BLAKE2s and BLAKE2sp. The default is the longest.
    pub const fn output_len(mut self, len: usize) -> Self {
        if self
            .values
            .check(len >= 1 && len <= F::MAX_LEN, Error::Blake2OutputLength { given: len as u64 })
        {
            self.values.output_len = len;
        }
        self
    }

    /// Sets the key: up to 64 bytes for BLAKE2b and BLAKE2bp, up to 32 for BLAKE2s and BLAKE2sp.
    /// The default is no key.
    pub const fn key(mut self, key: &'k [u8]) -> Self {
        if self
            .values
            .check(key.len() <= F::MAX_LEN, Error::Blake2KeyLength { given: key.len() as u64 })
        {
            self.values.key = key;
        }
        self
    }

    /// Sets the salt: up to 16 bytes for BLAKE2b and BLAKE2bp, up to 8 for BLAKE2s and BLAKE2sp. A
    /// shorter salt is padded with zeros.
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

    /// Sets the personalization: up to 16 bytes for BLAKE2b and BLAKE2bp, up to 8 for BLAKE2s and
    /// BLAKE2sp. A shorter one is padded with zeros.
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
    /// Replaces `hasher` by a hasher with these parameters, and wipes the old one.
    ///
    /// `build()?` moves the hasher, and the compiler may leave a copy of the key at the old
    /// address. This method leaves none.
    ///
    /// # Errors
    /// See [`Blake2::build`]. If there is an error, the hasher is unchanged.
    ///
    /// ```
    /// use hashmill::{Blake2b, blake2b};
    ///
    /// let mut hasher = Blake2b::new();
    /// blake2b::Params::new().key(b"secret").build_into(&mut hasher)?;
    /// assert_eq!(hasher.hash(b"abc"), blake2b::Params::new().key(b"secret").hash(b"abc")?);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn build_into(&self, hasher: &mut Hash<F>) -> Result<(), Error> {
        run_wiped(hasher.stream.stack(), || {
            *hasher = F::build(self)?;
            Ok(())
        })
    }
}

impl<F: Blake2> Params<'_, F> {
    /// Returns the digest of a message with these parameters.
    ///
    /// # Errors
    /// See [`Blake2::build`].
    #[inline]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> Result<VarDigest, Error> {
        if let Some(mistake) = self.values.mistake {
            return Err(mistake);
        }
        let mut digest = VarDigest::zero(self.values.output_len);
        F::finish(self, message.as_ref(), digest.as_mut());
        Ok(digest)
    }
}

/// Writes the digest of a tree.
fn finish_tree<F: Blake2>(params: &Params<'_, F>, message: &[u8], out: &mut [u8]) {
    let finish = || F::stream(&params.values).finish_unwiped(message, out);
    run_wiped_if(!params.values.key.is_empty(), F::STREAM.stack(), finish);
}

/// Writes the digest of BLAKE2b or BLAKE2s. It makes no stream, which would be copied: 64 bytes with
/// a key take 232 ns instead of 274 (BLAKE2b, Zen 4). With a key, BLAKE2b uses at most 1,900 bytes of
/// the stack and BLAKE2s 900.
#[inline(always)]
fn finish_node<F: Node>(params: &Params<'_, F>, message: &[u8], out: &mut [u8]) {
    let key = params.values.key;
    if key.is_empty() {
        return finish_one(params, message, out);
    }
    run_wiped(15 * params.blocks().len, || {
        let mut state = params.state();
        if message.is_empty() {
            // The key's block is the last block (RFC 7693 §3.3).
            finish_from(params, &mut state, 0, key);
        } else {
            let mut block = <F::Family as Family>::TAIL;
            let block = block.as_mut();
            copy_short(&mut block[..key.len()], key);
            let input = Input { lanes: &[&*block], stride: block.len(), blocks: 1, end: None };
            backend::one::<F::Family>().absorb(state.as_mut(), (), &input);
            finish_from(params, &mut state, message.len(), message);
        }
        params.output(|i| state.as_ref()[i], out);
    });
}

impl<F: Node> Params<'_, F> {
    /// Sets the number of children of a node, 0 for any number. The default is 1 (sequential).
    pub const fn fanout(mut self, fanout: u8) -> Self {
        self.values.fanout = fanout;
        self
    }

    /// Sets the depth of the tree, 255 for any depth. The default is 1 (sequential). The BLAKE2
    /// paper requires at least 1; BLAKE2X uses 0.
    pub const fn max_depth(mut self, depth: u8) -> Self {
        self.values.max_depth = depth;
        self
    }

    /// Sets the number of bytes that a leaf hashes, 0 for any number. The default is 0.
    pub const fn leaf_len(mut self, len: u32) -> Self {
        self.values.leaf_len = len;
        self
    }

    /// Sets the index of this node in its level, counted from 0. It must be less than 2⁴⁸ for
    /// BLAKE2s. The default is 0.
    pub const fn node_offset(mut self, offset: u64) -> Self {
        if self.values.check(offset <= F::MAX_OFFSET, Error::Blake2NodeOffset { given: offset }) {
            self.values.node_offset = offset;
        }
        self
    }

    /// Sets the level of this node, 0 for a leaf. The default is 0.
    pub const fn node_depth(mut self, depth: u8) -> Self {
        self.values.node_depth = depth;
        self
    }

    /// Sets the number of bytes that an inner node passes to its parent: 0 to 64 for BLAKE2b, 0 to
    /// 32 for BLAKE2s. The default is 0 (sequential).
    pub const fn inner_len(mut self, len: usize) -> Self {
        if self.values.check(len <= F::MAX_LEN, Error::Blake2InnerLength { given: len as u64 }) {
            self.values.inner_len = len;
        }
        self
    }

    /// Sets whether this is the last node of its level. The default is `No`.
    pub const fn last_node(mut self, last_node: LastNode) -> Self {
        self.values.last_node = last_node;
        self
    }

    /// Writes the digest of each message, hashed with its own parameters. The digests may have
    /// different lengths. The messages are hashed in the lanes of a vector. If there are no keys,
    /// this function builds no hashers; building one takes 24 ns (Xeon).
    ///
    /// # Errors
    /// - [`Error::PieceCount`] if there are not as many parameters as messages,
    ///   [`Error::OutputLength`] if there are not as many digests.
    /// - The error of the first setter whose argument was out of range.
    ///
    /// Nothing is written then.
    ///
    /// ```
    /// use hashmill::{VarDigest, blake2b::Params};
    ///
    /// let params = [Params::new().output_len(20).node_offset(7), Params::new().salt(b"second")];
    /// let mut digests = [VarDigest::default(); 2];
    /// Params::hash_each(&params, &["message", "another"], &mut digests)?;
    /// assert_eq!(digests[0], params[0].hash(b"message")?);
    /// assert_eq!(digests[1].len(), 64);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_each<M: Messages + ?Sized>(
        params: &[Self],
        messages: &M,
        digests: &mut [VarDigest],
    ) -> Result<(), Error> {
        /// Streams with keys that are on the stack at once: 4 KiB.
        const KEYED: usize = 16;
        let count = messages.count();
        if params.len() != count {
            return Err(Error::piece_count(count, params.len()));
        }
        let mut keyed = false;
        for Params { values, .. } in params {
            if let Some(mistake) = values.mistake {
                return Err(mistake);
            }
            keyed |= !values.key.is_empty();
        }
        let mut slots = digests.slots(count, OutputLen { len: F::MAX_LEN, any: false })?;
        if !keyed {
            lanes::finish_each(&|index| &params[index], &messages, &mut slots);
        } else {
            let mut streams = [*F::STREAM; KEYED];
            for (group, params) in params.chunks(KEYED).enumerate() {
                let start = group * KEYED;
                run_wiped(F::STREAM.stack(), || {
                    for (stream, params) in streams.iter_mut().zip(params) {
                        *stream = F::stream(&params.values);
                    }
                });
                let part = Part { all: &messages, start, count: params.len() };
                F::Stream::finish_each(&|index| &streams[index], &part, &mut slots.part(start));
            }
            overwrite(&mut streams, [*F::STREAM; KEYED]);
        }
        for (digest, params) in digests.iter_mut().zip(params) {
            digest.truncate(params.values.output_len);
        }
        Ok(())
    }
}

impl<F: Node> Params<'_, F> {
    /// Returns the number of bytes up to the end of a message, the key's block included.
    #[inline(always)]
    fn count(&self, message_len: usize) -> u128 {
        let key = if self.values.key.is_empty() { 0 } else { self.blocks().len };
        key as u128 + message_len as u128
    }
}

/// Parameters without a key stand for the stream that they would build. [`Params::hash_each`] reads
/// the first state from them, because building a stream takes 24 ns, as long as one block of a
/// message takes in eight lanes (BLAKE2b, Xeon).
impl<F: Node> Sequential for Params<'_, F> {
    type Family = F::Family;

    #[inline]
    fn blocks(&self) -> Blocks {
        Blocks { len: size_of::<<F::Family as Family>::Tail>(), lookahead: 1, padding: 0 }
    }
    #[inline]
    fn shape(&self) {}
    #[inline(always)]
    fn state(&self) -> State<Self> {
        F::initial(&self.values)
    }
    #[inline]
    fn waiting(&self) -> &[u8] {
        &[]
    }
    #[inline(always)]
    fn last(
        &self,
        message_len: usize,
        _: &mut [u8],
        _: usize,
        mut set: impl FnMut(usize, Word<Self>),
    ) -> usize {
        let words = blake2::last_words::<F::Family>(self.count(message_len), self.values.last_node);
        words.into_iter().enumerate().for_each(|(i, word)| set(8 + i, word));
        self.blocks().len
    }
    #[inline(always)]
    fn absorb_last(
        &self,
        backend: Runnable<F::Family>,
        state: &mut [Word<Self>],
        last: &[u8],
        message_len: usize,
    ) -> bool {
        let count = self.count(message_len);
        let words = blake2::last_words::<F::Family>(count, self.values.last_node);
        blake2::absorb_last(backend, state, last, (count, &words))
    }
    fn known(&self, _: &[u8]) {}
    #[inline(always)]
    fn output(&self, word: impl Fn(usize) -> Word<Self>, out: &mut [u8]) {
        blake2::output::<F::Family>(word, out);
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

/// Implements `build` for a function. This is a macro because `build` is `const`, and each stream
/// has its own `const` constructor.
macro_rules! build {
    (
        $function:ident, $Function:ident, $Stream:ident, $finish:ident,
        max $max:literal, salt $salt:literal
    ) => {
        /// The parameters of this function.
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
            fn finish(params: &Params<'_, Self>, message: &[u8], out: &mut [u8]) {
                $finish(params, message, out);
            }
            fn build(params: &Params<'_, Self>) -> Result<Hash<Self>, Error> {
                let keyed = !params.values.key.is_empty();
                run_wiped_if(keyed, Self::STREAM.stack(), || params.build())
            }
        }

        impl Params<'_, function::$Function> {
            /// Builds a hasher with these parameters.
            ///
            /// # Errors
            /// The error of the first setter whose argument was out of range.
            pub const fn build(&self) -> Result<Hash<function::$Function>, Error> {
                match self.values.mistake {
                    Some(mistake) => Err(mistake),
                    None => Ok(Hash { stream: Secret($Stream::new(&self.values)) }),
                }
            }

            /// Builds a hasher with these parameters for compile time.
            ///
            /// # Errors
            /// See [`build`](Self::build).
            pub const fn build_portable(
                &self,
            ) -> Result<portable::Hash<function::$Function>, Error> {
                match self.values.mistake {
                    Some(mistake) => Err(mistake),
                    None => Ok(portable::Hash::of($Stream::new(&self.values).any())),
                }
            }
        }
    };
}

build!(blake2b, Blake2b, StreamB, finish_node, max 64, salt 16);
build!(blake2s, Blake2s, StreamS, finish_node, max 32, salt 8);
build!(blake2bp, Blake2bp, TreeB, finish_tree, max 64, salt 16);
build!(blake2sp, Blake2sp, TreeS, finish_tree, max 32, salt 8);

impl Node for function::Blake2b {
    type Family = FamilyB;
    const MAX_OFFSET: u64 = u64::MAX;
    #[inline(always)]
    fn initial(values: &Values<'_>) -> <Self::Family as Family>::State {
        initial_b(values)
    }
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode) {
        hasher.stream.last_node = last_node;
    }
}

impl Node for function::Blake2s {
    type Family = FamilyS;
    const MAX_OFFSET: u64 = u64::MAX >> 16;
    #[inline(always)]
    fn initial(values: &Values<'_>) -> <Self::Family as Family>::State {
        initial_s(values)
    }
    fn set_last_node(hasher: &mut Hash<Self>, last_node: LastNode) {
        hasher.stream.last_node = last_node;
    }
}

impl<F: Node> Hash<F> {
    /// Sets whether this is the last node of its level, and overrides the parameter `last_node`.
    /// This is for trees whose end is known only when the message ends. The method may be called at
    /// any time before the digest is computed.
    pub fn set_last_node(&mut self, last_node: LastNode) -> &mut Self {
        F::set_last_node(self, last_node);
        self
    }
}

#[cfg(feature = "rayon")]
impl Hash<function::Blake2bp> {
    /// Absorbs `data` as [`update`](Self::update) does, and splits the four leaves over the threads
    /// of rayon's pool where that is faster than hashing them in the lanes of one vector. Use it
    /// for parts of several megabytes.
    ///
    /// # Panics
    /// See `update`.
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        crate::stream::must(self.stream.try_update_rayon(data.as_ref()));
        self
    }
}

#[cfg(feature = "rayon")]
impl Hash<function::Blake2sp> {
    /// Absorbs `data` as [`update`](Self::update) does, and splits the eight leaves over the
    /// threads of rayon's pool where that is faster than hashing them in the lanes of one vector.
    /// Use it for parts of several megabytes.
    ///
    /// # Panics
    /// See `update`.
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        crate::stream::must(self.stream.try_update_rayon(data.as_ref()));
        self
    }
}
