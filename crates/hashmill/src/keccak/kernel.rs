//! Keccak-p[1600] (FIPS 202 §3): one text for every instruction set.

#![forbid(unsafe_code)]

use crate::backend::{Input, array_of, block_of, lanes};

/// The parameters of a sponge and of its permutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Bytes in a block.
    pub rate: usize,
    /// Rounds of the permutation: 24, or 12 for TurboSHAKE.
    pub rounds: usize,
}

/// FIPS 202 §3.2.5: the round constants of rounds 0 to 23.
#[rustfmt::skip]
pub(crate) const RC: [u64; 24] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
    0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
];

/// FIPS 202 §3.2.2: the rotation of word `x + 5y`, in bits.
const RHO: [i32; 25] = [
    0, 1, 62, 28, 27, //
    36, 44, 6, 55, 20, //
    3, 10, 43, 25, 39, //
    41, 45, 15, 21, 8, //
    18, 2, 61, 56, 14,
];

/// FIPS 202 §3.2.3: the index to which π moves word `x + 5y`. The move costs no instruction,
/// because after unrolling every index is a constant and only the names of the words change.
const PI: [usize; 25] = [
    0, 10, 20, 5, 15, //
    16, 1, 11, 21, 6, //
    7, 17, 2, 12, 22, //
    23, 8, 18, 3, 13, //
    14, 24, 9, 19, 4,
];

kernel64_and_one! {
    /// Computes one round (FIPS 202 §3.3): θ, ρ, π, χ, ι.
    #[inline]
    fn round(a: [W; 25], rc: u64) -> [W; 25] {
        let mut column = [W::splat(0); 5];
        let mut rotated = [W::splat(0); 5];
        unroll!(X in 5 => {
            column[X] = a[X].xor3(a[X + 5], a[X + 10]).xor3(a[X + 15], a[X + 20]);
        });
        unroll!(X in 5 => { rotated[X] = column[X].rotl::<1>(); });
        let mut b = [W::splat(0); 25];
        unroll!(I in 25 => {
            b[PI[I]] = a[I].xor_pair(column[(I + 4) % 5], rotated[(I + 1) % 5]).rotl::<{ RHO[I] }>();
        });
        let mut c = [W::splat(0); 25];
        unroll!(I in 25 => {
            c[I] = b[I].chi(b[I / 5 * 5 + (I + 1) % 5], b[I / 5 * 5 + (I + 2) % 5]);
        });
        c[0] = c[0].xor_const(rc);
        c
    }

    /// Computes the last `rounds` rounds, 24 or 12 (FIPS 202 §3.3). `round` is called in one place
    /// only, so that it is always inlined. With two calls it was not inlined in the C library's
    /// build: 24 rounds of bmi2 took 490 ns instead of 234 ns.
    #[inline]
    fn permute(mut a: [W; 25], rounds: usize) -> [W; 25] {
        let mut r = 24 - rounds;
        while r < 24 {
            a = round(a, RC[r]);
            r += 1;
        }
        a
    }

    /// Absorbs every block (FIPS 202 §4, the absorbing phase): combines the state with the block by
    /// exclusive or, and permutes it.
    pub(crate) fn absorb(state: &mut [Word], shape: Shape, input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut a = [W::splat(0); 25];
        unroll!(I in 25 => { a[I] = W::read(state, I); });
        let mut block = 0;
        while block < input.blocks {
            let message = block_of(inputs, block * input.stride, shape.rate);
            let words = shape.rate / 8;
            let mut i = 0;
            while i + W::GATHERED <= words {
                let part: [&[u8; 8 * W::GATHERED]; LANES] = array_of(&message, 8 * i);
                let w = W::gather_le(&part, 0);
                let mut j = 0;
                while j < W::GATHERED {
                    a[i + j] = a[i + j].xor(w[j]);
                    j += 1;
                }
                i += W::GATHERED;
            }
            while i < words {
                let word: [&[u8; 8]; LANES] = array_of(&message, 8 * i);
                a[i] = a[i].xor(W::gather_one_le(&word, 0));
                i += 1;
            }
            a = permute(a, shape.rounds);
            block += 1;
        }
        unroll!(I in 25 => { a[I].write(state, I); });
    }
}
