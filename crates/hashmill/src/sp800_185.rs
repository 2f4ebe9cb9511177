//! cSHAKE, KMAC, TupleHash and ParallelHash (SP 800-185).

#![forbid(unsafe_code)]

use crate::arguments::{Customization, FunctionName, Key};
use crate::derived::{Derivation, Derived};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::function::sha3::SHAKE_SUFFIX;
#[cfg(feature = "std")]
use crate::hasher::READ_CHUNKS_LEN;
use crate::hasher::{MANY, Stream};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::{Output, Sponge, XofReader};
use crate::lanes::finish_many;
use crate::messages::{Messages, OutputLen, Part, Slots};
use crate::state::{Exported, Import, Stored};
use crate::stream::{Progress, Sequential, finish_one, must};
use crate::tree::keccak::SpongeTree;
use crate::wipe::{Secret, Wiped, run_wiped};

/// Returns the sponge of a function that has a name, before it is read from an exported state.
const fn named(rate: usize) -> Sponge {
    Sponge::new(rate, 24, CSHAKE_SUFFIX)
}

/// Reads the sponge of a function that has a name: after its first blocks, which contain the name,
/// its words cannot all be 0.
fn load(sponge: &mut Sponge, state: &mut Import<'_>) -> Result<(), Error> {
    sponge.load(state)?;
    match sponge.is_blank() {
        true => Err(Error::StateInconsistent),
        false => Ok(()),
    }
}

/// cSHAKE's suffix 00 and the first bit of the padding (SP 800-185 §3.3).
const CSHAKE_SUFFIX: u8 = 0b100;

/// Stack bytes to clear after one message has been hashed under a key.
const STACK: usize = 4096;

