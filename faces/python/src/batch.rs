//! Hashing many messages at once; and the digests of a batch.

use crate::arrow::{at, items};
use crate::capsule::capsules;
use crate::data::{
    Bytes, Data, Object, Str, any_length, arity, bytes_of, hex_of, leaf, length, threads, wrong,
};
use crate::hash::Reader;
use crate::names::named;
use crate::shared::Shared;
use arrow_buffer::Buffer;
use hashmill::many::Rule;
use hashmill::{Algorithm, AnyReader};
use hashmill_arrow::output::fixed_size;
use hashmill_arrow::threads::pool;
use hashmill_arrow::{Form, Trouble, function};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString, PyTuple};
use std::ffi::{c_int, c_void};

/// The digests of a batch, packed: all of one length, one after the other.
///
/// It is a sequence of bytes objects. It has the buffer protocol (two dimensions of unsigned bytes,
/// so that numpy.asarray copies nothing) and Arrow's PyCapsule interface (fixed_size_binary).
#[pyclass(frozen, immutable_type, sequence, name = "Digests", module = "hashmill")]
#[derive(PartialEq)]
pub struct Digests {
    bytes: Buffer,
    /// The length of a digest in bytes.
    #[pyo3(get, name = "digest_size")]
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

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Object<'py>) -> PyResult<Object<'py>> {
        let count = self.rows();
        if let Ok(slice) = index.cast::<PySlice>() {
            let part = slice.indices(count as isize)?;
            let indices = (0..part.slicelength as isize).map(|k| part.start + k * part.step);
            let bytes: Vec<u8> = indices.flat_map(|i| self.row(i as usize)).copied().collect();
            let part = Digests::new(bytes.into(), self.len);
            return Ok(Bound::new(py, part)?.into_any());
        }
        let index = at(index.extract()?, count, "digest")?;
        Ok(bytes_of(py, self.row(index)).into_any())
    }

    /// See `Array.__iter__`.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Object<'py>> {
        items(slf.as_any())
    }

    /// Return all digests as a list of str.
    fn hex<'py>(&self, py: Python<'py>) -> PyResult<Vec<Str<'py>>> {
        (0..self.rows()).map(|i| hex_of(py, self.row(i))).collect()
    }

    /// Return all digests one after the other, as bytes.
    fn tobytes<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        bytes_of(py, &self.bytes)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        self.tobytes(py)
    }

    fn __eq__(&self, other: &Object<'_>) -> bool {
        other.cast::<Digests>().is_ok_and(|other| other.get() == self)
    }

    fn __repr__(&self) -> String {
        format!("<hashmill.Digests: {} of {} bytes>", self.rows(), self.len)
    }

    /// Arrow's PyCapsule interface: an array of fixed_size_binary.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Object<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules(py, &fixed_size(self.bytes.clone(), self.len, None, self.rows())?)
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() || flags & ffi::PyBUF_WRITABLE != 0 {
            return Err(PyBufferError::new_err("digests are not written to"));
        }
        let this = slf.get();
        let asked = |flag| flags & flag == flag;
        // SAFETY: the caller provides the view to be filled. Its memory belongs to the object,
        // which the view keeps alive, and does not change.
        unsafe {
            *view = ffi::Py_buffer::new();
            (*view).buf = this.bytes.as_ptr().cast_mut().cast::<c_void>();
            (*view).len = this.bytes.len() as isize;
            (*view).readonly = 1;
            (*view).itemsize = 1;
            (*view).ndim = 1;
            if asked(ffi::PyBUF_FORMAT) {
                (*view).format = c"B".as_ptr().cast_mut();
            }
            if asked(ffi::PyBUF_ND) {
                (*view).ndim = 2;
                (*view).shape = this.shape.as_ptr().cast_mut();
            }
            if asked(ffi::PyBUF_STRIDES) {
                (*view).strides = this.strides.as_ptr().cast_mut();
            }
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
#[pyfunction(signature = (leaves, algorithm="sha256", *, rule="rfc6962", arity=None, length=None))]
pub fn merkle_root<'py>(
    py: Python<'py>,
    leaves: &Object<'py>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = arity)] arity: Option<usize>,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
) -> PyResult<Bytes<'py>> {
    let (rule, algorithm, leaves) = (merkle_rule(rule)?, named(algorithm)?, Data::new(leaves)?);
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
#[pyfunction(signature = (leaf, index, count, path, algorithm="sha256", *, rule="rfc6962"))]
pub fn merkle_root_of_path<'py>(
    py: Python<'py>,
    leaf: &Object<'py>,
    #[pyo3(from_py_with = leaf)] index: u64,
    #[pyo3(from_py_with = leaf)] count: u64,
    path: &Object<'py>,
    algorithm: &str,
    rule: &str,
) -> PyResult<Bytes<'py>> {
    let (rule, algorithm) = (merkle_rule(rule)?, named(algorithm)?);
    let (leaf, path) = (Data::new(leaf)?, Data::new(path)?);
    let root = algorithm.merkle_root_of_path(rule, &leaf, [index, count], &path);
    let message = "no tree has this leaf, or its path has another length";
    Ok(bytes_of(py, &root.ok_or_else(|| wrong(message))?))
}

