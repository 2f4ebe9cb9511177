// Tests every class in constant expressions: if this file compiles, the tests have passed.

#include <hashmill/hashmill.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace hashmill;

template <std::size_t N> constexpr bool is(const digest<N> &digest, std::string_view hex) {
    const auto digits = to_hex(digest);
    return std::string_view(digits.data(), digits.size()) == hex;
}

// NIST's examples for FIPS 180-4 and FIPS 202; RFC 7693 §A, §B.
static_assert(is(sha224::hash("abc"), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"));
static_assert(is(sha256::hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
static_assert(is(sha384::hash("abc"), "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                                      "8086072ba1e7cc2358baeca134c825a7"));
static_assert(is(sha512::hash("abc"), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                                      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"));
static_assert(is(sha512_224::hash("abc"), "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"));
static_assert(is(sha512_256::hash("abc"), "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"));
static_assert(is(sha3_224::hash(""), "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"));
static_assert(is(sha3_256::hash(""), "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"));
static_assert(is(sha3_384::hash(""), "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a"
                                     "c3713831264adb47fb6bd1e058d5f004"));
static_assert(is(sha3_512::hash(""), "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
                                     "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"));
static_assert(is(shake128::hash<32>(""), "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"));
static_assert(is(shake256::hash<32>(""), "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"));
static_assert(is(turboshake128::hash<32>(""), "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"));
static_assert(is(turboshake256::hash<32>(""), "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db"));
static_assert(is(blake2b<>::hash("abc"), "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                                         "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"));
static_assert(is(blake2s<>::hash("abc"), "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"));
// BLAKE3's authors (test_vectors.json).
static_assert(is(blake3::hash(""), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"));
static_assert(is(blake3::keyed("whats the Elvish word for friend")->finalize().squeeze(),
                 "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26"));
static_assert(is(blake3::derive_key("BLAKE3 2019-12-27 16:29:52 test vectors context").finalize().squeeze(),
                 "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d"));
// RFC 4231 §4.3.
static_assert(is(hmac<sha256>::tag("Jefe", "what do ya want for nothing?"),
                 "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));

// 300 bytes, of which byte i is i mod 251: more than two blocks of every function.
constexpr std::array<std::uint8_t, 300> message = [] {
    std::array<std::uint8_t, 300> m{};
    for (std::size_t i = 0; i < m.size(); i++) {
        m[i] = static_cast<std::uint8_t>(i % 251);
    }
    return m;
}();

// Hashes in pieces, with an intermediate digest and a copy.
template <class H> constexpr bool pieces() {
    H hasher;
    hasher.update(bytes(message).first(1)).update(bytes(message).without_first(1).first(200));
    H copy = hasher;
    (void)hasher.finalize();
    return copy.update(bytes(message).without_first(201)).finalize() == H::hash(message) &&
           hasher.finalize() == H::hash(bytes(message).first(201));
}

static_assert(pieces<sha224>() && pieces<sha256>() && pieces<sha384>());
static_assert(pieces<sha512>() && pieces<sha512_224>() && pieces<sha512_256>());
static_assert(pieces<sha3_224>() && pieces<sha3_256>() && pieces<sha3_384>() && pieces<sha3_512>());
static_assert(pieces<blake2b<>>() && pieces<blake2s<>>() && pieces<blake2b<20>>() && pieces<blake2s<1>>());

template <class X> constexpr bool squeezed() {
    X x;
    x.update(bytes(message).first(169)).update(bytes(message).without_first(169));
    auto output = x.finalize();
    const auto first = output.template squeeze<150>();
    const auto second = output.template squeeze<150>();
    const auto whole = X::template hash<300>(message);
    for (std::size_t i = 0; i < 150; i++) {
        if (whole[i] != first[i] || whole[150 + i] != second[i]) {
            return false;
        }
    }
    return true;
}

static_assert(squeezed<shake128>() && squeezed<shake256>() && squeezed<turboshake128>() && squeezed<turboshake256>());
static_assert(squeezed<blake3>());

// Three chunks of BLAKE3, so that one parent is not the root; and a seek in the output.
constexpr bool chunks() {
    blake3 hasher;
    for (std::size_t i = 0; i < 9; i++) {
        hasher.update(message);
    }
    std::array<std::uint8_t, 2700> whole{};
    for (std::size_t i = 0; i < whole.size(); i++) {
        whole[i] = message[i % message.size()];
    }
    auto output = hasher.finalize();
    output.seek(30);
    const auto all = blake3::hash<100>(whole);
    return output.squeeze<70>() == [&] {
        digest<70> end{};
        std::copy_n(all.begin() + 30, 70, end.begin());
        return end;
    }() && output.position() == 100;
}

static_assert(chunks());

// Hashes in lanes, with parts whose lengths differ from the second part on.
template <class Lanes, class X> constexpr bool in_lanes() {
    typename Lanes::messages begin, end;
    for (std::size_t lane = 0; lane < Lanes::count; lane++) {
        begin[lane] = bytes(message).first(9);
        end[lane] = bytes(message).first(10 + lane).without_first(9);
    }
    const auto out = Lanes().update(begin).update(end).finalize().template squeeze<5>();
    for (std::size_t lane = 0; lane < Lanes::count; lane++) {
        if (out[lane] != X::template hash<5>(bytes(message).first(10 + lane))) {
            return false;
        }
    }
    return true;
}

static_assert(in_lanes<shake128_x4, shake128>() && in_lanes<shake256_x4, shake256>());
static_assert(in_lanes<shake128_x8, shake128>() && in_lanes<shake256_x8, shake256>());

static_assert(blake2b<20>::with({.key = "key", .salt = "salt", .personal = "personal"}));
static_assert(!blake2s<20>::with({.salt = "nine bytes"}));
static_assert(!turboshake128::with_domain(0x80));
static_assert(!blake3::keyed("a key of thirty-one bytes: 31 !"));
static_assert(hmac<sha3_256>("key").update("message").verify(hmac<sha3_256>::tag("key", "message")));
static_assert(equal("abc", std::array<std::uint8_t, 3>{'a', 'b', 'c'}) && !equal("abc", "abd") && !equal("a", "ab"));

} // namespace
