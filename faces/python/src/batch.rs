//! Hashing many messages at once; and the digests of a batch.

use crate::arrow::items;
use crate::capsule::capsules;
use crate::data::{Data, arity, bytes_of, hex_of, leaf, length, threads, wrong};
use crate::hash::Reader;
use crate::mac::named;
use crate::shared::Shared;
use arrow_array::{ArrayRef, FixedSizeBinaryArray};
use arrow_buffer::Buffer;
use hashmill::many::Rule;
use hashmill::{Algorithm, AnyReader};
use hashmill_arrow::threads::pool;
use hashmill_arrow::{Form, Trouble, function};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice, PyString, PyTuple};
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

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

    /// See `Array.__iter__`.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        items(slf.as_any())
    }

    /// The length of a digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.len
    }

    /// Return all digests as a list of str.
    #[pyo3(signature = ())]
    fn hex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows: PyResult<Vec<_>> = (0..self.rows()).map(|i| hex_of(py, self.row(i))).collect();
        PyList::new(py, rows?)
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
        capsules(py, &(Arc::new(array) as ArrayRef))
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

/// Return the root of the Merkle tree over leaves, each level side by side in SIMD lanes.
///
/// leaves: digests of the algorithm, one after the other in a bytes-like object, as hash_many returns
/// them. rule: "rfc6962" (Certificate Transparency: the byte 1 before two nodes; a leaf is the digest
/// of the byte 0 and its entry), "bitcoin" (the digest of the digest of two nodes), "ssz" (Ethereum's
/// Simple Serialize), "commonware-mmr", "commonware-bmt" (commonware's Merkle mountain range, whose
/// leaves are digests after their position, and its binary tree, whose leaves are digests after their
/// index), or "verity" (Linux's dm-verity and fs-verity: blocks of 4096 bytes). arity: the number of nodes
/// below a node, otherwise that of the rule. length: the length of a node in bytes, if leaves and nodes are
/// only the first bytes of digests. The root of one leaf is that leaf, except for commonware; the root
/// of no leaves is the digest of no bytes for "rfc6962", zeros for the others.
#[pyfunction]
#[pyo3(signature = (leaves, algorithm="sha256", *, rule="rfc6962", arity=None, length=None))]
pub fn merkle_root<'py>(
    py: Python<'py>,
    leaves: &Bound<'py, PyAny>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = arity)] arity: Option<usize>,
    #[pyo3(from_py_with = length)] length: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let rule = merkle_rule(rule)?;
    let (algorithm, leaves) = (named(algorithm)?, Data::new(leaves)?);
    let mut nodes = Vec::new();
    nodes.try_reserve_exact(leaves.len()).map_err(|_| Trouble::Memory)?;
    nodes.extend_from_slice(&leaves);
    let length = length.unwrap_or(algorithm.output_len());
    let root = py.detach(|| algorithm.merkle_root_of(rule, arity, length, &mut nodes));
    Ok(bytes_of(py, &root.map_err(wrong)?))
}

/// Return the root of a Merkle tree that follows from a leaf and its path.
///
/// leaf: a node, whose length the others have, too. index: of the leaf, from 0. count: the number of leaves.
/// path: the other nodes below each node on the way to the root, from the leaf on (RFC 9162 section
/// 2.1.3.2), and for "commonware-mmr" then the peaks that are not above the leaf. The leaf belongs to a
/// tree if this is the tree's root. ValueError if no tree has this leaf or the path has another length.
#[pyfunction]
#[pyo3(signature = (leaf, index, count, path, algorithm="sha256", *, rule="rfc6962"))]
pub fn merkle_root_of_path<'py>(
    py: Python<'py>,
    leaf: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = leaf)] index: u64,
    #[pyo3(from_py_with = leaf)] count: u64,
    path: &Bound<'py, PyAny>,
    algorithm: &str,
    rule: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (rule, algorithm) = (merkle_rule(rule)?, named(algorithm)?);
    let (leaf, path) = (Data::new(leaf)?, Data::new(path)?);
    let root = algorithm.merkle_root_of_path(rule, &leaf, [index, count], &path);
    let message = "no tree has this leaf, or its path has another length";
    Ok(bytes_of(py, &root.ok_or_else(|| PyValueError::new_err(message))?))
}

