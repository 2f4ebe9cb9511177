//! One-call functions that take more arguments than a message: BLAKE2X, BLAKE3 with a key,
//! KangarooTwelve, SP 800-185, HKDF and PBKDF2.

use crate::algorithm::algorithm;
use crate::hash::rows;
use crate::memory::{Bytes, HkdfContext, array, bytes, bytes_mut, messages, utf8};
use crate::status::{Failure, wrong_len};
use core::ffi::{c_int, c_void};
use hashmill::many::Messages;
use hashmill::{
    AsconCXof128, Blake3, CShake128, CShake256, Customization, FunctionName, Hkdf, Kmac128,
    Kmac256, Kt128, Kt256, ParallelHash128, ParallelHash256, Salt, TupleHash128, TupleHash256,
    blake2b, blake2s,
};

/// Evaluates `$body`, in which `$H` is the hasher type of `$algorithm`, a function that HMAC is
/// defined for. This is a macro because `$body` uses the arguments of the function around it.
macro_rules! with {
    (hmac $algorithm:expr, $H:ident => $body:expr) => {
        hashmill::functions!(with @$algorithm, $H => $body,)
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     fixed { $($Type:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)?;)* }
     no_hmac $bare:tt
     xof $xof:tt) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            _ => Err(Failure::from(hashmill::Error::NoHmac)),
        }
    };
}

macro_rules! blake2x {
    ($($name:ident = $module:ident;)*) => { $(
        entry! {
            /// Writes an output of known length. A key of no bytes means no key.
            keyed fn $name(
                data: *const c_void,
                len: usize,
                key: *const c_void,
                key_len: usize,
                out: *mut c_void,
                out_len: usize,
            ) {
                let params = $module::Params::new().key(bytes(key, key_len)?);
                let mut xof = params.build_xof(Some(out_len as u64))?;
                let mut output = xof.update(bytes(data, len)?).squeeze();
                output.try_fill(bytes_mut(out, out_len)?)?;
            }
        }
    )* };
}

blake2x! {
    hashmill_blake2xb = blake2b;
    hashmill_blake2xs = blake2s;
}

entry! {
    /// Writes BLAKE3's output with a key.
    keyed fn hashmill_blake3_keyed(
        key: *const u8,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        let mut hasher = Blake3::keyed(&array(key.cast(), 1)?[0]);
        hasher.update(bytes(data, len)?).squeeze().fill(bytes_mut(out, out_len)?);
    }
}

entry! {
    /// Writes a key that BLAKE3 derives from key material.
    keyed fn hashmill_blake3_derive_key(
        context: *const c_void,
        context_len: usize,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        let mut hasher = Blake3::derive_key(utf8(context, context_len)?);
        hasher.update(bytes(data, len)?).squeeze().fill(bytes_mut(out, out_len)?);
    }
}

macro_rules! customized {
    ($($name:ident = |$data:ident, $custom:ident| $output:expr;)*) => { $(
        entry! {
            /// Writes the first `out_len` bytes of the output for a message and a customization
            /// string.
            fn $name(
                data: *const c_void,
                len: usize,
                custom: *const c_void,
                custom_len: usize,
                out: *mut c_void,
                out_len: usize,
            ) {
                let ($data, $custom) = (bytes(data, len)?, bytes(custom, custom_len)?);
                $output.fill(bytes_mut(out, out_len)?);
            }
        }
    )* };
}

customized! {
    hashmill_kt128 = |data, custom| Kt128::new().update(data).squeeze_custom(custom);
    hashmill_kt256 = |data, custom| Kt256::new().update(data).squeeze_custom(custom);
    hashmill_ascon_cxof128 = |data, custom| AsconCXof128::new(Customization(custom))?.update(data).squeeze();
}

macro_rules! with_two {
    ($($(@$keyed:ident)? $name:ident = $Type:ident of $first:path, $hasher:ident, $out:ident => $finish:expr;)*) => { $(
        entry! {
            #[doc = concat!("[`hashmill::", stringify!($Type), "`]: its two parameters, and the message.")]
            $($keyed)? fn $name(
                first: *const c_void,
                first_len: usize,
                second: *const c_void,
                second_len: usize,
                data: *const c_void,
                len: usize,
                out: *mut c_void,
                out_len: usize,
            ) {
                let (first, second) = (bytes(first, first_len)?, bytes(second, second_len)?);
                let mut $hasher = $Type::new($first(first), Customization(second));
                $hasher.update(bytes(data, len)?);
                let $out = bytes_mut(out, out_len)?;
                $finish;
            }
        }
    )* };
}

