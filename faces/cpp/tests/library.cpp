// Tests hashmill/library.hpp with published answers and with the one-call functions of hashmill.h.

#include <hashmill/library.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using hashmill::bytes;
using hashmill::merkle_rule;

std::vector<std::uint8_t> pattern(std::size_t size, std::size_t period) {
    std::vector<std::uint8_t> message(size);
    for (std::size_t i = 0; i < size; i++) {
        message[i] = static_cast<std::uint8_t>(i % period);
    }
    return message;
}

template <std::size_t N> std::string hex(const hashmill::digest<N> &digest) {
    const auto text = hashmill::to_hex(digest);
    return std::string(text.begin(), text.end());
}

// A message that is longer than KangarooTwelve's chunk, so that there are leaves.
const std::vector<std::uint8_t> message = pattern(30000, 253);
// NIST's samples for SP 800-185.
const std::vector<std::uint8_t> octets = pattern(256, 256);
const bytes four = bytes(octets).first(4);
const bytes nist_key = bytes(octets).without_first(0x40).first(32);

// Updates a hasher with the message in pieces.
template <class Hasher> void feed(Hasher &hasher) {
    for (std::size_t at = 0, step = 1; at < message.size(); at += step, step = step * 3 % 6007) {
        step = std::min(step, message.size() - at);
        hasher.update(bytes(message).without_first(at).first(step));
    }
}

// RFC 9861 §5.
TEST(library, kangaroo_twelve) {
    EXPECT_EQ(hex(hashmill::kt128::hash<32>("")), "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5");
    hashmill::digest<100> expected;
    ASSERT_EQ(hashmill_kt256(message.data(), message.size(), "C", 1, expected.data(), expected.size()), HASHMILL_OK);
    hashmill::kt256 hasher;
    feed(hasher);
    auto output = hasher.finalize("C");
    EXPECT_EQ(output.squeeze<100>(), expected);
    EXPECT_NE(hasher.finalize().squeeze<100>(), expected);
    // An output and its copy both continue at their position.
    auto again = hasher.finalize("C");
    const auto first = again.squeeze<37>();
    auto copy = again;
    hashmill::digest<63> rest = again.squeeze<63>();
    EXPECT_TRUE(std::equal(first.begin(), first.end(), expected.begin()));
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), expected.begin() + 37));
    EXPECT_EQ(copy.squeeze<63>(), rest);
}

TEST(library, cshake) {
    hashmill::cshake128 hasher("", "Email Signature");
    EXPECT_EQ(hex(hasher.update(four).finalize().squeeze<32>()),
              "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5");
    hashmill::cshake256 shake("", "");
    feed(shake);
    EXPECT_EQ(shake.finalize().squeeze<32>(), hashmill::shake256::hash<32>(message));
}

TEST(library, kmac) {
    hashmill::kmac128 mac(nist_key);
    const auto prepared = mac;
    const auto tag = mac.update(four).finalize<32>();
    EXPECT_EQ(hex(tag), "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e");
    EXPECT_EQ(hex(mac.finalize_xof().squeeze<32>()),
              "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35");
    EXPECT_EQ(prepared.finish<32>(four), tag);
    EXPECT_TRUE(mac.verify(tag));
    auto forged = tag;
    forged[31] ^= 1;
    EXPECT_FALSE(mac.verify(forged));
    EXPECT_FALSE(prepared.verify(tag));
    hashmill::digest<64> long_tag;
    hashmill::kmac256 other(nist_key, "My Tagged Application");
    other.update(four).finalize(long_tag);
    EXPECT_EQ(hex(long_tag), "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
                             "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd");
}

TEST(library, tuple_hash) {
    hashmill::tuple_hash128 hash;
    hash.element(bytes(octets).first(3)).element(bytes(octets).without_first(0x10).first(6));
    EXPECT_EQ(hex(hash.finalize<32>()), "c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1");
    EXPECT_EQ(hex(hash.finalize_xof().squeeze<32>()),
              "2f103cd7c32320353495c68de1a8129245c6325f6f2a3d608d92179c96e68488");
}

