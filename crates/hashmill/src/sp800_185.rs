//! cSHAKE, KMAC, TupleHash and ParallelHash (SP 800-185).

#![forbid(unsafe_code)]

use crate::arguments::{Customization, FunctionName, Key};
use crate::digest::{Digest, constant_time_eq};
use crate::error::Error;
use crate::function::SHAKE_SUFFIX;
use crate::hasher::{LANES_ALWAYS, MANY, bytes_in, finish_checked};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::tree::Tree;
use crate::keccak::{Output, Sponge, XofReader};
use crate::lanes::finish_many;
use crate::messages::{Messages, OutputLen, Outputs, Slots};
use crate::stream::{finish_one, must};
use crate::wipe::{Secret, below};

/// SP 800-185 §3.3: the suffix 00 and the first bit of the padding.
const CSHAKE_SUFFIX: u8 = 0b100;

/// Of the stack, for one message under a key.
const STACK: usize = 4096;

/// cSHAKE before its message (SP 800-185 §3.3).
const fn cshake(rate: usize, name: &[u8], customization: &[u8]) -> Sponge {
    // SP 800-185 §3.3: without a name and a customization cSHAKE is SHAKE, suffix included.
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

/// What is between KMAC's cSHAKE and its message (SP 800-185 §4.3).
fn absorb_key(sponge: &mut Sponge, rate: usize, key: &[u8]) {
    sponge.update(Encoded::left(rate as u128).as_bytes());
    sponge.update(Encoded::left(8 * key.len() as u128).as_bytes());
    sponge.update(key);
    sponge.fill_block();
}

/// The output after `bits` more bits and right_encode(`output_bits`); for an XOF `output_bits` is
/// 0, so that its output does not depend on how much is read.
fn squeeze(sponge: &Sponge, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
    if bits > 7 {
        return Err(Error::TooManyBits { given: bits.into() });
    }
    let mut sponge = Secret(*sponge);
    let mut carried = u16::from(last_byte) & ((1 << bits) - 1);
    // The bytes come after `bits` bits, and so each goes into two. Updates take whole bytes,
    // because all but this trailer is bytes: the bits that are left over are carried.
    for &byte in Encoded::right(output_bits).as_bytes() {
        carried |= u16::from(byte) << bits;
        sponge.update(&[carried as u8]);
        carried >>= 8;
    }
    sponge.squeeze_bits(carried as u8, bits)
}

/// The output after `message` and right_encode of its length.
fn finish(sponge: &Sponge, message: &[u8], out: &mut [u8]) {
    let trailer = Encoded::right(8 * out.len() as u128);
    finish_one(&Trailed { sponge, trailer }, message, out);
}

/// Writes `output_bits` bits; those of the last byte that are left over are 0.
fn fill_bits(
    output: Result<Output, Error>,
    output_bits: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    let expected = output_bits.div_ceil(8);
    if out.len() != expected {
        return Err(Error::output_len(out.len(), expected));
    }
    Secret(output?).fill(out);
    if let (Some(last), 1..=7) = (out.last_mut(), output_bits % 8) {
        *last &= (1 << (output_bits % 8)) - 1;
    }
    Ok(())
}

/// A wrong rate is an error of the compiler rather than of the program, because the rate is a
/// constant.
const fn check_rate(rate: usize) {
    assert!(rate == 168 || rate == 136, "SP 800-185's rates are 168 and 136 bytes");
}

/// cSHAKE, SP 800-185 §3, with a rate of `RATE` bytes: SHAKE with a function name and a
/// customization string. [`CShake128`] and [`CShake256`] are its two functions.
///
/// NIST assigns the function names (`b""` unless it gave one); the customization string is the
/// user's. With both empty it is SHAKE.
///
/// ```
/// use hashmill::{CShake128, Customization, FunctionName, cshake128};
///
/// const USE: Customization = Customization(b"Email Signature");
/// const EMAIL: CShake128 = CShake128::new(FunctionName(b""), USE);
/// let mut out = [0; 100];
/// EMAIL.clone().update(b"ab").update(b"c").finalize_xof().fill(&mut out);
/// assert_eq!(cshake128(b"abc", FunctionName(b""), USE), out);
/// ```
#[derive(Clone, Debug)]
pub struct CShake<const RATE: usize> {
    stream: Secret<Sponge>,
}

/// cSHAKE128, SP 800-185 §3.
pub type CShake128 = CShake<168>;
/// cSHAKE256, SP 800-185 §3.
pub type CShake256 = CShake<136>;

impl<const RATE: usize> CShake<RATE> {
    /// A function that has absorbed the two strings, which the compiler does for a constant.
    pub const fn new(name: FunctionName<'_>, customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        CShake { stream: Secret(cshake(RATE, name.0, customization.0)) }
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        self.stream.update(data);
        self
    }

    /// The output, from its beginning. The function is unchanged, and may absorb more.
    pub fn finalize_xof(&self) -> XofReader {
        XofReader::new(self.stream.squeeze())
    }

    /// The output for a message that ends with `bits` further bits, 0 to 7, in the **low**
    /// positions of `last_byte`, first bit lowest, as FIPS 202 §B.1 orders bits.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.stream.squeeze_bits(last_byte, bits).map(XofReader::new)
    }

    /// What `finalize_xof` would give after `update(message)`, for every message, in SIMD lanes: as
    /// many bytes for each as its place in `outputs` has.
    ///
    /// # Errors
    /// As [`Hash::finish_many`](crate::Hash::finish_many).
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let len = OutputLen { len: 200 - RATE, any: true };
        let finish =
            |part: &dyn Messages, slots: &mut Slots<'_>| finish_many(&*self.stream, part, slots);
        finish_checked(messages, outputs, (u128::MAX, len), LANES_ALWAYS, &finish)
    }
}

