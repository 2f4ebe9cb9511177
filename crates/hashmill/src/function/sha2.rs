//! SHA-2.

use crate::algorithm::Algorithm;
use crate::digest::Digest;
use crate::facts::Facts;
use crate::hasher::{Function, Plain};
use crate::sha2::constants::{w32, w64};
use crate::sha2::{Stream32, Stream64};

/// SHA-224 (FIPS 180-4 §6.3), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha224 {}

impl Function for Sha224 {
    type Stream = Stream32;
    type Digest = Digest<28>;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha224;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha224.code(), "SHA-224", [28, 64], "FIPS 180-4 §6.3")
            .tag("SHA224")
            .aliases(&["SHA2-224"])
            .oid("2.16.840.1.101.3.4.2.4")
            .multihash(0x1013)
            .answers(
                "aba4c5e18b02d5480d8184b436ce6403f8a888d8a1f0b26d6335e580",
                "1f60c1a6a91bab38ea40d7c87062c9a4b6c04a1a718baaa8195b25af",
            );
}
impl Plain for Sha224 {}

/// SHA-256 (FIPS 180-4 §6.2), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Function for Sha256 {
    type Stream = Stream32;
    type Digest = Digest<32>;
    const STREAM: &'static Stream32 = &Stream32::new(w32::SHA256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha256;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha256.code(), "SHA-256", [32, 64], "FIPS 180-4 §6.2")
            .tag("SHA256")
            .aliases(&["SHA2-256"])
            .oid("2.16.840.1.101.3.4.2.1")
            .multihash(0x12)
            .answers(
                "bf1a37daeadcd5e95a32ea4aa2d4565c46d49a59ff49d87a5c445a00ee23b204",
                "cd0cba8d417b7d58b8d340d7373876909dfdadcac6926134a18b88e795d220aa",
            );
}
impl Plain for Sha256 {}

/// SHA-384 (FIPS 180-4 §6.5), whose digest has 48 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha384 {}

impl Function for Sha384 {
    type Stream = Stream64;
    type Digest = Digest<48>;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA384, 48);
    const ALGORITHM: Algorithm = Algorithm::Sha384;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha384.code(), "SHA-384", [48, 128], "FIPS 180-4 §6.5")
            .tag("SHA384")
            .aliases(&["SHA2-384"])
            .oid("2.16.840.1.101.3.4.2.2")
            .multihash(0x20)
            .answers(
                "717696709ef8886c1d79325435c408363ee71636a12c31599fe9f124424c39d56f0dcacab1de81a65c85d997470b44f8",
                "4b98b898a0905b0428dc4b275cd107263457c27b1e53dbec6efcfabdab84ee6490f49cdba5ed905c2486ecd2d6d8942d",
            );
}
impl Plain for Sha384 {}

/// SHA-512 (FIPS 180-4 §6.4), whose digest has 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

impl Function for Sha512 {
    type Stream = Stream64;
    type Digest = Digest<64>;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512, 64);
    const ALGORITHM: Algorithm = Algorithm::Sha512;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha512.code(), "SHA-512", [64, 128], "FIPS 180-4 §6.4")
            .tag("SHA512")
            .aliases(&["SHA2-512"])
            .oid("2.16.840.1.101.3.4.2.3")
            .multihash(0x13)
            .answers(
                "2f117fa995c60578b57fc68a6825183f22f96feb352abf945943d0b37998216df8b65c0ee4c1c9724e398224fde6933289777d0c590e546c3ed71bd1677d6d5e",
                "b832afa7cd85d734dbee7ec6b3aa4286353b785a975fa65320085b9e83d5b94f3978487cf4b750114b0a342e89a29b3e8364a7d4631621c6e9244954c67c2c21",
            );
}
impl Plain for Sha512 {}

/// SHA-512/224 (FIPS 180-4 §6.6), whose digest has 28 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_224 {}

impl Function for Sha512_224 {
    type Stream = Stream64;
    type Digest = Digest<28>;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_224, 28);
    const ALGORITHM: Algorithm = Algorithm::Sha512_224;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha512_224.code(), "SHA-512/224", [28, 128], "FIPS 180-4 §6.6")
            .tag("SHA512-224")
            .aliases(&["SHA2-512/224", "SHA512t224"])
            .oid("2.16.840.1.101.3.4.2.5")
            .multihash(0x1014)
            .answers(
                "8b542a868bd663fb75019dfb28935cd386ceefcffccec69a163bde6c",
                "b1ab45cb813e431efffeb6dc50f7a5c6b530d8955fec2e3faadce529",
            );
}
impl Plain for Sha512_224 {}

/// SHA-512/256 (FIPS 180-4 §6.7), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sha512_256 {}

impl Function for Sha512_256 {
    type Stream = Stream64;
    type Digest = Digest<32>;
    const STREAM: &'static Stream64 = &Stream64::new(w64::SHA512_256, 32);
    const ALGORITHM: Algorithm = Algorithm::Sha512_256;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Sha512_256.code(), "SHA-512/256", [32, 128], "FIPS 180-4 §6.7")
            .tag("SHA512-256")
            .aliases(&["SHA2-512/256", "SHA512t256"])
            .oid("2.16.840.1.101.3.4.2.6")
            .multihash(0x1015)
            .answers(
                "e7883f460b8ed9c919ff57e29a092086a4a70e62be84a555487ab536b06296df",
                "46a68f211fe496fdaaa4d8b427cebf116b1459dc866f8fb1f2db51f4a3994a08",
            );
}
impl Plain for Sha512_256 {}
