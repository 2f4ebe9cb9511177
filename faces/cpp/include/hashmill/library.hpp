// The functions that only the library has: KangarooTwelve, SP 800-185, HKDF, PBKDF2, hashers whose
// algorithm is chosen at run time, and the functions for many messages or hashers at once. Programs
// must be linked with the library (CMake's hashmill::hashmill, or pkg-config).
//
//     #include <hashmill/library.hpp>
//
//     auto output = hashmill::kt128().update(part).update(another).finalize("customization");
//     auto first = output.squeeze<32>();                // may be called any number of times
//     auto tag = hashmill::kmac256(key, "purpose").update(message).finalize<32>();
//     auto okm = hashmill::hkdf<hashmill::sha256>(salt, secret).expand<64>("session key");
//
// Each object contains a context of hashmill.h. It may lie on the stack, and its destructor wipes
// it. Copying a hasher copies only the bytes that its function uses.
#pragma once

#if !defined(HASHMILL_LINKED)
#error "hashmill/library.hpp needs the library: link with CMake's hashmill::hashmill, or take pkg-config's flags"
#endif

#include "hashmill/hashmill.hpp"

#include <hashmill.h>

#include <algorithm>
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

    // Returns the context, for functions of hashmill.h that this class does not offer.
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

    // Fills `out` with the next bytes of the output.
    output &squeeze(std::span<std::uint8_t> out) noexcept {
        (void)hashmill_xof_squeeze(&xof_, out.data(), out.size());
        return *this;
    }

    // Returns the next N bytes of the output.
    template <std::size_t N> digest<N> squeeze() noexcept {
        digest<N> out;
        squeeze(out);
        return out;
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

    // Returns the output for everything absorbed so far and a customization string. The object does
    // not change, and may absorb more.
    output finalize(const bytes &custom = {}) const noexcept { return output(*native(), custom); }

    // Returns the first N bytes of the output for a message.
    template <std::size_t N> static digest<N> hash(const bytes &message, const bytes &custom = {}) noexcept {
        return kangaroo_twelve().update(message).finalize(custom).template squeeze<N>();
    }
};

// cSHAKE (SP 800-185 §3), whose output does not depend on its length.
template <hashmill_algorithm Code> class cshake : public hasher {
public:
    // `name` is the function name, which NIST assigns; `custom` is the customization string.
    cshake(const bytes &name, const bytes &custom) noexcept {
        (void)hashmill_hasher_init_cshake(native(), Code, name.data(), name.size(), custom.data(), custom.size());
    }

    // Absorbs the next part of the message.
    cshake &update(const bytes &data) noexcept {
        (void)hashmill_hasher_update(native(), data.data(), data.size());
        return *this;
    }

    // Returns the output for everything absorbed so far. The object does not change, and may absorb
    // more.
    output finalize() const noexcept { return output(*native()); }
};

// The operations that KMAC, TupleHash and ParallelHash share. They have two outputs: one depends on
// its length, the other does not.
class of_length : public hasher {
public:
    // Writes the output for everything absorbed so far, which depends on its length. The object
    // does not change, and may absorb more.
    void finalize(std::span<std::uint8_t> out) const noexcept {
        (void)hashmill_hasher_finalize(native(), out.data(), out.size());
    }
    template <std::size_t N> digest<N> finalize() const noexcept {
        digest<N> out;
        finalize(out);
        return out;
    }

    // Returns the output of the function's XOF variant, which does not depend on its length.
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

    // Returns the tag of everything absorbed so far followed by `message`. The object does not
    // change, so that a key is prepared once for many messages.
    template <std::size_t N> digest<N> finish(const bytes &message) const noexcept {
        digest<N> out;
        (void)hashmill_hasher_finish(native(), message.data(), message.size(), out.data(), out.size());
        return out;
    }

    // Returns whether `tag` is the tag of everything absorbed so far. The time that it takes does
    // not reveal where the tags differ.
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

