//! BLAKE2 and BLAKE3 on one message, with the state's four rows in four vectors, and on two or four
//! messages, each with its rows in its own part of wider vectors. An instruction works on four
//! columns at once or, while rows a, c and d are turned (their words moved to other lanes), on four
//! diagonals.
//!
//! | cycles a block of one message | rotations, AVX-512VL | shifts, AVX-512VL | AVX2 | one lane, BMI2 |
//! |---|---|---|---|---|
//! | BLAKE2b, on a Xeon | 341 | | 375 | 415 |
//! | BLAKE2b, on Zen 4 | 412 | 364 | 416 | 408 |
//! | BLAKE2s, on a Xeon | 250 | | 312 | 350 |
//! | BLAKE2s, on Zen 4 | 319 | 287 | 333 | 350 |
//! | BLAKE3, on Zen 4 | 231 | 204 | 244 | 251 |
//!
//! | cycles for a block of each message, on Zen 4 | two | two, AVX2 | four | lanes, AVX-512VL |
//! |---|---|---|---|---|
//! | BLAKE2b | 570 | | | four: 531 |
//! | BLAKE2s | 298 | 353 | 438 | eight: 448 |
//! | BLAKE3 | 222 | 266 | 286 | eight: 317 |
//!
//! So a few messages are faster in rows than in lanes most of which would be idle.
//!
//! Half a round is a chain of twelve instructions of one cycle. AVX2 has no rotation by 63, 12 or 7
//! bits, so with AVX2 the chain has 13 instructions in BLAKE2b and 14 in BLAKE2s. Row b is not
//! turned, because this would lengthen the chain; rows a, c and d are ready before row b. With
//! AVX-512VL the chain alone takes 288 cycles in BLAKE2b and 240 in BLAKE2s. BLAKE2b takes longer
//! than its chain, because turning a row takes three cycles in one port, which the chain cannot use
//! meanwhile.
//!
//! On Zen 4 a rotation takes two cycles and a shift one. So the modules `shifts` add two rows by
//! exclusive or after they were rotated: the row that is ready first by a rotation, the other by two
//! shifts, and one instruction adds all three. On a Xeon, where a rotation takes one cycle, too, and
//! two ports do all these operations, that takes 1.13 to 1.26 times as long as rotations. With vectors
//! of 512 bits, which Zen 4 computes in halves, four messages took 1.06 times as long with shifts.
//!
//! In BLAKE3 every round permutes the words of the message in the same way, so that the words of a
//! round, four in a vector, follow from those of the round before in nine instructions instead of 28.
//! It saves a fortieth of the time of one message on Zen 4. On a Xeon one message is faster with
//! words that are loaded from memory, which costs the two busy ports less, but four messages of 1 KiB
//! took 1.18 times as long with assembled words.
//!
//! A vector that was stored a few cycles ago is loaded without delay only if one store covers the
//! whole load and, unless a single word is loaded, the load begins where the store begins or 16
//! bytes after that. Otherwise the load waits until everything before the store has ended. So the
//! state is loaded in the same parts in which its users store it, and the end of a message is
//! padded in registers: 32 bytes take 325 instead of 390 cycles in BLAKE2b and 248 instead of 293
//! cycles in BLAKE2s.

/// Returns the indices of the message words that four G of a round take: for `part` 0 and 1 the
/// first and the second words of the columns, for 2 and 3 those of the diagonals, for 4 the first
/// ones of the columns of the next round. They are in the lanes that row a's words have at the
/// addition, turned by one for parts 3 and 4.
const fn words_of(sigma: &[[usize; 16]; 12], round: usize, part: usize) -> [usize; 4] {
    let turned = (part >= 3) as usize;
    let mut words = [0; 4];
    let mut lane = 0;
    while lane < 4 {
        let g = 4 * (part / 2 % 2) + (lane + 4 - turned) % 4;
        words[lane] = sigma[(round + part / 4) % sigma.len()][2 * g + part % 2];
        lane += 1;
    }
    words
}

/// Defines `Row`, which is four words of the state of each message, for one width and one instruction
/// set. In memory the words lie as [`kernel`](super::kernel) has them: the messages' words 0, then
/// their words 1. In a vector, each message's row is in one piece: `arrange` and `restore` move the
/// words between these orders, and `same` gives all messages one row.
macro_rules! row {
    (
        $features:literal, $words:literal of $word:ident in $vector:ident,
        load $load:ident, store $store:ident, arrange $arrange:expr, restore $restore:expr,
        same $same:expr, add $add:ident, xor $xor:ident, and $and:ident, blend $blend:ident,
        turn $turn:ident, xor3 |$a:ident, $b:ident, $c:ident| $xor3:expr,
        rotr |$v:ident| { $($n:pat => $rotated:expr,)* }
        $(shifts |$x:ident, $y:ident| { $($by:pat => $shifted:expr,)* })?
    ) => {
        #[derive(Clone, Copy)]
        pub(in crate::blake2::x86_rows) struct Row(pub(in crate::blake2::x86_rows) $vector);

        operations! { $features, Row {
            pub fn read(words: &[$word], row: usize) -> Self {
                let words: &[$word; $words] = words[$words * row..].first_chunk().expect("a row");
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                Row($arrange(unsafe { $load(words.as_ptr().cast()) }))
            }
            pub fn write(self, words: &mut [$word], row: usize) {
                let words: &mut [$word; $words] =
                    words[$words * row..].first_chunk_mut().expect("a row");
                // SAFETY: the reference covers the whole vector; no alignment is asked for.
                unsafe { $store(words.as_mut_ptr().cast(), $restore(self.0)) }
            }
            pub fn same(words: &[$word; 4]) -> Self {
                Row($same(words))
            }
            pub fn add(self, b: Self) -> Self {
                Row($add(self.0, b.0))
            }
            pub fn xor(self, b: Self) -> Self {
                Row($xor(self.0, b.0))
            }
            pub fn and(self, b: Self) -> Self {
                Row($and(self.0, b.0))
            }
            pub fn xor3(self, b: Self, c: Self) -> Self {
                let ($a, $b, $c) = (self.0, b.0, c.0);
                Row($xor3)
            }
            /// Adds `b` by exclusive or and rotates each word right by `N` bits.
            pub fn xor_rotr<const N: i32>(self, b: Self) -> Self {
                let $v = $xor(self.0, b.0);
                Row(match N {
                    $($n => $rotated,)*
                })
            }
            $(
            /// Does the same, faster than a rotation on Zen 4. `b` is ready last.
            pub fn xor_shifts<const N: i32>(self, b: Self) -> Self {
                let ($x, $y) = (self.0, b.0);
                Row(match N {
                    $($by => $shifted,)*
                })
            }
            )?
            /// Moves to every lane the word of the lane that `ORDER` names with two bits for each
            /// lane.
            pub fn turn<const ORDER: i32>(self) -> Self {
                Row($turn::<ORDER>(self.0))
            }
            /// Returns lane 0 of the first vector, lane 1 of the second, and so on.
            pub fn assemble([a, b, c, d]: [$vector; 4]) -> Self {
                let low = $blend::<0b00_00_11_00>(a, b);
                let high = $blend::<0b11_00_00_00>(c, d);
                Row($blend::<0b11_11_00_00>(low, high))
            }
        } }
    };
}

