//! BLAKE3.

use super::{Member, write};
use hashmill::{Blake3, Blake3Reader, Error};

members! {
    20: Tree = Tree(Blake3::new());
}

pub type Reader = Blake3Reader;

pub fn read(reader: &mut Reader, out: &mut [u8]) -> Result<(), Error> {
    reader.fill(out);
    Ok(())
}

/// Begins a hasher with a key or a context. `given` is a byte, 0 for a key and 1 for a context, then
/// the key or the context.
pub fn begin_with(_: u8, given: &[u8], place: *mut u8) -> Result<(), Error> {
    let hasher = match given.split_first() {
        Some((0, key)) => Blake3::keyed(key.try_into().map_err(|_| Error::Operation)?),
        Some((_, context)) => {
            Blake3::derive_key(str::from_utf8(context).map_err(|_| Error::Operation)?)
        }
        None => return Err(Error::Operation),
    };
    write(hasher, place)
}

#[repr(transparent)]
pub struct Tree(Blake3);

member! { Tree {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.try_update(data).map(drop)
    }
    fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error> {
        if out.len() == 32 {
            // A short message is hashed without a copy of the tree, which has 2 KB.
            out.copy_from_slice(self.0.hash(message).as_ref());
        } else {
            self.0.clone().update(message).squeeze().fill(out);
        }
        Ok(())
    }
    fn squeeze(&self, _: u64, place: *mut u8) -> Result<(), Error> {
        write(self.0.squeeze(), place)
    }
} }

#[cfg(target_feature = "simd128")]
mod subtrees;
