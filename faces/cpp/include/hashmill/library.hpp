// What only the library has: KangarooTwelve, SP 800-185, BLAKE2X piece by piece, HKDF, PBKDF2, an
// algorithm that is chosen at run time, and many messages or hashers at once. Link with it: CMake's
// hashmill::hashmill, or pkg-config.
//
//     #include <hashmill/library.hpp>
//
//     auto output = hashmill::kt128().update(part).update(another).finalize("customization");
//     auto first = output.squeeze<32>();                            // and more, as often as you like
//     auto tag = hashmill::kmac256(key, "purpose").update(message).finalize<32>();
//     auto okm = hashmill::hkdf<hashmill::sha256>(salt, secret).expand<64>("session key");
//
// Each object is a context of hashmill.h: on the stack, wiped at its end, copied by as many bytes
// as it uses.
#pragma once

#if !defined(HASHMILL_LINKED)
#error "hashmill/library.hpp needs the library: link with CMake's hashmill::hashmill, or take pkg-config's flags"
#endif

#include "hashmill/hashmill.hpp"

#include <hashmill.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hashmill {
namespace detail::library {

// A hasher of the library.
class hasher {
public:
    hasher(const hasher &other) noexcept { copy(other); }
    hasher &operator=(const hasher &other) noexcept {
        if (this != &other) {
            hashmill_hasher_wipe(&context_);
            copy(other);
        }
        return *this;
    }
    ~hasher() { hashmill_hasher_wipe(&context_); }

    // The context, for what this class does not offer.
    hashmill_hasher *native() noexcept { return &context_; }
    const hashmill_hasher *native() const noexcept { return &context_; }

protected:
    hasher() noexcept { context_.opaque[0] = 0; }

private:
    void copy(const hasher &other) noexcept {
        context_.opaque[0] = 0;
        std::memcpy(&context_, &other.context_, hashmill_hasher_size(hashmill_hasher_algorithm(&other.context_)));
    }

    hashmill_hasher context_;
};

// The output of an extendable-output function.
class output {
public:
    explicit output(const hashmill_hasher &hasher) noexcept { (void)hashmill_hasher_finalize_xof(&hasher, &xof_); }
    output(const hashmill_hasher &hasher, const bytes &custom) noexcept {
        (void)hashmill_hasher_finalize_xof_with(&hasher, custom.data(), custom.size(), &xof_);
    }
    output(const output &) = default;
    output &operator=(const output &) = default;
    ~output() { hashmill_xof_wipe(&xof_); }

    // The next bytes of the output.
    output &squeeze(std::span<std::uint8_t> out) noexcept {
        (void)hashmill_xof_squeeze(&xof_, out.data(), out.size());
        return *this;
    }

    // The next N bytes of the output.
    template <std::size_t N> digest<N> squeeze() noexcept {
        digest<N> out;
        squeeze(out);
        return out;
    }

private:
    hashmill_xof xof_{};
};

// The output of BLAKE2X, which has an end.
class ending_output {
public:
    explicit ending_output(const hashmill_hasher &hasher) noexcept {
        (void)hashmill_hasher_finalize_xof(&hasher, &xof_);
    }
    ending_output(const ending_output &) = default;
    ending_output &operator=(const ending_output &) = default;
    ~ending_output() { hashmill_xof_wipe(&xof_); }

    // The next bytes of the output. False, and nothing is written, if there are not as many.
    [[nodiscard]] bool squeeze(std::span<std::uint8_t> out) noexcept {
        return hashmill_xof_squeeze(&xof_, out.data(), out.size()) == HASHMILL_OK;
    }

private:
    hashmill_xof xof_{};
};

// KangarooTwelve (RFC 9861).
template <hashmill_algorithm Code> class kangaroo_twelve : public hasher {
public:
    kangaroo_twelve() noexcept { (void)hashmill_hasher_init(native(), Code); }

    // Absorbs the next part of the message.
    kangaroo_twelve &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // The output for all that was absorbed and a customization string. This stays as it is and may
    // go on.
    output finalize(const bytes &custom = {}) const noexcept { return output(*native(), custom); }

    // The first N bytes of the output for a message.
    template <std::size_t N> static digest<N> hash(const bytes &message, const bytes &custom = {}) noexcept {
        return kangaroo_twelve().update(message).finalize(custom).template squeeze<N>();
    }
};

// cSHAKE (SP 800-185 §3), whose output does not depend on its length.
template <hashmill_algorithm Code> class cshake : public hasher {
public:
    // `name` is NIST's to give.
    cshake(const bytes &name, const bytes &custom) noexcept {
        (void)hashmill_hasher_init_cshake(native(), Code, name.data(), name.size(), custom.data(), custom.size());
    }

    // Absorbs the next part of the message.
    cshake &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // The output for all that was absorbed. This stays as it is and may go on.
    output finalize() const noexcept { return output(*native()); }
};

// What KMAC, TupleHash and ParallelHash have in common: an output that depends on its length, and
// one that does not.
class of_length : public hasher {
public:
    // The output of all that was absorbed. This stays as it is and may go on.
    void finalize(std::span<std::uint8_t> out) const noexcept {
        (void)hashmill_hasher_finalize(native(), out.data(), out.size());
    }
    template <std::size_t N> digest<N> finalize() const noexcept {
        digest<N> out;
        finalize(out);
        return out;
    }