/// Returns cSHAKE's sponge after it has absorbed the function name and the customization string (SP
/// 800-185 §3.3).
const fn cshake(rate: usize, name: &[u8], customization: &[u8]) -> Sponge {
    // With two empty strings cSHAKE is SHAKE, suffix included (SP 800-185 §3.3).
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

/// Absorbs bytepad(encode_string(`key`), `rate`), which precedes the message of KMAC (SP 800-185
/// §4.3). `sponge` must be at the beginning of a block.
fn absorb_key(sponge: &mut Sponge, rate: usize, key: &[u8]) {
    sponge.update(Encoded::left(rate as u128).as_bytes());
    sponge.update(Encoded::left(8 * key.len() as u128).as_bytes());
    sponge.update(key);
    sponge.fill_block();
}

/// Returns the output after `bits` bits of `last_byte` and right_encode(`output_bits`).
///
/// `output_bits` is 0 for an extendable-output function, so that the output does not depend on how
/// many bytes are read (SP 800-185 §4.3.1, §5.3.1, §6.3.1).
///
/// # Errors
/// [`Error::TooManyBits`] if `bits` is more than 7.
fn squeeze(sponge: &Sponge, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
    Error::check_bits(bits)?;
    let mut sponge = Secret(*sponge);
    let mut carried = u16::from(last_byte) & ((1 << bits) - 1);
    // Each byte of right_encode comes after `bits` bits, and so falls into two bytes of the input.
    // The sponge absorbs whole bytes only, so the bits that do not fill a byte are carried.
    for &byte in Encoded::right(output_bits).as_bytes() {
        carried |= u16::from(byte) << bits;
        sponge.update(&[carried as u8]);
        carried >>= 8;
    }
    let mut output = sponge.squeeze_bits(carried as u8, bits)?;
    output.settle();
    Ok(output)
}

/// Fills `out` with the output after `message` and right_encode of the length of `out` in bits.
fn finish(sponge: &Sponge, message: &[u8], out: &mut [u8]) {
    let trailer = Encoded::right(8 * out.len() as u128);
    finish_one(&Trailed { sponge, trailer }, message, out);
}

/// Fills `out` with the output.
///
/// # Errors
/// The error in `output`, if it is one. Nothing is written then.
fn fill(output: Result<Output, Error>, out: &mut [u8]) -> Result<(), Error> {
    Secret(output?).fill(out);
    Ok(())
}

/// Rejects a wrong rate at compile time. This is possible because the rate is a constant.
const fn check_rate(rate: usize) {
    assert!(rate == 168 || rate == 136, "SP 800-185's rates are 168 and 136 bytes");
}

/// The functions as types, with a sponge's rate of `RATE` bytes.
pub mod function {
    pub enum CShake<const RATE: usize> {}
    pub enum Kmac<const RATE: usize> {}
    pub enum TupleHash<const RATE: usize> {}
    pub enum ParallelHash<const RATE: usize> {}
}

// ---- cSHAKE ----

impl<const RATE: usize> Derivation for function::CShake<RATE> {
    type Stream = Sponge;
    type Reader = XofReader;
    const FACTS: Facts = match RATE {
        168 => Facts::xof(68, "cSHAKE128", [32, 168], "SP 800-185 §3"),
        _ => Facts::xof(69, "cSHAKE256", [64, 136], "SP 800-185 §3"),
    };
    const BLANK: Sponge = named(RATE);

    fn load(state: &mut Import<'_>) -> Result<Secret<Sponge>, Error> {
        let mut sponge = Secret(Self::BLANK);
        if state.rest().first() == Some(&SHAKE_SUFFIX) {
            // With two empty strings cSHAKE is SHAKE, which may have absorbed nothing.
            sponge.0 = cshake(RATE, b"", b"");
            sponge.load(state)?;
        } else {
            load(&mut sponge, state)?;
        }
        Ok(sponge)
    }
    fn reader(sponge: &Sponge) -> XofReader {
        sponge.reader()
    }
    fn reader_bits(sponge: &Sponge, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        sponge.reader_bits(last_byte, bits)
    }
}

/// A hasher for cSHAKE (SP 800-185 §3), whose output may have any length. Use its aliases
/// [`CShake128`] and [`CShake256`].
///
/// cSHAKE is SHAKE with a function name and a customization string. NIST assigns function names;
/// use the empty name for any other function. The customization string is chosen by the user, and
/// separates different uses of the function. With both strings empty, cSHAKE is SHAKE.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136.
///
/// ```
/// use hashmill::{CShake128, Customization, FunctionName, cshake128};
///
/// const USE: Customization = Customization(b"Email Signature");
/// const EMAIL: CShake128 = CShake128::new(FunctionName(b""), USE);
/// let output = EMAIL.clone().update(b"ab").update(b"c").finalize::<100>();
/// assert_eq!(cshake128(b"abc", FunctionName(b""), USE), output);
/// ```
pub type CShake<const RATE: usize> = Derived<function::CShake<RATE>>;

/// A hasher for cSHAKE128 (SP 800-185 §3).
pub type CShake128 = CShake<168>;
/// A hasher for cSHAKE256 (SP 800-185 §3).
pub type CShake256 = CShake<136>;

impl<const RATE: usize> CShake<RATE> {
    /// Creates a hasher with a function name and a customization string, each of any length.
    ///
    /// The hasher has absorbed the two strings. In a constant, the compiler computes this state. A
    /// `RATE` other than 168 and 136 does not compile.
    pub const fn new(name: FunctionName<'_>, customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        Derived { stream: Secret(cshake(RATE, name.0, customization.0)) }
    }
}

/// Returns the first `N` bytes of the cSHAKE128 output (SP 800-185 §3) for `message`, with a
/// function name and a customization string.
pub fn cshake128<const N: usize>(
    message: impl AsRef<[u8]>,
    name: FunctionName<'_>,
    customization: Customization<'_>,
) -> Digest<N> {
    Digest(cshake(168, name.0, customization.0).hash(message.as_ref()))
}

/// Returns the first `N` bytes of the cSHAKE256 output (SP 800-185 §3) for `message`, with a
/// function name and a customization string.
pub fn cshake256<const N: usize>(
    message: impl AsRef<[u8]>,
    name: FunctionName<'_>,
    customization: Customization<'_>,
) -> Digest<N> {
    Digest(cshake(136, name.0, customization.0).hash(message.as_ref()))
}

// ---- KMAC ----

/// The stream of KMAC, which has absorbed a key.
#[derive(Clone, Copy)]
pub struct StreamKmac(Sponge);

impl StreamKmac {
    fn output(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
        squeeze(&self.0, last_byte, bits, output_bits)
    }
}

impl Wiped for StreamKmac {
    const WIPED: Self = StreamKmac(Sponge::WIPED);
}

impl Progress for StreamKmac {
    #[inline]
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        run_wiped(STACK, || self.0.update(data));
        Ok(())
    }
    fn output_len(&self) -> usize {
        self.0.output_len()
    }
    fn stack(&self) -> usize {
        STACK
    }
    fn keyed(&self) -> bool {
        true
    }
    fn save(&self, state: &mut Exported) {
        self.0.save(state);
    }
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        load(&mut self.0, state)
    }
}

