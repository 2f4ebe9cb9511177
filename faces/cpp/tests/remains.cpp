// After a use of a key, the stack below the caller and the registers contain no part of the key, of
// the key with HMAC's pads, of the states after the key's block, and of inner digests. What a
// compiler keeps in the caller's frame is not searched.
#include "hashmill/hashmill.hpp"
#include "hashmill/state.hpp"

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

// The registers as calls of the library left them.
std::array<std::uint8_t, 32 * 64 + 8 * 8> registers;
std::vector<std::uint8_t> all_registers;

// Writes the registers to memory as they are now.
__attribute__((always_inline)) inline void write_registers() {
#if defined(__x86_64__)
    std::uint8_t *to = registers.data();
    __asm__ volatile("mov %%rcx, 2048(%0)\n"
                     "mov %%rdx, 2056(%0)\n"
                     "mov %%rsi, 2064(%0)\n"
                     "mov %%rdi, 2072(%0)\n"
                     "mov %%r8, 2080(%0)\n"
                     "mov %%r9, 2088(%0)\n"
                     "mov %%r10, 2096(%0)\n"
                     "mov %%r11, 2104(%0)" ::"a"(to)
                     : "memory");
    if (__builtin_cpu_supports("avx512f")) {
        __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                         "vmovdqu64 %%zmm\\r, 64*\\r(%0)\n"
                         ".endr\n"
                         ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
                         "vmovdqu64 %%zmm\\r, 64*\\r(%0)\n"
                         ".endr" ::"r"(to)
                         : "memory");
    } else {
        __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                         "movdqu %%xmm\\r, 64*\\r(%0)\n"
                         ".endr" ::"r"(to)
                         : "memory");
    }
#endif
}

std::size_t secrets_in(std::span<const std::uint8_t> memory) {
    std::size_t found = 0;
    for (std::size_t at = 0; at + 8 <= memory.size(); at++) {
        found += std::binary_search(secrets.begin(), secrets.end(), masked(memory.data() + at)) ? 1U : 0U;
    }
    return found;
}

// Returns how many places of the stack below the caller contain a secret. Sets `used` to the number
// of bytes that were used since they were painted.
HASHMILL_NOINLINE std::size_t scan(std::size_t &used) {
    std::array<std::uint8_t, area_size> area;
    hashmill::detail::observe(area.data());
    std::size_t untouched = 0;
    // This frame may begin a little below that of paint().
    while (untouched < 1024 && area[untouched] != 0xEE) {
        untouched++;
    }
    while (untouched < area.size() && area[untouched] == 0xEE) {
        untouched++;
    }
    used = area.size() - untouched;
    return secrets_in(area);
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
        // The hasher begins with its state. BLAKE2bp and BLAKE2sp have absorbed no leaf's block
        // yet.
        const std::span state(reinterpret_cast<const std::uint8_t *>(&hasher), 32);
        const std::vector<std::uint8_t> before(state.begin(), state.end());
        hasher.update(block).update(bytes("more"));
        if (!std::equal(state.begin(), state.end(), before.begin())) {
            add(state);
        }
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
    all_registers.clear();
    paint();
    run(use);
    const std::size_t found = scan(used), in_registers = secrets_in(all_registers);
    std::printf("%s: %zu bytes of the stack were used\n", name, used);
    if (found + in_registers > 0) {
        std::printf("%s: %zu places and %zu in registers contain a secret\n", name, found, in_registers);
        failed++;
    }
}

// For the test itself: a use that leaves the key must be found.
void check_found(const char *name, void (*use)()) {
    const int before = failed;
    check(name, use);
    if (failed == before) {
        std::printf("%s: not found\n", name);
        failed++;
    } else {
        failed = before;
    }
}

// Keeps the result of a use, and the registers as they are after it.
template <class T> __attribute__((always_inline)) inline void keep(T value) {
    write_registers();
    all_registers.insert(all_registers.end(), registers.begin(), registers.end());
    hashmill::detail::observe(&value);
}

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

template <class X, class H> void check_blake2x(const char *name) {
    secrets.clear();
    add(key);
    auto root = H::with({.key = key, .node_offset = std::uint64_t{200} << 32});
    add(root->update(message).finalize());
    std::sort(secrets.begin(), secrets.end());
    check(name, [] {
        std::array<std::uint8_t, 200> out;
        keep(X::hash(message, out, {.key = key}));
        keep(out);
    });
}

// A state contains the words that the key has been hashed to, after its length and that of the
// message.
template <class H> void check_state(const char *name) {
    secrets.clear();
    add(key);
    auto hasher = H::with({.key = key});
    hasher->update(message);
    const auto state = hashmill::export_state(*hasher);
    add(std::span(state.data(), state.size()).subspan(20, H::block_length / 2));
    std::sort(secrets.begin(), secrets.end());
    check(name, [] {
        auto one = H::with({.key = key});
        one->update(message);
        keep(hashmill::import_state<H>(hashmill::export_state(*one))->finalize());
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
    check_hmac<hashmill::blake2bp<>>("HMAC-BLAKE2bp");
    check_hmac<hashmill::blake2sp<>>("HMAC-BLAKE2sp");
    check_keyed<hashmill::blake2bp<>>("BLAKE2bp with a key");
    check_keyed<hashmill::blake2sp<>>("BLAKE2sp with a key");
    check_blake2x<hashmill::blake2xb, hashmill::blake2b<>>("BLAKE2Xb with a key");
    check_blake2x<hashmill::blake2xs, hashmill::blake2s<>>("BLAKE2Xs with a key");
    check_state<hashmill::blake2b<>>("the state of BLAKE2b with a key");
    check_state<hashmill::blake2s<>>("the state of BLAKE2s with a key");
    check_blake3<2500>("BLAKE3 with a key");
    // Complete chunks in 8 and in 16 lanes.
    check_blake3<5000>("BLAKE3 with a key, chunks side by side");
    check_blake3<12'000>("BLAKE3 with a key, more chunks side by side");
    secrets.clear();
    add(key);
    std::sort(secrets.begin(), secrets.end());
    check_found("a key that is left on the stack", [] {
        std::array<std::uint8_t, 32> copy = key;
        hashmill::detail::observe(copy.data());
    });
#if defined(__x86_64__)
    check_found("a key that is left in a register", [] {
        __asm__ volatile("movdqu %0, %%xmm7" ::"m"(key) : "xmm7");
        keep(0);
        __asm__ volatile("pxor %%xmm7, %%xmm7" ::: "xmm7");
    });
#endif
    return failed;
}
