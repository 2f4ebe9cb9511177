// The sponge over Keccak-p[1600] (FIPS 202 §4), which SHA-3, SHAKE and TurboSHAKE share.
#pragma once

#include "hashmill/buffer.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"

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
inline constexpr std::array<std::uint64_t, 24> round_constants = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

// FIPS 202 §3.2.2: the rotation of word x + 5y.
inline constexpr int rho[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

// FIPS 202 §3.2.3: which word pi moves to x + 5y.
inline constexpr std::size_t pi[25] = {0,  6, 12, 18, 24, 3,  9, 10, 16, 22, 1,  7, 13,
                                       19, 20, 4, 5,  11, 17, 23, 2,  8, 14, 15, 21};

// FIPS 202 §3.3: theta, rho, pi, chi, iota. Plain arrays: every call is a step of a constant evaluation, of which
// clang allows 2^20.
HASHMILL_INLINE constexpr void round(std::uint64_t (&a)[25], std::uint64_t constant) {
    std::uint64_t column[5] = {};
    unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
        column[X] = a[X] ^ a[X + 5] ^ a[X + 10] ^ a[X + 15] ^ a[X + 20];
    });
    std::uint64_t d[5] = {};
    unroll<5>([&]<std::size_t X>() HASHMILL_INLINE {
        d[X] = column[(X + 4) % 5] ^ std::rotl(column[(X + 1) % 5], 1);
    });
    std::uint64_t b[25] = {};
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { b[I] = std::rotl(a[pi[I]] ^ d[pi[I] % 5], rho[pi[I]]); });
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE {
        a[I] = b[I] ^ (~b[I / 5 * 5 + (I + 1) % 5] & b[I / 5 * 5 + (I + 2) % 5]);
    });
    a[0] ^= constant;
}

// FIPS 202 §3.3: the last rounds.
template <std::size_t Rounds> HASHMILL_INLINE constexpr void rounds(std::uint64_t (&a)[25]) {
    for (std::size_t r = 24 - Rounds; r < 24; r += 2) {
        round(a, round_constants[r]);
        round(a, round_constants[r + 1]);
    }
}

// FIPS 202 §4, the absorbing phase.
template <std::size_t Rate, std::size_t Rounds>
constexpr void absorb_portable(state &s, const bytes &blocks) {
    const bytes message = blocks.normal();
    std::uint64_t a[25] = {};
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { a[I] = s[I]; });
    for (std::size_t at = 0; at < message.size(); at += Rate) {
        unroll<Rate / 8>([&]<std::size_t I>() HASHMILL_INLINE { a[I] ^= load_le<std::uint64_t>(message, at + 8 * I); });
        rounds<Rounds>(a);
    }
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = a[I]; });
}

template <std::size_t Rate, std::size_t Rounds> constexpr void absorb(state &s, const bytes &blocks) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_keccak_blocks(s.data(), Rounds, Rate, blocks.data(), blocks.size() / Rate);
            return;
        }
    }
    absorb_portable<Rate, Rounds>(s, blocks);
}

inline constexpr std::array<std::uint8_t, 168> zeros{};

template <std::size_t Rounds> constexpr void permute(state &s) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_keccak_permute(s.data(), Rounds);
            return;
        }
    }
    // A block of zeros changes nothing but to permute.
    absorb_portable<168, Rounds>(s, bytes(zeros));
}

// The squeezing phase (FIPS 202 §4): any number of bytes, from the beginning on.
template <std::size_t Rate, std::size_t Rounds> class output {
public:
    constexpr output() = default;
    constexpr explicit output(const state &s) : state_(s) {}
    constexpr output(const output &) = default;
    constexpr output &operator=(const output &) = default;
    constexpr ~output() { wipe(state_); }

    // The next bytes.
    constexpr output &squeeze(std::span<std::uint8_t> out) {
        while (!out.empty()) {
            permute_if_empty();
            const std::size_t n = std::min(Rate - position_, out.size());
            const std::size_t words = position_ % 8 == 0 ? n / 8 : 0;
            for (std::size_t i = 0; i < words; i++) {
                store<std::endian::little>(state_[position_ / 8 + i], out.data() + 8 * i);
            }
            for (std::size_t i = 8 * words; i < n; i++) {
                out[i] = byte_of<std::endian::little>(state_[(position_ + i) / 8], (position_ + i) % 8);
            }
            position_ += n;
            out = out.subspan(n);
        }
        return *this;
    }

    // The next N bytes.
    template <std::size_t N> constexpr digest<N> squeeze() {
        digest<N> out{};
        squeeze(out);
        return out;
    }

    // How many bytes come before the next permutation: 1 to Rate.
    constexpr std::size_t squeezable() const { return position_ == Rate ? Rate : Rate - position_; }

    // Overwrites the first n bytes of the state with zeros, at most all 200, and permutes, so that what was squeezed
    // before cannot be computed from what the state becomes.
    constexpr void ratchet(std::size_t n) {
        permute_if_empty();
        for (std::size_t i = 0; i < std::min<std::size_t>(n, 200); i++) {
            state_[i / 8] &= ~(std::uint64_t{0xFF} << 8 * (i % 8));
        }
        permute<Rounds>(state_);
    }

private:
    constexpr void permute_if_empty() {
        if (position_ == Rate) {
            permute<Rounds>(state_);
            position_ = 0;
        }
    }

    state state_{};
    std::size_t position_ = 0;
};

// FIPS 202 §5.1: after the last bytes comes `suffix`, which is the domain separation bits and the first bit of the
// padding, first bit lowest, and the padding's last bit.
template <std::size_t Rate, std::size_t Rounds>
constexpr state finish(state s, const bytes &rest, std::uint8_t suffix) {
    std::array<std::uint8_t, Rate> tail{};
    copy(rest, tail, 0);
    tail[rest.size()] = suffix;
    tail[Rate - 1] |= 0x80;
    absorb<Rate, Rounds>(s, bytes(tail));
    wipe(tail);
    return s;
}

// One message in one call: the state to be squeezed.
template <std::size_t Rate, std::size_t Rounds>
constexpr state finish(const bytes &message, std::uint8_t suffix) {
    const std::size_t whole = message.size() / Rate * Rate;
    state s{};
    absorb<Rate, Rounds>(s, message.first(whole));
    return finish<Rate, Rounds>(s, message.without_first(whole), suffix);
}

// The sponge that absorbs.
template <std::size_t Rate, std::size_t Rounds> class sponge {
public:
    constexpr sponge() = default;
    constexpr sponge(const sponge &) = default;
    constexpr sponge &operator=(const sponge &) = default;
    constexpr ~sponge() { wipe(state_); }

    constexpr void update(const bytes &data) {
        buffer_.feed(data, [this](const bytes &blocks) { absorb<Rate, Rounds>(state_, blocks); });
    }

    constexpr output<Rate, Rounds> finalize(std::uint8_t suffix) const {
        return output<Rate, Rounds>(finish<Rate, Rounds>(state_, buffer_.waiting(), suffix));
    }

private:
    state state_{};
    buffer<Rate> buffer_;
};

} // namespace hashmill::detail::inline HASHMILL_MODE::keccak
