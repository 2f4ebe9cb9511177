// Words as bytes, under the names of the library "sha3" (github.com/itzmeanjan/sha3).
#pragma once

#include "hashmill/bytes.hpp"
#include "sha3/internals/force_inline.hpp"

#include <bit>
#include <cstdint>
#include <span>

namespace sha3_utils {

constexpr std::uint64_t le_bytes_to_u64(std::span<const std::uint8_t, 8> bytes) {
    return hashmill::detail::load_le<std::uint64_t>(hashmill::bytes(bytes), 0);
}

constexpr void u64_to_le_bytes(std::uint64_t word, std::span<std::uint8_t, 8> bytes) {
    hashmill::detail::store<std::endian::little>(word, bytes.data());
}

} // namespace sha3_utils
