//! The last bytes of messages, loaded under masks (AVX-512).

use super::x86::hidden;
use core::arch::x86_64::*;

/// Writes the first `written` bytes of the lines `around`, or some more, to the tail of every lane, the
/// first lane's at the beginning of `tails` and each other `room` bytes after the one before it. From
/// byte `at` of a tail on, the bytes of the lane take the place of zeros.
///
/// A mask selects the bytes that the lane has, so nothing outside it is read. `halves` is true if the
/// kernel loads 16 bytes at a time: a load does not wait for a recent store if it begins where that
/// begins or 16 bytes after that, so each half of a line is a store of its own.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn lay(
    lanes: &[&[u8]],
    at: usize,
    around: &[[u8; 64]],
    written: usize,
    tails: &mut [u8],
    room: usize,
    halves: bool,
) {
    let mut i = 0;
    while i < around.len() && 64 * i < written {
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        let around = unsafe { _mm512_loadu_si512(around[i].as_ptr().cast()) };
        let (start, mut place) = (64 * i, 64 * i);
        let (mut len, mut mask) = (0, 0);
        let mut lane = 0;
        while lane < lanes.len() {
            let bytes = lanes[lane];
            // Lanes of one length, which are usual, have one mask.
            if bytes.len() != len {
                len = bytes.len();
                mask = below((at + len).saturating_sub(start)) & !below(at.saturating_sub(start));
            }
            let from = bytes.as_ptr().wrapping_add(start).wrapping_sub(at);
            let bytes = match mask {
                // An empty slice may lie where no memory is. A load from there does nothing in hundreds of
                // cycles: 78 ns for each of 32 empty messages instead of 30 (SM3, Zen 4).
                0 => around,
                // SAFETY: only the bytes under the mask are loaded, and these are the lane's.
                _ => _mm512_or_si512(unsafe { _mm512_maskz_loadu_epi8(mask, from.cast()) }, around),
            };
            let line: &mut [u8; 64] = tails[place..].first_chunk_mut().expect("a line of a tail");
            if halves {
                let (low, high) = line.split_at_mut(32);
                // Without `hidden` the compiler would make one store of both.
                let upper = hidden(_mm512_extracti64x4_epi64::<1>(bytes));
                // SAFETY: each half of the line has 32 bytes; no alignment is asked for.
                unsafe {
                    _mm256_storeu_si256(low.as_mut_ptr().cast(), _mm512_castsi512_si256(bytes));
                    if 64 * i + 32 < written {
                        _mm256_storeu_si256(high.as_mut_ptr().cast(), upper);
                    }
                }
            } else {
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                unsafe { _mm512_storeu_si512(line.as_mut_ptr().cast(), bytes) }
            }
            place += room;
            lane += 1;
        }
        i += 1;
    }
}

/// Returns a mask of the first `n` of 64 bytes.
#[inline]
fn below(n: usize) -> u64 {
    // Two shifts, because one cannot be by 64.
    let n = n.min(64);
    !(u64::MAX << (n / 2) << n.div_ceil(2))
}

/// Copies the states of all lanes, one vector at a time: a load of a vector does not wait for a store
/// that covers it.
#[target_feature(enable = "avx512f")]
pub(crate) fn copy<W: Copy>(to: &mut [W], from: &[W]) {
    match size_of::<W>() {
        4 => copy_chunks::<W, 16>(to, from),
        _ => copy_chunks::<W, 8>(to, from),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn copy_chunks<W: Copy, const N: usize>(to: &mut [W], from: &[W]) {
    let (to, to_rest) = to.as_chunks_mut::<N>();
    let (from, from_rest) = from.as_chunks::<N>();
    // Loops by hand: an iterator's adapter is a call, where nothing is inlined between crates.
    let mut i = 0;
    while i < to.len().min(from.len()) {
        to[i] = from[i];
        i += 1;
    }
    let mut i = 0;
    while i < to_rest.len().min(from_rest.len()) {
        to_rest[i] = from_rest[i];
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Isa;

    /// Lanes of one length and of several, from every place of up to three lines on.
    #[test]
    fn tails_are_lines_with_messages_in_them() {
        if !Isa::detected().contains(Isa::AVX512) {
            return eprintln!("this CPU has no AVX-512");
        }
        let message: [u8; 192] = core::array::from_fn(|i| i as u8 | 1);
        let around = [[0x80; 64]; 3];
        for (lines, at) in (1..=3).flat_map(|lines| (0..64 * lines).map(move |at| (lines, at))) {
            let (most, room) = (64 * lines - at, 64 * lines + 64);
            for len in 0..=most {
                let lens = [len, len, most - len, len / 2];
                let lanes = lens.map(|len| &message[192 - len..]);
                let mut wanted = [0x55; 4 * 256];
                for (lane, tail) in lanes.iter().zip(wanted.chunks_exact_mut(room)) {
                    tail[..64 * lines].fill(0x80);
                    tail[at..].iter_mut().zip(*lane).for_each(|(byte, &of_lane)| *byte |= of_lane);
                }
                // Less may be asked for. Then not much more is written.
                for (halves, asked) in
                    [false, true].map(|it| [(it, 64 * lines), (it, at + len)]).concat()
                {
                    let mut tails = [0x55; 4 * 256];
                    // SAFETY: this CPU has AVX-512.
                    unsafe { lay(&lanes, at, &around[..lines], asked, &mut tails, room, halves) };
                    let written = asked.next_multiple_of(if halves { 32 } else { 64 });
                    let mut wanted = wanted;
                    wanted.chunks_exact_mut(room).for_each(|tail| tail[written..].fill(0x55));
                    assert_eq!(tails, wanted, "{asked} bytes from {at}");
                }
            }
        }
    }
}
