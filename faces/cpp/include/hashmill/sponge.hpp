// The sponge construction (FIPS 202 §4), which the functions over Keccak and over Ascon share.
//
// The parameter P of the templates is a permutation with a rate and a padding. It has:
//     state                    an array of words of 64 bits
//     word                     the type of such a word in a register: an integer, or a vector of which
//                              lane 0 counts
//     rate                     the length of a block in bytes, a multiple of eight
//     is_keccak                whether the padding also sets the last bit of a block, and a suffix
//                              tells functions apart, which Ascon's initial states do
//     rounds(words)            permutes words that are in registers
//     initial()                returns the state before the first block
//     absorb(state, blocks)    absorbs whole blocks
//     permute(state, at, rest) exclusive-ors the rest of a block into the state, beginning at byte
//                              `at`, and permutes it once
//     squeeze(state, blocks)   fills whole blocks, each after a permutation
//     pad(state, at, suffix)   pads a message whose last byte lies before byte `at` of the block;
//                              `suffix` has the bits that follow the message, the first bit lowest
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"
#include "hashmill/saved.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>

namespace hashmill::detail::inline HASHMILL_MODE::sponge {

// Returns up to seven bytes as the low bytes of a word, read with two or three loads that overlap.
// `from` is `bytes` or a pointer.
HASHMILL_INLINE constexpr std::uint64_t load_few(const auto &from, std::size_t at, std::size_t n) {
    if (n >= 4) {
        const std::uint64_t last = load_le<std::uint32_t>(from, at + n - 4);
        return load_le<std::uint32_t>(from, at) | last << 8 * (n - 4);
    }
    if (n > 0) {
        const std::uint64_t middle = from[at + n / 2], last = from[at + n - 1];
        return from[at] | middle << 8 * (n / 2) | last << 8 * (n - 1);
    }
    return 0;
}

// Exclusive-ors `n` bytes into the state, beginning at byte `at`. `s` points to its first word, and
// `Stride` is the distance from one word to the next, because several states may lie side by side
// (lanes.hpp).
template <std::size_t Stride = 1>
HASHMILL_INLINE constexpr void xor_in(std::uint64_t *s, std::size_t at, const auto &from, std::size_t n) {
    std::size_t i = 0;
    if (at % 8 != 0) {
        i = n < 8 - at % 8 ? n : 8 - at % 8;
        s[at / 8 * Stride] ^= load_few(from, 0, i) << 8 * (at % 8);
    }
    for (; n - i >= 8; i += 8) {
        s[(at + i) / 8 * Stride] ^= load_le<std::uint64_t>(from, i);
    }
    if (i < n) {
        s[(at + i) / 8 * Stride] ^= load_few(from, i, n - i);
    }
}

template <std::size_t Stride = 1>
HASHMILL_INLINE constexpr void xor_bytes(std::uint64_t *s, std::size_t at, const bytes &data) {
    if (__builtin_is_constant_evaluated()) {
        xor_in<Stride>(s, at, data, data.size());
    } else {
        xor_in<Stride>(s, at, data.data(), data.size());
    }
}

// Returns the integer that a word in a register holds.
template <class Word> HASHMILL_INLINE constexpr std::uint64_t low(const Word &word) {
    if constexpr (std::is_same_v<Word, std::uint64_t>) {
        return word;
    } else {
        return single(word[0]);
    }
}

// The operation of a kernel between loading the state into registers and storing it.
enum class task { permute, absorb, squeeze };

// The kernel: absorbs the rest of a block, which begins at byte `size`, and permutes the state once;
// or absorbs whole blocks; or squeezes `size` bytes, whole blocks, each of them after a permutation
// (FIPS 202 §4). It loads the state word by word only for one permutation, because clang then moves
// more words between the permutations of a loop, which costs 2 %.
template <class P, task Task, class Word>
HASHMILL_INLINE constexpr void kernel(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    const bytes message = in.normal();
    constexpr std::size_t words = std::tuple_size_v<typename P::state>;
    Word a[words] = {};
    if constexpr (Task == task::permute) {
        xor_bytes(s, size, message);
        unroll<words>([&]<std::size_t I>() HASHMILL_INLINE { a[I] = Word{single(s[I])}; });
        P::rounds(a);
        unroll<words>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = single(low(a[I])); });
        return;
    }
    unroll<words>([&]<std::size_t I>() HASHMILL_INLINE { a[I] = Word{s[I]}; });
    if constexpr (Task == task::absorb) {
        for (std::size_t at = 0; at < message.size(); at += P::rate) {
            unroll<P::rate / 8>([&]<std::size_t I>() HASHMILL_INLINE {
                a[I] ^= Word{load_le<std::uint64_t>(message, at + 8 * I)};
            });
            P::rounds(a);
        }
    } else {
        for (std::size_t at = 0; at < size; at += P::rate) {
            P::rounds(a);
            unroll<P::rate / 8>([&]<std::size_t I>() HASHMILL_INLINE {
                store<std::endian::little>(low(a[I]), out + at + 8 * I);
            });
        }
    }
    unroll<words>([&]<std::size_t I>() HASHMILL_INLINE { s[I] = low(a[I]); });
}

