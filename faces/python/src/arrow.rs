//! Hashing of Arrow columns, which are passed by the PyCapsule interface.
//!
//! A chunk of a column is checked and hashed in place; memory is allocated only for the digests. The
//! chunks are requested from the producer one after the other, without the GIL.

use crate::capsule::{SCHEMA, Source, capsules};
use crate::data::{Data, bytes_of, length, threads};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, ffi::FFI_ArrowSchema};
use hashmill::many::{Messages, Rows};
use hashmill_arrow::{Asked, Profile, Trouble, choice, rows};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyRange, PyString, PyTuple};

/// The treatment of null.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    /// The digest of null is null.
    Keep,
    Error,
}

/// An Arrow array with digests, for any library that supports Arrow's PyCapsule interface. For
/// example, pyarrow.array(x), polars.Series(x) and arro3.core.Array(x) accept it without copying.
#[pyclass(frozen, immutable_type, sequence, name = "Array", module = "hashmill.arrow")]
pub struct Array_ {
    array: ArrayRef,
}

#[pymethods]
impl Array_ {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.array.len();
        let index = if index < 0 { index + count as isize } else { index };
        match usize::try_from(index) {
            Ok(index) if index < count => Ok(self.item(py, index)),
            _ => Err(PyIndexError::new_err("there is no item with this index")),
        }
    }

    /// pandas takes an object with this method as one value for each row, and any other object as the
    /// value of all rows.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        items(slf.as_any())
    }

    /// Return the items as a numpy array of objects. numpy's own type for bytes drops the zero bytes at
    /// the end of a digest.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("numpy cannot use this array without a copy"));
        }
        let objects = py.import("numpy")?.call_method1("array", (self.to_pylist(py), "O"))?;
        dtype.map_or(Ok(objects.clone()), |dtype| objects.call_method1("astype", (dtype,)))
    }

    /// Return all items as a list of bytes or str, with None for null.
    #[pyo3(signature = ())]
    fn to_pylist<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        (0..self.array.len()).map(|i| self.item(py, i)).collect()
    }

    /// The number of items that are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    /// The name of Arrow's type: "fixed_size_binary[32]", "string" or "large_string".
    #[getter]
    fn r#type(&self) -> String {
        match self.array.data_type() {
            DataType::FixedSizeBinary(width) => format!("fixed_size_binary[{width}]"),
            DataType::LargeUtf8 => "large_string".into(),
            _ => "string".into(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<hashmill.arrow.Array: {} of {}>", self.array.len(), self.r#type())
    }

    /// Return the schema and the array as capsules (Arrow's PyCapsule interface).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules(py, &self.array)
    }

    /// Return the schema as a capsule (Arrow's PyCapsule interface).
    #[pyo3(signature = ())]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.array.data_type()).map_err(Trouble::from)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

impl Array_ {
    fn item<'py>(&self, py: Python<'py>, index: usize) -> Bound<'py, PyAny> {
        if self.array.is_null(index) {
            return py.None().into_bound(py);
        }
        match self.array.data_type() {
            DataType::FixedSizeBinary(_) => {
                bytes_of(py, self.array.as_fixed_size_binary().value(index)).into_any()
            }
            DataType::LargeUtf8 => {
                PyString::new(py, self.array.as_string::<i64>().value(index)).into_any()
            }
            _ => PyString::new(py, self.array.as_string::<i32>().value(index)).into_any(),
        }
    }
}

/// Returns an iterator over the items of a sequence.
pub fn items<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = sequence.py();
    let indices = PyRange::new(py, 0, sequence.len()? as isize)?;
    let item = sequence.getattr(intern!(py, "__getitem__"))?;
    py.import("builtins")?.call_method1("map", (item, indices))
}

/// Checks the arguments that `_hash_column` and `_hash_rows` have in common.
pub fn asked(
    algorithm: &str,
    key: Option<&Bound<'_, PyAny>>,
    output: &str,
    length: Option<usize>,
    threads: usize,
) -> PyResult<Asked> {
    let key = key.map(Data::new).transpose()?;
    Ok(Asked::parse(algorithm, key.as_deref(), output, length, threads)?)
}

