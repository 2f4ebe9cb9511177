//! The functions that hash batches, and the forms of their digests.

use crate::names::{algorithm, unknown};
use crate::trouble::Trouble;
use hashmill::many::{self, Hex, Messages, Ordered, Outputs};
use hashmill::{
    AnyHasher, Blake3, Customization, Error, Kmac128, Kmac256, Kt128, Kt256, run_wiped,
};
use rayon::ThreadPool;
use std::alloc::{Layout, alloc_zeroed};
use std::sync::Arc;

/// Bytes of the stack to clear after a call that makes an object with a key.
pub const KEYED: usize = 16 * 1024;

/// Returns the function for a batch that has that name: an algorithm (with a key: HMAC over it, but
/// BLAKE3 has a key of its own), `kt128` or `kt256`, or with a key `kmac128` or `kmac256`.
///
/// A hasher with a key is in a box, because every move of it would leave a copy.
pub fn named(name: &str, key: Option<&[u8]>) -> Result<AnyHasher, Trouble> {
    run_wiped(KEYED, || with(name, key))
}

fn with(name: &str, key: Option<&[u8]>) -> Result<AnyHasher, Trouble> {
    Ok(match (name, key) {
        ("kt128", None) => Kt128::new().into(),
        ("kt256", None) => Kt256::new().into(),
        ("kmac128", Some(key)) => Kmac128::new(key, Customization(b"")).into(),
        ("kmac256", Some(key)) => Kmac256::new(key, Customization(b"")).into(),
        ("blake3", Some(key)) => blake3_with(key)?.into(),
        ("kmac128" | "kmac256", None) => {
            return Err(Trouble::Value(format!("{name} needs a key")));
        }
        _ => {
            let others = "kt128, kt256, kmac128 and kmac256 are others";
            let unknown = || Trouble::Value(format!("{}; {others}", unknown(name)));
            let algorithm = algorithm(name).ok_or_else(unknown)?;
            match key {
                Some(key) => algorithm.hmac(key)?.into(),
                None => algorithm.hasher(),
            }
        }
    })
}

pub fn blake3_with(key: &[u8]) -> Result<Blake3, Trouble> {
    match key.try_into() {
        Ok(key) => Ok(Blake3::keyed(key)),
        Err(_) => Err(Trouble::Value(format!("expected a 32-byte key, found {}", key.len()))),
    }
}

/// Returns the length of the function's outputs in bytes: `length` if it is given.
pub fn len(function: &AnyHasher, length: Option<usize>) -> Result<usize, Trouble> {
    let (own, any) = (function.output_len(), function.is_extendable());
    match length {
        None => Ok(own),
        Some(0) => Err(Trouble::Value("length must be at least 1".into())),
        Some(length) if any || length == own => Ok(length),
        Some(_) => Err(Error::NotExtendable.into()),
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
        function: &AnyHasher,
        messages: &(dyn Messages + Sync),
        out: &mut [u8],
    ) -> Result<(), Error> {
        match (messages.count(), self.hex) {
            (0, _) => Ok(()),
            (_, true) => self.finish(function, messages, &mut Hex(out)),
            (_, false) => self.finish(function, messages, out),
        }
    }

    /// Writes the outputs of messages on this thread, output `i` to place `order[i]` of `count`.
    pub fn hash_ordered(
        &self,
        function: &AnyHasher,
        messages: &(dyn Messages + Sync),
        out: &mut [u8],
        (count, order): (usize, &[usize]),
    ) -> Result<(), Error> {
        match self.hex {
            true => {
                let outputs = &mut Hex(out);
                function.hash_many(messages, &mut Ordered { outputs, count, order })
            }
            false => function.hash_many(messages, &mut Ordered { outputs: out, count, order }),
        }
    }

    fn finish<O: Outputs + Send + ?Sized>(
        &self,
        function: &AnyHasher,
        messages: &(dyn Messages + Sync),
        out: &mut O,
    ) -> Result<(), Error> {
        match &self.threads {
            Some(pool) => pool.install(|| function.hash_many(&many::threads(messages), out)),
            None => function.hash_many(messages, out),
        }
    }
}

/// Returns that many zeros. The system provides pages of zeros, so no byte is written twice, as with
/// `vec![0; len]`, which ends the process if there is not enough memory.
///
/// Linux is asked for large pages: the digits of a million digests are 64 MB, which the allocator returns
/// to the system each time, and 16,000 page faults took half as long as the hashing.
pub fn zeroed(len: usize) -> Result<Vec<u8>, Trouble> {
    let layout = Layout::array::<u8>(len).map_err(|_| Trouble::Memory)?;
    if len == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout has at least one byte.
    let bytes = unsafe { alloc_zeroed(layout) };
    match bytes.is_null() {
        true => Err(Trouble::Memory),
        false => {
            #[cfg(target_os = "linux")]
            large_pages(bytes, len);
            // SAFETY: the global allocator returned `len` zeros, aligned for bytes.
            Ok(unsafe { Vec::from_raw_parts(bytes, len, len) })
        }
    }
}

/// Asks the system to back the whole large pages of a long allocation by large pages. If it does not,
/// nothing is lost.
#[cfg(target_os = "linux")]
fn large_pages(bytes: *mut u8, len: usize) {
    const LARGE: usize = 1 << 21;
    let skipped = bytes.align_offset(LARGE);
    if len >= 4 * LARGE && skipped < LARGE {
        let whole = (len - skipped) / LARGE * LARGE;
        // SAFETY: the pages are a part of the allocation, and the advice does not change their contents.
        unsafe { libc::madvise(bytes.add(skipped).cast(), whole, libc::MADV_HUGEPAGE) };
    }
}
