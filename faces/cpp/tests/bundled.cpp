// Compares the C++ implementation of hashmill.h in the Haskell package with the library: each
// imports the states that the other exports, and both then compute the same. The package's own
// tests check the answers; this test repeats them for CPUs on which no GHC runs.

#include "c.hpp"

#include <dlfcn.h>

#include <array>
#include <string>
#include <vector>

namespace {

using test::octets;

// Returns the package's function of the same name and type.
template <class F> F *bundled(F *, const char *name) {
    static void *library = dlopen(HASHMILL_BUNDLED, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw std::runtime_error(dlerror());
    }
    return reinterpret_cast<F *>(dlsym(library, name));
}

#define BUNDLED(function) bundled(&function, #function)

// The functions of one of the two libraries.
struct side {
    decltype(&hashmill_hasher_init) init;
    decltype(&hashmill_hasher_init_blake3_keyed) init_blake3_keyed;
    decltype(&hashmill_hasher_update) update;
    decltype(&hashmill_hasher_finalize) finalize;
    decltype(&hashmill_hasher_export) export_state;
    decltype(&hashmill_hasher_import) import_state;
    decltype(&hashmill_hasher_algorithm) algorithm;
};

const side library = {hashmill_hasher_init,     hashmill_hasher_init_blake3_keyed, hashmill_hasher_update,
                      hashmill_hasher_finalize, hashmill_hasher_export,            hashmill_hasher_import,
                      hashmill_hasher_algorithm};

side text() {
    return {BUNDLED(hashmill_hasher_init),     BUNDLED(hashmill_hasher_init_blake3_keyed), BUNDLED(hashmill_hasher_update),
            BUNDLED(hashmill_hasher_finalize), BUNDLED(hashmill_hasher_export),            BUNDLED(hashmill_hasher_import),
            BUNDLED(hashmill_hasher_algorithm)};
}

// `key` is BLAKE3's key of 32 bytes, or null.
void from_to(const side &from, const side &to, hashmill_algorithm algorithm, std::size_t length,
             const std::uint8_t *key = nullptr) {
    const octets message = test::ptn(length), more = test::ptn(2000);
    hashmill_hasher one, other;
    octets state(HASHMILL_MAX_STATE_LEN), expected(hashmill_output_len(algorithm)), out(expected.size());
    std::size_t written = 0;
    ASSERT_EQ(key == nullptr ? from.init(&one, algorithm) : from.init_blake3_keyed(&one, key), HASHMILL_OK);
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

TEST(Bundled, EveryAnswer) {
    const test::functions functions = TEST_FUNCTIONS(BUNDLED);
    for (const auto &a : test::answers()) {
        test::check(functions, a);
    }
}

// The library's algorithms but Ascon's, which the package does not have.
std::vector<hashmill_algorithm> bundled_algorithms() {
    std::vector<hashmill_algorithm> found;
    for (std::size_t i = 0; const hashmill_algorithm algorithm = hashmill_algorithm_at(i); i++) {
        if (algorithm != HASHMILL_ASCON_HASH256 && algorithm != HASHMILL_ASCON_XOF128) {
            found.push_back(algorithm);
        }
    }
    return found;
}

TEST(Bundled, StatesAreTheLibrarys) {
    const side ours = text();
    for (const hashmill_algorithm algorithm : bundled_algorithms()) {
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
TEST(Bundled, StatesOfBlake3) {
    const side ours = text();
    const octets key = test::ptn(32);
    for (std::size_t chunks = 1; chunks <= 17; chunks++) {
        for (const std::size_t length : {1024 * chunks - 1, 1024 * chunks, 1024 * chunks + 1, 1024 * chunks + 65}) {
            from_to(library, ours, HASHMILL_BLAKE3, length, key.data());
            from_to(ours, library, HASHMILL_BLAKE3, length, key.data());
        }
    }
}

TEST(Bundled, TheTableIsTheLibrarys) {
    const auto at = BUNDLED(hashmill_algorithm_at);
    const auto name = BUNDLED(hashmill_algorithm_name);
    const auto block_len = BUNDLED(hashmill_block_len);
    const std::vector<hashmill_algorithm> algorithms = bundled_algorithms();
    ASSERT_EQ(at(algorithms.size()), 0);
    for (std::size_t i = 0; i < algorithms.size(); i++) {
        const hashmill_algorithm algorithm = at(i);
        ASSERT_EQ(algorithm, algorithms[i]);
        EXPECT_STREQ(name(algorithm), hashmill_algorithm_name(algorithm));
        EXPECT_EQ(block_len(algorithm), hashmill_block_len(algorithm));
        hashmill_hasher hasher;
        ASSERT_EQ(BUNDLED(hashmill_hasher_init)(&hasher, algorithm), HASHMILL_OK);
        EXPECT_EQ(BUNDLED(hashmill_hasher_output_len)(&hasher), hashmill_output_len(algorithm));
    }
    const auto text_of = BUNDLED(hashmill_status_text);
    for (hashmill_status status = 1; status <= HASHMILL_ERROR_SELF_TEST; status++) {
        EXPECT_STREQ(text_of(status), hashmill_status_text(status));
    }
}

} // namespace
