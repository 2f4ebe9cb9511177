//! The vectors of x86-64: AVX2 (256 bits), AVX-512VL (256 bits, with AVX-512's rotations and
//! ternary logic) and AVX-512 (512 bits).
//!
//! Memory is accessed only in the lines marked SAFETY, each through a reference to an array of the
//! whole width, so that the type checks the bounds.

#[cfg(miri)]
use super::x86_miri::{
    _mm_ternarylogic_epi64, _mm256_ternarylogic_epi64, _mm512_srl_epi32, _mm512_srl_epi64,
    _mm512_ternarylogic_epi64,
};
#[cfg(hashmill_msan)]
use super::x86_msan::{
    _mm_ternarylogic_epi64, _mm256_ternarylogic_epi32, _mm256_ternarylogic_epi64,
    _mm512_ternarylogic_epi32, _mm512_ternarylogic_epi64,
};
use core::arch::asm;
use core::arch::x86_64::*;

/// Declares the operations that differ between the words only in the name of an intrinsic. A macro
/// and not a generic type, because `#[target_feature]` needs a literal, and a function is inlined
/// only into a caller that has its target features.
macro_rules! vector {
    (
        $(#[$doc:meta])* $W:ident, $word:ident, $lanes:literal lanes in $registers:literal $vector:ident, $features:literal,
        load $load:ident, store $store:ident, splat $splat:ident as $signed:ident, xor $xor:ident,
        add $add:ident, shl $sll:ident, shr $srl:ident, gather $gathered:literal: rows $load_rows:ident, swap $swap:ident, transpose $transpose:ident
        $(, scatter $store_rows:ident)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $W(pub(crate) $vector);

        #[allow(dead_code, reason = "not every kernel needs it")]
        impl $W {
            pub const LANES: usize = $lanes;
            /// The registers that can contain a word.
            pub const REGISTERS: usize = $registers;
            /// The number of words that a gather loads from each lane.
            pub const GATHERED: usize = $gathered;
            /// Whether the words of a block stay in memory, because they exceed the registers.
            pub const IN_MEMORY: bool = false;
        }

        operations! { $features, $W {
            fn load_words(words: &[$word; $lanes]) -> Self {
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                $W(unsafe { $load(words.as_ptr().cast()) })
            }
            pub fn splat(word: $word) -> Self {
                $W($splat(word as $signed))
            }
            pub fn read(state: &[$word], at: usize) -> Self {
                Self::load_words(state[at * $lanes..].first_chunk().expect("a word of every lane"))
            }
            pub fn write(self, state: &mut [$word], at: usize) {
                let words: &mut [$word; $lanes] =
                    state[at * $lanes..].first_chunk_mut().expect("a word of every lane");
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                unsafe { $store(words.as_mut_ptr().cast(), self.0) }
            }
            pub fn gather_be<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; Self::GATHERED] {
                let mut rows = $load_rows(lanes, at);
                let mut i = 0;
                while i < Self::GATHERED {
                    rows[i] = $swap(rows[i]);
                    i += 1;
                }
                Self::transpose(rows)
            }
            pub fn gather_le<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; Self::GATHERED] {
                Self::transpose($load_rows(lanes, at))
            }
            pub fn gather_one_le<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> Self {
                let mut words = [0; $lanes];
                let mut lane = 0;
                while lane < $lanes {
                    let bytes = lanes[lane][at..].first_chunk().expect("a word of every lane");
                    words[lane] = $word::from_le_bytes(*bytes);
                    lane += 1;
                }
                Self::load_words(&words)
            }
            $(
            /// Writes the words, big-endian, to each lane's row from byte `at` on, but nothing from
            /// byte `len` on: the reverse of a gather.
            pub fn scatter_be(words: [Self; Self::GATHERED], rows: &mut [u8], stride: usize, at: usize, len: usize) {
                let mut swapped = words;
                let mut i = 0;
                while i < Self::GATHERED {
                    swapped[i] = $W($swap(words[i].0));
                    i += 1;
                }
                Self::scatter_le(swapped, rows, stride, at, len);
            }
            pub fn scatter_le(words: [Self; Self::GATHERED], rows: &mut [u8], stride: usize, at: usize, len: usize) {
                let mut vectors = [words[0].0; Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    vectors[i] = words[i].0;
                    i += 1;
                }
                $store_rows($transpose(vectors), rows, stride, at, len);
            }
            )?
            fn transpose(rows: [$vector; Self::GATHERED]) -> [Self; Self::GATHERED] {
                let columns = $transpose(rows);
                let mut words = [Self::splat(0); Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    words[i] = $W(columns[i]);
                    i += 1;
                }
                words
            }
            pub fn in_memory(_words: &mut [Self; 16]) {}
            pub fn add(self, b: Self) -> Self {
                $W($add(self.0, b.0))
            }
            pub fn add_first(self, b: Self) -> Self {
                self.add(b)
            }
            pub fn add_const(self, k: $word) -> Self {
                self.add(Self::splat(k))
            }
            pub fn xor(self, b: Self) -> Self {
                $W($xor(self.0, b.0))
            }
            pub fn xor_const(self, k: $word) -> Self {
                self.xor(Self::splat(k))
            }
            pub fn shr<const N: i32>(self) -> Self {
                self.shr_by(N)
            }
            // `BITS - N` cannot be an immediate in generic code. These two take a count that is
            // constant after inlining, and LLVM uses the immediate form.
            fn shr_by(self, n: i32) -> Self {
                $W($srl(self.0, _mm_cvtsi32_si128(n)))
            }
            fn shl_by(self, n: i32) -> Self {
                $W($sll(self.0, _mm_cvtsi32_si128(n)))
            }
        } }
    };
}

