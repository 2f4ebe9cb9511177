// Tests the names of the library "sha3", as programs for that library use them.

#include "answers.hpp"

#include "sha3/internals/force_inline.hpp"
#include "sha3/internals/keccak.hpp"
#include "sha3/internals/sponge.hpp"
#include "sha3/internals/utils.hpp"
#include "sha3/sha3_224.hpp"
#include "sha3/sha3_256.hpp"
#include "sha3/sha3_384.hpp"
#include "sha3/sha3_512.hpp"
#include "sha3/shake128.hpp"
#include "sha3/shake128_x4.hpp"
#include "sha3/shake256.hpp"
#include "sha3/shake256_x4.hpp"
#include "sha3/turboshake128.hpp"
#include "sha3/turboshake256.hpp"

namespace {

using test::answer;
using test::octets;

template <class H, std::size_t N> void fixed(const answer &a) {
    const std::array<std::uint8_t, N> once = H::hash(a.message);
    EXPECT_TRUE(std::ranges::equal(once, a.output)) << a.name();
    H hasher;
    std::array<std::uint8_t, N> md{};
    for (int round = 0; round < 2; round++) {
        hasher.digest(md); // too early: nothing happens
        EXPECT_EQ(md, (std::array<std::uint8_t, N>{}));
        test::pieces(a.message, 50, [&](auto piece) { hasher.absorb(piece); });
        hasher.finalize();
        hasher.absorb(a.message); // too late
        hasher.finalize();
        hasher.digest(md);
        EXPECT_EQ(md, once) << a.name();
        md = {};
        hasher.digest(md); // the second time nothing happens
        EXPECT_EQ(md, (std::array<std::uint8_t, N>{}));
        hasher.reset();
    }
}

template <class X> void xof(const answer &a) {
    X x;
    for (int round = 0; round < 2; round++) {
        octets out(a.wanted());
        x.squeeze(out); // too early: nothing happens
        EXPECT_EQ(x.squeezable_num_bytes(), 0u);
        test::pieces(a.message, 50, [&](auto piece) { x.absorb(piece); });
        x.finalize();
        x.absorb(a.message); // too late
        EXPECT_GE(x.squeezable_num_bytes(), 136u);
        test::pieces(out, 3, [&](auto piece) {
            x.squeeze(std::span(out).subspan(static_cast<std::size_t>(piece.data() - out.data()), piece.size()));
            EXPECT_GE(x.squeezable_num_bytes(), 1u);
        });
        EXPECT_TRUE(std::ranges::equal(std::span(out).subspan(a.skip), a.output)) << a.name();
        octets before(10), after(10);
        auto copy = x;
        copy.squeeze(before);
        x.ratchet(32);
        x.squeeze(after);
        EXPECT_NE(before, after);
        x.reset();
    }
}

template <class Four, class X> void four() {
    const octets messages = test::ptn(1000);
    const std::span<const std::uint8_t> all(messages);
    std::array<octets, 4> outs;
    outs.fill(octets(300));
    Four together;
    together.squeeze(outs[0], outs[1], outs[2], outs[3]); // too early: nothing happens
    EXPECT_EQ(outs[3], octets(300));
    together.absorb(all.first(200), all.subspan(100, 200), all.subspan(300, 200), all.last(200));
    together.finalize();
    together.absorb(all, all, all, all); // too late
    together.finalize();
    together.squeeze(outs[0], outs[1], outs[2], outs[3]);
    X last;
    octets expected(300);
    last.absorb(all.last(200));
    last.finalize();
    last.squeeze(expected);
    EXPECT_EQ(outs[3], expected);
    EXPECT_NE(outs[0], outs[1]);
}

TEST(Compat, EveryAnswer) {
    int checked = 0;
    for (const auto &a : test::answers()) {
        const auto is = [&](const char *name) { return a.algorithm == name && a.bits == 0 && a.domain == 0x1F && ++checked; };
        if (is("SHA3-224")) {
            fixed<sha3_224::sha3_224_t, sha3_224::DIGEST_LEN>(a);
        } else if (is("SHA3-256")) {
            fixed<sha3_256::sha3_256_t, sha3_256::DIGEST_LEN>(a);
        } else if (is("SHA3-384")) {
            fixed<sha3_384::sha3_384_t, sha3_384::DIGEST_LEN>(a);
        } else if (is("SHA3-512")) {
            fixed<sha3_512::sha3_512_t, sha3_512::DIGEST_LEN>(a);
        } else if (is("SHAKE128")) {
            xof<shake128::shake128_t>(a);
        } else if (is("SHAKE256")) {
            xof<shake256::shake256_t>(a);
        } else if (is("TurboSHAKE128")) {
            xof<turboshake128::turboshake128_t>(a);
        } else if (is("TurboSHAKE256")) {
            xof<turboshake256::turboshake256_t>(a);
        }
    }
    EXPECT_GT(checked, 100);
}

TEST(Compat, DomainsAndFour) {
    octets out(32);
    const octets message(3, 0xFF);
    turboshake128::turboshake128_t x;
    x.absorb(message);
    x.finalize<0x01>();
    x.squeeze(out);
    // RFC 9861 §5.
    EXPECT_EQ(out, test::from_hex("bf323f940494e88ee1c540fe660be8a0c93f43d15ec006998462fa994eed5dab"));
    four<shake128_x4::shake128_x4_t, shake128::shake128_t>();
    four<shake256_x4::shake256_x4_t, shake256::shake256_t>();
}

// SHAKE128 by the functions of the internal headers.
forceinline constexpr std::array<std::uint8_t, 400> by_phases(std::span<const std::uint8_t> message) {
    std::array<std::uint64_t, keccak::LANE_CNT> state{};
    std::size_t offset = 0, squeezable = shake128::RATE / 8;
    const std::size_t half = message.size() / 2;
    sponge::absorb<shake128::RATE, 24>(state, offset, message.first(half));
    sponge::absorb<shake128::RATE, 24>(state, offset, message.subspan(half));
    sponge::finalize<shake128::DOM_SEP, shake128::DOM_SEP_BW, shake128::RATE, 24>(state, offset);
    std::array<std::uint8_t, 400> out{};
    sponge::squeeze<shake128::RATE, 24>(state, squeezable, std::span(out).first(3));
    sponge::squeeze<shake128::RATE, 24>(state, squeezable, std::span(out).subspan(3));
    return out;
}

TEST(Compat, Internals) {
    const octets message = test::ptn(500);
    shake128::shake128_t x;
    std::array<std::uint8_t, 400> expected{};
    x.absorb(message);
    x.finalize();
    x.squeeze(expected);
    EXPECT_EQ(by_phases(message), expected);
    std::array<std::uint8_t, 8> bytes{};
    sha3_utils::u64_to_le_bytes(0x0102030405060708, bytes);
    EXPECT_EQ(bytes[0], 8);
    EXPECT_EQ(sha3_utils::le_bytes_to_u64(bytes), 0x0102030405060708u);
}

static_assert(sha3_256::sha3_256_t::hash(std::span<const std::uint8_t>())[0] == 0xa7);
static_assert(shake128::RATE == 1344 && shake128::CAPACITY == 256 && turboshake256::NUM_KECCAK_ROUNDS == 12);

} // namespace
