//! The block buffer: turns any sequence of updates into runs of whole blocks. Everything is
//! `const`, so that hashing at compile time and at run time share this text.

/// Bytes that wait for their block to be completed.
#[derive(Clone, Copy)]
pub(crate) struct Buffer<const CAPACITY: usize> {
    bytes: [u8; CAPACITY],
    /// How many bytes wait. Of 16 bits, so that a Keccak stream has 376 bytes and not 392.
    len: u16,
    /// How many leading bytes the last [`next`](Buffer::next) handed out.
    taken: u16,
}

/// How a block function takes its blocks from a buffer.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// Bytes in a block.
    pub len: usize,
    /// Bytes that must follow a block before it may be absorbed: 0 where any complete block may be,
    /// 1 where the last block is treated apart (BLAKE2), more where several last blocks are (its
    /// trees).
    pub lookahead: usize,
    /// Bytes that the padding of a message has at least.
    pub padding: usize,
}

impl Blocks {
    /// How many blocks have been absorbed once `count` bytes came in; the rest waits.
    pub const fn absorbed(self, count: u128) -> u128 {
        if count < (self.len + self.lookahead) as u128 {
            0
        } else {
            (count - self.lookahead as u128) / self.len as u128
        }
    }

    /// How many blocks a message of `len` bytes has, padding included: those of BLAKE2 at least.
    pub const fn of(self, len: usize) -> usize {
        (len + self.padding).div_ceil(self.len)
    }

    /// How many bytes wait once `count` bytes came in.
    pub const fn waiting(self, count: u128) -> usize {
        (count - self.absorbed(count) * self.len as u128) as usize
    }
}

impl<const CAPACITY: usize> Buffer<CAPACITY> {
    pub const fn new() -> Self {
        const { assert!(CAPACITY <= u16::MAX as usize) };
        Buffer { bytes: [0; CAPACITY], len: 0, taken: 0 }
    }

    /// The bytes that wait.
    pub const fn waiting(&self) -> &[u8] {
        self.bytes.split_at(self.len as usize).0
    }

    /// Keeps all of `data`, if no block becomes certain by it: else says that it does not. In the
    /// text of the caller, because it is all that most small updates need.
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

    /// The next run of whole blocks, from the buffer or straight from `data`, which is shortened by
    /// what was used. `None` once all that is left of `data` waits in the buffer.
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
        // `len < enough`, so this does not underflow where `data` is longer.
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

/// `copy_from_slice` with up to 64 bytes in place, as the first and the last of a power of two,
/// which may overlap: a call would cost more than the copy.
#[inline(always)]
pub(crate) const fn copy_short(to: &mut [u8], from: &[u8]) {
    match from.len() {
        0 => {}
        1..4 => {
            // The first, the middle and the last: of a loop the compiler makes a call.
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

/// The first and the last `N` bytes.
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