/// Pairs of 64-bit words: two successive words of each of half as many blocks as there are lanes.
/// So the schedule of a single message of SHA-512 fills a vector, because W[t] depends on nothing
/// newer than W[t - 2].
macro_rules! pairs {
    ($pairs:literal of $vector:ident, $features:literal, swap $swap:ident, align $align:ident,
     repeat $repeat:ident, |$blocks:ident, $at:ident| $load:expr) => {
        operations! { $features, U64 {
            /// Loads the big-endian words in 16 bytes of each block from byte `at`.
            pub fn pairs_be($blocks: &[&[u8; 128]; $pairs], $at: usize) -> Self {
                U64($swap($load))
            }
            /// Returns words `2 * i` and `2 * i + 1` in every pair of lanes.
            pub fn pair(words: &[u64], i: usize) -> Self {
                let words: &[u64; 2] = words[2 * i..].first_chunk().expect("a pair");
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                U64($repeat(unsafe { _mm_loadu_si128(words.as_ptr().cast()) }))
            }
            /// Returns the words of all lanes.
            pub fn words(self) -> [u64; Self::LANES] {
                let mut words = [0; Self::LANES];
                self.write(&mut words, 0);
                words
            }
            /// Returns the second word of each pair, and the first word of the pair in `next`.
            pub fn middle(self, next: Self) -> Self {
                U64($align::<8>(next.0, self.0))
            }
        } }
    };
}

/// The operations for which AVX2 needs several instructions, because it has neither rotations nor
/// ternary logic.
macro_rules! several_instructions {
    ($W:ident, $word:ident, sub $sub:ident, greater $greater:ident, rotate $v:ident { $($rotate:tt)* }) => {
        operations! { "avx2", $W {
            fn and(self, b: Self) -> Self {
                $W(_mm256_and_si256(self.0, b.0))
            }
            pub fn xor3(self, b: Self, c: Self) -> Self {
                self.xor(b).xor(c)
            }
            pub fn choose(self, f: Self, g: Self) -> Self {
                g.xor(self.and(f.xor(g)))
            }
            pub fn majority(self, b: Self, c: Self) -> Self {
                self.and(b).xor(c.and(self.xor(b)))
            }
            pub fn chi(self, b: Self, c: Self) -> Self {
                self.xor($W(_mm256_andnot_si256(b.0, c.0)))
            }
            /// A rotation by whole bytes is one shuffle, any other two shifts and an exclusive or.
            pub fn rotr<const N: i32>(self) -> Self {
                let $v = self.0;
                match N {
                    $($rotate)*
                    _ => self.shr_by(N).xor(self.shl_by($word::BITS as i32 - N)),
                }
            }
            pub fn rotl<const N: i32>(self) -> Self {
                self.shl_by(N).xor(self.shr_by($word::BITS as i32 - N))
            }
            /// The comparison is signed; flipping the top bits makes it unsigned.
            pub fn count(low: Self, high: Self, n: $word) -> (Self, Self) {
                const TOP: $word = 1 << ($word::BITS - 1);
                let sum = low.add_const(n);
                let carry = $greater(Self::splat(n ^ TOP).0, sum.xor_const(TOP).0);
                (sum, $W($sub(high.0, carry)))
            }
        } }
    };
}

