// Any sequence of updates as runs of whole blocks.
#pragma once

#include "hashmill/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hashmill::detail {

// When a complete block is absorbed: at once, or only when more comes (BLAKE2's last block is not
// like the others, and the library's SHA-2 is faster on a whole message than on its blocks).
enum class full_block { at_once, when_more_comes };

// The bytes that wait for their block to be complete.
template <std::size_t Block, full_block When = full_block::at_once> class buffer {
public:
    constexpr buffer() { clear(bytes_); }
    constexpr buffer(const buffer &) = default;
    constexpr buffer &operator=(const buffer &) = default;
    constexpr ~buffer() { wipe(bytes_); }

    constexpr bytes waiting() const { return bytes(bytes_).first(waiting_); }

    // Hands whole blocks to `absorb`, where they lie if they can be taken from there. Inlined,
    // because clang copies an argument as large as `bytes` by loads that wait for narrower stores.
    HASHMILL_INLINE constexpr void feed(bytes data, auto absorb) {
        constexpr std::size_t lookahead = When == full_block::at_once ? 0 : 1;
        if (waiting_ > 0 || data.size() < Block + lookahead) {
            const std::size_t taken = std::min(Block - waiting_, data.size());
            copy(data.first(taken), bytes_, waiting_);
            waiting_ += taken;
            data = data.without_first(taken);
            if (waiting_ < Block || data.size() < lookahead) {
                return;
            }
            absorb(bytes(bytes_));
            waiting_ = 0;
        }
        if (data.size() >= Block + lookahead) {
            const std::size_t whole = (data.size() - lookahead) / Block * Block;
            absorb(data.first(whole));
            data = data.without_first(whole);
        }
        copy(data, bytes_, 0);
        waiting_ = data.size();
    }

    // Hands over a complete block that waits.
    constexpr void settle(auto absorb) {
        if (waiting_ == Block) {
            absorb(bytes(bytes_));
            waiting_ = 0;
        }
    }

private:
    std::array<std::uint8_t, Block> bytes_;
    std::size_t waiting_ = 0;
};

} // namespace hashmill::detail
