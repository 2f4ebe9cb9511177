// BLAKE2b and BLAKE2s (RFC 7693), with every parameter of the BLAKE2 paper. blake2p.hpp has
// BLAKE2bp and BLAKE2sp, blake2x.hpp has BLAKE2X.
#pragma once

#include "hashmill/buffer.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"
#include "hashmill/saved.hpp"
#include "hashmill/sha2.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>

namespace hashmill {

// BLAKE2's parameters (RFC 7693 §2.5; the BLAKE2 paper §2.5, §2.10). A salt or personalization that
// is shorter than the maximum is padded with zeros.
struct blake2_params {
    bytes key = {};      // up to 64 bytes for BLAKE2b, 32 for BLAKE2s
    bytes salt = {};     // up to 16 bytes, or 8
    bytes personal = {}; // up to 16 bytes, or 8
    // The fields below are for a node of a tree.
    std::uint8_t fanout = 1;       // children of a node, 0 for any number
    std::uint8_t max_depth = 1;    // levels of the tree, 255 for any number, 0 in BLAKE2X
    std::uint32_t leaf_length = 0; // bytes of the message in a leaf, 0 for any number
    std::uint64_t node_offset = 0; // position in its level; less than 2^48 for BLAKE2s
    std::uint8_t node_depth = 0;   // the node's level, 0 for a leaf
    std::uint8_t inner_length = 0; // bytes of an inner node's digest: 0 to 64, or 0 to 32
    bool last_node = false;        // whether it is the last node of its level
};

namespace detail::inline HASHMILL_MODE::blake2 {

// The permutations of RFC 7693 §2.7. Those of rounds 10 and 11 are those of rounds 0 and 1.
inline constexpr std::size_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

// The constants that differ between BLAKE2b and BLAKE2s (RFC 7693 §2.1 and §2.6).
template <class Word> struct constants;

template <> struct constants<std::uint64_t> {
    static constexpr std::size_t rounds = 12;
    static constexpr int rotations[4] = {32, 24, 16, 63};
    static constexpr std::array<std::uint64_t, 8> iv = sha2::initial512;
    static constexpr std::uint64_t max_node_offset = std::numeric_limits<std::uint64_t>::max();
};

template <> struct constants<std::uint32_t> {
    static constexpr std::size_t rounds = 10;
    static constexpr int rotations[4] = {16, 12, 8, 7};
    static constexpr std::array<std::uint32_t, 8> iv = sha2::initial256;
    static constexpr std::uint64_t max_node_offset = (std::uint64_t{1} << 48) - 1;
};

// The chaining value, the counter of bytes (two words), and the finalization flags (two words).
template <class Word> using state = std::array<Word, 12>;

// Computes x = (x ^ y) rotated to the right by N bits. `Word` is the type of a word of the state, or
// a vector that holds the same word of several states (blake3.hpp), which is not passed by value,
// because it may be wider than the registers that the surrounding program may use.
template <class Word, int N, class Words> HASHMILL_INLINE constexpr void xor_rotate(Words &x, const Words &y) {
    x ^= y;
    x = x >> N | x << (std::numeric_limits<Word>::digits - N);
}

// The mixing function G (RFC 7693 §3.1).
template <class Word, class Words>
HASHMILL_INLINE constexpr void g(Words &a, Words &b, Words &c, Words &d, const Words &x, const Words &y) {
    constexpr auto &r = constants<Word>::rotations;
    a += b + x;
    xor_rotate<Word, r[0]>(d, a);
    c += d;
    xor_rotate<Word, r[1]>(b, c);
    a += b + y;
    xor_rotate<Word, r[2]>(d, a);
    c += d;
    xor_rotate<Word, r[3]>(b, c);
}

// The rounds of the compression function. `Schedule` has the words of the message in the order in
// which each round reads them; after its last row, the first one follows.
template <std::size_t Rounds, const auto &Schedule, class Word, class Words>
HASHMILL_INLINE constexpr void rounds(Words (&v)[16], const Words (&m)[16]) {
    unroll<Rounds>([&]<std::size_t R>() HASHMILL_INLINE {
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE {
            // The columns, and then the diagonals.
            constexpr std::size_t turn = I / 4;
            constexpr auto &of = Schedule[R % std::size(Schedule)];
            constexpr std::size_t x = of[2 * I], y = of[2 * I + 1];
            g<Word>(v[I % 4], v[4 + (I + turn) % 4], v[8 + (I + 2 * turn) % 4], v[12 + (I + 3 * turn) % 4], m[x], m[y]);
        });
    });
}

// Absorbs whole blocks with the compression function F (RFC 7693 §3.2).
template <class Word> HASHMILL_SCALAR constexpr void portable(Word *s, const bytes &blocks) {
    const bytes message = blocks.normal();
    constexpr auto iv = constants<Word>::iv;
    constexpr std::size_t block = 16 * sizeof(Word);
    Word h[12] = {};
    unroll<12>([&]<std::size_t I>() HASHMILL_INLINE { h[I] = s[I]; });
    for (std::size_t at = 0; at < message.size(); at += block) {
        h[8] += block;
        h[9] += h[8] < block ? 1 : 0;
        Word m[16] = {}, v[16] = {};
        unroll<16>([&]<std::size_t I>() HASHMILL_INLINE { m[I] = load_le<Word>(message, at + I * sizeof(Word)); });
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { v[I] = h[I]; });
        unroll<4>([&]<std::size_t I>() HASHMILL_INLINE {
            constexpr Word upper = iv[I], lower = iv[4 + I];
            v[8 + I] = upper;
            v[12 + I] = lower ^ h[8 + I];
        });
        rounds<constants<Word>::rounds, sigma, Word>(v, m);
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { h[I] ^= v[I] ^ v[8 + I]; });
    }
    unroll<12>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = h[I]; });
}

