// Ascon's hash functions for small devices (SP 800-232 §5): Ascon-Hash256, Ascon-XOF128 and
// Ascon-CXOF128.
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/saved.hpp"
#include "hashmill/sponge.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::ascon {

// SP 800-232 §3.2, Table 5: the constants of the twelve rounds of Ascon-p[12].
inline constexpr std::uint64_t round_constants[12] = {0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5,
                                                      0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};

// SP 800-232 §3.4: the two rotations of each word to the right, in bits.
inline constexpr int sigma[5][2] = {{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}};

// Computes a round: the constant (SP 800-232 §3.2), the substitution layer (§3.3, Figure 3) without
// its last step, which complements word 2, and the linear layer (§3.4).
HASHMILL_INLINE constexpr void round(std::uint64_t (&s)[5], std::uint64_t constant) {
    const std::uint64_t x[5] = {s[0] ^ s[4], s[1], s[2] ^ s[1] ^ constant, s[3], s[4] ^ s[3]};
    std::uint64_t y[5] = {};
    unroll<5>([&]<std::size_t I>() HASHMILL_INLINE { y[I] = x[I] ^ (~x[(I + 1) % 5] & x[(I + 2) % 5]); });
    y[1] ^= y[0];
    y[0] ^= y[4];
    y[3] ^= y[2];
    unroll<5>([&]<std::size_t I>() HASHMILL_INLINE {
        s[I] = y[I] ^ rotated(y[I], sigma[I][0]) ^ rotated(y[I], sigma[I][1]);
    });
}

// Ascon-p[12] with a rate of eight bytes, for sponge.hpp.
struct permutation {
    using state = std::array<std::uint64_t, 5>;
    using word = std::uint64_t;
    static constexpr std::size_t rate = 8;
    static constexpr bool is_keccak = false;
    static constexpr bool has_domains = false;

    // The linear layer of a complement is the complement of the linear layer. So word 2 stays
    // complemented from one round to the next, and the constants are complemented instead, which
    // saves an instruction in each round. If all twelve rounds are unrolled, clang 19 with
    // -march=native moves words to vector registers and back, and takes 1.24 times as long on a CPU
    // with AVX-512.
    static HASHMILL_INLINE constexpr void rounds(std::uint64_t (&s)[5]) {
        s[2] = ~s[2];
        for (std::size_t r = 0; r < 12; r += 4) {
            unroll<4>([&]<std::size_t R>() HASHMILL_INLINE { round(s, ~round_constants[r + R]); });
        }
        s[2] = ~s[2];
    }

    static constexpr void absorb(state &s, const bytes &blocks) {
        if (blocks.size() > 0) {
            sponge::run<permutation, sponge::task::absorb>(s, blocks, nullptr, 0);
        }
    }

    static constexpr void permute(state &s, std::size_t at = 0, const bytes &rest = {}) {
        sponge::run<permutation, sponge::task::permute>(s, rest, nullptr, at);
    }

    static constexpr void squeeze(state &s, std::span<std::uint8_t> blocks) {
        if (!blocks.empty()) {
            sponge::run<permutation, sponge::task::squeeze>(s, {}, blocks.data(), blocks.size());
        }
    }

    static constexpr void pad(state &s, std::size_t at, std::uint8_t suffix) {
        s[0] ^= std::uint64_t{suffix} << 8 * at;
    }
};

// SP 800-232 §2.1: the padding is a bit that is 1 and then zeros.
inline constexpr std::uint8_t padding = 0b1;

// The state before the first block of the function with that initial value (SP 800-232 §5.1, Table
// 12).
template <std::uint64_t Iv> inline constexpr permutation::state initial_state = [] {
    permutation::state s = {Iv};
    permutation::permute(s);
    return s;
}();

template <std::uint64_t Iv> struct function : permutation {
    static constexpr state initial() { return initial_state<Iv>; }
};

using hash256 = function<0x0000'0801'00cc'0002>;
using xof128 = function<0x0000'0800'00cc'0003>;
using cxof128 = function<0x0000'0800'00cc'0004>;

// The longest customization string in bytes (SP 800-232 §5.3).
inline constexpr std::size_t longest_customization = 256;

// Returns the state after Ascon-CXOF128 has absorbed the length of the customization string in bits
// and the string, padded as a message is (SP 800-232 §5.3).
constexpr permutation::state customized(const bytes &custom) {
    permutation::state s = cxof128::initial();
    s[0] ^= 8 * custom.size();
    permutation::permute(s);
    sponge::absorb_message<cxof128>(s, custom, padding);
    return s;
}

// Ascon-CXOF128 (SP 800-232 §5.3).
class cxof {
public:
    static constexpr std::size_t block_length = cxof128::rate;
    using output = sponge::output<cxof128>;

    // Makes a hasher with an empty customization string.
    constexpr cxof() : cxof(bytes()) {}

    // Makes a hasher with a customization string, which separates different uses of the function.
    // Returns std::nullopt if it is longer than 256 bytes.
    static constexpr std::optional<cxof> with(const bytes &custom) {
        return custom.size() <= longest_customization ? std::optional<cxof>(cxof(custom)) : std::nullopt;
    }

    // Absorbs the next part of the message.
    constexpr cxof &update(const bytes &data) {
        input_.update(data);
        return *this;
    }

    // Returns the output for everything absorbed so far, from its beginning; `squeeze` reads it.
    // The object does not change, and may absorb more.
    constexpr output finalize() const { return input_.finalize(padding); }

    // Does the same for a message that ends with further bits: the `bits` low bits of `last`.
    // Returns std::nullopt for more than 7 bits.
    constexpr std::optional<output> finalize_bits(std::uint8_t last, unsigned bits) const {
        return bits > 7 ? std::nullopt : std::optional<output>(input_.finalize(padding, last, bits));
    }

    // Forgets everything absorbed but the customization string; after an import, everything
    // absorbed after it.
    constexpr void reset() { input_ = begin_; }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const { input_.save(to); }
    constexpr bool load(reader &from) {
        const bool good = input_.load(from);
        begin_ = input_;
        return good;
    }

private:
    constexpr explicit cxof(const bytes &custom) : begin_(customized(custom), 0), input_(begin_) {}

    sponge::input<cxof128> begin_;
    sponge::input<cxof128> input_;
};

} // namespace detail::inline HASHMILL_MODE::ascon

using ascon_hash256 = detail::sponge::hasher<detail::ascon::hash256, 32, hashmill_ascon_hash256, detail::ascon::padding>;
using ascon_xof128 = detail::sponge::xof<detail::ascon::xof128, detail::ascon::padding>;
using ascon_cxof128 = detail::ascon::cxof;

} // namespace hashmill
