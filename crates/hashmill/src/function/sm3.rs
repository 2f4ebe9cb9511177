//! SM3.

use crate::algorithm::Algorithm;
use crate::digest::Digest;
use crate::facts::Facts;
use crate::hasher::{Function, Plain};
use crate::sm3::{IV, StreamSm3};

/// SM3 (GB/T 32905-2016), whose digest has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sm3 {}

impl Function for Sm3 {
    type Stream = StreamSm3;
    type Digest = Digest<32>;
    const STREAM: &'static StreamSm3 = &StreamSm3::new(IV, 32);
    const ALGORITHM: Algorithm = Algorithm::Sm3;
    const FACTS: Facts = Facts::fixed(Algorithm::Sm3.code(), "SM3", [32, 64], "GB/T 32905-2016")
        .oid("1.2.156.10197.1.401")
        .multihash(0x534d)
        .answers(
            "e577b31e86c22d26a1fa0dac959ed279f2c1f649d5d80b0c1e03991f75b15078",
            "ac9516f6792fa1a3824d32e8394764a00ccee9106a3cab37b933195cccc84e23",
        );
}
impl Plain for Sm3 {}
