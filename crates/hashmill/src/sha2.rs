//! SHA-2 (FIPS 180-4): SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224 and SHA-512/256.

pub(crate) mod constants;
pub(crate) mod kernel;
#[cfg(target_arch = "x86_64")]
mod x86_pairs;
#[cfg(target_arch = "x86_64")]
mod x86_sha;
#[cfg(target_arch = "x86_64")]
mod x86_sha512;

use crate::backend::{self, Backend, Chosen, Family, Info, Input, Runnable};
use crate::buffer::{Blocks, Buffer};
use crate::digest::Digest;
use crate::error::Error;
use crate::hasher::{Stream, fixed_hasher};
use crate::many::update::{Resumable, Streams, update_many};
use crate::many::{Messages, Rows, Sequential, finish_many, finish_nested, finish_one};
use crate::pbkdf2::{Chain, side_by_side};
use crate::simd::Isa;
use crate::state::{Exported, Import, Word, put_words, take_words};
use crate::wipe::Wiped;
use constants::{w32, w64};

/// One word size: its family of backends and its stream.
macro_rules! word_size {
    (
        $Family:ident, $Stream:ident, $width:ident, $word:ident, block $block:literal,
        length field $length_len:literal, limit $limit:expr, backends [$($backends:tt)*]
    ) => {
        pub(crate) enum $Family {}

        impl Family for $Family {
            type Word = $word;
            type Shape = ();
            type Known = [[$word; 16]; $width::K.len()];
            type State = [$word; 8];
            type Tail = [u8; 2 * $block];
            const TAIL: Self::Tail = [0; 2 * $block];
            const BACKENDS: &'static [Backend<Self>] = &[$($backends)*];

            fn chosen() -> &'static Chosen {
                static CHOSEN: Chosen = Chosen::new();
                &CHOSEN
            }
        }

        /// The chaining value, the bytes that wait for their block to be complete, and how many bytes
        /// there were in all.
        #[derive(Clone, Copy)]
        pub struct $Stream {
            state: [$word; 8],
            buffer: Buffer<$block>,
            count: u128,
        }

        impl $Stream {
            const BLOCKS: Blocks = Blocks { len: $block, lookahead: 0 };
            /// The longest message, in bytes: FIPS 180-4 §1 limits its bits.
            const LIMIT: u128 = $limit;

            pub const fn new(initial: [$word; 8]) -> Self {
                $Stream { state: initial, buffer: Buffer::new(), count: 0 }
            }

            const fn counted(&self, len: usize) -> Result<u128, Error> {
                match self.count.checked_add(len as u128) {
                    Some(count) if count <= Self::LIMIT => Ok(count),
                    _ => Err(Error::MessageTooLong),
                }
            }

            /// FIPS 180-4 §5.1: after `rest` bytes of the last block and the high `bits` of `last_byte`
            /// come a one bit, zeros (which are there), and the length in bits. The result is the
            /// length with padding.
            #[inline(always)]
            const fn pad(
                tail: &mut [u8],
                rest: usize,
                count: u128,
                last_byte: u8,
                bits: u32,
            ) -> usize {
                let len = if rest < $block - $length_len { $block } else { 2 * $block };
                // A whole word, as a kernel will load it: a load does not wait for a store as wide.
                let one_bit = [last_byte & !(0xFF >> bits) | 0x80 >> bits, 0, 0, 0, 0, 0, 0, 0];
                tail.split_at_mut(rest).1.split_at_mut(8).0.copy_from_slice(&one_bit);
                let length = (8 * count + bits as u128).to_be_bytes();
                let (_, length) = length.split_at(16 - $length_len);
                tail.split_at_mut(len).0.split_at_mut(len - $length_len).1.copy_from_slice(length);
                len
            }

            const fn output(state: &[$word; 8]) -> [u8; 64] {
                let mut bytes = [0; 64];
                let mut i = 0;
                while i < 8 {
                    let word = state[i].to_be_bytes();
                    bytes.split_at_mut(i * word.len()).1.split_at_mut(word.len()).0.copy_from_slice(&word);
                    i += 1;
                }
                bytes
            }

            const fn absorb_const(state: &mut [$word; 8], run: &[u8]) {
                let input = Input { lanes: &[run], stride: $block, blocks: run.len() / $block };
                kernel::$width::portable::absorb(state, (), &input);
            }

            pub const fn update_const(&mut self, mut data: &[u8]) {
                self.count = match self.counted(data.len()) {
                    Ok(count) => count,
                    Err(_) => panic!("the message is longer than the algorithm's standard allows"),
                };
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    Self::absorb_const(&mut self.state, run);
                }
            }

            pub const fn finish_const(&self, out: &mut [u8]) {
                let mut state = self.state;
                let mut tail = [0; 2 * $block];
                let rest = self.buffer.waiting();
                tail.split_at_mut(rest.len()).0.copy_from_slice(rest);
                let len = Self::pad(&mut tail, rest.len(), self.count, 0, 0);
                Self::absorb_const(&mut state, tail.split_at(len).0);
                out.copy_from_slice(Self::output(&state).split_at(out.len()).0);
            }
        }

        impl Wiped for $Stream {
            const WIPED: Self = Self::new([0; 8]);
        }

        impl Stream for $Stream {
            #[inline]
            fn try_update(&mut self, mut data: &[u8]) -> Result<(), Error> {
                self.count = self.counted(data.len())?;
                while let Some(run) = self.buffer.next(Self::BLOCKS, &mut data) {
                    let input = Input { lanes: &[run], stride: $block, blocks: run.len() / $block };
                    backend::one::<$Family>().absorb(&mut self.state, (), &input);
                }
                Ok(())
            }

            fn finish(&self, out: &mut [u8]) {
                finish_one(self, &[], out);
            }

            fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
                if bits > 7 {
                    return Err(Error::TooManyBits);
                }
                let mut state = self.state;
                let mut tail = [0; 2 * $block];
                let rest = self.buffer.waiting();
                tail[..rest.len()].copy_from_slice(rest);
                let len = Self::pad(&mut tail, rest.len(), self.count, last_byte, bits);
                let input = Input { lanes: &[&tail], stride: $block, blocks: len / $block };
                backend::one::<$Family>().absorb(&mut state, (), &input);
                out.copy_from_slice(&Self::output(&state)[..out.len()]);
                Ok(())
            }

            fn finish_many<M: Messages + ?Sized, R: Rows + ?Sized>(&self, messages: &M, rows: &mut R) {
                finish_many(self, messages, rows);
            }

            fn finish_nested<M: Messages + ?Sized, R: Rows + ?Sized>(
                streams: [&Self; 2],
                digest_len: usize,
                messages: &M,
                rows: &mut R,
            ) -> usize {
                finish_nested(streams, digest_len, messages, rows)
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
                self.count.put(state);
                put_words(state, &self.state);
                state.put(self.buffer.waiting());
            }

            fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
                self.count = Word::take(state)?;
                if self.count > Self::LIMIT {
                    return Err(Error::StateInconsistent);
                }
                take_words(state, &mut self.state)?;
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
                self.count = self.counted(len)?;
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
            fn state(&self) -> [$word; 8] {
                self.state
            }
            fn waiting(&self) -> &[u8] {
                self.buffer.waiting()
            }
            #[inline(always)]
            fn last(
                &self,
                message_len: usize,
                tail: &mut [u8],
                rest: usize,
                _: impl FnMut(usize, $word),
            ) -> usize {
                match self.counted(message_len) {
                    Ok(count) => Self::pad(tail, rest, count, 0, 0),
                    Err(error) => panic!("{error}"),
                }
            }
            #[inline(always)]
            fn absorb_last(
                &self,
                backend: Runnable<$Family>,
                state: &mut [$word],
                last: &[u8],
                message_len: usize,
            ) -> bool {
                match self.counted(message_len) {
                    Ok(count) => backend.absorb_last(state, last, count),
                    Err(_) => false,
                }
            }
            fn known(&self, tail: &[u8]) -> [[$word; 16]; $width::K.len()] {
                kernel::$width::portable::schedule(tail)
            }
            #[inline(always)]
            fn output(&self, word: impl Fn(usize) -> $word, out: &mut [u8]) {
                let (whole, part) = out.as_chunks_mut::<{ size_of::<$word>() }>();
                for (i, bytes) in whole.iter_mut().enumerate() {
                    *bytes = word(i).to_be_bytes();
                }
                if !part.is_empty() {
                    part.copy_from_slice(&word(whole.len()).to_be_bytes()[..part.len()]);
                }
            }
        }
    };
}

