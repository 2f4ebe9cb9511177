// Measures several implementations in one process. Every round measures each of them once, so that
// all suffer the same disturbances, and the least time of each counts. The output is CSV:
// nanoseconds for each call, and the time as a multiple of the time of the header alone in one
// call.
//
//     beside [rounds]

#include "beside.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

#if !defined(HASHMILL_BESIDE_LINKED)
std::vector<beside::implementation> beside::linked() { return {}; }
#endif

namespace {

// Makes the compiler assume that the memory is read and changed.
void observe(void *memory) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(memory) : "memory");
#else
    static void *volatile seen;
    seen = memory;
#endif
}

double nanoseconds(beside::function call, const std::uint8_t *data, std::size_t length, std::uint8_t *out,
                   std::size_t calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; i++) {
        call(data, length, out);
        observe(out);
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    return time.count() / static_cast<double>(calls);
}

struct timed {
    const std::string *name;
    beside::function call;
    double least = std::numeric_limits<double>::max();
};

} // namespace

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
    constexpr std::array<std::size_t, 8> lengths = {32, 64, 135, 200, 1024, 8192, 65536, 1048576};
    std::vector<std::uint8_t> message(lengths.back(), 7), out(lengths.back());
    std::vector<beside::implementation> all = beside::header();
    const std::vector<beside::implementation> linked = beside::linked();
    all.insert(all.end(), linked.begin(), linked.end());
    std::printf("algorithm,length,implementation,nanoseconds,times\n");
    for (const auto &[algorithm, unused] : all[0].rows) {
        for (const auto length : lengths) {
            std::vector<timed> entries;
            for (const auto &implementation : all) {
                for (const auto &row : implementation.rows) {
                    if (row.algorithm == algorithm) {
                        entries.push_back({&implementation.name, row.call});
                    }
                }
            }
            // Each measurement takes about 20 microseconds; for long messages there are fewer
            // rounds.
            const std::size_t calls = std::max<std::size_t>(1, 20'000 / (length + 200));
            const int times = length > 100'000 ? rounds / 5 + 1 : rounds;
            for (int round = 0; round < times; round++) {
                for (auto &entry : entries) {
                    entry.least = std::min(entry.least, nanoseconds(entry.call, message.data(), length, out.data(), calls));
                }
            }
            for (const auto &entry : entries) {
                std::printf("%s,%zu,%s,%.1f,%.3f\n", algorithm.c_str(), length, entry.name->c_str(), entry.least,
                            entry.least / entries[0].least);
            }
            std::fflush(stdout);
        }
    }
}
