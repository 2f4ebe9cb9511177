//! The functions over Keccak-p: SHA-3, SHAKE, TurboSHAKE, Keccak-256.

use crate::algorithm::Algorithm;
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::{Extendable, Function, Plain};
use crate::keccak::{Sponge, XofReader};
use crate::wipe::Secret;

/// The Keccak submission, version 3, §1.1: no suffix, only the first bit of the padding.
const KECCAK_SUFFIX: u8 = 0b1;
/// FIPS 202 §6.1: the suffix 01 and the first bit of the padding.
const SHA3_SUFFIX: u8 = 0b110;
/// FIPS 202 §6.2: the suffix 1111 and the first bit of the padding.
pub(crate) const SHAKE_SUFFIX: u8 = 0b1_1111;
/// RFC 9861 §2.1: the default domain-separation byte.
const DEFAULT_DOMAIN: u8 = 0x1F;

/// SHA-3 (FIPS 202 §6.1), whose digest has `N` bytes: 28, 32, 48 or 64. The capacity is twice as
/// long as the digest. Any other length is an error of the compiler:
///
/// ```compile_fail
/// hashmill::Hash::<hashmill::function::Sha3<30>>::new();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Sha3<const N: usize> {}

impl<const N: usize> Function for Sha3<N> {
    type Stream = Sponge;
    type Digest = Digest<N>;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(200 - 2 * N, 24, SHA3_SUFFIX, N)
    };
    const ALGORITHM: Algorithm = match N {
        28 => Algorithm::Sha3_224,
        32 => Algorithm::Sha3_256,
        48 => Algorithm::Sha3_384,
        64 => Algorithm::Sha3_512,
        _ => panic!("SHA-3's digests have 28, 32, 48 or 64 bytes"),
    };
    const FACTS: Facts = match N {
        28 => Facts::fixed(Algorithm::Sha3_224.code(), "SHA3-224", [28, 144], "FIPS 202 §6.1")
            .oid("2.16.840.1.101.3.4.2.7")
            .multihash(0x17)
            .answers(
                "0f4955f3728c25902114ad2e6dd276aa99c0f6bcc79cf3aef82aa3bf",
                "ce905278eb5083163bad3ef2d101608d51c38513e5f0a29156c31499",
            ),
        32 => Facts::fixed(Algorithm::Sha3_256.code(), "SHA3-256", [32, 136], "FIPS 202 §6.1")
            .oid("2.16.840.1.101.3.4.2.8")
            .multihash(0x16)
            .answers(
                "1f476e279b771b56116f4ce65c56bf893deab7bfddb87acfe08f60bfa1c7e079",
                "76df782073936567adcde5525f239a4d955bb8facaaa71fdf681813217b21ce5",
            ),
        48 => Facts::fixed(Algorithm::Sha3_384.code(), "SHA3-384", [48, 104], "FIPS 202 §6.1")
            .oid("2.16.840.1.101.3.4.2.9")
            .multihash(0x15)
            .answers(
                "7f1d79953e621140f158508a8f16ac4de736b97ff1aa7f0e08df7d9c2d4ecf1eec55fbd3d82b49de082975b6c3f7a70a",
                "8e38b1326e8c8e116fe69997b4e6e0afdeec71ce4a5686180162e8dc9276cc0ed65175551de3be334d1440afdf4d5229",
            ),
        64 => Facts::fixed(Algorithm::Sha3_512.code(), "SHA3-512", [64, 72], "FIPS 202 §6.1")
            .oid("2.16.840.1.101.3.4.2.10")
            .multihash(0x14)
            .answers(
                "ad685577627fcf7ded46cba0f5de8724214260678f82110804e236e0755f61a9cbb46a7524035e48bbf3ea332795a121b47b35c4a9e479705cea27afc7d2ce63",
                "fafceedf374408191d594bd928b5d5b585800e937e30bd9d36993016a445be74d4ec07cd9dab78469f938e099542ee4e105fe5a82398010e2321dd7c25598001",
            ),
        _ => panic!("SHA-3's digests have 28, 32, 48 or 64 bytes"),
    };
}
impl<const N: usize> Plain for Sha3<N> {}

/// Keccak-256 (the Keccak team's submission to the SHA-3 competition, version 3), which Ethereum
/// uses. Its digest has 32 bytes. It is SHA3-256 without the suffix that FIPS 202 added.
#[derive(Clone, Copy, Debug)]
pub enum Keccak256 {}

impl Function for Keccak256 {
    type Stream = Sponge;
    type Digest = Digest<32>;
    const STREAM: &'static Sponge = &Sponge::with_output(136, 24, KECCAK_SUFFIX, 32);
    const ALGORITHM: Algorithm = Algorithm::Keccak256;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Keccak256.code(), "Keccak-256", [32, 136], "Keccak submission 3")
            .tag("KECCAK-256")
            .multihash(0x1b)
            .answers(
                "b1624ddad57cc542747531d424ce27bfc9e2219fb13d82dd0f9f8f3a59fba05f",
                "077f99171106a228450e66cc4abadf071f1aca703079b670148d45ca6ab70824",
            );
}
impl Plain for Keccak256 {}

/// SHAKE (FIPS 202 §6.2) with a rate of `RATE` bytes: 168 for SHAKE128, 136 for SHAKE256. The
/// output may have any length. Any other rate is an error of the compiler:
///
/// ```compile_fail
/// hashmill::Hash::<hashmill::function::Shake<100>>::new();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Shake<const RATE: usize> {}

