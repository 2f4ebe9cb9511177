// After a use of a key, the stack below the caller contains no part of the key, of the key with
// HMAC's pads, of the states after the key's block, and of inner digests. Registers, and what a compiler keeps in the
// caller's frame, are not searched.
#include "hashmill/hashmill.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

namespace {

using hashmill::bytes;

// The words that are searched are kept with a mask, so that they are not found where they are kept.
constexpr std::uint64_t mask = 0x9E3779B97F4A7C15;
std::vector<std::uint64_t> secrets;
std::array<std::uint8_t, 32> key;
constexpr std::size_t area_size = 64 * 1024;

std::uint64_t masked(const std::uint8_t *at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    return word ^ mask;
}

void add(std::span<const std::uint8_t> secret) {
    for (std::size_t at = 0; at + 8 <= secret.size(); at++) {
        secrets.push_back(masked(secret.data() + at));
    }
}

// Fills the stack below the caller, where the use will be.
HASHMILL_NOINLINE void paint() {
    std::array<std::uint8_t, area_size> area;
    area.fill(0xEE);
    hashmill::detail::observe(area.data());
}

// Returns how many places of the stack below the caller contain a secret. Sets `used` to the number
// of bytes that were used since they were painted.
HASHMILL_NOINLINE std::size_t scan(std::size_t &used) {
    std::array<std::uint8_t, area_size> area;
    hashmill::detail::observe(area.data());
    std::size_t found = 0, untouched = 0;
    // This frame may begin a little below that of paint().
    while (untouched < 1024 && area[untouched] != 0xEE) {
        untouched++;
    }
    while (untouched < area.size() && area[untouched] == 0xEE) {
        untouched++;
    }
    used = area.size() - untouched;
    for (std::size_t at = 0; at + 8 <= area.size(); at++) {
        found += std::binary_search(secrets.begin(), secrets.end(), masked(area.data() + at)) ? 1U : 0U;
    }
    return found;
}

std::array<std::uint8_t, 300> message;

template <class H> void add_states() {
    for (const std::uint8_t pad : std::array<std::uint8_t, 2>{0x36, 0x5C}) {
        std::array<std::uint8_t, H::block_length> block{};
        std::copy(key.begin(), key.end(), block.begin());
        for (auto &byte : block) {
            byte = static_cast<std::uint8_t>(byte ^ pad);
        }
        add(std::span(block).first(key.size()));
        H hasher;
        hasher.update(block).update(bytes("more"));
        // The hasher begins with its state.
        add(std::span(reinterpret_cast<const std::uint8_t *>(&hasher), 32));
        if (pad == 0x36) {
            H inner;
            add(inner.update(block).update(message).finalize());
        }
    }
}

int failed = 0;

HASHMILL_NOINLINE void run(void (*use)()) { use(); }

void check(const char *name, void (*use)()) {
    std::size_t used = 0;
    paint();
    run(use);
    const std::size_t found = scan(used);
    std::printf("%s: %zu bytes of the stack were used\n", name, used);
    if (found > 0) {
        std::printf("%s: %zu places contain a secret\n", name, found);
        failed++;
    }
}

// Keeps the result of a use.
template <class T> void keep(T value) { hashmill::detail::observe(&value); }

template <class H> void check_hmac(const char *name) {
    secrets.clear();
    add(key);
    add_states<H>();
    std::sort(secrets.begin(), secrets.end());
    using hmac = hashmill::hmac<H>;
    check(name, [] { keep(hmac::tag(key, message)); });
    check(name, [] {
        hmac one(key);
        keep(one.update(message).update(bytes("more")).finalize());
        keep(one.verify(bytes("no tag")));
    });
}

template <class H> void check_keyed(const char *name) {
    secrets.clear();
    add(key);
    std::sort(secrets.begin(), secrets.end());
    check(name, [] {
        auto hasher = H::with({.key = key});
        keep(hasher->finalize());
        keep(hasher->update(message).finalize());
    });
}

// The key of each chunk and the chaining values of a message of several chunks.
template <std::size_t Length> void check_blake3(const char *name) {
    static std::array<std::uint8_t, Length> chunks;
    secrets.clear();
    add(key);
    namespace blake3 = hashmill::detail::blake3;
    auto tree = blake3::tree::with(blake3::mode::with(key, blake3::keyed_hash));
    tree.update(chunks);
    add(std::span(tree.values).first(tree.depth * blake3::value_length));
    add(std::span(reinterpret_cast<const std::uint8_t *>(tree.chunk.state.data()), blake3::value_length));
    std::sort(secrets.begin(), secrets.end());
    check(name, [] {
        auto one = hashmill::blake3::keyed(key);
        keep(one->finalize().squeeze());
        keep(one->update(chunks).finalize().template squeeze<100>());
    });
}

} // namespace

int main() {
    for (std::size_t i = 0; i < key.size(); i++) {
        key[i] = static_cast<std::uint8_t>(151 * i * i + 89 * i + 67);
    }
    check_hmac<hashmill::sha256>("HMAC-SHA-256");
    check_hmac<hashmill::sha384>("HMAC-SHA-384");
    check_hmac<hashmill::sha512>("HMAC-SHA-512");
    check_hmac<hashmill::sha3_256>("HMAC-SHA3-256");
    check_hmac<hashmill::blake2b<>>("HMAC-BLAKE2b");
    check_hmac<hashmill::blake2s<>>("HMAC-BLAKE2s");
    check_keyed<hashmill::blake2b<>>("BLAKE2b with a key");
    check_keyed<hashmill::blake2s<>>("BLAKE2s with a key");
    check_blake3<2500>("BLAKE3 with a key");
    // Complete chunks in 8 and in 16 lanes.
    check_blake3<5000>("BLAKE3 with a key, chunks side by side");
    check_blake3<12'000>("BLAKE3 with a key, more chunks side by side");
    return failed;
}
