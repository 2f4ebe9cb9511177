//! Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128.

use super::sponge::Xof;
use super::{Digests, Member, write};
use hashmill::{AsconCXof128, AsconReader, Customization, Error, function};

members! {
    21: Digests<function::AsconHash256> = Digests(hashmill::AsconHash256::new());
    22: Xof<function::AsconXof128> = Xof(hashmill::AsconXof128::new());
    76: Custom;
}

pub type Reader = AsconReader;

pub fn read(reader: &mut Reader, out: &mut [u8]) -> Result<(), Error> {
    reader.fill(out);
    Ok(())
}

/// Begins a hasher of Ascon-CXOF128. `given` is the customization string.
pub fn begin_with(_: u8, given: &[u8], place: *mut u8) -> Result<(), Error> {
    write(Custom(AsconCXof128::new(Customization(given))?), place)
}

#[repr(transparent)]
pub struct Custom(AsconCXof128);

member! { Custom {
    update! {}
    finish! { |hasher, out| hasher.squeeze().fill(out) }
    squeeze! {}
} }
