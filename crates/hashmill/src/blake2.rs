//! BLAKE2 (RFC 7693, and the BLAKE2 paper for salts, trees and BLAKE2bp/sp): the streams of BLAKE2b and
//! BLAKE2s and their hashers. The trees of BLAKE2bp and BLAKE2sp are in [`tree`].

pub(crate) mod kernel;
pub(crate) mod params;
pub(crate) mod tree;
#[cfg(target_arch = "x86_64")]
mod x86_rows;

use crate::backend::{self, Backend, Chosen, Family, Info, Input, Runnable};
use crate::buffer::{Blocks, Buffer};
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::hasher::Stream;
use crate::many::update::{Resumable, Streams, update_many};
use crate::many::{Messages, Rows, Sequential, finish_many, finish_one};
use crate::pbkdf2::{Chain, side_by_side};
use crate::simd::Isa;
use crate::state::{Exported, Import, Word, put_words, take_words};
use crate::wipe::Wiped;
use params::{LastNode, Values, setters};

/// One word size: its family of backends and its stream.
macro_rules! word_size {
    (
        $Family:ident, $Stream:ident, $width:ident, $word:ident, block $block:literal,
        limit $limit:expr, backends [$($backends:tt)*]
    ) => {
        pub(crate) enum $Family {}

        impl Family for $Family {
            type Word = $word;
            type Shape = ();
            type Known = ();
            type State = [$word; 12];
            type Tail = [u8; $block];
            const TAIL: Self::Tail = [0; $block];
            const BACKENDS: &'static [Backend<Self>] = &[$($backends)*];

            fn chosen() -> &'static Chosen {
                static CHOSEN: Chosen = Chosen::new();
                &CHOSEN
            }
        }

        /// The state as the kernel has it, the bytes that wait until the block after theirs is certain
        /// to come, and how many bytes there were in all, a key's block included.
        #[derive(Clone, Copy)]
        pub struct $Stream {
            state: [$word; 12],
            buffer: Buffer<$block>,
            count: u128,
            output_len: u8,
            last_node: LastNode,
        }

        impl $Stream {
            pub const BLOCKS: Blocks = Blocks { len: $block, lookahead: 1 };
            /// The longest message, in bytes: RFC 7693 §2.1.
            pub const LIMIT: u128 = $limit;
            pub const MAX_OUTPUT: usize = $block / 2;

            /// RFC 7693 §3.3, with a key's block if there is a key.
            pub const fn new(values: &Values<'_>) -> Self {
                let mut stream = $Stream {
                    state: Self::initial(values),
                    buffer: Buffer::new(),
                    count: 0,
                    output_len: values.output_len as u8,
                    last_node: values.last_node,
                };
                if !values.key.is_empty() {
                    stream.update_const(&Self::key_block(values));
                }
                stream
            }

            /// The state before the first block.
            pub const fn initial(values: &Values<'_>) -> [$word; 12] {
                let block = values.block(size_of::<$word>());
                let mut state = [0; 12];
                let mut i = 0;
                while i < 8 {
                    let (_, word) = block.split_at(i * size_of::<$word>());
                    let word = $word::from_le_bytes(*word.first_chunk().expect("eight words"));
                    state[i] = kernel::$width::IV[i] ^ word;
                    i += 1;
                }
                state
            }

            pub const fn key_block(values: &Values<'_>) -> [u8; $block] {
                let mut block = [0; $block];
                block.split_at_mut(values.key.len()).0.copy_from_slice(values.key);
                block
            }

            pub const fn counted(count: u128, len: usize) -> Result<u128, Error> {
                match count.checked_add(len as u128) {
                    Some(count) if count <= Self::LIMIT => Ok(count),
                    _ => Err(Error::MessageTooLong),
                }
            }

            /// The counter and flags with which the last block is absorbed, of a message (or leaf)
            /// of `count` bytes. The counter is what it was before the block.
            pub const fn last_words(count: u128, last_node: LastNode) -> [$word; 4] {
                let before = count.wrapping_sub($block);
                let f1 = match last_node {
                    LastNode::Yes => $word::MAX,
                    LastNode::No => 0,
                };
                [before as $word, (before >> $word::BITS) as $word, $word::MAX, f1]
            }

            const fn absorb_const(state: &mut [$word; 12], run: &[u8]) {
                let input = Input { lanes: &[run], stride: $block, blocks: run.len() / $block };
                kernel::$width::portable::absorb(state, (), &input);
            }

            pub const fn update_const(&mut self, mut data: &[u8]) {
                self.count = match Self::counted(self.count, data.len()) {
                    Ok(count) => count,
                    Err(_) => panic!("the message is longer than the algorithm's standard allows"),
                };
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    Self::absorb_const(&mut self.state, run);
                }
            }

            pub const fn finish_const(&self, out: &mut [u8]) {
                let mut state = self.state;
                let mut block = [0; $block];
                let rest = self.buffer.waiting();
                block.split_at_mut(rest.len()).0.copy_from_slice(rest);
                let last = Self::last_words(self.count, self.last_node);
                state.split_at_mut(8).1.copy_from_slice(&last);
                Self::absorb_const(&mut state, &block);
                let mut output = [0; $block / 2];
                let mut i = 0;
                while i < 8 {
                    let word = state[i].to_le_bytes();
                    let (_, place) = output.split_at_mut(i * word.len());
                    place.split_at_mut(word.len()).0.copy_from_slice(&word);
                    i += 1;
                }
                out.copy_from_slice(output.split_at(out.len()).0);
            }

            pub const fn output_len(&self) -> usize {
                self.output_len as usize
            }

            /// One message in one call, without a key and as long an output as there is.
            #[inline]
            pub fn hash(message: &[u8]) -> [u8; $block / 2] {
                const NEW: $Stream = $Stream::new(&$Stream::DEFAULTS);
                let mut out = [0; $block / 2];
                finish_one(&NEW, message, &mut out);
                out
            }
        }

        impl Wiped for $Stream {
            const WIPED: Self = Self::new(&Values::new(0));
        }

        impl Stream for $Stream {
            #[inline]
            fn try_update(&mut self, mut data: &[u8]) -> Result<(), Error> {
                self.count = Self::counted(self.count, data.len())?;
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    let input = Input { lanes: &[run], stride: $block, blocks: run.len() / $block };
                    backend::one::<$Family>().absorb(&mut self.state, (), &input);
                }
                Ok(())
            }

            fn finish(&self, out: &mut [u8]) {
                finish_one(self, &[], out);
            }

            fn finish_bits(&self, _: u8, _: u32, _: &mut [u8]) -> Result<(), Error> {
                Err(Error::NoBits)
            }

            fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R) {
                finish_many(self, messages, rows);
            }

            fn update_many<T: Streams<Self> + ?Sized, M: Messages + ?Sized>(
                streams: &mut T,
                pieces: &M,
            ) {
                update_many(streams, pieces);
            }

            fn chains<'o>(
                &self,
                chains: impl Iterator<Item = Chain<'o, Self>>,
                count: usize,
                iterations: u32,
            ) {
                side_by_side(self, chains, count, iterations);
            }

            fn save(&self, state: &mut Exported) {
                self.output_len.put(state);
                u8::from(self.last_node == LastNode::Yes).put(state);
                self.count.put(state);
                put_words(state, &self.state[..8]);
                state.put(self.buffer.waiting());
            }

            fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
                self.output_len = u8::take(state)?;
                self.last_node = match u8::take(state)? {
                    0 => LastNode::No,
                    1 => LastNode::Yes,
                    _ => return Err(Error::StateInconsistent),
                };
                self.count = u128::take(state)?;
                if !(1..=Self::MAX_OUTPUT).contains(&self.output_len()) || self.count > Self::LIMIT {
                    return Err(Error::StateInconsistent);
                }
                take_words(state, &mut self.state[..8])?;
                let absorbed = Self::BLOCKS.absorbed(self.count) * $block;
                self.state[8] = absorbed as $word;
                self.state[9] = (absorbed >> $word::BITS) as $word;
                let mut waiting = state.take(Self::BLOCKS.waiting(self.count))?;
                self.buffer.next(Self::BLOCKS, &mut waiting);
                Ok(())
            }

            fn chosen() -> &'static Chosen {
                $Family::chosen()
            }

            fn backend(index: usize) -> Option<Info> {
                backend::info::<$Family>(index)
            }
        }

        impl Resumable for $Stream {
            fn resume(&mut self, word: impl Fn(usize) -> $word, len: usize) -> Result<(), Error> {
                self.count = Self::counted(self.count, len)?;
                self.state = core::array::from_fn(word);
                self.buffer = Buffer::new();
                Ok(())
            }
        }

        impl Sequential for $Stream {
            type Family = $Family;

            fn blocks(&self) -> Blocks {
                Self::BLOCKS
            }
            fn shape(&self) {}
            fn state(&self) -> [$word; 12] {
                self.state
            }
            fn waiting(&self) -> &[u8] {
                self.buffer.waiting()
            }
            #[inline(always)]
            fn last(
                &self,
                message_len: usize,
                _: &mut [u8],
                _: usize,
                mut set: impl FnMut(usize, $word),
            ) -> usize {
                match Self::counted(self.count, message_len) {
                    Ok(count) => {
                        let words = Self::last_words(count, self.last_node);
                        words.into_iter().enumerate().for_each(|(i, word)| set(8 + i, word));
                        $block
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            /// A whole block is absorbed where it lies.
            #[inline(always)]
            fn absorb_last(
                &self,
                backend: Runnable<$Family>,
                state: &mut [$word],
                last: &[u8],
                message_len: usize,
            ) -> bool {
                self.last(message_len, &mut [], 0, |i, word| state[i] = word);
                if last.len() == $block {
                    backend.absorb(state, (), &Input { lanes: &[last], stride: $block, blocks: 1 });
                    return true;
                }
                backend.absorb_last(state, last, self.count + message_len as u128)
            }
            fn known(&self, _: &[u8]) {}
            #[inline(always)]
            fn output(&self, word: impl Fn(usize) -> $word, out: &mut [u8]) {
                let (whole, part) = out.as_chunks_mut::<{ size_of::<$word>() }>();
                for (i, bytes) in whole.iter_mut().enumerate() {
                    *bytes = word(i).to_le_bytes();
                }
                if !part.is_empty() {
                    part.copy_from_slice(&word(whole.len()).to_le_bytes()[..part.len()]);
                }
            }
        }
    };
}

word_size! {
    FamilyB, StreamB, b, u64, block 128, limit u128::MAX, backends [
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, lanes: 8, cycles: [755, 648], absorb: kernel::b::avx512::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 4, cycles: [531, 635], absorb: kernel::b::avx512vl::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 1, cycles: [340, 590], absorb: x86_rows::b::avx512vl::absorb, absorb_known: None, absorb_last: Some(x86_rows::b::avx512vl::absorb_last) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 4, cycles: [665, 814], absorb: kernel::b::avx2::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 1, cycles: [374, 627], absorb: x86_rows::b::avx2::absorb, absorb_known: None, absorb_last: Some(x86_rows::b::avx2::absorb_last) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "bmi2", needs: Isa::BMI2, lanes: 1, cycles: [412, 347], absorb: kernel::b::bmi2::absorb, absorb_known: None, absorb_last: None },
        Backend { name: "portable", needs: Isa::NONE, lanes: 1, cycles: [417, 320], absorb: kernel::b::portable::absorb, absorb_known: None, absorb_last: None },
    ]
}

