//! The library as a WebAssembly module, for `measure.mjs` and for `cargo xtask wasm`.

// For the functions of hashmill.h, which the module exports too.
use hashmill_c as _;

use hashmill::{Algorithm, backend, self_test};
use std::sync::Mutex;

/// The messages, one after the other, and their digests.
static MEMORY: Mutex<(Vec<u8>, Vec<u8>)> = Mutex::new((Vec::new(), Vec::new()));

/// Makes room for messages of so many bytes in all, and says where they are to be.
// SAFETY: no other function has the name. So for those below.
#[unsafe(no_mangle)]
pub extern "C" fn messages(len: usize) -> *const u8 {
    let (messages, _) = &mut *MEMORY.lock().expect("one thread");
    messages.resize(len, 0);
    messages.as_ptr()
}

/// How many backends there are.
#[unsafe(no_mangle)]
pub extern "C" fn count() -> usize {
    backend::names().count()
}

/// Uses the backend of that place in the list of names, or the best for a place beyond it.
#[unsafe(no_mangle)]
pub extern "C" fn force(index: usize) -> bool {
    backend::force(backend::names().nth(index)).is_ok()
}

/// Hashes the messages, of `len` bytes each, as one batch or one by one, and says where the digests
/// are.
#[unsafe(no_mangle)]
pub extern "C" fn hash(algorithm: u8, len: usize, together: bool) -> *const u8 {
    let (messages, digests) = &mut *MEMORY.lock().expect("one thread");
    let algorithm = Algorithm::from_code(algorithm).expect("an algorithm's code");
    let hasher = algorithm.hasher();
    let (size, count) = (hasher.output_len(), messages.len() / len);
    digests.resize(size * count, 0);
    if together {
        let messages = hashmill::many::Rows::new(messages, len).expect("messages of one length");
        hasher.finish_many(&messages, &mut digests[..]).expect("room for all digests");
    } else {
        for (message, digest) in messages.chunks_exact(len).zip(digests.chunks_exact_mut(size)) {
            digest.copy_from_slice(&hasher.finish(message));
        }
    }
    digests.as_ptr()
}

/// Known answers of every algorithm, on every backend: whether all are right.
#[unsafe(no_mangle)]
pub extern "C" fn test() -> bool {
    self_test().is_ok()
}
