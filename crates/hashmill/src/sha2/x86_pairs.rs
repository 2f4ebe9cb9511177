//! SHA-512 on one message. The message schedules of two or four blocks are computed side by side in
//! vectors, each of which contains two words of every block. The rounds are computed in scalar
//! registers and load K + W from memory.
//!
//! | cycles a block, Zen 5 | four blocks, AVX-512 | two blocks, AVX2 | one lane, BMI2 |
//! |---|---|---|---|
//! | SHA-512, 64 KiB | 455 | 460 | 670 |
//! | one block | 500 | 500 | 697 |
//!
//! The rounds alone take 460 cycles: each round has 24 instructions, five of which form a chain of
//! dependent ones. The schedule takes nearly no more time, because it is computed beside the rounds
//! of the first block, and the rounds of the other blocks need only load it.

use super::constants::w64::K;
use super::kernel::w64::{self, bmi2};
use crate::backend::{Input, array_of, lanes};
use crate::simd::scalar;
use core::arch::asm;
use core::mem::MaybeUninit;

/// The working variables, and `b ^ c`, which the previous round computed as its `a ^ b`.
type Variables = [u64; 9];

/// Computes one round (FIPS 180-4 §6.4.2, step 3). It is written in assembly, because the compiler
/// makes 27 instructions of the stamped text where 24 suffice, and interleaves successive rounds
/// such that variables are moved from registers to memory: 600 → 460 cycles a block.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn round([a, b, c, mut d, e, f, g, h, bc]: Variables, kw: u64) -> Variables {
    if cfg!(any(miri, hashmill_msan)) {
        // Miri and MemorySanitizer cannot run assembly.
        let s = bmi2::round([a, b, c, d, e, f, g, h].map(scalar::U64), scalar::U64(kw));
        return begin(s.map(|word| word.0));
    }
    let mut h = h.wrapping_add(kw);
    let ab: u64;
    // SAFETY: the assembly uses registers alone, and instructions of the features above.
    unsafe {
        asm!(
            // h += Ch(e, f, g)
            "andn {t}, {e}, {g}",
            "mov {u}, {f}",
            "and {u}, {e}",
            "add {h}, {t}",
            "add {h}, {u}",
            // h += Σ1(e); d += h
            "rorx {t}, {e}, 41",
            "rorx {u}, {e}, 18",
            "xor {t}, {u}",
            "rorx {u}, {e}, 14",
            "xor {t}, {u}",
            "add {h}, {t}",
            "add {d}, {h}",
            // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c))
            "mov {ab}, {a}",
            "xor {ab}, {b}",
            "and {bc}, {ab}",
            "xor {bc}, {b}",
            // h += Σ0(a) + Maj
            "rorx {t}, {a}, 39",
            "rorx {u}, {a}, 34",
            "xor {t}, {u}",
            "rorx {u}, {a}, 28",
            "xor {t}, {u}",
            "add {h}, {bc}",
            "add {h}, {t}",
            a = in(reg) a, b = in(reg) b, d = inout(reg) d,
            e = in(reg) e, f = in(reg) f, g = in(reg) g, h = inout(reg) h,
            bc = inout(reg) bc => _, ab = out(reg) ab, t = out(reg) _, u = out(reg) _,
            options(pure, nomem, nostack)
        )
    };
    [h, a, b, c, d, e, f, g, ab]
}

/// Returns the working variables of a block's first round (FIPS 180-4 §6.4.2, step 2).
#[inline(always)]
fn begin([a, b, c, d, e, f, g, h]: [u64; 8]) -> Variables {
    [a, b, c, d, e, f, g, h, b ^ c]
}

/// Returns the state after a block (FIPS 180-4 §6.4.2, step 4).
#[inline(always)]
fn end(before: [u64; 8], s: Variables) -> [u64; 8] {
    let mut after = [0; 8];
    unroll!(I in 8 => { after[I] = before[I].wrapping_add(s[I]); });
    after
}