    // That of the function's XOF.
    output finalize_xof() const noexcept { return output(*native()); }

protected:
    of_length() = default;
};

// KMAC (SP 800-185 §4).
template <hashmill_algorithm Code> class kmac : public of_length {
public:
    explicit kmac(const bytes &key, const bytes &custom = {}) noexcept {
        (void)hashmill_hasher_init_kmac(native(), Code, key.data(), key.size(), custom.data(), custom.size());
    }

    // Absorbs the next part of the message.
    kmac &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // The tag after one more part; this stays as it is: prepare a key once, for many messages.
    template <std::size_t N> digest<N> finish(const bytes &message) const noexcept {
        digest<N> out;
        (void)hashmill_hasher_finish(native(), message.data(), message.size(), out.data(), out.size());
        return out;
    }

    // Whether it is the tag of all that was absorbed, in a time that does not tell where they
    // differ.
    template <std::size_t N> bool verify(const digest<N> &tag) const noexcept {
        static_assert(N >= 4, "a tag has at least 4 bytes");
        return equal(this->template finalize<N>(), tag);
    }
};

// TupleHash (SP 800-185 §5).
template <hashmill_algorithm Code> class tuple_hash : public of_length {
public:
    explicit tuple_hash(const bytes &custom = {}) noexcept {
        (void)hashmill_hasher_init_tuple_hash(native(), Code, custom.data(), custom.size());
    }

    // The tuple's next element.
    tuple_hash &element(const bytes &data) noexcept {
        (void)hashmill_hasher_element(native(), data.data(), data.size());
        return *this;
    }
};

// ParallelHash (SP 800-185 §6).
template <hashmill_algorithm Code> class parallel_hash : public of_length {
public:
    // Nothing if a block has no bytes.
    static std::optional<parallel_hash> with(std::size_t block_length, const bytes &custom = {}) noexcept {
        parallel_hash hash;
        const bool good = hashmill_hasher_init_parallel_hash(hash.native(), Code, block_length, custom.data(),
                                                             custom.size()) == HASHMILL_OK;
        return good ? std::optional<parallel_hash>(hash) : std::nullopt;
    }

    // Absorbs the next part of the message.
    parallel_hash &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(this->native(), data.data(), data.size());
        return *this;
    }

private:
    parallel_hash() = default;
};

// BLAKE2X piece by piece; `blake2b<>::extend` does it in one call, without the library.
template <hashmill_algorithm Code> class blake2x : public hasher {
public:
    // No key, an output of unknown length.
    blake2x() noexcept { (void)hashmill_hasher_init(native(), Code); }

    // For an output of that length; 0 if it is not known. Of `params` the key, the salt and the
    // personalization count. Nothing if one of them or the length is out of range.
    static std::optional<blake2x> with(std::uint64_t length, const blake2_params &params = {}) noexcept {
        hashmill_blake2_params p;
        (void)hashmill_blake2_defaults(&p, sizeof p, Code);
        p.key = {params.key.data(), params.key.size()};
        p.salt = {params.salt.data(), params.salt.size()};
        p.personal = {params.personal.data(), params.personal.size()};
        blake2x hash;
        const bool good = hashmill_hasher_init_blake2x(hash.native(), Code, &p, length) == HASHMILL_OK;
        return good ? std::optional<blake2x>(hash) : std::nullopt;
    }

    // Absorbs the next part of the message.
    blake2x &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // The output for all that was absorbed. This stays as it is and may go on.
    ending_output finalize() const noexcept { return ending_output(*native()); }
};

