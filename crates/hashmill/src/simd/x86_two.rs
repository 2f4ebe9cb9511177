//! Two vectors as one word: twice as many lanes, in two streams of instructions that do not depend
//! on each other.
//!
//! On AMD's Zen 5 a simple instruction on 512 bits has a latency of two cycles, and 3.4 of them
//! start in a cycle (rotations: 2). One stream of SHA-2 or BLAKE2 has too few independent
//! instructions to fill that time. Two streams have twice as many: SHA-256 0.69 → 0.52 cycles a
//! byte. Their words exceed the 32 registers, so the message schedule stays in memory.

use core::arch::asm;

/// Returns the two halves of the lanes.
#[inline(always)]
fn halves<'l, 'm, const N: usize, const LANES: usize, const HALF: usize>(
    lanes: &'l [&'m [u8; N]; LANES],
) -> [&'l [&'m [u8; N]; HALF]; 2] {
    let half = |at: usize| lanes[at..].first_chunk().expect("half of the lanes");
    [half(0), half(HALF)]
}

/// Declares a word of two vectors. Every operation is that of the vector, for both.
macro_rules! two {
    ($(#[$doc:meta])* $W:ident of $V:ident, $word:ident, $lanes:literal lanes, $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $W($V, $V);

        impl $W {
            pub const LANES: usize = $lanes;
            pub const GATHERED: usize = $V::GATHERED;
            /// Whether the words of a block stay in memory, because they exceed the registers.
            pub const IN_MEMORY: bool = true;
        }

        operations! { $features, $W {
            pub fn splat(word: $word) -> Self {
                $W($V::splat(word), $V::splat(word))
            }
            pub fn read(state: &[$word], at: usize) -> Self {
                $W($V::read(state, 2 * at), $V::read(state, 2 * at + 1))
            }
            pub fn write(self, state: &mut [$word], at: usize) {
                self.0.write(state, 2 * at);
                self.1.write(state, 2 * at + 1);
            }
            pub fn gather_be<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; Self::GATHERED] {
                let [first, second] = halves(lanes);
                Self::zip($V::gather_be(first, at), $V::gather_be(second, at))
            }
            pub fn gather_le<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; Self::GATHERED] {
                let [first, second] = halves(lanes);
                Self::zip($V::gather_le(first, at), $V::gather_le(second, at))
            }
            fn scatter_be(words: [Self; Self::GATHERED], rows: &mut [u8], stride: usize, at: usize, len: usize) {
                let [first, second] = Self::unzip(words);
                $V::scatter_be(first, rows, stride, at, len);
                $V::scatter_be(second, &mut rows[$V::LANES * stride..], stride, at, len);
            }
            fn scatter_le(words: [Self; Self::GATHERED], rows: &mut [u8], stride: usize, at: usize, len: usize) {
                let [first, second] = Self::unzip(words);
                $V::scatter_le(first, rows, stride, at, len);
                $V::scatter_le(second, &mut rows[$V::LANES * stride..], stride, at, len);
            }
            fn unzip(words: [Self; Self::GATHERED]) -> [[$V; Self::GATHERED]; 2] {
                let mut halves = [[$V::splat(0); Self::GATHERED]; 2];
                let mut i = 0;
                while i < Self::GATHERED {
                    halves[0][i] = words[i].0;
                    halves[1][i] = words[i].1;
                    i += 1;
                }
                halves
            }
            fn zip(first: [$V; Self::GATHERED], second: [$V; Self::GATHERED]) -> [Self; Self::GATHERED] {
                let mut words = [Self::splat(0); Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    words[i] = $W(first[i], second[i]);
                    i += 1;
                }
                words
            }
            /// Makes the compiler believe that the words are read and written here, so that it
            /// keeps them in memory. It would move them through registers that the working
            /// variables need: SHA-256 0.60 → 0.52 cycles a byte.
            pub fn in_memory(words: &mut [Self; 16]) {
                if cfg!(not(any(miri, hashmill_msan))) {
                    // SAFETY: the text contains no instruction.
                    unsafe { asm!("/* {} */", in(reg) words, options(nostack, preserves_flags)) }
                }
            }
            pub fn add(self, b: Self) -> Self {
                $W(self.0.add(b.0), self.1.add(b.1))
            }
            /// Does the same as `add`. The sums of both vectors are hidden from the optimiser, which
            /// would compute a + m + b as (a + b) + m, though b is the last to be known, and one
            /// vector far ahead of the other: BLAKE2s 0.45 → 0.42 cycles a byte.
            pub fn add_first(self, b: Self) -> Self {
                let sum = self.add(b);
                let (mut first, mut second) = (sum.0.0, sum.1.0);
                if cfg!(not(any(miri, hashmill_msan))) {
                    // SAFETY: the text contains no instruction.
                    unsafe {
                        asm!("/* {} {} */", inout(zmm_reg) first, inout(zmm_reg) second,
                            options(pure, nomem, nostack, preserves_flags))
                    }
                }
                $W($V(first), $V(second))
            }
            pub fn add_const(self, k: $word) -> Self {
                self.add(Self::splat(k))
            }
            pub fn xor(self, b: Self) -> Self {
                $W(self.0.xor(b.0), self.1.xor(b.1))
            }
            pub fn xor_const(self, k: $word) -> Self {
                self.xor(Self::splat(k))
            }
            pub fn xor3(self, b: Self, c: Self) -> Self {
                $W(self.0.xor3(b.0, c.0), self.1.xor3(b.1, c.1))
            }
            pub fn choose(self, f: Self, g: Self) -> Self {
                $W(self.0.choose(f.0, g.0), self.1.choose(f.1, g.1))
            }
            pub fn majority(self, b: Self, c: Self) -> Self {
                $W(self.0.majority(b.0, c.0), self.1.majority(b.1, c.1))
            }
            pub fn rotr<const N: i32>(self) -> Self {
                $W(self.0.rotr::<N>(), self.1.rotr::<N>())
            }
            pub fn shr<const N: i32>(self) -> Self {
                $W(self.0.shr::<N>(), self.1.shr::<N>())
            }
            pub fn count(low: Self, high: Self, n: $word) -> (Self, Self) {
                let first = $V::count(low.0, high.0, n);
                let second = $V::count(low.1, high.1, n);
                ($W(first.0, second.0), $W(first.1, second.1))
            }
        } }
    };
}

/// Two vectors of AVX-512.
pub(crate) mod avx512 {
    use super::*;
    use crate::simd::x86::avx512::{U32 as V32, U64 as V64};

    rows! { U32, u32, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }
    rows! { U64, u64, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }

    two! {
        /// 32 lanes of 32 bits.
        U32 of V32, u32, 32 lanes, "avx512f,avx512bw,avx512vl"
    }
    two! {
        /// 16 lanes of 64 bits.
        U64 of V64, u64, 16 lanes, "avx512f,avx512bw,avx512vl"
    }
}