constexpr void absorb(state<std::uint64_t> &s, const bytes &blocks) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_blake2b_blocks(s.data(), blocks.data(), blocks.size() / 128);
            return;
        }
    }
    portable(s.data(), blocks);
}

constexpr void absorb(state<std::uint32_t> &s, const bytes &blocks) {
    if constexpr (linked) {
        if (!std::is_constant_evaluated()) {
            (void)hashmill_blake2s_blocks(s.data(), blocks.data(), blocks.size() / 64);
            return;
        }
    }
    portable(s.data(), blocks);
}

// BLAKE2b or BLAKE2s with a digest whose length is chosen at run time.
template <class Word> class stream {
public:
    using word = Word;
    // The state before the message.
    using begin = state<Word>;
    static constexpr std::size_t max_output = 8 * sizeof(Word);
    static constexpr std::size_t block_length = 16 * sizeof(Word);

    // Returns the initial state: the initialization vector, exclusive-or'ed with the parameter
    // block (RFC 7693 §2.5).
    static constexpr begin initial(const blake2_params &params, std::size_t output) {
        std::array<std::uint8_t, max_output> block{};
        block[0] = static_cast<std::uint8_t>(output);
        block[1] = static_cast<std::uint8_t>(params.key.size());
        block[2] = params.fanout;
        block[3] = params.max_depth;
        store<std::endian::little>(params.leaf_length, block.data() + 4);
        // For BLAKE2s this field has six bytes. The upper two bytes written here are zero, and are
        // overwritten below.
        store<std::endian::little>(params.node_offset, block.data() + 8);
        constexpr std::size_t node_depth = sizeof(Word) == 8 ? 16 : 14;
        block[node_depth] = params.node_depth;
        block[node_depth + 1] = params.inner_length;
        copy(params.salt, block, 4 * sizeof(Word));
        copy(params.personal, block, 6 * sizeof(Word));
        state<Word> s{};
        for (std::size_t i = 0; i < 8; i++) {
            s[i] = constants<Word>::iv[i] ^ load_le<Word>(bytes(block), i * sizeof(Word));
        }
        return s;
    }

    // Returns the same without a key and with default parameters, which the compiler computes.
    template <std::size_t Output = max_output> static constexpr begin plain() {
        constexpr begin s = initial(blake2_params{}, Output);
        return s;
    }

    // Returns whether all parameters are in range.
    static constexpr bool good(const blake2_params &params) {
        return params.key.size() <= max_output && params.salt.size() <= max_output / 4 &&
               params.personal.size() <= max_output / 4 && params.inner_length <= max_output &&
               params.node_offset <= constants<Word>::max_node_offset;
    }

    // Absorbs the last block. RFC 7693 §3.3: it is padded with zeros, which the counter does not
    // count.
    static constexpr void absorb_last(state<Word> &s, const bytes &rest, bool last_node) {
        const auto missing = static_cast<Word>(block_length - rest.size());
        s[9] -= s[8] < missing ? 1 : 0;
        s[8] -= missing;
        s[10] = std::numeric_limits<Word>::max();
        s[11] = last_node ? std::numeric_limits<Word>::max() : 0;
        if (missing == 0) {
            absorb(s, rest);
        } else {
            std::array<std::uint8_t, block_length> tail;
            clear(tail);
            copy(rest, tail, 0);
            absorb(s, bytes(tail));
            wipe(tail);
        }
    }

    // Returns the state after a message, whose beginning is the digest.
    static constexpr state<Word> hash(const begin &initial, std::size_t, const bytes &message) {
        // The last block, whether whole or not, is absorbed by absorb_last(), because its flags
        // differ.
        const std::size_t whole = message.size() == 0 ? 0 : (message.size() - 1) / block_length * block_length;
        state<Word> s = initial;
        absorb(s, message.first(whole));
        absorb_last(s, message.without_first(whole), false);
        return s;
    }

    constexpr stream() : stream(plain(), max_output) {}
    constexpr stream(const begin &s, std::size_t output, bool last_node = false)
        : state_(s), output_(static_cast<std::uint8_t>(output)), last_node_(last_node), untouched_(true) {}
    constexpr stream(const blake2_params &params, std::size_t output)
        : stream(initial(params, output), output, params.last_node) {
        untouched_ = false;
        if (params.key.size() > 0) {
            // RFC 7693 §3.3: the key, padded with zeros, is the first block.
            keyed_ = true;
            below([&] {
                std::array<std::uint8_t, block_length> key{};
                copy(params.key, key, 0);
                feed(key);
                wipe(key);
            });
        }
    }
    constexpr stream(const stream &) = default;
    constexpr stream &operator=(const stream &) = default;
    constexpr ~stream() { wipe(state_); }

    // Absorbs the next part of the message.
    constexpr void update(const bytes &data) {
        below_if(keyed_, [&] { feed(data); });
    }

    // Calls `take` with the state after everything absorbed so far, whose beginning is the digest.
    constexpr void finish(auto take) const {
        const auto run = [&] {
            state<Word> s = state_;
            absorb_last(s, buffer_.waiting(), last_node_);
            take(s);
            wipe(s);
        };
        below_if(keyed_, run);
    }

    constexpr std::size_t output_length() const { return output_; }
    constexpr bool keyed() const { return keyed_; }
    constexpr bool last_node() const { return last_node_; }
    // Returns whether the stream has no parameters and has not absorbed a block yet: all of the
    // message is waiting().
    constexpr bool untouched() const { return untouched_; }
    constexpr bytes waiting() const { return buffer_.waiting(); }
    constexpr void set_last_node(bool last) {
        last_node_ = last;
        untouched_ = false;
    }

    // The number of bytes that a state has absorbed.
    static constexpr std::uint64_t count(const state<Word> &s) {
        return sizeof(Word) == 8 ? std::uint64_t{s[8]} : std::uint64_t{s[8]} | std::uint64_t{s[9]} << 32;
    }
    static constexpr void set_count(state<Word> &s, std::uint64_t count) {
        s[8] = static_cast<Word>(count);
        s[9] = sizeof(Word) == 8 ? 0 : static_cast<Word>(count >> 32);
        s[10] = s[11] = 0;
    }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        to.word(output_);
        to.word(static_cast<std::uint8_t>(last_node_));
        to.count(count(state_) + waiting().size());
        to.words(state_, 8);
        to.put(waiting());
    }
    constexpr bool load(reader &from) {
        std::uint64_t total = 0;
        untouched_ = false;
        keyed_ = true; // There may have been a key.
        output_ = from.word<std::uint8_t>();
        const auto last = from.word<std::uint8_t>();
        const bool fits = from.count(total);
        from.words(state_, 8);
        last_node_ = last == 1;
        const std::size_t rest = total == 0 ? 0 : static_cast<std::size_t>((total - 1) % block_length + 1);
        set_count(state_, total - rest);
        buffer_ = {};
        buffer_.feed(from.take(rest), [](const bytes &) {});
        return fits && last <= 1 && output_ >= 1 && output_ <= max_output;
    }