    // Absorbs the tuple's next element.
    tuple_hash &element(const bytes &data) noexcept {
        (void)hashmill_hasher_element(native(), data.data(), data.size());
        return *this;
    }
};

// ParallelHash (SP 800-185 §6).
template <hashmill_algorithm Code> class parallel_hash : public of_length {
public:
    // Makes a hasher with blocks of `block_length` bytes. Returns std::nullopt if that is 0.
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

// The number in hashmill.h of a class of the headers; 0 if it has none.
template <class H> inline constexpr hashmill_algorithm code = 0;
// Generated by `cargo xtask tables --write`: numbers in C++.
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
template <> inline constexpr hashmill_algorithm code<blake2bp<>> = HASHMILL_BLAKE2BP;
template <> inline constexpr hashmill_algorithm code<blake2sp<>> = HASHMILL_BLAKE2SP;
template <> inline constexpr hashmill_algorithm code<keccak256> = HASHMILL_KECCAK256;
template <> inline constexpr hashmill_algorithm code<sm3> = HASHMILL_SM3;
template <> inline constexpr hashmill_algorithm code<ascon_hash256> = HASHMILL_ASCON_HASH256;
// End of the generated lines.

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

// HKDF (RFC 5869) with the hash function H, for instance sha256. The constructor extracts the key;
// `expand` may be called any number of times.
template <hmac_function H> class hkdf {
    static_assert(detail::library::code<H> != 0, "HKDF is defined for hash functions with a digest of fixed length");

public:
    hkdf(const bytes &salt, const bytes &secret) noexcept {
        (void)hashmill_hkdf_init(&context_, detail::library::code<H>, salt.data(), salt.size(), secret.data(),
                                 secret.size());
    }
    hkdf(const hkdf &) = default;
    hkdf &operator=(const hkdf &) = default;
    ~hkdf() { hashmill_hkdf_wipe(&context_); }

    // Returns a key of N bytes for the purpose that `info` names.
    template <std::size_t N> digest<N> expand(const bytes &info) const noexcept {
        static_assert(N <= 255 * H::digest_length, "at most 255 digests");
        digest<N> out;
        (void)expand(info, out);
        return out;
    }

    // Fills `out` with a key for the purpose that `info` names. Returns false and writes nothing if
    // `out` is longer than 255 digests.
    [[nodiscard]] bool expand(const bytes &info, std::span<std::uint8_t> out) const noexcept {
        return hashmill_hkdf_expand(&context_, info.data(), info.size(), out.data(), out.size()) == HASHMILL_OK;
    }

private:
    hashmill_hkdf_context context_{};
};

// PBKDF2 (RFC 8018) with HMAC over H: fills `out` with a key derived from a password. Returns false
// and writes nothing if `iterations` is 0.
template <hmac_function H>
[[nodiscard]] bool pbkdf2(const bytes &password, const bytes &salt, std::uint32_t iterations,
                          std::span<std::uint8_t> out) noexcept {
    static_assert(detail::library::code<H> != 0, "PBKDF2 takes hash functions with a digest of fixed length");
    return hashmill_pbkdf2(detail::library::code<H>, password.data(), password.size(), salt.data(), salt.size(),
                           iterations, out.data(), out.size()) == HASHMILL_OK;
}

// A hasher whose algorithm is chosen at run time.
class any_hasher : public detail::library::hasher {
public:
    // Makes a hasher for an algorithm's number in hashmill.h, HASHMILL_SHA256 for instance. Returns
    // std::nullopt if the number is unknown or its function takes parameters.
    static std::optional<any_hasher> with(hashmill_algorithm algorithm) noexcept {
        any_hasher hash;
        const bool good = hashmill_hasher_init(hash.native(), algorithm) == HASHMILL_OK;
        return good ? std::optional<any_hasher>(hash) : std::nullopt;
    }

    // Makes a hasher for BLAKE2 with parameters and a digest of `length` bytes, for instance for a
    // node of a tree. Returns std::nullopt if a parameter is out of range, or if the algorithm is
    // not BLAKE2.
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

    // Makes a hasher for the algorithm of that name, in any usual spelling: "SHA-512/256",
    // "sha3_256". Returns std::nullopt if there is none.
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

    // Writes the digest of everything absorbed so far. Returns false and writes nothing unless
    // `out` has the digest's length; for an extendable-output function, `out` may have any length.
    [[nodiscard]] bool finalize(std::span<std::uint8_t> out) const noexcept {
        return hashmill_hasher_finalize(native(), out.data(), out.size()) == HASHMILL_OK;
    }

private:
    any_hasher() = default;
};

// A file's hash by the rule of a system that hashes the file's blocks apart: see hashmill.h. The blocks of
// one update run side by side in SIMD lanes, so give it long pieces.
//
//     hashmill::digest<32> root;
//     const bool good = hashmill::file_tree::bittorrent().update(file).finalize(root);
class file_tree {
public:
    file_tree(const file_tree &) = default;
    file_tree &operator=(const file_tree &) = default;
    ~file_tree() { hashmill_file_tree_wipe(&context_); }

    // Linux's fs-verity over `H`, which is sha256 or sha512. Returns std::nullopt unless `block_length` is
    // a power of two from 1024 to 65536, and the salt has at most 32 bytes.
    template <class H = sha256>
    static std::optional<file_tree> fs_verity(std::size_t block_length = 4096, const bytes &salt = {}) noexcept {
        file_tree tree;
        const bool good = hashmill_file_tree_init_fs_verity(&tree.context_, detail::library::code<H>, block_length,
                                                            salt.data(), salt.size()) == HASHMILL_OK;
        return good ? std::optional<file_tree>(tree) : std::nullopt;
    }

    static file_tree bittorrent() noexcept {
        file_tree tree;
        (void)hashmill_file_tree_init_bittorrent(&tree.context_);
        return tree;
    }
    static file_tree glacier() noexcept {
        file_tree tree;
        (void)hashmill_file_tree_init_glacier(&tree.context_);
        return tree;
    }
    static file_tree dropbox() noexcept {
        file_tree tree;
        (void)hashmill_file_tree_init_dropbox(&tree.context_);
        return tree;
    }
    // An object of Amazon S3 that was uploaded in parts of this length. Returns std::nullopt if that is 0.
    static std::optional<file_tree> s3(std::size_t part_length) noexcept {
        file_tree tree;
        const bool good = hashmill_file_tree_init_s3(&tree.context_, part_length) == HASHMILL_OK;
        return good ? std::optional<file_tree>(tree) : std::nullopt;
    }

    // Absorbs the next bytes of the file.
    file_tree &update(const bytes &data) noexcept {
        (void)hashmill_file_tree_update(&context_, data.data(), data.size());
        return *this;
    }

    // Writes the hash of the bytes so far. The file may go on. Returns false and writes nothing unless
    // `out` has 32 bytes, or 64 for fs-verity over SHA-512.
    [[nodiscard]] bool finalize(std::span<std::uint8_t> out) const noexcept {
        return hashmill_file_tree_finalize(&context_, out.data(), out.size()) == HASHMILL_OK;
    }

    // Returns the number of blocks so far. The last one may be incomplete.
    std::uint64_t blocks() const noexcept {
        std::uint64_t blocks = 0;
        (void)hashmill_file_tree_blocks(&context_, &blocks);
        return blocks;
    }

private:
    file_tree() = default;

    hashmill_file_tree context_{};
};

// Absorbs parts[i] into *hashers[i], for hashers of this header, side by side in SIMD lanes.
// Returns false and absorbs nothing if the numbers of parts and hashers differ or if a hasher
// occurs twice.
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

// Writes the digest of each hasher after its own message, one after the other, to `out`. The
// hashers run side by side in SIMD lanes. It is meant for the nodes of a tree, which differ in
// their parameters. The hashers do not change, and one may occur several times. Returns false and
// writes nothing if the numbers of messages and hashers differ, if the hashers have different
// functions, or if `out` does not have exactly the size of all digests. For an extendable-output
// function, `out` is divided equally among the hashers.
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

// Writes the digests of many messages, one after the other, to `out`. The messages are hashed side
// by side in SIMD lanes. Returns false and writes nothing unless `out` has exactly the size of all
// digests.
template <class H> [[nodiscard]] bool hash_many(std::span<const bytes> messages, std::span<std::uint8_t> out) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    if (out.size() != messages.size() * H::digest_length) {
        return false;
    }
    const auto list = detail::library::messages(messages);
    return hashmill_hash_many(detail::library::code<H>, list.data(), list.size(), out.data(), H::digest_length) ==
           HASHMILL_OK;
}

