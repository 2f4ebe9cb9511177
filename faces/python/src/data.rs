//! The bytes of Python objects, and the results as Python objects.

use hashmill::Error;
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::mem::MaybeUninit;
use std::ops::Deref;

/// An object of any type.
pub type Object<'py> = Bound<'py, PyAny>;
/// A `bytes` object.
pub type Bytes<'py> = Bound<'py, PyBytes>;
/// A `str` object.
pub type Str<'py> = Bound<'py, PyString>;

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

/// Returns an integer, or the nearest one of 128 bits.
pub fn integer(value: &Object<'_>) -> PyResult<i128> {
    match value.extract::<i128>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { i128::MIN } else { i128::MAX })
        }
        number => number,
    }
}

/// Returns an unsigned number that is the argument `what`. One outside of its type is a ValueError, as
/// for every other argument; PyO3 would raise OverflowError.
fn number<T: TryFrom<i128>>(what: &str, most: &str, value: &Object<'_>) -> PyResult<T> {
    let number = T::try_from(integer(value)?);
    number.map_err(|_| wrong(format!("{what} must be at most {most}, and not negative")))
}

pub fn length<T: TryFrom<i128>>(value: &Object<'_>) -> PyResult<T> {
    number("length", "2**64 - 1", value)
}

/// Returns what `number` makes of a value, or None for None.
pub fn optional<'a, 'py, T>(
    value: &'a Object<'py>,
    number: impl FnOnce(&'a Object<'py>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { number(value).map(Some) }
}

pub fn any_length<T: TryFrom<i128>>(value: &Object<'_>) -> PyResult<Option<T>> {
    optional(value, length)
}

pub fn arity(value: &Object<'_>) -> PyResult<Option<usize>> {
    optional(value, |value| number("arity", "2**64 - 1", value))
}

/// The index of a leaf, or the number of leaves.
pub fn leaf(value: &Object<'_>) -> PyResult<u64> {
    number("index or count", "2**64 - 1", value)
}

pub fn threads(value: &Object<'_>) -> PyResult<usize> {
    number("threads", "1024", value)
}

pub fn block_size(value: &Object<'_>) -> PyResult<usize> {
    number("block_size", "2**64 - 1", value)
}

pub fn domain(value: &Object<'_>) -> PyResult<u8> {
    number("domain", "0x7f", value)
}

impl<'a> Data<'a> {
    #[inline]
    pub fn new(object: &'a Object<'_>) -> PyResult<Self> {
        match object.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Data { bytes: bytes.as_bytes(), view: None }),
            Err(_) => Self::from_buffer(object),
        }
    }

    /// The bytes of an optional argument, none if it is not given.
    pub fn given(object: Option<&'a Object<'_>>) -> PyResult<Self> {
        object.map_or(Ok(Data { bytes: &[], view: None }), Data::new)
    }

    #[cold]
    fn from_buffer(object: &'a Object<'_>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        // SAFETY: the function accepts any object.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err("object supporting the buffer API required"));
        }
        let (mut view, flags) = (Box::new(MaybeUninit::uninit()), ffi::PyBUF_SIMPLE);
        // SAFETY: the object has a buffer, and the pointer has room for a view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        // SAFETY: `PyObject_GetBuffer` returned 0, so it has written the view.
        let view: Box<ffi::Py_buffer> = unsafe { view.assume_init() };
        let (len, dimensions) = (view.len as usize, view.ndim);
        let bytes: &[u8] = match len {
            0 => &[],
            // SAFETY: the buffer is contiguous, has `len` bytes, and lives as long as the view.
            _ => unsafe { std::slice::from_raw_parts(view.buf.cast(), len) },
        };
        let data = Data { bytes, view: Some(view) };
        match dimensions > 1 {
            true => Err(PyBufferError::new_err("Buffer must be single dimension")),
            false => Ok(data),
        }
    }
}

// SAFETY: other threads only read the bytes.
unsafe impl Sync for Data<'_> {}

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
    /// Passes the bytes to `absorb`, if the argument is given.
    #[inline]
    pub fn absorb(
        &self,
        py: Python<'_>,
        absorb: impl FnOnce(&[u8]) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let Arg::Given(object) = self else { return Ok(()) };
        let data = Data::new(object)?;
        detach_if(py, data.len(), || absorb(&data)).map_err(wrong)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Arg<'a, 'py> {
    type Error = PyErr;
    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Arg::Given(object))
    }
}

/// Returns a `ValueError`: an error of the library, or a sentence.
pub fn wrong(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub fn bytes_of<'py>(py: Python<'py>, bytes: &[u8]) -> Bytes<'py> {
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
pub fn hex_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Str<'py>> {
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
