//! The hash functions as types, over which [`Hash<F>`](struct@crate::Hash) is generic.
//!
//! Most programs use the aliases in the crate's root instead: `Sha256` is `Hash<function::Sha256>`.
//!
//! Each type defines its stream, the stream's first state and its facts: names, lengths, numbers,
//! known answers. The types are enums without variants, because no value of them is ever needed.

pub use crate::digest::Bytes;
pub use crate::hasher::{Extendable, Fixed, Function, Plain, Reader};

use crate::algorithm::Algorithm;
use crate::ascon::{self, AsconReader};
use crate::blake2::{StreamB, StreamS};
use crate::blake3::Mode;
use crate::blake3::output::Blake3Reader;
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use crate::facts::{Answers, Facts};
use crate::hasher::Stream as _;
use crate::keccak::{Sponge, XofReader};
use crate::sha2::constants::{w32, w64};
use crate::sha2::{Stream32, Stream64};
#[cfg(feature = "rayon")]
use crate::stream::must;
use crate::tree::blake2::{TreeB, TreeS};
use crate::tree::blake3::Tree3;
use crate::wipe::Secret;

/// The Keccak submission, version 3, §1.1: no suffix, only the first bit of the padding.
const KECCAK_SUFFIX: u8 = 0b1;
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
            digests: "aba4c5e18b02d5480d8184b436ce6403f8a888d8a1f0b26d6335e580",
            more: "1f60c1a6a91bab38ea40d7c87062c9a4b6c04a1a718baaa8195b25af",
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
            digests: "bf1a37daeadcd5e95a32ea4aa2d4565c46d49a59ff49d87a5c445a00ee23b204",
            more: "cd0cba8d417b7d58b8d340d7373876909dfdadcac6926134a18b88e795d220aa",
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
            digests: "717696709ef8886c1d79325435c408363ee71636a12c31599fe9f124424c39d56f0dcacab1de81a65c85d997470b44f8",
            more: "4b98b898a0905b0428dc4b275cd107263457c27b1e53dbec6efcfabdab84ee6490f49cdba5ed905c2486ecd2d6d8942d",
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
            digests: "2f117fa995c60578b57fc68a6825183f22f96feb352abf945943d0b37998216df8b65c0ee4c1c9724e398224fde6933289777d0c590e546c3ed71bd1677d6d5e",
            more: "b832afa7cd85d734dbee7ec6b3aa4286353b785a975fa65320085b9e83d5b94f3978487cf4b750114b0a342e89a29b3e8364a7d4631621c6e9244954c67c2c21",
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
            digests: "8b542a868bd663fb75019dfb28935cd386ceefcffccec69a163bde6c",
            more: "b1ab45cb813e431efffeb6dc50f7a5c6b530d8955fec2e3faadce529",
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
            digests: "e7883f460b8ed9c919ff57e29a092086a4a70e62be84a555487ab536b06296df",
            more: "46a68f211fe496fdaaa4d8b427cebf116b1459dc866f8fb1f2db51f4a3994a08",
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
            digests: "5059e00db653f9412630794866c1ecdbfa901dd20e2c579d326a1c3a6da51c6c6a1687305201718666194ab321edb6bbf0f09e01c061dcc6c088a1cffe75fab5",
            more: "dfb6d4889c46070c1115b0f67f44a82acdb719c41774c855bc696c7b117dd0af5639c1012a3d25310be20532e9a2f47852821722837bc08feaad41c5ef685485",
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
            digests: "6d1ab2ce12d1be3913ae0b24dda3d527240a43afd9abdec5be7c54d7e0bf1b6b",
            more: "ba5ff403f9c6b0df30c70be4cb624fa1afbe317bcc149acf0617337255e8b3fb",
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
            digests: "fbe54940d384fa1198649c3894aa8c90182367ac5fd567ac7857943c56209cc8137f2c9c48f959cd736c518c06c8273b3afd13c0607ec6328abe44dd466f1fad",
            more: "b6a65560a08e449f64e42a7597ecc83ae02c57aa28844c6378968062bc3b0c5f457c5e5fefb328dcfd73cd979d0498c3da6765a27ea0342142cfc1ff06ebdaab",
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
            digests: "4b0875ba1d1f93966e03e6b5b5b3b29974308910ce1ca1b3a583b2f4e610d74b",
            more: "99bcecaa91f81905518e3768eceddc9e2ed704833bddd236c35a3a71a8d39728",
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
                digests: "0f4955f3728c25902114ad2e6dd276aa99c0f6bcc79cf3aef82aa3bf",
                more: "ce905278eb5083163bad3ef2d101608d51c38513e5f0a29156c31499",
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
                digests: "1f476e279b771b56116f4ce65c56bf893deab7bfddb87acfe08f60bfa1c7e079",
                more: "76df782073936567adcde5525f239a4d955bb8facaaa71fdf681813217b21ce5",
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
                digests: "7f1d79953e621140f158508a8f16ac4de736b97ff1aa7f0e08df7d9c2d4ecf1eec55fbd3d82b49de082975b6c3f7a70a",
                more: "8e38b1326e8c8e116fe69997b4e6e0afdeec71ce4a5686180162e8dc9276cc0ed65175551de3be334d1440afdf4d5229",
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
                digests: "ad685577627fcf7ded46cba0f5de8724214260678f82110804e236e0755f61a9cbb46a7524035e48bbf3ea332795a121b47b35c4a9e479705cea27afc7d2ce63",
                more: "fafceedf374408191d594bd928b5d5b585800e937e30bd9d36993016a445be74d4ec07cd9dab78469f938e099542ee4e105fe5a82398010e2321dd7c25598001",
            },
        },
        _ => panic!("SHA-3's digests have 28, 32, 48 or 64 bytes"),
    };
}
impl<const N: usize> Plain for Sha3<N> {}
impl<const N: usize> Fixed for Sha3<N> {
    type Digest = Digest<N>;
}