// The Merkle trees of widely used systems: see hashmill.h.
enum class merkle_rule : hashmill_merkle_rule {
    rfc6962 = HASHMILL_MERKLE_RFC6962,
    bitcoin = HASHMILL_MERKLE_BITCOIN,
    ssz = HASHMILL_MERKLE_SSZ,
    commonware_mmr = HASHMILL_MERKLE_COMMONWARE_MMR,
    commonware_bmt = HASHMILL_MERKLE_COMMONWARE_BMT,
    verity = HASHMILL_MERKLE_VERITY,
};

// Returns the root of the Merkle tree over `leaves`, which are digests, one after the other, and are
// overwritten. Returns no value unless they are whole digests.
template <class H>
[[nodiscard]] std::optional<digest<H::digest_length>> merkle_root(merkle_rule rule, std::span<std::uint8_t> leaves) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    digest<H::digest_length> root;
    if (hashmill_merkle_root(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule), leaves.data(),
                             leaves.size(), root.data(), root.size()) != HASHMILL_OK) {
        return std::nullopt;
    }
    return root;
}

// Does the same for a tree with `arity` nodes of `N` bytes below each node, of which 0 stands for the rule's
// number: see hashmill_merkle_root_of. Returns no value if there is no such tree.
template <class H, std::size_t N = H::digest_length>
[[nodiscard]] std::optional<digest<N>> merkle_root(merkle_rule rule, std::span<std::uint8_t> leaves, std::size_t arity) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    static_assert(0 < N && N <= H::digest_length, "a node is a digest or its first bytes");
    digest<N> root;
    if (hashmill_merkle_root_of(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule), arity, leaves.data(),
                                leaves.size(), root.data(), root.size()) != HASHMILL_OK) {
        return std::nullopt;
    }
    return root;
}

