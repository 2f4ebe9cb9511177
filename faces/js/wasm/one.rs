//! The functions for one message, and for a hasher in progress. A module has only those that a
//! function of its family needs.

use super::{cleared, input, output, place, stored, wipe};
use crate::family::fresh;
use core::ptr;

/// Writes a new hasher without parameters to the first place.
// SAFETY: no other function has this name. The same holds for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn begin(code: u8) {
    let new = fresh(code);
    // SAFETY: the place has room for every hasher, and a hasher is plain bytes.
    unsafe { ptr::copy_nonoverlapping(ptr::from_ref(new).cast(), place(0), size_of_val(new)) }
}

/// Writes a new hasher with the parameters in the input to the first place.
#[cfg(not(any(feature = "sha256", feature = "sha512", feature = "sm3")))]
#[unsafe(no_mangle)]
pub extern "C" fn begin_with(code: u8, len: usize) -> i32 {
    let given = input(len);
    // Measured: this uses 2.9 KiB of the stack.
    let result = hashmill::run_wiped(8192, || crate::family::begin_with(code, given, place(0)));
    wipe(given);
    super::status(result)
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

/// Begins an element of TupleHash, of `len` bytes.
#[cfg(feature = "keccak")]
#[unsafe(no_mangle)]
pub extern "C" fn element(code: u8, len: f64) -> i32 {
    let hasher = stored(code, 0);
    cleared(0, size_of_val(hasher), || hasher.element(len as u64))
}

/// Writes a reader of the stored hasher's output to its place. The last `customization` bytes that
/// the hasher absorbed are KangarooTwelve's customization string.
#[cfg(any(feature = "keccak", feature = "blake3", feature = "ascon"))]
#[unsafe(no_mangle)]
pub extern "C" fn squeeze(code: u8, customization: f64) -> i32 {
    let hasher = stored(code, 0);
    cleared(0, size_of_val(hasher), || {
        hasher.squeeze(customization as u64, crate::MEMORY.reader.get().cast())
    })
}

/// Fills the output from the stored reader.
#[cfg(any(feature = "keccak", feature = "blake3", feature = "ascon"))]
#[unsafe(no_mangle)]
pub extern "C" fn fill(out: usize) -> i32 {
    // SAFETY: JavaScript wrote the bytes of a reader, which came from here.
    let reader = unsafe { (*crate::MEMORY.reader.get()).assume_init_mut() };
    cleared(out, 0, || crate::family::read(reader, output(out)))
}

/// Computes a part of a chain of PBKDF2 (RFC 8018 §5.2). The input is the last term U so far. Writes
/// to the output the sum (XOR) of the `iterations` terms after it, then the last of these. The two
/// places hold HMAC's inner and outer hash, both after the key.
#[unsafe(no_mangle)]
pub extern "C" fn chain(code: u8, iterations: u32, len: usize) -> i32 {
    let u = input(len);
    let (sum, last) = output(2 * len).split_at_mut(len);
    sum.fill(0);
    let held = size_of_val(stored(code, 0));
    let result = cleared(len, held, || {
        let mut result = Ok(());
        for _ in 0..iterations {
            result = stored(code, 0).finish(u, last);
            result = result.and_then(|()| stored(code, 1).finish(last, u));
            sum.iter_mut().zip(&*u).for_each(|(sum, u)| *sum ^= u);
        }
        result
    });
    last.copy_from_slice(u);
    wipe(u);
    result
}
