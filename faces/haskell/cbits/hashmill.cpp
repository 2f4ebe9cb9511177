// The functions of hashmill.h that this package calls, implemented with the kernels of hashmill's
// C++ headers, so that the package builds with a C++20 compiler and nothing else. If libhashmill is
// installed, this file is not compiled (the flag pkgconfig).
//
// This file keeps the contract of hashmill.h: the sizes of contexts, the statuses, and the layout
// of exported states. Errors that only a wrong use of pointers can cause are not checked, because
// the package does not make them. The file needs no C++ run-time library, because it uses no
// exceptions and allocates nothing.

#include <hashmill.h>

#include <hashmill/blake2.hpp>
#include <hashmill/blake3.hpp>
#include <hashmill/bytes.hpp>
#include <hashmill/keccak.hpp>
#include <hashmill/lanes.hpp>
#include <hashmill/sha2.hpp>
#include <hashmill/sha3.hpp>
#include <hashmill/sponge.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

namespace sha2 = hashmill::detail::sha2;
namespace sponge = hashmill::detail::sponge;
namespace keccak = hashmill::detail::keccak;
namespace blake2 = hashmill::detail::blake2;
namespace blake3 = hashmill::detail::blake3;
using hashmill::bytes;

bytes view(const void *data, std::size_t len) { return {static_cast<const std::uint8_t *>(data), len}; }

void wipe_memory(void *memory, std::size_t len) {
    std::memset(memory, 0, len);
    hashmill::detail::observe(memory);
}

// ---- Algorithms ---------------------------------------------------------------------------------

enum class family { sha256, sha512, sponge, blake2b, blake2s, blake2bp, blake2sp, blake3 };

struct row {
    const char *name;
    const char *tag;
    std::size_t output_len;
    std::size_t block_len;
    family of;
    // SHA-2's initial hash value, with the words of the family `of`. The two fields below it are
    // the suffix and the rounds of Keccak.
    const void *initial;
    std::uint8_t suffix;
    std::uint8_t rounds;
};

// In the order of the algorithms' numbers, from 1.
constexpr row rows[] = {
    {"SHA-224", "SHA224", 28, 64, family::sha256, &sha2::initial224, 0, 0},
    {"SHA-256", "SHA256", 32, 64, family::sha256, &sha2::initial256, 0, 0},
    {"SHA-384", "SHA384", 48, 128, family::sha512, &sha2::initial384, 0, 0},
    {"SHA-512", "SHA512", 64, 128, family::sha512, &sha2::initial512, 0, 0},
    {"SHA-512/224", "SHA512-224", 28, 128, family::sha512, &sha2::initial512_224, 0, 0},
    {"SHA-512/256", "SHA512-256", 32, 128, family::sha512, &sha2::initial512_256, 0, 0},
    {"SHA3-224", "SHA3-224", 28, 144, family::sponge, nullptr, 0x06, 24},
    {"SHA3-256", "SHA3-256", 32, 136, family::sponge, nullptr, 0x06, 24},
    {"SHA3-384", "SHA3-384", 48, 104, family::sponge, nullptr, 0x06, 24},
    {"SHA3-512", "SHA3-512", 64, 72, family::sponge, nullptr, 0x06, 24},
    {"BLAKE2b", "BLAKE2b", 64, 128, family::blake2b, nullptr, 0, 0},
    {"BLAKE2s", "BLAKE2s", 32, 64, family::blake2s, nullptr, 0, 0},
    {"BLAKE2bp", "BLAKE2bp", 64, 128, family::blake2bp, nullptr, 0, 0},
    {"BLAKE2sp", "BLAKE2sp", 32, 64, family::blake2sp, nullptr, 0, 0},
    {"SHAKE128", "SHAKE128", 32, 168, family::sponge, nullptr, 0x1F, 24},
    {"SHAKE256", "SHAKE256", 64, 136, family::sponge, nullptr, 0x1F, 24},
    {"TurboSHAKE128", "TurboSHAKE128", 32, 168, family::sponge, nullptr, 0x1F, 12},
    {"TurboSHAKE256", "TurboSHAKE256", 64, 136, family::sponge, nullptr, 0x1F, 12},
    {"Keccak-256", "KECCAK-256", 32, 136, family::sponge, nullptr, 0x01, 24},
    {"BLAKE3", "BLAKE3", 32, 64, family::blake3, nullptr, 0, 0},
};

constexpr int algorithms = static_cast<int>(sizeof(rows) / sizeof(rows[0]));

const row *row_of(hashmill_algorithm algorithm) {
    return algorithm >= 1 && algorithm <= algorithms ? &rows[algorithm - 1] : nullptr;
}

bool is_xof(const row &r) { return r.suffix == 0x1F || r.of == family::blake3; }

// ---- Exported states: little-endian words -------------------------------------------------------

struct writer {
    std::uint8_t *out;
    std::size_t len = 0;

    void put(const void *from, std::size_t n) {
        if (n > 0) {
            std::memcpy(out + len, from, n);
        }
        len += n;
    }
    template <class Word> void word(Word word) {
        for (std::size_t i = 0; i < sizeof(Word); i++) {
            out[len++] = hashmill::detail::byte_of<std::endian::little>(word, i);
        }
    }
};

struct reader {
    const std::uint8_t *at;
    std::size_t left;
    bool short_of = false;

    const std::uint8_t *take(std::size_t n) {
        short_of = short_of || n > left;
        if (short_of) {
            return nullptr;
        }
        at += n;
        left -= n;
        return at - n;
    }
    template <class Word> Word word() {
        const std::uint8_t *from = take(sizeof(Word));
        return from == nullptr ? Word{0} : hashmill::detail::load_le<Word>(from, 0);
    }
};

// Writes a count of bytes. The library's count has 128 bits, of which 64 are enough for messages in
// memory.
void put_count(writer &to, std::uint64_t count) {
    to.word(count);
    to.word(std::uint64_t{0});
}

bool take_count(reader &from, std::uint64_t &count) {
    count = from.word<std::uint64_t>();
    return from.word<std::uint64_t>() == 0;
}

// ---- Streams: a message piece by piece. Plain data, which is copied by assignment ---------------

