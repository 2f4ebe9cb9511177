// Measures the C++ headers beside the header-only library sha3 (github.com/itzmeanjan/sha3): `cargo xtask
// bench --seeds --sha3 DIR`. Prints the cells in which that library is faster, and returns 1 if there is
// one. A cell is a function, a length of the message and a length of the output.

#include <hashmill/sha3.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include <sha3/sha3_224.hpp>
#include <sha3/sha3_256.hpp>
#include <sha3/sha3_384.hpp>
#include <sha3/sha3_512.hpp>
#include <sha3/shake128.hpp>
#include <sha3/shake256.hpp>
#include <sha3/turboshake128.hpp>
#include <sha3/turboshake256.hpp>

namespace {

using message = std::span<const std::uint8_t>;
using output = std::span<std::uint8_t>;
// Hashes the message and fills the output. It is called by its address, so that no length is known when
// it is compiled.
using function = void (*)(message, output);

template <class H> void our_hash(message data, output out) {
    const auto digest = H::hash(data);
    std::copy(digest.begin(), digest.end(), out.begin());
}

template <class X> void our_xof(message data, output out) { X::hash(data, out); }

template <class H, std::size_t N> void their_hash(message data, output out) {
    H hasher;
    hasher.absorb(data);
    hasher.finalize();
    hasher.digest(out.first<N>());
}

template <class X> void their_xof(message data, output out) {
    X x;
    x.absorb(data);
    x.finalize();
    x.squeeze(out);
}

// Returns the nanoseconds of a call. The stack of the calls begins `shift` bytes lower: its address
// changes the time by up to 8 % on Zen 4.
__attribute__((noinline)) double nanoseconds(function call, message data, output out, std::size_t calls,
                                             std::size_t shift) {
    hashmill::detail::observe(__builtin_alloca(shift));
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; i++) {
        call(data, out);
        hashmill::detail::observe(out.data());
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    return time.count() / static_cast<double>(calls);
}

struct cells {
    std::size_t count = 0, behind = 0;
    double logarithms = 0, least = 1e9;

    // Measures both in turn; the least of 300 samples of about 10 µs counts.
    void add(const char *name, function ours, function theirs, std::size_t length, std::size_t size) {
        const function both[2] = {ours, theirs};
        const std::vector<std::uint8_t> data(length, 7);
        std::vector<std::uint8_t> outs[2];
        for (std::size_t i = 0; i < 2; i++) {
            outs[i].resize(size);
            both[i](data, outs[i]);
        }
        if (outs[0] != outs[1]) {
            std::printf("%s, %zu bytes to %zu: different outputs\n", name, length, size);
            std::exit(2);
        }
        double best[2] = {1e9, 1e9};
        const std::size_t calls = 1 + 5000 / (length + size + 100);
        for (std::size_t sample = 0; sample < 600; sample++) {
            const std::size_t i = sample % 2, shift = sample / 2 % 64 * 64 + 1;
            best[i] = std::min(best[i], nanoseconds(both[i], data, outs[i], calls, shift));
        }
        const double ratio = best[1] / best[0];
        count++;
        behind += ratio < 1;
        logarithms += std::log(ratio);
        least = std::min(least, ratio);
        if (ratio < 1) {
            std::printf("%5.2f  %s, %zu bytes to %zu: %.0f ns\n", ratio, name, length, size, best[0]);
        }
    }

    template <class Ours, class Theirs> void hash(const char *name) {
        for (const std::size_t length : {32U, 64U, 135U, 200U, 1024U, 8192U}) {
            add(name, our_hash<Ours>, their_hash<Theirs, Ours::digest_length>, length, Ours::digest_length);
        }
    }

    template <class Ours, class Theirs> void xof(const char *name) {
        for (const std::size_t length : {32U, 64U, 200U, 1024U, 8192U}) {
            add(name, our_xof<Ours>, their_xof<Theirs>, length, 32);
        }
        add(name, our_xof<Ours>, their_xof<Theirs>, 32, 1024);
    }
};

} // namespace

int main() {
    cells all;
    all.hash<hashmill::sha3_224, sha3_224::sha3_224_t>("SHA3-224");
    all.hash<hashmill::sha3_256, sha3_256::sha3_256_t>("SHA3-256");
    all.hash<hashmill::sha3_384, sha3_384::sha3_384_t>("SHA3-384");
    all.hash<hashmill::sha3_512, sha3_512::sha3_512_t>("SHA3-512");
    all.xof<hashmill::shake128, shake128::shake128_t>("SHAKE128");
    all.xof<hashmill::shake256, shake256::shake256_t>("SHAKE256");
    all.xof<hashmill::turboshake128, turboshake128::turboshake128_t>("TurboSHAKE128");
    all.xof<hashmill::turboshake256, turboshake256::turboshake256_t>("TurboSHAKE256");
    std::printf("%zu of %zu cells are behind; sha3's time ÷ ours is %.2f in the geometric mean, %.2f at least\n",
                all.behind, all.count, std::exp(all.logarithms / static_cast<double>(all.count)), all.least);
    return all.behind == 0 ? 0 : 1;
}