with_two! {
    hashmill_cshake128 = CShake128 of FunctionName, hasher, out => hasher.squeeze().fill(out);
    hashmill_cshake256 = CShake256 of FunctionName, hasher, out => hasher.squeeze().fill(out);
    @keyed hashmill_kmac128 = Kmac128 of core::convert::identity, hasher, out => hasher.finalize_into(out);
    @keyed hashmill_kmac256 = Kmac256 of core::convert::identity, hasher, out => hasher.finalize_into(out);
    @keyed hashmill_kmacxof128 = Kmac128 of core::convert::identity, hasher, out => hasher.squeeze().fill(out);
    @keyed hashmill_kmacxof256 = Kmac256 of core::convert::identity, hasher, out => hasher.squeeze().fill(out);
}

macro_rules! tuple_hash {
    ($($name:ident = $Type:ident, $hasher:ident, $out:ident => $finish:expr;)*) => { $(
        entry! {
            /// Writes the output for a tuple of elements and a customization string.
            fn $name(
                custom: *const c_void,
                custom_len: usize,
                elements: *const Bytes,
                count: usize,
                out: *mut c_void,
                out_len: usize,
            ) {
                let mut $hasher = $Type::new(bytes(custom, custom_len)?);
                let elements = messages(elements, count)?;
                (0..count).for_each(|index| _ = $hasher.element(elements.message(index)));
                let $out = bytes_mut(out, out_len)?;
                $finish;
            }
        }
    )* };
}

tuple_hash! {
    hashmill_tuple_hash128 = TupleHash128, hasher, out => hasher.finalize_into(out);
    hashmill_tuple_hash256 = TupleHash256, hasher, out => hasher.finalize_into(out);
    hashmill_tuple_hashxof128 = TupleHash128, hasher, out => hasher.squeeze().fill(out);
    hashmill_tuple_hashxof256 = TupleHash256, hasher, out => hasher.squeeze().fill(out);
}

macro_rules! parallel_hash {
    ($($name:ident = $Type:ident, $hasher:ident, $out:ident => $finish:expr;)*) => { $(
        entry! {
            /// Writes the output for blocks of `block_len` bytes and a customization string.
            fn $name(
                block_len: usize,
                custom: *const c_void,
                custom_len: usize,
                data: *const c_void,
                len: usize,
                out: *mut c_void,
                out_len: usize,
            ) {
                let mut $hasher = $Type::new(block_len, bytes(custom, custom_len)?)?;
                $hasher.update(bytes(data, len)?);
                let $out = bytes_mut(out, out_len)?;
                $finish;
            }
        }
    )* };
}

parallel_hash! {
    hashmill_parallel_hash128 = ParallelHash128, hasher, out => hasher.finalize_into(out);
    hashmill_parallel_hash256 = ParallelHash256, hasher, out => hasher.finalize_into(out);
    hashmill_parallel_hashxof128 = ParallelHash128, hasher, out => hasher.squeeze().fill(out);
    hashmill_parallel_hashxof256 = ParallelHash256, hasher, out => hasher.squeeze().fill(out);
}

entry! {
    /// HKDF (RFC 5869): extracts a key from `secret` and expands it.
    keyed fn hashmill_hkdf(
        code: c_int,
        salt: *const c_void,
        salt_len: usize,
        secret: *const c_void,
        secret_len: usize,
        info: *const c_void,
        info_len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        let (salt, secret) = (bytes(salt, salt_len)?, bytes(secret, secret_len)?);
        let (info, out) = (bytes(info, info_len)?, bytes_mut(out, out_len)?);
        with!(hmac algorithm(code)?, H => Ok::<_, Failure>(Hkdf::<H>::new(Salt(salt), secret).expand(info, out)?))?;
    }
}

