// HMAC (FIPS 198-1, RFC 2104) over every hash function with a digest of fixed length.
#pragma once

#include "hashmill/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hashmill {

// HMAC with the hash function H, for instance sha256. The key is absorbed once: copy a prepared one
// for every message.
template <class H> class hmac {
public:
    static constexpr std::size_t digest_length = H::digest_length;

    // With a key of any length; one longer than the hash's block is hashed first (FIPS 198-1 §4).
    constexpr explicit hmac(const bytes &key) {
        std::array<std::uint8_t, H::block_length> block{};
        if (key.size() <= block.size()) {
            detail::copy(key, block, 0);
        } else {
            const auto hashed = H::hash(key);
            detail::copy(bytes(hashed), block, 0);
        }
        for (auto &byte : block) {
            byte ^= ipad;
        }
        inner_.update(block);
        for (auto &byte : block) {
            byte ^= ipad ^ opad;
        }
        outer_.update(block);
        detail::wipe(block);
        if constexpr (requires { inner_.settle(); }) {
            inner_.settle();
            outer_.settle();
        }
    }

    // The tag of a message.
    static constexpr digest<digest_length> tag(const bytes &key, const bytes &message) {
        return hmac(key).update(message).finalize();
    }

    // Absorbs the next part of the message.
    constexpr hmac &update(const bytes &data) {
        inner_.update(data);
        return *this;
    }

    // The tag of all that was absorbed. The hmac stays as it is and may go on.
    constexpr digest<digest_length> finalize() const {
        H outer = outer_;
        return outer.update(inner_.finalize()).finalize();
    }

    // Whether it is the tag of all that was absorbed, in a time that does not tell where they
    // differ.
    constexpr bool verify(const bytes &tag) const { return equal(finalize(), tag); }

private:
    // FIPS 198-1 §2.3.
    static constexpr std::uint8_t ipad = 0x36;
    static constexpr std::uint8_t opad = 0x5C;

    // Has absorbed the key exclusive-or'ed with ipad, and then the message.
    H inner_;
    // Has absorbed the key exclusive-or'ed with opad.
    H outer_;
};

} // namespace hashmill
