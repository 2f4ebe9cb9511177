//! The names of the algorithms in hashlib, as Python's functions.

use hashmill_arrow::names;
use pyo3::prelude::*;
use pyo3::types::PyFrozenSet;

/// Adds `algorithms_own`, the names of all algorithms.
pub fn add_names(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("algorithms_own", PyFrozenSet::new(module.py(), names::all())?)
}

/// Return hashlib's name of the algorithm, or None if hashmill does not implement the algorithm.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub fn _canonical(name: &str) -> Option<&'static str> {
    names::algorithm(name).map(names::name)
}
