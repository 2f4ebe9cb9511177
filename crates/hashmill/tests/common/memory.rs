//! Memory mappings: more bytes than the machine has memory for, and pages that must not be
//! accessed.

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};
use rustix::mm::{madvise, mmap, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;

/// A multiple of every page size, in bytes.
const PAGE: usize = 1 << 16;

/// A memory mapping that is unmapped when dropped.
struct Mapping {
    start: *mut c_void,
    len: usize,
}

impl Mapping {
    /// Maps zeros that take no memory until they are written.
    fn new(len: usize, access: ProtFlags) -> Mapping {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping overlaps nothing.
        let start = unsafe { mmap_anonymous(null_mut(), len, access, flags) };
        Mapping { start: start.expect("address space"), len }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the whole mapping belongs to `self` for as long as `self` exists.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: no reference outlives the mapping.
        unsafe { munmap(self.start, self.len) }.expect("a mapping");
    }
}

/// Readable bytes that take almost no memory, however many there are.
pub struct Vast {
    mapping: Mapping,
    len: usize,
}

// SAFETY: nothing writes to the mapping, and any thread may unmap it.
unsafe impl Send for Vast {}
// SAFETY: as above.
unsafe impl Sync for Vast {}

impl Vast {
    pub fn zeros(len: usize) -> Vast {
        let mapping = Mapping::new(len, ProtFlags::READ);
        // Advises the kernel to use one large page of zeros instead of many small ones. The kernel
        // may ignore this.
        // SAFETY: the advice is about this mapping alone, and does not change its contents.
        _ = unsafe { madvise(mapping.start, len, Advice::LinuxHugepage) };
        Vast { mapping, len }
    }

    /// Maps `len` bytes of repeated `content`: one file in memory, mapped many times.
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

impl AsRef<[u8]> for Vast {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Vast {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.mapping.bytes()[..self.len]
    }
}

/// Bytes between two guard pages. An access to the page right before or right after them ends the
/// program.
pub struct Guarded(Mapping);

impl Guarded {
    /// Maps at least `len` bytes: `len` rounded up to whole pages.
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