impl Stream for StreamKmac {
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        finish(&self.0, message, out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let trailer = Encoded::right(8 * outputs.output_len() as u128);
        let trailed = Trailed { sponge: &self.0, trailer };
        run_wiped(MANY, || finish_many(&trailed, messages, outputs));
    }
}

impl<const RATE: usize> Derivation for function::Kmac<RATE> {
    type Stream = StreamKmac;
    type Reader = XofReader;
    const FACTS: Facts = match RATE {
        168 => Facts::xof(70, "KMAC128", [32, 168], "SP 800-185 §4"),
        _ => Facts::xof(71, "KMAC256", [64, 136], "SP 800-185 §4"),
    };
    const BLANK: StreamKmac = StreamKmac(named(RATE));

    fn finish_bits(
        stream: &StreamKmac,
        (last_byte, bits): (u8, u32),
        output_bits: u128,
        out: &mut [u8],
    ) -> Result<(), Error> {
        run_wiped(STACK, || fill(stream.output(last_byte, bits, output_bits), out))
    }
    fn reader(stream: &StreamKmac) -> XofReader {
        must(Self::reader_bits(stream, 0, 0))
    }
    fn reader_bits(stream: &StreamKmac, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        run_wiped(STACK, || stream.output(last_byte, bits, 0).map(XofReader::new))
    }
}

/// KMAC (SP 800-185 §4), a message authentication code and pseudorandom function. Use its aliases
/// [`Kmac128`] and [`Kmac256`].
///
/// [`finalize`](Derived::finalize) returns a tag of a chosen length.
/// [`squeeze`](Derived::squeeze) returns an output of any length: that of KMACXOF128 or
/// KMACXOF256.
///
/// [`new`](Derived::new) absorbs the key. To authenticate many messages under one key, keep the
/// `Kmac` and call [`hash`](Derived::hash) for each message. The key should have at least 16 bytes for
/// KMAC128, 32 bytes for KMAC256 (SP 800-185 §8.4.1). The customization string separates different
/// uses of the key.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136.
///
/// ```
/// use hashmill::{Customization, Kmac128};
///
/// let protocol = Customization(b"my protocol");
/// let key = Kmac128::new(b"0123456789abcdef0123456789abcdef", protocol);
/// let tag = key.hash::<32>(b"message");
/// assert!(key.clone().update(b"message").verify(&tag).is_ok());
/// assert!(key.clone().update(b"massage").verify(&tag).is_err());
///
/// // As a pseudorandom function.
/// let mut stream = key.clone().update(b"seed").squeeze();
/// # let mut out = [0; 2]; stream.fill(&mut out);
/// ```
pub type Kmac<const RATE: usize> = Derived<function::Kmac<RATE>>;

/// KMAC128 and KMACXOF128 (SP 800-185 §4).
pub type Kmac128 = Kmac<168>;
/// KMAC256 and KMACXOF256 (SP 800-185 §4).
pub type Kmac256 = Kmac<136>;

