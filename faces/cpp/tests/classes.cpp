// Checks every answer with the C++ classes: in one call, in pieces, with copies, after a reset, and
// from an exported state. Compiled with the headers alone and again linked with the library.

#include "answers.hpp"

#include <hashmill/hashmill.hpp>
#include <hashmill/state.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using test::answer;
using test::octets;

octets all(const auto &digest) { return octets(digest.begin(), digest.end()); }

// Returns a hasher in the same state, through the state's bytes.
template <class H> H through_state(const H &hasher) {
    const auto state = hashmill::export_state(hasher);
    return hashmill::import_state<H>(state).value();
}

// Checks a hash function of fixed length. `begin` is its initial state, for instance with a key.
template <class H> void check_from(const H &begin, const answer &a) {
    if constexpr (requires { begin.finalize_bits(0, 0); }) {
        H hasher = begin;
        const auto digest = hasher.update(a.message).finalize_bits(a.last, a.bits);
        EXPECT_EQ(all(digest.value()), a.output) << a.name() << ", bits";
        EXPECT_FALSE(hasher.finalize_bits(0, 8));
    }
    if (a.bits > 0) {
        return;
    }
    for (const std::size_t first : {1000u, 1u, 2u, 63u, 64u, 65u, 128u}) {
        H hasher = begin;
        test::pieces(a.message, first, [&](auto piece) {
            hasher.update(piece);
            // Computing an intermediate digest does not change the hasher.
            (void)hasher.finalize();
        });
        const H copy = through_state(hasher);
        hasher.update("and more");
        EXPECT_EQ(all(copy.finalize()), a.output) << a.name() << ", pieces from " << first;
        if (a.message.size() > 10'000) {
            return; // a million bytes take a second with sanitizers
        }
    }
}

template <class H> void fixed(const answer &a) {
    check_from(H(), a);
    if (a.bits > 0) {
        return;
    }
    EXPECT_EQ(all(H::hash(a.message)), a.output) << a.name();
    H used;
    used.update("something else").reset();
    EXPECT_EQ(all(used.update(a.message).finalize()), a.output) << a.name() << ", after a reset";
}

template <class H> void hmac(const answer &a) {
    const auto tag = hashmill::hmac<H>::tag(a.key, a.message);
    EXPECT_TRUE(std::ranges::equal(a.output, std::span(tag).first(a.output.size()))) << a.name();
    hashmill::hmac<H> mac(a.key);
    test::pieces(a.message, 7, [&](auto piece) { mac.update(piece); });
    EXPECT_TRUE(mac.verify(tag)) << a.name();
    auto wrong = tag;
    wrong.back() ^= 1;
    EXPECT_FALSE(mac.verify(wrong)) << a.name();
    EXPECT_FALSE(mac.verify(std::span(tag).first(8))) << a.name();
    const hashmill::hmac<H> prepared(a.key);
    EXPECT_EQ(prepared.finish(a.message), tag) << a.name();
}

// The initial state of an extendable-output function with the answer's parameters.
template <class X> X begin(const answer &a) {
    if constexpr (requires { X::with_domain(a.domain); }) {
        return *X::with_domain(a.domain);
    } else if constexpr (requires { X::with(a.customization); }) {
        return X::with(a.customization).value();
    } else if constexpr (requires { X::keyed(a.key); }) {
        return !a.context.empty() ? X::derive_key(a.context) : !a.key.empty() ? X::keyed(a.key).value() : X();
    }
    return X();
}

