//! One-call functions that take more arguments than a message: BLAKE2 and BLAKE3 with a key, BLAKE2X,
//! KangarooTwelve, SP 800-185, HKDF and PBKDF2.

use crate::algorithm::algorithm;
use crate::memory::{Bytes, HkdfContext, Message, Out, array, messages, utf8};
use crate::status::Failure;
use core::ffi::c_int;
use hashmill::{
    AsconCXof128, Blake3, CShake128, CShake256, Customization, Error, FunctionName, Hashing, Hkdf,
    Key, Kmac128, Kmac256, Kt128, Kt256, ParallelHash128, ParallelHash256, Salt, TupleHash128,
    TupleHash256, blake2b, blake2bp, blake2s, blake2sp, pbkdf2, pbkdf2_many,
};

/// Writes the output for what the hasher has absorbed; that of KMAC, TupleHash and ParallelHash
/// depends on its length. The message is no argument, because the output may overlap it.
///
/// # Safety
/// As [`Out::bytes`].
pub(crate) unsafe fn finish(hasher: &dyn Hashing, out: Out) -> Result<(), Failure> {
    // SAFETY: the caller promises this.
    Ok(hasher.hash_into(b"", unsafe { out.bytes()? })?)
}

/// Writes the beginning of an output that does not depend on its length.
///
/// # Safety
/// As [`Out::bytes`].
unsafe fn squeeze(hasher: &dyn Hashing, out: Out) -> Result<(), Failure> {
    // SAFETY: the caller promises this.
    Ok(hasher.squeeze()?.try_fill(unsafe { out.bytes()? })?)
}

fn with_elements<'a>(
    hasher: &'a mut dyn Hashing,
    elements: &[Message],
) -> Result<&'a dyn Hashing, Error> {
    elements.iter().try_for_each(|element| hasher.element(element.as_ref()))?;
    Ok(hasher)
}