bytes_in!([const RATE: usize] CShake<RATE>, read crate::hasher::READ_LEN);

/// The first `N` bytes of cSHAKE128 (SP 800-185 §3) of a message, with a function name and a
/// customization string.
pub fn cshake128<const N: usize>(
    message: &[u8],
    name: FunctionName<'_>,
    customization: Customization<'_>,
) -> Digest<N> {
    Digest(cshake(168, name.0, customization.0).hash(message))
}

/// The first `N` bytes of cSHAKE256 (SP 800-185 §3) of a message, with a function name and a
/// customization string.
pub fn cshake256<const N: usize>(
    message: &[u8],
    name: FunctionName<'_>,
    customization: Customization<'_>,
) -> Digest<N> {
    Digest(cshake(136, name.0, customization.0).hash(message))
}

/// KMAC, SP 800-185 §4, with a rate of `RATE` bytes: a message authentication code and pseudorandom
/// function. [`Kmac128`] and [`Kmac256`] are its two functions; as XOFs they are KMACXOF128 and
/// KMACXOF256.
///
/// The key is absorbed when it is made: clone a prepared one for every message. It should have at
/// least 16 bytes for KMAC128, 32 for KMAC256 (§8.4.1). The customization string separates uses of
/// the key from one another.
///
/// ```
/// use hashmill::{Customization, Kmac128};
///
/// let protocol = Customization(b"my protocol");
/// let key = Kmac128::new(b"0123456789abcdef0123456789abcdef", protocol);
/// let tag = key.clone().update(b"message").finalize::<32>();
/// assert!(key.clone().update(b"message").verify(&tag).is_ok());
/// assert!(key.clone().update(b"massage").verify(&tag).is_err());
///
/// // As a pseudorandom function.
/// let mut stream = key.clone().update(b"seed").finalize_xof();
/// # let mut out = [0; 2]; stream.fill(&mut out);
/// ```
#[derive(Clone, Debug)]
pub struct Kmac<const RATE: usize> {
    stream: Secret<Sponge>,
}

/// KMAC128 and KMACXOF128, SP 800-185 §4.
pub type Kmac128 = Kmac<168>;
/// KMAC256 and KMACXOF256, SP 800-185 §4.
pub type Kmac256 = Kmac<136>;

impl<const RATE: usize> Kmac<RATE> {
    /// KMAC with a key and a customization string of any length.
    #[inline(never)]
    pub fn new(key: &[u8], customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        let mut kmac = Kmac { stream: Secret(cshake(RATE, b"KMAC", customization.0)) };
        below(STACK, || absorb_key(&mut kmac.stream, RATE, key));
        // Returned itself it would be moved, and so be left in this frame.
        kmac.clone()
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        below(STACK, || self.stream.update(data));
        self
    }

