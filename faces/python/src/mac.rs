//! HMAC, HKDF and PBKDF2, with the hash function chosen by its name.

use crate::data::{Arg, Data, bytes_of, detach_if, hex_of, length, wrong};
use crate::hash::no_pickle;
use crate::shared::Shared;
use hashmill::function::{Function, Visitor};
use hashmill::{Algorithm, AnyHmac, Error, Hash, Hasher, Hkdf, Key, Salt, run_wiped};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::names::{algorithm, name, unknown};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Returns the algorithm of that name.
pub fn named(digestmod: &str) -> PyResult<Algorithm> {
    algorithm(digestmod).ok_or_else(|| PyValueError::new_err(unknown(digestmod)))
}

/// HMAC with one of hashmill's hash functions. The key is already absorbed, and copies of the
/// object share that work.
#[pyclass(frozen, immutable_type, name = "HMAC", module = "hashmill")]
pub struct Hmac(Shared<(AnyHmac, Algorithm)>);

impl Hmac {
    pub fn begin(key: &[u8], digestmod: &str) -> PyResult<AnyHmac> {
        named(digestmod)?.hmac(key).map_err(wrong)
    }
}

#[pymethods]
impl Hmac {
    /// Absorb bytes.
    #[pyo3(signature = (msg))]
    fn update(&self, py: Python<'_>, msg: &Bound<'_, PyAny>) -> PyResult<()> {
        let msg = Data::new(msg)?;
        let msg: &[u8] = &msg;
        self.0.run(py, msg.len(), |(hmac, _)| _ = hmac.update(msg));
        Ok(())
    }

    /// Return the tag of all bytes absorbed so far, as bytes.
    #[pyo3(signature = ())]
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, &self.0.lock(py).0.finalize())
    }

    /// Return the tag of all bytes absorbed so far, as a str of hexadecimal digits.
    #[pyo3(signature = ())]
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        hex_of(py, &self.0.lock(py).0.finalize())
    }

    /// Return a copy of this object, which can absorb other bytes.
    #[pyo3(signature = ())]
    fn copy(&self, py: Python<'_>) -> PyResult<Py<Hmac>> {
        run_wiped(KEYED, || Py::new(py, Hmac(Shared::new(self.0.lock(py).clone()))))
    }

    /// Return the tag of all bytes absorbed so far followed by message. The object does not change.
    #[pyo3(signature = (msg, /))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        msg: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let msg = Data::new(msg)?;
        if msg.len() < crate::data::LONG {
            return Ok(bytes_of(py, &self.0.lock(py).0.hash(&msg)));
        }
        let hmac = self.0.lock(py).0.clone();
        let msg: &[u8] = &msg;
        Ok(bytes_of(py, &py.detach(|| hmac.hash(msg))))
    }

    /// The name of the hash function in hmac and hashlib.
    #[getter]
    fn name(&self, py: Python<'_>) -> String {
        format!("hmac-{}", name(self.0.lock(py).1))
    }

    /// The length of a tag in bytes.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).1.output_len()
    }

    /// The length of a block of the hash function in bytes.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).1.block_len()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("HMAC"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{} HMAC object @ {:p}>", name(slf.get().0.lock(slf.py()).1), slf.as_ptr())
    }
}

/// HMAC with a hash function by name.
#[pyfunction]
#[pyo3(signature = (key, msg=Arg::Missing, *, digestmod))]
#[pyo3(text_signature = "(key, msg=b'', *, digestmod)")]
pub fn hmac_new<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    msg: Arg<'_, 'py>,
    digestmod: &str,
) -> PyResult<Py<Hmac>> {
    // The object is made here and not by PyO3, which would move it through its own frames.
    run_wiped(KEYED, || {
        let mut hmac = Hmac::begin(&Data::new(key)?, digestmod)?;
        if let Arg::Given(msg) = msg {
            let msg = Data::new(&msg)?;
            let bytes: &[u8] = &msg;
            detach_if(py, bytes.len(), || _ = hmac.update(bytes));
        }
        let algorithm = hmac.algorithm();
        Py::new(py, Hmac(Shared::new((hmac, algorithm))))
    })
}

/// Return the tag of a message under a key, in one call.
#[pyfunction]
#[pyo3(signature = (key, msg, digest))]
pub fn hmac_digest<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    msg: &Bound<'py, PyAny>,
    digest: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (algorithm, key, msg) = (named(digest)?, Data::new(key)?, Data::new(msg)?);
    let (key, msg): (&[u8], &[u8]) = (&key, &msg);
    let tag =
        detach_if(py, key.len().max(msg.len()), || algorithm.mac(Key(key), msg)).map_err(wrong)?;
    Ok(bytes_of(py, &tag))
}

/// An operation that is generic over the hash functions with HMAC.
trait WithHasher {
    fn run<H: Hasher>(&mut self) -> Result<(), Error>;
}

fn with_hasher(algorithm: Algorithm, what: &mut impl WithHasher) -> PyResult<()> {
    struct Run<'a, W>(&'a mut W);
    impl<W: WithHasher> Visitor for Run<'_, W> {
        type Output = Result<(), Error>;
        fn visit<F: Function>(self) -> Self::Output {
            self.0.run::<Hash<F>>()
        }
    }
    let done = algorithm.with_hmac(Run(what));
    done.and_then(|done| done).map_err(wrong)
}

struct Pbkdf2<'a> {
    password: &'a [u8],
    salt: &'a [u8],
    iterations: u32,
    out: &'a mut [u8],
}

