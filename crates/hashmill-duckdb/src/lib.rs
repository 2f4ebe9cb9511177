//! An extension of DuckDB with the library's functions as scalar functions, by DuckDB's stable C
//! API. It uses no crate of DuckDB, and one file serves every version of DuckDB from 1.2 on.
//!
//! For each function, such as SHA-256, there are `hm_sha256(x)`, which returns
//! the digest as text in hexadecimal, and `hm_sha256_binary(x)`, which returns it as a BLOB.
//! `hm_hmac(algorithm, key_file, x)` and `hm_hmac_binary` are HMAC. `x` is text, of which the UTF-8
//! bytes are hashed, or a BLOB. The digest of NULL is NULL.

mod api;
mod functions;
mod vector;

use api::{Access, Api, Handle};
use std::ffi::CStr;
use std::sync::OnceLock;

/// The oldest version of the C API that has every function of [`Api`].
const VERSION: &CStr = c"v1.2.0";

/// The functions of DuckDB, which are the same for all databases of a process.
static API: OnceLock<Api> = OnceLock::new();

/// DuckDB calls this function when it loads the extension. The function returns whether the
/// functions were registered; if they were not, DuckDB has been told why.
///
/// # Safety
/// DuckDB calls it with the arguments of its C API.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_init_c_api(info: Handle, access: *const Access) -> bool {
    // SAFETY: DuckDB passes its functions for this call.
    let access = unsafe { &*access };
    // SAFETY: `info` belongs to this call, and the version ends with a zero byte.
    let api = unsafe { (access.get_api)(info, VERSION.as_ptr()).as_ref() };
    // SAFETY: as above.
    let database = unsafe { (access.get_database)(info).as_ref() };
    let (Some(&api), Some(&database)) = (api, database) else { return false };
    match functions::register(API.get_or_init(|| api), database) {
        Ok(()) => true,
        Err(error) => {
            // SAFETY: as above.
            unsafe { (access.set_error)(info, error.as_ptr()) };
            false
        }
    }
}
