// Compatibility with the C++ library "sha3" (github.com/itzmeanjan/sha3): offers its namespaces,
// types and constants, implemented by hashmill. Add include/hashmill/compat to the include path,
// besides include, and keep the #includes as they are ("sha3/sha3_256.hpp" …).
#pragma once

#include "hashmill/lanes.hpp"
#include "hashmill/sha3.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

namespace hashmill::compat::inline HASHMILL_MODE {

// Call absorb, finalize and digest in this order; a call out of order does nothing.
template <std::size_t Output> class hash {
    static constexpr std::size_t rate = 200 - 2 * Output;

public:
    constexpr hash() = default;

    static constexpr std::array<std::uint8_t, Output> of(std::span<const std::uint8_t> msg) {
        hash hasher;
        hasher.absorb(msg);
        hasher.finalize();
        std::array<std::uint8_t, Output> md{};
        hasher.digest(md);
        return md;
    }

    constexpr void absorb(std::span<const std::uint8_t> msg) {
        if (!finalized_) {
            sponge_.update(msg);
        }
    }

    constexpr void finalize() { finalized_ = true; }

    constexpr void digest(std::span<std::uint8_t, Output> md) {
        if (finalized_ && !squeezed_) {
            sponge_.finalize(0b110).squeeze(md);
            squeezed_ = true;
        }
    }

    constexpr void reset() { *this = hash(); }

private:
    detail::sponge::input<detail::keccak::permutation<rate, 24>> sponge_;
    bool finalized_ = false;
    bool squeezed_ = false;
};

// Call absorb, finalize and squeeze in this order; a call out of order does nothing.
template <std::size_t Rate, std::size_t Rounds> class xof {
public:
    constexpr xof() = default;

    constexpr std::size_t squeezable_num_bytes() const { return finalized_ ? output_.squeezable() : 0; }

    constexpr void absorb(std::span<const std::uint8_t> msg) {
        if (!finalized_) {
            sponge_.update(msg);
        }
    }

    constexpr void finalize()
        requires(Rounds == 24)
    {
        finalize_with(0b1'1111);
    }

    template <std::uint8_t dom_sep = 0x1F>
    constexpr void finalize()
        requires(Rounds == 12 && dom_sep >= 0x01 && dom_sep <= 0x7F)
    {
        finalize_with(dom_sep);
    }

    constexpr void squeeze(std::span<std::uint8_t> dig) {
        if (finalized_) {
            output_.squeeze(dig);
        }
    }

    constexpr void reset() { *this = xof(); }

    constexpr void ratchet(std::size_t byte_len) {
        if (finalized_) {
            output_.ratchet(byte_len);
        }
    }

private:
    constexpr void finalize_with(std::uint8_t suffix) {
        if (!finalized_) {
            output_ = sponge_.finalize(suffix);
            finalized_ = true;
        }
    }

    detail::sponge::input<detail::keccak::permutation<Rate, Rounds>> sponge_;
    detail::sponge::output<detail::keccak::permutation<Rate, Rounds>> output_;
    bool finalized_ = false;
};

// Four messages at once, which is fastest if they have the same length. Call absorb, finalize and
// squeeze in this order; a call out of order does nothing.
template <std::size_t Rate> class four {
    using sponges = detail::keccak::lanes<Rate, 24, 4>;
    using in = std::span<const std::uint8_t>;
    using out = std::span<std::uint8_t>;

public:
    constexpr void absorb(in msg0, in msg1, in msg2, in msg3) {
        if (!finalized_) {
            sponges_.update({msg0, msg1, msg2, msg3});
        }
    }

    constexpr void finalize() {
        if (!finalized_) {
            outputs_ = sponges_.finalize();
            finalized_ = true;
        }
    }

    constexpr void squeeze(out out0, out out1, out out2, out out3) {
        if (finalized_) {
            outputs_.squeeze({out0, out1, out2, out3});
        }
    }

    constexpr void reset() { *this = four(); }

private:
    sponges sponges_;
    typename sponges::output outputs_;
    bool finalized_ = false;
};

} // namespace hashmill::compat::inline HASHMILL_MODE

namespace sha3_224 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t DIGEST_BIT_LEN = 224;
inline constexpr std::size_t DIGEST_LEN = DIGEST_BIT_LEN / 8;
inline constexpr std::size_t CAPACITY = 2 * DIGEST_BIT_LEN;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b10;
inline constexpr std::size_t DOM_SEP_BW = 2;

struct sha3_224_t : hashmill::compat::hash<DIGEST_LEN> {
    static constexpr std::array<std::uint8_t, DIGEST_LEN> hash(std::span<const std::uint8_t> msg) { return of(msg); }
};
} // namespace sha3_224