template <class P, task Task>
HASHMILL_NOINLINE constexpr void portable(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    kernel<P, Task, std::uint64_t>(s, in, out, size);
}

#if defined(HASHMILL_TARGET_BMI)
template <class P, task Task>
HASHMILL_NOINLINE HASHMILL_TARGET_BMI void bmi(std::uint64_t *s, const bytes &in, std::uint8_t *out, std::size_t size) {
    kernel<P, Task, typename P::word>(s, in, out, size);
}
#endif

// Returns whether this header's kernels for BMI exist and this CPU can run them.
constexpr bool dispatches() {
#if defined(HASHMILL_TARGET_BMI)
    return !std::is_constant_evaluated() && has_bmi();
#else
    return false;
#endif
}

// Runs the kernel for this CPU.
template <class P, task Task>
constexpr void run(typename P::state &s, const bytes &in, std::uint8_t *out, std::size_t size) {
#if defined(HASHMILL_TARGET_BMI)
    if (dispatches()) {
        bmi<P, Task>(s.data(), in, out, size);
        return;
    }
#endif
    portable<P, Task>(s.data(), in, out, size);
}

// Copies bytes of the state to `out`, beginning at byte `at`.
template <std::size_t Stride = 1>
constexpr void copy_out(const std::uint64_t *s, std::size_t at, std::span<std::uint8_t> out) {
    std::size_t i = 0;
    if (at % 8 == 0) {
        for (; out.size() - i >= 8; i += 8) {
            store<std::endian::little>(s[(at + i) / 8 * Stride], out.data() + i);
        }
    }
    for (; i < out.size(); i++) {
        out[i] = byte_of<std::endian::little>(s[(at + i) / 8 * Stride], (at + i) % 8);
    }
}

// Absorbs one message into the initial state, so that the state can be squeezed.
template <class P> constexpr void absorb_message(typename P::state &s, const bytes &message, std::uint8_t suffix) {
    const std::size_t whole = message.size() / P::rate * P::rate;
    P::absorb(s, message.first(whole));
    P::pad(s, message.size() - whole, suffix);
    P::permute(s, 0, message.without_first(whole));
}

// Returns the first N bytes of the output, whole blocks or at most one, and wipes the state.
template <class P, std::size_t N> constexpr digest<N> squeeze_digest(typename P::state &s) {
    digest<N> out{};
    if constexpr (N <= P::rate) {
        out = first_bytes<N, std::endian::little>(s);
    } else {
        static_assert(N % P::rate == 0);
        copy_out(s.data(), 0, std::span(out).first(P::rate));
        P::squeeze(s, std::span(out).subspan(P::rate));
    }
    wipe(s);
    return out;
}

// The squeezing phase: returns any number of bytes of the output, in order.
template <class P> class output {
public:
    using state = typename P::state;

    constexpr output() = default;
    // The output for one message.
    constexpr output(const bytes &message, std::uint8_t suffix) : state_(P::initial()) {
        absorb_message<P>(state_, message, suffix);
    }
    // The output of a sponge that has absorbed whole blocks and `position` more bytes.
    constexpr output(const state &s, std::size_t position, std::uint8_t suffix) : state_(s) {
        P::pad(state_, position, suffix);
        P::permute(state_);
    }
    // The output that continues at byte `position` of a block.
    constexpr output(const state &s, std::size_t position) : state_(s), position_(position) {}
    constexpr output(const output &) = default;
    constexpr output &operator=(const output &) = default;
    constexpr ~output() { wipe(state_); }

    // Fills `out` with the next bytes of the output.
    constexpr output &squeeze(std::span<std::uint8_t> out) {
        const std::size_t n = std::min(P::rate - position_, out.size());
        copy_out(state_.data(), position_, out.first(n));
        position_ += n;
        const std::size_t whole = (out.size() - n) / P::rate * P::rate;
        P::squeeze(state_, out.subspan(n, whole));
        out = out.subspan(n + whole);
        if (!out.empty()) {
            P::permute(state_);
            copy_out(state_.data(), 0, out);
            position_ = out.size();
        }
        return *this;
    }

    // Returns the next N bytes of the output.
    template <std::size_t N> constexpr digest<N> squeeze() {
        digest<N> out{};
        squeeze(out);
        return out;
    }

    // Returns how many bytes can be squeezed before the next permutation: 1 to the rate.
    constexpr std::size_t squeezable() const { return position_ == P::rate ? P::rate : P::rate - position_; }

    // Overwrites the first n bytes of the state (at most all) with zeros and permutes it, so that
    // the bytes squeezed before cannot be computed from the new state.
    constexpr void ratchet(std::size_t n) {
        if (position_ == P::rate) {
            P::permute(state_);
            position_ = 0;
        }
        for (std::size_t i = 0; i < std::min(n, 8 * state_.size()); i++) {
            state_[i / 8] &= ~(std::uint64_t{0xFF} << 8 * (i % 8));
        }
        P::permute(state_);
    }

    constexpr const state &words() const { return state_; }
    constexpr std::size_t position() const { return position_; }

private:
    state state_{};
    std::size_t position_ = 0;
};

