// Keccak-p[1600] (FIPS 202 §3), the permutation of SHA-3, SHAKE and TurboSHAKE.
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/sponge.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace hashmill::detail::inline HASHMILL_MODE::keccak {

using state = std::array<std::uint64_t, 25>;

// A word of the state as lane 0 of a vector.
#if defined(__GNUC__)
typedef std::uint64_t vector_word __attribute__((vector_size(16)));
#endif

// The type of a word in the registers of a kernel at run time. Zen 4 begins four operations on
// vectors in a cycle, as many as on general registers, and a round needs 90 of them instead of 130,
// because AVX-512 has rotations, functions of three operands, and registers for the whole state: 24
// rounds take 208 instead of 249 ns (clang 19). An Intel Xeon takes 218 to 240 instead of 210 to 225.
#if defined(__GNUC__) && defined(__znver4__) && defined(__AVX512VL__)
using word = vector_word;
#else
using word = std::uint64_t;
#endif

// FIPS 202 §3.2.5: the round constants of rounds 0 to 23.
inline constexpr std::uint64_t round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

// FIPS 202 §3.2.2: the rotation of word x + 5y.
inline constexpr int rho[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

// A round replaces the state in place: it reads five words, computes a row of the new state from
// them, and writes the row to the places that it has read. Each word keeps its column, and after
// four rounds all words are back in their own places. So no words are copied between rounds, which
// leaves more of the sixteen registers for the computation. This function returns the index at
// which word (x, y) lies before round `turn`.
constexpr std::size_t place(std::size_t turn, std::size_t x, std::size_t y) {
    for (; turn > 0; turn--) {
        y = (x + 2 * y) % 5;
    }
    return x + 5 * y;
}

// Computes a round (FIPS 202 §3.3: theta, rho, pi, chi, iota). `Turn` is the number of the round
// modulo 4. `Word` is std::uint64_t, or a vector that holds the same word of several states. Words
// are not passed by value, because a vector may be wider than the registers that the surrounding
// program may use. The arrays are plain, because every function call is a step of a constant
// evaluation, and clang allows 2^20 steps.
template <std::size_t Turn, class Word>
HASHMILL_INLINE constexpr void round(Word (&a)[25], std::uint64_t constant) {
    Word column[5] = {};
    unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
        column[X] = a[X] ^ a[X + 5] ^ a[X + 10] ^ a[X + 15] ^ a[X + 20];
    });
    Word d[5] = {};
    unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
        const Word &next = column[(X + 1) % 5];
        d[X] = column[(X + 4) % 5] ^ (next << 1 | next >> 63);
    });
    unroll<5>([&]<std::size_t Y>() HASHMILL_INLINE {
        // FIPS 202 §3.2.3: word (x, Y) comes from column x + 3Y of row x.
        Word b[5] = {};
        unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
            constexpr std::size_t from = (X + 3 * Y) % 5;
            constexpr int left = rho[from + 5 * X];
            const Word word = a[place(Turn, from, X)] ^ d[from];
            if constexpr (left == 0) {
                b[X] = word;
            } else {
                b[X] = word << left | word >> (64 - left);
            }
        });
        unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
            a[place(Turn + 1, X, Y)] = b[X] ^ (~b[(X + 1) % 5] & b[(X + 2) % 5]);
        });
    });
    a[0] ^= constant;
}

// Computes the last `Rounds` of the 24 rounds (FIPS 202 §3.3).
template <std::size_t Rounds, class Word> HASHMILL_INLINE constexpr void rounds(Word (&a)[25]) {
    for (std::size_t r = 24 - Rounds; r < 24; r += 4) {
        unroll<4>([&]<std::size_t Turn>() HASHMILL_INLINE { round<Turn>(a, round_constants[r + Turn]); });
    }
}

// Pads the message, whose last byte lies before byte `at` of the block (FIPS 202 §5.1). `suffix`
// contains the domain separation bits and the first bit of the padding, the first bit lowest. The
// last bit of the padding is the highest bit of the block. `s` is the first word of a state, and
// `Stride` the distance to the next word, because several states may lie side by side (lanes.hpp).
template <std::size_t Rate, std::size_t Stride = 1>
constexpr void pad(std::uint64_t *s, std::size_t at, std::uint8_t suffix) {
    s[at / 8 * Stride] ^= std::uint64_t{suffix} << 8 * (at % 8);
    s[(Rate / 8 - 1) * Stride] ^= std::uint64_t{0x80} << 56;
}

// Keccak-p[1600] with its last `Rounds` rounds, for sponge.hpp.
template <std::size_t Rate, std::size_t Rounds> struct permutation {
    using state = keccak::state;
    using word = keccak::word;
    static constexpr std::size_t rate = Rate;
    static constexpr bool is_keccak = true;
    // RFC 9861 §2.1: TurboSHAKE has domain separation bytes.
    static constexpr bool has_domains = Rounds == 12;

    static constexpr state initial() { return {}; }

    template <class Word> static HASHMILL_INLINE constexpr void rounds(Word (&a)[25]) { keccak::rounds<Rounds>(a); }

    static constexpr void absorb(state &s, const bytes &blocks) {
        if (blocks.size() == 0) {
            return;
        }
        if constexpr (linked) {
            if (!std::is_constant_evaluated()) {
                (void)hashmill_keccak_blocks(s.data(), Rounds, Rate, blocks.data(), blocks.size() / Rate);
                return;
            }
        }
        sponge::run<permutation, sponge::task::absorb>(s, blocks, nullptr, 0);
    }

    // On a CPU with BMI it uses the header's kernel even if there is a library, because the
    // library's function first checks its arguments and chooses a backend, which takes a tenth of
    // the time of a permutation.
    static constexpr void permute(state &s, std::size_t at = 0, const bytes &rest = {}) {
        if constexpr (linked) {
            if (!std::is_constant_evaluated() && !sponge::dispatches()) {
                sponge::xor_bytes(s.data(), at, rest);
                (void)hashmill_keccak_permute(s.data(), Rounds);
                return;
            }
        }
        sponge::run<permutation<0, Rounds>, sponge::task::permute>(s, rest, nullptr, at);
    }

    // The library has no function for several blocks.
    static constexpr void squeeze(state &s, std::span<std::uint8_t> blocks) {
        if (!linked || std::is_constant_evaluated() || sponge::dispatches()) {
            if (!blocks.empty()) {
                sponge::run<permutation, sponge::task::squeeze>(s, {}, blocks.data(), blocks.size());
            }
            return;
        }
        for (; !blocks.empty(); blocks = blocks.subspan(Rate)) {
            permute(s);
            sponge::copy_out(s.data(), 0, blocks.first(Rate));
        }
    }

    static constexpr void pad(state &s, std::size_t at, std::uint8_t suffix) {
        keccak::pad<Rate>(s.data(), at, suffix);
    }
};

// Permutes the state once.
template <std::size_t Rounds> constexpr void permute(state &s) { permutation<0, Rounds>::permute(s); }

} // namespace hashmill::detail::inline HASHMILL_MODE::keccak
