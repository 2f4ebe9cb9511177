// What people write who come from OpenSSL's EVP, Crypto++, Botan and picosha2, before they have read
// anything but the names. Each test is a program of its own. They need the headers alone.

#include <hashmill/hashmill.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

template <std::size_t N> std::string hex(const hashmill::digest<N> &digest) {
    const auto text = hashmill::to_hex(digest);
    return std::string(text.begin(), text.end());
}

TEST(newcomers, one_call) {
    EXPECT_EQ(hex(hashmill::sha256::hash("abc")), abc);
    EXPECT_EQ(hex(hashmill::sha256::hash(std::string("abc"))), abc);
    EXPECT_EQ(hex(hashmill::sha256::hash(std::string_view("abc"))), abc);
}

TEST(newcomers, bytes_of_any_kind) {
    const std::vector<std::uint8_t> vector = {'a', 'b', 'c'};
    const std::array<std::byte, 3> array = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    const std::vector<char> chars = {'a', 'b', 'c'};
    EXPECT_EQ(hex(hashmill::sha256::hash(vector)), abc);
    EXPECT_EQ(hex(hashmill::sha256::hash(array)), abc);
    EXPECT_EQ(hex(hashmill::sha256::hash(chars)), abc);
}

TEST(newcomers, parts) {
    hashmill::sha256 hasher;
    hasher.update("a");
    hasher.update(std::string("bc"));
    const auto digest = hasher.finalize();
    EXPECT_EQ(hex(digest), abc);
    EXPECT_EQ(digest.size(), 32u);
    EXPECT_EQ(digest[0], 0xba);
}

TEST(newcomers, a_chain) {
    EXPECT_EQ(hex(hashmill::sha256().update("a").update("bc").finalize()), abc);
}

TEST(newcomers, a_constant) {
    constexpr auto digest = hashmill::sha256::hash("abc");
    static_assert(digest[0] == 0xba);
    static_assert(hashmill::sha256::hash("abc") == digest);
}

TEST(newcomers, a_copy) {
    hashmill::sha256 hasher;
    hasher.update("ab");
    hashmill::sha256 other = hasher;
    hasher.update("c");
    other.update("x");
    EXPECT_EQ(hex(hasher.finalize()), abc);
    EXPECT_NE(hasher.finalize(), other.finalize());
}

TEST(newcomers, a_stream) {
    std::istringstream in("abc");
    hashmill::sha256 hasher;
    std::array<char, 2> buffer{};
    while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
        hasher.update(std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount())));
    }
    EXPECT_EQ(hex(hasher.finalize()), abc);
}

TEST(newcomers, lines) {
    std::istringstream in("one\ntwo\n");
    hashmill::sha512 hasher;
    for (std::string line; std::getline(in, line);) {
        hasher.update(line).update("\n");
    }
    EXPECT_EQ(hasher.finalize(), hashmill::sha512::hash("one\ntwo\n"));
}

template <class Hash> auto twice(std::string_view message) { return Hash::hash(Hash::hash(message)); }

TEST(newcomers, a_function_as_a_parameter) {
    EXPECT_EQ(twice<hashmill::sha256>("abc"), hashmill::sha256::hash(hashmill::sha256::hash("abc")));
    EXPECT_NE(twice<hashmill::sha3_256>("abc"), twice<hashmill::sha256>("abc"));
}

TEST(newcomers, the_other_functions) {
    EXPECT_EQ(hex(hashmill::sha512::hash("abc")).substr(0, 16), "ddaf35a193617aba");
    EXPECT_EQ(hex(hashmill::sha3_256::hash("abc")).substr(0, 16), "3a985da74fe225b2");
    EXPECT_EQ(hex(hashmill::keccak256::hash("")).substr(0, 16), "c5d2460186f7233c");
}

TEST(newcomers, shake) {
    EXPECT_EQ(hex(hashmill::shake128::hash<4>("abc")), "5881092d");
    auto output = hashmill::shake128().update("abc").finalize();
    std::vector<std::uint8_t> bytes(100);
    output.squeeze(bytes);
    EXPECT_EQ(bytes[0], 0x58);
}

TEST(newcomers, blake2) {
    EXPECT_EQ(hex(hashmill::blake2b<>::hash("abc")).substr(0, 16), "ba80a53f981c4d0d");
    EXPECT_EQ(hex(hashmill::blake2b<32>::hash("abc")).substr(0, 16), "bddd813c63423972");
    EXPECT_EQ(hashmill::blake2s<16>::hash("abc").size(), 16u);
}

TEST(newcomers, blake3) {
    const auto digest = hashmill::blake3::hash("abc");
    EXPECT_EQ(hex(digest).substr(0, 16), "6437b3ac38465133");
    EXPECT_EQ(hashmill::blake3().update("a").update("bc").finalize().squeeze(), digest);
    EXPECT_EQ(hashmill::blake3::hash<100>("abc")[31], digest[31]);
    const std::array<std::uint8_t, 32> key{};
    EXPECT_NE(hashmill::blake3::keyed(key)->update("abc").finalize().squeeze(), digest);
    EXPECT_NE(hashmill::blake3::derive_key("example.com 2026").update("abc").finalize().squeeze(), digest);
}

TEST(newcomers, hmac) {
    const std::string message = "The quick brown fox jumps over the lazy dog";
    const auto tag = hashmill::hmac<hashmill::sha256>::tag("key", message);
    EXPECT_EQ(hex(tag), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
}

TEST(newcomers, hmac_in_parts) {
    hashmill::hmac<hashmill::sha256> mac("key");
    mac.update("The quick brown fox ").update("jumps over the lazy dog");
    EXPECT_EQ(hex(mac.finalize()).substr(0, 16), "f7bc83f430538424");
    EXPECT_TRUE(mac.verify(mac.finalize()));
}

TEST(newcomers, digests_are_values) {
    std::set<hashmill::digest<32>> seen;
    for (const std::string_view word : {"a", "b", "a"}) {
        seen.insert(hashmill::sha256::hash(word));
    }
    EXPECT_EQ(seen.size(), 2u);
    EXPECT_TRUE(seen.contains(hashmill::sha256::hash("a")));
}

TEST(newcomers, a_digest_in_an_array) {
    const std::array<std::uint8_t, 32> digest = hashmill::sha256::hash("abc");
    EXPECT_EQ(digest[31], 0xad);
}

TEST(newcomers, a_member) {
    struct log {
        hashmill::sha256 hasher;
        int lines = 0;
        void line(std::string_view text) {
            hasher.update(text).update("\n");
            lines++;
        }
    } log;
    log.line("one");
    log.line("two");
    EXPECT_EQ(log.hasher.finalize(), hashmill::sha256::hash("one\ntwo\n"));
}

TEST(newcomers, ascon) {
    EXPECT_EQ(hashmill::ascon_hash256::hash("abc").size(), 32u);
    EXPECT_EQ(hashmill::ascon_xof128::hash<50>("abc").size(), 50u);
}

TEST(newcomers, sizes) {
    static_assert(hashmill::sha256::digest_length == 32);
    static_assert(hashmill::sha256::block_length == 64);
    static_assert(sizeof(hashmill::digest<20>) == 20);
}

} // namespace
