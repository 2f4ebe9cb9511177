//! Vectors of 128 bits: four 32-bit or two 64-bit lanes, in Arm's NEON and in WebAssembly's
//! simd128.
//!
//! `ops` gives the intrinsics of both the same names, so that the rest is one text. Memory is
//! accessed only in the four lines marked SAFETY.

use ops::*;

/// Gives every function the target feature. WebAssembly has target features only for a whole
/// module.
macro_rules! functions {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident $(<const $N:ident: $T:ty>)? ($($args:tt)*) -> $ret:ty $body:block)*) => { $(
        $(#[$meta])* #[inline] #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
        $vis fn $name $(<const $N: $T>)? ($($args)*) -> $ret $body
    )* };
}

#[cfg(target_arch = "aarch64")]
mod ops {
    use core::arch::aarch64::*;
    pub use core::arch::aarch64::{
        uint32x4_t as V32, uint64x2_t as V64, vaddq_u32 as add32, vaddq_u64 as add64,
        vbicq_u32 as and_not32, vbicq_u64 as and_not64, vbslq_u32 as select32,
        vbslq_u64 as select64, vdupq_n_u32 as splat32, vdupq_n_u64 as splat64, veorq_u32 as xor32,
        veorq_u64 as xor64, vld1q_u8 as load, vreinterpretq_u32_u8 as words32,
        vreinterpretq_u64_u8 as words64, vst1q_u32 as store32, vst1q_u64 as store64,
        vzip1q_u32 as low32, vzip1q_u64 as low64, vzip2q_u32 as high32, vzip2q_u64 as high64,
    };

    functions! {
        // A negative count shifts to the right. LLVM evaluates constant counts, and compiles `rotl`
        // to one instruction if the CPU has it.
        pub fn shl32(v: V32, n: u32) -> V32 { vshlq_u32(v, vdupq_n_s32(n as i32)) }
        pub fn shr32(v: V32, n: u32) -> V32 { vshlq_u32(v, vdupq_n_s32(-(n as i32))) }
        pub fn shl64(v: V64, n: u32) -> V64 { vshlq_u64(v, vdupq_n_s64(n as i64)) }
        pub fn shr64(v: V64, n: u32) -> V64 { vshlq_u64(v, vdupq_n_s64(-(n as i64))) }
        pub fn swap32(v: V32) -> V32 { words32(vrev32q_u8(vreinterpretq_u8_u32(v))) }
        pub fn swap64(v: V64) -> V64 { words64(vrev64q_u8(vreinterpretq_u8_u64(v))) }
        pub fn pairs(v: V32) -> V64 { vreinterpretq_u64_u32(v) }
        pub fn unpaired(v: V64) -> V32 { vreinterpretq_u32_u64(v) }
    }
}

#[cfg(target_arch = "wasm32")]
mod ops {
    use core::arch::wasm32::*;
    pub use core::arch::wasm32::{
        u32x4_add as add32, u32x4_shl as shl32, u32x4_shr as shr32, u32x4_splat as splat32,
        u64x2_add as add64, u64x2_shl as shl64, u64x2_shr as shr64, u64x2_splat as splat64,
        v128 as V32, v128 as V64, v128_andnot as and_not32, v128_andnot as and_not64,
        v128_load as load, v128_store as store32, v128_store as store64, v128_xor as xor32,
        v128_xor as xor64,
    };
    pub use {core::convert::identity as words32, core::convert::identity as words64};
    pub use {core::convert::identity as pairs, core::convert::identity as unpaired};
    pub use {low32x4 as low32, select as select32, select as select64};

    functions! {
        /// Returns the bits of `a` where `mask` has ones, and of `b` where it has zeros.
        pub fn select(mask: v128, a: v128, b: v128) -> v128 { v128_bitselect(a, b, mask) }
        pub fn swap32(v: v128) -> v128 {
            u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(v, v)
        }
        pub fn swap64(v: v128) -> v128 {
            u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(v, v)
        }
        pub fn low32x4(a: v128, b: v128) -> v128 { u32x4_shuffle::<0, 4, 1, 5>(a, b) }
        pub fn high32(a: v128, b: v128) -> v128 { u32x4_shuffle::<2, 6, 3, 7>(a, b) }
        pub fn low64(a: v128, b: v128) -> v128 { u64x2_shuffle::<0, 2>(a, b) }
        pub fn high64(a: v128, b: v128) -> v128 { u64x2_shuffle::<1, 3>(a, b) }
    }
}

