//! cSHAKE, KMAC, TupleHash and ParallelHash (SP 800-185).

#![forbid(unsafe_code)]

use crate::arguments::{Customization, FunctionName, Key};
use crate::digest::{Digest, constant_time_eq};
use crate::error::Error;
use crate::facts::Facts;
use crate::function::sha3::SHAKE_SUFFIX;
use crate::hasher::{
    LANES_ALWAYS, MANY, bytes_in, check, export, finish_checked, hash_many, import_as,
};
use crate::keccak::encoding::{Encoded, Trailed};
use crate::keccak::{Output, Sponge, XofReader};
use crate::lanes::finish_many;
use crate::messages::{Messages, OutputLen, Outputs, Part, Slots};
use crate::state::{Exported, Import, Stored};
use crate::stream::{Progress, Sequential, finish_one, must};
use crate::tree::keccak::SpongeTree;
use crate::wipe::{Secret, run_wiped};

/// Reads the sponge of a function that has a name: after its first blocks, which contain the name,
/// its words cannot all be 0.
fn load(rate: usize, state: &mut Import<'_>) -> Result<Secret<Sponge>, Error> {
    let mut sponge = Secret(Sponge::new(rate, 24, CSHAKE_SUFFIX));
    sponge.load(state)?;
    match sponge.is_blank() {
        true => Err(Error::StateInconsistent),
        false => Ok(sponge),
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

/// Fills `out` with the first `output_bits` bits of the output. The unused high bits of the last
/// byte are 0.
///
/// # Errors
/// [`Error::OutputLength`] if `out` does not have ⌈`output_bits` / 8⌉ bytes. The error in `output`,
/// if it is one. Nothing is written then.
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

/// The length of the outputs of a function with this rate: any, and usually that of the capacity.
const fn any_len(rate: usize) -> OutputLen {
    OutputLen { len: 200 - rate, any: true }
}

/// Rejects a wrong rate at compile time. This is possible because the rate is a constant.
const fn check_rate(rate: usize) {
    assert!(rate == 168 || rate == 136, "SP 800-185's rates are 168 and 136 bytes");
}

/// A hasher for cSHAKE (SP 800-185 §3), whose output may have any length. Use its aliases
/// [`CShake128`] and [`CShake256`].
///
/// cSHAKE is SHAKE with a function name and a customization string. NIST assigns function names;
/// use the empty name for any other function. The customization string is chosen by the user, and
/// separates different uses of the function. With both strings empty, cSHAKE is SHAKE.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136. The state is overwritten when the hasher is
/// dropped.
///
/// ```
/// use hashmill::{CShake128, Customization, FunctionName, cshake128};
///
/// const USE: Customization = Customization(b"Email Signature");
/// const EMAIL: CShake128 = CShake128::new(FunctionName(b""), USE);
/// let mut out = [0; 100];
/// EMAIL.clone().update(b"ab").update(b"c").squeeze().fill(&mut out);
/// assert_eq!(cshake128(b"abc", FunctionName(b""), USE), out);
/// ```
#[derive(Clone, Debug)]
pub struct CShake<const RATE: usize> {
    pub(crate) stream: Secret<Sponge>,
}

/// A hasher for cSHAKE128 (SP 800-185 §3).
pub type CShake128 = CShake<168>;
/// A hasher for cSHAKE256 (SP 800-185 §3).
pub type CShake256 = CShake<136>;

impl<const RATE: usize> CShake<RATE> {
    #[doc(hidden)]
    pub const FACTS: Facts = match RATE {
        168 => Facts::xof(68, "cSHAKE128", &[], [32, 168], "SP 800-185 §3"),
        _ => Facts::xof(69, "cSHAKE256", &[], [64, 136], "SP 800-185 §3"),
    };

    /// Creates a hasher with a function name and a customization string, each of any length.
    ///
    /// The hasher has absorbed the two strings. In a constant, the compiler computes this state. A
    /// `RATE` other than 168 and 136 does not compile.
    pub const fn new(name: FunctionName<'_>, customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        CShake { stream: Secret(cshake(RATE, name.0, customization.0)) }
    }

    /// Absorbs the next part of the message, which may have any length.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.stream.update(data.as_ref());
        self
    }

    /// Returns a reader of the output for the bytes absorbed so far. The hasher is unchanged and
    /// may absorb more.
    pub fn squeeze(&self) -> XofReader {
        XofReader::new(self.stream.squeeze())
    }

    /// Returns a reader of the output for the bytes absorbed so far followed by `bits` bits, 0 to
    /// 7.
    ///
    /// The bits are the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// bits of `last_byte` are ignored.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.stream.squeeze_bits(last_byte, bits).map(XofReader::new)
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the effect of the two strings: see [`Exported`].
    ///
    /// ```
    /// use hashmill::{CShake128, Customization, FunctionName};
    ///
    /// let mut hasher = CShake128::new(FunctionName(b""), Customization(b"Email Signature"));
    /// let saved = hasher.update(b"a long ").export();
    /// let mut resumed = CShake128::import(saved.as_ref())?;
    /// let expected = hasher.update(b"message").squeeze();
    /// assert!(resumed.update(b"message").squeeze().take(32).eq(expected.take(32)));
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn export(&self) -> Exported {
        export(Self::FACTS.code, &*self.stream)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// The errors of [`Hash::import`](crate::Hash::import), under the same conditions.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        import_as(Self::FACTS.code, state, |import| {
            if import.rest().first() != Some(&SHAKE_SUFFIX) {
                return load(RATE, import).map(|stream| CShake { stream });
            }
            // With two empty strings cSHAKE is SHAKE, which may have absorbed nothing.
            let mut hasher = Self::new(FunctionName(b""), Customization(b""));
            hasher.stream.load(import)?;
            Ok(hasher)
        })
    }

    /// Hashes many messages at once, side by side in SIMD lanes.
    ///
    /// Fills output `i` with the output for the bytes absorbed so far followed by message `i`. The
    /// hasher is unchanged. [`Messages`] lists the types that can hold the messages, [`Outputs`]
    /// those that can hold the outputs. A [`VarDigest`](crate::VarDigest) receives 32 bytes from
    /// cSHAKE128, 64 bytes from cSHAKE256.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `outputs` does not have one place for each message. Nothing is
    /// written then.
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        hash_many(&*self.stream, true, &messages, outputs)
    }
}

