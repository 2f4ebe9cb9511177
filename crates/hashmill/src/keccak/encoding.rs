//! Encodings before and after a sponge's message: integers as bytes, and zeros up to whole blocks
//! (SP 800-185 §2.3, RFC 9861 §3.3).

#![forbid(unsafe_code)]

use super::{Keccak, MAX_RATE, Shape, Sponge};
use crate::backend::Runnable;
use crate::buffer::Blocks;
use crate::stream::Sequential;

/// An integer in the fewest bytes, highest byte first, with the number of these bytes before or
/// after it.
#[derive(Clone, Copy)]
pub struct Encoded {
    /// The integer in bytes 1 to 16. The number of its bytes is written directly before its highest
    /// byte, and after it in byte 17.
    bytes: [u8; 18],
    start: usize,
    end: usize,
}

impl Encoded {
    /// Computes left_encode (SP 800-185 §2.3.1): the number of bytes, at least one, then the bytes.
    pub const fn left(x: u128) -> Self {
        // `x | 1` has as many bytes as `x`, but at least one, because 0 is written as a byte.
        let len = Self::len(x | 1);
        Encoded { bytes: Self::between_lengths(x, len), start: 16 - len, end: 17 }
    }

    /// Computes right_encode (SP 800-185 §2.3.1): the bytes, at least one, then their number.
    pub const fn right(x: u128) -> Self {
        let len = Self::len(x | 1);
        Encoded { bytes: Self::between_lengths(x, len), start: 17 - len, end: 18 }
    }

    /// Computes length_encode (RFC 9861 §3.3): the bytes, none for 0, then their number.
    pub const fn length(x: u128) -> Self {
        let len = Self::len(x);
        Encoded { bytes: Self::between_lengths(x, len), start: 17 - len, end: 18 }
    }

    const fn len(x: u128) -> usize {
        (u128::BITS - x.leading_zeros()).div_ceil(8) as usize
    }

    const fn between_lengths(x: u128, len: usize) -> [u8; 18] {
        let mut bytes = [0; 18];
        bytes.split_at_mut(1).1.split_at_mut(16).0.copy_from_slice(&x.to_be_bytes());
        bytes[16 - len] = len as u8;
        bytes[17] = len as u8;
        bytes
    }

    pub const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.end).0.split_at(self.start).1
    }
}

impl Sponge {
    /// Absorbs the zeros that bytepad (SP 800-185 §2.3.3) appends to its string, up to the end of
    /// the block. Absorbs none if the last block is whole already.
    pub const fn fill_block(&mut self) {
        let waiting = self.buffer.waiting().len();
        if waiting > 0 {
            self.update_const([0; MAX_RATE].split_at(self.rate() - waiting).0);
        }
    }
}

/// A sponge that appends `trailer` to every message, before the padding.
pub struct Trailed<'s> {
    pub sponge: &'s Sponge,
    pub trailer: Encoded,
}

impl Sequential for Trailed<'_> {
    type Family = Keccak;

    fn blocks(&self) -> Blocks {
        self.sponge.blocks()
    }
    fn shape(&self) -> Shape {
        self.sponge.shape()
    }
    fn state(&self) -> [u64; 25] {
        self.sponge.state
    }
    fn waiting(&self) -> &[u8] {
        self.sponge.waiting()
    }
    const ENDS_ALIKE: bool = false;

    fn last(&self, _: usize, tail: &mut [u8], rest: usize, _: impl FnMut(usize, u64)) -> usize {
        let (rate, trailer) = (self.sponge.rate(), self.trailer.as_bytes());
        let end = rest + trailer.len();
        tail[rest..end].copy_from_slice(trailer);
        let whole = end / rate * rate;
        whole + self.sponge.pad(&mut tail[whole..], end - whole, 0, 0)
    }
    fn known(&self, _: &[u8]) {}
    fn output(&self, word: impl Fn(usize) -> u64, out: &mut [u8]) {
        self.sponge.output(word, out);
    }
    fn output_lanes(
        &self,
        backend: Runnable<Keccak>,
        states: &mut [u64],
        places: &mut [u8],
        sizes: [usize; 2],
    ) -> bool {
        self.sponge.output_lanes(backend, states, places, sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::Encoded;

    /// The examples of SP 800-185 §2.3.1 and RFC 9861 §3.3, and the integers around the limit of a
    /// byte.
    #[test]
    fn integers() {
        let left = |x, bytes: &[u8]| assert_eq!(Encoded::left(x).as_bytes(), bytes);
        let right = |x, bytes: &[u8]| assert_eq!(Encoded::right(x).as_bytes(), bytes);
        let length = |x, bytes: &[u8]| assert_eq!(Encoded::length(x).as_bytes(), bytes);
        left(0, &[1, 0]);
        right(0, &[0, 1]);
        length(0, &[0]);
        length(12, &[12, 1]);
        left(255, &[1, 255]);
        right(255, &[255, 1]);
        left(256, &[2, 1, 0]);
        right(256, &[1, 0, 2]);
        length(65538, &[1, 0, 2, 3]);
        let mut largest = [255; 17];
        largest[0] = 16;
        left(u128::MAX, &largest);
        largest.rotate_left(1);
        right(u128::MAX, &largest);
        length(u128::MAX, &largest);
    }
}