/// Defines the compression function over `Row`. `$rotate` is one of `Row`'s exclusive ors with a
/// rotation, and `$($words)*` is the argument of [`words!`].
macro_rules! compress {
    ($compress:ident, $features:literal, rotate $rotate:ident, message $Message:ty, $($words:tt)*) => {
        /// Computes the rounds of the compression function (RFC 7693 §3.2; the BLAKE3 paper §2.2).
        /// `last` is the state's last row before the constants are added by exclusive or.
        #[inline]
        #[target_feature(enable = $features)]
        fn $compress(h: [Row; 2], message: &$Message, last: Row) -> [Row; 4] {
            words! { $features, $Message, $($words)* }

            /// Computes four G (RFC 7693 §3.1). The first words of the message are added to row a
            /// before the call, and this function adds those of the next half of a round, so that
            /// they are added before row a is turned: 344 → 341 cycles in BLAKE2b.
            #[inline]
            #[target_feature(enable = $features)]
            fn g([a, b, c, d]: [Row; 4], y: Row, next: Row) -> [Row; 4] {
                let a = a.add(b);
                let d = d.$rotate::<{ ROTATIONS[0] }>(a);
                let c = c.add(d);
                let b = b.$rotate::<{ ROTATIONS[1] }>(c);
                let a = a.add(y).add(b);
                let d = d.$rotate::<{ ROTATIONS[2] }>(a);
                let a = a.add(next);
                let c = c.add(d);
                let b = b.$rotate::<{ ROTATIONS[3] }>(c);
                [a, b, c, d]
            }

            /// Computes a round: four G for the columns, then four for the diagonals. The last two
            /// arguments are the message's words of the round before and the first ones of this round;
            /// the last two results are those of this round and the first ones of the next.
            #[inline]
            #[target_feature(enable = $features)]
            fn round<const R: usize>(
                message: &$Message,
                (v, before, x): ([Row; 4], [Row; 4], Row),
            ) -> ([Row; 4], [Row; 4], Row) {
                if R >= ROUNDS {
                    return (v, before, x);
                }
                let y = words::<R, 1>(message, before);
                let first = words::<R, 2>(message, before);
                let [a, b, c, d] = g(v, y, first);
                let a = a.turn::<0b10_01_00_11>();
                let d = d.turn::<0b01_00_11_10>();
                let c = c.turn::<0b00_11_10_01>();
                let second = words::<R, 3>(message, before);
                let of_round = [x, y, first, second];
                let next = match R + 1 < ROUNDS {
                    true => words::<R, 4>(message, of_round),
                    false => Row::same(&[0; 4]),
                };
                let [a, b, c, d] = g([a, b, c, d], second, next);
                let a = a.turn::<0b00_11_10_01>();
                let d = d.turn::<0b01_00_11_10>();
                let c = c.turn::<0b10_01_00_11>();
                ([a, b, c, d], of_round, next)
            }

            let x = words::<0, 0>(message, [h[0]; 4]);
            let v = [
                h[0].add(x),
                h[1],
                Row::same(&[IV[0], IV[1], IV[2], IV[3]]),
                last.xor(Row::same(&LAST_ROW)),
            ];
            let mut s = (v, v, x);
            unroll!(s = round(message, s), 12 times);
            s.0
        }
    };
}

