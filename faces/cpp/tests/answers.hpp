// Reads the answers of vectors/ (its README describes the format), and cuts messages into pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

using octets = std::vector<std::uint8_t>;

inline octets from_hex(const std::string &hex) {
    octets out;
    for (std::size_t i = 0; i + 2 <= hex.size(); i += 2) {
        out.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return out;
}

// The pattern of RFC 9861 §5.
inline octets ptn(std::size_t n) {
    octets out(n);
    for (std::size_t i = 0; i < n; i++) {
        out[i] = static_cast<std::uint8_t>(i % 251);
    }
    return out;
}

inline octets bytes_of(const nlohmann::json &json) {
    if (json.is_null()) {
        return {};
    }
    if (json.contains("ptn")) {
        return ptn(json["ptn"]);
    }
    const octets once = from_hex(json["hex"]);
    octets out;
    for (std::size_t i = 0; i < json.value("repeat", std::size_t{1}); i++) {
        out.insert(out.end(), once.begin(), once.end());
    }
    return out;
}

struct answer {
    std::string algorithm;
    octets message;
    unsigned bits = 0; // number of bits in `last`
    std::uint8_t last = 0;
    octets output;
    std::size_t skip = 0;
    std::uint8_t domain = 0x1F;
    octets key; // of HMAC or BLAKE3
    octets context;
    octets customization; // of Ascon-CXOF128
    nlohmann::json params;

    // The number of bytes of output that a test needs in all.
    std::size_t wanted() const { return skip + output.size(); }
    bool is_hmac() const { return algorithm.starts_with("HMAC-"); }
    bool is_customized() const { return algorithm == "Ascon-CXOF128"; }
    std::string name() const {
        return algorithm + ", " + std::to_string(message.size()) + " bytes and " + std::to_string(bits) + " bits, params " +
               params.dump();
    }
};

// Returns the answers of one file.
inline std::vector<answer> read(const std::string &file) {
    std::ifstream stream(std::string(HASHMILL_VECTORS) + "/" + file + ".json");
    if (!stream) {
        throw std::runtime_error("cannot read " + file);
    }
    const auto json = nlohmann::json::parse(stream);
    std::vector<answer> list;
    for (const char *part : {"published", "computed"}) {
        for (const auto &a : json[part]) {
            const auto &message = a["message"];
            list.push_back({
                .algorithm = a["algorithm"],
                .message = bytes_of(message),
                .bits = message.value("bits", 0u),
                .last = message.contains("last") ? from_hex(message["last"])[0] : std::uint8_t{0},
                .output = from_hex(a["output"]),
                .skip = a.value("skip", std::size_t{0}),
                .domain = a.value("domain", std::uint8_t{0x1F}),
                .key = bytes_of(a.value("key", nlohmann::json())),
                .context = bytes_of(a.value("context", nlohmann::json())),
                .customization = bytes_of(a.value("customization", nlohmann::json())),
                .params = a.value("params", nlohmann::json()),
            });
        }
    }
    return list;
}

// Returns the answers of all files for the algorithms and HMAC.
inline const std::vector<answer> &answers() {
    static const std::vector<answer> all = [] {
        std::vector<answer> list;
        for (const char *file :
             {"fips-180-4", "fips-202", "keccak", "sm3", "rfc-9861", "rfc-7693", "blake2", "blake3", "ascon", "rfc-2104"}) {
            for (answer &a : read(file)) {
                list.push_back(std::move(a));
            }
        }
        return list;
    }();
    return all;
}

// Calls `take` with pieces of the message: growing pieces, of which the first has `first` bytes,
// and then the rest.
inline void pieces(std::span<const std::uint8_t> message, std::size_t first, auto take) {
    for (std::size_t n = first; n < message.size() && n < first + 40; n++) {
        take(message.first(n));
        message = message.subspan(n);
    }
    take(message);
}

} // namespace test
