// Compares hashmill.h over the headers (c/hashmill.cpp) with the library: each imports the states
// that the other exports, and both then compute the same.

#include "c.hpp"

#include <hashmill/sha2.hpp>

#include <dlfcn.h>

#include <array>
#include <string>
#include <vector>

namespace {

using test::octets;

// Returns its function of the same name and type.
template <class F> F *over_headers(F *, const char *name) {
    static void *library = dlopen(HASHMILL_OVER_HEADERS, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw std::runtime_error(dlerror());
    }
    return reinterpret_cast<F *>(dlsym(library, name));
}

#define OVER_HEADERS(function) over_headers(&function, #function)

// The functions of one of the two libraries.
struct side {
    decltype(&hashmill_hasher_init) init;
    decltype(&hashmill_hasher_init_blake3_keyed) init_blake3_keyed;
    decltype(&hashmill_hasher_init_ascon_cxof128) init_ascon_cxof128;
    decltype(&hashmill_hasher_update) update;
    decltype(&hashmill_hasher_finalize) finalize;
    decltype(&hashmill_hasher_export) export_state;
    decltype(&hashmill_hasher_import) import_state;
    decltype(&hashmill_hasher_algorithm) algorithm;
};

#define SIDE(F)                                                                                                        \
    side{F(hashmill_hasher_init),     F(hashmill_hasher_init_blake3_keyed), F(hashmill_hasher_init_ascon_cxof128),       \
         F(hashmill_hasher_update),   F(hashmill_hasher_finalize),          F(hashmill_hasher_export),                   \
         F(hashmill_hasher_import),   F(hashmill_hasher_algorithm)}
#define OF_THE_LIBRARY(function) (&function)

const side library = SIDE(OF_THE_LIBRARY);

side text() { return SIDE(OVER_HEADERS); }

// `key` is BLAKE3's key of 32 bytes, or a customization string of 32 bytes, or null.
hashmill_status init(const side &with, hashmill_hasher *hasher, hashmill_algorithm algorithm, const std::uint8_t *key) {
    if (key == nullptr) {
        return with.init(hasher, algorithm);
    }
    return algorithm == HASHMILL_BLAKE3 ? with.init_blake3_keyed(hasher, key) : with.init_ascon_cxof128(hasher, key, 32);
}

void from_to(const side &from, const side &to, hashmill_algorithm algorithm, std::size_t length,
             const std::uint8_t *key = nullptr) {
    const octets message = test::ptn(length), more = test::ptn(2000);
    hashmill_hasher one, other;
    const std::size_t len = hashmill_output_len(algorithm);
    octets state(HASHMILL_MAX_STATE_LEN), expected(len == 0 ? 32 : len), out(expected.size());
    std::size_t written = 0;
    ASSERT_EQ(init(from, &one, algorithm, key), HASHMILL_OK);
    ASSERT_EQ(from.update(&one, message.data(), message.size()), HASHMILL_OK);
    ASSERT_EQ(from.export_state(&one, state.data(), state.size(), &written), HASHMILL_OK);
    ASSERT_EQ(to.import_state(&other, state.data(), written), HASHMILL_OK) << hashmill_algorithm_name(algorithm) << length;
    EXPECT_EQ(to.algorithm(&other), algorithm);
    for (const std::size_t n : {0u, 1u, 63u, 500u, 1436u}) {
        ASSERT_EQ(from.update(&one, more.data(), n), HASHMILL_OK);
        ASSERT_EQ(to.update(&other, more.data(), n), HASHMILL_OK);
        ASSERT_EQ(from.finalize(&one, expected.data(), expected.size()), HASHMILL_OK);
        ASSERT_EQ(to.finalize(&other, out.data(), out.size()), HASHMILL_OK);
        EXPECT_EQ(out, expected) << hashmill_algorithm_name(algorithm) << ", " << length << " bytes, then " << n;
    }
    // Both refuse a state that is damaged, cut short or of a later version, with the same status.
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{2}, written / 2, written - 1}) {
        octets bad(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(written));
        bad[at] ^= 0x10;
        EXPECT_EQ(to.import_state(&other, bad.data(), bad.size()), from.import_state(&one, bad.data(), bad.size())) << at;
        EXPECT_EQ(to.import_state(&other, state.data(), at), from.import_state(&one, state.data(), at)) << at;
    }
}

