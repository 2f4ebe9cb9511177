// Calls of the library, if the program is linked with it. CMake's hashmill::hashmill and pkg-config
// define HASHMILL_LINKED.
#pragma once

#include "hashmill/bytes.hpp"

#include <cstddef>
#include <cstdint>

extern "C" {
// The declarations of hashmill.h.
int hashmill_sha224(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha256(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha384(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha512(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha512_224(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha512_256(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha3_224(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha3_256(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha3_384(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha3_512(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_blake2b(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_blake2s(const void *data, std::size_t len, std::uint8_t *out);
int hashmill_sha256_blocks(std::uint32_t *state, const void *blocks, std::size_t count);
int hashmill_sha512_blocks(std::uint64_t *state, const void *blocks, std::size_t count);
int hashmill_blake2b_blocks(std::uint64_t *state, const void *blocks, std::size_t count);
int hashmill_blake2s_blocks(std::uint32_t *state, const void *blocks, std::size_t count);
int hashmill_keccak_blocks(std::uint64_t *state, unsigned rounds, std::size_t rate, const void *blocks,
                           std::size_t count);
int hashmill_keccak_permute(std::uint64_t *state, unsigned rounds);
}

// Each mode has its own types, so that some files of a program may use the library and others the
// headers alone.
#if defined(HASHMILL_LINKED)
#define HASHMILL_MODE with_library
namespace hashmill::detail::inline with_library {
inline constexpr bool linked = true;
}
#else
#define HASHMILL_MODE header_alone
namespace hashmill::detail::inline header_alone {
inline constexpr bool linked = false;
}
#endif

namespace hashmill::detail::inline HASHMILL_MODE {

// A function of the library that hashes one message in one call.
using one_call = int (*)(const void *, std::size_t, std::uint8_t *);

// Hashes a message with a function of the library. The function is a template argument, so that a
// program which is not linked with the library does not refer to it.
template <std::size_t N, one_call Function> digest<N> call(const bytes &message) {
    digest<N> out;
    // The call cannot fail, because both pointers are valid.
    (void)Function(message.data(), message.size(), out.data());
    return out;
}

} // namespace hashmill::detail::inline HASHMILL_MODE
