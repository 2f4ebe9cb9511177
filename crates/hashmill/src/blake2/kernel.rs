//! The compression function of BLAKE2 and BLAKE3: one text for BLAKE2b, BLAKE2s and BLAKE3, and for
//! every instruction set.
//!
//! BLAKE3 is BLAKE2s with 7 rounds and another order of the message words. The last row of its
//! initial matrix has no constants, a new chaining value does not include the old one, and the
//! caller sets the counter, because one counter serves all blocks of a chunk (the BLAKE3 paper
//! §2.2). The constants of the modules below say what differs.

#![forbid(unsafe_code)]

/// The order of the message words in each round of BLAKE2 (RFC 7693 §2.7). Rows 10 and 11 repeat
/// rows 0 and 1, so that the index of a row is the number of its round and no remainder is computed.
#[rustfmt::skip]
pub(crate) const SIGMA2: [[usize; 16]; 12] = [
    [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
    [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
    [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
    [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
    [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
    [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
    [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
    [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
    [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
    [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
    [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
    [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
];

/// The order of the message words in each round of BLAKE3: the words are permuted after each round
/// (the BLAKE3 paper §2.2, Table 2). The rows after the seventh are not used.
pub(crate) const SIGMA3: [[usize; 16]; 12] = {
    const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut rounds = [SIGMA2[0]; 12];
    let mut i = 16;
    while i < 12 * 16 {
        rounds[i / 16][i % 16] = rounds[i / 16 - 1][PERMUTATION[i % 16]];
        i += 1;
    }
    rounds
};

/// R1 to R4 of BLAKE2s (RFC 7693 §2.1) and BLAKE3.
pub(crate) const ROTATIONS32: [i32; 4] = [16, 12, 8, 7];

kernels! { {
    /// Loads the words of a gather, if one begins with word `i`.
    #[inline]
    fn gather(words: &mut [W; 16], block: &[&[u8; 16 * size_of::<Word>()]; LANES], i: usize) {
        gather!(gather_le, words, block, i);
    }

    /// Loads the words of a last block that has an end. Not inlined, so that the registers of `absorb` are
    /// for whole blocks alone.
    #[inline(never)]
    fn end_words(inputs: &[&[u8]; LANES], at: usize, end: &End<'_>) -> [W; 16] {
        gather_end!(gather_le, from_le_bytes, inputs, at, end)
    }

    /// Adds a word of the message to each word of row a: every second one of the round's order, from
    /// place `first` on.
    #[inline]
    fn add_words(mut a: [W; 4], m: &[W; 16], sigma: &[usize; 16], first: usize) -> [W; 4] {
        unroll!(let i in 4 => { a[i] = a[i].add_first(m[sigma[first + 2 * i] % 16]); });
        a
    }

    /// Adds two rows.
    #[inline]
    fn add(mut a: [W; 4], b: [W; 4]) -> [W; 4] {
        unroll!(let i in 4 => { a[i] = a[i].add(b[i]); });
        a
    }

    /// Adds two rows by exclusive or, and rotates the words.
    #[inline]
    fn xor_rotr<const N: i32>(mut a: [W; 4], b: [W; 4]) -> [W; 4] {
        unroll!(let i in 4 => { a[i] = a[i].xor(b[i]).rotr::<N>(); });
        a
    }

    /// Computes one round: G (RFC 7693 §3.1) for the four columns, then for the four diagonals. Each
    /// is two steps, with one message word each. Each line of a step is written for all four G before
    /// the next line, because each G is one chain of dependent operations, and four chains side by
    /// side keep the CPU's ports busy. `sigma` is the order of the message words in this round.
    ///
    /// Each round of unrolled code has an `R` of its own. So each is a function with one caller, which
    /// the optimiser always inlines, and then knows the order.
    #[inline]
    fn round<const R: usize>(v: [[W; 4]; 4], m: &mut [W; 16], sigma: &[usize; 16]) -> [[W; 4]; 4] {
        let [mut a, mut b, mut c, mut d] = v;
        unroll!(STEP in 4 => {
            const HALF: usize = STEP % 2 * 2;
            let first = STEP / 2 * 8 + STEP % 2;
            a = add_words(a, m, sigma, first);
            a = add(a, b);
            d = xor_rotr::<{ ROTATIONS[HALF] }>(d, a);
            c = add(c, d);
            b = xor_rotr::<{ ROTATIONS[HALF + 1] }>(b, c);
            W::in_memory(m);
            if STEP == 1 {
                b = [b[1], b[2], b[3], b[0]];
                c = [c[2], c[3], c[0], c[1]];
                d = [d[3], d[0], d[1], d[2]];
            }
            if STEP == 3 {
                b = [b[3], b[0], b[1], b[2]];
                c = [c[2], c[3], c[0], c[1]];
                d = [d[1], d[2], d[3], d[0]];
            }
        });
        [a, b, c, d]
    }

    /// Absorbs every block with the compression function (RFC 7693 §3.2 and §3.3; the BLAKE3 paper
    /// §2.2 and §2.4). The state is the chaining value (eight words) and the last row of the initial
    /// matrix (four words). For BLAKE2 the last row is the counter of the bytes before these blocks
    /// and the two finalization flags of the BLAKE2 paper, §2.4; for BLAKE3 it is the counter, the
    /// length of a block and the flags. It applies to all of these blocks, but the counter of BLAKE2
    /// grows, and the flags in `FIRST_ONLY` apply to the first block alone.
    pub(crate) fn absorb(state: &mut [Word], shape: Shape, input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut h = [W::splat(0); 8];
        unroll!(let i in 8 => { h[i] = W::read(state, i); });
        let mut t = [W::read(state, 8), W::read(state, 9)];
        let mut f = [W::read(state, 10), W::read(state, 11)];
        let mut block = 0;
        while block < input.blocks {
            let mut m = message!(gather, end_words, input, inputs, block, copied if !W::IN_MEMORY);
            if COUNTS {
                let (low, high) = W::count(t[0], t[1], 16 * size_of::<Word>() as Word);
                t = [low, high];
            }
            let mut v = [
                [h[0], h[1], h[2], h[3]],
                [h[4], h[5], h[6], h[7]],
                [W::splat(IV[0]), W::splat(IV[1]), W::splat(IV[2]), W::splat(IV[3])],
                [
                    t[0].xor_const(LAST_ROW[0]),
                    t[1].xor_const(LAST_ROW[1]),
                    f[0].xor_const(LAST_ROW[2]),
                    f[1].xor_const(LAST_ROW[3]),
                ],
            ];
            if ROLLED {
                let mut r = 0;
                while r < ROUNDS {
                    v = round::<0>(v, &mut m, &SIGMA[r]);
                    r += 1;
                }
            } else {
                unroll!(R in 12 => {
                    if R < ROUNDS {
                        v = round::<R>(v, &mut m, &SIGMA[R]);
                    }
                });
            }
            let [a, b, c, d] = v;
            if extends(shape) {
                // The second half of a block of output (the BLAKE3 paper §2.6).
                unroll!(let i in 4 => {
                    c[i].xor(h[i]).write(state, i + 8);
                    d[i].xor(h[i + 4]).write(state, i + 12);
                });
            }
            unroll!(let i in 4 => {
                if ADDS_OLD {
                    h[i] = h[i].xor3(a[i], c[i]);
                    h[i + 4] = h[i + 4].xor3(b[i], d[i]);
                } else {
                    h[i] = a[i].xor(c[i]);
                    h[i + 4] = b[i].xor(d[i]);
                }
            });
            if FIRST_ONLY != 0 {
                f[1] = W::splat(!FIRST_ONLY).choose(f[1], W::splat(0));
            }
            block += 1;
        }
        unroll!(let i in 8 => { h[i].write(state, i); });
        if COUNTS {
            t[0].write(state, 8);
            t[1].write(state, 9);
        }
        if FIRST_ONLY != 0 && !extends(shape) {
            f[1].write(state, 11);
        }
    }
}

/// BLAKE2b.
#[cfg(feature = "blake2")]
mod b: kernel64_and_two {
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::backend::{End, Input, array_of, lanes};
    /// RFC 7693 §2.6.
    pub(crate) use crate::sha2::constants::w64::SHA512 as IV;

    /// RFC 7693 §2.1.
    pub(crate) const ROUNDS: usize = 12;
    /// RFC 7693 §2.1: R1 to R4.
    pub(crate) const ROTATIONS: [i32; 4] = [32, 24, 16, 63];
    /// What is added to the last row of the initial matrix by exclusive or (RFC 7693 §3.2).
    pub(crate) const LAST_ROW: [u64; 4] = [IV[4], IV[5], IV[6], IV[7]];
    /// Whether a new chaining value includes the old one.
    pub(crate) const ADDS_OLD: bool = true;
    /// Whether the counter grows by each block.
    pub(crate) const COUNTS: bool = true;
    /// Whether the rounds are a loop.
    const ROLLED: bool = false;
    /// The flags that apply to the first block alone.
    pub(crate) const FIRST_ONLY: u64 = 0;
    pub(crate) type Shape = ();
    /// Whether the state becomes a block of extended output.
    pub(crate) const fn extends(_: Shape) -> bool {
        false
    }
}

/// BLAKE2b with the rounds in a loop: 5.7 KB of code instead of 25, for messages of one block. Code
/// that runs once for a group of messages is not in the instruction cache when the next group
/// needs it: 32 and 64 bytes take 0.8 times as long in the loop, 128 bytes 0.8 to 1.0 times (Zen 5).
/// Several blocks take 1.2 times as long, because eight vectors pass through memory from one round to the next.
#[cfg(all(target_arch = "x86_64", feature = "blake2"))]
mod b_block: kernel64_two {
    use crate::backend::{End, Input, array_of, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::b::{IV, ROUNDS, ROTATIONS, LAST_ROW};
    use crate::blake2::kernel::b::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};

    const ROLLED: bool = true;
}

/// BLAKE2s. BLAKE3 uses the rows of its messages.
mod s: kernel32 {
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::backend::{End, Input, array_of, lanes};
    /// RFC 7693 §2.6.
    pub(crate) use crate::sha2::constants::w32::SHA256 as IV;

    /// RFC 7693 §2.1.
    pub(crate) const ROUNDS: usize = 10;
    pub(crate) use crate::blake2::kernel::ROTATIONS32 as ROTATIONS;
    pub(crate) const LAST_ROW: [u32; 4] = [IV[4], IV[5], IV[6], IV[7]];
    pub(crate) const ADDS_OLD: bool = true;
    pub(crate) const COUNTS: bool = true;
    const ROLLED: bool = false;
    pub(crate) const FIRST_ONLY: u32 = 0;
    pub(crate) type Shape = ();
    pub(crate) const fn extends(_: Shape) -> bool {
        false
    }
}

/// BLAKE2s with the rounds in a loop, for the same reason: 32 bytes take 0.9 times as long. The time
/// of the straight code for 64 bytes depends on its place in memory, and differs from build to
/// build: the loop takes 1.08 times as long as the fastest build and 0.85 times as long as the
/// slowest (Zen 5).
#[cfg(all(target_arch = "x86_64", feature = "blake2"))]
mod s_block: kernel32_two {
    use crate::backend::{End, Input, array_of, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::s::{IV, ROUNDS, ROTATIONS, LAST_ROW};
    use crate::blake2::kernel::s::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};

    const ROLLED: bool = true;
}

/// BLAKE3.
#[cfg(feature = "blake3")]
mod blake3: kernel32 {
    use crate::blake2::kernel::SIGMA3 as SIGMA;
    use crate::backend::{End, Input, array_of, lanes};
    /// The BLAKE3 paper §2.2, Table 1.
    pub(crate) use crate::sha2::constants::w32::SHA256 as IV;
    pub(crate) use crate::blake2::kernel::ROTATIONS32 as ROTATIONS;

    pub(crate) const ROUNDS: usize = 7;
    pub(crate) const LAST_ROW: [u32; 4] = [0; 4];
    pub(crate) const ADDS_OLD: bool = false;
    pub(crate) const COUNTS: bool = false;
    const ROLLED: bool = false;
    /// The flag of the first block of a chunk (the BLAKE3 paper §2.2, Table 3).
    pub(crate) const CHUNK_START: u32 = 1 << 0;
    pub(crate) const FIRST_ONLY: u32 = CHUNK_START;

    /// What becomes of the state.
    #[derive(Clone, Copy, PartialEq)]
    pub(crate) enum Shape {
        /// The chaining value, in the first 8 of 12 words.
        Value,
        /// A block of extended output, 16 words, after one block.
        Block,
    }
    pub(crate) const fn extends(shape: Shape) -> bool {
        matches!(shape, Shape::Block)
    }
}

}
