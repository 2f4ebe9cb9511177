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

#[pymodule(gil_used = false)]
fn _hashmill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // PyO3's types are static, so two interpreters would share them. CPython refuses that from 3.12 on.
    // SAFETY: this thread is attached to an interpreter.
    if unsafe { ffi::PyInterpreterState_Get() != ffi::PyInterpreterState_Main() } {
        return Err(PyImportError::new_err("a sub-interpreter cannot import hashmill"));
    }
    module.add_class::<hash::Hash>()?;
    module.add_class::<hash::HashXof>()?;
    module.add_class::<hash::Blake2b>()?;
    module.add_class::<hash::Blake2s>()?;
    module.add_class::<hash::Blake2bp>()?;
    module.add_class::<hash::Blake2sp>()?;
    module.add_class::<hash::Blake3>()?;
    module.add_class::<hash::Reader>()?;
    module.add_class::<beyond::Xof>()?;
    module.add_class::<mac::Hmac>()?;
    module.add_class::<batch::Digests>()?;
    module.add_class::<batch::MountainRange>()?;
    module.add_class::<file_tree::FileTree>()?;
    module.add_class::<arrow::Array_>()?;
    names::add_names(module)?;
    hash::add_constructors(module)?;
    hash::quicken(module.py());
    beyond::add_functions(module)?;
    module.add_function(wrap_pyfunction!(hash::turboshake128, module)?)?;
    module.add_function(wrap_pyfunction!(hash::turboshake256, module)?)?;
    module.add_function(wrap_pyfunction!(hash::_new, module)?)?;
    module.add_function(wrap_pyfunction!(hash::digest, module)?)?;
    module.add_function(wrap_pyfunction!(beyond::import_state, module)?)?;
    module.add_function(wrap_pyfunction!(beyond::import_keyed, module)?)?;
    module.add_function(wrap_pyfunction!(names::_canonical, module)?)?;
    module.add_function(wrap_pyfunction!(batch::hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(batch::merkle_paths, module)?)?;
    module.add_function(wrap_pyfunction!(batch::merkle_root, module)?)?;
    module.add_function(wrap_pyfunction!(batch::merkle_root_of_path, module)?)?;
    module.add_function(wrap_pyfunction!(batch::merkle_roots_of_paths, module)?)?;
    module.add_function(wrap_pyfunction!(batch::read_many, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::_hash_column, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::_hash_rows, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::_encode_rows, module)?)?;
    module.add_function(wrap_pyfunction!(polars::_plugin_options, module)?)?;
    module.add_function(wrap_pyfunction!(files::_hash_files, module)?)?;
    module.add_function(wrap_pyfunction!(mac::hmac_new, module)?)?;
    module.add_function(wrap_pyfunction!(mac::hmac_digest, module)?)?;
    module.add_function(wrap_pyfunction!(mac::pbkdf2_hmac, module)?)?;
    module.add_function(wrap_pyfunction!(mac::hkdf, module)?)?;
    module.add_function(wrap_pyfunction!(mac::hkdf_extract, module)?)?;
    module.add_function(wrap_pyfunction!(mac::hkdf_expand, module)?)
}
