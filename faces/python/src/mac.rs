//! HMAC, HKDF and PBKDF2, with the hash function chosen by its name.

use crate::data::{Arg, Bytes, Data, Object, Str, bytes_of, detach_if, hex_of, length, wrong};
use crate::hash::no_pickle;
use crate::names::named;
use crate::shared::Shared;
use hashmill::function::{Function, Visitor};
use hashmill::{Algorithm, AnyHmac, Error, Hash, Hashing, Hkdf, Key, Salt, run_wiped};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::names::name;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// HMAC with one of hashmill's hash functions. The key is already absorbed, and copies of the
/// object share that work.
#[pyclass(frozen, immutable_type, name = "HMAC", module = "hashmill")]
pub struct Hmac(Shared<AnyHmac>);

#[pymethods]
impl Hmac {
    /// Absorb bytes.
    fn update(&self, py: Python<'_>, msg: &Object<'_>) -> PyResult<()> {
        self.0.absorb(py, msg, |hmac, msg| hmac.try_update(msg))
    }

    /// Return the tag of all bytes absorbed so far, as bytes.
    fn digest<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        bytes_of(py, &self.0.lock(py).finalize())
    }

    /// Return the tag of all bytes absorbed so far, as a str of hexadecimal digits.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Str<'py>> {
        hex_of(py, &self.0.lock(py).finalize())
    }

    /// Return a copy of this object, which can absorb other bytes.
    fn copy(&self, py: Python<'_>) -> PyResult<Py<Hmac>> {
        run_wiped(KEYED, || Py::new(py, Hmac(Shared::new(self.0.lock(py).clone()))))
    }

    /// Return the tag of all bytes absorbed so far followed by message. The object does not change.
    #[pyo3(signature = (msg, /))]
    fn finish<'py>(&self, py: Python<'py>, msg: &Object<'py>) -> PyResult<Bytes<'py>> {
        let msg = Data::new(msg)?;
        if msg.len() < crate::data::LONG {
            return Ok(bytes_of(py, &self.0.lock(py).hash(&msg)));
        }
        let hmac = self.0.lock(py).clone();
        Ok(bytes_of(py, &py.detach(|| hmac.hash(&msg))))
    }

    /// The name of the hash function in hmac and hashlib.
    #[getter]
    fn name(&self, py: Python<'_>) -> String {
        format!("hmac-{}", name(self.0.lock(py).algorithm()))
    }

    /// The length of a tag in bytes.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).algorithm().output_len()
    }

    /// The length of a block of the hash function in bytes.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).algorithm().block_len()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("HMAC"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let algorithm = slf.get().0.lock(slf.py()).algorithm();
        format!("<{} HMAC object @ {:p}>", name(algorithm), slf.as_ptr())
    }
}

/// HMAC with a hash function by name.
#[pyfunction(signature = (key, msg=Arg::Missing, *, digestmod))]
#[pyo3(text_signature = "(key, msg=b'', *, digestmod)")]
pub fn hmac_new<'py>(
    py: Python<'py>,
    key: &Object<'py>,
    msg: Arg<'_, 'py>,
    digestmod: &str,
) -> PyResult<Py<Hmac>> {
    // The object is made here and not by PyO3, which would move it through its own frames.
    run_wiped(KEYED, || {
        let key = Data::new(key)?;
        let mut hmac = named(digestmod)?.hmac(&key).map_err(wrong)?;
        msg.absorb(py, |msg| hmac.try_update(msg))?;
        Py::new(py, Hmac(Shared::new(hmac)))
    })
}

/// Return the tag of a message under a key, in one call.
#[pyfunction(signature = (key, msg, digest))]
pub fn hmac_digest<'py>(
    py: Python<'py>,
    key: &Object<'py>,
    msg: &Object<'py>,
    digest: &str,
) -> PyResult<Bytes<'py>> {
    let (algorithm, key, msg) = (named(digest)?, Data::new(key)?, Data::new(msg)?);
    let tag = detach_if(py, key.len().max(msg.len()), || algorithm.mac(Key(&key), &msg));
    Ok(bytes_of(py, &tag.map_err(wrong)?))
}

struct Pbkdf2<'a> {
    password: &'a [u8],
    salt: &'a [u8],
    iterations: u32,
    out: &'a mut [u8],
}

impl Visitor for Pbkdf2<'_> {
    type Output = Result<(), Error>;
    fn visit<F: Function>(self) -> Self::Output {
        hashmill::pbkdf2::<Hash<F>>(self.password, Salt(self.salt), self.iterations, self.out)
    }
}

