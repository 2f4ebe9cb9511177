//! hashlib's objects: `HASH`, `HASHXOF`, and BLAKE2's types.

use crate::data::{Arg, Data, bytes_of, detach_if, domain, hex_of, wrong};
use crate::shared::Shared;
use hashmill::{
    Algorithm, AnyReader, Error, Exported, Hashing, blake2b, blake2bp, blake2s, blake2sp, run_wiped,
};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::names::{algorithm, name, unknown};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rayon::ThreadPool;
use std::sync::Arc;

/// Returns the error that pickling raises.
pub fn no_pickle(name: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "cannot pickle {name:?} object: a state may be a secret; export_state() gives it as bytes"
    ))
}

/// A hash object, as hashlib's constructors return it.
///
/// Several threads may use it: each update is atomic.
#[pyclass(frozen, subclass, immutable_type, name = "HASH", module = "hashmill")]
pub struct Hash(pub Shared<Box<dyn Hashing>>);

impl Hash {
    /// Each of PyO3's calls on the way to the object would move a hasher, so it is in a box, and of
    /// its own type, for which the constant is copied into the box once.
    #[inline]
    pub fn of(hasher: Box<dyn Hashing>) -> Self {
        Hash(Shared::new(hasher))
    }

    /// Absorbs the data that was passed to a constructor. The object exists already, because the CPU
    /// can make it while it waits for the hasher to be copied into its box.
    #[inline]
    fn start(&self, py: Python<'_>, data: &Option<Data<'_>>) -> PyResult<()> {
        match data {
            Some(data) => {
                let data: &[u8] = data;
                self.0.run(py, data.len(), |hasher| hasher.try_update(data)).map_err(wrong)
            }
            None => Ok(()),
        }
    }

    fn algorithm(&self, py: Python<'_>) -> Algorithm {
        Algorithm::from_code(self.0.lock(py).code()).expect("its hashers are those of an algorithm")
    }
}

#[pymethods]
impl Hash {
    /// Absorb bytes.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Data::new(data)?;
        let data: &[u8] = &data;
        self.0.run(py, data.len(), |hasher| hasher.try_update(data)).map_err(wrong)
    }

    /// Return the digest of all bytes absorbed so far, as bytes.
    #[pyo3(signature = ())]
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, &self.0.lock(py).finalize())
    }

    /// Return the digest of all bytes absorbed so far, as a str of hexadecimal digits.
    #[pyo3(signature = ())]
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        hex_of(py, &self.0.lock(py).finalize())
    }

    /// Return a copy of this object, which can absorb other bytes.
    #[pyo3(signature = ())]
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hasher = copied(&**self.0.lock(py));
        object(py, hasher)
    }

    /// Return the state as bytes, for import_state. Keep it secret if the message is secret:
    /// whoever has it can continue the hash.
    #[pyo3(signature = ())]
    fn export_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        exported(py, || self.0.lock(py).export())
    }

    /// Return the state with a tag under key, for import_keyed: for a state that is stored where
    /// others can write. It is not encrypted.
    #[pyo3(signature = (key, /))]
    fn export_keyed<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let key = Data::new(key)?;
        exported(py, || self.0.lock(py).export_keyed(&key))
    }

    /// The algorithm's name in hashlib.
    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        name(self.algorithm(py))
    }

    /// The length of a digest in bytes; 0 for an extendable-output function.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> usize {
        let hasher = self.0.lock(py);
        if hasher.is_extendable() { 0 } else { hasher.output_len() }
    }

    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        self.algorithm(py).block_len()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(no_pickle(&slf.get_type().name()?.to_string_lossy()))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = name(slf.get().algorithm(slf.py()));
        Ok(format!("<{name} {} object @ {:p}>", slf.get_type().qualname()?, slf.as_ptr()))
    }
}

/// Returns the output length that the caller of an extendable-output function passed.
pub fn output_len(length: &Bound<'_, PyAny>) -> PyResult<usize> {
    let negative = || PyValueError::new_err("length must be non-negative");
    let length: isize = length.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(length.py()) {
            true if length.lt(0).unwrap_or(false) => negative(),
            true => PyOverflowError::new_err("length is too large"),
            false => error,
        }
    })?;
    usize::try_from(length).map_err(|_| negative())
}

