// Compares the C++ headers, alone and linked, with hashmill.h, the library's portable backend,
// OpenSSL and libb2.
//
// Set HASHMILL_BACKEND=portable in the environment to use the portable backend in the whole
// process.

#include "peers.hpp"

#include <blake2.h>
#include <cstdlib>
#include <hashmill.h>
#include <openssl/evp.h>

namespace {

void add_c(const char *algorithm, hashmill_status (*function)(const void *, std::size_t, std::uint8_t *)) {
    bench::add(algorithm, "hashmill.h", function);
}

void add_openssl(const char *algorithm, const char *name) {
    EVP_MD *md = EVP_MD_fetch(nullptr, name, nullptr);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bench::add(algorithm, "OpenSSL", [=](const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
        EVP_DigestInit_ex2(context, md, nullptr);
        EVP_DigestUpdate(context, data, length);
        EVP_DigestFinal_ex(context, out, nullptr);
    });
}

} // namespace

int main(int argc, char **argv) {
    if (const char *backend = std::getenv("HASHMILL_BACKEND")) {
        if (hashmill_backend_force(backend) != HASHMILL_OK) {
            return 1;
        }
    }
    bench::add_header();
    bench::add_linked();
    add_c("SHA-256", hashmill_sha256);
    add_c("SHA-512", hashmill_sha512);
    add_c("SHA3-256", hashmill_sha3_256);
    add_c("BLAKE2b", hashmill_blake2b);
    add_c("BLAKE2s", hashmill_blake2s);
    add_openssl("SHA-256", "SHA2-256");
    add_openssl("SHA-512", "SHA2-512");
    add_openssl("SHA3-256", "SHA3-256");
    add_openssl("BLAKE2b", "BLAKE2B-512");
    add_openssl("BLAKE2s", "BLAKE2S-256");
    bench::add("BLAKE2b", "libb2", [](const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
        blake2b(out, data, nullptr, 64, length, 0);
    });
    bench::add("BLAKE2s", "libb2", [](const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
        blake2s(out, data, nullptr, 32, length, 0);
    });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
