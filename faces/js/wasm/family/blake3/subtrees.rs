//! The subtrees of a message, which several workers hash.

use crate::{MEMORY, cleared, family::write, input, output, place, wipe};
use hashmill::{Blake3, Error};

/// The hasher in the first place, of which only the key and the mode count here.
fn mode() -> &'static Blake3 {
    // SAFETY: JavaScript wrote the bytes of a hasher, which came from here.
    unsafe { &*place(0).cast::<Blake3>() }
}

/// Writes the chaining value of a subtree to the output: of the first `len` bytes of the input,
/// which begin at that byte of the message.
// SAFETY: no other function has this name. The same holds for the function below.
#[unsafe(no_mangle)]
pub extern "C" fn subtree(offset: f64, len: usize) -> i32 {
    let data = input(len);
    let result = cleared(len, size_of::<Blake3>(), || {
        let value = mode().subtree(offset as u64, data).ok_or(Error::Operation)?;
        output(32).copy_from_slice(&value);
        Ok(())
    });
    wipe(data);
    result
}

/// Writes the chaining value of the parent of two subtrees, whose chaining values are in the input,
/// to the output. If the parent is the root, writes a reader of the output to its place.
#[unsafe(no_mangle)]
pub extern "C" fn parent(is_root: bool) -> i32 {
    let (left, right) = input(64).split_at(32);
    let (Ok(left), Ok(right)) = (left.try_into(), right.try_into()) else { unreachable!() };
    let result = cleared(64, 0, || {
        if is_root {
            return write(mode().root(left, right), MEMORY.reader.get().cast());
        }
        output(32).copy_from_slice(&mode().parent(left, right));
        Ok(())
    });
    wipe(input(64));
    result
}
