//! hashlib's objects: `HASH`, `HASHXOF`, and BLAKE2's types.

use crate::data::{
    Arg, Bytes, Data, Object, Str, bytes_of, detach_if, domain, hex_of, integer, wrong,
};
use crate::names::named;
use crate::shared::Shared;
use hashmill::{
    Algorithm, AnyReader, Error, Exported, Hashing, blake2b, blake2bp, blake2s, blake2sp, run_wiped,
};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::names::{algorithm, name};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
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

    fn algorithm(&self, py: Python<'_>) -> Algorithm {
        Algorithm::from_code(self.0.lock(py).code()).expect("its hashers are those of an algorithm")
    }
}

#[pymethods]
impl Hash {
    /// Absorb bytes.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Object<'_>) -> PyResult<()> {
        self.0.absorb(py, data, |hasher, data| hasher.try_update(data))
    }

    /// Return the digest of all bytes absorbed so far, as bytes.
    fn digest<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        bytes_of(py, &self.0.lock(py).finalize())
    }

    /// Return the digest of all bytes absorbed so far, as a str of hexadecimal digits.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Str<'py>> {
        hex_of(py, &self.0.lock(py).finalize())
    }

    /// Return a copy of this object, which can absorb other bytes.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let hasher = copied(&**self.0.lock(py));
        object(py, hasher, Arg::Missing)
    }

    /// Return the state as bytes, for import_state. Keep it secret if the message is secret:
    /// whoever has it can continue the hash.
    fn export_state<'py>(&self, py: Python<'py>) -> PyResult<Bytes<'py>> {
        exported(py, || self.0.lock(py).export())
    }

    /// Return the state with a tag under key, for import_keyed: for a state that is stored where
    /// others can write. It is not encrypted.
    #[pyo3(signature = (key, /))]
    fn export_keyed<'py>(&self, py: Python<'py>, key: &Object<'py>) -> PyResult<Bytes<'py>> {
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
        digest_size(&**self.0.lock(py))
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
pub fn output_len(length: &Object<'_>) -> PyResult<usize> {
    const MOST: i128 = isize::MAX as i128;
    match integer(length)? {
        ..0 => Err(wrong("length must be non-negative")),
        length @ ..=MOST => Ok(length as usize),
        _ => Err(PyOverflowError::new_err("length is too large")),
    }
}

/// Returns `len` bytes of an output.
pub fn output<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Error> + Send,
) -> PyResult<Bytes<'py>> {
    PyBytes::new_with(py, len, |out| detach_if(py, len, || fill(out)).map_err(wrong))
}

/// Returns the length that hashlib says: 0 if it may be any.
pub fn digest_size(hasher: &dyn Hashing) -> usize {
    if hasher.is_extendable() { 0 } else { hasher.output_len() }
}

/// A hash object whose digests may have any length.
#[pyclass(frozen, immutable_type, extends = Hash, name = "HASHXOF", module = "hashmill")]
pub struct HashXof;

#[pymethods]
impl HashXof {
    /// Return the first length bytes of the output.
    fn digest<'py>(slf: &Bound<'py, Self>, length: &Object<'py>) -> PyResult<Bytes<'py>> {
        Self::reader(slf)?.read(slf.py(), length)
    }

    /// Return the first length bytes of the output, as a str of hexadecimal digits.
    fn hexdigest<'py>(slf: &Bound<'py, Self>, length: &Object<'py>) -> PyResult<Str<'py>> {
        hex_of(slf.py(), Self::digest(slf, length)?.as_bytes())
    }

    /// Return a reader that returns the output piece by piece.
    fn reader(slf: &Bound<'_, Self>) -> PyResult<Reader> {
        let reader = slf.as_super().get().0.lock(slf.py()).squeeze();
        Ok(Reader(Shared::new(reader.map_err(wrong)?)))
    }
}