/// The operations that AVX-512 has as one instruction. The immediates are truth tables: bit `4a +
/// 2b + c`.
macro_rules! one_instruction {
    ($W:ident, $word:ident, ternary $ternary:ident, rotr $ror:ident, rotl $rol:ident,
     less $less:ident, masked add $mask_add:ident) => {
        operations! { "avx512f,avx512bw,avx512vl", $W {
            pub fn xor3(self, b: Self, c: Self) -> Self {
                $W($ternary::<0x96>(self.0, b.0, c.0))
            }
            pub fn choose(self, f: Self, g: Self) -> Self {
                $W($ternary::<0xCA>(self.0, f.0, g.0))
            }
            pub fn majority(self, b: Self, c: Self) -> Self {
                $W($ternary::<0xE8>(self.0, b.0, c.0))
            }
            pub fn chi(self, b: Self, c: Self) -> Self {
                $W($ternary::<0xD2>(self.0, b.0, c.0))
            }
            pub fn rotr<const N: i32>(self) -> Self {
                $W($ror::<N>(self.0))
            }
            pub fn rotl<const N: i32>(self) -> Self {
                $W($rol::<N>(self.0))
            }
            pub fn count(low: Self, high: Self, n: $word) -> (Self, Self) {
                let sum = low.add_const(n);
                let carry = $less(sum.0, Self::splat(n).0);
                (sum, $W($mask_add(high.0, carry, high.0, Self::splat(1).0)))
            }
        } }
    };
}

/// The orders of bytes, from the highest, that rotate each word of 16 bytes to the right.
pub(crate) const ROTR32_8: u128 = 0x0C0F_0E0D_080B_0A09_0407_0605_0003_0201;
pub(crate) const ROTR32_16: u128 = 0x0D0C_0F0E_0908_0B0A_0504_0706_0100_0302;
pub(crate) const ROTR64_16: u128 = 0x0908_0F0E_0D0C_0B0A_0100_0706_0504_0302;
pub(crate) const ROTR64_24: u128 = 0x0A09_080F_0E0D_0C0B_0201_0007_0605_0403;
pub(crate) const ROTR64_32: u128 = 0x0B0A_0908_0F0E_0D0C_0302_0100_0706_0504;

/// An order of bytes for each half of a vector, hidden from the optimiser, which replaces a
/// rotation by a known order with two to four shuffles. BLAKE2b ×4 AVX2: 1.50 → 1.33 cycles a byte;
/// BLAKE2s ×8: 1.40 → 1.21.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn order(bytes: u128) -> __m256i {
    let (low, high) = (bytes as i64, (bytes >> 64) as i64);
    hidden(_mm256_set_epi64x(high, low, high, low))
}

/// Returns the same vector, of which the optimiser then knows nothing.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn hidden(mut v: __m256i) -> __m256i {
    if cfg!(any(miri, hashmill_msan)) {
        return v; // They know no assembly.
    }
    // SAFETY: the text contains no instruction.
    unsafe { asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
    v
}

/// Does the same as [`hidden`].
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn hidden128(v: __m128i) -> __m128i {
    _mm256_castsi256_si128(hidden(_mm256_castsi128_si256(v)))
}

/// Does the same as [`hidden`].
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn hidden512(mut v: __m512i) -> __m512i {
    if cfg!(any(miri, hashmill_msan)) {
        return v; // They know no assembly.
    }
    // SAFETY: the text contains no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
    v
}

/// AVX2: eight 32-bit or four 64-bit lanes.
pub(crate) mod avx2 {
    use super::*;

