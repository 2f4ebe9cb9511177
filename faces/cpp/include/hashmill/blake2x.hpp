// BLAKE2Xb and BLAKE2Xs ("BLAKE2X", 2016): BLAKE2b and BLAKE2s with output of any length.
#pragma once

#include "hashmill/blake2.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/saved.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::blake2 {

template <class Word> class extended;

// The output of BLAKE2X ("BLAKE2X" §2): block `i` is the digest of the root's digest by a node with
// the offset `i`.
template <class Word> class extension {
    using root = stream<Word>;

public:
    static constexpr std::size_t block_length = root::max_output;

    constexpr extension(const state<Word> &node, const digest<block_length> &root, std::uint64_t size, bool keyed)
        : node_(node), root_(root), left_(size), keyed_(keyed) {}
    constexpr extension(const extension &) = default;
    constexpr extension &operator=(const extension &) = default;
    constexpr ~extension() { wipe(root_); }

    // Fills `out` with the next bytes of the output. Returns false and writes nothing if fewer
    // bytes are left.
    [[nodiscard]] constexpr bool squeeze(std::span<std::uint8_t> out) {
        if (out.size() > left_) {
            return false;
        }
        below_if(keyed_, [&] { fill(out); });
        return true;
    }

    // Continues at byte `position` of the output. Returns false if it is shorter.
    [[nodiscard]] constexpr bool seek(std::uint64_t position) {
        if (position > position_ + left_) {
            return false;
        }
        left_ = position_ + left_ - position;
        position_ = position;
        return true;
    }

    // Returns the number of the next byte.
    constexpr std::uint64_t position() const { return position_; }
    constexpr bool keyed() const { return keyed_; }

private:
    friend class extended<Word>;

    constexpr void fill(std::span<std::uint8_t> out) {
        while (!out.empty()) {
            const auto skip = static_cast<std::size_t>(position_ % block_length);
            const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(block_length, skip + left_));
            // `node_` has the offset 0 and blocks of full length, which are exclusive-or'ed into
            // the initialization vector.
            state<Word> s = node_;
            s[0] ^= static_cast<Word>(block_length ^ size);
            s[8 / sizeof(Word)] ^= static_cast<Word>(position_ / block_length);
            root::absorb_last(s, root_, false);
            auto block = first_bytes<block_length, std::endian::little>(s);
            const std::size_t n = std::min(size - skip, out.size());
            std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(skip), n, out.begin());
            position_ += n;
            left_ -= n;
            out = out.subspan(n);
            wipe(s);
            wipe(block);
        }
    }

    state<Word> node_;
    digest<block_length> root_;
    std::uint64_t position_ = 0;
    std::uint64_t left_;
    bool keyed_;
};

// BLAKE2X over BLAKE2b or BLAKE2s.
template <class Word> class extended {
    using root = stream<Word>;
    // A length of all ones stands for an unknown length.
    static constexpr std::uint64_t unknown = constants<Word>::max_node_offset >> 32;

public:
    static constexpr std::size_t block_length = root::block_length;
    using output = extension<Word>;

    // Makes a hasher without a key and with output of unknown length: it ends after 2^32 blocks.
    constexpr extended() : extended(unknown, blake2_params{}) {}

    // Makes a hasher with a key, a salt and a personalization; the other fields of `params` are not
    // used. `length` is the length of the output, 1 to 2^32 - 2 bytes for BLAKE2Xb, 1 to 2^16 - 2
    // bytes for BLAKE2Xs, or 0 if it is unknown. The output depends on it. Returns std::nullopt if
    // a parameter or the length is out of range.
    static constexpr std::optional<extended> with(std::uint64_t length, const blake2_params &params = {}) {
        const bool good =
            length < unknown && root::good({.key = params.key, .salt = params.salt, .personal = params.personal});
        return good ? std::optional<extended>(extended(length == 0 ? unknown : length, params)) : std::nullopt;
    }

    // Fills `out` with the output for a message. The size of `out` is the length of the output, at
    // least 1. Returns false and writes nothing if a parameter or the length is out of range.
    static constexpr bool hash(const bytes &message, std::span<std::uint8_t> out, const blake2_params &params = {}) {
        auto one = with(out.size(), params);
        return one && !out.empty() && one->update(message).finalize().squeeze(out);
    }

    // Absorbs the next part of the message.
    constexpr extended &update(const bytes &data) {
        root_.update(data);
        return *this;
    }

    // Returns the output for everything absorbed so far, from its beginning; `squeeze` reads it.
    // The object does not change, and may absorb more.
    constexpr output finalize() const {
        blake2_params params = {.salt = salt_, .personal = personal_};
        params.salt = params.salt.first(max_salt);
        params.personal = params.personal.first(max_salt);
        params.node_offset = length_ << 32;
        params.fanout = params.max_depth = 0;
        params.leaf_length = params.inner_length = root::max_output;
        output out(root::initial(params, root::max_output), {}, known().value_or(std::uint64_t{root::max_output} << 32),
                   root_.keyed());
        root_.finish([&](const state<Word> &s) { out.root_ = first_bytes<root::max_output, std::endian::little>(s); });
        return out;
    }

    // Forgets everything absorbed, and also the key and the other parameters.
    constexpr void reset() { *this = extended(); }

    // Returns the length of the output, if it is known.
    constexpr std::optional<std::uint64_t> known() const {
        return length_ == unknown ? std::nullopt : std::optional<std::uint64_t>(length_);
    }
    constexpr bool keyed() const { return root_.keyed(); }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        to.word(length_ << 32);
        to.put(salt_);
        to.put(personal_);
        root_.save(to);
    }
    constexpr bool load(reader &from) {
        const auto offset = from.word<std::uint64_t>();
        const bytes salt = from.take(salt_.size()), personal = from.take(personal_.size());
        copy(salt, salt_, 0);
        copy(personal, personal_, 0);
        length_ = offset >> 32;
        bool fits = static_cast<std::uint32_t>(offset) == 0 && length_ >= 1 && length_ <= unknown;
        for (std::size_t i = max_salt; i < salt_.size(); i++) {
            fits &= salt_[i] == 0 && personal_[i] == 0;
        }
        return root_.load(from) && fits && root_.output_length() == root::max_output && !root_.last_node();
    }

private:
    static constexpr std::size_t max_salt = root::max_output / 4;

    constexpr extended(std::uint64_t length, const blake2_params &params)
        : root_({.key = params.key, .salt = params.salt, .personal = params.personal, .node_offset = length << 32},
                root::max_output),
          length_(length) {
        copy(params.salt, salt_, 0);
        copy(params.personal, personal_, 0);
    }

    root root_;
    std::uint64_t length_;
    digest<16> salt_{}, personal_{};
};

} // namespace detail::inline HASHMILL_MODE::blake2

using blake2xb = detail::blake2::extended<std::uint64_t>;
using blake2xs = detail::blake2::extended<std::uint32_t>;

} // namespace hashmill
