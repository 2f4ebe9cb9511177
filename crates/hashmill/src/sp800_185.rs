//! cSHAKE, KMAC, TupleHash and ParallelHash (SP 800-185).

#![forbid(unsafe_code)]

use crate::digest::{Digest, constant_time_eq};
use crate::error::Error;
use crate::hasher::{Stream, bytes_in};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::tree::Tree;
use crate::keccak::{Output, Sponge, XofReader};
use crate::many::{Flat, finish_many, finish_one};
use crate::sha3::SHAKE_SUFFIX;
use crate::wipe::wipe;

/// SP 800-185 §3.3: the suffix 00 and the first bit of the padding.
const CSHAKE_SUFFIX: u8 = 0b100;

/// cSHAKE before its message (SP 800-185 §3.3).
const fn cshake(rate: usize, name: &[u8], customization: &[u8]) -> Sponge {
    if name.is_empty() && customization.is_empty() {
        return Sponge::new(rate, 24, SHAKE_SUFFIX);
    }
    let mut sponge = Sponge::new(rate, 24, CSHAKE_SUFFIX);
    sponge.update_const(Encoded::left(rate as u128).as_bytes());
    sponge.update_const(Encoded::left(8 * name.len() as u128).as_bytes());
    sponge.update_const(name);
    sponge.update_const(Encoded::left(8 * customization.len() as u128).as_bytes());
    sponge.update_const(customization);
    sponge.fill_block();
    sponge
}

/// KMAC before its message (SP 800-185 §4.3).
fn kmac(rate: usize, key: &[u8], customization: &[u8]) -> Sponge {
    let mut sponge = cshake(rate, b"KMAC", customization);
    sponge.update(Encoded::left(rate as u128).as_bytes());
    sponge.update(Encoded::left(8 * key.len() as u128).as_bytes());
    sponge.update(key);
    sponge.fill_block();
    sponge
}

/// The output after `bits` more bits and right_encode(`output_bits`), which 0 stands for an XOF's in.
fn squeeze(sponge: &Sponge, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
    if bits > 7 {
        return Err(Error::TooManyBits);
    }
    let mut sponge = *sponge;
    let mut carried = u16::from(last_byte) & ((1 << bits) - 1);
    // The bytes come after `bits` bits, and so each goes into two.
    for &byte in Encoded::right(output_bits).as_bytes() {
        carried |= u16::from(byte) << bits;
        sponge.update(&[carried as u8]);
        carried >>= 8;
    }
    let output = sponge.finish_xof(carried as u8, bits);
    wipe(&mut sponge);
    output
}

/// The output after `message` and right_encode of its length.
fn finish(sponge: &Sponge, message: &[u8], out: &mut [u8]) {
    let trailer = Encoded::right(8 * out.len() as u128);
    finish_one(&Trailed { sponge, trailer }, message, out);
}

/// Writes `output_bits` bits; those of the last byte that are left over are 0.
fn fill_bits(mut output: Output, output_bits: usize, out: &mut [u8]) {
    output.fill(out);
    if let (Some(last), 1..=7) = (out.last_mut(), output_bits % 8) {
        *last &= (1 << (output_bits % 8)) - 1;
    }
    wipe(&mut output);
}

