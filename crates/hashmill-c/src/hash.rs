//! One-call functions that hash one message or many.

use crate::algorithm::algorithm;
use crate::in_place::{InPlace, with};
use crate::memory::{Bytes, array, bytes, bytes_mut, messages};
use crate::status::{Failure, wrong_len};
use core::ffi::{c_int, c_void};
use hashmill::many::{Column, Messages, Offset};

entry! {
    /// Writes the digest of a message.
    fn hashmill_hash(
        code: c_int,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        with!(algorithm(code)?, H => {
            // `out` may overlap `data`: the whole message is absorbed before the output is written.
            let mut hasher = H::new();
            hasher.try_update(bytes(data, len)?)?;
            InPlace::finish(&hasher, b"", bytes_mut(out, out_len)?)
        })?;
    }
}

macro_rules! fixed {
    ($($name:ident = $function:ident;)*) => { $(
        entry! {
            #[doc = concat!("[`hashmill::", stringify!($function), "()`]")]
            fn $name(data: *const c_void, len: usize, out: *mut u8) {
                let digest = hashmill::$function(bytes(data, len)?).into_bytes();
                if out.is_null() {
                    return Err(Failure::NULL);
                }
                out.copy_from_nonoverlapping(digest.as_ptr(), digest.len());
            }
        }
    )* };
}

fixed! {
    hashmill_sha224 = sha224;
    hashmill_sha256 = sha256;
    hashmill_sha384 = sha384;
    hashmill_sha512 = sha512;
    hashmill_sha512_224 = sha512_224;
    hashmill_sha512_256 = sha512_256;
    hashmill_sha3_224 = sha3_224;
    hashmill_sha3_256 = sha3_256;
    hashmill_sha3_384 = sha3_384;
    hashmill_sha3_512 = sha3_512;
    hashmill_blake2b = blake2b;
    hashmill_blake2s = blake2s;
    hashmill_blake2bp = blake2bp;
    hashmill_blake2sp = blake2sp;
}

macro_rules! xof {
    ($($name:ident = $Type:ident;)*) => { $(
        entry! {
            #[doc = concat!("[`hashmill::", stringify!($Type), "`]")]
            fn $name(data: *const c_void, len: usize, out: *mut c_void, out_len: usize) {
                let mut output = hashmill::$Type::new().update(bytes(data, len)?).finalize_xof();
                output.fill(bytes_mut(out, out_len)?);
            }
        }
    )* };
}

xof! {
    hashmill_shake128 = Shake128;
    hashmill_shake256 = Shake256;
    hashmill_turboshake128 = TurboShake128;
    hashmill_turboshake256 = TurboShake256;
}

entry! {
    /// Writes the digests of many messages, which are hashed in SIMD lanes.
    fn hashmill_hash_many(
        code: c_int,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        output_len: usize,
    ) {
        let out = rows(out, count, output_len)?;
        many(code, &messages(data, count)?, output_len, out)?;
    }
}

macro_rules! offsets {
    ($($name:ident $Offset:ty;)*) => { $(
        entry! {
            /// Writes the digests of `count` messages; message `i` is
            /// `values[offsets[i]..offsets[i + 1]]`.
            fn $name(
                code: c_int,
                values: *const c_void,
                values_len: usize,
                offsets: *const $Offset,
                count: usize,
                out: *mut c_void,
                output_len: usize,
            ) {
                column(code, bytes(values, values_len)?, offsets, count, out, output_len)?;
            }
        }
    )* };
}

offsets! {
    hashmill_hash_offsets32 i32;
    hashmill_hash_offsets64 i64;
}

/// # Safety
/// `offsets` is NULL or has `count + 1` values; `out` is NULL or has `count * output_len` bytes.
unsafe fn column<O: Offset>(
    code: c_int,
    values: &[u8],
    offsets: *const O,
    count: usize,
    out: *mut c_void,
    output_len: usize,
) -> Result<(), Failure> {
    algorithm(code)?;
    let ends = count.checked_add(1).ok_or(Failure::LENGTH)?;
    // SAFETY: the caller promises this.
    let offsets = unsafe { array(offsets, if count == 0 { 0 } else { ends }) }?;
    // SAFETY: the caller promises this.
    let out = unsafe { rows(out, count, output_len) }?;
    many(code, &Column::new(values, offsets)?, output_len, out)
}

fn many(code: c_int, messages: &dyn Messages, len: usize, out: &mut [u8]) -> Result<(), Failure> {
    with!(algorithm(code)?, H => InPlace::finish_many(&H::new(), messages, len, out))
}

/// # Safety
/// `out` is NULL or valid for `count * output_len` bytes, which nothing else reads or writes.
pub(crate) unsafe fn rows<'a>(
    out: *mut c_void,
    count: usize,
    output_len: usize,
) -> Result<&'a mut [u8], Failure> {
    let most = usize::MAX / count.max(1);
    let len = count.checked_mul(output_len).ok_or(wrong_len(output_len, most))?;
    // SAFETY: the caller promises this.
    unsafe { bytes_mut(out, len) }
}