// The absorbing phase. The bytes that do not fill a block yet are already in the state, so that
// there is no buffer, and nothing is copied when the message ends.
template <class P> class input {
public:
    using state = typename P::state;

    constexpr input() = default;
    // The sponge that has absorbed whole blocks and `position` more bytes.
    constexpr input(const state &s, std::size_t position) : state_(s), position_(position) {}
    constexpr input(const input &) = default;
    constexpr input &operator=(const input &) = default;
    constexpr ~input() { wipe(state_); }

    HASHMILL_INLINE constexpr void update(bytes data) {
        if (position_ > 0 && data.size() >= P::rate - position_) {
            const std::size_t missing = P::rate - position_;
            P::permute(state_, position_, data.first(missing));
            data = data.without_first(missing);
            position_ = 0;
        }
        if (data.size() >= P::rate) {
            const std::size_t whole = data.size() / P::rate * P::rate;
            P::absorb(state_, data.first(whole));
            data = data.without_first(whole);
        }
        xor_bytes(state_.data(), position_, data);
        position_ += data.size();
    }

    constexpr output<P> finalize(std::uint8_t suffix) const { return output<P>(state_, position_, suffix); }

    // Returns the output of a message that ends with the `bits` low bits of `last`, at most 7.
    constexpr output<P> finalize(std::uint8_t suffix, std::uint8_t last, unsigned bits) const {
        const input s = with_bits(suffix, last, bits);
        return s.finalize(suffix);
    }

    // Returns the sponge after further bits, as far as they fill a byte together with the suffix,
    // and sets `suffix` to the rest of both. Keccak's last bit of the padding is in the next block
    // if they fill this one.
    constexpr input with_bits(std::uint8_t &suffix, std::uint8_t last, unsigned bits) const {
        unsigned end = (last & ((1u << bits) - 1)) | unsigned{suffix} << bits;
        input s = *this;
        if (end > 0xFF || (P::is_keccak && end > 0x7F && position_ + 1 == P::rate)) {
            const auto first = static_cast<std::uint8_t>(end);
            s.update(bytes(&first, 1));
            end >>= 8;
        }
        suffix = static_cast<std::uint8_t>(end);
        return s;
    }

    // Returns the first N bytes of the output, whole blocks or at most one.
    template <std::size_t N> constexpr digest<N> finish(std::uint8_t suffix) const {
        state s = state_;
        P::pad(s, position_, suffix);
        P::permute(s);
        return squeeze_digest<P, N>(s);
    }

    constexpr const state &words() const { return state_; }
    constexpr std::size_t position() const { return position_; }

    // The layout consists of the state before the bytes that wait for their block, and those bytes.
    // Here the bytes are already exclusive-or'ed into the state, so that zeros are written in their
    // place.
    constexpr void save(writer &to) const {
        constexpr std::array<std::uint8_t, P::rate> zeros{};
        to.words(state_, state_.size());
        to.word(static_cast<std::uint8_t>(position_));
        to.put(bytes(zeros).first(position_));
    }
    // Ascon's permutation of an initial value is not 0.
    constexpr bool load(reader &from) {
        from.words(state_, state_.size());
        position_ = from.word<std::uint8_t>();
        if (position_ >= P::rate || (!P::is_keccak && state_ == state{})) {
            position_ = 0;
            return false;
        }
        xor_bytes(state_.data(), 0, from.take(position_));
        return true;
    }

private:
    state state_ = P::initial();
    std::size_t position_ = 0;
};