// Returns the root that follows from a leaf, its index and the number of leaves, and its path: see
// hashmill_merkle_root_of_path. Returns no value if no tree has this leaf, or if the path has another length.
template <class H, std::size_t N = H::digest_length>
[[nodiscard]] std::optional<digest<N>> merkle_root_of_path(merkle_rule rule, const digest<N> &leaf,
                                                           std::uint64_t index, std::uint64_t count,
                                                           const bytes &path) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    static_assert(0 < N && N <= H::digest_length, "a node is a digest or its first bytes");
    digest<N> root;
    if (hashmill_merkle_root_of_path(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule), leaf.data(),
                                     index, count, path.data(), path.size(), root.data(),
                                     root.size()) != HASHMILL_OK) {
        return std::nullopt;
    }
    return root;
}

// Returns the paths of the leaves with these indices, for merkle_root_of_path. The leaves are overwritten.
// Returns no value unless they are whole nodes, and if there is no leaf with one of the indices.
template <class H, std::size_t N = H::digest_length>
[[nodiscard]] std::optional<std::vector<std::vector<std::uint8_t>>>
merkle_paths(merkle_rule rule, std::span<std::uint8_t> leaves, std::span<const std::size_t> indices) {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    static_assert(0 < N && N <= H::digest_length, "a node is a digest or its first bytes");
    // For each level the siblings of a node, and for the mountain range a peak.
    const std::size_t arity = rule == merkle_rule::verity ? 4096 / N : 2;
    std::size_t capacity = 0;
    for (std::size_t count = leaves.size() / N; count > 1; count = (count + arity - 1) / arity) {
        capacity += arity * N;
    }
    digest<N> root;
    std::vector<std::uint8_t> places(indices.size() * capacity);
    std::vector<std::size_t> lengths(indices.size());
    if (hashmill_merkle_paths(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule), leaves.data(),
                              leaves.size(), indices.data(), indices.size(), places.data(), capacity, lengths.data(),
                              root.data(), root.size()) != HASHMILL_OK) {
        return std::nullopt;
    }
    std::vector<std::vector<std::uint8_t>> paths;
    paths.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); i++) {
        const std::uint8_t *path = places.data() + i * capacity;
        paths.emplace_back(path, path + lengths[i]);
    }
    return paths;
}