/// Defines `words`, which returns a part of [`words_of`] of round `R`. `before` are parts 0 to 3 of
/// the round before, for part 4 of the same round.
macro_rules! words {
    // `word` returns word `i` of the message in lane `lane` and arbitrary words in the other lanes.
    ($features:literal, $Message:ty, word $word:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn words<const R: usize, const PART: usize>(message: &$Message, _: [Row; 4]) -> Row {
            let [i, j, k, l] = const { words_of(&SIGMA, R, PART) };
            Row::assemble([
                $word(message, i, 0),
                $word(message, j, 1),
                $word(message, k, 2),
                $word(message, l, 3),
            ])
        }
    };
    // In BLAKE3 the words of a round are those of the round before in another order, the same for
    // all rounds (the BLAKE3 paper §2.2, Table 2): nine instructions a round instead of 28.
    ($features:literal, $Message:ty, permuted by $pick:ident, $blend:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn words<const R: usize, const PART: usize>(message: &$Message, before: [Row; 4]) -> Row {
            let [p, q, r, s] = *message;
            // Before are words 6, 0, 2, 4; 1, 3, 5, 7; 8, 10, 12, 14; 15, 9, 11, 13. In round 0 the
            // first four are not turned.
            let [a, Row(b), Row(c), Row(d)] = before;
            let Row(a) = if R + PART / 4 == 1 { a.turn::<0b10_01_00_11>() } else { a };
            Row(match (R + PART / 4, PART % 4) {
                (0, 0) => $pick::<0b10_00_10_00>(p, q),
                (0, 1) => $pick::<0b11_01_11_01>(p, q),
                (0, 2) => $pick::<0b10_00_10_00>(r, s),
                (0, _) => return Row($pick::<0b11_01_11_01>(r, s)).turn::<0b10_01_00_11>(),
                (_, 0) => $pick::<0b11_01_10_11>(a, b), // words 4, 2, 3 and 7
                (_, 1) => {
                    let words = $blend::<0b00_00_11_00>($pick::<0b01_01_00_00>(a, a), c);
                    $blend::<0b11_00_00_00>(words, d) // words 6, 10, 0 and 13
                }
                // Words 1, 12, 9 and 15.
                (_, 2) => $pick::<0b00_01_10_00>($blend::<0b00_11_00_00>(b, c), d),
                _ => {
                    let words = $blend::<0b00_11_00_00>(c, b);
                    // Words 8, 11, 5 and 14.
                    $blend::<0b00_00_11_00>(words, $pick::<0b10_10_10_10>(d, d))
                }
            })
        }
    };
}

/// Defines what becomes of the rows after the rounds.
macro_rules! results {
    ($features:literal, $word:ident) => {
        /// Returns the new chaining value.
        #[inline]
        #[target_feature(enable = $features)]
        fn value(h: [Row; 2], [a, b, c, d]: [Row; 4]) -> [Row; 2] {
            match ADDS_OLD {
                true => [h[0].xor3(a, c), h[1].xor3(b, d)],
                false => [a.xor(c), b.xor(d)],
            }
        }

        /// Writes the second half of a block of output (the BLAKE3 paper §2.6).
        #[inline]
        #[target_feature(enable = $features)]
        fn extend(h: [Row; 2], [_, _, c, d]: [Row; 4], state: &mut [$word]) {
            c.xor(h[0]).write(state, 2);
            d.xor(h[1]).write(state, 3);
        }
    };
}

/// Defines `absorb`, which absorbs every block (RFC 7693 §3.3; the BLAKE3 paper §2.4). The state has
/// the layout of [`kernel`](super::kernel), whose constants say what differs for BLAKE3. `$whole`
/// makes of a block the message that `compress` takes.
macro_rules! absorb {
    ($features:literal, $word:ident, block $block:literal, message $whole:ident) => {
        results! { $features, $word }

        #[target_feature(enable = $features)]
        pub(crate) fn absorb(state: &mut [$word], shape: Shape, input: &Input<'_>) {
            let [bytes] = lanes::<1>(input);
            let mut h = [Row(stored(state, 0)), Row(stored(state, 1))];
            let mut last = last_row(state);
            let mut block = 0;
            while block < input.blocks {
                let message: &[u8; $block] =
                    bytes[block * input.stride..].first_chunk().expect("a block");
                let message = $whole(message);
                last = counted(last);
                let rows = compress(h, &message, Row::same(&last));
                if extends(shape) {
                    extend(h, rows, state);
                }
                h = value(h, rows);
                last[3] &= !FIRST_ONLY;
                block += 1;
            }
            h[0].write(state, 0);
            h[1].write(state, 1);
            if COUNTS {
                [state[8], state[9]] = [last[0], last[1]];
            }
            if FIRST_ONLY != 0 && !extends(shape) {
                state[11] = last[3];
            }
        }

        /// Returns the counter and the flags. `black_box` prevents the optimiser from loading both
        /// flags at once, because that load would wait for the two stores of the flags.
        #[inline(always)]
        fn last_row(state: &[$word]) -> [$word; 4] {
            [state[8], state[9], state[10], black_box(state[11])]
        }

        /// Adds one block to the counter, if it counts.
        #[inline(always)]
        fn counted([low, high, f0, f1]: [$word; 4]) -> [$word; 4] {
            let (low, carry) = low.overflowing_add(if COUNTS { $block } else { 0 });
            [low, high.wrapping_add(carry as $word), f0, f1]
        }
    };
}

/// Defines `absorb` for several messages, each in its own part of every vector, and the number of
/// them. `count` adds one block to every counter.
macro_rules! absorb_several {
    ($features:literal, $word:ident, $name:literal for $needs:ident, $messages:literal messages) => {
        results! { $features, $word }

        pub(crate) const STAMP: Stamp<$word> =
            Stamp { name: $name, needs: Isa::$needs, lanes: $messages, gathered: 0, rows: None };

        #[target_feature(enable = $features)]
        pub(crate) fn absorb(state: &mut [$word], shape: Shape, input: &Input<'_>) {
            let inputs = lanes::<$messages>(input);
            let mut h = [Row::read(state, 0), Row::read(state, 1)];
            let mut last = Row::read(state, 2);
            let mut block = 0;
            while block < input.blocks {
                let message = gather(&array_of(inputs, block * input.stride));
                if COUNTS {
                    last = Row(count(last.0));
                }
                let rows = compress(h, &message, last);
                if extends(shape) {
                    extend(h, rows, state);
                }
                h = value(h, rows);
                if FIRST_ONLY != 0 {
                    last = last.and(Row::same(&[$word::MAX, $word::MAX, $word::MAX, !FIRST_ONLY]));
                }
                block += 1;
            }
            h[0].write(state, 0);
            h[1].write(state, 1);
            if COUNTS || FIRST_ONLY != 0 && !extends(shape) {
                last.write(state, 2);
            }
        }
    };
}

