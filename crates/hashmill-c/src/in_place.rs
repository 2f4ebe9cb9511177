//! The values in contexts: hashers, HMACs, HKDFs and outputs. Each is stored as its own type, in
//! the caller's memory.
//!
//! The Rust library's `AnyHasher` has room for any algorithm and may keep large states in boxes.
//! Here a state uses only as much of its context as it needs, and nothing is allocated.

use crate::memory::{Family, Member};
use crate::status::{Failure, wrong_len};
use core::ffi::c_int;
use hashmill::many::Messages;
use hashmill::{
    Algorithm, Blake2xReader, CShake, Error, Exported, Hash, Hkdf, Hmac, KangarooTwelve, Kmac,
    ParallelHash, TupleHash, XofReader, function,
};

/// The numbers of the functions that are not in the table of algorithms, because they take more
/// arguments than a message.
pub(crate) mod code {
    use core::ffi::c_int;

    pub(crate) const KT128: c_int = 64;
    pub(crate) const KT256: c_int = 65;
    pub(crate) const BLAKE2XB: c_int = 66;
    pub(crate) const BLAKE2XS: c_int = 67;
    pub(crate) const CSHAKE128: c_int = 68;
    pub(crate) const CSHAKE256: c_int = 69;
    pub(crate) const KMAC128: c_int = 70;
    pub(crate) const KMAC256: c_int = 71;
    pub(crate) const TUPLE_HASH128: c_int = 72;
    pub(crate) const TUPLE_HASH256: c_int = 73;
    pub(crate) const PARALLEL_HASH128: c_int = 74;
    pub(crate) const PARALLEL_HASH256: c_int = 75;
}

/// Evaluates `$body`, in which `$H` is the hasher type of `$algorithm`.
macro_rules! with {
    ($algorithm:expr, $H:ident => $body:expr) => {
        with!(@ $algorithm, $H => $body, hashmill::Error::UnknownAlgorithm,
            Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512
            Blake2b Blake2s Blake2bp Blake2sp Shake128 Shake256 TurboShake128 TurboShake256)
    };
    // The same for the algorithms that have HMAC.
    (hmac $algorithm:expr, $H:ident => $body:expr) => {
        with!(@ $algorithm, $H => $body, hashmill::Error::NoHmac,
            Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512
            Blake2b Blake2s Blake2bp Blake2sp)
    };
    (@ $algorithm:expr, $H:ident => $body:expr, $error:expr, $($Type:ident)*) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            _ => Err($error.into()),
        }
    };
}
pub(crate) use with;

fn by_kind(kind: u64) -> Result<Algorithm, Failure> {
    crate::algorithm::algorithm(c_int::try_from(kind).unwrap_or(0))
}

// ---- Hashers ----

/// `hashmill_hasher`.
pub struct Hashers;

/// The number of hashers that are updated at once. References to them lie on the stack.
pub(crate) const BATCH: usize = 256;

/// Absorbs the pieces, one into each of the hashers at these places.
///
/// # Safety
/// Each place holds a value of the type that returned this function. All places are different, and
/// nothing else reads or writes them.
pub type UpdateEach = unsafe fn(&mut [*mut u8], &dyn Messages) -> Result<(), Failure>;

/// Writes the outputs of the hashers at these places, each after its own message.
///
/// # Safety
/// Each place holds a value of the type that returned this function, and nothing else writes to it.
pub type FinishEach = unsafe fn(&[*const u8], &dyn Messages, &mut [u8]) -> Result<(), Failure>;

