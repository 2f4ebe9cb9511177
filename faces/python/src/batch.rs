//! Hashing many messages at once, with any function; and the digests of a batch.

use crate::data::{Data, bytes_of, hex_of, wrong};
use crate::mac::Hmac;
use crate::names::algorithm;
use arrow_array::{ArrayRef, FixedSizeBinaryArray};
use arrow_buffer::Buffer;
use hashmill::many::{self, Hex, Messages, Outputs};
use hashmill::{AnyHasher, AnyHmac, Customization, Error, Kmac128, Kmac256, Kt128, Kt256};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice, PyString, PyTuple};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::{CStr, c_int, c_void};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

/// A function for a batch, with its key.
pub enum Function {
    Plain(AnyHasher),
    Hmac(AnyHmac),
    Kt128(Kt128),
    Kt256(Kt256),
    Kmac128(Kmac128),
    Kmac256(Kmac256),
}

impl Function {
    /// Returns the function of that name: an algorithm (with a key: HMAC over it), `kt128` or
    /// `kt256`, or with a key `kmac128` or `kmac256`.
    pub fn named(name: &str, key: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let key = key.map(Data::new).transpose()?;
        Ok(match (name, &key) {
            ("kt128", None) => Function::Kt128(Kt128::new()),
            ("kt256", None) => Function::Kt256(Kt256::new()),
            ("kmac128", Some(key)) => Function::Kmac128(Kmac128::new(key, Customization(b""))),
            ("kmac256", Some(key)) => Function::Kmac256(Kmac256::new(key, Customization(b""))),
            ("kmac128" | "kmac256", None) => {
                return Err(PyValueError::new_err(format!("{name} needs a key")));
            }
            (_, Some(key)) => Function::Hmac(Hmac::begin(key, name)?),
            (_, None) => match algorithm(name) {
                Some(algorithm) => Function::Plain(algorithm.hasher()),
                None => return Err(PyValueError::new_err(format!("unsupported hash type {name}"))),
            },
        })
    }

    /// Returns the length of an output in bytes: `length` if it is given.
    pub fn len(&self, length: Option<usize>) -> PyResult<usize> {
        let (own, any) = match self {
            Function::Plain(hasher) => (hasher.output_len(), hasher.algorithm().is_xof()),
            Function::Hmac(hmac) => (hmac.algorithm().output_len(), false),
            Function::Kt128(_) | Function::Kmac128(_) => (32, true),
            Function::Kt256(_) | Function::Kmac256(_) => (64, true),
        };
        match length {
            None => Ok(own),
            Some(0) => Err(PyValueError::new_err("length must be at least 1")),
            Some(length) if any || length == own => Ok(length),
            Some(_) => Err(wrong(Error::NotExtendable)),
        }
    }

    fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        match self {
            Function::Plain(it) => it.finish_many(messages, outputs),
            Function::Hmac(it) => it.finish_many(messages, outputs),
            Function::Kt128(it) => it.finish_many(messages, outputs),
            Function::Kt256(it) => it.finish_many(messages, outputs),
            Function::Kmac128(it) => it.finish_many(messages, outputs),
            Function::Kmac256(it) => it.finish_many(messages, outputs),
        }
    }
}

/// The form in which the digests of a batch are written, and the number of threads.
pub struct Form {
    /// The length of a digest in bytes.
    pub len: usize,
    pub hex: bool,
    pub threads: Option<Arc<ThreadPool>>,
}

impl Form {
    /// Returns the number of bytes that a digest takes in this form.
    pub fn width(&self) -> usize {
        if self.hex { 2 * self.len } else { self.len }
    }

