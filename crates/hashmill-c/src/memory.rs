//! Conversion of pointers and lengths to slices, and the contexts in the caller's memory.

use crate::in_place::{Family, FileTrees, Hashers, Hkdfs, Hmacs, Member, Xofs};
use crate::status::{Failure, wrong_len};
use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;
use hashmill::Error;

/// `hashmill_bytes`: the address and the length of a message in bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Bytes {
    pub data: *const c_void,
    pub len: usize,
}

/// A [`Bytes`] whose pointer and length were checked.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Message(Bytes);

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `messages` checked it, and the caller keeps it valid during the call.
        unsafe { array(self.0.data.cast(), self.0.len) }.unwrap_or_default()
    }
}

pub(crate) fn utf8(text: &[u8]) -> Result<&str, Failure> {
    core::str::from_utf8(text).map_err(|_| Failure::PARAMETERS)
}

/// # Safety
/// `data` is NULL or valid for reads of `len` values.
#[inline(always)]
pub(crate) unsafe fn array<'a, T>(data: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(data, len)?;
    // SAFETY: `check` excludes null, misaligned and too long; the caller promises validity.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// The address and the length of memory that is written. It becomes a slice only after the input
/// was read, because an output may overlap an input.
#[derive(Clone, Copy)]
pub(crate) struct Out {
    pub data: *mut c_void,
    pub len: usize,
}

impl Out {
    /// # Safety
    /// As [`array_mut`].
    #[inline(always)]
    pub unsafe fn bytes<'a>(self) -> Result<&'a mut [u8], Failure> {
        // SAFETY: the caller promises this.
        unsafe { array_mut(self.data.cast(), self.len) }
    }

    /// Returns the memory of `count` outputs, each of this length.
    ///
    /// # Safety
    /// As [`array_mut`], for all of them.
    pub unsafe fn rows<'a>(self, count: usize) -> Result<&'a mut [u8], Failure> {
        let most = usize::MAX / count.max(1);
        let len = count.checked_mul(self.len).ok_or(wrong_len(self.len, most))?;
        // SAFETY: the caller promises this.
        unsafe { array_mut(self.data.cast(), len) }
    }

    /// Writes `digest`, if this is its length.
    ///
    /// # Safety
    /// As [`array_mut`].
    pub unsafe fn write(self, digest: &[u8]) -> Result<(), Failure> {
        if self.len != digest.len() {
            return Err(wrong_len(self.len, digest.len()));
        }
        // SAFETY: the caller promises this.
        unsafe { self.bytes()? }.copy_from_slice(digest);
        Ok(())
    }
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
    // SAFETY: `check` excludes null, misaligned and too long; the caller promises the rest.
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
/// `data` is NULL or valid for reads of `count` messages, and each message is valid for reads of
/// its length.
pub(crate) unsafe fn messages<'a>(
    data: *const Bytes,
    count: usize,
) -> Result<&'a [Message], Failure> {
    // SAFETY: the caller promises this; `Message` has the layout of `Bytes`.
    let messages = unsafe { array(data.cast::<Message>(), count) }?;
    for Message(message) in messages {
        if message.len > 0 {
            check(message.data.cast::<u8>(), message.len)?;
        }
    }
    Ok(messages)
}

/// Checks the pointer and writes a single value to it.
///
/// # Safety
/// `to` is NULL or valid for writes.
#[inline(always)]
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Failure> {
    check(to, 1)?;
    // SAFETY: `check` excludes null and misaligned; the caller promises validity.
    unsafe { to.write(value) };
    Ok(())
}

/// The head of a context: the beginning of `SIZE` bytes of the caller's memory, which need not be
/// initialised. The value follows the head.
#[repr(C, align(16))]
pub struct Context<F, const SIZE: usize> {
    /// [`Family::SEAL`] while the context holds a value.
    seal: u64,
    kind: u64,
    family: PhantomData<F>,
}

/// The offset of a context's value in bytes.
pub(crate) const HEAD: usize = size_of::<Context<Hashers, 0>>();