/// A hash in progress.
pub trait InPlace {
    /// Returns the number of its function.
    fn code(&self) -> c_int;
    /// Returns the length of the digest in bytes; if the output may have any length, twice the
    /// security strength in bytes.
    fn output_len(&self) -> usize;
    fn update(&mut self, data: &[u8]) -> Result<(), Failure>;
    /// Writes the output after one more piece of the message.
    fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure>;
    fn finish_bits(&self, _last_byte: u8, _bits: u32, _out: &mut [u8]) -> Result<(), Failure> {
        Err(Error::NoBits.into())
    }
    fn finish_many(&self, _: &dyn Messages, _: usize, _: &mut [u8]) -> Result<(), Failure> {
        Err(Failure::OPERATION)
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        Err(Error::NotExtendable.into())
    }
    fn squeeze_with(&self, _customization: &[u8]) -> Result<Xof, Failure> {
        Err(Failure::OPERATION)
    }
    fn element(&mut self, _element: &[u8]) -> Result<(), Failure> {
        Err(Failure::OPERATION)
    }
    /// Begins an element of `len` bytes, which `update` then takes in parts.
    fn begin_element(&mut self, _len: u64) -> Result<(), Failure> {
        Err(Failure::OPERATION)
    }
    fn export(&self) -> Result<Exported, Failure> {
        Err(Failure::OPERATION)
    }
    /// Returns the function that computes the outputs of several hashers of this type together.
    fn finish_each(&self) -> FinishEach {
        |_, _, _| Err(Failure::OPERATION)
    }
    /// Returns the function that updates several hashers of this type together. It is returned and
    /// not called here, because `self` is one of those hashers.
    fn update_each(&self) -> UpdateEach;
}

/// A value of which several can be updated together: a hasher or an HMAC.
pub trait Together {
    /// Returns the number of its function.
    fn kind(&self) -> c_int;
    /// Returns the function of [`InPlace::update_each`].
    fn each(&self) -> UpdateEach;
}

impl Together for dyn InPlace {
    fn kind(&self) -> c_int {
        self.code()
    }
    fn each(&self) -> UpdateEach {
        self.update_each()
    }
}

impl Together for dyn Mac {
    fn kind(&self) -> c_int {
        self.code()
    }
    fn each(&self) -> UpdateEach {
        self.update_each()
    }
}