/// Keccak-256 (the Keccak team's submission to the SHA-3 competition, version 3), which Ethereum
/// uses. Its digest has 32 bytes. It is SHA3-256 without the suffix that FIPS 202 added.
#[derive(Clone, Copy, Debug)]
pub enum Keccak256 {}

impl Function for Keccak256 {
    type Stream = Sponge;
    const STREAM: &'static Sponge = &Sponge::with_output(136, 24, KECCAK_SUFFIX, 32);
    const ALGORITHM: Algorithm = Algorithm::Keccak256;
    const FACTS: Facts = Facts {
        name: "Keccak-256",
        tag: "KECCAK-256",
        aliases: &[],
        code: Algorithm::Keccak256.code(),
        output_len: 32,
        block_len: 136,
        is_xof: false,
        standard: "Keccak submission 3",
        oid: None,
        answers: Answers {
            digests: "b1624ddad57cc542747531d424ce27bfc9e2219fb13d82dd0f9f8f3a59fba05f",
            more: "077f99171106a228450e66cc4abadf071f1aca703079b670148d45ca6ab70824",
        },
    };
}
impl Plain for Keccak256 {}
impl Fixed for Keccak256 {
    type Digest = Digest<32>;
}

/// Ascon-Hash256 (SP 800-232 §5.1), a function for small devices. Its digest has 32 bytes.
///
/// It has no HMAC, because its digest is longer than its block of 8 bytes:
///
/// ```compile_fail
/// hashmill::Hmac::<hashmill::AsconHash256>::new(b"key");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum AsconHash256 {}

impl Function for AsconHash256 {
    type Stream = ascon::Sponge;
    const STREAM: &'static ascon::Sponge = &ascon::Sponge::new(0x0000_0801_00cc_0002);
    const ALGORITHM: Algorithm = Algorithm::AsconHash256;
    const FACTS: Facts = Facts {
        name: "Ascon-Hash256",
        tag: "Ascon-Hash256",
        aliases: &[],
        code: Algorithm::AsconHash256.code(),
        output_len: 32,
        block_len: 8,
        is_xof: false,
        standard: "SP 800-232 §5.1",
        oid: None,
        answers: Answers {
            digests: "847fb9fe14272382ae069791ad8bcfc0549900a2abbe7f76abea2cf16579c0f5",
            more: "",
        },
    };
}
impl Plain for AsconHash256 {}
impl Fixed for AsconHash256 {
    type Digest = Digest<32>;
}

/// Ascon-XOF128 (SP 800-232 §5.2), a function for small devices, whose output may have any length.
#[derive(Clone, Copy, Debug)]
pub enum AsconXof128 {}

