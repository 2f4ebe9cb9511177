/// What some faults call. It reads an address as a number, through memory, so that the optimiser
/// does not see it. The planted copy of `backend.rs` ends with it.
#[inline(always)]
pub(crate) fn number_of<T>(place: *const T) -> u64 {
    let mut kept = place;
    core::hint::black_box(&mut kept);
    unsafe { (&raw const kept).cast::<u64>().read() }
}
