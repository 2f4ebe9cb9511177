//! The reasons why a column, a row or a batch cannot be hashed, as Python's exceptions.

use crate::data::wrong;
use arrow_schema::ArrowError;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The reason why a column cannot be hashed.
pub enum Trouble {
    Library(hashmill::Error),
    Arrow(ArrowError),
    /// A message about the values, for a `ValueError`.
    Value(String),
    /// A message about the type, for a `TypeError`.
    Type(String),
    /// The name of a column that does not exist.
    Key(String),
    /// There is not enough memory for the digests.
    Memory,
}

impl From<hashmill::Error> for Trouble {
    fn from(error: hashmill::Error) -> Self {
        Trouble::Library(error)
    }
}

impl From<ArrowError> for Trouble {
    fn from(error: ArrowError) -> Self {
        Trouble::Arrow(error)
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Library(error) => wrong(error),
            Trouble::Arrow(error) => PyValueError::new_err(error.to_string()),
            Trouble::Value(sentence) => PyValueError::new_err(sentence),
            Trouble::Type(sentence) => PyTypeError::new_err(sentence),
            Trouble::Key(name) => PyKeyError::new_err(name),
            Trouble::Memory => PyMemoryError::new_err("there is not enough memory for the digests"),
        }
    }
}