impl WithHasher for Pbkdf2<'_> {
    fn run<H: Hasher>(&mut self) -> Result<(), Error> {
        hashmill::pbkdf2::<H>(self.password, Salt(self.salt), self.iterations, self.out)
    }
}

/// PBKDF2 (RFC 8018) with HMAC over a hash function by name. Return a key of dklen bytes, or as
/// long as a digest.
#[pyfunction]
#[pyo3(signature = (hash_name, password, salt, iterations, dklen=None))]
pub fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    hash_name: &str,
    password: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = named(hash_name)?;
    let (password, salt) = (Data::new(password)?, Data::new(salt)?);
    if iterations < 1 {
        return Err(PyValueError::new_err("iteration value must be greater than 0."));
    }
    let iterations = u32::try_from(iterations)
        .map_err(|_| PyOverflowError::new_err("iteration value is too great."))?;
    let len = match dklen {
        None => algorithm.output_len(),
        Some(..=0) => return Err(PyValueError::new_err("key length must be greater than 0.")),
        Some(len) => usize::try_from(len)
            .ok()
            .filter(|_| len <= i64::from(i32::MAX))
            .ok_or_else(|| PyOverflowError::new_err("key length is too great."))?,
    };
    let (password, salt): (&[u8], &[u8]) = (&password, &salt);
    PyBytes::new_with(py, len, |out| {
        py.detach(|| with_hasher(algorithm, &mut Pbkdf2 { password, salt, iterations, out }))
    })
}

enum HkdfKey<'a> {
    Material { salt: &'a [u8], secret: &'a [u8] },
    Prk(&'a [u8]),
}

struct Expand<'a> {
    key: HkdfKey<'a>,
    info: &'a [u8],
    out: &'a mut [u8],
}

impl WithHasher for Expand<'_> {
    fn run<H: Hasher>(&mut self) -> Result<(), Error> {
        let hkdf = match self.key {
            HkdfKey::Material { salt, secret } => Hkdf::<H>::new(Salt(salt), secret),
            HkdfKey::Prk(prk) => Hkdf::<H>::from_prk(prk)?,
        };
        hkdf.expand(self.info, self.out)
    }
}

/// HKDF (RFC 5869). Return a key of length bytes from secret bytes, for the purpose that info
/// names.
#[pyfunction]
#[pyo3(signature = (key_material, length, *, salt=None, info=None, digestmod="sha256"))]
#[pyo3(text_signature = "(key_material, length, *, salt=b'', info=b'', digestmod='sha256')")]
pub fn hkdf<'py>(
    py: Python<'py>,
    key_material: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = length)] length: usize,
    salt: Option<&Bound<'py, PyAny>>,
    info: Option<&Bound<'py, PyAny>>,
    digestmod: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (algorithm, secret) = (named(digestmod)?, Data::new(key_material)?);
    let salt = salt.map_or(Ok(Data::empty()), Data::new)?;
    let info = info.map_or(Ok(Data::empty()), Data::new)?;
    check_len(algorithm, length)?;
    PyBytes::new_with(py, length, |out| {
        let key = HkdfKey::Material { salt: &salt, secret: &secret };
        run_wiped(KEYED, || with_hasher(algorithm, &mut Expand { key, info: &info, out }))
    })
}

/// HKDF-Extract (RFC 5869 §2.2). Return a pseudorandom key as long as a digest. It is secret.
#[pyfunction]
#[pyo3(signature = (key_material, *, salt=None, digestmod="sha256"))]
#[pyo3(text_signature = "(key_material, *, salt=b'', digestmod='sha256')")]
pub fn hkdf_extract<'py>(
    py: Python<'py>,
    key_material: &Bound<'py, PyAny>,
    salt: Option<&Bound<'py, PyAny>>,
    digestmod: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let salt = salt.map_or(Ok(Data::empty()), Data::new)?;
    let (algorithm, secret) = (named(digestmod)?, Data::new(key_material)?);
    run_wiped(KEYED, || {
        let prk = algorithm.mac(Key(&salt), &secret).map_err(wrong)?;
        Ok(bytes_of(py, &prk))
    })
}

/// HKDF-Expand (RFC 5869 §2.3). Return a key of length bytes from a pseudorandom key, for the
/// purpose that info names.
#[pyfunction]
#[pyo3(signature = (prk, length, *, info=None, digestmod="sha256"))]
#[pyo3(text_signature = "(prk, length, *, info=b'', digestmod='sha256')")]
pub fn hkdf_expand<'py>(
    py: Python<'py>,
    prk: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = length)] length: usize,
    info: Option<&Bound<'py, PyAny>>,
    digestmod: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (algorithm, prk) = (named(digestmod)?, Data::new(prk)?);
    let info = info.map_or(Ok(Data::empty()), Data::new)?;
    check_len(algorithm, length)?;
    PyBytes::new_with(py, length, |out| {
        let mut expand = Expand { key: HkdfKey::Prk(&prk), info: &info, out };
        run_wiped(KEYED, || with_hasher(algorithm, &mut expand))
    })
}

/// Checks the length before memory is allocated.
fn check_len(algorithm: Algorithm, len: usize) -> PyResult<()> {
    let (given, most) = (len as u64, 255 * algorithm.output_len() as u64);
    match given <= most {
        true => Ok(()),
        false => Err(wrong(Error::HkdfOutputLength { given, most })),
    }
}