bytes_in!([const RATE: usize] CShake<RATE>, read crate::hasher::READ_LEN);

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

/// KMAC (SP 800-185 §4), a message authentication code and pseudorandom function. Use its aliases
/// [`Kmac128`] and [`Kmac256`].
///
/// [`finalize`](Self::finalize) returns a tag of a chosen length.
/// [`squeeze`](Self::squeeze) returns an output of any length: that of KMACXOF128 or
/// KMACXOF256.
///
/// [`new`](Self::new) absorbs the key. To authenticate many messages under one key, keep the `Kmac`
/// and clone it for each message. The key should have at least 16 bytes for KMAC128, 32 bytes for
/// KMAC256 (SP 800-185 §8.4.1). The customization string separates different uses of the key.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136. The state, which comes from the key, is
/// overwritten when the `Kmac` is dropped.
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
/// let mut stream = key.clone().update(b"seed").squeeze();
/// # let mut out = [0; 2]; stream.fill(&mut out);
/// ```
#[derive(Clone, Debug)]
pub struct Kmac<const RATE: usize> {
    stream: Secret<Sponge>,
}

/// KMAC128 and KMACXOF128 (SP 800-185 §4).
pub type Kmac128 = Kmac<168>;
/// KMAC256 and KMACXOF256 (SP 800-185 §4).
pub type Kmac256 = Kmac<136>;

impl<const RATE: usize> Kmac<RATE> {
    #[doc(hidden)]
    pub const FACTS: Facts = match RATE {
        168 => Facts::xof(70, "KMAC128", &[], [32, 168], "SP 800-185 §4"),
        _ => Facts::xof(71, "KMAC256", &[], [64, 136], "SP 800-185 §4"),
    };

    /// Creates a KMAC with a key and a customization string, each of any length.
    ///
    /// The KMAC has absorbed nothing of a message. A `RATE` other than 168 and 136 does not
    /// compile.
    #[inline(never)]
    pub fn new(key: &[u8], customization: Customization<'_>) -> Self {
        const { check_rate(RATE) };
        let mut kmac = Kmac { stream: Secret(cshake(RATE, b"KMAC", customization.0)) };
        run_wiped(STACK, || absorb_key(&mut kmac.stream, RATE, key));
        // Returns a clone and drops the original, which wipes it. Returning the original would move
        // it and leave its bytes in this frame.
        kmac.clone()
    }

