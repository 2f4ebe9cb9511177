//! Hashing of Arrow columns, which are passed by the PyCapsule interface.
//!
//! A chunk of a column is checked and hashed in place; memory is allocated only for the digests. The
//! chunks are requested from the producer one after the other, without the GIL.

use crate::capsule::{SCHEMA, Source, capsules};
use crate::data::{Bytes, Data, Object, any_length, bytes_of, threads, wrong};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;
use arrow_schema::{DataType, ffi::FFI_ArrowSchema};
use hashmill::many::{Messages, Rows};
use hashmill_arrow::{Asked, Output, Profile, Trouble, choice, rows};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyRange, PyString, PyTuple};

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

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Object<'py>> {
        Ok(self.item(py, at(index, self.array.len(), "item")?))
    }

    /// pandas takes an object with this method as one value for each row, and any other object as the
    /// value of all rows.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Object<'py>> {
        items(slf.as_any())
    }

    /// Return the items as a numpy array of objects. numpy's own type for bytes drops the zero bytes at
    /// the end of a digest.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Object<'py>>,
        copy: Option<bool>,
    ) -> PyResult<Object<'py>> {
        if copy == Some(false) {
            return Err(wrong("numpy cannot use this array without a copy"));
        }
        let objects = py.import("numpy")?.call_method1("array", (self.to_pylist(py), "O"))?;
        dtype.map_or(Ok(objects.clone()), |dtype| objects.call_method1("astype", (dtype,)))
    }

    /// Return all items as a list of bytes or str, with None for null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> Vec<Object<'py>> {
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
        requested_schema: Option<&Object<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules(py, &self.array)
    }

    /// Return the schema as a capsule (Arrow's PyCapsule interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.array.data_type()).map_err(Trouble::from)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

impl Array_ {
    fn item<'py>(&self, py: Python<'py>, index: usize) -> Object<'py> {
        let (array, text) = (&self.array, |text: &str| PyString::new(py, text).into_any());
        match array.data_type() {
            _ if array.is_null(index) => py.None().into_bound(py),
            DataType::FixedSizeBinary(_) => {
                bytes_of(py, array.as_fixed_size_binary().value(index)).into_any()
            }
            DataType::LargeUtf8 => text(array.as_string::<i64>().value(index)),
            _ => text(array.as_string::<i32>().value(index)),
        }
    }
}

/// Returns the place of an index, which is negative if it counts from the end.
pub fn at(index: isize, count: usize, what: &str) -> PyResult<usize> {
    let place = if index < 0 { index + count as isize } else { index };
    let place = usize::try_from(place).ok().filter(|&place| place < count);
    place.ok_or_else(|| PyIndexError::new_err(format!("there is no {what} with this index")))
}

/// Returns an iterator over the items of a sequence.
pub fn items<'py>(sequence: &Object<'py>) -> PyResult<Object<'py>> {
    let py = sequence.py();
    let indices = PyRange::new(py, 0, sequence.len()? as isize)?;
    let item = sequence.getattr(intern!(py, "__getitem__"))?;
    py.import("builtins")?.call_method1("map", (item, indices))
}

/// Hash every value of a column.
#[pyfunction(signature = (array, algorithm, *, key=None, output="binary", nulls="keep", length=None, threads=1))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn _hash_column<'py>(
    py: Python<'py>,
    array: &Object<'py>,
    algorithm: &str,
    key: Option<&Object<'py>>,
    output: &str,
    nulls: &str,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Array_> {
    let key = key.map(Data::new).transpose()?;
    let asked = Asked::parse(algorithm, key.as_deref(), output, length, threads)?;
    // Otherwise the digest of null is null.
    let refuses_nulls = choice("nulls", nulls, &[("keep", false), ("error", true)])?;
    let Some(source) = Source::of(array)? else { return fixed_rows(py, array, &asked) };
    hashed(py, source, &asked, |output, chunk| {
        output.column(chunk)?;
        match refuses_nulls && output.has_nulls() {
            true => Err(Trouble::Value("there is a null, and nulls is \"error\"".into())),
            false => Ok(()),
        }
    })
}