/// Returns `length` bytes of an output.
pub fn output<'py>(
    py: Python<'py>,
    length: &Bound<'py, PyAny>,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Error> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    filled(py, output_len(length)?, fill)
}

/// Returns `len` bytes of an output.
pub fn filled<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Error> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, len, |out| detach_if(py, len, || fill(out)).map_err(wrong))
}

/// A hash object whose digests may have any length.
#[pyclass(frozen, immutable_type, extends = Hash, name = "HASHXOF", module = "hashmill")]
pub struct HashXof;

impl HashXof {
    fn reader_of(slf: &Bound<'_, Self>) -> PyResult<AnyReader> {
        slf.as_super().get().0.lock(slf.py()).squeeze().map_err(wrong)
    }
}

#[pymethods]
impl HashXof {
    /// Return the first length bytes of the output.
    fn digest<'py>(
        slf: &Bound<'py, Self>,
        length: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut reader = Self::reader_of(slf)?;
        output(slf.py(), length, move |out| reader.try_fill(out))
    }

    /// Return the first length bytes of the output, as a str of hexadecimal digits.
    fn hexdigest<'py>(
        slf: &Bound<'py, Self>,
        length: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyString>> {
        hex_of(slf.py(), Self::digest(slf, length)?.as_bytes())
    }

    /// Return a reader that returns the output piece by piece.
    #[pyo3(signature = ())]
    fn reader(slf: &Bound<'_, Self>) -> PyResult<Reader> {
        Ok(Reader(Shared::new(Self::reader_of(slf)?)))
    }
}

/// BLAKE3: a hash object with digests of any length.
#[pyclass(frozen, subclass, immutable_type, extends = Hash, name = "blake3", module = "hashmill")]
pub struct Blake3 {
    /// The threads that share a long message.
    pub threads: Option<Arc<ThreadPool>>,
}

/// The output of an extendable-output function, read from its beginning.
#[pyclass(frozen, immutable_type, name = "Reader", module = "hashmill")]
pub struct Reader(pub Shared<AnyReader>);

#[pymethods]
impl Reader {
    /// Return the next length bytes of the output.
    #[pyo3(signature = (length, /))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        length: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let len = output_len(length)?;
        PyBytes::new_with(py, len, |out| {
            self.0.run(py, len, |reader| reader.try_fill(out)).map_err(wrong)
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'Reader' object: its state may be a secret"))
    }
}

/// Returns the Python object of a hasher.
pub fn object(py: Python<'_>, hasher: Box<dyn Hashing>) -> PyResult<Bound<'_, PyAny>> {
    let (algorithm, is_xof) = (Algorithm::from_code(hasher.code()), hasher.is_extendable());
    let base = PyClassInitializer::from(Hash::of(hasher));
    Ok(match algorithm {
        Some(Algorithm::Blake2b) => Bound::new(py, base.add_subclass(Blake2b))?.into_any(),
        Some(Algorithm::Blake2s) => Bound::new(py, base.add_subclass(Blake2s))?.into_any(),
        Some(Algorithm::Blake2bp) => Bound::new(py, base.add_subclass(Blake2bp))?.into_any(),
        Some(Algorithm::Blake2sp) => Bound::new(py, base.add_subclass(Blake2sp))?.into_any(),
        Some(Algorithm::Blake3) => {
            Bound::new(py, base.add_subclass(Blake3 { threads: None }))?.into_any()
        }
        _ if is_xof => Bound::new(py, base.add_subclass(HashXof))?.into_any(),
        _ => Bound::new(py, base)?.into_any(),
    })
}

/// Returns the first part of the message: the argument `data`, or `string`, its older name.
fn first<'a, 'py>(data: Arg<'a, 'py>, string: Arg<'a, 'py>) -> PyResult<Arg<'a, 'py>> {
    match (data, string) {
        (Arg::Given(_), Arg::Given(_)) => Err(PyTypeError::new_err(
            "'data' and 'string' are mutually exclusive and support for 'string' keyword parameter is slated \
             for removal in a future version.",
        )),
        (Arg::Missing, it) | (it, Arg::Missing) => Ok(it),
    }
}

#[inline]
fn begin(
    py: Python<'_>,
    mut hasher: Box<dyn Hashing>,
    data: Arg<'_, '_>,
) -> PyResult<Box<dyn Hashing>> {
    if let Some(data) = data.bytes()? {
        let bytes: &[u8] = &data;
        detach_if(py, bytes.len(), || hasher.try_update(bytes)).map_err(wrong)?;
    }
    Ok(hasher)
}

/// hashlib's constructors of the functions without parameters.
macro_rules! constructors {
    ($($name:ident: $Variant:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (data=Arg::Missing, *, usedforsecurity=Arg::Missing, string=Arg::Missing))]
            #[pyo3(text_signature = "(data=b'', *, usedforsecurity=True, string=None)")]
            fn $name<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                usedforsecurity: Arg<'_, 'py>,
                string: Arg<'_, 'py>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let _ = usedforsecurity;
                let data = first(data, string)?;
                let data = data.bytes()?;
                let base = PyClassInitializer::from(Hash::of(Box::new(hashmill::$Variant::new())));
                if Algorithm::$Variant.is_xof() {
                    let made = Bound::new(py, base.add_subclass(HashXof))?;
                    made.as_super().get().start(py, &data)?;
                    Ok(made.into_any())
                } else {
                    let made = Bound::new(py, base)?;
                    made.get().start(py, &data)?;
                    Ok(made.into_any())
                }
            }
        )*