// The bytes that wait until their block is complete. A block is absorbed when `Lookahead` bytes
// follow it.
template <std::size_t Block, std::size_t Lookahead> struct waiting {
    std::uint8_t data[Block + (Lookahead > 0 ? Lookahead - 1 : 0)];
    std::size_t len;

    bytes all() const { return {data, len}; }

    void feed(bytes more, auto absorb) {
        while (len > 0 && len + more.size() >= Block + Lookahead) {
            // Takes as many bytes as the block lacks. The bytes that follow the block may still be
            // in `more`.
            const std::size_t taken = len < Block ? Block - len : 0;
            std::memcpy(data + len, more.data(), taken);
            absorb(bytes(data, Block));
            more = more.without_first(taken);
            len = len + taken - Block;
            std::memmove(data, data + Block, len);
        }
        if (len == 0 && more.size() >= Block + Lookahead) {
            const std::size_t whole = (more.size() - Lookahead) / Block * Block;
            absorb(more.first(whole));
            more = more.without_first(whole);
        }
        if (more.size() > 0) {
            std::memcpy(data + len, more.data(), more.size());
            len += more.size();
        }
    }
};

template <class Word> struct sha2_stream {
    static constexpr std::size_t block = 16 * sizeof(Word);
    sha2::state<Word> state;
    waiting<block, 0> rest;
    std::uint64_t count;

    void init(const row &r) {
        state = *static_cast<const sha2::state<Word> *>(r.initial);
        rest.len = 0;
        count = 0;
    }
    void update(const bytes &data) {
        count += data.size();
        rest.feed(data, [this](const bytes &blocks) { sha2::absorb(state, blocks); });
    }
    // Pads the message and writes its digest (FIPS 180-4 §5.1). The message ends with the `bits`
    // high bits of `last`.
    void finish(std::uint8_t last, unsigned bits, std::uint8_t *out, std::size_t len) const {
        constexpr std::size_t length_size = block / 8;
        sha2::state<Word> s = state;
        std::uint8_t tail[2 * block] = {};
        if (rest.len > 0) {
            std::memcpy(tail, rest.data, rest.len);
        }
        tail[rest.len] = static_cast<std::uint8_t>((last & ~(0xFFu >> bits)) | 0x80u >> bits);
        const std::size_t end = rest.len < block - length_size ? block : 2 * block;
        hashmill::detail::store<std::endian::big>(count << 3 | bits, tail + end - 8);
        if constexpr (length_size == 16) {
            hashmill::detail::store<std::endian::big>(count >> 61, tail + end - 16);
        }
        sha2::absorb(s, bytes(tail, end));
        for (std::size_t i = 0; i < len; i++) {
            out[i] = hashmill::detail::byte_of<std::endian::big>(s[i / sizeof(Word)], i % sizeof(Word));
        }
    }
    void save(writer &to) const {
        put_count(to, count);
        for (const Word word : state) {
            to.word(word);
        }
        to.put(rest.data, rest.len);
    }
    hashmill_status load(reader &from) {
        if (!take_count(from, count) || (sizeof(Word) == 4 && count >> 61 != 0)) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        for (Word &word : state) {
            word = from.word<Word>();
        }
        rest.len = count % block;
        const std::uint8_t *data = from.take(rest.len);
        if (data != nullptr) {
            std::memcpy(rest.data, data, rest.len);
        }
        return HASHMILL_OK;
    }
};

template <std::size_t Rounds> void absorb_blocks(keccak::state &s, std::size_t rate, const bytes &blocks) {
    switch (rate) {
    case 72: keccak::permutation<72, 24>::absorb(s, blocks); break;
    case 104: keccak::permutation<104, 24>::absorb(s, blocks); break;
    case 136: keccak::permutation<136, Rounds>::absorb(s, blocks); break;
    case 144: keccak::permutation<144, 24>::absorb(s, blocks); break;
    default: keccak::permutation<168, Rounds>::absorb(s, blocks); break;
    }
}

void absorb_blocks(keccak::state &s, std::size_t rate, unsigned rounds, const bytes &blocks) {
    rounds == 12 ? absorb_blocks<12>(s, rate, blocks) : absorb_blocks<24>(s, rate, blocks);
}

void permute(keccak::state &s, unsigned rounds) { rounds == 12 ? keccak::permute<12>(s) : keccak::permute<24>(s); }

// The output of a sponge.
struct squeezer {
    keccak::state state;
    std::size_t rate;
    std::size_t position;
    unsigned rounds;

    void squeeze(std::uint8_t *out, std::size_t len) {
        while (len > 0) {
            if (position == rate) {
                if (len >= rate && rounds == 24 && (rate == 168 || rate == 136)) {
                    const std::size_t whole = len / rate * rate;
                    rate == 168 ? keccak::permutation<168, 24>::squeeze(state, {out, whole})
                                : keccak::permutation<136, 24>::squeeze(state, {out, whole});
                    out += whole;
                    len -= whole;
                    continue;
                }
                permute(state, rounds);
                position = 0;
            }
            const std::size_t n = std::min(rate - position, len);
            sponge::copy_out(state.data(), position, {out, n});
            position += n;
            out += n;
            len -= n;
        }
    }
};

struct sponge_stream {
    keccak::state state;
    std::size_t rate;
    std::size_t position;
    unsigned rounds;
    std::uint8_t suffix;

