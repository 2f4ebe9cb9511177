//! Functions that hashlib does not have: KangarooTwelve, the functions of SP 800-185, and BLAKE2X.

use crate::data::{Arg, Data, bytes_of, hex_of, wrong};
use crate::hash::{KEYED, Output, Reader, Shared, no_pickle, output};
use crate::threads::all_cores;
use hashmill::{
    CShake, Customization, Error, FunctionName, KangarooTwelve, Kmac, ParallelHash, TupleHash,
    below,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::ThreadPool;
use std::sync::Arc;

/// One of the functions of this file.
trait Machine: Send + Sync {
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    fn fill(&self, out: &mut [u8]) -> Result<(), Error>;
    /// None if the output depends on the length that the caller requests.
    fn reader(&self) -> Option<Output>;
    fn copy(&self) -> Box<dyn Machine>;
    fn export(&self) -> Option<hashmill::Exported> {
        None
    }
}

#[derive(Clone)]
struct Kangaroo<const RATE: usize> {
    hasher: KangarooTwelve<RATE>,
    customization: Vec<u8>,
}

/// A part of a message with at least this many bytes is split over threads: 4 MiB.
const THREADS_FROM: usize = 4 << 20;

fn pool_for(data: &[u8]) -> Option<Arc<ThreadPool>> {
    if data.len() < THREADS_FROM { None } else { all_cores() }
}

impl<const RATE: usize> Machine for Kangaroo<RATE> {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        match pool_for(data) {
            None => _ = self.hasher.update(data),
            Some(pool) => pool.install(|| _ = self.hasher.update_rayon(data)),
        }
        Ok(())
    }
    fn fill(&self, out: &mut [u8]) -> Result<(), Error> {
        self.hasher.finalize_xof_with(&self.customization).fill(out);
        Ok(())
    }
    fn reader(&self) -> Option<Output> {
        Some(Output::Keccak(self.hasher.finalize_xof_with(&self.customization)))
    }
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
    fn export(&self) -> Option<hashmill::Exported> {
        self.customization.is_empty().then(|| self.hasher.export())
    }
}