/// What all types have: nothing is said of their state, and it is wiped.
macro_rules! secret {
    ($Type:ident, $state:ident) => {
        impl Drop for $Type {
            fn drop(&mut self) {
                wipe(&mut self.$state);
            }
        }

        impl core::fmt::Debug for $Type {
            /// Says nothing of the state, which may be secret.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }
    };
}

macro_rules! cshake {
    ($Type:ident, $function:ident, $name:literal, rate $rate:literal) => {
        #[doc = concat!($name, ", SP 800-185 §3: SHAKE with a function name and a customization string.")]
        ///
        /// The function name is NIST's to give (`b""` unless it gave one), the customization string the
        /// user's. With both empty it is SHAKE.
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        #[doc = concat!("const EMAIL: ", stringify!($Type), " = ", stringify!($Type), "::new(b\"\", b\"Email Signature\");")]
        /// let mut out = [0; 100];
        /// EMAIL.clone().update(b"ab").update(b"c").finalize_xof().fill(&mut out);
        #[doc = concat!("assert_eq!(", stringify!($function), "(b\"abc\", b\"\", b\"Email Signature\"), out);")]
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            stream: Sponge,
        }

        secret!($Type, stream);
        bytes_in!($Type);

        impl $Type {
            /// A function that has absorbed the two strings, which the compiler does for a constant.
            pub const fn new(name: &[u8], customization: &[u8]) -> Self {
                $Type { stream: cshake($rate, name, customization) }
            }

            /// Absorbs the next part of the message.
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update(data);
                self
            }

            /// The output, from its beginning. The function stays as it is and may go on absorbing.
            pub fn finalize_xof(&self) -> XofReader {
                XofReader(self.stream.squeeze())
            }

            /// The output for a message that ends with `bits` further bits, 0 to 7, in the **low**
            /// positions of `last_byte`, first bit lowest, as FIPS 202 §B.1 orders bits.
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7.
            pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
                self.stream.finish_xof(last_byte, bits).map(XofReader)
            }

            /// What `finalize_xof` would give after `update(message)`, for every message, in SIMD lanes:
            /// `output_len` bytes each, one after the other in `out`.
            ///
            /// # Panics
            /// If `out` does not have `messages.len() * output_len` bytes.
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

        #[doc = concat!("The first `N` bytes of ", $name, " (SP 800-185 §3) of a message, with a function name and a customization string.")]
        pub fn $function<const N: usize>(
            message: &[u8],
            name: &[u8],
            customization: &[u8],
        ) -> Digest<N> {
            Digest(cshake($rate, name, customization).hash(message))
        }
    };
}

/// The outputs of the functions that come in two forms: one whose output depends on its length, and an
/// XOF. What they have in common are `finish`, and `squeeze`, which takes the last bits of the message and the
/// output's length in bits, 0 for the XOF.
macro_rules! outputs {
    ($Type:ident, $name:literal, $xof:literal, $output:literal) => {
        impl $Type {
            #[doc = concat!("The ", $output, " of all that was absorbed, of `N` bytes: it depends on `N`. The function stays as it is and may go on absorbing.")]
            pub fn finalize<const N: usize>(&self) -> Digest<N> {
                let mut digest = Digest([0; N]);
                self.finalize_into(digest.as_mut());
                digest
            }

            #[doc = concat!("As [`finalize`](Self::finalize), as long as `out`.")]
            pub fn finalize_into(&self, out: &mut [u8]) {
                self.finish(out);
            }

            #[doc = concat!("The output of ", $xof, ", from its beginning: it does not depend on how much is read.")]
            pub fn finalize_xof(&self) -> XofReader {
                match self.squeeze(0, 0, 0) {
                    Ok(output) => XofReader(output),
                    Err(error) => unreachable!("{error}"),
                }
            }
        }
    };
    ($Type:ident, $name:literal, $xof:literal, $output:literal, bits) => {
        outputs!($Type, $name, $xof, $output);

        impl $Type {
            #[doc = concat!("The ", $output, " of `output_bits` bits, for a message that ends with `bits` further bits, 0 to 7.")]
            ///
            /// Bits are in the **low** positions of a last byte, the first one lowest, as FIPS 202 §B.1
            /// orders them; the others of `out` are 0.
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7; [`Error::OutputLength`] unless `out` has as
            /// many bytes as hold `output_bits` bits.
            pub fn finalize_bits_into(
                &self,
                last_byte: u8,
                bits: u32,
                output_bits: usize,
                out: &mut [u8],
            ) -> Result<(), Error> {
                if out.len() != output_bits.div_ceil(8) {
                    return Err(Error::OutputLength);
                }
                fill_bits(self.squeeze(last_byte, bits, output_bits as u128)?, output_bits, out);
                Ok(())
            }

            #[doc = concat!("The output of ", $xof, " for a message that ends with `bits` further bits, 0 to 7, in the **low** positions of `last_byte`.")]
            ///
            /// # Errors
            /// [`Error::TooManyBits`] if `bits` is more than 7.
            pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
                self.squeeze(last_byte, bits, 0).map(XofReader)
            }
        }
    };
}

