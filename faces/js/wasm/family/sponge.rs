//! What the families of sponges share.

use super::{Member, write};
use hashmill::function::{Extendable, Reader as _};
use hashmill::{Error, Hash};

macro_rules! update {
    () => {
        fn update(&mut self, data: &[u8]) -> Result<(), Error> {
            self.0.update(data);
            Ok(())
        }
    };
}

macro_rules! finish {
    (|$hasher:ident, $out:ident| $output:expr) => {
        fn finish(&self, message: &[u8], $out: &mut [u8]) -> Result<(), Error> {
            let mut hasher = self.0.clone();
            let $hasher = hasher.update(message);
            $output;
            Ok(())
        }
    };
}

macro_rules! squeeze {
    () => {
        fn squeeze(&self, _: u64, place: *mut u8) -> Result<(), Error> {
            write(self.0.squeeze(), place)
        }
    };
}

/// SHAKE, TurboSHAKE and Ascon-XOF128.
#[repr(transparent)]
pub struct Xof<F: Extendable>(pub Hash<F>);

member! { Xof<F> [F: Extendable] {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.try_update(data).map(drop)
    }
    finish! { |hasher, out| hasher.squeeze().fill(out) }
    squeeze! {}
} }