impl<const RATE: usize> Kmac<RATE> {
    /// Creates a KMAC with a key and a customization string, each of any length.
    ///
    /// The KMAC has absorbed nothing of a message. A `RATE` other than 168 and 136 does not
    /// compile.
    #[inline(never)]
    pub fn new(key: &[u8], customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        let sponge = cshake(RATE, b"KMAC", customization.0);
        let mut kmac: Self = Derived { stream: Secret(StreamKmac(sponge)) };
        run_wiped(STACK, || absorb_key(&mut kmac.stream.0.0, RATE, key));
        // Returns a clone and drops the original, which wipes it. Returning the original would move
        // it and leave its bytes in this frame.
        kmac.clone()
    }

    /// Checks that `tag` is the tag of the bytes absorbed so far. The time that the comparison
    /// takes does not depend on where the two tags differ.
    ///
    /// The tag is an array, because sender and receiver must agree on its length in advance. A
    /// sender who could choose the length would choose a tag short enough to guess. A length below
    /// 4 bytes does not compile (SP 800-185 §8.4.2).
    ///
    /// # Errors
    /// [`Error::TagMismatch`] if `tag` is not that tag.
    pub fn verify<const N: usize>(&self, tag: &[u8; N]) -> Result<(), Error> {
        const { assert!(N >= 4, "a tag has at least 4 bytes") };
        match self.finalize::<N>() == *tag {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }
}

/// Returns the KMAC128 tag (SP 800-185 §4) of `message` under `key`, `N` bytes long, with a
/// customization string.
pub fn kmac128<const N: usize>(
    key: Key<'_>,
    message: impl AsRef<[u8]>,
    customization: Customization<'_>,
) -> Digest<N> {
    one_kmac::<168, N>(key, message.as_ref(), customization)
}

/// Returns the KMAC256 tag (SP 800-185 §4) of `message` under `key`, `N` bytes long, with a
/// customization string.
pub fn kmac256<const N: usize>(
    key: Key<'_>,
    message: impl AsRef<[u8]>,
    customization: Customization<'_>,
) -> Digest<N> {
    one_kmac::<136, N>(key, message.as_ref(), customization)
}

fn one_kmac<const RATE: usize, const N: usize>(
    key: Key<'_>,
    message: &[u8],
    customization: Customization<'_>,
) -> Digest<N> {
    let mut tag = Digest([0; N]);
    run_wiped(2 * STACK, || {
        let keyed = Kmac::<RATE>::new(key.0, customization);
        keyed.stream.finish_unwiped(message, tag.as_mut());
    });
    tag
}

// ---- TupleHash ----

/// The stream of TupleHash.
#[derive(Clone, Copy)]
pub struct StreamTuple {
    sponge: Sponge,
    /// The number of bytes that are missing from the last element.
    missing: u64,
}

impl StreamTuple {
    /// Absorbs the length of the next element.
    fn begin(&mut self, len: u64) {
        self.sponge.update(Encoded::left(8 * u128::from(len)).as_bytes());
        self.missing = len;
    }

    /// # Errors
    /// [`Error::ElementLength`] if the last element is incomplete.
    fn check(&self) -> Result<(), Error> {
        match self.missing {
            0 => Ok(()),
            expected => Err(Error::ElementLength { given: 0, expected }),
        }
    }
}

impl Wiped for StreamTuple {
    const WIPED: Self = StreamTuple { sponge: Sponge::WIPED, missing: 0 };
}

impl Progress for StreamTuple {
    /// Absorbs a part of the element that was begun. Without one it fails, because the boundaries
    /// of a tuple's elements count.
    fn try_update(&mut self, part: &[u8]) -> Result<(), Error> {
        let (given, expected) = (part.len() as u64, self.missing);
        self.missing = match expected.checked_sub(given) {
            _ if expected == 0 => return Err(Error::Operation),
            Some(missing) => missing,
            None => return Err(Error::ElementLength { given, expected }),
        };
        self.sponge.update(part);
        Ok(())
    }
    fn output_len(&self) -> usize {
        self.sponge.output_len()
    }
    fn save(&self, state: &mut Exported) {
        self.missing.put(state);
        self.sponge.save(state);
    }
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        self.missing = u64::take(state)?;
        load(&mut self.sponge, state)
    }
}