template <class X> void xof(const answer &a) {
    octets out(a.wanted());
    const auto tail = [&] { return octets(out.begin() + static_cast<std::ptrdiff_t>(a.skip), out.end()); };
    if constexpr (requires(const X &x) { x.finalize_bits(0, 0); }) {
        X x = begin<X>(a);
        x.update(a.message).finalize_bits(a.last, a.bits).value().squeeze(out);
        EXPECT_EQ(tail(), a.output) << a.name() << ", bits";
        EXPECT_FALSE(x.finalize_bits(0, 8));
    }
    if (a.bits > 0) {
        return;
    }
    if constexpr (requires { X::hash(a.message, out); }) {
        if (a.domain == 0x1F && a.key.empty() && a.context.empty()) {
            X::hash(a.message, out);
            EXPECT_EQ(tail(), a.output) << a.name();
        }
    }
    for (const std::size_t first : {1u, 5u, 72u, 136u, 168u, 1024u, 2048u, 9000u}) {
        X x = begin<X>(a);
        test::pieces(a.message, first, [&](auto piece) { x.update(piece); });
        auto output = through_state(x).finalize();
        x.update("and more").reset();
        std::ranges::fill(out, std::uint8_t{0});
        std::span<std::uint8_t> rest(out);
        for (std::size_t n = 0; !rest.empty(); n += first) {
            const auto piece = rest.first(std::min(n, rest.size()));
            output.squeeze(piece);
            rest = rest.subspan(piece.size());
        }
        EXPECT_EQ(tail(), a.output) << a.name() << ", pieces from " << first;
        if constexpr (requires { output.seek(a.skip); }) {
            EXPECT_EQ(output.position(), out.size());
            std::ranges::fill(out, std::uint8_t{0});
            output.seek(a.skip).squeeze(std::span(out).subspan(a.skip));
            EXPECT_EQ(tail(), a.output) << a.name() << ", after a seek";
        }
        // A reset keeps the parameters.
        std::ranges::fill(out, std::uint8_t{0});
        x.update(a.message).finalize().squeeze(out);
        EXPECT_EQ(tail(), a.output) << a.name() << ", after a reset";
    }
}

template <template <std::size_t> class Blake2, std::size_t Output> void blake2_of(const answer &a) {
    const auto &p = a.params;
    const auto part = [&](const char *name) { return test::bytes_of(p.value(name, nlohmann::json())); };
    const octets key = part("key"), salt = part("salt"), personal = part("personal");
    const auto hasher = Blake2<Output>::with({
        .key = key,
        .salt = salt,
        .personal = personal,
        .fanout = p.value("fanout", std::uint8_t{1}),
        .max_depth = p.value("max_depth", std::uint8_t{1}),
        .leaf_length = p.value("leaf_len", std::uint32_t{0}),
        .node_offset = std::stoull(p.value("node_offset", std::string("0"))),
        .node_depth = p.value("node_depth", std::uint8_t{0}),
        .inner_length = p.value("inner_len", std::uint8_t{0}),
        .last_node = p.value("last_node", false),
    });
    ASSERT_TRUE(hasher) << a.name();
    check_from(*hasher, a);
}

// Checks BLAKE2 with a digest length of the list `Outputs`, whose longest length must be the
// function's longest.
template <template <std::size_t> class Blake2, std::size_t... Outputs> void blake2(const answer &a) {
    constexpr std::size_t longest = std::max({Outputs...});
    if (a.params.is_null()) {
        fixed<Blake2<longest>>(a);
        return;
    }
    const bool known = ((a.output.size() == Outputs && (blake2_of<Blake2, Outputs>(a), true)) || ...);
    EXPECT_TRUE(known) << a.name();
}

using check = void (*)(const answer &);