/// K + W of several blocks: element `t` contains words `2t` and `2t + 1` of the first block, then
/// those of the second, and so on. It is not cleared before its use, because that alone would take
/// as long as five rounds.
struct Schedule<const LANES: usize>([MaybeUninit<[u64; LANES]>; 40]);

impl<const LANES: usize> Schedule<LANES> {
    #[inline(always)]
    fn new() -> Self {
        Schedule([MaybeUninit::uninit(); 40])
    }
    #[inline(always)]
    fn set(&mut self, t: usize, pair: [u64; LANES]) {
        self.0[t] = MaybeUninit::new(pair);
    }
    #[inline(always)]
    fn word(&self, t: usize, word: usize) -> u64 {
        // SAFETY: `first` sets all pairs, and each before it is read.
        unsafe { self.0[t].assume_init_ref()[word] }
    }
}

kernel64_beside_scalar! { w64 {
    /// Computes words `2t` and `2t + 1` of the message schedule of every block (FIPS 180-4 §6.4.2,
    /// step 1). The caller writes them in place of pair `t - 8`.
    #[inline]
    fn next_pair(w: &[W; 8], t: usize) -> W {
        let w15 = w[t % 8].middle(w[(t + 1) % 8]);
        let w7 = w[(t + 4) % 8].middle(w[(t + 5) % 8]);
        w[t % 8].add(w7).add(kernel::small_sigma0(w15)).add(kernel::small_sigma1(w[(t + 7) % 8]))
    }

    /// Computes two rounds of block `block`.
    #[inline]
    fn rounds(s: Variables, kw: &Schedule<LANES>, t: usize, block: usize) -> Variables {
        round(round(s, kw.word(t, 2 * block)), kw.word(t, 2 * block + 1))
    }

    /// Absorbs the first of `blocks`, and computes K + W of all of them.
    #[inline]
    fn first(h: [Word; 8], blocks: &[&[u8; 128]; LANES / 2], kw: &mut Schedule<LANES>) -> [Word; 8] {
        let mut w = [W::splat(0); 8];
        unroll!(I in 8 => {
            w[I] = W::pairs_be(blocks, 16 * I);
            kw.set(I, w[I].add(W::pair(&K[0], I)).words());
        });
        let mut s = begin(h);
        let mut sixteen = 0;
        while sixteen < 4 {
            unroll!(I in 8 => {
                let t = 8 * sixteen + I;
                w[I] = next_pair(&w, I);
                kw.set(t + 8, w[I].add(W::pair(&K[sixteen + 1], I)).words());
                s = rounds(s, kw, t, 0);
            });
            sixteen += 1;
        }
        unroll!(I in 8 => { s = rounds(s, kw, 32 + I, 0); });
        end(h, s)
    }

    /// Absorbs block `block`, whose K + W are in `kw`.
    #[inline]
    fn next(h: [Word; 8], kw: &Schedule<LANES>, block: usize) -> [Word; 8] {
        let mut s = begin(h);
        let mut t = 0;
        while t < 40 {
            unroll!(I in 8 => { s = rounds(s, kw, t + I, block); });
            t += 8;
        }
        end(h, s)
    }

    /// Absorbs every block (FIPS 180-4 §6.4.2).
    pub(crate) fn absorb(state: &mut [Word], _: (), input: &Input<'_>) {
        let inputs = lanes::<1>(input);
        let state: &mut [Word; 8] = state.first_chunk_mut().expect("a state");
        let mut kw = Schedule::new();
        let mut block = 0;
        while block < input.blocks {
            let count = if input.blocks - block < LANES / 2 { input.blocks - block } else { LANES / 2 };
            let [one] = array_of(inputs, block * input.stride);
            let mut blocks = [one; LANES / 2];
            let mut i = 1;
            while i < count {
                [blocks[i]] = array_of(inputs, (block + i) * input.stride);
                i += 1;
            }
            *state = first(*state, &blocks, &mut kw);
            let mut i = 1;
            while i < count {
                *state = next(*state, &kw, i);
                i += 1;
            }
            block += count;
        }
    }
} }