impl Function for AsconXof128 {
    type Stream = ascon::Sponge;
    const STREAM: &'static ascon::Sponge = &ascon::Sponge::new(0x0000_0800_00cc_0003);
    const ALGORITHM: Algorithm = Algorithm::AsconXof128;
    const FACTS: Facts = Facts {
        name: "Ascon-XOF128",
        tag: "Ascon-XOF128",
        aliases: &[],
        code: Algorithm::AsconXof128.code(),
        output_len: 32,
        block_len: 8,
        is_xof: true,
        standard: "SP 800-232 §5.2",
        oid: None,
        answers: Answers {
            digests: "629634fed67a26bad84c662eb37b25d0d10796cadffea0957fa6043762f6f7cd",
            more: "8aeeaa5b912cd068cc7f82169ff2d5b3fc4df122149419eb393a05db68d2a0b6",
        },
    };
}
impl Plain for AsconXof128 {}
impl Extendable for AsconXof128 {
    type Reader = AsconReader;
    fn reader(sponge: &ascon::Sponge) -> AsconReader {
        AsconReader::new(sponge)
    }
    fn reader_bits(sponge: &ascon::Sponge, byte: u8, bits: u32) -> Result<AsconReader, Error> {
        AsconReader::of_bits(sponge, byte, bits)
    }
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
        &Sponge::new(RATE, 24, SHAKE_SUFFIX)
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
                digests: "bfecddbc8d6d83c3674eb7f663fd0da30e288afb6735f0b2220710d4b06b75bb",
                more: "89d0c3cd23bf757b57d12d6958e211c528a11dd556683594787ae58e73b5a925",
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
                digests: "53553cd4b694b2efaf37829964bf8f6ef253695b290682f5d15c07af572348c54c35ffbe503af0bdf27905afc58f0caeedaff0917074ae3ea9c7916abc35ce4a",
                more: "a18c455ded13bcdb8eed6ebfeb06b5a62d98e0dde23023c916f45b04d70303068baf77f812e05001f26b42bfd5fb1882f423a1596860885038378a5763c07a69",
            },
        },
        _ => panic!("SHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Plain for Shake<RATE> {}
impl<const RATE: usize> Extendable for Shake<RATE> {
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

impl<const RATE: usize> Function for TurboShake<RATE> {
    type Stream = Sponge;
    const STREAM: &'static Sponge = {
        _ = Self::ALGORITHM; // An error of the compiler for any other length.
        &Sponge::new(RATE, 12, DEFAULT_DOMAIN)
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
                digests: "56308284794c84c033b8ed77b5f5fb8a8b40f226b1e3fb76ba083bd8dbef5cf2",
                more: "3dba1f65ba92ecdb40054c0e6aa74acfae970f06482e07195e3332fb8f1dc074",
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
                digests: "defb0fa1acea3140857ab6e0ccfbeb8382b88fa24296747e3d76e9e4e883b58fdd6b8eea9203cea906335d2250674fb52cc4a993196885d596e96cda9048601a",
                more: "b7c4326af6c22eba28d6999eef65bc2415bc91933af24fb5bf639fa77067cd084ac82b2e25b3cf413ed6758fc8a986a73451b4c8fd8f007b0a187960af46b81b",
            },
        },
        _ => panic!("TurboSHAKE's rates are 168 and 136 bytes"),
    };
}
impl<const RATE: usize> Extendable for TurboShake<RATE> {
    type Reader = XofReader;
    fn reader(sponge: &Sponge) -> XofReader {
        sponge.reader()
    }
    fn reader_bits(sponge: &Sponge, byte: u8, bits: u32) -> Result<XofReader, Error> {
        sponge.reader_bits(byte, bits)
    }
}

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

/// BLAKE3 (the BLAKE3 paper), whose output may have any length. Its usual output has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake3 {}

impl Function for Blake3 {
    type Stream = Tree3;
    const STREAM: &'static Tree3 = &Tree3::new(Mode::HASH);
    const ALGORITHM: Algorithm = Algorithm::Blake3;
    const FACTS: Facts = Facts {
        name: "BLAKE3",
        tag: "BLAKE3",
        aliases: &["b3"],
        code: Algorithm::Blake3.code(),
        output_len: 32,
        block_len: 64,
        is_xof: true,
        standard: "BLAKE3 paper §2",
        oid: None,
        answers: Answers {
            digests: "95b45e0a4bc3a85d2d23edb3099a8952dae1a56686077f74a4e884c705c49eda",
            more: "2b36a5bd22fbc9fa1364f15898cc4136beae4542e4653516038a914abf474fdf",
        },
    };
}
impl Extendable for Blake3 {
    type Reader = Blake3Reader;
    fn reader(tree: &Tree3) -> Blake3Reader {
        tree.reader()
    }
    fn reader_bits(_: &Tree3, _: u8, _: u32) -> Result<Blake3Reader, Error> {
        Err(Error::NoBits)
    }
}

impl crate::hasher::Hash<Blake3> {
    /// Creates a hasher for the keyed hash (the BLAKE3 paper §2.3), a message authentication code.
    /// The key, like the digest of another function, has 32 bytes.
    ///
    /// ```
    /// let mut mac = hashmill::Blake3::keyed(&[7; 32]);
    /// assert_ne!(mac.update(b"message").finalize(), hashmill::Blake3::new().hash(b"message"));
    /// ```
    #[inline(never)] // so that the caller does not move it through registers
    pub const fn keyed(key: &[u8; 32]) -> Self {
        Self { stream: Secret(Tree3::new(Mode::keyed(key))) }
    }

