//! SHA-256 with Arm's instructions (Arm Architecture Reference Manual, C7.2: SHA256H, SHA256H2,
//! SHA256SU0, SHA256SU1). Each instruction waits for the result of the one before it, so the kernel
//! for two messages interleaves their instructions: two blocks take 112 cycles, where one takes 98
//! cycles, by llvm-mca's model of Neoverse V2. Four would take 226.

use super::constants::w32::K;
use crate::backend::{Input, array_of, lanes};
use crate::simd::v128::U32;
use core::arch::aarch64::*;

/// The state's halves, `abcd` and `efgh`, lowest word first.
type Halves = [uint32x4_t; 2];

/// Absorbs every block of one message (FIPS 180-4 §6.2.2).
#[target_feature(enable = "neon,sha2")]
pub(super) fn absorb(state: &mut [u32], _: (), input: &Input<'_>) {
    blocks::<1>(state, input);
}

/// Absorbs every block of two messages (FIPS 180-4 §6.2.2).
#[target_feature(enable = "neon,sha2")]
pub(super) fn absorb_two(state: &mut [u32], _: (), input: &Input<'_>) {
    blocks::<2>(state, input);
}

#[inline]
#[target_feature(enable = "neon,sha2")]
fn blocks<const L: usize>(state: &mut [u32], input: &Input<'_>) {
    let inputs = lanes::<L>(input);
    let mut halves = [[vdupq_n_u32(0); 2]; L];
    for half in 0..8 / 4 {
        for lane in 0..L {
            let word = |i: usize| state[(4 * half + i) * L + lane];
            halves[lane][half] = U32::read(&[word(0), word(1), word(2), word(3)], 0).0;
        }
    }
    for block in 0..input.blocks {
        halves = compress(halves, array_of(inputs, block * input.stride));
    }
    for half in 0..8 / 4 {
        for lane in 0..L {
            let mut words = [0; 4];
            U32(halves[lane][half]).write(&mut words, 0);
            (0..4).for_each(|i| state[(4 * half + i) * L + lane] = words[i]);
        }
    }
}

/// Computes the compression function for `L` blocks, four rounds at a time (FIPS 180-4 §6.2.2).
#[inline]
#[target_feature(enable = "neon,sha2")]
fn compress<const L: usize>(before: [Halves; L], blocks: [&[u8; 64]; L]) -> [Halves; L] {
    let mut halves = before;
    let mut w = [[vdupq_n_u32(0); 4]; L];
    unroll!(I in 16 => {
        let k = U32::read(&K[I / 4], I % 4).0;
        for lane in 0..L {
            let ([abcd, efgh], w) = (halves[lane], &mut w[lane]);
            w[I % 4] = if I < 4 {
                U32::load_be(&blocks[lane].as_chunks().0[I % 4]).0
            } else {
                vsha256su1q_u32(vsha256su0q_u32(w[I % 4], w[(I + 1) % 4]), w[(I + 2) % 4], w[(I + 3) % 4])
            };
            let wk = vaddq_u32(w[I % 4], k);
            halves[lane] = [vsha256hq_u32(abcd, efgh, wk), vsha256h2q_u32(efgh, abcd, wk)];
        }
    });
    for lane in 0..L {
        for half in 0..2 {
            halves[lane][half] = vaddq_u32(halves[lane][half], before[lane][half]);
        }
    }
    halves
}
