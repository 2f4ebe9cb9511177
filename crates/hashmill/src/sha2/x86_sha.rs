//! SHA-256 with the x86 SHA instructions. It hashes one message at 1.75 GB/s, where the stamped
//! kernels reach 0.45 GB/s (BMI2, one lane) and 1.55 GB/s (AVX2, eight lanes together).

use super::constants::w32::K;
use crate::backend::{Input, lanes};
use core::arch::x86_64::*;

/// The state as the instructions keep it: `abef` and `cdgh`, highest word first.
type Halves = [__m128i; 2];
/// The sixteen words of a block.
type Message = [__m128i; 4];

/// Absorbs every block (FIPS 180-4 §6.2.2).
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb(state: &mut [u32], _: (), input: &Input<'_>) {
    blocks::<1>(state, input);
}

/// Absorbs every block of two messages. The instruction for two rounds has a latency of four
/// cycles, but with two messages another one can begin every three cycles (Xeon). So two blocks
/// take 225 cycles instead of 266; the lower limit is 192.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb_two(state: &mut [u32], _: (), input: &Input<'_>) {
    blocks::<2>(state, input);
}

#[inline]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn blocks<const N: usize>(state: &mut [u32], input: &Input<'_>) {
    let lanes = lanes::<N>(input);
    let mut halves = load_state::<N>(state);
    let mut block = 0;
    while block < input.blocks {
        let mut message = [[_mm_setzero_si128(); 4]; N];
        let mut lane = 0;
        while lane < N {
            message[lane] = whole(&lanes[lane][block * input.stride..]);
            lane += 1;
        }
        halves = compress::<N, false>(halves, message, &K);
        block += 1;
    }
    store_state(halves, state);
}

/// Absorbs `last`, the end of a message of `count` bytes, and the padding. `last` may contain whole
/// blocks. The state stays in registers from the first block to the last.
///
/// The last bytes are not copied to a padded block in memory. A load that spans several stores
/// waits about 12 cycles until all of them have reached the cache, and successive short hashes,
/// which could overlap, wait for it. So the last, incomplete 16 bytes are loaded from the message
/// together with the bytes before them, and a shuffle moves them to their place. This takes 33 to
/// 36 ns for messages of 8 to 55 bytes; with a copy it took 52 ns.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb_last(state: &mut [u32], last: &[u8], count: u128) {
    let (blocks, rest) = (last.len() / 64, last.len() % 64);
    let padded = blocks + if rest < 56 { 1 } else { 2 };
    let bits = 8 * count as u64;
    let length = _mm_set_epi32(bits as i32, (bits >> 32) as i32, 0, 0);
    let mut halves = load_state::<1>(state);
    let mut block = 0;
    // `compress` is called at one place, so that it is inlined: the state stays in registers.
    while block < padded {
        let mut message = [_mm_setzero_si128(); 4];
        if block < blocks {
            message = whole(&last[64 * block..]);
        } else if block == blocks {
            message = part_of_block(&last[64 * blocks..]);
        }
        if block + 1 == padded {
            message[3] = _mm_or_si128(message[3], length);
        }
        halves = compress::<1, false>(halves, [message], &K);
        block += 1;
    }
    store_state(halves, state);
}

/// Absorbs a block, and then a block of which K + W of every round are `known`: the padding, if it
/// is a block of its own. That block has no message schedule to compute.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb_then_known(state: &mut [u32], block: &[u8], known: &[[u32; 16]; 4]) {
    then_known(state, [block], known);
}

/// The same for a block of each of two messages.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb_two_then_known(
    state: &mut [u32],
    blocks: &[&[u8]; 2],
    known: &[[u32; 16]; 4],
) {
    then_known(state, *blocks, known);
}

#[inline]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn then_known<const N: usize>(state: &mut [u32], blocks: [&[u8]; N], known: &[[u32; 16]; 4]) {
    let mut message = [[_mm_setzero_si128(); 4]; N];
    let mut lane = 0;
    while lane < N {
        message[lane] = whole(blocks[lane]);
        lane += 1;
    }
    store_state(compress::<N, true>(load_state(state), message, known), state);
}