private:
    HASHMILL_INLINE constexpr void feed(const bytes &data) {
        buffer_.feed(data, [this](const bytes &blocks) {
            absorb(state_, blocks);
            untouched_ = false;
        });
    }

    state<Word> state_;
    buffer<block_length, full_block::when_more_comes> buffer_;
    std::uint8_t output_;
    bool last_node_;
    bool untouched_;
    // Whether there is a key, so that the stack is overwritten.
    bool keyed_ = false;
};

// BLAKE2 with a digest of `Output` bytes. `Core` is one of the classes whose length is chosen at
// run time, and `One` is the library's function for one call.
template <class Core, std::size_t Output, one_call One> class hasher {
    static constexpr std::size_t max_output = Core::max_output;
    static_assert(Output >= 1 && Output <= max_output, "the output length is 1 to 64 bytes for BLAKE2b, 1 to 32 for "
                                                       "BLAKE2s");

public:
    static constexpr std::size_t digest_length = Output;
    static constexpr std::size_t block_length = Core::block_length;

    // Makes a hasher without a key and without a tree.
    constexpr hasher() : core_(Core::template plain<Output>(), Output) {}

    // Makes a hasher with parameters. Returns std::nullopt if one of them is out of range. BLAKE2bp
    // and BLAKE2sp build their own trees, and take only the key, the salt and the personalization.
    static constexpr std::optional<hasher> with(const blake2_params &params) {
        return Core::good(params) ? std::optional<hasher>(hasher(params)) : std::nullopt;
    }

    // Returns the digest of a message.
    static constexpr digest<Output> hash(const bytes &message) {
        if constexpr (linked && Output == max_output) {
            if (!std::is_constant_evaluated()) {
                return call<Output, One>(message);
            }
        }
        auto s = Core::hash(Core::template plain<Output>(), Output, message);
        const auto out = first_bytes<Output, std::endian::little>(s);
        wipe(s);
        return out;
    }

    // Absorbs the next part of the message.
    constexpr hasher &update(const bytes &data) {
        core_.update(data);
        return *this;
    }

    // Returns the digest of everything absorbed so far. The hasher does not change, and may absorb
    // more.
    constexpr digest<Output> finalize() const {
        if constexpr (linked && Output == max_output) {
            if (!std::is_constant_evaluated() && core_.untouched()) {
                return call<Output, One>(core_.waiting());
            }
        }
        digest<Output> out{};
        core_.finish([&](const auto &s) { out = first_bytes<Output, std::endian::little>(s); });
        return out;
    }

    // Forgets everything absorbed, and also the key and the other parameters.
    constexpr void reset() { *this = hasher(); }

    constexpr bool keyed() const { return core_.keyed(); }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const { core_.save(to); }
    constexpr bool load(reader &from) { return core_.load(from) && core_.output_length() == Output; }

private:
    constexpr explicit hasher(const blake2_params &params) : core_(params, Output) {}

    Core core_;
};

} // namespace detail::inline HASHMILL_MODE::blake2

template <std::size_t Output = 64>
using blake2b = detail::blake2::hasher<detail::blake2::stream<std::uint64_t>, Output, hashmill_blake2b>;
template <std::size_t Output = 32>
using blake2s = detail::blake2::hasher<detail::blake2::stream<std::uint32_t>, Output, hashmill_blake2s>;

} // namespace hashmill
