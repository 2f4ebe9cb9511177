//! One family of hash functions as a WebAssembly module. With simd128 it has only the functions that
//! fill lanes: those for many messages, and `update` for the leaves of a long one. JavaScript does
//! everything else by the module without. A family's exported states are a third module: few
//! programs use them, and they need SHA-256.
//!
//! The module keeps nothing between two calls. JavaScript keeps the bytes of a hasher, writes them
//! to `STATE` before a call and reads them after it. All hashers here are plain bytes without
//! addresses, so a copy of the bytes is a copy of the hasher. The functions that do not have a
//! state of their own start from [`family::fresh`].
//!
//! Every function takes the code of a function of the family ([`hashmill::Algorithm::code`]).
//! Arguments and results are in `INPUT` and `OUTPUT`. Lengths come from this package's JavaScript,
//! which never passes more than `ROOM`; the slices are checked nevertheless.

#![no_std]
#![cfg_attr(
    target_feature = "simd128",
    allow(unused, reason = "with simd128 there are no functions for one message")
)]

use core::cell::UnsafeCell;
use core::ptr;
use hashmill::Error;

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[cfg(not(feature = "state"))]
mod family;
#[cfg(target_feature = "simd128")]
mod many;
#[cfg(not(any(target_feature = "simd128", feature = "state")))]
mod one;
#[cfg(feature = "state")]
mod state;
#[cfg(not(feature = "state"))]
use family::{Member, Reader, hasher};
#[cfg(feature = "state")]
use state::{Reader, size_of_hasher};

/// The room for messages, and for outputs, of one call.
const ROOM: usize = 1 << 16;
/// The room for one hasher. The largest is BLAKE3's.
const STATE_ROOM: usize = 2048;

#[repr(C, align(16))]
struct Memory {
    /// A hasher; then a second one: the outer hash of HMAC.
    states: [UnsafeCell<[u8; STATE_ROOM]>; 2],
    input: UnsafeCell<[u8; ROOM]>,
    output: UnsafeCell<[u8; ROOM]>,
    reader: UnsafeCell<core::mem::MaybeUninit<Reader>>,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory {
    states: [const { UnsafeCell::new([0; STATE_ROOM]) }; 2],
    input: UnsafeCell::new([0; ROOM]),
    output: UnsafeCell::new([0; ROOM]),
    reader: UnsafeCell::new(core::mem::MaybeUninit::uninit()),
};

fn input(len: usize) -> &'static mut [u8] {
    // SAFETY: no other reference to the input exists: every exported function makes one.
    unsafe { &mut (&mut *MEMORY.input.get())[..len] }
}

fn output(len: usize) -> &'static mut [u8] {
    // SAFETY: as for the input.
    unsafe { &mut (&mut *MEMORY.output.get())[..len] }
}

fn place(index: usize) -> *mut u8 {
    MEMORY.states[index].get().cast()
}

/// Returns the hasher whose bytes are in place `index`.
#[cfg(not(feature = "state"))]
fn stored(code: u8, index: usize) -> &'static mut dyn Member {
    // SAFETY: JavaScript wrote the bytes of a hasher of this function, which came from here.
    unsafe { &mut *hasher(code, place(index)) }
}

/// Writes zeros that the compiler may not remove.
fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    core::hint::black_box(bytes);
}

fn status(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error.code().into(),
    }
}

/// Bytes of a message that is certain to be hashed in one lane.
#[cfg(not(feature = "state"))]
const SHORT: usize = 1024;

/// Whether the family has no trees and no lanes, so that the length of a message does not matter.
#[cfg(not(feature = "state"))]
const ONE_LANE: bool = cfg!(all(
    not(target_feature = "simd128"),
    any(feature = "sha256", feature = "sha512", feature = "sm3")
));

/// Runs `f`, which hashes `len` bytes, and clears the stack that it used: the core does this for
/// keys, and here every message may be a secret. `held` bytes of state are more than 512 for trees,
/// whose leaves may fill the lanes in any call; BLAKE3's chunks, of [`SHORT`] bytes, do so only for a
/// longer part.
#[cfg(not(feature = "state"))]
#[inline(always)]
fn cleared(len: usize, held: usize, f: impl FnOnce() -> Result<(), Error>) -> i32 {
    let depth = match (len <= SHORT, held <= 512) {
        (true, true) if cfg!(feature = "blake3") => 8192,
        (short, true) if short || ONE_LANE => 2048,
        (true, false) if cfg!(feature = "blake3") => 24 * 1024,
        _ => 65_536,
    };
    status(hashmill::run_wiped(depth, f))
}

/// The addresses of the places, by number.
// SAFETY: no other function has this name. The same holds for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn address(index: usize) -> *const u8 {
    match index {
        0 | 1 => place(index),
        2 => MEMORY.input.get().cast(),
        3 => MEMORY.output.get().cast(),
        4 => MEMORY.reader.get().cast(),
        #[cfg(target_feature = "simd128")]
        _ => many::offsets(),
        #[cfg(not(target_feature = "simd128"))]
        _ => core::arch::wasm32::unreachable(),
    }
}

/// The number of bytes of a hasher; with code 0, of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn size(code: u8) -> usize {
    match code {
        0 => size_of::<Reader>(),
        _ => size_of_hasher(code),
    }
}

#[cfg(not(feature = "state"))]
fn size_of_hasher(code: u8) -> usize {
    size_of_val(stored(code, 0))
}

/// Absorbs the first `len` bytes of the input.
#[cfg(all(
    not(feature = "state"),
    any(not(target_feature = "simd128"), feature = "keccak", feature = "blake3")
))]
#[unsafe(no_mangle)]
pub extern "C" fn update(code: u8, len: usize) -> i32 {
    let (data, hasher) = (input(len), stored(code, 0));
    let result = cleared(len, size_of_val(hasher), || hasher.update(data));
    wipe(data);
    result
}

/// Overwrites the hashers, the reader and `len` bytes of the output, and the stack that calls with
/// a key used.
#[unsafe(no_mangle)]
pub extern "C" fn forget(len: usize) {
    for index in 0..2 {
        // SAFETY: no other reference to the place exists.
        wipe(unsafe { &mut *MEMORY.states[index].get() });
    }
    wipe(output(len));
    // SAFETY: no reference to the reader exists; nothing reads it before the next `squeeze`.
    unsafe { ptr::write_bytes(MEMORY.reader.get().cast::<u8>(), 0, size_of::<Reader>()) }
    hashmill::run_wiped(65_536, || ());
}
