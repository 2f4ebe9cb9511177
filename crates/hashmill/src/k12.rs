//! KangarooTwelve (RFC 9861 §3): KT128 and KT256, trees over TurboSHAKE.

#![forbid(unsafe_code)]

use crate::arguments::Customization;
use crate::digest::Digest;
use crate::error::Error;
use crate::hasher::{LANES_ALWAYS, bytes_in, check, finish_checked};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::tree::Tree;
use crate::keccak::{Output, Sponge, XofReader};
use crate::lanes::finish_many;
use crate::messages::{Messages, OutputLen, Outputs, Slots, indexed};
use crate::state::{Exported, Import, Stored};
use crate::stream::finish_one;
use crate::wipe::{Secret, Wiped, wipe};

/// RFC 9861 §3.2: bytes in a chunk.
const CHUNK: usize = 8192;
/// RFC 9861 §3.2: what follows the first chunk in the final node.
const AFTER_FIRST: [u8; 8] = [3, 0, 0, 0, 0, 0, 0, 0];
/// RFC 9861 §3.2: the domain of a string that is a single chunk.
const SINGLE: u8 = 0x07;
/// RFC 9861 §3.2: the domain of the leaves.
const LEAF: u8 = 0x0B;
/// RFC 9861 §3.2: the domain of the final node.
const FINAL: u8 = 0x06;

/// KT128's or KT256's stream over S = M || C || length_encode(|C|) (RFC 9861 §3.2).
#[derive(Clone, Copy)]
struct Stream {
    /// The node absorbs the first chunk itself.
    tree: Tree,
    /// Bytes of the first chunk.
    first: usize,
}

impl Stream {
    const fn new(rate: usize) -> Self {
        let (node, leaf) = (Sponge::new(rate, 12, SINGLE), Sponge::new(rate, 12, LEAF));
        Stream { tree: Tree::new(node, leaf, CHUNK), first: 0 }
    }

    fn update(&mut self, data: &[u8]) {
        self.update_with(data, Tree::update);
    }

    fn update_with(&mut self, mut data: &[u8], update: fn(&mut Tree, &[u8])) {
        // The first chunk belongs to the final node and not to a leaf (RFC 9861 §3.2), so it would
        // be hashed alone in one lane. If further chunks have come with it, it takes one lane and
        // they take the others.
        if self.first == 0 && data.len() >= 2 * CHUNK {
            data = self.tree.begin(data, &AFTER_FIRST);
            self.first = CHUNK;
        } else if self.first < CHUNK {
            let (head, rest) = data.split_at(data.len().min(CHUNK - self.first));
            self.tree.node.update(head);
            self.first += head.len();
            data = rest;
        }
        if !data.is_empty() {
            if self.tree.is_bare() {
                self.tree.node.update(&AFTER_FIRST);
            }
            update(&mut self.tree, data);
        }
    }

    fn finish_xof(&self, customization: &[u8]) -> Output {
        let mut stream = *self;
        stream.update(customization);
        stream.update(Encoded::length(customization.len() as u128).as_bytes());
        let tree = &mut stream.tree;
        if !tree.is_bare() {
            let leaves = tree.end();
            tree.node.update(Encoded::length(leaves.into()).as_bytes());
            tree.node.update(&[0xFF, 0xFF]);
            // The suffix is set here, at the end, because until the second chunk came the node
            // could have been the only one, and what it had absorbed is the same in both cases (RFC
            // 9861 §3.2).
            tree.node = tree.node.with_suffix(FINAL);
        }
        let output = tree.node.squeeze();
        wipe(&mut stream);
        output
    }

    /// One message in one call. A message of a single chunk needs no tree, so it is hashed where it
    /// lies, and the 784 bytes of state are not copied, because nothing has to be changed in them.
    fn hash<const N: usize>(&self, message: &[u8], customization: &[u8]) -> [u8; N] {
        let mut out = [0; N];
        if customization.is_empty() && self.is_single(message) {
            finish_one(&self.single(), message, &mut out);
        } else {
            let mut stream = *self;
            stream.update(message);
            stream.finish_xof(customization).fill(&mut out);
        }
        out
    }

    /// Whether, after `message` and an empty customization string, there is a single chunk.
    fn is_single(&self, message: &[u8]) -> bool {
        self.tree.is_bare() && message.len() < CHUNK - self.first
    }

