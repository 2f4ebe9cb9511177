//! The hash functions as types, over which [`Hash<F>`](struct@crate::Hash) is generic.
//!
//! Most programs use the aliases in the crate's root instead: `Sha256` is `Hash<function::Sha256>`.
//!
//! Each type defines its stream, the stream's first state and its facts: names, lengths, numbers,
//! known answers. The types are enums without variants, because no value of them is ever needed.

pub use crate::digest::Bytes;
pub use crate::hasher::{Extendable, Fixed, Function, Plain};

use crate::algorithm::Algorithm;
use crate::blake2::tree::{TreeB, TreeS};
use crate::blake2::{StreamB, StreamS};
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::facts::{Answers, Facts};
use crate::keccak::Sponge;
use crate::sha2::constants::{w32, w64};
use crate::sha2::{Stream32, Stream64};
use crate::wipe::Secret;

/// FIPS 202 §6.1: the suffix 01 and the first bit of the padding.
const SHA3_SUFFIX: u8 = 0b110;
/// FIPS 202 §6.2: the suffix 1111 and the first bit of the padding.
pub(crate) const SHAKE_SUFFIX: u8 = 0b1_1111;
/// RFC 9861 §2.1: the default domain-separation byte.
const DEFAULT_DOMAIN: u8 = 0x1F;

// The stream of a hasher that has absorbed nothing is a constant, so that a new hasher is a copy
// and nothing (BLAKE2's parameters, SHA-512/t's first states) is computed at run time, and so that
// `Algorithm::hash` needs no states of its own.

/// SHA-224 (FIPS 180-4 §6.3), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha224 {}

impl Function for Sha224 {
    type Stream = Stream32;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha224;
    const FACTS: Facts = Facts {
        name: "SHA-224",
        tag: "SHA224",
        aliases: &["SHA2-224"],
        code: Algorithm::Sha224.code(),
        output_len: 28,
        block_len: 64,
        is_xof: false,
        standard: "FIPS 180-4 §6.3",
        oid: Some("2.16.840.1.101.3.4.2.4"),
        answers: Answers {
            digests: "5d4f2d4cb1cd1854af225b1ac3c84d20d207ae8e354b07d590af32dd",
            more: "a985d0a12f65ee3e713848df31106979032426e8e686497eb9280e4d",
        },
    };
}
impl Plain for Sha224 {}
impl Fixed for Sha224 {
    type Digest = Digest<28>;
}

/// SHA-256 (FIPS 180-4 §6.2), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Function for Sha256 {
    type Stream = Stream32;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha256;
    const FACTS: Facts = Facts {
        name: "SHA-256",
        tag: "SHA256",
        aliases: &["SHA2-256"],
        code: Algorithm::Sha256.code(),
        output_len: 32,
        block_len: 64,
        is_xof: false,
        standard: "FIPS 180-4 §6.2",
        oid: Some("2.16.840.1.101.3.4.2.1"),
        answers: Answers {
            digests: "3ca37311f1107b4ae006ce2bf3cefcb8a629e304aa042e635a36ae3ead1a38ed",
            more: "3ddff7ed5d655ac93ed000c0a3ad8b3a2c984cc154c1217cb553ee261cef20f6",
        },
    };
}
impl Plain for Sha256 {}
impl Fixed for Sha256 {
    type Digest = Digest<32>;
}

/// SHA-384 (FIPS 180-4 §6.5), whose digest has 48 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha384 {}

