//! Arrow's PyCapsule interface: the arrays of other libraries, and ours for them.

use crate::data::{Object, wrong};
use arrow_array::ArrayRef;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use hashmill_arrow::Trouble;
use hashmill_arrow::check::{self, import};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;

pub const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// The source of the chunks. Their structure has been checked, but not their values:
/// `check::array_of` checks those.
pub enum Source {
    One(Option<ArrayData>),
    Stream {
        stream: FFI_ArrowArrayStream,
        kind: DataType,
        /// Whether it has had a chunk. A stream without one has an empty chunk, so that its type is
        /// checked, too.
        begun: bool,
    },
}

impl Source {
    /// Returns the source of an object with `__arrow_c_array__` or `__arrow_c_stream__`, or None if
    /// the object has neither.
    pub fn of(object: &Object<'_>) -> PyResult<Option<Self>> {
        let py = object.py();
        if let Some(pair) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
                pair.call0()?.extract()?;
            let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
            let array = array.pointer_checked(Some(ARRAY))?.as_ptr().cast();
            // SAFETY: capsules of these names hold these structs. The array is moved out, which
            // marks it released.
            let (array, schema) = unsafe { (FFI_ArrowArray::from_raw(array), schema.as_ref()) };
            if array.is_released() {
                return Err(wrong("the array was released before"));
            }
            check::schema(schema)?;
            let kind = DataType::try_from(schema).map_err(Trouble::from)?;
            return Ok(Some(Source::One(Some(import(array, kind)?))));
        }
        if let Some(stream) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let capsule = stream.call0()?.cast_into::<PyCapsule>()?;
            let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.as_ptr();
            // SAFETY: a capsule of this name holds this struct. It is moved out, which marks it
            // released.
            let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast()) };
            return Ok(Some(py.detach(|| Source::stream(stream))?));
        }
        Ok(None)
    }

    fn stream(mut stream: FFI_ArrowArrayStream) -> Result<Self, Trouble> {
        let get_schema = stream.release().and(stream.get_schema());
        let Some(get_schema) = get_schema else {
            return Err(Trouble::Value("the stream was released before".into()));
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the function belongs to this stream, which has not been released.
        let status = unsafe { get_schema(&mut stream, &mut schema) };
        checked(&mut stream, status)?;
        check::schema(&schema)?;
        Ok(Source::Stream { stream, kind: DataType::try_from(&schema)?, begun: false })
    }

    pub fn next(&mut self) -> Result<Option<ArrayData>, Trouble> {
        match self {
            Source::One(array) => Ok(array.take()),
            Source::Stream { stream, kind, begun } => {
                let mut array = FFI_ArrowArray::empty();
                let Some(get_next) = stream.get_next() else { return Ok(None) };
                // SAFETY: the function belongs to this stream, which has not been released.
                let status = unsafe { get_next(stream, &mut array) };
                checked(stream, status)?;
                let first = !std::mem::replace(begun, true);
                match array.is_released() {
                    true => Ok(first.then(|| ArrayData::new_empty(kind))),
                    false => import(array, kind.clone()).map(Some),
                }
            }
        }
    }
}

/// Returns the producer's message if a function of the stream has failed.
fn checked(stream: &mut FFI_ArrowArrayStream, status: i32) -> Result<(), Trouble> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the function belongs to this stream, whose last operation has failed.
    let text = stream.get_last_error().map(|get| unsafe { get(stream) });
    let text = text.filter(|text| !text.is_null());
    // SAFETY: the text ends with a zero byte, and is valid until the next operation.
    let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    Err(Trouble::Value(text.unwrap_or_else(|| format!("the stream failed with error {status}"))))
}

/// Returns the schema and the array as a pair of capsules.
pub fn capsules<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(Trouble::from)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}