    /// The tag of all that was absorbed, of `N` bytes. A shorter tag is not the beginning of a
    /// longer one, because the length is part of what is hashed. The function is unchanged, and may
    /// absorb more.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut tag = Digest([0; N]);
        self.finalize_into(tag.as_mut());
        tag
    }

    /// As [`finalize`](Self::finalize), as long as `out`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        below(STACK, || finish(&self.stream, b"", out));
    }

    /// The output of KMACXOF, from its beginning. It does not depend on how much is read, because 0
    /// is hashed in place of a length (SP 800-185 §4.3.1).
    pub fn finalize_xof(&self) -> XofReader {
        below(STACK, || XofReader::new(must(squeeze(&self.stream, 0, 0, 0))))
    }

    /// The tag of `output_bits` bits, for a message that ends with `bits` further bits, 0 to 7.
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
        below(STACK, || {
            fill_bits(squeeze(&self.stream, last_byte, bits, output_bits as u128), output_bits, out)
        })
    }

    /// The output of KMACXOF for a message that ends with `bits` further bits, 0 to 7, in the **low**
    /// positions of `last_byte`.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        below(STACK, || squeeze(&self.stream, last_byte, bits, 0).map(XofReader::new))
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

    /// What `finalize` would give after `update(message)`, for every message, in SIMD lanes: a tag
    /// as long as its place in `tags`.
    ///
    /// # Errors
    /// As [`Hash::finish_many`](crate::Hash::finish_many).
    ///
    /// ```
    /// use hashmill::{Customization, Key, Kmac128, kmac128};
    ///
    /// let none = Customization(b"");
    /// let mut tags = [0; 2 * 16];
    /// Kmac128::new(b"secret", none).finish_many(&["row 1", "row 2"], &mut tags)?;
    /// assert_eq!(kmac128::<16>(Key(b"secret"), b"row 2", none)[..], tags[16..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        tags: &mut O,
    ) -> Result<(), Error> {
        let len = OutputLen { len: 200 - RATE, any: true };
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
            let trailer = Encoded::right(8 * slots.output_len() as u128);
            below(MANY, || finish_many(&Trailed { sponge: &self.stream, trailer }, part, slots));
        };
        finish_checked(messages, tags, (u128::MAX, len), LANES_ALWAYS, &finish)
    }
}

bytes_in!([const RATE: usize] Kmac<RATE>, read crate::hasher::READ_LEN);

/// The tag of `N` bytes that KMAC128 (SP 800-185 §4) gives a message, with a customization string.
pub fn kmac128<const N: usize>(
    key: Key<'_>,
    message: &[u8],
    customization: Customization<'_>,
) -> Digest<N> {
    one_kmac::<168, N>(key, message, customization)
}

/// The tag of `N` bytes that KMAC256 (SP 800-185 §4) gives a message, with a customization string.
pub fn kmac256<const N: usize>(
    key: Key<'_>,
    message: &[u8],
    customization: Customization<'_>,
) -> Digest<N> {
    one_kmac::<136, N>(key, message, customization)
}

fn one_kmac<const RATE: usize, const N: usize>(
    key: Key<'_>,
    message: &[u8],
    customization: Customization<'_>,
) -> Digest<N> {
    let mut tag = Digest([0; N]);
    below(2 * STACK, || {
        let keyed = Kmac::<RATE>::new(key.0, customization);
        finish(&keyed.stream, message, tag.as_mut());
    });
    tag
}

/// An element of [`TupleHash128`] or [`TupleHash256`] that comes in parts, as `begin` gives it.
///
/// The length comes first because TupleHash puts it before the element (SP 800-185 §5.3): an
/// element whose length is not known cannot begin.
///
/// It joins the tuple when [`end`](Self::end) is called; if it is dropped before, the tuple is
/// without it.
#[derive(Debug)]
#[must_use = "an element joins its tuple when `end` is called"]
pub struct TupleElement<'t> {
    tuple: &'t mut Secret<Sponge>,
    /// The tuple with what came of this element.
    stream: Secret<Sponge>,
    /// How many bytes are still to come.
    missing: u64,
}

impl TupleElement<'_> {
    /// Absorbs the next part of the element.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if the element becomes longer than was announced; nothing is
    /// absorbed then.
    pub fn update(&mut self, data: &[u8]) -> Result<&mut Self, Error> {
        let (given, expected) = (data.len() as u64, self.missing);
        self.missing =
            expected.checked_sub(given).ok_or(Error::ElementLength { given, expected })?;
        self.stream.update(data);
        Ok(self)
    }

    /// Makes the element part of the tuple.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if it is shorter than was announced; the tuple is without it then.
    pub fn end(self) -> Result<(), Error> {
        if self.missing > 0 {
            return Err(Error::ElementLength { given: 0, expected: self.missing });
        }
        *self.tuple = self.stream;
        Ok(())
    }
}

