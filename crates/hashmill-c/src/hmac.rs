//! HMAC.

use crate::algorithm::algorithm;
use crate::hash::rows;
use crate::in_place::InPlaceHmac;
use crate::memory::{Bytes, HmacContext, bytes, bytes_mut, messages};
use crate::status::{Failure, wrong_len};
use core::ffi::{c_int, c_void};
use hashmill::Error;

entry! {
    /// HMAC with a key that has been absorbed.
    fn hashmill_hmac_init(hmac: *mut HmacContext, code: c_int, key: *const c_void, key_len: usize) {
        HmacContext::set(hmac, InPlaceHmac::new(algorithm(code)?, bytes(key, key_len)?)?)?;
    }
}

entry! {
    /// Absorbs the next part of the message.
    fn hashmill_hmac_update(hmac: *mut HmacContext, data: *const c_void, len: usize) {
        HmacContext::get_mut(hmac)?.update(bytes(data, len)?);
    }
}

entry! {
    /// The tag of all that was absorbed; the context stays as it is.
    fn hashmill_hmac_finalize(hmac: *const HmacContext, out: *mut c_void, out_len: usize) {
        let tag = HmacContext::get(hmac)?.finalize();
        copy(&tag, out, out_len)?;
    }
}

entry! {
    /// Whether it is the tag of all that was absorbed, in constant time.
    fn hashmill_hmac_verify(hmac: *const HmacContext, tag: *const c_void, tag_len: usize) {
        HmacContext::get(hmac)?.verify(bytes(tag, tag_len)?)?;
    }
}

entry! {
    /// Whether two tags are the same, in constant time.
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
    /// What `hashmill_hmac_finalize` would give after every one of many messages.
    fn hashmill_hmac_finish_many(
        hmac: *const HmacContext,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        tag_len: usize,
    ) {
        let hmac = HmacContext::get(hmac)?;
        if tag_len != hmac.output_len() {
            return Err(wrong_len(tag_len, hmac.output_len()));
        }
        hmac.finish_many(&messages(data, count)?, rows(out, count, tag_len)?)?;
    }
}

entry! {
    /// The tag of a message.
    fn hashmill_hmac(
        code: c_int,
        key: *const c_void,
        key_len: usize,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        let hmac = InPlaceHmac::new(algorithm(code)?, bytes(key, key_len)?)?;
        let tag = hmac.finish(bytes(data, len)?);
        copy(&tag, out, out_len)?;
    }
}

/// Overwrites the key and the state, if there are any.
///
/// # Safety
/// `hmac` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hmac_wipe(hmac: *mut HmacContext) {
    // SAFETY: as promised.
    unsafe { HmacContext::wipe(hmac) }
}

/// # Safety
/// `out` is NULL or valid for `out_len` bytes.
unsafe fn copy(tag: &[u8], out: *mut c_void, out_len: usize) -> Result<(), Failure> {
    if out_len != tag.len() {
        return Err(wrong_len(out_len, tag.len()));
    }
    // SAFETY: as promised.
    unsafe { bytes_mut(out, out_len) }?.copy_from_slice(tag);
    Ok(())
}