        pub fn add_constructors(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

constructors! {
    // Generated by `cargo xtask tables --write`: constructors in Python.
    sha224: Sha224, "SHA-224 (FIPS 180-4): a hash object with digests of 28 bytes.";
    sha256: Sha256, "SHA-256 (FIPS 180-4): a hash object with digests of 32 bytes.";
    sha384: Sha384, "SHA-384 (FIPS 180-4): a hash object with digests of 48 bytes.";
    sha512: Sha512, "SHA-512 (FIPS 180-4): a hash object with digests of 64 bytes.";
    sha512_224: Sha512_224, "SHA-512/224 (FIPS 180-4): a hash object with digests of 28 bytes.";
    sha512_256: Sha512_256, "SHA-512/256 (FIPS 180-4): a hash object with digests of 32 bytes.";
    sha3_224: Sha3_224, "SHA3-224 (FIPS 202): a hash object with digests of 28 bytes.";
    sha3_256: Sha3_256, "SHA3-256 (FIPS 202): a hash object with digests of 32 bytes.";
    sha3_384: Sha3_384, "SHA3-384 (FIPS 202): a hash object with digests of 48 bytes.";
    sha3_512: Sha3_512, "SHA3-512 (FIPS 202): a hash object with digests of 64 bytes.";
    keccak256: Keccak256, "Keccak-256 (Keccak submission 3): a hash object with digests of 32 bytes.";
    sm3: Sm3, "SM3 (GB/T 32905-2016): a hash object with digests of 32 bytes.";
    ascon_hash256: AsconHash256, "Ascon-Hash256 (SP 800-232): a hash object with digests of 32 bytes.";
    shake_128: Shake128, "SHAKE128 (FIPS 202): a hash object with digests of any length.";
    shake_256: Shake256, "SHAKE256 (FIPS 202): a hash object with digests of any length.";
    ascon_xof128: AsconXof128, "Ascon-XOF128 (SP 800-232): a hash object with digests of any length.";
    // End of the generated lines.
}

/// TurboSHAKE with a domain separation byte.
macro_rules! turboshake {
    ($($name:ident: $Type:ident, $doc:literal;)*) => { $(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (data=Arg::Missing, *, domain=0x1F))]
        #[pyo3(text_signature = "(data=b'', *, domain=0x1F)")]
        pub fn $name<'py>(py: Python<'py>, data: Arg<'_, 'py>, #[pyo3(from_py_with = domain)] domain: u8) -> PyResult<Bound<'py, PyAny>> {
            let hasher = hashmill::$Type::with_domain(domain).map_err(wrong)?;
            object(py, begin(py, Box::new(hasher), data)?)
        }
    )* };
}

turboshake! {
    turboshake128: TurboShake128, "TurboSHAKE128 (RFC 9861): a hash object with digests of any length.";
    turboshake256: TurboShake256, "TurboSHAKE256 (RFC 9861): a hash object with digests of any length.";
}

