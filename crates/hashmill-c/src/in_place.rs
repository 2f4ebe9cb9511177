//! The values in contexts: hashers, HMACs, HKDFs and outputs. Each is stored as its own type, in
//! the caller's memory, and used as a `dyn Hashing`.
//!
//! The Rust library's `AnyHasher` has room for any algorithm and may keep large states in boxes.
//! Here a state uses only as much of its context as it needs, and nothing is allocated.

use crate::status::Failure;
use core::ffi::c_int;
use core::marker::PhantomData;
use hashmill::many::Messages;
use hashmill::{Algorithm, AnyReader, FileTree, HasherVisitor, Hashing, Hkdf, Hmac, with_code};

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
        with_code(kind.try_into().ok()?, View(place))
    }
}

impl<H: Hashing> Member<Hashers> for H {
    fn kind(&self) -> u64 {
        self.facts().code.into()
    }
}

/// Returns the size in bytes of a hasher of that function, if there is one.
pub(crate) fn hasher_len(code: c_int) -> Option<usize> {
    struct Size;
    impl HasherVisitor for Size {
        type Output = usize;
        fn visit<H: Hashing + 'static>(self) -> usize {
            size_of::<H>()
        }
    }
    with_code(u8::try_from(code).ok()?, Size)
}

/// A family of one type, whose seal ends with `MARK`.
pub struct Only<T, const MARK: u64>(PhantomData<T>);

impl<T, const MARK: u64> Family for Only<T, MARK> {
    type Dyn = T;
    const SEAL: u64 = 0x6861_7368_6D69_6C00 | MARK;

    fn view(_: u64, place: *mut u8) -> Option<*mut T> {
        Some(place.cast())
    }
}

impl<T, const MARK: u64> Member<Only<T, MARK>> for T {
    fn kind(&self) -> u64 {
        1
    }
}

/// `hashmill_xof`.
pub type Xofs = Only<AnyReader, 2>;
/// `hashmill_file_tree`.
pub type FileTrees = Only<FileTree, 5>;

/// `hashmill_hmac_context`.
pub struct Hmacs;

impl Family for Hmacs {
    type Dyn = dyn Hashing;
    const SEAL: u64 = 0x6861_7368_6D69_6C03;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        let algorithm = Algorithm::from_code(kind.try_into().ok()?)?;
        with_hmac!(algorithm, H => Ok(place.cast::<Hmac<H>>() as *mut Self::Dyn)).ok()
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
        let algorithm = Algorithm::from_code(kind.try_into().ok()?)?;
        with_hmac!(algorithm, H => Ok(place.cast::<Hkdf<H>>() as *mut Self::Dyn)).ok()
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
