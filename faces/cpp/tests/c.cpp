// Checks every answer with hashmill.h, on every backend of this machine.

#include "c.hpp"

// Declares the same functions; compilers report an error if the declarations differ.
#include <hashmill/core.hpp>

namespace {

using test::answer;
using test::octets;

#define OF_THE_LIBRARY(function) (&function)
const test::functions library = TEST_FUNCTIONS(OF_THE_LIBRARY);

// Hashes a whole message at once.
void whole(const answer &a) {
    hashmill_hasher empty;
    ASSERT_EQ(test::init(library, empty, a), HASHMILL_OK) << a.name();
    octets out(a.wanted());
    const hashmill_bytes message = {a.message.data(), a.message.size()};
    test::expect(a, hashmill_hasher_finish_many(&empty, &message, 1, out.data(), out.size()), out, "many");
    if (a.is_customized()) {
        test::expect(a,
                     hashmill_ascon_cxof128(message.data, message.len, a.customization.data(), a.customization.size(),
                                            out.data(), out.size()),
                     out, "one call");
    } else if (a.params.is_null() && a.domain == 0x1F && a.key.empty() && a.context.empty()) {
        test::expect(a, hashmill_hash(test::algorithm_of(a), message.data, message.len, out.data(), out.size()), out,
                     "one call");
    }
}

TEST(C, EveryAnswerOnEveryBackend) {
    ASSERT_GT(test::answers().size(), 600u);
    std::string found;
    for (std::size_t i = 0; const char *backend = hashmill_backend_name(i); i++) {
        if (hashmill_backend_force(backend) != HASHMILL_OK) {
            continue;
        }
        found += (found.empty() ? "" : ",") + std::string(backend);
        SCOPED_TRACE(backend);
        for (const auto &a : test::answers()) {
            test::check(library, a);
            if (!a.is_hmac() && a.bits == 0) {
                whole(a);
            }
        }
    }
    EXPECT_EQ(hashmill_backend_force(nullptr), HASHMILL_OK);
    // The backends that this CPU is known to have.
    if (const char *known = std::getenv("HASHMILL_BACKENDS")) {
        EXPECT_EQ(found, known);
    }
}

// BLAKE2X in one call, in pieces and as one of several messages, for outputs of known and of
// unknown length.
TEST(C, Blake2x) {
    const auto list = test::read("blake2x");
    ASSERT_GT(list.size(), 60u);
    for (const auto &a : list) {
        SCOPED_TRACE(a.name());
        const bool wide = a.algorithm == "BLAKE2Xb";
        ASSERT_TRUE(wide || a.algorithm == "BLAKE2Xs");
        const hashmill_algorithm algorithm = wide ? HASHMILL_BLAKE2XB : HASHMILL_BLAKE2XS;
        const auto part = [&](const char *name) { return test::bytes_of(a.params.value(name, nlohmann::json())); };
        const octets key = part("key"), salt = part("salt"), personal = part("personal");
        hashmill_blake2_params params;
        ASSERT_EQ(hashmill_blake2_defaults(&params, sizeof params, algorithm), HASHMILL_OK);
        params.key = {key.data(), key.size()};
        params.salt = {salt.data(), salt.size()};
        params.personal = {personal.data(), personal.size()};
        const std::size_t known = a.params.value("output_len", std::size_t{0});
        hashmill_hasher hasher, copy;
        ASSERT_EQ(hashmill_hasher_init_blake2x(&hasher, algorithm, &params, known), HASHMILL_OK);
        copy = hasher;
        test::pieces(a.message, 60, [&](auto piece) {
            ASSERT_EQ(hashmill_hasher_update(&hasher, piece.data(), piece.size()), HASHMILL_OK);
        });
        // Continues from an exported state.
        octets state(HASHMILL_MAX_STATE_LEN);
        std::size_t written = 0;
        ASSERT_EQ(hashmill_hasher_export(&hasher, state.data(), state.size(), &written), HASHMILL_OK);
        ASSERT_EQ(hashmill_hasher_import(&hasher, state.data(), written), HASHMILL_OK);
        octets out(a.wanted());
        hashmill_xof xof;
        ASSERT_EQ(hashmill_hasher_finalize_xof(&hasher, &xof), HASHMILL_OK);
        test::pieces(out, 20, [&](auto piece) {
            const auto at = static_cast<std::size_t>(piece.data() - out.data());
            ASSERT_EQ(hashmill_xof_squeeze(&xof, out.data() + at, piece.size()), HASHMILL_OK);
        });
        test::expect(a, HASHMILL_OK, out, "squeezed");
        if (known == a.wanted()) {
            const hashmill_bytes message = {a.message.data(), a.message.size()};
            test::expect(a, hashmill_hasher_finish_many(&copy, &message, 1, out.data(), known), out, "many");
            if (salt.empty() && personal.empty()) {
                const auto one_call = wide ? hashmill_blake2xb : hashmill_blake2xs;
                test::expect(a, one_call(message.data, message.len, key.data(), key.size(), out.data(), known), out,
                             "one call");
            }
        }
    }
}

} // namespace
