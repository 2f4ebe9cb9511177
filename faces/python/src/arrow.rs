//! Hashing of Arrow columns, which are passed by the PyCapsule interface.
//!
//! A chunk of a column is checked and hashed in place; memory is allocated only for the digests. The
//! chunks are requested from the producer one after the other, without the GIL.

use crate::capsule::{SCHEMA, Source, capsules};
use crate::check::array_of;
use crate::data::{Data, bytes_of};
use crate::function::{self, Form};
use crate::rows::{self, Profile};
use crate::threads::pool;
use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, FixedSizeBinaryArray, GenericBinaryArray, LargeStringArray, StringArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, ffi::FFI_ArrowSchema};
use hashmill::AnyHasher;
use hashmill::many::{Column, Messages, Rows};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};
use std::sync::Arc;

/// The treatment of null.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    /// The digest of null is null.
    Keep,
    Error,
}

fn choice<T: Copy>(what: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T> {
    match choices.iter().find(|(name, _)| *name == given) {
        Some(&(_, value)) => Ok(value),
        None => {
            let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
            Err(PyValueError::new_err(format!("{what} is {}, not {given:?}", names.join(" or "))))
        }
    }
}

/// The digests computed so far.
struct Output<'a> {
    function: &'a AnyHasher,
    form: &'a Form,
    bytes: Vec<u8>,
    /// Which digests are not null. It is allocated at the first null.
    valid: Option<BooleanBufferBuilder>,
    count: usize,
}