/// BLAKE3: a hash object with digests of any length.
#[pyclass(frozen, subclass, immutable_type, extends = Hash, name = "blake3", module = "hashmill")]
#[derive(Default)]
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
    fn read<'py>(&self, py: Python<'py>, length: &Object<'py>) -> PyResult<Bytes<'py>> {
        let len = output_len(length)?;
        PyBytes::new_with(py, len, |out| {
            self.0.run(py, len, |reader| reader.try_fill(out)).map_err(wrong)
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'Reader' object: its state may be a secret"))
    }
}

/// Returns the Python object of a hasher, which absorbs the data that was passed to a constructor.
#[inline]
pub fn object<'py>(
    py: Python<'py>,
    hasher: Box<dyn Hashing>,
    data: Arg<'_, '_>,
) -> PyResult<Object<'py>> {
    let (algorithm, is_xof) = (Algorithm::from_code(hasher.code()), hasher.is_extendable());
    let base = PyClassInitializer::from(Hash::of(hasher));
    let made = match algorithm {
        Some(Algorithm::Blake2b) => Bound::new(py, base.add_subclass(Blake2b))?.into_super(),
        Some(Algorithm::Blake2s) => Bound::new(py, base.add_subclass(Blake2s))?.into_super(),
        Some(Algorithm::Blake2bp) => Bound::new(py, base.add_subclass(Blake2bp))?.into_super(),
        Some(Algorithm::Blake2sp) => Bound::new(py, base.add_subclass(Blake2sp))?.into_super(),
        Some(Algorithm::Blake3) => {
            Bound::new(py, base.add_subclass(Blake3::default()))?.into_super()
        }
        _ if is_xof => Bound::new(py, base.add_subclass(HashXof))?.into_super(),
        _ => Bound::new(py, base)?,
    };
    // The object exists before it absorbs the data, because the CPU can make it while it waits for
    // the hasher to be copied into its box.
    if let Arg::Given(data) = data {
        made.get().update(py, &data)?;
    }
    Ok(made.into_any())
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

/// hashlib's constructors of the functions without parameters.
macro_rules! constructors {
    ($($name:ident: $Variant:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction(signature = (data=Arg::Missing, *, usedforsecurity=Arg::Missing, string=Arg::Missing))]
            #[pyo3(text_signature = "(data=b'', *, usedforsecurity=True, string=None)")]
            fn $name<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                usedforsecurity: Arg<'_, 'py>,
                string: Arg<'_, 'py>,
            ) -> PyResult<Object<'py>> {
                let _ = usedforsecurity;
                object(py, Box::new(hashmill::$Variant::new()), first(data, string)?)
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
        #[pyfunction(signature = (data=Arg::Missing, *, domain=0x1F))]
        #[pyo3(text_signature = "(data=b'', *, domain=0x1F)")]
        pub fn $name<'py>(py: Python<'py>, data: Arg<'_, 'py>, #[pyo3(from_py_with = domain)] domain: u8) -> PyResult<Object<'py>> {
            let hasher = hashmill::$Type::with_domain(domain).map_err(wrong)?;
            object(py, Box::new(hasher), data)
        }
    )* };
}

turboshake! {
    turboshake128: TurboShake128, "TurboSHAKE128 (RFC 9861): a hash object with digests of any length.";
    turboshake256: TurboShake256, "TurboSHAKE256 (RFC 9861): a hash object with digests of any length.";
}

/// Return a hash object of the named algorithm, or None if hashmill does not have it.
#[pyfunction(signature = (name, data=Arg::Missing, /), text_signature = "(name, data=b'', /)")]
pub fn _new<'py>(
    py: Python<'py>,
    name: &Object<'py>,
    data: Arg<'_, 'py>,
) -> PyResult<Option<Object<'py>>> {
    let Ok(name) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err("name must be a string"));
    };
    let algorithm = algorithm(&name.to_string_lossy());
    algorithm.map(|algorithm| object(py, algorithm.hasher().into(), data)).transpose()
}