word_size! {
    Words32, Stream32, w32, u32, block 64, length field 8, limit (1 << 61) - 1, backends [
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, lanes: 16, cycles: [940, 810], absorb: kernel::w32::avx512::absorb, absorb_known: Some(kernel::w32::avx512::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 8, cycles: [583, 697], absorb: kernel::w32::avx512vl::absorb, absorb_known: Some(kernel::w32::avx512vl::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "sha", needs: Isa::SHA, lanes: 1, cycles: [120, 126], absorb: x86_sha::absorb, absorb_known: None, absorb_last: Some(x86_sha::absorb_last) },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 8, cycles: [1113, 1070], absorb: kernel::w32::avx2::absorb, absorb_known: Some(kernel::w32::avx2::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "bmi2", needs: Isa::BMI2, lanes: 1, cycles: [569, 515], absorb: kernel::w32::bmi2::absorb, absorb_known: None, absorb_last: None },
        Backend { name: "portable", needs: Isa::NONE, lanes: 1, cycles: [623, 515], absorb: kernel::w32::portable::absorb, absorb_known: None, absorb_last: None },
    ]
}

word_size! {
    Words64, Stream64, w64, u64, block 128, length field 16, limit (1 << 125) - 1, backends [
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512, lanes: 8, cycles: [1148, 912], absorb: kernel::w64::avx512::absorb, absorb_known: Some(kernel::w64::avx512::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512vl", needs: Isa::AVX512, lanes: 4, cycles: [850, 901], absorb: kernel::w64::avx512vl::absorb, absorb_known: Some(kernel::w64::avx512vl::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2, lanes: 4, cycles: [1500, 1362], absorb: kernel::w64::avx2::absorb, absorb_known: Some(kernel::w64::avx2::absorb_known), absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "sha512", needs: Isa::AVX2.and(Isa::SHA512), lanes: 1, cycles: [400, 400], absorb: x86_sha512::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx512", needs: Isa::AVX512.and(Isa::BMI2), lanes: 1, cycles: [480, 460], absorb: x86_pairs::avx512::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "avx2", needs: Isa::AVX2.and(Isa::BMI2), lanes: 1, cycles: [500, 470], absorb: x86_pairs::avx2::absorb, absorb_known: None, absorb_last: None },
        #[cfg(target_arch = "x86_64")]
        Backend { name: "bmi2", needs: Isa::BMI2, lanes: 1, cycles: [697, 670], absorb: kernel::w64::bmi2::absorb, absorb_known: None, absorb_last: None },
        Backend { name: "portable", needs: Isa::NONE, lanes: 1, cycles: [780, 690], absorb: kernel::w64::portable::absorb, absorb_known: None, absorb_last: None },
    ]
}

/// One function: its hasher and its two one-call forms.
macro_rules! function {
    ($Type:ident, $function:ident, $name:literal, $len:literal, $Stream:ident, $initial:path, $section:literal) => {
        #[doc = concat!($name, ", ", $section, ": a digest of ", $len, " bytes.")]
        ///
        /// ```
        #[doc = concat!("use hashmill::", stringify!($Type), ";")]
        ///
        #[doc = concat!("let mut hasher = ", stringify!($Type), "::new();")]
        /// hasher.update(b"ab").update(b"c");
        #[doc = concat!("assert_eq!(hasher.finalize(), hashmill::", stringify!($function), "(b\"abc\"));")]
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            pub(crate) stream: $Stream,
        }

        fixed_hasher!($Type, $Stream, Digest<$len>);

        impl $Type {
            pub(crate) const STREAM: $Stream = $Stream::new($initial);

            /// A hasher that has absorbed nothing.
            pub const fn new() -> Self {
                $Type { stream: Self::STREAM }
            }

            /// The digest of all that was absorbed. The hasher stays as it is and may go on.
            pub fn finalize(&self) -> Digest<$len> {
                let mut digest = Self::blank(&self.stream);
                self.stream.finish(digest.as_mut());
                digest
            }

            /// The digest of a message that ends with `bits` further bits, 0 to 7, in the **high**
            /// positions of `last_byte`, first bit highest, as FIPS 180-4 §3.1 orders bits.
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7.
            pub fn finalize_bits(&self, last_byte: u8, bits: u32) -> Result<Digest<$len>, Error> {
                let mut digest = Self::blank(&self.stream);
                self.stream.finish_bits(last_byte, bits, digest.as_mut())?;
                Ok(digest)
            }

            pub(crate) const fn blank(_: &$Stream) -> Digest<$len> {
                Digest([0; $len])
            }
        }

        #[doc = concat!($name, " (", $section, ") of a message.")]
        #[inline]
        pub fn $function(message: &[u8]) -> Digest<$len> {
            let mut digest = Digest([0; $len]);
            finish_one(&$Type::STREAM, message, digest.as_mut());
            digest
        }
    };
}

function!(Sha224, sha224, "SHA-224", 28, Stream32, w32::SHA224, "FIPS 180-4 §6.3");
function!(Sha256, sha256, "SHA-256", 32, Stream32, w32::SHA256, "FIPS 180-4 §6.2");
function!(Sha384, sha384, "SHA-384", 48, Stream64, w64::SHA384, "FIPS 180-4 §6.5");
function!(Sha512, sha512, "SHA-512", 64, Stream64, w64::SHA512, "FIPS 180-4 §6.4");
function!(Sha512_224, sha512_224, "SHA-512/224", 28, Stream64, w64::SHA512_224, "FIPS 180-4 §6.6");
function!(Sha512_256, sha512_256, "SHA-512/256", 32, Stream64, w64::SHA512_256, "FIPS 180-4 §6.7");
