// Exported states as bytes: little-endian words and byte strings. state.hpp has the functions.
#pragma once

#include "hashmill/bytes.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hashmill::detail {

// Writes to memory that has room for the longest state.
class writer {
public:
    constexpr explicit writer(std::uint8_t *to) : to_(to) {}

    constexpr void put(const bytes &data) {
        for (std::size_t i = 0; i < data.size(); i++) {
            to_[size_++] = data[i];
        }
    }
    template <class Word> constexpr void word(Word word) {
        store<std::endian::little>(word, to_ + size_);
        size_ += sizeof(Word);
    }
    constexpr void words(const auto &list, std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            word(list[i]);
        }
    }
    // Writes a count of bytes. The field has 128 bits, of which 64 are enough for messages in
    // memory.
    constexpr void count(std::uint64_t count) {
        word(count);
        word(std::uint64_t{0});
    }
    constexpr std::size_t size() const { return size_; }

private:
    std::uint8_t *to_;
    std::size_t size_ = 0;
};

// Reads a state. After its end it reads zeros, and is damaged.
class reader {
public:
    constexpr explicit reader(const bytes &state) : left_(state) {}

    constexpr bytes take(std::size_t n) {
        if (n > left_.size()) {
            damaged_ = true;
            left_ = {};
            return {};
        }
        const bytes part = left_.first(n);
        left_ = left_.without_first(n);
        return part;
    }
    template <class Word> constexpr Word word() {
        const bytes part = take(sizeof(Word));
        return part.size() == 0 ? Word{0} : load_le<Word>(part, 0);
    }
    constexpr void words(auto &list, std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            list[i] = word<std::remove_cvref_t<decltype(list[i])>>();
        }
    }
    // Reads a count of bytes. Returns false if it is beyond 64 bits.
    constexpr bool count(std::uint64_t &count) {
        count = word<std::uint64_t>();
        return word<std::uint64_t>() == 0;
    }
    constexpr bool damaged() const { return damaged_; }
    constexpr bool at_end() const { return left_.size() == 0; }

private:
    bytes left_;
    bool damaged_ = false;
};

} // namespace hashmill::detail