impl<const RATE: usize> Machine for CShake<RATE> {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.update(data);
        Ok(())
    }
    fn fill(&self, out: &mut [u8]) -> Result<(), Error> {
        self.finalize_xof().fill(out);
        Ok(())
    }
    fn reader(&self) -> Option<Output> {
        Some(Output::Keccak(self.finalize_xof()))
    }
    fn copy(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

/// A function that has two forms: the output of one depends on the output length, that of the other
/// (XOF) does not.
#[derive(Clone)]
struct Formed<H> {
    hasher: H,
    xof: bool,
}

macro_rules! formed {
    ($($Type:ident, $update:expr;)*) => { $(
        impl<const RATE: usize> Machine for Formed<$Type<RATE>> {
            fn update(&mut self, data: &[u8]) -> Result<(), Error> {
                let update: fn(&mut $Type<RATE>, &[u8]) = $update;
                update(&mut self.hasher, data);
                Ok(())
            }
            fn fill(&self, out: &mut [u8]) -> Result<(), Error> {
                match self.xof {
                    true => self.hasher.finalize_xof().fill(out),
                    false => self.hasher.finalize_into(out),
                }
                Ok(())
            }
            fn reader(&self) -> Option<Output> {
                self.xof.then(|| Output::Keccak(self.hasher.finalize_xof()))
            }
            fn copy(&self) -> Box<dyn Machine> {
                Box::new(self.clone())
            }
        }
    )* };
}

formed! {
    Kmac, |hasher, data| _ = hasher.update(data);
    TupleHash, |hasher, data| _ = hasher.element(data);
    ParallelHash, |hasher, data| match pool_for(data) {
        None => _ = hasher.update(data),
        Some(pool) => pool.install(|| _ = hasher.update_rayon(data)),
    };
}

macro_rules! blake2x {
    ($($Type:ident)*) => { $(
        impl Machine for hashmill::$Type {
            fn update(&mut self, data: &[u8]) -> Result<(), Error> {
                self.try_update(data).map(drop)
            }
            fn fill(&self, out: &mut [u8]) -> Result<(), Error> {
                match self.output_len() {
                    Some(expected) if expected != out.len() as u64 => {
                        Err(Error::OutputLength { given: out.len() as u64, expected })
                    }
                    _ => self.finalize_xof().fill(out),
                }
            }
            fn reader(&self) -> Option<Output> {
                Some(Output::$Type(Box::new(self.finalize_xof())))
            }
            fn copy(&self) -> Box<dyn Machine> {
                Box::new(self.clone())
            }
            fn export(&self) -> Option<hashmill::Exported> {
                Some(self.export())
            }
        }
    )* };
}

blake2x!(Blake2xb Blake2xs);

/// A function with outputs of any length: KangarooTwelve, cSHAKE, KMAC, TupleHash, ParallelHash or
/// BLAKE2X.
///
/// Several threads may use it: each update is atomic.
#[pyclass(frozen, immutable_type, name = "XOF", module = "hashmill")]
pub struct Xof {
    machine: Shared<Box<dyn Machine>>,
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
        self.machine.update(py, &data, |machine, data| machine.update(data))
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
        match self.machine.lock(py).reader() {
            Some(output) => Ok(Reader(Shared::new(output))),
            None => Err(PyValueError::new_err(
                "the output depends on its length: make the function with xof=True, or call digest(length)",
            )),
        }
    }

    /// Return a copy of this object, which can absorb other bytes.
    #[pyo3(signature = ())]
    fn copy(&self, py: Python<'_>) -> Xof {
        let machine = below(KEYED, || Shared::new(self.machine.lock(py).copy()));
        Xof { machine, shape: self.shape }
    }

    /// Return the state as bytes, for import_state. Keep it secret if the message or the key is
    /// secret.
    #[pyo3(signature = ())]
    fn export_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match self.machine.lock(py).export() {
            Some(state) => Ok(bytes_of(py, state.as_ref())),
            None => Err(PyValueError::new_err(
                "only KangarooTwelve without a customization string and BLAKE2X export their state",
            )),
        }
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
    [name, strength]: [&'static str; 2],
    machine: impl Machine + 'static,
    data: Arg<'_, '_>,
) -> PyResult<Xof> {
    let (len, block_size) = if strength == "128" { (32, 168) } else { (64, 136) };
    begin(py, Shape { name, block_size, len, fixed: false }, machine, data)
}

fn begin(
    py: Python<'_>,
    shape: Shape,
    mut machine: impl Machine + 'static,
    data: Arg<'_, '_>,
) -> PyResult<Xof> {
    if let Arg::Given(data) = data {
        let data = Data::new(&data)?;
        let bytes: &[u8] = &data;
        crate::data::detach_if(py, bytes.len(), || machine.update(bytes)).map_err(wrong)?;
    }
    Ok(Xof { machine: Shared::new(Box::new(machine)), shape })
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
                let machine = Kangaroo { hasher: KangarooTwelve::<$rate>::new(), customization };
                make(py, [stringify!($kt), $strength], machine, data)
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
                let machine = CShake::<$rate>::new(
                    FunctionName(&given(name)?),
                    Customization(&given(customization)?),
                );
                make(py, [stringify!($cshake), $strength], machine, data)
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
                below(KEYED, || {
                    let hasher = Kmac::<$rate>::new(&key, Customization(&custom));
                    make(py, [stringify!($kmac), $strength], Formed { hasher, xof }, data)
                })
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
                make(py, [stringify!($tuple), $strength], Formed { hasher, xof }, Arg::Missing)
            }

            #[doc = concat!("ParallelHash", $strength, " (SP 800-185 §6) of data in blocks of block_size bytes, which is part of the function. With xof=True ParallelHashXOF", $strength, ".")]
            #[pyfunction]
            #[pyo3(signature = (data=Arg::Missing, *, block_size=8192, customization=None, xof=false))]
            #[pyo3(text_signature = "(data=b'', *, block_size=8192, customization=b'', xof=False)")]
            fn $parallel<'py>(
                py: Python<'py>,
                data: Arg<'_, 'py>,
                block_size: usize,
                customization: Option<&Bound<'py, PyAny>>,
                xof: bool,
            ) -> PyResult<Xof> {
                let hasher = ParallelHash::<$rate>::new(block_size, &given(customization)?);
                let hasher = hasher.map_err(wrong)?;
                make(py, [stringify!($parallel), $strength], Formed { hasher, xof }, data)
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
            module.add_function(wrap_pyfunction!(blake2xb, module)?)?;
            module.add_function(wrap_pyfunction!(blake2xs, module)?)?;
            module.add_function(wrap_pyfunction!(import_xof, module)?)
        }
    };
}

