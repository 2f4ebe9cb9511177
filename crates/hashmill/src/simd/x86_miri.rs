//! The AVX-512 intrinsics that Miri does not implement, in terms of others that it does.

// One name for both widths, because the operations on single bits are the same for words of any
// width.
pub(crate) use core::arch::x86_64::{
    _mm_ternarylogic_epi32 as _mm_ternarylogic_epi64,
    _mm256_ternarylogic_epi32 as _mm256_ternarylogic_epi64,
    _mm512_ternarylogic_epi32 as _mm512_ternarylogic_epi64,
};

use core::arch::x86_64::*;

#[target_feature(enable = "avx512f")]
pub(crate) fn _mm512_srl_epi32(a: __m512i, count: __m128i) -> __m512i {
    _mm512_srlv_epi32(a, _mm512_broadcastd_epi32(count))
}

#[target_feature(enable = "avx512f")]
pub(crate) fn _mm512_srl_epi64(a: __m512i, count: __m128i) -> __m512i {
    _mm512_srlv_epi64(a, _mm512_broadcastq_epi64(count))
}