TEST(library, parallel_hash) {
    std::array<std::uint8_t, 24> blocks{};
    for (std::size_t i = 0; i < blocks.size(); i++) {
        blocks[i] = static_cast<std::uint8_t>(i / 8 * 16 + i % 8);
    }
    auto hash = hashmill::parallel_hash128::with(8);
    ASSERT_TRUE(hash);
    hash->update(bytes(blocks).first(5)).update(bytes(blocks).without_first(5));
    EXPECT_EQ(hex(hash->finalize<32>()), "ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5");
    EXPECT_EQ(hex(hash->finalize_xof().squeeze<32>()),
              "fe47d661e49ffe5b7d999922c062356750caf552985b8e8ce6667f2727c3c8d3");
    EXPECT_FALSE(hashmill::parallel_hash128::with(0));
}

TEST(library, blake2x) {
    const bytes key = bytes(octets).first(32);
    auto hash = hashmill::blake2xs::with(32, {.key = key});
    ASSERT_TRUE(hash);
    hash->update(bytes(octets).first(100)).update(bytes(octets).without_first(100));
    hashmill::digest<32> out;
    auto output = hash->finalize();
    ASSERT_TRUE(output.squeeze(std::span(out).first(20)));
    ASSERT_TRUE(output.squeeze(std::span(out).subspan(20)));
    // BLAKE2's authors, blake2-kat.json.
    EXPECT_EQ(hex(out), "a4fe2bd0f96a215fa7164ae1a405f4030a586c12b0c29806a099d7d7fdd8dd72");
    EXPECT_FALSE(output.squeeze(std::span(out).first(1)));
    EXPECT_TRUE(output.squeeze({}));
    std::vector<std::uint8_t> known(1000), expected(1000);
    auto long_hash = hashmill::blake2xb::with(1000);
    ASSERT_TRUE(long_hash && hashmill::blake2xb::hash(message, expected));
    feed(*long_hash);
    ASSERT_TRUE(long_hash->finalize().squeeze(known));
    EXPECT_EQ(known, expected);
    hashmill::blake2xb unknown;
    feed(unknown);
    ASSERT_TRUE(unknown.finalize().squeeze(known));
    EXPECT_NE(known, expected);
    EXPECT_FALSE(hashmill::blake2xs::with(65535));
    EXPECT_FALSE(hashmill::blake2xs::with(32, {.key = bytes(octets).first(33)}));
}

