//! Memory for the states and the tails of lanes, of which only the used part is initialised and wiped.

use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// The most bytes of the tails of all lanes: 32 tails of SHA-256 have 128 bytes each, 16 of SHA-512
/// 256 and 8 of Keccak 384.
pub(crate) const TAILS: usize = 32 * 128;
/// The most bytes of the states of all lanes: those of Keccak in eight.
pub(crate) const STATES: usize = 8 * MAX_STATE;
/// Bytes of the largest state, that of Keccak.
pub(crate) const MAX_STATE: usize = 25 * 8;

/// Returns the bytes of states, or places for them, as words of 32 or 64 bits.
///
/// # Panics
/// If there are any and they do not begin at a place for a word.
#[inline(always)]
pub(crate) fn as_words_mut<B, W>(bytes: &mut [B]) -> &mut [W] {
    if bytes.is_empty() {
        return &mut [];
    }
    const { assert!(size_of::<B>() == 1 && (size_of::<W>() == 4 || size_of::<W>() == 8)) };
    let (start, count) = (bytes.as_mut_ptr().cast::<W>(), bytes.len() / size_of::<W>());
    assert!(start.is_aligned(), "states begin at a cache line");
    // SAFETY: the same bytes, aligned; `B` is `u8` where `W` is `u32` or `u64`, and `MaybeUninit` of
    // these where `W` is, and both may have any bytes.
    unsafe { core::slice::from_raw_parts_mut(start, count) }
}

/// Does the same for bytes that are only read.
#[inline(always)]
pub(crate) fn as_words<W>(bytes: &[u8]) -> &[W] {
    const { assert!(size_of::<W>() == 4 || size_of::<W>() == 8) };
    let (start, count) = (bytes.as_ptr().cast::<W>(), bytes.len() / size_of::<W>());
    assert!(start.is_aligned(), "states begin at a cache line");
    // SAFETY: the same bytes, aligned, and `W` is `u32` or `u64`, which may have any bytes.
    unsafe { core::slice::from_raw_parts(start, count) }
}

/// The first bytes of `N`. Only these are initialised and wiped, because clearing and wiping the states
/// and tails of all lanes took longer than a block in four of them. They begin at a cache line, so that
/// no vector lies in two.
#[repr(align(64))]
pub(crate) struct Used<const N: usize> {
    all: [MaybeUninit<u8>; N],
    /// The number of initialised bytes.
    len: usize,
}

impl<const N: usize> Used<N> {
    /// Uses no byte.
    #[inline(always)]
    pub const fn none() -> Self {
        Used { all: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    /// Uses the first `len` bytes. `set` must initialise all of them.
    #[inline(always)]
    pub fn used(&mut self, len: usize, set: impl FnOnce(&mut [MaybeUninit<u8>])) {
        set(&mut self.all[..len]);
        self.len = len;
    }

    /// Uses the first `len` bytes, which become zeros.
    #[inline(always)]
    pub fn clear(&mut self, len: usize) {
        self.used(len, |used| used.fill(MaybeUninit::new(0)));
    }

    /// Uses as many bytes as there are in `from`, which become copies of them.
    #[inline(always)]
    pub fn copy_from(&mut self, from: &[u8]) {
        self.used(from.len(), |used| {
            used.iter_mut().zip(from).for_each(|(to, &from)| *to = MaybeUninit::new(from));
        });
    }
}

impl<const N: usize> Deref for Used<N> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: `used` has initialised them.
        unsafe { core::slice::from_raw_parts(self.all.as_ptr().cast(), self.len) }
    }
}

impl<const N: usize> DerefMut for Used<N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: `used` has initialised them.
        unsafe { core::slice::from_raw_parts_mut(self.all.as_mut_ptr().cast(), self.len) }
    }
}