    /// Absorbs the next part of the message, which may have any length.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        run_wiped(STACK, || self.stream.update(data));
        self
    }

    /// Does the same as [`update`](Self::update), for code that works with any hasher: KMAC has no
    /// longest message.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn try_update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        Ok(self.update(data))
    }

    /// Returns the tag of the bytes absorbed so far, `N` bytes long. The `Kmac` is unchanged and
    /// may absorb more.
    ///
    /// A shorter tag is not the beginning of a longer one, because the length of the tag is hashed
    /// with the message.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut tag = Digest([0; N]);
        self.finalize_into(tag.as_mut());
        tag
    }

    /// Fills `out` with the tag of the bytes absorbed so far: the tag that
    /// [`finalize`](Self::finalize) returns for `N = out.len()`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        run_wiped(STACK, || finish(&self.stream, b"", out));
    }

    /// Returns the tag of the bytes absorbed so far followed by `message`, `N` bytes long. The
    /// `Kmac` is unchanged.
    #[inline]
    pub fn hash<const N: usize>(&self, message: impl AsRef<[u8]>) -> Digest<N> {
        let message = message.as_ref();
        let mut tag = Digest([0; N]);
        run_wiped(STACK, || finish(&self.stream, message, tag.as_mut()));
        tag
    }

    /// Returns a reader of the KMACXOF output for the bytes absorbed so far. The `Kmac` is
    /// unchanged and may absorb more.
    ///
    /// The output does not depend on how many bytes are read, because KMACXOF hashes 0 in place of
    /// the length (SP 800-185 §4.3.1). It is therefore unrelated to the tags of `finalize`.
    pub fn squeeze(&self) -> XofReader {
        run_wiped(STACK, || XofReader::new(must(squeeze(&self.stream, 0, 0, 0))))
    }

    /// Writes to `out` the tag of the bytes absorbed so far followed by `bits` bits, 0 to 7. The
    /// tag has `output_bits` bits.
    ///
    /// Both the last bits of the message and those of the tag are the **low** bits of their byte,
    /// first bit lowest (FIPS 202 §B.1). The other bits of `last_byte` are ignored, and the other
    /// bits of the last byte of `out` are set to 0.
    ///
    /// # Errors
    /// - [`Error::TooManyBits`] if `bits` is more than 7.
    /// - [`Error::OutputLength`] if `out` does not have ⌈`output_bits` / 8⌉ bytes.
    ///
    /// Nothing is written then.
    pub fn finalize_bits_into(
        &self,
        last_byte: u8,
        bits: u32,
        output_bits: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        run_wiped(STACK, || {
            fill_bits(squeeze(&self.stream, last_byte, bits, output_bits as u128), output_bits, out)
        })
    }

    /// Returns a reader of the KMACXOF output for the bytes absorbed so far followed by `bits`
    /// bits, 0 to 7.
    ///
    /// The bits are the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// bits of `last_byte` are ignored.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        run_wiped(STACK, || squeeze(&self.stream, last_byte, bits, 0).map(XofReader::new))
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
        match constant_time_eq(&self.finalize::<N>()[..], tag) {
            true => Ok(()),
            false => Err(Error::TagMismatch),
        }
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the effect of the key and the customization string: see [`Exported`].
    pub fn export(&self) -> Exported {
        export(Self::FACTS.code, &*self.stream)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// The errors of [`Hash::import`](crate::Hash::import), under the same conditions.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        import_as(Self::FACTS.code, state, |import| {
            load(RATE, import).map(|stream| Kmac { stream })
        })
    }

    /// Computes the tags of many messages at once, side by side in SIMD lanes.
    ///
    /// Fills place `i` of `tags` with the tag of the bytes absorbed so far followed by message `i`.
    /// The tags are as long as their places. The `Kmac` is unchanged. [`Messages`] lists the types
    /// that can hold the messages, [`Outputs`] those that can hold the tags. A
    /// [`VarDigest`](crate::VarDigest) receives 32 bytes from KMAC128, 64 bytes from KMAC256.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `tags` does not have one place for each message. Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{Customization, Key, Kmac128, kmac128};
    ///
    /// let none = Customization(b"");
    /// let mut tags = [0; 2 * 16];
    /// Kmac128::new(b"secret", none).hash_many(&["row 1", "row 2"], &mut tags)?;
    /// assert_eq!(kmac128::<16>(Key(b"secret"), b"row 2", none)[..], tags[16..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        tags: &mut O,
    ) -> Result<(), Error> {
        let len = any_len(RATE);
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
            let trailer = Encoded::right(8 * slots.output_len() as u128);
            run_wiped(MANY, || {
                finish_many(&Trailed { sponge: &self.stream, trailer }, part, slots)
            });
        };
        finish_checked(&messages, tags, (u128::MAX, len), LANES_ALWAYS, &finish)
    }
}

