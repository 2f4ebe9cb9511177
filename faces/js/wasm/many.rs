//! The functions for many messages, with simd128. Without it, JavaScript hashes one after the other.

use super::{ROOM, input, output, status, stored, wipe};
use core::cell::UnsafeCell;
use hashmill::Error;
use hashmill::many::{Column, Messages, Rows};

/// The most messages of one call of `column`.
const BATCH: usize = 4096;

struct Offsets(UnsafeCell<[u32; BATCH + 1]>);

// SAFETY: the module has one thread.
unsafe impl Sync for Offsets {}

static OFFSETS: Offsets = Offsets(UnsafeCell::new([0; BATCH + 1]));

/// Returns the address of the offsets of `column`.
pub fn offsets() -> *const u8 {
    OFFSETS.0.get().cast()
}

/// Writes the outputs of `count` messages of `width` bytes each, `out` bytes each.
// SAFETY: no other function has this name. The same holds for the function below.
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
    let offsets = unsafe { &(&*OFFSETS.0.get())[..=count] };
    let values = input(ROOM);
    let result = Column::new(values, offsets).and_then(|column| batch(code, &column, count * out));
    wipe(&mut values[..offsets[count] as usize]);
    status(result)
}

fn batch(code: u8, messages: &dyn Messages, out: usize) -> Result<(), Error> {
    stored(code, 0).many(messages, output(out))
}