/// Evaluates `$body`, in which `$H` is the hasher type with the number `$kind`; `None` if there is
/// no such type.
macro_rules! hashers {
    ($kind:expr, $H:ident => $body:expr) => {
        match by_kind($kind) {
            Ok(algorithm) => with!(algorithm, $H => Ok::<_, Failure>($body)).ok(),
            Err(_) => hashers!(@ $kind, $H => $body,
                KT128 hashmill::Kt128, KT256 hashmill::Kt256,
                BLAKE2XB hashmill::Blake2xb, BLAKE2XS hashmill::Blake2xs,
                CSHAKE128 hashmill::CShake128, CSHAKE256 hashmill::CShake256,
                KMAC128 hashmill::Kmac128, KMAC256 hashmill::Kmac256,
                TUPLE_HASH128 Tuple<168>, TUPLE_HASH256 Tuple<136>,
                PARALLEL_HASH128 hashmill::ParallelHash128,
                PARALLEL_HASH256 hashmill::ParallelHash256),
        }
    };
    (@ $kind:expr, $H:ident => $body:expr, $($CODE:ident $Type:ty),*) => {
        match c_int::try_from($kind).unwrap_or(0) {
            $(code::$CODE => {
                type $H = $Type;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// The output of an extendable-output function.
pub enum Xof {
    Keccak(XofReader),
    Blake2xb(Blake2xReader<function::Blake2b>),
    Blake2xs(Blake2xReader<function::Blake2s>),
}

impl Family for Hashers {
    type Dyn = dyn InPlace;
    const SEAL: u64 = 0x6861_7368_6D69_6C01;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        hashers!(kind, H => place.cast::<H>() as *mut Self::Dyn)
    }
}

/// Returns the size in bytes of a hasher of that function, or 0 if there is no such function.
pub(crate) fn hasher_len(code: c_int) -> usize {
    let kind = u64::try_from(code).unwrap_or(0);
    hashers!(kind, H => size_of::<H>()).unwrap_or(0)
}

impl<F: function::Function> Member<Hashers> for Hash<F> {
    const KIND: u64 = F::ALGORITHM.code() as u64;
}

/// The operations in which functions of fixed output length and extendable-output functions differ.
/// Everything else is written once for both, in `of_the_table`.
trait End: Sized {
    fn end(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure>;
    fn end_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure>;
    fn reader(&self) -> Result<Xof, Failure>;
    fn usual_len(&self) -> usize;
}

macro_rules! fixed {
    ($($Type:ident)*) => { $(
        impl End for hashmill::$Type {
            fn end(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure> {
                if out.len() != self.usual_len() {
                    return Err(wrong_len(out.len(), self.usual_len()));
                }
                out.copy_from_slice(&hashmill::$Type::finish(self, message)[..]);
                Ok(())
            }
            fn end_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
                let digest = self.finalize_bits(last_byte, bits)?;
                if out.len() != digest.len() {
                    return Err(wrong_len(out.len(), digest.len()));
                }
                out.copy_from_slice(&digest[..]);
                Ok(())
            }
            fn reader(&self) -> Result<Xof, Failure> {
                Err(Error::NotExtendable.into())
            }
            fn usual_len(&self) -> usize {
                hashmill::$Type::output_len(self)
            }
        }
        of_the_table!($Type);
    )* };
}

macro_rules! extendable {
    ($($Type:ident)*) => { $(
        impl End for hashmill::$Type {
            fn end(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure> {
                match message {
                    [] => self.finalize_xof().fill(out),
                    _ => self.clone().update(message).finalize_xof().fill(out),
                }
                Ok(())
            }
            fn end_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
                self.finalize_xof_bits(last_byte, bits)?.fill(out);
                Ok(())
            }
            fn reader(&self) -> Result<Xof, Failure> {
                Ok(Xof::Keccak(self.finalize_xof()))
            }
            fn usual_len(&self) -> usize {
                Algorithm::$Type.output_len()
            }
        }
        of_the_table!($Type);
    )* };
}

macro_rules! of_the_table {
    ($Type:ident) => {
        impl InPlace for hashmill::$Type {
            fn code(&self) -> c_int {
                Algorithm::$Type.code().into()
            }
            fn output_len(&self) -> usize {
                self.usual_len()
            }
            fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
                Ok(self.try_update(data).map(drop)?)
            }
            fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure> {
                /// In bytes. Only an imported hasher can have absorbed more than this, and only for
                /// such a hasher can the message be too long.
                const MANY: u128 = 1 << 60;
                if self.count().is_some_and(|count| count > MANY) {
                    let mut hasher = self.clone();
                    hasher.try_update(message)?;
                    return hasher.end(b"", out);
                }
                self.end(message, out)
            }
            fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
                self.end_bits(last_byte, bits, out)
            }
            fn finish_many(
                &self,
                messages: &dyn Messages,
                len: usize,
                out: &mut [u8],
            ) -> Result<(), Failure> {
                if !Algorithm::$Type.is_xof() && len != self.usual_len() {
                    return Err(wrong_len(len, self.usual_len()));
                }
                Ok(hashmill::$Type::finish_many(self, messages, out)?)
            }
            fn squeeze(&self) -> Result<Xof, Failure> {
                self.reader()
            }
            fn export(&self) -> Result<Exported, Failure> {
                Ok(hashmill::$Type::export(self))
            }
            fn finish_each(&self) -> FinishEach {
                <hashmill::$Type as SideBySide>::FINISH
            }
            fn update_each(&self) -> UpdateEach {
                <hashmill::$Type as SideBySide>::UPDATE
            }
        }
    };
}

fixed! {
    Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512
    Blake2b Blake2s Blake2bp Blake2sp
}
extendable! { Shake128 Shake256 TurboShake128 TurboShake256 }

/// Absorbs each piece into its hasher, side by side in lanes.
///
/// # Safety
/// As [`UpdateEach`] requires.
unsafe fn side_by_side<F: function::Function>(
    places: &mut [*mut u8],
    pieces: &dyn Messages,
) -> Result<(), Failure> {
    // SAFETY: the caller promises this; a reference has the layout of a pointer.
    let hashers = unsafe { &mut *(places as *mut [*mut u8] as *mut [&mut Hash<F>]) };
    Ok(Hash::<F>::update_many(hashers, pieces)?)
}

/// Writes the output of each hasher after its message, side by side in lanes.
///
/// # Safety
/// As [`FinishEach`] requires.
unsafe fn finish_side_by_side<F: function::Function>(
    places: &[*const u8],
    messages: &dyn Messages,
    out: &mut [u8],
) -> Result<(), Failure> {
    // SAFETY: the caller promises this; a reference has the layout of a pointer.
    let hashers = unsafe { &*(places as *const [*const u8] as *const [&Hash<F>]) };
    Ok(Hash::<F>::finish_each(hashers, messages, out)?)
}

/// The two functions above for a hasher type that is named by its alias.
trait SideBySide {
    const FINISH: FinishEach;
    const UPDATE: UpdateEach;
}

impl<F: function::Function> SideBySide for Hash<F> {
    const FINISH: FinishEach = finish_side_by_side::<F>;
    const UPDATE: UpdateEach = side_by_side::<F>;
}

/// Absorbs each piece into its hasher, one hasher after the other.
///
/// # Safety
/// As [`UpdateEach`] requires.
unsafe fn one_by_one<T: InPlace>(
    places: &mut [*mut u8],
    pieces: &dyn Messages,
) -> Result<(), Failure> {
    for (i, place) in places.iter().enumerate() {
        // SAFETY: the caller promises this.
        unsafe { (*place.cast::<T>()).update(pieces.message(i)) }?;
    }
    Ok(())
}

/// Implements `InPlace` for a function that takes more arguments than a message. `$CODE` is the
/// function's number for 128 bits of security, `$end` writes the output for everything absorbed,
/// and `$method` are its other operations.
macro_rules! derived {
    ($Type:ident, $CODE:ident, $hasher:ident, $out:ident => $end:expr; $($method:item)*) => {
        impl<const RATE: usize> Member<Hashers> for $Type<RATE> {
            const KIND: u64 = code::$CODE as u64 + (RATE == 136) as u64;
        }

        impl<const RATE: usize> InPlace for $Type<RATE> {
            fn code(&self) -> c_int {
                Self::KIND as c_int
            }
            fn output_len(&self) -> usize {
                200 - RATE
            }
            fn finish(&self, message: &[u8], $out: &mut [u8]) -> Result<(), Failure> {
                let mut copy = None;
                let $hasher = match message {
                    [] => self,
                    _ => {
                        let copy = copy.insert(self.clone());
                        InPlace::update(copy, message)?;
                        &*copy
                    }
                };
                $end;
                Ok(())
            }
            fn update_each(&self) -> UpdateEach {
                one_by_one::<Self>
            }
            $($method)*
        }
    };
}

derived! { KangarooTwelve, KT128, hasher, out => hasher.finalize_xof().fill(out);
    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.update(data);
        Ok(())
    }
    fn finish_many(&self, messages: &dyn Messages, _: usize, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finish_many(messages, out)?)
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        self.squeeze_with(b"")
    }
    fn squeeze_with(&self, customization: &[u8]) -> Result<Xof, Failure> {
        Ok(Xof::Keccak(self.finalize_xof_with(customization)))
    }
    fn export(&self) -> Result<Exported, Failure> {
        Ok(self.export())
    }
}

derived! { CShake, CSHAKE128, hasher, out => hasher.finalize_xof().fill(out);
    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.update(data);
        Ok(())
    }
    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
        self.finalize_xof_bits(last_byte, bits)?.fill(out);
        Ok(())
    }
    fn finish_many(&self, messages: &dyn Messages, _: usize, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finish_many(messages, out)?)
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        Ok(Xof::Keccak(self.finalize_xof()))
    }
}

