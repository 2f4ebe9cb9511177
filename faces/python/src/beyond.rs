//! Functions that hashlib does not have: KangarooTwelve, the functions of SP 800-185, Ascon-CXOF128,
//! and BLAKE2X.

use crate::data::{Arg, Data, block_size, hex_of, length, wrong};
use crate::hash::{self, Reader, boxed, built, copied, exported, no_pickle, output};
use crate::shared::Shared;
use hashmill::{
    Algorithm, AnyHasher, AnyReader, AsconCXof128, CShake, Customization, Error, FunctionName,
    Hashing, KangarooTwelve, Kmac, ParallelHash, TupleHash, run_wiped,
};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::threads::all_cores;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::ThreadPool;
use std::sync::Arc;

/// A part of a message with at least this many bytes is split over threads: 4 MiB.
const THREADS_FROM: usize = 4 << 20;

fn pool_for(data: &[u8]) -> Option<Arc<ThreadPool>> {
    if data.len() < THREADS_FROM { None } else { all_cores() }
}

/// A function of this file, with what the library's hasher does not keep.
struct Machine {
    /// PyO3 moves the object through its own frames. A move of the box leaves no copy of the hasher
    /// there: after a short message, the buffer of BLAKE2X still contains bytes of the key.
    hasher: Box<dyn Hashing>,
    /// KangarooTwelve's customization string, which follows the message.
    customization: Vec<u8>,
    /// Whether the output can be read piece by piece. The outputs of KMAC, TupleHash and
    /// ParallelHash without `xof=True` cannot, because they depend on the requested length.
    xof: bool,
}

impl Machine {
    fn new(hasher: Box<dyn Hashing>, xof: bool) -> Self {
        Machine { hasher, customization: Vec::new(), xof }
    }

    fn copy(&self) -> Self {
        let hasher = copied(&*self.hasher);
        Machine { hasher, customization: self.customization.clone(), xof: self.xof }
    }

    /// Absorbs the next part of the message; for TupleHash, the next element.
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        match (self.hasher.element(data), pool_for(data)) {
            (Err(Error::Operation), None) => self.hasher.try_update(data).map(drop),
            (Err(Error::Operation), Some(pool)) => {
                pool.install(|| self.hasher.try_update_rayon(data))
            }
            (done, _) => done,
        }
    }

    fn fill(&self, out: &mut [u8]) -> Result<(), Error> {
        match self.xof && self.hasher.is_extendable() {
            true => self.squeeze()?.try_fill(out),
            false => self.hasher.hash_into(b"", out),
        }
    }

    fn squeeze(&self) -> Result<AnyReader, Error> {
        match &self.customization[..] {
            [] => self.hasher.squeeze(),
            customization => self.hasher.squeeze_custom(customization),
        }
    }
}

/// A function with outputs of any length: KangarooTwelve, cSHAKE, KMAC, TupleHash, ParallelHash,
/// Ascon-CXOF128 or BLAKE2X.
///
/// Several threads may use it: each update is atomic.
#[pyclass(frozen, immutable_type, name = "XOF", module = "hashmill")]
pub struct Xof {
    machine: Shared<Machine>,
    shape: Shape,
}

/// The fields that do not depend on the message.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    block_size: usize,
    /// The output length in bytes if the caller gives none: twice the security strength, or the
    /// length with which BLAKE2X was created.
    len: usize,
    /// Whether no other output length is allowed.
    fixed: bool,
}

