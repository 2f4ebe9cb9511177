//! The reasons why a column, a row or a batch cannot be hashed, as Python's exceptions.

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::fmt;

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

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Library(error) => error.fmt(f),
            Trouble::Arrow(error) => error.fmt(f),
            Trouble::Value(text) | Trouble::Type(text) | Trouble::Key(text) => f.write_str(text),
            Trouble::Memory => f.write_str("there is not enough memory for the digests"),
        }
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        let text = trouble.to_string();
        match trouble {
            Trouble::Library(_) | Trouble::Arrow(_) | Trouble::Value(_) => {
                PyValueError::new_err(text)
            }
            Trouble::Type(_) => PyTypeError::new_err(text),
            Trouble::Key(_) => PyKeyError::new_err(text),
            Trouble::Memory => PyMemoryError::new_err(text),
        }
    }
}
