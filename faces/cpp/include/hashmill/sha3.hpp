// SHA-3 and SHAKE (FIPS 202), Keccak-256 (the Keccak submission), TurboSHAKE (RFC 9861).
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/keccak.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::keccak {

// A SHA-3 function (FIPS 202 §6.1), whose capacity is twice the digest. `One` is the library's
// function for one call, `Suffix` the domain separation bits and the first bit of the padding.
template <std::size_t Output, one_call One, std::uint8_t Suffix = 0b110> class hasher {
public:
    static constexpr std::size_t digest_length = Output;
    static constexpr std::size_t block_length = 200 - 2 * Output;

    // Returns the digest of a message.
    static constexpr digest<Output> hash(const bytes &message) {
        if constexpr (linked) {
            if (!std::is_constant_evaluated()) {
                return call<Output, One>(message);
            }
        }
        state s{};
        absorb_message<block_length, 24>(s, message, Suffix);
        const auto out = first_bytes<Output, std::endian::little>(s);
        wipe(s);
        return out;
    }

    // Absorbs the next part of the message.
    constexpr hasher &update(const bytes &data) {
        sponge_.update(data);
        return *this;
    }

    // Returns the digest of everything absorbed so far. The hasher does not change, and may absorb
    // more.
    constexpr digest<Output> finalize() const { return sponge_.template finish<Output>(Suffix); }

    // Returns the hasher to its initial state.
    constexpr void reset() { *this = hasher(); }

private:
    sponge<block_length, 24> sponge_;
};

// SHAKE (FIPS 202 §6.2) and TurboSHAKE (RFC 9861 §2).
template <std::size_t Rate, std::size_t Rounds> class xof {
public:
    static constexpr std::size_t block_length = Rate;
    using output = keccak::output<Rate, Rounds>;

    // Returns the first N bytes of the output for a message.
    template <std::size_t N> static constexpr digest<N> hash(const bytes &message) {
        digest<N> out{};
        hash(message, out);
        return out;
    }

    // Fills `out` with the first bytes of the output for a message.
    static constexpr void hash(const bytes &message, std::span<std::uint8_t> out) {
        output(message, default_suffix).squeeze(out);
    }

    constexpr xof() = default;

    // TurboSHAKE with a domain separation byte other than 0x1F. Returns std::nullopt unless it is
    // 0x01 to 0x7F.
    static constexpr std::optional<xof> with_domain(std::uint8_t domain)
        requires(Rounds == 12)
    {
        if (domain < 0x01 || domain > 0x7F) {
            return std::nullopt;
        }
        xof x;
        x.suffix_ = domain;
        return x;
    }

    // Absorbs the next part of the message.
    constexpr xof &update(const bytes &data) {
        sponge_.update(data);
        return *this;
    }

    // Returns the output for everything absorbed so far, from its beginning; `squeeze` reads it.
    // The object does not change, and may absorb more.
    constexpr output finalize() const { return sponge_.finalize(suffix_); }

    // Forgets everything absorbed. A domain separation byte stays.
    constexpr void reset() { sponge_ = {}; }

private:
    // The domain separation bits and the first bit of the padding: FIPS 202 §6.2, RFC 9861 §2.1.
    static constexpr std::uint8_t default_suffix = 0b1'1111;

    sponge<Rate, Rounds> sponge_;
    std::uint8_t suffix_ = default_suffix;
};

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