#[pymethods]
impl Xof {
    /// Absorb bytes; for TupleHash, the next element.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Data::new(data)?;
        let data: &[u8] = &data;
        self.machine.run(py, data.len(), |machine| machine.update(data)).map_err(wrong)
    }

    /// Return length bytes of output: 32 or 64 if no length is given. The outputs of KMAC,
    /// TupleHash and ParallelHash depend on the length, unless the object was created with
    /// xof=True. A BLAKE2X object that was created with a length returns that many bytes.
    #[pyo3(signature = (length=None))]
    fn digest<'py>(
        &self,
        py: Python<'py>,
        length: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let machine = self.machine.lock(py).copy();
        let usual = self.shape.len.into_pyobject(py)?.into_any();
        output(py, length.unwrap_or(&usual), move |out| machine.fill(out))
    }

    /// Return length bytes of output, as a str of hexadecimal digits.
    #[pyo3(signature = (length=None))]
    fn hexdigest<'py>(
        &self,
        py: Python<'py>,
        length: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyString>> {
        hex_of(py, self.digest(py, length)?.as_bytes())
    }

    /// Return a reader that returns the output piece by piece.
    #[pyo3(signature = ())]
    fn reader(&self, py: Python<'_>) -> PyResult<Reader> {
        let machine = self.machine.lock(py);
        match machine.xof {
            true => Ok(Reader(Shared::new(machine.squeeze().map_err(wrong)?))),
            false => Err(PyValueError::new_err(
                "the output depends on its length: make the function with xof=True, or call digest(length)",
            )),
        }
    }

    /// Return a copy of this object, which can absorb other bytes.
    #[pyo3(signature = ())]
    fn copy(&self, py: Python<'_>) -> Xof {
        Xof { machine: Shared::new(self.machine.lock(py).copy()), shape: self.shape }
    }

    /// Return the state as bytes, for import_state. Keep it secret if the message or the key is
    /// secret. It contains neither xof nor KangarooTwelve's customization string.
    #[pyo3(signature = ())]
    fn export_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        exported(py, || self.machine.lock(py).hasher.export())
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
        exported(py, || self.machine.lock(py).hasher.export_keyed(&key))
    }

    /// The function's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.shape.name
    }

    /// 0, as in hashlib for functions with outputs of any length; for BLAKE2X the length with which
    /// it was created, if any.
    #[getter]
    fn digest_size(&self) -> usize {
        if self.shape.fixed { self.shape.len } else { 0 }
    }

    /// The number of bytes that are absorbed at once.
    #[getter]
    fn block_size(&self) -> usize {
        self.shape.block_size
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("XOF"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{} XOF object @ {:p}>", slf.get().shape.name, slf.as_ptr())
    }
}

fn make(
    py: Python<'_>,
    name: &'static str,
    mut machine: Machine,
    data: Arg<'_, '_>,
) -> PyResult<Xof> {
    if let Arg::Given(data) = data {
        let data = Data::new(&data)?;
        let bytes: &[u8] = &data;
        crate::data::detach_if(py, bytes.len(), || machine.update(bytes)).map_err(wrong)?;
    }
    Ok(object(name, machine))
}

fn object(name: &'static str, machine: Machine) -> Xof {
    let hasher = &machine.hasher;
    let (block_size, len) = (hasher.facts().block_len, hasher.output_len());
    let shape = Shape { name, block_size, len, fixed: !hasher.is_extendable() };
    Xof { machine: Shared::new(machine), shape }
}

fn given<'a>(bytes: Option<&'a Bound<'_, PyAny>>) -> PyResult<Data<'a>> {
    bytes.map_or(Ok(Data::empty()), Data::new)
}