/// Return the paths of leaves of a Merkle tree, which merkle_root_of_path takes, as a list.
///
/// leaves, algorithm, rule and length: as for merkle_root. indices: of the leaves, from 0; the tree is
/// hashed once for all of them.
#[pyfunction(signature = (leaves, indices, algorithm="sha256", *, rule="rfc6962", length=None))]
pub fn merkle_paths<'py>(
    py: Python<'py>,
    leaves: &Object<'py>,
    indices: Vec<usize>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
) -> PyResult<Vec<Bytes<'py>>> {
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
#[pyfunction(signature = (paths, algorithm="sha256", *, rule="rfc6962", length=None))]
pub fn merkle_roots_of_paths<'py>(
    py: Python<'py>,
    paths: Vec<[Object<'py>; 4]>,
    algorithm: &str,
    rule: &str,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
) -> PyResult<Vec<Option<Bytes<'py>>>> {
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
        #[pyo3(from_py_with = any_length)] length: Option<usize>,
        count: Option<&Object<'_>>,
        peaks: Option<&Object<'_>>,
    ) -> PyResult<Self> {
        let (algorithm, rule) = (named(algorithm)?, merkle_rule(rule)?);
        let len = length.unwrap_or(algorithm.output_len());
        let mut count = count.map(leaf).transpose()?.unwrap_or(0);
        let mut peaks = peaks.map(Data::new).transpose()?.map_or(Vec::new(), |it| it.to_vec());
        let used = algorithm.merkle_append(rule, len, &mut count, &mut peaks, &mut []);
        if used.map_err(wrong)? < peaks.len() {
            return Err(wrong("peaks are longer than those of this many leaves"));
        }
        Ok(MountainRange { algorithm, rule, len, tree: Shared::new((count, peaks)) })
    }

    /// Append leaves: digests, or the first length bytes of digests, one after the other in a bytes-like
    /// object. They are hashed side by side in SIMD lanes, so append many at a time.
    #[pyo3(signature = (leaves, /))]
    fn append(&self, py: Python<'_>, leaves: &Object<'_>) -> PyResult<()> {
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
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bytes<'py>> {
        let tree = self.tree.lock(py);
        let root = self.algorithm.merkle_root_of_peaks(self.rule, self.len, tree.0, &tree.1);
        Ok(bytes_of(py, &root.map_err(wrong)?))
    }

    /// Return a copy of this object, to which other leaves can be appended.
    fn copy(&self, py: Python<'_>) -> Self {
        MountainRange { tree: Shared::new(self.tree.lock(py).clone()), ..*self }
    }

    /// The number of leaves so far.
    #[getter]
    fn count(&self, py: Python<'_>) -> u64 {
        self.tree.lock(py).0
    }

    /// The peaks, one after the other, the largest first.
    #[getter]
    fn peaks<'py>(&self, py: Python<'py>) -> Bytes<'py> {
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
            return Err(wrong(format!("rule is {names}")));
        }
    })
}

/// Return the next length bytes, at least 1, of each of many readers.
///
/// readers: different objects that reader() returned. Those of SHAKE and of other functions over Keccak-p
/// run side by side in SIMD lanes if they have the same function and position. Leave out those of which
/// enough was read: the rejection sampling of ML-KEM and ML-DSA reads some blocks of all, and then further
/// blocks of a few.
#[pyfunction(signature = (readers, length, /))]
pub fn read_many(
    py: Python<'_>,
    readers: Vec<Py<Reader>>,
    #[pyo3(from_py_with = length)] length: usize,
) -> PyResult<Digests> {
    if length == 0 {
        return Err(wrong("length must be at least 1"));
    }
    let mut out = function::zeroed(length.checked_mul(readers.len()).ok_or(Trouble::Memory)?)?;
    // They are taken in the order of their addresses, so that two threads do not wait for each other.
    let mut order: Vec<usize> = (0..readers.len()).collect();
    order.sort_unstable_by_key(|&i| readers[i].as_ptr());
    if order.windows(2).any(|pair| readers[pair[0]].is(&readers[pair[1]])) {
        return Err(wrong("a reader occurs twice"));
    }
    let mut taken: Vec<_> = order.iter().map(|&i| (i, readers[i].get().0.lock(py))).collect();
    taken.sort_unstable_by_key(|(i, _)| *i);
    let mut places: Vec<&mut AnyReader> = taken.iter_mut().map(|(_, guard)| &mut **guard).collect();
    AnyReader::fill_many(&mut places, &mut out[..]).map_err(wrong)?;
    Ok(Digests::new(Buffer::from_vec(out), length))
}

/// Hash many messages at once, side by side in SIMD lanes.
///
/// messages: a list, tuple or other iterable of bytes-like objects. algorithm: a name. key: the key
/// for HMAC. length: the length of each output in bytes, for an extendable-output function.
/// threads: the number of threads; 0 means one for each core.
#[pyfunction(signature = (messages, algorithm="sha256", *, key=None, length=None, threads=1))]
pub fn hash_many<'py>(
    py: Python<'py>,
    messages: &Object<'py>,
    algorithm: &str,
    key: Option<&Object<'py>>,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Digests> {
    let function = function::named(algorithm, key.map(Data::new).transpose()?.as_deref())?;
    let form = Form { len: function::len(&function, length)?, hex: false, threads: pool(threads)? };
    if messages.is_instance_of::<PyBytes>() || messages.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("messages is an iterable of bytes-like objects, not one"));
    }
    // A tuple holds its items, and nobody can take them out while the GIL is released.
    let held = py.get_type::<PyTuple>().call1((messages,))?.cast_into::<PyTuple>()?;
    let views: Vec<Data> = held.as_slice().iter().map(Data::new).collect::<PyResult<_>>()?;
    let mut bytes = Vec::new();
    let place = form.grow(views.len(), &mut bytes)?;
    py.detach(|| form.hash(&function, &views, place)).map_err(wrong)?;
    Ok(Digests::new(Buffer::from_vec(bytes), form.len))
}
