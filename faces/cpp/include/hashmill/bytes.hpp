// Byte strings, digests, and the operations on bytes that the algorithms share.
#pragma once

#include "hashmill/cpu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// Every function of a kernel must be inlined, or the state does not stay in registers: without it
// clang 19 makes BLAKE2b three times as slow. Sanitizers need minutes for kernels that are inlined;
// define HASHMILL_INLINE as nothing for them.
// gcc inlines no other functions into one that has its own target or tuning (cpu.hpp), so a kernel
// calls no functions of the standard library: it takes words as pointers or plain arrays.
#if defined(HASHMILL_INLINE)
#elif defined(__GNUC__)
#define HASHMILL_INLINE __attribute__((always_inline))
#else
#define HASHMILL_INLINE
#endif

namespace hashmill {

// A digest of N bytes, which the hash functions return.
template <std::size_t N> using digest = std::array<std::uint8_t, N>;

namespace detail {

template <class T>
concept byte_like = std::same_as<std::remove_cv_t<T>, std::uint8_t> || std::same_as<std::remove_cv_t<T>, std::byte> ||
                    std::same_as<std::remove_cv_t<T>, char>;

template <class R>
concept byte_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                     byte_like<std::ranges::range_value_t<R>> && !std::is_bounded_array_v<R>;

} // namespace detail

// A view of a message or of a part of one: any contiguous range of std::uint8_t, std::byte or char,
// such as std::span, std::vector or std::string. The range must outlive the view. A string literal
// is taken without its final zero.
class bytes {
public:
    constexpr bytes() = default;
    constexpr bytes(const char *text) : bytes(text, std::string_view(text).size()) {}
    template <detail::byte_range R>
    constexpr bytes(const R &range) : bytes(std::ranges::data(range), std::ranges::size(range)) {}
    HASHMILL_INLINE constexpr bytes(const std::uint8_t *data, std::size_t size) : octets_(data), size_(size) {}
    // At run time characters and std::byte are read as octets; a constant expression must keep
    // their type.
    constexpr bytes(const char *data, std::size_t size) : size_(size) {
        if (std::is_constant_evaluated()) {
            chars_ = data;
        } else {
            octets_ = reinterpret_cast<const std::uint8_t *>(data);
        }
    }
    constexpr bytes(const std::byte *data, std::size_t size) : size_(size) {
        if (std::is_constant_evaluated()) {
            plain_ = data;
        } else {
            octets_ = reinterpret_cast<const std::uint8_t *>(data);
        }
    }

    HASHMILL_INLINE constexpr std::size_t size() const { return size_; }

    HASHMILL_INLINE constexpr std::uint8_t operator[](std::size_t i) const {
        if (chars_ != nullptr) {
            return static_cast<std::uint8_t>(chars_[i]);
        }
        return plain_ != nullptr ? static_cast<std::uint8_t>(plain_[i]) : octets_[i];
    }

    // Returns the address of the first byte. It cannot be called in a constant expression.
    HASHMILL_INLINE const std::uint8_t *data() const {
        if (chars_ != nullptr) {
            return reinterpret_cast<const std::uint8_t *>(chars_);
        }
        return plain_ != nullptr ? reinterpret_cast<const std::uint8_t *>(plain_) : octets_;
    }

    // The same bytes, at run time as octets, even if the view was made in a constant expression.
    HASHMILL_INLINE constexpr bytes normal() const {
        return __builtin_is_constant_evaluated() ? *this : bytes(data(), size_);
    }

    constexpr bytes first(std::size_t n) const {
        bytes part = *this;
        part.size_ = n;
        return part;
    }