    void init(const row &r) {
        state.fill(0);
        rate = r.block_len;
        position = 0;
        rounds = r.rounds;
        suffix = r.suffix;
    }
    void update(bytes data) {
        if (position > 0 && data.size() >= rate - position) {
            const std::size_t missing = rate - position;
            sponge::xor_bytes(state.data(), position, data.first(missing));
            permute(state, rounds);
            data = data.without_first(missing);
            position = 0;
        }
        const std::size_t whole = data.size() >= rate ? data.size() / rate * rate : 0;
        absorb_blocks(state, rate, rounds, data.first(whole));
        data = data.without_first(whole);
        sponge::xor_bytes(state.data(), position, data);
        position += data.size();
    }
    // Pads the message and returns its output (FIPS 202 §B.1). The message ends with the `bits` low
    // bits of `last`.
    squeezer output(std::uint8_t last, unsigned bits) const {
        squeezer s{state, rate, 0, rounds};
        const unsigned end = (last & ((1u << bits) - 1)) | unsigned{suffix} << bits;
        const std::uint8_t ends[2] = {static_cast<std::uint8_t>(end), static_cast<std::uint8_t>(end >> 8)};
        sponge::xor_bytes(s.state.data(), position, bytes(ends, 1));
        // `end` contains the last bits of the message, the domain separation bits and the padding's
        // first bit, in one or two bytes. If its first byte is the last byte of the block, and bit
        // 7 of that byte or the second byte is used, the padding's last bit is in the next block.
        if (position + 1 == rate && end >= 0x80) {
            permute(s.state, rounds);
            sponge::xor_bytes(s.state.data(), 0, bytes(ends + 1, 1));
        } else if (position + 1 < rate) {
            sponge::xor_bytes(s.state.data(), position + 1, bytes(ends + 1, 1));
        }
        s.state[rate / 8 - 1] ^= std::uint64_t{0x80} << 56;
        permute(s.state, rounds);
        return s;
    }
    void finish(std::uint8_t last, unsigned bits, std::uint8_t *out, std::size_t len) const {
        squeezer s = output(last, bits);
        s.squeeze(out, len);
        hashmill::detail::wipe(s.state);
    }
    // The layout consists of the state before the bytes that wait for their block, and those bytes.
    // Here the bytes are already exclusive-or'ed into the state, so that zeros are written in their
    // place.
    void save(writer &to) const {
        constexpr std::uint8_t zeros[168] = {};
        to.word(suffix);
        for (const std::uint64_t word : state) {
            to.word(word);
        }
        to.word(static_cast<std::uint8_t>(position));
        to.put(zeros, position);
    }
    hashmill_status load(reader &from) {
        const auto given = from.word<std::uint8_t>();
        if (given != suffix && (rounds == 24 || given < 0x01 || given > 0x7F)) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        suffix = given;
        for (std::uint64_t &word : state) {
            word = from.word<std::uint64_t>();
        }
        position = from.word<std::uint8_t>();
        if (position >= rate) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        const std::uint8_t *data = from.take(position);
        if (data != nullptr) {
            sponge::xor_bytes(state.data(), 0, bytes(data, position));
        }
        return HASHMILL_OK;
    }
};

// Returns the initial state: the initialization vector, exclusive-or'ed with the parameter block
// (RFC 7693 §2.5).
template <class Word>
blake2::state<Word> blake2_initial(const hashmill_blake2_params &p, std::uint64_t node_offset, std::uint8_t node_depth) {
    std::uint8_t block[8 * sizeof(Word)] = {};
    block[0] = static_cast<std::uint8_t>(p.output_len);
    block[1] = static_cast<std::uint8_t>(p.key.len);
    block[2] = p.fanout;
    block[3] = p.max_depth;
    hashmill::detail::store<std::endian::little>(p.leaf_len, block + 4);
    hashmill::detail::store<std::endian::little>(node_offset, block + 8);
    constexpr std::size_t depth = sizeof(Word) == 8 ? 16 : 14;
    block[depth] = node_depth;
    block[depth + 1] = static_cast<std::uint8_t>(p.inner_len);
    if (p.salt.len > 0) {
        std::memcpy(block + 4 * sizeof(Word), p.salt.data, p.salt.len);
    }
    if (p.personal.len > 0) {
        std::memcpy(block + 6 * sizeof(Word), p.personal.data, p.personal.len);
    }
    blake2::state<Word> s{};
    for (std::size_t i = 0; i < 8; i++) {
        s[i] = blake2::constants<Word>::iv[i] ^ hashmill::detail::load_le<Word>(block, i * sizeof(Word));
    }
    return s;
}

template <class Word> struct blake2_stream {
    static constexpr std::size_t block = 16 * sizeof(Word);
    blake2::state<Word> state;
    waiting<block, 1> rest;
    std::uint8_t output_len;
    std::uint8_t last_node;

    void init(const hashmill_blake2_params &p) {
        init(blake2_initial<Word>(p, p.node_offset, p.node_depth), static_cast<std::uint8_t>(p.output_len), p.last_node != 0);
        update_key(p);
    }
    void init(const blake2::state<Word> &initial, std::uint8_t len, bool last) {
        state = initial;
        rest.len = 0;
        output_len = len;
        last_node = last ? 1 : 0;
    }
    // RFC 7693 §3.3: the key, padded with zeros, is the first block.
    void update_key(const hashmill_blake2_params &p) {
        if (p.key.len > 0) {
            std::array<std::uint8_t, block> key{};
            std::memcpy(key.data(), p.key.data, p.key.len);
            update(key);
            hashmill::detail::wipe(key);
        }
    }
    void update(const bytes &data) {
        rest.feed(data, [this](const bytes &blocks) { blake2::absorb(state, blocks); });
    }
    // Absorbs the last block and writes the digest. RFC 7693 §3.3: the last block is padded with
    // zeros, which the counter does not count.
    void finish(std::uint8_t *out, std::size_t len) const {
        blake2::state<Word> s = state;
        std::uint8_t tail[block] = {};
        if (rest.len > 0) {
            std::memcpy(tail, rest.data, rest.len);
        }
        const auto missing = static_cast<Word>(block - rest.len);
        s[9] -= s[8] < missing ? 1 : 0;
        s[8] -= missing;
        s[10] = static_cast<Word>(~Word{0});
        s[11] = last_node != 0 ? static_cast<Word>(~Word{0}) : 0;
        blake2::absorb(s, bytes(tail, block));
        for (std::size_t i = 0; i < len; i++) {
            out[i] = hashmill::detail::byte_of<std::endian::little>(s[i / sizeof(Word)], i % sizeof(Word));
        }
    }
    std::uint64_t absorbed() const {
        return sizeof(Word) == 8 ? std::uint64_t{state[8]} : std::uint64_t{state[8]} | std::uint64_t{state[9]} << 32;
    }
    void set_absorbed(std::uint64_t count) {
        state[8] = static_cast<Word>(count);
        state[9] = sizeof(Word) == 8 ? 0 : static_cast<Word>(count >> 32);
        state[10] = state[11] = 0;
    }
    void save(writer &to) const {
        to.word(output_len);
        to.word(last_node);
        put_count(to, absorbed() + rest.len);
        for (std::size_t i = 0; i < 8; i++) {
            to.word(state[i]);
        }
        to.put(rest.data, rest.len);
    }
    hashmill_status load(reader &from) {
        std::uint64_t count = 0;
        output_len = from.word<std::uint8_t>();
        last_node = from.word<std::uint8_t>();
        if (!take_count(from, count) || last_node > 1 || output_len < 1 || output_len > block / 2) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        for (std::size_t i = 0; i < 8; i++) {
            state[i] = from.word<Word>();
        }
        rest.len = count == 0 ? 0 : (count - 1) % block + 1;
        set_absorbed(count - rest.len);
        const std::uint8_t *data = from.take(rest.len);
        if (data != nullptr) {
            std::memcpy(rest.data, data, rest.len);
        }
        return HASHMILL_OK;
    }
};