derived! { Kmac, KMAC128, hasher, out => hasher.finalize_into(out);
    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.update(data);
        Ok(())
    }
    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finalize_bits_into(last_byte, bits, bits_of(out)?, out)?)
    }
    fn finish_many(&self, messages: &dyn Messages, _: usize, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finish_many(messages, out)?)
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        Ok(Xof::Keccak(self.finalize_xof()))
    }
}

/// TupleHash, with the number of bytes that are missing from the element that was begun.
#[derive(Clone)]
pub(crate) struct Tuple<const RATE: usize> {
    hash: TupleHash<RATE>,
    missing: u64,
}

impl<const RATE: usize> Tuple<RATE> {
    pub(crate) fn new(customization: &[u8]) -> Self {
        Tuple { hash: TupleHash::new(customization), missing: 0 }
    }

    /// Returns the tuple if it has no incomplete element.
    fn whole(&self) -> Result<&TupleHash<RATE>, Failure> {
        match self.missing {
            0 => Ok(&self.hash),
            expected => Err(Error::ElementLength { given: 0, expected }.into()),
        }
    }
}

derived! { Tuple, TUPLE_HASH128, hasher, out => hasher.whole()?.finalize_into(out);
    /// Absorbs a part of the element that was begun. Without one it fails, because the boundaries
    /// of a tuple's elements count.
    fn update(&mut self, part: &[u8]) -> Result<(), Failure> {
        let (given, expected) = (part.len() as u64, self.missing);
        match expected.checked_sub(given) {
            _ if expected == 0 => return Err(Failure::OPERATION),
            Some(missing) => self.missing = missing,
            None => return Err(Error::ElementLength { given, expected }.into()),
        }
        self.hash.element_part(part);
        Ok(())
    }
    fn element(&mut self, element: &[u8]) -> Result<(), Failure> {
        self.whole()?;
        self.hash.element(element);
        Ok(())
    }
    fn begin_element(&mut self, len: u64) -> Result<(), Failure> {
        self.whole()?;
        self.hash.element_head(len);
        self.missing = len;
        Ok(())
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        Ok(Xof::Keccak(self.whole()?.finalize_xof()))
    }
}

