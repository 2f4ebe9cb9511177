//! Pointers and lengths as slices, and contexts in the caller's memory.

use crate::in_place::{Hashers, Hkdfs, Hmacs, Xofs};
use crate::status::Failure;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::slice;

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
/// `data` is NULL or valid for reads and writes of `len` values, which nothing else reads or
/// writes.
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

/// Which values a context may hold, by a number for each type. A value lies in place, as its own
/// type and not as one variant of an `enum`, so that one of a small type uses a small part of the
/// context.
pub trait Family {
    /// What every value can do.
    type Dyn: ?Sized;
    /// A number that memory does not hold by chance, another one for every family.
    const SEAL: u64;
    /// The value of that type at a place, where it need not be; `None` if there is no such type.
    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn>;
}

/// A type of a family.
pub trait Member<F: Family> {
    /// Its number, by which `F::view` knows it.
    const KIND: u64;
}

/// The beginning of `SIZE` bytes of memory that the caller gave, in which there may as well be
/// nothing. The value follows.
#[repr(C, align(16))]
pub struct Context<F, const SIZE: usize> {
    /// [`Family::SEAL`] while there is a value.
    seal: u64,
    kind: u64,
    family: PhantomData<F>,
}

/// How far into a context its value lies.
pub(crate) const HEAD: usize = size_of::<Context<Hashers, 0>>();

/// `hashmill_hasher`.
pub type Hasher = Context<Hashers, HASHER_SIZE>;
/// `hashmill_hmac_context`.
pub type HmacContext = Context<Hmacs, HMAC_SIZE>;
/// `hashmill_hkdf_context`.
pub type HkdfContext = Context<Hkdfs, HMAC_SIZE>;
/// `hashmill_xof`.
pub type XofContext = Context<Xofs, XOF_SIZE>;

/// `HASHMILL_HASHER_SIZE`: room for BLAKE2sp's eight leaves, and some for algorithms to come.
pub const HASHER_SIZE: usize = 2048;
/// `HASHMILL_HMAC_SIZE`: two hashers.
pub const HMAC_SIZE: usize = 4096;
/// `HASHMILL_XOF_SIZE`: room for the output of BLAKE2X, with its parameters.
pub const XOF_SIZE: usize = 512;

impl<F: Family, const SIZE: usize> Context<F, SIZE> {
    /// The value's place, which may be beyond the end if there is none.
    #[inline(always)]
    pub(crate) fn place(context: *mut Self) -> *mut u8 {
        context.cast::<u8>().wrapping_add(HEAD)
    }

    /// # Safety
    /// `context` is NULL or valid for reads of its head.
    #[inline(always)]
    unsafe fn view(context: *mut Self) -> Result<*mut F::Dyn, Failure> {
        check(context, 1)?;
        // SAFETY: neither null nor misaligned; no reference is made, because other bytes may be
        // another's.
        let (seal, kind) =
            unsafe { ((&raw const (*context).seal).read(), (&raw const (*context).kind).read()) };
        let value = F::view(kind, Self::place(context)).filter(|_| seal == F::SEAL);
        value.ok_or(Failure::CONTEXT)
    }

    /// # Safety
    /// `context` is NULL or points to a context's bytes.
    #[inline(always)]
    pub(crate) unsafe fn get<'a>(context: *const Self) -> Result<&'a F::Dyn, Failure> {
        // SAFETY: as promised; with the seal, there is a value.
        unsafe { Self::view(context.cast_mut()).map(|value| &*value) }
    }

    /// # Safety
    /// `context` is NULL or points to a context's bytes, which nothing else reads or writes.
    #[inline(always)]
    pub(crate) unsafe fn get_mut<'a>(context: *mut Self) -> Result<&'a mut F::Dyn, Failure> {
        // SAFETY: as promised; with the seal, there is a value.
        unsafe { Self::view(context).map(|value| &mut *value) }
    }

    /// Puts a value in place of the one that may be there, which is wiped.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn set<T: Member<F>>(context: *mut Self, value: T) -> Result<(), Failure> {
        const { assert!(HEAD + size_of::<T>() <= SIZE && align_of::<T>() <= align_of::<Self>()) };
        check(context, 1)?;
        // SAFETY: neither null nor misaligned, and the bytes are enough, as was just seen.
        unsafe {
            Self::wipe(context);
            Self::place(context).cast::<T>().write(value);
            (&raw mut (*context).kind).write(T::KIND);
            (&raw mut (*context).seal).write(F::SEAL);
        }
        Ok(())
    }

    /// Drops the value, which wipes it, if there is one; then overwrites its memory. A value that
    /// was moved here may have brought bytes of a key between its fields, which dropping it does
    /// not see.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn wipe(context: *mut Self) {
        // SAFETY: as promised; without the seal nothing is touched.
        unsafe {
            if let Ok(value) = Self::view(context) {
                let size = size_of_val(&*value);
                value.drop_in_place();
                context.cast::<u8>().write_bytes(0, HEAD + size);
            }
        }
    }
}

/// Contexts that are changed together, and so must not be one and the same: while it lives, those
/// of `contexts` that it has seen are sealed another way, and are no contexts.
pub(crate) struct Apart<'a, F: Family, const SIZE: usize> {
    contexts: &'a [*mut Context<F, SIZE>],
    seen: usize,
}

impl<'a, F: Family, const SIZE: usize> Apart<'a, F, SIZE> {
    /// That none is missing, misused, or there twice.
    ///
    /// # Safety
    /// As [`Context::get_mut`], for each of them.
    pub(crate) unsafe fn check(contexts: &'a [*mut Context<F, SIZE>]) -> Result<(), Failure> {
        let mut apart = Apart { contexts, seen: 0 };
        for &context in contexts {
            // SAFETY: as promised; after the first call it is known to be a context.
            unsafe {
                Context::get(context)?;
                (&raw mut (*context).seal).write(!F::SEAL);
            }
            apart.seen += 1;
        }
        Ok(())
    }
}

impl<F: Family, const SIZE: usize> Drop for Apart<'_, F, SIZE> {
    fn drop(&mut self) {
        for &context in &self.contexts[..self.seen] {
            // SAFETY: `check` saw it to be a context.
            unsafe { (&raw mut (*context).seal).write(F::SEAL) };
        }
    }
}