impl Stream for StreamTuple {
    fn finish_unwiped(&self, element: &[u8], out: &mut [u8]) {
        let mut tuple = Secret(*self);
        tuple.begin(element.len() as u64);
        finish(&tuple.sponge, element, out);
    }
    /// Hashes elements of one length side by side: they have one encoded length before them.
    fn finish_many(&self, elements: &dyn Messages, outputs: &mut Slots<'_>) {
        let trailer = Encoded::right(8 * outputs.output_len() as u128);
        let mut start = 0;
        while start < elements.count() {
            let len = elements.message(start).len();
            let same = |&index: &usize| elements.message(index).len() == len;
            let count = (start..elements.count()).take_while(same).count();
            let mut tuple = Secret(*self);
            tuple.begin(len as u64);
            let part = Part { all: elements, start, count };
            let trailed = Trailed { sponge: &tuple.sponge, trailer };
            finish_many(&trailed, &part, &mut outputs.part(start));
            start += count;
        }
    }
}

impl<const RATE: usize> Derivation for function::TupleHash<RATE> {
    type Stream = StreamTuple;
    type Reader = XofReader;
    const FACTS: Facts = match RATE {
        168 => Facts::xof(72, "TupleHash128", [32, 168], "SP 800-185 §5"),
        _ => Facts::xof(73, "TupleHash256", [64, 136], "SP 800-185 §5"),
    };
    const BLANK: StreamTuple = StreamTuple { sponge: named(RATE), missing: 0 };
    const IS_TUPLE: bool = true;

    fn output(stream: &StreamTuple) -> Result<OutputLen, Error> {
        stream.check()?;
        Ok(OutputLen { len: Self::FACTS.output_len, any: true })
    }
    fn finish(stream: &StreamTuple, out: &mut [u8]) {
        finish(&stream.sponge, b"", out);
    }
    fn reader(stream: &StreamTuple) -> XofReader {
        XofReader::new(must(squeeze(&stream.sponge, 0, 0, 0)))
    }
    fn begin(stream: &mut StreamTuple, len: u64) -> Result<(), Error> {
        stream.check()?;
        stream.begin(len);
        Ok(())
    }
}

/// A hasher for TupleHash (SP 800-185 §5), the hash of a sequence of byte strings. Use its aliases
/// [`TupleHash128`] and [`TupleHash256`].
///
/// Each element is hashed with its length. Tuples with different elements therefore have different
/// hashes even if their elements are the same bytes in a row, such as ("ab", "c") and ("a", "bc").
///
/// [`finalize`](Derived::finalize) returns a hash of a chosen length.
/// [`squeeze`](Derived::squeeze) returns an output of any length: that of TupleHashXOF128 or
/// TupleHashXOF256.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136.
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
/// tuple.begin(2)?.update(b"a").update(b"b");
/// assert_eq!(tuple.element(b"c").finalize(), digest);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type TupleHash<const RATE: usize> = Derived<function::TupleHash<RATE>>;

/// A hasher for TupleHash128 and TupleHashXOF128 (SP 800-185 §5).
pub type TupleHash128 = TupleHash<168>;
/// A hasher for TupleHash256 and TupleHashXOF256 (SP 800-185 §5).
pub type TupleHash256 = TupleHash<136>;

impl<const RATE: usize> TupleHash<RATE> {
    /// Creates a hasher of an empty tuple, with a customization string of any length. A `RATE`
    /// other than 168 and 136 does not compile.
    pub const fn new(customization: &[u8]) -> Self {
        const { check_rate(RATE) };
        let sponge = cshake(RATE, b"TupleHash", customization);
        Derived { stream: Secret(StreamTuple { sponge, missing: 0 }) }
    }

