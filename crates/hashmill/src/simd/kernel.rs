//! The stamping macros: a kernel is written once over a word `W`, and a macro stamps it into one
//! module for each instruction set. **The rows below are the only list of the instruction sets for
//! which kernels are stamped.**
//!
//! A kernel is a sequence of functions. In the portable row each of them becomes a `const fn`, in
//! the other rows a safe `#[target_feature]` function. A kernel contains no closures, no iterators
//! and no `for`, because these are not `const`: use `while` and [`unroll!`].
//!
//! Helpers are `#[inline]`. The functions that a backend names are not, so that they are compiled
//! in this crate and not in every crate that hashes.
//!
//! Every stamped module contains `W` (the word), `Word` (`u32` or `u64`, the type of one lane) and
//! `LANES`.

macro_rules! kernel32 { ($($text:tt)*) => {
    stamp! { portable = "portable", NONE, crate::simd::scalar::U32, u32, const, { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { bmi2 = "bmi2", BMI2, crate::simd::scalar::U32, u32, "bmi1,bmi2", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx2 = "avx2", AVX2, crate::simd::x86::avx2::U32, u32, "avx2", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx512vl = "avx512vl", AVX512, crate::simd::x86::avx512vl::U32, u32, "avx512f,avx512bw,avx512vl", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx512 = "avx512", AVX512, crate::simd::x86::avx512::U32, u32, "avx512f,avx512bw,avx512vl", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    kernel32_two! { $($text)* }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    stamp! { neon = "neon", V128, crate::simd::v128::U32, u32, "neon", { $($text)* } }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    stamp! { simd128 = "simd128", V128, crate::simd::v128::U32, u32, "simd128", { $($text)* } }
} }

/// Two vectors as one word.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel32_two { ($($text:tt)*) => {
    stamp! { avx512two = "avx512", AVX512, crate::simd::x86_two::avx512::U32, u32, "avx512f,avx512bw,avx512vl", { $($text)* } }
} }

macro_rules! kernel64 { ($($text:tt)*) => {
    stamp! { portable = "portable", NONE, crate::simd::scalar::U64, u64, const, { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { bmi2 = "bmi2", BMI2, crate::simd::scalar::U64, u64, "bmi1,bmi2", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx2 = "avx2", AVX2, crate::simd::x86::avx2::U64, u64, "avx2", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx512vl = "avx512vl", AVX512, crate::simd::x86::avx512vl::U64, u64, "avx512f,avx512bw,avx512vl", { $($text)* } }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx512 = "avx512", AVX512, crate::simd::x86::avx512::U64, u64, "avx512f,avx512bw,avx512vl", { $($text)* } }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    stamp! { neon = "neon", V128, crate::simd::v128::U64, u64, "neon", { $($text)* } }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    stamp! { sha3 = "sha3", SHA3, crate::simd::v128::U64, u64, "neon,sha3", { $($text)* } }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    stamp! { simd128 = "simd128", V128, crate::simd::v128::U64, u64, "simd128", { $($text)* } }
} }

/// The same of words of 64 bits.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel64_two { ($($text:tt)*) => {
    stamp! { avx512two = "avx512", AVX512, crate::simd::x86_two::avx512::U64, u64, "avx512f,avx512bw,avx512vl", { $($text)* } }
} }

/// The rows of `kernel64`, and two vectors as one word.
macro_rules! kernel64_and_two { ($($text:tt)*) => {
    kernel64! { $($text)* }
    #[cfg(target_arch = "x86_64")]
    kernel64_two! { $($text)* }
} }

/// The rows of `kernel64`, and one lane in a vector register.
macro_rules! kernel64_and_one { ($($text:tt)*) => {
    kernel64! { $($text)* }
    #[cfg(target_arch = "x86_64")]
    stamp! { avx512one = "avx512vl", AVX512, crate::simd::x86::avx512one::U64, u64, "avx512f,avx512bw,avx512vl", { $($text)* } }
} }

/// Vectors beside 64-bit words in scalar registers. The functions can use those of the same row of
/// `$kernel`, under the name `kernel`.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel64_beside_scalar { ($kernel:ident { $($text:tt)* }) => {
    stamp! { avx2 = "avx2", AVX2, crate::simd::x86::avx2::U64, u64, "avx2,bmi1,bmi2", kernel $kernel::avx2, { $($text)* } }
    stamp! { avx512 = "avx512", AVX512, crate::simd::x86::avx512::U64, u64, "avx512f,avx512bw,avx512vl,bmi1,bmi2", kernel $kernel::avx512, { $($text)* } }
} }

