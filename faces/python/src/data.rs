//! The bytes of Python objects, and the results as Python objects.

use pyo3::exceptions::{PyBufferError, PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::mem::MaybeUninit;
use std::ops::Deref;

/// The number of bytes from which the GIL is released while they are hashed. It is hashlib's limit,
/// `HASHLIB_GIL_MINSIZE`.
pub const LONG: usize = 2048;

/// The bytes of an object, in place.
///
/// A `bytes` object is borrowed from the caller, who holds a reference to it. For any other object,
/// `Data` holds its buffer, so that a `bytearray` cannot be resized in the meantime. If another
/// thread writes to the buffer while the GIL is released, the digest is that of neither content. As
/// in hashlib, this is an error of the calling program.
pub struct Data<'a> {
    bytes: &'a [u8],
    view: Option<Box<ffi::Py_buffer>>,
}

/// Returns an unsigned number that is the argument `what`. One outside of its type is a ValueError, as
/// for every other argument; PyO3 would raise OverflowError.
fn number<'py, T>(what: &str, most: &str, value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => {
                PyValueError::new_err(format!("{what} must be at most {most}, and not negative"))
            }
            false => error,
        }
    })
}

/// The argument `length`, or None.
pub fn length<'py, T>(value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    number("length", "2**64 - 1", value)
}

pub fn arity(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    number("arity", "2**64 - 1", value)
}

/// The index of a leaf, or the number of leaves.
pub fn leaf(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number("index or count", "2**64 - 1", value)
}

pub fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    number("threads", "1024", value)
}

pub fn block_size(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    number("block_size", "2**64 - 1", value)
}

pub fn domain(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    number("domain", "0x7f", value)
}

impl<'a> Data<'a> {
    #[inline]
    pub fn new(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        match object.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Data { bytes: bytes.as_bytes(), view: None }),
            Err(_) => Self::from_buffer(object, ffi::PyBUF_SIMPLE),
        }
    }

    pub fn empty() -> Self {
        Data { bytes: &[], view: None }
    }

    /// Like [`Data::new`], for contiguous arrays with any number of dimensions.
    pub fn of_array(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        Self::from_buffer(object, ffi::PyBUF_C_CONTIGUOUS | ffi::PyBUF_FORMAT)
    }

    #[cold]
    fn from_buffer(object: &'a Bound<'_, PyAny>, flags: i32) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        // SAFETY: the function accepts any object.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err("object supporting the buffer API required"));
        }
        let mut view = Box::new(MaybeUninit::uninit());
        // SAFETY: the object has a buffer, and the pointer has room for a view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        // SAFETY: `PyObject_GetBuffer` returned 0, so it has written the view.
        let view: Box<ffi::Py_buffer> = unsafe { view.assume_init() };
        let len = view.len as usize;
        let bytes: &[u8] = match len {
            0 => &[],
            // SAFETY: the buffer is contiguous, has `len` bytes, and lives as long as the view.
            _ => unsafe { std::slice::from_raw_parts(view.buf.cast(), len) },
        };
        let data = Data { bytes, view: Some(view) };
        match data.shape().len() > 1 && flags == ffi::PyBUF_SIMPLE {
            true => Err(PyBufferError::new_err("Buffer must be single dimension")),
            false => Ok(data),
        }
    }

    /// Returns the number of items in each dimension, if the view has that information.
    pub fn shape(&self) -> &[isize] {
        match &self.view {
            Some(view) if view.ndim > 1 && view.shape.is_null() => &[0, 0],
            Some(view) if view.ndim > 0 && !view.shape.is_null() => {
                // SAFETY: the exporter provides one length for each dimension.
                unsafe { std::slice::from_raw_parts(view.shape, view.ndim as usize) }
            }
            _ => &[],
        }
    }

    /// Returns the length of an item in bytes.
    pub fn item_len(&self) -> usize {
        self.view.as_ref().map_or(1, |view| view.itemsize as usize)
    }

    /// Returns the format of the items, in the notation of Python's module `struct`.
    fn format(&self) -> &[u8] {
        match &self.view {
            // SAFETY: a format ends with a zero byte, and stays as long as the view.
            Some(view) if !view.format.is_null() => {
                unsafe { std::ffi::CStr::from_ptr(view.format) }.to_bytes()
            }
            _ => b"B",
        }
    }

    /// Returns whether an item is or contains a Python object, whose bytes are an address.
    pub fn is_of_objects(&self) -> bool {
        self.format().contains(&b'O')
    }

    /// Returns whether an item is a byte string of fixed width.
    pub fn is_of_strings(&self) -> bool {
        matches!(self.format().last(), Some(b's' | b'x' | b'p'))
    }
}

impl AsRef<[u8]> for Data<'_> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Data<'_> {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl Drop for Data<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(view) = &mut self.view {
            // SAFETY: `PyObject_GetBuffer` filled the view, and it is released once.
            unsafe { ffi::PyBuffer_Release(&mut **view) };
        }
    }
}

/// An optional argument for which `None` is an error.
#[derive(Clone, Copy)]
pub enum Arg<'a, 'py> {
    Missing,
    Given(Borrowed<'a, 'py, PyAny>),
}

impl Arg<'_, '_> {
    #[inline]
    pub fn bytes(&self) -> PyResult<Option<Data<'_>>> {
        match self {
            Arg::Missing => Ok(None),
            Arg::Given(object) => Data::new(object).map(Some),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Arg<'a, 'py> {
    type Error = PyErr;
    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Arg::Given(object))
    }
}

/// Converts an error of the library to a `ValueError`.
pub fn wrong(error: hashmill::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub fn bytes_of<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, bytes)
}

const DIGITS: [[u8; 2]; 256] = {
    let (mut pairs, mut i) = ([[0; 2]; 256], 0);
    while i < 256 {
        pairs[i] = [b"0123456789abcdef"[i >> 4], b"0123456789abcdef"[i & 15]];
        i += 1;
    }
    pairs
};

/// Returns the bytes as a str of lower-case hexadecimal digits, or a `MemoryError`.
pub fn hex_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let mut short = [[0; 2]; 64];
    let mut long = Vec::new();
    let pairs = match short.get_mut(..bytes.len()) {
        Some(short) => short,
        None => {
            let failed = |_| PyMemoryError::new_err("there is no memory for the digits");
            long.try_reserve_exact(bytes.len()).map_err(failed)?;
            long.resize(bytes.len(), [0; 2]);
            &mut long[..]
        }
    };
    for (pair, &byte) in pairs.iter_mut().zip(bytes) {
        *pair = DIGITS[usize::from(byte)];
    }
    PyString::from_bytes(py, pairs.as_flattened())
}

/// Calls `run`, without the GIL if `len` is at least [`LONG`].
#[inline]
pub fn detach_if<T: Send>(py: Python<'_>, len: usize, run: impl FnOnce() -> T + Send) -> T {
    match len < LONG {
        true => run(),
        false => py.detach(run),
    }
}