macro_rules! functions {
    ($($strength:literal $rate:literal: $kt:ident $cshake:ident $kmac:ident $tuple:ident $parallel:ident;)*) => {
        $(
            #[doc = concat!("KT", $strength, " (KangarooTwelve, RFC 9861) of data, with a customization string.")]
            #[pyfunction]
            #[pyo3(signature = (data=Arg::Missing, *, customization=None))]
            #[pyo3(text_signature = "(data=b'', *, customization=b'')")]
            fn $kt<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                customization: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Xof> {
                let customization = given(customization)?.to_vec();
                let machine = Machine::new(boxed(KangarooTwelve::<$rate>::new()), true);
                make(py, stringify!($kt), Machine { customization, ..machine }, data)
            }

            #[doc = concat!("cSHAKE", $strength, " (SP 800-185 §3) of data, with a function name and a customization string.")]
            #[pyfunction]
            #[pyo3(signature = (data=Arg::Missing, *, name=None, customization=None))]
            #[pyo3(text_signature = "(data=b'', *, name=b'', customization=b'')")]
            fn $cshake<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                name: Option<&Bound<'py, PyAny>>,
                customization: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Xof> {
                let hasher = CShake::<$rate>::new(
                    FunctionName(&given(name)?),
                    Customization(&given(customization)?),
                );
                make(py, stringify!($cshake), Machine::new(boxed(hasher), true), data)
            }

            #[doc = concat!("KMAC", $strength, " (SP 800-185 §4) of data under a key, with a customization string; with xof=True KMACXOF", $strength, ".")]
            #[pyfunction]
            #[pyo3(signature = (key, data=Arg::Missing, *, customization=None, xof=false))]
            #[pyo3(text_signature = "(key, data=b'', *, customization=b'', xof=False)")]
            fn $kmac<'py>(
                py: Python<'py>,
                key: &Bound<'py, PyAny>,
                data: Arg<'_, 'py>,
                customization: Option<&Bound<'py, PyAny>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let (key, custom) = (Data::new(key)?, given(customization)?);
                let kmac = || Ok(Kmac::<$rate>::new(&key, Customization(&custom)));
                let hasher = built(true, boxed, kmac)?;
                make(py, stringify!($kmac), Machine::new(hasher, xof), data)
            }

            #[doc = concat!("TupleHash", $strength, " (SP 800-185 §5) of a sequence of bytes-like elements: where each ends counts. With xof=True TupleHashXOF", $strength, ".")]
            #[pyfunction]
            #[pyo3(signature = (elements=None, *, customization=None, xof=false))]
            #[pyo3(text_signature = "(elements=(), *, customization=b'', xof=False)")]
            fn $tuple<'py>(
                py: Python<'py>,
                elements: Option<&Bound<'py, PyAny>>,
                customization: Option<&Bound<'py, PyAny>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let mut hasher = TupleHash::<$rate>::new(&given(customization)?);
                if let Some(elements) = elements {
                    if elements.is_instance_of::<PyBytes>() {
                        return Err(PyTypeError::new_err("elements is a sequence of bytes-like objects"));
                    }
                    for element in elements.try_iter()? {
                        hasher.element(&Data::new(&element?)?);
                    }
                }
                let hasher = AnyHasher::from(hasher).into();
                make(py, stringify!($tuple), Machine::new(hasher, xof), Arg::Missing)
            }

            #[doc = concat!("ParallelHash", $strength, " (SP 800-185 §6) of data in blocks of block_size bytes, which is part of the function. With xof=True ParallelHashXOF", $strength, ".")]
            #[pyfunction]
            #[pyo3(signature = (data=Arg::Missing, *, block_size=8192, customization=None, xof=false))]
            #[pyo3(text_signature = "(data=b'', *, block_size=8192, customization=b'', xof=False)")]
            fn $parallel<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                #[pyo3(from_py_with = block_size)] block_size: usize,
                customization: Option<&Bound<'py, PyAny>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let hasher = ParallelHash::<$rate>::new(block_size, &given(customization)?);
                let hasher = hasher.map_err(wrong)?;
                make(py, stringify!($parallel), Machine::new(boxed(hasher), xof), data)
            }
        )*

        pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($kt, module)?)?;
                module.add_function(wrap_pyfunction!($cshake, module)?)?;
                module.add_function(wrap_pyfunction!($kmac, module)?)?;
                module.add_function(wrap_pyfunction!($tuple, module)?)?;
                module.add_function(wrap_pyfunction!($parallel, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(ascon_cxof128, module)?)?;
            module.add_function(wrap_pyfunction!(blake2xb, module)?)?;
            module.add_function(wrap_pyfunction!(blake2xs, module)?)
        }
    };
}

functions! {
    "128" 168: kt128 cshake128 kmac128 tuplehash128 parallelhash128;
    "256" 136: kt256 cshake256 kmac256 tuplehash256 parallelhash256;
}

/// Ascon-CXOF128 (SP 800-232 §5.3) of data, with a customization string of up to 256 bytes.
#[pyfunction]
#[pyo3(signature = (data=Arg::Missing, *, customization=None))]
#[pyo3(text_signature = "(data=b'', *, customization=b'')")]
fn ascon_cxof128<'py>(
    py: Python<'py>,
    data: Arg<'_, 'py>,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Xof> {
    let hasher = AsconCXof128::new(Customization(&given(customization)?)).map_err(wrong)?;
    make(py, "ascon_cxof128", Machine::new(boxed(hasher), true), data)
}

macro_rules! blake2x_functions {
    ($($name:ident $module:ident: $len:literal $most:literal $salt:literal;)*) => { $(
        #[doc = concat!("BLAKE2X (the BLAKE2X paper) over ", stringify!($module), " of data: an output of that length, ",
            "up to ", $most, " bytes; of any length, not known beforehand, if there is none, whose beginnings are all ",
            "the same. With a key of up to ", $len, " bytes, a salt and a personalization of up to ", $salt, ".")]
        #[pyfunction]
        #[pyo3(signature = (data=Arg::Missing, *, length=None, key=None, salt=None, person=None))]
        #[pyo3(text_signature = "(data=b'', *, length=None, key=b'', salt=b'', person=b'')")]
        fn $name<'py>(
            py: Python<'py>,
            data: Arg<'_, 'py>,
            #[pyo3(from_py_with = length)] length: Option<u64>,
            key: Option<&Bound<'py, PyAny>>,
            salt: Option<&Bound<'py, PyAny>>,
            person: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Xof> {
            let (key, salt, person) = (given(key)?, given(salt)?, given(person)?);
            let hasher = built(true, boxed, || {
                let params = hashmill::$module::Params::new();
                params.key(&key).salt(&salt).personal(&person).build_xof(length).map_err(wrong)
            })?;
            make(py, stringify!($name), Machine::new(hasher, true), data)
        }
    )* };
}

