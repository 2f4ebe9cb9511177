//! The functions of the C interface that list, find and describe algorithms.

use crate::memory::put;
use crate::status::Failure;
use crate::text::{Text, text};
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

entry! {
    /// Writes the number of the algorithm with this name, tag or alias to `result`.
    fn hashmill_algorithm_by_name(name: *const c_char, result: *mut c_int) {
        if name.is_null() {
            return Err(Failure::NULL);
        }
        let name = CStr::from_ptr(name).to_str().map_err(|_| Error::UnknownAlgorithm)?;
        put(result, name.parse::<Algorithm>()?.code().into())?;
    }
}

/// Returns the number of the algorithm at `index`, or 0 if `index` is past the last one.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_at(index: usize) -> c_int {
    Algorithm::ALL.get(index).map_or(0, |algorithm| algorithm.code().into())
}

/// One text for each algorithm, in the order of `Algorithm::ALL`.
type Texts = [Text; Algorithm::ALL.len()];

static NAMES: Texts = texts(Column::Name);
static TAGS: Texts = texts(Column::Tag);

enum Column {
    Name,
    Tag,
}

const fn texts(column: Column) -> Texts {
    let mut texts = [text(""); Algorithm::ALL.len()];
    let mut i = 0;
    while i < texts.len() {
        texts[i] = text(match column {
            Column::Name => Algorithm::ALL[i].name(),
            Column::Tag => Algorithm::ALL[i].tag(),
        });
        i += 1;
    }
    texts
}

fn text_in(texts: &'static Texts, code: c_int) -> *const c_char {
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

/// Whether the output may have any length.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_is_xof(code: c_int) -> bool {
    algorithm(code).is_ok_and(Algorithm::is_xof)
}