/// PBKDF2 (RFC 8018) with HMAC over a hash function by name. Return a key of dklen bytes, or as
/// long as a digest.
#[pyfunction(signature = (hash_name, password, salt, iterations, dklen=None))]
pub fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    hash_name: &str,
    password: &Object<'py>,
    salt: &Object<'py>,
    iterations: i64,
    dklen: Option<i64>,
) -> PyResult<Bytes<'py>> {
    let (algorithm, password, salt) = (named(hash_name)?, Data::new(password)?, Data::new(salt)?);
    if iterations < 1 {
        return Err(wrong("iteration value must be greater than 0."));
    }
    let iterations = u32::try_from(iterations)
        .map_err(|_| PyOverflowError::new_err("iteration value is too great."))?;
    let len = match dklen {
        None => algorithm.output_len(),
        Some(..1) => return Err(wrong("key length must be greater than 0.")),
        Some(len @ ..=0x7fff_ffff) => len as usize,
        Some(_) => return Err(PyOverflowError::new_err("key length is too great.")),
    };
    PyBytes::new_with(py, len, |out| {
        let pbkdf2 = Pbkdf2 { password: &password, salt: &salt, iterations, out };
        py.detach(|| algorithm.with_hmac(pbkdf2).flatten()).map_err(wrong)
    })
}

struct Expand<'a> {
    /// None if the key is a pseudorandom key.
    salt: Option<&'a [u8]>,
    key: &'a [u8],
    info: &'a [u8],
    out: &'a mut [u8],
}

impl Visitor for Expand<'_> {
    type Output = Result<(), Error>;
    fn visit<F: Function>(self) -> Self::Output {
        let hkdf = match self.salt {
            Some(salt) => Hkdf::<Hash<F>>::new(Salt(salt), self.key),
            None => Hkdf::from_prk(self.key)?,
        };
        hkdf.expand(self.info, self.out)
    }
}

/// Returns `len` bytes. The length is checked before memory is allocated.
fn expanded<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    salt: Option<&[u8]>,
    key: &[u8],
    info: Option<&Object<'py>>,
    len: usize,
) -> PyResult<Bytes<'py>> {
    let info = Data::given(info)?;
    let (given, most) = (len as u64, 255 * algorithm.output_len() as u64);
    if given > most {
        return Err(wrong(Error::HkdfOutputLength { given, most }));
    }
    PyBytes::new_with(py, len, |out| {
        let expand = Expand { salt, key, info: &info, out };
        run_wiped(KEYED, || algorithm.with_hmac(expand).flatten().map_err(wrong))
    })
}

/// HKDF (RFC 5869). Return a key of length bytes from secret bytes, for the purpose that info
/// names.
#[pyfunction(signature = (key_material, length, *, salt=None, info=None, digestmod="sha256"))]
#[pyo3(text_signature = "(key_material, length, *, salt=b'', info=b'', digestmod='sha256')")]
pub fn hkdf<'py>(
    py: Python<'py>,
    key_material: &Object<'py>,
    #[pyo3(from_py_with = length)] length: usize,
    salt: Option<&Object<'py>>,
    info: Option<&Object<'py>>,
    digestmod: &str,
) -> PyResult<Bytes<'py>> {
    let (algorithm, secret) = (named(digestmod)?, Data::new(key_material)?);
    expanded(py, algorithm, Some(&Data::given(salt)?), &secret, info, length)
}

/// HKDF-Extract (RFC 5869 §2.2). Return a pseudorandom key as long as a digest. It is secret.
#[pyfunction(signature = (key_material, *, salt=None, digestmod="sha256"))]
#[pyo3(text_signature = "(key_material, *, salt=b'', digestmod='sha256')")]
pub fn hkdf_extract<'py>(
    py: Python<'py>,
    key_material: &Object<'py>,
    salt: Option<&Object<'py>>,
    digestmod: &str,
) -> PyResult<Bytes<'py>> {
    let (salt, algorithm, secret) =
        (Data::given(salt)?, named(digestmod)?, Data::new(key_material)?);
    let extract = || algorithm.mac(Key(&salt), &secret).map(|prk| bytes_of(py, &prk));
    run_wiped(KEYED, extract).map_err(wrong)
}

/// HKDF-Expand (RFC 5869 §2.3). Return a key of length bytes from a pseudorandom key, for the
/// purpose that info names.
#[pyfunction(signature = (prk, length, *, info=None, digestmod="sha256"))]
#[pyo3(text_signature = "(prk, length, *, info=b'', digestmod='sha256')")]
pub fn hkdf_expand<'py>(
    py: Python<'py>,
    prk: &Object<'py>,
    #[pyo3(from_py_with = length)] length: usize,
    info: Option<&Object<'py>>,
    digestmod: &str,
) -> PyResult<Bytes<'py>> {
    expanded(py, named(digestmod)?, None, &Data::new(prk)?, info, length)
}