impl Function for Shake<168> {
    type Stream = Sponge;
    type Digest = Digest<32>;
    const STREAM: &'static Sponge = &Sponge::new(168, 24, SHAKE_SUFFIX);
    const ALGORITHM: Algorithm = Algorithm::Shake128;
    const FACTS: Facts =
        Facts::xof(Algorithm::Shake128.code(), "SHAKE128", [32, 168], "FIPS 202 §6.2")
            .oid("2.16.840.1.101.3.4.2.11")
            .multihash(0x18)
            .answers(
                "bfecddbc8d6d83c3674eb7f663fd0da30e288afb6735f0b2220710d4b06b75bb",
                "89d0c3cd23bf757b57d12d6958e211c528a11dd556683594787ae58e73b5a925",
            );
}
impl Function for Shake<136> {
    type Stream = Sponge;
    type Digest = Digest<64>;
    const STREAM: &'static Sponge = &Sponge::new(136, 24, SHAKE_SUFFIX);
    const ALGORITHM: Algorithm = Algorithm::Shake256;
    const FACTS: Facts =
        Facts::xof(Algorithm::Shake256.code(), "SHAKE256", [64, 136], "FIPS 202 §6.2")
            .oid("2.16.840.1.101.3.4.2.12")
            .multihash(0x19)
            .answers(
                "53553cd4b694b2efaf37829964bf8f6ef253695b290682f5d15c07af572348c54c35ffbe503af0bdf27905afc58f0caeedaff0917074ae3ea9c7916abc35ce4a",
                "a18c455ded13bcdb8eed6ebfeb06b5a62d98e0dde23023c916f45b04d70303068baf77f812e05001f26b42bfd5fb1882f423a1596860885038378a5763c07a69",
            );
}
impl<const RATE: usize> Plain for Shake<RATE> where Self: Function {}
impl<const RATE: usize> Extendable for Shake<RATE>
where
    Self: Function<Stream = Sponge>,
{
    type Reader = XofReader;
    fn reader(sponge: &Sponge) -> XofReader {
        sponge.reader()
    }
    fn reader_bits(sponge: &Sponge, byte: u8, bits: u32) -> Result<XofReader, Error> {
        sponge.reader_bits(byte, bits)
    }
}

/// TurboSHAKE (RFC 9861 §2) with a rate of `RATE` bytes: 168 for TurboSHAKE128, 136 for
/// TurboSHAKE256. The output may have any length. Any other rate is an error of the compiler.
#[derive(Clone, Copy, Debug)]
pub enum TurboShake<const RATE: usize> {}

impl Function for TurboShake<168> {
    type Stream = Sponge;
    type Digest = Digest<32>;
    const STREAM: &'static Sponge = &Sponge::new(168, 12, DEFAULT_DOMAIN);
    const ALGORITHM: Algorithm = Algorithm::TurboShake128;
    const FACTS: Facts =
        Facts::xof(Algorithm::TurboShake128.code(), "TurboSHAKE128", [32, 168], "RFC 9861 §2")
            .answers(
                "56308284794c84c033b8ed77b5f5fb8a8b40f226b1e3fb76ba083bd8dbef5cf2",
                "3dba1f65ba92ecdb40054c0e6aa74acfae970f06482e07195e3332fb8f1dc074",
            );
}
impl Function for TurboShake<136> {
    type Stream = Sponge;
    type Digest = Digest<64>;
    const STREAM: &'static Sponge = &Sponge::new(136, 12, DEFAULT_DOMAIN);
    const ALGORITHM: Algorithm = Algorithm::TurboShake256;
    const FACTS: Facts =
        Facts::xof(Algorithm::TurboShake256.code(), "TurboSHAKE256", [64, 136], "RFC 9861 §2")
            .answers(
                "defb0fa1acea3140857ab6e0ccfbeb8382b88fa24296747e3d76e9e4e883b58fdd6b8eea9203cea906335d2250674fb52cc4a993196885d596e96cda9048601a",
                "b7c4326af6c22eba28d6999eef65bc2415bc91933af24fb5bf639fa77067cd084ac82b2e25b3cf413ed6758fc8a986a73451b4c8fd8f007b0a187960af46b81b",
            );
}
impl<const RATE: usize> Extendable for TurboShake<RATE>
where
    Self: Function<Stream = Sponge>,
{
    type Reader = XofReader;
    fn reader(sponge: &Sponge) -> XofReader {
        sponge.reader()
    }
    fn reader_bits(sponge: &Sponge, byte: u8, bits: u32) -> Result<XofReader, Error> {
        sponge.reader_bits(byte, bits)
    }
}

impl<const RATE: usize> crate::hasher::Hash<TurboShake<RATE>>
where
    TurboShake<RATE>: Function<Stream = Sponge>,
{
    /// Creates a TurboSHAKE hasher with the domain-separation byte `domain`, 0x01 to 0x7F (RFC 9861
    /// §2). [`new`](Self::new) uses 0x1F.
    ///
    /// # Errors
    /// [`Error::Domain`] if `domain` is 0 or more than 0x7F.
    pub const fn with_domain(domain: u8) -> Result<Self, Error> {
        match domain {
            0x01..=0x7F => {
                Ok(Self { stream: Secret(TurboShake::<RATE>::STREAM.with_suffix(domain)) })
            }
            _ => Err(Error::Domain { given: domain as u64 }),
        }
    }
}
