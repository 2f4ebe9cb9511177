//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018): the block function with its backends. The words, the
//! padding and the output are SHA-256's, and so is the stream.

#![forbid(unsafe_code)]

pub(crate) mod kernel;

use crate::backend::{self, Backend, Chosen, Family, Start};
use crate::sha2::{Sha2, Sha2Family, Words32};
use crate::simd::Profile::*;
use crate::stream::at_compile_time;

/// The family of SM3.
#[derive(Clone, Copy)]
pub enum Sm3 {}

/// The stream of SM3.
pub type StreamSm3 = Sha2<Sm3, 64>;

at_compile_time!(StreamSm3, kernel, block 64, limit Sm3::LIMIT, to_be_bytes);

/// The initial value (§4.1).
pub(crate) const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

impl Sha2Family for Sm3 {
    const LIMIT: u128 = Words32::LIMIT;
    const ZERO: u32 = 0;

    fn word(bytes: &[u8]) -> u32 {
        Words32::word(bytes)
    }

    fn schedule(_: &[u8]) {}
}

impl Family for Sm3 {
    type Word = u32;
    type Shape = ();
    type Known = ();
    type State = [u32; 8];
    type Tail = [u8; 128];
    const TAIL: [u8; 128] = [0; 128];
    const OUTPUT: backend::Output = backend::Output::BigEndian;
    // Zen 4's cycles were measured, and other x86-64 CPUs take them. Those of Arm and WebAssembly are
    // SHA-256's.
    const START: &'static [Start] = &[(Xeon, [0, 140, 167, 140])];
    #[rustfmt::skip]
    const BACKENDS: &'static [Backend<Self>] = &[
        #[cfg(target_arch = "x86_64")]
        kernel::avx512two::STAMP.row(kernel::avx512two::absorb, &[(Xeon, 2090, 793)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512::STAMP.row(kernel::avx512::absorb, &[(Xeon, 1025, 411)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx512vl::STAMP.row(kernel::avx512vl::absorb, &[(Xeon, 654, 297)]),
        #[cfg(target_arch = "x86_64")]
        kernel::avx2::STAMP.row(kernel::avx2::absorb, &[(Xeon, 1020, 464)]),
        #[cfg(target_arch = "x86_64")]
        kernel::bmi2::STAMP.row(kernel::bmi2::absorb, &[(Xeon, 602, 45)]),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        kernel::neon::STAMP.row(kernel::neon::absorb, &[(NeoverseV2, 969, 0), (NeoverseN1, 1467, 0)]),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernel::simd128::STAMP.row(kernel::simd128::absorb, &[(Wasm, 1353, 0)]),
        kernel::portable::STAMP.row(kernel::portable::absorb, &[(Xeon, 599, 45), (NeoverseV2, 347, 0), (NeoverseN1, 597, 0), (Wasm, 692, 0)]),
    ];

    fn chosen() -> &'static Chosen {
        static CHOSEN: Chosen = Chosen::new();
        &CHOSEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2::tests::agree;

    #[test]
    fn backends_agree() {
        agree::<Sm3, 64>(|word| word as u32);
    }
}