/// Stamps one text into several modules, each for words of one width: `{ text } mod name: kernel32
/// { constants }`.
macro_rules! kernels { ($text:tt $($(#[$doc:meta])* mod $module:ident: $kernel:ident { $($items:tt)* })*) => {
    $($(#[$doc])* pub(crate) mod $module { $($items)* $kernel! $text })*
} }

/// Stamps one row: the functions, as `const fn` or with target features. Never with both, because a
/// `const fn` with target features cannot be called in a constant, which is evaluated without a
/// CPU.
macro_rules! stamp {
    ($module:ident = $name:literal, $needs:ident, $W:path, $word:ty, const, { $($text:tt)* }) => {
        stamp! { @ $module, $name, $needs, $W, $word, [], [const], [], { $($text)* } }
    };
    ($module:ident = $name:literal, $needs:ident, $W:path, $word:ty, $features:literal, $(kernel $kernel:path,)? { $($text:tt)* }) => {
        stamp! { @ $module, $name, $needs, $W, $word, [#[target_feature(enable = $features)]], [], [$($kernel)?], { $($text)* } }
    };
    (@ $module:ident, $name:literal, $needs:ident, $W:path, $word:ty, $features:tt, $const:tt, [$($kernel:path)?], {
        $($(#[$meta:meta])* $vis:vis fn $function:ident $(<const $n:ident: $of:ident>)? ($($args:tt)*) $(-> $ret:ty)? $body:block)*
    }) => {
        // Not every row needs every function.
        #[allow(dead_code, unused_imports)]
        pub(crate) mod $module {
            use super::*;
            $(use $kernel as kernel;)?
            use $W as W;
            type Word = $word;
            pub(crate) const LANES: usize = W::LANES;
            /// Whether the kernels take an `End`. In WebAssembly they do not, because it would add up to
            /// 0.7 KB to a module of the JavaScript package, gzipped.
            pub(crate) const TAKES_END: bool = LANES > 1 && cfg!(not(target_arch = "wasm32"));
            pub(crate) const STAMP: crate::simd::Stamp<$word> = crate::simd::Stamp {
                name: $name, needs: crate::simd::Isa::$needs, lanes: LANES,
                gathered: if TAKES_END { W::GATHERED * size_of::<$word>() } else { 0 }, rows: W::ROWS,
            };
            $(stamp! { fn $features $const { $(#[$meta])* $vis } $function [$(<const $n: $of>)?] ($($args)*) [$($ret)?] $body })*
        }
    };
    (fn [$($feature:tt)*] [$($const:tt)?] { $(#[$meta:meta])* $vis:vis } $name:ident [$($generic:tt)*] ($($args:tt)*) [$($ret:ty)?] $body:block) => {
        $(#[$meta])* $($feature)* $vis $($const)? fn $name $($generic)* ($($args)*) $(-> $ret)? $body
    };
}

/// `unroll!(I in 16 => { … })` repeats the body sixteen times, with a constant `I` from 0 to 15. A
/// constant, and not the variable of a loop, can be a generic argument (a rotation); and an array
/// that is indexed by constants stays in registers even if the optimiser does not unroll loops.
///
/// `unroll!(let i in 16 => { … })` does the same with a variable `i`, which can be an index but not
/// a generic argument. The compiler checks each constant as an item of its own, so the variable
/// compiles faster.
///
/// `unroll!(s = f(…), 12 times)` computes `s = f::<0>(…)` to `s = f::<11>(…)`.
macro_rules! unroll {
    ($s:ident = $f:ident $args:tt, $count:tt times) => { unroll!(@ $count [$f $args] $s {}) };
    (let $i:ident in $count:tt => $body:block) => { unroll!(@ $count [let] $i $body) };
    ($i:ident in $count:tt => $body:block) => { unroll!(@ $count [const] $i $body) };
    (@ 4 $kind:tt $i:ident $body:block) => { unroll!(@ $kind $i $body 0 1 2 3) };
    (@ 5 $kind:tt $i:ident $body:block) => { unroll!(@ $kind $i $body 0 1 2 3 4) };
    (@ 8 $kind:tt $i:ident $body:block) => { unroll!(@ $kind $i $body 0 1 2 3 4 5 6 7) };
    (@ 12 $kind:tt $i:ident $body:block) => { unroll!(@ $kind $i $body 0 1 2 3 4 5 6 7 8 9 10 11) };
    (@ 16 $kind:tt $i:ident $body:block) => {
        unroll!(@ $kind $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ 25 $kind:tt $i:ident $body:block) => {
        unroll!(@ $kind $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    (@ [const] $i:ident $body:block $($n:literal)*) => { $( { const $i: usize = $n; $body } )* };
    (@ [$f:ident $args:tt] $s:ident $empty:block $($n:literal)*) => { $( $s = $f::<$n> $args; )* };
    (@ [let] $i:ident $body:block $($n:literal)*) => { $( { let $i: usize = $n; $body } )* };
}

/// `repeat!(s = f(…), rolled if CONDITION)` computes `s = f::<CALLER>(s, half, …)` for both halves of
/// sixteen rounds: in a loop if the condition holds, otherwise one after the other.
///
/// Each call has a `CALLER` of its own. So `f` is a function with one caller, which the optimiser always
/// inlines, and its text is compiled once.
///
/// A kernel whose words are in memory loses nothing in a loop, and a shorter kernel leaves more of
/// the instruction cache to the code that calls it for every group of messages.
macro_rules! repeat {
    ($s:ident = $f:ident($($arg:expr),*), rolled if $rolled:expr) => {
        if $rolled {
            let mut half = 0;
            while half < 2 {
                $s = $f::<2>($s, half, $($arg),*);
                half += 1;
            }
        } else {
            $s = $f::<0>($s, 0, $($arg),*);
            $s = $f::<1>($s, 1, $($arg),*);
        }
    };
}

/// `gather!(gather_be, words, block, i)` loads words from `i` on from every lane's block, if a gather begins
/// with word `i`. It is the body of a function of each kernel, which [`message!`] calls sixteen times.
macro_rules! gather {
    ($gather:ident, $words:ident, $block:ident, $i:ident) => {
        if $i.is_multiple_of(W::GATHERED) {
            let (gathered, mut j) = (W::$gather($block, $i * size_of::<Word>()), 0);
            while j < W::GATHERED {
                $words[$i + j] = gathered[j];
                j += 1;
            }
        }
    };
}

/// `message!(gather, end_words, input, inputs, block, copied if CONDITION)` loads the sixteen words of
/// a block of every lane, and copies those of an end one by one if the condition holds.
///
/// Without the copies the compiler writes the words of every block to the place in memory where
/// `end_words` returns them. This suits a kernel whose words are in memory, and SHA-2 with one vector,
/// where registers are short. With copies BLAKE3 of 1 MiB takes 178 us instead of 185 (Zen 4).
macro_rules! message {
    (
        $gather:ident, $end_words:ident, $input:ident, $inputs:ident, $block:ident,
        copied if $copied:expr
    ) => {{
        let at = $block * $input.stride;
        match &$input.end {
            Some(end) if !$copied && TAKES_END && $block + 1 == $input.blocks => {
                $end_words($inputs, at, end)
            }
            end => {
                let mut words = [W::splat(0); 16];
                match end {
                    Some(end) if $copied && TAKES_END && $block + 1 == $input.blocks => {
                        let (of_end, mut i) = ($end_words($inputs, at, end), 0);
                        while i < 16 {
                            words[i] = of_end[i];
                            i += 1;
                        }
                    }
                    _ => {
                        let block = array_of($inputs, at);
                        unroll!(let i in 16 => { $gather(&mut words, &block, i); });
                    }
                }
                words
            }
        }
    }};
}

/// `gather_end!(gather_be, from_be_bytes, inputs, at, end)` does the same for a last block with an
/// [`End`](crate::backend::End). Each word is written once: with a function that writes those of a gather,
/// a message of 32 bytes took a tenth longer (BLAKE2b, AVX2, Xeon).
macro_rules! gather_end {
    ($gather:ident, $from_bytes:ident, $inputs:expr, $at:expr, $end:expr) => {{
        let (mut words, mut i) = ([W::splat(0); 16], 0);
        while i < 16 {
            let from = i * size_of::<Word>();
            let mut group = [W::splat(0); W::GATHERED];
            if from < $end.len {
                let part: [&[u8; W::GATHERED * size_of::<Word>()]; LANES] =
                    array_of($inputs, $at + from);
                group = W::$gather(&part, 0);
            }
            let mut j = 0;
            while j < W::GATHERED {
                words[i + j] = if from < $end.len {
                    group[j]
                } else {
                    W::splat(Word::$from_bytes(*$end.bytes(from + j * size_of::<Word>())))
                };
                j += 1;
            }
            i += W::GATHERED;
        }
        words
    }};
}