bytes_in!([const RATE: usize] Kmac<RATE>, read crate::hasher::READ_LEN);

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
        finish(&keyed.stream, message, tag.as_mut());
    });
    tag
}

/// An element of a [`TupleHash`] that is absorbed in parts. [`TupleHash::begin`] returns it.
///
/// The element joins the tuple when [`end`](Self::end) is called. If it is dropped before, the
/// tuple is unchanged.
///
/// The length of the element must be known in advance, because TupleHash hashes it before the
/// element (SP 800-185 §5.3).
#[derive(Debug)]
#[must_use = "an element joins its tuple when `end` is called"]
pub struct TupleElement<'t> {
    tuple: &'t mut Secret<Sponge>,
    /// The sponge of the tuple after the parts of this element so far.
    stream: Secret<Sponge>,
    /// Bytes of the element that are still missing.
    missing: u64,
}

impl TupleElement<'_> {
    /// Absorbs the next part of the element.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if the element would become longer than the length given to
    /// [`TupleHash::begin`]. Nothing is absorbed then.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> Result<&mut Self, Error> {
        let data = data.as_ref();
        let (given, expected) = (data.len() as u64, self.missing);
        self.missing =
            expected.checked_sub(given).ok_or(Error::ElementLength { given, expected })?;
        self.stream.update(data);
        Ok(self)
    }

    /// Adds the element to the tuple.
    ///
    /// # Errors
    /// [`Error::ElementLength`] if the element is shorter than the length given to
    /// [`TupleHash::begin`]. The tuple is unchanged then.
    pub fn end(self) -> Result<(), Error> {
        if self.missing > 0 {
            return Err(Error::ElementLength { given: 0, expected: self.missing });
        }
        *self.tuple = self.stream;
        Ok(())
    }
}

/// A hasher for TupleHash (SP 800-185 §5), the hash of a sequence of byte strings. Use its aliases
/// [`TupleHash128`] and [`TupleHash256`].
///
/// Each element is hashed with its length. Tuples with different elements therefore have different
/// hashes even if their elements are the same bytes in a row, such as ("ab", "c") and ("a", "bc").
///
/// [`finalize`](Self::finalize) returns a hash of a chosen length.
/// [`squeeze`](Self::squeeze) returns an output of any length: that of TupleHashXOF128 or
/// TupleHashXOF256.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136. The state is overwritten when the hasher is
/// dropped.
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

/// A hasher for TupleHash128 and TupleHashXOF128 (SP 800-185 §5).
pub type TupleHash128 = TupleHash<168>;
/// A hasher for TupleHash256 and TupleHashXOF256 (SP 800-185 §5).
pub type TupleHash256 = TupleHash<136>;

impl<const RATE: usize> TupleHash<RATE> {
    #[doc(hidden)]
    pub const FACTS: Facts = match RATE {
        168 => Facts::xof(72, "TupleHash128", &[], [32, 168], "SP 800-185 §5"),
        _ => Facts::xof(73, "TupleHash256", &[], [64, 136], "SP 800-185 §5"),
    };

    /// Creates a hasher of an empty tuple, with a customization string of any length. A `RATE`
    /// other than 168 and 136 does not compile.
    pub const fn new(customization: &[u8]) -> Self {
        const { check_rate(RATE) };
        TupleHash { stream: Secret(cshake(RATE, b"TupleHash", customization)) }
    }

    /// Adds an element of any length to the tuple.
    #[inline]
    pub fn element(&mut self, element: impl AsRef<[u8]>) -> &mut Self {
        let element = element.as_ref();
        self.element_head(element.len() as u64);
        self.element_part(element);
        self
    }