/// Defines `absorb_last`, which absorbs the last bytes of a message, at most a block, with zeros after
/// them.
macro_rules! absorb_last {
    ($features:literal, $word:ident) => {
        #[target_feature(enable = $features)]
        pub(crate) fn absorb_last(state: &mut [$word], bytes: &[u8], _: u128) {
            let h = [Row(stored(state, 0)), Row(stored(state, 1))];
            let last = counted(last_row(state));
            let h = value(h, compress_last(h, &padded(bytes), Row::same(&last)));
            h[0].write(state, 0);
            h[1].write(state, 1);
        }
    };
}

/// Defines `padded` of AVX2 for words of 32 bits. It is a macro because a function with two callers is
/// not inlined, and `inline(always)` does not go with target features.
macro_rules! padded32 {
    () => {
        /// Loads the bytes, and zeros after them, into four registers. `hidden` prevents the
        /// compiler from writing words of general registers to memory.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn padded(bytes: &[u8]) -> [__m128i; 4] {
            let mut message = [_mm_setzero_si128(); 4];
            let mut i = 0;
            while i < 4 {
                let [a, b] = sixteen(bytes, 16 * i);
                message[i] =
                    _mm256_castsi256_si128(hidden(_mm256_castsi128_si256(_mm_set_epi64x(b, a))));
                i += 1;
            }
            message
        }
    };
}

/// Defines `shuffled`, which returns word `i` of a message in four registers, in all four lanes.
macro_rules! shuffled {
    ($features:literal, $vector:ident by $shuffle:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(in crate::blake2::x86_rows) fn shuffled(
            message: &[$vector; 4],
            i: usize,
            _: usize,
        ) -> $vector {
            let words = message[i / 4];
            match i % 4 {
                0 => $shuffle::<0b00_00_00_00>(words),
                1 => $shuffle::<0b01_01_01_01>(words),
                2 => $shuffle::<0b10_10_10_10>(words),
                _ => $shuffle::<0b11_11_11_11>(words),
            }
        }
    };
}

/// Defines `pick`, which returns two lanes of the first vector and two of the second, those that
/// `ORDER` names with two bits each.
#[cfg(feature = "blake3")]
macro_rules! pick {
    ($features:literal, $vector:ident by $shuffle:ident, $of_floats:ident, $to_floats:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(in crate::blake2::x86_rows) fn pick<const ORDER: i32>(
            a: $vector,
            b: $vector,
        ) -> $vector {
            $of_floats($shuffle::<ORDER>($to_floats(a), $to_floats(b)))
        }
    };
}

/// Returns 16 bytes from byte `at` on as two little-endian words, with zeros after the end of
/// `bytes`.
#[inline(always)]
fn sixteen(bytes: &[u8], at: usize) -> [i64; 2] {
    let bytes = bytes.get(at..).unwrap_or_default();
    let word = match bytes.first_chunk() {
        Some(&bytes) => u128::from_le_bytes(bytes),
        None => fewer(bytes),
    };
    [word as i64, (word >> 64) as i64]
}

