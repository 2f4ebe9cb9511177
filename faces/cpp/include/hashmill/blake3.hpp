// BLAKE3 (the BLAKE3 paper): the hash, the keyed hash and key derivation, each with output of any
// length. BLAKE3's compression function has BLAKE2s's mixing function and constants.
#pragma once

#include "hashmill/blake2.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"
#include "hashmill/saved.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::blake3 {

// The BLAKE3 paper §2.2, Table 3.
inline constexpr std::uint32_t chunk_start = 1 << 0, chunk_end = 1 << 1, parent = 1 << 2, is_root = 1 << 3,
                               keyed_hash = 1 << 4, derive_key_context = 1 << 5, derive_key_material = 1 << 6;

inline constexpr std::size_t block_length = 64, chunk_length = 1024, value_length = 32;

// The words of the message in the order in which each round reads them: those of the round before
// in the order of the permutation (the BLAKE3 paper §2.2, Table 2).
inline constexpr auto schedule = [] {
    constexpr std::size_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    std::array<std::array<std::size_t, 16>, 7> order{};
    for (std::size_t i = 0; i < 16; i++) {
        order[0][i] = i;
    }
    for (std::size_t round = 1; round < 7; round++) {
        for (std::size_t i = 0; i < 16; i++) {
            order[round][i] = order[round - 1][permutation[i]];
        }
    }
    return order;
}();

// The chaining value (8 words), the counter (two words), the length of the block, and the flags.
using state = std::array<std::uint32_t, 12>;

// The compression function (the BLAKE3 paper §2.2). With 8 words it absorbs blocks one after the
// other into a state, which loses the flag of a chunk's first block. With 16 words, of which the
// last four are only written, it computes one block of the output.
template <std::size_t Words> HASHMILL_SCALAR constexpr void portable(std::uint32_t *s, const bytes &blocks) {
    const bytes message = blocks.normal();
    constexpr auto iv = blake2::constants<std::uint32_t>::iv;
    for (std::size_t at = 0; at < message.size(); at += block_length) {
        std::uint32_t m[16] = {}, v[16] = {};
        unroll<16>([&]<std::size_t I>() HASHMILL_INLINE { m[I] = load_le<std::uint32_t>(message, at + 4 * I); });
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { v[I] = s[I]; });
        unroll<4>([&]<std::size_t I>() HASHMILL_INLINE {
            constexpr std::uint32_t upper = iv[I];
            v[8 + I] = upper;
            v[12 + I] = s[8 + I];
        });
        blake2::rounds<7, schedule, std::uint32_t>(v, m);
        if constexpr (Words == 16) {
            unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { s[8 + I] = v[8 + I] ^ s[I]; });
        } else {
            s[11] &= ~chunk_start;
        }
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = v[I] ^ v[8 + I]; });
    }
}

// A node before its last block, and that block, padded with zeros.
struct last_block {
    blake3::state state;
    std::array<std::uint8_t, block_length> block;

    // Returns the node's chaining value.
    constexpr digest<value_length> value() const {
        blake3::state s = state;
        portable<8>(s.data(), bytes(block));
        const auto out = first_bytes<value_length, std::endian::little>(s);
        wipe(s);
        return out;
    }
};

// A chunk of which `count` bytes were absorbed (the BLAKE3 paper §2.4). A complete block waits
// until a byte follows it, because the last block has other flags.
struct chunk {
    blake3::state state;
    std::array<std::uint8_t, block_length> block;
    std::size_t count;

    constexpr std::size_t waiting() const { return count == 0 ? 0 : (count - 1) % block_length + 1; }

    // Absorbs bytes for which the chunk has room.
    constexpr void update(bytes data) {
        while (data.size() > 0) {
            std::size_t held = waiting();
            if (held == block_length) {
                portable<8>(state.data(), bytes(block));
                held = 0;
            }
            if (held == 0 && data.size() > block_length) {
                const std::size_t whole = (data.size() - 1) / block_length * block_length;
                portable<8>(state.data(), data.first(whole));
                count += whole;
                data = data.without_first(whole);
            }
            const std::size_t n = std::min(block_length - held, data.size());
            copy(data.first(n), block, held);
            count += n;
            data = data.without_first(n);
        }
    }

    constexpr last_block last() const {
        last_block node{state, {}};
        node.state[10] = static_cast<std::uint32_t>(waiting());
        node.state[11] |= chunk_end;
        copy(bytes(block).first(waiting()), node.block, 0);
        return node;
    }
};

