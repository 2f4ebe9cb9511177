//! One-call functions that take more arguments than a message: BLAKE2 and BLAKE3 with a key, BLAKE2X,
//! KangarooTwelve, SP 800-185, HKDF and PBKDF2.

use crate::algorithm::algorithm;
use crate::memory::{Bytes, HkdfContext, array, messages, utf8};
use crate::status::Failure;
use core::ffi::c_int;
use hashmill::{
    AsconCXof128, Blake3, CShake128, CShake256, Customization, FunctionName, Hashing, Hkdf, Key,
    Kmac128, Kmac256, Kt128, Kt256, ParallelHash128, ParallelHash256, Salt, TupleHash128,
    TupleHash256, blake2b, blake2bp, blake2s, blake2sp,
};

/// Evaluates `$body`, in which `$H` is the hasher type of `$algorithm`, a function that HMAC is
/// defined for. This is a macro because `$body` uses the arguments of the function around it.
macro_rules! with {
    (hmac $algorithm:expr, $H:ident => $body:expr) => {
        hashmill::functions!(with @$algorithm, $H => $body,)
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     fixed { $($Type:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)* }
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
            keyed fn $name(data: &[u8], key: &[u8], out: Out) {
                let mut xof = $module::Params::new().key(key).build_xof(Some(out.len as u64))?;
                xof.update(data).squeeze().try_fill(out.bytes()?)?;
            }
        }
    )* };
}

blake2x! {
    hashmill_blake2xb = blake2b;
    hashmill_blake2xs = blake2s;
}

macro_rules! blake2 {
    ($($name:ident = $module:ident;)*) => { $(
        entry! {
            /// Writes a digest of `out_len` bytes. A key of no bytes means no key.
            keyed fn $name(key: &[u8], data: &[u8], out: Out) {
                let mut hasher = $module::Params::new().output_len(out.len).key(key).build()?;
                Hashing::try_update(&mut hasher, data)?;
                Hashing::hash_into(&hasher, b"", out.bytes()?)?;
            }
        }
    )* };
}

blake2! {
    hashmill_blake2b_keyed = blake2b;
    hashmill_blake2s_keyed = blake2s;
    hashmill_blake2bp_keyed = blake2bp;
    hashmill_blake2sp_keyed = blake2sp;
}

entry! {
    /// Writes BLAKE3's output with a key.
    keyed fn hashmill_blake3_keyed(key: *const u8, data: &[u8], out: Out) {
        let mut hasher = Blake3::keyed(&array(key.cast(), 1)?[0]);
        hasher.update(data).squeeze().fill(out.bytes()?);
    }
}

entry! {
    /// Writes a key that BLAKE3 derives from key material.
    keyed fn hashmill_blake3_derive_key(context: &[u8], data: &[u8], out: Out) {
        let mut hasher = Blake3::derive_key(utf8(context)?);
        hasher.update(data).squeeze().fill(out.bytes()?);
    }
}

