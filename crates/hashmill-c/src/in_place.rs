//! The values in contexts: hashers, HMACs, HKDFs and outputs. Each is stored as its own type, in
//! the caller's memory, and used as a `dyn Hashing`.
//!
//! The Rust library's `AnyHasher` has room for any algorithm and may keep large states in boxes.
//! Here a state uses only as much of its context as it needs, and nothing is allocated.

use crate::status::Failure;
use core::borrow::{Borrow, BorrowMut};
use core::ffi::c_int;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use hashmill::function::{Function, Visitor};
use hashmill::many::Messages;
use hashmill::{
    Algorithm, AnyReader, FileTree, Hash, HasherVisitor, Hashing, Hkdf, Hmac, with_code,
};

/// The kinds of values that a context may hold, each with a number. A value is stored as its own
/// type, not as a variant of an `enum`, so that a value of a small type uses only a small part of
/// the context.
pub trait Family {
    /// The type as which a value is used.
    type Dyn: ?Sized;
    /// The number that marks an initialised context. Memory is unlikely to contain it by chance,
    /// and every family has its own.
    const SEAL: u64;
    /// Returns a pointer to a value of type `kind` at `place`; `None` if there is no such type. It
    /// does not read the place, where there need not be a value.
    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn>;
}

/// A type that belongs to a family.
pub trait Member<F: Family> {
    /// Returns the type's number, which `F::view` takes.
    fn kind(&self) -> u64;
}

fn code_of(kind: u64) -> Option<u8> {
    kind.try_into().ok()
}

/// `hashmill_hasher`.
pub struct Hashers;

impl Family for Hashers {
    type Dyn = dyn Hashing;
    const SEAL: u64 = 0x6861_7368_6D69_6C01;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        struct View(*mut u8);
        impl HasherVisitor for View {
            type Output = *mut dyn Hashing;
            fn visit<H: Hashing + 'static>(self) -> Self::Output {
                self.0.cast::<H>()
            }
        }
        with_code(code_of(kind)?, View(place))
    }
}

impl<H: Hashing> Member<Hashers> for H {
    fn kind(&self) -> u64 {
        self.facts().code.into()
    }
}

/// Returns the size in bytes of a hasher of that function, or 0 if there is no such function.
pub(crate) fn hasher_len(code: c_int) -> usize {
    struct Size;
    impl HasherVisitor for Size {
        type Output = usize;
        fn visit<H: Hashing + 'static>(self) -> usize {
            size_of::<H>()
        }
    }
    u8::try_from(code).ok().and_then(|code| with_code(code, Size)).unwrap_or(0)
}

/// `hashmill_xof`.
pub struct Xofs;

impl Family for Xofs {
    type Dyn = AnyReader;
    const SEAL: u64 = 0x6861_7368_6D69_6C02;

    fn view(_: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        Some(place.cast())
    }
}

impl Member<Xofs> for AnyReader {
    fn kind(&self) -> u64 {
        1
    }
}

/// `hashmill_file_tree`.
pub struct FileTrees;

impl Family for FileTrees {
    type Dyn = FileTree;
    const SEAL: u64 = 0x6861_7368_6D69_6C05;

    fn view(_: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        Some(place.cast())
    }
}

impl Member<FileTrees> for FileTree {
    fn kind(&self) -> u64 {
        1
    }
}

/// `hashmill_hmac_context`.
pub struct Hmacs;

impl Family for Hmacs {
    type Dyn = dyn Hashing;
    const SEAL: u64 = 0x6861_7368_6D69_6C03;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        struct View(*mut u8);
        impl Visitor for View {
            type Output = *mut dyn Hashing;
            fn visit<F: Function>(self) -> Self::Output {
                self.0.cast::<Hmac<Hash<F>>>()
            }
        }
        Algorithm::from_code(code_of(kind)?)?.with_hmac(View(place)).ok()
    }
}

impl<H: hashmill::Hasher> Member<Hmacs> for Hmac<H> {
    fn kind(&self) -> u64 {
        H::ALGORITHM.code().into()
    }
}

/// `hashmill_hkdf_context`.
pub struct Hkdfs;

/// HKDF with a pseudorandom key.
pub trait Expand {
    fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Failure>;
    fn expand_many(&self, infos: &dyn Messages, out: &mut [u8]) -> Result<(), Failure>;
}

impl Family for Hkdfs {
    type Dyn = dyn Expand;
    const SEAL: u64 = 0x6861_7368_6D69_6C04;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        struct View(*mut u8);
        impl Visitor for View {
            type Output = *mut dyn Expand;
            fn visit<F: Function>(self) -> Self::Output {
                self.0.cast::<Hkdf<Hash<F>>>()
            }
        }
        Algorithm::from_code(code_of(kind)?)?.with_hmac(View(place)).ok()
    }
}

impl<H: hashmill::Hasher> Member<Hkdfs> for Hkdf<H> {
    fn kind(&self) -> u64 {
        H::ALGORITHM.code().into()
    }
}

impl<H: hashmill::Hasher> Expand for Hkdf<H> {
    fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.expand(info, out)?)
    }
    fn expand_many(&self, infos: &dyn Messages, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.expand_many(infos, out)?)
    }
}

/// A pointer to a value of a family, which takes part in a call for many values.
pub(crate) struct Place<F: Family>(*mut F::Dyn, PhantomData<F>);

impl<F: Family> Place<F> {
    /// # Safety
    /// The value is valid while the place is used; if the place is used to write, nothing else
    /// reads or writes it.
    pub(crate) unsafe fn new(value: *mut F::Dyn) -> Self {
        Place(value, PhantomData)
    }
}

impl<F: Family> Deref for Place<F> {
    type Target = F::Dyn;
    fn deref(&self) -> &F::Dyn {
        // SAFETY: the caller of `new` promised this.
        unsafe { &*self.0 }
    }
}

impl<F: Family> DerefMut for Place<F> {
    fn deref_mut(&mut self) -> &mut F::Dyn {
        // SAFETY: the caller of `new` promised this.
        unsafe { &mut *self.0 }
    }
}

impl Borrow<AnyReader> for Place<Xofs> {
    fn borrow(&self) -> &AnyReader {
        self
    }
}

impl BorrowMut<AnyReader> for Place<Xofs> {
    fn borrow_mut(&mut self) -> &mut AnyReader {
        self
    }
}
