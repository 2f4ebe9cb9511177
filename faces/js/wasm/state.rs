//! The exported states of a family.

use super::{input, output, place, status, wipe};
use hashmill::{Error, Exported};

/// This module has no reader.
pub type Reader = ();

/// Lists the types of the hashers, by the codes of the functions.
macro_rules! states {
    ($($code:literal: $Hasher:ty;)*) => {
        /// Returns the number of bytes of a hasher.
        pub fn size_of_hasher(code: u8) -> usize {
            match code {
                $($code => size_of::<$Hasher>(),)*
                _ => core::arch::wasm32::unreachable(),
            }
        }

        fn exported(code: u8) -> Exported {
            match code {
                // SAFETY: JavaScript wrote the bytes of a hasher of this function.
                $($code => unsafe { &*place(0).cast::<$Hasher>() }.export(),)*
                _ => core::arch::wasm32::unreachable(),
            }
        }

        fn imported(code: u8, state: &[u8]) -> Result<(), Error> {
            match code {
                // SAFETY: the place has room for every hasher, and is aligned for it.
                $($code => unsafe { place(0).cast::<$Hasher>().write(<$Hasher>::import(state)?) },)*
                _ => core::arch::wasm32::unreachable(),
            }
            Ok(())
        }
    };
}

#[cfg(feature = "sha256")]
states! {
    1: hashmill::Sha224;
    2: hashmill::Sha256;
}
#[cfg(feature = "sha512")]
states! {
    3: hashmill::Sha384;
    4: hashmill::Sha512;
    5: hashmill::Sha512_224;
    6: hashmill::Sha512_256;
}
#[cfg(feature = "sm3")]
states! {
    23: hashmill::Sm3;
}
#[cfg(feature = "keccak")]
states! {
    7: hashmill::Sha3_224;
    8: hashmill::Sha3_256;
    9: hashmill::Sha3_384;
    10: hashmill::Sha3_512;
    15: hashmill::Shake128;
    16: hashmill::Shake256;
    17: hashmill::TurboShake128;
    18: hashmill::TurboShake256;
    19: hashmill::Keccak256;
    64: hashmill::Kt128;
    65: hashmill::Kt256;
    68: hashmill::CShake128;
    69: hashmill::CShake256;
    70: hashmill::Kmac128;
    71: hashmill::Kmac256;
    72: hashmill::TupleHash128;
    73: hashmill::TupleHash256;
    74: hashmill::ParallelHash128;
    75: hashmill::ParallelHash256;
}
#[cfg(feature = "blake2b")]
states! {
    11: hashmill::Blake2b;
    13: hashmill::Blake2bp;
}
#[cfg(feature = "blake2s")]
states! {
    12: hashmill::Blake2s;
    14: hashmill::Blake2sp;
}
#[cfg(feature = "blake3")]
states! {
    20: hashmill::Blake3;
}
#[cfg(feature = "ascon")]
states! {
    21: hashmill::AsconHash256;
    22: hashmill::AsconXof128;
    76: hashmill::AsconCXof128;
}

/// Writes the portable form of the stored hasher to the output and returns its length.
// SAFETY: no other function has this name. The same holds for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn export(code: u8) -> usize {
    // The state is moved through the frames of `export`.
    hashmill::run_wiped(8192, || {
        let state = exported(code);
        let state = state.as_ref();
        output(state.len()).copy_from_slice(state);
        state.len()
    })
}

/// Reads the portable form of a hasher from the input and writes the hasher to the first place.
#[unsafe(no_mangle)]
pub extern "C" fn import(code: u8, len: usize) -> i32 {
    let state = input(len);
    let result = hashmill::run_wiped(8192, || imported(code, state));
    wipe(state);
    status(result)
}

/// Returns the length in bytes of the stored hasher's digest, because a state of BLAKE2 decides it.
#[cfg(any(feature = "blake2b", feature = "blake2s"))]
#[unsafe(no_mangle)]
pub extern "C" fn output_len(code: u8) -> usize {
    #[cfg(feature = "blake2b")]
    use hashmill::{Blake2b as Sequential, Blake2bp as Parallel};
    #[cfg(feature = "blake2s")]
    use hashmill::{Blake2s as Sequential, Blake2sp as Parallel};
    let hasher = place(0);
    // SAFETY: `import` wrote a hasher of this function.
    unsafe {
        match code {
            11 | 12 => (*hasher.cast::<Sequential>()).output_len(),
            _ => (*hasher.cast::<Parallel>()).output_len(),
        }
    }
}