    /// Adds an element of any length to the tuple.
    ///
    /// # Panics
    /// If the last element is incomplete.
    #[inline]
    pub fn element(&mut self, element: impl AsRef<[u8]>) -> &mut Self {
        let element = element.as_ref();
        must(self.begin(element.len() as u64));
        if element.is_empty() { self } else { self.update(element) }
    }

    /// Begins an element of `len` bytes, which [`update`](Self::update) then absorbs in parts. The
    /// length must be known in advance, because TupleHash hashes it before the element (SP 800-185
    /// §5.3). The element is complete when `len` bytes were absorbed.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if the last element is incomplete.
    pub fn begin(&mut self, len: u64) -> Result<&mut Self, Error> {
        function::TupleHash::<RATE>::begin(&mut self.stream, len)?;
        Ok(self)
    }
}

/// Returns the TupleHash128 hash (SP 800-185 §5) of `tuple`, `N` bytes long, with a customization
/// string.
pub fn tuple_hash128<const N: usize>(
    tuple: &[impl AsRef<[u8]>],
    customization: &[u8],
) -> Digest<N> {
    let mut hash = TupleHash128::new(customization);
    tuple.iter().for_each(|element| _ = hash.element(element.as_ref()));
    hash.finalize()
}

/// Returns the TupleHash256 hash (SP 800-185 §5) of `tuple`, `N` bytes long, with a customization
/// string.
pub fn tuple_hash256<const N: usize>(
    tuple: &[impl AsRef<[u8]>],
    customization: &[u8],
) -> Digest<N> {
    let mut hash = TupleHash256::new(customization);
    tuple.iter().for_each(|element| _ = hash.element(element.as_ref()));
    hash.finalize()
}

// ---- ParallelHash ----

/// The stream of ParallelHash.
#[derive(Clone, Copy)]
pub struct StreamParallel(SpongeTree);

impl StreamParallel {
    /// Returns a stream that has absorbed nothing, with the sponge that absorbs the hashes of blocks.
    const fn new(rate: usize, node: Sponge, block_len: usize) -> Self {
        StreamParallel(SpongeTree::new(node, cshake(rate, b"", b""), block_len))
    }

    /// Returns the node after it has absorbed the hashes of all blocks and their number. The
    /// message ends with `bits` bits of `last_byte`.
    fn node(&self, last_byte: u8, bits: u32) -> Result<Sponge, Error> {
        let mut tree = Secret(self.0);
        let blocks = tree.end_bits(last_byte, bits)?;
        tree.node.update(Encoded::right(blocks.into()).as_bytes());
        Ok(tree.node)
    }

    fn output(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
        squeeze(&self.node(last_byte, bits)?, 0, 0, output_bits)
    }
}

impl Wiped for StreamParallel {
    const WIPED: Self = StreamParallel(SpongeTree::WIPED);
}

impl Progress for StreamParallel {
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data);
        Ok(())
    }
    fn output_len(&self) -> usize {
        self.0.value_len()
    }
    fn save(&self, state: &mut Exported) {
        (self.0.chunk_len() as u64).put(state);
        self.0.count().put(state);
        self.0.save(state);
    }
    fn load(&mut self, state: &mut Import<'_>) -> Result<(), Error> {
        let len = usize::try_from(u64::take(state)?).map_err(|_| Error::StateInconsistent)?;
        if len == 0 {
            return Err(Error::StateInconsistent);
        }
        let rate = self.0.node.rate();
        *self = Self::new(rate, self.0.node, len);
        let (tree, count) = (&mut self.0, u128::take(state)?);
        // The node has absorbed whole blocks, at least one, and then the length of the blocks.
        let head = Encoded::left(len as u128);
        tree.load(state, count, (rate + head.as_bytes().len()) as u128)?;
        let waiting = tree.node.waiting();
        let first = waiting.len() as u128 == head.as_bytes().len() as u128 + tree.values_len();
        if tree.node.is_blank() || first && !waiting.starts_with(head.as_bytes()) {
            return Err(Error::StateInconsistent);
        }
        Ok(())
    }
}

