//! Hashing of files: several at the same time, in pieces, so that no file is whole in memory.

use crate::batch::Digests;
use crate::data::{Object, threads, wrong};
use crate::names::named;
use arrow_buffer::Buffer;
use hashmill::AnyHasher;
use hashmill_arrow::function;
use hashmill_arrow::threads::MOST_THREADS;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The number of bytes that one read requests.
const PIECE: usize = 1 << 20;

/// The shortest time between two calls of `progress`.
const PAUSE: Duration = Duration::from_millis(100);

/// What the threads share.
struct Work {
    hasher: AnyHasher,
    /// The number of bytes read so far.
    bytes: AtomicU64,
    /// Whether a file failed, or `progress` raised an exception.
    stop: AtomicBool,
}

impl Work {
    /// Writes the digest of a file, unless the work is stopped.
    fn one(&self, path: &Path, buffer: &mut [u8], digest: &mut [u8]) -> PyResult<()> {
        let mut hasher = self.hasher.clone();
        let mut file = File::open(path).map_err(|error| failed(path, error))?;
        while !self.stop.load(Relaxed) {
            match file.read(buffer) {
                Ok(0) => return hasher.hash_into(b"", digest).map_err(wrong),
                Ok(count) => {
                    hasher.try_update(&buffer[..count]).map_err(wrong)?;
                    self.bytes.fetch_add(count as u64, Relaxed);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(path, error)),
            }
        }
        Ok(())
    }
}

/// Hash files, several at the same time.
///
/// progress: called with the number of bytes read so far, at most ten times a second and once at
/// the end. If it raises an exception, hashing stops. threads: the number of threads; 0 means one
/// for each core.
#[pyfunction(signature = (paths, algorithm="sha256", *, progress=None, threads=0))]
pub fn _hash_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    algorithm: &str,
    progress: Option<&Object<'py>>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Digests> {
    let hasher = match algorithm {
        "kt128" | "kt256" => function::named(algorithm, None)?,
        _ => named(algorithm)?.hasher(),
    };
    let len = hasher.output_len();
    let cores = thread::available_parallelism().map_or(1, |it| it.get());
    if threads > MOST_THREADS {
        return Err(wrong(format!("threads is at most {MOST_THREADS}")));
    }
    let threads = if threads == 0 { cores } else { threads }.clamp(1, paths.len().max(1));
    let work = Work { hasher, bytes: AtomicU64::new(0), stop: AtomicBool::new(false) };
    let mut digests = vec![0; paths.len() * len];
    let files = &Mutex::new(paths.iter().zip(digests.chunks_exact_mut(len)));
    let tell = || match progress {
        Some(progress) => progress.call1((work.bytes.load(Relaxed),)).map(drop),
        None => Ok(()),
    };
    let outcome = thread::scope(|scope| {
        let (failing, failures) = mpsc::channel();
        for _ in 0..threads {
            let (failing, work) = (failing.clone(), &work);
            scope.spawn(move || {
                let mut buffer = vec![0; PIECE];
                while let Some((path, digest)) = files.lock().ok().and_then(|mut it| it.next()) {
                    if let Err(error) = work.one(path, &mut buffer, digest) {
                        _ = failing.send(error);
                    }
                }
            });
        }
        drop(failing);
        let (failures, mut outcome) = (Mutex::new(failures), Ok(()));
        loop {
            let failure = py.detach(|| {
                let failures = failures.lock().map_err(|_| RecvTimeoutError::Disconnected)?;
                failures.recv_timeout(PAUSE)
            });
            let error = match failure {
                Ok(error) => error,
                Err(RecvTimeoutError::Disconnected) => break outcome,
                Err(RecvTimeoutError::Timeout) if outcome.is_err() => continue,
                Err(RecvTimeoutError::Timeout) => match py.check_signals().and_then(|()| tell()) {
                    Ok(()) => continue,
                    Err(error) => error,
                },
            };
            work.stop.store(true, Relaxed);
            outcome = outcome.and(Err(error));
        }
    });
    outcome.and_then(|()| tell())?;
    Ok(Digests::new(Buffer::from_vec(digests), len))
}

/// Returns the exception that Python's own functions raise: OSError or a subclass, such as
/// FileNotFoundError, with the path.
fn failed(path: &Path, error: io::Error) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(code) => {
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((code, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(text),
    }
}