/// Return a hash object of the named algorithm, or None if hashmill does not have it.
#[pyfunction]
#[pyo3(signature = (name, data=Arg::Missing, /), text_signature = "(name, data=b'', /)")]
pub fn _new<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyAny>,
    data: Arg<'_, 'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Ok(name) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err("name must be a string"));
    };
    match algorithm(&name.to_string_lossy()) {
        Some(algorithm) => object(py, begin(py, algorithm.hasher().into(), data)?).map(Some),
        None => Ok(None),
    }
}

/// Return the digest of a message, in one call.
#[pyfunction]
#[pyo3(signature = (name, data, /, length=None))]
pub fn digest<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyString>,
    data: &Bound<'py, PyAny>,
    length: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let name = name.to_str()?;
    let Some(algorithm) = algorithm(name) else {
        return Err(PyValueError::new_err(unknown(name)));
    };
    let data = Data::new(data)?;
    let data: &[u8] = &data;
    match length {
        None => Ok(bytes_of(py, &detach_if(py, data.len(), || algorithm.hash(data)))),
        Some(length) if algorithm.is_xof() => output(py, length, |out| {
            algorithm.hasher().update(data).hash_into(b"", out).expect("it fills any length");
            Ok(())
        }),
        Some(_) => Err(wrong(Error::NotExtendable)),
    }
}

/// Returns a number, `usual` if there is none, or raises hashlib's error.
fn number(
    value: Option<&Bound<'_, PyAny>>,
    usual: u64,
    what: &str,
    [least, most]: [u64; 2],
    message: &str,
) -> PyResult<u64> {
    let Some(value) = value else { return Ok(usual) };
    let value = match value.extract::<u64>() {
        Ok(value) => value,
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            // The number is negative or has more than 64 bits.
            return Err(match value.lt(0)? {
                true => PyValueError::new_err(format!("{what}: value must be positive")),
                false => PyOverflowError::new_err(message.to_owned()),
            });
        }
        Err(error) => return Err(error),
    };
    match value {
        _ if value < least || value > most && most < 0x1_0000 => {
            Err(PyValueError::new_err(message.to_owned()))
        }
        _ if value > most => Err(PyOverflowError::new_err(message.to_owned())),
        _ => Ok(value),
    }
}

/// The parameters that all four BLAKE2 functions have.
struct Plain<'a> {
    digest_size: usize,
    key: Data<'a>,
    salt: Data<'a>,
    person: Data<'a>,
}

impl<'a> Plain<'a> {
    fn parse(
        [max, max_salt]: [usize; 2],
        digest_size: Option<&Bound<'_, PyAny>>,
        [key, salt, person]: [Option<&'a Bound<'_, PyAny>>; 3],
    ) -> PyResult<Self> {
        let digest_size = match digest_size {
            Some(size) => {
                let message =
                    format!("digest_size for {} must be between 1 and {max} bytes", word(max));
                let size: i128 = size.extract()?;
                match usize::try_from(size) {
                    Ok(size @ 1..) if size <= max => size,
                    _ => return Err(PyValueError::new_err(message)),
                }
            }
            None => max,
        };
        let bytes = |value: Option<&'a Bound<'_, PyAny>>, what: &str, max: usize| match value {
            None => Ok(Data::empty()),
            Some(value) => {
                let data = Data::new(value)?;
                match data.len() <= max {
                    true => Ok(data),
                    false => {
                        Err(PyValueError::new_err(format!("maximum {what} length is {max} bytes")))
                    }
                }
            }
        };
        Ok(Plain {
            digest_size,
            key: bytes(key, "key", max)?,
            salt: bytes(salt, "salt", max_salt)?,
            person: bytes(person, "person", max_salt)?,
        })
    }
}

/// `data` and `string` are keywords of BLAKE2's types since Python 3.14.
fn named<'py>(
    py: Python<'py>,
    more: &Bound<'py, PyDict>,
    function: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut given = None;
    for (key, value) in more {
        let key = key.extract::<String>()?;
        match &*key {
            "data" | "string" if py.version_info() >= (3, 14) && given.is_none() => {
                given = Some(value)
            }
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{key}'"
                )));
            }
        }
    }
    Ok(given)
}

/// Calls `f`, and with a key then clears the part of the stack that it used.
fn wiped_if<T>(keyed: bool, f: impl FnOnce() -> T) -> T {
    if keyed { run_wiped(KEYED, f) } else { f() }
}