// A hash function whose digest has `Output` bytes. `One` is the library's function for one call,
// `Suffix` the bits that follow the message.
template <class P, std::size_t Output, one_call One, std::uint8_t Suffix> class hasher {
public:
    static constexpr std::size_t digest_length = Output;
    static constexpr std::size_t block_length = P::rate;

    // Returns the digest of a message.
    static constexpr digest<Output> hash(const bytes &message) {
        if constexpr (linked) {
            if (!std::is_constant_evaluated()) {
                return call<Output, One>(message);
            }
        }
        typename P::state s = P::initial();
        absorb_message<P>(s, message, Suffix);
        return squeeze_digest<P, Output>(s);
    }

    // Absorbs the next part of the message.
    constexpr hasher &update(const bytes &data) {
        input_.update(data);
        return *this;
    }

    // Returns the digest of everything absorbed so far. The hasher does not change, and may absorb
    // more.
    constexpr digest<Output> finalize() const { return input_.template finish<Output>(Suffix); }

    // Returns the digest of a message that ends with further bits: the `bits` low bits of `last`.
    // Returns std::nullopt for more than 7 bits.
    constexpr std::optional<digest<Output>> finalize_bits(std::uint8_t last, unsigned bits) const {
        if (bits > 7) {
            return std::nullopt;
        }
        std::uint8_t suffix = Suffix;
        const input<P> s = input_.with_bits(suffix, last, bits);
        return s.template finish<Output>(suffix);
    }

    // Returns the hasher to its initial state.
    constexpr void reset() { *this = hasher(); }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        if constexpr (P::is_keccak) {
            to.word(Suffix);
        }
        input_.save(to);
    }
    constexpr bool load(reader &from) {
        if constexpr (P::is_keccak) {
            if (from.word<std::uint8_t>() != Suffix) {
                return false;
            }
        }
        return input_.load(from);
    }

private:
    input<P> input_;
};

// An extendable-output function. `Suffix` are the bits that follow the message.
template <class P, std::uint8_t Suffix> class xof {
public:
    static constexpr std::size_t block_length = P::rate;
    using output = sponge::output<P>;

    // Returns the first N bytes of the output for a message.
    template <std::size_t N> static constexpr digest<N> hash(const bytes &message) {
        digest<N> out{};
        hash(message, out);
        return out;
    }

    // Fills `out` with the first bytes of the output for a message.
    static constexpr void hash(const bytes &message, std::span<std::uint8_t> out) {
        output(message, Suffix).squeeze(out);
    }

    constexpr xof() = default;

    // TurboSHAKE with a domain separation byte other than 0x1F. Returns std::nullopt unless it is
    // 0x01 to 0x7F.
    static constexpr std::optional<xof> with_domain(std::uint8_t domain)
        requires(P::has_domains)
    {
        if (domain < 0x01 || domain > 0x7F) {
            return std::nullopt;
        }
        xof x;
        x.suffix_ = domain;
        return x;
    }

    // Absorbs the next part of the message.
    constexpr xof &update(const bytes &data) {
        input_.update(data);
        return *this;
    }

    // Returns the output for everything absorbed so far, from its beginning; `squeeze` reads it.
    // The object does not change, and may absorb more.
    constexpr output finalize() const { return input_.finalize(suffix_); }

    // Does the same for a message that ends with further bits: the `bits` low bits of `last`.
    // Returns std::nullopt for more than 7 bits.
    constexpr std::optional<output> finalize_bits(std::uint8_t last, unsigned bits) const
        requires(!P::has_domains)
    {
        return bits > 7 ? std::nullopt : std::optional<output>(input_.finalize(Suffix, last, bits));
    }

    // Forgets everything absorbed. A domain separation byte stays.
    constexpr void reset() { input_ = {}; }

    // The fields of an exported state (state.hpp). load() returns whether they fit together.
    constexpr void save(writer &to) const {
        if constexpr (P::is_keccak) {
            to.word(suffix_);
        }
        input_.save(to);
    }
    constexpr bool load(reader &from) {
        if constexpr (P::is_keccak) {
            suffix_ = from.word<std::uint8_t>();
            if (suffix_ != Suffix && (!P::has_domains || suffix_ < 0x01 || suffix_ > 0x7F)) {
                return false;
            }
        }
        return input_.load(from);
    }

private:
    input<P> input_;
    std::uint8_t suffix_ = Suffix;
};

} // namespace hashmill::detail::inline HASHMILL_MODE::sponge
