//! SHA-512 with Arm's instructions (Arm Architecture Reference Manual, C7.2: SHA512H, SHA512H2,
//! SHA512SU0, SHA512SU1). Each instruction waits for the result of the one before it, so the kernel
//! for two messages interleaves their instructions: two blocks take 324 cycles, where one takes 242
//! cycles, by llvm-mca's model of Neoverse V2.

use super::constants::w64::K;
use crate::backend::{Input, array_of, lanes};
use crate::simd::v128::U64;
use core::arch::aarch64::*;

/// The state as `ab`, `cd`, `ef` and `gh`, lowest word first.
type Pairs = [uint64x2_t; 4];

/// Absorbs every block of one message (FIPS 180-4 §6.4.2).
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb(state: &mut [u64], _: (), input: &Input<'_>) {
    blocks::<1>(state, input);
}

/// Absorbs every block of two messages (FIPS 180-4 §6.4.2).
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb_two(state: &mut [u64], _: (), input: &Input<'_>) {
    blocks::<2>(state, input);
}

#[inline]
#[target_feature(enable = "neon,sha3")]
fn blocks<const L: usize>(state: &mut [u64], input: &Input<'_>) {
    let inputs = lanes::<L>(input);
    let mut pairs = [[vdupq_n_u64(0); 4]; L];
    for pair in 0..8 / 2 {
        for lane in 0..L {
            let word = |i: usize| state[(2 * pair + i) * L + lane];
            pairs[lane][pair] = U64::read(&[word(0), word(1)], 0).0;
        }
    }
    for block in 0..input.blocks {
        pairs = compress(pairs, array_of(inputs, block * input.stride));
    }
    for pair in 0..8 / 2 {
        for lane in 0..L {
            let mut words = [0; 2];
            U64(pairs[lane][pair]).write(&mut words, 0);
            (0..2).for_each(|i| state[(2 * pair + i) * L + lane] = words[i]);
        }
    }
}

/// Computes the compression function for `L` blocks, two rounds at a time (FIPS 180-4 §6.4.2).
#[inline]
#[target_feature(enable = "neon,sha3")]
fn compress<const L: usize>(before: [Pairs; L], blocks: [&[u8; 128]; L]) -> [Pairs; L] {
    let mut pairs = before;
    let mut w = [[vdupq_n_u64(0); 8]; L];
    for lane in 0..L {
        unroll!(I in 8 => { w[lane][I] = U64::load_be(&blocks[lane].as_chunks().0[I]).0; });
    }
    for (sixteen, constants) in K.iter().enumerate() {
        unroll!(I in 8 => {
            let k = U64::read(constants, I).0;
            for lane in 0..L {
                let ([ab, cd, ef, gh], w) = (pairs[lane], &mut w[lane]);
                if sixteen > 0 {
                    let sum = vsha512su0q_u64(w[I], w[(I + 1) % 8]);
                    w[I] = vsha512su1q_u64(sum, w[(I + 7) % 8], middle(w[(I + 4) % 8], w[(I + 5) % 8]));
                }
                let wk = vaddq_u64(w[I], k);
                // The first of the two rounds uses `h`, the second one `g`.
                let sum = vsha512hq_u64(vaddq_u64(gh, middle(wk, wk)), middle(ef, gh), middle(cd, ef));
                pairs[lane] = [vsha512h2q_u64(sum, cd, ab), ab, vaddq_u64(cd, sum), ef];
            }
        });
    }
    for lane in 0..L {
        for pair in 0..4 {
            pairs[lane][pair] = vaddq_u64(pairs[lane][pair], before[lane][pair]);
        }
    }
    pairs
}

/// Returns the second word of `a` and the first word of `b`.
#[inline]
#[target_feature(enable = "neon")]
fn middle(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vextq_u64::<1>(a, b)
}