/// Return the paths of leaves of a Merkle tree, which merkle_root_of_path takes, as a list.
///
/// leaves, algorithm, rule and length: as for merkle_root. indices: of the leaves, from 0; the tree is
/// hashed once for all of them.
#[pyfunction]
#[pyo3(signature = (leaves, indices, algorithm="sha256", *, rule="rfc6962", length=None))]
pub fn merkle_paths<'py>(
    py: Python<'py>,
    leaves: &Bound<'py, PyAny>,
    indices: Vec<usize>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = length)] length: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let (rule, algorithm, leaves) = (merkle_rule(rule)?, named(algorithm)?, Data::new(leaves)?);
    let length = length.unwrap_or(algorithm.output_len());
    if indices.iter().any(|&index| index >= leaves.len() / length.max(1)) {
        return Err(PyIndexError::new_err("no leaf has this index"));
    }
    let mut nodes = leaves.to_vec();
    let paths = py.detach(|| algorithm.merkle_paths(rule, length, &mut nodes, &indices));
    Ok(paths.map_err(wrong)?.iter().map(|path| bytes_of(py, path)).collect())
}

/// Return what merkle_root_of_path returns for each of many paths, or None where no tree has the leaf.
///
/// paths: a sequence of (leaf, index, count, path). The nodes of one step of all paths run side by side in
/// SIMD lanes. algorithm, rule and length: as for merkle_root.
#[pyfunction]
#[pyo3(signature = (paths, algorithm="sha256", *, rule="rfc6962", length=None))]
pub fn merkle_roots_of_paths<'py>(
    py: Python<'py>,
    paths: Vec<[Bound<'py, PyAny>; 4]>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = length)] length: Option<usize>,
) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
    let (rule, algorithm) = (merkle_rule(rule)?, named(algorithm)?);
    let length = length.unwrap_or(algorithm.output_len());
    let views = paths.iter().map(|[node, index, count, path]| {
        Ok((Data::new(node)?, [leaf(index)?, leaf(count)?], Data::new(path)?))
    });
    let views = views.collect::<PyResult<Vec<_>>>()?;
    let paths: Vec<_> = views.iter().map(|(leaf, at, path)| (&leaf[..], *at, &path[..])).collect();
    let roots =
        py.detach(|| algorithm.merkle_roots_of_paths(rule, length, paths)).map_err(wrong)?;
    Ok(roots.iter().map(|root| root.as_ref().map(|root| bytes_of(py, root))).collect())
}

/// A Merkle tree that grows, of which only the peaks are kept: the roots of its complete subtrees.
///
/// algorithm, rule and length: as for merkle_root. count, peaks: the properties of a tree that is continued.
/// Several threads may use it: each append is atomic.
#[pyclass(frozen, immutable_type, name = "MountainRange", module = "hashmill")]
pub struct MountainRange {
    algorithm: Algorithm,
    rule: Rule,
    len: usize,
    /// The number of leaves, and the peaks.
    tree: Shared<(u64, Vec<u8>)>,
}

#[pymethods]
impl MountainRange {
    #[new]
    #[pyo3(signature = (algorithm="sha256", *, rule="rfc6962", length=None, count=None, peaks=None))]
    fn new(
        algorithm: &str,
        rule: &str,
        #[pyo3(from_py_with = length)] length: Option<usize>,
        count: Option<&Bound<'_, PyAny>>,
        peaks: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (algorithm, rule) = (named(algorithm)?, merkle_rule(rule)?);
        let len = length.unwrap_or(algorithm.output_len());
        let mut count = count.map(leaf).transpose()?.unwrap_or(0);
        let mut peaks = peaks.map(Data::new).transpose()?.map_or(Vec::new(), |it| it.to_vec());
        let used = algorithm.merkle_append(rule, len, &mut count, &mut peaks, &mut []);
        if used.map_err(wrong)? < peaks.len() {
            return Err(PyValueError::new_err("peaks are longer than those of this many leaves"));
        }
        Ok(MountainRange { algorithm, rule, len, tree: Shared::new((count, peaks)) })
    }