macro_rules! kmac {
    ($Type:ident, $function:ident, $name:literal, $xof:literal, rate $rate:literal, key $key:literal) => {
        #[doc = concat!($name, " and ", $xof, ", SP 800-185 §4: a message authentication code and pseudorandom function.")]
        ///
        /// The key is absorbed when it is made: clone a prepared one for every message. It should have at
        #[doc = concat!("least ", $key, " bytes (§8.4.1).")]
        /// The customization string separates uses of the key from one another.
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        #[doc = concat!("let key = ", stringify!($Type), "::new(b\"0123456789abcdef0123456789abcdef\", b\"my protocol\");")]
        /// let tag = key.clone().update(b"message").finalize::<32>();
        /// assert!(key.clone().update(b"message").verify(&tag).is_ok());
        /// assert!(key.clone().update(b"massage").verify(&tag).is_err());
        ///
        /// // As a pseudorandom function.
        /// let mut stream = key.clone().update(b"seed").finalize_xof();
        /// # let mut out = [0; 2]; stream.fill(&mut out);
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            stream: Sponge,
        }

        secret!($Type, stream);
        bytes_in!($Type);
        outputs!($Type, $name, $xof, "tag", bits);

        impl $Type {
            /// With a key and a customization string of any length.
            pub fn new(key: &[u8], customization: &[u8]) -> Self {
                $Type { stream: kmac($rate, key, customization) }
            }

            /// Absorbs the next part of the message.
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                self.stream.update(data);
                self
            }

            fn finish(&self, out: &mut [u8]) {
                finish(&self.stream, b"", out);
            }

            fn squeeze(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
                squeeze(&self.stream, last_byte, bits, output_bits)
            }

            /// Whether `tag` is the tag of all that was absorbed, in a time that does not tell where they
            /// differ.
            ///
            /// The tag is an array because its length must be agreed upon: a sender who may choose it would
            /// choose one that is quickly guessed. It has at least 4 bytes (SP 800-185 §8.4.2).
            ///
            /// # Errors
            /// [`Error::TagMismatch`] if it is not.
            pub fn verify<const N: usize>(&self, tag: &[u8; N]) -> Result<(), Error> {
                const { assert!(N >= 4, "a tag has at least 4 bytes") };
                match constant_time_eq(&self.finalize::<N>()[..], tag) {
                    true => Ok(()),
                    false => Err(Error::TagMismatch),
                }
            }

            /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes: tags
            /// of `tag_len` bytes, one after the other in `tags`.
            ///
            /// # Panics
            /// If `tags` does not have `messages.len() * tag_len` bytes.
            ///
            /// ```
            #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
            ///
            /// let mut tags = [0; 2 * 16];
            #[doc = concat!(stringify!($Type), "::new(b\"secret\", b\"\").finish_many(&[\"row 1\", \"row 2\"], 16, &mut tags);")]
            #[doc = concat!("assert_eq!(", stringify!($function), "::<16>(b\"secret\", b\"row 2\", b\"\")[..], tags[16..]);")]
            /// ```
            pub fn finish_many<M: AsRef<[u8]>>(
                &self,
                messages: &[M],
                tag_len: usize,
                tags: &mut [u8],
            ) {
                let trailer = Encoded::right(8 * tag_len as u128);
                match Flat::new(tags, messages.len(), tag_len) {
                    Ok(mut rows) => {
                        finish_many(&Trailed { sponge: &self.stream, trailer }, messages, &mut rows);
                    }
                    Err(_) => panic!("`tags` must have `tag_len` bytes for every message"),
                }
            }
        }

        #[doc = concat!("The tag of `N` bytes that ", $name, " (SP 800-185 §4) gives a message, with a customization string.")]
        pub fn $function<const N: usize>(
            key: &[u8],
            message: &[u8],
            customization: &[u8],
        ) -> Digest<N> {
            let mut digest = Digest([0; N]);
            let mut keyed = kmac($rate, key, customization);
            finish(&keyed, message, digest.as_mut());
            wipe(&mut keyed);
            digest
        }
    };
}

