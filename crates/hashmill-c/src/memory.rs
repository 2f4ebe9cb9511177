//! Pointers and lengths as slices, and contexts in the caller's memory.

use crate::in_place::{InPlaceHasher, InPlaceHmac};
use crate::status::Failure;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::slice;
use hashmill::XofReader;

/// `hashmill_bytes`: a message by pointer and length.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Bytes {
    pub data: *const c_void,
    pub len: usize,
}

/// A [`Bytes`] that was found valid.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Message(Bytes);

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `messages` saw this to be valid, and the caller keeps it so during the call.
        unsafe { bytes(self.0.data, self.0.len) }.unwrap_or_default()
    }
}

/// # Safety
/// `data` is NULL or valid for reads of `len` bytes.
#[inline(always)]
pub(crate) unsafe fn bytes<'a>(data: *const c_void, len: usize) -> Result<&'a [u8], Failure> {
    // SAFETY: bytes need no alignment; the rest is promised here and checked there.
    unsafe { array(data.cast(), len) }
}

/// # Safety
/// `data` is NULL or valid for reads of `len` values.
#[inline(always)]
pub(crate) unsafe fn array<'a, T>(data: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(data, len)?;
    // SAFETY: neither null nor misaligned nor too long; that it is valid is promised.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// # Safety
/// `data` is NULL or valid for reads and writes of `len` bytes, which nothing else reads or writes.
#[inline(always)]
pub(crate) unsafe fn bytes_mut<'a>(data: *mut c_void, len: usize) -> Result<&'a mut [u8], Failure> {
    // SAFETY: bytes need no alignment; the rest is promised here and checked there.
    unsafe { array_mut(data.cast(), len) }
}

/// # Safety
/// `data` is NULL or valid for reads and writes of `len` values, which nothing else reads or writes.
#[inline(always)]
pub(crate) unsafe fn array_mut<'a, T>(data: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data, len)?;
    // SAFETY: neither null nor misaligned nor too long; that it is valid and ours is promised.
    Ok(unsafe { slice::from_raw_parts_mut(data, len) })
}

#[inline(always)]
fn check<T>(data: *const T, len: usize) -> Result<(), Failure> {
    if data.is_null() {
        return Err(Failure::NULL);
    }
    if !data.is_aligned() {
        return Err(Failure::ALIGNMENT);
    }
    match len.checked_mul(size_of::<T>()) {
        Some(size) if size <= isize::MAX as usize => Ok(()),
        _ => Err(Failure::LENGTH),
    }
}

/// # Safety
/// `data` is NULL or valid for reads of `count` messages, and they of their lengths.
pub(crate) unsafe fn messages<'a>(
    data: *const Bytes,
    count: usize,
) -> Result<&'a [Message], Failure> {
    // SAFETY: promised; `Message` is laid out as `Bytes`.
    let messages = unsafe { array(data.cast::<Message>(), count) }?;
    for Message(message) in messages {
        if message.len > 0 {
            check(message.data.cast::<u8>(), message.len)?;
        }
    }
    Ok(messages)
}

/// Where a single value is written.
///
/// # Safety
/// `to` is NULL or valid for writes.
#[inline(always)]
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Failure> {
    check(to, 1)?;
    // SAFETY: neither null nor misaligned; that it is valid is promised.
    unsafe { to.write(value) };
    Ok(())
}

/// A value in memory that the caller gave, which may as well hold nothing.
#[repr(C, align(16))]
pub struct Context<T, const SIZE: usize> {
    /// [`SEAL`] while there is a value.
    seal: u64,
    value: MaybeUninit<T>,
}

/// `hashmill_hasher`.
pub type Hasher = Context<InPlaceHasher, HASHER_SIZE>;
/// `hashmill_hmac`.
pub type HmacContext = Context<InPlaceHmac, HMAC_SIZE>;
/// `hashmill_xof`.
pub type XofContext = Context<XofReader, XOF_SIZE>;

/// `HASHMILL_HASHER_SIZE`: room for BLAKE2sp's eight leaves, and some for algorithms to come.
pub const HASHER_SIZE: usize = 2048;
/// `HASHMILL_HMAC_SIZE`: two hashers.
pub const HMAC_SIZE: usize = 4096;
/// `HASHMILL_XOF_SIZE`.
pub const XOF_SIZE: usize = 256;

impl<T, const SIZE: usize> Context<T, SIZE> {
    /// A number that memory does not hold by chance, and another one for every type of context.
    const SEAL: u64 = 0x6861_7368_6D69_6C6C ^ SIZE as u64;
    const FITS: () = assert!(size_of::<Self>() <= SIZE && align_of::<Self>() == 16);

    /// # Safety
    /// `context` is NULL or points to `SIZE` bytes.
    #[inline(always)]
    pub(crate) unsafe fn get<'a>(context: *const Self) -> Result<&'a T, Failure> {
        check(context, 1)?;
        // SAFETY: neither null nor misaligned; with the seal, there is a value.
        unsafe {
            match (&raw const (*context).seal).read() == Self::SEAL {
                true => Ok((*context).value.assume_init_ref()),
                false => Err(Failure::CONTEXT),
            }
        }
    }

    /// # Safety
    /// `context` is NULL or points to `SIZE` bytes that nothing else reads or writes.
    #[inline(always)]
    pub(crate) unsafe fn get_mut<'a>(context: *mut Self) -> Result<&'a mut T, Failure> {
        // SAFETY: as promised.
        unsafe { Self::get(context) }?;
        // SAFETY: there is a value, as was just seen.
        Ok(unsafe { (*context).value.assume_init_mut() })
    }

    /// Puts a value in place of the one that may be there, which is wiped.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn set(context: *mut Self, value: T) -> Result<(), Failure> {
        const { Self::FITS };
        check(context, 1)?;
        // SAFETY: neither null nor misaligned, and `SIZE` bytes are enough.
        unsafe {
            Self::wipe(context);
            (*context).value.write(value);
            (*context).seal = Self::SEAL;
        }
        Ok(())
    }

    /// Drops the value, which wipes it, if there is one; then overwrites its memory. A value that was moved here may
    /// have brought bytes of a key between its fields, which dropping it does not see.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn wipe(context: *mut Self) {
        // SAFETY: as promised; without the seal nothing is touched.
        unsafe {
            if Self::get(context).is_ok() {
                (*context).value.assume_init_drop();
                context.cast::<u8>().write_bytes(0, size_of::<Self>());
            }
        }
    }
}
