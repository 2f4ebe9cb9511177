//! The native extension module of the Python package `hashmill`.

mod arrow;
mod batch;
mod beyond;
mod blake3;
mod capsule;
mod data;
mod file_tree;
mod files;
mod hash;
mod mac;
mod names;
mod polars;
mod shared;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyFrozenSet;

/// Adds classes and functions to a module. PyO3's own list is a module of Rust, which would add them
/// before the interpreter is asked for.
macro_rules! add {
    ($module:ident classes { $($Class:path,)* } functions { $($function:path,)* }) => {
        $($module.add_class::<$Class>()?;)*
        $($module.add_function(wrap_pyfunction!($function, $module)?)?;)*
    };
}

#[pymodule(gil_used = false)]
fn _hashmill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // PyO3's types are static, so two interpreters would share them. CPython refuses that from 3.12 on.
    // SAFETY: this thread is attached to an interpreter.
    if unsafe { ffi::PyInterpreterState_Get() != ffi::PyInterpreterState_Main() } {
        return Err(PyImportError::new_err("a sub-interpreter cannot import hashmill"));
    }
    module.add("algorithms_own", PyFrozenSet::new(module.py(), hashmill_arrow::names::all())?)?;
    hash::add_constructors(module)?;
    add! { module
        classes {
            hash::Hash, hash::HashXof, hash::Blake2b, hash::Blake2s, hash::Blake2bp, hash::Blake2sp,
            hash::Blake3, hash::Reader, beyond::Xof, mac::Hmac, batch::Digests, batch::MountainRange,
            file_tree::FileTree, arrow::Array_,
        }
        functions {
            hash::turboshake128, hash::turboshake256, hash::_new, hash::digest, names::_canonical,
            beyond::kt128, beyond::kt256, beyond::cshake128, beyond::cshake256,
            beyond::kmac128, beyond::kmac256, beyond::tuplehash128, beyond::tuplehash256,
            beyond::parallelhash128, beyond::parallelhash256, beyond::ascon_cxof128,
            beyond::blake2xb, beyond::blake2xs, beyond::import_state, beyond::import_keyed,
            batch::hash_many, batch::read_many, batch::merkle_paths, batch::merkle_root,
            batch::merkle_root_of_path, batch::merkle_roots_of_paths, files::_hash_files,
            arrow::_hash_column, arrow::_hash_rows, arrow::_encode_rows, polars::_plugin_options,
            mac::hmac_new, mac::hmac_digest, mac::pbkdf2_hmac,
            mac::hkdf, mac::hkdf_extract, mac::hkdf_expand,
        }
    }
    hash::quicken(module.py());
    Ok(())
}