    /// Append leaves: digests, or the first length bytes of digests, one after the other in a bytes-like
    /// object. They are hashed side by side in SIMD lanes, so append many at a time.
    #[pyo3(signature = (leaves, /))]
    fn append(&self, py: Python<'_>, leaves: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut leaves = Data::new(leaves)?.to_vec();
        self.tree.run(py, leaves.len(), |(count, peaks)| {
            let before = peaks.len();
            // What is appended has at most 64 levels of less than 4096 bytes.
            peaks.resize(before + leaves.len().min(64 * 4096), 0);
            let used = self.algorithm.merkle_append(self.rule, self.len, count, peaks, &mut leaves);
            peaks.truncate(*used.as_ref().unwrap_or(&before));
            used.map(drop).map_err(wrong)
        })
    }

    /// Return the root of all leaves so far: that which merkle_root returns for them.
    #[pyo3(signature = ())]
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let tree = self.tree.lock(py);
        let root = self.algorithm.merkle_root_of_peaks(self.rule, self.len, tree.0, &tree.1);
        Ok(bytes_of(py, &root.map_err(wrong)?))
    }

    /// Return a copy of this object, to which other leaves can be appended.
    #[pyo3(signature = ())]
    fn copy(&self, py: Python<'_>) -> Self {
        let tree = Shared::new(self.tree.lock(py).clone());
        MountainRange { tree, ..*self }
    }

    /// The number of leaves so far.
    #[getter]
    fn count(&self, py: Python<'_>) -> u64 {
        self.tree.lock(py).0
    }

    /// The peaks, one after the other, the largest first.
    #[getter]
    fn peaks<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, &self.tree.lock(py).1)
    }
}

fn merkle_rule(name: &str) -> PyResult<Rule> {
    Ok(match name {
        "rfc6962" => Rule::Rfc6962,
        "bitcoin" => Rule::Bitcoin,
        "ssz" => Rule::Ssz,
        "commonware-mmr" => Rule::CommonwareMmr,
        "commonware-bmt" => Rule::CommonwareBmt,
        "verity" => Rule::Verity,
        _ => {
            let names =
                "'rfc6962', 'bitcoin', 'ssz', 'commonware-mmr', 'commonware-bmt' or 'verity'";
            return Err(PyValueError::new_err(format!("rule is {names}")));
        }
    })
}

/// Return the next length bytes, at least 1, of each of many readers.
///
/// readers: different objects that reader() returned. Those of SHAKE and of other functions over Keccak-p
/// run side by side in SIMD lanes if they have the same function and position. Leave out those of which
/// enough was read: the rejection sampling of ML-KEM and ML-DSA reads some blocks of all, and then further
/// blocks of a few.
#[pyfunction]
#[pyo3(signature = (readers, length, /))]
pub fn read_many(
    py: Python<'_>,
    readers: Vec<Py<Reader>>,
    #[pyo3(from_py_with = length)] length: usize,
) -> PyResult<Digests> {
    if length == 0 {
        return Err(PyValueError::new_err("length must be at least 1"));
    }
    let size = length.checked_mul(readers.len()).ok_or(Trouble::Memory)?;
    // They are taken in the order of their addresses, so that two threads do not wait for each other.
    let mut order: Vec<usize> = (0..readers.len()).collect();
    order.sort_unstable_by_key(|&i| readers[i].as_ptr());
    if order.windows(2).any(|pair| readers[pair[0]].is(&readers[pair[1]])) {
        return Err(PyValueError::new_err("a reader occurs twice"));
    }
    let mut taken: Vec<_> = order.iter().map(|&i| (i, readers[i].get().0.lock(py))).collect();
    taken.sort_unstable_by_key(|(i, _)| *i);
    let mut places: Vec<&mut AnyReader> = taken.iter_mut().map(|(_, guard)| &mut **guard).collect();
    let mut out = Vec::new();
    out.try_reserve_exact(size).map_err(|_| Trouble::Memory)?;
    out.resize(size, 0);
    AnyReader::fill_many(&mut places, &mut out[..]).map_err(wrong)?;
    Ok(Digests::new(Buffer::from_vec(out), length))
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
    #[pyo3(from_py_with = length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Digests> {
    let function = function::named(algorithm, key.map(Data::new).transpose()?.as_deref())?;
    let form = Form { len: function::len(&function, length)?, hex: false, threads: pool(threads)? };
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
    let bytes = py.detach(move || -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        form.hash(function, slices, form.grow(slices.len(), &mut bytes)?)?;
        Ok(bytes)
    });
    drop(views);
    Ok(Digests::new(Buffer::from_vec(bytes?), form.len))
}