// BLAKE2bp and BLAKE2sp (the BLAKE2 paper §2.10, §5). The message's blocks go to the leaves in
// turn, and a stripe is one block for each leaf. A stripe is absorbed when at least one byte of the
// next stripe's last block has arrived: then every leaf has a further block, so that no block of
// the stripe is the last of its leaf.
template <class Word, std::size_t Leaves> struct tree_stream {
    using leaf_stream = blake2_stream<Word>;
    static constexpr std::size_t block = leaf_stream::block;
    static constexpr std::size_t stripe = Leaves * block;
    static constexpr std::size_t inner = block / 2;
    blake2::state<Word> leaves[Leaves];
    blake2::state<Word> root;
    waiting<stripe, stripe - block + 1> rest;
    std::uint8_t output_len;

    void init(const hashmill_blake2_params &p) {
        for (std::size_t i = 0; i < Leaves; i++) {
            leaves[i] = blake2_initial<Word>(p, i, 0);
        }
        root = blake2_initial<Word>(p, 0, 1);
        rest.len = 0;
        output_len = static_cast<std::uint8_t>(p.output_len);
        if (p.key.len > 0) {
            std::array<std::uint8_t, block> key{};
            std::memcpy(key.data(), p.key.data, p.key.len);
            for (std::size_t i = 0; i < Leaves; i++) {
                update(key);
            }
            hashmill::detail::wipe(key);
        }
    }
    void update(const bytes &data) {
        rest.feed(data, [this](bytes stripes) {
            for (; stripes.size() > 0; stripes = stripes.without_first(stripe)) {
                for (std::size_t i = 0; i < Leaves; i++) {
                    blake2::absorb(leaves[i], stripes.without_first(i * block).first(block));
                }
            }
        });
    }
    void finish(std::uint8_t *out, std::size_t len) const {
        leaf_stream top;
        top.init(root, output_len, true);
        for (std::size_t i = 0; i < Leaves; i++) {
            leaf_stream leaf;
            leaf.init(leaves[i], inner, i == Leaves - 1);
            for (std::size_t at = i * block; at < rest.len; at += stripe) {
                leaf.update(bytes(rest.data + at, std::min(block, rest.len - at)));
            }
            std::uint8_t value[inner];
            leaf.finish(value, inner);
            top.update(bytes(value, inner));
        }
        top.finish(out, len);
    }
    void save(writer &to) const {
        leaf_stream first;
        first.state = leaves[0];
        to.word(output_len);
        put_count(to, first.absorbed() * Leaves + rest.len);
        for (std::size_t i = 0; i < 8; i++) {
            to.word(root[i]);
        }
        for (std::size_t i = 0; i < 8; i++) {
            for (std::size_t leaf = 0; leaf < Leaves; leaf++) {
                to.word(leaves[leaf][i]);
            }
        }
        to.put(rest.data, rest.len);
    }
    hashmill_status load(reader &from) {
        constexpr std::size_t lookahead = stripe - block + 1;
        std::uint64_t count = 0;
        output_len = from.word<std::uint8_t>();
        if (!take_count(from, count) || output_len < 1 || output_len > inner) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        root = {};
        for (std::size_t i = 0; i < 8; i++) {
            root[i] = from.word<Word>();
        }
        const std::uint64_t stripes = count < stripe + lookahead ? 0 : (count - lookahead) / stripe;
        for (std::size_t i = 0; i < 8; i++) {
            for (std::size_t leaf = 0; leaf < Leaves; leaf++) {
                leaves[leaf][i] = from.word<Word>();
            }
        }
        for (auto &state : leaves) {
            leaf_stream leaf;
            leaf.state = state;
            leaf.set_absorbed(stripes * block);
            state = leaf.state;
        }
        rest.len = static_cast<std::size_t>(count - stripes * stripe);
        const std::uint8_t *data = from.take(rest.len);
        if (data != nullptr) {
            std::memcpy(rest.data, data, rest.len);
        }
        return HASHMILL_OK;
    }
};

// The output of BLAKE3: the root, and the number of the next byte.
struct blake3_output {
    blake3::last_block root;
    std::uint64_t position;

    void squeeze(std::uint8_t *out, std::size_t len) {
        blake3::output all(root);
        all.seek(position).squeeze({out, len});
        position = all.position();
    }
};

struct blake3_stream {
    blake3::tree tree;

    void init(const blake3::mode &mode) { tree = blake3::tree::with(mode); }
    void update(const bytes &data) { tree.update(data); }
    blake3_output output() const { return {tree.finish(), 0}; }
    void finish(std::uint8_t *out, std::size_t len) const {
        blake3_output all = output();
        all.squeeze(out, len);
        wipe_memory(&all, sizeof(all));
    }
    // Returns the number of chaining values in an exported state. Subtrees of one size are merged,
    // except the last two if nothing follows them, because their parent may be the root.
    static std::size_t saved_depth(const blake3::tree &t) {
        const bool pair = t.chunk.count == 0 && t.chunks > 0 && t.chunks % 2 == 0;
        return static_cast<std::size_t>(std::popcount(t.chunks)) + (pair ? 1 : 0);
    }
    void save(writer &to) const {
        blake3::tree t = tree;
        if (t.chunk.count == blake3::chunk_length && t.chunks > 0) {
            t.end_chunk();
        }
        t.merge(saved_depth(t));
        to.word(static_cast<std::uint8_t>(t.mode.flags));
        if (t.mode.flags != 0) {
            for (const std::uint32_t word : t.mode.key) {
                to.word(word);
            }
        }
        to.word(t.chunks);
        to.word(static_cast<std::uint16_t>(t.chunk.count));
        if (t.chunk.count > blake3::block_length) {
            for (std::size_t i = 0; i < 8; i++) {
                to.word(t.chunk.state[i]);
            }
        }
        to.put(t.chunk.block.data(), t.chunk.waiting());
        to.put(t.values.data(), t.depth * blake3::value_length);
        wipe_memory(&t, sizeof(t));
    }
    hashmill_status load(reader &from) {
        blake3::mode mode = blake3::mode::hash(from.word<std::uint8_t>());
        if (mode.flags == blake3::keyed_hash || mode.flags == blake3::derive_key_material) {
            for (std::uint32_t &word : mode.key) {
                word = from.word<std::uint32_t>();
            }
        } else if (mode.flags != 0) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        init(mode);
        tree.chunks = from.word<std::uint64_t>();
        tree.chunk = mode.chunk(tree.chunks);
        const std::size_t count = from.word<std::uint16_t>();
        // A single chunk may be the root. A complete one is in the stack if it is not the only one.
        // A message has less than 2^64 bytes.
        if (count > blake3::chunk_length - (tree.chunks > 0 ? 1 : 0) || (tree.chunks == 1 && count == 0) ||
            tree.chunks >> 54 != 0) {
            return HASHMILL_ERROR_STATE_INCONSISTENT;
        }
        tree.chunk.count = count;
        if (count > blake3::block_length) {
            for (std::size_t i = 0; i < 8; i++) {
                tree.chunk.state[i] = from.word<std::uint32_t>();
            }
            tree.chunk.state[11] &= ~blake3::chunk_start;
        }
        tree.depth = saved_depth(tree);
        const std::uint8_t *waiting = from.take(tree.chunk.waiting());
        const std::uint8_t *values = from.take(tree.depth * blake3::value_length);
        if (values != nullptr) {
            std::copy_n(waiting, tree.chunk.waiting(), tree.chunk.block.begin());
            std::copy_n(values, tree.depth * blake3::value_length, tree.values.begin());
        }
        return HASHMILL_OK;
    }
};