    rows! { U32, u32, #[target_feature(enable = "avx2")] }
    rows! { U64, u64, #[target_feature(enable = "avx2")] }

    vector! {
        /// Eight 32-bit lanes.
        U32, u32, 8 lanes in 16 __m256i, "avx2",
        load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi32 as i32,
        xor _mm256_xor_si256, add _mm256_add_epi32, shl _mm256_sll_epi32, shr _mm256_srl_epi32,
        gather 4: rows load_rows_u32x8, swap swap_u32x8, transpose transpose_u32x8,
        scatter store_rows_u32x8
    }
    several_instructions! {
        U32, u32, sub _mm256_sub_epi32, greater _mm256_cmpgt_epi32, rotate v {
            8 => U32(_mm256_shuffle_epi8(v, order(ROTR32_8))),
            16 => U32(_mm256_shuffle_epi8(v, order(ROTR32_16))),
        }
    }

    vector! {
        /// Four 64-bit lanes.
        U64, u64, 4 lanes in 16 __m256i, "avx2",
        load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi64x as i64,
        xor _mm256_xor_si256, add _mm256_add_epi64, shl _mm256_sll_epi64, shr _mm256_srl_epi64,
        gather 2: rows load_rows_u64x4, swap swap_u64x4, transpose transpose_u64x4,
        scatter store_rows_u64x4
    }
    pairs! {
        2 of __m256i, "avx2", swap swap_u64x4, align _mm256_alignr_epi8,
        repeat _mm256_broadcastsi128_si256, |blocks, at| {
            let low = _mm256_castsi128_si256(load_quarter(blocks[0], at));
            _mm256_inserti128_si256::<1>(low, load_quarter(blocks[1], at))
        }
    }
    several_instructions! {
        U64, u64, sub _mm256_sub_epi64, greater _mm256_cmpgt_epi64, rotate v {
            16 => U64(_mm256_shuffle_epi8(v, order(ROTR64_16))),
            24 => U64(_mm256_shuffle_epi8(v, order(ROTR64_24))),
            32 => U64(_mm256_shuffle_epi8(v, order(ROTR64_32))),
        }
    }
}

/// AVX-512VL: eight 32-bit or four 64-bit lanes with AVX-512's rotates and ternary logic.
pub(crate) mod avx512vl {
    use super::*;

    rows! { U32, u32, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }
    rows! { U64, u64, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }

    vector! {
        /// Eight 32-bit lanes.
        U32, u32, 8 lanes in 32 __m256i, "avx512f,avx512bw,avx512vl",
        load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi32 as i32,
        xor _mm256_xor_si256, add _mm256_add_epi32, shl _mm256_sll_epi32, shr _mm256_srl_epi32,
        gather 4: rows load_rows_u32x8, swap swap_u32x8, transpose transpose_u32x8,
        scatter store_rows_u32x8
    }
    one_instruction! {
        U32, u32, ternary _mm256_ternarylogic_epi32, rotr _mm256_ror_epi32, rotl _mm256_rol_epi32,
        less _mm256_cmplt_epu32_mask, masked add _mm256_mask_add_epi32
    }

    vector! {
        /// Four 64-bit lanes.
        U64, u64, 4 lanes in 32 __m256i, "avx512f,avx512bw,avx512vl",
        load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi64x as i64,
        xor _mm256_xor_si256, add _mm256_add_epi64, shl _mm256_sll_epi64, shr _mm256_srl_epi64,
        gather 2: rows load_rows_u64x4, swap swap_u64x4, transpose transpose_u64x4,
        scatter store_rows_u64x4
    }
    one_instruction! {
        U64, u64, ternary _mm256_ternarylogic_epi64, rotr _mm256_ror_epi64, rotl _mm256_rol_epi64,
        less _mm256_cmplt_epu64_mask, masked add _mm256_mask_add_epi64
    }
}

/// AVX-512VL on one lane, the low word of a vector. It is for kernels with more words than the 15
/// scalar registers, but not more than the 32 vector registers.
pub(crate) mod avx512one {
    use super::*;

    impl U64 {
        /// Digests are transposed only in several lanes.
        pub const ROWS: Option<[crate::simd::rows::Rows<u64>; 2]> = None;
    }

    vector! {
        /// One 64-bit lane.
        U64, u64, 1 lanes in 32 __m128i, "avx512f,avx512bw,avx512vl",
        load _mm_loadl_epi64, store _mm_storel_epi64, splat _mm_set1_epi64x as i64,
        xor _mm_xor_si128, add _mm_add_epi64, shl _mm_sll_epi64, shr _mm_srl_epi64,
        gather 1: rows load_rows_u64x1, swap swap_u64x1, transpose transpose_u64x1
    }
    one_instruction! {
        U64, u64, ternary _mm_ternarylogic_epi64, rotr _mm_ror_epi64, rotl _mm_rol_epi64,
        less _mm_cmplt_epu64_mask, masked add _mm_mask_add_epi64
    }
}

/// AVX-512: sixteen 32-bit or eight 64-bit lanes.
pub(crate) mod avx512 {
    use super::*;

    rows! { U32, u32, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }
    rows! { U64, u64, #[target_feature(enable = "avx512f,avx512bw,avx512vl")] }

    vector! {
        /// Sixteen 32-bit lanes.
        U32, u32, 16 lanes in 32 __m512i, "avx512f,avx512bw,avx512vl",
        load _mm512_loadu_si512, store _mm512_storeu_si512, splat _mm512_set1_epi32 as i32,
        xor _mm512_xor_si512, add _mm512_add_epi32, shl _mm512_sll_epi32, shr _mm512_srl_epi32,
        gather 4: rows load_rows_u32x16, swap swap_u32x16, transpose transpose_u32x16,
        scatter store_rows_u32x16
    }
    one_instruction! {
        U32, u32, ternary _mm512_ternarylogic_epi32, rotr _mm512_ror_epi32, rotl _mm512_rol_epi32,
        less _mm512_cmplt_epu32_mask, masked add _mm512_mask_add_epi32
    }

    vector! {
        /// Eight 64-bit lanes.
        U64, u64, 8 lanes in 32 __m512i, "avx512f,avx512bw,avx512vl",
        load _mm512_loadu_si512, store _mm512_storeu_si512, splat _mm512_set1_epi64 as i64,
        xor _mm512_xor_si512, add _mm512_add_epi64, shl _mm512_sll_epi64, shr _mm512_srl_epi64,
        gather 8: rows load_rows_u64x8, swap swap_u64x8, transpose transpose_u64x8,
        scatter store_rows_u64x8
    }
    pairs! {
        4 of __m512i, "avx512f,avx512bw,avx512vl", swap swap_u64x8, align _mm512_alignr_epi8,
        repeat _mm512_broadcast_i32x4, |blocks, at| {
            let row = _mm512_castsi128_si512(load_quarter(blocks[0], at));
            let row = _mm512_inserti32x4::<1>(row, load_quarter(blocks[1], at));
            let row = _mm512_inserti32x4::<2>(row, load_quarter(blocks[2], at));
            _mm512_inserti32x4::<3>(row, load_quarter(blocks[3], at))
        }
    }
    one_instruction! {
        U64, u64, ternary _mm512_ternarylogic_epi64, rotr _mm512_ror_epi64, rotl _mm512_rol_epi64,
        less _mm512_cmplt_epu64_mask, masked add _mm512_mask_add_epi64
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_u32x8(v: __m256i) -> __m256i {
    const ORDER: [i64; 2] = [0x0405_0607_0001_0203, 0x0C0D_0E0F_0809_0A0B];
    _mm256_shuffle_epi8(v, _mm256_set_epi64x(ORDER[1], ORDER[0], ORDER[1], ORDER[0]))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn swap_u64x4(v: __m256i) -> __m256i {
    const ORDER: [i64; 2] = [0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F];
    _mm256_shuffle_epi8(v, _mm256_set_epi64x(ORDER[1], ORDER[0], ORDER[1], ORDER[0]))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_u32x16(v: __m512i) -> __m512i {
    const ORDER: [i64; 2] = [0x0405_0607_0001_0203, 0x0C0D_0E0F_0809_0A0B];
    let [a, b] = ORDER;
    _mm512_shuffle_epi8(v, _mm512_set_epi64(b, a, b, a, b, a, b, a))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_u64x8(v: __m512i) -> __m512i {
    const ORDER: [i64; 2] = [0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F];
    let [a, b] = ORDER;
    _mm512_shuffle_epi8(v, _mm512_set_epi64(b, a, b, a, b, a, b, a))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn swap_u64x1(v: __m128i) -> __m128i {
    _mm_shuffle_epi8(v, _mm_set1_epi64x(0x0001_0203_0405_0607))
}

/// Loads eight bytes of the only lane.
#[inline]
#[target_feature(enable = "sse2")]
fn load_rows_u64x1<const N: usize>(lanes: &[&[u8; N]; 1], at: usize) -> [__m128i; 1] {
    let bytes: &[u8; 8] = lanes[0][at..].first_chunk().expect("8 bytes of the lane");
    // SAFETY: the reference covers what is loaded; no alignment is asked for.
    [unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }]
}

#[inline]
fn transpose_u64x1(rows: [__m128i; 1]) -> [__m128i; 1] {
    rows
}

// A gather loads 16 bytes from every lane. The bytes of lane l become quarter l / 4 of row l % 4
// (for 64-bit words l / 2 and l % 2). Each costs one insertion from memory, on either vector port,
// and only a small transposition within each quarter remains. A transposition of whole vectors
// would use only the port that shuffles, while the other port is idle: SHA-256 ×16 3.75 → 4.0 GB/s.

/// Loads 16 bytes of a lane's input from byte `at`.
#[inline]
#[target_feature(enable = "sse2")]
fn load_quarter<const N: usize>(lane: &[u8; N], at: usize) -> __m128i {
    let bytes: &[u8; 16] = lane[at..].first_chunk().expect("16 bytes of every lane");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Loads rows of 256 bits: row r contains lanes r and r + R.
macro_rules! load_rows_256 {
    ($name:ident, $rows:literal, $lanes:literal) => {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [__m256i; $rows] {
            let mut rows = [_mm256_setzero_si256(); $rows];
            let mut r = 0;
            while r < $rows {
                let low = _mm256_castsi128_si256(load_quarter(lanes[r], at));
                rows[r] = _mm256_inserti128_si256::<1>(low, load_quarter(lanes[r + $rows], at));
                r += 1;
            }
            rows
        }
    };
}
load_rows_256!(load_rows_u32x8, 4, 8);
load_rows_256!(load_rows_u64x4, 2, 4);

/// Loads rows of 512 bits: row r contains lanes r, r + 4, r + 8 and r + 12.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_rows_u32x16<const N: usize>(lanes: &[&[u8; N]; 16], at: usize) -> [__m512i; 4] {
    let mut rows = [_mm512_setzero_si512(); 4];
    let mut r = 0;
    while r < 4 {
        let row = _mm512_castsi128_si512(load_quarter(lanes[r], at));
        let row = _mm512_inserti32x4::<1>(row, load_quarter(lanes[r + 4], at));
        let row = _mm512_inserti32x4::<2>(row, load_quarter(lanes[r + 8], at));
        rows[r] = _mm512_inserti32x4::<3>(row, load_quarter(lanes[r + 12], at));
        r += 1;
    }
    rows
}

/// Loads rows of 512 bits: row l contains 64 bytes of lane l.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_rows_u64x8<const N: usize>(lanes: &[&[u8; N]; 8], at: usize) -> [__m512i; 8] {
    let mut rows = [_mm512_setzero_si512(); 8];
    let mut lane = 0;
    while lane < 8 {
        let bytes: &[u8; 64] = lanes[lane][at..].first_chunk().expect("64 bytes of every lane");
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        rows[lane] = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        lane += 1;
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_u64x8(r: [__m512i; 8]) -> [__m512i; 8] {
    let mut s = r;
    let mut i = 0;
    while i < 8 {
        s[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
        s[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
        i += 2;
    }
    let even = transpose_quarters([s[0], s[2], s[4], s[6]]);
    let odd = transpose_quarters([s[1], s[3], s[5], s[7]]);
    [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
}

/// Transposes four rows of four quarters of 128 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_quarters(r: [__m512i; 4]) -> [__m512i; 4] {
    let low = [
        _mm512_shuffle_i32x4::<0b01_00_01_00>(r[0], r[1]),
        _mm512_shuffle_i32x4::<0b01_00_01_00>(r[2], r[3]),
    ];
    let high = [
        _mm512_shuffle_i32x4::<0b11_10_11_10>(r[0], r[1]),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(r[2], r[3]),
    ];
    [
        _mm512_shuffle_i32x4::<0b10_00_10_00>(low[0], low[1]),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(low[0], low[1]),
        _mm512_shuffle_i32x4::<0b10_00_10_00>(high[0], high[1]),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(high[0], high[1]),
    ]
}

/// Transposes two words of each lane within every quarter.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_u64x4(r: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_unpacklo_epi64(r[0], r[1]), _mm256_unpackhi_epi64(r[0], r[1])]
}

/// Transposes four words of each lane within every quarter.
macro_rules! transpose_u32 {
    ($name:ident, $vector:ident, $features:literal,
     $low32:ident, $high32:ident, $low64:ident, $high64:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $name(r: [$vector; 4]) -> [$vector; 4] {
            let low = [$low32(r[0], r[1]), $low32(r[2], r[3])];
            let high = [$high32(r[0], r[1]), $high32(r[2], r[3])];
            [
                $low64(low[0], low[1]),
                $high64(low[0], low[1]),
                $low64(high[0], high[1]),
                $high64(high[0], high[1]),
            ]
        }
    };
}
transpose_u32!(
    transpose_u32x8,
    __m256i,
    "avx2",
    _mm256_unpacklo_epi32,
    _mm256_unpackhi_epi32,
    _mm256_unpacklo_epi64,
    _mm256_unpackhi_epi64
);
transpose_u32!(
    transpose_u32x16,
    __m512i,
    "avx512f",
    _mm512_unpacklo_epi32,
    _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi64,
    _mm512_unpackhi_epi64
);

// The reverse of a gather: after the transposition, each lane's bytes lie side by side.

/// Stores 16 bytes at the beginning of `place`.
#[inline]
#[target_feature(enable = "sse2")]
fn store_quarter(place: &mut [u8], bytes: __m128i) {
    let place: &mut [u8; 16] = place.first_chunk_mut().expect("16 bytes of every row");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm_storeu_si128(place.as_mut_ptr().cast(), bytes) }
}

/// Stores rows of 256 bits, as `load_rows_256` loads them.
macro_rules! store_rows_256 {
    ($name:ident, $rows:literal) => {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(r: [__m256i; $rows], rows: &mut [u8], stride: usize, at: usize, _len: usize) {
            let mut i = 0;
            while i < $rows {
                store_quarter(&mut rows[i * stride + at..], _mm256_castsi256_si128(r[i]));
                let high = _mm256_extracti128_si256::<1>(r[i]);
                store_quarter(&mut rows[(i + $rows) * stride + at..], high);
                i += 1;
            }
        }
    };
}
store_rows_256!(store_rows_u32x8, 4);
store_rows_256!(store_rows_u64x4, 2);

#[inline]
#[target_feature(enable = "avx512f")]
fn store_rows_u32x16(r: [__m512i; 4], rows: &mut [u8], stride: usize, at: usize, _len: usize) {
    let mut i = 0;
    while i < 4 {
        store_quarter(&mut rows[i * stride + at..], _mm512_castsi512_si128(r[i]));
        let quarter = _mm512_extracti32x4_epi32::<1>(r[i]);
        store_quarter(&mut rows[(i + 4) * stride + at..], quarter);
        let quarter = _mm512_extracti32x4_epi32::<2>(r[i]);
        store_quarter(&mut rows[(i + 8) * stride + at..], quarter);
        let quarter = _mm512_extracti32x4_epi32::<3>(r[i]);
        store_quarter(&mut rows[(i + 12) * stride + at..], quarter);
        i += 1;
    }
}

/// Stores rows of 512 bits, of which the last may be cut off at byte `len`, a multiple of 16.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_rows_u64x8(r: [__m512i; 8], rows: &mut [u8], stride: usize, at: usize, len: usize) {
    let mut lane = 0;
    while lane < 8 {
        let row = &mut rows[lane * stride + at..];
        if len - at >= 64 {
            let row: &mut [u8; 64] = row.first_chunk_mut().expect("64 bytes of every row");
            // SAFETY: the reference covers the whole vector; no alignment is asked for.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), r[lane]) }
        } else {
            store_quarter(row, _mm512_castsi512_si128(r[lane]));
            if len - at >= 32 {
                store_quarter(&mut row[16..], _mm512_extracti32x4_epi32::<1>(r[lane]));
            }
            if len - at >= 48 {
                store_quarter(&mut row[32..], _mm512_extracti32x4_epi32::<2>(r[lane]));
            }
        }
        lane += 1;
    }
}