/// Returns up to 15 bytes as a little-endian word.
#[inline(always)]
fn fewer(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let (Some(&first), Some(&last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from_le_bytes(first) as u128 | (u64::from_le_bytes(last) as u128) << (8 * (n - 8))
    } else if let (Some(&first), Some(&last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u32::from_le_bytes(first) as u128 | (u32::from_le_bytes(last) as u128) << (8 * (n - 4))
    } else if n > 0 {
        bytes[0] as u128
            | (bytes[n / 2] as u128) << (8 * (n / 2))
            | (bytes[n - 1] as u128) << (8 * (n - 1))
    } else {
        0
    }
}

/// BLAKE2b.
#[cfg(feature = "blake2")]
pub(crate) mod b {
    use super::{sixteen, words_of};
    use crate::backend::{Input, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::b::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::b::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use crate::simd::x86::{ROTR64_16, ROTR64_24, ROTR64_32, hidden, order};
    #[cfg(miri)]
    use crate::simd::x86_miri::_mm256_ternarylogic_epi64;
    #[cfg(hashmill_msan)]
    use crate::simd::x86_msan::_mm256_ternarylogic_epi64;
    use core::arch::x86_64::*;
    use core::convert::identity;
    use core::hint::black_box;

    /// Loads word `i` of the message into lane `lane`: together with its neighbours if the message
    /// has them, else into all four lanes. The words are loaded from memory instead of shuffled in
    /// registers, because the shuffles cost 17 cycles a block with AVX-512VL.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn loaded(message: &[u8; 128], i: usize, lane: usize) -> __m256i {
        if i >= lane && i - lane <= 12 {
            load(message, i - lane)
        } else {
            let word = message[8 * i..].first_chunk().expect("a word");
            _mm256_set1_epi64x(i64::from_le_bytes(*word))
        }
    }

    /// Loads four words of the message from word `i` on.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn load(message: &[u8; 128], i: usize) -> __m256i {
        let words: &[u8; 32] = message[8 * i..].first_chunk().expect("four words");
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    shuffled! { "avx2", __m256i by _mm256_permute4x64_epi64 }

    /// Returns a row that is not part of the state.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn row(words: &[u64; 4]) -> __m256i {
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    /// Loads a row of the state in halves of 16 bytes, because it was stored in such halves.
    /// `hidden` prevents the optimiser from loading both at once.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn stored(words: &[u64], row: usize) -> __m256i {
        let words: &[u64; 4] = words[4 * row..].first_chunk().expect("a row");
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        let low = unsafe { _mm256_castsi128_si256(_mm_loadu_si128(words.as_ptr().cast())) };
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        let high = unsafe { _mm256_castsi128_si256(_mm_loadu_si128(words[2..].as_ptr().cast())) };
        _mm256_permute2x128_si256::<0x20>(low, hidden(high))
    }

    /// Turns a row. `hidden` conceals the order, because the optimiser would otherwise turn row a
    /// and the words that are added to it separately.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn turn<const ORDER: i32>(v: __m256i) -> __m256i {
        /// Returns lane `n` as two lanes of 32 bits.
        const fn halves(n: i32) -> i64 {
            (2 * n as i64) | (2 * n as i64 + 1) << 32
        }
        _mm256_permutevar8x32_epi32(
            v,
            hidden(_mm256_set_epi64x(
                halves(ORDER >> 6 & 3),
                halves(ORDER >> 4 & 3),
                halves(ORDER >> 2 & 3),
                halves(ORDER & 3),
            )),
        )
    }

    pub(crate) mod avx512vl {
        use super::*;
        row! {
            "avx512f,avx512bw,avx512vl", 4 of u64 in __m256i,
            load _mm256_loadu_si256, store _mm256_storeu_si256, arrange identity, restore identity,
            same row, add _mm256_add_epi64, xor _mm256_xor_si256, and _mm256_and_si256,
            blend _mm256_blend_epi32, turn turn,
            xor3 |a, b, c| _mm256_ternarylogic_epi64::<0x96>(a, b, c),
            rotr |v| { _ => _mm256_ror_epi64::<N>(v), }
            shifts |x, y| {
                32 => _mm256_shuffle_epi32::<0b10_11_00_01>(_mm256_xor_si256(x, y)),
                63 => _mm256_ror_epi64::<63>(_mm256_xor_si256(x, y)),
                _ => _mm256_ternarylogic_epi64::<0x96>(
                    _mm256_ror_epi64::<N>(x),
                    hidden(_mm256_srlv_epi64(y, _mm256_set1_epi64x(N as i64))),
                    _mm256_sllv_epi64(y, _mm256_set1_epi64x(64 - N as i64)),
                ),
            }
        }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [u8; 128], word loaded }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m256i; 4], word shuffled }
        absorb! { "avx512f,avx512bw,avx512vl", u64, block 128, message identity }
        absorb_last! { "avx512f,avx512bw,avx512vl", u64 }

        /// Loads the bytes, and zeros after them, into four registers.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        pub(in crate::blake2::x86_rows) fn padded(bytes: &[u8]) -> [__m256i; 4] {
            let mut message = [_mm256_setzero_si256(); 4];
            let mut i = 0;
            while i < 4 && bytes.len() > 32 * i {
                let bytes = &bytes[32 * i..];
                let mask = ((1u64 << bytes.len().min(32)) - 1) as u32;
                // SAFETY: only the bytes under the mask are loaded, no more than there are.
                message[i] = unsafe { _mm256_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
                i += 1;
            }
            message
        }
    }

    /// With shifts instead of rotations, for Zen 4.
    pub(crate) mod shifts {
        use super::avx512vl::{Row, padded};
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [u8; 128], word loaded }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m256i; 4], word shuffled }
        absorb! { "avx512f,avx512bw,avx512vl", u64, block 128, message identity }
        absorb_last! { "avx512f,avx512bw,avx512vl", u64 }
    }

    pub(crate) mod avx2 {
        use super::*;
        row! {
            "avx2", 4 of u64 in __m256i,
            load _mm256_loadu_si256, store _mm256_storeu_si256, arrange identity, restore identity,
            same row, add _mm256_add_epi64, xor _mm256_xor_si256, and _mm256_and_si256,
            blend _mm256_blend_epi32, turn turn,
            xor3 |a, b, c| _mm256_xor_si256(_mm256_xor_si256(a, c), b),
            rotr |v| {
                16 => _mm256_shuffle_epi8(v, order(ROTR64_16)),
                24 => _mm256_shuffle_epi8(v, order(ROTR64_24)),
                32 => _mm256_shuffle_epi8(v, order(ROTR64_32)),
                _ => _mm256_or_si256(_mm256_srli_epi64::<63>(v), _mm256_add_epi64(v, v)),
            }
        }
        compress! { compress, "avx2", rotate xor_rotr, message [u8; 128], word loaded }
        compress! { compress_last, "avx2", rotate xor_rotr, message [__m256i; 4], word shuffled }
        absorb! { "avx2", u64, block 128, message identity }
        absorb_last! { "avx2", u64 }

        /// Loads the bytes, and zeros after them, into four registers. `hidden` prevents the
        /// compiler from writing words of general registers to memory.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn padded(bytes: &[u8]) -> [__m256i; 4] {
            let mut message = [_mm256_setzero_si256(); 4];
            let mut i = 0;
            while i < 4 {
                let [a, b] = sixteen(bytes, 32 * i);
                let [c, d] = sixteen(bytes, 32 * i + 16);
                message[i] = hidden(_mm256_set_epi64x(d, c, b, a));
                i += 1;
            }
            message
        }
    }
}

/// BLAKE2b on two messages.
#[cfg(feature = "blake2")]
pub(crate) mod b_two {
    use super::b::load;
    use super::words_of;
    use crate::backend::{Input, array_of, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::b::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::b::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use crate::simd::x86::hidden512;
    #[cfg(hashmill_msan)]
    use crate::simd::x86_msan::_mm512_ternarylogic_epi64;
    use crate::simd::{Isa, Stamp};
    use core::arch::x86_64::*;

    pub(crate) mod avx512 {
        use super::*;
        row! {
            "avx512f,avx512bw,avx512vl", 8 of u64 in __m512i,
            load _mm512_loadu_si512, store _mm512_storeu_si512, arrange arrange, restore restore,
            same same, add _mm512_add_epi64, xor _mm512_xor_si512, and _mm512_and_si512,
            blend blend, turn _mm512_permutex_epi64,
            xor3 |a, b, c| _mm512_ternarylogic_epi64::<0x96>(a, b, c),
            rotr |v| { _ => _mm512_ror_epi64::<N>(v), }
        }
        shuffled! { "avx512f,avx512bw,avx512vl", __m512i by _mm512_permutex_epi64 }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m512i; 4], word shuffled }
        absorb_several! { "avx512f,avx512bw,avx512vl", u64, "avx512" for AVX512, 2 messages }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn arrange(v: __m512i) -> __m512i {
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v)
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn restore(v: __m512i) -> __m512i {
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v)
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn same(&[a, b, c, d]: &[u64; 4]) -> __m512i {
            let [a, b, c, d] = [a as i64, b as i64, c as i64, d as i64];
            _mm512_setr_epi64(a, b, c, d, a, b, c, d)
        }