// RFC 5869 A.1, RFC 7914 §11.
TEST(library, key_derivation) {
    const std::vector<std::uint8_t> secret(22, 0x0b);
    const hashmill::hkdf<hashmill::sha256> hkdf(bytes(octets).first(13), secret);
    const auto copy = hkdf;
    EXPECT_EQ(hex(copy.expand<42>(bytes(octets).without_first(0xf0).first(10))),
              "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    std::vector<std::uint8_t> too_long(255 * 32 + 1);
    EXPECT_FALSE(hkdf.expand("", too_long));
    hashmill::digest<64> out;
    ASSERT_TRUE(hashmill::pbkdf2<hashmill::sha256>("passwd", "salt", 1, out));
    EXPECT_EQ(hex(out), "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                        "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783");
    EXPECT_FALSE(hashmill::pbkdf2<hashmill::sha256>("passwd", "salt", 0, out));
}

TEST(library, chosen_at_run_time) {
    auto hasher = hashmill::any_hasher::with("sha-512/256");
    ASSERT_TRUE(hasher);
    EXPECT_EQ(hasher->algorithm(), HASHMILL_SHA512_256);
    feed(*hasher);
    hashmill::digest<32> out;
    ASSERT_EQ(hasher->digest_length(), out.size());
    ASSERT_TRUE(hasher->finalize(out));
    EXPECT_EQ(out, hashmill::sha512_256::hash(message));
    EXPECT_FALSE(hasher->finalize(std::span(out).first(31)));
    EXPECT_FALSE(hashmill::any_hasher::with("md5"));
    EXPECT_FALSE(hashmill::any_hasher::with(HASHMILL_KMAC128));
    auto other = hashmill::any_hasher::with(HASHMILL_SHA3_512);
    *other = *hasher;
    ASSERT_TRUE(other->finalize(out));
    EXPECT_EQ(out, hashmill::sha512_256::hash(message));
}

TEST(library, many) {
    std::vector<hashmill::any_hasher> hashers;
    std::vector<hashmill::any_hasher *> pointers;
    std::vector<bytes> parts;
    for (std::size_t i = 0; i < 20; i++) {
        hashers.push_back(*hashmill::any_hasher::with(i % 2 == 0 ? HASHMILL_SHA256 : HASHMILL_SHA3_256));
        parts.push_back(bytes(message).first(i * 77));
    }
    for (auto &hasher : hashers) {
        pointers.push_back(&hasher);
    }
    ASSERT_TRUE(hashmill::update_many<hashmill::any_hasher>(pointers, parts));
    std::vector<std::uint8_t> together(20 * 32);
    ASSERT_TRUE(hashmill::hash_many<hashmill::sha256>(parts, together));
    for (std::size_t i = 0; i < 20; i++) {
        hashmill::digest<32> out;
        ASSERT_TRUE(hashers[i].finalize(out));
        EXPECT_EQ(out, i % 2 == 0 ? hashmill::sha256::hash(parts[i]) : hashmill::sha3_256::hash(parts[i]));
        EXPECT_TRUE(std::ranges::equal(hashmill::sha256::hash(parts[i]), std::span(together).subspan(32 * i, 32)));
    }
    pointers[3] = pointers[4];
    EXPECT_FALSE(hashmill::update_many<hashmill::any_hasher>(pointers, parts));
    parts.pop_back();
    pointers[3] = &hashers[3];
    EXPECT_FALSE(hashmill::update_many<hashmill::any_hasher>(pointers, parts));
    EXPECT_FALSE(hashmill::hash_many<hashmill::sha256>(parts, together));
}

// Nodes of a tree: every leaf has its own offset, and the last leaf has the flag for the last node.
TEST(library, nodes) {
    std::vector<hashmill::any_hasher> leaves;
    std::vector<const hashmill::any_hasher *> pointers;
    std::vector<bytes> parts;
    std::vector<hashmill::blake2_params> params;
    for (std::size_t i = 0; i < 20; i++) {
        params.push_back({.key = nist_key, .fanout = 0, .max_depth = 2, .node_offset = i, .inner_length = 64,
                          .last_node = i == 19});
        leaves.push_back(*hashmill::any_hasher::with(HASHMILL_BLAKE2B, 64, params[i]));
        parts.push_back(bytes(message).first(i * 77));
    }
    for (const auto &leaf : leaves) {
        pointers.push_back(&leaf);
    }
    std::vector<std::uint8_t> together(20 * 64);
    ASSERT_TRUE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, together));
    for (std::size_t i = 0; i < 20; i++) {
        // Compares with the code of the headers.
        auto leaf = hashmill::blake2b<64>::with(params[i]);
        ASSERT_TRUE(leaf);
        leaf->update(parts[i]);
        EXPECT_TRUE(std::ranges::equal(leaf->finalize(), std::span(together).subspan(64 * i, 64))) << i;
    }
    EXPECT_TRUE(hashmill::finish_each<hashmill::any_hasher>({}, {}, {}));
    const std::vector<std::uint8_t> before = together;
    EXPECT_FALSE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, std::span(together).first(20 * 63)));
    EXPECT_FALSE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, std::span(together).first(20 * 64 - 1)));
    const auto other = *hashmill::any_hasher::with(HASHMILL_SHA512);
    pointers[7] = &other;
    EXPECT_FALSE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, together));
    pointers[7] = nullptr;
    EXPECT_FALSE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, together));
    parts.pop_back();
    EXPECT_FALSE(hashmill::finish_each<hashmill::any_hasher>(pointers, parts, together));
    EXPECT_EQ(together, before);
    EXPECT_FALSE(hashmill::any_hasher::with(HASHMILL_SHA256, 32, {}));
    EXPECT_FALSE(hashmill::any_hasher::with(HASHMILL_BLAKE2S, 33, {}));
    EXPECT_FALSE(hashmill::any_hasher::with(HASHMILL_BLAKE2S, 32, {.node_offset = std::uint64_t{1} << 48}));
}

