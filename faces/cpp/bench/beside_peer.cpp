// The header-only library "sha3" (github.com/itzmeanjan/sha3).
#include "beside.hpp"

#include <span>

#include <sha3/sha3_256.hpp>
#include <sha3/shake128.hpp>
#include <sha3/turboshake128.hpp>

namespace {

void sha3(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    sha3_256::sha3_256_t hasher;
    hasher.absorb({data, length});
    hasher.finalize();
    hasher.digest(std::span<std::uint8_t, 32>(out, 32));
}

template <class X> void xof(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    X x;
    x.absorb({data, length});
    x.finalize();
    x.squeeze({out, 32});
}

void squeeze(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    shake128::shake128_t x;
    x.absorb({data, 32});
    x.finalize();
    x.squeeze({out, length});
}

template <std::size_t N> void loop(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    for (std::size_t i = 0; i < N; i++) {
        xof<shake128::shake128_t>(data, length, out);
    }
}

} // namespace

std::vector<beside::implementation> beside::peer() {
    return {{"sha3",
             {{"SHA3-256", sha3},
              {"SHAKE128", xof<shake128::shake128_t>},
              {"TurboSHAKE128", xof<turboshake128::turboshake128_t>},
              {"SHAKE128 squeeze", squeeze},
              {"SHAKE128 x4", loop<4>},
              {"SHAKE128 x8", loop<8>}}}};
}