/// Return the digest of a message, in one call.
#[pyfunction(signature = (name, data, /, length=None))]
pub fn digest<'py>(
    py: Python<'py>,
    name: &str,
    data: &Object<'py>,
    length: Option<&Object<'py>>,
) -> PyResult<Bytes<'py>> {
    let (algorithm, data) = (named(name)?, Data::new(data)?);
    match length {
        None => Ok(bytes_of(py, &detach_if(py, data.len(), || algorithm.hash(&data)))),
        Some(length) if algorithm.is_xof() => {
            output(py, output_len(length)?, |out| algorithm.hasher().hash_into(&data, out))
        }
        Some(_) => Err(wrong(Error::NotExtendable)),
    }
}

/// Returns a number, `usual` if there is none, or raises hashlib's error.
fn number(
    value: Option<&Object<'_>>,
    usual: u64,
    what: &str,
    [least, most]: [u64; 2],
) -> PyResult<u64> {
    let Some(value) = value else { return Ok(usual) };
    let (number, is_short) = (integer(value)?, most < 0x1_0000);
    let message = match is_short {
        true => format!("{what} must be between {least} and {most}"),
        false => format!("{what} is too large"),
    };
    match u64::try_from(number) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) if is_short => Err(wrong(message)),
        Err(_) if number < 0 => Err(wrong(format!("{what}: value must be positive"))),
        _ => Err(PyOverflowError::new_err(message)),
    }
}

/// Returns the parameters that all four BLAKE2 functions have: the length of a digest, the key, the
/// salt and the personalization.
fn plain<'a>(
    [max, max_salt]: [usize; 2],
    digest_size: Option<&Object<'_>>,
    [key, salt, person]: [Option<&'a Object<'_>>; 3],
) -> PyResult<(usize, [Data<'a>; 3])> {
    let size: i128 = digest_size.map_or(Ok(max as i128), |size| size.extract())?;
    let size = usize::try_from(size).ok().filter(|size| (1..=max).contains(size));
    let digest_size = size.ok_or_else(|| {
        let name = if max == 64 { "blake2b" } else { "blake2s" };
        wrong(format!("digest_size for {name} must be between 1 and {max} bytes"))
    })?;
    let bytes = |value: Option<&'a Object<'_>>, what: &str, max: usize| {
        let data = Data::given(value)?;
        match data.len() <= max {
            true => Ok(data),
            false => Err(wrong(format!("maximum {what} length is {max} bytes"))),
        }
    };
    let (key, salt) = (bytes(key, "key", max)?, bytes(salt, "salt", max_salt)?);
    Ok((digest_size, [key, salt, bytes(person, "person", max_salt)?]))
}

/// `data` and `string` are keywords of BLAKE2's types since Python 3.14.
fn data_in<'py>(
    py: Python<'py>,
    more: &Bound<'py, PyDict>,
    function: &str,
) -> PyResult<Option<Object<'py>>> {
    let mut given = None;
    for (key, value) in more {
        let key = key.extract::<String>()?;
        let is_known = matches!(&*key, "data" | "string") && py.version_info() >= (3, 14);
        if !is_known || given.replace(value).is_some() {
            let message = format!("{function}() got an unexpected keyword argument '{key}'");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(given)
}

/// Calls `f`, and with a key then clears the part of the stack that it used.
fn wiped_if<T>(keyed: bool, f: impl FnOnce() -> T) -> T {
    if keyed { run_wiped(KEYED, f) } else { f() }
}

/// Returns the hasher that `build` makes of parameters, in the box to which `hold` moves it. With a
/// key, the frame with the parameters is cleared before the hasher is moved, because a move takes
/// along what was in the unused part of its place.
pub fn built<H>(
    keyed: bool,
    hold: impl FnOnce(H) -> Box<dyn Hashing>,
    build: impl FnOnce() -> PyResult<H>,
) -> PyResult<Box<dyn Hashing>> {
    wiped_if(keyed, || {
        let hash = wiped_if(keyed, build)?;
        Ok(wiped_if(keyed, || hold(hash)))
    })
}

/// Returns an exported state as a bytes object. Clears the stack, to which `export` moves the state:
/// it may contain a key.
pub fn exported<'py>(
    py: Python<'py>,
    export: impl FnOnce() -> Result<Exported, Error>,
) -> PyResult<Bytes<'py>> {
    run_wiped(KEYED, || Ok(bytes_of(py, export().map_err(wrong)?.as_ref())))
}

