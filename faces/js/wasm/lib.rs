//! One family of hash functions as a WebAssembly module.
//!
//! The module keeps nothing between two calls. JavaScript keeps the bytes of a hasher, writes them
//! to `STATE` before a call and reads them after it. All hashers here are plain bytes without
//! addresses, so a copy of the bytes is a copy of the hasher. The functions that do not have a
//! state of their own start from [`fresh`].
//!
//! Every function takes the code of a function of the family ([`hashmill::Algorithm::code`]).
//! Arguments and results are in `INPUT` and `OUTPUT`. Lengths come from this package's JavaScript,
//! which never passes more than `ROOM`; the slices are checked nevertheless.

#![no_std]

use core::cell::UnsafeCell;
use core::ptr;
use hashmill::Error;
use hashmill::many::{Column, Messages, Rows};

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

mod family;
use family::{Member, Reader, fresh, hasher, read};

/// The room for messages, and for outputs, of one call.
const ROOM: usize = 1 << 16;
/// The most messages of one call of `column`.
const BATCH: usize = 4096;
/// Bytes of the stack to clear after a hasher with parameters is built. Measured: 2.9 KiB.
const PARAMETERS: usize = 8192;
/// Bytes of a message that is certain to be hashed in one lane.
const SHORT: usize = 1024;
/// The room for one hasher. The largest is BLAKE3's.
const STATE_ROOM: usize = 2048;

#[repr(C, align(16))]
struct Memory {
    /// A hasher; then a second one: the outer hash of HMAC.
    states: [UnsafeCell<[u8; STATE_ROOM]>; 2],
    input: UnsafeCell<[u8; ROOM]>,
    output: UnsafeCell<[u8; ROOM]>,
    offsets: UnsafeCell<[u32; BATCH + 1]>,
    reader: UnsafeCell<core::mem::MaybeUninit<Reader>>,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory {
    states: [const { UnsafeCell::new([0; STATE_ROOM]) }; 2],
    input: UnsafeCell::new([0; ROOM]),
    output: UnsafeCell::new([0; ROOM]),
    offsets: UnsafeCell::new([0; BATCH + 1]),
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
fn stored(code: u8, index: usize) -> &'static mut dyn Member {
    // SAFETY: JavaScript wrote the bytes of a hasher of this function, which came from here.
    unsafe { &mut *hasher(code, place(index)) }
}

/// Writes zeros that the compiler may not remove.
fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    core::hint::black_box(bytes);
}

/// Runs `f`, which hashes `len` bytes, and clears the stack that it used: the core does this for
/// keys, and here every message may be a secret. `held` bytes of state are more than 512 for trees,
/// whose leaves may fill the lanes in any call; BLAKE3's chunks, of [`SHORT`] bytes, do so only for a
/// longer part.
#[inline(always)]
fn cleared(len: usize, held: usize, f: impl FnOnce() -> Result<(), Error>) -> i32 {
    let depth = match (len <= SHORT, held <= 512) {
        (true, true) if cfg!(feature = "blake3") => 8192,
        (true, true) => 2048,
        (true, false) if cfg!(feature = "blake3") => 24 * 1024,
        _ => 65_536,
    };
    status(hashmill::run_wiped(depth, f))
}

fn status(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error.code().into(),
    }
}

/// The addresses of the places, by number.
// SAFETY: no other function has this name. The same holds for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn address(index: usize) -> *const u8 {
    match index {
        0 | 1 => place(index),
        2 => MEMORY.input.get().cast(),
        3 => MEMORY.output.get().cast(),
        4 => MEMORY.offsets.get().cast(),
        _ => MEMORY.reader.get().cast(),
    }
}

/// The number of bytes of a hasher; with code 0, of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn size(code: u8) -> usize {
    match code {
        0 => size_of::<Reader>(),
        _ => size_of_val(stored(code, 0)),
    }
}

/// Writes a new hasher without parameters to the first place.
#[unsafe(no_mangle)]
pub extern "C" fn begin(code: u8) {
    let new = fresh(code);
    // SAFETY: the place has room for every hasher, and a hasher is plain bytes.
    unsafe { ptr::copy_nonoverlapping(ptr::from_ref(new).cast(), place(0), size_of_val(new)) }
}

/// Writes a new hasher with the parameters in the input to the first place.
#[unsafe(no_mangle)]
pub extern "C" fn begin_with(code: u8, len: usize) -> i32 {
    let given = input(len);
    let result =
        status(hashmill::run_wiped(PARAMETERS, || family::begin_with(code, given, place(0))));
    wipe(given);
    result
}