impl Stream for StreamParallel {
    fn finish_unwiped(&self, message: &[u8], out: &mut [u8]) {
        let mut stream = Secret(*self);
        stream.0.0.update(message);
        finish(&must(stream.node(0, 0)), b"", out);
    }
    fn finish_many(&self, messages: &dyn Messages, outputs: &mut Slots<'_>) {
        let count = messages.count();
        (0..count).for_each(|i| outputs.write(i, |out| self.finish(messages.message(i), out)));
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update_rayon(data);
        Ok(())
    }
}

impl<const RATE: usize> Derivation for function::ParallelHash<RATE> {
    type Stream = StreamParallel;
    type Reader = XofReader;
    const FACTS: Facts = match RATE {
        168 => Facts::xof(74, "ParallelHash128", [32, 168], "SP 800-185 §6"),
        _ => Facts::xof(75, "ParallelHash256", [64, 136], "SP 800-185 §6"),
    };
    const BLANK: StreamParallel = StreamParallel::new(RATE, named(RATE), 1);
    #[cfg(feature = "std")]
    const READ_LEN: usize = READ_CHUNKS_LEN;

    fn finish_bits(
        stream: &StreamParallel,
        (last_byte, bits): (u8, u32),
        output_bits: u128,
        out: &mut [u8],
    ) -> Result<(), Error> {
        fill(stream.output(last_byte, bits, output_bits), out)
    }
    fn reader(stream: &StreamParallel) -> XofReader {
        must(Self::reader_bits(stream, 0, 0))
    }
    fn reader_bits(stream: &StreamParallel, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        stream.output(last_byte, bits, 0).map(XofReader::new)
    }
}

/// A hasher for ParallelHash (SP 800-185 §6), which hashes the blocks of a message side by side and
/// then the hashes of the blocks. Use its aliases [`ParallelHash128`] and [`ParallelHash256`].
///
/// The user chooses the length of the blocks. It is part of the input, so different lengths yield
/// different hashes. Blocks of 8192 bytes and more use the SIMD lanes best. Each update should
/// contain many blocks, because only the blocks of one update are hashed side by side.
///
/// [`finalize`](Derived::finalize) returns a hash of a chosen length.
/// [`squeeze`](Derived::squeeze) returns an output of any length: that of ParallelHashXOF128
/// or ParallelHashXOF256.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136.
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
pub type ParallelHash<const RATE: usize> = Derived<function::ParallelHash<RATE>>;

/// A hasher for ParallelHash128 and ParallelHashXOF128 (SP 800-185 §6).
pub type ParallelHash128 = ParallelHash<168>;
/// A hasher for ParallelHash256 and ParallelHashXOF256 (SP 800-185 §6).
pub type ParallelHash256 = ParallelHash<136>;

impl<const RATE: usize> ParallelHash<RATE> {
    /// Creates a hasher with blocks of `block_len` bytes and a customization string of any length.
    /// A `RATE` other than 168 and 136 does not compile.
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
        Ok(Derived { stream: Secret(StreamParallel::new(RATE, node, block_len)) })
    }
}

/// Returns the ParallelHash128 hash (SP 800-185 §6) of `message`, `N` bytes long, with blocks of
/// `block_len` bytes and a customization string.
///
/// # Errors
/// [`Error::BlockLength`] if `block_len` is 0.
pub fn parallel_hash128<const N: usize>(
    message: impl AsRef<[u8]>,
    block_len: usize,
    customization: Customization<'_>,
) -> Result<Digest<N>, Error> {
    Ok(ParallelHash128::new(block_len, customization.0)?.update(message).finalize())
}

/// Returns the ParallelHash256 hash (SP 800-185 §6) of `message`, `N` bytes long, with blocks of
/// `block_len` bytes and a customization string.
///
/// # Errors
/// [`Error::BlockLength`] if `block_len` is 0.
pub fn parallel_hash256<const N: usize>(
    message: impl AsRef<[u8]>,
    block_len: usize,
    customization: Customization<'_>,
) -> Result<Digest<N>, Error> {
    Ok(ParallelHash256::new(block_len, customization.0)?.update(message).finalize())
}