derived! { ParallelHash, PARALLEL_HASH128, hasher, out => hasher.finalize_into(out);
    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.update(data);
        Ok(())
    }
    fn finish_bits(&self, last_byte: u8, bits: u32, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finalize_bits_into(last_byte, bits, bits_of(out)?, out)?)
    }
    fn squeeze(&self) -> Result<Xof, Failure> {
        Ok(Xof::Keccak(self.finalize_xof()))
    }
}

/// Returns the length of `out` in bits.
fn bits_of(out: &[u8]) -> Result<usize, Failure> {
    out.len().checked_mul(8).ok_or(Failure::LENGTH)
}

macro_rules! blake2x {
    ($Type:ident, $CODE:ident, $max:literal) => {
        impl Member<Hashers> for hashmill::$Type {
            const KIND: u64 = code::$CODE as u64;
        }

        impl InPlace for hashmill::$Type {
            fn code(&self) -> c_int {
                code::$CODE
            }
            fn output_len(&self) -> usize {
                let len = hashmill::$Type::output_len(self);
                len.map_or($max, |len| usize::try_from(len).unwrap_or(usize::MAX))
            }
            fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
                Ok(self.try_update(data).map(drop)?)
            }
            fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure> {
                Ok(hashmill::$Type::finish_many(self, &[message], out)?)
            }
            fn finish_many(
                &self,
                messages: &dyn Messages,
                _: usize,
                out: &mut [u8],
            ) -> Result<(), Failure> {
                Ok(hashmill::$Type::finish_many(self, messages, out)?)
            }
            fn squeeze(&self) -> Result<Xof, Failure> {
                Ok(Xof::$Type(self.finalize_xof()))
            }
            fn export(&self) -> Result<Exported, Failure> {
                Ok(self.export())
            }
            fn update_each(&self) -> UpdateEach {
                one_by_one::<Self>
            }
        }
    };
}

blake2x!(Blake2xb, BLAKE2XB, 64);
blake2x!(Blake2xs, BLAKE2XS, 32);

// ---- Outputs ----

/// `hashmill_xof`.
pub struct Xofs;

/// The output of an extendable-output function, with the position up to which it was squeezed.
pub trait Squeeze {
    fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Failure>;
}

impl Family for Xofs {
    type Dyn = dyn Squeeze;
    const SEAL: u64 = 0x6861_7368_6D69_6C02;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        Some(match kind {
            XofReader::KIND => place.cast::<XofReader>() as *mut Self::Dyn,
            <Blake2xReader<function::Blake2b>>::KIND => {
                place.cast::<Blake2xReader<function::Blake2b>>()
            }
            <Blake2xReader<function::Blake2s>>::KIND => {
                place.cast::<Blake2xReader<function::Blake2s>>()
            }
            _ => return None,
        })
    }
}

