//! Functions that hashlib does not have: KangarooTwelve, the functions of SP 800-185, Ascon-CXOF128,
//! and BLAKE2X.

use crate::data::{Arg, Bytes, Data, Object, Str, any_length, block_size, hex_of, wrong};
use crate::hash::{
    self, Reader, built, copied, digest_size, exported, no_pickle, output, output_len,
};
use crate::shared::Shared;
use hashmill::{
    Algorithm, AnyHasher, AnyReader, AsconCXof128, CShake, Customization, Error, FunctionName,
    Hashing, KangarooTwelve, Kmac, ParallelHash, TupleHash, run_wiped,
};
use hashmill_arrow::function::KEYED;
use hashmill_arrow::threads::all_cores;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A part of a message with at least this many bytes is split over threads: 4 MiB.
const THREADS_FROM: usize = 4 << 20;

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
        let pool = if data.len() < THREADS_FROM { None } else { all_cores() };
        let hasher = &mut self.hasher;
        match (hasher.element(data), pool) {
            (Err(Error::Operation), Some(pool)) => pool.install(|| hasher.try_update_rayon(data)),
            (Err(Error::Operation), None) => hasher.try_update(data),
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
pub struct Xof(Shared<Machine>);

#[pymethods]
impl Xof {
    /// Absorb bytes; for TupleHash, the next element.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Object<'_>) -> PyResult<()> {
        self.0.absorb(py, data, Machine::update)
    }

    /// Return length bytes of output: 32 or 64 if no length is given. The outputs of KMAC,
    /// TupleHash and ParallelHash depend on the length, unless the object was created with
    /// xof=True. A BLAKE2X object that was created with a length returns that many bytes.
    #[pyo3(signature = (length=None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<&Object<'py>>) -> PyResult<Bytes<'py>> {
        let machine = self.0.lock(py).copy();
        let len = length.map_or(Ok(machine.hasher.output_len()), output_len)?;
        output(py, len, move |out| machine.fill(out))
    }

    /// Return length bytes of output, as a str of hexadecimal digits.
    #[pyo3(signature = (length=None))]
    fn hexdigest<'py>(&self, py: Python<'py>, length: Option<&Object<'py>>) -> PyResult<Str<'py>> {
        hex_of(py, self.digest(py, length)?.as_bytes())
    }

    /// Return a reader that returns the output piece by piece.
    fn reader(&self, py: Python<'_>) -> PyResult<Reader> {
        let machine = self.0.lock(py);
        match machine.xof {
            true => Ok(Reader(Shared::new(machine.squeeze().map_err(wrong)?))),
            false => Err(wrong(
                "the output depends on its length: make the function with xof=True, or call digest(length)",
            )),
        }
    }

    /// Return a copy of this object, which can absorb other bytes.
    fn copy(&self, py: Python<'_>) -> Xof {
        Xof(Shared::new(self.0.lock(py).copy()))
    }

    /// Return the state as bytes, for import_state. Keep it secret if the message or the key is
    /// secret. It contains neither xof nor KangarooTwelve's customization string.
    fn export_state<'py>(&self, py: Python<'py>) -> PyResult<Bytes<'py>> {
        exported(py, || self.0.lock(py).hasher.export())
    }

    /// Return the state with a tag under key, for import_keyed: for a state that is stored where
    /// others can write. It is not encrypted.
    #[pyo3(signature = (key, /))]
    fn export_keyed<'py>(&self, py: Python<'py>, key: &Object<'py>) -> PyResult<Bytes<'py>> {
        let key = Data::new(key)?;
        exported(py, || self.0.lock(py).hasher.export_keyed(&key))
    }

    /// The function's name.
    #[getter]
    fn name(&self, py: Python<'_>) -> String {
        self.0.lock(py).hasher.name().replace('-', "_").to_lowercase()
    }

    /// 0, as in hashlib for functions with outputs of any length; for BLAKE2X the length with which
    /// it was created, if any.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> usize {
        digest_size(&*self.0.lock(py).hasher)
    }

    /// The number of bytes that are absorbed at once.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).hasher.facts().block_len
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("XOF"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{} XOF object @ {:p}>", slf.get().name(slf.py()), slf.as_ptr())
    }
}

fn make(py: Python<'_>, mut machine: Machine, data: Arg<'_, '_>) -> PyResult<Xof> {
    data.absorb(py, |data| machine.update(data))?;
    Ok(Xof(Shared::new(machine)))
}

