//! The tree hashes that systems compute of files.

use crate::data::{Bytes, Data, Object, Str, block_size, bytes_of, hex_of, optional, wrong};
use crate::names::named;
use crate::shared::Shared;
use hashmill::FileTree as Tree;
use pyo3::prelude::*;
use std::num::NonZero;

/// The hash of a file by the rule of a system that hashes the file's blocks apart.
///
/// system: "fs-verity" (Linux; algorithm is "sha256" or "sha512", the block has 4096 bytes if no size
/// is given), "bittorrent-v2" (the field "pieces root"), "glacier" (Amazon's x-amz-sha256-tree-hash),
/// "dropbox" (content_hash) or "s3" (Amazon S3's composite SHA-256 of parts of block_size bytes). The
/// blocks of one update run side by side in SIMD lanes, so give it long pieces.
///
/// Several threads may use it: each update is atomic.
#[pyclass(frozen, immutable_type, name = "FileTree", module = "hashmill")]
pub struct FileTree(Shared<Tree>);

#[pymethods]
impl FileTree {
    #[new]
    #[pyo3(signature = (system, data=None, *, algorithm="sha256", block_size=None, salt=None))]
    fn new(
        py: Python<'_>,
        system: &str,
        data: Option<&Object<'_>>,
        algorithm: &str,
        #[pyo3(from_py_with = size)] block_size: Option<usize>,
        salt: Option<&Object<'_>>,
    ) -> PyResult<Self> {
        let algorithm = named(algorithm)?;
        let salt = Data::given(salt)?;
        let part = block_size.map(NonZero::new);
        let is_plain = algorithm == hashmill::Algorithm::Sha256 && salt.is_empty();
        let tree = match (system, part) {
            ("fs-verity", _) => {
                Tree::fs_verity(algorithm, block_size.unwrap_or(4096), &salt).map_err(wrong)?
            }
            ("bittorrent-v2", None) if is_plain => Tree::bittorrent(),
            ("glacier", None) if is_plain => Tree::glacier(),
            ("dropbox", None) if is_plain => Tree::dropbox(),
            ("s3", Some(Some(part))) if is_plain => Tree::s3(part),
            ("s3", _) if is_plain => {
                return Err(wrong("s3 takes the length of a part, block_size"));
            }
            ("bittorrent-v2" | "glacier" | "dropbox" | "s3", _) => {
                let message = "only fs-verity takes another algorithm or a salt, and only fs-verity and s3 take block_size";
                return Err(wrong(message));
            }
            _ => {
                let names = "'fs-verity', 'bittorrent-v2', 'glacier', 'dropbox' or 's3'";
                return Err(wrong(format!("system is {names}")));
            }
        };
        let tree = FileTree(Shared::new(tree));
        if let Some(data) = data {
            tree.update(py, data)?;
        }
        Ok(tree)
    }

    /// Absorb the next bytes of the file.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Object<'_>) -> PyResult<()> {
        self.0.absorb(py, data, |tree, data| {
            tree.update(data);
            Ok(())
        })
    }

    /// Return the hash of the bytes so far. The file may go on.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bytes<'py>> {
        Ok(bytes_of(py, &self.0.lock(py).finalize()))
    }

    /// Return the hash of the bytes so far, as a str of hexadecimal digits.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Str<'py>> {
        hex_of(py, &self.0.lock(py).finalize())
    }

    /// Return a copy of this object, which can absorb other bytes.
    fn copy(&self, py: Python<'_>) -> Self {
        FileTree(Shared::new(self.0.lock(py).clone()))
    }

    /// The number of blocks so far. The last one may be incomplete.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> u64 {
        self.0.lock(py).blocks()
    }
}

fn size(value: &Object<'_>) -> PyResult<Option<usize>> {
    optional(value, block_size)
}
