//! Overwriting secrets.

use crate::simd::registers;
use core::fmt::{Debug, Formatter};
use core::ops::{Deref, DerefMut};

/// Overwrites `value`. The compiler must not remove the stores.
pub(crate) fn wipe<T: Copy + Wiped>(value: &mut T) {
    overwrite(value, T::WIPED);
}

/// Overwrites `value` with `other`. The compiler must not remove the stores.
///
/// An ordinary store to a value that is never read again is dead, and the optimiser removes it.
/// This function cannot reach copies that the compiler made in registers or on the stack, because
/// no Rust code can name them. So secrets are kept in place and passed by reference, and [`run_wiped`]
/// clears the stack.
pub(crate) fn overwrite<T: Copy>(value: &mut T, other: T) {
    if cfg!(not(target_arch = "x86_64")) || cfg!(any(miri, hashmill_msan)) {
        // SAFETY: `value` is a valid, aligned place for a `T`, and a `T` has no destructor.
        return unsafe { core::ptr::write_volatile(value, other) };
    }
    *value = other;
    seen(value);
}

/// Makes the compiler believe that `value` is read here, so that it must write it. A volatile write
/// would become a call of memcpy.
#[inline(always)]
fn seen<T: ?Sized>(_value: &T) {
    #[cfg(target_arch = "x86_64")]
    let place = (&raw const *_value).cast::<u8>();
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the text contains no instruction.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) place, options(readonly, nostack, preserves_flags))
    }
}

/// Overwrites bytes. The compiler must not remove the stores. Few bytes are overwritten 32 at a time,
/// because a volatile store of a single byte is one instruction for each byte.
pub(crate) fn wipe_bytes(bytes: &mut [u8]) {
    if cfg!(target_arch = "x86_64") && cfg!(not(any(miri, hashmill_msan))) && bytes.len() > 256 {
        bytes.fill(0);
        return seen(bytes);
    }
    let (chunks, rest) = bytes.as_chunks_mut::<32>();
    chunks.iter_mut().for_each(wipe);
    rest.iter_mut().for_each(|byte| overwrite(byte, 0));
}

/// Runs `f`, which computes with a key, and overwrites up to `depth` bytes of the stack that it
/// used, and the registers.
///
/// A call leaves local variables and saved registers on the stack: blocks, states and words of a
/// schedule. `f` runs in its own frame, so that all of them are below the frame from which the
/// stack is cleared. Clearing 1 KiB takes 7 ns, so only the outermost call clears the stack; the
/// calls inside it do not. The depth of the calls was measured on every backend of x86-64: the
/// stack was painted, and the depth is where the paint was gone. The test `remains` of the C
/// library looks for secrets that are left.
#[doc(hidden)]
#[inline(always)]
pub fn run_wiped<R>(depth: usize, f: impl FnOnce() -> R) -> R {
    let result = call(f);
    clear(depth);
    result
}

/// Overwrites the registers, and at least `depth` bytes, at most 96 KiB, of the stack below the
/// caller's frame.
#[inline(always)]
pub(crate) fn clear(depth: usize) {
    match depth {
        0..=256 => clear_bytes::<256>(),
        257..=640 => clear_bytes::<640>(),
        641..=1024 => clear_bytes::<1024>(),
        1025..=1536 => clear_bytes::<1536>(),
        // From 2 KiB on glibc's memset uses `rep stosb`: 14 ns more on Zen 4.
        1537..=1920 => clear_bytes::<1920>(),
        1921..=2048 => clear_bytes::<2048>(),
        2049..=3072 => clear_bytes::<3072>(),
        3073..=4096 => clear_bytes::<4096>(),
        4097..=5120 => clear_bytes::<5120>(),
        5121..=6144 => clear_bytes::<6144>(),
        6145..=8192 => clear_bytes::<8192>(),
        8193..=16_384 => clear_bytes::<16_384>(),
        16_385..=20_480 => clear_bytes::<20_480>(),
        20_481..=24_576 => clear_bytes::<24_576>(),
        24_577..=40_960 => clear_bytes::<40_960>(),
        40_961..=65_536 => clear_bytes::<65_536>(),
        65_537..=81_920 => clear_bytes::<81_920>(),
        _ => clear_bytes::<98_304>(),
    }
}

/// Does the same as [`run_wiped`] if `keyed` is true; otherwise only runs `f`.
#[inline(always)]
pub(crate) fn run_wiped_if<R>(keyed: bool, depth: usize, f: impl FnOnce() -> R) -> R {
    if keyed { run_wiped(depth, f) } else { f() }
}

#[inline(never)]
fn call<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[inline(never)]
extern "C" fn clear_bytes<const N: usize>() {
    core::hint::black_box(&mut [0_u8; N]);
    registers::clear();
}

/// The value that replaces a wiped value. It is a value of the type and not zero bytes, because
/// zero bytes need not be a valid value.
pub(crate) trait Wiped {
    const WIPED: Self;
}

impl<const N: usize> Wiped for [u8; N] {
    const WIPED: Self = [0; N];
}

/// A value that is wiped when it is dropped, and that `Debug` does not show.
///
/// Every hasher is wiped, not only keyed ones, because the type does not tell whether the message
/// or its prefix is secret. The states themselves are `Copy`, because constants and lanes copy
/// them; their owner is a `Secret`.
pub struct Secret<T: Copy + Wiped>(pub T);

impl<T: Copy + Wiped> Drop for Secret<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl<T: Copy + Wiped> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Secret(self.0)
    }
}

impl<T: Copy + Wiped> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Copy + Wiped> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Copy + Wiped> Debug for Secret<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("..")
    }
}

/// Drops `value` and returns its place, so that a test can look at the bytes that are left.
#[cfg(test)]
pub(crate) fn dropped<T>(value: T) -> core::mem::ManuallyDrop<T> {
    let mut place = core::mem::ManuallyDrop::new(value);
    // SAFETY: it is dropped once; the values of its tests own nothing.
    unsafe { core::mem::ManuallyDrop::drop(&mut place) }
    place
}