// Five leaves, each level by the definition.
TEST(library, merkle_trees) {
    using node = hashmill::digest<32>;
    std::vector<node> leaves;
    for (std::uint8_t i = 0; i < 5; i++) {
        leaves.push_back(hashmill::sha256::hash(std::vector{i}));
    }
    const auto plain = [](const node &a, const node &b) { return hashmill::sha256().update(a).update(b).finalize(); };
    const auto twice = [&](const node &a, const node &b) { return hashmill::sha256::hash(plain(a, b)); };
    const auto prefixed = [](const node &a, const node &b) {
        return hashmill::sha256().update("\1").update(a).update(b).finalize();
    };
    const auto root = [&](merkle_rule rule) {
        std::vector<std::uint8_t> packed;
        for (const auto &leaf : leaves) {
            packed.insert(packed.end(), leaf.begin(), leaf.end());
        }
        return *hashmill::merkle_root<hashmill::sha256>(rule, packed);
    };
    const auto four = [&](const auto &hash) { return hash(hash(leaves[0], leaves[1]), hash(leaves[2], leaves[3])); };
    EXPECT_EQ(root(merkle_rule::rfc6962), prefixed(four(prefixed), leaves[4]));
    const node two = twice(leaves[4], leaves[4]);
    EXPECT_EQ(root(merkle_rule::bitcoin), twice(four(twice), twice(two, two)));
    const node zeros{};
    const node three = plain(plain(leaves[4], zeros), plain(zeros, zeros));
    EXPECT_EQ(root(merkle_rule::ssz), plain(four(plain), three));
    const node first_two = prefixed(leaves[0], leaves[1]), pair = prefixed(leaves[2], leaves[3]);
    std::vector<std::uint8_t> path(leaves[3].begin(), leaves[3].end());
    path.insert(path.end(), first_two.begin(), first_two.end());
    path.insert(path.end(), leaves[4].begin(), leaves[4].end());
    const auto of_path = [&](std::uint64_t index, const bytes &nodes) {
        return hashmill::merkle_root_of_path<hashmill::sha256>(merkle_rule::rfc6962, leaves[2], index, 5, nodes);
    };
    EXPECT_EQ(of_path(2, path), prefixed(prefixed(first_two, pair), leaves[4]));
    EXPECT_FALSE(of_path(5, path));
    EXPECT_FALSE(of_path(2, bytes(path).first(64)));
    std::vector<std::uint8_t> short_by_one(63);
    EXPECT_FALSE(hashmill::merkle_root<hashmill::sha256>(merkle_rule::ssz, short_by_one));

    // Three nodes of 16 bytes below the root, of which the last is zeros.
    std::vector<std::uint8_t> nodes(32, 7), padded = nodes;
    padded.resize(48);
    const auto whole = hashmill::sha256::hash(padded);
    const auto cut = hashmill::merkle_root<hashmill::sha256, 16>(merkle_rule::verity, nodes, 3);
    ASSERT_TRUE(cut);
    EXPECT_TRUE(std::equal(cut->begin(), cut->end(), whole.begin()));
    EXPECT_FALSE((hashmill::merkle_root<hashmill::sha256, 16>(merkle_rule::verity, nodes, 1)));
    EXPECT_FALSE((hashmill::mountain_range<hashmill::sha256, 16>(merkle_rule::ssz).append(std::span(nodes).first(15))));
    // As many as fit in a block.
    nodes.assign(32, 7);
    padded.resize(4096);
    const auto block = hashmill::sha256::hash(padded);
    const auto first = hashmill::merkle_root<hashmill::sha256, 16>(merkle_rule::verity, nodes, 0);
    ASSERT_TRUE(first);
    EXPECT_TRUE(std::equal(first->begin(), first->end(), block.begin()));
}