TEST(OverHeaders, EveryAnswer) {
    const test::functions functions = TEST_FUNCTIONS(OVER_HEADERS);
    for (const auto &a : test::answers()) {
        test::check(functions, a);
    }
}

std::vector<hashmill_algorithm> every_algorithm() {
    std::vector<hashmill_algorithm> found;
    for (std::size_t i = 0; const hashmill_algorithm algorithm = hashmill_algorithm_at(i); i++) {
        found.push_back(algorithm);
    }
    return found;
}

TEST(OverHeaders, StatesAreTheLibrarys) {
    const side ours = text();
    for (const hashmill_algorithm algorithm : every_algorithm()) {
        const std::size_t block = hashmill_block_len(algorithm);
        for (const std::size_t length : {std::size_t{0}, std::size_t{1}, block - 1, block, block + 1, 2 * block, 4 * block,
                                         7 * block + 1, 8 * block, 8 * block + 1, 15 * block, 15 * block + 1, 16 * block,
                                         31 * block + 5}) {
            from_to(library, ours, algorithm, length);
            from_to(ours, library, algorithm, length);
        }
    }
}

// The chunks of BLAKE3 and the subtrees before them.
TEST(OverHeaders, StatesOfBlake3) {
    const side ours = text();
    const octets key = test::ptn(32);
    for (std::size_t chunks = 1; chunks <= 17; chunks++) {
        for (const std::size_t length : {1024 * chunks - 1, 1024 * chunks, 1024 * chunks + 1, 1024 * chunks + 65}) {
            from_to(library, ours, HASHMILL_BLAKE3, length, key.data());
            from_to(ours, library, HASHMILL_BLAKE3, length, key.data());
        }
    }
}

TEST(OverHeaders, StatesOfAsconCxof128) {
    const side ours = text();
    const octets custom = test::ptn(257);
    for (std::size_t length = 0; length <= 17; length++) {
        from_to(library, ours, HASHMILL_ASCON_CXOF128, length, custom.data());
        from_to(ours, library, HASHMILL_ASCON_CXOF128, length, custom.data());
    }
    hashmill_hasher hasher;
    EXPECT_EQ(ours.init_ascon_cxof128(&hasher, custom.data(), 256), HASHMILL_OK);
    EXPECT_EQ(ours.init_ascon_cxof128(&hasher, custom.data(), 257), HASHMILL_ERROR_CUSTOMIZATION_LENGTH);
}

// States that no message leads to, with the right check: all words 0, and a whole block that waits.
TEST(OverHeaders, ImpossibleStatesOfAscon) {
    const side ours = text();
    for (const std::uint8_t waiting : {std::uint8_t{0}, std::uint8_t{8}}) {
        octets state(std::size_t{2 + 40 + 1} + waiting, waiting == 0 ? std::uint8_t{0} : std::uint8_t{7});
        state[0] = 1; // the layout's version
        state[1] = HASHMILL_ASCON_HASH256;
        state[42] = waiting;
        const auto check = hashmill::sha256::hash(state);
        state.insert(state.end(), check.begin(), check.begin() + 8);
        hashmill_hasher hasher;
        EXPECT_EQ(library.import_state(&hasher, state.data(), state.size()), HASHMILL_ERROR_STATE_INCONSISTENT);
        EXPECT_EQ(ours.import_state(&hasher, state.data(), state.size()), HASHMILL_ERROR_STATE_INCONSISTENT);
    }
}

TEST(OverHeaders, StatesOfBlake2x) {
    const side ours = text();
    for (const hashmill_algorithm algorithm : {HASHMILL_BLAKE2XB, HASHMILL_BLAKE2XS}) {
        for (const std::size_t length : {0u, 1u, 64u, 65u, 128u, 129u, 300u}) {
            from_to(library, ours, algorithm, length);
            from_to(ours, library, algorithm, length);
        }
    }
}

