//! Which implementation runs.

use crate::status::Failure;
use hashmill::{Error, backend};
use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;

/// The names, best first; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_backend_name(index: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names =
        NAMES.get_or_init(|| backend::names().filter_map(|n| CString::new(n).ok()).collect());
    names.get(index).map_or(std::ptr::null(), |name| name.as_ptr())
}

entry! {
    /// Uses the backend of that name for the whole process; NULL for the best.
    fn hashmill_backend_force(name: *const c_char) {
        if name.is_null() {
            backend::force(None)?;
        } else {
            let name = CStr::from_ptr(name).to_str();
            backend::force(Some(name.map_err(|_| Failure::from(Error::UnknownBackend))?))?;
        }
    }
}