/// Hash every value of a column.
#[pyfunction]
#[pyo3(signature = (array, algorithm, *, key=None, output="binary", nulls="keep", length=None, threads=1))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn _hash_column<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    algorithm: &str,
    key: Option<&Bound<'py, PyAny>>,
    output: &str,
    nulls: &str,
    #[pyo3(from_py_with = length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Array_> {
    let asked = asked(algorithm, key, output, length, threads)?;
    let nulls = choice("nulls", nulls, &[("keep", Nulls::Keep), ("error", Nulls::Error)])?;
    let asked = &asked;
    let array = match Source::of(array)? {
        Some(mut source) => py.detach(move || -> Result<ArrayRef, Trouble> {
            let mut output = asked.output();
            while let Some(chunk) = source.next()? {
                output.column(&chunk)?;
                if nulls == Nulls::Error && output.has_nulls() {
                    return Err(Trouble::Value("there is a null, and nulls is \"error\"".into()));
                }
            }
            output.finish()
        })?,
        None => fixed_rows(py, array, asked)?,
    };
    Ok(Array_ { array })
}

/// Hashes the rows of a buffer, which all have the same width: a numpy array of type S or V, or a
/// two-dimensional array of bytes.
fn fixed_rows(py: Python<'_>, array: &Bound<'_, PyAny>, asked: &Asked) -> PyResult<ArrayRef> {
    let refused = || {
        PyTypeError::new_err(
            "a column has Arrow's PyCapsule interface (__arrow_c_array__ or __arrow_c_stream__), or is a contiguous \
             numpy array of fixed-width rows: of type S or V, or uint8 of two dimensions",
        )
    };
    let data = Data::of_array(array).map_err(|_| refused())?;
    let count = match *data.shape() {
        _ if data.is_of_objects() => return Err(refused()),
        // A one-dimensional array of numbers is one message, not a column.
        [rows] if data.is_of_strings() => rows as usize,
        [rows, _] if data.item_len() == 1 => rows as usize,
        _ => return Err(refused()),
    };
    let bytes: &[u8] = &data;
    let hashed = py.detach(|| -> Result<ArrayRef, Trouble> {
        let mut output = asked.output();
        match bytes.len().checked_div(count).unwrap_or(0) {
            0 => output.chunk(None, count, |_| &[], None)?,
            width => {
                let rows = Rows::new(bytes, width)?;
                output.chunk(None, count, |i| &bytes[i * width..][..width], Some(&rows))?;
            }
        }
        output.finish()
    });
    Ok(hashed?)
}

fn no_table(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a table has Arrow's PyCapsule interface (__arrow_c_array__ or __arrow_c_stream__), as those of pyarrow, \
         polars, pandas and DuckDB have; this is of type {kind}"
    ))
}

/// Hash every row of a table.
#[pyfunction]
#[pyo3(signature = (table, columns, algorithm, text, *, key=None, output="binary", length=None, threads=1))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn _hash_rows<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    algorithm: &str,
    text: Option<(String, String)>,
    key: Option<&Bound<'py, PyAny>>,
    output: &str,
    #[pyo3(from_py_with = length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Array_> {
    let asked = asked(algorithm, key, output, length, threads)?;
    let Some(mut source) = Source::of(table)? else {
        return Err(no_table(table));
    };
    let (asked, columns, profile) = (&asked, columns.as_deref(), Profile::from(text));
    let array = py.detach(move || -> Result<ArrayRef, Trouble> {
        let mut output = asked.output();
        while let Some(batch) = source.next()? {
            output.rows(&batch, columns, &profile)?;
        }
        output.finish()
    })?;
    Ok(Array_ { array })
}

/// Return the rows of a table as a list of bytes, encoded as hash_rows encodes them.
#[pyfunction]
#[pyo3(signature = (table, columns, text))]
pub fn _encode_rows<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    text: Option<(String, String)>,
) -> PyResult<Vec<Bound<'py, pyo3::types::PyBytes>>> {
    let Some(mut source) = Source::of(table)? else {
        return Err(no_table(table));
    };
    let profile = text.into();
    let mut all = Vec::new();
    while let Some(batch) = py.detach(|| source.next())? {
        rows::each_part(&batch, columns.as_deref(), &profile, |rows| {
            all.extend((0..rows.count()).map(|i| bytes_of(py, rows.message(i))));
            Ok(())
        })?;
    }
    Ok(all)
}