/// TupleHash, SP 800-185 §5, with a rate of `RATE` bytes: a hash of a sequence of strings that
/// tells where each ends. [`TupleHash128`] and [`TupleHash256`] are its two functions; as XOFs they
/// are TupleHashXOF128 and TupleHashXOF256.
///
/// ```
/// use hashmill::{TupleHash128, tuple_hash128};
///
/// let mut tuple = TupleHash128::new(b"my protocol");
/// tuple.element(b"ab").element(b"c");
/// let digest = tuple.finalize::<32>();
/// assert_eq!(digest, tuple_hash128(&["ab", "c"], b"my protocol"));
/// assert_ne!(digest, tuple_hash128(&["a", "bc"], b"my protocol"));
///
/// // An element that does not fit in memory, or whose parts lie apart.
/// let mut tuple = TupleHash128::new(b"my protocol");
/// let mut element = tuple.begin(2);
/// element.update(b"a")?.update(b"b")?;
/// element.end()?;
/// assert_eq!(tuple.element(b"c").finalize(), digest);
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TupleHash<const RATE: usize> {
    stream: Secret<Sponge>,
}

/// TupleHash128 and TupleHashXOF128, SP 800-185 §5.
pub type TupleHash128 = TupleHash<168>;
/// TupleHash256 and TupleHashXOF256, SP 800-185 §5.
pub type TupleHash256 = TupleHash<136>;

impl<const RATE: usize> TupleHash<RATE> {
    /// An empty tuple, with a customization string.
    pub const fn new(customization: &[u8]) -> Self {
        const { check_rate(RATE) };
        TupleHash { stream: Secret(cshake(RATE, b"TupleHash", customization)) }
    }

    /// Adds an element to the tuple.
    pub fn element(&mut self, element: &[u8]) -> &mut Self {
        self.element_head(element.len() as u64);
        self.element_part(element);
        self
    }

    /// For the C library, where an element between two calls is in the caller's memory and cannot
    /// borrow the tuple: the length of the next element. Its parts must have as many bytes
    /// together, which the caller checks.
    #[doc(hidden)]
    pub fn element_head(&mut self, len: u64) {
        self.stream.update(Encoded::left(8 * u128::from(len)).as_bytes());
    }

    /// The next part of the element.
    #[doc(hidden)]
    pub fn element_part(&mut self, part: &[u8]) {
        self.stream.update(part);
    }

    /// Begins an element of `len` bytes that comes in parts.
    pub fn begin(&mut self, len: u64) -> TupleElement<'_> {
        let mut stream = self.stream.clone();
        stream.update(Encoded::left(8 * u128::from(len)).as_bytes());
        TupleElement { tuple: &mut self.stream, stream, missing: len }
    }

    /// The hash of the tuple, of `N` bytes. A shorter hash is not the beginning of a longer one,
    /// because the length is part of what is hashed. The tuple is unchanged, and may absorb more.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut digest = Digest([0; N]);
        self.finalize_into(digest.as_mut());
        digest
    }

    /// As [`finalize`](Self::finalize), as long as `out`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        finish(&self.stream, b"", out);
    }

    /// The output of TupleHashXOF, from its beginning: it does not depend on how much is read.
    pub fn finalize_xof(&self) -> XofReader {
        XofReader::new(must(squeeze(&self.stream, 0, 0, 0)))
    }
}

/// The hash of `N` bytes that TupleHash128 (SP 800-185 §5) gives a tuple, with a customization
/// string.
pub fn tuple_hash128<const N: usize>(
    tuple: &[impl AsRef<[u8]>],
    customization: &[u8],
) -> Digest<N> {
    let mut hash = TupleHash128::new(customization);
    tuple.iter().for_each(|element| _ = hash.element(element.as_ref()));
    hash.finalize()
}

/// The hash of `N` bytes that TupleHash256 (SP 800-185 §5) gives a tuple, with a customization
/// string.
pub fn tuple_hash256<const N: usize>(
    tuple: &[impl AsRef<[u8]>],
    customization: &[u8],
) -> Digest<N> {
    let mut hash = TupleHash256::new(customization);
    tuple.iter().for_each(|element| _ = hash.element(element.as_ref()));
    hash.finalize()
}

/// ParallelHash, SP 800-185 §6, with a rate of `RATE` bytes: a hash whose blocks are hashed side by
/// side, then their hashes. [`ParallelHash128`] and [`ParallelHash256`] are its two functions; as
/// XOFs they are ParallelHashXOF128 and ParallelHashXOF256.
///
/// The blocks' length is part of what is hashed. Blocks of 8192 bytes and more make the most of the
/// lanes; updates should bring many at once.
///
/// ```
/// use hashmill::{Customization, ParallelHash128, parallel_hash128};
///
/// let message = [7; 100_000];
/// let mut hasher = ParallelHash128::new(8192, b"my protocol")?;
/// let digest = hasher.update(&message[..10]).update(&message[10..]).finalize::<32>();
/// assert_eq!(digest, parallel_hash128(&message, 8192, Customization(b"my protocol"))?);
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParallelHash<const RATE: usize> {
    tree: Secret<Tree>,
}