/// Returns what `hold` makes of the hasher that `build` makes of parameters. With a key, the frame
/// with the parameters is cleared before the hasher is moved, because a move takes along what was in
/// the unused part of its place.
pub fn built<H, T>(
    keyed: bool,
    hold: impl FnOnce(H) -> T,
    build: impl FnOnce() -> PyResult<H>,
) -> PyResult<T> {
    wiped_if(keyed, || {
        let hash = wiped_if(keyed, build)?;
        Ok(wiped_if(keyed, || hold(hash)))
    })
}

/// Moves a hasher to a box.
#[inline]
pub fn boxed<H: Hashing + 'static>(hasher: H) -> Box<dyn Hashing> {
    Box::new(hasher)
}

/// Returns an exported state as a bytes object. Clears the stack, to which `export` moves the state:
/// it may contain a key.
pub fn exported<'py>(
    py: Python<'py>,
    export: impl FnOnce() -> Result<Exported, Error>,
) -> PyResult<Bound<'py, PyBytes>> {
    run_wiped(KEYED, || Ok(bytes_of(py, export().map_err(wrong)?.as_ref())))
}

/// Copies a hasher to a box. The copy is on the stack first, so 8 KiB of the stack are cleared, four
/// times the size of an `AnyHasher`.
pub fn copied(hasher: &dyn Hashing) -> Box<dyn Hashing> {
    run_wiped(8 * 1024, || hasher.fork().into())
}

fn word(max: usize) -> &'static str {
    if max == 64 { "blake2b" } else { "blake2s" }
}

/// BLAKE2b and BLAKE2s, with the parameters of trees.
macro_rules! blake2 {
    ($Type:ident, $module:ident, $name:literal, $max:literal, $salt:literal, $offset:expr, $doc:literal) => {
        #[doc = $doc]
        #[pyclass(frozen, subclass, immutable_type, extends = Hash, name = $name, module = "hashmill")]
        pub struct $Type;

        #[pymethods]
        impl $Type {
            #[classattr]
            const MAX_DIGEST_SIZE: usize = $max;
            #[classattr]
            const MAX_KEY_SIZE: usize = $max;
            #[classattr]
            const SALT_SIZE: usize = $salt;
            #[classattr]
            const PERSON_SIZE: usize = $salt;

            #[new]
            #[allow(clippy::too_many_arguments, reason = "hashlib's")]
            #[pyo3(signature = (
                data=Arg::Missing, /, *, digest_size=None, key=None, salt=None, person=None, fanout=None,
                depth=None, leaf_size=None, node_offset=None, node_depth=None, inner_size=None,
                last_node=None, usedforsecurity=Arg::Missing, **more
            ))]
            #[pyo3(text_signature = "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True)")]
            fn new<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                digest_size: Option<&Bound<'py, PyAny>>,
                key: Option<&Bound<'py, PyAny>>,
                salt: Option<&Bound<'py, PyAny>>,
                person: Option<&Bound<'py, PyAny>>,
                fanout: Option<&Bound<'py, PyAny>>,
                depth: Option<&Bound<'py, PyAny>>,
                leaf_size: Option<&Bound<'py, PyAny>>,
                node_offset: Option<&Bound<'py, PyAny>>,
                node_depth: Option<&Bound<'py, PyAny>>,
                inner_size: Option<&Bound<'py, PyAny>>,
                last_node: Option<&Bound<'py, PyAny>>,
                usedforsecurity: Arg<'_, 'py>,
                more: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<PyClassInitializer<Self>> {
                let _ = usedforsecurity;
                let named = more.map(|more| named(py, more, $name)).transpose()?.flatten();
                let data = match &named {
                    Some(named) => first(data, Arg::Given(named.as_borrowed()))?,
                    None => data,
                };
                let plain = Plain::parse([$max, $salt], digest_size, [key, salt, person])?;
                let keyed = !plain.key.is_empty();
                let hasher = built(keyed, boxed, || {
                    let inner = concat!("inner_size must be between 0 and ", $max);
                    $module::Params::new()
                        .output_len(plain.digest_size)
                        .key(&plain.key)
                        .salt(&plain.salt)
                        .personal(&plain.person)
                        .fanout(number(fanout, 1, "fanout", [0, 255], "fanout must be between 0 and 255")? as u8)
                        .max_depth(number(depth, 1, "depth", [1, 255], "depth must be between 1 and 255")? as u8)
                        .leaf_len(number(leaf_size, 0, "leaf_size", [0, u32::MAX.into()], "leaf_size is too large")? as u32)
                        .node_offset(number(node_offset, 0, "node_offset", [0, $offset], "node_offset is too large")?)
                        .node_depth(number(node_depth, 0, "node_depth", [0, 255], "node_depth must be between 0 and 255")? as u8)
                        .inner_len(number(inner_size, 0, "inner_size", [0, $max], inner)? as usize)
                        .last_node(match last_node.map(|it| it.is_truthy()).transpose()? {
                            Some(true) => hashmill::LastNode::Yes,
                            _ => hashmill::LastNode::No,
                        })
                        .build()
                        .map_err(wrong)
                })?;
                let hasher = wiped_if(keyed, || begin(py, hasher, data))?;
                Ok(PyClassInitializer::from(Hash::of(hasher)).add_subclass($Type))
            }
        }
    };
}