        /// Does what `_mm256_blend_epi32` does, for each message.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn blend<const MASK: i32>(a: __m512i, b: __m512i) -> __m512i {
            _mm512_mask_blend_epi32((MASK | MASK << 8) as u16, a, b)
        }

        /// Loads the block of both messages.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn gather(blocks: &[&[u8; 128]; 2]) -> [__m512i; 4] {
            let mut message = [_mm512_setzero_si512(); 4];
            let mut i = 0;
            while i < 4 {
                let (a, b) = (load(blocks[0], 4 * i), load(blocks[1], 4 * i));
                message[i] = hidden512(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b));
                i += 1;
            }
            message
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn count(last: __m512i) -> __m512i {
            let block = same(&[128, 0, 0, 0]);
            let sum = _mm512_add_epi64(last, block);
            let carry = _mm512_cmplt_epu64_mask(sum, block);
            _mm512_mask_add_epi64(sum, carry << 1, sum, _mm512_set1_epi64(1))
        }
    }
}

/// BLAKE2s.
pub(crate) mod s {
    use super::{sixteen, words_of};
    use crate::backend::{Input, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::s::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::s::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use crate::simd::x86::{ROTR32_8, ROTR32_16, hidden, hidden128, order};
    #[cfg(hashmill_msan)]
    use crate::simd::x86_msan::_mm_ternarylogic_epi32;
    use core::arch::x86_64::*;
    use core::convert::identity;
    use core::hint::black_box;

    /// Loads word `i` of the message into lane `lane`: together with its neighbours if the message
    /// has them, else into all four lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn loaded(message: &[u8; 64], i: usize, lane: usize) -> __m128i {
        if i >= lane && i - lane <= 12 {
            load(message, i - lane)
        } else {
            let word = message[4 * i..].first_chunk().expect("a word");
            _mm_set1_epi32(i32::from_le_bytes(*word))
        }
    }

    /// Loads a row of the state.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn stored(words: &[u32], row: usize) -> __m128i {
        let words: &[u32; 4] = words[4 * row..].first_chunk().expect("a row");
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    /// Loads four words of the message from word `i` on.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn load(message: &[u8; 64], i: usize) -> __m128i {
        let words: &[u8; 16] = message[4 * i..].first_chunk().expect("four words");
        // SAFETY: the reference covers the whole vector; no alignment is asked for.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    shuffled! { "sse2", __m128i by _mm_shuffle_epi32 }

    /// Loads the message. With AVX2 shuffles cost no more than loads of single words.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn whole(message: &[u8; 64]) -> [__m128i; 4] {
        [load(message, 0), load(message, 4), load(message, 8), load(message, 12)]
    }

    /// Returns a row that is not part of the state.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn row(words: &[u32; 4]) -> __m128i {
        stored(words, 0)
    }

    pub(crate) mod avx512vl {
        use super::*;
        row! {
            "avx512f,avx512bw,avx512vl", 4 of u32 in __m128i,
            load _mm_loadu_si128, store _mm_storeu_si128, arrange identity, restore identity,
            same row, add _mm_add_epi32, xor _mm_xor_si128, and _mm_and_si128,
            blend _mm_blend_epi16, turn _mm_shuffle_epi32,
            xor3 |a, b, c| _mm_ternarylogic_epi32::<0x96>(a, b, c),
            rotr |v| { _ => _mm_ror_epi32::<N>(v), }
            shifts |x, y| {
                _ => _mm_ternarylogic_epi32::<0x96>(
                    _mm_ror_epi32::<N>(x),
                    hidden128(_mm_srlv_epi32(y, _mm_set1_epi32(N))),
                    _mm_sllv_epi32(y, _mm_set1_epi32(32 - N)),
                ),
            }
        }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [u8; 64], word loaded }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m128i; 4], word shuffled }
        absorb! { "avx512f,avx512bw,avx512vl", u32, block 64, message identity }
        absorb_last! { "avx512f,avx512bw,avx512vl", u32 }

        /// Loads the bytes, and zeros after them, into four registers.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        pub(in crate::blake2::x86_rows) fn padded(bytes: &[u8]) -> [__m128i; 4] {
            let mut message = [_mm_setzero_si128(); 4];
            let mut i = 0;
            while i < 4 && bytes.len() > 16 * i {
                let bytes = &bytes[16 * i..];
                let mask = ((1u32 << bytes.len().min(16)) - 1) as u16;
                // SAFETY: only the bytes under the mask are loaded, no more than there are.
                message[i] = unsafe { _mm_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
                i += 1;
            }
            message
        }
    }

    /// With shifts instead of rotations, for Zen 4.
    pub(crate) mod shifts {
        use super::avx512vl::{Row, padded};
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [u8; 64], word loaded }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m128i; 4], word shuffled }
        absorb! { "avx512f,avx512bw,avx512vl", u32, block 64, message identity }
        absorb_last! { "avx512f,avx512bw,avx512vl", u32 }
    }

    pub(crate) mod avx2 {
        use super::*;
        row! {
            "avx2", 4 of u32 in __m128i,
            load _mm_loadu_si128, store _mm_storeu_si128, arrange identity, restore identity,
            same row, add _mm_add_epi32, xor _mm_xor_si128, and _mm_and_si128,
            blend _mm_blend_epi16, turn _mm_shuffle_epi32,
            xor3 |a, b, c| _mm_xor_si128(_mm_xor_si128(a, c), b),
            rotr |v| {
                8 => _mm_shuffle_epi8(v, _mm256_castsi256_si128(order(ROTR32_8))),
                16 => _mm_shuffle_epi8(v, _mm256_castsi256_si128(order(ROTR32_16))),
                12 => _mm_or_si128(_mm_srli_epi32::<12>(v), _mm_slli_epi32::<20>(v)),
                _ => _mm_or_si128(_mm_srli_epi32::<7>(v), _mm_slli_epi32::<25>(v)),
            }
        }
        compress! { compress, "avx2", rotate xor_rotr, message [__m128i; 4], word shuffled }
        compress! { compress_last, "avx2", rotate xor_rotr, message [__m128i; 4], word shuffled }
        absorb! { "avx2", u32, block 64, message whole }
        absorb_last! { "avx2", u32 }

        padded32! {}
    }
}

