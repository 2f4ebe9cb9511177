// Every answer through hashmill.h, on every backend of this machine.

#include "answers.hpp"

#include <hashmill.h>
// Declares the same functions: compilers refuse if it does so otherwise.
#include <hashmill/core.hpp>

#include <algorithm>

namespace {

using test::answer;
using test::octets;

hashmill_algorithm algorithm_of(const answer &a) {
    const std::string name = a.is_hmac() ? a.algorithm.substr(5) : a.algorithm;
    hashmill_algorithm algorithm = 0;
    EXPECT_EQ(hashmill_algorithm_by_name(name.c_str(), &algorithm), HASHMILL_OK) << name;
    EXPECT_EQ(hashmill_algorithm_name(algorithm), name);
    return algorithm;
}

hashmill_status init(hashmill_hasher &hasher, const answer &a) {
    const auto algorithm = algorithm_of(a);
    if (a.algorithm.starts_with("Turbo")) {
        return hashmill_hasher_init_turboshake(&hasher, algorithm, a.domain);
    }
    if (a.params.is_null()) {
        return hashmill_hasher_init(&hasher, algorithm);
    }
    const auto part = [&](const char *name) { return test::bytes_of(a.params.value(name, nlohmann::json())); };
    const octets key = part("key"), salt = part("salt"), personal = part("personal");
    hashmill_blake2_params params;
    EXPECT_EQ(hashmill_blake2_defaults(&params, sizeof params, algorithm), HASHMILL_OK);
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
    return hashmill_hasher_init_blake2(&hasher, algorithm, &params);
}

void tag(const answer &a) {
    const auto algorithm = algorithm_of(a);
    octets out(hashmill_output_len(algorithm));
    ASSERT_EQ(hashmill_hmac(algorithm, a.key.data(), a.key.size(), a.message.data(), a.message.size(), out.data(),
                            out.size()),
              HASHMILL_OK);
    EXPECT_TRUE(std::ranges::equal(a.output, std::span(out).first(a.output.size()))) << a.name();
}

void digest(const answer &a) {
    hashmill_hasher hasher;
    ASSERT_EQ(init(hasher, a), HASHMILL_OK) << a.name();
    const hashmill_hasher empty = hasher;
    test::pieces(a.message, 60, [&](auto piece) {
        ASSERT_EQ(hashmill_hasher_update(&hasher, piece.data(), piece.size()), HASHMILL_OK);
    });
    octets out(a.wanted());
    const auto expect = [&](hashmill_status status, const char *way) {
        EXPECT_EQ(status, HASHMILL_OK) << hashmill_status_text(status);
        EXPECT_TRUE(std::ranges::equal(std::span(out).subspan(a.skip), a.output)) << a.name() << ", " << way;
        std::ranges::fill(out, std::uint8_t{0});
    };
    if (a.bits > 0) {
        expect(hashmill_hasher_finalize_bits(&hasher, a.last, a.bits, out.data(), out.size()), "bits");
        return;
    }
    expect(hashmill_hasher_finalize(&hasher, out.data(), out.size()), "pieces");
    const hashmill_bytes message = {a.message.data(), a.message.size()};
    expect(hashmill_hasher_finish_many(&empty, &message, 1, out.data(), out.size()), "many");
    if (a.params.is_null() && a.domain == 0x1F) {
        expect(hashmill_hash(algorithm_of(a), message.data, message.len, out.data(), out.size()), "one call");
    }
}

TEST(C, EveryAnswerOnEveryBackend) {
    ASSERT_GT(test::answers().size(), 600u);
    for (std::size_t i = 0; const char *backend = hashmill_backend_name(i); i++) {
        if (hashmill_backend_force(backend) != HASHMILL_OK) {
            continue;
        }
        SCOPED_TRACE(backend);
        for (const auto &a : test::answers()) {
            a.is_hmac() ? tag(a) : digest(a);
        }
    }
    EXPECT_EQ(hashmill_backend_force(nullptr), HASHMILL_OK);
}

} // namespace
