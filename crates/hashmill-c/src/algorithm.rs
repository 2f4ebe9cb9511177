//! The table of algorithms.

use crate::memory::put;
use crate::status::Failure;
use crate::text::{Text, text};
use core::ffi::{CStr, c_char, c_int};
use hashmill::{Algorithm, Error};

/// The algorithm of that code.
#[inline]
pub(crate) fn algorithm(code: c_int) -> Result<Algorithm, Failure> {
    u8::try_from(code)
        .ok()
        .and_then(Algorithm::from_code)
        .ok_or(Failure::from(Error::UnknownAlgorithm))
}

entry! {
    /// The algorithm of that name, tag or alias.
    fn hashmill_algorithm_by_name(name: *const c_char, result: *mut c_int) {
        if name.is_null() {
            return Err(Failure::NULL);
        }
        let name = CStr::from_ptr(name).to_str().map_err(|_| Error::UnknownAlgorithm)?;
        put(result, name.parse::<Algorithm>()?.code().into())?;
    }
}

/// The codes, one after the other; 0 after the last.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_at(index: usize) -> c_int {
    Algorithm::ALL.get(index).map_or(0, |algorithm| algorithm.code().into())
}

/// A text for every algorithm, in the order of the table.
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

/// The name in the standard, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_name(code: c_int) -> *const c_char {
    text_in(&NAMES, code)
}

/// The name in checksum lists with tags, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_algorithm_tag(code: c_int) -> *const c_char {
    text_in(&TAGS, code)
}

/// The length of the digest, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_output_len(code: c_int) -> usize {
    algorithm(code).map_or(0, Algorithm::output_len)
}

/// The length of a block, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_block_len(code: c_int) -> usize {
    algorithm(code).map_or(0, Algorithm::block_len)
}

/// Whether the output has any length.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_is_xof(code: c_int) -> bool {
    algorithm(code).is_ok_and(Algorithm::is_xof)
}