blake2x_functions! {
    blake2xb blake2b: 64 "2³² - 2" 16;
    blake2xs blake2s: 32 "65,534" 8;
}

/// The names of the functions of this file.
const NAMES: [&str; 13] = [
    "kt128",
    "kt256",
    "cshake128",
    "cshake256",
    "kmac128",
    "kmac256",
    "tuplehash128",
    "tuplehash256",
    "parallelhash128",
    "parallelhash256",
    "ascon_cxof128",
    "blake2xb",
    "blake2xs",
];

/// Returns the object of an imported hasher, with the two arguments of its constructor that its state
/// does not contain.
fn xof_of(hasher: Box<dyn Hashing>, xof: bool, customization: &[u8]) -> PyResult<Xof> {
    let name = hasher.name().replace('-', "_").to_lowercase();
    let name =
        NAMES.into_iter().find(|known| **known == name).expect("every function has its object");
    let is_kangaroo = name.starts_with("kt");
    let chooses = ["kmac", "tuplehash", "parallelhash"].iter().any(|it| name.starts_with(it));
    refuse(xof && !chooses, if is_kangaroo { b"" } else { customization }, &*hasher)?;
    if name.starts_with("tuplehash") {
        // An object absorbs whole elements only.
        hasher.hash_into(b"", &mut [0; 1]).map_err(|_| {
            PyValueError::new_err(
                "the state ends within an element, which only Rust and C continue",
            )
        })?;
    }
    let machine = Machine { hasher, customization: customization.to_vec(), xof: xof || !chooses };
    Ok(object(name, machine))
}

/// Raises an error if there is an argument that a function does not have.
fn refuse(xof: bool, customization: &[u8], hasher: &dyn Hashing) -> PyResult<()> {
    let what = match (xof, customization) {
        (true, _) => "xof=True is for states of KMAC, TupleHash and ParallelHash",
        (_, [_, ..]) => "customization is for states of KT128 and KT256",
        _ => return Ok(()),
    };
    Err(PyValueError::new_err(format!("{what}, and this is a state of {}", hasher.name())))
}

/// Return an object that continues from a state that export_state returned.
///
/// The states of KMAC, TupleHash and ParallelHash do not contain xof, those of KT128 and KT256 not
/// the customization string: pass them as to the constructor.
#[pyfunction]
#[pyo3(signature = (state, /, *, xof=false, customization=None))]
#[pyo3(text_signature = "(state, /, *, xof=False, customization=b'')")]
pub fn import_state<'py>(
    py: Python<'py>,
    state: &Bound<'py, PyAny>,
    xof: bool,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    resumed(py, AnyHasher::import, state, xof, customization)
}

/// Return an object that continues from a state that export_keyed returned under the same key. A
/// state that was changed, or was exported under another key or without one, is a ValueError. See
/// import_state for the other arguments.
#[pyfunction]
#[pyo3(signature = (state, key, /, *, xof=false, customization=None))]
#[pyo3(text_signature = "(state, key, /, *, xof=False, customization=b'')")]
pub fn import_keyed<'py>(
    py: Python<'py>,
    state: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    xof: bool,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let key = Data::new(key)?;
    resumed(py, |state| AnyHasher::import_keyed(state, &key), state, xof, customization)
}

fn resumed<'py>(
    py: Python<'py>,
    import: impl FnOnce(&[u8]) -> Result<AnyHasher, Error>,
    state: &Bound<'py, PyAny>,
    xof: bool,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let customization = customization.map_or(Ok(Data::empty()), Data::new)?;
    let state = Data::new(state)?;
    let hasher: Box<dyn Hashing> = built(true, AnyHasher::into, || import(&state).map_err(wrong))?;
    run_wiped(KEYED, || match Algorithm::from_code(hasher.code()) {
        Some(_) => {
            refuse(xof, &customization, &*hasher)?;
            hash::object(py, hasher)
        }
        None => Ok(Bound::new(py, xof_of(hasher, xof, &customization)?)?.into_any()),
    })
}
