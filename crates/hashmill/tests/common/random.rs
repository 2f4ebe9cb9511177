//! Pseudo-random numbers that are the same in every run.

/// The generator xorshift64* (Marsaglia).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed * 2 + 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number in `0..=max`.
    pub fn up_to(&mut self, max: usize) -> usize {
        (((self.next() >> 32) * (max as u64 + 1)) >> 32) as usize
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }

    /// Returns 0 to `max` bytes.
    pub fn some_bytes(&mut self, max: usize) -> Vec<u8> {
        let len = self.up_to(max);
        self.bytes(len)
    }

    /// Cuts `bytes` into pieces of 0 to `max` bytes.
    pub fn pieces<'a>(&mut self, mut bytes: &'a [u8], max: usize) -> Vec<&'a [u8]> {
        let mut pieces = Vec::new();
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(self.up_to(max).min(bytes.len()));
            pieces.push(piece);
            bytes = rest;
        }
        pieces
    }
}