TEST(OverHeaders, Blake2x) {
    const auto init = OVER_HEADERS(hashmill_hasher_init_blake2x);
    const auto finalize_xof = OVER_HEADERS(hashmill_hasher_finalize_xof);
    const auto squeeze = OVER_HEADERS(hashmill_xof_squeeze);
    const side ours = text();
    const octets data = test::ptn(200);
    for (const hashmill_algorithm algorithm : {HASHMILL_BLAKE2XB, HASHMILL_BLAKE2XS}) {
        const std::size_t longest = algorithm == HASHMILL_BLAKE2XB ? 64 : 32;
        hashmill_blake2_params params;
        ASSERT_EQ(hashmill_blake2_defaults(&params, sizeof params, algorithm), HASHMILL_OK);
        hashmill_hasher one, other;
        for (const std::size_t key : {std::size_t{0}, std::size_t{7}, longest, longest + 1}) {
            for (const std::size_t salt : {std::size_t{0}, longest / 4, longest / 4 + 1}) {
                params.key = {data.data(), key};
                params.salt = {data.data() + 70, salt};
                params.personal = {data.data() + 90, salt};
                for (const std::uint64_t known : {0u, 1u, 31u, 32u, 63u, 65u, 200u, 1000u, 0xFFFEu, 0xFFFFu, 0xFFFFFFFEu, 0xFFFFFFFFu}) {
                    SCOPED_TRACE(testing::Message() << algorithm << ", " << key << ", " << salt << ", " << known);
                    const hashmill_status status = hashmill_hasher_init_blake2x(&one, algorithm, &params, known);
                    ASSERT_EQ(init(&other, algorithm, &params, known), status);
                    if (status != HASHMILL_OK) {
                        continue;
                    }
                    ASSERT_EQ(hashmill_hasher_update(&one, data.data(), data.size()), HASHMILL_OK);
                    ASSERT_EQ(ours.update(&other, data.data(), data.size()), HASHMILL_OK);
                    hashmill_xof from, to;
                    ASSERT_EQ(hashmill_hasher_finalize_xof(&one, &from), HASHMILL_OK);
                    ASSERT_EQ(finalize_xof(&other, &to), HASHMILL_OK);
                    for (const std::size_t n : {1u, 31u, 0u, 33u, 64u, 100u, 800u}) {
                        octets expected(n), out(n);
                        ASSERT_EQ(squeeze(&to, out.data(), n), hashmill_xof_squeeze(&from, expected.data(), n));
                        EXPECT_EQ(out, expected);
                    }
                    if (known > 0xFFFF) {
                        continue;
                    }
                    octets expected(known == 0 ? 1000 : static_cast<std::size_t>(known)), out(expected.size());
                    ASSERT_EQ(hashmill_hasher_finalize(&one, expected.data(), expected.size()), HASHMILL_OK);
                    ASSERT_EQ(ours.finalize(&other, out.data(), out.size()), HASHMILL_OK);
                    EXPECT_EQ(out, expected);
                }
            }
        }
    }
}

TEST(OverHeaders, TheTableIsTheLibrarys) {
    const auto at = OVER_HEADERS(hashmill_algorithm_at);
    const auto name = OVER_HEADERS(hashmill_algorithm_name);
    const auto block_len = OVER_HEADERS(hashmill_block_len);
    const std::vector<hashmill_algorithm> algorithms = every_algorithm();
    ASSERT_EQ(at(algorithms.size()), 0);
    for (std::size_t i = 0; i < algorithms.size(); i++) {
        const hashmill_algorithm algorithm = at(i);
        ASSERT_EQ(algorithm, algorithms[i]);
        EXPECT_STREQ(name(algorithm), hashmill_algorithm_name(algorithm));
        EXPECT_STREQ(OVER_HEADERS(hashmill_algorithm_tag)(algorithm), hashmill_algorithm_tag(algorithm));
        EXPECT_EQ(block_len(algorithm), hashmill_block_len(algorithm));
        hashmill_hasher hasher;
        ASSERT_EQ(OVER_HEADERS(hashmill_hasher_init)(&hasher, algorithm), HASHMILL_OK);
        EXPECT_EQ(OVER_HEADERS(hashmill_hasher_output_len)(&hasher), hashmill_output_len(algorithm));
    }
    const auto text_of = OVER_HEADERS(hashmill_status_text);
    for (hashmill_status status = -1; status <= 128; status++) {
        EXPECT_STREQ(text_of(status), hashmill_status_text(status));
    }
}

} // namespace