namespace sha3_256 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t DIGEST_BIT_LEN = 256;
inline constexpr std::size_t DIGEST_LEN = DIGEST_BIT_LEN / 8;
inline constexpr std::size_t CAPACITY = 2 * DIGEST_BIT_LEN;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b10;
inline constexpr std::size_t DOM_SEP_BW = 2;

struct sha3_256_t : hashmill::compat::hash<DIGEST_LEN> {
    static constexpr std::array<std::uint8_t, DIGEST_LEN> hash(std::span<const std::uint8_t> msg) { return of(msg); }
};
} // namespace sha3_256

namespace sha3_384 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t DIGEST_BIT_LEN = 384;
inline constexpr std::size_t DIGEST_LEN = DIGEST_BIT_LEN / 8;
inline constexpr std::size_t CAPACITY = 2 * DIGEST_BIT_LEN;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b10;
inline constexpr std::size_t DOM_SEP_BW = 2;

struct sha3_384_t : hashmill::compat::hash<DIGEST_LEN> {
    static constexpr std::array<std::uint8_t, DIGEST_LEN> hash(std::span<const std::uint8_t> msg) { return of(msg); }
};
} // namespace sha3_384

namespace sha3_512 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t DIGEST_BIT_LEN = 512;
inline constexpr std::size_t DIGEST_LEN = DIGEST_BIT_LEN / 8;
inline constexpr std::size_t CAPACITY = 2 * DIGEST_BIT_LEN;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b10;
inline constexpr std::size_t DOM_SEP_BW = 2;

struct sha3_512_t : hashmill::compat::hash<DIGEST_LEN> {
    static constexpr std::array<std::uint8_t, DIGEST_LEN> hash(std::span<const std::uint8_t> msg) { return of(msg); }
};
} // namespace sha3_512

namespace shake128 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t TARGET_BIT_SECURITY_LEVEL = 128;
inline constexpr std::size_t CAPACITY = 2 * TARGET_BIT_SECURITY_LEVEL;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b1111;
inline constexpr std::size_t DOM_SEP_BW = 4;

struct shake128_t : hashmill::compat::xof<RATE / 8, NUM_KECCAK_ROUNDS> {};
} // namespace shake128

namespace shake128_x4 {
using shake128::CAPACITY, shake128::DOM_SEP, shake128::DOM_SEP_BW, shake128::NUM_KECCAK_ROUNDS, shake128::RATE;

struct shake128_x4_t : hashmill::compat::four<RATE / 8> {};
} // namespace shake128_x4

namespace shake256 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 24;
inline constexpr std::size_t TARGET_BIT_SECURITY_LEVEL = 256;
inline constexpr std::size_t CAPACITY = 2 * TARGET_BIT_SECURITY_LEVEL;
inline constexpr std::size_t RATE = 1600 - CAPACITY;
inline constexpr std::uint8_t DOM_SEP = 0b1111;
inline constexpr std::size_t DOM_SEP_BW = 4;

struct shake256_t : hashmill::compat::xof<RATE / 8, NUM_KECCAK_ROUNDS> {};
} // namespace shake256

namespace shake256_x4 {
using shake256::CAPACITY, shake256::DOM_SEP, shake256::DOM_SEP_BW, shake256::NUM_KECCAK_ROUNDS, shake256::RATE;

struct shake256_x4_t : hashmill::compat::four<RATE / 8> {};
} // namespace shake256_x4

namespace turboshake128 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 12;
inline constexpr std::size_t TARGET_BIT_SECURITY_LEVEL = 128;
inline constexpr std::size_t CAPACITY = 2 * TARGET_BIT_SECURITY_LEVEL;
inline constexpr std::size_t RATE = 1600 - CAPACITY;

struct turboshake128_t : hashmill::compat::xof<RATE / 8, NUM_KECCAK_ROUNDS> {};
} // namespace turboshake128

namespace turboshake256 {
inline constexpr std::size_t NUM_KECCAK_ROUNDS = 12;
inline constexpr std::size_t TARGET_BIT_SECURITY_LEVEL = 256;
inline constexpr std::size_t CAPACITY = 2 * TARGET_BIT_SECURITY_LEVEL;
inline constexpr std::size_t RATE = 1600 - CAPACITY;

struct turboshake256_t : hashmill::compat::xof<RATE / 8, NUM_KECCAK_ROUNDS> {};
} // namespace turboshake256