impl Output<'_> {
    /// Hashes a chunk of `count` values. Value `i` is `value(i)`. `all`, if given, contains all of
    /// them, and is used instead if none is null.
    fn chunk<'v>(
        &mut self,
        nulls: Option<&NullBuffer>,
        count: usize,
        value: impl Fn(usize) -> &'v [u8],
        all: Option<&(dyn Messages + Sync)>,
    ) -> Result<(), Trouble> {
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let place = self.form.grow(count, &mut self.bytes)?;
        match (nulls, all) {
            (None, Some(all)) => self.form.hash(self.function, all, place)?,
            (None, None) => found(self.form, self.function, count, value, place)?,
            (Some(nulls), _) => {
                // The bytes of a null value are not read, and its digest is filled with zeros.
                let value = |i| if nulls.is_valid(i) { value(i) } else { &[][..] };
                found(self.form, self.function, count, value, place)?;
                let (width, blank) = (self.form.width(), if self.form.hex { b'0' } else { 0 });
                for i in (0..count).filter(|&i| nulls.is_null(i)) {
                    place[i * width..][..width].fill(blank);
                }
            }
        }
        self.note(nulls, count);
        Ok(())
    }

    /// Records which of the next `count` digests are null.
    fn note(&mut self, nulls: Option<&NullBuffer>, count: usize) {
        if nulls.is_some() && self.valid.is_none() {
            let mut valid = BooleanBufferBuilder::new(self.count + count);
            valid.append_n(self.count, true);
            self.valid = Some(valid);
        }
        if let Some(valid) = &mut self.valid {
            match nulls {
                Some(nulls) => valid.append_buffer(nulls.inner()),
                None => valid.append_n(count, true),
            }
        }
        self.count += count;
    }

    /// Checks a chunk and hashes it. A table, or the result of a query, is hashed if it has one
    /// column.
    fn column(&mut self, data: &ArrayData) -> Result<(), Trouble> {
        let DataType::Struct(fields) = data.data_type() else {
            return self.array(&array_of(data)?);
        };
        match &*rows::columns_of(data)? {
            [column] => self.column(column),
            columns => Err(Trouble::Type(match columns.len() {
                // A column of structs, or a table: both come as structs.
                0 => "the table has no column".into(),
                count => format!(
                    "there are {count} columns ({}), and one is hashed: choose one, or call hash_rows",
                    fields.iter().map(|it| it.name().as_str()).collect::<Vec<_>>().join(", ")
                ),
            })),
        }
    }

    /// Hashes a chunk of any type whose values are byte strings or text.
    fn array(&mut self, array: &dyn Array) -> Result<(), Trouble> {
        let (nulls, count) = (array.nulls(), array.len());
        match array.data_type() {
            DataType::Utf8 => {
                let it = array.as_string::<i32>();
                let all = Column::new(it.value_data(), it.value_offsets())?;
                self.chunk(nulls, count, |i| it.value(i).as_bytes(), Some(&all))
            }
            DataType::LargeUtf8 => {
                let it = array.as_string::<i64>();
                let all = Column::new(it.value_data(), it.value_offsets())?;
                self.chunk(nulls, count, |i| it.value(i).as_bytes(), Some(&all))
            }
            DataType::Binary => self.binary(array.as_binary::<i32>()),
            DataType::LargeBinary => self.binary(array.as_binary::<i64>()),
            DataType::Utf8View => {
                let it = array.as_string_view();
                self.chunk(nulls, count, |i| it.value(i).as_bytes(), None)
            }
            DataType::BinaryView => {
                let it = array.as_binary_view();
                self.chunk(nulls, count, |i| it.value(i), None)
            }
            DataType::FixedSizeBinary(_) => {
                let it = array.as_fixed_size_binary();
                self.chunk(nulls, count, |i| it.value(i), None)
            }
            DataType::Dictionary(keys, _) => match **keys {
                DataType::Int8 => self.dictionary::<Int8Type>(array),
                DataType::Int16 => self.dictionary::<Int16Type>(array),
                DataType::Int32 => self.dictionary::<Int32Type>(array),
                DataType::Int64 => self.dictionary::<Int64Type>(array),
                DataType::UInt8 => self.dictionary::<UInt8Type>(array),
                DataType::UInt16 => self.dictionary::<UInt16Type>(array),
                DataType::UInt32 => self.dictionary::<UInt32Type>(array),
                _ => self.dictionary::<UInt64Type>(array),
            },
            DataType::Null => {
                let nulls = NullBuffer::new_null(count);
                self.chunk(Some(&nulls), count, |_| &[], None)
            }
            other => Err(Trouble::Type(format!(
                "a column of {other} has no bytes that define its hash: cast it to a string or to binary, or \
                 call hash_rows, which defines them"
            ))),
        }
    }

    fn binary<O: arrow_array::OffsetSizeTrait + hashmill::many::Offset>(
        &mut self,
        it: &GenericBinaryArray<O>,
    ) -> Result<(), Trouble> {
        let all = Column::new(it.value_data(), it.value_offsets())?;
        self.chunk(it.nulls(), it.len(), |i| it.value(i), Some(&all))
    }

    /// Hashes a chunk of a dictionary type. Each value of the dictionary is hashed once.
    fn dictionary<K: ArrowDictionaryKeyType>(&mut self, array: &dyn Array) -> Result<(), Trouble> {
        let it = array.as_dictionary::<K>();
        let values = it.values();
        let mut hashed = Output {
            function: self.function,
            form: self.form,
            bytes: Vec::new(),
            valid: None,
            count: 0,
        };
        hashed.array(values)?;
        let width = self.form.width();
        let blank = vec![if self.form.hex { b'0' } else { 0 }; width];
        let place = self.form.grow(it.len(), &mut self.bytes)?;
        let mut valid = BooleanBufferBuilder::new(it.len());
        for (i, digest) in place.chunks_exact_mut(width).enumerate() {
            let key = it.key(i).filter(|&key| values.is_valid(key));
            valid.append(key.is_some());
            digest.copy_from_slice(match key {
                Some(key) => &hashed.bytes[key * width..][..width],
                None => &blank,
            });
        }
        let nulls = NullBuffer::new(valid.finish());
        self.note(Some(&nulls).filter(|nulls| nulls.null_count() > 0), it.len());
        Ok(())
    }

    /// Returns the digests as an array of fixed_size_binary or, in hexadecimal, of strings.
    fn finish(self) -> Result<ArrayRef, Trouble> {
        let nulls = self.valid.map(|mut valid| NullBuffer::new(valid.finish()));
        let (bytes, width) = (Buffer::from_vec(self.bytes), self.form.width());
        if !self.form.hex {
            let width = i32::try_from(width)
                .map_err(|_| Trouble::Value("Arrow's widths have 31 bits".into()))?;
            let array = FixedSizeBinaryArray::try_new_with_len(width, bytes, nulls, self.count)?;
            return Ok(Arc::new(array));
        }
        // The offsets have 32 bits if that is enough for the last one.
        // SAFETY: hexadecimal digits are UTF-8, and the offsets are within them.
        Ok(match i32::try_from(bytes.len()) {
            Ok(_) => {
                let offsets: ScalarBuffer<i32> =
                    (0..=self.count).map(|i| (i * width) as i32).collect();
                let offsets = OffsetBuffer::new(offsets);
                Arc::new(unsafe { StringArray::new_unchecked(offsets, bytes, nulls) })
            }
            Err(_) => {
                let offsets: ScalarBuffer<i64> =
                    (0..=self.count).map(|i| (i * width) as i64).collect();
                let offsets = OffsetBuffer::new(offsets);
                Arc::new(unsafe { LargeStringArray::new_unchecked(offsets, bytes, nulls) })
            }
        })
    }
}

