// The functions that are compared, each as one call on a message of a given length.
#pragma once

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

inline constexpr std::int64_t lengths[] = {64, 1024, 8192};

// Registers `call(data, length, out)` as the benchmark algorithm/implementation/length.
template <class F> void add(const std::string &algorithm, const std::string &implementation, F call) {
    auto *entry = benchmark::RegisterBenchmark((algorithm + "/" + implementation).c_str(), [call](benchmark::State &state) {
        const auto length = static_cast<std::size_t>(state.range(0));
        const std::vector<std::uint8_t> message(length, 7);
        std::uint8_t out[64];
        for (auto _ : state) {
            benchmark::DoNotOptimize(message.data());
            call(message.data(), length, out);
            benchmark::DoNotOptimize(out);
            benchmark::ClobberMemory();
        }
    });
    // The least of the repetitions, which is the time of the code without disturbances.
    entry->ComputeStatistics("min", [](const std::vector<double> &times) { return *std::min_element(times.begin(), times.end()); });
    for (const auto length : lengths) {
        entry->Arg(length);
    }
}

// Registers the classes of the header, in the mode of the file that uses this macro.
#define BENCH_CLASSES(implementation)                                                                                  \
    bench::add_class<hashmill::sha256>("SHA-256", implementation);                                                     \
    bench::add_class<hashmill::sha512>("SHA-512", implementation);                                                     \
    bench::add_class<hashmill::sha3_256>("SHA3-256", implementation);                                                  \
    bench::add_class<hashmill::blake2b<>>("BLAKE2b", implementation);                                                  \
    bench::add_class<hashmill::blake2s<>>("BLAKE2s", implementation);                                                  \
    bench::add_class<hashmill::ascon_hash256>("Ascon-Hash256", implementation)

template <class H> void add_class(const std::string &algorithm, const std::string &implementation) {
    add(algorithm, implementation + " one call", [](const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
        const auto digest = H::hash({data, length});
        std::copy(digest.begin(), digest.end(), out);
    });
    add(algorithm, implementation + " streaming", [](const std::uint8_t *data, std::size_t length, std::uint8_t *out) {
        H hasher;
        const auto digest = hasher.update({data, length}).finalize();
        std::copy(digest.begin(), digest.end(), out);
    });
}

void add_header();
void add_linked();

} // namespace bench