// The number of a function of the headers.
template <class H> inline constexpr hashmill_algorithm code = 0;
template <> inline constexpr hashmill_algorithm code<sha224> = HASHMILL_SHA224;
template <> inline constexpr hashmill_algorithm code<sha256> = HASHMILL_SHA256;
template <> inline constexpr hashmill_algorithm code<sha384> = HASHMILL_SHA384;
template <> inline constexpr hashmill_algorithm code<sha512> = HASHMILL_SHA512;
template <> inline constexpr hashmill_algorithm code<sha512_224> = HASHMILL_SHA512_224;
template <> inline constexpr hashmill_algorithm code<sha512_256> = HASHMILL_SHA512_256;
template <> inline constexpr hashmill_algorithm code<sha3_224> = HASHMILL_SHA3_224;
template <> inline constexpr hashmill_algorithm code<sha3_256> = HASHMILL_SHA3_256;
template <> inline constexpr hashmill_algorithm code<sha3_384> = HASHMILL_SHA3_384;
template <> inline constexpr hashmill_algorithm code<sha3_512> = HASHMILL_SHA3_512;
template <> inline constexpr hashmill_algorithm code<blake2b<>> = HASHMILL_BLAKE2B;
template <> inline constexpr hashmill_algorithm code<blake2s<>> = HASHMILL_BLAKE2S;

inline std::vector<hashmill_bytes> messages(std::span<const bytes> all) {
    std::vector<hashmill_bytes> list;
    list.reserve(all.size());
    for (const bytes &one : all) {
        list.push_back({one.data(), one.size()});
    }
    return list;
}

} // namespace detail::library

using kt128 = detail::library::kangaroo_twelve<HASHMILL_KT128>;
using kt256 = detail::library::kangaroo_twelve<HASHMILL_KT256>;
using cshake128 = detail::library::cshake<HASHMILL_CSHAKE128>;
using cshake256 = detail::library::cshake<HASHMILL_CSHAKE256>;
using kmac128 = detail::library::kmac<HASHMILL_KMAC128>;
using kmac256 = detail::library::kmac<HASHMILL_KMAC256>;
using tuple_hash128 = detail::library::tuple_hash<HASHMILL_TUPLE_HASH128>;
using tuple_hash256 = detail::library::tuple_hash<HASHMILL_TUPLE_HASH256>;
using parallel_hash128 = detail::library::parallel_hash<HASHMILL_PARALLEL_HASH128>;
using parallel_hash256 = detail::library::parallel_hash<HASHMILL_PARALLEL_HASH256>;
using blake2xb = detail::library::blake2x<HASHMILL_BLAKE2XB>;
using blake2xs = detail::library::blake2x<HASHMILL_BLAKE2XS>;

// HKDF (RFC 5869) with the hash function H, for instance sha256: extracted once, expanded often.
template <class H> class hkdf {
    static_assert(detail::library::code<H> != 0, "HKDF is defined for hash functions with a digest of fixed length");

public:
    hkdf(const bytes &salt, const bytes &secret) noexcept {
        (void)hashmill_hkdf_init(&context_, detail::library::code<H>, salt.data(), salt.size(), secret.data(),
                                 secret.size());
    }
    hkdf(const hkdf &) = default;
    hkdf &operator=(const hkdf &) = default;
    ~hkdf() { hashmill_hkdf_wipe(&context_); }

    // A key for what `info` says.
    template <std::size_t N> digest<N> expand(const bytes &info) const noexcept {
        static_assert(N <= 255 * H::digest_length, "at most 255 digests");
        digest<N> out;
        (void)expand(info, out);
        return out;
    }

    // False, and nothing is written, for more than 255 digests.
    [[nodiscard]] bool expand(const bytes &info, std::span<std::uint8_t> out) const noexcept {
        return hashmill_hkdf_expand(&context_, info.data(), info.size(), out.data(), out.size()) == HASHMILL_OK;
    }

private:
    hashmill_hkdf_context context_{};
};

// PBKDF2 (RFC 8018) with HMAC over H. False, and nothing is written, for no iterations.
template <class H>
[[nodiscard]] bool pbkdf2(const bytes &password, const bytes &salt, std::uint32_t iterations,
                          std::span<std::uint8_t> out) noexcept {
    static_assert(detail::library::code<H> != 0, "PBKDF2 takes hash functions with a digest of fixed length");
    return hashmill_pbkdf2(detail::library::code<H>, password.data(), password.size(), salt.data(), salt.size(),
                           iterations, out.data(), out.size()) == HASHMILL_OK;
}

// A hasher whose algorithm is chosen at run time.
class any_hasher : public detail::library::hasher {
public:
    // By one of hashmill.h's numbers, HASHMILL_SHA256 for instance; nothing if it takes parameters
    // or is unknown.
    static std::optional<any_hasher> with(hashmill_algorithm algorithm) noexcept {
        any_hasher hash;
        const bool good = hashmill_hasher_init(hash.native(), algorithm) == HASHMILL_OK;
        return good ? std::optional<any_hasher>(hash) : std::nullopt;
    }