entry! {
    /// Writes an output of BLAKE2Xb of known length. A key of no bytes means no key.
    keyed fn hashmill_blake2xb(data: &[u8], key: &[u8], out: Out) {
        let mut hasher = blake2b::Params::new().key(key).build_xof(Some(out.len as u64))?;
        finish(hasher.update(data), out)?;
    }

    /// Writes an output of BLAKE2Xs of known length. A key of no bytes means no key.
    keyed fn hashmill_blake2xs(data: &[u8], key: &[u8], out: Out) {
        let mut hasher = blake2s::Params::new().key(key).build_xof(Some(out.len as u64))?;
        finish(hasher.update(data), out)?;
    }

    /// Writes a digest of `out_len` bytes. A key of no bytes means no key.
    keyed fn hashmill_blake2b_keyed(key: &[u8], data: &[u8], out: Out) {
        let mut hasher = blake2b::Params::new().output_len(out.len).key(key).build()?;
        finish(hasher.update(data), out)?;
    }

    /// Writes a digest of `out_len` bytes. A key of no bytes means no key.
    keyed fn hashmill_blake2s_keyed(key: &[u8], data: &[u8], out: Out) {
        let mut hasher = blake2s::Params::new().output_len(out.len).key(key).build()?;
        finish(hasher.update(data), out)?;
    }

    /// Writes a digest of `out_len` bytes. A key of no bytes means no key.
    keyed fn hashmill_blake2bp_keyed(key: &[u8], data: &[u8], out: Out) {
        let mut hasher = blake2bp::Params::new().output_len(out.len).key(key).build()?;
        finish(hasher.update(data), out)?;
    }

    /// Writes a digest of `out_len` bytes. A key of no bytes means no key.
    keyed fn hashmill_blake2sp_keyed(key: &[u8], data: &[u8], out: Out) {
        let mut hasher = blake2sp::Params::new().output_len(out.len).key(key).build()?;
        finish(hasher.update(data), out)?;
    }

    /// Writes BLAKE3's output with a key.
    keyed fn hashmill_blake3_keyed(key: *const u8, data: &[u8], out: Out) {
        finish(Blake3::keyed(&array(key.cast(), 1)?[0]).update(data), out)?;
    }

    /// Writes a key that BLAKE3 derives from key material.
    keyed fn hashmill_blake3_derive_key(context: &[u8], data: &[u8], out: Out) {
        finish(Blake3::derive_key(utf8(context)?).update(data), out)?;
    }

    /// Writes the output of KT128 for a message and a customization string.
    fn hashmill_kt128(data: &[u8], custom: &[u8], out: Out) {
        Kt128::new().update(data).squeeze_custom(custom).fill(out.bytes()?);
    }

    /// Writes the output of KT256 for a message and a customization string.
    fn hashmill_kt256(data: &[u8], custom: &[u8], out: Out) {
        Kt256::new().update(data).squeeze_custom(custom).fill(out.bytes()?);
    }

    /// Writes the output of Ascon-CXOF128 for a message and a customization string.
    fn hashmill_ascon_cxof128(data: &[u8], custom: &[u8], out: Out) {
        finish(AsconCXof128::new(Customization(custom))?.update(data), out)?;
    }

    /// Writes the output of cSHAKE128 for a function name, a customization string and a message.
    fn hashmill_cshake128(name: &[u8], custom: &[u8], data: &[u8], out: Out) {
        finish(CShake128::new(FunctionName(name), Customization(custom)).update(data), out)?;
    }

    /// Writes the output of cSHAKE256 for a function name, a customization string and a message.
    fn hashmill_cshake256(name: &[u8], custom: &[u8], data: &[u8], out: Out) {
        finish(CShake256::new(FunctionName(name), Customization(custom)).update(data), out)?;
    }

    /// Writes the output of KMAC128 for a key, a customization string and a message.
    keyed fn hashmill_kmac128(key: &[u8], custom: &[u8], data: &[u8], out: Out) {
        finish(Kmac128::new(key, Customization(custom)).update(data), out)?;
    }

    /// Writes the output of KMAC256 for a key, a customization string and a message.
    keyed fn hashmill_kmac256(key: &[u8], custom: &[u8], data: &[u8], out: Out) {
        finish(Kmac256::new(key, Customization(custom)).update(data), out)?;
    }

    /// Writes the output of KMACXOF128 for a key, a customization string and a message.
    keyed fn hashmill_kmacxof128(key: &[u8], custom: &[u8], data: &[u8], out: Out) {
        squeeze(Kmac128::new(key, Customization(custom)).update(data), out)?;
    }

    /// Writes the output of KMACXOF256 for a key, a customization string and a message.
    keyed fn hashmill_kmacxof256(key: &[u8], custom: &[u8], data: &[u8], out: Out) {
        squeeze(Kmac256::new(key, Customization(custom)).update(data), out)?;
    }

    /// Writes the output of TupleHash128 for a customization string and a tuple.
    fn hashmill_tuple_hash128(custom: &[u8], elements: &[Message], out: Out) {
        finish(with_elements(&mut TupleHash128::new(custom), elements)?, out)?;
    }

    /// Writes the output of TupleHash256 for a customization string and a tuple.
    fn hashmill_tuple_hash256(custom: &[u8], elements: &[Message], out: Out) {
        finish(with_elements(&mut TupleHash256::new(custom), elements)?, out)?;
    }

    /// Writes the output of TupleHashXOF128 for a customization string and a tuple.
    fn hashmill_tuple_hashxof128(custom: &[u8], elements: &[Message], out: Out) {
        squeeze(with_elements(&mut TupleHash128::new(custom), elements)?, out)?;
    }

    /// Writes the output of TupleHashXOF256 for a customization string and a tuple.
    fn hashmill_tuple_hashxof256(custom: &[u8], elements: &[Message], out: Out) {
        squeeze(with_elements(&mut TupleHash256::new(custom), elements)?, out)?;
    }

    /// Writes the output of ParallelHash128 for blocks of `block_len` bytes, a customization
    /// string and a message.
    fn hashmill_parallel_hash128(block_len: usize, custom: &[u8], data: &[u8], out: Out) {
        finish(ParallelHash128::new(block_len, custom)?.update(data), out)?;
    }

    /// Writes the output of ParallelHash256 for blocks of `block_len` bytes, a customization
    /// string and a message.
    fn hashmill_parallel_hash256(block_len: usize, custom: &[u8], data: &[u8], out: Out) {
        finish(ParallelHash256::new(block_len, custom)?.update(data), out)?;
    }

    /// Writes the output of ParallelHashXOF128 for blocks of `block_len` bytes, a customization
    /// string and a message.
    fn hashmill_parallel_hashxof128(block_len: usize, custom: &[u8], data: &[u8], out: Out) {
        squeeze(ParallelHash128::new(block_len, custom)?.update(data), out)?;
    }

    /// Writes the output of ParallelHashXOF256 for blocks of `block_len` bytes, a customization
    /// string and a message.
    fn hashmill_parallel_hashxof256(block_len: usize, custom: &[u8], data: &[u8], out: Out) {
        squeeze(ParallelHash256::new(block_len, custom)?.update(data), out)?;
    }

    /// HKDF (RFC 5869): extracts a key from `secret` and expands it.
    keyed fn hashmill_hkdf(code: c_int, salt: &[u8], secret: &[u8], info: &[u8], out: Out) {
        let out = out.bytes()?;
        with_hmac!(algorithm(code)?, H => {
            Hkdf::<H>::new(Salt(salt), secret).expand(info, out).map_err(Failure::from)
        })?;
    }

    /// PBKDF2 (RFC 8018 §5.2) with HMAC.
    fn hashmill_pbkdf2(code: c_int, password: &[u8], salt: &[u8], iterations: u32, out: Out) {
        let out = out.bytes()?;
        with_hmac!(algorithm(code)?, H => {
            pbkdf2::<H>(password, Salt(salt), iterations, out).map_err(Failure::from)
        })?;
    }

    /// PBKDF2 (RFC 8018 §5.2) with HMAC for many passwords, each with its own salt.
    fn hashmill_pbkdf2_many(
        code: c_int,
        passwords: *const Bytes,
        salts: &[Message],
        iterations: u32,
        out: Out,
    ) {
        let passwords = messages(passwords, salts.len())?;
        let (len, out) = (out.len, out.rows(salts.len())?);
        with_hmac!(algorithm(code)?, H => {
            pbkdf2_many::<H>(passwords, Salt(salts), iterations, len, out).map_err(Failure::from)
        })?;
    }

    /// HKDF's extraction (RFC 5869 §2.2).
    keyed fn hashmill_hkdf_extract(code: c_int, salt: &[u8], secret: &[u8], prk: Out) {
        // RFC 5869 §2.2: the pseudorandom key is the HMAC of the secret under the salt.
        prk.write(&algorithm(code)?.mac(Key(salt), secret)?)?;
    }

    /// Extracts the pseudorandom key (RFC 5869 §2.2) from which all keys are then expanded.
    keyed fn hashmill_hkdf_init(hkdf: *mut HkdfContext, code: c_int, salt: &[u8], secret: &[u8]) {
        with_hmac!(algorithm(code)?, H => {
            HkdfContext::set(hkdf, Hkdf::<H>::new(Salt(salt), secret))
        })?;
    }

    /// Takes a pseudorandom key that was extracted elsewhere.
    keyed fn hashmill_hkdf_init_prk(hkdf: *mut HkdfContext, code: c_int, prk: &[u8]) {
        with_hmac!(algorithm(code)?, H => HkdfContext::set(hkdf, Hkdf::<H>::from_prk(prk)?))?;
    }

    /// HKDF's expansion (RFC 5869 §2.3).
    fn hashmill_hkdf_expand(hkdf: *const HkdfContext, info: &[u8], out: Out) {
        HkdfContext::get(hkdf)?.expand(info, out.bytes()?)?;
    }

    /// Expands one key for each of many `info`s, in SIMD lanes.
    fn hashmill_hkdf_expand_many(hkdf: *const HkdfContext, infos: &[Message], out: Out) {
        HkdfContext::get(hkdf)?.expand_many(&infos, out.rows(infos.len())?)?;
    }
}