    /// Appends room for the outputs of `count` messages.
    pub fn grow<'o>(&self, count: usize, out: &'o mut Vec<u8>) -> Result<&'o mut [u8], Error> {
        let begin = out.len();
        let (given, expected) = (self.width() as u64, (usize::MAX / count.max(1)) as u64);
        let too_long = Error::OutputLength { given, expected };
        let more = count.checked_mul(self.width()).ok_or(too_long)?;
        let all = begin.checked_add(more).ok_or(too_long)?;
        match begin {
            // The system provides pages of zeros, so no byte is written twice, as with
            // `MaybeUninit`.
            0 => *out = vec![0; all],
            _ => out.resize(all, 0),
        }
        Ok(&mut out[begin..])
    }

    /// Writes the outputs of all messages.
    pub fn hash(
        &self,
        function: &Function,
        messages: &(dyn Messages + Sync),
        out: &mut [u8],
    ) -> Result<(), Error> {
        match (messages.count(), self.hex) {
            (0, _) => Ok(()),
            (_, true) => self.finish(function, messages, &mut Hex(out)),
            (_, false) => self.finish(function, messages, out),
        }
    }

    fn finish<O: Outputs + Send + ?Sized>(
        &self,
        function: &Function,
        messages: &(dyn Messages + Sync),
        out: &mut O,
    ) -> Result<(), Error> {
        match &self.threads {
            Some(pool) => pool.install(|| function.finish_many(&many::threads(messages), out)),
            None => function.finish_many(messages, out),
        }
    }
}

/// The largest number of threads that a call may request.
const MOST_THREADS: usize = 1024;

/// Returns the pool of `threads` threads: 1 means the calling thread, 0 one thread for each core.
pub fn pool(threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    match threads {
        0 => Ok(all_cores()),
        1 => Ok(None),
        2..=MOST_THREADS => {
            let built = ThreadPoolBuilder::new().num_threads(threads).build();
            let failed = |_| PyValueError::new_err("the threads cannot be started");
            built.map(|pool| Some(Arc::new(pool))).map_err(failed)
        }
        _ => Err(PyValueError::new_err(format!("threads is at most {MOST_THREADS}"))),
    }
}

/// Returns a pool with a thread for each core; None if there is one core, or if no thread can be
/// started.
///
/// It is not rayon's global pool: the threads of that pool do not exist in a process that `fork`
/// created, as Python's multiprocessing does, and a call that used them would wait forever. Such a
/// process gets its own pool.
pub fn all_cores() -> Option<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    if std::thread::available_parallelism().map_or(1, NonZero::get) == 1 {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let me = std::process::id();
    if let Some((process, pool)) = &*pool
        && *process == me
    {
        return Some(pool.clone());
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // The pool of the parent process is not dropped, because its threads would not answer.
    std::mem::forget(pool.replace((me, made.clone())));
    Some(made)
}

/// The digests of a batch, packed: all of one length, one after the other.
///
/// It is a sequence of bytes objects. It has the buffer protocol (two dimensions of unsigned bytes,
/// so that numpy.asarray copies nothing) and Arrow's PyCapsule interface (fixed_size_binary).
#[pyclass(frozen, immutable_type, sequence, name = "Digests", module = "hashmill")]
pub struct Digests {
    bytes: Buffer,
    len: usize,
    /// The lengths and strides of views.
    shape: [isize; 2],
    strides: [isize; 2],
}

impl Digests {
    pub fn new(bytes: Buffer, len: usize) -> Self {
        let rows = bytes.len() / len;
        let shape = [rows as isize, len as isize];
        Digests { bytes, len, shape, strides: [len as isize, 1] }
    }

    fn rows(&self) -> usize {
        self.bytes.len() / self.len
    }

    fn row(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.len..][..self.len]
    }
}

