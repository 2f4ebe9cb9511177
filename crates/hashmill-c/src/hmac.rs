//! The functions of the C interface for HMAC.

use crate::algorithm::algorithm;
use crate::hash::{many, rows};
use crate::hasher::update_together;
use crate::memory::{Bytes, HEAD, HmacContext, array, bytes, bytes_mut, messages};
use crate::status::Failure;
use core::ffi::{c_int, c_void};
use hashmill::function::{Fixed, HmacVisitor};
use hashmill::{Error, Hash, Hashing, Hmac};

/// The arguments of `hashmill_hmac_init`.
struct Init<'a> {
    hmac: *mut HmacContext,
    key: &'a [u8],
}

impl HmacVisitor for Init<'_> {
    type Output = Result<(), Failure>;
    fn visit<F: Fixed>(self) -> Self::Output {
        // SAFETY: `hashmill_hmac_init`'s caller promises this.
        unsafe { HmacContext::set(self.hmac, Hmac::<Hash<F>>::new(self.key)) }
    }
}

/// The arguments of `hashmill_hmac`.
struct One<'a> {
    key: &'a [u8],
    data: &'a [u8],
    out: &'a mut [u8],
}

impl HmacVisitor for One<'_> {
    type Output = Result<(), Failure>;
    fn visit<F: Fixed>(self) -> Self::Output {
        Ok(Hmac::<Hash<F>>::new(self.key).hash_into(self.data, self.out)?)
    }
}

entry! {
    /// Prepares a key: makes an HMAC that has absorbed the key and nothing else.
    keyed fn hashmill_hmac_init(hmac: *mut HmacContext, code: c_int, key: *const c_void, key_len: usize) {
        let key = bytes(key, key_len)?;
        algorithm(code)?.with_hmac(Init { hmac, key })??;
    }
}

entry! {
    /// Absorbs the next part of the message.
    fn hashmill_hmac_update(hmac: *mut HmacContext, data: *const c_void, len: usize) {
        HmacContext::get_mut(hmac)?.try_update(bytes(data, len)?)?;
    }
}

entry! {
    /// Absorbs into each HMAC the next part of its own message. HMACs of one hash function run side
    /// by side in SIMD lanes.
    fn hashmill_hmac_update_many(hmacs: *const *mut HmacContext, pieces: *const Bytes, count: usize) {
        update_together(array(hmacs, count)?, messages(pieces, count)?)?;
    }
}

entry! {
    /// Writes the tag of everything absorbed so far. The context does not change.
    fn hashmill_hmac_finalize(hmac: *const HmacContext, out: *mut c_void, out_len: usize) {
        HmacContext::get(hmac)?.hash_into(b"", bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Writes the tag after one more piece of the message. The context does not change, so that a
    /// key is prepared once for many messages.
    fn hashmill_hmac_finish(
        hmac: *const HmacContext,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        HmacContext::get(hmac)?.hash_into(bytes(data, len)?, bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Compares `tag` with the tag of everything absorbed so far, in constant time.
    fn hashmill_hmac_verify(hmac: *const HmacContext, tag: *const c_void, tag_len: usize) {
        HmacContext::get(hmac)?.verify(bytes(tag, tag_len)?)?;
    }
}

entry! {
    /// Compares two tags in constant time.
    fn hashmill_tag_verify(
        tag: *const c_void,
        tag_len: usize,
        expected: *const c_void,
        expected_len: usize,
    ) {
        if !hashmill::constant_time_eq(bytes(tag, tag_len)?, bytes(expected, expected_len)?) {
            return Err(Error::TagMismatch.into());
        }
    }
}

entry! {
    /// Writes, for each of many messages, the tag that `hashmill_hmac_finish` would write.
    fn hashmill_hmac_finish_many(
        hmac: *const HmacContext,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        tag_len: usize,
    ) {
        let out = rows(out, count, tag_len)?;
        many(HmacContext::get(hmac)?, &messages(data, count)?, tag_len, out)?;
    }
}

entry! {
    /// Writes the tag of one message.
    fn hashmill_hmac(
        code: c_int,
        key: *const c_void,
        key_len: usize,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        let (key, data) = (bytes(key, key_len)?, bytes(data, len)?);
        let out = bytes_mut(out, out_len)?;
        algorithm(code)?.with_hmac(One { key, data, out })??;
    }
}

/// Returns how many bytes of a context HMAC with that algorithm uses, or 0 if there is no such
/// HMAC.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_hmac_size(code: c_int) -> usize {
    struct Size;
    impl HmacVisitor for Size {
        type Output = usize;
        fn visit<F: Fixed>(self) -> usize {
            size_of::<Hmac<Hash<F>>>()
        }
    }
    let len = algorithm(code).and_then(|algorithm| Ok(algorithm.with_hmac(Size)?));
    len.map_or(0, |len| HEAD + len)
}

/// Overwrites the key and the state, if there are any.
///
/// # Safety
/// `hmac` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hmac_wipe(hmac: *mut HmacContext) {
    // SAFETY: the caller promises this.
    unsafe { HmacContext::wipe(hmac) }
}