    // BLAKE2 with parameters and a digest of that length, a node of a tree for instance; nothing if
    // one of them is out of range, or for another algorithm.
    static std::optional<any_hasher> with(hashmill_algorithm algorithm, std::size_t length,
                                          const blake2_params &params) noexcept {
        any_hasher hash;
        hashmill_blake2_params p;
        if (hashmill_blake2_defaults(&p, sizeof p, algorithm) != HASHMILL_OK) {
            return std::nullopt;
        }
        p.output_len = length;
        p.key = {params.key.data(), params.key.size()};
        p.salt = {params.salt.data(), params.salt.size()};
        p.personal = {params.personal.data(), params.personal.size()};
        p.node_offset = params.node_offset;
        p.inner_len = params.inner_length;
        p.leaf_len = params.leaf_length;
        p.fanout = params.fanout;
        p.max_depth = params.max_depth;
        p.node_depth = params.node_depth;
        p.last_node = params.last_node ? 1 : 0;
        const bool good = hashmill_hasher_init_blake2(hash.native(), algorithm, &p) == HASHMILL_OK;
        return good ? std::optional<any_hasher>(hash) : std::nullopt;
    }

    // By its name, in any usual spelling: "SHA-512/256", "sha3_256".
    static std::optional<any_hasher> with(const char *name) noexcept {
        hashmill_algorithm algorithm = 0;
        return hashmill_algorithm_by_name(name, &algorithm) == HASHMILL_OK ? with(algorithm) : std::nullopt;
    }

    hashmill_algorithm algorithm() const noexcept { return hashmill_hasher_algorithm(native()); }
    std::size_t digest_length() const noexcept { return hashmill_hasher_output_len(native()); }

    // Absorbs the next part of the message.
    any_hasher &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // The digest of all that was absorbed. False, and nothing is written, unless `out` has its
    // length; an extendable-output function gives any number of bytes.
    [[nodiscard]] bool finalize(std::span<std::uint8_t> out) const noexcept {
        return hashmill_hasher_finalize(native(), out.data(), out.size()) == HASHMILL_OK;
    }

private:
    any_hasher() = default;
};

// Gives each hasher of this header the next part of its own message, side by side in SIMD lanes.
// False, and nothing is absorbed, if there are not as many parts or a hasher is there twice.
template <class Hasher> [[nodiscard]] bool update_many(std::span<Hasher *const> hashers, std::span<const bytes> parts) {
    if (hashers.size() != parts.size()) {
        return false;
    }
    std::vector<hashmill_hasher *> contexts;
    contexts.reserve(hashers.size());
    for (Hasher *one : hashers) {
        contexts.push_back(one == nullptr ? nullptr : one->native());
    }
    const auto list = detail::library::messages(parts);
    return hashmill_hasher_update_many(contexts.data(), list.data(), list.size()) == HASHMILL_OK;
}

// What each hasher's digest would be after its own message, one after the other in `out`, side by
// side in SIMD lanes: for nodes of a tree, which differ in their parameters. The hashers stay as
// they are, and one may be there twice. False, and nothing is written, if there are not as many
// messages, if the hashers have different functions, or if `out` has not room for exactly that many
// digests; an extendable-output function gives as many bytes for each as `out` has room for.
template <class Hasher>
[[nodiscard]] bool finish_each(std::span<const Hasher *const> hashers, std::span<const bytes> messages,
                               std::span<std::uint8_t> out) {
    const std::size_t count = hashers.size();
    if (messages.size() != count || out.size() % (count == 0 ? 1 : count) != 0) {
        return false;
    }
    std::vector<const hashmill_hasher *> contexts;
    contexts.reserve(count);
    for (const Hasher *one : hashers) {
        contexts.push_back(one == nullptr ? nullptr : one->native());
    }
    const auto list = detail::library::messages(messages);
    return hashmill_hasher_finish_each(contexts.data(), list.data(), count, out.data(),
                                       out.size() / (count == 0 ? 1 : count)) == HASHMILL_OK;
}

// The digests of many messages, one after the other in `out`, side by side in SIMD lanes. False,
// and nothing is written, unless `out` has room for exactly that many.
template <class H> [[nodiscard]] bool hash_many(std::span<const bytes> messages, std::span<std::uint8_t> out) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    if (out.size() != messages.size() * H::digest_length) {
        return false;
    }
    const auto list = detail::library::messages(messages);
    return hashmill_hash_many(detail::library::code<H>, list.data(), list.size(), out.data(), H::digest_length) ==
           HASHMILL_OK;
}

} // namespace hashmill