/// Copies a hasher to a box. The copy is on the stack first, so 8 KiB of the stack are cleared, four
/// times the size of an `AnyHasher`.
pub fn copied(hasher: &dyn Hashing) -> Box<dyn Hashing> {
    run_wiped(8 * 1024, || hasher.fork().into())
}

/// Defines a type of BLAKE2: `tree` for BLAKE2b and BLAKE2s, which have the parameters of trees,
/// `fixed` for BLAKE2bp and BLAKE2sp, whose trees are fixed.
macro_rules! blake2 {
    (tree $Type:ident $module:ident $name:literal $max:literal $salt:literal $offset:expr; $doc:literal) => {
        blake2! {
            $Type $module $name $max $salt $doc
            (
                data=Arg::Missing, /, *, digest_size=None, key=None, salt=None, person=None, fanout=None,
                depth=None, leaf_size=None, node_offset=None, node_depth=None, inner_size=None,
                last_node=None, usedforsecurity=Arg::Missing, **more
            )
            "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True)"
            [fanout depth leaf_size node_offset node_depth inner_size last_node] [more]
            |params| {
                params
                    .fanout(number(fanout, 1, "fanout", [0, 255])? as u8)
                    .max_depth(number(depth, 1, "depth", [1, 255])? as u8)
                    .leaf_len(number(leaf_size, 0, "leaf_size", [0, u32::MAX.into()])? as u32)
                    .node_offset(number(node_offset, 0, "node_offset", [0, $offset])?)
                    .node_depth(number(node_depth, 0, "node_depth", [0, 255])? as u8)
                    .inner_len(number(inner_size, 0, "inner_size", [0, $max])? as usize)
                    .last_node(match last_node.map(|it| it.is_truthy()).transpose()? {
                        Some(true) => hashmill::LastNode::Yes,
                        _ => hashmill::LastNode::No,
                    })
            }
        }
    };
    (fixed $Type:ident $module:ident $name:literal $max:literal $salt:literal; $doc:literal) => {
        blake2! {
            $Type $module $name $max $salt $doc
            (data=Arg::Missing, /, *, digest_size=None, key=None, salt=None, person=None, usedforsecurity=Arg::Missing)
            "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True)"
            [] []
            |params| params
        }
    };
    (
        $Type:ident $module:ident $name:literal $max:literal $salt:literal $doc:literal
        $signature:tt $text:literal [$($tree:ident)*] [$($more:ident)?] |$params:ident| $with_tree:expr
    ) => {
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
            #[pyo3(signature = $signature, text_signature = $text)]
            fn new<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                digest_size: Option<&Object<'py>>,
                key: Option<&Object<'py>>,
                salt: Option<&Object<'py>>,
                person: Option<&Object<'py>>,
                $($tree: Option<&Object<'py>>,)*
                usedforsecurity: Arg<'_, 'py>,
                $($more: Option<&Bound<'py, PyDict>>)?
            ) -> PyResult<PyClassInitializer<Self>> {
                let _ = usedforsecurity;
                $(
                    let named = $more.map(|more| data_in(py, more, $name)).transpose()?.flatten();
                    let data = match &named {
                        Some(named) => first(data, Arg::Given(named.as_borrowed()))?,
                        None => data,
                    };
                )?
                let (digest_size, [key, salt, person]) =
                    plain([$max, $salt], digest_size, [key, salt, person])?;
                let keyed = !key.is_empty();
                let mut hasher = built(keyed, |hasher| Box::new(hasher), || {
                    let $params = $module::Params::new().output_len(digest_size);
                    let $params = $params.key(&key).salt(&salt).personal(&person);
                    $with_tree.build().map_err(wrong)
                })?;
                wiped_if(keyed, || data.absorb(py, |data| hasher.try_update(data)))?;
                Ok(PyClassInitializer::from(Hash::of(hasher)).add_subclass($Type))
            }
        }
    };
}