macro_rules! customized {
    ($($name:ident = |$data:ident, $custom:ident| $output:expr;)*) => { $(
        entry! {
            /// Writes the first `out_len` bytes of the output for a message and a customization
            /// string.
            fn $name($data: &[u8], $custom: &[u8], out: Out) {
                $output.fill(out.bytes()?);
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
            $($keyed)? fn $name(first: &[u8], second: &[u8], data: &[u8], out: Out) {
                let mut $hasher = $Type::new($first(first), Customization(second));
                $hasher.update(data);
                let $out = out.bytes()?;
                $finish;
            }
        }
    )* };
}

with_two! {
    hashmill_cshake128 = CShake128 of FunctionName, hasher, out => hasher.squeeze().fill(out);
    hashmill_cshake256 = CShake256 of FunctionName, hasher, out => hasher.squeeze().fill(out);
    @keyed hashmill_kmac128 = Kmac128 of core::convert::identity, hasher, out => hasher.finalize_into(out)?;
    @keyed hashmill_kmac256 = Kmac256 of core::convert::identity, hasher, out => hasher.finalize_into(out)?;
    @keyed hashmill_kmacxof128 = Kmac128 of core::convert::identity, hasher, out => hasher.squeeze().fill(out);
    @keyed hashmill_kmacxof256 = Kmac256 of core::convert::identity, hasher, out => hasher.squeeze().fill(out);
}

macro_rules! tuple_hash {
    ($($name:ident = $Type:ident, $hasher:ident, $out:ident => $finish:expr;)*) => { $(
        entry! {
            /// Writes the output for a tuple of elements and a customization string.
            fn $name(custom: &[u8], elements: &[Message], out: Out) {
                let mut $hasher = $Type::new(custom);
                elements.iter().for_each(|element| _ = $hasher.element(element.as_ref()));
                let $out = out.bytes()?;
                $finish;
            }
        }
    )* };
}

tuple_hash! {
    hashmill_tuple_hash128 = TupleHash128, hasher, out => hasher.finalize_into(out)?;
    hashmill_tuple_hash256 = TupleHash256, hasher, out => hasher.finalize_into(out)?;
    hashmill_tuple_hashxof128 = TupleHash128, hasher, out => hasher.squeeze().fill(out);
    hashmill_tuple_hashxof256 = TupleHash256, hasher, out => hasher.squeeze().fill(out);
}

macro_rules! parallel_hash {
    ($($name:ident = $Type:ident, $hasher:ident, $out:ident => $finish:expr;)*) => { $(
        entry! {
            /// Writes the output for blocks of `block_len` bytes and a customization string.
            fn $name(block_len: usize, custom: &[u8], data: &[u8], out: Out) {
                let mut $hasher = $Type::new(block_len, custom)?;
                $hasher.update(data);
                let $out = out.bytes()?;
                $finish;
            }
        }
    )* };
}

parallel_hash! {
    hashmill_parallel_hash128 = ParallelHash128, hasher, out => hasher.finalize_into(out)?;
    hashmill_parallel_hash256 = ParallelHash256, hasher, out => hasher.finalize_into(out)?;
    hashmill_parallel_hashxof128 = ParallelHash128, hasher, out => hasher.squeeze().fill(out);
    hashmill_parallel_hashxof256 = ParallelHash256, hasher, out => hasher.squeeze().fill(out);
}

entry! {
    /// HKDF (RFC 5869): extracts a key from `secret` and expands it.
    keyed fn hashmill_hkdf(code: c_int, salt: &[u8], secret: &[u8], info: &[u8], out: Out) {
        let out = out.bytes()?;
        with!(hmac algorithm(code)?, H => Ok::<_, Failure>(Hkdf::<H>::new(Salt(salt), secret).expand(info, out)?))?;
    }
}

entry! {
    /// PBKDF2 (RFC 8018 §5.2) with HMAC.
    fn hashmill_pbkdf2(code: c_int, password: &[u8], salt: &[u8], iterations: u32, out: Out) {
        let out = out.bytes()?;
        with!(hmac algorithm(code)?, H => Ok::<_, Failure>(hashmill::pbkdf2::<H>(password, Salt(salt), iterations, out)?))?;
    }
}

entry! {
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
        with!(hmac algorithm(code)?, H => {
            let derived = hashmill::pbkdf2_many::<H>(passwords, Salt(salts), iterations, len, out);
            derived.map_err(Failure::from)
        })?;
    }
}

entry! {
    /// HKDF's extraction (RFC 5869 §2.2).
    keyed fn hashmill_hkdf_extract(code: c_int, salt: &[u8], secret: &[u8], prk: Out) {
        // RFC 5869 §2.2: the pseudorandom key is the HMAC of the secret under the salt.
        prk.write(&algorithm(code)?.mac(Key(salt), secret)?)?;
    }
}

entry! {
    /// Extracts the pseudorandom key (RFC 5869 §2.2) from which all keys are then expanded.
    keyed fn hashmill_hkdf_init(hkdf: *mut HkdfContext, code: c_int, salt: &[u8], secret: &[u8]) {
        with!(hmac algorithm(code)?, H => HkdfContext::set(hkdf, Hkdf::<H>::new(Salt(salt), secret)))?;
    }
}

entry! {
    /// Takes a pseudorandom key that was extracted elsewhere.
    keyed fn hashmill_hkdf_init_prk(hkdf: *mut HkdfContext, code: c_int, prk: &[u8]) {
        with!(hmac algorithm(code)?, H => HkdfContext::set(hkdf, Hkdf::<H>::from_prk(prk)?))?;
    }
}

entry! {
    /// HKDF's expansion (RFC 5869 §2.3).
    fn hashmill_hkdf_expand(hkdf: *const HkdfContext, info: &[u8], out: Out) {
        HkdfContext::get(hkdf)?.expand(info, out.bytes()?)?;
    }
}

entry! {
    /// Expands one key for each of many `info`s, in SIMD lanes.
    fn hashmill_hkdf_expand_many(hkdf: *const HkdfContext, infos: &[Message], out: Out) {
        HkdfContext::get(hkdf)?.expand_many(&infos, out.rows(infos.len())?)?;
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