functions! {
    /// Transposes the rows.
    fn transpose32(r: [V32; 4]) -> [V32; 4] {
        let (low, low2) = (pairs(low32(r[0], r[1])), pairs(low32(r[2], r[3])));
        let (high, high2) = (pairs(high32(r[0], r[1])), pairs(high32(r[2], r[3])));
        let [a, b] = transpose64([low, low2]);
        let [c, d] = transpose64([high, high2]);
        [unpaired(a), unpaired(b), unpaired(c), unpaired(d)]
    }
    fn transpose64(r: [V64; 2]) -> [V64; 2] { [low64(r[0], r[1]), high64(r[0], r[1])] }
}

macro_rules! vector {
    (
        $(#[$doc:meta])* $W:ident, $word:ident, $lanes:literal lanes in $V:ident, words $words:ident,
        store $store:ident, splat $splat:ident, swap $swap:ident, transpose $transpose:ident,
        $add:ident, $xor:ident, $and_not:ident, $select:ident, $shl:ident, $shr:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $W(pub(crate) $V);

        #[allow(dead_code, reason = "every word has every operation; not every kernel needs each")]
        impl $W {
            pub const LANES: usize = $lanes;
            /// The registers that can contain a word. Those of WebAssembly become those of the CPU.
            pub const REGISTERS: usize = if cfg!(target_arch = "aarch64") { 32 } else { 16 };
            /// The number of words that a gather loads from each lane: 16 bytes.
            pub const GATHERED: usize = $lanes;
            /// Whether the words of a block stay in memory, because they exceed the registers.
            pub const IN_MEMORY: bool = false;

            #[inline(always)]
            pub fn in_memory(_words: &mut [Self; 16]) {}

            functions! {
                pub fn splat(word: $word) -> Self { $W($splat(word)) }
                pub fn read(state: &[$word], at: usize) -> Self {
                    let words: &[$word; $lanes] =
                        state[at * $lanes..].first_chunk().expect("a word of every lane");
                    // SAFETY: the reference covers the whole vector; no alignment is asked for.
                    $W($words(unsafe { load(words.as_ptr().cast()) }))
                }
                pub fn write(self, state: &mut [$word], at: usize) -> () {
                    let words: &mut [$word; $lanes] =
                        state[at * $lanes..].first_chunk_mut().expect("a word of every lane");
                    // SAFETY: the reference covers the whole vector; no alignment is asked for.
                    unsafe { $store(words.as_mut_ptr().cast(), self.0) }
                }
                /// Loads the little-endian words in 16 bytes.
                pub fn load_le(bytes: &[u8; 16]) -> Self {
                    // SAFETY: the reference covers the whole vector; no alignment is asked for.
                    $W($words(unsafe { load(bytes.as_ptr().cast()) }))
                }
                pub fn load_be(bytes: &[u8; 16]) -> Self { $W($swap(Self::load_le(bytes).0)) }
                pub fn gather_le<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; $lanes] {
                    let mut rows = [$splat(0); $lanes];
                    let mut lane = 0;
                    while lane < $lanes {
                        let bytes = lanes[lane][at..].first_chunk().expect("16 bytes of every lane");
                        rows[lane] = Self::load_le(bytes).0;
                        lane += 1;
                    }
                    let columns = $transpose(rows);
                    let mut words = [Self::splat(0); $lanes];
                    let mut i = 0;
                    while i < $lanes {
                        words[i] = $W(columns[i]);
                        i += 1;
                    }
                    words
                }
                pub fn gather_be<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> [Self; $lanes] {
                    let mut words = Self::gather_le(lanes, at);
                    let mut i = 0;
                    while i < $lanes {
                        words[i] = $W($swap(words[i].0));
                        i += 1;
                    }
                    words
                }
                /// Writes the words to each lane's row from byte `at` on: the reverse of a gather.
                fn scatter_le(words: [Self; $lanes], rows: &mut [u8], stride: usize, at: usize, _len: usize) -> () {
                    let mut vectors = [$splat(0); $lanes];
                    let mut i = 0;
                    while i < $lanes {
                        vectors[i] = words[i].0;
                        i += 1;
                    }
                    let vectors = $transpose(vectors);
                    let mut lane = 0;
                    while lane < $lanes {
                        let row: &mut [u8; 16] =
                            rows[lane * stride + at..].first_chunk_mut().expect("16 bytes of every row");
                        // SAFETY: the reference covers the whole vector; no alignment is asked for.
                        unsafe { $store(row.as_mut_ptr().cast(), vectors[lane]) }
                        lane += 1;
                    }
                }
                fn scatter_be(words: [Self; $lanes], rows: &mut [u8], stride: usize, at: usize, len: usize) -> () {
                    let mut swapped = words;
                    let mut i = 0;
                    while i < $lanes {
                        swapped[i] = $W($swap(words[i].0));
                        i += 1;
                    }
                    Self::scatter_le(swapped, rows, stride, at, len);
                }
                pub fn gather_one_le<const N: usize>(lanes: &[&[u8; N]; $lanes], at: usize) -> Self {
                    let mut words = [0; $lanes];
                    let mut lane = 0;
                    while lane < $lanes {
                        let bytes = lanes[lane][at..].first_chunk().expect("a word of every lane");
                        words[lane] = $word::from_le_bytes(*bytes);
                        lane += 1;
                    }
                    Self::read(&words, 0)
                }
                pub fn add(self, b: Self) -> Self { $W($add(self.0, b.0)) }
                pub fn add_first(self, b: Self) -> Self { self.add(b) }
                pub fn add_const(self, k: $word) -> Self { self.add(Self::splat(k)) }
                /// Adds `n`, which must be less than half of a word's largest value. If there is a
                /// carry, the top bit has become zero.
                pub fn count(low: Self, high: Self, n: $word) -> (Self, Self) {
                    let sum = low.add_const(n);
                    let fell = $W($and_not(low.0, sum.0));
                    (sum, high.add($W($shr(fell.0, $word::BITS - 1))))
                }
                pub fn xor(self, b: Self) -> Self { $W($xor(self.0, b.0)) }
                pub fn xor_const(self, k: $word) -> Self { self.xor(Self::splat(k)) }
                pub fn xor3(self, b: Self, c: Self) -> Self { self.xor(b).xor(c) }
                pub fn choose(self, f: Self, g: Self) -> Self { $W($select(self.0, f.0, g.0)) }
                /// Maj: where `a` and `b` differ, the bit of `c`.
                pub fn majority(self, b: Self, c: Self) -> Self { self.xor(b).choose(c, b) }
                pub fn chi(self, b: Self, c: Self) -> Self { self.xor($W($and_not(c.0, b.0))) }
                pub fn rotr<const N: i32>(self) -> Self {
                    // In WebAssembly a count of the whole width means 0.
                    if N == 0 {
                        return self;
                    }
                    $W($xor($shr(self.0, N as u32), $shl(self.0, $word::BITS - N as u32)))
                }
                pub fn rotl<const N: i32>(self) -> Self {
                    if N == 0 {
                        return self;
                    }
                    $W($xor($shl(self.0, N as u32), $shr(self.0, $word::BITS - N as u32)))
                }
                pub fn shr<const N: i32>(self) -> Self { $W($shr(self.0, N as u32)) }
            }
        }
    };
}

vector! {
    /// Four 32-bit lanes.
    U32, u32, 4 lanes in V32, words words32, store store32, splat splat32, swap swap32, transpose transpose32,
    add32, xor32, and_not32, select32, shl32, shr32
}
vector! {
    /// Two 64-bit lanes.
    U64, u64, 2 lanes in V64, words words64, store store64, splat splat64, swap swap64, transpose transpose64,
    add64, xor64, and_not64, select64, shl64, shr64
}
rows! { U32, u32, #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))] }
rows! { U64, u64, #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))] }