const std::map<std::string_view, check> checks = {
    // Generated by `cargo xtask tables --write`: checks in C++.
    {"SHA-224", fixed<hashmill::sha224>},
    {"HMAC-SHA-224", hmac<hashmill::sha224>},
    {"SHA-256", fixed<hashmill::sha256>},
    {"HMAC-SHA-256", hmac<hashmill::sha256>},
    {"SHA-384", fixed<hashmill::sha384>},
    {"HMAC-SHA-384", hmac<hashmill::sha384>},
    {"SHA-512", fixed<hashmill::sha512>},
    {"HMAC-SHA-512", hmac<hashmill::sha512>},
    {"SHA-512/224", fixed<hashmill::sha512_224>},
    {"HMAC-SHA-512/224", hmac<hashmill::sha512_224>},
    {"SHA-512/256", fixed<hashmill::sha512_256>},
    {"HMAC-SHA-512/256", hmac<hashmill::sha512_256>},
    {"SHA3-224", fixed<hashmill::sha3_224>},
    {"HMAC-SHA3-224", hmac<hashmill::sha3_224>},
    {"SHA3-256", fixed<hashmill::sha3_256>},
    {"HMAC-SHA3-256", hmac<hashmill::sha3_256>},
    {"SHA3-384", fixed<hashmill::sha3_384>},
    {"HMAC-SHA3-384", hmac<hashmill::sha3_384>},
    {"SHA3-512", fixed<hashmill::sha3_512>},
    {"HMAC-SHA3-512", hmac<hashmill::sha3_512>},
    {"HMAC-BLAKE2b", hmac<hashmill::blake2b<>>},
    {"HMAC-BLAKE2s", hmac<hashmill::blake2s<>>},
    {"HMAC-BLAKE2bp", hmac<hashmill::blake2bp<>>},
    {"HMAC-BLAKE2sp", hmac<hashmill::blake2sp<>>},
    {"Keccak-256", fixed<hashmill::keccak256>},
    {"HMAC-Keccak-256", hmac<hashmill::keccak256>},
    {"SM3", fixed<hashmill::sm3>},
    {"HMAC-SM3", hmac<hashmill::sm3>},
    {"Ascon-Hash256", fixed<hashmill::ascon_hash256>},
    {"SHAKE128", xof<hashmill::shake128>},
    {"SHAKE256", xof<hashmill::shake256>},
    {"TurboSHAKE128", xof<hashmill::turboshake128>},
    {"TurboSHAKE256", xof<hashmill::turboshake256>},
    {"BLAKE3", xof<hashmill::blake3>},
    {"Ascon-XOF128", xof<hashmill::ascon_xof128>},
    // End of the generated lines.
    {"BLAKE2b", blake2<hashmill::blake2b, 1, 2, 16, 20, 28, 31, 32, 63, 64>},
    {"BLAKE2s", blake2<hashmill::blake2s, 1, 2, 16, 20, 28, 31, 32>},
    {"BLAKE2bp", blake2<hashmill::blake2bp, 1, 20, 63, 64>},
    {"BLAKE2sp", blake2<hashmill::blake2sp, 1, 20, 31, 32>},
    {"Ascon-CXOF128", xof<hashmill::ascon_cxof128>},
};

TEST(Classes, EveryAnswer) {
    std::map<std::string_view, int> checked;
    for (const auto &a : test::answers()) {
        ASSERT_TRUE(checks.contains(a.algorithm)) << a.algorithm;
        checks.at(a.algorithm)(a);
        checked[checks.find(a.algorithm)->first]++;
    }
    for (const auto &[name, check] : checks) {
        EXPECT_GE(checked[name], 3) << name;
    }
}

TEST(Classes, AnyBytes) {
    const auto expected = hashmill::sha256::hash("abc");
    const std::string string = "abc";
    const std::vector<std::byte> plain = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    const std::array<std::uint8_t, 3> array = {'a', 'b', 'c'};
    const std::array<char, 3> chars = {'a', 'b', 'c'};
    EXPECT_EQ(hashmill::sha256::hash(string), expected);
    EXPECT_EQ(hashmill::sha256::hash(std::string_view(string)), expected);
    EXPECT_EQ(hashmill::sha256::hash(plain), expected);
    EXPECT_EQ(hashmill::sha256::hash(std::span(plain)), expected);
    EXPECT_EQ(hashmill::sha256::hash(array), expected);
    EXPECT_EQ(hashmill::sha256::hash(chars), expected);
    EXPECT_EQ(hashmill::sha256::hash(std::span<const std::uint8_t, 3>(array)), expected);
    EXPECT_EQ(hashmill::sha256::hash({}), hashmill::sha256::hash(""));
    // Views that are made by the compiler and hashed at run time.
    static constexpr std::array<std::byte, 3> constant = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    static constexpr hashmill::bytes text("abc"), octets(constant);
    hashmill::sha256 hasher;
    EXPECT_EQ(hasher.update(text.first(1)).update(octets.without_first(1)).finalize(), expected);
    EXPECT_EQ(hashmill::sha256::hash(octets), expected);
}

// Cuts messages and outputs in two parts at every position of a word and of a block.
TEST(Classes, EveryCut) {
    const octets message = test::ptn(400);
    const hashmill::bytes whole(message);
    for (std::size_t length = 0; length <= message.size(); length++) {
        const auto expected = hashmill::shake128::hash<400>(whole.first(length));
        const std::size_t cut = length * 7 % (length + 1);
        hashmill::shake128 x;
        x.update(whole.first(cut)).update(whole.first(length).without_first(cut));
        auto output = x.finalize();
        std::array<std::uint8_t, 400> out{};
        output.squeeze(std::span(out).first(length)).squeeze(std::span(out).subspan(length));
        EXPECT_EQ(out, expected) << length;
    }
}