// The output of an extendable-output function.
struct reading {
    bool is_blake3;
    union {
        squeezer sponge;
        blake3_output blake3;
    };

    void squeeze(std::uint8_t *out, std::size_t len) {
        if (is_blake3) {
            blake3.squeeze(out, len);
        } else {
            sponge.squeeze(out, len);
        }
    }
};

// ---- Contexts -----------------------------------------------------------------------------------

struct hasher {
    hashmill_algorithm algorithm;
    union {
        sha2_stream<std::uint32_t> sha256;
        sha2_stream<std::uint64_t> sha512;
        sponge_stream sponge;
        blake2_stream<std::uint64_t> blake2b;
        blake2_stream<std::uint32_t> blake2s;
        tree_stream<std::uint64_t, 4> blake2bp;
        tree_stream<std::uint32_t, 8> blake2sp;
        blake3_stream blake3;
    };
};

struct hmac {
    hasher inner;
    hasher outer;
};

static_assert(sizeof(hasher) <= HASHMILL_HASHER_SIZE && alignof(hasher) <= HASHMILL_ALIGNMENT);
static_assert(sizeof(hmac) <= HASHMILL_HMAC_SIZE && sizeof(reading) <= HASHMILL_XOF_SIZE);

template <class H, class F> auto with_stream(H &h, F f) {
    switch (rows[h.algorithm - 1].of) {
    case family::sha256: return f(h.sha256);
    case family::sha512: return f(h.sha512);
    case family::sponge: return f(h.sponge);
    case family::blake2b: return f(h.blake2b);
    case family::blake2s: return f(h.blake2s);
    case family::blake2bp: return f(h.blake2bp);
    case family::blake2sp: return f(h.blake2sp);
    default: return f(h.blake3);
    }
}

// A context is as large as the largest stream. These functions copy and wipe only the bytes of the
// stream that it holds.
void copy(hasher &to, const hasher &from) {
    to.algorithm = from.algorithm;
    with_stream(from, [&](const auto &stream) { std::memcpy(static_cast<void *>(&to.sha256), &stream, sizeof(stream)); });
}

void wipe(hasher &h) {
    with_stream(h, [](auto &stream) { wipe_memory(&stream, sizeof(stream)); });
}

hashmill_blake2_params defaults(hashmill_algorithm algorithm) {
    hashmill_blake2_params p = {};
    p.size = sizeof p;
    p.output_len = rows[algorithm - 1].output_len;
    p.fanout = p.max_depth = 1;
    if (algorithm == HASHMILL_BLAKE2BP || algorithm == HASHMILL_BLAKE2SP) {
        p.fanout = algorithm == HASHMILL_BLAKE2BP ? 4 : 8;
        p.max_depth = 2;
        p.inner_len = p.output_len;
    }
    return p;
}

void begin_blake2(hasher &h, hashmill_algorithm algorithm, const hashmill_blake2_params &p) {
    h.algorithm = algorithm;
    switch (algorithm) {
    case HASHMILL_BLAKE2B: h.blake2b.init(p); break;
    case HASHMILL_BLAKE2S: h.blake2s.init(p); break;
    case HASHMILL_BLAKE2BP: h.blake2bp.init(p); break;
    default: h.blake2sp.init(p); break;
    }
}

void begin(hasher &h, hashmill_algorithm algorithm) {
    const row &r = rows[algorithm - 1];
    h.algorithm = algorithm;
    switch (r.of) {
    case family::sha256: h.sha256.init(r); break;
    case family::sha512: h.sha512.init(r); break;
    case family::sponge: h.sponge.init(r); break;
    case family::blake3: h.blake3.init(blake3::mode::hash()); break;
    default: begin_blake2(h, algorithm, defaults(algorithm)); break;
    }
}

void update(hasher &h, const bytes &data) {
    with_stream(h, [&](auto &stream) { stream.update(data); });
}

void finish(const hasher &h, void *out, std::size_t len) {
    with_stream(h, [&](const auto &stream) {
        if constexpr (requires { stream.finish(std::uint8_t{}, 0u, static_cast<std::uint8_t *>(out), len); }) {
            stream.finish(0, 0, static_cast<std::uint8_t *>(out), len);
        } else {
            stream.finish(static_cast<std::uint8_t *>(out), len);
        }
    });
}

std::size_t output_len(const hasher &h) {
    return with_stream(h, [&](const auto &stream) {
        if constexpr (requires { stream.output_len; }) {
            return std::size_t{stream.output_len};
        } else {
            return rows[h.algorithm - 1].output_len;
        }
    });
}

