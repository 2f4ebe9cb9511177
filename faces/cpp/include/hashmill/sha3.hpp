// SHA-3 and SHAKE (FIPS 202), Keccak-256 (the Keccak submission), TurboSHAKE (RFC 9861).
#pragma once

#include "hashmill/core.hpp"
#include "hashmill/keccak.hpp"
#include "hashmill/sponge.hpp"

#include <cstddef>
#include <cstdint>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::keccak {

// A SHA-3 function (FIPS 202 §6.1), whose capacity is twice the digest. `Suffix` has the domain
// separation bits and the first bit of the padding.
template <std::size_t Output, one_call One, std::uint8_t Suffix = 0b110>
using hasher = sponge::hasher<permutation<200 - 2 * Output, 24>, Output, One, Suffix>;

// SHAKE (FIPS 202 §6.2) and TurboSHAKE (RFC 9861 §2.1).
template <std::size_t Rate, std::size_t Rounds> using xof = sponge::xof<permutation<Rate, Rounds>, 0b1'1111>;

} // namespace detail::inline HASHMILL_MODE::keccak

using sha3_224 = detail::keccak::hasher<28, hashmill_sha3_224>;
using sha3_256 = detail::keccak::hasher<32, hashmill_sha3_256>;
using sha3_384 = detail::keccak::hasher<48, hashmill_sha3_384>;
using sha3_512 = detail::keccak::hasher<64, hashmill_sha3_512>;
using keccak256 = detail::keccak::hasher<32, hashmill_keccak256, 0b1>;

using shake128 = detail::keccak::xof<168, 24>;
using shake256 = detail::keccak::xof<136, 24>;
using turboshake128 = detail::keccak::xof<168, 12>;
using turboshake256 = detail::keccak::xof<136, 12>;

} // namespace hashmill
