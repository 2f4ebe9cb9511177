// SHAKE, SHA-3, Keccak-256 and TurboSHAKE of four or eight messages at once. There is one sponge
// for each message, and their states lie side by side, so that one vector instruction computes the
// same step for all of them.
#pragma once

#include "hashmill/bytes.hpp"
#include "hashmill/core.hpp"
#include "hashmill/cpu.hpp"
#include "hashmill/keccak.hpp"
#include "hashmill/sha3.hpp"
#include "hashmill/sponge.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace hashmill {
namespace detail::inline HASHMILL_MODE::keccak {

// N states, stored word by word: word i of state `lane` is at i * N + lane.
template <std::size_t N> using states = std::array<std::uint64_t, 25 * N>;

// Copies state `lane` out of the N states; put_lane() copies it back.
template <std::size_t N> constexpr state take_lane(const states<N> &s, std::size_t lane) {
    state one{};
    for (std::size_t i = 0; i < 25; i++) {
        one[i] = s[i * N + lane];
    }
    return one;
}

template <std::size_t N> constexpr void put_lane(states<N> &s, std::size_t lane, const state &one) {
    for (std::size_t i = 0; i < 25; i++) {
        s[i * N + lane] = one[i];
    }
}

// Permutes the states one after the other.
template <std::size_t Rounds, std::size_t N> constexpr void permute_each(states<N> &s) {
    for (std::size_t lane = 0; lane < N; lane++) {
        state one = take_lane<N>(s, lane);
        permute<Rounds>(one);
        put_lane<N>(s, lane, one);
        wipe(one);
    }
}

#if defined(HASHMILL_TARGET_AVX2)

// Permutes `Lanes` states, beginning with state `first`, with the same code that permutes one
// state.
template <std::size_t Lanes, std::size_t Rounds, std::size_t N>
HASHMILL_INLINE inline void permute_vector(states<N> &s, std::size_t first) {
    typedef std::uint64_t vector __attribute__((vector_size(8 * Lanes)));
    vector a[25];
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { std::memcpy(&a[I], &s[I * N + first], sizeof(vector)); });
    rounds<Rounds>(a);
    unroll<25>([&]<std::size_t I>() HASHMILL_INLINE { std::memcpy(&s[I * N + first], &a[I], sizeof(vector)); });
}

template <std::size_t Rounds, std::size_t N> HASHMILL_TARGET_AVX2 void permute_avx2(states<N> &s) {
    for (std::size_t first = 0; first < N; first += 4) {
        permute_vector<4, Rounds, N>(s, first);
    }
}

template <std::size_t Rounds, std::size_t N> HASHMILL_TARGET_AVX512 void permute_avx512(states<N> &s) {
    permute_vector<N, Rounds, N>(s, 0);
}

#endif

// Permutes all states with the widest vectors of this CPU.
template <std::size_t Rounds, std::size_t N> constexpr void permute_lanes(states<N> &s) {
#if defined(HASHMILL_TARGET_AVX2)
    if (!std::is_constant_evaluated()) {
#if defined(HASHMILL_TARGET_AVX512)
        if (has_avx512()) {
            permute_avx512<Rounds, N>(s);
            return;
        }
#endif
        if (has_avx2()) {
            permute_avx2<Rounds, N>(s);
            return;
        }
    }
#endif
    permute_each<Rounds, N>(s);
}

// Returns whether all lanes are at the same position and advance by the same number of bytes, so
// that one permutation serves all of them.
template <class Parts, std::size_t N>
constexpr bool in_step(const Parts &parts, const std::array<std::size_t, N> &positions) {
    for (std::size_t lane = 1; lane < N; lane++) {
        if (parts[lane].size() != parts[0].size() || positions[lane] != positions[0]) {
            return false;
        }
    }
    return true;
}

