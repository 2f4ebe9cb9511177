// BLAKE2bp and BLAKE2sp (the BLAKE2 paper §2.10, §5): trees of four leaves of BLAKE2b, or eight of
// BLAKE2s.
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

namespace hashmill {
namespace detail::inline HASHMILL_MODE::blake2 {

// The message's blocks go to the leaves in turn, and a stripe is one block for each leaf. A stripe
// is absorbed when at least one byte of the next stripe's last block has arrived: then every leaf
// has a further block, so that no block of the stripe is the last of its leaf.
template <class Word, std::size_t Leaves> class tree {
    using leaf = stream<Word>;

public:
    static constexpr std::size_t max_output = leaf::max_output;
    static constexpr std::size_t block_length = leaf::block_length;

    // The states before the message.
    struct begin {
        std::array<state<Word>, Leaves> leaves;
        state<Word> root;
    };

    static constexpr begin initial(const blake2_params &params, std::size_t output) {
        blake2_params node = {.key = params.key, .salt = params.salt, .personal = params.personal};
        node.fanout = Leaves;
        node.max_depth = 2;
        node.inner_length = max_output;
        begin all{};
        for (auto &s : all.leaves) {
            s = leaf::initial(node, output);
            node.node_offset++;
        }
        node.node_offset = 0;
        node.node_depth = 1;
        all.root = leaf::initial(node, output);
        return all;
    }

    template <std::size_t Output = max_output> static constexpr begin plain() {
        constexpr begin all = initial(blake2_params{}, Output);
        return all;
    }

    static constexpr bool good(const blake2_params &params) {
        return leaf::good({.key = params.key, .salt = params.salt, .personal = params.personal});
    }

    static constexpr state<Word> hash(const begin &initial, std::size_t output, const bytes &message) {
        tree all(initial, output);
        state<Word> root{};
        all.update(message);
        all.finish([&](const state<Word> &s) { root = s; });
        return root;
    }

    constexpr tree() : tree(plain(), max_output) {}
    constexpr tree(const begin &all, std::size_t output)
        : leaves_(all.leaves), root_(all.root), output_(static_cast<std::uint8_t>(output)), untouched_(true) {}
    constexpr tree(const blake2_params &params, std::size_t output) : tree(initial(params, output), output) {
        untouched_ = false;
        if (params.key.size() > 0) {
            keyed_ = true;
            below([&] {
                std::array<std::uint8_t, block_length> key{};
                copy(params.key, key, 0);
                for (std::size_t i = 0; i < Leaves; i++) {
                    feed(key);
                }
                wipe(key);
            });
        }
    }
    constexpr tree(const tree &) = default;
    constexpr tree &operator=(const tree &) = default;
    constexpr ~tree() {
        for (auto &s : leaves_) {
            wipe(s);
        }
        wipe(rest_);
    }

    constexpr void update(const bytes &data) {
        below_if(keyed_, [&] { feed(data); });
    }

    // Calls `take` with the root's state after everything absorbed so far.
    constexpr void finish(auto take) const {
        const auto run = [&] {
            leaf root(root_, output_, true);
            for (std::size_t i = 0; i < Leaves; i++) {
                leaf one(leaves_[i], max_output, i == Leaves - 1);
                for (std::size_t at = i * block_length; at < waiting_; at += stripe) {
                    one.update(waiting().without_first(at).first(std::min(block_length, waiting_ - at)));
                }
                one.finish([&](const state<Word> &s) {
                    auto value = first_bytes<max_output, std::endian::little>(s);
                    root.update(value);
                    wipe(value);
                });
            }
            root.finish(take);
        };
        below_if(keyed_, run);
    }

    constexpr std::size_t output_length() const { return output_; }
    constexpr bool keyed() const { return keyed_; }
    constexpr bool untouched() const { return untouched_; }
    constexpr bytes waiting() const { return bytes(rest_).first(waiting_); }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        to.word(output_);
        to.count(leaf::count(leaves_[0]) * Leaves + waiting_);
        to.words(root_, 8);
        for (std::size_t i = 0; i < 8; i++) {
            for (const auto &s : leaves_) {
                to.word(s[i]);
            }
        }
        to.put(waiting());
    }
    constexpr bool load(reader &from) {
        std::uint64_t total = 0;
        untouched_ = false;
        keyed_ = true; // There may have been a key.
        output_ = from.word<std::uint8_t>();
        const bool fits = from.count(total);
        from.words(root_, 8);
        for (std::size_t i = 0; i < 8; i++) {
            for (auto &s : leaves_) {
                s[i] = from.word<Word>();
            }
        }
        const std::uint64_t stripes = total < stripe + lookahead ? 0 : (total - lookahead) / stripe;
        for (auto &s : leaves_) {
            leaf::set_count(s, stripes * block_length);
        }
        const bytes rest = from.take(static_cast<std::size_t>(total - stripes * stripe));
        copy(rest, rest_, 0);
        waiting_ = rest.size();
        return fits && output_ >= 1 && output_ <= max_output;
    }

private:
    static constexpr std::size_t stripe = Leaves * block_length;
    static constexpr std::size_t lookahead = stripe - block_length + 1;

    constexpr void feed(bytes data) {
        while (waiting_ > 0 && waiting_ + data.size() >= stripe + lookahead) {
            const std::size_t taken = waiting_ < stripe ? stripe - waiting_ : 0;
            copy(data.first(taken), rest_, waiting_);
            absorb_stripes(bytes(rest_).first(stripe));
            data = data.without_first(taken);
            waiting_ = waiting_ + taken - stripe;
            std::copy_n(rest_.begin() + stripe, waiting_, rest_.begin());
        }
        if (waiting_ == 0 && data.size() >= stripe + lookahead) {
            const std::size_t whole = (data.size() - lookahead) / stripe * stripe;
            absorb_stripes(data.first(whole));
            data = data.without_first(whole);
        }
        copy(data, rest_, waiting_);
        waiting_ += data.size();
    }

    constexpr void absorb_stripes(bytes stripes) {
        untouched_ = false;
        for (; stripes.size() > 0; stripes = stripes.without_first(stripe)) {
            for (std::size_t i = 0; i < Leaves; i++) {
                absorb(leaves_[i], stripes.without_first(i * block_length).first(block_length));
            }
        }
    }

    std::array<state<Word>, Leaves> leaves_;
    state<Word> root_;
    // The bytes that wait until their stripe can be absorbed.
    std::array<std::uint8_t, stripe + lookahead - 1> rest_{};
    std::size_t waiting_ = 0;
    std::uint8_t output_;
    bool untouched_;
    bool keyed_ = false;
};

} // namespace detail::inline HASHMILL_MODE::blake2

template <std::size_t Output = 64>
using blake2bp = detail::blake2::hasher<detail::blake2::tree<std::uint64_t, 4>, Output, hashmill_blake2bp>;
template <std::size_t Output = 32>
using blake2sp = detail::blake2::hasher<detail::blake2::tree<std::uint32_t, 8>, Output, hashmill_blake2sp>;

} // namespace hashmill