blake2!(
    Blake2b,
    blake2b,
    "blake2b",
    64,
    16,
    u64::MAX,
    "BLAKE2b (RFC 7693), with the parameters of the BLAKE2 paper."
);
blake2!(
    Blake2s,
    blake2s,
    "blake2s",
    32,
    8,
    (1 << 48) - 1,
    "BLAKE2s (RFC 7693), with the parameters of the BLAKE2 paper."
);

/// BLAKE2bp and BLAKE2sp, whose trees are fixed.
macro_rules! blake2p {
    ($Type:ident, $module:ident, $name:literal, $max:literal, $salt:literal, $doc:literal) => {
        #[doc = $doc]
        #[pyclass(frozen, subclass, immutable_type, extends = Hash, name = $name, module = "hashmill")]
        pub struct $Type;

        #[pymethods]
        impl $Type {
            #[classattr]
            const MAX_DIGEST_SIZE: usize = $max;
            #[classattr]
            const MAX_KEY_SIZE: usize = $max;
            #[classattr]
            const SALT_SIZE: usize = $salt;
            #[classattr]
            const PERSON_SIZE: usize = $salt;

            #[new]
            #[pyo3(signature = (
                data=Arg::Missing, /, *, digest_size=None, key=None, salt=None, person=None, usedforsecurity=Arg::Missing
            ))]
            #[pyo3(text_signature = "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True)")]
            fn new<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                digest_size: Option<&Bound<'py, PyAny>>,
                key: Option<&Bound<'py, PyAny>>,
                salt: Option<&Bound<'py, PyAny>>,
                person: Option<&Bound<'py, PyAny>>,
                usedforsecurity: Arg<'_, 'py>,
            ) -> PyResult<PyClassInitializer<Self>> {
                let _ = usedforsecurity;
                let plain = Plain::parse([$max, $salt], digest_size, [key, salt, person])?;
                let keyed = !plain.key.is_empty();
                let hasher = built(keyed, boxed, || {
                    let params = $module::Params::new().output_len(plain.digest_size);
                    let params = params.key(&plain.key).salt(&plain.salt).personal(&plain.person);
                    params.build().map_err(wrong)
                })?;
                let hasher = wiped_if(keyed, || begin(py, hasher, data))?;
                Ok(PyClassInitializer::from(Hash::of(hasher)).add_subclass($Type))
            }
        }
    };
}

blake2p!(
    Blake2bp,
    blake2bp,
    "blake2bp",
    64,
    16,
    "BLAKE2bp (BLAKE2 paper §5): BLAKE2b over four leaves side by side."
);
blake2p!(
    Blake2sp,
    blake2sp,
    "blake2sp",
    32,
    8,
    "BLAKE2sp (BLAKE2 paper §5): BLAKE2s over eight leaves side by side."
);