template <class Lanes, class X> void lanes() {
    constexpr std::size_t n = Lanes::count;
    const octets all = test::ptn(2000);
    const auto lane_of = [&](std::size_t lane, std::size_t length) {
        return hashmill::bytes(all).without_first(100 * lane).first(length);
    };
    // Messages whose lengths are all equal, and messages whose lengths all differ.
    for (const std::size_t difference : {0u, 1u, 37u}) {
        for (const std::size_t length : {0u, 1u, 7u, 8u, 135u, 136u, 137u, 167u, 168u, 169u, 600u}) {
            typename Lanes::messages messages;
            std::array<hashmill::digest<400>, n> expected{};
            for (std::size_t lane = 0; lane < n; lane++) {
                messages[lane] = lane_of(lane, length + lane * difference);
                X::hash(messages[lane], expected[lane]);
            }
            EXPECT_EQ(Lanes::template hash<400>(messages), expected) << length << " + " << difference;
            Lanes x;
            typename Lanes::messages begin, middle, end;
            for (std::size_t lane = 0; lane < n; lane++) {
                const std::size_t size = messages[lane].size();
                begin[lane] = messages[lane].first(size / 3);
                middle[lane] = messages[lane].first(size / 2).without_first(size / 3);
                end[lane] = messages[lane].without_first(size / 2);
            }
            x.update(begin).update(middle).update(end);
            auto output = x.finalize();
            auto ragged = x.finalize();
            x.update(begin);
            EXPECT_EQ(output.template squeeze<400>(), expected);
            // Squeezes different lengths from the lanes, and then the same.
            std::array<hashmill::digest<400>, n> out{};
            typename Lanes::output::spans first, rest;
            for (std::size_t lane = 0; lane < n; lane++) {
                first[lane] = std::span(out[lane]).first(10 * lane);
                rest[lane] = std::span(out[lane]).subspan(10 * lane);
            }
            ragged.squeeze(first).squeeze(rest);
            EXPECT_EQ(out, expected);
            // Leaves out some of the lanes, each number of them.
            for (std::size_t kept = 0; kept <= n; kept++) {
                x.reset();
                auto some = x.update(messages).finalize();
                typename Lanes::output::spans part;
                out = {};
                for (std::size_t lane = 0; lane < n; lane++) {
                    part[lane] = (3 * lane + 1) % n < kept ? std::span(out[lane]).first(200) : std::span<std::uint8_t>();
                    rest[lane] = std::span(out[lane]).subspan(part[lane].size());
                }
                some.squeeze(part).squeeze(rest);
                EXPECT_EQ(out, expected);
            }
            x.reset();
            EXPECT_EQ(x.update(messages).finalize().template squeeze<400>(), expected);
        }
    }
}

TEST(Classes, Lanes) {
    lanes<hashmill::shake128_x4, hashmill::shake128>();
    lanes<hashmill::shake128_x8, hashmill::shake128>();
    lanes<hashmill::shake256_x4, hashmill::shake256>();
    lanes<hashmill::shake256_x8, hashmill::shake256>();
    lanes<hashmill::lanes<hashmill::turboshake128, 8>, hashmill::turboshake128>();
    const octets message = test::ptn(200);
    hashmill::lanes<hashmill::sha3_384, 4>::messages messages;
    messages.fill(message);
    EXPECT_EQ((hashmill::lanes<hashmill::sha3_384, 4>::hash<48>(messages)[3]), hashmill::sha3_384::hash(message));
}

namespace keccak = hashmill::detail::keccak;
namespace sponge = hashmill::detail::sponge;
using sponge::task;

using kernel = void (*)(std::uint64_t *, const hashmill::bytes &, std::uint8_t *, std::size_t);

// Runs the three kernels of a permutation on a state and three blocks. Returns the output followed
// by the last state.
template <class P> octets through(kernel permute, kernel absorb, kernel squeeze) {
    typename P::state s{};
    s[3] = 0x9E3779B97F4A7C15;
    const octets message = test::ptn(3 * P::rate);
    octets out(3 * P::rate + sizeof(s));
    permute(s.data(), {message.data(), P::rate - 3}, nullptr, 3);
    absorb(s.data(), message, nullptr, 0);
    squeeze(s.data(), {}, out.data(), 3 * P::rate);
    std::memcpy(out.data() + 3 * P::rate, s.data(), sizeof(s));
    return out;
}

