//! The bytes of Python objects, and the results as Python objects.

use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::mem::MaybeUninit;
use std::ops::Deref;

/// From so many bytes on the GIL is released while they are hashed: hashlib's limit,
/// `HASHLIB_GIL_MINSIZE`.
pub const LONG: usize = 2048;

/// The bytes of an object, in place.
///
/// Of `bytes` nothing is held: who calls us holds the object. Of anything else its buffer is held,
/// so that a `bytearray` cannot be resized meanwhile. That another thread writes to it while the
/// GIL is released is a mistake in the program, which then gets the digest of neither content: so
/// it is with hashlib.
pub struct Data<'a> {
    bytes: &'a [u8],
    view: Option<Box<ffi::Py_buffer>>,
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

    /// The same for contiguous arrays of any number of dimensions.
    pub fn of_array(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        Self::from_buffer(object, ffi::PyBUF_C_CONTIGUOUS | ffi::PyBUF_FORMAT)
    }

    #[cold]
    fn from_buffer(object: &'a Bound<'_, PyAny>, flags: i32) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        // SAFETY: any object may be asked.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err("object supporting the buffer API required"));
        }
        let mut view = Box::new(MaybeUninit::uninit());
        // SAFETY: the object has a buffer, and the place is one for a view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        // SAFETY: it was written.
        let view: Box<ffi::Py_buffer> = unsafe { view.assume_init() };
        let len = view.len as usize;
        let bytes: &[u8] = match len {
            0 => &[],
            // SAFETY: a contiguous buffer of `len` bytes, which stays until the view is released.
            _ => unsafe { std::slice::from_raw_parts(view.buf.cast(), len) },
        };
        let data = Data { bytes, view: Some(view) };
        match data.shape().len() > 1 && flags == ffi::PyBUF_SIMPLE {
            true => Err(PyBufferError::new_err("Buffer must be single dimension")),
            false => Ok(data),
        }
    }

    /// How many items there are in each dimension, if that was asked for.
    pub fn shape(&self) -> &[isize] {
        match &self.view {
            Some(view) if view.ndim > 1 && view.shape.is_null() => &[0, 0],
            Some(view) if view.ndim > 0 && !view.shape.is_null() => {
                // SAFETY: the exporter keeps as many lengths as there are dimensions.
                unsafe { std::slice::from_raw_parts(view.shape, view.ndim as usize) }
            }
            _ => &[],
        }
    }

    /// Bytes of an item.
    pub fn item_len(&self) -> usize {
        self.view.as_ref().map_or(1, |view| view.itemsize as usize)
    }

    /// The letters of the items' type, as the module `struct` has them.
    fn format(&self) -> &[u8] {
        match &self.view {
            // SAFETY: a format ends with a zero, and stays as long as the view.
            Some(view) if !view.format.is_null() => {
                unsafe { std::ffi::CStr::from_ptr(view.format) }.to_bytes()
            }
            _ => b"B",
        }
    }

    /// Whether an item is, or has, a Python object: its bytes are an address.
    pub fn is_of_objects(&self) -> bool {
        self.format().contains(&b'O')
    }

    /// Whether an item is a string of bytes of one width.
    pub fn is_of_strings(&self) -> bool {
        matches!(self.format().last(), Some(b's' | b'x' | b'p'))
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
            // SAFETY: it was filled by `PyObject_GetBuffer` and is released once.
            unsafe { ffi::PyBuffer_Release(&mut **view) };
        }
    }
}

/// An argument that may be left out, where `None` is a mistake.
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

/// An error of the library, for Python.
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

/// Lower-case hexadecimal.
pub fn hex_of<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyString> {
    let mut short = [[0; 2]; 64];
    let write = |pairs: &mut [[u8; 2]]| {
        for (pair, &byte) in pairs.iter_mut().zip(bytes) {
            *pair = DIGITS[usize::from(byte)];
        }
    };
    match short.get_mut(..bytes.len()) {
        Some(pairs) => {
            write(pairs);
            ascii(py, pairs.as_flattened())
        }
        None => {
            let mut pairs = vec![[0; 2]; bytes.len()];
            write(&mut pairs);
            ascii(py, pairs.as_flattened())
        }
    }
}

fn ascii<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyString> {
    PyString::new(py, std::str::from_utf8(text).expect("hexadecimal digits are ASCII"))
}

/// Runs what takes long without the GIL, if it is about many bytes.
#[inline]
pub fn detach_if<T: Send>(py: Python<'_>, len: usize, run: impl FnOnce() -> T + Send) -> T {
    match len < LONG {
        true => run(),
        false => py.detach(run),
    }
}
