//! The names of the algorithms in hashlib.

use crate::data::wrong;
use hashmill::Algorithm;
use hashmill_arrow::names;
use pyo3::prelude::*;

/// Returns the algorithm of that name.
pub fn named(name: &str) -> PyResult<Algorithm> {
    names::algorithm(name).ok_or_else(|| wrong(names::unknown(name)))
}

/// Return hashlib's name of the algorithm, or None if hashmill does not implement the algorithm.
#[pyfunction(signature = (name, /))]
pub fn _canonical(name: &str) -> Option<&'static str> {
    names::algorithm(name).map(names::name)
}