/// Calls a type with only the data. This avoids a tuple, a dict and the check of fourteen
/// parameters.
///
/// For the time of BLAKE2b of 32 bytes see bench/README.md.
macro_rules! quick_call {
    ($name:ident, $Type:ident) => {
        unsafe extern "C" fn $name(
            class: *mut ffi::PyObject,
            args: *const *mut ffi::PyObject,
            count: usize,
            names: *mut ffi::PyObject,
        ) -> *mut ffi::PyObject {
            // SAFETY: CPython holds the GIL when it calls this function.
            let py = unsafe { Python::assume_attached() };
            // SAFETY: no flag is part of the number that this gives.
            let given = unsafe { ffi::PyVectorcall_NARGS(count) };
            if given > 1 || !names.is_null() {
                // SAFETY: the arguments are passed on as CPython passed them.
                return unsafe { slow_call(class, args, given, names) };
            }
            let data = match given {
                0 => Arg::Missing,
                // SAFETY: there is one argument, and the caller holds a reference to it.
                _ => Arg::Given(unsafe { Borrowed::from_ptr(py, *args) }),
            };
            let made = data.bytes().and_then(|data| {
                let base = PyClassInitializer::from(Hash::of(Box::new(hashmill::$Type::new())));
                let made = Bound::new(py, base.add_subclass($Type))?;
                made.as_super().get().start(py, &data)?;
                Ok(made)
            });
            match made {
                Ok(object) => object.into_ptr(),
                Err(error) => {
                    error.restore(py);
                    std::ptr::null_mut()
                }
            }
        }
    };
}

quick_call!(call_blake2b, Blake2b);
quick_call!(call_blake2s, Blake2s);

/// # Safety
/// There must be `count` positional arguments, followed by those that `names` names.
unsafe fn slow_call(
    class: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: isize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: new references are given back at the end, borrowed ones are of arguments that the
    // caller holds.
    unsafe {
        let tuple = ffi::PyTuple_New(count);
        if tuple.is_null() {
            return tuple;
        }
        for i in 0..count {
            let arg = *args.offset(i);
            ffi::Py_INCREF(arg);
            ffi::PyTuple_SetItem(tuple, i, arg);
        }
        let mut named = std::ptr::null_mut();
        if !names.is_null() {
            named = ffi::PyDict_New();
            for i in 0..ffi::PyTuple_Size(names) {
                let value = *args.offset(count + i);
                if named.is_null()
                    || ffi::PyDict_SetItem(named, ffi::PyTuple_GetItem(names, i), value) != 0
                {
                    ffi::Py_XDECREF(named);
                    ffi::Py_DECREF(tuple);
                    return std::ptr::null_mut();
                }
            }
        }
        let call = (*std::ptr::addr_of!(ffi::PyType_Type)).tp_call.expect("types can be called");
        // There may be a key among the named arguments. PyO3 moves the hasher to its object, and
        // each move leaves a copy on the stack.
        let made = run_wiped(KEYED, || call(class, tuple, named));
        ffi::Py_XDECREF(named);
        ffi::Py_DECREF(tuple);
        made
    }
}

/// Makes plain calls of BLAKE2's types fast, and lets objects that contain no others live without
/// the cycle collector, to which PyO3 adds all types. Python's subtypes inherit neither.
pub fn quicken(py: Python<'_>) {
    let call_2b: ffi::vectorcallfunc = call_blake2b;
    for (class, call) in [
        (py.get_type::<Hash>(), None),
        (py.get_type::<Blake2b>(), Some(call_2b)),
        (py.get_type::<Blake2s>(), Some(call_blake2s)),
    ] {
        // SAFETY: the types are ours, and they have no objects and no other subtypes yet.
        unsafe {
            let class = &mut *class.as_type_ptr();
            class.tp_vectorcall = call;
            class.tp_flags &= !ffi::Py_TPFLAGS_HAVE_GC;
            class.tp_traverse = None;
            class.tp_clear = None;
            class.tp_dealloc = Some(dealloc);
            class.tp_free = Some(ffi::PyObject_Free);
        }
    }
}

/// Drops an object of a type that [`quicken`] was called for, or of a subtype, which Python has
/// removed from the collector.
unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: CPython calls this once, when nobody has a reference to the object.
    unsafe {
        let py = Python::assume_attached();
        let hash = Borrowed::from_ptr(py, object).cast_unchecked::<Hash>();
        let hash = std::ptr::from_ref(hash.get()).cast_mut();
        std::ptr::drop_in_place(hash);
        let class = ffi::Py_TYPE(object);
        ((*class).tp_free.expect("a type frees its objects"))(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}