impl Function for Sha384 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA384, 48);
    const ALGORITHM: Algorithm = Algorithm::Sha384;
    const FACTS: Facts = Facts {
        name: "SHA-384",
        tag: "SHA384",
        aliases: &["SHA2-384"],
        code: Algorithm::Sha384.code(),
        output_len: 48,
        block_len: 128,
        is_xof: false,
        standard: "FIPS 180-4 §6.5",
        oid: Some("2.16.840.1.101.3.4.2.2"),
        answers: Answers {
            digests: "5459dbb8f498baa7886e03fd88876234a644580304029ed3f2822053271a7754a57ef696afad3739deffc2ae8e70d3ed",
            more: "0bea1d5d4eae50fdd88ef7d8cc9e54c126b81acae4d4d4031781653ff74da79b2d1aa5b6815b499c1203725770c9a8c4",
        },
    };
}
impl Plain for Sha384 {}
impl Fixed for Sha384 {
    type Digest = Digest<48>;
}

/// SHA-512 (FIPS 180-4 §6.4), whose digest has 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

impl Function for Sha512 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512, 64);
    const ALGORITHM: Algorithm = Algorithm::Sha512;
    const FACTS: Facts = Facts {
        name: "SHA-512",
        tag: "SHA512",
        aliases: &["SHA2-512"],
        code: Algorithm::Sha512.code(),
        output_len: 64,
        block_len: 128,
        is_xof: false,
        standard: "FIPS 180-4 §6.4",
        oid: Some("2.16.840.1.101.3.4.2.3"),
        answers: Answers {
            digests: "284b657d3932d76ccec46d04a8bf4433d7db57810100ee4a6b97e1ac4a6cece94ae9b741094a4fa62e536caaf13204b088c30f0b5b28825be1787da3fc73860b",
            more: "50fe5dd86e90ecdfe0d07f8b3c091f2344d4fa2dbbeb94087e2642f18196b81f7f9506746392b6ce899d32acbdf88db3370ab422c75dfdb64438f1d29eeb0fc4",
        },
    };
}
impl Plain for Sha512 {}
impl Fixed for Sha512 {
    type Digest = Digest<64>;
}

/// SHA-512/224 (FIPS 180-4 §6.6), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_224 {}

impl Function for Sha512_224 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha512_224;
    const FACTS: Facts = Facts {
        name: "SHA-512/224",
        tag: "SHA512-224",
        aliases: &["SHA2-512/224", "SHA512t224"],
        code: Algorithm::Sha512_224.code(),
        output_len: 28,
        block_len: 128,
        is_xof: false,
        standard: "FIPS 180-4 §6.6",
        oid: Some("2.16.840.1.101.3.4.2.5"),
        answers: Answers {
            digests: "08506510a82a5410f2cb97f5500bad36c3c7b0078306afbaa7995162",
            more: "d17a9886b05c048cd954789ddebfd5edbd01559328e55f39d46283c5",
        },
    };
}
impl Plain for Sha512_224 {}
impl Fixed for Sha512_224 {
    type Digest = Digest<28>;
}

/// SHA-512/256 (FIPS 180-4 §6.7), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_256 {}

impl Function for Sha512_256 {
    type Stream = Stream64;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha512_256;
    const FACTS: Facts = Facts {
        name: "SHA-512/256",
        tag: "SHA512-256",
        aliases: &["SHA2-512/256", "SHA512t256"],
        code: Algorithm::Sha512_256.code(),
        output_len: 32,
        block_len: 128,
        is_xof: false,
        standard: "FIPS 180-4 §6.7",
        oid: Some("2.16.840.1.101.3.4.2.6"),
        answers: Answers {
            digests: "46b4bf4c7a194a87d90a48ab974ba071007ba0a06c249981c8f6ae695cb4e66d",
            more: "c3b54d0e7c4a7b8f3163b904a49379f75f85c44036cd9f00e3dc8d7f2b12519e",
        },
    };
}
impl Plain for Sha512_256 {}
impl Fixed for Sha512_256 {
    type Digest = Digest<32>;
}

/// BLAKE2b (RFC 7693), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2b {}

