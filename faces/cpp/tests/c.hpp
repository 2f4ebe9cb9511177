// Checks an answer with functions of hashmill.h: those of the library, or others of the same names.
#pragma once

#include "answers.hpp"

#include <hashmill.h>

#include <algorithm>

namespace test {

struct functions {
    decltype(&hashmill_hmac) hmac;
    decltype(&hashmill_hasher_init) init;
    decltype(&hashmill_hasher_init_turboshake) init_turboshake;
    decltype(&hashmill_blake2_defaults) blake2_defaults;
    decltype(&hashmill_hasher_init_blake2) init_blake2;
    decltype(&hashmill_hasher_init_blake3_keyed) init_blake3_keyed;
    decltype(&hashmill_hasher_init_blake3_derive_key) init_blake3_derive_key;
    decltype(&hashmill_hasher_init_ascon_cxof128) init_ascon_cxof128;
    decltype(&hashmill_hasher_update) update;
    decltype(&hashmill_hasher_finalize) finalize;
    decltype(&hashmill_hasher_finalize_bits) finalize_bits;
};

// The table of functions, with `F(name)` for each of them.
#define TEST_FUNCTIONS(F)                                                                                              \
    test::functions{F(hashmill_hmac), F(hashmill_hasher_init), F(hashmill_hasher_init_turboshake),                     \
                    F(hashmill_blake2_defaults), F(hashmill_hasher_init_blake2), F(hashmill_hasher_init_blake3_keyed), \
                    F(hashmill_hasher_init_blake3_derive_key), F(hashmill_hasher_init_ascon_cxof128),                  \
                    F(hashmill_hasher_update), F(hashmill_hasher_finalize), F(hashmill_hasher_finalize_bits)}

inline hashmill_algorithm algorithm_of(const answer &a) {
    const std::string name = a.is_hmac() ? a.algorithm.substr(5) : a.algorithm;
    hashmill_algorithm algorithm = 0;
    EXPECT_EQ(hashmill_algorithm_by_name(name.c_str(), &algorithm), HASHMILL_OK) << name;
    EXPECT_EQ(hashmill_algorithm_name(algorithm), name);
    return algorithm;
}

inline hashmill_status init(const functions &use, hashmill_hasher &hasher, const answer &a) {
    if (a.is_customized()) {
        return use.init_ascon_cxof128(&hasher, a.customization.data(), a.customization.size());
    }
    const auto algorithm = algorithm_of(a);
    if (a.algorithm.starts_with("Turbo")) {
        return use.init_turboshake(&hasher, algorithm, a.domain);
    }
    if (!a.context.empty()) {
        return use.init_blake3_derive_key(&hasher, a.context.data(), a.context.size());
    }
    if (!a.key.empty()) {
        EXPECT_EQ(a.key.size(), 32u) << a.name();
        return use.init_blake3_keyed(&hasher, a.key.data());
    }
    if (a.params.is_null()) {
        return use.init(&hasher, algorithm);
    }
    const auto part = [&](const char *name) { return bytes_of(a.params.value(name, nlohmann::json())); };
    const octets key = part("key"), salt = part("salt"), personal = part("personal");
    hashmill_blake2_params params;
    EXPECT_EQ(use.blake2_defaults(&params, sizeof params, algorithm), HASHMILL_OK);
    params.output_len = a.params.value("output_len", params.output_len);
    params.key = {key.data(), key.size()};
    params.salt = {salt.data(), salt.size()};
    params.personal = {personal.data(), personal.size()};
    params.node_offset = std::stoull(a.params.value("node_offset", std::string("0")));
    params.inner_len = a.params.value("inner_len", std::size_t{0});
    params.leaf_len = a.params.value("leaf_len", std::uint32_t{0});
    params.fanout = a.params.value("fanout", std::uint8_t{1});
    params.max_depth = a.params.value("max_depth", std::uint8_t{1});
    params.node_depth = a.params.value("node_depth", std::uint8_t{0});
    params.last_node = a.params.value("last_node", false) ? 1 : 0;
    return use.init_blake2(&hasher, algorithm, &params);
}

// Checks the part of the output that the answer contains.
inline void expect(const answer &a, hashmill_status status, octets &out, const char *way) {
    EXPECT_EQ(status, HASHMILL_OK) << status;
    EXPECT_TRUE(std::ranges::equal(std::span(out).subspan(a.skip), a.output)) << a.name() << ", " << way;
    std::ranges::fill(out, std::uint8_t{0});
}

inline void check(const functions &use, const answer &a) {
    if (a.is_hmac()) {
        octets out(hashmill_output_len(algorithm_of(a)));
        ASSERT_EQ(use.hmac(algorithm_of(a), a.key.data(), a.key.size(), a.message.data(), a.message.size(), out.data(),
                           out.size()),
                  HASHMILL_OK);
        EXPECT_TRUE(std::ranges::equal(a.output, std::span(out).first(a.output.size()))) << a.name();
        return;
    }
    hashmill_hasher hasher;
    ASSERT_EQ(init(use, hasher, a), HASHMILL_OK) << a.name();
    pieces(a.message, 60, [&](auto piece) {
        ASSERT_EQ(use.update(&hasher, piece.data(), piece.size()), HASHMILL_OK);
    });
    octets out(a.wanted());
    if (a.bits > 0) {
        expect(a, use.finalize_bits(&hasher, a.last, a.bits, out.data(), out.size()), out, "bits");
    } else {
        expect(a, use.finalize(&hasher, out.data(), out.size()), out, "pieces");
    }
}

} // namespace test
