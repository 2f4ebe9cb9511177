//! Ascon-CXOF128 (SP 800-232 §5.3).

#![forbid(unsafe_code)]

use crate::arguments::Customization;
use crate::ascon::{AsconReader, Sponge};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::{bytes_in, export, hash_many, import_as};
use crate::messages::{Messages, Outputs};
use crate::state::Exported;
use crate::stream::{Progress, finish_one};
use crate::wipe::{Secret, Wiped};

/// The longest customization string in bytes (SP 800-232 §5.3).
const MOST: usize = 256;
/// SP 800-232 §5.3, Table 12: the initial value.
const IV: u64 = 0x0000_0800_00cc_0004;

/// A hasher for Ascon-CXOF128 (SP 800-232 §5.3), whose output may have any length. It is a function
/// for small devices.
///
/// The customization string, of up to 256 bytes, separates different uses of the function. It may be
/// empty. The state is overwritten when the hasher is dropped.
///
/// ```
/// use hashmill::{AsconCXof128, Customization, ascon_cxof128};
///
/// const USE: Customization = Customization(b"sensor readings");
/// let mut hasher = AsconCXof128::new(USE)?;
/// let mut out = [0; 100];
/// hasher.update(b"ab").update(b"c").squeeze().fill(&mut out);
/// assert_eq!(ascon_cxof128(b"abc", USE)?, out);
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AsconCXof128 {
    pub(crate) stream: Secret<Sponge>,
}

/// Returns the sponge after it has absorbed the customization string.
const fn customized(Customization(string): Customization<'_>) -> Result<Sponge, Error> {
    if string.len() > MOST {
        return Err(Error::CustomizationLength { given: string.len() as u64 });
    }
    let mut sponge = Sponge::new(IV);
    sponge.customize(string);
    Ok(sponge)
}

impl AsconCXof128 {
    #[doc(hidden)]
    pub const FACTS: Facts = Facts::xof(76, "Ascon-CXOF128", &[], [32, 8], "SP 800-232 §5.3");

    /// Creates a hasher with a customization string. In a constant, the compiler computes its state.
    ///
    /// # Errors
    /// [`Error::CustomizationLength`] if the string is longer than 256 bytes.
    pub const fn new(customization: Customization<'_>) -> Result<Self, Error> {
        match customized(customization) {
            Ok(sponge) => Ok(AsconCXof128 { stream: Secret(sponge) }),
            Err(error) => Err(error),
        }
    }

    /// Absorbs the next part of the message, which may have any length.
    #[inline]
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.stream.update(data.as_ref());
        self
    }

    /// Returns a reader of the output for the bytes absorbed so far. The hasher is unchanged and
    /// may absorb more.
    pub fn squeeze(&self) -> AsconReader {
        AsconReader::new(&self.stream)
    }

    /// Returns a reader of the output for the bytes absorbed so far followed by the lowest `bits`
    /// bits, 0 to 7, of `last_byte`.
    ///
    /// # Errors
    /// [`Error::TooManyBits`] if `bits` is more than 7.
    pub fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<AsconReader, Error> {
        AsconReader::of_bits(&self.stream, last_byte, bits)
    }

    /// Returns the state as bytes, from which [`import`](Self::import) can continue later or on
    /// another machine. It contains the effect of the customization string: see [`Exported`].
    ///
    /// ```
    /// use hashmill::{AsconCXof128, Customization};
    ///
    /// let mut hasher = AsconCXof128::new(Customization(b"sensor readings"))?;
    /// let saved = hasher.update(b"a long ").export();
    /// let mut resumed = AsconCXof128::import(saved.as_ref())?;
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
            let mut stream = Secret(Sponge::WIPED);
            stream.load(import)?;
            Ok(AsconCXof128 { stream })
        })
    }

    /// Hashes many messages at once, side by side in SIMD lanes.
    ///
    /// Fills output `i` with the output for the bytes absorbed so far followed by message `i`. The
    /// hasher is unchanged. [`Messages`] lists the types that can hold the messages, [`Outputs`]
    /// those that can hold the outputs. A [`VarDigest`](crate::VarDigest) receives 32 bytes.
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

bytes_in!([] AsconCXof128, read crate::hasher::READ_LEN);

/// Returns the first `N` bytes of the output of Ascon-CXOF128 (SP 800-232 §5.3) for `message`, with
/// a customization string.
///
/// # Errors
/// [`Error::CustomizationLength`] if the string is longer than 256 bytes.
pub fn ascon_cxof128<const N: usize>(
    message: impl AsRef<[u8]>,
    customization: Customization<'_>,
) -> Result<Digest<N>, Error> {
    let mut digest = Digest([0; N]);
    finish_one(&customized(customization)?, message.as_ref(), &mut digest.0);
    Ok(digest)
}
