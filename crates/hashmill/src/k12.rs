//! KangarooTwelve (RFC 9861 §3): KT128 and KT256, trees over TurboSHAKE.

#![forbid(unsafe_code)]

use crate::backend::{Chosen, Family, Info};
use crate::digest::Digest;
use crate::error::Error;
use crate::hasher::{Stream, bytes_in, from_iterator};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::tree::Tree;
use crate::keccak::{Keccak, Output, Sponge, XofReader};
use crate::many::{Flat, Messages, Rows, Selected, finish_many, finish_one};
use crate::state::{Exported, Import, Word};
use crate::wipe::{Wiped, wipe};

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
pub struct KangarooTwelve {
    /// The node absorbs the first chunk itself.
    tree: Tree,
    /// Bytes of the first chunk.
    first: usize,
}

impl KangarooTwelve {
    pub const fn new(rate: usize) -> Self {
        let (node, leaf) = (Sponge::new(rate, 12, SINGLE), Sponge::new(rate, 12, LEAF));
        KangarooTwelve { tree: Tree::new(node, leaf, CHUNK), first: 0 }
    }

    pub fn update(&mut self, data: &[u8]) {
        self.update_with(data, Tree::update);
    }

    fn update_with(&mut self, mut data: &[u8], update: fn(&mut Tree, &[u8])) {
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

    pub fn finish_xof(&self, customization: &[u8]) -> Output {
        let mut stream = *self;
        stream.update(customization);
        stream.update(Encoded::length(customization.len() as u128).as_bytes());
        let tree = &mut stream.tree;
        if !tree.is_bare() {
            let leaves = tree.end();
            tree.node.update(Encoded::length(leaves.into()).as_bytes());
            tree.node.update(&[0xFF, 0xFF]);
            tree.node = tree.node.with_suffix(FINAL);
        }
        let output = tree.node.squeeze();
        wipe(&mut stream);
        output
    }

    /// One message in one call.
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
}

impl Wiped for KangarooTwelve {
    const WIPED: Self = KangarooTwelve { tree: Tree::WIPED, first: 0 };
}

impl Stream for KangarooTwelve {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }

    fn finish(&self, out: &mut [u8]) {
        self.finish_xof(b"").fill(out);
    }

    fn finish_bits(&self, _: u8, _: u32, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::NoBits)
    }

    /// The messages of a single chunk side by side; those of several one after the other, for each fills
    /// the lanes with its leaves.
    fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R) {
        /// Enough for a batch's last lanes, which are not all full, not to matter.
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
                stream.finish(rows.row(index));
            }
            if count == BATCH || index + 1 == messages.count() {
                let indexes = &single[..count];
                let messages = Selected { all: messages, indexes };
                finish_many(&self.single(), &messages, &mut Selected { all: &mut *rows, indexes });
                count = 0;
            }
        }
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

    fn chosen() -> &'static Chosen {
        Keccak::chosen()
    }

    fn backend(index: usize) -> Option<Info> {
        Sponge::backend(index)
    }
}