// Prepares a key for HMAC (FIPS 198-1).
void begin_hmac(hmac &mac, hashmill_algorithm algorithm, const bytes &key) {
    const row &r = rows[algorithm - 1];
    std::array<std::uint8_t, 144> block{};
    begin(mac.inner, algorithm);
    if (key.size() <= r.block_len) {
        hashmill::detail::copy(key, block, 0);
    } else {
        update(mac.inner, key);
        finish(mac.inner, block.data(), r.output_len);
        begin(mac.inner, algorithm);
    }
    begin(mac.outer, algorithm);
    for (auto &byte : block) {
        byte ^= 0x36;
    }
    update(mac.inner, bytes(block).first(r.block_len));
    for (auto &byte : block) {
        byte ^= 0x36 ^ 0x5C;
    }
    update(mac.outer, bytes(block).first(r.block_len));
    hashmill::detail::wipe(block);
}

void finish_hmac(const hasher &inner, const hasher &key, std::uint8_t *out) {
    std::array<std::uint8_t, HASHMILL_MAX_OUTPUT_LEN> digest;
    const std::size_t len = rows[inner.algorithm - 1].output_len;
    finish(inner, digest.data(), len);
    hasher outer;
    copy(outer, key);
    update(outer, bytes(digest).first(len));
    finish(outer, out, len);
    wipe(outer);
    hashmill::detail::wipe(digest);
}

hashmill_status one_call(hashmill_algorithm algorithm, const void *data, std::size_t len, void *out, std::size_t out_len) {
    hasher h;
    begin(h, algorithm);
    update(h, view(data, len));
    finish(h, out, out_len);
    wipe(h);
    return HASHMILL_OK;
}

// Hashes eight messages of one length in lanes.
void eight(const row &r, const hashmill_bytes *messages, std::uint8_t *out, std::size_t len) {
    keccak::states<8> s{};
    const auto all = [&] { r.rounds == 12 ? keccak::permute_lanes<12, 8>(s) : keccak::permute_lanes<24, 8>(s); };
    for (std::size_t at = 0;; at += r.block_len) {
        const std::size_t n = std::min(r.block_len, messages[0].len - at);
        for (std::size_t lane = 0; lane < 8; lane++) {
            sponge::xor_bytes<8>(s.data() + lane, 0, view(messages[lane].data, messages[0].len).without_first(at).first(n));
            if (n < r.block_len) {
                s[n / 8 * 8 + lane] ^= std::uint64_t{r.suffix} << 8 * (n % 8);
                s[(r.block_len / 8 - 1) * 8 + lane] ^= std::uint64_t{0x80} << 56;
            }
        }
        all();
        if (n < r.block_len) {
            break;
        }
    }
    for (std::size_t at = 0; at < len; at += r.block_len) {
        if (at > 0) {
            all();
        }
        for (std::size_t lane = 0; lane < 8; lane++) {
            sponge::copy_out<8>(s.data() + lane, 0, {out + lane * len + at, std::min(r.block_len, len - at)});
        }
    }
    hashmill::detail::wipe(s);
}

constexpr const char *sentences[] = {
    "no error",
    "no algorithm has this name",
    "no backend of this target has this name",
    "this CPU cannot run that backend",
    "this algorithm's output has a fixed length",
    "HMAC is defined only for hash functions with a fixed output length that is not longer than their block",
    "this algorithm takes whole bytes only",
    "a last byte holds 0 to 7 bits of the message",
    "the digest does not have the expected length, or has more than 64 bytes",
    "a digest as text has only the digits 0 to 9, a to f and A to F",
    "the output does not have the algorithm's length, or there are not as many places as messages",
    "the tag does not belong to this message and key",
    "a domain separation byte is 0x01 to 0x7F",
    "offsets must not be negative, decrease or point past the end of the values",
    "the values are not a whole number of rows of this width",
    "the message is longer than the algorithm's standard allows",
    ("the output length is 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s, 1 to 2^32 - 2 for BLAKE2Xb, 1 to 65534 for "
     "BLAKE2Xs"),
    "the key is longer than 64 bytes for BLAKE2b, 32 for BLAKE2s",
    "the salt is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    "the personalization is longer than 16 bytes for BLAKE2b, 8 for BLAKE2s",
    "the inner length is 0 to 64 bytes for BLAKE2b, 0 to 32 for BLAKE2s",
    "the output of BLAKE2X has ended: at the chosen length, or after 2^32 blocks",
    "the node offset is less than 2^48 for BLAKE2s",
    "the element does not have the length that was given when it began",
    "a block of ParallelHash has at least one byte",
    "HKDF's pseudorandom key is at least as long as the digest",
    "HKDF's output is at most 255 digests long",
    "PBKDF2 takes at least one iteration",
    "PBKDF2's output is at most 2^32 - 1 digests long",
    "the exported state is incomplete or damaged",
    "the exported state was written by a newer version",
    "the exported state belongs to another algorithm",
    "the exported state contradicts itself",
    "a known answer came out wrong: this CPU, its memory or this program is faulty",
};

} // namespace

// ---- hashmill.h ---------------------------------------------------------------------------------