/// Returns a block with the last bytes of a message, fewer than 64, and the one bit after them
/// (FIPS 180-4 §5.1.1).
#[inline]
#[target_feature(enable = "sse2,ssse3")]
fn part_of_block(bytes: &[u8]) -> Message {
    /// The 64 bytes from `64 - n` on are zero except for the one bit after `n` bytes.
    const ONE_BIT: [u8; 128] = {
        let mut bytes = [0; 128];
        bytes[64] = 0x80;
        bytes
    };
    /// A shuffle by the 16 bytes from `n` on moves bytes down by `n` places and writes zeros after
    /// them.
    const DOWN: [u8; 32] = {
        let mut bytes = [0x80; 32];
        let mut i = 0;
        while i < 16 {
            bytes[i] = i as u8;
            i += 1;
        }
        bytes
    };
    let len = bytes.len();
    // The vector in which the bytes end: the last 16 bytes without those of the vector before.
    let last = match len {
        0..16 => short(bytes),
        _ => _mm_shuffle_epi8(load(bytes, len - 16), load(&DOWN, 16 - len % 16)),
    };
    let mut message = [_mm_setzero_si128(); 4];
    unroll!(I in 4 => {
        let at = 16 * I;
        if len >= at + 16 {
            message[I] = load(bytes, at);
        } else if len >= at {
            message[I] = last;
        }
        let one_bit = load(&ONE_BIT, 64 - len + at);
        message[I] = big_endian(_mm_or_si128(message[I], one_bit));
    });
    message
}

/// Hashes a message of 96 bytes: `start` is the state after the first 64 bytes, and `digest`
/// contains the words of the others. The digest of the message replaces them. HMAC's outer hash
/// and, in PBKDF2, its inner hash have this form.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn absorb_digest(start: &[u32], digest: &mut [u32]) {
    let padding = [_mm_set_epi32(0, 0, 0, 1 << 31), _mm_set_epi32(8 * 96, 0, 0, 0)];
    let message = [load_words(digest, 0), load_words(digest, 1), padding[0], padding[1]];
    store_state(compress::<1, false>(load_state(start), [message], &K), digest);
}

/// Returns fewer than 16 bytes with zeros after them. It loads the first and the last few bytes,
/// which may overlap.
#[inline]
#[target_feature(enable = "sse2")]
fn short(bytes: &[u8]) -> __m128i {
    let len = bytes.len();
    let (low, high) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The shift keeps those of the last eight bytes that are not among the first eight: 0 to 7
        // bytes.
        (u64::from_le_bytes(*first), (u64::from_le_bytes(*last) >> 8) >> (8 * (15 - len)))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        (u64::from(first) | u64::from(last) << (8 * (len - 4)), 0)
    } else if len > 0 {
        let byte = |i: usize| u64::from(bytes[i]) << (8 * i);
        (byte(0) | byte(len / 2) | byte(len - 1), 0)
    } else {
        (0, 0)
    };
    _mm_set_epi64x(high as i64, low as i64)
}

/// Computes the compression function for `N` blocks (FIPS 180-4 §6.2.2), and if `KNOWN`, for one more in
/// each lane of which K + W of every round are `known`.
#[inline]
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn compress<const N: usize, const KNOWN: bool>(
    before: [Halves; N],
    message: [Message; N],
    known: &[[u32; 16]; 4],
) -> [Halves; N] {
    let (mut s, mut w) = (before, message);
    unroll!(I in 16 => {
        let mut lane = 0;
        while lane < N {
            let w = &mut w[lane];
            if I / 4 != 0 {
                // W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16], four at a time.
                let w7 = _mm_alignr_epi8::<4>(w[(I + 3) % 4], w[(I + 2) % 4]);
                let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[I % 4], w[(I + 1) % 4]), w7);
                w[I % 4] = _mm_sha256msg2_epu32(sum, w[(I + 3) % 4]);
            }
            s[lane] = four_rounds(s[lane], _mm_add_epi32(w[I % 4], load_words(&K[I / 4], I % 4)));
            lane += 1;
        }
    });
    let mut after = add(s, before);
    if KNOWN {
        s = after;
        unroll!(I in 16 => {
            let mut lane = 0;
            while lane < N {
                s[lane] = four_rounds(s[lane], load_words(&known[I / 4], I % 4));
                lane += 1;
            }
        });
        after = add(s, after);
    }
    after
}

