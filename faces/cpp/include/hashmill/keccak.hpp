// The sponge over Keccak-p[1600] (FIPS 202 §4), which SHA-3, SHAKE and TurboSHAKE share.
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace hashmill::detail::inline HASHMILL_MODE::keccak {

using state = std::array<std::uint64_t, 25>;

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

// The operation of a kernel between loading the state into registers and storing it.
enum class task { permute, absorb, squeeze };

// The kernel: permutes the state once, absorbs whole blocks, or squeezes whole blocks, each of them
// after a permutation (FIPS 202 §4).
template <task Task, std::size_t Rate, std::size_t Rounds>
HASHMILL_INLINE constexpr void kernel(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    const bytes message = in.normal();
    std::uint64_t a[25] = {};
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { a[I] = s[I]; });
    if constexpr (Task == task::permute) {
        rounds<Rounds>(a);
    } else if constexpr (Task == task::absorb) {
        for (std::size_t at = 0; at < message.size(); at += Rate) {
            unroll<Rate / 8>([&]<std::size_t I>() HASHMILL_INLINE { a[I] ^= load_le<std::uint64_t>(message, at + 8 * I); });
            rounds<Rounds>(a);
        }
    } else {
        for (std::size_t at = 0; at < size; at += Rate) {
            rounds<Rounds>(a);
            unroll<Rate / 8>([&]<std::size_t I>() HASHMILL_INLINE {
                store<std::endian::little>(a[I], out + at + 8 * I);
            });
        }
    }
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = a[I]; });
}

template <task Task, std::size_t Rate, std::size_t Rounds>
HASHMILL_NOINLINE constexpr void portable(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    kernel<Task, Rate, Rounds>(s, in, out, size);
}

#if defined(HASHMILL_TARGET_BMI)
template <task Task, std::size_t Rate, std::size_t Rounds>
HASHMILL_NOINLINE HASHMILL_TARGET_BMI void bmi(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    kernel<Task, Rate, Rounds>(s, in, out, size);
}
#endif

// Returns whether this header's kernels for BMI exist and this CPU can run them.
constexpr bool dispatches() {
#if defined(HASHMILL_TARGET_BMI)
    return !std::is_constant_evaluated() && has_bmi();
#else
    return false;
#endif
}

// Runs the kernel for this CPU.
template <task Task, std::size_t Rate, std::size_t Rounds>
constexpr void run(state &s, const bytes &in, std::span<std::uint8_t> out) {
#if defined(HASHMILL_TARGET_BMI)
    if (dispatches()) {
        bmi<Task, Rate, Rounds>(s.data(), in, out.data(), out.size());
        return;
    }
#endif
    portable<Task, Rate, Rounds>(s.data(), in, out.data(), out.size());
}

// Absorbs whole blocks.
template <std::size_t Rate, std::size_t Rounds> constexpr void absorb(state &s, const bytes &blocks) {
    if (blocks.size() == 0) {
        return;
    }
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_keccak_blocks(s.data(), Rounds, Rate, blocks.data(), blocks.size() / Rate);
            return;
        }
    }
    run<task::absorb, Rate, Rounds>(s, blocks, {});
}

// Permutes the state once. On a CPU with BMI it uses the header's kernel even if there is a
// library, because the library's function first checks its arguments and chooses a backend, which
// takes a tenth of the time of a permutation.
template <std::size_t Rounds> constexpr void permute(state &s) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated() && !dispatches()) {
            (void)hashmill_keccak_permute(s.data(), Rounds);
            return;
        }
    }
    run<task::permute, 0, Rounds>(s, {}, {});
}

// The functions below take the state as a pointer to its first word, and the distance from one word
// to the next, because several states may lie side by side (lanes.hpp).

