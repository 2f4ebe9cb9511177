//! The functions of the C interface for HMAC.

use crate::algorithm::algorithm;
use crate::hash::many;
use crate::hasher::update_together;
use crate::memory::{HEAD, HmacContext, array};
use core::ffi::c_int;
use hashmill::{Error, Hmac, Key};

entry! {
    /// Prepares a key: makes an HMAC that has absorbed the key and nothing else.
    keyed fn hashmill_hmac_init(hmac: *mut HmacContext, code: c_int, key: &[u8]) {
        with_hmac!(algorithm(code)?, H => HmacContext::set(hmac, Hmac::<H>::new(key)))?;
    }

    /// Absorbs the next part of the message.
    fn hashmill_hmac_update(hmac: *mut HmacContext, data: &[u8]) {
        HmacContext::get_mut(hmac)?.try_update(data)?;
    }

    /// Absorbs into each HMAC the next part of its own message. HMACs of one hash function run side
    /// by side in SIMD lanes.
    fn hashmill_hmac_update_many(hmacs: *const *mut HmacContext, pieces: &[Message]) {
        update_together(array(hmacs, pieces.len())?, pieces)?;
    }

    /// Writes the tag of everything absorbed so far. The context does not change.
    fn hashmill_hmac_finalize(hmac: *const HmacContext, out: Out) {
        HmacContext::get(hmac)?.hash_into(b"", out.bytes()?)?;
    }

    /// Writes the tag after one more piece of the message. The context does not change, so that a
    /// key is prepared once for many messages.
    fn hashmill_hmac_finish(hmac: *const HmacContext, data: &[u8], out: Out) {
        HmacContext::get(hmac)?.hash_into(data, out.bytes()?)?;
    }

    /// Compares `tag` with the tag of everything absorbed so far, in constant time.
    fn hashmill_hmac_verify(hmac: *const HmacContext, tag: &[u8]) {
        HmacContext::get(hmac)?.verify(tag)?;
    }

    /// Compares two tags in constant time.
    fn hashmill_tag_verify(tag: &[u8], expected: &[u8]) {
        if !hashmill::constant_time_eq(tag, expected) {
            return Err(Error::TagMismatch.into());
        }
    }

    /// Writes, for each of many messages, the tag that `hashmill_hmac_finish` would write.
    fn hashmill_hmac_finish_many(hmac: *const HmacContext, data: &[Message], out: Out) {
        many(HmacContext::get(hmac)?, &data, out.len, out.rows(data.len())?)?;
    }

    /// Writes the tag of one message.
    fn hashmill_hmac(code: c_int, key: &[u8], data: &[u8], out: Out) {
        out.write(&algorithm(code)?.mac(Key(key), data)?)?;
    }
}

/// Returns how many bytes of a context HMAC with that algorithm uses, or 0 if there is no such
/// HMAC.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_hmac_size(code: c_int) -> usize {
    let len =
        algorithm(code).and_then(|algorithm| with_hmac!(algorithm, H => Ok(size_of::<Hmac<H>>())));
    len.map_or(0, |len| HEAD + len)
}
