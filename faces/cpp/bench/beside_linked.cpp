// The header linked with the library, and the functions of the library itself.
#include "beside_classes.hpp"

#include <hashmill.h>

static_assert(hashmill::detail::linked);

namespace {

template <hashmill_status (*Hash)(const void *, std::size_t, std::uint8_t *)>
void call(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    (void)Hash(data, length, out);
}

void shake(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    (void)hashmill_shake128(data, length, out, 32);
}

void turboshake(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    (void)hashmill_turboshake128(data, length, out, 32);
}

void squeezed(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    (void)hashmill_shake128(data, 32, out, length);
}

template <std::size_t N> void many(const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
    std::array<hashmill_bytes, N> messages;
    messages.fill({data, length});
    std::array<std::uint8_t, 32 * N> outs;
    (void)hashmill_hash_many(HASHMILL_SHAKE128, messages.data(), N, outs.data(), 32);
    std::copy_n(outs.begin(), 32, out);
}

} // namespace

std::vector<beside::implementation> beside::linked() {
    auto all = classes("linked");
    all.push_back({"hashmill.h",
                   {{"SHA3-256", call<hashmill_sha3_256>},
                    {"SHAKE128", shake},
                    {"TurboSHAKE128", turboshake},
                    {"SHAKE128 squeeze", squeezed},
                    {"SHAKE128 x4", many<4>},
                    {"SHAKE128 x8", many<8>},
                    {"SHA-256", call<hashmill_sha256>},
                    {"SHA-512", call<hashmill_sha512>},
                    {"BLAKE2b", call<hashmill_blake2b>},
                    {"BLAKE2s", call<hashmill_blake2s>}}});
    return all;
}