// Copies bytes of the state to `out`, beginning at byte `at`.
template <std::size_t Stride = 1>
constexpr void copy_out(const std::uint64_t *s, std::size_t at, std::span<std::uint8_t> out) {
    std::size_t i = 0;
    if (at % 8 == 0) {
        for (; out.size() - i >= 8; i += 8) {
            store<std::endian::little>(s[(at + i) / 8 * Stride], out.data() + i);
        }
    }
    for (; i < out.size(); i++) {
        out[i] = byte_of<std::endian::little>(s[(at + i) / 8 * Stride], (at + i) % 8);
    }
}

// Squeezes whole blocks, each after a permutation. The library has no function for several blocks.
template <std::size_t Rate, std::size_t Rounds> constexpr void squeeze(state &s, std::span<std::uint8_t> blocks) {
    if (!linked || std::is_constant_evaluated() || dispatches()) {
        if (!blocks.empty()) {
            run<task::squeeze, Rate, Rounds>(s, {}, blocks);
        }
        return;
    }
    for (; !blocks.empty(); blocks = blocks.subspan(Rate)) {
        permute<Rounds>(s);
        copy_out(s.data(), 0, blocks.first(Rate));
    }
}

// Returns up to seven bytes as the low bytes of a word, read with two or three loads that overlap.
// `from` is `bytes` or a pointer.
constexpr std::uint64_t load_few(const auto &from, std::size_t at, std::size_t n) {
    if (n >= 4) {
        const std::uint64_t last = load_le<std::uint32_t>(from, at + n - 4);
        return load_le<std::uint32_t>(from, at) | last << 8 * (n - 4);
    }
    if (n > 0) {
        const std::uint64_t middle = from[at + n / 2], last = from[at + n - 1];
        return from[at] | middle << 8 * (n / 2) | last << 8 * (n - 1);
    }
    return 0;
}

// Exclusive-ors `n` bytes into the state, beginning at byte `at`.
template <std::size_t Stride>
HASHMILL_INLINE constexpr void xor_in(std::uint64_t *s, std::size_t at, const auto &from, std::size_t n) {
    std::size_t i = 0;
    if (at % 8 != 0) {
        i = std::min(n, 8 - at % 8);
        s[at / 8 * Stride] ^= load_few(from, 0, i) << 8 * (at % 8);
    }
    for (; n - i >= 8; i += 8) {
        s[(at + i) / 8 * Stride] ^= load_le<std::uint64_t>(from, i);
    }
    if (i < n) {
        s[(at + i) / 8 * Stride] ^= load_few(from, i, n - i);
    }
}

template <std::size_t Stride = 1> constexpr void xor_bytes(std::uint64_t *s, std::size_t at, const bytes &data) {
    if (std::is_constant_evaluated()) {
        xor_in<Stride>(s, at, data, data.size());
    } else {
        xor_in<Stride>(s, at, data.data(), data.size());
    }
}

// Pads the message, whose last byte lies before byte `at` of the block (FIPS 202 §5.1). `suffix`
// contains the domain separation bits and the first bit of the padding, the first bit lowest. The
// last bit of the padding is the highest bit of the block.
template <std::size_t Rate, std::size_t Stride = 1>
constexpr void pad(std::uint64_t *s, std::size_t at, std::uint8_t suffix) {
    s[at / 8 * Stride] ^= std::uint64_t{suffix} << 8 * (at % 8);
    s[(Rate / 8 - 1) * Stride] ^= std::uint64_t{0x80} << 56;
}

// Absorbs one message into the state, which must be all zeros, so that it can be squeezed.
template <std::size_t Rate, std::size_t Rounds>
constexpr void absorb_message(state &s, const bytes &message, std::uint8_t suffix) {
    const std::size_t whole = message.size() / Rate * Rate;
    absorb<Rate, Rounds>(s, message.first(whole));
    xor_bytes(s.data(), 0, message.without_first(whole));
    pad<Rate>(s.data(), message.size() - whole, suffix);
    permute<Rounds>(s);
}

