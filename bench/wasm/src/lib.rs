//! The library as a WebAssembly module, for `measure.mjs` and for `cargo xtask test wasm`.

// Exports the functions of hashmill.h from this module, too.
use hashmill_c as _;

use hashmill::{Algorithm, backend, self_test};
use std::sync::Mutex;

/// The messages, one after the other, and their digests, one after the other.
static MEMORY: Mutex<(Vec<u8>, Vec<u8>)> = Mutex::new((Vec::new(), Vec::new()));

/// Makes room for messages of `len` bytes in all and returns the address of this room.
// SAFETY: no other function has this name. The same holds for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn messages(len: usize) -> *const u8 {
    let (messages, _) = &mut *MEMORY.lock().expect("one thread");
    messages.resize(len, 0);
    messages.as_ptr()
}

/// Returns the number of backends.
#[unsafe(no_mangle)]
pub extern "C" fn count() -> usize {
    backend::names().count()
}

/// Forces the backend at `index` in the list of names, or the best one if `index` is beyond the
/// list.
#[unsafe(no_mangle)]
pub extern "C" fn force(index: usize) -> bool {
    backend::force(backend::names().nth(index)).is_ok()
}

/// Hashes the messages, of `len` bytes each, as one batch or one by one, and returns the address of
/// the digests.
#[unsafe(no_mangle)]
pub extern "C" fn hash(algorithm: u8, len: usize, together: bool) -> *const u8 {
    let (messages, digests) = &mut *MEMORY.lock().expect("one thread");
    let algorithm = Algorithm::from_code(algorithm).expect("an algorithm's code");
    let hasher = algorithm.hasher();
    let (size, count) = (hasher.output_len(), messages.len() / len);
    digests.resize(size * count, 0);
    if together {
        let messages = hashmill::many::Rows::new(messages, len).expect("messages of one length");
        hasher.hash_many(&messages, &mut digests[..]).expect("room for all digests");
    } else {
        for (message, digest) in messages.chunks_exact(len).zip(digests.chunks_exact_mut(size)) {
            digest.copy_from_slice(&hasher.hash(message));
        }
    }
    digests.as_ptr()
}

/// Tests the known answers of every algorithm on every backend and returns true if all are right.
#[unsafe(no_mangle)]
pub extern "C" fn test() -> bool {
    self_test().is_ok()
}