// Every rule: a tree that grows by pieces, continued from its peaks, and the paths of its leaves.
template <class H, std::size_t N> void grows(merkle_rule rule) {
    static constexpr std::size_t pieces[] = {0, 1, 2, 40, 1, 97};
    std::vector<std::uint8_t> all(141 * N);
    for (std::size_t i = 0; i < all.size(); i++) {
        all[i] = static_cast<std::uint8_t>(i * i >> 3);
    }
    hashmill::mountain_range<H, N> range(rule);
    std::size_t done = 0;
    for (const std::size_t piece : pieces) {
        std::vector<std::uint8_t> leaves(all.data() + done * N, all.data() + (done + piece) * N);
        ASSERT_TRUE(range.append(leaves));
        done += piece;
        ASSERT_EQ(range.count(), done);
        leaves.assign(all.data(), all.data() + done * N);
        const auto root = hashmill::merkle_root<H, N>(rule, leaves, 0);
        ASSERT_TRUE(root);
        EXPECT_EQ(range.root(), *root);
        const auto again = hashmill::mountain_range<H, N>::from_peaks(rule, done, range.peaks());
        ASSERT_TRUE(again);
        EXPECT_EQ(again->root(), *root);
        EXPECT_FALSE((hashmill::mountain_range<H, N>::from_peaks(rule, 2 * done + 1, range.peaks())));
        range = *again;
        if (done > 0) {
            const std::size_t indices[] = {done / 2, 0, done - 1};
            leaves.assign(all.data(), all.data() + done * N);
            const auto paths = hashmill::merkle_paths<H, N>(rule, leaves, indices);
            ASSERT_TRUE(paths);
            for (std::size_t i = 0; i < 3; i++) {
                hashmill::digest<N> leaf;
                std::copy_n(all.data() + indices[i] * N, N, leaf.begin());
                const auto of_path = hashmill::merkle_root_of_path<H, N>(rule, leaf, indices[i], done, (*paths)[i]);
                ASSERT_TRUE(of_path);
                EXPECT_EQ(*of_path, *root);
            }
        }
    }
    const std::size_t too_large[] = {141};
    EXPECT_FALSE((hashmill::merkle_paths<H, N>(rule, all, too_large)));
}

TEST(library, merkle_trees_that_grow) {
    for (const auto rule : {merkle_rule::rfc6962, merkle_rule::bitcoin, merkle_rule::ssz, merkle_rule::commonware_mmr,
                            merkle_rule::commonware_bmt, merkle_rule::verity}) {
        grows<hashmill::sha256, 32>(rule);
        grows<hashmill::sha3_512, 20>(rule);
    }
}

// Answers of the systems' own tools (vectors/systems/trees.json), where byte i of a file is i mod 251.
TEST(library, file_trees) {
    using hashmill::file_tree;
    const auto file = pattern(1048577, 251), salt = pattern(33, 251);
    const auto hash = [&](file_tree tree, std::size_t len) {
        hashmill::digest<32> digest;
        const auto bytes = std::span(file).first(len);
        EXPECT_TRUE(tree.update(bytes.first(len / 3)).update(bytes.subspan(len / 3)).finalize(digest));
        return hex(digest);
    };
    EXPECT_EQ(hash(*file_tree::fs_verity(), 4097), "b0d074abef4d544404facfab6ba242f6a8ccbde90f1325cd286f3c8aa8d0f8aa");
    EXPECT_EQ(hash(file_tree::bittorrent(), 16385), "9d7887c65d577a0237fb3c0998b87b3a62762d03796889a2caea01db914ccbb8");
    EXPECT_EQ(hash(file_tree::glacier(), 1048577), "a9c574ce937d2371daf87cdd0e75396b096d7f74a66c764e4c656bd12b2e7bf9");
    EXPECT_EQ(hash(file_tree::glacier(), 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash(file_tree::dropbox(), 1), "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a");
    EXPECT_EQ(hash(*file_tree::s3(100), 700), "dd18eb2a4f513f9cfd2223b0e0911cfacfe966aad6cb706292bd39407b092b26");
    auto tree = *file_tree::fs_verity<hashmill::sha512>(1024, std::span(salt).first(32));
    hashmill::digest<64> digest;
    EXPECT_TRUE(tree.update(std::span(file).first(1025)).finalize(digest));
    EXPECT_EQ(hex(digest), "deca54b4661206ce00956898f01ef01069d924de8688553add1ba4d5dc279a97"
                           "89d38f8b051a058b88449343d3c12ef5734c13515e7ecbd41e70556d77a67158");
    EXPECT_EQ(tree.blocks(), 2U);
    EXPECT_FALSE(tree.finalize(std::span(digest).first(32)));
    EXPECT_FALSE(file_tree::s3(0));
    EXPECT_FALSE(file_tree::fs_verity(4095));
    EXPECT_FALSE(file_tree::fs_verity(4096, salt));
    EXPECT_FALSE(file_tree::fs_verity<hashmill::sha384>());
}

} // namespace
