// Turns any sequence of updates into runs of whole blocks.
#pragma once

#include "hashmill/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hashmill::detail {

// When a complete block is absorbed: at once, or only when more bytes follow. BLAKE2 needs the
// second, because its last block is absorbed with other flags. SHA-2 with the library uses it,
// because the library hashes a whole message faster than its blocks.
enum class full_block { at_once, when_more_comes };

// The bytes that wait until their block is complete.
template <std::size_t Block, full_block When = full_block::at_once> class buffer {
public:
    constexpr buffer() { clear(bytes_); }
    constexpr buffer(const buffer &) = default;
    constexpr buffer &operator=(const buffer &) = default;
    constexpr ~buffer() { wipe(bytes_); }

    constexpr bytes waiting() const { return bytes(bytes_).first(waiting_); }

    // Passes the whole blocks of the waiting bytes and `data` to `absorb`, from where they lie if
    // possible, and keeps the rest. Inlined, because clang otherwise copies the argument `data`
    // with loads that must wait for narrower stores.
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

    // If a complete block waits, passes it to `absorb`.
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