/// Computes four rounds. Each instruction computes two; after two instructions the halves are back
/// in their places.
#[inline]
#[target_feature(enable = "sha,sse2")]
fn four_rounds([abef, cdgh]: Halves, kw: __m128i) -> Halves {
    let cdgh = _mm_sha256rnds2_epu32(cdgh, abef, kw);
    [_mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0b00_00_11_10>(kw)), cdgh]
}

/// Adds the states before and after the rounds.
#[inline]
#[target_feature(enable = "sse2")]
fn add<const N: usize>(mut s: [Halves; N], before: [Halves; N]) -> [Halves; N] {
    let mut lane = 0;
    while lane < N {
        s[lane] = [
            _mm_add_epi32(s[lane][0], before[lane][0]),
            _mm_add_epi32(s[lane][1], before[lane][1]),
        ];
        lane += 1;
    }
    s
}

/// Loads the first block of `bytes`.
#[inline]
#[target_feature(enable = "sse2,ssse3")]
fn whole(bytes: &[u8]) -> Message {
    let bytes: &[u8; 64] = bytes.first_chunk().expect("a block");
    let mut message = [_mm_setzero_si128(); 4];
    unroll!(I in 4 => { message[I] = big_endian(load(bytes, 16 * I)); });
    message
}

#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn load_state<const N: usize>(state: &[u32]) -> [Halves; N] {
    let mut halves = [[_mm_setzero_si128(); 2]; N];
    if N == 1 {
        let badc = _mm_shuffle_epi32::<0b10_11_00_01>(load_words(state, 0));
        let hgfe = _mm_shuffle_epi32::<0b00_01_10_11>(load_words(state, 1));
        halves[0] = [_mm_alignr_epi8::<8>(badc, hgfe), _mm_blend_epi16::<0xF0>(hgfe, badc)];
        return halves;
    }
    // Word `w` of lane `l` is `state[2 * w + l]`.
    let mut half = 0;
    while half < 2 {
        let high = _mm_shuffle_epi32::<0b01_11_00_10>(load_words(state, half));
        let low = _mm_shuffle_epi32::<0b01_11_00_10>(load_words(state, half + 2));
        halves[0][half] = _mm_unpacklo_epi64(low, high);
        halves[1][half] = _mm_unpackhi_epi64(low, high);
        half += 1;
    }
    halves
}

#[inline]
#[target_feature(enable = "sse2,ssse3,sse4.1")]
fn store_state<const N: usize>(halves: [Halves; N], state: &mut [u32]) {
    if N == 1 {
        let abef = _mm_shuffle_epi32::<0b00_01_10_11>(halves[0][0]);
        let ghcd = _mm_shuffle_epi32::<0b10_11_00_01>(halves[0][1]);
        store_words(_mm_blend_epi16::<0xF0>(abef, ghcd), state, 0);
        store_words(_mm_alignr_epi8::<8>(ghcd, abef), state, 1);
        return;
    }
    let mut half = 0;
    while half < 2 {
        let (zero, one) = (halves[0][half], halves[1][half]);
        let high = _mm_shuffle_epi32::<0b01_00_11_10>(_mm_unpackhi_epi32(zero, one));
        let low = _mm_shuffle_epi32::<0b01_00_11_10>(_mm_unpacklo_epi32(zero, one));
        store_words(high, state, half);
        store_words(low, state, half + 2);
        half += 1;
    }
}

/// Loads words `4 * i` to `4 * i + 3`, in the order of the memory.
#[inline]
#[target_feature(enable = "sse2")]
fn load_words(words: &[u32], i: usize) -> __m128i {
    let words: &[u32; 4] = words[4 * i..].first_chunk().expect("four words");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_words(v: __m128i, words: &mut [u32], i: usize) {
    let words: &mut [u32; 4] = words[4 * i..].first_chunk_mut().expect("four words");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), v) }
}

/// Loads 16 bytes from byte `at` on.
#[inline]
#[target_feature(enable = "sse2")]
fn load(bytes: &[u8], at: usize) -> __m128i {
    let bytes: &[u8; 16] = bytes[at..].first_chunk().expect("sixteen bytes");
    // SAFETY: the reference covers the whole vector; no alignment is asked for.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Converts sixteen bytes of the message to four words.
#[inline]
#[target_feature(enable = "ssse3")]
fn big_endian(bytes: __m128i) -> __m128i {
    _mm_shuffle_epi8(bytes, _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203))
}