/// BLAKE2s on two and on four messages.
pub(crate) mod s_several {
    use super::s::{load, row};
    use super::words_of;
    use crate::backend::{Input, array_of, lanes};
    use crate::blake2::kernel::SIGMA2 as SIGMA;
    use crate::blake2::kernel::s::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::s::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use crate::simd::x86::{ROTR32_8, ROTR32_16, hidden, hidden512, order};
    #[cfg(hashmill_msan)]
    use crate::simd::x86_msan::{_mm256_ternarylogic_epi32, _mm512_ternarylogic_epi32};
    use crate::simd::{Isa, Stamp};
    use core::arch::x86_64::*;

    /// Four messages in vectors of 512 bits.
    pub(crate) mod avx512 {
        use super::*;
        row! {
            "avx512f,avx512bw,avx512vl", 16 of u32 in __m512i,
            load _mm512_loadu_si512, store _mm512_storeu_si512, arrange transpose,
            restore transpose, same same, add _mm512_add_epi32, xor _mm512_xor_si512,
            and _mm512_and_si512, blend blend, turn _mm512_shuffle_epi32,
            xor3 |a, b, c| _mm512_ternarylogic_epi32::<0x96>(a, b, c),
            rotr |v| { _ => _mm512_ror_epi32::<N>(v), }
        }
        shuffled! { "avx512f,avx512bw,avx512vl", __m512i by _mm512_shuffle_epi32 }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m512i; 4], word shuffled }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512" for AVX512, 4 messages }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn transpose(v: __m512i) -> __m512i {
            let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            _mm512_permutexvar_epi32(order, v)
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn same(words: &[u32; 4]) -> __m512i {
            _mm512_broadcast_i32x4(row(words))
        }

        /// Does what `_mm_blend_epi16` does, for each message.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        pub(in crate::blake2::x86_rows) fn blend<const MASK: i32>(
            a: __m512i,
            b: __m512i,
        ) -> __m512i {
            _mm512_mask_blend_epi16(MASK as u32 * 0x0101_0101, a, b)
        }

        /// Loads the block of every message.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        pub(in crate::blake2::x86_rows) fn gather(blocks: &[&[u8; 64]; 4]) -> [__m512i; 4] {
            let mut message = [_mm512_setzero_si512(); 4];
            let mut i = 0;
            while i < 4 {
                let (a, b) = (load(blocks[0], 4 * i), load(blocks[1], 4 * i));
                let (c, d) = (load(blocks[2], 4 * i), load(blocks[3], 4 * i));
                let words = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
                message[i] =
                    hidden512(_mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(words, c), d));
                i += 1;
            }
            message
        }

        /// A counter is one word of 64 bits.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        pub(in crate::blake2::x86_rows) fn count(last: __m512i) -> __m512i {
            _mm512_add_epi64(last, same(&[64, 0, 0, 0]))
        }
    }

    pub(crate) mod avx512vl {
        use super::*;
        row! {
            "avx512f,avx512bw,avx512vl", 8 of u32 in __m256i,
            load _mm256_loadu_si256, store _mm256_storeu_si256, arrange arrange, restore restore,
            same same, add _mm256_add_epi32, xor _mm256_xor_si256, and _mm256_and_si256,
            blend _mm256_blend_epi16, turn _mm256_shuffle_epi32,
            xor3 |a, b, c| _mm256_ternarylogic_epi32::<0x96>(a, b, c),
            rotr |v| { _ => _mm256_ror_epi32::<N>(v), }
            shifts |x, y| {
                _ => _mm256_ternarylogic_epi32::<0x96>(
                    _mm256_ror_epi32::<N>(x),
                    hidden(_mm256_srlv_epi32(y, _mm256_set1_epi32(N))),
                    _mm256_sllv_epi32(y, _mm256_set1_epi32(32 - N)),
                ),
            }
        }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m256i; 4], word shuffled }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512vl" for AVX512, 2 messages }
    }

    /// With shifts instead of rotations, for Zen 4.
    pub(crate) mod shifts {
        use super::avx512vl::Row;
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m256i; 4], word shuffled }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512" for AVX512, 2 messages }
    }

    pub(crate) mod avx2 {
        use super::*;
        row! {
            "avx2", 8 of u32 in __m256i,
            load _mm256_loadu_si256, store _mm256_storeu_si256, arrange arrange, restore restore,
            same same, add _mm256_add_epi32, xor _mm256_xor_si256, and _mm256_and_si256,
            blend _mm256_blend_epi16, turn _mm256_shuffle_epi32,
            xor3 |a, b, c| _mm256_xor_si256(_mm256_xor_si256(a, c), b),
            rotr |v| {
                8 => _mm256_shuffle_epi8(v, order(ROTR32_8)),
                16 => _mm256_shuffle_epi8(v, order(ROTR32_16)),
                12 => _mm256_or_si256(_mm256_srli_epi32::<12>(v), _mm256_slli_epi32::<20>(v)),
                _ => _mm256_or_si256(_mm256_srli_epi32::<7>(v), _mm256_slli_epi32::<25>(v)),
            }
        }
        compress! { compress, "avx2", rotate xor_rotr, message [__m256i; 4], word shuffled }
        absorb_several! { "avx2", u32, "avx2" for AVX2, 2 messages }
    }

    // What the rows of two messages share.

    shuffled! { "avx2", __m256i by _mm256_shuffle_epi32 }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn arrange(v: __m256i) -> __m256i {
        _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn restore(v: __m256i) -> __m256i {
        _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn same(words: &[u32; 4]) -> __m256i {
        _mm256_broadcastsi128_si256(row(words))
    }

    /// Loads the block of both messages.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn gather(blocks: &[&[u8; 64]; 2]) -> [__m256i; 4] {
        let mut message = [_mm256_setzero_si256(); 4];
        let mut i = 0;
        while i < 4 {
            let (a, b) = (load(blocks[0], 4 * i), load(blocks[1], 4 * i));
            message[i] = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), b);
            i += 1;
        }
        message
    }

    /// A counter is one word of 64 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn count(last: __m256i) -> __m256i {
        _mm256_add_epi64(last, same(&[64, 0, 0, 0]))
    }
}