// The key words and the flags that all nodes of a tree have (the BLAKE3 paper §2.3).
struct mode {
    std::array<std::uint32_t, 8> key;
    std::uint32_t flags;

    static constexpr mode hash(std::uint32_t flags = 0) { return {blake2::constants<std::uint32_t>::iv, flags}; }

    static constexpr mode with(const bytes &key, std::uint32_t flags) {
        mode m{{}, flags};
        for (std::size_t i = 0; i < 8; i++) {
            m.key[i] = load_le<std::uint32_t>(key, 4 * i);
        }
        return m;
    }

    // Returns the mode in which keys are derived: its key is the hash of the context.
    static constexpr mode derive_key(const bytes &context);

    constexpr bool keyed() const { return (flags & (keyed_hash | derive_key_material)) != 0; }

    constexpr blake3::state state(std::uint64_t counter, std::uint32_t more) const {
        blake3::state s{};
        std::copy_n(key.begin(), 8, s.begin());
        s[8] = static_cast<std::uint32_t>(counter);
        s[9] = static_cast<std::uint32_t>(counter >> 32);
        s[10] = block_length;
        s[11] = flags | more;
        return s;
    }

    // Returns chunk `index` of the message.
    constexpr blake3::chunk chunk(std::uint64_t index) const { return {state(index, chunk_start), {}, 0}; }

    // Returns the parent of two nodes (the BLAKE3 paper §2.5).
    constexpr last_block parent_of(const bytes &left, const bytes &right) const {
        last_block node{state(0, parent), {}};
        copy(left, node.block, 0);
        copy(right, node.block, value_length);
        return node;
    }
};

#if defined(HASHMILL_TARGET_AVX2)

// A vector with a word of each lane. It is a member, because gcc forgets the attribute of a typedef in
// a function template.
template <std::size_t Lanes> struct words_of {
    typedef std::uint32_t type __attribute__((vector_size(4 * Lanes)));
};

// Computes the chaining values of `count` complete chunks, beginning with chunk `first`, side by
// side: each vector holds the same word of all chunks. Lanes that are left over hash the last chunk.
template <std::size_t Lanes>
HASHMILL_INLINE inline void chunks_vector(const mode &m, std::uint64_t first, const std::uint8_t *in, std::size_t count,
                                          std::uint8_t *out) {
    using vector = typename words_of<Lanes>::type;
    const blake3::state begin = m.state(0, 0);
    vector s[8], counter[2];
    alignas(64) std::uint32_t words[16][Lanes];
    for (std::size_t i = 0; i < 8; i++) {
        s[i] = vector{} + begin[i];
    }
    for (std::size_t lane = 0; lane < Lanes; lane++) {
        words[0][lane] = static_cast<std::uint32_t>(first + lane);
        words[1][lane] = static_cast<std::uint32_t>((first + lane) >> 32);
    }
    std::memcpy(counter, words, sizeof(counter));
    for (std::size_t at = 0; at < chunk_length; at += block_length) {
        for (std::size_t lane = 0; lane < Lanes; lane++) {
            const std::uint8_t *from = in + std::min(lane, count - 1) * chunk_length + at;
            unroll<16>([&]<std::size_t I>() HASHMILL_INLINE {
                words[I][lane] = load_le<std::uint32_t>(from, 4 * I);
            });
        }
        vector message[16] = {}, v[16] = {};
        std::memcpy(message, words, sizeof(message));
        const std::uint32_t flags =
            begin[11] | (at == 0 ? chunk_start : 0) | (at + block_length == chunk_length ? chunk_end : 0);
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { v[I] = s[I]; });
        unroll<4>([&]<std::size_t I>() HASHMILL_INLINE { v[8 + I] = vector{} + blake2::constants<std::uint32_t>::iv[I]; });
        v[12] = counter[0];
        v[13] = counter[1];
        v[14] = vector{} + begin[10];
        v[15] = vector{} + flags;
        blake2::rounds<7, schedule, std::uint32_t>(v, message);
        unroll<8>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = v[I] ^ v[8 + I]; });
    }
    std::memcpy(words, s, sizeof(s));
    for (std::size_t lane = 0; lane < count; lane++) {
        for (std::size_t i = 0; i < 8; i++) {
            store<std::endian::little>(words[i][lane], out + lane * value_length + 4 * i);
        }
    }
}

HASHMILL_NOINLINE HASHMILL_TARGET_AVX2 inline void chunks_avx2(const mode &m, std::uint64_t first, const std::uint8_t *in,
                                                               std::size_t count, std::uint8_t *out) {
    chunks_vector<8>(m, first, in, count, out);
}

