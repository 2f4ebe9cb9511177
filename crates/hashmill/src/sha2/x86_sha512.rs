//! SHA-512 with the x86 SHA-512 instructions (Intel SDM volume 2: VSHA512RNDS2, VSHA512MSG1,
//! VSHA512MSG2), which Arrow Lake and Lunar Lake were the first CPUs to have. No machine with these
//! instructions was available: the kernel is tested with a model of the instructions, and its speed
//! is not known.

use super::constants::w64::K;
use crate::backend::{Input, lanes};
use crate::simd::x86::avx2::U64;
use crate::simd::x86::swap_u64x4;
use core::arch::x86_64::*;

/// Defines the kernel over the three instructions. The tests replace the instructions by a model of
/// them.
macro_rules! kernel {
    ($features:literal, $rounds2:path, $message1:path, $message2:path) => {
        use super::*;

        /// Absorbs every block (FIPS 180-4 §6.4.2).
        #[target_feature(enable = $features)]
        pub(crate) fn absorb(state: &mut [u64], _: (), input: &Input<'_>) {
            let [bytes] = lanes::<1>(input);
            let mut halves = load_state(state);
            let mut block = 0;
            while block < input.blocks {
                let bytes: &[u8; 128] = bytes[block * input.stride..].first_chunk().expect("a block");
                halves = compress(halves, bytes);
                block += 1;
            }
            store_state(halves, state);
        }

        /// Computes the compression function (FIPS 180-4 §6.4.2). The instructions keep the state
        /// as `abef` and `cdgh`, highest word first. Each instruction computes two rounds. After
        /// two instructions the halves are back in their places.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress(before: [__m256i; 2], bytes: &[u8; 128]) -> [__m256i; 2] {
            let [mut abef, mut cdgh] = before;
            let mut w = [_mm256_setzero_si256(); 4];
            unroll!(I in 4 => { w[I] = swap_u64x4(load(bytes, I)); });
            let mut sixteen = 0;
            while sixteen < K.len() {
                unroll!(I in 4 => {
                    if sixteen > 0 {
                        // W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16], four at a time.
                        let next = _mm256_castsi256_si128(w[(I + 1) % 4]);
                        let w7 = after_first(w[(I + 2) % 4], w[(I + 3) % 4]);
                        let sum = _mm256_add_epi64($message1(w[I], next), w7);
                        w[I] = $message2(sum, w[(I + 3) % 4]);
                    }
                    let wk = _mm256_add_epi64(w[I], U64::read(&K[sixteen], I).0);
                    cdgh = $rounds2(cdgh, abef, _mm256_castsi256_si128(wk));
                    abef = $rounds2(abef, cdgh, _mm256_extracti128_si256::<1>(wk));
                });
                sixteen += 1;
            }
            [_mm256_add_epi64(abef, before[0]), _mm256_add_epi64(cdgh, before[1])]
        }
    };
}

mod instructions {
    kernel! { "avx2,sha512", _mm256_sha512rnds2_epi64, _mm256_sha512msg1_epi64, _mm256_sha512msg2_epi64 }
}
pub(crate) use instructions::absorb;

/// Returns the last three words of `words` and the first word of `next`.
#[inline]
#[target_feature(enable = "avx2")]
fn after_first(words: __m256i, next: __m256i) -> __m256i {
    let middle = _mm256_permute2x128_si256::<0x21>(words, next);
    _mm256_alignr_epi8::<8>(middle, words)
}