/// An element of [`TupleHash128`] or [`TupleHash256`] that comes in parts, as `begin` gives it.
///
/// It joins the tuple when [`end`](Self::end) is called; if it is dropped before, the tuple is without it.
pub struct TupleElement<'t> {
    tuple: &'t mut Sponge,
    /// The tuple with what came of this element.
    stream: Sponge,
    /// How many bytes are still to come.
    missing: u64,
}

impl Drop for TupleElement<'_> {
    fn drop(&mut self) {
        wipe(&mut self.stream);
    }
}

impl core::fmt::Debug for TupleElement<'_> {
    /// Says nothing of the state, which may be secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TupleElement").field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl<'t> TupleElement<'t> {
    fn new(tuple: &'t mut Sponge, len: u64) -> Self {
        let mut stream = *tuple;
        stream.update(Encoded::left(8 * u128::from(len)).as_bytes());
        TupleElement { tuple, stream, missing: len }
    }

    /// Absorbs the next part of the element.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if the element becomes longer than was announced; nothing is absorbed then.
    pub fn update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        let len = u64::try_from(data.len()).map_err(|_| Error::ElementLength)?;
        self.missing = self.missing.checked_sub(len).ok_or(Error::ElementLength)?;
        self.stream.update(data);
        Ok(self)
    }

    /// Makes the element part of the tuple.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if it is shorter than was announced; the tuple is without it then.
    pub fn end(self) -> Result<(), Error> {
        if self.missing > 0 {
            return Err(Error::ElementLength);
        }
        *self.tuple = self.stream;
        Ok(())
    }
}

macro_rules! tuple_hash {
    ($Type:ident, $function:ident, $name:literal, $xof:literal, rate $rate:literal) => {
        #[doc = concat!($name, " and ", $xof, ", SP 800-185 §5: a hash of a sequence of strings that tells where each ends.")]
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        #[doc = concat!("let mut tuple = ", stringify!($Type), "::new(b\"my protocol\");")]
        /// tuple.element(b"ab").element(b"c");
        /// let digest = tuple.finalize::<32>();
        #[doc = concat!("assert_eq!(digest, ", stringify!($function), "(&[\"ab\", \"c\"], b\"my protocol\"));")]
        #[doc = concat!("assert_ne!(digest, ", stringify!($function), "(&[\"a\", \"bc\"], b\"my protocol\"));")]
        ///
        /// // An element that does not fit in memory, or whose parts lie apart.
        #[doc = concat!("let mut tuple = ", stringify!($Type), "::new(b\"my protocol\");")]
        /// let mut element = tuple.begin(2);
        /// element.update(b"a")?.update(b"b")?;
        /// element.end()?;
        /// assert_eq!(tuple.element(b"c").finalize(), digest);
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            stream: Sponge,
        }

        secret!($Type, stream);
        outputs!($Type, $name, $xof, "hash");

        impl $Type {
            /// An empty tuple, with a customization string.
            pub const fn new(customization: &[u8]) -> Self {
                $Type { stream: cshake($rate, b"TupleHash", customization) }
            }

            /// Adds an element to the tuple.
            pub fn element(&mut self, element: &[u8]) -> &mut Self {
                self.stream.update(Encoded::left(8 * element.len() as u128).as_bytes());
                self.stream.update(element);
                self
            }

            /// Begins an element of `len` bytes that comes in parts.
            pub fn begin(&mut self, len: u64) -> TupleElement<'_> {
                TupleElement::new(&mut self.stream, len)
            }

            fn finish(&self, out: &mut [u8]) {
                finish(&self.stream, b"", out);
            }

            fn squeeze(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
                squeeze(&self.stream, last_byte, bits, output_bits)
            }
        }

        #[doc = concat!("The hash of `N` bytes that ", $name, " (SP 800-185 §5) gives a tuple, with a customization string.")]
        pub fn $function<const N: usize>(
            tuple: &[impl AsRef<[u8]>],
            customization: &[u8],
        ) -> Digest<N> {
            let mut hash = $Type::new(customization);
            for element in tuple {
                hash.element(element.as_ref());
            }
            hash.finalize()
        }
    };
}