template <std::size_t Lanes>
HASHMILL_NOINLINE HASHMILL_TARGET_AVX512 void chunks_avx512(const mode &m, std::uint64_t first, const std::uint8_t *in,
                                                            std::size_t count, std::uint8_t *out) {
    chunks_vector<Lanes>(m, first, in, count, out);
}

// Returns how many chunks are hashed side by side, at most 16, and 0 if this CPU has no such vectors.
inline std::size_t lanes() { return has_avx512() ? 16 : has_avx2() ? 8 : 0; }

#endif

// A hash in progress: the chunk that is not complete or may be the last one, and the chaining
// values of the complete subtrees before it, the largest first. Two subtrees of one size are
// replaced by their parent only when another byte has come, because that parent may be the root,
// which has a flag of its own.
//
// It is plain data, which nothing wipes.
struct tree {
    // The number of waiting subtrees is at most one for each bit of the number of chunks, which is
    // less than 2^54, and one more until they are merged.
    static constexpr std::size_t max_depth = 55;

    blake3::mode mode;
    blake3::chunk chunk;
    std::uint64_t chunks; // before `chunk`
    std::size_t depth;
    std::array<std::uint8_t, max_depth * value_length> values;

    static constexpr tree with(const blake3::mode &m) { return {m, m.chunk(0), 0, 0, {}}; }

    constexpr bytes value(std::size_t i) const { return bytes(values).without_first(i * value_length).first(value_length); }

    // Replaces neighbours of one size by their parent, until `left` subtrees are left.
    constexpr void merge(std::size_t left) {
        while (depth > left) {
            depth--;
            copy(mode.parent_of(value(depth - 1), value(depth)).value(), values, (depth - 1) * value_length);
        }
    }

    // Adds the next subtree, which has `size` chunks.
    constexpr void push(const bytes &value, std::uint64_t size) {
        merge(static_cast<std::size_t>(std::popcount(chunks)));
        copy(value, values, depth * value_length);
        depth++;
        chunks += size;
    }

    // Ends the chunk, which must be complete and not the only one.
    constexpr void end_chunk() {
        push(chunk.last().value(), 1);
        chunk = mode.chunk(chunks);
    }

    // Absorbs the next part of the message.
    constexpr void update(bytes data) {
        while (data.size() > 0) {
            if (chunk.count == chunk_length) {
                end_chunk();
            }
            if constexpr (linked) {
                if (!std::is_constant_evaluated() && chunk.count == 0 && data.size() >= 2 * chunk_length && chunks % 2 == 0) {
                    data = subtree(data);
                    continue;
                }
            }
#if defined(HASHMILL_TARGET_AVX2)
            if (!linked && !std::is_constant_evaluated() && chunk.count == 0) {
                // Not the last chunk, which may be the root. For three chunks the lanes take less
                // time than one after the other (Xeon, g++ 12 and clang 19).
                if (const auto count = std::min((data.size() - 1) / chunk_length, lanes()); count >= 3) {
                    data = in_lanes(data, count);
                    continue;
                }
            }
#endif
            const std::size_t n = std::min(chunk_length - chunk.count, data.size());
            chunk.update(data.first(n));
            data = data.without_first(n);
        }
    }

    // Absorbs the largest complete subtree that begins here, with the library, and returns the
    // bytes after it. Its halves are not merged yet, because their parent may be the root.
    bytes subtree(const bytes &data) {
        std::uint64_t size = std::bit_floor(data.size() / chunk_length);
        if (chunks > 0) {
            size = std::min(size, std::uint64_t{1} << std::countr_zero(chunks));
        }
        const auto half = static_cast<std::size_t>(size) / 2 * chunk_length;
        for (const bytes &part : {data.first(half), data.without_first(half).first(half)}) {
            digest<value_length> out;
            // The call cannot fail, because the half is a subtree.
            (void)hashmill_blake3_subtree(mode.key.data(), mode.flags, chunks * chunk_length, part.data(), part.size(),
                                          out.data());
            push(out, size / 2);
        }
        chunk = mode.chunk(chunks);
        return data.without_first(2 * half);
    }

#if defined(HASHMILL_TARGET_AVX2)
    // Absorbs `count` complete chunks, at most lanes(), and returns the bytes after them.
    bytes in_lanes(const bytes &data, std::size_t count) {
        std::array<std::uint8_t, 16 * value_length> found;
        const auto run = !has_avx512() ? chunks_avx2 : count > 8 ? chunks_avx512<16> : chunks_avx512<8>;
        run(mode, chunks, data.data(), count, found.data());
        for (std::size_t i = 0; i < count; i++) {
            push(bytes(found).without_first(i * value_length).first(value_length), 1);
        }
        wipe(found);
        chunk = mode.chunk(chunks);
        return data.without_first(count * chunk_length);
    }
#endif