// The squeezing phase (FIPS 202 §4): returns any number of bytes of the output, in order.
template <std::size_t Rate, std::size_t Rounds> class output {
public:
    constexpr output() = default;
    // The output for one message.
    constexpr output(const bytes &message, std::uint8_t suffix) {
        absorb_message<Rate, Rounds>(state_, message, suffix);
    }
    // The output of a sponge that has absorbed whole blocks and `position` more bytes.
    constexpr output(const state &s, std::size_t position, std::uint8_t suffix) : state_(s) {
        pad<Rate>(state_.data(), position, suffix);
        permute<Rounds>(state_);
    }
    constexpr output(const output &) = default;
    constexpr output &operator=(const output &) = default;
    constexpr ~output() { wipe(state_); }

    // Fills `out` with the next bytes of the output.
    constexpr output &squeeze(std::span<std::uint8_t> out) {
        const std::size_t n = std::min(Rate - position_, out.size());
        copy_out(state_.data(), position_, out.first(n));
        position_ += n;
        const std::size_t whole = (out.size() - n) / Rate * Rate;
        keccak::squeeze<Rate, Rounds>(state_, out.subspan(n, whole));
        out = out.subspan(n + whole);
        if (!out.empty()) {
            permute<Rounds>(state_);
            copy_out(state_.data(), 0, out);
            position_ = out.size();
        }
        return *this;
    }

    // Returns the next N bytes of the output.
    template <std::size_t N> constexpr digest<N> squeeze() {
        digest<N> out{};
        squeeze(out);
        return out;
    }

    // Returns how many bytes can be squeezed before the next permutation: 1 to Rate.
    constexpr std::size_t squeezable() const { return position_ == Rate ? Rate : Rate - position_; }

    // Overwrites the first n bytes of the state (at most all 200) with zeros and permutes it, so
    // that the bytes squeezed before cannot be computed from the new state.
    constexpr void ratchet(std::size_t n) {
        if (position_ == Rate) {
            permute<Rounds>(state_);
            position_ = 0;
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(n, 200); i++) {
            state_[i / 8] &= ~(std::uint64_t{0xFF} << 8 * (i % 8));
        }
        permute<Rounds>(state_);
    }

private:
    // Copies the state of one lane to an object of this class and back.
    template <std::size_t, std::size_t, std::size_t> friend class lane_outputs;

    state state_{};
    std::size_t position_ = 0;
};

// The absorbing phase of a sponge. The bytes that do not fill a block yet are already in the state,
// so that there is no buffer, and nothing is copied when the message ends.
template <std::size_t Rate, std::size_t Rounds> class sponge {
public:
    constexpr sponge() = default;
    constexpr sponge(const sponge &) = default;
    constexpr sponge &operator=(const sponge &) = default;
    constexpr ~sponge() { wipe(state_); }

    HASHMILL_INLINE constexpr void update(bytes data) {
        if (position_ > 0 && data.size() >= Rate - position_) {
            const std::size_t missing = Rate - position_;
            xor_bytes(state_.data(), position_, data.first(missing));
            permute<Rounds>(state_);
            data = data.without_first(missing);
            position_ = 0;
        }
        if (data.size() >= Rate) {
            const std::size_t whole = data.size() / Rate * Rate;
            absorb<Rate, Rounds>(state_, data.first(whole));
            data = data.without_first(whole);
        }
        xor_bytes(state_.data(), position_, data);
        position_ += data.size();
    }

    constexpr output<Rate, Rounds> finalize(std::uint8_t suffix) const {
        return output<Rate, Rounds>(state_, position_, suffix);
    }

    // Returns the first N bytes of the output, at most a block.
    template <std::size_t N> constexpr digest<N> finish(std::uint8_t suffix) const {
        state s = state_;
        pad<Rate>(s.data(), position_, suffix);
        permute<Rounds>(s);
        const auto out = first_bytes<N, std::endian::little>(s);
        wipe(s);
        return out;
    }

private:
    // Copies the state of one lane to an object of this class and back.
    template <std::size_t, std::size_t, std::size_t> friend class lanes;

    state state_{};
    std::size_t position_ = 0;
};

} // namespace hashmill::detail::inline HASHMILL_MODE::keccak
