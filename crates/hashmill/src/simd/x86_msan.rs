//! AVX-512's ternary logic in terms of operations that MemorySanitizer can follow. It does not know
//! the instruction itself, and would report every secret in it.

use core::arch::x86_64::*;

macro_rules! ternary {
    ($($name:ident)*: $vector:ident, $features:literal, $xor:ident $and:ident $or:ident, $ones:expr) => { $(
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn $name<const TABLE: i32>(a: $vector, b: $vector, c: $vector) -> $vector {
            let mut result = $xor(a, a);
            for row in (0..8).filter(|row| TABLE >> row & 1 == 1) {
                let mut all = $ones;
                for (bit, v) in [(4, a), (2, b), (1, c)] {
                    all = $and(all, if row & bit != 0 { v } else { $xor(v, $ones) });
                }
                result = $or(result, all);
            }
            result
        }
    )* };
}

ternary!(
    _mm_ternarylogic_epi32 _mm_ternarylogic_epi64: __m128i, "sse2",
    _mm_xor_si128 _mm_and_si128 _mm_or_si128, _mm_set1_epi8(-1)
);
ternary!(
    _mm256_ternarylogic_epi32 _mm256_ternarylogic_epi64: __m256i, "avx2",
    _mm256_xor_si256 _mm256_and_si256 _mm256_or_si256, _mm256_set1_epi8(-1)
);
ternary!(
    _mm512_ternarylogic_epi32 _mm512_ternarylogic_epi64: __m512i, "avx512f",
    _mm512_xor_si512 _mm512_and_si512 _mm512_or_si512, _mm512_set1_epi32(-1)
);
