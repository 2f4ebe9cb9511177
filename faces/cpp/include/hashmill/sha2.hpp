// SHA-2 (FIPS 180-4): SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224 and SHA-512/256; and SM3
// (GB/T 32905-2016), which has the words and the padding of SHA-256.
#pragma once

#include "hashmill/buffer.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"
#include "hashmill/saved.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::sha2 {

// The constants of FIPS 180-4 §4.2.3. The upper halves of the first 64 are those of §4.2.2.
inline constexpr std::uint64_t k[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

// The constants that differ between SHA-256 (§4.1.2, §5.1.1) and SHA-512 (§4.1.3, §5.1.2): the
// number of rounds, the rotations, and the size in bytes of the field for the message's length. The
// last number of each small sigma is a shift.
template <class Word> struct constants;

template <> struct constants<std::uint32_t> {
    static constexpr std::size_t rounds = 64;
    static constexpr std::size_t length_size = 8;
    static constexpr int big_sigma0[3] = {2, 13, 22};
    static constexpr int big_sigma1[3] = {6, 11, 25};
    static constexpr int small_sigma0[3] = {7, 18, 3};
    static constexpr int small_sigma1[3] = {17, 19, 10};
};

template <> struct constants<std::uint64_t> {
    static constexpr std::size_t rounds = 80;
    static constexpr std::size_t length_size = 16;
    static constexpr int big_sigma0[3] = {28, 34, 39};
    static constexpr int big_sigma1[3] = {14, 18, 41};
    static constexpr int small_sigma0[3] = {1, 8, 7};
    static constexpr int small_sigma1[3] = {19, 61, 6};
};

template <class Word> using state = std::array<Word, 8>;

template <class Word> HASHMILL_INLINE constexpr Word big_sigma(Word x, const int (&r)[3]) {
    return rotated(x, r[0]) ^ rotated(x, r[1]) ^ rotated(x, r[2]);
}

template <class Word> HASHMILL_INLINE constexpr Word small_sigma(Word x, const int (&r)[3]) {
    return rotated(x, r[0]) ^ rotated(x, r[1]) ^ (x >> r[2]);
}

// Computes a round: step 3 of FIPS 180-4 §6.2.2 and §6.4.2. I is the number of the round modulo 8.
// The working variables a to h stay where they are, and their names rotate through the array.
template <std::size_t I, class Word> HASHMILL_INLINE constexpr void round(Word (&s)[8], Word kw) {
    using c = constants<Word>;
    const Word a = s[(8 - I) % 8], b = s[(9 - I) % 8], d = s[(11 - I) % 8];
    const Word e = s[(12 - I) % 8], f = s[(13 - I) % 8], g = s[(14 - I) % 8];
    const Word choose = g ^ (e & (f ^ g));
    const Word majority = (a & b) ^ (s[(10 - I) % 8] & (a ^ b));
    const Word t1 = s[(15 - I) % 8] + kw + choose + big_sigma(e, c::big_sigma1);
    s[(11 - I) % 8] = d + t1;
    s[(15 - I) % 8] = t1 + majority + big_sigma(a, c::big_sigma0);
}

// Absorbs whole blocks (FIPS 180-4 §6.2.2 and §6.4.2), sixteen rounds at a time.
template <class Word> HASHMILL_SCALAR constexpr void portable(Word *h, const bytes &blocks) {
    const bytes message = blocks.normal();
    using c = constants<Word>;
    constexpr auto k_of = [](std::size_t i) HASHMILL_INLINE {
        return static_cast<Word>(k[i] >> (64 - 8 * sizeof(Word)));
    };
    for (std::size_t at = 0; at < message.size(); at += 16 * sizeof(Word)) {
        Word w[16] = {}, s[8] = {};
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = h[I]; });
        unroll<16>([&]<std::size_t I>() HASHMILL_INLINE {
            w[I] = load_be<Word>(message, at + I * sizeof(Word));
            round<I % 8>(s, static_cast<Word>(w[I] + k_of(I)));
        });
        for (std::size_t sixteen = 16; sixteen < c::rounds; sixteen += 16) {
            unroll<16>([&]<std::size_t I>() HASHMILL_INLINE {
                w[I] += small_sigma(w[(I + 1) % 16], c::small_sigma0) + w[(I + 9) % 16] +
                        small_sigma(w[(I + 14) % 16], c::small_sigma1);
                round<I % 8>(s, static_cast<Word>(w[I] + k_of(sixteen + I)));
            });
        }
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { h[I] += s[I]; });
    }
}

