//! The functions of the C interface that list, find and describe algorithms.

use crate::memory::put;
use crate::status::Failure;
use crate::text::{Text, texts};
use core::ffi::{CStr, c_char, c_int};
use hashmill::{Algorithm, Error};

/// Returns the algorithm whose number is `code`.
#[inline]
pub(crate) fn algorithm(code: c_int) -> Result<Algorithm, Failure> {
    u8::try_from(code)
        .ok()
        .and_then(Algorithm::from_code)
        .ok_or(Failure::from(Error::UnknownAlgorithm))
}

/// Returns the algorithm with this name, tag or alias, after which there may be a length in bits
/// (`blake2b-256`, `SHAKE128-512`), and the length of the output in bytes.
fn named(name: &str) -> Result<(Algorithm, usize), Error> {
    use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
    if let Ok(algorithm) = name.parse::<Algorithm>() {
        return Ok((algorithm, algorithm.output_len()));
    }
    let (name, bits) = name.rsplit_once('-').ok_or(Error::UnknownAlgorithm)?;
    let algorithm = name.parse::<Algorithm>()?;
    let is_number = bits.bytes().all(|byte| byte.is_ascii_digit()) && !bits.starts_with('0');
    let bits: usize = bits.parse().ok().filter(|_| is_number).ok_or(Error::UnknownAlgorithm)?;
    let longest = algorithm.output_len();
    let has_length = match algorithm {
        _ if !bits.is_multiple_of(8) => false,
        Blake2b | Blake2s | Blake2bp | Blake2sp => bits / 8 <= longest,
        _ => algorithm.is_xof() || bits / 8 == longest,
    };
    if has_length { Ok((algorithm, bits / 8)) } else { Err(Error::UnknownAlgorithm) }
}

/// # Safety
/// `name` is NULL or a string that ends with a zero byte.
unsafe fn named_in_c(name: *const c_char) -> Result<(Algorithm, usize), Failure> {
    if name.is_null() {
        return Err(Failure::NULL);
    }
    // SAFETY: the caller promises this.
    let name = unsafe { CStr::from_ptr(name) };
    Ok(named(name.to_str().map_err(|_| Error::UnknownAlgorithm)?)?)
}

entry! {
    /// Writes the number of the algorithm with this name, tag or alias to `result`. A length in bits
    /// after it is accepted and not written.
    fn hashmill_algorithm_by_name(name: *const c_char, result: *mut c_int) {
        put(result, named_in_c(name)?.0.code().into())?;
    }
}

/// Returns the length in bytes of the output that the name stands for, or 0 if there is no such
/// algorithm.
///
/// # Safety
/// As `hashmill.h` requires: `name` is NULL or a string that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_output_len_by_name(name: *const c_char) -> usize {
    // SAFETY: the caller promises this.
    unsafe { named_in_c(name) }.map_or(0, |(_, len)| len)
}

/// Returns the number of the algorithm at `index`, or 0 if `index` is past the last one.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_at(index: usize) -> c_int {
    Algorithm::ALL.get(index).map_or(0, |algorithm| algorithm.code().into())
}

static NAMES: [Text; Algorithm::ALL.len()] = texts!(Algorithm::ALL, algorithm => algorithm.name());
static TAGS: [Text; Algorithm::ALL.len()] = texts!(Algorithm::ALL, algorithm => algorithm.tag());

fn text_in(texts: &'static [Text], code: c_int) -> *const c_char {
    let index = algorithm(code).ok().and_then(|a| Algorithm::ALL.iter().position(|&b| a == b));
    index.map_or(core::ptr::null(), |index| texts[index].as_ptr())
}

/// Returns the algorithm's name in its standard, or NULL if there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_name(code: c_int) -> *const c_char {
    text_in(&NAMES, code)
}

/// Returns the algorithm's tag in checksum lists, or NULL if there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_tag(code: c_int) -> *const c_char {
    text_in(&TAGS, code)
}

/// Returns the length of the digest in bytes, or 0 if there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_output_len(code: c_int) -> usize {
    algorithm(code).map_or(0, Algorithm::output_len)
}

/// Returns the length of a block in bytes, or 0 if there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_block_len(code: c_int) -> usize {
    algorithm(code).map_or(0, Algorithm::block_len)
}

/// Returns 1 if the output may have any length, and otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_is_xof(code: c_int) -> c_int {
    algorithm(code).is_ok_and(Algorithm::is_xof).into()
}