/// Hashes the values `0..count`. It looks up each value once, because the library reads a message
/// several times.
fn found<'v>(
    form: &Form,
    function: &AnyHasher,
    count: usize,
    value: impl Fn(usize) -> &'v [u8],
    place: &mut [u8],
) -> Result<(), hashmill::Error> {
    // A part has 256 KiB of slices, which stay in the L2 cache.
    const PART: usize = 1 << 14;
    let mut slices = Vec::with_capacity(count.min(PART));
    for (part, place) in place.chunks_mut(PART * form.width()).enumerate() {
        let begin = part * PART;
        slices.clear();
        slices.extend((begin..count.min(begin + PART)).map(&value));
        form.hash(function, &slices, place)?;
    }
    Ok(())
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

/// The parsed arguments that `_hash_column` and `_hash_rows` have in common.
struct Asked {
    function: AnyHasher,
    form: Form,
}

impl Asked {
    fn parse(
        algorithm: &str,
        key: Option<&Bound<'_, PyAny>>,
        output: &str,
        length: Option<usize>,
        threads: usize,
    ) -> PyResult<Self> {
        let function = function::named(algorithm, key)?;
        if key.is_some_and(|key| key.len().is_ok_and(|length| length == 0)) {
            return Err(PyValueError::new_err("the key is empty"));
        }
        let hex = choice("output", output, &[("binary", false), ("hex", true)])?;
        let form = Form { len: function::len(&function, length)?, hex, threads: pool(threads)? };
        Ok(Asked { function, form })
    }

    fn output(&self) -> Output<'_> {
        let Asked { function, form } = self;
        Output { function, form, bytes: Vec::new(), valid: None, count: 0 }
    }
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
    length: Option<usize>,
    threads: usize,
) -> PyResult<Array_> {
    let asked = Asked::parse(algorithm, key, output, length, threads)?;
    let nulls = choice("nulls", nulls, &[("keep", Nulls::Keep), ("error", Nulls::Error)])?;
    let asked = &asked;
    let array = match Source::of(array)? {
        Some(mut source) => py.detach(move || -> Result<ArrayRef, Trouble> {
            let mut output = asked.output();
            while let Some(chunk) = source.next()? {
                output.column(&chunk)?;
                if nulls == Nulls::Error && output.valid.is_some() {
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

/// Returns the encoding of rows; `text` has the separator and the token for null.
fn profile(text: Option<(String, String)>) -> Profile {
    match text {
        None => Profile::Cbor,
        Some((separator, null)) => Profile::Text { separator, null },
    }
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
    length: Option<usize>,
    threads: usize,
) -> PyResult<Array_> {
    let asked = Asked::parse(algorithm, key, output, length, threads)?;
    let Some(mut source) = Source::of(table)? else {
        return Err(no_table(table));
    };
    let (asked, columns, profile) = (&asked, columns.as_deref(), profile(text));
    let array = py.detach(move || -> Result<ArrayRef, Trouble> {
        let mut output = asked.output();
        while let Some(batch) = source.next()? {
            rows::each_part(&batch, columns, &profile, |rows| {
                output.chunk(None, rows.count(), |i| rows.message(i), Some(rows))
            })?;
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
    let profile = profile(text);
    let mut all = Vec::new();
    while let Some(batch) = py.detach(|| source.next())? {
        rows::each_part(&batch, columns.as_deref(), &profile, |rows| {
            all.extend((0..rows.count()).map(|i| bytes_of(py, rows.message(i))));
            Ok(())
        })?;
    }
    Ok(all)
}