/// BLAKE3, with the rows of BLAKE2s.
#[cfg(feature = "blake3")]
pub(crate) mod blake3 {
    use super::s::{loaded, stored, whole};
    use super::words_of;
    use crate::backend::{Input, lanes};
    use crate::blake2::kernel::SIGMA3 as SIGMA;
    use crate::blake2::kernel::blake3::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::blake3::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use core::arch::x86_64::{
        __m128i, _mm_blend_epi16 as blend, _mm_castps_si128, _mm_castsi128_ps, _mm_shuffle_ps,
    };
    use core::convert::identity;
    use core::hint::black_box;

    pick! { "sse2", __m128i by _mm_shuffle_ps, _mm_castps_si128, _mm_castsi128_ps }

    pub(crate) mod avx512vl {
        use super::super::s::avx512vl::{Row, padded};
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [u8; 64], word loaded }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m128i; 4], permuted by pick, blend }
        absorb! { "avx512f,avx512bw,avx512vl", u32, block 64, message identity }
        absorb_last! { "avx512f,avx512bw,avx512vl", u32 }
    }

    pub(crate) mod shifts {
        use super::super::s::avx512vl::{Row, padded};
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m128i; 4], permuted by pick, blend }
        compress! { compress_last, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m128i; 4], permuted by pick, blend }
        absorb! { "avx512f,avx512bw,avx512vl", u32, block 64, message whole }
        absorb_last! { "avx512f,avx512bw,avx512vl", u32 }
    }

    pub(crate) mod avx2 {
        use super::super::s::avx2::Row;
        use super::super::sixteen;
        use super::*;
        use crate::simd::x86::hidden;
        use core::arch::x86_64::{
            _mm_set_epi64x, _mm_setzero_si128, _mm256_castsi128_si256, _mm256_castsi256_si128,
        };
        compress! { compress, "avx2", rotate xor_rotr, message [__m128i; 4], permuted by pick, blend }
        compress! { compress_last, "avx2", rotate xor_rotr, message [__m128i; 4], permuted by pick, blend }
        absorb! { "avx2", u32, block 64, message whole }
        absorb_last! { "avx2", u32 }
        padded32! {}
    }
}

/// BLAKE3 on two and on four messages, with the rows of BLAKE2s.
#[cfg(feature = "blake3")]
pub(crate) mod blake3_several {
    use super::s_several::{count, gather};
    use crate::backend::{Input, array_of, lanes};
    use crate::blake2::kernel::blake3::{ADDS_OLD, COUNTS, FIRST_ONLY, Shape, extends};
    use crate::blake2::kernel::blake3::{IV, LAST_ROW, ROTATIONS, ROUNDS};
    use crate::simd::{Isa, Stamp};
    use core::arch::x86_64::*;

    pub(crate) mod avx512 {
        use super::super::s_several::avx512::{Row, blend, count, gather};
        use super::*;
        pick! { "avx512f,avx512bw,avx512vl", __m512i by _mm512_shuffle_ps, _mm512_castps_si512, _mm512_castsi512_ps }
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m512i; 4], permuted by pick, blend }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512" for AVX512, 4 messages }
    }

    pub(crate) mod avx512vl {
        use super::super::s_several::avx512vl::Row;
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_rotr, message [__m256i; 4], permuted by pick, blend }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512vl" for AVX512, 2 messages }
    }

    pub(crate) mod shifts {
        use super::super::s_several::avx512vl::Row;
        use super::*;
        compress! { compress, "avx512f,avx512bw,avx512vl", rotate xor_shifts, message [__m256i; 4], permuted by pick, blend }
        absorb_several! { "avx512f,avx512bw,avx512vl", u32, "avx512" for AVX512, 2 messages }
    }

    pub(crate) mod avx2 {
        use super::super::s_several::avx2::Row;
        use super::*;
        compress! { compress, "avx2", rotate xor_rotr, message [__m256i; 4], permuted by pick, blend }
        absorb_several! { "avx2", u32, "avx2" for AVX2, 2 messages }
    }

    // What the rows of two messages share.

    use _mm256_blend_epi16 as blend;
    pick! { "avx2", __m256i by _mm256_shuffle_ps, _mm256_castps_si256, _mm256_castsi256_ps }
}
