//! One lane: the words of the portable kernels. Every operation is a `const fn`, so that the same
//! code hashes at compile time. The operations have the same names as those of the vectors, because
//! a kernel does not depend on the width of its words.

macro_rules! scalar {
    ($(#[$doc:meta])* $W:ident, $word:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $W(pub(crate) $word);

        #[allow(dead_code, reason = "every word has every operation; not every kernel needs each")]
        impl $W {
            pub const LANES: usize = 1;
            /// The registers that can contain a word.
            pub const REGISTERS: usize = 16;
            /// Digests are transposed only in several lanes.
            pub const ROWS: Option<[crate::simd::rows::Rows<$word>; 2]> = None;
            const BYTES: usize = size_of::<$word>();
            /// The number of words that a gather loads from each lane: 16 bytes.
            pub const GATHERED: usize = 16 / Self::BYTES;
            /// Whether the words of a block stay in memory, because they exceed the registers.
            pub const IN_MEMORY: bool = false;

            #[inline(always)]
            pub const fn splat(word: $word) -> Self {
                $W(word)
            }
            /// Loads word `at` of a state that contains the first words of all lanes, then the
            /// second ones.
            #[inline(always)]
            pub const fn read(state: &[$word], at: usize) -> Self {
                $W(state[at])
            }
            #[inline(always)]
            pub const fn write(self, state: &mut [$word], at: usize) {
                state[at] = self.0;
            }
            #[inline(always)]
            const fn bytes(lane: &[u8], at: usize) -> &[u8; Self::BYTES] {
                match lane.split_at(at).1.first_chunk() {
                    Some(bytes) => bytes,
                    None => panic!("a lane's input is shorter than its blocks"),
                }
            }
            /// Loads the big-endian words in 16 bytes of each lane's input from byte `at`, one
            /// vector for each word.
            #[inline(always)]
            pub const fn gather_be<const N: usize>(lanes: &[&[u8; N]; 1], at: usize) -> [Self; Self::GATHERED] {
                let mut words = [$W(0); Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    let bytes = Self::bytes(lanes[0], at + i * Self::BYTES);
                    words[i] = $W($word::from_be_bytes(*bytes));
                    i += 1;
                }
                words
            }
            /// Loads little-endian words; otherwise the same as `gather_be`.
            #[inline(always)]
            pub const fn gather_le<const N: usize>(lanes: &[&[u8; N]; 1], at: usize) -> [Self; Self::GATHERED] {
                let mut words = [$W(0); Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    words[i] = Self::gather_one_le(lanes, at + i * Self::BYTES);
                    i += 1;
                }
                words
            }
            /// Loads one little-endian word from each lane's input at byte `at`.
            #[inline(always)]
            pub const fn gather_one_le<const N: usize>(lanes: &[&[u8; N]; 1], at: usize) -> Self {
                $W($word::from_le_bytes(*Self::bytes(lanes[0], at)))
            }
            /// Keeps the words in memory, if there are too few registers for them.
            #[inline(always)]
            pub const fn in_memory(_words: &mut [Self; 16]) {}
            #[inline(always)]
            pub const fn add(self, b: Self) -> Self {
                $W(self.0.wrapping_add(b.0))
            }
            /// Adds a word that is known early to one that is needed soon.
            #[inline(always)]
            pub const fn add_first(self, b: Self) -> Self {
                self.add(b)
            }
            #[inline(always)]
            pub const fn add_const(self, k: $word) -> Self {
                $W(self.0.wrapping_add(k))
            }
            /// Adds `n` to the two-word counter (`low`, `high`).
            #[inline(always)]
            pub const fn count(low: Self, high: Self, n: $word) -> (Self, Self) {
                let (sum, carry) = low.0.overflowing_add(n);
                ($W(sum), $W(high.0.wrapping_add(carry as $word)))
            }
            #[inline(always)]
            pub const fn xor(self, b: Self) -> Self {
                $W(self.0 ^ b.0)
            }
            #[inline(always)]
            pub const fn xor_const(self, k: $word) -> Self {
                $W(self.0 ^ k)
            }
            #[inline(always)]
            pub const fn xor3(self, b: Self, c: Self) -> Self {
                $W(self.0 ^ b.0 ^ c.0)
            }
            /// Ch (FIPS 180-4 §4.1).
            #[inline(always)]
            pub const fn choose(self, f: Self, g: Self) -> Self {
                $W(g.0 ^ (self.0 & (f.0 ^ g.0)))
            }
            /// Maj (FIPS 180-4 §4.1).
            #[inline(always)]
            pub const fn majority(self, b: Self, c: Self) -> Self {
                if cfg!(target_arch = "wasm32") {
                    // The next round computes this `self ^ b` again, as `b ^ c`: SHA-256 of 32 bytes
                    // takes 0.92 of the time (V8, Zen 5).
                    return $W(b.0 ^ ((self.0 ^ b.0) & (b.0 ^ c.0)));
                }
                $W((self.0 & b.0) ^ (c.0 & (self.0 ^ b.0)))
            }
            /// χ (FIPS 202 §3.2.4).
            #[inline(always)]
            pub const fn chi(self, b: Self, c: Self) -> Self {
                $W(self.0 ^ (!b.0 & c.0))
            }
            #[inline(always)]
            pub const fn rotr<const N: i32>(self) -> Self {
                $W(self.0.rotate_right(N as u32))
            }
            #[inline(always)]
            pub const fn rotl<const N: i32>(self) -> Self {
                $W(self.0.rotate_left(N as u32))
            }
            #[inline(always)]
            pub const fn shr<const N: i32>(self) -> Self {
                $W(self.0 >> N)
            }
        }
    };
}

scalar!(
    /// One 32-bit word.
    U32, u32
);
scalar!(
    /// One 64-bit word.
    U64, u64
);