    // Returns the number of chaining values in an exported state. Subtrees of one size are merged,
    // except the last two if nothing follows them, because their parent may be the root.
    constexpr std::size_t saved_depth() const {
        const bool pair = chunk.count == 0 && chunks > 0 && chunks % 2 == 0;
        return static_cast<std::size_t>(std::popcount(chunks)) + (pair ? 1 : 0);
    }

    // Returns the root (the BLAKE3 paper §2.6).
    constexpr last_block finish() const {
        std::size_t left = depth;
        last_block node = chunk.last();
        if (left > 0 && chunk.count == 0) {
            // The last subtree ends with the message, so that its parent may be the root.
            left -= 2;
            node = mode.parent_of(value(left), value(left + 1));
        } else if (left > 0) {
            // Subtrees of one size have a parent before the chunk, which is not the root.
            left--;
            digest<value_length> before{};
            copy(value(left), before, 0);
            while (left >= static_cast<std::size_t>(std::popcount(chunks))) {
                left--;
                before = mode.parent_of(value(left), before).value();
            }
            node = mode.parent_of(before, node.value());
        }
        while (left > 0) {
            left--;
            node = mode.parent_of(value(left), node.value());
        }
        node.state[11] |= is_root;
        return node;
    }
};

// The output, of any length and from any byte on (the BLAKE3 paper §2.6). The bytes after the first
// 2^64, which only a squeeze() after a seek() near the end can reach, are those of the following
// blocks.
class output {
public:
    constexpr explicit output(const last_block &root) : root_(root) {}
    constexpr output(const output &) = default;
    constexpr output &operator=(const output &) = default;
    constexpr ~output() {
        wipe(root_.state);
        wipe(root_.block);
    }

    // Fills `out` with the next bytes of the output.
    constexpr output &squeeze(std::span<std::uint8_t> out) {
        below_if(keyed(), [&] { fill(out); });
        return *this;
    }

    // Returns the next N bytes of the output.
    template <std::size_t N = value_length> constexpr digest<N> squeeze() {
        digest<N> out{};
        squeeze(out);
        return out;
    }

    // Continues at byte `position` of the output.
    constexpr output &seek(std::uint64_t position) {
        index_ = position / block_length;
        skip_ = position % block_length;
        return *this;
    }

    constexpr bool keyed() const { return (root_.state[11] & (keyed_hash | derive_key_material)) != 0; }
    // Returns the number of the next byte, modulo 2^64.
    constexpr std::uint64_t position() const { return index_ * block_length + skip_; }

private:
    constexpr void fill(std::span<std::uint8_t> out) {
        while (!out.empty()) {
            std::array<std::uint32_t, 16> words{};
            std::copy_n(root_.state.begin(), 12, words.begin());
            words[8] = static_cast<std::uint32_t>(index_);
            words[9] = static_cast<std::uint32_t>(index_ >> 32);
            portable<16>(words.data(), bytes(root_.block));
            auto block = first_bytes<block_length, std::endian::little>(words);
            const std::size_t n = std::min(block_length - skip_, out.size());
            std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(skip_), n, out.begin());
            out = out.subspan(n);
            skip_ += n;
            index_ += skip_ / block_length;
            skip_ %= block_length;
            wipe(words);
            wipe(block);
        }
    }

    last_block root_;
    std::uint64_t index_ = 0;
    std::size_t skip_ = 0;
};

constexpr mode mode::derive_key(const bytes &context) {
    tree of_context = tree::with(hash(derive_key_context));
    of_context.update(context);
    return with(output(of_context.finish()).template squeeze<value_length>(), derive_key_material);
}

class hasher {
public:
    static constexpr std::size_t block_length = blake3::block_length;
    using output = blake3::output;

    // Returns the first N bytes of the output for a message.
    template <std::size_t N = value_length> static constexpr digest<N> hash(const bytes &message) {
        digest<N> out{};
        hash(message, out);
        return out;
    }