macro_rules! parallel_hash {
    ($Type:ident, $function:ident, $name:literal, $xof:literal, rate $rate:literal) => {
        #[doc = concat!($name, " and ", $xof, ", SP 800-185 §6: a hash whose blocks are hashed side by side, then their hashes.")]
        ///
        /// The blocks' length is part of what is hashed. Blocks of 8192 bytes and more make the most of the
        /// lanes; updates should bring many at once.
        ///
        /// ```
        #[doc = concat!("use hashmill::{", stringify!($Type), ", ", stringify!($function), "};")]
        ///
        /// let message = [7; 100_000];
        #[doc = concat!("let mut hasher = ", stringify!($Type), "::new(8192, b\"my protocol\")?;")]
        /// let digest = hasher.update(&message[..10]).update(&message[10..]).finalize::<32>();
        #[doc = concat!("assert_eq!(digest, ", stringify!($function), "(&message, 8192, b\"my protocol\")?);")]
        /// # Ok::<(), hashmill::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct $Type {
            tree: Tree,
        }

        secret!($Type, tree);
        bytes_in!($Type, read crate::hasher::READ_CHUNKS_LEN);
        outputs!($Type, $name, $xof, "hash", bits);

        impl $Type {
            /// With blocks of `block_len` bytes and a customization string.
            ///
            /// # Errors
            /// [`Error::BlockLength`] if `block_len` is 0.
            pub const fn new(block_len: usize, customization: &[u8]) -> Result<Self, Error> {
                if block_len == 0 {
                    return Err(Error::BlockLength);
                }
                let mut node = cshake($rate, b"ParallelHash", customization);
                node.update_const(Encoded::left(block_len as u128).as_bytes());
                Ok($Type { tree: Tree::new(node, cshake($rate, b"", b""), block_len) })
            }

            /// Absorbs the next part of the message.
            pub fn update(&mut self, data: &[u8]) -> &mut Self {
                self.tree.update(data);
                self
            }

            /// As `update`, with the blocks split over the threads of rayon's pool; for parts of many blocks,
            /// some megabytes.
            #[cfg(feature = "rayon")]
            pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
                self.tree.update_rayon(data);
                self
            }

            /// The node after all blocks and their number.
            fn node(&self, last_byte: u8, bits: u32) -> Result<Sponge, Error> {
                let mut tree = self.tree;
                let blocks = tree.end_bits(last_byte, bits)?;
                let mut node = tree.node;
                node.update(Encoded::right(blocks.into()).as_bytes());
                wipe(&mut tree);
                Ok(node)
            }

            fn finish(&self, out: &mut [u8]) {
                match self.node(0, 0) {
                    Ok(node) => finish(&node, b"", out),
                    Err(error) => unreachable!("{error}"),
                }
            }

            fn squeeze(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
                squeeze(&self.node(last_byte, bits)?, 0, 0, output_bits)
            }
        }

        #[doc = concat!("The hash of `N` bytes that ", $name, " (SP 800-185 §6) gives a message in blocks of `block_len` bytes, with a customization string.")]
        ///
        /// # Errors
        /// [`Error::BlockLength`] if `block_len` is 0.
        pub fn $function<const N: usize>(
            message: &[u8],
            block_len: usize,
            customization: &[u8],
        ) -> Result<Digest<N>, Error> {
            Ok($Type::new(block_len, customization)?.update(message).finalize())
        }
    };
}

cshake!(CShake128, cshake128, "cSHAKE128", rate 168);
cshake!(CShake256, cshake256, "cSHAKE256", rate 136);
kmac!(Kmac128, kmac128, "KMAC128", "KMACXOF128", rate 168, key 16);
kmac!(Kmac256, kmac256, "KMAC256", "KMACXOF256", rate 136, key 32);
tuple_hash!(TupleHash128, tuple_hash128, "TupleHash128", "TupleHashXOF128", rate 168);
tuple_hash!(TupleHash256, tuple_hash256, "TupleHash256", "TupleHashXOF256", rate 136);
parallel_hash!(ParallelHash128, parallel_hash128, "ParallelHash128", "ParallelHashXOF128", rate 168);
parallel_hash!(ParallelHash256, parallel_hash256, "ParallelHash256", "ParallelHashXOF256", rate 136);