macro_rules! functions {
    ($($strength:literal $rate:literal: $kt:ident $cshake:ident $kmac:ident $tuple:ident $parallel:ident;)*) => {
        $(
            #[doc = concat!("KT", $strength, " (KangarooTwelve, RFC 9861) of data, with a customization string.")]
            #[pyfunction(signature = (data=Arg::Missing, *, customization=None))]
            #[pyo3(text_signature = "(data=b'', *, customization=b'')")]
            pub fn $kt<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                customization: Option<&Object<'py>>,
            ) -> PyResult<Xof> {
                let customization = Data::given(customization)?.to_vec();
                let machine = Machine::new(Box::new(KangarooTwelve::<$rate>::new()), true);
                make(py, Machine { customization, ..machine }, data)
            }

            #[doc = concat!("cSHAKE", $strength, " (SP 800-185 §3) of data, with a function name and a customization string.")]
            #[pyfunction(signature = (data=Arg::Missing, *, name=None, customization=None))]
            #[pyo3(text_signature = "(data=b'', *, name=b'', customization=b'')")]
            pub fn $cshake<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                name: Option<&Object<'py>>,
                customization: Option<&Object<'py>>,
            ) -> PyResult<Xof> {
                let (name, custom) = (Data::given(name)?, Data::given(customization)?);
                let hasher = CShake::<$rate>::new(FunctionName(&name), Customization(&custom));
                make(py, Machine::new(Box::new(hasher), true), data)
            }

            #[doc = concat!("KMAC", $strength, " (SP 800-185 §4) of data under a key, with a customization string; with xof=True KMACXOF", $strength, ".")]
            #[pyfunction(signature = (key, data=Arg::Missing, *, customization=None, xof=false))]
            #[pyo3(text_signature = "(key, data=b'', *, customization=b'', xof=False)")]
            pub fn $kmac<'py>(
                py: Python<'py>,
                key: &Object<'py>,
                data: Arg<'_, 'py>,
                customization: Option<&Object<'py>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let (key, custom) = (Data::new(key)?, Data::given(customization)?);
                let kmac = || Ok(Kmac::<$rate>::new(&key, Customization(&custom)));
                let hasher = built(true, |hasher| Box::new(hasher), kmac)?;
                make(py, Machine::new(hasher, xof), data)
            }

            #[doc = concat!("TupleHash", $strength, " (SP 800-185 §5) of a sequence of bytes-like elements: where each ends counts. With xof=True TupleHashXOF", $strength, ".")]
            #[pyfunction(signature = (elements=None, *, customization=None, xof=false))]
            #[pyo3(text_signature = "(elements=(), *, customization=b'', xof=False)")]
            pub fn $tuple<'py>(
                py: Python<'py>,
                elements: Option<&Object<'py>>,
                customization: Option<&Object<'py>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let mut hasher = TupleHash::<$rate>::new(&Data::given(customization)?);
                if let Some(elements) = elements {
                    if elements.is_instance_of::<PyBytes>() {
                        return Err(PyTypeError::new_err("elements is a sequence of bytes-like objects"));
                    }
                    for element in elements.try_iter()? {
                        hasher.element(&Data::new(&element?)?);
                    }
                }
                make(py, Machine::new(Box::new(hasher), xof), Arg::Missing)
            }

            #[doc = concat!("ParallelHash", $strength, " (SP 800-185 §6) of data in blocks of block_size bytes, which is part of the function. With xof=True ParallelHashXOF", $strength, ".")]
            #[pyfunction(signature = (data=Arg::Missing, *, block_size=8192, customization=None, xof=false))]
            #[pyo3(text_signature = "(data=b'', *, block_size=8192, customization=b'', xof=False)")]
            pub fn $parallel<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                #[pyo3(from_py_with = block_size)] block_size: usize,
                customization: Option<&Object<'py>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let hasher = ParallelHash::<$rate>::new(block_size, &Data::given(customization)?);
                let hasher = hasher.map_err(wrong)?;
                make(py, Machine::new(Box::new(hasher), xof), data)
            }
        )*
    };
}

functions! {
    "128" 168: kt128 cshake128 kmac128 tuplehash128 parallelhash128;
    "256" 136: kt256 cshake256 kmac256 tuplehash256 parallelhash256;
}

/// Ascon-CXOF128 (SP 800-232 §5.3) of data, with a customization string of up to 256 bytes.
#[pyfunction(signature = (data=Arg::Missing, *, customization=None))]
#[pyo3(text_signature = "(data=b'', *, customization=b'')")]
pub fn ascon_cxof128<'py>(
    py: Python<'py>,
    data: Arg<'_, 'py>,
    customization: Option<&Object<'py>>,
) -> PyResult<Xof> {
    let hasher = AsconCXof128::new(Customization(&Data::given(customization)?)).map_err(wrong)?;
    make(py, Machine::new(Box::new(hasher), true), data)
}

