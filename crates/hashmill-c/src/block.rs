//! The block functions of the C interface.

use crate::memory::{array, array_mut, put};
use crate::status::Failure;
use core::ffi::{c_uint, c_void};
use hashmill::block::{self, Rounds};

entry! {
    /// [`block::sha256()`]
    fn hashmill_sha256_blocks(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize) {
        let blocks = array(blocks, count)?;
        block::sha256(&mut array_mut(state, 1)?[0], blocks);
    }

    /// [`block::sha512()`]
    fn hashmill_sha512_blocks(state: *mut [u64; 8], blocks: *const [u8; 128], count: usize) {
        let blocks = array(blocks, count)?;
        block::sha512(&mut array_mut(state, 1)?[0], blocks);
    }

    /// [`block::blake2b()`]
    fn hashmill_blake2b_blocks(state: *mut [u64; 12], blocks: *const [u8; 128], count: usize) {
        let blocks = array(blocks, count)?;
        block::blake2b(&mut array_mut(state, 1)?[0], blocks);
    }

    /// [`block::blake2s()`]
    fn hashmill_blake2s_blocks(state: *mut [u32; 12], blocks: *const [u8; 64], count: usize) {
        let blocks = array(blocks, count)?;
        block::blake2s(&mut array_mut(state, 1)?[0], blocks);
    }

    /// [`block::blake3_subtree()`]
    keyed fn hashmill_blake3_subtree(
        key: *const [u32; 8],
        flags: u32,
        offset: u64,
        data: &[u8],
        value: *mut [u8; 32],
    ) {
        let found = block::blake3_subtree(&array(key, 1)?[0], flags, offset, data);
        put(value, found.ok_or(Failure::PARAMETERS)?)?;
    }

    /// [`block::keccak()`]
    fn hashmill_keccak_blocks(
        state: *mut [u64; 25],
        rounds: c_uint,
        rate: usize,
        blocks: *const c_void,
        count: usize,
    ) {
        let (state, rounds) = (&mut array_mut(state, 1)?[0], rounds_of(rounds)?);
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

    /// Permutes a state with Keccak-p\[1600\], by absorbing a block of zeros, which leaves the
    /// state as it is before the permutation.
    fn hashmill_keccak_permute(state: *mut [u64; 25], rounds: c_uint) {
        block::keccak::<168>(&mut array_mut(state, 1)?[0], rounds_of(rounds)?, &[[0; 168]]);
    }
}

fn rounds_of(number: c_uint) -> Result<Rounds, Failure> {
    match number {
        12 => Ok(Rounds::Twelve),
        24 => Ok(Rounds::TwentyFour),
        _ => Err(Failure::ROUNDS),
    }
}