blake2! {
    tree Blake2b blake2b "blake2b" 64 16 u64::MAX;
    "BLAKE2b (RFC 7693), with the parameters of the BLAKE2 paper."
}
blake2! {
    tree Blake2s blake2s "blake2s" 32 8 (1 << 48) - 1;
    "BLAKE2s (RFC 7693), with the parameters of the BLAKE2 paper."
}
blake2! {
    fixed Blake2bp blake2bp "blake2bp" 64 16;
    "BLAKE2bp (BLAKE2 paper §5): BLAKE2b over four leaves side by side."
}
blake2! {
    fixed Blake2sp blake2sp "blake2sp" 32 8;
    "BLAKE2sp (BLAKE2 paper §5): BLAKE2s over eight leaves side by side."
}

/// Calls a type with only the data. This avoids a tuple, a dict and the check of fourteen
/// parameters.
///
/// For the time of BLAKE2b of 32 bytes see bench/README.md.
///
/// # Safety
/// As for every `vectorcallfunc`, of a type of objects with hashers of type `H`.
unsafe extern "C" fn quick_call<H: Hashing + Default + 'static>(
    class: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython holds the GIL when it calls this function.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: no flag is part of the number that this gives.
    let given = unsafe { ffi::PyVectorcall_NARGS(count) };
    let made = if given > 1 || !names.is_null() {
        // SAFETY: the arguments are passed on as CPython passed them.
        unsafe { slow_call(py, class, args, given as usize, names) }
    } else {
        let data = match given {
            0 => Arg::Missing,
            // SAFETY: there is one argument, and the caller holds a reference to it.
            _ => Arg::Given(unsafe { Borrowed::from_ptr(py, *args) }),
        };
        object(py, Box::new(H::default()), data)
    };
    match made {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

/// # Safety
/// There must be `count` positional arguments, followed by those that `names`, NULL or a tuple, names.
unsafe fn slow_call<'py>(
    py: Python<'py>,
    class: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> PyResult<Object<'py>> {
    // SAFETY: the references are of arguments that the caller holds; the result is a new one.
    unsafe {
        let arg = |i: usize| Borrowed::<PyAny>::from_ptr(py, *args.add(i));
        let (tuple, named) = (PyTuple::new(py, (0..count).map(arg))?, PyDict::new(py));
        if let Some(names) = Borrowed::from_ptr_or_opt(py, names) {
            for (i, name) in names.cast::<PyTuple>()?.iter().enumerate() {
                named.set_item(name, arg(count + i))?;
            }
        }
        let call = (*std::ptr::addr_of!(ffi::PyType_Type)).tp_call.expect("types can be called");
        // There may be a key among the named arguments. PyO3 moves the hasher to its object, and
        // each move leaves a copy on the stack.
        let made = run_wiped(KEYED, || call(class, tuple.as_ptr(), named.as_ptr()));
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// Makes plain calls of BLAKE2's types fast, and lets objects that contain no others live without
/// the cycle collector, to which PyO3 adds all types. Python's subtypes inherit neither.
pub fn quicken(py: Python<'_>) {
    for (class, call) in [
        (py.get_type::<Hash>(), None),
        (py.get_type::<Blake2b>(), Some(quick_call::<hashmill::Blake2b> as ffi::vectorcallfunc)),
        (py.get_type::<Blake2s>(), Some(quick_call::<hashmill::Blake2s>)),
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