/// Converts the state from `abcd` and `efgh`, lowest word first, to `abef` and `cdgh`, highest word
/// first.
#[inline]
#[target_feature(enable = "avx2")]
fn load_state(state: &[u64]) -> [__m256i; 2] {
    let [abcd, efgh] = [U64::read(state, 0).0, U64::read(state, 1).0];
    let efab = _mm256_permute2x128_si256::<0x20>(efgh, abcd);
    let ghcd = _mm256_permute2x128_si256::<0x31>(efgh, abcd);
    [swap_pairs(efab), swap_pairs(ghcd)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_state([abef, cdgh]: [__m256i; 2], state: &mut [u64]) {
    let [efab, ghcd] = [swap_pairs(abef), swap_pairs(cdgh)];
    U64(_mm256_permute2x128_si256::<0x31>(efab, ghcd)).write(state, 0);
    U64(_mm256_permute2x128_si256::<0x20>(efab, ghcd)).write(state, 1);
}

/// Swaps the two words of each half.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_pairs(v: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(v)
}

/// Loads bytes `32 * i` to `32 * i + 31`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 128], i: usize) -> __m256i {
    let bytes: &[u8; 32] = bytes[32 * i..].first_chunk().expect("32 bytes");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2::kernel::w64::portable;
    use crate::simd::Isa;

    /// The pseudo-code of the Intel SDM, volume 2, on the words of the vectors, lowest word first.
    mod model {
        kernel! { "avx2", rounds2, message1, message2 }

        #[target_feature(enable = "avx2")]
        fn words(v: __m256i) -> [u64; 4] {
            let mut words = [0; 4];
            U64(v).write(&mut words, 0);
            words
        }

        #[target_feature(enable = "avx2")]
        fn low_words(v: __m128i) -> [u64; 2] {
            let [a, b, ..] = words(_mm256_castsi128_si256(v));
            [a, b]
        }

        fn small_sigma0(w: u64) -> u64 {
            w.rotate_right(1) ^ w.rotate_right(8) ^ w >> 7
        }

        fn small_sigma1(w: u64) -> u64 {
            w.rotate_right(19) ^ w.rotate_right(61) ^ w >> 6
        }

        /// VSHA512RNDS2.
        #[target_feature(enable = "avx2")]
        fn rounds2(cdgh: __m256i, abef: __m256i, wk: __m128i) -> __m256i {
            let [mut h, mut g, mut d, mut c] = words(cdgh);
            let [mut f, mut e, mut b, mut a] = words(abef);
            for wk in low_words(wk) {
                let choose = (e & f) ^ (!e & g);
                let big_sigma1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
                let t1 = choose.wrapping_add(big_sigma1).wrapping_add(wk).wrapping_add(h);
                let majority = (a & b) ^ (a & c) ^ (b & c);
                let big_sigma0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
                let t2 = majority.wrapping_add(big_sigma0);
                (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
                (d, c, b, a) = (c, b, a, t1.wrapping_add(t2));
            }
            U64::read(&[f, e, b, a], 0).0
        }

        /// VSHA512MSG1.
        #[target_feature(enable = "avx2")]
        fn message1(w: __m256i, next: __m128i) -> __m256i {
            let (w, [w4, _]) = (words(w), low_words(next));
            let after = [w[1], w[2], w[3], w4];
            let sums: [u64; 4] =
                core::array::from_fn(|i| w[i].wrapping_add(small_sigma0(after[i])));
            U64::read(&sums, 0).0
        }

        /// VSHA512MSG2.
        #[target_feature(enable = "avx2")]
        fn message2(sums: __m256i, last: __m256i) -> __m256i {
            let (sums, [_, _, w14, w15]) = (words(sums), words(last));
            let w16 = sums[0].wrapping_add(small_sigma1(w14));
            let w17 = sums[1].wrapping_add(small_sigma1(w15));
            let w18 = sums[2].wrapping_add(small_sigma1(w16));
            let w19 = sums[3].wrapping_add(small_sigma1(w17));
            U64::read(&[w16, w17, w18, w19], 0).0
        }
    }

    #[test]
    fn the_text_over_a_model_of_the_instructions() {
        assert!(Isa::detected().contains(Isa::AVX2), "this test needs a CPU with AVX2");
        let mut bytes = [0; 5 * 160];
        let mut random = 1u64;
        for byte in &mut bytes {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            *byte = (random >> 56) as u8;
        }
        for blocks in 0..=5 {
            let input = Input { lanes: &[&bytes], stride: 160, blocks, end: None };
            let mut expected = core::array::from_fn::<u64, 8, _>(|i| random.rotate_left(i as u32));
            let mut state = expected;
            portable::absorb(&mut expected, (), &input);
            // SAFETY: AVX2 was detected.
            unsafe { model::absorb(&mut state, (), &input) };
            assert_eq!(state, expected, "{blocks} blocks");
        }
    }
}