#if defined(__GNUC__)
// The kernels with words in vectors, which only builds for some CPUs choose.
template <class P, task Task>
HASHMILL_NOINLINE void in_vectors(std::uint64_t *s, const hashmill::bytes &in, std::uint8_t *out, std::size_t size) {
    sponge::kernel<P, Task, keccak::vector_word>(s, in, out, size);
}
#endif

template <class P> void every_kernel() {
    [[maybe_unused]] const octets expected = through<P>(
        sponge::portable<P, task::permute>, sponge::portable<P, task::absorb>, sponge::portable<P, task::squeeze>);
#if defined(HASHMILL_TARGET_BMI)
    if (hashmill::detail::has_bmi()) {
        EXPECT_EQ(through<P>(sponge::bmi<P, task::permute>, sponge::bmi<P, task::absorb>, sponge::bmi<P, task::squeeze>),
                  expected);
    }
#endif
#if defined(__GNUC__)
    if constexpr (requires(keccak::vector_word(&a)[25]) { P::rounds(a); }) {
        EXPECT_EQ(through<P>(in_vectors<P, task::permute>, in_vectors<P, task::absorb>, in_vectors<P, task::squeeze>),
                  expected);
    }
#endif
}

template <std::size_t N> void permute_many() {
    keccak::states<N> begin{};
    for (std::size_t i = 0; i < begin.size(); i++) {
        begin[i] = 0x9E3779B97F4A7C15 * (i + 1);
    }
    auto expected = begin;
    keccak::permute_each<24, N>(expected);
    [[maybe_unused]] const auto check = [&](auto permute) {
        auto s = begin;
        permute(s);
        EXPECT_EQ(s, expected);
    };
#if defined(HASHMILL_TARGET_AVX2)
    if (hashmill::detail::has_avx2()) {
        check(keccak::permute_avx2<24, N>);
    }
#endif
#if defined(HASHMILL_TARGET_AVX512)
    if (hashmill::detail::has_avx512()) {
        check(keccak::permute_avx512<24, N>);
    }
#endif
}

// Tests every kernel among which the program chooses by its CPU.
TEST(Classes, EveryKernel) {
    every_kernel<keccak::permutation<168, 24>>();
    every_kernel<keccak::permutation<136, 12>>();
    every_kernel<hashmill::detail::ascon::permutation>();
    permute_many<4>();
    permute_many<8>();
}

// A hasher that has absorbed bytes at compile time continues at run time.
TEST(Classes, ConstantPrefix) {
    static constexpr auto prefix = hashmill::sha3_512().update("domain");
    auto hasher = prefix;
    EXPECT_EQ(hasher.update("message").finalize(), hashmill::sha3_512::hash("domainmessage"));
    static constexpr hashmill::hmac<hashmill::sha256> key("a constant key");
    auto mac = key;
    EXPECT_EQ(mac.update("message").finalize(), hashmill::hmac<hashmill::sha256>::tag("a constant key", "message"));
    static constexpr auto context = hashmill::blake3::derive_key("a constant context").update("key ");
    auto derived = context;
    EXPECT_EQ(derived.update("material").finalize().squeeze(),
              hashmill::blake3::derive_key("a constant context").update("key material").finalize().squeeze());
}

// BLAKE3 near the end of its output, where the number of the block has more than 32 bits, and after
// the end; cut at every position.
TEST(Classes, Blake3Output) {
    const auto hasher = hashmill::blake3().update("seed");
    for (const std::uint64_t position : {std::uint64_t{0}, (std::uint64_t{1} << 38) - 70, std::uint64_t{0} - 100}) {
        auto whole = hasher.finalize();
        const auto expected = whole.seek(position).squeeze<200>();
        for (std::size_t cut = 0; cut <= 200; cut++) {
            auto output = hasher.finalize();
            hashmill::digest<200> out{};
            output.seek(position).squeeze(std::span(out).first(cut)).squeeze(std::span(out).subspan(cut));
            EXPECT_EQ(out, expected) << position << ", " << cut;
            if (position + cut < position) {
                continue; // a seek cannot name these bytes
            }
            auto jumped = hasher.finalize();
            std::ranges::fill(out, std::uint8_t{0});
            jumped.seek(position + cut).squeeze(std::span(out).subspan(cut));
            EXPECT_TRUE(std::equal(out.begin() + static_cast<std::ptrdiff_t>(cut), out.end(),
                                   expected.begin() + static_cast<std::ptrdiff_t>(cut)));
        }
        EXPECT_EQ(whole.position(), position + 200);
    }
}

