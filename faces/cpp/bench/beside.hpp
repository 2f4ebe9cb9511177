// What beside.cpp measures: the same functions of several implementations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beside {

// Hashes `length` bytes, or squeezes as many, and writes some of the result to `out`, which has as
// much room.
using function = void (*)(const std::uint8_t *data, std::size_t length, std::uint8_t *out);

struct row {
    std::string algorithm;
    function call;
};

struct implementation {
    std::string name;
    std::vector<row> rows;
};

// Each from a file of its own, because the header is compiled alone in one and for the library in
// another. Empty where the build has no such implementation.
std::vector<implementation> header();
std::vector<implementation> linked();
std::vector<implementation> peer();

} // namespace beside
