//! Overwriting secrets.

/// Overwrites `value` with its default in a way that the compiler may not leave out.
pub(crate) fn wipe<T: Copy + Wiped>(value: &mut T) {
    // SAFETY: `value` is a valid, aligned place for a `T`, and a `T` has no destructor.
    unsafe { core::ptr::write_volatile(value, T::WIPED) }
}

/// What is left of a value that was wiped.
pub(crate) trait Wiped {
    const WIPED: Self;
}

impl<const N: usize> Wiped for [u8; N] {
    const WIPED: Self = [0; N];
}
