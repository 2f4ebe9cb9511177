//! The block buffer: it turns any sequence of updates into runs of whole blocks. Everything is
//! `const`, so that hashing at compile time and at run time share this code.

use core::ops::RangeInclusive;

/// The bytes of an incomplete block.
#[derive(Clone, Copy)]
pub(crate) struct Buffer<const CAPACITY: usize> {
    bytes: [u8; CAPACITY],
    /// The number of bytes in the buffer. It has 16 bits, so that a Keccak stream has 376 bytes and
    /// not 392.
    len: u16,
    /// The number of leading bytes that the last [`next`](Buffer::next) returned.
    taken: u16,
}

/// The layout of the blocks that a block function takes from a buffer.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// Bytes in a block.
    pub len: usize,
    /// The number of bytes that must follow a block before it may be absorbed: 0 if any complete
    /// block may be absorbed, 1 if the last block is absorbed differently (BLAKE2), more if several
    /// last blocks are (its trees).
    pub lookahead: usize,
    /// The least number of bytes of padding.
    pub padding: usize,
}

impl Blocks {
    /// Returns how many blocks have been absorbed after `count` bytes. The other bytes are in the
    /// buffer.
    pub const fn absorbed(self, count: u128) -> u128 {
        if count < (self.len + self.lookahead) as u128 {
            0
        } else {
            (count - self.lookahead as u128) / self.len as u128
        }
    }

    /// Returns how many blocks a message of `len` bytes has with the least padding.
    pub const fn of(self, len: usize) -> usize {
        (len + self.padding).div_ceil(self.len)
    }

    /// Returns how many blocks a message of `len` bytes has without padding, and how many in all. An
    /// empty message of BLAKE2 has a block, too.
    fn counts(self, len: usize) -> [usize; 2] {
        [len.saturating_sub(self.lookahead) / self.len, self.of(len).max(1)]
    }

    /// Returns a number that two messages share if they have as many blocks, with padding and without.
    /// It is greater for more blocks.
    pub fn class(self, len: usize) -> usize {
        let [whole, all] = self.counts(len);
        // One block or two contain padding.
        2 * all + usize::from(all - whole == 1)
    }

    /// Returns the lengths of all messages of the same [class](Self::class). A range, because divisions
    /// for each message took about a fifth of the time of a batch of messages of one block (SHA-256 in 16
    /// lanes, Xeon).
    pub fn alike(self, len: usize) -> RangeInclusive<usize> {
        let [whole, all] = self.counts(len);
        let Blocks { len: block, lookahead, padding } = self;
        let shortest = if whole == 0 { 0 } else { whole * block + lookahead };
        let first = if all == 1 { 0 } else { (all - 1) * block + 1 - padding };
        let (longest, last) = ((whole + 1) * block + lookahead - 1, all * block - padding);
        shortest.max(first)..=longest.min(last)
    }

    /// Returns how many bytes are in the buffer after `count` bytes.
    pub const fn waiting(self, count: u128) -> usize {
        (count - self.absorbed(count) * self.len as u128) as usize
    }
}

impl<const CAPACITY: usize> Buffer<CAPACITY> {
    pub const fn new() -> Self {
        const { assert!(CAPACITY <= u16::MAX as usize) };
        Buffer { bytes: [0; CAPACITY], len: 0, taken: 0 }
    }

    /// Returns the bytes in the buffer.
    #[inline]
    pub const fn waiting(&self) -> &[u8] {
        self.bytes.split_at(self.len as usize).0
    }

    /// Copies `data` to the buffer, unless a block becomes ready for absorption by it. Returns
    /// whether it did. It is inlined, because most small updates need nothing else.
    #[inline(always)]
    pub const fn keep(&mut self, blocks: Blocks, data: &[u8]) -> bool {
        let len = self.len as usize;
        let keeps = data.len() < blocks.len + blocks.lookahead - len;
        if keeps {
            copy_short(self.bytes.split_at_mut(len).1.split_at_mut(data.len()).0, data);
            self.len += data.len() as u16;
        }
        keeps
    }

    /// Returns the next run of whole blocks, from the buffer or directly from `data`, and shortens
    /// `data` by the bytes that it used. Returns `None` when the rest of `data` is in the buffer.
    ///
    /// `CAPACITY` must be at least `blocks.len + blocks.lookahead - 1`.
    #[inline(always)]
    pub const fn next<'s, 'd: 's>(
        &'s mut self,
        blocks: Blocks,
        data: &mut &'d [u8],
    ) -> Option<&'s [u8]> {
        self.drop_taken();
        let enough = blocks.len + blocks.lookahead;
        if self.len == 0 {
            if data.len() >= enough {
                let whole = (data.len() - blocks.lookahead) / blocks.len * blocks.len;
                let (run, rest) = data.split_at(whole);
                *data = rest;
                return Some(run);
            }
            self.fill(data, data.len());
            return None;
        }
        // `len < enough` holds here, so the subtraction does not underflow.
        if data.len() < enough - self.len as usize {
            self.fill(data, data.len());
            return None;
        }
        if (self.len as usize) < blocks.len {
            self.fill(data, blocks.len - self.len as usize);
        }
        self.taken = blocks.len as u16;
        Some(self.bytes.split_at(blocks.len).0)
    }

    /// Moves the first `n` bytes of `data` into the buffer.
    #[inline(always)]
    const fn fill(&mut self, data: &mut &[u8], n: usize) {
        let (head, rest) = data.split_at(n);
        copy_short(self.bytes.split_at_mut(self.len as usize).1.split_at_mut(n).0, head);
        self.len += n as u16;
        *data = rest;
    }

    #[inline(always)]
    const fn drop_taken(&mut self) {
        if self.taken == self.len {
            self.len = 0;
        } else if self.taken > 0 {
            let mut i = 0;
            while i < (self.len - self.taken) as usize {
                self.bytes[i] = self.bytes[i + self.taken as usize];
                i += 1;
            }
            self.len -= self.taken;
        }
        self.taken = 0;
    }
}

/// Does the same as `copy_from_slice`, but copies up to 64 bytes inline: the first and the last of
/// a power of two, which may overlap. A call would cost more than the copy.
///
/// WebAssembly is loaded over networks, so there it is one function.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(crate) const fn copy_short(to: &mut [u8], from: &[u8]) {
    match from.len() {
        0 => {}
        1..4 => {
            // The first, the middle and the last byte. The compiler would turn a loop into a call.
            let (middle, last) = (from.len() / 2, from.len() - 1);
            to[last] = from[last];
            to[middle] = from[middle];
            to[0] = from[0];
        }
        4..8 => copy_ends::<4>(to, from),
        8..16 => copy_ends::<8>(to, from),
        16..32 => copy_ends::<16>(to, from),
        32..=64 => copy_ends::<32>(to, from),
        _ => to.copy_from_slice(from),
    }
}

/// Copies the first and the last `N` bytes.
#[inline(always)]
const fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(&first), Some(&last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        if let Some(to) = to.first_chunk_mut() {
            *to = first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = last;
        }
    }
}