macro_rules! blake2x_functions {
    ($($name:ident $module:ident: $len:literal $most:literal $salt:literal;)*) => { $(
        #[doc = concat!("BLAKE2X (the BLAKE2X paper) over ", stringify!($module), " of data: an output of that length, ",
            "up to ", $most, " bytes; of any length, not known beforehand, if there is none, whose beginnings are all ",
            "the same. With a key of up to ", $len, " bytes, a salt and a personalization of up to ", $salt, ".")]
        #[pyfunction(signature = (data=Arg::Missing, *, length=None, key=None, salt=None, person=None))]
        #[pyo3(text_signature = "(data=b'', *, length=None, key=b'', salt=b'', person=b'')")]
        pub fn $name<'py>(
            py: Python<'py>,
            data: Arg<'_, 'py>,
            #[pyo3(from_py_with = any_length)] length: Option<u64>,
            key: Option<&Object<'py>>,
            salt: Option<&Object<'py>>,
            person: Option<&Object<'py>>,
        ) -> PyResult<Xof> {
            let (key, salt, person) = (Data::given(key)?, Data::given(salt)?, Data::given(person)?);
            let hasher = built(true, |hasher| Box::new(hasher), || {
                let params = hashmill::$module::Params::new();
                params.key(&key).salt(&salt).personal(&person).build_xof(length).map_err(wrong)
            })?;
            make(py, Machine::new(hasher, true), data)
        }
    )* };
}

blake2x_functions! {
    blake2xb blake2b: 64 "2³² - 2" 16;
    blake2xs blake2s: 32 "65,534" 8;
}

/// Return an object that continues from a state that export_state returned.
///
/// The states of KMAC, TupleHash and ParallelHash do not contain xof, those of KT128 and KT256 not
/// the customization string: pass them as to the constructor.
#[pyfunction(signature = (state, /, *, xof=false, customization=None))]
#[pyo3(text_signature = "(state, /, *, xof=False, customization=b'')")]
pub fn import_state<'py>(
    py: Python<'py>,
    state: &Object<'py>,
    xof: bool,
    customization: Option<&Object<'py>>,
) -> PyResult<Object<'py>> {
    resumed(py, AnyHasher::import, state, xof, customization)
}

/// Return an object that continues from a state that export_keyed returned under the same key. A
/// state that was changed, or was exported under another key or without one, is a ValueError. See
/// import_state for the other arguments.
#[pyfunction(signature = (state, key, /, *, xof=false, customization=None))]
#[pyo3(text_signature = "(state, key, /, *, xof=False, customization=b'')")]
pub fn import_keyed<'py>(
    py: Python<'py>,
    state: &Object<'py>,
    key: &Object<'py>,
    xof: bool,
    customization: Option<&Object<'py>>,
) -> PyResult<Object<'py>> {
    let key = Data::new(key)?;
    resumed(py, |state| AnyHasher::import_keyed(state, &key), state, xof, customization)
}

fn resumed<'py>(
    py: Python<'py>,
    import: impl FnOnce(&[u8]) -> Result<AnyHasher, Error>,
    state: &Object<'py>,
    xof: bool,
    customization: Option<&Object<'py>>,
) -> PyResult<Object<'py>> {
    let customization = Data::given(customization)?;
    let state = Data::new(state)?;
    let hasher = built(true, AnyHasher::into, || import(&state).map_err(wrong))?;
    run_wiped(KEYED, || {
        let is_of = |names: &[&str]| names.iter().any(|name| hasher.name().starts_with(name));
        let chooses = is_of(&["KMAC", "TupleHash", "ParallelHash"]);
        let what = match Algorithm::from_code(hasher.code()) {
            _ if xof && !chooses => "xof=True is for states of KMAC, TupleHash and ParallelHash",
            _ if !customization.is_empty() && !is_of(&["KT"]) => {
                "customization is for states of KT128 and KT256"
            }
            Some(_) => return hash::object(py, hasher, Arg::Missing),
            // An object absorbs whole elements only.
            None if is_of(&["TupleHash"]) && hasher.hash_into(b"", &mut [0; 1]).is_err() => {
                return Err(wrong(
                    "the state ends within an element, which only Rust and C continue",
                ));
            }
            None => {
                let customization = customization.to_vec();
                let machine = Machine { hasher, customization, xof: xof || !chooses };
                return Ok(Bound::new(py, Xof(Shared::new(machine)))?.into_any());
            }
        };
        Err(wrong(format!("{what}, and this is a state of {}", hasher.name())))
    })
}