/// One function: its type and its one-call form.
macro_rules! kt {
    ($Type:ident, $function:ident, $name:literal, $turboshake:literal, rate $rate:literal) => {
        #[doc = concat!($name, ", RFC 9861 §3: a tree over ", $turboshake, ", with an output of any length.")]
        ///
        /// The message is cut into chunks of 8192 bytes, which are hashed side by side in SIMD lanes when
        /// an update brings several. A customization string separates uses of the function from one
        /// another; it comes last in what is hashed, so `finalize_xof_with` takes it and nothing has to be
        /// kept until then.
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        /// let message = [7; 100_000];
        #[doc = concat!("let mut hasher = ", stringify!($Type), "::new();")]
        /// hasher.update(&message[..10]).update(&message[10..]);
        /// let mut out = [0; 32];
        /// hasher.finalize_xof().fill(&mut out);
        #[doc = concat!("assert_eq!(", stringify!($function), "(&message, b\"\"), out);")]
        /// hasher.finalize_xof_with(b"my protocol").fill(&mut out);
        #[doc = concat!("assert_eq!(", stringify!($function), "(&message, b\"my protocol\"), out);")]
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            pub(crate) stream: KangarooTwelve,
        }

        impl $Type {
            pub(crate) const STREAM: KangarooTwelve = KangarooTwelve::new($rate);

            /// A function that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: Self::STREAM }
            }

            /// Absorbs the next part of the message.
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update(data);
                self
            }

            /// As `update`, with the chunks split over the threads of rayon's pool; for parts of many chunks,
            /// some megabytes.
            ///
            /// ```
            #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
            ///
            /// let message = vec![7; 1 << 20];
            /// let mut out = [0; 32];
            #[doc = concat!(stringify!($Type), "::new().update_rayon(&message).finalize_xof().fill(&mut out);")]
            #[doc = concat!("assert_eq!(", stringify!($function), "(&message, b\"\"), out);")]
            /// ```
            #[cfg(feature = "rayon")]
            pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update_with(data, Tree::update_rayon);
                self
            }

            /// The output, from its beginning, with an empty customization string. The function stays as
            /// it is and may go on absorbing.
            pub fn finalize_xof(&self) -> XofReader {
                self.finalize_xof_with(b"")
            }

            /// The output, from its beginning, with a customization string.
            pub fn finalize_xof_with(&self, customization: &[u8]) -> XofReader {
                XofReader(self.stream.finish_xof(customization))
            }

            /// What `finalize_xof` would give after `update(message)`, for every message: `output_len`
            /// bytes each, one after the other in `out`.
            ///
            /// # Panics
            /// If `out` does not have `messages.len() * output_len` bytes.
            ///
            /// ```
            #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
            ///
            /// let mut out = [0; 2 * 32];
            #[doc = concat!(stringify!($Type), "::new().finish_many(&[\"a\", \"b\"], 32, &mut out);")]
            #[doc = concat!("assert_eq!(", stringify!($function), "::<32>(b\"b\", b\"\")[..], out[32..]);")]
            /// ```
            pub fn finish_many<M: AsRef<[u8]>>(
                &self,
                messages: &[M],
                output_len: usize,
                out: &mut [u8],
            ) {
                match Flat::new(out, messages.len(), output_len) {
                    Ok(mut rows) => self.stream.finish_many(messages, &mut rows),
                    Err(_) => panic!("`out` must have `output_len` bytes for every message"),
                }
            }
        }

        bytes_in!($Type, read crate::hasher::READ_CHUNKS_LEN);
        from_iterator!($Type);

        impl Default for $Type {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Drop for $Type {
            fn drop(&mut self) {
                wipe(&mut self.stream);
            }
        }

        impl core::fmt::Debug for $Type {
            /// Says nothing of the state, which may be secret.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }

        #[doc = concat!("The first `N` bytes of ", $name, " (RFC 9861 §3) of a message, with a customization string.")]
        pub fn $function<const N: usize>(message: &[u8], customization: &[u8]) -> Digest<N> {
            Digest($Type::STREAM.hash(message, customization))
        }
    };
}

kt!(Kt128, kt128, "KT128", "TurboSHAKE128", rate 168);
kt!(Kt256, kt256, "KT256", "TurboSHAKE256", rate 136);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;

    /// Around the ends of the first chunk, a leaf, a block of the node and of a leaf.
    #[test]
    fn a_saved_stream_goes_on() {
        let message = [0xA5; 3 * CHUNK + 200];
        for rate in [168, 136] {
            let expected: [u8; 32] = KangarooTwelve::new(rate).hash(&message, b"C");
            for end in [0, 1, rate, CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + rate, 3 * CHUNK] {
                let mut stream = KangarooTwelve::new(rate);
                stream.update(&message[..end]);
                // The code only fills the place of one.
                let saved = Exported::new(Algorithm::TurboShake128, |state| stream.save(state));
                let mut loaded = KangarooTwelve::new(rate);
                let mut import = Import::new(saved.as_ref()).expect("what was exported");
                loaded.load(&mut import).expect("what was saved");
                import.end().expect("nothing more");
                loaded.update(&message[end..]);
                let mut out = [0; 32];
                loaded.finish_xof(b"C").fill(&mut out);
                assert_eq!(out, expected, "rate {rate}, after {end} bytes");
            }
        }
    }
}