constexpr void absorb(state<std::uint32_t> &h, const bytes &blocks) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_sha256_blocks(h.data(), blocks.data(), blocks.size() / 64);
            return;
        }
    }
    portable(h.data(), blocks);
}

constexpr void absorb(state<std::uint64_t> &h, const bytes &blocks) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_sha512_blocks(h.data(), blocks.data(), blocks.size() / 128);
            return;
        }
    }
    portable(h.data(), blocks);
}

// Absorbs whole blocks by SM3's compression function (GB/T 32905-2016 §5.3), sixteen rounds at a time.
// Word j + 16 of the expanded message replaces word j after round j.
constexpr void absorb_sm3(state<std::uint32_t> &v, const bytes &blocks) {
    const bytes message = blocks.normal();
    constexpr auto p = [](std::uint32_t x, int r, int s) HASHMILL_INLINE { return x ^ std::rotl(x, r) ^ std::rotl(x, s); };
    for (std::size_t at = 0; at < message.size(); at += 64) {
        std::uint32_t w[16] = {};
        unroll<16>([&]<std::size_t I>() HASHMILL_INLINE { w[I] = load_be<std::uint32_t>(message, at + I * 4); });
        std::uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        for (std::size_t sixteen = 0; sixteen < 64; sixteen += 16) {
            const bool early = sixteen == 0;
            unroll<16>([&]<std::size_t I>() HASHMILL_INLINE {
                const std::uint32_t t = std::rotl(early ? 0x79cc4519U : 0x7a879d8aU, static_cast<int>((sixteen + I) % 32));
                const std::uint32_t ff = early ? a ^ b ^ c : (a & b) ^ (c & (a ^ b));
                const std::uint32_t gg = early ? e ^ f ^ g : g ^ (e & (f ^ g));
                const std::uint32_t a12 = std::rotl(a, 12), ss1 = std::rotl(a12 + t + e, 7);
                const std::uint32_t tt1 = ff + d + (ss1 ^ a12) + (w[I] ^ w[(I + 4) % 16]);
                const std::uint32_t tt2 = gg + h + ss1 + w[I];
                d = c, c = std::rotl(b, 9), b = a, a = tt1;
                h = g, g = std::rotl(f, 19), f = e, e = p(tt2, 9, 17);
                w[I] = p(w[I] ^ w[(I + 7) % 16] ^ std::rotl(w[(I + 13) % 16], 15), 15, 23) ^
                       std::rotl(w[(I + 3) % 16], 7) ^ w[(I + 10) % 16];
            });
        }
        const state<std::uint32_t> s = {a, b, c, d, e, f, g, h};
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { v[I] ^= s[I]; });
    }
}

// The initial hash values of FIPS 180-4 §5.3, and of GB/T 32905-2016 §4.1.
inline constexpr state<std::uint32_t> initial224 = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
    0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
inline constexpr state<std::uint32_t> initial256 = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
inline constexpr state<std::uint64_t> initial384 = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
inline constexpr state<std::uint64_t> initial512 = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
inline constexpr state<std::uint64_t> initial512_224 = {
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1};
inline constexpr state<std::uint64_t> initial512_256 = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2};

inline constexpr state<std::uint32_t> initial_sm3 = {
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
    0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};

// A function with SHA-2's padding. `Initial` is its initial hash value, `One` is the library's function
// for one call, and `Absorb` absorbs whole blocks.
template <class Word, std::size_t Output, const state<Word> &Initial, one_call One,
          void (&Absorb)(state<Word> &, const bytes &) = absorb>
class hasher {
public:
    static constexpr std::size_t digest_length = Output;
    static constexpr std::size_t block_length = 16 * sizeof(Word);

    // Makes a hasher that has absorbed nothing.
    constexpr hasher() = default;
    constexpr hasher(const hasher &) = default;
    constexpr hasher &operator=(const hasher &) = default;
    constexpr ~hasher() { wipe(state_); }

    // Returns the digest of a message.
    static constexpr digest<Output> hash(const bytes &message) {
        if constexpr (linked) {
            if (!std::is_constant_evaluated()) {
                return call<Output, One>(message);
            }
        }
        const std::size_t whole = message.size() / block_length * block_length;
        state<Word> h = Initial;
        Absorb(h, message.first(whole));
        return finish(h, message.without_first(whole), message.size());
    }

    // Absorbs the next part of the message.
    constexpr hasher &update(const bytes &data) {
        count_ += data.size();
        buffer_.feed(data, [this](const bytes &blocks) { Absorb(state_, blocks); });
        return *this;
    }

