//! The process that uses the keys.

use super::{Input, LONGEST_KEY, PAINT, PAINTED, cases, registers};
use std::fs::File;
use std::io::{Read, Write};

/// Overwrites bytes in a way that the compiler cannot remove.
pub fn clear(bytes: &mut [u8]) {
    // SAFETY: a reference to a byte.
    bytes.iter_mut().for_each(|byte| unsafe { std::ptr::write_volatile(byte, 0) });
}

/// Reads the number of a case, the lengths of the key, of the short message and of the long one,
/// and a key, runs the case on the given backend and writes the address of the filled stack, until
/// the input ends. Input and output have no buffers, because those would keep the key.
pub fn run(backend: &str) {
    hashmill::backend::force((backend != "auto").then_some(backend)).unwrap();
    let cases = cases::all();
    let mut input = File::open("/dev/stdin").unwrap();
    let mut output = File::create("/dev/stdout").unwrap();
    let mut numbers = [0; 8];
    let mut key = [0; LONGEST_KEY];
    while input.read_exact(&mut numbers).is_ok() {
        let (numbers, _) = numbers.as_chunks::<2>();
        let [case, len, short, long] =
            [0, 1, 2, 3].map(|i| usize::from(u16::from_le_bytes(numbers[i])));
        input.read_exact(&mut key[..len]).unwrap();
        registers::clear();
        let top = paint();
        (cases[case].run)(&Input::new(&key[..len], short, long));
        clear(&mut key);
        output.write_all(&top.to_le_bytes()).unwrap();
    }
}

/// Fills the stack below the caller's frame, which shows afterwards how deep a case reaches.
/// Returns the address of the filled bytes.
#[inline(never)]
fn paint() -> u64 {
    let mut bytes = [PAINT; PAINTED];
    std::hint::black_box(&mut bytes);
    (&raw const bytes) as u64
}
