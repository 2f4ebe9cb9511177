//! Keccak-p[1600] (FIPS 202 §3): one text for every instruction set.

#![forbid(unsafe_code)]

use crate::backend::{Input, array_of, lanes};

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

kernel64_and_one! {
    /// Computes one round (FIPS 202 §3.3): θ, ρ, π, χ, ι. π moves word `FROM` to word `X` of a row
    /// (§3.2.3), and costs no instruction. Each row is finished before the next begins, so that few
    /// words are alive besides the old and the new state.
    #[inline]
    fn round(a: [W; 25], rc: u64) -> [W; 25] {
        let mut column = [W::splat(0); 5];
        unroll!(let x in 5 => {
            column[x] = a[x].xor3(a[x + 5], a[x + 10]).xor3(a[x + 15], a[x + 20]);
        });
        let mut d = [W::splat(0); 5];
        unroll!(let x in 5 => { d[x] = column[(x + 4) % 5].xor(column[(x + 1) % 5].rotl::<1>()); });
        let mut c = a;
        unroll!(ROW in 5 => {
            const Y: usize = (8 - ROW) % 5;
            let mut b = [W::splat(0); 5];
            unroll!(X in 5 => {
                const FROM: usize = (X + 3 * Y) % 5 + 5 * X;
                b[X] = a[FROM].xor(d[FROM % 5]).rotl::<{ RHO[FROM] }>();
            });
            unroll!(let x in 5 => { c[x + 5 * Y] = b[x].chi(b[(x + 1) % 5], b[(x + 2) % 5]); });
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

    /// Loads as many words as a gather does from byte `at` of every lane's input.
    #[inline]
    fn group(inputs: &[&[u8]; LANES], at: usize) -> [W; W::GATHERED] {
        W::gather_le::<{ 8 * W::GATHERED }>(&array_of(inputs, at), 0)
    }

    /// Loads one word from byte `at` of every lane's input.
    #[inline]
    fn one(inputs: &[&[u8]; LANES], at: usize) -> W {
        W::gather_one_le::<8>(&array_of(inputs, at), 0)
    }

    /// Absorbs every block (FIPS 202 §4, the absorbing phase): combines the state with the block by
    /// exclusive or, and permutes it. Where the state and a gather fit in the registers, every index is
    /// a constant, so that the state stays there.
    pub(crate) fn absorb(state: &mut [Word], shape: Shape, input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut a = [W::splat(0); 25];
        unroll!(let i in 25 => { a[i] = W::read(state, i); });
        let (words, mut block) = (shape.rate / 8, 0);
        while block < input.blocks {
            let at = block * input.stride;
            // The words that are in the lanes. The others are the same in all lanes.
            let mut gathered = words;
            if let (Some(end), true) = (&input.end, TAKES_END && block + 1 == input.blocks) {
                gathered = end.len / 8;
                let mut i = gathered;
                while i < words {
                    a[i] = a[i].xor(W::splat(u64::from_le_bytes(*end.bytes(8 * i))));
                    i += 1;
                }
            }
            if W::REGISTERS >= 25 + W::GATHERED {
                unroll!(let i in 25 => {
                    if i.is_multiple_of(W::GATHERED) && i + W::GATHERED <= gathered {
                        let w = group(inputs, at + 8 * i);
                        let mut j = 0;
                        while j < W::GATHERED {
                            a[i + j] = a[i + j].xor(w[j]);
                            j += 1;
                        }
                    } else if i / W::GATHERED == gathered / W::GATHERED && i < gathered {
                        a[i] = a[i].xor(one(inputs, at + 8 * i));
                    }
                });
            } else {
                let mut i = 0;
                while i + W::GATHERED <= gathered {
                    let w = group(inputs, at + 8 * i);
                    let mut j = 0;
                    while j < W::GATHERED {
                        a[i + j] = a[i + j].xor(w[j]);
                        j += 1;
                    }
                    i += W::GATHERED;
                }
                while i < gathered {
                    a[i] = a[i].xor(one(inputs, at + 8 * i));
                    i += 1;
                }
            }
            a = permute(a, shape.rounds);
            block += 1;
        }
        unroll!(let i in 25 => { a[i].write(state, i); });
    }
}