word_size! {
    FamilyS, StreamS, s, u32, block 64, limit u64::MAX as u128, backends [
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, lanes: 16, cycles: [656, 620], absorb: kernel::s::avx512::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 8, cycles: [453, 535], absorb: kernel::s::avx512vl::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 1, cycles: [250, 486], absorb: x86_rows::s::avx512vl::absorb, absorb_known: None, absorb_last: Some(x86_rows::s::avx512vl::absorb_last) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 8, cycles: [600, 706], absorb: kernel::s::avx2::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 1, cycles: [312, 578], absorb: x86_rows::s::avx2::absorb, absorb_known: None, absorb_last: Some(x86_rows::s::avx2::absorb_last) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "bmi2", needs: Isa::BMI2, lanes: 1, cycles: [346, 295], absorb: kernel::s::bmi2::absorb, absorb_known: None, absorb_last: None },
        Backend { name: "portable", needs: Isa::NONE, lanes: 1, cycles: [336, 275], absorb: kernel::s::portable::absorb, absorb_known: None, absorb_last: None },
    ]
}

/// One function: its hasher, its parameters, and its one-call form.
macro_rules! function {
    (
        $Type:ident, $function:ident, $name:literal, $len:literal, salt $salt:literal, $Stream:ty,
        $described:literal, one call $hash:path, tree setters {$($tree:tt)*}
    ) => {
        #[doc = concat!($name, $described)]
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        #[doc = concat!("let digest = ", stringify!($Type), "::new().update(b\"ab\").update(b\"c\").finalize();")]
        #[doc = concat!("assert_eq!(digest, hashmill::", stringify!($function), "(b\"abc\")[..]);")]
        ///
        #[doc = concat!("let short = ", stringify!($function), "::Params::new().output_len(20).key(b\"secret\").build()?;")]
        /// assert_eq!(short.clone().update(b"abc").finalize().len(), 20);
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            pub(crate) stream: $Stream,
        }

        crate::hasher::fixed_hasher!($Type, $Stream, VarDigest);

        impl $Type {
            pub(crate) const STREAM: $Stream = <$Stream>::new(&<$Stream>::DEFAULTS);

            /// A hasher without a key, of the longest output, that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: Self::STREAM }
            }

            /// The digest of all that was absorbed, as long as the parameters say. The hasher stays as
            /// it is and may go on.
            pub fn finalize(&self) -> VarDigest {
                let mut digest = Self::blank(&self.stream);
                crate::hasher::Stream::finish(&self.stream, digest.as_mut());
                digest
            }

            pub(crate) const fn blank(stream: &$Stream) -> VarDigest {
                VarDigest::zero(stream.output_len())
            }
        }

        #[doc = concat!($name, " of a message: no key, the longest output.")]
        #[inline]
        pub fn $function(message: &[u8]) -> Digest<$len> {
            Digest($hash(message))
        }

        #[doc = concat!("The parameters of ", $name, ".")]
        pub mod $function {
            use super::*;

            #[doc = concat!("The parameters of ", $name, "; every setter may be left out, and used in constants.")]
            ///
            /// ```
            #[doc = concat!("use hashmill::", stringify!($function), "::Params;")]
            ///
            #[doc = concat!("const PARAMS: Params = Params::new().output_len(16).salt(b\"salt\").personal(b\"file ids\");")]
            /// let digest = PARAMS.build()?.update(b"message").finalize();
            /// assert_eq!(digest.len(), 16);
            #[doc = concat!("assert!(Params::new().output_len(", $len, " + 1).build().is_err());")]
            /// # Ok::<(), hashmill::Error>(())
            /// ```
            #[derive(Clone, Copy)]
            pub struct Params<'k> {
                pub(crate) values: Values<'k>,
            }

            setters!(Params, output $len, key $len, salt $salt);

            impl Params<'_> {
                /// No key, the longest output, sequential.
                pub const fn new() -> Self {
                    Params { values: <$Stream>::DEFAULTS }
                }

                $($tree)*

                /// A hasher with these parameters.
                ///
                /// # Errors
                /// The first mistake that was made: a length that is out of range.
                pub const fn build(&self) -> Result<$Type, Error> {
                    match self.values.mistake {
                        Some(mistake) => Err(mistake),
                        None => Ok($Type { stream: <$Stream>::new(&self.values) }),
                    }
                }

                /// A hasher with these parameters for use at compile time.
                ///
                /// # Errors
                /// As [`build`](Self::build).
                pub const fn build_portable(&self) -> Result<crate::portable::$Type, Error> {
                    match self.values.mistake {
                        Some(mistake) => Err(mistake),
                        None => Ok(crate::portable::$Type { stream: <$Stream>::new(&self.values) }),
                    }
                }
            }
        }
    };
}
pub(crate) use function;

