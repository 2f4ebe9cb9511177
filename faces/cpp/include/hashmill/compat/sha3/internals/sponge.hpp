// The phases of a sponge, under the names of the library "sha3" (github.com/itzmeanjan/sha3).
// `num_bits_in_rate` is the length of a block in bits.
#pragma once

#include "hashmill/keccak.hpp"
#include "sha3/internals/keccak.hpp"
#include "sha3/internals/utils.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sponge {

inline constexpr std::size_t KECCAK_WORD_BYTE_LEN = 8;

constexpr bool check_domain_separator(std::size_t dom_sep_bit_len) { return dom_sep_bit_len <= 6; }

// Absorbs a part of the message. `offset` is the number of bytes in the incomplete block.
template <std::size_t num_bits_in_rate, std::size_t num_rounds>
constexpr void absorb(std::array<std::uint64_t, keccak::LANE_CNT> &state, std::size_t &offset,
                      std::span<const std::uint8_t> msg) {
    constexpr std::size_t rate = num_bits_in_rate / 8;
    while (!msg.empty()) {
        const std::size_t taken = std::min(msg.size(), rate - offset);
        hashmill::detail::sponge::xor_bytes(state.data(), offset, msg.first(taken));
        offset += taken;
        msg = msg.subspan(taken);
        if (offset == rate) {
            keccak::permute<num_rounds>(state);
            offset = 0;
        }
    }
}

// Pads the message with `ds_bit_len` bits of `domain_separator`. Then the state can be squeezed.
template <std::uint8_t domain_separator, std::size_t ds_bit_len, std::size_t num_bits_in_rate, std::size_t num_rounds>
constexpr void finalize(std::array<std::uint64_t, keccak::LANE_CNT> &state, std::size_t &offset)
    requires(check_domain_separator(ds_bit_len))
{
    constexpr unsigned one = 1U << ds_bit_len;
    constexpr auto suffix = static_cast<std::uint8_t>(one | (domain_separator & (one - 1)));
    hashmill::detail::keccak::pad<num_bits_in_rate / 8>(state.data(), offset, suffix);
    keccak::permute<num_rounds>(state);
    offset = 0;
}

// Fills `out` with the next bytes of the output. `squeezable` is how many bytes can be squeezed
// before the next permutation.
template <std::size_t num_bits_in_rate, std::size_t num_rounds>
constexpr void squeeze(std::array<std::uint64_t, keccak::LANE_CNT> &state, std::size_t &squeezable,
                       std::span<std::uint8_t> out) {
    constexpr std::size_t rate = num_bits_in_rate / 8;
    while (!out.empty()) {
        const std::size_t n = std::min(out.size(), squeezable);
        hashmill::detail::sponge::copy_out(state.data(), rate - squeezable, out.first(n));
        squeezable -= n;
        out = out.subspan(n);
        if (squeezable == 0) {
            keccak::permute<num_rounds>(state);
            squeezable = rate;
        }
    }
}

} // namespace sponge
