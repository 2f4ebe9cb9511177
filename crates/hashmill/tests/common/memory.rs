//! Memory as the operating system maps it: more bytes than there is room for, and pages that must
//! not be touched.

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};
use rustix::mm::{madvise, mmap, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;

/// A multiple of every size that pages have.
const PAGE: usize = 1 << 16;

/// A mapping of its own, given back when dropped.
struct Mapping {
    start: *mut c_void,
    len: usize,
}

impl Mapping {
    /// Zeros that take no room until they are written.
    fn new(len: usize, access: ProtFlags) -> Mapping {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping overlaps nothing.
        let start = unsafe { mmap_anonymous(null_mut(), len, access, flags) };
        Mapping { start: start.expect("address space"), len }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: all of the mapping belongs to it for as long as it lives.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: no reference outlives the mapping.
        unsafe { munmap(self.start, self.len) }.expect("a mapping");
    }
}

/// Bytes that can be read and take next to no room, however many.
pub struct Vast {
    mapping: Mapping,
    len: usize,
}

// SAFETY: nobody writes to it, and any thread may give it back.
unsafe impl Send for Vast {}
// SAFETY: as above.
unsafe impl Sync for Vast {}

impl Vast {
    pub fn zeros(len: usize) -> Vast {
        let mapping = Mapping::new(len, ProtFlags::READ);
        // SAFETY: the advice, which need not be taken, is about this mapping: one large page of
        // zeros, not many.
        _ = unsafe { madvise(mapping.start, len, Advice::LinuxHugepage) };
        Vast { mapping, len }
    }

    /// `content` over and over, to `len` bytes: one file in memory, mapped again and again.
    pub fn repeated(content: &[u8], len: usize) -> Vast {
        let period = content.repeat(PAGE);
        let period = period.repeat((16 << 20) / period.len() + 1);
        let file = memfd_create("repeated", MemfdFlags::empty()).expect("a file in memory");
        ftruncate(&file, period.len() as u64).expect("a longer file");
        rustix::io::pwrite(&file, &period, 0)
            .map(|written| assert_eq!(written, period.len()))
            .expect("room for the period");
        let mapping = Mapping::new(len.next_multiple_of(period.len()), ProtFlags::READ);
        for at in (0..len).step_by(period.len()) {
            let start = mapping.start.wrapping_byte_add(at);
            let flags = MapFlags::SHARED | MapFlags::FIXED;
            // SAFETY: it replaces a part of this mapping, to which there is no reference yet.
            unsafe { mmap(start, period.len(), ProtFlags::READ, flags, &file, 0) }
                .expect("address space");
        }
        Vast { mapping, len }
    }
}

impl Deref for Vast {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.mapping.bytes()[..self.len]
    }
}

/// Bytes with a page right before and one right after them at whose touch the program dies.
pub struct Guarded(Mapping);

impl Guarded {
    /// As many bytes as asked for, rounded up to whole pages.
    pub fn new(len: usize) -> Guarded {
        let len = len.next_multiple_of(PAGE);
        let mapping = Mapping::new(len + 2 * PAGE, ProtFlags::empty());
        let start = mapping.start.wrapping_byte_add(PAGE);
        let access = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: these pages are a part of this mapping.
        unsafe { mprotect(start, len, access) }.expect("pages");
        Guarded(mapping)
    }
}

impl Deref for Guarded {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        let (start, len) = (self.0.start.wrapping_byte_add(PAGE), self.0.len - 2 * PAGE);
        // SAFETY: the pages between the first and the last can be read and written.
        unsafe { std::slice::from_raw_parts(start.cast(), len) }
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        let (start, len) = (self.0.start.wrapping_byte_add(PAGE), self.0.len - 2 * PAGE);
        // SAFETY: as above, and `self` is borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), len) }
    }
}