    constexpr bytes without_first(std::size_t n) const {
        bytes part = *this;
        part.octets_ += octets_ != nullptr ? n : 0;
        part.chars_ += chars_ != nullptr ? n : 0;
        part.plain_ += plain_ != nullptr ? n : 0;
        part.size_ -= n;
        return part;
    }

private:
    const std::uint8_t *octets_ = nullptr;
    const char *chars_ = nullptr;
    const std::byte *plain_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {

// A function that a kernel was inlined into must not itself be inlined: it is large, and gcc 12
// then warns of writes that it believes to be out of bounds.
#if defined(__GNUC__)
#define HASHMILL_NOINLINE __attribute__((noinline))
#else
#define HASHMILL_NOINLINE
#endif

// Calls f<0>(), f<1>() … f<N - 1>().
template <class F, std::size_t... I>
HASHMILL_INLINE constexpr void unroll(F &&f, std::index_sequence<I...>) {
    (f.template operator()<I>(), ...);
}

template <std::size_t N, class F> HASHMILL_INLINE constexpr void unroll(F &&f) {
    unroll(f, std::make_index_sequence<N>{});
}

// Returns the word rotated to the right by 1 to 63 or 31 bits.
template <class Word> HASHMILL_INLINE constexpr Word rotated(Word word, int bits) {
    return static_cast<Word>(word >> bits | word << (8 * static_cast<int>(sizeof(Word)) - bits));
}

// Returns the word with its bytes in reverse order.
template <class Word> HASHMILL_INLINE constexpr Word swapped(Word word) {
#if defined(__GNUC__)
    if constexpr (sizeof(Word) == 8) {
        return __builtin_bswap64(word);
    } else if constexpr (sizeof(Word) == 4) {
        return __builtin_bswap32(word);
    }
#endif
    Word out = 0;
    for (std::size_t i = 0; i < sizeof(Word); i++) {
        out = static_cast<Word>(out << 8 | (word >> 8 * i & 0xFF));
    }
    return out;
}

// Loads a word with one instruction. If eight bytes are shifted together instead, gcc 12 makes
// eight loads in large functions.
template <class Word, std::endian Order> HASHMILL_INLINE inline Word load(const std::uint8_t *from, std::size_t at) {
    Word word;
    std::memcpy(&word, from + at, sizeof(Word));
    return Order == std::endian::native ? word : swapped(word);
}

// Loads a word, also in a constant expression.
template <class Word, std::endian Order> HASHMILL_INLINE constexpr Word load(const bytes &from, std::size_t at) {
    if (!__builtin_is_constant_evaluated()) {
        return load<Word, Order>(from.data(), at);
    }
    Word word = 0;
    unroll<sizeof(Word)>([&]<std::size_t I>() HASHMILL_INLINE {
        constexpr std::size_t shift = 8 * (Order == std::endian::little ? I : sizeof(Word) - 1 - I);
        word |= static_cast<Word>(static_cast<Word>(from[at + I]) << shift);
    });
    return word;
}

template <class Word> HASHMILL_INLINE constexpr Word load_be(const auto &from, std::size_t at) {
    return load<Word, std::endian::big>(from, at);
}

template <class Word> HASHMILL_INLINE constexpr Word load_le(const auto &from, std::size_t at) {
    return load<Word, std::endian::little>(from, at);
}

// Returns byte `i` of a word in the given byte order.
template <std::endian Order, class Word> HASHMILL_INLINE constexpr std::uint8_t byte_of(Word word, std::size_t i) {
    return static_cast<std::uint8_t>(word >> 8 * (Order == std::endian::little ? i : sizeof(Word) - 1 - i));
}

// Stores a word with one instruction, and byte by byte in a constant expression.
template <std::endian Order, class Word>
HASHMILL_INLINE constexpr void store(Word word, std::uint8_t *to) {
    if (!__builtin_is_constant_evaluated()) {
        word = Order == std::endian::native ? word : swapped(word);
        std::memcpy(to, &word, sizeof(Word));
        return;
    }
    unroll<sizeof(Word)>([&]<std::size_t I>() HASHMILL_INLINE { to[I] = byte_of<Order>(word, I); });
}

// Returns the word, which clang must keep in a register of its own. Otherwise it loads words that were
// stored one by one as one wide vector, and the CPU waits until they have left the store buffer: with
// -march=native, SHA3-256 of a short message takes 276 instead of 264 ns (clang 19, Zen 4).
template <class Word> HASHMILL_INLINE constexpr Word single(Word word) {
#if defined(__clang__)
    if (!__builtin_is_constant_evaluated()) {
        __asm__("" : "+r"(word));
    }
#endif
    return word;
}

// Returns the first N bytes of the words.
template <std::size_t N, std::endian Order, class Word, std::size_t Words>
constexpr digest<N> first_bytes(const std::array<Word, Words> &words) {
    digest<N> out{};
    for (std::size_t i = 0; i < N / sizeof(Word); i++) {
        store<Order>(single(words[i]), out.data() + i * sizeof(Word));
    }
    for (std::size_t i = N / sizeof(Word) * sizeof(Word); i < N; i++) {
        out[i] = byte_of<Order>(words[i / sizeof(Word)], i % sizeof(Word));
    }
    return out;
}

// Copies the bytes to the array, beginning at `at`. If gcc 12 knows that the length is below a
// limit, it writes `rep movs`, which takes longer to start than the whole copy should take. So the
// bytes are copied in pieces of fixed length, of which the last two overlap.
template <std::size_t Piece> HASHMILL_INLINE inline void copy_pieces(std::uint8_t *to, const std::uint8_t *from, std::size_t n) {
    for (std::size_t i = 0; i + Piece < n; i += Piece) {
        std::memcpy(to + i, from + i, Piece);
    }
    std::memcpy(to + n - Piece, from + n - Piece, Piece);
}

template <std::size_t N> constexpr void copy(const bytes &from, std::array<std::uint8_t, N> &to, std::size_t at) {
    const std::size_t n = from.size();
    if (std::is_constant_evaluated() || n < 4) {
        for (std::size_t i = 0; i < n; i++) {
            to[at + i] = from[i];
        }
    } else if (n >= 16) {
        copy_pieces<16>(to.data() + at, from.data(), n);
    } else if (n >= 8) {
        copy_pieces<8>(to.data() + at, from.data(), n);
    } else {
        copy_pieces<4>(to.data() + at, from.data(), n);
    }
}

// Fills the array with zeros, in separate stores, because gcc 12 uses the slow `rep stos` for a
// whole array.
template <class T, std::size_t N> constexpr void clear(std::array<T, N> &words) {
    if (std::is_constant_evaluated() || N * sizeof(T) > 256 || N * sizeof(T) % 8 != 0) {
        words.fill(0);
    } else {
        unroll<N * sizeof(T) / 8>([&]<std::size_t I>() HASHMILL_INLINE {
            constexpr std::uint64_t zero = 0;
            std::memcpy(words.data() + I * 8 / sizeof(T), &zero, 8);
        });
    }
}

// Makes the compiler assume that the memory is read and changed here.
inline void observe(void *memory) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(memory) : "memory");
#else
    static void *volatile seen;
    seen = memory;
#endif
}

// Overwrites a secret in a way that the compiler cannot leave out. In a constant expression it does
// nothing, because there are no secrets.
template <class T, std::size_t N> constexpr void wipe(std::array<T, N> &words) {
    if (!std::is_constant_evaluated()) {
        clear(words);
        observe(words.data());
    }
}

// Runs `f` in a frame of its own.
template <class F> HASHMILL_NOINLINE void apart(F &f) { f(); }

// Overwrites `Words` words of the stack below the caller's frame: more than any function here uses
// for one message.
template <std::size_t Words = 384> HASHMILL_NOINLINE void clear_stack() {
    std::array<std::uint64_t, Words> zeros;
    zeros.fill(0);
    observe(zeros.data());
}

// Runs `f`, which computes with a key, and overwrites the stack that it used and the registers:
// blocks, words of a message schedule, working variables, and the copies that the compiler made of
// them. What a compiler inlines into the caller's frame is not overwritten: a copy of an object, and
// a key that the caller holds.
template <std::size_t Words = 384, class F> constexpr void below(F f) {
    if (std::is_constant_evaluated()) {
        f();
    } else {
        apart(f);
        // The registers first: gcc and clang may call memset for the stack, and at the first call of a
        // function of libc the dynamic linker saves the registers below it.
        clear_registers();
        clear_stack<Words>();
    }
}

// Does the same if `keyed` is true; otherwise only runs `f`.
template <class F> constexpr void below_if(bool keyed, F f) {
    if (keyed) {
        below(f);
    } else {
        f();
    }
}

} // namespace detail

// Returns whether `a` and `b` are equal, in a time that depends on their lengths only.
constexpr bool equal(const bytes &a, const bytes &b) {
    unsigned differing = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); i++) {
        differing |= static_cast<unsigned>(a[i] ^ b[i]);
        if (!std::is_constant_evaluated()) {
            // Keeps the compiler from leaving the loop at the first difference.
            detail::observe(&differing);
        }
    }
    return differing == 0;
}

// Returns the digest as an array of lower-case hexadecimal digits.
template <std::size_t N> constexpr std::array<char, 2 * N> to_hex(const digest<N> &digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, 2 * N> hex{};
    for (std::size_t i = 0; i < N; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    return hex;
}

} // namespace hashmill
