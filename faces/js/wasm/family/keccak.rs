//! Keccak-256, SHA-3, SHAKE, TurboSHAKE, KangarooTwelve and the functions of SP 800-185.

use super::sponge::Xof;
use super::{Digests, Member, write};
use hashmill::function::{Keccak256, Sha3, Shake, TurboShake};
use hashmill::{
    CShake, CShake128, CShake256, Customization, Error, FunctionName, KangarooTwelve, Kmac, Kt128,
    Kt256, ParallelHash, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256, TupleHash,
    TurboShake128, TurboShake256, XofReader,
};

const NONE: Customization<'static> = Customization(b"");

members! {
    7: Digests<Sha3<28>> = Digests(Sha3_224::new());
    8: Digests<Sha3<32>> = Digests(Sha3_256::new());
    9: Digests<Sha3<48>> = Digests(Sha3_384::new());
    10: Digests<Sha3<64>> = Digests(Sha3_512::new());
    15: Xof<Shake<168>> = Xof(Shake128::new());
    16: Xof<Shake<136>> = Xof(Shake256::new());
    17: Xof<TurboShake<168>> = Xof(TurboShake128::new());
    18: Xof<TurboShake<136>> = Xof(TurboShake256::new());
    19: Digests<Keccak256> = Digests(hashmill::Keccak256::new());
    64: Kangaroo<168> = Kangaroo(Kt128::new());
    65: Kangaroo<136> = Kangaroo(Kt256::new());
    68: Custom<168> = Custom(CShake128::new(FunctionName(b""), NONE));
    69: Custom<136> = Custom(CShake256::new(FunctionName(b""), NONE));
    70: Mac<168>;
    71: Mac<136>;
    #[cfg(not(target_feature = "simd128"))]
    72: Tuple<168>;
    #[cfg(not(target_feature = "simd128"))]
    73: Tuple<136>;
    74: Parallel<168>;
    75: Parallel<136>;
}

pub type Reader = XofReader;

pub fn read(reader: &mut Reader, out: &mut [u8]) -> Result<(), Error> {
    reader.fill(out);
    Ok(())
}

/// Begins a hasher with two strings and a number: `given` is the length of the first string and the
/// number, each as four bytes, then the two strings.
pub fn begin_with(code: u8, given: &[u8], place: *mut u8) -> Result<(), Error> {
    let number = |at: usize| {
        given[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
    };
    let (first, customization) = given[8..].split_at(number(0));
    let (name, number) = (FunctionName(first), number(4));
    let custom = Customization(customization);
    match code {
        17 => write(TurboShake128::with_domain(number as u8)?, place),
        18 => write(TurboShake256::with_domain(number as u8)?, place),
        68 => write(CShake128::new(name, custom), place),
        69 => write(CShake256::new(name, custom), place),
        70 => write(Kmac::<168>::new(first, custom), place),
        71 => write(Kmac::<136>::new(first, custom), place),
        72 => write(TupleHash::<168>::new(customization), place),
        73 => write(TupleHash::<136>::new(customization), place),
        74 => write(ParallelHash::<168>::new(number, customization)?, place),
        75 => write(ParallelHash::<136>::new(number, customization)?, place),
        _ => Err(Error::Operation),
    }
}

#[repr(transparent)]
pub struct Kangaroo<const RATE: usize>(KangarooTwelve<RATE>);

member! { Kangaroo<RATE> [const RATE: usize] {
    update! {}
    finish! { |hasher, out| hasher.squeeze().fill(out) }
    fn squeeze(&self, customization: u64, place: *mut u8) -> Result<(), Error> {
        write(self.0.squeeze_after_custom(customization), place)
    }
} }

#[repr(transparent)]
pub struct Custom<const RATE: usize>(CShake<RATE>);

member! { Custom<RATE> [const RATE: usize] {
    update! {}
    finish! { |hasher, out| hasher.squeeze().fill(out) }
    squeeze! {}
} }

#[repr(transparent)]
pub struct Mac<const RATE: usize>(Kmac<RATE>);

member! { Mac<RATE> [const RATE: usize] {
    update! {}
    finish! { |hasher, out| hasher.finalize_into(out)? }
    squeeze! {}
} }

#[repr(transparent)]
pub struct Tuple<const RATE: usize>(TupleHash<RATE>);

#[cfg(not(target_feature = "simd128"))]
impl<const RATE: usize> Member for Tuple<RATE> {
    /// Absorbs a part of the element that was begun.
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.try_update(data).map(drop)
    }
    fn finish(&self, _: &[u8], out: &mut [u8]) -> Result<(), Error> {
        self.0.finalize_into(out)
    }
    squeeze! {}
    fn element(&mut self, len: u64) -> Result<(), Error> {
        self.0.begin(len).map(drop)
    }
}

#[repr(transparent)]
pub struct Parallel<const RATE: usize>(ParallelHash<RATE>);

member! { Parallel<RATE> [const RATE: usize] {
    update! {}
    finish! { |hasher, out| hasher.finalize_into(out)? }
    squeeze! {}
} }