impl Member<Xofs> for XofReader {
    const KIND: u64 = 1;
}
impl Member<Xofs> for Blake2xReader<function::Blake2b> {
    const KIND: u64 = 2;
}
impl Member<Xofs> for Blake2xReader<function::Blake2s> {
    const KIND: u64 = 3;
}

impl Squeeze for XofReader {
    fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Failure> {
        self.fill(out);
        Ok(())
    }
}

impl Squeeze for Blake2xReader<function::Blake2b> {
    fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.fill(out)?)
    }
}

impl Squeeze for Blake2xReader<function::Blake2s> {
    fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.fill(out)?)
    }
}

// ---- Keyed ----

/// `hashmill_hmac_context`.
pub struct Hmacs;

/// HMAC in progress.
pub trait Mac {
    /// Returns the number of the hash function.
    fn code(&self) -> c_int;
    /// Returns the function that updates several HMACs of this type together.
    fn update_each(&self) -> UpdateEach;
    fn output_len(&self) -> usize;
    fn update(&mut self, data: &[u8]);
    /// Writes the tag after one more piece of the message.
    fn finish(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Failure>;
    fn verify(&self, tag: &[u8]) -> Result<(), Failure>;
    fn finish_many(&self, messages: &dyn Messages, tags: &mut [u8]) -> Result<(), Failure>;
}

impl Family for Hmacs {
    type Dyn = dyn Mac;
    const SEAL: u64 = 0x6861_7368_6D69_6C03;

    fn view(kind: u64, place: *mut u8) -> Option<*mut Self::Dyn> {
        let hmac = with!(hmac by_kind(kind).ok()?, H => {
            Ok::<_, Failure>(place.cast::<Hmac<H>>() as *mut Self::Dyn)
        });
        hmac.ok()
    }
}

impl<H: hashmill::Hasher> Member<Hmacs> for Hmac<H> {
    const KIND: u64 = H::ALGORITHM.code() as u64;
}

/// Absorbs each piece into its HMAC, side by side in lanes.
///
/// # Safety
/// As [`UpdateEach`] requires.
unsafe fn macs_side_by_side<H: hashmill::Hasher>(
    places: &mut [*mut u8],
    pieces: &dyn Messages,
) -> Result<(), Failure> {
    // SAFETY: the caller promises this; a reference has the layout of a pointer.
    let hmacs = unsafe { &mut *(places as *mut [*mut u8] as *mut [&mut Hmac<H>]) };
    Ok(Hmac::<H>::update_many(hmacs, pieces)?)
}

impl<H: hashmill::Hasher> Mac for Hmac<H> {
    fn code(&self) -> c_int {
        H::ALGORITHM.code().into()
    }
    fn update_each(&self) -> UpdateEach {
        macs_side_by_side::<H>
    }
    fn output_len(&self) -> usize {
        H::ALGORITHM.output_len()
    }
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }
    fn finish(&self, message: &[u8], out: &mut [u8]) -> Result<(), Failure> {
        if out.len() != H::ALGORITHM.output_len() {
            return Err(wrong_len(out.len(), H::ALGORITHM.output_len()));
        }
        // No copy of the tag stays in this frame: it can be a pseudorandom key.
        hashmill::below(256, || out.copy_from_slice(self.finish(message).as_ref()));
        Ok(())
    }
    fn verify(&self, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.verify(tag)?)
    }
    fn finish_many(&self, messages: &dyn Messages, tags: &mut [u8]) -> Result<(), Failure> {
        Ok(self.finish_many(messages, tags)?)
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
        let hkdf = with!(hmac by_kind(kind).ok()?, H => {
            Ok::<_, Failure>(place.cast::<Hkdf<H>>() as *mut Self::Dyn)
        });
        hkdf.ok()
    }
}

impl<H: hashmill::Hasher> Member<Hkdfs> for Hkdf<H> {
    const KIND: u64 = H::ALGORITHM.code() as u64;
}

impl<H: hashmill::Hasher> Expand for Hkdf<H> {
    fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.expand(info, out)?)
    }
    fn expand_many(&self, infos: &dyn Messages, out: &mut [u8]) -> Result<(), Failure> {
        Ok(self.expand_many(infos, out)?)
    }
}
