//! Tests that no hash and no tag of any algorithm allocates memory, with any features of the
//! library.

use hashmill::Algorithm;
use hashmill_c::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::MaybeUninit;

struct Counting;

thread_local! {
    /// The number of allocations of this thread. Each thread has its own counter, because the test
    /// harness allocates in other threads.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator, which keeps the contract. Counting
// allocates nothing: the counter has a constant initial value and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The memory of a context, as a C program allocates it.
#[repr(C, align(16))]
struct Room<const SIZE: usize>(MaybeUninit<[u8; SIZE]>);

impl<const SIZE: usize> Room<SIZE> {
    fn new() -> Self {
        Room(MaybeUninit::zeroed())
    }
}

#[test]
fn nothing_is_allocated() {
    let message = [7; 5000];
    let data: *const c_void = message.as_ptr().cast();
    let messages: [Bytes; 40] = std::array::from_fn(|i| Bytes { data, len: i * 100 });
    let offsets: [i32; 41] = std::array::from_fn(|i| 100 * i as i32);
    let mut out = [0_u8; 40 * 64];
    let place: *mut c_void = out.as_mut_ptr().cast();
    let before = COUNT.get();
    assert!(!hashmill_backend_name(0).is_null());
    assert_eq!(COUNT.get() - before, 0, "the name of a backend");
    let mut tree = Room::<FILE_TREE_SIZE>::new();
    let tree: *mut FileTreeContext = (&raw mut tree).cast();
    // SAFETY: the pointers are valid for the lengths beside them, and the context for its size.
    let statuses = unsafe {
        [
            hashmill_file_tree_init_fs_verity(tree, Algorithm::Sha512.code().into(), 1024, data, 7),
            hashmill_file_tree_update(tree, data, 5000),
            hashmill_file_tree_finalize(tree, place, 64),
            hashmill_file_tree_init_bittorrent(tree),
            hashmill_file_tree_update(tree, data, 5000),
            hashmill_file_tree_finalize(tree, place, 32),
        ]
    };
    assert_eq!((statuses, COUNT.get() - before), ([0; 6], 0), "files");
    for &algorithm in Algorithm::ALL {
        let (code, len) = (algorithm.code().into(), algorithm.output_len());
        let before = COUNT.get();
        let mut hasher = Room::<HASHER_SIZE>::new();
        let hasher: *mut Hasher = (&raw mut hasher).cast();
        let mut hmac = Room::<HMAC_SIZE>::new();
        let hmac: *mut HmacContext = (&raw mut hmac).cast();
        let (mut state, mut written) = ([0_u8; 4096], 0);
        let (mut path, mut root, mut count) = ([0_u8; 40 * 64], [0_u8; 64], 7);
        let (path, root) = (path.as_mut_ptr().cast(), root.as_mut_ptr().cast());
        // SAFETY: the pointers are valid for the lengths beside them, and the contexts for their
        // sizes.
        let statuses = unsafe {
            [
                hashmill_hash(code, data, 5000, place, len),
                hashmill_hash_many(code, messages.as_ptr(), 40, place, len),
                hashmill_hash_offsets32(code, data, 5000, offsets.as_ptr(), 40, place, len),
                hashmill_merkle_root(code, 2, place, 40 * len, place, len),
                hashmill_merkle_root_of(code, 6, 5, place, 40 * len, place, len),
                hashmill_merkle_root_of_path(code, 1, data, 1, 4, data, 2 * len, place, len),
                hashmill_merkle_paths(
                    code,
                    4,
                    place,
                    5 * len,
                    &3,
                    1,
                    path,
                    3 * len,
                    &mut written,
                    root,
                    len,
                ),
                hashmill_merkle_append(code, 6, len, &mut count, path, 40 * 64, place, 5 * len),
                hashmill_merkle_root_of_peaks(code, 6, count, path, 40 * 64, root, len),
                hashmill_hasher_init(hasher, code),
                hashmill_hasher_update(hasher, data, 5000),
                hashmill_hasher_finalize(hasher, place, len),
                hashmill_hasher_finish_many(hasher, messages.as_ptr(), 40, place, len),
                hashmill_hasher_export(hasher, state.as_mut_ptr().cast(), 4096, &mut written),
                hashmill_hasher_import(hasher, state.as_ptr().cast(), written),
                hashmill_hasher_finish(hasher, data, 5000, place, len),
                hashmill_hasher_update_many(&hasher, messages.as_ptr(), 1),
            ]
        };
        assert_eq!(statuses, [0; 17], "{algorithm}");
        let has_hmac = algorithm.has_hmac();
        // SAFETY: as above.
        let statuses = unsafe {
            [
                hashmill_hmac(code, data, 32, data, 5000, place, len),
                hashmill_hmac_init(hmac, code, data, 32),
                hashmill_hmac_update(hmac, data, 5000),
                hashmill_hmac_finalize(hmac, place, len),
                hashmill_hmac_verify(hmac, place, len),
                hashmill_hmac_finish_many(hmac, messages.as_ptr(), 40, place, len),
            ]
        };
        assert!(
            statuses.iter().all(|&status| (status == 0) == has_hmac),
            "{algorithm}: {statuses:?}"
        );
        // SAFETY: as above; wiping does not write to a context that was not initialised.
        unsafe {
            hashmill_hasher_wipe(hasher);
            hashmill_hmac_wipe(hmac);
        }
        assert_eq!(COUNT.get() - before, 0, "{algorithm}");
    }
    // Checks that the allocator counts at all.
    drop(std::hint::black_box(Box::new(1)));
    assert!(COUNT.get() > 0);
}
