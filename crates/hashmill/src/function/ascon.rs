//! Ascon-Hash256 and Ascon-XOF128.

use crate::algorithm::Algorithm;
use crate::ascon::{self, AsconReader};
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::{Extendable, Function, Plain};

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
    type Digest = Digest<32>;
    const STREAM: &'static ascon::Sponge = &ascon::Sponge::new(0x0000_0801_00cc_0002);
    const ALGORITHM: Algorithm = Algorithm::AsconHash256;
    const FACTS: Facts =
        Facts::fixed(Algorithm::AsconHash256.code(), "Ascon-Hash256", [32, 8], "SP 800-232 §5.1")
            .answers("847fb9fe14272382ae069791ad8bcfc0549900a2abbe7f76abea2cf16579c0f5", "");
}
impl Plain for AsconHash256 {}

/// Ascon-XOF128 (SP 800-232 §5.2), a function for small devices, whose output may have any length.
#[derive(Clone, Copy, Debug)]
pub enum AsconXof128 {}

impl Function for AsconXof128 {
    type Stream = ascon::Sponge;
    type Digest = Digest<32>;
    const STREAM: &'static ascon::Sponge = &ascon::Sponge::new(0x0000_0800_00cc_0003);
    const ALGORITHM: Algorithm = Algorithm::AsconXof128;
    const FACTS: Facts =
        Facts::xof(Algorithm::AsconXof128.code(), "Ascon-XOF128", [32, 8], "SP 800-232 §5.2")
            .answers(
                "629634fed67a26bad84c662eb37b25d0d10796cadffea0957fa6043762f6f7cd",
                "8aeeaa5b912cd068cc7f82169ff2d5b3fc4df122149419eb393a05db68d2a0b6",
            );
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