entry! {
    /// PBKDF2 (RFC 8018 §5.2) with HMAC.
    fn hashmill_pbkdf2(
        code: c_int,
        password: *const c_void,
        password_len: usize,
        salt: *const c_void,
        salt_len: usize,
        iterations: u32,
        out: *mut c_void,
        out_len: usize,
    ) {
        let (password, salt) = (bytes(password, password_len)?, bytes(salt, salt_len)?);
        let out = bytes_mut(out, out_len)?;
        with!(hmac algorithm(code)?, H => Ok::<_, Failure>(hashmill::pbkdf2::<H>(password, Salt(salt), iterations, out)?))?;
    }
}

entry! {
    /// PBKDF2 (RFC 8018 §5.2) with HMAC for many passwords, each with its own salt.
    fn hashmill_pbkdf2_many(
        code: c_int,
        passwords: *const Bytes,
        salts: *const Bytes,
        count: usize,
        iterations: u32,
        out: *mut c_void,
        output_len: usize,
    ) {
        let (passwords, salts) = (messages(passwords, count)?, messages(salts, count)?);
        let out = rows(out, count, output_len)?;
        with!(hmac algorithm(code)?, H => {
            let derived = hashmill::pbkdf2_many::<H>(passwords, Salt(salts), iterations, output_len, out);
            derived.map_err(Failure::from)
        })?;
    }
}

entry! {
    /// HKDF's extraction (RFC 5869 §2.2).
    keyed fn hashmill_hkdf_extract(
        code: c_int,
        salt: *const c_void,
        salt_len: usize,
        secret: *const c_void,
        secret_len: usize,
        prk: *mut c_void,
        prk_len: usize,
    ) {
        let (salt, secret) = (bytes(salt, salt_len)?, bytes(secret, secret_len)?);
        with!(hmac algorithm(code)?, H => {
            let extracted = Hkdf::<H>::extract(Salt(salt), secret);
            if prk_len != extracted.len() {
                return Err(wrong_len(prk_len, extracted.len()));
            }
            bytes_mut(prk, prk_len)?.copy_from_slice(&extracted[..]);
            Ok::<_, Failure>(())
        })?;
    }
}

entry! {
    /// Extracts the pseudorandom key (RFC 5869 §2.2) from which all keys are then expanded.
    keyed fn hashmill_hkdf_init(
        hkdf: *mut HkdfContext,
        code: c_int,
        salt: *const c_void,
        salt_len: usize,
        secret: *const c_void,
        secret_len: usize,
    ) {
        let (salt, secret) = (bytes(salt, salt_len)?, bytes(secret, secret_len)?);
        with!(hmac algorithm(code)?, H => HkdfContext::set(hkdf, Hkdf::<H>::new(Salt(salt), secret)))?;
    }
}

entry! {
    /// Takes a pseudorandom key that was extracted elsewhere.
    keyed fn hashmill_hkdf_init_prk(hkdf: *mut HkdfContext, code: c_int, prk: *const c_void, prk_len: usize) {
        let prk = bytes(prk, prk_len)?;
        with!(hmac algorithm(code)?, H => HkdfContext::set(hkdf, Hkdf::<H>::from_prk(prk)?))?;
    }
}

entry! {
    /// HKDF's expansion (RFC 5869 §2.3).
    fn hashmill_hkdf_expand(
        hkdf: *const HkdfContext,
        info: *const c_void,
        info_len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        HkdfContext::get(hkdf)?.expand(bytes(info, info_len)?, bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Expands one key for each of many `info`s, in SIMD lanes.
    fn hashmill_hkdf_expand_many(
        hkdf: *const HkdfContext,
        infos: *const Bytes,
        count: usize,
        out: *mut c_void,
        output_len: usize,
    ) {
        let hkdf = HkdfContext::get(hkdf)?;
        hkdf.expand_many(&messages(infos, count)?, rows(out, count, output_len)?)?;
    }
}

/// Overwrites the key, if there is one.
///
/// # Safety
/// `hkdf` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hkdf_wipe(hkdf: *mut HkdfContext) {
    // SAFETY: the caller promises this.
    unsafe { HkdfContext::wipe(hkdf) }
}
