//! Ascon-CXOF128 (SP 800-232 §5.3).

#![forbid(unsafe_code)]

use crate::arguments::Customization;
use crate::ascon::{AsconReader, Sponge};
use crate::derived::{Derivation, Derived};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::stream::finish_one;
use crate::wipe::{Secret, Wiped};

/// The longest customization string in bytes (SP 800-232 §5.3).
const MOST: usize = 256;
/// SP 800-232 §5.3, Table 12: the initial value.
const IV: u64 = 0x0000_0800_00cc_0004;

/// Ascon-CXOF128 as a type.
pub enum Function {}

impl Derivation for Function {
    type Stream = Sponge;
    type Reader = AsconReader;
    const FACTS: Facts = Facts::xof(76, "Ascon-CXOF128", [32, 8], "SP 800-232 §5.3");
    const BLANK: Sponge = Sponge::WIPED;

    fn reader(sponge: &Sponge) -> AsconReader {
        AsconReader::new(sponge)
    }
    fn reader_bits(sponge: &Sponge, last_byte: u8, bits: u32) -> Result<AsconReader, Error> {
        AsconReader::of_bits(sponge, last_byte, bits)
    }
}

/// A hasher for Ascon-CXOF128 (SP 800-232 §5.3), whose output may have any length. It is a function
/// for small devices.
///
/// The customization string, of up to 256 bytes, separates different uses of the function. It may be
/// empty.
///
/// ```
/// use hashmill::{AsconCXof128, Customization, ascon_cxof128};
///
/// const USE: Customization = Customization(b"sensor readings");
/// let mut hasher = AsconCXof128::new(USE)?;
/// let output = hasher.update(b"ab").update(b"c").finalize::<100>();
/// assert_eq!(ascon_cxof128(b"abc", USE)?, output);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub type AsconCXof128 = Derived<Function>;

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
    /// Creates a hasher with a customization string. In a constant, the compiler computes its state.
    ///
    /// # Errors
    /// [`Error::CustomizationLength`] if the string is longer than 256 bytes.
    pub const fn new(customization: Customization<'_>) -> Result<Self, Error> {
        match customized(customization) {
            Ok(sponge) => Ok(Derived { stream: Secret(sponge) }),
            Err(error) => Err(error),
        }
    }
}

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
