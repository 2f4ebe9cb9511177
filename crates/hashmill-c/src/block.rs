//! The block functions of the C interface.

use crate::memory::{array, array_mut};
use crate::status::Failure;
use core::ffi::{c_uint, c_void};
use hashmill::block::{self, Rounds};

/// Defines functions that absorb blocks into a state. A row has the number of the state's words and
/// the length of a block in bytes.
macro_rules! blocks {
    ($($name:ident = $function:ident([$Word:ty; $words:literal], $block:literal);)*) => { $(
        entry! {
            #[doc = concat!("[`block::", stringify!($function), "()`]")]
            fn $name(state: *mut $Word, blocks: *const c_void, count: usize) {
                let state: *mut [$Word; $words] = state.cast();
                let blocks = array(blocks.cast::<[u8; $block]>(), count)?;
                block::$function(&mut array_mut(state, 1)?[0], blocks);
            }
        }
    )* };
}

blocks! {
    hashmill_sha256_blocks = sha256([u32; 8], 64);
    hashmill_sha512_blocks = sha512([u64; 8], 128);
    hashmill_blake2b_blocks = blake2b([u64; 12], 128);
    hashmill_blake2s_blocks = blake2s([u32; 12], 64);
}

entry! {
    /// [`block::blake3_subtree()`]
    keyed fn hashmill_blake3_subtree(
        key: *const u32,
        flags: u32,
        offset: u64,
        data: &[u8],
        value: *mut u8,
    ) {
        let key = &array(key.cast::<[u32; 8]>(), 1)?[0];
        let found = block::blake3_subtree(key, flags, offset, data);
        array_mut(value.cast::<[u8; 32]>(), 1)?[0] = found.ok_or(Failure::PARAMETERS)?;
    }
}

entry! {
    /// [`block::keccak()`]
    fn hashmill_keccak_blocks(
        state: *mut u64,
        rounds: c_uint,
        rate: usize,
        blocks: *const c_void,
        count: usize,
    ) {
        let state = &mut array_mut(state.cast::<[u64; 25]>(), 1)?[0];
        let rounds = match rounds {
            12 => Rounds::Twelve,
            24 => Rounds::TwentyFour,
            _ => return Err(Failure::ROUNDS),
        };
        macro_rules! absorb {
            ($($rate:literal)*) => {
                match rate {
                    $($rate => block::keccak::<$rate>(state, rounds, array(blocks.cast(), count)?),)*
                    _ => return Err(Failure::ROUNDS),
                }
            };
        }
        absorb!(72 104 136 144 168);
    }
}

entry! {
    /// Permutes a state with Keccak-p\[1600\], by absorbing a block of zeros, which leaves the
    /// state as it is before the permutation.
    fn hashmill_keccak_permute(state: *mut u64, rounds: c_uint) {
        let nothing = [0u8; 168];
        let status = hashmill_keccak_blocks(state, rounds, 168, nothing.as_ptr().cast(), 1);
        if status != 0 {
            return Err(Failure(status));
        }
    }
}