/// Defines the contexts, and the functions that overwrite their values.
macro_rules! contexts {
    ($($(#[$meta:meta])* $wipe:ident = $Context:ident of $Family:ident in $SIZE:ident;)*) => { $(
        $(#[$meta])*
        pub type $Context = Context<$Family, $SIZE>;

        /// Overwrites the value, if there is one.
        ///
        /// # Safety
        /// `context` is NULL or valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wipe(context: *mut $Context) {
            // SAFETY: the caller promises this.
            unsafe { Context::wipe(context) }
        }
    )* };
}

contexts! {
    /// `hashmill_hasher`.
    hashmill_hasher_wipe = Hasher of Hashers in HASHER_SIZE;
    /// `hashmill_hmac_context`.
    hashmill_hmac_wipe = HmacContext of Hmacs in HMAC_SIZE;
    /// `hashmill_hkdf_context`.
    hashmill_hkdf_wipe = HkdfContext of Hkdfs in HMAC_SIZE;
    /// `hashmill_xof`.
    hashmill_xof_wipe = XofContext of Xofs in XOF_SIZE;
    /// `hashmill_file_tree`.
    hashmill_file_tree_wipe = FileTreeContext of FileTrees in FILE_TREE_SIZE;
}

/// `HASHMILL_HASHER_SIZE`, in bytes: room for BLAKE2sp's eight leaves, and for algorithms that
/// later versions may add.
pub const HASHER_SIZE: usize = 2048;
/// `HASHMILL_HMAC_SIZE`, in bytes: room for two hashers.
pub const HMAC_SIZE: usize = 4096;
/// `HASHMILL_XOF_SIZE`, in bytes: room for the output of BLAKE2X with its parameters.
pub const XOF_SIZE: usize = 512;
/// `HASHMILL_FILE_TREE_SIZE`, in bytes: room for the levels of fs-verity over SHA-512.
pub const FILE_TREE_SIZE: usize = 4096;

impl<F: Family, const SIZE: usize> Context<F, SIZE> {
    /// Returns the address of the value. If the context holds no value, the address may be beyond
    /// the end of the memory.
    #[inline(always)]
    pub(crate) fn place(context: *mut Self) -> *mut u8 {
        context.cast::<u8>().wrapping_add(HEAD)
    }

    /// # Safety
    /// `context` is NULL or valid for reads of its head.
    #[inline(always)]
    unsafe fn view(context: *mut Self) -> Result<*mut F::Dyn, Failure> {
        check(context, 1)?;
        // SAFETY: `check` excludes null and misaligned. No reference: others may own other bytes.
        let (seal, kind) =
            unsafe { ((&raw const (*context).seal).read(), (&raw const (*context).kind).read()) };
        let value = F::view(kind, Self::place(context)).filter(|_| seal == F::SEAL);
        value.ok_or(Failure::CONTEXT)
    }

    /// # Safety
    /// `context` is NULL or points to a context's bytes.
    #[inline(always)]
    pub(crate) unsafe fn get<'a>(context: *const Self) -> Result<&'a F::Dyn, Failure> {
        // SAFETY: the caller promises this; the seal means that there is a value.
        unsafe { Self::view(context.cast_mut()).map(|value| &*value) }
    }

    /// # Safety
    /// `context` is NULL or points to a context's bytes, which nothing else reads or writes.
    #[inline(always)]
    pub(crate) unsafe fn get_mut<'a>(context: *mut Self) -> Result<&'a mut F::Dyn, Failure> {
        // SAFETY: the caller promises this; the seal means that there is a value.
        unsafe { Self::view(context).map(|value| &mut *value) }
    }

    /// Wipes the value that the context may hold, and stores `value` in it.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn set<T: Member<F>>(context: *mut Self, value: T) -> Result<(), Failure> {
        const { assert!(HEAD + size_of::<T>() <= SIZE && align_of::<T>() <= align_of::<Self>()) };
        check(context, 1)?;
        let kind = value.kind();
        // SAFETY: `check` excludes null and misaligned; the assertion above proves the room.
        unsafe {
            Self::wipe(context);
            Self::place(context).cast::<T>().write(value);
            (&raw mut (*context).kind).write(kind);
            (&raw mut (*context).seal).write(F::SEAL);
        }
        Ok(())
    }

    /// Drops the value, if there is one, and overwrites its memory with zeros. Dropping wipes the
    /// fields only. A value that was moved here may have brought bytes of a key in the padding
    /// between its fields, so that all its memory must be overwritten.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    #[inline(always)]
    pub(crate) unsafe fn wipe(context: *mut Self) {
        // SAFETY: the caller promises this; without the seal nothing is written.
        unsafe {
            if let Ok(value) = Self::view(context) {
                let size = size_of_val(&*value);
                value.drop_in_place();
                context.cast::<u8>().write_bytes(0, HEAD + size);
            }
        }
    }
}

/// Checks that every pointer points to an initialised context, and that no two are equal: contexts
/// that are changed together must all be different. Meanwhile the contexts that it has seen have an
/// inverted seal, so that it does not find the same context a second time.
///
/// # Safety
/// As [`Context::get_mut`], for each context.
pub(crate) unsafe fn distinct<F: Family, const SIZE: usize>(
    contexts: &[*mut Context<F, SIZE>],
) -> Result<(), Failure> {
    let mut seen = 0;
    let outcome = contexts.iter().try_for_each(|&context| {
        seen += 1;
        // SAFETY: the caller promises this; `get` found that it is a context.
        unsafe {
            Context::get(context)?;
            (&raw mut (*context).seal).write(!F::SEAL);
        }
        Ok(())
    });
    for &context in &contexts[..seen - usize::from(outcome.is_err())] {
        // SAFETY: as above.
        unsafe { (&raw mut (*context).seal).write(F::SEAL) };
    }
    outcome
}

/// The greatest number of values that one call of the Rust library takes. References to them lie on
/// the stack.
const BATCH: usize = 256;

/// Passes what `reference` makes of each item to `call`, at most [`BATCH`] at a time, with the
/// index of the first.
pub(crate) fn in_batches<T: Copy, R>(
    items: &[T],
    reference: impl Fn(T) -> Result<R, Failure>,
    mut call: impl FnMut(usize, &mut [R]) -> Result<(), Error>,
) -> Result<(), Failure> {
    for (batch, items) in items.chunks(BATCH).enumerate() {
        let mut references = [const { MaybeUninit::uninit() }; BATCH];
        for (place, &item) in references.iter_mut().zip(items) {
            place.write(reference(item)?);
        }
        // SAFETY: as many places as there are items were written.
        let references =
            unsafe { slice::from_raw_parts_mut(references.as_mut_ptr().cast(), items.len()) };
        call(batch * BATCH, references)?;
    }
    Ok(())
}