    /// Absorbs the length in bytes of the next element, whose parts follow with
    /// [`element_part`](Self::element_part). The caller must check that the parts have `len` bytes
    /// together.
    ///
    /// It exists for the C library, which cannot use [`TupleElement`]: between two calls an element
    /// is in the caller's memory, where it cannot borrow the tuple.
    #[doc(hidden)]
    pub fn element_head(&mut self, len: u64) {
        self.stream.update(Encoded::left(8 * u128::from(len)).as_bytes());
    }

    /// Absorbs the next part of the element that [`element_head`](Self::element_head) began.
    #[doc(hidden)]
    pub fn element_part(&mut self, part: &[u8]) {
        self.stream.update(part);
    }

    /// Begins an element of `len` bytes that is absorbed in parts. It joins the tuple when
    /// [`TupleElement::end`] is called.
    pub fn begin(&mut self, len: u64) -> TupleElement<'_> {
        let mut stream = self.stream.clone();
        stream.update(Encoded::left(8 * u128::from(len)).as_bytes());
        TupleElement { tuple: &mut self.stream, stream, missing: len }
    }

    /// Returns the hash of the tuple, `N` bytes long. The tuple is unchanged, and more elements may
    /// be added.
    ///
    /// A shorter hash is not the beginning of a longer one, because the length of the hash is
    /// hashed with the tuple.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut digest = Digest([0; N]);
        self.finalize_into(digest.as_mut());
        digest
    }

    /// Fills `out` with the hash of the tuple: the hash that [`finalize`](Self::finalize) returns
    /// for `N = out.len()`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        finish(&self.stream, b"", out);
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the effect of the customization string: see [`Exported`].
    pub fn export(&self) -> Exported {
        self.export_with(0)
    }

    /// Returns the state of a tuple whose last element still misses `missing` bytes.
    pub(crate) fn export_with(&self, missing: u64) -> Exported {
        let save = |state: &mut Exported| {
            missing.put(state);
            self.stream.save(state);
        };
        Exported::new(Self::FACTS.code, save, check)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// The errors of [`Hash::import`](crate::Hash::import), under the same conditions;
    /// [`Error::ElementLength`] if the last element of the tuple is incomplete, which only a tuple
    /// chosen at run time can be.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        match Self::import_with(state)? {
            (hash, 0) => Ok(hash),
            (_, expected) => Err(Error::ElementLength { given: 0, expected }),
        }
    }

    /// Returns the tuple and the number of bytes that its last element still misses.
    pub(crate) fn import_with(state: &[u8]) -> Result<(Self, u64), Error> {
        import_as(Self::FACTS.code, state, |import| {
            let missing = u64::take(import)?;
            load(RATE, import).map(|stream| (TupleHash { stream }, missing))
        })
    }

    /// Computes the hashes of many tuples at once, side by side in SIMD lanes.
    ///
    /// Fills output `i` with the hash of this tuple after one more element, `elements[i]`. The
    /// hashes are as long as their places. This tuple is unchanged. [`Messages`] lists the types
    /// that can hold the elements, [`Outputs`] those that can hold the hashes. A
    /// [`VarDigest`](crate::VarDigest) receives 32 bytes from TupleHash128, 64 bytes from
    /// TupleHash256.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `outputs` does not have one place for each element. Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{TupleHash128, tuple_hash128};
    ///
    /// let mut tuple = TupleHash128::new(b"");
    /// let mut out = [0; 2 * 32];
    /// tuple.element(b"table").hash_many(&["row 1", "row 2"], &mut out)?;
    /// assert_eq!(tuple_hash128::<32>(&["table", "row 2"], b"")[..], out[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        elements: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| self.finish_part(part, slots);
        finish_checked(&elements, outputs, (u128::MAX, any_len(RATE)), LANES_ALWAYS, &finish)
    }

    /// Hashes elements of one length side by side: they have one encoded length before them.
    fn finish_part(&self, elements: &dyn Messages, outputs: &mut Slots<'_>) {
        let trailer = Encoded::right(8 * outputs.output_len() as u128);
        let mut start = 0;
        while start < elements.count() {
            let len = elements.message(start).len();
            let same = |&index: &usize| elements.message(index).len() == len;
            let count = (start..elements.count()).take_while(same).count();
            let mut tuple = self.clone();
            tuple.element_head(len as u64);
            let part = Part { all: elements, start, count };
            let sponge = &*tuple.stream;
            finish_many(&Trailed { sponge, trailer }, &part, &mut outputs.part(start));
            start += count;
        }
    }

    /// Returns a reader of the TupleHashXOF output for the tuple. The tuple is unchanged, and more
    /// elements may be added.
    ///
    /// The output does not depend on how many bytes are read, because TupleHashXOF hashes 0 in
    /// place of the length (SP 800-185 §5.3.1). It is therefore unrelated to the hashes of
    /// `finalize`.
    pub fn squeeze(&self) -> XofReader {
        XofReader::new(must(squeeze(&self.stream, 0, 0, 0)))
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

/// A hasher for ParallelHash (SP 800-185 §6), which hashes the blocks of a message side by side and
/// then the hashes of the blocks. Use its aliases [`ParallelHash128`] and [`ParallelHash256`].
///
/// The user chooses the length of the blocks. It is part of the input, so different lengths yield
/// different hashes. Blocks of 8192 bytes and more use the SIMD lanes best. Each update should
/// contain many blocks, because only the blocks of one update are hashed side by side.
///
/// [`finalize`](Self::finalize) returns a hash of a chosen length.
/// [`squeeze`](Self::squeeze) returns an output of any length: that of ParallelHashXOF128
/// or ParallelHashXOF256.
///
/// `RATE` is the sponge's rate in bytes: 168 or 136. The state is overwritten when the hasher is
/// dropped.
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
    tree: Secret<SpongeTree>,
}

