//! The functions that hash batches, and the forms of their digests.

use crate::data::{Data, wrong};
use crate::hash::KEYED;
use crate::mac::Hmac;
use crate::names::algorithm;
use crate::trouble::Trouble;
use hashmill::many::{self, Hex, Messages, Outputs};
use hashmill::{AnyHasher, AnyHmac, Customization, Error, Kmac128, Kmac256, Kt128, Kt256, below};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::alloc::{Layout, alloc_zeroed};
use std::sync::Arc;

/// A function for a batch, with its key.
pub enum Function {
    Plain(AnyHasher),
    Hmac(AnyHmac),
    Kt128(Kt128),
    Kt256(Kt256),
    Kmac128(Kmac128),
    Kmac256(Kmac256),
}

impl Function {
    /// Returns the function of that name: an algorithm (with a key: HMAC over it), `kt128` or
    /// `kt256`, or with a key `kmac128` or `kmac256`.
    ///
    /// It is in a box, because every move of a function with a key leaves a copy of it.
    pub fn named(name: &str, key: Option<&Bound<'_, PyAny>>) -> PyResult<Box<Self>> {
        let key = key.map(Data::new).transpose()?;
        below(KEYED, || Self::with(name, &key).map(Box::new))
    }

    fn with(name: &str, key: &Option<Data<'_>>) -> PyResult<Self> {
        Ok(match (name, key) {
            ("kt128", None) => Function::Kt128(Kt128::new()),
            ("kt256", None) => Function::Kt256(Kt256::new()),
            ("kmac128", Some(key)) => Function::Kmac128(Kmac128::new(key, Customization(b""))),
            ("kmac256", Some(key)) => Function::Kmac256(Kmac256::new(key, Customization(b""))),
            ("kmac128" | "kmac256", None) => {
                return Err(PyValueError::new_err(format!("{name} needs a key")));
            }
            (_, Some(key)) => Function::Hmac(Hmac::begin(key, name)?),
            (_, None) => match algorithm(name) {
                Some(algorithm) => Function::Plain(algorithm.hasher()),
                None => return Err(PyValueError::new_err(format!("unsupported hash type {name}"))),
            },
        })
    }

    /// Returns the length of an output in bytes: `length` if it is given.
    pub fn len(&self, length: Option<usize>) -> PyResult<usize> {
        let (own, any) = match self {
            Function::Plain(hasher) => (hasher.output_len(), hasher.algorithm().is_xof()),
            Function::Hmac(hmac) => (hmac.algorithm().output_len(), false),
            Function::Kt128(_) | Function::Kmac128(_) => (32, true),
            Function::Kt256(_) | Function::Kmac256(_) => (64, true),
        };
        match length {
            None => Ok(own),
            Some(0) => Err(PyValueError::new_err("length must be at least 1")),
            Some(length) if any || length == own => Ok(length),
            Some(_) => Err(wrong(Error::NotExtendable)),
        }
    }

    fn finish_many<M: Messages + ?Sized, O: Outputs + ?Sized>(
        &self,
        messages: &M,
        outputs: &mut O,
    ) -> Result<(), Error> {
        match self {
            Function::Plain(it) => it.finish_many(messages, outputs),
            Function::Hmac(it) => it.finish_many(messages, outputs),
            Function::Kt128(it) => it.finish_many(messages, outputs),
            Function::Kt256(it) => it.finish_many(messages, outputs),
            Function::Kmac128(it) => it.finish_many(messages, outputs),
            Function::Kmac256(it) => it.finish_many(messages, outputs),
        }
    }
}

/// The form in which the digests of a batch are written, and the number of threads.
pub struct Form {
    /// The length of a digest in bytes.
    pub len: usize,
    pub hex: bool,
    pub threads: Option<Arc<ThreadPool>>,
}

impl Form {
    /// Returns the number of bytes that a digest takes in this form.
    pub fn width(&self) -> usize {
        if self.hex { 2 * self.len } else { self.len }
    }

    /// Appends room for the outputs of `count` messages.
    pub fn grow<'o>(&self, count: usize, out: &'o mut Vec<u8>) -> Result<&'o mut [u8], Trouble> {
        let begin = out.len();
        let more = count.checked_mul(self.width()).ok_or(Trouble::Memory)?;
        match begin {
            0 => *out = zeroed(more)?,
            _ => {
                out.try_reserve(more).map_err(|_| Trouble::Memory)?;
                out.resize(begin + more, 0);
            }
        }
        Ok(&mut out[begin..])
    }

    /// Writes the outputs of all messages.
    pub fn hash(
        &self,
        function: &Function,
        messages: &(dyn Messages + Sync),
        out: &mut [u8],
    ) -> Result<(), Error> {
        match (messages.count(), self.hex) {
            (0, _) => Ok(()),
            (_, true) => self.finish(function, messages, &mut Hex(out)),
            (_, false) => self.finish(function, messages, out),
        }
    }

    fn finish<O: Outputs + Send + ?Sized>(
        &self,
        function: &Function,
        messages: &(dyn Messages + Sync),
        out: &mut O,
    ) -> Result<(), Error> {
        match &self.threads {
            Some(pool) => pool.install(|| function.finish_many(&many::threads(messages), out)),
            None => function.finish_many(messages, out),
        }
    }
}

/// Returns that many zeros. The system provides pages of zeros, so no byte is written twice, as with
/// `vec![0; len]`, which ends the process if there is not enough memory.
fn zeroed(len: usize) -> Result<Vec<u8>, Trouble> {
    let layout = Layout::array::<u8>(len).map_err(|_| Trouble::Memory)?;
    if len == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout has at least one byte.
    let bytes = unsafe { alloc_zeroed(layout) };
    match bytes.is_null() {
        true => Err(Trouble::Memory),
        // SAFETY: the global allocator returned `len` zeros, aligned for bytes.
        false => Ok(unsafe { Vec::from_raw_parts(bytes, len, len) }),
    }
}
