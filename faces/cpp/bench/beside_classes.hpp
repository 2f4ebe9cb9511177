// The rows for the classes, in the mode of the file that includes this header: in one call, and as
// one update.
#pragma once

#include "beside.hpp"

#include <hashmill/hashmill.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace beside {
namespace {

template <class H> void one_call(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    const auto digest = H::hash({data, length});
    std::copy(digest.begin(), digest.end(), out);
}

template <class H> void streaming(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    H hasher;
    const auto digest = hasher.update({data, length}).finalize();
    std::copy(digest.begin(), digest.end(), out);
}

template <class X> void xof_one_call(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    X::hash({data, length}, {out, 32});
}

template <class X> void xof_streaming(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    X x;
    x.update({data, length}).finalize().squeeze({out, 32});
}

template <class X> void squeeze(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    X::hash({data, 32}, {out, length});
}

template <class X> void squeeze_streaming(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    X x;
    x.update({data, 32}).finalize().squeeze({out, length});
}

// Hashes the same message N times, one after the other, and in lanes.
template <class X, std::size_t N> void loop(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    for (std::size_t i = 0; i < N; i++) {
        X::hash({data, length}, {out, 32});
    }
}

template <class Lanes> void lanes(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    typename Lanes::messages messages;
    messages.fill({data, length});
    const auto digests = Lanes::template hash<32>(messages);
    std::copy(digests[0].begin(), digests[0].end(), out);
}

std::vector<implementation> classes(const std::string &name) {
    using namespace hashmill;
    return {{name,
             {{"SHA3-256", one_call<sha3_256>},
              {"SHAKE128", xof_one_call<shake128>},
              {"TurboSHAKE128", xof_one_call<turboshake128>},
              {"SHAKE128 squeeze", squeeze<shake128>},
              {"SHAKE128 x4", lanes<shake128_x4>},
              {"SHAKE128 x8", lanes<shake128_x8>},
              {"SHA-256", one_call<sha256>},
              {"SHA-512", one_call<sha512>},
              {"BLAKE2b", one_call<blake2b<>>},
              {"BLAKE2s", one_call<blake2s<>>},
              {"BLAKE3", xof_one_call<blake3>},
              {"Ascon-Hash256", one_call<ascon_hash256>},
              {"Ascon-XOF128 squeeze", squeeze<ascon_xof128>}}},
            {name + " streaming",
             {{"SHA3-256", streaming<sha3_256>},
              {"SHAKE128", xof_streaming<shake128>},
              {"TurboSHAKE128", xof_streaming<turboshake128>},
              {"SHAKE128 squeeze", squeeze_streaming<shake128>},
              {"SHAKE128 x4", loop<shake128, 4>},
              {"SHAKE128 x8", loop<shake128, 8>},
              {"SHA-256", streaming<sha256>},
              {"SHA-512", streaming<sha512>},
              {"BLAKE2b", streaming<blake2b<>>},
              {"BLAKE2s", streaming<blake2s<>>},
              {"BLAKE3", xof_streaming<blake3>},
              {"Ascon-Hash256", streaming<ascon_hash256>},
              {"Ascon-XOF128 squeeze", squeeze_streaming<ascon_xof128>}}}};
}

} // namespace
} // namespace beside