    // Fills `out` with the first bytes of the output for a message.
    static constexpr void hash(const bytes &message, std::span<std::uint8_t> out) {
        if constexpr (linked) {
            if (!std::is_constant_evaluated()) {
                // The call cannot fail, because both pointers are valid.
                (void)hashmill_blake3(message.data(), message.size(), out.data(), out.size());
                return;
            }
        }
        if (message.size() <= chunk_length) {
            chunk only = mode::hash().chunk(0);
            only.update(message);
            last_block node = only.last();
            node.state[11] |= is_root;
            output(node).squeeze(out);
            wipe(only.state);
            wipe(only.block);
        } else {
            hasher().update(message).finalize().squeeze(out);
        }
    }

    // Makes a hasher without a key.
    constexpr hasher() : hasher(mode::hash()) {}
    constexpr hasher(const hasher &) = default;
    constexpr hasher &operator=(const hasher &) = default;
    constexpr ~hasher() {
        wipe(tree_.chunk.state);
        wipe(tree_.chunk.block);
        wipe(tree_.mode.key);
        if (tree_.chunks > 0) {
            wipe(tree_.values);
        }
    }

    // Makes a hasher with a key. Returns std::nullopt unless the key has 32 bytes.
    static constexpr std::optional<hasher> keyed(const bytes &key) {
        return key.size() == value_length ? std::optional<hasher>(hasher(mode::with(key, keyed_hash))) : std::nullopt;
    }

    // Makes a hasher that derives keys from the key material that it absorbs. `context` should be a
    // constant of the program, unique and not secret, in UTF-8: the name of the program, a date, and
    // the purpose of the derived key.
    static constexpr hasher derive_key(const bytes &context) { return hasher(mode::derive_key(context)); }

    // Absorbs the next part of the message.
    constexpr hasher &update(const bytes &data) {
        if (tree_.mode.keyed()) {
            // Chunks side by side use 2.3 KB of the stack more.
            const auto absorb = [&] { tree_.update(data); };
            data.size() > 3 * chunk_length ? below<768>(absorb) : below(absorb);
        } else {
            tree_.update(data);
        }
        return *this;
    }

    // Returns the output for everything absorbed so far, from its beginning; `squeeze` reads it.
    // The object does not change, and may absorb more.
    constexpr output finalize() const {
        if (tree_.mode.keyed()) {
            output out(last_block{});
            below([&] { out = output(tree_.finish()); });
            return out;
        }
        return output(tree_.finish());
    }

    // Forgets everything absorbed. A key or a context stays.
    constexpr void reset() { *this = hasher(tree_.mode); }

    constexpr bool keyed() const { return tree_.mode.keyed(); }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        hasher h = *this;
        tree &t = h.tree_;
        if (t.chunk.count == chunk_length && t.chunks > 0) {
            t.end_chunk();
        }
        t.merge(t.saved_depth());
        to.word(static_cast<std::uint8_t>(t.mode.flags));
        if (t.mode.flags != 0) {
            to.words(t.mode.key, 8);
        }
        to.word(t.chunks);
        to.word(static_cast<std::uint16_t>(t.chunk.count));
        if (t.chunk.count > blake3::block_length) {
            to.words(t.chunk.state, 8);
        }
        to.put(bytes(t.chunk.block).first(t.chunk.waiting()));
        to.put(bytes(t.values).first(t.depth * value_length));
    }
    constexpr bool load(reader &from) {
        mode m = mode::hash(from.word<std::uint8_t>());
        if (m.keyed()) {
            from.words(m.key, 8);
        }
        tree_ = tree::with(m);
        tree_.chunks = from.word<std::uint64_t>();
        tree_.chunk = m.chunk(tree_.chunks);
        const std::size_t count = from.word<std::uint16_t>();
        // A single chunk may be the root. A complete one is in the stack if it is not the only one.
        // A message has less than 2^64 bytes.
        if ((m.flags != 0 && m.flags != keyed_hash && m.flags != derive_key_material) || tree_.chunks >> 54 != 0 ||
            count > chunk_length - (tree_.chunks > 0 ? 1 : 0) || (tree_.chunks == 1 && count == 0)) {
            tree_ = tree::with(m);
            return false;
        }
        tree_.chunk.count = count;
        if (count > blake3::block_length) {
            from.words(tree_.chunk.state, 8);
            tree_.chunk.state[11] &= ~chunk_start;
        }
        tree_.depth = tree_.saved_depth();
        copy(from.take(tree_.chunk.waiting()), tree_.chunk.block, 0);
        copy(from.take(tree_.depth * value_length), tree_.values, 0);
        wipe(m.key);
        return true;
    }

private:
    constexpr explicit hasher(const mode &m) : tree_(tree::with(m)) {}

    tree tree_;
};

} // namespace detail::inline HASHMILL_MODE::blake3

using blake3 = detail::blake3::hasher;

} // namespace hashmill