extern "C" {

const char *hashmill_status_text(hashmill_status status) {
    constexpr int known = static_cast<int>(sizeof(sentences) / sizeof(sentences[0]));
    return status >= 0 && status < known ? sentences[status] : "an error of this package";
}

// As in the library, the functions with one output length come first.
hashmill_algorithm hashmill_algorithm_at(std::size_t index) {
    for (const bool xof : {false, true}) {
        for (hashmill_algorithm algorithm = 1; algorithm <= algorithms; algorithm++) {
            if (is_xof(rows[algorithm - 1]) == xof && index-- == 0) {
                return algorithm;
            }
        }
    }
    return 0;
}

const char *hashmill_algorithm_name(hashmill_algorithm algorithm) {
    const row *r = row_of(algorithm);
    return r == nullptr ? nullptr : r->name;
}

std::size_t hashmill_block_len(hashmill_algorithm algorithm) {
    const row *r = row_of(algorithm);
    return r == nullptr ? 0 : r->block_len;
}

// Hashes in one call with the header's class, which needs no context; CLASS is for the algorithms
// that have one.
#define CLASS(function, Class)                                                                                         \
    hashmill_status function(const void *data, std::size_t len, std::uint8_t *out) {                                   \
        const auto digest = Class::hash(view(data, len));                                                              \
        std::memcpy(out, digest.data(), digest.size());                                                                \
        return HASHMILL_OK;                                                                                            \
    }
#define ONE(function, algorithm)                                                                                       \
    hashmill_status function(const void *data, std::size_t len, std::uint8_t *out) {                                   \
        return one_call(algorithm, data, len, out, rows[algorithm - 1].output_len);                                    \
    }
#define XOF(function, algorithm)                                                                                       \
    hashmill_status function(const void *data, std::size_t len, void *out, std::size_t out_len) {                      \
        return one_call(algorithm, data, len, out, out_len);                                                           \
    }

CLASS(hashmill_sha224, hashmill::sha224)
CLASS(hashmill_sha256, hashmill::sha256)
CLASS(hashmill_sha384, hashmill::sha384)
CLASS(hashmill_sha512, hashmill::sha512)
CLASS(hashmill_sha512_224, hashmill::sha512_224)
CLASS(hashmill_sha512_256, hashmill::sha512_256)
CLASS(hashmill_sha3_224, hashmill::sha3_224)
CLASS(hashmill_sha3_256, hashmill::sha3_256)
CLASS(hashmill_sha3_384, hashmill::sha3_384)
CLASS(hashmill_sha3_512, hashmill::sha3_512)
CLASS(hashmill_keccak256, hashmill::keccak256)
CLASS(hashmill_blake2b, hashmill::blake2b<>)
CLASS(hashmill_blake2s, hashmill::blake2s<>)
ONE(hashmill_blake2bp, HASHMILL_BLAKE2BP)
ONE(hashmill_blake2sp, HASHMILL_BLAKE2SP)
XOF(hashmill_shake128, HASHMILL_SHAKE128)
XOF(hashmill_shake256, HASHMILL_SHAKE256)
XOF(hashmill_turboshake128, HASHMILL_TURBOSHAKE128)
XOF(hashmill_turboshake256, HASHMILL_TURBOSHAKE256)
XOF(hashmill_blake3, HASHMILL_BLAKE3)

hashmill_status hashmill_hmac(hashmill_algorithm algorithm, const void *key, std::size_t key_len, const void *data,
                              std::size_t len, void *out, std::size_t) {
    hmac mac;
    begin_hmac(mac, algorithm, view(key, key_len));
    update(mac.inner, view(data, len));
    finish_hmac(mac.inner, mac.outer, static_cast<std::uint8_t *>(out));
    wipe(mac.inner);
    wipe(mac.outer);
    return HASHMILL_OK;
}

hashmill_status hashmill_hash_many(hashmill_algorithm algorithm, const hashmill_bytes *messages, std::size_t count,
                                   void *out, std::size_t len) {
    const row &r = rows[algorithm - 1];
    auto *to = static_cast<std::uint8_t *>(out);
    for (std::size_t i = 0; i < count;) {
        std::size_t equal = 0;
        while (r.of == family::sponge && equal < 8 && i + equal < count && messages[i + equal].len == messages[i].len) {
            equal++;
        }
        if (equal == 8) {
            eight(r, messages + i, to + i * len, len);
            i += 8;
        } else {
            one_call(algorithm, messages[i].data, messages[i].len, to + i * len, len);
            i++;
        }
    }
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_init(hashmill_hasher *hasher_, hashmill_algorithm algorithm) {
    if (row_of(algorithm) == nullptr) {
        return HASHMILL_ERROR_UNKNOWN_ALGORITHM;
    }
    begin(*reinterpret_cast<hasher *>(hasher_), algorithm);
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_init_turboshake(hashmill_hasher *hasher_, hashmill_algorithm algorithm, std::uint8_t domain) {
    if (domain < 0x01 || domain > 0x7F) {
        return HASHMILL_ERROR_DOMAIN;
    }
    auto &h = *reinterpret_cast<hasher *>(hasher_);
    begin(h, algorithm);
    h.sponge.suffix = domain;
    return HASHMILL_OK;
}

hashmill_status hashmill_blake2_defaults(hashmill_blake2_params *params, std::size_t, hashmill_algorithm algorithm) {
    *params = defaults(algorithm);
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_init_blake2(hashmill_hasher *hasher_, hashmill_algorithm algorithm,
                                            const hashmill_blake2_params *params) {
    hashmill_blake2_params p = *params;
    const std::size_t longest = rows[algorithm - 1].output_len;
    if (p.output_len < 1 || p.output_len > longest) {
        return HASHMILL_ERROR_BLAKE2_OUTPUT_LENGTH;
    }
    if (p.key.len > longest) {
        return HASHMILL_ERROR_BLAKE2_KEY_LENGTH;
    }
    if (p.salt.len > longest / 4) {
        return HASHMILL_ERROR_BLAKE2_SALT_LENGTH;
    }
    if (p.personal.len > longest / 4) {
        return HASHMILL_ERROR_BLAKE2_PERSONAL_LENGTH;
    }
    if (algorithm == HASHMILL_BLAKE2BP || algorithm == HASHMILL_BLAKE2SP) {
        // BLAKE2bp and BLAKE2sp build their own trees.
        const hashmill_blake2_params own = defaults(algorithm);
        p.fanout = own.fanout;
        p.max_depth = own.max_depth;
        p.inner_len = own.inner_len;
        p.leaf_len = 0;
    }
    if (p.inner_len > longest) {
        return HASHMILL_ERROR_BLAKE2_INNER_LENGTH;
    }
    if (longest == 32 && p.node_offset >> 48 != 0) {
        return HASHMILL_ERROR_BLAKE2_NODE_OFFSET;
    }
    begin_blake2(*reinterpret_cast<hasher *>(hasher_), algorithm, p);
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_init_blake3_keyed(hashmill_hasher *hasher_, const std::uint8_t key[32]) {
    auto &h = *reinterpret_cast<hasher *>(hasher_);
    h.algorithm = HASHMILL_BLAKE3;
    h.blake3.init(blake3::mode::with({key, blake3::value_length}, blake3::keyed_hash));
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_init_blake3_derive_key(hashmill_hasher *hasher_, const void *context, std::size_t len) {
    auto &h = *reinterpret_cast<hasher *>(hasher_);
    h.algorithm = HASHMILL_BLAKE3;
    h.blake3.init(blake3::mode::derive_key(view(context, len)));
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_update(hashmill_hasher *hasher_, const void *data, std::size_t len) {
    update(*reinterpret_cast<hasher *>(hasher_), view(data, len));
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_finalize(const hashmill_hasher *hasher_, void *out, std::size_t len) {
    finish(*reinterpret_cast<const hasher *>(hasher_), out, len);
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_finalize_bits(const hashmill_hasher *hasher_, std::uint8_t last_byte, unsigned bits,
                                              void *out, std::size_t len) {
    const auto &h = *reinterpret_cast<const hasher *>(hasher_);
    auto *to = static_cast<std::uint8_t *>(out);
    const row &r = rows[h.algorithm - 1];
    const bool sha2 = r.of == family::sha256 || r.of == family::sha512;
    if (!sha2 && (r.of != family::sponge || r.rounds != 24)) {
        return HASHMILL_ERROR_NO_BITS;
    }
    if (bits > 7) {
        return HASHMILL_ERROR_TOO_MANY_BITS;
    }
    switch (r.of) {
    case family::sha256: h.sha256.finish(last_byte, bits, to, len); break;
    case family::sha512: h.sha512.finish(last_byte, bits, to, len); break;
    default: h.sponge.finish(last_byte, bits, to, len); break;
    }
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_finalize_xof(const hashmill_hasher *hasher_, hashmill_xof *xof) {
    const auto &h = *reinterpret_cast<const hasher *>(hasher_);
    auto &to = *reinterpret_cast<reading *>(xof);
    to.is_blake3 = h.algorithm == HASHMILL_BLAKE3;
    if (to.is_blake3) {
        to.blake3 = h.blake3.output();
    } else {
        to.sponge = h.sponge.output(0, 0);
    }
    return HASHMILL_OK;
}

hashmill_status hashmill_xof_squeeze(hashmill_xof *xof, void *out, std::size_t len) {
    reinterpret_cast<reading *>(xof)->squeeze(static_cast<std::uint8_t *>(out), len);
    return HASHMILL_OK;
}

hashmill_status hashmill_xof_seek(hashmill_xof *xof, std::uint64_t position) {
    auto &at = *reinterpret_cast<reading *>(xof);
    if (!at.is_blake3) {
        return HASHMILL_ERROR_OPERATION;
    }
    at.blake3.position = position;
    return HASHMILL_OK;
}

hashmill_algorithm hashmill_hasher_algorithm(const hashmill_hasher *hasher_) {
    return reinterpret_cast<const hasher *>(hasher_)->algorithm;
}

std::size_t hashmill_hasher_output_len(const hashmill_hasher *hasher_) {
    return output_len(*reinterpret_cast<const hasher *>(hasher_));
}

hashmill_status hashmill_hasher_export(const hashmill_hasher *hasher_, void *out, std::size_t, std::size_t *written) {
    const auto &h = *reinterpret_cast<const hasher *>(hasher_);
    writer to{static_cast<std::uint8_t *>(out)};
    to.word(std::uint8_t{1}); // the layout's version
    to.word(static_cast<std::uint8_t>(h.algorithm));
    with_stream(h, [&](const auto &stream) { stream.save(to); });
    std::uint8_t check[32];
    one_call(HASHMILL_SHA256, out, to.len, check, sizeof(check));
    to.put(check, 8);
    *written = to.len;
    return HASHMILL_OK;
}

hashmill_status hashmill_hasher_import(hashmill_hasher *hasher_, const void *state, std::size_t len) {
    const auto *in = static_cast<const std::uint8_t *>(state);
    if (len < 1) {
        return HASHMILL_ERROR_STATE_DAMAGED;
    }
    if (in[0] > 1) {
        return HASHMILL_ERROR_STATE_VERSION;
    }
    if (len < 10 || in[0] == 0 || row_of(in[1]) == nullptr) {
        return HASHMILL_ERROR_STATE_DAMAGED;
    }
    std::uint8_t check[32];
    one_call(HASHMILL_SHA256, in, len - 8, check, sizeof(check));
    if (!hashmill::equal(bytes(check, 8), bytes(in + len - 8, 8))) {
        return HASHMILL_ERROR_STATE_DAMAGED;
    }
    hasher h;
    begin(h, in[1]);
    reader from{in + 2, len - 10};
    const hashmill_status status = with_stream(h, [&](auto &stream) { return stream.load(from); });
    if (from.short_of) {
        return HASHMILL_ERROR_STATE_DAMAGED;
    }
    if (status == HASHMILL_OK && from.left > 0) {
        return HASHMILL_ERROR_STATE_INCONSISTENT;
    }
    if (status == HASHMILL_OK) {
        *reinterpret_cast<hasher *>(hasher_) = h;
    }
    wipe_memory(&h, sizeof(h));
    return status;
}

void hashmill_hasher_wipe(hashmill_hasher *hasher_) { wipe_memory(hasher_, sizeof(*hasher_)); }

void hashmill_xof_wipe(hashmill_xof *xof) { wipe_memory(xof, sizeof(*xof)); }

hashmill_status hashmill_hmac_init(hashmill_hmac_context *mac, hashmill_algorithm algorithm, const void *key,
                                   std::size_t key_len) {
    begin_hmac(*reinterpret_cast<hmac *>(mac), algorithm, view(key, key_len));
    return HASHMILL_OK;
}

hashmill_status hashmill_hmac_update(hashmill_hmac_context *mac, const void *data, std::size_t len) {
    update(reinterpret_cast<hmac *>(mac)->inner, view(data, len));
    return HASHMILL_OK;
}

hashmill_status hashmill_hmac_finalize(const hashmill_hmac_context *mac, void *out, std::size_t) {
    const auto &m = *reinterpret_cast<const hmac *>(mac);
    finish_hmac(m.inner, m.outer, static_cast<std::uint8_t *>(out));
    return HASHMILL_OK;
}

hashmill_status hashmill_hmac_finish_many(const hashmill_hmac_context *mac, const hashmill_bytes *messages,
                                          std::size_t count, void *out, std::size_t len) {
    const auto &key = *reinterpret_cast<const hmac *>(mac);
    hasher inner;
    for (std::size_t i = 0; i < count; i++) {
        copy(inner, key.inner);
        update(inner, view(messages[i].data, messages[i].len));
        finish_hmac(inner, key.outer, static_cast<std::uint8_t *>(out) + i * len);
        wipe(inner);
    }
    return HASHMILL_OK;
}

void hashmill_hmac_wipe(hashmill_hmac_context *mac) { wipe_memory(mac, sizeof(*mac)); }

hashmill_status hashmill_tag_verify(const void *tag, std::size_t tag_len, const void *expected, std::size_t expected_len) {
    return hashmill::equal(view(tag, tag_len), view(expected, expected_len)) ? HASHMILL_OK : HASHMILL_ERROR_TAG_MISMATCH;
}

} // extern "C"
