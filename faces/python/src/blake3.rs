//! BLAKE3's type, with the interface of the package `blake3`.

use crate::data::{Arg, Bytes, Data, Object, Str, bytes_of, hex_of, wrong};
use crate::hash::{Blake3, Hash, built, copied, output, output_len};
use hashmill::{Error, Hashing, run_wiped};
use hashmill_arrow::function::{KEYED, blake3_with};
use hashmill_arrow::threads;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

/// The shortest message in bytes that several threads hash: to share a shorter one takes longer than
/// to hash it.
const SHARED: usize = 128 << 10;

/// The number of bytes that one read of a file requests.
const PIECE: usize = 4 << 20;

impl Blake3 {
    fn absorb(&self, hasher: &mut dyn Hashing, data: &[u8]) -> Result<(), Error> {
        match &self.threads {
            Some(pool) if data.len() >= SHARED => pool.install(|| hasher.try_update_rayon(data)),
            _ => hasher.try_update(data),
        }
    }
}

#[pymethods]
impl Blake3 {
    /// As many threads as there are cores.
    #[classattr]
    const AUTO: isize = -1;
    #[classattr]
    #[pyo3(name = "name")]
    const NAME: &'static str = "blake3";
    #[classattr]
    #[pyo3(name = "digest_size")]
    const DIGEST_SIZE: usize = 32;
    #[classattr]
    #[pyo3(name = "block_size")]
    const BLOCK_SIZE: usize = 64;
    #[classattr]
    #[pyo3(name = "key_size")]
    const KEY_SIZE: usize = 32;

    #[new]
    #[pyo3(signature = (
        data=Arg::Missing, /, *, key=None, derive_key_context=None, max_threads=1, usedforsecurity=Arg::Missing
    ))]
    #[pyo3(
        text_signature = "(data=b'', /, *, key=None, derive_key_context=None, max_threads=1, usedforsecurity=True)"
    )]
    fn new<'py>(
        py: Python<'py>,
        data: Arg<'_, 'py>,
        key: Option<&Object<'py>>,
        derive_key_context: Option<&str>,
        max_threads: isize,
        usedforsecurity: Arg<'_, 'py>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let _ = usedforsecurity;
        let key = key.map(Data::new).transpose()?;
        let keyed = key.is_some() || derive_key_context.is_some();
        let build = || match (&key, derive_key_context) {
            (None, None) => Ok(hashmill::Blake3::new()),
            (None, Some(context)) => Ok(hashmill::Blake3::derive_key(context)),
            (Some(key), None) => Ok(blake3_with(key)?),
            (Some(_), Some(_)) => {
                Err(wrong("cannot use key and derive_key_context at the same time"))
            }
        };
        let mut hasher = built(keyed, |hasher| Box::new(hasher), build)?;
        let threads = match max_threads {
            Self::AUTO => threads::all_cores(),
            1.. => threads::pool(max_threads.unsigned_abs().min(threads::MOST_THREADS))?,
            _ => return Err(wrong("not a valid number of threads")),
        };
        let made = Blake3 { threads };
        data.absorb(py, |data| made.absorb(&mut *hasher, data))?;
        Ok(PyClassInitializer::from(Hash::of(hasher)).add_subclass(made))
    }

    /// Absorb bytes, and return this object.
    #[pyo3(signature = (data, /))]
    fn update<'py>(slf: Bound<'py, Self>, data: &Object<'py>) -> PyResult<Bound<'py, Self>> {
        let (hash, this) = (slf.as_super().get(), slf.get());
        hash.0.absorb(slf.py(), data, |hasher, data| this.absorb(&mut **hasher, data))?;
        Ok(slf)
    }

    /// Absorb the bytes of a file, and return this object.
    ///
    /// The file is read in pieces. It is not mapped into memory, because a file that another program
    /// shortens would end this one.
    fn update_mmap(slf: Bound<'_, Self>, path: PathBuf) -> PyResult<Bound<'_, Self>> {
        let this = slf.get();
        // However long the file is, Python's other threads go on.
        slf.as_super().get().0.run(slf.py(), usize::MAX, |hasher| -> PyResult<()> {
            let mut file = File::open(path)?;
            let mut piece = vec![0; PIECE];
            loop {
                match file.read(&mut piece) {
                    Ok(0) => return Ok(()),
                    Ok(len) => this.absorb(&mut **hasher, &piece[..len]).map_err(wrong)?,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error.into()),
                }
            }
        })?;
        Ok(slf)
    }

    /// Return length bytes of the output, from byte seek on.
    #[pyo3(signature = (length=None, *, seek=0))]
    #[pyo3(text_signature = "($self, length=32, *, seek=0)")]
    fn digest<'py>(
        slf: &Bound<'py, Self>,
        length: Option<&Object<'py>>,
        seek: u64,
    ) -> PyResult<Bytes<'py>> {
        let py = slf.py();
        let len = length.map_or(Ok(Self::DIGEST_SIZE), output_len)?;
        let shared = &slf.as_super().get().0;
        if seek == 0 && len <= Self::DIGEST_SIZE {
            // Without a copy of the hasher, which has 2 KB.
            return Ok(bytes_of(py, &shared.lock(py).finalize()[..len]));
        }
        let hasher = copied(&**shared.lock(py));
        output(py, len, |out| {
            run_wiped(KEYED, || {
                let mut reader = hasher.squeeze()?;
                reader.seek(seek)?;
                reader.try_fill(out)
            })
        })
    }

    /// Return length bytes of the output, from byte seek on, as a str of hexadecimal digits.
    #[pyo3(signature = (length=None, *, seek=0))]
    #[pyo3(text_signature = "($self, length=32, *, seek=0)")]
    fn hexdigest<'py>(
        slf: &Bound<'py, Self>,
        length: Option<&Object<'py>>,
        seek: u64,
    ) -> PyResult<Str<'py>> {
        hex_of(slf.py(), Self::digest(slf, length, seek)?.as_bytes())
    }

    /// Return this object to its state before the first update. A key and a context stay.
    fn reset(slf: &Bound<'_, Self>) {
        let mut hasher = slf.as_super().get().0.lock(slf.py());
        run_wiped(KEYED, || {
            let state = hasher.export().expect("every state of BLAKE3 can be exported");
            let mut typed = hashmill::Blake3::import(state.as_ref()).expect("a state of BLAKE3");
            typed.reset();
            *hasher = Box::new(typed);
        });
    }

    /// Return a copy of this object, which can absorb other bytes.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let hasher = copied(&**slf.as_super().get().0.lock(slf.py()));
        let base = PyClassInitializer::from(Hash::of(hasher));
        Bound::new(slf.py(), base.add_subclass(Blake3 { threads: slf.get().threads.clone() }))
    }
}