    /// The stream for such messages: only length_encode(0) comes after them.
    fn single(&self) -> Trailed<'_> {
        Trailed { sponge: &self.tree.node, trailer: Encoded::length(0) }
    }

    fn save(&self, state: &mut Exported) {
        (self.first as u128 + self.tree.count()).put(state);
        self.tree.save(state);
    }

    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let count = u128::take(state)?;
        let first = count.min(CHUNK as u128);
        let between = if count > first { first + AFTER_FIRST.len() as u128 } else { first };
        self.first = first as usize;
        self.tree.load(state, count - first, between)
    }

    /// The messages of a single chunk side by side; those of several one after the other, because
    /// each fills the lanes with its leaves.
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        /// Messages of a single chunk are collected so that they fill the lanes whatever lies
        /// between them. 256 are 32 groups of eight lanes: a last group that is not full costs 3 %
        /// at most.
        const BATCH: usize = 256;
        let mut single = [0; BATCH];
        let mut count = 0;
        for index in 0..messages.count() {
            if self.is_single(messages.message(index)) {
                single[count] = index;
                count += 1;
            } else {
                let mut stream = *self;
                stream.update(messages.message(index));
                outputs.write(index, |out| stream.finish_xof(b"").fill(out));
                wipe(&mut stream);
            }
            if count == BATCH || index + 1 == messages.count() {
                let indexes = &single[..count];
                let messages = indexed(count, |i| messages.message(indexes[i]));
                finish_many(&self.single(), &messages, &mut outputs.select(indexes));
                count = 0;
            }
        }
    }
}

impl Wiped for Stream {
    const WIPED: Self = Stream { tree: Tree::WIPED, first: 0 };
}

/// KangarooTwelve, RFC 9861 §3: a tree over TurboSHAKE with a rate of `RATE` bytes, with an output
/// of any length. [`Kt128`] and [`Kt256`] are its two functions.
///
/// The message is cut into chunks of 8192 bytes, which are hashed side by side in SIMD lanes when
/// an update brings several. A customization string separates uses of the function from one
/// another; it comes last in what is hashed, so `finalize_xof_with` takes it and nothing has to be
/// kept until then.
///
/// ```
/// use hashmill::{Customization, Kt128, kt128};
///
/// let message = [7; 100_000];
/// let mut hasher = Kt128::new();
/// hasher.update(&message[..10]).update(&message[10..]);
/// let mut out = [0; 32];
/// hasher.finalize_xof().fill(&mut out);
/// assert_eq!(kt128(&message, Customization(b"")), out);
/// hasher.finalize_xof_with(b"my protocol").fill(&mut out);
/// assert_eq!(kt128(&message, Customization(b"my protocol")), out);
/// ```
#[derive(Clone, Debug)]
pub struct KangarooTwelve<const RATE: usize> {
    stream: Secret<Stream>,
}

/// KT128, RFC 9861 §3.2: a security strength of 128 bits.
pub type Kt128 = KangarooTwelve<168>;
/// KT256, RFC 9861 §3.2: a security strength of 256 bits.
pub type Kt256 = KangarooTwelve<136>;

impl<const RATE: usize> KangarooTwelve<RATE> {
    /// What exported states name it by, beside the codes of [`Algorithm`](crate::Algorithm).
    const CODE: u8 = if RATE == 168 { 0x40 } else { 0x41 };

    /// A function that has absorbed nothing.
    pub const fn new() -> Self {
        const { assert!(RATE == 168 || RATE == 136, "KangarooTwelve's rates are 168 and 136 bytes") };
        KangarooTwelve { stream: Secret(Stream::new(RATE)) }
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update(data);
        self
    }

