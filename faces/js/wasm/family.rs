//! The functions of this module's family.

use hashmill::Error;
#[cfg(not(feature = "blake3"))]
use hashmill::{Hash, function::Function};

/// A hasher as the exported functions use it. Its table of methods is short, unlike that of
/// `dyn Hashing`, so that a module contains only what JavaScript calls. What a function does not
/// have is an error.
#[cfg(not(target_feature = "simd128"))]
pub trait Member: Sync {
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Writes the output after `message`.
    fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error>;
    /// Writes a reader of the output to `place`. The last bytes absorbed are KangarooTwelve's
    /// customization string, of this length.
    #[cfg(any(feature = "keccak", feature = "blake3", feature = "ascon"))]
    fn squeeze(&self, _customization: u64, _place: *mut u8) -> Result<(), Error> {
        Err(Error::NotExtendable)
    }
    /// Begins an element of TupleHash.
    #[cfg(feature = "keccak")]
    fn element(&mut self, _len: u64) -> Result<(), Error> {
        Err(Error::Operation)
    }
}

/// A hasher as the exported functions that have lanes use it.
#[cfg(target_feature = "simd128")]
pub trait Member: Sync {
    #[cfg(any(feature = "keccak", feature = "blake3"))]
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Writes the output after each message.
    fn many(&self, messages: &dyn hashmill::many::Messages, out: &mut [u8]) -> Result<(), Error>;
}

/// Writes a hasher or a reader to `place`.
#[cfg(not(any(feature = "sha256", feature = "sha512", feature = "sm3")))]
fn write<T>(value: T, place: *mut u8) -> Result<(), Error> {
    // SAFETY: every place has room for every value of its kind, and is aligned for it.
    unsafe { place.cast::<T>().write(value) };
    Ok(())
}

/// Implements `Member` for a type whose hasher has `hash_many`: with simd128 by that, without by the
/// other functions.
macro_rules! member {
    ($Type:ty $([$($generics:tt)*])? { $($functions:tt)* }) => {
        #[cfg(target_feature = "simd128")]
        impl $(<$($generics)*>)? Member for $Type {
            #[cfg(any(feature = "keccak", feature = "blake3"))]
            fn update(&mut self, data: &[u8]) -> Result<(), hashmill::Error> {
                hashmill::Hashing::try_update(&mut self.0, data)
            }
            fn many(
                &self,
                messages: &dyn hashmill::many::Messages,
                mut out: &mut [u8],
            ) -> Result<(), hashmill::Error> {
                self.0.hash_many(messages, &mut out)
            }
        }
        #[cfg(not(target_feature = "simd128"))]
        impl $(<$($generics)*>)? Member for $Type { $($functions)* }
    };
}

/// A function of fixed output length.
#[cfg(not(feature = "blake3"))]
#[repr(transparent)]
pub struct Digests<F: Function>(Hash<F>);

#[cfg(not(feature = "blake3"))]
member! { Digests<F> [F: Function] {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.try_update(data).map(drop)
    }
    fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let digest = self.0.hash(message);
        let digest = digest.as_ref();
        match digest.len() == out.len() {
            true => out.copy_from_slice(digest),
            false => return Err(Error::Operation),
        }
        Ok(())
    }
} }

/// Lists the functions of the family: the code and the type of each, and a hasher if there is one
/// without parameters.
macro_rules! members {
    ($($(#[$meta:meta])* $code:literal: $Type:ty $(= $new:expr)?;)*) => {
        /// Returns a hasher without parameters.
        pub fn fresh(code: u8) -> &'static dyn Member {
            match code {
                $($($code => {
                    static NEW: $Type = $new;
                    &NEW
                })?)*
                _ => core::arch::wasm32::unreachable(),
            }
        }

        /// Returns a pointer to the hasher at a place.
        pub fn hasher(code: u8, place: *mut u8) -> *mut dyn Member {
            match code {
                $($(#[$meta])* $code => place.cast::<$Type>(),)*
                _ => core::arch::wasm32::unreachable(),
            }
        }
    };
}

#[cfg(feature = "sha256")]
mod sha256;
#[cfg(feature = "sha256")]
pub use sha256::*;
#[cfg(feature = "sha512")]
mod sha512;
#[cfg(feature = "sha512")]
pub use sha512::*;
#[cfg(feature = "sm3")]
mod sm3;
#[cfg(feature = "sm3")]
pub use sm3::*;
#[cfg(any(feature = "keccak", feature = "ascon"))]
#[macro_use]
mod sponge;
#[cfg(feature = "keccak")]
mod keccak;
#[cfg(feature = "keccak")]
pub use keccak::*;
#[cfg(any(feature = "blake2b", feature = "blake2s"))]
mod blake2;
#[cfg(any(feature = "blake2b", feature = "blake2s"))]
pub use blake2::*;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(feature = "blake3")]
pub use blake3::*;
#[cfg(feature = "ascon")]
mod ascon;
#[cfg(feature = "ascon")]
pub use ascon::*;

/// A family without an extendable-output function has no reader.
#[cfg(not(any(feature = "keccak", feature = "blake3", feature = "ascon")))]
pub type Reader = ();