impl Function for Blake2b {
    type Stream = StreamB;
    const STREAM: &'static StreamB = &StreamB::new(&StreamB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2b;
    const FACTS: Facts = Facts {
        name: "BLAKE2b",
        tag: "BLAKE2b",
        aliases: &["BLAKE2b-512"],
        code: Algorithm::Blake2b.code(),
        output_len: 64,
        block_len: 128,
        is_xof: false,
        standard: "RFC 7693",
        oid: None,
        answers: Answers {
            digests: "e61e6b72fc750f49ccb4214dc0ddae0db92bc79694f834f33e9e0863ddd638cbf32eec0cb881a351f2b5a7433c42f432e42e881107ee9c10ad5f77a43d6b007b",
            more: "50ae76826ee536fb5ba6204ad102691234ac73cd7fc621fa580b8e15fe2c54369c51468053a650217b555a56f9544a4d5013b3ca199ad9229fa757b056ae3efa",
        },
    };
}
impl Fixed for Blake2b {
    type Digest = VarDigest;
}

/// BLAKE2s (RFC 7693), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2s {}

impl Function for Blake2s {
    type Stream = StreamS;
    const STREAM: &'static StreamS = &StreamS::new(&StreamS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2s;
    const FACTS: Facts = Facts {
        name: "BLAKE2s",
        tag: "BLAKE2s",
        aliases: &["BLAKE2s-256"],
        code: Algorithm::Blake2s.code(),
        output_len: 32,
        block_len: 64,
        is_xof: false,
        standard: "RFC 7693",
        oid: None,
        answers: Answers {
            digests: "53ad22961b10f896a649e9901f7d7d4c4074b8ec034db732d338b0a52b05a2fb",
            more: "334c8088796fafd6231a30e869e58b0956e5562c7dfd50c1b93983a2826c2356",
        },
    };
}
impl Fixed for Blake2s {
    type Digest = VarDigest;
}

/// BLAKE2bp (the BLAKE2 paper §5), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2bp {}

impl Function for Blake2bp {
    type Stream = TreeB;
    const STREAM: &'static TreeB = &TreeB::new(&TreeB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2bp;
    const FACTS: Facts = Facts {
        name: "BLAKE2bp",
        tag: "BLAKE2bp",
        aliases: &["BLAKE2bp-512"],
        code: Algorithm::Blake2bp.code(),
        output_len: 64,
        block_len: 128,
        is_xof: false,
        standard: "BLAKE2 paper §5",
        oid: None,
        answers: Answers {
            digests: "0e9c66b51ff8b97ac42168a4706f3608b62210ef8334e340232adab2b5730978ee4fad5bf4063c95fa1ebc10bde28c6803cf3b6a05b451010e1ec6b23be82bf3",
            more: "6e516f910d53192c4a6d3084d6c38482100271bc2827bac6ed3d61dc08c4df9811753c2b06087287a496be07dd637b226083a135958ffe6bb02e1abee09292b6",
        },
    };
}
impl Fixed for Blake2bp {
    type Digest = VarDigest;
}

/// BLAKE2sp (the BLAKE2 paper §5), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2sp {}