impl StreamB {
    pub const DEFAULTS: Values<'static> = Values::new(64);
}
impl StreamS {
    pub const DEFAULTS: Values<'static> = Values::new(32);
}

/// The setters of a hasher that may be a node of a tree (the BLAKE2 paper §2.10).
macro_rules! sequential {
    ($Type:ident, $function:ident, $name:literal, $len:literal, salt $salt:literal, $Stream:ident,
     inner $inner:literal, offset bits $offset_bits:literal) => {
        function! {
            $Type, $function, $name, $len, salt $salt, $Stream,
            ", RFC 7693: a digest of any length that a parameter names.", one call $Stream::hash,
            tree setters {
                /// How many children a node has, 0 for any number; 1 (sequential) unless set.
                pub const fn fanout(mut self, fanout: u8) -> Self {
                    self.values.fanout = fanout;
                    self
                }

                /// The depth of the tree, 255 for any; 1 (sequential) unless set.
                pub const fn max_depth(mut self, depth: u8) -> Self {
                    if self.values.check(depth > 0, Error::Blake2MaxDepth) {
                        self.values.max_depth = depth;
                    }
                    self
                }

                /// How many bytes a leaf takes, 0 for any number; 0 unless set.
                pub const fn leaf_len(mut self, len: u32) -> Self {
                    self.values.leaf_len = len;
                    self
                }

                #[doc = concat!("Which node of its level this is, from 0; less than 2<sup>", $offset_bits, "</sup>.")]
                pub const fn node_offset(mut self, offset: u64) -> Self {
                    let limit = u64::MAX >> (64 - $offset_bits);
                    if self.values.check(offset <= limit, Error::Blake2NodeOffset) {
                        self.values.node_offset = offset;
                    }
                    self
                }

                /// The level of this node, 0 for a leaf; 0 unless set.
                pub const fn node_depth(mut self, depth: u8) -> Self {
                    self.values.node_depth = depth;
                    self
                }

                #[doc = concat!("How many bytes an inner node hands to its parent, 0 to ", $inner, "; 0 (sequential) unless set.")]
                pub const fn inner_len(mut self, len: usize) -> Self {
                    if self.values.check(len <= $inner, Error::Blake2InnerLength) {
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
        }
    };
}

sequential!(Blake2b, blake2b, "BLAKE2b", 64, salt 16, StreamB, inner 64, offset bits 64);
sequential!(Blake2s, blake2s, "BLAKE2s", 32, salt 8, StreamS, inner 32, offset bits 48);

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;

    /// SplitMix64.
    struct Random(u64);

    impl Random {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        }
    }

    const LANES: usize = 16;

    /// What the portable backend makes of every lane is what each backend makes of all of them, from any
    /// chaining value, counter and flags, and whatever the stride.
    fn agree<F, W, const BLOCK: usize>(word: fn(u64) -> W)
    where
        F: Family<Word = W, Shape = ()>,
        W: Copy + Default + Debug + PartialEq,
    {
        let mut random = Random(1);
        let portable = F::BACKENDS.last().expect("the portable backend");
        for backend in F::BACKENDS.iter().filter(|b| Isa::detected().contains(b.needs)) {
            let (name, lanes) = (backend.name, backend.lanes);
            for round in 0..200 {
                let (blocks, stride) = (round % 10, BLOCK * (1 + round % 3));
                let bytes: [[u8; 30 * 128]; LANES] =
                    core::array::from_fn(|_| core::array::from_fn(|_| random.word() as u8));
                let mut states = [[W::default(); 12]; LANES];
                for state in &mut states {
                    *state = core::array::from_fn(|_| word(random.word()));
                    // Counters that carry within the blocks, and flags.
                    if round % 2 == 0 {
                        state[8] = word(0u64.wrapping_sub(random.word() % (10 * BLOCK as u64)));
                        state[9] = word(0u64.wrapping_sub(round as u64 % 4 / 2));
                        state[10] = word(0u64.wrapping_sub(random.word() % 2));
                        state[11] = word(0u64.wrapping_sub(random.word() % 2));
                    }
                }
                let mut together = [W::default(); 12 * LANES];
                for i in 0..12 {
                    for lane in 0..lanes {
                        together[i * lanes + lane] = states[lane][i];
                    }
                }
                let inputs: [&[u8]; LANES] = core::array::from_fn(|lane| &bytes[lane][..]);
                let input = Input { lanes: &inputs[..lanes], stride, blocks };
                // SAFETY: this CPU has what the backend needs.
                unsafe { (backend.absorb)(&mut together[..12 * lanes], (), &input) };
                for lane in 0..lanes {
                    let state = &mut states[lane];
                    let end = core::array::from_fn::<u8, BLOCK, _>(|_| random.word() as u8);
                    let end = &end[..random.word() as usize % BLOCK];
                    let mut ended = *state;
                    let mut expected = *state;
                    let input = Input { lanes: &[&bytes[lane]], stride, blocks };
                    // SAFETY: every CPU can run the portable backend.
                    unsafe { (portable.absorb)(state, (), &input) };
                    for i in 0..12 {
                        let got = together[i * lanes + lane];
                        assert_eq!(got, state[i], "{name} ×{lanes}, {blocks} blocks, word {i}");
                    }
                    let Some(absorb_last) = backend.absorb_last else { continue };
                    let mut padded = [0; BLOCK];
                    padded[..end.len()].copy_from_slice(end);
                    let input = Input { lanes: &[&padded], stride: BLOCK, blocks: 1 };
                    // SAFETY: this CPU has what the backend needs, and the portable one needs nothing.
                    unsafe {
                        absorb_last(&mut ended, end, 0);
                        (portable.absorb)(&mut expected, (), &input);
                    }
                    assert_eq!(ended[..8], expected[..8], "{name}, {} last bytes", end.len());
                }
            }
        }
    }

    #[test]
    fn blake2b_backends_agree() {
        agree::<FamilyB, u64, 128>(|word| word);
    }

    #[test]
    fn blake2s_backends_agree() {
        agree::<FamilyS, u32, 64>(|word| word as u32);
    }
}