/// Returns the digests that `chunk` adds to the output for each chunk of a source.
fn hashed(
    py: Python<'_>,
    mut source: Source,
    asked: &Asked,
    chunk: impl Fn(&mut Output<'_>, &ArrayData) -> Result<(), Trouble> + Send,
) -> PyResult<Array_> {
    let array = py.detach(move || -> Result<ArrayRef, Trouble> {
        let mut output = asked.output();
        while let Some(array) = source.next()? {
            chunk(&mut output, &array)?;
        }
        output.finish()
    })?;
    Ok(Array_ { array })
}

/// Hashes the rows of a buffer, which all have the same width: a numpy array of type S or V, or a
/// two-dimensional array of bytes.
fn fixed_rows(py: Python<'_>, array: &Object<'_>, asked: &Asked) -> PyResult<Array_> {
    let refused = || {
        PyTypeError::new_err(
            "a column has Arrow's PyCapsule interface (__arrow_c_array__ or __arrow_c_stream__), or is a contiguous \
             numpy array of fixed-width rows: of type S or V, or uint8 of two dimensions",
        )
    };
    let buffer = PyUntypedBuffer::get(array).ok().filter(|buffer| buffer.is_c_contiguous());
    let buffer = buffer.ok_or_else(refused)?;
    let format = buffer.format().to_bytes();
    let count = match *buffer.shape() {
        // The bytes of an object are its address.
        _ if format.contains(&b'O') => return Err(refused()),
        // A one-dimensional array of numbers is one message, not a column.
        [rows] if matches!(format.last(), Some(b's' | b'x' | b'p')) => rows,
        [rows, _] if buffer.item_size() == 1 => rows,
        _ => return Err(refused()),
    };
    let bytes: &[u8] = match buffer.len_bytes() {
        0 => &[],
        // SAFETY: the buffer is contiguous, has `len` bytes, and is held meanwhile.
        len => unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), len) },
    };
    let array = py.detach(|| -> Result<ArrayRef, Trouble> {
        let mut output = asked.output();
        match bytes.len().checked_div(count).unwrap_or(0) {
            0 => output.chunk(None, count, |_| &[], None)?,
            width => {
                let rows = Rows::new(bytes, width)?;
                output.chunk(None, count, |i| &bytes[i * width..][..width], Some(&rows))?;
            }
        }
        output.finish()
    })?;
    Ok(Array_ { array })
}

/// Returns the batches of a table.
fn batches(table: &Object<'_>) -> PyResult<Source> {
    Source::of(table)?.ok_or_else(|| {
        let name = table.get_type().name();
        let kind = name.map_or_else(|_| "object".into(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "a table has Arrow's PyCapsule interface (__arrow_c_array__ or __arrow_c_stream__), as those of pyarrow, \
             polars, pandas and DuckDB have; this is of type {kind}"
        ))
    })
}

/// Hash every row of a table.
#[pyfunction(signature = (table, columns, algorithm, text, *, key=None, output="binary", length=None, threads=1))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn _hash_rows<'py>(
    py: Python<'py>,
    table: &Object<'py>,
    columns: Option<Vec<String>>,
    algorithm: &str,
    text: Option<(String, String)>,
    key: Option<&Object<'py>>,
    output: &str,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Array_> {
    let key = key.map(Data::new).transpose()?;
    let asked = Asked::parse(algorithm, key.as_deref(), output, length, threads)?;
    let (columns, profile) = (columns.as_deref(), Profile::from(text));
    hashed(py, batches(table)?, &asked, |output, batch| output.rows(batch, columns, &profile))
}

/// Return the rows of a table as a list of bytes, encoded as hash_rows encodes them.
#[pyfunction(signature = (table, columns, text))]
pub fn _encode_rows<'py>(
    py: Python<'py>,
    table: &Object<'py>,
    columns: Option<Vec<String>>,
    text: Option<(String, String)>,
) -> PyResult<Vec<Bytes<'py>>> {
    let (mut source, profile) = (batches(table)?, text.into());
    let mut all = Vec::new();
    while let Some(batch) = py.detach(|| source.next())? {
        rows::each_part(&batch, columns.as_deref(), &profile, |rows| {
            all.extend((0..rows.count()).map(|i| bytes_of(py, rows.message(i))));
            Ok(())
        })?;
    }
    Ok(all)
}