/// Absorbs the first `len` bytes of the input.
#[unsafe(no_mangle)]
pub extern "C" fn update(code: u8, len: usize) -> i32 {
    let (data, hasher) = (input(len), stored(code, 0));
    let result = cleared(len, size_of_val(hasher), || hasher.update(data));
    wipe(data);
    result
}

/// Writes the output of the stored hasher followed by the first `len` bytes of the input.
#[unsafe(no_mangle)]
pub extern "C" fn finish(code: u8, len: usize, out: usize) -> i32 {
    let (message, hasher) = (input(len), stored(code, 0));
    let result = cleared(len, size_of_val(hasher), || hasher.finish(message, output(out)));
    wipe(message);
    result
}

/// Writes the digest of the first `len` bytes of the input.
#[unsafe(no_mangle)]
pub extern "C" fn once(code: u8, len: usize, out: usize) -> i32 {
    let message = input(len);
    let result = cleared(len, 0, || fresh(code).finish(message, output(out)));
    wipe(message);
    result
}

/// Writes the outputs of `count` messages of `width` bytes each, `out` bytes each.
#[unsafe(no_mangle)]
pub extern "C" fn rows(code: u8, width: usize, count: usize, out: usize) -> i32 {
    let values = input(width * count);
    let result = Rows::new(values, width).and_then(|rows| batch(code, &rows, count * out));
    wipe(values);
    status(result)
}

/// Writes the outputs of the messages between `count` + 1 offsets, `out` bytes each.
#[unsafe(no_mangle)]
pub extern "C" fn column(code: u8, count: usize, out: usize) -> i32 {
    // SAFETY: no other reference to the offsets exists.
    let offsets = unsafe { &(&*MEMORY.offsets.get())[..=count] };
    let values = input(ROOM);
    let result = Column::new(values, offsets).and_then(|column| batch(code, &column, count * out));
    wipe(&mut values[..offsets[count] as usize]);
    status(result)
}

fn batch(code: u8, messages: &dyn Messages, out: usize) -> Result<(), Error> {
    stored(code, 0).many(messages, output(out))
}

/// Begins an element of TupleHash, of `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn element(code: u8, len: f64) -> i32 {
    status(stored(code, 0).element(len as u64))
}

/// Writes a reader of the stored hasher's output to its place. The input is KangarooTwelve's
/// customization string.
#[unsafe(no_mangle)]
pub extern "C" fn squeeze(code: u8, len: usize) -> i32 {
    status(stored(code, 0).squeeze(input(len), MEMORY.reader.get().cast()))
}

/// Fills the output from the stored reader.
#[unsafe(no_mangle)]
pub extern "C" fn fill(out: usize) -> i32 {
    // SAFETY: JavaScript wrote the bytes of a reader, which came from here.
    status(read(unsafe { (*MEMORY.reader.get()).assume_init_mut() }, output(out)))
}

/// Computes a part of a chain of PBKDF2 (RFC 8018 §5.2). The input is the last term U so far. Writes
/// to the output the sum (XOR) of the `iterations` terms after it, then the last of these. The two
/// places hold HMAC's inner and outer hash, both after the key.
#[unsafe(no_mangle)]
pub extern "C" fn chain(code: u8, iterations: u32, len: usize) -> i32 {
    let u = input(len);
    let (sum, last) = output(2 * len).split_at_mut(len);
    sum.fill(0);
    let mut result = Ok(());
    for _ in 0..iterations {
        result = stored(code, 0).finish(u, last);
        result = result.and_then(|()| stored(code, 1).finish(last, u));
        sum.iter_mut().zip(&*u).for_each(|(sum, u)| *sum ^= u);
    }
    last.copy_from_slice(u);
    wipe(u);
    status(result)
}

/// Writes the portable form of the stored hasher to the output and returns its length; 0 if the
/// function has none.
#[unsafe(no_mangle)]
pub extern "C" fn export(code: u8) -> usize {
    stored(code, 0).export().map_or(0, |state| {
        output(state.as_ref().len()).copy_from_slice(state.as_ref());
        state.as_ref().len()
    })
}

/// Reads the portable form of a hasher from the input and writes the hasher to the first place.
#[unsafe(no_mangle)]
pub extern "C" fn import(code: u8, len: usize) -> i32 {
    let state = input(len);
    let result = status(stored(code, 0).import(state, place(0)));
    wipe(state);
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