// A Merkle tree that grows. It keeps only the peaks, the roots of its complete subtrees: see
// hashmill_merkle_append.
//
//     hashmill::mountain_range<hashmill::sha256> log(hashmill::merkle_rule::rfc6962);
//     const bool good = log.append(leaves);                      // digests, one after the other
//     const hashmill::digest<32> root = log.root();
template <class H, std::size_t N = H::digest_length> class mountain_range {
    static_assert(detail::library::code<H> != 0, "hash functions with a digest of fixed length");
    static_assert(0 < N && N <= H::digest_length, "a node is a digest or its first bytes");

public:
    explicit mountain_range(merkle_rule rule) noexcept : rule_(rule) {}

    // Continues a tree from its count() and peaks(). Returns no value if a tree with that number of leaves
    // has another number of peaks.
    static std::optional<mountain_range> from_peaks(merkle_rule rule, std::uint64_t count, const bytes &peaks) {
        mountain_range range(rule);
        range.count_ = count;
        range.peaks_.assign(peaks.data(), peaks.data() + peaks.size());
        return peaks.size() == range.length(count) ? std::optional<mountain_range>(range) : std::nullopt;
    }

    // Appends leaves: nodes, one after the other, which are overwritten. They are hashed side by side in SIMD
    // lanes, so append many at a time. Returns false and appends nothing unless they are whole nodes.
    [[nodiscard]] bool append(std::span<std::uint8_t> leaves) {
        peaks_.resize(std::max(peaks_.size(), length(count_ + leaves.size() / N)));
        const bool good = hashmill_merkle_append(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule_), N,
                                                 &count_, peaks_.data(), peaks_.size(), leaves.data(),
                                                 leaves.size()) == HASHMILL_OK;
        peaks_.resize(length(count_));
        return good;
    }

    // Returns the root, which merkle_root returns for all leaves.
    digest<N> root() const noexcept {
        digest<N> root{};
        (void)hashmill_merkle_root_of_peaks(detail::library::code<H>, static_cast<hashmill_merkle_rule>(rule_), count_,
                                            peaks_.data(), peaks_.size(), root.data(), root.size());
        return root;
    }

    std::uint64_t count() const noexcept { return count_; }
    // The peaks, one after the other, the largest first.
    std::span<const std::uint8_t> peaks() const noexcept { return peaks_; }

private:
    // Returns the length of the peaks of a tree with that number of leaves.
    std::size_t length(std::uint64_t count) const noexcept {
        const std::uint64_t arity = rule_ == merkle_rule::verity ? 4096 / N : 2;
        std::size_t nodes = 0;
        for (; count > 0; count /= arity) {
            nodes += static_cast<std::size_t>(count % arity);
        }
        return nodes * N;
    }

    merkle_rule rule_;
    std::uint64_t count_ = 0;
    std::vector<std::uint8_t> peaks_;
};

} // namespace hashmill