// BLAKE3 of every number of chunks to 70, and a byte less and more, in pieces of several chunks.
TEST(Classes, Blake3Pieces) {
    const octets message = test::ptn(70 * 1024 + 1);
    for (std::size_t chunks = 1; chunks <= 70; chunks++) {
        for (const std::size_t length : {chunks * 1024 - 1, chunks * 1024, chunks * 1024 + 1}) {
            const auto expected = hashmill::blake3::hash(std::span(message).first(length));
            for (const std::size_t piece : {1000u, 2048u, 16384u}) {
                hashmill::blake3 hasher;
                for (std::size_t at = 0; at < length; at += piece) {
                    hasher.update(std::span(message).subspan(at, std::min(piece, length - at)));
                }
                EXPECT_EQ(hasher.finalize().squeeze(), expected) << length << " bytes in pieces of " << piece;
            }
        }
    }
}

// BLAKE2X, whose output has a known length or not, in one call, in pieces, and from an exported
// state.
template <class X> void blake2x(const answer &a) {
    const auto part = [&](const char *name) { return test::bytes_of(a.params.value(name, nlohmann::json())); };
    const octets key = part("key"), salt = part("salt"), personal = part("personal");
    const hashmill::blake2_params params = {.key = key, .salt = salt, .personal = personal};
    const std::size_t known = a.params.value("output_len", std::size_t{0});
    octets out(a.wanted());
    const auto tail = [&] { return octets(out.begin() + static_cast<std::ptrdiff_t>(a.skip), out.end()); };
    if (known == out.size()) {
        ASSERT_TRUE(X::hash(a.message, out, params)) << a.name();
        EXPECT_EQ(tail(), a.output) << a.name();
    }
    for (const std::size_t first : {1u, 31u, 64u, 65u, 200u}) {
        X x = X::with(known, params).value();
        test::pieces(a.message, first, [&](auto piece) {
            x.update(piece);
        });
        auto output = through_state(x).finalize();
        std::ranges::fill(out, std::uint8_t{0});
        std::span<std::uint8_t> rest(out);
        for (std::size_t n = 0; !rest.empty(); n += first) {
            const auto piece = rest.first(std::min(n, rest.size()));
            ASSERT_TRUE(output.squeeze(piece));
            rest = rest.subspan(piece.size());
        }
        EXPECT_EQ(tail(), a.output) << a.name() << ", pieces from " << first;
        EXPECT_EQ(output.position(), out.size());
        octets one(1);
        EXPECT_EQ(output.squeeze(one), known != out.size());
        std::ranges::fill(out, std::uint8_t{0});
        ASSERT_TRUE(output.seek(a.skip) && output.squeeze(std::span(out).subspan(a.skip)));
        EXPECT_EQ(tail(), a.output) << a.name() << ", after a seek";
    }
}

TEST(Classes, Blake2x) {
    const auto list = test::read("blake2x");
    ASSERT_GT(list.size(), 60u);
    for (const auto &a : list) {
        a.algorithm == "BLAKE2Xb" ? blake2x<hashmill::blake2xb>(a) : blake2x<hashmill::blake2xs>(a);
    }
    octets out(65535, 7);
    EXPECT_FALSE(hashmill::blake2xs::hash("", out));
    EXPECT_FALSE(hashmill::blake2xb::hash("", std::span(out).first(0)));
    EXPECT_FALSE(hashmill::blake2xb::hash("", out, {.salt = hashmill::bytes(out).first(17)}));
    EXPECT_EQ(out, octets(65535, 7));
    EXPECT_TRUE(hashmill::blake2xs::hash("", std::span(out).first(65534)));
    // The last byte of an output of unknown length.
    auto output = hashmill::blake2xs().finalize();
    EXPECT_FALSE(output.seek((std::uint64_t{32} << 32) + 1));
    EXPECT_TRUE(output.seek((std::uint64_t{32} << 32) - 1));
    EXPECT_TRUE(output.squeeze(std::span(out).first(1)));
    EXPECT_FALSE(output.squeeze(std::span(out).first(1)));
}