    /// As `update`, with the chunks split over the threads of rayon's pool; for parts of many
    /// chunks, some megabytes.
    ///
    /// ```
    /// use hashmill::{Customization, Kt128, kt128};
    ///
    /// let message = vec![7; 1 << 20];
    /// let mut out = [0; 32];
    /// Kt128::new().update_rayon(&message).finalize_xof().fill(&mut out);
    /// assert_eq!(kt128(&message, Customization(b"")), out);
    /// ```
    #[cfg(feature = "rayon")]
    pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update_with(data, Tree::update_rayon);
        self
    }

    /// The output, from its beginning, with an empty customization string. The function is
    /// unchanged, and may absorb more.
    pub fn finalize_xof(&self) -> XofReader {
        self.finalize_xof_with(b"")
    }

    /// The output, from its beginning, with a customization string.
    pub fn finalize_xof_with(&self, customization: &[u8]) -> XofReader {
        XofReader::new(self.stream.finish_xof(customization))
    }

    /// The state, to be continued later: see [`Exported`].
    ///
    /// ```
    /// use hashmill::Kt128;
    ///
    /// let saved = Kt128::new().update(b"a long ").export();
    /// let mut hasher = Kt128::import(saved.as_ref())?;
    /// let (mut out, mut expected) = ([0; 32], [0; 32]);
    /// hasher.update(b"message").finalize_xof().fill(&mut out);
    /// Kt128::new().update(b"a long message").finalize_xof().fill(&mut expected);
    /// assert_eq!(out, expected);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn export(&self) -> Exported {
        Exported::new(Self::CODE, |state| self.stream.save(state), check)
    }

    /// A function in a state that [`export`](Self::export) gave.
    ///
    /// # Errors
    /// As [`Hash::import`](crate::Hash::import).
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        let mut import = Import::new(state, check)?;
        if import.code != Self::CODE {
            return Err(Error::StateAlgorithm);
        }
        let mut hasher = Self::new();
        hasher.stream.load(&mut import)?;
        import.end()?;
        Ok(hasher)
    }

    /// Forgets what was absorbed. There are no parameters to keep, because the customization string
    /// comes last.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    /// What `finalize_xof` would give after `update(message)`, for every message: as many bytes for
    /// each as its place in `outputs` has.
    ///
    /// # Errors
    /// As [`Hash::finish_many`](crate::Hash::finish_many).
    ///
    /// ```
    /// use hashmill::{Customization, Kt128, kt128};
    ///
    /// let mut out = [0; 2 * 32];
    /// Kt128::new().finish_many(&["a", "b"], &mut out)?;
    /// assert_eq!(kt128::<32>(b"b", Customization(b""))[..], out[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let len = OutputLen { len: 200 - RATE, any: true };
        let finish =
            |part: &dyn Messages, slots: &mut Slots<'_>| self.stream.finish_many(part, slots);
        finish_checked(messages, outputs, (u128::MAX, len), LANES_ALWAYS, &finish)
    }
}

bytes_in!([const RATE: usize] KangarooTwelve<RATE>, read crate::hasher::READ_CHUNKS_LEN);

impl<const RATE: usize> FromIterator<u8> for KangarooTwelve<RATE> {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut hasher = Self::new();
        hasher.extend(bytes);
        hasher
    }
}

impl<'a, const RATE: usize> FromIterator<&'a u8> for KangarooTwelve<RATE> {
    fn from_iter<I: IntoIterator<Item = &'a u8>>(bytes: I) -> Self {
        bytes.into_iter().copied().collect()
    }
}

impl<const RATE: usize> Default for KangarooTwelve<RATE> {
    fn default() -> Self {
        Self::new()
    }
}

/// The first `N` bytes of KT128 (RFC 9861 §3) of a message, with a customization string.
pub fn kt128<const N: usize>(message: &[u8], customization: Customization<'_>) -> Digest<N> {
    Digest(const { &Stream::new(168) }.hash(message, customization.0))
}

/// The first `N` bytes of KT256 (RFC 9861 §3) of a message, with a customization string.
pub fn kt256<const N: usize>(message: &[u8], customization: Customization<'_>) -> Digest<N> {
    Digest(const { &Stream::new(136) }.hash(message, customization.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around the ends of the first chunk, a leaf, a block of the node and of a leaf.
    fn a_saved_function_goes_on<const RATE: usize>() {
        let message = [0xA5; 3 * CHUNK + 200];
        let expected: [u8; 32] = Stream::new(RATE).hash(&message, b"C");
        for end in [0, 1, RATE, CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + RATE, 3 * CHUNK] {
            let saved = KangarooTwelve::<RATE>::new().update(&message[..end]).export();
            let mut loaded = KangarooTwelve::<RATE>::import(saved.as_ref()).expect("was exported");
            loaded.update(&message[end..]);
            let mut out = [0; 32];
            loaded.finalize_xof_with(b"C").fill(&mut out);
            assert_eq!(out, expected, "rate {RATE}, after {end} bytes");
        }
    }

    #[test]
    fn saved_functions_go_on() {
        a_saved_function_goes_on::<168>();
        a_saved_function_goes_on::<136>();
        let saved = Kt128::new().export();
        assert_eq!(Kt256::import(saved.as_ref()).err(), Some(Error::StateAlgorithm));
    }
}