#[pymethods]
impl Digests {
    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.rows();
        if let Ok(slice) = index.cast::<PySlice>() {
            let at = slice.indices(count as isize)?;
            let mut part = Vec::with_capacity(at.slicelength * self.len);
            for k in 0..at.slicelength as isize {
                part.extend_from_slice(self.row((at.start + k * at.step) as usize));
            }
            let part = Digests::new(part.into(), self.len);
            return Ok(Bound::new(py, part)?.into_any());
        }
        let index: isize = index.extract()?;
        let index = if index < 0 { index + count as isize } else { index };
        match usize::try_from(index) {
            Ok(index) if index < count => Ok(bytes_of(py, self.row(index)).into_any()),
            _ => Err(PyIndexError::new_err("there is no digest with this index")),
        }
    }

    /// The length of a digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.len
    }

    /// Return all digests as a list of str.
    #[pyo3(signature = ())]
    fn hex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.rows()).map(|i| hex_of(py, self.row(i))))
    }

    /// Return all digests one after the other, as bytes.
    #[pyo3(signature = ())]
    fn tobytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, &self.bytes)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.tobytes(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Digests>() {
            Ok(other) => {
                let other = other.get();
                self.len == other.len && self.bytes == other.bytes
            }
            Err(_) => false,
        }
    }

    fn __repr__(&self) -> String {
        format!("<hashmill.Digests: {} of {} bytes>", self.rows(), self.len)
    }

    /// Arrow's PyCapsule interface: an array of fixed_size_binary.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let width = i32::try_from(self.len)
            .map_err(|_| PyValueError::new_err("Arrow's widths have 31 bits"))?;
        let array = FixedSizeBinaryArray::try_new(width, self.bytes.clone(), None)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        crate::arrow::capsules(py, &(Arc::new(array) as ArrayRef))
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        const FORMAT: &CStr = c"B";
        if view.is_null() || flags & ffi::PyBUF_WRITABLE != 0 {
            return Err(PyBufferError::new_err("digests are not written to"));
        }
        let this = slf.get();
        let asked = |flag| flags & flag == flag;
        let shaped = asked(ffi::PyBUF_ND);
        // SAFETY: the caller provides the view to be filled. Its memory belongs to the object,
        // which the view keeps alive, and does not change.
        unsafe {
            (*view).buf = this.bytes.as_ptr().cast_mut().cast::<c_void>();
            (*view).len = this.bytes.len() as isize;
            (*view).readonly = 1;
            (*view).itemsize = 1;
            (*view).format = match asked(ffi::PyBUF_FORMAT) {
                true => FORMAT.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).ndim = if shaped { 2 } else { 1 };
            (*view).shape = match shaped {
                true => this.shape.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).strides = match asked(ffi::PyBUF_STRIDES) {
                true => this.strides.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = std::ptr::null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}

/// Hash many messages at once, side by side in SIMD lanes.
///
/// messages: a list, tuple or other iterable of bytes-like objects. algorithm: a name. key: the key
/// for HMAC. length: the length of each output in bytes, for an extendable-output function.
/// threads: the number of threads; 0 means one for each core.
#[pyfunction]
#[pyo3(signature = (messages, algorithm="sha256", *, key=None, length=None, threads=1))]
pub fn hash_many<'py>(
    py: Python<'py>,
    messages: &Bound<'py, PyAny>,
    algorithm: &str,
    key: Option<&Bound<'py, PyAny>>,
    length: Option<usize>,
    threads: usize,
) -> PyResult<Digests> {
    let function = Function::named(algorithm, key)?;
    let form = Form { len: function.len(length)?, hex: false, threads: pool(threads)? };
    if messages.is_instance_of::<PyBytes>() || messages.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("messages is an iterable of bytes-like objects, not one"));
    }
    // A tuple holds its items, and nobody can take them out while the GIL is released.
    // SAFETY: any object may be passed; the result is a new reference or an error.
    let held =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PySequence_Tuple(messages.as_ptr()))? };
    let held = held.cast_into::<PyTuple>()?;
    let items = held.as_slice();
    let mut views = Vec::new();
    let mut slices: Vec<&[u8]> = Vec::with_capacity(items.len());
    for item in items {
        match item.cast_exact::<PyBytes>() {
            Ok(bytes) => slices.push(bytes.as_bytes()),
            Err(_) => {
                let view = Data::new(item)?;
                // SAFETY: the view stays in `views`, so its bytes stay where they are.
                slices.push(unsafe { std::slice::from_raw_parts(view.as_ptr(), view.len()) });
                views.push(view);
            }
        }
    }
    let (slices, function, form) = (&slices, &function, &form);
    let bytes = py.detach(move || {
        let mut bytes = Vec::new();
        form.hash(function, slices, form.grow(slices.len(), &mut bytes)?).map(|()| bytes)
    });
    drop(views);
    Ok(Digests::new(Buffer::from_vec(bytes.map_err(wrong)?), form.len))
}
