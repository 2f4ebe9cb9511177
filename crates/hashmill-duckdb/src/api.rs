//! DuckDB's C extension API, as far as this extension uses it.
//!
//! DuckDB passes its functions in a struct, to which later versions append. The functions that are
//! not used are gaps here. The test loads the extension in DuckDB, and the assertions below are the
//! numbers of the functions in version 1.2.0 of the struct.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// A pointer to an object of DuckDB.
pub type Handle = *mut c_void;

/// Computes the values of a chunk: from the information about the call and the chunk to a vector.
pub type Scalar = unsafe extern "C" fn(call: Handle, chunk: Handle, output: Handle);

/// DuckDB's numbers of the types that are used.
pub const TEXT: u32 = 17;
pub const BLOB: u32 = 18;

/// What DuckDB passes to an extension that it loads.
#[repr(C)]
pub struct Access {
    pub set_error: unsafe extern "C" fn(info: Handle, error: *const c_char),
    pub get_database: unsafe extern "C" fn(info: Handle) -> *const Handle,
    pub get_api: unsafe extern "C" fn(info: Handle, version: *const c_char) -> *const Api,
}

/// `count` functions that this extension does not use.
type Gap<const COUNT: usize> = [*const c_void; COUNT];

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Api {
    to_connect: Gap<3>,
    pub connect: unsafe extern "C" fn(database: Handle, connection: *mut Handle) -> c_int,
    to_disconnect: Gap<2>,
    pub disconnect: unsafe extern "C" fn(connection: *mut Handle),
    to_create_logical_type: Gap<149>,
    pub create_logical_type: unsafe extern "C" fn(number: u32) -> Handle,
    to_destroy_logical_type: Gap<27>,
    pub destroy_logical_type: unsafe extern "C" fn(kind: *mut Handle),
    to_get_vector: Gap<5>,
    pub get_vector: unsafe extern "C" fn(chunk: Handle, column: u64) -> Handle,
    pub get_size: unsafe extern "C" fn(chunk: Handle) -> u64,
    to_get_data: Gap<2>,
    pub get_data: unsafe extern "C" fn(vector: Handle) -> *mut c_void,
    pub get_validity: unsafe extern "C" fn(vector: Handle) -> *mut u64,
    pub ensure_validity_writable: unsafe extern "C" fn(vector: Handle),
    to_assign_string: Gap<1>,
    pub assign_string: unsafe extern "C" fn(vector: Handle, row: u64, bytes: *const u8, len: u64),
    to_create_function: Gap<10>,
    pub create_function: unsafe extern "C" fn() -> Handle,
    pub destroy_function: unsafe extern "C" fn(function: *mut Handle),
    pub set_name: unsafe extern "C" fn(function: Handle, name: *const c_char),
    to_add_parameter: Gap<3>,
    pub add_parameter: unsafe extern "C" fn(function: Handle, kind: Handle),
    pub set_return_type: unsafe extern "C" fn(function: Handle, kind: Handle),
    pub set_extra_info: unsafe extern "C" fn(
        function: Handle,
        info: *const c_void,
        destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    ),
    pub set_function: unsafe extern "C" fn(function: Handle, scalar: Scalar),
    to_get_extra_info: Gap<1>,
    pub get_extra_info: unsafe extern "C" fn(call: Handle) -> *const c_void,
    pub set_error: unsafe extern "C" fn(call: Handle, error: *const c_char),
    pub create_set: unsafe extern "C" fn(name: *const c_char) -> Handle,
    pub destroy_set: unsafe extern "C" fn(set: *mut Handle),
    pub add_to_set: unsafe extern "C" fn(set: Handle, function: Handle) -> c_int,
    pub register_set: unsafe extern "C" fn(connection: Handle, set: Handle) -> c_int,
}

const _: () = {
    let word = size_of::<Handle>();
    assert!(offset_of!(Api, connect) == 3 * word);
    assert!(offset_of!(Api, create_logical_type) == 156 * word);
    assert!(offset_of!(Api, destroy_logical_type) == 184 * word);
    assert!(offset_of!(Api, get_vector) == 190 * word);
    assert!(offset_of!(Api, assign_string) == 198 * word);
    assert!(offset_of!(Api, create_function) == 209 * word);
    assert!(offset_of!(Api, add_parameter) == 215 * word);
    assert!(offset_of!(Api, register_set) == 225 * word);
};

// SAFETY: the pointers are functions, which any thread may call.
unsafe impl Send for Api {}
// SAFETY: as above; nothing is written after the struct was copied.
unsafe impl Sync for Api {}
