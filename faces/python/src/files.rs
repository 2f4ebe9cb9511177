//! Hashing of files: several at the same time, in pieces, so that no file is whole in memory.

use crate::batch::Digests;
use crate::data::{threads, wrong};
use crate::mac::named;
use arrow_buffer::Buffer;
use hashmill::{AnyHasher, Kt128, Kt256};
use hashmill_arrow::threads::MOST_THREADS;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The number of bytes that one read requests.
const PIECE: usize = 1 << 20;

/// The shortest time between two calls of `progress`.
const PAUSE: Duration = Duration::from_millis(100);

/// Returns the hasher of a file.
fn hasher(name: &str) -> PyResult<AnyHasher> {
    Ok(match name {
        "kt128" => Kt128::new().into(),
        "kt256" => Kt256::new().into(),
        _ => named(name)?.hasher(),
    })
}

/// The reason why a file has no digest.
enum Failure {
    Read(std::io::Error),
    Hash(hashmill::Error),
    /// Another file failed, or `progress` raised an exception.
    Stopped,
}

struct Work<'a> {
    paths: &'a [PathBuf],
    algorithm: &'a str,
    len: usize,
    next: AtomicUsize,
    bytes: AtomicU64,
    stop: AtomicBool,
}

impl Work<'_> {
    fn one(&self, path: &Path, buffer: &mut [u8]) -> Result<Vec<u8>, Failure> {
        let mut hasher = hasher(self.algorithm).map_err(|_| Failure::Stopped)?;
        let mut file = File::open(path).map_err(Failure::Read)?;
        loop {
            if self.stop.load(Relaxed) {
                return Err(Failure::Stopped);
            }
            match file.read(buffer) {
                Ok(0) => break,
                Ok(count) => {
                    hasher.try_update(&buffer[..count]).map_err(Failure::Hash)?;
                    self.bytes.fetch_add(count as u64, Relaxed);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::Read(error)),
            }
        }
        let mut digest = vec![0; self.len];
        hasher.hash_into(b"", &mut digest).map_err(Failure::Hash)?;
        Ok(digest)
    }
}

/// Hash files, several at the same time.
///
/// progress: called with the number of bytes read so far, at most ten times a second and once at
/// the end. If it raises an exception, hashing stops. threads: the number of threads; 0 means one
/// for each core.
#[pyfunction]
#[pyo3(signature = (paths, algorithm="sha256", *, progress=None, threads=0))]
pub fn _hash_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    algorithm: &str,
    progress: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = threads)] threads: usize,
) -> PyResult<Digests> {
    let len = hasher(algorithm)?.output_len();
    let cores = thread::available_parallelism().map_or(1, |it| it.get());
    if threads > MOST_THREADS {
        return Err(PyValueError::new_err(format!("threads is at most {MOST_THREADS}")));
    }
    let threads = if threads == 0 { cores } else { threads }.clamp(1, paths.len().max(1));
    let work = Work {
        paths: &paths,
        algorithm,
        len,
        next: AtomicUsize::new(0),
        bytes: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let mut digests = vec![0; paths.len() * len];
    let work = &work;
    let failure = thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..threads {
            let done = done.clone();
            scope.spawn(move || {
                let mut buffer = vec![0; PIECE];
                loop {
                    let index = work.next.fetch_add(1, Relaxed);
                    let Some(path) = work.paths.get(index) else { return };
                    if done.send((index, work.one(path, &mut buffer))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let (results, mut failure, mut told) = (Mutex::new(results), None, Instant::now());
        loop {
            let receive = || results.lock().ok().map(|it| it.recv_timeout(PAUSE));
            let Some(next) = py.detach(receive) else { break failure };
            match next {
                Ok((index, Ok(digest))) => digests[index * len..][..len].copy_from_slice(&digest),
                Ok((_, Err(Failure::Stopped))) => {}
                Ok((index, Err(trouble))) => {
                    work.stop.store(true, Relaxed);
                    failure.get_or_insert_with(|| failed(&paths[index], trouble));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break failure,
            }
            if told.elapsed() >= PAUSE && failure.is_none() {
                let called = py.check_signals().and_then(|()| match progress {
                    Some(progress) => progress.call1((work.bytes.load(Relaxed),)).map(drop),
                    None => Ok(()),
                });
                if let Err(error) = called {
                    work.stop.store(true, Relaxed);
                    failure = Some(error);
                }
                told = Instant::now();
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(progress) = progress {
        progress.call1((work.bytes.load(Relaxed),))?;
    }
    Ok(Digests::new(Buffer::from_vec(digests), len))
}

/// Returns the exception that Python's own functions raise: OSError or a subclass, such as
/// FileNotFoundError, with the path.
fn failed(path: &Path, failure: Failure) -> PyErr {
    match failure {
        Failure::Read(error) => match error.raw_os_error() {
            Some(code) => {
                let text = error.to_string();
                let text = text.split(" (os error").next().unwrap_or_default().to_owned();
                PyOSError::new_err((code, text, path.as_os_str().to_owned()))
            }
            None => PyOSError::new_err(error.to_string()),
        },
        Failure::Hash(error) => wrong(error),
        Failure::Stopped => PyValueError::new_err("stopped"),
    }
}
