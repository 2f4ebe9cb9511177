//! The optional native part: batches and long messages, by all instructions of the CPU.
//!
//! It keeps nothing between two calls. A hasher comes as the code of its function
//! ([`hashmill::Algorithm::code`]) or, if it has absorbed something or has parameters, as its
//! exported state. A state may come from a key, so a call with one clears the stack and the
//! registers that it used. Results are 0, or the number of an error, as in `wasm/lib.rs`.

use hashmill::many::{Column, Messages, Rows};
use hashmill::{Algorithm, AnyHasher, Error};
use napi::bindgen_prelude::Uint8ArraySlice;
use napi_derive::napi;

/// Returns the hasher of an exported state; if that is empty, a new one.
fn hasher(code: u32, state: &[u8]) -> Result<AnyHasher, Error> {
    if !state.is_empty() {
        return AnyHasher::import(state);
    }
    let algorithm = u8::try_from(code).ok().and_then(Algorithm::from_code);
    algorithm.map(Algorithm::hasher).ok_or(Error::Operation)
}

/// Runs `f`, and clears what it left if there is a state. Batches of trees use the most of the
/// stack, 64 KiB.
fn cleared<R>(state: &[u8], f: impl FnOnce() -> R) -> R {
    if state.is_empty() { f() } else { hashmill::run_wiped(64 * 1024, f) }
}

fn status(result: Result<(), Error>) -> u32 {
    result.err().map_or(0, |error| error.code().into())
}

fn batch(
    code: u32,
    state: &[u8],
    messages: Result<impl Messages, Error>,
    out: &mut [u8],
) -> Result<(), Error> {
    let messages = messages?;
    cleared(state, || hasher(code, state)?.hash_many(&messages, out))
}

/// Returns the bytes of an array that a call fills.
fn fill<'a>(out: &'a mut Uint8ArraySlice) -> &'a mut [u8] {
    // SAFETY: this package's JavaScript makes the array for this call and gives it to nobody else.
    unsafe { out.as_mut() }
}

/// Writes the outputs of messages of `width` bytes each, one after the other.
#[napi]
pub fn rows(code: u32, state: &[u8], values: &[u8], width: u32, mut out: Uint8ArraySlice) -> u32 {
    status(batch(code, state, Rows::new(values, width as usize), fill(&mut out)))
}

/// Writes the outputs of the messages between the offsets.
#[napi]
pub fn column(
    code: u32,
    state: &[u8],
    values: &[u8],
    offsets: &[u32],
    mut out: Uint8ArraySlice,
) -> u32 {
    status(batch(code, state, Column::new(values, offsets), fill(&mut out)))
}

/// Absorbs a part of a message, writes the state after it, and returns its length or, negative, the
/// number of an error. `out` has room for every state.
#[napi]
pub fn absorb(state: &[u8], data: &[u8], mut out: Uint8ArraySlice) -> i32 {
    let after = cleared(state, || {
        let mut hasher = AnyHasher::import(state)?;
        hasher.try_update(data)?;
        hasher.export()
    });
    match after {
        Ok(state) => {
            let state = state.as_ref();
            fill(&mut out)[..state.len()].copy_from_slice(state);
            state.len() as i32
        }
        Err(error) => -i32::from(error.code()),
    }
}