functions! {
    "128" 168: kt128 cshake128 kmac128 tuplehash128 parallelhash128;
    "256" 136: kt256 cshake256 kmac256 tuplehash256 parallelhash256;
}

macro_rules! blake2x_functions {
    ($($name:ident $Type:ident $module:ident, $shape:ident: $len:literal $block_size:literal $most:literal $salt:literal;)*) => { $(
        #[doc = concat!("BLAKE2X (the BLAKE2X paper) over ", stringify!($module), " of data: an output of that length, ",
            "up to ", $most, " bytes; of any length, not known beforehand, if there is none, whose beginnings are all ",
            "the same. With a key of up to ", $len, " bytes, a salt and a personalization of up to ", $salt, ".")]
        #[pyfunction]
        #[pyo3(signature = (data=Arg::Missing, *, length=None, key=None, salt=None, person=None))]
        #[pyo3(text_signature = "(data=b'', *, length=None, key=b'', salt=b'', person=b'')")]
        fn $name<'py>(
            py: Python<'py>,
            data: Arg<'_, 'py>,
            length: Option<u64>,
            key: Option<&Bound<'py, PyAny>>,
            salt: Option<&Bound<'py, PyAny>>,
            person: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Xof> {
            let (key, salt, person) = (given(key)?, given(salt)?, given(person)?);
            let params = hashmill::$module::Params::new().key(&key).salt(&salt).personal(&person);
            below(KEYED, || {
                let machine = params.build_xof(length).map_err(wrong)?;
                begin(py, $shape(&machine), machine, data)
            })
        }

        fn $shape(machine: &hashmill::$Type) -> Shape {
            let known = machine.output_len().and_then(|len| usize::try_from(len).ok());
            let fixed = known.is_some();
            Shape { name: stringify!($name), block_size: $block_size, len: known.unwrap_or($len), fixed }
        }
    )* };
}

blake2x_functions! {
    blake2xb Blake2xb blake2b, shape_b: 64 128 "2³² - 2" 16;
    blake2xs Blake2xs blake2s, shape_s: 32 64 "65,534" 8;
}

/// Return the KangarooTwelve or BLAKE2X object whose state export_state returned, or None if the
/// state belongs to another function.
#[pyfunction]
#[pyo3(name = "_import_xof", signature = (state, /))]
fn import_xof(py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Option<Xof>> {
    let state = Data::new(state)?;
    macro_rules! try_blake2x {
        ($Type:ident, $shape:ident) => {
            match hashmill::$Type::import(&state) {
                Ok(machine) => {
                    return begin(py, $shape(&machine), machine, Arg::Missing).map(Some);
                }
                Err(Error::StateAlgorithm) => {}
                Err(error) => return Err(wrong(error)),
            }
        };
    }
    try_blake2x!(Blake2xb, shape_b);
    try_blake2x!(Blake2xs, shape_s);
    let customization = Vec::new();
    match KangarooTwelve::<168>::import(&state) {
        Ok(hasher) => {
            let machine = Kangaroo { hasher, customization };
            return make(py, ["kt128", "128"], machine, Arg::Missing).map(Some);
        }
        Err(Error::StateAlgorithm) => {}
        Err(error) => return Err(wrong(error)),
    }
    match KangarooTwelve::<136>::import(&state) {
        Ok(hasher) => {
            let machine = Kangaroo { hasher, customization };
            make(py, ["kt256", "256"], machine, Arg::Missing).map(Some)
        }
        Err(Error::StateAlgorithm) => Ok(None),
        Err(error) => Err(wrong(error)),
    }
}