    // Returns the digest of everything absorbed so far. The hasher does not change, and may absorb
    // more.
    constexpr digest<Output> finalize() const {
        if constexpr (linked) {
            if (!std::is_constant_evaluated() && count_ == buffer_.waiting().size()) {
                return call<Output, One>(buffer_.waiting());
            }
        }
        return finish(state_, buffer_.waiting(), count_);
    }

    // Returns the digest of a message that ends with further bits: the `bits` high bits of `last`.
    // Returns std::nullopt for more than 7 bits.
    constexpr std::optional<digest<Output>> finalize_bits(std::uint8_t last, unsigned bits) const {
        if (bits > 7) {
            return std::nullopt;
        }
        return finish(state_, buffer_.waiting(), count_, last, bits);
    }

    // Returns how many more bytes the message may have: fewer than 2^64 bits in all for 32-bit
    // words (FIPS 180-4 §1), and what a count of 64 bits allows.
    constexpr std::uint64_t room() const {
        return (std::numeric_limits<std::uint64_t>::max() >> (sizeof(Word) == 4 ? 3 : 0)) - count_;
    }

    // Returns the hasher to its initial state.
    constexpr void reset() { *this = hasher(); }

    // Absorbs a complete block that waits in the buffer. Call it before making copies of the
    // hasher, so that not every copy has to absorb the block.
    constexpr void settle() {
        buffer_.settle([this](const bytes &blocks) { Absorb(state_, blocks); });
    }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        hasher h = *this;
        h.settle();
        to.count(count_);
        to.words(h.state_, 8);
        to.put(h.buffer_.waiting());
    }
    constexpr bool load(reader &from) {
        const bool fits = from.count(count_) && (sizeof(Word) == 8 || count_ >> 61 == 0);
        from.words(state_, 8);
        buffer_ = {};
        buffer_.feed(from.take(static_cast<std::size_t>(count_ % block_length)), [](const bytes &) {});
        return fits;
    }

private:
    // Pads the message, which ends with the `bits` high bits of `last`, and returns its digest.
    // FIPS 180-4 §5.1: after the last bit come a one bit, zeros, and the message's length in bits.
    static constexpr digest<Output> finish(state<Word> h, const bytes &rest, std::uint64_t count, std::uint8_t last = 0,
                                           unsigned bits = 0) {
        constexpr std::size_t length_size = constants<Word>::length_size;
        const std::size_t end = rest.size() < block_length - length_size ? block_length : 2 * block_length;
        std::array<std::uint8_t, 2 * block_length> tail;
        clear(tail);
        copy(rest, tail, 0);
        tail[rest.size()] = static_cast<std::uint8_t>((last & ~(0xFFu >> bits)) | 0x80u >> bits);
        store<std::endian::big>(count << 3 | bits, tail.data() + end - 8);
        if constexpr (length_size == 16) {
            store<std::endian::big>(count >> 61, tail.data() + end - 16);
        }
        Absorb(h, bytes(tail).first(end));
        const auto out = first_bytes<Output, std::endian::big>(h);
        wipe(h);
        wipe(tail);
        return out;
    }

    // The library pads a message of at most one block in registers, in half of the time that its
    // block function and finish() take. To make that possible, a complete first block waits until
    // more bytes follow.
    static constexpr full_block when = linked ? full_block::when_more_comes : full_block::at_once;

    state<Word> state_ = Initial;
    buffer<block_length, when> buffer_;
    std::uint64_t count_ = 0;
};

} // namespace detail::inline HASHMILL_MODE::sha2

using sha224 = detail::sha2::hasher<std::uint32_t, 28, detail::sha2::initial224, hashmill_sha224>;
using sha256 = detail::sha2::hasher<std::uint32_t, 32, detail::sha2::initial256, hashmill_sha256>;
using sha384 = detail::sha2::hasher<std::uint64_t, 48, detail::sha2::initial384, hashmill_sha384>;
using sha512 = detail::sha2::hasher<std::uint64_t, 64, detail::sha2::initial512, hashmill_sha512>;
using sha512_224 = detail::sha2::hasher<std::uint64_t, 28, detail::sha2::initial512_224, hashmill_sha512_224>;
using sha512_256 = detail::sha2::hasher<std::uint64_t, 32, detail::sha2::initial512_256, hashmill_sha512_256>;
using sm3 = detail::sha2::hasher<std::uint32_t, 32, detail::sha2::initial_sm3, hashmill_sm3, detail::sha2::absorb_sm3>;

} // namespace hashmill