    /// Creates a hasher that derives keys from the bytes that it absorbs, which are key material
    /// (the BLAKE3 paper §2.3). `context` should be a constant of the program, unique and not
    /// secret: the name of the program, a date, and the purpose of the derived key.
    ///
    /// ```
    /// let mut derive = hashmill::Blake3::derive_key("example.com 2026-11-23 session tokens v1");
    /// let key = derive.update(b"the user's secret").finalize();
    /// # assert_ne!(key, hashmill::Blake3::derive_key("another").hash(b"the user's secret"));
    /// ```
    #[inline(never)] // so that the caller does not move it through registers
    pub fn derive_key(context: &str) -> Self {
        Self { stream: Secret(Tree3::new(Mode::derive_key(context.as_bytes()))) }
    }

    /// Returns the chaining value of the subtree (the BLAKE3 paper §2.1) over `data`, which begins at
    /// byte `offset` of the message. What this hasher has absorbed does not matter; it says which
    /// key or context there is.
    ///
    /// With the chaining values of its subtrees, a message can be hashed in any order and in several
    /// places, and a part of it can be verified without the others: the examples `verify_slice.rs`
    /// and `bao.rs` do that.
    ///
    /// ```
    /// let (message, blake3) = ([7; 5000], hashmill::Blake3::new());
    /// // The left subtree of five chunks of 1024 bytes has four, as the largest power of two does.
    /// let left = blake3.subtree(0, &message[..4096]).expect("a subtree");
    /// let right = blake3.subtree(4096, &message[4096..]).expect("a subtree");
    /// let mut digest = [0; 32];
    /// blake3.root(&left, &right).fill(&mut digest);
    /// assert_eq!(blake3.hash(&message), digest);
    /// assert_eq!(blake3.subtree(1024, &message[1024..]), None);
    /// ```
    ///
    /// Returns `None` unless these bytes are one subtree: `offset` is a multiple of 1024, there is at
    /// least one byte, and a complete subtree that is not shorter than `data` begins there: its
    /// length is 1024 bytes times a power of two, and divides `offset`. Only the last subtree of a
    /// message may be shorter than a complete one. This function cannot see whether it is the last.
    ///
    /// The chaining value of a whole message is not its digest, because the root has a flag of its
    /// own.
    pub fn subtree(&self, offset: u64, data: &[u8]) -> Option<[u8; 32]> {
        self.stream.subtree(offset, data)
    }

    /// Returns the chaining value of the parent of two subtrees (the BLAKE3 paper §2.5), which is
    /// not the root. The left one must be complete, and the right one not longer.
    pub fn parent(&self, left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
        self.stream.parent(left, right)
    }

    /// Returns a reader of the output of a message of at least 1025 bytes, from the chaining values
    /// of the two subtrees below its root: see [`subtree`](Self::subtree).
    pub fn root(&self, left: &[u8; 32], right: &[u8; 32]) -> Blake3Reader {
        self.stream.root_of(left, right)
    }

    /// Returns the digest of the bytes absorbed so far: the first 32 bytes of the output. The
    /// hasher is unchanged and may absorb more.
    pub fn finalize(&self) -> Digest<32> {
        self.hash([])
    }

    /// Returns the digest of the bytes absorbed so far followed by `message`. The hasher is
    /// unchanged.
    ///
    /// # Panics
    /// If the message would become longer than 2⁶⁴ − 1 bytes.
    #[inline]
    pub fn hash(&self, message: impl AsRef<[u8]>) -> Digest<32> {
        let mut digest = Digest([0; 32]);
        self.stream.finish(message.as_ref(), &mut digest.0);
        digest
    }

    /// Absorbs the next part of the message, with its chunks split over the threads of rayon's
    /// pool. It is worthwhile for parts of some hundred kilobytes. Requires the feature `rayon`.
    ///
    /// # Panics
    /// If the message would become longer than 2⁶⁴ − 1 bytes.
    #[cfg(feature = "rayon")]
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.stream.try_update_rayon(data.as_ref()));
        self
    }

    /// Returns the hasher to its state before the first update. It keeps its key.
    pub fn reset(&mut self) {
        self.stream.reset();
    }
}

/// A computation that is generic over the hash function: see [`Algorithm::with`].
pub trait Visitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the function `F`.
    fn visit<F: Function>(self) -> Self::Output;
}

/// A computation that is generic over the hash functions that HMAC is defined for: see
/// [`Algorithm::with_hmac`].
pub trait HmacVisitor {
    /// The type of the result.
    type Output;
    /// Computes the result for the function `F`.
    fn visit<F: Fixed>(self) -> Self::Output;
}
