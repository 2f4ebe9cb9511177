// The measurements of beside.cpp: the same functions of several implementations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beside {

// Hashes `length` bytes, or squeezes that many, and writes a part of the result to `out`, which has
// room for `length` bytes.
using function = void (*)(const std::uint8_t *data, std::size_t length, std::uint8_t *out);

struct row {
    std::string algorithm;
    function call;
};

struct implementation {
    std::string name;
    std::vector<row> rows;
};

// Each list is defined in a file of its own, because one file compiles the header alone and another
// one for the library. The second is empty if the build does not have the library.
std::vector<implementation> header();
std::vector<implementation> linked();

} // namespace beside