/// A hasher for ParallelHash128 and ParallelHashXOF128 (SP 800-185 §6).
pub type ParallelHash128 = ParallelHash<168>;
/// A hasher for ParallelHash256 and ParallelHashXOF256 (SP 800-185 §6).
pub type ParallelHash256 = ParallelHash<136>;

impl<const RATE: usize> ParallelHash<RATE> {
    #[doc(hidden)]
    pub const FACTS: Facts = match RATE {
        168 => Facts::xof(74, "ParallelHash128", &[], [32, 168], "SP 800-185 §6"),
        _ => Facts::xof(75, "ParallelHash256", &[], [64, 136], "SP 800-185 §6"),
    };

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
        Ok(ParallelHash { tree: Secret(SpongeTree::new(node, cshake(RATE, b"", b""), block_len)) })
    }

    /// Absorbs the next part of the message, which may have any length.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.tree.update(data.as_ref());
        self
    }

    /// Absorbs the next part of the message, with its blocks split over the threads of rayon's
    /// pool. It is worthwhile for parts of some megabytes. Requires the feature `rayon`.
    #[cfg(feature = "rayon")]
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.tree.update_rayon(data.as_ref());
        self
    }

    /// Returns the node after it has absorbed the hashes of all blocks and their number. The
    /// message ends with `bits` bits of `last_byte`.
    fn node(&self, last_byte: u8, bits: u32) -> Result<Sponge, Error> {
        let mut tree = self.tree.clone();
        let blocks = tree.end_bits(last_byte, bits)?;
        tree.node.update(Encoded::right(blocks.into()).as_bytes());
        Ok(tree.node)
    }

    fn output(&self, last_byte: u8, bits: u32, output_bits: u128) -> Result<Output, Error> {
        squeeze(&self.node(last_byte, bits)?, 0, 0, output_bits)
    }

    /// Returns the hash of the bytes absorbed so far, `N` bytes long. The hasher is unchanged and
    /// may absorb more.
    ///
    /// A shorter hash is not the beginning of a longer one, because the length of the hash is
    /// hashed with the message.
    pub fn finalize<const N: usize>(&self) -> Digest<N> {
        let mut digest = Digest([0; N]);
        self.finalize_into(digest.as_mut());
        digest
    }

    /// Fills `out` with the hash of the bytes absorbed so far: the hash that
    /// [`finalize`](Self::finalize) returns for `N = out.len()`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        finish(&must(self.node(0, 0)), b"", out);
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the length of the blocks and the effect of the customization string: see [`Exported`].
    pub fn export(&self) -> Exported {
        let save = |state: &mut Exported| {
            (self.tree.chunk_len() as u64).put(state);
            self.tree.count().put(state);
            self.tree.save(state);
        };
        Exported::new(Self::FACTS.code, save, check)
    }

    /// Creates a hasher from a state that [`export`](Self::export) returned.
    ///
    /// # Errors
    /// The errors of [`Hash::import`](crate::Hash::import), under the same conditions.
    #[inline(never)] // so that the caller does not move it through registers
    pub fn import(state: &[u8]) -> Result<Self, Error> {
        import_as(Self::FACTS.code, state, |import| {
            let len = usize::try_from(u64::take(import)?).map_err(|_| Error::StateInconsistent)?;
            if len == 0 {
                return Err(Error::StateInconsistent);
            }
            let [node, leaf] = [CSHAKE_SUFFIX, SHAKE_SUFFIX].map(|it| Sponge::new(RATE, 24, it));
            let mut hasher = ParallelHash { tree: Secret(SpongeTree::new(node, leaf, len)) };
            let (tree, count) = (&mut hasher.tree, u128::take(import)?);
            // The node has absorbed whole blocks, at least one, and then the length of the blocks.
            let head = Encoded::left(len as u128);
            tree.load(import, count, (RATE + head.as_bytes().len()) as u128)?;
            let waiting = tree.node.waiting();
            let first = waiting.len() as u128 == head.as_bytes().len() as u128 + tree.values_len();
            if tree.node.is_blank() || first && !waiting.starts_with(head.as_bytes()) {
                return Err(Error::StateInconsistent);
            }
            Ok(hasher)
        })
    }

    /// Hashes many messages, one after the other, because the blocks of each fill the SIMD lanes.
    ///
    /// Fills output `i` with the hash of the bytes absorbed so far followed by message `i`. The
    /// hashes are as long as their places. The hasher is unchanged. [`Messages`] lists the types
    /// that can hold the messages, [`Outputs`] those that can hold the hashes. A
    /// [`VarDigest`](crate::VarDigest) receives 32 bytes from ParallelHash128, 64 bytes from
    /// ParallelHash256.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `outputs` does not have one place for each message. Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{Customization, ParallelHash128, parallel_hash128};
    ///
    /// let mut out = [0; 2 * 32];
    /// ParallelHash128::new(8192, b"")?.hash_many(&["a", "b"], &mut out)?;
    /// assert_eq!(parallel_hash128::<32>(b"b", 8192, Customization(b""))?[..], out[32..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn hash_many<O: Outputs + ?Sized>(
        &self,
        messages: impl Messages,
        outputs: &mut O,
    ) -> Result<(), Error> {
        let finish = |part: &dyn Messages, slots: &mut Slots<'_>| {
            (0..part.count()).for_each(|i| {
                let mut hasher = self.clone();
                hasher.update(part.message(i));
                slots.write(i, |out| hasher.finalize_into(out));
            });
        };
        finish_checked(&messages, outputs, (u128::MAX, any_len(RATE)), LANES_ALWAYS, &finish)
    }

    /// Returns a reader of the ParallelHashXOF output for the bytes absorbed so far. The hasher is
    /// unchanged and may absorb more.
    ///
    /// The output does not depend on how many bytes are read, because ParallelHashXOF hashes 0 in
    /// place of the length (SP 800-185 §6.3.1). It is therefore unrelated to the hashes of
    /// `finalize`.
    pub fn squeeze(&self) -> XofReader {
        XofReader::new(must(self.output(0, 0, 0)))
    }

    /// Writes to `out` the hash of the bytes absorbed so far followed by `bits` bits, 0 to 7. The
    /// hash has `output_bits` bits. The bits are ordered as for [`Kmac::finalize_bits_into`].
    ///
    /// # Errors
    /// The errors of [`Kmac::finalize_bits_into`], under the same conditions.
    pub fn finalize_bits_into(
        &self,
        last_byte: u8,
        bits: u32,
        output_bits: usize,
        out: &mut [u8],
    ) -> Result<(), Error> {
        fill_bits(self.output(last_byte, bits, output_bits as u128), output_bits, out)
    }

    /// Returns a reader of the ParallelHashXOF output for the bytes absorbed so far followed by
    /// `bits` bits, 0 to 7.
    ///
    /// The bits are the **low** bits of `last_byte`, first bit lowest (FIPS 202 §B.1). The other
    /// bits of `last_byte` are ignored.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<XofReader, Error> {
        self.output(last_byte, bits, 0).map(XofReader::new)
    }
}

bytes_in!([const RATE: usize] ParallelHash<RATE>, read crate::hasher::READ_CHUNKS_LEN);

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