impl Function for Blake2sp {
    type Stream = TreeS;
    const STREAM: &'static TreeS = &TreeS::new(&TreeS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2sp;
    const FACTS: Facts = Facts {
        name: "BLAKE2sp",
        tag: "BLAKE2sp",
        aliases: &["BLAKE2sp-256"],
        code: Algorithm::Blake2sp.code(),
        output_len: 32,
        block_len: 64,
        is_xof: false,
        standard: "BLAKE2 paper §5",
        oid: None,
        answers: Answers {
            digests: "37f494eca752cae8c0d6c74cc01237d94cd3e5181d2daa631c1f9e824a2c427c",
            more: "6f862ad8191611462b9707f6857485421153a563fd2efa12aba527f209bf5eec",
        },
    };
}
impl Fixed for Blake2sp {
    type Digest = VarDigest;
}

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
        28 => Facts {
            name: "SHA3-224",
            tag: "SHA3-224",
            aliases: &[],
            code: Algorithm::Sha3_224.code(),
            output_len: 28,
            block_len: 144,
            is_xof: false,
            standard: "FIPS 202 §6.1",
            oid: Some("2.16.840.1.101.3.4.2.7"),
            answers: Answers {
                digests: "f528ad83677dc7c07d0f26fc4e0ec315af240cf89b918c435ce5f942",
                more: "f5989d383bd3dd1104fb27336e379c246e321ac8b5685d4e984ae7b6",
            },
        },
        32 => Facts {
            name: "SHA3-256",
            tag: "SHA3-256",
            aliases: &[],
            code: Algorithm::Sha3_256.code(),
            output_len: 32,
            block_len: 136,
            is_xof: false,
            standard: "FIPS 202 §6.1",
            oid: Some("2.16.840.1.101.3.4.2.8"),
            answers: Answers {
                digests: "59bb910dd283c63be6f872fd7f15ec94a4506784a3f1f34522860a4b759effaa",
                more: "b5ef43b615a2d65df97ae71a9f8096952b071ecdec5954410d9965c337c5bc1f",
            },
        },
        48 => Facts {
            name: "SHA3-384",
            tag: "SHA3-384",
            aliases: &[],
            code: Algorithm::Sha3_384.code(),
            output_len: 48,
            block_len: 104,
            is_xof: false,
            standard: "FIPS 202 §6.1",
            oid: Some("2.16.840.1.101.3.4.2.9"),
            answers: Answers {
                digests: "5f868923d4c879fef2d849ddca5267c5ce449f2019fa1d9f94ab00567ee41e3688effd208d60aac8d73f157af177679d",
                more: "3008708e8e8fe4ca68e1779fda50d1c4d87a45a0b7a848e7301e3942abec75934c2a297f69d479d51c97c388149bac46",
            },
        },
        64 => Facts {
            name: "SHA3-512",
            tag: "SHA3-512",
            aliases: &[],
            code: Algorithm::Sha3_512.code(),
            output_len: 64,
            block_len: 72,
            is_xof: false,
            standard: "FIPS 202 §6.1",
            oid: Some("2.16.840.1.101.3.4.2.10"),
            answers: Answers {
                digests: "4da248540ac35b491d4aad8e8984ac2747a9a44596820d27a32cad20a9e5325509670a5c8d2cb85fcb882f7dd7b67998983602e173a3b10b2457832f98b478f6",
                more: "a3c687cb23dd1123e3e92c2e52ef278941a2600f3391645500351b1567a6984cdef11ad3cfeb0f3f32d43882a02965a5e3fea5fac211fa6c5bef1dec48559a01",
            },
        },
        _ => panic!("SHA-3's digests have 28, 32, 48 or 64 bytes"),
    };
}
impl<const N: usize> Plain for Sha3<N> {}
impl<const N: usize> Fixed for Sha3<N> {
    type Digest = Digest<N>;
}

/// SHAKE (FIPS 202 §6.2) with a rate of `RATE` bytes: 168 for SHAKE128, 136 for SHAKE256. The
/// output may have any length. Any other rate is an error of the compiler:
///
/// ```compile_fail
/// hashmill::Hash::<hashmill::function::Shake<100>>::new();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Shake<const RATE: usize> {}