/// ParallelHash128 and ParallelHashXOF128, SP 800-185 §6.
pub type ParallelHash128 = ParallelHash<168>;
/// ParallelHash256 and ParallelHashXOF256, SP 800-185 §6.
pub type ParallelHash256 = ParallelHash<136>;

impl<const RATE: usize> ParallelHash<RATE> {
    /// ParallelHash with blocks of `block_len` bytes and a customization string.
    ///
    /// # Errors
    /// [`Error::BlockLength`] if `block_len` is 0.
    pub const fn new(block_len: usize, customization: &[u8]) -> Result<Self, Error> {
        const { check_rate(RATE) };
        if block_len == 0 {
            return Err(Error::BlockLength);
        }
        let mut node = cshake(RATE, b"ParallelHash", customization);
        node.update_const(Encoded::left(block_len as u128).as_bytes());
        Ok(ParallelHash { tree: Secret(Tree::new(node, cshake(RATE, b"", b""), block_len)) })
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        self.tree.update(data);
        self
    }

    /// As `update`, with the blocks split over the threads of rayon's pool; for parts of many
    /// blocks, some megabytes.
    #[cfg(feature = "rayon")]
    pub fn update_rayon(&mut self, data: &[u8]) -> &mut Self {
        self.tree.update_rayon(data);
        self
    }

    /// The node after all blocks and their number.
    fn node(&self, last_byte: u8, bits: u32) -> Result<Sponge, Error> {
        let mut tree = self.tree.clone();
        let blocks = tree.end_bits(last_byte, bits)?;
        tree.node.update(Encoded::right(blocks.into()).as_bytes());
        Ok(tree.node)
    }

    fn squeeze(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
        squeeze(&self.node(last_byte, bits)?, 0, 0, output_bits)
    }

    /// The hash of all that was absorbed, of `N` bytes. A shorter hash is not the beginning of a
    /// longer one, because the length is part of what is hashed. The function is unchanged, and may
    /// absorb more.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut digest = Digest([0; N]);
        self.finalize_into(digest.as_mut());
        digest
    }

    /// As [`finalize`](Self::finalize), as long as `out`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        finish(&must(self.node(0, 0)), b"", out);
    }

    /// The output of ParallelHashXOF, from its beginning: it does not depend on how much is read.
    pub fn finalize_xof(&self) -> XofReader {
        XofReader::new(must(self.squeeze(0, 0, 0)))
    }

    /// The hash of `output_bits` bits, for a message that ends with `bits` further bits, 0 to 7:
    /// see [`Kmac::finalize_bits_into`].
    ///
    /// # Errors
    /// As [`Kmac::finalize_bits_into`].
    pub fn finalize_bits_into(
        &self,
        last_byte: u8,
        bits: u32,
        output_bits: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        fill_bits(self.squeeze(last_byte, bits, output_bits as u128), output_bits, out)
    }

    /// The output of ParallelHashXOF for a message that ends with `bits` further bits, 0 to 7, in
    /// the **low** positions of `last_byte`.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn finalize_xof_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.squeeze(last_byte, bits, 0).map(XofReader::new)
    }
}

bytes_in!([const RATE: usize] ParallelHash<RATE>, read crate::hasher::READ_CHUNKS_LEN);

/// The hash of `N` bytes that ParallelHash128 (SP 800-185 §6) gives a message in blocks of
/// `block_len` bytes, with a customization string.
///
/// # Errors
/// [`Error::BlockLength`] if `block_len` is 0.
pub fn parallel_hash128<const N: usize>(
    message: &[u8],
    block_len: usize,
    customization: Customization<'_>,
) -> Result<Digest<N>, Error> {
    Ok(ParallelHash128::new(block_len, customization.0)?.update(message).finalize())
}

/// The hash of `N` bytes that ParallelHash256 (SP 800-185 §6) gives a message in blocks of
/// `block_len` bytes, with a customization string.
///
/// # Errors
/// [`Error::BlockLength`] if `block_len` is 0.
pub fn parallel_hash256<const N: usize>(
    message: &[u8],
    block_len: usize,
    customization: Customization<'_>,
) -> Result<Digest<N>, Error> {
    Ok(ParallelHash256::new(block_len, customization.0)?.update(message).finalize())
}
