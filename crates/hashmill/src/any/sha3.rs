//! The hashers of functions over Keccak-p that have parameters.

#[cfg(feature = "alloc")]
use super::{AnyHasher, in_box};
use super::{AnyReader, Hashing, Tuple, boxed, hashing};
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::Stream;
use crate::k12::KangarooTwelve;
use crate::messages::{Messages, Outputs, Sealed};
#[cfg(feature = "alloc")]
use crate::sp800_185::TupleHash;
use crate::sp800_185::{CShake, Kmac, ParallelHash};
use crate::state::Exported;

hashing! { [const RATE: usize] CShake<RATE>;
    fn stream(&self) -> Option<&dyn Stream> {
        Some(&*self.stream)
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(&mut *self.stream)
    }
}

hashing! { [const RATE: usize] KangarooTwelve<RATE>, reads AnyReader::Sponge;
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update_rayon(data);
        Ok(())
    }
    fn squeeze_custom(&self, customization: &[u8]) -> Result<AnyReader, Error> {
        Ok(AnyReader::Sponge(self.squeeze_custom(customization)))
    }
}

hashing! { [const RATE: usize] Kmac<RATE>, reads AnyReader::Sponge;
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    fn finalize_bits_into(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        self.finalize_bits_into(last_byte, bits, bits_of(out)?, out)
    }
    fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<AnyReader, Error> {
        Ok(AnyReader::Sponge(self.squeeze_bits(last_byte, bits)?))
    }
}

hashing! { [const RATE: usize] ParallelHash<RATE>, reads AnyReader::Sponge;
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    #[cfg(feature = "rayon")]
    fn try_update_rayon(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update_rayon(data);
        Ok(())
    }
    fn finalize_bits_into(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Error> {
        self.finalize_bits_into(last_byte, bits, bits_of(out)?, out)
    }
    fn squeeze_bits(&self, last_byte: u8, bits: u32) -> Result<AnyReader, Error> {
        Ok(AnyReader::Sponge(self.squeeze_bits(last_byte, bits)?))
    }
}

/// Returns the length of `out` in bits.
fn bits_of(out: &[u8]) -> Result<usize, Error> {
    out.len().checked_mul(8).ok_or(Error::output_len(out.len(), usize::MAX / 8))
}

hashing! { [const RATE: usize] Tuple<RATE>;
    /// Absorbs a part of the element that was begun. Without one it fails, because the boundaries
    /// of a tuple's elements count.
    fn try_update(&mut self, part: &[u8]) -> Result<(), Error> {
        let (given, expected) = (part.len() as u64, self.missing);
        self.missing = match expected.checked_sub(given) {
            _ if expected == 0 => return Err(Error::Operation),
            Some(missing) => missing,
            None => return Err(Error::ElementLength { given, expected }),
        };
        self.hash.element_part(part);
        Ok(())
    }
    fn begin_element(&mut self, len: u64) -> Result<(), Error> {
        self.whole()?;
        self.hash.element_head(len);
        self.missing = len;
        Ok(())
    }
    fn hash_into(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error> {
        match message {
            [] => {
                self.whole()?.finalize_into(out);
                Ok(())
            }
            _ => Err(Error::Operation),
        }
    }
    fn batch(&self, _: &dyn Messages, _: &mut dyn Outputs) -> Result<(), Error> {
        Err(Error::Operation)
    }
    fn squeeze(&self) -> Result<AnyReader, Error> {
        Ok(AnyReader::Sponge(self.whole()?.squeeze()))
    }
    fn export(&self) -> Result<Exported, Error> {
        Ok(self.hash.export_with(self.missing))
    }
}

boxed! {
    [const RATE: usize] KangarooTwelve<RATE>;
    [const RATE: usize] CShake<RATE>;
    [const RATE: usize] Kmac<RATE>;
    [const RATE: usize] Tuple<RATE>;
    [const RATE: usize] ParallelHash<RATE>;
}

#[cfg(feature = "alloc")]
impl<const RATE: usize> From<TupleHash<RATE>> for AnyHasher {
    fn from(hash: TupleHash<RATE>) -> Self {
        Tuple::from(hash).into()
    }
}