// The outputs of N sponges, one for each lane.
template <std::size_t Rate, std::size_t Rounds, std::size_t N> class lane_outputs {
public:
    using spans = std::array<std::span<std::uint8_t>, N>;

    constexpr lane_outputs() = default;
    constexpr explicit lane_outputs(const states<N> &s) : states_(s) {}
    constexpr lane_outputs(const lane_outputs &) = default;
    constexpr lane_outputs &operator=(const lane_outputs &) = default;
    constexpr ~lane_outputs() { wipe(states_); }

    // Fills each span with the next bytes of its output. A lane with an empty span stays where it is,
    // so outputs of which enough was read are left out.
    constexpr lane_outputs &squeeze(spans out) {
        std::array<bool, N> reads{};
        std::size_t readers = 0, first = 0;
        bool together = true;
        for (std::size_t lane = N; lane-- > 0;) {
            reads[lane] = !out[lane].empty();
            if (reads[lane]) {
                together &= readers == 0 ||
                            (out[lane].size() == out[first].size() && positions_[lane] == positions_[first]);
                readers++;
                first = lane;
            }
        }
        if (!together || readers < 2) {
            for (std::size_t lane = 0; lane < N; lane++) {
                if (reads[lane]) {
                    sponge::output<permutation<Rate, Rounds>> one(take_lane<N>(states_, lane), positions_[lane]);
                    one.squeeze(out[lane]);
                    put_lane<N>(states_, lane, one.words());
                    positions_[lane] = one.position();
                }
            }
            return *this;
        }
        states<N> before{};
        if (readers < N) {
            before = states_;
        }
        std::size_t position = positions_[first];
        while (!out[first].empty()) {
            if (position == Rate) {
                permute_lanes<Rounds, N>(states_);
                position = 0;
            }
            const std::size_t n = std::min(Rate - position, out[first].size());
            for (std::size_t lane = 0; lane < N; lane++) {
                if (reads[lane]) {
                    sponge::copy_out<N>(states_.data() + lane, position, out[lane].first(n));
                    out[lane] = out[lane].subspan(n);
                }
            }
            position += n;
        }
        for (std::size_t lane = 0; lane < N; lane++) {
            if (reads[lane]) {
                positions_[lane] = position;
            } else {
                put_lane<N>(states_, lane, take_lane<N>(before, lane));
            }
        }
        if (readers < N) {
            wipe(before);
        }
        return *this;
    }

    // Returns the next L bytes of every output.
    template <std::size_t L> constexpr std::array<digest<L>, N> squeeze() {
        std::array<digest<L>, N> out{};
        spans parts;
        for (std::size_t lane = 0; lane < N; lane++) {
            parts[lane] = out[lane];
        }
        squeeze(parts);
        return out;
    }

private:
    template <std::size_t, std::size_t, std::size_t, std::uint8_t> friend class lanes;

    states<N> states_{};
    std::array<std::size_t, N> positions_{};
};

// N sponges. Their messages may have any lengths. If all parts of an update have the same length,
// and all sponges are at the same position of a block, the parts are absorbed together; otherwise
// the sponges absorb one after the other. `Suffix` has the domain separation bits and the first bit
// of the padding; for SHAKE those of FIPS 202 §6.2.
template <std::size_t Rate, std::size_t Rounds, std::size_t N, std::uint8_t Suffix = 0b1'1111> class lanes {
public:
    static constexpr std::size_t count = N;
    static constexpr std::size_t block_length = Rate;
    using messages = std::array<bytes, N>;
    using output = lane_outputs<Rate, Rounds, N>;

    // Returns the first L bytes of the output for each message.
    template <std::size_t L> static constexpr std::array<digest<L>, N> hash(const messages &data) {
        return lanes().update(data).finalize().template squeeze<L>();
    }

    constexpr lanes() = default;
    constexpr lanes(const lanes &) = default;
    constexpr lanes &operator=(const lanes &) = default;
    constexpr ~lanes() { wipe(states_); }

    // Absorbs the next part of every message.
    constexpr lanes &update(messages data) {
        if (!in_step(data, positions_)) {
            for (std::size_t lane = 0; lane < N; lane++) {
                sponge::input<permutation<Rate, Rounds>> one(take_lane<N>(states_, lane), positions_[lane]);
                one.update(data[lane]);
                put_lane<N>(states_, lane, one.words());
                positions_[lane] = one.position();
            }
            return *this;
        }
        std::size_t position = positions_[0];
        while (data[0].size() > 0) {
            const std::size_t n = std::min(Rate - position, data[0].size());
            for (std::size_t lane = 0; lane < N; lane++) {
                sponge::xor_bytes<N>(states_.data() + lane, position, data[lane].first(n));
                data[lane] = data[lane].without_first(n);
            }
            position += n;
            if (position == Rate) {
                permute_lanes<Rounds, N>(states_);
                position = 0;
            }
        }
        positions_.fill(position);
        return *this;
    }

    // Returns the outputs for everything absorbed so far, from their beginning; `squeeze` reads
    // them. The object does not change, and may absorb more.
    constexpr output finalize() const {
        output out(states_);
        for (std::size_t lane = 0; lane < N; lane++) {
            pad<Rate, N>(out.states_.data() + lane, positions_[lane], Suffix);
        }
        permute_lanes<Rounds, N>(out.states_);
        return out;
    }

    // Forgets all that was absorbed.
    constexpr void reset() { *this = lanes(); }

private:
    states<N> states_{};
    std::array<std::size_t, N> positions_{};
};

// The lanes of a function.
template <class H, std::size_t N> struct lanes_of;
template <std::size_t Rate, std::size_t Rounds, std::size_t N, std::size_t Output, one_call One, std::uint8_t Suffix>
struct lanes_of<sponge::hasher<permutation<Rate, Rounds>, Output, One, Suffix>, N> {
    using type = lanes<Rate, Rounds, N, Suffix>;
};
template <std::size_t Rate, std::size_t Rounds, std::size_t N, std::uint8_t Suffix>
struct lanes_of<sponge::xof<permutation<Rate, Rounds>, Suffix>, N> {
    using type = lanes<Rate, Rounds, N, Suffix>;
};

} // namespace detail::inline HASHMILL_MODE::keccak

// Four or eight messages of a function over Keccak at once, for instance lanes<sha3_256, 8>.
template <class H, std::size_t N> using lanes = typename detail::keccak::lanes_of<H, N>::type;

using shake128_x4 = lanes<shake128, 4>;
using shake128_x8 = lanes<shake128, 8>;
using shake256_x4 = lanes<shake256, 4>;
using shake256_x8 = lanes<shake256, 8>;

} // namespace hashmill
