// The permutation, under the names of the library "sha3" (github.com/itzmeanjan/sha3).
#pragma once

#include "hashmill/keccak.hpp"
#include "sha3/internals/force_inline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace keccak {

inline constexpr std::size_t L = 6;
inline constexpr std::size_t LANE_BW = 64;
inline constexpr std::size_t STATE_BIT_LEN = 1600;
inline constexpr std::size_t STATE_BYTE_LEN = STATE_BIT_LEN / 8;
inline constexpr std::size_t LANE_CNT = STATE_BIT_LEN / LANE_BW;
inline constexpr std::size_t MAX_NUM_ROUNDS = 24;

template <std::size_t num_rounds>
constexpr void permute(std::array<std::uint64_t, LANE_CNT> &state)
    requires(num_rounds == 12 || num_rounds == MAX_NUM_ROUNDS)
{
    hashmill::detail::keccak::permute<num_rounds>(state);
}

} // namespace keccak