impl<const RATE: usize> Function for Shake<RATE> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(RATE, 24, SHAKE_SUFFIX, 200 - RATE)
    };
    const ALGORITHM: Algorithm = match RATE {
        168 => Algorithm::Shake128,
        136 => Algorithm::Shake256,
        _ => panic!("SHAKE's rates are 168 and 136 bytes"),
    };
    const FACTS: Facts = match RATE {
        168 => Facts {
            name: "SHAKE128",
            tag: "SHAKE128",
            aliases: &[],
            code: Algorithm::Shake128.code(),
            output_len: 32,
            block_len: 168,
            is_xof: true,
            standard: "FIPS 202 §6.2",
            oid: Some("2.16.840.1.101.3.4.2.11"),
            answers: Answers {
                digests: "55b56e5eb2bc4c2d2240218b1507ba338a806909a108106e74082fd07f078c72",
                more: "cc695b5c9fbc21012b023eb136709db8907ddf6f041370bb99c4a62ebb3bc98f",
            },
        },
        136 => Facts {
            name: "SHAKE256",
            tag: "SHAKE256",
            aliases: &[],
            code: Algorithm::Shake256.code(),
            output_len: 64,
            block_len: 136,
            is_xof: true,
            standard: "FIPS 202 §6.2",
            oid: Some("2.16.840.1.101.3.4.2.12"),
            answers: Answers {
                digests: "9af72551755e01b1ebc718d7527e709ee59b385f5fa328130213d29ed6d74387dc3439e690b7971d068e1d3486a75b4dcfc783994054df26e27b590edadcf8f3",
                more: "0d7843bc853c24d7d075c33616f068b123d250958e9586d223c8925ecb6acf91c52ec7030e0b6cc6172ea1617370ff67c2736372cebdb812d3634bff1128e489",
            },
        },
        _ => panic!("SHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Plain for Shake<RATE> {}
impl<const RATE: usize> Extendable for Shake<RATE> {}

/// TurboSHAKE (RFC 9861 §2) with a rate of `RATE` bytes: 168 for TurboSHAKE128, 136 for
/// TurboSHAKE256. The output may have any length. Any other rate is an error of the compiler.
#[derive(Clone, Copy, Debug)]
pub enum TurboShake<const RATE: usize> {}

impl<const RATE: usize> Function for TurboShake<RATE> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::with_output(RATE, 12, DEFAULT_DOMAIN, 200 - RATE)
    };
    const ALGORITHM: Algorithm = match RATE {
        168 => Algorithm::TurboShake128,
        136 => Algorithm::TurboShake256,
        _ => panic!("TurboSHAKE's rates are 168 and 136 bytes"),
    };
    const FACTS: Facts = match RATE {
        168 => Facts {
            name: "TurboSHAKE128",
            tag: "TurboSHAKE128",
            aliases: &[],
            code: Algorithm::TurboShake128.code(),
            output_len: 32,
            block_len: 168,
            is_xof: true,
            standard: "RFC 9861 §2",
            oid: None,
            answers: Answers {
                digests: "5655aaaf5183bea2cd5bebd714d2245b0d9765c82243450b7b20f28b1a073406",
                more: "baaf862f636bb18a23c3cb8f909cfc11331c5f1462209356739b0e71579c837d",
            },
        },
        136 => Facts {
            name: "TurboSHAKE256",
            tag: "TurboSHAKE256",
            aliases: &[],
            code: Algorithm::TurboShake256.code(),
            output_len: 64,
            block_len: 136,
            is_xof: true,
            standard: "RFC 9861 §2",
            oid: None,
            answers: Answers {
                digests: "c990b15373d5828669de06c319c9eed42e41b94f468317ea41b7072fa5f5930ed024aaa4f9c85a898b2ce16dfd095f7b14b7e27a176525035f9638231a1addb6",
                more: "ed9844222cca2ba32dc37cf332620019c87454812828407c5558286702e55da1ee8104543abde8f84b0ebdcbe7fddad8a21fc3f14e605f6577255cef94a7ba57",
            },
        },
        _ => panic!("TurboSHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Extendable for TurboShake<RATE> {}

impl<const RATE: usize> crate::hasher::Hash<TurboShake<RATE>> {
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

/// A computation that is generic over the hash function: see [`Algorithm::with`].
pub trait Visitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the function `F`.
    fn visit<F: Function>(self) -> Self::Output;
}

/// A computation that is generic over the hash functions of fixed output length: see
/// [`Algorithm::with_fixed`].
pub trait FixedVisitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the function `F`.
    fn visit<F: Fixed>(self) -> Self::Output;
}