// States that are no states of the class.
TEST(Classes, RefusedStates) {
    const auto state = hashmill::export_state(hashmill::sha256().update("message"));
    octets bytes = all(state);
    EXPECT_TRUE(hashmill::import_state<hashmill::sha256>(bytes));
    EXPECT_FALSE(hashmill::import_state<hashmill::sha224>(bytes));
    EXPECT_FALSE(hashmill::import_state<hashmill::sha256>(std::span(bytes).first(bytes.size() - 1)));
    EXPECT_FALSE(hashmill::import_state<hashmill::sha256>({}));
    bytes[10] ^= 1;
    EXPECT_FALSE(hashmill::import_state<hashmill::sha256>(bytes));
    // A digest of another length.
    const auto shorter = hashmill::export_state(hashmill::blake2b<20>());
    EXPECT_FALSE(hashmill::import_state<hashmill::blake2b<21>>(shorter));
    EXPECT_TRUE(hashmill::import_state<hashmill::blake2b<20>>(shorter));
}

TEST(Classes, Refusals) {
    const octets bytes(65);
    const auto refused = [&](const hashmill::blake2_params &b, const hashmill::blake2_params &s) {
        return !hashmill::blake2b<>::with(b) && !hashmill::blake2s<>::with(s);
    };
    const auto first = [&](std::size_t n) { return hashmill::bytes(bytes).first(n); };
    EXPECT_TRUE(refused({.key = first(65)}, {.key = first(33)}));
    EXPECT_FALSE(hashmill::blake2bp<>::with({.key = first(65)}));
    EXPECT_FALSE(hashmill::blake2sp<>::with({.salt = first(9)}));
    // BLAKE2bp and BLAKE2sp build their own trees.
    EXPECT_TRUE(hashmill::blake2sp<>::with({.key = first(32), .node_offset = std::uint64_t{1} << 48}));
    EXPECT_TRUE(refused({.salt = first(17)}, {.salt = first(9)}));
    EXPECT_TRUE(refused({.personal = first(17)}, {.personal = first(9)}));
    // BLAKE2X has it.
    EXPECT_FALSE(refused({.max_depth = 0}, {.max_depth = 0}));
    EXPECT_TRUE(refused({.inner_length = 65}, {.inner_length = 33}));
    EXPECT_FALSE(hashmill::blake2s<>::with({.node_offset = std::uint64_t{1} << 48}));
    EXPECT_TRUE(hashmill::blake2b<>::with({.key = first(64), .salt = first(16), .personal = first(16)}));
    EXPECT_TRUE(hashmill::blake2s<>::with({.key = first(32), .salt = first(8), .personal = first(8)}));
    EXPECT_FALSE(hashmill::turboshake128::with_domain(0x00));
    EXPECT_FALSE(hashmill::turboshake256::with_domain(0x80));
    EXPECT_TRUE(hashmill::turboshake256::with_domain(0x7F));
    EXPECT_FALSE(hashmill::ascon_cxof128::with(octets(257)));
    EXPECT_TRUE(hashmill::ascon_cxof128::with(octets(256)));
    EXPECT_FALSE(hashmill::blake3::keyed(first(31)));
    EXPECT_FALSE(hashmill::blake3::keyed(first(33)));
    EXPECT_FALSE(hashmill::blake3::keyed({}));
}

// The destructor of a hasher leaves no part of a key in memory.
TEST(Classes, Wiped) {
    using hasher = hashmill::blake2b<>;
    alignas(hasher) std::array<unsigned char, sizeof(hasher)> place{};
    const std::string key = "a key of thirty-two bytes: secre";
    auto *made = new (place.data()) hasher(*hasher::with({.key = key}));
    const auto seen = [&] {
        return std::ranges::search(std::span<const unsigned char>(place), std::string_view(key).substr(8, 8)).begin() !=
               std::span<const unsigned char>(place).end();
    };
    EXPECT_TRUE(seen());
    made->~hasher();
    hashmill::detail::observe(place.data());
    EXPECT_FALSE(seen());
}

} // namespace
